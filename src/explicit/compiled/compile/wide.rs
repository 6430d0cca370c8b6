//! Expressions of more than 64 bits: long integers, `long double` and its like.

use super::super::code::*;
use super::{Compiled, Here};
use crate::cfa::program::math;
use crate::cfa::program::math::{Operand, Shape, mask};
use crate::cfa::{BinOp, Expr, ExprKind, Place, UnOp};
use crate::frontend::types::{IntInfo, TypeId};
use provident_smt::num::Int;

impl Compiled<'_> {
    /// Whether a type is that of a scalar of more than 64 bits.
    pub(super) fn is_wide(&self, ty: TypeId) -> bool {
        matches!(self.scalar(ty), Scalar::Wide(_))
    }

    /// An expression, if it has more than 64 bits.
    pub(super) fn wide_operand(&self, here: Here, expr: &Expr) -> Option<Wide> {
        match self.scalar(expr.ty) {
            Scalar::Wide(shape) => Some(self.wide(here, expr, shape)),
            _ => None,
        }
    }

    /// An expression of a type of more than 64 bits.
    pub(super) fn wide(&self, here: Here, expr: &Expr, shape: Shape) -> Wide {
        let form = match &expr.kind {
            ExprKind::Load(place) => self.wide_load(here, place),
            _ => match shape {
                Shape::Float(_) => self.wide_float(here, expr, shape),
                Shape::Int(info) => self.wide_integer(here, expr, shape, info),
            },
        };
        Wide {
            shape,
            form: form.unwrap_or(WideForm::Opaque),
        }
    }

    fn wide_load(&self, here: Here, place: &Place) -> Option<WideForm> {
        Some(match self.slot(here, place).ok()? {
            Some(_) if place.bits.is_some() => return None,
            Some(slot) => WideForm::Slots(slot),
            // Of a bit-field there is no value, but the access counts.
            None => WideForm::Read(Box::new(self.target(here, place).ok()?)),
        })
    }

    fn wide_float(&self, here: Here, expr: &Expr, shape: Shape) -> Option<WideForm> {
        match &expr.kind {
            ExprKind::Float(bits) => Some(WideForm::Bits(*bits)),
            ExprKind::Cast(x) if self.scalar(x.ty) == Scalar::Wide(shape) => Some(self.wide(here, x, shape).form),
            _ => self.float_function(here, expr).map(WideForm::Function),
        }
    }

    fn wide_integer(&self, here: Here, expr: &Expr, shape: Shape, info: IntInfo) -> Option<WideForm> {
        let bits = |bits| Wide {
            shape,
            form: WideForm::Bits(bits),
        };
        let binary = |op, a, b| Some(WideForm::Binary(op, Box::new((a, b))));
        match &expr.kind {
            ExprKind::Const(value) => {
                let wrapped = value.to_i128().or_else(|| (value - &Int::pow2(128)).to_i128())?;
                Some(WideForm::Bits(wrapped.cast_unsigned() & mask(info.width)))
            }
            ExprKind::Unary(UnOp::Neg, x) => binary(BinOp::Sub, bits(0), Argument::Wide(self.wide_operand(here, x)?)),
            ExprKind::Unary(UnOp::BitNot, x) => {
                let ones = Argument::Wide(bits(mask(info.width)));
                binary(BinOp::Xor, self.wide_operand(here, x)?, ones)
            }
            ExprKind::Binary(op, a, b) if !op.is_comparison() => {
                binary(*op, self.wide_operand(here, a)?, self.argument(here, b)?)
            }
            ExprKind::Cast(x) => match self.argument(here, x)? {
                Argument::Wide(wide) => match wide.shape {
                    own if own == shape => Some(wide.form),
                    Shape::Int(from) => Some(WideForm::Resize(Box::new(wide), from)),
                    Shape::Float(_) => self
                        .function(here, FunctionOp::Convert, &[x], expr.ty)
                        .map(WideForm::Function),
                },
                Argument::Narrow(Code::Bits(bits), from @ Shape::Int(_)) => {
                    let bits = bits.into();
                    math::convert(Operand { bits, shape: from }, shape).map(WideForm::Bits)
                }
                Argument::Narrow(code, Shape::Int(from)) => Some(WideForm::Extend(code, from)),
                Argument::Narrow(_, Shape::Float(_)) => self
                    .function(here, FunctionOp::Convert, &[x], expr.ty)
                    .map(WideForm::Function),
            },
            ExprKind::Math(op, operands) => {
                let operands: Vec<&Expr> = operands.iter().collect();
                self.function(here, FunctionOp::Math(*op), &operands, expr.ty)
                    .map(WideForm::Function)
            }
            _ => None,
        }
    }
}
