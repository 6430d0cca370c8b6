//! Results of operations and their operands tell each other what they know.
//!
//! The memo says *this operation on these values is that value*. Where the operation does not wrap, the interval of its result follows from those of its
//! operands, and the interval of an operand from those of the result and of the other operand, as in the revising of constraints by Benhamou, Goualard, Granvilliers, Puget,
//! "Revising hull and box consistency", ICLP 1999. So a branch on `x >> 8` narrows `x`, and a result is a number as soon as its operands are.
//!
//! All of it is implied by what the state says already: to leave something out loses precision only.

use super::State;
use crate::cfa::BinOp;
use crate::explicit::Value;
use crate::explicit::value::arith::{bounds, number};
use crate::explicit::value::memo::{Element, Known, Operation};
use crate::explicit::value::sum::Sum;
use crate::explicit::value::symbol::{Linear, SymbolId};
use crate::explicit::value::word::{Bit, Word};
use crate::frontend::types::IntInfo;

type Interval = (i128, i128);

/// Operations that are compared with each other, the latest ones.
const MAX_COMPARED_OPERATIONS: usize = 64;

impl State {
    /// Narrows operands and results of all operations that are remembered. False if one of them cannot be what it is.
    #[must_use]
    pub fn settle_results(&mut self) -> bool {
        if self.memo.is_empty() {
            return true;
        }
        let memo = self.memo.clone();
        // Operands are older than results: one pass each way carries everything through a chain of operations.
        let back = memo.iter().rev().all(|(known, result)| self.narrow(known, *result));
        back && memo.iter().all(|(known, result)| self.narrow(known, *result))
    }

    /// Equal operations have equal results: narrows those of operations that have become equal. False if two of them cannot be equal.
    #[must_use]
    pub fn settle_equal_operations(&mut self) -> bool {
        let memo = self.memo.clone();
        let operations = memo.iter().rev().filter_map(|(known, result)| match known {
            Known::Result(operation) => Some((*operation, *result)),
            _ => None,
        });
        let operations: Vec<(Operation, SymbolId)> = operations.take(MAX_COMPARED_OPERATIONS).collect();
        operations.iter().enumerate().all(|(i, &(operation, result))| {
            operations[..i].iter().all(|&(other, of_other)| {
                let settled = |value, width| self.settled(value, width);
                if result == of_other || result.info() != of_other.info() || !operation.equals(other, settled) {
                    return true;
                }
                let (a, b) = (self.interval_of(result), self.interval_of(of_other));
                self.narrow_symbol(result, b) && self.narrow_symbol(of_other, a)
            })
        })
    }

    fn narrow(&mut self, known: &Known, result: SymbolId) -> bool {
        if known.width() != result.info().width {
            return true;
        }
        if let Some(bits) = known.computed(|value, width| self.settled(value, width)) {
            let value = number(bits, result.info());
            return self.narrow_symbol(result, (value, value));
        }
        match known {
            Known::Result(operation) => self.narrow_operation(*operation, result),
            Known::Bits(word) => self.narrow_bits(word, self.interval_of(result)),
            Known::Element(element) => self.narrow_index(element, result),
            Known::Sum(sum) => self.narrow_sum(sum, result),
            Known::Function(_) => true,
        }
    }

    fn narrow_sum(&mut self, sum: &Sum, result: SymbolId) -> bool {
        let revised = sum.revised(result.info(), |id| self.interval_of(id), self.interval_of(result));
        let Some((whole, terms)) = revised else { return true };
        self.narrow_symbol(result, whole) && terms.into_iter().all(|(id, interval)| self.narrow_symbol(id, interval))
    }

    /// The index of an element is one of those whose elements the result may be.
    fn narrow_index(&mut self, element: &Element, result: SymbolId) -> bool {
        let ((lo, hi), (least, greatest)) = (self.interval_of(element.index), self.interval_of(result));
        let fits = |&(index, value): &(i128, i128)| lo <= index && index <= hi && least <= value && value <= greatest;
        let values = element.values.iter().map(|&bits| number(bits, element.info));
        let mut possible = (element.first..).zip(values).filter(fits);
        let Some((first, _)) = possible.next() else {
            return false;
        };
        let last = possible.last().map_or(first, |(last, _)| last);
        self.narrow_symbol(element.index, (first, last))
    }

    fn interval_of(&self, id: SymbolId) -> Interval {
        let (root, distance) = self.facts.root(id);
        let (lo, hi) = self.facts.range(root);
        (lo + distance, hi + distance)
    }

    fn narrow_symbol(&mut self, id: SymbolId, (lo, hi): Interval) -> bool {
        let (root, distance) = self.facts.root(id);
        self.facts.restrict(root, lo - distance, hi - distance)
    }

    /// The interval of a value's number, and the symbol with the constant that is added to it.
    fn operand(&self, value: Value, info: IntInfo) -> Option<(Interval, Option<(SymbolId, i128)>)> {
        match self.settled(value, info.width) {
            Value::Bits(bits) => Some(((number(bits, info), number(bits, info)), None)),
            Value::Symbol { id, plus } => match self.facts.linear(id, plus, info) {
                Linear::Exact(constant) => {
                    let (lo, hi) = self.facts.range(id);
                    Some(((lo + constant, hi + constant), Some((id, constant))))
                }
                Linear::Cut(_) | Linear::Many => None,
            },
            Value::Pointer { .. } | Value::Unknown => None,
        }
    }

    fn narrow_operation(&mut self, operation: Operation, result: SymbolId) -> bool {
        let info = operation.info();
        let (op, [a, b]) = operation.parts();
        let (Some((x, left)), Some((y, right))) = (self.operand(a, info), self.operand(b, info)) else {
            return true;
        };
        let Some((r, x, y)) = revised(op, x, y, self.interval_of(result), info) else {
            return true;
        };
        let operands = [(left, x), (right, y)];
        self.narrow_symbol(result, r)
            && operands.into_iter().all(|(operand, (lo, hi))| match operand {
                Some((id, constant)) => self.facts.restrict(id, lo - constant, hi - constant),
                None => lo <= hi,
            })
    }

    /// The upper bits of symbols follow from those of a number that consists of them: from those that are the same in its whole interval.
    fn narrow_bits(&mut self, word: &Word, (from, to): Interval) -> bool {
        let varying = usize::try_from(i128::BITS - (from ^ to).leading_zeros()).expect("at most 128");
        if varying >= word.bits().len() {
            return true;
        }
        let mut symbols: Vec<SymbolId> = word.symbols().collect();
        symbols.dedup();
        symbols.into_iter().all(|id| {
            let (lo, hi) = self.interval_of(id);
            if lo < 0 {
                return true;
            }
            let known = |at: u32| {
                let mut places = word.bits().iter().enumerate().skip(varying);
                places.find_map(|(place, bit)| match *bit {
                    Bit::Of(of, bit, negated) if of == id && bit == at => Some((from >> place & 1 == 1) != negated),
                    _ => None,
                })
            };
            let (mut least, mut open) = (0, i128::BITS - hi.leading_zeros());
            while open > 0 {
                let Some(bit) = known(open - 1) else { break };
                open -= 1;
                least |= i128::from(bit) << open;
            }
            self.narrow_symbol(id, (least, least + (1 << open) - 1))
        })
    }
}

/// The intervals of the result and the operands of an operation, as far as they follow from each other. `None` if the operation may wrap or is not
/// monotone.
fn revised(op: BinOp, x: Interval, y: Interval, r: Interval, info: IntInfo) -> Option<(Interval, Interval, Interval)> {
    let (least, greatest) = bounds(info);
    let fits = |(lo, hi): Interval| (least <= lo && hi <= greatest).then_some((lo, hi));
    let meet = |a: Interval, b: Interval| (a.0.max(b.0), a.1.min(b.1));
    let number = |(lo, hi): Interval| (lo == hi).then_some(lo);
    let scale = |at: i128| {
        u32::try_from(at)
            .ok()
            .filter(|at| *at < info.width)
            .map(|at| 1i128 << at)
    };
    match op {
        BinOp::Add => {
            let r = meet(r, fits((x.0 + y.0, x.1 + y.1))?);
            Some((r, (r.0 - y.1, r.1 - y.0), (r.0 - x.1, r.1 - x.0)))
        }
        BinOp::Sub => {
            let r = meet(r, fits((x.0 - y.1, x.1 - y.0))?);
            Some((r, (r.0 + y.0, r.1 + y.1), (x.0 - r.1, x.1 - r.0)))
        }
        BinOp::Mul if number(x).is_some() && number(y).is_none() => {
            let (r, y, x) = revised(op, y, x, r, info)?;
            Some((r, x, y))
        }
        BinOp::Mul | BinOp::Shl => {
            let factor = match op {
                BinOp::Mul => number(y)?,
                _ => scale(number(y)?)?,
            };
            if factor <= 0 || x.0 < i128::from(i64::MIN) || x.1 > i128::from(u64::MAX) || factor > greatest {
                return None;
            }
            let r = meet(r, fits((x.0.checked_mul(factor)?, x.1.checked_mul(factor)?))?);
            let back = (-(-r.0).div_euclid(factor), r.1.div_euclid(factor));
            Some((r, back, y))
        }
        BinOp::Div | BinOp::Shr => {
            let divisor = match op {
                BinOp::Div => number(y)?,
                _ => scale(number(y)?)?,
            };
            if divisor <= 0 || x.0 < 0 {
                return None;
            }
            let r = meet(r, (x.0 / divisor, x.1 / divisor));
            Some((
                r,
                (r.0.checked_mul(divisor)?, r.1.checked_mul(divisor)? + divisor - 1),
                y,
            ))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All operations of numbers of four bits stay possible, and a wrapping one tells nothing.
    #[test]
    fn what_happens_is_never_excluded() {
        let within = |(lo, hi): Interval, n: i128| lo <= n && n <= hi;
        for signed in [false, true] {
            let info = IntInfo { width: 4, signed };
            let (least, greatest) = bounds(info);
            let intervals = || (least..=greatest).flat_map(|lo| (lo..=greatest.min(lo + 5)).map(move |hi| (lo, hi)));
            for op in [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Shl, BinOp::Div, BinOp::Shr] {
                for (x, y) in intervals().flat_map(|x| intervals().map(move |y| (x, y))) {
                    let Some((r, p, q)) = revised(op, x, y, (least, greatest), info) else {
                        continue;
                    };
                    for (a, b) in (x.0..=x.1).flat_map(|a| (y.0..=y.1).map(move |b| (a, b))) {
                        let bits = |n: i128| crate::explicit::value::arith::pattern(n, info);
                        let result = crate::explicit::value::arith::binary(op, bits(a), bits(b), info, info);
                        let Some(result) = result else { continue };
                        let result = number(result, info);
                        assert!(
                            within(r, result) && within(p, a) && within(q, b),
                            "{a} {op:?} {b}: {r:?} {p:?} {q:?}"
                        );
                        let narrow =
                            revised(op, x, y, (result, result), info).expect("it does not depend on the result");
                        assert!(
                            within(narrow.1, a) && within(narrow.2, b),
                            "{a} {op:?} {b} = {result}: {narrow:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_result_narrows_its_operand() {
        let info = IntInfo {
            width: 32,
            signed: false,
        };
        let whole = bounds(info);
        assert_eq!(revised(BinOp::Shr, whole, (8, 8), (0, 3), info).unwrap().1, (0, 0x3ff));
        assert_eq!(revised(BinOp::Mul, (0, 9), (8, 8), (13, 30), info).unwrap().1, (2, 3));
        assert_eq!(revised(BinOp::Sub, (3, 3), (0, 3), (1, 1), info).unwrap().2, (2, 2));
        assert_eq!(revised(BinOp::Add, whole, (1, 1), whole, info), None);
    }
}
