//! Values of expressions, and places in memory.
//!
//! Concrete operands give concrete results, a symbol or pointer plus a constant stays one, and a truth value is decided (by choice, if need be).
//! Everything else is *any* value of its type: sound, and the path is inexact from there on.

use super::machine::{Halt, Machine};
use super::spread::Varying;
use crate::cfa::{BinOp, BitRange};
use crate::explicit::Value;
use crate::explicit::compiled::code::{Base, Code, ObjectId, Scalar, Slot, Target};
use crate::explicit::step::record::Origin;
use crate::explicit::value::arith;
use crate::explicit::value::arith::{bounds, low_bits, mask, number};
use crate::explicit::value::bits::bytes_of;
use crate::explicit::value::memo::{Known, Operation};
use crate::explicit::value::object::{Found, Kind};
use crate::explicit::value::sum::Sum;
use crate::explicit::value::symbol::SymbolId;
use crate::explicit::value::word::{Bit, Word};
use crate::frontend::types::IntInfo;

/// A place in memory of known size that lies inside of its object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Located {
    /// At this offset.
    At(ObjectId, u64),
    /// Somewhere from the first offset up to the second, the last byte not included; and exactly where, if one index says it.
    Within(ObjectId, u64, u64, Option<Varying>),
}

/// An operation without an exact form is looked up among so many results within the time of a step.
const RESULTS_PER_STEP: usize = 16;

const UNKNOWN_POINTER: Halt = Halt::Unmodelled("an unknown pointer is followed");
const OUTSIDE: Halt = Halt::Unmodelled("an access outside of every object");

impl Machine<'_, '_> {
    /// The value of an integer expression; of another one, `Unknown`.
    pub fn value(&mut self, code: &Code) -> Result<Value, Halt> {
        match code {
            Code::Bits(bits) => Ok(Value::Bits(*bits)),
            Code::Slot(slot, scalar) => self.read_slot(*slot, *scalar),
            Code::Read(target, scalar) => self.read(target, *scalar),
            Code::Address(target) => self.address(target),
            Code::Plus(inner, constant, info) => {
                let value = self.value(inner)?;
                self.plus(value, *constant, *info)
            }
            Code::Binary(op, operands, info, right) => {
                let a = self.value(&operands.0)?;
                let b = self.value(&operands.1)?;
                self.binary(*op, a, b, *info, *right)
            }
            Code::Compare(..) | Code::Ordered(..) | Code::CompareWide(..) | Code::IsZero(..) => self.truth_value(code),
            Code::Function(function) => self.function(function),
            Code::Narrow(wide, to) => self.narrow(wide, *to),
            Code::Convert(_, _, to) if to.width == 1 => self.truth_value(code),
            Code::Convert(inner, from, to) => {
                let value = self.value(inner)?;
                self.convert(value, *from, *to)
            }
            Code::Neg(inner, info) => {
                let value = self.value(inner)?;
                self.binary(BinOp::Sub, Value::Bits(0), value, *info, *info)
            }
            Code::Not(inner, info) => {
                let value = self.value(inner)?;
                self.binary(BinOp::Xor, value, Value::Bits(mask(info.width)), *info, *info)
            }
            Code::Any(info) => self.any(*info),
            Code::Opaque => Ok(Value::Unknown),
        }
    }

    fn truth_value(&mut self, code: &Code) -> Result<Value, Halt> {
        let bit = Scalar::Int(IntInfo {
            width: 1,
            signed: false,
        });
        let truth = self.truth(code, bit)?;
        Ok(Value::Bits(self.decide(truth)?.into()))
    }

    /// A concrete number of an expression; `None` if it is not concrete.
    pub fn constant(&mut self, code: &Code) -> Result<Option<u64>, Halt> {
        match self.value(code)? {
            Value::Bits(bits) => Ok(Some(bits)),
            _ => Ok(None),
        }
    }

    /// The content of a slot. Unknown content gets a symbol.
    pub fn read_slot(&mut self, slot: Slot, scalar: Scalar) -> Result<Value, Halt> {
        match (self.state.slot(slot), scalar) {
            (value @ Value::Bits(_), Scalar::Int(_)) => Ok(value),
            (_, Scalar::Opaque | Scalar::Wide(_)) => Ok(Value::Unknown),
            // A word is no input.
            (value, Scalar::Word(word)) => Ok(self.settled(value, word.width())),
            (Value::Unknown, Scalar::Int(info)) => {
                let value = self.input(info, Origin::Variable)?;
                self.state.set_slot(slot, value);
                Ok(value)
            }
            (value, Scalar::Int(info)) => Ok(self.settled(value, info.width)),
        }
    }

    fn plus(&mut self, value: Value, constant: u64, info: IntInfo) -> Result<Value, Halt> {
        let all = mask(info.width);
        match value {
            Value::Bits(bits) => Ok(Value::Bits(bits.wrapping_add(constant) & all)),
            Value::Symbol { id, plus } => Ok(Value::Symbol {
                id,
                plus: plus.wrapping_add(constant) & all,
            }),
            Value::Pointer { object, offset } if info.width == self.code.pointer.width => Ok(Value::Pointer {
                object,
                offset: offset.wrapping_add(constant) & all,
            }),
            Value::Pointer { .. } | Value::Unknown => self.any(info),
        }
    }

    /// A binary operation other than a comparison.
    pub fn binary(&mut self, op: BinOp, a: Value, b: Value, info: IntInfo, right: IntInfo) -> Result<Value, Halt> {
        let all = mask(info.width);
        let (a, b) = (self.settled(a, info.width), self.settled(b, right.width));
        match (op, a, b) {
            (_, Value::Bits(x), Value::Bits(y)) => match arith::binary(op, x, y, info, right) {
                Some(bits) => Ok(Value::Bits(bits)),
                None => self.any(info),
            },
            (BinOp::Add, value, Value::Bits(bits)) | (BinOp::Add, Value::Bits(bits), value) => {
                self.plus(value, bits, info)
            }
            (BinOp::Sub, value, Value::Bits(bits)) => self.plus(value, bits.wrapping_neg() & all, info),
            (BinOp::Sub, Value::Symbol { id, plus }, Value::Symbol { id: other, plus: more }) if id == other => {
                Ok(Value::Bits(plus.wrapping_sub(more) & all))
            }
            (
                BinOp::Sub,
                Value::Pointer { object, offset },
                Value::Pointer {
                    object: other,
                    offset: at,
                },
            ) if object == other => Ok(Value::Bits(offset.wrapping_sub(at) & all)),
            (BinOp::Mul | BinOp::And, _, Value::Bits(0)) | (BinOp::Mul | BinOp::And, Value::Bits(0), _) => {
                Ok(Value::Bits(0))
            }
            (BinOp::Shl | BinOp::Shr, Value::Bits(0), _) => Ok(Value::Bits(0)),
            (BinOp::Mul, value, Value::Bits(1)) | (BinOp::Mul, Value::Bits(1), value) => Ok(value),
            (BinOp::Div | BinOp::Shl | BinOp::Shr | BinOp::Or | BinOp::Xor, value, Value::Bits(bits))
                if bits == u64::from(op == BinOp::Div) =>
            {
                Ok(value)
            }
            (BinOp::And, value, Value::Bits(bits)) if bits == all => Ok(value),
            (BinOp::Add, pointer @ Value::Pointer { .. }, distance @ Value::Symbol { .. })
            | (BinOp::Add, distance @ Value::Symbol { .. }, pointer @ Value::Pointer { .. })
            | (BinOp::Sub, pointer @ Value::Pointer { .. }, distance @ Value::Symbol { .. }) => {
                match self.split_distance(distance, info)? {
                    distance @ Value::Bits(_) => self.binary(op, pointer, distance, info, right),
                    _ => self.any(info),
                }
            }
            (BinOp::Shl | BinOp::Shr, value, Value::Symbol { .. }) => match self.split_places(b, right)? {
                places @ Value::Bits(_) => self.binary(op, value, places, info, right),
                places => self.approximate(op, value, places, info, right),
            },
            _ => self.approximate(op, a, b, info, right),
        }
    }

    /// An operation without an exact form: any value within the bounds that follow from the operands' ranges, and the same one each time.
    fn approximate(&mut self, op: BinOp, a: Value, b: Value, info: IntInfo, right: IntInfo) -> Result<Value, Halt> {
        self.charge_results(RESULTS_PER_STEP);
        let sum = self.sum_of_operation(op, a, b, info, right);
        if let Some(value) = sum.as_ref().and_then(|sum| self.value_of_sum(sum, info)) {
            return Ok(value);
        }
        let word = self.word_of_operation(op, a, b, info);
        if let Some(word) = word.as_ref().filter(|word| word.is_complete()) {
            let made = self.state.symbols;
            let value = self.value_of_word(word, info)?;
            // The operation tells people more than the bits do.
            if let (Value::Symbol { id, plus: 0 }, Some(operation)) = (value, Operation::new(op, a, b, info, right))
                && self.state.symbols > made
            {
                self.state.memo.add(Known::Result(operation), id);
            }
            return Ok(value);
        }
        let (least, greatest) = bounds(info);
        let (lo, hi) = match (op, b) {
            (BinOp::Rem, Value::Bits(bits)) if bits != 0 => {
                let limit = number(bits, info).abs() - 1;
                let (lo, hi) = self.number_range(a, info);
                // The remainder has the sign of the dividend and is not further from zero.
                (lo.clamp(-limit, 0), hi.clamp(0, limit))
            }
            (BinOp::And, Value::Bits(bits)) if number(bits, info) >= 0 => (0, number(bits, info)),
            (BinOp::Div, Value::Bits(bits)) if number(bits, info) > 1 => {
                let divisor = number(bits, info);
                let (lo, hi) = self.number_range(a, info);
                (lo / divisor, hi / divisor)
            }
            (BinOp::Shr, Value::Bits(bits)) if !info.signed && bits < u64::from(info.width) => {
                let (lo, hi) = self.number_range(a, info);
                (lo >> bits, hi >> bits)
            }
            (BinOp::Add | BinOp::Sub, _) => {
                let (lo, hi) = self.number_range(a, info);
                let (other_lo, other_hi) = self.number_range(b, info);
                let (lo, hi) = match op {
                    BinOp::Add => (lo + other_lo, hi + other_hi),
                    _ => (lo - other_hi, hi - other_lo),
                };
                // A sum that may wrap may be anything.
                if least <= lo && hi <= greatest {
                    (lo, hi)
                } else {
                    (least, greatest)
                }
            }
            _ => (least, greatest),
        };
        let (lo, hi) = match &word {
            Some(word) => {
                let (least, greatest) = word.range(info);
                (lo.max(least), hi.min(greatest))
            }
            None => (lo, hi),
        };
        let Some(operation) = Operation::new(op, a, b, info, right) else {
            return self.any_within(info, lo, hi);
        };
        let operation = Known::Result(operation);
        if let Some(id) = self.state.memo.result(&operation) {
            return self.known_result(id, (lo, hi), info);
        }
        let value = self.any_within(info, lo, hi)?;
        if let Value::Symbol { id, .. } = value {
            self.state.memo.add(operation, id);
            if let Some(word) = word {
                self.state.memo.add(Known::Bits(word), id);
            }
            // The operation says what a sum of two symbols is.
            if let Some(sum) = sum.filter(|sum| sum.is_long()) {
                self.state.memo.add(Known::Sum(sum), id);
            }
        }
        Ok(value)
    }

    /// The result of an operation as a sum of symbols with factors, if it is one and not too long.
    fn sum_of_operation(&self, op: BinOp, a: Value, b: Value, info: IntInfo, right: IntInfo) -> Option<Sum> {
        let is_linear = match op {
            BinOp::Add | BinOp::Sub => true,
            BinOp::Mul => matches!(a, Value::Bits(_)) || matches!(b, Value::Bits(_)),
            _ => false,
        };
        if !is_linear || info != right {
            return None;
        }
        let memo = &self.state.memo;
        memo.sum(a, info)?.combined(op, &memo.sum(b, info)?)
    }

    /// The value of a sum, if it is a number or a symbol that is known to be the same up to a constant.
    fn value_of_sum(&self, sum: &Sum, info: IntInfo) -> Option<Value> {
        let value = match sum.simple() {
            Some(value) => value,
            None => {
                let (id, plus) = self.state.memo.result_of_sum(sum)?;
                Value::Symbol { id, plus }
            }
        };
        Some(self.settled(value, info.width))
    }

    /// A result that was computed before, with the bounds that it is known to have by now.
    pub(super) fn known_result(&mut self, id: SymbolId, (lo, hi): (i128, i128), info: IntInfo) -> Result<Value, Halt> {
        // The operands' ranges may be smaller by now. The bounds are those of this symbol, not of one that stands for it.
        if self.state.facts.root(id) == (id, 0) && id.info() == info && !self.state.facts.restrict(id, lo, hi) {
            return Err(Halt::Unmodelled("a result outside of its type"));
        }
        Ok(self.settled(Value::Symbol { id, plus: 0 }, info.width))
    }

    // ---- words --------------------------------------------------------------------------------------------------------

    /// The bits of a value of a width, if it has such.
    pub(super) fn word(&self, value: Value, width: u32) -> Option<Word> {
        match self.settled(value, width) {
            Value::Bits(bits) => Some(Word::constant(bits, width)),
            Value::Symbol { id, plus } => {
                let facts = &self.state.facts;
                let signed = id.info().signed;
                let word = match self.state.memo.word(id) {
                    // There may be more facts about the symbols of the bits by now.
                    Some(word) => word.named(id).map(|bit| {
                        Some(match bit {
                            Bit::Of(from, at, negated) => match (facts.pinned(from), facts.root(from)) {
                                (Some(value), _) => Bit::Is(((value >> at) & 1 == 1) != negated),
                                (None, (root, 0)) if root.info() == from.info() => Bit::Of(root, at, negated),
                                _ => bit,
                            },
                            bit => bit,
                        })
                    })?,
                    None => Word::of_symbol(id, facts.range(id)),
                };
                let word = word.below(facts.range(id)).converted(width, signed);
                match plus & mask(width) {
                    0 => Some(word),
                    plus => Word::combined(BinOp::Add, &word, &Word::constant(plus, width)),
                }
            }
            Value::Pointer { .. } | Value::Unknown => None,
        }
    }

    /// The bits of the result of an operation, if some of them have an origin.
    fn word_of_operation(&self, op: BinOp, a: Value, b: Value, info: IntInfo) -> Option<Word> {
        let width = info.width;
        match (op, a, b) {
            (BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Add, ..) => {
                let (a, b) = (self.word(a, width)?, self.word(b, width)?);
                Word::combined(op, &a, &b)
            }
            (BinOp::Mul, Value::Bits(bits), value) => Word::moved(op, &self.word(value, width)?, bits, info),
            (_, value, Value::Bits(bits)) => Word::moved(op, &self.word(value, width)?, bits, info),
            _ => None,
        }
    }

    /// The value that consists of these bits, all of which have an origin.
    pub fn value_of_word(&mut self, word: &Word, info: IntInfo) -> Result<Value, Halt> {
        if let Some(bits) = word.as_constant() {
            return Ok(Value::Bits(bits));
        }
        if let Some(id) = word.symbols().next() {
            let whole = Value::Symbol { id, plus: 0 };
            if self.word(whole, info.width).as_ref() == Some(word) {
                return Ok(self.settled(whole, info.width));
            }
        }
        let (lo, hi) = word.range(info);
        self.remembered(Known::Bits(word.clone()), (lo, hi), info)
    }

    /// The value of which something is known, within bounds: the same one each time.
    pub(super) fn remembered(&mut self, known: Known, (lo, hi): (i128, i128), info: IntInfo) -> Result<Value, Halt> {
        if let Some(id) = self.state.memo.result(&known) {
            return self.known_result(id, (lo, hi), info);
        }
        let value = self.any_within(info, lo, hi)?;
        if let Value::Symbol { id, .. } = value {
            self.state.memo.add(known, id);
        }
        Ok(value)
    }

    /// The conversion to a wider type of a value whose number has many pieces.
    pub fn widened(&mut self, value: Value, from: IntInfo, to: IntInfo) -> Result<Value, Halt> {
        if let Some(word) = self.word(value, from.width).filter(Word::is_complete) {
            return self.value_of_word(&word.converted(to.width, from.signed), to);
        }
        let (lo, hi) = bounds(from);
        let (least, greatest) = bounds(to);
        if lo < least {
            self.any(to)
        } else {
            self.any_within(to, lo, hi.min(greatest))
        }
    }

    // ---- places -------------------------------------------------------------------------------------------------------

    fn base(&mut self, base: &Base) -> Result<(ObjectId, u64), Halt> {
        match base {
            Base::Static(id) => Ok((*id, 0)),
            Base::Local(number) => Ok((ObjectId(self.state.top.first_object + number), 0)),
            Base::Pointer(code) => match self.value(code)? {
                Value::Pointer { object, offset } => Ok((object, offset)),
                Value::Bits(0) => Err(Halt::Unmodelled("the null pointer is followed")),
                Value::Bits(address) => self.state.outside_at(address).ok_or(UNKNOWN_POINTER),
                Value::Symbol { id, plus } => self.imagined(id, plus),
                Value::Unknown => Err(UNKNOWN_POINTER),
            },
        }
    }

    /// An object of its own for a pointer that may point anywhere. The other places are not modelled, which is one of the two ways to go on.
    fn imagined(&mut self, id: SymbolId, plus: u64) -> Result<(ObjectId, u64), Halt> {
        if !self.imagines || id.info().width != self.code.pointer.width || self.choose(2)? == 1 {
            return Err(UNKNOWN_POINTER);
        }
        self.imagined = true;
        let address = self.state.add_outside().ok_or(UNKNOWN_POINTER)?;
        let value = number(address.wrapping_sub(plus) & mask(self.code.pointer.width), id.info());
        if !self.state.facts.restrict(id, value, value) || self.state.facts.pinned(id) != Some(value) {
            return Err(Halt::Blocked);
        }
        Ok(self.state.outside_at(address).expect("the object was just made"))
    }

    /// The address of a place, which need not be inside of an object.
    fn address(&mut self, target: &Target) -> Result<Value, Halt> {
        let all = mask(self.code.pointer.width);
        let mut address = match &target.base {
            Base::Static(id) => Value::Pointer { object: *id, offset: 0 },
            Base::Local(number) => Value::Pointer {
                object: ObjectId(self.state.top.first_object + number),
                offset: 0,
            },
            // `&p->x` of a null or unknown pointer is arithmetic.
            Base::Pointer(code) => self.value(code)?,
        };
        let pointer = self.code.pointer;
        address = self.plus(address, target.offset, pointer)?;
        for (code, info, size) in &target.indices {
            let index = self.value(code)?;
            match self.split_distance(index, *info)? {
                Value::Bits(bits) => {
                    let distance = low_bits(number(bits, *info)).wrapping_mul(*size) & all;
                    address = self.plus(address, distance, pointer)?;
                }
                _ => return self.any(pointer),
            }
        }
        Ok(address)
    }

    /// Finds a place, for an access of `size` bytes from `skip` bytes behind its start. An index stays open if it has more than a few values.
    pub(super) fn place(&mut self, target: &Target, skip: u64, size: u64) -> Result<Located, Halt> {
        let all = mask(self.code.pointer.width);
        let (object, offset) = self.base(&target.base)?;
        let mut offset = offset.wrapping_add(target.offset).wrapping_add(skip) & all;
        // Indices that are not concrete spread over a range.
        let mut spread: Option<(i128, i128)> = None;
        let mut varying = Vec::new();
        for (code, info, size) in &target.indices {
            let index = self.value(code)?;
            let index = self.split(index, *info)?;
            match index {
                Value::Bits(bits) => {
                    let distance = low_bits(number(bits, *info)).wrapping_mul(*size);
                    offset = offset.wrapping_add(distance) & all;
                }
                value => {
                    let (lo, hi) = self.number_range(value, *info);
                    let (low, high) = spread.unwrap_or((0, 0));
                    let size = i128::from(*size);
                    varying.push(self.varying(value, *info, size));
                    spread = Some((low + lo * size, high + hi * size));
                }
            }
        }
        let Some(object_size) = self.state.object(object).map(|o| o.size) else {
            return Err(Halt::Unmodelled("an object is accessed after its end"));
        };
        match spread {
            None => match offset.checked_add(size) {
                Some(end) if end <= object_size => Ok(Located::At(object, offset)),
                _ => Err(OUTSIDE),
            },
            Some((low, high)) => {
                // A constant part near the top of the address space is a negative one.
                let offset = number(
                    offset,
                    IntInfo {
                        signed: true,
                        ..self.code.pointer
                    },
                );
                let exactly = match varying[..] {
                    [Some(index)] => Some(Varying {
                        start: index.start + offset,
                        ..index
                    }),
                    _ => None,
                };
                let (low, high) = (offset + low, offset + high + i128::from(size));
                match (u64::try_from(low), u64::try_from(high)) {
                    (Ok(low), Ok(high)) if high <= object_size => Ok(Located::Within(object, low, high, exactly)),
                    _ => Err(OUTSIDE),
                }
            }
        }
    }

    // ---- memory -------------------------------------------------------------------------------------------------------

    fn read(&mut self, target: &Target, scalar: Scalar) -> Result<Value, Halt> {
        if let Some(bits) = target.bits {
            return self.read_bits(target, bits, scalar);
        }
        let size = target.size.ok_or(Halt::Unmodelled("a value of unknown size"))?;
        let located = self.place(target, 0, size)?;
        let Scalar::Int(info) = scalar else {
            return Ok(Value::Unknown);
        };
        match located {
            Located::At(object, offset) => self.read_at(object, offset, size, info),
            Located::Within(object, _, _, varying) => self.read_spread(object, varying, size, info),
        }
    }

    /// Reads an integer at a known place.
    pub fn read_at(&mut self, object: ObjectId, offset: u64, size: u64, info: IntInfo) -> Result<Value, Halt> {
        let found = self
            .state
            .object(object)
            .expect("the place was found")
            .read(offset, size);
        match found {
            // Of a truth value only the question whether it is zero is kept.
            Found::Is(Value::Bits(bits)) if info.width == 1 => Ok(Value::Bits(u64::from(bits != 0))),
            Found::Is(Value::Bits(bits)) => Ok(Value::Bits(bits)),
            Found::Is(Value::Symbol { id, plus }) if info.width == 1 => {
                let (lo, hi) = self.state.facts.range(id);
                if plus == 0 && lo >= 0 && hi <= 1 {
                    Ok(self.settled(Value::Symbol { id, plus }, 1))
                } else {
                    self.any(info)
                }
            }
            Found::Is(value @ Value::Symbol { .. }) => Ok(self.settled(value, info.width)),
            Found::Is(value @ Value::Pointer { .. }) if info.width == self.code.pointer.width => Ok(value),
            Found::Untouched if info.width == 1 && !self.is_eager() => self.any(info),
            Found::Untouched => {
                let value = self.input(info, Origin::Read(object, offset, size))?;
                let place = self.state.object_mut(object).expect("the place was found");
                place.name(offset, size, value);
                Ok(value)
            }
            Found::Lost => self.read_parts(object, offset, size, info),
            Found::Is(Value::Pointer { .. } | Value::Unknown) => self.any(info),
        }
    }

    fn read_bits(&mut self, target: &Target, bits: BitRange, scalar: Scalar) -> Result<Value, Halt> {
        let Scalar::Int(info) = scalar else {
            return Err(Halt::Unmodelled("a bit-field of an untracked type"));
        };
        let (first, count, _) = bytes_of(bits);
        match self.locate(target, first, count)? {
            Located::At(object, offset) => self.read_bits_at(object, offset - first, bits, info),
            Located::Within(..) => self.any_bits(bits, info),
        }
    }

    /// Reads a bit-field of a record at a known place.
    pub fn read_bits_at(
        &mut self,
        object: ObjectId,
        offset: u64,
        bits: BitRange,
        info: IntInfo,
    ) -> Result<Value, Halt> {
        let object = self.state.object(object).expect("the place was found");
        match object.read_bits(offset, bits) {
            Some(raw) => {
                let field = IntInfo {
                    width: bits.width,
                    signed: info.signed,
                };
                Ok(Value::Bits(arith::pattern(number(raw, field), info)))
            }
            None => self.any_bits(bits, info),
        }
    }

    /// Any value of a bit-field.
    fn any_bits(&mut self, bits: BitRange, info: IntInfo) -> Result<Value, Halt> {
        let (lo, hi) = bounds(IntInfo {
            width: bits.width,
            signed: info.signed,
        });
        self.any_within(info, lo, hi)
    }

    /// Writes a scalar of `size` bytes.
    pub fn write(&mut self, located: Located, size: u64, value: Value) -> Result<(), Halt> {
        let (Located::At(object, _) | Located::Within(object, ..)) = located;
        let place = self.state.object_mut(object).expect("the place was found");
        if place.kind == Kind::Literal && self.state_has_begun() {
            return Err(Halt::Unmodelled("a string literal is written"));
        }
        let place = self.state.object_mut(object).expect("the place was found");
        match located {
            Located::At(_, offset) => place.write(offset, size, value),
            Located::Within(_, lo, hi, _) => {
                self.state.inexact = true;
                let place = self.state.object_mut(object).expect("the place was found");
                place.blur(lo, hi - lo);
            }
        }
        Ok(())
    }

    /// Whether the static initialisation is over: the start function has called the entry function.
    pub fn state_has_begun(&self) -> bool {
        !self.state.below.is_empty()
    }

    /// Writes a bit-field.
    pub fn write_bits(&mut self, target: &Target, bits: BitRange, value: Value) -> Result<(), Halt> {
        let (first, count, _) = bytes_of(bits);
        let located = self.locate(target, first, count)?;
        self.commit();
        let Located::At(object, offset) = located else {
            return self.write(located, count, Value::Unknown);
        };
        let place = self.state.object_mut(object).expect("the place was found");
        let known = match value {
            Value::Bits(value) => Some(value),
            Value::Pointer { .. } | Value::Symbol { .. } | Value::Unknown => None,
        };
        place.write_bits(offset - first, bits, known);
        Ok(())
    }
}
