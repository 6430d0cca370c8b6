//! Bounds on effort: those that a caller sets, and those that are built in.
//!
//! The built-in ones keep techniques that may be useless, or too dear, from taking over. They stand here together, in the order of the modules that
//! respect them; constants that shape a search (restarts, activities, reductions) stand with their technique.

use super::config::UnknownReason;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A check gives up after this number of branches over the integers.
pub(super) const MAX_BRANCHES: u64 = 20_000;
/// The clauses of closed scopes are collected when there are this many closed scopes.
pub(super) const MAX_DEAD_SCOPES: usize = if cfg!(test) { 2 } else { 64 };
/// Rows of sums that nothing live is about are not forgotten before there are this many rows. Random traces of the tests of this crate are short, and are to forget something as well.
pub(super) const MIN_FORGOTTEN_ROWS: usize = if cfg!(test) { 4 } else { 1_000 };
/// Conditional terms in branches of conditional terms are lifted, too, as long as an equation gets no more branches than this.
pub(super) const MAX_LIFTED: usize = 16;
/// Comparisons of conditional terms with constants become no more cases than this.
pub(super) const MAX_CHOICES: usize = 1_000_000;
/// Formulas inside of more others than this are left as they are.
pub(super) const MAX_NESTED: usize = 1_000;
/// Disjunctions of more cases have no joins.
pub(super) const MAX_CASES: usize = 8;
/// Joins look at no more conjuncts of a case.
pub(super) const MAX_JOINED: usize = 64;
/// No more equations wait for being probed at one time.
pub(super) const MAX_JOINS: usize = 1_000;
/// Longer clauses take no part in subsumption.
pub(super) const MAX_SUBSUMED: usize = 64;
/// Rows with more entries are not used for bound propagation.
pub(super) const MAX_ROW: usize = 24;
/// Bound propagation looks at no more rows in one round.
pub(super) const MAX_ROWS: usize = 24;
/// The largest divisor whose remainders are branched on one by one.
pub(super) const MAX_REMAINDERS: i64 = 64;
/// One final check looks at no more fractional rows for a contradiction by divisibility.
pub(super) const MAX_FRACTIONAL_ROWS: usize = 32;
/// Systems with more equations are not solved for a cut.
pub(super) const MAX_EQUATIONS: usize = 256;
/// Solving a system stops after this number of steps on coefficients.
pub(super) const MAX_STEPS: u64 = 200_000;
/// A cut is not branched on if its largest coefficient is more than this number of times that of the equations.
pub(super) const MAX_GROWTH: i64 = 16;
/// A dive for an integer point has no more nodes.
pub(super) const MAX_NODES: u64 = 1_000;
/// Tableaus with more columns are not put to the cube test, nor to dives, which copy them.
pub(super) const MAX_COLUMNS: usize = 512;
/// One final check instantiates updates along no more chains of cells.
pub(super) const MAX_CHAINS: usize = 32;
/// One solver makes no more guesses of a bridge with an offset, or by its value.
pub(super) const MAX_GUESSES: usize = 96;
/// After this number of guesses, none has an offset.
pub(super) const MAX_OFFSETS: usize = 32;
/// The largest offset of a bridge from a leaf.
pub(super) const MAX_DISTANCE: i64 = 64;
/// A candidate model has no more classes of cells beside those that it mentions. A class takes some hundred bytes.
pub(super) const MAX_CLASSES: usize = 250_000;
/// Where updates copy no more cells than this, the cells of a model are not counted before the model is asked for.
pub(super) const MAX_UNCOUNTED: i32 = 10_000;
/// A search for a chain of equal cells gives up at this number of cells.
pub(super) const MAX_CELLS: usize = 1_000_000;
/// This number of applications get unconditional instances of updates in any case.
pub(super) const MAX_EAGER: usize = 10_000;

/// The bounds that a caller sets.
pub(super) struct Limits {
    /// The ticks that each check may spend.
    pub tick_limit: Option<u64>,
    /// The ticks that all checks together may spend.
    pub tick_budget: Option<u64>,
    /// The ticks at which the current check ends.
    pub deadline: u64,
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// No bounds.
    pub fn none() -> Limits {
        Limits {
            tick_limit: None,
            tick_budget: None,
            deadline: u64::MAX,
            interrupt: None,
        }
    }

    /// A check begins, after this number of ticks of others.
    pub fn begin_check(&mut self, ticks: u64) {
        let own = self.tick_limit.map_or(u64::MAX, |limit| ticks.saturating_add(limit));
        self.deadline = own.min(self.tick_budget.unwrap_or(u64::MAX));
    }

    /// Whether a check that has spent this number of ticks may go on.
    pub fn allow(&self, ticks: u64) -> bool {
        self.exceeded(ticks).is_none()
    }

    /// Why a check that has spent this number of ticks may not go on.
    pub fn exceeded(&self, ticks: u64) -> Option<UnknownReason> {
        if ticks > self.deadline {
            return Some(UnknownReason::Ticks);
        }
        let is_raised = |flag: &Arc<AtomicBool>| flag.load(Ordering::Relaxed);
        let interrupted = self.interrupt.as_ref().is_some_and(is_raised);
        interrupted.then_some(UnknownReason::Interrupted)
    }
}
