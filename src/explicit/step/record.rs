//! The inputs of a path, noted while it is walked.

use crate::cfa::{HEAP_BASE, Step};
use crate::explicit::Value;
use crate::explicit::compiled::code::ObjectId;
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::state::State;
use crate::explicit::value::memo::Application;
use crate::explicit::value::symbol::SymbolId;
use crate::frontend::types::IntInfo;
use provident_smt::hash::FxHashMap;

/// Where an unknown value comes from.
#[derive(Clone, Copy, Debug)]
pub enum Origin {
    /// The step writes it: to a plain variable, or to memory (object, offset, size).
    Written(Option<(ObjectId, u64, u64)>),
    /// It is read from memory that nothing has written.
    Read(ObjectId, u64, u64),
    /// It is read from a plain variable that nothing has written.
    Variable,
    /// It is the result of an allocation.
    Allocated,
}

/// The place that takes an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputKind {
    /// A plain variable.
    Variable,
    /// Memory that the step writes: address and size.
    Written(u64, u64),
    /// Memory that the step reads: address and size.
    Read(u64, u64),
    /// An allocation: 0 if it fails.
    Allocated,
}

/// A value on a path that the program does not determine.
#[derive(Clone, Copy, Debug)]
pub(in crate::explicit) struct Recorded {
    pub(in crate::explicit) step: usize,
    pub(in crate::explicit) kind: InputKind,
    pub(in crate::explicit) value: Value,
    pub(in crate::explicit) info: IntInfo,
}

/// Collects steps and inputs of a path.
#[derive(Default)]
pub struct Recorder {
    /// The steps so far.
    pub steps: Vec<Step>,
    pub(in crate::explicit) inputs: Vec<Recorded>,
    /// The functions that were applied to symbols, and their results.
    pub(in crate::explicit) functions: Vec<(Application, SymbolId)>,
    /// Where the heap has the objects.
    pub(in crate::explicit) heap: FxHashMap<ObjectId, u64>,
    /// Bytes of the heap that are used.
    pub(in crate::explicit) used: u64,
}

impl Recorder {
    /// Notes a new heap object. Addresses are handed out as [`crate::cfa::Op::Allocate`] says.
    pub fn allocated(&mut self, object: ObjectId, size: u64) {
        let address = HEAP_BASE + self.used;
        self.heap.insert(object, address);
        self.used = ((address + size + 31) & !15) - HEAP_BASE;
    }

    /// Notes an input of the step that is being taken.
    pub fn input(&mut self, code: &Compiled<'_>, state: &State, origin: Origin, value: Value, info: IntInfo) {
        let address = |id: ObjectId| self.heap.get(&id).copied().or_else(|| state.address(code, id));
        let kind = match origin {
            Origin::Written(None) => InputKind::Variable,
            Origin::Allocated => InputKind::Allocated,
            Origin::Written(Some((object, offset, size))) => match address(object) {
                Some(address) => InputKind::Written(address + offset, size),
                None => return,
            },
            Origin::Read(object, offset, size) => match address(object) {
                Some(address) => InputKind::Read(address + offset, size),
                None => return,
            },
            // Nobody can choose it.
            Origin::Variable => return,
        };
        self.inputs.push(Recorded {
            step: self.steps.len(),
            kind,
            value,
            info,
        });
    }

    /// Notes a result without an exact form.
    pub fn applied(&mut self, application: Application, result: SymbolId) {
        self.functions.push((application, result));
    }

    /// Whether the path has no input at all so far.
    pub fn is_closed(&self) -> bool {
        self.inputs.is_empty()
    }
}
