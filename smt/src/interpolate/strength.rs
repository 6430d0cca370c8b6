//! The logical strength of interpolants of one cut, each against the others.
//!
//! D'Silva, Kroening, Purandare, Weissenbacher (*Interpolant strength*, 2010) order the systems that read interpolants off a proof. Between two formulas that come from anywhere there are four cases, and a fifth where the solver does
//! not know.

use crate::solver::{Answer, Config, Solver};
use crate::term::{TermId, TermPool};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An implication that takes longer is left undecided.
const TICKS: u64 = 2_000_000;

/// How a formula stands to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// Both have the same models.
    Equivalent,
    /// It implies the other one, and not the other way round.
    Stronger,
    /// The other one implies it, and not the other way round.
    Weaker,
    /// None implies the other.
    Incomparable,
    /// An implication was not decided within its limit.
    Undecided,
}

impl Relation {
    /// All cases.
    pub const ALL: [Relation; 5] = [
        Relation::Equivalent,
        Relation::Stronger,
        Relation::Weaker,
        Relation::Incomparable,
        Relation::Undecided,
    ];

    /// The name of the case in tables.
    pub fn name(self) -> &'static str {
        match self {
            Relation::Equivalent => "equivalent",
            Relation::Stronger => "stronger",
            Relation::Weaker => "weaker",
            Relation::Incomparable => "incomparable",
            Relation::Undecided => "undecided",
        }
    }

    /// The case in which a formula implies another one or not, and the other way round.
    fn of(there: Option<bool>, back: Option<bool>) -> Relation {
        match (there, back) {
            (Some(true), Some(true)) => Relation::Equivalent,
            (Some(true), Some(false)) => Relation::Stronger,
            (Some(false), Some(true)) => Relation::Weaker,
            (Some(false), Some(false)) => Relation::Incomparable,
            _ => Relation::Undecided,
        }
    }
}

/// The limits of questions about strength.
#[derive(Clone, Debug, Default)]
pub struct StrengthLimits {
    /// The most ticks that the questions may take; one implication takes no more than the limit of this module, either.
    pub ticks: Option<u64>,
    /// When this becomes true, what is left stays undecided.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl StrengthLimits {
    /// A solver that records its proof and keeps these limits.
    pub(crate) fn prover(&self) -> Solver {
        let mut solver = Solver::new(Config {
            proofs: true,
            ..Config::default()
        });
        solver.set_tick_limit(self.ticks);
        if let Some(flag) = &self.interrupt {
            solver.set_interrupt(Arc::clone(flag));
        }
        solver
    }
}

/// Whether the conjunction of some formulas implies another one; none where that was not decided.
pub fn implies(pool: &mut TermPool, formulas: &[TermId], conclusion: TermId, limits: &StrengthLimits) -> Option<bool> {
    implies_with_cost(pool, formulas, conclusion, limits).0
}

/// The same, and the ticks that it took.
fn implies_with_cost(
    pool: &mut TermPool,
    formulas: &[TermId],
    conclusion: TermId,
    limits: &StrengthLimits,
) -> (Option<bool>, u64) {
    let negated = pool.not(conclusion);
    let mut solver = Solver::new(Config::default());
    solver.set_tick_limit(Some(limits.ticks.unwrap_or(TICKS).min(TICKS)));
    if let Some(flag) = &limits.interrupt {
        solver.set_interrupt(Arc::clone(flag));
    }
    for &formula in formulas.iter().chain([&negated]) {
        solver.assert(pool, formula, crate::proof::Part(0));
    }
    let known = match solver.check(pool, &[]) {
        Answer::Unsat => Some(true),
        Answer::Sat => Some(false),
        Answer::Unknown(_) => None,
    };
    (known, solver.ticks())
}

/// How a formula stands to another one.
pub fn relation(pool: &mut TermPool, formula: TermId, other: TermId, limits: &StrengthLimits) -> Relation {
    if formula == other {
        return Relation::Equivalent;
    }
    let there = implies(pool, &[formula], other, limits);
    let back = implies(pool, &[other], formula, limits);
    Relation::of(there, back)
}

/// For each formula which of them it implies; none where that was not decided. The ticks that it takes are taken from `limits`, which hold for all of it.
pub fn implications(pool: &mut TermPool, formulas: &[TermId], limits: &mut StrengthLimits) -> Vec<Vec<Option<bool>>> {
    let mut table = Vec::with_capacity(formulas.len());
    for &formula in formulas {
        let row = formulas.iter().map(|&other| {
            if formula == other {
                return Some(true);
            }
            if limits.ticks == Some(0) {
                return None;
            }
            let (known, spent) = implies_with_cost(pool, &[formula], other, limits);
            limits.ticks = limits.ticks.map(|left| left.saturating_sub(spent));
            known
        });
        table.push(row.collect());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_cases() {
        let mut pool = TermPool::new();
        let x = pool.symbol("x");
        let x = pool.int_var(x, 0);
        let (three, four, seven) = (pool.int(3), pool.int(4), pool.int(7));
        let (low, high, positive) = (pool.le(x, three), pool.le(x, seven), pool.le(seven, x));
        let below_four = pool.lt(x, four);
        let not_three = pool.not(low);
        let split = pool.or2(below_four, positive);
        let limits = StrengthLimits::default();
        let mut is = |a, b| relation(&mut pool, a, b, &limits);
        assert_eq!(is(low, high), Relation::Stronger);
        assert_eq!(is(high, low), Relation::Weaker);
        assert_eq!(is(low, below_four), Relation::Equivalent);
        assert_eq!(is(high, not_three), Relation::Incomparable);
        assert_eq!(is(low, split), Relation::Stronger);
        let stopped = StrengthLimits {
            interrupt: Some(Arc::new(AtomicBool::new(true))),
            ..StrengthLimits::default()
        };
        assert_eq!(relation(&mut pool, split, high, &stopped), Relation::Undecided);
    }
}
