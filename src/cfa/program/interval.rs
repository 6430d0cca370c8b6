//! Interval arithmetic on machine numbers: bounds of a function's result from bounds of its operands.
//!
//! Correct rounding is monotone, so the ends of an interval of results are the results at ends of the operands' intervals (Moore, *Interval Analysis*,
//! 1966). An interval of floating-point values is given by bit patterns, lies on one side of zero, and has no NaN in it; the zeros count as different, as their
//! reciprocals are.

use super::math;
use super::math::{FunctionOp, MathOp, Operand, Shape};
use crate::cfa::BinOp;
use crate::frontend::types::IntInfo;
use crate::frontend::types::float;
use crate::frontend::types::float::{Arithmetic, Format, Rounding};
use std::cmp::Ordering;

/// An interval: of integers, or of numbers by their patterns, ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// From the least to the greatest integer.
    Int(i128, i128),
    /// From the pattern of the least to that of the greatest number. Results may lie on both sides of zero.
    Float(u128, u128),
}

/// An interval that holds every result on operands from intervals, each of which lies on one side of zero. `None` if NaN may be a result, or if there
/// is none better than all values.
pub fn enclose(op: FunctionOp, shapes: &[Shape], result: Shape, ranges: &[Range]) -> Option<Range> {
    match (op, ranges, shapes) {
        (FunctionOp::Arithmetic(op), &[Range::Float(a, b), Range::Float(c, d)], &[Shape::Float(format), _]) => {
            if op == Arithmetic::Div && holds_zero(format, c, d) {
                return None;
            }
            let down = |bits| float::is_negative(format, bits);
            // The sign of a result that is zero: sums have one only of two negative zeros, products and quotients by the rule of signs.
            let zero = match op {
                Arithmetic::Add => down(a) && down(c),
                Arithmetic::Sub => down(a) && !down(c),
                _ => down(a) != down(c),
            };
            let corners = [(a, c), (a, d), (b, c), (b, d)];
            let corners = corners.map(|(x, y)| float::binary(op, format, x, y, Rounding::Nearest));
            hull(format, corners, zero)
        }
        (FunctionOp::Convert, &[Range::Float(a, b)], &[Shape::Float(from)]) => match result {
            Shape::Float(to) => {
                let ends = [a, b].map(|x| float::convert(from, to, x, Rounding::Nearest));
                hull(to, ends, float::is_negative(from, a))
            }
            Shape::Int(info) => {
                let end = |x| float::to_int(from, x, 127, true, Rounding::Zero);
                let extend = |x: u128| (x << 1).cast_signed() >> 1;
                let (lo, hi) = (extend(end(a)?), extend(end(b)?));
                let (least, greatest) = bounds(info);
                // A value that does not fit is undefined, and then any.
                (least <= lo && hi <= greatest).then_some(Range::Int(lo, hi))
            }
        },
        (FunctionOp::Convert, &[Range::Int(a, b)], _) => {
            let Shape::Float(to) = result else { return None };
            hull(to, [a, b].map(|x| float::from_int(to, x, Rounding::Nearest)), false)
        }
        (FunctionOp::Math(MathOp::Sqrt), &[Range::Float(a, b)], &[Shape::Float(format)]) => {
            let ends = [a, b].map(|x| float::sqrt(format, x, Rounding::Nearest));
            hull(format, ends, float::is_negative(format, a))
        }
        (FunctionOp::Math(MathOp::Integral(rounding)), &[Range::Float(a, b)], &[Shape::Float(format)]) => {
            let ends = [a, b].map(|x| float::integral(format, x, rounding));
            hull(format, ends, float::is_negative(format, a))
        }
        (
            FunctionOp::Math(op @ (MathOp::Min | MathOp::Max)),
            &[Range::Float(a, b), Range::Float(c, d)],
            &[Shape::Float(format), _],
        ) => {
            let end = |x, y| {
                let operands = [x, y].map(|bits| Operand {
                    bits,
                    shape: Shape::Float(format),
                });
                op.evaluate(Shape::Float(format), &operands)
            };
            Some(Range::Float(end(a, c)?, end(b, d)?))
        }
        _ => None,
    }
}

/// Whether an interval of numbers has a zero in it.
fn holds_zero(format: Format, lo: u128, hi: u128) -> bool {
    let zero = 0;
    math::holds(BinOp::Le, float::compare(format, lo, zero)) && math::holds(BinOp::Ge, float::compare(format, hi, zero))
}

/// The least interval that holds all of these, zeros of the given sign. `None` if one is NaN.
fn hull<const N: usize>(format: Format, values: [u128; N], negative_zero: bool) -> Option<Range> {
    let (mut lo, mut hi) = (values[0], values[0]);
    for value in values {
        if float::compare(format, value, lo)? == Ordering::Less {
            lo = value;
        }
        if float::compare(format, value, hi)? == Ordering::Greater {
            hi = value;
        }
    }
    let signed = |bits| match (float::is_zero(format, bits), negative_zero) {
        (true, true) => format.sign(),
        (true, false) => 0,
        (false, _) => bits,
    };
    Some(Range::Float(signed(lo), signed(hi)))
}

fn bounds(info: IntInfo) -> (i128, i128) {
    // An integer type of 128 bits has no more than the numbers with sign here.
    match (info.signed, info.width) {
        (true, width) => (-1 << (width - 1), !(-1 << (width - 1))),
        (false, width @ ..127) => (0, (1 << width) - 1),
        (false, _) => (0, i128::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn end() -> impl Strategy<Value = f64> {
        prop_oneof![
            any::<f64>().prop_filter("a number", |x| !x.is_nan()),
            -3.0f64..3.0,
            prop::sample::select(vec![
                0.0,
                -0.0,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::MAX,
                5e-324,
                -5e-324
            ]),
        ]
    }

    /// A point of an interval of patterns on one side of zero.
    fn point((lo, hi): (f64, f64), at: u64) -> f64 {
        let (a, b) = (lo.to_bits().min(hi.to_bits()), lo.to_bits().max(hi.to_bits()));
        f64::from_bits(match b - a {
            0 => a,
            width => a + at % width,
        })
    }

    fn bits(x: f64) -> u128 {
        x.to_bits().into()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// Every result on points of intervals is in the interval of the results.
        #[test]
        fn intervals_hold_every_result(a in end(), b in end(), c in end(), d in end(), x in any::<u64>(), y in any::<u64>()) {
            let order = |a: f64, b: f64| {
                let b = b.copysign(a);
                if a <= b { (a, b) } else { (b, a) }
            };
            let (first, second) = (order(a, b), order(c, d));
            let (x, y) = (point(first, x), point(second, y));
            let double = Shape::Float(Format::Double);
            let range = |(lo, hi): (f64, f64)| Range::Float(bits(lo), bits(hi));
            let operators = [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul, Arithmetic::Div];
            let mut cases: Vec<(FunctionOp, usize, Shape)> =
                operators.map(|op| (FunctionOp::Arithmetic(op), 2, double)).to_vec();
            cases.push((FunctionOp::Math(MathOp::Sqrt), 1, double));
            cases.push((FunctionOp::Math(MathOp::Min), 2, double));
            cases.push((FunctionOp::Math(MathOp::Max), 2, double));
            cases.push((FunctionOp::Convert, 1, Shape::Float(Format::Single)));
            cases.push((FunctionOp::Convert, 1, Shape::Int(IntInfo { width: 32, signed: true })));
            for rounding in [Rounding::Nearest, Rounding::Down, Rounding::Up, Rounding::Zero, Rounding::Away] {
                cases.push((FunctionOp::Math(MathOp::Integral(rounding)), 1, double));
            }
            for (op, count, result) in cases {
                let ranges = [range(first), range(second)];
                let Some(range) = enclose(op, &[double; 2][..count], result, &ranges[..count]) else { continue };
                let operands = [x, y].map(|x| Operand { bits: bits(x), shape: double });
                let Some(value) = math::evaluate(op, &operands[..count], result) else {
                    prop_assert!(false, "a result in bounds is defined: {op:?} {x:?}");
                    continue;
                };
                match (range, result) {
                    (Range::Float(lo, hi), Shape::Float(format)) => {
                        prop_assert!(math::holds(BinOp::Le, float::compare(format, lo, value)), "{op:?} {x:?} {y:?}");
                        prop_assert!(math::holds(BinOp::Le, float::compare(format, value, hi)), "{op:?} {x:?} {y:?}");
                        let zero = float::is_zero(format, value);
                        let sign = float::is_negative(format, value);
                        prop_assert!(!(zero && sign) || float::is_negative(format, lo), "{op:?} {x:?} {y:?}");
                        prop_assert!(!zero || sign || !float::is_negative(format, hi), "{op:?} {x:?} {y:?}");
                    }
                    (Range::Int(lo, hi), Shape::Int(info)) => {
                        let number = crate::cfa::program::expr::wrap(&crate::cfa::program::expr::unsigned(value), info).to_i128().unwrap();
                        prop_assert!((lo..=hi).contains(&number));
                    }
                    _ => prop_assert!(false, "the range is of the result's kind"),
                }
            }
        }
    }
}
