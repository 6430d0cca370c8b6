//! The order within layers: fewer crossings.
//!
//! Sweeps go down and up through the layers and sort each by the barycentres of the neighbours in the layer before; then neighbours in a layer change places where that takes
//! crossings away (Gansner and others, 1993). The sweeps begin with two orders, each once from above and once from below, because they only find what is near; the best order of
//! all is kept. Crossings are counted with a tree of sums (Barth, Jünger and Mutzel, 2002).

use super::layers::Layered;

/// Sweeps at most, and the work of all sweeps together in edges of the layered graph.
const SWEEPS: usize = 24;
const WORK: usize = 1_500_000;
/// Sweeps without improvement, after which the search ends.
const PATIENCE: usize = 6;

/// Orders the layers and returns the number of crossings.
pub(super) fn improve(graph: &mut Layered) -> usize {
    let edges: usize = graph.below.iter().map(Vec::len).sum();
    let sweeps = (WORK / edges.max(1)).clamp(2, SWEEPS);
    let starts = [graph.rows.clone(), graph.first_order(true)];
    let mut best: Option<(usize, Vec<Vec<usize>>)> = None;
    for (at, start) in starts.into_iter().enumerate() {
        if best.as_ref().is_some_and(|(least, _)| *least == 0) {
            break;
        }
        graph.rows = start;
        for upwards in [false, true] {
            let start = graph.rows.clone();
            let found = sweep(graph, sweeps, upwards != (at == 1));
            if best.as_ref().is_none_or(|(least, _)| found < *least) {
                best = Some((found, graph.rows.clone()));
            }
            graph.rows = start;
        }
    }
    let (least, rows) = best.expect("there are several starts");
    graph.rows = rows;
    least
}

/// Sweeps through the layers, down and up in turn, from the order that they have; leaves the best order and returns its crossings.
fn sweep(graph: &mut Layered, sweeps: usize, upwards: bool) -> usize {
    let mut position = vec![0; graph.sizes.len()];
    for row in &graph.rows {
        number(row, &mut position);
    }
    let mut best = (crossings(graph, &position), graph.rows.clone());
    let mut idle = 0;
    for sweep in 0..sweeps {
        if best.0 == 0 || idle >= PATIENCE {
            break;
        }
        let down = (sweep % 2 == 0) != upwards;
        // Every other pair of sweeps turns boxes with the same barycentre round: what is stuck in one order may not be in the other.
        let turn = sweep % 4 >= 2;
        let layers: Vec<usize> = match down {
            true => (0..graph.rows.len()).collect(),
            false => (0..graph.rows.len()).rev().collect(),
        };
        for layer in layers {
            sort(graph, layer, down, turn, &mut position);
        }
        transpose(graph, &mut position);
        let now = crossings(graph, &position);
        idle += 1;
        if now < best.0 {
            best = (now, graph.rows.clone());
            idle = 0;
        }
    }
    graph.rows = best.1;
    best.0
}

fn number(row: &[usize], position: &mut [usize]) {
    for (at, &node) in row.iter().enumerate() {
        position[node] = at;
    }
}

/// Sorts a layer by the barycentres of the neighbours in the layer before. Boxes without neighbours there keep their places.
fn sort(graph: &mut Layered, layer: usize, down: bool, turn: bool, position: &mut [usize]) {
    let neighbours = if down { &graph.above } else { &graph.below };
    let row = &mut graph.rows[layer];
    // Barycentres are fractions: sums are compared with the numbers of neighbours multiplied out.
    let mut free: Vec<(usize, usize, usize)> = Vec::new();
    for &node in row.iter().filter(|&&node| !neighbours[node].is_empty()) {
        let sum = neighbours[node].iter().map(|&other| position[other]).sum();
        free.push((sum, neighbours[node].len(), node));
    }
    if turn {
        free.reverse();
    }
    free.sort_by(|a, b| (a.0 * b.1).cmp(&(b.0 * a.1)));
    let mut sorted = free.into_iter();
    for place in row.iter_mut().filter(|place| !neighbours[**place].is_empty()) {
        *place = sorted.next().expect("there are as many places").2;
    }
    number(row, position);
}

/// Lets neighbours in a layer change places while that takes crossings away; each layer once per call.
fn transpose(graph: &mut Layered, position: &mut [usize]) {
    for layer in 0..graph.rows.len() {
        let mut sorted: Vec<[Vec<usize>; 2]> = graph.rows[layer]
            .iter()
            .map(|&node| {
                [&graph.above[node], &graph.below[node]].map(|others| {
                    let mut places: Vec<usize> = others.iter().map(|&other| position[other]).collect();
                    places.sort_unstable();
                    places
                })
            })
            .collect();
        let row = &mut graph.rows[layer];
        for at in 1..row.len() {
            let count = |left: usize, right: usize| -> usize {
                (0..2).map(|side| pair(&sorted[left][side], &sorted[right][side])).sum()
            };
            if count(at, at - 1) < count(at - 1, at) {
                row.swap(at - 1, at);
                sorted.swap(at - 1, at);
            }
        }
        number(row, position);
    }
}

/// The crossings between the edges of two neighbours in a layer, from the sorted places of their ends: pairs in which the left one's end is behind the right one's.
fn pair(left: &[usize], right: &[usize]) -> usize {
    let mut before = 0;
    let mut count = 0;
    for &end in left {
        while before < right.len() && right[before] < end {
            before += 1;
        }
        count += before;
    }
    count
}

/// The crossings between all layers.
fn crossings(graph: &Layered, position: &[usize]) -> usize {
    let mut count = 0;
    for (at, row) in graph.rows.iter().enumerate() {
        let width = graph.rows.get(at + 1).map_or(0, Vec::len);
        // `sums[i]` is the number of ends so far at places whose lowest bits end at `i` (a Fenwick tree).
        let mut sums = vec![0_usize; width + 1];
        let mut total = 0;
        for &node in row {
            let mut ends: Vec<usize> = graph.below[node].iter().map(|&other| position[other]).collect();
            ends.sort_unstable();
            for &end in &ends {
                let mut place = end + 1;
                let mut before = 0;
                while place > 0 {
                    before += sums[place];
                    place &= place - 1;
                }
                count += total - before;
            }
            for &end in &ends {
                let mut place = end + 1;
                while place <= width {
                    sums[place] += 1;
                    place += place & place.wrapping_neg();
                }
                total += 1;
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::super::{Size, cycles};
    use super::*;

    fn graph(count: usize, edges: &[(usize, usize)]) -> Layered {
        let sizes = vec![Size { width: 10, height: 10 }; count];
        Layered::new(&sizes, edges, &cycles::turned(count, edges))
    }

    fn counted(graph: &Layered) -> usize {
        let mut position = vec![0; graph.sizes.len()];
        graph.rows.iter().for_each(|row| number(row, &mut position));
        crossings(graph, &position)
    }

    /// The definition: pairs of edges between two layers whose ends are in opposite orders.
    fn defined(graph: &Layered) -> usize {
        let mut position = vec![0; graph.sizes.len()];
        graph.rows.iter().for_each(|row| number(row, &mut position));
        let mut count = 0;
        for row in &graph.rows {
            let edges = row.iter().flat_map(|&a| graph.below[a].iter().map(move |&b| (a, b)));
            let edges: Vec<_> = edges.map(|(a, b)| (position[a], position[b])).collect();
            for (at, one) in edges.iter().enumerate() {
                count += edges[at + 1..]
                    .iter()
                    .filter(|two| one.0 < two.0 && one.1 > two.1)
                    .count();
            }
        }
        count
    }

    #[test]
    fn the_count_is_that_of_the_definition() {
        for seed in 1..40_usize {
            let edges: Vec<_> = (0..30)
                .map(|at| (at * seed * 13 % 10, 10 + at * seed * 29 % 11))
                .collect();
            let mut graph = graph(21, &edges);
            assert_eq!(counted(&graph), defined(&graph), "{seed}");
            let found = improve(&mut graph);
            assert_eq!(found, defined(&graph), "{seed}");
        }
    }

    #[test]
    fn what_can_be_untangled_is() {
        // Two switches whose cases end in the opposite order.
        let mut edges: Vec<(usize, usize)> = (0..6).map(|at| (0, 2 + at)).collect();
        edges.extend((0..6).map(|at| (2 + at, 13 - at)));
        edges.extend((0..6).map(|at| (8 + at, 1)));
        let mut graph = graph(14, &edges);
        graph.rows[1].reverse();
        assert_eq!(counted(&graph), 15);
        assert_eq!(improve(&mut graph), 0);
    }
}
