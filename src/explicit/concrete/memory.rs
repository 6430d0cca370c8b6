//! Memory of a concrete execution: objects of bytes, none of which has a number for an address.
//!
//! A pointer is an offset and the *tag* of an object: its place in the table of objects, and how many objects have had that place before. An access finds the object by its
//! tag, so that one behind the end of an object, or after its life, is noticed at the price of two comparisons. Tag 0 belongs to no object: such a pointer is an integer.
//!
//! All bytes lie in one array; a second one, the *shadow*, has the state of each byte: known, unknown (never written), known in part (bit-fields), or the n-th byte of a pointer. A scalar
//! is read only if its bytes are all known, or are the bytes of one pointer in their order. The bytes of a pointer hold its offset and, where they have room for it, its tag; else the
//! rest of the tag is in the shadow. The idea of shadow bytes is that of Nethercote and Seward, *How to shadow every byte of memory used by a program*, VEE 2007.
//!
//! Costs: constant for each access of a scalar, linear for ranges. Nothing is allocated for an access.

use super::Stop;
use provident_smt::hash::{FxHashMap, FxHashSet};

/// A byte that is known.
pub const KNOWN: u8 = 0;
/// A byte that nothing has written.
pub const UNKNOWN: u8 = 1;
/// A byte of which some bits are known.
pub const PARTIAL: u8 = 2;
/// The bytes of a pointer, with their position in the lowest bits, or above them a part of the tag.
const POINTER: u8 = 0x80;

/// The shadow of the bytes of a pointer of eight bytes.
const WIDE_POINTER: u64 = 0x8786_8584_8382_8180;

/// The bits of a tag that are the place in the table; the others count.
const SLOT_BITS: u32 = 20;
const MAX_SLOTS: usize = 1 << SLOT_BITS;
/// The bits of a tag that count objects of one place. With pointers of four bytes there is room for fewer.
const COUNT_BITS: u32 = 12;
const NARROW_COUNT_BITS: u32 = 0;

/// Bytes of memory that a program may have.
const MAX_BYTES: usize = 1 << 28;
/// Bigger objects are not made.
const BIGGEST: u64 = 1 << 26;
/// Bytes at both ends of the addresses where no object is.
const PAGE: i64 = 4096;
/// Blocks of at least this number of grains are big.
const SMALL: usize = 64;
/// Blocks are multiples of this.
const GRAIN: usize = 16;

/// The kind of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A variable.
    Variable,
    /// A string literal, which must not be written.
    Literal,
    /// A block that can be given back.
    Heap,
    /// The same, lost: nothing points into it any more.
    Lost,
    /// A block that ends with its function.
    Stack,
}

/// An entry of the table.
#[derive(Clone, PartialEq, Eq)]
struct Object {
    /// The tag of the object that is alive here; 0 if there is none.
    tag: u32,
    /// The tag of the next one.
    next: u32,
    size: u64,
    base: usize,
    kind: Kind,
}

/// A pointer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    /// The offset; without an object the number.
    pub offset: u64,
    /// The object; 0 for none.
    pub tag: u32,
}

/// The memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Memory {
    bytes: Vec<u8>,
    shadow: Vec<u8>,
    objects: Vec<Object>,
    /// Places in the table that are free.
    vacant: Vec<u32>,
    /// Blocks of bytes that are free, by their size in grains; bigger ones by their size in bytes.
    small_blocks: Vec<Vec<usize>>,
    blocks: FxHashMap<usize, Vec<usize>>,
    /// Which bits of a byte are known, where its shadow is [`PARTIAL`].
    partial: FxHashMap<usize, u8>,
    /// Whether nothing has written a byte since its object began to exist; empty if nobody asks.
    unwritten: Vec<bool>,
    /// Whether somebody asks.
    follows_contents: bool,
    /// Whether string literals are constant by now.
    pub begun: bool,
    pointer_bytes: u64,
}

impl Memory {
    /// No objects, for pointers of 4 or 8 bytes.
    pub fn new(pointer_bytes: u64) -> Memory {
        assert!(matches!(pointer_bytes, 4 | 8), "pointers have 32 or 64 bits");
        let nothing = Object {
            tag: 0,
            next: 0,
            size: 0,
            base: 0,
            kind: Kind::Variable,
        };
        Memory {
            bytes: Vec::new(),
            shadow: Vec::new(),
            // No object has the tag 0.
            objects: vec![nothing],
            vacant: Vec::new(),
            small_blocks: vec![Vec::new(); SMALL],
            blocks: FxHashMap::default(),
            partial: FxHashMap::default(),
            unwritten: Vec::new(),
            follows_contents: false,
            begun: false,
            pointer_bytes,
        }
    }

    /// Notes from here on which bytes are written.
    pub fn follow_contents(&mut self) {
        self.follows_contents = true;
        self.unwritten = vec![false; self.bytes.len()];
    }

    /// Whether all of some bytes were written since their object began to exist. Bytes outside of every object were.
    pub fn is_written(&self, pointer: Pointer, count: u64) -> bool {
        assert!(self.follows_contents, "the memory was told to follow contents");
        match self.find(pointer.tag, pointer.offset, count) {
            Ok(at) => !self.unwritten[at..at + count as usize].contains(&true),
            Err(_) => true,
        }
    }

    /// Says that some bytes were written, or that nothing has written them.
    pub fn mark(&mut self, pointer: Pointer, count: u64, written: bool) {
        if let Ok(at) = self.find(pointer.tag, pointer.offset, count)
            && self.follows_contents
        {
            self.unwritten[at..at + count as usize].fill(!written);
        }
    }

    /// The same for all bytes of an object, and of those that pointers in it lead to.
    pub fn mark_behind(&mut self, pointer: Pointer, written: bool) {
        let (mut seen, mut open) = (FxHashSet::default(), vec![pointer.tag]);
        while let Some(tag) = open.pop() {
            if seen.insert(tag) {
                let size = self.visit_pointers(tag, &mut |pointer| open.push(pointer.tag));
                self.mark(Pointer { offset: 0, tag }, size, written);
            }
        }
    }

    /// How much there is to copy and to compare.
    pub fn weight(&self) -> usize {
        self.bytes.len() / 8 + self.objects.len()
    }

    // ---- objects ------------------------------------------------------------------------------------------------------

    /// A new object, unknown or zero. Returns its tag.
    pub fn create(&mut self, size: u64, kind: Kind, zero: bool) -> Result<u32, Stop> {
        if size > BIGGEST {
            return Err(Stop("an enormous object"));
        }
        let length = usize::try_from(size).expect("small").max(1).next_multiple_of(GRAIN);
        let free = match self.small_blocks.get_mut(length / GRAIN) {
            Some(free) => Some(free),
            None => self.blocks.get_mut(&length),
        };
        let base = match free.and_then(Vec::pop) {
            Some(base) => base,
            None => {
                let base = self.bytes.len();
                if base + length > MAX_BYTES {
                    return Err(Stop("the program needs much memory"));
                }
                self.bytes.resize(base + length, 0);
                self.shadow.resize(base + length, UNKNOWN);
                if self.follows_contents {
                    self.unwritten.resize(base + length, false);
                }
                base
            }
        };
        let end = base + usize::try_from(size).expect("small");
        self.shadow[base..end].fill(if zero { KNOWN } else { UNKNOWN });
        if self.follows_contents {
            self.unwritten[base..end].fill(!zero);
        }
        // Unknown bytes are zero all the same, so that states are comparable.
        self.bytes[base..end].fill(0);
        let slot = match self.vacant.pop() {
            Some(slot) => slot,
            None => {
                if self.objects.len() >= MAX_SLOTS {
                    return Err(Stop("many objects"));
                }
                let slot = u32::try_from(self.objects.len()).expect("few slots");
                self.objects.push(Object {
                    tag: 0,
                    next: slot,
                    size: 0,
                    base: 0,
                    kind,
                });
                slot
            }
        };
        let object = &mut self.objects[slot as usize];
        object.tag = object.next;
        object.size = size;
        object.base = base;
        object.kind = kind;
        Ok(object.tag)
    }

    /// Ends an object that is alive.
    pub fn end(&mut self, tag: u32) {
        let slot = tag & ((1 << SLOT_BITS) - 1);
        let object = &mut self.objects[slot as usize];
        assert!(object.tag == tag, "the object is alive");
        object.tag = 0;
        let length = usize::try_from(object.size)
            .expect("small")
            .max(1)
            .next_multiple_of(GRAIN);
        let base = object.base;
        match self.small_blocks.get_mut(length / GRAIN) {
            Some(free) => free.push(base),
            None => self.blocks.entry(length).or_default().push(base),
        }
        let bits = match self.pointer_bytes {
            8 => COUNT_BITS,
            _ => NARROW_COUNT_BITS,
        };
        // A place whose tags are used up stays empty.
        if tag >> SLOT_BITS < (1 << bits) - 1 {
            object.next = tag + (1 << SLOT_BITS);
            self.vacant.push(slot);
        }
    }

    fn object(&self, tag: u32) -> Option<&Object> {
        let object = self.objects.get((tag & ((1 << SLOT_BITS) - 1)) as usize)?;
        (object.tag == tag && tag != 0).then_some(object)
    }

    /// The kind of the object that a pointer points to the start of.
    pub fn kind(&self, pointer: Pointer) -> Option<Kind> {
        let object = self.object(pointer.tag)?;
        (pointer.offset == 0).then_some(object.kind)
    }

    /// Whether some bytes lie in one object that is alive, and may be written if that is requested. An integer points to no object.
    ///
    /// # Errors
    /// Nothing says how many bytes the object has.
    pub fn is_accessible(&self, pointer: Pointer, count: u64, write: bool) -> Result<bool, Stop> {
        let object = self.object(pointer.tag);
        if object.is_some_and(|object| object.kind == Kind::Variable && object.size == 0) {
            return Err(Stop("an object of unknown size"));
        }
        let lies_in = |object: &Object| {
            let end = self.distance(pointer).checked_add(count);
            end.is_some_and(|end| end <= object.size) && !(write && object.kind == Kind::Literal)
        };
        Ok(count == 0 || object.is_some_and(lies_in))
    }

    /// The size of the block that a pointer points to.
    pub fn block_size(&self, pointer: Pointer) -> Result<u64, Stop> {
        match self.object(pointer.tag) {
            Some(object) if pointer.offset == 0 && matches!(object.kind, Kind::Heap | Kind::Stack) => Ok(object.size),
            _ => Err(Stop("the size of what is no block")),
        }
    }

    /// Whether the pointer is into a live object or to its end.
    pub fn is_inside(&self, pointer: Pointer) -> bool {
        self.object(pointer.tag)
            .is_some_and(|object| pointer.offset <= object.size)
    }

    /// The offset of a pointer to an object, with its sign.
    pub fn distance(&self, pointer: Pointer) -> u64 {
        match self.pointer_bytes {
            8 => pointer.offset,
            _ => i64::from((pointer.offset as u32).cast_signed()).cast_unsigned(),
        }
    }

    /// Whether no address between the object and the pointer wraps around, wherever a machine puts the object: the first page holds none, and neither does the last one. With 64 bits there is
    /// much more room above.
    pub fn is_near(&self, pointer: Pointer) -> bool {
        let above = match self.pointer_bytes {
            8 => i64::from(i32::MAX),
            _ => PAGE,
        };
        let Some(object) = self.object(pointer.tag) else {
            return false;
        };
        let distance = self.distance(pointer).cast_signed();
        (-PAGE..=object.size.cast_signed() + above).contains(&distance)
    }

    /// Whether the pointer is certainly no null pointer and no function.
    pub fn is_valid(&self, pointer: Pointer) -> bool {
        match self.object(pointer.tag) {
            Some(object) => pointer.offset <= object.size,
            None => pointer.tag != 0 && pointer.offset == 0,
        }
    }

    /// Where some bytes lie.
    #[inline]
    fn find(&self, tag: u32, offset: u64, size: u64) -> Result<usize, Stop> {
        let Some(object) = self.objects.get((tag & ((1 << SLOT_BITS) - 1)) as usize) else {
            return Err(Stop("an unknown object"));
        };
        if object.tag != tag || tag == 0 {
            return Err(Stop("an access outside of every object"));
        }
        match offset.checked_add(size) {
            Some(end) if end <= object.size => Ok(object.base + offset as usize),
            _ => Err(Stop("an access outside of an object")),
        }
    }

    /// The same for a write.
    #[inline]
    fn find_for_write(&mut self, tag: u32, offset: u64, size: u64) -> Result<usize, Stop> {
        let at = self.writable(tag, offset, size)?;
        if self.follows_contents {
            self.unwritten[at..at + size as usize].fill(false);
        }
        Ok(at)
    }

    #[inline]
    fn writable(&self, tag: u32, offset: u64, size: u64) -> Result<usize, Stop> {
        let at = self.find(tag, offset, size)?;
        let object = &self.objects[(tag & ((1 << SLOT_BITS) - 1)) as usize];
        if object.kind == Kind::Literal && self.begun {
            return Err(Stop("a string literal is written"));
        }
        Ok(at)
    }

    /// Whether no block is left that could be given back.
    pub fn has_no_block(&self) -> bool {
        !self.alive().any(|(_, kind)| matches!(kind, Kind::Heap | Kind::Lost))
    }

    /// The objects that are alive: their tags and kinds.
    pub fn alive(&self) -> impl Iterator<Item = (u32, Kind)> + '_ {
        let objects = self.objects.iter().filter(|object| object.tag != 0);
        objects.map(|object| (object.tag, object.kind))
    }

    /// Says that a heap object is lost.
    pub fn lose(&mut self, tag: u32) {
        let object = &mut self.objects[(tag & ((1 << SLOT_BITS) - 1)) as usize];
        assert!(object.tag == tag && object.kind == Kind::Heap, "a heap object is lost");
        object.kind = Kind::Lost;
    }

    /// Calls a function with each pointer that lies in an object. Returns the number of its bytes.
    pub fn visit_pointers(&self, tag: u32, visit: &mut dyn FnMut(Pointer)) -> u64 {
        let Some(object) = self.object(tag) else { return 0 };
        let shadow = &self.shadow[object.base..object.base + object.size as usize];
        // The first byte of a pointer is the one whose place is 0.
        let place = if self.pointer_bytes == 8 { 7 } else { 3 };
        for (offset, _) in (0u64..)
            .zip(shadow)
            .filter(|(_, byte)| *byte & (POINTER | place) == POINTER)
        {
            if offset + self.pointer_bytes <= object.size
                && let Ok(pointer) = self.load_pointer(tag, offset)
            {
                visit(pointer);
            }
        }
        object.size
    }

    // ---- scalars --------------------------------------------------------------------------------------------------------

    /// Reads `N` bytes that are known.
    #[inline]
    pub fn load<const N: usize>(&self, tag: u32, offset: u64) -> Result<[u8; N], Stop> {
        let at = self.find(tag, offset, N as u64)?;
        let shadow: [u8; N] = self.shadow[at..at + N].try_into().expect("N bytes");
        if shadow != [KNOWN; N] {
            return Err(Stop::UNKNOWN_VALUE);
        }
        Ok(self.bytes[at..at + N].try_into().expect("N bytes"))
    }

    /// Whether all of some bytes are unknown.
    pub fn is_unwritten(&self, tag: u32, offset: u64, size: u64) -> Result<bool, Stop> {
        let at = self.find(tag, offset, size)?;
        Ok(self.shadow[at..at + size as usize].iter().all(|&byte| byte == UNKNOWN))
    }

    /// Says what some bytes are that were unknown: the lowest ones of a number.
    pub fn settle(&mut self, tag: u32, offset: u64, size: u64, number: u64) -> Result<(), Stop> {
        let at = self.find(tag, offset, size)?;
        let size = size as usize;
        self.bytes[at..at + size].copy_from_slice(&number.to_le_bytes()[..size]);
        self.shadow[at..at + size].fill(KNOWN);
        Ok(())
    }

    /// Writes `N` bytes.
    #[inline]
    pub fn store<const N: usize>(&mut self, tag: u32, offset: u64, bytes: [u8; N]) -> Result<(), Stop> {
        let at = self.find_for_write(tag, offset, N as u64)?;
        self.bytes[at..at + N].copy_from_slice(&bytes);
        self.shadow[at..at + N].copy_from_slice(&[KNOWN; N]);
        Ok(())
    }

    /// Reads 16 bytes (`all`) or 10, as the lower and the upper half of a number.
    pub fn load_wide(&self, tag: u32, offset: u64, all: bool) -> Result<(u64, u64), Stop> {
        let low = u64::from_le_bytes(self.load(tag, offset)?);
        let upper = offset.wrapping_add(8);
        let high = match all {
            true => u64::from_le_bytes(self.load(tag, upper)?),
            false => u16::from_le_bytes(self.load(tag, upper)?).into(),
        };
        Ok((low, high))
    }

    /// Writes a number of 16 bytes; with `padding`, of 10 bytes, and the given number of bytes behind them become unknown.
    pub fn store_wide(&mut self, tag: u32, offset: u64, (low, high): (u64, u64), padding: u64) -> Result<(), Stop> {
        self.store(tag, offset, low.to_le_bytes())?;
        let upper = offset.wrapping_add(8);
        if padding == 0 {
            return self.store(tag, upper, high.to_le_bytes());
        }
        let [a, b, ..] = high.to_le_bytes();
        self.store(tag, upper, [a, b])?;
        let offset = offset.wrapping_add(10);
        self.fill(Pointer { offset, tag }, padding, None)
    }

    /// Reads a pointer.
    pub fn load_pointer(&self, tag: u32, offset: u64) -> Result<Pointer, Stop> {
        let at = self.find(tag, offset, self.pointer_bytes)?;
        if self.pointer_bytes == 8 {
            let shadow = u64::from_le_bytes(self.shadow[at..at + 8].try_into().expect("8 bytes"));
            let bits = u64::from_le_bytes(self.bytes[at..at + 8].try_into().expect("8 bytes"));
            return match shadow {
                0 => Ok(Pointer { offset: bits, tag: 0 }),
                WIDE_POINTER => Ok(Pointer {
                    offset: i64::from(bits as u32 as i32) as u64,
                    tag: (bits >> 32) as u32,
                }),
                _ => Err(Stop::UNKNOWN_POINTER),
            };
        }
        let shadow: [u8; 4] = self.shadow[at..at + 4].try_into().expect("4 bytes");
        let offset = u32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("4 bytes"));
        if shadow == [KNOWN; 4] {
            let offset = u64::from(offset);
            return Ok(Pointer { offset, tag: 0 });
        }
        let mut tag = 0;
        for (i, byte) in (0u8..).zip(shadow) {
            if byte & (POINTER | 3) != POINTER | i {
                return Err(Stop::UNKNOWN_POINTER);
            }
            tag |= u32::from(byte >> 2 & 0x1f) << (5 * i);
        }
        let offset = u64::from(offset);
        Ok(Pointer { offset, tag })
    }

    /// Writes a pointer.
    pub fn store_pointer(&mut self, tag: u32, offset: u64, pointer: Pointer) -> Result<(), Stop> {
        let at = self.find_for_write(tag, offset, self.pointer_bytes)?;
        if self.pointer_bytes == 8 {
            let (bits, shadow) = match pointer.tag {
                0 => (pointer.offset, 0),
                tag => {
                    let low = i32::try_from(pointer.offset.cast_signed()).map_err(|_| Stop("a far pointer"))?;
                    (u64::from(tag) << 32 | u64::from(low.cast_unsigned()), WIDE_POINTER)
                }
            };
            self.bytes[at..at + 8].copy_from_slice(&bits.to_le_bytes());
            self.shadow[at..at + 8].copy_from_slice(&shadow.to_le_bytes());
            return Ok(());
        }
        let low = pointer.offset as u32;
        self.bytes[at..at + 4].copy_from_slice(&low.to_le_bytes());
        for i in 0..4u8 {
            self.shadow[at + usize::from(i)] = match pointer.tag {
                0 => KNOWN,
                tag => POINTER | i | (((tag >> (5 * i)) & 0x1f) as u8) << 2,
            };
        }
        Ok(())
    }

    // ---- bit-fields -----------------------------------------------------------------------------------------------------

    /// Reads bits of a record, counted from its start.
    pub fn load_bits(&self, tag: u32, offset: u64, first: u64, width: u32) -> Result<u64, Stop> {
        let end = first + u64::from(width);
        let (low, count) = (first / 8, end.div_ceil(8) - first / 8);
        let at = self.find(tag, offset.wrapping_add(low), count)?;
        let mut value = 0u128;
        for i in 0..count as usize {
            let known = match self.shadow[at + i] {
                KNOWN => 0xff,
                PARTIAL => self.partial.get(&(at + i)).copied().unwrap_or(0),
                _ => 0,
            };
            if known & mask_in_byte(first, end, low + i as u64) != mask_in_byte(first, end, low + i as u64) {
                return Err(Stop::UNKNOWN_BITS);
            }
            value |= u128::from(self.bytes[at + i]) << (8 * i);
        }
        let all = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        Ok((value >> (first % 8)) as u64 & all)
    }

    /// Writes bits of a record.
    pub fn store_bits(&mut self, tag: u32, offset: u64, first: u64, width: u32, value: u64) -> Result<(), Stop> {
        let end = first + u64::from(width);
        let (low, count) = (first / 8, end.div_ceil(8) - first / 8);
        let at = self.find_for_write(tag, offset.wrapping_add(low), count)?;
        let value = u128::from(value) << (first % 8);
        for i in 0..count as usize {
            let mask = mask_in_byte(first, end, low + i as u64);
            let known = match self.shadow[at + i] {
                KNOWN => 0xff,
                PARTIAL => self.partial.get(&(at + i)).copied().unwrap_or(0),
                UNKNOWN => 0,
                _ => return Err(Stop("a part of a pointer is written")),
            } | mask;
            let byte = &mut self.bytes[at + i];
            *byte = *byte & !mask | (value >> (8 * i)) as u8 & mask;
            if known == 0xff {
                self.shadow[at + i] = KNOWN;
                self.partial.remove(&(at + i));
            } else {
                self.shadow[at + i] = PARTIAL;
                self.partial.insert(at + i, known);
            }
        }
        Ok(())
    }

    // ---- ranges -----------------------------------------------------------------------------------------------------------

    /// Sets bytes; `None` makes them unknown.
    pub fn fill(&mut self, pointer: Pointer, count: u64, byte: Option<u8>) -> Result<(), Stop> {
        if count == 0 && (self.is_inside(pointer) || pointer.tag == 0) {
            return Ok(());
        }
        let at = self.find_for_write(pointer.tag, pointer.offset, count)?;
        let end = at + count as usize;
        self.bytes[at..end].fill(byte.unwrap_or(0));
        self.shadow[at..end].fill(if byte.is_some() { KNOWN } else { UNKNOWN });
        Ok(())
    }

    /// Copies bytes with what is known of them, as `memmove` does.
    pub fn copy(&mut self, to: Pointer, from: Pointer, count: u64) -> Result<(), Stop> {
        if count == 0 {
            return Ok(());
        }
        let source = self.find(from.tag, from.offset, count)?;
        let target = self.writable(to.tag, to.offset, count)?;
        let end = source + count as usize;
        let shadow = &self.shadow[source..end];
        let is_pointer = |byte: &u8| byte & POINTER != 0;
        // A pointer is copied as a whole, so that never two halves of different ones lie side by side.
        let place = |byte: u8| u64::from(byte & if self.pointer_bytes == 8 { 7 } else { 3 });
        let cut = shadow.first().is_some_and(|b| is_pointer(b) && place(*b) != 0)
            || shadow
                .last()
                .is_some_and(|b| is_pointer(b) && place(*b) != self.pointer_bytes - 1);
        if cut {
            return Err(Stop("a part of a pointer is copied"));
        }
        if shadow.contains(&PARTIAL) {
            let known: Vec<Option<u8>> = (source..end)
                .map(|at| self.partial.get(&at).copied().filter(|_| self.shadow[at] == PARTIAL))
                .collect();
            for (i, known) in known.into_iter().enumerate() {
                if let Some(known) = known {
                    self.partial.insert(target + i, known);
                }
            }
        }
        self.bytes.copy_within(source..end, target);
        self.shadow.copy_within(source..end, target);
        if self.follows_contents {
            self.unwritten.copy_within(source..end, target);
        }
        Ok(())
    }
}

/// The bits of a byte that belong to a range of bits.
fn mask_in_byte(first: u64, end: u64, byte: u64) -> u8 {
    let (lo, hi) = (first.max(8 * byte) - 8 * byte, end.min(8 * byte + 8) - 8 * byte);
    (((1u16 << hi) - 1) & !((1u16 << lo) - 1)) as u8
}
