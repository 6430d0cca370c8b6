//! The incremental CDCL(T) solver.

use crate::model::Model;
use crate::proof::{Part, Proof};
use crate::term::{TermId, TermPool};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a solver is to work.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Whether to record proofs.
    pub proofs: bool,
    /// Whether proofs are to be interpolated: only lemmas whose symbols have a part in common are made.
    pub interpolation: bool,
    /// A seed that perturbs initial phases and order; `None` is the default order.
    pub seed: Option<u64>,
}

/// Why there is no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The tick limit was reached.
    Ticks,
    /// The interrupt flag was set.
    Interrupted,
    /// The procedure is incomplete for this input, in this way.
    Incomplete(&'static str),
}

/// The answer to a satisfiability check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a model.
    Sat,
    /// There is none.
    Unsat,
    /// Not found out.
    Unknown(UnknownReason),
}

/// Counters of a solver's work since it was made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Calls of `check`.
    pub checks: u64,
    /// Decisions, assumptions included.
    pub decisions: u64,
    /// Assigned literals.
    pub propagations: u64,
    /// Literals that the theory implied.
    pub theory_propagations: u64,
    /// Conflicts, of clauses and of theories.
    pub conflicts: u64,
    /// Conflicts of arithmetic.
    pub theory_conflicts: u64,
    /// Restarts.
    pub restarts: u64,
    /// Reductions of the learned-clause database.
    pub reductions: u64,
    /// Pivots of the simplex tableau.
    pub pivots: u64,
    /// Final checks of complete assignments.
    pub final_checks: u64,
    /// Branches over the integers.
    pub branches: u64,
    /// Lemmas for functions and updates.
    pub lemmas: u64,
    /// Deterministic effort.
    pub ticks: u64,
}

/// An incremental solver. Terms of all calls must come from one pool.
pub struct Solver {
    config: Config,
}

impl Solver {
    /// A solver without assertions.
    pub fn new(config: Config) -> Self {
        Solver { config }
    }
    /// Opens a scope.
    pub fn push(&mut self) {
        todo!()
    }
    /// Closes the innermost scope: its assertions are gone.
    pub fn pop(&mut self) {
        todo!()
    }
    /// Asserts a formula in the innermost scope.
    pub fn assert(&mut self, _pool: &mut TermPool, _formula: TermId, _part: Part) {
        todo!()
    }
    /// Whether the assertions have a model in which all assumptions (Boolean terms) hold.
    pub fn check(&mut self, _pool: &mut TermPool, _assumptions: &[TermId]) -> Answer {
        let _ = &self.config;
        todo!()
    }
    /// The model, after `Sat` and before the next change.
    pub fn model(&self, _pool: &TermPool) -> Model {
        todo!()
    }
    /// A subset of the assumptions that is inconsistent with the assertions, after `Unsat`.
    pub fn core(&self) -> Vec<TermId> {
        todo!()
    }
    /// The proof, after `Unsat` of a check without assumptions, if proofs are configured.
    pub fn proof(&self) -> Option<Proof> {
        todo!()
    }
    /// Limits the ticks that each following check may spend.
    pub fn set_tick_limit(&mut self, _limit: Option<u64>) {
        todo!()
    }
    /// The ticks spent so far by all checks.
    pub fn ticks(&self) -> u64 {
        todo!()
    }
    /// Sets a flag that, when true, makes checks end with `Unknown(Interrupted)`.
    pub fn set_interrupt(&mut self, _flag: Arc<AtomicBool>) {
        todo!()
    }
    /// The work done so far.
    pub fn statistics(&self) -> Statistics {
        todo!()
    }
}
