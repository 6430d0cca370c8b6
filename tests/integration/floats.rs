//! Floating-point programs after the categories of the field: iterations, filters, interpolation, polynomials, summation, rounding, laws of NaN,
//! conversions, patterns, counters, ranges of inputs.
//!
//! No verdict is wrong, and nineteen of twenty programs are decided. Programs without inputs are also run natively, where there is a gcc: they do what is
//! stated.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/floats");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

/// The verdict in a program's head.
fn expected(text: &str) -> &str {
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("//# call reach_error: "));
    line.expect("each program states its verdict")
}

/// A limit that repeats exactly. Nothing more is decided with three times as much.
const TICKS: &str = "1000000";

fn verdict(file: &Path, property: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_provident"))
        .args(["verify", "--ticks", TICKS, "--property"])
        .args([property, file])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = text.lines().rev().find_map(|line| line.strip_prefix("VERDICT: "));
    last.unwrap_or("no verdict").to_owned()
}

#[test]
fn no_verdict_is_wrong_and_nineteen_of_twenty_programs_are_decided() {
    let property = std::env::temp_dir().join(format!("provident-floats-{}.prp", std::process::id()));
    fs::write(&property, "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").unwrap();
    let files = programs();
    assert!(files.len() >= 60);
    let (mut wrong, mut open) = (Vec::new(), Vec::new());
    for file in &files {
        let text = fs::read_to_string(file).unwrap();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let verdict = verdict(file, &property);
        match verdict.split(' ').next() {
            Some("UNKNOWN") => open.push(format!("{name}: {verdict}")),
            Some(given) if given == expected(&text) => {}
            _ => wrong.push(format!("{name}: {verdict}")),
        }
    }
    fs::remove_file(&property).unwrap();
    assert_eq!(wrong, Vec::<String>::new());
    assert!(
        open.len() * 20 <= files.len(),
        "{} of {} are open: {open:#?}",
        open.len(),
        files.len()
    );
}

#[test]
fn programs_without_inputs_do_what_is_stated() {
    if Command::new("gcc").arg("--version").output().is_err() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("provident-floats-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let end = folder.join("end.c");
    fs::write(&end, "void exit(int);\nvoid reach_error(void) { exit(42); }\n").unwrap();
    let binary = folder.join("program");
    let mut problems = Vec::new();
    for file in programs() {
        let text = fs::read_to_string(&file).unwrap();
        if text.contains("__VERIFIER_nondet_") {
            continue;
        }
        // The functions of the library are called, as the compiler would compute some of their results itself.
        let built = Command::new("gcc")
            .args(["-w", "-O0", "-fno-builtin", "-o"])
            .args([&binary, &file, &end])
            .arg("-lm")
            .status()
            .unwrap();
        assert!(built.success(), "{}", file.display());
        let status = Command::new(&binary).status().unwrap().code();
        let stated = if expected(&text) == "TRUE" { 0 } else { 42 };
        if status != Some(stated) {
            problems.push(format!("{}: {status:?}", file.display()));
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(problems, Vec::<String>::new());
}
