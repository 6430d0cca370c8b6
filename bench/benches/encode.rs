//! The cost of encoding: long straight paths, big initialisers, and a chain of diamonds that are merged.

use criterion::{Criterion, criterion_group, criterion_main};
use provident::cfa::{LowerOptions, NodeId, Program, Step, is_call, lower};
use provident::encode::{Arith, Encoder, PathFormula};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident_smt::term::TermPool;

fn program_of(text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("bench.c", text), &options).expect("correct C");
    lower(unit, &LowerOptions::default()).expect("can be lowered")
}

/// Encodes all of a program without loops and calls but the one of `main`, merging where paths meet.
fn encode(program: &Program) -> PathFormula {
    let mut pool = TermPool::new();
    let mut encoder = Encoder::new(program, Arith::Machine);
    let mut states: Vec<Option<PathFormula>> = vec![None; program.nodes.len()];
    states[program.function(program.start).entry.index()] = Some(encoder.empty(&pool));
    let mut order: Vec<NodeId> = program.node_ids().collect();
    order.sort_by_key(|&n| (program.node(n).func != program.start, program.node(n).rpo));
    for at in order {
        let Some(state) = states[at.index()].clone() else {
            continue;
        };
        for &edge in &program.node(at).outgoing {
            let step = if is_call(program, edge).is_some() {
                Step::Enter(edge)
            } else {
                Step::Edge(edge)
            };
            let next = encoder.step(&mut pool, &state, step, Default::default());
            let to = step.target(program).index();
            states[to] = Some(match states[to].take() {
                Some(other) => encoder.merge(&mut pool, &other, &next),
                None => next,
            });
        }
    }
    let main = program.function_by_name("main").expect("main");
    states[program.function(main).exit.index()].take().expect("main ends")
}

fn benches(c: &mut Criterion) {
    let straight: String = (0..1000).map(|i| format!("x = x + y; y = x - {i}; ")).collect();
    let straight = program_of(&format!(
        "extern int nd(void); int main(void) {{ int x = nd(), y = nd(); {straight} return x; }}"
    ));
    c.bench_function("encode/2000 assignments", |b| b.iter(|| encode(&straight)));

    let values: String = (0..2000).map(|i| format!("{i}, ")).collect();
    let table = program_of(&format!(
        "int t[] = {{ {values} }}; extern int nd(void); int main(void) {{ return t[nd()]; }}"
    ));
    c.bench_function("encode/initialiser of 2000", |b| b.iter(|| encode(&table)));

    let diamonds: String = (0..500)
        .map(|i| format!("if (nd() == {i}) x = x + 1; else y = y + x; "))
        .collect();
    let diamonds = program_of(&format!(
        "extern int nd(void); int main(void) {{ int x = 0, y = 0; {diamonds} return x + y; }}"
    ));
    c.bench_function("encode/500 diamonds", |b| b.iter(|| encode(&diamonds)));
}

criterion_group!(encoding, benches);
criterion_main!(encoding);
