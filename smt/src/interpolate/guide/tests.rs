//! Replayed proofs are accepted by the checker, for every variant.

use super::super::span::Spans;
use super::super::walk;
use super::*;
use crate::interpolate::Variant;
use crate::proof;
use crate::solver::{Config, Solver};

/// Holes for pigeons: each pigeon of A and of B has one of the holes, and no two share one. The conflicts are stated by B for its own pigeons, else by A.
fn pigeons(pool: &mut TermPool, holes: u32) -> [Vec<TermId>; 2] {
    let mut parts = [Vec::new(), Vec::new()];
    let name = pool.symbol("sits");
    let sits = |pool: &mut TermPool, pigeon: u32, hole: u32| pool.bool_var(name, pigeon * holes + hole);
    for pigeon in 0..=holes {
        let somewhere: Vec<TermId> = (0..holes).map(|hole| sits(pool, pigeon, hole)).collect();
        parts[usize::from(pigeon * 2 > holes)].push(pool.or(&somewhere));
        for other in 0..pigeon {
            for hole in 0..holes {
                let both = [sits(pool, pigeon, hole), sits(pool, other, hole)];
                let both = pool.and(&both);
                parts[usize::from(other * 2 > holes)].push(pool.not(both));
            }
        }
    }
    parts
}

/// Diamonds of equations, with an order at the ends: `x0 <= x1 <= x2 ...` over either way, and the last is below the first.
fn diamonds(pool: &mut TermPool, count: u32) -> [Vec<TermId>; 2] {
    let mut parts = [Vec::new(), Vec::new()];
    let [x, left, right] = ["x", "left", "right"].map(|name| pool.symbol(name));
    for i in 0..count {
        let [now, next, left, right] = [(x, i), (x, i + 1), (left, i), (right, i)].map(|(n, i)| pool.int_var(n, i));
        let ways = [left, right].map(|middle| {
            let steps = [pool.le(now, middle), pool.le(middle, next)];
            pool.and(&steps)
        });
        parts[usize::from(2 * i >= count)].push(pool.or(&ways));
    }
    let (first, last) = (pool.int_var(x, 0), pool.int_var(x, count));
    let f = pool.symbol("f");
    let images = [first, last].map(|end| pool.app(f, 0, &[end]));
    let (below, same) = (pool.le(last, first), pool.eq(images[0], images[1]));
    parts[1].extend([below, pool.not(same)]);
    parts
}

/// The proofs of both sides are replayed and accepted, for every variant.
fn replayed(pool: &mut TermPool, parts: [Vec<TermId>; 2], equality: bool) {
    let mut solver = Solver::new(Config {
        proofs: true,
        interpolation: true,
        arithmetic_only: !equality,
        ..Config::default()
    });
    let mut conjuncts = Vec::new();
    for (part, formulas) in (0..).map(Part).zip(&parts) {
        for &formula in formulas {
            conjuncts.push((part, formula));
            solver.assert(pool, formula, part);
        }
    }
    assert_eq!(solver.check(pool, &[]), Answer::Unsat);
    let proof = Arc::new(solver.proof().expect("proofs are recorded"));
    let spans = Spans::new(pool, &conjuncts);
    let limits = StrengthLimits::default();
    let mut replays = 0;
    for variant in Variant::all() {
        let mut guide = None;
        let Ok(found) = walk::interpolants(pool, &proof, &spans, 2, variant, (Some(&mut guide), None)) else {
            continue;
        };
        let Some(guide) = guide else { continue };
        let interpolant = found[0];
        for (side, end) in [(Side::A, pool.not(interpolant)), (Side::B, interpolant)] {
            let refutation = replay(pool, &guide, side, end, &limits).expect("the proof can be replayed");
            let own = &parts[usize::from(side == Side::B)];
            let asserted: Vec<(Part, TermId)> = own.iter().chain([&end]).map(|&f| (Part(0), f)).collect();
            proof::check(pool, &refutation, &asserted).expect("the replayed proof is right");
            replays += 1;
            run_by_run(pool, &guide, side, &limits);
        }
    }
    assert!(replays > 0, "some variant has no mixed literals");
}

/// The lemma of each chain is also found run by run.
fn run_by_run(pool: &mut TermPool, guide: &Guide, side: Side, limits: &StrengthLimits) {
    let mut replay = Replay::new(pool, guide, side, limits);
    for (index, step) in (0..).zip(&guide.proof.steps) {
        let lemma = replay.lemma(ClauseId(index)).expect("the proof can be replayed");
        if let (Some(_), Step::Chain { antecedents, pivots }) = (lemma, step) {
            let found = replay.by_runs(antecedents, pivots);
            assert!(found.is_some(), "each run has a lemma");
        }
        replay.lemmas.push(lemma);
    }
}

#[test]
fn clauses() {
    let mut pool = TermPool::new();
    let parts = pigeons(&mut pool, 4);
    replayed(&mut pool, parts, true);
}

#[test]
fn arithmetic_and_congruence() {
    for equality in [false, true] {
        let mut pool = TermPool::new();
        let parts = diamonds(&mut pool, 6);
        replayed(&mut pool, parts, equality);
    }
}
