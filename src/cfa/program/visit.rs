//! The expressions and places in an operation.

use super::expr;
use super::{Expr, Op, Place};

/// Calls `f` for every expression in an operation, those inside places and expressions included.
pub fn visit_op<'e>(op: &'e Op, f: &mut dyn FnMut(&'e Expr)) {
    visit_parts(op, &mut |part| match part {
        Part::Value(e) => expr::walk(e, f),
        Part::Written(place) => expr::walk_place(place, f),
    });
}

/// A part of an operation.
pub enum Part<'e> {
    /// A value that is read.
    Value(&'e Expr),
    /// A place that is written.
    Written(&'e Place),
}

/// Calls `f` for the values that an operation reads and the places that it writes, without going into them.
pub fn visit_parts<'e>(op: &'e Op, f: &mut dyn FnMut(Part<'e>)) {
    match op {
        Op::Nop | Op::Label(_) | Op::Bypass(_) => {}
        Op::Assume { cond, .. } => f(Part::Value(cond)),
        Op::Assign { lhs, rhs } => {
            f(Part::Written(lhs));
            f(Part::Value(rhs));
        }
        Op::Zero { place } | Op::Havoc { place, .. } => f(Part::Written(place)),
        Op::Call { args, ret, .. } | Op::External { args, ret, .. } => {
            args.iter().for_each(|a| f(Part::Value(a)));
            ret.iter().for_each(|p| f(Part::Written(p)));
        }
        Op::Allocate { lhs, size, .. } => {
            f(Part::Written(lhs));
            f(Part::Value(size));
        }
        Op::Inspect { lhs, question } => {
            f(Part::Written(lhs));
            question.values().for_each(|e| f(Part::Value(e)));
        }
        Op::Free { ptr, .. } => f(Part::Value(ptr)),
        Op::MemSet { dst, byte, len } => [dst, byte, len].into_iter().for_each(|e| f(Part::Value(e))),
        Op::MemCopy { dst, src, len } => [dst, src, len].into_iter().for_each(|e| f(Part::Value(e))),
        Op::Mark { ptr, len, written } => [ptr, written].into_iter().chain(len).for_each(|e| f(Part::Value(e))),
        Op::Asm { outputs, .. } => outputs.iter().for_each(|p| f(Part::Written(p))),
    }
}
