//! The abstract error path of a target state, as the chain of its blocks.
//!
//! Because blocks merge paths, a chain stands for all paths through the same abstraction states at once: if it is infeasible, one refinement
//! refutes them all.

use super::{Analysis, Target};
use crate::cfa::NodeId;
use crate::cpa::algorithm::Reached;
use crate::cpa::arg::ArgId;
use crate::cpa::predicate::blocks::BlockId;
use crate::cpa::predicate::{AbsId, Phase, Predicates};
use std::collections::BTreeSet;

/// An abstract error path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ErrorPath {
    /// The blocks from the program's start to the target.
    pub blocks: Vec<BlockId>,
    /// The abstractions between the blocks: one fewer.
    pub boundaries: Vec<AbsId>,
}

impl ErrorPath {
    /// The error path of a target state.
    pub fn new(predicates: &Predicates<'_>, target: &Target) -> Self {
        let chain = predicates.ancestors(target.state.abs);
        let boundaries: Vec<AbsId> = chain.into_iter().filter(|&abs| abs != AbsId::ROOT).collect();
        let blocks = boundaries
            .iter()
            .map(|&abs| predicates.record(abs).block)
            .chain([target.state.block])
            .collect();
        ErrorPath { blocks, boundaries }
    }

    /// The locations between the blocks.
    pub fn locations(&self, predicates: &Predicates<'_>) -> Vec<NodeId> {
        self.boundaries
            .iter()
            .map(|&abs| predicates.record(abs).control.node)
            .collect()
    }
}

/// The node of the graph, above a target, that holds an abstraction.
pub fn find_abstraction<'p>(reached: &Reached<Analysis<'p>>, target: ArgId, abs: AbsId) -> Option<ArgId> {
    let mut seen = BTreeSet::new();
    let mut open = vec![target];
    while let Some(id) = open.pop() {
        let node = &reached.arg[id];
        if node.state.data.1.phase == Phase::Abstracted && node.state.data.1.abs == abs {
            return Some(id);
        }
        open.extend(
            node.parents
                .iter()
                .map(|&(parent, _)| parent)
                .filter(|&parent| seen.insert(parent)),
        );
    }
    None
}
