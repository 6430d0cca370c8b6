//! The Alethe export: each proof text is checked by a checker of its own, against the text of the script.

use proptest::prelude::*;
use provident_smt::smtlib::{Options, run};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::alethe_checker::Checker;

/// What a script prints with proofs enabled.
pub(super) fn output(script: &str, options: &Options) -> String {
    let mut out = Vec::new();
    run(script, &mut out, options).expect("writing to memory succeeds");
    String::from_utf8(out).expect("answers are text")
}

/// What became of a script's proof.
#[derive(PartialEq, Eq, Debug, PartialOrd, Ord)]
pub(super) enum Found {
    /// Checked, with so many steps.
    Proof(usize),
    /// The format has no words for it.
    Unsupported(String),
    /// The script is not unsatisfiable.
    None,
}

/// Runs a script that ends in `(check-sat)(get-proof)` and checks the proof.
pub(super) fn proof_of(script: &str, options: &Options) -> Found {
    let printed = output(script, options);
    let Some(proof) = printed.strip_prefix("unsat\n") else {
        return Found::None;
    };
    // One of the known scripts has a wrong annotation.
    let proof = match proof.split_once('\n') {
        Some((first, rest)) if first.contains("contradicts the status") => rest,
        _ => proof,
    };
    if let Some(error) = proof.strip_prefix("(error ") {
        assert!(
            error.contains("cannot express") || error.contains("no text in Alethe"),
            "{error}\n{script}"
        );
        assert!(!error.contains("internal"), "{error}\n{script}");
        return Found::Unsupported(error.split(": ").last().unwrap_or_default().trim().to_owned());
    }
    let count = |text: &str| proof.matches(text).count();
    let taken: usize = proof
        .lines()
        .filter_map(|line| line.strip_prefix("; taken without proof: "))
        .map(|line| {
            line.split(' ')
                .next()
                .expect("a number")
                .parse::<usize>()
                .expect("a number")
        })
        .sum();
    assert_eq!(taken, count(":rule hole"), "{proof}");
    match Checker::new(script).check(proof) {
        Ok(steps) => Found::Proof(steps),
        Err(error) => panic!("{error}\n{script}\n{proof}"),
    }
}

const MIXED: &str = "integers among reals\")";

const HEAD: &str = "(set-option :produce-proofs true)(declare-sort U 0)\
    (declare-const x Int)(declare-const y Int)(declare-const z Int)(declare-const a Bool)(declare-const b Bool)(declare-const c Bool)\
    (declare-const u U)(declare-const v U)(declare-fun f (Int) Int)(declare-fun g (Int Int) Int)(declare-fun p (Int Bool) Bool)\
    (declare-const r Real)(declare-const s Real)(declare-const t Real)(declare-fun rf (Real) Real)(declare-fun rg (Real U) Real)(declare-fun rp (Real Bool) Bool)\
    (declare-const ma (Array Int Int))(declare-const mb (Array Int Int))(declare-const mc (Array Int Int))\
    (declare-const ua (Array U Int))(declare-const ub (Array U Int))(declare-const eu (Array Int U))(declare-const ev (Array Int U))\
    (declare-const pa (Array Int Bool))(declare-const pb (Array Int Bool))(declare-const ca (Array Bool Int))(declare-const cb (Array Bool Int))\
    (declare-const w U)(declare-fun h (U) U)(declare-fun k (U U) U)(declare-fun q (U) Bool)(declare-fun size (U) Int)\
    (define-fun twice ((i Int)) Int (+ i i))(define-fun between ((i Int) (j Int)) Bool (and (<= 0 (- j i)) (< j (+ i 2))))";

pub(super) fn script(assertions: &[String]) -> String {
    let assertions: String = assertions.iter().map(|text| format!("(assert {text})\n")).collect();
    format!("{HEAD}\n{assertions}(check-sat)(get-proof)")
}

fn check_all(assertions: &[&str]) -> Found {
    let assertions: Vec<String> = assertions.iter().map(|&text| text.to_owned()).collect();
    proof_of(&script(&assertions), &Options::default())
}

fn assert_proved(assertions: &[&str]) {
    let found = check_all(assertions);
    assert!(matches!(found, Found::Proof(_)), "{assertions:?}: {found:?}");
}

#[test]
fn connectives_and_normal_forms() {
    assert_proved(&["false"]);
    assert_proved(&["(not (or a (not a)))"]);
    assert_proved(&["(and a (and b (not a)))"]);
    assert_proved(&["(not (not (not a)))", "(=> (not (not b)) a)", "(not (not b))"]);
    assert_proved(&["(xor a b)", "(= a b)"]);
    assert_proved(&["(= a b c)", "a", "(not c)"]);
    assert_proved(&["(=> a b c)", "a", "b", "(not c)"]);
    assert_proved(&["(xor a b c)", "a", "b", "(not c)"]);
    assert_proved(&["(< 0 x y 2)"]);
    assert_proved(&["(not (>= x y z))", "(> x y)", "(<= z y)"]);
    assert_proved(&["(distinct a b)", "(= a b)"]);
    assert_proved(&["(distinct a b c)"]);
    assert_proved(&["(ite a b c)", "(not (ite a b c))"]);
    assert_proved(&["(ite a (not b) b)", "(= a b)"]);
    assert_proved(&[
        "(or (not (not a)) (not (not (not b))))",
        "(not a)",
        "(= (not (not b)) true)",
    ]);
    assert_proved(&["(= u v)", "(distinct v u)"]);
    assert_proved(&["(= v u)", "(not (= u v))", "a"]);
    assert_proved(&["(let ((a (not a)) (d (or a b))) (and a d))", "a"]);
    assert_proved(&["(! (or a b) :named ab)", "(not (! b :named bb))", "(=> ab bb)"]);
}

#[test]
fn arithmetic_is_tightened_with_factors() {
    assert_proved(&["(<= (* 2 x) 3)", "(> x 1)"]);
    assert_proved(&["(= (* 2 x) 3)"]);
    assert_proved(&["(= (+ (* 6 x) (* 4 y)) (+ 3 (* 2 z)))"]);
    assert_proved(&["(= x (+ x 1))"]);
    assert_proved(&["(not (= (+ x y 1) (+ 1 y x)))"]);
    assert_proved(&["(< x y)", "(< y z)", "(< z (+ x 2))"]);
    assert_proved(
        &["(distinct x y z)", "(<= 0 x 0)", "(= x y)"].map(|s| if s == "(<= 0 x 0)" { "(<= 0 x)" } else { s }),
    );
    assert_proved(&["(= (twice x) 5)"]);
    assert_proved(&["(between x y)", "(distinct x y)", "(distinct (+ x 1) y)"]);
    assert_proved(&["(= (- x) (- 3 y))", "(> x y)"]);
}

#[test]
fn functions_predicates_and_conditionals() {
    assert_proved(&["(= x y)", "(distinct (f (+ x 1)) (f (+ 1 y)))"]);
    assert_proved(&["(= x y)", "(p x a)", "(not (p y a))"]);
    assert_proved(&["(p x a)", "(not (p x b))", "(= a b)"]);
    assert_proved(&["(p x true)", "(not (p x a))", "a"]);
    assert_proved(&["(= (ite a x y) z)", "(= x (+ z 1))", "(= y (+ z 1))"]);
    assert_proved(&["(> (f (ite (> x 0) x 1)) 3)", "(= x 1)", "(< (f 1) 3)"]);
    assert_proved(&["(= (f (f x)) x)", "(= (f (f (f x))) x)", "(distinct (f x) x)"]);
    assert_proved(&["(= (g x (f x)) 1)", "(= x (f y))", "(= (f y) y)", "(= (g y y) 2)"]);
}

#[test]
fn equality_by_chains_and_congruences() {
    assert_proved(&["(= u v)", "(= w v)", "(distinct (h u) (h w))"]);
    assert_proved(&[
        "(= (h (h (h u))) u)",
        "(= (h (h (h (h (h u))))) u)",
        "(distinct (h u) u)",
    ]);
    assert_proved(&["(= (k u v) w)", "(= u v)", "(not (= (k v u) w))"]);
    assert_proved(&["(= u (h v))", "(q u)", "(not (q (h v)))"]);
    // Equal elements have equal numbers, whichever side of their equation stands first.
    assert_proved(&["(= u (h u))", "(= (size (h u)) (+ 1 (size u)))"]);
    assert_proved(&["(= (h u) u)", "(= (size u) (+ 1 (size (h u))))"]);
    assert_proved(&["(or (= u v) (= u w))", "(q u)", "(not (or (q v) (q w)))"]);
    assert_proved(&["(= (f x) 1)", "(= (f y) 2)", "(= x y)"]);
}

#[test]
fn reals() {
    assert_proved(&["(< r 0.0)", "(> r 1.0)"]);
    assert_proved(&["(< r s)", "(< s t)", "(<= t r)"]);
    assert_proved(&["(<= (* 2.0 r) 3)", "(> r 1.5)"]);
    assert_proved(&["(= (+ r (/ s 2)) 1.25)", "(= s 0.50)", "(distinct r 1)"]);
    assert_proved(&["(= (/ r 3.0) (/ 1 7))", "(= (* 7 r) 4)"]);
    assert_proved(&["(distinct r s)", "(<= r s)", "(>= r s)"]);
    assert_proved(&["(= r s)", "(distinct (rf (+ r 0.5)) (rf (+ 0.5 s)))"]);
    assert_proved(&["(= (rf 1) 2.0)", "(= (rf 1.0) 3)"]);
    assert_proved(&["(= (rf (/ r 2.0)) 2.0)", "(= (rf (* 0.5 s)) 3.0)", "(= r s)"]);
    assert_proved(&["(= r s)", "(rp r a)", "(not (rp s a))"]);
    assert_proved(&["(rp r a)", "(not (rp r b))", "(= a b)"]);
    assert_proved(&["(= (ite a r 1) s)", "(< r 1.0)", "(> s 1.0)"]);
    assert_proved(&["(= u v)", "(= r s)", "(not (= (rg r u) (rg s v)))"]);
}

#[test]
fn conditional_elements() {
    assert_proved(&["(= (ite a u v) w)", "(distinct w u)", "a"]);
    assert_proved(&["(not (= (h (ite a u v)) (ite a (h u) (h v))))"]);
    assert_proved(&["(not (= (ite (not a) u v) (ite a v u)))"]);
    assert_proved(&["(distinct (ite (<= x y) u v) (ite (> x y) v u))"]);
    assert_proved(&["(q (ite (and a b) u v))", "(not (q u))", "(not (q v))"]);
    assert_proved(&["(distinct (ite a (ite b u v) w) u)", "a", "b"]);
    assert_proved(&["(distinct (ite (or a (not a)) u v) u)"]);
}

#[test]
fn what_has_no_checked_rule_is_refused() {
    assert_eq!(
        check_all(&["(< (to_real x) r)", "(< r (to_real x))"]),
        Found::Unsupported("to_real\")".to_owned())
    );
    // The solver takes a choice between whole numbers for an integer.
    assert_eq!(
        check_all(&["(= (ite a 1.0 2.0) r)", "(= r 1.5)"]),
        Found::Unsupported(MIXED.to_owned())
    );
    assert!(matches!(check_all(&["(= (mod x 3) 5)"]), Found::Unsupported(_)));
    assert!(matches!(check_all(&["(= (abs x) (- 1))"]), Found::Unsupported(_)));
    // A quotient that no lemma speaks of is a term like another.
    assert_proved(&["(> (div x 3) y)", "(< (div x 3) y)"]);
}

#[test]
fn counting() {
    for (count, places) in [(3, 2), (4, 3), (6, 5), (9, 8), (7, 4)] {
        for (name, reference, shift) in [("plain", "0", 0), ("shifted", "0", -3), ("relative", "z", 1)] {
            let names: Vec<String> = (0..count).map(|i| format!("n{i}")).collect();
            let mut script =
                String::from("(set-option :produce-proofs true)(set-option :finite-after 1)(declare-const z Int)");
            for name in &names {
                script += &format!("(declare-const {name} Int)");
            }
            script += &format!("(assert (distinct {}))", names.join(" "));
            let number = |value: i32| {
                if value < 0 {
                    format!("(- {})", -value)
                } else {
                    value.to_string()
                }
            };
            for name in &names {
                let (low, high) = (number(shift), number(shift + places - 1));
                script += &format!("(assert (<= (+ {reference} {low}) {name} (+ {reference} {high})))");
            }
            script += "(check-sat)(get-proof)";
            let found = proof_of(&script, &Options::default());
            assert!(
                matches!(found, Found::Proof(_)),
                "{count} in {places}, {name}: {found:?}"
            );
        }
    }
}

/// Consequences of equality alone need no definition.
#[test]
fn equal_arrays() {
    assert_proved(&["(= ma mb)", "(distinct (select ma x) (select mb x))"]);
    assert_proved(&["(= u v)", "(distinct (select ua u) (select ua v))"]);
    assert_proved(&["(= (ite a ma mb) mc)", "a", "(distinct (select ma x) (select mc x))"]);
    assert_eq!(
        check_all(&["(= ma mb)", "(= mb mc)", "(distinct ma mc)"]),
        Found::Unsupported("the definition of extensionality (see :alethe-definitions)\")".to_owned())
    );
}

#[test]
fn the_checker_rejects_wrong_proofs() {
    let script = script(&["(<= x 3)".to_owned(), "(> x 3)".to_owned()]);
    let printed = output(&script, &Options::default());
    let proof = printed.strip_prefix("unsat\n").expect("unsatisfiable");
    assert!(Checker::new(&script).check(proof).is_ok());
    for (from, to) in [
        ("(<= x 3)", "(<= x 4)"),
        ("(<= x 3)", "(<= x 3.5)"),
        (":args (1 1)", ":args (1 2)"),
        ("la_generic", "la_tautology"),
        ("assume", "step"),
        (":rule resolution", ":rule hole"),
    ] {
        let wrong = proof.replacen(from, to, 1);
        assert_ne!(wrong, proof, "{from} does not occur in {proof}");
        let checked = std::panic::catch_unwind(|| Checker::new(&script).check(&wrong));
        assert!(!matches!(checked, Ok(Ok(_))), "{from} to {to} was accepted");
    }
}

fn number() -> impl Strategy<Value = String> {
    numbers(false)
}

/// Integers, also with operators that definitions explain.
pub(super) fn numbers(has_definitions: bool) -> impl Strategy<Value = String> {
    let rare = u32::from(has_definitions);
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["x", "y", "z"]).prop_map(str::to_owned),
        1 => (-4..5_i32).prop_map(|c| if c < 0 { format!("(- {})", -c) } else { c.to_string() }),
    ];
    leaf.prop_recursive(2, 6, 2, move |inner| {
        prop_oneof![
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(+ {a} {b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(- {a} {b})")),
            1 => (2..4_i32, inner.clone()).prop_map(|(c, a)| format!("(* {c} {a})")),
            1 => inner.clone().prop_map(|a| format!("(f {a})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(g {a} {b})")),
            1 => (inner.clone(), inner.clone(), inner.clone()).prop_map(|(a, b, c)| format!("(ite (<= {a} {b}) {c} {a})")),
            1 => inner.clone().prop_map(|a| format!("(twice {a})")),
            3 * rare => (prop::sample::select(vec!["div", "mod"]), inner.clone(), prop::sample::select(vec!["2", "3", "6", "(- 4)"]))
                .prop_map(|(op, a, c)| format!("({op} {a} {c})")),
            rare => inner.prop_map(|a| format!("(abs {a})")),
        ]
    })
}

fn real() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec!["r", "s", "t"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec!["1", "0.5", "(- 2.0)", "(/ 1 3)", "3.00"]).prop_map(str::to_owned),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(+ {a} {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(- {a} {b})")),
            (prop::sample::select(vec!["2", "0.5", "(- 3)"]), inner.clone()).prop_map(|(c, a)| format!("(* {c} {a})")),
            inner.clone().prop_map(|a| format!("(/ {a} 3)")),
            inner.clone().prop_map(|a| format!("(rf {a})")),
            (inner.clone(), element()).prop_map(|(a, u)| format!("(rg {a} {u})")),
            (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!("(ite (<= {a} {b}) {c} {a})")),
        ]
    })
}

fn element() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(vec!["u", "v", "w"]).prop_map(str::to_owned);
    leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| format!("(h {a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("(k {a} {b})")),
            (
                prop::sample::select(vec!["a", "(not b)", "(< x y)"]),
                inner.clone(),
                inner
            )
                .prop_map(|(c, a, b)| format!("(ite {c} {a} {b})")),
        ]
    })
}

fn formula() -> impl Strategy<Value = String> {
    let atom = prop_oneof![
        2 => prop::sample::select(vec!["a", "b", "c"]).prop_map(str::to_owned),
        5 => (prop::sample::select(vec!["<=", "<", ">=", ">", "=", "distinct"]), number(), number())
            .prop_map(|(r, a, b)| format!("({r} {a} {b})")),
        3 => (prop::sample::select(vec!["<=", "<", ">=", ">", "=", "distinct"]), real(), real())
            .prop_map(|(relation, a, b)| format!("({relation} {a} {b})")),
        1 => (real(), prop::sample::select(vec!["a", "(not b)", "true"])).prop_map(|(a, b)| format!("(rp {a} {b})")),
        1 => (number(), prop::sample::select(vec!["a", "(not b)", "true"])).prop_map(|(a, b)| format!("(p {a} {b})")),
        1 => (number(), number(), number()).prop_map(|(a, b, c)| format!("(distinct {a} {b} {c})")),
        3 => (element(), element()).prop_map(|(a, b)| format!("(= {a} {b})")),
        1 => element().prop_map(|a| format!("(q {a})")),
    ];
    atom.prop_recursive(3, 12, 3, |inner| {
        let two = (inner.clone(), inner.clone());
        let three = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            inner.prop_map(|a| format!("(not {a})")),
            three.clone().prop_map(|(a, b, c)| format!("(and {a} {b} {c})")),
            three.clone().prop_map(|(a, b, c)| format!("(or {a} {b} {c})")),
            two.clone().prop_map(|(a, b)| format!("(=> {a} {b})")),
            two.clone().prop_map(|(a, b)| format!("(xor {a} {b})")),
            two.clone().prop_map(|(a, b)| format!("(= {a} {b})")),
            three.prop_map(|(a, b, c)| format!("(ite {a} {b} {c})")),
            two.prop_map(|(a, b)| format!("(let ((a {a})) (or a {b}))")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// The proof of a random script is accepted, or refused for a reason that is no defect.
    #[test]
    fn random_proofs_are_accepted(assertions in prop::collection::vec(formula(), 2..7)) {
        let options = Options { ticks: Some(200_000), ..Options::default() };
        let found = proof_of(&script(&assertions), &options);
        prop_assert!(!matches!(&found, Found::Unsupported(why) if why != MIXED), "{:?}", found);
    }
}

/// The unsatisfiable ones of the known scripts, if the collection stands beside the checkout: each proof is checked. Set
/// `ALETHE_TICKS` for a larger effort, and look at the counts with `--nocapture`.
#[test]
fn proofs_of_known_scripts_are_accepted() {
    let collection = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/smt");
    let Ok(index) = fs::read_to_string(collection.join("index.tsv")) else {
        return;
    };
    let ticks = std::env::var("ALETHE_TICKS").ok().and_then(|text| text.parse().ok());
    let options = Options {
        ticks: Some(ticks.unwrap_or(5_000)),
        ..Options::default()
    };
    let (mut checked, mut steps, mut refused) = (0, 0, BTreeMap::<String, usize>::new());
    for line in index.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields[2] != "unsat" {
            continue;
        }
        let text = fs::read(collection.join(fields[0])).expect("a script");
        let text = String::from_utf8_lossy(&text).into_owned();
        let Some((before, _)) = text.split_once("(check-sat)") else {
            continue;
        };
        let options_of_script = "(set-option :produce-proofs true)(set-option :alethe-definitions true)";
        let script = format!("{options_of_script}{before}(check-sat)(get-proof)");
        if script.len() > 40_000 {
            continue;
        }
        match proof_of(&script, &options) {
            Found::Proof(size) => (checked, steps) = (checked + 1, steps + size),
            Found::Unsupported(why) => *refused.entry(why).or_default() += 1,
            Found::None => {}
        }
    }
    println!("{checked} proofs with {steps} steps checked, refused: {refused:?}");
    assert!(checked > 20, "only {checked} proofs were checked; refused: {refused:?}");
}
