//! The end of a verification: exactly one report is printed, by the first of several threads.
//!
//! Normally that is the verification itself. After SIGTERM, SIGINT or SIGHUP the engine is asked to stop, which gives a report with
//! the results so far. If it does not stop within a grace period (it may be in the front end, or in a step that does not poll), the
//! thread that waits for signals prints the last report that it received, and ends the process. The same thread enforces the limits of
//! time from outside, some way above them, so that a verdict is printed before a scheduler kills the process.

use super::live::LiveLine;
use crate::engine::budget::{cpu_seconds, resident_mb};
use crate::engine::{Counter, Limits, Progress, Reason, ReasonCode};
use crate::report::paint::Paint;
use crate::report::schema::{Failure, failure};
use crate::report::{Answer, Report, files, sarif, text};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the engine may take to react before the process ends without it.
const GRACE: Duration = Duration::from_millis(1500);
/// How often signals and limits are looked at.
const PERIOD: Duration = Duration::from_millis(50);

/// The signals that end a verification with an answer, and what the answer says.
const SIGNALS: [(i32, &str); 3] = [
    (SIGTERM, "interrupted by SIGTERM"),
    (SIGINT, "interrupted by SIGINT"),
    (SIGHUP, "interrupted by SIGHUP"),
];

/// The signals of [`SIGNALS`] that this process has to answer: all but a SIGHUP that it was told to ignore, as `nohup` does.
pub(in crate::cli) fn signals() -> impl Iterator<Item = i32> {
    let all = SIGNALS.iter().map(|(number, _)| *number);
    all.filter(|&number| number != SIGHUP || !is_ignored(number))
}

/// Whether the process was started with a signal ignored.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: a plain structure of integers may be all zero, and the call without a new action only fills it in.
    let action = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        (libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0).then_some(action)
    };
    action.is_some_and(|action| action.sa_sigaction == libc::SIG_IGN)
}

/// How reports are given out.
#[derive(Clone, Debug, Default)]
pub(in crate::cli) struct Output {
    pub json: bool,
    pub statistics: bool,
    /// Whether only the lines of the protocol are printed.
    pub quiet: bool,
    /// Whether violations are printed as compilers print errors.
    pub diagnostics: bool,
    pub out: Option<PathBuf>,
    pub paint: Paint,
    /// The file for the answers in SARIF.
    pub sarif: Option<PathBuf>,
}

/// Gives out the one report of a process.
#[derive(Clone)]
pub(in crate::cli) struct Finisher {
    shared: Arc<Shared>,
}

struct Shared {
    output: Output,
    start: Instant,
    finished: AtomicBool,
    cancel: Arc<AtomicBool>,
    /// 0, or the position in [`SIGNALS`], from 1, of the signal that came.
    signal: Arc<AtomicUsize>,
    /// The report to print if the verification is interrupted.
    expected: Mutex<Option<Report>>,
    progress: Mutex<Option<Progress>>,
    /// The line on the terminal, which has to go before the report is printed.
    line: Mutex<Option<LiveLine>>,
}

/// A lock whose content stays usable after a panic elsewhere: it is only ever replaced as a whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Finisher {
    /// Starts the thread that waits for signals and limits.
    pub fn start(output: Output, limits: Limits) -> Finisher {
        let shared = Arc::new(Shared {
            output,
            start: Instant::now(),
            finished: AtomicBool::new(false),
            cancel: Arc::new(AtomicBool::new(false)),
            signal: Arc::new(AtomicUsize::new(0)),
            expected: Mutex::new(None),
            progress: Mutex::new(None),
            line: Mutex::new(None),
        });
        let finisher = Finisher { shared };
        for number in signals() {
            let position = SIGNALS.iter().position(|(other, _)| *other == number);
            let position = position.expect("it is one of them") + 1;
            // If a handler cannot be set, the signal kills the process, as it does any other.
            let _ = signal_hook::flag::register(number, finisher.cancel());
            let _ = signal_hook::flag::register_usize(number, Arc::clone(&finisher.shared.signal), position);
        }
        let watcher = finisher.clone();
        std::thread::spawn(move || watcher.watch(limits));
        finisher
    }

    /// The flag that asks the engine to stop.
    pub fn cancel(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.shared.cancel)
    }

    /// Notes the report to print if the verification is given up.
    pub fn expect(&self, report: &Report) {
        *lock(&self.shared.expected) = Some(report.clone());
    }

    /// Notes the line on the terminal.
    pub fn attach(&self, line: LiveLine) {
        *lock(&self.shared.line) = Some(line);
    }

    /// Notes how far the verification is.
    pub fn note(&self, progress: Progress) {
        *lock(&self.shared.progress) = Some(progress);
    }

    /// Prints the report and writes its files, if no other thread has; else waits for the end. Returns the exit status.
    pub fn finish(&self, mut report: Report, start: Instant) -> u8 {
        if self.shared.finished.swap(true, Ordering::AcqRel) {
            // The other thread ends the process.
            loop {
                std::thread::park();
            }
        }
        if let Some(line) = lock(&self.shared.line).take() {
            line.close();
        }
        if let Some(reason) = self.signalled() {
            // The engine was cancelled and does not know by whom.
            let open = report
                .properties
                .iter_mut()
                .filter(|property| property.verdict == Answer::Unknown);
            open.for_each(|property| property.reason = Some(reason.clone()));
            report.conclude();
        }
        report.resources.cpu_s = cpu_seconds();
        report.resources.wall_s = start.elapsed().as_secs_f64();
        report.resources.memory_mb = peak_mb();
        report.add_launches();
        let output = &self.shared.output;
        let mut status = report.verdict.exit_code();
        if let Some(folder) = &output.out
            && let Err(error) = files::write_all(&report, folder)
        {
            eprintln_quietly(&format!("error: {error}"));
            status = crate::cli::BAD_INPUT;
        }
        if let Some(file) = &output.sarif
            && let Err(error) = files::write_file(file, &sarif::sarif(&report))
        {
            eprintln_quietly(&format!("error: {error}"));
            status = crate::cli::BAD_INPUT;
        }
        if output.diagnostics {
            for line in text::diagnostics(&report).lines() {
                eprintln_quietly(line);
            }
        }
        let printed = print(&if output.json {
            report.json()
        } else if output.quiet {
            text::protocol(&report)
        } else {
            text::render(&report, output.statistics, output.paint)
        });
        if printed { status } else { crate::cli::BAD_INPUT }
    }

    /// Ends the process with UNKNOWN for every property that is open.
    fn give_up(&self, reason: &Reason) -> ! {
        let Some(mut report) = lock(&self.shared.expected).clone() else {
            let status = Answer::Unknown.exit_code();
            let verdict = text::verdict(Answer::Unknown, Some(reason));
            match self.shared.output.json {
                true => print(&failure(Failure::Stopped, &reason.text, status)),
                false => print(&format!("VERDICT: {verdict}\n")),
            };
            std::process::exit(status.into());
        };
        let open = report.properties.iter_mut().filter(|p| p.verdict == Answer::Unknown);
        open.for_each(|property| _ = property.reason.get_or_insert_with(|| reason.clone()));
        if let Some(progress) = *lock(&self.shared.progress)
            && report.statistics.is_empty()
        {
            let counters = [
                (Counter::Iterations, progress.iteration),
                (Counter::States, progress.states),
                (Counter::Targets, progress.targets),
                (Counter::Refinements, progress.refinements),
            ];
            report.statistics = counters.into_iter().collect();
        }
        report.conclude();
        if report.verdict == Answer::Unknown {
            report.reason = Some(reason.clone());
        }
        let status = self.finish(report, self.shared.start);
        std::process::exit(status.into());
    }

    /// The reason that the received signal gives.
    fn signalled(&self) -> Option<Reason> {
        let position = self.shared.signal.load(Ordering::Acquire).checked_sub(1)?;
        SIGNALS
            .get(position)
            .map(|(_, reason)| ReasonCode::Interrupted.because(*reason))
    }

    fn watch(&self, limits: Limits) {
        loop {
            std::thread::sleep(PERIOD);
            if let Some(reason) = self.signalled() {
                std::thread::sleep(GRACE);
                self.give_up(&reason);
            }
            // The engine keeps below the limits itself; this is for the steps in which it does not look.
            if limits.cpu.is_some_and(|limit| cpu_seconds() >= limit) {
                self.give_up(&ReasonCode::CpuLimit.because("CPU time limit reached"));
            }
            if limits
                .wall
                .is_some_and(|limit| self.shared.start.elapsed().as_secs_f64() >= limit)
            {
                self.give_up(&ReasonCode::WallLimit.because("wall time limit reached"));
            }
            if limits.memory_mb.is_some_and(|limit| resident_mb() > limit) {
                self.give_up(&ReasonCode::MemoryLimit.because("memory limit reached"));
            }
        }
    }
}

/// Prints to standard output. A closed pipe is no error of ours; any other error is reported on standard error, and the result is false.
pub(in crate::cli) fn print(text: &str) -> bool {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            eprintln_quietly(&format!("error: cannot write to standard output: {error}"));
            false
        }
        _ => true,
    }
}

/// Prints a line to standard error, which may be closed.
pub(in crate::cli) fn eprintln_quietly(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The greatest resident memory so far, in MiB; 0 where the system does not tell.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) / 1024
}
