//! `provident smt`: the solver on its own.

use super::BAD_INPUT;
use super::options::Settings;
use super::request::read;
use provident_smt::smtlib::{self, ExitStatus, Options};
use std::io::Write;
use std::path::Path;

/// What the settings mean.
pub(super) fn options(settings: &Settings) -> Options {
    Options {
        ticks: settings.number("ticks"),
        interpolation: super::interpolation::config(settings),
        ..Options::default()
    }
}

/// Answers the script on standard output. Returns the exit status: 0, or 3 if some command got an error as its answer.
///
/// # Errors
/// The script cannot be read.
pub(super) fn run(file: &Path, settings: &Settings) -> Result<u8, String> {
    let script = read(file)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let result = smtlib::run(&script, &mut out, &options(settings)).and_then(|status| out.flush().map(|()| status));
    Ok(match result {
        Ok(ExitStatus::Errors) => BAD_INPUT,
        // A reader that went away has what it wanted.
        Ok(ExitStatus::Success) | Err(_) => 0,
    })
}
