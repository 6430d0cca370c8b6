//! Checks of operations that C gives no meaning for all operands, against exact arithmetic, against the compiler's own checks, and as a user asks for them.

use crate::command::provident;
use crate::harness::gcc_is_there;
use crate::parallel;
use crate::several::Folder;
use expect_test::{Expect, expect};
use provident::cfa::LowerOptions;
use provident::cfa::program::check::CheckKind;
use provident::engine::Silent;
use provident::frontend::types::DataModel;
use provident::report::Answer;
use provident::verify::checks::checked_places;
use provident::verify::{Options, ProgramFile, Task, verify};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// A type of C: its name, the width and sign after promotion, and numbers of it.
struct Operand {
    name: &'static str,
    width: u32,
    signed: bool,
    numbers: &'static [i128],
}

const OPERANDS: [Operand; 5] = [
    Operand {
        name: "int",
        width: 32,
        signed: true,
        numbers: &[i32::MIN as i128, -3, -1, 0, 1, 31, 32, 46341, i32::MAX as i128],
    },
    Operand {
        name: "long",
        width: 64,
        signed: true,
        numbers: &[
            i64::MIN as i128,
            -4294967296,
            -1,
            0,
            1,
            63,
            64,
            3037000500,
            i64::MAX as i128,
        ],
    },
    Operand {
        name: "signed char",
        width: 32,
        signed: true,
        numbers: &[-128, -1, 0, 1, 24, 31, 32, 127],
    },
    Operand {
        name: "short",
        width: 32,
        signed: true,
        numbers: &[-32768, -1, 0, 15, 16, 17, 32767],
    },
    Operand {
        name: "unsigned",
        width: 32,
        signed: false,
        numbers: &[0, 1, 31, 32, 65536, u32::MAX as i128],
    },
];

const OPERATORS: [&str; 7] = ["+", "-", "*", "/", "%", "<<", ">>"];

/// The checks that an operation violates, by exact arithmetic.
fn violated(op: &str, a: i128, b: i128, of: &Operand) -> BTreeSet<CheckKind> {
    let width = i128::from(of.width);
    let low = -(1i128 << (of.width - 1));
    let beyond = |exact: Option<i128>| of.signed && exact.is_none_or(|value| value < low || value >= -low);
    let overflow = match op {
        "+" => beyond(Some(a + b)),
        "-" => beyond(Some(a - b)),
        "*" => beyond(a.checked_mul(b)),
        "/" | "%" => of.signed && a == low && b == -1,
        "<<" => (0..width).contains(&b) && beyond(a.checked_mul(1 << b)),
        _ => false,
    };
    let division = matches!(op, "/" | "%") && b == 0;
    let shift = matches!(op, "<<" | ">>") && !(0..width).contains(&b);
    [
        (overflow, CheckKind::Overflow),
        (division, CheckKind::Division),
        (shift, CheckKind::Shift),
    ]
    .into_iter()
    .filter_map(|(violates, kind)| violates.then_some(kind))
    .collect()
}

/// A number as a constant of C.
fn constant(number: i128) -> String {
    match number {
        n if n == i128::from(i64::MIN) => "(-9223372036854775807L - 1)".to_string(),
        n if n == i128::from(i32::MIN) => "(-2147483647 - 1)".to_string(),
        n if n > i128::from(u32::MAX) || n < i128::from(i32::MIN) => format!("({n}L)"),
        n if n > i128::from(i32::MAX) => format!("{n}u"),
        n => format!("({n})"),
    }
}

/// The program that does an operation on all pairs of numbers, one per line, with the violations by line.
fn all_pairs(op: &str, of: &Operand) -> (String, BTreeMap<u32, BTreeSet<CheckKind>>) {
    let name = of.name;
    let mut text = format!(
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {{ {name} x, y; long long r = 0; switch (__VERIFIER_nondet_int()) {{\n"
    );
    let (mut line, mut expected) = (2, BTreeMap::new());
    let mut statement = |prepared: String, statement: String, kinds: &BTreeSet<CheckKind>| {
        line += 1;
        text += &format!("case {line}: {prepared} {statement}; break;\n");
        expected.insert(line, kinds.clone());
    };
    for &a in of.numbers {
        for &b in of.numbers {
            let (left, right) = (constant(a), constant(b));
            let kinds = violated(op, a, b, of);
            let both = || format!("x = {left}; y = {right};");
            statement(both(), format!("r = x {op} y"), &kinds);
            statement(both(), format!("x {op}= y; r = x"), &kinds);
            // A constant has a type of its own, which is the one of the other operand for `int` and wider.
            if !matches!(of.name, "signed char" | "short") || matches!(op, "<<" | ">>") {
                let cast = |constant: &str| format!("(({name}){constant})");
                statement(format!("x = {left};"), format!("r = x {op} {}", cast(&right)), &kinds);
                statement(format!("y = {right};"), format!("r = {} {op} y", cast(&left)), &kinds);
            }
            let step = match (op, a, b) {
                ("+", _, 1) => Some(("x++", "++x")),
                ("-", _, 1) => Some(("x--", "--x")),
                ("-", 0, _) => Some(("-y", "-(y)")),
                _ => None,
            };
            for short in step.into_iter().flat_map(|(one, other)| [one, other]) {
                statement(both(), format!("r = {short}"), &kinds);
            }
        }
    }
    text += "}\nreturn (int)r; }\n";
    (text, expected)
}

fn written(name: &str, text: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-undefined-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    fs::write(&file, text).unwrap();
    file
}

/// The sorts that are about values.
fn values() -> impl Iterator<Item = CheckKind> {
    CheckKind::ALL.into_iter().filter(|kind| !kind.is_about_objects())
}

/// The kinds and lines of all places, with their answers.
fn answers(file: &Path) -> Vec<(CheckKind, u32, Answer)> {
    let mut program = ProgramFile {
        units: vec![file.to_path_buf().into()],
        data_model: DataModel::Lp64,
        lower: LowerOptions::default(),
        models: Vec::new(),
    };
    let requested = checked_places(&program, values().collect()).unwrap();
    program.forbid(&requested);
    let task = Task { program, requested };
    let mut options = Options::default();
    options.engine.limits.ticks = Some(60_000_000);
    let report = verify(&task, &options, &mut Silent).unwrap().report;
    let place = |name: &str| {
        let (kind, place) = name.split_once('/')?;
        let line = place.split(':').nth(1)?.parse().ok()?;
        Some((CheckKind::named(kind)?, line))
    };
    let properties = report.properties.iter();
    properties
        .filter_map(|property| place(&property.name).map(|(kind, line)| (kind, line, property.verdict)))
        .collect()
}

#[test]
fn checks_agree_with_exact_arithmetic() {
    let all: Vec<(&str, &Operand)> = OPERATORS
        .into_iter()
        .flat_map(|op| OPERANDS.iter().map(move |of| (op, of)))
        .collect();
    let problems = parallel::problems(&all, |&(op, of)| {
        let (text, expected) = all_pairs(op, of);
        let words = ["add", "sub", "mul", "div", "rem", "shl", "shr"];
        let word = words[OPERATORS.iter().position(|one| *one == op).expect("one of them")];
        let file = written(&format!("{word}_{}.c", of.name.replace(' ', "_")), &text);
        let mut found: BTreeMap<u32, BTreeSet<CheckKind>> = BTreeMap::new();
        for (kind, line, answer) in answers(&file) {
            match answer {
                Answer::False => drop(found.entry(line).or_default().insert(kind)),
                Answer::True => {}
                answer => return vec![format!("{} {op}: {kind} in line {line} is {answer:?}", of.name)],
            }
        }
        let differs = expected
            .iter()
            .find(|(line, kinds)| found.get(line).unwrap_or(&BTreeSet::new()) != *kinds);
        let problem = |(line, kinds): (&u32, &BTreeSet<CheckKind>)| {
            let found = found.get(line);
            let source = text.lines().nth(*line as usize - 1).unwrap_or_default();
            format!("{} {op}: {source}: {found:?}, expected {kinds:?}", of.name)
        };
        differs.map(problem).into_iter().collect()
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The lines of the output that begin with one of some words.
fn shown(arguments: &[&str], words: &[&str]) -> String {
    let output = provident(arguments).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    let folder = std::env::temp_dir().join(format!("provident-undefined-{}", std::process::id()));
    let text = text.replace(folder.to_str().unwrap(), "FOLDER");
    let is_shown = |line: &&str| words.iter().any(|word| line.starts_with(word));
    text.lines().filter(is_shown).map(|line| format!("{line}\n")).collect()
}

const ONE_OF_EACH: &str = "\
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int last[1]; };
int table[10];
int main(void) {
    int x = __VERIFIER_nondet_int();
    char c = (char)x;
    c++;
    if (x < 0 || x > 100) return 0;
    int fine = x * x + 10 % (x + 1) + (1 << x / 4);
    switch (__VERIFIER_nondet_int()) {
    case 0: return 2147483600 + x;
    case 1: return fine / (x - 50);
    case 2: return 1 << x;
    case 3: return table[x / 10] + table[x % 10];
    case 4: {
        struct node list = {0}, *at = x == 3 ? list.next : &list;
        int *inside = &at->last[5], *behind = &table[10];
        return at->last[0] + (inside == behind);
    }
    }
    return c;
}
";

#[test]
fn each_place_is_a_property_that_the_compiler_sees_too() {
    let file = written("each.c", ONE_OF_EACH);
    let file = file.to_str().unwrap();
    let check = |words: &[&str], expected: Expect| {
        expected.assert_eq(&shown(
            &[
                "verify",
                file,
                "--checks",
                "overflow,division,shift,bounds,null",
                "--check",
            ],
            words,
        ));
    };
    check(
        &["PROPERTY", "VERDICT"],
        expect![[r#"
        PROPERTY overflow/each.c:9:18: TRUE
        PROPERTY overflow/each.c:9:22: TRUE
        PROPERTY overflow/each.c:9:32: TRUE
        PROPERTY overflow/each.c:9:37: TRUE
        PROPERTY overflow/each.c:9:42: TRUE
        PROPERTY overflow/each.c:11:31: FALSE
        PROPERTY overflow/each.c:12:25: TRUE
        PROPERTY overflow/each.c:12:30: TRUE
        PROPERTY overflow/each.c:13:22: FALSE
        PROPERTY overflow/each.c:14:34: TRUE
        PROPERTY overflow/each.c:18:28: TRUE
        PROPERTY overflow: FALSE
        PROPERTY division/each.c:9:27: TRUE
        PROPERTY division/each.c:12:25: FALSE
        PROPERTY division: FALSE
        PROPERTY shift/each.c:9:42: TRUE
        PROPERTY shift/each.c:13:22: FALSE
        PROPERTY shift: FALSE
        PROPERTY bounds/each.c:14:25: FALSE
        PROPERTY bounds/each.c:14:41: TRUE
        PROPERTY bounds: FALSE
        PROPERTY null/each.c:18:18: FALSE
        PROPERTY null: FALSE
        VERDICT: FALSE
    "#]],
    );
    if gcc_is_there() {
        check(
            &["HARNESS"],
            expect![[r#"
        HARNESS overflow-each.c-11-31: reaches the violation
        HARNESS overflow-each.c-13-22: reaches the violation
        HARNESS division-each.c-12-25: reaches the violation
        HARNESS shift-each.c-13-22: reaches the violation
        HARNESS bounds-each.c-14-25: reaches the violation
        HARNESS null-each.c-18-18: reaches the violation
    "#]],
        );
    }
}

#[test]
fn an_overflow_has_a_witness_and_a_proof_of_its_absence_has_obligations() {
    let property = written("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    let property = property.to_str().unwrap();
    let sums = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int x = __VERIFIER_nondet_int(), sum = 0;\n    if (x > 30)\n        return 0;\n    for (int i = 0; i < x; i++)\n        sum += 100000000;\n    return sum;\n}\n";
    let square = "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int x = __VERIFIER_nondet_int();\n    if (x > 1000 || x < -1000)\n        return 0;\n    return x * x + 1000;\n}\n";
    for (name, text, shows) in [
        (
            "sums.c",
            sums,
            expect![[r#"
        VERDICT: FALSE
        WITNESS: CONFIRMED
    "#]],
        ),
        (
            "square.c",
            square,
            expect![[r#"
        VERDICT: TRUE
        WITNESS: CONFIRMED
        DISCHARGED: all 2 obligations, with their proofs checked
    "#]],
        ),
    ] {
        let file = written(name, text);
        let out = file.with_extension("out");
        let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
        let mut text = shown(
            &["verify", file, "--property", property, "--check", "--out", out],
            &["VERDICT"],
        );
        let witness = format!("{out}/witness-no-overflow.yml");
        text += &shown(
            &["check", file, &witness, "--property", property],
            &["WITNESS", "error"],
        );
        text += &shown(
            &["discharge", out, "--program", file, "--property", property],
            &["DISCHARGED", "OPEN"],
        );
        shows.assert_eq(&text);
    }
}

#[test]
fn proofs_that_variables_are_written_are_discharged() {
    let text = "extern int __VERIFIER_nondet_int(void);\nstruct pair { int a, b; };\nint main(void) {\n    int n = __VERIFIER_nondet_int(), x, row[4];\n    struct pair p;\n    if (n > 0) x = n; else x = -1;\n    p.a = x;\n    if (p.a > 3) p.b = 1;\n    for (int i = 0; i < 4; i++) row[i] = i;\n    int sum = row[n & 3];\n    if (p.a > 3) sum += p.b;\n    while (sum < n) sum++;\n    return sum + x;\n}\n";
    let file = written("filled.c", text);
    let out = file.with_extension("out");
    let (file, out) = (file.to_str().unwrap(), out.to_str().unwrap());
    let mut text = shown(&["verify", file, "--checks", "uninit", "--out", out], &["VERDICT"]);
    text += &shown(&["discharge", out], &["DISCHARGED", "OPEN"]);
    expect![[r#"
        VERDICT: TRUE
        DISCHARGED: all 12 obligations, with their proofs checked
    "#]]
    .assert_eq(&text);
}

#[test]
fn other_properties_do_not_depend_on_checks() {
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void) {\n    int x = __VERIFIER_nondet_int();\n    if (x + 1 < x)\n        reach_error();\n    return 0;\n}\n";
    let file = written("wraps.c", text);
    let property = written("unreach.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let (file, property) = (file.to_str().unwrap(), property.to_str().unwrap());
    let alone = shown(&["verify", file, "--property", property], &["PROPERTY", "VERDICT"]);
    expect![[r#"
        VERDICT: FALSE
    "#]]
    .assert_eq(&alone);
    let beside = shown(
        &["verify", file, "--property", property, "--checks", "overflow"],
        &["PROPERTY", "VERDICT"],
    );
    expect![[r#"
        PROPERTY unreach: FALSE
        PROPERTY overflow/wraps.c:4:11: FALSE
        PROPERTY overflow: FALSE
        VERDICT: FALSE
    "#]]
    .assert_eq(&beside);
}

#[test]
fn a_property_that_cannot_be_checked_leaves_the_others_their_answers() {
    written("ends.prp", "CHECK( init(main()), LTL(F end) )\n");
    written("safe.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    written("both.c", "int main(void) { int x = 1; return x + 1; }\n");
    let task = "format_version: '2.0'\ninput_files: 'both.c'\nproperties:\n  - property_file: ends.prp\n    expected_verdict: true\n  - property_file: safe.prp\n    expected_verdict: true\n";
    let task = written("both.yml", task);
    expect![[r#"
        PROPERTY ends: UNKNOWN (unsupported) FOLDER/ends.prp:1:26: liveness properties (`F`, termination) are not supported; supported are `G ! call(f())`, `G ! label(L)`, `G ! overflow`, `G valid-deref`, `G valid-free`, `G valid-memtrack` and `G valid-memcleanup`
        PROPERTY safe: TRUE
        VERDICT: UNKNOWN (unsupported) FOLDER/ends.prp:1:26: liveness properties (`F`, termination) are not supported; supported are `G ! call(f())`, `G ! label(L)`, `G ! overflow`, `G valid-deref`, `G valid-free`, `G valid-memtrack` and `G valid-memcleanup`
    "#]].assert_eq(&shown(&["verify", task.to_str().unwrap()], &["PROPERTY", "VERDICT"]));
}

/// `x + 1` wherever an expression may stand.
const EVERYWHERE: &str = r#"extern int __VERIFIER_nondet_int(void);
extern int printf(const char *, ...);
extern int abs(int);
extern unsigned long strlen(const char *);
extern void *malloc(unsigned long);
extern int unknown(int);
int given(int v) { return 0; }
struct pair { int a, b; };
int cells[8];
int main(int argc, char **argv) {
    int x = __VERIFIER_nondet_int(), y = 0, *p = cells;
    struct pair s;
    switch (__VERIFIER_nondet_int()) {
    case 1: x + 1; break;
    case 2: (void)(x + 1); break;
    case 3: (x + 1, y); break;
    case 4: !(x + 1); break;
    case 5: y && x + 1; break;
    case 6: !y && x + 1; break;
    case 7: x + 1 ? y : 1; break;
    case 8: if (x + 1) y = 1; break;
    case 9: while (x + 1 < 0) break; break;
    case 10: for (; x + 1 < 0;) break; break;
    case 11: abs(x + 1); break;
    case 12: printf("%d", x + 1); break;
    case 13: given(x + 1); break;
    case 14: unknown(x + 1); break;
    case 15: { int list[2] = {x + 1, 0}; y = list[0]; } break;
    case 16: s = (struct pair){x + 1, 2}; break;
    case 17: y = ({ x + 1; }); break;
    case 18: cells[(x + 1) & 7] = 1; break;
    case 19: p = p + ((x + 1) & 7); break;
    case 20: y = (long)(x + 1) > 3; break;
    case 21: p = &cells[(x + 1) & 7]; break;
    case 22: { int list[((x + 1) & 7) + 1]; list[0] = 1; y = list[0]; } break;
    case 23: switch (x + 1) { case 3: y = 1; } break;
    case 24: return x + 1;
    case 25: p = malloc(x + 1); break;
    case 26: y = y ? : x + 1; break;
    case 27: y = sizeof(x + 1); break;
    case 28: y = (x + 1) * 0; break;
    case 29: y = (x + 1) - (x + 1); break;
    case 30: { static int z; z = x + 1; } break;
    case 31: y = !!(x + 1); break;
    case 32: y = __builtin_expect(x + 1, 0); break;
    case 33: y |= x + 1; break;
    case 34: *p++ = x + 1; break;
    case 35: s.a = s.b = x + 1; break;
    case 36: { float f = x + 1; y = f > 1; } break;
    case 37: y = (x + 1) == (x + 1); break;
    case 38: y = 0 ? x + 1 : 2; break;
    case 39: y = 1 || x + 1; break;
    case 40: y = (_Bool)(x + 1); break;
    case 41: __builtin_prefetch(p + ((x + 1) & 3)); break;
    case 42: (void)p[(x + 1) & 7]; break;
    case 43: y = __builtin_constant_p(x + 1); break;
    case 44: do y = 2; while (x + 1 < -5 && 0); break;
    case 45: strlen(&"abc"[(x + 1) & 1]); break;
    case 46: { int z = x; z++; z--; ++z; } break;
    case 47: __builtin_popcount(x + 1); break;
    case 48: __atomic_store_n(&y, x + 1, 0); break;
    case 49: __builtin_add_overflow(x + 1, 1, &y); break;
    case 50: goto *(((x + 1) & 1) ? &&there : &&there); there: break;
    }
    return y;
}
"#;

/// The cases that do not evaluate it: behind `&&` with a false left side, under `sizeof`, in the branch that is not taken, and for a builtin that asks the compiler.
const NOT_EVALUATED: [&str; 5] = ["case 5:", "case 27:", "case 38:", "case 39:", "case 43:"];

#[test]
fn an_operation_is_checked_wherever_it_is_evaluated() {
    let file = written("everywhere.c", EVERYWHERE);
    let answers = answers(&file);
    for (line, text) in (1..).zip(EVERYWHERE.lines()) {
        let Some(case) = text.trim_start().strip_prefix("case ").map(|_| text.trim_start()) else {
            continue;
        };
        let violated = answers.contains(&(CheckKind::Overflow, line, Answer::False));
        let expected = !NOT_EVALUATED.iter().any(|other| case.starts_with(other));
        assert_eq!(violated, expected, "{case}");
    }
}

#[test]
fn harnesses_of_copies_and_of_several_files_see_checks() {
    let copied = written(
        "copied.c",
        "extern int __VERIFIER_nondet_int(void);\nint main(void) {\n    int x;\n    int list[2];\n    if (__VERIFIER_nondet_int())\n        return x + 1;\n    return list[1] - 1;\n}\n",
    );
    let other = written("other.c", "int next(int x)\n{\n    return x + 1;\n}\n");
    let caller = written(
        "caller.c",
        "extern int __VERIFIER_nondet_int(void);\nextern int next(int); int last(int x) {\n    return x + 1; }\nint main(void) { int x = __VERIFIER_nondet_int(); return x < 0 ? last(x) : next(x); }\n",
    );
    let [copied, other, caller] = [&copied, &other, &caller].map(|file| file.to_str().unwrap());
    if gcc_is_there() {
        let words = ["PROPERTY", "HARNESS"];
        let alone = shown(&["verify", copied, "--checks", "overflow", "--check"], &words);
        let both = shown(&["verify", caller, other, "--checks", "overflow", "--check"], &words);
        expect![[r#"
            HARNESS overflow-copied.c-6-18: reaches the violation
            HARNESS overflow-copied.c-7-20: reaches the violation
            PROPERTY overflow/copied.c:6:18: FALSE
            PROPERTY overflow/copied.c:7:20: FALSE
        "#]]
        .assert_eq(&alone);
        expect![[r#"
            HARNESS overflow-other.c-3-14: reaches the violation
            PROPERTY overflow/caller.c:3:14: TRUE
            PROPERTY overflow/other.c:3:14: FALSE
        "#]]
        .assert_eq(&both);
    }
}

/// A driver with two callbacks, one of which sets the pointer that the other one follows.
fn callbacks(start: &str) -> String {
    format!(
        "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct controller {{ int lock, port; }};
struct controller *the_controller, device;
int held;
void start(int key) {{
    if (key == 77) {{ device.port = key; {start} }}
}}
void enqueue(void) {{
    if (the_controller->port > 3) held++;
}}
int main(void) {{
    while (__VERIFIER_nondet_int()) {{
        if (__VERIFIER_nondet_int()) start(__VERIFIER_nondet_int());
        else enqueue();
    }}
    if (held > 0) reach_error();
    return 0;
}}
"
    )
}

#[test]
fn behind_a_violation_through_the_null_pointer_a_defined_one_is_found() {
    let (defined, never) = (callbacks("the_controller = &device;"), callbacks(""));
    let folder = Folder::new("defined", &[("defined.c", &defined), ("never.c", &never)]);
    for refine in ["multi", "single"] {
        let verdict = |file| folder.verdict(&["verify", file, "--refine", refine, "--set", "explicit=off"]);
        assert_eq!(verdict("defined.c"), "VERDICT: FALSE", "{refine}");
        // A search without a violation proves nothing.
        let undefined = "VERDICT: UNKNOWN (replay-undefined) a feasible path could not be replayed: the null pointer is dereferenced";
        let verdict = verdict("never.c");
        assert!(verdict.starts_with(undefined), "{refine}: {verdict}");
    }
}

#[test]
fn a_path_on_which_a_number_of_an_error_is_an_address_gives_way_to_one_with_an_object() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/error_number_false.c");
    let text = shown(
        &["verify", program.to_str().unwrap(), "--set", "explicit=off"],
        &["VERDICT", "  input"],
    );
    let inputs = ["prepare", "add", "label_of", "attach", "start"];
    for name in inputs {
        assert!(text.contains(&format!(": {name}() = 0 at")), "{text}");
    }
    assert!(text.contains("VERDICT: FALSE"), "{text}");
}
