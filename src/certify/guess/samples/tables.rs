//! The states of a site as a table, and the equations that its columns obey modulo the periods of their types.
//!
//! A column is `2 * n + 3`, or `n * m`, or it is another number for each value of a parameter. Equations are sought among small numbers, where nothing wraps around, and then have to hold in all rows as the machine computes.

use super::runs::{Column, Row};
use super::sites::integer;
use crate::certify::guess::affine::Hull;
use crate::cfa::{Program, VarKind};
use crate::frontend::types::IntInfo;
use std::collections::BTreeSet;

/// Numbers up to this are small: their sums with small factors mostly do not wrap around.
const SMALL: i128 = 1 << 28;
/// The same for products.
const SMALL_PRODUCT: i128 = 1 << 20;
/// More columns are not looked at.
const MAX_COLUMNS: usize = 24;

/// A summand without its factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// The number 1.
    One,
    /// A column, by its position.
    Value(usize),
    /// The product of two columns of one type, in that type.
    Product(usize, usize),
}

/// The rows of a site, and its columns: those that have a number in all rows.
pub struct Table {
    /// The columns: values at the contract's entry, then variables, then results.
    pub columns: Vec<Column>,
    /// How many of them are no results.
    pub causes: usize,
    /// Their types.
    pub infos: Vec<IntInfo>,
    /// The numbers, by row and column; no row stands twice.
    pub rows: Vec<Vec<i128>>,
}

impl Table {
    /// The table of the rows of a site, for the columns that are wanted.
    pub fn new(program: &Program, rows: &BTreeSet<Row>, wanted: impl Fn(Column) -> bool) -> Table {
        let first = rows.first().into_iter().flat_map(|row| row.keys().copied());
        let in_all = first.filter(|column| rows.iter().all(|row| row.contains_key(column)) && wanted(*column));
        let is_result = |&column: &Column| {
            let (Column::Old(var) | Column::Now(_, var)) = column;
            let variable = program.var(var);
            let is_returned = variable
                .func
                .is_some_and(|func| program.function(func).ret == Some(var));
            let is_static = matches!(column, Column::Now(..)) && variable.func.is_none();
            is_returned || is_static || variable.kind == VarKind::Temp
        };
        let (results, mut columns): (Vec<Column>, Vec<Column>) = in_all.partition(is_result);
        let causes = columns.len().min(MAX_COLUMNS);
        columns.extend(results);
        columns.truncate(MAX_COLUMNS);
        let infos = columns.iter().map(|&column| {
            let (Column::Old(var) | Column::Now(_, var)) = column;
            integer(program, var).expect("only integers are executed with")
        });
        let infos = infos.collect();
        let rows: BTreeSet<Vec<i128>> = rows
            .iter()
            .map(|row| columns.iter().map(|column| row[column]).collect())
            .collect();
        Table {
            columns,
            causes,
            infos,
            rows: rows.into_iter().collect(),
        }
    }

    /// The number of a feature in a row.
    fn number(&self, feature: Feature, row: &[i128]) -> i128 {
        match feature {
            Feature::One => 1,
            Feature::Value(at) => row[at],
            // The product of two numbers of 64 bits may need 128 without a sign; the type keeps the low 64 of them.
            Feature::Product(a, b) => self.infos[a].wrap(row[a].wrapping_mul(row[b])),
        }
    }

    fn is_small(&self, feature: Feature, row: &[i128]) -> bool {
        match feature {
            Feature::Product(a, b) => row[a]
                .checked_mul(row[b])
                .is_some_and(|product| product.abs() <= SMALL_PRODUCT),
            _ => self.number(feature, row).abs() <= SMALL,
        }
    }

    /// The factors of features of which the sum is a column in some rows, as the machine computes; `None` if there are none, or if the rows are too few to tell: they have to be
    /// `surplus` more than the factors.
    pub fn equation(&self, rows: &[usize], features: &[Feature], target: usize, surplus: usize) -> Option<Vec<i128>> {
        let mut equation = self.dependence(rows, features, target, surplus)?;
        let leading = equation.pop()?;
        self.solved(rows, features, (leading, target), &equation)
    }

    /// As [`Table::equation`], but a column among the features may be what is the sum, where the target is a fraction of it: the column, and the summands.
    pub fn relation(
        &self,
        rows: &[usize],
        features: &[Feature],
        target: usize,
        surplus: usize,
    ) -> Option<(usize, Vec<(i128, Feature)>)> {
        let equation = self.dependence(rows, features, target, surplus)?;
        let all: Vec<Feature> = features.iter().copied().chain([Feature::Value(target)]).collect();
        let solve = |at: usize| {
            let Feature::Value(column) = all[at] else { return None };
            let (mut others, mut factors) = (all.clone(), equation.clone());
            others.remove(at);
            factors.remove(at);
            let factors = self.solved(rows, &others, (equation[at], column), &factors)?;
            let summands = factors.into_iter().zip(others).filter(|(factor, _)| *factor != 0);
            Some((column, summands.collect()))
        };
        (0..all.len()).rev().find_map(solve)
    }

    /// The factors of features and of a column whose sum is 0 in the rows that have small numbers.
    fn dependence(&self, rows: &[usize], features: &[Feature], target: usize, surplus: usize) -> Option<Vec<i128>> {
        let mut hull = Hull::default();
        let mut points: BTreeSet<Vec<i128>> = BTreeSet::new();
        for row in rows.iter().map(|&row| &self.rows[row]) {
            if features.iter().all(|&feature| self.is_small(feature, row)) {
                let features = features.iter().map(|&feature| self.number(feature, row));
                points.insert(features.chain([row[target]]).collect());
            }
        }
        for point in &points {
            hull.add(point);
            if hull.is_free(features.len()) {
                return None;
            }
        }
        let equation = hull.equation(features.len(), features.len() + 1)?;
        let used = equation[..features.len()].iter().filter(|&&factor| factor != 0).count();
        (points.len() >= used.max(1) + surplus).then_some(equation)
    }

    /// The factors of features of which the sum is a column in some rows, from an equation in which the column has a factor; `None` if this is not 1 or -1, or the machine
    /// computes something else in a row.
    fn solved(
        &self,
        rows: &[usize],
        features: &[Feature],
        (leading, target): (i128, usize),
        equation: &[i128],
    ) -> Option<Vec<i128>> {
        if leading.abs() != 1 {
            return None;
        }
        let factors: Vec<i128> = equation.iter().map(|factor| -leading * factor).collect();
        let holds = |&row: &usize| self.holds(features, &factors, target, &self.rows[row]);
        rows.iter().all(holds).then_some(factors)
    }

    /// Whether the sum of features with factors is a column in a row.
    fn holds(&self, features: &[Feature], factors: &[i128], target: usize, row: &[i128]) -> bool {
        let summands = features.iter().zip(factors);
        let sum: Option<i128> = summands
            .map(|(&feature, &factor)| factor.checked_mul(self.number(feature, row)))
            .try_fold(0i128, |sum, summand| sum.checked_add(summand?));
        sum.is_some_and(|sum| self.infos[target].wrap(sum) == row[target])
    }

    /// The products of columns of one type, among a few.
    pub fn products(&self, columns: &[usize]) -> Vec<Feature> {
        let mut products = Vec::new();
        for (at, &a) in columns.iter().enumerate() {
            for &b in &columns[at..] {
                if self.infos[a] == self.infos[b] {
                    products.push(Feature::Product(a, b));
                }
            }
        }
        products
    }
}

/// A sequence continued to a length by a linear recurrence in each component, of at most two earlier elements; `None` if it has none.
pub fn continued(sequence: &[Vec<i128>], length: usize, info: IntInfo) -> Option<Vec<Vec<i128>>> {
    const FEWEST: usize = 5;
    if sequence.len() < FEWEST {
        return None;
    }
    let components = sequence[0].len();
    let mut recurrences = Vec::new();
    for component in 0..components {
        let mut hull = Hull::default();
        for window in sequence.windows(3) {
            let [a, b, c] = [0, 1, 2].map(|at: usize| window[at][component]);
            hull.add(&[1, a, b, c]);
        }
        let equation = hull.equation(3, 4)?;
        let [constant, second, first, leading] = equation[..] else {
            return None;
        };
        if leading.abs() != 1 {
            return None;
        }
        recurrences.push([constant, second, first].map(|factor| -leading * factor));
    }
    let mut all = sequence.to_vec();
    while all.len() < length {
        let (earlier, last) = (&all[all.len() - 2], &all[all.len() - 1]);
        let next = recurrences
            .iter()
            .enumerate()
            .map(|(component, [constant, second, first])| {
                let sum = constant + second * earlier[component] + first * last[component];
                // The first component is a constant, the others are factors.
                if component == 0 { info.wrap(sum) } else { sum }
            });
        let next: Vec<i128> = next.collect();
        if next.iter().any(|number| number.abs() > 1 << 64) {
            return None;
        }
        all.push(next);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::{Feature, Table, continued};
    use crate::frontend::types::IntInfo;

    const INT: IntInfo = IntInfo {
        width: 32,
        signed: true,
    };

    #[test]
    fn products_of_large_numbers_are_those_of_the_machine() {
        let largest = i128::from(u64::MAX);
        let info = IntInfo {
            width: 64,
            signed: false,
        };
        let table = Table {
            columns: Vec::new(),
            causes: 2,
            infos: vec![info; 2],
            rows: vec![vec![largest, largest], vec![3, largest]],
        };
        let product = Feature::Product(0, 1);
        let numbers = [0, 1].map(|row: usize| table.number(product, &table.rows[row]));
        assert_eq!(numbers, [1, i128::from(u64::MAX - 2)]);
        assert!(!table.is_small(product, &table.rows[0]));
    }

    #[test]
    fn sequences_go_on_as_they_began() {
        let fibonacci: Vec<Vec<i128>> = [1, 1, 2, 3, 5, 8, 13].map(|number| vec![number]).to_vec();
        let all = continued(&fibonacci, 47, INT).expect("it has a recurrence");
        assert_eq!(all[45], [1_836_311_903]);
        assert_eq!(all[46], [2_971_215_073 - (1 << 32)]);
        let steps: Vec<Vec<i128>> = (0..6).map(|n| vec![(1 << n) - 1, 1]).collect();
        let all = continued(&steps, 32, INT).expect("it has a recurrence");
        assert_eq!(all[31], [i128::from(i32::MAX), 1]);
        let primes: Vec<Vec<i128>> = [2, 3, 5, 7, 11, 13, 17].map(|number| vec![number]).to_vec();
        assert_eq!(continued(&primes, 9, INT), None);
    }
}
