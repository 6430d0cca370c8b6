//! Random traces of the solver's interface: scopes, assertions and checks, each answer against a fresh solver that sees the formulas for the first
//! time. Every answer brings its evidence: models are evaluated, cores are checked again, proofs go to the independent checker.
//!
//! The fresh solver is no oracle for formulas that both get wrong, but nothing of one is shared with the other except the code: what a
//! trace leaves behind (learned clauses, kept rows, dead scopes) is exactly what this test is about.

use crate::derivations::{Counts, Derivations};
use crate::formulas::{Features, Formula, Vocabulary, formulas};
use proptest::prelude::*;
use provident_smt::proof::{self, Part};
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{NO_INDEX, TermId, TermPool};
use std::sync::{Arc, Mutex};

/// Unbounded integers may take branching long: more effort than this is not spent on one check.
const TICKS: u64 = 100_000;

/// A call of the interface.
#[derive(Clone, Debug)]
enum Call {
    Push,
    /// Without an open scope nothing happens.
    Pop,
    Assert(Formula),
    /// A check under assumptions.
    Check(Vec<Formula>),
}

fn call() -> impl Strategy<Value = Call> {
    let features = Features {
        functions: true,
        division: true,
        conditionals: true,
    };
    prop_oneof![
        2 => Just(Call::Push),
        2 => Just(Call::Pop),
        5 => formulas(features, 2).prop_map(Call::Assert),
        3 => prop::collection::vec(formulas(features, 1), 0..4).prop_map(Call::Check),
    ]
}

fn vocabulary(pool: &mut TermPool) -> Vocabulary {
    let mut of = |name: &str| pool.symbol(name);
    let (integers, propositions) = (["x", "y", "z"].map(&mut of), ["p", "q"].map(&mut of));
    Vocabulary {
        integers: integers.map(|name| pool.int_var(name, NO_INDEX)).to_vec(),
        propositions: propositions.map(|name| pool.bool_var(name, NO_INDEX)).to_vec(),
        functions: vec![("f", NO_INDEX), ("g", NO_INDEX)],
    }
}

/// The answer of a solver that knows nothing else, without its evidence.
fn fresh(pool: &mut TermPool, formulas: &[TermId]) -> Answer {
    let mut solver = Solver::new(Config::default());
    solver.set_tick_limit(Some(TICKS));
    for &formula in formulas {
        solver.assert(pool, formula, Part(0));
    }
    solver.check(pool, &[])
}

/// Plays a trace and checks every answer with its evidence; with proofs, every derivation, too.
fn play(calls: &[Call], proofs: bool) {
    let mut pool = TermPool::new();
    let words = vocabulary(&mut pool);
    let config = Config {
        proofs,
        inprocessing: proofs.then_some(20),
        ..Config::default()
    };
    let counts = Arc::new(Mutex::new(Counts::default()));
    let mut solver = if proofs {
        Solver::with_observer(config, Box::new(Derivations::new(Arc::clone(&counts))))
    } else {
        Solver::new(config)
    };
    solver.set_tick_limit(Some(TICKS));
    let mut scopes: Vec<Vec<TermId>> = vec![Vec::new()];
    for call in calls {
        match call {
            Call::Push => {
                solver.push();
                scopes.push(Vec::new());
            }
            Call::Pop if scopes.len() > 1 => {
                solver.pop();
                scopes.pop();
            }
            Call::Pop => {}
            Call::Assert(formula) => {
                let formula = words.formula(&mut pool, formula);
                solver.assert(&mut pool, formula, Part(0));
                scopes.last_mut().expect("the outermost scope").push(formula);
            }
            Call::Check(assumptions) => {
                let asserted = scopes.concat();
                let assumed: Vec<TermId> = assumptions.iter().map(|f| words.formula(&mut pool, f)).collect();
                let answer = solver.check(&mut pool, &assumed);
                check_evidence(&mut pool, &mut solver, answer, &asserted, &assumed);
            }
        }
    }
    if proofs {
        let (counts, statistics) = (counts.lock().expect("no panic"), solver.statistics());
        assert_eq!(counts.scopes, scopes.len() - 1, "scopes open and close");
        assert_eq!(Some(counts.clauses), solver.recorded(), "every clause is recorded");
        assert_eq!(
            (counts.checks, counts.decisions, counts.conflicts),
            (statistics.checks, statistics.decisions, statistics.conflicts)
        );
    }
}

fn check_evidence(pool: &mut TermPool, solver: &mut Solver, answer: Answer, asserted: &[TermId], assumed: &[TermId]) {
    let all = [asserted, assumed].concat();
    match answer {
        Answer::Sat => {
            let model = solver.model(pool);
            for &formula in &all {
                assert!(
                    model.eval_bool(pool, formula),
                    "the model violates {}",
                    pool.to_smtlib(formula)
                );
            }
        }
        Answer::Unsat => {
            let core = solver.core();
            assert!(core.iter().all(|part| assumed.contains(part)), "a core of assumptions");
            let needed = [asserted, &core].concat();
            assert_ne!(fresh(pool, &needed), Answer::Sat, "the core is satisfiable");
            // There is a proof if the assertions contradict each other without the assumptions.
            if let Some(proof) = solver.proof() {
                let labelled: Vec<(Part, TermId)> = asserted.iter().map(|&formula| (Part(0), formula)).collect();
                assert_eq!(proof::check(pool, &proof, &labelled), Ok(()));
            }
        }
        Answer::Unknown(_) => return,
    }
    let again = fresh(pool, &all);
    assert!(
        matches!(again, Answer::Unknown(_)) || again == answer,
        "after this trace {answer:?}, a fresh solver {again:?}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn traces_agree_with_fresh_solvers(calls in prop::collection::vec(call(), 1..25)) {
        play(&calls, false);
    }

    #[test]
    fn traces_with_proofs_agree_with_fresh_solvers(calls in prop::collection::vec(call(), 1..25)) {
        play(&calls, true);
    }
}
