//! Numbers with an infinitesimal part: the values that strict bounds need.
//!
//! `x < 3` is `x <= 3 - d` for a positive `d` that is smaller than every positive rational (Dutertre and de Moura, *A fast
//! linear-arithmetic solver for DPLL(T)*, CAV 2006). Bounds are mostly integers, so a [`Number`] is one word of tag and one `Int`'s
//! content for these, and a shared box for the others.

use super::{Int, Rational};
use std::cmp::Ordering;
use std::sync::Arc;

/// A rational number plus a rational multiple of the infinitesimal.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Delta {
    /// The standard part.
    pub real: Rational,
    /// The factor of the infinitesimal.
    pub eps: Rational,
}

impl Delta {
    /// Adds `factor * other`.
    pub fn add_mul(&mut self, factor: &Rational, other: &Delta) {
        self.real.add_mul(factor, &other.real);
        if !other.eps.is_zero() {
            self.eps.add_mul(factor, &other.eps);
        }
    }

    /// `factor * self`.
    pub fn times(&self, factor: &Rational) -> Delta {
        Delta {
            real: &self.real * factor,
            eps: &self.eps * factor,
        }
    }

    /// The largest integer that is not above the number.
    pub fn floor(&self) -> Int {
        let floor = self.real.floor();
        if self.real.is_integer() && self.eps.is_negative() {
            floor - Int::ONE
        } else {
            floor
        }
    }

    /// The smallest integer that is not below the number.
    pub fn ceil(&self) -> Int {
        let ceil = self.real.ceil();
        if self.real.is_integer() && self.eps.is_positive() {
            ceil + Int::ONE
        } else {
            ceil
        }
    }
}

/// A number with an infinitesimal part, small for integers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Number(Repr);

/// Invariant: what is an integer is `Int`, so that equality is structural.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Repr {
    Int(Int),
    /// Shared: bounds are copied often, and never changed.
    Delta(Arc<Delta>),
}

impl Number {
    /// The integer, if the number is one.
    #[inline]
    pub fn as_int(&self) -> Option<&Int> {
        match &self.0 {
            Repr::Int(value) => Some(value),
            Repr::Delta(_) => None,
        }
    }

    /// The number with its parts.
    pub fn to_delta(&self) -> Delta {
        match &self.0 {
            Repr::Int(value) => Delta {
                real: Rational::from(value),
                eps: Rational::ZERO,
            },
            Repr::Delta(delta) => (**delta).clone(),
        }
    }

    /// The standard part.
    pub fn real(&self) -> Rational {
        match &self.0 {
            Repr::Int(value) => Rational::from(value),
            Repr::Delta(delta) => delta.real.clone(),
        }
    }

    /// The number just above.
    #[must_use]
    pub fn just_above(&self) -> Number {
        let mut delta = self.to_delta();
        delta.eps += &Rational::ONE;
        Number::from(delta)
    }

    /// Whether the number is a value given by its parts; no infinitesimal part is zero.
    #[inline]
    pub fn has_parts(&self, real: &Rational, eps: Option<&Rational>) -> bool {
        match &self.0 {
            Repr::Int(value) => eps.is_none() && real.is_integer() && value == real.numer(),
            Repr::Delta(delta) => delta.real == *real && delta.eps == *eps.unwrap_or(&Rational::ZERO),
        }
    }

    /// The order of the number against a value given by its parts; no infinitesimal part is zero.
    #[inline]
    pub fn cmp_parts(&self, real: &Rational, eps: Option<&Rational>) -> Ordering {
        match &self.0 {
            Repr::Int(value) if real.is_integer() => value.cmp(real.numer()),
            Repr::Int(value) => Rational::from(value).cmp(real),
            Repr::Delta(delta) => delta.real.cmp(real),
        }
        .then_with(|| {
            let own = match &self.0 {
                Repr::Int(_) => &Rational::ZERO,
                Repr::Delta(delta) => &delta.eps,
            };
            own.cmp(eps.unwrap_or(&Rational::ZERO))
        })
    }
}

impl From<Int> for Number {
    #[inline]
    fn from(value: Int) -> Self {
        Number(Repr::Int(value))
    }
}

impl From<Delta> for Number {
    fn from(delta: Delta) -> Self {
        if delta.eps.is_zero() && delta.real.is_integer() {
            Number(Repr::Int(delta.real.numer().clone()))
        } else {
            Number(Repr::Delta(Arc::new(delta)))
        }
    }
}

impl Ord for Number {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Int(a), Repr::Int(b)) => a.cmp(b),
            (_, Repr::Int(b)) => self.cmp_parts(&Rational::from(b), None),
            (_, Repr::Delta(b)) => self.cmp_parts(&b.real, Some(&b.eps)),
        }
    }
}

impl PartialOrd for Number {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delta(real: (i64, i64), eps: i64) -> Delta {
        Delta {
            real: Rational::new(Int::from(real.0), Int::from(real.1)),
            eps: Rational::from(eps),
        }
    }

    /// All combinations of a few standard and infinitesimal parts.
    fn samples() -> Vec<Delta> {
        let parts = [(-3, 2), (-1, 1), (-1, 3), (0, 1), (1, 2), (1, 1), (4, 3)];
        let all = parts
            .iter()
            .flat_map(|&real| [-2, -1, 0, 1, 2].map(|eps| delta(real, eps)));
        all.collect()
    }

    /// The number with a thousandth for the infinitesimal: small enough for the samples.
    fn concrete(delta: &Delta) -> Rational {
        &delta.real + &(&delta.eps * &Rational::new(Int::ONE, Int::from(1000)))
    }

    #[test]
    fn order_and_rounding_are_those_of_a_small_number() {
        for a in samples() {
            let number = Number::from(a.clone());
            assert_eq!(number.to_delta(), a);
            assert_eq!(number.as_int().is_some(), a.eps.is_zero() && a.real.is_integer());
            assert_eq!(a.floor(), concrete(&a).floor());
            assert_eq!(a.ceil(), concrete(&a).ceil());
            assert!(number.just_above() > number);
            for b in samples() {
                let expected = concrete(&a).cmp(&concrete(&b));
                assert_eq!(a.cmp(&b), expected);
                assert_eq!(number.cmp(&Number::from(b.clone())), expected);
                assert_eq!(number.cmp_parts(&b.real, Some(&b.eps)), expected);
                let mut sum = a.clone();
                sum.add_mul(&Rational::from(3), &b);
                assert_eq!(concrete(&sum), concrete(&a) + concrete(&b) * Rational::from(3));
            }
        }
    }
}
