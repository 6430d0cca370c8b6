//! Is a chain of blocks feasible, and if not, which predicates refute it?
//!
//! The predicates between two blocks are the atoms of the sequence interpolant there (Henzinger, Jhala, Majumdar, McMillan,
//! *Abstractions from proofs*, POPL 2004). The interpolants of a sequence imply each other through the blocks; so Boolean abstraction over their atoms at the
//! same places cannot reach the target along this chain again.
//!
//! # Which refutation
//!
//! A chain often has several refutations: its loops end too soon, and the state of the property is wrong as well. Predicates about a loop counter refute one number of
//! rounds at a time. So a chain whose blocks share loop counters is first checked with its [loop counters hidden](LoopCounters::hide). The original chain is checked
//! only if that does not refute it. Other [templates](super::templates) of interpolation abstraction hide more, and keep terms over what they hide.
//!
//! # When the sequence cannot be interpolated
//!
//! A proof may need a lemma whose symbols no single part has. Then the cuts are interpolated from left to right, each by a binary query between the left
//! side (the last interpolant and the blocks since then) and the rest. A cut that fails is skipped: it gets no predicates. If at least one
//! cut succeeds, the refinement is useful though perhaps not sufficient; the engine notices when it is not.

use crate::cfa::analysis::domain_types::DomainTypes;
use crate::query::checks;
use crate::query::effort::{Effort, describe};
use crate::query::points;
use crate::query::points::{Point, Points};
use crate::refine::builtin::BuiltIn;
use crate::refine::counters::LoopCounters;
pub use crate::refine::increment::Increment;
use crate::refine::procedure::{Equality, Procedure};
use crate::refine::templates::Templates;
use provident_smt::hash::FxHashSet;
use provident_smt::interpolate::{
    CommonPrefix, Cost, Direction, InterpolationConfig, SequenceResult, abstracted, sequence_with_cost,
};
use provident_smt::model::Model;
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, UnknownReason};
use provident_smt::term::{NO_INDEX, Symbol, Term, TermId, TermPool};
use std::sync::Arc;

/// How a chain is asked about.
#[derive(Debug, Clone, Copy)]
pub struct Inquiry<'a> {
    /// The loop counters of the program, which interpolants are to do without where they can.
    pub counters: &'a LoopCounters,
    /// The domain types of the variables, where [templates](Templates) ask for them.
    pub types: Option<&'a DomainTypes>,
    /// Whether to check every interpolant by an independent query.
    pub check: bool,
    /// How interpolants are sought.
    pub procedure: Procedure,
    /// The built-in preferences among refutations.
    pub built_in: BuiltIn,
}

/// The result for a chain.
#[derive(Debug, Clone)]
pub enum Feasibility {
    /// Its formula has a model.
    Feasible,
    /// It has none, and these predicates show it.
    Infeasible(Increment),
    /// Neither is known, or no predicates could be found.
    Unknown(String),
}

/// A decided chain.
#[derive(Debug, Clone)]
pub struct Analysed {
    /// The answer.
    pub feasibility: Feasibility,
    /// The points of non-linear operators that it took.
    pub points: Vec<Point>,
    /// For a feasible chain, which of its alternative ends the model takes.
    pub taken: usize,
    /// For an infeasible chain, what other variants of a portfolio made of the same proof, if that is [wanted](Chains::with_variants).
    pub variants: Vec<Increment>,
}

/// Ticks for a chain without loop counters, before it is known what the chain itself costs.
const FIRST_HIDDEN_TICKS: u64 = 30_000;

/// If that was too little and the chain is refuted: as many times the ticks of its refutation, and so many in any case.
const HIDDEN_FACTOR: u64 = 8;
const MIN_HIDDEN_TICKS: u64 = 200_000;

/// Cuts are interpolated one by one until this number of ticks is spent.
const MAX_CUT_TICKS: u64 = 5_000_000;

/// How often wrong values of operators are corrected in one chain.
const MAX_CORRECTIONS: usize = 24;

/// The answer for a chain as it stands.
enum Decision {
    Sat(Model),
    Other(Feasibility),
}

/// Chains of block formulas, given as terms of one pool, with all blocks but the last in common: these are encoded once for all questions, and what one
/// question learns of the values of operators holds for the others.
pub struct Chains<'a> {
    common: CommonPrefix,
    /// The same with the program's loop counters hidden, as soon as somebody asks for it.
    hidden: Option<CommonPrefix>,
    counters: CountersOfPrefix,
    known: Points,
    how: Inquiry<'a>,
    /// Whether the last chain without loop counters took more than it may.
    is_hidden_cut_short: bool,
    /// How many blocks follow that the question is not about.
    behind: usize,
    /// Whether the other variants of a portfolio are wanted.
    wants_variants: bool,
    /// Those of the last decision.
    variants: Vec<Increment>,
}

impl<'a> Chains<'a> {
    /// The chains that begin with the blocks of `prefix`.
    pub fn new(pool: &TermPool, prefix: &[TermId], effort: &Effort, how: Inquiry<'a>) -> Chains<'a> {
        Chains {
            common: CommonPrefix::new(pool, prefix, &config(effort, how)),
            hidden: None,
            counters: CountersOfPrefix::new(pool, prefix, how.counters),
            known: Points::default(),
            how,
            is_hidden_cut_short: false,
            behind: 0,
            wants_variants: false,
            variants: Vec::new(),
        }
    }

    /// The same with all variants of a portfolio.
    #[must_use]
    pub fn with_variants(mut self) -> Chains<'a> {
        self.wants_variants = true;
        self
    }

    /// The same for chains that are beginnings of longer ones: behind a refuted beginning the interpolants are `false`.
    #[must_use]
    pub fn followed_by(mut self, blocks: usize) -> Chains<'a> {
        self.behind = blocks;
        self
    }

    /// Decides the chain of the prefix and then any of the alternative ends, of which there is at least one. A refutation of it refutes the chain with each end. Records
    /// its effort.
    ///
    /// Models that rest on wrong values of non-linear operators are excluded by the true values, as long as that leads somewhere.
    pub fn analyse(&mut self, pool: &mut TermPool, ends: &[TermId], effort: &mut Effort) -> Analysed {
        let end = pool.or(ends);
        let mut last = with_values(pool, end, &self.known);
        let mut found = Vec::new();
        for round in 0.. {
            let model = match self.decide(pool, last, effort) {
                Decision::Sat(model) => model,
                Decision::Other(feasibility) => {
                    let feasibility = match feasibility {
                        Feasibility::Unknown(_) if self.is_last_alone(pool, last, !found.is_empty(), effort) => {
                            self.nothing_but_points(pool)
                        }
                        other => other,
                    };
                    return Analysed {
                        feasibility,
                        points: found,
                        taken: 0,
                        variants: std::mem::take(&mut self.variants),
                    };
                }
            };
            let mut wrong = points::violated(pool, &model, &chain(&self.common, last));
            wrong.retain(|point| round < MAX_CORRECTIONS && self.known.add(point.clone()));
            if wrong.is_empty() {
                let is_taken = |end: &TermId| model.eval_bool(pool, *end);
                return Analysed {
                    feasibility: Feasibility::Feasible,
                    points: found,
                    // Evaluation may be inexact where operators are not linear; then any end will do, as the path is checked again.
                    taken: ends.iter().position(is_taken).unwrap_or(0),
                    variants: Vec::new(),
                };
            }
            let new: Points = wrong.iter().cloned().collect();
            for number in 0..self.common.parts().len() {
                let lemmas = new.lemmas(pool, self.common.parts()[number]);
                let fact = pool.and(&lemmas);
                self.common.strengthen(pool, number, fact);
                if let Some(hidden) = &mut self.hidden {
                    let fact = self.how.counters.hide(pool, fact, number);
                    hidden.strengthen(pool, number, fact);
                }
            }
            last = with_values(pool, last, &new);
            found.extend(wrong);
        }
        unreachable!("the rounds end when no wrong value is left, or with the last of them");
    }

    /// Whether the last block alone is infeasible, now that points were found. Its target state is dropped when the block is looked at again.
    fn is_last_alone(&self, pool: &mut TermPool, last: TermId, has_points: bool, effort: &mut Effort) -> bool {
        has_points && self.behind == 0 && matches!(satisfiable(pool, &[last], effort), Satisfiable::No)
    }

    /// The refutation that consists of the points alone: nothing is to be explored anew but the last block.
    fn nothing_but_points(&self, pool: &mut TermPool) -> Feasibility {
        let boundaries = self.common.parts().len();
        if boundaries == 0 {
            return Feasibility::Unknown("a target state that its only block cannot reach was kept".to_string());
        }
        let truth = pool.mk_true();
        Feasibility::Infeasible(Increment {
            predicates: pool.export(&[]),
            counts: vec![0; boundaries],
            interpolants: pool.export(&vec![truth; boundaries]),
            contradictions: vec![false; boundaries],
            pivot: boundaries - 1,
            segment: None,
        })
    }

    /// Decides the chain that ends with `last`.
    fn decide(&mut self, pool: &mut TermPool, last: TermId, effort: &mut Effort) -> Decision {
        let unknown = |reason: String| Decision::Other(Feasibility::Unknown(reason));
        let how = self.how;
        self.variants.clear();
        let parts = &chain(&self.common, last)[..];
        if parts.len() == 1 {
            // A chain of one block needs no interpolants.
            return match satisfiable(pool, parts, effort) {
                Satisfiable::Yes(model) => Decision::Sat(model),
                Satisfiable::No if self.behind > 0 => Decision::Other(self.refuted(pool, Vec::new(), true)),
                Satisfiable::No => unknown("a target state that its only block cannot reach was kept".to_string()),
                Satisfiable::Unknown(reason) => unknown(describe(reason)),
            };
        }
        // A chain is refuted without loop counters, or in the terms of templates, if possible: predicates about counters unroll loops. The other chains have interpolants with them.
        if let Some(sequences) = self.under_abstraction(pool, parts, effort, FIRST_HIDDEN_TICKS) {
            return self.refuted_by(pool, sequences);
        }
        let before = effort.spent;
        let (result, cost) = self.common.sequence_with_cost(pool, last, &config(effort, how));
        record_cost(pool, parts, &result, &cost, effort);
        // The weaker chain may be much harder than the chain itself.
        if matches!(result, SequenceResult::Unsat(_)) && self.is_hidden_cut_short {
            let others = self.common.take_others();
            let most = (HIDDEN_FACTOR * (effort.spent - before)).max(MIN_HIDDEN_TICKS);
            if let Some(sequences) = self.under_abstraction(pool, parts, effort, most) {
                return self.refuted_by(pool, sequences);
            }
            let SequenceResult::Unsat(interpolants) = result else {
                unreachable!("it was refuted")
            };
            let sequences = std::iter::once(interpolants).chain(others).collect();
            return self.refuted_by(pool, sequences);
        }
        match result {
            SequenceResult::Sat(model) => Decision::Sat(model),
            SequenceResult::Unsat(interpolants) => {
                let mut sequences = vec![interpolants];
                sequences.extend(self.common.take_others());
                self.refuted_by(pool, sequences)
            }
            SequenceResult::Unknown(UnknownReason::Incomplete(what)) => match satisfiable(pool, parts, effort) {
                Satisfiable::Yes(model) => Decision::Sat(model),
                Satisfiable::Unknown(reason) => unknown(describe(reason)),
                Satisfiable::No => match cut_by_cut(pool, parts, effort, how) {
                    Some(interpolants) => Decision::Other(self.refuted(pool, interpolants, false)),
                    None => unknown(format!("no interpolants: {what}")),
                },
            },
            SequenceResult::Unknown(reason) => unknown(describe(reason)),
        }
    }

    /// The result of the interpolants of a chain.
    fn refuted(&self, pool: &mut TermPool, mut interpolants: Vec<TermId>, gapless: bool) -> Feasibility {
        interpolants.extend(std::iter::repeat_n(pool.mk_false(), self.behind));
        of_interpolants(pool, &interpolants, gapless)
    }

    /// The decision for a chain with these sequences of interpolants, of which the first one counts.
    fn refuted_by(&mut self, pool: &mut TermPool, sequences: Vec<Vec<TermId>>) -> Decision {
        let most = if self.wants_variants { usize::MAX } else { 1 };
        let fits_together = self.how.procedure.direction != Direction::Alone;
        let mut found: Vec<Feasibility> = Vec::new();
        for sequence in sequences.into_iter().take(most) {
            found.push(self.refuted(pool, sequence, fits_together));
        }
        let mut found = found.into_iter();
        let first = found.next().expect("there is a sequence");
        self.variants = found
            .filter_map(|feasibility| match feasibility {
                Feasibility::Infeasible(increment) => Some(increment),
                Feasibility::Feasible | Feasibility::Unknown(_) => None,
            })
            .collect();
        Decision::Other(first)
    }

    /// The interpolants of a chain of which something is hidden, if that refutes it; of each variant that is read off the proof. Without loop counters it takes `most` ticks.
    fn under_abstraction(
        &mut self,
        pool: &mut TermPool,
        parts: &[TermId],
        effort: &mut Effort,
        most: u64,
    ) -> Option<Vec<Vec<TermId>>> {
        let procedure = self.how.procedure;
        if procedure.abstraction == Templates::Counters {
            return self
                .how
                .built_in
                .hide_counters
                .then(|| self.without_counters(pool, parts, effort, most))?;
        }
        let (types, counters) = (self.how.types?, self.how.counters);
        let abstraction = procedure
            .abstraction
            .abstraction(pool, parts, types, counters, procedure.lattice)?;
        let (sequences, cost) = abstracted(pool, parts, &abstraction, &config(effort, self.how));
        effort.charge_interpolation(&cost);
        let sequences = sequences?;
        for sequence in &sequences {
            count_checks(sequence, effort);
        }
        Some(sequences)
    }

    /// The interpolants of a chain when nothing is known of the program's loop counters from one part to the next, if that refutes it.
    fn without_counters(
        &mut self,
        pool: &mut TermPool,
        parts: &[TermId],
        effort: &mut Effort,
        most: u64,
    ) -> Option<Vec<Vec<TermId>>> {
        self.is_hidden_cut_short = false;
        let counters = self.how.counters;
        let (&last, prefix) = parts.split_last()?;
        if !self.counters.connect_with(&counters.own_in(pool, last)) {
            return None;
        }
        let config = within(most, config(effort, self.how));
        let hidden = self.hidden.get_or_insert_with(|| {
            let prefix = prefix.iter().enumerate();
            let prefix: Vec<TermId> = prefix
                .map(|(number, &part)| counters.hide(pool, part, number))
                .collect();
            CommonPrefix::new(pool, &prefix, &config)
        });
        let last = counters.hide(pool, last, parts.len() - 1);
        let (result, cost) = hidden.sequence_with_cost(pool, last, &config);
        record_cost(pool, &chain(hidden, last), &result, &cost, effort);
        self.is_hidden_cut_short = matches!(result, SequenceResult::Unknown(UnknownReason::Ticks));
        match result {
            SequenceResult::Unsat(interpolants) => {
                let others = self.hidden.iter_mut().flat_map(CommonPrefix::take_others);
                Some(std::iter::once(interpolants).chain(others).collect())
            }
            _ => None,
        }
    }
}

/// The program's loop counters in the common blocks of chains.
struct CountersOfPrefix {
    all: FxHashSet<Symbol>,
    /// Whether two blocks share one.
    are_shared: bool,
}

impl CountersOfPrefix {
    fn new(pool: &TermPool, prefix: &[TermId], counters: &LoopCounters) -> CountersOfPrefix {
        let mut all = FxHashSet::default();
        let mut are_shared = false;
        for &part in prefix {
            for symbol in counters.own_in(pool, part) {
                are_shared |= !all.insert(symbol);
            }
        }
        CountersOfPrefix { all, are_shared }
    }

    /// Whether two blocks share a loop counter when the last one has these.
    fn connect_with(&self, last: &[Symbol]) -> bool {
        self.are_shared || last.iter().any(|symbol| self.all.contains(symbol))
    }
}

/// A formula together with the points for its operators.
fn with_values(pool: &mut TermPool, formula: TermId, points: &Points) -> TermId {
    let lemmas = points.lemmas(pool, formula);
    let lemmas = pool.and(&lemmas);
    pool.and2(formula, lemmas)
}

/// All parts of a chain.
fn chain(common: &CommonPrefix, last: TermId) -> Vec<TermId> {
    common.parts().iter().copied().chain([last]).collect()
}

/// The options of a query for interpolants.
pub(super) fn config(effort: &Effort, how: Inquiry<'_>) -> InterpolationConfig {
    let procedure = how.procedure;
    InterpolationConfig {
        ticks: effort.for_next_question(),
        interrupt: Some(Arc::clone(&effort.interrupt)),
        check: how.check || cfg!(debug_assertions),
        certify: how.check,
        variant: procedure.variant(),
        portfolio: procedure.portfolio,
        direction: procedure.direction,
        reduce_proof: procedure.reduce,
        drop_redundant: procedure.simplify,
        equality: procedure.equality != Equality::Arithmetic,
        minimise: how.built_in.minimise || how.built_in.suffix_first,
        suffix_first: how.built_in.suffix_first,
        delete: how.built_in.minimise,
        ..InterpolationConfig::default()
    }
}

/// The options with at most so many ticks.
pub(super) fn within(most: u64, config: InterpolationConfig) -> InterpolationConfig {
    InterpolationConfig {
        ticks: Some(config.ticks.map_or(most, |left| left.min(most))),
        ..config
    }
}

fn run_sequence(pool: &mut TermPool, parts: &[TermId], effort: &mut Effort, how: Inquiry<'_>) -> SequenceResult {
    let (result, cost) = sequence_with_cost(pool, parts, &config(effort, how));
    record_cost(pool, parts, &result, &cost, effort);
    result
}

/// Records the cost of a sequence, and the checks that it has passed.
fn record_cost(pool: &TermPool, parts: &[TermId], result: &SequenceResult, cost: &Cost, effort: &mut Effort) {
    effort.charge_interpolation(cost);
    match result {
        SequenceResult::Unsat(interpolants) => count_checks(interpolants, effort),
        SequenceResult::Sat(model) if effort.checks.enabled => checks::satisfies(pool, effort, model, parts),
        _ => {}
    }
}

/// Records that interpolants were checked with their proof, where they are.
fn count_checks(interpolants: &[TermId], effort: &mut Effort) {
    if effort.checks.enabled {
        effort.checks.interpolants += u64::try_from(interpolants.len()).unwrap_or(0);
        effort.checks.proofs += 1;
    }
}

enum Satisfiable {
    Yes(Model),
    No,
    Unknown(UnknownReason),
}

fn satisfiable(pool: &mut TermPool, parts: &[TermId], effort: &mut Effort) -> Satisfiable {
    let mut solver = effort.solver();
    for &part in parts {
        solver.assert(pool, part, Part(0));
    }
    let answer = solver.check(pool, &[]);
    effort.charge(&solver);
    match answer {
        Answer::Sat => {
            let model = solver.model(pool);
            if effort.checks.enabled {
                checks::satisfies(pool, effort, &model, parts);
            }
            Satisfiable::Yes(model)
        }
        Answer::Unsat => Satisfiable::No,
        Answer::Unknown(reason) => Satisfiable::Unknown(reason),
    }
}

/// Interpolates from left to right; `None` if not even one cut gives an interpolant.
fn cut_by_cut(pool: &mut TermPool, parts: &[TermId], effort: &mut Effort, how: Inquiry<'_>) -> Option<Vec<TermId>> {
    let mut interpolants = Vec::new();
    let mut known = pool.mk_true();
    let mut found = false;
    let start = effort.spent;
    for cut in 1..parts.len() {
        known = pool.and2(known, parts[cut - 1]);
        if effort.spent - start > MAX_CUT_TICKS {
            interpolants.push(pool.mk_true());
            continue;
        }
        let rest = pool.and(&parts[cut..]);
        match run_sequence(pool, &[known, rest], effort, how) {
            SequenceResult::Unsat(result) => {
                known = result[0];
                interpolants.push(known);
                found = true;
            }
            _ => interpolants.push(pool.mk_true()),
        }
    }
    found.then_some(interpolants)
}

/// Splits interpolants into predicates. `gapless` says that each of them follows from the one before it and the block between.
pub(super) fn of_interpolants(pool: &mut TermPool, interpolants: &[TermId], gapless: bool) -> Feasibility {
    let (truth, falsity) = (pool.mk_true(), pool.mk_false());
    let Some(pivot) = interpolants.iter().position(|&i| i != truth) else {
        return Feasibility::Unknown(
            "the last block alone is infeasible, its target state should have been dropped".to_string(),
        );
    };
    let mut predicates = Vec::new();
    let mut counts = Vec::new();
    let mut without_indices = Vec::new();
    for &interpolant in interpolants {
        let before = predicates.len();
        for atom in pool.atoms(interpolant) {
            if matches!(pool.term(atom), Term::Update { .. }) {
                return Feasibility::Unknown("an interpolant speaks of a whole memory region".to_string());
            }
            let predicate = pool.map_symbols(atom, &mut |s| Symbol { index: NO_INDEX, ..s });
            if !predicates[before..].contains(&predicate) {
                predicates.push(predicate);
            }
        }
        counts.push(predicates.len() - before);
        without_indices.push(pool.map_symbols(interpolant, &mut |s| Symbol { index: NO_INDEX, ..s }));
    }
    Feasibility::Infeasible(Increment {
        predicates: pool.export(&predicates),
        counts,
        interpolants: pool.export(&without_indices),
        contradictions: interpolants.iter().map(|&i| i == falsity).collect(),
        pivot,
        segment: gapless.then(|| {
            let end = interpolants.iter().position(|&i| i == falsity);
            (pivot, end.unwrap_or(interpolants.len()) + 1)
        }),
    })
}
