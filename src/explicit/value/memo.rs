//! Results without an exact form that a path has computed, so that the same operation on the same operands gives the same symbol.
//!
//! An entry is a fact about a state: *this operation on these values is that value*. It stays true for ever, because symbols never change their
//! meaning. Only operations belong here whose result is a function of their operands: not a
//! division that may be one by zero, which gives another value each time.
//!
//! Results of operations that move bits have [words](super::word) instead, for any way to compute them. A word may also give the
//! origin of some bits of a result.

use super::arith::{binary, number};
use super::sum::Sum;
use super::symbol::SymbolId;
use super::word::{Bit, Word};
use crate::cfa::BinOp;
use crate::cfa::program::math::FunctionOp;
use crate::cfa::program::math::Shape;
use crate::explicit::Value;
use crate::frontend::types::IntInfo;
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Entries that are remembered; then the oldest one goes.
const MAX_ENTRIES: usize = 2048;

/// An operation on values, each of them concrete or symbolic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    op: BinOp,
    operands: [Value; 2],
    info: IntInfo,
}

impl Operation {
    /// The operation, if its result depends on nothing but the operands' numbers. `right` is the type of the right operand.
    pub fn new(op: BinOp, a: Value, b: Value, info: IntInfo, right: IntInfo) -> Option<Operation> {
        let is_number = |value: Value| matches!(value, Value::Bits(_) | Value::Symbol { .. });
        let defined = match (op, b) {
            (BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor, _) => right == info,
            (BinOp::Div | BinOp::Rem, Value::Bits(bits)) => bits != 0 && bits != super::arith::mask(info.width),
            (BinOp::Shl | BinOp::Shr, Value::Bits(bits)) => bits < u64::from(info.width),
            _ => false,
        };
        (defined && is_number(a) && is_number(b)).then_some(Operation {
            op,
            operands: [a, b],
            info,
        })
    }

    /// The operation with its operands replaced. `None` if there is none for one of them.
    fn map(self, mut replace: impl FnMut(Value) -> Option<Value>) -> Option<Operation> {
        let [a, b] = self.operands;
        let operands = [replace(a)?, replace(b)?];
        Some(Operation { operands, ..self })
    }

    /// Whether it is the same operation as another one, where `value` says what the operands are.
    pub fn equals(self, other: Operation, value: impl Fn(Value, u32) -> Value) -> bool {
        let now = |operation: Operation| Operation {
            operands: operation.operands.map(|operand| value(operand, operation.info.width)),
            ..operation
        };
        now(self).is(now(other))
    }

    /// The operator and the operands.
    pub fn parts(self) -> (BinOp, [Value; 2]) {
        (self.op, self.operands)
    }

    /// The type of operands and result; of a shift, that of the left operand.
    pub fn info(self) -> IntInfo {
        self.info
    }

    fn symbols(self) -> impl Iterator<Item = SymbolId> {
        self.operands.into_iter().filter_map(|value| match value {
            Value::Symbol { id, .. } => Some(id),
            _ => None,
        })
    }

    /// Whether it is another one, up to the order of operands where that does not matter.
    fn is(self, other: Operation) -> bool {
        let commutes = matches!(self.op, BinOp::Add | BinOp::Mul | BinOp::And | BinOp::Or | BinOp::Xor);
        let [a, b] = self.operands;
        let mirrored = Operation {
            operands: [b, a],
            ..self
        };
        self == other || (commutes && mirrored == other)
    }
}

/// A function of scalars, applied to values that are concrete or symbolic.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Application {
    /// The operation.
    pub op: FunctionOp,
    /// The operands, and what they are.
    pub operands: Vec<(Value, Shape)>,
    /// The shape of the result.
    pub result: Shape,
}

/// An element of a table of numbers: a function of the index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Element {
    /// The index.
    pub index: SymbolId,
    /// The index of the first of `values`.
    pub first: i128,
    /// The elements, as bit patterns. The index is not outside of them.
    pub values: Rc<[u64]>,
    /// The type of the elements.
    pub info: IntInfo,
}

impl Element {
    /// The elements from an index on, as many as there are of `like`. `None` if not all of them are known.
    fn part(&self, like: &Element) -> Option<&[u64]> {
        let skip = usize::try_from(like.first - self.first).ok()?;
        self.values.get(skip..skip.checked_add(like.values.len())?)
    }

    /// Whether it has the elements of another one at the same indices.
    fn covers(&self, other: &Element) -> bool {
        (self.index, self.info) == (other.index, other.info) && self.part(other) == Some(&*other.values)
    }
}

/// The knowledge about a symbol that is a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Known {
    /// It is the result of this operation.
    Result(Operation),
    /// It consists of these bits, of which some may be its own.
    Bits(Word),
    /// It is the result of this function.
    Function(Application),
    /// It is this element.
    Element(Element),
    /// It is this sum.
    Sum(Sum),
}

impl Known {
    /// It as a sum, if it is one.
    pub fn sum(&self) -> Option<Sum> {
        match self {
            Known::Sum(sum) => Some(sum.clone()),
            Known::Result(operation) => {
                let [a, b] = operation.operands.map(|operand| Sum::of(operand, operation.info));
                a?.combined(operation.op, &b?)
            }
            Known::Bits(_) | Known::Function(_) | Known::Element(_) => None,
        }
    }

    /// The same said with other names. `None` if there is none for a symbol in it.
    pub fn renamed(&self, mut name: impl FnMut(Value, u32) -> Option<Value>) -> Option<Known> {
        match self {
            Known::Result(operation) => {
                let width = operation.info.width;
                operation.map(|value| name(value, width)).map(Known::Result)
            }
            Known::Function(application) => {
                let operands = application.operands.iter();
                let operands = operands.map(|&(value, shape)| Some((name(value, shape.width())?, shape)));
                let operands: Option<Vec<_>> = operands.collect();
                Some(Known::Function(Application {
                    operands: operands?,
                    ..application.clone()
                }))
            }
            Known::Bits(word) => {
                let word = word.map(|bit| match bit {
                    Bit::Of(id, at, negated) => Some(Bit::Of(whole(id, &mut name)?, at, negated)),
                    bit => Some(bit),
                });
                word.map(Known::Bits)
            }
            Known::Element(element) => {
                let index = whole(element.index, &mut name)?;
                Some(Known::Element(Element {
                    index,
                    ..element.clone()
                }))
            }
            Known::Sum(sum) => {
                let width = sum.info().width;
                let sum = sum.renamed(|id| name(Value::Symbol { id, plus: 0 }, width));
                sum.map(Known::Sum)
            }
        }
    }

    /// The width of the result.
    pub fn width(&self) -> u32 {
        match self {
            Known::Result(operation) => operation.info.width,
            Known::Bits(word) => word.width(),
            Known::Function(application) => application.result.width(),
            Known::Element(element) => element.info.width,
            Known::Sum(sum) => sum.info().width,
        }
    }

    /// The result as a bit pattern, where the values of symbols say it: an operation on numbers, or an element at a known index.
    pub fn computed(&self, value: impl Fn(Value, u32) -> Value) -> Option<u64> {
        match self {
            Known::Result(Operation { op, operands, info }) => match operands.map(|operand| value(operand, info.width))
            {
                // The right operand of a shift is a number below the width, in any type.
                [Value::Bits(a), Value::Bits(b)] => binary(*op, a, b, *info, *info),
                _ => None,
            },
            Known::Element(element) => {
                let info = element.index.info();
                let id = element.index;
                let Value::Bits(bits) = value(Value::Symbol { id, plus: 0 }, info.width) else {
                    return None;
                };
                let at = usize::try_from(number(bits, info) - element.first).ok()?;
                element.values.get(at).copied()
            }
            Known::Bits(_) | Known::Function(_) | Known::Sum(_) => None,
        }
    }

    /// Whether it says which symbol is meant.
    pub fn determines(&self) -> bool {
        match self {
            Known::Result(_) | Known::Function(_) | Known::Element(_) | Known::Sum(_) => true,
            Known::Bits(word) => word.is_complete(),
        }
    }

    /// Whether it says at least what the other one says.
    pub fn is(&self, other: &Known) -> bool {
        match (self, other) {
            (Known::Result(a), Known::Result(b)) => a.is(*b),
            (Known::Bits(a), Known::Bits(b)) => a == b,
            (Known::Function(a), Known::Function(b)) => a == b,
            (Known::Element(a), Known::Element(b)) => a.covers(b),
            (Known::Sum(a), Known::Sum(b)) => a == b,
            _ => false,
        }
    }

    fn symbols(&self) -> Vec<SymbolId> {
        match self {
            Known::Result(operation) => operation.symbols().collect(),
            Known::Bits(word) => word.symbols().collect(),
            Known::Function(application) => {
                let symbol = |(value, _): &(Value, Shape)| match value {
                    Value::Symbol { id, .. } => Some(*id),
                    _ => None,
                };
                application.operands.iter().filter_map(symbol).collect()
            }
            Known::Element(element) => vec![element.index],
            Known::Sum(sum) => sum.symbols().collect(),
        }
    }
}

/// The other name of a symbol, if it is one for the same number of the same type.
fn whole(id: SymbolId, name: &mut impl FnMut(Value, u32) -> Option<Value>) -> Option<SymbolId> {
    match name(Value::Symbol { id, plus: 0 }, id.info().width)? {
        Value::Symbol { id: other, plus: 0 } if other.info() == id.info() => Some(other),
        _ => None,
    }
}

/// The knowledge about results, oldest first.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Memo {
    entries: Rc<Vec<(Known, SymbolId)>>,
}

impl Memo {
    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// All entries, oldest first.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &(Known, SymbolId)> {
        self.entries.iter()
    }

    /// The symbol of which this is known.
    pub fn result(&self, known: &Known) -> Option<SymbolId> {
        let entry = self.entries.iter().rev().find(|(other, _)| other.is(known));
        entry.map(|(_, result)| *result)
    }

    /// A value as a sum, as far as that is remembered. `None` for one that is no number of the type.
    pub fn sum(&self, value: Value, info: IntInfo) -> Option<Sum> {
        let Value::Symbol { id, plus } = value else {
            return Sum::of(value, info);
        };
        let known = self.entries.iter().rev().filter(|(_, result)| *result == id);
        let mut sums = known.filter_map(|(known, _)| known.sum());
        match sums.find(|sum| sum.info() == info) {
            Some(sum) => Some(sum.plus(plus)),
            None => Sum::of(value, info),
        }
    }

    /// The symbol that is a sum up to a constant, with that constant.
    pub fn result_of_sum(&self, sum: &Sum) -> Option<(SymbolId, u64)> {
        self.entries.iter().rev().find_map(|(known, result)| match known {
            Known::Sum(other) => Some((*result, sum.distance(other)?)),
            _ => None,
        })
    }

    /// The symbols from which a result was computed, if that is remembered.
    pub fn origins(&self, id: SymbolId) -> Option<Vec<SymbolId>> {
        let mut known = self.entries.iter().rev().filter(|(_, result)| *result == id);
        let (known, _) =
            known.find(|(known, _)| matches!(known, Known::Result(_) | Known::Bits(_)) && known.determines())?;
        let mut symbols = known.symbols();
        symbols.dedup();
        (!symbols.is_empty()).then_some(symbols)
    }

    /// The word of a symbol, if one is known.
    pub fn word(&self, id: SymbolId) -> Option<&Word> {
        self.entries.iter().rev().find_map(|(known, result)| match known {
            Known::Bits(word) if *result == id => Some(word),
            _ => None,
        })
    }

    /// Notes what is known of a result.
    pub fn add(&mut self, known: Known, result: SymbolId) {
        let entries = Rc::make_mut(&mut self.entries);
        if entries.len() == MAX_ENTRIES {
            entries.remove(0);
        }
        entries.push((known, result));
    }

    /// Forgets all entries that can never be asked for, because one of their operands is no longer needed. The results of the others are needed
    /// from now on. The word of a result that is needed stays if its bits may meet others of the same origin.
    pub fn retain(&mut self, needed: &mut FxHashSet<SymbolId>) {
        if self.entries.is_empty() {
            return;
        }
        let mut mentions: FxHashMap<SymbolId, usize> = FxHashMap::default();
        for (known, result) in self.entries.iter() {
            if matches!(known, Known::Bits(_)) && needed.contains(result) {
                let distinct: FxHashSet<SymbolId> = known.symbols().into_iter().collect();
                for id in distinct {
                    *mentions.entry(id).or_insert(0) += 1;
                }
            }
        }
        // Operands are older than results, so that one pass finds all that is needed.
        Rc::make_mut(&mut self.entries).retain(|(known, result)| {
            let symbols = known.symbols();
            let meets = |id: &SymbolId| needed.contains(id) || mentions.get(id).is_some_and(|&count| count > 1);
            let keep = match known {
                Known::Bits(_) if needed.contains(result) => symbols.iter().any(meets),
                _ => known.determines() && symbols.iter().all(|id| needed.contains(id)),
            };
            if keep {
                needed.extend(symbols);
                needed.insert(*result);
            }
            keep
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I32: IntInfo = IntInfo {
        width: 32,
        signed: true,
    };

    fn symbol(serial: u32) -> Value {
        let id = SymbolId::new(serial, I32).unwrap();
        Value::Symbol { id, plus: 0 }
    }

    #[test]
    fn the_order_of_operands_counts_where_it_should() {
        let (x, y, t) = (symbol(0), symbol(1), SymbolId::new(2, I32).unwrap());
        let operation = |op, a, b| Operation::new(op, a, b, I32, I32).unwrap();
        let mut memo = Memo::default();
        memo.add(Known::Result(operation(BinOp::Mul, x, y)), t);
        assert_eq!(memo.result(&Known::Result(operation(BinOp::Mul, y, x))), Some(t));
        assert_eq!(memo.result(&Known::Result(operation(BinOp::Mul, x, x))), None);
        memo.add(Known::Result(operation(BinOp::Sub, x, y)), t);
        assert_eq!(memo.result(&Known::Result(operation(BinOp::Sub, y, x))), None);
    }

    #[test]
    fn what_may_be_unspecified_has_no_identity() {
        let (x, y) = (symbol(0), symbol(1));
        for op in [BinOp::Div, BinOp::Rem, BinOp::Shl, BinOp::Shr] {
            assert_eq!(Operation::new(op, x, y, I32, I32), None);
        }
        for divisor in [0, 0xffff_ffff] {
            assert_eq!(Operation::new(BinOp::Div, x, Value::Bits(divisor), I32, I32), None);
        }
        assert!(Operation::new(BinOp::Rem, x, Value::Bits(3), I32, I32).is_some());
        assert_eq!(Operation::new(BinOp::Shl, x, Value::Bits(32), I32, I32), None);
        assert_eq!(Operation::new(BinOp::Mul, Value::Unknown, x, I32, I32), None);
    }

    #[test]
    fn an_element_is_the_same_where_the_tables_agree() {
        let (index, result) = (SymbolId::new(0, I32).unwrap(), SymbolId::new(1, I32).unwrap());
        let element = |first, values: &[u64]| {
            Known::Element(Element {
                index,
                first,
                values: values.into(),
                info: I32,
            })
        };
        let mut memo = Memo::default();
        memo.add(element(-1, &[5, 6, 7, 8]), result);
        assert_eq!(memo.result(&element(0, &[6, 7])), Some(result));
        for other in [element(0, &[6, 8]), element(1, &[7, 8, 9]), element(-2, &[4, 5])] {
            assert_eq!(memo.result(&other), None);
        }
    }

    #[test]
    fn an_entry_goes_with_its_operands_and_keeps_its_result() {
        let ids: Vec<SymbolId> = (0..4).map(|n| SymbolId::new(n, I32).unwrap()).collect();
        let operation = |a, b| Known::Result(Operation::new(BinOp::Mul, symbol(a), symbol(b), I32, I32).unwrap());
        let mut memo = Memo::default();
        memo.add(operation(0, 1), ids[2]);
        memo.add(operation(2, 0), ids[3]);
        let mut needed = [ids[0], ids[1]].into_iter().collect();
        memo.retain(&mut needed);
        assert_eq!(needed.len(), 4);
        let mut needed = [ids[0]].into_iter().collect();
        memo.retain(&mut needed);
        assert!(memo.is_empty());
    }
}
