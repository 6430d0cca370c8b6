//! `provident study train`: a model for `explore.metric=learned`, learned from the journals of studies.

use crate::campaign::error::Error;
use crate::campaign::study::train::{Request, train};
use crate::cli::display::finish::print;
use crate::cli::settings::options::Settings;
use crate::cli::settings::table;
use std::path::PathBuf;

/// The meaning of the settings: what is learned from, and the file of the model.
pub(in crate::cli) fn plan(folders: &[PathBuf], settings: &Settings) -> (Request, Option<PathBuf>) {
    let request = Request {
        folders: folders.to_vec(),
        configurations: settings
            .get(&table::CONFIGURATIONS)
            .map(|names| names.0)
            .unwrap_or_default(),
        filter: settings.get(&table::FILTER),
    };
    (request, settings.get(&table::OUT))
}

/// Learns a model, says how good it is, and writes it. Returns the exit status.
///
/// # Errors
/// Bad input, or a file that cannot be read or written.
pub(in crate::cli) fn run(folders: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let (request, out) = plan(folders, settings);
    let trained = train(&request)?;
    if let Some(file) = &out {
        std::fs::write(file, trained.model.text()).map_err(|error| Error::unwritable(file, error))?;
    }
    print(&(trained.lines.join("\n") + "\n"));
    Ok(0)
}
