//! The checks of `--check` while an analysis runs, and their frequency.
//!
//! A check uses a fresh solver, the independent proof checker of the solver's crate, or the evaluation of a model. It is not counted as effort, so a run with checks takes the same steps
//! as one without, only slower. A check that fails is a defect of Provident and panics. A check that is not decided within its limit is counted.

use super::effort::Effort;
use provident_smt::model::Model;
use provident_smt::proof::{self, Part};
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{TermId, TermPool};
use std::sync::Arc;

/// Ticks that one check may take.
const MAX_TICKS: u64 = 20_000_000;

/// Whether to check, and the account of checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checks {
    /// Whether to check at all.
    pub enabled: bool,
    /// Abstractions that follow from the abstracted formula.
    pub abstractions: u64,
    /// Products of abstractions that have a model.
    pub products: u64,
    /// Sides of merges that imply the merged formula.
    pub merges: u64,
    /// Models that satisfy their formulas.
    pub models: u64,
    /// Interpolants, by the definition.
    pub interpolants: u64,
    /// Proofs.
    pub proofs: u64,
    /// Sliced prefixes that have no model.
    pub prefixes: u64,
    /// Checks without an answer within their limit.
    pub undecided: u64,
}

impl Checks {
    /// Adds the account of another part of the run.
    pub fn add(&mut self, other: &Checks) {
        self.abstractions += other.abstractions;
        self.products += other.products;
        self.merges += other.merges;
        self.models += other.models;
        self.interpolants += other.interpolants;
        self.proofs += other.proofs;
        self.prefixes += other.prefixes;
        self.undecided += other.undecided;
    }

    /// The same setting with nothing counted.
    pub fn fresh(&self) -> Checks {
        Checks {
            enabled: self.enabled,
            ..Checks::default()
        }
    }
}

/// Checks that some formulas have no common model, with a checked proof.
///
/// # Panics
/// If they have one, or if the proof is wrong.
pub fn refuted(pool: &mut TermPool, effort: &mut Effort, formulas: &[TermId], what: &str) -> bool {
    let mut solver = Solver::new(Config {
        proofs: true,
        ..Config::default()
    });
    solver.set_tick_limit(Some(MAX_TICKS));
    solver.set_interrupt(Arc::clone(&effort.interrupt));
    for &formula in formulas {
        solver.assert(pool, formula, Part(0));
    }
    match solver.check(pool, &[]) {
        Answer::Sat => panic!("wrong {what}: a model of the formula is outside of it"),
        Answer::Unknown(_) => {
            effort.checks.undecided += 1;
            false
        }
        Answer::Unsat => {
            if let Some(proof) = solver.proof() {
                let asserted: Vec<(Part, TermId)> = formulas.iter().map(|&formula| (Part(0), formula)).collect();
                let verdict = proof::check(pool, &proof, &asserted);
                assert!(
                    verdict.is_ok(),
                    "wrong proof of {what}: {}",
                    verdict.expect_err("just seen")
                );
                effort.checks.proofs += 1;
            }
            true
        }
    }
}

/// Checks that a model satisfies some formulas.
///
/// # Panics
/// If it does not.
pub fn satisfies(pool: &TermPool, effort: &mut Effort, model: &Model, formulas: &[TermId]) {
    let mut values = model.evaluator(pool);
    for &formula in formulas {
        assert!(values.eval_bool(formula), "wrong model: a formula is not true in it");
    }
    effort.checks.models += 1;
}

/// Checks that some formulas have a common model, and evaluates it.
///
/// # Panics
/// If they have none.
pub fn satisfiable(pool: &mut TermPool, effort: &mut Effort, formulas: &[TermId], what: &str) -> bool {
    let mut solver = Solver::new(Config::default());
    solver.set_tick_limit(Some(MAX_TICKS));
    solver.set_interrupt(Arc::clone(&effort.interrupt));
    for &formula in formulas {
        solver.assert(pool, formula, Part(0));
    }
    match solver.check(pool, &[]) {
        Answer::Unsat => panic!("wrong {what}: it has no model"),
        Answer::Unknown(_) => {
            effort.checks.undecided += 1;
            false
        }
        Answer::Sat => {
            let model = solver.model(pool);
            satisfies(pool, effort, &model, formulas);
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provident_smt::term::NO_INDEX;

    #[test]
    fn wrong_results_are_noticed() {
        let mut pool = TermPool::new();
        let mut effort = Effort::default();
        let name = pool.symbol("x");
        let x = pool.int_var(name, NO_INDEX);
        let (zero, one) = (pool.int(0), pool.int(1));
        let (positive, negative) = (pool.ge(x, one), pool.lt(x, zero));
        assert!(refuted(&mut pool, &mut effort, &[positive, negative], "test"));
        assert!(satisfiable(&mut pool, &mut effort, &[positive], "test"));
        assert_eq!((effort.checks.proofs, effort.checks.models), (1, 1));
        let panics = |mut work: Box<dyn FnMut() + '_>| {
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(&mut work)).is_err()
        };
        let (mut other, mut account) = (pool.clone(), Effort::default());
        assert!(panics(Box::new(|| {
            refuted(&mut other, &mut account, &[positive], "test");
        })));
        let (mut other, mut account) = (pool.clone(), Effort::default());
        assert!(panics(Box::new(|| {
            satisfiable(&mut other, &mut account, &[positive, negative], "test");
        })));
        assert!(panics(Box::new(|| satisfies(
            &pool,
            &mut Effort::default(),
            &Model::new(),
            &[positive]
        ))));
    }
}
