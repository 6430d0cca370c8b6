//! Polynomials as sums of multiples of others, by linear algebra: each generator is multiplied with monomials of low degree, and the products are vectors over their monomials.

use super::polynomial::{Monomial, Polynomial, Ring};
use provident_smt::term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The greatest degree of the monomials that generators are multiplied with.
const MAX_DEGREE: usize = 2;
/// The terms of these monomials.
const MAX_TERMS: usize = 8;
/// The multiples that are looked at.
const MAX_MULTIPLES: usize = 200;

/// A multiple of a generator: its position, and the monomial.
type Multiple = (usize, Monomial);

/// A vector of the basis: the monomial in which it has the factor 1 and later vectors have 0, and the multiples whose sum it is.
struct Vector {
    pivot: Monomial,
    polynomial: Polynomial,
    multiples: BTreeMap<Multiple, i128>,
}

/// The span of multiples of generators, which grows with their degree.
pub struct Ideal {
    ring: Ring,
    basis: Vec<Vector>,
    /// The monomials of the next degree; `None` before the first one.
    next: Option<Vec<Monomial>>,
    degree: usize,
    multiples: usize,
}

impl Ideal {
    /// The span of nothing.
    pub fn new(ring: Ring) -> Ideal {
        Ideal {
            ring,
            basis: Vec::new(),
            next: None,
            degree: 0,
            multiples: 0,
        }
    }

    /// The factors of generators, by their positions, with which their sum is a polynomial; `None` if there are none of low degree. The generators have to be the same each time.
    pub fn factors(
        &mut self,
        generators: &[&Polynomial],
        goal: &Polynomial,
        work: &mut u64,
    ) -> Option<Vec<(usize, Polynomial)>> {
        let multiples = loop {
            let (rest, multiples) = self.reduced(goal.clone(), work);
            if rest.is_zero() {
                break multiples;
            }
            if self.degree > MAX_DEGREE {
                return None;
            }
            self.grow(generators, work);
        };
        let mut factors: BTreeMap<usize, Polynomial> = BTreeMap::new();
        for ((at, monomial), multiple) in multiples {
            if multiple != 0 {
                self.ring.add(factors.entry(at).or_default(), monomial, multiple);
            }
        }
        Some(factors.into_iter().collect())
    }

    /// Adds the multiples of the next degree.
    fn grow(&mut self, generators: &[&Polynomial], work: &mut u64) {
        let factors = self.next.take().unwrap_or_else(|| vec![Monomial::new()]);
        for factor in &factors {
            for (at, generator) in generators.iter().enumerate() {
                if self.multiples < MAX_MULTIPLES {
                    self.multiples += 1;
                    self.add((at, factor.clone()), generator, work);
                }
            }
        }
        let terms: BTreeSet<TermId> = generators.iter().flat_map(|generator| generator.terms()).collect();
        let terms: Vec<TermId> = terms.into_iter().take(MAX_TERMS).collect();
        let mut next = BTreeSet::new();
        for factor in &factors {
            for &term in &terms {
                let mut monomial = factor.clone();
                monomial.push(term);
                monomial.sort_unstable();
                next.insert(monomial);
            }
        }
        self.next = Some(next.into_iter().collect());
        self.degree += 1;
    }

    fn add(&mut self, (at, factor): Multiple, generator: &Polynomial, work: &mut u64) {
        let ring = self.ring;
        let own = Polynomial(BTreeMap::from([(factor.clone(), 1)]));
        let Some(product) = ring.product(&own, generator) else {
            return;
        };
        let (rest, mut multiples) = self.reduced(product, work);
        let Some((pivot, leading)) = rest.0.iter().find(|(_, factor)| *factor % 2 != 0) else {
            return;
        };
        let (pivot, inverse) = (pivot.clone(), ring.inverse(*leading));
        // The multiples that were subtracted count against it.
        multiples.values_mut().for_each(|multiple| *multiple = -*multiple);
        *multiples.entry((at, factor)).or_default() += 1;
        for multiple in multiples.values_mut() {
            *multiple = ring.number(ring.number(*multiple).wrapping_mul(inverse));
        }
        let mut polynomial = Polynomial::default();
        ring.add_multiple(&mut polynomial, inverse, &rest);
        self.basis.push(Vector {
            pivot,
            polynomial,
            multiples,
        });
    }

    /// The rest of a polynomial, and the multiples that were subtracted.
    fn reduced(&self, mut polynomial: Polynomial, work: &mut u64) -> (Polynomial, BTreeMap<Multiple, i128>) {
        let ring = self.ring;
        let mut multiples: BTreeMap<Multiple, i128> = BTreeMap::new();
        for vector in &self.basis {
            let Some(&factor) = polynomial.0.get(&vector.pivot) else {
                continue;
            };
            *work += vector.polynomial.weight();
            ring.add_multiple(&mut polynomial, ring.number(-factor), &vector.polynomial);
            for (multiple, &own) in &vector.multiples {
                let sum = multiples.entry(multiple.clone()).or_default();
                *sum = ring.number(*sum + ring.number(factor.wrapping_mul(own)));
            }
        }
        (polynomial, multiples)
    }
}
