//! Floating-point numbers as instructions: binary32 and binary64, rounded to nearest, as the host machine does it. Operations whose result is no number are left to [`crate::frontend::types::float`], which says
//! which bits it has.

use super::Stop;
use super::code::{FloatOp, Ins, Reg};
use super::compile::Code;
use super::expression::UNUSUAL;
use super::layout::Class;
use crate::cfa::{BinOp, Expr, ExprKind, UnOp};

impl Code<'_> {
    pub(super) fn float(&mut self, expr: &Expr, class: Class, want: Option<Reg>) -> Result<Reg, Stop> {
        match &expr.kind {
            ExprKind::Float(bits) => Ok(self.constant(u64::try_from(*bits).map_err(|_| UNUSUAL)?)),
            ExprKind::Unary(UnOp::Neg, a) => {
                let a = self.expression(a, None)?;
                let b = self.constant(if class == Class::Float32 { 1 << 31 } else { 1 << 63 });
                let d = self.dest(want, 1);
                self.emit(Ins::Xor { d, a, b });
                Ok(d)
            }
            ExprKind::Binary(op, a, b) => {
                let op = match op {
                    BinOp::Add => FloatOp::Add,
                    BinOp::Sub => FloatOp::Sub,
                    BinOp::Mul => FloatOp::Mul,
                    BinOp::Div => FloatOp::Div,
                    _ => return Err(UNUSUAL),
                };
                let (a, b) = (self.expression(a, None)?, self.expression(b, None)?);
                let d = self.dest(want, 1);
                self.emit(float_operation(class, d, a, b, op));
                Ok(d)
            }
            ExprKind::Cast(inner) => {
                let from = self.class(inner.ty);
                if from == class {
                    return self.expression(inner, want);
                }
                let a = match from {
                    Class::Pointer | Class::Other => return Err(UNUSUAL),
                    Class::Wide(_) | Class::Float(_) => return self.wide_conversion(inner, class, want),
                    _ => self.expression(inner, None)?,
                };
                let d = self.dest(want, 1);
                let wide = class == Class::Float64;
                self.emit(match from {
                    Class::Float32 => Ins::Widen { d, a },
                    Class::Float64 => Ins::Narrow { d, a },
                    Class::Int(info) => Ins::FromInt {
                        d,
                        a,
                        signed: info.signed,
                        wide,
                    },
                    _ => return Err(UNUSUAL),
                });
                Ok(d)
            }
            _ => Err(UNUSUAL),
        }
    }
}

/// An operation in the format of a class.
pub(super) fn float_operation(class: Class, d: Reg, a: Reg, b: Reg, op: FloatOp) -> Ins {
    match class {
        Class::Float32 => Ins::Float32 { d, a, b, op },
        _ => Ins::Float64 { d, a, b, op },
    }
}
