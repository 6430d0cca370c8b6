//! Products and divisions of unknowns against the enumeration of all values in a small box.

use proptest::prelude::*;
use provident_smt::smtlib::{Options, run};

/// A term over two variables.
#[derive(Clone, Debug)]
enum Num {
    Var(usize),
    Const(i64),
    Add(Box<Num>, Box<Num>),
    Sub(Box<Num>, Box<Num>),
    Mul(Box<Num>, Box<Num>),
    Div(Box<Num>, Box<Num>),
    Mod(Box<Num>, Box<Num>),
    Abs(Box<Num>),
}

#[derive(Clone, Debug)]
enum Fml {
    Le(Num, Num),
    Eq(Num, Num),
    Not(Box<Fml>),
    Or(Box<Fml>, Box<Fml>),
    And(Box<Fml>, Box<Fml>),
}

fn number() -> BoxedStrategy<Num> {
    let leaf = prop_oneof![3 => (0..2usize).prop_map(Num::Var), 1 => (-4..5i64).prop_map(Num::Const)];
    leaf.prop_recursive(2, 6, 2, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            2 => pair.clone().prop_map(|(a, b)| Num::Add(a, b)),
            1 => pair.clone().prop_map(|(a, b)| Num::Sub(a, b)),
            3 => pair.clone().prop_map(|(a, b)| Num::Mul(a, b)),
            1 => pair.clone().prop_map(|(a, b)| Num::Div(a, b)),
            1 => pair.prop_map(|(a, b)| Num::Mod(a, b)),
            1 => inner.prop_map(|a| Num::Abs(Box::new(a))),
        ]
    })
    .boxed()
}

fn formula() -> BoxedStrategy<Fml> {
    let leaf = prop_oneof![
        (number(), number()).prop_map(|(a, b)| Fml::Le(a, b)),
        (number(), number()).prop_map(|(a, b)| Fml::Eq(a, b)),
    ];
    leaf.prop_recursive(2, 5, 2, |inner| {
        let pair = (inner.clone(), inner.clone()).prop_map(|(a, b)| (Box::new(a), Box::new(b)));
        prop_oneof![
            inner.prop_map(|a| Fml::Not(Box::new(a))),
            pair.clone().prop_map(|(a, b)| Fml::Or(a, b)),
            pair.prop_map(|(a, b)| Fml::And(a, b)),
        ]
    })
    .boxed()
}

impl Num {
    fn text(&self, divisors: &mut Vec<String>) -> String {
        let mut both = |operator: &str, a: &Num, b: &Num| {
            let (a, b) = (a.text(divisors), b.text(divisors));
            if matches!(operator, "div" | "mod") {
                divisors.push(b.clone());
            }
            format!("({operator} {a} {b})")
        };
        match self {
            Num::Var(i) => format!("x{i}"),
            Num::Const(value) if *value < 0 => format!("(- {})", -value),
            Num::Const(value) => value.to_string(),
            Num::Add(a, b) => both("+", a, b),
            Num::Sub(a, b) => both("-", a, b),
            Num::Mul(a, b) => both("*", a, b),
            Num::Div(a, b) => both("div", a, b),
            Num::Mod(a, b) => both("mod", a, b),
            Num::Abs(a) => format!("(abs {})", a.text(divisors)),
        }
    }

    /// The value; none if there is a division by zero.
    fn value(&self, point: [i64; 2]) -> Option<i64> {
        let both = |a: &Num, b: &Num| Some((a.value(point)?, b.value(point)?));
        Some(match self {
            Num::Var(i) => point[*i],
            Num::Const(value) => *value,
            Num::Add(a, b) => both(a, b).map(|(a, b)| a + b)?,
            Num::Sub(a, b) => both(a, b).map(|(a, b)| a - b)?,
            Num::Mul(a, b) => both(a, b).map(|(a, b)| a * b)?,
            Num::Div(a, b) => both(a, b).and_then(|(a, b)| a.checked_div_euclid(b))?,
            Num::Mod(a, b) => both(a, b).and_then(|(a, b)| a.checked_rem_euclid(b))?,
            Num::Abs(a) => a.value(point)?.abs(),
        })
    }
}

impl Fml {
    fn text(&self, divisors: &mut Vec<String>) -> String {
        match self {
            Fml::Le(a, b) => format!("(<= {} {})", a.text(divisors), b.text(divisors)),
            Fml::Eq(a, b) => format!("(= {} {})", a.text(divisors), b.text(divisors)),
            Fml::Not(a) => format!("(not {})", a.text(divisors)),
            Fml::Or(a, b) => format!("(or {} {})", a.text(divisors), b.text(divisors)),
            Fml::And(a, b) => format!("(and {} {})", a.text(divisors), b.text(divisors)),
        }
    }

    fn value(&self, point: [i64; 2]) -> Option<bool> {
        // A division by zero anywhere makes the point no solution: all parts are looked at.
        Some(match self {
            Fml::Le(a, b) => a.value(point)? <= b.value(point)?,
            Fml::Eq(a, b) => a.value(point)? == b.value(point)?,
            Fml::Not(a) => !a.value(point)?,
            Fml::Or(a, b) => a.value(point)? | b.value(point)?,
            Fml::And(a, b) => a.value(point)? & b.value(point)?,
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    /// The session evaluates each model itself; here both answers are compared with the truth.
    #[test]
    fn answers_agree_with_enumeration(list in prop::collection::vec(formula(), 1..4)) {
        let mut divisors = Vec::new();
        let mut text = String::from("(declare-const x0 Int)(declare-const x1 Int)(assert (<= (- 4) x0 4))(assert (<= (- 4) x1 4))");
        for formula in &list {
            let formula = formula.text(&mut divisors);
            text += &format!("(assert {formula})");
        }
        for divisor in divisors {
            text += &format!("(assert (distinct {divisor} 0))");
        }
        let mut printed = Vec::new();
        let options = Options { ticks: Some(1_000_000), ..Options::default() };
        run(&(text.clone() + "(check-sat)"), &mut printed, &options).expect("writing to memory succeeds");
        let printed = String::from_utf8(printed).expect("answers are text");
        let holds = |point| list.iter().all(|formula| formula.value(point).unwrap_or(false));
        let all_defined = |point| list.iter().all(|formula| formula.value(point).is_some());
        let is_sat = (-4..=4).any(|x| (-4..=4).any(|y| all_defined([x, y]) && holds([x, y])));
        let expected = if is_sat { "sat\n" } else { "unsat\n" };
        prop_assert!(printed == expected || printed == "unknown\n", "{} instead of {} for {}", printed, expected, text);
    }
}
