//! The machine for executions without inputs, held against the replay machine, with which it shares no code.
//!
//! * Every program of `tests/programs/concrete` is run to its end by both: they take the same edges. Its verdict is the stated one.
//! * Random programs: the same edges, where every bit of every variable decides about one.
//! * Every program of `tests/programs/closed` makes two claims, of which one holds. Both are decided, and where there is a gcc, the program does what is stated.
//! * What asks for an input, or is undefined, stops it there and not later.

use proptest::prelude::*;
use provident::cfa::{EdgeId, LowerOptions, Op, Program, Step, lower};
use provident::evidence::replay::{RunEnd, Scripted, run};
use provident::explicit::concrete::{Event, Execution};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The replay machine is slow.
const MAX_STEPS: usize = 3_000_000;

fn program(text: &str, data_model: DataModel) -> Program {
    let options = FrontendOptions { data_model };
    let unit = parse(Source::new("test.c", text), &options).unwrap_or_else(|e| panic!("{}", e.render(false)));
    lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)))
}

/// How the machine ends, and the edges that it takes.
fn executed(program: &Program) -> (Event, Vec<EdgeId>) {
    let wanted = |_: EdgeId| false;
    let mut execution = Execution::new(program, BTreeSet::new(), &wanted, true).unwrap();
    let event = execution.run(u64::try_from(MAX_STEPS).unwrap());
    if event == Event::Complete {
        assert_eq!(execution.steps, u64::try_from(execution.path().len()).unwrap());
    }
    let is_left = |step: &&Step| matches!(step, Step::Leave(_));
    let steps = execution.path().iter().filter(|step| !is_left(step));
    (event, steps.map(|step| step.edge()).collect())
}

/// Runs a program on both machines.
fn compare(name: &str, program: &Program) {
    let (event, taken) = executed(program);
    let replayed = run(program, &mut Scripted::default(), MAX_STEPS);
    assert_eq!(event, Event::Complete, "{name}");
    assert!(
        matches!(replayed.end, RunEnd::Finished | RunEnd::Stuck),
        "{name}: {:?}",
        replayed.end
    );
    let differs = taken.iter().zip(&replayed.edges).position(|(a, b)| a != b);
    let place = differs.map(|at| program.sources.resolve(program.edge(taken[at]).loc).to_string());
    assert_eq!(differs, None, "{name}: another way at {place:?}");
    assert_eq!(taken.len(), replayed.edges.len(), "{name}");
}

fn programs() -> Vec<PathBuf> {
    files("concrete")
}

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/programs")
        .join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() > 10);
    files
}

#[test]
fn both_machines_take_the_same_steps() {
    for file in programs() {
        let text = fs::read_to_string(&file).unwrap();
        let model = match text.contains("//# data-model ILP32") {
            true => DataModel::Ilp32,
            false => DataModel::Lp64,
        };
        if text.contains("//# endless") {
            continue;
        }
        compare(&file.display().to_string(), &program(&text, model));
    }
}

#[test]
fn programs_without_inputs_are_decided_by_running_them() {
    let property = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/unreach-call.prp");
    for file in programs() {
        let text = fs::read_to_string(&file).unwrap();
        let expected = text
            .lines()
            .find_map(|line| line.strip_prefix("//# call reach_error: "))
            .unwrap();
        let model = if text.contains("//# data-model ILP32") {
            "ILP32"
        } else {
            "LP64"
        };
        for slice in ["slice=on", "slice=off"] {
            let output = Command::new(env!("CARGO_BIN_EXE_provident"))
                .args([
                    "verify",
                    file.to_str().unwrap(),
                    "--statistics",
                    "--data-model",
                    model,
                    "--set",
                    slice,
                ])
                .args(["--property", property.to_str().unwrap()])
                .output()
                .unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(
                said.contains(&format!("VERDICT: {expected}")),
                "{}: {said}",
                file.display()
            );
            let decided = if expected == "TRUE" {
                "concrete proofs"
            } else {
                "concrete counterexamples"
            };
            assert!(
                said.contains(decided),
                "{} ({slice}) was decided otherwise: {said}",
                file.display()
            );
        }
    }
}

/// The rest of the line in a program's head that begins so.
fn stated<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    text.lines()
        .find_map(|line| line.strip_prefix("//# ")?.strip_prefix(key)?.strip_prefix(": "))
}

/// Compiles a program and lets it run: whether it comes to the error. `None` without a gcc.
fn native(file: &Path, folder: &Path) -> Option<bool> {
    let (end, binary) = (folder.join("end.c"), folder.join("program"));
    fs::write(&end, "void exit(int);\nvoid reach_error(void) { exit(42); }\n").unwrap();
    let built = Command::new("gcc")
        .args(["-w", "-O1", "-fno-builtin", "-o"])
        .args([&binary, file, &end])
        .arg("-lm")
        .status()
        .ok()?;
    assert!(built.success(), "{}", file.display());
    match Command::new(&binary).status().unwrap().code() {
        Some(0) => Some(false),
        Some(42) => Some(true),
        other => panic!("{}: {other:?}", file.display()),
    }
}

#[test]
fn whole_programs_without_inputs_are_decided() {
    let property = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/unreach-call.prp");
    let folder = std::env::temp_dir().join(format!("provident-closed-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let mut problems = Vec::new();
    for file in files("closed") {
        let text = fs::read_to_string(&file).unwrap();
        let name = file.file_name().unwrap();
        for (claim, verdict, is_violated) in [("holds", "TRUE", false), ("violated", "FALSE", true)] {
            let claimed = stated(&text, claim).expect("a program states a claim");
            let copy = folder.join(name);
            fs::write(&copy, format!("#define CLAIM {claimed}\n{text}")).unwrap();
            if let Some(does) = native(&copy, &folder) {
                assert_eq!(does, is_violated, "{} natively: {claim}", file.display());
            }
            // Some violations come so late that no replay repeats them; the verdict says so.
            let verdict = stated(&text, &format!("{claim} verdict")).unwrap_or(verdict);
            let output = Command::new(env!("CARGO_BIN_EXE_provident"))
                .arg("verify")
                .arg(&copy)
                .args(["--cpu-limit", "100", "--set", "concrete.replay=20000000", "--property"])
                .arg(&property)
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let last = said.lines().last().unwrap_or_default();
            if last != format!("VERDICT: {verdict}") {
                problems.push(format!("{} ({claim}): {last}", file.display()));
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(problems, Vec::<String>::new());
}

/// A violation counts if the replay repeats it, and the longest replay is a setting.
#[test]
fn a_violation_behind_more_steps_than_the_replay_takes_is_unknown() {
    let folder = std::env::temp_dir().join(format!("provident-long-replay-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("late.c");
    let text = "extern void reach_error(void);\nint main(void)\n{\n    unsigned x = 1;\n    for (int i = 0; i < 5000; i++) x = x * 3;\n    if (x != 1) reach_error();\n    return 0;\n}\n";
    fs::write(&file, text).unwrap();
    for (longest, verdict) in [
        ("20000", "VERDICT: FALSE"),
        (
            "15000",
            "VERDICT: UNKNOWN (replay-limit) a violation after 15006 steps, of which the replay repeats no more than 15000",
        ),
    ] {
        let property = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/unreach-call.prp");
        let output = Command::new(env!("CARGO_BIN_EXE_provident"))
            .arg("verify")
            .arg(&file)
            .args(["--set", &format!("concrete.replay={longest}"), "--property"])
            .arg(property)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(said.lines().last(), Some(verdict), "{said}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

/// Where a program stops that is given as the body of `main`, and whether it has come to the call of `here`.
fn stops(body: &str) -> (String, bool) {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern void here(void); extern void *malloc(unsigned long); extern void free(void *);\n\
         int main(void) {{ {body} return 0; }}"
    );
    let program = program(&text, DataModel::Lp64);
    let (event, taken) = executed(&program);
    let is_here = |edge: &EdgeId| match &program.edge(*edge).op {
        Op::External { func, .. } => program.function(*func).name == "here",
        _ => false,
    };
    (format!("{event:?}"), taken.iter().any(is_here))
}

#[test]
fn it_stops_where_more_than_one_step_is_possible() {
    for body in [
        "int x = __VERIFIER_nondet_int(); here(); if (x) here();",
        "int x; here(); if (x) return 1;",
        "int a[3]; a[0] = a[2] = 1; here(); if (a[1]) return 1;",
        "int *p = malloc(4); here(); if (*p) return 1;",
        "int *p = malloc(4); *p = 1; free(p); here(); if (*p) return 1;",
        "int a[2] = {1, 2}; int i = 2; here(); if (a[i]) return 1;",
        "int a[2] = {1, 2}; int *p = a; p--; here(); if (*p) return 1;",
        "int zero = 0, x = 1; here(); x = x / zero;",
        "int x = -2147483647 - 1, y = -1; here(); x = x / y;",
        "int x = 1, by = 32; here(); x = x << by;",
        "int x = 1; here(); if ((unsigned long) &x % 64 == 0) return 1;",
        "int x, y; int *p = &x, *q = &y; here(); if (p < q) return 1;",
        "char *s = \"constant\"; here(); s[0] = 'C';",
        "struct { int a, b; } s, t; s.a = 1; t = s; here(); if (t.b) return 1;",
        "struct { int a, b; } s, t, u; s.a = 1; t = s; u = t; s = u; here(); if (s.b) return 1;",
        "int *p; int *q; { int inner[2] = {1, 2}; p = inner; } q = p; char *c = (char *) &q; here(); if (c[2] == 1) return 1;",
        "void *p = malloc(8); unsigned long n; __builtin_memcpy(&n, &p, 8); here(); if (n == 1) return 1;",
    ] {
        let (event, here) = stops(body);
        assert!(event.starts_with("Stopped") && here, "{body}: {event}, {here}");
    }
}

#[test]
fn what_is_never_read_may_be_unknown() {
    for body in [
        "int x; int y = 2; if (y == 2) x = 3; else x = 4; if (x != 3) return 1;",
        "int a[8]; for (int i = 0; i < 4; i++) a[i] = i; if (a[3] != 3) return 1;",
        "struct { int a, b; } s, t; struct { int a, b; } *p = &s, *q = &t; p->a = 1; *q = *p; if (q->a != 1) return 1;",
        "struct { int a, b; } s, t; s.a = 1; t = s; if (t.a != 1) return 1;",
        "int *p = malloc(12); p[1] = 5; int *q = p + 1; if (*q != 5 || q - p != 1 || q == p || !q) return 1; free(p);",
        "for (int i = 0; i < 3; i++) { int x; if (i == 0) x = 7; else x = i; if (x > 7) return 1; }",
    ] {
        assert_eq!(stops(body).0, "Complete", "{body}");
    }
}

/// The last two are for 64 bits only.
const TYPES: [&str; 10] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "__int128",
    "unsigned __int128",
];

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (0usize..6).prop_map(|i| format!("v{i}")),
        (0usize..6).prop_map(|i| format!("a{}[v{i} & 7]", i % 3)),
        any::<i32>().prop_map(|c| format!("({c}LL)")),
        (0u32..100).prop_map(|c| format!("{c}u")),
        (0usize..3).prop_map(|i| format!("s.m{i}")),
    ];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (
                inner.clone(),
                prop::sample::select(vec!["+", "-", "*", "&", "|", "^", "<", "<=", ">", ">=", "==", "!="]),
                inner.clone()
            )
                .prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (inner.clone(), prop::sample::select(vec!["/", "%"]), inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} (({b}) & 15 | 1))")),
            (inner.clone(), prop::sample::select(vec!["<<", ">>"]), inner.clone())
                .prop_map(|(a, op, b)| format!("({a} {op} (({b}) & 7))")),
            (prop::sample::select(TYPES[..8].to_vec()), inner.clone()).prop_map(|(ty, a)| format!("(({ty}) {a})")),
            (prop::sample::select(vec!["-", "~", "!"]), inner.clone()).prop_map(|(op, a)| format!("({op}{a})")),
            (inner.clone(), inner.clone(), inner).prop_map(|(c, a, b)| format!("({c} ? {a} : {b})")),
        ]
    })
}

fn statement() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0usize..6, prop::sample::select(vec!["=", "+=", "^=", "-="]), expression()).prop_map(|(v, op, e)| format!("v{v} {op} {e};")),
        2 => (0usize..6, expression()).prop_map(|(v, e)| format!("a{}[v{v} & 7] = {e};", v % 3)),
        1 => (0usize..3, expression()).prop_map(|(m, e)| format!("s.m{m} = {e};")),
        1 => (expression(), 0usize..6).prop_map(|(e, v)| format!("if ({e}) v{v}++; else v{v} = mix(v{v}, v1);")),
        1 => (1u32..20, 0usize..6, expression()).prop_map(|(n, v, e)| format!("for (int i = 0; i < {n}; i++) {{ v{v} += {e}; a0[i & 7] ^= v{v}; }}")),
        1 => (0usize..8, 0usize..8).prop_map(|(i, j)| format!("{{ short *p = a1 + {i}, *q = &a1[{j}]; *p = *q + 1; t = s; t.m1++; s = t; if (p == q) v0 ^= 5; }}")),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_programs_take_the_same_steps(
        kinds in prop::collection::vec(0usize..10, 6),
        starts in prop::collection::vec(any::<i16>(), 6),
        statements in prop::collection::vec(statement(), 1..14),
        narrow in any::<bool>(),
    ) {
        let mut text = String::from("extern void here(void);\n");
        let mut body = String::new();
        for (i, (kind, start)) in kinds.iter().zip(&starts).enumerate() {
            let kind = if narrow { *kind % 8 } else { *kind };
            let line = format!("{} v{i} = {start};\n", TYPES[kind]);
            // Some are static, some are not.
            if i < 3 { text += &line } else { body += &line }
        }
        text += "unsigned char a0[8]; short a1[8]; static long a2[8];\nstruct { int m0 : 5; unsigned m1 : 11; long m2; } s, t;\n";
        text += "static long mix(long a, long b) { return a < b ? a * 3 + b : b > 0 ? mix(a - 1, b / 2) : a ^ b; }\n";
        body += &statements.join("\n");
        for v in 0..6 {
            if !narrow {
                body += &format!("for (int i = 0; i < 64; i++) if ((unsigned __int128) v{v} >> i >> 64 & 1) here();\n");
            }
            body += &format!("for (int i = 0; i < 64; i++) if ((unsigned long long) v{v} >> i & 1) here();\n");
        }
        body += "for (int k = 0; k < 8; k++) for (int i = 0; i < 64; i++) if (((unsigned long long) a2[k] ^ a1[k] ^ a0[k] ^ s.m0 ^ s.m1 ^ s.m2) >> i & 1) here();\n";
        let text = format!("{text}int main(void) {{\n{body}return 0; }}\n");
        let model = if narrow { DataModel::Ilp32 } else { DataModel::Lp64 };
        compare(&text, &program(&text, model));
    }
}
