//! Integrality and disequalities of the candidate model, by suggesting decisions.
//!
//! A column with a fractional value `v` suggests to decide the atom `x <= floor(v)`. As the atom's negation is
//! `x >= floor(v) + 1`, branch and bound needs no lemma: both branches are the search's own.
//!
//! If a row shows by the greatest common divisor of its coefficients that its open columns cannot be integers, branching on one
//! column may go on for ever. There the branch is on the whole linear form `t` of the open columns divided by the
//! divisor: the row fixes `t` to a fraction, so both branches end in a Farkas conflict at once.
//!
//! An equation that is false although both sides are equal suggests one of its two inequalities to be false.

use super::Solver;
use super::simplex::Column;
use crate::num::Int;
use crate::proof::Lit;
use crate::term::{TermId, TermPool};

/// How many fractional rows are tried for a contradiction by divisibility in one check.
const ROWS: usize = 32;

impl Solver {
    /// A decision that takes a fractional live column to one side.
    pub(super) fn branch(&mut self, pool: &mut TermPool) -> Option<Lit> {
        let fractional: Vec<Column> = self
            .live_columns
            .iter()
            .copied()
            .filter(|&c| !self.arith.tableau.column(c).value.is_integer())
            .collect();
        let first = *fractional.first()?;
        for &column in fractional.iter().take(ROWS) {
            if let Some(lit) = self.branch_on_row(pool, self.arith.tableau.column(column).row) {
                return Some(lit);
            }
        }
        let floor = self.arith.tableau.column(first).value.floor();
        Some(self.branch_at(pool, self.column_terms[first.index()], &floor))
    }

    /// A branch on a row whose open columns cannot all be integers.
    fn branch_on_row(&mut self, pool: &mut TermPool, row: u32) -> Option<Lit> {
        let entries = &self.arith.tableau.rows[row as usize].entries;
        self.search.ticks += entries.len() as u64;
        let (mut gcd, mut fixed, mut open) = (Int::from(0), Int::from(0), Vec::new());
        for entry in entries {
            let data = self.arith.tableau.column(entry.column);
            match (&data.lower, &data.upper) {
                (Some(l), Some(u)) if l.value == u.value => fixed.add_mul(&entry.coeff, &l.value),
                _ => {
                    gcd = gcd.gcd(&entry.coeff);
                    open.push((entry.coeff.clone(), self.column_terms[entry.column.index()]));
                }
            }
        }
        if gcd.is_zero() || fixed.is_multiple_of(&gcd) {
            return None;
        }
        let terms: Vec<TermId> = open.iter().map(|m| m.1).collect();
        self.common_part(pool, &terms)?;
        for (coeff, _) in &mut open {
            *coeff = coeff.div_exact(&gcd);
        }
        let form = pool.linear(&open, Int::from(0));
        Some(self.branch_at(pool, form, &(-fixed).div_floor(&gcd)))
    }

    /// The literal `term <= at`.
    fn branch_at(&mut self, pool: &mut TermPool, term: TermId, at: &Int) -> Lit {
        self.search.stats.branches += 1;
        let at = pool.int(at.clone());
        let atom = pool.le(term, at);
        self.literal(pool, atom)
    }

    /// A decision that makes a false equation false in the candidate model.
    pub(super) fn split_disequality(&self) -> Option<Lit> {
        self.search.trail.iter().find_map(|lit| {
            if !lit.is_negative() || !self.search.live[lit.var().index()] {
                return None;
            }
            let equation = self.equations.get(&lit.var())?;
            let data = self.arith.tableau.column(equation.column);
            if data.value != (&equation.value).into() {
                return None;
            }
            let may_rise = data.upper.as_ref().is_none_or(|b| b.value > equation.value);
            Some(if may_rise { !equation.le } else { !equation.ge })
        })
    }
}
