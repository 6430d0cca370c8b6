//! The cells that operations read and write.
//!
//! A cell is a plain variable or a region of memory. Dependences between cells are not sensitive to the order of operations: a read depends
//! on all writes to its cell.

use crate::cfa::analysis::classify::overlays;
use crate::cfa::analysis::domain_types::loop_counters;
use crate::cfa::analysis::graph::call_graph;
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;
use bitvec::prelude::BitVec;
use provident_smt::hash::FxHashMap;
use std::collections::VecDeque;

/// The division of memory into regions, on which a slice rests.
///
/// Law: if two accesses of the program can touch the same byte, the regions of their places have one in common.
pub trait Memory {
    /// The number of regions; they are called by positions below it.
    fn regions(&self) -> usize;
    /// The regions that pointers may reach.
    fn shared(&self) -> Vec<usize>;
    /// Adds the regions of a place in memory.
    fn place(&self, program: &Program, place: &Place, found: &mut Vec<usize>);
    /// Adds the regions that `len` bytes at the pointers may be in.
    fn bytes(&self, program: &Program, pointers: &[&Expr], len: &Expr, found: &mut Vec<usize>);
}

/// The parts of memory that a slice distinguishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// Everything.
    Full,
    /// Neither the memory that pointers reach nor counters of loops: every read of them gets any value.
    NoCounters,
}

/// The cells of one program.
pub(super) struct Cells<'a> {
    pub program: &'a Program,
    memory: &'a dyn Memory,
    /// The cells whose reads get any value.
    hidden: BitVec,
    view: View,
}

impl<'a> Cells<'a> {
    pub fn new(program: &'a Program, memory: &'a dyn Memory, view: View) -> Self {
        let mut hidden = BitVec::repeat(false, program.vars.len() + memory.regions());
        if view == View::NoCounters {
            for region in memory.shared() {
                hidden.set(program.vars.len() + region, true);
            }
            for var in counters(program) {
                hidden.set(var.index(), true);
            }
        }
        Cells {
            program,
            memory,
            hidden,
            view,
        }
    }

    /// Whether reading a place gets any value.
    fn is_unknown(&self, place: &Place) -> bool {
        if self.view == View::Full {
            return false;
        }
        let mut found = Vec::new();
        self.of_place(place, &mut found);
        !found.is_empty() && found.iter().all(|&c| self.hidden[c])
    }

    /// Whether a variable with any value can stand for reading a place.
    pub fn is_hidden(&self, place: &Place) -> bool {
        // It has to be a plain variable, which has no arrays.
        self.is_unknown(place) && !overlays(&self.program.types, place.ty, &mut FxHashMap::default())
    }

    /// Whether an assignment copies a whole object that may be anything.
    pub fn copies_unknown(&self, rhs: &Expr) -> bool {
        matches!(&rhs.kind, ExprKind::Load(place) if self.is_unknown(place))
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
        match &expr.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => {}
            ExprKind::Load(place) if self.is_hidden(place) => {}
            ExprKind::Load(place) => {
                self.of_place(place, found);
                self.address_of(place, found);
            }
            ExprKind::AddrOf(place) => self.address_of(place, found),
            ExprKind::Unary(_, x) | ExprKind::Cast(x) => self.reads_of(x, found),
            ExprKind::Binary(_, x, y) => {
                self.reads_of(x, found);
                self.reads_of(y, found);
            }
            ExprKind::Math(_, operands) => operands.iter().for_each(|x| self.reads_of(x, found)),
        }
    }

    /// Adds the cells that decide which object a place is.
    pub fn address_of(&self, place: &Place, found: &mut Vec<usize>) {
        if let PlaceBase::Deref(pointer) = &place.base {
            self.reads_of(pointer, found);
        }
        for step in &place.proj {
            if let Proj::Index(index) = step {
                self.reads_of(index, found);
            }
        }
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
            Op::Call { .. } => {}
            Op::Assign { lhs, rhs } if self.copies_unknown(rhs) => self.address_of(lhs, &mut found),
            _ => visit_parts(op, &mut |part| match part {
                Part::Value(e) => self.reads_of(e, &mut found),
                Part::Written(place) => self.address_of(place, &mut found),
            }),
        }
        if let Op::MemCopy { dst, src, len } = op {
            self.of_bytes(&[dst, src], len, &mut found);
        }
        if let Op::Inspect { question, .. } = op
            && let Some(place) = question.contents(&self.program.types)
        {
            self.of_place(&place, &mut found);
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
    let mut callers = vec![Vec::new(); program.functions.len()];
    for (caller, callee) in calls.into_iter().filter(|(caller, callee)| caller != callee) {
        callers[callee].push(caller);
    }
    // Callees come before their callers, so that a program without recursion takes one pass.
    let mut waiting = VecDeque::from(callees_first(program));
    let mut waits = vec![true; program.functions.len()];
    while let Some(callee) = waiting.pop_front() {
        waits[callee] = false;
        let of_callee = std::mem::take(&mut written[callee]);
        for &caller in &callers[callee] {
            let mut grown = false;
            for (word, more) in written[caller]
                .as_raw_mut_slice()
                .iter_mut()
                .zip(of_callee.as_raw_slice())
            {
                grown |= more & !*word != 0;
                *word |= more;
            }
            if grown && !std::mem::replace(&mut waits[caller], true) {
                waiting.push_back(caller);
            }
        }
        written[callee] = of_callee;
    }
    written
}

/// All functions, each behind those that it calls, as far as there is no recursion. Without recursion here, too: call chains may be long.
fn callees_first(program: &Program) -> Vec<usize> {
    let graph = call_graph(program);
    let mut seen = vec![false; graph.len()];
    let mut order = Vec::with_capacity(graph.len());
    for root in 0..graph.len() {
        let mut open = Vec::new();
        if !std::mem::replace(&mut seen[root], true) {
            open.push((root, 0));
        }
        while let Some((function, next)) = open.last_mut() {
            match graph[*function].get(*next) {
                Some(callee) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[callee.index()], true) {
                        open.push((callee.index(), 0));
                    }
                }
                None => {
                    order.push(*function);
                    open.pop();
                }
            }
        }
    }
    order
}

/// The loop counters that are plain local variables. How often a loop runs rarely matters to a property of the environment's interface, and interpolants over
/// counters unroll loops.
fn counters(program: &Program) -> impl Iterator<Item = VarId> + '_ {
    loop_counters(program).into_iter().filter(|&var| {
        let variable = program.var(var);
        variable.func.is_some() && !variable.in_memory && variable.kind != VarKind::Return
    })
}
