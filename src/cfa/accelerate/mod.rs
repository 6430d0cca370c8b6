//! Acceleration of loops: programs that take many turns of a loop at once.
//!
//! A loop that counts to five million hides what is behind it: an exploration has to take all of its turns. Many such loops move their variables in a way that has a closed form: after `k` turns along one
//! path through the body, `i = i + c` has added `k * c`, and `s = s + i` a polynomial of `k`. This room adds to a program, at the head of each such loop, *lanes* that take any number of turns along one path at once
//! (Kroening, Lewis and Weissenbacher, *Under-approximating loops in C programs for fast counterexample detection*, CAV 2013). A lane is made of operations of the program, so that all domains know what to do with it:
//!
//! ```text
//!   before ──▶ head ──▶ body ──▶ before        `before` is where the loop began
//!   before ──▶ first turn ──▶ choose k; i = i + k * c; ... ──▶ last turn ──▶ head
//! ```
//!
//! Behind a lane stands the old head, so that at least one ordinary turn lies between two lanes: a sequence of lanes that could be one is not explored. The loop takes `k + 2` turns.
//!
//! * **Motions** (`turn`): counters, copies and linear maps of counters, and sums of them. Anything else that a turn writes before it reads it has the value of the last turn.
//! * **Conditions** have to be comparisons of affine forms of counters. A condition that holds in the first and the last turn of a motion without wrap-around holds between them; for an inequation both turns have to be on one side.
//!   Counters that conditions test, and those that are converted to wider types, do not wrap around in a lane. All others wrap around as the machine does. Where a counter wraps around, an ordinary turn takes it over the edge.
//! * **Inputs** of a turn: all turns of a leap take those of the first one.
//! * **Phases**: each path through the body has lanes of its own, up to a limit.
//!
//! # The meaning of a verdict
//!
//! All executions of the program are executions of the accelerated one, so that TRUE carries over. A violation of the accelerated program has to be repeated by the program: its inputs are those
//! that [`Accelerated::inputs`] gives.
//!
//! | module | does |
//! |---|---|
//! | `cycles` | the paths of one turn |
//! | `form` | affine forms |
//! | `turn` | the motions and conditions of turns along a path |
//! | `lane` | lanes |

mod cycles;
mod form;
mod lane;
#[cfg(test)]
mod tests;
mod turn;

use crate::cfa::analysis::{graph, relevance};
use crate::cfa::program::path::Step;
use crate::cfa::program::*;
use crate::frontend::text::source::Loc;
use crate::frontend::types::Types;
use lane::Lane;
use std::collections::BTreeSet;
use turn::Turn;

/// Lanes of a program at most.
const MAX_LANES: usize = 64;

/// A program with lanes. Its nodes, edges and variables are those of the program that it was made of, with the same numbers; those of lanes come behind them.
#[derive(Debug)]
pub struct Accelerated {
    /// The program.
    pub program: Program,
    /// The edges of each lane.
    lanes: Vec<Edges>,
}

/// The edges of a lane, in their order.
#[derive(Debug)]
struct Edges {
    /// The first one, of the first turn.
    first: usize,
    /// The edge that chooses how many turns are between the first and the last one.
    choice: usize,
}

/// Adds lanes to the loops of a program whose turns pass none of the targets. Each lane takes at most `longest` steps. `None` if there is no loop that has lanes.
pub fn accelerate(program: &Program, targets: &[EdgeId], longest: u64) -> Option<Accelerated> {
    let avoided: BTreeSet<EdgeId> = targets.iter().copied().collect();
    let mut accelerated = Accelerated {
        program: program.clone(),
        lanes: Vec::new(),
    };
    for head in program.node_ids().filter(|&node| program.node(node).loop_head) {
        let mut before = None;
        for path in cycles::paths(program, head, &avoided) {
            let next = VarId::new(accelerated.program.vars.len());
            let Some(turn) = Turn::along(program, &path, next) else {
                continue;
            };
            let turns = VarId::new(next.index() + turn.inputs.len());
            let Some(lanes) = turn.lanes(&path, turns, longest) else {
                continue;
            };
            if accelerated.lanes.len() + lanes.len() > MAX_LANES {
                break;
            }
            let loc = program.edge(path[0]).loc;
            let before = *before.get_or_insert_with(|| accelerated.begin(head, loc));
            accelerated.variables(&turn, head, loc);
            for lane in lanes {
                accelerated.add(lane, before, head);
            }
        }
    }
    if accelerated.lanes.is_empty() {
        return None;
    }
    graph::annotate_nodes(&mut accelerated.program);
    relevance::annotate(&mut accelerated.program);
    Some(accelerated)
}

impl Accelerated {
    /// The number of lanes.
    pub fn lanes(&self) -> usize {
        self.lanes.len()
    }

    /// The inputs with which the program takes the turns that a path through lanes takes, in their order. `asked` are the positions of steps of the path that ask for inputs, with these; `most` is
    /// how many inputs are wanted at most.
    ///
    /// `None` if they are more, or if no input says how many turns a lane takes.
    pub fn inputs(&self, steps: &[Step], asked: &[(usize, i128)], most: usize) -> Option<Vec<i128>> {
        let starts: BTreeSet<usize> = self.lanes.iter().map(|edges| edges.first).collect();
        let choices: BTreeSet<usize> = self.lanes.iter().map(|edges| edges.choice).collect();
        let mut inputs = Vec::new();
        let mut first = 0;
        let mut rest = asked;
        for (position, step) in steps.iter().enumerate() {
            let edge = step.edge().index();
            if starts.contains(&edge) {
                first = inputs.len();
            }
            let count = rest.iter().take_while(|(at, _)| *at == position).count();
            let (here, later) = rest.split_at(count);
            rest = later;
            if !choices.contains(&edge) {
                inputs.extend(here.iter().map(|(_, value)| *value));
                continue;
            }
            let &[(_, turns)] = here else { return None };
            let turn: Vec<i128> = inputs[first..].to_vec();
            let all = usize::try_from(turns).ok()?.checked_mul(turn.len())?;
            if inputs.len().checked_add(all)? > most {
                return None;
            }
            for _ in 0..if turn.is_empty() { 0 } else { turns } {
                inputs.extend_from_slice(&turn);
            }
        }
        (inputs.len() <= most).then_some(inputs)
    }

    /// Puts a node before a loop head, from which lanes begin.
    fn begin(&mut self, head: NodeId, loc: Loc) -> NodeId {
        let nodes = &mut self.program.nodes;
        let before = NodeId::new(nodes.len());
        let incoming = std::mem::take(&mut nodes[head.index()].incoming);
        for &edge in &incoming {
            self.program.edges[edge.index()].to = before;
        }
        nodes.push(Node {
            incoming,
            outgoing: Vec::new(),
            label: None,
            ..nodes[head.index()].clone()
        });
        self.edge(before, head, Op::Nop, loc);
        before
    }

    /// The variables that the lanes of a path need.
    fn variables(&mut self, turn: &Turn<'_>, head: NodeId, loc: Loc) {
        let func = self.program.node(head).func;
        let owner = self.program.function(func).name.clone();
        let kept = turn.inputs.iter().map(|(_, place, _)| ("input", place.ty));
        for (what, ty) in kept.chain([("turns", Types::UINT)]) {
            let display = format!("{what} {}", self.program.vars.len());
            let variable = Variable::temporary(func, &owner, display, ty, loc);
            self.program.vars.push(variable);
        }
    }

    fn add(&mut self, lane: Lane, before: NodeId, head: NodeId) {
        let Lane { ops, choice } = lane;
        let begin = self.program.edges.len();
        let count = ops.len();
        let mut at = before;
        for (position, (op, loc)) in ops.into_iter().enumerate() {
            let to = if position + 1 == count {
                head
            } else {
                self.node_like(head)
            };
            self.edge(at, to, op, loc);
            at = to;
        }
        self.lanes.push(Edges {
            first: begin,
            choice: begin + choice,
        });
    }

    fn node_like(&mut self, head: NodeId) -> NodeId {
        let nodes = &mut self.program.nodes;
        nodes.push(Node {
            incoming: Vec::new(),
            outgoing: Vec::new(),
            label: None,
            ..nodes[head.index()].clone()
        });
        NodeId::new(nodes.len() - 1)
    }

    fn edge(&mut self, from: NodeId, to: NodeId, op: Op, loc: Loc) {
        let edge = EdgeId::new(self.program.edges.len());
        self.program.nodes[from.index()].outgoing.push(edge);
        self.program.nodes[to.index()].incoming.push(edge);
        self.program.edges.push(Edge { from, to, op, loc });
    }
}
