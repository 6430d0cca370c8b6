//! Which variables live in byte-addressed memory, and which of these a pointer may reach.
//!
//! A variable is in memory if its address is taken or if it is or contains an array or a union (whose members share bytes). It escapes if
//! its address is a value somewhere: lowering has turned `*&x`, `a[i]` and `*(a + i)` of a visible array into places, so an address
//! that is left really goes somewhere.

use crate::cfa::program::visit::visit_op;
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
