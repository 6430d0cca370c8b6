//! Stored states in little memory.
//!
//! A search stores many states and looks at few of them again. Most of what a state consists of is in many others, too: so each part is kept once, and a stored state is
//! a list of numbers of parts (collapse compression: Holzmann, "State compression in SPIN: recursive indexing and compression training runs", SPIN 1997). The parts are chunks
//! of plain variables, objects, frames, the facts about symbols, and what is remembered of results. Frames below the innermost one form a tree of stacks, so that a
//! deep stack costs one number.
//!
//! | module | does |
//! |---|---|
//! | [`words`] | numbers and values as bytes |
//! | [`table`] | parts, each once, with numbers |
//! | [`roll`] | states that stay |
//! | [`shelves`] | states that come and go |

pub mod roll;
pub mod shelves;
pub mod table;
pub mod words;

use super::slots::{Chunk, Slots};
use super::{Frame, State};
use crate::cfa::{EdgeId, FuncId, NodeId};
use crate::explicit::compiled::code::ObjectId;
use crate::explicit::value::memo::Memo;
use crate::explicit::value::object::Object;
use crate::explicit::value::relation::Relations;
use crate::explicit::value::symbol::{Fact, Facts, SymbolId};
use std::cell::RefCell;
use std::rc::Rc;
use table::{Table, Texts, hash_of, number, position};
use words::{Reader, Writer};

/// Facts that a state has itself. More of them are a part, which other states may have, too.
const FEW_FACTS: usize = 6;

/// Plain variables that a state has itself. More of them are in chunks, which other states have, too.
const FEW_SLOTS: usize = 12;

/// Chunks that are remembered when they were unpacked.
const RECENT: usize = 1024;

/// The stack without frames.
const EMPTY: u32 = 0;

/// A chunk behind its number.
type Unpacked = (u32, Rc<Chunk>);

/// The objects of static storage.
type Objects = Vec<Rc<Object>>;

/// The parts of packed states, each once.
#[derive(Debug, Default)]
pub struct Parts {
    /// The location, with the sizes of the frame and of static storage.
    places: Texts,
    /// The one that was packed last, and its number.
    place: Option<([u32; 6], u32)>,
    chunks: Texts,
    /// The chunks that were packed last at each place of a state, the latest first, with their numbers.
    packed: Vec<[(Chunk, u32); 2]>,
    /// Chunks that were unpacked not long ago, with their numbers.
    recent: RefCell<Vec<Option<Unpacked>>>,
    objects: Table<Rc<Object>>,
    facts: Table<Rc<Fact>>,
    /// Symbols and the numbers of their facts.
    knowledge: Texts,
    /// The facts that were packed last, and their numbers.
    known: (Facts, Vec<u32>),
    relations: Table<Relations>,
    memos: Table<Memo>,
    statics: Table<(Box<[u32]>, Rc<Objects>)>,
    /// The static objects that were packed last, their numbers, and that of all of them.
    latest: Option<(Rc<Objects>, Box<[u32]>, u32)>,
    /// The frames of each stack but the empty one: the stack below, and the innermost frame.
    stacks: Table<(u32, Rc<Frame>)>,
    /// The frames of the stack that was packed last, and its number.
    stack: (Vec<Rc<Frame>>, u32),
}

impl Parts {
    /// Writes a state as numbers.
    pub fn pack(&mut self, state: &State, words: &mut Writer) {
        let top = &state.top;
        let place = self.place(state);
        words.push(place);
        words.push(state.symbols);
        words.push(state.objects);
        words.push(top.first_object);
        self.facts(&state.facts, words);
        if has_few_slots(top.slots.len(), state.globals.len()) {
            let values = top.slots.iter().chain(state.globals.iter());
            values.for_each(|&value| words.value(value));
        } else {
            for (at, chunk) in top.slots.chunks().iter().chain(state.globals.chunks()).enumerate() {
                words.push(self.chunk(at, chunk));
            }
        }
        words.sparse([
            self.relations(&state.facts.relations),
            self.memo(&state.memo),
            self.statics(&state.statics),
            self.stack(&state.below),
            number(top.blocks.len()),
            number(state.outside.len()),
            number(state.dynamic.len()),
        ]);
        for id in top.blocks.iter().chain(&state.outside) {
            words.push(id.0);
        }
        for (id, object) in &state.dynamic {
            words.push(id.0);
            words.push(self.object(object));
        }
    }

    /// The state that was packed as these bytes.
    pub fn unpack(&self, packed: &[u8]) -> State {
        let mut words = Reader(packed);
        let mut place = Reader(self.places.get(words.word()));
        let node = NodeId(place.word());
        let func = FuncId(place.word());
        let call = place.word().checked_sub(1).map(EdgeId);
        let inexact = place.word() == 1;
        let [slots, globals] = [place.size(), place.size()];
        let (symbols, objects, first_object) = (words.word(), words.word(), words.word());
        let facts = self.unpacked_facts(&mut words);
        let few = has_few_slots(slots, globals);
        let [slots, globals] = [slots, globals].map(|len| match few {
            true => Slots::of_values(len, || words.value()),
            false => Slots::of_chunks(len, || self.unpacked_chunk(words.word())),
        });
        let [relations, memo, statics, mut stack, blocks, outside, dynamic] = words.sparse();
        let mut below = Vec::new();
        while stack != EMPTY {
            let (next, frame) = self.stacks.get(stack - 1);
            below.push(Rc::clone(frame));
            stack = *next;
        }
        below.reverse();
        let [blocks, outside] = [blocks, outside].map(|len| (0..len).map(|_| ObjectId(words.word())).collect());
        let dynamic = (0..dynamic).map(|_| (ObjectId(words.word()), Rc::clone(self.objects.get(words.word()))));
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
            statics: Rc::clone(&self.statics.get(statics).1),
            dynamic,
            outside,
            facts: Facts::new(facts, of_number(&self.relations, relations)),
            memo: of_number(&self.memos, memo),
            symbols,
            objects,
            inexact,
        }
    }

    fn place(&mut self, state: &State) -> u32 {
        let top = &state.top;
        let place = [
            state.node.0,
            top.func.0,
            top.call.map_or(0, |call| call.0 + 1),
            u32::from(state.inexact),
            number(top.slots.len()),
            number(state.globals.len()),
        ];
        if let Some((_, number)) = self.place.filter(|(latest, _)| *latest == place) {
            return number;
        }
        let mut words = Writer::empty();
        place.into_iter().for_each(|number| words.push(number));
        let number = self.places.number(words.written());
        self.place = Some((place, number));
        number
    }

    /// The number of relations; that of none is 0.
    fn relations(&mut self, relations: &Relations) -> u32 {
        match relations.is_empty() {
            true => 0,
            false => 1 + self.relations.of(relations, hash_of(relations)),
        }
    }

    /// The number of what is remembered of results; that of nothing is 0.
    fn memo(&mut self, memo: &Memo) -> u32 {
        if memo.is_empty() {
            return 0;
        }
        let results: Vec<_> = memo.iter().map(|(_, result)| result).collect();
        1 + self.memos.of(memo, hash_of(&results))
    }

    /// Writes symbols, each as the difference to the one before it, and the numbers of their facts. Most facts are those of the state that was packed before.
    fn facts(&mut self, facts: &Facts, words: &mut Writer) {
        if facts.is_empty() {
            words.push(0u32);
            return;
        }
        let (before, numbers) = std::mem::take(&mut self.known);
        let mut known = before.iter().zip(&numbers).peekable();
        let mut now = Vec::with_capacity(facts.len());
        for (id, fact) in facts.iter() {
            while known.next_if(|((other, _), _)| other < id).is_some() {}
            let same = known.next_if(|((other, before), _)| other == id && Rc::ptr_eq(before, fact));
            now.push(match same {
                Some((_, &number)) => number,
                None => self.facts.of(fact, hash_of(fact)),
            });
        }
        let mut list = Writer::empty();
        let mut before = 0;
        for ((id, _), &fact) in facts.iter().zip(&now) {
            list.push(id.0 - before);
            list.push(fact);
            before = id.0;
        }
        drop(known);
        self.known = (facts.clone(), now);
        words.push(number(facts.len()));
        match facts.len() <= FEW_FACTS {
            true => words.bytes(list.written()),
            false => words.push(self.knowledge.number(list.written())),
        }
    }

    fn unpacked_facts(&self, words: &mut Reader<'_>) -> Vec<(SymbolId, Rc<Fact>)> {
        let len = words.size();
        let mut id = 0;
        let mut fact = |words: &mut Reader<'_>| {
            id += words.word();
            (SymbolId(id), Rc::clone(self.facts.get(words.word())))
        };
        if len <= FEW_FACTS {
            return (0..len).map(|_| fact(words)).collect();
        }
        let mut list = Reader(self.knowledge.get(words.word()));
        let facts = (0..len).map(|_| fact(&mut list)).collect();
        assert!(list.0.is_empty(), "symbols come with their facts");
        facts
    }

    /// Static objects as one part, whose objects are parts as well. Most of them are those of the state that was packed before.
    fn statics(&mut self, statics: &Rc<Objects>) -> u32 {
        if let Some((.., number)) = self.latest.as_ref().filter(|(latest, ..)| Rc::ptr_eq(latest, statics)) {
            return *number;
        }
        let (before, numbers, _) = self.latest.take().unwrap_or_default();
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
        self.latest = Some((Rc::clone(statics), now, number));
        number
    }

    fn object(&mut self, object: &Rc<Object>) -> u32 {
        self.objects
            .number(object.hash(), |other| is_same(other, object), || Rc::clone(object))
    }

    /// The number of a stack. Most of them are the one that was packed before.
    fn stack(&mut self, frames: &[Rc<Frame>]) -> u32 {
        let is_latest =
            self.stack.0.len() == frames.len() && self.stack.0.iter().zip(frames).all(|(a, b)| Rc::ptr_eq(a, b));
        if !is_latest {
            let number = frames.iter().fold(EMPTY, |below, frame| self.pushed(below, frame));
            self.stack = (frames.to_vec(), number);
        }
        self.stack.1
    }

    /// The number of a stack with another frame.
    fn pushed(&mut self, below: u32, frame: &Rc<Frame>) -> u32 {
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

    /// The number of a chunk at a place of a state. Most chunks are those of a state that was packed not long ago.
    fn chunk(&mut self, at: usize, chunk: &Chunk) -> u32 {
        if let Some(packed) = self.packed.get_mut(at) {
            if packed[1].0 == *chunk {
                packed.swap(0, 1);
            }
            if packed[0].0 == *chunk {
                return packed[0].1;
            }
        }
        let mut values = Writer::empty();
        chunk.iter().for_each(|&value| values.value(value));
        let number = self.chunks.number(values.written());
        match self.packed.get_mut(at) {
            Some(packed) => *packed = [(*chunk, number), packed[0]],
            None => self.packed.push([(*chunk, number); 2]),
        }
        number
    }

    fn unpacked_chunk(&self, number: u32) -> Rc<Chunk> {
        let mut recent = self.recent.borrow_mut();
        recent.resize(RECENT, None);
        let place = &mut recent[position(number) % RECENT];
        match place {
            Some((known, chunk)) if *known == number => Rc::clone(chunk),
            _ => {
                let mut values = Reader(self.chunks.get(number));
                let chunk = Rc::new(std::array::from_fn(|_| values.value()));
                *place = Some((number, Rc::clone(&chunk)));
                chunk
            }
        }
    }
}

/// The thing with a number that counts from 1; an empty one has the number 0.
fn of_number<T: Clone + Default>(table: &Table<T>, number: u32) -> T {
    number
        .checked_sub(1)
        .map_or_else(T::default, |number| table.get(number).clone())
}

fn has_few_slots(top: usize, globals: usize) -> bool {
    top + globals <= FEW_SLOTS
}

fn is_same(a: &Rc<Object>, b: &Rc<Object>) -> bool {
    Rc::ptr_eq(a, b) || a.stride() == b.stride() && a.equals(b, &mut |x, y| x == y)
}
