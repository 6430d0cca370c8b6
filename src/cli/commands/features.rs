//! `provident features`: the 25 features of a program by which a metric of distances is selected.

use crate::cfa::analysis::features::Features;
use crate::cli::display::finish::print;
use crate::cli::error::Error;
use crate::cli::settings::effect::refuse_without_effect;
use crate::cli::settings::options::{Command, Settings};
use crate::cli::settings::request::ProgramSource;
use crate::cli::settings::table::JSON;
use crate::verify::{ProgramFile, load};
use std::path::PathBuf;

/// The meaning of the command line: the program, and whether the features are wanted as JSON.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn read_settings(inputs: &[PathBuf], settings: &Settings) -> Result<(ProgramFile, bool), Error> {
    let source = ProgramSource::new(inputs, settings)?;
    Ok((source.request(settings, None)?, settings.value(&JSON)))
}

/// Prints the features. Returns the exit status.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn run(inputs: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    refuse_without_effect(Command::Features, settings)?;
    let (program, json) = read_settings(inputs, settings)?;
    let features = Features::of(&load(&program)?);
    let text = match json {
        false => features.to_string(),
        true => {
            let pairs = features.iter().map(|(name, value)| (name.to_string(), value.into()));
            let object: serde_json::Map<String, serde_json::Value> = pairs.collect();
            format!("{}\n", serde_json::Value::Object(object))
        }
    };
    Ok(if print(&text) { 0 } else { crate::cli::BAD_INPUT })
}
