//! Machine arithmetic as linear integer arithmetic.
//!
//! A value of a scalar type is an integer within the type's range; for a signed type that is the two's complement reading of the
//! bits. Infinite two's complement is then just the integer itself, and floor division by 2^k is the arithmetic shift for either sign, which makes the bit operations with
//! constants short: a run of ones from bit a to bit b of a mask is `2^a * (floor(x / 2^a) - 2^(b-a) * floor(x / 2^b))`.
//!
//! A result outside of the type's range is congruent to one inside. If interval arithmetic says that it is at most one period away
//! on a side, a case distinction brings it back; if farther, a floor division does. The alternative, a fresh quotient with bounds for each operation (`r = e - 2^w * k`), was
//! rejected as it gives the solver a branching variable even where no wrap-around can happen.

use super::context::{Context, Value};
use super::nonlinear::Operator;
use super::ranges::Range;
use crate::cfa::program::math;
use crate::cfa::program::math::FunctionOp;
use crate::cfa::program::scalar::{Class, Scalar};
use crate::cfa::{AssumptionKind, BinOp, UnOp};
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::TermId;

/// The number of cases up to which an operand's values are looked at one by one.
pub(super) const CASES: i64 = 4;
/// The same if the other operand is constant, so that each case is a constant.
pub(super) const CONSTANT_CASES: i64 = 64;
/// The depth up to which conditionals are looked into.
pub(super) const MAX_NESTED: u32 = 4;
/// The width up to which bit operations on two variables are done bit by bit.
const BITS: u32 = 8;

impl Context<'_, '_> {
    /// The value that is congruent to `exact` modulo 2^width and in the range of the scalar.
    pub fn fit(&mut self, exact: Value, scalar: Scalar) -> Value {
        let range = self.range_of(scalar);
        if exact.range.within(&range) || planted("no-wrap") {
            return exact;
        }
        if scalar.is_opaque() {
            return self.any(range);
        }
        let (Some(lo), Some(hi)) = (range.lo.clone(), range.hi.clone()) else {
            // Ideal integers: only an address may come out below 0, which no operation brings back.
            return Value::new(exact.term, exact.range);
        };
        let period = match planted("period-off-by-one") {
            true => scalar.period() - Int::ONE,
            false => scalar.period(),
        };
        let wide = Range {
            lo: Some(&lo - &period),
            hi: Some(&hi + &period),
        };
        if !exact.range.within(&wide) {
            // floor((e - lo) / 2^w) periods above the range.
            let lo_term = self.pool.int(lo.clone());
            let distance = self.pool.sub(exact.term, lo_term);
            let rest = self.pool.mod_floor(distance, &period);
            return Value::new(self.pool.add(rest, lo_term), range);
        }
        let mut term = exact.term;
        if exact.range.lo.is_none_or(|l| l < lo) {
            let edge = self.pool.int(lo);
            let below = self.pool.lt(exact.term, edge);
            let up = self.pool.linear(&[(Int::ONE, exact.term)], period.clone());
            term = self.pool.ite(below, up, term);
        }
        if exact.range.hi.is_none_or(|h| h > hi) {
            let edge = self.pool.int(hi);
            let above = self.pool.gt(exact.term, edge);
            let down = self.pool.linear(&[(Int::ONE, exact.term)], -&period);
            term = self.pool.ite(above, down, term);
        }
        Value::new(term, range)
    }

    /// Conversion of a value to another scalar type.
    pub fn convert(&mut self, value: Value, from: Scalar, to: Scalar) -> Value {
        if from.is_opaque() || to.is_opaque() {
            if from.is_opaque() && from == to {
                return value;
            }
            self.trust(
                AssumptionKind::Float,
                "the result of a floating-point operation is any value",
                true,
            );
            return self.any_scalar(to);
        }
        if from.class == Class::Float || to.class == Class::Float {
            return match (from.format(), to.class) {
                _ if from == to => value,
                (Some(format), Class::Bool) => {
                    let truth = self.float_truth(&value, format);
                    self.of_truth(truth)
                }
                _ => self.function(FunctionOp::Convert, &[(value, from)], to),
            };
        }
        if to.class == Class::Bool {
            if value.range.within(&Range::bit()) {
                return value;
            }
            let truth = self.truth(&value);
            return self.of_truth(truth);
        }
        self.fit(value, to)
    }

    /// The formula that a value is not 0.
    pub fn truth(&mut self, value: &Value) -> TermId {
        if let Some(truth) = value.truth {
            return truth;
        }
        let zero = Value::new(self.pool.int(0i64), Range::point(Int::ZERO));
        let is_zero = self.compare(BinOp::Eq, value, &zero);
        self.pool.not(is_zero)
    }

    /// The formula of a comparison. At the end of a range an equation is an inequality, which is easier to negate.
    pub fn compare(&mut self, op: BinOp, a: &Value, b: &Value) -> TermId {
        match op {
            BinOp::Lt => self.less(a, b),
            BinOp::Gt => self.less(b, a),
            BinOp::Le => {
                let greater = self.less(b, a);
                self.pool.not(greater)
            }
            BinOp::Ge => {
                let less = self.less(a, b);
                self.pool.not(less)
            }
            BinOp::Ne => {
                let equal = self.compare(BinOp::Eq, a, b);
                self.pool.not(equal)
            }
            _ => self.equal(a, b),
        }
    }

    fn less(&mut self, a: &Value, b: &Value) -> TermId {
        if let (Some(hi), Some(lo)) = (&a.range.hi, &b.range.lo)
            && hi < lo
        {
            return self.pool.mk_true();
        }
        if let (Some(lo), Some(hi)) = (&a.range.lo, &b.range.hi)
            && lo >= hi
        {
            return self.pool.mk_false();
        }
        if planted("comparison-off-by-one") {
            return self.pool.le(a.term, b.term);
        }
        self.pool.lt(a.term, b.term)
    }

    pub(super) fn equal(&mut self, a: &Value, b: &Value) -> TermId {
        let (a, b) = if a.range.as_point().is_some() { (b, a) } else { (a, b) };
        if a.range.meet(&b.range).is_empty() {
            return self.pool.mk_false();
        }
        if let Some(point) = b.range.as_point() {
            if let (Some(truth), true) = (a.truth, a.range.within(&Range::bit())) {
                return if point.is_zero() { self.pool.not(truth) } else { truth };
            }
            if a.range.lo.as_ref() == Some(point) {
                return self.pool.le(a.term, b.term);
            }
            if a.range.hi.as_ref() == Some(point) {
                return self.pool.le(b.term, a.term);
            }
        }
        self.pool.eq(a.term, b.term)
    }

    /// A unary operation other than `!`.
    pub fn unary(&mut self, op: UnOp, value: Value, scalar: Scalar) -> Value {
        if scalar.is_opaque() {
            self.trust(
                AssumptionKind::Float,
                "the result of a floating-point operation is any value",
                true,
            );
            return self.any_scalar(scalar);
        }
        if let Some(format) = scalar.format() {
            return self.negate_float(&value, format, scalar);
        }
        let negated = Value::new(self.pool.neg(value.term), value.range.scale(&Int::MINUS_ONE));
        match op {
            UnOp::Neg => self.fit(negated, scalar),
            // ~x = -x - 1 holds for the two's complement reading; an unsigned result is the same modulo 2^width.
            UnOp::BitNot => {
                let shift = if scalar.signed || self.ideal() {
                    Int::MINUS_ONE
                } else {
                    scalar.period() - Int::ONE
                };
                let term = self.pool.linear(&[(Int::ONE, negated.term)], shift.clone());
                Value::new(term, negated.range.add(&Range::point(shift)))
            }
            UnOp::LogNot => {
                let truth = self.truth(&value);
                let not = self.pool.not(truth);
                self.of_truth(not)
            }
        }
    }

    /// A binary operation that is no comparison; `amount` is the scalar type of the right operand of a shift.
    pub fn binary(&mut self, op: BinOp, a: Value, b: Value, scalar: Scalar) -> Value {
        if scalar.is_opaque() {
            self.trust(
                AssumptionKind::Float,
                "the result of a floating-point operation is any value",
                true,
            );
            return self.any_scalar(scalar);
        }
        if scalar.class == Class::Float {
            let Some(op) = math::arithmetic(op) else {
                return self.any_scalar(scalar);
            };
            return self.function(FunctionOp::Arithmetic(op), &[(a, scalar), (b, scalar)], scalar);
        }
        match op {
            BinOp::Add => {
                let sum = Value::new(self.pool.add(a.term, b.term), a.range.add(&b.range));
                self.fit(sum, scalar)
            }
            BinOp::Sub => {
                let term = match planted("add-for-subtract") {
                    true => self.pool.add(a.term, b.term),
                    false => self.pool.sub(a.term, b.term),
                };
                let difference = Value::new(term, a.range.sub(&b.range));
                self.fit(difference, scalar)
            }
            BinOp::Mul => self.multiply(a, b, scalar),
            BinOp::Div | BinOp::Rem => self.divide(op, a, b, scalar),
            BinOp::And | BinOp::Or | BinOp::Xor => self.bitwise(op, a, b, scalar),
            BinOp::Shl | BinOp::Shr => self.shift(op, a, b, scalar),
            BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne => {
                let truth = self.compare(op, &a, &b);
                self.of_truth(truth)
            }
        }
    }

    /// `ite(v = c1, f(c1), ite(v = c2, f(c2), ...))` for the values of `v`, the last without question.
    pub(super) fn by_cases(
        &mut self,
        v: &Value,
        values: Vec<Int>,
        mut f: impl FnMut(&mut Self, Int) -> Value,
    ) -> Value {
        let mut cases = Vec::new();
        for c in values {
            let result = f(self, c.clone());
            cases.push((c, result));
        }
        let (_, mut result) = cases.pop().expect("a range has a value");
        while let Some((c, case)) = cases.pop() {
            let constant = Value::new(self.pool.int(c.clone()), Range::point(c));
            let is = self.equal(v, &constant);
            let term = self.pool.ite(is, case.term, result.term);
            result = Value::new(term, case.range.hull(&result.range));
        }
        result
    }

    /// Cases of the operand with few values, if one has so few; `f` gets (left, right).
    pub(super) fn split_small(
        &mut self,
        a: &Value,
        b: &Value,
        mut f: impl FnMut(&mut Self, Value, Value) -> Value,
    ) -> Option<Value> {
        let limit = |other: &Value| {
            if other.range.as_point().is_some() {
                CONSTANT_CASES
            } else {
                CASES
            }
        };
        if let Some(values) = b.range.values_up_to(limit(a)) {
            let left = a.clone();
            return Some(self.by_cases(b, values, |cx, c| {
                let right = cx.constant(c);
                f(cx, left.clone(), right)
            }));
        }
        let values = a.range.values_up_to(limit(b))?;
        let right = b.clone();
        Some(self.by_cases(a, values, |cx, c| {
            let left = cx.constant(c);
            f(cx, left, right.clone())
        }))
    }

    fn multiply(&mut self, a: Value, b: Value, scalar: Scalar) -> Value {
        let (a, b) = if a.range.as_point().is_some() { (b, a) } else { (a, b) };
        if let Some(factor) = b.range.as_point() {
            let product = Value::new(self.pool.scale(factor, a.term), a.range.scale(factor));
            return self.fit(product, scalar);
        }
        if let Some(value) = self.split_small(&a, &b, |cx, x, y| cx.multiply(x, y, scalar)) {
            return value;
        }
        self.apply(Operator::Mul, a, b, scalar)
    }

    fn divide(&mut self, op: BinOp, a: Value, b: Value, scalar: Scalar) -> Value {
        if let Some(divisor) = b.range.as_point().cloned() {
            if divisor.is_zero() {
                return self.any_scalar(scalar);
            }
            if op == BinOp::Rem && Int::pow2(self.low_zeros(a.term)).mod_floor(&divisor.abs()).is_zero() {
                return Value::new(self.zero_term(), Range::point(Int::ZERO));
            }
            let quotient = self.truncated(&a, &divisor);
            if op == BinOp::Div {
                return self.fit(quotient, scalar);
            }
            let whole = self.pool.scale(&divisor, quotient.term);
            let rest = self.pool.sub(a.term, whole);
            let most = divisor.abs() - Int::ONE;
            let lo = if a.range.is_non_negative() { Int::ZERO } else { -&most };
            let hi = if a.range.hi.as_ref().is_some_and(Int::is_negative) {
                Int::ZERO
            } else {
                most
            };
            let range = Range {
                lo: Some(lo),
                hi: Some(hi),
            };
            return Value::new(rest, range);
        }
        let few = b.range.count_up_to(CASES).is_some() || a.range.as_point().is_some();
        if few && let Some(value) = self.split_small(&a, &b, |cx, x, y| cx.divide_or_apply(op, x, y, scalar)) {
            return value;
        }
        self.divide_or_apply(op, a, b, scalar)
    }

    fn divide_or_apply(&mut self, op: BinOp, a: Value, b: Value, scalar: Scalar) -> Value {
        if b.range.as_point().is_some() {
            return self.divide(op, a, b, scalar);
        }
        let operator = if op == BinOp::Div { Operator::Div } else { Operator::Rem };
        self.apply(operator, a, b, scalar)
    }

    /// The quotient by a constant other than 0, rounded towards 0.
    fn truncated(&mut self, a: &Value, divisor: &Int) -> Value {
        let size = divisor.abs();
        let positive = {
            let floor = self.pool.div_floor(a.term, &size);
            Value::new(floor, a.range.div_floor(&size))
        };
        let quotient = if a.range.is_non_negative() || planted("truncation-to-floor") {
            positive
        } else {
            let opposite = self.pool.neg(a.term);
            let floor = self.pool.div_floor(opposite, &size);
            let range = a.range.scale(&Int::MINUS_ONE).div_floor(&size).scale(&Int::MINUS_ONE);
            let negative = Value::new(self.pool.neg(floor), range);
            let zero = self.pool.int(0i64);
            let is_negative = self.pool.lt(a.term, zero);
            let hull = positive.range.hull(&negative.range);
            Value::new(self.pool.ite(is_negative, negative.term, positive.term), hull)
        };
        if divisor.is_negative() {
            Value::new(self.pool.neg(quotient.term), quotient.range.scale(&Int::MINUS_ONE))
        } else {
            quotient
        }
    }
}

/// The number of bits of a non-negative number.
pub(super) fn bit_length(value: &Int) -> u32 {
    let mut bits = 0;
    let mut rest = value.clone();
    while rest.is_positive() {
        rest = rest.div_floor(&Int::from(2i64));
        bits += 1;
    }
    bits
}

/// The number of bits that hold both ranges, if they are small and not negative.
pub(super) fn common_width(a: &Range, b: &Range) -> Option<u32> {
    if !a.is_non_negative() || !b.is_non_negative() {
        return None;
    }
    let width = bit_length(a.hi.as_ref()?).max(bit_length(b.hi.as_ref()?));
    (width <= BITS).then_some(width)
}
