//! Lowering: a generated program of the size and shape of a small driver.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use provident::cfa::{LowerOptions, lower};
use provident::frontend::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::fmt::Write;

/// Functions that call the one before, with members through pointers, loops, jumps and switches.
fn program(functions: usize) -> String {
    let mut text = String::from(
        "struct dev { int state; unsigned flags : 4; struct dev *next; char name[16]; int (*run)(struct dev *, int); };\n\
         extern int __VERIFIER_nondet_int(void);\nint f0(struct dev *d, int n) { return d->state + n; }\n",
    );
    for i in 1..functions {
        let before = i - 1;
        write!(
            text,
            "static struct dev d{i} = {{ .state = {i}, .name = \"dev{i}\", .run = f{before} }};\n\
             int f{i}(struct dev *d, int n) {{\n  int i = 0, r = __VERIFIER_nondet_int();\n  \
             while (i < n && d->next != 0) {{ d = d->next; i++; if (r == i) goto out; }}\n  \
             switch (r) {{ case 1: d->flags = 2; break; case 2 ... 4: r += f{before}(&d{i}, i); default: d->name[i] = r ? 'a' : 'b'; }}\n\
             out:\n  return r + f{before}(d, n - 1);\n}}\n"
        )
        .expect("writing to a string");
    }
    let last = functions - 1;
    writeln!(text, "int main(void) {{ return f{last}(&d{last}, 3); }}").expect("writing to a string");
    text
}

fn lowering(c: &mut Criterion) {
    let text = program(400);
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let unit = parse(Source::new("generated.c", text.as_str()), &options).expect("the generated program is C");
    let mut group = c.benchmark_group("cfa");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("lower", |b| {
        b.iter_batched(
            || unit.clone(),
            |unit| lower(unit, &LowerOptions::default()).expect("it has a main function"),
            criterion::BatchSize::LargeInput,
        );
    });
    group.finish();
}

criterion_group!(benches, lowering);
criterion_main!(benches);
