//! What an execution that comes to a target may depend on.
//!
//! A slice trusts that what it leaves out comes to its end. Who asks whether a value decides that the target is reached cannot: a loop whose
//! end depends on the value may never end. So the loops are targets too (control dependence that is sensitive to termination: Podgurski and Clarke,
//! TSE 1990): each edge that leaves a cycle, and each call on a cycle of the call graph.

use super::data::{Memory, View};
use super::slice;
use crate::cfa::graph::components;
use crate::cfa::program::*;

/// For each edge whether it belongs to the slice toward a target in which every loop has to end.
pub fn relevant(program: &Program, target: EdgeId, memory: &dyn Memory) -> Vec<bool> {
    let mut targets = ends_of_loops(program);
    targets.push(target);
    targets.sort_unstable();
    targets.dedup();
    let slice = slice(program.clone(), &targets, memory, View::Full);
    let is_kept = |edge: &EdgeId| !matches!(slice.program.edge(*edge).op, Op::Nop);
    slice
        .edges
        .iter()
        .map(|edge| edge.as_ref().is_some_and(is_kept))
        .collect()
}

/// The edges that leave cycles, and the calls that stay on one.
fn ends_of_loops(program: &Program) -> Vec<EdgeId> {
    let successors = |node: NodeId| program.node(node).outgoing.iter().map(|&edge| program.edge(edge).to);
    let graph: Vec<Vec<NodeId>> = program.node_ids().map(|node| successors(node).collect()).collect();
    let component = components(&graph, |node| node.index());
    let mut is_cycle = vec![false; graph.len()];
    for edge in &program.edges {
        is_cycle[component[edge.from.index()]] |= component[edge.from.index()] == component[edge.to.index()];
    }
    let ends = |id: &EdgeId| {
        let edge = program.edge(*id);
        let (from, to) = (component[edge.from.index()], component[edge.to.index()]);
        match edge.op {
            Op::Nop => false,
            Op::Call { func, .. } => program.function(func).recursive || (is_cycle[from] && from != to),
            _ => is_cycle[from] && from != to,
        }
    };
    program.edge_ids().filter(ends).collect()
}
