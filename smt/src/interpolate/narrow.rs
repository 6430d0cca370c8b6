//! A small unsatisfiable set of conjuncts.
//!
//! 1. *Suffix*: the last parts are asserted, twice as many each time, until there is no model. A refutation of the end refutes it behind every beginning:
//!    interpolants that know nothing of initial values are the ones that a loop keeps. The conjuncts that the refutation uses are a first core.
//! 2. *Deletion*: whole parts, then single conjuncts, are left out for a try, from the first part to the last; what is close to the end stays (deletion-based minimal
//!    cores: Marques-Silva, Janota, Belov, *Minimal sets over monotone predicates in Boolean formulae*, 2013). The conjuncts are the assumptions of one incremental
//!    solver. They stand in the order from the last part to the first, so that a deletion at the beginning leaves the trail as it is.
//!
//! The conjuncts of all parts but the last are encoded once for many last parts ([`Prefix`]); each last part stands in a scope of its own.
//!
//! The effort of the deletions is bounded by that of the first core, in ticks, plus a constant; so the result repeats. A refutation that took [very long](InterpolationConfig::dear) is handed over as it is, since every
//! other one may take as long.

use super::InterpolationConfig;
use super::query::Conjunct;
use crate::hash::FxHashSet;
use crate::model::Model;
use crate::proof::{Part, Proof, Step};
use crate::solver::{Answer, Config, Solver, UnknownReason};
use crate::term::{TermId, TermPool};
use std::sync::Arc;

/// Deletion of single conjuncts is tried for at most this many of them.
const MAX_DELETIONS: usize = 48;

/// Ticks for a suffix that is not the whole: what it takes to find a model of it says nothing of what it takes to refute a longer one.
const SUFFIX_TICKS: u64 = 50_000;

/// Ticks for deletions beyond those that the first core took.
const EXTRA_TICKS: u64 = 100_000;

/// The result of narrowing the conjuncts.
pub(super) enum Narrowed {
    /// All of them hold in this model.
    Sat(Model),
    /// These are inconsistent, in the order of their parts.
    Core(Vec<Conjunct>),
    /// These are inconsistent by this proof, which took long; in the order of their parts.
    Refuted(Vec<Conjunct>, Proof),
    /// The limits were too narrow, or the search is incomplete.
    Unknown(UnknownReason),
}

/// All parts of a sequence but the last, in a solver that many searches share: sequences that differ in their last part only have the rest encoded once.
pub(super) struct Prefix {
    /// Has the conjuncts from `start` on, and in a scope those of a last part.
    prover: Solver,
    conjuncts: Vec<Conjunct>,
    start: usize,
}

impl Prefix {
    /// The prefix with these conjuncts, which are in the order of their parts.
    pub(super) fn new(conjuncts: Vec<Conjunct>, config: &InterpolationConfig) -> Prefix {
        Prefix {
            prover: solver(config, true),
            start: conjuncts.len(),
            conjuncts,
        }
    }

    /// All of its conjuncts and those of a last part.
    pub(super) fn with(&self, last: &[Conjunct]) -> Vec<Conjunct> {
        self.conjuncts.iter().chain(last).copied().collect()
    }

    /// Adds a conjunct to one of the parts, for all searches from now on.
    pub(super) fn add(&mut self, pool: &mut TermPool, conjunct: Conjunct) {
        let at = self.conjuncts.partition_point(|other| other.0 <= conjunct.0);
        self.conjuncts.insert(at, conjunct);
        if at <= self.start {
            // Its part is asserted later, and it with it.
            self.start += 1;
        } else {
            self.prover.assert(pool, conjunct.1, conjunct.0);
        }
    }

    /// Looks for a small core of the prefix and a last part, with at most `limit` ticks. Returns the ticks spent as well.
    pub(super) fn narrow(
        &mut self,
        pool: &mut TermPool,
        last: &[Conjunct],
        config: &InterpolationConfig,
        limit: Option<u64>,
    ) -> (Narrowed, u64) {
        let before = self.prover.ticks();
        self.prover.push();
        if !config.suffix_first {
            while self.start > 0 {
                self.grow(pool);
            }
        }
        let found = self.core_of_a_suffix(pool, last, limit);
        self.prover.pop();
        let spent = self.prover.ticks() - before;
        let core = match found {
            Narrowed::Refuted(core, proof) if spent > config.dear => return (Narrowed::Refuted(core, proof), spent),
            Narrowed::Refuted(core, _) if config.delete => core,
            Narrowed::Refuted(core, _) => return (Narrowed::Core(core), spent),
            found => return (found, spent),
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

    /// A refutation of a short suffix, and the conjuncts that it uses, in their order; or what else is known. A scope is open, before and after.
    fn core_of_a_suffix(&mut self, pool: &mut TermPool, last: &[Conjunct], limit: Option<u64>) -> Narrowed {
        if self.start == self.conjuncts.len() {
            self.grow(pool);
        }
        let before = self.prover.ticks();
        loop {
            for &(part, conjunct) in last {
                self.prover.assert(pool, conjunct, part);
            }
            let left = limit.map(|limit| limit.saturating_sub(self.prover.ticks() - before));
            let is_all = self.start == 0;
            let affordable = if is_all {
                left
            } else {
                Some(left.map_or(SUFFIX_TICKS, |left| left.min(SUFFIX_TICKS)))
            };
            self.prover.set_tick_limit(affordable);
            match self.prover.check(pool, &[]) {
                Answer::Unsat => break,
                Answer::Sat if is_all => return Narrowed::Sat(self.prover.model(pool)),
                Answer::Unknown(reason) if is_all || left == Some(0) || reason == UnknownReason::Interrupted => {
                    return Narrowed::Unknown(reason);
                }
                Answer::Sat | Answer::Unknown(_) => self.grow(pool),
            }
        }
        let proof = self.prover.proof();
        let proof = proof.expect("the solver was configured to record a proof");
        let input = |step: &Step| match step {
            Step::Input { part, formula } => Some((*part, *formula)),
            _ => None,
        };
        let used: FxHashSet<Conjunct> = proof.steps.iter().filter_map(input).collect();
        let all = self.conjuncts.iter().chain(last).copied();
        Narrowed::Refuted(all.filter(|conjunct| used.contains(conjunct)).collect(), proof)
    }

    /// Doubles the suffix, the last part included. The assertions in the scope are lost.
    fn grow(&mut self, pool: &mut TermPool) {
        let mut parts: Vec<Part> = self.conjuncts[self.start..].iter().map(|conjunct| conjunct.0).collect();
        parts.dedup();
        self.prover.pop();
        for _ in 0..=parts.len() {
            let Some(&(part, _)) = self.conjuncts[..self.start].last() else {
                break;
            };
            let start = self.conjuncts.partition_point(|conjunct| conjunct.0 < part);
            for &(part, conjunct) in &self.conjuncts[start..self.start] {
                self.prover.assert(pool, conjunct, part);
            }
            self.start = start;
        }
        self.prover.push();
    }
}

/// A solver as the configuration wants it, for questions whose proofs are not interpolated.
pub(super) fn solver(config: &InterpolationConfig, proofs: bool) -> Solver {
    let mut solver = Solver::new(Config {
        proofs,
        arithmetic_only: !config.equality,
        inprocessing: config.inprocessing,
        finite_after: config.finite_after,
        ..Config::default()
    });
    if let Some(flag) = &config.interrupt {
        solver.set_interrupt(Arc::clone(flag));
    }
    solver
}

struct Deletion {
    solver: Solver,
    /// The ticks that it may take.
    limit: u64,
    /// An inconsistent set of conjuncts, in order.
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

    fn narrow(pool: &mut TermPool, conjuncts: &[Conjunct]) -> Narrowed {
        let config = InterpolationConfig::default();
        let last = conjuncts.last().expect("there are parts").0;
        let (prefix, last) = conjuncts.split_at(conjuncts.partition_point(|conjunct| conjunct.0 < last));
        let mut prefix = Prefix::new(prefix.to_vec(), &config);
        prefix.narrow(pool, last, &config, None).0
    }

    #[test]
    fn the_core_lies_at_the_end_and_is_minimal() {
        let mut pool = TermPool::new();
        let conjuncts = chain(&mut pool);
        let narrowed = narrow(&mut pool, &conjuncts);
        let Narrowed::Core(core) = narrowed else {
            panic!("the last two parts are inconsistent");
        };
        assert_eq!(core, [conjuncts[4], conjuncts[6]]);
    }

    #[test]
    fn all_parts_at_once_and_no_deletion() {
        let mut pool = TermPool::new();
        let conjuncts = chain(&mut pool);
        let last = conjuncts.partition_point(|conjunct| conjunct.0 < Part(5));
        let (prefix, last) = conjuncts.split_at(last);
        for (suffix_first, delete) in [(false, true), (true, false), (false, false)] {
            let config = InterpolationConfig {
                suffix_first,
                delete,
                ..InterpolationConfig::default()
            };
            let mut prefix = Prefix::new(prefix.to_vec(), &config);
            let Narrowed::Core(core) = prefix.narrow(&mut pool, last, &config, None).0 else {
                panic!("the last two parts are inconsistent");
            };
            assert!([conjuncts[4], conjuncts[6]].iter().all(|needed| core.contains(needed)));
            assert_eq!(
                prefix.start == 0,
                !suffix_first,
                "what is asserted is what was asked for"
            );
        }
    }

    #[test]
    fn a_core_may_need_every_part() {
        let mut pool = TermPool::new();
        let mut conjuncts = chain(&mut pool);
        conjuncts.truncate(4);
        let narrowed = narrow(&mut pool, &conjuncts);
        let Narrowed::Sat(model) = narrowed else {
            panic!("the first four parts have a model");
        };
        assert!(conjuncts.iter().all(|&(_, formula)| model.eval_bool(&pool, formula)));
        let (x3, three) = (pool.symbol("x"), pool.int(3));
        let x3 = pool.int_var(x3, 3);
        let is_three = pool.eq(x3, three);
        conjuncts.push((Part(4), pool.not(is_three)));
        let narrowed = narrow(&mut pool, &conjuncts);
        let Narrowed::Core(core) = narrowed else {
            panic!("three steps from 0 lead to 3");
        };
        assert_eq!(core, conjuncts);
    }

    #[test]
    fn last_parts_share_a_prefix() {
        let mut pool = TermPool::new();
        let mut conjuncts = chain(&mut pool);
        conjuncts.truncate(4);
        let config = InterpolationConfig::default();
        let mut prefix = Prefix::new(conjuncts.clone(), &config);
        let x3 = pool.symbol("x");
        let x3 = pool.int_var(x3, 3);
        for (value, is_possible) in [(2, false), (3, true), (4, false), (3, true)] {
            let value = pool.int(value);
            let last = [(Part(4), pool.eq(x3, value))];
            match prefix.narrow(&mut pool, &last, &config, None).0 {
                Narrowed::Sat(model) => {
                    let all = prefix.with(&last);
                    assert!(is_possible && all.iter().all(|&(_, formula)| model.eval_bool(&pool, formula)));
                }
                Narrowed::Core(core) => assert!(!is_possible && core == prefix.with(&last)),
                Narrowed::Refuted(..) => panic!("it did not take long"),
                Narrowed::Unknown(reason) => panic!("{reason:?}"),
            }
        }
    }
}
