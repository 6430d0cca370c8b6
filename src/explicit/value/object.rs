//! An object in memory: bytes that are looked at as scalars.
//!
//! The object is cut into pages of [`PAGE`] bytes. A page is all zero, all unknown, or has cells: either of one size side by side (arrays), or of
//! any size and place (records). Pages are shared between copies of the object until one of them is written, so that
//! copying a state costs nothing per element.
//!
//! A read finds the value of exactly that cell, or a value put together from concrete bytes (little endian), or the low part of a longer
//! cell; everything else is *lost*: any value, without a name. Writes cut the cells that they hit in part: their other bytes stay where they
//! are concrete, and are unknown otherwise.
//!
//! | module | does |
//! |---|---|
//! | `layout` | the cells of a page |
//! | `pages` | the pages that were touched |
//! | `range` | ranges of bytes: set, and copied |
//! | `unwritten` | which bytes nothing has written, for programs that ask |

mod layout;
mod pages;
mod range;
mod unwritten;

pub use range::Piece;

use super::bits::{self, PartialByte, PartialBytes, bytes_of};
use crate::cfa::BitRange;
use crate::explicit::Value;
use layout::{Cell, Layout, Summary};
use pages::Pages;
use std::cell::Cell as Memo;
use std::rc::Rc;
use unwritten::Unwritten;

/// Bytes of a page.
pub const PAGE: u64 = 256;

#[derive(Clone, Debug)]
struct Cells {
    layout: Layout,
    summary: Memo<Option<Summary>>,
}

#[derive(Clone, Debug)]
enum Page {
    Zero,
    Unknown,
    Cells(Rc<Cells>),
}

/// The kind of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A variable.
    Variable,
    /// A string literal, which no pointer may write through.
    Literal,
    /// From the heap: it may be given back.
    Heap,
    /// From the heap, and nothing points to it.
    Lost,
    /// From the stack: ends with its frame.
    Stack,
}

/// An object that is alive.
#[derive(Clone, Debug)]
pub struct Object {
    /// Bytes.
    pub size: u64,
    /// Its kind.
    pub kind: Kind,
    /// The size of its cells, as far as that is known: that of an array's elements.
    stride: u64,
    /// Whether pages that were never written are zero.
    zero: bool,
    pages: Pages,
    /// The known bits of bytes that are unknown in their pages.
    partial: PartialBytes,
    /// The bytes that nothing has written, if the program asks.
    unwritten: Unwritten,
}

/// The result of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// This value.
    Is(Value),
    /// Nothing that is known, and all of it is unknown: the reader may give it a name and write that back.
    Untouched,
    /// A part of something, or parts of several things.
    Lost,
}

impl Object {
    /// A new object with unknown content. `stride`: the size of its elements, or 0 if there is no such size.
    pub fn new(size: u64, kind: Kind, stride: u64) -> Object {
        let stride = if matches!(stride, 1 | 2 | 4 | 8) { stride } else { 0 };
        Object {
            size,
            kind,
            stride,
            zero: false,
            pages: Pages::default(),
            partial: PartialBytes::default(),
            unwritten: Unwritten::default(),
        }
    }

    /// Says that nothing has written some bytes, or that it was something.
    pub fn mark(&mut self, offset: u64, count: u64, written: bool) {
        match written {
            true => self.unwritten.write(offset, count),
            false => self.unwritten.clear(offset, count, false),
        }
    }

    /// Says that it is not known whether some bytes were written.
    pub fn leave_open(&mut self, offset: u64, count: u64) {
        self.unwritten.clear(offset, count, true);
    }

    /// Whether some bytes were written since the object began to exist; `None` if that is not known.
    pub fn is_written(&self, offset: u64, count: u64) -> Option<bool> {
        self.unwritten.is_written(offset, count)
    }

    /// Gives a name to content that is [untouched](Found::Untouched), which is no write.
    pub fn name(&mut self, offset: u64, size: u64, value: Value) {
        let unwritten = std::mem::take(&mut self.unwritten);
        self.write(offset, size, value);
        self.unwritten = unwritten;
    }

    fn page(&self, index: u64) -> Page {
        self.pages.get(index).cloned().unwrap_or_else(|| self.blank())
    }

    fn page_mut(&mut self, index: u64) -> &mut Page {
        let blank = self.blank();
        self.pages.get_mut(index, &blank)
    }

    /// A page that was never written.
    fn blank(&self) -> Page {
        if self.zero { Page::Zero } else { Page::Unknown }
    }

    /// Reads a scalar of `size` bytes; all of it must be inside.
    pub fn read(&self, offset: u64, size: u64) -> Found {
        if self.partial.within(offset, size).next().is_some() {
            return Found::Lost;
        }
        let (index, at) = (offset / PAGE, offset % PAGE);
        if at + size > PAGE {
            return self.compose(offset, size);
        }
        let blank = |zero: bool| {
            if zero {
                Found::Is(Value::Bits(0))
            } else {
                Found::Untouched
            }
        };
        match self.pages.get(index) {
            None => blank(self.zero),
            Some(Page::Zero) => blank(true),
            Some(Page::Unknown) => blank(false),
            Some(Page::Cells(cells)) => match &cells.layout {
                Layout::Uniform { stride, values } if *stride == size && at % size == 0 => {
                    match values[position(at / size)] {
                        Value::Unknown => Found::Untouched,
                        value => Found::Is(value),
                    }
                }
                layout => match layout.exact(at, size) {
                    Some(Value::Unknown) => Found::Untouched,
                    Some(value) => Found::Is(value),
                    None => self.compose(offset, size),
                },
            },
        }
    }

    /// Puts a scalar together from its bytes.
    fn compose(&self, offset: u64, size: u64) -> Found {
        let mut bits = 0u64;
        let mut unknown = 0;
        for i in 0..size {
            match self.byte(offset + i) {
                Byte::Known(byte) if i < 8 => bits |= u64::from(byte) << (8 * i),
                Byte::Unknown => unknown += 1,
                Byte::Known(_) | Byte::Part => return Found::Lost,
            }
        }
        match unknown {
            0 => Found::Is(Value::Bits(bits)),
            n if n == size => Found::Untouched,
            _ => Found::Lost,
        }
    }

    fn byte(&self, offset: u64) -> Byte {
        match self.page(offset / PAGE) {
            Page::Zero => Byte::Known(0),
            Page::Unknown => Byte::Unknown,
            Page::Cells(cells) => cells.layout.byte(offset % PAGE),
        }
    }

    /// The known bits of the bytes of a range, least first.
    fn partial_bytes(&self, offset: u64, count: u64) -> Vec<PartialByte> {
        let byte = |i| match self.byte(offset + i) {
            Byte::Known(byte) => PartialByte::whole(byte),
            Byte::Unknown => self.partial.get(offset + i),
            Byte::Part => PartialByte::default(),
        };
        (0..count).map(byte).collect()
    }

    /// Reads a bit-field of a record at an offset; all of it must be inside. `None` if some of its bits are not concrete.
    pub fn read_bits(&self, offset: u64, bits: BitRange) -> Option<u64> {
        let (first, count, _) = bytes_of(bits);
        bits::extract(&self.partial_bytes(offset + first, count), bits)
    }

    /// Writes a bit-field of a record at an offset; all of it must be inside. Without a value its bits become unknown.
    pub fn write_bits(&mut self, offset: u64, bits: BitRange, value: Option<u64>) {
        let (first, count, _) = bytes_of(bits);
        let mut bytes = self.partial_bytes(offset + first, count);
        bits::insert(&mut bytes, bits, value);
        for (at, byte) in (offset + first..).zip(bytes) {
            match byte.known {
                u8::MAX => self.write(at, 1, Value::Bits(byte.bits.into())),
                0 => self.write(at, 1, Value::Unknown),
                _ => {
                    self.write(at, 1, Value::Unknown);
                    self.partial.set(at, byte);
                }
            }
        }
    }

    /// Writes a scalar of `size` bytes; all of it must be inside.
    pub fn write(&mut self, offset: u64, size: u64, value: Value) {
        self.partial.clear(offset, size);
        self.unwritten.write(offset, size);
        let (index, at) = (offset / PAGE, offset % PAGE);
        if self.stride == 0 && self.pages.is_empty() && self.size >= PAGE && offset.is_multiple_of(size) {
            // The first access tells what a heap object is an array of.
            self.stride = if matches!(size, 1 | 2 | 4 | 8) { size } else { 0 };
        }
        if at + size > PAGE || !matches!(size, 1 | 2 | 4 | 8) {
            let bits = match value {
                Value::Bits(bits) if size <= 8 => Some(bits),
                _ => None,
            };
            for i in 0..size {
                let byte = bits.map_or(Value::Unknown, |bits| Value::Bits((bits >> (8 * i)) & 0xff));
                self.write(offset + i, 1, byte);
            }
            return;
        }
        let stride = self.stride;
        let cells = self.page_mut(index).cells(stride);
        if let Layout::Uniform { stride, values } = &mut cells.layout {
            if *stride == size && at % size == 0 {
                values[position(at / size)] = value;
                return;
            }
            cells.layout.mix();
        }
        cells.layout.carve(at, at + size);
        cells.layout.insert(Cell { at, size, value });
    }

    /// Calls `f` for every value in it that is no concrete integer: `Unknown` is left out.
    pub fn visit(&self, f: &mut dyn FnMut(Value)) {
        for page in self.pages.iter() {
            let Page::Cells(cells) = page else { continue };
            if cells.summary().closed {
                continue;
            }
            for value in cells.layout.values() {
                if matches!(value, Value::Pointer { .. } | Value::Symbol { .. }) {
                    f(value);
                }
            }
        }
    }

    /// Replaces values that are no concrete integers: `f` gets each with its size in bits, and says what to put in its place.
    pub fn settle(&mut self, f: &mut dyn FnMut(Value, u32) -> Option<Value>) {
        for page in self.pages.iter_mut() {
            let Page::Cells(cells) = page else { continue };
            if cells.summary().closed || !cells.layout.sized().any(|(value, bits)| f(value, bits).is_some()) {
                continue;
            }
            let cells = Rc::make_mut(cells);
            cells.summary.set(None);
            match &mut cells.layout {
                Layout::Uniform { stride, values } => {
                    let bits = bits_of(*stride);
                    values.iter_mut().for_each(|v| *v = f(*v, bits).unwrap_or(*v));
                }
                Layout::Mixed { cells, .. } => {
                    let change = |c: &mut Cell| c.value = f(c.value, bits_of(c.size)).unwrap_or(c.value);
                    cells.iter_mut().for_each(change);
                }
            }
        }
    }

    /// Whether some value in it is neither a concrete integer nor unknown.
    pub fn is_open(&self) -> bool {
        let open = |page: &Page| matches!(page, Page::Cells(cells) if !cells.summary().closed);
        self.pages.iter().any(open)
    }

    /// Whether nothing of its content is known.
    pub fn is_blank(&self) -> bool {
        !self.zero && self.pages.iter().all(|page| matches!(page, Page::Unknown))
    }

    /// The size of its cells, as far as that is known; 0 if it is not.
    pub fn stride(&self) -> u64 {
        self.stride
    }

    /// A hash of the content in which all symbols are equal, and all pointers of one offset. Pages that are as if never written do not count.
    pub fn hash(&self) -> u64 {
        let page = |hash: u64, (number, page): (u64, &Page)| match page {
            Page::Zero if self.zero => hash,
            Page::Unknown if !self.zero => hash,
            Page::Zero => mix(mix(hash, number), 1),
            Page::Unknown => mix(mix(hash, number), 2),
            Page::Cells(cells) => mix(mix(hash, number), cells.summary().hash),
        };
        let hash = self.pages.numbered().fold(self.size, page);
        self.unwritten.hash(self.partial.hash(hash))
    }

    /// Whether two objects hold the same, where `same` says so for values that are no integers.
    pub fn equals(&self, other: &Object, same: &mut dyn FnMut(Value, Value) -> bool) -> bool {
        if (self.size, self.kind, self.zero) != (other.size, other.kind, other.zero)
            || self.partial != other.partial
            || self.unwritten != other.unwritten
        {
            return false;
        }
        self.pages
            .span(&other.pages)
            .all(|i| match (self.page(i), other.page(i)) {
                (Page::Zero, Page::Zero) | (Page::Unknown, Page::Unknown) => true,
                (Page::Cells(a), Page::Cells(b)) => {
                    let (x, y) = (a.summary(), b.summary());
                    if x.hash != y.hash || x.closed != y.closed {
                        return false;
                    }
                    (x.closed && Rc::ptr_eq(&a, &b)) || a.layout.equals(&b.layout, same)
                }
                _ => false,
            })
    }

    /// How much there is to look at in a comparison.
    pub fn weight(&self) -> usize {
        1 + self.pages.len()
    }
}

/// A byte of an object.
enum Byte {
    Known(u8),
    Unknown,
    /// Of a scalar that is not concrete.
    Part,
}

fn position(index: u64) -> usize {
    usize::try_from(index).expect("a page is small")
}

fn bits_of(size: u64) -> u32 {
    u32::try_from(8 * size).expect("a scalar is small")
}

/// One step of a hash.
pub fn mix(hash: u64, word: u64) -> u64 {
    (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95)
}

/// The part of a value that counts for a hash.
pub fn mix_value(hash: u64, value: Value) -> u64 {
    match value {
        Value::Bits(bits) => mix(mix(hash, 1), bits),
        Value::Pointer { offset, .. } => mix(mix(hash, 2), offset),
        Value::Symbol { .. } => mix(hash, 3),
        Value::Unknown => mix(hash, 4),
    }
}

impl Page {
    /// The cells of the page, for writing.
    fn cells(&mut self, stride: u64) -> &mut Cells {
        if let Page::Zero | Page::Unknown = self {
            let zero = matches!(self, Page::Zero);
            let layout = if stride > 0 {
                let blank = if zero { Value::Bits(0) } else { Value::Unknown };
                Layout::Uniform {
                    stride,
                    values: vec![blank; position(PAGE / stride)],
                }
            } else {
                Layout::Mixed {
                    zero,
                    cells: Vec::new(),
                }
            };
            *self = Page::Cells(Rc::new(Cells {
                layout,
                summary: Memo::new(None),
            }));
        }
        let Page::Cells(cells) = self else {
            unreachable!("it has just got cells")
        };
        let cells = Rc::make_mut(cells);
        cells.summary.set(None);
        cells
    }
}

impl Cells {
    fn summary(&self) -> Summary {
        if let Some(summary) = self.summary.get() {
            return summary;
        }
        let mut closed = true;
        let mut hash = 3;
        for value in self.layout.values() {
            closed &= matches!(value, Value::Bits(_) | Value::Unknown);
            hash = mix_value(hash, value);
        }
        let summary = Summary { hash, closed };
        self.summary.set(Some(summary));
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::value::arith::mask;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Write {
        Scalar(u64, u64, u64),
        Fill(u64, u64, u8),
        Copy(u64, u64, u64),
    }

    fn write() -> impl Strategy<Value = Write> {
        let size = prop_oneof![Just(1u64), Just(2), Just(4), Just(8)];
        prop_oneof![
            (0u64..600, size, any::<u64>()).prop_map(|(at, size, bits)| Write::Scalar(at, size, bits)),
            (0u64..600, 0u64..300, prop_oneof![Just(0u8), any::<u8>()]).prop_map(|(at, n, b)| Write::Fill(at, n, b)),
            (0u64..600, 0u64..600, 0u64..300).prop_map(|(to, from, n)| Write::Copy(to, from, n)),
        ]
    }

    proptest! {
        /// Against an array of bytes, for all ways to lay out pages.
        #[test]
        fn memory_is_an_array_of_bytes(
            writes in prop::collection::vec(write(), 1..40),
            stride in prop_oneof![Just(0u64), Just(1), Just(4), Just(8)],
            reads in prop::collection::vec((0u64..600, prop_oneof![Just(1u64), Just(2), Just(4), Just(8)]), 1..40),
        ) {
            const SIZE: u64 = 700;
            let mut object = Object::new(SIZE, Kind::Heap, stride);
            object.fill(0, SIZE, Some(0));
            let mut bytes = vec![0u8; 700];
            for write in writes {
                match write {
                    Write::Scalar(at, size, bits) => {
                        let bits = bits & mask(bits_of(size));
                        object.write(at, size, Value::Bits(bits));
                        for i in 0..size {
                            bytes[position(at + i)] = bits.to_le_bytes()[position(i)];
                        }
                    }
                    Write::Fill(at, n, byte) => {
                        let n = n.min(SIZE - at);
                        object.fill(at, n, Some(byte));
                        bytes[position(at)..position(at + n)].fill(byte);
                    }
                    Write::Copy(to, from, n) => {
                        let n = n.min(SIZE - to).min(SIZE - from);
                        let pieces = object.pieces(from, n);
                        object.paste(to, from, &pieces);
                        bytes.copy_within(position(from)..position(from + n), position(to));
                    }
                }
            }
            for (at, size) in reads {
                let mut expected = [0u8; 8];
                expected[..position(size)].copy_from_slice(&bytes[position(at)..position(at + size)]);
                let expected = Value::Bits(u64::from_le_bytes(expected));
                prop_assert_eq!(object.read(at, size), Found::Is(expected));
            }
        }
    }

    proptest! {
        /// Against an array of bits that are known or not: bit-fields, scalars over them, and copies.
        #[test]
        fn bit_fields_share_bytes(
            writes in prop::collection::vec((0u64..56, 1u32..40, prop::option::of(any::<u64>()), 0u64..9), 1..30),
        ) {
            const BITS: usize = 96;
            let mut object = Object::new(24, Kind::Variable, 0);
            let mut model = [None; BITS];
            for (offset, width, value, other) in writes {
                let field = BitRange { offset, width };
                let place = position(offset)..position(offset) + width as usize;
                object.write_bits(0, field, value);
                for (i, bit) in model[place.clone()].iter_mut().enumerate() {
                    *bit = value.map(|value| (value >> i) & 1 == 1);
                }
                prop_assert_eq!(object.read_bits(0, field), value.map(|v| v & mask(width)));
                if other < 4 {
                    object.write(other, 2, Value::Unknown);
                    model[position(8 * other)..position(8 * other + 16)].fill(None);
                }
                let copied = object.pieces(0, 12);
                object.paste(12, 0, &copied);
                for half in [0, 12] {
                    for (at, bit) in (0u64..).zip(model) {
                        let one = BitRange { offset: at, width: 1 };
                        prop_assert_eq!(object.read_bits(half, one), bit.map(u64::from));
                    }
                }
            }
        }
    }

    /// The pages before the first one that was written cost nothing, and leave no trace in what the object is.
    #[test]
    fn pages_that_were_never_written_do_not_count() {
        let middle = 128 * PAGE;
        let filled = |places: &[u64]| {
            let mut object = Object::new(1024 * PAGE, Kind::Variable, 0);
            places.iter().for_each(|&at| object.write(at, 4, Value::Bits(at)));
            object
        };
        let up = filled(&[middle, middle + 3 * PAGE]);
        let down = filled(&[middle + 3 * PAGE, middle]);
        assert_eq!((up.weight(), down.weight()), (5, 5));
        assert_eq!(up.hash(), down.hash());
        assert!(up.equals(&down, &mut |a, b| a == b));
        assert_eq!(up.read(middle + 3 * PAGE, 4), Found::Is(Value::Bits(middle + 3 * PAGE)));
        for place in [0, middle - 4, middle + PAGE, middle + 4 * PAGE] {
            assert_eq!(up.read(place, 4), Found::Untouched);
        }
        let mut more = filled(&[middle, middle + 3 * PAGE, 0]);
        assert!(!up.equals(&more, &mut |a, b| a == b) && !more.equals(&up, &mut |a, b| a == b));
        more.fill(0, PAGE, None);
        assert_eq!(up.hash(), more.hash());
        assert!(up.equals(&more, &mut |a, b| a == b) && more.equals(&up, &mut |a, b| a == b));
    }

    #[test]
    fn unknown_bytes_never_become_known() {
        let mut object = Object::new(64, Kind::Heap, 0);
        object.fill(0, 64, Some(0));
        object.write(8, 8, Value::Unknown);
        assert_eq!(object.read(8, 8), Found::Untouched);
        object.write(10, 1, Value::Bits(7));
        assert_eq!(object.read(10, 1), Found::Is(Value::Bits(7)));
        assert_eq!(object.read(8, 2), Found::Untouched);
        assert_eq!(object.read(8, 4), Found::Lost);
        assert_eq!(object.read(16, 8), Found::Is(Value::Bits(0)));
    }
}
