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
//! A implies it: where no `l_i < h_i`, each `x_i` is `h_i`. B contradicts it: each `l_i = h_i = y_i`, so `f(y) + 1 <= w <= f(y)`.

use super::purify::{Mixed, Purifier, local_part};
use super::span::Spans;
use crate::num::Int;
use crate::proof::{Lit, Proof};
use crate::term::{Term, TermId, TermPool};

/// Which side a literal that is not mixed counts for, as far as this lemma needs to know.
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
    /// Who knows a literal.
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
        let (Term::App(function, xs), Term::App(_, ys)) = (pool.term(of_a).clone(), pool.term(of_b).clone()) else {
            unreachable!("congruence is between applications");
        };
        let mut bridges = Vec::with_capacity(xs.len());
        for (&x, &y) in xs.iter().zip(&ys) {
            bridges.push(self.bridge(pool, purifier, x, y)?);
        }
        let conclusion = pool.gt(self.left, self.right);
        let lit = self.hypothesis(pool, conclusion).ok_or(Mixed)?;
        if (self.holder)(lit) != Holder::Mixed {
            return Err(Mixed);
        }
        // As an inequality the hypothesis is `right + 1 <= left`; A has the left or the right.
        let points: Vec<TermId> = bridges.iter().map(|bridge| bridge.high).collect();
        let image = pool.app(function.name, function.index, &points);
        let bound = purifier.auxiliary(pool, lit.var());
        let (sign, polarity) = (if left_is_early { -1 } else { 1 }, sign(lit));
        let sum = pool.linear(&[(Int::from(sign), image), (Int::from(-polarity), bound)], Int::from(0));
        let mut result = purifier.at_most_zero(pool, sum, false);
        for Bridge { low, high, difference } in bridges.into_iter().rev() {
            let Some(difference) = difference else { continue };
            let (ordered, strictly) = (pool.le(low, high), pool.lt(low, high));
            let rest = pool.or2(strictly, result);
            let body = pool.and2(ordered, rest);
            result = purifier.node(pool, difference, Int::from(1), body);
        }
        Ok(result)
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
                let one = Int::from(1);
                let local = local_part(pool, self.spans, self.cut, x, true)?;
                let x_local = pool.linear(&local, Int::from(0));
                let rest = pool.sub(x, x_local);
                // The literals are the differences of the arguments divided by a common factor.
                let mut bound = |lit: Lit, direction: i64| {
                    let polarity = Int::from(direction * sign(lit));
                    let factor = self.factor(pool, &local, lit, &polarity)?;
                    let auxiliary = purifier.auxiliary(pool, lit.var());
                    Ok(pool.linear(&[(&factor * &polarity, auxiliary), (one.clone(), rest)], Int::from(0)))
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

    /// What an atom's local part has to be multiplied with to be the local part of an argument.
    fn factor(&self, pool: &TermPool, local: &[(Int, TermId)], lit: Lit, polarity: &Int) -> Result<Int, Mixed> {
        let Term::Le(bound) = *pool.term(self.proof.atoms[lit.var().index()]) else {
            return Err(Mixed);
        };
        let atom = local_part(pool, self.spans, self.cut, bound, true)?;
        let (Some((of_argument, leaf)), Some((of_atom, other))) = (local.first(), atom.first()) else {
            return Err(Mixed);
        };
        let scaled = of_atom * polarity;
        if leaf != other || !of_argument.is_multiple_of(&scaled) {
            return Err(Mixed);
        }
        let factor = of_argument.div_exact(&scaled);
        if factor.is_positive() { Ok(factor) } else { Err(Mixed) }
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

/// 1 for an atom, -1 for the negation of one.
pub(super) fn sign(lit: Lit) -> i64 {
    if lit.is_negative() { -1 } else { 1 }
}
