//! Repair: inputs for which the operations of a path have the results that the path needs.
//!
//! A path has an interval for each input, and for each result of an operation without exact form. But the two are not connected, so inputs that are
//! chosen one by one rarely give the results that the path needs. Here the operations are computed from the inputs. Where a result is outside of its
//! interval, the search changes an input: most operations are monotone in each operand, so bisection over the range of the input finds a value.
//!
//! Nothing depends on success: the replay judges the inputs.
//!
//! Cost: some hundred evaluations of the path's operations for each result that is mended.

use crate::cfa::program::math::{Operand, Shape, evaluate};
use crate::explicit::Value;
use crate::explicit::step::floating::pattern;
use crate::explicit::value::arith;
use crate::explicit::value::arith::{mask, number};
use crate::explicit::value::memo::{Application, Known, Memo, Operation};
use crate::explicit::value::symbol::{Facts, SymbolId, instance};
use crate::frontend::types::IntInfo;
use crate::frontend::types::float::Format;
use provident_smt::hash::FxHashMap;

/// Results that are mended at most, one after the other.
const MAX_ROUNDS: usize = 24;

/// How a result is computed.
enum Rule {
    Function(Application),
    Operation(Operation),
}

/// The operations of a path, operands before results.
pub struct Repair<'a> {
    facts: &'a Facts,
    rules: Vec<(SymbolId, Rule)>,
}

type Values = FxHashMap<SymbolId, i128>;

impl<'a> Repair<'a> {
    /// The operations that a path has noted.
    pub fn new(facts: &'a Facts, memo: &Memo, functions: &[(Application, SymbolId)]) -> Repair<'a> {
        let mut rules: Vec<(SymbolId, Rule)> = Vec::new();
        for (known, result) in memo.iter() {
            if let Known::Result(operation) = known {
                rules.push((*result, Rule::Operation(*operation)));
            }
        }
        for (application, result) in functions {
            rules.push((*result, Rule::Function(application.clone())));
        }
        // Symbols are numbered as they come.
        rules.sort_by_key(|(id, _)| *id);
        Repair { facts, rules }
    }

    /// Changes values of inputs, by their roots, until all results are what the path says, as far as that is found.
    pub fn mend(&self, inputs: &[SymbolId], values: &mut Values) {
        if !self.rules.iter().any(|(_, rule)| matches!(rule, Rule::Function(_))) {
            return;
        }
        for _ in 0..MAX_ROUNDS {
            let Some(wrong) = self.first_wrong(values) else { return };
            let mended = inputs.iter().rev().any(|&input| self.bisect(input, wrong, values));
            if !mended {
                return;
            }
        }
    }

    /// The position of the first result that is not what the path says.
    fn first_wrong(&self, values: &Values) -> Option<usize> {
        let mut known = values.clone();
        for (at, (id, rule)) in self.rules.iter().enumerate() {
            let result = self.compute(rule, &known);
            if let Some(result) = result
                && self.distance(*id, result, &known) != Some(0)
            {
                return Some(at);
            }
            if let (Some(result), (root, _)) = (result, self.facts.root(*id)) {
                let distance = self.facts.root(*id).1;
                known.entry(root).or_insert(result - distance);
            }
        }
        None
    }

    /// How far the result at a position is from what the path says, if an input has a value: below, above, or 0.
    fn try_value(&self, input: SymbolId, value: i128, wrong: usize, values: &Values) -> Option<i128> {
        let mut known = values.clone();
        known.insert(input, value);
        for (at, (id, rule)) in self.rules[..=wrong].iter().enumerate() {
            let result = self.compute(rule, &known)?;
            let distance = self.distance(*id, result, &known)?;
            if at == wrong {
                return Some(distance);
            }
            if distance != 0 {
                return None;
            }
            let (root, plus) = self.facts.root(*id);
            known.entry(root).or_insert(result - plus);
        }
        None
    }

    /// Looks for a value of an input with which the result is right.
    fn bisect(&self, input: SymbolId, wrong: usize, values: &mut Values) -> bool {
        let (mut lo, mut hi) = self.facts.range(input);
        let at = |value| self.try_value(input, value, wrong, values);
        let found = |value, values: &mut Values| {
            values.insert(input, value);
            true
        };
        let (Some(low), Some(high)) = (at(lo), at(hi)) else {
            return false;
        };
        if low == 0 {
            return found(lo, values);
        }
        if high == 0 {
            return found(hi, values);
        }
        if (low < 0) == (high < 0) {
            return false;
        }
        while lo + 1 < hi {
            let middle = lo + (hi - lo) / 2;
            match at(middle) {
                Some(0) => return found(middle, values),
                Some(distance) if (distance < 0) == (low < 0) => lo = middle,
                Some(_) => hi = middle,
                None => return false,
            }
        }
        false
    }

    /// How far a result is from what the path says of its symbol: below 0 if it is too small.
    fn distance(&self, id: SymbolId, result: i128, known: &Values) -> Option<i128> {
        let (root, plus) = self.facts.root(id);
        let (lo, hi) = match known.get(&root) {
            Some(value) if root != id => (value + plus, value + plus),
            _ => {
                let (lo, hi) = self.facts.range(root);
                (lo + plus, hi + plus)
            }
        };
        // Patterns of negative numbers go the other way, and lie above those of positive ones.
        let format = self.rules.iter().find_map(|(other, rule)| match rule {
            Rule::Function(application) if *other == id => match application.result {
                Shape::Float(format) => Some(format),
                Shape::Int(_) => None,
            },
            _ => None,
        });
        let key = |value: i128| format.map_or(value, |format| key(format, value));
        let (value, a, b) = (key(result), key(lo), key(hi));
        let (least, greatest) = (a.min(b), a.max(b));
        Some(if value < least {
            value - least
        } else if value > greatest {
            value - greatest
        } else {
            0
        })
    }

    fn compute(&self, rule: &Rule, known: &Values) -> Option<i128> {
        match rule {
            Rule::Function(application) => {
                let operands = application.operands.iter().map(|&(value, shape)| {
                    let bits = self.bits(value, shape.width(), known)?;
                    Some(Operand {
                        bits: bits.into(),
                        shape,
                    })
                });
                let operands: Option<Vec<Operand>> = operands.collect();
                let bits = evaluate(application.op, &operands?, application.result)?;
                let bits = u64::try_from(bits).ok()?;
                Some(number(bits, info_of(application.result)))
            }
            Rule::Operation(operation) => {
                let info = operation.info();
                let (op, [a, b]) = operation.parts();
                let (x, y) = (self.bits(a, info.width, known)?, self.bits(b, info.width, known)?);
                arith::binary(op, x, y, info, info).map(|bits| number(bits, info))
            }
        }
    }

    fn bits(&self, value: Value, width: u32, known: &Values) -> Option<u64> {
        match value {
            Value::Bits(bits) => Some(bits & mask(width)),
            Value::Symbol { id, plus } => {
                let (root, distance) = self.facts.root(id);
                let value = known.get(&root).copied().or_else(|| self.facts.pinned(root))?;
                Some(instance(value + distance, plus, width))
            }
            Value::Pointer { .. } | Value::Unknown => None,
        }
    }
}

fn info_of(shape: Shape) -> IntInfo {
    match shape {
        Shape::Int(info) => info,
        Shape::Float(format) => pattern(format),
    }
}

/// A number that is ordered as the value of a pattern is.
fn key(format: Format, value: i128) -> i128 {
    let sign = format.sign().cast_signed();
    if value >= sign { sign - value } else { value }
}
