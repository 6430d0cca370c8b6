//! k-induction (Sheeran, Singh, Stålmarck, *Checking safety properties using induction and a SAT-solver*, FMCAD 2000) with auxiliary invariants (Beyer, Dangl, Wendler, *Boosting k-induction with
//! continuously-refined invariants*, CAV 2015).
//!
//! If no violation is within k steps of the start, and none comes one step behind any k steps without violation, there is none at all. The [auxiliary invariants](super::auxiliary) hold everywhere on these k steps; they are
//! sought again for each k, among the atoms of the interpolants that refute the violations within k steps.
//!
//! # The invariant
//!
//! A proof by k-induction is an invariant of k states in a row, and evidence here is an invariant of one. So when k-induction succeeds, [images](super::imc::images) of the start are taken with the same unrolling. They
//! cannot come to a violation: an image has no violation within k - 1 steps, and by k-induction none behind them. Whether they come to a fixed point remains open; if they do not, the next k is tried, and
//! the property is not called TRUE before there is an invariant.

use super::Found;
use super::auxiliary::Auxiliary;
use super::bounded::Bounded;
use super::graph::{BlockGraph, ROOT};
use super::imc::{Images, by_location, images};
use super::oracle::{Oracle, Sequence};
use super::unroll::Transition;
use provident_smt::term::TermId;
use std::collections::BTreeSet;

/// Images for one k: other interpolants of a longer unrolling may find a fixed point sooner.
const MAX_IMAGES: usize = 24;

/// Runs the algorithm.
pub(super) fn k_induction(graph: &BlockGraph, oracle: &mut Oracle<'_, '_>) -> Found {
    let bounded = Bounded::new(graph, oracle);
    let mut auxiliary = Auxiliary::new(graph, oracle);
    bounded.deepen(oracle, |oracle, transition, depth| {
        let known = everywhere(&auxiliary, oracle, transition);
        if is_inductive(oracle, transition, depth, known) {
            oracle.work.inductive += 1;
            match images(oracle, transition, depth, known, MAX_IMAGES) {
                Images::Fixed(union) => {
                    let invariant = oracle.domain.pool.and2(union, known);
                    return Some(Found::Safe(by_location(graph, oracle, transition, invariant)));
                }
                Images::Coarse | Images::Ended(Found::StuckAll(_)) => {}
                Images::Ended(found) => return Some(found),
            }
        }
        learn(oracle, transition, depth, &mut auxiliary);
        None
    })
}

/// The auxiliary invariants as one formula over all states.
fn everywhere(auxiliary: &Auxiliary<'_>, oracle: &mut Oracle<'_, '_>, transition: &Transition) -> TermId {
    let pool = &mut oracle.domain.pool;
    let mut all = Vec::new();
    for (location, invariants) in auxiliary.invariants.iter().enumerate() {
        let here = transition.at(pool, location, None);
        let invariant = pool.and(invariants);
        all.push(pool.implies(here, invariant));
    }
    pool.and(&all)
}

/// The step case: whether no violation is behind `depth` steps of which only the last one may lead to it, from any location.
fn is_inductive(oracle: &mut Oracle<'_, '_>, transition: &Transition, depth: u32, known: TermId) -> bool {
    let known = oracle.at_start(known);
    let pool = &mut oracle.domain.pool;
    // An execution at the start has the base case.
    let start: BTreeSet<usize> = (ROOT + 1..transition.violation).collect();
    let mut parts = transition.unroll(pool, &start, depth);
    for cut in 0..depth {
        parts.push(transition.shift(pool, known, cut));
    }
    let before = transition.at(pool, transition.violation, Some(depth - 1));
    parts.push(pool.not(before));
    parts.push(transition.at(pool, transition.violation, Some(depth)));
    oracle.refutes(&parts)
}

/// Takes the atoms of the interpolants of this unrolling as candidates.
fn learn(oracle: &mut Oracle<'_, '_>, transition: &Transition, depth: u32, auxiliary: &mut Auxiliary<'_>) {
    let parts = transition.refutation(&mut oracle.domain.pool, depth);
    let Sequence::Refuted(interpolants) = oracle.sequence(&parts) else {
        return;
    };
    let pool = &mut oracle.domain.pool;
    let all = pool.and(&interpolants);
    let candidates = auxiliary.atoms_of(pool, all, &mut |pool, formula, location| {
        transition.project(pool, formula, location)
    });
    auxiliary.add(oracle, candidates);
}
