//! The definition of an experiment: a TOML file that names configurations, or one of the shipped presets, which have the same form.
//!
//! ```toml
//! name = "blocks"                       # of journals, pages and jobs
//! title = "Single blocks or large ones"
//! evaluation = "general"                # or that of a paper's study
//! subjects = "together"                 # all properties of a task; "alone": each in a run of its own; "both"
//! arguments = "--threads 1"             # options of every run, as on the command line; a text or a list
//! counters = ["refinements"]            # statistics that tables show
//! rules = "linux"                       # properties: built-in rules in place of those of the tasks
//! tasks = ["drivers.set"]               # run sets, relative to this file; more on the command line
//! exclude = ["*-recursive-*"]
//!
//! [limits]
//! cpu = 900                             # seconds, of each run
//! memory = 15000                        # MB
//!
//! [[configuration]]
//! name = "single"
//! arguments = "--set block=single"
//! ```
//!
//! `{scratch}` in arguments is an empty folder that belongs to the run and is removed after it. With `per-property = true` in `[limits]` the limit on processor time is that of one property: all properties
//! together get it once for each, since they are compared with as many runs (or `together` times, where each launch has a limit of its own); `together-arguments` are added to these runs, with `{cpu}` for the limit of one property, and `{cpu/9}` for the ninth part of it. They are left out if there is no limit.

use super::error::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::Path;

/// An experiment as it was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// Its subject, for pages.
    #[serde(default)]
    pub title: String,
    /// How its results are evaluated, beside the general page.
    #[serde(default)]
    pub evaluation: Evaluation,
    /// The subjects: tasks with all properties, with each alone, or both.
    #[serde(default)]
    pub subjects: Subjects,
    /// Options of every run.
    #[serde(default, deserialize_with = "words")]
    pub arguments: Vec<String>,
    /// More options of runs with all properties, if the limit is per property.
    #[serde(default, deserialize_with = "words")]
    pub together_arguments: Vec<String>,
    /// The statistics that tables show.
    #[serde(default)]
    pub counters: Vec<String>,
    /// Built-in rules in place of the tasks' properties.
    #[serde(default)]
    pub rules: Option<String>,
    /// Run sets, relative to the file.
    #[serde(default)]
    pub tasks: Vec<String>,
    /// Patterns of tasks that are left out.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// Limits of every run.
    #[serde(default)]
    pub limits: Limits,
    /// The configurations that are compared.
    #[serde(rename = "configuration")]
    pub configurations: Vec<Configuration>,
}

/// Limits of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// Processor seconds.
    #[serde(default)]
    pub cpu: Option<f64>,
    /// Seconds.
    #[serde(default)]
    pub wall: Option<f64>,
    /// Memory in MB.
    #[serde(default)]
    pub memory: Option<u64>,
    /// Whether the limit on processor time is that of one property.
    #[serde(default)]
    pub per_property: bool,
    /// If so, the limit of all properties together in limits of one property, where it is not their number: that of a single launch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<f64>,
}

/// The evaluation that makes pages of the results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evaluation {
    /// The page that every experiment has.
    #[default]
    General,
    /// The study of provident refinement.
    Provident,
    /// The study of specification decomposition.
    Decomposition,
    /// The study of multi-aspect verification.
    Mav,
    /// The study of refinement selection.
    Selection,
    /// The study of interpolation.
    Interpolation,
    /// The study of directed search.
    Tour,
    /// The study of capabilities, each switched off in turn.
    Capabilities,
}

/// The subjects of an experiment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subjects {
    /// Tasks with all their properties.
    #[default]
    Together,
    /// Tasks with each of their properties.
    Alone,
    /// Both.
    Both,
}

/// A way to verify.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Configuration {
    /// Its name in tables and plots.
    pub name: String,
    /// Its options.
    #[serde(default, deserialize_with = "words")]
    pub arguments: Vec<String>,
    /// The subjects that it is for.
    #[serde(default)]
    pub of: Of,
}

/// Which subjects a configuration is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Of {
    /// All of them.
    #[default]
    Any,
    /// Tasks with all their properties.
    Together,
    /// Tasks with one of their properties.
    Alone,
}

impl Of {
    /// Whether subjects with all properties (else with one) are meant.
    pub fn fits(self, together: bool) -> bool {
        match self {
            Of::Any => true,
            Of::Together => together,
            Of::Alone => !together,
        }
    }
}

/// Words: a text with blanks in between, or a list.
fn words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Words {
        Text(String),
        List(Vec<String>),
    }
    Ok(match Words::deserialize(deserializer)? {
        Words::Text(text) => text.split_whitespace().map(str::to_string).collect(),
        Words::List(list) => list,
    })
}

/// The presets by name, as text.
const PRESETS: &[(&str, &str)] = &[
    ("provident", include_str!("presets/provident.toml")),
    ("decomposition", include_str!("presets/decomposition.toml")),
    ("mav", include_str!("presets/mav.toml")),
    ("selection", include_str!("presets/selection.toml")),
    ("selection-large", include_str!("presets/selection-large.toml")),
    ("selection-values", include_str!("presets/selection-values.toml")),
    ("selection-analyses", include_str!("presets/selection-analyses.toml")),
    ("interpolation", include_str!("presets/interpolation.toml")),
    ("tour", include_str!("presets/tour.toml")),
    ("capabilities", include_str!("presets/capabilities.toml")),
];

/// The names of the presets.
pub fn presets() -> impl Iterator<Item = &'static str> {
    PRESETS.iter().map(|(name, _)| *name)
}

impl Definition {
    /// An experiment of one configuration.
    pub fn single(name: &str, arguments: Vec<String>) -> Definition {
        let configuration = Configuration {
            name: "default".to_string(),
            arguments,
            of: Of::Any,
        };
        Definition {
            name: name.to_string(),
            title: String::new(),
            evaluation: Evaluation::General,
            subjects: Subjects::Together,
            arguments: Vec::new(),
            together_arguments: Vec::new(),
            counters: Vec::new(),
            rules: None,
            tasks: Vec::new(),
            exclude: Vec::new(),
            limits: Limits::default(),
            configurations: vec![configuration],
        }
    }

    /// The preset of a name, or what a file says. Run sets in a file become absolute.
    ///
    /// # Errors
    /// There is no such preset or file, or it is malformed.
    pub fn load(name: &str) -> Result<Definition, Error> {
        if let Some((_, text)) = PRESETS.iter().find(|(preset, _)| *preset == name) {
            return Definition::parse(Path::new(name), text);
        }
        let path = Path::new(name);
        if path.extension().is_none_or(|extension| extension != "toml") && !path.exists() {
            let names: Vec<&str> = presets().collect();
            return Err(Error::Request(format!(
                "there is no study `{name}`; there are {}, and files (.toml) that name configurations",
                names.join(", ")
            )));
        }
        let text = std::fs::read_to_string(path).map_err(|error| Error::unreadable(path, error))?;
        let mut definition = Definition::parse(path, &text)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        for set in &mut definition.tasks {
            *set = folder.join(&*set).display().to_string();
        }
        Ok(definition)
    }

    /// Reads a definition; `file` is its name in messages.
    ///
    /// # Errors
    /// The place of what is wrong.
    pub fn parse(file: &Path, text: &str) -> Result<Definition, Error> {
        let definition: Definition = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = 1 + text[..before].matches('\n').count();
            Error::malformed(file, line, error.message())
        })?;
        definition.check().map_err(|what| Error::malformed(file, 0, what))?;
        Ok(definition)
    }

    /// Checks that no parser makes.
    fn check(&self) -> Result<(), Mistake> {
        let fits = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._-+".contains(c));
        if !fits(&self.name) {
            return Err(Mistake::Name(self.name.clone()));
        }
        if self.configurations.is_empty() {
            return Err(Mistake::NoConfiguration);
        }
        for (position, configuration) in self.configurations.iter().enumerate() {
            let name = &configuration.name;
            if !fits(name) {
                return Err(Mistake::ConfigurationName(name.clone()));
            }
            if self.configurations[..position].iter().any(|other| other.name == *name) {
                return Err(Mistake::Twice(name.clone()));
            }
        }
        let limits = [self.limits.cpu, self.limits.wall, self.limits.together];
        if limits
            .into_iter()
            .flatten()
            .any(|limit| !limit.is_finite() || limit <= 0.0)
        {
            return Err(Mistake::Limit);
        }
        Ok(())
    }

    /// Keeps only the configurations of these names.
    ///
    /// # Errors
    /// A name that no configuration has.
    pub fn restrict(&mut self, names: &[String]) -> Result<(), Error> {
        let known: Vec<&str> = self.configurations.iter().map(|c| c.name.as_str()).collect();
        if let Some(unknown) = names.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(Error::Request(format!(
                "this study has no configuration `{unknown}`; there are {}",
                known.join(", ")
            )));
        }
        self.configurations
            .retain(|configuration| names.contains(&configuration.name));
        Ok(())
    }

    /// The definition as a file that says the same.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("a definition has only texts, numbers and lists")
    }
}

/// A definition that is well-formed and makes no sense.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mistake {
    /// The name of the experiment has other characters than names of files.
    Name(String),
    /// The same of a configuration.
    ConfigurationName(String),
    /// There is no configuration.
    NoConfiguration,
    /// Two configurations have this name.
    Twice(String),
    /// A limit is not above 0.
    Limit,
}

impl std::fmt::Display for Mistake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Mistake::Name(name) => write!(f, "`{name}` is no name; letters, digits and `._-+` are expected"),
            Mistake::ConfigurationName(name) => write!(
                f,
                "`{name}` is no name of a configuration; letters, digits and `._-+` are expected"
            ),
            Mistake::NoConfiguration => f.write_str("an experiment needs a `[[configuration]]`"),
            Mistake::Twice(name) => write!(f, "the configuration `{name}` stands twice"),
            Mistake::Limit => f.write_str("a limit is a number above 0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_are_definitions_and_say_what_they_say() {
        for (name, _) in PRESETS {
            let preset = Definition::load(name).unwrap();
            assert_eq!(preset.name, *name);
            let again = Definition::parse(Path::new("again.toml"), &preset.text()).unwrap();
            assert_eq!(again, preset);
        }
        assert!(
            Definition::load("none")
                .unwrap_err()
                .to_string()
                .contains("there are provident, decomposition, mav")
        );
    }

    #[test]
    fn mistakes_have_their_place() {
        let message = |text: &str| Definition::parse(Path::new("e.toml"), text).unwrap_err().to_string();
        assert!(message("name = \"a\"\ncolour = 1\n").starts_with("e.toml:2:1: error: unknown field `colour`"));
        let twice = "name = \"a\"\n[[configuration]]\nname = \"x\"\n[[configuration]]\nname = \"x\"\n";
        assert_eq!(message(twice), "e.toml: error: the configuration `x` stands twice");
        assert!(message("name = \"a\"\n[[configuration]]\nname = \"x/y\"\n").contains("is no name of a configuration"));
        assert!(message("name = \"a\"\nconfiguration = []\n").contains("needs a `[[configuration]]`"));
    }

    #[test]
    fn arguments_are_a_text_or_a_list() {
        let text = "name = \"a\"\narguments = \"--threads 1\"\n[[configuration]]\nname = \"x\"\narguments = [\"--out\", \"a b\"]\n";
        let definition = Definition::parse(Path::new("e.toml"), text).unwrap();
        assert_eq!(definition.arguments, ["--threads", "1"]);
        assert_eq!(definition.configurations[0].arguments, ["--out", "a b"]);
    }
}
