//! The scalars that types consist of.

use super::super::code::*;
use crate::explicit::value::arith::WIDEST;
use crate::frontend::types::float::Format;
use crate::frontend::types::{ArrayLen, IntInfo, Type, TypeId, Types};
use std::rc::Rc;

/// The class of a scalar type for the analysis.
pub(super) fn scalar(types: &Types, ty: TypeId) -> Scalar {
    let pattern = |format: Format| IntInfo {
        width: format.width(),
        signed: false,
    };
    match types.integer(ty).or_else(|| types.format(ty).map(pattern)) {
        Some(info) if info.width <= WIDEST => Scalar::Int(info),
        _ => Scalar::Opaque,
    }
}

pub(super) fn is_composite(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Record(_) | Type::Array { .. })
}

/// The size of the elements of an array of scalars; 0 for other types.
pub(super) fn element_size(types: &Types, ty: TypeId) -> u64 {
    match types.get(ty) {
        Type::Array { elem, .. } => match types.get(*elem) {
            Type::Array { .. } => element_size(types, *elem),
            Type::Record(_) => 0,
            _ => types.size_of(*elem).unwrap_or(0),
        },
        _ => 0,
    }
}

/// The number of scalars in a plain variable.
pub(super) fn leaf_count(types: &Types, ty: TypeId) -> usize {
    match *types.get(ty) {
        Type::Record(r) => types.record(r).fields.iter().map(|f| leaf_count(types, f.ty)).sum(),
        _ => 1,
    }
}

/// The scalars of a plain variable.
pub(super) fn plain_scalars(types: &Types, ty: TypeId, found: &mut Vec<Scalar>) {
    match *types.get(ty) {
        Type::Record(r) => {
            for field in &types.record(r).fields {
                plain_scalars(types, field.ty, found);
            }
        }
        _ => found.push(scalar(types, ty)),
    }
}

/// Leaves of an object that are listed at most; with more of them it is only ever handled as a range of bytes.
const MAX_LEAVES: usize = 4096;

/// The scalars of an object, in order. The members of unions are not listed.
pub(super) fn leaves(types: &Types, ty: TypeId) -> Rc<[Leaf]> {
    let mut found = Vec::new();
    collect(types, ty, 0, &mut found);
    found.into()
}

pub(super) fn collect(types: &Types, ty: TypeId, offset: u64, found: &mut Vec<Leaf>) {
    if found.len() >= MAX_LEAVES {
        return;
    }
    match *types.get(ty) {
        Type::Record(id) => {
            let record = types.record(id);
            if record.kind == crate::frontend::types::RecordKind::Union {
                return;
            }
            for field in &record.fields {
                match field.bits {
                    Some(bits) => found.push(Leaf {
                        offset,
                        size: types.size_of(field.ty).unwrap_or(0),
                        scalar: scalar(types, field.ty),
                        bits: Some(crate::cfa::BitRange {
                            offset: bits.bit_offset,
                            width: bits.width,
                        }),
                    }),
                    None => collect(types, field.ty, offset + field.offset, found),
                }
            }
        }
        Type::Array {
            elem,
            len: ArrayLen::Fixed(count),
        } => {
            let size = types.size_of(elem).unwrap_or(0);
            for i in 0..count {
                if found.len() >= MAX_LEAVES || size == 0 {
                    return;
                }
                collect(types, elem, offset + i * size, found);
            }
        }
        Type::Array { .. } => {}
        _ => found.push(Leaf {
            offset,
            size: types.size_of(ty).unwrap_or(0),
            scalar: scalar(types, ty),
            bits: None,
        }),
    }
}
