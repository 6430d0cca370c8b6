//! Guesses for a site, from its table.
//!
//! * A column is a sum of others, or of products of two of them.
//! * A column is such a sum for one value of a parameter, another one for the next value: a *case* each. Cases that no execution came to follow from those before by a recurrence, and the values
//!   up to some number may be one case.
//! * Where one parameter does not suffice, there is a number for each pair of values.
//! * A column is at least or at most a number that the program mentions, or its neighbour; also in one case.
//! * At a loop head, a column or the difference of two has the same remainder everywhere (Granger, *Static analysis of arithmetical congruences*, International Journal of Computer Mathematics 30, 1989).
//!   A power of two divides the periods of all types, so a remainder by it outlives every wrap.
//! * At a loop head, the sum or the difference of two columns has bounds (Miné, *The octagon abstract domain*, Higher-Order and Symbolic Computation 19, 2006), and a column is a sum as long as one column is below
//!   another one or below a number of the program, or is even: a loop of two phases, or one that takes turns.

use super::runs::Column;
use super::tables::{Feature, Table, continued};
use provident_smt::num::Int;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

/// The values that separate cases.
const CASES: RangeInclusive<i128> = -6..=80;
/// The most columns that separate cases, and the most values of the first of two of them.
const MAX_CASE_COLUMNS: usize = 3;
const FEW: usize = 8;
/// The columns whose products are looked at.
const MAX_FACTORS: usize = 4;
/// The bounds on each side of a column.
const MAX_BOUNDS: usize = 9;
/// At a loop head, where the text suggests more.
const MAX_BOUNDS_AT_LOOP: usize = 2;
/// Different numbers that have to have the same remainder.
const FEWEST_REMAINDERS: usize = 3;
/// The first columns of which pairs are looked at, and the bounds of a pair.
const MAX_PAIRED: usize = 8;
const MAX_BOUNDS_OF_PAIR: usize = 2;
/// The rows that a phase has at least where a number separates it from another one, and such numbers for each column.
const FEWEST_IN_PHASE: usize = 3;
const MAX_THRESHOLDS: usize = 6;
/// In one case.
const MAX_BOUNDS_IN_CASE: usize = 9;

/// A condition on a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bound {
    /// It is a number.
    Is(usize, i128),
    /// It is at most a number.
    AtMost(usize, i128),
    /// It is at least a number.
    AtLeast(usize, i128),
    /// Two columns with their factors have a sum that is at least a number.
    Pair([(i128, usize); 2], i128),
    /// It is even, or it is odd.
    Even(usize, bool),
}

/// A statement about columns.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statement {
    /// A column is a sum, in its type.
    Sum(usize, Vec<(i128, Feature)>),
    /// A bound.
    Bound(Bound),
    /// A column, less another one if there is one, has a remainder by a number.
    Remainder(usize, Option<usize>, i128, i128),
}

/// A guess: a statement that holds in a case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fact {
    /// The case.
    pub case: Vec<Bound>,
    /// The statement.
    pub said: Statement,
}

/// Collects the facts of a table.
struct Facts<'t> {
    table: &'t Table,
    constants: &'t BTreeSet<i128>,
    all: Vec<usize>,
    /// The columns that are no sum of others before.
    free: Vec<usize>,
    found: BTreeSet<Fact>,
}

/// The facts that a table suggests: those without a case first.
pub fn facts(table: &Table, constants: &BTreeSet<i128>) -> Vec<Fact> {
    let mut facts = Facts::new(table, constants);
    facts.sums();
    for column in 0..table.columns.len() {
        let is_free = facts.free.contains(&column);
        if is_free || matches!(table.columns[column], Column::Now(..)) && facts.is_outermost() {
            let all = facts.all.clone();
            facts.bounds(&[], &all, column, MAX_BOUNDS);
        }
    }
    facts.cases();
    facts.found.into_iter().collect()
}

/// The facts that the table of a loop head suggests: sums, bounds, and remainders; and in the second place those about pairs and phases, which are many.
pub fn facts_at_loop(table: &Table, constants: &BTreeSet<i128>) -> [Vec<Fact>; 2] {
    let mut facts = Facts::new(table, constants);
    facts.sums();
    for column in 0..table.columns.len() {
        let all = facts.all.clone();
        facts.bounds(&[], &all, column, MAX_BOUNDS_AT_LOOP);
    }
    facts.remainders();
    let simple = std::mem::take(&mut facts.found);
    facts.pairs();
    facts.phases();
    [simple, facts.found].map(|found| found.into_iter().collect())
}

impl<'t> Facts<'t> {
    fn new(table: &'t Table, constants: &'t BTreeSet<i128>) -> Facts<'t> {
        Facts {
            table,
            constants,
            all: (0..table.rows.len()).collect(),
            free: Vec::new(),
            found: BTreeSet::new(),
        }
    }

    fn say(&mut self, case: &[Bound], said: Statement) {
        self.found.insert(Fact {
            case: case.to_vec(),
            said,
        });
    }

    /// Whether the site is under no contract.
    fn is_outermost(&self) -> bool {
        !self.table.columns.iter().any(|column| matches!(column, Column::Old(_)))
    }

    fn is_old(&self, column: usize) -> bool {
        matches!(self.table.columns[column], Column::Old(_))
    }

    /// Sums of all rows. A column that is a sum with products of its own is not determined by the others.
    fn sums(&mut self) {
        // One row says nothing but its numbers.
        let surplus = usize::from(self.table.rows.len() > 1);
        for column in 0..self.table.columns.len() {
            let mut features = vec![Feature::One];
            features.extend(self.free.iter().map(|&column| Feature::Value(column)));
            let linear = self.table.relation(&self.all, &features, column, surplus);
            let sum = linear.or_else(|| {
                let is_outermost = self.is_outermost();
                let is_cause = |&cause: &usize| self.is_old(cause) || is_outermost && cause < self.table.causes;
                let mut factors: Vec<usize> = self.free.iter().copied().filter(is_cause).collect();
                factors.truncate(MAX_FACTORS);
                if self.is_old(column) {
                    return None;
                }
                if is_cause(&column) {
                    factors.push(column);
                }
                if factors.is_empty() {
                    return None;
                }
                features.extend(self.table.products(&factors));
                self.table.relation(&self.all, &features, column, features.len().min(4))
            });
            let is_of_itself = sum
                .iter()
                .flat_map(|(_, summands)| summands)
                .any(|(_, feature)| match *feature {
                    Feature::Product(a, b) => a == column || b == column,
                    _ => false,
                });
            if sum.is_none() || is_of_itself {
                self.free.push(column);
            }
            if let Some((column, summands)) = sum {
                self.say(&[], Statement::Sum(column, summands));
            }
        }
    }

    /// Remainders of columns, and of differences of two where one of them has none of its own.
    fn remainders(&mut self) {
        let all = self.all.clone();
        let mut others: Vec<usize> = Vec::new();
        for column in 0..self.table.columns.len() {
            // A column may be a sum of others in these executions alone.
            let has_one = self.remainder(&[], &all, column, None);
            if !has_one && self.free.contains(&column) {
                for other in others.iter().copied().take(MAX_FACTORS) {
                    self.remainder(&[], &all, column, Some(other));
                }
                others.push(column);
            }
        }
    }

    /// The remainder that a column, less another one, has in the rows of a case, by the greatest number and by the greatest power of two. Whether there is one.
    fn remainder(&mut self, case: &[Bound], rows: &[usize], column: usize, less: Option<usize>) -> bool {
        let numbers = rows.iter().map(|&row| &self.table.rows[row]);
        let numbers = numbers.map(|row| row[column] - less.map_or(0, |less| row[less]));
        let numbers: BTreeSet<i128> = numbers.collect();
        let Some(&first) = numbers.first() else { return false };
        let common = numbers
            .iter()
            .fold(Int::ZERO, |common, &number| common.gcd(&Int::from(number - first)));
        let Some(common) = common.to_i128().filter(|&common| common > 1) else {
            return false;
        };
        if numbers.len() < FEWEST_REMAINDERS {
            return false;
        }
        for by in BTreeSet::from([common, common & -common]) {
            if by > 1 {
                let rest = first.rem_euclid(by);
                self.say(case, Statement::Remainder(column, less, by, rest));
            }
        }
        true
    }

    /// Whether a row is in a case.
    fn is_in(&self, row: usize, bound: Bound) -> bool {
        let row = &self.table.rows[row];
        match bound {
            Bound::Is(column, number) => row[column] == number,
            Bound::AtMost(column, number) => row[column] <= number,
            Bound::AtLeast(column, number) => row[column] >= number,
            Bound::Pair([(f, a), (g, b)], number) => f * row[a] + g * row[b] >= number,
            Bound::Even(column, is_even) => (row[column] & 1 == 0) == is_even,
        }
    }

    /// Pairs of the first columns.
    fn paired(&self) -> Vec<(usize, usize)> {
        let count = self.table.columns.len().min(MAX_PAIRED);
        (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect()
    }

    /// Bounds of sums and differences of two columns, where they say more than those of both.
    fn pairs(&mut self) {
        let near = self.constants.iter().flat_map(|&number| {
            let ends = [number - 1, number, number + 1];
            ends.into_iter().chain(ends.map(|end| -end))
        });
        let near: BTreeSet<i128> = near.chain(-1..=1).collect();
        for (a, b) in self.paired() {
            for (f, g) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                let least = |value: &dyn Fn(&[i128]) -> i128| self.table.rows.iter().map(|row| value(row)).min();
                let both = least(&|row| f * row[a] + g * row[b]);
                let apart = least(&|row| f * row[a]).zip(least(&|row| g * row[b]));
                let (Some(both), Some((one, other))) = (both, apart) else {
                    return;
                };
                let numbers = near.range(one + other + 1..=both.max(one + other + 1));
                let numbers: Vec<i128> = numbers
                    .rev()
                    .filter(|&&n| n <= both)
                    .take(MAX_BOUNDS_OF_PAIR)
                    .copied()
                    .collect();
                for number in numbers {
                    let bound = Bound::Pair([(f, a), (g, b)], number);
                    self.say(&[], Statement::Bound(bound));
                }
            }
        }
    }

    /// Sums that hold while a column is below another one or a number of the program, or while it is not; while it is even, or odd.
    fn phases(&mut self) {
        let is_free = |column: &usize| self.free.contains(column);
        let mut cases: Vec<[Bound; 2]> = Vec::new();
        for (a, b) in self.paired().into_iter().filter(|(a, b)| is_free(a) && is_free(b)) {
            for (a, b) in [(a, b), (b, a)] {
                cases.push([Bound::Pair([(1, b), (-1, a)], 1), Bound::Pair([(1, a), (-1, b)], 0)]);
            }
        }
        for column in self.free.iter().copied().take(MAX_PAIRED) {
            cases.push([true, false].map(|is_even| Bound::Even(column, is_even)));
        }
        let thresholds = self.free.iter().copied().take(MAX_PAIRED);
        let thresholds: Vec<[Bound; 2]> = thresholds.flat_map(|column| self.thresholds(column)).collect();
        cases.extend(thresholds);
        for case in cases {
            let rows = case.map(|bound| self.rows_in(bound));
            if rows.iter().any(Vec::is_empty) {
                continue;
            }
            for (bound, rows) in case.into_iter().zip(&rows) {
                for column in self.free.clone() {
                    self.remainder(&[bound], rows, column, None);
                }
                let mut features = vec![Feature::One];
                for column in self.free.clone() {
                    match self.table.relation(rows, &features, column, 1) {
                        Some((column, summands)) => self.say(&[bound], Statement::Sum(column, summands)),
                        None => features.push(Feature::Value(column)),
                    }
                }
            }
        }
    }

    fn rows_in(&self, bound: Bound) -> Vec<usize> {
        let rows = self.all.iter().copied();
        rows.filter(|&row| self.is_in(row, bound)).collect()
    }

    /// Cases below a number of the program and from there on, of which both have some rows.
    fn thresholds(&self, column: usize) -> Vec<[Bound; 2]> {
        let cases = self.constants.iter();
        let cases = cases.map(|&number| [Bound::AtMost(column, number - 1), Bound::AtLeast(column, number)]);
        let has_rows = |&bound: &Bound| self.rows_in(bound).len() >= FEWEST_IN_PHASE;
        let cases = cases.filter(|case| case.iter().all(has_rows));
        cases.take(MAX_THRESHOLDS).collect()
    }

    /// Bounds of a column in some rows, near numbers of the program.
    fn bounds(&mut self, case: &[Bound], rows: &[usize], column: usize, most: usize) {
        let numbers = rows.iter().map(|&row| self.table.rows[row][column]);
        let (Some(least), Some(greatest)) = (numbers.clone().min(), numbers.max()) else {
            return;
        };
        let info = self.table.infos[column];
        let near = self
            .constants
            .iter()
            .flat_map(|&number| [number - 1, number, number + 1]);
        let near: BTreeSet<i128> = near.filter(|&number| info.wrap(number) == number).collect();
        for &number in near.range(..=least).rev().take(most) {
            self.say(case, Statement::Bound(Bound::AtLeast(column, number)));
        }
        for &number in near.range(greatest..).take(most) {
            self.say(case, Statement::Bound(Bound::AtMost(column, number)));
        }
    }

    /// The columns that separate cases: those that the function is called with, or under no contract any.
    fn case_columns(&self) -> Vec<usize> {
        let is_outermost = self.is_outermost();
        let separates = |&column: &usize| {
            let values = self.values(column);
            column < self.table.causes && (is_outermost || self.is_old(column)) && values.len() > 1
        };
        let mut columns: Vec<usize> = self.free.iter().copied().filter(separates).collect();
        columns.truncate(MAX_CASE_COLUMNS);
        columns
    }

    /// The values of a column that separate cases.
    fn values(&self, column: usize) -> BTreeSet<i128> {
        let values = self.table.rows.iter().map(|row| row[column]);
        values.filter(|value| CASES.contains(value)).collect()
    }

    /// The rows of each value of a column, among some.
    fn by_value(&self, rows: &[usize], column: usize) -> BTreeMap<i128, Vec<usize>> {
        let mut by_value: BTreeMap<i128, Vec<usize>> = BTreeMap::new();
        for &row in rows {
            let value = self.table.rows[row][column];
            if CASES.contains(&value) {
                by_value.entry(value).or_default().push(row);
            }
        }
        by_value
    }

    /// The greatest number of the program that separates cases.
    fn greatest_case(&self) -> i128 {
        let below = self.constants.range(..=CASES.end());
        below.copied().next_back().unwrap_or(0)
    }

    /// Statements of cases.
    fn cases(&mut self) {
        let columns = self.case_columns();
        let targets: Vec<usize> = self
            .free
            .iter()
            .copied()
            .filter(|&column| !self.is_old(column))
            .collect();
        for &column in &columns {
            let by_value = self.by_value(&self.all, column);
            if by_value.len() <= FEW {
                for (&value, rows) in &by_value {
                    let is_wanted = |&other: &usize| other != column && (self.is_old(other) || self.is_outermost());
                    let others: Vec<usize> = self.free.iter().copied().filter(is_wanted).collect();
                    for other in others {
                        self.bounds(&[Bound::Is(column, value)], rows, other, MAX_BOUNDS_IN_CASE);
                    }
                }
            }
            for &target in targets.iter().filter(|&&target| target != column) {
                let open = self.by_cases(&[], &by_value, column, target);
                if by_value.len() > FEW {
                    continue;
                }
                for value in open {
                    for &second in columns.iter().filter(|&&second| second != column && second != target) {
                        let inner = self.by_value(&by_value[&value], second);
                        self.by_cases(&[Bound::Is(column, value)], &inner, second, target);
                    }
                }
            }
        }
    }

    /// A sum for each value of a column. Returns the values for which there is none.
    fn by_cases(
        &mut self,
        outer: &[Bound],
        by_value: &BTreeMap<i128, Vec<usize>>,
        column: usize,
        target: usize,
    ) -> Vec<i128> {
        let mut features = vec![Feature::One];
        let number = |row: &usize| self.table.rows[*row][target];
        let is_number = |rows: &Vec<usize>| rows.iter().all(|row| number(row) == number(&rows[0]));
        let is_table = by_value.values().all(is_number);
        if !is_table {
            let is_fixed = |other: usize| {
                outer
                    .iter()
                    .any(|bound| matches!(bound, Bound::Is(fixed, _) if *fixed == other))
            };
            let is_cause = |other: usize| self.is_old(other) || self.is_outermost() && other < target;
            let others = self.free.iter().copied();
            let others = others.filter(|&other| is_cause(other) && other != column && !is_fixed(other));
            features.extend(others.map(Feature::Value));
        }
        // In a table one row is all that there can be.
        let surplus = usize::from(!is_table);
        let (mut known, mut open) = (BTreeMap::new(), Vec::new());
        for (&value, rows) in by_value {
            match self.table.equation(rows, &features, target, surplus) {
                Some(factors) => drop(known.insert(value, factors)),
                None => open.push(value),
            }
        }
        let said = |factors: &[i128]| Statement::Sum(target, summands(&features, factors));
        let in_case = |bound: Bound| [outer, &[bound]].concat();
        // The first values may be alike.
        let alike = known
            .iter()
            .zip(known.iter().skip(1))
            .take_while(|(one, next)| one.1 == next.1);
        let prefix = alike.map(|(_, (value, _))| *value).last();
        if let (Some(last), Some(factors)) = (prefix, prefix.and_then(|last| known.get(&last)))
            && open.iter().all(|&value| value > last)
        {
            let case = in_case(Bound::AtMost(column, last));
            self.say(&case, said(factors));
        }
        let rest = known.range(prefix.map_or(*CASES.start(), |last| last + 1)..);
        let rest: Vec<(i128, Vec<i128>)> = rest.map(|(value, factors)| (*value, factors.clone())).collect();
        let run = rest
            .iter()
            .enumerate()
            .take_while(|(at, (value, _))| i128::try_from(*at).is_ok_and(|at| rest[0].0 + at == *value));
        let run: Vec<Vec<i128>> = run.map(|(_, (_, factors))| factors.clone()).collect();
        let mut table: BTreeMap<i128, Vec<i128>> = rest.iter().cloned().collect();
        if let Some(&(first, _)) = rest.first()
            && let Ok(length) = usize::try_from(self.greatest_case() - first + 1)
            && let Some(all) = continued(&run, length, self.table.infos[target])
        {
            for (value, factors) in (first..).zip(all) {
                table.entry(value).or_insert(factors);
            }
        }
        // A case for every single row is no explanation, unless there is no other column that it could rest on.
        if table.len() + usize::from(prefix.is_some()) > open.len() {
            for (value, factors) in &table {
                let case = in_case(Bound::Is(column, *value));
                self.say(&case, said(factors));
            }
        }
        open.into_iter().filter(|value| !table.contains_key(value)).collect()
    }
}

fn summands(features: &[Feature], factors: &[i128]) -> Vec<(i128, Feature)> {
    let summands = factors.iter().copied().zip(features.iter().copied());
    summands.filter(|(factor, _)| *factor != 0).collect()
}
