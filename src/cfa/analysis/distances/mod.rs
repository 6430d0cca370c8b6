//! Distances to the targets, for directed search (Lee, *Directed Model Checking for Fast Abstract Reachability Analysis*, IEEE Access 2021, and the thesis on TOUR of 2022).
//!
//! Each location has two numbers that depend on the program only:
//!
//! * *exit-dist*: the length of the shortest way to the exit of its function, through calls and back;
//! * *abs-dist*: the length of the shortest way to a target that does not leave the function of the location. It may end inside of a call.
//!
//! The length of a way is the sum of the [weights](weights) of its steps, which a [`Metric`] gives. The *distance* of a location under a call stack is the length of the
//! shortest way to a target that returns to the callers as the stack says:
//!
//! ```text
//! dist(l, stack) = min(abs-dist(l), exit-dist(l) + behind(stack))
//! behind(stack)  = weight of the return + dist(return location, stack without its top frame), infinite for the bottom frame
//! ```
//!
//! The paper writes `exit-dist'(l) + dist(call)` with `exit-dist'(l) = exit-dist(l) - exit-dist(entry)` for the second part. Both are equal if the shortest way from the call goes through the callee and comes back, as in all
//! examples of the paper. If the shortest way ends at a target inside of the callee, the paper's sum counts the way to that target as if it were the way behind the call, and may be negative.
//! Ours is the length of the shortest way in every case (a property test compares it with all ways). `behind` depends on the stack only, so that it is computed once for each interned stack.
//!
//! # Recursion
//!
//! The length of the shortest way through a function is the least solution of equations `x = min(.., c + y + z, ..)` over the locations: a call is the sum of the way through the callee and of the way
//! behind it. Such sums are at least as great as each of their parts, so that Dijkstra's algorithm finds all values in ascending order (Knuth, *A generalization of Dijkstra's algorithm*, IPL 1977), whatever calls
//! what. The paper's algorithm `exit-dist*`, which breaks cycles of the call graph one after the other, has the same results where the shortest way does without recursion.
//!
//! # Several targets
//!
//! One virtual source stands behind all targets. The weight of the step into it is that of the target's property: a property with a greater weight is looked for later.
//!
//! | module | does |
//! |---|---|
//! | `weights` | the metrics |
//! | `shortest` | shortest ways through functions, and to targets |

mod shortest;
mod weights;

pub(super) use weights::loop_conditions;

use crate::cfa::program::path::is_call;
use crate::cfa::program::{EdgeId, FuncId, NodeId, Program};
use shortest::{Graph, Way};
use std::fmt;
use weights::Weights;

/// The steps that count on a way to a target. The names are those of the paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// `st`: statements.
    Statements,
    /// `bb`: basic blocks, that is conditions.
    BasicBlocks,
    /// `lh`: loop heads, that is conditions of loops.
    LoopHeads,
    /// `lf`: conditions of loops, function entries and returns.
    LoopsAndFunctions,
}

impl Metric {
    /// All of them, in the order of the paper.
    pub const ALL: [Metric; 4] = [
        Metric::Statements,
        Metric::BasicBlocks,
        Metric::LoopHeads,
        Metric::LoopsAndFunctions,
    ];

    /// Its name in the paper.
    pub fn name(self) -> &'static str {
        match self {
            Metric::Statements => "st",
            Metric::BasicBlocks => "bb",
            Metric::LoopHeads => "lh",
            Metric::LoopsAndFunctions => "lf",
        }
    }

    /// The metric of a name.
    pub fn named(name: &str) -> Option<Metric> {
        Metric::ALL.into_iter().find(|metric| metric.name() == name)
    }
}

/// The length of a way, or that there is none. In order: shorter ways first, none last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Distance(u32);

impl Distance {
    /// A way without steps that count.
    pub const ZERO: Distance = Distance(0);
    /// No way.
    pub const INFINITE: Distance = Distance(u32::MAX);

    /// The way of a length.
    pub fn new(length: u32) -> Distance {
        Distance(length)
    }

    /// The length; `None` if there is no way.
    pub fn length(self) -> Option<u32> {
        (self != Distance::INFINITE).then_some(self.0)
    }

    /// The length of this way and another one behind it. Lengths that have no number count as no way.
    #[must_use]
    pub fn then(self, other: Distance) -> Distance {
        Distance(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.length() {
            Some(length) => f.pad(&length.to_string()),
            None => f.pad("inf"),
        }
    }
}

/// The distances of all locations of a program, by one metric.
#[derive(Debug)]
pub struct Distances {
    exit: Vec<Distance>,
    absolute: Vec<Distance>,
    /// The weight of a return.
    leave: Distance,
}

impl Distances {
    /// Computes them: for each target edge the weight of its property. Needs time `O(e log e)` for `e` edges.
    pub fn new(program: &Program, metric: Metric, targets: impl Iterator<Item = (EdgeId, u32)>) -> Distances {
        let weights = Weights::new(program, metric);
        let leave = weights.leave();
        let node = |id: NodeId| id.index();
        let way = |id: EdgeId| {
            let edge = program.edge(id);
            Way {
                from: node(edge.from),
                to: node(edge.to),
                weight: weights.of(id),
                through: is_call(program, id).map(FuncId::index),
            }
        };
        let ends = program.functions.iter().map(|f| (node(f.entry), node(f.exit)));
        let graph = Graph::new(
            program.nodes.len(),
            program.edge_ids().map(way).collect(),
            ends.collect(),
            leave,
        );
        let targets = targets.map(|(edge, weight)| (node(program.edge(edge).from), weight));
        let exit = graph.exit_distances();
        let absolute = graph.absolute_distances(&exit, targets);
        Distances { exit, absolute, leave }
    }

    /// The *exit-dist* of a location.
    pub fn exit(&self, node: NodeId) -> Distance {
        self.exit[node.index()]
    }

    /// The paper's *exit-dist'* of a location: its *exit-dist* minus that of the entry of its function. `None` if one of them is infinite.
    pub fn relative_exit(&self, program: &Program, node: NodeId) -> Option<i64> {
        let entry = program.function(program.node(node).func).entry;
        Some(i64::from(self.exit(node).length()?) - i64::from(self.exit(entry).length()?))
    }

    /// The *abs-dist* of a location.
    pub fn absolute(&self, node: NodeId) -> Distance {
        self.absolute[node.index()]
    }

    /// The distance of a location under a call stack, which is given by what is [`behind`](Self::behind) its top frame.
    pub fn distance(&self, node: NodeId, behind: Distance) -> Distance {
        self.absolute(node).min(self.exit(node).then(behind))
    }

    /// The length of the shortest way to a target from the exit of the function that `call` has called. `below` is what is behind the frame of the caller, infinite for the bottom frame.
    pub fn behind(&self, program: &Program, call: EdgeId, below: Distance) -> Distance {
        self.leave.then(self.distance(program.edge(call).to, below))
    }
}
