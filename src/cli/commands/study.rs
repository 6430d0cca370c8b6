//! `provident study`: configurations compared over a run set. Which configurations a preset or a file says.

use super::experiment;
use super::experiment::Request;
use crate::campaign::definition::Definition;
use crate::campaign::error::Error;
use crate::campaign::output;
use crate::cli::UNKNOWN;
use crate::cli::display::finish::print;
use crate::cli::settings::options::Settings;
use std::path::PathBuf;

/// The meaning of the settings of a study.
///
/// # Errors
/// There is no such study, it is malformed, or it has no configuration that was asked for.
pub(in crate::cli) fn plan(name: &str, settings: &Settings) -> Result<(Definition, Request), Error> {
    let mut definition = Definition::load(name)?;
    experiment::overrule_study(&mut definition, settings)?;
    Ok((definition, experiment::request(settings)))
}

/// Runs a study, or goes on with it. Returns the exit status: 0, or 2 if it was interrupted.
///
/// # Errors
/// Bad input, or a file that cannot be read or written.
pub(in crate::cli) fn run(name: &str, inputs: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let (definition, request) = plan(name, settings)?;
    let folder = request.out.clone();
    let folder =
        folder.ok_or_else(|| Error::Request("a study needs a folder for its results; give `--out DIR`".to_string()))?;
    let set = experiment::run_set(&definition, inputs, &request)?;
    let (folder, done) = experiment::run(definition, &set, &request, &folder)?;
    let said = output::write(&folder)?;
    print(&(said.lines.join("\n") + "\n"));
    Ok(if done.left > 0 { UNKNOWN } else { 0 })
}
