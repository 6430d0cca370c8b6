//! `provident smt`: the solver alone, as an SMT-LIB program.
//!
//! SIGINT and SIGTERM end the check that runs: its answer is `unknown`, and the script goes on. A signal while the script waits for
//! its next command, or a second one before the first took effect, ends the process. Beyond a limit of time or memory all checks
//! end at once. Should the process use much more memory than allowed, because even a single command is too large, it gives up.

use crate::cli::display::finish::eprintln_quietly;
use crate::cli::error::Error;
use crate::cli::settings::options::Settings;
use crate::cli::settings::table::{CHECK, CHECK_LIMIT, CPU_LIMIT, MEMORY_LIMIT, STATISTICS, TICKS, WALL_LIMIT};
use crate::cli::{BAD_INPUT, UNKNOWN};
use crate::engine::budget::{cpu_seconds, resident_mb};
use provident_smt::smtlib::{self, Cause, ExitStatus, Interrupt, Options};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How often signals and limits are looked at.
const PERIOD: Duration = Duration::from_millis(20);

/// Where the process may go.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cli) struct Limits {
    cpu_s: Option<f64>,
    wall_s: Option<f64>,
    /// For each check.
    check_s: Option<f64>,
    memory_mb: Option<u64>,
}

impl Limits {
    /// The meaning of the settings that all commands with a solver have.
    pub fn new(settings: &Settings) -> Limits {
        Limits {
            cpu_s: settings.get(&CPU_LIMIT).map(|seconds| seconds.0),
            wall_s: settings.get(&WALL_LIMIT).map(|seconds| seconds.0),
            check_s: None,
            memory_mb: settings.get(&MEMORY_LIMIT).map(u64::from),
        }
    }
}

/// The meaning of the settings.
pub(in crate::cli) fn options(settings: &Settings) -> (Options, Limits) {
    let options = Options {
        ticks: settings.get(&TICKS).map(u64::from),
        interrupt: Some(Arc::default()),
        open: Some(open),
        interpolation: super::interpolation::config(settings),
        statistics: settings.value(&STATISTICS),
        check: settings.value(&CHECK),
        ..Options::default()
    };
    let limits = Limits {
        check_s: settings.get(&CHECK_LIMIT).map(|seconds| seconds.0),
        ..Limits::new(settings)
    };
    (options, limits)
}

/// Opens a channel of output.
fn open(name: &str) -> io::Result<Box<dyn Write>> {
    Ok(match name {
        "stdout" => Box::new(io::stdout()),
        "stderr" => Box::new(io::stderr()),
        _ => Box::new(OpenOptions::new().append(true).create(true).open(name)?),
    })
}

/// Answers the script on standard output. Without a file, or for the file `-`, the script is read from standard input. Returns the exit
/// status: 0, or 3 if some command got an error as its answer.
///
/// # Errors
/// The script cannot be read.
pub(in crate::cli) fn run(file: Option<&Path>, settings: &Settings) -> Result<u8, Error> {
    let (options, limits) = options(settings);
    let file = file.filter(|file| *file != Path::new("-"));
    watch(options.interrupt.clone().unwrap_or_default(), limits, file.is_none());
    let mut out = io::BufWriter::new(io::stdout().lock());
    let result = match file {
        None => smtlib::run_stream(io::stdin().lock(), &mut out, &options),
        Some(path) => {
            let unreadable = |error: io::Error| Error::Unreadable(path.to_path_buf(), error);
            let opened = File::open(path).map_err(unreadable)?;
            if opened.metadata().map_err(unreadable)?.is_dir() {
                return Err(Error::Folder(path.to_path_buf()));
            }
            smtlib::run_stream(BufReader::with_capacity(1 << 16, opened), &mut out, &options)
        }
    };
    Ok(match result {
        Ok(ExitStatus::Errors) => BAD_INPUT,
        // A reader that went away has what it wanted.
        Ok(ExitStatus::Success) | Err(_) => 0,
    })
}

/// Starts the thread that looks at signals and limits.
pub(in crate::cli) fn watch(interrupt: Arc<Interrupt>, limits: Limits, interactive: bool) {
    let received = Arc::new(AtomicUsize::new(0));
    for signal in [SIGINT, SIGTERM] {
        // If a handler cannot be set, the signal kills the process, as it does any other.
        let _ = signal_hook::flag::register_usize(signal, Arc::clone(&received), signal as usize);
    }
    let start = Instant::now();
    std::thread::spawn(move || {
        // The check that runs, since when, and whether it has been ended.
        let mut check = (None, start, false);
        loop {
            std::thread::sleep(PERIOD);
            let signal = received.swap(0, Ordering::AcqRel);
            if signal != 0 {
                if interactive && interrupt.waiting() || interrupt.is_requested() {
                    std::process::exit(128 + i32::try_from(signal).unwrap_or(SIGTERM));
                }
                interrupt.raise(Cause::Request);
            }
            let running = interrupt.check();
            if running != check.0 {
                check = (running, Instant::now(), false);
            }
            let is_over = limits
                .check_s
                .is_some_and(|limit| check.1.elapsed().as_secs_f64() > limit);
            if is_over && running.is_some() && !check.2 {
                check.2 = true;
                interrupt.raise(Cause::Request);
            }
            let cpu = limits.cpu_s.is_some_and(|limit| cpu_seconds() > limit);
            let wall = limits.wall_s.is_some_and(|limit| start.elapsed().as_secs_f64() > limit);
            if cpu || wall {
                interrupt.raise(Cause::Time);
            }
            if let Some(limit) = limits.memory_mb {
                let used = resident_mb();
                if used > limit {
                    interrupt.raise(Cause::Memory);
                }
                if used > limit + limit / 4 + 64 {
                    eprintln_quietly("error: the memory limit was reached in the middle of a command");
                    std::process::exit(i32::from(UNKNOWN));
                }
            }
        }
    });
}
