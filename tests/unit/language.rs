//! Constructs of the language that few programs use and that are easy to get wrong: builtins, numbers of several parts, integers of any
//! width, the words of C23.
//!
//! Each file of `tests/language` says its verdict in its first line. It holds under every configuration (without explicit values there may be none); and where there is a gcc that takes
//! the file, a run of it ends as the verdict says.

use provident::frontend::syntax::ast::TranslationUnit;
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::path::{Path, PathBuf};
use std::process::Command;

fn programs() -> Vec<(PathBuf, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/language");
    let mut list = Vec::new();
    for entry in std::fs::read_dir(directory).expect("the folder is there") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a text");
        let first = text.lines().next().unwrap_or_default();
        let (_, verdict) = first.split_once("verdict: ").expect("the first line says the verdict");
        list.push((path, verdict.trim().to_owned()));
    }
    list.sort();
    assert!(list.len() > 10);
    list
}

fn verdict(path: &Path, options: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_provident"))
        .arg("verify")
        .arg(path)
        .args(["--property", "tests/programs/unreach-call.prp", "--data-model", "LP64"])
        .args(options)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let last = text.lines().last().unwrap_or_default();
    let verdict = last.strip_prefix("VERDICT: ").unwrap_or(&errors);
    verdict.split(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn verdicts_are_right_under_every_configuration() {
    let configurations: [&[&str]; 4] = [
        &[],
        &["--check"],
        &["--set", "explicit=off", "--set", "ideal.ticks=0"],
        &["--set", "slice=off"],
    ];
    let mut wrong = Vec::new();
    for (path, expected) in programs() {
        for options in configurations {
            let found = verdict(&path, options);
            // The formulas alone need not be able to decide everything.
            let undecided = found == "UNKNOWN" && options.contains(&"explicit=off");
            if found != expected && !undecided {
                wrong.push(format!("{} {options:?}: {found}, not {expected}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The functions that the programs leave to others, for a native run: the error ends with status 7, inputs are 0.
const OTHERS: &str = "
#include <stdlib.h>
void reach_error(void) { exit(7); }
int __VERIFIER_nondet_int(void) { return 0; }
unsigned __VERIFIER_nondet_uint(void) { return 0; }
";

#[test]
fn correct_programs_run_to_their_ends() {
    let directory = std::env::temp_dir().join(format!("provident-language-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a folder for temporary files");
    let others = directory.join("others.c");
    std::fs::write(&others, OTHERS).expect("a temporary file");
    for (path, expected) in programs() {
        if expected != "TRUE" {
            continue;
        }
        let binary = directory.join("program");
        let compiled = Command::new("gcc")
            .args(["-w", "-O0", "-x", "c"])
            .args([&path, &others])
            .arg("-lm")
            .arg("-o")
            .arg(&binary)
            .output();
        // No gcc, or one that is too old for the program.
        if !compiled.is_ok_and(|output| output.status.success()) {
            continue;
        }
        let status = Command::new(&binary).status().expect("the program runs");
        assert_eq!(status.code(), Some(0), "{}", path.display());
    }
    let _ = std::fs::remove_dir_all(&directory);
}

fn accepted(text: &str) -> Result<TranslationUnit, String> {
    let options = FrontendOptions {
        data_model: DataModel::Lp64,
    };
    parse(Source::new("test.c", text), &options).map_err(|problems| problems.brief())
}

#[test]
fn nesting_may_be_as_deep_as_it_likes() {
    let deep = 100_000;
    let nested = |open: &str, close: &str| format!("{}x{}", open.repeat(deep), close.repeat(deep));
    for value in [
        nested("(", ")"),
        nested("- ", ""),
        nested("!", ""),
        nested("~", ""),
        nested("x + (", ")"),
        nested("x ? x : ", ""),
        nested("", " + x"),
        nested("x && (", ")"),
        nested("(x, ", ")"),
        nested("(long)", ""),
    ] {
        let text = format!("int f(int x) {{ return {value}; }}");
        assert!(accepted(&text).is_ok(), "{}", &text[..60]);
    }
    let braces = format!(
        "int f(int x) {{ {} x++; {} return x; }}",
        "{".repeat(deep),
        "}".repeat(deep)
    );
    assert!(accepted(&braces).is_ok());
    let chain = format!(
        "int f(int x) {{ {} return 0; }}",
        "if (x) x--; else ".repeat(deep) + ";"
    );
    assert!(accepted(&chain).is_ok());
    let list = format!("int x = {}1{};", "{".repeat(1000), "}".repeat(1000));
    assert!(accepted(&list).is_ok());
}

#[test]
fn what_is_refused_is_refused_by_name() {
    for (text, message) in [
        ("_BitInt(129) x;", "has more than 128 bits"),
        ("signed _BitInt(1) x;", "must be at least 2"),
        (
            "typedef int v __attribute__((vector_size(16))); v f(v a) { return !a; }",
            "unary operator",
        ),
        ("int f(float x) { return __builtin_popcountg(x); }", "wrong arguments"),
        (
            "struct __attribute__((scalar_storage_order(\"big-endian\"))) s { int i; } x;",
            "order of bytes",
        ),
        (
            "#pragma scalar_storage_order big-endian\nstruct s { int i; } x;",
            "layout of other machines",
        ),
        (
            "#pragma ms_struct on\nstruct s { int i : 3; } x;",
            "layout of other machines",
        ),
        (
            "struct __attribute__((ms_struct)) s { int i : 3; } x;",
            "layout of another compiler",
        ),
        (
            "int f(void) __attribute__((ifunc(\"choose\")));",
            "chosen when the program is loaded",
        ),
        (
            "typedef int v __attribute__((vector_size(16))); v f(v a, v b) { return __builtin_shuffle(a, 1); }",
            "shuffle",
        ),
    ] {
        match accepted(text) {
            Ok(_) => panic!("accepted: {text}"),
            Err(problems) => assert!(problems.contains(message), "{text}\n{problems}"),
        }
    }
}
