//! The abstract reachability graph as plain data, for reports.
//!
//! Of the states only those count that mean something to a reader: the program's start, the states at abstraction points, and target
//! states. An edge stands for all paths between two of them inside a block.

use crate::cfa::{EdgeId, NodeId};
use crate::cpa::Cpa;
use crate::cpa::algorithm::Reached;
use crate::cpa::arg::ArgId;
use crate::cpa::predicate::Phase;
use crate::refine::Analysis;
use provident_smt::hash::FxHashMap;
use std::collections::BTreeSet;

/// More states are not taken over.
const MAX_STATES: usize = 5_000;
/// Formulas are cut at this number of characters.
const LONGEST: usize = 4_000;

/// An abstract state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphState {
    /// The location.
    pub node: NodeId,
    /// The open call edges, outermost first.
    pub calls: Vec<EdgeId>,
    /// The abstraction formula in C-like syntax; long ones are cut.
    pub region: String,
    /// Whether it violates a property.
    pub target: bool,
    /// The state that covers it.
    pub covered_by: Option<usize>,
}

/// An abstract reachability graph.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Graph {
    /// The states, in order of computation.
    pub states: Vec<GraphState>,
    /// Which state leads to which, as positions.
    pub edges: Vec<(usize, usize)>,
    /// The number of all abstract states, inside blocks too.
    pub total: usize,
    /// States at abstraction points that are left out, because there are too many.
    pub omitted: usize,
    /// Whether it is the whole state space.
    pub complete: bool,
}

/// One exploration of a refinement loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 1.
    pub round: u64,
    /// The abstract states that were reached.
    pub states: u64,
    /// The target states among them.
    pub targets: u64,
    /// The predicates that there were.
    pub predicates: u64,
}

/// The graph of an exploration.
pub(super) fn graph(analysis: &mut Analysis<'_>, reached: &Reached<Analysis<'_>>) -> Graph {
    let shown = |id: ArgId| {
        let data = &reached.arg[id].state.data.1;
        matches!(data.phase, Phase::Abstracted | Phase::ReachedTarget)
    };
    let all: Vec<ArgId> = reached.arg.iter().map(|(id, _)| id).filter(|&id| shown(id)).collect();
    let kept = &all[..all.len().min(MAX_STATES)];
    let numbers: FxHashMap<ArgId, usize> = kept.iter().enumerate().map(|(i, &id)| (id, i)).collect();
    let mut graph = Graph {
        total: reached.arg.len(),
        omitted: all.len() - kept.len(),
        complete: reached.is_complete(),
        ..Graph::default()
    };
    let mut texts: FxHashMap<_, String> = FxHashMap::default();
    for (number, &id) in kept.iter().enumerate() {
        let state = reached.arg[id].state.clone();
        let target = analysis.is_target(&state);
        let domain = &mut analysis.domain;
        let region = domain.record(state.data.1.abs).region;
        let text = texts.entry(region).or_insert_with(|| {
            let formula = domain.region_formula(region);
            shorten(domain.encoder.display(&domain.pool, formula))
        });
        graph.states.push(GraphState {
            node: state.control.node,
            calls: analysis.context.stacks.calls(state.control.stack),
            region: text.clone(),
            target,
            covered_by: reached.arg[id].covered_by.and_then(|by| numbers.get(&by).copied()),
        });
        for next in successors(reached, id, &numbers) {
            graph.edges.push((number, next));
        }
    }
    graph
}

/// The states that come next, behind those that are not shown.
fn successors(reached: &Reached<Analysis<'_>>, from: ArgId, numbers: &FxHashMap<ArgId, usize>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut open: Vec<ArgId> = reached.arg[from].children.to_vec();
    while let Some(id) = open.pop() {
        match numbers.get(&id) {
            Some(&number) => drop(found.insert(number)),
            None if seen.insert(id) => open.extend(reached.arg[id].children.iter().copied()),
            None => {}
        }
    }
    found
}

fn shorten(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}
