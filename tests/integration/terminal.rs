//! The display on a terminal: a pseudo terminal takes the place of a real one.

use crate::command;
use std::fs::File;
use std::io::Read;
use std::os::fd::FromRawFd;
use std::process::Stdio;

const PROGRAM: &str = "tests/programs/lock_true.c";
const OPTIONS: [&str; 5] = [
    "verify",
    "--property",
    "tests/programs/unreach-label.prp",
    "--set",
    "explicit=off",
];

/// Both ends of a pseudo terminal that is wide enough for the whole line.
fn terminal() -> (File, File) {
    let (mut near, mut far) = (0, 0);
    let size = libc::winsize {
        ws_row: 24,
        ws_col: 200,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    // SAFETY: the call writes the two descriptors and reads the size; a name and settings are not asked for.
    let status = unsafe {
        libc::openpty(
            &raw mut near,
            &raw mut far,
            std::ptr::null_mut(),
            std::ptr::null(),
            &raw const size,
        )
    };
    assert_eq!(status, 0, "the system has pseudo terminals");
    // SAFETY: both descriptors are open, and nobody else has them.
    unsafe { (File::from_raw_fd(near), File::from_raw_fd(far)) }
}

/// The standard output of a run, and what it writes on a terminal as standard error.
fn shown(options: &[&str]) -> (String, String) {
    let (mut near, far) = terminal();
    let mut run = command::provident(&OPTIONS)
        .args(options)
        .arg(PROGRAM)
        .stdout(Stdio::piped())
        .stderr(far)
        .spawn()
        .unwrap();
    let mut output = String::new();
    run.stdout.take().unwrap().read_to_string(&mut output).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(0));
    // The rest that is in the terminal; it has no other writer now, which is an error of input for Linux.
    let mut text = Vec::new();
    let mut part = [0; 4096];
    while let Ok(count @ 1..) = near.read(&mut part) {
        text.extend_from_slice(&part[..count]);
    }
    (output, String::from_utf8_lossy(&text).into_owned())
}

fn plain(options: &[&str]) -> (String, String) {
    let run = command::provident(&OPTIONS)
        .args(options)
        .arg(PROGRAM)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(run.stdout), text(run.stderr))
}

#[test]
fn a_terminal_has_a_line_and_the_same_output() {
    let (output, text) = shown(&["--cpu-limit", "1000", "--ticks", "5000000000"]);
    assert!(
        text.contains(" s  [CPU ") && text.contains("/1000 s, ") && text.contains("/5.0 G ticks]"),
        "{text:?}"
    );
    // The line goes before the answer comes.
    assert!(text.trim_end_matches(['\r', '\n']).ends_with("\u{1b}[2K"), "{text:?}");
    assert_eq!(
        (output, String::new()),
        plain(&["--cpu-limit", "1000", "--ticks", "5000000000"])
    );
}

#[test]
fn a_quiet_run_has_verdicts_only() {
    assert_eq!(shown(&["-q"]), ("VERDICT: TRUE\n".to_string(), String::new()));
}

/// The problem matcher of the guide reads the diagnostics, and finds all of its parts in them.
#[test]
fn the_matcher_of_the_guide_reads_diagnostics() {
    let guide = include_str!("../../src/guide/reports.md");
    let json = guide.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    let matcher: serde_json::Value = serde_json::from_str(json).unwrap();
    let pattern = &matcher["problemMatcher"][0]["pattern"][0];
    let regexp = regex::Regex::new(pattern["regexp"].as_str().unwrap()).unwrap();
    let run = command::provident(&[
        "verify",
        "--diagnostics",
        "--property",
        "tests/programs/unreach-label.prp",
    ])
    .arg("tests/programs/lock_false.c")
    .output()
    .unwrap();
    let text = String::from_utf8(run.stderr).unwrap();
    let found: Vec<regex::Captures<'_>> = text.lines().filter_map(|line| regexp.captures(line)).collect();
    assert_eq!(found.len(), 1, "{text}");
    let part = |name: &str| &found[0][usize::try_from(pattern[name].as_u64().unwrap()).unwrap()];
    let parts = ["file", "line", "column", "severity", "message", "code"].map(part);
    let expected = ["tests/programs/lock_false.c", "15", "1", "error"];
    assert_eq!(parts[..4], expected);
    assert_eq!(
        parts[4..],
        ["label ERROR in main violates G ! label(ERROR)", "unreach-label"]
    );
    // The guide shows this very text.
    assert!(guide.contains(&text), "{text}");
}

#[test]
fn a_verbose_run_has_a_line_for_each_stage() {
    let (output, text) = plain(&["-v"]);
    let expected = "slice: ideal 1 refinements -> machine 0 refinements; all decided";
    assert!(text.lines().any(|line| line == expected), "{text}");
    assert_eq!(output, plain(&[]).0);
    assert!(shown(&["-v"]).1.contains(expected));
}

#[test]
fn a_verbose_run_says_where_an_execution_stops() {
    let run = command::provident(&["verify", "-v", "tests/programs/atexit_true.c"])
        .output()
        .unwrap();
    let text = String::from_utf8(run.stderr).unwrap();
    let expected = "the concrete execution stops: steps 15, why a variable without a value";
    assert!(text.lines().any(|line| line == expected), "{text}");
}
