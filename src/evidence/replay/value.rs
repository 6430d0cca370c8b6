//! Scalars at run time, bit by bit, and the arithmetic of C on them.
//!
//! An integer is its bit pattern, zero-extended; width and signedness come from the type at each operation, so that there is
//! one representation for all integer types and all conversions are truncation and extension. Floating-point values are
//! `f64`; those of type `float` are rounded after every operation, which is exact for the four basic operations.
//!
//! Each value remembers the *input* that it came from, if it is an input plus constants, so that the memory model can tell a
//! pointer of unknown origin from one that the program computed wrongly.

use super::Stop;
use crate::cfa::{BinOp, UnOp};
use crate::frontend::types::{FloatKind, IntInfo, Type, TypeId, Types};
use provident_smt::num::Int;

/// The number of an input in the order in which the run asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputId(pub u32);

/// The data of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// An integer or pointer: the bit pattern, zero above the type's width.
    Int(u128),
    /// A floating-point number.
    Float(f64),
}

/// A scalar and where it came from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The data.
    pub data: Scalar,
    /// The input that the value is an offset of.
    pub origin: Option<InputId>,
}

/// What a scalar type looks like at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// An integer type other than `_Bool`, an enum, or a pointer.
    Int(IntInfo),
    /// `_Bool`.
    Bool,
    /// `float`.
    Single,
    /// `double`, and the longer types, which are computed as `double`.
    Double,
}

impl Shape {
    /// The shape of a scalar type.
    ///
    /// # Errors
    /// Complex, vector and half-precision types are not carried out.
    pub fn of(types: &Types, ty: TypeId) -> Result<Shape, Stop> {
        match types.get(ty) {
            Type::Bool => Ok(Shape::Bool),
            Type::Float(FloatKind::Float | FloatKind::Float32) => Ok(Shape::Single),
            Type::Float(FloatKind::Float16) => Err(unsupported(types, ty)),
            Type::Float(_) => Ok(Shape::Double),
            _ => types.integer(ty).map(Shape::Int).ok_or_else(|| unsupported(types, ty)),
        }
    }

    /// The same for a type that must be an integer or pointer.
    pub fn int(types: &Types, ty: TypeId) -> Result<IntInfo, Stop> {
        types.integer(ty).ok_or_else(|| unsupported(types, ty))
    }
}

fn unsupported(types: &Types, ty: TypeId) -> Stop {
    Stop::undefined(format!(
        "the replay does not carry out operations of type `{}`",
        types.display(ty)
    ))
}

impl Value {
    /// An integer of a bit pattern, cut to the width.
    pub fn bits(bits: u128, width: u32) -> Value {
        Value {
            data: Scalar::Int(bits & mask(width)),
            origin: None,
        }
    }

    /// A floating-point number.
    pub fn float(value: f64) -> Value {
        Value {
            data: Scalar::Float(value),
            origin: None,
        }
    }

    /// The `int` of a truth value.
    pub fn truth(value: bool) -> Value {
        Value::bits(u128::from(value), 32)
    }

    /// The same data, as an offset of an input.
    pub fn with_origin(self, origin: Option<InputId>) -> Value {
        Value { origin, ..self }
    }

    /// The bit pattern of an integer; of a floating-point number, none.
    pub fn as_bits(self) -> Option<u128> {
        match self.data {
            Scalar::Int(bits) => Some(bits),
            Scalar::Float(_) => None,
        }
    }

    /// Whether the value counts as true in a condition.
    pub fn is_true(self) -> bool {
        match self.data {
            Scalar::Int(bits) => bits != 0,
            Scalar::Float(value) => value != 0.0,
        }
    }

    /// The value as one of its type; `None` for floating-point numbers.
    pub fn integer(self, shape: Shape) -> Option<Int> {
        match (self.data, shape) {
            (Scalar::Int(bits), Shape::Int(info)) if info.signed => Some(Int::from(signed(bits, info.width))),
            (Scalar::Int(bits), _) => i128::try_from(bits).ok().map(Int::from),
            (Scalar::Float(_), _) => None,
        }
    }

    /// The decimal text of the value as one of its type, for traces.
    pub fn show(self, shape: Shape) -> String {
        match (self.data, shape) {
            (Scalar::Int(bits), Shape::Int(info)) if info.signed => signed(bits, info.width).to_string(),
            (Scalar::Int(bits), _) => bits.to_string(),
            (Scalar::Float(value), _) => format!("{value:?}"),
        }
    }
}

/// The bits of a width as a mask.
pub fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The bit pattern read as a two's complement number.
pub fn signed(bits: u128, width: u32) -> i128 {
    let shift = 128 - width.clamp(1, 128);
    (bits << shift).cast_signed() >> shift
}

/// The numeric value of a bit pattern of an integer type, where it fits 128 bits with sign.
pub fn number(bits: u128, info: IntInfo) -> i128 {
    if info.signed {
        signed(bits, info.width)
    } else {
        bits.cast_signed()
    }
}

fn expect_bits(value: Value) -> Result<u128, Stop> {
    value
        .as_bits()
        .ok_or_else(|| Stop::undefined("a floating-point value stands where an integer is needed".to_string()))
}

/// Converts a scalar from one type to another, as a C cast does.
///
/// # Errors
/// A floating-point value outside the range of the integer type is undefined behaviour.
pub fn convert(value: Value, from: Shape, to: Shape) -> Result<Value, Stop> {
    Ok(match (value.data, to) {
        (_, Shape::Bool) => Value::bits(u128::from(value.is_true()), 1),
        (Scalar::Int(bits), Shape::Int(info)) => {
            let wide = match from {
                Shape::Int(source) if source.signed => signed(bits, source.width).cast_unsigned(),
                _ => bits,
            };
            Value::bits(wide, info.width).with_origin(value.origin)
        }
        (Scalar::Int(bits), Shape::Single) => Value::float(f64::from(match from {
            Shape::Int(info) if info.signed => signed(bits, info.width) as f32,
            _ => bits as f32,
        })),
        (Scalar::Int(bits), Shape::Double) => Value::float(match from {
            Shape::Int(info) if info.signed => signed(bits, info.width) as f64,
            _ => bits as f64,
        }),
        (Scalar::Float(float), Shape::Single) => Value::float(f64::from(float as f32)),
        (Scalar::Float(float), Shape::Double) => Value::float(float),
        (Scalar::Float(float), Shape::Int(info)) => {
            let whole = float.trunc();
            let (low, high) = if info.signed {
                (
                    -(2f64.powi(info.width.cast_signed() - 1)),
                    2f64.powi(info.width.cast_signed() - 1),
                )
            } else {
                (0.0, 2f64.powi(info.width.cast_signed()))
            };
            if whole.is_nan() || whole < low || whole >= high {
                return Err(Stop::undefined(format!(
                    "the floating-point value {float:?} does not fit the integer type"
                )));
            }
            let bits = if info.signed {
                (whole as i128).cast_unsigned()
            } else {
                whole as u128
            };
            Value::bits(bits, info.width)
        }
    })
}

/// A unary operation; `shape` is that of the operand.
pub fn unary(op: UnOp, value: Value, shape: Shape) -> Result<Value, Stop> {
    Ok(match (op, value.data) {
        (UnOp::LogNot, _) => Value::truth(!value.is_true()),
        (UnOp::Neg, Scalar::Float(float)) => Value::float(-float),
        (UnOp::Neg, Scalar::Int(bits)) => Value::bits(bits.wrapping_neg(), width(shape)),
        (UnOp::BitNot, _) => Value::bits(!expect_bits(value)?, width(shape)),
    })
}

fn width(shape: Shape) -> u32 {
    match shape {
        Shape::Int(info) => info.width,
        Shape::Bool => 1,
        Shape::Single | Shape::Double => 64,
    }
}

/// A binary operation. `left` and `right` are the operands' shapes; the result has the shape of the left operand, or is the
/// `int` of a comparison.
///
/// # Errors
/// Division by zero, the overflowing division, and shifts by too much are undefined behaviour.
pub fn binary(op: BinOp, a: Value, left: Shape, b: Value, right: Shape) -> Result<Value, Stop> {
    if let (Scalar::Float(x), Scalar::Float(y)) = (a.data, b.data) {
        return float_binary(op, x, y, left);
    }
    let (x, y) = (expect_bits(a)?, expect_bits(b)?);
    let info = match left {
        Shape::Int(info) => info,
        _ => IntInfo {
            width: 1,
            signed: false,
        },
    };
    if op.is_comparison() {
        let (x, y) = if info.signed {
            // An offset by half the range turns the signed order into the unsigned one.
            let half = 1u128 << (info.width - 1);
            (x ^ half, y ^ half)
        } else {
            (x, y)
        };
        return Ok(Value::truth(match op {
            BinOp::Lt => x < y,
            BinOp::Le => x <= y,
            BinOp::Gt => x > y,
            BinOp::Ge => x >= y,
            BinOp::Eq => x == y,
            _ => x != y,
        }));
    }
    let w = info.width;
    // A pointer or index plus something that is no input is still an offset of the input.
    let origin = match op {
        BinOp::Add => a.origin.or(b.origin),
        BinOp::Sub | BinOp::And => a.origin,
        _ => None,
    };
    let bits = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Div | BinOp::Rem => divide(op == BinOp::Div, x, y, info)?,
        BinOp::Shl | BinOp::Shr => {
            let amount = match right {
                Shape::Int(r) if r.signed => signed(y, r.width),
                _ => i128::try_from(y).unwrap_or(i128::MAX),
            };
            let amount = u32::try_from(amount)
                .ok()
                .filter(|n| *n < w)
                .ok_or_else(|| Stop::undefined(format!("a value of {w} bits is shifted by {amount}")))?;
            match op {
                BinOp::Shl => x << amount,
                _ if info.signed => (signed(x, w) >> amount).cast_unsigned(),
                _ => x >> amount,
            }
        }
        _ => unreachable!("comparisons are handled above"),
    };
    Ok(Value::bits(bits, w).with_origin(origin))
}

fn divide(quotient: bool, x: u128, y: u128, info: IntInfo) -> Result<u128, Stop> {
    if y == 0 {
        return Err(Stop::undefined("division by zero".to_string()));
    }
    if !info.signed {
        return Ok(if quotient { x / y } else { x % y });
    }
    let (x, y) = (signed(x, info.width), signed(y, info.width));
    if y == -1 && x == signed(1 << (info.width - 1), info.width) {
        return Err(Stop::undefined("the quotient of a division overflows".to_string()));
    }
    Ok(if quotient { x / y } else { x % y }.cast_unsigned())
}

fn float_binary(op: BinOp, x: f64, y: f64, shape: Shape) -> Result<Value, Stop> {
    let rounded = |value: f64| {
        Value::float(if shape == Shape::Single {
            f64::from(value as f32)
        } else {
            value
        })
    };
    Ok(match op {
        BinOp::Add => rounded(x + y),
        BinOp::Sub => rounded(x - y),
        BinOp::Mul => rounded(x * y),
        BinOp::Div => rounded(x / y),
        BinOp::Lt => Value::truth(x < y),
        BinOp::Le => Value::truth(x <= y),
        BinOp::Gt => Value::truth(x > y),
        BinOp::Ge => Value::truth(x >= y),
        BinOp::Eq => Value::truth(x == y),
        BinOp::Ne => Value::truth(x != y),
        BinOp::Rem | BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Shl | BinOp::Shr => {
            return Err(Stop::undefined(
                "an integer operation has floating-point operands".to_string(),
            ));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: Shape = Shape::Int(IntInfo { width: 8, signed: true });
    const U8: Shape = Shape::Int(IntInfo {
        width: 8,
        signed: false,
    });
    const I32: Shape = Shape::Int(IntInfo {
        width: 32,
        signed: true,
    });

    fn bits8(value: i64) -> Value {
        Value::bits(i128::from(value).cast_unsigned(), 8)
    }

    /// All pairs of 8-bit operands against Rust's own wrapping arithmetic.
    #[test]
    fn eight_bit_arithmetic_is_that_of_the_machine() {
        for x in i8::MIN..=i8::MAX {
            for y in i8::MIN..=i8::MAX {
                let (a, b) = (bits8(x.into()), bits8(y.into()));
                let run = |op, shape| binary(op, a, shape, b, shape).ok().and_then(Value::as_bits);
                let byte = |v: i8| Some(u128::from(v.cast_unsigned()));
                let (ux, uy) = (x.cast_unsigned(), y.cast_unsigned());
                assert_eq!(run(BinOp::Add, I8), byte(x.wrapping_add(y)));
                assert_eq!(run(BinOp::Sub, U8), byte(x.wrapping_sub(y)));
                assert_eq!(run(BinOp::Mul, I8), byte(x.wrapping_mul(y)));
                assert_eq!(run(BinOp::Div, I8), x.checked_div(y).and_then(byte));
                assert_eq!(run(BinOp::Rem, I8), x.checked_rem(y).and_then(byte));
                assert_eq!(run(BinOp::Div, U8), ux.checked_div(uy).map(u128::from));
                assert_eq!(run(BinOp::Rem, U8), ux.checked_rem(uy).map(u128::from));
                assert_eq!(run(BinOp::Lt, I8), Some(u128::from(x < y)));
                assert_eq!(run(BinOp::Ge, U8), Some(u128::from(ux >= uy)));
                let amount = u32::try_from(y).ok().filter(|n| *n < 8);
                assert_eq!(run(BinOp::Shr, I8), amount.and_then(|n| byte(x >> n)));
                assert_eq!(run(BinOp::Shl, I8), amount.and_then(|n| byte(x << n)));
            }
        }
    }

    #[test]
    fn conversions_extend_by_the_source_and_cut_by_the_target() {
        let minus = bits8(-1);
        assert_eq!(convert(minus, I8, I32).unwrap().as_bits(), Some(0xffff_ffff));
        assert_eq!(convert(minus, U8, I32).unwrap().as_bits(), Some(0xff));
        assert_eq!(convert(Value::bits(0x1_80, 32), I32, I8).unwrap().show(I8), "-128");
        assert_eq!(
            convert(Value::bits(0x100, 32), I32, Shape::Bool).unwrap().as_bits(),
            Some(1)
        );
        assert_eq!(convert(Value::float(-3.9), Shape::Double, I8).unwrap().show(I8), "-3");
        assert!(convert(Value::float(128.0), Shape::Double, I8).is_err());
        assert_eq!(
            convert(Value::float(0.1), Shape::Double, Shape::Single).unwrap(),
            Value::float(f64::from(0.1f32))
        );
    }
}
