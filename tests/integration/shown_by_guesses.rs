//! Proofs of which no exploration of the whole program makes obligations: guesses about it show the same, or the exploration of a thin program does.

use crate::command::provident;
use serde_json::Value;

const PROPERTY: &str = "tests/programs/unreach-label.prp";

/// The part of a report about the proof, whose obligations are discharged if there are some; and the exit status of the verification.
fn proof(name: &str, more: &[&str]) -> (Value, Option<i32>) {
    let program = format!("tests/programs/shown/{name}.c");
    let scratch = std::env::temp_dir().join(format!("provident-shown-{name}-{}", std::process::id()));
    let out = scratch.to_str().expect("a name");
    let run = |arguments: &[&str]| {
        let mut command = provident(arguments);
        let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output();
        output.expect("the program runs").status.code()
    };
    let arguments = ["verify", &program, "--property", PROPERTY, "--out", out];
    let status = run(&[&arguments, more].concat());
    let text = std::fs::read_to_string(scratch.join("report.json")).expect("there is a report");
    let report: Value = serde_json::from_str(&text).expect("it is JSON");
    if report["proof"]["obligations"].as_u64() > Some(0) {
        let discharged = run(&["discharge", out, "--program", &program, "--property", PROPERTY]);
        assert_eq!(discharged, Some(0), "{name}");
    }
    std::fs::remove_dir_all(scratch).expect("it is ours");
    (report["proof"].clone(), status)
}

/// One execution decides about programs without inputs; its states are too many to be claimed.
#[test]
fn what_one_execution_proves_is_shown_by_guesses() {
    let (proof, status) = proof("executed_calls_true", &[]);
    assert_eq!(status, Some(0));
    assert!(proof["obligations"].as_u64() > Some(0), "{proof}");
    assert_eq!(proof["without"], Value::Array(Vec::new()));
    let (proof, status) = self::proof("executed_calls_false", &[]);
    assert_eq!((proof, status), (Value::Null, Some(1)));
}

/// The whole program is too much for the ticks that are left behind the slice.
#[test]
fn the_invariant_of_a_slice_shows_the_same_of_the_whole_program() {
    let (proof, status) = proof("carried_lock_true", &["--ticks", "5000"]);
    assert_eq!(status, Some(0));
    assert!(proof["obligations"].as_u64() > Some(10), "{proof}");
    let (proof, status) = self::proof("carried_lock_false", &[]);
    assert_eq!((proof, status), (Value::Null, Some(1)));
}

/// The whole program needs 154,000 ticks, and the guesses that the slice's invariant gives are too weak. The thin program needs 4,500.
#[test]
fn a_thin_program_shows_what_the_whole_program_is_too_much_for() {
    let few = ["--ticks", "50000", "--set", "explicit=off"];
    let (proof, status) = proof("left_out_true", &few);
    assert_eq!(status, Some(0));
    assert!(proof["obligations"].as_u64() > Some(10), "{proof}");
    let (proof, status) = self::proof("left_out_false", &[]);
    assert_eq!((proof, status), (Value::Null, Some(1)));
}
