//! Bytes of which only some bits are known.
//!
//! Bit-fields share bytes: with each other, and with padding. When one of them is written while the rest of its byte is unknown, an
//! [object](super::object) keeps the known bits here, beside its scalars, where the byte counts as unknown.

use super::object::mix;
use crate::cfa::BitRange;
use std::collections::BTreeMap;

/// A byte as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PartialByte {
    /// Which bits are known.
    pub known: u8,
    /// Their values; the other bits are zero.
    pub bits: u8,
}

impl PartialByte {
    /// A byte of which everything is known.
    pub fn whole(bits: u8) -> PartialByte {
        PartialByte { known: u8::MAX, bits }
    }

    /// The byte after some of its bits were written.
    fn with(self, written: u8, value: Option<u8>) -> PartialByte {
        let kept = PartialByte {
            known: self.known & !written,
            bits: self.bits & !written,
        };
        match value {
            Some(value) => PartialByte {
                known: kept.known | written,
                bits: kept.bits | (value & written),
            },
            None => kept,
        }
    }
}

/// The partly known bytes of an object, by their offsets. None of them is known wholly, and none not at all.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PartialBytes {
    bytes: BTreeMap<u64, PartialByte>,
}

impl PartialBytes {
    /// The known bits of a byte.
    pub fn get(&self, at: u64) -> PartialByte {
        self.bytes.get(&at).copied().unwrap_or_default()
    }

    /// Records a byte that is partly known.
    pub fn set(&mut self, at: u64, byte: PartialByte) {
        debug_assert!(byte.known != 0 && byte.known != u8::MAX, "such a byte is partly known");
        self.bytes.insert(at, byte);
    }

    /// Forgets what lies in a range, because it is written.
    pub fn clear(&mut self, at: u64, count: u64) {
        if !self.bytes.is_empty() {
            let gone: Vec<u64> = self.within(at, count).map(|(at, _)| at).collect();
            for at in gone {
                self.bytes.remove(&at);
            }
        }
    }

    /// The bytes in a range.
    pub fn within(&self, at: u64, count: u64) -> impl Iterator<Item = (u64, PartialByte)> + '_ {
        self.bytes
            .range(at..at.saturating_add(count))
            .map(|(at, byte)| (*at, *byte))
    }

    /// One step of a hash.
    pub fn hash(&self, hash: u64) -> u64 {
        let step = |hash, (at, byte): (&u64, &PartialByte)| {
            mix(mix(hash, *at), u64::from(u16::from_le_bytes([byte.known, byte.bits])))
        };
        self.bytes.iter().fold(hash, step)
    }
}

/// The bytes that a bit-field touches: the first, how many, and by how much its lowest bit is shifted in them.
pub fn bytes_of(bits: BitRange) -> (u64, u64, u32) {
    let first = bits.offset / 8;
    let last = (bits.offset + u64::from(bits.width).max(1) - 1) / 8;
    let shift = u32::try_from(bits.offset % 8).expect("below 8");
    (first, last - first + 1, shift)
}

/// Writes a bit-field into the bytes that it touches, least first. Without a value its bits become unknown.
pub fn insert(bytes: &mut [PartialByte], bits: BitRange, value: Option<u64>) {
    let (_, _, shift) = bytes_of(bits);
    let written = field_mask(bits);
    let value = value.map(|value| (u128::from(value) << shift).to_le_bytes());
    for (i, (byte, mask)) in bytes.iter_mut().zip(written.to_le_bytes()).enumerate() {
        *byte = byte.with(mask, value.map(|value| value[i]));
    }
}

/// Reads a bit-field from the bytes that it touches, least first; `None` if some of its bits are unknown.
pub fn extract(bytes: &[PartialByte], bits: BitRange) -> Option<u64> {
    let (_, _, shift) = bytes_of(bits);
    let join = |part: fn(&PartialByte) -> u8| {
        bytes
            .iter()
            .rev()
            .fold(0u128, |all, b| (all << 8) | u128::from(part(b)))
    };
    let mask = field_mask(bits);
    if join(|b| b.known) & mask != mask {
        return None;
    }
    u64::try_from((join(|b| b.bits) & mask) >> shift).ok()
}

/// The bits of a bit-field in the bytes that it touches.
fn field_mask(bits: BitRange) -> u128 {
    let (_, _, shift) = bytes_of(bits);
    u128::from(super::arith::mask(bits.width)) << shift
}
