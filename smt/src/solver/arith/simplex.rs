//! The general simplex (Dutertre and de Moura, CAV 2006) over integer rows.
//!
//! Rows (see [`tableau`](super::tableau)) define the linear terms of atoms; bounds on columns come and go with the trail. Backtracking only
//! forgets bounds and keeps tableau and values, so that the next check starts from a nearly right vertex.
//!
//! Strict bounds, which only real columns have, are bounds by a number with an infinitesimal part (Dutertre and de Moura's
//! delta-rationals). Values then have one too; it is kept apart, so that a tableau without strict bounds knows nothing of it. A
//! final check takes the infinitesimal for a small rational ([`Tableau::concretise`]); afterwards the vertex comes back
//! ([`Tableau::restore`]), as values that are no vertex would get larger denominators from check to check.
//!
//! Invariants between calls: each non-basic column is within its bounds; each basic column out of its
//! bounds is queued in `suspects`.
//!
//! The leaving column is the smallest one out of bounds; the entering one is that in fewest rows, and after many pivots the
//! smallest one (Bland's rule), which terminates. In rows with the weights of digits, columns that come to no bound of their own on the way are preferred: the bytes of a word would else take the difference
//! one after the other, the lowest first, each beyond its bounds.

use super::tableau::{Column, NO_ROW, Tableau};
use crate::fault::planted;
use crate::num::{Int, Number, Rational};
use std::cmp::{Ordering, Reverse};

/// The end of a check of the tableau.
pub(in crate::solver) enum Outcome {
    Feasible,
    /// This row shows the basic column out of reach: of its lower bound if true, else of the upper one.
    Infeasible(u32, bool),
    /// The effort allowed was spent.
    Exhausted,
}

impl Tableau {
    /// Queues a column if it is basic and out of its bounds.
    pub fn suspect(&mut self, column: Column) {
        let data = &mut self.columns[column.index()];
        if data.row != NO_ROW && !data.suspect && data.violation().is_some() {
            data.suspect = true;
            self.suspects.push(Reverse(column));
        }
    }

    /// Moves a non-basic column by `delta`, and the basic columns that depend on it.
    pub fn shift(&mut self, column: Column, delta: &Rational) {
        self.shift_by(column, delta, &Rational::ZERO);
    }

    /// Moves a non-basic column to a bound.
    pub fn shift_to(&mut self, column: Column, target: &Number) {
        let (delta, eps) = self.columns[column.index()].distance(target);
        self.shift_by(column, &delta, &eps);
    }

    /// Moves all columns to an integer point, which satisfies the rows and gives each column a value, if that is within all bounds. Returns whether it is.
    /// Stops at the first value that is not. Only without reals.
    pub fn go_to(&mut self, point: impl IntoIterator<Item = Int>) -> bool {
        let mut moves = Vec::new();
        for (i, value) in (0..).zip(point) {
            let data = &self.columns[i as usize];
            let value = Number::from(value);
            if !data.is_within(&value) {
                return false;
            }
            if data.row == NO_ROW {
                moves.push((Column(i), value));
            }
        }
        for (column, value) in moves {
            let delta = &value.real() - &self.column(column).value;
            if !delta.is_zero() {
                self.shift(column, &delta);
            }
        }
        true
    }

    /// Moves a non-basic column by a number with an infinitesimal part.
    fn shift_by(&mut self, column: Column, delta: &Rational, eps: &Rational) {
        let moves_eps = !eps.is_zero();
        self.has_eps |= moves_eps;
        let count = self.columns[column.index()].links.len();
        self.ticks += 1 + count as u64;
        for i in 0..count {
            let link = self.columns[column.index()].links[i];
            let row = &self.rows[link.row as usize];
            let basic = row.basic;
            let own = &row.entries[self.columns[basic.index()].links[0].at as usize].coeff;
            let coeff = &row.entries[link.at as usize].coeff;
            let factor = match own.to_i64() {
                Some(1) => Rational::from(-coeff),
                Some(-1) => Rational::from(coeff),
                _ => Rational::new(-coeff, own.clone()),
            };
            let data = &mut self.columns[basic.index()];
            data.value.add_mul(&factor, delta);
            if moves_eps {
                data.eps.get_or_insert_default().add_mul(&factor, eps);
            }
            self.suspect(basic);
        }
        let data = &mut self.columns[column.index()];
        data.value += delta;
        if moves_eps {
            **data.eps.get_or_insert_default() += eps;
        }
    }

    /// Takes the infinitesimal for a positive rational, small enough for all bounds to hold that hold now, until
    /// [`Tableau::restore`]. No column may enter the basis meanwhile.
    pub fn concretise(&mut self) {
        if !std::mem::take(&mut self.has_eps) {
            return;
        }
        let mut small = Rational::ONE;
        for data in &self.columns {
            for (bound, is_upper) in [(&data.upper, true), (&data.lower, false)] {
                let Some(bound) = bound else { continue };
                let (room, eps) = data.distance(&bound.value);
                let (room, eps) = if is_upper { (room, eps) } else { (-room, -eps) };
                // The bound's distance is `room + eps * small`, which has to stay at least zero.
                if eps.is_negative() && room.is_positive() {
                    let most = room / -eps;
                    small = small.min(most);
                }
            }
        }
        // Half of it keeps away from accidental equalities with bounds.
        small /= &Rational::from(2);
        let mut parts = Vec::new();
        for (i, data) in (0..).zip(&mut self.columns) {
            if let Some(eps) = data.eps.take() {
                data.value.add_mul(&eps, &small);
                if data.row == NO_ROW && !eps.is_zero() {
                    parts.push((Column(i), *eps));
                }
            }
        }
        self.concrete = Some((small, parts));
    }

    /// Gives the values their infinitesimal parts back.
    pub fn restore(&mut self) {
        let Some((small, parts)) = self.concrete.take() else {
            return;
        };
        for (column, eps) in parts {
            debug_assert!(self.columns[column.index()].row == NO_ROW, "no pivots in between");
            let delta = -(&eps * &small);
            self.shift_by(column, &delta, &eps);
        }
    }

    /// Restores the bounds of all basic columns, or finds a row that shows that they cannot hold together.
    /// `may_go_on` is asked before each pivot with the ticks spent.
    pub fn check(&mut self, may_go_on: &mut dyn FnMut(u64) -> bool) -> Outcome {
        let patience = 100 + self.columns.len() / 4;
        let mut rounds = 0;
        while let Some(Reverse(basic)) = self.suspects.pop() {
            self.columns[basic.index()].suspect = false;
            let data = &self.columns[basic.index()];
            if data.row == NO_ROW {
                continue;
            }
            let Some(too_low) = data.violation() else { continue };
            if planted("early-sat") {
                continue;
            }
            if !may_go_on(self.ticks) {
                self.suspect(basic);
                return Outcome::Exhausted;
            }
            let row = data.row;
            let Some(entering) = self.entering(row, basic, too_low, rounds > patience) else {
                self.suspect(basic);
                return Outcome::Infeasible(row, too_low);
            };
            rounds += 1;
            let data = &self.columns[basic.index()];
            let bound = if too_low { &data.lower } else { &data.upper };
            let target = bound.as_ref().expect("the violated bound").value.clone();
            let (distance, distance_eps) = data.distance(&target);
            let own = self.coefficient(row, basic).clone();
            let coeff = self.coefficient(row, entering).clone();
            let factor = Rational::new(-own, coeff);
            let delta = &distance * &factor;
            if distance_eps.is_zero() {
                self.shift(entering, &delta);
            } else {
                self.shift_by(entering, &delta, &(&distance_eps * &factor));
            }
            self.pivot(row, entering);
            debug_assert!(self.columns[basic.index()].compare(&target) == Ordering::Equal);
            self.suspect(entering);
        }
        Outcome::Feasible
    }

    /// As [`Tableau::check`], after bounds were changed at will.
    pub fn recheck(&mut self, may_go_on: &mut dyn FnMut(u64) -> bool) -> Outcome {
        for i in 0..self.columns.len() {
            let column = Column(i as u32);
            let data = &self.columns[i];
            match data.violation() {
                Some(too_low) if data.row == NO_ROW => {
                    let bound = if too_low { &data.lower } else { &data.upper };
                    let target = bound.as_ref().expect("the violated bound").value.clone();
                    self.shift_to(column, &target);
                }
                _ => self.suspect(column),
            }
        }
        self.check(may_go_on)
    }

    /// Moves a non-basic column that stands at no bound as little as needed for it, or for a basic column, to come to a bound; a basic one then leaves the
    /// basis. Whether there was such a bound. Only without reals.
    pub fn bring_to_bound(&mut self, column: Column) -> bool {
        let mut best: Option<(Rational, Option<u32>)> = None;
        let mut offer = |step: Rational, row: Option<u32>| {
            if best.as_ref().is_none_or(|(least, _)| step.abs() < least.abs()) {
                best = Some((step, row));
            }
        };
        let data = &self.columns[column.index()];
        self.ticks += 1 + data.links.len() as u64;
        for bound in [&data.lower, &data.upper].into_iter().flatten() {
            offer(data.distance(&bound.value).0, None);
        }
        for link in &data.links {
            let row = &self.rows[link.row as usize];
            let basic = &self.columns[row.basic.index()];
            let own = &row.entries[basic.links[0].at as usize].coeff;
            let rate = Rational::new(-&row.entries[link.at as usize].coeff, own.clone());
            for bound in [&basic.lower, &basic.upper].into_iter().flatten() {
                offer(&basic.distance(&bound.value).0 * &rate.recip(), Some(link.row));
            }
        }
        let Some((step, row)) = best else { return false };
        self.shift(column, &step);
        if let Some(row) = row {
            self.pivot(row, column);
        }
        true
    }

    /// The non-basic column of the row that can move the basic one up (or down).
    fn entering(&mut self, row: u32, basic: Column, up: bool, bland: bool) -> Option<Column> {
        self.ticks += self.rows[row as usize].entries.len() as u64;
        let own = self.coefficient(row, basic);
        let own_positive = own.is_positive();
        let mut best: Option<(bool, usize, Column)> = None;
        let entries = &self.rows[row as usize].entries;
        let has_weights = !bland && entries.iter().any(|entry| entry.coeff.abs() >= Int::from(256));
        // How far the basic column is from its bound, in units of the row.
        let need = has_weights.then(|| {
            let data = &self.columns[basic.index()];
            let bound = if up { &data.lower } else { &data.upper };
            let target = bound.as_ref().expect("the violated bound");
            (&data.distance(&target.value).0 * &Rational::from(own.clone())).abs()
        });
        for entry in entries {
            if entry.column == basic {
                continue;
            }
            // The basic column rises with this one iff their coefficients differ in sign.
            let rises = entry.coeff.is_positive() != own_positive;
            let data = &self.columns[entry.column.index()];
            let limit = if rises == up { &data.upper } else { &data.lower };
            let away = if rises == up { Ordering::Less } else { Ordering::Greater };
            if limit.as_ref().is_none_or(|b| data.compare(&b.value) == away) {
                let is_short = need.as_ref().zip(limit.as_ref()).is_some_and(|(need, bound)| {
                    let room = data.distance(&bound.value).0.abs();
                    room * Rational::from(entry.coeff.abs()) < *need
                });
                let cost = (is_short, if bland { 0 } else { data.links.len() }, entry.column);
                if best.is_none_or(|b| cost < b) {
                    best = Some(cost);
                }
            }
        }
        best.map(|b| b.2)
    }
}
