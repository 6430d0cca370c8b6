//! The program counter: which steps leave a location under a call stack, and in which order locations are explored.
//!
//! # The order
//!
//! Inside a block states are explored in reverse post-order, a callee before what follows its call. So all paths into a join have arrived
//! when the join is explored, and merging makes one state of them. States that wait for their abstraction come after all states
//! inside blocks: then *all* paths of the block have arrived. Among themselves they are ordered by the end of their loop, not by its head, so that an
//! inner loop is stable before the loop around it goes on, and a loop before what follows it. This is the order of a weak
//! topological ordering (Bourdoncle 1993), read off the reverse post-order. A [search](super::search) may put another order among them in front of it.
//!
//! Less recursion comes before more: a path that returns early is followed to its end before the next level is unrolled. So unbounded recursion
//! does not keep the exploration from finding target states.

use super::callstack::{StackId, Stacks};
use crate::cfa::{NodeId, Program, Step, is_call};
use std::sync::Arc;

/// The place of a state in the order of exploration; smaller is earlier.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// How deep the recursion is.
    recursion: u32,
    /// Whether the state waits for an abstraction.
    waits: bool,
    /// The place that a [search](super::search) gives a state that waits.
    place: u64,
    /// Positions of the open call sites, outermost first, then the position in the function on top. In lexicographic order a callee comes
    /// after its call site and before what follows it.
    position: Arc<[u32]>,
}

impl Position {
    /// The position of a location with the given number in its function. A state that waits for its abstraction has a place among those that do.
    pub fn new(stacks: &Stacks, stack: StackId, own: u32, waits: Option<u64>) -> Self {
        let position = stacks.position(stack).iter().copied().chain([own]).collect();
        Position {
            recursion: stacks.recursion(stack),
            waits: waits.is_some(),
            place: waits.unwrap_or(0),
            position,
        }
    }
}

/// The locations of a program, as the exploration needs them.
#[derive(Debug)]
pub struct Locations {
    /// Per node: the largest reverse post-order number of a source of a back edge into it, or its own number.
    loop_end: Vec<u32>,
}

impl Locations {
    /// Computes the table for a program.
    pub fn new(program: &Program) -> Self {
        let end = |n: NodeId| {
            let node = program.node(n);
            let sources = node.incoming.iter().map(|&e| program.node(program.edge(e).from).rpo);
            sources.fold(node.rpo, u32::max)
        };
        Locations {
            loop_end: program.node_ids().map(end).collect(),
        }
    }

    /// The position of the end of the loop of a head; of any other node its own position.
    pub fn loop_end(&self, node: NodeId) -> u32 {
        self.loop_end[node.index()]
    }
}

/// The steps that leave a node: its edges, calls as entries; from the exit of a function the return to the call on top of the stack.
pub fn steps(program: &Program, stacks: &Stacks, node: NodeId, stack: StackId) -> Vec<Step> {
    let location = program.node(node);
    if program.function(location.func).exit == node {
        return stacks
            .pop(stack)
            .map(|(_, call)| Step::Leave(call))
            .into_iter()
            .collect();
    }
    let step = |&e| {
        if is_call(program, e).is_some() {
            Step::Enter(e)
        } else {
            Step::Edge(e)
        }
    };
    location.outgoing.iter().map(step).collect()
}
