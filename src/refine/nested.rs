//! Nested interpolants: predicates for error paths through calls that return.
//!
//! Heizmann, Hoenicke, Podelski, *Nested interpolants*, POPL 2010; computed as tree interpolants (McMillan, Rybalchenko, *Solving constrained Horn clauses using interpolation*, 2013).
//!
//! A sequence interpolant inside of a call may speak of the caller's variables, and of how the path came to the call. With block-abstraction memoization the callee is explored without these, so
//! such predicates are lost. In a tree, the way through a call that returns hangs beside the way to it. The interpolant there follows from the way through the call alone: it speaks of what the callee
//! has at its entry and at this place, so it is a part of its contract. The interpolant at the entry of the call is what the caller knows meanwhile.
//!
//! # Values at the entry
//!
//! An interpolant inside of a call may relate values at the entry with those at its place. A predicate has no words for the former if the variable was written since. Such an interpolant is
//! replaced by that of the sequence, which is about one calling context: then the reduced state at the entry carries what the context knows.

use super::Target;
use super::interpolation::{Feasibility, Inquiry, config, of_interpolants, within};
use super::path::ErrorPath;
use super::prefer::Merit;
use super::provident::Candidate;
use crate::cpa::predicate::Predicates;
use crate::cpa::predicate::blocks::Offsets;
use crate::query::effort::describe;
use crate::query::points;
use provident_smt::interpolate::{SequenceResult, sequence_with_cost, tree_with_cost};
use provident_smt::solver::UnknownReason;
use provident_smt::term::{NO_INDEX, TermId, TermPool};

/// How often wrong values of operators are corrected in one path.
const MAX_CORRECTIONS: usize = 24;

/// Decides the error path of a target whose calls that return are those of `parents`, see [`FlatPath::parents`](crate::cpa::predicate::flat::FlatPath::parents). `None` if there are no nested
/// interpolants for it: other ways to refine it may be tried.
pub fn nested_refinement(
    predicates: &mut Predicates<'_>,
    target: &Target,
    parents: &[usize],
    how: Inquiry<'_>,
) -> Option<Candidate> {
    let path = ErrorPath::new(predicates, target);
    let before = predicates.effort.spent;
    let mut new_points = 0;
    for round in 0.. {
        let Predicates {
            blocks,
            encoder,
            pool,
            effort,
            ..
        } = predicates;
        let (parts, ends) = blocks.chain_with_ends(encoder, pool, &path.blocks);
        let most = effort.for_one_question();
        let (result, cost) = tree_with_cost(pool, &parts, parents, &within(most, config(effort, how)));
        effort.charge_interpolation(&cost);
        let feasibility = match result {
            SequenceResult::Sat(model) => {
                let wrong = points::violated(pool, &model, &parts);
                if !wrong.is_empty() && round < MAX_CORRECTIONS {
                    let new = predicates.learn(&wrong);
                    new_points += new;
                    if new > 0 {
                        continue;
                    }
                }
                Feasibility::Feasible
            }
            SequenceResult::Unsat(interpolants) => {
                let interpolants = in_words(predicates, &parts, &ends, interpolants, how);
                of_interpolants(&mut predicates.pool, &interpolants, false)
            }
            SequenceResult::Unknown(UnknownReason::Incomplete(_)) => return None,
            SequenceResult::Unknown(UnknownReason::Ticks) if !effort.is_exhausted() => return None,
            SequenceResult::Unknown(reason) => Feasibility::Unknown(describe(reason)),
        };
        return Some(Candidate {
            target: target.clone(),
            path,
            feasibility,
            new_points,
            recognised: false,
            counts_loops: false,
            prefixes: 0,
            merit: Merit::default(),
            ticks: predicates.effort.spent - before,
        });
    }
    unreachable!("the rounds end when no wrong value is left, or with the last of them");
}

/// The interpolants, with those of the sequence where they speak of values that a predicate has no words for.
fn in_words(
    predicates: &mut Predicates<'_>,
    parts: &[TermId],
    ends: &[Offsets],
    nested: Vec<TermId>,
    how: Inquiry<'_>,
) -> Vec<TermId> {
    let Predicates { pool, effort, .. } = predicates;
    let speaks_of_now = |pool: &TermPool, interpolant: TermId, end: &Offsets| {
        let symbols = pool.symbols(interpolant);
        symbols
            .iter()
            .all(|symbol| symbol.index == NO_INDEX || symbol.index == end.version(symbol.name))
    };
    let has_words: Vec<bool> = nested
        .iter()
        .zip(ends)
        .map(|(&interpolant, end)| speaks_of_now(pool, interpolant, end))
        .collect();
    if has_words.iter().all(|&has_words| has_words) {
        return nested;
    }
    let (result, cost) = sequence_with_cost(pool, parts, &config(effort, how));
    effort.charge_interpolation(&cost);
    let truth = pool.mk_true();
    let SequenceResult::Unsat(sequence) = result else {
        let kept = nested.into_iter().zip(has_words);
        return kept
            .map(|(interpolant, has_words)| if has_words { interpolant } else { truth })
            .collect();
    };
    let falsity = pool.mk_false();
    let mut chosen = Vec::new();
    for ((nested, sequence), has_words) in nested.into_iter().zip(sequence).zip(has_words) {
        // The interpolants of the sequence need each other at all places.
        let is_plain = nested == falsity || sequence == falsity;
        chosen.push(match has_words {
            false => sequence,
            true if is_plain => nested,
            true => pool.and2(nested, sequence),
        });
    }
    chosen
}
