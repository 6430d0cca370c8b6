//! The partial interpolant of a congruence lemma between an application of A and one of B.
//!
//! The lemma assumes `x_i <= y_i` and `y_i <= x_i` for all arguments, and that `f(x) <= f(y)` (or the other direction) is false. Say that
//! `f(x)` belongs to A and `f(y)` to B. For each argument there are shared terms `l_i` and `h_i` such that A knows `l_i <= x_i <= h_i` and B knows
//! `h_i <= y_i <= l_i`: both are `x_i` or `y_i` if one of these is shared, else they are made of the auxiliary variables of the two
//! literals (see [`purify`](super::purify)). And there is the auxiliary variable `w` of `f(x) <= f(y)`: A knows `w <= f(x)`, B knows
//! `f(y) + 1 <= w`. Then this is a partial interpolant, with auxiliary variables in nodes only:
//!
//! `l_1 <= h_1 & (l_1 < h_1 | l_2 <= h_2 & (l_2 < h_2 | ... w <= f(h_1, h_2, ...)))`
//!
//! For pure terms (which arithmetic does not know) the lemma has equations instead. Then `l_i = h_i` is the auxiliary variable of a mixed one, and
//! the innermost formula is the node `[w = f(h_1, h_2, ...)]`.
//!
//! A implies it: where no `l_i < h_i`, each `x_i` is `h_i`. B contradicts it: each `l_i = h_i = y_i`, so `f(y) + 1 <= w <= f(y)`.

use super::equality::{apply_as, arguments};
use super::purify::{Mixed, Purifier, local_part};
use super::span::Spans;
use crate::num::{Int, Rational};
use crate::proof::{Lit, Proof};
use crate::term::{Term, TermId, TermPool};

/// The side that a literal that is not mixed counts for, as far as this lemma needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// Only A may be taken to assume it.
    A,
    /// B assumes it.
    B,
    /// The literal is mixed.
    Mixed,
}

/// A congruence lemma at a cut where it is mixed.
pub(super) struct Congruence<'a> {
    pub(super) proof: &'a Proof,
    pub(super) clause: &'a [Lit],
    pub(super) spans: &'a Spans,
    pub(super) cut: u32,
    /// The sides that know a literal.
    pub(super) holder: &'a dyn Fn(Lit) -> Holder,
    /// `left <= right` is what the lemma concludes.
    pub(super) left: TermId,
    pub(super) right: TermId,
}

/// The shared terms between the two sides of an argument.
struct Bridge {
    /// A knows that the argument is at least this; B, that it is at most this.
    low: TermId,
    /// The other way around.
    high: TermId,
    /// `low - high` divided by a positive number, if they differ.
    difference: Option<TermId>,
}

impl Congruence<'_> {
    /// The partial interpolant.
    pub(super) fn interpolant(&self, pool: &mut TermPool, purifier: &mut Purifier) -> Result<TermId, Mixed> {
        let left_is_early = !local_part(pool, self.spans, self.cut, self.left, true)?.is_empty();
        let (of_a, of_b) = if left_is_early {
            (self.left, self.right)
        } else {
            (self.right, self.left)
        };
        let mut bridges = Vec::new();
        for (x, y) in arguments(pool, of_a, of_b) {
            bridges.push(self.bridge(pool, purifier, x, y)?);
        }
        let points: Vec<TermId> = bridges.iter().map(|bridge| bridge.high).collect();
        let image = apply_as(pool, of_a, &points);
        let mut result = self.conclusion(pool, purifier, left_is_early, image)?;
        for Bridge { low, high, difference } in bridges.into_iter().rev() {
            let Some(difference) = difference else { continue };
            let (ordered, strictly) = (pool.le(low, high), pool.lt(low, high));
            let rest = pool.or2(strictly, result);
            let body = pool.and2(ordered, rest);
            result = purifier.node(pool, difference, Int::from(1), body);
        }
        Ok(result)
    }

    /// A's half of what contradicts the lemma's conclusion, with a shared term for the value of A's application.
    fn conclusion(
        &self,
        pool: &mut TermPool,
        purifier: &mut Purifier,
        left_is_early: bool,
        image: TermId,
    ) -> Result<TermId, Mixed> {
        let (greater, different) = (pool.gt(self.left, self.right), pool.ne(self.left, self.right));
        if let Some(lit) = self.hypothesis(pool, different) {
            if (self.holder)(lit) != Holder::Mixed {
                return Err(Mixed);
            }
            let of_a = if left_is_early { self.left } else { self.right };
            let (sign, _) = leaf_of(pool, self.proof, lit, of_a)?;
            let value = pool.scale(&sign, image);
            let auxiliary = purifier.auxiliary(pool, lit.var());
            return Ok(purifier.equation(pool, auxiliary, value));
        }
        let lit = self.hypothesis(pool, greater).ok_or(Mixed)?;
        if (self.holder)(lit) != Holder::Mixed {
            return Err(Mixed);
        }
        // As an inequality the hypothesis is `right + 1 <= left`; A has the left or the right.
        let bound = purifier.auxiliary(pool, lit.var());
        let (sign, polarity) = (if left_is_early { -1 } else { 1 }, sign(lit));
        let sum = pool.linear(&[(Int::from(sign), image), (Int::from(-polarity), bound)], Int::from(0));
        Ok(purifier.at_most_zero(pool, sum, false))
    }

    /// The terms between the arguments `x` of A and `y` of B.
    fn bridge(&self, pool: &mut TermPool, purifier: &Purifier, x: TermId, y: TermId) -> Result<Bridge, Mixed> {
        let [at_most, at_least] = [pool.le(x, y), pool.ge(x, y)].map(|formula| self.hypothesis(pool, formula));
        let shared = |term| Bridge {
            low: term,
            high: term,
            difference: None,
        };
        let (Some(at_most), Some(at_least)) = (at_most, at_least) else {
            return if x == y { Ok(shared(x)) } else { Err(Mixed) };
        };
        match ((self.holder)(at_most), (self.holder)(at_least)) {
            (Holder::A, Holder::A) => Ok(shared(y)),
            (Holder::B, Holder::B) => Ok(shared(x)),
            (Holder::Mixed, Holder::Mixed) => {
                let (sum, denominator) = pool.over_denominator(x);
                let local = local_part(pool, self.spans, self.cut, sum, true)?;
                let x_local = pool.linear(&local, Int::from(0));
                let rest = pool.sub(sum, x_local);
                // The literals are the differences of the arguments multiplied by a common factor.
                let mut bound = |lit: Lit, direction: i64| {
                    let factor = self.factor(pool, &local, lit, direction)?;
                    let auxiliary = purifier.auxiliary(pool, lit.var());
                    let scaled = pool.scale_rational(&factor, auxiliary);
                    let value = pool.add(scaled, rest);
                    Ok(pool.ratio(value, &denominator))
                };
                let (high, low) = (bound(at_most, 1)?, bound(at_least, -1)?);
                let (upper, lower) = (
                    purifier.auxiliary(pool, at_most.var()),
                    purifier.auxiliary(pool, at_least.var()),
                );
                let summands = [(Int::from(-sign(at_least)), lower), (Int::from(-sign(at_most)), upper)];
                let difference = Some(pool.linear(&summands, Int::from(0)));
                Ok(Bridge { low, high, difference })
            }
            _ => Err(Mixed),
        }
    }

    /// The factor by which the local part of a literal's atom becomes that of an argument, which the literal bounds in this direction.
    fn factor(&self, pool: &TermPool, local: &[(Int, TermId)], lit: Lit, direction: i64) -> Result<Rational, Mixed> {
        let (Term::Le(bound) | Term::Lt(bound)) = *pool.term(self.proof.atoms[lit.var().index()]) else {
            return Err(Mixed);
        };
        let atom = local_part(pool, self.spans, self.cut, bound, true)?;
        let (Some((of_argument, leaf)), Some((of_atom, other))) = (local.first(), atom.first()) else {
            return Err(Mixed);
        };
        let factor = Rational::new(of_argument.clone(), of_atom.clone());
        let is_expected = leaf == other && factor.signum() as i64 == direction * sign(lit);
        if is_expected && (factor.is_integer() || pool.is_real(bound)) {
            Ok(factor)
        } else {
            Err(Mixed)
        }
    }

    /// The assumed literal that says this formula; none if the builders folded it.
    fn hypothesis(&self, pool: &TermPool, formula: TermId) -> Option<Lit> {
        let (atom, negative) = match *pool.term(formula) {
            Term::Not(atom) => (atom, true),
            _ => (formula, false),
        };
        self.clause
            .iter()
            .map(|&lit| !lit)
            .find(|lit| self.proof.atoms[lit.var().index()] == atom && lit.is_negative() == negative)
    }
}

/// The coefficient, 1 or -1, of a leaf in an equation of two leaves, and the other leaf.
pub(super) fn leaf_of(pool: &TermPool, proof: &Proof, lit: Lit, leaf: TermId) -> Result<(Int, TermId), Mixed> {
    let Term::Eq(sum) = *pool.term(proof.atoms[lit.var().index()]) else {
        return Err(Mixed);
    };
    let mut monomials = Vec::new();
    let constant = pool.for_each_monomial(sum, |coeff, term| monomials.push((coeff.clone(), term)));
    match monomials.as_slice() {
        [(k, a), (l, b)] if constant.is_zero() && k.is_one() && (-l).is_one() && *a == leaf => Ok((k.clone(), *b)),
        [(k, a), (l, b)] if constant.is_zero() && k.is_one() && (-l).is_one() && *b == leaf => Ok((l.clone(), *a)),
        _ => Err(Mixed),
    }
}

/// 1 for an atom, -1 for the negation of one.
pub(super) fn sign(lit: Lit) -> i64 {
    if lit.is_negative() { -1 } else { 1 }
}
