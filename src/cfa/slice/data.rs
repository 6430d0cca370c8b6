//! What operations read and write, in cells.
//!
//! A cell is a plain variable or a region of memory. Dependences between cells are not sensitive to the order of operations: a read depends
//! on all writes to its cell.

use crate::cfa::classify::{Part, visit_parts};
use crate::cfa::expr::{walk, walk_place};
use crate::cfa::program::*;
use bitvec::prelude::BitVec;

/// The division of memory into regions, on which a slice rests.
///
/// Law: if two accesses of the program can touch the same byte, the regions of their places have one in common.
pub trait Memory {
    /// The number of regions; they are called by positions below it.
    fn regions(&self) -> usize;
    /// Adds the regions of a place in memory.
    fn place(&self, program: &Program, place: &Place, found: &mut Vec<usize>);
    /// Adds the regions that `len` bytes at the pointers may be in.
    fn bytes(&self, program: &Program, pointers: &[&Expr], len: &Expr, found: &mut Vec<usize>);
}

/// The cells of one program.
pub(super) struct Cells<'a> {
    pub program: &'a Program,
    memory: &'a dyn Memory,
}

impl<'a> Cells<'a> {
    pub fn new(program: &'a Program, memory: &'a dyn Memory) -> Self {
        Cells { program, memory }
    }

    /// The number of cells.
    pub fn count(&self) -> usize {
        self.program.vars.len() + self.memory.regions()
    }

    /// Adds the cells of a place.
    pub fn of_place(&self, place: &Place, found: &mut Vec<usize>) {
        match place.base {
            PlaceBase::Var(v) if !self.program.var(v).in_memory => found.push(v.index()),
            _ => {
                let first = found.len();
                self.memory.place(self.program, place, found);
                self.shift(found, first);
            }
        }
    }

    /// The cells of a whole variable.
    pub fn of_var(&self, var: VarId) -> Vec<usize> {
        let mut found = Vec::new();
        self.of_place(&Place::var(var, self.program.var(var).ty), &mut found);
        found
    }

    fn of_bytes(&self, pointers: &[&Expr], len: &Expr, found: &mut Vec<usize>) {
        let first = found.len();
        self.memory.bytes(self.program, pointers, len, found);
        self.shift(found, first);
    }

    fn shift(&self, found: &mut [usize], first: usize) {
        for region in &mut found[first..] {
            *region += self.program.vars.len();
        }
    }

    /// Adds the cells that the value of an expression depends on.
    pub fn reads_of(&self, expr: &Expr, found: &mut Vec<usize>) {
        walk(expr, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                self.of_place(place, found);
            }
        });
    }

    /// Adds the cells that decide which object a place is.
    pub fn address_of(&self, place: &Place, found: &mut Vec<usize>) {
        walk_place(place, &mut |e| {
            if let ExprKind::Load(inner) = &e.kind {
                self.of_place(inner, found);
            }
        });
    }

    /// The cells that an operation writes; of a call, those of the place of its result.
    pub fn writes(&self, op: &Op) -> Vec<usize> {
        let mut found = Vec::new();
        visit_parts(op, &mut |part| {
            if let Part::Written(place) = part {
                self.of_place(place, &mut found);
            }
        });
        match op {
            Op::MemSet { dst, len, .. } => self.of_bytes(&[dst], len, &mut found),
            Op::MemCopy { dst, src, len } => self.of_bytes(&[dst, src], len, &mut found),
            _ => {}
        }
        found
    }

    /// The cells that an operation other than a call needs for what it writes.
    pub fn reads(&self, op: &Op) -> Vec<usize> {
        let mut found = Vec::new();
        match op {
            // The arguments are nothing that the result depends on.
            Op::External { ret, .. } => ret.iter().for_each(|place| self.address_of(place, &mut found)),
            Op::Call { .. } | Op::Free { .. } => {}
            _ => visit_parts(op, &mut |part| match part {
                Part::Value(e) => self.reads_of(e, &mut found),
                Part::Written(place) => self.address_of(place, &mut found),
            }),
        }
        if let Op::MemCopy { dst, src, len } = op {
            self.of_bytes(&[dst, src], len, &mut found);
        }
        found
    }
}

/// For each function the cells that it, or what it calls, writes: parameters and results included. One bit per cell.
pub(super) fn written_by_functions(cells: &Cells<'_>) -> Vec<BitVec> {
    let program = cells.program;
    let mut written = vec![BitVec::<usize>::repeat(false, cells.count()); program.functions.len()];
    let mut calls = Vec::new();
    for edge in &program.edges {
        let caller = program.node(edge.from).func.index();
        for cell in cells.writes(&edge.op) {
            written[caller].set(cell, true);
        }
        if let Op::Call { func, .. } = edge.op {
            for &param in &program.function(func).params {
                cells
                    .of_var(param)
                    .into_iter()
                    .for_each(|c| written[caller].set(c, true));
            }
            calls.push((caller, func.index()));
        }
    }
    calls.sort_unstable();
    calls.dedup();
    let mut changed = true;
    while changed {
        changed = false;
        for &(caller, callee) in &calls {
            if caller != callee {
                let before = written[caller].count_ones();
                let of_callee = std::mem::take(&mut written[callee]);
                written[caller] |= &of_callee;
                written[callee] = of_callee;
                changed |= written[caller].count_ones() != before;
            }
        }
    }
    written
}
