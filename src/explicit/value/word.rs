//! Words: values as rows of bits, each of them a constant or a bit of some symbol.
//!
//! Masks, shifts, conversions and sums without carries only move bits around. A result of such operations is known by where its bits come from,
//! whatever way they went: so two computations that arrange the same bits in the same way have the same value, and one that puts all bits back
//! where they were is the symbol itself. The domain is that of known bits (Miné, "Abstract domains for bit-level machine integer and
//! floating-point operations", WING 2012) with the origin of bits in place of *unknown*.
//!
//! Where two different bits meet, the bit of the result has no origin but the result itself; the other bits keep theirs.

use super::arith::{bounds, mask};
use super::symbol::SymbolId;
use crate::cfa::BinOp;
use crate::frontend::types::IntInfo;
use std::rc::Rc;

/// A bit of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bit {
    /// A constant.
    Is(bool),
    /// This bit of a symbol's two's complement, or (true) its opposite.
    Of(SymbolId, u32, bool),
    /// No other than this bit of the word's own symbol. Only in words that belong to one.
    Own,
}

use Bit::{Is, Of, Own};

/// Bits, the lowest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word(Rc<[Bit]>);

/// The two bits' conjunction, disjunction or exclusive disjunction, if it is a bit of that kind.
fn meet(op: BinOp, a: Bit, b: Bit) -> Option<Bit> {
    let (Is(_) | Of(..), Is(_) | Of(..)) = (a, b) else {
        return None;
    };
    let opposite = a == not(b);
    match (op, a, b) {
        (BinOp::And, Is(false), _) | (BinOp::And, _, Is(false)) => Some(Is(false)),
        (BinOp::And, Is(true), x) | (BinOp::And, x, Is(true)) => Some(x),
        (BinOp::Or, Is(true), _) | (BinOp::Or, _, Is(true)) => Some(Is(true)),
        (BinOp::Or, Is(false), x) | (BinOp::Or, x, Is(false)) => Some(x),
        (BinOp::Xor, Is(false), x) | (BinOp::Xor, x, Is(false)) => Some(x),
        (BinOp::Xor, Is(true), x) | (BinOp::Xor, x, Is(true)) => Some(not(x)),
        (BinOp::And | BinOp::Or, x, y) if x == y => Some(x),
        (BinOp::Xor, x, y) if x == y => Some(Is(false)),
        (BinOp::And, ..) if opposite => Some(Is(false)),
        (BinOp::Or | BinOp::Xor, ..) if opposite => Some(Is(true)),
        _ => None,
    }
}

fn not(bit: Bit) -> Bit {
    match bit {
        Is(value) => Is(!value),
        Of(id, at, negated) => Of(id, at, !negated),
        Own => Own,
    }
}

impl Word {
    /// The word of a constant.
    pub fn constant(bits: u64, width: u32) -> Word {
        Word((0..width).map(|at| Is(at < 64 && (bits >> at) & 1 == 1)).collect())
    }

    /// The word of a symbol about which nothing but its range is known.
    pub fn of_symbol(id: SymbolId, (lo, hi): (i128, i128)) -> Word {
        let bit = |at: u32| match lo >= 0 && (hi >> at) == 0 {
            true => Is(false),
            false => Of(id, at, false),
        };
        Word((0..id.info().width).map(bit).collect())
    }

    /// The word of a number in this range: its upper bits are zero.
    pub fn below(&self, (lo, hi): (i128, i128)) -> Word {
        match lo >= 0 && (hi >> self.width()) == 0 {
            true => Word(
                (0u32..)
                    .zip(self.0.iter())
                    .map(|(at, bit)| if hi >> at == 0 { Is(false) } else { *bit })
                    .collect(),
            ),
            false => self.clone(),
        }
    }

    /// The bits of several words, the lowest word first.
    pub fn joined(parts: &[Word]) -> Word {
        Word(parts.iter().flat_map(|part| part.0.iter().copied()).collect())
    }

    /// The number of bits.
    pub fn width(&self) -> u32 {
        u32::try_from(self.0.len()).expect("at most 64")
    }

    /// Its bits, the lowest first.
    pub fn bits(&self) -> &[Bit] {
        &self.0
    }

    /// The symbols that bits come from.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> {
        self.0.iter().filter_map(|bit| match bit {
            Of(id, ..) => Some(*id),
            _ => None,
        })
    }

    /// Whether it says where each bit comes from.
    pub fn is_complete(&self) -> bool {
        self.0.iter().all(|bit| *bit != Own)
    }

    /// Its bits replaced. `None` if there is none for one of them.
    pub fn map(&self, replace: impl FnMut(Bit) -> Option<Bit>) -> Option<Word> {
        let bits: Option<Vec<Bit>> = self.0.iter().copied().map(replace).collect();
        Some(Word(bits?.into()))
    }

    /// The word as that of a symbol: its own bits have a name.
    pub fn named(&self, id: SymbolId) -> Word {
        let bits = (0..).zip(self.0.iter());
        Word(
            bits.map(|(at, bit)| if *bit == Own { Of(id, at, false) } else { *bit })
                .collect(),
        )
    }

    /// The conversion to a type of another width; `signed`: the type that it comes from.
    pub fn converted(&self, width: u32, signed: bool) -> Word {
        let top = self.0.last().copied().filter(|_| signed).unwrap_or(Is(false));
        let bits = self.0.iter().copied().chain(std::iter::repeat(top));
        Word(bits.take(index(width)).collect())
    }

    /// The value, if every bit is constant.
    pub fn as_constant(&self) -> Option<u64> {
        let mut bits = 0;
        for bit in self.0.iter().rev() {
            let Is(one) = bit else { return None };
            bits = bits << 1 | u64::from(*one);
        }
        Some(bits)
    }

    /// The range of the numbers of a type that have the constant bits.
    pub fn range(&self, info: IntInfo) -> (i128, i128) {
        let (least, greatest) = bounds(info);
        if self.width() != info.width {
            return (least, greatest);
        }
        let (mut lo, mut hi) = (0, 0);
        for (at, bit) in (0..).zip(self.0.iter()) {
            let weight = 1i128 << at;
            let weight = if info.signed && at == info.width - 1 {
                -weight
            } else {
                weight
            };
            match bit {
                Is(false) => {}
                Is(true) => (lo, hi) = (lo + weight, hi + weight),
                Of(..) | Own => (lo, hi) = (lo + weight.min(0), hi + weight.max(0)),
            }
        }
        (lo, hi)
    }

    /// The word of a bitwise operation of two words of one width, or of their sum where no two bits meet. Bits without an origin are the word's
    /// own. `None` if no bit has one.
    pub fn combined(op: BinOp, a: &Word, b: &Word) -> Option<Word> {
        assert_eq!(a.width(), b.width(), "operands have one type");
        let pairs = a.0.iter().copied().zip(b.0.iter().copied());
        let bits: Vec<Bit> = match op {
            BinOp::And | BinOp::Or | BinOp::Xor => pairs.map(|(x, y)| meet(op, x, y).unwrap_or(Own)).collect(),
            BinOp::Add => {
                let apart = |(x, y)| match (x, y) {
                    (Is(false), bit) | (bit, Is(false)) => Some(bit),
                    _ => None,
                };
                pairs.map(apart).collect::<Option<_>>()?
            }
            _ => return None,
        };
        bits.iter().any(|bit| *bit != Own).then(|| Word(bits.into()))
    }

    /// The word of an operation with a constant on the right that moves bits.
    pub fn moved(op: BinOp, a: &Word, right: u64, info: IntInfo) -> Option<Word> {
        let width = info.width;
        let amount = || u32::try_from(right).ok().filter(|amount| *amount < width);
        let power = || right.is_power_of_two().then(|| right.trailing_zeros());
        match op {
            BinOp::Shl => Some(a.left(amount()?)),
            BinOp::Shr => Some(a.right(amount()?, info.signed)),
            BinOp::Mul => Some(a.left(power()?)),
            BinOp::Div if !info.signed => Some(a.right(power()?, false)),
            BinOp::Rem if !info.signed => {
                let kept = Word::constant(mask(power()?) & mask(width), width);
                Word::combined(BinOp::And, a, &kept)
            }
            _ => None,
        }
    }

    fn left(&self, amount: u32) -> Word {
        let zeros = std::iter::repeat_n(Is(false), index(amount));
        Word(zeros.chain(self.0.iter().copied()).take(self.0.len()).collect())
    }

    fn right(&self, amount: u32, signed: bool) -> Word {
        Word(self.0[index(amount)..].into()).converted(self.width(), signed)
    }
}

fn index(at: u32) -> usize {
    usize::try_from(at).expect("a number of 32 bits is a position")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::value::arith::{binary, convert, number, pattern};

    const U8: IntInfo = IntInfo {
        width: 8,
        signed: false,
    };
    const I8: IntInfo = IntInfo { width: 8, signed: true };
    const I32: IntInfo = IntInfo {
        width: 32,
        signed: true,
    };

    /// The pattern of a word when its symbols have these values; own bits are those of `own`.
    fn value(word: &Word, symbols: &[(SymbolId, i128)], own: u64) -> u64 {
        let bit = |(at, bit): (u32, &Bit)| match bit {
            Is(one) => u64::from(*one) << at,
            Own => own & (1 << at),
            Of(id, place, negated) => {
                let value = symbols.iter().find(|s| s.0 == *id).expect("a known symbol").1;
                (u64::from((value >> place) & 1 == 1) ^ u64::from(*negated)) << at
            }
        };
        (0..).zip(word.0.iter()).map(bit).sum()
    }

    /// Every operation with constants on every value of a symbol, and on two symbols.
    #[test]
    fn words_have_the_values_of_the_operations() {
        for info in [U8, I8] {
            let (x, y) = (SymbolId::new(0, info).unwrap(), SymbolId::new(1, info).unwrap());
            let (lo, hi) = bounds(info);
            let word = |id| Word::of_symbol(id, (lo, hi));
            for n in lo..=hi {
                let bits = pattern(n, info);
                for c in [0u64, 1, 3, 4, 7, 8, 0x5a, 0x80, 0xff] {
                    let constant = Word::constant(c, 8);
                    for op in [BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Add] {
                        if let Some(result) = Word::combined(op, &word(x), &constant) {
                            assert!(result.is_complete());
                            let expected = binary(op, bits, c, info, info).unwrap();
                            assert_eq!(value(&result, &[(x, n)], 0), expected, "{n} {op:?} {c}");
                            let (least, greatest) = result.range(info);
                            assert!((least..=greatest).contains(&number(expected, info)));
                        }
                    }
                    for op in [BinOp::Shl, BinOp::Shr, BinOp::Mul, BinOp::Div, BinOp::Rem] {
                        if let Some(result) = Word::moved(op, &word(x), c, info) {
                            let expected = binary(op, bits, c, info, info).unwrap();
                            assert_eq!(value(&result, &[(x, n)], 0), expected, "{n} {op:?} {c}");
                        }
                    }
                }
                for to in [U8, I32] {
                    let result = word(x).converted(to.width, info.signed);
                    assert_eq!(value(&result, &[(x, n)], 0), convert(bits, info, to));
                }
                let z = SymbolId::new(2, info).unwrap();
                let m = (n * 37 - lo) % 128;
                let mixed = Word::combined(BinOp::Or, &word(x), &word(y).left(4)).unwrap();
                let expected = bits | (pattern(m, info) << 4 & 0xff);
                assert_eq!(value(&mixed, &[(x, n), (y, m)], expected), expected);
                assert!(!mixed.is_complete());
                let low = Word::combined(BinOp::And, &mixed.named(z), &Word::constant(15, 8)).unwrap();
                assert_eq!(
                    low,
                    Word::combined(BinOp::And, &word(x), &Word::constant(15, 8)).unwrap()
                );
            }
        }
    }

    #[test]
    fn bits_that_are_put_back_are_the_symbol() {
        let id = SymbolId::new(0, U8).unwrap();
        let word = Word::of_symbol(id, (0, 255));
        let part = |bits| Word::combined(BinOp::And, &word, &Word::constant(bits, 8)).unwrap();
        let (high, low) = (part(0xf0), part(0x0f));
        assert_eq!(Word::combined(BinOp::Or, &high, &low), Some(word.clone()));
        assert_eq!(Word::combined(BinOp::Add, &high, &low), Some(word.clone()));
        assert_eq!(Word::combined(BinOp::Xor, &word, &word).unwrap().as_constant(), Some(0));
        // A small range leaves no high bits.
        assert_eq!(Word::of_symbol(id, (0, 3)).range(U8), (0, 3));
    }
}
