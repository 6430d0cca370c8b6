//! The command line as users and scripts see it: output protocol, exit status, messages, files.

use crate::command;
use std::fs;
use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

fn provident(arguments: &[&str]) -> Output {
    command::provident(arguments)
        .current_dir(programs())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Verifies a program against `unreach-call.prp`.
fn verify(program: &str, options: &[&str]) -> Output {
    provident(&[&["verify", program, "--property", "unreach-call.prp"], options].concat())
}

/// Bad usage or input: status 3, and the message says what is wrong.
fn assert_rejected(output: &Output, message: &str) {
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(output).contains(message), "{}", stderr(output));
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn last_line(output: &Output) -> String {
    stdout(output).lines().last().unwrap_or_default().to_string()
}

/// A folder of its own for a test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("provident-cli-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        fs::write(&path, text).unwrap();
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // A folder that is left behind is in the system's folder for such things.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_verdict_is_the_last_line_and_the_exit_status() {
    let holds = verify("loop_count_true.c", &[]);
    assert_eq!(
        (last_line(&holds).as_str(), holds.status.code()),
        ("VERDICT: TRUE", Some(0)),
        "{}",
        stderr(&holds)
    );
    let fails = verify("loop_count_false.c", &[]);
    assert_eq!(
        (last_line(&fails).as_str(), fails.status.code()),
        ("VERDICT: FALSE", Some(1)),
        "{}",
        stderr(&fails)
    );
    assert!(
        stdout(&fails).contains("reach_error();    // call reach_error"),
        "{}",
        stdout(&fails)
    );
}

#[test]
fn several_properties_get_a_line_each() {
    let output = provident(&["verify", "goto_labels.yml"]);
    let text = stdout(&output);
    let tail: Vec<&str> = text.lines().rev().take(3).collect();
    assert_eq!(
        tail,
        [
            "VERDICT: FALSE",
            "PROPERTY labels/MISSED: TRUE",
            "PROPERTY labels/REACHED: FALSE"
        ]
    );
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn automata_have_verdicts_of_their_own() {
    let folder = Folder::new("automata");
    let spec = folder.file(
        "ends.spc",
        "OBSERVER AUTOMATON ends\nINITIAL STATE S;\nSTATE S :\n  MATCH EXIT -> ERROR;\nEND AUTOMATON\n",
    );
    let output = provident(&["verify", "loop_count_true.c", "--spec", &spec]);
    assert_eq!(last_line(&output), "VERDICT: FALSE");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn bad_input_is_shown_at_its_place() {
    let folder = Folder::new("bad-input");
    let source = folder.file("bad.c", "int main(void) {\n    return 0 }\n");
    assert_rejected(&verify(&source, &[]), "bad.c:2:14");
    let property = folder.file("p.prp", "CHECK( init(main()), LTL(G ! label) )\n");
    let output = provident(&["verify", "loop_count_true.c", "--property", &property]);
    assert_rejected(&output, "p.prp:1:35: error: expected `(` after `label`");
    let property = folder.file("unsupported.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    let output = provident(&["verify", "loop_count_true.c", "--property", &property]);
    assert_eq!(output.status.code(), Some(2));
    let reason = "unsupported.prp:1:30: absence of data races (`data-race`) is not supported";
    assert!(stdout(&output).contains(reason), "{}", stdout(&output));
    assert_rejected(&verify("missing.c", &[]), "missing.c");
    assert_rejected(&verify("loop_count_true.c", &["--entry", "start"]), "start");
}

#[test]
fn without_a_property_the_usual_errors_are_meant() {
    let folder = Folder::new("usual-errors");
    let lines = |text: &str, options: &[&str]| {
        let source = folder.file("a.i", text);
        let output = provident(&[&["verify", &source], options].concat());
        let verdicts = stdout(&output);
        let verdicts = verdicts
            .lines()
            .filter(|line| line.starts_with("PROPERTY") || line.starts_with("VERDICT"));
        (verdicts.map(str::to_string).collect::<Vec<_>>(), stderr(&output))
    };
    let input = "extern int __VERIFIER_nondet_int(void);\n";
    let assertion = format!(
        "{input}extern void __assert_fail(const char *, const char *, unsigned, const char *);
        int main(void) {{ int n = __VERIFIER_nondet_int(); n < 9 ? (void)0 : __assert_fail(\"n < 9\", \"a.c\", 3, \"main\"); return 0; }}"
    );
    assert_eq!(
        lines(&assertion, &[]),
        (vec!["VERDICT: FALSE".to_string()], String::new())
    );
    let both = format!(
        "{input}extern void reach_error(void);
        int main(void) {{ int n = __VERIFIER_nondet_int(); if (n > 1 && n < 1) reach_error(); if (n == 7) goto ERROR; return 0; ERROR: return 1; }}"
    );
    let found = ["PROPERTY reach_error: TRUE", "PROPERTY ERROR: FALSE", "VERDICT: FALSE"].map(str::to_string);
    assert_eq!(lines(&both, &[]), (found.to_vec(), String::new()));
    // A program without any of them gets an answer about each, with a warning.
    let (verdicts, warnings) = lines("int main(void) { return 0; } // reach_error\n", &[]);
    assert_eq!((verdicts.len(), verdicts[4].as_str()), (5, "VERDICT: TRUE"));
    assert_eq!(warnings.lines().count(), 4, "{warnings}");
}

#[test]
fn a_property_about_a_name_that_the_program_does_not_have_is_no_strict_truth() {
    let folder = Folder::new("unmentioned");
    let source = folder.file("a.i", "extern void stop(void);\nint main(void) { return 0; }\n");
    let property = folder.file("p.prp", "CHECK( init(main()), LTL(G ! call(halt())) )\n");
    let run = |options: &[&str]| provident(&[&["verify", &source, "--property", &property], options].concat());
    let lenient = run(&["--json"]);
    let report: serde_json::Value = serde_json::from_str(&stdout(&lenient)).unwrap();
    let warning = format!("{source}: nothing in the program mentions `halt`, so `p` holds");
    assert_eq!(report["properties"][0]["verdict"], "TRUE");
    assert_eq!(report["properties"][0]["warning"], warning.as_str());
    assert_eq!(stderr(&lenient), format!("warning: {warning}\n"));
    assert_eq!(
        last_line(&run(&["--strict"])),
        format!("VERDICT: UNKNOWN (unmentioned) {warning}")
    );
    // A function that is declared and not called is no slip of the pen.
    let declared = folder.file("q.prp", "CHECK( init(main()), LTL(G ! call(stop())) )\n");
    let output = provident(&["verify", &source, "--property", &declared, "--strict"]);
    assert_eq!(
        (last_line(&output).as_str(), stderr(&output).as_str()),
        ("VERDICT: TRUE", "")
    );
}

#[test]
fn configuration_files_are_read_and_checked() {
    let folder = Folder::new("configuration");
    let good = folder.file("good.toml", "refine = \"single\"\nstatistics = true\n");
    let output = verify("loop_count_true.c", &["--config", &good]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stdout(&output).contains("Statistics:"));
    let bad = folder.file("bad.toml", "refin = \"single\"\n");
    assert_rejected(
        &verify("loop_count_true.c", &["--config", &bad]),
        "there is no option `refin` here",
    );
}

#[test]
fn json_and_files_carry_the_whole_result() {
    let folder = Folder::new("json");
    let out = folder.0.join("out").display().to_string();
    let arguments = [
        "verify",
        "pointer_false.c",
        "--property",
        "unreach-call.prp",
        "--json",
        "--out",
        &out,
    ];
    let output = provident(&arguments);
    let report: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(report["verdict"], "FALSE");
    assert_eq!(report["properties"][0]["name"], "unreach-call");
    assert!(!report["properties"][0]["trace"]["lines"].as_array().unwrap().is_empty());
    assert_eq!(
        fs::read_to_string(folder.0.join("out/report.json")).unwrap(),
        stdout(&output)
    );
    let text = fs::read_to_string(folder.0.join("out/report.txt")).unwrap();
    assert!(text.contains("VERDICT: FALSE"));
    assert!(folder.0.join("out/trace-unreach-call.txt").exists());
    // The same run again gives the same report, but for the resources.
    let mut again: serde_json::Value = serde_json::from_str(&stdout(&provident(&arguments))).unwrap();
    again["resources"] = report["resources"].clone();
    assert_eq!(again, report);
}

#[test]
fn campaigns_make_a_table() {
    let folder = Folder::new("campaign");
    let definition = |name: &str, expected: bool| {
        let program = programs().join(format!("{name}.c")).display().to_string();
        let property = programs().join("unreach-call.prp").display().to_string();
        let text = format!(
            "format_version: '2.0'\ninput_files: '{program}'\nproperties:\n  - property_file: {property}\n    expected_verdict: {expected}\noptions:\n  language: C\n  data_model: LP64\n"
        );
        folder.file(&format!("{name}.yml"), &text)
    };
    let good = definition("loop_count_true", true);
    let wrong = definition("switch_false", true);
    let list = folder.file("all.txt", &format!("{good}\n# a comment\n{wrong}\n"));
    let output = provident(&["campaign", &list, "--cpu-limit", "60", "--jobs", "2"]);
    let table = stdout(&output);
    let rows: Vec<&str> = table.lines().collect();
    assert_eq!(rows.len(), 3, "{table}{}", stderr(&output));
    assert!(rows[1].contains(",unreach-call,true,true,correct,"), "{table}");
    assert!(rows[2].contains(",unreach-call,true,false,WRONG,"), "{table}");
    assert_eq!(output.status.code(), Some(1));
    let shard = provident(&["campaign", &list, "--shard", "1/2", "--cpu-limit", "60"]);
    assert_eq!((stdout(&shard).lines().count(), shard.status.code()), (2, Some(0)));
}

#[test]
fn the_solver_answers_scripts() {
    let folder = Folder::new("smt");
    let script = folder.file(
        "a.smt2",
        "(set-logic QF_LIA)(declare-const x Int)(assert (> (* 2 x) 3))(assert (< x 2))(check-sat)\n",
    );
    let output = provident(&["smt", &script]);
    assert_eq!((stdout(&output).as_str(), output.status.code()), ("unsat\n", Some(0)));
}

/// A solver that is asked through a pipe, each command when the one before is answered.
struct Conversation {
    process: std::process::Child,
    answers: std::io::BufReader<std::process::ChildStdout>,
}

impl Conversation {
    fn start(arguments: &[&str]) -> Conversation {
        let mut process = Command::new(env!("CARGO_BIN_EXE_provident"))
            .arg("smt")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let answers = std::io::BufReader::new(process.stdout.take().unwrap());
        Conversation { process, answers }
    }

    fn say(&mut self, command: &str) {
        let pipe = self.process.stdin.as_mut().unwrap();
        pipe.write_all(command.as_bytes()).unwrap();
        pipe.flush().unwrap();
    }

    fn hear(&mut self) -> String {
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        line.trim_end().to_string()
    }

    fn signal(&self, name: &str) {
        let pid = self.process.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-s", name, &pid])
                .status()
                .unwrap()
                .success()
        );
    }
}

/// Eleven pigeons in ten holes: nothing that clause learning answers soon.
fn pigeons() -> String {
    let variable = |pigeon: usize, hole: usize| format!("p{pigeon}_{hole}");
    let mut text = String::new();
    for pigeon in 0..11 {
        let holes: Vec<String> = (0..10).map(|hole| variable(pigeon, hole)).collect();
        text.extend(holes.iter().map(|hole| format!("(declare-const {hole} Bool)")));
        text.push_str(&format!("(assert (or {}))", holes.join(" ")));
        for other in 0..pigeon {
            text.extend((0..10).map(|hole| {
                format!(
                    "(assert (not (and {} {})))",
                    variable(pigeon, hole),
                    variable(other, hole)
                )
            }));
        }
    }
    text
}

#[test]
fn the_solver_answers_each_command_before_the_next() {
    for arguments in [&[][..], &["-"]] {
        let mut solver = Conversation::start(arguments);
        // No line end behind the command: the parenthesis ends it.
        solver.say("(declare-const x Int)(assert (> x 3))(check-sat)");
        assert_eq!(solver.hear(), "sat");
        solver.say("(assert (< x 3))\n(check-sat)");
        assert_eq!(solver.hear(), "unsat");
        solver.say("(pop 1)");
        assert_eq!(solver.hear(), "(error \"2:12: there are only 0 levels to pop\")");
        solver.say("(exit)");
        assert_eq!(solver.process.wait().unwrap().code(), Some(3));
    }
}

#[test]
fn signals_end_a_check_and_not_the_script() {
    for signal in ["INT", "TERM"] {
        let mut solver = Conversation::start(&[]);
        solver.say(&format!("(push){}(echo \"ready\")(check-sat)", pigeons()));
        assert_eq!(solver.hear(), "\"ready\"");
        solver.signal(signal);
        assert_eq!(solver.hear(), "unknown");
        solver.say("(get-info :reason-unknown)(pop)(check-sat)");
        assert_eq!(solver.hear(), "(:reason-unknown \"interrupted\")");
        assert_eq!(solver.hear(), "sat");
        solver.say("(exit)");
        assert_eq!(solver.process.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn limits_end_all_checks_of_a_script() {
    let folder = Folder::new("smt-limits");
    let script = folder.file(
        "a.smt2",
        &format!("{}(check-sat)(get-info :reason-unknown)(check-sat)", pigeons()),
    );
    let time = provident(&["smt", &script, "--cpu-limit", "0.2"]);
    assert_eq!(
        stdout(&time),
        "unknown\n(:reason-unknown \"the time limit was reached\")\nunknown\n"
    );
    let ticks = provident(&["smt", &script, "--ticks", "1000", "--statistics"]);
    assert_eq!(
        stdout(&ticks),
        "unknown\n(:reason-unknown \"the tick limit was reached\")\nunknown\n"
    );
    assert!(stderr(&ticks).contains(":conflicts "), "{}", stderr(&ticks));
    let memory = provident(&["smt", &script, "--memory-limit", "1"]);
    assert_eq!(stdout(&memory), "unknown\n(:reason-unknown memout)\nunknown\n");
}

#[test]
fn answers_can_go_to_a_file() {
    let folder = Folder::new("smt-channel");
    let answers = folder.file("answers", "before\n");
    let script = folder.file(
        "a.smt2",
        &format!(
            "(check-sat)(set-option :regular-output-channel \"{answers}\")(check-sat)(frobnicate)\
             (set-option :regular-output-channel \"stdout\")(echo \"end\")"
        ),
    );
    let output = provident(&["smt", &script]);
    assert_eq!(stdout(&output), "sat\n\"end\"\n");
    let written = std::fs::read_to_string(answers).unwrap();
    assert!(written.starts_with("before\nsat\n(error "), "{written}");
}

#[test]
fn automata_can_be_looked_at() {
    let listing = provident(&["cfa", "goto_labels.yml", "--function", "main"]);
    assert_eq!(listing.status.code(), Some(0), "{}", stderr(&listing));
    assert!(stdout(&listing).contains("state = state + 1"), "{}", stdout(&listing));
    let dot = provident(&["cfa", "goto_labels.c", "--dot"]);
    assert!(stdout(&dot).starts_with("digraph"));
    let distances = provident(&["cfa", "goto_labels.yml", "--function", "main", "--distances", "bb"]);
    assert_eq!(distances.status.code(), Some(0), "{}", stderr(&distances));
    assert!(
        stdout(&distances).contains("exit-dist  exit-dist'  abs-dist"),
        "{}",
        stdout(&distances)
    );
    let mut arguments = vec![
        "cfa",
        "goto_labels.yml",
        "--function",
        "main",
        "--distances",
        "bb",
        "--set",
    ];
    arguments.push("explore.weights=NO:3");
    let unknown = provident(&arguments);
    assert_eq!(unknown.status.code(), Some(3), "{}", stdout(&unknown));
    assert!(
        stderr(&unknown).contains("`explore.weights` names the property `NO`"),
        "{}",
        stderr(&unknown)
    );
    let usual = provident(&["cfa", "goto_labels.c", "--function", "main", "--distances", "bb"]);
    // Without a property the usual errors are meant, and the program has another one.
    assert_eq!(usual.status.code(), Some(0), "{}", stderr(&usual));
    assert_ne!(stdout(&usual), stdout(&distances));
}

#[test]
fn features_are_shown_as_text_and_as_json() {
    let text = provident(&["features", "goto_labels.yml"]);
    assert_eq!(text.status.code(), Some(0), "{}", stderr(&text));
    assert_eq!(stdout(&text).lines().count(), 25);
    assert!(stdout(&text).starts_with("LOCS "), "{}", stdout(&text));
    let json = provident(&["features", "goto_labels.c", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&json)).unwrap();
    assert_eq!(json["FUNCS"], 1.0);
    assert_eq!(json["SMCC"], json["MXCC"]);
    let report = provident(&["verify", "goto_labels.yml", "--json", "--set", "explore.order=distance"]);
    let report: serde_json::Value = serde_json::from_str(&stdout(&report)).unwrap();
    assert_eq!(report["features"], json);
    let report = provident(&["verify", "goto_labels.yml", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&stdout(&report)).unwrap();
    assert!(report["features"].is_null(), "nobody asked for a metric");
}

#[test]
fn version_and_help_are_no_errors() {
    let version = provident(&["--version"]);
    let text = stdout(&version);
    assert!(
        text.starts_with("provident ")
            && text.contains("commit ")
            && text.contains("solver ")
            && text.lines().count() == 1
    );
    let help = provident(&["verify", "--help"]);
    assert_eq!(help.status.code(), Some(0));
    assert!(stdout(&help).contains("--cpu-limit") && stdout(&help).contains("refine.rank"));
    assert_eq!(provident(&[]).status.code(), Some(3));
}

/// A reader that goes away early must not make a panic of ours.
#[test]
fn a_closed_pipe_is_no_error() {
    let arguments = [
        "verify",
        "loop_count_true.c",
        "--property",
        "unreach-call.prp",
        "--statistics",
    ];
    let mut child = command::provident(&arguments)
        .current_dir(programs())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        (output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()),
        (Some(0), "")
    );
}

/// A program that keeps any verifier busy: SIGTERM and SIGHUP have to give an answer nevertheless.
#[cfg(unix)]
#[test]
fn signals_give_unknown() {
    for name in ["TERM", "HUP"] {
        a_signal_gives_unknown(name);
    }
}

#[cfg(unix)]
fn a_signal_gives_unknown(name: &str) {
    let folder = Folder::new(&format!("signal-{name}"));
    let text = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);\n\
                int main(void) { unsigned a = __VERIFIER_nondet_uint(), b = 1, i = 0;\n\
                while (i < 100000) { b = b * 3 + i; i++; } if (b == a * a + 7) reach_error(); return 0; }\n";
    let source = folder.file("busy.c", text);
    let arguments = [
        "verify",
        &source,
        "--property",
        "unreach-call.prp",
        "--wall-limit",
        "60",
    ];
    let child = command::provident(&arguments)
        .current_dir(programs())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let sent = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    if sent.success() {
        assert_eq!(
            last_line(&output),
            format!("VERDICT: UNKNOWN (interrupted) interrupted by SIG{name}"),
            "{}",
            stderr(&output)
        );
        assert_eq!(output.status.code(), Some(2));
    }
}
