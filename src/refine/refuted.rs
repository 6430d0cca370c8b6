//! Segments of error paths that are known to be infeasible, with the refinement that rules them out.
//!
//! The interpolants of a chain begin at its pivot and end where they become `false`. Between these two places the argument is complete: whatever
//! comes before, no execution passes through *these* blocks one after the other. So every error path with the same segment is ruled out by
//! the same predicates at the same locations, and needs no solver. That is the form in which provident refinements share their work: paths
//! with a common prefix that is infeasible, paths that enter the same infeasible end from different beginnings, the same path in a
//! later iteration (its refinement was delayed), and identical chains are all recognised by comparing block ids.
//!
//! Work is shared in two more ways, both in [`provident`](super::provident): chains that differ only in their last block share one solver, in which their common blocks stay
//! encoded; and chains with the same last block wait for the result of the first of them. A trie of all common prefixes shares less than that.

use super::interpolation::Increment;
use crate::cpa::predicate::blocks::BlockId;
use provident_smt::hash::FxHashMap;
use std::sync::Arc;

/// An infeasible sequence of blocks.
#[derive(Debug, Clone)]
struct Segment {
    blocks: Vec<BlockId>,
    /// The increment of the chain in which it was found, and where in that chain the segment begins.
    increment: Arc<Increment>,
    start: usize,
}

/// The refuted segments.
#[derive(Debug, Clone, Default)]
pub struct Refuted {
    segments: Vec<Segment>,
    /// The segments that begin with a block, in order of discovery.
    by_first: FxHashMap<BlockId, Vec<usize>>,
}

impl Refuted {
    /// Records the infeasible segment of a refuted chain, if it has one that stands for itself.
    pub fn add(&mut self, chain: &[BlockId], increment: &Increment) {
        let Some((start, end)) = increment.segment else { return };
        let blocks = chain[start..end].to_vec();
        let known = self.by_first.entry(blocks[0]).or_default();
        if known.iter().any(|&at| blocks.starts_with(&self.segments[at].blocks)) {
            return;
        }
        known.push(self.segments.len());
        self.segments.push(Segment {
            blocks,
            increment: Arc::new(increment.clone()),
            start,
        });
    }

    /// The increment that rules a chain out, as far as is known: that of the segment that begins last.
    pub fn recognise(&self, chain: &[BlockId]) -> Option<Increment> {
        for at in (0..chain.len()).rev() {
            let known = self.by_first.get(&chain[at]).into_iter().flatten();
            for &number in known {
                let segment = &self.segments[number];
                if chain[at..].starts_with(&segment.blocks) {
                    return Some(segment.increment.moved(segment.start, at, chain.len()));
                }
            }
        }
        None
    }
}
