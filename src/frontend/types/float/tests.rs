//! The arithmetic against the machine's own, and the laws that the formats share.

use super::*;
use proptest::prelude::*;

/// Bit patterns that are special to a format with some chance.
fn double_bits() -> impl Strategy<Value = u64> {
    prop_oneof![
        any::<u64>(),
        any::<f64>().prop_map(f64::to_bits),
        (-1000i32..1000).prop_map(|n| (f64::from(n) / 8.0).to_bits()),
        prop::sample::select(vec![
            0.0f64,
            -0.0,
            1.0,
            -1.0,
            f64::MAX,
            f64::MIN_POSITIVE,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            5e-324,
        ])
        .prop_map(f64::to_bits),
    ]
}

/// Equal, or both NaN.
fn agree(format: Format, ours: u128, theirs: u128) -> bool {
    ours == theirs || is_nan(format, ours) && is_nan(format, theirs)
}

const ARITHMETIC: [Arithmetic; 5] = [
    Arithmetic::Add,
    Arithmetic::Sub,
    Arithmetic::Mul,
    Arithmetic::Div,
    Arithmetic::Modulus,
];

/// The exact arithmetic without the machine's instructions.
fn slow(op: Arithmetic, format: Format, a: u128, b: u128) -> u128 {
    with_format!(format, F => {
        let (x, y) = (F::from_bits(a), F::from_bits(b));
        match op {
            Arithmetic::Add => (x + y).value,
            Arithmetic::Sub => (x - y).value,
            Arithmetic::Mul => (x * y).value,
            Arithmetic::Div => (x / y).value,
            Arithmetic::Modulus => x.c_fmod(y).value,
            Arithmetic::Remainder => x.ieee_rem(y).value,
        }
        .to_bits()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_machine_and_the_crate_give_the_same_bits(a in double_bits(), b in double_bits()) {
        for op in ARITHMETIC {
            let (a, b) = (u128::from(a), u128::from(b));
            let double = binary(op, Format::Double, a, b, Rounding::Nearest);
            prop_assert!(agree(Format::Double, double, slow(op, Format::Double, a, b)), "{op:?} {a:x} {b:x}");
            let (a, b) = (a & 0xffff_ffff, b & 0xffff_ffff);
            let single = binary(op, Format::Single, a, b, Rounding::Nearest);
            prop_assert!(agree(Format::Single, single, slow(op, Format::Single, a, b)), "{op:?} {a:x} {b:x}");
        }
    }

    #[test]
    fn roots_and_fused_operations_are_those_of_the_machine(a in double_bits(), b in double_bits(), c in double_bits()) {
        let (x, y, z) = (f64::from_bits(a), f64::from_bits(b), f64::from_bits(c));
        let root = sqrt(Format::Double, a.into(), Rounding::Nearest);
        prop_assert!(agree(Format::Double, root, x.sqrt().to_bits().into()), "{x:?}");
        let fma = fused(Format::Double, a.into(), b.into(), c.into(), Rounding::Nearest);
        prop_assert!(agree(Format::Double, fma, x.mul_add(y, z).to_bits().into()), "{x:?} {y:?} {z:?}");
        let short = u32::try_from(a >> 32).unwrap();
        let root = sqrt(Format::Single, short.into(), Rounding::Nearest);
        prop_assert!(agree(Format::Single, root, f32::from_bits(short).sqrt().to_bits().into()));
        for op in ARITHMETIC {
            // The crate rounds a double to the wider formats and back without change, so that their results are no worse.
            let wide = |v: u64| convert(Format::Double, Format::Quad, v.into(), Rounding::Nearest);
            if matches!(op, Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul) && !x.is_nan() && !y.is_nan() {
                let quad = binary(op, Format::Quad, wide(a), wide(b), Rounding::Nearest);
                let there = binary(op, Format::Double, a.into(), b.into(), Rounding::Nearest);
                if op == Arithmetic::Mul {
                    prop_assert!(agree(Format::Double, convert(Format::Quad, Format::Double, quad, Rounding::Nearest), there));
                }
            }
        }
    }

    #[test]
    fn rounding_to_integers_is_that_of_the_machine(a in double_bits()) {
        let x = f64::from_bits(a);
        for (rounding, value) in [
            (Rounding::Nearest, x.round_ties_even()),
            (Rounding::Down, x.floor()),
            (Rounding::Up, x.ceil()),
            (Rounding::Zero, x.trunc()),
            (Rounding::Away, x.round()),
        ] {
            let ours = integral(Format::Double, a.into(), rounding);
            prop_assert!(agree(Format::Double, ours, value.to_bits().into()), "{rounding:?} {x:?}");
            let quad = convert(Format::Double, Format::Quad, a.into(), Rounding::Nearest);
            let quad = convert(Format::Quad, Format::Double, integral(Format::Quad, quad, rounding), Rounding::Nearest);
            prop_assert!(agree(Format::Double, quad, value.to_bits().into()), "{rounding:?} {x:?}");
        }
        let whole = to_int(Format::Double, a.into(), 64, true, Rounding::Zero);
        let fits = x > -9.223_372_036_854_777e18 - 1025.0 && x < 9.223_372_036_854_776e18;
        prop_assert_eq!(whole, (fits && !x.is_nan()).then(|| u128::from((x as i64).cast_unsigned())));
    }

    #[test]
    fn literals_are_read_back(a in double_bits(), b in any::<u64>()) {
        let pattern = u128::from(a) << 64 | u128::from(b);
        for format in [Format::Half, Format::Single, Format::Double, Format::Extended, Format::Quad] {
            let bits = pattern >> (128 - format.width());
            // A pseudo-denormal is another pattern for a number with an exponent; no operation makes one.
            let is_pseudo_denormal = format == Format::Extended && (bits >> 63) & 0xffff == 1;
            if is_finite(format, bits) && !is_negative(format, bits) && !is_pseudo_denormal {
                let text = literal(format, bits);
                let digits = text.trim_end_matches("f128").trim_end_matches("f16").trim_end_matches(['f', 'l']);
                prop_assert_eq!(parse(format, digits, Rounding::Nearest), Some(bits), "{} {:?}", text, format);
            }
        }
    }

    #[test]
    fn directed_rounding_encloses_the_result(a in double_bits(), b in double_bits()) {
        for op in [Arithmetic::Add, Arithmetic::Sub, Arithmetic::Mul, Arithmetic::Div] {
            let at = |rounding| binary(op, Format::Double, a.into(), b.into(), rounding);
            let (down, near, up) = (at(Rounding::Down), at(Rounding::Nearest), at(Rounding::Up));
            if !is_nan(Format::Double, near) {
                prop_assert_ne!(compare(Format::Double, down, near), Some(Ordering::Greater));
                prop_assert_ne!(compare(Format::Double, near, up), Some(Ordering::Greater));
                prop_assert!(down == up || next(Format::Double, down, true) == up || is_zero(Format::Double, near));
            }
        }
    }
}

#[test]
fn roots_of_squares_are_exact_in_every_format() {
    for format in [
        Format::Half,
        Format::Single,
        Format::Double,
        Format::Extended,
        Format::Quad,
    ] {
        // Squares that the format holds exactly.
        let most = if format == Format::Half { 45 } else { 180 };
        for n in 1..=most {
            let x = from_int(format, n, Rounding::Nearest);
            let square = binary(Arithmetic::Mul, format, x, x, Rounding::Nearest);
            assert_eq!(sqrt(format, square, Rounding::Nearest), x, "{n} {format:?}");
            let quarter = scale(format, square, -2, Rounding::Nearest);
            assert_eq!(
                sqrt(format, quarter, Rounding::Up),
                scale(format, x, -1, Rounding::Nearest)
            );
        }
        let least = 1;
        let root = sqrt(format, least, Rounding::Nearest);
        let half = exponent(format, least).unwrap().div_euclid(2);
        assert_eq!(exponent(format, root), Some(half), "{format:?}");
    }
}

#[test]
fn invalid_operations_give_the_default_nan_of_the_machine() {
    let infinity = Format::Double.infinity();
    let difference = binary(Arithmetic::Sub, Format::Double, infinity, infinity, Rounding::Nearest);
    assert_eq!(difference, 0xfff8_0000_0000_0000);
    let payload = 0x7ff8_0000_0000_1234;
    assert_eq!(
        binary(Arithmetic::Add, Format::Double, infinity, payload, Rounding::Nearest),
        payload
    );
    assert_eq!(Format::Extended.default_nan(), 0xffff_c000_0000_0000_0000);
    assert_eq!(Format::Single.quiet_nan(), 0x7fc0_0000);
    assert_eq!(Format::Extended.infinity(), 0x7fff_8000_0000_0000_0000);
}

#[test]
fn texts_are_those_of_c() {
    let double = |text| parse(Format::Double, text, Rounding::Nearest);
    assert_eq!(double("0x1.8p1"), Some(3f64.to_bits().into()));
    assert_eq!(double("0x10"), Some(16f64.to_bits().into()));
    assert_eq!(double("1e400"), Some(f64::INFINITY.to_bits().into()));
    assert_eq!(double(".5"), Some(0.5f64.to_bits().into()));
    assert_eq!(literal(Format::Double, 0.1f64.to_bits().into()), "0x1.999999999999ap-4");
    assert_eq!(literal(Format::Double, (-3f64).to_bits().into()), "-0x1.8p+1");
    assert_eq!(show(Format::Double, 0.1f64.to_bits().into()), "0.1");
    assert_eq!(show(Format::Single, (-0f32).to_bits().into()), "-0.0");
}
