//! Arithmetic on concrete machine integers of up to 64 bits.
//!
//! An integer is its bit pattern, zero-extended to 64 bits; width and signedness come from the type at each operation. Where C leaves an
//! operation undefined and the program's model gives it an unspecified value, there is no result.

use crate::cfa::BinOp;
use crate::frontend::types::IntInfo;

/// The widest integer that is tracked.
pub const WIDEST: u32 = 64;

/// The bits of a width.
pub fn mask(width: u32) -> u64 {
    if width >= WIDEST { u64::MAX } else { (1 << width) - 1 }
}

/// The bit pattern read as a two's complement number.
fn signed(bits: u64, width: u32) -> i64 {
    let shift = WIDEST - width.clamp(1, WIDEST);
    (bits << shift).cast_signed() >> shift
}

/// The number that a bit pattern of a type stands for.
pub fn number(bits: u64, info: IntInfo) -> i128 {
    if info.signed {
        i128::from(signed(bits, info.width))
    } else {
        i128::from(bits)
    }
}

/// The lowest 64 bits of a number.
pub fn low_bits(number: i128) -> u64 {
    let low = number.cast_unsigned() & u128::from(u64::MAX);
    u64::try_from(low).expect("cut to 64 bits")
}

/// The bit pattern of a number, cut to the width of a type.
pub fn pattern(number: i128, info: IntInfo) -> u64 {
    low_bits(number) & mask(info.width)
}

/// The least and the greatest number of a type of at most 64 bits.
pub fn bounds(info: IntInfo) -> (i128, i128) {
    debug_assert!(info.width <= WIDEST, "numbers of longer integers are not computed with");
    if info.signed {
        let half = 1i128 << (info.width - 1);
        (-half, half - 1)
    } else {
        (0, (1i128 << info.width) - 1)
    }
}

/// The conversion of an integer to another integer type.
pub fn convert(bits: u64, from: IntInfo, to: IntInfo) -> u64 {
    if to.width == 1 {
        return u64::from(bits != 0);
    }
    let wide = if from.signed {
        signed(bits, from.width).cast_unsigned()
    } else {
        bits
    };
    wide & mask(to.width)
}

/// The truth of a comparison of two integers of one type.
pub fn compare(op: BinOp, x: u64, y: u64, info: IntInfo) -> bool {
    let (x, y) = if info.signed {
        // An offset by half the range turns the signed order into the unsigned one.
        let half = 1 << (info.width - 1);
        (x ^ half, y ^ half)
    } else {
        (x, y)
    };
    match op {
        BinOp::Lt => x < y,
        BinOp::Le => x <= y,
        BinOp::Gt => x > y,
        BinOp::Ge => x >= y,
        BinOp::Eq => x == y,
        BinOp::Ne => x != y,
        _ => unreachable!("{op:?} is no comparison"),
    }
}

/// A binary operation other than a comparison. `right` is the type of the right operand, which differs only for shifts.
///
/// `None`: the value is unspecified (division by zero, the overflowing division, shifts by too much).
pub fn binary(op: BinOp, x: u64, y: u64, info: IntInfo, right: IntInfo) -> Option<u64> {
    let width = info.width;
    let bits = match op {
        BinOp::Add => x.wrapping_add(y),
        BinOp::Sub => x.wrapping_sub(y),
        BinOp::Mul => x.wrapping_mul(y),
        BinOp::And => x & y,
        BinOp::Or => x | y,
        BinOp::Xor => x ^ y,
        BinOp::Div if info.signed => {
            let (x, y) = (signed(x, width), signed(y, width));
            fits(x.checked_div(y)?, info)?.cast_unsigned()
        }
        BinOp::Div => x.checked_div(y)?,
        BinOp::Rem if info.signed => {
            let (x, y) = (signed(x, width), signed(y, width));
            fits(x.checked_div(y)?, info)?;
            x.checked_rem(y)?.cast_unsigned()
        }
        BinOp::Rem => x.checked_rem(y)?,
        // Zero is all that every machine makes of zero, however far it is shifted.
        BinOp::Shl | BinOp::Shr if x == 0 => 0,
        BinOp::Shl | BinOp::Shr => {
            let amount = u32::try_from(number(y, right)).ok().filter(|n| *n < width)?;
            match op {
                BinOp::Shl => x << amount,
                _ if info.signed => (signed(x, width) >> amount).cast_unsigned(),
                _ => x >> amount,
            }
        }
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne => u64::from(compare(op, x, y, info)),
    };
    Some(bits & mask(width))
}

/// A quotient, unless it lies outside of its type.
fn fits(quotient: i64, info: IntInfo) -> Option<i64> {
    (signed(quotient.cast_unsigned(), info.width) == quotient).then_some(quotient)
}

/// The number by which an odd one has to be multiplied to get 1, modulo 2^64, by Newton's iteration.
pub fn inverse(odd: u64) -> u64 {
    assert!(odd % 2 == 1, "even numbers have no inverse");
    let mut inverse = odd;
    // The first guess is right in 3 bits, and each step doubles them.
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    const I8: IntInfo = IntInfo { width: 8, signed: true };
    const U8: IntInfo = IntInfo {
        width: 8,
        signed: false,
    };
    const I64: IntInfo = IntInfo {
        width: 64,
        signed: true,
    };

    /// All pairs of 8-bit operands against Rust's own wrapping arithmetic.
    #[test]
    fn eight_bit_arithmetic_is_that_of_the_machine() {
        for x in i8::MIN..=i8::MAX {
            for y in i8::MIN..=i8::MAX {
                let (ux, uy) = (x.cast_unsigned(), y.cast_unsigned());
                let signed = |op| binary(op, ux.into(), uy.into(), I8, I8);
                let unsigned = |op| binary(op, ux.into(), uy.into(), U8, U8);
                let of = |v: i8| Some(u64::from(v.cast_unsigned()));
                assert_eq!(signed(BinOp::Add), of(x.wrapping_add(y)));
                assert_eq!(unsigned(BinOp::Sub), of(x.wrapping_sub(y)));
                assert_eq!(signed(BinOp::Mul), of(x.wrapping_mul(y)));
                assert_eq!(unsigned(BinOp::Mul), Some(ux.wrapping_mul(uy).into()));
                assert_eq!(signed(BinOp::Div), x.checked_div(y).and_then(of));
                assert_eq!(signed(BinOp::Rem), x.checked_rem(y).and_then(of));
                assert_eq!(unsigned(BinOp::Div), ux.checked_div(uy).map(u64::from));
                assert_eq!(unsigned(BinOp::Rem), ux.checked_rem(uy).map(u64::from));
                assert_eq!(signed(BinOp::And), of(x & y));
                assert_eq!(signed(BinOp::Or), of(x | y));
                assert_eq!(unsigned(BinOp::Xor), Some((ux ^ uy).into()));
                let amount = u32::try_from(y).ok().filter(|n| *n < 8);
                let zero = (x == 0).then_some(0);
                assert_eq!(signed(BinOp::Shl), zero.or(amount.and_then(|n| of(x << n))));
                assert_eq!(signed(BinOp::Shr), zero.or(amount.and_then(|n| of(x >> n))));
                let amount = Some(u32::from(uy)).filter(|n| *n < 8);
                assert_eq!(unsigned(BinOp::Shr), zero.or(amount.map(|n| (ux >> n).into())));
                for (op, s, u) in [
                    (BinOp::Lt, x < y, ux < uy),
                    (BinOp::Le, x <= y, ux <= uy),
                    (BinOp::Gt, x > y, ux > uy),
                    (BinOp::Ge, x >= y, ux >= uy),
                    (BinOp::Eq, x == y, ux == uy),
                    (BinOp::Ne, x != y, ux != uy),
                ] {
                    assert_eq!(compare(op, ux.into(), uy.into(), I8), s);
                    assert_eq!(compare(op, ux.into(), uy.into(), U8), u);
                }
            }
        }
    }

    #[test]
    fn the_widest_integers_neither_overflow_nor_lose_bits() {
        let min = i64::MIN.cast_unsigned();
        assert_eq!(binary(BinOp::Div, min, u64::MAX, I64, I64), None);
        assert_eq!(binary(BinOp::Rem, min, u64::MAX, I64, I64), None);
        assert_eq!(binary(BinOp::Add, u64::MAX, 1, I64, I64), Some(0));
        assert_eq!(number(min, I64), i128::from(i64::MIN));
        assert_eq!(pattern(-1, I64), u64::MAX);
        assert_eq!(bounds(I64), (i64::MIN.into(), i64::MAX.into()));
    }

    #[test]
    fn conversions_extend_by_the_source_and_cut_by_the_target() {
        assert_eq!(convert(0xff, I8, I64), u64::MAX);
        assert_eq!(convert(0xff, U8, I64), 0xff);
        assert_eq!(convert(0x180, I64, I8), 0x80);
        let truth = IntInfo {
            width: 1,
            signed: false,
        };
        assert_eq!(convert(0x100, I64, truth), 1);
        assert_eq!(convert(1, truth, I64), 1);
    }

    #[test]
    fn odd_numbers_have_inverses() {
        for odd in [1, 3, 5, 0x1234_5677, u64::MAX] {
            assert_eq!(odd.wrapping_mul(inverse(odd)), 1);
        }
    }
}
