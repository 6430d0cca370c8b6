//! A printed model satisfies its script: the definitions in the place of the declarations leave nothing open, and everything that was asserted is true.
//!
//! The check before `sat` evaluates the model that the solver has. A user has its text, which is read here as another script.

use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident_smt::smtlib::{Options, run_stream};
use std::cell::Cell;
use std::io::BufReader;

const DECLARATIONS: &str = "(declare-const x Int)(declare-const y Int)(declare-const r Real)(declare-const s Real)(declare-const a Bool)(declare-const b Bool)
(declare-fun f (Int) Int)(declare-fun g (Int Bool) Int)(declare-fun p (Int Bool) Bool)(declare-fun q (Real Bool) Bool)(declare-fun h (Real) Real)(declare-fun k (Bool Bool) Bool)\n";

/// The answers to a script.
fn answers(script: &str) -> String {
    let options = Options {
        ticks: Some(200_000),
        ..Options::default()
    };
    let mut out = Vec::new();
    run_stream(BufReader::new(script.as_bytes()), &mut out, &options).expect("memory can be read and written");
    String::from_utf8(out).expect("answers are text")
}

/// A term of each sort: an integer, a real and a formula.
#[derive(Clone, Debug)]
struct Terms {
    int: String,
    real: String,
    formula: String,
}

fn leaf() -> impl Strategy<Value = Terms> {
    let int = select(&["x", "y", "0", "1", "(- 2)", "7"][..]);
    let real = select(&["r", "s", "0.0", "0.5", "(- 1.5)", "(to_real x)"][..]);
    (int, real, select(&["a", "b"][..])).prop_map(|(int, real, formula)| Terms {
        int: int.to_string(),
        real: real.to_string(),
        formula: formula.to_string(),
    })
}

fn terms() -> impl Strategy<Value = Terms> {
    leaf().prop_recursive(3, 24, 3, |inner| {
        let forms = (0..6u8, 0..6u8, 0..9u8);
        (inner.clone(), inner.clone(), inner, forms).prop_map(|(t, u, v, (int, real, formula))| Terms {
            int: match int {
                0 => format!("(f {})", t.int),
                1 => format!("(g {} {})", t.int, u.formula),
                2 => format!("(+ {} {})", t.int, u.int),
                3 => format!("(ite {} {} {})", v.formula, t.int, u.int),
                4 => format!("(to_int {})", t.real),
                _ => format!("(* 3 {})", t.int),
            },
            real: match real {
                0 => format!("(h {})", t.real),
                1 => format!("(+ {} {})", t.real, u.real),
                2 => format!("(ite {} {} {})", v.formula, t.real, u.real),
                3 => format!("(to_real {})", t.int),
                4 => format!("(* 0.5 {})", t.real),
                _ => format!("(- {} {})", t.real, u.real),
            },
            formula: match formula {
                0 => format!("(p {} {})", t.int, u.formula),
                1 => format!("(q {} {})", t.real, u.formula),
                2 => format!("(k {} {})", t.formula, u.formula),
                3 => format!("(< {} {})", t.int, u.int),
                4 => format!("(<= {} {})", t.real, u.real),
                5 => format!("(= {} {})", t.int, u.int),
                6 => format!("(not {})", t.formula),
                7 => format!("(or {} {})", t.formula, u.formula),
                _ => format!("(distinct {} {})", t.real, u.real),
            },
        })
    })
}

/// Whether the script is satisfiable, and then its model is one.
fn check(assertions: &[String]) -> Result<bool, TestCaseError> {
    let asserted: String = assertions
        .iter()
        .map(|formula| format!("(assert {formula})\n"))
        .collect();
    let script = format!("(set-option :produce-models true)\n{DECLARATIONS}{asserted}(check-sat)\n(get-model)\n");
    let answer = answers(&script);
    let Some(model) = answer.strip_prefix("sat\n(") else {
        return Ok(false);
    };
    let definitions = model.trim_end().strip_suffix(')').expect("a model is a list");
    let values: String = assertions.iter().map(|formula| format!("{formula} ")).collect();
    let again = format!("{definitions}{asserted}(check-sat)\n");
    prop_assert_eq!(answers(&again), "sat\n", "{}\n{}", script, answer);
    // The solver's own values agree.
    let valued =
        format!("(set-option :produce-models true)\n{DECLARATIONS}{asserted}(check-sat)\n(get-value ({values}))\n");
    let said = answers(&valued);
    for formula in assertions {
        prop_assert!(said.contains(&format!("({formula} true)")), "{}\n{}", valued, said);
    }
    Ok(true)
}

#[test]
fn a_predicate_of_reals_holds_where_its_number_says_so() {
    assert!(check(&["(q r (q s false))".to_string()]).unwrap());
}

#[test]
fn printed_models_satisfy_their_scripts() {
    let config = ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(250)
    };
    let satisfiable = Cell::new(0);
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&prop::collection::vec(terms(), 1..5), |all| {
        let assertions: Vec<String> = all.into_iter().map(|terms| terms.formula).collect();
        satisfiable.set(satisfiable.get() + usize::from(check(&assertions)?));
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(
        satisfiable.get() > 125,
        "only {} scripts have a model",
        satisfiable.get()
    );
}
