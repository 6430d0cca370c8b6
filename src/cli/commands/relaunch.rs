//! Conditional relaunch: `--relaunch`, the outer loop of CMAV (Mordan and Mutilin, *Checking several requirements at once by CEGAR*, section 4.2).
//!
//! The verification runs in a child, which keeps the [results file](crate::verify::results) up to date. When the child is gone and some property has no verdict yet, the file says which one was being
//! checked. That one is to blame if the child reached a limit or crashed: it becomes UNKNOWN, and the next child checks the others. If nothing was being checked and the child has brought no verdict,
//! nobody knows which property is to blame: from then on each child checks one property alone, so that a property that takes too much takes nothing with it. The paper does not say what happens
//! then; giving up all properties would lose many answers. A child that ends before the program is read has a problem that all properties share: they become UNKNOWN. So every launch but one leaves
//! less to do, and there is at most one more than there are properties.
//!
//! If a child was killed from outside, no property is blamed, unless the child had used most of the memory: the system kills such processes. After a few
//! such ends in a row without a new verdict, the property that was checked is given up. A child that does not even end at its limits is killed.
//!
//! Every child that is followed by another one is booked in the results file with its end, its property, and the time and memory that the kernel tells to who waits (`wait4`); the report
//! of the last child lists them.

use crate::campaign::process::{Patience, Status, Watch, reap, usage_of};
use crate::cli::display::finish::{eprintln_quietly, print};
use crate::cli::settings::request::VerifyRequest;
use crate::cli::{INTERNAL_ERROR, UNKNOWN};
use crate::engine::{Limits, Reason, ReasonCode};
use crate::report::LaunchReport;
use crate::verify;
use crate::verify::results::{Ended, Results, Word};
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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
    let limits = &request.options.engine.limits;
    let mut kills = 0;
    loop {
        let before = Results::read(file)?;
        let (launch, output) = launch(limits, &stop)?;
        let status = launch.status;
        let bad_input = status == Status::Exit(crate::cli::BAD_INPUT.into());
        let Some(mut results) = Results::read(file)?.filter(|_| !bad_input) else {
            print(&output);
            return Ok(code(status));
        };
        let open = results.open();
        if open.is_empty() && results.ended.is_some() || stop.load(Ordering::Relaxed) {
            print(&output);
            return Ok(code(status));
        }
        let progress = results.decided() > before.as_ref().map_or(0, Results::decided);
        kills = if progress { 0 } else { kills };
        let mut booked = launch.booked();
        let done = results.alone && progress && results.ended == Some(Ended::Finished);
        if !done && let Some(reason) = cause(&launch, &results, limits, &mut kills) {
            if results.alone && results.latest.is_none() {
                let asked = before.as_ref().and_then(|before| before.open().first().copied());
                results.latest = asked.map(|asked| results.properties[asked].name.clone());
            }
            blame(&mut results, progress, &reason);
            booked.blamed = given_up(&results, before.as_ref(), &reason);
            booked.reason = Some(reason);
        }
        results.cut.push(booked);
        results.write(file)?;
        eprintln_quietly(&format!(
            "launch {} ended ({status}); {} properties have no verdict yet",
            results.launches,
            results.open().len()
        ));
    }
}

/// Gives up the property that a child has died of, or lets each be checked alone if nobody knows which it was.
fn blame(results: &mut Results, progress: bool, reason: &Reason) {
    let open = results.open();
    let latest = results.latest.clone();
    let position = latest.and_then(|name| results.properties.iter().position(|entry| entry.name == name));
    match position.filter(|&at| results.properties[at].is_open()) {
        Some(position) => results.give_up(position, reason),
        None if progress => {}
        None if results.begun && open.len() > 1 => results.alone = true,
        None => open.into_iter().for_each(|position| results.give_up(position, reason)),
    }
}

/// The property that became UNKNOWN for such a reason since then: the one that was being checked, or the only one. The child may have given it up itself.
fn given_up(results: &Results, before: Option<&Results>, reason: &Reason) -> Option<String> {
    let was_open = |at: usize| before.is_none_or(|before| before.properties[at].is_open());
    let entries = results.properties.iter().enumerate();
    let names: Vec<&String> = entries
        .filter(|(at, entry)| entry.verdict == Word::Unknown && was_open(*at))
        .filter(|(_, entry)| entry.reason.as_ref().is_some_and(|known| known.code == reason.code))
        .map(|(_, entry)| &entry.name)
        .collect();
    let latest = results.latest.as_ref().filter(|latest| names.contains(latest));
    let only = names.first().copied().filter(|_| names.len() == 1);
    latest.or(only).cloned()
}

/// Why a child ended without all verdicts; `None` if no property is to blame. `kills` counts the ends without explanation.
fn cause(launch: &Launch, results: &Results, limits: &Limits, kills: &mut u32) -> Option<Reason> {
    match &results.ended {
        Some(Ended::Limit(reason)) => return Some(reason.clone()),
        Some(Ended::Finished) => return Some(ReasonCode::ProcessDied.because("the process ended without an answer")),
        None => {}
    }
    if launch.hung {
        return Some(ReasonCode::ProcessDied.because("the process did not end at its limits"));
    }
    // Where it does not look at its limits itself, a child ends with them, and writes no results.
    if limits.cpu.is_some_and(|limit| launch.cpu_s >= limit) {
        return Some(ReasonCode::CpuLimit.because("CPU time limit reached"));
    }
    let memory_mb = launch.memory_mb.max(results.memory_mb);
    if limits.memory_mb.is_some_and(|limit| memory_mb >= limit) {
        return Some(ReasonCode::MemoryLimit.because("memory limit reached"));
    }
    const KILL: i32 = 9;
    if launch.status != Status::Signal(KILL) {
        let text = format!("the process ended without an answer ({})", launch.status);
        return Some(ReasonCode::ProcessDied.because(text));
    }
    let memory = limits.memory_mb.into_iter().chain(system_memory_mb()).min();
    if memory.is_some_and(|memory| memory_mb >= memory / 10 * 8) {
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
        }
    }
}

/// A child that is no more.
struct Launch {
    status: Status,
    /// Whether it had to be killed long after its limits.
    hung: bool,
    cpu_s: f64,
    wall_s: f64,
    memory_mb: u64,
}

impl Launch {
    /// The child in the results file, without the reason.
    fn booked(&self) -> LaunchReport {
        LaunchReport {
            ended: self.status.to_string(),
            reason: None,
            blamed: None,
            cpu_s: self.cpu_s,
            wall_s: self.wall_s,
            memory_mb: self.memory_mb,
        }
    }
}

/// Runs one child with the arguments of this process. Returns how it ended and what it printed.
fn launch(limits: &Limits, stop: &AtomicBool) -> Result<(Launch, String), Error> {
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
    let launch = wait(&child, limits, stop);
    let output = reader.join().unwrap_or_default();
    Ok((launch, String::from_utf8_lossy(&output).into_owned()))
}

/// Waits for a child; when we are asked to stop, so is the child. One that its limits do not end is killed.
fn wait(child: &Child, limits: &Limits, stop: &AtomicBool) -> Launch {
    let id = i32::try_from(child.id()).expect("the kernel's numbers of processes are signed");
    let start = Instant::now();
    let mut watch = Watch::over(id, Patience::of_limits(limits.wall, limits.cpu));
    let (mut told, mut hung) = (false, false);
    loop {
        if let Some((status, usage)) = reap(id) {
            let usage = usage_of(&usage);
            return Launch {
                status,
                hung,
                cpu_s: usage.user_s + usage.system_s,
                wall_s: start.elapsed().as_secs_f64(),
                memory_mb: usage.memory_kb / 1024,
            };
        }
        let send = |signal: i32| {
            // SAFETY: the call only sends a signal, to a child that was not waited for yet.
            unsafe { libc::kill(id, signal) };
        };
        if !told && stop.load(Ordering::Relaxed) {
            told = true;
            send(libc::SIGTERM);
        }
        if !hung && watch.is_over() {
            hung = true;
            send(libc::SIGKILL);
        }
        std::thread::sleep(PERIOD);
    }
}

/// The exit status to pass on.
fn code(status: Status) -> u8 {
    match status {
        Status::Exit(code) => u8::try_from(code).unwrap_or(INTERNAL_ERROR),
        Status::Signal(_) => UNKNOWN,
    }
}
