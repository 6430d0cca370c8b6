//! Removal of cycles: the edges that a depth-first search finds to lead back to an open box are turned round.
//!
//! The search follows boxes in their order. For an automaton in reverse post-order these are the edges to loop heads, so that a loop is drawn as people draw it. The heuristic of
//! Eades, Lin and Smyth turns fewer edges in general, but in a loop it may turn any of them.

/// For each edge whether it is turned round. The other edges have no cycle, apart from edges of a box to itself, which stay as they are.
pub(super) fn turned(count: usize, edges: &[(usize, usize)]) -> Vec<bool> {
    let mut outgoing: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut has_incoming = vec![false; count];
    for (edge, &(from, to)) in edges.iter().enumerate().filter(|(_, (from, to))| from != to) {
        outgoing[from].push(edge);
        has_incoming[to] = true;
    }
    let mut turned = vec![false; edges.len()];
    let (mut seen, mut open) = (vec![false; count], vec![false; count]);
    // Boxes without predecessors begin.
    let roots = (0..count).filter(|&node| !has_incoming[node]);
    for root in roots.chain(0..count) {
        if seen[root] {
            continue;
        }
        let mut stack = vec![(root, 0)];
        (seen[root], open[root]) = (true, true);
        while let Some((node, next)) = stack.last_mut() {
            let Some(&edge) = outgoing[*node].get(*next) else {
                open[*node] = false;
                stack.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].1;
            turned[edge] = open[to];
            if !seen[to] {
                (seen[to], open[to]) = (true, true);
                stack.push((to, 0));
            }
        }
    }
    turned
}
