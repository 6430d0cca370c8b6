//! The general simplex (Dutertre and de Moura, CAV 2006) over integer rows.
//!
//! Every row is an equation `sum a_j x_j = 0` with coprime integer coefficients; one of its columns is *basic* and occurs in no
//! other row. Rows define the linear terms of atoms; bounds on columns come and go with the trail. Backtracking only
//! forgets bounds and keeps tableau and values, so that the next check starts from a nearly right vertex. Integer
//! coefficients (instead of rationals) keep the arithmetic in machine words and make Farkas coefficients integers at no cost.
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
//! smallest one (Bland's rule), which terminates.

use super::bounds::Bound;
use crate::fault::planted;
use crate::num::{Int, Number, Rational};
use crate::proof::Var;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A variable of the tableau.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Column(pub u32);

impl Column {
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A non-zero coefficient in a row.
#[derive(Clone)]
pub(super) struct Entry {
    pub column: Column,
    pub coeff: Int,
    /// The position of the back link in the column's list.
    link: u32,
}

#[derive(Clone)]
pub(super) struct Row {
    pub entries: Vec<Entry>,
    pub basic: Column,
}

/// Where a column occurs.
#[derive(Clone, Copy)]
pub(super) struct Link {
    pub row: u32,
    pub at: u32,
}

#[derive(Clone)]
pub(super) struct ColumnData {
    /// The value, or its standard part.
    pub value: Rational,
    /// The infinitesimal part of the value; `None` is zero.
    eps: Option<Box<Rational>>,
    /// Whether the column's values need not be integers.
    pub is_real: bool,
    pub lower: Option<Bound>,
    pub upper: Option<Bound>,
    /// The row in which this column is basic, or [`NO_ROW`].
    pub row: u32,
    pub links: Vec<Link>,
    /// The atoms `column <= k`, sorted by `k`; for a strict atom `k` is just below a rational number.
    pub atoms: Vec<(Number, Var)>,
    suspect: bool,
}

/// No row: the column is not basic.
pub(super) const NO_ROW: u32 = u32::MAX;

/// How a check of the tableau ended.
pub(super) enum Outcome {
    Feasible,
    /// This row shows the basic column out of reach: of its lower bound if true, else of the upper one.
    Infeasible(u32, bool),
    /// The effort allowed was spent.
    Exhausted,
}

#[derive(Clone, Default)]
pub(super) struct Tableau {
    pub columns: Vec<ColumnData>,
    pub rows: Vec<Row>,
    suspects: BinaryHeap<Reverse<Column>>,
    /// Scratch: the position plus one of each column in the row being changed.
    place: Vec<u32>,
    /// Scratch: where the column of a pivot occurs.
    others: Vec<(u32, u32)>,
    /// Whether a column is real.
    pub has_reals: bool,
    /// Whether a value may have an infinitesimal part.
    has_eps: bool,
    /// What the infinitesimal is taken for, and the infinitesimal parts that non-basic columns had before.
    concrete: Option<(Rational, Vec<(Column, Rational)>)>,
    pub ticks: u64,
    pub pivots: u64,
}

impl Tableau {
    /// A new column without bounds; its value is zero.
    pub fn add_column(&mut self, is_real: bool) -> Column {
        let column = Column(u32::try_from(self.columns.len()).expect("fewer than 2^32 columns"));
        self.columns.push(ColumnData {
            value: Rational::from(0),
            eps: None,
            is_real,
            lower: None,
            upper: None,
            row: NO_ROW,
            links: Vec::new(),
            atoms: Vec::new(),
            suspect: false,
        });
        self.place.push(0);
        self.has_reals |= is_real;
        column
    }

    /// A new basic column that equals the linear form.
    pub fn add_row(&mut self, form: &[(Int, Column)], is_real: bool) -> Column {
        let slack = self.add_column(is_real);
        let row = u32::try_from(self.rows.len()).expect("fewer than 2^32 rows");
        self.rows.push(Row {
            entries: Vec::new(),
            basic: slack,
        });
        let (mut value, mut eps) = (Rational::ZERO, Rational::ZERO);
        for (coeff, column) in form {
            let (data, factor) = (&self.columns[column.index()], Rational::from(coeff));
            value.add_mul(&factor, &data.value);
            if let Some(part) = &data.eps {
                eps.add_mul(&factor, part);
            }
            self.push_entry(row, *column, coeff.clone());
        }
        self.push_entry(row, slack, Int::from(-1));
        for (_, column) in form {
            let source = self.columns[column.index()].row;
            if source != NO_ROW {
                let (here, there) = (self.position(row, *column), self.position(source, *column));
                self.eliminate((row, here), (source, there));
            }
        }
        let data = &mut self.columns[slack.index()];
        (data.row, data.value) = (row, value);
        data.eps = (!eps.is_zero()).then(|| Box::new(eps));
        slack
    }

    #[inline]
    pub fn column(&self, column: Column) -> &ColumnData {
        &self.columns[column.index()]
    }

    fn push_entry(&mut self, row: u32, column: Column, coeff: Int) {
        let entries = &mut self.rows[row as usize].entries;
        let links = &mut self.columns[column.index()].links;
        links.push(Link {
            row,
            at: entries.len() as u32,
        });
        entries.push(Entry {
            column,
            coeff,
            link: links.len() as u32 - 1,
        });
    }

    /// Removes an entry; the row's last entry takes its position.
    fn remove_entry(&mut self, row: u32, at: usize) {
        let entries = &mut self.rows[row as usize].entries;
        let removed = entries.swap_remove(at);
        if let Some(moved) = entries.get(at) {
            self.columns[moved.column.index()].links[moved.link as usize].at = at as u32;
        }
        let links = &mut self.columns[removed.column.index()].links;
        links.swap_remove(removed.link as usize);
        if let Some(&moved) = links.get(removed.link as usize) {
            self.rows[moved.row as usize].entries[moved.at as usize].link = removed.link;
        }
    }

    /// The coefficient of a column in a row in which it occurs.
    pub fn coefficient(&self, row: u32, column: Column) -> &Int {
        let link = self.columns[column.index()]
            .links
            .iter()
            .find(|l| l.row == row)
            .expect("the column occurs in the row");
        &self.rows[row as usize].entries[link.at as usize].coeff
    }

    /// The position of a column in a row in which it occurs.
    fn position(&self, row: u32, column: Column) -> u32 {
        let links = &self.columns[column.index()].links;
        links
            .iter()
            .find(|l| l.row == row)
            .expect("the column occurs in the row")
            .at
    }

    /// Adds a multiple of row `source` to a multiple of row `target` so that a column vanishes from it, which is at these positions of theirs.
    fn eliminate(&mut self, (target, target_at): (u32, u32), (source, source_at): (u32, u32)) {
        let t = &self.rows[target as usize].entries[target_at as usize].coeff;
        let s = &self.rows[source as usize].entries[source_at as usize].coeff;
        // A negative factor for the target would only flip all its signs.
        let (keep, add) = match s.to_i64() {
            Some(1) => (Int::ONE, -t),
            Some(-1) => (Int::ONE, t.clone()),
            _ => {
                let gcd = if s.is_positive() { t.gcd(s) } else { -t.gcd(s) };
                (s.div_exact(&gcd), -t.div_exact(&gcd))
            }
        };
        let [target_row, source_row] = self
            .rows
            .get_disjoint_mut([target as usize, source as usize])
            .expect("two different rows");
        let (length, mut vanished) = (target_row.entries.len(), 0);
        let place = &mut self.place;
        for (i, entry) in (1..).zip(&mut target_row.entries) {
            if !keep.is_one() {
                entry.coeff *= &keep;
            }
            place[entry.column.index()] = i;
        }
        for entry in &source_row.entries {
            let other = entry.column;
            match place[other.index()] {
                0 => {
                    let links = &mut self.columns[other.index()].links;
                    let link = links.len() as u32;
                    links.push(Link {
                        row: target,
                        at: target_row.entries.len() as u32,
                    });
                    target_row.entries.push(Entry {
                        column: other,
                        coeff: &entry.coeff * &add,
                        link,
                    });
                }
                at => {
                    let coeff = &mut target_row.entries[at as usize - 1].coeff;
                    coeff.add_mul(&entry.coeff, &add);
                    vanished += usize::from(coeff.is_zero());
                }
            }
        }
        self.ticks += (length + source_row.entries.len()) as u64;
        for entry in &target_row.entries[..length] {
            place[entry.column.index()] = 0;
        }
        let mut at = 0;
        while vanished > 0 {
            if self.rows[target as usize].entries[at].coeff.is_zero() {
                self.remove_entry(target, at);
                vanished -= 1;
            } else {
                at += 1;
            }
        }
        self.make_coprime(target);
    }

    /// Divides the row by the greatest common divisor of its coefficients.
    fn make_coprime(&mut self, row: u32) {
        let entries = &mut self.rows[row as usize].entries;
        let mut gcd = Int::ZERO;
        for entry in &*entries {
            gcd = gcd.gcd(&entry.coeff);
            if gcd.is_one() {
                return;
            }
        }
        for entry in entries {
            entry.coeff = entry.coeff.div_exact(&gcd);
        }
    }

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

    /// Exchanges the basic column of a row with a non-basic one of it.
    fn pivot(&mut self, row: u32, entering: Column) {
        self.pivots += 1;
        let leaving = self.rows[row as usize].basic;
        // Eliminating it from one row moves it in no other one.
        let mut links = std::mem::take(&mut self.others);
        links.extend(self.columns[entering.index()].links.iter().map(|l| (l.row, l.at)));
        let own = self.position(row, entering);
        for &other in links.iter().filter(|other| other.0 != row) {
            self.eliminate(other, (row, own));
        }
        links.clear();
        self.others = links;
        self.rows[row as usize].basic = entering;
        self.columns[entering.index()].row = row;
        self.columns[leaving.index()].row = NO_ROW;
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
        let own_positive = self.coefficient(row, basic).is_positive();
        let mut best: Option<(usize, Column)> = None;
        self.ticks += self.rows[row as usize].entries.len() as u64;
        for entry in &self.rows[row as usize].entries {
            if entry.column == basic {
                continue;
            }
            // The basic column rises with this one iff their coefficients differ in sign.
            let rises = entry.coeff.is_positive() != own_positive;
            let data = &self.columns[entry.column.index()];
            let movable = if rises == up {
                data.upper
                    .as_ref()
                    .is_none_or(|b| data.compare(&b.value) == Ordering::Less)
            } else {
                data.lower
                    .as_ref()
                    .is_none_or(|b| data.compare(&b.value) == Ordering::Greater)
            };
            if movable {
                let cost = if bland { 0 } else { data.links.len() };
                if best.is_none_or(|b| (cost, entry.column) < b) {
                    best = Some((cost, entry.column));
                }
            }
        }
        best.map(|b| b.1)
    }
}

impl ColumnData {
    /// The order of the value against a number.
    #[inline]
    pub fn compare(&self, number: &Number) -> Ordering {
        number.cmp_parts(&self.value, self.eps.as_deref()).reverse()
    }

    /// Whether the value is that of the bound.
    pub fn stands_at(&self, bound: &Option<Bound>) -> bool {
        bound
            .as_ref()
            .is_some_and(|b| self.compare(&b.value) == Ordering::Equal)
    }

    /// Whether the number is within the bounds.
    pub fn is_within(&self, number: &Number) -> bool {
        let is_low = self.lower.as_ref().is_some_and(|b| *number < b.value);
        !is_low && self.upper.as_ref().is_none_or(|b| *number <= b.value)
    }

    /// The integer that both bounds are.
    pub fn fixed(&self) -> Option<&Int> {
        let (lower, upper) = self.lower.as_ref().zip(self.upper.as_ref())?;
        lower.value.as_int().filter(|_| lower.value == upper.value)
    }

    /// How far the number lies above the value: the standard and the infinitesimal part.
    fn distance(&self, number: &Number) -> (Rational, Rational) {
        let eps = match (number.as_int(), &self.eps) {
            (Some(_), None) => Rational::ZERO,
            (_, own) => &number.to_delta().eps - own.as_deref().unwrap_or(&Rational::ZERO),
        };
        (&number.real() - &self.value, eps)
    }

    /// `Some(true)` if the value is below the lower bound, `Some(false)` if above the upper one.
    pub fn violation(&self) -> Option<bool> {
        if self
            .lower
            .as_ref()
            .is_some_and(|b| self.compare(&b.value) == Ordering::Less)
        {
            Some(true)
        } else if self
            .upper
            .as_ref()
            .is_some_and(|b| self.compare(&b.value) == Ordering::Greater)
        {
            Some(false)
        } else {
            None
        }
    }
}
