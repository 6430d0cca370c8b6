//! What a pointer expression is made from, by its form.

use crate::cfa::program::{BinOp, Expr, ExprKind};
use crate::cfa::scalar::Scalar;
use crate::frontend::types::{Type, TypeId, Types};
use provident_smt::num::Int;

/// What a pointer expression is made from.
pub(super) enum Origin {
    /// A pointer to this type, plus a number of bytes, if that is known.
    Pointer(TypeId, Option<i64>),
    /// A `void *` or an integer.
    Untyped,
    /// A constant, or the address of a function: no object.
    Nothing,
}

/// What an expression is made from.
pub(super) fn origin(types: &Types, e: &Expr) -> Origin {
    let by_type = |ty: TypeId| match *types.get(ty) {
        Type::Pointer(to) if matches!(types.get(to), Type::Void) => Origin::Untyped,
        Type::Pointer(to) if matches!(types.get(to), Type::Function { .. }) => Origin::Nothing,
        Type::Pointer(to) => Origin::Pointer(to, Some(0)),
        Type::Int(_)
            if types
                .size_of(ty)
                .is_some_and(|s| s >= types.data_model().pointer_bytes()) =>
        {
            Origin::Untyped
        }
        _ => Origin::Nothing,
    };
    match &e.kind {
        ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => Origin::Nothing,
        ExprKind::Load(_) => by_type(e.ty),
        ExprKind::AddrOf(place) => match *types.get(place.ty) {
            Type::Array { .. } => by_type(e.ty),
            _ => Origin::Pointer(place.ty, Some(0)),
        },
        ExprKind::Cast(inner) => origin(types, inner),
        ExprKind::Unary(_, inner) => forget_offset(origin(types, inner)),
        ExprKind::Binary(op, x, y) => {
            let (left, right) = (origin(types, x), origin(types, y));
            let constant = |e: &Expr| constant_offset(types, e);
            match (op, left, right) {
                (BinOp::Add | BinOp::Sub, Origin::Pointer(ty, offset), _) => {
                    // Whole elements further along an array, it is the same as before.
                    let step = constant(y).map(|c| if *op == BinOp::Sub { c.checked_neg() } else { Some(c) });
                    let moved = match step {
                        Some(step) => offset.zip(step).and_then(|(a, b)| a.checked_add(b)),
                        None if steps_by(types, y, ty) => offset,
                        None => None,
                    };
                    Origin::Pointer(ty, moved)
                }
                (BinOp::Add, _, Origin::Pointer(ty, offset)) => {
                    let moved = constant(x).and_then(|c| offset?.checked_add(c));
                    Origin::Pointer(ty, moved)
                }
                (op, _, _) if op.is_comparison() => Origin::Nothing,
                (_, Origin::Pointer(ty, _), _) | (_, _, Origin::Pointer(ty, _)) => Origin::Pointer(ty, None),
                (_, Origin::Nothing, Origin::Nothing) => Origin::Nothing,
                _ => Origin::Untyped,
            }
        }
    }
}

fn forget_offset(origin: Origin) -> Origin {
    match origin {
        Origin::Pointer(ty, _) => Origin::Pointer(ty, None),
        other => other,
    }
}

/// Whether a number of bytes is a multiple of the size of the type by its form.
fn steps_by(types: &Types, e: &Expr, ty: TypeId) -> bool {
    match (&e.kind, types.size_of(ty)) {
        (_, Some(1)) => true,
        (ExprKind::Cast(inner), _) => steps_by(types, inner, ty),
        (ExprKind::Binary(BinOp::Mul, x, y), Some(size)) if size > 0 => [x, y].iter().any(|f| {
            f.as_const()
                .is_some_and(|c| c.is_multiple_of(&Int::from(i128::from(size))))
        }),
        _ => false,
    }
}

/// The value of a constant of pointer width, read as a signed number: `p + 0xfffffffffffffff8` steps back.
pub fn constant_offset(types: &Types, e: &Expr) -> Option<i64> {
    let value = match &e.kind {
        ExprKind::Const(c) => c.to_i128()?,
        ExprKind::Cast(inner) => i128::from(constant_offset(types, inner)?),
        _ => return None,
    };
    let scalar = Scalar::of(types, e.ty)?;
    let half = 1i128 << (scalar.width.clamp(1, 64) - 1);
    let full = half * 2;
    let wrapped = value.rem_euclid(full);
    let signed = if !scalar.signed && scalar.width < types_width(types) {
        wrapped
    } else if wrapped >= half {
        wrapped - full
    } else {
        wrapped
    };
    i64::try_from(signed).ok()
}

fn types_width(types: &Types) -> u32 {
    u32::try_from(types.data_model().pointer_bytes() * 8).expect("a width")
}
