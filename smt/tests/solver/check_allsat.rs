//! `check-allsat`: scripts with the cubes that they have to print, in whatever order.

use provident_smt::smtlib::{Options, run};
use std::collections::BTreeSet;

fn answers(script: &str) -> Vec<String> {
    let mut out = Vec::new();
    run(script, &mut out, &Options::default()).expect("strings accept text");
    String::from_utf8(out)
        .expect("answers are text")
        .lines()
        .map(str::to_owned)
        .collect()
}

/// All values of `names` that the printed cubes allow.
fn valuations(cubes: &[String], names: &[&str]) -> BTreeSet<Vec<bool>> {
    let mut all = BTreeSet::new();
    for bits in 0..1_u32 << names.len() {
        let values: Vec<bool> = (0..names.len()).map(|i| bits >> i & 1 == 1).collect();
        let agrees = |cube: &&String| {
            let holds = |(name, &value): (&&str, &bool)| {
                let negated = cube.contains(&format!("(not {name})"));
                let mentioned = cube
                    .trim_matches(['(', ')'])
                    .split([' ', '(', ')'])
                    .any(|word| word == *name);
                !mentioned || negated != value
            };
            names.iter().zip(&values).all(holds)
        };
        let count = cubes.iter().filter(agrees).count();
        assert!(count <= 1, "cubes are disjoint");
        if count == 1 {
            all.insert(values);
        }
    }
    all
}

#[test]
fn cubes_are_the_values_of_the_formulas() {
    let script = "(declare-const x Int)(declare-const p Bool)(declare-const q Bool)(declare-const r Bool)
        (assert (= p (< x 3)))(assert (= q (> x 5)))(check-allsat (p q r))(check-sat)";
    let printed = answers(script);
    let (last, rest) = printed.split_last().expect("a check-sat answers");
    let (answer, cubes) = rest.split_last().expect("the enumeration answers");
    assert_eq!((last.as_str(), answer.as_str()), ("sat", "sat"));
    let found = valuations(cubes, &["p", "q", "r"]);
    let expected: BTreeSet<Vec<bool>> = [[true, false], [false, true], [false, false]]
        .iter()
        .flat_map(|pq| [false, true].map(|r| vec![pq[0], pq[1], r]))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn nothing_is_printed_for_contradictions_and_scopes_end() {
    let script = "(declare-const x Int)(declare-const p Bool)(assert (= p (< x 3)))
        (push 1)(assert (> x 7))(assert (< x 7))(check-allsat (p))(pop 1)(assert p)(check-allsat (p))";
    assert_eq!(answers(script), ["unsat", "(p)", "sat"]);
}

#[test]
fn named_assertions_hold_under_cores() {
    let script = "(set-option :produce-unsat-cores true)(declare-const p Bool)(declare-const q Bool)
        (assert (! (not (= p q)) :named different))(check-allsat (p q))";
    let printed = answers(script);
    let (answer, cubes) = printed.split_last().expect("the enumeration answers");
    assert_eq!(answer, "sat");
    let expected = BTreeSet::from([vec![false, true], vec![true, false]]);
    assert_eq!(valuations(cubes, &["p", "q"]), expected);
}

#[test]
fn conditional_definitions_and_functions() {
    // With and without a conditional term in the definition of `y`: the same values.
    let common = "(declare-fun f (Int) Int)(declare-const x Int)(declare-const y Int)(declare-const p Bool)(declare-const q Bool)
        (assert (= p (= (f x) (f y))))(assert (= q (<= y 4)))(assert (<= 0 x 6))";
    let by_term = format!("{common}(assert (= y (ite (< x 2) x (ite (< x 4) (+ x 2) 9))))(check-allsat (p q))");
    let by_cases =
        format!("{common}(assert (ite (< x 2) (= y x) (ite (< x 4) (= y (+ x 2)) (= y 9))))(check-allsat (p q))");
    let found = [by_term, by_cases].map(|script| {
        let printed = answers(&script);
        let (answer, cubes) = printed.split_last().expect("the enumeration answers");
        assert_eq!(answer, "sat");
        valuations(cubes, &["p", "q"])
    });
    assert_eq!(found[0], found[1]);
    assert!(found[0].contains(&vec![false, false]) && found[0].contains(&vec![true, true]));
}

#[test]
fn errors_say_what_is_expected() {
    let printed = answers("(declare-const p Bool)(check-allsat p)(check-allsat (7))");
    assert_eq!(printed.len(), 2);
    assert!(
        printed.iter().all(|line| line.starts_with("(error \"1:")),
        "{printed:?}"
    );
}
