//! Throughput of the front end on generated driver-like text.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use provident::frontend::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::fmt::Write;

/// Structures, prototypes and functions in the proportions of preprocessed drivers.
fn driver(functions: usize) -> String {
    let mut text = String::from(
        "typedef unsigned int u32;\ntypedef unsigned long size_t;\nextern void *kmalloc(size_t size, u32 flags);\n",
    );
    for i in 0..functions {
        write!(
            text,
            "struct device_{i} {{\n  u32 flags : 4;\n  unsigned int state : 2;\n  struct device_{i} *next;\n  int (*probe)(struct device_{i} *, int);\n  union {{ long l; char bytes[16]; }} data;\n}};\n\
             extern int helper_{i}(struct device_{i} *device, unsigned long argument) __attribute__((__noinline__));\n\
             static int probe_{i}(struct device_{i} *device, int level)\n{{\n  int result;\n  unsigned long tmp;\n  long tmp___0;\n\
             \x20 {{\n  tmp = (unsigned long)device->data.l;\n  tmp___0 = __builtin_expect((long)(!(!(device->flags != 0U))), 0L);\n\
             \x20 if (tmp___0 != 0L) {{\n    result = helper_{i}(device, tmp + 0xfffffffffffffcb8UL);\n    goto out;\n  }} else {{\n    device->state = (unsigned char)level;\n  }}\n\
             \x20 while (1) {{\n    if (level <= 0) {{ break; }} else {{ }}\n    level -= 1;\n    device->data.bytes[level & 15] = (char)level;\n  }}\n\
             \x20 result = device->probe ? (*(device->probe))(device->next, level) : -22;\n  }}\n  out: ;\n  return (result);\n}}\n"
        )
        .expect("writes to a string");
    }
    text
}

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
