//! Polynomials over the integers modulo a power of two.

use crate::encode::is_product;
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};
use std::collections::{BTreeMap, HashMap};

/// More monomials of one polynomial are not computed with.
const MAX_MONOMIALS: usize = 160;
/// Nor monomials of a higher degree.
const MAX_DEGREE: usize = 10;

/// A product of terms, sorted; the empty one is 1.
pub type Monomial = Vec<TermId>;

/// A sum of monomials with factors other than 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Polynomial(pub BTreeMap<Monomial, i128>);

/// The integers modulo 2 to the power of `bits`, which are 64 at most; numbers are those of least magnitude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ring {
    /// The exponent.
    pub bits: u32,
}

impl Ring {
    /// The number that stands for one.
    pub fn number(self, number: i128) -> i128 {
        let shift = i128::BITS - self.bits;
        (number << shift) >> shift
    }

    /// The inverse of an odd number, by Newton's iteration.
    pub fn inverse(self, odd: i128) -> i128 {
        let mut inverse = odd;
        for _ in 0..6 {
            inverse = self.number(inverse.wrapping_mul(self.number(2 - self.number(odd.wrapping_mul(inverse)))));
        }
        inverse
    }

    /// Adds a monomial with a factor.
    pub fn add(self, sum: &mut Polynomial, monomial: Monomial, factor: i128) {
        let entry = sum.0.entry(monomial).or_default();
        *entry = self.number(*entry + factor);
        if *entry == 0 {
            sum.0.retain(|_, factor| *factor != 0);
        }
    }

    /// Adds a multiple of a polynomial.
    pub fn add_multiple(self, sum: &mut Polynomial, factor: i128, other: &Polynomial) {
        for (monomial, &other) in &other.0 {
            let entry = sum.0.entry(monomial.clone()).or_default();
            *entry = self.number(*entry + self.number(factor.wrapping_mul(other)));
        }
        sum.0.retain(|_, factor| *factor != 0);
    }

    /// The product; `None` if it is too long.
    pub fn product(self, left: &Polynomial, right: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (a, &x) in &left.0 {
            for (b, &y) in &right.0 {
                let mut monomial = [a.as_slice(), b.as_slice()].concat();
                if monomial.len() > MAX_DEGREE {
                    return None;
                }
                monomial.sort_unstable();
                let entry = product.0.entry(monomial).or_default();
                *entry = self.number(*entry + self.number(x.wrapping_mul(y)));
            }
        }
        product.0.retain(|_, factor| *factor != 0);
        (product.0.len() <= MAX_MONOMIALS).then_some(product)
    }

    /// The value of a term if a polynomial is 0, in which it has the factor 1 or -1 and which mentions it nowhere else; `None` if that is not so.
    pub fn solved(self, zero: &Polynomial, term: TermId) -> Option<Polynomial> {
        let factor = self.number(-zero.0.get(&vec![term]).copied()?);
        let mut by = Polynomial::default();
        self.add_multiple(&mut by, factor, zero);
        self.add(&mut by, vec![term], 1);
        (factor.abs() == 1 && !by.mentions(term)).then_some(by)
    }

    /// A polynomial with another one in the place of a term; `None` if it is too long.
    pub fn substituted(self, polynomial: &Polynomial, term: TermId, by: &Polynomial) -> Option<Polynomial> {
        let mut sum = Polynomial::default();
        for (monomial, &factor) in &polynomial.0 {
            let (own, rest): (Monomial, Monomial) = monomial.iter().partition(|&&other| other == term);
            let mut part = Polynomial(BTreeMap::from([(rest, factor)]));
            for _ in own {
                part = self.product(&part, by)?;
            }
            self.add_multiple(&mut sum, 1, &part);
        }
        (sum.0.len() <= MAX_MONOMIALS).then_some(sum)
    }
}

impl Polynomial {
    /// A term by itself.
    pub fn of(term: TermId) -> Polynomial {
        Polynomial(BTreeMap::from([(vec![term], 1)]))
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a term occurs.
    pub fn mentions(&self, term: TermId) -> bool {
        self.0.keys().any(|monomial| monomial.contains(&term))
    }

    /// The terms that occur.
    pub fn terms(&self) -> impl Iterator<Item = TermId> + '_ {
        self.0.keys().flatten().copied()
    }

    /// How many monomials it has.
    pub fn weight(&self) -> u64 {
        u64::try_from(self.0.len()).expect("fewer than 2^64 of anything")
    }
}

/// The polynomials that terms are modulo the ring's period: products of the machine are products, and where the branches of a conditional are congruent, the condition does not matter. All else is a
/// number of its own.
pub struct Expander {
    /// The ring.
    pub ring: Ring,
    /// The monomials that were computed.
    pub work: u64,
    known: HashMap<TermId, Option<Polynomial>>,
}

impl Expander {
    pub fn new(ring: Ring) -> Expander {
        Expander {
            ring,
            work: 0,
            known: HashMap::new(),
        }
    }

    /// The polynomial of a term; `None` if it is too long.
    pub fn expand(&mut self, pool: &TermPool, term: TermId) -> Option<Polynomial> {
        if let Some(known) = self.known.get(&term) {
            return known.clone();
        }
        let mut monomials = Vec::new();
        let constant = pool.for_each_monomial(term, |factor, inner| monomials.push((factor.clone(), inner)));
        let period = Int::pow2(self.ring.bits);
        let reduced = |number: &Int| number.mod_floor(&period).to_i128().unwrap_or_default();
        let mut sum = Polynomial::default();
        self.ring
            .add(&mut sum, Vec::new(), self.ring.number(reduced(&constant)));
        let mut is_short = true;
        for (factor, inner) in monomials {
            let factor = self.ring.number(reduced(&factor));
            match self.expand_one(pool, inner) {
                Some(polynomial) => self.ring.add_multiple(&mut sum, factor, &polynomial),
                None => is_short = false,
            }
        }
        self.work += sum.weight();
        let found = (is_short && sum.0.len() <= MAX_MONOMIALS).then_some(sum);
        self.known.insert(term, found.clone());
        found
    }

    fn expand_one(&mut self, pool: &TermPool, term: TermId) -> Option<Polynomial> {
        match pool.term(term) {
            Term::App(symbol, arguments) => {
                let bits = product_bits(pool.name(symbol.name)).filter(|&bits| bits >= self.ring.bits);
                let (Some(_), &[a, b]) = (bits, &arguments[..]) else {
                    return Some(Polynomial::of(term));
                };
                let (a, b) = (self.expand(pool, a)?, self.expand(pool, b)?);
                self.ring.product(&a, &b)
            }
            &Term::Ite(_, yes, no) => {
                let (yes, no) = (self.expand(pool, yes)?, self.expand(pool, no)?);
                Some(if yes == no { yes } else { Polynomial::of(term) })
            }
            _ => Some(Polynomial::of(term)),
        }
    }
}

/// The width of the type whose products a function of a name stands for.
pub fn product_bits(name: &str) -> Option<u32> {
    let kind = name.split_once(':').filter(|_| is_product(name))?.1;
    let bits = kind.get(1..)?.parse::<u32>().ok()?;
    (1..=64).contains(&bits).then_some(bits)
}

#[cfg(test)]
mod tests {
    use super::{Polynomial, Ring};
    use provident_smt::term::{NO_INDEX, TermPool};

    #[test]
    fn polynomials_are_those_of_the_machine() {
        let mut pool = TermPool::new();
        let [x, y] = ["x", "y"].map(|name| {
            let name = pool.symbol(name);
            pool.int_var(name, NO_INDEX)
        });
        let ring = Ring { bits: 8 };
        let mut sum = Polynomial::of(x);
        ring.add(&mut sum, vec![y], 100);
        ring.add(&mut sum, Vec::new(), 3);
        // (x + 100 y + 3)^2, where 10,000 is 16 modulo 256.
        let square = ring.product(&sum, &sum).expect("it is short");
        assert_eq!(square.0[&vec![y, y]], 16);
        assert_eq!(square.0[&vec![x, y]], -56);
        assert_eq!(square.0[&vec![]], 9);
        let value = |polynomial: &Polynomial, x_is: i128, y_is: i128| {
            let of = |term| if term == x { x_is } else { y_is };
            let parts = polynomial.0.iter();
            ring.number(
                parts
                    .map(|(m, factor)| factor * m.iter().map(|&t| of(t)).product::<i128>())
                    .sum(),
            )
        };
        let once = ring.substituted(&square, y, &sum).expect("it is short");
        for (a, b) in [(0, 0), (1, 2), (77, -5), (-128, 127)] {
            assert_eq!(value(&square, a, b), ring.number(value(&sum, a, b).pow(2)));
            assert_eq!(value(&once, a, b), value(&square, a, value(&sum, a, b)));
        }
        for odd in (-127..128).step_by(2) {
            assert_eq!(ring.number(odd * ring.inverse(odd)), 1);
        }
    }
}
