//! When learned clauses are simplified during the search: at restarts, after a number of conflicts, for a share of the ticks spent since.
//!
//! Ticks and conflicts repeat exactly, and so does what is simplified. The techniques are the siblings `vivify` and `subsume`.

use crate::solver::Solver;

/// Each technique gets the ticks spent since, divided by this.
const SHARE: u64 = 20;

/// When clauses were simplified last.
pub(in crate::solver) struct Inprocessing {
    every: u64,
    next: u64,
    interval: u64,
    ticks: u64,
}

impl Inprocessing {
    /// The first time is after `every` conflicts; each next time waits for as many more than the last. `None` is never.
    pub fn new(every: Option<u64>) -> Self {
        let every = every.unwrap_or(u64::MAX);
        Inprocessing {
            every,
            next: every,
            interval: every,
            ticks: 0,
        }
    }
}

impl Solver {
    /// Whether it is time to simplify the learned clauses.
    pub(in crate::solver) fn inprocessing(&self) -> bool {
        self.search.events.statistics.conflicts >= self.schedule.inprocessing.next
    }

    /// Simplifies the learned clauses and goes back to the level of the scopes for that. The guards of all scopes are decided.
    pub(in crate::solver) fn inprocess(&mut self) {
        let schedule = &mut self.schedule.inprocessing;
        schedule.interval = schedule.interval.saturating_add(schedule.every);
        schedule.next = self
            .search
            .events
            .statistics
            .conflicts
            .saturating_add(schedule.interval);
        self.search
            .backtrack(u32::try_from(self.assertions.scopes.len()).expect("few scopes"));
        let budget = (self.search.ticks - self.schedule.inprocessing.ticks) / SHARE;
        // Theories propagate when the search goes on; here clauses are enough.
        if self.search.propagate().is_none() {
            self.search.explain_reasons(&mut self.theories);
            self.search.vivify(budget);
            if !self.search.contradiction && self.search.head == self.search.trail.len() {
                self.search.subsume(budget);
            }
            if !self.search.contradiction {
                self.search.collect_simplified();
            }
        } else {
            // The conflict is found again when the search goes on.
            self.search.head = 0;
        }
        self.schedule.inprocessing.ticks = self.search.ticks;
    }
}
