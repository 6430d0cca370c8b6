//! Identities of polynomials, as facts about the functions that stand for products.
//!
//! `x * z - x - y + 1 = 0` stays true where `x` becomes `x * z + 1` and `y` becomes `y * z`, since the new left side is `z` times the old one. For the solver a product is the value of a function, so a
//! script about products lists such facts: if these sums are 0, then that sum is congruent to 0 modulo the period of the type, so it is 0 if it is less than a period away.
//!
//! The sums on the left are equations of the script itself: assignments on a way through the block, and claims before it. An assignment defines a term, by which it is replaced everywhere; the sum on the right is then a
//! combination of the other sums with polynomials as factors, which linear algebra finds (it is in the ideal that they generate; Sankaranarayanan, Sipma, Manna, *Non-linear loop invariant generation using
//! Gröbner bases*, POPL 2004, look for such invariants, here they are only shown). All of this is meant modulo a power of two, as the machine computes (Seidl, Flexeder, Petter, *Analysing all polynomial equations in Z_2^w*, SAS 2008).
//!
//! A fact says with what it follows: [`Identity`] has the definitions and the factors, and the audit multiplies them out anew ([`ring`](super::ring)).
//!
//! | module | does |
//! |---|---|
//! | `polynomial` | polynomials modulo a power of two |
//! | `ideal` | factors for sums by linear algebra |
//! | `ways` | the equations of a block |
//! | `reasons` | why a sum is 0 |

mod ideal;
mod polynomial;
mod reasons;
mod ways;

use super::manifest::IdentityEntry;
use crate::encode::{is_in_product_axiom, unsigned_zero};
use polynomial::{Ring, product_bits};
use provident_smt::term::{Term, TermId, TermPool};
use reasons::{State, commuted};
use std::collections::{BTreeSet, HashMap};
use ways::{ways, zero};

/// The sums that are shown to be 0.
const MAX_GOALS: usize = 24;

/// A fact about products: its formula, and why it holds.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The formula.
    pub formula: TermId,
    /// The entry of the manifest.
    pub entry: IdentityEntry,
}

/// The facts about products in the scripts of a certificate.
#[derive(Default)]
pub struct Identities {
    /// By the paths of a block, the last claims before it and what was found.
    blocks: HashMap<TermId, (Vec<TermId>, Block)>,
    /// The monomials that were computed.
    pub work: u64,
}

/// The equations of a block, and what they show.
#[derive(Default)]
struct Block {
    /// One for each way and width of products.
    states: Vec<State>,
    found: HashMap<TermId, Vec<Identity>>,
}

impl Identities {
    /// The facts by which sums are 0 behind the ways of `paths`, if `claims` hold before them.
    pub fn about(&mut self, pool: &mut TermPool, claims: &[TermId], paths: TermId, sums: &[TermId]) -> Vec<Identity> {
        if sums.is_empty() {
            return Vec::new();
        }
        let claimed: Vec<TermId> = claims.iter().flat_map(|&claim| pool.conjuncts(claim)).collect();
        let (known, block) = self.blocks.entry(paths).or_default();
        if *known != claimed || block.states.is_empty() {
            *block = Block::of(pool, &claimed, paths, sums);
            *known = claimed;
        }
        let mut all: Vec<Identity> = Vec::new();
        for &sum in sums.iter().take(MAX_GOALS) {
            for identity in block.about(pool, sum) {
                if all.iter().all(|known| known.formula != identity.formula) {
                    all.push(identity);
                }
            }
        }
        all.extend(commuted(pool, &[claims, sums].concat()));
        self.work += block
            .states
            .iter_mut()
            .map(|state| std::mem::take(&mut state.expander.work))
            .sum::<u64>();
        all
    }
}

impl Block {
    fn of(pool: &mut TermPool, claimed: &[TermId], paths: TermId, sums: &[TermId]) -> Block {
        let mut widths = BTreeSet::new();
        for term in pool.sub_terms(&[claimed, &[paths], sums].concat()) {
            if let Term::App(symbol, _) = pool.term(term) {
                widths.extend(product_bits(pool.name(symbol.name)));
            }
        }
        let mut block = Block::default();
        if widths.is_empty() {
            return block;
        }
        for way in ways(pool, paths) {
            for &bits in &widths {
                block.states.extend(State::of(pool, Ring { bits }, &way, claimed));
            }
        }
        block
    }

    /// The facts by which a sum is 0, one for each way on which that is shown.
    fn about(&mut self, pool: &mut TermPool, sum: TermId) -> Vec<Identity> {
        if let Some(found) = self.found.get(&sum) {
            return found.clone();
        }
        let mut found = Vec::new();
        for state in &mut self.states {
            if let Some(reason) = state.shows(pool, sum) {
                found.push(reason.identity(pool, state.expander.ring, sum));
            }
        }
        self.found.insert(sum, found.clone());
        found
    }
}

/// The sums with products that a formula says to be 0, or not, except for those in axioms about products.
pub fn sums_of_products(pool: &TermPool, formula: TermId) -> Vec<TermId> {
    let mut found = sums(pool, formula);
    found.retain(|&sum| has_products(pool, &[sum]));
    found
}

/// The sums that a formula says to be 0, or not, with the same exceptions.
pub fn sums(pool: &TermPool, formula: TermId) -> Vec<TermId> {
    let sums = pool
        .atoms(formula)
        .into_iter()
        .filter_map(|atom| zero(pool, atom).or(unsigned_zero(pool, atom)));
    sums.filter(|&sum| !is_in_product_axiom(pool, sum)).collect()
}

/// Whether terms have products of the machine.
pub fn has_products(pool: &TermPool, terms: &[TermId]) -> bool {
    let is_product = |term: TermId| match pool.term(term) {
        Term::App(symbol, _) => product_bits(pool.name(symbol.name)).is_some(),
        _ => false,
    };
    pool.sub_terms(terms).into_iter().any(is_product)
}

#[cfg(test)]
mod tests {
    use super::Identities;
    use crate::encode::evaluate_operator;
    use provident_smt::num::Int;
    use provident_smt::proof::Part;
    use provident_smt::solver::{Answer, Config, Solver};
    use provident_smt::term::{TermId, TermPool};

    const MUL: &str = "__mul:i4";

    /// `x * z - x - y * z + 1`, before `x` becomes `x * z + 1` and `y` becomes `y * z`, and behind that.
    struct Series {
        pool: TermPool,
        /// `z`, `x` and `y` before, `x` and `y` behind.
        variables: [TermId; 5],
        claim: TermId,
        paths: TermId,
        goal: TermId,
    }

    fn times(pool: &mut TermPool, a: TermId, b: TermId) -> TermId {
        let name = pool.symbol(MUL);
        pool.app(name, 0, &[a, b])
    }

    fn series() -> Series {
        let mut pool = TermPool::new();
        let variables = [("z", 0), ("x", 0), ("y", 0), ("x", 1), ("y", 1)].map(|(name, index)| {
            let name = pool.symbol(name);
            pool.int_var(name, index)
        });
        let [z, x, y, next_x, next_y] = variables;
        let mut sum = |x: TermId, y: TermId| {
            let (series, power) = (times(&mut pool, x, z), times(&mut pool, y, z));
            let minus = Int::from(-1);
            pool.linear(&[(Int::ONE, series), (minus.clone(), x), (minus, power)], Int::ONE)
        };
        let (before, goal) = (sum(x, y), sum(next_x, next_y));
        let claim = pool.eq_zero(before);
        // The greatest number of four bits is 7.
        let grown = times(&mut pool, x, z);
        let [next, wrapped] = [1, -15].map(|by| pool.linear(&[(Int::ONE, grown)], Int::from(by)));
        let seven = pool.int(7);
        let is_over = pool.lt(seven, next);
        let next = pool.ite(is_over, wrapped, next);
        let power = times(&mut pool, y, z);
        let paths = [pool.eq(next_x, next), pool.eq(next_y, power)];
        let paths = pool.and(&paths);
        Series {
            pool,
            variables,
            claim,
            paths,
            goal,
        }
    }

    #[test]
    fn the_new_sum_is_a_multiple_of_the_old_one() {
        let Series {
            mut pool,
            claim,
            paths,
            goal,
            ..
        } = series();
        let mut identities = Identities::default();
        let found = identities.about(&mut pool, &[claim], paths, &[goal]);
        let wanted = |entry: &super::IdentityEntry| entry.definitions.len() == 2 && entry.multiples.len() == 1;
        assert!(found.iter().any(|identity| wanted(&identity.entry)), "{found:?}");
        // Without the claim, or with another number, nothing is known.
        let is_about = |found: &[super::Identity]| found.iter().any(|identity| !identity.entry.multiples.is_empty());
        assert!(!is_about(&identities.about(&mut pool, &[], paths, &[goal])));
        let other = pool.linear(&[(Int::ONE, goal)], Int::ONE);
        assert!(!is_about(&identities.about(&mut pool, &[claim], paths, &[other])));
    }

    /// Facts admit the machine's products, whether their premises hold or not.
    #[test]
    fn identities_hold_for_the_products_of_the_machine() {
        let Series {
            mut pool,
            variables,
            claim,
            paths,
            goal,
        } = series();
        let facts = Identities::default().about(&mut pool, &[claim], paths, &[goal]);
        let product = |a: i64, b: i64| {
            let value = evaluate_operator(MUL, &[Int::from(a), Int::from(b)]).expect("it is a product");
            value.to_i64().expect("it has four bits")
        };
        let wrap = |number: i64| (number + 8).rem_euclid(16) - 8;
        for (z, x) in (-8..8).flat_map(|z| (-8..8).map(move |x| (z, x))) {
            for (y, by) in (-8..8).step_by(3).flat_map(|y| [(y, 0), (y, 1)]) {
                let values = [z, x, y, wrap(product(x, z) + 1 + by), product(y, z)];
                let mut parts: Vec<TermId> = facts.iter().map(|identity| identity.formula).collect();
                for (variable, value) in variables.into_iter().zip(values) {
                    let value = pool.int(value);
                    parts.push(pool.eq(variable, value));
                }
                let [_, x_term, y_term, next_x, next_y] = variables;
                for (term, value) in [(x_term, x), (y_term, y), (next_x, values[3]), (next_y, values[4])] {
                    let (term, value) = (times(&mut pool, term, variables[0]), pool.int(product(value, z)));
                    parts.push(pool.eq(term, value));
                }
                let all = pool.and(&parts);
                let mut solver = Solver::new(Config::default());
                solver.assert(&mut pool, all, Part(0));
                assert_eq!(solver.check(&mut pool, &[]), Answer::Sat, "{values:?}");
            }
        }
    }
}
