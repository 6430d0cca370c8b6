//! Algorithm 1 (`ExtractSlicedPrefixes`) of *Refinement selection* (Beyer, Löwe, Wendler, SPIN 2015), for the value analysis.
//!
//! The path is walked with the strongest post of the domain at full precision. Where an assumption has no successor, the path up to it is an infeasible sliced prefix; then the assumption becomes a no-op, and
//! the walk goes on. So one walk finds all prefixes, and the `n`-th one has the assumptions that end the prefixes before it as no-ops.

use super::interpolation::Sequence;
use crate::cpa::value::assignment::Assignment;
use crate::query::effort::Effort;
use provident_smt::fault::planted;

/// An infeasible sliced prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlicedPrefix {
    /// The position of its last step, an assumption that has no successor.
    pub end: usize,
    /// The positions of the assumptions before it that are no-ops, in order.
    pub dropped: Vec<usize>,
}

/// The infeasible sliced prefixes of a path, the shortest first, at most `limit` of them. There is none if constants do not refute the path. Where the effort runs out, those that were found till then.
pub fn extract_sliced_prefixes(mut path: Sequence<'_, '_, '_>, limit: usize, effort: &mut Effort) -> Vec<SlicedPrefix> {
    let mut prefixes = Vec::new();
    let mut at = Assignment::default();
    let mut from = 0;
    while prefixes.len() < limit
        && let Some(end) = path.walk(&mut at, from, effort)
    {
        prefixes.push(SlicedPrefix {
            end,
            dropped: path.dropped().to_vec(),
        });
        if !planted("contradiction-kept") {
            path.drop_assumption(end);
        }
        from = end + 1;
    }
    prefixes
}
