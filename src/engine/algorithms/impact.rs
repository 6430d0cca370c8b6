//! IMPACT: lazy abstraction with interpolants (McMillan, *Lazy abstraction with interpolants*, CAV 2006), on large blocks.
//!
//! The algorithm unwinds the graph into a tree. A vertex is labelled with a formula that holds whenever an execution comes to it along the tree; at first that is `true`. No abstraction is ever computed: where a
//! block to a violation begins, the path from the root is refuted, and the interpolants of its refutation strengthen the labels along the path. A vertex is *covered* by an earlier one at the same location whose
//! label it implies; then nothing below it is looked at. When no vertex is left to expand, the disjunction of the labels at a location is an invariant.
//!
//! * *Forced covering*: before a vertex is expanded, the algorithm tries to refute that an execution from the nearest common ancestor comes to it outside of the label of an earlier vertex. The interpolants make
//!   the vertex covered.
//! * Vertices are expanded in the order in which they were made, breadth first. McMillan goes depth first; then a loop before the violation is unwound without end where the first unwinding of another one would do.
//! * A block that the label before it excludes is no edge of the tree. That is a question without interpolants, and it spares a refutation for each violation behind the block.

use super::graph::{BlockGraph, Location, ROOT};
use super::oracle::{Oracle, Sequence};
use super::{Found, Witness};
use crate::cpa::predicate::blocks::BlockId;
use provident_smt::term::TermId;
use std::collections::BTreeSet;

/// The earlier vertices by which a vertex may be forced to be covered, the latest first.
const MAX_FORCED: usize = 6;

/// The cost of taking a vertex from the waitlist, in solver ticks that take about the same time.
const TICKS_PER_VERTEX: u64 = 64;

/// A vertex, by its position in the order in which they were made.
type VertexId = usize;

struct Vertex {
    location: Location,
    /// The vertex before, and the block between.
    parent: Option<(VertexId, BlockId)>,
    children: Vec<VertexId>,
    label: TermId,
    covered_by: Option<VertexId>,
    /// Whether it or a vertex above it is covered.
    hidden: bool,
    /// The vertices that it covers.
    covers: BTreeSet<VertexId>,
    expanded: bool,
}

/// The tree.
struct Unwinding<'g> {
    graph: &'g BlockGraph,
    vertices: Vec<Vertex>,
    /// The vertices at each location, in order.
    at: Vec<Vec<VertexId>>,
    /// The leaves that are to be expanded, unless they are covered.
    waitlist: BTreeSet<VertexId>,
    forces: bool,
}

/// Runs the algorithm. `forces` says whether there is forced covering.
pub(super) fn impact(graph: &BlockGraph, oracle: &mut Oracle<'_, '_>, forces: bool) -> Found {
    let mut unwinding = Unwinding {
        graph,
        vertices: Vec::new(),
        at: vec![Vec::new(); graph.locations.len()],
        waitlist: BTreeSet::new(),
        forces,
    };
    let truth = oracle.domain.pool.mk_true();
    unwinding.add(ROOT, None, truth);
    while let Some(vertex) = unwinding.waitlist.pop_first() {
        if oracle.is_exhausted() {
            return Found::Exhausted;
        }
        oracle.domain.effort.pulse.states(oracle.work.vertices);
        oracle.domain.effort.charge_ticks(TICKS_PER_VERTEX);
        if unwinding.vertices[vertex].hidden || unwinding.vertices[vertex].expanded || unwinding.close(oracle, vertex) {
            continue;
        }
        if let Some(found) = unwinding.expand(oracle, vertex) {
            return found;
        }
    }
    Found::Safe(unwinding.invariants(oracle))
}

impl Unwinding<'_> {
    fn add(&mut self, location: Location, parent: Option<(VertexId, BlockId)>, label: TermId) {
        let vertex = self.vertices.len();
        self.vertices.push(Vertex {
            location,
            parent,
            children: Vec::new(),
            label,
            covered_by: None,
            hidden: false,
            covers: BTreeSet::new(),
            expanded: false,
        });
        if let Some((parent, _)) = parent {
            self.vertices[parent].children.push(vertex);
        }
        self.at[location].push(vertex);
        self.waitlist.insert(vertex);
    }

    /// The vertices from the root to one.
    fn path_to(&self, vertex: VertexId) -> Vec<VertexId> {
        let mut path = vec![vertex];
        let mut at = vertex;
        while let Some((parent, _)) = self.vertices[at].parent {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The blocks that lead to the vertices of a path, but for the first one.
    fn blocks(&self, path: &[VertexId]) -> Vec<BlockId> {
        let into = path[1..].iter().map(|&vertex| self.vertices[vertex].parent);
        into.map(|parent| parent.expect("only the root has no parent").1)
            .collect()
    }

    /// The earlier vertices at the same location that may cover one.
    fn candidates(&self, vertex: VertexId) -> Vec<VertexId> {
        let peers = self.at[self.vertices[vertex].location].iter().copied();
        let earlier = peers.take_while(|&peer| peer < vertex);
        earlier.filter(|&peer| !self.vertices[peer].hidden).collect()
    }

    /// Whether the label is `false`, or the vertex can be covered; then it is.
    fn close(&mut self, oracle: &mut Oracle<'_, '_>, vertex: VertexId) -> bool {
        let label = self.vertices[vertex].label;
        if label == oracle.domain.pool.mk_false() {
            return true;
        }
        for by in self.candidates(vertex) {
            if oracle.is_exhausted() {
                return false;
            }
            if oracle.entails(label, self.vertices[by].label) {
                self.cover(oracle, vertex, by);
                return true;
            }
        }
        self.forces && !self.vertices[vertex].expanded && self.force(oracle, vertex)
    }

    /// Covers a vertex by an earlier one that is not covered. What the vertex and those below it cover is uncovered: a coverage must not rest on another one.
    fn cover(&mut self, oracle: &mut Oracle<'_, '_>, vertex: VertexId, by: VertexId) {
        oracle.work.coverings += 1;
        self.vertices[vertex].covered_by = Some(by);
        self.vertices[by].covers.insert(vertex);
        let mut subtree = vec![vertex];
        let mut next = 0;
        while let Some(&below) = subtree.get(next) {
            self.vertices[below].hidden = true;
            subtree.extend(&self.vertices[below].children);
            next += 1;
        }
        for below in subtree {
            self.uncover_all(below);
        }
    }

    /// Nothing is covered by this vertex any more.
    fn uncover_all(&mut self, by: VertexId) {
        for vertex in std::mem::take(&mut self.vertices[by].covers) {
            self.vertices[vertex].covered_by = None;
            let is_below_covered = self.vertices[vertex]
                .parent
                .is_some_and(|(parent, _)| self.vertices[parent].hidden);
            if !is_below_covered {
                self.reveal(vertex);
            }
        }
    }

    /// Neither the vertex nor one above it is covered any more: the leaves below it wait again, unless they are below another covered one.
    fn reveal(&mut self, vertex: VertexId) {
        let mut below = vec![vertex];
        while let Some(vertex) = below.pop() {
            if self.vertices[vertex].covered_by.is_some() {
                continue;
            }
            self.vertices[vertex].hidden = false;
            if !self.vertices[vertex].expanded {
                self.waitlist.insert(vertex);
            }
            below.extend(&self.vertices[vertex].children);
        }
    }

    /// Forced covering. Whether the vertex is covered now.
    fn force(&mut self, oracle: &mut Oracle<'_, '_>, vertex: VertexId) -> bool {
        let path = self.path_to(vertex);
        for by in self.candidates(vertex).into_iter().rev().take(MAX_FORCED) {
            let other = self.path_to(by);
            let common = path.iter().zip(&other).take_while(|(a, b)| a == b).count();
            // The vertex is no ancestor of an earlier one, so there is a block behind the common part.
            let way = &path[common - 1..];
            let label = self.vertices[by].label;
            let outside = oracle.domain.pool.not(label);
            let before = self.vertices[way[0]].label;
            let blocks = self.blocks(way);
            oracle.work.forced_questions += 1;
            if let Sequence::Refuted(interpolants) = oracle.chain(before, &blocks, Some(outside)) {
                oracle.work.forced += 1;
                self.strengthen(oracle, &way[1..], &interpolants);
                self.conjoin(oracle, vertex, label);
                if !self.vertices[by].hidden {
                    self.cover(oracle, vertex, by);
                    return true;
                }
            }
            if oracle.is_exhausted() {
                return false;
            }
        }
        false
    }

    /// Conjoins interpolants to the labels of vertices. Returns those whose labels became stronger.
    fn strengthen(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        vertices: &[VertexId],
        interpolants: &[TermId],
    ) -> Vec<VertexId> {
        assert_eq!(
            vertices.len(),
            interpolants.len(),
            "an interpolant for each vertex between two blocks"
        );
        let pairs = vertices.iter().copied().zip(interpolants);
        pairs
            .filter(|&(vertex, &interpolant)| self.conjoin(oracle, vertex, interpolant))
            .map(|(vertex, _)| vertex)
            .collect()
    }

    /// Conjoins a formula to the label of a vertex. If the label becomes stronger, what the vertex covers is uncovered, and the result is
    /// true.
    fn conjoin(&mut self, oracle: &mut Oracle<'_, '_>, vertex: VertexId, formula: TermId) -> bool {
        let label = self.vertices[vertex].label;
        if oracle.entails(label, formula) {
            return false;
        }
        let stronger = match oracle.entails(formula, label) {
            true => formula,
            false => oracle.domain.pool.and2(label, formula),
        };
        self.vertices[vertex].label = stronger;
        oracle.work.strengthened += 1;
        self.uncover_all(vertex);
        true
    }

    /// Refutes the violations at a vertex, and adds the vertices behind it.
    fn expand(&mut self, oracle: &mut Oracle<'_, '_>, vertex: VertexId) -> Option<Found> {
        let graph = self.graph;
        let location = self.vertices[vertex].location;
        for target in graph.targets_from(location) {
            if oracle.excludes(self.vertices[vertex].label, graph.targets[target].block) {
                continue;
            }
            if let Some(found) = self.refine(oracle, vertex, target) {
                return Some(found);
            }
            if self.vertices[vertex].hidden || self.vertices[vertex].label == oracle.domain.pool.mk_false() {
                // It is expanded when it is uncovered.
                return None;
            }
        }
        self.vertices[vertex].expanded = true;
        for edge in graph.edges_from(location) {
            if !oracle.excludes(self.vertices[vertex].label, edge.block) {
                oracle.work.vertices += 1;
                let truth = oracle.domain.pool.mk_true();
                self.add(edge.to, Some((vertex, edge.block)), truth);
            }
        }
        None
    }

    /// The operator `refine`: strengthens the labels on the path to a violation such that it is excluded, and covers what can be covered now.
    fn refine(&mut self, oracle: &mut Oracle<'_, '_>, vertex: VertexId, target: usize) -> Option<Found> {
        let path = self.path_to(vertex);
        let mut blocks = self.blocks(&path);
        blocks.push(self.graph.targets[target].block);
        let truth = oracle.domain.pool.mk_true();
        match oracle.chain(truth, &blocks, None) {
            Sequence::Feasible => return Some(Found::Unsafe(Witness { blocks, target })),
            Sequence::Unknown(_) if oracle.is_exhausted() => return Some(Found::Exhausted),
            Sequence::Unknown(reason) => return Some(Found::Stuck { target, reason }),
            Sequence::Refuted(interpolants) => {
                // The upper vertices first: what is below a covered one is not looked at.
                for above in self.strengthen(oracle, &path[1..], &interpolants) {
                    if self.vertices[above].hidden || oracle.is_exhausted() || self.cover_expanded(oracle, above) {
                        break;
                    }
                }
            }
        }
        None
    }

    /// Whether a vertex on the path of a refinement can be covered now; then it is.
    fn cover_expanded(&mut self, oracle: &mut Oracle<'_, '_>, vertex: VertexId) -> bool {
        let label = self.vertices[vertex].label;
        let by = self.candidates(vertex).into_iter();
        let mut by = by.filter(|&by| oracle.entails(label, self.vertices[by].label));
        let Some(by) = by.next() else { return false };
        self.cover(oracle, vertex, by);
        true
    }

    /// The disjunction of the labels at each location.
    fn invariants(&self, oracle: &mut Oracle<'_, '_>) -> Vec<TermId> {
        let labels = |vertices: &Vec<VertexId>| {
            let open = vertices.iter().filter(|&&vertex| !self.vertices[vertex].hidden);
            let labels: BTreeSet<TermId> = open.map(|&vertex| self.vertices[vertex].label).collect();
            labels.into_iter().collect::<Vec<_>>()
        };
        let all: Vec<Vec<TermId>> = self.at.iter().map(labels).collect();
        all.iter().map(|labels| oracle.domain.pool.or(labels)).collect()
    }
}
