//! Steps: the effects of operations on a state.

use super::eval::Located;
use super::machine::{Guide, Halt, Machine};
use super::question::Truth;
use crate::cfa::{AllocKind, EdgeId, NodeId, Step};
use crate::explicit::Value;
use crate::explicit::compiled::code::*;
use crate::explicit::step::record::Origin;
use crate::explicit::value::arith;
use crate::explicit::value::arith::bounds;
use crate::explicit::value::object::{Kind, Object, Piece};
use crate::explicit::value::words::Words;
use crate::frontend::types::IntInfo;

/// Bigger objects are not modelled.
const BIGGEST: u64 = 1 << 26;
/// Frames that may be open at once.
const DEEPEST: usize = 100_000;

/// A value that is assigned or passed.
pub(super) enum Payload {
    Scalar(Value),
    Wide(Words),
    /// The leaves of a record.
    Leaves(Vec<Value>),
    /// A part of an object that began at this offset.
    Pieces(u64, Vec<Piece>),
}

impl Payload {
    /// A scalar of more than 64 bits.
    fn words(self) -> Words {
        match self {
            Payload::Wide(words) => words,
            _ => Words::UNKNOWN,
        }
    }
}

impl<'c> Machine<'c, '_> {
    /// Takes one step. `None`: the path ends here.
    ///
    /// # Errors
    /// Where the path does not go on.
    pub fn step(&mut self) -> Result<Option<Step>, Halt> {
        let code = self.code;
        let step = match &code.node(self.state.node).next {
            Next::Leave => match self.leave()? {
                Some(step) => step,
                None => return Ok(None),
            },
            Next::Stuck => return Ok(None),
            Next::Branch(cond, scalar, ends) => {
                let truth = self.truth(cond, *scalar)?;
                let (edge, to) = ends[usize::from(!self.decide(truth)?)];
                self.go(edge, to)
            }
            Next::Edge(edge) => self.edge(edge)?,
            Next::Edges(edges) => {
                let count = u8::try_from(edges.len()).map_err(|_| Halt::Unmodelled("a node with many edges"))?;
                let pick = usize::from(self.choose(count)?);
                self.edge(&edges[pick])?
            }
        };
        if let Guide::Follow(recorder) = &mut self.guide {
            recorder.steps.push(step);
        }
        Ok(Some(step))
    }

    fn go(&mut self, edge: EdgeId, to: NodeId) -> Step {
        self.state.node = to;
        Step::Edge(edge)
    }

    fn edge(&mut self, edge: &'c EdgeCode) -> Result<Step, Halt> {
        match &edge.action {
            Action::Nop => {}
            Action::Assume(cond, scalar, wanted) => match self.truth(cond, *scalar)? {
                Truth::Known(truth) if truth == *wanted => {}
                Truth::Known(_) => return Err(Halt::Blocked),
                Truth::Open(question, positive) => self.answer(question, *wanted == positive)?,
            },
            Action::Assign(dest, source) => {
                let payload = self.payload(source)?;
                self.assign(dest, payload)?;
            }
            Action::Zero(dest) => self.zero(dest)?,
            Action::Havoc(dests) => dests.iter().try_for_each(|dest| self.havoc(dest))?,
            Action::LeftOut(dest) => {
                self.havoc(dest)?;
                self.leave_open(dest)?;
            }
            Action::Call(call) => {
                self.enter(edge.id, call)?;
                return Ok(Step::Enter(edge.id));
            }
            Action::Allocate(allocate) => self.allocate(allocate)?,
            Action::Inspect(operands) => self.inspect(operands)?,
            Action::Free(code, kind) => self.free(code, *kind)?,
            Action::Mark(operands) => self.mark(operands)?,
            Action::Fill(operands) => self.fill(operands)?,
            Action::Copy(operands) => self.copy(operands)?,
            Action::Unmodelled(what) => return Err(Halt::Unmodelled(what)),
        }
        Ok(self.go(edge.id, edge.to))
    }

    fn enter(&mut self, edge: EdgeId, call: &'c Call) -> Result<(), Halt> {
        if self.state.below.len() >= DEEPEST {
            return Err(Halt::Unmodelled("the recursion is too deep"));
        }
        if let [(Source::Scalar(code, _), dest @ Dest::Slot(..))] = call.args.as_slice() {
            // The common case needs no list.
            let value = self.value(code)?;
            self.commit();
            self.state.push(self.code, call.callee, edge);
            self.assign(dest, Payload::Scalar(value))?;
        } else {
            let mut payloads = Vec::with_capacity(call.args.len());
            for (source, _) in &call.args {
                payloads.push(self.payload(source)?);
            }
            self.commit();
            self.state.push(self.code, call.callee, edge);
            for ((_, dest), payload) in call.args.iter().zip(payloads) {
                self.assign(dest, payload)?;
            }
        }
        self.state.node = self.code.program.function(call.callee).entry;
        Ok(())
    }

    fn leave(&mut self) -> Result<Option<Step>, Halt> {
        let Some(id) = self.state.top.call else {
            return Ok(None);
        };
        let code = self.code;
        let program = code.program;
        let edge = match &code.node(program.edge(id).from).next {
            Next::Edge(edge) => Some(edge),
            Next::Edges(edges) => edges.iter().find(|e| e.id == id),
            _ => None,
        };
        let Some(Action::Call(call)) = edge.map(|e| &e.action) else {
            unreachable!("a frame comes from a call");
        };
        let payload = match &call.ret {
            Some((Some(source), _)) => Some(self.payload(source)?),
            _ => None,
        };
        self.commit();
        self.state.pop(code);
        match (&call.ret, payload) {
            (Some((_, dest)), Some(payload)) => self.assign(dest, payload)?,
            // The callee returns nothing, yet its value is used: any value.
            (Some((_, dest)), None) => self.havoc(dest)?,
            (None, _) => {}
        }
        self.state.node = program.edge(id).to;
        Ok(Some(Step::Leave(id)))
    }

    // ---- assignments --------------------------------------------------------------------------------------------------

    fn payload(&mut self, source: &Source) -> Result<Payload, Halt> {
        match source {
            Source::Scalar(code, _) => Ok(Payload::Scalar(self.value(code)?)),
            Source::Wide(wide) => Ok(Payload::Wide(self.wide(wide)?)),
            Source::Record(Record::Slots(first), leaves) => {
                let mut values = Vec::with_capacity(leaves.len());
                for (i, leaf) in leaves.iter().enumerate() {
                    values.push(self.read_slot(first.plus(i), leaf.scalar)?);
                }
                Ok(Payload::Leaves(values))
            }
            Source::Record(Record::Memory(target), _) => {
                let size = target.size.ok_or(Halt::Unmodelled("a record of unknown size"))?;
                match self.locate(target, 0, size)? {
                    Located::At(object, offset) => {
                        let object = self.state.object(object).expect("the place was found");
                        Ok(Payload::Pieces(offset, object.pieces(offset, size)))
                    }
                    Located::Within(..) => {
                        self.state.inexact = true;
                        Ok(Payload::Pieces(0, vec![Piece::Run(0, size, false)]))
                    }
                }
            }
        }
    }

    pub(super) fn assign(&mut self, dest: &Dest, payload: Payload) -> Result<(), Halt> {
        match (dest, payload) {
            (Dest::Slot(slot, Scalar::Wide(_), _), payload) => {
                self.commit();
                self.set_slots(*slot, payload.words());
                Ok(())
            }
            (Dest::Memory(target, Scalar::Wide(shape)), payload) => self.write_wide(target, *shape, payload.words()),
            (Dest::Slot(slot, scalar, bits), payload @ (Payload::Scalar(_) | Payload::Wide(_))) => {
                let value = match (scalar, bits, payload) {
                    (Scalar::Int(info), Some(width), Payload::Scalar(value)) => self.cut(value, *info, *width)?,
                    (Scalar::Int(_), None, Payload::Scalar(value)) => value,
                    _ => Value::Unknown,
                };
                self.commit();
                self.state.set_slot(*slot, value);
                Ok(())
            }
            (Dest::Memory(target, scalar), payload @ (Payload::Scalar(_) | Payload::Wide(_))) => {
                let value = match (scalar, payload) {
                    (Scalar::Int(_), Payload::Scalar(value)) => value,
                    _ => Value::Unknown,
                };
                if let Some(bits) = target.bits {
                    return self.write_bits(target, bits, value);
                }
                let (located, size) = self.whole(target)?;
                self.commit();
                self.write(located, size, value)
            }
            (Dest::Record(record, leaves), payload) => self.assign_record(record, leaves, payload),
            (Dest::Slot(..) | Dest::Memory(..), _) => unreachable!("scalars get scalars"),
        }
    }

    /// Where a place is, and its size.
    pub(super) fn whole(&mut self, target: &Target) -> Result<(Located, u64), Halt> {
        let size = target.size.ok_or(Halt::Unmodelled("an object of unknown size"))?;
        Ok((self.locate(target, 0, size)?, size))
    }

    /// A value cut to a bit-field of its type.
    fn cut(&mut self, value: Value, info: IntInfo, width: u32) -> Result<Value, Halt> {
        let field = IntInfo { width, ..info };
        match self.settled(value, info.width) {
            Value::Bits(bits) => {
                let low = bits & arith::mask(width);
                Ok(Value::Bits(arith::pattern(arith::number(low, field), info)))
            }
            _ => {
                let (lo, hi) = bounds(field);
                self.any_within(info, lo, hi)
            }
        }
    }

    fn assign_record(&mut self, record: &Record, leaves: &[Leaf], payload: Payload) -> Result<(), Halt> {
        match (record, payload) {
            (Record::Slots(first), Payload::Leaves(values)) => {
                self.commit();
                for (i, value) in values.into_iter().enumerate() {
                    self.state.set_slot(first.plus(i), value);
                }
                Ok(())
            }
            (Record::Slots(first), Payload::Pieces(from, pieces)) => {
                self.commit();
                // Both sides have one type; what is read from the copy is what the leaves are.
                let last = pieces.iter().map(|piece| match *piece {
                    Piece::Scalar(at, size, _) | Piece::Run(at, size, _) => at + size - from,
                    Piece::Partial(at, _) => at + 1 - from,
                    Piece::Unwritten(at, count, _) => at + count - from,
                });
                let mut copy = Object::new(last.max().unwrap_or(0), Kind::Variable, 0);
                copy.paste(0, from, &pieces);
                let object = self.state.add(copy);
                for (i, leaf) in leaves.iter().enumerate() {
                    let value = self.leaf(object, leaf)?;
                    self.state.set_slot(first.plus(i), value);
                }
                self.state.end(object);
                Ok(())
            }
            (Record::Memory(target), payload) => {
                let (located, size) = self.whole(target)?;
                self.commit();
                let Located::At(object, offset) = located else {
                    return self.write(located, size, Value::Unknown);
                };
                let place = self.state.object_mut(object).expect("the place was found");
                let mut inexact = false;
                match payload {
                    Payload::Pieces(from, pieces) => place.paste(offset, from, &pieces),
                    Payload::Leaves(values) => {
                        place.fill(offset, size, None);
                        for (leaf, value) in leaves.iter().zip(values) {
                            match (leaf.bits, value) {
                                (None, _) => place.write(offset + leaf.offset, leaf.size, value),
                                (Some(bits), Value::Bits(value)) => {
                                    place.write_bits(offset + leaf.offset, bits, Some(value));
                                }
                                // A bit-field is a number or forgotten.
                                (Some(_), _) => inexact = true,
                            }
                        }
                        self.state.inexact |= inexact;
                    }
                    Payload::Scalar(_) | Payload::Wide(_) => unreachable!("records get records"),
                }
                Ok(())
            }
            (Record::Slots(_), Payload::Scalar(_) | Payload::Wide(_)) => unreachable!("records get records"),
        }
    }

    /// The value of a leaf of an object.
    fn leaf(&mut self, object: ObjectId, leaf: &Leaf) -> Result<Value, Halt> {
        let info = match leaf.scalar {
            Scalar::Int(info) => info,
            Scalar::Word(word) => return Ok(self.word_at(object, leaf.offset, leaf.size, word.width())),
            Scalar::Wide(_) | Scalar::Opaque => return Ok(Value::Unknown),
        };
        match leaf.bits {
            None => self.read_at(object, leaf.offset, leaf.size, info),
            Some(bits) => self.read_bits_at(object, leaf.offset, bits, info),
        }
    }

    fn zero(&mut self, dest: &Dest) -> Result<(), Halt> {
        match dest {
            Dest::Slot(slot, Scalar::Wide(_), _) => self.set_slots(*slot, Words::of(0)),
            Dest::Slot(slot, ..) => self.state.set_slot(*slot, Value::Bits(0)),
            Dest::Memory(target, _) if target.bits.is_some() => {
                let bits = target.bits.expect("it has bits");
                self.write_bits(target, bits, Value::Bits(0))?;
            }
            Dest::Memory(target, _) => self.blank(target, Some(0))?,
            Dest::Record(record, leaves) => match &**record {
                Record::Slots(first) => {
                    for i in 0..leaves.len() {
                        self.state.set_slot(first.plus(i), Value::Bits(0));
                    }
                }
                Record::Memory(target) => self.blank(target, Some(0))?,
            },
        }
        Ok(())
    }

    /// Makes a whole place zero or unknown.
    fn blank(&mut self, target: &Target, byte: Option<u8>) -> Result<(), Halt> {
        let (located, size) = self.whole(target)?;
        self.commit();
        match located {
            Located::At(object, offset) => {
                let place = self.state.object_mut(object).expect("the place was found");
                place.fill(offset, size, byte);
                Ok(())
            }
            Located::Within(..) => self.write(located, size, Value::Unknown),
        }
    }

    fn havoc(&mut self, dest: &Dest) -> Result<(), Halt> {
        match dest {
            Dest::Slot(slot, Scalar::Int(info), Some(width)) => {
                let (lo, hi) = bounds(IntInfo { width: *width, ..*info });
                let value = self.any_within(*info, lo, hi)?;
                self.state.set_slot(*slot, value);
            }
            Dest::Slot(slot, Scalar::Int(info), None) if self.is_eager() => {
                let value = self.input(*info, Origin::Written(None))?;
                self.state.set_slot(*slot, value);
            }
            Dest::Slot(slot, scalar, _) => {
                if let Scalar::Opaque | Scalar::Wide(_) = scalar {
                    // The replay asks for it, so that the inputs behind it stay in their order.
                    self.record(Origin::Written(None), Value::Bits(0), self.code.pointer);
                }
                match scalar {
                    Scalar::Wide(_) => self.set_slots(*slot, Words::UNKNOWN),
                    _ => self.state.set_slot(*slot, Value::Unknown),
                }
            }
            Dest::Memory(target, _) if target.bits.is_some() => {
                let bits = target.bits.expect("it has bits");
                self.write_bits(target, bits, Value::Unknown)?;
            }
            Dest::Memory(target, scalar) => {
                let (located, size) = self.whole(target)?;
                if let (Located::At(object, offset), Scalar::Int(info), true) = (located, scalar, self.is_eager()) {
                    let value = self.input(*info, Origin::Written(Some((object, offset, size))))?;
                    return self.write(located, size, value);
                }
                self.blank(target, None)?;
            }
            Dest::Record(record, leaves) => match &**record {
                Record::Slots(first) => {
                    for i in 0..leaves.len() {
                        self.state.set_slot(first.plus(i), Value::Unknown);
                    }
                }
                Record::Memory(target) => {
                    let (located, _) = self.whole(target)?;
                    self.blank(target, None)?;
                    if let (Located::At(object, offset), true) = (located, self.is_eager()) {
                        self.havoc_leaves(object, offset, leaves)?;
                    }
                }
            },
        }
        Ok(())
    }

    /// Gives each scalar of an object in memory a name.
    fn havoc_leaves(&mut self, object: ObjectId, offset: u64, leaves: &[Leaf]) -> Result<(), Halt> {
        for leaf in leaves.iter().filter(|leaf| leaf.bits.is_none()) {
            let Scalar::Int(info) = leaf.scalar else { continue };
            let at = offset + leaf.offset;
            let value = self.input(info, Origin::Written(Some((object, at, leaf.size))))?;
            let place = self.state.object_mut(object).expect("the place was found");
            place.write(at, leaf.size, value);
        }
        Ok(())
    }

    // ---- objects ------------------------------------------------------------------------------------------------------

    fn allocate(&mut self, allocate: &Allocate) -> Result<(), Halt> {
        let size = self.size(&allocate.size)?;
        let size = size.filter(|s| *s <= BIGGEST);
        let size = size.ok_or(Halt::Unmodelled("an allocation of unknown or enormous size"))?;
        if allocate.may_fail && self.choose(2)? == 1 {
            self.record(Origin::Allocated, Value::Bits(0), self.code.pointer);
            return self.assign(&allocate.dest, Payload::Scalar(Value::Bits(0)));
        }
        let kind = match allocate.kind {
            AllocKind::Heap | AllocKind::Aligned => Kind::Heap,
            AllocKind::Stack | AllocKind::Block => Kind::Stack,
        };
        let mut object = Object::new(size, kind, 0);
        if allocate.zero {
            object.fill(0, size, Some(0));
        } else if self.code.follows_contents {
            object.mark(0, size, false);
        }
        let dest = match &allocate.dest {
            Dest::Memory(target, _) if target.bits.is_none() => Some(self.whole(target)?),
            _ => None,
        };
        self.commit();
        let object = self.state.add(object);
        if allocate.kind.is_on_stack() {
            self.state.top.blocks.push(object);
        }
        if let Guide::Follow(recorder) = &mut self.guide {
            recorder.allocated(object, size);
        }
        let value = Value::Pointer { object, offset: 0 };
        match dest {
            Some((located, size)) => self.write(located, size, value),
            None => self.assign(&allocate.dest, Payload::Scalar(value)),
        }
    }

    fn free(&mut self, code: &Code, kind: AllocKind) -> Result<(), Halt> {
        let kind = match kind {
            AllocKind::Stack | AllocKind::Block => Kind::Stack,
            AllocKind::Heap | AllocKind::Aligned => Kind::Heap,
        };
        match self.value(code)? {
            Value::Bits(0) => Ok(()),
            Value::Pointer { object, offset: 0 } if self.state.object(object).is_some_and(|o| o.kind == kind) => {
                self.state.end(object);
                self.state.top.blocks.retain(|&block| block != object);
                Ok(())
            }
            _ => Err(Halt::Unmodelled("what is freed is no heap object")),
        }
    }

    /// The part of an object that a pointer and a count say.
    fn range(&mut self, code: &Code, count: u64) -> Result<(ObjectId, u64), Halt> {
        match self.value(code)? {
            Value::Pointer { object, offset } if self.room(object, offset).is_some_and(|room| count <= room) => {
                Ok((object, offset))
            }
            _ => Err(Halt::Unmodelled("bytes outside of every object are accessed")),
        }
    }

    fn fill(&mut self, operands: &(Code, Code, Code)) -> Result<(), Halt> {
        let (dst, byte, count) = operands;
        let count = self.size(count)?;
        let count = count.ok_or(Halt::Unmodelled("an unknown number of bytes is set"))?;
        let (object, offset) = self.range(dst, count)?;
        let byte = self.constant(byte)?.map(|bits| bits.to_le_bytes()[0]);
        self.state.inexact |= byte.is_none();
        self.commit();
        self.writable(object)?;
        let place = self.state.object_mut(object).expect("the range was found");
        place.fill(offset, count, byte);
        Ok(())
    }

    fn copy(&mut self, operands: &(Code, Code, Code)) -> Result<(), Halt> {
        let (dst, src, count) = operands;
        let count = self.size(count)?;
        let count = count.ok_or(Halt::Unmodelled("an unknown number of bytes is copied"))?;
        let (object, offset) = self.range(dst, count)?;
        let (from, at) = self.range(src, count)?;
        self.commit();
        self.writable(object)?;
        let pieces = self.state.object(from).expect("the range was found").pieces(at, count);
        let place = self.state.object_mut(object).expect("the range was found");
        place.paste(offset, at, &pieces);
        Ok(())
    }

    fn writable(&self, object: ObjectId) -> Result<(), Halt> {
        match self.state.object(object) {
            Some(o) if o.kind != Kind::Literal || !self.state_has_begun() => Ok(()),
            _ => Err(Halt::Unmodelled("a string literal is written")),
        }
    }
}
