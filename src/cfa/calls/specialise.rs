//! Functions that get a function as an argument: a copy for each, where that may end a recursion.
//!
//! `create(insert)` calls `insert` a number of times; with `insert_outer`, which calls `create(insert_inner)`, it makes a list of lists. The call graph has a cycle, and no execution does: each call of `create` says with a
//! constant which function is meant. So a function on a cycle is copied once for each constant, if all of its calls have one, or its own parameter (Hall, *Call path refinement profiles*, 1995, calls this cloning). In a copy the tests of the parameter
//! are decided, and the calls behind the others go. Both programs have the same executions; nothing is taken on trust.

use super::recursion::{Copy, components_of, is_closed};
use crate::cfa::program::expr::{walk, walk_place};
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;
use crate::cfa::raw::Parts;
use crate::frontend::text::source::Loc;
use std::collections::{BTreeMap, BTreeSet};

/// Copies of one function at most.
const MAX_COPIES: usize = 8;

/// Copies functions that lie on cycles of the call graph for the functions that they get as arguments.
pub(in crate::cfa) fn specialise(parts: &mut Parts) {
    for func in components_of(parts).into_iter().flatten() {
        let params = parts.functions[func.index()].params.clone();
        for (position, param) in params.into_iter().enumerate() {
            if let Some(targets) = constants(parts, func, position, param) {
                split(parts, func, (position, param), &targets);
                break;
            }
        }
    }
}

/// The functions that the calls of a function have as this argument; `None` if one has another argument, if the parameter may change, or if the function does not call it.
fn constants(parts: &Parts, func: FuncId, position: usize, param: VarId) -> Option<BTreeSet<FuncId>> {
    if parts.functions[func.index()].address_taken {
        return None;
    }
    let (mut found, mut is_tested, mut is_constant) = (BTreeSet::new(), false, is_closed(parts, &[func]));
    for edge in &parts.edges {
        visit_parts(&edge.op, &mut |part| {
            let mut look = |e: &Expr| {
                is_constant &= !matches!(&e.kind, ExprKind::AddrOf(place) if place.base == PlaceBase::Var(param));
            };
            match part {
                Part::Value(e) => walk(e, &mut look),
                Part::Written(place) => {
                    walk_place(place, &mut look);
                    is_constant &= place.base != PlaceBase::Var(param);
                }
            }
        });
        match &edge.op {
            Op::Assume { cond, .. } => is_tested |= tested(cond, param).is_some(),
            Op::Call { func: callee, args, .. } if *callee == func => match &without_casts(args.get(position)?).kind {
                ExprKind::FuncAddr(target) => drop(found.insert(*target)),
                ExprKind::Load(place) if place.as_whole_var() == Some(param) => {}
                _ => return None,
            },
            _ => {}
        }
    }
    (is_tested && is_constant && (1..=MAX_COPIES).contains(&found.len())).then_some(found)
}

/// The function with which a condition compares a variable.
fn tested(cond: &Expr, param: VarId) -> Option<FuncId> {
    let ExprKind::Binary(BinOp::Eq, left, right) = &cond.kind else {
        return None;
    };
    match (&without_casts(left).kind, &without_casts(right).kind) {
        (ExprKind::Load(place), ExprKind::FuncAddr(target)) if place.as_whole_var() == Some(param) => Some(*target),
        _ => None,
    }
}

fn without_casts(mut e: &Expr) -> &Expr {
    while let ExprKind::Cast(inner) = &e.kind {
        e = inner;
    }
    e
}

/// Makes the copies; the function itself is the one for the first of the targets.
fn split(parts: &mut Parts, func: FuncId, (position, param): (usize, VarId), targets: &BTreeSet<FuncId>) {
    let nodes: Vec<NodeId> = (0..parts.nodes.len())
        .map(NodeId::new)
        .filter(|n| parts.nodes[n.index()].func == func)
        .collect();
    let own: BTreeSet<NodeId> = nodes.iter().copied().collect();
    let originals: Vec<Edge> = parts
        .edges
        .iter()
        .filter(|edge| own.contains(&edge.from))
        .cloned()
        .collect();
    let mut copies: BTreeMap<FuncId, (FuncId, VarId)> = BTreeMap::new();
    for &target in targets {
        if copies.is_empty() {
            copies.insert(target, (func, param));
            continue;
        }
        let mark = parts.functions[target.index()].name.clone();
        let copy = Copy::new(parts, &[func], &nodes, &mark);
        parts
            .edges
            .extend(originals.iter().cloned().map(|edge| copy.edge(edge)));
        copies.insert(target, (copy.functions[&func], copy.vars[&param]));
    }
    for edge in &mut parts.edges {
        let Op::Call { func: callee, args, .. } = &mut edge.op else {
            continue;
        };
        if *callee == func {
            *callee = match &without_casts(&args[position]).kind {
                ExprKind::FuncAddr(target) => copies[target].0,
                // A function that hands its own parameter on calls itself.
                _ => parts.nodes[edge.from.index()].func,
            };
        }
    }
    for (&target, &(copy, param)) in &copies {
        decide(parts, copy, param, target);
    }
}

/// Removes the ways in a copy on which its parameter is another function.
fn decide(parts: &mut Parts, copy: FuncId, param: VarId, target: FuncId) {
    let dead = parts.add_node(FuncId(0), Loc::NONE);
    let mut ways: BTreeMap<NodeId, Vec<usize>> = BTreeMap::new();
    for (at, edge) in parts.edges.iter_mut().enumerate() {
        if parts.nodes[edge.from.index()].func != copy {
            continue;
        }
        if let Op::Assume { cond, truth } = &edge.op
            && let Some(other) = tested(cond, param)
            && (other == target) != *truth
        {
            edge.from = dead;
            continue;
        }
        ways.entry(edge.from).or_default().push(at);
    }
    let (mut seen, mut open) = (BTreeSet::new(), vec![parts.functions[copy.index()].entry]);
    while let Some(node) = open.pop() {
        if seen.insert(node) {
            open.extend(ways.get(&node).into_iter().flatten().map(|&at| parts.edges[at].to));
        }
    }
    for at in ways
        .into_iter()
        .filter(|(node, _)| !seen.contains(node))
        .flat_map(|(_, ways)| ways)
    {
        let edge = &mut parts.edges[at];
        (edge.from, edge.to, edge.op) = (dead, dead, Op::Nop);
    }
}
