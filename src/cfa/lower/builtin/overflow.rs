//! Arithmetic that says whether it overflows: `__builtin_add_overflow` and its relatives, the forms with `_p` that store nothing, and
//! `__builtin_addc` and `subc`, which carry.
//!
//! The operation is done in a type that holds every exact result; it overflows iff that is not in the range of the result's type.
//! Comparing with the two ends of the range is cheaper for formulas than cutting and comparing. Where operands have 128 bits there is no
//! wider type: there the laws of two's complement say whether a sum overflows (it does iff it lies on the wrong side of an
//! operand), and products are invented.

use crate::cfa::lower::Lowerer;
use crate::cfa::lower::library::Modelled;
use crate::cfa::program::expr;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{IntInfo, IntKind, TypeId, Types};
use provident_smt::num::Int;

/// The type in which `uaddl_overflow` and its relatives compute; `None` for the generic ones, whose operands say it.
fn fixed_type(name: &str) -> Option<TypeId> {
    let (signed, rest) = match name.split_at_checked(1)? {
        ("s", rest) => (true, rest),
        ("u", rest) => (false, rest),
        _ => return None,
    };
    let size = ["add", "sub", "mul"].iter().find_map(|op| rest.strip_prefix(op))?;
    let kind = match (size.strip_suffix("_overflow")?, signed) {
        ("", true) => IntKind::Int,
        ("", false) => IntKind::UInt,
        ("l", true) => IntKind::Long,
        ("l", false) => IntKind::ULong,
        ("ll", true) => IntKind::LongLong,
        ("ll", false) => IntKind::ULongLong,
        _ => return None,
    };
    Some(Types::int(kind))
}

fn operator(name: &str) -> Option<BinOp> {
    [("add", BinOp::Add), ("sub", BinOp::Sub), ("mul", BinOp::Mul)]
        .into_iter()
        .find_map(|(word, op)| name.contains(word).then_some(op))
}

/// The type that holds every result.
fn exact_type(op: BinOp, left: IntInfo, right: IntInfo) -> Option<TypeId> {
    let signed_bits = |info: IntInfo| info.width + u32::from(!info.signed);
    let both_unsigned = !left.signed && !right.signed;
    // |x y| < 2^(l + r - 1) if one of them is signed: a factor of -2^(l - 1) meets one of at most 2^(r - 1) or below 2^r.
    let bits = match op {
        BinOp::Mul => left.width + right.width + u32::from(both_unsigned),
        _ => signed_bits(left).max(signed_bits(right)) + 1,
    };
    Some(Types::int(match bits {
        0..=64 => IntKind::LongLong,
        65..=128 => IntKind::Int128,
        129 if op == BinOp::Mul && both_unsigned => IntKind::UInt128,
        _ => return None,
    }))
}

impl Lowerer<'_> {
    /// Lowers one of the builtins of this module; `None` if the name or the arguments are not those of one.
    pub(super) fn checked_arithmetic(
        &mut self,
        name: &str,
        args: &[ExprId],
        ty: TypeId,
        wanted: bool,
        loc: Loc,
    ) -> Option<Modelled> {
        if let [x, y, carry, out] = args
            && let Some(op) = ["addc", "addcl", "addcll", "addcb", "addcs"]
                .contains(&name)
                .then_some(BinOp::Add)
                .or_else(|| {
                    ["subc", "subcl", "subcll", "subcb", "subcs"]
                        .contains(&name)
                        .then_some(BinOp::Sub)
                })
        {
            return self.carrying(op, [*x, *y, *carry, *out], ty, loc);
        }
        let [a, b, to] = *args else { return None };
        let keeps = name.ends_with("_overflow");
        if !keeps && !name.ends_with("_overflow_p") {
            return None;
        }
        let op = operator(name)?;
        let unit = self.unit;
        let target = unit.expr(to).ty;
        let result = match keeps {
            true => fixed_type(name).or_else(|| self.types.pointee(target))?,
            false => target,
        };
        let (left, right) = (self.int_info(unit.expr(a).ty)?, self.int_info(unit.expr(b).ty)?);
        let mut info = self.int_info(result)?;
        let values = self.arguments(&[a, b, to], loc);
        let [a, b, to] = <[Expr; 3]>::try_from(values).ok()?;
        if let ExprKind::Load(place) = &to.kind
            && let Some(bits) = place.bits
            && !keeps
        {
            // The result would be stored in a bit-field.
            info.width = bits.width;
        }
        let (value, overflow) = match exact_type(op, left, right) {
            Some(wide) => {
                let x = expr::cast(&self.types, a, wide);
                let y = expr::cast(&self.types, b, wide);
                let exact = expr::binary(&self.types, op, x, y, wide);
                let exact = self.save(exact, loc);
                (exact.clone(), self.outside(exact, info))
            }
            None => self.widest(op, [a, b], result, loc),
        };
        let overflow = self.save(overflow, loc);
        if keeps {
            let cut = expr::cast(&self.types, value, result);
            let lhs = self.pointed(to, result);
            self.emit(Op::Assign { lhs, rhs: cut }, loc);
        }
        Some(wanted.then(|| expr::cast(&self.types, overflow, ty)))
    }

    /// Whether a value is not in the range of an integer type.
    fn outside(&self, value: Expr, info: IntInfo) -> Expr {
        let (low, high) = expr::range(info);
        let wide = self.int_info(value.ty).map(expr::range);
        let may_be = |bound: &Int| wide.as_ref().is_some_and(|(l, h)| l <= bound && bound <= h);
        let (below, above) = (may_be(&low), may_be(&high));
        let compare = |op, bound: Int| {
            let bound = Expr::int(bound, value.ty);
            expr::binary(&self.types, op, value.clone(), bound, Types::INT)
        };
        let below = below.then(|| compare(BinOp::Lt, low));
        let above = above.then(|| compare(BinOp::Gt, high));
        match (below, above) {
            (Some(b), Some(a)) => expr::binary(&self.types, BinOp::Add, b, a, Types::INT),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Expr::int(0, Types::INT),
        }
    }

    /// Sums of numbers of 128 bits: the sum in the result's type, and whether it overflows. A sum that is not of the result's type is invented.
    fn widest(&mut self, op: BinOp, [a, b]: [Expr; 2], result: TypeId, loc: Loc) -> (Expr, Expr) {
        let info = self.int_info(result);
        let same = info.is_some() && self.int_info(a.ty) == info && self.int_info(b.ty) == info;
        let Some(info) = info.filter(|_| same && op != BinOp::Mul) else {
            let why = "checked arithmetic beyond 128 bits";
            let value = self.invent(result, Invention::Builtin, why, loc);
            let overflow = self.invent(Types::BOOL, Invention::Builtin, why, loc);
            return (value, overflow);
        };
        let (a, b) = (self.save(a, loc), self.save(b, loc));
        let sum = expr::binary(&self.types, op, a.clone(), b.clone(), result);
        let sum = self.save(sum, loc);
        let wrong_side = if op == BinOp::Add { BinOp::Lt } else { BinOp::Gt };
        let moved = expr::binary(&self.types, wrong_side, sum.clone(), a, Types::INT);
        let overflow = if info.signed {
            let negative = expr::binary(&self.types, BinOp::Lt, b, expr::zero(&self.types, result), Types::INT);
            expr::binary(&self.types, BinOp::Ne, moved, negative, Types::INT)
        } else {
            moved
        };
        (sum, overflow)
    }

    /// `x + y + carry` or `x - y - carry`, of unsigned numbers up to 64 bits; whether it overflows goes to `*out`.
    fn carrying(&mut self, op: BinOp, args: [ExprId; 4], ty: TypeId, loc: Loc) -> Option<Modelled> {
        let info = self.int_info(ty).filter(|info| info.width <= 64 && !info.signed)?;
        let to = self.types.pointee(self.unit.expr(args[3]).ty)?;
        self.int_info(to)?;
        let wide = Types::int(if info.width <= 32 {
            IntKind::LongLong
        } else {
            IntKind::Int128
        });
        let values = self.arguments(&args, loc);
        let [x, y, carry, out] = <[Expr; 4]>::try_from(values).ok()?;
        let [x, y, carry] = [x, y, carry].map(|v| {
            let v = expr::cast(&self.types, v, ty);
            expr::cast(&self.types, v, wide)
        });
        let once = expr::binary(&self.types, op, x, y, wide);
        let exact = expr::binary(&self.types, op, once, carry, wide);
        let exact = self.save(exact, loc);
        let result = expr::cast(&self.types, exact.clone(), ty);
        let carries = expr::cast(&self.types, self.outside(exact, info), to);
        let lhs = self.pointed(out, to);
        self.emit(Op::Assign { lhs, rhs: carries }, loc);
        Some(Some(result))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_result_fits_the_type_that_is_computed_in() {
        let info = |width, signed| IntInfo { width, signed };
        let (i64s, u64s, u32s) = (info(64, true), info(64, false), info(32, false));
        let kind = |k| Some(Types::int(k));
        assert_eq!(exact_type(BinOp::Mul, u64s, u64s), kind(IntKind::UInt128));
        assert_eq!(exact_type(BinOp::Mul, i64s, i64s), kind(IntKind::Int128));
        assert_eq!(exact_type(BinOp::Mul, i64s, u64s), kind(IntKind::Int128));
        assert_eq!(exact_type(BinOp::Sub, u64s, u64s), kind(IntKind::Int128));
        assert_eq!(exact_type(BinOp::Add, u32s, u32s), kind(IntKind::LongLong));
        assert_eq!(exact_type(BinOp::Add, info(128, true), i64s), None);
    }
}
