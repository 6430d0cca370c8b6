//! Which heap objects are lost: those that no variable points into, directly or through other objects.
//!
//! The question stands behind each operation that may lose one, and an answer costs a look at all pointers that exist. But a lost object stays lost: nothing can point into it again. So
//! the answer to the last question of an execution is *no* if any answer was, and one look tells for a whole execution that nothing is lost ([`Questions::Only`]). Only if
//! something is, the execution is repeated with a look at [each](Questions::Each), to find the place.

use super::super::Stop;
use super::super::layout::{Class, leaves};
use super::super::memory::{Kind, Pointer};
use super::Execution;
use crate::cfa::{FuncId, VarId};
use provident_smt::hash::FxHashSet;

/// Bytes and registers that an execution may look at for answers.
const MOST_LOOKED: u64 = 1 << 30;

/// The questions of an execution whether all heap objects are tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Questions {
    /// Each gets the answer yes, whatever is right.
    Unanswered,
    /// So does each but the one with this number, counted from 1, at which the machine pauses with its answer.
    Only(u64),
    /// Each is answered.
    Each,
}

impl Execution<'_> {
    /// Marks the heap objects that are lost by now, and were not before. Returns how many they are.
    ///
    /// # Errors
    /// The questions of the execution take too much work.
    pub(super) fn loses(&mut self, registers: &[u64]) -> Result<usize, Stop> {
        let memory = &self.present.memory;
        let blocks: Vec<u32> = memory
            .alive()
            .filter(|(_, kind)| *kind == Kind::Heap)
            .map(|(tag, _)| tag)
            .collect();
        if blocks.is_empty() {
            return Ok(0);
        }
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut open: Vec<u32> = Vec::new();
        let mut looked = 0;
        let mut meet = |pointer: Pointer, open: &mut Vec<u32>| {
            if memory.is_inside(pointer) && seen.insert(pointer.tag) {
                open.push(pointer.tag);
            }
        };
        looked += self.visit_variables(registers, &mut |pointer| meet(pointer, &mut open));
        let passing = self.result_objects(registers);
        for (tag, kind) in memory.alive() {
            if !matches!(kind, Kind::Heap | Kind::Lost) && !passing.contains(&tag) {
                looked += memory.visit_pointers(tag, &mut |pointer| meet(pointer, &mut open));
            }
        }
        while let Some(tag) = open.pop() {
            looked += memory.visit_pointers(tag, &mut |pointer| meet(pointer, &mut open));
        }
        let lost: Vec<u32> = blocks.into_iter().filter(|tag| !seen.contains(tag)).collect();
        for &tag in &lost {
            self.present.memory.lose(tag);
        }
        self.looked += looked;
        match self.looked > MOST_LOOKED {
            true => Err(Stop("many questions about large heaps")),
            false => Ok(lost.len()),
        }
    }

    /// Calls a function with the pointers in plain variables that exist: those of static storage and of open frames. Returns the number of registers that it looked at.
    fn visit_variables(&self, registers: &[u64], visit: &mut dyn FnMut(Pointer)) -> u64 {
        let mut looked = 0;
        let mut meet = |registers: &[u64], own: &[usize]| {
            looked += own.len() as u64;
            for &at in own {
                let (offset, tag) = (registers[at], registers[at + 1] as u32);
                visit(Pointer { offset, tag });
            }
        };
        let statics = self.code.statics as usize;
        meet(&registers[statics..], &self.pointers_of(None));
        let mut own: Vec<Option<Vec<usize>>> = vec![None; self.active.len()];
        let mut aside = 0;
        let start = self.code.program.start;
        let frames = self
            .present
            .frames
            .iter()
            .map(|frame| (FuncId(frame.func), frame.again));
        for (func, again) in std::iter::once((start, false)).chain(frames) {
            let own = own[func.index()].get_or_insert_with(|| self.pointers_of(Some(func)));
            let room = self.rooms[func.index()];
            // The frame in the registers is the last one that was opened. It is met once for each frame, which does no harm.
            meet(&registers[room.base..], own);
            if again {
                meet(&self.present.aside[aside..], own);
                aside += room.size;
            }
        }
        looked
    }

    /// The registers with the offsets of pointers in the plain variables of an owner, counted from its first.
    fn pointers_of(&self, owner: Option<FuncId>) -> Vec<usize> {
        let program = self.code.program;
        let own = |var: &VarId| {
            let variable = program.var(*var);
            variable.func == owner && !variable.in_memory
        };
        let mut found = Vec::new();
        for var in program.var_ids().filter(own) {
            for leaf in leaves(&program.types, program.var(var).ty).unwrap_or_default() {
                if Class::of(&program.types, leaf.ty) == Class::Pointer {
                    found.push(self.code.layout.home(var) + leaf.register);
                }
            }
        }
        found
    }

    /// The objects in which functions pass results: no variables, and what they hold was passed on.
    fn result_objects(&self, registers: &[u64]) -> FxHashSet<u32> {
        let pairs = self.code.result_objects.values();
        pairs.map(|&pair| registers[pair as usize + 1] as u32).collect()
    }
}
