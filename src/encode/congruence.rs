//! Equations that hold but for the wrap-around of machine integers.
//!
//! After `b = a + 1` the equation `b == a + 1` holds for all values of `a` but the greatest one. As a congruence, modulo 2 to the power of the integers' width, it holds always, and sums, differences and multiples keep it. Interpolants
//! have such a fact only piece by piece: `b == a + 1` where nothing wraps, `b == a - 4294967295` where `b` does. So each equation between variables is offered as a congruence as well, also those that were found with ideal
//! integers. Congruences modulo the word length are an abstract domain of their own (Müller-Olm, Seidl, *Analysis of modular arithmetic*, ESOP 2005).

use super::ranges::Range;
use super::{Arith, Encoder};
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};

/// Variables with their factors.
type Monomials = Vec<(TermId, Int)>;

impl Encoder<'_> {
    /// The congruences that equations between several machine integers imply, of all equations that are among these predicates or combinations of two: `s <= 0` without `s <= -1` is `s == 0`.
    pub fn congruences(&self, pool: &mut TermPool, predicates: &[TermId]) -> Vec<TermId> {
        let mut equations: Vec<(Monomials, Int)> = Vec::new();
        let mut bounds: Vec<(Monomials, Int)> = Vec::new();
        for &predicate in predicates {
            let atom = match *pool.term(predicate) {
                Term::Not(atom) => atom,
                _ => predicate,
            };
            let mut monomials: Monomials = Vec::new();
            let mut monomial = |factor: &Int, leaf: TermId| monomials.push((leaf, factor.clone()));
            match *pool.term(atom) {
                Term::Eq(sum) => {
                    let constant = pool.for_each_monomial(sum, &mut monomial);
                    equations.push((monomials, constant));
                }
                Term::Le(sum) => {
                    let mut constant = pool.for_each_monomial(sum, &mut monomial);
                    // `-s + c <= 0` is the negation of `s + (1 - c) <= 0`.
                    if monomials.first().is_some_and(|(_, factor)| factor.is_negative()) {
                        monomials.iter_mut().for_each(|(_, factor)| *factor = -&*factor);
                        constant = &Int::ONE - &constant;
                    }
                    bounds.push((monomials, constant));
                }
                _ => {}
            }
        }
        for (monomials, constant) in &bounds {
            let next = constant + &Int::ONE;
            if bounds
                .iter()
                .any(|(others, other)| *other == next && others == monomials)
            {
                equations.push((monomials.clone(), constant.clone()));
            }
        }
        equations
            .iter()
            .filter_map(|(monomials, constant)| self.congruence(pool, monomials, constant))
            .collect()
    }

    /// The congruence that an equation implies, if it says less than the equation.
    fn congruence(&self, pool: &mut TermPool, monomials: &Monomials, constant: &Int) -> Option<TermId> {
        if self.arith() != Arith::Machine || monomials.len() < 2 {
            return None;
        }
        let (mut period, mut range) = (Int::ONE, Range::point(constant.clone()));
        for (leaf, factor) in monomials {
            let Term::IntVar(symbol) = *pool.term(*leaf) else {
                return None;
            };
            let (lo, hi) = self.symbol_range(pool.name(symbol.name))?;
            period = period.max(&hi - &lo + Int::ONE);
            range = range.add(&Range::new(lo, hi).scale(factor));
        }
        // Within one period the congruence is the equation. Truth values are no words.
        if period < Int::pow2(8) || range.within(&Range::new(&Int::ONE - &period, &period - &Int::ONE)) {
            return None;
        }
        let summands: Vec<(Int, TermId)> = monomials.iter().map(|(leaf, factor)| (factor.clone(), *leaf)).collect();
        let sum = pool.linear(&summands, constant.clone());
        let rest = pool.mod_floor(sum, &period);
        Some(pool.eq_zero(rest))
    }
}
