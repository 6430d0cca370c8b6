//! Executions of programs without inputs, on the machine made for them.
//!
//! The throughput is in steps, that is edges of the program, per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use provident::cfa::{EdgeId, LowerOptions, Program, lower};
use provident::explicit::concrete::Execution;
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::collections::BTreeSet;
use std::hint::black_box;

const ARITHMETIC: &str =
    "int main(void) { unsigned s = 0; for (unsigned i = 0; i < 2000000u; i++) s += i ^ (s >> 3); return s == 5; }";
const SIEVE: &str = "static unsigned char composite[200000];\nint main(void) { int count = 0; for (int i = 2; i < 200000; i++) if (!composite[i]) { count++; \
                     for (long j = (long) i * i; j < 200000; j += i) composite[j] = 1; } return count == 7; }";
const CALLS: &str = "static int ack(int m, int n) { if (m == 0) return n + 1; if (n == 0) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }\n\
                     int main(void) { return ack(2, 300) == 5; }";
const LISTS: &str = "extern void *malloc(unsigned long); extern void free(void *);\nstruct node { struct node *next; int value; };\n\
                     int main(void) { int sum = 0; for (int r = 0; r < 200; r++) { struct node *list = 0; for (int i = 0; i < 100; i++) { \
                     struct node *n = malloc(sizeof *n); n->next = list; n->value = i; list = n; } while (list) { struct node *next = list->next; \
                     sum += list->value; free(list); list = next; } } return sum == 5; }";

const FUNCTIONS: &str = "static unsigned mix(unsigned a, unsigned b) { unsigned c = a ^ b; return c * 5 + (b >> 3); }\n\
                         int main(void) { unsigned s = 1; for (int i = 0; i < 500000; i++) s = mix(s, i); return s == 5; }";
const OBJECTS: &str = "static void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }\n\
                       static int step(int x) { int a[2] = { x, 1 }; swap(&a[0], &a[1]); return a[1] + a[0]; }\n\
                       int main(void) { int s = 1; for (int i = 0; i < 500000; i++) s = step(s) & 0xffff; return s == 5; }";

const STEPS: u64 = 2_000_000;

fn program(text: &str) -> Program {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("bench.c", text), &options).expect("a program");
    lower(unit, &LowerOptions::default()).expect("a program")
}

fn steps(criterion: &mut Criterion) {
    let nothing = |_: EdgeId| false;
    for (name, text) in [
        ("arithmetic", ARITHMETIC),
        ("sieve", SIEVE),
        ("calls", CALLS),
        ("functions", FUNCTIONS),
        ("objects", OBJECTS),
        ("lists", LISTS),
    ] {
        let program = program(text);
        let mut group = criterion.benchmark_group(format!("explicit steps/{name}"));
        let run = || {
            let mut execution = Execution::new(&program, BTreeSet::new(), &nothing, false).expect("a program for it");
            black_box(execution.run(STEPS));
            execution.steps
        };
        group.throughput(Throughput::Elements(run()));
        group.bench_function("concrete", |b| b.iter(run));
        group.finish();
    }
}

criterion_group!(benches, steps);
criterion_main!(benches);
