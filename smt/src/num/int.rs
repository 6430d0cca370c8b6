//! Integers of any size, small first.
//!
//! Most numbers of a solver fit a machine word. Those of machine integers often just do not: 2^64 is the period of a pointer, and the products of a few such coefficients
//! have a hundred bits. So there is a size in between, which costs an allocation but no long arithmetic.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use std::str::FromStr;

/// An integer of any size; 16 bytes, without allocation while the value fits `i64`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Int(Repr);

/// Invariant: a value has the first of these forms that it fits.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Repr {
    Small(i64),
    Wide(Box<i128>),
    Big(Box<BigInt>),
}

/// The text given to [`Int::from_str`] is not a decimal integer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseIntError;

impl fmt::Display for ParseIntError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a decimal integer")
    }
}

impl std::error::Error for ParseIntError {}

impl Int {
    /// The number 0.
    pub const ZERO: Int = Int(Repr::Small(0));
    /// The number 1.
    pub const ONE: Int = Int(Repr::Small(1));
    /// The number -1.
    pub const MINUS_ONE: Int = Int(Repr::Small(-1));

    /// The value as `i64` if it fits.
    #[inline]
    pub fn to_i64(&self) -> Option<i64> {
        match &self.0 {
            Repr::Small(v) => Some(*v),
            Repr::Wide(_) | Repr::Big(_) => None,
        }
    }

    /// The value as `i128` if it fits.
    #[inline]
    pub fn to_i128(&self) -> Option<i128> {
        match &self.0 {
            Repr::Small(v) => Some(i128::from(*v)),
            Repr::Wide(v) => Some(**v),
            Repr::Big(_) => None,
        }
    }

    /// The value as a big integer.
    pub fn to_bigint(&self) -> BigInt {
        self.as_bigint().into_owned()
    }

    fn as_bigint(&self) -> Cow<'_, BigInt> {
        match &self.0 {
            Repr::Small(v) => Cow::Owned(BigInt::from(*v)),
            Repr::Wide(v) => Cow::Owned(BigInt::from(**v)),
            Repr::Big(b) => Cow::Borrowed(b),
        }
    }

    /// Both values as `i128`, if they fit.
    #[inline]
    fn both_wide(&self, other: &Int) -> Option<(i128, i128)> {
        Some((self.to_i128()?, other.to_i128()?))
    }

    /// Whether the value is 0.
    #[inline]
    pub fn is_zero(&self) -> bool {
        matches!(self.0, Repr::Small(0))
    }

    /// Whether the value is 1.
    #[inline]
    pub fn is_one(&self) -> bool {
        matches!(self.0, Repr::Small(1))
    }

    /// Whether the value is above 0.
    #[inline]
    pub fn is_positive(&self) -> bool {
        self.signum() > 0
    }

    /// Whether the value is below 0.
    #[inline]
    pub fn is_negative(&self) -> bool {
        self.signum() < 0
    }

    /// -1, 0 or 1: the sign of the value.
    #[inline]
    pub fn signum(&self) -> i32 {
        match &self.0 {
            Repr::Small(v) => match v.cmp(&0) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            },
            Repr::Wide(v) => {
                if **v < 0 {
                    -1
                } else {
                    1
                }
            }
            Repr::Big(b) => {
                if b.is_negative() {
                    -1
                } else {
                    1
                }
            }
        }
    }

    /// The absolute value.
    pub fn abs(&self) -> Int {
        if self.is_negative() { -self } else { self.clone() }
    }

    /// 2 to the power of `exponent`.
    pub fn pow2(exponent: u32) -> Int {
        if exponent < 63 {
            Int::from(1_i64 << exponent)
        } else if exponent < 127 {
            Int::from(1_i128 << exponent)
        } else {
            Int::from(BigInt::from(1) << exponent)
        }
    }

    /// The greatest common divisor, never negative; `gcd(0, x) = |x|`.
    #[inline]
    pub fn gcd(&self, other: &Int) -> Int {
        match (&self.0, &other.0) {
            (Repr::Small(1 | -1), _) | (_, Repr::Small(1 | -1)) => Int::ONE,
            (Repr::Small(a), Repr::Small(b)) => {
                let g = gcd_u64(a.unsigned_abs(), b.unsigned_abs());
                i64::try_from(g).map_or_else(|_| Int::from(i128::from(g)), Int::from)
            }
            _ => match self.both_wide(other) {
                Some((a, b)) => Int::from(gcd_u128(a.unsigned_abs(), b.unsigned_abs())),
                None => Int::from(self.as_bigint().gcd(&other.as_bigint())),
            },
        }
    }

    /// The least common multiple, never negative; 0 if either is 0.
    pub fn lcm(&self, other: &Int) -> Int {
        if self.is_zero() || other.is_zero() {
            return Int::ZERO;
        }
        &self.abs().div_exact(&self.gcd(other)) * &other.abs()
    }

    /// The quotient rounded towards minus infinity.
    ///
    /// # Panics
    /// If `divisor` is 0.
    pub fn div_floor(&self, divisor: &Int) -> Int {
        assert!(!divisor.is_zero(), "division by zero");
        match (&self.0, &divisor.0) {
            (Repr::Small(a), Repr::Small(b)) => match a.checked_div(*b) {
                Some(q) => {
                    // The remainder without a second division.
                    let inexact_negative = a - q * b != 0 && ((*a < 0) != (*b < 0));
                    Int::from(q - i64::from(inexact_negative))
                }
                None => Int::from(-i128::from(*a)),
            },
            _ => match self
                .both_wide(divisor)
                .and_then(|(a, b)| Some((a, b, a.checked_div(b)?)))
            {
                Some((a, b, q)) => {
                    let inexact_negative = a - q * b != 0 && ((a < 0) != (b < 0));
                    Int::from(q - i128::from(inexact_negative))
                }
                None => Int::from(self.as_bigint().div_floor(&divisor.as_bigint())),
            },
        }
    }

    /// The quotient rounded towards plus infinity.
    ///
    /// # Panics
    /// If `divisor` is 0.
    pub fn div_ceil(&self, divisor: &Int) -> Int {
        -(-self).div_floor(divisor)
    }

    /// `self - divisor * div_floor(self, divisor)`: the remainder with the sign of the divisor, which for a positive divisor is
    /// the Euclidean one.
    ///
    /// # Panics
    /// If `divisor` is 0.
    pub fn mod_floor(&self, divisor: &Int) -> Int {
        assert!(!divisor.is_zero(), "division by zero");
        match (&self.0, &divisor.0) {
            (Repr::Small(a), Repr::Small(b)) => {
                let r = a.wrapping_rem(*b);
                Int::from(if r != 0 && ((r < 0) != (*b < 0)) { r + b } else { r })
            }
            _ => match self.both_wide(divisor) {
                Some((a, b)) => {
                    let r = a.wrapping_rem(b);
                    Int::from(if r != 0 && ((r < 0) != (b < 0)) { r + b } else { r })
                }
                None => Int::from(self.as_bigint().mod_floor(&divisor.as_bigint())),
            },
        }
    }

    /// The quotient of a division known to leave no remainder.
    ///
    /// # Panics
    /// If `divisor` is 0; in debug builds also if there is a remainder.
    pub fn div_exact(&self, divisor: &Int) -> Int {
        if divisor.is_one() {
            return self.clone();
        }
        debug_assert!(self.is_multiple_of(divisor), "{self} is no multiple of {divisor}");
        self.div_floor(divisor)
    }

    /// Whether `divisor` divides `self`. Only 0 is a multiple of 0.
    pub fn is_multiple_of(&self, divisor: &Int) -> bool {
        if divisor.is_zero() {
            self.is_zero()
        } else {
            self.mod_floor(divisor).is_zero()
        }
    }

    /// Adds `a * b` to `self`.
    #[inline]
    pub fn add_mul(&mut self, a: &Int, b: &Int) {
        if let (Repr::Small(s), Repr::Small(x), Repr::Small(y)) = (&mut self.0, &a.0, &b.0)
            && let Some(sum) = x.checked_mul(*y).and_then(|p| p.checked_add(*s))
        {
            *s = sum;
            return;
        }
        self.big_add_mul(a, b);
    }

    #[cold]
    fn big_add_mul(&mut self, a: &Int, b: &Int) {
        if let (Some(sum), Some((a, b))) = (self.to_i128(), a.both_wide(b))
            && let Some(sum) = a.checked_mul(b).and_then(|product| product.checked_add(sum))
        {
            *self = Int::from(sum);
            return;
        }
        *self = &*self + &(a * b);
    }
}

/// The greatest common divisor of machine words (Euclid's algorithm; 0 if both are 0).
fn gcd_u64(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The same of longer words.
fn gcd_u128(mut a: u128, mut b: u128) -> u128 {
    loop {
        if let (Ok(a), Ok(b)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_u64(a, b));
        }
        if b == 0 {
            return a;
        }
        (a, b) = (b, a % b);
    }
}

impl Default for Int {
    fn default() -> Self {
        Int::ZERO
    }
}

impl From<i64> for Int {
    #[inline]
    fn from(value: i64) -> Self {
        Int(Repr::Small(value))
    }
}

macro_rules! from_narrow {
    ($($t:ty),*) => {$(
        impl From<$t> for Int {
            #[inline]
            fn from(value: $t) -> Self {
                Int(Repr::Small(i64::from(value)))
            }
        }
    )*};
}
from_narrow!(i8, i16, i32, u8, u16, u32, bool);

macro_rules! from_wide {
    ($($t:ty),*) => {$(
        impl From<$t> for Int {
            fn from(value: $t) -> Self {
                match (i64::try_from(value), i128::try_from(value)) {
                    (Ok(v), _) => Int(Repr::Small(v)),
                    (_, Ok(v)) => Int(Repr::Wide(Box::new(v))),
                    _ => Int(Repr::Big(Box::new(BigInt::from(value)))),
                }
            }
        }
    )*};
}
from_wide!(i128, u64, u128, usize);

impl From<BigInt> for Int {
    fn from(value: BigInt) -> Self {
        match value.to_i128() {
            Some(v) => Int::from(v),
            None => Int(Repr::Big(Box::new(value))),
        }
    }
}

impl Ord for Int {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Repr::Small(a), Repr::Small(b)) => a.cmp(b),
            (Repr::Wide(a), Repr::Wide(b)) => a.cmp(b),
            (Repr::Big(a), Repr::Big(b)) => a.cmp(b),
            // A value of a longer form lies outside the range of a shorter one, so its sign alone decides.
            (Repr::Small(_), _) | (Repr::Wide(_), Repr::Big(_)) => 0.cmp(&other.signum()),
            (_, Repr::Small(_)) | (Repr::Big(_), Repr::Wide(_)) => self.signum().cmp(&0),
        }
    }
}

impl PartialOrd for Int {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Implements a binary operator for all four combinations of values and references, and its assigning form.
macro_rules! binary {
    ($trait:ident, $method:ident, $assign:ident, $assign_method:ident, $checked:ident, $big:ident) => {
        impl $trait<&Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: &Int) -> Int {
                if let (Repr::Small(a), Repr::Small(b)) = (&self.0, &other.0)
                    && let Some(result) = a.$checked(*b)
                {
                    return Int(Repr::Small(result));
                }
                $big(self, other)
            }
        }
        impl $trait<Int> for Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: Int) -> Int {
                (&self).$method(&other)
            }
        }
        impl $trait<&Int> for Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: &Int) -> Int {
                (&self).$method(other)
            }
        }
        impl $trait<Int> for &Int {
            type Output = Int;
            #[inline]
            fn $method(self, other: Int) -> Int {
                self.$method(&other)
            }
        }
        impl $assign<&Int> for Int {
            #[inline]
            fn $assign_method(&mut self, other: &Int) {
                if let (Repr::Small(a), Repr::Small(b)) = (&mut self.0, &other.0)
                    && let Some(result) = a.$checked(*b)
                {
                    *a = result;
                    return;
                }
                *self = $big(self, other);
            }
        }
        impl $assign<Int> for Int {
            #[inline]
            fn $assign_method(&mut self, other: Int) {
                self.$assign_method(&other);
            }
        }
    };
}
binary!(Add, add, AddAssign, add_assign, checked_add, big_add);
binary!(Sub, sub, SubAssign, sub_assign, checked_sub, big_sub);
binary!(Mul, mul, MulAssign, mul_assign, checked_mul, big_mul);

#[cold]
fn big_add(a: &Int, b: &Int) -> Int {
    match a.both_wide(b).and_then(|(x, y)| x.checked_add(y)) {
        Some(result) => Int::from(result),
        None => Int::from(&*a.as_bigint() + &*b.as_bigint()),
    }
}

#[cold]
fn big_sub(a: &Int, b: &Int) -> Int {
    match a.both_wide(b).and_then(|(x, y)| x.checked_sub(y)) {
        Some(result) => Int::from(result),
        None => Int::from(&*a.as_bigint() - &*b.as_bigint()),
    }
}

#[cold]
fn big_mul(a: &Int, b: &Int) -> Int {
    match a.both_wide(b).and_then(|(x, y)| x.checked_mul(y)) {
        Some(result) => Int::from(result),
        None => Int::from(&*a.as_bigint() * &*b.as_bigint()),
    }
}

impl Neg for &Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        match &self.0 {
            Repr::Small(v) => match v.checked_neg() {
                Some(n) => Int(Repr::Small(n)),
                None => Int::from(-i128::from(*v)),
            },
            Repr::Wide(v) => match v.checked_neg() {
                Some(n) => Int::from(n),
                None => Int::from(-BigInt::from(**v)),
            },
            Repr::Big(b) => Int::from(-&**b),
        }
    }
}

impl Neg for Int {
    type Output = Int;
    #[inline]
    fn neg(self) -> Int {
        -&self
    }
}

impl std::iter::Sum for Int {
    fn sum<I: Iterator<Item = Int>>(iter: I) -> Int {
        iter.fold(Int::ZERO, |a, b| a + b)
    }
}

impl FromStr for Int {
    type Err = ParseIntError;

    /// Reads a decimal integer with an optional sign.
    fn from_str(text: &str) -> Result<Self, ParseIntError> {
        if let Ok(small) = text.parse::<i128>() {
            return Ok(Int::from(small));
        }
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ParseIntError);
        }
        text.parse::<BigInt>().map(Int::from).map_err(|_| ParseIntError)
    }
}

impl fmt::Display for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Small(v) => fmt::Display::fmt(v, f),
            Repr::Wide(v) => fmt::Display::fmt(v, f),
            Repr::Big(b) => fmt::Display::fmt(b, f),
        }
    }
}

impl fmt::Debug for Int {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
