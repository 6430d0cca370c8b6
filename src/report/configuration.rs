//! The effective configuration: all options of a command with the values that were used, as typed values.

use serde::{Serialize, Serializer};

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// The option was not given and has no default, or has no effect beside the others.
    Unset,
    /// A flag.
    Truth(bool),
    /// A whole number.
    Number(u64),
    /// Another number.
    Real(f64),
    /// A word, a name or a path.
    Text(String),
    /// All values of an option that may be repeated.
    List(Vec<OptionValue>),
}

/// Options with their values, in the order of the table of options; written as a JSON object.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Configuration(pub Vec<(&'static str, OptionValue)>);

impl Serialize for Configuration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}
