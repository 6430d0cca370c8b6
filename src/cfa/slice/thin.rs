//! Thin programs: the whole graph of a program with the operations of a slice only.
//!
//! A proof on a [slice](super) says nothing that a reader could check on the program: the slice has other locations. A thin program has the locations, edges and calls of the program it was made of, each with its
//! number. An operation that the slice leaves out is empty, and a branch that it leaves out may go either way. So an inductive invariant of the thin program speaks of the locations of the program, and is one of the
//! program too if what was left out disturbs none of it. The obligations of the whole program have to show that.

use super::closure::Closure;
use super::data::{Memory, View};
use super::hide::{Hidden, Reads};
use crate::cfa::analysis::{graph, relevance};
use crate::cfa::program::*;
use crate::frontend::text::source::Loc;

/// A thin program.
#[derive(Debug)]
pub struct Thin {
    /// The program. New nodes, edges and variables come behind those of the whole one.
    pub program: Program,
    /// How many operations are empty that were not.
    pub removed: usize,
    /// How many operations are left.
    pub kept: usize,
    /// How many reads were replaced by any values.
    pub hidden: usize,
}

/// The thin program of a slice for the reachability of the targets; `None` if control dependences are too many.
pub fn thin(program: &Program, targets: &[EdgeId], memory: &dyn Memory, view: View) -> Option<Thin> {
    let closure = Closure::compute(program, targets, memory, view)?;
    let mut hidden = Hidden::new(program);
    let mut thin = Thin {
        program: program.clone(),
        removed: 0,
        kept: 0,
        hidden: 0,
    };
    for id in program.node_ids() {
        let outgoing = &program.node(id).outgoing;
        let loc = outgoing.first().map_or(Loc::NONE, |&edge| program.edge(edge).loc);
        let mut reads = Reads::new(program.node(id).func, loc);
        for &edge in outgoing {
            let op = match (closure.kept(edge), &program.edge(edge).op) {
                // Control comes to the locations of a function whose results do not matter, too; and never to what is behind a condition that is decided.
                (Op::Nop, call @ Op::Call { .. }) => closure.needed_part(program, call),
                (Op::Nop, decided @ Op::Assume { cond, .. }) if cond.as_const().is_some() => decided.clone(),
                (kept, _) => kept,
            };
            let was_empty = matches!(program.edge(edge).op, Op::Nop);
            match op {
                Op::Nop => thin.removed += usize::from(!was_empty),
                _ => thin.kept += 1,
            }
            thin.program.edges[edge.index()].op = hidden.operation(&closure.cells, op, &mut reads);
        }
        thin.draw(id, reads, loc);
    }
    thin.hidden = hidden.vars.len() + hidden.copies;
    thin.program.vars.extend(hidden.vars);
    graph::annotate_nodes(&mut thin.program);
    relevance::annotate(&mut thin.program);
    Some(thin)
}

impl Thin {
    /// Gives the variables of hidden reads any values behind a node, before its operations.
    fn draw(&mut self, id: NodeId, reads: Reads, loc: Loc) {
        let Program { nodes, edges, .. } = &mut self.program;
        let mut from = id;
        for (_, place) in reads.found {
            let (to, edge) = (NodeId::new(nodes.len()), EdgeId::new(edges.len()));
            let op = Op::Havoc {
                place,
                source: Input::LeftOut,
            };
            let outgoing = std::mem::replace(&mut nodes[from.index()].outgoing, vec![edge]);
            for &moved in &outgoing {
                edges[moved.index()].from = to;
            }
            nodes.push(Node {
                incoming: vec![edge],
                outgoing,
                label: None,
                ..nodes[id.index()].clone()
            });
            edges.push(Edge { from, to, op, loc });
            from = to;
        }
    }
}
