//! One interpolation query: which conjuncts are to be refuted, and how much effort goes into making them few.
//!
//! The first proof decides the query. If there is none without mixed lemmas for updates, it is sought again with all lemmas allowed. After that, while it gets better and effort remains:
//!
//! 1. *Core*: what the proof does not use is left out, and the rest is proved again, until nothing more drops out.
//! 2. *Deletion*: whole parts, then single conjuncts, are left out for a try, from the first part to the last. Interpolants
//!    that need nothing of the initial values are the ones that a loop keeps; what is close to the error stays.
//!
//! The effort of both is bounded by that of the first proof, in ticks, plus a constant; so the result repeats. A
//! smaller set of conjuncts has narrower spans, and may have no proof that can be interpolated where the larger one has: then the last
//! interpolants stand.

use super::reduce::reduce;
use super::span::Spans;
use super::{InterpolationConfig, SequenceResult, purify, simplify, walk};
use crate::hash::FxHashSet;
use crate::model::Model;
use crate::proof::{Part, Proof, Step};
use crate::solver::{Answer, Config, Solver, UnknownReason};
use crate::term::{Term, TermId, TermPool};
use std::sync::Arc;

/// How often a core is proved again before deletion starts.
const MAX_CORE_ROUNDS: usize = 4;

/// Deletion of single conjuncts is tried for at most this many of them.
const MAX_DELETIONS: usize = 48;

/// Ticks for minimisation beyond those that the first proof took.
const EXTRA_TICKS: u64 = 100_000;

/// A conjunct of a part.
type Conjunct = (Part, TermId);

/// How one attempt to refute a set of conjuncts ended.
enum Attempt {
    Sat(Model),
    Unsat(Proof),
    Unknown(UnknownReason),
}

/// One call of [`super::sequence`].
pub(super) struct Query<'a> {
    config: &'a InterpolationConfig,
    /// Ticks of all solvers so far.
    spent: u64,
    /// Where the ticks end for the present purpose.
    limit: Option<u64>,
    /// Whether the solver is to avoid lemmas with mixed literals.
    avoids_mixed: bool,
}

/// A refuted set of conjuncts, with its interpolants.
struct Refutation {
    /// The conjuncts that the proof uses.
    core: Vec<Conjunct>,
    interpolants: Vec<TermId>,
}

impl<'a> Query<'a> {
    pub(super) fn new(config: &'a InterpolationConfig) -> Self {
        Query {
            config,
            spent: 0,
            limit: config.ticks,
            avoids_mixed: config.avoid_mixed,
        }
    }

    /// The ticks of all solvers so far.
    pub(super) fn spent(&self) -> u64 {
        self.spent
    }

    pub(super) fn run(&mut self, pool: &mut TermPool, parts: &[TermId]) -> SequenceResult {
        let conjuncts = split(pool, parts);
        if let Some(&(part, _)) = conjuncts
            .iter()
            .find(|(_, formula)| *pool.term(*formula) == Term::False)
        {
            let value = |cut: u32| pool.mk_bool(cut < part.0);
            let cuts = u32::try_from(parts.len() - 1).expect("parts are numbered with 32 bits");
            return SequenceResult::Unsat((0..cuts).map(value).collect());
        }
        let mut attempt = self.refute(pool, &conjuncts);
        if self.avoids_mixed
            && matches!(attempt, Attempt::Unknown(UnknownReason::Incomplete(_)))
            && self.limit.is_none_or(|limit| self.spent < limit)
        {
            self.avoids_mixed = false;
            attempt = self.refute(pool, &conjuncts);
        }
        let proof = match attempt {
            Attempt::Sat(model) => return SequenceResult::Sat(model),
            Attempt::Unknown(reason) => return SequenceResult::Unknown(reason),
            Attempt::Unsat(proof) => proof,
        };
        let core = used(&conjuncts, &proof);
        let first = self.interpolate(pool, &conjuncts, &proof, parts.len());
        let smallest = if self.config.minimise {
            self.minimise(pool, &conjuncts, &core, parts.len())
        } else {
            None
        };
        match (smallest, first) {
            (Some(interpolants), _) | (None, Ok(interpolants)) => SequenceResult::Unsat(interpolants),
            (None, Err(reason)) => SequenceResult::Unknown(UnknownReason::Incomplete(reason)),
        }
    }

    /// A solver that keeps the query's limits.
    fn solver(&self, config: Config) -> Solver {
        let mut solver = Solver::new(config);
        solver.set_tick_limit(self.limit.map(|limit| limit.saturating_sub(self.spent)));
        if let Some(flag) = &self.config.interrupt {
            solver.set_interrupt(Arc::clone(flag));
        }
        solver
    }

    /// The interpolants of the smallest set of conjuncts that is found; none if it is the one that is known already.
    fn minimise(
        &mut self,
        pool: &mut TermPool,
        conjuncts: &[Conjunct],
        core: &[Conjunct],
        parts: usize,
    ) -> Option<Vec<TermId>> {
        let end = self.spent.saturating_mul(2).saturating_add(EXTRA_TICKS);
        self.limit = Some(self.config.ticks.map_or(end, |limit| limit.min(end)));
        let mut best = None;
        let mut known = conjuncts.len();
        let mut core = core.to_vec();
        for _ in 0..MAX_CORE_ROUNDS {
            if core.len() == known {
                break;
            }
            known = core.len();
            let Some(smaller) = self.attempt(pool, &core, parts) else {
                break;
            };
            core = smaller.core;
            best = Some(smaller.interpolants);
        }
        let whole_parts: Vec<Part> = distinct(core.iter().map(|&(part, _)| part));
        for part in whole_parts {
            self.delete(pool, &mut core, &mut best, parts, &|conjunct| conjunct.0 == part);
        }
        if core.len() <= MAX_DELETIONS {
            for candidate in core.clone() {
                self.delete(pool, &mut core, &mut best, parts, &|conjunct| *conjunct == candidate);
            }
        }
        best
    }

    /// Tries to do without the conjuncts that `dropped` says.
    fn delete(
        &mut self,
        pool: &mut TermPool,
        core: &mut Vec<Conjunct>,
        best: &mut Option<Vec<TermId>>,
        parts: usize,
        dropped: &dyn Fn(&Conjunct) -> bool,
    ) {
        let rest: Vec<Conjunct> = core.iter().copied().filter(|conjunct| !dropped(conjunct)).collect();
        if rest.len() == core.len() || rest.is_empty() {
            return;
        }
        if let Some(smaller) = self.attempt(pool, &rest, parts) {
            *core = smaller.core;
            *best = Some(smaller.interpolants);
        }
    }

    fn attempt(&mut self, pool: &mut TermPool, conjuncts: &[Conjunct], parts: usize) -> Option<Refutation> {
        let Attempt::Unsat(proof) = self.refute(pool, conjuncts) else {
            return None;
        };
        let interpolants = self.interpolate(pool, conjuncts, &proof, parts).ok()?;
        Some(Refutation {
            core: used(conjuncts, &proof),
            interpolants,
        })
    }

    fn refute(&mut self, pool: &mut TermPool, conjuncts: &[Conjunct]) -> Attempt {
        if self.limit.is_some_and(|limit| self.spent >= limit) {
            return Attempt::Unknown(UnknownReason::Ticks);
        }
        let mut solver = self.solver(Config {
            proofs: true,
            interpolation: self.avoids_mixed,
            arithmetic_only: !self.config.equality,
            inprocessing: self.config.inprocessing,
            ..Config::default()
        });
        for &(part, formula) in conjuncts {
            solver.assert(pool, formula, part);
        }
        let answer = solver.check(pool, &[]);
        self.spent += solver.ticks();
        match answer {
            Answer::Sat => Attempt::Sat(solver.model(pool)),
            Answer::Unknown(reason) => Attempt::Unknown(reason),
            Answer::Unsat => {
                let proof = solver
                    .proof()
                    .expect("the solver was configured to record a proof")
                    .trimmed();
                let proof = if self.config.reduce_proof {
                    reduce(&proof)
                } else {
                    proof
                };
                if self.config.check {
                    let verdict = crate::proof::check(pool, &proof, conjuncts);
                    assert!(verdict.is_ok(), "wrong proof: {}", verdict.expect_err("just seen"));
                }
                Attempt::Unsat(proof)
            }
        }
    }

    /// The interpolants from a proof that refutes `conjuncts`; or why there are none.
    fn interpolate(
        &self,
        pool: &mut TermPool,
        conjuncts: &[Conjunct],
        proof: &Proof,
        parts: usize,
    ) -> Result<Vec<TermId>, &'static str> {
        let spans = Spans::new(pool, conjuncts);
        let raw = walk::interpolants(pool, proof, &spans, parts, self.config.variant)
            .map_err(|purify::Mixed| "mixed literals in the proof")?;
        let mut interpolants = Vec::with_capacity(raw.len());
        for (cut, raw) in (0u32..).zip(raw) {
            let interpolant = if self.config.simplify { simplify(pool, raw) } else { raw };
            if mentions_update(pool, interpolant) {
                return Err("an update that several parts share");
            }
            let is_shared = spans.vocabulary_is_shared(pool, interpolant, cut);
            assert!(is_shared, "an interpolant has a symbol of one side");
            interpolants.push(interpolant);
        }
        Ok(interpolants)
    }
}

/// The conjuncts of the parts, in order.
fn split(pool: &TermPool, parts: &[TermId]) -> Vec<Conjunct> {
    let mut conjuncts = Vec::new();
    for (number, &formula) in (0u32..).zip(parts) {
        conjuncts.extend(
            pool.conjuncts(formula)
                .into_iter()
                .map(|conjunct| (Part(number), conjunct)),
        );
    }
    conjuncts
}

/// The conjuncts that are inputs of the proof, in their old order.
fn used(conjuncts: &[Conjunct], proof: &Proof) -> Vec<Conjunct> {
    let input = |step: &Step| match step {
        Step::Input { part, formula } => Some((*part, *formula)),
        _ => None,
    };
    let inputs: FxHashSet<Conjunct> = proof.steps.iter().filter_map(input).collect();
    conjuncts
        .iter()
        .copied()
        .filter(|conjunct| inputs.contains(conjunct))
        .collect()
}

/// Whether the formula has an update atom. Such an atom may not be negated, so it is of no use in an interpolant.
fn mentions_update(pool: &TermPool, formula: TermId) -> bool {
    pool.atoms(formula)
        .iter()
        .any(|&atom| matches!(pool.term(atom), Term::Update { .. }))
}

/// The values without immediate repetitions.
fn distinct(values: impl Iterator<Item = Part>) -> Vec<Part> {
    let mut result: Vec<Part> = values.collect();
    result.dedup();
    result
}
