//! Numbers and values as bytes.
//!
//! Most numbers are small, and a small number has few bytes: seven bits in each byte, the lowest ones first, and a bit that says whether there are more (base 128, as in the DWARF format).

use crate::explicit::Value;
use crate::explicit::compiled::code::ObjectId;
use crate::explicit::value::symbol::SymbolId;

/// The bytes of most lists of numbers.
const USUAL_BYTES: usize = 64;

/// The kinds of values. Bits have their number instead, with [`BITS`] added to it.
const UNKNOWN: u64 = 0;
const POINTER: u64 = 1;
const SYMBOL: u64 = 2;
/// Bits that are too large to be added to.
const LARGE: u64 = 3;
const BITS: u64 = 4;

/// Writes numbers one after the other.
#[derive(Default)]
pub struct Writer(Vec<u8>);

impl Writer {
    /// Nothing is written yet.
    pub fn empty() -> Writer {
        Writer(Vec::with_capacity(USUAL_BYTES))
    }

    /// Forgets all that was written.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Writes a number.
    pub fn push(&mut self, number: impl Into<u64>) {
        let mut number = number.into();
        while number >= 1 << 7 {
            self.0.push(number.to_le_bytes()[0] | 1 << 7);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    /// Writes numbers of which most are zero: those that are not, behind a number that tells which.
    pub fn sparse<const N: usize>(&mut self, numbers: [u32; N]) {
        let flags = numbers
            .iter()
            .rev()
            .fold(0u64, |flags, &number| flags << 1 | u64::from(number != 0));
        self.push(flags);
        for number in numbers.into_iter().filter(|&number| number != 0) {
            self.push(number);
        }
    }

    /// Writes a value.
    pub fn value(&mut self, value: Value) {
        match value {
            Value::Unknown => self.push(UNKNOWN),
            Value::Bits(bits) => match bits.checked_add(BITS) {
                Some(number) => self.push(number),
                None => {
                    self.push(LARGE);
                    self.push(bits);
                }
            },
            Value::Pointer { object, offset } => {
                self.push(POINTER);
                self.push(object.0);
                self.push(offset);
            }
            Value::Symbol { id, plus } => {
                self.push(SYMBOL);
                self.push(id.0);
                self.push(plus);
            }
        }
    }

    /// Writes bytes as they are.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// All that was written.
    pub fn written(&self) -> &[u8] {
        &self.0
    }
}

impl From<Writer> for Box<[u8]> {
    fn from(writer: Writer) -> Box<[u8]> {
        writer.0.into()
    }
}

/// Reads numbers one after the other. They have to be those that were written.
pub struct Reader<'b>(pub &'b [u8]);

impl Reader<'_> {
    /// Reads a number of 64 bits.
    #[inline]
    pub fn long(&mut self) -> u64 {
        match *self.0 {
            [byte @ 0..0x80, ref rest @ ..] => {
                self.0 = rest;
                byte.into()
            }
            _ => self.longer(),
        }
    }

    /// Reads a number of more than one byte.
    fn longer(&mut self) -> u64 {
        let mut number = 0;
        for place in (0..u64::BITS).step_by(7) {
            let (&byte, rest) = self.0.split_first().expect("packed numbers are complete");
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << place;
            if byte < 1 << 7 {
                return number;
            }
        }
        unreachable!("a number of 64 bits has at most ten bytes")
    }

    /// Reads a number of 32 bits.
    pub fn word(&mut self) -> u32 {
        u32::try_from(self.long()).expect("a number of 32 bits was written")
    }

    /// Reads a number that was the length of something in memory.
    pub fn size(&mut self) -> usize {
        usize::try_from(self.long()).expect("a length fits into memory")
    }

    /// Reads numbers of which most are zero.
    pub fn sparse<const N: usize>(&mut self) -> [u32; N] {
        let flags = self.long();
        std::array::from_fn(|at| if flags >> at & 1 == 1 { self.word() } else { 0 })
    }

    /// Reads a value.
    pub fn value(&mut self) -> Value {
        match self.long() {
            UNKNOWN => Value::Unknown,
            POINTER => Value::Pointer {
                object: ObjectId(self.word()),
                offset: self.long(),
            },
            SYMBOL => Value::Symbol {
                id: SymbolId(self.word()),
                plus: self.long(),
            },
            LARGE => Value::Bits(self.long()),
            number => Value::Bits(number - BITS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers at the borders of lengths.
    fn numbers() -> Vec<u64> {
        let numbers =
            (0..u64::BITS).flat_map(|bit| [0, 1, 5].map(|low| (1u64 << bit).wrapping_sub(1).wrapping_add(low)));
        numbers.chain((0..6).map(|less| u64::MAX - less)).collect()
    }

    #[test]
    fn numbers_come_back() {
        let mut words = Writer::empty();
        numbers().iter().for_each(|&number| words.push(number));
        words.sparse([0, 7, 0, u32::MAX, 1]);
        let mut words = Reader(words.written());
        assert!(numbers().iter().all(|&number| words.long() == number));
        assert_eq!(words.sparse(), [0, 7, 0, u32::MAX, 1]);
        assert!(words.0.is_empty());
    }

    #[test]
    fn values_come_back() {
        let values = numbers().into_iter().flat_map(|number| {
            let id = number.to_le_bytes()[0].into();
            [
                Value::Bits(number),
                Value::Unknown,
                Value::Pointer {
                    object: ObjectId(id),
                    offset: number,
                },
                Value::Symbol {
                    id: SymbolId(id),
                    plus: number,
                },
            ]
        });
        let values: Vec<Value> = values.collect();
        let mut words = Writer::empty();
        values.iter().for_each(|&value| words.value(value));
        let mut words = Reader(words.written());
        assert!(values.iter().all(|&value| words.value() == value));
        assert!(words.0.is_empty());
    }
}
