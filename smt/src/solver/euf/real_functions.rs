//! Uninterpreted functions of real numbers, by congruence lemmas on demand.
//!
//! As in the sibling `functions`, the applications' values in the candidate model are put into tables, and two applications at one
//! point with different values need a congruence lemma (Ackermann 1954). There are no updates of such functions, so a
//! candidate without such a pair is a model. The values are rational here: the infinitesimal has got a value before.

use crate::hash::FxHashMap;
use crate::num::Rational;
use crate::solver::Solver;
use crate::solver::theory::Verdict;
use crate::term::{Symbol, TermId, TermPool};

/// Points of functions with an application there and its value.
pub(in crate::solver) type RealPoints = FxHashMap<(Symbol, Vec<Rational>), (usize, Rational)>;

impl Solver {
    /// The value of a number in the candidate model.
    pub(in crate::solver) fn evaluate_real(&mut self, pool: &TermPool, term: TermId) -> Rational {
        let form = self.form(pool, term);
        let (constant, denominator) = (Rational::from(&form.constant), Rational::from(&form.denominator));
        let form = &self.columns.forms[&term];
        let mut sum = constant;
        for (coeff, column) in &form.monomials {
            sum.add_mul(
                &Rational::from(coeff),
                &self.theories.arith.tableau.column(*column).value,
            );
        }
        sum / denominator
    }

    /// Checks the candidate model's functions of reals.
    pub(in crate::solver) fn check_real_functions(&mut self, pool: &mut TermPool) -> Verdict {
        let mut points = RealPoints::default();
        let mut clashes = Vec::new();
        for i in 0..self.live.real_apps.len() {
            let app = self.live.real_apps[i].clone();
            let point: Vec<Rational> = app.arguments.iter().map(|&a| self.evaluate_real(pool, a)).collect();
            let value = &self.theories.arith.tableau.column(app.column).value;
            let known = points.entry((app.symbol, point)).or_insert_with(|| (i, value.clone()));
            if known.1 != *value {
                clashes.push((known.0, i));
            }
        }
        self.search.ticks += self.live.real_apps.len() as u64;
        if clashes.is_empty() {
            self.theories.euf.real_points = points;
            return Verdict::Consistent;
        }
        let mut refined = false;
        for (a, b) in clashes {
            let (a, b) = (self.live.real_apps[a].clone(), self.live.real_apps[b].clone());
            refined |= self.add_congruence_of(pool, (a.term, &a.arguments), (b.term, &b.arguments));
        }
        if refined {
            Verdict::Refined
        } else {
            Verdict::Stuck("mixed lemma")
        }
    }
}
