//! The Alethe export where definitions of the theories are taken without proof: each proof text is checked by a checker of its own, which knows the definitions.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident_smt::smtlib::Options;

use crate::alethe::{Found, numbers, output, proof_of, script};
use crate::alethe_checker::Checker;

const ELSEWHERE: &str = "an index of constant arrays that is none of the script's\")";

const COMPUTED: &str = "elements of arrays that are written with numbers only\")";

/// Proofs in which definitions are taken without proof.
fn assert_proved_by_definitions(assertions: &[&str]) {
    let assertions: Vec<String> = assertions.iter().map(|&text| text.to_owned()).collect();
    let script = format!("(set-option :alethe-definitions true){}", script(&assertions));
    let found = proof_of(&script, &Options::default());
    assert!(matches!(found, Found::Proof(_)), "{assertions:?}: {found:?}");
}

#[test]
fn quotients_remainders_and_absolute_values() {
    for assertions in [
        &["(= (mod x 3) 5)"][..],
        &["(= (mod x (- 3)) 5)"],
        &["(= (abs x) (- 1))"],
        &["(distinct (abs (- x y)) (abs (- y x)))"],
        &["(< x y)", "(> (div x 4) (div y 4))"],
        &["(distinct (div (div x 2) 3) (div x 6))"],
        &["(distinct (div x (- 7)) (- (div x 7)))"],
        &["(distinct (div (+ (* 4 x) 3) 6) (div (+ (* 2 x) 1) 3))"],
        &["(distinct (+ (* 5 (div x 5)) (mod x 5)) x)"],
        &["(= (div x 2) (div (+ x 1) 2))", "(= (mod x 2) 1)"],
        &["(distinct (mod (+ x 6 y) 3) (mod (+ x y) 3))"],
        &["(distinct (f (mod (f (+ x 1)) 4)) (f (- (f (+ 1 x)) (* 4 (div (f (+ x 1)) 4)))))"],
        &["(distinct (mod (- 7) 3) 2)"],
        &["(> (abs (div x 3)) (abs x))"],
        &["(= (mod (* 3 x) 6) 2)"],
        &["(ite (= (mod x 2) 0) (= x (+ 1 (* 2 y))) (= x (* 2 y)))"],
    ] {
        assert_proved_by_definitions(assertions);
    }
}

#[test]
fn arrays() {
    for assertions in [
        &["(distinct (select (store ma x y) x) y)"][..],
        &["(distinct (select (store ma (+ x 1) y) (+ 1 x)) y)"],
        &["(= mb (store ma x 5))", "(= y x)", "(distinct (select mb y) 5)"],
        &[
            "(= mb (store ma x 5))",
            "(< y x)",
            "(distinct (select mb y) (select ma y))",
        ],
        &["(= ma mb)", "(distinct (select ma x) (select mb x))"],
        &["(= ma mb)", "(= mb mc)", "(distinct ma mc)"],
        &["(distinct ma mb mc)", "(= mb mc)"],
        &["(distinct (store ma x (select ma x)) ma)"],
        &[
            "(distinct (store (store ma x 1) y 2) (store (store ma y 2) x 1))",
            "(distinct x y)",
        ],
        &["(distinct (select (ite a ma mb) x) (ite a (select ma x) (select mb x)))"],
        &["(= (ite a ma mb) mc)", "a", "(distinct (select ma x) (select mc x))"],
        &[
            "(= mb (ite (> x 0) (store ma x 1) ma))",
            "(> x 0)",
            "(< (select mb x) 1)",
        ],
        &[
            "(= (store ma x 1) (store mb x 1))",
            "(distinct (select ma y) (select mb y))",
            "(distinct x y)",
        ],
        &["(= u v)", "(distinct (select ua u) (select ua v))"],
        &["(distinct (select (store ua u 1) v) (select ua v))", "(distinct u v)"],
        &["(distinct (select (store ua u x) u) x)"],
        &["(distinct (store ua u (select ua u)) ua)"],
        &["(distinct (select (store eu x u) x) u)"],
        &[
            "(= ev (store eu x u))",
            "(distinct (select ev y) (select eu y) )",
            "(distinct (select ev y) u)",
        ],
        &["(distinct (store eu x (select eu x)) eu)"],
        &["(not (select (store pa x true) x))"],
        &["(= pb (store pa x a))", "(distinct (select pb x) a)"],
        &[
            "(= pb (store pa x a))",
            "(distinct x y)",
            "(distinct (select pb y) (select pa y))",
        ],
        &["(distinct (store pa x (select pa x)) pa)"],
        &["(distinct (select (store ca a x) a) x)"],
        &["(distinct (select (store ca true x) false) (select ca false))"],
        &[
            "(= cb (store ca a x))",
            "(distinct a b)",
            "(distinct (select ca b) (select cb b))",
        ],
        &[
            "(distinct ca cb)",
            "(= (select ca true) (select cb true))",
            "(= (select ca false) (select cb false))",
        ],
        &["(distinct (select ((as const (Array Int Int)) y) x) y)"],
        &["(= ma ((as const (Array Int Int)) 3))", "(< (select ma x) 3)"],
        &["(= pa ((as const (Array Int Bool)) a))", "(distinct (select pa x) a)"],
        &[
            "(= (select ma (select ma x)) y)",
            "(= (select ma x) x)",
            "(distinct (select ma x) y)",
        ],
    ] {
        assert_proved_by_definitions(assertions);
    }
}

#[test]
fn the_checker_rejects_wrong_definitions() {
    let cases = [
        (
            vec!["(= (mod x 3) 5)".to_owned(), "(= (abs y) (- 1))".to_owned()],
            &[
                ("(+ (div x 3) 1)", "(+ (div x 3) 2)"),
                ("(- x (* 3", "(- y (* 3"),
                ("\"mod\"", "\"div\""),
            ][..],
        ),
        (
            vec!["(= (abs y) (- 1))".to_owned()],
            &[("(- y) y)", "y y)"), ("(< y 0)", "(< y 1)")],
        ),
        (
            vec![
                "(distinct (select (store ma x y) z) (select ma z))".to_owned(),
                "(< x z)".to_owned(),
            ],
            &[("(= x z)", "(= x y)"), ("\"select-other\"", "\"select\"")],
        ),
        (
            vec![
                "(= ma mb)".to_owned(),
                "(= mb mc)".to_owned(),
                "(distinct ma mc)".to_owned(),
            ],
            &[("\"extensionality\"", "\"select\"")],
        ),
    ];
    for (assertions, changes) in cases {
        let script = format!("(set-option :alethe-definitions true){}", script(&assertions));
        let printed = output(&script, &Options::default());
        let proof = printed.strip_prefix("unsat\n").expect("unsatisfiable");
        assert!(Checker::new(&script).check(proof).is_ok());
        assert!(Checker::new(&script.replacen("true", "false", 1)).check(proof).is_err());
        for (from, to) in changes {
            // Only in what is taken without proof: the rest is another test's affair.
            let wrong: String = proof
                .lines()
                .map(|line| match line.contains(":rule hole") {
                    true => line.replace(from, to) + "\n",
                    false => line.to_owned() + "\n",
                })
                .collect();
            assert_ne!(wrong.trim(), proof.trim(), "{from} does not occur in {proof}");
            let checked = std::panic::catch_unwind(|| Checker::new(&script).check(&wrong));
            assert!(!matches!(checked, Ok(Ok(_))), "{from} to {to} was accepted");
        }
    }
}

/// Formulas over integers with operators that definitions explain.
fn defined_formula() -> impl Strategy<Value = String> {
    let relation = || prop::sample::select(vec!["<=", "<", ">=", ">", "=", "distinct"]);
    let atom = (relation(), numbers(true), numbers(true)).prop_map(|(r, a, b)| format!("({r} {a} {b})"));
    atom.prop_recursive(2, 6, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|a| format!("(not {a})")),
            two.clone().prop_map(|(a, b)| format!("(or {a} {b})")),
            two.prop_map(|(a, b)| format!("(= {a} {b})")),
        ]
    })
}

/// The proofs of one kind of random scripts are accepted, and many of them take definitions.
fn random_definitions_are_accepted(formula: impl Strategy<Value = String>) {
    let assertions = prop::collection::vec(formula, 5..11);
    let cases = std::env::var("ALETHE_CASES")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1_500);
    let (mut proofs, mut with_definitions) = (0, 0);
    let mut runner = TestRunner::new_with_rng(
        ProptestConfig::default(),
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    for _ in 0..cases {
        let assertions = assertions.new_tree(&mut runner).expect("a script").current();
        let options = Options {
            ticks: Some(200_000),
            ..Options::default()
        };
        let script = script(&assertions);
        let plain = proof_of(&script, &options);
        let found = proof_of(&format!("(set-option :alethe-definitions true){script}"), &options);
        match found {
            Found::Unsupported(why) if why == COMPUTED || why == ELSEWHERE => {}
            Found::Unsupported(why) => panic!("{why}\n{script}"),
            Found::Proof(_) => {
                proofs += 1;
                with_definitions += u32::from(matches!(plain, Found::Unsupported(_)));
            }
            Found::None => {}
        }
    }
    println!("{proofs} proofs, {with_definitions} with definitions");
    assert!(
        with_definitions > 50,
        "{proofs} proofs, {with_definitions} with definitions"
    );
}

/// Literals over arrays of one sort: integers by integers, elements of a declared sort, truth values, and truth values as indices.
fn array_literal() -> impl Strategy<Value = String> {
    let sorts = [
        (
            ["ma", "mb", "((as const (Array Int Int)) y)"],
            ["x", "y", "z"],
            ["x", "y", "2"],
        ),
        (
            ["pa", "pb", "((as const (Array Int Bool)) a)"],
            ["x", "y", "z"],
            ["a", "(< x y)", "false"],
        ),
        (
            ["ca", "cb", "((as const (Array Bool Int)) 1)"],
            ["a", "b", "true"],
            ["x", "y", "1"],
        ),
        (["ma", "mb", "mc"], ["x", "y", "(+ x 1)"], ["x", "y", "1"]),
        (["eu", "ev", "eu"], ["x", "y", "0"], ["u", "v", "w"]),
        (["ua", "ub", "ua"], ["u", "v", "w"], ["x", "y", "1"]),
        (["pa", "pb", "pa"], ["x", "y", "z"], ["a", "b", "true"]),
        (["ca", "cb", "ca"], ["a", "b", "(not a)"], ["x", "y", "1"]),
    ];
    let array = |names: [&'static str; 3], indices: [&'static str; 3], values: [&'static str; 3]| {
        let leaf = prop::sample::select(names.to_vec()).prop_map(str::to_owned);
        leaf.prop_recursive(2, 4, 2, move |inner| {
            let (index, value) = (
                prop::sample::select(indices.to_vec()),
                prop::sample::select(values.to_vec()),
            );
            prop_oneof![
                4 => (inner.clone(), index, value).prop_map(|(a, i, v)| format!("(store {a} {i} {v})")),
                1 => (prop::sample::select(vec!["a", "(< x y)"]), inner.clone(), inner)
                    .prop_map(|(c, a, b)| format!("(ite {c} {a} {b})")),
            ]
        })
    };
    prop::sample::select(sorts.to_vec()).prop_flat_map(move |(names, indices, values)| {
        let (index, value) = (
            prop::sample::select(indices.to_vec()),
            prop::sample::select(values.to_vec()),
        );
        let array = || array(names, indices, values);
        prop_oneof![
            2 => (array(), index.clone(), value).prop_map(|(a, i, v)| format!("(= (select {a} {i}) {v})")),
            2 => (array(), array(), index.clone())
                .prop_map(|(a, b, i)| format!("(distinct (select {a} {i}) (select {b} {i}))")),
            3 => (array(), array()).prop_map(|(a, b)| format!("(= {a} {b})")),
            1 => (array(), array()).prop_map(|(a, b)| format!("(distinct {a} {b})")),
            1 => (index.clone(), index).prop_map(|(i, j)| format!("(= {i} {j})")),
        ]
    })
}

#[test]
fn random_arrays_are_accepted() {
    let clause = prop::collection::vec(array_literal(), 1..3).prop_map(|mut all| match all.pop() {
        Some(last) if all.is_empty() => last,
        Some(last) => format!("(or {} (not {last}))", all.join(" ")),
        None => "false".to_owned(),
    });
    random_definitions_are_accepted(clause);
}

#[test]
fn random_quotients_are_accepted() {
    random_definitions_are_accepted(defined_formula());
}
