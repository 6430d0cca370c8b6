//! Questions about the objects that exist: whether bytes may be accessed, whether a block may be freed, whether blocks are lost.
//!
//! A pointer to an object with a known offset gives one answer. A pointer of which too little is known gives both, one after the other: the path is inexact from there on, and
//! the replay decides. So *yes* and *no* together over-approximate, as everything in this analysis does.

use super::machine::{Halt, Machine};
use crate::cfa::BinOp;
use crate::explicit::Value;
use crate::explicit::compiled::code::{Code, Dest, ObjectId, Query};
use crate::explicit::state::State;
use crate::explicit::step::exec::Payload;
use crate::explicit::value::object::Kind;
use provident_smt::hash::FxHashSet;

/// The values of a state that are looked at in the time of a step.
const VALUES_PER_STEP: u64 = 8;

impl Machine<'_, '_> {
    /// A place gets the answer to a question.
    pub(super) fn inspect(&mut self, (dest, query): &(Dest, Query)) -> Result<(), Halt> {
        let answer = match query {
            Query::Size(code) => return self.measure(dest, code),
            Query::Accessible { ptr, len, write } => self.is_accessible(ptr, len, *write)?,
            Query::Releasable(code) => self.is_releasable(code)?,
            Query::Tracked => {
                let (lost, visited) = untracked(&self.state);
                self.effort += visited / VALUES_PER_STEP;
                let answer = match lost.is_empty() {
                    true => true,
                    // An address may be in a value that is not known.
                    false if self.state.inexact || self.forgets => self.choose(2)? == 0,
                    false => false,
                };
                for id in lost.into_iter().filter(|_| !answer) {
                    if let Some(object) = self.state.object_mut(id) {
                        object.kind = Kind::Lost;
                    }
                }
                Some(answer)
            }
            Query::Released => {
                let mut left = self.state.objects();
                Some(!left.any(|(_, object)| matches!(object.kind, Kind::Heap | Kind::Lost)))
            }
        };
        let answer = match answer {
            Some(answer) => answer,
            None => {
                let answer = self.choose(2)? == 0;
                self.state.inexact = true;
                answer
            }
        };
        self.assign(dest, Payload::Scalar(Value::Bits(answer.into())))
    }

    /// Whether bytes may be accessed; `None` if that is not known.
    fn is_accessible(&mut self, ptr: &Code, len: &Code, write: bool) -> Result<Option<bool>, Halt> {
        let pointer = self.value(ptr)?;
        let pointer = self.settled(pointer, self.code.pointer.width);
        let count = match self.value(len)? {
            Value::Bits(0) => return Ok(Some(true)),
            Value::Bits(count) => count,
            count => return self.has_room(pointer, count, write),
        };
        Ok(match pointer {
            Value::Pointer { object, offset } => Some(match self.state.object(object) {
                // Nothing says how many bytes it has.
                Some(object) if object.kind == Kind::Variable && object.size == 0 => return Ok(None),
                Some(object) if write && object.kind == Kind::Literal => false,
                Some(object) => offset.checked_add(count).is_some_and(|end| end <= object.size),
                None => false,
            }),
            // Objects of the program have no numbers for addresses.
            Value::Bits(address) => Some(self.state.outside_at(address).is_some()),
            Value::Symbol { .. } | Value::Unknown => None,
        })
    }

    /// Whether a number of bytes that is not concrete may be accessed; `None` if that is not known.
    fn has_room(&mut self, pointer: Value, count: Value, write: bool) -> Result<Option<bool>, Halt> {
        let Value::Pointer { object, offset } = pointer else {
            return Ok(None);
        };
        let room = match self.state.object(object) {
            Some(object) if object.kind == Kind::Variable && object.size == 0 => return Ok(None),
            Some(object) if write && object.kind == Kind::Literal => None,
            Some(object) => object.size.checked_sub(offset),
            None => None,
        };
        // No byte at all may be accessed everywhere. Too many bytes come first: an access of them is the end of that way.
        let room = Value::Bits(room.unwrap_or(0));
        let truth = self.compare(BinOp::Gt, count, room, self.code.pointer)?;
        Ok(Some(!self.decide(truth)?))
    }

    /// Whether a pointer may be given back; `None` if that is not known.
    fn is_releasable(&mut self, code: &Code) -> Result<Option<bool>, Halt> {
        let pointer = self.value(code)?;
        Ok(match self.settled(pointer, self.code.pointer.width) {
            Value::Bits(0) => Some(true),
            Value::Bits(address) => Some(self.state.outside_at(address).is_some()),
            Value::Pointer { object, offset } => {
                let is_block = self.state.object(object).is_some_and(|o| o.kind == Kind::Heap);
                Some(offset == 0 && is_block)
            }
            Value::Symbol { .. } | Value::Unknown => None,
        })
    }

    fn measure(&mut self, dest: &Dest, code: &Code) -> Result<(), Halt> {
        let size = match self.value(code)? {
            Value::Bits(0) => 0,
            Value::Pointer { object, offset: 0 } => match self.state.object(object) {
                Some(object) if object.kind == Kind::Heap => object.size,
                _ => return Err(Halt::Unmodelled("the size of what is no heap object is asked for")),
            },
            _ => return Err(Halt::Unmodelled("the size of what is no heap object is asked for")),
        };
        self.assign(dest, Payload::Scalar(Value::Bits(size)))
    }
}

/// The heap objects that no variable points into, directly or through other objects, and the number of values that were looked at. Variables count from the call of
/// their function to its end.
fn untracked(state: &State) -> (Vec<ObjectId>, u64) {
    if state.objects_of(Kind::Heap).next().is_none() {
        return (Vec::new(), 0);
    }
    let mut visited = 0;
    let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
    let mut open: Vec<ObjectId> = Vec::new();
    let mut meet = |value: Value, open: &mut Vec<ObjectId>| {
        visited += 1;
        if let Value::Pointer { object, offset } = state.settled(value, u64::BITS)
            && state.object(object).is_some_and(|o| offset <= o.size)
            && seen.insert(object)
        {
            open.push(object);
        }
    };
    let frames = state.below.iter().map(|frame| &**frame).chain([&state.top]);
    for &value in frames.flat_map(|frame| frame.slots.iter()).chain(state.globals.iter()) {
        meet(value, &mut open);
    }
    for object in state.statics() {
        object.visit(&mut |value| meet(value, &mut open));
    }
    for (_, object) in state
        .objects()
        .filter(|(_, object)| !matches!(object.kind, Kind::Heap | Kind::Lost))
    {
        object.visit(&mut |value| meet(value, &mut open));
    }
    while let Some(id) = open.pop() {
        if let Some(object) = state.object(id) {
            object.visit(&mut |value| meet(value, &mut open));
        }
    }
    let lost = state.objects_of(Kind::Heap).filter(|id| !seen.contains(id));
    (lost.collect(), visited)
}
