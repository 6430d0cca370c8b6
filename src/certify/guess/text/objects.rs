//! Statements about all objects of the heap: linked lists and trees, whatever their length and shape.
//!
//! A program that builds a list gives every object the same treatment, so that what it says of one object through a pointer, `p->data == 1`, holds of all of them. The pointer is
//! generalised, as the counter of an array is: the statement is guessed for the address of *any* object. Addresses are handed out upwards, so these are the multiples of the distance of two objects between the
//! start of the heap and the next free address, if all objects have one size. These sorts of statements say enough of most lists, and none of them speaks of reachability (McPeak and Necula, *Data structure
//! specifications via local equality axioms*, CAV 2005):
//!
//! * a pointer is null, or the address of an object, also one inside an object;
//! * a condition, or an assignment, holds of all objects, but perhaps for the one that a pointer points to, which is not finished;
//! * it holds of the object that a pointer points to;
//! * if it holds of an object then of those that the object points to: a list of such objects, beside others;
//! * no object points to the one that a pointer points to;
//! * objects point to those that were made before them, or after; and while a flag is set, a pointer is before another one, or behind it: what is freed is not met again;
//! * a member of an object is at most, or at least, that of the object that it points to: a sorted list.

use super::counters::{Counters, sides};
use super::number;
use super::scan::Scan;
use crate::cfa::HEAP_BASE;
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, SymbolId, Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Pointers that are spoken of.
const MAX_POINTERS: usize = 8;
/// Statements of one sort about an object.
const MAX_FACTS: usize = 12;
/// Numbers that one member is set to.
const MAX_NUMBERS: usize = 6;
/// Members that are compared.
const MAX_VALUES: usize = 2;
/// Guesses about all objects.
const MAX_EACH: usize = 80;
/// Guesses about all objects but one.
const MAX_EXCEPTED: usize = 40;

/// Guesses about objects: plain ones, and those about all.
pub(super) struct Objects {
    pub plain: Vec<TermId>,
    pub each: Vec<TermId>,
}

/// The heap of a program whose objects all have one size, and what points into it.
struct Heap {
    next: TermId,
    distance: Int,
    /// Variables, and members of static or automatic storage.
    pointers: BTreeSet<TermId>,
    /// Members of objects that are pointers: their functions and offsets.
    links: BTreeSet<Member>,
}

/// A member of objects: its function, and the offset.
type Member = (SymbolId, Int);

/// All guesses about objects; `None` if they have several sizes, or do not point to each other.
pub(super) fn statements(pool: &mut TermPool, scan: &Scan, counters: &Counters, next: &str) -> Option<Objects> {
    let next = pool.symbol(next);
    let heap = Heap::of(pool, scan, next)?;
    let facts = heap.facts(pool, scan);
    let (null, own) = (pool.int(0), number(pool));
    let (mut plain, mut each) = (Vec::new(), Vec::new());
    plain.push(heap.is_object_or_end(pool, heap.next));
    let base = heap.base(pool);
    let flags = counters.flags(pool, scan);
    for &flag in &flags {
        let is_empty = pool.eq(heap.next, base);
        plain.push(pool.implies(flag, is_empty));
    }
    for &pointer in &heap.pointers {
        let is_null = pool.eq(pointer, null);
        let is_object = heap.is_object(pool, pointer);
        plain.extend([is_object, pool.or2(is_null, is_object)]);
        for &fact in &facts {
            let said = at(pool, fact, pointer);
            plain.extend([said, pool.or2(is_null, said)]);
        }
    }
    let variables: Vec<TermId> = heap
        .pointers
        .iter()
        .copied()
        .filter(|&p| is_variable(pool, p))
        .collect();
    let values = heap.values(pool, scan);
    plain.extend(heap.passed(pool, scan, &flags, &variables));
    let is_object = heap.is_object(pool, own);
    for exception in std::iter::once(None).chain(variables.iter().copied().map(Some)) {
        let object = match exception {
            None => is_object,
            Some(pointer) => {
                let other = pool.ne(own, pointer);
                pool.and2(is_object, other)
            }
        };
        let about = heap.about(pool, &facts, (&values, &variables), exception);
        let most = if exception.is_none() { MAX_EACH } else { MAX_EXCEPTED };
        each.extend(about.into_iter().take(most).map(|fact| pool.implies(object, fact)));
    }
    let truth = pool.mk_true();
    plain.retain(|&guess| guess != truth);
    each.retain(|&guess| guess != truth);
    Some(Objects { plain, each })
}

/// A statement about the object of the number, about the one at an address.
fn at(pool: &mut TermPool, fact: TermId, address: TermId) -> TermId {
    let own = number(pool);
    pool.substitute(fact, &FxHashMap::from_iter([(own, address)]))
}

fn is_variable(pool: &TermPool, term: TermId) -> bool {
    matches!(pool.term(term), Term::IntVar(_))
}

/// The function of a read, the term at which it reads (a pointer that is a variable or is read itself, or none), and the offset.
type Place = (SymbolId, Option<TermId>, Int);

/// The place that a term reads.
fn read(pool: &TermPool, term: TermId) -> Option<Place> {
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

impl Heap {
    fn of(pool: &mut TermPool, scan: &Scan, next: SymbolId) -> Option<Heap> {
        let own = pool.int_var(next, NO_INDEX);
        let assigned = scan.assigned.get(&next).filter(|assigned| !assigned.is_opaque)?;
        let mut steps = BTreeSet::new();
        for &term in &assigned.terms {
            let step = pool.sub(term, own);
            steps.insert(pool.as_const(step)?.clone());
        }
        let distance = steps.pop_first().filter(|_| steps.is_empty())?;
        let mut heap = Heap {
            next: own,
            distance,
            pointers: BTreeSet::new(),
            links: BTreeSet::new(),
        };
        // Pointers are what an address is computed from, what is assigned to them, and what they are assigned to.
        let mut flows: Vec<(TermId, TermId)> = Vec::new();
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
        found.remove(&own);
        for term in found {
            match read(pool, term) {
                Some((function, Some(_), offset)) => drop(heap.links.insert((function, offset))),
                _ if heap.pointers.len() < MAX_POINTERS => drop(heap.pointers.insert(term)),
                _ => {}
            }
        }
        (!heap.links.is_empty()).then_some(heap)
    }

    fn base(&self, pool: &mut TermPool) -> TermId {
        pool.int(i128::from(HEAP_BASE))
    }

    /// Says that an address is one of an object, or the next one that is free.
    fn is_object_or_end(&self, pool: &mut TermPool, address: TermId) -> TermId {
        let (base, zero) = (self.base(pool), pool.int(0));
        let beyond = pool.sub(address, base);
        let rest = pool.mod_floor(beyond, &self.distance);
        let bounds = [pool.le(base, address), pool.eq(rest, zero)];
        pool.and(&bounds)
    }

    /// Says that an object begins at an address.
    fn is_object(&self, pool: &mut TermPool, address: TermId) -> TermId {
        let bounds = [self.is_object_or_end(pool, address), pool.lt(address, self.next)];
        pool.and(&bounds)
    }

    /// The member of the object of the number.
    fn member(&self, pool: &mut TermPool, (function, offset): &Member) -> TermId {
        let (own, offset) = (number(pool), pool.int(offset.clone()));
        let address = pool.add(own, offset);
        pool.app(*function, NO_INDEX, &[address])
    }

    /// Statements about the object of the number: conditions and their opposites, assignments, and the numbers that members are set to.
    fn facts(&self, pool: &mut TermPool, scan: &Scan) -> Vec<TermId> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let mut add = |fact: TermId| {
            if seen.insert(fact) {
                found.push(fact);
            }
        };
        let mut numbers: BTreeMap<Member, BTreeSet<Int>> = BTreeMap::new();
        for &write in &scan.writes {
            if let Some((place, value)) = sides(pool, write)
                && let Some((function, Some(_), offset)) = read(pool, place)
                && let Some(number) = pool.as_const(value).cloned()
            {
                numbers.entry((function, offset)).or_default().insert(number);
            }
        }
        for (member, numbers) in numbers
            .iter()
            .filter(|(member, numbers)| (2..=MAX_NUMBERS).contains(&numbers.len()) && !self.links.contains(member))
        {
            let member = self.member(pool, member);
            let mut either = Vec::new();
            for number in numbers {
                let number = pool.int(number.clone());
                either.push(pool.eq(member, number));
            }
            add(pool.or(&either));
            for number in numbers.iter().skip(1) {
                let number = pool.int(number.clone());
                add(pool.ge(member, number));
            }
        }
        let own = number(pool);
        let conditions = scan.atoms.iter().map(|term| (term, true));
        for (&term, is_condition) in scan.writes.iter().map(|term| (term, false)).chain(conditions) {
            let places: Vec<Place> = pool
                .sub_terms(&[term])
                .into_iter()
                .filter_map(|inner| read(pool, inner))
                .collect();
            if self.is_about_link_alone(pool, term, is_condition) {
                continue;
            }
            let pointers: BTreeSet<TermId> = places.iter().filter_map(|place| place.1).collect();
            let (pointers, targets): (Vec<TermId>, Vec<TermId>) =
                pointers.into_iter().partition(|&p| is_variable(pool, p));
            for pointer in pointers {
                let fact = pool.substitute(term, &FxHashMap::from_iter([(pointer, own)]));
                let facts = if is_condition {
                    vec![fact, pool.not(fact)]
                } else {
                    vec![fact]
                };
                for fact in facts {
                    // An object that another one points to is there only if that is not null.
                    let mut guarded = fact;
                    for &target in &targets {
                        let target = pool.substitute(target, &FxHashMap::from_iter([(pointer, own)]));
                        let null = pool.int(0);
                        let is_null = pool.eq(target, null);
                        guarded = pool.or2(is_null, guarded);
                    }
                    add(guarded);
                    add(fact);
                }
            }
        }
        found.truncate(MAX_FACTS);
        found
    }

    /// Whether a condition is a bound of a link, or an assignment sets a link to a pointer: others say that better.
    fn is_about_link_alone(&self, pool: &mut TermPool, term: TermId, is_condition: bool) -> bool {
        if !is_condition {
            let link = sides(pool, term).and_then(|(place, value)| pool.as_const(value).is_none().then_some(place));
            return link.is_some_and(|place| self.is_link(pool, place));
        }
        let Term::Le(sum) = *pool.term(term) else {
            return false;
        };
        let mut parts = Vec::new();
        pool.for_each_monomial(sum, |_, part| parts.push(part));
        matches!(parts[..], [part] if self.is_link(pool, part))
    }

    /// Statements that may hold of the object of the number, and of those that it points to.
    fn about(
        &self,
        pool: &mut TermPool,
        facts: &[TermId],
        (values, variables): (&[Member], &[TermId]),
        exception: Option<TermId>,
    ) -> Vec<TermId> {
        let (mut about, mut closed) = (facts.to_vec(), Vec::new());
        let (null, own) = (pool.int(0), number(pool));
        for link in &self.links {
            let target = self.member(pool, link);
            let (is_null, is_object) = (pool.eq(target, null), self.is_object(pool, target));
            about.extend([pool.or2(is_null, is_object), is_object]);
            // Objects are in the order in which they were made.
            for ordered in [pool.lt(target, own), pool.lt(own, target)] {
                about.push(pool.or2(is_null, ordered));
            }
            // A pointer is the only one to its object.
            about.extend(variables.iter().map(|&pointer| pool.ne(target, pointer)));
            // Values are in order. The object that is not finished has none yet.
            let unfinished = exception.map_or(is_null, |pointer| {
                let there = pool.eq(target, pointer);
                pool.or2(is_null, there)
            });
            for value in values {
                let here = self.member(pool, value);
                let there = at(pool, here, target);
                for ordered in [pool.le(here, there), pool.le(there, here)] {
                    about.push(pool.or2(unfinished, ordered));
                }
            }
            for &fact in facts {
                let there = at(pool, fact, target);
                let there = pool.or2(is_null, there);
                closed.extend([pool.implies(fact, there), pool.implies(fact, is_object), there]);
            }
        }
        about.extend(closed);
        for (position, &first) in facts.iter().enumerate() {
            for &second in &facts[position + 1..] {
                about.push(pool.or2(first, second));
            }
        }
        about
    }

    /// While a flag is set, there is no object at a pointer that is compared with others, or these are before or behind it: in a list whose objects are visited in the order in which they were made, what was visited is not met again.
    fn passed(&self, pool: &mut TermPool, scan: &Scan, flags: &[TermId], variables: &[TermId]) -> Vec<TermId> {
        let mut compared = BTreeSet::new();
        for &atom in &scan.atoms {
            let Term::Eq(sum) = *pool.term(atom) else { continue };
            let mut parts = Vec::new();
            pool.for_each_monomial(sum, |_, part| parts.push(part));
            if let [first, second] = parts[..]
                && parts.iter().all(|&part| is_variable(pool, part))
                && atom == pool.eq(first, second)
                && parts.iter().any(|part| variables.contains(part))
            {
                compared.extend(parts);
            }
        }
        let null = pool.int(0);
        let mut found = Vec::new();
        for &other in &compared {
            let exists = self.is_object(pool, other);
            for &flag in flags {
                let premise = pool.and2(flag, exists);
                found.push(pool.not(premise));
                for &pointer in variables.iter().filter(|&&pointer| pointer != other) {
                    let is_null = pool.eq(pointer, null);
                    for order in [pool.lt(pointer, other), pool.lt(other, pointer)] {
                        let said = pool.or2(is_null, order);
                        found.push(pool.implies(premise, said));
                    }
                }
            }
        }
        found
    }

    /// The members other than links that are set to several values.
    fn values(&self, pool: &mut TermPool, scan: &Scan) -> Vec<Member> {
        let mut written: BTreeMap<Member, BTreeSet<TermId>> = BTreeMap::new();
        for &write in &scan.writes {
            if let Some((place, value)) = sides(pool, write)
                && let Some((function, Some(_), offset)) = read(pool, place)
            {
                written.entry((function, offset)).or_default().insert(value);
            }
        }
        written.retain(|member, values| {
            let is_number = values.iter().all(|&value| pool.as_const(value).is_some());
            !self.links.contains(member) && (values.len() > 1 || !is_number)
        });
        written.into_keys().take(MAX_VALUES).collect()
    }

    fn is_link(&self, pool: &TermPool, term: TermId) -> bool {
        read(pool, term).is_some_and(|(function, _, offset)| self.links.contains(&(function, offset)))
    }
}
