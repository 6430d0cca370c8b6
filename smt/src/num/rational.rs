//! Rational numbers over [`Int`].

use super::Int;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

/// A rational number in lowest terms with a positive denominator.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rational {
    num: Int,
    den: Int,
}

impl Rational {
    /// The number 0.
    pub const ZERO: Rational = Rational {
        num: Int::ZERO,
        den: Int::ONE,
    };
    /// The number 1.
    pub const ONE: Rational = Rational {
        num: Int::ONE,
        den: Int::ONE,
    };

    /// `num / den` in lowest terms.
    ///
    /// # Panics
    /// If `den` is 0.
    pub fn new(num: Int, den: Int) -> Self {
        assert!(!den.is_zero(), "a rational with denominator zero");
        if den.is_one() {
            return Rational { num, den };
        }
        let mut g = num.gcd(&den);
        if den.is_negative() {
            g = -g;
        }
        if g.is_one() {
            Rational { num, den }
        } else {
            Rational {
                num: num.div_exact(&g),
                den: den.div_exact(&g),
            }
        }
    }

    /// The number that digits with a point in between are, as `1.50`.
    pub fn from_decimal(text: &str) -> Option<Rational> {
        let (whole, fraction) = text.split_once('.')?;
        let digits: Int = format!("{whole}{fraction}").parse().ok()?;
        let scale: Int = format!("1{}", "0".repeat(fraction.len())).parse().ok()?;
        Some(Rational::new(digits, scale))
    }

    /// The numerator; it carries the sign.
    #[inline]
    pub fn numer(&self) -> &Int {
        &self.num
    }

    /// The denominator, always positive.
    #[inline]
    pub fn denom(&self) -> &Int {
        &self.den
    }

    /// Whether the value is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        self.num.is_zero()
    }

    /// Whether the value is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        self.num.is_one() && self.den.is_one()
    }

    /// Whether the value is an integer.
    #[inline]
    pub fn is_integer(&self) -> bool {
        self.den.is_one()
    }

    /// Whether the value is above 0.
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.num.is_positive()
    }

    /// Whether the value is below 0.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.num.is_negative()
    }

    /// -1, 0 or 1: the sign of the value.
    #[inline]
    pub fn signum(&self) -> i32 {
        self.num.signum()
    }

    /// The absolute value.
    pub fn abs(&self) -> Rational {
        Rational {
            num: self.num.abs(),
            den: self.den.clone(),
        }
    }

    /// 1 / self.
    ///
    /// # Panics
    /// If the value is 0.
    pub fn recip(&self) -> Rational {
        match self.num.signum() {
            1 => Rational {
                num: self.den.clone(),
                den: self.num.clone(),
            },
            -1 => Rational {
                num: -&self.den,
                den: -&self.num,
            },
            _ => panic!("the reciprocal of zero"),
        }
    }

    /// The largest integer that is not above the value.
    pub fn floor(&self) -> Int {
        if self.is_integer() {
            self.num.clone()
        } else {
            self.num.div_floor(&self.den)
        }
    }

    /// The smallest integer that is not below the value.
    pub fn ceil(&self) -> Int {
        if self.is_integer() {
            self.num.clone()
        } else {
            self.num.div_ceil(&self.den)
        }
    }

    /// Adds `a * b` to `self`.
    #[inline]
    pub fn add_mul(&mut self, a: &Rational, b: &Rational) {
        if self.is_integer() && a.is_integer() && b.is_integer() {
            self.num.add_mul(&a.num, &b.num);
        } else {
            *self = &*self + &(a * b);
        }
    }

    /// The sum or difference of two rationals.
    fn combine(&self, other: &Rational, subtract: bool) -> Rational {
        let signed = |v: Int| if subtract { -v } else { v };
        if self.den == other.den {
            return Rational::new(&self.num + &signed(other.num.clone()), self.den.clone());
        }
        // With g = gcd of the denominators, only g can still divide the sum, which keeps the numbers small.
        let g = self.den.gcd(&other.den);
        let left = other.den.div_exact(&g);
        let right = self.den.div_exact(&g);
        let num = &self.num * &left + &signed(&other.num * &right);
        let rest = num.gcd(&g);
        if rest.is_one() {
            Rational {
                num,
                den: &self.den * &left,
            }
        } else {
            Rational {
                num: num.div_exact(&rest),
                den: self.den.div_exact(&rest) * &left,
            }
        }
    }
}

impl Default for Rational {
    fn default() -> Self {
        Rational::ZERO
    }
}

impl<T: Into<Int>> From<T> for Rational {
    #[inline]
    fn from(value: T) -> Self {
        Rational {
            num: value.into(),
            den: Int::ONE,
        }
    }
}

impl From<&Int> for Rational {
    #[inline]
    fn from(value: &Int) -> Self {
        Rational {
            num: value.clone(),
            den: Int::ONE,
        }
    }
}

impl Ord for Rational {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.den == other.den {
            return self.num.cmp(&other.num);
        }
        match self.signum().cmp(&other.signum()) {
            Ordering::Equal => (&self.num * &other.den).cmp(&(&other.num * &self.den)),
            decided => decided,
        }
    }
}

impl PartialOrd for Rational {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Add<&Rational> for &Rational {
    type Output = Rational;
    #[inline]
    fn add(self, other: &Rational) -> Rational {
        if self.is_integer() && other.is_integer() {
            return Rational {
                num: &self.num + &other.num,
                den: Int::ONE,
            };
        }
        self.combine(other, false)
    }
}

impl Sub<&Rational> for &Rational {
    type Output = Rational;
    #[inline]
    fn sub(self, other: &Rational) -> Rational {
        if self.is_integer() && other.is_integer() {
            return Rational {
                num: &self.num - &other.num,
                den: Int::ONE,
            };
        }
        self.combine(other, true)
    }
}

impl Mul<&Rational> for &Rational {
    type Output = Rational;
    #[inline]
    fn mul(self, other: &Rational) -> Rational {
        if self.is_integer() && other.is_integer() {
            return Rational {
                num: &self.num * &other.num,
                den: Int::ONE,
            };
        }
        // Cancelling across first gives lowest terms without a gcd of products.
        let g = self.num.gcd(&other.den);
        let h = other.num.gcd(&self.den);
        if g.is_zero() || h.is_zero() || self.is_zero() || other.is_zero() {
            return Rational::ZERO;
        }
        Rational {
            num: self.num.div_exact(&g) * other.num.div_exact(&h),
            den: self.den.div_exact(&h) * other.den.div_exact(&g),
        }
    }
}

impl Div<&Rational> for &Rational {
    type Output = Rational;
    /// # Panics
    /// If `other` is 0.
    #[inline]
    fn div(self, other: &Rational) -> Rational {
        other.recip().mul(self)
    }
}

/// Adds the by-value and assigning forms of an operator defined on references.
macro_rules! forward {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident) => {
        impl $trait<Rational> for Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: Rational) -> Rational {
                (&self).$method(&other)
            }
        }
        impl $trait<&Rational> for Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: &Rational) -> Rational {
                (&self).$method(other)
            }
        }
        impl $trait<Rational> for &Rational {
            type Output = Rational;
            #[inline]
            fn $method(self, other: Rational) -> Rational {
                self.$method(&other)
            }
        }
        impl $assign<&Rational> for Rational {
            #[inline]
            fn $assign_method(&mut self, other: &Rational) {
                *self = (&*self).$method(other);
            }
        }
        impl $assign<Rational> for Rational {
            #[inline]
            fn $assign_method(&mut self, other: Rational) {
                *self = (&*self).$method(&other);
            }
        }
    };
}
forward!(Add, add, AddAssign, add_assign);
forward!(Sub, sub, SubAssign, sub_assign);
forward!(Mul, mul, MulAssign, mul_assign);
forward!(Div, div, DivAssign, div_assign);

impl Neg for &Rational {
    type Output = Rational;
    #[inline]
    fn neg(self) -> Rational {
        Rational {
            num: -&self.num,
            den: self.den.clone(),
        }
    }
}

impl Neg for Rational {
    type Output = Rational;
    #[inline]
    fn neg(self) -> Rational {
        -&self
    }
}

impl fmt::Display for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_integer() {
            write!(f, "{}", self.num)
        } else {
            write!(f, "{}/{}", self.num, self.den)
        }
    }
}

impl fmt::Debug for Rational {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
