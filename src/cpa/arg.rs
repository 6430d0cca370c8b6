//! The abstract reachability graph: abstract states, the edges from parents to children, and the covering relation.
//!
//! It is the reached set too: a state is reached iff its node is alive. Ids are handed out in the order of computation, never reused,
//! and every list keeps the order of insertion, so that nothing depends on hashing.
//!
//! There may be tens of millions of nodes, most of which have one parent and few children: their [lists](super::links) are no allocations of their own. Few nodes cover others, so
//! the covering relation stands beside the nodes.

use super::links::Links;
use crate::cfa::Step;
use provident_smt::hash::FxHashMap;
use std::num::NonZeroU32;
use std::ops::{Index, IndexMut};

/// A node of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArgId(NonZeroU32);

impl ArgId {
    fn new(index: usize) -> Self {
        let number = u32::try_from(index + 1).ok().and_then(NonZeroU32::new);
        ArgId(number.expect("fewer than 2^32 abstract states"))
    }

    /// The position in order of computation.
    pub fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// Nodes, of which three need no allocation.
pub type ArgIds = Links<ArgId, 3>;
/// The nodes that a node was computed from, of which one needs no allocation.
pub type Parents = Links<(ArgId, Step), 1>;

/// An abstract state in the graph.
#[derive(Debug, Clone)]
pub struct Node<S> {
    /// The abstract state.
    pub state: S,
    /// The nodes it was computed (or merged) from, with the step taken.
    pub parents: Parents,
    /// The nodes computed from it.
    pub children: ArgIds,
    /// The node that covers it.
    pub covered_by: Option<ArgId>,
    /// Whether `prec` has seen it and its successors have been computed (or it is covered).
    pub expanded: bool,
    /// The length of the path on which it was first found.
    pub level: u32,
    alive: bool,
}

/// The abstract reachability graph over states of type `S`.
#[derive(Debug, Clone, Default)]
pub struct Arg<S> {
    nodes: Vec<Node<S>>,
    /// The nodes that a node covers, for those that cover any.
    covers: FxHashMap<ArgId, Vec<ArgId>>,
    alive: usize,
}

impl<S> Index<ArgId> for Arg<S> {
    type Output = Node<S>;
    fn index(&self, id: ArgId) -> &Node<S> {
        &self.nodes[id.index()]
    }
}

impl<S> IndexMut<ArgId> for Arg<S> {
    fn index_mut(&mut self, id: ArgId) -> &mut Node<S> {
        &mut self.nodes[id.index()]
    }
}

impl<S> Arg<S> {
    /// The empty graph.
    pub fn new() -> Self {
        Arg {
            nodes: Vec::new(),
            covers: FxHashMap::default(),
            alive: 0,
        }
    }

    /// Adds a root.
    pub fn add_root(&mut self, state: S) -> ArgId {
        self.add_node(state, Parents::default(), 0)
    }

    /// Adds a state computed from `parent` by `step`.
    pub fn add_child(&mut self, parent: ArgId, step: Step, state: S) -> ArgId {
        let level = self[parent].level.saturating_add(1);
        let id = self.add_node(state, Parents::one((parent, step)), level);
        self[parent].children.push(id);
        id
    }

    fn add_node(&mut self, state: S, parents: Parents, level: u32) -> ArgId {
        let id = ArgId::new(self.nodes.len());
        self.nodes.push(Node {
            state,
            parents,
            children: ArgIds::default(),
            covered_by: None,
            expanded: false,
            level,
            alive: true,
        });
        self.alive += 1;
        id
    }

    /// Records that `child` was merged with a successor of `parent`.
    pub fn add_parent(&mut self, child: ArgId, parent: ArgId, step: Step) {
        self[child].parents.push((parent, step));
        if !self[parent].children.contains(&child) {
            self[parent].children.push(child);
        }
    }

    /// Records that `by` covers `id`.
    pub fn cover(&mut self, id: ArgId, by: ArgId) {
        assert!(
            id != by && self[by].covered_by.is_none(),
            "a state is covered by another, uncovered one"
        );
        self[id].covered_by = Some(by);
        self.covers.entry(by).or_default().push(id);
    }

    /// Records that nothing covers `id` any more.
    pub fn uncover(&mut self, id: ArgId) {
        let Some(by) = self[id].covered_by.take() else { return };
        if let Some(covered) = self.covers.get_mut(&by) {
            covered.retain(|&c| c != id);
            if covered.is_empty() {
                self.covers.remove(&by);
            }
        }
    }

    /// Whether the node is in the reached set.
    pub fn is_alive(&self, id: ArgId) -> bool {
        self[id].alive
    }

    /// The reached set, in order of computation.
    pub fn iter(&self) -> impl Iterator<Item = (ArgId, &Node<S>)> {
        self.nodes
            .iter()
            .enumerate()
            .filter(|(_, n)| n.alive)
            .map(|(i, n)| (ArgId::new(i), n))
    }

    /// The number of reached states.
    pub fn len(&self) -> usize {
        self.alive
    }

    /// Whether nothing is reached.
    pub fn is_empty(&self) -> bool {
        self.alive == 0
    }

    /// Removes a single leaf, for example one that turned out to represent no concrete state.
    pub fn remove_leaf(&mut self, id: ArgId) {
        assert!(
            self[id].children.is_empty() && !self.covers.contains_key(&id),
            "only leaves can be removed alone"
        );
        self.detach(id);
    }

    /// Removes everything below `id`, but not `id` itself.
    ///
    /// Returns, in order of computation, the survivors that have to be explored again: those whose covering node went away (or is `id`), and
    /// the surviving parents of removed nodes. They and `id` are marked as not expanded; `id` has no children afterwards.
    pub fn remove_subtree(&mut self, id: ArgId) -> Vec<ArgId> {
        let mut doomed: Vec<ArgId> = Vec::new();
        let mut again = self.covers.remove(&id).unwrap_or_default();
        let mut stack = self[id].children.to_vec();
        while let Some(n) = stack.pop() {
            if n == id || !self[n].alive {
                continue;
            }
            doomed.push(n);
            let node = &mut self[n];
            node.alive = false;
            stack.extend(node.children.iter().copied());
            again.extend(node.parents.iter().map(|&(p, _)| p));
            again.extend(self.covers.get(&n).into_iter().flatten().copied());
            self.alive -= 1;
        }
        for &n in &doomed {
            self.unlink(n);
        }
        again.retain(|&n| n != id && self[n].alive);
        again.sort_unstable();
        again.dedup();
        for &n in again.iter().chain([&id]) {
            self[n].expanded = false;
        }
        for &n in &again {
            self[n].covered_by = None;
        }
        self[id].children.clear();
        again
    }

    fn detach(&mut self, id: ArgId) {
        if self[id].alive {
            self.nodes[id.index()].alive = false;
            self.alive -= 1;
            self.unlink(id);
        }
    }

    /// Takes a dead node out of the lists of its neighbours.
    fn unlink(&mut self, id: ArgId) {
        for &(parent, _) in std::mem::take(&mut self[id].parents).iter() {
            self[parent].children.retain(|&c| c != id);
        }
        self.uncover(id);
        self.covers.remove(&id);
        self[id].children.clear();
    }
}
