//! Ranges that contain a point.
//!
//! The ranges stand in the order of their lower ends, and are read as a balanced search tree whose root is the middle one; each node has the highest upper end below it (interval trees: Cormen, Leiserson, Rivest and Stein,
//! *Introduction to Algorithms*, section 14.3). A subtree is left out if it ends below the point, or begins above it: with `n` ranges, `k` of which contain the point, it takes `O(k log n)` comparisons, and most points are in
//! few ranges.

use super::Node;
use crate::num::Int;

/// Ranges of nodes.
#[derive(Default)]
pub(super) struct Ranges {
    nodes: Vec<Ranged>,
}

struct Ranged {
    node: Node,
    lo: Int,
    hi: Int,
    /// The highest upper end of the subtree.
    highest: Int,
}

impl Ranges {
    /// The ranges from a lower end on, below an upper end.
    pub(super) fn new<'a>(ranges: impl Iterator<Item = (Node, &'a Int, &'a Int)>) -> Ranges {
        let ranged = |(node, lo, hi): (Node, &Int, &Int)| Ranged {
            node,
            lo: lo.clone(),
            hi: hi.clone(),
            highest: hi.clone(),
        };
        let mut nodes: Vec<Ranged> = ranges.map(ranged).collect();
        nodes.sort_by(|a, b| a.lo.cmp(&b.lo).then(a.node.cmp(&b.node)));
        raise(&mut nodes);
        Ranges { nodes }
    }

    /// Calls `each` for the nodes whose range contains a point, in the order of their lower ends.
    pub(super) fn at(&self, point: &Int, mut each: impl FnMut(Node)) {
        stab(&self.nodes, point, &mut each);
    }
}

/// Computes the highest ends of a subtree. Returns that of its root.
fn raise(nodes: &mut [Ranged]) -> Option<Int> {
    let (before, rest) = nodes.split_at_mut(nodes.len() / 2);
    let (root, behind) = rest.split_first_mut()?;
    for below in [raise(before), raise(behind)].into_iter().flatten() {
        if below > root.highest {
            root.highest = below;
        }
    }
    Some(root.highest.clone())
}

fn stab(nodes: &[Ranged], point: &Int, each: &mut impl FnMut(Node)) {
    let (before, rest) = nodes.split_at(nodes.len() / 2);
    let Some((root, behind)) = rest.split_first() else {
        return;
    };
    if root.highest <= *point {
        return;
    }
    stab(before, point, each);
    if root.lo > *point {
        return;
    }
    if root.hi > *point {
        each(root.node);
    }
    stab(behind, point, each);
}

#[cfg(test)]
mod tests {
    use super::Ranges;
    use crate::num::Int;
    use proptest::prelude::*;

    proptest! {
        /// The ranges that contain a point are those that a look at each of them finds.
        #[test]
        fn ranges_are_those_of_a_look_at_each(ends in prop::collection::vec((-20i64..20, 1i64..15), 0..40), point in -25i64..40) {
            let ranges: Vec<(u32, Int, Int)> = (0..).zip(&ends).map(|(node, &(lo, length))| (node, Int::from(lo), Int::from(lo + length))).collect();
            let mut found = Vec::new();
            Ranges::new(ranges.iter().map(|(node, lo, hi)| (*node, lo, hi))).at(&Int::from(point), |node| found.push(node));
            let contains = |&&(_, (lo, length)): &&(u32, (i64, i64))| lo <= point && point < lo + length;
            let all: Vec<(u32, (i64, i64))> = (0..).zip(ends.iter().copied()).collect();
            let mut expected: Vec<u32> = all.iter().filter(contains).map(|(node, _)| *node).collect();
            expected.sort_by_key(|&node| (ends[node as usize].0, node));
            prop_assert_eq!(found, expected);
        }
    }
}
