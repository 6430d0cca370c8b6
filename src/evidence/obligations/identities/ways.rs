//! The equations of a block: those on each way through it, and those that may hold because bounds meet or divisions leave no rest.

use super::polynomial::{Expander, Polynomial};
use crate::encode::unsigned_zero;
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, Term, TermId, TermPool};
use std::collections::BTreeMap;

/// The ways through a block that are looked at.
const MAX_WAYS: usize = 24;
/// Divisions by greater numbers are not looked at.
const MAX_DIVISOR: i64 = 1 << 16;

/// The sum that an equation says to be 0.
pub fn zero(pool: &TermPool, atom: TermId) -> Option<TermId> {
    match *pool.term(atom) {
        Term::Eq(sum) if !pool.is_real(sum) => Some(sum),
        _ => None,
    }
}

/// The ways through a formula: for each the literals on it. Of very many the first ones. Ways differ in their conditions or in what they assign; clauses, such as axioms, are passed over.
pub fn ways(pool: &TermPool, formula: TermId) -> Vec<Vec<TermId>> {
    // Paths that merge share what is before: each part is looked at once.
    let mut known: FxHashMap<TermId, Vec<Vec<TermId>>> = FxHashMap::default();
    let mut open = vec![formula];
    while let Some(&next) = open.last() {
        let parts = match pool.term(next) {
            Term::And(parts) | Term::Or(parts) => &parts[..],
            _ => &[],
        };
        let missing = parts.iter().filter(|part| !known.contains_key(part));
        let before = open.len();
        open.extend(missing);
        if open.len() == before {
            open.pop();
            known.insert(next, joined(pool, next, &known));
        }
    }
    known.remove(&formula).unwrap_or_default()
}

/// The ways through a formula, from those through its parts.
fn joined(pool: &TermPool, formula: TermId, known: &FxHashMap<TermId, Vec<Vec<TermId>>>) -> Vec<Vec<TermId>> {
    match pool.term(formula) {
        Term::And(parts) => {
            let mut all = vec![Vec::new()];
            for part in parts {
                let pairs = all
                    .iter()
                    .flat_map(|way| known[part].iter().map(move |more| [way.as_slice(), more].concat()));
                all = pairs.take(MAX_WAYS).collect();
            }
            all
        }
        Term::Or(parts) => {
            let of_parts = parts.iter().flat_map(|part| &known[part]);
            let assigns = |way: &Vec<TermId>| way.iter().any(|&literal| is_assignment(pool, literal));
            let is_path = |&part: &TermId| matches!(pool.term(part), Term::And(_));
            match parts.iter().any(is_path) || of_parts.clone().all(assigns) {
                true => of_parts.take(MAX_WAYS).cloned().collect(),
                false => vec![Vec::new()],
            }
        }
        _ => vec![vec![formula]],
    }
}

/// Whether a literal is an equation with a variable that was written.
fn is_assignment(pool: &TermPool, literal: TermId) -> bool {
    let mut is_written = false;
    if let Some(sum) = zero(pool, literal) {
        pool.for_each_monomial(sum, |_, part| {
            is_written |=
                matches!(pool.term(part), Term::IntVar(symbol) if symbol.index > 0 && symbol.index != NO_INDEX);
        });
    }
    is_written
}

/// The sums that may be 0 if literals hold: of equations, and of bounds that meet.
pub fn zeros(pool: &mut TermPool, literals: &[TermId]) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    let (mut least, mut greatest): (BTreeMap<TermId, Int>, BTreeMap<TermId, Int>) = Default::default();
    for &literal in literals {
        found.extend(zero(pool, literal).or(unsigned_zero(pool, literal)));
        let (atom, is_not) = match *pool.term(literal) {
            Term::Not(atom) => (atom, true),
            _ => (literal, false),
        };
        let Term::Le(sum) = *pool.term(atom) else { continue };
        // base + constant <= 0, or base + constant >= 1
        let constant = pool.for_each_monomial(sum, |_, _| {});
        let base = pool.linear(&[(Int::ONE, sum)], -&constant);
        match is_not {
            false => {
                let end = -&constant;
                let known = greatest.entry(base).or_insert_with(|| end.clone());
                *known = end.min(known.clone());
            }
            true => {
                let end = Int::ONE - constant;
                let known = least.entry(base).or_insert_with(|| end.clone());
                *known = end.max(known.clone());
            }
        }
    }
    for (base, greatest) in greatest {
        if least.get(&base) == Some(&greatest) {
            found.push(pool.linear(&[(Int::ONE, base)], -&greatest));
        }
    }
    found
}

/// The sums that are 0 if divisions by small numbers leave no rest.
pub fn exact_divisions(pool: &mut TermPool, sums: &[TermId]) -> Vec<TermId> {
    let mut found = Vec::new();
    for term in pool.sub_terms(sums) {
        if let Term::Div(dividend, divisor) = pool.term(term).clone()
            && divisor <= Int::from(MAX_DIVISOR)
        {
            found.push(pool.linear(&[(Int::ONE, dividend), (-divisor, term)], Int::ZERO));
        }
    }
    found
}

/// A sum in which conditionals whose branches are not congruent are replaced by the branch without a period of a narrower type, and of quotients by that of numbers that are not negative: what holds if nothing wraps around.
pub fn without_wraps(pool: &mut TermPool, expander: &mut Expander, sum: TermId) -> TermId {
    let mut parts = Vec::new();
    let constant = pool.for_each_monomial(sum, |factor, part| parts.push((factor.clone(), part)));
    let mut is_changed = false;
    for (_, part) in &mut parts {
        if !matches!(pool.term(*part), Term::Ite(..)) || expander.expand(pool, *part) != Some(Polynomial::of(*part)) {
            continue;
        }
        let size = |leaf: &TermId| {
            let mut is_opposite = false;
            let constant = pool.for_each_monomial(*leaf, |factor, _| is_opposite |= factor.is_negative());
            (constant.abs(), is_opposite)
        };
        if let Some(leaf) = pool.branches(*part).into_iter().min_by_key(size) {
            (*part, is_changed) = (leaf, true);
        }
    }
    match is_changed {
        true => pool.linear(&parts, constant),
        false => sum,
    }
}
