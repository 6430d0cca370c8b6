//! Questions about the objects that exist: whether bytes may be accessed, whether a block may be freed, whether blocks are lost.
//!
//! A pointer to an object with a known offset gives one answer. A pointer of which too little is known gives both, one after the other: the path is inexact from there on, and
//! the replay decides. So *yes* and *no* together over-approximate, as everything in this analysis does.

use super::eval::Located;
use super::machine::{Halt, Machine};
use crate::cfa::BinOp;
use crate::explicit::Value;
use crate::explicit::compiled::code::{Code, Dest, ObjectId, Query, Record};
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
            Query::Written { ptr, len } => self.is_written(ptr, len)?,
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

    /// Whether bytes were written; `None` if that is not known.
    fn is_written(&mut self, ptr: &Code, len: &Code) -> Result<Option<bool>, Halt> {
        let pointer = self.value(ptr)?;
        let count = match self.value(len)? {
            Value::Bits(count) => count,
            Value::Pointer { .. } | Value::Symbol { .. } | Value::Unknown => return Ok(None),
        };
        Ok(match self.settled(pointer, self.code.pointer.width) {
            Value::Pointer { object, offset } => match self.state.object(object) {
                Some(object) => object.is_written(offset, count),
                // No byte of an object.
                None => Some(true),
            },
            Value::Bits(_) => Some(true),
            Value::Symbol { .. } | Value::Unknown => None,
        })
    }

    /// Bytes count as written, or as not written.
    pub(super) fn mark(&mut self, (ptr, len, written): &(Code, Option<Code>, Code)) -> Result<(), Halt> {
        let pointer = self.value(ptr)?;
        let len = len.as_ref().map(|len| self.value(len)).transpose()?;
        let written = self.value(written)?;
        self.commit();
        let Value::Pointer { object, offset } = self.settled(pointer, self.code.pointer.width) else {
            return Ok(());
        };
        let Some(size) = self.state.object(object).map(|object| object.size) else {
            return Ok(());
        };
        let Value::Bits(written) = written else {
            return Err(Halt::Unmodelled("it is not known whether bytes count as written"));
        };
        match len {
            Some(Value::Bits(count)) => {
                if offset.checked_add(count).is_some_and(|end| end <= size) {
                    let place = self.state.object_mut(object).expect("it was found");
                    place.mark(offset, count, written != 0);
                }
            }
            Some(_) => return Err(Halt::Unmodelled("an unknown number of bytes counts as written")),
            None => self.mark_behind(object, written != 0),
        }
        Ok(())
    }

    /// All bytes of an object count as written, or as not written, and all that pointers in it lead to.
    fn mark_behind(&mut self, object: ObjectId, written: bool) {
        let mut seen: FxHashSet<ObjectId> = FxHashSet::default();
        let mut open = vec![object];
        while let Some(id) = open.pop() {
            let Some(object) = self.state.object(id).filter(|_| seen.insert(id)) else {
                continue;
            };
            let size = object.size;
            object.visit(&mut |value| {
                if let Value::Pointer { object, .. } = self.state.settled(value, u64::BITS) {
                    open.push(object);
                }
            });
            let place = self.state.object_mut(id).expect("it was found");
            place.mark(0, size, written);
        }
    }

    /// Whether a place was written is not known any more.
    pub(super) fn leave_open(&mut self, dest: &Dest) -> Result<(), Halt> {
        let target = match dest {
            Dest::Slot(..) => return Ok(()),
            Dest::Memory(target, _) => target,
            Dest::Record(record, _) => match &**record {
                Record::Slots(_) => return Ok(()),
                Record::Memory(target) => target,
            },
        };
        let (object, offset, count) = match self.whole(target)? {
            (Located::At(object, offset), size) => (object, offset, size),
            (Located::Within(object, lo, hi, _), _) => (object, lo, hi - lo),
        };
        if let Some(place) = self.state.object_mut(object) {
            place.leave_open(offset, count);
        }
        Ok(())
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
