//! Floating-point values in formulas: bit patterns as unsigned integers ([`code`]), with linear constraints for order, classes and arithmetic. All formats of C's types on
//! x86 have them, from binary16 to binary128.
//!
//! The *key* of a value is its code for positive values and minus the rest without the sign for negative ones. It embeds the order: of two
//! numbers the one with the smaller key is smaller, both zeros have the key 0, and only NaN has keys beyond those of the infinities. So comparisons,
//! signs and classes are exact in linear integer arithmetic, and what only changes bits (`-x`, `fabs`, `copysign`) is, too.
//!
//! Arithmetic is a function symbol for each operation and format, `__fp:add:f64:f64,f64`, with axioms for what is cheap and often needed: when the result
//! is NaN, its sign, and on which side of the operands it lies; if the operands' ranges are known, the range of the result by interval arithmetic. Every real
//! execution satisfies that. A model that is wrong at a point gets the true value there, and *monotonicity* from it ([`lemmas`]): as correct rounding is monotone,
//! `x <= a` and `y <= b` imply that `x + y` is at most the rounded `a + b`. That is refinement by lemmas on demand, as for non-linear integers (`nonlinear`);
//! compare Brain, Schanda, Sun, *Building better bit-blasting for floating-point problems*, TACAS 2019, for the alternative, which needs bits.
//!
//! | module | does |
//! |---|---|
//! | `code` | the numbers that stand for values |
//! | `pattern` | values as terms |
//! | `axioms` | facts about every application of an operation |
//! | `lemmas` | monotonicity from single points |
//! | `binades` | conversions to and from integers, between powers of two |
//! | `laws` | laws of two applications |

mod axioms;
mod binades;
pub(crate) mod code;
mod laws;
mod lemmas;
mod pattern;

#[cfg(test)]
mod tests;

pub use laws::{Application, law};
pub use lemmas::{corner, lemmas, thresholds};

use super::context;
use super::context::{Context, Value};
use super::ranges;
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
use axioms::{axioms, of_integer};
use pattern::{Patterns, number};
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};
use std::collections::BTreeSet;

/// The prefix of the function symbols of floating-point operations.
pub const PREFIX: &str = "__fp:";

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
        let constant = |value: &Value| value.range.as_point().and_then(|code| code::pattern(format, code));
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
            Class::Float => {
                let bits = to.format().map_or(to.width, Format::width);
                let pattern = self.fit(
                    value,
                    Scalar {
                        width: bits,
                        ..to.unsigned()
                    },
                );
                self.value_of_bits(pattern, to)
            }
            _ => self.fit(value, to),
        }
    }

    /// `-x` of a floating-point value.
    pub fn negate_float(&mut self, value: &Value, format: Format, scalar: Scalar) -> Value {
        let sign = number(code::sign(format));
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
        if let Some(value) = self.rearranged(op, &values, (&shapes, operands[0].1), result) {
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
                let (first, last) = (number(code::of(format, lo)), number(code::of(format, hi)));
                match (float::is_negative(format, lo), float::is_negative(format, hi)) {
                    (false, _) => Range::new(first, last),
                    (true, true) => Range::new(last, first),
                    (true, false) => {
                        let sides = (number(code::sign(format)), last);
                        return (Range::new(0i64, first), Some(sides));
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
    fn rearranged(
        &mut self,
        op: FunctionOp,
        values: &[Value],
        (shapes, operand): (&[Shape], Scalar),
        result: Scalar,
    ) -> Option<Value> {
        let x = values[0].clone();
        let Shape::Float(format) = shapes[0] else {
            return match op {
                FunctionOp::Math(MathOp::OfBits) if !self.ideal() => Some(self.reinterpret(x, result)),
                _ => None,
            };
        };
        let whole = self.range_of(result);
        Some(match op {
            FunctionOp::Negate => self.negate_float(&x, format, result),
            FunctionOp::Math(MathOp::Bits) if !self.ideal() => {
                let pattern = self.bits_of_value(&x, operand);
                self.fit(pattern, result)
            }
            FunctionOp::Math(MathOp::Abs) => {
                let magnitude = self.patterns(format).magnitude(x.term);
                let range = Range::new(0i64, number(code::magnitude(format)));
                let range = if x.range.within(&range) { x.range } else { range };
                Value::new(magnitude, range)
            }
            FunctionOp::Math(MathOp::CopySign) => {
                let mut patterns = self.patterns(format);
                let (magnitude, negative) = (patterns.magnitude(x.term), patterns.sign(values[1].term));
                let down = self.pool.linear(&[(Int::ONE, magnitude)], number(code::sign(format)));
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

const NOT_TRACKED: &str = "an operation on a type without numbers in formulas has any value";
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

fn interval_of(range: &Range, shape: Shape) -> Option<interval::Range> {
    let (lo, hi) = (range.lo.as_ref()?, range.hi.as_ref()?);
    match shape {
        Shape::Int(_) => Some(interval::Range::Int(lo.to_i128()?, hi.to_i128()?)),
        Shape::Float(format) => {
            let (lo, hi) = (code::pattern(format, lo)?, code::pattern(format, hi)?);
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

/// The exact value of a function symbol at concrete arguments, floating-point values by their codes; `None` if the name is none or C leaves the result undefined.
pub fn evaluate_float(name: &str, arguments: &[Int]) -> Option<Int> {
    let (op, shapes, result) = parse(name)?;
    evaluate(op, &shapes, result, arguments)
}

fn evaluate(op: FunctionOp, shapes: &[Shape], result: Shape, arguments: &[Int]) -> Option<Int> {
    if shapes.len() != arguments.len() {
        return None;
    }
    let operand = |(value, &shape): (&Int, &Shape)| {
        let bits = match shape {
            Shape::Int(info) => u128::try_from(value.mod_floor(&Int::pow2(info.width)).to_bigint()).ok(),
            Shape::Float(format) => code::pattern(format, value),
        };
        bits.map(|bits| Operand { bits, shape })
    };
    let operands: Option<Vec<Operand>> = arguments.iter().zip(shapes).map(operand).collect();
    let bits = math::evaluate(op, &operands?, result)?;
    match result {
        Shape::Int(info) => Some(expr::wrap(&number(bits), info)),
        Shape::Float(format) => code::encode(format, bits).map(number),
    }
}
