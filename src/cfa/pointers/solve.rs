//! The solver of inclusion constraints: wave propagation.
//!
//! Nodes are values; an inclusion is an edge along which sets flow. Loads, stores, block copies and calls through a value are constraints that add
//! edges for each object that arrives at it. A wave (Pereira and Berlin, *Wave propagation and deep propagation for pointer analysis*, CGO 2009)
//! collapses the cycles of the graph, moves what is new along it in topological order, and then adds the edges that follow, until there are none.
//!
//! An object's content is one node per kind of cell. A value that is stored through an unknown pointer may be in every object that pointers reach:
//! for each kind it is kept in one node that flows into all contents of that kind.

use super::set::Set;
use crate::cfa::memory_types::KindId;
use provident_smt::hash::{FxHashMap, FxHashSet};

/// A node.
pub(super) type NodeIndex = u32;

/// Inclusions that hold as soon as a function is among the targets of a call.
#[derive(Debug, Clone)]
pub(super) struct Callee {
    pub function: u32,
    pub inclusions: Vec<(NodeIndex, NodeIndex)>,
}

#[derive(Debug, Default, Clone)]
struct Node {
    set: Set,
    /// The members that were moved along the edges.
    moved: Set,
    /// The members to which the constraints were applied.
    applied: Set,
    successors: Vec<NodeIndex>,
    loads: Vec<(NodeIndex, KindId)>,
    stores: Vec<(NodeIndex, KindId)>,
    copied_from: Vec<NodeIndex>,
    copied_to: Vec<NodeIndex>,
    callees: Vec<Callee>,
}

impl Node {
    fn is_constrained(&self) -> bool {
        !(self.loads.is_empty()
            && self.stores.is_empty()
            && self.copied_from.is_empty()
            && self.copied_to.is_empty()
            && self.callees.is_empty())
    }
}

/// The constraints and their least solution.
#[derive(Debug, Default)]
pub(super) struct Solver {
    nodes: Vec<Node>,
    parent: Vec<NodeIndex>,
    edges: FxHashSet<(NodeIndex, NodeIndex)>,
    cells: FxHashMap<(u32, KindId), NodeIndex>,
    cells_of: FxHashMap<u32, Vec<NodeIndex>>,
    /// For each kind, what is stored through unknown pointers.
    unknown_stores: FxHashMap<KindId, NodeIndex>,
    /// The values that block copies write through unknown pointers.
    unknown_blocks: Option<NodeIndex>,
    /// Everything that is written through unknown pointers.
    unknown_content: Option<NodeIndex>,
    /// For objects that are copied as blocks: all that is in them, and what is copied into them.
    content: FxHashMap<u32, NodeIndex>,
    filled: FxHashMap<u32, NodeIndex>,
    /// Objects that have no content.
    empty: FxHashSet<u32>,
    changed: bool,
}

impl Solver {
    /// A new node with the empty set.
    pub fn node(&mut self) -> NodeIndex {
        let id = NodeIndex::try_from(self.nodes.len()).expect("fewer than 2^32 nodes");
        self.nodes.push(Node::default());
        self.parent.push(id);
        id
    }

    /// Says that an object is a function, which has no content.
    pub fn without_content(&mut self, object: u32) {
        self.empty.insert(object);
    }

    fn root(&mut self, mut node: NodeIndex) -> NodeIndex {
        while self.parent[node as usize] != node {
            let above = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = above;
            node = above;
        }
        node
    }

    fn at(&mut self, node: NodeIndex) -> &mut Node {
        let root = self.root(node);
        &mut self.nodes[root as usize]
    }

    /// The set of a node.
    pub fn set(&self, mut node: NodeIndex) -> &Set {
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        &self.nodes[node as usize].set
    }

    /// The node of the cells of a kind in an object, if any constraint speaks of it.
    pub fn known_cell(&self, object: u32, kind: KindId) -> Option<NodeIndex> {
        self.cells.get(&(object, kind)).copied()
    }

    /// An object is in the set of a node.
    pub fn add_object(&mut self, node: NodeIndex, object: u32) {
        let new = self.at(node).set.add(object);
        self.changed |= new;
    }

    /// Every object is in the set of a node.
    pub fn add_unknown(&mut self, node: NodeIndex) {
        let new = self.at(node).set.add_unknown();
        self.changed |= new;
    }

    /// All of `from` is in `to`.
    pub fn include(&mut self, from: NodeIndex, to: NodeIndex) {
        let (from, to) = (self.root(from), self.root(to));
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.nodes[from as usize].successors.push(to);
        let moved = std::mem::take(&mut self.nodes[from as usize].set);
        self.nodes[to as usize].set.union(&moved);
        self.nodes[from as usize].set = moved;
        self.changed = true;
    }

    /// `to` has what the cells of the kind hold in the objects of `pointer`.
    pub fn load(&mut self, pointer: NodeIndex, kind: KindId, to: NodeIndex) {
        let node = self.at(pointer);
        node.loads.push((to, kind));
        node.applied = Set::default();
        self.changed = true;
    }

    /// The cells of the kind in the objects of `pointer` hold what `from` has.
    pub fn store(&mut self, pointer: NodeIndex, kind: KindId, from: NodeIndex) {
        let node = self.at(pointer);
        node.stores.push((from, kind));
        node.applied = Set::default();
        self.changed = true;
    }

    /// The objects of `to` contain all that those of `from` contain.
    pub fn copy(&mut self, to: NodeIndex, from: NodeIndex) {
        let block = self.node();
        for (node, reads) in [(from, true), (to, false)] {
            let node = self.at(node);
            let list = if reads {
                &mut node.copied_from
            } else {
                &mut node.copied_to
            };
            list.push(block);
            node.applied = Set::default();
        }
        self.changed = true;
    }

    /// Inclusions that hold as soon as `pointer` has a function.
    pub fn call(&mut self, pointer: NodeIndex, callee: Callee) {
        let node = self.at(pointer);
        node.callees.push(callee);
        node.applied = Set::default();
        self.changed = true;
    }

    /// The node of the cells of a kind in an object.
    pub fn cell(&mut self, object: u32, kind: KindId) -> NodeIndex {
        if let Some(&cell) = self.cells.get(&(object, kind)) {
            return cell;
        }
        let cell = self.node();
        self.cells.insert((object, kind), cell);
        self.cells_of.entry(object).or_default().push(cell);
        let unknown = self.unknown_store(kind);
        self.include(unknown, cell);
        if let Some(&content) = self.content.get(&object) {
            self.include(cell, content);
        }
        if let Some(&filled) = self.filled.get(&object) {
            self.include(filled, cell);
        }
        cell
    }

    fn unknown_store(&mut self, kind: KindId) -> NodeIndex {
        if let Some(&node) = self.unknown_stores.get(&kind) {
            return node;
        }
        let node = self.node();
        self.unknown_stores.insert(kind, node);
        let (blocks, content) = (self.unknown_block(), self.unknown_content());
        self.include(blocks, node);
        self.include(node, content);
        node
    }

    fn unknown_block(&mut self) -> NodeIndex {
        if let Some(node) = self.unknown_blocks {
            return node;
        }
        let node = self.node();
        self.unknown_blocks = Some(node);
        let content = self.unknown_content();
        self.include(node, content);
        node
    }

    fn unknown_content(&mut self) -> NodeIndex {
        if let Some(node) = self.unknown_content {
            return node;
        }
        let node = self.node();
        self.unknown_content = Some(node);
        node
    }

    /// The node of all that is in an object.
    fn content(&mut self, object: u32) -> NodeIndex {
        if let Some(&node) = self.content.get(&object) {
            return node;
        }
        let node = self.node();
        self.content.insert(object, node);
        for cell in self.cells_of.get(&object).cloned().unwrap_or_default() {
            self.include(cell, node);
        }
        if let Some(&filled) = self.filled.get(&object) {
            self.include(filled, node);
        }
        let unknown = self.unknown_content();
        self.include(unknown, node);
        node
    }

    /// The node of what all cells of an object hold.
    pub fn filled(&mut self, object: u32) -> NodeIndex {
        if let Some(&node) = self.filled.get(&object) {
            return node;
        }
        let node = self.node();
        self.filled.insert(object, node);
        for cell in self.cells_of.get(&object).cloned().unwrap_or_default() {
            self.include(node, cell);
        }
        if let Some(&content) = self.content.get(&object) {
            self.include(node, content);
        }
        node
    }

    /// Computes the least solution. May be called again after constraints were added.
    pub fn solve(&mut self) {
        loop {
            self.changed = false;
            let order = self.collapse_cycles();
            for &node in &order {
                self.wave(node);
            }
            for &node in &order {
                self.apply(node);
            }
            if !self.changed {
                break;
            }
        }
    }

    /// Moves what is new at a node along its edges.
    fn wave(&mut self, node: NodeIndex) {
        let at = node as usize;
        let new = self.nodes[at].set.without(&self.nodes[at].moved);
        if new.is_empty() {
            return;
        }
        self.nodes[at].moved = self.nodes[at].set.clone();
        let successors = std::mem::take(&mut self.nodes[at].successors);
        for &to in &successors {
            let to = self.root(to);
            if to != node {
                self.nodes[to as usize].set.union(&new);
            }
        }
        self.nodes[at].successors = successors;
    }

    /// Adds the edges that follow from new objects at a node.
    fn apply(&mut self, node: NodeIndex) {
        let node = self.root(node);
        let at = node as usize;
        if !self.nodes[at].is_constrained() {
            return;
        }
        let new = self.nodes[at].set.without(&self.nodes[at].applied);
        if new.is_empty() {
            return;
        }
        self.nodes[at].applied = self.nodes[at].set.clone();
        let loads = self.nodes[at].loads.clone();
        let stores = self.nodes[at].stores.clone();
        let (sources, sinks) = (self.nodes[at].copied_from.clone(), self.nodes[at].copied_to.clone());
        if new.has_unknown() {
            loads.iter().for_each(|&(to, _)| self.add_unknown(to));
            for &(from, kind) in &stores {
                let unknown = self.unknown_store(kind);
                self.include(from, unknown);
            }
            sources.iter().for_each(|&block| self.add_unknown(block));
            for &block in &sinks {
                let unknown = self.unknown_block();
                self.include(block, unknown);
            }
        }
        for object in new.iter().filter(|o| !self.empty.contains(o)).collect::<Vec<u32>>() {
            for &(to, kind) in &loads {
                let cell = self.cell(object, kind);
                self.include(cell, to);
            }
            for &(from, kind) in &stores {
                let cell = self.cell(object, kind);
                self.include(from, cell);
            }
            for &block in &sources {
                let content = self.content(object);
                self.include(content, block);
            }
            for &block in &sinks {
                let filled = self.filled(object);
                self.include(block, filled);
            }
        }
        self.apply_calls(node, &new);
    }

    fn apply_calls(&mut self, node: NodeIndex, new: &Set) {
        let callees = std::mem::take(&mut self.nodes[node as usize].callees);
        let functions: FxHashSet<u32> = new.iter().collect();
        for callee in &callees {
            if new.has_unknown() || functions.contains(&callee.function) {
                for &(from, to) in &callee.inclusions {
                    self.include(from, to);
                }
            }
        }
        let root = self.root(node) as usize;
        self.nodes[root].callees.extend(callees);
    }

    /// Makes one node of each cycle (Tarjan 1972, iterative). Returns the nodes that are left in topological order.
    fn collapse_cycles(&mut self) -> Vec<NodeIndex> {
        const NEW: u32 = u32::MAX;
        let n = self.nodes.len();
        let (mut index, mut low) = (vec![NEW; n], vec![0u32; n]);
        let mut on_stack = vec![false; n];
        let (mut stack, mut order, mut next): (Vec<NodeIndex>, Vec<NodeIndex>, u32) = (Vec::new(), Vec::new(), 0);
        let all: Vec<NodeIndex> = (0u32..).take(n).collect();
        for start in all {
            if self.root(start) != start || index[start as usize] != NEW {
                continue;
            }
            let mut work = vec![(start, 0usize)];
            while let Some(&mut (v, ref mut i)) = work.last_mut() {
                let at = v as usize;
                if *i == 0 {
                    (index[at], low[at]) = (next, next);
                    next += 1;
                    stack.push(v);
                    on_stack[at] = true;
                }
                if let Some(&w) = self.nodes[at].successors.get(*i) {
                    *i += 1;
                    let w = self.root(w);
                    if index[w as usize] == NEW {
                        work.push((w, 0));
                    } else if on_stack[w as usize] {
                        low[at] = low[at].min(index[w as usize]);
                    }
                    continue;
                }
                work.pop();
                if let Some(&(above, _)) = work.last() {
                    low[above as usize] = low[above as usize].min(low[at]);
                }
                if low[at] == index[at] {
                    order.push(v);
                    while let Some(w) = stack.pop() {
                        on_stack[w as usize] = false;
                        if w == v {
                            break;
                        }
                        self.merge(v, w);
                    }
                }
            }
        }
        // A component is finished after everything that it leads to.
        order.reverse();
        order
    }

    fn merge(&mut self, into: NodeIndex, node: NodeIndex) {
        self.parent[node as usize] = into;
        let other = std::mem::take(&mut self.nodes[node as usize]);
        let root = &mut self.nodes[into as usize];
        root.set.union(&other.set);
        root.successors.extend(other.successors);
        root.loads.extend(other.loads);
        root.stores.extend(other.stores);
        root.copied_from.extend(other.copied_from);
        root.copied_to.extend(other.copied_to);
        root.callees.extend(other.callees);
        (root.moved, root.applied) = (Set::default(), Set::default());
    }
}
