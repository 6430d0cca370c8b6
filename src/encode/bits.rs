//! Operations on bits, as arithmetic: masks, shifts, and a sum over bits where there is no better way.

use super::arith::{CASES, CONSTANT_CASES, MAX_NESTED, bit_length, common_width};
use super::context::{Context, Value};
use super::nonlinear::Operator;
use super::ranges::Range;
use super::slots;
use crate::cfa::BinOp;
use crate::cfa::program::scalar::Scalar;
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId};

/// How many low bits of every address of the heap are 0 ([`crate::cfa::Op::Allocate`]).
const HEAP_ZEROS: u32 = 4;

impl Context<'_, '_> {
    pub(super) fn bitwise(&mut self, op: BinOp, a: Value, b: Value, scalar: Scalar) -> Value {
        let (a, b) = if a.range.as_point().is_some() { (b, a) } else { (a, b) };
        let is_condition = |value: &Value| value.truth.is_some() && value.range.within(&Range::bit());
        let is_bit = b.range.as_point().is_some_and(|b| b.is_zero() || b.is_one());
        if is_condition(&a) && (is_condition(&b) || is_bit) {
            return self.of_conditions(op, a, &b);
        }
        if let Some(mask) = b.range.as_point().cloned() {
            let and = self.mask(&a, &mask, scalar);
            let twice = match op {
                BinOp::And => return and,
                BinOp::Or => Int::MINUS_ONE,
                _ => Int::from(-2i64),
            };
            // x | m = x + m - (x & m), x ^ m = x + m - 2 (x & m): true of infinite two's complement, so nothing wraps around.
            let term = self.pool.linear(&[(Int::ONE, a.term), (twice, and.term)], mask.clone());
            let range = self.bit_range(op, &a.range, &b.range, scalar);
            return Value::new(term, range);
        }
        if let Some(value) = self.split_small(&a, &b, |cx, x, y| cx.bitwise(op, x, y, scalar)) {
            return value;
        }
        if self.is_disjoint(&a, &b) || self.is_disjoint(&b, &a) {
            if op == BinOp::And {
                return self.constant(0i64);
            }
            // Bytes put together: no bit is set in both, so nothing is carried.
            let range = a.range.add(&b.range);
            return Value::new(self.pool.add(a.term, b.term), range);
        }
        if let Some(width) = common_width(&a.range, &b.range) {
            return self.bit_by_bit(op, &a, &b, width);
        }
        let operator = match op {
            BinOp::And => Operator::And,
            BinOp::Or => Operator::Or,
            _ => Operator::Xor,
        };
        self.apply(operator, a, b, scalar)
    }

    /// An operation on two conditions, or on a condition and 0 or 1, as programs combine them without `&&`: a formula over both truths, which needs no arithmetic.
    fn of_conditions(&mut self, op: BinOp, a: Value, b: &Value) -> Value {
        let constant = b.range.as_point().map(Int::is_zero);
        match (op, constant) {
            (BinOp::And, Some(true)) => return self.constant(0i64),
            (BinOp::Or, Some(false)) => return self.constant(1i64),
            (BinOp::And, Some(false)) | (BinOp::Or | BinOp::Xor, Some(true)) => return a,
            _ => {}
        }
        let (x, y) = (self.truth(&a), self.truth(b));
        let truth = match op {
            BinOp::And => self.pool.and2(x, y),
            BinOp::Or => self.pool.or2(x, y),
            _ => {
                let same = self.pool.iff(x, y);
                self.pool.not(same)
            }
        };
        self.of_truth(truth)
    }

    /// Whether `low` has only bits below those that may be set in `high`, a number of either sign.
    fn is_disjoint(&self, low: &Value, high: &Value) -> bool {
        let Some(most) = low.range.hi.as_ref().filter(|_| low.range.is_non_negative()) else {
            return false;
        };
        let bits = bit_length(most);
        bits <= self.trailing_zeros(high.term, bits, MAX_NESTED)
    }

    /// How many low bits of a term are 0 for sure.
    pub(super) fn low_zeros(&self, term: TermId) -> u32 {
        self.trailing_zeros(term, u64::BITS, MAX_NESTED)
    }

    /// How many low bits of a term are 0 for sure, up to `limit`. Conditionals are followed to a depth.
    fn trailing_zeros(&self, term: TermId, limit: u32, depth: u32) -> u32 {
        let of_number = |n: &Int| {
            (0..limit)
                .find(|&i| !n.mod_floor(&Int::pow2(i + 1)).is_zero())
                .unwrap_or(limit)
        };
        match self.pool.term(term) {
            Term::Const(value) => of_number(value),
            Term::Sum(monomials, constant) => monomials.iter().fold(of_number(constant), |least, (factor, term)| {
                let own = of_number(factor);
                let rest = limit.saturating_sub(own);
                least.min(
                    own + if rest == 0 {
                        0
                    } else {
                        self.trailing_zeros(*term, rest, depth)
                    },
                )
            }),
            Term::Ite(_, yes, no) if depth > 0 => {
                let [yes, no] = [yes, no].map(|branch| self.trailing_zeros(*branch, limit, depth - 1));
                yes.min(no)
            }
            Term::IntVar(symbol) => {
                let read = self.reads.iter().find(|(read, _)| *read == term);
                if read.is_some_and(|(_, slot)| *slot == slots::HEAP) {
                    return limit.min(HEAP_ZEROS);
                }
                let fact = read.and_then(|(_, slot)| self.facts.get(slot.0));
                fact.filter(|fact| fact.index == symbol.index)
                    .map_or(0, |fact| fact.zeros.min(limit))
            }
            _ => 0,
        }
    }

    /// The results of a bit operation on operands of these ranges.
    pub fn bit_range(&self, op: BinOp, a: &Range, b: &Range, scalar: Scalar) -> Range {
        let whole = self.range_of(scalar);
        if !a.is_non_negative() || !b.is_non_negative() {
            return whole;
        }
        let (Some(x), Some(y)) = (&a.hi, &b.hi) else {
            return Range {
                lo: Some(Int::ZERO),
                hi: None,
            };
        };
        let hi = match op {
            BinOp::And => x.min(y).clone(),
            _ => Int::pow2(bit_length(x).max(bit_length(y))) - Int::ONE,
        };
        Range {
            lo: Some(Int::ZERO),
            hi: Some(hi),
        }
    }

    /// `x & mask`. Bits beyond the type's are the sign's.
    fn mask(&mut self, x: &Value, mask: &Int, scalar: Scalar) -> Value {
        // Bits that are 0 anyway need no mask: often none is left.
        let zeros = self.low_zeros(x.term).min(scalar.width);
        let mask = &(mask - &mask.mod_floor(&Int::pow2(zeros)));
        let bit = |i: u32| mask.div_floor(&Int::pow2(i)).mod_floor(&Int::from(2i64)).is_one();
        let width = if self.ideal() {
            64.max(scalar.width)
        } else {
            scalar.width
        };
        let mut parts: Vec<(Int, TermId)> = Vec::new();
        let mut at = 0;
        while at < width {
            if !bit(at) {
                at += 1;
                continue;
            }
            let first = at;
            while at < width && bit(at) {
                at += 1;
            }
            let high = self.pool.div_floor(x.term, &Int::pow2(first));
            parts.push((Int::pow2(first), high));
            // A run up to the top takes all that is left, with the sign.
            if at < width {
                let above = self.pool.div_floor(x.term, &Int::pow2(at));
                parts.push((-Int::pow2(at), above));
            } else if !mask.is_negative() && !x.range.is_non_negative() {
                // An ideal negative number under a finite mask: bits beyond it are cut off.
                let above = self.pool.div_floor(x.term, &Int::pow2(width));
                parts.push((-Int::pow2(width), above));
            }
        }
        let term = self.pool.linear(&parts, Int::ZERO);
        let range = if !mask.is_negative() {
            let most = x
                .range
                .hi
                .clone()
                .filter(|_| x.range.is_non_negative())
                .map_or(mask.clone(), |hi| hi.min(mask.clone()));
            Range {
                lo: Some(Int::ZERO),
                hi: Some(most),
            }
        } else if x.range.is_non_negative() {
            Range {
                lo: Some(Int::ZERO),
                hi: x.range.hi.clone(),
            }
        } else {
            self.range_of(scalar)
        };
        Value::new(term, range)
    }

    /// Bit operations on two small non-negative numbers, exactly.
    fn bit_by_bit(&mut self, op: BinOp, a: &Value, b: &Value, width: u32) -> Value {
        let mut parts = Vec::new();
        for i in 0..width {
            let (x, y) = (self.bit(a.term, i), self.bit(b.term, i));
            let set = match op {
                BinOp::And => self.pool.and2(x, y),
                BinOp::Or => self.pool.or2(x, y),
                _ => {
                    let same = self.pool.iff(x, y);
                    self.pool.not(same)
                }
            };
            let (one, zero) = (self.pool.int(1i64), self.pool.int(0i64));
            let digit = self.pool.ite(set, one, zero);
            parts.push((Int::pow2(i), digit));
        }
        let term = self.pool.linear(&parts, Int::ZERO);
        Value::new(
            term,
            Range {
                lo: Some(Int::ZERO),
                hi: Some(Int::pow2(width) - Int::ONE),
            },
        )
    }

    pub(super) fn bit(&mut self, term: TermId, i: u32) -> TermId {
        let high = self.pool.div_floor(term, &Int::pow2(i));
        let digit = self.pool.mod_floor(high, &Int::from(2i64));
        let one = self.pool.int(1i64);
        self.pool.ge(digit, one)
    }

    pub(super) fn shift(&mut self, op: BinOp, a: Value, b: Value, scalar: Scalar) -> Value {
        if let Some(amount) = b.range.as_point() {
            let bits = amount.to_i64().and_then(|n| u32::try_from(n).ok());
            let Some(bits) = bits.filter(|&n| n < scalar.width) else {
                // The machine's result is not specified, but for zero, which stays zero on every machine.
                let (zero, any) = (self.constant(Int::ZERO), self.any_scalar(scalar));
                let is_zero = self.equal(&a, &zero);
                let term = self.pool.ite(is_zero, zero.term, any.term);
                return Value::new(term, zero.range.hull(&any.range));
            };
            let power = Int::pow2(bits);
            return if op == BinOp::Shl {
                let product = Value::new(self.pool.scale(&power, a.term), a.range.scale(&power));
                self.fit(product, scalar)
            } else {
                Value::new(self.pool.div_floor(a.term, &power), a.range.div_floor(&power))
            };
        }
        let amounts = Range {
            lo: Some(Int::ZERO),
            hi: Some(Int::from(i64::from(scalar.width) - 1)),
        };
        if b.range.within(&amounts) || b.range.count_up_to(CASES).is_some() {
            let limit = if a.range.as_point().is_some() {
                CONSTANT_CASES
            } else {
                2 * CASES
            };
            if let Some(values) = b.range.values_up_to(limit) {
                return self.by_cases(&b, values, |cx, c| {
                    let amount = cx.constant(c);
                    cx.shift(op, a.clone(), amount, scalar)
                });
            }
        }
        if a.range.as_point().is_some() && scalar.width <= 64 {
            return self.constant_shifted(op, &a, &b, scalar, amounts);
        }
        let operator = if op == BinOp::Shl { Operator::Shl } else { Operator::Shr };
        self.apply(operator, a, b, scalar)
    }

    /// `1 << n` for any n: a table of constants, and any value where n is too big.
    fn constant_shifted(&mut self, op: BinOp, a: &Value, b: &Value, scalar: Scalar, amounts: Range) -> Value {
        let possible = amounts.meet(&b.range);
        let outside = self.any_scalar(scalar);
        let Some(values) = possible.values_up_to(CONSTANT_CASES).filter(|v| !v.is_empty()) else {
            return outside;
        };
        let mut result = outside;
        for c in values.into_iter().rev() {
            let amount = self.constant(c);
            let case = self.shift(op, a.clone(), amount.clone(), scalar);
            let is = self.equal(b, &amount);
            let term = self.pool.ite(is, case.term, result.term);
            result = Value::new(term, case.range.hull(&result.range));
        }
        result
    }
}
