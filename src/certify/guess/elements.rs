//! Guesses about all elements of an array between two bounds.
//!
//! In every state that was looked at an array is a sequence of runs of equal elements. Where such runs have the same content in several states, their
//! ends are sought as a number, or as a linear expression in one scalar, that fits all of these states. A statement that then holds in all other states too, where the bounds may
//! cross, is a guess: *for every number between the bounds the element of that number is so and so*.

use super::{Guesses, Writer};
use crate::certify::certificate::INDEX;
use crate::explicit::state::assertion::{Assertion, Cell, Derived, Literal};
use crate::explicit::state::segments::{Base, Content, Row, Run};
use crate::frontend::types::IntInfo;
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// Expressions that are tried for one end of a run.
const MAX_ENDS: usize = 4;
/// Coefficients of the scalar in such an expression.
const MAX_FACTOR: i128 = 64;

/// The end of a run: a number, or a multiple of a scalar plus a number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct End {
    scalar: Option<(Cell, i128)>,
    plus: i128,
}

impl End {
    fn at(&self, numbers: &BTreeMap<Cell, i128>) -> Option<i128> {
        match self.scalar {
            None => Some(self.plus),
            Some((cell, factor)) => numbers.get(&cell)?.checked_mul(factor)?.checked_add(self.plus),
        }
    }
}

/// An array in a state: the numbers that scalars have in that state, and the runs.
struct Seen<'r> {
    numbers: BTreeMap<Cell, i128>,
    runs: &'r [Run],
}

/// Guesses from the states of a place, each with its arrays.
pub(super) fn guess(writer: &mut Writer<'_, '_>, states: &[(Assertion, Vec<Row>)], guesses: &mut Guesses) {
    let mut arrays: BTreeMap<Base, (IntInfo, Vec<Seen<'_>>)> = BTreeMap::new();
    for (assertion, rows) in states {
        let number = |literal: &Literal| match *literal {
            Literal::Is(cell, number) if cell.derived == Derived::Itself => Some((cell, number)),
            _ => None,
        };
        let numbers: BTreeMap<Cell, i128> = assertion.literals.iter().filter_map(number).collect();
        for row in rows {
            let seen = Seen {
                numbers: numbers.clone(),
                runs: &row.runs,
            };
            let (_, all) = arrays.entry(row.base).or_insert_with(|| (row.info, Vec::new()));
            all.push(seen);
        }
    }
    for (base, (info, seen)) in arrays {
        // An array that is not always there, or not always in few runs, is not spoken of.
        if seen.len() < states.len() {
            continue;
        }
        for (content, start, end) in ranges(&seen) {
            if let Some(formula) = statement(writer, (base, info), content, start, end) {
                guesses.each.push(formula);
            }
        }
    }
}

/// The contents with ends between which all elements have them, in all states.
fn ranges(seen: &[Seen<'_>]) -> BTreeSet<(Content, End, End)> {
    // States whose runs have the same contents in the same order.
    let mut alike: BTreeMap<Vec<Option<Content>>, Vec<&Seen<'_>>> = BTreeMap::new();
    for one in seen {
        let contents = one.runs.iter().map(|run| run.content).collect();
        alike.entry(contents).or_default().push(one);
    }
    let mut found = BTreeSet::new();
    for (contents, states) in &alike {
        for (position, content) in contents.iter().enumerate() {
            let Some(content) = *content else { continue };
            let starts = ends(states, |one| one.runs[position].start);
            let stops = ends(states, |one| one.runs[position].end);
            for &start in &starts {
                for &end in &stops {
                    if seen.iter().all(|one| one.has(content, start, end)) {
                        found.insert((content, start, end));
                    }
                }
            }
        }
    }
    found
}

/// Expressions for a number that each of the states has.
fn ends(states: &[&Seen<'_>], of: impl Fn(&Seen<'_>) -> u64) -> Vec<End> {
    let values: Vec<i128> = states.iter().map(|one| i128::from(of(one))).collect();
    let Some(&first) = values.first() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let Some(other) = values.iter().position(|&value| value != first) else {
        found.push(End {
            scalar: None,
            plus: first,
        });
        return found;
    };
    for (&cell, &here) in &states[0].numbers {
        let Some(&there) = states[other].numbers.get(&cell) else {
            continue;
        };
        let (run, rise) = (there - here, values[other] - first);
        if run == 0 || rise % run != 0 || (rise / run).abs() > MAX_FACTOR {
            continue;
        }
        let factor = rise / run;
        let end = End {
            scalar: Some((cell, factor)),
            plus: first - factor * here,
        };
        let fits = |(one, &value): (&&Seen<'_>, &i128)| end.at(&one.numbers) == Some(value);
        if found.len() < MAX_ENDS && states.iter().zip(&values).all(fits) {
            found.push(end);
        }
    }
    found
}

impl Seen<'_> {
    /// Whether all elements between two ends have a content; there may be none.
    fn has(&self, content: Content, start: End, end: End) -> bool {
        let (Some(start), Some(end)) = (start.at(&self.numbers), end.at(&self.numbers)) else {
            return false;
        };
        let mut at = start;
        for run in self.runs {
            let (first, behind) = (i128::from(run.start), i128::from(run.end));
            if at < end && first <= at && at < behind {
                if run.content != Some(content) {
                    return false;
                }
                at = behind;
            }
        }
        at >= end
    }
}

/// The statement about every element between two ends, over [`INDEX`]; `None` if something has no form in the encoding.
fn statement(
    writer: &mut Writer<'_, '_>,
    (base, info): (Base, IntInfo),
    content: Content,
    start: End,
    end: End,
) -> Option<TermId> {
    let (region, address) = match base {
        Base::Variable(var, depth) => {
            let address = writer.encoder.program().address_at(var, depth)?;
            (writer.encoder.array_name(var)?, writer.number(i128::from(address)))
        }
        Base::Pointer(cell) => (writer.encoder.pointed_array_name(cell.var)?, writer.cell(cell)?),
    };
    let index = writer.pool.symbol(INDEX);
    let index = writer.pool.int_var(index, NO_INDEX);
    let (start, end) = (self::end(writer, start)?, self::end(writer, end)?);
    let bounds = match planted("guessed-elements") {
        true => [writer.pool.le(start, index), writer.pool.le(index, end)],
        false => [writer.pool.le(start, index), writer.pool.lt(index, end)],
    };
    let inside = writer.pool.and(&bounds);
    let offset = writer.pool.scale(&Int::from(i128::from(info.width / 8)), index);
    let address = writer.pool.add(address, offset);
    let region = writer.pool.symbol(&region);
    let element = writer.pool.app(region, NO_INDEX, &[address]);
    let value = match content {
        Content::Number(number) => writer.number(number),
        Content::Sum(cell, plus) => wrapped(writer, cell, plus, info)?,
    };
    let equal = writer.pool.eq(element, value);
    Some(writer.pool.implies(inside, equal))
}

fn end(writer: &mut Writer<'_, '_>, end: End) -> Option<TermId> {
    let plus = writer.number(end.plus);
    let Some((cell, factor)) = end.scalar else {
        return Some(plus);
    };
    let cell = writer.cell(cell)?;
    let multiple = writer.pool.scale(&Int::from(factor), cell);
    Some(writer.pool.add(multiple, plus))
}

/// The value of a scalar plus a number, wrapped around into the range of the type.
fn wrapped(writer: &mut Writer<'_, '_>, cell: Cell, plus: u64, info: IntInfo) -> Option<TermId> {
    let period = 1i128 << info.width;
    let (least, greatest) = match info.signed {
        true => (-period / 2, period / 2 - 1),
        false => (0, period - 1),
    };
    let cell = writer.cell(cell)?;
    let plus = i128::from(plus);
    // The distance of least magnitude leaves the range on one side only.
    let plus = if plus > period / 2 { plus - period } else { plus };
    let sum = {
        let plus = writer.number(plus);
        writer.pool.add(cell, plus)
    };
    let (limit, back) = match plus {
        0 => return Some(sum),
        1.. => (greatest, -period),
        _ => (least, period),
    };
    let (limit, back) = (writer.number(limit), writer.number(back));
    let around = writer.pool.add(sum, back);
    let is_outside = match plus > 0 {
        true => writer.pool.gt(sum, limit),
        false => writer.pool.lt(sum, limit),
    };
    Some(writer.pool.ite(is_outside, around, sum))
}
