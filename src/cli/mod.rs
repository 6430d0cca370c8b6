//! The command line: options, commands, exit status.
//!
//! | module | does |
//! |---|---|
//! | `commands` | the commands, one per file |
//! | [`settings`] | the options, and their meaning |
//! | `error` | why a command cannot do what it is asked for |
//! | `display` | progress, and the one report at the end |
//! | `panics` | the report of a defect |
//!
//! Exit status: 0 TRUE, 1 FALSE, 2 UNKNOWN, 3 bad usage or input, 4 internal error.

mod commands;
mod display;
mod error;
mod panics;
pub mod settings;

use crate::report::schema::{Failure, failure};
use display::finish::{Finisher, Output, eprintln_quietly, print};
use error::Error;
use settings::args::{Invocation, Refusal};
use settings::request::VerifyRequest;
use std::time::Instant;

/// Exit status for wrong usage and bad input.
const BAD_INPUT: u8 = 3;
/// Exit status when there is no answer within the limits.
const UNKNOWN: u8 = 2;
/// Exit status for a defect of Provident itself.
const INTERNAL_ERROR: u8 = 4;
/// Stack for the work: formulas and programs may be nested deeply. Pages are only used when touched.
const STACK: usize = 1 << 30;
/// Stack for the work if that much address space is not available.
const SMALL_STACK: usize = 1 << 26;

/// Runs the command line and returns the exit status.
///
/// A panic anywhere ends in UNKNOWN with exit status 4, never in a wrong answer.
pub fn run<I: IntoIterator<Item = std::ffi::OsString>>(arguments: I) -> u8 {
    let start = Instant::now();
    let arguments: Vec<_> = arguments.into_iter().collect();
    let json = asks_for_json(&arguments);
    let fails = |kind: Failure, message: &str| {
        if json {
            print(&failure(kind, message, BAD_INPUT));
        }
        eprintln_quietly(message.trim_end());
        BAD_INPUT
    };
    let invocation = match settings::args::parse(arguments) {
        Ok(invocation) => invocation,
        Err(Refusal::Display(text)) => {
            print(&text);
            return 0;
        }
        Err(Refusal::Usage(text)) => return fails(Failure::Usage, &text),
    };
    panics::end_the_process(matches!(invocation, Invocation::Verify { .. }), json);
    match on_big_stack(move || execute(invocation, start)) {
        Ok(status) => status,
        Err(error) => {
            let kind = if error.is_usage() {
                Failure::Usage
            } else {
                Failure::Input
            };
            fails(kind, &message(&error))
        }
    }
}

/// Whether a command line that may be wrong asks for JSON.
fn asks_for_json(arguments: &[std::ffi::OsString]) -> bool {
    let mut options = arguments.iter().skip(1).take_while(|argument| *argument != "--");
    let is_verify = options.next().is_some_and(|command| command == "verify");
    is_verify && options.any(|option| option == "--json")
}

fn execute(invocation: Invocation, start: Instant) -> Result<u8, Error> {
    match invocation {
        Invocation::Verify { inputs, settings } => {
            let request = VerifyRequest::new(&inputs, &settings)?;
            if request.relaunch && request.task.program.units.iter().any(|unit| unit.text.is_some()) {
                return Err(Error::StandardInputTwice);
            }
            if request.relaunch && !commands::relaunch::is_child() {
                return commands::relaunch::supervise(&request).map_err(|error| Error::Command(error.to_string()));
            }
            let output = Output {
                json: request.json,
                statistics: request.statistics,
                quiet: request.quiet,
                diagnostics: request.diagnostics,
                out: request.options.out.clone(),
                paint: request.paint,
                sarif: request.sarif.clone(),
            };
            let finisher = Finisher::start(output, request.options.engine.limits);
            commands::verify::verify(&request, &finisher, start)
        }
        Invocation::InterpolationReport { files, settings } => commands::interpolation::report(&files, &settings),
        Invocation::Check {
            program,
            witness,
            settings,
        } => commands::check::run(&program, &witness, &settings),
        Invocation::Smt { file, settings } => commands::smt::run(file.as_deref(), &settings),
        Invocation::Cfa { inputs, settings } => commands::cfa::run(&inputs, &settings),
        Invocation::Features { inputs, settings } => commands::features::run(&inputs, &settings),
        Invocation::Discharge { folder, settings } => commands::discharge::discharge(&folder, &settings),
        Invocation::Campaign { inputs, settings } => commands::campaign::run(&inputs, &settings).map_err(experiment),
        Invocation::Study { name, inputs, settings } => {
            commands::study::run(&name, &inputs, &settings).map_err(experiment)
        }
        Invocation::Train { folders, settings } => commands::train::run(&folders, &settings).map_err(experiment),
        Invocation::Join { folders, settings } => commands::join::run(&folders, &settings).map_err(experiment),
        Invocation::Queries { folders, settings } => commands::queries::run(&folders, &settings).map_err(experiment),
        Invocation::Import { files, settings } => commands::exchange::import(&files, &settings).map_err(experiment),
        Invocation::Export { folders, settings } => commands::exchange::export(&folders, &settings).map_err(experiment),
        Invocation::Tool { folder } => commands::exchange::tool(&folder).map_err(experiment),
        Invocation::Completions { shell } => Ok(commands::exchange::completions(shell)),
        Invocation::Schema => Ok(commands::exchange::schema()),
        Invocation::Man { folder } => commands::exchange::man(&folder).map_err(experiment),
        Invocation::Slurm { name, inputs, settings } => {
            commands::slurm::run(&name, &inputs, &settings).map_err(experiment)
        }
    }
}

/// An error of the room of experiments, as one of the command line.
fn experiment(error: crate::campaign::error::Error) -> Error {
    Error::Command(error.to_string())
}

/// Messages that carry their place begin with it; the others get the usual word in front.
fn message(error: &Error) -> String {
    let text = error.to_string();
    match error.has_place() {
        true => text.trim_end().to_string(),
        false => format!("error: {}", text.trim_end()),
    }
}

/// Runs the work in a thread with a big stack; in this thread if there can be no other.
fn on_big_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    // The closure can be given away only once, so the stack is tried before.
    let fits = |size: usize| {
        let probe = std::thread::Builder::new().stack_size(size).spawn(|| ());
        probe.is_ok_and(|thread| thread.join().is_ok())
    };
    let size = if fits(STACK) { STACK } else { SMALL_STACK };
    let thread = std::thread::Builder::new().stack_size(size).spawn(work);
    let thread = thread.unwrap_or_else(|error| panic!("cannot start a thread: {error}"));
    thread.join().expect("a panic ends the process")
}
