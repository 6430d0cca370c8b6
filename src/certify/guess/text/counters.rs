//! Counters: the variables that a program changes by a constant, and the bounds with which it compares them.

use super::scan::{Scan, not_wrapped};
use super::variables;
use crate::encode::{is_in_product_axiom, is_product, unsigned_zero};
use provident_smt::hash::FxHashMap;
use provident_smt::num::Int;
use provident_smt::term::{NO_INDEX, SymbolId, Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Bounds of a counter.
const MAX_BOUNDS: usize = 6;
/// Monomials of a bound, and of an atom that is guessed.
const MAX_MONOMIALS: usize = 3;
/// A variable that is set to more numbers is no flag.
const MAX_VALUES: usize = 3;
/// Counters that bound a sum, and the exponents of two that bound its summands.
const MAX_COUNTERS_OF_SUM: usize = 4;
const SUMMANDS: [u32; 2] = [8, 16];
/// Counters of which one may be the sum of two others.
const MAX_SHARED: usize = 8;
/// Flags that guard statements.
const MAX_FLAGS: usize = 3;

/// A variable that is changed by a constant.
#[derive(Debug, Default)]
pub struct Counter {
    /// The changes.
    pub steps: BTreeSet<Int>,
    /// The values that it begins with.
    pub starts: BTreeSet<TermId>,
    /// The terms that it is below, or that are above its last value.
    pub ends: BTreeSet<TermId>,
}

impl Counter {
    /// Takes an assignment into account. A sum of elements grows by the numbers that elements are set to.
    fn set(&mut self, pool: &mut TermPool, numbers: &Numbers, (own, term): (TermId, TermId)) {
        for value in pool.branches(term) {
            let change = pool.sub(value, own);
            match pool.as_const(change).cloned() {
                Some(step) if !step.is_zero() => drop(self.steps.insert(step)),
                Some(_) => {}
                None if is_plain_sum(pool, value) => drop(self.starts.insert(value)),
                None => self.steps.extend(
                    function(pool, change)
                        .and_then(|memory| numbers.get(&memory))
                        .into_iter()
                        .flatten()
                        .cloned(),
                ),
            }
        }
    }

    /// Drops the steps that another step makes where it wraps around.
    fn forget_wraps(&mut self) {
        let all = self.steps.clone();
        let is_wrap = |step: &Int, other: &Int| {
            let periods = [8, 16, 32, 64].map(Int::pow2);
            other.abs() < step.abs() && periods.contains(&(step - other).abs())
        };
        self.steps.retain(|step| !all.iter().any(|other| is_wrap(step, other)));
    }

    /// Whether it only grows.
    pub fn ascends(&self) -> bool {
        self.steps.iter().all(|step| *step > Int::ZERO)
    }

    /// Its largest step, or one.
    pub fn greatest_step(&self) -> Int {
        self.steps.last().cloned().unwrap_or(Int::ONE)
    }

    /// The numbers that it begins with, from the smallest on.
    pub fn first_numbers(&self, pool: &TermPool) -> BTreeSet<Int> {
        let starts = self.starts.iter();
        starts.filter_map(|&start| pool.as_const(start).cloned()).collect()
    }

    /// Whether it only shrinks.
    pub fn descends(&self) -> bool {
        self.steps.iter().all(|step| *step < Int::ZERO)
    }
}

/// The place of a counter: a multiple of another one's, and a number.
#[derive(Debug)]
pub struct Pace {
    times: Int,
    plus: Int,
}

impl Pace {
    /// The place of the counter where the other one is here.
    pub fn of(&self, pool: &mut TermPool, place: TermId) -> TermId {
        pool.linear(&[(self.times.clone(), place)], self.plus.clone())
    }
}

/// The counters of a program.
#[derive(Debug, Default)]
pub struct Counters {
    /// By their names.
    pub all: BTreeMap<SymbolId, Counter>,
    /// Elements that always have the same number, as a sum in `sum[0]`, as counters.
    cells: BTreeMap<TermId, Counter>,
}

impl Counters {
    /// The counters in a text.
    pub fn of(pool: &mut TermPool, scan: &Scan) -> Counters {
        let mut all: BTreeMap<SymbolId, Counter> = BTreeMap::new();
        let numbers = element_numbers(pool, scan);
        for (&name, assigned) in &scan.assigned {
            let own = pool.int_var(name, NO_INDEX);
            let mut counter = Counter::default();
            for number in &assigned.numbers {
                counter.starts.insert(pool.int(number.clone()));
            }
            for &term in &assigned.terms {
                counter.set(pool, &numbers, (own, term));
            }
            counter.forget_wraps();
            if !counter.steps.is_empty() {
                all.insert(name, counter);
            }
        }
        let mut cells: BTreeMap<TermId, Counter> = BTreeMap::new();
        let writes: Vec<(TermId, TermId)> = scan.writes.iter().filter_map(|&write| sides(pool, write)).collect();
        for (cell, value) in writes.into_iter().chain(scan.updates.iter().copied()) {
            if variables(pool, address(pool, cell)).is_empty() {
                cells.entry(cell).or_default().set(pool, &numbers, (cell, value));
            }
        }
        cells.values_mut().for_each(Counter::forget_wraps);
        cells.retain(|_, counter| !counter.steps.is_empty());
        let mut counters = Counters { all, cells };
        counters.bound(pool, scan);
        counters
    }

    /// Looks for the terms with which atoms compare the counters.
    fn bound(&mut self, pool: &mut TermPool, scan: &Scan) {
        for &atom in &scan.atoms {
            let (Term::Le(sum) | Term::Eq(sum)) = *pool.term(atom) else {
                continue;
            };
            if !is_small(pool, sum) {
                continue;
            }
            let mut factors = Vec::new();
            pool.for_each_monomial(sum, |factor, term| factors.push((factor.clone(), term)));
            for (factor, term) in factors {
                let Term::IntVar(symbol) = *pool.term(term) else {
                    continue;
                };
                let Some(counter) = self.all.get_mut(&symbol.name) else {
                    continue;
                };
                let is_le = matches!(pool.term(atom), Term::Le(_));
                let one = pool.int(1);
                let end = match (factor == Int::ONE, factor == Int::from(-1)) {
                    // term + rest <= 0
                    (true, _) => {
                        let rest = pool.sub(sum, term);
                        let last = pool.neg(rest);
                        if is_le { pool.add(last, one) } else { last }
                    }
                    // rest - term <= 0
                    (_, true) => pool.add(sum, term),
                    _ => continue,
                };
                if counter.ends.len() < MAX_BOUNDS {
                    counter.ends.insert(end);
                }
            }
        }
        for (_, counter) in self.all.iter_mut().filter(|(_, counter)| counter.descends()) {
            let one = pool.int(1);
            let behind: Vec<TermId> = counter.starts.iter().map(|&start| pool.add(start, one)).collect();
            counter.ends.extend(behind);
        }
    }

    /// Guesses without elements: the conditions of the program and their negations, also by one beyond; the numbers that variables are set to; and counters that go together.
    pub fn statements(&self, pool: &mut TermPool, scan: &Scan) -> Vec<TermId> {
        let mut found = BTreeSet::new();
        for &atom in &scan.atoms {
            match *pool.term(atom) {
                Term::Le(sum) if is_small(pool, sum) => {
                    for shift in [-1i64, 0, 1] {
                        let by = pool.int(shift);
                        let sum = pool.add(sum, by);
                        let guess = pool.le_zero(sum);
                        found.extend([guess, pool.not(guess)]);
                    }
                }
                Term::Eq(sum) if is_small(pool, sum) => {
                    let zero = pool.int(0);
                    found.extend([atom, pool.not(atom), pool.le(sum, zero), pool.ge(sum, zero)]);
                }
                Term::Eq(sum) if is_about_products(pool, sum) => drop(found.insert(atom)),
                _ if unsigned_zero(pool, atom).is_some() => drop(found.insert(atom)),
                _ => {}
            }
        }
        for (&name, assigned) in &scan.assigned {
            let own = pool.int_var(name, NO_INDEX);
            for number in &assigned.numbers {
                let number = pool.int(number.clone());
                found.extend([pool.eq(own, number), pool.le(own, number), pool.ge(own, number)]);
            }
            let terms = assigned.terms.iter().flat_map(|&term| pool.branches(term));
            let terms: BTreeSet<TermId> = terms.filter(|&term| is_plain_sum(pool, term)).collect();
            for term in terms {
                if !variables(pool, term).contains(&name) {
                    found.extend([pool.eq(own, term), pool.le(own, term), pool.ge(own, term)]);
                }
            }
        }
        let mut ascending: Vec<(TermId, Int)> = Vec::new();
        for (&name, counter) in self.all.iter().filter(|(_, counter)| counter.ascends()) {
            ascending.push((pool.int_var(name, NO_INDEX), counter.greatest_step()));
        }
        found.extend(self.paces(pool));
        found.extend(scan.exits.iter().copied());
        found.extend(self.shares(pool));
        found.extend(self.sums(pool, scan));
        found.extend(of_elements(pool, scan));
        for (&cell, counter) in &self.cells {
            for &start in &counter.starts {
                found.extend([pool.eq(cell, start), pool.ge(cell, start)]);
            }
            if counter.ascends() {
                ascending.push((cell, counter.greatest_step()));
            }
        }
        for (at, (first, step)) in ascending.iter().enumerate() {
            for (second, other) in &ascending[at + 1..] {
                found.extend([
                    pool.eq(*first, *second),
                    pool.le(*first, *second),
                    pool.le(*second, *first),
                ]);
                // Where each grows by its greatest step, the multiples are equal.
                let (first, second) = (pool.scale(other, *first), pool.scale(step, *second));
                found.extend([pool.eq(first, second), pool.le(first, second), pool.le(second, first)]);
            }
        }
        let (truth, falsity) = (pool.mk_true(), pool.mk_false());
        found
            .into_iter()
            .filter(|&guess| guess != truth && guess != falsity)
            .collect()
    }

    /// Counters that a loop moves together, one by a multiple of the other's step: how far each is from its start says how far the other one is.
    fn paces(&self, pool: &mut TermPool) -> Vec<TermId> {
        let ascending: Vec<SymbolId> = self
            .all
            .iter()
            .filter_map(|(&name, counter)| counter.ascends().then_some(name))
            .take(MAX_SHARED)
            .collect();
        let mut found = Vec::new();
        for &slow in &ascending {
            for &fast in ascending.iter().filter(|&&fast| fast != slow) {
                let (own, other) = (pool.int_var(slow, NO_INDEX), pool.int_var(fast, NO_INDEX));
                for pace in self.pace(pool, slow, fast) {
                    let place = pace.of(pool, own);
                    found.push(pool.eq(place, other));
                }
            }
        }
        found
    }

    /// The places at which a counter may be where another one, which is slower, is somewhere; none where one of them does not only grow.
    pub fn pace(&self, pool: &TermPool, slow: SymbolId, fast: SymbolId) -> Vec<Pace> {
        let (slow, fast) = (&self.all[&slow], &self.all[&fast]);
        if !slow.ascends() || !fast.ascends() {
            return Vec::new();
        }
        let step = slow.greatest_step();
        let is_faster = |other: &&Int| **other > step && other.mod_floor(&step).is_zero();
        let times = fast.steps.iter().filter(is_faster).map(|other| other.div_floor(&step));
        let [from, to] = [slow, fast].map(|counter| counter.first_numbers(pool));
        let mut found = Vec::new();
        for times in times.take(MAX_VALUES) {
            for from in from.iter().take(MAX_VALUES) {
                for to in to.iter().take(MAX_VALUES) {
                    let plus = to - &(&times * from);
                    let times = times.clone();
                    found.push(Pace { times, plus });
                }
            }
        }
        found
    }

    /// Counters that are the sum of two others: each round counts one of these.
    fn shares(&self, pool: &mut TermPool) -> Vec<TermId> {
        let start = |counter: &Counter| {
            let mut starts = counter.first_numbers(pool).into_iter();
            starts.next().filter(|_| starts.next().is_none())
        };
        let ascending = self.all.iter().filter(|(_, counter)| counter.ascends());
        let ascending = ascending.filter_map(|(&name, counter)| Some((name, counter.greatest_step(), start(counter)?)));
        let counters: Vec<(SymbolId, Int, Int)> = ascending.take(MAX_SHARED).collect();
        let mut found = Vec::new();
        for (at, (first, step, a)) in counters.iter().enumerate() {
            for (second, _, b) in counters[at + 1..].iter().filter(|other| other.1 == *step) {
                let sums = counters
                    .iter()
                    .filter(|sum| ![first, second].contains(&&sum.0) && sum.1 == *step);
                for (sum, _, c) in sums {
                    let [x, y, z] = [first, second, sum].map(|&name| pool.int_var(name, NO_INDEX));
                    let parts = [(Int::ONE, x), (Int::ONE, y), (-Int::ONE, z)];
                    let distance = pool.linear(&parts, c - &(a + b));
                    let zero = pool.int(0);
                    found.push(pool.eq(distance, zero));
                }
            }
        }
        found
    }

    /// Bounds of sums whose summands are no numbers: they lie between multiples of a counter, so that they do not wrap around.
    fn sums(&self, pool: &mut TermPool, scan: &Scan) -> Vec<TermId> {
        let mut found = Vec::new();
        for (&name, assigned) in &scan.assigned {
            let own = pool.int_var(name, NO_INDEX);
            let grows = assigned.terms.iter().any(|&value| {
                let value = not_wrapped(pool, value);
                let change = pool.sub(value, own);
                pool.as_const(change).is_none() && !variables(pool, change).contains(&name)
            });
            let ascending = self.all.iter().filter(|(_, counter)| counter.ascends());
            for (&counter, about) in ascending.take(if grows { MAX_COUNTERS_OF_SUM } else { 0 }) {
                let Some(start) = about.first_numbers(pool).pop_first() else {
                    continue;
                };
                let counter = pool.int_var(counter, NO_INDEX);
                for number in &assigned.numbers {
                    let rise = pool.linear(&[(Int::ONE, own)], -number);
                    let rounds = pool.linear(&[(Int::ONE, counter)], -&start);
                    for most in SUMMANDS {
                        let limit = pool.scale(&Int::pow2(most), rounds);
                        let below = pool.neg(limit);
                        found.extend([pool.le(rise, limit), pool.ge(rise, below)]);
                    }
                }
            }
        }
        found
    }

    /// Conditions that a flag tells: of variables that are set to few numbers and to nothing else, that they are not one of these.
    pub fn flags(&self, pool: &mut TermPool, scan: &Scan) -> Vec<TermId> {
        // A variable may also be left as it is.
        let mut numbers: BTreeMap<SymbolId, BTreeSet<Int>> = BTreeMap::new();
        for (&name, assigned) in scan.assigned.iter().filter(|(_, assigned)| !assigned.is_opaque) {
            let own = pool.int_var(name, NO_INDEX);
            let values: Vec<TermId> = assigned.terms.iter().flat_map(|&term| pool.branches(term)).collect();
            let others = values.iter().filter(|&&value| value != own);
            let others: Option<Vec<Int>> = others.map(|&value| pool.as_const(value).cloned()).collect();
            let all = others.map(|others| {
                assigned
                    .numbers
                    .iter()
                    .cloned()
                    .chain(others)
                    .collect::<BTreeSet<Int>>()
            });
            let all = all.filter(|all| (2..=MAX_VALUES).contains(&all.len()));
            numbers.extend(all.map(|all| (name, all)));
        }
        let mut mentioned = BTreeSet::new();
        for &atom in &scan.atoms {
            mentioned.extend(variables(pool, atom));
        }
        let flags = numbers.into_iter().filter(|(name, _)| mentioned.contains(name));
        let mut found = Vec::new();
        for (name, numbers) in flags.take(MAX_FLAGS) {
            let own = pool.int_var(name, NO_INDEX);
            for number in numbers {
                let number = pool.int(number);
                found.push(pool.ne(own, number));
            }
        }
        found
    }
}

/// The conditions on elements, said of the variables that are set to elements.
fn of_elements(pool: &mut TermPool, scan: &Scan) -> Vec<TermId> {
    let is_element = |pool: &TermPool, term: TermId| function(pool, term).is_some();
    let mut conditions = Vec::new();
    for &atom in &scan.atoms {
        let terms = pool.sub_terms(&[atom]);
        let read: Vec<TermId> = terms.into_iter().filter(|&term| is_element(pool, term)).collect();
        if let [element] = read[..] {
            conditions.push((atom, element));
        }
    }
    let mut found = Vec::new();
    for (&name, assigned) in &scan.assigned {
        let set = assigned.terms.iter().filter_map(|&term| function(pool, term));
        let arrays: BTreeSet<SymbolId> = set.collect();
        let own = pool.int_var(name, NO_INDEX);
        for &(atom, element) in &conditions {
            if function(pool, element).is_some_and(|array| arrays.contains(&array)) {
                let guess = pool.substitute(atom, &FxHashMap::from_iter([(element, own)]));
                found.extend([guess, pool.not(guess)]);
            }
        }
    }
    found
}

/// The numbers other than 0 that the elements of each memory are set to.
type Numbers = BTreeMap<SymbolId, BTreeSet<Int>>;

/// The numbers that elements are set to; of a memory where anything else is set there are none.
fn element_numbers(pool: &mut TermPool, scan: &Scan) -> Numbers {
    let (mut found, mut others) = (Numbers::new(), BTreeSet::new());
    for &write in &scan.writes {
        let Some((element, value)) = sides(pool, write) else {
            continue;
        };
        let Some(memory) = function(pool, element) else {
            continue;
        };
        match pool.as_const(value) {
            Some(number) if number.is_zero() => {}
            Some(number) => drop(found.entry(memory).or_default().insert(number.clone())),
            None => drop(others.insert(memory)),
        }
    }
    found.retain(|memory, _| !others.contains(memory));
    found
}

/// The memory of which a term is one element.
fn function(pool: &TermPool, term: TermId) -> Option<SymbolId> {
    match pool.term(term) {
        Term::App(symbol, arguments) if arguments.len() == 1 => Some(symbol.name),
        _ => None,
    }
}

/// The address of an element.
fn address(pool: &TermPool, element: TermId) -> TermId {
    match pool.term(element) {
        Term::App(_, arguments) => arguments[0],
        _ => element,
    }
}

/// The element and the value that an assignment says to be equal.
pub fn sides(pool: &mut TermPool, equation: TermId) -> Option<(TermId, TermId)> {
    let Term::Eq(sum) = *pool.term(equation) else {
        return None;
    };
    let mut parts = Vec::new();
    pool.for_each_monomial(sum, |factor, part| parts.push((factor.clone(), part)));
    let (factor, part) = parts.into_iter().find(|(_, part)| function(pool, *part).is_some())?;
    let own = pool.scale(&factor, part);
    let rest = pool.sub(sum, own);
    (factor.abs() == Int::ONE).then(|| (part, pool.scale(&-&factor, rest)))
}

/// Whether a sum is about products of variables, other than in axioms about these.
fn is_about_products(pool: &TermPool, sum: TermId) -> bool {
    let mut symbols = pool.symbols(sum).into_iter();
    !is_in_product_axiom(pool, sum) && symbols.any(|symbol| is_product(pool.name(symbol.name)))
}

/// Whether a term is a short sum of variables, other than one that has wrapped around.
fn is_plain_sum(pool: &TermPool, term: TermId) -> bool {
    is_small(pool, term) && pool.for_each_monomial(term, |_, _| {}).abs() < Int::pow2(31)
}

/// Whether a term is a short sum of variables.
fn is_small(pool: &TermPool, term: TermId) -> bool {
    let (mut count, mut is_plain) = (0, true);
    pool.for_each_monomial(term, |_, inner| {
        count += 1;
        is_plain &= matches!(pool.term(inner), Term::IntVar(_));
    });
    is_plain && count <= MAX_MONOMIALS
}
