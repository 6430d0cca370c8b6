//! The scalars that types consist of.

use super::super::code::*;
use crate::cfa::program::math::Shape;
use crate::explicit::value::arith::WIDEST;
use crate::explicit::value::words::{WORD, is_wide, upper_bytes};
use crate::frontend::types::{ArrayLen, Field, IntInfo, Type, TypeId, Types};
use std::rc::Rc;

/// The class of a scalar type for the analysis.
pub(super) fn scalar(types: &Types, ty: TypeId) -> Scalar {
    match Shape::of(types, ty) {
        Some(Shape::Int(info)) if info.width <= WIDEST => Scalar::Int(info),
        Some(Shape::Float(format)) if format.width() <= WIDEST => Scalar::Int(IntInfo {
            width: format.width(),
            signed: false,
        }),
        Some(shape) if is_wide(shape) => Scalar::Wide(shape),
        _ => Scalar::Opaque,
    }
}

/// The class of a member of a record. Long bit-fields are not tracked.
fn member(types: &Types, field: &Field) -> Scalar {
    match (scalar(types, field.ty), field.bits) {
        (Scalar::Wide(_), Some(_)) => Scalar::Opaque,
        (scalar, _) => scalar,
    }
}

/// The words of a value of more than 64 bits.
fn words(shape: Shape) -> [Scalar; 2] {
    [false, true].map(|is_upper| Scalar::Word(Word { of: shape, is_upper }))
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

/// The number of slots of a plain variable.
pub(super) fn slot_count(types: &Types, ty: TypeId) -> usize {
    match *types.get(ty) {
        Type::Record(r) => types.record(r).fields.iter().map(|f| slots_of(types, f)).sum(),
        _ => match scalar(types, ty) {
            Scalar::Wide(_) => 2,
            _ => 1,
        },
    }
}

/// The number of slots of a member of a plain variable.
pub(super) fn slots_of(types: &Types, field: &Field) -> usize {
    match field.bits {
        Some(_) => 1,
        None => slot_count(types, field.ty),
    }
}

/// The slots of a plain variable: for each the number of its scalar, and its class.
pub(super) fn plain_slots(types: &Types, ty: TypeId) -> Vec<(usize, Scalar)> {
    let mut scalars = Vec::new();
    plain_scalars(types, ty, &mut scalars);
    let mut slots = Vec::new();
    for (leaf, scalar) in scalars.into_iter().enumerate() {
        match scalar {
            Scalar::Wide(shape) => slots.extend(words(shape).map(|word| (leaf, word))),
            scalar => slots.push((leaf, scalar)),
        }
    }
    slots
}

fn plain_scalars(types: &Types, ty: TypeId, found: &mut Vec<Scalar>) {
    match *types.get(ty) {
        Type::Record(r) => {
            for field in &types.record(r).fields {
                match field.bits {
                    Some(_) => found.push(member(types, field)),
                    None => plain_scalars(types, field.ty, found),
                }
            }
        }
        _ => found.push(scalar(types, ty)),
    }
}

/// Leaves of an object that are listed at most; with more of them it is only ever handled as a range of bytes.
const MAX_LEAVES: usize = 4096;

/// The scalars of an object, in order; of those of more than 64 bits both words. The members of unions are not listed.
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
                        scalar: member(types, field),
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
        _ => {
            let size = types.size_of(ty).unwrap_or(0);
            match scalar(types, ty) {
                Scalar::Wide(shape) => {
                    let low = u64::from(WORD / 8);
                    let places = [(offset, low), (offset + low, upper_bytes(shape, size))];
                    let leaf = |((offset, size), scalar)| Leaf {
                        offset,
                        size,
                        scalar,
                        bits: None,
                    };
                    found.extend(places.into_iter().zip(words(shape)).map(leaf));
                }
                scalar => found.push(Leaf {
                    offset,
                    size,
                    scalar,
                    bits: None,
                }),
            }
        }
    }
}
