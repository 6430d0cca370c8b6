//! Bytes that are reached in two ways: no division of memory may keep the two apart.
//!
//! Every section of `tests/aliasing/ways.c` is a program in which `check(c)` is called with a condition that holds. Once it counts as the violation
//! that it holds, and once that it does not. So the first program is never TRUE, unless the ledger says that types are taken on trust, and the second is
//! never FALSE; whether with explicit values, with formulas alone, or on the whole program. Executions of each are held against the divisions of its memory. The same is asked of random programs, of which
//! `PROVIDENT_PROGRAMS` says how many.

mod blocks;
mod random;

use proptest::prelude::*;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use provident::cfa::{LowerOptions, lower};
use provident::evidence::executions::check_memory;
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const CONFIGURATIONS: [&[&str]; 3] = [
    &[],
    &["--set", "explicit=off", "--set", "ideal.ticks=0"],
    &["--set", "explicit=off", "--set", "ideal.ticks=0", "--set", "slice=off"],
];

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("aliasing-{name}-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder for programs");
    folder
}

/// The sections of a file, by name.
fn sections(text: &str) -> Vec<(&str, &str)> {
    let sections = text.split("// === ").skip(1);
    sections
        .map(|section| section.split_once('\n').expect("a name and a program"))
        .collect()
}

fn source(head: &str, body: &str, wrong: &str) -> String {
    format!("{head}void check(int holds) {{ if ({wrong}) reach_error(); }}\n{body}")
}

fn answer(path: &Path, configuration: &[&str]) -> String {
    let path = path.to_str().expect("a path in UTF-8");
    let property = [
        "--property",
        "tests/programs/unreach-call.prp",
        "--threads",
        "1",
        "--ticks",
        "1000000",
    ];
    let arguments: Vec<&str> = [["verify", path].as_slice(), &property, configuration].concat();
    let output = Command::new(env!("CARGO_BIN_EXE_provident")).args(&arguments).output();
    let output = output.expect("provident runs");
    String::from_utf8(output.stdout).expect("text")
}

/// Whether the compiled program calls `reach_error`. `None` where there is no compiler.
fn compiled(path: &Path) -> Option<bool> {
    let harness = path.with_extension("harness.c");
    let text =
        "extern void exit(int); void reach_error(void) { exit(77); } int __VERIFIER_nondet_int(void) { return 0; }\n";
    fs::write(&harness, text).expect("the harness is written");
    let binary = path.with_extension("out");
    let options = ["-w", "-O1", "-fno-strict-aliasing", "-fwrapv", "-o"];
    let status = Command::new("gcc")
        .args(options)
        .args([&binary, path, &harness])
        .status()
        .ok()?;
    assert!(status.success(), "gcc refuses {}", path.display());
    let ended = Command::new(&binary).status().expect("the program runs").code();
    assert!(matches!(ended, Some(0 | 77)), "{} ends with {ended:?}", path.display());
    Some(ended == Some(77))
}

/// The facts that executions of a program show about the divisions of its memory.
fn division_defect(path: &Path, text: &str) -> Option<String> {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    let name = path.to_str().expect("a path in UTF-8");
    let unit = parse(Source::new(name, text), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
    let program = lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)));
    check_memory(&program).err().map(|defect| defect.to_string())
}

/// Says what is wrong with the answers about a program, whose `check` is called with something true.
fn wrong_answers(folder: &Path, name: &str, head: &str, body: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for (violated, condition) in [(true, "holds"), (false, "!holds")] {
        let path = folder.join(format!("{name}-{violated}.c"));
        fs::write(&path, source(head, body, condition)).expect("the program is written");
        if violated && let Some(defect) = division_defect(&path, &source(head, body, condition)) {
            wrong.push(format!("{name}: {defect}"));
        }
        if violated && compiled(&path) == Some(false) {
            wrong.push(format!("{name}: the compiled program does not get there"));
        }
        for configuration in CONFIGURATIONS {
            let text = answer(&path, configuration);
            let bad = if violated { "VERDICT: TRUE" } else { "VERDICT: FALSE" };
            let verdict = text.lines().last().unwrap_or_default();
            assert!(verdict.starts_with("VERDICT: "), "{name}: {text}");
            let excused = violated && text.contains("strict aliasing!");
            if verdict == bad && !excused {
                wrong.push(format!("{name}: {verdict} with {configuration:?}"));
            }
        }
    }
    wrong
}

#[test]
fn bytes_reached_in_two_ways_are_the_same_bytes() {
    let folder = folder("ways");
    let head = fs::read_to_string("tests/aliasing/head.c").expect("declarations");
    let ways = fs::read_to_string("tests/aliasing/ways.c").expect("programs");
    let sections = sections(&ways);
    assert!(sections.len() > 100, "{} programs", sections.len());
    let wrong: Vec<String> = sections
        .iter()
        .flat_map(|(name, body)| wrong_answers(&folder, name, &head, body))
        .collect();
    fs::remove_dir_all(&folder).expect("the folder is removed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn blocks_of_bytes_are_filled_and_copied_exactly() {
    let folder = folder("blocks");
    let head = fs::read_to_string("tests/aliasing/head.c").expect("declarations");
    let blocks = fs::read_to_string("tests/aliasing/blocks.c").expect("programs");
    let wrong: Vec<String> = sections(&blocks)
        .iter()
        .flat_map(|(name, body)| wrong_answers(&folder, name, &head, body))
        .collect();
    fs::remove_dir_all(&folder).expect("the folder is removed");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Random programs in the tests.
const CASES: u32 = 25;

#[test]
fn random_ways_lead_to_the_same_bytes() {
    let [head, layouts] = ["head", "layouts"].map(|name| {
        let path = format!("tests/aliasing/{name}.c");
        fs::read_to_string(path).expect("declarations")
    });
    random_programs("random", &(head + &layouts), &random::generate);
}

#[test]
fn random_blocks_of_bytes_are_filled_and_copied_exactly() {
    let head = fs::read_to_string("tests/aliasing/head.c").expect("declarations");
    random_programs("random-blocks", &head, &blocks::generate);
}

/// Asks about random programs that a list of choices leads to.
fn random_programs(name: &str, head: &str, generate: &dyn Fn(&[u16]) -> String) {
    let folder = folder(name);
    let cases = std::env::var("PROVIDENT_PROGRAMS").map_or(CASES, |n| n.parse().expect("a number of programs"));
    let config = ProptestConfig {
        failure_persistence: None,
        max_shrink_iters: 200,
        ..ProptestConfig::with_cases(cases)
    };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let result = runner.run(&prop::collection::vec(any::<u16>(), 40), |choices| {
        let text = generate(&choices);
        let wrong = wrong_answers(&folder, name, head, &text);
        prop_assert!(wrong.is_empty(), "{}\n{text}", wrong.join("\n"));
        Ok(())
    });
    fs::remove_dir_all(&folder).expect("the folder is removed");
    result.unwrap_or_else(|failure| panic!("{failure}"));
}
