//! Configuration files: options by their keys, in TOML.

use super::error::SettingError;
use super::options::{Command, Settings};
use std::path::Path;

/// Reads a configuration file: `key = value`, with tables for dotted keys.
pub(super) fn configuration(settings: &mut Settings, command: Command, file: &Path) -> Result<(), SettingError> {
    let text = std::fs::read_to_string(file).map_err(|error| SettingError::Unreadable(file.to_path_buf(), error))?;
    let table: toml::Table = text
        .parse()
        .map_err(|error| SettingError::Syntax(file.to_path_buf(), error))?;
    let mut pairs = Vec::new();
    flatten("", &table, &mut pairs).map_err(|error| error.in_file(file))?;
    for (key, values) in pairs {
        settings
            .set(command, &key, values)
            .map_err(|error| error.in_file(file))?;
    }
    Ok(())
}

fn flatten(prefix: &str, table: &toml::Table, into: &mut Vec<(String, Vec<String>)>) -> Result<(), SettingError> {
    for (name, value) in table {
        let key = if prefix.is_empty() {
            name.clone()
        } else {
            format!("{prefix}.{name}")
        };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, into)?,
            toml::Value::Array(values) => {
                let texts: Result<Vec<String>, SettingError> = values.iter().map(|value| scalar(&key, value)).collect();
                into.push((key, texts?));
            }
            value => {
                let text = scalar(&key, value)?;
                into.push((key, vec![text]));
            }
        }
    }
    Ok(())
}

fn scalar(key: &str, value: &toml::Value) -> Result<String, SettingError> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Float(number) => Ok(number.to_string()),
        toml::Value::Boolean(truth) => Ok(truth.to_string()),
        _ => Err(SettingError::Sort(key.to_string())),
    }
}
