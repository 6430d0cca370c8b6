//! Interpolation-based model checking (McMillan, *Interpolation and SAT-based model checking*, CAV 2003) for software (Beyer, Lee, Wendler, *Interpolation and SAT-based model checking revisited*, Journal of
//! Automated Reasoning 2024).
//!
//! For a depth k without violation, the interpolant between the first step from a set of states and the other k - 1 steps to a violation is an image of that set that is too big, but from which no violation is
//! k - 1 steps away. Images of images follow, until one adds nothing to their union: then the union is an invariant. If such an image comes to a violation, k was too small.

use super::Found;
use super::bounded::Bounded;
use super::graph::{BlockGraph, ROOT};
use super::oracle::{Oracle, Sequence};
use super::unroll::Transition;
use provident_smt::term::TermId;
use std::collections::BTreeSet;

/// How a search for a fixed point ended.
pub(super) enum Images {
    /// The union of the images is an invariant.
    Fixed(TermId),
    /// An image leads to a violation, or there were many without a fixed point.
    Coarse,
    /// There is no answer.
    Ended(Found),
}

/// Runs the algorithm.
pub(super) fn imc(graph: &BlockGraph, oracle: &mut Oracle<'_, '_>) -> Found {
    Bounded::new(graph, oracle).deepen(oracle, |oracle, transition, depth| {
        let truth = oracle.domain.pool.mk_true();
        match images(oracle, transition, depth, truth, usize::MAX) {
            Images::Fixed(union) => Some(Found::Safe(by_location(graph, oracle, transition, union))),
            Images::Coarse => None,
            Images::Ended(found) => Some(found),
        }
    })
}

/// Images of the program's start, with an unrolling of this depth that has no violation. `everywhere` is a formula over all states that is inductive. At most
/// `most` images are taken.
pub(super) fn images(
    oracle: &mut Oracle<'_, '_>,
    transition: &Transition,
    depth: u32,
    everywhere: TermId,
    most: usize,
) -> Images {
    let pool = &mut oracle.domain.pool;
    let mut image = transition.at(pool, ROOT, None);
    let mut union = image;
    let mut layer = BTreeSet::from([ROOT]);
    for number in 0..most {
        if oracle.is_exhausted() {
            return Images::Ended(Found::Exhausted);
        }
        let known = oracle.at_start(everywhere);
        let first = oracle.at_start(image);
        let pool = &mut oracle.domain.pool;
        let mut steps = transition.unroll(pool, &layer, depth);
        for (cut, step) in (0..).zip(&mut steps) {
            let known = transition.shift(pool, known, cut);
            *step = pool.and2(known, *step);
        }
        let violation = transition.at(pool, transition.violation, Some(depth));
        let prefix = pool.and2(first, steps[0]);
        let rest = pool.and(&steps[1..]);
        let suffix = pool.and2(rest, violation);
        oracle.work.images += 1;
        let next = match oracle.sequence(&[prefix, suffix]) {
            Sequence::Refuted(interpolants) => interpolants[0],
            // An infeasible unrolling may have wrong values of operators, which the bounded check has corrected for itself.
            Sequence::Feasible if number == 0 => {
                return Images::Ended(Found::stuck("the unrolled program has no violation and has one"));
            }
            Sequence::Feasible => return Images::Coarse,
            Sequence::Unknown(_) if oracle.is_exhausted() => return Images::Ended(Found::Exhausted),
            Sequence::Unknown(reason) => return Images::Ended(Found::StuckAll(reason)),
        };
        layer = transition.behind(&layer);
        let pool = &mut oracle.domain.pool;
        layer.retain(|&location| transition.project(pool, next, location) != pool.mk_false());
        let within = transition.within(pool, &layer);
        image = pool.and2(within, next);
        let image_and_known = pool.and2(image, everywhere);
        if oracle.entails(image_and_known, union) {
            return Images::Fixed(union);
        }
        union = oracle.domain.pool.or2(union, image);
    }
    Images::Coarse
}

/// The part of a formula over all states that concerns each location.
pub(super) fn by_location(
    graph: &BlockGraph,
    oracle: &mut Oracle<'_, '_>,
    transition: &Transition,
    formula: TermId,
) -> Vec<TermId> {
    let pool = &mut oracle.domain.pool;
    (0..graph.locations.len())
        .map(|location| transition.project(pool, formula, location))
        .collect()
}
