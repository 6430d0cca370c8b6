//! Calls and the lives of variables, against gcc: variable arguments, arrays of variable length, order of evaluation, jumps between functions,
//! functions that run before and after `main`.
//!
//! The head of each program in `tests/programs/calls` says what is to be said of `call(reach_error())`:
//!
//! * `//# verdict: TRUE`, `FALSE`, or `UNKNOWN` for a program of whose violation nothing may be concluded,
//! * `//# ledger: KIND!` that this entry is in the ledger, `//# quiet: KIND` that none of this kind is,
//! * `//# data-model: ILP32`.
//!
//! The verdict has to be that by default, and that or UNKNOWN with formulas alone and without slices. Where there is a gcc, the program is also compiled
//! without and with optimisation and executed, with each of a few inputs: it has to call `reach_error` for some if FALSE is expected, and for none if TRUE is.

use crate::parallel;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The functions that a program calls, for native executions.
const NATIVE: &str = "
void _exit(int); int atoi(const char *); char *getenv(const char *);
void reach_error(void) { _exit(42); }
static int calls;
int __VERIFIER_nondet_int(void) { return atoi(getenv(\"INPUT\")) + calls++; }
typedef __SIZE_TYPE__ size;
size strlcpy(char *to, const char *from, size room) {
    size i = 0;
    for (; from[i]; i++) if (i + 1 < room) to[i] = from[i];
    if (room) to[i < room ? i : room - 1] = 0;
    return i;
}
size strlcat(char *to, const char *from, size room) {
    size end = 0;
    while (end < room && to[end]) end++;
    return end + strlcpy(to + end, from, room - end);
}
";

/// The first inputs of native executions; each further one is greater by one.
const INPUTS: std::ops::RangeInclusive<i32> = -1..=4;

struct Case {
    file: PathBuf,
    verdict: String,
    ledger: Vec<String>,
    quiet: Vec<String>,
    ilp32: bool,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/calls");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(load).collect()
}

fn load(file: PathBuf) -> Case {
    let mut case = Case {
        file,
        verdict: String::new(),
        ledger: Vec::new(),
        quiet: Vec::new(),
        ilp32: false,
    };
    let text = fs::read_to_string(&case.file).unwrap();
    for line in text.lines().filter_map(|line| line.strip_prefix("//# ")) {
        match line.split_once(": ").unwrap_or_else(|| panic!("{line}")) {
            ("verdict", verdict) => verdict.clone_into(&mut case.verdict),
            ("ledger", entry) => case.ledger.push(entry.to_owned()),
            ("quiet", entry) => case.quiet.push(entry.to_owned()),
            ("data-model", model) => case.ilp32 = model == "ILP32",
            _ => panic!("{line}"),
        }
    }
    assert!(
        ["TRUE", "FALSE", "UNKNOWN"].contains(&case.verdict.as_str()),
        "{}",
        case.file.display()
    );
    case
}

/// The output of a run with some options.
fn verify(case: &Case, options: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provident"));
    command.arg("verify").arg(&case.file).args(["--cpu-limit", "10"]);
    command
        .arg("--property")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/unreach-call.prp"));
    command.args(["--data-model", if case.ilp32 { "ILP32" } else { "LP64" }]);
    let output = command.args(options).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

fn verdict(output: &str) -> &str {
    let line = output.lines().find_map(|line| line.strip_prefix("VERDICT: "));
    line.and_then(|rest| rest.split_whitespace().next()).unwrap_or("none")
}

#[test]
fn verdicts_are_right() {
    let wrong = parallel::problems(&cases(), |case| {
        let mut wrong = Vec::new();
        let name = case.file.file_name().unwrap().to_string_lossy().into_owned();
        for options in [&[][..], &["--set", "explicit=off"], &["--set", "slice=off"]] {
            let output = verify(case, options);
            let said = verdict(&output);
            let right = said == case.verdict || said == "UNKNOWN" && !options.is_empty();
            if !right {
                wrong.push(format!("{name} {options:?}: {said}, expected {}", case.verdict));
            }
            if let Some(entry) = case.quiet.iter().find(|entry| output.contains(*entry)) {
                wrong.push(format!("{name} {options:?}: `{entry}` in the ledger\n{output}"));
            }
            if let Some(entry) = case.ledger.iter().find(|entry| !output.contains(*entry)) {
                wrong.push(format!("{name} {options:?}: no `{entry}` in the ledger\n{output}"));
            }
        }
        wrong
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn expectations_are_those_of_gcc() {
    let gcc = Command::new("gcc").arg("--version").stdout(Stdio::null()).status();
    if !gcc.is_ok_and(|status| status.success()) {
        return;
    }
    let folder = std::env::temp_dir().join(format!("provident-calls-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (native, binary) = (folder.join("native.c"), folder.join("program"));
    fs::write(&native, NATIVE).unwrap();
    let mut wrong = Vec::new();
    for case in cases().iter().filter(|case| !case.ilp32 && case.verdict != "UNKNOWN") {
        for level in ["-O0", "-O2"] {
            let mut command = Command::new("gcc");
            command
                .args([level, "-w", "-fno-strict-aliasing", "-fwrapv", "-o"])
                .arg(&binary);
            let compiled = command.arg(&case.file).arg(&native).arg("-lm").status().unwrap();
            assert!(compiled.success(), "{}", case.file.display());
            let reached = |input: i32| {
                let status = Command::new(&binary)
                    .env("INPUT", input.to_string())
                    .stdout(Stdio::null())
                    .status();
                status.unwrap().code() == Some(42)
            };
            let found = INPUTS.filter(|&input| reached(input)).count();
            if (found > 0) != (case.verdict == "FALSE") {
                let name = case.file.display();
                wrong.push(format!("{name} {level}: {found} violations, expected {}", case.verdict));
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
