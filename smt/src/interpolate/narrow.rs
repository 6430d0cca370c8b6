//! A small unsatisfiable set of conjuncts.
//!
//! 1. *Suffix*: the last parts are asserted, twice as many each time, until there is no model. What refutes the end refutes it behind every beginning:
//!    interpolants that know nothing of initial values are the ones that a loop keeps. What the refutation uses is a first core.
//! 2. *Deletion*: whole parts, then single conjuncts, are left out for a try, from the first part to the last; what is close to the end stays (deletion-based minimal
//!    cores: Marques-Silva, Janota, Belov, *Minimal sets over monotone predicates in Boolean formulae*, 2013). The conjuncts are the assumptions of one incremental
//!    solver. They stand in the order from the last part to the first, so that a deletion at the beginning leaves the trail as it is.
//!
//! The effort of the deletions is bounded by that of the first core, in ticks, plus a constant; so the result repeats.

use super::InterpolationConfig;
use super::query::Conjunct;
use crate::hash::FxHashSet;
use crate::model::Model;
use crate::proof::{Part, Step};
use crate::solver::{Answer, Config, Solver, UnknownReason};
use crate::term::{TermId, TermPool};
use std::sync::Arc;

/// Deletion of single conjuncts is tried for at most this many of them.
const MAX_DELETIONS: usize = 48;

/// Ticks for deletions beyond those that the first core took.
const EXTRA_TICKS: u64 = 100_000;

/// What is known of the conjuncts.
pub(super) enum Narrowed {
    /// All of them hold in this model.
    Sat(Model),
    /// These are inconsistent, in the order of their parts.
    Core(Vec<Conjunct>),
    /// The limits were too narrow, or the search is incomplete.
    Unknown(UnknownReason),
}

/// Looks for a small core of `conjuncts`, which are in the order of their parts, with at most `limit` ticks. Returns the ticks spent as well.
pub(super) fn narrow(
    pool: &mut TermPool,
    conjuncts: &[Conjunct],
    config: &InterpolationConfig,
    limit: Option<u64>,
) -> (Narrowed, u64) {
    let mut spent = 0;
    let core = match core_of_a_suffix(pool, conjuncts, config, limit, &mut spent) {
        Ok(core) => core,
        Err(end) => return (end, spent),
    };
    let end = spent.saturating_mul(2).saturating_add(EXTRA_TICKS);
    let end = limit.map_or(end, |limit| limit.min(end));
    let mut deletion = Deletion {
        solver: solver(config, false),
        limit: end.saturating_sub(spent),
        core,
    };
    deletion.run(pool);
    (Narrowed::Core(deletion.core), spent + deletion.solver.ticks())
}

fn solver(config: &InterpolationConfig, proofs: bool) -> Solver {
    let mut solver = Solver::new(Config {
        proofs,
        arithmetic_only: !config.equality,
        inprocessing: config.inprocessing,
        ..Config::default()
    });
    if let Some(flag) = &config.interrupt {
        solver.set_interrupt(Arc::clone(flag));
    }
    solver
}

/// The conjuncts that a refutation of a short suffix uses, in their order; or why there is none.
fn core_of_a_suffix(
    pool: &mut TermPool,
    conjuncts: &[Conjunct],
    config: &InterpolationConfig,
    limit: Option<u64>,
    spent: &mut u64,
) -> Result<Vec<Conjunct>, Narrowed> {
    let mut prover = solver(config, true);
    let mut start = conjuncts.len();
    let mut length = 2;
    loop {
        let before = suffix(conjuncts, length);
        for &(part, conjunct) in &conjuncts[before..start] {
            prover.assert(pool, conjunct, part);
        }
        start = before;
        prover.set_tick_limit(limit.map(|limit| limit.saturating_sub(*spent)));
        let answer = prover.check(pool, &[]);
        *spent = prover.ticks();
        match answer {
            Answer::Unsat => break,
            Answer::Sat if start == 0 => return Err(Narrowed::Sat(prover.model(pool))),
            Answer::Unknown(reason) if start == 0 || !matches!(reason, UnknownReason::Incomplete(_)) => {
                return Err(Narrowed::Unknown(reason));
            }
            Answer::Sat | Answer::Unknown(_) => length *= 2,
        }
    }
    let proof = prover.proof().expect("the solver was configured to record a proof");
    let input = |step: &Step| match step {
        Step::Input { part, formula } => Some((*part, *formula)),
        _ => None,
    };
    let used: FxHashSet<Conjunct> = proof.trimmed().steps.iter().filter_map(input).collect();
    Ok(conjuncts
        .iter()
        .copied()
        .filter(|conjunct| used.contains(conjunct))
        .collect())
}

/// Where the last so many parts begin.
fn suffix(conjuncts: &[Conjunct], length: usize) -> usize {
    let mut start = conjuncts.len();
    for _ in 0..length {
        let Some(&(part, _)) = conjuncts[..start].last() else {
            break;
        };
        start = conjuncts.partition_point(|conjunct| conjunct.0 < part);
    }
    start
}

struct Deletion {
    solver: Solver,
    /// The ticks that it may take.
    limit: u64,
    /// What is known to be inconsistent, in order.
    core: Vec<Conjunct>,
}

impl Deletion {
    fn run(&mut self, pool: &mut TermPool) {
        let mut parts: Vec<Part> = self.core.iter().map(|conjunct| conjunct.0).collect();
        parts.dedup();
        for part in parts {
            self.delete(pool, &|conjunct| conjunct.0 == part);
        }
        if self.core.len() <= MAX_DELETIONS {
            for candidate in self.core.clone() {
                self.delete(pool, &|conjunct| *conjunct == candidate);
            }
        }
    }

    /// Tries to do without the conjuncts that `is_dropped` says.
    fn delete(&mut self, pool: &mut TermPool, is_dropped: &dyn Fn(&Conjunct) -> bool) {
        let spent = self.solver.ticks();
        let kept = self.core.iter().rev().filter(|conjunct| !is_dropped(conjunct));
        let rest: Vec<TermId> = kept.map(|conjunct| conjunct.1).collect();
        if rest.len() == self.core.len() || rest.is_empty() || spent >= self.limit {
            return;
        }
        self.solver.set_tick_limit(Some(self.limit - spent));
        if self.solver.check(pool, &rest) == Answer::Unsat {
            let core: FxHashSet<TermId> = self.solver.core().into_iter().collect();
            assert!(!core.is_empty(), "without assumptions there is a model");
            self.core
                .retain(|conjunct| !is_dropped(conjunct) && core.contains(&conjunct.1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `x_0 = 0`, `x_k = x_{k-1} + 1` in three parts, then two parts that contradict each other, each beside something that does not matter.
    fn chain(pool: &mut TermPool) -> Vec<Conjunct> {
        let (x, y, z) = (pool.symbol("x"), pool.symbol("y"), pool.symbol("z"));
        let xs: Vec<TermId> = (0..4).map(|k| pool.int_var(x, k)).collect();
        let (y, z) = (pool.int_var(y, 0), pool.int_var(z, 0));
        let (zero, one) = (pool.int(0), pool.int(1));
        let mut conjuncts = vec![(Part(0), pool.eq(xs[0], zero))];
        for k in 1..4 {
            let next = pool.add(xs[k - 1], one);
            conjuncts.push((Part(u32::try_from(k).unwrap()), pool.eq(xs[k], next)));
        }
        let (less, more) = (pool.le(y, zero), pool.le(one, y));
        conjuncts.extend([
            (Part(4), less),
            (Part(4), pool.le(z, one)),
            (Part(5), more),
            (Part(5), pool.le(one, z)),
        ]);
        conjuncts
    }

    #[test]
    fn the_core_lies_at_the_end_and_is_minimal() {
        let mut pool = TermPool::new();
        let conjuncts = chain(&mut pool);
        let (narrowed, _) = narrow(&mut pool, &conjuncts, &InterpolationConfig::default(), None);
        let Narrowed::Core(core) = narrowed else {
            panic!("the last two parts are inconsistent");
        };
        assert_eq!(core, [conjuncts[4], conjuncts[6]]);
    }

    #[test]
    fn a_core_may_need_every_part() {
        let mut pool = TermPool::new();
        let mut conjuncts = chain(&mut pool);
        conjuncts.truncate(4);
        let (narrowed, _) = narrow(&mut pool, &conjuncts, &InterpolationConfig::default(), None);
        let Narrowed::Sat(model) = narrowed else {
            panic!("the first four parts have a model");
        };
        assert!(conjuncts.iter().all(|&(_, formula)| model.eval_bool(&pool, formula)));
        let (x3, three) = (pool.symbol("x"), pool.int(3));
        let x3 = pool.int_var(x3, 3);
        let is_three = pool.eq(x3, three);
        conjuncts.push((Part(4), pool.not(is_three)));
        let (narrowed, _) = narrow(&mut pool, &conjuncts, &InterpolationConfig::default(), None);
        let Narrowed::Core(core) = narrowed else {
            panic!("three steps from 0 lead to 3");
        };
        assert_eq!(core, conjuncts);
    }
}
