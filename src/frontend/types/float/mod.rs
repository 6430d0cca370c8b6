//! IEEE 754 arithmetic on bit patterns: the one place that computes floating-point operations.
//!
//! A floating-point value is its *bit pattern* in the low bits of a `u128`, and its [`Format`] comes from the type, as width and signedness of an
//! integer do. So values move through memory, unions and copies without conversion, and NaN, infinities and negative zero need no special form.
//!
//! The arithmetic is that of `rustc_apfloat`, the port of LLVM's `APFloat`, which is exact in all formats and rounding modes. For `float` and
//! `double` rounded to nearest the machine's own instructions are used, which give the same bits; tests hold one against the other.
//! `sqrt`, which the crate lacks, is computed digit by digit (`root`).
//!
//! # NaN
//!
//! C leaves the sign and the payload of a NaN that an operation makes to the implementation. Here they are those of x86-64: an operation with a NaN gives
//! the first operand that is one, made quiet; one without gives the *default* NaN, whose sign bit is set.
//!
//! Cost: some nanoseconds natively, some hundred by the crate.
//!
//! | module | does |
//! |---|---|
//! | `native` | operations by the instructions of the machine |
//! | `root` | square roots |
//! | `text` | values as text |

mod native;
mod root;
mod text;

#[cfg(test)]
mod tests;

pub use text::{literal, parse, show};

use rustc_apfloat::ieee::{Double, Half, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

/// The formats that C's floating types have on x86.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// binary16: `_Float16`.
    Half,
    /// binary32: `float`.
    Single,
    /// binary64: `double`.
    Double,
    /// x87's 80 bits: `long double`.
    Extended,
    /// binary128: `__float128`.
    Quad,
}

/// The rounding direction of an inexact result.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Rounding {
    /// To the nearest, ties to even: what every program begins with.
    #[default]
    Nearest,
    /// Towards negative infinity.
    Down,
    /// Towards positive infinity.
    Up,
    /// Towards zero.
    Zero,
    /// To the nearest, ties away from zero: `round`, no mode of the machine.
    Away,
}

/// An operation with two operands and a result of one format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Arithmetic {
    /// `x + y`.
    Add,
    /// `x - y`.
    Sub,
    /// `x * y`.
    Mul,
    /// `x / y`.
    Div,
    /// `fmod(x, y)`: the remainder of the quotient cut towards zero; exact.
    Modulus,
    /// `remainder(x, y)`: that of the quotient rounded to nearest even; exact.
    Remainder,
}

/// Runs an expression with `$F` as the crate's type of a format.
macro_rules! with_format {
    ($format:expr, $F:ident => $body:expr) => {
        match $format {
            Format::Half => {
                type $F = Half;
                $body
            }
            Format::Single => {
                type $F = Single;
                $body
            }
            Format::Double => {
                type $F = Double;
                $body
            }
            Format::Extended => {
                type $F = X87DoubleExtended;
                $body
            }
            Format::Quad => {
                type $F = Quad;
                $body
            }
        }
    };
}
use with_format;

impl Format {
    /// All formats, from the narrowest on.
    pub const ALL: [Format; 5] = [
        Format::Half,
        Format::Single,
        Format::Double,
        Format::Extended,
        Format::Quad,
    ];

    /// Number of bits of a value; those above are zero.
    pub fn width(self) -> u32 {
        match self {
            Format::Half => 16,
            Format::Single => 32,
            Format::Double => 64,
            Format::Extended => 80,
            Format::Quad => 128,
        }
    }

    /// Bits of precision, the leading one counted.
    pub fn precision(self) -> u32 {
        match self {
            Format::Half => 11,
            Format::Single => 24,
            Format::Double => 53,
            Format::Extended => 64,
            Format::Quad => 113,
        }
    }

    /// The bit of the sign.
    pub fn sign(self) -> u128 {
        1 << (self.width() - 1)
    }

    /// All bits but the sign.
    pub fn magnitude(self) -> u128 {
        self.sign() - 1
    }

    /// Positive infinity.
    pub fn infinity(self) -> u128 {
        with_format!(self, F => F::INFINITY.to_bits())
    }

    /// The NaN that invalid operations give: quiet, with the sign bit set.
    pub fn default_nan(self) -> u128 {
        self.quiet_nan() | self.sign()
    }

    /// The NaN of `nan("")`: quiet, positive, without payload.
    pub fn quiet_nan(self) -> u128 {
        with_format!(self, F => F::qnan(None).to_bits()) & self.magnitude()
    }

    /// The greatest finite value.
    pub fn largest(self) -> u128 {
        with_format!(self, F => F::largest().to_bits())
    }

    /// The least positive value with full precision.
    pub fn smallest_normal(self) -> u128 {
        with_format!(self, F => F::smallest_normalized().to_bits())
    }

    /// The number one.
    pub fn one(self) -> u128 {
        from_int(self, 1, Rounding::Nearest)
    }

    /// The short name in operators: `f64`.
    pub fn name(self) -> &'static str {
        match self {
            Format::Half => "f16",
            Format::Single => "f32",
            Format::Double => "f64",
            Format::Extended => "f80",
            Format::Quad => "f128",
        }
    }

    /// The format of a short name.
    pub fn named(name: &str) -> Option<Format> {
        Format::ALL.into_iter().find(|format| format.name() == name)
    }
}

impl Rounding {
    fn round(self) -> Round {
        match self {
            Rounding::Nearest => Round::NearestTiesToEven,
            Rounding::Down => Round::TowardNegative,
            Rounding::Up => Round::TowardPositive,
            Rounding::Zero => Round::TowardZero,
            Rounding::Away => Round::NearestTiesToAway,
        }
    }

    /// The mode of a number as `fesetround` takes it on x86 (`FE_TONEAREST` is 0).
    pub fn of_mode(mode: i128) -> Option<Rounding> {
        Some(match mode {
            0 => Rounding::Nearest,
            0x400 => Rounding::Down,
            0x800 => Rounding::Up,
            0xc00 => Rounding::Zero,
            _ => return None,
        })
    }
}

/// Whether the value is no number. Patterns of x87 that stand for nothing count as such.
pub fn is_nan(format: Format, bits: u128) -> bool {
    match format {
        // The leading bit is explicit there: without it a pattern with an exponent is invalid.
        Format::Extended => with_format!(format, F => F::from_bits(bits).is_nan()),
        _ => bits & format.magnitude() > format.infinity(),
    }
}

/// Whether the value is an infinity.
pub fn is_infinite(format: Format, bits: u128) -> bool {
    bits & format.magnitude() == format.infinity()
}

/// Whether the value is a number and no infinity.
pub fn is_finite(format: Format, bits: u128) -> bool {
    !is_nan(format, bits) && !is_infinite(format, bits)
}

/// Whether the value is a zero of either sign.
pub fn is_zero(format: Format, bits: u128) -> bool {
    bits & format.magnitude() == 0
}

/// Whether the sign bit is set, also of zero and NaN.
pub fn is_negative(format: Format, bits: u128) -> bool {
    bits & format.sign() != 0
}

/// `-x`: the sign bit turned, also of NaN.
pub fn negate(format: Format, bits: u128) -> u128 {
    bits ^ format.sign()
}

/// The order of two values; `None` if one is NaN. The zeros are equal.
pub fn compare(format: Format, a: u128, b: u128) -> Option<Ordering> {
    match format {
        Format::Single => native::single(a).partial_cmp(&native::single(b)),
        Format::Double => native::double(a).partial_cmp(&native::double(b)),
        _ => with_format!(format, F => F::from_bits(a).partial_cmp(&F::from_bits(b))),
    }
}

/// The result of an operation with a NaN among its operands, if there is one.
fn propagated(format: Format, operands: &[u128]) -> Option<u128> {
    let nan = operands.iter().find(|bits| is_nan(format, **bits))?;
    Some(nan | format.quiet_nan())
}

/// The result, or the default NaN in place of a NaN of the crate's.
fn made(format: Format, bits: u128) -> u128 {
    if is_nan(format, bits) {
        format.default_nan()
    } else {
        bits
    }
}

/// `x op y`.
pub fn binary(op: Arithmetic, format: Format, a: u128, b: u128, rounding: Rounding) -> u128 {
    if rounding == Rounding::Nearest
        && let Some(bits) = native::binary(op, format, a, b)
    {
        return bits;
    }
    if let Some(nan) = propagated(format, &[a, b]) {
        return nan;
    }
    let round = rounding.round();
    let bits = with_format!(format, F => {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        let result = match op {
            Arithmetic::Add => x.add_r(y, round).value,
            Arithmetic::Sub => x.sub_r(y, round).value,
            Arithmetic::Mul => x.mul_r(y, round).value,
            Arithmetic::Div => x.div_r(y, round).value,
            Arithmetic::Modulus => x.c_fmod(y).value,
            Arithmetic::Remainder => x.ieee_rem(y).value,
        };
        result.to_bits()
    });
    made(format, bits)
}

/// `x * y + z`, rounded once.
pub fn fused(format: Format, a: u128, b: u128, c: u128, rounding: Rounding) -> u128 {
    if let Some(nan) = propagated(format, &[a, b, c]) {
        return nan;
    }
    let bits = with_format!(format, F => {
        let product = F::from_bits(a);
        product.mul_add_r(F::from_bits(b), F::from_bits(c), rounding.round()).value.to_bits()
    });
    made(format, bits)
}

/// The square root; of a negative number, NaN.
pub fn sqrt(format: Format, bits: u128, rounding: Rounding) -> u128 {
    if let Some(nan) = propagated(format, &[bits]) {
        return nan;
    }
    if is_zero(format, bits) {
        return bits;
    }
    if is_negative(format, bits) {
        return format.default_nan();
    }
    if is_infinite(format, bits) {
        return bits;
    }
    root::positive(format, bits, rounding)
}

/// The nearest integer in a direction, as a value of the format.
pub fn integral(format: Format, bits: u128, rounding: Rounding) -> u128 {
    if let Some(nan) = propagated(format, &[bits]) {
        return nan;
    }
    if let Some(bits) = native::integral(format, bits, rounding) {
        return bits;
    }
    with_format!(format, F => F::from_bits(bits).round_to_integral(rounding.round()).value.to_bits())
}

/// The next value above, or (`up` is false) below. Of the greatest one, infinity.
pub fn next(format: Format, bits: u128, up: bool) -> u128 {
    if let Some(nan) = propagated(format, &[bits]) {
        return nan;
    }
    with_format!(format, F => {
        let x = F::from_bits(bits);
        if up { x.next_up().value } else { x.next_down().value }.to_bits()
    })
}

/// `x * 2^exponent`.
pub fn scale(format: Format, bits: u128, exponent: i128, rounding: Rounding) -> u128 {
    if let Some(nan) = propagated(format, &[bits]) {
        return nan;
    }
    // Beyond that every finite value is at the end of the range.
    let exponent = i32::try_from(exponent.clamp(-70_000, 70_000)).expect("it is small");
    with_format!(format, F => F::from_bits(bits).scalbn_r(exponent, rounding.round()).to_bits())
}

/// The exponent of a finite number other than zero: `floor(log2(|x|))`.
pub fn exponent(format: Format, bits: u128) -> Option<i32> {
    let known = is_finite(format, bits) && !is_zero(format, bits);
    known.then(|| with_format!(format, F => F::from_bits(bits).ilogb()))
}

/// The value nearest to an integer.
pub fn from_int(format: Format, value: i128, rounding: Rounding) -> u128 {
    if rounding == Rounding::Nearest
        && let (Format::Double | Format::Single, Ok(small)) = (format, i64::try_from(value))
    {
        return native::from_int(format, small);
    }
    with_format!(format, F => F::from_i128_r(value, rounding.round()).value.to_bits())
}

/// The value nearest to an unsigned integer.
pub fn from_unsigned(format: Format, value: u128, rounding: Rounding) -> u128 {
    match i128::try_from(value) {
        Ok(value) => from_int(format, value, rounding),
        Err(_) => with_format!(format, F => F::from_u128_r(value, rounding.round()).value.to_bits()),
    }
}

/// The integer of a type that a value is rounded to, as two's complement; `None` if it is not in the type's range, which is undefined in C.
pub fn to_int(format: Format, bits: u128, width: u32, signed: bool, rounding: Rounding) -> Option<u128> {
    let size = usize::try_from(width).expect("a width is small");
    let mut exact = false;
    let (status, value) = with_format!(format, F => {
        let x = F::from_bits(bits);
        if signed {
            let result = x.to_i128_r(size, rounding.round(), &mut exact);
            (result.status, result.value.cast_unsigned())
        } else {
            let result = x.to_u128_r(size, rounding.round(), &mut exact);
            (result.status, result.value)
        }
    });
    let kept = u128::MAX >> (128 - width);
    (!status.intersects(Status::INVALID_OP)).then_some(value & kept)
}

/// The value in another format.
pub fn convert(from: Format, to: Format, bits: u128, rounding: Rounding) -> u128 {
    if from == to {
        return bits;
    }
    if rounding == Rounding::Nearest
        && let Some(bits) = native::convert(from, to, bits)
    {
        return bits;
    }
    let mut lost = false;
    with_format!(from, F => with_format!(to, T => {
        let x = F::from_bits(bits);
        let converted: T = FloatConvert::<T>::convert_r(x, rounding.round(), &mut lost).value;
        converted.to_bits()
    }))
}
