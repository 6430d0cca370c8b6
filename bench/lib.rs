//! Helpers shared by the benches: generated inputs, and real drivers where the shared tasks are mounted.

use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Structures, prototypes and functions in the proportions of preprocessed drivers.
pub fn driver(functions: usize) -> String {
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

/// Up to `most` preprocessed drivers from the shared regression tasks, with their names: every so many of the sorted list. Empty where
/// there are no shared tasks.
pub fn real_drivers(most: usize) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/tasks/regression");
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "i"));
    files.sort();
    let stride = files.len().div_ceil(most).max(1);
    files
        .iter()
        .step_by(stride)
        .filter_map(|file| Some((file.file_name()?.to_string_lossy().into_owned(), fs::read(file).ok()?)))
        .collect()
}
