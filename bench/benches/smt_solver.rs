//! Whole queries: feasibility of paths, difference logic with case splits, functions, incremental use, and interpolation.

use criterion::{Criterion, criterion_group, criterion_main};
use provident_smt::allsat::{AllSatAnswer, all_sat};
use provident_smt::interpolate::{InterpolationConfig, SequenceResult, sequence};
use provident_smt::num::Int;
use provident_smt::products::all_products;
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{SymbolId, TermId, TermPool};

/// The steps of a counting loop: `i' = i + 1`, `s' = s + 2`, and `i' <= n`, from 0; the last part contradicts them.
fn loop_path(pool: &mut TermPool, length: u32) -> Vec<TermId> {
    let [i, s, n]: [SymbolId; 3] = ["i", "s", "n"].map(|name| pool.symbol(name));
    let (zero, one, two) = (pool.int(0), pool.int(1), pool.int(2));
    let bound = pool.int_var(n, 0);
    let (i0, s0) = (pool.int_var(i, 0), pool.int_var(s, 0));
    let (start_i, start_s) = (pool.eq(i0, zero), pool.eq(s0, zero));
    let mut parts = vec![pool.and2(start_i, start_s)];
    for step in 0..length {
        let (i_old, i_new) = (pool.int_var(i, step), pool.int_var(i, step + 1));
        let (s_old, s_new) = (pool.int_var(s, step), pool.int_var(s, step + 1));
        let (i_next, s_next) = (pool.add(i_old, one), pool.add(s_old, two));
        let formulas = [pool.eq(i_new, i_next), pool.eq(s_new, s_next), pool.le(i_new, bound)];
        parts.push(pool.and(&formulas));
    }
    let (i_end, s_end) = (pool.int_var(i, length), pool.int_var(s, length));
    let doubled = pool.add(i_end, i_end);
    parts.push(pool.ne(s_end, doubled));
    parts
}

/// `jobs` jobs of length 2 on one machine, all within `deadline`: unsatisfiable if the deadline is below `2 * jobs`.
fn job_shop(pool: &mut TermPool, jobs: u32, deadline: u32) -> TermId {
    let name = pool.symbol("start");
    let starts: Vec<TermId> = (0..jobs).map(|job| pool.int_var(name, job)).collect();
    let (zero, two, latest) = (pool.int(0), pool.int(2), pool.int(deadline - 2));
    let mut formulas = Vec::new();
    for (k, &a) in starts.iter().enumerate() {
        formulas.push(pool.le(zero, a));
        formulas.push(pool.le(a, latest));
        for &b in &starts[k + 1..] {
            let (a_end, b_end) = (pool.add(a, two), pool.add(b, two));
            let (before, after) = (pool.le(a_end, b), pool.le(b_end, a));
            formulas.push(pool.or2(before, after));
        }
    }
    pool.and(&formulas)
}

/// `x0 = x1`, `f(x_k) = x_(k+1)` around a ring, and `f` of the ends different: unsatisfiable by congruence.
fn ring(pool: &mut TermPool, size: u32) -> TermId {
    let (f, x) = (pool.symbol("f"), pool.symbol("x"));
    let mut formulas = Vec::new();
    for k in 0..size {
        let (a, b) = (pool.int_var(x, k), pool.int_var(x, k + 1));
        let fa = pool.app(f, 0, &[a]);
        formulas.push(pool.eq(fa, b));
    }
    let (first, second, last) = (pool.int_var(x, 0), pool.int_var(x, 1), pool.int_var(x, size));
    formulas.push(pool.eq(first, second));
    formulas.push(pool.ne(first, last));
    pool.and(&formulas)
}

/// `pigeons` in one hole less, at most one in each: unsatisfiable, by clauses alone.
fn pigeons(pool: &mut TermPool, pigeons: u32) -> TermId {
    let sits: Vec<Vec<TermId>> = (0..pigeons)
        .map(|pigeon| {
            let name = pool.symbol(&format!("pigeon{pigeon}"));
            (0..pigeons - 1).map(|hole| pool.bool_var(name, hole)).collect()
        })
        .collect();
    let mut formulas: Vec<TermId> = sits.iter().map(|holes| pool.or(holes)).collect();
    for (k, one) in sits.iter().enumerate() {
        for other in &sits[k + 1..] {
            for (&a, &b) in one.iter().zip(other) {
                let both = pool.and2(a, b);
                formulas.push(pool.not(both));
            }
        }
    }
    pool.and(&formulas)
}

/// Goods from `size` sources, 10 from each, to as many sinks, each of which wants 10, at a total cost of at most `budget`; the cheapest ways
/// cost 1. No formula but inequalities: infeasible by pivots alone if the budget is below `10 * size`.
fn transport(pool: &mut TermPool, size: u32, budget: u32) -> TermId {
    let (zero, ten, budget) = (pool.int(0), pool.int(10), pool.int(budget));
    let ways: Vec<Vec<TermId>> = (0..size)
        .map(|source| {
            let name = pool.symbol(&format!("from{source}"));
            (0..size).map(|sink| pool.int_var(name, sink)).collect()
        })
        .collect();
    let (mut formulas, mut cost) = (Vec::new(), zero);
    let mut arrived = vec![zero; ways.len()];
    for (i, sinks) in (0..).zip(&ways) {
        let mut sent = zero;
        for ((j, &way), arrived) in (0..).zip(sinks).zip(&mut arrived) {
            formulas.push(pool.ge(way, zero));
            sent = pool.add(sent, way);
            *arrived = pool.add(*arrived, way);
            let price = pool.scale(&Int::from(1 + (3 * i + 5 * j) % 7), way);
            cost = pool.add(cost, price);
        }
        formulas.push(pool.le(sent, ten));
    }
    formulas.extend(arrived.into_iter().map(|arrived| pool.ge(arrived, ten)));
    formulas.push(pool.le(cost, budget));
    pool.and(&formulas)
}

/// `count` variables in a range, each copied or set to 5 on one of two paths; and three predicates on the end of each.
fn two_paths(pool: &mut TermPool, count: u32) -> (TermId, Vec<TermId>) {
    let (three, five, nine) = (pool.int(3), pool.int(5), pool.int(9));
    let (mut formulas, mut literals, mut paths) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for i in 0..count {
        let name = pool.symbol(&format!("x{i}"));
        let [old, middle, new] = [0, 1, 2].map(|version| pool.int_var(name, version));
        formulas.extend([pool.ge(old, three), pool.le(old, nine)]);
        paths[0].extend([pool.eq(middle, old), pool.eq(new, middle)]);
        paths[1].extend([pool.ne(old, five), pool.eq(new, five)]);
        literals.extend([pool.le(new, three), pool.eq(new, five), pool.ge(new, nine)]);
    }
    let paths = paths.map(|path| pool.and(&path));
    formulas.push(pool.or(&paths));
    (pool.and(&formulas), literals)
}

/// Ordered jobs of [`job_shop`]: for each pair which comes first.
fn orders(pool: &mut TermPool, jobs: u32) -> Vec<TermId> {
    let name = pool.symbol("start");
    let starts: Vec<TermId> = (0..jobs).map(|job| pool.int_var(name, job)).collect();
    let mut literals = Vec::new();
    for (k, &a) in starts.iter().enumerate() {
        literals.extend(starts[k + 1..].iter().map(|&b| pool.lt(a, b)));
    }
    literals
}

fn abstraction(c: &mut Criterion) {
    let mut pool = TermPool::new();
    let (paths, literals) = two_paths(&mut pool, 20);
    let (shop, order) = (job_shop(&mut pool, 5, 10), orders(&mut pool, 5));
    for (name, formula, literals) in [
        ("20 variables on two paths", paths, literals),
        ("orders of 5 jobs", shop, order),
    ] {
        c.bench_function(&format!("abstraction/{name}"), |b| {
            b.iter(|| {
                let mut solver = Solver::new(Config::default());
                solver.assert(&mut pool, formula, Part(0));
                let answer = all_products(&mut solver, &mut pool, &literals, &mut |_| ());
                assert!(matches!(answer, AllSatAnswer::Complete(_)));
            });
        });
    }
}

/// Two counters after `blocks` steps that branch on each other, and predicates over their last values: what the abstraction of a block asks.
fn branching_counters(pool: &mut TermPool, blocks: u32, predicates: i64) -> (TermId, Vec<TermId>) {
    let [x, y, f] = ["x", "y", "f"].map(|name| pool.symbol(name));
    let (zero, one, twenty) = (pool.int(0), pool.int(1), pool.int(20));
    let (x0, y0) = (pool.int_var(x, 0), pool.int_var(y, 0));
    let mut formulas = vec![
        pool.ge(x0, zero),
        pool.le(x0, twenty),
        pool.ge(y0, zero),
        pool.le(y0, twenty),
    ];
    for k in 0..blocks {
        let [old_x, old_y] = [x, y].map(|name| pool.int_var(name, k));
        let [new_x, new_y] = [x, y].map(|name| pool.int_var(name, k + 1));
        let step = pool.int(1 + i64::from(k % 4));
        let (up, down) = (pool.add(old_x, step), pool.sub(old_x, step));
        let (below, fx, fy) = (pool.lt(old_y, step), pool.app(f, 0, &[old_x]), pool.app(f, 0, &[old_y]));
        let (same, next_y) = (pool.eq(fx, fy), pool.add(old_y, one));
        let (value_x, value_y) = (pool.ite(below, up, down), pool.ite(same, old_y, next_y));
        formulas.extend([pool.eq(new_x, value_x), pool.eq(new_y, value_y)]);
    }
    let [last_x, last_y] = [x, y].map(|name| pool.int_var(name, blocks));
    let difference = pool.sub(last_x, last_y);
    let literals = (0..predicates).map(|i| {
        let (k, term) = (pool.int(3 * i / 2 - 6), [last_x, last_y, difference][i as usize % 3]);
        if i % 4 == 0 { pool.eq(term, k) } else { pool.le(term, k) }
    });
    let literals = literals.collect();
    (pool.and(&formulas), literals)
}

/// All models of projections of three sizes; the number of models is part of the name, for the time per model.
fn models(c: &mut Criterion) {
    for predicates in [8, 16, 24] {
        let mut pool = TermPool::new();
        let (formula, literals) = branching_counters(&mut pool, 4, predicates);
        let mut enumerate = || {
            let mut solver = Solver::new(Config::default());
            solver.assert(&mut pool, formula, Part(0));
            match all_sat(&mut solver, &mut pool, &literals, &mut |_| ()) {
                AllSatAnswer::Complete(statistics) => statistics.models,
                AllSatAnswer::Unknown(reason) => panic!("no answer: {reason:?}"),
            }
        };
        let name = format!("models/{predicates} predicates, {} models", enumerate());
        c.bench_function(&name, |b| b.iter(&mut enumerate));
    }
}

/// A path that grows and shrinks step by step, each step in a scope of its own: a thousand checks.
fn growing_path(pool: &mut TermPool) {
    let [x, y] = ["x", "y"].map(|name| pool.symbol(name));
    let mut solver = Solver::new(Config::default());
    let mut length = 0;
    for round in 0..1000_u32 {
        let [old_x, old_y] = [x, y].map(|name| pool.int_var(name, length));
        let [new_x, new_y] = [x, y].map(|name| pool.int_var(name, length + 1));
        let (step, limit) = (pool.int(i64::from(round * 7 % 5)), pool.int(i64::from(round % 97)));
        let (next_x, next_y) = (pool.add(old_x, step), pool.add(old_y, new_x));
        let formulas = [pool.eq(new_x, next_x), pool.eq(new_y, next_y), pool.le(new_y, limit)];
        let block = pool.and(&formulas);
        solver.push();
        solver.assert(pool, block, Part(0));
        let keeps = solver.check(pool, &[]) == Answer::Sat && round % 8 == 7;
        if keeps && length < 16 {
            length += 1;
        } else {
            solver.pop();
        }
    }
}

fn decide(pool: &mut TermPool, formula: TermId, expected: Answer) {
    let mut solver = Solver::new(Config::default());
    solver.assert(pool, formula, Part(0));
    assert_eq!(solver.check(pool, &[]), expected);
}

fn solver(c: &mut Criterion) {
    let mut pool = TermPool::new();
    let path = loop_path(&mut pool, 50);
    let whole_path = pool.and(&path);
    let (tight, loose, ring) = (
        job_shop(&mut pool, 5, 9),
        job_shop(&mut pool, 8, 16),
        ring(&mut pool, 30),
    );
    let (crowd, dear) = (pigeons(&mut pool, 7), transport(&mut pool, 10, 99));
    c.bench_function("solver/propagation: 7 pigeons in 6 holes", |b| {
        b.iter(|| decide(&mut pool, crowd, Answer::Unsat));
    });
    c.bench_function("solver/pivoting: 10 sources and sinks", |b| {
        b.iter(|| decide(&mut pool, dear, Answer::Unsat));
    });
    c.bench_function("solver/infeasible path of 50 steps", |b| {
        b.iter(|| decide(&mut pool, whole_path, Answer::Unsat));
    });
    c.bench_function("solver/5 jobs too many", |b| {
        b.iter(|| decide(&mut pool, tight, Answer::Unsat))
    });
    c.bench_function("solver/8 jobs that fit", |b| {
        b.iter(|| decide(&mut pool, loose, Answer::Sat))
    });
    c.bench_function("solver/congruence around a ring of 30", |b| {
        b.iter(|| decide(&mut pool, ring, Answer::Unsat))
    });
    c.bench_function("solver/50 assumptions checks on one path", |b| {
        let variable = pool.symbol("n");
        let bound = pool.int_var(variable, 0);
        let prefix = pool.and(&path[..path.len() - 1]);
        b.iter(|| {
            let mut solver = Solver::new(Config::default());
            solver.assert(&mut pool, prefix, Part(0));
            for value in 25..75 {
                let value_term = pool.int(value);
                let assumption = pool.le(bound, value_term);
                let expected = if value < 50 { Answer::Unsat } else { Answer::Sat };
                assert_eq!(solver.check(&mut pool, &[assumption]), expected);
            }
        });
    });
    c.bench_function("solver/1000 rounds of push, assert, check, pop", |b| {
        b.iter(|| growing_path(&mut TermPool::new()));
    });
    c.bench_function("interpolation/path of 50 steps", |b| {
        let config = InterpolationConfig {
            check: false,
            ..InterpolationConfig::default()
        };
        b.iter(|| {
            let result = sequence(&mut pool, &path, &config);
            assert!(matches!(&result, SequenceResult::Unsat(found) if found.len() == path.len() - 1));
        });
    });
}

criterion_group!(benches, solver, abstraction, models);
criterion_main!(benches);
