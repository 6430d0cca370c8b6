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
            SettingError::Unknown { key, known } => {
                write!(f, "there is no option `{key}` here; there are {}", known.join(", "))
            }
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
