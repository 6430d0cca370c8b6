//! Values that lie in several places, and numbers with few values.
//!
//! A read at an index that is not concrete gives any value, and the same one each time if it is read from a table of numbers: an element is a
//! function of the index (`Known::Element`). A distance that is added to a pointer is split into its values, or into those of the numbers that it was computed from. A read of bytes that were written in other portions has the bits of these.

use super::eval::Located;
use super::machine::{Halt, Machine};
use crate::cfa::BinOp;
use crate::explicit::Value;
use crate::explicit::compiled::code::{Code, ObjectId, Target};
use crate::explicit::value::arith::{bounds, number, pattern};
use crate::explicit::value::memo::{Element, Known};
use crate::explicit::value::object::Found;
use crate::explicit::value::symbol::{Linear, SymbolId};
use crate::explicit::value::word::Word;
use crate::frontend::types::IntInfo;

/// An index with at most this number of values is split into its values.
const INDICES: i128 = 8;

/// The same for an index into something else than a table of numbers.
const OFFSETS: i128 = 16;

/// The same for a size, without which the path would end.
const SIZES: i128 = 128;

/// The same for what is added to a pointer, without which the pointer would be lost.
const DISTANCES: i128 = 16;

/// Operations between a number and those that it is split into instead, and symbols that are split at once.
const MAX_ORIGIN_DEPTH: usize = 4;
const MAX_ORIGINS: usize = 4;

/// The same for the number of places by which a value is shifted.
const PLACES: i128 = 64;

/// Elements of a table that are looked at.
const MAX_ELEMENTS: i128 = 4096;

/// An offset that an index says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Varying {
    /// The index.
    pub index: SymbolId,
    /// The offset for the index 0.
    pub start: i128,
    /// The distance of the offsets of two indices that follow each other.
    pub stride: i128,
}

impl Machine<'_, '_> {
    /// A concrete number of an expression, such as a size; `None` if it is not concrete. The number has the width of a pointer.
    pub fn size(&mut self, code: &Code) -> Result<Option<u64>, Halt> {
        let value = self.value(code)?;
        match self.split_up_to(SIZES, value, self.code.pointer)? {
            Value::Bits(bits) => Ok(Some(bits)),
            _ => Ok(None),
        }
    }

    /// The index itself, or one of its numbers, by choice, if it has a few only.
    pub(super) fn split(&mut self, index: Value, info: IntInfo) -> Result<Value, Halt> {
        self.split_up_to(INDICES, index, info)
    }

    /// The same for the number of places of a shift.
    pub(super) fn split_places(&mut self, places: Value, info: IntInfo) -> Result<Value, Halt> {
        self.split_up_to(PLACES, places, info)
    }

    /// The value itself, or one of its numbers, by choice, if it has at most `few`.
    fn split_up_to(&mut self, few: i128, value: Value, info: IntInfo) -> Result<Value, Halt> {
        let Value::Symbol { id, plus } = value else {
            return Ok(value);
        };
        let Some(constant) = self.linear(id, plus, info)? else {
            return Ok(value);
        };
        let (lo, hi) = self.state.facts.range(id);
        if hi - lo >= few {
            return Ok(value);
        }
        let count = u8::try_from(hi - lo + 1).expect("a few");
        let chosen = lo + i128::from(if count > 1 { self.choose(count)? } else { 0 });
        let possible = self.state.facts.restrict(id, chosen, chosen) && self.state.facts.pinned(id) == Some(chosen);
        if !possible || !self.state.settle_results() {
            return Err(Halt::Blocked);
        }
        Ok(Value::Bits(pattern(chosen + constant, info)))
    }

    /// Bounds of a value's number.
    pub fn number_range(&self, value: Value, info: IntInfo) -> (i128, i128) {
        if let Value::Bits(bits) = value {
            return (number(bits, info), number(bits, info));
        }
        if let Value::Symbol { id, plus } = value
            && let Linear::Exact(constant) = self.state.facts.linear(id, plus, info)
        {
            let (lo, hi) = self.state.facts.range(id);
            return (lo + constant, hi + constant);
        }
        bounds(info)
    }

    /// A distance that is added to a pointer, or one of its numbers, by choice, if it has a few only. A result of operations on other numbers is split into theirs, as far as these are a few:
    /// a multiple has as many values as its factor, and later results of the same numbers are concrete too.
    pub(super) fn split_distance(&mut self, distance: Value, info: IntInfo) -> Result<Value, Halt> {
        let Value::Symbol { id, .. } = self.settled(distance, info.width) else {
            return Ok(distance);
        };
        for origin in self.origins(id, DISTANCES) {
            let width = origin.info().width;
            let number = self.settled(Value::Symbol { id: origin, plus: 0 }, width);
            self.split_up_to(DISTANCES, number, origin.info())?;
        }
        let distance = self.settled(distance, info.width);
        match self.word(distance, info.width).and_then(|word| word.as_constant()) {
            Some(bits) => Ok(Value::Bits(bits)),
            None => self.split_up_to(DISTANCES, distance, info),
        }
    }

    /// The symbols from which a result was computed, as far back as they have at most `few` values together. Empty if the result has no such.
    fn origins(&self, id: SymbolId, few: i128) -> Vec<SymbolId> {
        let mut found = Vec::new();
        let mut level = vec![id];
        for _ in 0..MAX_ORIGIN_DEPTH {
            let mut next = Vec::new();
            for &symbol in &level {
                match self.state.memo.origins(symbol) {
                    Some(origins) => next.extend(origins),
                    None => next.push(symbol),
                }
            }
            next.sort_unstable();
            next.dedup();
            if next == level || next.len() > MAX_ORIGINS {
                break;
            }
            let values = next.iter().map(|&id| {
                let (lo, hi) = self.state.facts.range(self.state.facts.root(id).0);
                hi - lo + 1
            });
            if values.fold(1, i128::saturating_mul) <= few {
                found.clone_from(&next);
            }
            level = next;
        }
        found
    }

    /// The offset of an element of `size` bytes at an index that is not concrete, in an array.
    pub(super) fn varying(&self, index: Value, info: IntInfo, size: i128) -> Option<Varying> {
        let Value::Symbol { id, plus } = index else { return None };
        match self.state.facts.linear(id, plus, info) {
            Linear::Exact(constant) => Some(Varying {
                index: id,
                start: constant * size,
                stride: size,
            }),
            Linear::Cut(_) | Linear::Many => None,
        }
    }

    /// One of the offsets, by choice, if there are a few only.
    fn split_offset(&mut self, varying: Varying) -> Result<Option<u64>, Halt> {
        let id = varying.index;
        let value = Value::Symbol { id, plus: 0 };
        Ok(match self.split_up_to(OFFSETS, value, id.info())? {
            Value::Bits(bits) => u64::try_from(varying.start + number(bits, id.info()) * varying.stride).ok(),
            _ => None,
        })
    }

    /// Finds a place, for an access of `size` bytes from `skip` bytes behind its start.
    pub fn locate(&mut self, target: &Target, skip: u64, size: u64) -> Result<Located, Halt> {
        let located = self.place(target, skip, size)?;
        let Located::Within(object, _, _, Some(varying)) = located else {
            return Ok(located);
        };
        let offset = self.split_offset(varying)?;
        Ok(offset.map_or(located, |offset| Located::At(object, offset)))
    }

    /// Reads an integer of `size` bytes from an object at an offset that is not concrete. All offsets that it may be are inside.
    pub(super) fn read_spread(
        &mut self,
        object: ObjectId,
        varying: Option<Varying>,
        size: u64,
        info: IntInfo,
    ) -> Result<Value, Halt> {
        let Some(element) = varying.and_then(|varying| self.element(object, varying, size, info)) else {
            return match varying.map(|varying| self.split_offset(varying)).transpose()?.flatten() {
                Some(offset) => self.read_at(object, offset, size, info),
                None => self.any(info),
            };
        };
        let numbers = || element.values.iter().map(|&bits| number(bits, info));
        let (Some(lo), Some(hi)) = (numbers().min(), numbers().max()) else {
            return self.any(info);
        };
        if lo == hi {
            return Ok(Value::Bits(element.values[0]));
        }
        self.remembered(Known::Element(element), (lo, hi), info)
    }

    /// The element of a table of numbers. `None` if the object is none.
    fn element(&self, object: ObjectId, varying: Varying, size: u64, info: IntInfo) -> Option<Element> {
        let (lo, hi) = self.state.facts.range(varying.index);
        if info.width == 1 || hi - lo >= MAX_ELEMENTS {
            return None;
        }
        let object = self.state.object(object)?;
        let read = |index: i128| {
            let offset = u64::try_from(varying.start + index * varying.stride).ok()?;
            offset.checked_add(size).filter(|end| *end <= object.size)?;
            match object.read(offset, size) {
                Found::Is(Value::Bits(bits)) => Some(bits),
                _ => None,
            }
        };
        let values: Option<Vec<u64>> = (lo..=hi).map(read).collect();
        Some(Element {
            index: varying.index,
            first: lo,
            values: values?.into(),
            info,
        })
    }

    /// Reads an integer whose bytes were written in other portions.
    pub(super) fn read_parts(
        &mut self,
        object: ObjectId,
        offset: u64,
        size: u64,
        info: IntInfo,
    ) -> Result<Value, Halt> {
        if info.width == 1 {
            return self.any(info);
        }
        let bytes: Option<Vec<Word>> = (offset..offset + size).map(|at| self.byte(object, at)).collect();
        match bytes {
            Some(bytes) => self.value_of_word(&Word::joined(&bytes), info),
            None => self.any(info),
        }
    }

    /// The bits of a byte, if it is a part of a number.
    fn byte(&self, object: ObjectId, at: u64) -> Option<Word> {
        let object = self.state.object(object)?;
        [1u64, 2, 4, 8].into_iter().find_map(|size| {
            let start = at - at % size;
            if start + size > object.size {
                return None;
            }
            let Found::Is(value @ (Value::Bits(_) | Value::Symbol { .. })) = object.read(start, size) else {
                return None;
            };
            let cell = IntInfo {
                width: u32::try_from(8 * size).expect("at most 64"),
                signed: false,
            };
            let moved = Word::moved(BinOp::Shr, &self.word(value, cell.width)?, 8 * (at - start), cell)?;
            Some(moved.converted(8, false))
        })
    }
}
