//! Layers: longest paths from above, then boxes with more edges below than above move down to their successors.
//!
//! The network simplex method (Gansner and others, 1993) makes the edges as short as possible. In an automaton, longest paths are nearly as good, because nearly all boxes have one
//! predecessor.

use super::Size;

/// A graph in layers: boxes first, then bends.
pub(super) struct Layered {
    /// The size of each box and bend; a bend has none.
    pub sizes: Vec<Size>,
    /// How many of them are boxes.
    pub boxes: usize,
    /// The layer of each.
    pub layer: Vec<usize>,
    /// The boxes and bends of each layer, from left to right.
    pub rows: Vec<Vec<usize>>,
    /// The neighbours of each in the layer above, and in the layer below.
    pub above: Vec<Vec<usize>>,
    /// See [`above`](Layered::above).
    pub below: Vec<Vec<usize>>,
    /// For each edge the box above, the bends, and the box below; for an edge of a box to itself that box alone.
    pub chains: Vec<Vec<usize>>,
}

impl Layered {
    /// Puts a graph into layers. The edges of `turned` are turned round.
    pub fn new(sizes: &[Size], edges: &[(usize, usize)], turned: &[bool]) -> Layered {
        let down: Vec<(usize, usize)> = edges
            .iter()
            .zip(turned)
            .map(|(&(from, to), turned)| if *turned { (to, from) } else { (from, to) })
            .collect();
        let layer = layers(sizes.len(), &down);
        let mut layered = Layered {
            sizes: sizes.to_vec(),
            boxes: sizes.len(),
            rows: vec![Vec::new(); layer.iter().max().map_or(0, |last| last + 1)],
            above: vec![Vec::new(); sizes.len()],
            below: vec![Vec::new(); sizes.len()],
            layer,
            chains: Vec::new(),
        };
        for &(from, to) in &down {
            layered.chain(from, to);
        }
        layered.rows = layered.first_order(false);
        layered
    }

    fn chain(&mut self, from: usize, to: usize) {
        let mut chain = vec![from];
        if from != to {
            for layer in self.layer[from] + 1..self.layer[to] {
                chain.push(self.sizes.len());
                self.sizes.push(Size { width: 0, height: 0 });
                self.layer.push(layer);
                self.above.push(Vec::new());
                self.below.push(Vec::new());
            }
            chain.push(to);
        }
        for pair in chain.windows(2) {
            self.below[pair[0]].push(pair[1]);
            self.above[pair[1]].push(pair[0]);
        }
        self.chains.push(chain);
    }

    /// The order in which a depth-first search from above comes by, which takes the boxes below one from the left, or from the right: it has no crossings in a tree.
    pub fn first_order(&self, from_right: bool) -> Vec<Vec<usize>> {
        let mut rows = vec![Vec::new(); self.rows.len()];
        let mut seen = vec![false; self.sizes.len()];
        let roots: Vec<usize> = (0..self.sizes.len())
            .filter(|&node| self.above[node].is_empty())
            .collect();
        for root in roots {
            let mut stack = vec![root];
            while let Some(node) = stack.pop() {
                if std::mem::replace(&mut seen[node], true) {
                    continue;
                }
                rows[self.layer[node]].push(node);
                match from_right {
                    true => stack.extend(self.below[node].iter().copied()),
                    false => stack.extend(self.below[node].iter().rev().copied()),
                }
            }
        }
        rows
    }

    /// Whether it is a bend.
    pub fn is_bend(&self, node: usize) -> bool {
        node >= self.boxes
    }
}

/// The layer of each box.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let (mut above, mut below) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for &(from, to) in edges.iter().filter(|(from, to)| from != to) {
        below[from].push(to);
        above[to].push(from);
    }
    let mut waiting: Vec<usize> = above.iter().map(Vec::len).collect();
    let mut sorted: Vec<usize> = (0..count).filter(|&node| waiting[node] == 0).collect();
    let mut layer = vec![0; count];
    let mut at = 0;
    while let Some(&node) = sorted.get(at) {
        at += 1;
        for &next in &below[node] {
            layer[next] = layer[next].max(layer[node] + 1);
            waiting[next] -= 1;
            if waiting[next] == 0 {
                sorted.push(next);
            }
        }
    }
    assert_eq!(sorted.len(), count, "there is no cycle");
    for &node in sorted.iter().rev() {
        if above[node].len() < below[node].len() {
            let nearest = below[node].iter().map(|&next| layer[next]).min();
            layer[node] = nearest.map_or(layer[node], |nearest| nearest - 1);
        }
    }
    layer
}
