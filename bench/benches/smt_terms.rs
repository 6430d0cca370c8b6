//! Building, instantiating, moving, evaluating and parsing terms: what predicate abstraction does thousands of times per second.

use criterion::{Criterion, criterion_group, criterion_main};
use provident_smt::model::Model;
use provident_smt::num::Int;
use provident_smt::smtlib::{Options, run};
use provident_smt::term::{NO_INDEX, Symbol, TermId, TermPool};
use std::hint::black_box;

/// A block formula of `size` assignments and branch conditions over ten variables, in SSA form.
fn block(pool: &mut TermPool, size: u32) -> TermId {
    let names: Vec<_> = (0..10).map(|i| pool.symbol(&format!("main::v{i}"))).collect();
    let mut index = [0_u32; 10];
    let mut formula = pool.mk_true();
    for step in 0..size {
        let (target, source) = (step as usize % 10, (step as usize * 7 + 3) % 10);
        let value = pool.int_var(names[source], index[source]);
        index[target] += 1;
        let new = pool.int_var(names[target], index[target]);
        let scaled = pool.linear(&[(Int::from(2), value), (Int::from(-3), new)], Int::from(i64::from(step)));
        let zero = pool.int(0);
        let (assigned, bounded) = (pool.eq(scaled, zero), pool.lt(value, new));
        let both = pool.or2(assigned, bounded);
        formula = pool.and2(formula, both);
    }
    formula
}

/// Forty predicates without indices.
fn predicates(pool: &mut TermPool) -> Vec<TermId> {
    let names: Vec<_> = (0..10).map(|i| pool.symbol(&format!("main::v{i}"))).collect();
    (0..40)
        .map(|i: usize| {
            let left = pool.int_var(names[i % 10], NO_INDEX);
            let right = pool.int_var(names[(i / 3 + 1) % 10], NO_INDEX);
            let sum = pool.linear(&[(Int::ONE, left), (Int::from(-2), right)], Int::from(i));
            pool.le_zero(sum)
        })
        .collect()
}

fn terms(c: &mut Criterion) {
    c.bench_function("terms/build block of 200", |b| {
        b.iter(|| {
            let mut pool = TermPool::new();
            black_box(block(&mut pool, 200))
        });
    });
    c.bench_function("terms/instantiate 40 predicates, fresh index each time", |b| {
        let mut pool = TermPool::new();
        let predicates = predicates(&mut pool);
        let mut index = 0;
        b.iter(|| {
            index = (index + 1) % 10_000;
            for &predicate in &predicates {
                black_box(pool.map_symbols(predicate, &mut |s| Symbol { index, ..s }));
            }
        });
    });
    c.bench_function("terms/shift the indices of a block of 200", |b| {
        let mut pool = TermPool::new();
        let formula = block(&mut pool, 200);
        b.iter(|| black_box(pool.map_symbols(formula, &mut |s| Symbol { index: s.index + 1, ..s })));
    });
    c.bench_function("terms/export and import a block of 200", |b| {
        let mut pool = TermPool::new();
        let formula = block(&mut pool, 200);
        b.iter(|| TermPool::new().import(&pool.export(&[formula])));
    });
    c.bench_function("terms/evaluate a block of 200", |b| {
        let mut pool = TermPool::new();
        let formula = block(&mut pool, 200);
        let model = Model::new();
        b.iter(|| model.eval_bool(&pool, black_box(formula)));
    });
    c.bench_function("terms/print and parse a block of 200", |b| {
        let mut pool = TermPool::new();
        let formula = block(&mut pool, 200);
        let mut declarations = String::new();
        for symbol in pool.symbols(formula) {
            declarations += &format!("(declare-const |{}| Int)", pool.symbol_text(symbol));
        }
        b.iter(|| {
            let script = format!("{declarations}(assert {})", pool.to_smtlib(formula));
            let mut out = Vec::new();
            run(&script, &mut out, &Options::default()).expect("memory accepts text");
            assert!(out.is_empty(), "{}", String::from_utf8_lossy(&out));
        });
    });
}

criterion_group!(benches, terms);
criterion_main!(benches);
