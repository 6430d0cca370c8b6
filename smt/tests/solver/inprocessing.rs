//! Simplification of learned clauses during the search: the same answers, checked proofs, valid interpolants, and nothing that outlives a scope.

use provident_smt::interpolate::{InterpolationConfig, SequenceResult, sequence};
use provident_smt::proof::{self, Part};
use provident_smt::solver::{Answer, Config, Solver, Statistics};
use provident_smt::term::{NO_INDEX, TermId, TermPool};

/// Simplifies at every restart or so.
const OFTEN: Option<u64> = Some(1);

fn flag(pool: &mut TermPool, name: &str) -> TermId {
    let name = pool.symbol(name);
    pool.bool_var(name, NO_INDEX)
}

/// Each of `pigeons` sits in one of `holes`, and no two in one: a contradiction if there are more pigeons, and one that takes many conflicts.
fn pigeons(pool: &mut TermPool, pigeons: usize, holes: usize) -> Vec<TermId> {
    let mut formulas = Vec::new();
    let sits: Vec<Vec<TermId>> = (0..pigeons)
        .map(|p| (0..holes).map(|h| flag(pool, &format!("p{p}h{h}"))).collect())
        .collect();
    for (p, row) in sits.iter().enumerate() {
        formulas.push(pool.or(row));
        for other in &sits[..p] {
            for (&a, &b) in row.iter().zip(other) {
                let both = pool.and2(a, b);
                formulas.push(pool.not(both));
            }
        }
    }
    formulas
}

/// `jobs` jobs of length 2 that do not overlap, all within `deadline`.
fn jobs(pool: &mut TermPool, jobs: u32, deadline: u32) -> Vec<TermId> {
    let name = pool.symbol("start");
    let starts: Vec<TermId> = (0..jobs).map(|job| pool.int_var(name, job)).collect();
    let (zero, two, latest) = (pool.int(0), pool.int(2), pool.int(deadline - 2));
    let mut formulas = Vec::new();
    for (k, &a) in starts.iter().enumerate() {
        formulas.extend([pool.le(zero, a), pool.le(a, latest)]);
        for &b in &starts[k + 1..] {
            let (a_end, b_end) = (pool.add(a, two), pool.add(b, two));
            let (before, after) = (pool.le(a_end, b), pool.le(b_end, a));
            formulas.push(pool.or2(before, after));
        }
    }
    formulas
}

fn solver(proofs: bool) -> Solver {
    Solver::new(Config {
        proofs,
        inprocessing: OFTEN,
        ..Config::default()
    })
}

/// Refutes the formulas and checks the proof.
fn refute(pool: &mut TermPool, formulas: &[TermId]) -> Statistics {
    let mut solver = solver(true);
    for &formula in formulas {
        solver.assert(pool, formula, Part(0));
    }
    assert_eq!(solver.check(pool, &[]), Answer::Unsat);
    let proof = solver.proof().expect("proofs are recorded");
    let asserted: Vec<(Part, TermId)> = formulas.iter().map(|&f| (Part(0), f)).collect();
    proof::check(pool, &proof, &asserted).expect("the proof is right");
    solver.statistics()
}

#[test]
fn proofs_of_simplified_clauses_are_right() {
    let mut pool = TermPool::new();
    let formulas = pigeons(&mut pool, 8, 7);
    let statistics = refute(&mut pool, &formulas);
    assert!(statistics.strengthened > 0 && statistics.subsumed > 0, "{statistics:?}");
    let formulas = jobs(&mut pool, 6, 11);
    let statistics = refute(&mut pool, &formulas);
    assert!(statistics.strengthened > 0, "{statistics:?}");
}

#[test]
fn a_long_search_forgets_what_its_proof_does_not_need() {
    for inprocessing in [None, OFTEN] {
        let mut pool = TermPool::new();
        let (first, second) = (pigeons(&mut pool, 9, 8), jobs(&mut pool, 6, 11));
        let mut solver = Solver::new(Config {
            proofs: true,
            inprocessing,
            ..Config::default()
        });
        for formulas in [first, second] {
            solver.push();
            for &formula in &formulas {
                solver.assert(&mut pool, formula, Part(0));
            }
            assert_eq!(solver.check(&mut pool, &[]), Answer::Unsat);
            let proof = solver.proof().expect("proofs are recorded");
            let asserted: Vec<(Part, TermId)> = formulas.iter().map(|&f| (Part(0), f)).collect();
            proof::check(&mut pool, &proof, &asserted).expect("the proof is right");
            solver.pop();
        }
        let counts = (solver.recorded(), solver.remembered());
        assert!(counts.1 < counts.0, "{counts:?}");
    }
}

#[test]
fn every_run_is_the_same() {
    let mut all = Vec::new();
    for _ in 0..2 {
        let mut pool = TermPool::new();
        let formulas = pigeons(&mut pool, 7, 6);
        all.push(refute(&mut pool, &formulas));
    }
    assert_eq!(all[0], all[1]);
}

#[test]
fn what_is_simplified_in_a_scope_does_not_outlive_it() {
    for proofs in [false, true] {
        let mut pool = TermPool::new();
        let (loose, tight) = (jobs(&mut pool, 6, 12), jobs(&mut pool, 6, 11));
        let mut solver = solver(proofs);
        let hard = pigeons(&mut pool, 7, 6);
        let switch = flag(&mut pool, "switch");
        for &formula in &loose {
            solver.assert(&mut pool, formula, Part(0));
        }
        for round in 0..4 {
            solver.push();
            let contradiction = if round % 2 == 0 { &tight } else { &hard };
            for &formula in contradiction {
                solver.assert(&mut pool, formula, Part(0));
            }
            assert_eq!(solver.check(&mut pool, &[switch]), Answer::Unsat);
            if proofs {
                let proof = solver.proof().expect("the assumption is not needed");
                let asserted: Vec<(Part, TermId)> = loose.iter().chain(contradiction).map(|&f| (Part(0), f)).collect();
                proof::check(&mut pool, &proof, &asserted).expect("the proof is right");
            }
            solver.pop();
            assert_eq!(solver.check(&mut pool, &[switch]), Answer::Sat);
        }
        assert!(solver.statistics().strengthened > 0);
    }
}

#[test]
fn interpolants_of_simplified_proofs_are_valid() {
    let mut pool = TermPool::new();
    for formulas in [pigeons(&mut pool, 6, 5), jobs(&mut pool, 5, 9)] {
        let thirds: Vec<TermId> = formulas
            .chunks(formulas.len().div_ceil(3))
            .map(|chunk| pool.and(chunk))
            .collect();
        for inprocessing in [None, OFTEN] {
            let config = InterpolationConfig {
                check: true,
                minimise: false,
                inprocessing,
                ..InterpolationConfig::default()
            };
            let result = sequence(&mut pool, &thirds, &config);
            assert!(
                matches!(&result, SequenceResult::Unsat(found) if found.len() == thirds.len() - 1),
                "{result:?}"
            );
        }
    }
}
