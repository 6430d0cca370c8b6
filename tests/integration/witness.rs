//! Witnesses: ours are confirmed, others' are confirmed, refuted or left open as they deserve.

use crate::command;
use provident::cfa::LowerOptions;
use provident::engine::Options;
use provident::evidence::validate::Subject;
use provident::evidence::validate::sample::violated;
use provident::evidence::witness::format::{Element, Invariant, Location};
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::spec::Forbidden;
use std::fs;
use std::path::{Path, PathBuf};

fn provident(arguments: &[&str]) -> (String, Option<i32>) {
    let output = command::provident(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap();
    (text, output.status.code())
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-witness-{}-{name}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Programs for which the refinement loop alone takes minutes.
const NOT_BY_REFINEMENT: [&str; 2] = ["disputed_char_counter_false.c", "recursion_frames_true.c"];

/// The properties that the head of a program states: formula and verdict.
fn stated(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//# ")) {
        if let Some((kind @ ("call" | "label"), rest)) = line.split_once(' ') {
            let (subject, verdict) = rest.split_once(": ").unwrap();
            let formula = if kind == "call" {
                format!("call({subject}())")
            } else {
                format!("label({subject})")
            };
            found.push((
                format!("CHECK( init(main()), LTL(G ! {formula}) )"),
                verdict.to_string(),
            ));
        }
    }
    found
}

#[test]
fn our_witnesses_are_confirmed() {
    let scratch = folder("ours");
    let mut problems = Vec::new();
    let mut programs: Vec<PathBuf> = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    programs.sort();
    assert!(programs.len() > 20);
    for program in programs {
        let text = fs::read_to_string(&program).unwrap();
        let model = if text.contains("//# data-model ILP32") {
            "ILP32"
        } else {
            "LP64"
        };
        for (formula, expected) in stated(&text) {
            let property = scratch.join("p.prp");
            fs::write(&property, formula).unwrap();
            let (program, property) = (program.to_str().unwrap(), property.to_str().unwrap());
            let minutes = NOT_BY_REFINEMENT.iter().any(|name| program.ends_with(name));
            for explicit in ["explicit=on", "explicit=off"]
                .into_iter()
                .take(if minutes { 1 } else { 2 })
            {
                let out = scratch.join("out");
                let out = out.to_str().unwrap();
                let (verdict, _) = provident(&[
                    "verify",
                    program,
                    "--property",
                    property,
                    "--data-model",
                    model,
                    "--out",
                    out,
                    "--set",
                    explicit,
                ]);
                assert!(
                    verdict.contains(&format!("VERDICT: {expected}")),
                    "{program}: {verdict}"
                );
                if verdict.contains("is left out") {
                    problems.push(format!("{program} ({explicit}): {verdict}"));
                }
                let (answer, status) = provident(&[
                    "check",
                    program,
                    &format!("{out}/witness-p.yml"),
                    "--property",
                    property,
                ]);
                if answer != "WITNESS: CONFIRMED\n" || status != Some(0) {
                    problems.push(format!("{program} ({explicit}): {answer}"));
                }
            }
        }
    }
    fs::remove_dir_all(scratch).unwrap();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The invariants of which an execution of the program has a state where they are zero. They stand at the loop in the given line.
fn wrong_invariants(text: &str, line: u32, values: &[&str]) -> Vec<usize> {
    let element = |value: &&str| Element {
        segment: None,
        invariant: Some(Invariant {
            kind: "loop_invariant".to_string(),
            location: Location {
                file_name: "program.c".to_string(),
                line,
                column: None,
                function: Some("main".to_string()),
            },
            value: value.to_string(),
            format: "c_expression".to_string(),
        }),
    };
    let subject = Subject {
        source: Source::new("program.c", text),
        data_model: DataModel::Lp64,
        lower: LowerOptions::default(),
        forbidden: Forbidden::Call("reach_error".to_string()),
        options: Options::default(),
    };
    let content: Vec<Element> = values.iter().map(element).collect();
    violated(&subject, &content).unwrap().into_iter().collect()
}

/// The three shapes are those of translations that were wrong once.
#[test]
fn wrong_invariants_fail_on_states_of_executions() {
    let odd = "extern _Bool __VERIFIER_nondet_bool(void);\nint main(void) {\n  unsigned x = 1;\n  while (__VERIFIER_nondet_bool()) x += 2;\n  return 0;\n}\n";
    let values = [
        "(long long) x == 2LL * (((long long) x) / 2LL) + 1",
        "(long long) x == 2LL * ((long long) x) / 2LL + 1",
        "x != 3",
        "x > 0",
    ];
    assert_eq!(wrong_invariants(odd, 4, &values), [1, 2]);
    let byte = "int x = 258;\nint main(void) {\n  unsigned char *p = (unsigned char *) &x;\n  for (int i = 0; i < 3; i++) *p = 6;\n  return 0;\n}\n";
    assert_eq!(
        wrong_invariants(byte, 4, &["x == 6 || x == 2", "x == 262 || x == 258", "i <= 3"]),
        [0]
    );
    let view =
        "int x = -2;\nint main(void) {\n  for (int i = 0; i < 3; i++) *(unsigned *) &x = -5 - i;\n  return 0;\n}\n";
    assert_eq!(
        wrong_invariants(view, 3, &["0", "(unsigned int) x > 4294967280LL", "x < 0"]),
        [0]
    );
}

/// Line and column are counted by hand in the tests below.
const VIOLATED: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int a) { return 2 * a; }
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = twice(x);
  int i = 0;
  while (i < x) {
    i++;
  }
  if (y == 6 && i == 3)
    reach_error();
  if (x == 5)
    reach_error();
  return 0;
}
";

/// A witness of more inputs than anybody reads names the end only, and is confirmed; one of fewer says them.
#[test]
fn very_many_inputs_are_not_said() {
    let scratch = folder("many");
    let property = scratch.join("reach.prp");
    fs::write(&property, "CHECK( init(main()), LTL(G ! call(reach_error())) )\n").unwrap();
    let property = property.to_str().unwrap();
    for (rounds, segments) in [(1_000, 1_001), (20_001, 1)] {
        let program = scratch.join(format!("rounds{rounds}.c"));
        let text = format!(
            "extern int __VERIFIER_nondet_int(void);
             void reach_error(void) {{}}
             int main(void) {{
                 int i;
                 for (i = 0; i < {rounds}; i++)
                     if (__VERIFIER_nondet_int() == 7) return 0;
                 reach_error();
                 return 0; }}"
        );
        fs::write(&program, text).unwrap();
        let (program, out) = (program.to_str().unwrap(), scratch.join(format!("out{rounds}")));
        let (said, status) = provident(&[
            "verify",
            program,
            "--property",
            property,
            "--out",
            out.to_str().unwrap(),
        ]);
        assert_eq!(status, Some(1), "{said}");
        let mut files = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().path());
        let is_witness = |path: &PathBuf| path.extension().is_some_and(|end| end == "yml");
        let witness = files.find(is_witness).unwrap_or_else(|| panic!("no witness\n{said}"));
        let text = fs::read_to_string(&witness).unwrap();
        assert_eq!(text.matches("- segment:").count(), segments, "{rounds} rounds");
        let (said, status) = provident(&["check", program, witness.to_str().unwrap(), "--property", property]);
        assert!(said.contains("WITNESS: CONFIRMED"), "{rounds} rounds: {said}");
        assert_eq!(status, Some(0), "{said}");
    }
    fs::remove_dir_all(&scratch).unwrap();
}

fn waypoint(kind: &str, action: &str, constraint: &str, line: u32, column: u32) -> String {
    let constraint = match constraint {
        "" => String::new(),
        value => format!("constraint: {{ value: '{value}', format: c_expression }}, "),
    };
    format!(
        "    - waypoint: {{ type: {kind}, action: {action}, {constraint}location: {{ file_name: a.c, line: {line}, column: {column} }} }}\n"
    )
}

fn violation(segments: &[&[String]]) -> String {
    let mut text = head("violation_sequence");
    for segment in segments {
        text += "  - segment:\n";
        text += &segment.concat();
    }
    text
}

fn head(kind: &str) -> String {
    format!(
        "- entry_type: {kind}
  metadata:
    format_version: '2.1'
    task:
      data_model: ILP32
      specification: CHECK( init(main()), LTL(G ! call(reach_error())) )
  content:
"
    )
}

/// The answer to a witness for a program.
fn answer(name: &str, program: &str, witness: &str) -> String {
    let scratch = folder(name);
    let (file, yml) = (scratch.join("a.c"), scratch.join("w.yml"));
    fs::write(&file, program).unwrap();
    fs::write(&yml, witness).unwrap();
    let (text, status) = provident(&[
        "check",
        file.to_str().unwrap(),
        yml.to_str().unwrap(),
        "--ticks",
        "3000000",
        "--set",
        "explicit.steps=100000",
    ]);
    fs::remove_dir_all(scratch).unwrap();
    let expected = match text.split([' ', '\n']).nth(1) {
        Some("CONFIRMED") => 0,
        Some("REFUTED") => 1,
        Some("UNKNOWN") => 2,
        _ => 3,
    };
    assert_eq!(status, Some(expected), "{text}");
    text.trim_end().trim_start_matches("WITNESS: ").to_string()
}

#[test]
fn violation_witnesses_are_followed() {
    let first = || waypoint("target", "follow", "", 12, 5);
    let second = || waypoint("target", "follow", "", 14, 5);
    let cases: &[(&str, Vec<Vec<String>>, &str)] = &[
        ("target only", vec![vec![first()]], "CONFIRMED"),
        (
            "values",
            vec![
                vec![waypoint("function_return", "follow", "\\result == 3", 5, 33)],
                vec![first()],
            ],
            "CONFIRMED",
        ),
        (
            "a value that leads elsewhere",
            vec![
                vec![waypoint("function_return", "follow", "\\result == 4", 5, 33)],
                vec![first()],
            ],
            "REFUTED (no execution fits the witness)",
        ),
        (
            "the other violation",
            vec![
                vec![waypoint("function_return", "follow", "\\result == 5", 5, 33)],
                vec![second()],
            ],
            "CONFIRMED",
        ),
        (
            "the wrong one of two violations",
            vec![
                vec![waypoint("function_return", "follow", "\\result == 5", 5, 33)],
                vec![first()],
            ],
            "REFUTED (no execution fits the witness)",
        ),
        (
            "assumptions in a loop",
            vec![
                vec![waypoint("assumption", "follow", "i == 2", 9, 5)],
                vec![waypoint("assumption", "follow", "i == 3 && y == 6", 11, 3)],
                vec![first()],
            ],
            "CONFIRMED",
        ),
        (
            "the order of segments matters",
            vec![
                vec![waypoint("assumption", "follow", "i == 2", 9, 5)],
                vec![waypoint("assumption", "follow", "i == 1", 9, 5)],
                vec![first()],
            ],
            "REFUTED (no execution fits the witness)",
        ),
        (
            "calls and branches",
            vec![
                vec![waypoint("function_enter", "follow", "", 6, 18)],
                vec![waypoint("function_return", "follow", "\\result == 6", 6, 18)],
                vec![waypoint("branching", "follow", "true", 8, 3)],
                vec![waypoint("branching", "follow", "false", 8, 3)],
                vec![waypoint("branching", "follow", "true", 11, 3)],
                vec![first()],
            ],
            "CONFIRMED",
        ),
        (
            "a branch that the violation does not take",
            vec![vec![waypoint("branching", "follow", "false", 11, 3)], vec![first()]],
            "REFUTED (no execution fits the witness)",
        ),
        (
            "an avoided branch",
            vec![vec![waypoint("branching", "avoid", "true", 8, 3), first()]],
            "REFUTED (no execution fits the witness)",
        ),
        (
            "an avoided assumption that is never met",
            vec![vec![waypoint("assumption", "avoid", "i == 9", 9, 5), first()]],
            "CONFIRMED",
        ),
    ];
    for (name, segments, expected) in cases {
        let segments: Vec<&[String]> = segments.iter().map(Vec::as_slice).collect();
        assert_eq!(answer("followed", VIOLATED, &violation(&segments)), *expected, "{name}");
    }
}

#[test]
fn what_is_not_understood_is_unknown_and_what_is_malformed_is_said() {
    let target = waypoint("target", "follow", "", 12, 5);
    for (segments, expected) in [
        (
            vec![
                vec![waypoint("assumption", "follow", "i = 3", 9, 5)],
                vec![target.clone()],
            ],
            "has a side effect",
        ),
        (
            vec![
                vec![waypoint("assumption", "follow", "nowhere == 3", 9, 5)],
                vec![target.clone()],
            ],
            "constraint is not understood",
        ),
        (
            vec![vec![waypoint("teleport", "follow", "", 9, 5)], vec![target.clone()]],
            "`teleport` is not interpreted",
        ),
        (
            vec![vec![waypoint("assumption", "follow", "1", 99, 5)], vec![target.clone()]],
            "nothing there fits",
        ),
    ] {
        let segments: Vec<&[String]> = segments.iter().map(Vec::as_slice).collect();
        let answer = answer("open", VIOLATED, &violation(&segments));
        assert!(answer.starts_with("UNKNOWN") && answer.contains(expected), "{answer}");
    }
    let one = std::slice::from_ref(&target);
    let twice = violation(&[one, one]);
    assert!(answer("malformed", VIOLATED, &twice).contains("not well-formed"));
    let scratch = folder("unreadable");
    let file = scratch.join("a.c");
    fs::write(&file, VIOLATED).unwrap();
    let yml = scratch.join("w.yml");
    fs::write(&yml, "- entry_type: [").unwrap();
    let (text, status) = provident(&["check", file.to_str().unwrap(), yml.to_str().unwrap()]);
    assert!(status == Some(3) && text.contains("w.yml"), "{text}");
    let hash = violation(&[&[target]]).replace("data_model", "input_file_hashes: { a.c: 'abc' }\n      data_model");
    assert!(answer("hash", VIOLATED, &hash).contains("another version"));
    fs::remove_dir_all(scratch).unwrap();
}

const CORRECT: &str = "extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0;
  unsigned long long sum = 0;
  while (i < n) {
    i++;
    sum += 2;
  }
  do {
    n++;
  } while (n < 3);
  for (int k = 0; k < 3; k++)
    n = 4;
  if (i > 0 && sum == 0)
    reach_error();
  return 0;
}
";

/// The type of an invariant, its line and column, its text.
type Placed<'t> = (&'t str, u32, u32, &'t str);

fn invariants(list: &[Placed<'_>]) -> String {
    let mut text = head("invariant_set");
    for (kind, line, column, value) in list {
        text += &format!(
            "  - invariant: {{ type: {kind}, location: {{ file_name: a.c, line: {line}, column: {column} }}, value: '{value}', format: c_expression }}\n"
        );
    }
    text
}

#[test]
fn invariants_are_checked() {
    let good = ("loop_invariant", 7, 3, "sum == 2ULL * i && i <= n");
    let loops = "loop_invariant";
    let cases: &[(&[Placed<'_>], &str)] = &[
        (&[good], "CONFIRMED"),
        (&[good, (loops, 14, 3, "k >= 0 && k <= 3")], "CONFIRMED"),
        (&[good, ("location_invariant", 16, 3, "n == 4")], "CONFIRMED"),
        (
            &[(loops, 7, 3, "sum == i")],
            "REFUTED (an execution violates the invariant `sum == i` in line 7)",
        ),
        (
            &[(loops, 11, 3, "n < 3")],
            "REFUTED (an execution violates the invariant `n < 3` in line 11)",
        ),
        (
            &[good, (loops, 14, 3, "k < 3")],
            "REFUTED (an execution violates the invariant `k < 3` in line 14)",
        ),
        (
            &[good, ("location_invariant", 8, 5, "i > 0")],
            "REFUTED (an execution violates the invariant `i > 0` in line 8)",
        ),
    ];
    for (list, expected) in cases {
        assert_eq!(answer("invariants", CORRECT, &invariants(list)), *expected, "{list:?}");
    }
    let wrong = CORRECT.replace("sum == 0", "sum == 8");
    assert_eq!(
        answer("violated", &wrong, &invariants(&[good])),
        "REFUTED (an execution violates the property)"
    );
    let open = answer("ghost", CORRECT, &invariants(&[(loops, 7, 3, "f(i)")]));
    assert!(open.starts_with("UNKNOWN") && open.contains("`f` is called"), "{open}");
}
