//! Commands on programs of several files, their evidence, and what the preprocessor is told.

use crate::command;
use crate::linking::{MEMBER, STATICS};
use crate::several::{Folder, split};
use expect_test::expect;
use std::io::Write;
use std::process::Stdio;

#[test]
fn inputs_that_are_none_are_refused() {
    let folder = Folder::new(
        "inputs",
        &[("a.c", "int main(void) { return 0; }\n"), ("d/b.c", ""), ("t.yml", "")],
    );
    let message = |arguments: &[&str]| {
        let output = folder.run(&[&["verify"], arguments].concat());
        assert_eq!(output.status.code(), Some(3));
        String::from_utf8(output.stderr).unwrap()
    };
    expect![[r#"
        error: `d` is a folder; give the files of the program, such as d/*.c
    "#]]
    .assert_eq(&message(&["d"]));
    expect![[r#"
        error: `t.yml` is a task definition, which names all files of a program; give it alone
    "#]]
    .assert_eq(&message(&["a.c", "t.yml"]));
    expect![[r#"
        error: `-` is given twice; standard input is one file
    "#]]
    .assert_eq(&message(&["-", "-"]));
    expect![[r#"
        error: `--relaunch` reads the program in several processes, and standard input has it only once; give a file
    "#]]
    .assert_eq(&message(&["-", "--relaunch", "--results", "r.json"]));
    expect![[r#"
        error: missing.c: cannot read the file: No such file or directory (os error 2)
    "#]]
    .assert_eq(&message(&["a.c", "missing.c"]));
    expect![[r#"
        error: `units` has no effect beside files that are given by name; `--compile-commands` lists files to choose from; leave one of them out
    "#]].assert_eq(&message(&["a.c", "--units", "x"]));
}

const INPUT: &str = "
// FILE main.c
extern int __VERIFIER_nondet_int(void);
struct job { int size; int left; };
extern int work(struct job *, int);
static int limit = 3;
int main(void) {
    struct job j;
    j.left = limit;
    j.size = __VERIFIER_nondet_int();
    while (j.left > 0)
        work(&j, 1);
    return j.left;
}
// FILE lib/work.c
extern void reach_error(void);
struct job { int size; int left; };
static int limit = 17;
int work(struct job *j, int n) {
    j->left -= n;
    if (j->size == limit)
        reach_error();
    return j->left;
}
";

const PROPERTY: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

#[test]
fn evidence_of_a_violation_names_all_files() {
    let folder = Folder::new("evidence", &split(INPUT));
    folder.write("p.prp", PROPERTY);
    folder.write(
        "task.yml",
        "format_version: '2.0'\ninput_files:\n  - main.c\n  - lib/work.c\nproperties:\n  - property_file: p.prp\n    expected_verdict: false\noptions:\n  language: C\n  data_model: LP64\n",
    );
    for inputs in [&["main.c", "lib/work.c", "--property", "p.prp"][..], &["task.yml"]] {
        let text = folder.text(&[&["verify", "--out", "out", "--check"], inputs].concat());
        assert!(text.contains("VERDICT: FALSE"), "{text}");
        assert!(text.contains("HARNESS p: reaches the violation"), "{text}");
        let report: serde_json::Value = serde_json::from_str(&folder.read("out/report.json")).unwrap();
        assert_eq!(report["inputs"], serde_json::json!(["main.c", "lib/work.c"]));
        let trace = folder.read("out/trace-p.txt");
        assert!(
            trace.contains("lib/work.c in work") && trace.contains("7:         reach_error();"),
            "{trace}"
        );
        assert!(trace.contains("main.c:8") && trace.contains("= 17"), "{trace}");
        let witness = folder.read("out/witness-p.yml");
        for part in [
            "input_files:",
            "main.c: ",
            "lib/work.c: ",
            "file_name: lib/work.c",
            "line: 7",
        ] {
            assert!(witness.contains(part), "{part}: {witness}");
        }
        let answer = |program: &[&str]| {
            folder.text(&[&["check"], program, &["out/witness-p.yml", "--property", "p.prp"]].concat())
        };
        assert_eq!(answer(&["main.c", "lib/work.c"]), "WITNESS: CONFIRMED\n");
        assert_eq!(answer(&["lib/work.c", "main.c"]), "WITNESS: CONFIRMED\n");
        assert_eq!(
            answer(&["main.c"]),
            "WITNESS: UNKNOWN (the witness is for a program of other files (main.c, work.c) than the given ones (main.c))\n"
        );
        folder.write("other/main.c", &split(INPUT)[0].1.replace("limit = 3", "limit = 4"));
        assert_eq!(
            answer(&["other/main.c", "lib/work.c"]),
            "WITNESS: UNKNOWN (the witness is for another version of `main.c`: its hash is not that of the file)\n"
        );
    }
}

#[test]
fn a_wrong_witness_of_two_files_is_refuted() {
    let folder = Folder::new("wrong", &split(INPUT));
    folder.write("p.prp", PROPERTY);
    folder.text(&["verify", "--out", "out", "main.c", "lib/work.c", "--property", "p.prp"]);
    let witness = folder.read("out/witness-p.yml").replace("== 17", "== 18");
    folder.write("wrong.yml", &witness);
    let answer = folder.text(&["check", "main.c", "lib/work.c", "wrong.yml", "--property", "p.prp"]);
    assert!(answer.starts_with("WITNESS: REFUTED"), "{answer}\n{witness}");
}

const LOOP: &str = "
// FILE main.c
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int total;
extern void add(int);
static int seen;
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000) return 0;
    while (seen < n) {
        add(2);
        seen++;
    }
    if (total != 2 * n) reach_error();
    return 0;
}
// FILE total.c
int total;
static int seen = 1;
void add(int by) { total += by; seen = -seen; }
";

#[test]
fn proofs_of_two_files_are_confirmed_and_discharged() {
    let folder = Folder::new("proof", &split(LOOP));
    folder.write("p.prp", PROPERTY);
    let program = ["main.c", "total.c", "--property", "p.prp"];
    let verdict = folder.verdict(&[&["verify", "--out", "out", "--check"], &program[..]].concat());
    assert_eq!(verdict, "VERDICT: TRUE");
    let witness = folder.read("out/witness-p.yml");
    assert!(witness.contains("file_name: main.c"), "{witness}");
    let answer = folder.text(&["check", "main.c", "total.c", "out/witness-p.yml", "--property", "p.prp"]);
    assert_eq!(answer, "WITNESS: CONFIRMED\n", "{witness}");
    let discharged = folder.run(&[
        "discharge",
        "out",
        "--program",
        "main.c",
        "--program",
        "total.c",
        "--property",
        "p.prp",
    ]);
    assert_eq!(discharged.status.code(), Some(0), "{discharged:?}");
    let other = folder.run(&["discharge", "out", "--program", "main.c", "--property", "p.prp"]);
    assert_ne!(other.status.code(), Some(0), "{other:?}");
}

const INVARIANT: &str = "
// FILE main.c
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern int level;
extern void up(void);
static int seen;
int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (seen < 100000) { seen++; up(); }
        else if (__VERIFIER_nondet_int()) seen = level = 0;
    }
    if (level > 100000) reach_error();
    return 0;
}
// FILE level.c
int level;
static int seen = 1;
void up(void) { level++; seen = -seen; }
";

/// An invariant names the `static` variable of its own file, and a variable of another file that is declared `extern` there.
#[test]
fn invariants_name_what_their_file_sees() {
    let folder = Folder::new("invariant", &split(INVARIANT));
    folder.write("p.prp", PROPERTY);
    let program = ["main.c", "level.c", "--property", "p.prp"];
    assert_eq!(
        folder.verdict(&[&["verify", "--out", "out", "--check"], &program[..]].concat()),
        "VERDICT: TRUE"
    );
    let witness = folder.read("out/witness-p.yml");
    let value = witness.lines().find(|line| line.contains("value:")).unwrap_or_default();
    assert!(value.contains("seen") && value.contains("level"), "{witness}");
    let answer = folder.text(&["check", "main.c", "level.c", "out/witness-p.yml", "--property", "p.prp"]);
    assert_eq!(answer, "WITNESS: CONFIRMED\n", "{witness}");
}

#[test]
fn other_commands_take_several_files() {
    let folder = Folder::new("views", &split(STATICS));
    let automata = folder.text(&["cfa", "a.c", "b.c", "c.c"]);
    assert!(automata.contains("step@a") && automata.contains("step@b"), "{automata}");
    assert!(
        folder
            .text(&["cfa", "a.c", "b.c", "c.c", "--function", "step@b"])
            .contains("count + 10")
    );
    assert!(folder.run(&["features", "a.c", "b.c", "c.c"]).status.success());
}

#[test]
fn model_files_are_one_more_file() {
    let folder = Folder::new("models", &split(MEMBER));
    folder.write("model.c", "struct foo { int x; };\nint get(void *p) { return 0; }\n");
    folder.write("nondet.c", "static int limit = 4;\nint bound(void) { return limit; }\n");
    folder.write("c.c", "int limit(void) { return 1; }\nextern int bound(void);\nextern void reach_error(void);\nvoid check(void) { if (bound() != 4) reach_error(); }\n");
    assert_eq!(
        folder.verdict(&[
            "verify", "a.c", "b.c", "c.c", "--models", "nondet.c", "--entry", "check"
        ]),
        "VERDICT: TRUE"
    );
    assert!(
        folder
            .text(&["verify", "a.c", "b.c", "--models", "model.c"])
            .contains("'get' is defined twice")
    );
}

const MACROS: &str = "
// FILE a.c
#include \"own.h\"
#include <system.h>
extern void reach_error(void);
int main(void) {
#ifdef GONE
    reach_error();
#endif
    if (OWN + SYSTEM + NUMBER + FLAG + BEFORE != 11111) reach_error();
    return 0;
}
// FILE inc/own.h
#define OWN 1
// FILE sys/system.h
#define SYSTEM 10
// FILE before.h
#define BEFORE 10000
";

#[test]
fn the_preprocessor_is_told_what_the_user_says() {
    let folder = Folder::new("macros", &split(MACROS));
    let told = [
        "-I",
        "inc",
        "-isystem",
        "sys",
        "-DNUMBER=100+999",
        "-D",
        "FLAG",
        "-DGONE",
        "-U",
        "GONE",
        "-include",
        "before.h",
    ];
    assert_eq!(
        folder.verdict(&[&["verify", "a.c"], &told[..]].concat()),
        "VERDICT: TRUE"
    );
    assert!(folder.text(&["verify", "a.c"]).contains("own.h"));
    folder.write(
        "plain.c",
        "extern void reach_error(void);\nint main(void) { if (N != 3) reach_error(); return 0; }\n",
    );
    assert_eq!(folder.verdict(&["verify", "plain.c", "-DN=3"]), "VERDICT: TRUE");
    folder.write("p.prp", PROPERTY);
    let checked = folder.text(&[
        "verify",
        "plain.c",
        "-DN=4",
        "--check",
        "--out",
        "out",
        "--property",
        "p.prp",
    ]);
    assert!(
        checked.contains("VERDICT: FALSE") && checked.contains("HARNESS p: reaches the violation"),
        "{checked}"
    );
    folder.write("std.c", "extern void reach_error(void);\nint main(void) { if (__STDC_VERSION__ != 199901L) reach_error(); return 0; }\n");
    assert_eq!(folder.verdict(&["verify", "std.c", "-std=c99"]), "VERDICT: TRUE");
    assert_eq!(folder.verdict(&["verify", "std.c", "--std", "c11"]), "VERDICT: FALSE");
}

#[test]
fn standard_input_is_a_file() {
    let folder = Folder::new(
        "stdin",
        &[("b.c", "int one(void) { return 1; }\n"), ("p.prp", PROPERTY)],
    );
    let program = "#define TWO 2\nextern int one(void);\nextern void reach_error(void);\nint main(void) { if (one() != TWO) reach_error(); return 0; }\n";
    let mut child = command::provident(&["verify", "-", "b.c", "--check", "--out", "out", "--property", "p.prp"])
        .current_dir(&folder.0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(program.as_bytes()).unwrap();
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(text.contains("VERDICT: FALSE"), "{text}");
    assert!(text.contains("HARNESS p: reaches the violation"), "{text}");
    let trace = folder.read("out/trace-p.txt");
    assert!(trace.contains("<stdin> in main"), "{trace}");
}

#[test]
fn compilation_databases_name_files_and_their_options() {
    let folder = Folder::new(
        "database",
        &[
            (
                "src/main.c",
                "#include \"n.h\"\nextern int lib(void);\nextern void reach_error(void);\nint main(void) { if (lib() != N) reach_error(); return 0; }\n",
            ),
            ("src/lib.c", "int lib(void) { return N; }\n"),
            ("src/test.c", "int main(void) { return 1; }\n"),
            ("src/inc/n.h", "#define N 8\n"),
        ],
    );
    let path = |name: &str| folder.0.join(name).display().to_string();
    folder.write(
        "compile_commands.json",
        &format!(
            r#"[{{"directory": {0:?}, "file": "main.c", "arguments": ["cc", "-Iinc", "-c", "main.c"]}},
                {{"directory": {0:?}, "file": "lib.c", "command": "cc -O2 '-DN=7+1' -c lib.c"}},
                {{"directory": {0:?}, "file": "test.c", "command": "cc -c test.c"}}]"#,
            path("src")
        ),
    );
    let all = folder.text(&["verify", "--compile-commands", "compile_commands.json"]);
    assert!(all.contains("the function 'main' is defined twice"), "{all}");
    let chosen = [
        "--compile-commands",
        "compile_commands.json",
        "--units",
        "main.c",
        "--units",
        "**/lib.c",
    ];
    assert_eq!(folder.verdict(&[&["verify"], &chosen[..]].concat()), "VERDICT: TRUE");
    let output = folder.run(&[
        "verify",
        "--compile-commands",
        "compile_commands.json",
        "--units",
        "none*",
    ]);
    assert_eq!(output.status.code(), Some(3));
}
