//! The operations that a slice keeps: the closure of the targets under control and data dependence.

use super::control::Control;
use super::data::{Cells, Memory, View};
use crate::cfa::program::*;
use bitvec::prelude::BitVec;

/// A dependence that still has to be followed.
#[derive(Clone, Copy)]
enum Task {
    /// An operation is kept: it has to be reached.
    Edge(EdgeId),
    /// The value of a cell matters.
    Cell(usize),
    /// It matters which way a path goes from a node, or whether it goes on.
    Branch(NodeId),
    /// It matters whether paths halt in a function.
    Halts(FuncId),
}

/// A write to a cell.
#[derive(Clone, Copy)]
enum Write {
    /// By the operation of an edge; of a call, by its result.
    By(EdgeId),
    /// By an argument of a call.
    Argument(EdgeId, usize),
}

/// The closure.
pub(super) struct Closure<'a> {
    pub cells: Cells<'a>,
    control: Control,
    writes: Vec<Vec<Write>>,
    callers: Vec<Vec<EdgeId>>,
    nodes: Vec<Vec<NodeId>>,
    work: Vec<Task>,
    edges: BitVec,
    marked: BitVec,
    branches: BitVec,
    halts: BitVec,
    entered: BitVec,
}

impl<'a> Closure<'a> {
    /// Computes the closure. `None` if there are too many control dependences.
    pub fn compute(
        program: &'a Program,
        targets: &[EdgeId],
        memory: &'a dyn Memory,
        view: View,
    ) -> Option<Closure<'a>> {
        let cells = Cells::new(program, memory, view);
        let control = Control::analyse(&cells)?;
        let (functions, nodes) = (program.functions.len(), program.nodes.len());
        let mut closure = Closure {
            writes: vec![Vec::new(); cells.count()],
            callers: vec![Vec::new(); functions],
            nodes: vec![Vec::new(); functions],
            work: Vec::new(),
            edges: BitVec::repeat(false, program.edges.len()),
            marked: BitVec::repeat(false, cells.count()),
            branches: BitVec::repeat(false, nodes),
            halts: BitVec::repeat(false, functions),
            entered: BitVec::repeat(false, functions),
            cells,
            control,
        };
        closure.index();
        targets.iter().for_each(|&e| closure.want(Task::Edge(e)));
        while let Some(task) = closure.work.pop() {
            match task {
                Task::Edge(e) => closure.edge(e),
                Task::Cell(c) => closure.cell(c),
                Task::Branch(n) => closure.branch(n),
                Task::Halts(f) => closure.function_halts(f),
            }
        }
        Some(closure)
    }

    /// Whether an operation other than an assumption is kept.
    pub fn keeps(&self, edge: EdgeId) -> bool {
        self.edges[edge.index()]
    }

    /// Whether more than one way leads on from a node, or none.
    pub fn is_branch(&self, node: NodeId) -> bool {
        let program = self.cells.program;
        let outgoing = &program.node(node).outgoing;
        outgoing.len() > 1
            || outgoing
                .iter()
                .any(|&e| matches!(program.edge(e).op, Op::Assume { .. }))
    }

    /// Whether it matters which way a path goes from a node.
    pub fn keeps_branch(&self, node: NodeId) -> bool {
        self.branches[node.index()]
    }

    /// Where all ways from a node meet first.
    pub fn meeting_point(&self, node: NodeId) -> Option<NodeId> {
        self.control.post_dominator(node)
    }

    /// Whether the function's exit can be reached from a node.
    pub fn reaches_exit(&self, node: NodeId) -> bool {
        self.control.reaches_exit(node)
    }

    /// The part of an edge's operation that is kept.
    pub fn kept(&self, edge: EdgeId) -> Op {
        let program = self.cells.program;
        let Edge { from, op, .. } = program.edge(edge);
        match op {
            Op::Assume { .. } if self.keeps_branch(*from) => op.clone(),
            Op::Assume { .. } => Op::Nop,
            _ if self.keeps(edge) => self.needed_part(program, op),
            _ => Op::Nop,
        }
    }

    /// The needed part of a kept operation: a call loses arguments and results that do not matter.
    pub fn needed_part(&self, program: &Program, op: &Op) -> Op {
        let matters = |cells: Vec<usize>| cells.into_iter().any(|c| self.marked[c]);
        let place_matters = |place: &Place| {
            let mut found = Vec::new();
            self.cells.of_place(place, &mut found);
            matters(found)
        };
        match op {
            Op::Call { func, args, ret } => {
                let params = &program.function(*func).params;
                let needed = |(arg, &param): (&Expr, &VarId)| {
                    let keep = program.types.integer(arg.ty).is_none() || matters(self.cells.of_var(param));
                    if keep { arg.clone() } else { Expr::int(0, arg.ty) }
                };
                Op::Call {
                    func: *func,
                    args: args.iter().zip(params).map(needed).collect(),
                    ret: ret.clone().filter(place_matters),
                }
            }
            Op::External { func, args, ret } => Op::External {
                func: *func,
                args: args.iter().filter(|a| a.as_const().is_some()).cloned().collect(),
                ret: ret.clone().filter(place_matters),
            },
            other => other.clone(),
        }
    }

    fn index(&mut self) {
        let program = self.cells.program;
        for id in program.node_ids() {
            self.nodes[program.node(id).func.index()].push(id);
        }
        for id in program.edge_ids() {
            let op = &program.edge(id).op;
            for cell in self.cells.writes(op) {
                self.writes[cell].push(Write::By(id));
            }
            if let Op::Call { func, .. } = op {
                self.callers[func.index()].push(id);
                for (i, &param) in program.function(*func).params.iter().enumerate() {
                    for cell in self.cells.of_var(param) {
                        self.writes[cell].push(Write::Argument(id, i));
                    }
                }
            }
        }
    }

    fn want(&mut self, task: Task) {
        let known = match task {
            Task::Edge(e) => self.edges.replace(e.index(), true),
            Task::Cell(c) => self.marked.replace(c, true),
            Task::Branch(n) => self.branches.replace(n.index(), true),
            Task::Halts(f) => self.halts.replace(f.index(), true),
        };
        if !known {
            self.work.push(task);
        }
    }

    fn want_cells(&mut self, cells: Vec<usize>) {
        cells.into_iter().for_each(|c| self.want(Task::Cell(c)));
    }

    /// Keeps the ways on which a node is reached, because an operation there matters.
    fn reached(&mut self, node: NodeId) {
        for i in 0..self.control.dependences(node).len() {
            self.want(Task::Branch(self.control.dependences(node)[i]));
        }
        let func = self.cells.program.node(node).func;
        if !self.entered.replace(func.index(), true) {
            for i in 0..self.callers[func.index()].len() {
                self.want(Task::Edge(self.callers[func.index()][i]));
            }
        }
    }

    fn edge(&mut self, id: EdgeId) {
        let program = self.cells.program;
        let edge = program.edge(id);
        self.reached(edge.from);
        let reads = self.cells.reads(&edge.op);
        self.want_cells(reads);
        if let Op::Assume { .. } = &edge.op {
            self.want(Task::Branch(edge.from));
        }
        if let Op::Inspect { question, .. } = &edge.op {
            self.objects(question);
        }
        if let Op::Call { args, .. } = &edge.op {
            // There is no constant to stand for these.
            for arg in args {
                if program.types.integer(arg.ty).is_none() {
                    let mut found = Vec::new();
                    self.cells.reads_of(arg, &mut found);
                    self.want_cells(found);
                }
            }
        }
    }

    /// Keeps the operations that decide which objects exist; and where pointers are, if that matters.
    fn objects(&mut self, question: &Inspection) {
        let program = self.cells.program;
        let decides = |op: &Op| match op {
            Op::Nop => false,
            Op::Allocate { .. } | Op::Free { .. } => true,
            Op::Mark { .. } if matches!(question, Inspection::Written { .. }) => true,
            _ => question.is_about_heap(),
        };
        for id in program.edge_ids().filter(|&id| decides(&program.edge(id).op)) {
            self.want(Task::Edge(id));
        }
        if question.is_about_heap() {
            // A pointer matters even if nothing reads it.
            self.want_cells((0..self.cells.count()).collect());
        }
    }

    fn cell(&mut self, cell: usize) {
        let program = self.cells.program;
        for i in 0..self.writes[cell].len() {
            let mut found = Vec::new();
            let (Write::By(id) | Write::Argument(id, _)) = self.writes[cell][i];
            self.want(Task::Edge(id));
            if let Op::Call { func, args, ret } = &program.edge(id).op {
                match self.writes[cell][i] {
                    Write::Argument(_, i) => self.cells.reads_of(&args[i], &mut found),
                    Write::By(_) => {
                        ret.iter().for_each(|place| self.cells.address_of(place, &mut found));
                        let result = program.function(*func).ret;
                        result.iter().for_each(|&v| found.extend(self.cells.of_var(v)));
                    }
                }
            }
            self.want_cells(found);
        }
    }

    fn branch(&mut self, node: NodeId) {
        let program = self.cells.program;
        self.reached(node);
        for &e in &program.node(node).outgoing {
            match &program.edge(e).op {
                Op::Assume { cond, .. } => {
                    let mut found = Vec::new();
                    self.cells.reads_of(cond, &mut found);
                    self.want_cells(found);
                }
                Op::Call { func, .. } if self.control.is_halting(*func) => {
                    self.want(Task::Edge(e));
                    self.want(Task::Halts(*func));
                }
                _ => {}
            }
        }
    }

    /// Whether paths halt in a function is decided where they may, and in what it calls.
    fn function_halts(&mut self, func: FuncId) {
        let program = self.cells.program;
        for i in 0..self.nodes[func.index()].len() {
            let node = self.nodes[func.index()][i];
            let calls = |&e: &EdgeId| match program.edge(e).op {
                Op::Call { func, .. } => self.control.is_halting(func),
                _ => false,
            };
            if self.control.halts(node) || program.node(node).outgoing.iter().any(calls) {
                self.want(Task::Branch(node));
            }
        }
    }
}
