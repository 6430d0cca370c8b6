//! Operations of `float` and `double` by the machine's own instructions, where these give the same bits as the exact arithmetic.
//!
//! Rust computes in the format itself and rounds to nearest, as IEEE 754 requires. Only the bits of a NaN are not fixed; so an operation with a NaN
//! is left to the caller (`None`), and a NaN result becomes the default NaN.

use super::{Arithmetic, Format, Rounding, made};

/// The number of a bit pattern.
pub fn single(bits: u128) -> f32 {
    f32::from_bits(u32::try_from(bits & u128::from(u32::MAX)).expect("it has 32 bits"))
}

/// The number of a bit pattern.
pub fn double(bits: u128) -> f64 {
    f64::from_bits(u64::try_from(bits & u128::from(u64::MAX)).expect("it has 64 bits"))
}

/// Defines the operations of one of the machine's formats.
macro_rules! operation {
    ($name:ident, $format:expr, $number:ident) => {
        fn $name(op: Arithmetic, a: u128, b: u128) -> Option<u128> {
            let (x, y) = ($number(a), $number(b));
            let result = match op {
                Arithmetic::Add => x + y,
                Arithmetic::Sub => x - y,
                Arithmetic::Mul => x * y,
                Arithmetic::Div => x / y,
                Arithmetic::Modulus => x % y,
                Arithmetic::Remainder => return None,
            };
            if !result.is_nan() {
                return Some(result.to_bits().into());
            }
            let made_here = !x.is_nan() && !y.is_nan();
            made_here.then(|| made($format, result.to_bits().into()))
        }
    };
}

operation!(single_operation, Format::Single, single);
operation!(double_operation, Format::Double, double);

/// A binary operation rounded to nearest. `None` for other formats, and where an operand is NaN.
pub fn binary(op: Arithmetic, format: Format, a: u128, b: u128) -> Option<u128> {
    match format {
        Format::Double => double_operation(op, a, b),
        Format::Single => single_operation(op, a, b),
        _ => None,
    }
}

/// The nearest integer of a number that is no NaN.
pub fn integral(format: Format, bits: u128, rounding: Rounding) -> Option<u128> {
    match format {
        Format::Double => {
            let x = double(bits);
            let result = match rounding {
                Rounding::Nearest => x.round_ties_even(),
                Rounding::Down => x.floor(),
                Rounding::Up => x.ceil(),
                Rounding::Zero => x.trunc(),
                Rounding::Away => x.round(),
            };
            Some(result.to_bits().into())
        }
        Format::Single => {
            let x = single(bits);
            let result = match rounding {
                Rounding::Nearest => x.round_ties_even(),
                Rounding::Down => x.floor(),
                Rounding::Up => x.ceil(),
                Rounding::Zero => x.trunc(),
                Rounding::Away => x.round(),
            };
            Some(result.to_bits().into())
        }
        _ => None,
    }
}

/// The value of `float` or `double` that is nearest to an integer.
pub fn from_int(format: Format, value: i64) -> u128 {
    match format {
        Format::Single => (value as f32).to_bits().into(),
        _ => (value as f64).to_bits().into(),
    }
}

/// The conversion between `float` and `double`, but of no NaN.
pub fn convert(from: Format, to: Format, bits: u128) -> Option<u128> {
    match (from, to) {
        (Format::Single, Format::Double) => {
            let x = single(bits);
            (!x.is_nan()).then(|| f64::from(x).to_bits().into())
        }
        (Format::Double, Format::Single) => {
            let x = double(bits);
            (!x.is_nan()).then(|| (x as f32).to_bits().into())
        }
        _ => None,
    }
}
