//! Relations between two symbols: upper bounds of differences, and differences that are excluded.
//!
//! The bounds are a system of difference constraints (Cormen, Leiserson, Rivest, Stein, *Introduction to Algorithms*, 24.4): what they imply about two
//! symbols is a shortest path. The list is short; past `MAX_RELATIONS` nothing more is recorded.

use super::symbol::SymbolId;
use std::rc::Rc;

/// Relations that are remembered at most.
const MAX_RELATIONS: usize = 96;

/// The relation about `a - b`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// It is at most this.
    AtMost(i128),
    /// It is not this.
    Not(i128),
}

/// A relation between two symbols.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Relation {
    /// The first symbol.
    pub a: SymbolId,
    /// The second symbol.
    pub b: SymbolId,
    /// The relation about their difference.
    pub kind: Kind,
}

/// The relations of a state.
#[derive(Clone, Default, PartialEq, Eq, Hash, Debug)]
pub struct Relations {
    list: Rc<Vec<Relation>>,
}

impl Relations {
    /// All of them, in the order in which they were found.
    pub fn iter(&self) -> impl Iterator<Item = &Relation> {
        self.list.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Number of relations.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the relation is there, as it stands or the other way round.
    pub fn has(&self, relation: Relation) -> bool {
        let Relation { a, b, kind } = relation;
        let mirrored = match kind {
            Kind::Not(d) => Some(Relation {
                a: b,
                b: a,
                kind: Kind::Not(-d),
            }),
            Kind::AtMost(_) => None,
        };
        self.list.iter().any(|r| *r == relation || Some(*r) == mirrored)
    }

    /// Whether a symbol is in some relation.
    pub fn mentions(&self, id: SymbolId) -> bool {
        self.list.iter().any(|r| r.a == id || r.b == id)
    }

    /// The least upper bound of `a - b` that follows.
    pub fn bound(&self, a: SymbolId, b: SymbolId) -> Option<i128> {
        if self.list.is_empty() {
            return None;
        }
        // Bellman and Ford, from `a` along `a - x <= d`.
        let mut best: Vec<(SymbolId, i128)> = vec![(a, 0)];
        for _ in 0..=self.list.len() {
            let mut changed = false;
            for relation in self.list.iter() {
                let Kind::AtMost(d) = relation.kind else { continue };
                let Some(&(_, so_far)) = best.iter().find(|(id, _)| *id == relation.a) else {
                    continue;
                };
                let next = so_far + d;
                match best.iter_mut().find(|(id, _)| *id == relation.b) {
                    Some((_, known)) if *known <= next => {}
                    Some((_, known)) => {
                        *known = next;
                        changed = true;
                    }
                    None => {
                        best.push((relation.b, next));
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        best.into_iter().find(|(id, _)| *id == b).map(|(_, d)| d)
    }

    /// Whether `a - b = d` is known to be or not to be.
    pub fn equal(&self, a: SymbolId, b: SymbolId, d: i128) -> Option<bool> {
        if self.list.is_empty() {
            return None;
        }
        let kind = Kind::Not(d);
        if self.has(Relation { a, b, kind }) {
            return Some(false);
        }
        let (above, below) = (self.bound(a, b), self.bound(b, a));
        if above.is_some_and(|above| above < d) || below.is_some_and(|below| below < -d) {
            return Some(false);
        }
        (above == Some(d) && below == Some(-d)).then_some(true)
    }

    /// Whether `a - b <= d` is known to be or not to be.
    pub fn at_most(&self, a: SymbolId, b: SymbolId, d: i128) -> Option<bool> {
        if self.bound(a, b).is_some_and(|above| above <= d) {
            return Some(true);
        }
        self.bound(b, a).is_some_and(|below| below < -d).then_some(false)
    }

    /// Adds a relation. False if there is no room for it.
    #[must_use]
    pub fn add(&mut self, mut relation: Relation) -> bool {
        let Relation { a, b, kind } = relation;
        // At most d, but not d: at most d - 1.
        match kind {
            Kind::AtMost(mut d) => {
                while self.has(Relation {
                    a,
                    b,
                    kind: Kind::Not(d),
                }) {
                    d -= 1;
                }
                relation.kind = Kind::AtMost(d);
            }
            Kind::Not(d) => {
                let mut stricter = Vec::new();
                if self.bound(a, b) == Some(d) {
                    stricter.push((a, b, d - 1));
                }
                if self.bound(b, a) == Some(-d) {
                    stricter.push((b, a, -d - 1));
                }
                for (a, b, d) in stricter {
                    let kind = Kind::AtMost(d);
                    if self.len() < MAX_RELATIONS {
                        Rc::make_mut(&mut self.list).push(Relation { a, b, kind });
                    }
                }
            }
        }
        if self.has(relation) {
            return true;
        }
        let room = self.len() < MAX_RELATIONS;
        if room {
            Rc::make_mut(&mut self.list).push(relation);
        }
        room
    }

    /// Keeps some of the relations.
    pub fn retain(&mut self, keep: impl Fn(&Relation) -> bool) {
        if !self.list.iter().all(&keep) {
            Rc::make_mut(&mut self.list).retain(keep);
        }
    }

    /// Replaces a symbol by another one plus a constant. False if that contradicts a relation.
    #[must_use]
    pub fn replace(&mut self, old: SymbolId, new: SymbolId, plus: i128) -> bool {
        if !self.mentions(old) {
            return true;
        }
        let list = Rc::make_mut(&mut self.list);
        for relation in list.iter_mut() {
            let mut moved = 0;
            if relation.a == old {
                relation.a = new;
                moved -= plus;
            }
            if relation.b == old {
                relation.b = new;
                moved += plus;
            }
            relation.kind = match relation.kind {
                Kind::AtMost(d) => Kind::AtMost(d + moved),
                Kind::Not(d) => Kind::Not(d + moved),
            };
        }
        let trivial = |r: &Relation| r.a == r.b;
        let possible = list.iter().filter(|r| trivial(r)).all(|r| match r.kind {
            Kind::AtMost(d) => d >= 0,
            Kind::Not(d) => d != 0,
        });
        list.retain(|r| !trivial(r));
        possible
    }
}
