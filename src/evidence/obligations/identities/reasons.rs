//! Why a sum of products is 0: definitions that are put in, and multiples of other sums.

use super::super::elements::barred;
use super::super::manifest::{DefinitionEntry, IdentityEntry, MultipleEntry};
use super::ideal::Ideal;
use super::polynomial::{Expander, Polynomial, Ring, product_bits};
use super::ways::{exact_divisions, without_wraps, zeros};
use super::{Identity, has_products};
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};

/// The products that are compared with each other.
const MAX_PRODUCTS: usize = 8;

/// A term that a sum defines.
#[derive(Clone, Debug)]
struct Definition {
    /// The sum, which is 0.
    zero: TermId,
    term: TermId,
}

/// A sum that is 0 if others are.
pub struct Reason {
    definitions: Vec<Definition>,
    /// Sums that are 0, with the factors.
    multiples: Vec<(TermId, Polynomial)>,
}

/// The equations of a way, solved.
pub struct State {
    /// The polynomials of its terms.
    pub expander: Expander,
    /// In the order in which they are used.
    definitions: Vec<(Definition, Polynomial)>,
    /// The sums that define nothing, with their polynomials.
    others: Vec<(TermId, Polynomial)>,
    /// Their span.
    ideal: Ideal,
}

impl State {
    /// Of the equations on a way and those that are claimed before it; `None` if a polynomial is too long.
    pub fn of(pool: &mut TermPool, ring: Ring, way: &[TermId], claimed: &[TermId]) -> Option<State> {
        let mut state = State {
            expander: Expander::new(ring),
            ideal: Ideal::new(ring),
            definitions: Vec::new(),
            others: Vec::new(),
        };
        let mut all = Vec::new();
        for sum in zeros(pool, &[way, claimed].concat()) {
            let zero = without_wraps(pool, &mut state.expander, sum);
            all.push(zero);
            state.add(pool, zero);
        }
        for zero in exact_divisions(pool, &all) {
            state.add(pool, zero);
        }
        for at in 0..state.others.len() {
            let polynomial = state.others[at].1.clone();
            state.others[at].1 = state.solved(polynomial)?;
        }
        state.others.retain(|(_, polynomial)| !polynomial.is_zero());
        Some(state)
    }

    /// Takes into account that a sum is 0, unless that is true or false anyway.
    fn add(&mut self, pool: &TermPool, zero: TermId) {
        let ring = self.expander.ring;
        let polynomial = self.expander.expand(pool, zero);
        let Some(polynomial) = polynomial.and_then(|polynomial| self.solved(polynomial)) else {
            return;
        };
        if polynomial.terms().next().is_none() {
            return;
        }
        let found = defined(pool, &polynomial).and_then(|term| Some((term, ring.solved(&polynomial, term)?)));
        match found {
            Some((term, by)) => self.definitions.push((Definition { zero, term }, by)),
            None => self.others.push((zero, polynomial)),
        }
    }

    /// A polynomial with what terms are defined as in their place.
    fn solved(&mut self, mut polynomial: Polynomial) -> Option<Polynomial> {
        for (definition, by) in &self.definitions {
            if polynomial.mentions(definition.term) {
                self.expander.work += polynomial.weight() * by.weight();
                polynomial = self.expander.ring.substituted(&polynomial, definition.term, by)?;
            }
        }
        Some(polynomial)
    }

    /// Why a sum is congruent to 0; `None` if no reason is found, or none that is about products.
    pub fn shows(&mut self, pool: &TermPool, sum: TermId) -> Option<Reason> {
        let polynomial = self.expander.expand(pool, sum)?;
        let goal = self.solved(polynomial.clone())?;
        let generators: Vec<&Polynomial> = self.others.iter().map(|(_, polynomial)| polynomial).collect();
        let multiples = self.ideal.factors(&generators, &goal, &mut self.expander.work)?;
        let multiples = multiples.into_iter().map(|(at, factor)| (self.others[at].0, factor));
        let mut reason = Reason {
            definitions: self
                .definitions
                .iter()
                .map(|(definition, _)| definition.clone())
                .collect(),
            multiples: multiples.collect(),
        };
        // The definitions that matter.
        for at in (0..reason.definitions.len()).rev() {
            let definition = reason.definitions.remove(at);
            if !reason.holds(pool, &mut self.expander, &polynomial) {
                reason.definitions.insert(at, definition);
            }
        }
        // The solver needs no help if no product takes part.
        let mut sums: Vec<TermId> = reason.definitions.iter().map(|definition| definition.zero).collect();
        sums.extend(reason.multiples.iter().map(|(zero, _)| *zero));
        sums.push(sum);
        let is_of_use = has_products(pool, &sums) && sums.len() > 1;
        (is_of_use && reason.holds(pool, &mut self.expander, &polynomial)).then_some(reason)
    }
}

impl Reason {
    /// Whether the definitions and multiples make a polynomial 0.
    fn holds(&self, pool: &TermPool, expander: &mut Expander, polynomial: &Polynomial) -> bool {
        self.rest(pool, expander, polynomial).is_some_and(|rest| rest.is_zero())
    }

    fn rest(&self, pool: &TermPool, expander: &mut Expander, polynomial: &Polynomial) -> Option<Polynomial> {
        let ring = expander.ring;
        let mut rest = polynomial.clone();
        let mut zeros = Vec::new();
        for (zero, _) in &self.multiples {
            zeros.push(expander.expand(pool, *zero)?);
        }
        let mut open = Vec::new();
        for definition in &self.definitions {
            open.push(expander.expand(pool, definition.zero)?);
        }
        for at in 0..open.len() {
            let term = self.definitions[at].term;
            let by = ring.solved(&open[at], term)?;
            for polynomial in open[at + 1..].iter_mut().chain(&mut zeros).chain([&mut rest]) {
                if polynomial.mentions(term) {
                    expander.work += polynomial.weight() * by.weight();
                    *polynomial = ring.substituted(polynomial, term, &by)?;
                }
            }
        }
        for ((_, factor), zero) in self.multiples.iter().zip(&zeros) {
            let multiple = ring.product(factor, zero)?;
            ring.add_multiple(&mut rest, -1, &multiple);
        }
        Some(rest)
    }

    /// The fact with its entry.
    pub fn identity(self, pool: &mut TermPool, ring: Ring, sum: TermId) -> Identity {
        let mut premises = Vec::new();
        let mut definitions = Vec::new();
        for Definition { zero, term } in self.definitions {
            premises.push(pool.eq_zero(zero));
            definitions.push(DefinitionEntry {
                zero: barred(pool, zero),
                term: barred(pool, term),
            });
        }
        let mut multiples = Vec::new();
        for (zero, factor) in self.multiples {
            premises.push(pool.eq_zero(zero));
            multiples.push(MultipleEntry {
                zero: barred(pool, zero),
                factor: text(pool, &factor),
            });
        }
        let period = Int::pow2(ring.bits);
        let [low, high] = [-&period, period].map(|end| pool.int(end));
        premises.extend([pool.lt(low, sum), pool.lt(sum, high)]);
        let premise = pool.and(&premises);
        let conclusion = pool.eq_zero(sum);
        Identity {
            formula: pool.implies(premise, conclusion),
            entry: IdentityEntry {
                bits: ring.bits,
                definitions,
                multiples,
                sum: barred(pool, sum),
            },
        }
    }
}

/// A polynomial as SMT-LIB.
fn text(pool: &TermPool, polynomial: &Polynomial) -> String {
    let monomials = polynomial.0.iter().map(|(monomial, &factor)| {
        let number = match factor < 0 {
            true => format!("(- {})", factor.unsigned_abs()),
            false => factor.to_string(),
        };
        let terms: Vec<String> = monomial.iter().map(|&term| barred(pool, term)).collect();
        match terms.is_empty() {
            true => number,
            false => format!("(* {number} {})", terms.join(" ")),
        }
    });
    format!("(+ 0 {})", monomials.collect::<Vec<String>>().join(" "))
}

/// The term that a polynomial defines if it is 0: it has the factor 1 or -1 and occurs nowhere else. Of several one of the latest version.
fn defined(pool: &TermPool, polynomial: &Polynomial) -> Option<TermId> {
    let single = polynomial.0.iter().filter_map(|(monomial, factor)| match monomial[..] {
        [term] if factor.abs() == 1 => Some(term),
        _ => None,
    });
    let alone = single.filter(|&term| polynomial.terms().filter(|&other| other == term).count() == 1);
    let version = |term: &TermId| match *pool.term(*term) {
        Term::IntVar(symbol) => Some(symbol.index),
        _ => None,
    };
    alone.max_by_key(|term| (version(term), *term))
}

/// Products with a common factor: they are equal if the other factors are, on whichever side these stand.
pub fn commuted(pool: &mut TermPool, terms: &[TermId]) -> Vec<Identity> {
    let mut products: Vec<(TermId, u32, [TermId; 2])> = Vec::new();
    for term in pool.sub_terms(terms) {
        if let Term::App(symbol, arguments) = pool.term(term)
            && let (Some(bits), &[a, b]) = (product_bits(pool.name(symbol.name)), &arguments[..])
            && products.len() < MAX_PRODUCTS
        {
            products.push((term, bits, [a, b]));
        }
    }
    let mut found = Vec::new();
    for (at, &(product, bits, [a, b])) in products.iter().enumerate() {
        for &(other, _, [c, d]) in products[..at].iter().filter(|known| known.1 == bits) {
            let crossed = [(a, b, c, d), (b, a, c, d), (a, b, d, c), (b, a, d, c)];
            let Some((one, _, two, _)) = crossed.into_iter().find(|(_, own, _, of_other)| own == of_other) else {
                continue;
            };
            let (zero, sum) = (pool.sub(one, two), pool.sub(product, other));
            let mut expander = Expander::new(Ring { bits });
            let solved = expander.expand(pool, zero).and_then(|zero| defined(pool, &zero));
            let Some(term) = solved else { continue };
            let reason = Reason {
                definitions: vec![Definition { zero, term }],
                multiples: Vec::new(),
            };
            let polynomial = expander.expand(pool, sum);
            if polynomial.is_some_and(|polynomial| reason.holds(pool, &mut expander, &polynomial)) {
                found.push(reason.identity(pool, expander.ring, sum));
            }
        }
    }
    found
}
