//! Systems of inequalities with bounded and unbounded directions, in which branch and bound may drift away from all solutions.

use provident_smt::smtlib::{Options, run};

/// A generator of numbers (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> i64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i64::try_from((self.0 >> 33) % bound).expect("a small number")
    }
}

const VARIABLES: usize = 10;
const ROWS: usize = 9;

/// A system of integers with a solution, at most two away from each face: some rows bound from above what others bound from below.
fn system(seed: u64) -> String {
    system_of(seed, ["Int", "Int"], "(>= SUM BOUND)")
}

/// The same with the sorts in turn, and rows of this form.
fn system_of(seed: u64, sorts: [&str; 2], form: &str) -> String {
    let mut numbers = Numbers(seed.wrapping_mul(2_654_435_761) + 12_345);
    let point: [i64; VARIABLES] = std::array::from_fn(|_| numbers.below(41) - 20);
    let mut rows: Vec<[i64; VARIABLES]> = (0..ROWS)
        .map(|_| std::array::from_fn(|_| numbers.below(5) - 2))
        .collect();
    for _ in 0..6 {
        let weights: [i64; ROWS] = std::array::from_fn(|_| -numbers.below(4));
        rows.push(std::array::from_fn(|at| {
            (0..ROWS).map(|row| weights[row] * rows[row][at]).sum()
        }));
    }
    let mut script: String = (0..VARIABLES)
        .map(|at| format!("(declare-const x{at} {})", sorts[at % 2]))
        .collect();
    let number = |value: i64| match value {
        0.. => value.to_string(),
        _ => format!("(- {})", -value),
    };
    for row in rows {
        let value: i64 = row.iter().zip(point).map(|(a, x)| a * x).sum();
        let sum: Vec<String> = (0..VARIABLES)
            .map(|at| format!("(* {} x{at})", number(row[at])))
            .collect();
        let bound = number(value - numbers.below(3));
        let sum = format!("(+ {})", sum.join(" "));
        let row = form.replace("SUM", &sum).replace("BOUND", &bound);
        script.push_str(&format!("(assert {row})"));
    }
    script
}

fn answer(script: &str, ticks: u64) -> String {
    let options = Options {
        ticks: Some(ticks),
        check: true,
        ..Options::default()
    };
    let mut out = Vec::new();
    run(&format!("{script}(check-sat)"), &mut out, &options).expect("memory can be written");
    String::from_utf8(out).expect("answers are text")
}

/// Without dives 13 of the 24 have no answer after several times as many ticks.
#[test]
fn integer_points_of_unbounded_systems_are_found() {
    let unsolved: Vec<u64> = (1..25)
        .filter(|&seed| answer(&system(seed), 40_000_000) != "sat\n")
        .collect();
    assert!(unsolved.is_empty(), "no answer for {unsolved:?}");
}

/// Integers among reals, also with strict bounds: a vertex has infinitesimal parts then, of which integers have none. Without dives 11 of the first 48 have no answer.
#[test]
fn integer_points_of_mixed_systems_are_found() {
    for form in ["(>= SUM BOUND)", "(> SUM (- BOUND 0.5))"] {
        for sorts in [["Int", "Real"], ["Real", "Int"]] {
            let unsolved: Vec<u64> = (1..25)
                .filter(|&seed| answer(&system_of(seed, sorts, form), 4_000_000) != "sat\n")
                .collect();
            assert!(unsolved.is_empty(), "no answer for {unsolved:?} of {form}");
        }
    }
}

/// The sum of even numbers is not odd, whatever else there is to dive for.
#[test]
fn systems_without_integer_points_have_none() {
    for seed in 1..9 {
        let parity =
            "(declare-const u Int)(declare-const v Int)(assert (= (+ (* 2 u) (* 4 v)) (+ (* 6 x0) (* 2 x1) 1)))";
        assert_eq!(
            answer(&format!("{}{parity}", system(seed)), 12_000_000),
            "unsat\n",
            "{seed}"
        );
    }
}

/// Nothing of a dive but its vertex is kept: the next checks of the session answer as sessions of their own do.
#[test]
fn bounds_of_a_dive_do_not_outlive_it() {
    let mut decided = 0;
    for seed in 1..5 {
        let script = system(seed);
        let (mut checks, mut alone) = (String::from("(check-sat)"), Vec::new());
        for at in 0..VARIABLES {
            let bound = format!("(assert (> (+ x{at} x0) {}))", 7 * at + 1);
            checks.push_str(&format!("(push 1){bound}(check-sat)(pop 1)"));
            alone.push(answer(&format!("{script}{bound}"), 4_000_000));
        }
        let said = answer(&format!("{script}{checks}"), 4_000_000);
        for (answer, alone) in said.lines().skip(1).zip(&alone) {
            let alone = alone.trim_end();
            assert!(
                answer == alone || answer == "unknown" || alone == "unknown",
                "{seed}: {answer}, alone {alone}"
            );
            decided += usize::from(answer == alone && answer != "unknown");
        }
    }
    assert!(decided > 20, "only {decided} checks were decided");
}

/// Each binary digit of a number is 0 or 1 by bounds alone, so a number of other digits that it makes up needs no search for integers either.
#[test]
fn digits_are_in_their_ranges_without_search() {
    let mut sum = String::new();
    for at in 0..4 {
        let digit = format!("(mod (div c {}) 2)", 1 << at);
        sum.push_str(&format!("(* {} {digit}) ", 255_u64 << (8 * at)));
    }
    let script = format!("(declare-const c Int)(assert (<= 0 c 255))(assert (not (<= 0 (+ {sum}) 4294967295)))");
    assert_eq!(answer(&script, 2_000), "unsat\n");
    let wider = script.replace("4294967295", "4278190080");
    assert_eq!(answer(&wider, 40_000), "sat\n");
}
