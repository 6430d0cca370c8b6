//! Explorations with explicit values: a reactive system whose rounds ask many questions, with and without shortcuts, and counters without end, which differ by a few numbers.
//!
//! The throughput is in states that are stored, per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use provident::cfa::{LowerOptions, Program, lower};
use provident::explicit::{Compiled, Explorer};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::hint::black_box;

const STEPS: u64 = 100_000_000;

/// A system with a mode and a level, and two hundred rules: each asks for a mode, a range of levels and an input.
fn reactive() -> Program {
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void); int mode = 0; int level = 3; int drift = 1;\n\
         int react(int input) {\n",
    );
    for rule in 0..200 {
        let (mode, input, least) = (rule % 8, 1 + rule % 5, 10 * (rule / 8));
        let (next, more) = ((rule * 3 + 1) % 8, 1 + rule % 7);
        text += &format!(
            "if (mode == {mode} && level >= {least} && input == {input}) {{ mode = {next}; level = (level + {more}) % 300; return {rule}; }}\n"
        );
    }
    text += "level = level * 3 / 4; return -1; }\nint main(void) { int output = 0; while (1) { int input = __VERIFIER_nondet_int();\n\
             if (input == 1) {} else if (input == 2) {} else if (input == 3) {} else if (input == 4) {} else { input = 5; }\n\
             output = react(input); } }";
    parsed(&text)
}

/// Eight counters that follow each other, in any order: the first one is at most eight ahead of the last one.
fn followers() -> Program {
    let mut text = String::from("extern int __VERIFIER_nondet_int(void);\n");
    for counter in 0..8 {
        text += &format!("unsigned count{counter} = 0;\n");
    }
    text += "int main(void) { while (1) { switch (__VERIFIER_nondet_int()) {\n";
    for counter in 1..8 {
        let before = counter - 1;
        text += &format!("case {counter}: if (count{counter} != count{before}) count{counter} += 1; break;\n");
    }
    text += "default: if (count0 - count7 < 8u) count0 += 1; } } }";
    parsed(&text)
}

fn parsed(text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("bench.c", text), &options).expect("a program");
    lower(unit, &LowerOptions::default()).expect("a program")
}

fn explorations(criterion: &mut Criterion) {
    let program = reactive();
    let mut group = criterion.benchmark_group("exploration of a reactive system");
    for (name, shortcuts) in [("shortcuts", true), ("steps", false)] {
        let run = || {
            let code = Compiled::new(&program);
            let mut explorer = Explorer::new(&code, std::iter::empty());
            if shortcuts {
                explorer.take_shortcuts();
            }
            black_box(explorer.run(STEPS));
            explorer.states
        };
        group.throughput(Throughput::Elements(run()));
        group.sample_size(10);
        group.bench_function(name, |b| b.iter(run));
    }
    group.finish();
    let program = followers();
    let run = || {
        let code = Compiled::new(&program);
        let mut explorer = Explorer::new(&code, std::iter::empty());
        explorer.merge_shifts();
        black_box(explorer.run(STEPS));
        explorer.states
    };
    let mut group = criterion.benchmark_group("exploration of counters without end");
    group.throughput(Throughput::Elements(run()));
    group.sample_size(10);
    group.bench_function("shifts", |b| b.iter(run));
    group.finish();
}

criterion_group!(benches, explorations);
criterion_main!(benches);
