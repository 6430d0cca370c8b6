//! The machine: one loop over the instructions.
//!
//! | module | does |
//! |---|---|
//! | `frames` | frames, and how they are entered and left |
//! | `inputs` | chosen inputs, and their record |
//! | `tracked` | which heap objects are lost |

mod frames;
mod inputs;
mod tracked;

pub use inputs::{Chosen, Taken};
pub use tracked::Questions;

use super::code::{At, Form, Ins};
use super::compile::Code;
use super::memory::{Kind, Memory, Pointer};
use super::operations::{
    BY_ZERO, amount, converted, divided, float32, float64, norm_s, norm_u, test, test_pointers, truncated,
};
use super::repeat::{Anchor, FIRST, Present};
use super::{Stop, Wanted};
use crate::cfa::{EdgeId, FuncId, Program, Step, Watcher};
use crate::frontend::types::float::Format;
use inputs::Inputs;
use std::collections::BTreeSet;

/// Frames that may be open at once.
const DEEPEST: usize = 1 << 20;

/// Why the machine pauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// It takes an edge of interest.
    Target(EdgeId),
    /// The execution is over, or goes round for ever.
    Complete,
    /// The steps are used up.
    Exhausted,
    /// The question was asked for whose answer it runs ([`Questions::Only`]): whether no heap object is lost.
    Answer(bool),
    /// It cannot go on.
    Stopped(Stop),
}

/// A call that was entered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    func: u32,
    back: u32,
    /// Whether a frame of the function was put aside for it.
    again: bool,
    /// Objects of the frames below.
    blocks: usize,
}

/// The size and contents of a function's frame, as far as each call needs them.
#[derive(Clone, Copy, Default)]
struct Room {
    base: usize,
    size: usize,
    /// Whether the registers are all there is to it: no flags, no objects.
    is_plain: bool,
}

/// An execution.
pub struct Execution<'p> {
    code: Code<'p>,
    present: Present,
    /// The frames of functions that have been called.
    rooms: Vec<Room>,
    /// How many frames of each function are open.
    active: Vec<u32>,
    at: usize,
    anchor: Option<Anchor>,
    /// Where the next anchor is dropped.
    next_anchor: u64,
    has_begun: bool,
    path: Vec<Step>,
    inputs: Inputs,
    /// The way in which questions whether all heap objects are tracked are answered.
    pub questions: Questions,
    /// How many of them were asked.
    pub asked: u64,
    /// Bytes and registers that were looked at for their answers.
    looked: u64,
    /// Steps taken.
    pub steps: u64,
}

impl<'p> Execution<'p> {
    /// The program before its first step, without the operations that track some watchers. If it is `traced`, its steps are recorded.
    ///
    /// # Errors
    /// The program is not for this machine.
    pub fn new(
        program: &'p Program,
        untracked: BTreeSet<Watcher>,
        wanted: &'p Wanted<'p>,
        traced: bool,
    ) -> Result<Execution<'p>, Stop> {
        Execution::with(program, untracked, wanted, traced, None)
    }

    /// The same, where the inputs of integer types are chosen. That the execution comes to its end says nothing of other ones.
    ///
    /// # Errors
    /// The program is not for this machine.
    pub fn with(
        program: &'p Program,
        untracked: BTreeSet<Watcher>,
        wanted: &'p Wanted<'p>,
        traced: bool,
        chosen: Option<Chosen>,
    ) -> Result<Execution<'p>, Stop> {
        let mut memory = Memory::new(program.types.data_model().pointer_bytes());
        if program.asks_for_contents() {
            memory.follow_contents();
        }
        let mut code = Code::new(program, untracked, wanted, traced, &mut memory)?;
        code.has_inputs = chosen.is_some();
        let mut execution = Execution {
            present: Present {
                registers: Vec::new(),
                frames: Vec::new(),
                aside: Vec::new(),
                blocks: Vec::new(),
                memory,
            },
            rooms: vec![Room::default(); program.functions.len()],
            active: vec![0; program.functions.len()],
            at: 0,
            anchor: None,
            // A state that comes again comes with other inputs.
            next_anchor: if chosen.is_some() { u64::MAX } else { FIRST },
            has_begun: false,
            path: Vec::new(),
            inputs: Inputs::new(chosen),
            questions: Questions::Unanswered,
            asked: 0,
            looked: 0,
            steps: 0,
            code,
        };
        execution.open(program.start)?;
        let entry = execution.code.entry(program.start);
        execution.at = entry as usize;
        execution.extend();
        Ok(execution)
    }

    /// The steps so far, if they are recorded.
    pub fn path(&self) -> &[Step] {
        &self.path
    }

    /// The same, when the execution is not needed any more.
    pub fn into_path(self) -> Vec<Step> {
        self.path
    }

    /// Makes room for a path of so many steps.
    pub fn expect_steps(&mut self, steps: usize) {
        self.path.reserve_exact(steps.saturating_sub(self.path.len()));
    }

    /// The inputs so far, if steps are recorded.
    pub fn inputs(&self) -> &[Taken] {
        &self.inputs.taken
    }

    /// Whether the execution has asked for an input, so that it is one of several.
    pub fn has_asked(&self) -> bool {
        self.inputs.has_begun
    }

    /// Gives registers that came with new code their first values.
    fn extend(&mut self) {
        let known = self.present.registers.len();
        self.present.registers.extend_from_slice(&self.code.initial[known..]);
    }

    /// Makes the objects of a function's frame, and takes the values from its flags.
    pub fn run(&mut self, limit: u64) -> Event {
        loop {
            if self.steps >= limit {
                return Event::Exhausted;
            }
            if self.steps >= self.next_anchor {
                self.next_anchor = self.steps * 2;
                if let Some(anchor) = self.anchor.take() {
                    anchor.weigh(&mut self.code.ins);
                }
                self.anchor = Anchor::drop_at(&mut self.code.ins, self.at, &self.present);
                if let Some(anchor) = &self.anchor {
                    // The current state is the one that is remembered: it has yet to come back.
                    self.at = anchor.beside;
                }
            }
            let end = limit.min(self.next_anchor);
            match self.straight(end - self.steps) {
                Ok(Some(event)) => return event,
                Ok(None) => {}
                Err(stop) => return Event::Stopped(stop),
            }
        }
    }

    /// Runs for about this number of steps.
    fn straight(&mut self, steps: u64) -> Result<Option<Event>, Stop> {
        let mask = match self.code.program.types.data_model().pointer_bytes() {
            8 => u64::MAX,
            _ => u64::from(u32::MAX),
        };
        let budget = i64::try_from(steps).unwrap_or(i64::MAX);
        let mut left = budget;
        let mut at = self.at;
        let result = self.dispatch(&mut at, &mut left, mask);
        self.at = at;
        self.steps += u64::try_from(budget - left).expect("steps were taken");
        result
    }

    /// The loop. While it runs, registers and code are in local variables; after an error they are lost, and so is the execution.
    /// Long, as it is the interpreter: one arm for each instruction, in one function so that registers stay in registers of the machine.
    #[allow(clippy::too_many_lines, reason = "one arm for each instruction")]
    fn dispatch(&mut self, position: &mut usize, left: &mut i64, mask: u64) -> Result<Option<Event>, Stop> {
        let mut at = *position;
        let mut kept_registers = std::mem::take(&mut self.present.registers);
        let mut kept_code = std::mem::take(&mut self.code.ins);
        let mut registers = kept_registers.as_mut_slice();
        let mut code = kept_code.as_slice();
        macro_rules! get {
            ($register:expr) => {
                registers[$register as usize]
            };
        }
        macro_rules! set {
            ($register:expr, $value:expr) => {{
                let value: u64 = $value;
                registers[$register as usize] = value;
            }};
        }
        // Gives registers and code back, and returns.
        macro_rules! pause {
            ($event:expr) => {{
                *position = at;
                self.present.registers = kept_registers;
                self.code.ins = kept_code;
                return Ok($event);
            }};
        }
        macro_rules! pair {
            ($register:expr) => {
                Pointer {
                    offset: get!($register),
                    tag: get!($register + 1) as u32,
                }
            };
        }
        macro_rules! offset {
            ($place:expr) => {{
                let At { o, i, scale, add, .. } = $place;
                let index = get!(i).wrapping_mul(u64::from(scale));
                get!(o)
                    .wrapping_add(index)
                    .wrapping_add(i64::from(add).cast_unsigned())
                    & mask
            }};
        }
        macro_rules! go {
            ($to:expr, $n:expr) => {{
                at = $to as usize;
                *left -= i64::from($n);
                if *left <= 0 {
                    pause!(None);
                }
            }};
        }
        loop {
            let ins = &code[at];
            at += 1;
            match *ins {
                Ins::Move { d, a } => set!(d, get!(a)),
                Ins::MovePair { d, a } => {
                    let (low, high) = (get!(a), get!(a + 1));
                    set!(d, low);
                    set!(d + 1, high);
                }
                Ins::NormS { d, a, s } => set!(d, norm_s(get!(a), s)),
                Ins::NormU { d, a, s } => set!(d, norm_u(get!(a), s)),
                Ins::AddS { d, a, b, s } => set!(d, norm_s(get!(a).wrapping_add(get!(b)), s)),
                Ins::AddU { d, a, b, s } => set!(d, norm_u(get!(a).wrapping_add(get!(b)), s)),
                Ins::SubS { d, a, b, s } => set!(d, norm_s(get!(a).wrapping_sub(get!(b)), s)),
                Ins::SubU { d, a, b, s } => set!(d, norm_u(get!(a).wrapping_sub(get!(b)), s)),
                Ins::MulS { d, a, b, s } => set!(d, norm_s(get!(a).wrapping_mul(get!(b)), s)),
                Ins::MulU { d, a, b, s } => set!(d, norm_u(get!(a).wrapping_mul(get!(b)), s)),
                Ins::DivS { d, a, b, s } => set!(d, divided(get!(a), get!(b), s)?.0),
                Ins::RemS { d, a, b, s } => set!(d, divided(get!(a), get!(b), s)?.1),
                Ins::DivU { d, a, b } => set!(d, get!(a).checked_div(get!(b)).ok_or(BY_ZERO)?),
                Ins::RemU { d, a, b } => set!(d, get!(a).checked_rem(get!(b)).ok_or(BY_ZERO)?),
                Ins::And { d, a, b } => set!(d, get!(a) & get!(b)),
                Ins::Or { d, a, b } => set!(d, get!(a) | get!(b)),
                Ins::Xor { d, a, b } => set!(d, get!(a) ^ get!(b)),
                Ins::ShlS { d, a, b, s } => {
                    let value = get!(a);
                    set!(d, norm_s(value << amount(value, get!(b), s)?, s));
                }
                Ins::ShlU { d, a, b, s } => {
                    let value = get!(a);
                    set!(d, norm_u(value << amount(value, get!(b), s)?, s));
                }
                Ins::ShrS { d, a, b, s } => {
                    let value = get!(a);
                    set!(d, (value.cast_signed() >> amount(value, get!(b), s)?).cast_unsigned());
                }
                Ins::ShrU { d, a, b, s } => {
                    let value = get!(a);
                    set!(d, value >> amount(value, get!(b), s)?);
                }
                Ins::Mad { d, a, b, k } => set!(d, get!(a).wrapping_add(get!(b).wrapping_mul(u64::from(k)))),
                Ins::Set { d, a, b, test: of } => set!(d, u64::from(test(of, get!(a), get!(b)))),
                Ins::Float32 { d, a, b, op } => {
                    let (x, y) = (get!(a), get!(b));
                    set!(d, float32(op, x, y));
                }
                Ins::Float64 { d, a, b, op } => {
                    let (x, y) = (get!(a), get!(b));
                    set!(d, float64(op, x, y));
                }
                Ins::Widen { d, a } => {
                    let value = f64::from(f32::from_bits(get!(a) as u32));
                    set!(
                        d,
                        match value.is_nan() {
                            true => converted(Format::Single, Format::Double, get!(a)),
                            false => value.to_bits(),
                        }
                    );
                }
                Ins::Narrow { d, a } => {
                    let value = f64::from_bits(get!(a)) as f32;
                    set!(
                        d,
                        match value.is_nan() {
                            true => converted(Format::Double, Format::Single, get!(a)),
                            false => u64::from(value.to_bits()),
                        }
                    );
                }
                Ins::FromInt { d, a, signed, wide } => {
                    let value = get!(a);
                    set!(
                        d,
                        match (wide, signed) {
                            (true, true) => (value.cast_signed() as f64).to_bits(),
                            (true, false) => (value as f64).to_bits(),
                            (false, true) => u64::from((value.cast_signed() as f32).to_bits()),
                            (false, false) => u64::from((value as f32).to_bits()),
                        }
                    );
                }
                Ins::ToInt { d, a, signed, wide, s } => {
                    let value = match wide {
                        true => f64::from_bits(get!(a)),
                        false => f64::from(f32::from_bits(get!(a) as u32)),
                    };
                    set!(d, truncated(value, signed, s)?);
                }
                Ins::Load { d, at: place, form } => {
                    let offset = offset!(place);
                    let tag = get!(place.t) as u32;
                    let memory = &self.present.memory;
                    let value = match form {
                        Form::S8 => i64::from(i8::from_le_bytes(memory.load(tag, offset)?)).cast_unsigned(),
                        Form::U8 => u64::from(u8::from_le_bytes(memory.load(tag, offset)?)),
                        Form::S16 => i64::from(i16::from_le_bytes(memory.load(tag, offset)?)).cast_unsigned(),
                        Form::U16 => u64::from(u16::from_le_bytes(memory.load(tag, offset)?)),
                        Form::S32 => i64::from(i32::from_le_bytes(memory.load(tag, offset)?)).cast_unsigned(),
                        Form::U32 => u64::from(u32::from_le_bytes(memory.load(tag, offset)?)),
                        Form::W64 => u64::from_le_bytes(memory.load(tag, offset)?),
                        Form::Truth => match u8::from_le_bytes(memory.load(tag, offset)?) {
                            truth @ (0 | 1) => u64::from(truth),
                            _ => return Err(Stop("a truth value that is neither 0 nor 1")),
                        },
                        Form::Half => {
                            let value = u64::from(u16::from_le_bytes(memory.load(tag, offset)?));
                            set!(d + 1, 0);
                            value
                        }
                        Form::W128 | Form::Extended12 | Form::Extended16 => {
                            let (low, high) = memory.load_wide(tag, offset, form == Form::W128)?;
                            set!(d + 1, high);
                            low
                        }
                        Form::Pointer => {
                            let pointer = memory.load_pointer(tag, offset)?;
                            set!(d + 1, u64::from(pointer.tag));
                            pointer.offset & mask
                        }
                    };
                    set!(d, value);
                }
                Ins::Store { a, at: place, form } => {
                    let offset = offset!(place);
                    let tag = get!(place.t) as u32;
                    let value = get!(a).to_le_bytes();
                    let memory = &mut self.present.memory;
                    match form {
                        Form::S8 | Form::U8 | Form::Truth => memory.store(tag, offset, [value[0]])?,
                        Form::S16 | Form::U16 => memory.store(tag, offset, [value[0], value[1]])?,
                        Form::S32 | Form::U32 => {
                            memory.store(tag, offset, [value[0], value[1], value[2], value[3]])?;
                        }
                        Form::W64 => memory.store(tag, offset, value)?,
                        Form::Pointer => {
                            memory.store_pointer(tag, offset, pair!(a))?;
                        }
                        Form::Half => memory.store(tag, offset, [value[0], value[1]])?,
                        Form::W128 => memory.store_wide(tag, offset, (get!(a), get!(a + 1)), 0)?,
                        Form::Extended12 => memory.store_wide(tag, offset, (get!(a), get!(a + 1)), 2)?,
                        Form::Extended16 => memory.store_wide(tag, offset, (get!(a), get!(a + 1)), 6)?,
                    }
                }
                Ins::Lea { d, at: place } => {
                    let (offset, tag) = (offset!(place), get!(place.t));
                    set!(d, offset);
                    set!(d + 1, tag);
                }
                Ins::LoadBits { d, p, bits } => {
                    let (first, width, s, signed) = self.code.bits[bits as usize];
                    let Pointer { offset, tag } = pair!(p);
                    let value = self.present.memory.load_bits(tag, offset, first, width)?;
                    set!(d, if signed { norm_s(value, s) } else { value });
                }
                Ins::StoreBits { a, p, bits } => {
                    let (first, width, s, _) = self.code.bits[bits as usize];
                    let Pointer { offset, tag } = pair!(p);
                    let value = norm_u(get!(a), s);
                    self.present.memory.store_bits(tag, offset, first, width, value)?;
                }
                Ins::Fill { p, byte, count } => {
                    let (pointer, byte) = (pair!(p), get!(byte).to_le_bytes()[0]);
                    let count = get!(count) & mask;
                    self.present.memory.fill(pointer, count, Some(byte))?;
                }
                Ins::Forget { p, count } => {
                    let (pointer, count) = (pair!(p), get!(count));
                    self.present.memory.fill(pointer, count, None)?;
                    self.inputs.forget(pointer, count, self.path.len());
                }
                Ins::Copy { p, q, count } => {
                    let (to, from, count) = (pair!(p), pair!(q), get!(count) & mask);
                    self.present.memory.copy(to, from, count)?;
                }
                Ins::Allocate { d, count, zero, heap } => {
                    let kind = if heap { Kind::Heap } else { Kind::Stack };
                    let tag = self.present.memory.create(get!(count), kind, zero)?;
                    if !heap {
                        self.present.blocks.push(tag);
                    }
                    set!(d, 0);
                    set!(d + 1, u64::from(tag));
                }
                Ins::Free { p } => {
                    let pointer = pair!(p);
                    let is_null = pointer.tag == 0 && pointer.offset == 0;
                    if !is_null {
                        if self.present.memory.kind(pointer) != Some(Kind::Heap) {
                            return Err(Stop("what is freed is no block"));
                        }
                        self.present.memory.end(pointer.tag);
                    }
                }
                Ins::EndBlock { p } => {
                    let pointer = pair!(p);
                    if (pointer.tag, pointer.offset) != (0, 0) {
                        self.end_block(pointer)?;
                    }
                }
                Ins::Size { d, p } => {
                    let pointer = pair!(p);
                    let size = match pointer {
                        Pointer { offset: 0, tag: 0 } => 0,
                        _ => self.present.memory.block_size(pointer)?,
                    };
                    set!(d, size);
                }
                Ins::Accessible { d, p, count, write } => {
                    let (pointer, count) = (pair!(p), get!(count));
                    set!(d, self.present.memory.is_accessible(pointer, count, write)?.into());
                }
                Ins::Written { d, p, count } => {
                    let (pointer, count) = (pair!(p), get!(count) & mask);
                    set!(d, self.present.memory.is_written(pointer, count).into());
                }
                Ins::Mark { p, count, written } => {
                    let (pointer, count) = (pair!(p), get!(count) & mask);
                    self.present.memory.mark(pointer, count, get!(written) != 0);
                }
                Ins::MarkAll { p, written } => {
                    let pointer = pair!(p);
                    self.present.memory.mark_behind(pointer, get!(written) != 0);
                }
                Ins::Releasable { d, p } => {
                    let pointer = pair!(p);
                    let is_null = pointer.tag == 0 && pointer.offset == 0;
                    let is_block = self.present.memory.kind(pointer) == Some(Kind::Heap);
                    set!(d, (is_null || is_block).into());
                }
                Ins::Tracked { d } => {
                    self.asked += 1;
                    let answer = match self.questions {
                        Questions::Unanswered => true,
                        Questions::Only(number) if number == self.asked => {
                            let answer = self.loses(registers)? == 0;
                            pause!(Some(Event::Answer(answer)));
                        }
                        Questions::Only(_) => true,
                        Questions::Each => self.loses(registers)? == 0,
                    };
                    set!(d, answer.into());
                }
                Ins::Released { d } => set!(d, self.present.memory.has_no_block().into()),
                Ins::General { d, op } => {
                    let general = &self.code.generals[op as usize];
                    let (low, high) = general.value(registers)?;
                    set!(d, low);
                    if general.has_pair() {
                        set!(d + 1, high);
                    }
                }
                Ins::TestPointers { d, p, q, test } => {
                    let (p, q) = (pair!(p), pair!(q));
                    set!(d, u64::from(test_pointers(&self.present.memory, p, q, test)?));
                }
                Ins::Distance { d, p, q, s, signed } => {
                    let (p, q) = (pair!(p), pair!(q));
                    if p.tag != q.tag {
                        return Err(Stop("the distance of two objects"));
                    }
                    let distance = p.offset.wrapping_sub(q.offset);
                    set!(
                        d,
                        if signed {
                            norm_s(distance, s)
                        } else {
                            norm_u(distance, s)
                        }
                    );
                }
                Ins::Number { d, p } => {
                    let pointer = pair!(p);
                    if pointer.tag != 0 {
                        return Err(Stop("the number of an address"));
                    }
                    set!(d, pointer.offset);
                }
                Ins::Input { d, asked } => set!(d, self.inputs.next(asked, self.path.len())?),
                Ins::Settle { at: place, asked } => {
                    let offset = offset!(place);
                    let tag = get!(place.t) as u32;
                    let size = u64::from(asked.width).div_ceil(8);
                    if self.present.memory.is_unwritten(tag, offset, size)? {
                        let value = self.inputs.content(asked, self.path.len(), (tag, offset))?;
                        self.present.memory.settle(tag, offset, size, value)?;
                    }
                }
                Ins::Known { a } => {
                    if get!(a) == 0 {
                        return Err(Stop::NO_VALUE);
                    }
                }
                Ins::Jump { to, n } => go!(to, n),
                Ins::If { test: of, a, b, to, n } => {
                    let next = if test(of, get!(a), get!(b)) { to as usize } else { at };
                    go!(next, n);
                }
                Ins::Enter { func, back } => {
                    if !self.enter_plain(func, back, registers) {
                        self.present.registers = kept_registers;
                        self.enter(func, back)?;
                        kept_registers = std::mem::take(&mut self.present.registers);
                        registers = kept_registers.as_mut_slice();
                    }
                }
                Ins::Go { func, n } => {
                    self.present.registers = kept_registers;
                    self.code.ins = kept_code;
                    let to = self.code.entry(FuncId(func));
                    // From now on it is a jump.
                    self.code.ins[at - 1] = Ins::Jump { to, n };
                    self.extend();
                    kept_registers = std::mem::take(&mut self.present.registers);
                    registers = kept_registers.as_mut_slice();
                    kept_code = std::mem::take(&mut self.code.ins);
                    code = kept_code.as_slice();
                    go!(to, n);
                }
                Ins::Leave { n } => match self.leave(registers) {
                    Some(back) => go!(back, n),
                    None => {
                        *left -= i64::from(n);
                        pause!(Some(Event::Complete));
                    }
                },
                Ins::Target { edge, n } => {
                    *left -= i64::from(n);
                    pause!(Some(Event::Target(EdgeId(edge))));
                }
                Ins::Step { edge, kind } => {
                    let edge = EdgeId(edge);
                    self.path.push(match kind {
                        0 => Step::Edge(edge),
                        1 => Step::Enter(edge),
                        _ => Step::Leave(edge),
                    });
                }
                Ins::End { n } => {
                    *left -= i64::from(n);
                    pause!(Some(Event::Complete));
                }
                Ins::Stop { why } => return Err(self.code.reasons[why as usize]),
                Ins::Anchor => {
                    self.present.registers = kept_registers;
                    let anchor = self.anchor.as_mut().expect("it was dropped here");
                    let is_back = anchor.is_back(&self.present);
                    at = anchor.beside;
                    kept_registers = std::mem::take(&mut self.present.registers);
                    registers = kept_registers.as_mut_slice();
                    if is_back {
                        pause!(Some(Event::Complete));
                    }
                }
            }
        }
    }
}
