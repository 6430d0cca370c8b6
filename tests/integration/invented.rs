//! A FALSE rests on inputs of the program only, and on an execution of the whole of it: the programs of `tests/invented`.
//!
//! A head line `//# VERDICT: REST` is a run. The rest is options, or what the answer has to say. Each run is repeated without slices, without
//! explicit values, and with checks: FALSE and TRUE may become UNKNOWN there, and no answer may contradict another.

use crate::parallel;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The answer that a run without further options has to give, and that no run may contradict.
struct Expected {
    verdict: String,
    options: Vec<String>,
    says: String,
}

fn expectations(text: &str) -> Vec<Expected> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("//# "));
    let read = |line: &str| {
        let (verdict, rest) = line.split_once(':').expect("a verdict and a colon");
        let rest = rest.trim();
        let is_option = rest.starts_with("--");
        Expected {
            verdict: verdict.to_string(),
            options: rest.split(' ').filter(|_| is_option).map(str::to_string).collect(),
            says: if is_option { String::new() } else { rest.to_string() },
        }
    };
    lines.map(read).collect()
}

/// The last two lines of a run: assumptions and verdict.
fn verify(file: &Path, options: &[String], more: &[&str]) -> String {
    let folder = file.parent().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_provident"))
        .args(["verify", &file.file_name().unwrap().to_string_lossy()])
        .args(["--property", "../programs/unreach-call.prp", "--cpu-limit", "60"])
        .args(options)
        .args(more)
        .current_dir(folder)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(2)..].join(" ")
}

#[test]
fn a_violation_rests_on_inputs_only() {
    let runs = AtomicUsize::new(0);
    let mut files: Vec<_> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/invented"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let problems = parallel::problems(&files, |file| {
        let mut problems = Vec::new();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let expected = expectations(&fs::read_to_string(file).unwrap());
        assert!(!expected.is_empty(), "{name} states no expectation");
        for Expected { verdict, options, says } in expected {
            let line = verify(file, &options, &[]);
            runs.fetch_add(1, Ordering::Relaxed);
            if !(line.contains(&format!("VERDICT: {verdict}")) && line.contains(&says)) {
                problems.push(format!("{name} {options:?}: {line}"));
            }
            for more in [&["--set", "slice=off"][..], &["--set", "explicit=off"], &["--check"]] {
                let line = verify(file, &options, more);
                let agrees = [&verdict, "UNKNOWN"]
                    .iter()
                    .any(|v| line.contains(&format!("VERDICT: {v}")));
                if !agrees {
                    problems.push(format!("{name} {options:?} {more:?}: {line}"));
                }
            }
        }
        problems
    });
    assert!(runs.into_inner() > 15 && problems.is_empty(), "{}", problems.join("\n"));
}

/// The refinement loop sets an error path aside that the replay refuses, and goes on to others.
#[test]
fn another_way_to_the_same_violation_is_looked_for() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/invented/another_way.c");
    for order in ["topological", "distance", "dfs"] {
        let order = format!("explore.order={order}");
        let line = verify(&file, &[], &["--set", "explicit=off", "--set", &order]);
        assert!(line.contains("VERDICT: FALSE"), "{order}: {line}");
    }
}

/// The whole program is looked at again for the property of which it contradicts a violation of the slice, not for the other one, whose violation rests on inline assembly.
#[test]
fn a_stage_that_is_not_asked_about_a_property_proves_nothing() {
    let folder = std::env::temp_dir().join(format!("provident-not-asked-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (program, property) = (folder.join("two.c"), folder.join("two.prp"));
    let text = "extern int __VERIFIER_nondet_int(void); extern void one(void); extern void two(void);
        int main(void) {
            int out;
            __asm__(\"mov $1, %0\" : \"=r\"(out));
            if (out == 2147483647) one();
            int unused = 5 / out;
            if (__VERIFIER_nondet_int() == 2147483647) two();
            return 0;
        }";
    fs::write(&program, text).unwrap();
    let formula = |name: &str| format!("CHECK( init(main()), LTL(G ! call({name}())) )\n");
    fs::write(&property, formula("one") + &formula("two")).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_provident"))
        .args([Path::new("verify"), &program, Path::new("--property"), &property])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("PROPERTY two/one: UNKNOWN (invented)"), "{text}");
    assert!(text.contains("PROPERTY two/two: UNKNOWN (replay-undefined)"), "{text}");
    fs::remove_dir_all(&folder).unwrap();
}
