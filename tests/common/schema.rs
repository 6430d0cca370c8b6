//! A validator for the part of JSON Schema that our schemas use.
//!
//! A keyword that it does not know is a problem, so a schema cannot ask for something that nobody checks.

use serde_json::Value;

/// What is wrong with a value, each with its place; empty if it fits the schema.
pub fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, schema, value, "", &mut found);
    found
}

fn check(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let Some(schema) = schema.as_object() else {
        return found.push(format!("{at}: the schema is no object"));
    };
    for (keyword, wanted) in schema {
        let holds = match keyword.as_str() {
            "$schema" | "$id" | "$defs" | "title" | "description" | "required" => true,
            "$ref" => {
                let path = wanted.as_str().unwrap().strip_prefix('#').unwrap();
                check(root, root.pointer(path).expect("a definition"), value, at, found);
                true
            }
            "type" => has_type(value, wanted.as_str().unwrap()),
            "const" => value == wanted,
            "enum" => wanted.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= wanted.as_f64().unwrap()),
            "minItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 >= wanted.as_u64().unwrap()),
            "maxItems" => value
                .as_array()
                .is_none_or(|items| items.len() as u64 <= wanted.as_u64().unwrap()),
            "minLength" => value
                .as_str()
                .is_none_or(|text| text.len() as u64 >= wanted.as_u64().unwrap()),
            "items" => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(root, wanted, item, &format!("{at}/{number}"), found);
                }
                true
            }
            "properties" => true,
            "additionalProperties" => {
                members(root, schema, value, at, found);
                true
            }
            "anyOf" => {
                let mut least: Option<Vec<String>> = None;
                for one in wanted.as_array().unwrap() {
                    let mut problems = Vec::new();
                    check(root, one, value, at, &mut problems);
                    if least.as_ref().is_none_or(|other| problems.len() < other.len()) {
                        least = Some(problems);
                    }
                }
                found.extend(least.unwrap_or_default());
                true
            }
            other => panic!("{at}: the validator does not know `{other}`"),
        };
        if !holds {
            found.push(format!("{at}: {value} is not {keyword} {wanted}"));
        }
    }
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten() {
        if value.is_object() && value.get(name.as_str().unwrap()).is_none() {
            found.push(format!("{at}: {name} is missing"));
        }
    }
}

fn members(root: &Value, schema: &serde_json::Map<String, Value>, value: &Value, at: &str, found: &mut Vec<String>) {
    let known = schema.get("properties").and_then(Value::as_object);
    let others = &schema["additionalProperties"];
    for (name, member) in value.as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        match (known.and_then(|known| known.get(name)), others) {
            (Some(schema), _) => check(root, schema, member, &at, found),
            (None, Value::Bool(true)) => {}
            (None, Value::Bool(false)) => found.push(format!("{at}: it is not known")),
            (None, schema) => check(root, schema, member, &at, found),
        }
    }
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_u64() || value.is_i64(),
        _ => panic!("there is no type {name}"),
    }
}
