//! Spans: from which part to which part a symbol, an atom or a clause can belong.
//!
//! A symbol's span runs from the first to the last part that has it. At the cut after part `k` it is local to A if its span ends
//! at or before `k`, local to B if it starts after `k`, and shared otherwise. The span of a term is the intersection of
//! its symbols' spans. It is empty iff the term is *mixed* at some cut: `first > last` means that the symbol with the late
//! start and the one with the early end lie on different sides of each cut between them. Every term of an asserted formula has a
//! span that contains its part, so that none of them is ever mixed.
//!
//! A sub-formula that a Tseitin variable names, an update and an equation are *opaque*: their meaning is in clauses of the
//! parts that contain them. Their span is the span of their own occurrences, which lies inside that of their symbols. They
//! stay out of interpolants whenever they occur in one part only. This is how predicates stay conjunctions and
//! disjunctions of inequalities, and how `i = 0` on a path gives the predicate `i <= 0` where that is enough: equations with a loop
//! counter unroll the loop, inequalities can converge.

use crate::hash::{FxHashMap, FxHashSet};
use crate::proof::Part;
use crate::term::{Symbol, Term, TermId, TermPool};
use std::cell::RefCell;

/// A range of parts, both ends included; empty if `first > last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Span {
    /// The span of what has no symbols.
    pub(super) const EVERYWHERE: Span = Span {
        first: 0,
        last: u32::MAX,
    };

    pub(super) fn meet(self, other: Span) -> Span {
        Span {
            first: self.first.max(other.first),
            last: self.last.min(other.last),
        }
    }

    pub(super) fn is_empty(self) -> bool {
        self.first > self.last
    }

    fn extend(&mut self, part: u32) {
        self.first = self.first.min(part);
        self.last = self.last.max(part);
    }
}

/// The spans of all symbols and opaque sub-formulas of a partitioned conjunction.
pub(super) struct Spans {
    symbols: FxHashMap<Symbol, Span>,
    opaque: FxHashMap<TermId, Span>,
    /// Spans of terms that were asked for.
    known: RefCell<FxHashMap<TermId, Span>>,
}

impl Spans {
    pub(super) fn new(pool: &TermPool, conjuncts: &[(Part, TermId)]) -> Spans {
        let mut spans = Spans {
            symbols: FxHashMap::default(),
            opaque: FxHashMap::default(),
            known: RefCell::default(),
        };
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut open: Vec<TermId> = Vec::new();
        let mut current = None;
        for &(part, formula) in conjuncts {
            if current != Some(part) {
                seen.clear();
                current = Some(part);
            }
            for symbol in pool.symbols(formula) {
                let start = Span {
                    first: part.0,
                    last: part.0,
                };
                spans.symbols.entry(symbol).or_insert(start).extend(part.0);
            }
            open.push(formula);
            while let Some(term) = open.pop() {
                if !seen.insert(term) {
                    continue;
                }
                if is_opaque(pool, term) {
                    let start = Span {
                        first: part.0,
                        last: part.0,
                    };
                    spans.opaque.entry(term).or_insert(start).extend(part.0);
                }
                pool.term(term).for_each_child(|child| open.push(child));
            }
        }
        spans
    }

    /// The span of a term by its symbols. A symbol that no part has belongs to none.
    pub(super) fn of_symbols(&self, pool: &TermPool, term: TermId) -> Span {
        self.of_all(&pool.symbols(term))
    }

    /// The meet of the symbols' spans.
    pub(super) fn of_all(&self, symbols: &[Symbol]) -> Span {
        let mut span = Span::EVERYWHERE;
        for symbol in symbols {
            let nowhere = Span {
                first: u32::MAX,
                last: 0,
            };
            span = span.meet(self.symbols.get(symbol).copied().unwrap_or(nowhere));
        }
        span
    }

    /// The span of a literal's term.
    pub(super) fn of(&self, pool: &TermPool, term: TermId) -> Span {
        if let Some(&span) = self.known.borrow().get(&term) {
            return span;
        }
        let core = if let Term::Not(inner) = pool.term(term) {
            *inner
        } else {
            term
        };
        let span = self
            .opaque
            .get(&core)
            .copied()
            .unwrap_or_else(|| self.of_symbols(pool, core));
        self.known.borrow_mut().insert(term, span);
        span
    }

    /// Whether all symbols of an interpolant for the cut after part `cut` occur on both sides of it.
    pub(super) fn vocabulary_is_shared(&self, pool: &TermPool, interpolant: TermId, cut: u32) -> bool {
        pool.symbols(interpolant).iter().all(|symbol| {
            self.symbols
                .get(symbol)
                .is_some_and(|span| span.first <= cut && cut < span.last)
        })
    }
}

fn is_opaque(pool: &TermPool, term: TermId) -> bool {
    use Term::{And, Eq, Iff, IteBool, Or, Update};
    matches!(
        pool.term(term),
        And(_) | Or(_) | Iff(..) | IteBool(..) | Eq(_) | Update { .. }
    )
}
