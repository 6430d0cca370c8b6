//! `provident queries DIR... --out DIR`: the interpolation queries of runs as a data set.

use super::interpolation::{COLUMNS, columns};
use super::smt::{Limits, watch};
use crate::campaign::error::Error;
use crate::campaign::queries::{Found, Request, collect};
use crate::cli::display::finish::{eprintln_quietly, print};
use crate::cli::settings::options::Settings;
use crate::cli::settings::table::{CHECK, DIFFERING, OUT, TICKS};
use crate::cli::{BAD_INPUT, UNKNOWN};
use provident_smt::smtlib::{Interrupt, Options};
use std::path::PathBuf;
use std::sync::Arc;

/// The meaning of the settings: the folder of the data set, whether queries without a difference are left out, how queries are asked again, and the limits of the process.
pub(in crate::cli) fn plan(settings: &Settings) -> (Option<PathBuf>, bool, Options, Limits) {
    let options = Options {
        ticks: settings.get(&TICKS).map(u64::from),
        interrupt: Some(Arc::new(Interrupt::default())),
        check: settings.value(&CHECK),
        ..Options::default()
    };
    let limits = Limits::new(settings);
    (settings.get(&OUT), settings.value(&DIFFERING), options, limits)
}

/// Collects. Returns the exit status: 0, 2 if a limit ended the work, 3 if a query was refused.
///
/// # Errors
/// A folder cannot be read, or the data set cannot be written.
pub(in crate::cli) fn run(folders: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let (out, differing, options, limits) = plan(settings);
    let Some(out) = out else {
        return Err(Error::Request(
            "the data set needs a folder; give `--out DIR`".to_string(),
        ));
    };
    let interrupt = options.interrupt.clone().unwrap_or_default();
    watch(Arc::clone(&interrupt), limits, false);
    let request = Request {
        folders: folders.to_vec(),
        out,
        differing,
        options,
    };
    let found = collect(&request, COLUMNS, &columns, &|| interrupt.is_raised())?;
    for (file, reason) in &found.refused {
        eprintln_quietly(&format!("warning: {}: {reason}", file.display()));
    }
    print(&said(&found, request.options.check));
    Ok(match (found.is_cut_short, found.refused.is_empty()) {
        (true, _) => UNKNOWN,
        (false, true) => 0,
        (false, false) => BAD_INPUT,
    })
}

fn said(found: &Found, check: bool) -> String {
    let mut text = format!(
        "{} scripts, {} of them without interpolants; {} different queries, {} kept, {} refused\nvariants differ on {} of them\n{} different interpolants",
        found.scripts,
        found.without,
        found.distinct,
        found.kept,
        found.refused.len(),
        found.differing,
        found.interpolants.0
    );
    if check {
        text += &format!(", {} with a certificate", found.interpolants.1);
    }
    if found.is_cut_short {
        text += "\na limit was reached: the data set has what was there by then";
    }
    text + "\n"
}
