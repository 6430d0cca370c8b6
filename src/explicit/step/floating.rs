//! Floating-point values: bit patterns like all values, with operations of their own.
//!
//! On constants every operation is exact. Of a symbol the *pattern* is tracked, as an unsigned integer, and order is decided exactly: patterns of positive
//! numbers are ordered as the numbers are, those of negative ones the other way round, NaN lies above each infinity. So a comparison splits a symbol by the sign
//! and by whether it is NaN, and is then a comparison of integers; after that the split is known. Arithmetic on symbols gives any
//! value within the bounds that follow from the operands' ranges, as rounding is monotone: interval arithmetic (Moore, *Interval Analysis*, 1966) on intervals of
//! patterns. The same operation on the same operands gives the same symbol.

use super::machine::{Guide, Halt, Machine};
use super::question::{Truth, mirrored};
use crate::cfa::program::interval;
use crate::cfa::program::interval::Range;
use crate::cfa::program::math;
use crate::cfa::program::math::{FunctionOp, Operand, Shape, evaluate};
use crate::cfa::{BinOp, MathOp};
use crate::explicit::Value;
use crate::explicit::compiled::code::{Argument, Code, Function};
use crate::explicit::value::arith::{WIDEST, bounds};
use crate::explicit::value::memo::{Application, Known};
use crate::frontend::types::IntInfo;
use crate::frontend::types::float;
use crate::frontend::types::float::Format;
use std::cmp::Ordering;

/// Where a floating-point value lies.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    /// It is no number.
    Nan,
    /// Zero of either sign, or positive; then its pattern without sign.
    Up(Value),
    /// Below zero; its pattern.
    Down(Value),
}

/// The values of operands with their shapes, and the concrete ones among them.
pub(super) type Operands = (Vec<(Value, Shape)>, Vec<Operand>);

/// The integer type of a format's patterns.
pub fn pattern(format: Format) -> IntInfo {
    IntInfo {
        width: format.width(),
        signed: false,
    }
}

fn low(bits: u128) -> Option<u64> {
    u64::try_from(bits).ok()
}

impl Machine<'_, '_> {
    /// A comparison of floating-point values.
    pub fn ordered(&mut self, op: BinOp, operands: &(Code, Code), format: Format) -> Result<Truth, Halt> {
        let a = self.value(&operands.0)?;
        let b = self.value(&operands.1)?;
        let info = pattern(format);
        let (a, b) = (self.settled(a, info.width), self.settled(b, info.width));
        if let (Value::Bits(x), Value::Bits(y)) = (a, b) {
            let order = float::compare(format, x.into(), y.into());
            return Ok(Truth::Known(math::holds(op, order)));
        }
        let tracked = |value| matches!(value, Value::Bits(_) | Value::Symbol { .. });
        if format.width() > 64 || !tracked(a) || !tracked(b) {
            return Ok(Truth::LOST);
        }
        let Some(left) = self.half(a, format)? else {
            return Ok(Truth::LOST);
        };
        let Some(right) = self.half(b, format)? else {
            return Ok(Truth::LOST);
        };
        let known = |less: bool| {
            let order = if less { Ordering::Less } else { Ordering::Greater };
            Ok(Truth::Known(math::holds(op, Some(order))))
        };
        match (left, right) {
            (Half::Nan, _) | (_, Half::Nan) => Ok(Truth::Known(math::holds(op, None))),
            (Half::Down(_), Half::Up(_)) => known(true),
            (Half::Up(_), Half::Down(_)) => known(false),
            (Half::Up(x), Half::Up(y)) => self.compare(op, x, y, info),
            (Half::Down(x), Half::Down(y)) => self.compare(mirrored(op), x, y, info),
        }
    }

    /// Decides where a value lies, by choice if need be. `None` if it cannot be told.
    fn half(&mut self, value: Value, format: Format) -> Result<Option<Half>, Halt> {
        let info = pattern(format);
        let patterns = low(format.sign()).zip(low(format.infinity()));
        let (sign, infinity) = patterns.expect("a format of at most 64 bits");
        let holds = |machine: &mut Self, op, bits| {
            let truth = machine.compare(op, value, Value::Bits(bits), info)?;
            if truth == Truth::LOST {
                return Ok(None);
            }
            machine.decide(truth).map(Some)
        };
        let Some(negative) = holds(self, BinOp::Ge, sign)? else {
            return Ok(None);
        };
        let Some(nan) = holds(self, BinOp::Gt, infinity | if negative { sign } else { 0 })? else {
            return Ok(None);
        };
        if nan {
            return Ok(Some(Half::Nan));
        }
        if !negative {
            return Ok(Some(Half::Up(self.settled(value, info.width))));
        }
        Ok(holds(self, BinOp::Eq, sign)?.map(|zero| match zero {
            true => Half::Up(Value::Bits(0)),
            false => Half::Down(self.settled(value, info.width)),
        }))
    }

    /// The value of a function of scalars.
    pub fn function(&mut self, function: &Function) -> Result<Value, Halt> {
        let (values, constants) = self.operands(function)?;
        if constants.len() == values.len()
            && let Some(bits) = evaluate(function.op, &constants, function.result)
        {
            return Ok(Value::Bits(low(bits).expect("a result of at most 64 bits")));
        }
        let info = match function.result {
            Shape::Int(info) => info,
            Shape::Float(format) => pattern(format),
        };
        // A result that is undefined, or rests on untracked values, is any value, and another one each time.
        let tracked = |(value, shape): &(Value, Shape)| {
            shape.width() <= 64 && matches!(value, Value::Bits(_) | Value::Symbol { .. })
        };
        if constants.len() == values.len() || !values.iter().all(tracked) {
            return self.bounded(function, &values, info);
        }
        if let Some(value) = self.rearranged(function, &values, info)? {
            return Ok(value);
        }
        let application = Application {
            op: function.op,
            operands: values.clone(),
            result: function.result,
        };
        if partial(function) {
            let value = self.bounded(function, &values, info)?;
            self.note(application, value);
            return Ok(value);
        }
        let noted = application.clone();
        let application = Known::Function(application);
        if let Some(id) = self.state.memo.result(&application) {
            return Ok(self.settled(Value::Symbol { id, plus: 0 }, info.width));
        }
        let value = self.bounded(function, &values, info)?;
        if let Value::Symbol { id, .. } = value {
            self.state.memo.add(application, id);
        }
        self.note(noted, value);
        Ok(value)
    }

    /// The values of a function's operands, and the concrete ones among them. Those of more than 64 bits are concrete or unknown.
    pub(super) fn operands(&mut self, function: &Function) -> Result<Operands, Halt> {
        let mut values = Vec::with_capacity(function.operands.len());
        let mut constants = Vec::with_capacity(function.operands.len());
        for argument in &function.operands {
            let shape = argument.shape();
            let (value, constant) = match argument {
                Argument::Narrow(code, _) => {
                    let value = self.value(code)?;
                    let value = self.settled(value, shape.width());
                    let bits = match value {
                        Value::Bits(bits) => Some(bits.into()),
                        _ => None,
                    };
                    (value, bits)
                }
                Argument::Wide(wide) => (Value::Unknown, self.wide(wide)?.bits()),
            };
            constants.extend(constant.map(|bits| Operand { bits, shape }));
            values.push((value, shape));
        }
        Ok((values, constants))
    }

    /// Tells who follows the path how a result came about.
    fn note(&mut self, application: Application, value: Value) {
        if let (Guide::Follow(recorder), Value::Symbol { id, .. }) = (&mut self.guide, value) {
            recorder.applied(application, id);
        }
    }

    /// The result of an operation that only moves or asks for bits of a symbol's pattern, exactly.
    fn rearranged(
        &mut self,
        function: &Function,
        values: &[(Value, Shape)],
        info: IntInfo,
    ) -> Result<Option<Value>, Halt> {
        let (value, shape) = values[0];
        let format = match shape {
            Shape::Float(format) => format,
            Shape::Int(from) if function.op == FunctionOp::Math(MathOp::OfBits) => {
                return self.convert(value, from, info).map(Some);
            }
            Shape::Int(_) => return Ok(None),
        };
        let own = pattern(format);
        let sign = low(format.sign()).expect("operands have at most 64 bits");
        match function.op {
            FunctionOp::Math(MathOp::Bits) => self.convert(value, own, info).map(Some),
            // To turn the highest bit is to add it.
            FunctionOp::Negate => self.binary(BinOp::Add, value, Value::Bits(sign), own, own).map(Some),
            FunctionOp::Math(MathOp::Abs) => match self.has_sign(value, format)? {
                true => self.binary(BinOp::Add, value, Value::Bits(sign), own, own).map(Some),
                false => Ok(Some(self.settled(value, own.width))),
            },
            FunctionOp::Math(MathOp::Sign) => {
                let sign = self.has_sign(value, format)?;
                Ok(Some(Value::Bits(sign.into())))
            }
            FunctionOp::Math(MathOp::Class) => self.class(value, format).map(Some),
            FunctionOp::Math(MathOp::Unordered) => {
                let first = self.half(value, format)?;
                let second = self.half(values[1].0, format)?;
                let nan = |half| half == Some(Half::Nan);
                if first.is_none() || second.is_none() {
                    return Ok(None);
                }
                Ok(Some(Value::Bits(u64::from(nan(first) || nan(second)))))
            }
            _ => Ok(None),
        }
    }

    fn has_sign(&mut self, value: Value, format: Format) -> Result<bool, Halt> {
        let sign = low(format.sign()).expect("operands have at most 64 bits");
        let truth = self.compare(BinOp::Ge, value, Value::Bits(sign), pattern(format))?;
        self.decide(truth)
    }

    /// `fpclassify`, by choice if need be.
    fn class(&mut self, value: Value, format: Format) -> Result<Value, Halt> {
        let own = pattern(format);
        let sign = low(format.sign()).expect("operands have at most 64 bits");
        let magnitude = match self.has_sign(value, format)? {
            true => self.binary(BinOp::Add, value, Value::Bits(sign), own, own)?,
            false => value,
        };
        let at = |bits: u128| Value::Bits(low(bits).expect("operands have at most 64 bits"));
        let questions = [
            (BinOp::Gt, at(format.infinity()), 0),
            (BinOp::Eq, at(format.infinity()), 1),
            (BinOp::Eq, Value::Bits(0), 2),
            (BinOp::Lt, at(format.smallest_normal()), 3),
        ];
        for (op, bound, class) in questions {
            let truth = self.compare(op, magnitude, bound, own)?;
            if self.decide(truth)? {
                return Ok(Value::Bits(class));
            }
        }
        Ok(Value::Bits(4))
    }

    /// Any value of a function's result that its operands' ranges allow.
    fn bounded(&mut self, function: &Function, values: &[(Value, Shape)], info: IntInfo) -> Result<Value, Halt> {
        let shapes: Vec<Shape> = values.iter().map(|(_, shape)| *shape).collect();
        let ranges: Option<Vec<Range>> = values
            .iter()
            .map(|&(value, shape)| self.interval(value, shape))
            .collect();
        let Some(range) = ranges.and_then(|ranges| interval::enclose(function.op, &shapes, function.result, &ranges))
        else {
            return self.any(info);
        };
        match (function.result, range) {
            (Shape::Float(format), Range::Float(lo, hi)) => {
                let number = |bits: u128| i128::try_from(bits).expect("it has at most 64 bits");
                let (down, up) = (float::is_negative(format, lo), !float::is_negative(format, hi));
                match (down, up) {
                    // The patterns of negative numbers go the other way.
                    (true, false) => self.any_within(info, number(hi), number(lo)),
                    (false, _) => self.any_within(info, number(lo), number(hi)),
                    (true, true) => match self.choose(2)? {
                        0 => self.any_within(info, 0, number(hi)),
                        _ => self.any_within(info, number(format.sign()), number(lo)),
                    },
                }
            }
            (Shape::Int(_), Range::Int(lo, hi)) => {
                let (least, greatest) = bounds(info);
                match least <= lo && hi <= greatest && lo <= hi {
                    true => self.any_within(info, lo, hi),
                    false => self.any(info),
                }
            }
            _ => self.any(info),
        }
    }

    /// The bounds of a value. `None` if it may be NaN, or negative as well as positive.
    fn interval(&self, value: Value, shape: Shape) -> Option<Range> {
        match shape {
            Shape::Int(info) if info.width <= WIDEST => {
                let (lo, hi) = self.number_range(value, info);
                Some(Range::Int(lo, hi))
            }
            Shape::Float(format) if format.width() <= 64 => {
                let (lo, hi) = self.number_range(value, pattern(format));
                let (lo, hi) = (lo.cast_unsigned(), hi.cast_unsigned());
                let sign = format.sign();
                if hi <= format.infinity() {
                    Some(Range::Float(lo, hi))
                } else if lo >= sign && hi <= sign | format.infinity() {
                    Some(Range::Float(hi, lo))
                } else {
                    None
                }
            }
            Shape::Int(_) | Shape::Float(_) => None,
        }
    }
}

/// Whether the function may have no defined result, which is then any value.
fn partial(function: &Function) -> bool {
    let integer = matches!(function.result, Shape::Int(_));
    match function.op {
        FunctionOp::Convert => integer,
        FunctionOp::Math(op) => {
            matches!(op, MathOp::Whole(_) | MathOp::RoundedWhole | MathOp::RoundedCast) || rounded(op)
        }
        FunctionOp::Arithmetic(_) | FunctionOp::Negate => false,
    }
}

/// Whether an operand is a rounding mode, which may be none.
fn rounded(op: MathOp) -> bool {
    matches!(
        op,
        MathOp::Rounded(_)
            | MathOp::RoundedCast
            | MathOp::RoundedSqrt
            | MathOp::RoundedIntegral
            | MathOp::RoundedFused
            | MathOp::RoundedWhole
    )
}
