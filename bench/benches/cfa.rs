//! Lowering of a generated program, and the whole way from text to automata for driver-sized files: generated, and real where there are some.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use provident::cfa::{LowerOptions, lower};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident_bench::{driver, real_drivers};
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

/// Parses and lowers texts, each of which is a program.
fn parse_and_lower(texts: &[(String, Vec<u8>)]) -> usize {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let edges = texts.iter().map(|(name, text)| {
        let unit = parse(Source::new(name.as_str(), text.as_slice()), &options).expect("the text is C");
        lower(unit, &LowerOptions::default())
            .expect("it has a main function")
            .edges
            .len()
    });
    edges.sum()
}

fn text_to_automata(c: &mut Criterion) {
    let mut generated = driver(500);
    generated += "int main(void) { struct device_499 device; return probe_499(&device, 3); }\n";
    let generated = vec![("generated".to_string(), generated.into_bytes())];
    let mut group = c.benchmark_group("parse and lower");
    for (name, texts) in [("generated driver", generated), ("real drivers", real_drivers(8))] {
        if texts.is_empty() {
            continue;
        }
        let bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
        group.throughput(Throughput::Bytes(u64::try_from(bytes).expect("it fits")));
        group.bench_function(name, |b| b.iter(|| parse_and_lower(&texts)));
    }
    group.finish();
}

criterion_group!(benches, lowering, text_to_automata);
criterion_main!(benches);
