//! Counters of loops: local variables that a loop steps by a constant.
//!
//! How often a loop runs rarely matters to a property of the environment's interface, and interpolants over counters unroll loops. (The
//! definition is the usual one of refinement selection: `x = x + c` on an edge inside a loop; Beyer, Loewe, Wendler 2015.)

use super::control::loop_body;
use crate::cfa::program::*;

/// The plain local variables that are stepped by a constant in a loop of their function, in order, without duplicates.
pub(super) fn counters(program: &Program) -> Vec<VarId> {
    let mut found = Vec::new();
    for head in program.node_ids().filter(|&n| program.node(n).loop_head) {
        for node in loop_body(program, head) {
            for &e in &program.node(node).outgoing {
                found.extend(stepped(program, &program.edge(e).op));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn stepped(program: &Program, op: &Op) -> Option<VarId> {
    let Op::Assign { lhs, rhs } = op else { return None };
    let var = lhs.as_whole_var()?;
    let variable = program.var(var);
    if variable.func.is_none() || variable.in_memory || variable.kind == VarKind::Return {
        return None;
    }
    let is_itself = |e: &Expr| matches!(&strip(e).kind, ExprKind::Load(place) if place.as_whole_var() == Some(var));
    match &strip(rhs).kind {
        ExprKind::Binary(BinOp::Add | BinOp::Sub, x, y) if is_itself(x) && strip(y).as_const().is_some() => Some(var),
        ExprKind::Binary(BinOp::Add, x, y) if is_itself(y) && strip(x).as_const().is_some() => Some(var),
        _ => None,
    }
}

/// The expression below conversions.
fn strip(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) => strip(inner),
        _ => e,
    }
}
