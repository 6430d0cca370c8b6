//! Resource limits: a watchdog thread looks at the clocks and raises a flag that exploration and solver poll.
//!
//! Only the flag crosses the thread boundary, and it can only end the run. So limits of time and memory can turn an answer into UNKNOWN, and
//! nothing else. Ticks need no watchdog: solvers count them.

use super::options::Limits;
use super::reason::{Reason, ReasonCode};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the watchdog looks.
const PERIOD: Duration = Duration::from_millis(20);

/// A limit that was reached, as stored in the shared cell; 0 is none.
const CAUSES: [(ReasonCode, &str); 5] = [
    (ReasonCode::Interrupted, "interrupted"),
    (ReasonCode::CpuLimit, "CPU time limit reached"),
    (ReasonCode::WallLimit, "wall time limit reached"),
    (ReasonCode::MemoryLimit, "memory limit reached"),
    (ReasonCode::Interrupted, "cancelled"),
];

/// The running watchdog of one run. Dropping it ends its thread.
#[derive(Debug)]
pub struct Budget {
    interrupt: Arc<AtomicBool>,
    cause: Arc<AtomicU8>,
    done: Arc<AtomicBool>,
    watchdog: Option<JoinHandle<()>>,
}

impl Budget {
    /// Starts watching. Without any limit and without `cancel` there is no thread.
    pub fn start(limits: Limits, cancel: Option<Arc<AtomicBool>>) -> Self {
        let interrupt = Arc::new(AtomicBool::new(false));
        let cause = Arc::new(AtomicU8::new(0));
        let done = Arc::new(AtomicBool::new(false));
        let needed = limits.cpu.is_some() || limits.wall.is_some() || limits.memory_mb.is_some() || cancel.is_some();
        let watchdog = needed.then(|| {
            let (interrupt, cause, done) = (Arc::clone(&interrupt), Arc::clone(&cause), Arc::clone(&done));
            std::thread::spawn(move || watch(limits, cancel.as_deref(), &interrupt, &cause, &done))
        });
        Budget {
            interrupt,
            cause,
            done,
            watchdog,
        }
    }

    /// The flag that is raised when a limit is reached.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.interrupt)
    }

    /// Which limit was reached, if one was.
    pub fn exceeded(&self) -> Option<Reason> {
        let raised = self.interrupt.load(Ordering::Acquire);
        let (code, text) = CAUSES[usize::from(self.cause.load(Ordering::Relaxed))];
        raised.then(|| code.because(text))
    }
}

impl Drop for Budget {
    fn drop(&mut self) {
        self.done.store(true, Ordering::Relaxed);
        if let Some(watchdog) = self.watchdog.take() {
            watchdog.thread().unpark();
            // A panic of the watchdog has no consequence but missing limits, and it has been reported by the panic hook.
            let _ = watchdog.join();
        }
    }
}

fn watch(limits: Limits, cancel: Option<&AtomicBool>, interrupt: &AtomicBool, cause: &AtomicU8, done: &AtomicBool) {
    let start = Instant::now();
    while !done.load(Ordering::Relaxed) {
        let over = |limit: Option<f64>, now: f64| limit.is_some_and(|limit| now >= limit);
        let reached = if over(limits.cpu, cpu_seconds()) {
            1
        } else if over(limits.wall, start.elapsed().as_secs_f64()) {
            2
        } else if limits.memory_mb.is_some_and(|limit| resident_mb() >= limit) {
            3
        } else if cancel.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            4
        } else {
            std::thread::park_timeout(PERIOD);
            continue;
        };
        cause.store(reached, Ordering::Relaxed);
        interrupt.store(true, Ordering::Release);
        return;
    }
}

/// Processor seconds that all threads of the process have used.
pub fn cpu_seconds() -> f64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call only writes to the struct that it gets.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time) } != 0;
    if failed {
        return 0.0;
    }
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u32::try_from(time.tv_nsec).unwrap_or(0);
    (Duration::from_secs(seconds) + Duration::from_nanos(u64::from(nanos))).as_secs_f64()
}

/// Resident memory of the process in MiB; 0 where the system does not say.
pub fn resident_mb() -> u64 {
    const PAGES_PER_MB: u64 = 256;
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = text
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse().ok())
        .unwrap_or(0);
    pages / PAGES_PER_MB
}
