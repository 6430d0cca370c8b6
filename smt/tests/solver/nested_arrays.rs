//! Random scripts with arrays of arrays, arrays as indices, and functions over arrays.
//!
//! A model is printed, and read as the definitions of another script, in which nothing is left open: there everything that was asserted is true, and terms that were not have the values that the model said.
//! In the other direction, what is true in a model that is made up first cannot be `unsat`. Interpolants get certificates.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident_smt::smtlib::{Options, run};
use std::cell::Cell;

const DECLARATIONS: &str = "(declare-const i Int)(declare-const j Int)(declare-const a (Array Int Int))(declare-const b (Array Int Int))(declare-const m (Array Int (Array Int Int)))(declare-const n (Array Int (Array Int Int)))
(declare-const k (Array (Array Int Int) Int))(declare-const s (Array Int Bool))(declare-const c (Array Int (Array Int Bool)))(declare-fun f ((Array Int Int)) Int)(declare-fun g (Int) (Array Int Int))
(declare-fun h ((Array Int Bool) (Array Int Int)) Bool)(declare-fun d ((Array Int Bool)) (Array Int Bool))\n";

/// The output of a script. Every `unsat` and interpolant is checked.
fn answers(script: &str) -> String {
    let options = Options {
        ticks: Some(300_000),
        check: true,
        ..Options::default()
    };
    let mut out = Vec::new();
    run(script, &mut out, &options).expect("memory can be written");
    String::from_utf8(out).expect("answers are text")
}

/// A term of each sort.
#[derive(Clone, Debug)]
struct Terms {
    int: String,
    row: String,
    table: String,
    set: String,
    formula: String,
}

fn leaf() -> impl Strategy<Value = Terms> {
    let int = select(&["i", "j", "0", "1", "(f a)", "(select a i)", "(select k b)"][..]);
    let row = select(&["a", "b", "(g 0)", "(select m i)", "(select m 1)"][..]);
    let (table, set) = (select(&["m", "n"][..]), select(&["s", "(select c i)", "(d s)"][..]));
    (int, row, table, set, select(&["(= i j)", "(= a b)", "(h s a)"][..])).prop_map(
        |(int, row, table, set, formula)| Terms {
            int: int.to_string(),
            row: row.to_string(),
            table: table.to_string(),
            set: set.to_string(),
            formula: formula.to_string(),
        },
    )
}

fn terms() -> impl Strategy<Value = Terms> {
    leaf().prop_recursive(2, 16, 3, |inner| {
        let forms = (0..5u8, 0..5u8, 0..3u8, 0..4u8, 0..9u8);
        (inner.clone(), inner.clone(), inner, forms).prop_map(|(t, u, v, (int, row, table, set, formula))| Terms {
            int: match int {
                0 => format!("(select {} {})", t.row, u.int),
                1 => format!("(f {})", t.row),
                2 => format!("(select k {})", t.row),
                3 => format!("(+ {} 1)", t.int),
                _ => format!("(ite {} {} {})", v.formula, t.int, u.int),
            },
            row: match row {
                0 => format!("(store {} {} {})", t.row, t.int, u.int),
                1 => format!("(select {} {})", t.table, u.int),
                2 => format!("(g {})", t.int),
                3 => format!("(store {} {} (select {} {}))", t.row, u.int, v.row, u.int),
                _ => format!("(ite {} {} {})", v.formula, t.row, u.row),
            },
            table: match table {
                0 => t.table.clone(),
                1 => format!("(store {} {} {})", t.table, u.int, v.row),
                _ => format!("(ite {} {} {})", v.formula, t.table, u.table),
            },
            set: match set {
                0 => format!("(store {} {} {})", t.set, u.int, v.formula),
                1 => format!("(select c {})", t.int),
                2 => format!("(d {})", t.set),
                _ => t.set.clone(),
            },
            formula: match formula {
                0 => format!("(= {} {})", t.int, u.int),
                1 => format!("(= {} {})", t.row, u.row),
                2 => format!("(= {} {})", t.table, u.table),
                3 => format!("(= {} {})", t.set, u.set),
                4 => format!("(h {} {})", t.set, u.row),
                5 => format!("(select {} {})", t.set, u.int),
                6 => format!("(not {})", t.formula),
                7 => format!("(distinct {} {})", t.row, u.row),
                _ => format!("(or {} {})", t.formula, u.formula),
            },
        })
    })
}

/// The answer to the assertions. A model of them is one, and terms have the values that it says.
fn check(assertions: &[String], others: &[String]) -> Result<&'static str, TestCaseError> {
    let asserted: String = assertions.iter().map(|f| format!("(assert {f})\n")).collect();
    let ask = format!("(set-option :produce-models true)\n{DECLARATIONS}{asserted}(check-sat)\n");
    let script = format!("{ask}(get-model)\n");
    let answer = answers(&script);
    let Some(model) = answer.strip_prefix("sat\n(") else {
        prop_assert!(!answer.contains("internal error"), "{}\n{}", script, answer);
        return Ok(if answer.starts_with("unsat") {
            "unsat"
        } else {
            "unknown"
        });
    };
    let definitions = model.trim_end().strip_suffix(')').expect("a model is a list");
    let again = answers(&format!("{definitions}{asserted}(check-sat)\n"));
    prop_assert!(
        matches!(again.as_str(), "sat\n" | "unknown\n"),
        "{}\n{}",
        script,
        answer
    );
    if again != "sat\n" {
        return Ok("unknown");
    }
    for term in assertions.iter().chain(others) {
        let valued = format!("{ask}(get-value ({term}))\n");
        let said = answers(&valued);
        let value = said
            .strip_prefix("sat\n((")
            .and_then(|said| said.trim_end().strip_suffix("))"));
        let value = value.and_then(|said| said.strip_prefix(term.as_str()));
        let value = value.ok_or_else(|| TestCaseError::fail(format!("{valued}\n{said}")))?;
        let again = format!("{definitions}(assert (distinct {term} {value}))(check-sat)\n");
        prop_assert_ne!(answers(&again), "sat\n", "{}\n{}\n{}", valued, said, again);
    }
    Ok("sat")
}

/// A model that numbers below 4 make up.
fn made_up(numbers: &[u8]) -> String {
    let mut numbers = numbers.iter().cycle().copied();
    let mut next = || numbers.next().expect("there are numbers");
    let mut row = || {
        format!(
            "(store (store ((as const (Array Int Int)) {}) 0 {}) 1 {})",
            next() % 2,
            next(),
            next()
        )
    };
    let rows: [String; 10] = std::array::from_fn(|_| row());
    let mut set = || format!("(store ((as const (Array Int Bool)) {}) {} true)", next() > 2, next());
    let sets: [String; 5] = std::array::from_fn(|_| set());
    let [a, b, m0, m1, n0, n1, g0, g1, r0, r1] = &rows;
    let [s, c0, c1, d0, d1] = &sets;
    let nested = |name: &str, first: &str, second: &str| {
        let sort = "(Array Int (Array Int Int))";
        format!("(define-fun {name} () {sort} (store ((as const {sort}) {first}) 1 {second}))\n")
    };
    let (i, j, v, w) = (next(), next(), next(), next());
    format!(
        "(define-fun i () Int {i})(define-fun j () Int {j})(define-fun a () (Array Int Int) {a})(define-fun b () (Array Int Int) {b})
{}{}(declare-const k0 (Array (Array Int Int) Int))(define-fun k () (Array (Array Int Int) Int) (store (store k0 {r0} {v}) {r1} {w}))
(define-fun s () (Array Int Bool) {s})(define-fun c () (Array Int (Array Int Bool)) (store ((as const (Array Int (Array Int Bool))) {c0}) 0 {c1}))
(define-fun f ((x (Array Int Int))) Int (ite (= x {r0}) {v} (ite (= x a) {w} 0)))(define-fun g ((x Int)) (Array Int Int) (ite (= x 0) {g0} {g1}))
(define-fun h ((x (Array Int Bool)) (y (Array Int Int))) Bool (or (= x s) (= y {r1})))(define-fun d ((x (Array Int Bool))) (Array Int Bool) (ite (= x {d0}) s {d1}))\n",
        nested("m", m0, m1),
        nested("n", n0, n1)
    )
}

#[test]
fn facts_of_a_model_are_satisfiable() {
    let parts = (prop::collection::vec(terms(), 2..9), prop::collection::vec(0..4_u8, 40));
    let result = runner(250).run(&parts, |(all, numbers)| {
        let model = made_up(&numbers);
        let formulas: Vec<String> = all.into_iter().map(|terms| terms.formula).collect();
        let mut facts = String::new();
        for formula in &formulas {
            let asked = format!("(set-option :produce-models true)\n{model}(check-sat)\n(get-value ({formula}))\n");
            let said = answers(&asked);
            let fact = match () {
                () if said.ends_with(" true))\n") => formula.clone(),
                () if said.ends_with(" false))\n") => format!("(not {formula})"),
                () => return Err(TestCaseError::fail(format!("{asked}\n{said}"))),
            };
            facts.push_str(&format!("(assert {fact})\n"));
        }
        let script = format!("{DECLARATIONS}{facts}(check-sat)\n");
        prop_assert_eq!(answers(&script), "sat\n", "{}\n{}", model, script);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

fn runner(cases: u32) -> TestRunner {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn models_with_nested_arrays_are_models() {
    let (sat, unsat) = (Cell::new(0), Cell::new(0));
    let result = runner(250).run(&prop::collection::vec(terms(), 2..9), |all| {
        let others = [
            all[0].row.clone(),
            all[0].int.clone(),
            all[1].table.clone(),
            all[1].set.clone(),
        ];
        let assertions: Vec<String> = all.into_iter().map(|terms| terms.formula).collect();
        match check(&assertions, &others)? {
            "sat" => sat.set(sat.get() + 1),
            "unsat" => unsat.set(unsat.get() + 1),
            _ => {}
        }
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(
        sat.get() > 60 && unsat.get() > 20,
        "{} sat, {} unsat",
        sat.get(),
        unsat.get()
    );
}

/// Arrays that no name stands for differ from all others: here there are two, and `m` itself is at most one of them.
#[test]
fn arrays_without_names_differ() {
    let assertions = [
        "(distinct m n)",
        "(distinct (store m 0 a) (store n 0 a))",
        "(= (f a) 0)",
        "(= (select a 0) 0)",
    ];
    let assertions = assertions.map(str::to_string);
    assert_eq!(check(&assertions, &["m".to_string(), "n".to_string()]).unwrap(), "sat");
}

/// Interpolants have certificates, and no symbol of one side.
#[test]
fn interpolants_over_nested_arrays_are_certified() {
    let (found, tried) = (Cell::new(0), Cell::new(0));
    let sides = (
        prop::collection::vec(terms(), 2..6),
        prop::collection::vec(terms(), 2..6),
    );
    let result = runner(400).run(&sides, |(left, right)| {
        let side = |all: Vec<Terms>, from: &str, to: &str| {
            let formulas: Vec<String> = all.into_iter().map(|terms| terms.formula).collect();
            // One array of each side is its own.
            format!("(and {})", formulas.join(" ")).replace(&format!(" {from}"), &format!(" {to}"))
        };
        let (left, right) = (side(left, "n", "nleft"), side(right, "n", "nright"));
        let script = format!(
            "{DECLARATIONS}(declare-const nleft (Array Int (Array Int Int)))(declare-const nright (Array Int (Array Int Int)))(assert (! {left} :named A))(assert (! {right} :named B))(check-sat)(get-interpolants A B)\n"
        );
        let answer = answers(&script);
        prop_assert!(!answer.contains("internal error"), "{}\n{}", script, answer);
        let Some(interpolant) = answer.strip_prefix("unsat\n") else {
            return Ok(());
        };
        tried.set(tried.get() + 1);
        if let Some(text) = interpolant.trim_end().strip_prefix('(').filter(|text| !text.starts_with("error")) {
            found.set(found.get() + 1);
            let text = text.strip_suffix(')').expect("a list");
            prop_assert!(!text.contains("nleft") && !text.contains("nright"), "{}\n{}", script, text);
            // The text says what the interpolant is.
            for (side, interpolant) in [(&left, format!("(not {text})")), (&right, text.to_string())] {
                let implied = format!("{DECLARATIONS}(declare-const nleft (Array Int (Array Int Int)))(declare-const nright (Array Int (Array Int Int)))(assert {side})(assert {interpolant})(check-sat)\n");
                prop_assert_eq!(answers(&implied), "unsat\n", "{}\n{}", script, implied);
            }
        }
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(
        tried.get() > 60 && 10 * found.get() > 8 * tried.get(),
        "{} interpolants of {}",
        found.get(),
        tried.get()
    );
}
