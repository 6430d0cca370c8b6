//! Interpolation-sequence based model checking (Vizel, Grumberg, *Interpolation-sequence based model checking*, FMCAD 2009) for software (Beyer, Lee, Wendler, *Interpolation and SAT-based model checking
//! revisited*, Journal of Automated Reasoning 2024).
//!
//! The interpolants between the steps of an unrolling without violation are collected by their distance from the start: the i-th *reachability vector* holds whenever i steps are taken. If one of them implies the
//! disjunction of those before it, that disjunction is an invariant. Nothing is asked about images: each depth costs one refutation.

use super::Found;
use super::bounded::Bounded;
use super::graph::{BlockGraph, ROOT};
use super::imc::by_location;
use super::oracle::{Oracle, Sequence};
use provident_smt::term::TermId;
use std::collections::BTreeSet;

/// Runs the algorithm.
pub(super) fn ismc(graph: &BlockGraph, oracle: &mut Oracle<'_, '_>) -> Found {
    let mut vector: Vec<TermId> = Vec::new();
    Bounded::new(graph, oracle).deepen(oracle, |oracle, transition, depth| {
        let pool = &mut oracle.domain.pool;
        let parts = transition.refutation(pool, depth);
        let interpolants = match oracle.sequence(&parts) {
            Sequence::Refuted(interpolants) => interpolants,
            Sequence::Feasible => return Some(Found::stuck("the unrolled program has no violation and has one")),
            Sequence::Unknown(_) if oracle.is_exhausted() => return Some(Found::Exhausted),
            Sequence::Unknown(reason) => return Some(Found::StuckAll(reason)),
        };
        let pool = &mut oracle.domain.pool;
        vector.resize(interpolants.len(), pool.mk_true());
        let layers = transition.layers(&BTreeSet::from([ROOT]), depth);
        for ((known, interpolant), layer) in vector.iter_mut().zip(interpolants).zip(&layers[1..]) {
            let within = transition.within(pool, layer);
            *known = pool.and(&[*known, within, interpolant]);
        }
        let start = transition.at(pool, ROOT, None);
        let union = fixed_point(oracle, &vector, start)?;
        Some(Found::Safe(by_location(graph, oracle, transition, union)))
    })
}

/// The disjunction of the start and the first vectors, if the next one implies it.
pub(super) fn fixed_point(oracle: &mut Oracle<'_, '_>, vector: &[TermId], start: TermId) -> Option<TermId> {
    let mut union = start;
    for &reached in vector {
        if oracle.entails(reached, union) {
            return Some(union);
        }
        union = oracle.domain.pool.or2(union, reached);
    }
    None
}
