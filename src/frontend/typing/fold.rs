//! Constants: folding while the tree is built, and evaluation where C wants a constant.
//!
//! Operators on constants are folded at once, unless the result would overflow or is undefined: then the tree keeps the operation, for
//! the verifier to judge.

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::types::float;
use crate::frontend::types::float::{Arithmetic, Rounding};
use crate::frontend::types::*;
use std::cmp::Ordering;

impl Parser<'_> {
    /// A constant integer expression.
    pub fn constant_expression(&mut self) -> Parsed<i128> {
        let loc = self.loc();
        let e = self.conditional_expression()?;
        let e = self.rvalue(e)?;
        match self.const_int(e) {
            Some(value) if self.types.is_integral(self.ty(e)) => Ok(value),
            _ => self.fail(loc, "expression is not an integer constant"),
        }
    }

    /// The value of an expression that gcc would fold: operands that are never evaluated do not matter.
    pub fn const_int(&self, e: ExprId) -> Option<i128> {
        match self.kind(e) {
            ExprKind::Int(value) => Some(value),
            _ => grow(|| self.const_int_of_tree(e)),
        }
    }

    fn const_int_of_tree(&self, e: ExprId) -> Option<i128> {
        let ty = self.ty(e);
        let wrap = |v: i128| self.types.integer(ty).map(|info| info.wrap(v));
        match self.kind(e) {
            ExprKind::Int(value) => Some(value),
            ExprKind::Cast(
                CastKind::Integral | CastKind::PointerToInt | CastKind::IntToPointer | CastKind::Pointer,
                of,
            ) => wrap(self.const_int(of)?),
            ExprKind::Cast(CastKind::LvalueToRvalue, of) => match self.kind(of) {
                ExprKind::Global(global) => self.constants.get(&global).copied(),
                _ => None,
            },
            ExprKind::Cast(CastKind::ToBool, of) => Some(i128::from(self.const_int(of)? != 0)),
            ExprKind::Cast(CastKind::FloatToInt, of) => match self.kind(of) {
                ExprKind::Float { bits, imaginary: false } => wrap(self.whole(self.ty(of), bits, ty)?),
                _ => None,
            },
            ExprKind::LogicalAnd(a, b) => match self.truth(a)? {
                false => Some(0),
                true => Some(i128::from(self.truth(b)?)),
            },
            ExprKind::LogicalOr(a, b) => match self.truth(a)? {
                true => Some(1),
                false => Some(i128::from(self.truth(b)?)),
            },
            ExprKind::Conditional(c, a, b) => self.const_int(if self.truth(c)? { a } else { b }),
            ExprKind::Elvis { value, otherwise } => match self.const_int(value)? {
                0 => self.const_int(otherwise),
                value => wrap(value),
            },
            ExprKind::Unary(op, of) => {
                if op == UnaryOp::LogicalNot {
                    return Some(i128::from(!self.truth(of)?));
                }
                let value = self.const_int(of)?;
                match op {
                    UnaryOp::Neg => wrap(value.wrapping_neg()),
                    UnaryOp::BitNot => wrap(!value),
                    UnaryOp::LogicalNot => None,
                }
            }
            ExprKind::Binary(op, a, b) => {
                let info = self.types.integer(self.ty(a))?;
                self.fold_operator(op, info, self.const_int(a)?, self.const_int(b)?)
                    .map(|(value, _)| value)
            }
            _ => None,
        }
    }

    /// Whether a constant is not zero.
    fn truth(&self, e: ExprId) -> Option<bool> {
        match self.kind(e) {
            ExprKind::Float { bits, imaginary: false } => Some(!float::is_zero(self.types.format(self.ty(e))?, bits)),
            ExprKind::Cast(CastKind::ArrayToPointer | CastKind::FunctionToPointer, _) => Some(true),
            ExprKind::Binary(op, a, b) if op.is_comparison() && self.types.is_float(self.ty(a)) => {
                match (self.kind(a), self.kind(b)) {
                    (ExprKind::Float { bits: x, .. }, ExprKind::Float { bits: y, .. }) => {
                        let order = float::compare(self.types.format(self.ty(a))?, x, y);
                        Some(compare_floats(op, order))
                    }
                    _ => None,
                }
            }
            _ => self.const_int(e).map(|v| v != 0),
        }
    }

    /// The result of an operator on operands of the type `info`, and whether it overflows. `None`: undefined.
    fn fold_operator(&self, op: BinaryOp, info: IntInfo, a: i128, b: i128) -> Option<(i128, bool)> {
        if info.width == 128 && !info.signed {
            return fold_u128(op, a.cast_unsigned(), b.cast_unsigned());
        }
        let exact = match op {
            BinaryOp::Add => a.checked_add(b),
            BinaryOp::Sub => a.checked_sub(b),
            BinaryOp::Mul => a.checked_mul(b),
            BinaryOp::Div => Some(a.checked_div(b)?),
            BinaryOp::Rem => Some(a.checked_rem(b)?),
            BinaryOp::Shl | BinaryOp::Shr => {
                let count = u32::try_from(b).ok().filter(|&n| n < info.width)?;
                if op == BinaryOp::Shr {
                    Some(a >> count)
                } else {
                    // gcc defines a left shift of signed values as one of bits.
                    return Some((
                        info.wrap(a.wrapping_shl(count)),
                        info.signed && (info.wrap(a.wrapping_shl(count)) >> count) != a,
                    ));
                }
            }
            BinaryOp::BitAnd => Some(a & b),
            BinaryOp::BitOr => Some(a | b),
            BinaryOp::BitXor => Some(a ^ b),
            _ => Some(i128::from(compare(op, a, b))),
        };
        let wrapped = match exact {
            Some(value) => info.wrap(value),
            // Only products of 64-bit numbers and 128-bit arithmetic get here; the low bits are right in any case.
            None => info.wrap(match op {
                BinaryOp::Mul => a.wrapping_mul(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                _ => a.wrapping_add(b),
            }),
        };
        Some((wrapped, info.signed && exact != Some(wrapped)))
    }

    /// Folds a binary operator of converted operands, if both are constants and nothing overflows.
    pub fn fold_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: TypeId) -> Option<ExprId> {
        let loc = self.expr_loc(a);
        match (self.kind(a), self.kind(b)) {
            (ExprKind::Int(x), ExprKind::Int(y)) => {
                let info = self.types.integer(self.ty(a))?;
                let (value, overflow) = self.fold_operator(op, info, x, y)?;
                (!overflow).then(|| self.int_expr(ty, loc, value))
            }
            (
                ExprKind::Float {
                    bits: x,
                    imaginary: false,
                },
                ExprKind::Float {
                    bits: y,
                    imaginary: false,
                },
            ) => {
                let format = self.types.format(self.ty(a))?;
                if op.is_comparison() {
                    let truth = compare_floats(op, float::compare(format, x, y));
                    return Some(self.int_expr(ty, loc, i128::from(truth)));
                }
                let op = match op {
                    BinaryOp::Add => Arithmetic::Add,
                    BinaryOp::Sub => Arithmetic::Sub,
                    BinaryOp::Mul => Arithmetic::Mul,
                    BinaryOp::Div => Arithmetic::Div,
                    _ => return None,
                };
                let bits = float::binary(op, format, x, y, Rounding::Nearest);
                Some(self.float_expr(ty, loc, bits))
            }
            _ => None,
        }
    }

    /// Folds a unary operator of a promoted operand.
    pub fn fold_unary(&mut self, op: UnaryOp, e: ExprId, ty: TypeId) -> Option<ExprId> {
        let loc = self.expr_loc(e);
        match self.kind(e) {
            ExprKind::Int(value) => {
                let info = self.types.integer(ty)?;
                let result = match op {
                    UnaryOp::Neg => value.checked_neg()?,
                    UnaryOp::BitNot => !value,
                    UnaryOp::LogicalNot => i128::from(value == 0),
                };
                if info.signed && info.wrap(result) != result {
                    return None;
                }
                Some(self.int_expr(ty, loc, result))
            }
            ExprKind::Float { bits, imaginary: false } => {
                let format = self.types.format(self.ty(e))?;
                match op {
                    UnaryOp::Neg => Some(self.float_expr(ty, loc, float::negate(format, bits))),
                    UnaryOp::LogicalNot => Some(self.int_expr(ty, loc, i128::from(float::is_zero(format, bits)))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Folds a conversion of a constant.
    pub fn fold_cast(&mut self, kind: CastKind, e: ExprId, ty: TypeId) -> Option<ExprId> {
        let loc = self.expr_loc(e);
        match (self.kind(e), kind) {
            (
                ExprKind::Int(value),
                CastKind::Integral
                | CastKind::IntToPointer
                | CastKind::PointerToInt
                | CastKind::Pointer
                | CastKind::NoOp,
            ) => {
                self.types.integer(ty)?;
                Some(self.int_expr(ty, loc, value))
            }
            (ExprKind::Int(value), CastKind::ToBool) => Some(self.int_expr(ty, loc, i128::from(value != 0))),
            (ExprKind::Int(value), CastKind::IntToFloat) => {
                let format = self.types.format(ty)?;
                let signed = self.types.integer(self.ty(e))?.signed;
                let bits = match signed {
                    true => float::from_int(format, value, Rounding::Nearest),
                    false => float::from_unsigned(format, value.cast_unsigned(), Rounding::Nearest),
                };
                Some(self.float_expr(ty, loc, bits))
            }
            (ExprKind::Float { bits, imaginary: false }, CastKind::ToBool) => {
                let format = self.types.format(self.ty(e))?;
                Some(self.int_expr(ty, loc, i128::from(!float::is_zero(format, bits))))
            }
            (ExprKind::Float { bits, imaginary: false }, CastKind::FloatToInt) => {
                let whole = self.whole(self.ty(e), bits, ty)?;
                Some(self.int_expr(ty, loc, whole))
            }
            (ExprKind::Float { bits, imaginary: false }, CastKind::Float) => {
                let (from, to) = (self.types.format(self.ty(e))?, self.types.format(ty)?);
                Some(self.float_expr(ty, loc, float::convert(from, to, bits, Rounding::Nearest)))
            }
            _ => None,
        }
    }

    /// A floating constant of a bit pattern.
    pub fn float_expr(&mut self, ty: TypeId, loc: Loc, bits: u128) -> ExprId {
        self.expr(ty, loc, ExprKind::Float { bits, imaginary: false })
    }

    /// The conversion of a floating constant to an integer type; `None` where that is undefined.
    fn whole(&self, from: TypeId, bits: u128, to: TypeId) -> Option<i128> {
        let (format, info) = (self.types.format(from)?, self.types.integer(to)?);
        let whole = float::to_int(format, bits, info.width, info.signed, Rounding::Zero)?;
        Some(info.wrap(whole.cast_signed()))
    }

    /// The address of an lvalue that stands at a constant address, as in the old `offsetof`.
    pub fn const_address(&self, e: ExprId) -> Option<i128> {
        match self.kind(e) {
            ExprKind::Deref(pointer) => match self.kind(pointer) {
                ExprKind::Int(value) => Some(value),
                _ => None,
            },
            ExprKind::Member { base, field } => {
                let at = self.const_address(base)?;
                let record = self.types.as_record(self.ty(base))?;
                let field = self.types.record(record).fields.get(field as usize)?;
                field.bits.is_none().then_some(at + i128::from(field.offset))
            }
            ExprKind::Index { base, index } => {
                let at = self.const_address(base)?;
                let index = self.const_int(index)?;
                let size = self.types.size_of(self.ty(e))?;
                at.checked_add(index.checked_mul(i128::from(size))?)
            }
            _ => None,
        }
    }

    /// Whether a value can initialise a static object: a constant, or the address of something static plus a constant.
    pub fn is_static_value(&self, e: ExprId) -> bool {
        grow(|| self.is_static_tree(e))
    }

    fn is_static_tree(&self, e: ExprId) -> bool {
        if self.const_int(e).is_some() {
            return true;
        }
        match self.kind(e) {
            ExprKind::Int(_) | ExprKind::Float { .. } | ExprKind::String(_) | ExprKind::Function(_) => true,
            ExprKind::LabelAddress(_) => true,
            ExprKind::AddressOf(of) => self.is_static_place(of),
            ExprKind::Cast(CastKind::ArrayToPointer, of) => self.is_static_place(of),
            ExprKind::Cast(CastKind::LvalueToRvalue, of) => self.is_static_content(of),
            ExprKind::Cast(CastKind::Integral | CastKind::PointerToInt, of) => {
                // An address can be stored, but not cut.
                let keeps_bits = self.types.size_of(self.ty(e)) >= self.types.size_of(self.ty(of));
                (keeps_bits || matches!(self.kind(of), ExprKind::PointerDiff(..))) && self.is_static_value(of)
            }
            ExprKind::Binary(_, a, b) if self.const_int(a).is_some() && self.const_int(b).is_some() => false,
            ExprKind::Cast(_, of) | ExprKind::Unary(_, of) => self.is_static_value(of),
            ExprKind::PointerAdd { pointer, index, .. } => self.is_static_value(pointer) && self.is_static_value(index),
            ExprKind::Binary(_, a, b)
            | ExprKind::Complex(a, b)
            | ExprKind::PointerDiff(a, b)
            | ExprKind::LogicalAnd(a, b)
            | ExprKind::LogicalOr(a, b)
            | ExprKind::Elvis { value: a, otherwise: b } => self.is_static_value(a) && self.is_static_value(b),
            ExprKind::Conditional(c, a, b) => match self.truth(c) {
                Some(true) => self.is_static_value(a),
                Some(false) => self.is_static_value(b),
                None => self.is_static_value(c) && self.is_static_value(a) && self.is_static_value(b),
            },
            _ => false,
        }
    }

    /// Whether an lvalue denotes (part of) a static object.
    fn is_static_place(&self, e: ExprId) -> bool {
        match self.kind(e) {
            ExprKind::Global(_) | ExprKind::String(_) | ExprKind::Function(_) => true,
            ExprKind::Member { base, .. } => self.is_static_place(base),
            ExprKind::Index { base, index } => self.is_static_place(base) && self.const_int(index).is_some(),
            ExprKind::Deref(pointer) => self.is_static_value(pointer),
            _ => false,
        }
    }

    /// gcc takes the values of compound literals and of initialised `const` objects as constants, too.
    fn is_static_content(&self, e: ExprId) -> bool {
        match self.kind(e) {
            ExprKind::Global(g) => {
                let global = &self.globals[g.index()];
                global.name.is_empty()
                    || (global.init.is_some()
                        && self.types.is_arithmetic(global.ty)
                        && self.types.quals(global.ty).has(Quals::CONST))
            }
            ExprKind::Member { base, .. } => self.is_static_content(base),
            _ => false,
        }
    }
}

fn compare<T: PartialOrd>(op: BinaryOp, a: T, b: T) -> bool {
    match op {
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        BinaryOp::Ge => a >= b,
        BinaryOp::Eq => a == b,
        _ => a != b,
    }
}

/// A comparison by the operands' order; without one, only `!=` holds.
fn compare_floats(op: BinaryOp, order: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Lt => order == Some(Ordering::Less),
        BinaryOp::Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Gt => order == Some(Ordering::Greater),
        BinaryOp::Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        BinaryOp::Eq => order == Some(Ordering::Equal),
        _ => order != Some(Ordering::Equal),
    }
}

fn fold_u128(op: BinaryOp, a: u128, b: u128) -> Option<(i128, bool)> {
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div => a.checked_div(b)?,
        BinaryOp::Rem => a.checked_rem(b)?,
        BinaryOp::Shl => a.checked_shl(u32::try_from(b).ok()?)?,
        BinaryOp::Shr => a.checked_shr(u32::try_from(b).ok()?)?,
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        _ => u128::from(compare(op, a, b)),
    };
    Some((value.cast_signed(), false))
}
