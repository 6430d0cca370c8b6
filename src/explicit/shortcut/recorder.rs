//! Stretches as they are met for the first time: executed on numbers and on expressions at once (Godefroid, Klarlund, Sen, "DART: Directed automated random testing", PLDI 2005).
//!
//! A test whose answer follows from those before it is not recorded: of the hundreds of conditions that a reactive system asks about its mode, few are left.

use super::expression::{Expression, Expressions, Id, content};
use super::tree::{Effect, Stretch, Test};
use crate::cfa::{BinOp, EdgeId, FuncId, NodeId};
use crate::explicit::compiled::code::{Action, Call, Code, Dest, EdgeCode, Next, Scalar, Slot, Source};
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::state::State;
use crate::explicit::step::question::mirrored;
use crate::explicit::value::arith::{self, bounds, mask, number, pattern};
use crate::frontend::types::IntInfo;
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// Steps of a stretch at most.
const LONGEST: u64 = 100_000;
/// Frames that a stretch may have open.
const DEEPEST: usize = 64;
/// How deep expressions may nest.
const MAX_DEPTH: u32 = 64;

/// A stretch with its tests and their answers.
pub(super) struct Recorded {
    pub tests: Vec<(Test, bool)>,
    pub stretch: Stretch,
}

/// The stretch ends before a step: it is one for the machine.
struct End;

/// A number with the expression that it is the value of.
#[derive(Clone, Copy)]
struct Number {
    bits: u64,
    id: Id,
    /// How deep the expression nests.
    depth: u32,
}

/// The content of a slot.
#[derive(Clone, Copy)]
enum Content {
    Number(Number),
    Unknown,
}

/// A frame that the stretch has opened.
struct Frame {
    func: FuncId,
    call: EdgeId,
    slots: Vec<Content>,
}

/// The numbers that an expression may still be, as numbers of a type.
struct Range {
    lo: i128,
    hi: i128,
    others: FxHashSet<i128>,
}

/// An execution from a state to the end of a stretch.
struct Recorder<'r, 'p> {
    code: &'r Compiled<'p>,
    targets: &'r [bool],
    state: &'r State,
    expressions: &'r mut Expressions,
    node: NodeId,
    length: u64,
    frames: Vec<Frame>,
    /// The slots that were written, apart from those of `frames`.
    written: BTreeMap<Slot, Content>,
    tests: Vec<(Test, bool)>,
    known: FxHashMap<(Id, IntInfo), Range>,
    /// The slots of the state that were read.
    read: BTreeSet<Slot>,
}

/// Records the stretch that begins at a state. It ends before a choice, before an edge that is a target, before everything that needs more than numbers in slots, and at the next head of a loop.
pub(super) fn record(code: &Compiled<'_>, targets: &[bool], expressions: &mut Expressions, state: &State) -> Recorded {
    let mut recorder = Recorder {
        code,
        targets,
        state,
        expressions,
        node: state.node,
        length: 0,
        frames: Vec::new(),
        written: BTreeMap::new(),
        tests: Vec::new(),
        known: FxHashMap::default(),
        read: BTreeSet::new(),
    };
    while recorder.length < LONGEST && recorder.step().is_ok() {
        recorder.length += 1;
        if code.node(recorder.node).loop_head {
            break;
        }
    }
    recorder.end()
}

impl Recorder<'_, '_> {
    /// One step. If it fails, nothing has changed.
    fn step(&mut self) -> Result<(), End> {
        match &self.code.node(self.node).next {
            Next::Leave => self.leave(),
            Next::Stuck | Next::Edges(_) => Err(End),
            Next::Branch(condition, scalar, ends) => {
                let truth = self.truth(condition, *scalar)?;
                let (edge, to) = ends[usize::from(truth.bits == 0)];
                self.passes(edge)?;
                self.test(truth);
                self.node = to;
                Ok(())
            }
            Next::Edge(edge) => {
                self.passes(edge.id)?;
                self.edge(edge)
            }
        }
    }

    fn passes(&self, edge: EdgeId) -> Result<(), End> {
        if self.targets[edge.index()] { Err(End) } else { Ok(()) }
    }

    fn edge(&mut self, edge: &EdgeCode) -> Result<(), End> {
        match &edge.action {
            Action::Nop => {}
            Action::Assume(condition, scalar, wanted) => {
                let truth = self.truth(condition, *scalar)?;
                if (truth.bits != 0) != *wanted {
                    return Err(End);
                }
                self.test(truth);
            }
            Action::Assign(Dest::Slot(slot, Scalar::Int(_), None), Source::Scalar(code, _)) => {
                let number = self.number(code)?;
                self.set(*slot, Content::Number(number));
            }
            Action::Zero(Dest::Slot(slot, Scalar::Int(_), None)) => {
                let zero = self.bits(0);
                self.set(*slot, Content::Number(zero));
            }
            Action::Havoc(places) => {
                if !places
                    .iter()
                    .all(|place| matches!(place, Dest::Slot(_, Scalar::Int(_), None)))
                {
                    return Err(End);
                }
                for place in places {
                    if let Dest::Slot(slot, ..) = place {
                        self.set(*slot, Content::Unknown);
                    }
                }
            }
            Action::Call(call) => return self.enter(edge.id, call),
            _ => return Err(End),
        }
        self.node = edge.to;
        Ok(())
    }

    fn enter(&mut self, edge: EdgeId, call: &Call) -> Result<(), End> {
        let shape = self.code.frame(call.callee);
        if self.frames.len() >= DEEPEST || !shape.objects.is_empty() {
            return Err(End);
        }
        let mut slots = vec![Content::Unknown; shape.slots];
        for (source, dest) in &call.args {
            let (Source::Scalar(code, _), Dest::Slot(Slot::Local(at), Scalar::Int(_), None)) = (source, dest) else {
                return Err(End);
            };
            slots[*at] = Content::Number(self.number(code)?);
        }
        self.frames.push(Frame {
            func: call.callee,
            call: edge,
            slots,
        });
        self.node = self.code.program.function(call.callee).entry;
        Ok(())
    }

    fn leave(&mut self) -> Result<(), End> {
        let Some(frame) = self.frames.last() else {
            return Err(End);
        };
        let id = frame.call;
        let edge = match &self.code.node(self.code.program.edge(id).from).next {
            Next::Edge(edge) => edge,
            _ => return Err(End),
        };
        let Action::Call(call) = &edge.action else {
            unreachable!("a frame comes from a call");
        };
        let result = match &call.ret {
            None => None,
            Some((source, Dest::Slot(slot, Scalar::Int(_), None))) => Some((
                *slot,
                match source {
                    Some(Source::Scalar(code, _)) => Content::Number(self.number(code)?),
                    Some(_) => return Err(End),
                    None => Content::Unknown,
                },
            )),
            Some(_) => return Err(End),
        };
        self.frames.pop();
        if let Some((slot, content)) = result {
            self.set(slot, content);
        }
        self.node = edge.to;
        Ok(())
    }

    // ---- slots --------------------------------------------------------------------------------------------------------

    fn set(&mut self, slot: Slot, content: Content) {
        match (slot, self.frames.last_mut()) {
            (Slot::Local(at), Some(frame)) => frame.slots[at] = content,
            _ => {
                self.written.insert(slot, content);
            }
        }
    }

    fn slot(&mut self, slot: Slot) -> Result<Number, End> {
        let known = match (slot, self.frames.last()) {
            (Slot::Local(at), Some(frame)) => Some(frame.slots[at]),
            _ => self.written.get(&slot).copied(),
        };
        match known {
            Some(Content::Number(number)) => Ok(number),
            Some(Content::Unknown) => Err(End),
            None => {
                let bits = content(self.state, slot).ok_or(End)?;
                self.read.insert(slot);
                self.expression(Expression::Slot(slot), bits, 0)
            }
        }
    }

    // ---- values -------------------------------------------------------------------------------------------------------

    fn bits(&mut self, bits: u64) -> Number {
        let id = self.expressions.of(Expression::Bits(bits));
        Number { bits, id, depth: 0 }
    }

    fn expression(&mut self, expression: Expression, bits: u64, depth: u32) -> Result<Number, End> {
        if depth > MAX_DEPTH {
            return Err(End);
        }
        let id = self.expressions.of(expression);
        Ok(Number { bits, id, depth })
    }

    /// Whether the number is one whatever the state was.
    fn is_constant(&self, number: Number) -> bool {
        matches!(self.expressions.get(number.id), Expression::Bits(_))
    }

    fn number(&mut self, code: &Code) -> Result<Number, End> {
        match code {
            Code::Bits(bits) => Ok(self.bits(*bits)),
            Code::Slot(slot, Scalar::Int(_)) => self.slot(*slot),
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
            _ => Err(End),
        }
    }

    fn binary(&mut self, op: BinOp, a: Number, b: Number, info: IntInfo, right: IntInfo) -> Result<Number, End> {
        // An operation that C leaves undefined in another state is for the machine.
        let is_total = match op {
            BinOp::Div | BinOp::Rem => self.is_constant(b) && b.bits != mask(right.width),
            BinOp::Shl | BinOp::Shr => self.is_constant(b) && b.bits < u64::from(info.width),
            _ => true,
        };
        if !is_total {
            return Err(End);
        }
        let bits = arith::binary(op, a.bits, b.bits, info, right).ok_or(End)?;
        self.made(&[a, b], Expression::Binary(op, a.id, b.id, info, right), bits)
    }

    /// The value of an operation: a constant if all of its operands are.
    fn made(&mut self, operands: &[Number], expression: Expression, bits: u64) -> Result<Number, End> {
        if operands.iter().all(|operand| self.is_constant(*operand)) {
            return Ok(self.bits(bits));
        }
        let depth = operands.iter().map(|operand| operand.depth).max().unwrap_or(0);
        self.expression(expression, bits, depth + 1)
    }

    /// A number that is zero if the condition is false.
    fn truth(&mut self, code: &Code, scalar: Scalar) -> Result<Number, End> {
        match scalar {
            Scalar::Int(_) => self.number(code),
            _ => Err(End),
        }
    }

    // ---- tests --------------------------------------------------------------------------------------------------------

    /// Notes that a number is, or is not, zero.
    fn test(&mut self, truth: Number) {
        let (id, holds) = self.stripped(truth);
        let (left, constant, info, op) = match self.expressions.get(id) {
            Expression::Bits(_) => return,
            Expression::Binary(op, a, b, info, _) if is_comparison(op) => {
                match (self.expressions.get(a), self.expressions.get(b)) {
                    (_, Expression::Bits(bits)) => (a, bits, info, op),
                    (Expression::Bits(bits), _) => (b, bits, info, mirrored(op)),
                    _ => return self.ask(id, holds),
                }
            }
            _ => return self.ask(id, holds),
        };
        // Equal, or at most; or its opposite.
        let value = number(constant, info);
        let (is_equation, limit, positive) = match op {
            BinOp::Eq => (true, value, true),
            BinOp::Ne => (true, value, false),
            BinOp::Le => (false, value, true),
            BinOp::Lt => (false, value - 1, true),
            BinOp::Gt => (false, value, false),
            _ => (false, value - 1, false),
        };
        let answer = holds == positive;
        let range = self.known.entry((left, info)).or_insert_with(|| {
            let (lo, hi) = bounds(info);
            let others = FxHashSet::default();
            Range { lo, hi, others }
        });
        let follows = match is_equation {
            true if limit < range.lo || limit > range.hi || range.others.contains(&limit) => true,
            true => range.lo == range.hi,
            false => range.hi <= limit || limit < range.lo,
        };
        if follows {
            return;
        }
        match (is_equation, answer) {
            (true, true) => (range.lo, range.hi) = (limit, limit),
            (true, false) => {
                range.others.insert(limit);
            }
            (false, true) => range.hi = limit,
            (false, false) => range.lo = limit + 1,
        }
        while range.others.contains(&range.lo) {
            range.lo += 1;
        }
        while range.others.contains(&range.hi) {
            range.hi -= 1;
        }
        let test = match self.expressions.get(left) {
            Expression::Slot(slot) if is_equation => Test::Is(slot, constant),
            Expression::Slot(slot) => {
                let flip = if info.signed { 1 << (info.width - 1) } else { 0 };
                Test::AtMost(slot, flip, pattern(limit, info) ^ flip)
            }
            _ => {
                let bits = self.expressions.of(Expression::Bits(pattern(limit, info)));
                let op = if is_equation { BinOp::Eq } else { BinOp::Le };
                Test::Holds(self.expressions.of(Expression::Binary(op, left, bits, info, info)))
            }
        };
        self.tests.push((test, answer));
    }

    /// A truth value without negations and conversions, and whether it holds.
    fn stripped(&self, truth: Number) -> (Id, bool) {
        let (mut id, mut holds) = (truth.id, truth.bits != 0);
        loop {
            match self.expressions.get(id) {
                Expression::IsZero(inner) => (id, holds) = (inner, !holds),
                Expression::Convert(inner, from, to) if to.width == 1 || to.width >= from.width => id = inner,
                Expression::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b, ..)
                    if self.expressions.get(b) == Expression::Bits(0) && self.is_truth(a) =>
                {
                    (id, holds) = (a, holds != (op == BinOp::Eq));
                }
                _ => return (id, holds),
            }
        }
    }

    fn is_truth(&self, id: Id) -> bool {
        match self.expressions.get(id) {
            Expression::IsZero(_) => true,
            Expression::Binary(op, ..) => is_comparison(op),
            Expression::Convert(inner, _, to) => to.width == 1 || self.is_truth(inner),
            _ => false,
        }
    }

    /// Records a test that says nothing about others than itself.
    fn ask(&mut self, id: Id, holds: bool) {
        let truth = IntInfo {
            width: 1,
            signed: false,
        };
        let range = self.known.entry((id, truth)).or_insert_with(|| Range {
            lo: 0,
            hi: 1,
            others: FxHashSet::default(),
        });
        if range.lo == range.hi {
            return;
        }
        (range.lo, range.hi) = (holds.into(), holds.into());
        self.tests.push((Test::Holds(id), holds));
    }

    // ---- the end ------------------------------------------------------------------------------------------------------

    fn effect(&self, content: Content) -> Effect {
        match content {
            Content::Unknown => Effect::Unknown,
            Content::Number(number) => match self.expressions.get(number.id) {
                Expression::Bits(bits) => Effect::Bits(bits),
                _ => Effect::Expression(number.id),
            },
        }
    }

    fn end(self) -> Recorded {
        let changes = self.written.iter().filter_map(|(&slot, &content)| {
            let is_kept =
                matches!(content, Content::Number(number) if self.expressions.get(number.id) == Expression::Slot(slot));
            (!is_kept).then(|| (slot, self.effect(content)))
        });
        let frames = self.frames.iter().map(|frame| {
            let slots = frame.slots.iter().map(|content| self.effect(*content));
            (frame.func, frame.call, slots.collect())
        });
        Recorded {
            stretch: Stretch {
                end: self.node,
                length: self.length,
                reads: self.reads(),
                changes: changes.collect(),
                frames: frames.collect(),
            },
            tests: self.tests,
        }
    }

    /// The slots that were read, other than those that tests of their own ask about.
    fn reads(&self) -> Vec<Slot> {
        let tested: BTreeSet<Slot> = self
            .tests
            .iter()
            .filter_map(|(test, _)| match test {
                Test::Is(slot, _) | Test::AtMost(slot, ..) => Some(*slot),
                Test::Holds(_) => None,
            })
            .collect();
        self.read.difference(&tested).copied().collect()
    }
}

fn is_comparison(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne
    )
}
