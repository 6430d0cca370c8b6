//! Random formulas: the solver against enumeration of small worlds, with models and proofs checked.

use crate::trees::{self, Fml, World, formula};
use proptest::prelude::*;
use provident_smt::proof::{self, Part};
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{NO_INDEX, TermId, TermPool};

/// Unbounded integers may take branching arbitrarily long: the tests of rich formulas accept `Unknown` after this effort.
const TICKS: u64 = 50_000;

/// The variables range over `-BOUND..=BOUND` in the bounded tests.
const BOUND: i64 = 2;

/// All assignments of the variables within the bound; the function is constantly 0, because it does not occur.
fn small_worlds() -> impl Iterator<Item = World> {
    let values = || -BOUND..=BOUND;
    let ints = values().flat_map(move |x| values().flat_map(move |y| values().map(move |z| vec![x, y, z])));
    ints.flat_map(|ints| {
        (0..8_u8).map(move |bits| World {
            ints: ints.clone(),
            bools: (0..3).map(|bit| bits >> bit & 1 == 1).collect(),
            table: Vec::new(),
            default: 0,
        })
    })
}

/// `-BOUND <= x <= BOUND` for each variable.
fn bounds(pool: &mut TermPool) -> Vec<TermId> {
    let (low, high) = (pool.int(-BOUND), pool.int(BOUND));
    let mut formulas = Vec::new();
    for i in 0..trees::VARIABLES {
        let name = pool.symbol(&format!("x{i}"));
        let variable = pool.int_var(name, NO_INDEX);
        formulas.push(pool.le(low, variable));
        formulas.push(pool.le(variable, high));
    }
    formulas
}

/// Asserts that after `Sat` the model satisfies the formulas.
fn assert_model(pool: &TermPool, solver: &mut Solver, formulas: &[TermId]) {
    let model = solver.model(pool);
    for &formula in formulas {
        assert!(
            model.eval_bool(pool, formula),
            "the model violates {}",
            pool.to_smtlib(formula)
        );
    }
}

/// Checks the formulas with a fresh solver and checks the evidence for the answer.
fn decide(pool: &mut TermPool, formulas: &[TermId], ticks: Option<u64>) -> Answer {
    let mut solver = Solver::new(Config {
        proofs: true,
        ..Config::default()
    });
    solver.set_tick_limit(ticks);
    let parts: Vec<(Part, TermId)> = (0..).map(Part).zip(formulas.iter().copied()).collect();
    for &(part, formula) in &parts {
        solver.assert(pool, formula, part);
    }
    let answer = solver.check(pool, &[]);
    match answer {
        Answer::Sat => assert_model(pool, &mut solver, formulas),
        Answer::Unsat => {
            let proof = solver.proof().expect("proofs are recorded");
            if let Err(error) = proof::check(pool, &proof, &parts) {
                panic!("the proof is wrong: {error:?}");
            }
        }
        Answer::Unknown(_) => {}
    }
    answer
}

/// The answer with cases in the place of conditional terms.
fn decide_by_cases(pool: &mut TermPool, formulas: &[TermId]) -> Answer {
    let mut solver = Solver::new(Config {
        lifts_choices: true,
        ..Config::default()
    });
    solver.set_tick_limit(Some(TICKS));
    for &formula in formulas {
        solver.assert(pool, formula, Part(0));
    }
    let answer = solver.check(pool, &[]);
    if answer == Answer::Sat {
        assert_model(pool, &mut solver, formulas);
    }
    answer
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Linear formulas over bounded variables have few worlds: the answer must be the enumeration's.
    #[test]
    fn bounded_linear_formulas_agree_with_enumeration(f in formula(false), g in formula(false)) {
        let mut pool = TermPool::new();
        let mut formulas = vec![f.build(&mut pool), g.build(&mut pool)];
        formulas.extend(bounds(&mut pool));
        let satisfiable = small_worlds().any(|world| world.fml(&f) && world.fml(&g));
        let answer = decide(&mut pool, &formulas, None);
        prop_assert_eq!(answer, if satisfiable { Answer::Sat } else { Answer::Unsat });
    }

    /// With functions, division and `ite` a world found by chance refutes `Unsat`, and models and proofs speak for themselves.
    #[test]
    fn rich_formulas_have_checked_answers(f in formula(true), g in formula(true), worlds in prop::collection::vec(trees::world(), 20)) {
        let mut pool = TermPool::new();
        let formulas = [f.build(&mut pool), g.build(&mut pool)];
        let satisfiable = worlds.iter().any(|world| world.fml(&f) && world.fml(&g));
        let answer = decide(&mut pool, &formulas, Some(TICKS));
        prop_assert!(answer != Answer::Unsat || !satisfiable, "there is a model");
        let lifted = decide_by_cases(&mut pool, &formulas);
        prop_assert!(lifted != Answer::Unsat || !satisfiable, "there is a model");
        if !matches!(answer, Answer::Unknown(_)) && !matches!(lifted, Answer::Unknown(_)) {
            prop_assert_eq!(answer, lifted);
        }
    }

    /// One incremental solver under pushes, pops and assumptions answers as fresh solvers do.
    #[test]
    fn incremental_answers_agree_with_fresh_ones(script in prop::collection::vec((0..5_u8, formula(true)), 1..12)) {
        let mut pool = TermPool::new();
        let mut solver = Solver::new(Config { lifts_choices: true, ..Config::default() });
        solver.set_tick_limit(Some(TICKS));
        let mut levels: Vec<Vec<TermId>> = vec![Vec::new()];
        for (command, formula) in &script {
            let term = Fml::build(formula, &mut pool);
            match command {
                0 => {
                    solver.push();
                    levels.push(Vec::new());
                }
                1 if levels.len() > 1 => {
                    solver.pop();
                    levels.pop();
                }
                2 | 3 => {
                    solver.assert(&mut pool, term, Part(0));
                    levels.last_mut().expect("the base level stays").push(term);
                }
                _ => {
                    let asserted: Vec<TermId> = levels.iter().flatten().copied().collect();
                    let not_term = pool.not(term);
                    for assumption in [term, not_term] {
                        let all: Vec<TermId> = asserted.iter().copied().chain([assumption]).collect();
                        let answer = solver.check(&mut pool, &[assumption]);
                        let fresh = decide(&mut pool, &all, Some(TICKS));
                        match (answer, fresh) {
                            (Answer::Sat, Answer::Unsat) | (Answer::Unsat, Answer::Sat) => {
                                panic!("incremental: {answer:?}, fresh: {fresh:?}");
                            }
                            (Answer::Unknown(_), _) => {}
                            (Answer::Sat, _) => assert_model(&pool, &mut solver, &all),
                            (Answer::Unsat, _) => {
                                // The core alone must be inconsistent with the assertions.
                                let core = solver.core();
                                prop_assert!(core.iter().all(|&c| c == assumption));
                                let with_core: Vec<TermId> = asserted.iter().copied().chain(core).collect();
                                prop_assert!(decide(&mut pool, &with_core, Some(TICKS)) != Answer::Sat);
                            }
                        }
                    }
                }
            }
        }
    }
}
