//! The budget of solver effort, and its cancellation.

use super::checks::Checks;
use super::pulse::Pulse;
use provident_smt::interpolate::Cost;
use provident_smt::solver::{Config, Solver, UnknownReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The part of the remaining effort that one question may take before others are asked instead, as a divisor.
const PART: u64 = 4;

/// The ticks that it may take at most.
const MAX_QUESTION: u64 = 10_000_000;

/// The same for each question of a search for violations.
const PART_OF_SEARCH: u64 = 16;
const MAX_QUESTION_OF_SEARCH: u64 = 1_000_000;

/// The account of deterministic effort of one run (or of one worker's share of it).
#[derive(Debug, Clone, Default)]
pub struct Effort {
    /// The most ticks that may be spent.
    pub limit: Option<u64>,
    /// Ticks spent so far.
    pub spent: u64,
    /// Whether each question has a [limit of its own](Effort::for_next_question): a search for violations goes on elsewhere rather than wait for one hard answer.
    pub is_impatient: bool,
    /// Set from outside when a limit of time or memory is reached.
    pub interrupt: Arc<AtomicBool>,
    /// The checks on the way.
    pub checks: Checks,
    /// The part of the effort that queries for interpolants took, and what they read off their proofs.
    pub interpolation: Cost,
    /// Where it is shown how far the run is.
    pub pulse: Pulse,
}

impl Effort {
    /// The ticks that are left.
    pub fn remaining(&self) -> Option<u64> {
        self.limit.map(|limit| limit.saturating_sub(self.spent))
    }

    /// Whether nothing more may be done.
    pub fn is_exhausted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.remaining() == Some(0)
    }

    /// The ticks that one question may take for which there is another way. Formulas about integers can keep a solver busy without end, and one of them is not to take what all others would need.
    pub fn for_one_question(&self) -> u64 {
        self.part_of_rest(MAX_QUESTION, PART)
    }

    /// A part of the ticks that are left, and at most so many.
    fn part_of_rest(&self, most: u64, part: u64) -> u64 {
        self.remaining().map_or(most, |left| most.min(left / part))
    }

    /// The ticks that the next question may take. A search for violations finds most of them by many small questions.
    pub fn for_next_question(&self) -> Option<u64> {
        match self.is_impatient {
            true => Some(self.part_of_rest(MAX_QUESTION_OF_SEARCH, PART_OF_SEARCH)),
            false => self.remaining(),
        }
    }

    /// A solver that keeps to the effort for the next question.
    pub fn solver(&self) -> Solver {
        let mut solver = Solver::new(Config::default());
        solver.set_tick_budget(self.for_next_question());
        solver.set_interrupt(Arc::clone(&self.interrupt));
        solver
    }

    /// Adds the effort of a solver that came from [`Effort::solver`].
    pub fn charge(&mut self, solver: &Solver) {
        self.charge_ticks(solver.ticks());
    }

    /// Adds ticks.
    pub fn charge_ticks(&mut self, ticks: u64) {
        self.spent = self.spent.saturating_add(ticks);
        self.pulse.spend(ticks);
    }

    /// Adds the effort of queries for interpolants.
    pub fn charge_interpolation(&mut self, cost: &Cost) {
        self.charge_ticks(cost.ticks);
        self.interpolation.add(cost);
    }

    /// An account of its own for a part of the run, with this limit.
    #[must_use]
    pub fn share(&self, limit: Option<u64>) -> Effort {
        Effort {
            limit,
            spent: 0,
            is_impatient: self.is_impatient,
            interrupt: Arc::clone(&self.interrupt),
            checks: self.checks.fresh(),
            interpolation: Cost::default(),
            pulse: self.pulse.clone(),
        }
    }

    /// Adds the effort of another part of the run.
    pub fn add(&mut self, other: &Effort) {
        self.spent = self.spent.saturating_add(other.spent);
        self.checks.add(&other.checks);
        self.interpolation.add(&other.interpolation);
    }
}

/// A sentence fragment for a user who wonders why there is no answer.
pub fn describe(reason: UnknownReason) -> String {
    match reason {
        UnknownReason::Ticks => "solver effort limit reached".to_string(),
        UnknownReason::Interrupted => "interrupted".to_string(),
        UnknownReason::Incomplete(what) => format!("solver incomplete: {what}"),
    }
}
