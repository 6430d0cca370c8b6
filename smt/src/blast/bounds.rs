//! The bounds of variables and applications that formulas say.

use super::MAX_ROUNDS;
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::term::{Term, TermId, TermPool};

/// The least and the greatest value of a term, as far as they are known.
pub(super) type Bounds = (Option<Int>, Option<Int>);

/// The bounds of variables and applications that the formulas say without condition, also by an equation with another one.
pub(super) fn bounds(pool: &TermPool, formulas: &[TermId]) -> FxHashMap<TermId, Bounds> {
    let mut found: FxHashMap<TermId, Bounds> = FxHashMap::default();
    let mut equations = Vec::new();
    let mut stack = formulas.to_vec();
    while let Some(formula) = stack.pop() {
        let (atom, holds) = match pool.term(formula) {
            Term::And(members) => {
                stack.extend_from_slice(members);
                continue;
            }
            Term::Not(inner) => (*inner, false),
            _ => (formula, true),
        };
        let (sum, is_equation) = match pool.term(atom) {
            Term::Le(sum) => (*sum, false),
            Term::Eq(sum) if holds => (*sum, true),
            _ => continue,
        };
        let mut leaves = Vec::new();
        let constant = pool.for_each_monomial(sum, |factor, leaf| leaves.push((factor.clone(), leaf)));
        match &leaves[..] {
            [(factor, leaf)] if factor.is_one() && !pool.is_real(*leaf) => {
                let number = -constant;
                let above = &number + &Int::ONE;
                narrow(
                    &mut found,
                    *leaf,
                    match (is_equation, holds) {
                        (true, _) => (Some(number.clone()), Some(number)),
                        (false, true) => (None, Some(number)),
                        (false, false) => (Some(above), None),
                    },
                );
            }
            [(one, a), (other, b)] if is_equation && one.is_one() && *other == Int::MINUS_ONE => {
                equations.push((*a, *b, constant));
            }
            _ => {}
        }
    }
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        // a - b + c = 0
        for (a, b, constant) in &equations {
            for (from, to, distance) in [(b, a, -constant), (a, b, constant.clone())] {
                let (lo, hi) = found.get(from).cloned().unwrap_or_default();
                let moved = |end: Option<Int>| end.map(|end| end + &distance);
                changed |= narrow(&mut found, *to, (moved(lo), moved(hi)));
            }
        }
        if !changed {
            break;
        }
    }
    found
}

/// Adds bounds of a term. Whether they say more than those before.
fn narrow(found: &mut FxHashMap<TermId, Bounds>, term: TermId, (least, most): Bounds) -> bool {
    let (lo, hi) = found.entry(term).or_default();
    let is_higher = least.as_ref().is_some_and(|new| lo.as_ref().is_none_or(|lo| new > lo));
    let is_lower = most.as_ref().is_some_and(|new| hi.as_ref().is_none_or(|hi| new < hi));
    if is_higher {
        *lo = least;
    }
    if is_lower {
        *hi = most;
    }
    is_higher || is_lower
}
