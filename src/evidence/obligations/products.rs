//! Products whose factors are a step apart, as facts about the function that stands for them.
//!
//! A recursion that adds `n` as often as `m` says keeps the contract that its result is `n * m`, because `n * (m - 1) + n` is `n * m`. For the solver a product is the value of a function at its
//! factors (`__mul:i32`), so scripts with contracts list what links two of its values:
//!
//! * it is in the range of its type;
//! * a product with 0 is 0, and one with 1 is the other factor;
//! * if `c = a + i` and `d = b + j` for steps `i` and `j` of at most 1, then `c * d` is `a * b + i * b + j * a + i * j`, also with the factors exchanged. If only one factor
//!   makes a step, the other one is added or subtracted, and if that one is in the range of the type, the sum is at most a period away.
//!
//! All of this is meant modulo the period of the type, and holds for any integers. So a claim about products follows by linear arithmetic, and products are never multiplied out. The audit computes these facts anew
//! ([`operators`](super::operators)).

use crate::encode::is_product;
use provident_smt::fault::planted;
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};

/// More products of one script are not linked.
const MAX_PRODUCTS: usize = 8;

/// The steps of both factors that are looked at.
const STEPS: [(i64, i64); 7] = [(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)];

/// A product: its term, its factors, and the least value and the period of its type.
struct Product {
    term: TermId,
    factors: [TermId; 2],
    least: Int,
    period: Int,
    operator: String,
}

/// The facts about the products in formulas.
pub fn products(pool: &mut TermPool, formulas: &[TermId]) -> Vec<TermId> {
    let found = found(pool, formulas, MAX_PRODUCTS);
    let mut facts = Vec::new();
    for (at, product) in found.iter().enumerate() {
        product.alone(pool, &mut facts);
        let others = found[..at].iter().filter(|other| other.operator == product.operator);
        for other in others {
            product.beside(pool, other, &mut facts);
        }
    }
    facts
}

/// The bounds of the products in formulas.
pub fn bounds(pool: &mut TermPool, formulas: &[TermId]) -> Vec<TermId> {
    let found = found(pool, formulas, usize::MAX);
    found
        .iter()
        .map(|product| product.in_range(pool, product.term))
        .collect()
}

/// The products in formulas, in order of occurrence.
fn found(pool: &TermPool, formulas: &[TermId], most: usize) -> Vec<Product> {
    let mut found = Vec::new();
    for term in pool.sub_terms(formulas) {
        let Term::App(symbol, arguments) = pool.term(term) else {
            continue;
        };
        let operator = pool.name(symbol.name);
        let kind = operator.split_once(':').map_or("", |(_, kind)| kind);
        let width = kind.get(1..).and_then(|width| width.parse::<u32>().ok());
        let (&[a, b], Some(width), true) = (&arguments[..], width.filter(|&width| width > 0), is_product(operator))
        else {
            continue;
        };
        let least = match kind.starts_with('i') {
            true => -Int::pow2(width - 1),
            false => Int::ZERO,
        };
        found.push(Product {
            term,
            factors: [a, b],
            least,
            period: Int::pow2(width),
            operator: operator.to_string(),
        });
    }
    found.truncate(most);
    found
}

impl Product {
    /// The value of the type that is congruent to a term.
    fn fit(&self, pool: &mut TermPool, term: TermId) -> TermId {
        let least = pool.int(self.least.clone());
        let distance = pool.sub(term, least);
        let rest = pool.mod_floor(distance, &self.period);
        pool.add(rest, least)
    }

    /// The same for a sum that is at most a period away from the type. A case distinction is easier to reason with than a quotient.
    fn fit_near(&self, pool: &mut TermPool, sum: TermId) -> TermId {
        let [least, end] = [self.least.clone(), &self.least + &self.period].map(|number| pool.int(number));
        let up = pool.linear(&[(Int::ONE, sum)], self.period.clone());
        let down = pool.linear(&[(Int::ONE, sum)], -&self.period);
        let (below, above) = (pool.lt(sum, least), pool.le(end, sum));
        let raised = pool.ite(below, up, sum);
        pool.ite(above, down, raised)
    }

    /// Whether a term is in the range of the type.
    fn in_range(&self, pool: &mut TermPool, term: TermId) -> TermId {
        let [low, high] = [self.least.clone(), &self.least + &self.period - Int::ONE].map(|end| pool.int(end));
        let bounds = [pool.le(low, term), pool.le(term, high)];
        pool.and(&bounds)
    }

    /// The facts that need no other product.
    fn alone(&self, pool: &mut TermPool, facts: &mut Vec<TermId>) {
        facts.push(self.in_range(pool, self.term));
        let [a, b] = self.factors;
        for (factor, other) in [(a, b), (b, a)] {
            let [zero, one] = [0, 1].map(|number| pool.int(number));
            let other = self.fit(pool, other);
            for (number, value) in [(zero, zero), (one, other)] {
                let (premise, conclusion) = (pool.eq(factor, number), pool.eq(self.term, value));
                facts.push(pool.implies(premise, conclusion));
            }
        }
    }

    /// The facts that link the product with another one.
    fn beside(&self, pool: &mut TermPool, other: &Product, facts: &mut Vec<TermId>) {
        let [a, b] = other.factors;
        let [c, d] = self.factors;
        for (c, d) in [(c, d), (d, c)] {
            for (i, j) in STEPS {
                let sides = [(c, a, i), (d, b, j)].map(|(factor, from, step)| {
                    let there = pool.linear(&[(Int::ONE, from)], Int::from(step));
                    pool.eq(factor, there)
                });
                let mut premise = pool.and(&sides);
                let product = match planted("product-step") {
                    true => Int::from(i * j) + Int::ONE,
                    false => Int::from(i * j),
                };
                let sum = pool.linear(&[(Int::ONE, other.term), (Int::from(i), b), (Int::from(j), a)], product);
                let value = match (i, j) {
                    (0, 0) => sum,
                    (_, 0) | (0, _) => {
                        let added = self.in_range(pool, if j == 0 { b } else { a });
                        premise = pool.and2(premise, added);
                        self.fit_near(pool, sum)
                    }
                    _ => self.fit(pool, sum),
                };
                let conclusion = pool.eq(self.term, value);
                facts.push(pool.implies(premise, conclusion));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::products;
    use crate::encode::evaluate_operator;
    use provident_smt::num::Int;
    use provident_smt::proof::Part;
    use provident_smt::solver::{Answer, Config, Solver};
    use provident_smt::term::TermPool;

    /// The facts admit the machine's products of all factors near each other, of a type of four bits and beyond its range.
    #[test]
    fn facts_hold_for_the_products_of_the_machine() {
        for operator in ["__mul:i4", "__mul:u4"] {
            for (a, b) in (-9..=17).flat_map(|a| [-9, -8, -1, 0, 1, 7, 8, 15].map(|b| (a, b))) {
                let mut pool = TermPool::new();
                let name = pool.symbol(operator);
                let mut parts = Vec::new();
                for (x, y) in [
                    (a, b),
                    (b, a),
                    (a + 1, b),
                    (a - 1, b),
                    (b - 1, a),
                    (a + 1, b + 1),
                    (a - 1, b - 1),
                ] {
                    let arguments = [x, y].map(|number| pool.int(number));
                    let product = pool.app(name, 0, &arguments);
                    let value = evaluate_operator(operator, &[Int::from(x), Int::from(y)]).expect("it is a product");
                    let value = pool.int(value);
                    parts.push(pool.eq(product, value));
                }
                let facts = products(&mut pool, &parts);
                assert!(facts.len() > parts.len());
                let mut solver = Solver::new(Config::default());
                let all = pool.and(&[parts, facts].concat());
                solver.assert(&mut pool, all, Part(0));
                assert_eq!(solver.check(&mut pool, &[]), Answer::Sat, "{operator} {a} {b}");
            }
        }
    }
}
