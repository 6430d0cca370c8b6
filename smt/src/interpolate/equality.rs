//! The partial interpolant of a conflict of equality and congruence.
//!
//! The assumed equations are edges of a graph whose vertices are terms, coloured by the side that assumes them; a mixed equation is two edges that
//! meet in its auxiliary variable. Congruences are further edges, whose colour is that of their ends; between a term of A and one of B
//! there is a shared vertex on the paths between their arguments, so that `f(s)` can be put between `f(x)` and `f(y)`. Then every path falls into
//! *factors* of one colour, which meet in shared terms, and the interpolant can be read off (Fuchs, Goel, Grundy, Krstić, Tinelli, *Ground
//! interpolation for the theory of equality*, TACAS 2009): it says what A's factors prove, given the factors of B that A's
//! congruences rest on. Edges between shared terms could have either colour.
//!
//! The literal that contradicts the path between `x` and `y` is the path's *end*: `x` and `y` are different, or a predicate is true of one only. If A has
//! it, the interpolant says that B's factors cannot all hold. If each side has its half, A gives its half for a shared vertex of the path.
//!
//! All of that is a conjunction of implications, collected in a work list.

use super::CongruenceLeaf;
use super::purify::Mixed;
use crate::hash::{FxHashMap, FxHashSet};
use crate::term::{Symbol, Term, TermId, TermPool};
use std::collections::VecDeque;

/// The sides that can have a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    A,
    B,
    Shared,
}

/// The side of an assumption, and the colour of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    A,
    B,
}

/// The literal that contradicts the equality of two terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// One side alone.
    Of(Colour),
    /// A's half is about the first term, B's about the second one.
    Split,
}

/// A conflict of equality and congruence at a cut.
pub(super) struct Conflict<'a> {
    /// The assumed equations. Each colour's terms belong to it or are shared.
    pub(super) equations: &'a [(TermId, TermId, Colour)],
    /// The two equal terms that must not be; none if these are two constants that are still to be found.
    pub(super) ends: Option<(TermId, TermId)>,
    pub(super) end: End,
    /// The side that can have a term; an error if neither can.
    pub(super) owner: &'a dyn Fn(&TermPool, TermId) -> Result<Owner, Mixed>,
    pub(super) colouring: CongruenceLeaf,
}

#[derive(Clone, Copy)]
struct Edge {
    to: TermId,
    /// None for a congruence.
    assumed: Option<Colour>,
}

/// One colour's part of a path: its ends.
type Factor = (TermId, TermId, Colour);

#[derive(Default)]
struct Graph {
    edges: FxHashMap<TermId, Vec<Edge>>,
    parents: FxHashMap<TermId, TermId>,
    owners: FxHashMap<TermId, Owner>,
}

impl Conflict<'_> {
    /// The partial interpolant. `half` gives A's half of the end for a shared term; it is asked for a split end only.
    pub(super) fn interpolant(
        &self,
        pool: &mut TermPool,
        half: &mut dyn FnMut(&mut TermPool, TermId) -> TermId,
    ) -> Result<TermId, Mixed> {
        let graph = self.graph(pool)?;
        let mut work = Work::default();
        let (x, y) = match self.ends {
            Some(ends) => ends,
            None => graph.equal_constants(pool).ok_or(Mixed)?,
        };
        match self.end {
            End::Of(Colour::B) => work.justify(x, y),
            End::Of(Colour::A) => {
                let never = pool.mk_false();
                self.conclude(pool, &graph, (x, y), never, &mut work)?;
            }
            End::Split => {
                let path = graph.path(x, y).ok_or(Mixed)?;
                let shared = graph.first_shared(&path).ok_or(Mixed)?;
                let conclusion = half(pool, shared);
                self.conclude(pool, &graph, (x, shared), conclusion, &mut work)?;
                work.justify(shared, y);
            }
        }
        while let Some((x, y)) = work.open.pop_front() {
            // B proves that these are equal, given what A's factors prove.
            for (from, to, assumed) in graph.edges_between(x, y)? {
                if assumed.is_none() && self.colour(&graph, from, to, assumed) == Colour::B {
                    work.justify_arguments(pool, from, to);
                }
            }
            for (p, q, _) in self
                .factors(&graph, x, y)?
                .into_iter()
                .filter(|factor| factor.2 == Colour::A)
            {
                let equal = pool.eq(p, q);
                self.conclude(pool, &graph, (p, q), equal, &mut work)?;
            }
        }
        Ok(pool.and(&work.conjuncts))
    }

    /// The formula by which A proves a conclusion from the equality of two of its terms, given B's factors that this equality rests on.
    fn conclude(
        &self,
        pool: &mut TermPool,
        graph: &Graph,
        pair: (TermId, TermId),
        conclusion: TermId,
        work: &mut Work,
    ) -> Result<(), Mixed> {
        let mut disjuncts = vec![conclusion];
        let mut seen: FxHashSet<(TermId, TermId)> = std::iter::once(pair).collect();
        let mut open = vec![pair];
        while let Some((x, y)) = open.pop() {
            for (p, q, _) in self
                .factors(graph, x, y)?
                .into_iter()
                .filter(|factor| factor.2 == Colour::B)
            {
                disjuncts.push(pool.ne(p, q));
                work.justify(p, q);
            }
            for (from, to, assumed) in graph.edges_between(x, y)? {
                if assumed.is_none() && self.colour(graph, from, to, assumed) == Colour::A {
                    open.extend(arguments(pool, from, to).into_iter().filter(|pair| seen.insert(*pair)));
                }
            }
        }
        work.conjuncts.push(pool.or(&disjuncts));
        Ok(())
    }

    /// The forest of equations and congruences.
    fn graph(&self, pool: &mut TermPool) -> Result<Graph, Mixed> {
        let mut graph = Graph::default();
        for &(x, y, colour) in self.equations {
            for term in [x, y] {
                self.add_vertex(pool, &mut graph, term)?;
            }
            graph.join(x, y, Some(colour));
        }
        for term in self.ends.into_iter().flat_map(|(x, y)| [x, y]) {
            self.add_vertex(pool, &mut graph, term)?;
        }
        let mut changed = true;
        while changed {
            changed = false;
            let mut applications: Vec<TermId> = graph.owners.keys().copied().collect();
            applications.retain(|&term| application(pool, term).is_some());
            applications.sort_unstable();
            let mut known: FxHashMap<(Symbol, Vec<TermId>), TermId> = FxHashMap::default();
            for term in applications {
                let (function, arguments) = application(pool, term).expect("only applications are left");
                let classes = arguments.iter().map(|&argument| graph.root(argument)).collect();
                let other = *known.entry((function, classes)).or_insert(term);
                if graph.root(term) != graph.root(other) {
                    self.join_congruent(pool, &mut graph, other, term)?;
                    changed = true;
                }
            }
        }
        Ok(graph)
    }

    /// Adds a term with its parts.
    fn add_vertex(&self, pool: &TermPool, graph: &mut Graph, term: TermId) -> Result<(), Mixed> {
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            if graph.owners.contains_key(&term) {
                continue;
            }
            graph.owners.insert(term, (self.owner)(pool, term)?);
            if let Some((_, arguments)) = application(pool, term) {
                open.extend(arguments.iter().copied());
            }
        }
        Ok(())
    }

    /// Connects two applications with equal arguments, by way of a shared one if neither side can have both.
    fn join_congruent(&self, pool: &mut TermPool, graph: &mut Graph, x: TermId, y: TermId) -> Result<(), Mixed> {
        match (graph.owners[&x], graph.owners[&y]) {
            (Owner::A, Owner::B) | (Owner::B, Owner::A) => {
                let mut between = Vec::new();
                for (from, to) in arguments(pool, x, y) {
                    let path = graph.path(from, to).ok_or(Mixed)?;
                    between.push(graph.first_shared(&path).ok_or(Mixed)?);
                }
                let middle = apply_as(pool, x, &between);
                self.add_vertex(pool, graph, middle)?;
                graph.join(x, middle, None);
                graph.join(middle, y, None);
            }
            _ => graph.join(x, y, None),
        }
        Ok(())
    }

    fn colour(&self, graph: &Graph, from: TermId, to: TermId, assumed: Option<Colour>) -> Colour {
        assumed.unwrap_or_else(|| match (graph.owners[&from], graph.owners[&to]) {
            (Owner::A, _) | (_, Owner::A) => Colour::A,
            (Owner::B, _) | (_, Owner::B) => Colour::B,
            (Owner::Shared, Owner::Shared) if self.colouring == CongruenceLeaf::Strong => Colour::B,
            (Owner::Shared, Owner::Shared) => Colour::A,
        })
    }

    /// The path between two terms, in maximal parts of one colour.
    fn factors(&self, graph: &Graph, x: TermId, y: TermId) -> Result<Vec<Factor>, Mixed> {
        let mut factors: Vec<Factor> = Vec::new();
        for (from, to, assumed) in graph.edges_between(x, y)? {
            let colour = self.colour(graph, from, to, assumed);
            match factors.last_mut() {
                Some(last) if last.2 == colour => last.1 = to,
                _ => factors.push((from, to, colour)),
            }
        }
        Ok(factors)
    }
}

/// A part of a formula that is still to be written.
#[derive(Default)]
struct Work {
    conjuncts: Vec<TermId>,
    /// Pairs that B proves to be equal.
    open: VecDeque<(TermId, TermId)>,
    seen: FxHashSet<(TermId, TermId)>,
}

impl Work {
    fn justify(&mut self, x: TermId, y: TermId) {
        if x != y && self.seen.insert((x, y)) {
            self.open.push_back((x, y));
        }
    }

    fn justify_arguments(&mut self, pool: &TermPool, x: TermId, y: TermId) {
        for (from, to) in arguments(pool, x, y) {
            self.justify(from, to);
        }
    }
}

/// The function and the arguments of an application.
fn application(pool: &TermPool, term: TermId) -> Option<(Symbol, &[TermId])> {
    match pool.term(term) {
        Term::App(function, arguments) | Term::RealApp(function, arguments) => Some((*function, arguments)),
        _ => None,
    }
}

/// The function of an application, applied to something else.
pub(super) fn apply_as(pool: &mut TermPool, term: TermId, arguments: &[TermId]) -> TermId {
    let (function, _) = application(pool, term).expect("congruence is between applications");
    if pool.is_real(term) {
        pool.real_app(function.name, function.index, arguments)
    } else {
        pool.app(function.name, function.index, arguments)
    }
}

/// The pairs of arguments of two applications of one function.
pub(super) fn arguments(pool: &TermPool, x: TermId, y: TermId) -> Vec<(TermId, TermId)> {
    let of = |term| application(pool, term).expect("congruence is between applications").1;
    of(x).iter().copied().zip(of(y).iter().copied()).collect()
}

impl Graph {
    fn root(&self, term: TermId) -> TermId {
        let mut at = term;
        while let Some(&parent) = self.parents.get(&at) {
            at = parent;
        }
        at
    }

    /// Adds an edge, unless the terms are connected.
    fn join(&mut self, x: TermId, y: TermId, assumed: Option<Colour>) {
        let (from, into) = (self.root(x), self.root(y));
        if from != into {
            self.parents.insert(from, into);
            self.edges.entry(x).or_default().push(Edge { to: y, assumed });
            self.edges.entry(y).or_default().push(Edge { to: x, assumed });
        }
    }

    /// Two constants that are connected.
    fn equal_constants(&self, pool: &TermPool) -> Option<(TermId, TermId)> {
        let mut constants: Vec<TermId> = self.owners.keys().copied().collect();
        constants.retain(|&term| matches!(pool.term(term), Term::Const(_)));
        constants.sort_unstable();
        let pairs = constants
            .iter()
            .enumerate()
            .flat_map(|(at, &x)| constants[at + 1..].iter().map(move |&y| (x, y)));
        pairs.into_iter().find(|&(x, y)| self.root(x) == self.root(y))
    }

    /// The vertices from `x` to `y`, with how each is reached, if they are connected.
    fn path(&self, x: TermId, y: TermId) -> Option<Vec<(TermId, Option<Colour>)>> {
        let mut reached: FxHashMap<TermId, (TermId, Option<Colour>)> = FxHashMap::default();
        let mut open = VecDeque::from([x]);
        while let Some(term) = open.pop_front() {
            if term == y {
                break;
            }
            for edge in self.edges.get(&term).into_iter().flatten() {
                if edge.to != x && !reached.contains_key(&edge.to) {
                    reached.insert(edge.to, (term, edge.assumed));
                    open.push_back(edge.to);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = y;
        while at != x {
            let &(before, assumed) = reached.get(&at)?;
            path.push((at, assumed));
            at = before;
        }
        path.push((x, None));
        path.reverse();
        Some(path)
    }

    fn first_shared(&self, path: &[(TermId, Option<Colour>)]) -> Option<TermId> {
        path.iter()
            .map(|vertex| vertex.0)
            .find(|term| self.owners[term] == Owner::Shared)
    }

    /// The edges of the path between two terms.
    fn edges_between(&self, x: TermId, y: TermId) -> Result<Vec<(TermId, TermId, Option<Colour>)>, Mixed> {
        let path = self.path(x, y).ok_or(Mixed)?;
        Ok(path.windows(2).map(|pair| (pair[0].0, pair[1].0, pair[1].1)).collect())
    }
}
