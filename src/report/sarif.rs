//! The report in SARIF 2.1.0 (OASIS, *Static Analysis Results Interchange Format*), for code scanning.
//!
//! One rule for each property, or for each sort of checks; one result for each property with its answer: `fail` with the error path as a code flow, `pass`, or `open` for UNKNOWN. A
//! fingerprint tells a result from the others when lines move: it is a hash of the rule, the file, the function and the text of the line, not of its number.

use super::{Answer, LineReport, PropertyReport, Report};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// The report as a SARIF log, with a line end.
pub fn sarif(report: &Report) -> String {
    let mut ids: Vec<&str> = Vec::new();
    let mut rules: Vec<Value> = Vec::new();
    let mut results: Vec<Value> = Vec::new();
    let mut fingerprints = Fingerprints::default();
    for property in &report.properties {
        let id = rule_id(property);
        // Checks of a sort follow each other.
        if ids.last() != Some(&id) || property.check.is_none() {
            ids.push(id);
            rules.push(rule(property));
        }
        let mut result = result(report, rules.len() - 1, property);
        result["partialFingerprints"] = json!({FINGERPRINT: fingerprints.of(property)});
        results.push(result);
    }
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "Provident",
                "version": super::version::NUMBERS.split_whitespace().next().unwrap_or_default(),
                "fullName": report.provident,
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": rules,
            }},
            "invocations": [invocation(report)],
            "artifacts": report.inputs.iter().map(|input| json!({"location": {"uri": uri(input)}})).collect::<Vec<_>>(),
            "results": results,
            "columnKind": "unicodeCodePoints",
        }],
    });
    let mut text = serde_json::to_string_pretty(&log).expect("the log has only string keys and finite numbers");
    text.push('\n');
    text
}

/// The name of our fingerprints; the number changes with what they are made of.
const FINGERPRINT: &str = "providentPlace/v1";

/// How the run went: it has an answer for each property, even if that is UNKNOWN.
fn invocation(report: &Report) -> Value {
    json!({
        "executionSuccessful": true,
        "exitCode": report.verdict.exit_code(),
        "exitCodeDescription": super::text::verdict(report.verdict, report.reason.as_ref()),
        "arguments": report.options,
    })
}

/// Fingerprints of results; equal places are numbered.
#[derive(Default)]
struct Fingerprints(HashMap<u64, usize>);

impl Fingerprints {
    fn of(&mut self, property: &PropertyReport) -> String {
        let last = property.trace.as_ref().and_then(|trace| trace.lines.last());
        let mut parts = vec![rule_id(property).to_string()];
        match (last, &property.check) {
            (Some(line), _) => {
                let words: Vec<&str> = line.text.split_whitespace().collect();
                parts.extend([line.file.clone(), line.function.clone(), words.join(" ")]);
            }
            (None, Some(check)) => parts.push(format!("{}:{}:{}", check.file, check.line, check.column)),
            (None, None) => {}
        }
        // FNV-1a: stable over versions of compilers and libraries.
        let bytes = parts.iter().flat_map(|part| part.bytes().chain([0]));
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let number = match self.0.entry(hash) {
            Entry::Occupied(mut seen) => {
                *seen.get_mut() += 1;
                *seen.get()
            }
            Entry::Vacant(first) => *first.insert(1),
        };
        format!("{hash:016x}:{number}")
    }
}

fn rule_id(property: &PropertyReport) -> &str {
    property.check.as_ref().map_or(&property.name, |check| &check.sort)
}

fn rule(property: &PropertyReport) -> Value {
    let text = match &property.check {
        Some(check) => &check.violation,
        None if property.formula.is_empty() => &property.name,
        None => &property.formula,
    };
    json!({
        "id": rule_id(property),
        "shortDescription": {"text": text},
        "defaultConfiguration": {"level": "error"},
    })
}

fn result(report: &Report, rule: usize, property: &PropertyReport) -> Value {
    let (kind, level, text) = match property.verdict {
        Answer::True => ("pass", "none", format!("The property {} holds.", property.name)),
        Answer::False => ("fail", "error", format!("The property {} is violated.", property.name)),
        Answer::Unknown => {
            let reason = property
                .reason
                .as_ref()
                .map_or("no reason was given", |reason| &reason.text);
            ("open", "none", format!("Not decided: {reason}"))
        }
    };
    let lines = property.trace.as_ref().map_or(&[][..], |trace| &trace.lines);
    let start = report
        .inputs
        .first()
        .map(|input| json!({"physicalLocation": {"artifactLocation": {"uri": uri(input)}}}));
    let checked = property.check.as_ref().map(|check| {
        let region = json!({"startLine": check.line.max(1), "startColumn": check.column.max(1)});
        json!({"physicalLocation": {"artifactLocation": {"uri": uri(&check.file)}, "region": region}})
    });
    let place = lines.last().map(location).or(checked).or(start);
    let mut result = json!({
        "ruleId": rule_id(property),
        "ruleIndex": rule,
        "kind": kind,
        "level": level,
        "message": {"text": text},
        "locations": place.into_iter().collect::<Vec<_>>(),
    });
    if !lines.is_empty() {
        let steps = lines
            .iter()
            .map(|line| json!({"location": location(line), "nestingLevel": line.depth}));
        result["codeFlows"] = json!([{"threadFlows": [{"locations": steps.collect::<Vec<_>>()}]}]);
    }
    result
}

fn location(line: &LineReport) -> Value {
    let mut place = json!({
        "physicalLocation": {
            "artifactLocation": {"uri": uri(&line.file)},
            "region": {"startLine": line.line.max(1), "startColumn": line.column.max(1)},
        },
        "logicalLocations": [{"name": line.function, "kind": "function"}],
    });
    if !line.notes.is_empty() {
        place["message"] = json!({"text": line.notes.join(", ")});
    }
    place
}

/// A path as a URI reference: every byte that is neither unreserved nor `/` is written in percent form.
fn uri(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    let text: String = path
        .bytes()
        .map(|b| {
            if plain(b) {
                char::from(b).to_string()
            } else {
                format!("%{b:02X}")
            }
        })
        .collect();
    if path.starts_with('/') {
        format!("file://{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::blank;
    use super::*;

    #[test]
    fn every_property_is_a_rule_with_one_result() {
        let log: Value = serde_json::from_str(&sarif(&blank())).expect("it is JSON");
        let run = &log["runs"][0];
        assert_eq!(log["version"], "2.1.0");
        assert_eq!(
            run["results"].as_array().map(Vec::len),
            run["tool"]["driver"]["rules"].as_array().map(Vec::len)
        );
        assert_eq!(run["results"][0]["kind"], "open");
        assert_eq!(uri("/a b/c.i"), "file:///a%20b/c.i");
        assert_eq!(uri("x/y.c"), "x/y.c");
    }
}
