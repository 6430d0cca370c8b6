//! The forest of functions: each function hangs under the one that its first update was made from.
//!
//! Nodes are numbered in preorder, so that a subtree is an interval and the cut above a node is found among the few cuts of a point by comparing numbers.

use super::ranges::Ranges;
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
        let mut long = Vec::new();
        for node in 0..number(self.symbols.len()) {
            let by = self.by[node as usize];
            let Some(update) = self.updates.get(by as usize).filter(|u| u.lo < u.hi) else {
                continue;
            };
            if update.hi == &update.lo + Int::ONE {
                let point = self.numbers.get(&update.lo);
                self.single.entry(point).or_default().push(node);
            } else {
                long.push((node, &update.lo, &update.hi));
            }
        }
        self.long = Ranges::new(long.into_iter());
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

    /// Calls `each` for all cuts at a point.
    fn at_cuts(&self, point: Number, mut each: impl FnMut(Node)) {
        for &node in self.single.get(&point).into_iter().flatten() {
            each(node);
        }
        self.long.at(&self.numbers.all[point as usize], each);
    }

    /// The cuts of a component at a point.
    pub(super) fn cuts(&self, component: u32, point: Number) -> Vec<Node> {
        let mut cuts = Vec::new();
        self.at_cuts(point, |node| {
            if self.component[node as usize] == component {
                cuts.push(node);
            }
        });
        cuts
    }

    /// The cut above a node (or the node itself) at a point, or its root; and whether it is a cut.
    pub(super) fn owner(&self, node: Node, point: Number) -> (Node, bool) {
        let at = self.first[node as usize];
        let mut nearest: Option<Node> = None;
        self.at_cuts(point, |cut| {
            let is_above = self.first[cut as usize] <= at && at < self.end[cut as usize];
            if is_above && nearest.is_none_or(|known| self.depth[known as usize] < self.depth[cut as usize]) {
                nearest = Some(cut);
            }
        });
        match nearest {
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
