//! Why two nodes are equal: a walk through the proof forest.
//!
//! Nodes of one class are in one tree, and the edges on the path between them say why they are equal. An edge that a congruence made is explained by the equality
//! of the arguments in turn. No edge is explained twice: what is explained already gets a shortcut to the end of its path (Nieuwenhuis and Oliveras
//! 2007, section 5).

use super::{Because, Egraph, Node, TRUE};
use crate::proof::Lit;

impl Egraph {
    /// The negations of the literals that make two nodes equal.
    pub(super) fn explain_equality(&mut self, ticks: &mut u64, a: Node, b: Node) -> Vec<Lit> {
        let mut literals = Vec::new();
        let mut open = vec![(a, b)];
        // Nodes whose edge is explained already have this mark, and a shortcut.
        self.mark += 1;
        let done = self.mark;
        while let Some((a, b)) = open.pop() {
            let meet = self.nearest_common(ticks, a, b, done);
            for start in [a, b] {
                let mut at = self.beyond_explained(start, done);
                while at != meet {
                    let (to, because) = self.nodes[at.index()].edge.expect("equal nodes are in one tree");
                    (self.explained[at.index()], self.shortcut[at.index()]) = (done, to);
                    self.explain_edge(at, to, because, &mut literals, &mut open);
                    at = self.beyond_explained(to, done);
                }
            }
        }
        literals.sort_unstable();
        literals.dedup();
        literals
    }

    fn explain_edge(&self, a: Node, b: Node, because: Because, literals: &mut Vec<Lit>, open: &mut Vec<(Node, Node)>) {
        match because {
            Because::Literal(literal) => literals.push(!literal),
            Because::Sides => {
                let equation = if a == TRUE { b } else { a };
                let shape = self.nodes[equation.index()].shape.expect("an equation has sides");
                open.push((shape.left, shape.right));
            }
            Because::Congruence { crossed } => {
                let shape = |n: Node| self.nodes[n.index()].shape.expect("congruent nodes have arguments");
                let (a, b) = (shape(a), shape(b));
                if crossed {
                    open.extend([(a.left, b.right), (a.right, b.left)]);
                } else {
                    open.extend([(a.left, b.left), (a.right, b.right)]);
                }
            }
        }
    }

    /// The first node at or above this one whose edge is not explained yet. Shortens the way for the next time.
    fn beyond_explained(&mut self, node: Node, done: u64) -> Node {
        let mut top = node;
        while self.explained[top.index()] == done {
            top = self.shortcut[top.index()];
        }
        let mut at = node;
        while at != top {
            at = std::mem::replace(&mut self.shortcut[at.index()], top);
        }
        top
    }

    /// The first node that the paths of two nodes to the root of their tree have in common, explained edges left out. Walks up from both in turn.
    fn nearest_common(&mut self, ticks: &mut u64, a: Node, b: Node, done: u64) -> Node {
        self.mark += 2;
        let (from_a, from_b) = (self.mark - 1, self.mark);
        let mut ends = [
            (Some(self.beyond_explained(a, done)), from_a, from_b),
            (Some(self.beyond_explained(b, done)), from_b, from_a),
        ];
        loop {
            for (at, own, other) in &mut ends {
                let Some(node) = *at else { continue };
                *ticks += 1;
                if self.visited[node.index()] == *other {
                    return node;
                }
                self.visited[node.index()] = *own;
                let next = self.nodes[node.index()].edge;
                *at = next.map(|(to, _)| self.beyond_explained(to, done));
            }
            assert!(ends.iter().any(|(at, ..)| at.is_some()), "equal nodes are in one tree");
        }
    }
}
