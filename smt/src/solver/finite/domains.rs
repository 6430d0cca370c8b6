//! The domains: what bounds and definitions say of the values of each integer at the root of the search.
//!
//! Intervals are computed without literals first, along the definitions up to a fixpoint (or until they have moved often), so that atoms are made only for values that are left. When the
//! atoms are there, propagation finds the same bounds again, with reasons.

use super::{Domain, FEW, Solver};
use crate::num::Int;
use crate::solver::arith::definitions::Definitions;
use crate::solver::arith::tableau::{Column, Entry};
use crate::solver::columns::Columns;
use crate::solver::sat::search::{Reason, Value};
use crate::term::{Term, TermId, TermPool};

/// A domain has no more values than this: one fewer than a byte of the machine.
const MAX_VALUES: i64 = 255;
/// An integer that is summed up, with weights, with numbers of so many values is none of few values, but a digit, as a byte of a word is: its single values decide nothing.
const HUGE: i128 = 1 << 31;
/// All domains together have no more values than this.
const MAX_ATOMS: i64 = 1 << 18;
/// Rounds over all definitions.
const ROUNDS: usize = 24;
/// Bounds above this are none.
const LARGE: i128 = 1 << 62;

/// An interval; `None` is infinite.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Interval {
    low: Option<i128>,
    high: Option<i128>,
}

impl Interval {
    const fn of(value: i128) -> Interval {
        Interval {
            low: Some(value),
            high: Some(value),
        }
    }

    /// Of the sum with a multiple of a number in another interval.
    fn plus(self, coeff: i128, other: Interval) -> Interval {
        let (low, high) = if coeff >= 0 {
            (other.low, other.high)
        } else {
            (other.high, other.low)
        };
        let add = |a: Option<i128>, b: Option<i128>| {
            let sum = a?.checked_add(b?.checked_mul(coeff)?)?;
            (sum.abs() < LARGE).then_some(sum)
        };
        Interval {
            low: add(self.low, low),
            high: add(self.high, high),
        }
    }

    /// The least interval with both.
    fn hull(self, other: Interval) -> Interval {
        Interval {
            low: self.low.zip(other.low).map(|(a, b)| a.min(b)),
            high: self.high.zip(other.high).map(|(a, b)| a.max(b)),
        }
    }

    /// Gets no larger than another one; whether it gets smaller.
    fn narrow(&mut self, other: Interval) -> bool {
        let before = *self;
        if let Some(low) = other.low {
            self.low = Some(self.low.map_or(low, |own| own.max(low)));
        }
        if let Some(high) = other.high {
            self.high = Some(self.high.map_or(high, |own| own.min(high)));
        }
        *self != before
    }
}

/// Narrows the interval of one entry of a sum that is zero.
fn narrow_entry(intervals: &mut [Interval], entries: &[Entry], at: usize) -> bool {
    let mut rest = Interval::of(0);
    for (i, entry) in entries.iter().enumerate() {
        if i != at {
            let Some(coeff) = entry.coeff.to_i64() else {
                return false;
            };
            rest = rest.plus(coeff.into(), intervals[entry.column.index()]);
        }
    }
    let Some(own) = entries[at].coeff.to_i64().map(i128::from) else {
        return false;
    };
    // `own * x = -rest`.
    let (from, to) = if own > 0 {
        (rest.high, rest.low)
    } else {
        (rest.low, rest.high)
    };
    let size = own.abs();
    let sign = -own.signum();
    let found = Interval {
        low: from.map(|bound| -((-sign * bound).div_euclid(size))),
        high: to.map(|bound| (sign * bound).div_euclid(size)),
    };
    intervals[entries[at].column.index()].narrow(found)
}

/// The interval of a linear term.
fn interval_of(pool: &TermPool, columns: &Columns, intervals: &[Interval], term: TermId) -> Interval {
    let mut sum = Interval::of(0);
    let constant = pool.for_each_monomial(term, |coeff, leaf| {
        let leaf = columns
            .of
            .get(&leaf)
            .map_or(Interval::default(), |c| intervals[c.index()]);
        sum = match coeff.to_i64() {
            Some(coeff) => sum.plus(coeff.into(), leaf),
            None => Interval::default(),
        };
    });
    match constant.to_i64() {
        Some(constant) => sum.plus(1, Interval::of(constant.into())),
        None => Interval::default(),
    }
}

impl Solver {
    /// Finds the domains of the live integers, and makes their atoms; whether the problem is one of small domains. The search is at its root.
    pub(super) fn find_domains(&mut self, pool: &mut TermPool) -> bool {
        let intervals = self.intervals(pool);
        let mut columns: Vec<Column> = self.live.columns.clone();
        columns.extend(self.finite.reference.differences().map(|(column, _)| column));
        columns.sort_unstable();
        columns.dedup();
        let definitions = self.theories.arith.resting.as_ref().expect("the simplex rests");
        let (mut wide, mut several, mut atoms) = (0_usize, 0_usize, 0);
        for column in columns {
            let width = |column: Column| {
                let interval = intervals[column.index()];
                interval.low.zip(interval.high).map(|(low, high)| high - low)
            };
            let is_huge = |entry: &Entry| width(entry.column).is_none_or(|width| width >= HUGE);
            let has_weights = |entries: &[Entry]| entries.iter().any(|entry| entry.coeff.abs() > Int::from(MAX_VALUES));
            let is_digit = || {
                definitions
                    .rows_of(column)
                    .any(|row| has_weights(row) && row.iter().any(is_huge))
            };
            let is_small = width(column).is_some_and(|width| (0..MAX_VALUES.into()).contains(&width)) && !is_digit();
            let interval = intervals[column.index()];
            let Some((low, high)) = interval.low.zip(interval.high).filter(|_| is_small) else {
                // Integers that no term has beside others are no concern of the simplex either.
                wide += usize::from(definitions.rows_of(column).next().is_some());
                continue;
            };
            let (low, high) = (low as i64, high as i64);
            atoms += high - low + 2;
            several += usize::from(low < high);
            self.finite.domains.push(Domain { column, low, high });
        }
        if several < FEW || wide > 4 * several || atoms > MAX_ATOMS {
            return false;
        }
        for at in 0..self.finite.domains.len() {
            let Domain { column, low, high } = self.finite.domains[at];
            self.finite.places.insert(column, at);
            // Arithmetic has to know it.
            self.theories.euf.purity.give_up(column);
            let term = self.columns.terms[column.index()];
            let preferred = self.preferred_value(pool, term);
            for value in low - 1..=high {
                let bound = pool.int(value);
                let atom = pool.le(term, bound);
                let literal = self.literal(pool, atom);
                self.borrow(literal.var());
                if let Some(preferred) = preferred {
                    self.search.phases[literal.var().index()] = (preferred <= value) != literal.is_negative();
                }
            }
        }
        self.materialise(pool);
        for at in 0..self.finite.domains.len() {
            self.imply_atoms(self.finite.domains[at].column);
        }
        true
    }

    /// The value that a number gets first, if somebody prefers one.
    pub(super) fn preferred_value(&self, pool: &TermPool, term: TermId) -> Option<i64> {
        self.finite.preferred.as_ref()?.eval_int(pool, term).to_i64()
    }

    /// Assigns the open atoms of a column that its bounds decide: they were made after the bounds.
    fn imply_atoms(&mut self, column: Column) {
        let data = self.theories.arith.tableau.column(column);
        for (k, var) in &data.atoms {
            let upper = data.upper.as_ref().filter(|upper| upper.value <= *k);
            let lower = data.lower.as_ref().filter(|lower| lower.value > *k);
            let implied = match (upper, lower) {
                (Some(bound), _) => Some((var.positive(), bound.literal)),
                (None, Some(bound)) => Some((var.negative(), bound.literal)),
                (None, None) => None,
            };
            if let Some((literal, by)) = implied
                && self.search.value(literal) == Value::Open
                && self.search.is_true(by)
            {
                self.search.assign(literal, Reason::Bound(by));
            }
        }
    }

    /// The intervals of all columns.
    fn intervals(&mut self, pool: &TermPool) -> Vec<Interval> {
        let mut intervals: Vec<Interval> = Vec::with_capacity(self.columns.terms.len());
        for data in &self.theories.arith.tableau.columns {
            let bound = |bound: &Option<crate::solver::arith::tableau::Bound>| {
                let value = bound.as_ref()?.value.as_int()?.to_i64()?;
                (i128::from(value).abs() < LARGE).then_some(i128::from(value))
            };
            intervals.push(Interval {
                low: bound(&data.lower),
                high: bound(&data.upper),
            });
        }
        let conditionals: Vec<(Column, TermId, TermId)> = (0..)
            .zip(&self.columns.terms)
            .filter_map(|(at, &term)| match *pool.term(term) {
                Term::Ite(_, yes, no) => Some((Column(at), yes, no)),
                _ => None,
            })
            .collect();
        let definitions = self.theories.arith.resting.as_ref().expect("the simplex rests");
        for _ in 0..ROUNDS {
            let mut changed = narrow_all(&mut intervals, definitions, &mut self.search.ticks);
            for &(column, yes, no) in &conditionals {
                let [yes, no] = [yes, no].map(|branch| interval_of(pool, &self.columns, &intervals, branch));
                changed |= intervals[column.index()].narrow(yes.hull(no));
            }
            if !changed {
                break;
            }
        }
        intervals
    }
}

/// Narrows the intervals along all definitions once; whether one got smaller.
fn narrow_all(intervals: &mut [Interval], definitions: &Definitions, ticks: &mut u64) -> bool {
    let mut changed = false;
    for entries in definitions.rows() {
        *ticks += entries.len() as u64;
        // Two columns without a bound on the same side leave nothing to say; long rows say little.
        if entries.len() > 64 {
            continue;
        }
        for at in 0..entries.len() {
            changed |= narrow_entry(intervals, entries, at);
        }
    }
    changed
}
