//! Branches on forms with few values, where columns of different scales meet.
//!
//! Bits and bytes of one number are quotients and sums with powers of two: `x / 8` and `x / 32`, or `x = b0 + 256 b1 + ...` and `x / 64`. Each column has many values, so that branches on one
//! after the other go on for long: with each step of `x / 32` there is a vertex with another `x / 8`. But the forms `x / 8 - 4 (x / 32)` and `x / 64 - 4 b1 - 1024 b2 - ...` have
//! few values. A branch on such a form ends soon (a mixed-integer rounding cut as a branch: Marchand, Wolsey, *Aggregation and mixed integer rounding to solve MIPs*, 2001):
//!
//! - Quotients of one number by `d` and by `k d` satisfy `0 <= x / d - k (x / (k d)) <= k - 1`. At a vertex that does not, the side without solutions is decided: its conflict says so for good.
//! - In a row, the columns whose coefficients are multiples of `g`, divided by it, are an integer form. If the others have bounds, so has the form.

use super::integers::WIDE;
use super::tableau::Column;
use crate::num::{Int, Rational};
use crate::proof::Lit;
use crate::solver::Solver;
use crate::solver::limits::MAX_FRACTIONAL_ROWS;
use crate::solver::sat::search::Value;
use crate::term::{Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// The coefficients of one row that are tried as divisors.
const MAX_DIVISORS: usize = 6;

impl Solver {
    /// A branch on a form with few values that is a fraction now, if there is one.
    pub(super) fn branch_on_scales(&mut self, pool: &mut TermPool, fractional: &[Column]) -> Option<Lit> {
        self.branch_on_quotients(pool).or_else(|| {
            let mut some = fractional.iter().take(MAX_FRACTIONAL_ROWS);
            some.find_map(|&column| self.branch_on_multiples(pool, column))
        })
    }

    /// The side without solutions for two quotients of one number that do not fit together.
    fn branch_on_quotients(&mut self, pool: &mut TermPool) -> Option<Lit> {
        self.search.ticks += self.live.columns.len() as u64;
        let mut quotients: BTreeMap<TermId, Vec<(Int, Column)>> = BTreeMap::new();
        for &column in &self.live.columns {
            if let Term::Div(dividend, divisor) = pool.term(self.columns.terms[column.index()]) {
                let known = quotients.entry(*dividend).or_default();
                known.push((divisor.clone(), column));
            }
        }
        for quotients in quotients.values_mut() {
            quotients.sort();
            for (at, (large, second)) in quotients.iter().enumerate() {
                for (small, first) in &quotients[..at] {
                    if !small.is_positive() || !large.is_multiple_of(small) {
                        continue;
                    }
                    let factor = large.div_exact(small);
                    let [fine, coarse] = [first, second].map(|c| &self.theories.arith.tableau.column(*c).value);
                    let difference = fine - &(coarse * &Rational::from(factor.clone()));
                    let most = &factor - &Int::ONE;
                    let is_above = difference > Rational::from(most.clone());
                    if !is_above && !difference.is_negative() {
                        continue;
                    }
                    let terms = [first, second].map(|c| self.columns.terms[c.index()]);
                    if self.common_part(pool, &terms).is_none() {
                        continue;
                    }
                    let form = pool.linear(&[(Int::ONE, terms[0]), (-factor, terms[1])], Int::from(0));
                    let lit = match is_above {
                        true => !self.branch_at(pool, form, &most),
                        false => self.branch_at(pool, form, &Int::from(-1)),
                    };
                    if self.search.value(lit) == Value::Open {
                        return Some(lit);
                    }
                }
            }
        }
        None
    }

    /// A branch on the columns of a row whose coefficients have a common divisor, if the others leave the form few values and it is a fraction.
    fn branch_on_multiples(&mut self, pool: &mut TermPool, column: Column) -> Option<Lit> {
        let tableau = &self.theories.arith.tableau;
        let entries = &tableau.rows[tableau.column(column).row as usize].entries;
        if entries.iter().any(|entry| tableau.column(entry.column).is_real) {
            return None;
        }
        let divisors: BTreeSet<Int> = entries
            .iter()
            .map(|entry| entry.coeff.abs())
            .filter(|c| *c > Int::ONE)
            .collect();
        for divisor in divisors.into_iter().take(MAX_DIVISORS) {
            let entries =
                &self.theories.arith.tableau.rows[self.theories.arith.tableau.column(column).row as usize].entries;
            self.search.ticks += entries.len() as u64;
            let (mut form, mut value, mut width) = (Vec::new(), Rational::ZERO, Some(Int::from(0)));
            for entry in entries {
                let data = self.theories.arith.tableau.column(entry.column);
                if data.fixed().is_some() {
                    continue;
                }
                if entry.coeff.is_multiple_of(&divisor) {
                    let coeff = entry.coeff.div_exact(&divisor);
                    value.add_mul(&Rational::from(coeff.clone()), &data.value);
                    form.push((coeff, self.columns.terms[entry.column.index()]));
                } else {
                    let bounds = data.lower.as_ref().zip(data.upper.as_ref());
                    let bounds = bounds.and_then(|(lower, upper)| lower.value.as_int().zip(upper.value.as_int()));
                    width = width
                        .zip(bounds)
                        .map(|(width, (lower, upper))| width + (upper - lower) * entry.coeff.abs());
                }
            }
            let is_narrow = width.is_some_and(|width| width < &divisor * &Int::from(WIDE));
            let terms: Vec<TermId> = form.iter().map(|monomial| monomial.1).collect();
            if form.len() < 2 || !is_narrow || value.is_integer() || self.common_part(pool, &terms).is_none() {
                continue;
            }
            let form = pool.linear(&form, Int::from(0));
            return Some(self.branch_at(pool, form, &value.floor()));
        }
        None
    }
}
