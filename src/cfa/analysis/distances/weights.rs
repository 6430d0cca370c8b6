//! The weights of steps, equations 4.1 to 4.4 of the thesis.
//!
//! | metric | weight 1 |
//! |---|---|
//! | `st` | every edge but calls and returns (Figure 3.5 gives them the weight 0, Equation 4.1 gives 1; the numbers of all figures are those of the weight 0) |
//! | `bb` | conditions |
//! | `lh` | conditions at a place where a loop may be left, or at a loop head |
//! | `lf` | these, edges that leave a function's entry, and returns |
//!
//! All other weights are 0.

use super::{Distance, Metric};
use crate::cfa::analysis::graph::loop_body;
use crate::cfa::program::{EdgeId, Op, Program};
use bitvec::vec::BitVec;

/// The weights of the edges of a program. A call edge has the weight of the step into the callee.
pub(super) struct Weights<'p> {
    program: &'p Program,
    metric: Metric,
    /// The nodes at which a loop goes on or ends.
    loops: BitVec,
}

impl<'p> Weights<'p> {
    pub(super) fn new(program: &'p Program, metric: Metric) -> Weights<'p> {
        let loops = match metric {
            Metric::Statements | Metric::BasicBlocks => BitVec::new(),
            Metric::LoopHeads | Metric::LoopsAndFunctions => loop_conditions(program),
        };
        Weights { program, metric, loops }
    }

    /// The weight of a return.
    pub(super) fn leave(&self) -> Distance {
        weight(self.metric == Metric::LoopsAndFunctions)
    }

    /// The weight of an edge.
    pub(super) fn of(&self, id: EdgeId) -> Distance {
        let edge = self.program.edge(id);
        let is_condition = matches!(edge.op, Op::Assume { .. });
        let at_loop = || is_condition && self.loops[edge.from.index()];
        let at_entry = || self.program.function(self.program.node(edge.from).func).entry == edge.from;
        weight(match self.metric {
            Metric::Statements => !matches!(edge.op, Op::Call { .. }),
            Metric::BasicBlocks => is_condition,
            Metric::LoopHeads => at_loop(),
            Metric::LoopsAndFunctions => at_loop() || at_entry(),
        })
    }
}

fn weight(counts: bool) -> Distance {
    Distance::new(u32::from(counts))
}

/// The loop heads, and the nodes of loops from which an edge leaves the loop.
pub(in crate::cfa::analysis) fn loop_conditions(program: &Program) -> BitVec {
    let mut found = BitVec::repeat(false, program.nodes.len());
    let mut inside: BitVec = BitVec::repeat(false, program.nodes.len());
    for head in program.node_ids().filter(|&n| program.node(n).loop_head) {
        let body = loop_body(program, head);
        body.iter().for_each(|node| inside.set(node.index(), true));
        for &node in &body {
            let mut outgoing = program.node(node).outgoing.iter();
            let leaves = outgoing.any(|&e| !inside[program.edge(e).to.index()]);
            if leaves || node == head {
                found.set(node.index(), true);
            }
        }
        body.iter().for_each(|node| inside.set(node.index(), false));
    }
    found
}
