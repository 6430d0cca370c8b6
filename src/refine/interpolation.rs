//! Is a chain of blocks feasible, and if not, which predicates refute it?
//!
//! The predicates between two blocks are the atoms of the sequence interpolant there (Henzinger, Jhala, Majumdar, McMillan,
//! *Abstractions from proofs*, POPL 2004). The interpolants of a sequence imply each other through the blocks; so Boolean abstraction over their atoms at the
//! same places cannot reach the target along this chain again.
//!
//! # When the sequence cannot be interpolated
//!
//! A proof may need a lemma that no part has all symbols of. Then the cuts are interpolated from left to right, each by a binary query between what is
//! known so far (the last interpolant and the blocks since then) and the rest. A cut that fails is skipped: it gets no predicates. If at least one
//! cut succeeds, the refinement is useful though perhaps not sufficient; the engine notices when it is not.

use crate::cpa::checks;
use crate::cpa::effort::{Effort, describe};
use crate::cpa::points::{self, Point, Points};
use provident_smt::interpolate::{InterpolationConfig, Labelling, SequenceResult, Variant, sequence_with_ticks};
use provident_smt::model::Model;
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, UnknownReason};
use provident_smt::term::{NO_INDEX, Portable, Symbol, Term, TermId, TermPool};
use std::sync::Arc;

/// How interpolants are sought. The first attempt uses the default; when a refinement brings nothing new, others are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strategy {
    /// Which side shared literals count for.
    pub labelling: Labelling,
    /// Whether to take the first proof as it is, instead of looking for a smaller one.
    pub first_proof: bool,
}

/// What was found out about a chain.
#[derive(Debug, Clone)]
pub enum Feasibility {
    /// Its formula has a model.
    Feasible,
    /// It has none, and these predicates show it.
    Infeasible(Increment),
    /// Neither is known, or no predicates could be found.
    Unknown(String),
}

/// New predicates for the boundaries of a chain.
#[derive(Debug, Clone)]
pub struct Increment {
    /// All predicates, without SSA indices, boundary after boundary.
    pub predicates: Portable,
    /// How many of them belong to each boundary.
    pub counts: Vec<usize>,
    /// The interpolants themselves, without SSA indices, one per boundary.
    pub interpolants: Portable,
    /// Whether the interpolant of a boundary is `false`: the chain is infeasible up to there.
    pub contradictions: Vec<bool>,
    /// The first boundary whose interpolant is not `true`: there the abstract path and the program part.
    pub pivot: usize,
}

impl Increment {
    /// The atoms of the interpolants as predicates for each boundary.
    pub fn by_atoms(&self, pool: &mut TermPool) -> Vec<Vec<TermId>> {
        let predicates = pool.import(&self.predicates);
        let mut rest = predicates.as_slice();
        let mut by_boundary = Vec::new();
        for &size in &self.counts {
            let (here, after) = rest.split_at(size);
            rest = after;
            by_boundary.push(here.to_vec());
        }
        by_boundary
    }

    /// The interpolants as predicates for each boundary; none where an interpolant is a constant.
    pub fn as_wholes(&self, pool: &mut TermPool) -> Vec<Vec<TermId>> {
        let interpolants = pool.import(&self.interpolants);
        let is_constant = |pool: &TermPool, i: TermId| i == pool.mk_true() || i == pool.mk_false();
        let mut by_boundary = Vec::new();
        for interpolant in interpolants {
            by_boundary.push(if is_constant(pool, interpolant) {
                Vec::new()
            } else {
                vec![interpolant]
            });
        }
        by_boundary
    }
}

impl Strategy {
    /// What is tried after the default.
    pub const ALTERNATIVES: [Strategy; 4] = [
        Strategy {
            labelling: Labelling::DualMcMillan,
            first_proof: false,
        },
        Strategy {
            labelling: Labelling::McMillan,
            first_proof: true,
        },
        Strategy {
            labelling: Labelling::Pudlak,
            first_proof: false,
        },
        Strategy {
            labelling: Labelling::DualMcMillan,
            first_proof: true,
        },
    ];
}

/// A decided chain.
#[derive(Debug, Clone)]
pub struct Analysed {
    /// The answer.
    pub feasibility: Feasibility,
    /// The points of non-linear operators that it took.
    pub points: Vec<Point>,
}

/// Cuts are interpolated one by one until so many ticks are spent.
const MOST_CUT_TICKS: u64 = 5_000_000;

/// How often wrong values of operators are corrected in one chain.
const MOST_CORRECTIONS: usize = 24;

/// Decides a chain of block formulas, given as terms of `pool`. Books its effort.
///
/// Models that rest on wrong values of non-linear operators are excluded by the true values, as long as that leads somewhere.
pub fn analyse(
    pool: &mut TermPool,
    parts: &[TermId],
    effort: &mut Effort,
    check: bool,
    strategy: Strategy,
) -> Analysed {
    let mut parts = parts.to_vec();
    let mut known = Points::default();
    let mut found = Vec::new();
    for round in 0.. {
        let model = match decide(pool, &parts, effort, check, strategy) {
            Decision::Sat(model) => model,
            Decision::Other(feasibility) => {
                return Analysed {
                    feasibility,
                    points: found,
                };
            }
        };
        let mut wrong = points::violated(pool, &model, &parts);
        wrong.retain(|point| round < MOST_CORRECTIONS && known.add(point.clone()));
        if wrong.is_empty() {
            break;
        }
        found.extend(wrong);
        for part in &mut parts {
            let lemmas = known.lemmas(pool, *part);
            let lemmas = pool.and(&lemmas);
            *part = pool.and2(*part, lemmas);
        }
    }
    Analysed {
        feasibility: Feasibility::Feasible,
        points: found,
    }
}

/// The answer for a chain as it stands.
enum Decision {
    Sat(Model),
    Other(Feasibility),
}

fn decide(pool: &mut TermPool, parts: &[TermId], effort: &mut Effort, check: bool, strategy: Strategy) -> Decision {
    let unknown = |reason: String| Decision::Other(Feasibility::Unknown(reason));
    if parts.len() == 1 {
        // A chain of one block needs no interpolants.
        return match satisfiable(pool, parts, effort) {
            Satisfiable::Yes(model) => Decision::Sat(model),
            Satisfiable::No => unknown("a target state that its only block cannot reach was kept".to_string()),
            Satisfiable::Unknown(reason) => unknown(describe(reason)),
        };
    }
    if !strategy.first_proof {
        let skipped = shortest_infeasible_suffix(pool, parts, effort);
        if skipped > 0
            && let SequenceResult::Unsat(rest) = run_sequence(pool, &parts[skipped..], effort, check, strategy)
        {
            let mut interpolants = vec![pool.mk_true(); skipped];
            interpolants.extend(rest);
            return Decision::Other(increment(pool, &interpolants));
        }
    }
    match run_sequence(pool, parts, effort, check, strategy) {
        SequenceResult::Sat(model) => Decision::Sat(model),
        SequenceResult::Unsat(interpolants) => Decision::Other(increment(pool, &interpolants)),
        SequenceResult::Unknown(UnknownReason::Incomplete(what)) => match satisfiable(pool, parts, effort) {
            Satisfiable::Yes(model) => Decision::Sat(model),
            Satisfiable::Unknown(reason) => unknown(describe(reason)),
            Satisfiable::No => match cut_by_cut(pool, parts, effort, check, strategy) {
                Some(interpolants) => Decision::Other(increment(pool, &interpolants)),
                None => unknown(format!("no interpolants: {what}")),
            },
        },
        SequenceResult::Unknown(reason) => unknown(describe(reason)),
    }
}

/// How many parts at the beginning are not needed: a number such that the rest has no model. Found by doubling the length, then by
/// bisection; 0 if nothing shorter than the whole was found infeasible.
///
/// What refutes the end of a path alone refutes it behind every beginning: the predicates know nothing of initial values, and hold in later
/// rounds of a loop as well.
fn shortest_infeasible_suffix(pool: &mut TermPool, parts: &[TermId], effort: &mut Effort) -> usize {
    let mut is_infeasible = |length: usize| {
        let suffix = &parts[parts.len() - length..];
        matches!(satisfiable(pool, suffix, effort), Satisfiable::No)
    };
    let (mut feasible, mut length) = (1, 2);
    loop {
        if length >= parts.len() {
            return 0;
        }
        if is_infeasible(length) {
            break;
        }
        feasible = length;
        length *= 2;
    }
    let mut infeasible = length;
    while feasible + 1 < infeasible {
        let middle = usize::midpoint(feasible, infeasible);
        if is_infeasible(middle) {
            infeasible = middle;
        } else {
            feasible = middle;
        }
    }
    parts.len() - infeasible
}

fn run_sequence(
    pool: &mut TermPool,
    parts: &[TermId],
    effort: &mut Effort,
    check: bool,
    strategy: Strategy,
) -> SequenceResult {
    let config = InterpolationConfig {
        ticks: effort.remaining(),
        interrupt: Some(Arc::clone(&effort.interrupt)),
        check: check || cfg!(debug_assertions),
        variant: Variant {
            labelling: strategy.labelling,
            ..Variant::default()
        },
        minimise: !strategy.first_proof,
        ..InterpolationConfig::default()
    };
    let (result, ticks) = sequence_with_ticks(pool, parts, &config);
    effort.spent = effort.spent.saturating_add(ticks);
    match &result {
        SequenceResult::Unsat(interpolants) if check => {
            effort.checks.interpolants += u64::try_from(interpolants.len()).unwrap_or(0);
            effort.checks.proofs += 1;
        }
        SequenceResult::Sat(model) if check => checks::satisfies(pool, effort, model, parts),
        _ => {}
    }
    result
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
    effort.book(&solver);
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
fn cut_by_cut(
    pool: &mut TermPool,
    parts: &[TermId],
    effort: &mut Effort,
    check: bool,
    strategy: Strategy,
) -> Option<Vec<TermId>> {
    let mut interpolants = Vec::new();
    let mut known = pool.mk_true();
    let mut found = false;
    let start = effort.spent;
    for cut in 1..parts.len() {
        known = pool.and2(known, parts[cut - 1]);
        if effort.spent - start > MOST_CUT_TICKS {
            interpolants.push(pool.mk_true());
            continue;
        }
        let rest = pool.and(&parts[cut..]);
        match run_sequence(pool, &[known, rest], effort, check, strategy) {
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

/// Splits interpolants into predicates.
fn increment(pool: &mut TermPool, interpolants: &[TermId]) -> Feasibility {
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
    })
}
