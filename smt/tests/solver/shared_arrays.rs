//! Interpolants with equations between arrays that several partitions share.
//!
//! Each one is printed and read again, in scripts that know nothing of the interpolation: the partitions before it imply it, and those behind it contradict it.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident_smt::smtlib::{Options, run};
use std::cell::Cell;

const DECLARATIONS: &str = "(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const c (Array Int Int))(declare-const d (Array Int Int))
(declare-const i Int)(declare-const j Int)(declare-const k Int)(declare-const v Int)(declare-const w Int)
(declare-const p Int)(declare-const q Int)(declare-const r Int)(declare-const z Int)
(define-fun zeros () (Array Int Int) ((as const (Array Int Int)) 0))";

/// The same names in a theory without arithmetic.
const ELEMENTS: &str = "(declare-sort I 0)(declare-sort E 0)(declare-const a (Array I E))(declare-const b (Array I E))(declare-const c (Array I E))(declare-const d (Array I E))
(declare-const i I)(declare-const j I)(declare-const k I)(declare-const p I)(declare-const q I)(declare-const r I)(declare-const v E)(declare-const w E)(declare-const z E)";

/// The output of a script. Every `unsat` and interpolant is checked.
fn answers(script: &str) -> String {
    let options = Options {
        ticks: Some(20_000_000),
        check: true,
        ..Options::default()
    };
    let mut out = Vec::new();
    let declarations = if script.starts_with("(set-logic QF_AX)") {
        ""
    } else {
        DECLARATIONS
    };
    run(&format!("{declarations}{script}"), &mut out, &options).expect("memory can be written");
    String::from_utf8(out).expect("answers are text")
}

/// The interpolants of a sequence, as texts, if it is unsatisfiable and has some.
fn interpolants(parts: &[String]) -> Option<Result<Vec<String>, String>> {
    interpolants_with("", parts)
}

fn interpolants_with(head: &str, parts: &[String]) -> Option<Result<Vec<String>, String>> {
    let mut script = head.to_owned();
    for (number, part) in parts.iter().enumerate() {
        script += &format!("(assert (! {part} :named P{number}))");
    }
    let names: Vec<String> = (0..parts.len()).map(|number| format!("P{number}")).collect();
    let printed = answers(&format!("{script}(check-sat)(get-interpolants {})", names.join(" ")));
    assert!(!printed.contains("internal"), "{printed}\n{parts:?}");
    let printed = printed.strip_prefix("unsat\n")?.trim();
    Some(match printed.strip_prefix("(error ") {
        Some(error) => Err(error.to_string()),
        None => Ok(top_level(&printed[1..printed.len() - 1])),
    })
}

/// The formulas of a list.
fn top_level(text: &str) -> Vec<String> {
    let (mut formulas, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                formulas.push(text[start..at].to_string());
                start = at + 1;
            }
            _ => {}
        }
    }
    formulas.push(text[start..].to_string());
    formulas
}

/// The constants and arrays of a text.
fn names(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text
        .split(|c: char| !c.is_alphanumeric() && c != '.')
        .filter(|word| word.len() == 1 && word.chars().all(char::is_alphabetic))
        .collect();
    words.sort_unstable();
    words.dedup();
    words
}

/// Interpolants follow from each other through the parts, and have no names but those that both sides have.
fn check(parts: &[String], found: &[String]) {
    check_with("", parts, found);
}

fn check_with(head: &str, parts: &[String], found: &[String]) {
    let mut all = vec!["true".to_string()];
    all.extend(found.iter().cloned());
    all.push("false".to_string());
    for (number, part) in parts.iter().enumerate() {
        let (before, behind) = (&all[number], &all[number + 1]);
        let answer = answers(&format!(
            "{head}(assert {before})(assert {part})(assert (not {behind}))(check-sat)"
        ));
        assert_eq!(answer, "unsat\n", "{before} and {part} do not imply {behind}");
    }
    for (cut, interpolant) in (1..).zip(found) {
        let sides = [parts[..cut].join(" "), parts[cut..].join(" ")];
        for name in names(interpolant) {
            assert!(
                sides.iter().all(|side| names(side).contains(&name)),
                "{name} in {interpolant} of {parts:?}"
            );
        }
    }
}

#[test]
fn equations_are_found() {
    let problems: &[(&str, &[&str])] = &[
        ("a copy", &["(= b a)", "(not (= (select a i) (select b i)))"]),
        (
            "a copy of a copy",
            &["(and (= b a) (= c b))", "(not (= (select a i) (select c i)))"],
        ),
        (
            "written as it was",
            &["(= b (store a i (select a i)))", "(not (= a b))"],
        ),
        ("constant", &["(= a zeros)", "(= (select a i) 1)"]),
        (
            "one of two",
            &[
                "(= b (ite (> v 0) a c))",
                "(and (not (= (select b j) (select a j))) (not (= (select b k) (select c k))))",
            ],
        ),
        (
            "equal but for one",
            &[
                "(= (store a i v) (store b i v))",
                "(and (not (= i j)) (not (= (select a j) (select b j))))",
            ],
        ),
        (
            "written once",
            &[
                "(= b (store a i v))",
                "(and (not (= i j)) (not (= (select a j) (select b j))))",
            ],
        ),
        (
            "written twice",
            &[
                "(= b (store (store a i v) k w))",
                "(and (distinct i j k) (not (= (select a j) (select b j))))",
            ],
        ),
        (
            "passed on",
            &[
                "(and (= b a) (= d b))",
                "(= c d)",
                "(not (= (select a j) (select c j)))",
            ],
        ),
        (
            "a known index",
            &[
                "(and (= b (store a i v)) (> j 0))",
                "(and (distinct (select a j) (select b j)) (distinct (select a k) (select b k)) (< k j))",
            ],
        ),
        (
            "a number",
            &[
                "(= b (store a i v))",
                "(and (distinct (select a 1) (select b 1)) (distinct (select a k) (select b k)) (distinct 1 k))",
            ],
        ),
        (
            "what an index is",
            &[
                "(and (= b (store a i v)) (= i (+ j 1)))",
                "(and (distinct (select a k) (select b k)) (distinct k (+ 1 j)))",
            ],
        ),
        (
            "a known one of two",
            &[
                "(and (= b (store (store a i v) q w)) (distinct q j) (= i j))",
                "(and (distinct (select a k) (select b k)) (distinct (select a p) (select b p)) (distinct j k p))",
            ],
        ),
        (
            "an unknown index",
            &[
                "(= b (store a i v))",
                "(and (distinct (select a j) (select b j)) (distinct (select a k) (select b k)) (distinct j k))",
            ],
        ),
    ];
    let mut table = String::new();
    for (name, parts) in problems {
        let parts: Vec<String> = parts.iter().map(|part| part.to_string()).collect();
        let found = interpolants(&parts).expect("a problem has no model");
        if let Ok(found) = &found {
            check(&parts, found);
        }
        let text = found.map_or_else(
            |error| error.split("; ").next().unwrap_or_default().to_string(),
            |all| all.join(" "),
        );
        table += &format!("{name}: {text}\n");
    }
    expect_test::expect![[r#"
        a copy: (= a b)
        a copy of a copy: (= a c)
        written as it was: (= a b)
        constant: (= ((as const (Array Int Int)) 0) a)
        one of two: (or (= a b) (= b c))
        equal but for one: (= (store a i (select b i)) b)
        written once: (= (store a i (select b i)) b)
        written twice: (= (store (store a i (select b i)) k (select b k)) b)
        passed on: (= a d) (= a c)
        a known index: (or (= (select a j) (select b j)) (= (store a j (select b j)) b))
        a number: (or (= (select a 1) (select b 1)) (= (store a 1 (select b 1)) b))
        what an index is: (= (store a (+ j 1) (select b (+ j 1))) b)
        a known one of two: "4:282: no interpolants: what the partitions say of arrays that they share, of the indices that they share and of the elements there is not contradictory
        an unknown index: "4:239: no interpolants: what the partitions say of arrays that they share, of the indices that they share and of the elements there is not contradictory
    "#]]
    .assert_eq(&table);
}

/// The symbols that children of a tree have in common go through its root.
#[test]
fn equations_of_trees_are_found() {
    let script = "(assert (! (= b a) :named A))(assert (! (= c a) :named B))(assert (! (not (= (select b j) (select c j))) :named C))(check-sat)(get-interpolants A (B) C)";
    assert_eq!(answers(script), "unsat\n((= a b) (= a c))\n");
}

fn literal() -> impl Strategy<Value = String> {
    let array = || select(&["a", "b", "c", "d"][..]);
    let index = || select(&["i", "j", "k"][..]);
    let value = || select(&["v", "w", "1"][..]);
    prop_oneof![
        (array(), array()).prop_map(|(a, b)| format!("(= {a} {b})")),
        (array(), array(), index(), value()).prop_map(|(a, b, i, v)| format!("(= {a} (store {b} {i} {v}))")),
        (array(), array(), index()).prop_map(|(a, b, i)| format!("(not (= (select {a} {i}) (select {b} {i})))")),
        (index(), index()).prop_map(|(i, j)| format!("(not (= {i} {j}))")),
        (array(), array()).prop_map(|(a, b)| format!("(not (= {a} {b}))")),
        (array(), index(), value()).prop_map(|(a, i, v)| format!("(= (select {a} {i}) {v})")),
    ]
}

#[test]
fn random_interpolants_are_right() {
    let part = proptest::collection::vec(literal(), 2..5).prop_map(|all| format!("(and {})", all.join(" ")));
    let parts = proptest::collection::vec(part, 2..4);
    let (found, refused) = (Cell::new(0), Cell::new(0));
    let config = ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&parts, |parts| {
        match interpolants(&parts) {
            Some(Ok(all)) => {
                check(&parts, &all);
                found.set(found.get() + 1);
            }
            Some(Err(_)) => refused.set(refused.get() + 1),
            None => {}
        }
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(
        found.get() > 10 * refused.get() && found.get() > 50,
        "{found:?} found, {refused:?} refused"
    );
}

/// A literal of one of two partitions, which share `a`, `b`, `j` and `v`.
fn private_literal(number: usize, has_orders: bool) -> impl Strategy<Value = String> {
    let array = move || select([["a", "b", "c"], ["a", "b", "d"]][number].to_vec());
    let index = move || select([["j", "i", "p"], ["j", "q", "r"]][number].to_vec());
    let value = move || select([["v", "w"], ["v", "z"]][number].to_vec());
    let order = move || select(if has_orders { vec!["=", "<", "<="] } else { vec!["="] });
    let (writes, reads) = if number == 0 { (4, 1) } else { (1, 4) };
    prop_oneof![
        writes => (array(), array(), index(), value()).prop_map(|(a, b, i, v)| format!("(= {a} (store {b} {i} {v}))")),
        writes => (array(), array(), (index(), value()), (index(), value()))
            .prop_map(|(a, b, (i, v), (j, w))| format!("(= {a} (store (store {b} {i} {v}) {j} {w}))")),
        reads => (index(), index()).prop_map(|(i, j)| format!("(distinct (select a {i}) (select b {j}))")),
        2 => (array(), array(), index()).prop_map(|(a, b, i)| format!("(distinct (select {a} {i}) (select {b} {i}))")),
        2 => (array(), index(), value()).prop_map(|(a, i, v)| format!("(= (select {a} {i}) {v})")),
        2 => (index(), index()).prop_map(|(i, j)| format!("(distinct {i} {j})")),
        1 => (order(), index(), index()).prop_map(|(relation, i, j)| format!("({relation} {i} {j})")),
        1 => (array(), array()).prop_map(|(a, b)| format!("(distinct {a} {b})")),
        1 => (array(), array()).prop_map(|(a, b)| format!("(= {a} {b})")),
    ]
}

/// If one partition writes at indices of its own, there is an interpolant, or none can be without a name for an index at which the arrays differ.
#[test]
fn random_interpolants_of_private_indices_are_right() {
    let mut table = String::new();
    for (logic, head) in [
        ("QF_ALIA", String::new()),
        ("QF_AX", format!("(set-logic QF_AX){ELEMENTS}")),
    ] {
        let has_orders = head.is_empty();
        let part = |number| {
            let literals = proptest::collection::vec(private_literal(number, has_orders), 2..6);
            literals.prop_map(|all| format!("(and {})", all.join(" ")))
        };
        let (found, refused) = (Cell::new(0), Cell::new(0));
        let config = ProptestConfig {
            cases: 600,
            failure_persistence: None,
            ..ProptestConfig::default()
        };
        let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let result = runner.run(&(part(0), part(1)), |(first, second)| {
            let parts = [first, second];
            match interpolants_with(&head, &parts) {
                Some(Ok(all)) => {
                    check_with(&head, &parts, &all);
                    found.set(found.get() + 1);
                }
                Some(Err(error)) => {
                    prop_assert!(error.contains("name an index at which"), "{error}");
                    refused.set(refused.get() + 1);
                }
                None => {}
            }
            Ok(())
        });
        result.unwrap_or_else(|failure| panic!("{failure}"));
        table += &format!("{logic}: {} found, {} have none\n", found.get(), refused.get());
    }
    expect_test::expect![[r#"
        QF_ALIA: 361 found, 2 have none
        QF_AX: 353 found, 3 have none
    "#]]
    .assert_eq(&table);
}
