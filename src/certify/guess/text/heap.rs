//! The heap of a program: the kinds of its objects, and the pointers into it.
//!
//! Addresses are handed out upwards, so an object begins at a multiple of the least distance of two objects, between the start of the heap and the next free address. If all objects have one size and one type, all such addresses are
//! objects. Otherwise the kinds say which are, and of which type ([`Encoder::say_kinds`]): a pointer points to objects of the record that its type says, and a pointer of another type to those of the pointers that it is assigned from or to.

use super::counters::sides;
use super::number;
use super::scan::Scan;
use crate::cfa::HEAP_BASE;
use crate::encode::Encoder;
use crate::frontend::types::RecordId;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, SymbolId, Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Pointers that are spoken of.
const MAX_POINTERS: usize = 8;
/// The same with several kinds of objects.
const MAX_POINTERS_TO_KINDS: usize = 24;
/// Kinds of objects.
const MAX_KINDS: usize = 4;

/// A kind of objects, by its position.
pub(super) type Kind = usize;

/// The kinds of objects that a pointer may point to.
pub(super) type Kinds = BTreeSet<Kind>;

/// A member of the objects of a kind: its function, and the offset.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Member {
    pub kind: Kind,
    pub function: SymbolId,
    pub offset: Int,
}

/// The function of a read, the term at which it reads (a pointer that is a variable or is read itself, or none), and the offset.
pub(super) type Place = (SymbolId, Option<TermId>, Int);

/// The objects of a program, and what points to them.
pub(super) struct Heap {
    /// The next free address.
    pub next: TermId,
    distance: Int,
    /// The function of the kinds.
    name: SymbolId,
    /// For each kind its numbers; none if all objects are of one kind.
    numbers: Vec<BTreeSet<Int>>,
    /// Variables, and members of static or automatic storage.
    pub pointers: BTreeMap<TermId, Kinds>,
    /// Members of objects that are pointers.
    pub links: BTreeMap<Member, Kinds>,
    /// The kinds that the types of variables say.
    typed: BTreeMap<TermId, Kinds>,
}

/// A variable that is assigned or a place that is written, and the term that it gets.
type Flow = (TermId, TermId);

impl Heap {
    /// `None` if no object points to another one, if there are too many kinds of objects, or if nothing is known of the distances between objects.
    pub fn of(pool: &mut TermPool, scan: &Scan, encoder: &Encoder<'_>) -> Option<Heap> {
        let next = pool.symbol(&encoder.next_free());
        let own = pool.int_var(next, NO_INDEX);
        let assigned = scan.assigned.get(&next).filter(|assigned| !assigned.is_opaque)?;
        let mut steps = BTreeSet::new();
        for &term in &assigned.terms {
            let step = pool.sub(term, own);
            steps.insert(pool.as_const(step).cloned());
        }
        let records = encoder.object_kinds();
        let only = steps.first()?.clone().filter(|_| steps.len() == 1);
        // Without a number that is the distance of all objects, only the kinds say where they are.
        if only.is_none() && records.is_empty() {
            return None;
        }
        let is_one = only.is_some() && records.len() < 2;
        let distance = only.unwrap_or(Int::ONE);
        let mut heap = Heap {
            next: own,
            distance,
            name: pool.symbol(&encoder.kinds_name()),
            numbers: match is_one {
                true => vec![BTreeSet::new()],
                false => records.values().cloned().collect(),
            },
            pointers: BTreeMap::new(),
            links: BTreeMap::new(),
            typed: BTreeMap::new(),
        };
        if heap.numbers.len() > MAX_KINDS {
            return None;
        }
        if !is_one {
            let position: BTreeMap<RecordId, Kind> = records.keys().enumerate().map(|(at, &r)| (r, at)).collect();
            for (name, record) in encoder.pointed_records() {
                let name = pool.symbol(&name);
                let kinds = position.get(&record).copied().into_iter().collect();
                heap.typed.insert(pool.int_var(name, NO_INDEX), kinds);
            }
        }
        let (found, flows) = pointers(pool, scan, own);
        heap.divide(
            pool,
            &found,
            &flows,
            if is_one { MAX_POINTERS } else { MAX_POINTERS_TO_KINDS },
        );
        (!heap.links.is_empty()).then_some(heap)
    }

    /// Finds out to which kinds of objects each pointer points.
    fn divide(&mut self, pool: &TermPool, found: &BTreeSet<TermId>, flows: &[Flow], most: usize) {
        loop {
            for &term in found {
                match read(pool, term) {
                    Some((function, Some(pointer), offset)) => {
                        for kind in self.kinds_of(pool, pointer) {
                            let member = Member {
                                kind,
                                function,
                                offset: offset.clone(),
                            };
                            let only = self.only();
                            self.links.entry(member).or_insert(only);
                        }
                    }
                    _ => {
                        let kinds = self.typed.get(&term).cloned().unwrap_or_else(|| self.only());
                        if self.pointers.len() < most {
                            self.pointers.entry(term).or_insert(kinds);
                        }
                    }
                }
            }
            let mut is_new = false;
            for &(to, from) in flows {
                let kinds: Kinds = &self.kinds_of(pool, to) | &self.kinds_of(pool, from);
                is_new |= self.points(pool, to, &kinds) | self.points(pool, from, &kinds);
            }
            if !is_new {
                return;
            }
        }
    }

    /// The kind of a pointer of which no type says anything: the only kind, or nothing yet.
    fn only(&self) -> Kinds {
        (!self.has_kinds()).then_some(0).into_iter().collect()
    }

    /// Notes that a pointer may point to kinds of objects, unless its type says that. Whether that is new.
    fn points(&mut self, pool: &TermPool, term: TermId, kinds: &Kinds) -> bool {
        if self.typed.contains_key(&term) {
            return false;
        }
        let members = self.members_at(pool, term);
        let mut is_new = false;
        for (_, known) in self.links.iter_mut().filter(|(member, _)| members.contains(member)) {
            is_new |= !kinds.is_subset(known);
            known.extend(kinds);
        }
        if let Some(known) = self.pointers.get_mut(&term) {
            is_new |= !kinds.is_subset(known);
            known.extend(kinds);
        }
        is_new
    }

    /// The members that a term may be.
    pub fn members_at(&self, pool: &TermPool, term: TermId) -> BTreeSet<Member> {
        let Some((function, Some(pointer), offset)) = read(pool, term) else {
            return BTreeSet::new();
        };
        let member = |kind| Member {
            kind,
            function,
            offset: offset.clone(),
        };
        self.kinds_of(pool, pointer).into_iter().map(member).collect()
    }

    /// The kinds of objects that a term may point to.
    pub fn kinds_of(&self, pool: &TermPool, term: TermId) -> Kinds {
        if !self.has_kinds() {
            return self.only();
        }
        if let Some(kinds) = self.typed.get(&term).or_else(|| self.pointers.get(&term)) {
            return kinds.clone();
        }
        let members = self.members_at(pool, term).into_iter();
        members
            .filter_map(|member| self.links.get(&member))
            .flatten()
            .copied()
            .collect()
    }

    /// All kinds.
    pub fn kinds(&self) -> std::ops::Range<Kind> {
        0..self.numbers.len()
    }

    /// Whether there are several kinds, or not every address of an object is known without them.
    pub fn has_kinds(&self) -> bool {
        self.numbers.iter().any(|numbers| !numbers.is_empty())
    }

    /// The first address of the heap.
    pub fn base(&self, pool: &mut TermPool) -> TermId {
        pool.int(i128::from(HEAP_BASE))
    }

    /// Says that an address is one at which an object may begin, or the next one that is free.
    pub fn is_object_or_end(&self, pool: &mut TermPool, address: TermId) -> TermId {
        let (base, zero) = (self.base(pool), pool.int(0));
        let beyond = pool.sub(address, base);
        let rest = pool.mod_floor(beyond, &self.distance);
        let bounds = [pool.le(base, address), pool.eq(rest, zero)];
        pool.and(&bounds)
    }

    /// Says that an object of a kind begins at an address.
    pub fn is_object(&self, pool: &mut TermPool, kind: Kind, address: TermId) -> TermId {
        if !self.has_kinds() {
            let said = [self.is_object_or_end(pool, address), pool.lt(address, self.next)];
            return pool.and(&said);
        }
        let (own, base) = (pool.app(self.name, NO_INDEX, &[address]), self.base(pool));
        let mut either = Vec::new();
        for number in &self.numbers[kind] {
            let number = pool.int(number.clone());
            either.push(pool.eq(own, number));
        }
        let said = [pool.or(&either), pool.le(base, address), pool.lt(address, self.next)];
        pool.and(&said)
    }

    /// Says that no object of a kind begins behind the next free address, as far as there are addresses.
    pub fn end(&self, pool: &mut TermPool) -> Option<TermId> {
        if !self.has_kinds() {
            return None;
        }
        let (own, zero, top) = (number(pool), pool.int(0), pool.int(Int::pow2(64)));
        let kind = pool.app(self.name, NO_INDEX, &[own]);
        let said = [pool.eq(kind, zero), pool.lt(own, self.next), pool.le(top, own)];
        Some(pool.or(&said))
    }

    /// The member of the object of the number.
    pub fn member(&self, pool: &mut TermPool, member: &Member) -> TermId {
        let (own, offset) = (number(pool), pool.int(member.offset.clone()));
        let address = pool.add(own, offset);
        pool.app(member.function, NO_INDEX, &[address])
    }
}

/// The terms that are pointers: those that an address is computed from, what is assigned to them, and what they are assigned to; with all assignments.
fn pointers(pool: &mut TermPool, scan: &Scan, next: TermId) -> (BTreeSet<TermId>, Vec<Flow>) {
    let mut flows: Vec<Flow> = Vec::new();
    for (&name, assigned) in &scan.assigned {
        let variable = pool.int_var(name, NO_INDEX);
        flows.extend(assigned.terms.iter().map(|&term| (variable, term)));
    }
    for &write in &scan.writes {
        flows.extend(sides(pool, write));
    }
    let mut terms: Vec<TermId> = scan.atoms.iter().chain(&scan.writes).copied().collect();
    terms.extend(flows.iter().map(|flow| flow.1));
    let mut found: BTreeSet<TermId> = BTreeSet::new();
    for term in pool.sub_terms(&terms) {
        found.extend(read(pool, term).and_then(|(_, pointer, _)| pointer));
    }
    let is_place = |pool: &TermPool, term: TermId| is_variable(pool, term) || read(pool, term).is_some();
    flows.retain(|&(to, from)| is_place(pool, to) && is_place(pool, from));
    loop {
        let before = found.len();
        for &(to, from) in &flows {
            if found.contains(&to) || found.contains(&from) {
                found.extend([to, from]);
            }
        }
        if found.len() == before {
            break;
        }
    }
    found.remove(&next);
    (found, flows)
}

pub(super) fn is_variable(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.term(term), Term::IntVar(_))
}

/// The place that a term reads.
pub(super) fn read(pool: &TermPool, term: TermId) -> Option<Place> {
    let Term::App(symbol, arguments) = pool.term(term) else {
        return None;
    };
    let [address] = arguments[..] else { return None };
    let mut parts = Vec::new();
    let offset = pool.for_each_monomial(address, |factor, part| parts.push((factor.clone(), part)));
    match &parts[..] {
        [] => Some((symbol.name, None, offset)),
        [(factor, part)] if *factor == Int::ONE => Some((symbol.name, Some(*part), offset)),
        _ => None,
    }
}
