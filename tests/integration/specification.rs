//! Specification automata from the command line: programs of our own with the lines that must be printed in their heads.
//!
//! A head line `//# spec: FILE` gives a specification, `//# rule: NAME` a built-in rule, every other one is an expected line of the output. Each program is verified with one and with eight threads, with the phase of explicit
//! values and without it, then in every mode of following automata; all of them have to say the same.

use crate::parallel;
use std::fs;
use std::path::Path;
use std::process::Command;

const SETTINGS: &[&[&str]] = &[
    &["--threads", "1"],
    &["--threads", "8"],
    &["--threads", "1", "--set", "explicit=off"],
    &["--threads", "8", "--set", "explicit=off"],
    &["--set", "explicit=off", "--set", "spec.mode=automaton"],
    &["--set", "explicit=off", "--set", "spec.mode=weaving"],
    &["--set", "explicit=off", "--set", "spec.mode=hybrid"],
];

/// `specs` are options of the command line without the dashes, such as `spec: FILE`.
fn lines(folder: &Path, program: &str, specs: &[&str], more: &[&str]) -> (Vec<String>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provident"));
    command
        .current_dir(folder)
        .args(["verify", program, "--check", "--cpu-limit", "60"]);
    for spec in specs {
        let (option, value) = spec.split_once(": ").unwrap();
        command.args([&format!("--{option}"), value]);
    }
    let output = command.args(more).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    let verdict = |line: &&str| line.starts_with("PROPERTY ") || line.starts_with("VERDICT: ");
    let found = text.lines().filter(verdict).map(str::to_owned).collect();
    (found, format!("{text}{errors}"))
}

#[test]
fn verdicts_are_those_of_the_heads() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specifications");
    let mut programs: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".c"))
        .collect();
    programs.sort();
    assert!(programs.len() > 50, "the programs are there");
    let problems = parallel::problems(&programs, |program| {
        let mut problems = Vec::new();
        let text = fs::read_to_string(folder.join(program)).unwrap();
        let head: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//# ")).collect();
        let is_option = |line: &&str| line.starts_with("spec: ") || line.starts_with("rule: ");
        let (specs, expected): (Vec<&str>, Vec<&str>) = head.iter().partition(|line| is_option(line));
        assert!(
            !specs.is_empty() && !expected.is_empty(),
            "{program} states no expectation"
        );
        for settings in SETTINGS {
            let (found, all) = lines(&folder, program, &specs, settings);
            if found != expected {
                problems.push(format!("{program} with {settings:?}: expected {expected:?}\n{all}"));
            }
        }
        problems
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn several_files_are_checked_together() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specifications");
    let specs = ["spec: lock.spc", "spec: count.spc"];
    let (found, all) = lines(&folder, "lock_alias_false.c", &specs, &[]);
    assert_eq!(
        found,
        ["PROPERTY lock: FALSE", "PROPERTY count: TRUE", "VERDICT: FALSE"],
        "{all}"
    );
}

#[test]
fn a_trace_says_what_the_automaton_did() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specifications");
    let (_, all) = lines(&folder, "count_false.c", &["spec: count.spc"], &[]);
    assert!(all.contains("count: Outside -> Inside"), "{all}");
    assert!(all.contains("count: error: begin without end"), "{all}");
    assert!(!all.contains("count.state"), "{all}");
}

#[test]
fn mistakes_in_a_specification_are_bad_input() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specifications");
    let (found, all) = lines(&folder, "count_true.c", &["spec: count_true.c"], &[]);
    assert!(
        found.is_empty() && all.contains("count_true.c:3:1: error: expected `OBSERVER`"),
        "{all}"
    );
    let (found, all) = lines(&folder, "count_true.c", &["spec: count.spc", "spec: count.spc"], &[]);
    assert!(
        found.is_empty() && all.contains("two properties are called `count`"),
        "{all}"
    );
}

#[test]
fn all_rules_are_checked_at_once() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specifications");
    let (found, all) = lines(&folder, "rule_43_1a_false.c", &["rule: linux"], &[]);
    assert_eq!(found.len(), 15, "{all}");
    for line in &found[..14] {
        let expected = if line.contains(" 43_1a:") { "FALSE" } else { "TRUE" };
        assert!(line.ends_with(expected), "{all}");
    }
    let (_, all) = lines(&folder, "rule_43_1a_false.c", &["rule: 43_1b"], &[]);
    assert!(
        all.contains("there is no rule `43_1b`; there are 08_1a, 10_1a,"),
        "{all}"
    );
}
