//! Equality of states up to the names of symbols and of objects that are not static.
//!
//! Control, values that may still be read, reachable objects, and the facts about the symbols in them have to agree under one
//! renaming. The hash covers everything except names, so equal states have equal hashes; a verdict rests on
//! [`covers`] alone.

use super::{Frame, State};
use crate::cfa::NodeId;
use crate::explicit::Value;
use crate::explicit::compiled::code::ObjectId;
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::value::arith::{WIDEST, low_bits};
use crate::explicit::value::memo::Known;
use crate::explicit::value::object::{Kind, Object, mix, mix_value};
use crate::explicit::value::relation::Relation;
use crate::explicit::value::symbol::SymbolId;
use crate::explicit::value::word::{Bit, Word};
use provident_smt::hash::{FxHashMap, FxHashSet};

/// The hash of a state. Dead variables do not count, nor do objects that are not static.
pub fn hash(code: &Compiled<'_>, state: &State) -> u64 {
    let mut hasher = Hasher {
        state,
        hash: mix(u64::from(state.node.0), u64::from(state.inexact)),
        order: FxHashMap::default(),
    };
    for (frame, node) in frames(code, state) {
        hasher.word(u64::from(frame.func.0));
        let scalars = &code.frame(frame.func).scalars;
        for &slot in code.live_slots(node) {
            hasher.value(frame.slots[slot], scalars[slot].width());
        }
    }
    for (&value, scalar) in state.globals.iter().zip(&code.statics.scalars) {
        hasher.value(value, scalar.width());
    }
    for object in state.statics() {
        hasher.word(object.hash());
        if object.is_open() {
            object.visit(&mut |value| hasher.value(value, WIDEST));
        }
    }
    hasher.hash
}

/// Collects a hash. Symbols count by the order in which they occur first, and by what is known about them.
struct Hasher<'s> {
    state: &'s State,
    hash: u64,
    order: FxHashMap<SymbolId, usize>,
}

impl Hasher<'_> {
    fn word(&mut self, word: u64) {
        self.hash = mix(self.hash, word);
    }

    fn value(&mut self, value: Value, width: u32) {
        let value = self.state.settled(value, width);
        self.hash = mix_value(self.hash, value);
        if let Value::Symbol { id, plus } = value {
            let next = self.order.len();
            let number = *self.order.entry(id).or_insert(next);
            self.word(u64::try_from(number).expect("a position fits"));
            let (lo, hi) = self.state.facts.range(id);
            for word in [plus, low_bits(lo), low_bits(hi)] {
                self.word(word);
            }
        }
    }
}

/// The frames, innermost first, with the node at which each of them goes on.
pub fn frames<'s>(code: &'s Compiled<'_>, state: &'s State) -> impl Iterator<Item = (&'s Frame, NodeId)> {
    let mut node = state.node;
    let below = state.below.iter().rev().map(|f| &**f);
    std::iter::once(&state.top).chain(below).map(move |frame| {
        let here = node;
        if let Some(call) = frame.call {
            node = code.program.edge(call).to;
        }
        (frame, here)
    })
}

/// The symbols that occur in what can be reached, with those that these are known to be equal to.
pub fn reachable_symbols(code: &Compiled<'_>, state: &State) -> FxHashSet<SymbolId> {
    let mut walk = Walk {
        state,
        symbols: FxHashSet::default(),
        seen: FxHashSet::default(),
        open: Vec::new(),
    };
    for (frame, node) in frames(code, state) {
        for &slot in code.live_slots(node) {
            walk.value(frame.slots[slot]);
        }
        let count = u32::try_from(code.frame(frame.func).objects.len()).expect("few variables");
        for id in frame.first_object..frame.first_object + count {
            walk.object(ObjectId(id));
        }
    }
    state.globals.iter().for_each(|v| walk.value(*v));
    state.outside().iter().for_each(|id| walk.object(*id));
    for object in state.statics() {
        object.visit(&mut |v| walk.value(v));
    }
    while let Some(id) = walk.open.pop() {
        if let Some(object) = state.object(id) {
            object.visit(&mut |v| walk.value(v));
        }
    }
    walk.symbols
}

struct Walk<'s> {
    state: &'s State,
    symbols: FxHashSet<SymbolId>,
    seen: FxHashSet<ObjectId>,
    open: Vec<ObjectId>,
}

impl Walk<'_> {
    fn value(&mut self, value: Value) {
        match value {
            Value::Symbol { id, .. } => {
                self.symbols.insert(id);
                let mut id = id;
                while let Some((next, _)) = self.state.facts.fact(id).same {
                    id = next;
                    self.symbols.insert(id);
                }
            }
            Value::Pointer { object, .. } => self.object(object),
            Value::Bits(_) | Value::Unknown => {}
        }
    }

    fn object(&mut self, id: ObjectId) {
        if !self.state.is_static(id) && self.seen.insert(id) {
            self.open.push(id);
        }
    }
}

/// Whether everything that can happen from `state` on can happen from `stored` on.
pub fn covers(code: &Compiled<'_>, stored: &State, state: &State) -> bool {
    if stored.node != state.node || stored.below.len() != state.below.len() || stored.inexact != state.inexact {
        return false;
    }
    let blocks = |state: &State| [Kind::Heap, Kind::Lost].map(|kind| state.objects_of(kind).count());
    if code.counts_objects && blocks(stored) != blocks(state) {
        return false;
    }
    let mut renaming = Renaming {
        pair: (stored, state),
        symbols: FxHashMap::default(),
        back: FxHashMap::default(),
        objects: FxHashMap::default(),
        objects_back: FxHashMap::default(),
        open: Vec::new(),
    };
    renaming.run(code)
}

fn whole(id: SymbolId) -> Value {
    Value::Symbol { id, plus: 0 }
}

/// The same said of the values that its symbols are known to have. `None` if it says nothing then.
fn settled(state: &State, known: &Known) -> Option<Known> {
    known.renamed(|value, width| Some(state.settled(value, width)))
}

/// Whether the facts about the result and the operands say all that is known: they are numbers.
fn is_implied(state: &State, known: &Known, result: SymbolId) -> bool {
    let value = |value, width| state.settled(value, width);
    let computed = match known {
        Known::Sum(_) => settled(state, known).and_then(|known| match known {
            Known::Sum(sum) => sum.simple(),
            _ => None,
        }),
        _ => known.computed(value).map(Value::Bits),
    };
    let own = value(whole(result), known.width());
    matches!(own, Value::Bits(_)) && computed == Some(own)
}

struct Renaming<'s> {
    pair: (&'s State, &'s State),
    symbols: FxHashMap<SymbolId, SymbolId>,
    back: FxHashMap<SymbolId, SymbolId>,
    objects: FxHashMap<ObjectId, ObjectId>,
    objects_back: FxHashMap<ObjectId, ObjectId>,
    /// Pairs of objects whose content is still to be compared.
    open: Vec<(ObjectId, ObjectId)>,
}

impl Renaming<'_> {
    fn run(&mut self, code: &Compiled<'_>) -> bool {
        let (stored, state) = self.pair;
        for ((a, node), (b, other)) in frames(code, stored).zip(frames(code, state)) {
            if a.func != b.func || a.call != b.call || node != other || a.blocks.len() != b.blocks.len() {
                return false;
            }
            let live = code.live_slots(node);
            let scalars = &code.frame(a.func).scalars;
            if !live
                .iter()
                .all(|&slot| self.values(a.slots[slot], b.slots[slot], scalars[slot].width()))
            {
                return false;
            }
            let count = u32::try_from(code.frame(a.func).objects.len()).expect("few variables");
            let objects = (0..count).map(|i| (ObjectId(a.first_object + i), ObjectId(b.first_object + i)));
            let blocks = a.blocks.iter().copied().zip(b.blocks.iter().copied());
            if !objects.chain(blocks).all(|(x, y)| self.objects(x, y)) {
                return false;
            }
        }
        let scalars = &code.statics.scalars;
        if !(0..scalars.len()).all(|i| self.values(stored.globals[i], state.globals[i], scalars[i].width())) {
            return false;
        }
        let (outside, others) = (stored.outside(), state.outside());
        if outside.len() != others.len() || !outside.iter().zip(others).all(|(x, y)| self.objects(*x, *y)) {
            return false;
        }
        for (a, b) in stored.statics().iter().zip(state.statics()) {
            if !self.contents(a, b) {
                return false;
            }
        }
        while let Some((a, b)) = self.open.pop() {
            match (stored.object(a), state.object(b)) {
                (Some(a), Some(b)) if self.contents(a, b) => {}
                (None, None) => {}
                _ => return false,
            }
        }
        // All facts about the stored state have to be known of the other one.
        let others: Vec<(Known, SymbolId)> = state
            .memo
            .iter()
            .filter_map(|(known, result)| Some((settled(state, known)?, *result)))
            .collect();
        for (known, result) in stored.memo.iter() {
            if let (Known::Bits(word), Some(other)) = (known, self.symbols.get(result)) {
                let other = state.memo.word(*other);
                if !other.is_some_and(|other| self.words(word, other)) {
                    return false;
                }
                continue;
            }
            if is_implied(stored, known, *result) {
                continue;
            }
            let renamed = known.renamed(|value, width| self.renamed(value, width));
            let Some((_, other)) = renamed
                .filter(Known::determines)
                .and_then(|known| others.iter().rev().find(|(other, _)| other.is(&known)))
            else {
                return false;
            };
            let (a, b) = (whole(*result), whole(*other));
            if !self.values(a, b, known.width()) {
                return false;
            }
        }
        stored.facts.relations.iter().all(|relation| {
            let (a, b) = (self.symbols.get(&relation.a), self.symbols.get(&relation.b));
            let (Some(&a), Some(&b)) = (a, b) else { return false };
            state.facts.relations.has(Relation { a, b, ..*relation })
        })
    }

    /// The name in the other state for a value of the stored one. `None` if it does not occur in the parts that were compared.
    fn renamed(&self, value: Value, width: u32) -> Option<Value> {
        let (stored, _) = self.pair;
        match stored.settled(value, width) {
            Value::Symbol { id, plus } => self.symbols.get(&id).map(|&id| Value::Symbol { id, plus }),
            value => Some(value),
        }
    }

    fn contents(&mut self, a: &Object, b: &Object) -> bool {
        a.equals(b, &mut |x, y| self.values(x, y, WIDEST))
    }

    fn values(&mut self, a: Value, b: Value, width: u32) -> bool {
        let (stored, state) = self.pair;
        match (stored.settled(a, width), state.settled(b, width)) {
            (Value::Bits(x), Value::Bits(y)) => x == y,
            (Value::Unknown, Value::Unknown) => true,
            (
                Value::Pointer { object, offset },
                Value::Pointer {
                    object: other,
                    offset: at,
                },
            ) => offset == at && self.objects(object, other),
            (Value::Symbol { id, plus }, Value::Symbol { id: other, plus: more }) => {
                plus == more && self.symbols(id, other)
            }
            _ => false,
        }
    }

    fn objects(&mut self, a: ObjectId, b: ObjectId) -> bool {
        let (stored, state) = self.pair;
        if stored.is_static(a) || state.is_static(b) {
            return a == b;
        }
        match (self.objects.get(&a), self.objects_back.get(&b)) {
            (Some(x), Some(y)) => *x == b && *y == a,
            (None, None) => {
                self.objects.insert(a, b);
                self.objects_back.insert(b, a);
                self.open.push((a, b));
                true
            }
            _ => false,
        }
    }

    /// Whether two words arrange the bits of the same symbols in the same way.
    fn words(&mut self, a: &Word, b: &Word) -> bool {
        let (stored, state) = self.pair;
        let stands_for_itself = |state: &State, id| state.facts.root(id) == (id, 0);
        a.width() == b.width()
            && a.bits().iter().zip(b.bits()).all(|(x, y)| match (*x, *y) {
                (Bit::Of(id, at, negated), Bit::Of(other, place, opposite)) => {
                    (at, negated) == (place, opposite)
                        && stands_for_itself(stored, id)
                        && stands_for_itself(state, other)
                        && self.symbols(id, other)
                }
                (x, y) => x == y,
            })
    }

    fn symbols(&mut self, a: SymbolId, b: SymbolId) -> bool {
        match (self.symbols.get(&a), self.back.get(&b)) {
            (Some(x), Some(y)) => *x == b && *y == a,
            (None, None) => {
                let (stored, state) = self.pair;
                self.symbols.insert(a, b);
                self.back.insert(b, a);
                a.info() == b.info() && stored.facts.fact(a) == state.facts.fact(b)
            }
            _ => false,
        }
    }
}
