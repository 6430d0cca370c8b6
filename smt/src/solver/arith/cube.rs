//! The unit cube test (Bromberger and Weidenbach, *Fast cube tests for LIA constraint solving*, IJCAR 2016).
//!
//! If a cube of edge length one fits into the polyhedron of the bounds, the integer point next to its centre is a solution. The centre of such a cube
//! satisfies each bound of a form with half the sum of its absolute coefficients to spare, which the simplex decides at once. The test finds
//! solutions where there are infinitely many of them, in which branch and bound may lose itself; it can never succeed where an
//! equation connects several integers.

use super::simplex::Outcome;
use super::tableau::Bound;
use super::tableau::Tableau;
use crate::num::{Int, Number, Rational};
use crate::solver::Solver;
use crate::solver::limits::MAX_COLUMNS;
use crate::term::{Term, TermPool};

impl Solver {
    /// Moves the vertex to an integer point, if a unit cube fits into the bounds. Returns whether it did.
    pub(in crate::solver) fn cube(&mut self, pool: &TermPool) -> bool {
        let tableau = &self.theories.arith.tableau;
        if tableau.columns.len() > MAX_COLUMNS || tableau.has_reals {
            return false;
        }
        let mut bounds = Vec::new();
        for (data, &term) in tableau.columns.iter().zip(&self.columns.terms) {
            // A leaf's nearest integer is within its integer bounds anyway.
            if !matches!(pool.term(term), Term::Sum(..)) {
                bounds.push((data.lower.clone(), data.upper.clone()));
                continue;
            }
            let mut width = Int::ZERO;
            pool.for_each_monomial(term, |coeff, _| width = &width + &coeff.abs());
            let spare = width.div_ceil(&Int::from(2));
            let moved = |bound: &Bound, by: &Int| Bound {
                value: Number::from(bound.value.as_int().expect("integer columns have integer bounds") + by),
                literal: bound.literal,
            };
            let lower = data.lower.as_ref().map(|bound| moved(bound, &spare));
            let upper = data.upper.as_ref().map(|bound| moved(bound, &-&spare));
            if lower
                .as_ref()
                .zip(upper.as_ref())
                .is_some_and(|(l, u)| l.value > u.value)
            {
                return false;
            }
            bounds.push((lower, upper));
        }
        let mut shrunk = tableau.clone();
        for (data, (lower, upper)) in shrunk.columns.iter_mut().zip(bounds) {
            (data.lower, data.upper) = (lower, upper);
        }
        self.search.ticks += shrunk.columns.len() as u64;
        let (ticks, deadline) = (self.search.ticks, self.limits.deadline);
        let before = shrunk.ticks;
        let outcome = shrunk.recheck(&mut |spent| ticks + spent - before <= deadline);
        self.search.ticks += shrunk.ticks - before;
        matches!(outcome, Outcome::Feasible) && self.go_to_rounded(pool, &shrunk)
    }

    /// Moves the vertex to where each leaf has the integer next to its value in another tableau of the same columns, if that is within all bounds.
    fn go_to_rounded(&mut self, pool: &TermPool, centre: &Tableau) -> bool {
        let half = Rational::new(Int::ONE, Int::from(2));
        let rounded = self.columns.terms.iter().map(|&term| {
            let mut value = Int::ZERO;
            pool.for_each_monomial(term, |coeff, leaf| {
                let at = &centre.column(self.columns.of[&leaf]).value;
                value.add_mul(coeff, &(at + &half).floor());
            });
            value
        });
        self.theories.arith.tableau.go_to(rounded)
    }
}
