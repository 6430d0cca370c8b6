//! Asserted definitions by conditional terms: `x = ite(c, a, b)` becomes `ite(c, x = a, x = b)`.
//!
//! A conditional term gets a column of its own, and the equation a row that is fixed for ever; both make all other rows longer, and pivots and the
//! propagation of rows dearer. Assignments on a path are equations of this kind, so there are many where predicates are abstracted.
//! An asserted equation is never false, so the two new equations need no more atoms than the definition of the term did.
//!
//! Without proofs only: a proof has to start from what was asserted.

use super::Solver;
use crate::solver::limits::MAX_LIFTED;
use crate::term::{Term, TermId, TermPool};

impl Solver {
    /// An equivalent formula without conditional terms in those conjuncts that are definitions by one.
    pub(super) fn lift_definitions(&self, pool: &mut TermPool, formula: TermId) -> TermId {
        if self.config.proofs {
            return formula;
        }
        let conjuncts = pool.conjuncts(formula);
        if !conjuncts.iter().any(|&conjunct| definition(pool, conjunct).is_some()) {
            return formula;
        }
        let mut lifted = Vec::with_capacity(conjuncts.len());
        for conjunct in conjuncts {
            let mut left = MAX_LIFTED;
            lifted.push(lift(pool, conjunct, &mut left));
        }
        pool.and(&lifted)
    }
}

/// The equation by cases, with at most `left` more branches.
fn lift(pool: &mut TermPool, equation: TermId, left: &mut usize) -> TermId {
    let Some((ite, other)) = definition(pool, equation).filter(|_| *left > 0) else {
        return equation;
    };
    let Term::Ite(condition, yes, no) = *pool.term(ite) else {
        unreachable!("a definition is by a conditional term");
    };
    *left -= 1;
    let [yes, no] = [yes, no].map(|value| {
        let case = pool.eq(other, value);
        lift(pool, case, left)
    });
    pool.ite(condition, yes, no)
}

/// The conditional term that an equation says a variable is equal to, and the variable.
fn definition(pool: &TermPool, equation: TermId) -> Option<(TermId, TermId)> {
    let Term::Eq(sum) = *pool.term(equation) else {
        return None;
    };
    let mut leaves = [None; 2];
    let (mut count, mut are_units) = (0, true);
    let constant = pool.for_each_monomial(sum, |coeff, leaf| {
        if let Some(slot) = leaves.get_mut(count) {
            *slot = Some(leaf);
        }
        count += 1;
        are_units &= coeff.abs().is_one();
    });
    let [Some(a), Some(b)] = leaves else { return None };
    let is_sum_of_two = !matches!(pool.term(sum), Term::Sum(list, _) if list[0].0 == list[1].0);
    if count != 2 || !are_units || !is_sum_of_two || !constant.is_zero() {
        return None;
    }
    let is_ite = |leaf: TermId| matches!(pool.term(leaf), Term::Ite(..));
    let is_variable = |leaf: TermId| matches!(pool.term(leaf), Term::IntVar(_) | Term::RealVar(_));
    match (is_ite(a) && is_variable(b), is_ite(b) && is_variable(a)) {
        (true, _) => Some((a, b)),
        (_, true) => Some((b, a)),
        _ => None,
    }
}
