//! The quality of the interpolants that refute an error path, in numbers, for people who study interpolants.
//!
//! Measured is the interpolant without SSA indices: what the precision gets. Nothing here runs unless somebody keeps a log, and nothing depends on it: interpolants are measured in a pool of their own,
//! and the symbols that blocks share are counted without building their formulas.

use super::interpolation::Increment;
use super::path::ErrorPath;
use crate::cpa::predicate::Predicates;
use provident_smt::interpolate::{Measures, shared_at_cuts};
use provident_smt::term::TermPool;

/// An interpolant that is not constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// Its boundary on the error path, from 0.
    pub boundary: usize,
    /// The measures of the formula.
    pub measures: Measures,
    /// How many variables and functions occur on both sides of the boundary: an interpolant may speak of these. `None` where the interpolants are no sequence: a nested
    /// interpolant speaks of what a call shares with the rest of the path.
    pub shared: Option<usize>,
}

/// The interpolants of an error path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MeasuredSequence {
    /// Those that are not constant, in the order of their boundaries.
    pub interpolants: Vec<Measured>,
    /// How many are `true`.
    pub truths: usize,
    /// How many are `false`.
    pub falsities: usize,
}

/// Measures the interpolants of an increment for an error path.
pub fn measure(predicates: &mut Predicates<'_>, path: &ErrorPath, increment: &Increment) -> MeasuredSequence {
    let mut scratch = TermPool::new();
    let interpolants = scratch.import(&increment.interpolants);
    let (truth, falsity) = (scratch.mk_true(), scratch.mk_false());
    let mut sequence = MeasuredSequence {
        truths: interpolants.iter().filter(|&&interpolant| interpolant == truth).count(),
        falsities: interpolants
            .iter()
            .filter(|&&interpolant| interpolant == falsity)
            .count(),
        ..MeasuredSequence::default()
    };
    let Predicates {
        blocks, encoder, pool, ..
    } = predicates;
    let shared = shared_at_cuts(&blocks.chain_symbols(encoder, pool, &path.blocks));
    for (boundary, (interpolant, shared)) in interpolants.into_iter().zip(shared).enumerate() {
        let measures = Measures::of(&scratch, interpolant);
        if !measures.is_trivial() {
            sequence.interpolants.push(Measured {
                boundary,
                measures,
                shared: increment.segment.is_some().then_some(shared),
            });
        }
    }
    sequence
}
