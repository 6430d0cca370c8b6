//! Statements about elements of arrays: a condition or an assignment of the program that mentions elements by a counter, or by two, for all elements between bounds.

use super::counters::{Counter, Counters, sides};
use super::scan::Scan;
use super::{Reach, number, variables};
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, SymbolId, Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Bounds of the numbers for one statement.
const MAX_RANGES: usize = 16;
/// The same where they are sought far.
const MAX_FAR_RANGES: usize = 48;
/// Statements that are made conditional on one another.
const MAX_CONDITIONS: usize = 8;
/// Changes of one element, one after the other.
const MAX_UPDATES: usize = 2;

/// A statement about an element, in which its number stands for one counter or two.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Fact {
    formula: TermId,
    by: Index,
}

/// The way in which elements are numbered.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Index {
    /// By a counter.
    Counter(SymbolId),
    /// By a counter of rows and one of columns, in rows of this length.
    Matrix(SymbolId, SymbolId, Int),
}

/// The parts of which the bounds of statements are made.
struct Bounds<'s> {
    counters: &'s Counters,
    /// The counters by which the elements of each array are found anywhere.
    indexed: BTreeMap<SymbolId, BTreeSet<SymbolId>>,
    /// The arrays whose elements are changed.
    changed: BTreeSet<SymbolId>,
    /// The arrays of which one counter finds two elements at once. Of these, bounds are sought one further as well.
    neighboured: BTreeSet<SymbolId>,
}

/// All guesses about elements.
pub(super) fn statements(pool: &mut TermPool, scan: &Scan, counters: &Counters, reach: Reach) -> Vec<TermId> {
    let mut conditions: BTreeSet<Fact> = BTreeSet::new();
    for &atom in &scan.atoms {
        for by in indices(pool, counters, atom) {
            let fact = generalised(pool, atom, by);
            let opposite = Fact {
                formula: pool.not(fact.formula),
                by: fact.by.clone(),
            };
            conditions.extend([fact, opposite]);
        }
    }
    let mut writes: BTreeSet<Fact> = BTreeSet::new();
    for &write in &scan.writes {
        for by in indices(pool, counters, write) {
            writes.insert(generalised(pool, write, by));
        }
    }
    let mut facts = conditions.clone();
    for write in &writes {
        let same = conditions.iter().filter(|condition| condition.by == write.by);
        for condition in same.take(MAX_CONDITIONS) {
            facts.insert(Fact {
                formula: pool.implies(condition.formula, write.formula),
                by: write.by.clone(),
            });
        }
    }
    facts.extend(alternatives(pool, scan, counters));
    facts.extend(updated(pool, scan, counters, &writes));
    facts.extend(writes);
    let changed = scan.updates.iter().flat_map(|update| elements(pool, update.0));
    let bounds = Bounds {
        counters,
        indexed: indexed(pool, scan, counters, reach),
        changed: changed.map(|read| read.0).collect(),
        neighboured: neighboured(pool, scan, counters),
    };
    let flags = counters.flags(pool, scan);
    let mut found = BTreeSet::new();
    for fact in facts {
        for range in bounds.ranges(pool, &fact, reach) {
            let plain = pool.implies(range, fact.formula);
            found.insert(plain);
            for &flag in &flags {
                found.insert(pool.implies(flag, plain));
            }
        }
    }
    let truth = pool.mk_true();
    found.remove(&truth);
    if !found.is_empty() {
        // A sentinel: an element of its own with a number.
        let is_fixed = |write: &&TermId| variables(pool, **write).is_empty();
        found.extend(scan.writes.iter().filter(is_fixed));
    }
    found.into_iter().collect()
}

/// Where an element that an assignment has set is changed once more, what it is then.
fn updated(pool: &mut TermPool, scan: &Scan, counters: &Counters, writes: &BTreeSet<Fact>) -> BTreeSet<Fact> {
    let mut found = BTreeSet::new();
    let mut known: Vec<TermId> = writes.iter().map(|write| write.formula).collect();
    for _ in 0..MAX_UPDATES {
        let mut next = Vec::new();
        for &(element, value) in &scan.updates {
            for by in indices(pool, counters, element) {
                let element = generalised(pool, element, by.clone()).formula;
                for value in pool.branches(value) {
                    let value = generalised(pool, value, by.clone()).formula;
                    for &write in &known {
                        let before = sides(pool, write).filter(|(place, _)| *place == element);
                        let Some((_, before)) = before else { continue };
                        let value = pool.substitute(value, &FxHashMap::from_iter([(element, before)]));
                        let formula = pool.eq(element, value);
                        if found.insert(Fact {
                            formula,
                            by: by.clone(),
                        }) {
                            next.push(formula);
                        }
                    }
                }
            }
        }
        known = next;
    }
    found
}

/// Where one element is set to several values, it depends on a condition which: the element has one of them, and each under a condition on its number.
fn alternatives(pool: &mut TermPool, scan: &Scan, counters: &Counters) -> BTreeSet<Fact> {
    let mut values: BTreeMap<(TermId, Index), BTreeSet<TermId>> = BTreeMap::new();
    for &write in &scan.writes {
        let Some((element, _)) = sides(pool, write) else {
            continue;
        };
        for by in indices(pool, counters, element) {
            values.entry((element, by)).or_default().insert(write);
        }
    }
    let mut found = BTreeSet::new();
    for ((_, by), writes) in values.into_iter().filter(|(_, writes)| writes.len() > 1) {
        let counters: BTreeSet<SymbolId> = match by {
            Index::Counter(counter) => BTreeSet::from([counter]),
            Index::Matrix(rows, columns, _) => BTreeSet::from([rows, columns]),
        };
        let of_number = |pool: &TermPool, atom: TermId| {
            elements(pool, atom).is_empty() && !variables(pool, atom).is_disjoint(&counters)
        };
        let conditions: Vec<TermId> = scan
            .atoms
            .iter()
            .copied()
            .filter(|&atom| of_number(pool, atom))
            .collect();
        let writes: Vec<TermId> = writes.into_iter().collect();
        let either = pool.or(&writes);
        found.insert(generalised(pool, either, by.clone()));
        for &condition in conditions.iter().take(MAX_CONDITIONS) {
            for &write in &writes {
                for premise in [condition, pool.not(condition)] {
                    let fact = pool.implies(premise, write);
                    found.insert(generalised(pool, fact, by.clone()));
                }
            }
        }
    }
    found
}

/// The addresses of elements in a term, with the names of the arrays' functions.
fn elements(pool: &TermPool, term: TermId) -> Vec<(SymbolId, TermId)> {
    let read = |term: TermId| match pool.term(term) {
        Term::App(symbol, arguments) if arguments.len() == 1 => Some((symbol.name, arguments[0])),
        _ => None,
    };
    pool.sub_terms(&[term]).into_iter().filter_map(read).collect()
}

/// The counters in an address, with their factors.
fn factors(pool: &TermPool, counters: &Counters, address: TermId) -> BTreeMap<SymbolId, Int> {
    let mut found = BTreeMap::new();
    pool.for_each_monomial(address, |factor, term| {
        if let Term::IntVar(symbol) = *pool.term(term)
            && counters.all.contains_key(&symbol.name)
        {
            found.insert(symbol.name, factor.abs());
        }
    });
    found
}

/// The counters by which the elements of each array are found anywhere.
fn indexed(pool: &TermPool, scan: &Scan, counters: &Counters, reach: Reach) -> BTreeMap<SymbolId, BTreeSet<SymbolId>> {
    let mut found: BTreeMap<SymbolId, BTreeSet<SymbolId>> = BTreeMap::new();
    let read = scan.assigned.values().flat_map(|assigned| &assigned.terms);
    let read = read.filter(|_| reach == Reach::Far);
    for &term in scan.atoms.iter().chain(&scan.writes).chain(read) {
        for (array, address) in elements(pool, term) {
            found
                .entry(array)
                .or_default()
                .extend(factors(pool, counters, address).into_keys());
        }
    }
    found
}

/// The ways in which the elements of a term may be numbered.
fn indices(pool: &TermPool, counters: &Counters, term: TermId) -> BTreeSet<Index> {
    let mut found = BTreeSet::new();
    for (_, address) in elements(pool, term) {
        let factors: Vec<(SymbolId, Int)> = factors(pool, counters, address).into_iter().collect();
        match &factors[..] {
            [(counter, _)] => drop(found.insert(Index::Counter(*counter))),
            [(first, a), (second, b)] => {
                let ((rows, stride), (columns, size)) = if a > b {
                    ((*first, a), (*second, b))
                } else {
                    ((*second, b), (*first, a))
                };
                if a != b && stride.mod_floor(size).is_zero() {
                    found.insert(Index::Matrix(rows, columns, stride.div_floor(size)));
                }
            }
            _ => {}
        }
    }
    found
}

/// The row and the column of the number of an element.
fn parts(pool: &mut TermPool, length: &Int) -> (TermId, TermId) {
    let number = number(pool);
    (pool.div_floor(number, length), pool.mod_floor(number, length))
}

/// A formula for any number instead of the counters.
fn generalised(pool: &mut TermPool, formula: TermId, by: Index) -> Fact {
    let mut replaced = FxHashMap::default();
    match &by {
        Index::Counter(counter) => {
            let counter = pool.int_var(*counter, NO_INDEX);
            replaced.insert(counter, number(pool));
        }
        Index::Matrix(rows, columns, length) => {
            let (row, column) = parts(pool, length);
            let (rows, columns) = (pool.int_var(*rows, NO_INDEX), pool.int_var(*columns, NO_INDEX));
            replaced.extend([(rows, row), (columns, column)]);
        }
    }
    Fact {
        formula: pool.substitute(formula, &replaced),
        by,
    }
}

/// The ends of counters: what they are compared with, and where they stand; with starts, which are numbers.
fn ends(
    pool: &mut TermPool,
    counters: &Counters,
    names: &BTreeSet<SymbolId>,
) -> (BTreeSet<TermId>, BTreeSet<TermId>, BTreeSet<TermId>) {
    let (mut starts, mut ends, mut behind) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for name in names {
        let counter: &Counter = &counters.all[name];
        let own = pool.int_var(*name, NO_INDEX);
        if counter.descends() {
            let one = pool.int(1);
            behind.extend([own, pool.add(own, one)]);
            starts.insert(pool.int(0));
        } else {
            starts.extend(counter.starts.iter().filter(|&&start| pool.as_const(start).is_some()));
            ends.insert(own);
        }
        let others = counter.ends.iter().filter(|&&end| !variables(pool, end).contains(name));
        ends.extend(others);
    }
    (starts, ends, behind)
}

/// The arrays of which one counter finds two elements in one statement, or in the same assignment.
fn neighboured(pool: &mut TermPool, scan: &Scan, counters: &Counters) -> BTreeSet<SymbolId> {
    let mut found = BTreeSet::new();
    for &term in scan.atoms.iter().chain(&scan.writes) {
        let mut seen: BTreeMap<(SymbolId, SymbolId), TermId> = BTreeMap::new();
        for (array, address) in elements(pool, term) {
            for counter in factors(pool, counters, address).into_keys() {
                let first = *seen.entry((array, counter)).or_insert(address);
                let distance = pool.sub(address, first);
                if first != address && pool.as_const(distance).is_some() {
                    found.insert(array);
                }
            }
        }
    }
    found
}

impl Bounds<'_> {
    /// The conditions that say which numbers a statement is about.
    fn ranges(&self, pool: &mut TermPool, fact: &Fact, reach: Reach) -> Vec<TermId> {
        let mut found = match &fact.by {
            Index::Counter(counter) => self.of_counter(pool, (fact, *counter), reach),
            Index::Matrix(rows, columns, length) => self.of_matrix(pool, *rows, *columns, length),
        };
        found.truncate(if reach == Reach::Far {
            MAX_FAR_RANGES
        } else {
            MAX_RANGES
        });
        found
    }

    fn of_counter(&self, pool: &mut TermPool, (fact, by): (&Fact, SymbolId), reach: Reach) -> Vec<TermId> {
        let mut found = Vec::new();
        let read = elements(pool, fact.formula);
        let arrays: BTreeSet<SymbolId> = read.iter().map(|(array, _)| *array).collect();
        let indexed = arrays.iter().filter_map(|array| self.indexed.get(array));
        let names: BTreeSet<SymbolId> = indexed.flatten().copied().collect();
        let (mut starts, mut ends, mut behind) = ends(pool, self.counters, &names);
        if !arrays.is_disjoint(&self.changed) {
            // The old value of an element is known where the counter has not been.
            behind.extend(names.iter().map(|&name| pool.int_var(name, NO_INDEX)));
        }
        let one = pool.int(1);
        if read.len() > arrays.len() {
            // Of neighbours, one is there later than the other.
            let before: Vec<TermId> = names.iter().map(|&name| pool.int_var(name, NO_INDEX)).collect();
            ends.extend(before.into_iter().map(|own| pool.sub(own, one)));
        }
        if reach == Reach::Far {
            let others = variables(pool, fact.formula);
            for &name in names.iter().filter(|name| others.contains(name)) {
                let own = pool.int_var(name, NO_INDEX);
                starts.extend([own, pool.add(own, one)]);
            }
            if !arrays.is_disjoint(&self.neighboured) {
                for &name in &names {
                    let own = pool.int_var(name, NO_INDEX);
                    let next = pool.add(own, one);
                    if self.counters.all[&name].descends() {
                        behind.insert(pool.add(next, one));
                    } else {
                        ends.insert(next);
                    }
                }
            }
        }
        let number = number(pool);
        for &start in starts.iter().chain(&behind) {
            for &end in &ends {
                let length = pool.sub(end, start);
                if pool.as_const(length).is_none_or(|length| *length > Int::ZERO) {
                    let bounds = [pool.le(start, number), pool.lt(number, end)];
                    found.push(pool.and(&bounds));
                }
            }
        }
        found.extend(self.by_faster(pool, by, &names));
        found
    }

    /// Bounds of a counter by the place of another one that is faster: `2 * number + 1 < i`.
    fn by_faster(&self, pool: &mut TermPool, by: SymbolId, names: &BTreeSet<SymbolId>) -> Vec<TermId> {
        let number = number(pool);
        let mut found = Vec::new();
        for &fast in names.iter().filter(|&&name| name != by) {
            let (_, ends, _) = ends(pool, self.counters, &BTreeSet::from([fast]));
            let starts = self.counters.all[&by].first_numbers(pool);
            let Some(start) = starts.first().map(|start| pool.int(start.clone())) else {
                continue;
            };
            for pace in self.counters.pace(pool, by, fast) {
                let place = pace.of(pool, number);
                for &end in &ends {
                    let bounds = [pool.le(start, number), pool.lt(place, end)];
                    found.push(pool.and(&bounds));
                }
            }
        }
        found
    }

    fn of_matrix(&self, pool: &mut TermPool, rows: SymbolId, columns: SymbolId, length: &Int) -> Vec<TermId> {
        let mut found = Vec::new();
        let (row, column) = parts(pool, length);
        let (row_starts, row_ends, _) = ends(pool, self.counters, &BTreeSet::from([rows]));
        let (column_starts, column_ends, _) = ends(pool, self.counters, &BTreeSet::from([columns]));
        let own = pool.int_var(rows, NO_INDEX);
        for &left in &column_starts {
            for &right in &column_ends {
                let inside = [pool.le(left, column), pool.lt(column, right)];
                let inside = pool.and(&inside);
                for &top in &row_starts {
                    for &bottom in &row_ends {
                        let bounds = [pool.le(top, row), pool.lt(row, bottom), inside];
                        found.push(pool.and(&bounds));
                    }
                }
                let here = pool.eq(row, own);
                found.push(pool.and2(here, inside));
            }
        }
        found
    }
}
