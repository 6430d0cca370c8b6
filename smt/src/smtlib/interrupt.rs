//! Ending a check from outside: by a signal, or beyond a limit of time or memory.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering};

/// Why a check is to end.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Somebody asked for it. Only the check that runs, or else the next one, ends.
    Request,
    /// A limit of time was reached. All further checks end at once.
    Time,
    /// A limit of memory was reached. All further checks end at once.
    Memory,
}

/// Ends checks. Shared between the thread that runs a script and those that watch it.
#[derive(Debug, Default)]
pub struct Interrupt {
    flag: Arc<AtomicBool>,
    /// 0 for no cause, else 1 plus the cause.
    cause: AtomicU8,
    waiting: AtomicBool,
    /// The checks that have begun and those that have ended, together: odd while one runs.
    checks: AtomicU64,
}

impl Interrupt {
    /// Ends the check that runs, with the answer `unknown`; if none runs, the next one. A limit stays the cause when a request follows.
    pub fn raise(&self, cause: Cause) {
        self.cause.fetch_max(1 + cause as u8, Ordering::AcqRel);
        self.flag.store(true, Ordering::Release);
    }

    /// Whether a request has not ended any check yet.
    pub fn is_requested(&self) -> bool {
        self.cause.load(Ordering::Acquire) == 1 + Cause::Request as u8
    }

    /// Whether a check is to end: a request has not ended any yet, or a limit was reached.
    pub fn is_raised(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }

    /// Whether the script waits for its next command.
    pub fn waiting(&self) -> bool {
        self.waiting.load(Ordering::Acquire)
    }

    /// The number of the check that runs; none if none does.
    pub fn check(&self) -> Option<u64> {
        Some(self.checks.load(Ordering::Acquire)).filter(|number| number % 2 == 1)
    }

    /// Notes that a check begins or ends.
    pub(super) fn turn(&self) {
        self.checks.fetch_add(1, Ordering::AcqRel);
    }

    pub(super) fn set_waiting(&self, waits: bool) {
        self.waiting.store(waits, Ordering::Release);
    }

    /// The flag that a solver polls.
    pub(super) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.flag)
    }

    /// The cause of an end, which a request is only once.
    pub(super) fn take(&self) -> Cause {
        let request = 1 + Cause::Request as u8;
        if self
            .cause
            .compare_exchange(request, 0, Ordering::AcqRel, Ordering::Acquire)
            .is_ok()
        {
            self.flag.store(false, Ordering::Release);
            return Cause::Request;
        }
        match self.cause.load(Ordering::Acquire) {
            2 => Cause::Time,
            3 => Cause::Memory,
            _ => Cause::Request,
        }
    }
}
