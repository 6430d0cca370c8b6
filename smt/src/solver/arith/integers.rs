//! Integrality and disequalities of the candidate model, by suggesting decisions.
//!
//! A column with a fractional value `v` suggests to decide the atom `x <= floor(v)`. As the atom's negation is
//! `x >= floor(v) + 1`, branch and bound needs no lemma: both branches are the search's own.
//!
//! Before the first branch, and now and then later, an integer point is looked for by evaluation (see [`patch`](super::patch)), and on a copy of the tableau (see [`dive`](super::dive)).
//!
//! If a row shows by the greatest common divisor of its coefficients that its open columns cannot be integers, branching on one
//! column may go on for ever. There the branch is on the whole linear form `t` of the open columns divided by the
//! divisor: the row fixes `t` to a fraction, so both branches end in a Farkas conflict at once.
//!
//! If branches go on and columns have many values left, the same is tried with the columns that stand at a bound taken for fixed. The form is a
//! fraction at the present vertex, so that both branches exclude it; where the bounds imply equations, as in
//! `x <= 2a <= y <= 2b + 1 <= x`, both end in conflicts (Dillig, Dillig, Aiken, *Cuts from proofs*, 2009).
//!
//! When interpolating, that form may be mixed: `y = 2x` in one part, `y = 2z + 1` in another, and the row is `2x - 2z - 1 = 0`. Then the
//! quotient of the shared form (`y`) is introduced and its remainder decided, after which the early or the late side
//! of the row is a contradiction by itself. The interpolants get that quotient ("y is even"). Where this does not apply, the branch is
//! mixed after all.
//!
//! A row with real columns says nothing of its integers one by one, as `x - y = r` with `0 < r < 1` does not, but of their sum: there the branch is on the linear form of the
//! integer columns, if its value is a fraction.
//!
//! An equation that is false although both sides are equal suggests one of its two inequalities to be false.

use super::tableau::Column;
use crate::num::{Int, Rational};
use crate::proof::Lit;
use crate::solver::Solver;
use crate::solver::events::Event;
use crate::solver::limits::{MAX_FRACTIONAL_ROWS, MAX_REMAINDERS};
use crate::solver::sat::search::Value;
use crate::solver::theory::Verdict;
use crate::term::{Term, TermId, TermPool};
use std::cmp::Ordering;

/// After this number of fractional candidates, columns that stand at a bound are taken for fixed.
const TIGHT_ROWS: u64 = 4;

/// With no more columns, they are taken for fixed from the first candidate on.
const SMALL: usize = 64;

/// A branch on a column with fewer values than this ends soon enough by itself.
const WIDE: i64 = 8;

/// The same for a content of memory. A byte is mostly a digit of a word: what keeps it from an integer are the other digits, and a form over the bounds of one vertex says nothing of them.
const BYTE: i64 = 255;

/// The columns of a row that belong to one side of a cut.
#[derive(Default)]
struct Side {
    /// The sum of the fixed ones.
    fixed: Int,
    /// The others, with their coefficients divided by the greatest common one.
    open: Vec<(Int, TermId)>,
}

impl Solver {
    /// Whether all live columns are integers; if not, a decision that takes one of them to one side.
    pub(in crate::solver) fn check_integers(&mut self, pool: &mut TermPool) -> Verdict {
        self.branch(pool).map_or(Verdict::Consistent, Verdict::Decide)
    }

    /// A decision that takes a fractional live column to one side.
    fn branch(&mut self, pool: &mut TermPool) -> Option<Lit> {
        let fractional: Vec<Column> = self
            .live
            .columns
            .iter()
            .copied()
            .filter(|&c| !self.theories.arith.tableau.column(c).value.is_integer())
            .collect();
        let first = *fractional.first()?;
        // Patching costs as much as many branches: it is tried less and less often in one check.
        self.last.fractions += 1;
        if self.last.fractions.is_power_of_two() && self.patch(pool) {
            self.last.fractions = 0;
            return None;
        }
        if self.dive() {
            return None;
        }
        for &column in fractional.iter().take(MAX_FRACTIONAL_ROWS) {
            if let Some(lit) = self.branch_on_row(pool, self.theories.arith.tableau.column(column).row, false) {
                return Some(lit);
            }
        }
        // The fewer values are left, the sooner a branch ends: quotients come before what they divide.
        let range = |column: &Column| {
            let data = self.theories.arith.tableau.column(*column);
            let bounds = data.lower.as_ref().zip(data.upper.as_ref());
            let bounds = bounds.and_then(|(lower, upper)| lower.value.as_int().zip(upper.value.as_int()));
            bounds.map_or((true, Int::from(0)), |(lower, upper)| (false, upper - lower))
        };
        let chosen = fractional
            .iter()
            .min_by_key(|column| range(column))
            .copied()
            .unwrap_or(first);
        let (unbounded, width) = range(&chosen);
        let narrow = match pool.term(self.columns.terms[chosen.index()]) {
            Term::App(..) => BYTE,
            _ => WIDE,
        };
        // Cuts may have coefficients that no interpolant should have.
        let is_small = self.theories.arith.tableau.columns.len() <= SMALL && !self.config.interpolation;
        if (is_small || self.last.fractions > TIGHT_ROWS) && (unbounded || width > Int::from(narrow)) {
            if !self.config.interpolation {
                if self.go_to_vertex() {
                    return self.branch(pool);
                }
                if self.last.fractions.is_power_of_two() && self.cube(pool) {
                    return None;
                }
                if let Some(lit) = self.branch_on_tight_system(pool) {
                    return Some(lit);
                }
            }
            for &column in fractional.iter().take(MAX_FRACTIONAL_ROWS) {
                if let Some(lit) = self.branch_on_row(pool, self.theories.arith.tableau.column(column).row, true) {
                    return Some(lit);
                }
            }
        }
        let floor = self.theories.arith.tableau.column(chosen).value.floor();
        Some(self.branch_at(pool, self.columns.terms[chosen.index()], &floor))
    }

    /// A branch on a row whose open columns cannot all be integers: the others are fixed or, if that is enough, stand at a bound.
    fn branch_on_row(&mut self, pool: &mut TermPool, row: u32, tight: bool) -> Option<Lit> {
        let entries = &self.theories.arith.tableau.rows[row as usize].entries;
        self.search.ticks += entries.len() as u64;
        let (mut gcd, mut fixed, mut open) = (Int::from(0), Int::from(0), Vec::new());
        let (mut has_reals, mut sum) = (false, Rational::ZERO);
        for entry in entries {
            let data = self.theories.arith.tableau.column(entry.column);
            match data.fixed() {
                Some(value) => fixed.add_mul(&entry.coeff, value),
                None if data.is_real => has_reals = true,
                None if tight && (data.stands_at(&data.lower) || data.stands_at(&data.upper)) => {
                    fixed.add_mul(&entry.coeff, data.value.numer());
                }
                None => {
                    gcd = gcd.gcd(&entry.coeff);
                    sum.add_mul(&Rational::from(&entry.coeff), &data.value);
                    open.push((entry.coeff.clone(), self.columns.terms[entry.column.index()]));
                }
            }
        }
        let terms: Vec<TermId> = open.iter().map(|m| m.1).collect();
        // A single column is the branch that is left anyway. Where there are contents of memory, the smallest range is split first.
        if tight && terms.len() == 1 && !self.live.apps.is_empty() {
            return None;
        }
        if has_reals {
            // The bounds of the real columns say nothing of the integers one by one, but of their sum.
            if tight || open.len() < 2 {
                return None;
            }
            let sum = sum * Rational::new(Int::ONE, gcd.clone());
            if sum.is_integer() {
                return None;
            }
            self.common_part(pool, &terms)?;
            for (coeff, _) in &mut open {
                *coeff = coeff.div_exact(&gcd);
            }
            let form = pool.linear(&open, Int::from(0));
            return Some(self.branch_at(pool, form, &sum.floor()));
        }
        if gcd.is_zero() || fixed.is_multiple_of(&gcd) {
            return None;
        }
        if !tight
            && self.common_part(pool, &terms).is_none()
            && let Some(lit) = self.branch_on_shared_remainder(pool, row, &terms, &gcd)
        {
            return Some(lit);
        }
        for (coeff, _) in &mut open {
            *coeff = coeff.div_exact(&gcd);
        }
        let form = pool.linear(&open, Int::from(0));
        Some(self.branch_at(pool, form, &(-fixed).div_floor(&gcd)))
    }

    /// A branch for a row whose open columns no part of an interpolated sequence can have together.
    ///
    /// The columns that end with the earliest part sum up to a linear form `t` of which the rest of the row is the negation, so
    /// all symbols of `t` are shared with the later parts. Once the remainder of `t` by the divisor is decided, each side
    /// of the row has a contradiction of its own, or none.
    fn branch_on_shared_remainder(&mut self, pool: &mut TermPool, row: u32, open: &[TermId], gcd: &Int) -> Option<Lit> {
        let limit = gcd.to_i64().filter(|g| *g <= MAX_REMAINDERS)?;
        let last = |solver: &Solver, term: TermId| solver.interval_of(pool, &[term]).1;
        let cut = open.iter().map(|&term| last(self, term)).min()?;
        let (mut early, mut late) = (Side::default(), Side::default());
        let mut sum = Vec::new();
        for entry in &self.theories.arith.tableau.rows[row as usize].entries {
            let (data, term) = (
                self.theories.arith.tableau.column(entry.column),
                self.columns.terms[entry.column.index()],
            );
            let is_early = last(self, term) <= cut;
            if is_early {
                sum.push((entry.coeff.clone(), term));
            }
            let side = if is_early { &mut early } else { &mut late };
            match data.fixed() {
                Some(value) => side.fixed.add_mul(&entry.coeff, value),
                None => side.open.push((entry.coeff.div_exact(gcd), term)),
            }
        }
        let shared = pool.linear(&sum, Int::from(0));
        self.assertions.part = self.common_part(pool, &[shared])?;
        let quotient = pool.div_floor(shared, gcd);
        let multiple = pool.scale(gcd, quotient);
        let remainder = pool.sub(shared, multiple);
        let mut value = 0;
        while value < limit - 1 {
            let bound = pool.int(value);
            let atom = pool.le(remainder, bound);
            match pool.term(atom) {
                Term::True => break,
                Term::False => {}
                _ => {
                    self.activate_instance(pool, atom);
                    let lit = self.literal(pool, atom);
                    match self.search.value(lit) {
                        Value::Open => {
                            self.search.events.emit(Event::Branch);
                            return Some(lit);
                        }
                        Value::True => break,
                        Value::False => {}
                    }
                }
            }
            value += 1;
        }
        // The early side is `gcd * quotient + value`, the late one its negation.
        let value = Int::from(value);
        for (mut side, sign) in [(early, -1), (late, 1)] {
            let rest = Int::from(sign) * &value + &side.fixed;
            side.open.push((Int::from(sign), quotient));
            let terms: Vec<TermId> = side.open.iter().map(|monomial| monomial.1).collect();
            if !rest.is_multiple_of(gcd) && self.common_part(pool, &terms).is_some() {
                let form = pool.linear(&side.open, Int::from(0));
                return Some(self.branch_at(pool, form, &(-rest).div_floor(gcd)));
            }
        }
        None
    }

    /// The literal `term <= at`.
    pub(in crate::solver) fn branch_at(&mut self, pool: &mut TermPool, term: TermId, at: &Int) -> Lit {
        self.search.events.emit(Event::Branch);
        let at = pool.int(at.clone());
        let atom = pool.le(term, at);
        self.literal(pool, atom)
    }

    /// Whether every false equation is false in the candidate model; if not, a decision that makes it so.
    pub(in crate::solver) fn check_disequalities(&mut self, _: &mut TermPool) -> Verdict {
        let split = self.search.trail.iter().find_map(|lit| {
            if !lit.is_negative() || !self.search.live[lit.var().index()] {
                return None;
            }
            let equation = self.columns.equations.get(&lit.var())?;
            let data = self.theories.arith.tableau.column(equation.column);
            if data.compare(&equation.value) != Ordering::Equal {
                return None;
            }
            let may_rise = data.upper.as_ref().is_none_or(|b| b.value > equation.value);
            Some(if may_rise { !equation.le } else { !equation.ge })
        });
        split.map_or(Verdict::Consistent, Verdict::Decide)
    }
}
