//! Values of more than 64 bits, as [two words](crate::explicit::value::words).
//!
//! Concrete operands give concrete results: the arithmetic is that of [`math`], which the other machines have, too. Of symbols only whole words are kept; all else is
//! unknown, and a word is never an input of its own.

use super::eval::Located;
use super::machine::{Halt, Machine};
use super::question::Truth;
use crate::cfa::BinOp;
use crate::cfa::program::math;
use crate::cfa::program::math::{Operand, Shape, evaluate};
use crate::explicit::Value;
use crate::explicit::compiled::code::{Argument, Function, ObjectId, Slot, Target, Wide, WideForm};
use crate::explicit::value::arith::mask;
use crate::explicit::value::object::Found;
use crate::explicit::value::words::{WORD, Words, bitwise, resized, shifted, upper, upper_bytes};
use crate::frontend::types::IntInfo;

/// The type of the lower word.
const LOWER: IntInfo = IntInfo {
    width: WORD,
    signed: false,
};
/// Bytes of the lower word.
const LOWER_BYTES: u64 = 8;

const UNKNOWN_SIZE: Halt = Halt::Unmodelled("a value of unknown size");

impl Machine<'_, '_> {
    /// The value of an expression of more than 64 bits.
    pub(super) fn wide(&mut self, wide: &Wide) -> Result<Words, Halt> {
        match &wide.form {
            WideForm::Bits(bits) => Ok(Words::of(*bits)),
            WideForm::Slots(slot) => Ok(self.settled_words(
                Words {
                    low: self.state.slot(*slot),
                    high: self.state.slot(slot.plus(1)),
                },
                wide.shape,
            )),
            WideForm::Read(target) => self.read_wide(target, wide.shape),
            WideForm::Extend(code, from) => {
                let value = self.value(code)?;
                self.extend(value, *from, wide.shape)
            }
            WideForm::Resize(inner, from) => {
                let words = self.wide(inner)?;
                Ok(match wide.shape {
                    Shape::Int(to) => resized(words, *from, to),
                    Shape::Float(_) => Words::UNKNOWN,
                })
            }
            WideForm::Binary(op, operands) => self.binary_wide(*op, operands, wide.shape),
            WideForm::Function(function) => self.function_wide(function),
            WideForm::Opaque => Ok(Words::UNKNOWN),
        }
    }

    fn settled_words(&self, words: Words, shape: Shape) -> Words {
        Words {
            low: self.settled(words.low, WORD),
            high: self.settled(words.high, shape.width() - WORD),
        }
    }

    // ---- conversions --------------------------------------------------------------------------------------------------

    /// An integer of at most 64 bits as a longer one.
    fn extend(&mut self, value: Value, from: IntInfo, to: Shape) -> Result<Words, Halt> {
        if let Value::Bits(bits) = self.settled(value, from.width) {
            let bits = bits.into();
            let shape = Shape::Int(from);
            let bits = math::convert(Operand { bits, shape }, to);
            return Ok(bits.map_or(Words::UNKNOWN, Words::of));
        }
        if value == Value::Unknown {
            return Ok(Words::UNKNOWN);
        }
        let long = IntInfo { width: WORD, ..from };
        let low = self.convert(value, from, long)?;
        let upper = to.width() - WORD;
        let high = match self.number_range(low, long) {
            (0.., _) => Value::Bits(0),
            (_, ..0) => Value::Bits(mask(upper)),
            _ => Value::Unknown,
        };
        Ok(Words { low, high })
    }

    /// An integer of more than 64 bits as a shorter one, which is no truth value.
    pub(super) fn narrow(&mut self, wide: &Wide, to: IntInfo) -> Result<Value, Halt> {
        match self.wide(wide)?.low {
            Value::Unknown => self.any(to),
            low => self.convert(low, LOWER, to),
        }
    }

    // ---- operations ---------------------------------------------------------------------------------------------------

    /// The value of a function of scalars with a result of more than 64 bits.
    fn function_wide(&mut self, function: &Function) -> Result<Words, Halt> {
        let (values, constants) = self.operands(function)?;
        if constants.len() != values.len() {
            return Ok(Words::UNKNOWN);
        }
        Ok(evaluate(function.op, &constants, function.result).map_or(Words::UNKNOWN, Words::of))
    }

    /// A binary operation on integers other than a comparison. An undefined result is unknown.
    fn binary_wide(&mut self, op: BinOp, operands: &(Wide, Argument), shape: Shape) -> Result<Words, Halt> {
        let Shape::Int(info) = shape else {
            return Ok(Words::UNKNOWN);
        };
        let a = self.wide(&operands.0)?;
        let b = match &operands.1 {
            Argument::Wide(wide) => self.wide(wide)?,
            Argument::Narrow(code, right) => {
                let value = self.value(code)?;
                Words {
                    low: self.settled(value, right.width()),
                    high: Value::Bits(0),
                }
            }
        };
        let by = b.operand(operands.1.shape());
        if let (Some(a), Some(b)) = (a.operand(shape), by) {
            return Ok(math::integer(op, a, b).map_or(Words::UNKNOWN, Words::of));
        }
        Ok(match op {
            BinOp::And | BinOp::Or | BinOp::Xor => Words {
                low: bitwise(op, a.low, b.low, WORD),
                high: bitwise(op, a.high, b.high, info.width - WORD),
            },
            BinOp::Shl | BinOp::Shr => match by.and_then(|by| u32::try_from(by.bits).ok()) {
                Some(amount) if amount < info.width => shifted(op, a, amount, info),
                _ => Words::UNKNOWN,
            },
            BinOp::Add | BinOp::Sub => self.sum(op, a, b, info)?,
            _ => Words::UNKNOWN,
        })
    }

    /// A sum or difference: the lower word if one of its parts is concrete, the upper one if there is no carry.
    fn sum(&mut self, op: BinOp, a: Words, b: Words, info: IntInfo) -> Result<Words, Halt> {
        let carries = b.low != Value::Bits(0) && (op == BinOp::Sub || a.low != Value::Bits(0));
        let mut word = |x: Value, y: Value, info: IntInfo| match (x, y) {
            (Value::Unknown, _) | (_, Value::Unknown) => Ok(Value::Unknown),
            (_, Value::Bits(_)) => self.binary(op, x, y, info, info),
            (Value::Bits(_), _) if op == BinOp::Add => self.binary(op, x, y, info, info),
            _ => Ok(Value::Unknown),
        };
        Ok(Words {
            low: word(a.low, b.low, LOWER)?,
            high: match carries {
                true => Value::Unknown,
                false => word(a.high, b.high, upper(info))?,
            },
        })
    }

    /// A comparison of values of more than 64 bits.
    pub(super) fn compare_wide(&mut self, op: BinOp, operands: &(Wide, Wide)) -> Result<Truth, Halt> {
        let shape = operands.0.shape;
        let a = self.wide(&operands.0)?;
        let b = self.wide(&operands.1)?;
        if let (Some(a), Some(b)) = (a.operand(shape), b.operand(shape)) {
            return Ok(Truth::Known(math::compare(op, a, b)));
        }
        let Shape::Int(info) = shape else {
            return Ok(Truth::LOST);
        };
        let is_equality = matches!(op, BinOp::Eq | BinOp::Ne);
        match ((a.low, b.low), (a.high, b.high)) {
            (_, (x, y)) if x == y && x != Value::Unknown => self.compare(op, a.low, b.low, LOWER),
            // The upper words decide.
            (_, (Value::Bits(_), Value::Bits(_))) => self.compare(op, a.high, b.high, upper(info)),
            ((Value::Bits(x), Value::Bits(y)), _) if is_equality && x == y => {
                self.compare(op, a.high, b.high, upper(info))
            }
            ((Value::Bits(_), Value::Bits(_)), _) if is_equality => Ok(Truth::Known(op == BinOp::Ne)),
            _ => Ok(Truth::LOST),
        }
    }

    // ---- places -------------------------------------------------------------------------------------------------------

    /// Sets two slots.
    pub(super) fn set_slots(&mut self, slot: Slot, words: Words) {
        self.state.set_slot(slot, words.low);
        self.state.set_slot(slot.plus(1), words.high);
    }

    fn read_wide(&mut self, target: &Target, shape: Shape) -> Result<Words, Halt> {
        if target.bits.is_some() {
            return Err(Halt::Unmodelled("a bit-field of an untracked type"));
        }
        let size = target.size.ok_or(UNKNOWN_SIZE)?;
        Ok(match self.locate(target, 0, size)? {
            Located::At(object, offset) => Words {
                low: self.word_at(object, offset, LOWER_BYTES, WORD),
                high: self.word_at(
                    object,
                    offset + LOWER_BYTES,
                    upper_bytes(shape, size),
                    shape.width() - WORD,
                ),
            },
            Located::Within(..) => Words::UNKNOWN,
        })
    }

    /// A word at a known place. Content that is unknown gets no name.
    pub(super) fn word_at(&self, object: ObjectId, offset: u64, size: u64, width: u32) -> Value {
        let place = self.state.object(object).expect("the place was found");
        match place.read(offset, size) {
            Found::Is(Value::Bits(bits)) => Value::Bits(bits & mask(width)),
            Found::Is(Value::Symbol { id, plus }) => {
                let plus = plus & mask(width);
                self.settled(Value::Symbol { id, plus }, width)
            }
            Found::Is(value @ Value::Pointer { .. }) if width == self.code.pointer.width => value,
            Found::Is(Value::Pointer { .. } | Value::Unknown) | Found::Untouched | Found::Lost => Value::Unknown,
        }
    }

    /// Writes a value of more than 64 bits. The padding behind it becomes unknown.
    pub(super) fn write_wide(&mut self, target: &Target, shape: Shape, words: Words) -> Result<(), Halt> {
        let size = target.size.ok_or(UNKNOWN_SIZE)?;
        let located = self.locate(target, 0, size)?;
        self.commit();
        let Located::At(object, offset) = located else {
            return self.write(located, size, Value::Unknown);
        };
        let (above, bytes) = (offset + LOWER_BYTES, upper_bytes(shape, size));
        self.write(located, LOWER_BYTES, words.low)?;
        self.write(Located::At(object, above), bytes, words.high)?;
        let padding = size - LOWER_BYTES - bytes;
        if padding > 0 {
            let place = self.state.object_mut(object).expect("the place was found");
            place.fill(above + bytes, padding, None);
        }
        Ok(())
    }
}
