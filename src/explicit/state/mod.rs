//! A state of a path: control, plain variables, objects, and facts about symbols.
//!
//! Cloning is cheap: frames below the innermost one, objects, their pages and the facts are shared until they change.
//!
//! | module | does |
//! |---|---|
//! | [`assertion`] | a state as a conjunction |
//! | `canonical` | states without names |
//! | [`segments`] | arrays as runs of equal elements |
//! | [`packed`] | states in little memory |
//! | `results` | what operands and results say about each other |
//! | [`same`] | when two states are the same |
//! | [`slots`] | plain variables, shared between states |

pub mod assertion;
mod canonical;
pub mod packed;
mod results;
pub mod same;
pub mod segments;
pub mod slots;

use super::Value;
use super::value::arith::{low_bits, mask};
use super::value::memo::Memo;
use super::value::object::{Kind, Object};
use super::value::symbol::{Facts, instance};
use crate::cfa::program::outside::{AREA, Bank};
use crate::cfa::{EdgeId, FuncId, NodeId, Program, VarId};
use crate::explicit::compiled::code::{ObjectId, Slot};
use crate::explicit::compiled::compile::Compiled;
use slots::Slots;
use std::rc::Rc;

/// The most objects on a path that pointers from outside are taken to point to.
const MAX_OUTSIDE: u64 = 100;

/// An active function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// The call that it came from.
    pub call: Option<EdgeId>,
    /// Its plain variables.
    pub slots: Slots,
    /// The first of its objects; they have consecutive numbers.
    pub first_object: u32,
    /// Objects that end with the frame, other than its variables.
    pub blocks: Vec<ObjectId>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct State {
    /// The program counter.
    pub node: NodeId,
    /// The innermost frame.
    pub top: Frame,
    /// The other frames, outermost first.
    pub below: Vec<Rc<Frame>>,
    /// The plain variables of static storage.
    pub globals: Slots,
    /// Static objects.
    statics: Rc<Vec<Rc<Object>>>,
    /// Other objects that are alive, ascending.
    dynamic: Vec<(ObjectId, Rc<Object>)>,
    /// Objects that pointers from outside were taken to point to, in the order of their addresses.
    outside: Vec<ObjectId>,
    /// The facts about symbols.
    pub facts: Facts,
    /// Results of operations without an exact form.
    pub memo: Memo,
    /// The number of symbols made so far.
    pub symbols: u32,
    /// The number of objects made so far.
    objects: u32,
    /// Whether something on the path was left open that no input decides.
    pub inexact: bool,
}

impl State {
    /// The state before the program's first step: everything is unknown.
    pub fn initial(code: &Compiled<'_>) -> State {
        let program = code.program;
        let statics = code.statics.objects.iter();
        let statics: Vec<Rc<Object>> = statics.map(|o| Rc::new(object_of(code, *o))).collect();
        let objects = u32::try_from(statics.len()).expect("fewer than 2^32 variables");
        let mut state = State {
            node: program.function(program.start).entry,
            top: Frame {
                func: program.start,
                call: None,
                slots: Slots::default(),
                first_object: 0,
                blocks: Vec::new(),
            },
            below: Vec::new(),
            globals: Slots::unknown(code.statics.slots),
            statics: Rc::new(statics),
            dynamic: Vec::new(),
            outside: Vec::new(),
            facts: Facts::default(),
            memo: Memo::default(),
            symbols: 0,
            objects,
            inexact: false,
        };
        state.top = state.open(code, program.start, None);
        state
    }

    fn open(&mut self, code: &Compiled<'_>, func: FuncId, call: Option<EdgeId>) -> Frame {
        let shape = code.frame(func);
        let first_object = self.objects;
        for object in &shape.objects {
            self.add(object_of(code, *object));
        }
        Frame {
            func,
            call,
            slots: Slots::unknown(shape.slots),
            first_object,
            blocks: Vec::new(),
        }
    }

    /// Opens a frame with unknown content.
    pub fn push(&mut self, code: &Compiled<'_>, func: FuncId, call: EdgeId) {
        let frame = self.open(code, func, Some(call));
        let caller = std::mem::replace(&mut self.top, frame);
        self.below.push(Rc::new(caller));
    }

    /// Closes the innermost frame: its objects end. Returns the call that it came from; `None` for the start function, which stays.
    pub fn pop(&mut self, code: &Compiled<'_>) -> Option<EdgeId> {
        let call = self.top.call?;
        let caller = self.below.pop().expect("a frame that was called has a caller");
        let caller = Rc::try_unwrap(caller).unwrap_or_else(|shared| Frame::clone(&shared));
        let frame = std::mem::replace(&mut self.top, caller);
        let count = u32::try_from(code.frame(frame.func).objects.len()).expect("few variables");
        if count > 0 {
            let own = frame.first_object..frame.first_object + count;
            self.dynamic.retain(|(id, _)| !own.contains(&id.0));
        }
        for block in frame.blocks {
            self.end(block);
        }
        Some(call)
    }

    /// A new object.
    pub fn add(&mut self, object: Object) -> ObjectId {
        let id = ObjectId(self.objects);
        self.objects = self.objects.checked_add(1).expect("fewer than 2^32 objects on a path");
        self.dynamic.push((id, Rc::new(object)));
        id
    }

    fn find(&self, id: ObjectId) -> Option<usize> {
        // The newest objects are used most.
        let last = self.dynamic.len().checked_sub(1)?;
        if self.dynamic[last].0 == id {
            return Some(last);
        }
        self.dynamic.binary_search_by_key(&id, |(id, _)| *id).ok()
    }

    /// Whether the object is of static storage.
    pub fn is_static(&self, id: ObjectId) -> bool {
        position(id) < self.statics.len()
    }

    /// An object, if it is alive.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        match self.statics.get(position(id)) {
            Some(object) => Some(object),
            None => self.find(id).map(|at| &*self.dynamic[at].1),
        }
    }

    /// An object for writing, if it is alive.
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        if self.is_static(id) {
            return Rc::make_mut(&mut self.statics).get_mut(position(id)).map(Rc::make_mut);
        }
        let at = self.find(id)?;
        Some(Rc::make_mut(&mut self.dynamic[at].1))
    }

    /// A new object for a pointer from outside, with the address that the pointer gets. `None` if there are too many.
    pub fn add_outside(&mut self) -> Option<u64> {
        let number = u64::try_from(self.outside.len()).expect("few objects");
        if number >= MAX_OUTSIDE {
            return None;
        }
        let object = self.add(Object::new(AREA, Kind::Variable, 0));
        self.outside.push(object);
        Some(Bank::Explicit.pointer(number))
    }

    /// The object from outside at an address, and the offset there.
    pub fn outside_at(&self, address: u64) -> Option<(ObjectId, u64)> {
        let (number, offset) = Bank::Explicit.at(address)?;
        Some((*self.outside.get(usize::try_from(number).ok()?)?, offset))
    }

    /// The objects from outside, in the order of their addresses.
    pub fn outside(&self) -> &[ObjectId] {
        &self.outside
    }

    /// The objects that are not static, in the order in which they were made.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.dynamic.iter().map(|(id, object)| (*id, &**object))
    }

    /// Those of a kind.
    pub fn objects_of(&self, kind: Kind) -> impl Iterator<Item = ObjectId> {
        let of_kind = move |(id, object): (ObjectId, &Object)| (object.kind == kind).then_some(id);
        self.objects().filter_map(of_kind)
    }

    /// Ends an object's life.
    pub fn end(&mut self, id: ObjectId) {
        if let Some(at) = self.find(id) {
            self.dynamic.remove(at);
        }
    }

    /// All static objects.
    pub fn statics(&self) -> &[Rc<Object>] {
        &self.statics
    }

    /// Whether there are objects other than variables.
    pub fn has_blocks(&self) -> bool {
        self.dynamic.iter().any(|(_, object)| object.kind != Kind::Variable)
    }

    /// Whether the static objects of two states are the same ones, not only equal.
    pub fn shares_statics(&self, other: &State) -> bool {
        Rc::ptr_eq(&self.statics, &other.statics)
    }

    /// The value in a slot.
    pub fn slot(&self, slot: Slot) -> Value {
        match slot {
            Slot::Local(at) => self.top.slots[at],
            Slot::Global(at) => self.globals[at],
        }
    }

    /// Sets a slot.
    pub fn set_slot(&mut self, slot: Slot, value: Value) {
        match slot {
            Slot::Local(at) => self.top.slots.set(at, value),
            Slot::Global(at) => self.globals.set(at, value),
        }
    }

    /// A value of a width with its symbol replaced by what is known to be the same.
    pub fn settled(&self, value: Value, width: u32) -> Value {
        settled(&self.facts, value, width)
    }

    /// Settles all values in objects.
    pub fn settle_objects(&mut self) {
        if !self.facts.settles() {
            return;
        }
        let statics = (0..self.statics.len()).filter(|&i| self.statics[i].is_open());
        let statics = statics.map(|i| ObjectId(u32::try_from(i).expect("fewer than 2^32 variables")));
        let dynamic = self.dynamic.iter().filter(|(_, o)| o.is_open()).map(|(id, _)| *id);
        for id in statics.chain(dynamic).collect::<Vec<_>>() {
            let mut object = self.object(id).expect("it is alive").clone();
            let mut changed = false;
            object.settle(&mut |value, width| {
                let settled = self.settled(value, width);
                changed |= settled != value;
                (settled != value).then_some(settled)
            });
            if let (true, Some(place)) = (changed, self.object_mut(id)) {
                *place = object;
            }
        }
    }

    /// Whether control and plain variables are those of another state, and no symbols and objects were made between the two.
    pub fn is_at(&self, other: &State) -> bool {
        let is_same = |a: &Frame, b: &Frame| {
            (a.func, a.call, a.first_object) == (b.func, b.call, b.first_object)
                && (&a.slots, &a.blocks) == (&b.slots, &b.blocks)
        };
        let made = |state: &State| (state.symbols, state.objects, state.inexact);
        (self.node, made(self)) == (other.node, made(other))
            && is_same(&self.top, &other.top)
            && self.below.len() == other.below.len()
            && self.below.iter().zip(&other.below).all(|(a, b)| is_same(a, b))
            && self.globals == other.globals
    }

    /// How many words copying and comparing the state may touch: the effort that it is charged with.
    pub fn weight(&self) -> usize {
        let frames: usize = self.below.len() + self.top.slots.len();
        let weight = |o: &Object| o.weight() * if o.is_open() { 32 } else { 1 };
        let dynamic: usize = self.dynamic.iter().map(|(_, o)| weight(o)).sum();
        let statics: usize = self.statics.iter().map(|o| weight(o)).sum();
        frames + self.globals.len() + dynamic + statics + 4 * self.facts.len()
    }

    /// The number of open frames of a function below the innermost one of them.
    pub fn depth_of(&self, func: FuncId) -> u32 {
        let below = self.below.iter().filter(|f| f.func == func).count();
        let all = below + usize::from(self.top.func == func);
        u32::try_from(all.saturating_sub(1)).expect("fewer than 2^32 frames")
    }

    /// The fixed address of an object that is a variable's instance; `None` for others.
    pub fn address(&self, code: &Compiled<'_>, id: ObjectId) -> Option<u64> {
        let program: &Program = code.program;
        if let Some((var, ..)) = code.statics.objects.get(position(id)) {
            return program.address_at(*var, 0);
        }
        if let Some(number) = self.outside.iter().position(|outside| *outside == id) {
            return Some(Bank::Explicit.area(u64::try_from(number).expect("few objects")));
        }
        let frames = self.below.iter().map(|f| &**f).chain([&self.top]);
        let frames: Vec<&Frame> = frames.collect();
        frames.iter().enumerate().find_map(|(i, frame)| {
            let at = usize::try_from(id.0.checked_sub(frame.first_object)?).ok()?;
            let (var, ..) = code.frame(frame.func).objects.get(at)?;
            let depth = frames[..i].iter().filter(|f| f.func == frame.func).count();
            program.address_at(*var, u32::try_from(depth).ok()?)
        })
    }
}

fn settled(facts: &Facts, value: Value, width: u32) -> Value {
    let Value::Symbol { id, plus } = value else {
        return value;
    };
    let (root, distance) = facts.root(id);
    let plus = plus.wrapping_add(low_bits(distance)) & mask(width);
    match facts.pinned(root) {
        Some(number) => Value::Bits(instance(number, plus, width)),
        None => Value::Symbol { id: root, plus },
    }
}

fn position(id: ObjectId) -> usize {
    usize::try_from(id.0).expect("a number of 32 bits is a position")
}

fn object_of(code: &Compiled<'_>, (var, size, stride): (VarId, u64, u64)) -> Object {
    let kind = if code.is_literal(var) {
        Kind::Literal
    } else {
        Kind::Variable
    };
    let mut object = Object::new(size, kind, stride);
    if code.follows_contents && code.program.var(var).func.is_some() {
        object.mark(0, size, false);
    }
    object
}
