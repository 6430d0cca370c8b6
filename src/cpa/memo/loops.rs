//! Which loops are blocks.
//!
//! A block is a natural loop: a head, and all locations from which control comes back to the head without leaving the loop. It is entered at its head only, from outside and, in its own exploration, by the
//! edges that lead back. It is left by every edge from one of its locations to another one: where its condition fails, and by `break`, `goto` and `return`, also into a loop further out or behind it.
//!
//! # Irreducible loops
//!
//! A cycle that is entered at several places (a `goto` into a loop) is no block. No single state stands for all ways into it, and the entry that is not the head would have to be told from a step inside. Such
//! cycles are explored where they stand; natural loops in them, and around them, are blocks all the same.

use crate::cfa::analysis::graph::loop_body;
use crate::cfa::{EdgeId, FuncId, NodeId, Program};
use std::collections::BTreeSet;

/// A loop that is a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopBlock {
    /// The location at which it is entered.
    pub head: NodeId,
    /// The function that it is in.
    pub func: FuncId,
    /// Its locations, the head among them.
    body: BTreeSet<NodeId>,
    /// The edges between its locations, ascending.
    inside: Vec<EdgeId>,
    /// The edges that leave it, ascending.
    exits: Vec<EdgeId>,
}

impl LoopBlock {
    /// The loop of a head; `None` if it can be entered elsewhere.
    pub fn new(program: &Program, head: NodeId) -> Option<LoopBlock> {
        let func = program.node(head).func;
        let body: BTreeSet<NodeId> = loop_body(program, head).into_iter().collect();
        let is_entered = |&node: &NodeId| {
            let mut sources = program.node(node).incoming.iter().map(|&edge| program.edge(edge).from);
            node != head && (node == program.function(func).entry || sources.any(|from| !body.contains(&from)))
        };
        if body.iter().any(is_entered) {
            return None;
        }
        let edges: BTreeSet<EdgeId> = body
            .iter()
            .flat_map(|&node| program.node(node).outgoing.clone())
            .collect();
        let (inside, exits) = edges
            .into_iter()
            .partition(|&edge| body.contains(&program.edge(edge).to));
        Some(LoopBlock {
            head,
            func,
            body,
            inside,
            exits,
        })
    }

    /// Whether a location is in the loop.
    pub fn contains(&self, node: NodeId) -> bool {
        self.body.contains(&node)
    }

    /// Whether a location is in the loop, or an edge leaves the loop to there: what an exploration of the block may reach in its function.
    pub fn reaches(&self, program: &Program, node: NodeId) -> bool {
        self.contains(node) || self.exit_to(program, node).is_some()
    }

    /// The first edge that leaves the loop to a location.
    pub fn exit_to(&self, program: &Program, node: NodeId) -> Option<EdgeId> {
        self.exits.iter().copied().find(|&edge| program.edge(edge).to == node)
    }

    /// The edges that leave the loop.
    pub fn exits(&self) -> &[EdgeId] {
        &self.exits
    }

    /// All edges that start in the loop.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> + '_ {
        self.inside.iter().chain(&self.exits).copied()
    }
}
