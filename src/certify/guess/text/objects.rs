//! Statements about all objects of the heap: linked lists and trees, whatever their length and shape.
//!
//! A program that builds a list gives every object the same treatment, so that what it says of one object through a pointer, `p->data == 1`, holds of all of them. The pointer is
//! generalised, as the counter of an array is: the statement is guessed for the address of *any* object of a kind. These sorts of statements say enough of most lists, and none of them speaks of reachability (McPeak and Necula, *Data structure
//! specifications via local equality axioms*, CAV 2005):
//!
//! * a pointer is null, or the address of an object, also one inside an object;
//! * a condition, or an assignment, holds of all objects, but perhaps for the one that a pointer points to, which is not finished;
//! * it holds of the object that a pointer points to;
//! * if it holds of an object then of those that the object points to: a list of such objects, beside others;
//! * the same but for the object that a pointer points to which goes from object to object, and makes the assignment for each;
//! * no object points to the one that a pointer points to;
//! * objects point to those that were made before them, or after; and while a flag is set, a pointer is before another one, or behind it: what is freed is not met again;
//! * a member of an object is at most, or at least, that of the object that it points to: a sorted list.

use super::counters::{Counters, sides};
use super::heap::{Heap, Kind, Member, Place, is_variable, read};
use super::scan::Scan;
use super::{number, variables};
use crate::encode::Encoder;
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Statements of one sort about an object.
const MAX_FACTS: usize = 12;
/// Numbers that one member is set to.
const MAX_NUMBERS: usize = 6;
/// Members that are compared.
const MAX_VALUES: usize = 2;
/// Guesses about all objects of a kind.
const MAX_EACH: usize = 80;
/// Guesses about all objects of a kind but one.
const MAX_EXCEPTED: usize = 40;

/// Statements about the objects before a pointer, and behind it.
const MAX_BESIDE: usize = 8;

/// Guesses about objects: plain ones, and those about all.
pub(super) struct Objects {
    /// Whether there are several kinds.
    pub has_kinds: bool,
    pub plain: Vec<TermId>,
    pub each: Vec<TermId>,
}

/// The statements about one object of each kind.
type Facts = Vec<Vec<TermId>>;

/// All guesses about objects; `None` if nothing is known of the sizes of objects, or they do not point to each other.
pub(super) fn statements(
    pool: &mut TermPool,
    scan: &Scan,
    counters: &Counters,
    encoder: &Encoder<'_>,
) -> Option<Objects> {
    let heap = Heap::of(pool, scan, encoder)?;
    let facts: Facts = heap.kinds().map(|kind| heap.facts(pool, scan, kind)).collect();
    let (null, own) = (pool.int(0), number(pool));
    let (mut plain, mut each) = (Vec::new(), Vec::new());
    plain.push(heap.is_object_or_end(pool, heap.next));
    each.extend(heap.end(pool));
    let base = heap.base(pool);
    let flags = counters.flags(pool, scan);
    for &flag in &flags {
        let is_empty = pool.eq(heap.next, base);
        plain.push(pool.implies(flag, is_empty));
    }
    for (&pointer, kinds) in &heap.pointers {
        let is_null = pool.eq(pointer, null);
        let mut either = is_null;
        for &kind in kinds {
            let is_object = heap.is_object(pool, kind, pointer);
            plain.extend([is_object, pool.or2(is_null, is_object)]);
            either = pool.or2(either, is_object);
            for &fact in &facts[kind] {
                let said = at(pool, fact, pointer);
                plain.extend([said, pool.or2(is_null, said)]);
            }
        }
        if kinds.len() > 1 {
            plain.push(either);
        }
    }
    // Among several kinds a list that grows may be in memory.
    let pointers: Vec<TermId> = heap
        .pointers
        .keys()
        .copied()
        .filter(|&p| is_variable(pool, p) || heap.has_kinds())
        .collect();
    plain.extend(heap.passed(pool, scan, &flags, &pointers));
    plain.extend(heap.ordered(pool, &pointers));
    for (walker, kind, link, fact) in heap.walks(pool, scan) {
        let target = heap.member(pool, &link);
        let (is_last, there) = (pool.eq(target, null), at(pool, fact, target));
        let (arrived, is_object) = (pool.eq(target, walker), heap.is_object(pool, kind, own));
        let premise = pool.and2(is_object, fact);
        let closed = pool.or2(is_last, there);
        for closed in [closed, pool.or2(arrived, closed)] {
            each.push(pool.implies(premise, closed));
        }
        let others = heap
            .pointers
            .iter()
            .filter(|(p, kinds)| **p != walker && kinds.contains(&kind));
        for &pointer in others.map(|(pointer, _)| pointer) {
            let (said, is_same) = (at(pool, fact, pointer), pool.eq(pointer, walker));
            plain.push(pool.or2(is_same, said));
        }
    }
    for kind in heap.kinds() {
        let values = heap.values(pool, scan, kind);
        let is_object = heap.is_object(pool, kind, own);
        let excepted = pointers.iter().filter(|pointer| heap.pointers[pointer].contains(&kind));
        for exception in std::iter::once(None).chain(excepted.copied().map(Some)) {
            let object = match exception {
                None => is_object,
                Some(pointer) => {
                    let other = pool.ne(own, pointer);
                    pool.and2(is_object, other)
                }
            };
            let about = heap.about(pool, kind, &facts, (&values, &pointers), exception);
            let most = if exception.is_none() { MAX_EACH } else { MAX_EXCEPTED };
            each.extend(about.into_iter().take(most).map(|fact| pool.implies(object, fact)));
        }
        if heap.has_kinds() {
            each.extend(heap.beside(pool, kind, &facts[kind], &pointers));
        }
    }
    let truth = pool.mk_true();
    plain.retain(|&guess| guess != truth);
    each.retain(|&guess| guess != truth);
    Some(Objects {
        has_kinds: heap.has_kinds(),
        plain,
        each,
    })
}

/// A statement about the object of the number, about the one at an address.
fn at(pool: &mut TermPool, fact: TermId, address: TermId) -> TermId {
    let own = number(pool);
    pool.substitute(fact, &FxHashMap::from_iter([(own, address)]))
}

impl Heap {
    /// Statements about the object of the number: conditions and their opposites, assignments, and the numbers that members are set to.
    fn facts(&self, pool: &mut TermPool, scan: &Scan, kind: Kind) -> Vec<TermId> {
        let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
        let mut add = |fact: TermId| {
            if seen.insert(fact) {
                found.push(fact);
            }
        };
        // Among several kinds of objects there are others whose links are never null.
        for link in self.links.keys().filter(|link| self.has_kinds() && link.kind == kind) {
            let (link, null) = (self.member(pool, link), pool.int(0));
            for fact in [pool.eq(link, null), pool.ne(link, null)] {
                add(fact);
            }
        }
        let mut numbers: BTreeMap<Member, BTreeSet<Int>> = BTreeMap::new();
        for &write in &scan.writes {
            if let Some((place, value)) = sides(pool, write)
                && let Some(member) = self
                    .members_at(pool, place)
                    .into_iter()
                    .find(|member| member.kind == kind)
                && let Some(number) = pool.as_const(value).cloned()
            {
                numbers.entry(member).or_default().insert(number);
            }
        }
        for (member, numbers) in numbers
            .iter()
            .filter(|(member, numbers)| (2..=MAX_NUMBERS).contains(&numbers.len()) && !self.links.contains_key(member))
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
            // Among several kinds an object may be mentioned only as what another one points to.
            let linked = targets.iter().copied().filter(|_| self.has_kinds());
            for pointer in pointers.into_iter().chain(linked) {
                if !self.kinds_of(pool, pointer).contains(&kind) {
                    continue;
                }
                let fact = pool.substitute(term, &FxHashMap::from_iter([(pointer, own)]));
                let is_of_pointers = self.has_kinds() && matches!(pool.term(term), Term::Eq(_)) && !targets.is_empty();
                if is_of_pointers && variables(pool, term).len() > 1 {
                    continue;
                }
                let facts = if is_condition && !is_of_pointers {
                    vec![fact, pool.not(fact)]
                } else {
                    vec![fact]
                };
                for fact in facts {
                    // An object that another one points to is there only if that is not null.
                    let mut guarded = fact;
                    for &target in targets.iter().filter(|&&target| target != pointer) {
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

    /// The pointers that go from object to object of a kind, with the link along which each goes, and what is assigned to a member of the objects on its way.
    fn walks(&self, pool: &mut TermPool, scan: &Scan) -> Vec<(TermId, Kind, Member, TermId)> {
        let (mut found, own) = (Vec::new(), number(pool));
        for (&name, assigned) in &scan.assigned {
            let walker = pool.int_var(name, NO_INDEX);
            for &next in &assigned.terms {
                if read(pool, next).is_none_or(|place| place.1 != Some(walker)) {
                    continue;
                }
                for link in self.members_at(pool, next) {
                    let is_of_walker = |place: Place| place.1 == Some(walker);
                    for &write in &scan.writes {
                        let place = sides(pool, write).map(|sides| sides.0);
                        if place != Some(next)
                            && place.and_then(|place| read(pool, place)).is_some_and(is_of_walker)
                            && self.links.get(&link).is_some_and(|kinds| kinds.contains(&link.kind))
                        {
                            let fact = pool.substitute(write, &FxHashMap::from_iter([(walker, own)]));
                            found.push((walker, link.kind, link.clone(), fact));
                        }
                    }
                }
            }
        }
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
        kind: Kind,
        facts: &Facts,
        (values, variables): (&[Member], &[TermId]),
        exception: Option<TermId>,
    ) -> Vec<TermId> {
        let (mut about, mut closed) = (facts[kind].clone(), Vec::new());
        let (null, own) = (pool.int(0), number(pool));
        let links = self.links.iter().filter(|(member, _)| member.kind == kind);
        let links = links.flat_map(|(member, kinds)| kinds.iter().map(move |&to| (member, to)));
        for (link, to) in links {
            let target = self.member(pool, link);
            let (is_null, is_object) = (pool.eq(target, null), self.is_object(pool, to, target));
            about.extend([pool.or2(is_null, is_object), is_object]);
            // Objects are in the order in which they were made.
            for ordered in [pool.lt(target, own), pool.lt(own, target)] {
                about.push(pool.or2(is_null, ordered));
            }
            // The object that it points to was made before or after what the object points to, each with what belongs to it.
            for (next, _) in self
                .links
                .iter()
                .filter(|(next, _)| self.has_kinds() && next.kind == to && to == kind)
            {
                let further = self.member(pool, next);
                let further = at(pool, further, target);
                let is_last = pool.eq(further, null);
                let is_end = pool.or2(is_null, is_last);
                for ordered in [pool.lt(further, own), pool.lt(own, further)] {
                    about.push(pool.or2(is_end, ordered));
                }
            }
            // A pointer is the only one to its object.
            let pointers = variables.iter().filter(|pointer| self.pointers[pointer].contains(&to));
            about.extend(pointers.map(|&pointer| pool.ne(target, pointer)));
            // Values are in order. The object that is not finished has none yet.
            let unfinished = exception.map_or(is_null, |pointer| {
                let there = pool.eq(target, pointer);
                pool.or2(is_null, there)
            });
            for value in values.iter().filter(|_| to == kind) {
                let here = self.member(pool, value);
                let there = at(pool, here, target);
                for ordered in [pool.le(here, there), pool.le(there, here)] {
                    about.push(pool.or2(unfinished, ordered));
                }
            }
            for &fact in &facts[to] {
                let there = at(pool, fact, target);
                let there = pool.or2(is_null, there);
                if self.has_kinds() {
                    about.push(there);
                }
                if to == kind && !self.is_of_links(pool, fact) {
                    closed.extend([pool.implies(fact, there), pool.implies(fact, is_object)]);
                }
                if !self.has_kinds() {
                    closed.push(there);
                }
            }
        }
        about.extend(closed);
        let alone: Vec<TermId> = facts[kind]
            .iter()
            .copied()
            .filter(|&fact| !self.is_of_links(pool, fact))
            .collect();
        for (position, &first) in alone.iter().enumerate() {
            for &second in &alone[position + 1..] {
                about.push(pool.or2(first, second));
            }
        }
        about
    }

    /// Whether a statement is about nothing but links, where there are several kinds: such a statement is no mark of one of two lists of one kind.
    fn is_of_links(&self, pool: &TermPool, fact: TermId) -> bool {
        let terms = pool.sub_terms(&[fact]);
        let mut places = terms.into_iter().filter(|&term| read(pool, term).is_some());
        self.has_kinds() && places.all(|place| self.is_link(pool, place))
    }

    /// Statements about the objects of a kind that were made before the one that a pointer points to, or after it: what is visited in the order in which it was made is another thing from then on. Also that there are no such objects.
    fn beside(&self, pool: &mut TermPool, kind: Kind, facts: &[TermId], variables: &[TermId]) -> Vec<TermId> {
        let own = number(pool);
        let is_object = self.is_object(pool, kind, own);
        let mut found = Vec::new();
        for &pointer in variables
            .iter()
            .filter(|pointer| self.pointers[pointer].contains(&kind))
        {
            for side in [pool.lt(pointer, own), pool.lt(own, pointer)] {
                let premise = pool.and2(is_object, side);
                found.push(pool.not(premise));
                found.extend(facts.iter().take(MAX_BESIDE).map(|&fact| pool.implies(premise, fact)));
            }
        }
        found
    }

    /// While a flag is set, there is no object at a pointer that is compared with others, or these are before or behind it: in a list whose objects are visited in the order in which they were made, what was visited is not met again.
    fn passed(&self, pool: &mut TermPool, scan: &Scan, flags: &[TermId], variables: &[TermId]) -> Vec<TermId> {
        let (mut compared, mut pointers) = (BTreeSet::new(), variables.to_vec());
        for &atom in &scan.atoms {
            let Term::Eq(sum) = *pool.term(atom) else { continue };
            let mut parts = Vec::new();
            pool.for_each_monomial(sum, |_, part| parts.push(part));
            let [first, second] = parts[..] else { continue };
            let (these, links): (Vec<TermId>, Vec<TermId>) = parts.iter().partition(|&&part| is_variable(pool, part));
            let is_link = |pool: &TermPool, link: &TermId| self.has_kinds() && !self.kinds_of(pool, *link).is_empty();
            if atom != pool.eq(first, second) || these.is_empty() || !links.iter().all(|link| is_link(pool, link)) {
                continue;
            }
            if !links.is_empty() || these.iter().any(|part| variables.contains(part)) {
                // A variable that is no pointer of a type, as the address of the object that is watched, is compared with those that are.
                let untyped = these.iter().any(|&part| self.kinds_of(pool, part).is_empty());
                let these = these
                    .into_iter()
                    .filter(|&part| !untyped || self.kinds_of(pool, part).is_empty());
                compared.extend(these);
                pointers.extend(links);
            }
        }
        pointers.sort_unstable();
        pointers.dedup();
        let null = pool.int(0);
        let mut found = Vec::new();
        for &other in &compared {
            let mut kinds = self.kinds_of(pool, other);
            if kinds.is_empty() {
                kinds = self.kinds().collect();
            }
            for kind in kinds {
                let exists = self.is_object(pool, kind, other);
                for &flag in flags {
                    let premise = pool.and2(flag, exists);
                    found.push(pool.not(premise));
                    for &pointer in pointers.iter().filter(|&&pointer| pointer != other) {
                        let mut is_null = pool.eq(pointer, null);
                        if let Some((_, Some(base), _)) = read(pool, pointer).filter(|_| self.has_kinds()) {
                            let is_nowhere = pool.eq(base, null);
                            is_null = pool.or2(is_null, is_nowhere);
                        }
                        for order in [pool.lt(pointer, other), pool.lt(other, pointer)] {
                            let said = pool.or2(is_null, order);
                            found.push(pool.implies(premise, said));
                        }
                    }
                }
            }
        }
        found
    }

    /// Among several kinds: the order in which the objects of two pointers were made.
    fn ordered(&self, pool: &mut TermPool, variables: &[TermId]) -> Vec<TermId> {
        let null = pool.int(0);
        let mut found = Vec::new();
        for &first in variables.iter().filter(|_| self.has_kinds()) {
            for &second in variables.iter().filter(|&&second| second != first) {
                if !self.pointers[&first].is_disjoint(&self.pointers[&second]) {
                    let (is_null, before) = (pool.eq(first, null), pool.lt(first, second));
                    found.push(pool.or2(is_null, before));
                }
            }
        }
        found
    }

    /// The members other than links that are set to several values.
    fn values(&self, pool: &mut TermPool, scan: &Scan, kind: Kind) -> Vec<Member> {
        let mut written: BTreeMap<Member, BTreeSet<TermId>> = BTreeMap::new();
        for &write in &scan.writes {
            if let Some((place, value)) = sides(pool, write)
                && let Some(member) = self
                    .members_at(pool, place)
                    .into_iter()
                    .find(|member| member.kind == kind)
            {
                written.entry(member).or_default().insert(value);
            }
        }
        written.retain(|member, values| {
            let is_number = values.iter().all(|&value| pool.as_const(value).is_some());
            !self.links.contains_key(member) && (values.len() > 1 || !is_number)
        });
        written.into_keys().take(MAX_VALUES).collect()
    }

    fn is_link(&self, pool: &TermPool, term: TermId) -> bool {
        let Some((function, _, offset)) = read(pool, term) else {
            return false;
        };
        let is_same = |member: &Member| member.function == function && member.offset == offset;
        self.links.keys().any(is_same)
    }
}
