//! Which variables can influence where control goes.
//!
//! A safety property here is the question whether an edge is reached. The assumptions on the way decide that; so a variable is relevant if an
//! assumption reads it, or if a relevant variable is computed from it. This is a flow-insensitive backward closure, linear in the program: all escaping
//! variables and all memory reached through pointers are one cell. An assignment to an irrelevant variable can be left out of path formulas.
//!
//! A specification that mentions a variable makes it relevant: pass it as an extra root.

use crate::cfa::program::expr::{walk, walk_place};
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;
use bitvec::prelude::BitVec;

/// Sets `relevant` of every variable, without extra roots.
pub fn annotate(program: &mut Program) {
    let relevant = relevant_variables(program, &[]);
    for (i, variable) in program.vars.iter_mut().enumerate() {
        variable.relevant = relevant[i];
    }
}

/// The relevant variables, given that those in `roots` are relevant. One bit per variable.
pub fn relevant_variables(program: &Program, roots: &[VarId]) -> BitVec {
    let mut closure = Closure::new(program);
    for root in roots {
        closure.mark(root.index());
    }
    for edge in &program.edges {
        closure.add(program, &edge.op);
    }
    closure.solve();
    closure.marked.truncate(program.vars.len());
    closure.marked
}

struct Closure {
    marked: BitVec,
    work: Vec<usize>,
    /// Dependencies (of, on).
    edges: Vec<(u32, u32)>,
    memory: usize,
    heap: usize,
}

impl Closure {
    fn new(program: &Program) -> Closure {
        let n = program.vars.len();
        let mut closure = Closure {
            marked: BitVec::repeat(false, n + 2),
            work: Vec::new(),
            edges: Vec::new(),
            memory: n,
            heap: n + 1,
        };
        for (i, variable) in program.vars.iter().enumerate() {
            if variable.escapes {
                closure.depend(n, i);
                closure.depend(i, n);
            }
        }
        closure
    }

    fn mark(&mut self, cell: usize) {
        if !self.marked.replace(cell, true) {
            self.work.push(cell);
        }
    }

    fn depend(&mut self, of: usize, on: usize) {
        let id = |i: usize| u32::try_from(i).expect("fewer than 2^32 variables");
        self.edges.push((id(of), id(on)));
    }

    fn cell(&self, base: &PlaceBase) -> usize {
        match base {
            PlaceBase::Var(v) => v.index(),
            PlaceBase::Deref(_) => self.memory,
        }
    }

    fn reads(&self, expr: &Expr, found: &mut Vec<usize>) {
        walk(expr, &mut |e| {
            if let ExprKind::Load(place) = &e.kind {
                found.push(self.cell(&place.base));
            }
        });
    }

    /// The cell that a place is part of depends on what decides which part it is.
    fn written(&mut self, place: &Place) -> usize {
        let cell = self.cell(&place.base);
        let mut found = Vec::new();
        walk_place(place, &mut |e| {
            if let ExprKind::Load(p) = &e.kind {
                found.push(self.cell(&p.base));
            }
        });
        found.into_iter().for_each(|on| self.depend(cell, on));
        cell
    }

    fn add(&mut self, program: &Program, op: &Op) {
        let mut cells = Vec::new();
        visit_parts(op, &mut |part| {
            if let Part::Written(place) = part {
                cells.push(self.written(place));
            }
        });
        let mut reads = Vec::new();
        match op {
            Op::Assume { cond, .. } => {
                self.reads(cond, &mut reads);
                return reads.into_iter().for_each(|r| self.mark(r));
            }
            Op::Assign { rhs, .. } => self.reads(rhs, &mut reads),
            Op::Call { func, args, ret } => {
                let function = program.function(*func);
                for (param, arg) in function.params.iter().zip(args) {
                    let mut reads = Vec::new();
                    self.reads(arg, &mut reads);
                    reads.into_iter().for_each(|r| self.depend(param.index(), r));
                }
                if ret.is_some() {
                    reads.extend(function.ret.map(VarId::index));
                }
            }
            Op::Allocate { size, .. } => {
                // The address of every object depends on the sizes of those before it.
                let mut sizes = Vec::new();
                self.reads(size, &mut sizes);
                sizes.into_iter().for_each(|r| self.depend(self.heap, r));
                reads.push(self.heap);
                cells.push(self.memory);
            }
            Op::Inspect { question, .. } => {
                question.values().for_each(|e| self.reads(e, &mut reads));
                reads.push(self.heap);
                // Which bytes were written depends on where each write went.
                if question.is_about_heap() || matches!(question, Inspection::Written { .. }) {
                    reads.extend(0..program.vars.len());
                    reads.push(self.memory);
                }
            }
            Op::MemSet { dst, byte, len } => {
                cells.push(self.memory);
                [dst, byte, len].into_iter().for_each(|e| self.reads(e, &mut reads));
            }
            Op::MemCopy { dst, src, len } => {
                cells.push(self.memory);
                reads.push(self.memory);
                [dst, src, len].into_iter().for_each(|e| self.reads(e, &mut reads));
            }
            Op::Mark { ptr, len, written } => {
                cells.push(self.memory);
                let values = [ptr, written].into_iter().chain(len);
                values.for_each(|e| self.reads(e, &mut reads));
            }
            Op::Nop | Op::Label(_) | Op::Bypass(_) | Op::Zero { .. } | Op::Havoc { .. } | Op::External { .. } => {}
            Op::Free { ptr, .. } => {
                self.reads(ptr, &mut reads);
                cells.push(self.heap);
            }
            Op::Asm { .. } => {}
        }
        for &cell in &cells {
            for &read in &reads {
                self.depend(cell, read);
            }
        }
    }

    fn solve(&mut self) {
        let edges = std::mem::take(&mut self.edges);
        let n = self.marked.len();
        let mut start = vec![0u32; n + 1];
        for &(of, _) in &edges {
            start[of as usize + 1] += 1;
        }
        for i in 0..n {
            start[i + 1] += start[i];
        }
        let mut fill = start.clone();
        let mut on = vec![0u32; edges.len()];
        for &(of, dependency) in &edges {
            on[fill[of as usize] as usize] = dependency;
            fill[of as usize] += 1;
        }
        while let Some(cell) = self.work.pop() {
            for &dependency in &on[start[cell] as usize..start[cell + 1] as usize] {
                self.mark(dependency as usize);
            }
        }
    }
}
