//! Layered drawings of directed graphs (Sugiyama, Tagawa and Toda, 1981): places for boxes, and ways for edges that pass no box.
//!
//! A browser could do this, but a drawing that is made with the report is the same on every machine, and it can be tested: boxes do not overlap, edges go through no
//! box, and the crossings are counted. The steps are those of the textbook:
//!
//! | module | does |
//! |---|---|
//! | `cycles` | edges that close a cycle are turned round |
//! | `layers` | each box gets a layer below those of its predecessors; a long edge becomes a chain of bends, one for each layer that it passes |
//! | `order` | the order within layers: barycentres, then transposition, while crossings become fewer |
//! | `place` | horizontal coordinates (Brandes and Köpf, 2002): long edges are straight, boxes stand in the middle of their neighbours |
//! | `route` | vertical coordinates, and the points of the edges, which leave and enter boxes in the order of the other ends |
//!
//! All coordinates are whole pixels.

mod cycles;
mod layers;
mod order;
mod place;
mod route;

use layers::Layered;

/// Pixels between two boxes of a layer, between two bends, and between layers.
const BOX_GAP: i64 = 28;
const BEND_GAP: i64 = 14;
const LAYER_GAP: i64 = 40;

/// Width and height of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The width.
    pub width: i64,
    /// The height.
    pub height: i64,
}

/// A drawn edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Its points from its source to its target, an even number: from each point of even position a straight vertical line leads to the next one, and from there a curve to
    /// the one after it. An edge from a box to itself has the two points at the side of the box where it leaves and enters.
    pub points: Vec<(i64, i64)>,
    /// Whether it leads up, against the layers.
    pub back: bool,
}

/// A drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The upper left corner of each box.
    pub boxes: Vec<(i64, i64)>,
    /// The edges in their order.
    pub lines: Vec<Line>,
    /// The size of the whole.
    pub size: Size,
    /// How often two edges without a common end cross.
    pub crossings: usize,
}

/// Draws a graph of boxes, given by their sizes, and of edges, as pairs of positions of boxes. Deterministic; near linear in boxes and bends, apart from the improvement of the
/// order, which takes fewer turns for big graphs.
///
/// # Panics
/// If an edge names a box that is not there.
pub fn draw(sizes: &[Size], edges: &[(usize, usize)]) -> Drawing {
    let turned = cycles::turned(sizes.len(), edges);
    let mut layered = Layered::new(sizes, edges, &turned);
    let crossings = order::improve(&mut layered);
    let centres = place::centres(&layered);
    route::drawing(&layered, &centres, &turned, crossings)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Graphs of some size, always the same ones.
    fn graphs() -> impl Iterator<Item = (Vec<Size>, Vec<(usize, usize)>)> {
        let mut state = 7_u64;
        let mut next = move |below: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(state >> 33).unwrap() % below
        };
        (0..60).map(move |round| {
            let count = 2 + next(30);
            let sizes = (0..count).map(|_| Size {
                width: 20 + i64::try_from(next(200)).unwrap(),
                height: 20 + i64::try_from(next(90)).unwrap(),
            });
            let sizes = sizes.collect();
            let edges = (0..count + next(count)).map(|at| match at + 1 < count && round % 2 == 0 {
                // Programs are mostly sequences.
                true => (at, at + 1),
                false => (next(count), next(count)),
            });
            (sizes, edges.collect())
        })
    }

    #[test]
    fn boxes_do_not_overlap_and_no_edge_passes_through_one() {
        for (sizes, edges) in graphs() {
            let drawing = draw(&sizes, &edges);
            let areas: Vec<_> = drawing
                .boxes
                .iter()
                .zip(&sizes)
                .map(|(&(x, y), size)| (x, y, x + size.width, y + size.height))
                .collect();
            for (at, a) in areas.iter().enumerate() {
                assert!(a.0 >= 0 && a.1 >= 0 && a.2 <= drawing.size.width && a.3 <= drawing.size.height);
                for b in &areas[at + 1..] {
                    assert!(a.2 < b.0 || b.2 < a.0 || a.3 < b.1 || b.3 < a.1, "{a:?} {b:?}");
                }
            }
            for (line, (from, to)) in drawing.lines.iter().zip(&edges) {
                assert!(line.points.len() % 2 == 0 && !line.points.is_empty());
                if from == to {
                    continue;
                }
                let (first, last) = (line.points[0], line.points[line.points.len() - 1]);
                let touches = |(x, y): (i64, i64), area: &(i64, i64, i64, i64)| {
                    (area.0..=area.2).contains(&x) && (y == area.1 || y == area.3)
                };
                assert!(touches(first, &areas[*from]) && touches(last, &areas[*to]));
                for pair in line.points.chunks(2) {
                    let ((x, y), (end, below)) = (pair[0], pair[1]);
                    assert_eq!(x, end);
                    let (top, bottom) = (y.min(below), y.max(below));
                    let hit = areas.iter().enumerate().find(|(at, area)| {
                        at != from && at != to && area.0 <= x && x <= area.2 && area.1 < bottom && top < area.3
                    });
                    assert!(hit.is_none(), "an edge goes through a box");
                }
            }
            assert_eq!(drawing, draw(&sizes, &edges));
        }
    }

    #[test]
    fn trees_and_loops_have_no_crossings() {
        let sizes = vec![Size { width: 40, height: 20 }; 31];
        let mut parents: Vec<(usize, usize)> = (1..31).map(|at| ((at - 1) / 2, at)).collect();
        // An order that is no help.
        parents.sort_by_key(|(_, to)| to * 7 % 31);
        assert_eq!(draw(&sizes, &parents).crossings, 0);
        let round = draw(&sizes[..4], &[(0, 1), (1, 2), (2, 1), (1, 3), (2, 2)]);
        assert_eq!(round.crossings, 0);
        let back: Vec<bool> = round.lines.iter().map(|line| line.back).collect();
        assert_eq!(back, [false, false, true, false, false]);
        // The boxes of a chain stand below each other.
        assert!(round.boxes[0].1 < round.boxes[1].1 && round.boxes[1].1 < round.boxes[2].1);
    }

    #[test]
    fn a_chain_is_straight() {
        let sizes = [30, 200, 50].map(|width| Size { width, height: 20 });
        let drawing = draw(&sizes, &[(0, 1), (1, 2)]);
        for line in &drawing.lines {
            assert!(line.points.iter().all(|(x, _)| *x == line.points[0].0), "{line:?}");
        }
        assert!(draw(&[], &[]).boxes.is_empty());
    }
}
