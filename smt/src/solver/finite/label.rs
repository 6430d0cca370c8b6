//! Decisions of a search over small domains.
//!
//! Variables of recent conflicts come first, with the phase that they had last. Where none is left and the formulas are justified, the integer with the fewest values is decided (*first
//! fail*; Haralick and Elliott 1980): it gets one value, if it has atoms for that, or its domain is halved; towards the values that it had last.

use super::{Domain, Solver};
use crate::proof::{Lit, Var};
use crate::solver::arith::tableau::Column;
use crate::solver::sat::search::Value;

impl Solver {
    /// The phase of a variable as it was last; equations are always tried, because that a number has not some value says little.
    pub(in crate::solver) fn saved_phase(&self, var: Var) -> Lit {
        var.literal(self.search.phases[var.index()] || self.columns.equations.contains_key(&var))
    }

    /// A decision that halves the smallest domain with several values, if there is one.
    pub(in crate::solver) fn label(&mut self) -> Option<Lit> {
        let mut best: Option<(i64, usize)> = None;
        self.search.ticks += self.finite.domains.len() as u64 / 8;
        for (at, domain) in self.finite.domains.iter().enumerate() {
            let (low, high) = self.range(domain);
            if low < high && best.is_none_or(|(least, _)| high - low < least) {
                best = Some((high - low, at));
                if high - low == 1 {
                    break;
                }
            }
        }
        let domain = &self.finite.domains[best?.1];
        let (low, high) = self.range(domain);
        if let Some(literal) = self.one_value(domain.column, low, high) {
            return Some(literal);
        }
        let middle = low + (high - low - 1) / 2;
        let atoms = &self.theories.arith.tableau.column(domain.column).atoms;
        let at = atoms.partition_point(|(k, _)| *k < crate::num::Int::from(middle).into());
        let (_, var) = atoms[at..]
            .iter()
            .find(|(_, var)| self.search.value(var.positive()) == Value::Open)?;
        Some(self.saved_phase(*var))
    }

    /// The literal that a column has one of the values that it may have, if there is an atom that says so: the value that it had last, else the least one.
    fn one_value(&self, column: Column, low: i64, high: i64) -> Option<Lit> {
        let vars = (low..=high).filter_map(|value| self.finite.equal.get(&(column, value)).copied());
        let mut open = vars.filter(|var| self.search.value(var.positive()) == Value::Open);
        let first = open.next()?;
        let last = std::iter::once(first)
            .chain(open)
            .find(|var| self.search.phases[var.index()]);
        Some(last.unwrap_or(first).positive())
    }

    /// The least and the greatest value that an integer may have now.
    fn range(&self, domain: &Domain) -> (i64, i64) {
        let data = self.theories.arith.tableau.column(domain.column);
        let value = |bound: &Option<crate::solver::arith::tableau::Bound>| bound.as_ref()?.value.as_int()?.to_i64();
        (
            value(&data.lower).map_or(domain.low, |low| low.max(domain.low)),
            value(&data.upper).map_or(domain.high, |high| high.min(domain.high)),
        )
    }
}
