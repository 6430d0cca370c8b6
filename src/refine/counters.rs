//! The loop counters of a program: variables that an edge inside a loop changes by a constant.
//!
//! Predicates about them tend to unroll their loops, one value after the other (Beyer, Loewe, Wendler, *Refinement selection*, SPIN 2015, count them as
//! the least wanted). An edge is inside a loop if it lies on a cycle of its function's automaton.

use crate::cfa::{BinOp, Edge, Expr, ExprKind, NodeId, Op, Place, PlaceBase, Program, VarId};
use provident_smt::term::{TermId, TermPool};
use std::collections::BTreeSet;

/// The loop counters, by the names that formulas use.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoopCounters {
    names: BTreeSet<String>,
}

impl LoopCounters {
    /// The loop counters of a program.
    pub fn of(program: &Program) -> LoopCounters {
        let steps = program.edges.iter().filter_map(|edge| Some((edge, counted(edge)?)));
        let looping = steps.filter(|(edge, _)| reaches(program, edge.to, edge.from));
        LoopCounters {
            names: looping.map(|(_, var)| program.vars[var.index()].name.clone()).collect(),
        }
    }

    /// Whether a term speaks of a loop counter.
    pub fn occur_in(&self, pool: &TermPool, term: TermId) -> bool {
        let symbols = pool.symbols(term);
        symbols.iter().any(|symbol| self.names.contains(pool.name(symbol.name)))
    }
}

/// The variable that the edge changes by a constant.
fn counted(edge: &Edge) -> Option<VarId> {
    let Op::Assign { lhs, rhs } = &edge.op else { return None };
    let var = whole_variable(lhs)?;
    let ExprKind::Binary(op, left, right) = &without_casts(rhs).kind else {
        return None;
    };
    let reads =
        |e: &Expr| matches!(&without_casts(e).kind, ExprKind::Load(place) if whole_variable(place) == Some(var));
    let constant = |e: &Expr| matches!(&without_casts(e).kind, ExprKind::Const(_));
    let counts = match op {
        BinOp::Add => reads(left) && constant(right) || constant(left) && reads(right),
        BinOp::Sub => reads(left) && constant(right),
        _ => false,
    };
    counts.then_some(var)
}

fn whole_variable(place: &Place) -> Option<VarId> {
    match place.base {
        PlaceBase::Var(var) if place.proj.is_empty() => Some(var),
        _ => None,
    }
}

fn without_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => without_casts(inner),
        _ => expr,
    }
}

/// Whether a path inside the function leads from one node to another.
fn reaches(program: &Program, from: NodeId, to: NodeId) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if node == to {
            return true;
        }
        for &edge in &program.node(node).outgoing {
            let next = program.edge(edge).to;
            if seen.insert(next) {
                open.push(next);
            }
        }
    }
    false
}
