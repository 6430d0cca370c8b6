//! Scalars at run time, bit by bit, and the arithmetic of C on them.
//!
//! A value is its bit pattern, zero-extended; the type at each operation gives it its meaning, so there is one representation for all types.
//! Integer conversions are truncation and extension; floating-point operations are those of [`float`], exact and rounded to nearest.
//!
//! Each value remembers the *input* that it came from, if it is an input plus constants, so that the memory model can tell a
//! pointer of unknown origin from one that the program computed wrongly.

use super::Stop;
use crate::cfa::program::math;
use crate::cfa::program::math::Operand;
use crate::cfa::{BinOp, MathOp, UnOp};
use crate::frontend::types::float;
use crate::frontend::types::float::{Format, Rounding};
use crate::frontend::types::{IntInfo, Type, TypeId, Types};
use provident_smt::num::Int;

/// The number of an input in the order in which the run asked for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InputId(pub u32);

/// A scalar and where it came from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The bit pattern, zero above the type's width.
    pub bits: u128,
    /// The input that the value is an offset of.
    pub origin: Option<InputId>,
}

/// The shape of a scalar type at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// An integer type other than `_Bool`, an enum, or a pointer.
    Int(IntInfo),
    /// `_Bool`.
    Bool,
    /// A floating type.
    Float(Format),
}

impl Shape {
    /// The shape of a scalar type.
    ///
    /// # Errors
    /// Complex and vector types are not carried out.
    pub fn of(types: &Types, ty: TypeId) -> Result<Shape, Stop> {
        match types.get(ty) {
            Type::Bool => Ok(Shape::Bool),
            Type::Float(kind) => Ok(Shape::Float(kind.format())),
            _ => types.integer(ty).map(Shape::Int).ok_or_else(|| unsupported(types, ty)),
        }
    }

    /// The same for a type that must be an integer or pointer.
    pub fn int(types: &Types, ty: TypeId) -> Result<IntInfo, Stop> {
        types.integer(ty).ok_or_else(|| unsupported(types, ty))
    }

    /// The number of bits of a value.
    pub fn width(self) -> u32 {
        match self {
            Shape::Int(info) => info.width,
            Shape::Bool => 1,
            Shape::Float(format) => format.width(),
        }
    }

    fn exact(self) -> math::Shape {
        match self {
            Shape::Int(info) => math::Shape::Int(info),
            Shape::Bool => math::Shape::Int(IntInfo {
                width: 1,
                signed: false,
            }),
            Shape::Float(format) => math::Shape::Float(format),
        }
    }
}

fn unsupported(types: &Types, ty: TypeId) -> Stop {
    Stop::undefined(format!(
        "the replay does not carry out operations of type `{}`",
        types.display(ty)
    ))
}

impl Value {
    /// A bit pattern, cut to the width.
    pub fn bits(bits: u128, width: u32) -> Value {
        Value {
            bits: bits & mask(width),
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

    /// Whether the value counts as true in a condition.
    pub fn is_true(self, shape: Shape) -> bool {
        match shape {
            Shape::Float(format) => !float::is_zero(format, self.bits),
            _ => self.bits != 0,
        }
    }

    /// The value as one of its type; `None` for floating-point numbers.
    pub fn integer(self, shape: Shape) -> Option<Int> {
        match shape {
            Shape::Int(info) if info.signed => Some(Int::from(signed(self.bits, info.width))),
            Shape::Float(_) => None,
            _ => i128::try_from(self.bits).ok().map(Int::from),
        }
    }

    /// The text of the value as one of its type, for traces.
    pub fn show(self, shape: Shape) -> String {
        match shape {
            Shape::Int(info) if info.signed => signed(self.bits, info.width).to_string(),
            Shape::Float(format) => float::show(format, self.bits),
            _ => self.bits.to_string(),
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

/// Converts a scalar from one type to another, as a C cast does.
///
/// # Errors
/// A floating-point value outside the range of the integer type is undefined behaviour.
pub fn convert(value: Value, from: Shape, to: Shape) -> Result<Value, Stop> {
    if to == Shape::Bool {
        return Ok(Value::bits(u128::from(value.is_true(from)), 1));
    }
    let operand = Operand {
        bits: value.bits,
        shape: from.exact(),
    };
    let converted = math::convert(operand, to.exact()).ok_or_else(|| {
        Stop::undefined(format!(
            "the floating-point value {} does not fit the integer type",
            value.show(from)
        ))
    })?;
    // An address that is made an integer and back is still an offset of the input.
    let origin = value
        .origin
        .filter(|_| !matches!((from, to), (Shape::Float(_), _) | (_, Shape::Float(_))));
    Ok(Value::bits(converted, to.width()).with_origin(origin))
}

/// A unary operation; `shape` is that of the operand.
pub fn unary(op: UnOp, value: Value, shape: Shape) -> Result<Value, Stop> {
    Ok(match (op, shape) {
        (UnOp::LogNot, _) => Value::truth(!value.is_true(shape)),
        (UnOp::Neg, Shape::Float(format)) => Value::bits(float::negate(format, value.bits), format.width()),
        (UnOp::Neg, _) => Value::bits(value.bits.wrapping_neg(), shape.width()),
        (UnOp::BitNot, _) => Value::bits(!value.bits, shape.width()),
    })
}

/// A function of scalars with a result of the given shape.
///
/// # Errors
/// A floating-point value that does not fit the integer type of the result is undefined behaviour.
pub fn function(op: MathOp, operands: &[(Value, Shape)], result: Shape) -> Result<Value, Stop> {
    let operands: Vec<Operand> = operands
        .iter()
        .map(|(value, shape)| Operand {
            bits: value.bits,
            shape: shape.exact(),
        })
        .collect();
    let bits = op.evaluate(result.exact(), &operands);
    let bits = bits.ok_or_else(|| Stop::undefined(format!("`{}` has no defined result", op.name())))?;
    Ok(Value::bits(bits, result.width()))
}

/// A binary operation. `left` and `right` are the operands' shapes; the result has the shape of the left operand, or is the
/// `int` of a comparison.
///
/// # Errors
/// Division by zero, the overflowing division, and shifts by too much are undefined behaviour.
pub fn binary(op: BinOp, a: Value, left: Shape, b: Value, right: Shape) -> Result<Value, Stop> {
    let (x, y) = (a.bits, b.bits);
    if let Shape::Float(format) = left {
        if op.is_comparison() {
            return Ok(Value::truth(math::holds(op, float::compare(format, x, y))));
        }
        let op = math::arithmetic(op)
            .ok_or_else(|| Stop::undefined("an integer operation has floating-point operands".to_string()))?;
        return Ok(Value::bits(
            float::binary(op, format, x, y, Rounding::Nearest),
            format.width(),
        ));
    }
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
                let run = |op, shape| binary(op, a, shape, b, shape).ok().map(|v| v.bits);
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
        assert_eq!(convert(minus, I8, I32).unwrap().bits, 0xffff_ffff);
        assert_eq!(convert(minus, U8, I32).unwrap().bits, 0xff);
        assert_eq!(convert(Value::bits(0x1_80, 32), I32, I8).unwrap().show(I8), "-128");
        assert_eq!(convert(Value::bits(0x100, 32), I32, Shape::Bool).unwrap().bits, 1);
        let double = |x: f64| Value::bits(x.to_bits().into(), 64);
        let wide = Shape::Float(Format::Double);
        assert_eq!(convert(double(-3.9), wide, I8).unwrap().show(I8), "-3");
        assert!(convert(double(128.0), wide, I8).is_err());
        assert_eq!(
            convert(double(0.1), wide, Shape::Float(Format::Single)).unwrap().bits,
            u128::from(0.1f32.to_bits())
        );
    }
}
