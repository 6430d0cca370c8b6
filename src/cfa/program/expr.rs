//! Building expressions: every constructor folds constants exactly and drops conversions that change nothing.
//!
//! Folding while building costs one look at the operands and saves a pass. Operations that C leaves undefined or Provident leaves
//! unspecified (division by zero, `INT_MIN / -1`, over-wide shifts) are never folded, so that their treatment stays in one place,
//! the encoder. Floating-point constants are folded as rounded to nearest.

use super::math;
use super::math::{MathOp, Operand, Shape};
use super::{BinOp, Expr, ExprKind, Place, PlaceBase, Proj, UnOp};
use crate::frontend::types::float;
use crate::frontend::types::float::Rounding;
use crate::frontend::types::{IntInfo, TypeId, Types};
use provident_smt::num::Int;

/// The value in the range of a type that is congruent to `value` modulo 2^width.
pub fn wrap(value: &Int, info: IntInfo) -> Int {
    if info.width <= 64
        && let Some(small) = value.to_i128()
    {
        return Int::from(info.wrap(small));
    }
    let period = Int::pow2(info.width);
    let low = value.mod_floor(&period);
    if info.signed && low >= Int::pow2(info.width - 1) {
        &low - &period
    } else {
        low
    }
}

/// The smallest and the greatest value of an integer type.
pub fn range(info: IntInfo) -> (Int, Int) {
    let one = Int::from(1);
    if info.signed {
        let half = Int::pow2(info.width - 1);
        (-&half, &half - &one)
    } else {
        (Int::from(0), &Int::pow2(info.width) - &one)
    }
}

/// Whether every value of `inner` is a value of `outer`.
fn includes(outer: IntInfo, inner: IntInfo) -> bool {
    match (outer.signed, inner.signed) {
        (false, true) => false,
        (true, false) => outer.width > inner.width,
        _ => outer.width >= inner.width,
    }
}

fn make(ty: TypeId, kind: ExprKind) -> Expr {
    Expr { ty, kind }
}

/// The constant zero of a scalar type.
pub fn zero(types: &Types, ty: TypeId) -> Expr {
    if types.integer(ty).is_some() {
        Expr::int(0, ty)
    } else {
        make(ty, ExprKind::Float(0))
    }
}

/// The truth value of a constant.
pub fn const_truth(types: &Types, expr: &Expr) -> Option<bool> {
    match &expr.kind {
        ExprKind::Const(value) => Some(!value.is_zero()),
        ExprKind::Float(bits) => Some(!float::is_zero(types.format(expr.ty)?, *bits)),
        // No object and no function has the address 0; an element of a fixed object is beyond its start, unless the index is negative.
        ExprKind::FuncAddr(_) => Some(true),
        ExprKind::AddrOf(Place {
            base: PlaceBase::Var(_),
            proj,
            ..
        }) if proj.iter().all(|p| matches!(p, Proj::Field { .. })) => Some(true),
        _ => None,
    }
}

/// Conversion of a scalar to a scalar type.
pub fn cast(types: &Types, expr: Expr, ty: TypeId) -> Expr {
    if expr.ty == ty {
        return expr;
    }
    let Some(to) = types.integer(ty) else {
        return match constant(types, &expr).and_then(|operand| math::convert(operand, Shape::of(types, ty)?)) {
            Some(bits) => make(ty, ExprKind::Float(bits)),
            None => make(ty, ExprKind::Cast(Box::new(expr))),
        };
    };
    let to_bool = to.width == 1;
    match expr.kind {
        ExprKind::Const(value) => {
            let value = if to_bool {
                Int::from(i64::from(!value.is_zero()))
            } else {
                wrap(&value, to)
            };
            make(ty, ExprKind::Const(value))
        }
        ExprKind::Float(_) if to_bool => match const_truth(types, &expr) {
            Some(truth) => Expr::int(i64::from(truth), ty),
            None => make(ty, ExprKind::Cast(Box::new(expr))),
        },
        ExprKind::Float(_) => match constant(types, &expr).and_then(|operand| math::convert(operand, Shape::Int(to))) {
            Some(bits) => make(ty, ExprKind::Const(wrap(&unsigned(bits), to))),
            None => make(ty, ExprKind::Cast(Box::new(expr))),
        },
        // The conversion in the middle of `(T)(U)x` changes nothing if U holds every value of x, or if it keeps
        // all the bits that T keeps.
        ExprKind::Cast(inner) => {
            let truth = IntInfo {
                width: 1,
                signed: false,
            };
            let from = if is_truth_value(&inner) {
                Some(truth)
            } else {
                types.integer(inner.ty)
            };
            let middle = types.integer(expr.ty);
            match (from, middle) {
                (Some(from), Some(middle))
                    if includes(middle, from) || (!to_bool && middle.width != 1 && middle.width >= to.width) =>
                {
                    cast(types, *inner, ty)
                }
                _ => make(ty, ExprKind::Cast(Box::new(make(expr.ty, ExprKind::Cast(inner))))),
            }
        }
        kind => make(ty, ExprKind::Cast(Box::new(make(expr.ty, kind)))),
    }
}

/// `-x`, `~x` (type of the operand) or `!x` (`int`).
pub fn unary(types: &Types, op: UnOp, operand: Expr) -> Expr {
    let info = types.integer(operand.ty);
    match op {
        UnOp::LogNot => {
            if let Some(truth) = const_truth(types, &operand) {
                return Expr::int(i64::from(!truth), Types::INT);
            }
            match operand.kind {
                ExprKind::Binary(cmp, l, r) if cmp.is_comparison() && types.integer(l.ty).is_some() => {
                    make(Types::INT, ExprKind::Binary(inverse(cmp), l, r))
                }
                _ => make(Types::INT, ExprKind::Unary(UnOp::LogNot, Box::new(operand))),
            }
        }
        UnOp::Neg | UnOp::BitNot => match (&operand.kind, info) {
            (ExprKind::Const(value), Some(info)) => {
                let negated = -value;
                let value = if op == UnOp::Neg {
                    negated
                } else {
                    &negated - &Int::from(1)
                };
                make(operand.ty, ExprKind::Const(wrap(&value, info)))
            }
            (&ExprKind::Float(bits), None) if op == UnOp::Neg && types.is_float(operand.ty) => {
                let format = types.format(operand.ty).expect("it is a floating type");
                make(operand.ty, ExprKind::Float(float::negate(format, bits)))
            }
            _ => make(operand.ty, ExprKind::Unary(op, Box::new(operand))),
        },
    }
}

/// The comparison that holds exactly where `op` does not (integers and pointers only; not floats, because of NaN).
fn inverse(op: BinOp) -> BinOp {
    use BinOp::*;
    match op {
        Lt => Ge,
        Le => Gt,
        Gt => Le,
        Ge => Lt,
        Eq => Ne,
        Ne => Eq,
        other => other,
    }
}

/// The binary operation; the operands have equal types (except for shifts and pointer arithmetic). `ty` is the type of the result.
pub fn binary(types: &Types, op: BinOp, left: Expr, right: Expr, ty: TypeId) -> Expr {
    if let (ExprKind::Const(a), ExprKind::Const(b)) = (&left.kind, &right.kind)
        && let Some(value) = fold(types, op, a, b, left.ty, ty)
    {
        return make(ty, ExprKind::Const(value));
    }
    if let (&ExprKind::Float(a), &ExprKind::Float(b), Some(format)) = (&left.kind, &right.kind, types.format(left.ty)) {
        if op.is_comparison() {
            return Expr::int(i64::from(math::holds(op, float::compare(format, a, b))), ty);
        }
        if let Some(op) = math::arithmetic(op) {
            return make(ty, ExprKind::Float(float::binary(op, format, a, b, Rounding::Nearest)));
        }
    }
    let neutral = match (op, &right.kind) {
        (BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr, ExprKind::Const(b)) => b.is_zero(),
        (BinOp::Mul | BinOp::Div, ExprKind::Const(b)) => b.is_one(),
        _ => false,
    };
    if neutral && left.ty == ty && types.integer(ty).is_some() {
        return left;
    }
    // Comparing the result of a comparison with 0 is that comparison, or its opposite.
    if matches!(op, BinOp::Eq | BinOp::Ne)
        && matches!(&right.kind, ExprKind::Const(b) if b.is_zero())
        && is_truth_value(&left)
    {
        return if op == BinOp::Ne {
            left
        } else {
            unary(types, UnOp::LogNot, left)
        };
    }
    make(ty, ExprKind::Binary(op, Box::new(left), Box::new(right)))
}

/// A function of scalars, folded where all operands are constants and the result is defined.
pub fn math(types: &Types, op: MathOp, operands: Vec<Expr>, ty: TypeId) -> Expr {
    let constants: Option<Vec<Operand>> = operands.iter().map(|operand| constant(types, operand)).collect();
    let folded = constants.and_then(|constants| op.evaluate(Shape::of(types, ty)?, &constants));
    match (folded, types.integer(ty)) {
        (Some(bits), Some(info)) => make(ty, ExprKind::Const(wrap(&unsigned(bits), info))),
        (Some(bits), None) => make(ty, ExprKind::Float(bits)),
        (None, _) => make(ty, ExprKind::Math(op, operands)),
    }
}

/// The bit pattern of a constant, and what it stands for.
pub fn constant(types: &Types, expr: &Expr) -> Option<Operand> {
    let shape = Shape::of(types, expr.ty)?;
    let bits = match &expr.kind {
        ExprKind::Float(bits) => *bits,
        ExprKind::Const(value) => {
            let low = value.mod_floor(&Int::pow2(shape.width().max(1)));
            u128::try_from(low.to_bigint()).ok()?
        }
        _ => return None,
    };
    Some(Operand { bits, shape })
}

/// The number of a pattern without sign.
pub fn unsigned(bits: u128) -> Int {
    let (high, low) = (bits >> 64, bits & u128::from(u64::MAX));
    let part = |part: u128| Int::from(i128::try_from(part).expect("it has 64 bits"));
    part(high) * Int::pow2(64) + part(low)
}

/// Whether an expression of type `int` is 0 or 1 by its form.
fn is_truth_value(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::Unary(op, _) => *op == UnOp::LogNot,
        _ => false,
    }
}

fn fold(types: &Types, op: BinOp, a: &Int, b: &Int, operand: TypeId, result: TypeId) -> Option<Int> {
    use BinOp::*;
    let info = types.integer(operand)?;
    let truth = |t: bool| Some(Int::from(i64::from(t)));
    let quotient = |a: &Int, b: &Int| {
        // C truncates towards zero.
        let q = a.abs().div_floor(&b.abs());
        if a.is_negative() == b.is_negative() { q } else { -q }
    };
    let value = match op {
        Add => a + b,
        Sub => a - b,
        Mul => a * b,
        Div | Rem => {
            if b.is_zero() {
                return None;
            }
            let q = quotient(a, b);
            if wrap(&q, info) != q {
                return None;
            }
            if op == Div { q } else { a - &(&q * b) }
        }
        And | Or | Xor => bitwise(op, a, b, info)?,
        Shl | Shr => {
            let count = u32::try_from(b.to_i64()?).ok().filter(|&n| n < info.width)?;
            if op == Shl {
                a * &Int::pow2(count)
            } else {
                a.div_floor(&Int::pow2(count))
            }
        }
        Lt => return truth(a < b),
        Le => return truth(a <= b),
        Gt => return truth(a > b),
        Ge => return truth(a >= b),
        Eq => return truth(a == b),
        Ne => return truth(a != b),
    };
    Some(wrap(&value, types.integer(result)?))
}

fn bitwise(op: BinOp, a: &Int, b: &Int, info: IntInfo) -> Option<Int> {
    // Two's complement at 128 bits agrees with that at the operands' width; wider values do not fit and stay as they are.
    let (a, b) = (a.to_i128()?, b.to_i128()?);
    let bits = match op {
        BinOp::And => a & b,
        BinOp::Or => a | b,
        _ => a ^ b,
    };
    Some(wrap(&Int::from(bits), info))
}

/// Strips from a condition what does not change whether it holds: negations (which flip the result's second part), comparisons
/// with zero, widening conversions.
pub fn condition(types: &Types, mut cond: Expr, mut truth: bool) -> (Expr, bool) {
    loop {
        match cond.kind {
            ExprKind::Unary(UnOp::LogNot, inner) => {
                cond = *inner;
                truth = !truth;
            }
            ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), l, r)
                if r.as_const().is_some_and(Int::is_zero) && types.integer(l.ty).is_some() =>
            {
                cond = *l;
                truth = truth == (op == BinOp::Ne);
            }
            ExprKind::Cast(inner) => {
                let keeps = match (types.integer(cond.ty), types.integer(inner.ty)) {
                    (Some(to), Some(from)) => to.width == 1 || to.width >= from.width,
                    _ => false,
                };
                if !keeps {
                    return (
                        Expr {
                            ty: cond.ty,
                            kind: ExprKind::Cast(inner),
                        },
                        truth,
                    );
                }
                cond = *inner;
            }
            _ => return (cond, truth),
        }
    }
}

/// Calls `f` for the expression and every expression inside it, places included.
pub fn walk<'e>(expr: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    f(expr);
    match &expr.kind {
        ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => {}
        ExprKind::Load(place) | ExprKind::AddrOf(place) => walk_place(place, f),
        ExprKind::Unary(_, a) | ExprKind::Cast(a) => walk(a, f),
        ExprKind::Binary(_, a, b) => {
            walk(a, f);
            walk(b, f);
        }
        ExprKind::Math(_, operands) => operands.iter().for_each(|operand| walk(operand, f)),
    }
}

/// Calls `f` for every expression inside the place.
pub fn walk_place<'e>(place: &'e Place, f: &mut dyn FnMut(&'e Expr)) {
    if let PlaceBase::Deref(ptr) = &place.base {
        walk(ptr, f);
    }
    for proj in &place.proj {
        if let Proj::Index(index) = proj {
            walk(index, f);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontend::types::{DataModel, IntKind};
    use proptest::prelude::*;

    fn folded(types: &Types, op: BinOp, a: i128, b: i128, ty: TypeId) -> Option<i128> {
        let result = if op.is_comparison() { Types::INT } else { ty };
        binary(types, op, Expr::int(a, ty), Expr::int(b, ty), result)
            .as_const()
            .and_then(Int::to_i128)
    }

    /// The machine's own answer, for the two types that most programs compute in; `None` where C gives none.
    fn machine(op: BinOp, a: i64, b: i64, unsigned: bool) -> Option<i128> {
        use BinOp::*;
        let (a, b) = (a as i32, b as i32);
        let (ua, ub) = (a as u32, b as u32);
        let count = u32::try_from(b).ok().filter(|&n| n < 32);
        Some(match (op, unsigned) {
            (Add, true) => ua.wrapping_add(ub).into(),
            (Add, false) => a.wrapping_add(b).into(),
            (Sub, true) => ua.wrapping_sub(ub).into(),
            (Sub, false) => a.wrapping_sub(b).into(),
            (Mul, true) => ua.wrapping_mul(ub).into(),
            (Mul, false) => a.wrapping_mul(b).into(),
            (Div, true) => ua.checked_div(ub)?.into(),
            (Div, false) => a.checked_div(b)?.into(),
            (Rem, true) => ua.checked_rem(ub)?.into(),
            (Rem, false) => a.checked_rem(b)?.into(),
            (And, true) => (ua & ub).into(),
            (And, false) => (a & b).into(),
            (Or, true) => (ua | ub).into(),
            (Or, false) => (a | b).into(),
            (Xor, true) => (ua ^ ub).into(),
            (Xor, false) => (a ^ b).into(),
            (Shl, true) => (ua << count?).into(),
            (Shl, false) => (a << count?).into(),
            (Shr, true) => (ua >> count?).into(),
            (Shr, false) => (a >> count?).into(),
            (Lt, true) => (ua < ub).into(),
            (Lt, false) => (a < b).into(),
            (Le, true) => (ua <= ub).into(),
            (Le, false) => (a <= b).into(),
            (Gt, true) => (ua > ub).into(),
            (Gt, false) => (a > b).into(),
            (Ge, true) => (ua >= ub).into(),
            (Ge, false) => (a >= b).into(),
            (Eq, _) => (a == b).into(),
            (Ne, _) => (a != b).into(),
        })
    }

    const ALL: [BinOp; 16] = {
        use BinOp::*;
        [Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Lt, Le, Gt, Ge, Eq, Ne]
    };

    fn operand() -> impl Strategy<Value = i64> {
        prop_oneof![
            any::<i64>(),
            -40i64..40,
            Just(i64::from(i32::MIN)),
            Just(i64::from(i32::MAX))
        ]
    }

    proptest! {
        #[test]
        fn folding_agrees_with_the_machine(op in 0usize..16, a in operand(), b in operand(), unsigned in any::<bool>()) {
            let types = Types::new(DataModel::Lp64);
            let ty = if unsigned { Types::UINT } else { Types::INT };
            let info = types.integer(ty).expect("an integer type");
            let (x, y) = (info.wrap(i128::from(a)), info.wrap(i128::from(b)));
            prop_assert_eq!(folded(&types, ALL[op], x, y, ty), machine(ALL[op], a, b, unsigned));
        }

        #[test]
        fn conversions_keep_the_low_bits(value in any::<i64>()) {
            let types = Types::new(DataModel::Lp64);
            let convert = |kind| {
                let e = Expr::int(value, Types::int(IntKind::LongLong));
                cast(&types, e, Types::int(kind)).as_const().and_then(Int::to_i128)
            };
            prop_assert_eq!(convert(IntKind::Char), Some(i128::from(value as i8)));
            prop_assert_eq!(convert(IntKind::UShort), Some(i128::from(value as u16)));
            prop_assert_eq!(convert(IntKind::Int), Some(i128::from(value as i32)));
            prop_assert_eq!(convert(IntKind::ULong), Some(i128::from(value as u64)));
            let wide = Int::from(i128::from(value)).mod_floor(&Int::pow2(128));
            let e = cast(&types, Expr::int(value, Types::int(IntKind::LongLong)), Types::int(IntKind::UInt128));
            prop_assert_eq!(e.as_const(), Some(&wide));
        }
    }

    #[test]
    fn conversions_collapse_only_where_that_is_sound() {
        let types = Types::new(DataModel::Lp64);
        let load = |kind| Expr::load(Place::var(crate::cfa::program::VarId(0), Types::int(kind)));
        let twice = |from, via, to| {
            let inner = cast(&types, load(from), Types::int(via));
            let outer = cast(&types, inner, Types::int(to));
            !matches!(outer.kind, ExprKind::Cast(ref e) if matches!(e.kind, ExprKind::Cast(_)))
        };
        assert!(twice(IntKind::Int, IntKind::LongLong, IntKind::Int));
        assert!(twice(IntKind::UChar, IntKind::Int, IntKind::LongLong));
        assert!(twice(IntKind::LongLong, IntKind::Int, IntKind::Char));
        assert!(!twice(IntKind::LongLong, IntKind::Int, IntKind::LongLong));
        assert!(!twice(IntKind::Int, IntKind::UInt, IntKind::LongLong));
        assert!(!twice(IntKind::Int, IntKind::UChar, IntKind::Int));
    }

    #[test]
    fn conditions_lose_their_wrapping() {
        let types = Types::new(DataModel::Lp64);
        let x = Expr::load(Place::var(crate::cfa::program::VarId(0), Types::INT));
        let long = Types::int(IntKind::Long);
        let not_not = unary(&types, UnOp::LogNot, unary(&types, UnOp::LogNot, x.clone()));
        let wide = cast(&types, not_not, long);
        let compared = binary(&types, BinOp::Eq, wide, Expr::int(0, long), Types::INT);
        assert_eq!(condition(&types, compared, true), (x.clone(), false));
        // A narrowing conversion may turn a non-zero value into zero.
        let narrow = cast(&types, x, Types::CHAR);
        assert_eq!(condition(&types, narrow.clone(), true), (narrow, true));
    }
}
