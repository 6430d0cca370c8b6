//! Finite-state machines that are unrolled with conditional terms, against a search of their states.

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident_smt::smtlib::{Options, run};
use std::collections::BTreeSet;

const STEPS: usize = 24;
const STATES: usize = 12;

/// The successors of a state: one state if the input of the step is positive, to another one if not; the machine stays at the states behind the last of these.
type Machine = Vec<(usize, usize)>;

/// The number of a state.
fn label(state: usize) -> usize {
    7 * state + 3
}

/// The states behind some steps of the first one.
fn reached(machine: &Machine) -> BTreeSet<usize> {
    let mut states = BTreeSet::from([0]);
    for _ in 0..STEPS {
        let next = states.iter().flat_map(|&state| match machine.get(state) {
            Some(&(yes, no)) => [yes, no],
            None => [state, state],
        });
        states = next.collect();
    }
    states
}

/// The unrolled machine; its last state is `s` with the number of steps.
fn unrolled(machine: &Machine) -> String {
    let mut script = format!("(define-fun s0 () Int {})", label(0));
    for step in 0..STEPS {
        let (mut next, from) = (format!("s{step}"), format!("s{step}"));
        for (state, &(yes, no)) in machine.iter().enumerate() {
            let (at, yes, no) = (label(state), label(yes), label(no));
            next = format!("(ite (= {from} {at}) (ite (> i{step} 0) {yes} {no}) {next})");
        }
        script += &format!("(declare-const i{step} Int)(define-fun s{} () Int {next})", step + 1);
    }
    script
}

/// Without cases a machine like these takes a thousand times as many ticks (77 million instead of 65,000).
#[test]
fn states_are_reached_where_a_search_reaches_them() {
    let machines = proptest::collection::vec((0..STATES, 0..STATES), 6..STATES);
    let config = ProptestConfig {
        cases: 24,
        failure_persistence: None,
        ..ProptestConfig::default()
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&machines, |machine| {
        let states = reached(&machine);
        let (mut script, mut expected) = (unrolled(&machine), Vec::new());
        for state in 0..STATES {
            script += &format!("(push)(assert (= s{STEPS} {}))(check-sat)(pop)", label(state));
            expected.push(if states.contains(&state) { "sat" } else { "unsat" });
            script += &format!("(push)(assert (< s{STEPS} {}))(check-sat)(pop)", label(state));
            expected.push(if states.first() < Some(&state) { "sat" } else { "unsat" });
        }
        let options = Options {
            ticks: Some(1_000_000),
            ..Options::default()
        };
        let mut out = Vec::new();
        run(&script, &mut out, &options).expect("memory can be written");
        let answers = String::from_utf8(out).expect("answers are text");
        prop_assert_eq!(answers.lines().collect::<Vec<_>>(), expected);
        Ok(())
    });
    result.unwrap_or_else(|failure| panic!("{failure}"));
}

/// Cases inside of many others are left as they are.
#[test]
fn deep_choices_need_no_stack() {
    const DEPTH: usize = 2_000;
    let mut script = String::from(
        "(declare-const x Int)(declare-const s Int)(define-fun f0 () Bool (= s 1))(define-fun s0 () Int s)",
    );
    for at in 0..DEPTH {
        let next = at + 1;
        script += &format!(
            "(declare-const p{at} Bool)(define-fun s{next} () Int (ite (= s{at} 5) (ite p{at} 7 x) (ite (= s{at} 7) 5 s{at})))\
             (define-fun f{next} () Bool ({} (= (ite p{at} 3 s) 4) (not f{at})))",
            ["and", "or"][at % 2]
        );
    }
    script += &format!("(push)(assert (= s{DEPTH} 7))(check-sat)(pop)(push)(assert f{DEPTH})(check-sat)(pop)");
    let options = Options {
        ticks: Some(1_000_000),
        ..Options::default()
    };
    let mut out = Vec::new();
    run(&script, &mut out, &options).expect("memory can be written");
    let answers = String::from_utf8(out).expect("answers are text");
    assert_eq!(answers.lines().count(), 2, "{answers}");
    assert!(!answers.contains("error"), "{answers}");
}
