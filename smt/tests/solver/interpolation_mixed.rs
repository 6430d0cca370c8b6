//! Interpolants of proofs with mixed literals: branches over terms of several parts, and congruence between them.

use proptest::prelude::*;
use provident_smt::interpolate::{InterpolationConfig, SequenceResult, Variant, check_sequence, sequence};
use provident_smt::num::Int;
use provident_smt::smtlib;
use provident_smt::solver::UnknownReason;
use provident_smt::term::{TermId, TermPool};

/// The largest absolute value of a variable, so that every check ends.
const BOUND: i64 = 12;

/// All variants, with both ways to search for a proof.
fn configurations() -> impl Iterator<Item = InterpolationConfig> {
    Variant::all().flat_map(|variant| {
        [true, false].map(|avoid_mixed| InterpolationConfig {
            check: true,
            variant,
            minimise: avoid_mixed,
            reduce_proof: !avoid_mixed,
            avoid_mixed,
            ticks: Some(1_000_000),
            ..InterpolationConfig::default()
        })
    })
}

/// `a * x + b * y + c * f(z) + d`, at most or equal to zero. Variables are positions in a part's list.
#[derive(Clone, Debug)]
struct Constraint {
    coefficients: [i64; 3],
    variables: [usize; 3],
    constant: i64,
    equation: bool,
}

/// Constraints of one part. With `factors`, coefficients have common factors; with `functions`, most constraints compare two terms.
fn constraints(factors: bool, functions: bool) -> impl Strategy<Value = Vec<Constraint>> {
    let shared = if functions {
        prop::sample::select(vec![0i64, 1, -1])
    } else {
        prop::sample::select(vec![0i64, 1, -1, 2, -2, 3])
    };
    let local = if factors {
        prop::sample::select(vec![2i64, -2, 3, 4, -4, 6, 9])
    } else {
        prop::sample::select(vec![1i64, -1, 1, -1, 2])
    };
    let applied = if functions {
        prop::sample::select(vec![1i64, -1, 0])
    } else {
        prop::sample::select(vec![0i64])
    };
    let constant = if functions {
        prop::sample::select(vec![0i64, 0, 0, 1, -1])
    } else {
        prop::sample::select(vec![0i64, 1, -1, 2, -3, 5])
    };
    let one = (
        (shared, local, applied),
        (0..4usize, 4..6usize, 0..6usize),
        constant,
        prop::bool::weighted(0.7),
    );
    let one = one.prop_map(|((a, b, c), (x, y, z), constant, equation)| Constraint {
        coefficients: [a, b, c],
        variables: [x, y, z],
        constant,
        equation,
    });
    prop::collection::vec(one, 2..5)
}

/// The conjunction of the constraints over two shared variables, one shared with the next part, and two of the part's own.
fn part(pool: &mut TermPool, number: u32, bounded: usize, constraints: &[Constraint]) -> TermId {
    let names = [
        ("s", 0),
        ("t", 0),
        ("next", number),
        ("next", number + 1),
        ("x", number),
        ("y", number),
    ];
    let variables = names.map(|(name, index)| {
        let name = pool.symbol(name);
        pool.int_var(name, index)
    });
    let function = pool.symbol("f");
    let mut formulas = Vec::new();
    for variable in &variables[..bounded] {
        let (low, high) = (pool.int(-BOUND), pool.int(BOUND));
        formulas.extend([pool.ge(*variable, low), pool.le(*variable, high)]);
    }
    for constraint in constraints {
        let [a, b, c] = constraint.coefficients;
        let [x, y, z] = constraint.variables.map(|position| variables[position]);
        let image = pool.app(function, 0, &[z]);
        let sum = pool.linear(
            &[(Int::from(a), x), (Int::from(b), y), (Int::from(c), image)],
            Int::from(constraint.constant),
        );
        formulas.push(if constraint.equation {
            pool.eq_zero(sum)
        } else {
            pool.le_zero(sum)
        });
    }
    pool.and(&formulas)
}

fn check_random(bounded: usize, parts: &[Vec<Constraint>]) {
    let mut pool = TermPool::new();
    let parts: Vec<TermId> = (0u32..)
        .zip(parts)
        .map(|(number, constraints)| part(&mut pool, number, bounded, constraints))
        .collect();
    for config in configurations() {
        match sequence(&mut pool, &parts, &config) {
            SequenceResult::Sat(model) => assert!(parts.iter().all(|&part| model.eval_bool(&pool, part))),
            SequenceResult::Unsat(interpolants) => {
                // The check is by the solver, which may give up on unbounded integers; it must not find a defect.
                if let Err(defect) = check_sequence(&mut pool, &parts, &interpolants) {
                    assert!(defect.contains("undecided"), "{config:?}: {defect}");
                }
            }
            SequenceResult::Unknown(UnknownReason::Incomplete("mixed literals in the proof")) => panic!("refused"),
            SequenceResult::Unknown(_) => {}
        }
    }
}

/// A problem in variables and a function `f`, as constraints in SMT-LIB syntax for each part.
fn problem(variables: &[&str], parts: &[&str], config: &str) -> String {
    use std::fmt::Write;
    let mut script = String::from("(set-logic QF_UFLIA)(declare-fun f (Int) Int)");
    for variable in variables {
        write!(script, "(declare-fun {variable} () Int)").expect("memory");
    }
    for (number, part) in parts.iter().enumerate() {
        write!(script, "(assert (! (and true {part}) :named P{number}))").expect("memory");
    }
    write!(script, "{config}(check-sat)(get-interpolants").expect("memory");
    for number in 0..parts.len() {
        write!(script, " P{number}").expect("memory");
    }
    script.push(')');
    let mut output = Vec::new();
    smtlib::run(&script, &mut output, &smtlib::Options::default()).expect("memory");
    String::from_utf8(output).expect("text")
}

#[test]
fn parity_of_unbounded_numbers() {
    let answer = problem(
        &["x", "y", "a", "b"],
        &[
            "(<= x (* 2 a)) (<= (* 2 a) y)",
            "(<= y (+ (* 2 b) 1)) (<= (+ (* 2 b) 1) x)",
        ],
        "",
    );
    assert_eq!(answer, "unsat\n((<= x (* 2 (div y 2))))\n");
}

#[test]
fn parity_of_growing_ranges_has_one_interpolant() {
    let answer = |range: u32| {
        let first = format!("(<= x (* 2 a)) (<= (* 2 a) y) (<= (- {range}) x) (<= x {range})");
        let second = format!("(<= y (+ (* 2 b) 1)) (<= (+ (* 2 b) 1) x) (<= (- {range}) y) (<= y {range})");
        problem(&["x", "y", "a", "b"], &[&first, &second], "")
    };
    assert_eq!(answer(100), answer(1_000_000));
}

#[test]
fn a_divisor_that_is_too_large_for_remainders_one_by_one() {
    let answer = problem(&["x", "a", "b"], &["(= x (* 1000 a))", "(= x (+ (* 1000 b) 1))"], "");
    assert_eq!(answer, "unsat\n((<= x (* 1000 (div x 1000))))\n");
}

#[test]
fn congruence_between_local_indices() {
    // No shared term is equal to x in all models of the first part.
    let answer = problem(
        &["s", "t", "x", "y"],
        &["(<= s x) (<= x t) (= (f x) 1)", "(<= t y) (<= y s) (= (f y) 2)"],
        "",
    );
    assert!(answer.starts_with("unsat\n((") && answer.contains("(f "), "{answer}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn random_linear_problems(bounded in 0..7usize, parts in prop::collection::vec(constraints(true, false), 2..4)) {
        check_random(bounded, &parts);
    }

    #[test]
    fn random_problems_with_functions(bounded in 0..7usize, parts in prop::collection::vec(constraints(false, true), 2..4)) {
        check_random(bounded, &parts);
    }
}
