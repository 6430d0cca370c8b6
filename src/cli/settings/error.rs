//! Why options are refused.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why options are refused. The text says which option it is, and what would be right.
#[derive(Debug)]
pub enum SettingError {
    /// The command has no option of this key.
    Unknown {
        /// The key.
        key: String,
        /// The keys that it has.
        known: Vec<&'static str>,
    },
    /// A value that the option does not take.
    NoValue {
        /// The key.
        key: &'static str,
        /// The value.
        value: String,
        /// The values that it takes.
        expected: String,
    },
    /// Several values for an option that takes one.
    Several(String),
    /// The option is given twice, on the same way.
    Twice(String),
    /// The option is given on the command line and by `--set`.
    TwoWays(String),
    /// A text behind `--set` without `=`.
    NoEquals(String),
    /// A value in a configuration file is neither text, number nor truth.
    Sort(String),
    /// The option has no effect beside another one.
    NoEffect {
        /// The key.
        key: &'static str,
        /// The other option, with what it means.
        beside: &'static str,
    },
    /// Something is wrong in a configuration file.
    InFile(PathBuf, Box<SettingError>),
    /// A configuration file is no TOML.
    Syntax(PathBuf, toml::de::Error),
    /// A configuration file cannot be read.
    Unreadable(PathBuf, std::io::Error),
}

impl SettingError {
    /// The same error, in a configuration file.
    #[must_use]
    pub fn in_file(self, file: &Path) -> SettingError {
        SettingError::InFile(file.to_path_buf(), Box::new(self))
    }
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingError::Unknown { key, known } => match alike(key, known).as_slice() {
                [] => write!(
                    f,
                    "there is no option `{key}` here; `--help` lists those that there are"
                ),
                alike => write!(
                    f,
                    "there is no option `{key}` here; did you mean `{}`?",
                    alike.join("`, `")
                ),
            },
            SettingError::NoValue { key, value, expected } => {
                write!(f, "`{value}` is no value for `{key}`; expected {expected}")
            }
            SettingError::Several(key) => write!(f, "`{key}` takes one value"),
            SettingError::Twice(key) => write!(f, "`{key}` is given twice"),
            SettingError::TwoWays(key) => write!(f, "`{key}` is given twice, as an option and by --set"),
            SettingError::NoEquals(pair) => write!(f, "`--set {pair}` has no `=`; expected `--set KEY=VALUE`"),
            SettingError::Sort(key) => write!(f, "`{key}` has a value of a kind that no option takes"),
            SettingError::NoEffect { key, beside } => {
                write!(f, "`{key}` has no effect beside {beside}; leave one of them out")
            }
            SettingError::InFile(file, error) => write!(f, "{}: {error}", file.display()),
            SettingError::Syntax(file, error) => write!(f, "{}: {error}", file.display()),
            SettingError::Unreadable(file, error) => write!(f, "cannot read `{}`: {error}", file.display()),
        }
    }
}

impl std::error::Error for SettingError {}

/// How alike two names are that may be mistaken for each other, from 0 to 1, as clap has it for options of the command line.
const ALIKE: f64 = 0.7;
/// The most names that are suggested.
const SUGGESTIONS: usize = 3;

/// The weight of a common part of names, in these units.
const COMMON_PART: f64 = 0.2;

/// The known names that are most like a wrong one. Common parts between dots count for themselves, as in `steps.explicit`.
fn alike<'k>(wrong: &str, known: &[&'k str]) -> Vec<&'k str> {
    let has_part = |name: &str| wrong.split('.').any(|part| name.split('.').any(|other| other == part));
    let likeness = |name: &str| strsim::jaro(wrong, name) + if has_part(name) { COMMON_PART } else { 0.0 };
    let mut found: Vec<(f64, &str)> = known.iter().map(|&name| (likeness(name), name)).collect();
    found.retain(|(likeness, _)| *likeness > ALIKE);
    found.sort_by(|(a, first), (b, second)| b.total_cmp(a).then(first.cmp(second)));
    found.into_iter().take(SUGGESTIONS).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likest_names_are_suggested() {
        let known = [
            "explicit",
            "explicit.steps",
            "sample.steps",
            "refine",
            "refine.rank",
            "threads",
        ];
        assert_eq!(alike("refin", &known)[0], "refine");
        assert_eq!(alike("explicit.step", &known)[0], "explicit.steps");
        assert!(alike("steps.sample", &known).contains(&"sample.steps"));
        assert_eq!(alike("zzz", &known), Vec::<&str>::new());
    }
}
