//! Task definitions (`.yml`): which file, which properties, which data model, and what is expected.
//!
//! This is the format of the software verification competition, versions 1.0 and 2.0:
//!
//! ```yaml
//! format_version: '2.0'
//! input_files: 'example.i'              # or a list
//! properties:
//!   - property_file: ../properties/unreach-call.prp
//!     expected_verdict: true            # optional
//! options:
//!   language: C
//!   data_model: ILP32                   # or LP64
//! ```
//!
//! Paths are relative to the task definition. The serialised form has its own types here; the rest of the program sees only
//! [`Task`].

use super::property::SpecError;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// A task: a program with properties and, perhaps, the verdicts that its author expects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The program's files, resolved against the place of the task definition.
    pub inputs: Vec<PathBuf>,
    /// The properties in the order of the file.
    pub properties: Vec<TaskProperty>,
    /// The data model's name as written, if any.
    pub data_model: Option<String>,
}

/// A property of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProperty {
    /// The property file, resolved against the place of the task definition.
    pub file: PathBuf,
    /// The verdict that the author of the task expects, where known.
    pub expected: Option<bool>,
}

/// A list that may also be written as a single value.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(PathBuf),
    Many(Vec<PathBuf>),
}

#[derive(Deserialize)]
struct RawTask {
    format_version: RawVersion,
    input_files: OneOrMany,
    #[serde(default)]
    properties: Vec<RawProperty>,
    #[serde(default)]
    options: RawOptions,
}

/// The version is a string in the standard, and a number in files that forgot the quotes.
#[derive(Deserialize)]
#[serde(untagged)]
enum RawVersion {
    Text(String),
    Number(f64),
}

#[derive(Deserialize)]
struct RawProperty {
    property_file: PathBuf,
    #[serde(default)]
    expected_verdict: Option<bool>,
}

#[derive(Deserialize, Default)]
struct RawOptions {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    data_model: Option<String>,
}

/// Parses the text of a task definition; `file` is its path, against which the paths inside are resolved.
///
/// # Errors
/// Returns a mistake of syntax or structure with its place, or says which version or language is not known.
pub fn parse_task(file: &Path, text: &str) -> Result<Task, SpecError> {
    let raw: RawTask = yaml_serde::from_str(text).map_err(|error| {
        let at = error.location().map_or(0, |place| place.index());
        // The place stands in front of the message already.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or(&message);
        SpecError::at(
            file,
            text,
            at.min(text.len()),
            format!("not a task definition: {message}"),
        )
    })?;
    let at_key = |key: &str| text.find(key).unwrap_or(0);
    let version = match raw.format_version {
        RawVersion::Text(text) => text,
        RawVersion::Number(number) => format!("{number:.1}"),
    };
    if !matches!(version.as_str(), "1.0" | "2.0" | "2.1") {
        let message = format!("unknown format_version `{version}`; supported are 1.0, 2.0 and 2.1");
        return Err(SpecError::at(file, text, at_key("format_version"), message));
    }
    if let Some(language) = raw.options.language.as_deref().filter(|l| *l != "C") {
        let message = format!("unknown language `{language}`; supported is C");
        return Err(SpecError::at(file, text, at_key("language"), message));
    }
    let folder = file.parent().unwrap_or(Path::new(""));
    let inputs = match raw.input_files {
        OneOrMany::One(path) => vec![folder.join(path)],
        OneOrMany::Many(paths) => paths.into_iter().map(|p| folder.join(p)).collect(),
    };
    if inputs.is_empty() {
        return Err(SpecError::at(
            file,
            text,
            at_key("input_files"),
            "the list of input files is empty",
        ));
    }
    let properties = raw
        .properties
        .into_iter()
        .map(|p| TaskProperty {
            file: folder.join(p.property_file),
            expected: p.expected_verdict,
        })
        .collect();
    Ok(Task {
        inputs,
        properties,
        data_model: raw.options.data_model,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(text: &str, expect: Expect) {
        let shown = match parse_task(Path::new("dir/t.yml"), text) {
            Ok(task) => {
                let list = |paths: Vec<String>| paths.join(", ");
                let inputs = list(task.inputs.iter().map(|p| p.display().to_string()).collect());
                let properties = list(
                    task.properties
                        .iter()
                        .map(|p| format!("{} {:?}", p.file.display(), p.expected))
                        .collect(),
                );
                format!("{inputs} | {properties} | {:?}\n", task.data_model)
            }
            Err(error) => format!("{error}\n"),
        };
        expect.assert_eq(&shown);
    }

    #[test]
    fn both_versions_are_read() {
        check(
            "format_version: '2.0'\ninput_files: 'a.c'\nproperties:\n  - property_file: ../p/u.prp\n    expected_verdict: false\noptions:\n  language: C\n  data_model: LP64\n",
            expect![[r#"
                dir/a.c | dir/../p/u.prp Some(false) | Some("LP64")
            "#]],
        );
        check(
            "format_version: 1.0\ninput_files:\n  - 'a.i'\n  - b.c\nproperties:\n  - property_file: u.prp\n",
            expect![[r#"
                dir/a.i, dir/b.c | dir/u.prp None | None
            "#]],
        );
    }

    #[test]
    fn mistakes_are_shown_at_their_place() {
        check(
            "format_version: '3.0'\ninput_files: a.c\n",
            expect![[r#"
                dir/t.yml:1:1: error: unknown format_version `3.0`; supported are 1.0, 2.0 and 2.1
                  format_version: '3.0'
                  ^
            "#]],
        );
        check(
            "format_version: '2.0'\ninput_files: a.c\nproperties:\n  - file: x\n",
            expect![[r#"
                dir/t.yml:4:5: error: not a task definition: properties[0]: missing field `property_file`
                    - file: x
                      ^
            "#]],
        );
        let tab = parse_task(Path::new("dir/t.yml"), "format_version: '2.0'\n\tinput_files: a.c\n");
        let error = tab.expect_err("a tab does not indent").to_string();
        assert!(error.starts_with("dir/t.yml:") && error.contains("error"), "{error}");
    }
}
