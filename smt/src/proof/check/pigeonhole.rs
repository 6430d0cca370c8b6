//! Dirichlet's principle: more integers than values are not pairwise different.
//!
//! Bounds are those of one integer term each, with whatever factor; disequations those of two such terms.

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

/// Whether the hypotheses (atoms with their values) bound some integers to fewer values than they are, and say that each two of them are different.
pub(super) fn contradictory(pool: &TermPool, hypotheses: &[(TermId, bool)]) -> bool {
    let mut spans: FxHashMap<TermId, Span> = FxHashMap::default();
    let mut different: FxHashSet<(TermId, TermId)> = FxHashSet::default();
    for &(atom, value) in hypotheses {
        match *pool.term(atom) {
            Term::Le(sum) => {
                let line = Line::of(pool, sum);
                let line = if value { line } else { line.complement(false).0 };
                let [(term, coeff)] = line.terms() else { continue };
                if pool.sort(*term) != Sort::Int {
                    continue;
                }
                // `coeff * term <= -rest`
                let limit = -line.rest();
                let span = spans.entry(*term).or_default();
                if coeff.is_positive() {
                    let high = limit.div_floor(coeff);
                    span.high = Some(span.high.take().map_or(high.clone(), |known| known.min(high)));
                } else {
                    let low = (-limit).div_ceil(&-coeff);
                    span.low = Some(span.low.take().map_or(low.clone(), |known| known.max(low)));
                }
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
