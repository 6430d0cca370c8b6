//! Vertical coordinates, and the points of edges.
//!
//! Where several edges leave a box, they leave it side by side, in the order in which they go on, so that they cross neither there nor at the other end. Between two layers an
//! edge is a curve; beside boxes it is a vertical line.

use super::layers::Layered;
use super::{Drawing, LAYER_GAP, Line, Size};

/// The widest distance between two edges at a box.
const PORT_GAP: i64 = 16;
/// The room for an edge of a box to itself.
const LOOP: i64 = 22;

/// The drawing of a graph in layers whose boxes and bends have these centres.
pub(super) fn drawing(graph: &Layered, centres: &[i64], turned: &[bool], crossings: usize) -> Drawing {
    let mut top = Vec::with_capacity(graph.rows.len());
    let mut bottom = Vec::with_capacity(graph.rows.len());
    let mut down = 0;
    for row in &graph.rows {
        top.push(down);
        down += row.iter().map(|&node| graph.sizes[node].height).max().unwrap_or(0);
        bottom.push(down);
        // Wide layers with slanted edges need more room.
        down += LAYER_GAP + (i64::try_from(row.len()).unwrap_or(0) * 2).min(LAYER_GAP);
    }
    let left = |node: usize| centres[node] - graph.sizes[node].width / 2;
    let boxes: Vec<(i64, i64)> = (0..graph.boxes)
        .map(|node| (left(node), top[graph.layer[node]]))
        .collect();
    let (leaving, entering) = (ports(graph, centres, true), ports(graph, centres, false));
    let mut width = (0..graph.boxes)
        .map(|node| left(node) + graph.sizes[node].width)
        .max()
        .unwrap_or(0);
    width = width.max(centres.iter().copied().max().unwrap_or(0));
    let mut lines = Vec::with_capacity(graph.chains.len());
    for (edge, chain) in graph.chains.iter().enumerate() {
        let (first, last) = (chain[0], chain[chain.len() - 1]);
        let mut points = Vec::with_capacity(2 * chain.len());
        if chain.len() == 1 {
            let (x, y) = (boxes[first].0 + graph.sizes[first].width, boxes[first].1);
            let height = graph.sizes[first].height;
            points.extend([(x, y + height * 3 / 4), (x, y + height / 4)]);
            width = width.max(x + LOOP);
        } else {
            let layer = graph.layer[first];
            let x = leaving[edge];
            points.extend([(x, boxes[first].1 + graph.sizes[first].height), (x, bottom[layer])]);
            for &bend in &chain[1..chain.len() - 1] {
                let layer = graph.layer[bend];
                points.extend([(centres[bend], top[layer]), (centres[bend], bottom[layer])]);
            }
            points.extend([(entering[edge], boxes[last].1); 2]);
        }
        if turned[edge] {
            points.reverse();
        }
        lines.push(Line {
            points,
            back: turned[edge],
        });
    }
    Drawing {
        boxes,
        lines,
        size: Size {
            width,
            height: bottom.last().copied().unwrap_or(0),
        },
        crossings,
    }
}

/// For each edge its horizontal place at the box above, or at the box below: in the order of the next bends or boxes, side by side around the middle.
fn ports(graph: &Layered, centres: &[i64], at_upper: bool) -> Vec<i64> {
    let mut of_box: Vec<Vec<(i64, usize)>> = vec![Vec::new(); graph.boxes];
    for (edge, chain) in graph.chains.iter().enumerate().filter(|(_, chain)| chain.len() > 1) {
        let (node, next) = match at_upper {
            true => (chain[0], chain[1]),
            false => (chain[chain.len() - 1], chain[chain.len() - 2]),
        };
        of_box[node].push((centres[next], edge));
    }
    let mut places = vec![0; graph.chains.len()];
    for (node, edges) in of_box.iter_mut().enumerate() {
        edges.sort_unstable();
        let count = i64::try_from(edges.len()).unwrap_or(i64::MAX);
        // In halves of a pixel, so that an even number of edges is in the middle too.
        let gap = PORT_GAP.min((graph.sizes[node].width - 8).max(0) / count.max(1));
        for (at, (_, edge)) in (0..).zip(edges.iter()) {
            places[*edge] = centres[node] + (2 * at - (count - 1)) * gap / 2;
        }
    }
    places
}
