//! What the standard SARIF 2.1.0 asks of a log, as far as Provident's logs have it.

use crate::schema;
use serde_json::Value;

/// What is wrong with a log.
pub fn problems(text: &str) -> Vec<String> {
    let schema: Value = serde_json::from_str(include_str!("sarif.json")).unwrap();
    let log: Value = serde_json::from_str(text).unwrap();
    let mut found = schema::problems(&schema, &log);
    for run in log["runs"].as_array().unwrap() {
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let mut ids: Vec<&str> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.len() != rules.len() {
            found.push("two rules have the same id".to_string());
        }
        let results = run["results"].as_array().unwrap();
        let mut prints: Vec<String> = Vec::new();
        for result in results {
            let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            if rules.get(index).is_none_or(|rule| rule["id"] != result["ruleId"]) {
                found.push(format!("{}: the index is that of another rule", result["ruleId"]));
            }
            // 3.27.10: only a failure has a level.
            if result["kind"] != "fail" && result["level"] != "none" {
                found.push(format!("{}: no failure, but a level", result["ruleId"]));
            }
            prints.push(result["partialFingerprints"].to_string());
        }
        prints.sort();
        let all = prints.len();
        prints.dedup();
        if prints.len() != all {
            found.push("two results have the same fingerprint".to_string());
        }
        let mut uris = Vec::new();
        collect(run, &mut uris);
        let is_fine = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/%".contains(&byte);
        found.extend(
            uris.iter()
                .filter(|uri| !uri.bytes().all(is_fine))
                .map(|uri| format!("{uri} is no URI")),
        );
    }
    found
}

/// The values of all members `uri`.
fn collect<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if let (true, Some(uri)) = (name == "uri", member.as_str()) {
                    into.push(uri);
                }
                collect(member, into);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        _ => {}
    }
}
