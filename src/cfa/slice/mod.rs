//! Property-directed slicing: the part of a program that decides whether certain edges are reached.
//!
//! In a driver of ten thousand lines, a property depends on a few dozen operations. Code that neither computes a value for one of them nor decides
//! whether one of them is reached can be left out (Weiser, *Program slicing*, ICSE 1981; interprocedurally, but without contexts, as in Horwitz,
//! Reps and Binkley, TOPLAS 1990). The slice is the closure of the target edges under
//!
//! * **control**: the branches on which an operation is control dependent, and the calls through which its function is reached;
//! * **data**: the writes to every cell that a kept operation reads. A cell is a plain variable or a region of memory;
//!   the caller defines the regions ([`Memory`]).
//!
//! An operation that is left out becomes an empty edge. A branch that is left out becomes an empty edge to the place where its sides meet again. A call that is left out is not
//! followed, and functions that are not called any more have no body. Empty edges are then contracted. Every edge that is left
//! keeps its place in the source, and the [`Slice`] maps the edges of the program to its own.
//!
//! # The meaning of a verdict on the slice
//!
//! Every path of the program to a target is a path of the slice, with steps left out. So TRUE carries over. A path of the slice is one of
//! the program if the omitted parts terminate and do nothing undefined (a division by zero, an access outside of every object). This is
//! an assumption in the ledger. Termination is not assumed
//! where the assumption is likely to be wrong: paths that end elsewhere (`exit`, an assumption, an endless loop, recursion)
//! count as halts, on which the operations behind them depend; and so does a loop whose operations do not change the values that
//! decide about leaving it.
//!
//! A slice with another [`View`] than the full one has any values in place of some reads, see `hide`. From it only TRUE carries over.
//!
//! The cost is linear in the program but for the control dependences, which have a limit beyond which there is no slice.
//!
//! | module | does |
//! |---|---|
//! | `closure` | the operations that a slice keeps |
//! | [`constants`] | the other way to a smaller program: variables that have one value only |
//! | `control` | control dependence |
//! | `data` | the cells that operations read and write |
//! | `hide` | reads that have any value |
//! | [`relevant`] | the edges that an execution to a target may depend on |
//! | [`thin`] | the whole graph with the operations of a slice only |

pub mod constants;

mod closure;
mod control;
mod data;
mod hide;
mod relevant;
mod thin;

use super::analysis::graph;
use super::analysis::relevance;
use super::program::assumption::{Assumption, AssumptionKind};
use super::program::*;
use super::raw::RawNode;
use super::raw::contract::contract;
use crate::frontend::text::source::Loc;
use bitvec::prelude::BitVec;
use closure::Closure;
use hide::{Hidden, Reads};

pub use data::{Memory, View};
pub use relevant::relevant;
pub use thin::{Thin, thin};

/// A program without what does not concern the targets.
#[derive(Debug)]
pub struct Slice {
    /// The program that is left.
    pub program: Program,
    /// The edge of the slice for each edge of the whole program, by position; `None` if it is gone.
    pub edges: Vec<Option<EdgeId>>,
    /// How many operations were left out.
    pub removed: usize,
    /// How many reads were replaced by any values.
    pub hidden: usize,
}

/// Slices a program for the reachability of the targets. Gives the program back as it is if control dependences are too many.
///
/// All targets are edges of the slice unless the program cannot reach them.
pub fn slice(program: Program, targets: &[EdgeId], memory: &dyn Memory, view: View) -> Slice {
    let has_empty_target = targets.iter().any(|&e| matches!(program.edge(e).op, Op::Nop));
    match Closure::compute(&program, targets, memory, view) {
        // An empty edge would be contracted.
        Some(closure) if !has_empty_target => Cut::new(&program, &closure).apply(program),
        _ => {
            let edges = program.edge_ids().map(Some).collect();
            Slice {
                program,
                edges,
                removed: 0,
                hidden: 0,
            }
        }
    }
}

/// The slice's graph before empty edges are contracted.
struct Cut {
    edges: Vec<Edge>,
    /// For each of these edges the one that it was.
    origin: Vec<Option<EdgeId>>,
    /// Nodes that were added, at the positions behind the program's.
    added: Vec<RawNode>,
    hidden: Hidden,
    called: BitVec,
    removed: usize,
}

impl Cut {
    fn new(program: &Program, closure: &Closure<'_>) -> Cut {
        let mut cut = Cut {
            edges: Vec::new(),
            origin: Vec::new(),
            added: Vec::new(),
            hidden: Hidden::new(program),
            called: called_functions(program, closure),
            removed: 0,
        };
        for id in program.node_ids() {
            if cut.called[program.node(id).func.index()] {
                cut.node(program, closure, id);
            } else {
                cut.removed += program.node(id).outgoing.len();
            }
        }
        cut
    }

    fn push(&mut self, edge: Edge, origin: Option<EdgeId>) {
        self.edges.push(edge);
        self.origin.push(origin);
    }

    /// The edges that start at a node.
    fn node(&mut self, program: &Program, closure: &Closure<'_>, id: NodeId) {
        let outgoing = &program.node(id).outgoing;
        if closure.is_branch(id) && !closure.keeps_branch(id) && outgoing.len() > 1 {
            self.removed += outgoing.len();
            let to = self.meeting_point(program, closure, id);
            let loc = program.edge(outgoing[0]).loc;
            let op = Op::Nop;
            return self.push(Edge { from: id, to, op, loc }, None);
        }
        let func = program.node(id).func;
        let mut ops = Vec::with_capacity(outgoing.len());
        let mut reads = Reads::new(func, outgoing.first().map_or(Loc::NONE, |&e| program.edge(e).loc));
        for &e in outgoing {
            let op = &program.edge(e).op;
            let kept = closure.kept(e);
            self.removed += usize::from(matches!(kept, Op::Nop) && !matches!(op, Op::Nop));
            ops.push(self.hidden.operation(&closure.cells, kept, &mut reads));
        }
        let from = self.draw(program, id, reads);
        for (&e, op) in outgoing.iter().zip(ops) {
            let (to, loc) = (program.edge(e).to, program.edge(e).loc);
            self.push(Edge { from, to, op, loc }, Some(e));
        }
    }

    /// Gives the variables of hidden reads any values. Returns the node behind.
    fn draw(&mut self, program: &Program, id: NodeId, reads: Reads) -> NodeId {
        let loc = program
            .node(id)
            .outgoing
            .first()
            .map_or(Loc::NONE, |&e| program.edge(e).loc);
        let mut from = id;
        for (_, place) in reads.found {
            let to = self.add_node(program, id);
            let source = Input::LeftOut;
            let op = Op::Havoc { place, source };
            self.push(Edge { from, to, op, loc }, None);
            from = to;
        }
        from
    }

    fn add_node(&mut self, program: &Program, like: NodeId) -> NodeId {
        let node = program.node(like);
        self.added.push(RawNode {
            func: node.func,
            loc: node.loc,
            label: None,
            is_loop: false,
        });
        NodeId::new(program.nodes.len() + self.added.len() - 1)
    }

    /// Where the sides of a branch that is left out meet. If each may end elsewhere: the function's exit, where that can be reached.
    fn meeting_point(&mut self, program: &Program, closure: &Closure<'_>, id: NodeId) -> NodeId {
        let func = program.node(id).func;
        match closure.meeting_point(id) {
            Some(node) => node,
            None if closure.reaches_exit(id) => program.function(func).exit,
            None => self.add_node(program, id),
        }
    }

    fn apply(self, mut program: Program) -> Slice {
        let before = program.edges.len();
        let raw = |node: &Node| RawNode {
            func: node.func,
            loc: node.loc,
            label: node.label.clone(),
            is_loop: node.loop_head,
        };
        let mut nodes: Vec<RawNode> = program.nodes.iter().map(raw).collect();
        nodes.extend(self.added);
        let hidden = self.hidden.vars.len() + self.hidden.copies;
        program.vars.extend(self.hidden.vars);
        program.nodes.clear();
        program.edges.clear();
        for (i, function) in program.functions.iter_mut().enumerate() {
            if !self.called[i] {
                function.defined = false;
                function.params.clear();
                function.ret = None;
            }
        }
        let new_ids = contract(&mut program, nodes, self.edges);
        let mut edges = vec![None; before];
        for (origin, new) in self.origin.iter().zip(new_ids) {
            if let Some(origin) = origin {
                edges[origin.index()] = new;
            }
        }
        graph::annotate_nodes(&mut program);
        graph::annotate_recursion(&mut program);
        relevance::annotate(&mut program);
        if self.removed > 0 {
            program.assumptions.push(Assumption {
                kind: AssumptionKind::Slicing,
                detail: "what the properties do not depend on comes to its end and does nothing undefined".to_owned(),
                loc: Loc::NONE,
                sound: true,
            });
        }
        Slice {
            program,
            edges,
            removed: self.removed,
            hidden,
        }
    }
}

/// The functions that kept calls reach from the program's start.
fn called_functions(program: &Program, closure: &Closure<'_>) -> BitVec {
    let mut callees: Vec<Vec<FuncId>> = vec![Vec::new(); program.functions.len()];
    for id in program.edge_ids().filter(|&e| closure.keeps(e)) {
        if let Op::Call { func, .. } = program.edge(id).op {
            callees[program.node(program.edge(id).from).func.index()].push(func);
        }
    }
    let mut called = BitVec::repeat(false, program.functions.len());
    called.set(program.start.index(), true);
    let mut work = vec![program.start];
    while let Some(f) = work.pop() {
        for &callee in &callees[f.index()] {
            if !called.replace(callee.index(), true) {
                work.push(callee);
            }
        }
    }
    called
}
