//! The format as data: the contents of a witness file, read leniently and written exactly.
//!
//! Reading accepts versions 2.0 and 2.1 and ignores unknown keys. Parts that it cannot interpret are kept as such, and the user of the witness decides whether they matter.

use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// A whole file.
pub type File = Vec<Entry>;

/// An entry of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// `violation_sequence` or `invariant_set`.
    pub entry_type: String,
    /// Where it comes from.
    pub metadata: Metadata,
    /// Segments or invariants.
    pub content: Vec<Element>,
}

/// Where an entry comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// The version of the format.
    #[serde(deserialize_with = "text")]
    pub format_version: String,
    /// A unique identifier.
    #[serde(default)]
    pub uuid: String,
    /// When it was made, by ISO 8601.
    #[serde(default, deserialize_with = "text")]
    pub creation_time: String,
    /// The tool.
    #[serde(default)]
    pub producer: Producer,
    /// The program and property.
    #[serde(default)]
    pub task: Task,
}

/// The tool that made a witness.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Producer {
    /// Its name.
    #[serde(default)]
    pub name: String,
    /// Its version.
    #[serde(default, deserialize_with = "text")]
    pub version: String,
    /// How it was called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command_line: Option<String>,
    /// A remark.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The task of a witness.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// The program's files.
    #[serde(default)]
    pub input_files: Vec<String>,
    /// The SHA-256 hashes of the files.
    #[serde(default)]
    pub input_file_hashes: BTreeMap<String, String>,
    /// The property in the notation of property files.
    #[serde(default)]
    pub specification: String,
    /// `ILP32` or `LP64`.
    #[serde(default)]
    pub data_model: String,
    /// `C`.
    #[serde(default)]
    pub language: String,
}

/// An element of an entry's content.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Element {
    /// A segment of a violation sequence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment: Option<Vec<Step>>,
    /// An invariant of an invariant set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invariant: Option<Invariant>,
}

/// A waypoint in its wrapping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// The waypoint.
    pub waypoint: Waypoint,
}

/// A waypoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waypoint {
    /// `assumption`, `branching`, `function_enter`, `function_return` or `target`.
    #[serde(rename = "type")]
    pub kind: String,
    /// `follow` or `avoid`.
    pub action: String,
    /// The constraint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub constraint: Option<Constraint>,
    /// Where.
    pub location: Location,
}

/// The constraint of a waypoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Constraint {
    /// An expression, a truth value, or a case of a switch.
    #[serde(deserialize_with = "text")]
    pub value: String,
    /// `c_expression` or `acsl_expression`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
}

/// A position in the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// The file.
    pub file_name: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1. Without it, the leftmost suitable position of the line is meant.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The function, for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

/// An invariant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Invariant {
    /// `loop_invariant` or `location_invariant`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where it holds.
    pub location: Location,
    /// The expression.
    #[serde(default, deserialize_with = "text")]
    pub value: String,
    /// `c_expression`.
    #[serde(default)]
    pub format: String,
}

/// A scalar of any type as text.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Scalar {
        Truth(bool),
        Number(i64),
        Large(u64),
        Real(f64),
        Text(String),
    }
    Ok(match Scalar::deserialize(deserializer)? {
        Scalar::Truth(value) => value.to_string(),
        Scalar::Number(value) => value.to_string(),
        Scalar::Large(value) => value.to_string(),
        // `format_version: 2.0` without quotes is a number.
        Scalar::Real(value) => format!("{value:?}"),
        Scalar::Text(value) => value,
    })
}

/// Why a text is no witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FormatError {
    /// It is no YAML, or has other keys: the message of the reader, with the place.
    Syntax(String),
    /// It has no entries.
    Empty,
    /// It is of another version of the format.
    Version(String),
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Syntax(message) => f.write_str(message),
            FormatError::Empty => f.write_str("the file holds no entry"),
            FormatError::Version(version) => write!(f, "format version `{version}` is not read; 2.0 and 2.1 are"),
        }
    }
}

impl std::error::Error for FormatError {}

/// Reads a file.
///
/// # Errors
/// The text is no YAML, or not of the format; the message says where.
pub fn read(text: &str) -> Result<File, FormatError> {
    let file: File = yaml_serde::from_str(text).map_err(|error| FormatError::Syntax(error.to_string()))?;
    if file.is_empty() {
        return Err(FormatError::Empty);
    }
    for entry in &file {
        let version = &entry.metadata.format_version;
        if !matches!(version.as_str(), "2.0" | "2.1") {
            return Err(FormatError::Version(version.clone()));
        }
    }
    Ok(file)
}

/// The file as text.
pub fn write(file: &File) -> String {
    yaml_serde::to_string(file).expect("a witness has only string keys")
}

/// The description of the task in a witness.
#[derive(Clone, Debug)]
pub struct About {
    /// The version line of the producer.
    pub version: String,
    /// The program's files as they were given, with their contents.
    pub files: Vec<(String, Vec<u8>)>,
    /// The property.
    pub specification: String,
    /// The name of the data model.
    pub data_model: String,
    /// When the witness is made, in seconds since 1970.
    pub time: u64,
}

impl About {
    /// The metadata of an entry with some content. The identifier depends on the task, the version and the content alone.
    pub fn metadata(&self, content: &[Element]) -> Metadata {
        // The same data as in the file; JSON is written several times as fast, which matters where there are 100,000 waypoints.
        let body = serde_json::to_string(content).expect("a witness has only string keys");
        let identity = [
            &self.version,
            "\n",
            &self.specification,
            "\n",
            &self.data_model,
            "\n",
            &body,
        ]
        .concat();
        let hashes: Vec<String> = self.files.iter().map(|(_, content)| sha256(content)).collect();
        Metadata {
            format_version: "2.0".to_string(),
            uuid: uuid(&sha256(
                [identity.as_bytes(), hashes.concat().as_bytes()].concat().as_slice(),
            )),
            creation_time: iso_time(self.time),
            producer: Producer {
                name: "Provident".to_string(),
                version: self.version.clone(),
                command_line: None,
                description: None,
            },
            task: Task {
                input_files: self.files.iter().map(|(name, _)| name.clone()).collect(),
                input_file_hashes: self.files.iter().map(|(name, _)| name.clone()).zip(hashes).collect(),
                specification: self.specification.clone(),
                data_model: self.data_model.clone(),
                language: "C".to_string(),
            },
        }
    }

    /// An entry with its metadata.
    pub fn entry(&self, entry_type: &str, content: Vec<Element>) -> Entry {
        Entry {
            entry_type: entry_type.to_string(),
            metadata: self.metadata(&content),
            content,
        }
    }
}

/// The SHA-256 hash in hexadecimal digits.
pub fn sha256(content: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    Sha256::digest(content)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// An identifier of version 8 (RFC 9562, custom content) from the digits of a hash.
fn uuid(hash: &str) -> String {
    let variant = match u8::from_str_radix(&hash[16..17], 16).unwrap_or(0) & 3 {
        0 => '8',
        1 => '9',
        2 => 'a',
        _ => 'b',
    };
    format!(
        "{}-{}-8{}-{variant}{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[13..16],
        &hash[17..20],
        &hash[20..32]
    )
}

/// A time in seconds since 1970 by ISO 8601, in UTC.
fn iso_time(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days to civil date, by Howard Hinnant's algorithm with years that begin in March.
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = year_of_era + era * 400 + carry;
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_hashes_are_the_standards() {
        assert_eq!(iso_time(0), "1970-01-01T00:00:00Z");
        assert_eq!(iso_time(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(iso_time(1_767_225_599), "2025-12-31T23:59:59Z");
        assert_eq!(
            sha256(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert_eq!(uuid(&sha256(b"abc")), "ba7816bf-8f01-8fea-8141-40de5dae2223");
    }

    #[test]
    fn others_files_are_read_leniently() {
        let text = "
- entry_type: violation_sequence
  metadata: { format_version: 2.1, unknown: 3 }
  content:
  - segment:
    - waypoint: { type: branching, action: follow, constraint: { value: true }, location: { file_name: a.c, line: 3 } }
    - waypoint: { type: target, action: follow, location: { file_name: a.c, line: 4, column: 2, function: f } }
";
        let file = read(text).unwrap();
        let segment = file[0].content[0].segment.as_ref().unwrap();
        assert_eq!(segment[0].waypoint.constraint.as_ref().unwrap().value, "true");
        assert_eq!(segment[1].waypoint.location.column, Some(2));
        assert_eq!(read(&write(&file)).unwrap(), file);
        assert!(
            read(&text.replace("2.1", "1.0"))
                .unwrap_err()
                .to_string()
                .contains("1.0")
        );
        assert!(read("[]").is_err() && read("a: [").is_err() && read("- entry_type: 3").is_err());
    }
}
