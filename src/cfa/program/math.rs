//! Operations on scalars that C writes as calls: the exact functions of `math.h`, bit patterns of floating-point values, arithmetic in a rounding mode.
//!
//! Each is a pure function of bit patterns with one result, so expressions hold it like an operator ([`ExprKind::Math`](crate::cfa::ExprKind)): the concrete
//! machines [evaluate](MathOp::evaluate) it, formulas have a function symbol for it. A function whose exact result nobody computes
//! (`sin`, `pow`) is no such operation.

use crate::cfa::BinOp;
use crate::frontend::types::float;
use crate::frontend::types::float::{Arithmetic, Format, Rounding};
use crate::frontend::types::{IntInfo, TypeId, Types};
use std::cmp::Ordering;

/// An operation. Operands and result have one floating type, unless it says otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MathOp {
    /// `fabs`: the sign bit cleared, also of NaN.
    Abs,
    /// `sqrt`.
    Sqrt,
    /// `floor`, `ceil`, `trunc`, `round`, and to the nearest even.
    Integral(Rounding),
    /// `fma`.
    Fused,
    /// `copysign`.
    CopySign,
    /// `fmin`: a number rather than NaN; of the zeros, the negative one.
    Min,
    /// `fmax`.
    Max,
    /// `fmod`.
    Modulus,
    /// `remainder`.
    Remainder,
    /// `nextafter`.
    Next,
    /// `ldexp`: the second operand is an integer.
    Scale,
    /// `ilogb`: the result is an `int`.
    Exponent,
    /// `lrint` and its like: the result is of an integer type; undefined outside of its range.
    Whole(Rounding),
    /// The bit pattern as an unsigned integer, which is at least as wide.
    Bits,
    /// The value of a bit pattern; the operand is an unsigned integer.
    OfBits,
    /// The sign bit: the result is an `int`, 0 or 1.
    Sign,
    /// `fpclassify` with the numbers of glibc: 0 NaN, 1 infinite, 2 zero, 3 subnormal, 4 normal. The result is an `int`.
    Class,
    /// `<` and its like without the invalid exception, or whether one is NaN: the result is an `int`, 0 or 1.
    Unordered,
    /// An operator in the rounding mode that the third operand says, an integer as `fesetround` takes it.
    Rounded(Arithmetic),
    /// A conversion to another floating type, or from an integer type, in the rounding mode that the second operand says.
    RoundedCast,
    /// `sqrt` in the rounding mode that the second operand says.
    RoundedSqrt,
    /// `rint` in the rounding mode that the second operand says.
    RoundedIntegral,
    /// `fma` in the rounding mode that the fourth operand says.
    RoundedFused,
    /// `lrint` in the rounding mode that the second operand says: the result is of an integer type.
    RoundedWhole,
}

/// A function of scalars, operators and conversions included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FunctionOp {
    /// An operator on floating-point values.
    Arithmetic(Arithmetic),
    /// A conversion.
    Convert,
    /// The sign turned.
    Negate,
    /// Another function.
    Math(MathOp),
}

impl FunctionOp {
    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            FunctionOp::Arithmetic(Arithmetic::Add) => "add",
            FunctionOp::Arithmetic(Arithmetic::Sub) => "sub",
            FunctionOp::Arithmetic(Arithmetic::Mul) => "mul",
            FunctionOp::Arithmetic(Arithmetic::Div) => "div",
            FunctionOp::Arithmetic(Arithmetic::Modulus) => MathOp::Modulus.name(),
            FunctionOp::Arithmetic(Arithmetic::Remainder) => MathOp::Remainder.name(),
            FunctionOp::Convert => "cast",
            FunctionOp::Negate => "neg",
            FunctionOp::Math(op) => op.name(),
        }
    }

    /// The function of a name.
    pub fn named(name: &str) -> Option<FunctionOp> {
        Some(match name {
            "add" => FunctionOp::Arithmetic(Arithmetic::Add),
            "sub" => FunctionOp::Arithmetic(Arithmetic::Sub),
            "mul" => FunctionOp::Arithmetic(Arithmetic::Mul),
            "div" => FunctionOp::Arithmetic(Arithmetic::Div),
            "cast" => FunctionOp::Convert,
            "neg" => FunctionOp::Negate,
            _ => FunctionOp::Math(MathOp::named(name)?),
        })
    }
}

/// An operand of an operation: its bit pattern, zero-extended, and what it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// The pattern.
    pub bits: u128,
    /// Its shape.
    pub shape: Shape,
}

/// The meaning of a bit pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// An integer, truth value or pointer.
    Int(IntInfo),
    /// A floating-point value.
    Float(Format),
}

impl Shape {
    /// The shape of a scalar type; `None` for vectors and the like.
    pub fn of(types: &Types, ty: TypeId) -> Option<Shape> {
        match types.format(ty) {
            Some(format) => Some(Shape::Float(format)),
            None => types.integer(ty).map(Shape::Int),
        }
    }

    /// The number of bits of a pattern.
    pub fn width(self) -> u32 {
        match self {
            Shape::Int(info) => info.width,
            Shape::Float(format) => format.width(),
        }
    }

    /// A short name: `f64`, `i32`.
    pub fn name(self) -> String {
        match self {
            Shape::Int(info) if info.signed => format!("i{}", info.width),
            Shape::Int(info) => format!("u{}", info.width),
            Shape::Float(format) => format.name().to_owned(),
        }
    }

    /// The shape of a short name.
    pub fn named(name: &str) -> Option<Shape> {
        if let Some(format) = Format::named(name) {
            return Some(Shape::Float(format));
        }
        let signed = match name.get(..1)? {
            "i" => true,
            "u" => false,
            _ => return None,
        };
        let width: u32 = name.get(1..)?.parse().ok()?;
        (1..=128)
            .contains(&width)
            .then_some(Shape::Int(IntInfo { width, signed }))
    }
}

/// `FP_ILOGB0` and `FP_ILOGBNAN` of x86.
const NO_EXPONENT: i128 = -0x8000_0000;

const NAMES: [(MathOp, &str); 34] = [
    (MathOp::Abs, "fabs"),
    (MathOp::Sqrt, "sqrt"),
    (MathOp::Integral(Rounding::Nearest), "roundeven"),
    (MathOp::Integral(Rounding::Down), "floor"),
    (MathOp::Integral(Rounding::Up), "ceil"),
    (MathOp::Integral(Rounding::Zero), "trunc"),
    (MathOp::Integral(Rounding::Away), "round"),
    (MathOp::Fused, "fma"),
    (MathOp::CopySign, "copysign"),
    (MathOp::Min, "fmin"),
    (MathOp::Max, "fmax"),
    (MathOp::Modulus, "fmod"),
    (MathOp::Remainder, "remainder"),
    (MathOp::Next, "nextafter"),
    (MathOp::Scale, "ldexp"),
    (MathOp::Exponent, "ilogb"),
    (MathOp::Whole(Rounding::Nearest), "llrint"),
    (MathOp::Whole(Rounding::Down), "llfloor"),
    (MathOp::Whole(Rounding::Up), "llceil"),
    (MathOp::Whole(Rounding::Zero), "lltrunc"),
    (MathOp::Whole(Rounding::Away), "llround"),
    (MathOp::Bits, "bits"),
    (MathOp::OfBits, "ofbits"),
    (MathOp::Sign, "signbit"),
    (MathOp::Class, "fpclassify"),
    (MathOp::Unordered, "isunordered"),
    (MathOp::Rounded(Arithmetic::Add), "add_rounded"),
    (MathOp::Rounded(Arithmetic::Sub), "sub_rounded"),
    (MathOp::Rounded(Arithmetic::Mul), "mul_rounded"),
    (MathOp::Rounded(Arithmetic::Div), "div_rounded"),
    (MathOp::RoundedCast, "cast_rounded"),
    (MathOp::RoundedSqrt, "sqrt_rounded"),
    (MathOp::RoundedIntegral, "rint"),
    (MathOp::RoundedFused, "fma_rounded"),
];

impl MathOp {
    /// The name, that of a C function where there is one.
    pub fn name(self) -> &'static str {
        match self {
            MathOp::RoundedWhole => "lrint_rounded",
            _ => {
                let row = NAMES.iter().find(|(op, _)| *op == self);
                row.expect("every operation has a name").1
            }
        }
    }

    /// The operation of a name.
    pub fn named(name: &str) -> Option<MathOp> {
        match name {
            "lrint_rounded" => Some(MathOp::RoundedWhole),
            _ => NAMES.iter().find(|(_, text)| *text == name).map(|(op, _)| *op),
        }
    }

    /// The bit pattern of the result; `None` where C leaves it undefined (a number that does not fit an integer type) or the mode is none.
    pub fn evaluate(self, result: Shape, operands: &[Operand]) -> Option<u128> {
        let first = operands.first()?;
        let second = operands.get(1);
        let Shape::Float(format) = first.shape else {
            return match (self, result) {
                (MathOp::OfBits, Shape::Float(to)) => Some(first.bits & mask(to.width())),
                (MathOp::RoundedCast, Shape::Float(to)) => Some(of_integer(to, *first, mode(second?)?)),
                _ => None,
            };
        };
        let x = first.bits;
        let y = second.map(|operand| operand.bits);
        let rounded = |rounding| to_integer(format, x, result, rounding);
        Some(match self {
            MathOp::Abs => x & format.magnitude(),
            MathOp::Sqrt => float::sqrt(format, x, Rounding::Nearest),
            MathOp::RoundedSqrt => float::sqrt(format, x, mode(second?)?),
            MathOp::Integral(rounding) => float::integral(format, x, rounding),
            MathOp::RoundedIntegral => float::integral(format, x, mode(second?)?),
            MathOp::Fused => float::fused(format, x, y?, operands.get(2)?.bits, Rounding::Nearest),
            MathOp::RoundedFused => float::fused(format, x, y?, operands.get(2)?.bits, mode(operands.get(3)?)?),
            MathOp::CopySign => (x & format.magnitude()) | (y? & format.sign()),
            MathOp::Min => extreme(format, x, y?, Ordering::Less),
            MathOp::Max => extreme(format, x, y?, Ordering::Greater),
            MathOp::Modulus => float::binary(Arithmetic::Modulus, format, x, y?, Rounding::Nearest),
            MathOp::Remainder => float::binary(Arithmetic::Remainder, format, x, y?, Rounding::Nearest),
            MathOp::Rounded(op) => float::binary(op, format, x, y?, mode(operands.get(2)?)?),
            MathOp::Next => next_after(format, x, y?),
            MathOp::Scale => float::scale(format, x, number(*second?), Rounding::Nearest),
            MathOp::Exponent => {
                let exponent = match float::exponent(format, x) {
                    Some(exponent) => i128::from(exponent),
                    None if float::is_infinite(format, x) => i128::from(i32::MAX),
                    None => NO_EXPONENT,
                };
                exponent.cast_unsigned() & mask(result.width())
            }
            MathOp::Whole(rounding) => rounded(rounding)?,
            MathOp::RoundedWhole => rounded(mode(second?)?)?,
            MathOp::Bits => x,
            MathOp::OfBits => return None,
            MathOp::Sign => u128::from(float::is_negative(format, x)),
            MathOp::Class => class(format, x),
            MathOp::Unordered => u128::from(float::is_nan(format, x) || float::is_nan(format, y?)),
            MathOp::RoundedCast => match result {
                Shape::Float(to) => float::convert(format, to, x, mode(second?)?),
                Shape::Int(_) => rounded(Rounding::Zero)?,
            },
        })
    }
}

/// The bits of a width.
pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width.clamp(1, 128))
}

/// The bit pattern of a width read as a two's complement number.
pub fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128 - width.clamp(1, 128);
    (bits << shift).cast_signed() >> shift
}

/// The number of an integer's pattern, where it fits 128 bits with sign.
fn number(operand: Operand) -> i128 {
    match operand.shape {
        Shape::Int(info) if info.signed => signed(operand.bits, info.width),
        _ => operand.bits.cast_signed(),
    }
}

fn mode(operand: &Operand) -> Option<Rounding> {
    Rounding::of_mode(number(*operand))
}

fn of_integer(to: Format, operand: Operand, rounding: Rounding) -> u128 {
    match operand.shape {
        Shape::Int(info) if info.signed => float::from_int(to, number(operand), rounding),
        _ => float::from_unsigned(to, operand.bits, rounding),
    }
}

fn to_integer(format: Format, bits: u128, result: Shape, rounding: Rounding) -> Option<u128> {
    let Shape::Int(info) = result else { return None };
    float::to_int(format, bits, info.width, info.signed, rounding)
}

fn extreme(format: Format, x: u128, y: u128, wanted: Ordering) -> u128 {
    match float::compare(format, x, y) {
        Some(Ordering::Equal) => match (wanted, float::is_negative(format, x)) {
            (Ordering::Less, true) | (Ordering::Greater, false) => x,
            _ => y,
        },
        Some(order) if order == wanted => x,
        Some(_) => y,
        None if !float::is_nan(format, x) => x,
        None if !float::is_nan(format, y) => y,
        None => float::binary(Arithmetic::Add, format, x, y, Rounding::Nearest),
    }
}

fn next_after(format: Format, x: u128, y: u128) -> u128 {
    match float::compare(format, x, y) {
        None => float::binary(Arithmetic::Add, format, x, y, Rounding::Nearest),
        Some(Ordering::Equal) => y,
        Some(order) => float::next(format, x, order == Ordering::Less),
    }
}

fn class(format: Format, x: u128) -> u128 {
    let magnitude = x & format.magnitude();
    if float::is_nan(format, x) {
        0
    } else if float::is_infinite(format, x) {
        1
    } else if magnitude == 0 {
        2
    } else if magnitude < format.smallest_normal() {
        3
    } else {
        4
    }
}

/// The pattern of a function's result; `None` where C leaves it undefined.
pub fn evaluate(op: FunctionOp, operands: &[Operand], result: Shape) -> Option<u128> {
    let first = operands.first()?;
    match (op, first.shape) {
        (FunctionOp::Arithmetic(op), Shape::Float(format)) => {
            let second = operands.get(1)?;
            Some(float::binary(op, format, first.bits, second.bits, Rounding::Nearest))
        }
        (FunctionOp::Negate, Shape::Float(format)) => Some(float::negate(format, first.bits)),
        (FunctionOp::Convert, _) => convert(*first, result),
        (FunctionOp::Math(op), _) => op.evaluate(result, operands),
        _ => None,
    }
}

/// The conversion of C between scalar types, none of which is `_Bool`; `None` where it is undefined.
pub fn convert(operand: Operand, to: Shape) -> Option<u128> {
    Some(match (operand.shape, to) {
        (Shape::Int(_), Shape::Int(info)) => number(operand).cast_unsigned() & mask(info.width),
        (Shape::Int(_), Shape::Float(to)) => of_integer(to, operand, Rounding::Nearest),
        (Shape::Float(from), Shape::Float(to)) => float::convert(from, to, operand.bits, Rounding::Nearest),
        (Shape::Float(from), Shape::Int(_)) => to_integer(from, operand.bits, to, Rounding::Zero)?,
    })
}

/// Why an operator on integers has no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Undefined {
    /// The divisor is zero.
    ByZero,
    /// The quotient is not in the type.
    TooGreat,
    /// The amount of a shift is negative, or not below the width.
    TooFar,
    /// Integers have no such operator, or it is a comparison.
    NoOperator,
}

/// The pattern of an integer operator's result, of the type of the left operand; only shifts may have operands of two types.
///
/// # Errors
/// Where C leaves the result undefined, signed overflow of sums and products apart: these wrap.
pub fn integer(op: BinOp, a: Operand, b: Operand) -> Result<u128, Undefined> {
    let Shape::Int(info) = a.shape else {
        return Err(Undefined::NoOperator);
    };
    let (x, y) = (a.bits, b.bits);
    let bits = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Div | BinOp::Rem if y == 0 => return Err(Undefined::ByZero),
        BinOp::Div | BinOp::Rem if info.signed => {
            let (x, y) = (signed(x, info.width), signed(y, info.width));
            let quotient = x.checked_div(y).filter(|q| signed(q.cast_unsigned(), info.width) == *q);
            let quotient = quotient.ok_or(Undefined::TooGreat)?;
            match op {
                BinOp::Div => quotient.cast_unsigned(),
                _ => (x - quotient * y).cast_unsigned(),
            }
        }
        BinOp::Div => x / y,
        BinOp::Rem => x % y,
        BinOp::Shl | BinOp::Shr => {
            let too_far = match b.shape {
                Shape::Int(by) => (by.signed && signed(y, by.width) < 0) || y >= u128::from(info.width),
                Shape::Float(_) => true,
            };
            match op {
                _ if too_far => return Err(Undefined::TooFar),
                BinOp::Shl => x << y,
                _ if info.signed => (signed(x, info.width) >> y).cast_unsigned(),
                _ => x >> y,
            }
        }
        _ => return Err(Undefined::NoOperator),
    };
    Ok(bits & mask(info.width))
}

/// The truth of a comparison of two operands of one shape.
pub fn compare(op: BinOp, a: Operand, b: Operand) -> bool {
    let order = match a.shape {
        Shape::Float(format) => float::compare(format, a.bits, b.bits),
        Shape::Int(info) if info.signed => Some(signed(a.bits, info.width).cmp(&signed(b.bits, info.width))),
        Shape::Int(_) => Some(a.bits.cmp(&b.bits)),
    };
    holds(op, order)
}

/// The arithmetic that a binary operator does on floating-point operands; `None` for comparisons and for what floats do not have.
pub fn arithmetic(op: BinOp) -> Option<Arithmetic> {
    Some(match op {
        BinOp::Add => Arithmetic::Add,
        BinOp::Sub => Arithmetic::Sub,
        BinOp::Mul => Arithmetic::Mul,
        BinOp::Div => Arithmetic::Div,
        _ => return None,
    })
}

/// The truth of a comparison by the operands' order; without one, only `!=` holds.
pub fn holds(op: BinOp, order: Option<Ordering>) -> bool {
    use crate::cfa::BinOp::*;
    match op {
        Lt => order == Some(Ordering::Less),
        Le => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        Gt => order == Some(Ordering::Greater),
        Ge => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
        Eq => order == Some(Ordering::Equal),
        _ => order != Some(Ordering::Equal),
    }
}
