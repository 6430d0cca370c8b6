//! The tableau: rows of integers over columns with values and bounds.
//!
//! Every row is an equation `sum a_j x_j = 0` with coprime integer coefficients; one of its columns is *basic* and occurs in no
//! other row. Integer coefficients (instead of rationals) keep the arithmetic in machine words and make Farkas coefficients integers at no
//! cost. Each column knows the entries that it has in rows, and each entry where the column knows it, so that a pivot visits only the rows that it changes.
//!
//! A column that stands for a sum is defined by a row. Where no live atom is about it, its bounds say nothing new, and where it is basic, the row says nothing of other columns; so it can be forgotten. Otherwise incremental checks would take longer from
//! round to round: each shift and each pivot looks at all rows that have a column, also at those of scopes that are long closed.

use crate::num::{Int, Number, Rational};
use crate::proof::Lit;
use crate::proof::Var;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A bound on a column: the literal that is true and says so.
#[derive(Clone, Debug)]
pub(in crate::solver) struct Bound {
    pub value: Number,
    pub literal: Lit,
}

/// A variable of the tableau.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in crate::solver) struct Column(pub u32);

impl Column {
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A non-zero coefficient in a row.
#[derive(Clone)]
pub(in crate::solver) struct Entry {
    pub column: Column,
    pub coeff: Int,
    /// The position of the back link in the column's list.
    link: u32,
}

impl Entry {
    /// An entry of a row that is in no tableau.
    pub fn apart(coeff: Int, column: Column) -> Entry {
        Entry { column, coeff, link: 0 }
    }
}

#[derive(Clone)]
pub(in crate::solver) struct Row {
    pub entries: Vec<Entry>,
    pub basic: Column,
}

/// Where a column occurs.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Link {
    pub row: u32,
    pub at: u32,
}

#[derive(Clone)]
pub(in crate::solver) struct ColumnData {
    /// The value, or its standard part.
    pub value: Rational,
    /// The infinitesimal part of the value; `None` is zero.
    pub eps: Option<Box<Rational>>,
    /// Whether the column's values need not be integers.
    pub is_real: bool,
    pub lower: Option<Bound>,
    pub upper: Option<Bound>,
    /// The row in which this column is basic, or [`NO_ROW`].
    pub row: u32,
    pub links: Vec<Link>,
    /// The atoms `column <= k`, sorted by `k`; for a strict atom `k` is just below a rational number.
    pub atoms: Vec<(Number, Var)>,
    /// Whether the column is among the suspects.
    pub suspect: bool,
    /// Whether the column stands for a sum.
    pub is_sum: bool,
    /// Whether the row that defined the column was forgotten.
    pub is_detached: bool,
}

/// No row: the column is not basic.
pub(in crate::solver) const NO_ROW: u32 = u32::MAX;

#[derive(Clone, Default)]
pub(in crate::solver) struct Tableau {
    pub columns: Vec<ColumnData>,
    pub rows: Vec<Row>,
    /// Basic columns that may be out of their bounds.
    pub suspects: BinaryHeap<Reverse<Column>>,
    /// Scratch: the position plus one of each column in the row that is added to others.
    place: Vec<u32>,
    /// Scratch: for each entry of that row, the last of the others that had its column.
    met: Vec<u32>,
    /// Scratch: where the column of a pivot occurs.
    others: Vec<(u32, u32)>,
    /// Whether a column is real.
    pub has_reals: bool,
    /// Whether a value may have an infinitesimal part.
    pub has_eps: bool,
    /// The rational that stands for the infinitesimal, and the infinitesimal parts that non-basic columns had before.
    pub concrete: Option<(Rational, Vec<(Column, Rational)>)>,
    pub ticks: u64,
    pub pivots: u64,
    /// Columns whose rows were forgotten.
    pub detached: usize,
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
            is_sum: false,
            is_detached: false,
        });
        self.place.push(0);
        self.has_reals |= is_real;
        column
    }

    /// A new basic column that equals the linear form.
    pub fn add_row(&mut self, form: &[(Int, Column)], is_real: bool) -> Column {
        let slack = self.add_column(is_real);
        self.columns[slack.index()].is_sum = true;
        self.define(slack, form);
        slack
    }

    /// Makes a column that is in no row basic in a new one: it equals the linear form.
    fn define(&mut self, slack: Column, form: &[(Int, Column)]) {
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
                self.eliminate(&[(row, here)], (source, there));
            }
        }
        let data = &mut self.columns[slack.index()];
        (data.row, data.value) = (row, value);
        data.eps = (!eps.is_zero()).then(|| Box::new(eps));
    }

    /// Forgets the row of a column that stands for a sum and is within its bounds, which follow from other bounds. If it is not basic, it takes the place of a basic one that may have the value that it has; if there is none, nothing happens.
    /// The column then has any value, until it is [attached](Tableau::attach) again.
    pub fn detach(&mut self, column: Column) {
        if self.columns[column.index()].row == NO_ROW {
            let links = self.columns[column.index()].links.iter().map(|link| link.row);
            let may_leave = |row: &u32| {
                // Integer columns that are not basic have integers as values.
                let basic = &self.columns[self.rows[*row as usize].basic.index()];
                basic.violation().is_none() && (basic.is_real || basic.value.is_integer())
            };
            let Some(row) = links
                .filter(may_leave)
                .min_by_key(|row| self.rows[*row as usize].entries.len())
            else {
                return;
            };
            self.pivot(row, column);
        }
        let row = self.columns[column.index()].row;
        while let Some(last) = self.rows[row as usize].entries.len().checked_sub(1) {
            self.remove_entry(row, last);
        }
        self.rows.swap_remove(row as usize);
        if let Some(moved) = self.rows.get(row as usize) {
            for entry in &moved.entries {
                self.columns[entry.column.index()].links[entry.link as usize].row = row;
            }
            self.columns[moved.basic.index()].row = row;
        }
        let data = &mut self.columns[column.index()];
        (data.row, data.is_detached) = (NO_ROW, true);
        if !data.is_real {
            data.value = Rational::from(data.value.floor());
        }
        self.detached += 1;
    }

    /// Gives a detached column its row again, in which it equals the linear form.
    pub fn attach(&mut self, column: Column, form: &[(Int, Column)]) {
        self.columns[column.index()].is_detached = false;
        self.detached -= 1;
        self.define(column, form);
        self.suspect(column);
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

    /// Adds multiples of row `source` to multiples of other rows so that a column vanishes from them, which is at these positions of theirs.
    fn eliminate(&mut self, targets: &[(u32, u32)], (source, source_at): (u32, u32)) {
        let entries = &self.rows[source as usize].entries;
        for (i, entry) in (1..).zip(entries) {
            self.place[entry.column.index()] = i;
        }
        self.met.clear();
        self.met.resize(entries.len(), 0);
        for (turn, &target) in (1..).zip(targets) {
            self.eliminate_from(target, (source, source_at), turn);
        }
        for entry in &self.rows[source as usize].entries {
            self.place[entry.column.index()] = 0;
        }
    }

    /// Does so for one row, with the places of the source's columns known. `turn` was not met yet.
    fn eliminate_from(&mut self, (target, target_at): (u32, u32), (source, source_at): (u32, u32), turn: u32) {
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
        self.ticks += (target_row.entries.len() + source_row.entries.len()) as u64;
        let mut vanished = 0;
        for entry in &mut target_row.entries {
            if !keep.is_one() {
                entry.coeff *= &keep;
            }
            if let Some(at) = self.place[entry.column.index()].checked_sub(1) {
                entry.coeff.add_mul(&source_row.entries[at as usize].coeff, &add);
                vanished += usize::from(entry.coeff.is_zero());
                self.met[at as usize] = turn;
            }
        }
        for (entry, met) in source_row.entries.iter().zip(&self.met) {
            if *met == turn {
                continue;
            }
            let links = &mut self.columns[entry.column.index()].links;
            let link = links.len() as u32;
            links.push(Link {
                row: target,
                at: target_row.entries.len() as u32,
            });
            target_row.entries.push(Entry {
                column: entry.column,
                coeff: &entry.coeff * &add,
                link,
            });
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

    /// Exchanges the basic column of a row with a non-basic one of it.
    pub fn pivot(&mut self, row: u32, entering: Column) {
        self.pivots += 1;
        let leaving = self.rows[row as usize].basic;
        // Eliminating it from one row moves it in no other one.
        let mut links = std::mem::take(&mut self.others);
        let others = self.columns[entering.index()].links.iter().filter(|l| l.row != row);
        links.extend(others.map(|l| (l.row, l.at)));
        self.eliminate(&links, (row, self.position(row, entering)));
        links.clear();
        self.others = links;
        self.rows[row as usize].basic = entering;
        self.columns[entering.index()].row = row;
        self.columns[leaving.index()].row = NO_ROW;
    }
}

impl ColumnData {
    /// The number of atoms whose constant is below this number.
    #[inline]
    pub fn atoms_below(&self, number: &Number) -> usize {
        // Small domains have an atom for each value.
        if let (Some((first, _)), Some(value)) = (self.atoms.first(), number.as_int().and_then(Int::to_i64))
            && let Some(first) = first.as_int().and_then(Int::to_i64)
            && let Ok(at) = usize::try_from(value.saturating_sub(first))
            && self.atoms.get(at).is_some_and(|(k, _)| k == number)
        {
            return at;
        }
        self.atoms.partition_point(|(k, _)| k < number)
    }

    /// The order of the value against a number.
    #[inline]
    pub fn compare(&self, number: &Number) -> Ordering {
        number.cmp_parts(&self.value, self.eps.as_deref()).reverse()
    }

    /// Whether the value is that of the bound.
    pub fn stands_at(&self, bound: &Option<Bound>) -> bool {
        bound
            .as_ref()
            .is_some_and(|b| b.value.has_parts(&self.value, self.eps.as_deref()))
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

    /// The distance of the number above the value: the standard and the infinitesimal part.
    pub fn distance(&self, number: &Number) -> (Rational, Rational) {
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
