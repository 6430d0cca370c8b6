//! The binary interpolation problems in `../shared/smt/itp`, where they are there: each interpolant is checked by a fresh solver.

use provident_smt::smtlib::{Options, run};
use std::path::Path;

/// Larger files and longer searches are for a benchmark, not for a test.
const MAX_BYTES: u64 = 6_000;
const TICKS: u64 = 2_000_000;

#[test]
fn shared_problems() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/smt/itp");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        return;
    };
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.retain(|file| {
        let is_script = file.extension().is_some_and(|extension| extension == "smt2");
        let is_real = file
            .file_name()
            .is_some_and(|name| name.to_string_lossy().contains("LRA"));
        is_script && !is_real && file.metadata().is_ok_and(|data| data.len() <= MAX_BYTES)
    });
    files.sort();
    let mut interpolated = 0;
    for file in &files {
        let script = std::fs::read_to_string(file).expect("a text file");
        let mut output = Vec::new();
        // In this profile every proof and every interpolant is checked, and a wrong one panics.
        run(
            &script,
            &mut output,
            &Options {
                ticks: Some(TICKS),
                ..Options::default()
            },
        )
        .expect("writing to memory");
        let output = String::from_utf8(output).expect("text");
        assert!(
            !output.lines().any(|line| line == "sat"),
            "{}: {output}",
            file.display()
        );
        interpolated += usize::from(output.starts_with("unsat") && !output.contains("error"));
    }
    assert!(
        interpolated * 4 >= files.len() * 3,
        "{interpolated} of {} problems are interpolated",
        files.len()
    );
}
