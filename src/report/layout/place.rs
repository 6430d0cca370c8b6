//! Horizontal coordinates (Brandes and Köpf, Fast and Simple Horizontal Coordinate Assignment, 2002).
//!
//! Each box or bend is put into one vertical line with the median of its neighbours above, or below, where the lines do not cross; the lines are packed as closely as boxes allow,
//! from the left and from the right. The coordinate is the mean of the two middle ones of these four. Edges between bends have precedence, so long edges are straight.

use super::layers::Layered;
use super::{BEND_GAP, BOX_GAP};
use std::collections::HashSet;

/// The horizontal centre of each box and bend. The leftmost box or bend begins at 0.
pub(super) fn centres(graph: &Layered) -> Vec<i64> {
    let conflicts = conflicts(graph);
    let mut layouts: Vec<(bool, Vec<i64>)> = Vec::new();
    for from_above in [true, false] {
        for from_left in [true, false] {
            layouts.push((from_left, layout(graph, &conflicts, from_above, from_left)));
        }
    }
    let bounds = |xs: &[i64]| {
        let half = |node: usize| graph.sizes[node].width / 2;
        let left = (0..xs.len()).map(|node| xs[node] - half(node)).min().unwrap_or(0);
        let right = (0..xs.len()).map(|node| xs[node] + half(node)).max().unwrap_or(0);
        (left, right)
    };
    // All four are put to that side of the narrowest one at which they were packed.
    let narrowest = layouts
        .iter()
        .map(|(_, xs)| bounds(xs))
        .min_by_key(|(left, right)| right - left);
    let narrowest = narrowest.expect("there are four");
    for (from_left, xs) in &mut layouts {
        let (left, right) = bounds(xs);
        let shift = if *from_left {
            narrowest.0 - left
        } else {
            narrowest.1 - right
        };
        xs.iter_mut().for_each(|x| *x += shift);
    }
    let mut centres: Vec<i64> = (0..graph.sizes.len())
        .map(|node| {
            let mut four = [0, 1, 2, 3].map(|at: usize| layouts[at].1[node]);
            four.sort_unstable();
            (four[1] + four[2]).div_euclid(2)
        })
        .collect();
    let left = bounds(&centres).0;
    centres.iter_mut().for_each(|x| *x -= left);
    centres
}

/// Edges that cross an edge between two bends, as pairs of the upper and the lower end.
fn conflicts(graph: &Layered) -> HashSet<(usize, usize)> {
    let mut position = vec![0; graph.sizes.len()];
    for row in &graph.rows {
        for (at, &node) in row.iter().enumerate() {
            position[node] = at;
        }
    }
    let mut found = HashSet::new();
    for pair in graph.rows.windows(2) {
        let (upper, lower) = (&pair[0], &pair[1]);
        let inner = |node: usize| {
            let above = graph.above[node].first().copied();
            above.filter(|&above| graph.is_bend(node) && graph.is_bend(above))
        };
        let (mut left, mut first) = (0, 0);
        for (at, &node) in lower.iter().enumerate() {
            let bend = inner(node);
            if bend.is_none() && at + 1 < lower.len() {
                continue;
            }
            let right = bend.map_or(upper.len(), |above| position[above]);
            for &between in &lower[first..=at] {
                for &above in graph.above[between].iter().filter(|_| inner(between).is_none()) {
                    if position[above] < left || position[above] > right {
                        found.insert((above, between));
                    }
                }
            }
            (left, first) = (right, at + 1);
        }
    }
    found
}

/// One of the four layouts.
fn layout(graph: &Layered, conflicts: &HashSet<(usize, usize)>, from_above: bool, from_left: bool) -> Vec<i64> {
    let mut rows: Vec<Vec<usize>> = graph.rows.clone();
    if !from_above {
        rows.reverse();
    }
    if !from_left {
        rows.iter_mut().for_each(|row| row.reverse());
    }
    let mut position = vec![0; graph.sizes.len()];
    for row in &rows {
        for (at, &node) in row.iter().enumerate() {
            position[node] = at;
        }
    }
    let root = align(graph, conflicts, &rows, &position, from_above);
    let xs = pack(graph, &rows, &root);
    let sign = if from_left { 1 } else { -1 };
    root.iter().map(|&root| sign * xs[root]).collect()
}

/// Puts boxes and bends into vertical lines: each gets the first one of its line.
fn align(
    graph: &Layered,
    conflicts: &HashSet<(usize, usize)>,
    rows: &[Vec<usize>],
    position: &[usize],
    from_above: bool,
) -> Vec<usize> {
    let mut root: Vec<usize> = (0..graph.sizes.len()).collect();
    for row in rows {
        // The places before this one in the layer before are taken.
        let mut free = 0;
        for &node in row {
            let mut others = if from_above {
                graph.above[node].clone()
            } else {
                graph.below[node].clone()
            };
            others.sort_by_key(|&other| position[other]);
            if others.is_empty() {
                continue;
            }
            let medians = [(others.len() - 1) / 2, others.len() / 2];
            for other in medians.map(|at| others[at]) {
                let edge = if from_above { (other, node) } else { (node, other) };
                if root[node] == node && position[other] >= free && !conflicts.contains(&edge) {
                    root[node] = root[other];
                    free = position[other] + 1;
                }
            }
        }
    }
    root
}

/// Packs the lines from the left, then moves each to the right as far as the ones behind it allow. Returns the coordinates of the lines at the positions of their first ones.
fn pack(graph: &Layered, rows: &[Vec<usize>], root: &[usize]) -> Vec<i64> {
    let count = root.len();
    let gap = |left: usize, right: usize| {
        let between = match graph.is_bend(left) || graph.is_bend(right) {
            true => BEND_GAP,
            false => BOX_GAP,
        };
        (graph.sizes[left].width + 1) / 2 + between + (graph.sizes[right].width + 1) / 2
    };
    let mut behind: Vec<Vec<(usize, i64)>> = vec![Vec::new(); count];
    let mut waiting = vec![0_usize; count];
    for pair in rows.iter().flat_map(|row| row.windows(2)) {
        behind[root[pair[0]]].push((root[pair[1]], gap(pair[0], pair[1])));
        waiting[root[pair[1]]] += 1;
    }
    let mut sorted: Vec<usize> = (0..count)
        .filter(|&line| root[line] == line && waiting[line] == 0)
        .collect();
    let mut xs = vec![0; count];
    let mut at = 0;
    while let Some(&line) = sorted.get(at) {
        at += 1;
        for &(next, gap) in &behind[line] {
            xs[next] = xs[next].max(xs[line] + gap);
            waiting[next] -= 1;
            if waiting[next] == 0 {
                sorted.push(next);
            }
        }
    }
    for &line in sorted.iter().rev() {
        if let Some(most) = behind[line].iter().map(|&(next, gap)| xs[next] - gap).min() {
            xs[line] = xs[line].max(most);
        }
    }
    xs
}
