//! Constraint problems over small domains: the search with clauses over bounds and values.

use criterion::{Criterion, criterion_group, criterion_main};
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Config, Solver};
use provident_smt::term::{TermId, TermPool};

/// `count` integers from 1 to `values`, pairwise different, and the formulas that say so.
fn all_different(pool: &mut TermPool, name: &str, count: u32, values: u32) -> (Vec<TermId>, Vec<TermId>) {
    let name = pool.symbol(name);
    let variables: Vec<TermId> = (0..count).map(|i| pool.int_var(name, i)).collect();
    let (one, most) = (pool.int(1), pool.int(values));
    let mut formulas = Vec::new();
    for (j, &x) in variables.iter().enumerate() {
        formulas.extend([pool.le(one, x), pool.le(x, most)]);
        formulas.extend(variables[..j].iter().map(|&y| pool.ne(x, y)));
    }
    (variables, formulas)
}

/// A permutation the sizes of whose steps are different.
fn all_interval(pool: &mut TermPool, count: u32) -> TermId {
    let (notes, mut formulas) = all_different(pool, "note", count, count);
    let (steps, different) = all_different(pool, "step", count - 1, count - 1);
    formulas.extend(different);
    for (pair, &step) in notes.windows(2).zip(&steps) {
        let (up, down) = (pool.sub(pair[1], pair[0]), pool.sub(pair[0], pair[1]));
        let rises = pool.lt(pair[0], pair[1]);
        let length = pool.ite(rises, up, down);
        formulas.push(pool.eq(step, length));
    }
    pool.and(&formulas)
}

/// A permutation whose differences at each distance are different (Costas 1984).
fn costas_array(pool: &mut TermPool, count: u32) -> TermId {
    let (marks, mut formulas) = all_different(pool, "mark", count, count);
    for step in 1..count as usize - 1 {
        let differences: Vec<TermId> = marks
            .windows(step + 1)
            .map(|pair| pool.sub(pair[step], pair[0]))
            .collect();
        for (j, &a) in differences.iter().enumerate() {
            formulas.extend(differences[..j].iter().map(|&b| pool.ne(a, b)));
        }
    }
    pool.and(&formulas)
}

fn decide(pool: &mut TermPool, formula: TermId, expected: Answer) {
    let mut solver = Solver::new(Config {
        finite_after: Some(100_000),
        ..Config::default()
    });
    solver.assert(pool, formula, Part(0));
    assert_eq!(solver.check(pool, &[]), expected);
}

fn small_domains(c: &mut Criterion) {
    let mut pool = TermPool::new();
    let pigeons = all_different(&mut pool, "pigeon", 24, 23).1;
    let pigeons = pool.and(&pigeons);
    let problems = [
        ("24 pigeons in 23 holes", pigeons, Answer::Unsat),
        ("all-interval series of 14", all_interval(&mut pool, 14), Answer::Sat),
        ("Costas array of 10", costas_array(&mut pool, 10), Answer::Sat),
    ];
    for (name, formula, expected) in problems {
        c.bench_function(&format!("small domains/{name}"), |b| {
            b.iter(|| decide(&mut pool, formula, expected));
        });
    }
}

criterion_group!(benches, small_domains);
criterion_main!(benches);
