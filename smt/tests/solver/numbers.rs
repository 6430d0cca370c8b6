//! Numbers against `num-bigint`: every operation, around every boundary between the three representations.

use num_bigint::BigInt;
use num_integer::Integer;
use proptest::prelude::*;
use provident_smt::num::{Int, Rational};

/// Integers near the ends of the machine ranges, small ones, and arbitrary ones.
fn integer() -> impl Strategy<Value = i128> {
    let near = |centre: i128| (-3_i128..=3).prop_map(move |d| centre.saturating_add(d));
    prop_oneof![
        4 => near(0),
        2 => near(i128::from(i64::MIN)),
        2 => near(i128::from(i64::MAX)),
        1 => near(i128::from(i32::MAX)),
        1 => near(1 << 100),
        1 => near(-(1 << 100)),
        2 => near(i128::MIN),
        2 => near(i128::MAX),
        1 => near(1 << 64),
        4 => any::<i64>().prop_map(i128::from),
        4 => any::<i16>().prop_map(i128::from),
        1 => any::<i128>().prop_map(|v| v >> 2),
    ]
}

/// The number is what it should be, and in its one canonical form: equal numbers hash and compare as equal.
fn same(actual: &Int, expected: &BigInt) {
    assert_eq!(actual.to_bigint(), *expected);
    assert_eq!(*actual, Int::from(expected.clone()));
    assert_eq!(actual.to_string(), expected.to_string());
    assert_eq!(actual.to_string().parse::<Int>().unwrap(), *actual);
    assert_eq!(actual.to_i64(), i64::try_from(expected).ok());
    assert_eq!(actual.to_i128(), i128::try_from(expected).ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn integers_agree_with_big_integers(a in integer(), b in integer(), c in integer()) {
        let (x, y, z) = (Int::from(a), Int::from(b), Int::from(c));
        let (p, q, r) = (BigInt::from(a), BigInt::from(b), BigInt::from(c));
        same(&x, &p);
        same(&(&x + &y), &(&p + &q));
        same(&(&x - &y), &(&p - &q));
        same(&(&x * &y), &(&p * &q));
        same(&-&x, &-&p);
        same(&x.abs(), &p.clone().max(-&p));
        same(&x.gcd(&y), &p.gcd(&q));
        same(&x.lcm(&y), &p.lcm(&q));
        prop_assert_eq!(x.cmp(&y), p.cmp(&q));
        prop_assert_eq!(x.signum(), i32::try_from(a.signum()).unwrap());
        if b != 0 {
            same(&x.div_floor(&y), &p.div_floor(&q));
            same(&x.mod_floor(&y), &p.mod_floor(&q));
            same(&x.div_ceil(&y), &-(-&p).div_floor(&q));
            same(&(&x * &y).div_exact(&y), &p);
            prop_assert_eq!(x.is_multiple_of(&y), p.is_multiple_of(&q));
        }
        let mut sum = z.clone();
        sum.add_mul(&x, &y);
        same(&sum, &(&r + &p * &q));
        // Beyond the middle form on either side of an operation.
        let (big, same_big) = (&(&x * &y) * &z, &p * &q * &r);
        same(&big, &same_big);
        same(&(&big + &x), &(&same_big + &p));
        same(&(&x - &big), &(&p - &same_big));
        same(&big.gcd(&y), &same_big.gcd(&q));
        prop_assert_eq!(big.cmp(&x), same_big.cmp(&p));
        prop_assert_eq!(x.cmp(&big), p.cmp(&same_big));
        if b != 0 {
            same(&big.div_floor(&y), &same_big.div_floor(&q));
            same(&big.mod_floor(&y), &same_big.mod_floor(&q));
        }
        if !big.is_zero() {
            same(&x.div_floor(&big), &p.div_floor(&same_big));
            same(&x.mod_floor(&big), &p.mod_floor(&same_big));
        }
        // Coming back from big results has to find the small form again.
        same(&(&(&x * &y) - &(&y * &x)), &BigInt::from(0));
    }

    #[test]
    fn rationals_form_an_ordered_field(a in integer(), b in integer(), c in integer(), d in integer()) {
        prop_assume!(b != 0 && d != 0);
        let (x, y) = (Rational::new(a.into(), b.into()), Rational::new(c.into(), d.into()));
        let (a, b, c, d) = (BigInt::from(a), BigInt::from(b), BigInt::from(c), BigInt::from(d));
        let is = |actual: Rational, num: BigInt, den: BigInt| {
            assert_eq!(actual.numer().to_bigint() * &den, actual.denom().to_bigint() * &num);
            assert_eq!(actual, Rational::new(num.into(), den.into()));
            assert!(actual.denom().is_positive() && actual.numer().gcd(actual.denom()).is_one());
        };
        is(&x + &y, &a * &d + &c * &b, &b * &d);
        is(&x - &y, &a * &d - &c * &b, &b * &d);
        is(&x * &y, &a * &c, &b * &d);
        if !y.is_zero() {
            is(&x / &y, &a * &d, &b * &c);
        }
        let sign_of_denominators = (&b * &d).sign() == num_bigint::Sign::Minus;
        let (left, right) = (&a * &d, &c * &b);
        prop_assert_eq!(x.cmp(&y), if sign_of_denominators { right.cmp(&left) } else { left.cmp(&right) });
        prop_assert_eq!(x.floor().to_bigint(), a.div_floor(&b));
        prop_assert_eq!(x.ceil().to_bigint(), -(-&a).div_floor(&b));
        let mut sum = x.clone();
        sum.add_mul(&x, &y);
        prop_assert_eq!(sum, &x + &(&x * &y));
    }
}

#[test]
fn powers_of_two() {
    for exponent in [0, 1, 31, 32, 62, 63, 64, 65, 200] {
        same(&Int::pow2(exponent), &(BigInt::from(1) << exponent));
    }
}

#[test]
fn only_decimal_integers_are_read() {
    for text in [
        "",
        "-",
        "+",
        "1.0",
        "0x1",
        " 1",
        "1_000",
        "--1",
        "99999999999999999999a",
    ] {
        assert!(text.parse::<Int>().is_err(), "{text:?} is no integer");
    }
    assert_eq!("-9223372036854775808".parse::<Int>().unwrap(), Int::from(i64::MIN));
}
