//! Sums, orders, choices and quotients of numbers, as formulas over their bits.

use super::{Bits, Blaster};
use crate::num::Int;
use crate::term::TermId;

impl Blaster<'_> {
    pub(super) fn bit(&mut self) -> TermId {
        let name = self.pool.symbol("__bit");
        self.fresh += 1;
        self.pool.bool_var(name, self.fresh)
    }

    pub(super) fn bits(&mut self, count: usize) -> Bits {
        (0..count).map(|_| self.bit()).collect()
    }

    /// Any number in the bounds of a term, if it has bounds.
    pub(super) fn any(&mut self, term: TermId) -> Option<Bits> {
        let (lo, hi) = self.bounds.get(&term).cloned().unwrap_or_default();
        let (lo, hi) = lo.zip(hi)?;
        let width = self.constant(&lo).len().max(self.constant(&hi).len());
        if lo.is_negative() {
            return Some(self.bits(width));
        }
        let mut bits = self.bits(width - 1);
        bits.push(self.pool.mk_false());
        Some(bits)
    }

    /// A number in the fewest bits.
    pub(super) fn constant(&self, value: &Int) -> Bits {
        let (mut rest, mut bits) = (value.clone(), Vec::new());
        let two = Int::from(2);
        while !rest.is_zero() && rest != Int::MINUS_ONE {
            bits.push(self.pool.mk_bool(rest.mod_floor(&two).is_one()));
            rest = rest.div_floor(&two);
        }
        bits.push(self.pool.mk_bool(rest.is_negative()));
        bits
    }

    pub(super) fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.pool.iff(a, b);
        self.pool.not(same)
    }

    /// The lowest bits of a sum, with a carry into them.
    pub(super) fn added(&mut self, a: &Bits, b: &Bits, mut carry: TermId, width: usize) -> Bits {
        let mut sum = Vec::with_capacity(width);
        for at in 0..width {
            let (x, y) = (at_bit(a, at), at_bit(b, at));
            let differ = self.xor(x, y);
            sum.push(self.xor(differ, carry));
            let (both, passed) = (self.pool.and2(x, y), self.pool.and2(differ, carry));
            carry = self.pool.or2(both, passed);
        }
        sum
    }

    pub(super) fn sum(&mut self, a: &Bits, b: &Bits) -> Bits {
        let none = self.pool.mk_false();
        let sum = self.added(a, b, none, a.len().max(b.len()) + 1);
        trimmed(sum)
    }

    pub(super) fn negated(&mut self, a: &Bits) -> Bits {
        let inverted: Bits = a.iter().map(|&bit| self.pool.not(bit)).collect();
        let (none, one) = (self.constant(&Int::ZERO), self.pool.mk_true());
        let negated = self.added(&inverted, &none, one, a.len() + 1);
        trimmed(negated)
    }

    pub(super) fn scaled(&mut self, factor: &Int, a: &Bits) -> Bits {
        let mut product = self.constant(&Int::ZERO);
        let size = self.constant(&factor.abs());
        for (at, &digit) in size.iter().enumerate() {
            if digit == self.pool.mk_true() {
                let shifted = self.shifted(a, at);
                product = self.sum(&product, &shifted);
            }
        }
        if factor.is_negative() {
            self.negated(&product)
        } else {
            product
        }
    }

    pub(super) fn shifted(&self, a: &Bits, by: usize) -> Bits {
        let mut bits = vec![self.pool.mk_false(); by];
        bits.extend_from_slice(a);
        bits
    }

    pub(super) fn choice(&mut self, condition: TermId, yes: &Bits, no: &Bits) -> Bits {
        let width = yes.len().max(no.len());
        let bits = (0..width).map(|at| self.pool.ite(condition, at_bit(yes, at), at_bit(no, at)));
        trimmed(bits.collect())
    }

    /// The monomials of a sum with positive factors, and the others on the other side.
    pub(super) fn sides(&mut self, sum: TermId) -> (Bits, Bits) {
        let mut monomials = Vec::new();
        let constant = self
            .pool
            .for_each_monomial(sum, |factor, part| monomials.push((factor.clone(), part)));
        let zero = self.constant(&Int::ZERO);
        let (mut left, mut right) = (zero.clone(), zero);
        for (factor, part) in monomials {
            let part = self.numbers[&part].clone();
            let part = self.scaled(&factor.abs(), &part);
            let side = if factor.is_negative() { &mut right } else { &mut left };
            *side = self.sum(&side.clone(), &part);
        }
        let size = self.constant(&constant.abs());
        let side = if constant.is_negative() { &mut right } else { &mut left };
        *side = self.sum(&side.clone(), &size);
        (left, right)
    }

    pub(super) fn equal(&mut self, a: &Bits, b: &Bits) -> TermId {
        let width = a.len().max(b.len());
        let same: Vec<TermId> = (0..width)
            .map(|at| self.pool.iff(at_bit(a, at), at_bit(b, at)))
            .collect();
        self.pool.and(&same)
    }

    pub(super) fn at_most(&mut self, a: &Bits, b: &Bits) -> TermId {
        let width = a.len().max(b.len());
        let mut at_most = self.pool.mk_true();
        for at in 0..width {
            let (x, y) = (at_bit(a, at), at_bit(b, at));
            let same = self.pool.iff(x, y);
            // The sign counts against a number, every other bit for it.
            let larger = if at + 1 == width { x } else { y };
            at_most = self.pool.ite(same, at_most, larger);
        }
        at_most
    }

    pub(super) fn require(&mut self, formula: TermId) {
        self.result.constraints.push(formula);
    }

    /// The quotient by a positive constant, rounded down.
    pub(super) fn quotient(&mut self, a: &Bits, divisor: &Int) -> Bits {
        let least = self.constant(divisor);
        let power = least.len() - 2;
        if *divisor == Int::pow2(u32::try_from(power).expect("few bits")) {
            return a[power.min(a.len() - 1)..].to_vec();
        }
        let (quotient, mut rest) = (self.bits(a.len()), self.bits(least.len() - 1));
        rest.push(self.pool.mk_false());
        let most = self.constant(&(divisor - &Int::ONE));
        let product = self.scaled(divisor, &quotient);
        let whole = self.sum(&product, &rest);
        let (same, within) = (self.equal(&whole, a), self.at_most(&rest, &most));
        self.require(same);
        self.require(within);
        quotient
    }

    /// The absolute value.
    pub(super) fn size(&mut self, a: &Bits) -> Bits {
        let negated = self.negated(a);
        self.choice(at_bit(a, a.len()), &negated, a)
    }
}

/// A bit of a number, of which the last one repeats.
pub(super) fn at_bit(bits: &Bits, at: usize) -> TermId {
    bits[at.min(bits.len() - 1)]
}

/// The same number without bits that repeat the sign.
pub(super) fn trimmed(mut bits: Bits) -> Bits {
    while bits.len() > 1 && bits[bits.len() - 1] == bits[bits.len() - 2] {
        bits.pop();
    }
    bits
}
