//! The schema of JSON reports, and the report of a run that has none.
//!
//! `schema.json` is written by hand. The names that other tables hold (counters, reasons, sorts of checks, options) are put in when it is printed, so the schema cannot miss
//! one. A test validates the reports of all programs that are shipped.

use super::version;
use crate::cfa::program::check::CheckKind;
use crate::engine::{Counter, ReasonCode};
use serde_json::{Map, Value, json};

/// The number of the format of JSON reports. It changes when a field goes away or gets another meaning.
pub const VERSION: u32 = 1;

const SCHEMA: &str = include_str!("schema.json");

/// The schema (JSON Schema 2020-12), with a line end. `options` are the keys of the options of `verify`.
///
/// # Panics
/// If the file of the schema is no JSON, which a test rules out.
pub fn schema(options: &[&str]) -> String {
    let mut schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let definitions = &mut schema["$defs"];
    definitions["reason_code"]["enum"] = ReasonCode::ALL.iter().map(|code| code.name()).collect();
    definitions["check"]["properties"]["sort"]["enum"] = CheckKind::ALL.iter().map(|kind| kind.word()).collect();
    let counters: Map<String, Value> = Counter::ALL
        .iter()
        .map(|counter| {
            let about = json!({"type": "integer", "minimum": 0, "description": counter.about()});
            (counter.name().to_string(), about)
        })
        .collect();
    definitions["statistics"]["properties"] = Value::Object(counters);
    let options: Map<String, Value> = options
        .iter()
        .map(|key| ((*key).to_string(), json!({"$ref": "#/$defs/option"})))
        .collect();
    definitions["report"]["properties"]["configuration"]["properties"] = Value::Object(options);
    let mut text = serde_json::to_string_pretty(&schema).expect("a schema has only string keys");
    text.push('\n');
    text
}

/// Why a run has no report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The command line is wrong.
    Usage,
    /// The program, a property or another file is wrong.
    Input,
    /// A limit was reached, or a signal came, before anything was known.
    Stopped,
    /// A defect of Provident.
    Internal,
}

/// The JSON of a run without report, with a line end.
///
/// # Panics
/// Never: the text has only string keys.
pub fn failure(kind: Failure, message: &str, exit_status: u8) -> String {
    let kind = match kind {
        Failure::Usage => "usage",
        Failure::Input => "input",
        Failure::Stopped => "stopped",
        Failure::Internal => "internal",
    };
    let message = message.trim_end();
    let message = message.strip_prefix("error: ").unwrap_or(message);
    let value = json!({
        "schema_version": VERSION,
        "provident": version::line(),
        "verdict": "UNKNOWN",
        "error": {"kind": kind, "message": message, "exit_status": exit_status},
    });
    let mut text = serde_json::to_string_pretty(&value).expect("the object has only string keys");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_has_the_names_of_the_tables() {
        let schema: Value = serde_json::from_str(&schema(&["entry"])).unwrap();
        let definitions = &schema["$defs"];
        let codes = definitions["reason_code"]["enum"].as_array().unwrap();
        assert!(codes.contains(&json!("cpu-limit")));
        let sorts = definitions["check"]["properties"]["sort"]["enum"].as_array().unwrap();
        assert!(sorts.contains(&json!("overflow")));
        assert!(definitions["statistics"]["properties"]["solver ticks"].is_object());
        assert!(definitions["report"]["properties"]["configuration"]["properties"]["entry"].is_object());
        assert_eq!(definitions["report"]["properties"]["schema_version"]["const"], VERSION);
    }
}
