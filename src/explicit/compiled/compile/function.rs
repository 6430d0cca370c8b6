//! Functions of scalars: floating-point expressions, and conversions from and to them.

use super::super::code::*;
use super::{Compiled, Here};
use crate::cfa::program::math;
use crate::cfa::program::math::Shape;
use crate::cfa::{Expr, ExprKind};
use crate::frontend::types::TypeId;
use crate::frontend::types::float::Format;

impl Compiled<'_> {
    /// A function of scalars; `None` if an operand is no scalar.
    pub(super) fn function(&self, here: Here, op: FunctionOp, operands: &[&Expr], ty: TypeId) -> Option<Box<Function>> {
        let operands = operands.iter().map(|x| self.argument(here, x));
        Some(Box::new(Function {
            op,
            operands: operands.collect::<Option<_>>()?,
            result: Shape::of(&self.program.types, ty)?,
        }))
    }

    /// An operand of any width; `None` if it is no scalar.
    pub(super) fn argument(&self, here: Here, expr: &Expr) -> Option<Argument> {
        Some(match self.wide_operand(here, expr) {
            Some(wide) => Argument::Wide(wide),
            None => Argument::Narrow(self.code(here, expr), Shape::of(&self.program.types, expr.ty)?),
        })
    }

    /// The function that an expression of a floating type is; `None` if it is none.
    pub(super) fn float_function(&self, here: Here, expr: &Expr) -> Option<Box<Function>> {
        match &expr.kind {
            ExprKind::Unary(_, x) => self.function(here, FunctionOp::Negate, &[x], expr.ty),
            ExprKind::Binary(op, a, b) => {
                let op = FunctionOp::Arithmetic(math::arithmetic(*op)?);
                self.function(here, op, &[a, b], expr.ty)
            }
            ExprKind::Cast(x) => self.function(here, FunctionOp::Convert, &[x], expr.ty),
            ExprKind::Math(op, operands) => {
                let operands: Vec<&Expr> = operands.iter().collect();
                self.function(here, FunctionOp::Math(*op), &operands, expr.ty)
            }
            _ => None,
        }
    }

    /// An expression of a floating type of at most 64 bits that is no load.
    pub(super) fn float_code(&self, here: Here, expr: &Expr, format: Format) -> Option<Code> {
        match &expr.kind {
            ExprKind::Float(bits) => u64::try_from(*bits).ok().map(Code::Bits),
            ExprKind::Cast(x) if self.program.types.format(x.ty) == Some(format) => Some(self.code(here, x)),
            _ => self.float_function(here, expr).map(Code::Function),
        }
    }
}
