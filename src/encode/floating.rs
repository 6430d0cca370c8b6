//! Floating-point values in formulas: bit patterns as unsigned integers, with linear constraints for order, classes and arithmetic.
//!
//! The *key* of a pattern is the pattern itself for positive values and minus the rest without the sign for negative ones. It embeds the order: of two
//! numbers the one with the smaller key is smaller, both zeros have the key 0, and only NaN has keys beyond those of the infinities. So comparisons,
//! signs and classes are exact in linear integer arithmetic, and what only changes bits (`-x`, `fabs`, `copysign`) is, too.
//!
//! Arithmetic is a function symbol for each operation and format, `__fp:add:f64:f64,f64`, with axioms for what is cheap and often needed: when the result
//! is NaN, its sign, and on which side of the operands it lies; if the operands' ranges are known, the range of the result by interval arithmetic. Every real
//! execution satisfies that. A model that is wrong at a point gets the true value there, and *monotonicity* from it ([`lemmas`]): as correct rounding is monotone,
//! `x <= a` and `y <= b` imply that `x + y` is at most the rounded `a + b`. That is refinement by lemmas on demand, as for non-linear integers (`nonlinear`);
//! compare Brain, Schanda, Sun, *Building better bit-blasting for floating-point problems*, TACAS 2019, for the alternative, which needs bits.

use super::context::{Context, Value};
use super::ranges::Range;
use crate::cfa::program::expr;
use crate::cfa::program::interval;
use crate::cfa::program::interval::enclose;
use crate::cfa::program::math;
use crate::cfa::program::math::{FunctionOp, MathOp, Operand, Shape};
use crate::cfa::program::scalar::{Class, Scalar};
use crate::cfa::{AssumptionKind, BinOp};
use crate::frontend::types::IntInfo;
use crate::frontend::types::float;
use crate::frontend::types::float::{Arithmetic, Format, Rounding};
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};
use std::collections::BTreeSet;

/// The prefix of the function symbols of floating-point operations.
pub const PREFIX: &str = "__fp:";

fn number(bits: u128) -> Int {
    expr::unsigned(bits)
}

/// Terms and formulas about patterns of one format.
struct Patterns<'t> {
    pool: &'t mut TermPool,
    format: Format,
}

impl Patterns<'_> {
    fn constant(&mut self, bits: u128) -> TermId {
        self.pool.int(number(bits))
    }

    /// Whether the sign bit is set.
    fn sign(&mut self, x: TermId) -> TermId {
        let sign = self.constant(self.format.sign());
        self.pool.le(sign, x)
    }

    /// The pattern without its sign.
    fn magnitude(&mut self, x: TermId) -> TermId {
        let negative = self.sign(x);
        let rest = self.pool.linear(&[(Int::ONE, x)], -number(self.format.sign()));
        self.pool.ite(negative, rest, x)
    }

    /// The key: see the head of the module.
    fn key(&mut self, x: TermId) -> TermId {
        let negative = self.sign(x);
        let mirrored = self.pool.linear(&[(Int::MINUS_ONE, x)], number(self.format.sign()));
        self.pool.ite(negative, mirrored, x)
    }

    /// The key of a constant.
    fn key_of(&mut self, bits: u128) -> TermId {
        let magnitude = number(bits & self.format.magnitude());
        let key = if float::is_negative(self.format, bits) {
            -magnitude
        } else {
            magnitude
        };
        self.pool.int(key)
    }

    fn magnitude_is(&mut self, x: TermId, op: BinOp, bits: u128) -> TermId {
        let magnitude = self.magnitude(x);
        let bound = self.constant(bits);
        match op {
            BinOp::Gt => self.pool.lt(bound, magnitude),
            BinOp::Lt => self.pool.lt(magnitude, bound),
            BinOp::Ge => self.pool.le(bound, magnitude),
            BinOp::Le => self.pool.le(magnitude, bound),
            _ => self.pool.eq(magnitude, bound),
        }
    }

    fn nan(&mut self, x: TermId) -> TermId {
        self.magnitude_is(x, BinOp::Gt, self.format.infinity())
    }

    fn infinite(&mut self, x: TermId) -> TermId {
        self.magnitude_is(x, BinOp::Eq, self.format.infinity())
    }

    fn zero(&mut self, x: TermId) -> TermId {
        self.magnitude_is(x, BinOp::Eq, 0)
    }

    /// Whether the first of two numbers that are not NaN is at most the second.
    fn at_most(&mut self, x: TermId, y: TermId) -> TermId {
        let (x, y) = (self.key(x), self.key(y));
        self.pool.le(x, y)
    }

    fn not_above_magnitude(&mut self, x: TermId, y: TermId) -> TermId {
        let (x, y) = (self.magnitude(x), self.magnitude(y));
        self.pool.le(x, y)
    }

    /// The comparison of a value with a constant other than NaN, as bounds of the pattern.
    fn compare_constant(&mut self, op: BinOp, x: TermId, c: u128) -> TermId {
        let format = self.format;
        let (sign, infinity) = (format.sign(), format.infinity());
        let magnitude = c & format.magnitude();
        let positive = !float::is_negative(format, c) || magnitude == 0;
        let within = |this: &mut Self, lo: u128, hi: u128| {
            let (lo, hi) = (this.constant(lo), this.constant(hi));
            let (above, below) = (this.pool.le(lo, x), this.pool.le(x, hi));
            this.pool.and2(above, below)
        };
        match op {
            BinOp::Eq if magnitude == 0 => self.zero(x),
            BinOp::Eq => {
                let c = self.constant(c);
                self.pool.eq(x, c)
            }
            BinOp::Gt | BinOp::Ge if positive && !(op == BinOp::Ge && magnitude == 0) => {
                let lo = magnitude + u128::from(op == BinOp::Gt);
                within(self, lo, infinity)
            }
            BinOp::Lt | BinOp::Le if !positive || (op == BinOp::Lt && magnitude == 0) => {
                let lo = (sign | magnitude) + u128::from(op == BinOp::Lt);
                within(self, lo, sign | infinity)
            }
            // The rest of the numbers.
            _ => {
                let opposite = match op {
                    BinOp::Gt => BinOp::Le,
                    BinOp::Ge => BinOp::Lt,
                    BinOp::Lt => BinOp::Ge,
                    _ => BinOp::Gt,
                };
                let opposite = self.compare_constant(opposite, x, c);
                let nan = self.nan(x);
                let either = self.pool.or2(opposite, nan);
                self.pool.not(either)
            }
        }
    }
}

/// The shape of a scalar in formulas; `None` for what is not tracked.
fn shape(scalar: Scalar) -> Option<Shape> {
    match scalar.class {
        Class::Float => scalar.format().map(Shape::Float),
        Class::Opaque => None,
        _ => Some(Shape::Int(IntInfo {
            width: scalar.width,
            signed: scalar.signed,
        })),
    }
}

impl Context<'_, '_> {
    fn patterns(&mut self, format: Format) -> Patterns<'_> {
        Patterns {
            pool: self.pool,
            format,
        }
    }

    /// The formula of a comparison of floating-point values.
    pub fn compare_floats(&mut self, op: BinOp, a: &Value, b: &Value, format: Format) -> TermId {
        if op == BinOp::Ne {
            let equal = self.compare_floats(BinOp::Eq, a, b, format);
            return self.pool.not(equal);
        }
        let constant = |value: &Value| value.range.as_point().and_then(pattern_of);
        let (left, right) = (constant(a), constant(b));
        if let (Some(x), Some(y)) = (left, right) {
            let truth = math::holds(op, float::compare(format, x, y));
            return self.pool.mk_bool(truth);
        }
        if [left, right].into_iter().flatten().any(|c| float::is_nan(format, c)) {
            return self.pool.mk_false();
        }
        let mut patterns = self.patterns(format);
        if let Some(c) = right {
            return patterns.compare_constant(op, a.term, c);
        }
        if let Some(c) = left {
            return patterns.compare_constant(mirrored(op), b.term, c);
        }
        let (x, y) = (a.term, b.term);
        let (nan_x, nan_y) = (patterns.nan(x), patterns.nan(y));
        let (kx, ky) = (patterns.key(x), patterns.key(y));
        let order = match op {
            BinOp::Lt => self.pool.lt(kx, ky),
            BinOp::Le => self.pool.le(kx, ky),
            BinOp::Gt => self.pool.lt(ky, kx),
            BinOp::Ge => self.pool.le(ky, kx),
            _ => self.pool.eq(kx, ky),
        };
        let (is_x, is_y) = (self.pool.not(nan_x), self.pool.not(nan_y));
        self.pool.and(&[is_x, is_y, order])
    }

    /// The formula that a floating-point value is not zero.
    pub fn float_truth(&mut self, value: &Value, format: Format) -> TermId {
        let zero = self.constant(0i64);
        self.compare_floats(BinOp::Ne, value, &zero, format)
    }

    /// A value whose bits, not number, are read as those of another scalar.
    pub fn reinterpret(&mut self, value: Value, to: Scalar) -> Value {
        match to.class {
            Class::Float => self.fit(value, to.unsigned()),
            _ => self.fit(value, to),
        }
    }

    /// `-x` of a floating-point value.
    pub fn negate_float(&mut self, value: &Value, format: Format, scalar: Scalar) -> Value {
        let sign = number(format.sign());
        let negative = self.patterns(format).sign(value.term);
        let up = self.pool.linear(&[(Int::ONE, value.term)], sign.clone());
        let down = self.pool.linear(&[(Int::ONE, value.term)], -sign);
        let range = self.range_of(scalar);
        Value::new(self.pool.ite(negative, down, up), range)
    }

    /// A function of scalars some of which are floating-point values.
    pub fn function(&mut self, op: FunctionOp, operands: &[(Value, Scalar)], result: Scalar) -> Value {
        let shapes: Option<Vec<Shape>> = operands.iter().map(|(_, scalar)| shape(*scalar)).collect();
        let (Some(shapes), Some(to)) = (shapes, shape(result)) else {
            self.trust(AssumptionKind::Float, NOT_TRACKED, true);
            return self.any_scalar(result);
        };
        if self.ideal()
            && matches!(op, FunctionOp::Convert)
            && !matches!((shapes[0], to), (Shape::Float(_), Shape::Float(_)))
        {
            // Integers without bounds do not convert as the machine's do.
            return self.any_scalar(result);
        }
        let values: Vec<Value> = operands.iter().map(|(value, _)| value.clone()).collect();
        let constants: Option<Vec<Int>> = values.iter().map(|value| value.range.as_point().cloned()).collect();
        if let Some(arguments) = constants
            && let Some(value) = evaluate(op, &shapes, to, &arguments)
        {
            return self.constant(value);
        }
        if let Some(value) = self.rearranged(op, &values, &shapes, result) {
            return value;
        }
        self.trust(AssumptionKind::Float, BY_AXIOMS, true);
        let terms: Vec<TermId> = values.iter().map(|value| value.term).collect();
        let symbol = self.pool.symbol(&name(op, &shapes, to));
        let term = self.pool.app(symbol, 0, &terms);
        let (range, sides) = self.float_range(op, &values, &shapes, to, result);
        self.bound(term, &range);
        if let Some((lo, hi)) = sides {
            let (lo, hi) = (self.pool.int(lo), self.pool.int(hi));
            let (up, down) = (self.pool.le(term, hi), self.pool.le(lo, term));
            let either = self.pool.or2(up, down);
            self.require(either);
        }
        let axioms = match shapes[0] {
            Shape::Float(format) => axioms(self.pool, op, format, to, &terms, term),
            Shape::Int(_) => of_integer(self.pool, to, terms[0], term),
        };
        for axiom in axioms {
            self.require(axiom);
        }
        Value::new(term, range)
    }

    /// The range of a result by interval arithmetic. If it lies on both sides of zero, it is up to the second number, or from the first one on.
    fn float_range(
        &mut self,
        op: FunctionOp,
        values: &[Value],
        shapes: &[Shape],
        to: Shape,
        result: Scalar,
    ) -> (Range, Option<(Int, Int)>) {
        let whole = self.range_of(result);
        let intervals: Option<Vec<interval::Range>> = values
            .iter()
            .zip(shapes)
            .map(|(value, shape)| interval_of(&value.range, *shape))
            .collect();
        let Some(found) = intervals.and_then(|ranges| enclose(op, shapes, to, &ranges)) else {
            return (whole, None);
        };
        let range = match (found, to) {
            (interval::Range::Float(lo, hi), Shape::Float(format)) => {
                match (float::is_negative(format, lo), float::is_negative(format, hi)) {
                    (false, _) => Range::new(number(lo), number(hi)),
                    (true, true) => Range::new(number(hi), number(lo)),
                    (true, false) => {
                        let sides = (number(format.sign()), number(hi));
                        return (Range::new(0i64, number(lo)), Some(sides));
                    }
                }
            }
            (interval::Range::Int(lo, hi), Shape::Int(_)) => {
                let range = Range::new(lo, hi);
                if range.within(&whole) { range } else { whole }
            }
            _ => whole,
        };
        (range, None)
    }

    /// Operations that only read or change bits, exactly. Long, as it has a case for each operation.
    fn rearranged(&mut self, op: FunctionOp, values: &[Value], shapes: &[Shape], result: Scalar) -> Option<Value> {
        let x = values[0].clone();
        let Shape::Float(format) = shapes[0] else {
            return match op {
                FunctionOp::Math(MathOp::OfBits) if !self.ideal() => Some(self.fit(x, result.unsigned())),
                _ => None,
            };
        };
        let whole = self.range_of(result);
        Some(match op {
            FunctionOp::Negate => self.negate_float(&x, format, result),
            FunctionOp::Math(MathOp::Bits) if !self.ideal() => self.fit(x, result),
            FunctionOp::Math(MathOp::Abs) => {
                let magnitude = self.patterns(format).magnitude(x.term);
                let range = Range::new(0i64, number(format.magnitude()));
                let range = if x.range.within(&range) { x.range } else { range };
                Value::new(magnitude, range)
            }
            FunctionOp::Math(MathOp::CopySign) => {
                let mut patterns = self.patterns(format);
                let (magnitude, negative) = (patterns.magnitude(x.term), patterns.sign(values[1].term));
                let down = self.pool.linear(&[(Int::ONE, magnitude)], number(format.sign()));
                Value::new(self.pool.ite(negative, down, magnitude), whole)
            }
            FunctionOp::Math(MathOp::Sign) => {
                let sign = self.patterns(format).sign(x.term);
                self.of_truth(sign)
            }
            FunctionOp::Math(MathOp::Unordered) => {
                let mut patterns = self.patterns(format);
                let (a, b) = (patterns.nan(x.term), patterns.nan(values[1].term));
                let either = self.pool.or2(a, b);
                self.of_truth(either)
            }
            FunctionOp::Math(MathOp::Class) => {
                let mut patterns = self.patterns(format);
                let normal = patterns.magnitude_is(x.term, BinOp::Ge, format.smallest_normal());
                let cases = [
                    (patterns.nan(x.term), 0i64),
                    (patterns.infinite(x.term), 1),
                    (patterns.zero(x.term), 2),
                    (normal, 4),
                ];
                let mut term = self.pool.int(3i64);
                for (case, class) in cases.into_iter().rev() {
                    let class = self.pool.int(class);
                    term = self.pool.ite(case, class, term);
                }
                Value::new(term, Range::new(0i64, 4i64))
            }
            FunctionOp::Math(op @ (MathOp::Min | MathOp::Max)) => {
                let y = values[1].term;
                let any = self.any(whole.clone());
                let mut patterns = self.patterns(format);
                let (nan_x, nan_y) = (patterns.nan(x.term), patterns.nan(y));
                let nan_any = patterns.nan(any.term);
                let (kx, ky) = (patterns.key(x.term), patterns.key(y));
                let negative = patterns.sign(x.term);
                let first = match op {
                    MathOp::Min => self.pool.lt(kx, ky),
                    _ => self.pool.lt(ky, kx),
                };
                let same = self.pool.eq(kx, ky);
                // Of the zeros the one with the sign that is asked for.
                let wanted = if op == MathOp::Min {
                    negative
                } else {
                    self.pool.not(negative)
                };
                let zero = self.pool.and2(same, wanted);
                let takes = self.pool.or2(first, zero);
                let ordered = self.pool.ite(takes, x.term, y);
                let not_x = self.pool.ite(nan_x, y, ordered);
                let one = self.pool.ite(nan_y, x.term, not_x);
                let both = self.pool.and2(nan_x, nan_y);
                self.require(nan_any);
                Value::new(self.pool.ite(both, any.term, one), whole)
            }
            _ => return None,
        })
    }
}

const NOT_TRACKED: &str = "an operation on extended or quadruple precision has any value";
const BY_AXIOMS: &str = "a floating-point operation has any value that its axioms allow";

/// The comparison with its operands exchanged.
fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        other => other,
    }
}

fn pattern_of(value: &Int) -> Option<u128> {
    u128::try_from(value.to_bigint()).ok()
}

fn interval_of(range: &Range, shape: Shape) -> Option<interval::Range> {
    let (lo, hi) = (range.lo.as_ref()?, range.hi.as_ref()?);
    match shape {
        Shape::Int(_) => Some(interval::Range::Int(lo.to_i128()?, hi.to_i128()?)),
        Shape::Float(format) => {
            let (lo, hi) = (pattern_of(lo)?, pattern_of(hi)?);
            if hi <= format.infinity() {
                Some(interval::Range::Float(lo, hi))
            } else if lo >= format.sign() && hi <= format.sign() | format.infinity() {
                Some(interval::Range::Float(hi, lo))
            } else {
                None
            }
        }
    }
}

/// The function symbol of an operation.
fn name(op: FunctionOp, shapes: &[Shape], result: Shape) -> String {
    let shapes: Vec<String> = shapes.iter().map(|shape| shape.name()).collect();
    format!("{PREFIX}{}:{}:{}", op.name(), result.name(), shapes.join(","))
}

/// The operation of a function symbol.
fn parse(name: &str) -> Option<(FunctionOp, Vec<Shape>, Shape)> {
    let mut parts = name.strip_prefix(PREFIX)?.split(':');
    let op = FunctionOp::named(parts.next()?)?;
    let result = Shape::named(parts.next()?)?;
    let shapes: Option<Vec<Shape>> = parts.next()?.split(',').map(Shape::named).collect();
    Some((op, shapes?, result))
}

/// The exact value of a function symbol at concrete arguments; `None` if the name is none or C leaves the result undefined.
pub fn evaluate_float(name: &str, arguments: &[Int]) -> Option<Int> {
    let (op, shapes, result) = parse(name)?;
    evaluate(op, &shapes, result, arguments)
}

fn evaluate(op: FunctionOp, shapes: &[Shape], result: Shape, arguments: &[Int]) -> Option<Int> {
    if shapes.len() != arguments.len() {
        return None;
    }
    let operand = |(value, &shape): (&Int, &Shape)| {
        let low = value.mod_floor(&Int::pow2(shape.width()));
        pattern_of(&low).map(|bits| Operand { bits, shape })
    };
    let operands: Option<Vec<Operand>> = arguments.iter().zip(shapes).map(operand).collect();
    let bits = number(math::evaluate(op, &operands?, result)?);
    Some(match result {
        Shape::Int(info) => expr::wrap(&bits, info),
        Shape::Float(_) => bits,
    })
}

/// The axioms for an application of an operation to floating-point operands of a format. Long, as it has a case for each operation.
fn axioms(
    pool: &mut TermPool,
    op: FunctionOp,
    format: Format,
    to: Shape,
    operands: &[TermId],
    r: TermId,
) -> Vec<TermId> {
    match (op, operands, to) {
        (FunctionOp::Arithmetic(op), &[x, y], _) => arithmetic(&mut Patterns { pool, format }, op, x, y, r),
        (FunctionOp::Math(MathOp::Modulus), &[x, y], _) => modulus(&mut Patterns { pool, format }, x, y, r),
        (FunctionOp::Convert, &[x], Shape::Float(other)) => {
            let mut from = Patterns { pool, format };
            let (nan, sign) = (from.nan(x), from.sign(x));
            let mut into = Patterns {
                pool: from.pool,
                format: other,
            };
            let (result_nan, result_sign) = (into.nan(r), into.sign(r));
            vec![pool.iff(nan, result_nan), pool.iff(sign, result_sign)]
        }
        (FunctionOp::Convert, &[x], Shape::Int(_)) => {
            let domain = defined(format, to);
            let mut p = Patterns { pool, format };
            let within = in_domain(&mut p, x, domain);
            let (sign, one) = (p.sign(x), p.magnitude_is(x, BinOp::Lt, format.one()));
            let zero = p.pool.int(0i64);
            let (up, down) = (p.pool.le(zero, r), p.pool.le(r, zero));
            let is_zero = p.pool.eq(r, zero);
            let positive = p.pool.not(sign);
            let large = p.pool.not(one);
            let nonzero = p.pool.not(is_zero);
            let mut all = Vec::new();
            for (premises, conclusion) in [
                ([within, positive], up),
                ([within, sign], down),
                ([within, one], is_zero),
                ([within, large], nonzero),
            ] {
                let premise = p.pool.and(&premises);
                all.push(p.pool.implies(premise, conclusion));
            }
            all
        }
        (FunctionOp::Math(MathOp::Sqrt), &[x], _) => {
            let mut p = Patterns { pool, format };
            let (nan, sign, zero) = (p.nan(x), p.sign(x), p.zero(x));
            let positive = p.pool.not(zero);
            let below = p.pool.and2(sign, positive);
            let invalid = p.pool.or2(nan, below);
            let result_nan = p.nan(r);
            let mut all = vec![p.pool.iff(invalid, result_nan)];
            let valid = p.pool.not(invalid);
            let (one, result_one) = (
                p.magnitude_is(x, BinOp::Ge, format.one()),
                p.magnitude_is(r, BinOp::Ge, format.one()),
            );
            let (shrinks, grows) = (p.not_above_magnitude(r, x), p.not_above_magnitude(x, r));
            let result_sign = p.sign(r);
            let keeps = p.pool.iff(sign, result_sign);
            let small = p.magnitude_is(x, BinOp::Le, format.one());
            let result_small = p.magnitude_is(r, BinOp::Le, format.one());
            for (premises, conclusion) in [
                ([valid, valid], keeps),
                ([valid, one], shrinks),
                ([valid, one], result_one),
                ([valid, small], grows),
                ([valid, small], result_small),
            ] {
                let premise = p.pool.and(&premises);
                all.push(p.pool.implies(premise, conclusion));
            }
            all
        }
        (FunctionOp::Math(MathOp::Integral(rounding)), &[x], _) => {
            let mut p = Patterns { pool, format };
            let (nan, result_nan) = (p.nan(x), p.nan(r));
            let (sign, result_sign) = (p.sign(x), p.sign(r));
            let mut all = vec![p.pool.iff(nan, result_nan), p.pool.iff(sign, result_sign)];
            let side = match rounding {
                Rounding::Down => p.at_most(r, x),
                Rounding::Up => p.at_most(x, r),
                Rounding::Zero => p.not_above_magnitude(r, x),
                Rounding::Nearest | Rounding::Away => p.pool.mk_true(),
            };
            all.push(p.pool.or2(nan, side));
            all
        }
        _ => Vec::new(),
    }
}

/// The axioms for the conversion of an integer: the result is a number, it has the integer's sign, and it is zero only for zero.
fn of_integer(pool: &mut TermPool, to: Shape, x: TermId, r: TermId) -> Vec<TermId> {
    let Shape::Float(format) = to else { return Vec::new() };
    let mut p = Patterns { pool, format };
    let nan = p.nan(r);
    let sign = p.sign(r);
    let zero = p.pool.int(0i64);
    let negative = p.pool.lt(x, zero);
    let (is_zero, result_zero) = (p.pool.eq(x, zero), p.zero(r));
    vec![
        p.pool.not(nan),
        p.pool.iff(negative, sign),
        p.pool.iff(is_zero, result_zero),
    ]
}

/// The axioms of arithmetic. Long, as it has a case for each operation.
fn arithmetic(p: &mut Patterns<'_>, op: Arithmetic, x: TermId, y: TermId, r: TermId) -> Vec<TermId> {
    let (nan_x, nan_y, nan_r) = (p.nan(x), p.nan(y), p.nan(r));
    let (inf_x, inf_y) = (p.infinite(x), p.infinite(y));
    let (sign_x, sign_y, sign_r) = (p.sign(x), p.sign(y), p.sign(r));
    let same_sign = p.pool.iff(sign_x, sign_y);
    let invalid = match op {
        Arithmetic::Add => {
            let apart = p.pool.not(same_sign);
            p.pool.and(&[inf_x, inf_y, apart])
        }
        Arithmetic::Sub => p.pool.and(&[inf_x, inf_y, same_sign]),
        Arithmetic::Mul => {
            let (zero_x, zero_y) = (p.zero(x), p.zero(y));
            let (first, second) = (p.pool.and2(zero_x, inf_y), p.pool.and2(inf_x, zero_y));
            p.pool.or2(first, second)
        }
        _ => {
            let (zero_x, zero_y) = (p.zero(x), p.zero(y));
            let (first, second) = (p.pool.and2(zero_x, zero_y), p.pool.and2(inf_x, inf_y));
            p.pool.or2(first, second)
        }
    };
    let nan = p.pool.or(&[nan_x, nan_y, invalid]);
    let mut all = vec![p.pool.iff(nan, nan_r)];
    let mut otherwise = |p: &mut Patterns<'_>, premise: TermId, conclusion: TermId| {
        let premise = p.pool.not(premise);
        all.push(p.pool.or(&[nan_r, premise, conclusion]));
    };
    let zero = p.key_of(0);
    match op {
        Arithmetic::Add | Arithmetic::Sub => {
            let (kx, ky, kr) = (p.key(x), p.key(y), p.key(r));
            let ky = if op == Arithmetic::Sub { p.pool.neg(ky) } else { ky };
            for (one, other) in [(kx, ky), (ky, kx)] {
                let (up, down) = (p.pool.le(zero, other), p.pool.le(other, zero));
                let (grows, shrinks) = (p.pool.le(one, kr), p.pool.le(kr, one));
                otherwise(p, up, grows);
                otherwise(p, down, shrinks);
            }
            // The sum has the sign of the greater operand; it is zero only of opposite ones.
            let opposite = p.pool.neg(ky);
            let (above, below) = (p.pool.le(opposite, kx), p.pool.le(kx, opposite));
            let (up, down) = (p.pool.le(zero, kr), p.pool.le(kr, zero));
            for (premise, conclusion) in [(above, up), (up, above), (below, down), (down, below)] {
                otherwise(p, premise, conclusion);
            }
            for infinite in [(inf_x, kx), (inf_y, ky)] {
                let same = p.pool.eq(kr, infinite.1);
                otherwise(p, infinite.0, same);
            }
        }
        _ => {
            let truth = p.pool.mk_true();
            let rule = p.pool.iff(same_sign, sign_r);
            let rule = p.pool.not(rule);
            otherwise(p, truth, rule);
            let one = p.format.one();
            let (mx, my, mr) = (p.magnitude(x), p.magnitude(y), p.magnitude(r));
            let sides = match op {
                Arithmetic::Mul => vec![(x, my), (y, mx)],
                _ => vec![(y, mx)],
            };
            for (factor, other) in sides {
                let (large, small) = (
                    p.magnitude_is(factor, BinOp::Ge, one),
                    p.magnitude_is(factor, BinOp::Le, one),
                );
                let (grows, shrinks) = (p.pool.le(other, mr), p.pool.le(mr, other));
                let (with_large, with_small) = match op {
                    Arithmetic::Mul => (grows, shrinks),
                    _ => (shrinks, grows),
                };
                otherwise(p, large, with_large);
                otherwise(p, small, with_small);
            }
            let (zero_x, zero_r) = (p.zero(x), p.zero(r));
            otherwise(p, zero_x, zero_r);
            if op == Arithmetic::Mul {
                let zero_y = p.zero(y);
                otherwise(p, zero_y, zero_r);
            } else {
                let (below, above) = (p.pool.le(mx, my), p.pool.le(my, mx));
                let (small, large) = (p.magnitude_is(r, BinOp::Le, one), p.magnitude_is(r, BinOp::Ge, one));
                otherwise(p, below, small);
                otherwise(p, above, large);
            }
        }
    }
    all
}

/// `fmod`: no further from zero than either operand, with the sign of the first.
fn modulus(p: &mut Patterns<'_>, x: TermId, y: TermId, r: TermId) -> Vec<TermId> {
    let (nan_x, nan_y, nan_r) = (p.nan(x), p.nan(y), p.nan(r));
    let (inf_x, zero_y) = (p.infinite(x), p.zero(y));
    let nan = p.pool.or(&[nan_x, nan_y, inf_x, zero_y]);
    let (sign_x, sign_r) = (p.sign(x), p.sign(r));
    let same = p.pool.iff(sign_x, sign_r);
    let below = p.not_above_magnitude(r, x);
    let (my, mr) = (p.magnitude(y), p.magnitude(r));
    let smaller = p.pool.lt(mr, my);
    let mut all = vec![p.pool.iff(nan, nan_r)];
    for conclusion in [same, below, smaller] {
        all.push(p.pool.or2(nan_r, conclusion));
    }
    all
}

/// The least and the greatest number whose conversion to an integer type is defined, by their patterns.
fn defined(format: Format, to: Shape) -> (u128, u128) {
    let Shape::Int(info) = to else {
        return (format.infinity() | format.sign(), format.infinity());
    };
    let fits = |bits| float::to_int(format, bits, info.width, info.signed, Rounding::Zero).is_some();
    let bits = info.width - u32::from(info.signed);
    let above = float::scale(format, format.one(), i128::from(bits), Rounding::Nearest);
    let greatest = float::next(format, above, false);
    let least = match info.signed {
        true => {
            let edge = float::negate(format, above);
            let further = float::binary(Arithmetic::Sub, format, edge, format.one(), Rounding::Up);
            [further, float::next(format, further, true), edge]
                .into_iter()
                .find(|&bits| fits(bits))
        }
        false => Some(float::next(format, float::negate(format, format.one()), true)),
    };
    let least = least.filter(|&bits| fits(bits)).unwrap_or(0);
    assert!(fits(greatest), "a number below the type's bound converts");
    (least, greatest)
}

fn in_domain(p: &mut Patterns<'_>, x: TermId, (least, greatest): (u128, u128)) -> TermId {
    let (lo, hi) = (p.key_of(least), p.key_of(greatest));
    let key = p.key(x);
    let (above, below) = (p.pool.le(lo, key), p.pool.le(key, hi));
    p.pool.and2(above, below)
}

/// How a result goes with an operand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trend {
    Up,
    Down,
}

/// The numbers that formulas compare floating-point values with, as patterns without sign: the ends of ranges that a proof may need.
pub fn thresholds(pool: &TermPool, formulas: &[TermId]) -> BTreeSet<Int> {
    let mut found = BTreeSet::new();
    let signs = [Format::Half, Format::Single, Format::Double].map(|format| number(format.sign()));
    for term in pool.sub_terms(formulas) {
        let (Term::Le(sum) | Term::Eq(sum)) = *pool.term(term) else {
            continue;
        };
        let constant = pool.for_each_monomial(sum, |_, _| {}).abs();
        for near in [&constant - &Int::ONE, constant.clone(), &constant + &Int::ONE] {
            for sign in &signs {
                let rest = &near - sign;
                found.insert(rest.abs());
            }
            if !near.is_negative() {
                found.insert(near);
            }
        }
    }
    found
}

/// A point further on from one at which a model has a wrong value, where the operands are the next thresholds in the direction in which the true results come
/// near to the wrong one. By monotonicity its value bounds all results on the way.
pub fn corner(operator: &str, at: &[Int], exact: &Int, wrong: &Int, thresholds: &BTreeSet<Int>) -> Option<Vec<Int>> {
    let (op, shapes, result) = parse(operator)?;
    let (trends, by_magnitude) = trends(op)?;
    let measure = |value: &Int, shape: Shape| match shape {
        Shape::Int(_) => Some(value.clone()),
        Shape::Float(format) => {
            let bits = pattern_of(value)?;
            let magnitude = number(bits & format.magnitude());
            let down = float::is_negative(format, bits) && !by_magnitude;
            (!float::is_nan(format, bits)).then(|| if down { -magnitude } else { magnitude })
        }
    };
    let rising = measure(wrong, result)? > measure(exact, result)?;
    let mut corner = Vec::with_capacity(at.len());
    for ((value, &shape), &trend) in at.iter().zip(&shapes).zip(trends) {
        let up = (trend == Trend::Up) == rising;
        let here = measure(value, shape)?;
        let Shape::Float(format) = shape else {
            let info = match shape {
                Shape::Int(info) => info,
                Shape::Float(_) => unreachable!("floating-point operands are handled below"),
            };
            let (least, greatest) = expr::range(info);
            let mut all: Vec<Int> = thresholds.iter().flat_map(|t| [t.clone(), -t]).collect();
            all.retain(|t| *t >= least && *t <= greatest);
            corner.push(next(&all, &here, up).unwrap_or_else(|| value.clone()));
            continue;
        };
        let infinity = number(format.infinity());
        let sizes = thresholds.iter().filter(|t| **t <= infinity);
        let all: Vec<Int> = match by_magnitude {
            true => sizes.cloned().collect(),
            false => sizes.flat_map(|t| [t.clone(), -t]).collect(),
        };
        let sign = number(format.sign());
        let negative = float::is_negative(format, pattern_of(value)?);
        corner.push(match next(&all, &here, up) {
            Some(size) if by_magnitude && negative => size + sign,
            Some(key) if key.is_negative() => sign - key,
            Some(key) => key,
            None => value.clone(),
        });
    }
    (corner != at).then_some(corner)
}

/// The nearest of some numbers that is above, or below, or equal.
fn next(all: &[Int], here: &Int, up: bool) -> Option<Int> {
    match up {
        true => all.iter().filter(|t| *t >= here).min().cloned(),
        false => all.iter().filter(|t| *t <= here).max().cloned(),
    }
}

/// How the results of an operation go with its operands, and whether by their distances from zero.
fn trends(op: FunctionOp) -> Option<(&'static [Trend], bool)> {
    Some(match op {
        FunctionOp::Arithmetic(Arithmetic::Add) => (&[Trend::Up, Trend::Up], false),
        FunctionOp::Arithmetic(Arithmetic::Sub) => (&[Trend::Up, Trend::Down], false),
        FunctionOp::Arithmetic(Arithmetic::Mul) => (&[Trend::Up, Trend::Up], true),
        FunctionOp::Arithmetic(Arithmetic::Div) => (&[Trend::Up, Trend::Down], true),
        FunctionOp::Convert | FunctionOp::Math(MathOp::Sqrt | MathOp::Integral(_)) => (&[Trend::Up], false),
        _ => return None,
    })
}

/// The facts that the exact value at a point gives for applications at other points, by monotonicity.
pub fn lemmas(
    pool: &mut TermPool,
    operator: &str,
    term: TermId,
    operands: &[TermId],
    at: &[Int],
    value: &Int,
) -> Vec<TermId> {
    let Some((op, shapes, result)) = parse(operator) else {
        return Vec::new();
    };
    if let Shape::Float(format) = result
        && pattern_of(value).is_none_or(|bits| float::is_nan(format, bits))
    {
        return Vec::new();
    }
    let Some((trends, by_magnitude)) = trends(op) else {
        return Vec::new();
    };
    // The measure by which an operand or the result is compared, and its value at the point.
    let measure = |pool: &mut TermPool, x: TermId, at: &Int, shape: Shape| match shape {
        Shape::Int(_) => (x, pool.int(at.clone())),
        Shape::Float(format) => {
            let bits = pattern_of(at).unwrap_or(0);
            let mut p = Patterns { pool, format };
            match by_magnitude {
                true => (p.magnitude(x), p.constant(bits & format.magnitude())),
                false => (p.key(x), p.key_of(bits)),
            }
        }
    };
    let (r, exact) = measure(pool, term, value, result);
    let mut found = Vec::new();
    for rising in [true, false] {
        let mut premises = Vec::new();
        for (((&x, at), &shape), &trend) in operands.iter().zip(at).zip(&shapes).zip(trends) {
            let (x, edge) = measure(pool, x, at, shape);
            premises.push(match (trend == Trend::Up) == rising {
                true => pool.le(x, edge),
                false => pool.le(edge, x),
            });
        }
        let mut conclusions = vec![if rising { pool.le(r, exact) } else { pool.le(exact, r) }];
        match (result, shapes[0]) {
            (Shape::Float(format), _) => conclusions.push(Patterns { pool, format }.nan(term)),
            (Shape::Int(_), Shape::Float(format)) => {
                let mut p = Patterns { pool, format };
                let within = in_domain(&mut p, operands[0], defined(format, result));
                premises.push(within);
            }
            (Shape::Int(_), Shape::Int(_)) => return Vec::new(),
        }
        let premise = pool.and(&premises);
        let conclusion = pool.or(&conclusions);
        found.push(pool.implies(premise, conclusion));
    }
    found
}
