//! Which variables live in byte-addressed memory, and which of these a pointer may reach.
//!
//! A variable is in memory if its address is taken or if it is or contains an array or a union (whose members share bytes). It escapes if
//! its address is a value somewhere: lowering has turned `*&x`, `a[i]` and `*(a + i)` of a visible array into places, so an address
//! that is left really goes somewhere.

use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::types::{RecordKind, Type, TypeId, Types};
use bitvec::prelude::BitVec;
use provident_smt::hash::FxHashMap;

/// Sets `in_memory` and `escapes` of every variable. What lowering marked as escaping does so: its address stands in an initialiser that
/// was not lowered, from where an input may have it.
pub fn classify(program: &mut Program) {
    let mut taken: BitVec = program.vars.iter().map(|variable| variable.escapes).collect();
    for edge in &program.edges {
        visit_op(&edge.op, &mut |e| {
            if let ExprKind::AddrOf(Place {
                base: PlaceBase::Var(v),
                ..
            }) = &e.kind
            {
                taken.set(v.index(), true);
            }
        });
    }
    let mut memo = FxHashMap::default();
    for (i, variable) in program.vars.iter_mut().enumerate() {
        variable.escapes = taken[i];
        variable.in_memory = taken[i] || overlays(&program.types, variable.ty, &mut memo);
    }
}

/// Whether an object of the type contains an array, a vector or a union.
pub fn overlays(types: &Types, ty: TypeId, memo: &mut FxHashMap<TypeId, bool>) -> bool {
    match *types.get(ty) {
        Type::Array { .. } | Type::Vector { .. } | Type::Complex(_) => true,
        Type::Record(record) => {
            if let Some(&known) = memo.get(&ty) {
                return known;
            }
            let record = types.record(record);
            let found = record.kind == RecordKind::Union || record.fields.iter().any(|f| overlays(types, f.ty, memo));
            memo.insert(ty, found);
            found
        }
        _ => false,
    }
}

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
        Op::ObjectSize { lhs, ptr } => {
            f(Part::Written(lhs));
            f(Part::Value(ptr));
        }
        Op::Free { ptr } => f(Part::Value(ptr)),
        Op::MemSet { dst, byte, len } => [dst, byte, len].into_iter().for_each(|e| f(Part::Value(e))),
        Op::MemCopy { dst, src, len } => [dst, src, len].into_iter().for_each(|e| f(Part::Value(e))),
        Op::Asm { outputs, .. } => outputs.iter().for_each(|p| f(Part::Written(p))),
    }
}
