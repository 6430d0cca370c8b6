//! The machine: a state on one path, with a guide that decides where several steps are possible.
//!
//! Everything that one step leaves open (a condition on symbols, whether an allocation fails, which piece of a wrapping sum is meant)
//! is a *choice* between a few alternatives, numbered from 0. A machine that [explores](Guide::Explore) takes the first and notes the state
//! from which the others have to be tried; one that [follows](Guide::Follow) is given all choices of a path and records steps and
//! inputs.
//!
//! A step must not change the state before its last choice, other than by giving symbols to unknown values: the alternatives begin with the
//! same step again. [`Machine::commit`] marks the point from which a choice is an error.

use crate::explicit::Value;
use crate::explicit::compiled::code::ObjectId;
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::state::State;
use crate::explicit::step::record::{Origin, Recorder};
use crate::explicit::value::arith::{low_bits, mask};
use crate::explicit::value::symbol::SymbolId;
use crate::frontend::types::IntInfo;
use std::collections::VecDeque;
use std::rc::Rc;

/// Why a path does not go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halt {
    /// No execution goes this way.
    Blocked,
    /// It does something that is not modelled.
    Unmodelled(&'static str),
    /// The guide does not say how to go on.
    Unguided,
}

/// Another way to go on: the state, and the choices in its next step.
#[derive(Clone, Debug)]
pub struct Alternative {
    /// Where it begins.
    pub state: Rc<State>,
    /// The choices of the step so far, this one last.
    pub choices: Vec<u8>,
}

/// The source of decisions.
pub enum Guide {
    /// The first alternative is taken, the others are noted.
    Explore(Vec<Alternative>),
    /// The alternatives are given.
    Follow(Recorder),
}

/// A state on its way.
pub struct Machine<'c, 'p> {
    /// The program.
    pub code: &'c Compiled<'p>,
    /// Where it is.
    pub state: State,
    /// The source of decisions.
    pub guide: Guide,
    /// Choices that are given for the steps to come.
    pub given: VecDeque<u8>,
    /// The choices of this step so far.
    pub made: Vec<u8>,
    /// Where this step began, if it had a choice.
    start: Option<Rc<State>>,
    committed: bool,
    /// Whether there was a choice since this was last set to false.
    pub open: bool,
    /// Whether something unknown was read so far.
    pub inputs: bool,
    /// Whether unknown pointers that are followed are taken to point to objects of their own.
    pub imagines: bool,
    /// Whether that has happened.
    pub imagined: bool,
    /// Whether values are forgotten on the way, addresses among them.
    pub forgets: bool,
    /// The cost of questions about all objects, in steps; the caller that counts steps takes it away.
    pub effort: u64,
}

impl<'c, 'p> Machine<'c, 'p> {
    /// A machine at a state.
    pub fn new(code: &'c Compiled<'p>, state: State, guide: Guide) -> Self {
        Machine {
            code,
            state,
            guide,
            given: VecDeque::new(),
            made: Vec::new(),
            start: None,
            committed: false,
            open: false,
            inputs: false,
            imagines: false,
            imagined: false,
            forgets: false,
            effort: 0,
        }
    }

    /// Begins a step.
    pub fn begin(&mut self) {
        self.made.clear();
        self.start = None;
        self.committed = false;
    }

    /// From here on the step has no more choices.
    pub fn commit(&mut self) {
        self.committed = true;
    }

    /// One of `count` alternatives.
    ///
    /// # Errors
    /// Fails if there is no decision.
    pub fn choose(&mut self, count: u8) -> Result<u8, Halt> {
        if self.committed {
            return Err(Halt::Unmodelled("a choice in the middle of a step"));
        }
        self.open = true;
        if matches!(self.guide, Guide::Explore(_)) && self.start.is_none() {
            self.start = Some(Rc::new(self.state.clone()));
        }
        if let Some(given) = self.given.pop_front() {
            self.made.push(given);
            return if given < count { Ok(given) } else { Err(Halt::Unguided) };
        }
        let Guide::Explore(alternatives) = &mut self.guide else {
            return Err(Halt::Unguided);
        };
        let start = self.start.as_ref().expect("it was noted at the step's first choice");
        for other in (1..count).rev() {
            let mut choices = self.made.clone();
            choices.push(other);
            alternatives.push(Alternative {
                state: Rc::clone(start),
                choices,
            });
        }
        self.made.push(0);
        Ok(0)
    }

    /// A new symbol.
    fn symbol(&mut self, info: IntInfo) -> Result<SymbolId, Halt> {
        let id = SymbolId::new(self.state.symbols, info).ok_or(Halt::Unmodelled("too many symbols"))?;
        self.state.symbols += 1;
        Ok(id)
    }

    /// An unknown value of an integer type that comes from somewhere.
    pub fn input(&mut self, info: IntInfo, origin: Origin) -> Result<Value, Halt> {
        self.inputs = true;
        let id = self.symbol(info)?;
        let value = Value::Symbol { id, plus: 0 };
        self.record(origin, value, info);
        Ok(value)
    }

    /// Records where a value came from, if the guide does that.
    pub fn record(&mut self, origin: Origin, value: Value, info: IntInfo) {
        if let Guide::Follow(recorder) = &mut self.guide {
            recorder.input(self.code, &self.state, origin, value, info);
        }
    }

    /// Any value of an integer type within an interval: no input decides it.
    pub fn any_within(&mut self, info: IntInfo, lo: i128, hi: i128) -> Result<Value, Halt> {
        self.state.inexact = true;
        let id = self.symbol(info)?;
        if !self.state.facts.restrict(id, lo, hi) {
            // Some value there must be: never is a path given up for a lack of them.
            return Err(Halt::Unmodelled("a result outside of its type"));
        }
        Ok(Value::Symbol { id, plus: 0 })
    }

    /// Any value of an integer type.
    pub fn any(&mut self, info: IntInfo) -> Result<Value, Halt> {
        let (lo, hi) = crate::explicit::value::arith::bounds(info);
        self.any_within(info, lo, hi)
    }

    /// Whether unknown values get names where they arise: inputs have to be recorded with their step.
    pub fn is_eager(&self) -> bool {
        !matches!(self.guide, Guide::Explore(_))
    }

    /// The number `symbol + constant` that a value of a type is, as its constant: a wrapping sum is split into its pieces. `None` if it has too
    /// many.
    pub fn linear(&mut self, id: SymbolId, plus: u64, info: IntInfo) -> Result<Option<i128>, Halt> {
        use crate::explicit::value::symbol::Linear;
        match self.state.facts.linear(id, plus, info) {
            Linear::Exact(constant) => Ok(Some(constant)),
            Linear::Many => Ok(None),
            Linear::Cut(cut) => {
                let (lo, hi) = self.state.facts.range(id);
                let (lo, hi) = if self.choose(2)? == 0 { (lo, cut) } else { (cut + 1, hi) };
                if !self.state.facts.restrict(id, lo, hi) {
                    return Err(Halt::Blocked);
                }
                match self.state.facts.linear(id, plus, info) {
                    Linear::Exact(constant) => Ok(Some(constant)),
                    _ => unreachable!("each piece is linear"),
                }
            }
        }
    }

    /// The value with its symbol settled.
    pub fn settled(&self, value: Value, width: u32) -> Value {
        match value {
            Value::Symbol { .. } if !self.state.facts.is_empty() => self.state.settled(value, width),
            _ => value,
        }
    }

    /// A value of one type as one of another.
    pub fn convert(&mut self, value: Value, from: IntInfo, to: IntInfo) -> Result<Value, Halt> {
        match self.settled(value, from.width) {
            Value::Bits(bits) => Ok(Value::Bits(crate::explicit::value::arith::convert(bits, from, to))),
            Value::Unknown => self.any(to),
            pointer @ Value::Pointer { .. } => {
                if to.width == self.code.pointer.width && from.width == to.width {
                    Ok(pointer)
                } else {
                    self.any(to)
                }
            }
            Value::Symbol { id, plus } if to.width <= from.width => Ok(Value::Symbol {
                id,
                plus: plus & mask(to.width),
            }),
            Value::Symbol { id, plus } => match self.linear(id, plus, from)? {
                Some(constant) => {
                    let plus = low_bits(constant) & mask(to.width);
                    Ok(self.settled(Value::Symbol { id, plus }, to.width))
                }
                None => self.widened(Value::Symbol { id, plus }, from, to),
            },
        }
    }

    /// The bytes of a live object from an offset on; `None` if the object is dead or the offset outside.
    pub fn room(&self, object: ObjectId, offset: u64) -> Option<u64> {
        self.state.object(object)?.size.checked_sub(offset)
    }
}
