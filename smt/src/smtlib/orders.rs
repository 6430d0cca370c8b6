//! Interpolants without orders among the elements of declared sorts.
//!
//! The solver takes elements for integers, so an interpolant may compare them, which the script's language cannot say. The formulas of a script do not change if the elements get other numbers. So what
//! follows from the partitions before an interpolant holds in each order of its elements, and the conjunction over all orders is an interpolant as well: it is implied by what implied the first one, and implies it. In one
//! order, an inequality of two elements is true, false, or says whether they are equal. Equal elements have one place, so an order counts only where no other element is between equal ones.

use super::answer::ScriptStyle;
use super::elaborate::Ty;
use crate::hash::FxHashMap;
use crate::term::{Term, TermId, TermPool};

/// The orders of more elements are too many.
const MAX_ELEMENTS: usize = 5;

/// An inequality of two elements: the first one is not above the second, or below it.
struct Comparison {
    atom: TermId,
    sides: [TermId; 2],
    is_strict: bool,
}

impl ScriptStyle {
    /// The formula in all orders of the elements that it compares; none if it compares none, too many, or something else than two elements.
    pub(super) fn without_orders(&self, pool: &mut TermPool, formula: TermId) -> Option<TermId> {
        let mut comparisons = Vec::new();
        pool.visit(&[formula], |atom, term| {
            let Term::Le(sum) = term else { return };
            let mut monomials = Vec::new();
            let constant = pool.for_each_monomial(*sum, |factor, term| monomials.push((factor.clone(), term)));
            let is_element = |term: TermId| matches!(self.sort_of(pool, term), Ty::Named(_));
            if let [(p, a), (q, b)] = &monomials[..]
                && (p + q).is_zero()
                && is_element(*a)
                && is_element(*b)
            {
                let sides = if p.is_positive() { [*a, *b] } else { [*b, *a] };
                comparisons.push(Comparison {
                    atom,
                    sides,
                    is_strict: constant.is_positive(),
                });
            }
        });
        let mut elements: Vec<TermId> = comparisons.iter().flat_map(|comparison| comparison.sides).collect();
        elements.sort_unstable();
        elements.dedup();
        if elements.is_empty() || elements.len() > MAX_ELEMENTS {
            return None;
        }
        let mut parts = Vec::new();
        for order in orders(&elements) {
            let place = |element: TermId| order.iter().position(|&other| other == element);
            let mut known = FxHashMap::default();
            for Comparison {
                atom,
                sides: [a, b],
                is_strict,
            } in &comparisons
            {
                let equal = pool.eq(*a, *b);
                let value = match (place(*a) < place(*b), is_strict) {
                    (true, true) => pool.not(equal),
                    (true, false) => pool.mk_true(),
                    (false, true) => pool.mk_false(),
                    (false, false) => equal,
                };
                known.insert(*atom, value);
            }
            let mut cases = vec![pool.substitute(formula, &known)];
            for (last, &c) in order.iter().enumerate() {
                for (middle, &b) in order[..last].iter().enumerate() {
                    for &a in &order[..middle] {
                        let (ends, beside) = (pool.eq(a, c), pool.eq(a, b));
                        let apart = pool.not(beside);
                        cases.push(pool.and2(ends, apart));
                    }
                }
            }
            parts.push(pool.or(&cases));
        }
        Some(pool.and(&parts))
    }
}

/// All orders of some elements.
fn orders(elements: &[TermId]) -> Vec<Vec<TermId>> {
    let mut found = vec![Vec::new()];
    for &element in elements {
        let mut longer = Vec::new();
        for order in &found {
            for at in 0..=order.len() {
                let mut order: Vec<TermId> = order.clone();
                order.insert(at, element);
                longer.push(order);
            }
        }
        found = longer;
    }
    found
}
