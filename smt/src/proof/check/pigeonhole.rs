//! Dirichlet's principle: more integers than values are not pairwise different.
//!
//! Bounds are those of one integer term each, with whatever factor, or of its difference from a reference, which is the same for all; disequations those of two such terms.

use super::line::Line;
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::term::{Sort, Term, TermId, TermPool};

/// The bounds on one term.
#[derive(Default)]
struct Span {
    low: Option<Int>,
    high: Option<Int>,
}

/// The fact that one term less another one is at most a number. A term that is missing is 0.
struct Bound {
    plus: Option<TermId>,
    minus: Option<TermId>,
    limit: Int,
}

impl Bound {
    /// The bound that an inequality between integers is, if it is one.
    fn of(pool: &TermPool, line: &Line) -> Option<Bound> {
        let terms = line.terms();
        let is_difference = matches!(terms, [(_, p), (_, q)] if (p + q).is_zero());
        if terms.iter().any(|(term, _)| pool.sort(*term) != Sort::Int) || terms.len() != 1 && !is_difference {
            return None;
        }
        let term_with = |positive: bool| terms.iter().find(|(_, c)| c.is_positive() == positive).map(|m| m.0);
        Some(Bound {
            plus: term_with(true),
            minus: term_with(false),
            limit: (-line.rest()).div_floor(&terms[0].1.abs()),
        })
    }
}

/// Whether the hypotheses (atoms with their values) bound some integers to fewer values than they are, and say that each two of them are different.
pub(super) fn contradictory(pool: &TermPool, hypotheses: &[(TermId, bool)]) -> bool {
    let mut bounds: Vec<Bound> = Vec::new();
    let mut different: FxHashSet<(TermId, TermId)> = FxHashSet::default();
    for &(atom, value) in hypotheses {
        match *pool.term(atom) {
            Term::Le(sum) => {
                let line = Line::of(pool, sum);
                let line = if value { line } else { line.complement(false).0 };
                bounds.extend(Bound::of(pool, &line));
            }
            Term::Eq(sum) if !value => {
                let line = Line::of(pool, sum);
                if let [(a, p), (b, q)] = line.terms()
                    && (p + q).is_zero()
                    && line.rest().is_zero()
                {
                    different.extend([(*a, *b), (*b, *a)]);
                }
            }
            _ => {}
        }
    }
    let Some(first) = bounds.first() else {
        return false;
    };
    [first.plus, first.minus]
        .into_iter()
        .any(|reference| is_crowded(&bounds, &different, reference))
}

/// Whether the terms that have bounds of their differences from the reference are too many.
fn is_crowded(bounds: &[Bound], different: &FxHashSet<(TermId, TermId)>, reference: Option<TermId>) -> bool {
    let mut spans: FxHashMap<TermId, Span> = FxHashMap::default();
    for bound in bounds {
        match (bound.plus, bound.minus) {
            (Some(term), other) if other == reference => {
                let span = spans.entry(term).or_default();
                let known = span.high.take();
                span.high = Some(known.map_or(bound.limit.clone(), |known| known.min(bound.limit.clone())));
            }
            (other, Some(term)) if other == reference => {
                let (span, low) = (spans.entry(term).or_default(), -&bound.limit);
                span.low = Some(span.low.take().map_or(low.clone(), |known| known.max(low)));
            }
            _ => {}
        }
    }
    let mut crowd: Vec<TermId> = Vec::new();
    let (mut least, mut greatest): (Option<Int>, Option<Int>) = (None, None);
    for (term, span) in spans {
        let Span {
            low: Some(low),
            high: Some(high),
        } = span
        else {
            continue;
        };
        if !crowd.iter().all(|other| different.contains(&(term, *other))) {
            return false;
        }
        crowd.push(term);
        least = Some(least.map_or(low.clone(), |known| known.min(low)));
        greatest = Some(greatest.map_or(high.clone(), |known| known.max(high)));
    }
    match least.zip(greatest) {
        Some((least, greatest)) => Int::from(crowd.len() as i64) > greatest - least + Int::ONE,
        None => false,
    }
}
