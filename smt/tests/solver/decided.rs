//! A fresh solver's answer with its evidence checked, for several modules.

use provident_smt::proof::{self, Part};
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{TermId, TermPool};

/// A solver with proofs that has answered, and the answer. The model or the proof is checked.
pub fn decide(pool: &mut TermPool, formulas: &[TermId]) -> (Solver, Answer) {
    let mut solver = Solver::new(Config {
        proofs: true,
        ..Config::default()
    });
    let parts: Vec<(Part, TermId)> = formulas.iter().map(|&f| (Part(0), f)).collect();
    for &(part, formula) in &parts {
        solver.assert(pool, formula, part);
    }
    let answer = solver.check(pool, &[]);
    if answer == Answer::Sat {
        let model = solver.model(pool);
        assert!(formulas.iter().all(|&f| model.eval_bool(pool, f)));
    } else if answer == Answer::Unsat {
        let proof = solver.proof().expect("proofs are recorded");
        proof::check(pool, &proof, &parts).expect("the proof is right");
    }
    (solver, answer)
}
