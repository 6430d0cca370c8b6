//! Integers that are bounded only relative to another one, as all are in difference logic.
//!
//! A script of difference logic has an integer `z` for the point zero, and says `0 <= x - z <= 9` where another one says `0 <= x <= 9`. No leaf has few values then, but
//! each difference `x - z` has. So these differences, which are columns as any linear form, take the places of the leaves: a sum whose coefficients cancel out is the same sum of
//! differences, `x - y = (x - z) - (y - z)`, and that is one more definition to propagate along. Bounds on differences are atoms as any; the explanations are Farkas lemmas, as
//! before, and nobody is told that `z` stands for zero.
//!
//! A theory of difference logic of its own (Cotton and Maler, *Fast and flexible difference constraint propagation for DPLL(T)*, SAT 2006) was not needed: job shops whose domains are
//! large are left to the simplex, which decides them about as fast as solvers with such a theory.

use super::{FEW, Solver};
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::solver::arith::tableau::Column;
use crate::term::{Term, TermId, TermPool};
use std::cmp::Reverse;

/// At least one of so many leaves has a bounded difference from the reference. The others may be bounded along chains of differences.
const SHARE: usize = 4;

/// The differences that stand for leaves.
#[derive(Default)]
pub(super) struct Reference {
    /// For each leaf the column of its difference from the reference, and whether the leaf is positive there.
    stand_ins: FxHashMap<Column, (Column, bool)>,
    /// The reference.
    zero: Option<Column>,
}

impl Reference {
    /// The stand-in of a leaf: the column of a difference, and whether the leaf is positive in it.
    pub fn stand_in(&self, leaf: Column) -> Option<(Column, bool)> {
        self.stand_ins.get(&leaf).copied()
    }

    /// The columns of the differences, and whether the leaf is positive in each.
    pub fn differences(&self) -> impl Iterator<Item = (Column, bool)> {
        self.stand_ins.values().copied()
    }

    /// The same sum over differences, if it is one: its coefficients cancel out, and each leaf has its difference.
    pub fn shift(&self, form: &[(Int, Column)]) -> Option<Vec<(Int, Column)>> {
        let zero = self.zero?;
        let (mut shifted, mut rest) = (Vec::with_capacity(form.len()), Int::ZERO);
        for (coeff, leaf) in form {
            rest += coeff;
            if *leaf != zero {
                let (column, is_positive) = self.stand_in(*leaf)?;
                shifted.push((if is_positive { coeff.clone() } else { -coeff }, column));
            }
        }
        rest.is_zero().then_some(shifted)
    }
}

impl Solver {
    /// Chooses the leaf from which most others have a bounded difference as the reference, and makes the differences of the leaves that occur beside them. Whether there was such a leaf. The search is at its root.
    pub(super) fn find_reference(&mut self, pool: &mut TermPool) -> bool {
        if self.finite.reference.zero.is_some() {
            return false;
        }
        let live: FxHashSet<Column> = self.live.columns.iter().copied().collect();
        let is_balanced = |form: &Vec<(Int, Column)>| {
            let sum = form[1..].iter().fold(Int::ZERO, |sum, (coeff, _)| sum + coeff);
            sum.is_zero() && form[1..].iter().all(|(_, leaf)| live.contains(leaf))
        };
        let forms: Vec<Vec<(Int, Column)>> = (0..self.columns.terms.len())
            .filter_map(|at| self.form_of(pool, Column(at as u32)).filter(is_balanced))
            .collect();
        self.search.ticks += self.columns.terms.len() as u64;
        // For each leaf that occurs, its bounded differences.
        let mut counts: FxHashMap<Column, usize> = FxHashMap::default();
        for form in &forms {
            let data = self.theories.arith.tableau.column(form[0].1);
            let is_bounded = form.len() == 3 && (data.lower.is_some() || data.upper.is_some());
            for (_, leaf) in &form[1..] {
                *counts.entry(*leaf).or_default() += usize::from(is_bounded);
            }
        }
        let leaves = counts.len();
        let is_free = |column: &Column| {
            let data = self.theories.arith.tableau.column(*column);
            data.lower.is_none() || data.upper.is_none()
        };
        let free = counts.into_iter().filter(|(column, _)| is_free(column));
        let most = free.max_by_key(|(column, count)| (*count, Reverse(*column)));
        let Some((zero, _)) = most.filter(|(_, count)| *count >= FEW && SHARE * count >= leaves) else {
            return false;
        };
        self.finite.reference.zero = Some(zero);
        for (_, leaf) in forms.iter().flat_map(|form| &form[1..]) {
            self.add_stand_in(pool, *leaf, zero);
        }
        true
    }

    /// The definition of a column that stands for a sum: this, which is zero, begins with the column itself.
    pub(super) fn form_of(&self, pool: &TermPool, column: Column) -> Option<Vec<(Int, Column)>> {
        let term = self.columns.terms[column.index()];
        if !matches!(pool.term(term), Term::Sum(..)) {
            return None;
        }
        let mut form = vec![(Int::MINUS_ONE, column)];
        pool.for_each_monomial(term, |coeff, leaf| form.push((coeff.clone(), self.columns.of[&leaf])));
        Some(form)
    }

    /// Makes the difference of a leaf from the reference, if it has none, and if some part of an interpolated sequence may have both.
    fn add_stand_in(&mut self, pool: &mut TermPool, leaf: Column, zero: Column) {
        if leaf == zero || self.finite.reference.stand_in(leaf).is_some() {
            return;
        }
        let [left, right] = [leaf, zero].map(|column| self.columns.terms[column.index()]);
        if self.common_part(pool, &[left, right]).is_none() {
            return;
        }
        let atom = pool.le(left, right);
        let literal = self.literal(pool, atom);
        if let Some((column, _)) = self.theories.arith.atom(literal.var()) {
            let is_positive = self.leads_with(pool, column, left);
            self.finite.reference.stand_ins.insert(leaf, (column, is_positive));
        }
    }

    /// Whether the column is a sum in which this leaf is positive.
    fn leads_with(&self, pool: &TermPool, column: Column, leaf: TermId) -> bool {
        let mut leads = false;
        pool.for_each_monomial(self.columns.terms[column.index()], |coeff, other| {
            leads |= other == leaf && coeff.is_positive();
        });
        leads
    }
}
