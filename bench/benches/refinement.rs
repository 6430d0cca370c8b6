//! The cost of refinement: a program with many target states, refined one by one and all together, the latter with one and with two threads; and with a selection among the infeasible sliced prefixes of
//! each error path, by predicates, by values, and by both.

use criterion::{Criterion, criterion_group, criterion_main};
use provident::cfa::{LowerOptions, Program, lower};
use provident::engine::{
    AnalysisKind, BlockMode, Confirmation, CounterexampleCandidate, Explicit, Heuristic, Options, Preference, Property,
    Refinement, Silent, Verdict, verify,
};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};

/// A loop with a handler for each of `count` resources; each handler checks that its own resource is in order.
fn resources(count: usize) -> Program {
    let mut text = String::from("extern int __VERIFIER_nondet_int(void);\nint main(void) {\n");
    for i in 0..count {
        text += &format!("  int r{i} = 0;\n");
    }
    text += "  while (__VERIFIER_nondet_int()) { int c = __VERIFIER_nondet_int();\n";
    for i in 0..count {
        text += &format!(
            "    if (c == {i}) {{ if (r{i} > 1) {{ E{i}: return 1; }} r{i} = 1 - r{i}; if (r{i} < 0) r{i} = 0; }}\n"
        );
    }
    text += "  }\n  return 0; }\n";
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("bench.c", text), &options).expect("correct C");
    lower(unit, &LowerOptions::default()).expect("can be lowered")
}

fn check(program: &Program, count: usize, options: &Options) {
    let property = |i: usize| Property {
        name: format!("E{i}"),
        targets: program.edges_labelled(&format!("E{i}")),
        tracking: provident::engine::Tracking::default(),
    };
    let properties: Vec<Property> = (0..count).map(property).collect();
    let mut confirm = |_: &CounterexampleCandidate| Confirmation::Refuted("nothing is reachable".to_string());
    let outcome = verify(program, &properties, options, &mut Silent, &mut confirm);
    assert!(
        outcome
            .verdicts
            .iter()
            .all(|(_, verdict)| matches!(verdict, Verdict::True))
    );
}

fn options(preset: &str, threads: usize) -> Options {
    Options {
        refine: Refinement::preset(preset).expect("presets have meanings"),
        threads,
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        ideal_ticks: 0,
        ..Options::default()
    }
}

fn refinement(c: &mut Criterion) {
    let count = 8;
    let program = resources(count);
    let mut group = c.benchmark_group("refinement");
    group.sample_size(10);
    for (preset, threads) in [("single", 1), ("multi", 1), ("multi", 2)] {
        group.bench_function(format!("{preset}, {threads} threads"), |b| {
            let options = options(preset, threads);
            b.iter(|| check(&program, count, &options));
        });
    }
    group.finish();
}

fn selection(c: &mut Criterion) {
    let count = 8;
    let program = resources(count);
    let mut group = c.benchmark_group("refinement selection");
    group.sample_size(10);
    let analyses = [
        ("predicates", AnalysisKind::Predicate),
        ("values", AnalysisKind::Value),
        ("both", AnalysisKind::Both),
    ];
    for (name, analysis) in analyses {
        for (preference, heuristics) in [
            ("none", &[][..]),
            ("good,narrow", &[Heuristic::Good, Heuristic::Narrow][..]),
        ] {
            let mut options = options("single", 1);
            options.analysis = analysis;
            options.block = BlockMode::Single;
            options.refine.prefer = Preference::new(heuristics).expect("they are few");
            group.bench_function(format!("{name}, {preference}"), |b| {
                b.iter(|| check(&program, count, &options));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, refinement, selection);
criterion_main!(benches);
