//! Whether a division of memory is true of executions.
//!
//! Path formulas and slices rest on one law: [if two accesses can touch the same byte, the regions of their places have one in common](Memory). A write that a slice leaves out, or that a
//! formula puts into other cells, breaks it, and then everything that is computed from the division says the same wrong thing: neither proofs nor interpolants nor
//! invariants can notice. The concrete machine of the [replay](mod@super::replay) can, as it knows of bytes and addresses only: each byte that a step reads was written by
//! another step before. If the regions that the first step reads and those that the second one writes have none in common, the division is wrong.
//!
//! A bit-field is written with its neighbours in the same bytes, so that a byte has several writers since it was last written as a whole, of which one has to fit.
//! An index or a pointer that leaves its object and comes to another one is undefined behaviour, which the machine cannot tell from what is allowed. So a defect that is
//! found in a program of unknown behaviour is worth a warning, and one in a program whose behaviour is known to be defined is a bug.
//!
//! A division that takes something on trust may be wrong where the ledger says so, and is not asked.

use super::replay::{Execution, Touch};
use crate::cfa::memory_types::in_memory;
use crate::cfa::program::visit::{Part, visit_op, visit_parts};
use crate::cfa::slice::Memory;
use crate::cfa::{EdgeId, ExprKind, Op, Place, Program, Step};
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt;

/// A byte that is read and was written, by accesses whose regions have none in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongDivision {
    /// The place at which it is read.
    pub read: String,
    /// The places at which it was written.
    pub written: Vec<String>,
}

impl fmt::Display for WrongDivision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the byte that is read at {} was written at {}, in other regions of memory",
            self.read,
            self.written.join(" and ")
        )
    }
}

impl std::error::Error for WrongDivision {}

/// Holds an execution of a program against a division of its memory. Gives back the number of bytes that were read and had been written by another step.
///
/// # Errors
/// The reads and the write that have no region in common.
pub fn check(program: &Program, execution: &Execution, memory: &dyn Memory) -> Result<u64, WrongDivision> {
    let mut audit = Audit {
        program,
        memory,
        steps: &execution.steps,
        regions: FxHashMap::default(),
    };
    let mut writers: FxHashMap<u64, Vec<usize>> = FxHashMap::default();
    let mut compared = 0;
    for (at, touch) in execution.touched.iter().enumerate() {
        // To write a bit-field its bytes are read first.
        let is_written_next = |next: &Touch| next.written && (next.address, next.size) == (touch.address, touch.size);
        if !touch.written && audit.is_partial(touch.step) && execution.touched.get(at + 1).is_some_and(is_written_next)
        {
            continue;
        }
        let bytes = touch.address..touch.address.saturating_add(touch.size);
        for at in bytes {
            let known = writers.entry(at).or_default();
            if touch.written {
                if !audit.is_partial(touch.step) {
                    known.clear();
                }
                if known.last() != Some(&touch.step) {
                    known.push(touch.step);
                }
            } else if known.iter().all(|&writer| writer != touch.step) && !known.is_empty() {
                compared += 1;
                if !known.iter().any(|&writer| audit.fits(writer, touch.step)) {
                    return Err(audit.defect(known, touch));
                }
            }
        }
    }
    Ok(compared)
}

/// The regions that a step reads or writes; `None` for all.
type Regions = Option<BTreeSet<usize>>;

struct Audit<'a> {
    program: &'a Program,
    memory: &'a dyn Memory,
    steps: &'a [Step],
    /// By the edge, whether the step leaves a function, and whether the entry is about writes.
    regions: FxHashMap<(EdgeId, bool, bool), Regions>,
}

impl Audit<'_> {
    fn fits(&mut self, writer: usize, reader: usize) -> bool {
        let written = self.regions_of(writer, true);
        let read = self.regions_of(reader, false);
        written.is_none_or(|written| read.is_none_or(|read| !written.is_disjoint(&read)))
    }

    fn regions_of(&mut self, step: usize, written: bool) -> Regions {
        let step = self.steps[step];
        let leaves = matches!(step, Step::Leave(_));
        let key = (step.edge(), leaves, written);
        if let Some(known) = self.regions.get(&key) {
            return known.clone();
        }
        let mut found = Vec::new();
        let known = match written {
            true => self.written(step, &mut found),
            false => self.read(step, &mut found),
        };
        let regions = known.map(|()| found.into_iter().collect());
        self.regions.insert(key, Clone::clone(&regions));
        regions
    }

    fn place(&self, place: &Place, found: &mut Vec<usize>) {
        if in_memory(self.program, place) {
            self.memory.place(self.program, place, found);
        }
    }

    fn variable(&self, var: crate::cfa::VarId, found: &mut Vec<usize>) {
        self.place(&Place::var(var, self.program.var(var).ty), found);
    }

    fn written(&self, step: Step, found: &mut Vec<usize>) -> Option<()> {
        let op = &self.program.edge(step.edge()).op;
        match (op, step) {
            (Op::Call { func, .. }, Step::Enter(_)) => {
                for &param in &self.program.function(*func).params {
                    self.variable(param, found);
                }
                return Some(());
            }
            (Op::Allocate { zero: true, .. }, _) => return None,
            (Op::MemSet { dst, len, .. }, _) => self.memory.bytes(self.program, &[dst], len, found),
            (Op::MemCopy { dst, src, len }, _) => self.memory.bytes(self.program, &[dst, src], len, found),
            _ => {}
        }
        visit_parts(op, &mut |part| {
            if let Part::Written(place) = part {
                self.place(place, found);
            }
        });
        Some(())
    }

    fn read(&self, step: Step, found: &mut Vec<usize>) -> Option<()> {
        let op = &self.program.edge(step.edge()).op;
        visit_op(op, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                self.place(place, found);
            }
        });
        match (op, step) {
            (Op::Call { func, .. }, Step::Leave(_)) => {
                if let Some(result) = self.program.function(*func).ret {
                    self.variable(result, found);
                }
            }
            (Op::MemCopy { dst, src, len }, _) => self.memory.bytes(self.program, &[dst, src], len, found),
            _ => {}
        }
        Some(())
    }

    /// Whether a step writes a bit-field.
    fn is_partial(&self, step: usize) -> bool {
        let mut partial = false;
        visit_parts(&self.program.edge(self.steps[step].edge()).op, &mut |part| {
            partial |= matches!(part, Part::Written(place) if place.bits.is_some());
        });
        partial
    }

    fn defect(&self, writers: &[usize], touch: &Touch) -> WrongDivision {
        let place = |step: usize| {
            let edge = self.program.edge(self.steps[step].edge());
            self.program.sources.resolve(edge.loc)
        };
        WrongDivision {
            read: place(touch.step).to_string(),
            written: writers.iter().map(|&writer| place(writer).to_string()).collect(),
        }
    }
}
