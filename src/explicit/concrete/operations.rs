//! The effects of instructions on the bits of registers: integers, shifts, floating-point numbers, comparisons of pointers.

use super::Stop;
use super::code::{FloatOp, Test};
use super::memory::{Memory, Pointer};
use crate::cfa::program::layout::STATIC_BASE;
use crate::frontend::types::float;
use crate::frontend::types::float::{Arithmetic, Format, Rounding};

/// An integer from its lowest bits.
#[inline(always)]
pub(super) fn norm_s(value: u64, s: u8) -> u64 {
    ((value << s).cast_signed() >> s).cast_unsigned()
}

#[inline(always)]
pub(super) fn norm_u(value: u64, s: u8) -> u64 {
    (value << s) >> s
}

#[inline(always)]
pub(super) fn test(test: Test, a: u64, b: u64) -> bool {
    match test {
        Test::Eq => a == b,
        Test::Ne => a != b,
        Test::LtS => a.cast_signed() < b.cast_signed(),
        Test::LeS => a.cast_signed() <= b.cast_signed(),
        Test::LtU => a < b,
        Test::LeU => a <= b,
    }
}

/// The divisor is zero.
pub(super) const BY_ZERO: Stop = Stop("a division by zero");

/// Defines an operation of one format: what is no number has the bits that [`float`] says.
macro_rules! float_operation {
    ($name:ident, $format:expr, $from:expr, $to:expr) => {
        #[inline]
        pub(super) fn $name(op: FloatOp, x: u64, y: u64) -> u64 {
            let (a, b) = ($from(x), $from(y));
            let (value, op) = match op {
                FloatOp::Add => (a + b, Arithmetic::Add),
                FloatOp::Sub => (a - b, Arithmetic::Sub),
                FloatOp::Mul => (a * b, Arithmetic::Mul),
                FloatOp::Div => (a / b, Arithmetic::Div),
                FloatOp::Lt => return u64::from(a < b),
                FloatOp::Le => return u64::from(a <= b),
                FloatOp::Eq => return u64::from(a == b),
            };
            match value.is_nan() {
                true => float::binary(op, $format, x.into(), y.into(), Rounding::Nearest) as u64,
                false => $to(value),
            }
        }
    };
}

float_operation!(
    float32,
    Format::Single,
    |bits| f32::from_bits(bits as u32),
    |value: f32| { u64::from(value.to_bits()) }
);
float_operation!(float64, Format::Double, f64::from_bits, f64::to_bits);

#[cold]
pub(super) fn converted(from: Format, to: Format, bits: u64) -> u64 {
    float::convert(from, to, bits.into(), Rounding::Nearest) as u64
}

/// Quotient and remainder, unless C leaves them undefined.
#[inline]
pub(super) fn divided(a: u64, b: u64, s: u8) -> Result<(u64, u64), Stop> {
    let (a, b) = (a.cast_signed(), b.cast_signed());
    let quotient = a.checked_div(b).ok_or(BY_ZERO)?.cast_unsigned();
    if norm_s(quotient, s) != quotient {
        return Err(Stop("a quotient that is too great"));
    }
    Ok((quotient, a.wrapping_rem(b).cast_unsigned()))
}

/// By how many bits a value is shifted, unless that is too far. Zero may be shifted anywhere.
#[inline]
pub(super) fn amount(value: u64, by: u64, s: u8) -> Result<u64, Stop> {
    match by {
        _ if by < 64 - u64::from(s) => Ok(by),
        _ if value == 0 => Ok(0),
        _ => Err(Stop("a shift that is too far")),
    }
}

/// A number without its fraction, if its type has it.
pub(super) fn truncated(value: f64, signed: bool, s: u8) -> Result<u64, Stop> {
    let value = value.trunc();
    let width = 64 - i32::from(s);
    let (least, beyond) = match signed {
        true => (-f64::powi(2.0, width - 1), f64::powi(2.0, width - 1)),
        false => (0.0, f64::powi(2.0, width)),
    };
    if !(least <= value && value < beyond) {
        return Err(Stop("a number that does not fit its type"));
    }
    Ok(if signed {
        (value as i64).cast_unsigned()
    } else {
        value as u64
    })
}

/// Compares pointers as far as that does not depend on where objects are. Of pointers to one object only the offsets count as long as no address near them wraps around, wherever the object is.
pub(super) fn test_pointers(memory: &Memory, p: Pointer, q: Pointer, of: Test) -> Result<bool, Stop> {
    const PLACES: Stop = Stop("a comparison that depends on addresses");
    let is_equality = matches!(of, Test::Eq | Test::Ne);
    if p.tag == q.tag {
        if p.tag == 0 || is_equality {
            return Ok(test(of, p.offset, q.offset));
        }
        if memory.is_near(p) && memory.is_near(q) {
            // A place in front of the object comes before those in it.
            let of = match of {
                Test::LtU => Test::LtS,
                Test::LeU => Test::LeS,
                other => other,
            };
            return Ok(test(of, memory.distance(p), memory.distance(q)));
        }
    }
    let differ = match (p.tag, q.tag) {
        (0, _) => memory.is_valid(q) && p.offset < STATIC_BASE,
        (_, 0) => memory.is_valid(p) && q.offset < STATIC_BASE,
        _ => p.tag != q.tag && memory.is_inside(p) && memory.is_inside(q),
    };
    match is_equality && differ {
        true => Ok(of == Test::Ne),
        false => Err(PLACES),
    }
}
