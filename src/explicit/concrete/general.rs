//! Operations that few programs do often: integers of more than 64 bits, `long double` and its like, the functions of `math.h`.
//!
//! One instruction carries out any such operation on bit patterns. Its operands are registers or pairs of registers with their shapes, from a table beside the code. The arithmetic
//! of floating-point numbers is that of [`crate::cfa::program::math`], which gives the results of real processors, NaN included.

use super::Stop;
use super::code::{Ins, Reg, Test};
use super::compile::Code;
use super::expression::UNUSUAL;
use super::layout::Class;
use super::operations::BY_ZERO;
use crate::cfa::program::math;
use crate::cfa::program::math::{FunctionOp, Operand, Shape, Undefined, mask, signed};
use crate::cfa::{BinOp, Expr, MathOp, UnOp};
use crate::frontend::types::IntInfo;
use crate::frontend::types::float;

/// A general operation.
#[derive(Clone, Copy, Debug)]
pub enum Act {
    /// A function of scalars.
    Function(FunctionOp),
    /// An operator on integers; shifts may have operands of two types.
    Integer(BinOp),
    /// All bits turned.
    Turn,
    /// A comparison: 0 or 1.
    Compare(BinOp),
}

/// An operation, with the registers and shapes of its operands.
#[derive(Clone, Debug)]
pub struct General {
    act: Act,
    operands: Vec<(Reg, Shape)>,
    result: Shape,
}

/// Whether a scalar of this shape is a pair of registers: all but integers of up to 64 bits, binary32 and binary64.
fn is_pair(shape: Shape) -> bool {
    match shape {
        Shape::Int(info) => info.width > 64,
        Shape::Float(format) => !matches!(format, float::Format::Single | float::Format::Double),
    }
}

impl General {
    /// The value, as the lower and the upper register have it.
    pub fn value(&self, registers: &[u64]) -> Result<(u64, u64), Stop> {
        let operand = |&(register, shape): &(Reg, Shape)| {
            let low = u128::from(registers[register as usize]);
            let bits = match is_pair(shape) {
                true => low | u128::from(registers[register as usize + 1]) << 64,
                false => low,
            };
            Operand {
                bits: bits & mask(shape.width()),
                shape,
            }
        };
        let mut operands = [Operand {
            bits: 0,
            shape: self.result,
        }; 4];
        let operands = &mut operands[..self.operands.len()];
        for (to, from) in operands.iter_mut().zip(&self.operands) {
            *to = operand(from);
        }
        let bits = match self.act {
            Act::Function(op) => math::evaluate(op, operands, self.result).ok_or(Stop("a result that is undefined"))?,
            Act::Integer(op) => math::integer(op, operands[0], operands[1]).map_err(undefined)?,
            Act::Turn => !operands[0].bits,
            Act::Compare(op) => u128::from(math::compare(op, operands[0], operands[1])),
        } & mask(self.result.width());
        let (low, high) = (bits as u64, (bits >> 64) as u64);
        Ok(match self.result {
            // A register of an integer is normal.
            Shape::Int(info) if info.signed && info.width <= 64 => (signed(bits, info.width).cast_unsigned() as u64, 0),
            _ => (low, high),
        })
    }

    /// Whether the result is a pair of registers.
    pub fn has_pair(&self) -> bool {
        is_pair(self.result)
    }
}

/// The reason why an operator has no result.
fn undefined(why: Undefined) -> Stop {
    match why {
        Undefined::ByZero => BY_ZERO,
        Undefined::TooGreat => Stop("a quotient that is too great"),
        Undefined::TooFar => Stop("a shift that is too far"),
        Undefined::NoOperator => UNUSUAL,
    }
}

impl Code<'_> {
    /// The shape of a scalar that is no pointer.
    fn shape(&self, expr: &Expr) -> Result<Shape, Stop> {
        match self.class(expr.ty) {
            Class::Pointer | Class::Other => Err(UNUSUAL),
            class => Ok(class.shape()),
        }
    }

    fn operand(&mut self, expr: &Expr) -> Result<(Reg, Shape), Stop> {
        let shape = self.shape(expr)?;
        Ok((self.expression(expr, None)?, shape))
    }

    fn general(&mut self, act: Act, operands: Vec<(Reg, Shape)>, result: Shape, want: Option<Reg>) -> Reg {
        let d = self.dest(want, if is_pair(result) { 2 } else { 1 });
        let op = u32::try_from(self.generals.len()).expect("fewer than 2^32 operations");
        self.generals.push(General { act, operands, result });
        self.emit(Ins::General { d, op });
        d
    }

    /// A scalar of a class that is a pair of registers, from an operator; loads and comparisons are dealt with before.
    pub(super) fn wide_operation(&mut self, act: UnOp, a: &Expr, class: Class, want: Option<Reg>) -> Result<Reg, Stop> {
        let a = self.operand(a)?;
        let result = class.shape();
        match (act, result) {
            (UnOp::Neg, Shape::Int(_)) => {
                let zero = self.wide_constant(0);
                Ok(self.general(Act::Integer(BinOp::Sub), vec![(zero, result), a], result, want))
            }
            (UnOp::Neg, Shape::Float(_)) => Ok(self.general(Act::Function(FunctionOp::Negate), vec![a], result, want)),
            (UnOp::BitNot, Shape::Int(_)) => Ok(self.general(Act::Turn, vec![a], result, want)),
            _ => Err(UNUSUAL),
        }
    }

    /// An operator with two operands, not a comparison.
    pub(super) fn wide_binary(
        &mut self,
        op: BinOp,
        a: &Expr,
        b: &Expr,
        class: Class,
        want: Option<Reg>,
    ) -> Result<Reg, Stop> {
        let act = match class.shape() {
            Shape::Int(_) => Act::Integer(op),
            Shape::Float(_) => Act::Function(FunctionOp::Arithmetic(math::arithmetic(op).ok_or(UNUSUAL)?)),
        };
        let operands = vec![self.operand(a)?, self.operand(b)?];
        Ok(self.general(act, operands, class.shape(), want))
    }

    /// A function of `math.h` and the like.
    pub(super) fn function(&mut self, op: MathOp, args: &[Expr], class: Class, want: Option<Reg>) -> Result<Reg, Stop> {
        if class == Class::Other || args.len() > 4 {
            return Err(UNUSUAL);
        }
        let operands = args.iter().map(|arg| self.operand(arg)).collect::<Result<_, _>>()?;
        Ok(self.general(Act::Function(FunctionOp::Math(op)), operands, class.shape(), want))
    }

    /// A conversion, not to a truth value.
    pub(super) fn wide_conversion(&mut self, inner: &Expr, class: Class, want: Option<Reg>) -> Result<Reg, Stop> {
        let operand = match self.class(inner.ty) {
            Class::Pointer => {
                let p = self.pointer(inner)?;
                let d = self.temporary(1);
                self.emit(Ins::Number { d, p });
                let width = self.pointer_bits();
                (d, Shape::Int(IntInfo { width, signed: false }))
            }
            _ => self.operand(inner)?,
        };
        Ok(self.general(Act::Function(FunctionOp::Convert), vec![operand], class.shape(), want))
    }

    /// A comparison, as a test.
    pub(super) fn wide_comparison(
        &mut self,
        op: BinOp,
        a: &Expr,
        b: &Expr,
        truth: bool,
    ) -> Result<(Test, Reg, Reg), Stop> {
        let operands = vec![self.operand(a)?, self.operand(b)?];
        Ok(self.compared(op, operands, truth))
    }

    /// The test whether a scalar in a pair is not zero (`truth`), or is zero.
    pub(super) fn wide_truth(&mut self, expr: &Expr, truth: bool) -> Result<(Test, Reg, Reg), Stop> {
        let a = self.operand(expr)?;
        let zero = self.wide_constant(0);
        Ok(self.compared(BinOp::Ne, vec![a, (zero, a.1)], truth))
    }

    fn compared(&mut self, op: BinOp, operands: Vec<(Reg, Shape)>, truth: bool) -> (Test, Reg, Reg) {
        let int = Shape::Int(IntInfo {
            width: 32,
            signed: true,
        });
        let d = self.general(Act::Compare(op), operands, int, None);
        (if truth { Test::Ne } else { Test::Eq }, d, self.zero)
    }
}
