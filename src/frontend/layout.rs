//! Sizes, alignments and record layout as gcc for x86 has them.
//!
//! The System V rules: a member begins at the next multiple of its alignment; the record's size is rounded up to its own
//! alignment. In ILP32, `long long`, `double` and their kin have alignment 4 as members but the type's own alignment is 8 for
//! `_Alignof` of the type (gcc 12 reports the member alignment for `_Alignof`, the preferred one for `__alignof__`).
//!
//! A bit-field of declared type T and width w goes right behind the previous one, unless it would cross a boundary of
//! sizeof(T) counted from the record's start; then it begins at the next such boundary. `packed` removes that rule. Width 0 moves to the next boundary of T.
//! A named bit-field's type takes part in the record's alignment.

use crate::frontend::types::*;

impl Types {
    /// The size in bytes. `None` for incomplete types, VLAs and functions (`void` and functions have size 1 in GNU pointer
    /// arithmetic and `sizeof`; that is the caller's business).
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        let lp64 = self.data_model() == DataModel::Lp64;
        match *self.get(id) {
            Type::Void | Type::Function { .. } => None,
            Type::Bool => Some(1),
            Type::Int(kind) => Some(u64::from(kind.width(self.data_model()) / 8)),
            Type::Float(kind) => Some(match kind {
                FloatKind::Float16 => 2,
                FloatKind::Float | FloatKind::Float32 => 4,
                FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => 8,
                FloatKind::LongDouble | FloatKind::Float64x => {
                    if lp64 {
                        16
                    } else {
                        12
                    }
                }
                FloatKind::Float128 => 16,
            }),
            Type::Complex(of) => self.size_of(of)?.checked_mul(2),
            Type::Vector { bytes, .. } => Some(bytes),
            Type::Enum(e) => {
                let e = self.enumeration(e);
                Some(u64::from(e.int.width(self.data_model()) / 8))
            }
            Type::Pointer(_) => Some(self.data_model().pointer_bytes()),
            Type::Array {
                elem,
                len: ArrayLen::Fixed(n),
            } => self.size_of(elem)?.checked_mul(n),
            Type::Array { .. } => None,
            Type::Record(r) => {
                let record = self.record(r);
                record.complete.then_some(record.size)
            }
            Type::VaList => Some(if lp64 { 24 } else { 4 }),
        }
    }

    /// The alignment in bytes that the type has as a member of a struct. `None` where there is no size, except that arrays
    /// of unknown length have one.
    pub fn align_of(&self, id: TypeId) -> Option<u64> {
        if let Some(align) = self.explicit_align(id) {
            return Some(align);
        }
        let lp64 = self.data_model() == DataModel::Lp64;
        match *self.get(id) {
            Type::Void | Type::Function { .. } => None,
            Type::Array { elem, .. } => self.align_of(elem),
            Type::Record(r) => {
                let record = self.record(r);
                record.complete.then_some(record.align)
            }
            Type::VaList => Some(if lp64 { 8 } else { 4 }),
            Type::Complex(of) => self.align_of(of),
            Type::Float(FloatKind::LongDouble | FloatKind::Float64x) => Some(if lp64 { 16 } else { 4 }),
            Type::Float(FloatKind::Float128) => Some(16),
            Type::Vector { bytes, .. } => Some(bytes.max(1)),
            _ => {
                let size = self.size_of(id)?;
                Some(if lp64 { size } else { size.min(4) })
            }
        }
    }
}
