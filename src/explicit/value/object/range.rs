//! Ranges of bytes of an object: set as a whole, taken out piece by piece, and put in elsewhere.

use super::super::arith::mask;
use super::super::bits::PartialByte;
use super::{Object, PAGE, Page, bits_of};
use crate::explicit::Value;

/// A part of an object as it is copied.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// A scalar: offset, size, value.
    Scalar(u64, u64, Value),
    /// Bytes that are all zero, or all unknown: offset, length, whether they are zero.
    Run(u64, u64, bool),
    /// The earlier entry for an unknown byte: offset, known bits.
    Partial(u64, PartialByte),
    /// Bytes of earlier entries that nothing has written: offset, length, whether it may be that something has.
    Unwritten(u64, u64, bool),
}

impl Object {
    /// Sets all bytes of a range to a concrete byte, or makes them unknown.
    pub fn fill(&mut self, offset: u64, count: u64, byte: Option<u8>) {
        self.partial.clear(offset, count);
        self.unwritten.write(offset, count);
        if offset == 0 && count == self.size && matches!(byte, None | Some(0)) {
            self.pages.clear();
            self.zero = byte.is_some();
            return;
        }
        let mut at = offset;
        let end = offset + count;
        while at < end {
            let here = (PAGE - at % PAGE).min(end - at);
            let whole = here == PAGE || (at.is_multiple_of(PAGE) && at + here == self.size);
            match byte {
                None if whole => *self.page_mut(at / PAGE) = Page::Unknown,
                Some(0) if whole => *self.page_mut(at / PAGE) = Page::Zero,
                _ => self.fill_part(at, here, byte),
            }
            at += here;
        }
    }

    /// The same for a range within one page.
    fn fill_part(&mut self, offset: u64, count: u64, byte: Option<u8>) {
        let mut at = offset;
        let end = offset + count;
        let preferred = if self.stride == 0 { 8 } else { self.stride };
        while at < end {
            let mut size = preferred;
            while !at.is_multiple_of(size) || size > end - at {
                size /= 2;
            }
            let value = match byte {
                Some(byte) => Value::Bits(u64::from_le_bytes([byte; 8]) & mask(bits_of(size))),
                None => Value::Unknown,
            };
            self.write(at, size, value);
            at += size;
        }
    }

    /// The content of a range, in order and without gaps.
    pub fn pieces(&self, offset: u64, count: u64) -> Vec<Piece> {
        let mut found = Vec::new();
        let mut at = offset;
        let end = offset + count;
        while at < end {
            let here = (PAGE - at % PAGE).min(end - at);
            match self.page(at / PAGE) {
                Page::Zero => found.push(Piece::Run(at, here, true)),
                Page::Unknown => found.push(Piece::Run(at, here, false)),
                Page::Cells(cells) => cells
                    .layout
                    .pieces(at - at % PAGE, at % PAGE, at % PAGE + here, &mut found),
            }
            at += here;
        }
        found.extend(
            self.partial
                .within(offset, count)
                .map(|(at, byte)| Piece::Partial(at, byte)),
        );
        found.extend(self.unwritten.pieces(offset, count));
        found
    }

    /// Makes some bytes of a range unknown; it is not known which of them are written.
    pub fn blur(&mut self, offset: u64, count: u64) {
        let mut unwritten = std::mem::take(&mut self.unwritten);
        self.fill(offset, count, None);
        unwritten.blur(offset, count);
        self.unwritten = unwritten;
    }

    /// Writes what [`Object::pieces`] gave for a range that began at `from`.
    pub fn paste(&mut self, offset: u64, from: u64, pieces: &[Piece]) {
        for piece in pieces {
            match *piece {
                Piece::Scalar(at, size, value) => self.write(offset + (at - from), size, value),
                Piece::Run(at, count, zero) => self.fill(offset + (at - from), count, zero.then_some(0)),
                Piece::Partial(at, byte) => self.partial.set(offset + (at - from), byte),
                Piece::Unwritten(at, count, open) => self.unwritten.clear(offset + (at - from), count, open),
            }
        }
    }
}
