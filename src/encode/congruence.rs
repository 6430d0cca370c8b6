//! Equations that hold but for the wrap-around of machine integers.
//!
//! After `b = a + 1` the equation `b == a + 1` holds for all values of `a` but the greatest one. As a congruence, modulo 2 to the power of the integers' width, it holds always, and sums, differences and multiples keep it. Interpolants
//! have such a fact only piece by piece: `b == a + 1` where nothing wraps, `b == a - 4294967295` where `b` does. So each equation between variables is offered as a congruence as well, also those that were found with ideal
//! integers. Congruences modulo the word length are an abstract domain of their own (Müller-Olm, Seidl, *Analysis of modular arithmetic*, ESOP 2005).

use super::ranges::Range;
use super::{Arith, Encoder};
use provident_smt::num::Int;
use provident_smt::term::{Term, TermId, TermPool};

impl Encoder<'_> {
    /// The congruence that an equation between several machine integers implies, if it says less than the equation.
    pub fn congruence(&self, pool: &mut TermPool, predicate: TermId) -> Option<TermId> {
        if self.arith() != Arith::Machine {
            return None;
        }
        let sum = match *pool.term(predicate) {
            Term::Eq(sum) => sum,
            Term::Not(equation) => match *pool.term(equation) {
                Term::Eq(sum) => sum,
                _ => return None,
            },
            _ => return None,
        };
        let mut monomials: Vec<(Int, TermId)> = Vec::new();
        let constant = pool.for_each_monomial(sum, |factor, leaf| monomials.push((factor.clone(), leaf)));
        if monomials.len() < 2 {
            return None;
        }
        let (mut period, mut range) = (Int::ONE, Range::point(constant));
        for (factor, leaf) in &monomials {
            let Term::IntVar(symbol) = *pool.term(*leaf) else {
                return None;
            };
            let (lo, hi) = self.symbol_range(pool.name(symbol.name))?;
            period = period.max(&hi - &lo + Int::ONE);
            range = range.add(&Range::new(lo, hi).scale(factor));
        }
        // Within one period the congruence is the equation. Truth values are no words.
        if period < Int::pow2(8) || range.within(&Range::new(Int::ONE - &period, &period - &Int::ONE)) {
            return None;
        }
        let rest = pool.mod_floor(sum, &period);
        Some(pool.eq_zero(rest))
    }
}
