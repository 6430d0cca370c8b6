//! Conditional relaunch: `--relaunch`, the outer loop of CMAV (Mordan and Mutilin, *Checking several requirements at once by CEGAR*, section 4.2).
//!
//! The verification runs in a child, which keeps the [results file](crate::verify::results) up to date. When the child is gone and some property has no verdict yet, the file says which one was being
//! checked. That one is to blame if the child reached a limit or crashed: it becomes UNKNOWN, and the next child checks the others. If nothing was being checked, the others are tried again only if
//! the last child has brought a verdict. So every launch leaves less to do, and there are at most as many as properties.
//!
//! If a child was killed from outside, no property is blamed, unless the child had used most of the memory: the system kills such processes. After a few
//! such ends in a row without a new verdict, the property that was checked is given up.

use crate::cli::display::finish::{eprintln_quietly, print};
use crate::cli::settings::request::VerifyRequest;
use crate::cli::{INTERNAL_ERROR, UNKNOWN};
use crate::engine::{Reason, ReasonCode};
use crate::verify;
use crate::verify::results::{Ended, Results};
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Set for children.
const CHILD: &str = "PROVIDENT_LAUNCHED";
/// Kills without explanation, in a row and without a new verdict, before the property that was checked is given up.
const MAX_KILLS: u32 = 3;
/// How often a child is looked at.
const PERIOD: Duration = Duration::from_millis(5);

/// Whether this process is a child of a supervisor.
pub(in crate::cli) fn is_child() -> bool {
    std::env::var_os(CHILD).is_some()
}

/// Runs children until every property has a verdict, and passes on what the last one says. Returns the exit status.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn supervise(request: &VerifyRequest) -> Result<u8, Error> {
    let file = request.options.results.as_deref().ok_or(Error::NoResults)?;
    let stop = Arc::new(AtomicBool::new(false));
    for signal in crate::cli::display::finish::signals() {
        // If a handler cannot be set, the signal ends this process, and the child with it.
        let _ = signal_hook::flag::register(signal, Arc::clone(&stop));
    }
    let mut kills = 0;
    loop {
        let before = decided(file)?;
        let (status, output) = launch(&stop)?;
        let bad_input = status.code() == Some(crate::cli::BAD_INPUT.into());
        let Some(mut results) = Results::read(file)?.filter(|_| !bad_input) else {
            print(&output);
            return Ok(code(status));
        };
        let open = results.open();
        if open.is_empty() && results.ended.is_some() || stop.load(Ordering::Relaxed) {
            print(&output);
            return Ok(code(status));
        }
        let progress = results.decided() > before;
        kills = if progress { 0 } else { kills };
        if let Some(reason) = cause(status, &results, request.options.engine.limits.memory_mb, &mut kills) {
            let blamed = results.latest.clone();
            let position = blamed.and_then(|name| results.properties.iter().position(|entry| entry.name == name));
            match position.filter(|&at| results.properties[at].is_open()) {
                Some(position) => results.give_up(position, &reason),
                None if progress => {}
                None => open.into_iter().for_each(|position| results.give_up(position, &reason)),
            }
            results.write(file)?;
        }
        eprintln_quietly(&format!(
            "launch {} ended ({status}); {} properties have no verdict yet",
            results.launches,
            results.open().len()
        ));
    }
}

/// How many properties have a verdict, according to the file.
fn decided(file: &Path) -> Result<usize, Error> {
    Ok(Results::read(file)?.map_or(0, |results| results.decided()))
}

/// Why a child ended without all verdicts; `None` if no property is to blame. `kills` counts the ends without explanation.
fn cause(status: ExitStatus, results: &Results, memory_mb: Option<u64>, kills: &mut u32) -> Option<Reason> {
    match &results.ended {
        Some(Ended::Limit(reason)) => return Some(reason.clone()),
        Some(Ended::Finished) => return Some(ReasonCode::ProcessDied.because("the process ended without an answer")),
        None => {}
    }
    const KILL: i32 = 9;
    if status.signal() != Some(KILL) {
        let text = format!("the process ended without an answer ({status})");
        return Some(ReasonCode::ProcessDied.because(text));
    }
    let memory = memory_mb.into_iter().chain(system_memory_mb()).min();
    if memory.is_some_and(|memory| results.memory_mb >= memory / 10 * 8) {
        return Some(ReasonCode::MemoryLimit.because("the process was killed for its memory"));
    }
    *kills += 1;
    (*kills >= MAX_KILLS).then(|| {
        *kills = 0;
        ReasonCode::ProcessDied.because(format!("the process was killed {MAX_KILLS} times"))
    })
}

/// The memory of the machine.
fn system_memory_mb() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes / 1024)
}

/// The reason why a process cannot be supervised.
#[derive(Debug)]
pub(in crate::cli) enum Error {
    /// There is no file for the results.
    NoResults,
    /// The results file cannot be read or written.
    Results(verify::Error),
    /// The program does not find itself.
    Program(std::io::Error),
    /// A process cannot be started.
    Start(std::io::Error),
    /// A process cannot be waited for.
    Wait(std::io::Error),
}

impl From<verify::Error> for Error {
    fn from(error: verify::Error) -> Self {
        Error::Results(error)
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::NoResults => f.write_str("`--relaunch` needs `--results FILE`"),
            Error::Results(error) => error.fmt(f),
            Error::Program(error) => write!(f, "cannot find the program itself: {error}"),
            Error::Start(error) => write!(f, "cannot start a process: {error}"),
            Error::Wait(error) => write!(f, "cannot wait for a process: {error}"),
        }
    }
}

/// Runs one child with the arguments of this process. Returns how it ended and what it printed.
fn launch(stop: &AtomicBool) -> Result<(ExitStatus, String), Error> {
    let program = std::env::current_exe().map_err(Error::Program)?;
    let mut command = Command::new(program);
    command
        .args(std::env::args_os().skip(1))
        .env(CHILD, "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    // SAFETY: the call is safe between fork and exec, and changes nothing but what happens to the child when this process dies.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
            Ok(())
        });
    }
    let mut child = command.spawn().map_err(Error::Start)?;
    let mut pipe = child.stdout.take();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // Keep the part that could be read.
        let _ = pipe.as_mut().map(|pipe| pipe.read_to_end(&mut bytes));
        bytes
    });
    let status = wait(&mut child, stop)?;
    let output = reader.join().unwrap_or_default();
    Ok((status, String::from_utf8_lossy(&output).into_owned()))
}

/// Waits for a child; when we are asked to stop, so is the child.
fn wait(child: &mut Child, stop: &AtomicBool) -> Result<ExitStatus, Error> {
    let mut told = false;
    loop {
        if let Some(status) = child.try_wait().map_err(Error::Wait)? {
            return Ok(status);
        }
        if !told && stop.load(Ordering::Relaxed) {
            told = true;
            let id = i32::try_from(child.id()).expect("the kernel's numbers of processes are signed");
            // SAFETY: the call only sends a signal, to a child that was not waited for yet.
            unsafe {
                libc::kill(id, libc::SIGTERM);
            }
        }
        std::thread::sleep(PERIOD);
    }
}

/// The exit status to pass on.
fn code(status: ExitStatus) -> u8 {
    match status.code() {
        Some(code) => u8::try_from(code).unwrap_or(INTERNAL_ERROR),
        None => UNKNOWN,
    }
}
