//! Stored states in little memory.
//!
//! A search stores many states and looks at few of them again. Most of what a state consists of is in many others, too: so each part is kept once, and a stored state is
//! a list of numbers of parts (collapse compression: Holzmann, "State compression in SPIN: recursive indexing and compression training runs", SPIN 1997). The parts are chunks
//! of plain variables, objects, frames, the facts about symbols, and what is remembered of results. Frames below the innermost one form a tree of stacks, so that a
//! deep stack costs one number. Most of the numbers are small, and a small number has few bytes (base 128, as in the DWARF format).

use super::slots::{Chunk, Slots};
use super::{Frame, State};
use crate::cfa::{EdgeId, FuncId, NodeId};
use crate::explicit::compiled::code::ObjectId;
use crate::explicit::value::memo::Memo;
use crate::explicit::value::object::Object;
use crate::explicit::value::relation::Relations;
use crate::explicit::value::symbol::{Fact, Facts, SymbolId};
use hashbrown::HashTable;
use provident_smt::hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// A state as numbers of its parts.
pub type Packed = Box<[u8]>;

/// The bytes of most packed states.
const USUAL_BYTES: usize = 64;

/// The stack without frames.
const EMPTY: u32 = 0;

/// The objects of static storage.
type Objects = Vec<Rc<Object>>;

/// The parts of packed states, each once.
#[derive(Debug, Default)]
pub struct Parts {
    chunks: Table<Rc<Chunk>>,
    objects: Table<Rc<Object>>,
    facts: Table<Rc<Fact>>,
    /// Symbols and the numbers of their facts, in turns.
    knowledge: Table<Box<[u32]>>,
    /// The facts that were packed last, and their part of the knowledge.
    known: (Facts, Vec<u32>),
    relations: Table<Relations>,
    memos: Table<Memo>,
    statics: Table<(Box<[u32]>, Rc<Objects>)>,
    /// The static objects that were packed last, and their numbers.
    latest: Option<(Rc<Objects>, Box<[u32]>)>,
    /// The frames of each stack but the empty one: the stack below, and the innermost frame.
    stacks: Table<(u32, Rc<Frame>)>,
}

impl Parts {
    /// A state as the bytes of numbers.
    pub fn pack(&mut self, state: &State) -> Packed {
        let results: Vec<_> = state.memo.iter().map(|(_, result)| result).collect();
        let mut words = Writer(Vec::with_capacity(USUAL_BYTES));
        words.push(state.node.0);
        words.push(u32::from(state.inexact));
        words.push(state.symbols);
        words.push(state.objects);
        words.push(self.knowledge(&state.facts));
        let relations = &state.facts.relations;
        words.push(self.relations.of(relations, hash_of(relations)));
        words.push(self.memos.of(&state.memo, hash_of(&results)));
        words.push(self.statics(&state.statics));
        let stack = state.below.iter().fold(EMPTY, |below, frame| self.stack(below, frame));
        words.push(stack);
        self.frame(&state.top, &mut words);
        self.slots(&state.globals, &mut words);
        words.list(state.outside.iter().map(|id| id.0));
        words.push(number(state.dynamic.len()));
        for (id, object) in &state.dynamic {
            words.push(id.0);
            words.push(self.object(object));
        }
        words.0.into()
    }

    /// The state that was packed.
    pub fn unpack(&self, packed: &[u8]) -> State {
        let mut words = Reader(packed);
        let node = NodeId(words.next());
        let inexact = words.next() == 1;
        let (symbols, objects) = (words.next(), words.next());
        let (knowledge, rest) = self.knowledge.get(words.next()).as_chunks::<2>();
        assert!(rest.is_empty(), "symbols come with their facts");
        let fact = |&[id, fact]: &[u32; 2]| (SymbolId(id), Rc::clone(self.facts.get(fact)));
        let facts = Facts::new(
            knowledge.iter().map(fact).collect(),
            self.relations.get(words.next()).clone(),
        );
        let memo = self.memos.get(words.next()).clone();
        let statics = Rc::clone(&self.statics.get(words.next()).1);
        let mut below = Vec::new();
        let mut stack = words.next();
        while stack != EMPTY {
            let (next, frame) = self.stacks.get(stack - 1);
            below.push(Rc::clone(frame));
            stack = *next;
        }
        below.reverse();
        let func = FuncId(words.next());
        let call = words.next().checked_sub(1).map(EdgeId);
        let first_object = words.next();
        let blocks = words.list(ObjectId);
        let slots = self.unpacked_slots(&mut words);
        let globals = self.unpacked_slots(&mut words);
        let outside = words.list(ObjectId);
        let dynamic = (0..words.next()).map(|_| (ObjectId(words.next()), Rc::clone(self.objects.get(words.next()))));
        let dynamic = dynamic.collect();
        assert!(words.0.is_empty(), "a packed state ends with its objects");
        State {
            node,
            top: Frame {
                func,
                call,
                slots,
                first_object,
                blocks,
            },
            below,
            globals,
            statics,
            dynamic,
            outside,
            facts,
            memo,
            symbols,
            objects,
            inexact,
        }
    }

    /// Facts about symbols as one part, whose facts are parts as well. Most of them are those of the state that was packed before.
    fn knowledge(&mut self, facts: &Facts) -> u32 {
        let (before, numbers) = std::mem::take(&mut self.known);
        let mut known = before.iter().zip(numbers.as_chunks::<2>().0).peekable();
        let mut now = Vec::with_capacity(2 * facts.len());
        for (id, fact) in facts.iter() {
            while known.next_if(|((other, _), _)| other < id).is_some() {}
            let same = known.next_if(|((other, before), _)| other == id && Rc::ptr_eq(before, fact));
            let number = match same {
                Some((_, &[_, number])) => number,
                None => self.facts.of(fact, hash_of(fact)),
            };
            now.extend([id.0, number]);
        }
        let part = self
            .knowledge
            .number(hash_of(&now), |other| **other == *now, || now.as_slice().into());
        drop(known);
        self.known = (facts.clone(), now);
        part
    }

    /// Static objects as one part, whose objects are parts as well. Most of them are those of the state that was packed before.
    fn statics(&mut self, statics: &Rc<Objects>) -> u32 {
        let (before, numbers) = self.latest.take().unwrap_or_default();
        let known = |at: usize| match before.get(at) {
            Some(object) if Rc::ptr_eq(object, &statics[at]) => Some(numbers[at]),
            _ => None,
        };
        let now: Box<[u32]> = (0..statics.len())
            .map(|at| known(at).unwrap_or_else(|| self.object(&statics[at])))
            .collect();
        let objects = &self.objects;
        let make = || {
            let shared = now.iter().map(|&number| Rc::clone(objects.get(number))).collect();
            (now.clone(), Rc::new(shared))
        };
        let number = self.statics.number(hash_of(&now), |(other, _)| *other == now, make);
        self.latest = Some((Rc::clone(statics), now));
        number
    }

    fn object(&mut self, object: &Rc<Object>) -> u32 {
        self.objects
            .number(object.hash(), |other| is_same(other, object), || Rc::clone(object))
    }

    fn stack(&mut self, below: u32, frame: &Rc<Frame>) -> u32 {
        let slots = |frame: &Frame| frame.slots.iter().copied().collect::<Vec<_>>();
        let control = |frame: &Frame| (frame.func, frame.call, frame.first_object);
        let same = |(other, inner): &(u32, Rc<Frame>)| {
            *other == below
                && (Rc::ptr_eq(inner, frame)
                    || control(inner) == control(frame) && inner.blocks == frame.blocks && inner.slots == frame.slots)
        };
        let hash = hash_of(&(below, control(frame), slots(frame)));
        1 + self.stacks.number(hash, same, || (below, Rc::clone(frame)))
    }

    fn frame(&mut self, frame: &Frame, words: &mut Writer) {
        words.push(frame.func.0);
        words.push(frame.call.map_or(0, |call| call.0 + 1));
        words.push(frame.first_object);
        words.list(frame.blocks.iter().map(|id| id.0));
        self.slots(&frame.slots, words);
    }

    fn slots(&mut self, slots: &Slots, words: &mut Writer) {
        words.push(number(slots.len()));
        for chunk in slots.chunks() {
            words.push(self.chunks.of(chunk, hash_of(chunk)));
        }
    }

    fn unpacked_slots(&self, words: &mut Reader<'_>) -> Slots {
        let len = usize::try_from(words.next()).expect("few variables");
        Slots::of_chunks(len, || Rc::clone(self.chunks.get(words.next())))
    }
}

/// Writes numbers one after the other: seven bits in each byte, the lowest ones first, and a bit that says whether there are more.
struct Writer(Vec<u8>);

impl Writer {
    fn push(&mut self, mut number: u32) {
        while number >= 1 << 7 {
            self.0.push(number.to_le_bytes()[0] | 1 << 7);
            number >>= 7;
        }
        self.0.push(number.to_le_bytes()[0]);
    }

    /// A list with its length before it.
    fn list(&mut self, numbers: impl ExactSizeIterator<Item = u32>) {
        self.push(number(numbers.len()));
        numbers.for_each(|number| self.push(number));
    }
}

/// Reads numbers one after the other.
struct Reader<'b>(&'b [u8]);

impl Reader<'_> {
    fn next(&mut self) -> u32 {
        let mut number = 0;
        for place in (0..u32::BITS).step_by(7) {
            let (&byte, rest) = self.0.split_first().expect("a packed state is complete");
            self.0 = rest;
            number |= u32::from(byte & 0x7f) << place;
            if byte < 1 << 7 {
                return number;
            }
        }
        unreachable!("a number of 32 bits has at most five bytes")
    }

    /// A list with its length before it.
    fn list<T>(&mut self, item: impl Fn(u32) -> T) -> Vec<T> {
        (0..self.next()).map(|_| item(self.next())).collect()
    }
}

/// Things with numbers, equal ones once.
#[derive(Debug)]
struct Table<T> {
    items: Vec<(u64, T)>,
    index: HashTable<u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table {
            items: Vec::new(),
            index: HashTable::new(),
        }
    }
}

impl<T> Table<T> {
    fn get(&self, number: u32) -> &T {
        &self.items[number as usize].1
    }

    /// The number of a thing with this hash that is the same, or of a new one.
    fn number(&mut self, hash: u64, same: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> u32 {
        let items = &mut self.items;
        let known = self.index.find(hash, |&at| {
            let (other, item) = &items[at as usize];
            *other == hash && same(item)
        });
        if let Some(&known) = known {
            return known;
        }
        let new = number(items.len());
        items.push((hash, make()));
        self.index.insert_unique(hash, new, |&at| items[at as usize].0);
        new
    }
}

impl<T: Clone + Eq> Table<T> {
    fn of(&mut self, item: &T, hash: u64) -> u32 {
        self.number(hash, |other| other == item, || item.clone())
    }
}

fn is_same(a: &Rc<Object>, b: &Rc<Object>) -> bool {
    Rc::ptr_eq(a, b) || a.stride() == b.stride() && a.equals(b, &mut |x, y| x == y)
}

fn hash_of(item: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    item.hash(&mut hasher);
    hasher.finish()
}

fn number(len: usize) -> u32 {
    u32::try_from(len).expect("fewer than 2^32 parts fit into memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let numbers = (0..32)
            .flat_map(|bit| [0, 1, 5].map(|low| (1 << bit) - 1 + low))
            .chain([u32::MAX]);
        let numbers: Vec<u32> = numbers.collect();
        let mut words = Writer(Vec::new());
        numbers.iter().for_each(|&number| words.push(number));
        words.list(numbers.iter().copied());
        let mut words = Reader(&words.0);
        assert!(numbers.iter().all(|&number| words.next() == number));
        assert_eq!(words.list(|number| number), numbers);
        assert!(words.0.is_empty());
    }
}
