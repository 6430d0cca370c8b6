//! Guesses about single scalars, and about some of them together.

use super::affine::Hull;
use super::{Guesses, Writer};
use crate::cfa::{FuncId, Program};
use crate::explicit::state::assertion::{Assertion, Cell, Derived, Literal};
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// A scalar with more values does not separate cases.
const MAX_CASES: usize = 64;
/// The most scalars that separate cases.
const MAX_COUNTERS: usize = 1;
/// More numbers and answers are not looked at together.
const MAX_COLUMNS: usize = 48;

/// The facts of a state, by scalars.
struct Sample {
    /// The scalars whose values are numbers.
    numbers: BTreeMap<Cell, i128>,
    /// Least and greatest values, where both are known.
    bounds: BTreeMap<Cell, (i128, i128)>,
    /// Whether a scalar, or a function of it, is 0, where that is known.
    is_zero: BTreeMap<Cell, bool>,
}

impl Sample {
    fn new(assertion: &Assertion) -> Sample {
        let mut sample = Sample {
            numbers: BTreeMap::new(),
            bounds: BTreeMap::new(),
            is_zero: BTreeMap::new(),
        };
        for literal in &assertion.literals {
            match *literal {
                Literal::Is(cell, number) => {
                    if cell.derived == Derived::Itself {
                        sample.numbers.insert(cell, number);
                        sample.bounds.insert(cell, (number, number));
                    }
                    sample.is_zero.insert(cell, number == 0);
                }
                Literal::Within(cell, lo, hi) => {
                    if cell.derived == Derived::Itself {
                        sample.bounds.insert(cell, (lo, hi));
                    }
                    if lo > 0 || hi < 0 {
                        sample.is_zero.insert(cell, false);
                    }
                }
                Literal::Not(cell, 0) => drop(sample.is_zero.insert(cell, false)),
                Literal::Not(..)
                | Literal::Distance(..)
                | Literal::Turned(..)
                | Literal::AtMost(..)
                | Literal::Differs(..)
                | Literal::Sum(..)
                | Literal::Congruent(..) => {}
            }
        }
        sample
    }
}

/// A column of the table that samples make.
#[derive(Clone, Copy)]
enum Column {
    One,
    IsZero(Cell),
    Number(Cell),
}

impl Column {
    fn of(self, sample: &Sample) -> i128 {
        match self {
            Column::One => 1,
            Column::IsZero(cell) => i128::from(sample.is_zero[&cell]),
            Column::Number(cell) => sample.numbers[&cell],
        }
    }
}

/// Guesses from the states of a place in a function.
pub(super) fn guess(
    writer: &mut Writer<'_, '_>,
    place: FuncId,
    assertions: &BTreeSet<Assertion>,
    guesses: &mut Guesses,
) {
    let samples: Vec<Sample> = assertions.iter().map(Sample::new).collect();
    let all: Vec<&Sample> = samples.iter().collect();
    bounds(writer, &all, guesses);
    let always = shared(assertions.iter());
    for literal in &always {
        guesses.plain.extend(said(writer, literal));
    }
    let settled = equations(writer, &all, None, guesses);
    for counter in counters(writer.encoder.program(), place, &all) {
        let mut cases: BTreeMap<i128, Vec<(&Sample, &Assertion)>> = BTreeMap::new();
        for (sample, assertion) in samples.iter().zip(assertions) {
            cases
                .entry(sample.numbers[&counter])
                .or_default()
                .push((sample, assertion));
        }
        for (value, states) in cases {
            let samples: Vec<&Sample> = states.iter().map(|(sample, _)| *sample).collect();
            equations(writer, &samples, Some((counter, value, &settled)), guesses);
            for literal in shared(states.iter().map(|(_, assertion)| *assertion)) {
                let formula = said(writer, &literal).filter(|_| always.binary_search(&literal).is_err());
                guesses
                    .plain
                    .extend(formula.and_then(|formula| in_case(writer, (counter, value), formula)));
            }
        }
    }
}

/// A formula, if a scalar has a value.
fn in_case(writer: &mut Writer<'_, '_>, (counter, value): (Cell, i128), formula: TermId) -> Option<TermId> {
    let (counter, value) = (writer.cell(counter)?, writer.number(value));
    let premise = writer.pool.eq(counter, value);
    Some(writer.pool.implies(premise, formula))
}

/// The formula of a literal, if it has a form in the encoding.
fn said(writer: &mut Writer<'_, '_>, literal: &Literal) -> Option<TermId> {
    let formula = writer.fact(literal);
    (formula != writer.pool.mk_true()).then_some(formula)
}

/// The cells about which every sample has a fact.
fn common<V>(samples: &[&Sample], of: impl Fn(&Sample) -> &BTreeMap<Cell, V>) -> Vec<Cell> {
    let Some((first, rest)) = samples.split_first() else {
        return Vec::new();
    };
    let cells = of(first).keys();
    let cells = cells.filter(|cell| rest.iter().all(|sample| of(sample).contains_key(cell)));
    cells.copied().collect()
}

fn bounds(writer: &mut Writer<'_, '_>, samples: &[&Sample], guesses: &mut Guesses) {
    for cell in common(samples, |sample| &sample.bounds) {
        let lo = samples.iter().map(|sample| sample.bounds[&cell].0).min();
        let hi = samples.iter().map(|sample| sample.bounds[&cell].1).max();
        let hi = if planted("guessed-bound") {
            hi.map(|hi| hi - 1)
        } else {
            hi
        };
        let (Some(term), Some(lo), Some(hi)) = (writer.cell(cell), lo, hi) else {
            continue;
        };
        let (lo, hi) = (writer.number(lo), writer.number(hi));
        if lo == hi {
            guesses.plain.push(writer.pool.eq(term, lo));
            continue;
        }
        guesses.plain.push(writer.pool.le(lo, term));
        guesses.plain.push(writer.pool.le(term, hi));
    }
}

/// The conjuncts that all states have, other than bounds, sorted.
fn shared<'a>(mut assertions: impl Iterator<Item = &'a Assertion>) -> Vec<Literal> {
    let Some(first) = assertions.next() else {
        return Vec::new();
    };
    let is_bound = |literal: &Literal| matches!(literal, Literal::Is(cell, _) | Literal::Within(cell, ..) if cell.derived == Derived::Itself);
    let mut literals: Vec<Literal> = first.literals.iter().filter(|l| !is_bound(l)).cloned().collect();
    for assertion in assertions {
        if literals.is_empty() {
            break;
        }
        literals.retain(|literal| assertion.literals.binary_search(literal).is_ok());
    }
    literals
}

/// The scalars with few values: those of the place's own function first, and those with the fewest values.
fn counters(program: &Program, place: FuncId, samples: &[&Sample]) -> Vec<Cell> {
    let mut found: Vec<(bool, usize, Cell)> = Vec::new();
    for cell in common(samples, |sample| &sample.numbers) {
        let mut values = BTreeSet::new();
        let is_few = samples.iter().all(|sample| {
            values.insert(sample.numbers[&cell]);
            values.len() <= MAX_CASES
        });
        if is_few && values.len() > 1 {
            let is_own = program.var(cell.var).func == Some(place);
            found.push((!is_own, values.len(), cell));
        }
    }
    found.sort_unstable();
    found.into_iter().take(MAX_COUNTERS).map(|(_, _, cell)| cell).collect()
}

/// Linear equations for the numbers of samples, in terms of answers to questions and other numbers. With a case they are those of samples in which a counter has a value, and are
/// not sought for cells that have one anyway. Returns the cells that have one.
fn equations(
    writer: &mut Writer<'_, '_>,
    samples: &[&Sample],
    case: Option<(Cell, i128, &BTreeSet<Cell>)>,
    guesses: &mut Guesses,
) -> BTreeSet<Cell> {
    let numbers = common(samples, |sample| &sample.numbers);
    let answers = common(samples, |sample| &sample.is_zero);
    let answers = answers.into_iter().filter(|cell| numbers.binary_search(cell).is_err());
    let mut columns = vec![Column::One];
    columns.extend(answers.map(Column::IsZero));
    let is_wanted = |cell: &Cell| case.as_ref().is_none_or(|(counter, ..)| cell != counter);
    columns.extend(numbers.into_iter().filter(is_wanted).map(Column::Number));
    let mut found = BTreeSet::new();
    if columns.len() > MAX_COLUMNS {
        return found;
    }
    let mut hull = Hull::default();
    for sample in samples {
        let point: Vec<i128> = columns.iter().map(|column| column.of(sample)).collect();
        hull.add(&point);
    }
    for (position, column) in columns.iter().enumerate() {
        let Column::Number(cell) = *column else { continue };
        if case.as_ref().is_some_and(|(_, _, settled)| settled.contains(&cell)) {
            continue;
        }
        let Some(equation) = hull.equation(position, columns.len()) else {
            continue;
        };
        // Of a single sample every number is a constant: that says something in a case only, as bounds say it otherwise.
        let is_constant = equation[1..].iter().filter(|&&coefficient| coefficient != 0).count() == 1;
        found.insert(cell);
        if is_constant && case.is_none() {
            continue;
        }
        let Some(formula) = equality(writer, &columns, &equation) else {
            continue;
        };
        let guess = match case {
            None => Some(formula),
            Some((counter, value, _)) => in_case(writer, (counter, value), formula),
        };
        guesses.plain.extend(guess);
    }
    found
}

/// The equation that the sum of columns with coefficients is 0; `None` if one of them has no form in the encoding.
fn equality(writer: &mut Writer<'_, '_>, columns: &[Column], coefficients: &[i128]) -> Option<TermId> {
    let mut monomials = Vec::new();
    for (&column, &coefficient) in columns.iter().zip(coefficients) {
        if coefficient == 0 {
            continue;
        }
        let term = match column {
            Column::One => writer.number(1),
            Column::Number(cell) => writer.cell(cell)?,
            Column::IsZero(cell) => {
                let (cell, zero, one) = (writer.cell(cell)?, writer.number(0), writer.number(1));
                let is_zero = writer.pool.eq(cell, zero);
                writer.pool.ite(is_zero, one, zero)
            }
        };
        monomials.push((Int::from(coefficient), term));
    }
    let plus = if planted("guessed-equation") {
        Int::ONE
    } else {
        Int::ZERO
    };
    let sum = writer.pool.linear(&monomials, plus);
    Some(writer.pool.eq_zero(sum))
}
