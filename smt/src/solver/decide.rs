//! Decisions: the variable that is decided next, and its value.

use super::Solver;
use super::arith::tableau::Column;
use super::sat::order;
use super::sat::search::Value;
use crate::num::Number;
use crate::proof::{Lit, Var};
use crate::term::TermPool;

impl Solver {
    /// A tiny activity that perturbs the order of decisions if there is a seed.
    pub(super) fn initial_activity(&self) -> u64 {
        let Some(seed) = self.config.seed else { return 0 };
        let mixed = (seed ^ self.formulas.terms.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        order::INCREMENT | mixed >> 56
    }

    /// The next decision: that of a [probe](super::joins), else what a final check suggested, else a live variable that was in conflicts recently, else what the formulas need. None
    /// if they need nothing more.
    pub(super) fn decide(&mut self, pool: &TermPool) -> Option<Lit> {
        if let Some(decision) = self.probe_joins() {
            return Some(decision);
        }
        while let Some(var) = self.last.suggested.pop() {
            if self.search.value(var.positive()) == Value::Open {
                return Some(self.with_phase(var));
            }
        }
        let needed = match self.unjustified(pool) {
            Some(needed) => needed,
            None if self.finite.is_on() => return self.label(),
            None => return None,
        };
        while let Some(var) = self.search.order.pop_active() {
            if self.search.live[var.index()] && self.search.value(var.positive()) == Value::Open {
                return Some(self.with_phase(var));
            }
        }
        if self.finite.is_on() {
            return Some(self.saved_phase(needed.var()));
        }
        Some(needed)
    }

    /// The phase of a decision: an atom of arithmetic as the current vertex has it, so that the decision needs no pivot; anything else
    /// as it was last.
    pub(super) fn with_phase(&self, var: Var) -> Lit {
        if self.finite.is_on() {
            return self.saved_phase(var);
        }
        let compare = |column: Column, k: &Number| self.theories.arith.tableau.column(column).compare(k);
        if let Some((column, k)) = self.theories.arith.atom(var) {
            return var.literal(compare(column, k).is_le());
        }
        if let Some(equation) = self.columns.equations.get(&var) {
            return var.literal(compare(equation.column, &equation.value).is_eq());
        }
        // Results differ only where arguments do.
        let equal = self.arguments_agree(var).unwrap_or(self.search.phases[var.index()]);
        var.literal(equal)
    }
}
