//! The requests of an execution to its source of inputs, and the reasons to stop.

use crate::cfa::VarId;
use crate::engine::Confirmation;
use crate::frontend::text::source::Loc;
use crate::frontend::types::float::Format;
use provident_smt::num::Int;

use super::value::InputId;

/// Why an execution cannot go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The program does not take the step that the path claims.
    Refuted(String),
    /// The behaviour is undefined, or the machine cannot carry it out.
    Undefined {
        /// The undefined behaviour, with its place.
        reason: String,
        /// The input that a pointer is an offset of, if an access through it is what happened.
        origin: Option<InputId>,
    },
}

impl Stop {
    pub(super) fn undefined(reason: String) -> Stop {
        Stop::Undefined { reason, origin: None }
    }
}

/// A value that an execution needs and the program does not determine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Request {
    /// A scalar that the step writes: by a havoc, an external call, or inline assembly.
    Written {
        /// The step.
        step: usize,
        /// Bytes from the start of the place that is written.
        offset: u64,
        /// The address, if the place lies in memory.
        address: Option<u64>,
    },
    /// The content of memory that is read and that nothing has written.
    Memory {
        /// The step.
        step: usize,
        /// The address of the first byte.
        address: u64,
        /// The number of bytes.
        size: u64,
    },
    /// The content of a plain variable that is read and that nothing has written.
    Variable {
        /// The step.
        step: usize,
        /// The variable.
        var: VarId,
        /// Bytes from its start.
        offset: u64,
        /// The number of bytes.
        size: u64,
    },
    /// The address that an allocation gives; 0 lets it fail where it may.
    Allocated {
        /// The step.
        step: usize,
    },
}

/// Where inputs come from.
pub trait InputSource {
    /// The value for a request, modulo 2^width of its type; `None` if it does not matter. Called once per request, in the
    /// order of the execution.
    fn supply(&mut self, request: &Request) -> Option<Int>;

    /// The size of the scalar that the source knows at an address, for reads that have no type (`memcpy`).
    fn size_at(&self, step: usize, address: u64) -> Option<u64>;
}

/// An input that an execution asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The request.
    pub request: Request,
    /// The step that needed it.
    pub step: usize,
    /// The place of that step.
    pub loc: Loc,
    /// The source of the value, e.g. `__VERIFIER_nondet_int()`.
    pub what: String,
    /// The value, as decimal text.
    pub value: String,
    /// The value's lowest 64 bits.
    pub bits: u64,
    /// The whole bit pattern, zero-extended.
    pub pattern: u128,
    /// The number of bytes.
    pub size: u64,
    /// Whether an object outside of the program was assumed behind it.
    pub trusted: bool,
    /// Whether it came from the environment, whose pointers may point to objects of its own.
    pub outside: bool,
    /// The format of a floating-point value.
    pub format: Option<Format>,
}

/// The judgement of a replay.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// The program takes the path.
    Confirmed,
    /// The program leaves the path.
    Refuted {
        /// The step, as a position in the path.
        step: usize,
        /// Why, with the place in the source.
        reason: String,
    },
    /// The execution has no defined behaviour up to the violation.
    Undefined {
        /// The step, as a position in the path.
        step: usize,
        /// Why, with the place in the source.
        reason: String,
    },
}

/// The judgement as the engine needs it.
impl From<Judgement> for Confirmation {
    fn from(judgement: Judgement) -> Confirmation {
        match judgement {
            Judgement::Confirmed => Confirmation::Confirmed,
            Judgement::Refuted { reason, .. } => Confirmation::Refuted(reason),
            Judgement::Undefined { reason, .. } => Confirmation::Undefined(reason),
        }
    }
}

/// An allocation of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// The step.
    pub step: usize,
    /// The address of the object; 0 if the allocation failed.
    pub address: u64,
    /// The number of bytes asked for.
    pub size: u64,
}
