//! Bytes that nothing has written, for the check that the program reads none.
//!
//! The machine asks for the contents of such bytes once, as for any input, and goes on. So it can tell them from others only if it keeps a list: a declaration without a value puts the bytes
//! of the variable on it, and so does the first read of memory that was allocated; a write takes bytes off it. A copy of a structure, of bytes, or of a character is no use: the copy is on
//! the list where the original is. This shares nothing with the shadows by which such reads are found.

use super::machine::Machine;
use super::source::RecordedInputs;
use super::store::Store;
use super::{Replay, Rule, way_on};
use crate::cfa::{Op, Program, Step};
use crate::frontend::text::source::Loc;
use std::collections::BTreeSet;

/// Operations behind a violation among which the read is looked for.
const FARTHEST: usize = 64;

/// Bytes on the list at most: each one costs some dozen bytes. The others count as written, so that a violation that reads them is not confirmed.
const MAX_BYTES: usize = 1 << 22;

/// The list.
pub(super) struct Unwritten {
    bytes: BTreeSet<(Store, u64)>,
    /// The place of the read that is looked for.
    at: Loc,
    /// Whether such bytes were read there.
    found: bool,
    /// Whether reads are parts of a copy.
    pub copies: bool,
}

impl Unwritten {
    /// An empty list. `at`: the place of the read that is looked for.
    pub fn new(at: Loc) -> Unwritten {
        Unwritten {
            bytes: BTreeSet::new(),
            at,
            found: false,
            copies: false,
        }
    }

    pub fn begin(&mut self, store: Store, address: u64, size: u64) {
        let end = address.saturating_add(size);
        let room = MAX_BYTES.saturating_sub(self.bytes.len());
        self.bytes.extend((address..end).take(room).map(|at| (store, at)));
    }

    pub fn written(&mut self, store: Store, address: u64, size: u64) {
        for byte in self.among(store, address, size) {
            self.bytes.remove(&(store, address + byte));
        }
    }

    pub fn read(&mut self, store: Store, address: u64, size: u64, loc: Loc) {
        self.found |= !self.copies && loc == self.at && !self.among(store, address, size).is_empty();
    }

    /// The bytes of a range that are on the list, as offsets.
    pub fn among(&self, store: Store, address: u64, size: u64) -> Vec<u64> {
        let end = address.saturating_add(size);
        let bytes = self.bytes.range((store, address)..(store, end));
        bytes.map(|(_, at)| at - address).collect()
    }
}

/// Whether the execution of a violation goes on with an operation at a place that reads bytes that nothing has written.
pub fn reads_unwritten(program: &Program, steps: &[Step], replay: &Replay, at: Loc) -> bool {
    let mut source = RecordedInputs::new(&replay.asked, &replay.allocations);
    let mut machine = Machine::new(program, &mut source, Rule::default());
    machine.unwritten = Some(Unwritten::new(at));
    for (number, &step) in steps.iter().enumerate() {
        machine.step = number;
        if machine.execute(step).is_err() {
            return false;
        }
    }
    let is_found = |machine: &Machine<'_, '_>| machine.unwritten.as_ref().is_some_and(|list| list.found);
    // A read at this place before the violation is not the one.
    if let Some(list) = &mut machine.unwritten {
        list.found = false;
    }
    let Some(mut node) = steps.last().map(|step| step.target(program)) else {
        return false;
    };
    for number in steps.len()..steps.len() + FARTHEST {
        machine.step = number;
        if let Some(&next) = program.node(node).outgoing.first() {
            machine.loc = program.edge(next).loc;
        }
        let next = way_on(program, &mut machine, node);
        if is_found(&machine) {
            return true;
        }
        let Ok(Some(edge)) = next else { return false };
        let step = match program.edge(edge).op {
            Op::Call { .. } => Step::Enter(edge),
            _ => Step::Edge(edge),
        };
        let done = machine.execute(step);
        if is_found(&machine) {
            return true;
        }
        if done.is_err() {
            return false;
        }
        node = step.target(program);
    }
    false
}
