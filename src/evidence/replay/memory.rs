//! Sparse byte-addressed storage, and the table of objects that lie in it.
//!
//! [`Bytes`] maps addresses to bytes that are known or not; it allocates pages on demand, so that a program may have objects
//! anywhere. It also remembers which scalars stored in it came from an input, see [`super::value`]. [`Objects`] says which
//! addresses belong to an object that is alive. Because the two are separate, storage never fails: the object table alone
//! decides which accesses are allowed.

use super::value::InputId;
use crate::cfa::VarId;
use crate::cfa::program::layout::UNKNOWN_SIZE;
use provident_smt::hash::FxHashMap;
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

const PAGE: u64 = 4096;
const PAGE_BYTES: usize = 4096;

/// Bytes of the longest scalar.
const LONGEST: u64 = 16;

struct Page {
    bytes: [u8; PAGE_BYTES],
    known: [bool; PAGE_BYTES],
    /// Scalars that came from an input, if there are any.
    origins: Option<Box<PageOrigins>>,
}

/// The scalars of a page that came from an input, by the offsets at which they begin.
struct PageOrigins {
    /// Their sizes; 0 where none begins.
    sizes: [u8; PAGE_BYTES],
    inputs: [InputId; PAGE_BYTES],
}

/// Scalars that came from an input: address, size, input.
pub type Origins = Vec<(u64, u64, InputId)>;

/// Storage for bytes at 64-bit addresses (which wrap around).
#[derive(Default)]
pub struct Bytes {
    /// The pages in the order in which they were first written.
    pages: Vec<Box<Page>>,
    /// The positions of the pages by their numbers.
    places: FxHashMap<u64, usize>,
    /// The page that was looked up last, and its position: the next access is mostly to the same one.
    latest: Cell<Option<(u64, usize)>>,
}

fn split(address: u64) -> (u64, usize) {
    let offset = usize::try_from(address % PAGE).expect("a page offset is small");
    (address / PAGE, offset)
}

impl Bytes {
    fn find(&self, page: u64) -> Option<usize> {
        if let Some((number, at)) = self.latest.get()
            && number == page
        {
            return Some(at);
        }
        let at = *self.places.get(&page)?;
        self.latest.set(Some((page, at)));
        Some(at)
    }

    fn page(&mut self, page: u64) -> &mut Page {
        let at = self.find(page).unwrap_or_else(|| {
            self.pages.push(Box::new(Page {
                bytes: [0; PAGE_BYTES],
                known: [false; PAGE_BYTES],
                origins: None,
            }));
            self.places.insert(page, self.pages.len() - 1);
            self.pages.len() - 1
        });
        &mut self.pages[at]
    }

    /// The byte at an address; `None` if it is not known.
    pub fn get(&self, address: u64) -> Option<u8> {
        let (page, offset) = split(address);
        let page = &self.pages[self.find(page)?];
        page.known[offset].then(|| page.bytes[offset])
    }

    /// The bytes of a scalar, least first and filled up with zeros; `None` if one of them is not known.
    pub fn scalar(&self, address: u64, size: u64) -> Option<[u8; 16]> {
        let mut bytes = [0; 16];
        let (page, offset) = split(address);
        let count = usize::try_from(size.min(LONGEST)).expect("a scalar is short");
        if count == 0 {
            return Some(bytes);
        }
        if offset + count <= PAGE_BYTES {
            let page = &self.pages[self.find(page)?];
            let range = offset..offset + count;
            page.known[range.clone()].iter().all(|&known| known).then_some(())?;
            bytes[..count].copy_from_slice(&page.bytes[range]);
        } else {
            for (i, byte) in (0..size).zip(&mut bytes) {
                *byte = self.get(address.wrapping_add(i))?;
            }
        }
        Some(bytes)
    }

    /// Sets bytes and forgets the origin of the replaced ones.
    pub fn write(&mut self, address: u64, bytes: impl IntoIterator<Item = u8>, count: u64) {
        self.clear_origins(address, count);
        for (at, byte) in (0..count).map(|i| address.wrapping_add(i)).zip(bytes) {
            let (page, offset) = split(at);
            let page = self.page(page);
            page.bytes[offset] = byte;
            page.known[offset] = true;
        }
    }

    /// Makes bytes unknown.
    pub fn forget(&mut self, address: u64, count: u64) {
        self.clear_origins(address, count);
        let mut at = address;
        let mut left = count;
        while left > 0 {
            let (page, offset) = split(at);
            let here = left.min(PAGE - at % PAGE);
            if let Some(page) = self.find(page) {
                let end = offset + usize::try_from(here).expect("at most a page");
                self.pages[page].known[offset..end].fill(false);
            }
            at = at.wrapping_add(here);
            left -= here;
        }
    }

    /// Copies `count` known bytes as `memmove` does; bytes that are not known become unknown in the target too.
    pub fn copy(&mut self, target: u64, source: u64, count: u64) {
        let bytes: Vec<Option<u8>> = (0..count).map(|i| self.get(source.wrapping_add(i))).collect();
        let origins = self.origins_within(source, count);
        self.paste(target, source, &bytes, origins);
    }

    /// The bytes of a range and the origins of the scalars that lie in it.
    pub fn cut(&self, address: u64, count: u64) -> (Vec<Option<u8>>, Origins) {
        let bytes = (0..count).map(|i| self.get(address.wrapping_add(i))).collect();
        (bytes, self.origins_within(address, count))
    }

    /// Writes what [`Bytes::cut`] gave for the range at `source`.
    pub fn paste(&mut self, target: u64, source: u64, bytes: &[Option<u8>], origins: Origins) {
        let mut at = target;
        for byte in bytes {
            match byte {
                Some(byte) => self.write(at, [*byte], 1),
                None => self.forget(at, 1),
            }
            at = at.wrapping_add(1);
        }
        for (at, size, origin) in origins {
            self.set_origin(target.wrapping_add(at.wrapping_sub(source)), size, origin);
        }
    }

    /// The input that the scalar of exactly this place came from.
    pub fn origin(&self, address: u64, size: u64) -> Option<InputId> {
        let (page, offset) = split(address);
        let origins = self.pages[self.find(page)?].origins.as_ref()?;
        (u64::from(origins.sizes[offset]) == size && size > 0).then(|| origins.inputs[offset])
    }

    /// Notes that the scalar just written at this place came from an input.
    pub fn set_origin(&mut self, address: u64, size: u64, origin: InputId) {
        let (page, offset) = split(address);
        let origins = self.page(page).origins.get_or_insert_with(|| {
            Box::new(PageOrigins {
                sizes: [0; PAGE_BYTES],
                inputs: [InputId(0); PAGE_BYTES],
            })
        });
        origins.sizes[offset] = u8::try_from(size).expect("a scalar is short");
        origins.inputs[offset] = origin;
    }

    fn origins_within(&self, address: u64, count: u64) -> Origins {
        let end = address.saturating_add(count);
        let mut found = Vec::new();
        for (number, offsets) in pages_of(address, end) {
            let page = self.find(number).map(|page| &self.pages[page]);
            let Some(origins) = page.and_then(|page| page.origins.as_ref()) else {
                continue;
            };
            let first = number * PAGE + u64::try_from(offsets.start).expect("a page offset is small");
            for (at, offset) in (first..).zip(offsets) {
                let size = u64::from(origins.sizes[offset]);
                if size > 0 && at.saturating_add(size) <= end {
                    found.push((at, size, origins.inputs[offset]));
                }
            }
        }
        found
    }

    fn clear_origins(&mut self, address: u64, count: u64) {
        // A scalar that reaches into the range starts before it by less than its length.
        let begin = address.saturating_sub(LONGEST - 1);
        for (number, offsets) in pages_of(begin, address.saturating_add(count)) {
            let Some(page) = self.find(number) else { continue };
            let Some(origins) = &mut self.pages[page].origins else {
                continue;
            };
            let first = number * PAGE + u64::try_from(offsets.start).expect("a page offset is small");
            for (at, size) in (first..).zip(&mut origins.sizes[offsets]) {
                if at.saturating_add(u64::from(*size)) > address {
                    *size = 0;
                }
            }
        }
    }
}

/// The pages that a range of addresses touches, each with the offsets in it.
fn pages_of(begin: u64, end: u64) -> impl Iterator<Item = (u64, Range<usize>)> {
    let pages = if begin < end {
        begin / PAGE..(end - 1) / PAGE + 1
    } else {
        0..0
    };
    pages.map(move |number| {
        let offset = |address: u64| {
            let offset = address.saturating_sub(number * PAGE).min(PAGE);
            usize::try_from(offset).expect("a page offset is small")
        };
        (number, offset(begin)..offset(end))
    })
}

/// Something with an address: a variable's instance, or an allocated block.
#[derive(Clone, Debug)]
pub struct Object {
    /// Size in bytes.
    pub size: u64,
    /// Whether it still exists.
    pub live: bool,
    /// The variable, unless it was allocated.
    pub var: Option<VarId>,
    /// Whether a write through a pointer is undefined behaviour (a string literal).
    pub constant: bool,
    /// Whether the number of its address is invented: the program requests another alignment.
    pub aligned: bool,
    /// Whether it was allocated on the stack, so that it cannot be given back.
    pub stack: bool,
    /// Whether nothing points to it.
    pub lost: bool,
    /// Whether a function without body got a pointer to it: the environment may keep the pointer, or give the object back.
    pub shared: bool,
}

impl Object {
    /// Whether it is a block of the heap.
    pub fn is_block(&self) -> bool {
        self.var.is_none() && !self.stack
    }
}

/// The objects by address.
#[derive(Default)]
pub struct Objects {
    by_address: BTreeMap<u64, Object>,
    /// The addresses of those that are alive: few, where the others are those of all calls so far.
    alive: BTreeSet<u64>,
}

/// The answer to the question whether an access is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// All bytes belong to one live object.
    Inside {
        /// See [`Object::constant`].
        constant: bool,
    },
    /// The object existed once.
    Dead,
    /// The access begins in a live object and goes further.
    Beyond,
    /// No object is there.
    Outside,
}

impl Objects {
    /// Adds an object, or brings the one at this address back to life.
    pub fn add(&mut self, address: u64, object: Object) {
        match object.live {
            true => self.alive.insert(address),
            false => self.alive.remove(&address),
        };
        self.by_address.insert(address, object);
    }

    /// The object that starts at an address.
    pub fn at(&self, address: u64) -> Option<&Object> {
        self.by_address.get(&address)
    }

    /// The object that an address points into, or just behind.
    pub fn around(&self, address: u64) -> Option<&Object> {
        self.containing(address).map(|(_, object)| object)
    }

    /// The object that an address points into, or just behind, and where that begins.
    pub fn containing(&self, address: u64) -> Option<(u64, &Object)> {
        let (&base, object) = self.by_address.range(..=address).next_back()?;
        (address - base <= object.size).then_some((base, object))
    }

    /// The objects that are alive, with their addresses, in order.
    pub fn live(&self) -> impl Iterator<Item = (u64, &Object)> {
        self.alive.iter().map(|base| (*base, &self.by_address[base]))
    }

    /// The variable without known size that an address may point into.
    pub fn unsized_around(&self, address: u64) -> Option<VarId> {
        let (base, object) = self.by_address.range(..=address).next_back()?;
        object
            .var
            .filter(|_| object.live && object.size == 0 && address - base < UNKNOWN_SIZE)
    }

    /// Notes that the environment has a pointer to the object that an address points into.
    pub fn share(&mut self, address: u64) {
        if let Some((base, _)) = self.live_around(address)
            && let Some(object) = self.by_address.get_mut(&base)
        {
            object.shared = true;
        }
    }

    /// Notes that nothing points to the object that starts at an address.
    pub fn lose(&mut self, address: u64) {
        if let Some(object) = self.by_address.get_mut(&address) {
            object.lost = true;
        }
    }

    /// The object that is alive and that an address points into, or just behind.
    pub fn live_around(&self, address: u64) -> Option<(u64, &Object)> {
        let (&base, object) = self.by_address.range(..=address).next_back()?;
        (object.live && address - base <= object.size).then_some((base, object))
    }

    /// Whether no object, dead or alive, lies in a range of addresses.
    pub fn is_free(&self, start: u64, end: u64) -> bool {
        let before = self.by_address.range(..end).next_back();
        before.is_none_or(|(base, object)| base.saturating_add(object.size.max(1)) <= start)
    }

    /// Ends the life of the object that starts at an address.
    pub fn end(&mut self, address: u64) {
        if let Some(object) = self.by_address.get_mut(&address) {
            object.live = false;
            self.alive.remove(&address);
        }
    }

    /// Whether `count` bytes from an address may be accessed. Nothing may always be accessed.
    pub fn access(&self, address: u64, count: u64) -> Access {
        if count == 0 {
            return Access::Inside { constant: false };
        }
        match self.by_address.range(..=address).next_back() {
            Some((base, object)) if address - base < object.size && count <= object.size - (address - base) => {
                if object.live {
                    Access::Inside {
                        constant: object.constant,
                    }
                } else {
                    Access::Dead
                }
            }
            Some((base, object)) if address - base < object.size && object.live => Access::Beyond,
            _ => Access::Outside,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_unknown_until_written() {
        let mut bytes = Bytes::default();
        assert_eq!(bytes.get(PAGE - 1), None);
        bytes.write(PAGE - 1, [1, 2], 2);
        assert_eq!(
            (bytes.get(PAGE - 1), bytes.get(PAGE), bytes.get(PAGE + 1)),
            (Some(1), Some(2), None)
        );
        bytes.copy(PAGE, PAGE - 1, 3);
        assert_eq!(
            (bytes.get(PAGE), bytes.get(PAGE + 1), bytes.get(PAGE + 2)),
            (Some(1), Some(2), None)
        );
        bytes.forget(PAGE - 1, 2);
        assert_eq!(
            (bytes.get(PAGE - 1), bytes.get(PAGE), bytes.get(PAGE + 1)),
            (None, None, Some(2))
        );
    }

    #[test]
    fn origins_follow_copies_and_die_with_overwriting() {
        let mut bytes = Bytes::default();
        bytes.write(100, [0; 8], 8);
        bytes.set_origin(100, 8, InputId(3));
        bytes.copy(200, 96, 16);
        assert_eq!(bytes.origin(204, 8), Some(InputId(3)));
        assert_eq!(bytes.origin(204, 4), None);
        bytes.write(211, [1], 1);
        assert_eq!(bytes.origin(204, 8), None);
        assert_eq!(bytes.origin(100, 8), Some(InputId(3)));
    }

    #[test]
    fn accesses_are_judged_by_the_object_they_start_in() {
        let mut objects = Objects::default();
        objects.add(
            64,
            Object {
                size: 8,
                live: true,
                var: None,
                constant: false,
                aligned: false,
                stack: false,
                lost: false,
                shared: false,
            },
        );
        assert_eq!(objects.access(64, 8), Access::Inside { constant: false });
        assert_eq!(objects.access(68, 8), Access::Beyond);
        assert_eq!(objects.access(72, 1), Access::Outside);
        assert_eq!(objects.access(63, 1), Access::Outside);
        objects.end(64);
        assert_eq!(objects.access(66, 1), Access::Dead);
    }
}
