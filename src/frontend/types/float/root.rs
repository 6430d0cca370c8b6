//! The square root, correctly rounded in every format.
//!
//! A number is `m * 2^e` with an integer `m` and an even `e`. The root of `m`, scaled by a power of four so that it has two bits more than the
//! format keeps, is found digit by digit, as on paper; a remainder sets one more bit, which says that the root is not exact. Rounding that integer to the
//! format rounds the root: it lies between the same neighbours, and is a tie only if the root is. The remainder never exceeds twice the root, so 128 bits hold
//! it for 113 bits of precision.
//!
//! Source: the digit-by-digit method, for instance Crandall and Pomerance, *Prime Numbers*, 9.2. Cost: one step for each bit of the result.

use super::{Format, Rounding, exponent, from_unsigned, scale, to_int};

/// The root of a positive finite number.
pub fn positive(format: Format, bits: u128, rounding: Rounding) -> u128 {
    let precision = i32::try_from(format.precision()).expect("it is small");
    let top = exponent(format, bits).expect("a finite number other than zero");
    // The number is `m * 2^shift`, and `m` an integer of `precision` bits.
    let mut shift = top - precision + 1;
    let whole = scale(format, bits, i128::from(-shift), Rounding::Nearest);
    let mut m = to_int(format, whole, 127, false, Rounding::Nearest).expect("it has the bits of the format");
    if shift.rem_euclid(2) == 1 {
        m <<= 1;
        shift -= 1;
    }
    let digits = precision + 3;
    let length = i32::try_from(u128::BITS - m.leading_zeros()).expect("it is small");
    let pairs = (length + 1) / 2;
    assert!(pairs <= digits, "every digit of the number is looked at");
    let (mut root, mut rest) = (0u128, 0u128);
    for digit in 0..digits {
        let at = 2 * (pairs - 1 - digit);
        let next = if at >= 0 { (m >> at) & 3 } else { 0 };
        rest = rest << 2 | next;
        let trial = root << 2 | 1;
        root <<= 1;
        if rest >= trial {
            rest -= trial;
            root |= 1;
        }
    }
    let sticky = u128::from(rest != 0);
    let rounded = from_unsigned(format, root << 1 | sticky, rounding);
    let exponent = shift / 2 + (pairs - digits) - 1;
    scale(format, rounded, i128::from(exponent), Rounding::Nearest)
}
