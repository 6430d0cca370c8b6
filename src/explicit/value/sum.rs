//! Sums of symbols with factors, modulo a power of two.
//!
//! Addition on the machine is associative and commutative, whatever wraps around: two computations that add the same numbers in different orders have
//! one result. So a sum is known by how often each symbol occurs in it.

use super::arith::{bounds, mask, number};
use super::symbol::SymbolId;
use crate::cfa::BinOp;
use crate::explicit::Value;
use crate::frontend::types::IntInfo;
use std::rc::Rc;

type Interval = (i128, i128);

/// Longer sums are not looked at.
const MAX_TERMS: usize = 128;

/// A sum: symbols with factors, and a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    /// Each symbol once, in their order, with a factor that is not 0.
    terms: Rc<[(SymbolId, u64)]>,
    plus: u64,
    info: IntInfo,
}

impl Sum {
    /// A value as a sum. `None` if it is no number of the type.
    pub fn of(value: Value, info: IntInfo) -> Option<Sum> {
        let (terms, plus) = match value {
            Value::Bits(bits) => (Rc::default(), bits),
            Value::Symbol { id, plus } => (Rc::from([(id, 1)]), plus),
            _ => return None,
        };
        Some(Sum { terms, plus, info })
    }

    /// The sum of two sums, their difference, or their product if one of them is a number. `None` if it is too long, or no sum.
    pub fn combined(&self, op: BinOp, other: &Sum) -> Option<Sum> {
        match op {
            BinOp::Add => self.with(other, 1),
            BinOp::Sub => self.with(other, u64::MAX),
            BinOp::Mul if self.terms.is_empty() => other.times(self.plus),
            BinOp::Mul if other.terms.is_empty() => self.times(other.plus),
            _ => None,
        }
    }

    /// The sum with another one as often as the factor says.
    fn with(&self, other: &Sum, factor: u64) -> Option<Sum> {
        let all = mask(self.info.width);
        let (mut terms, mut open) = (Vec::with_capacity(self.terms.len() + other.terms.len()), &*other.terms);
        for &(id, count) in &*self.terms {
            let before = open.partition_point(|(other, _)| *other < id);
            terms.extend(
                open[..before]
                    .iter()
                    .map(|(id, count)| (*id, count.wrapping_mul(factor) & all)),
            );
            open = &open[before..];
            let mut count = count;
            if let Some((_, more)) = open.first().filter(|(other, _)| *other == id) {
                count = count.wrapping_add(more.wrapping_mul(factor)) & all;
                open = &open[1..];
            }
            terms.push((id, count));
        }
        terms.extend(open.iter().map(|(id, count)| (*id, count.wrapping_mul(factor) & all)));
        terms.retain(|(_, count)| *count != 0);
        (terms.len() <= MAX_TERMS).then(|| Sum {
            terms: terms.into(),
            ..self.plus(other.plus.wrapping_mul(factor))
        })
    }

    /// The sum as often as the factor says. `None` if it is too long.
    pub fn times(&self, factor: u64) -> Option<Sum> {
        let nothing = Sum {
            terms: Rc::default(),
            plus: 0,
            info: self.info,
        };
        nothing.with(self, factor)
    }

    /// The sum with a number more.
    pub fn plus(&self, number: u64) -> Sum {
        Sum {
            plus: self.plus.wrapping_add(number) & mask(self.info.width),
            ..self.clone()
        }
    }

    /// The sum as a value, if it is one: a number, or a symbol.
    pub fn simple(&self) -> Option<Value> {
        match *self.terms {
            [] => Some(Value::Bits(self.plus)),
            [(id, 1)] => Some(Value::Symbol { id, plus: self.plus }),
            _ => None,
        }
    }

    /// Whether it has more than two terms, or one more than once.
    pub fn is_long(&self) -> bool {
        !matches!(*self.terms, [] | [_] | [(_, 1), (_, 1)])
    }

    /// The number that has to be added to another sum of the same symbols to get this one.
    pub fn distance(&self, other: &Sum) -> Option<u64> {
        let same = self.info == other.info && self.terms == other.terms;
        same.then(|| self.plus.wrapping_sub(other.plus) & mask(self.info.width))
    }

    /// The symbols with their factors, and the constant; both as the numbers nearest to 0.
    pub fn parts(&self) -> (Vec<(SymbolId, i128)>, i128) {
        let signed = IntInfo {
            signed: true,
            ..self.info
        };
        let parts = self.terms.iter().map(|&(id, count)| (id, number(count, signed)));
        (parts.collect(), number(self.plus, signed))
    }

    /// The type of the numbers.
    pub fn info(&self) -> IntInfo {
        self.info
    }

    /// The symbols.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> {
        self.terms.iter().map(|(id, _)| *id)
    }

    /// The sum with values for its symbols: other names, or numbers. `None` if a symbol has none.
    pub fn renamed(&self, mut name: impl FnMut(SymbolId) -> Option<Value>) -> Option<Sum> {
        let nothing = Sum {
            terms: Rc::default(),
            ..self.clone()
        };
        self.terms.iter().try_fold(nothing, |sum, &(id, count)| {
            sum.with(&Sum::of(name(id)?, self.info)?, count)
        })
    }

    /// The interval of the number that it is in a type of its width, if the intervals of its symbols leave one that does not wrap around, and those of its symbols if the
    /// number is in the interval `result`: bounds of linear constraints (Harvey and Stuckey, "Improving linear constraint propagation by changing constraint
    /// representation", 2003, section 2).
    pub fn revised(
        &self,
        info: IntInfo,
        of: impl Fn(SymbolId) -> Interval,
        result: Interval,
    ) -> Option<(Interval, Vec<(SymbolId, Interval)>)> {
        let signed = IntInfo { signed: true, ..info };
        let mut terms = Vec::with_capacity(self.terms.len());
        let (mut least, mut most) = (number(self.plus, signed), number(self.plus, signed));
        for &(id, count) in &*self.terms {
            let (factor, (lo, hi)) = (number(count, signed), of(id));
            let (a, b) = (factor.checked_mul(lo)?, factor.checked_mul(hi)?);
            let (a, b) = (a.min(b), a.max(b));
            terms.push((id, factor, (a, b)));
            (least, most) = (least.checked_add(a)?, most.checked_add(b)?);
        }
        let (lowest, highest) = bounds(info);
        let turn = (least - lowest).div_euclid(1 << info.width) << info.width;
        if most - turn > highest {
            return None;
        }
        let whole = (result.0.max(least - turn), result.1.min(most - turn));
        // Where the number is in `whole`, a term is what the other ones leave.
        let term = |&(id, factor, (a, b)): &(SymbolId, i128, Interval)| {
            let left = (whole.0 + turn - (most - b), whole.1 + turn - (least - a));
            let (low, high) = if factor > 0 { left } else { (-left.1, -left.0) };
            let factor = factor.abs();
            (id, (-(-low).div_euclid(factor), high.div_euclid(factor)))
        };
        Some((whole, terms.iter().map(term).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const INFO: IntInfo = IntInfo { width: 8, signed: true };

    /// An expression over four symbols.
    #[derive(Clone, Debug)]
    enum Tree {
        Symbol(u32, u8),
        Number(u8),
        Node(BinOp, Box<Tree>, Box<Tree>),
    }

    fn trees() -> impl Strategy<Value = Tree> {
        let leaf = prop_oneof![
            (0..4u32, any::<u8>()).prop_map(|(s, p)| Tree::Symbol(s, p)),
            any::<u8>().prop_map(Tree::Number)
        ];
        leaf.prop_recursive(4, 24, 2, |inner| {
            let op = prop_oneof![Just(BinOp::Add), Just(BinOp::Sub), Just(BinOp::Mul)];
            (op, inner.clone(), inner).prop_map(|(op, a, b)| Tree::Node(op, a.into(), b.into()))
        })
    }

    fn symbol(serial: u32) -> SymbolId {
        SymbolId::new(serial, INFO).unwrap()
    }

    fn sum(tree: &Tree) -> Option<Sum> {
        match tree {
            Tree::Symbol(serial, plus) => {
                let (id, plus) = (symbol(*serial), u64::from(*plus));
                Sum::of(Value::Symbol { id, plus }, INFO)
            }
            Tree::Number(number) => Sum::of(Value::Bits(u64::from(*number)), INFO),
            Tree::Node(op, a, b) => sum(a)?.combined(*op, &sum(b)?),
        }
    }

    fn value(tree: &Tree, of: [u8; 4]) -> u8 {
        match tree {
            Tree::Symbol(serial, plus) => of[*serial as usize].wrapping_add(*plus),
            Tree::Number(number) => *number,
            Tree::Node(op, a, b) => {
                let (a, b) = (value(a, of), value(b, of));
                match op {
                    BinOp::Add => a.wrapping_add(b),
                    BinOp::Sub => a.wrapping_sub(b),
                    _ => a.wrapping_mul(b),
                }
            }
        }
    }

    proptest! {
        /// A sum has the value of the expression, for any values of the symbols.
        #[test]
        fn sums_are_what_the_machine_computes(tree in trees(), of in any::<[u8; 4]>()) {
            let Some(sum) = sum(&tree) else { return Ok(()) };
            let term = |(id, count): &(SymbolId, u64)| {
                let serial = (0..4).find(|serial| symbol(*serial) == *id).unwrap();
                u64::from(of[serial as usize]).wrapping_mul(*count)
            };
            let total = sum.terms.iter().map(term).fold(sum.plus, u64::wrapping_add);
            prop_assert_eq!(total & 0xff, u64::from(value(&tree, of)));
            prop_assert!(sum.terms.windows(2).all(|pair| pair[0].0 < pair[1].0));
            prop_assert!(sum.terms.iter().all(|(_, count)| *count != 0));
        }

        /// No number that is possible is excluded: neither of the sum nor of a symbol.
        #[test]
        fn what_happens_is_never_excluded(
            tree in trees(),
            intervals in any::<[(i8, u8); 4]>(),
            of in any::<[u8; 4]>(),
            result in any::<(i8, i8)>(),
        ) {
            let Some(sum) = sum(&tree) else { return Ok(()) };
            let interval = |serial: usize| {
                let (lo, size) = intervals[serial];
                (i128::from(lo), (i128::from(lo) + i128::from(size / 16)).min(127))
            };
            let serial = |id| (0..4).find(|serial| symbol(u32::try_from(*serial).unwrap()) == id).unwrap();
            let inside = |serial: usize| {
                let (lo, hi) = interval(serial);
                lo + i128::from(of[serial]) % (hi - lo + 1)
            };
            let total = value(&tree, [0, 1, 2, 3].map(|serial| inside(serial).to_le_bytes()[0])).cast_signed();
            let whole = (i128::from(result.0.min(total)), i128::from(result.1.max(total)));
            let all = |id| interval(serial(id));
            if let Some(((lo, hi), terms)) = sum.revised(INFO, all, whole) {
                prop_assert!(lo <= i128::from(total) && i128::from(total) <= hi);
                for (id, (lo, hi)) in terms {
                    let number = inside(serial(id));
                    prop_assert!(lo <= number && number <= hi, "{number} {lo} {hi}");
                }
            }
            let pinned = |id| (inside(serial(id)), inside(serial(id)));
            let (exact, _) = sum.revised(INFO, pinned, (-128, 127)).expect("one number does not wrap around");
            prop_assert_eq!(exact, (i128::from(total), i128::from(total)));
            let numbers = sum.renamed(|id| Some(Value::Bits(u64::from(inside(serial(id)).to_le_bytes()[0]))));
            prop_assert_eq!(numbers.unwrap().simple(), Some(Value::Bits(u64::from(total.cast_unsigned()))));
        }

        /// The order of the numbers does not matter.
        #[test]
        fn sums_in_another_order_are_the_same(serials in proptest::collection::vec(0..4u32, 1..9).prop_shuffle()) {
            let add = |serials: &[u32]| {
                let nothing = Sum::of(Value::Bits(0), INFO).unwrap();
                serials.iter().fold(nothing, |sum, serial| {
                    let next = Sum::of(Value::Symbol { id: symbol(*serial), plus: 0 }, INFO).unwrap();
                    sum.combined(BinOp::Add, &next).unwrap()
                })
            };
            let mut sorted = serials.clone();
            sorted.sort_unstable();
            prop_assert_eq!(add(&serials), add(&sorted));
        }
    }
}
