//! The forest of functions: each function hangs under the one that its first update was made from.
//!
//! Nodes are numbered in preorder, so that a subtree is an interval and the cut above a node is found among the few cuts of a point by comparing numbers.

use super::{Cells, NONE, Node, Number, number};
use crate::num::Int;

impl Cells {
    /// Builds the forest, after all functions and updates are known.
    pub fn plant(&mut self) {
        let mut trees: Vec<u32> = (0..number(self.symbols.len())).collect();
        for (i, update) in self.updates.iter().enumerate() {
            let (a, b) = (find(&mut trees, update.new), find(&mut trees, update.old));
            if self.parent[update.new as usize] == NONE && a != b {
                trees[a as usize] = b;
                self.parent[update.new as usize] = update.old;
                self.by[update.new as usize] = number(i);
            } else {
                self.extra.push(number(i));
            }
        }
        for &i in &self.extra {
            let update = &self.updates[i as usize];
            let (a, b) = (find(&mut trees, update.new), find(&mut trees, update.old));
            trees[a as usize] = b;
        }
        self.component = (0..number(self.symbols.len())).map(|n| find(&mut trees, n)).collect();
        self.relevant = vec![Vec::new(); self.symbols.len()];
        self.number_trees();
        for node in 0..number(self.symbols.len()) {
            let by = self.by[node as usize];
            let Some(update) = self.updates.get(by as usize).filter(|u| u.lo < u.hi) else {
                continue;
            };
            if update.hi == &update.lo + Int::ONE {
                let point = self.numbers.get(&update.lo);
                self.single.entry(point).or_default().push(node);
            } else {
                self.long.push(node);
            }
        }
    }

    /// Root, depth and preorder of all nodes.
    fn number_trees(&mut self) {
        let count = self.symbols.len();
        let mut children: Vec<Vec<Node>> = vec![Vec::new(); count];
        let mut stack = Vec::new();
        for node in (0..number(count)).rev() {
            match self.parent[node as usize] {
                NONE => stack.push((node, false)),
                parent => children[parent as usize].push(node),
            }
        }
        (self.root, self.depth) = (vec![0; count], vec![0; count]);
        (self.first, self.end) = (vec![0; count], vec![0; count]);
        let mut next = 0;
        while let Some((node, done)) = stack.pop() {
            let at = node as usize;
            if done {
                self.end[at] = next;
                continue;
            }
            (self.root[at], self.depth[at]) = match self.parent[at] {
                NONE => (node, 0),
                parent => (self.root[parent as usize], self.depth[parent as usize] + 1),
            };
            self.first[at] = next;
            next += 1;
            stack.push((node, true));
            stack.extend(children[at].iter().map(|&child| (child, false)));
        }
    }

    /// All cuts at a point.
    fn all_cuts(&self, point: Number) -> impl Iterator<Item = Node> {
        let value = &self.numbers.all[point as usize];
        let singles = self.single.get(&point).into_iter().flatten();
        let contains = |n: &&Node| self.updates[self.by[**n as usize] as usize].contains(value);
        singles.chain(self.long.iter().filter(contains)).copied()
    }

    /// The cuts of a component at a point.
    pub(super) fn cuts(&self, component: u32, point: Number) -> Vec<Node> {
        let cuts = self.all_cuts(point);
        cuts.filter(|&n| self.component[n as usize] == component).collect()
    }

    /// The cut above a node (or the node itself) at a point, or its root; and whether it is a cut.
    pub(super) fn owner(&self, node: Node, point: Number) -> (Node, bool) {
        let at = self.first[node as usize];
        let above = self
            .all_cuts(point)
            .filter(|&n| self.first[n as usize] <= at && at < self.end[n as usize]);
        match above.max_by_key(|&n| self.depth[n as usize]) {
            Some(cut) => (cut, true),
            None => (self.root[node as usize], false),
        }
    }
}

/// The representative in a forest of sets.
fn find(sets: &mut [u32], node: u32) -> u32 {
    let mut at = node;
    while sets[at as usize] != at {
        sets[at as usize] = sets[sets[at as usize] as usize];
        at = sets[at as usize];
    }
    at
}
