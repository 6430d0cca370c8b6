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

use crate::cpa::effort::{Effort, describe};
use provident_smt::interpolate::{InterpolationConfig, SequenceResult, sequence};
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, UnknownReason};
use provident_smt::term::{NO_INDEX, Portable, Symbol, Term, TermId, TermPool};
use std::sync::Arc;

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
    /// The first boundary whose interpolant is not `true`: there the abstract path and the program part.
    pub pivot: usize,
}

/// Decides a chain of block formulas, given as terms of `pool`. Books its effort.
pub fn analyse(pool: &mut TermPool, parts: &[TermId], effort: &mut Effort, check: bool) -> Feasibility {
    if parts.len() == 1 {
        // A chain of one block needs no interpolants.
        return match satisfiable(pool, parts, effort) {
            Answer::Sat => Feasibility::Feasible,
            Answer::Unsat => {
                Feasibility::Unknown("a target state that its only block cannot reach was kept".to_string())
            }
            Answer::Unknown(reason) => Feasibility::Unknown(describe(reason)),
        };
    }
    match run_sequence(pool, parts, effort, check) {
        SequenceResult::Sat(_) => Feasibility::Feasible,
        SequenceResult::Unsat(interpolants) => increment(pool, &interpolants),
        SequenceResult::Unknown(UnknownReason::Incomplete(what)) => match satisfiable(pool, parts, effort) {
            Answer::Sat => Feasibility::Feasible,
            Answer::Unknown(reason) => Feasibility::Unknown(describe(reason)),
            Answer::Unsat => match cut_by_cut(pool, parts, effort, check) {
                Some(interpolants) => increment(pool, &interpolants),
                None => Feasibility::Unknown(format!("no interpolants: {what}")),
            },
        },
        SequenceResult::Unknown(reason) => Feasibility::Unknown(describe(reason)),
    }
}

fn run_sequence(pool: &mut TermPool, parts: &[TermId], effort: &mut Effort, check: bool) -> SequenceResult {
    let config = InterpolationConfig {
        ticks: effort.remaining(),
        interrupt: Some(Arc::clone(&effort.interrupt)),
        check: check || cfg!(debug_assertions),
        ..InterpolationConfig::default()
    };
    sequence(pool, parts, &config)
}

fn satisfiable(pool: &mut TermPool, parts: &[TermId], effort: &mut Effort) -> Answer {
    let mut solver = effort.solver();
    for &part in parts {
        solver.assert(pool, part, Part(0));
    }
    let answer = solver.check(pool, &[]);
    effort.book(&solver);
    answer
}

/// Interpolates from left to right; `None` if not even one cut gives an interpolant.
fn cut_by_cut(pool: &mut TermPool, parts: &[TermId], effort: &mut Effort, check: bool) -> Option<Vec<TermId>> {
    let mut interpolants = Vec::new();
    let mut known = pool.mk_true();
    let mut found = false;
    for cut in 1..parts.len() {
        known = pool.and2(known, parts[cut - 1]);
        let rest = pool.and(&parts[cut..]);
        match run_sequence(pool, &[known, rest], effort, check) {
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
    let truth = pool.mk_true();
    let Some(pivot) = interpolants.iter().position(|&i| i != truth) else {
        return Feasibility::Unknown(
            "the last block alone is infeasible, its target state should have been dropped".to_string(),
        );
    };
    let mut predicates = Vec::new();
    let mut counts = Vec::new();
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
    }
    Feasibility::Infeasible(Increment {
        predicates: pool.export(&predicates),
        counts,
        pivot,
    })
}
