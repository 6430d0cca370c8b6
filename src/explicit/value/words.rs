//! Values of more than 64 bits as two words: integers, `long double` and its like.
//!
//! States have nothing of the kind: a slot or a cell of memory holds one word. So a [`Value`] stays as small as the values that nearly all programs have, and two states
//! are compared word by word. A word is a value like any other. Arithmetic needs both to be concrete; what moves whole words (copies, extensions, conversions to
//! narrower integers, shifts by 64 bits) and comparisons keep symbols, too.

use super::arith;
use super::arith::mask;
use crate::cfa::BinOp;
use crate::cfa::program::math::{Operand, Shape};
use crate::explicit::Value;
use crate::frontend::types::IntInfo;
use crate::frontend::types::float::Format;

/// The bits of the lower word.
pub const WORD: u32 = 64;

/// A value of more than 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Words {
    /// The lowest 64 bits.
    pub low: Value,
    /// The others, zero-extended.
    pub high: Value,
}

impl Words {
    /// Nothing is known.
    pub const UNKNOWN: Words = Words {
        low: Value::Unknown,
        high: Value::Unknown,
    };

    /// A concrete bit pattern.
    pub fn of(bits: u128) -> Words {
        let word = |bits: u128| Value::Bits(u64::try_from(bits & u128::from(u64::MAX)).expect("cut to 64 bits"));
        Words {
            low: word(bits),
            high: word(bits >> WORD),
        }
    }

    /// The bit pattern, if it is concrete.
    pub fn bits(self) -> Option<u128> {
        match (self.low, self.high) {
            (Value::Bits(low), Value::Bits(high)) => Some(u128::from(high) << WORD | u128::from(low)),
            _ => None,
        }
    }

    /// The concrete value as an operand.
    pub fn operand(self, shape: Shape) -> Option<Operand> {
        self.bits().map(|bits| Operand { bits, shape })
    }
}

/// Whether a scalar consists of two words.
pub fn is_wide(shape: Shape) -> bool {
    (WORD + 1..=2 * WORD).contains(&shape.width())
}

/// The integer type of the upper word of an integer type.
pub fn upper(info: IntInfo) -> IntInfo {
    IntInfo {
        width: info.width - WORD,
        signed: info.signed,
    }
}

/// The bytes in memory of the upper word of a scalar of this size; what is behind it is padding.
pub fn upper_bytes(shape: Shape, size: u64) -> u64 {
    match shape {
        Shape::Float(Format::Extended) => 2,
        _ => size.saturating_sub(8).min(8),
    }
}

/// The word of the sign of a number whose highest word is this one.
fn sign_word(high: Value, high_info: IntInfo) -> Value {
    match high {
        _ if !high_info.signed => Value::Bits(0),
        Value::Bits(bits) if arith::number(bits, high_info) < 0 => Value::Bits(u64::MAX),
        Value::Bits(_) => Value::Bits(0),
        _ => Value::Unknown,
    }
}

/// A word cut to a width.
fn cut(word: Value, width: u32) -> Value {
    match word {
        Value::Bits(bits) => Value::Bits(bits & mask(width)),
        Value::Symbol { id, plus } => Value::Symbol {
            id,
            plus: plus & mask(width),
        },
        word if width == WORD => word,
        _ => Value::Unknown,
    }
}

/// A word of an integer type as one of 64 bits, with its sign if it has one.
fn extended(word: Value, info: IntInfo) -> Value {
    match word {
        word if info.width == WORD => word,
        Value::Bits(bits) => Value::Bits(arith::low_bits(arith::number(bits, info))),
        _ => Value::Unknown,
    }
}

/// A value of one integer type of more than 64 bits as one of another.
pub fn resized(words: Words, from: IntInfo, to: IntInfo) -> Words {
    let high = match to.width <= from.width {
        true => words.high,
        false => extended(words.high, upper(from)),
    };
    Words {
        low: words.low,
        high: cut(high, to.width - WORD),
    }
}

/// A value shifted by an amount below its width, as far as whole words move.
pub fn shifted(op: BinOp, words: Words, amount: u32, info: IntInfo) -> Words {
    let high_info = upper(info);
    match (op, amount.checked_sub(WORD)) {
        (_, None) if amount == 0 => words,
        (BinOp::Shl, Some(rest)) => {
            let high = match (words.low, rest) {
                (low, 0) => cut(low, high_info.width),
                (Value::Bits(low), rest) => cut(Value::Bits(low << rest), high_info.width),
                _ => Value::Unknown,
            };
            Words {
                low: Value::Bits(0),
                high,
            }
        }
        (BinOp::Shr, Some(rest)) => {
            let low = match (extended(words.high, high_info), rest) {
                (high, 0) => high,
                (Value::Bits(high), rest) if info.signed => Value::Bits((high.cast_signed() >> rest).cast_unsigned()),
                (Value::Bits(high), rest) => Value::Bits(high >> rest),
                _ => Value::Unknown,
            };
            Words {
                low,
                high: cut(sign_word(words.high, high_info), high_info.width),
            }
        }
        _ => Words::UNKNOWN,
    }
}

/// A bitwise operation on words of which not both are concrete: exact where one of them decides, else unknown.
pub fn bitwise(op: BinOp, a: Value, b: Value, width: u32) -> Value {
    let all = mask(width);
    match (op, a, b) {
        (BinOp::And, Value::Bits(0), _) | (BinOp::And, _, Value::Bits(0)) => Value::Bits(0),
        (BinOp::Or, Value::Bits(bits), _) | (BinOp::Or, _, Value::Bits(bits)) if bits == all => Value::Bits(all),
        (BinOp::And, Value::Bits(bits), value) | (BinOp::And, value, Value::Bits(bits)) if bits == all => value,
        (BinOp::Or | BinOp::Xor, Value::Bits(0), value) | (BinOp::Or | BinOp::Xor, value, Value::Bits(0)) => value,
        (_, Value::Bits(x), Value::Bits(y)) => match op {
            BinOp::And => Value::Bits(x & y),
            BinOp::Or => Value::Bits(x | y),
            _ => Value::Bits(x ^ y),
        },
        _ => Value::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cfa::program::math;
    use crate::explicit::value::symbol::{SymbolId, instance};
    use proptest::prelude::*;

    const U64: IntInfo = IntInfo {
        width: 64,
        signed: false,
    };

    fn info() -> impl Strategy<Value = IntInfo> {
        (65u32..=128, any::<bool>()).prop_map(|(width, signed)| IntInfo { width, signed })
    }

    /// A word that is concrete, a symbol plus a constant, or unknown.
    fn word() -> impl Strategy<Value = (u8, u64, u64)> {
        (0u8..3, prop_oneof![Just(0), Just(u64::MAX), any::<u64>()], any::<u64>())
    }

    /// The word as a value, and the pattern that it stands for when the symbol of this serial number has a value.
    fn value(serial: u32, (kind, bits, plus): (u8, u64, u64), width: u32) -> (Value, u64) {
        let id = SymbolId::new(serial, U64).unwrap();
        match kind {
            0 => (Value::Bits(bits & mask(width)), bits & mask(width)),
            1 => (
                Value::Symbol {
                    id,
                    plus: plus & mask(width),
                },
                instance(bits.into(), plus, width),
            ),
            _ => (Value::Unknown, bits & mask(width)),
        }
    }

    /// Whether a word that was computed allows a pattern, where the symbols 0 and 1 have these values.
    fn allows(word: Value, bits: u64, width: u32, symbols: [u64; 2]) -> bool {
        match word {
            Value::Bits(own) => own == bits,
            Value::Symbol { id, plus } => {
                let serial = usize::from(id != SymbolId::new(0, U64).unwrap());
                instance(symbols[serial].into(), plus, width) == bits
            }
            _ => true,
        }
    }

    proptest! {
        /// Against the arithmetic of concrete numbers, for every choice of which words are known.
        #[test]
        fn what_moves_words_is_that_of_concrete_numbers(
            from in info(), to in info(), low in word(), high in word(), amount in 0u32..128,
        ) {
            let (low_value, low_bits) = value(0, low, 64);
            let (high_value, high_bits) = value(1, high, from.width - 64);
            let words = Words { low: low_value, high: high_value };
            let symbols = [low.1, high.1];
            let shape = Shape::Int(from);
            let operand = Operand { bits: u128::from(high_bits) << 64 | u128::from(low_bits), shape };
            let check = |found: Words, exact: u128, width: u32| {
                let (low, high) = (exact & u128::from(u64::MAX), exact >> 64);
                let parts = [(found.low, low, 64), (found.high, high, width - 64)];
                parts.iter().all(|&(word, bits, width)| allows(word, u64::try_from(bits).unwrap(), width, symbols))
            };
            let exact = math::convert(operand, Shape::Int(to)).unwrap();
            let found = resized(words, from, to);
            prop_assert!(check(found, exact, to.width), "{found:?} {exact:x}");
            prop_assert!(words.bits().is_none() || found.bits() == Some(exact));
            for op in [BinOp::Shl, BinOp::Shr] {
                let by = Operand { bits: amount.into(), shape: Shape::Int(U64) };
                if let Ok(exact) = math::integer(op, operand, by) {
                    let found = shifted(op, words, amount, from);
                    prop_assert!(check(found, exact, from.width), "{op:?} {found:?} {exact:x}");
                }
            }
        }

        /// Against the operators of numbers.
        #[test]
        fn what_one_word_decides_is_so(a in word(), b in word(), width in 1u32..=64) {
            let ((x, x_bits), (y, y_bits)) = (value(0, a, width), value(1, b, width));
            for op in [BinOp::And, BinOp::Or, BinOp::Xor] {
                let found = bitwise(op, x, y, width);
                let exact = match op {
                    BinOp::And => x_bits & y_bits,
                    BinOp::Or => x_bits | y_bits,
                    _ => x_bits ^ y_bits,
                };
                prop_assert!(allows(found, exact, width, [a.1, b.1]), "{op:?} {found:?} {exact:x}");
            }
        }
    }

    #[test]
    fn two_words_are_the_pattern() {
        let bits = 0x0123_4567_89ab_cdef_fedc_ba98_7654_3210u128;
        assert_eq!(Words::of(bits).bits(), Some(bits));
        assert_eq!(Words::of(bits).low, Value::Bits(0xfedc_ba98_7654_3210));
        assert_eq!(Words::UNKNOWN.bits(), None);
    }
}
