//! The inputs of an execution for which they are chosen.

use super::super::Stop;
use super::super::code::Asked;
use super::super::expression::shift;
use super::super::memory::Pointer;
use super::super::operations::norm_s;
use crate::explicit::pattern::Pattern;
use crate::explicit::value::arith::pattern;
use crate::frontend::types::IntInfo;
use provident_smt::hash::FxHashMap;
use std::collections::VecDeque;

/// An input that an execution took.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The position of the step that needed it.
    pub step: usize,
    /// Its value.
    pub value: i128,
    /// For the content of memory that a step gave any value to: the position of that step, and bytes from the start of the place.
    pub since: Option<(usize, u64)>,
}

/// The choice of inputs.
#[derive(Clone, Debug)]
pub enum Chosen {
    /// By a pattern.
    Pattern(Pattern),
    /// One after the other, modulo 2^width of the type that is asked for; behind the last one, zeros.
    Given(VecDeque<i128>),
}

impl Chosen {
    /// The next value for an integer type of at most 64 bits, as a bit pattern.
    fn next(&mut self, info: IntInfo) -> u64 {
        match self {
            Chosen::Pattern(pattern) => pattern.next(info),
            Chosen::Given(numbers) => pattern(numbers.pop_front().unwrap_or(0), info),
        }
    }
}

/// Where inputs come from, and those so far.
pub struct Inputs {
    /// Where they come from, if they are chosen.
    chosen: Option<Chosen>,
    /// Whether there was one.
    pub has_begun: bool,
    /// Those so far, if steps are recorded.
    pub taken: Vec<Taken>,
    /// The parts of each object that were given any value, if steps are recorded: the step, and the bytes.
    forgotten: FxHashMap<u32, Vec<(usize, u64, u64)>>,
}

impl Inputs {
    pub fn new(chosen: Option<Chosen>) -> Inputs {
        Inputs {
            chosen,
            has_begun: false,
            taken: Vec::new(),
            forgotten: FxHashMap::default(),
        }
    }

    /// The next one, for a register, after this number of recorded steps.
    pub fn next(&mut self, asked: Asked, steps: usize) -> Result<u64, Stop> {
        self.take(asked, steps, None)
    }

    /// The next one, which is what memory contains at an offset of an object.
    pub fn content(&mut self, asked: Asked, steps: usize, (tag, offset): (u32, u64)) -> Result<u64, Stop> {
        let parts = self.forgotten.get(&tag).map_or(&[][..], Vec::as_slice);
        let part = parts
            .iter()
            .rev()
            .find(|(_, at, size)| (*at..at + size).contains(&offset));
        let since = part.map(|&(step, at, _)| (step, offset - at));
        self.take(asked, steps, since)
    }

    fn take(&mut self, asked: Asked, steps: usize, since: Option<(usize, u64)>) -> Result<u64, Stop> {
        let chosen = self.chosen.as_mut().ok_or(Stop::INPUT)?;
        self.has_begun = true;
        let (width, signed) = (u32::from(asked.width), asked.signed);
        let bits = chosen.next(IntInfo { width, signed });
        let value = if signed { norm_s(bits, shift(width)) } else { bits };
        if steps > 0 {
            self.taken.push(Taken {
                step: if asked.is_ahead { steps } else { steps - 1 },
                value: if signed {
                    value.cast_signed().into()
                } else {
                    value.into()
                },
                since,
            });
        }
        Ok(value)
    }

    /// Notes that the last of some recorded steps gives some bytes any value.
    pub fn forget(&mut self, pointer: Pointer, size: u64, steps: usize) {
        if steps == 0 || self.chosen.is_none() {
            return;
        }
        let parts = self.forgotten.entry(pointer.tag).or_default();
        parts.retain(|(_, at, old)| (*at, *old) != (pointer.offset, size));
        parts.push((steps - 1, pointer.offset, size));
    }
}
