//! `setjmp` and `longjmp` (ISO C11, 7.13), exactly: jumps to a function that is still being executed.
//!
//! Lowering gives each call of `setjmp` a number of its own at run time, the *ticket*, which it stores in the buffer and in a variable of the frame, and returns 0. `longjmp` reads the
//! ticket from its buffer and sets the jump variable to it. From there the execution leaves function after function: behind each call of a function that
//! may jump stands a test whether a jump is under way; if so, and a `setjmp` of this frame has the ticket, it returns again, with the value that `longjmp` was given; else
//! the function is left, too. So frames between the two are gone, and the frames of a recursion are distinguished.
//!
//! Variables keep the values that they have at the jump, as in memory; C leaves those that changed and are not volatile indeterminate. A jump to a function that has returned is
//! undefined: it leaves the program, and the path ends.

use crate::cfa::program::*;
use crate::cfa::raw::{Jumps, Landing, Parts};
use crate::frontend::text::source::Loc;
use crate::frontend::types::Types;

/// Lets jumps find their way. Needs all calls to be known.
pub(in crate::cfa) fn connect(parts: &mut Parts) {
    let Some(jumps) = parts.jumps.take() else { return };
    let may_jump = functions_that_jump(parts, &jumps);
    for i in 0..parts.edges.len() {
        let Op::Call { func, .. } = parts.edges[i].op else {
            continue;
        };
        if may_jump[func.index()] {
            behind_call(parts, &jumps, i);
        }
    }
    for &(node, loc) in &jumps.starts {
        let func = parts.nodes[node.index()].func;
        go_on(parts, &jumps, func, node, loc);
    }
    for landing in &jumps.landings {
        clear_ticket(parts, landing);
    }
}

/// A frame has no ticket at first.
fn clear_ticket(parts: &mut Parts, landing: &Landing) {
    let func = parts.nodes[landing.node.index()].func;
    let (entry, loc) = (parts.functions[func.index()].entry, parts.functions[func.index()].loc);
    let next = parts.add_node(func, loc);
    for edge in parts.edges.iter_mut().filter(|edge| edge.from == entry) {
        edge.from = next;
    }
    let (lhs, rhs) = (landing.ticket.clone(), Expr::int(0, landing.ticket.ty));
    let op = Op::Assign { lhs, rhs };
    parts.edges.push(Edge {
        from: entry,
        to: next,
        op,
        loc,
    });
}

/// Which functions a jump may leave: those where one begins, and their callers.
fn functions_that_jump(parts: &Parts, jumps: &Jumps) -> Vec<bool> {
    let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); parts.functions.len()];
    for edge in &parts.edges {
        if let Op::Call { func, .. } = edge.op {
            callers[func.index()].push(parts.nodes[edge.from.index()].func);
        }
    }
    let mut found = vec![false; parts.functions.len()];
    let mut open: Vec<FuncId> = jumps
        .starts
        .iter()
        .map(|(node, _)| parts.nodes[node.index()].func)
        .collect();
    while let Some(func) = open.pop() {
        if !std::mem::replace(&mut found[func.index()], true) {
            open.extend(&callers[func.index()]);
        }
    }
    found
}

/// Tests behind a call whether a jump is pending. The result of the call is used only if there is none.
fn behind_call(parts: &mut Parts, jumps: &Jumps, edge: usize) {
    let Edge { from, to, loc, .. } = parts.edges[edge];
    let func = parts.nodes[from.index()].func;
    let (back, normal) = (parts.add_node(func, loc), parts.add_node(func, loc));
    parts.edges[edge].to = back;
    let under_way = Expr::load(jumps.under_way.clone());
    let jumping = parts.add_node(func, loc);
    test(parts, back, under_way, (jumping, normal), loc);
    let returned = match &mut parts.edges[edge].op {
        Op::Call { ret, .. } => ret.take(),
        _ => None,
    };
    let op = match returned {
        None => Op::Nop,
        Some(place) => {
            let temp = new_temp(parts, func, &place, loc);
            if let Op::Call { ret, .. } = &mut parts.edges[edge].op {
                *ret = Some(temp.clone());
            }
            let rhs = Expr::load(temp);
            Op::Assign { lhs: place, rhs }
        }
    };
    parts.edges.push(Edge {
        from: normal,
        to,
        op,
        loc,
    });
    go_on(parts, jumps, func, jumping, loc);
}

/// Continues a pending jump in a function.
fn go_on(parts: &mut Parts, jumps: &Jumps, func: FuncId, mut at: NodeId, loc: Loc) {
    for landing in &jumps.landings {
        if parts.nodes[landing.node.index()].func != func {
            continue;
        }
        let (here, next) = (parts.add_node(func, loc), parts.add_node(func, loc));
        let ours = Expr {
            ty: Types::INT,
            kind: ExprKind::Binary(
                BinOp::Eq,
                Box::new(Expr::load(landing.ticket.clone())),
                Box::new(Expr::load(jumps.under_way.clone())),
            ),
        };
        test(parts, at, ours, (here, next), loc);
        let valued = parts.add_node(func, loc);
        let rhs = crate::cfa::program::expr::cast(&parts.types, Expr::load(jumps.value.clone()), landing.result.ty);
        let lhs = landing.result.clone();
        parts.edges.push(Edge {
            from: here,
            to: valued,
            op: Op::Assign { lhs, rhs },
            loc,
        });
        let (lhs, rhs) = (jumps.under_way.clone(), Expr::int(0, jumps.under_way.ty));
        parts.edges.push(Edge {
            from: valued,
            to: landing.node,
            op: Op::Assign { lhs, rhs },
            loc,
        });
        at = next;
    }
    // Nothing called the start function: the path ends.
    if func != FuncId(0) {
        let to = parts.functions[func.index()].exit;
        parts.edges.push(Edge {
            from: at,
            to,
            op: Op::Nop,
            loc,
        });
    }
}

fn test(parts: &mut Parts, from: NodeId, cond: Expr, (yes, no): (NodeId, NodeId), loc: Loc) {
    for (to, truth) in [(yes, true), (no, false)] {
        let cond = cond.clone();
        let op = Op::Assume { cond, truth };
        parts.edges.push(Edge { from, to, op, loc });
    }
}

fn new_temp(parts: &mut Parts, func: FuncId, like: &Place, loc: Loc) -> Place {
    let id = VarId::new(parts.vars.len());
    let display = format!("$returned{}", id.0);
    Place::var(parts.add_temporary(func, display, like.ty, loc), like.ty)
}
