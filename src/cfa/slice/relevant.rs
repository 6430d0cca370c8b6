//! The edges that an execution which comes to a target may depend on.
//!
//! A slice assumes that the parts it leaves out terminate. The question whether a value decides that the target is reached cannot assume that: a loop whose
//! end depends on the value may never end. So the loops are targets too (control dependence that is sensitive to termination: Podgurski and Clarke,
//! TSE 1990): each edge that leaves a cycle, and each call on a cycle of the call graph.
//!
//! An execution also ends where its behaviour is undefined in a way that stops programs: at an access through a pointer or an index that may lead out of all objects, at
//! a division by what may be zero. These are targets too, for what decides whether they are passed, and with which values.

use super::data::{Memory, View};
use super::slice;
use crate::cfa::analysis::graph::components;
use crate::cfa::program::expr;
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;
use provident_smt::num::Int;

/// For each edge whether it belongs to the slice toward a target in which every loop has to end.
pub fn relevant(program: &Program, target: EdgeId, memory: &dyn Memory) -> Vec<bool> {
    let mut targets = ends_of_loops(program);
    targets.extend(program.edge_ids().filter(|&edge| may_stop(&program.edge(edge).op)));
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

/// Whether an operation may be undefined in a way that stops programs.
fn may_stop(op: &Op) -> bool {
    let mut found = matches!(
        op,
        Op::Free { .. }
            | Op::MemSet { .. }
            | Op::MemCopy { .. }
            | Op::Inspect {
                question: Inspection::Size(_),
                ..
            }
    );
    let mut divides = |e: &Expr| match &e.kind {
        ExprKind::Binary(BinOp::Div | BinOp::Rem, _, by) => {
            found |= by.as_const().is_none_or(|by| by.is_zero() || *by == Int::MINUS_ONE);
        }
        ExprKind::Load(place) => found |= may_be_outside(place),
        _ => {}
    };
    visit_parts(op, &mut |part| match part {
        Part::Value(e) => expr::walk(e, &mut divides),
        Part::Written(place) => expr::walk_place(place, &mut divides),
    });
    visit_parts(op, &mut |part| {
        if let Part::Written(place) = part {
            found |= may_be_outside(place);
        }
    });
    found
}

/// Whether an access of a place may be one outside of all objects: it is behind a pointer, or an element whose number is not known.
fn may_be_outside(place: &Place) -> bool {
    let is_variable = |proj: &Proj| matches!(proj, Proj::Index(index) if index.as_const().is_none());
    matches!(place.base, PlaceBase::Deref(_)) || place.proj.iter().any(is_variable)
}
