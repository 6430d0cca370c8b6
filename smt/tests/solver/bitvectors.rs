//! Operators on bit-vectors have the values that a machine gives them: random terms over constants, and over unknowns that are bound to constants.

use proptest::prelude::*;
use proptest::sample::select;
use provident_smt::smtlib::{Options, run};

/// A vector of bits, as a machine has it.
#[derive(Clone, Copy, Debug)]
struct Vector {
    value: u64,
    width: u32,
}

impl Vector {
    fn of(value: u64, width: u32) -> Vector {
        let value = value & ((1 << width) - 1);
        Vector { value, width }
    }

    fn signed(self) -> i64 {
        let shift = 64 - self.width;
        (self.value << shift).cast_signed() >> shift
    }

    fn of_signed(value: i64, width: u32) -> Vector {
        Vector::of(value.cast_unsigned(), width)
    }

    fn text(self) -> String {
        format!("#b{:0>1$b}", self.value, self.width as usize)
    }
}

/// The value of a binary operator, by the definitions of the theory.
fn applied(name: &str, a: Vector, b: Vector) -> Vector {
    let (x, y, width) = (a.value, b.value, a.width);
    let (s, t) = (a.signed(), b.signed());
    let count = u32::try_from(y.min(63)).expect("it is small");
    match name {
        "bvand" => Vector::of(x & y, width),
        "bvor" => Vector::of(x | y, width),
        "bvxor" => Vector::of(x ^ y, width),
        "bvnand" => Vector::of(!(x & y), width),
        "bvnor" => Vector::of(!(x | y), width),
        "bvxnor" => Vector::of(!(x ^ y), width),
        "bvadd" => Vector::of(x + y, width),
        "bvsub" => Vector::of(x.wrapping_sub(y), width),
        "bvmul" => Vector::of(x * y, width),
        "bvudiv" => Vector::of(x.checked_div(y).unwrap_or(u64::MAX), width),
        "bvurem" => Vector::of(x.checked_rem(y).unwrap_or(x), width),
        "bvsdiv" => match t {
            0 => Vector::of_signed(if s < 0 { 1 } else { -1 }, width),
            _ => Vector::of_signed(s / t, width),
        },
        "bvsrem" => Vector::of_signed(if t == 0 { s } else { s % t }, width),
        "bvsmod" => match t {
            0 => a,
            _ => Vector::of_signed(s - t * (s as f64 / t as f64).floor() as i64, width),
        },
        "bvshl" => Vector::of(x << count, width),
        "bvlshr" => Vector::of(x >> count, width),
        "bvashr" => Vector::of_signed(s >> count, width),
        other => unreachable!("{other} is no operator here"),
    }
}

/// The truth of a relation.
fn holds(name: &str, a: Vector, b: Vector) -> bool {
    let (x, y) = (a.value, b.value);
    let (s, t) = (a.signed(), b.signed());
    let leaves = |number: i64| Vector::of_signed(number, a.width).signed() != number;
    match name {
        "bvult" => x < y,
        "bvule" => x <= y,
        "bvugt" => x > y,
        "bvuge" => x >= y,
        "bvslt" => s < t,
        "bvsle" => s <= t,
        "bvsgt" => s > t,
        "bvsge" => s >= t,
        "bvuaddo" => (x + y) >> a.width != 0,
        "bvusubo" => x < y,
        "bvumulo" => (x * y) >> a.width != 0,
        "bvsaddo" => leaves(s + t),
        "bvssubo" => leaves(s - t),
        "bvsmulo" => leaves(s * t),
        "bvsdivo" => t != 0 && leaves(s / t),
        other => unreachable!("{other} is no relation here"),
    }
}

const OPERATORS: [&str; 17] = [
    "bvand", "bvor", "bvxor", "bvnand", "bvnor", "bvxnor", "bvadd", "bvsub", "bvmul", "bvudiv", "bvurem", "bvsdiv",
    "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr",
];
const RELATIONS: [&str; 15] = [
    "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "bvuaddo", "bvusubo", "bvumulo", "bvsaddo",
    "bvssubo", "bvsmulo", "bvsdivo",
];

/// A term over the unknowns `x` and `y`, as text and with its value.
type Term = (String, Vector);

/// Terms of the width of the unknowns.
fn terms(x: Vector, y: Vector) -> impl Strategy<Value = Term> {
    let width = x.width;
    let leaf = prop_oneof![
        Just(("x".to_string(), x)),
        Just(("y".to_string(), y)),
        (0..1u64 << width).prop_map(move |value| {
            let constant = Vector::of(value, width);
            (constant.text(), constant)
        }),
    ];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        prop_oneof![
            5 => (select(&OPERATORS[..]), inner.clone(), inner.clone())
                .prop_map(|(name, (a, u), (b, v))| (format!("({name} {a} {b})"), applied(name, u, v))),
            1 => inner.clone().prop_map(|(a, u)| (format!("(bvnot {a})"), Vector::of(!u.value, u.width))),
            1 => inner.clone().prop_map(|(a, u)| (format!("(bvneg {a})"), Vector::of(u.value.wrapping_neg(), u.width))),
            1 => (inner.clone(), 0..9u32).prop_map(|((a, u), count)| {
                let turn = count % u.width;
                let value = u.value << turn | u.value >> (u.width - turn);
                (format!("((_ rotate_left {count}) {a})"), Vector::of(value, u.width))
            }),
            1 => (inner.clone(), inner.clone(), 1..width).prop_map(|((a, u), (b, v), low)| {
                let (upper, lower) = (format!("((_ extract {} {low}) {a})", u.width - 1), format!("((_ extract {} 0) {b})", low - 1));
                let value = u.value >> low << low | v.value & ((1 << low) - 1);
                (format!("(concat {upper} {lower})"), Vector::of(value, u.width))
            }),
            1 => (inner.clone(), 1..width).prop_map(|((a, u), low)| {
                let part = Vector::of(u.value >> low, u.width - low);
                let text = format!("((_ sign_extend {low}) ((_ extract {} {low}) {a}))", u.width - 1);
                (text, Vector::of_signed(part.signed(), u.width))
            }),
            1 => (select(&RELATIONS[..]), inner.clone(), inner.clone()).prop_map(|(name, (a, u), (b, v))| {
                let chosen = if holds(name, u, v) { u } else { v };
                (format!("(ite ({name} {a} {b}) {a} {b})"), chosen)
            }),
        ]
    })
}

fn answers(script: &str) -> String {
    let mut out = Vec::new();
    run(script, &mut out, &Options::default()).expect("writing to memory succeeds");
    String::from_utf8(out).expect("answers are text")
}

/// The unknowns, and a term over them.
fn cases() -> impl Strategy<Value = (Vector, Vector, Term)> {
    (2..9u32, any::<u64>(), any::<u64>()).prop_flat_map(|(width, a, b)| {
        let (x, y) = (Vector::of(a, width), Vector::of(b, width));
        (Just(x), Just(y), terms(x, y))
    })
}

proptest! {
    #[test]
    fn terms_have_the_values_of_a_machine((x, y, (text, value)) in cases()) {
        let sort = format!("(_ BitVec {})", x.width);
        let given = format!(
            "(declare-const x {sort})(declare-const y {sort})(assert (= x {}))(assert (= y {}))",
            x.text(),
            y.text()
        );
        // The solver knows the unknowns from the assertions; below, the term has their values in their place.
        let other = format!("{given}(assert (distinct {text} {}))(check-sat)", value.text());
        prop_assert_eq!(answers(&other), "unsat\n", "{}", other);
        let same = format!("{given}(assert (= {text} {}))(check-sat)", value.text());
        prop_assert_eq!(answers(&same), "sat\n", "{}", same);
        let constant = text.replace('x', &x.text()).replace('y', &y.text());
        // The letters also stand in names of operators.
        if !text.contains("xor") && !text.contains("xnor") && !text.contains("ext") {
            let known = format!("(assert (distinct {constant} {}))(check-sat)", value.text());
            prop_assert_eq!(answers(&known), "unsat\n", "{}", known);
        }
    }
}
