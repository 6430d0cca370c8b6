//! The program as a graph of large blocks: the control-flow automaton after large-block encoding.
//!
//! One exploration with an empty precision visits every abstraction point once, with the block that leads to it. So its abstract reachability graph is the program in which a step is a block without loops. All
//! algorithms of this room work on that graph, and none of them encodes a step of the program.
//!
//! A block that its own formula refutes is an edge as well: nobody has asked the solver about it. Only target states have been looked at.

use crate::cfa::FuncId;
use crate::cpa::algorithm::Reached;
use crate::cpa::composite::Control;
use crate::cpa::predicate::blocks::BlockId;
use crate::cpa::predicate::{AbsId, Phase};
use crate::refine::{Analysis, Target, extract_targets};
use std::collections::BTreeMap;

/// A location of the graph, by its position in [`BlockGraph::locations`].
pub(super) type Location = usize;

/// A block between two locations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Edge {
    pub from: Location,
    pub to: Location,
    pub block: BlockId,
}

/// A last block, which ends with a violation.
#[derive(Debug, Clone)]
pub(super) struct TargetEdge {
    pub from: Location,
    pub block: BlockId,
    pub target: Target,
}

/// The graph.
#[derive(Debug, Clone)]
pub(super) struct BlockGraph {
    /// The abstraction points; the program's start is the first, and nothing leads to it.
    pub locations: Vec<Control>,
    /// The functions whose frames there are at each location.
    pub frames: Vec<Vec<FuncId>>,
    /// The blocks between them, each once, in order.
    pub edges: Vec<Edge>,
    /// The blocks to violations.
    pub targets: Vec<TargetEdge>,
}

/// The program's start.
pub(super) const ROOT: Location = 0;

impl BlockGraph {
    /// The graph of an exploration that came to its end.
    pub fn new<'p>(analysis: &Analysis<'p>, reached: &Reached<Analysis<'p>>) -> BlockGraph {
        assert!(reached.is_complete(), "a part of the program is no program");
        let domain = &analysis.domain.second;
        let mut locations = vec![domain.record(AbsId::ROOT).control];
        let mut numbers: BTreeMap<Control, Location> = BTreeMap::new();
        let mut number = |abs: AbsId| {
            if abs == AbsId::ROOT {
                return ROOT;
            }
            let control = domain.record(abs).control;
            *numbers.entry(control).or_insert_with(|| {
                locations.push(control);
                locations.len() - 1
            })
        };
        let mut edges = Vec::new();
        for (_, node) in reached.arg.iter() {
            let state = node.state.data.1;
            if state.phase == Phase::Abstracted && state.abs != AbsId::ROOT {
                let record = domain.record(state.abs);
                edges.push(Edge {
                    from: number(record.before),
                    to: number(state.abs),
                    block: record.block,
                });
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let targets = extract_targets(analysis, reached).into_iter().map(|target| TargetEdge {
            from: number(target.state.abs),
            block: target.state.block,
            target,
        });
        let targets = targets.collect();
        let stacks = &analysis.context.stacks;
        let frames = locations.iter().map(|control| stacks.iter(control.stack).collect());
        BlockGraph {
            frames: frames.collect(),
            locations,
            edges,
            targets,
        }
    }

    /// The blocks that begin at a location.
    pub fn edges_from(&self, location: Location) -> impl Iterator<Item = Edge> + '_ {
        self.edges.iter().copied().filter(move |edge| edge.from == location)
    }

    /// The blocks to violations that begin at a location, by their positions.
    pub fn targets_from(&self, location: Location) -> impl Iterator<Item = usize> + '_ {
        (0..self.targets.len()).filter(move |&target| self.targets[target].from == location)
    }
}
