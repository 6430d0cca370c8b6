//! Throughput of the front end on generated driver-like text.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident_bench::driver;

fn throughput(c: &mut Criterion) {
    let text = driver(500);
    let mut group = c.benchmark_group("frontend");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("parse", |b| {
        let options = FrontendOptions {
            data_model: DataModel::Lp64,
        };
        b.iter(|| parse(Source::new("driver.i", text.as_str()), &options).expect("the text is valid"));
    });
    group.finish();
}

criterion_group!(benches, throughput);
criterion_main!(benches);
