//! Numbers on a way, each with the expression that it is the value of.

use super::expression::{Expression, Id};
use super::recorder::{Content, Halt, Recorder};
use crate::cfa::BinOp;
use crate::explicit::compiled::code::{Code, Scalar};
use crate::explicit::step::question::Truth;
use crate::explicit::value::arith::{self, mask};
use crate::frontend::types::IntInfo;

/// How deep expressions may nest.
const MAX_DEPTH: u32 = 64;

/// A number with the expression that it is the value of.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub bits: u64,
    pub id: Id,
    /// How deep the expression nests.
    depth: u32,
}

impl Recorder<'_, '_> {
    /// A constant.
    pub(super) fn bits(&mut self, bits: u64) -> Number {
        let id = self.expressions.of(Expression::Bits(bits));
        Number { bits, id, depth: 0 }
    }

    /// An expression with its value.
    pub(super) fn expression(&mut self, expression: Expression, bits: u64, depth: u32) -> Result<Number, Halt> {
        if depth > MAX_DEPTH {
            return Err(Halt::Machine);
        }
        let id = self.expressions.of(expression);
        Ok(Number { bits, id, depth })
    }

    /// Whether the number is one whatever the state was.
    pub(super) fn is_constant(&self, number: Number) -> bool {
        matches!(self.expressions.get(number.id), Expression::Bits(_))
    }

    /// The value of an expression.
    pub(super) fn number(&mut self, code: &Code) -> Result<Number, Halt> {
        if let Some(truth) = self.asked(code)? {
            let holds = self.decide(truth)?;
            return Ok(self.bits(holds.into()));
        }
        match code {
            Code::Bits(bits) => Ok(self.bits(*bits)),
            Code::Slot(slot, Scalar::Int(info)) => match self.slot(*slot, *info)? {
                Content::Number(number) => Ok(number),
                _ => Err(Halt::Machine),
            },
            Code::Plus(inner, constant, info) => {
                let inner = self.number(inner)?;
                let bits = inner.bits.wrapping_add(*constant) & mask(info.width);
                self.made(&[inner], Expression::Plus(inner.id, *constant, *info), bits)
            }
            Code::Binary(op, operands, info, right) => {
                let (a, b) = (self.number(&operands.0)?, self.number(&operands.1)?);
                self.binary(*op, a, b, *info, *right)
            }
            Code::Neg(inner, info) => {
                let (zero, inner) = (self.bits(0), self.number(inner)?);
                self.binary(BinOp::Sub, zero, inner, *info, *info)
            }
            Code::Not(inner, info) => {
                let (inner, ones) = (self.number(inner)?, self.bits(mask(info.width)));
                self.binary(BinOp::Xor, inner, ones, *info, *info)
            }
            Code::Compare(op, operands, Scalar::Int(info)) => {
                let (a, b) = (self.number(&operands.0)?, self.number(&operands.1)?);
                self.binary(*op, a, b, *info, *info)
            }
            Code::IsZero(inner, scalar) => {
                let inner = self.truth(inner, *scalar)?;
                self.made(&[inner], Expression::IsZero(inner.id), u64::from(inner.bits == 0))
            }
            Code::Convert(inner, from, to) => {
                let inner = self.number(inner)?;
                let bits = arith::convert(inner.bits, *from, *to);
                self.made(&[inner], Expression::Convert(inner.id, *from, *to), bits)
            }
            _ => Err(Halt::Machine),
        }
    }

    /// The truth value that an expression is, if it is one about an input.
    fn asked(&mut self, code: &Code) -> Result<Option<Truth>, Halt> {
        match code {
            Code::Compare(.., scalar) | Code::IsZero(_, scalar) => self.question(code, *scalar),
            Code::Convert(_, from, to) if to.width == 1 => self.question(code, Scalar::Int(*from)),
            _ => Ok(None),
        }
    }

    fn binary(&mut self, op: BinOp, a: Number, b: Number, info: IntInfo, right: IntInfo) -> Result<Number, Halt> {
        // An operation that C leaves undefined in another state is for the machine.
        let is_total = match op {
            BinOp::Div | BinOp::Rem => self.is_constant(b) && b.bits != mask(right.width),
            BinOp::Shl | BinOp::Shr => self.is_constant(b) && b.bits < u64::from(info.width),
            _ => true,
        };
        if !is_total {
            return Err(Halt::Machine);
        }
        let bits = arith::binary(op, a.bits, b.bits, info, right).ok_or(Halt::Machine)?;
        self.made(&[a, b], Expression::Binary(op, a.id, b.id, info, right), bits)
    }

    /// The value of an operation: a constant if all of its operands are.
    fn made(&mut self, operands: &[Number], expression: Expression, bits: u64) -> Result<Number, Halt> {
        if operands.iter().all(|operand| self.is_constant(*operand)) {
            return Ok(self.bits(bits));
        }
        let depth = operands.iter().map(|operand| operand.depth).max().unwrap_or(0);
        self.expression(expression, bits, depth + 1)
    }

    /// A number that is zero if the condition is false.
    pub(super) fn truth(&mut self, code: &Code, scalar: Scalar) -> Result<Number, Halt> {
        match scalar {
            Scalar::Int(_) => self.number(code),
            _ => Err(Halt::Machine),
        }
    }
}
