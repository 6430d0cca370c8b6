//! Intervals of integers: bounds of a term's value without a solver.

use super::Arith;
use crate::cfa::program::scalar::{Class, Scalar};
use provident_smt::num::Int;

/// The integers from `lo` to `hi`; `None` is infinite. Never empty when it describes a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The least value.
    pub lo: Option<Int>,
    /// The greatest value.
    pub hi: Option<Int>,
}

/// `f` of both ends where both are finite.
fn both(a: &Option<Int>, b: &Option<Int>, f: impl Fn(&Int, &Int) -> Int) -> Option<Int> {
    Some(f(a.as_ref()?, b.as_ref()?))
}

/// The values of a scalar type.
pub fn of_scalar(scalar: Scalar, arith: Arith) -> Range {
    if scalar.is_opaque() || arith == Arith::Ideal && scalar.class != Class::Float {
        // Even ideal integers have two truth values and no negative addresses.
        return match scalar.class {
            Class::Bool => Range::bit(),
            Class::Pointer => Range {
                lo: Some(Int::ZERO),
                hi: None,
            },
            _ => Range::ALL,
        };
    }
    if scalar.signed {
        let half = Int::pow2(scalar.width - 1);
        Range {
            lo: Some(-&half),
            hi: Some(half - Int::ONE),
        }
    } else {
        Range {
            lo: Some(Int::ZERO),
            hi: Some(scalar.period() - Int::ONE),
        }
    }
}

impl Range {
    /// All integers.
    pub const ALL: Range = Range { lo: None, hi: None };

    /// From one value to another.
    pub fn new(lo: impl Into<Int>, hi: impl Into<Int>) -> Range {
        Range {
            lo: Some(lo.into()),
            hi: Some(hi.into()),
        }
    }

    /// One value.
    pub fn point(value: Int) -> Range {
        Range {
            lo: Some(value.clone()),
            hi: Some(value),
        }
    }

    /// 0 and 1.
    pub fn bit() -> Range {
        Range::new(0i64, 1i64)
    }

    /// The value, if there is just one.
    pub fn as_point(&self) -> Option<&Int> {
        self.lo.as_ref().filter(|_| self.lo == self.hi)
    }

    /// Whether every value is in `other`.
    pub fn within(&self, other: &Range) -> bool {
        let above = match (&self.lo, &other.lo) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => a >= b,
        };
        let below = match (&self.hi, &other.hi) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(a), Some(b)) => a <= b,
        };
        above && below
    }

    /// Whether no value is negative.
    pub fn is_non_negative(&self) -> bool {
        self.lo.as_ref().is_some_and(|lo| !lo.is_negative())
    }

    /// The number of values, if it is at most `limit`.
    pub fn count_up_to(&self, limit: i64) -> Option<i64> {
        let width = self.hi.as_ref()? - self.lo.as_ref()?;
        width.to_i64().filter(|&w| w < limit).map(|w| w + 1)
    }

    /// The values, in order, if there are at most `limit`.
    pub fn values_up_to(&self, limit: i64) -> Option<Vec<Int>> {
        let count = self.count_up_to(limit)?;
        let lo = self.lo.as_ref()?;
        Some((0..count).map(|i| lo + &Int::from(i)).collect())
    }

    /// The sums.
    pub fn add(&self, other: &Range) -> Range {
        Range {
            lo: both(&self.lo, &other.lo, |a, b| a + b),
            hi: both(&self.hi, &other.hi, |a, b| a + b),
        }
    }

    /// The differences.
    pub fn sub(&self, other: &Range) -> Range {
        Range {
            lo: both(&self.lo, &other.hi, |a, b| a - b),
            hi: both(&self.hi, &other.lo, |a, b| a - b),
        }
    }

    /// The multiples.
    pub fn scale(&self, factor: &Int) -> Range {
        let times = |end: &Option<Int>| end.as_ref().map(|e| e * factor);
        if factor.is_zero() {
            Range::point(Int::ZERO)
        } else if factor.is_negative() {
            Range {
                lo: times(&self.hi),
                hi: times(&self.lo),
            }
        } else {
            Range {
                lo: times(&self.lo),
                hi: times(&self.hi),
            }
        }
    }

    /// The products.
    pub fn mul(&self, other: &Range) -> Range {
        let (Some(a), Some(b), Some(c), Some(d)) = (&self.lo, &self.hi, &other.lo, &other.hi) else {
            return Range::ALL;
        };
        let products = [a * c, a * d, b * c, b * d];
        Range {
            lo: products.iter().min().cloned(),
            hi: products.iter().max().cloned(),
        }
    }

    /// The floor quotients by a positive constant.
    pub fn div_floor(&self, divisor: &Int) -> Range {
        let over = |end: &Option<Int>| end.as_ref().map(|e| e.div_floor(divisor));
        Range {
            lo: over(&self.lo),
            hi: over(&self.hi),
        }
    }

    /// The least interval that holds both.
    pub fn hull(&self, other: &Range) -> Range {
        Range {
            lo: both(&self.lo, &other.lo, |a, b| a.min(b).clone()),
            hi: both(&self.hi, &other.hi, |a, b| a.max(b).clone()),
        }
    }

    /// The values in both; may be empty.
    pub fn meet(&self, other: &Range) -> Range {
        let pick = |a: &Option<Int>, b: &Option<Int>, max: bool| match (a, b) {
            (Some(a), Some(b)) => Some(if max { a.max(b) } else { a.min(b) }.clone()),
            (Some(a), None) | (None, Some(a)) => Some(a.clone()),
            (None, None) => None,
        };
        Range {
            lo: pick(&self.lo, &other.lo, true),
            hi: pick(&self.hi, &other.hi, false),
        }
    }

    /// Whether there is no value in it.
    pub fn is_empty(&self) -> bool {
        matches!((&self.lo, &self.hi), (Some(lo), Some(hi)) if lo > hi)
    }
}
