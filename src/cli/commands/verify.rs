//! `provident verify`: a verification with its display, its log of refinements and its one report.

use crate::cli::BAD_INPUT;
use crate::cli::display::finish::{Finisher, eprintln_quietly};
use crate::cli::display::progress::Display;
use crate::cli::error::Error;
use crate::cli::settings::request::VerifyRequest;
use crate::report::refinement_log::RefinementLog;
use crate::verify;
use std::time::Instant;

/// Verifies what is requested and hands the report over. Returns the exit status.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn verify(request: &VerifyRequest, finisher: &Finisher, start: Instant) -> Result<u8, Error> {
    let log = request.options.out.as_deref().map(RefinementLog::create).transpose();
    let log = log.unwrap_or_else(|error| {
        // The verdict does not depend on the disk.
        eprintln_quietly(&format!("warning: there is no refinement log: {error}"));
        None
    });
    let mut options = request.options.clone();
    options.engine.cancel = Some(finisher.cancel());
    let mut display = Display::new(request, finisher, log, start);
    let outcome = verify::verify(&request.task, &options, &mut display)?;
    let status = finisher.finish(outcome.report, start);
    match outcome.unwritten {
        None => Ok(status),
        Some(error) => {
            eprintln_quietly(&format!("error: {error}"));
            Ok(BAD_INPUT)
        }
    }
}
