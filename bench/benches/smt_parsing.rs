//! Reading SMT-LIB: from text to terms and clauses, without a check.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use provident_smt::smtlib::{Options, run};
use std::fmt::Write;
use std::hint::black_box;

/// Assertions about many variables and a function, with `let`, in all operators of the language that scripts use most.
fn wide(assertions: usize) -> String {
    let mut text = String::from("(set-logic QF_UFLIA)(declare-fun f (Int) Int)");
    for i in 0..200 {
        write!(text, "(declare-const x{i} Int)").expect("strings accept text");
    }
    for k in 0..assertions {
        let [a, b, c] = [7, 11, 13].map(|step| k * step % 200);
        writeln!(
            text,
            "(assert (=> (and (<= (+ x{a} (* 3 x{b})) (- {k})) (= (f x{c}) x{a})) \
             (let ((y (- x{a} x{c}))) (or (< y {k}) (distinct (f y) x{b})))))"
        )
        .expect("strings accept text");
    }
    text
}

/// One term, nested as deeply as this.
fn deep(depth: usize) -> String {
    let open = "(ite (< x 3) (+ x 1) ".repeat(depth);
    format!("(declare-const x Int)(assert (= x {open}x{}))", ")".repeat(depth))
}

/// Loads and stores on arrays.
fn arrays(count: usize) -> String {
    let mut text = String::from("(set-logic QF_AUFLIA)(declare-const a0 (Array Int Int))(declare-const i Int)");
    for k in 0..count {
        let next = k + 1;
        writeln!(
            text,
            "(declare-const a{next} (Array Int Int))(assert (= a{next} (store a{k} (+ i {k}) (select a{k} {k}))))"
        )
        .expect("strings accept text");
    }
    text
}

fn parsing(c: &mut Criterion) {
    let mut group = c.benchmark_group("parsing");
    let scripts = [
        ("2000 assertions", wide(2000)),
        ("a term of depth 10000", deep(10_000)),
        ("200 stores", arrays(200)),
    ];
    for (name, script) in scripts {
        group.throughput(Throughput::Bytes(script.len() as u64));
        group.bench_function(name, |b| {
            b.iter(|| {
                let mut answers = Vec::new();
                run(black_box(&script), &mut answers, &Options::default()).expect("memory can be written");
                assert!(answers.is_empty(), "nothing is answered, no error either");
            });
        });
    }
    group.finish();
}

criterion_group!(benches, parsing);
criterion_main!(benches);
