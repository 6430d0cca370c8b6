//! Block-abstraction memoization in the engine: the verdicts of programs with functions, with summaries alone to decide them where that is possible, and statistics that do not depend on threads.

use crate::cases::{CASES, Case, program, run, text};
use crate::command::provident;
use provident::engine::{Bam, Counter, Explicit, Options, Outcome, PRESETS, Refinement};
use std::fmt::Write;

/// Programs that summaries decide, in addition to [`CASES`].
const SUMMARISED: &[Case] = &[
    Case {
        name: "identity without bound",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int id(int x) { if (x == 0) return 0; return id(x - 1) + 1; }
               int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
               int r = id(n);
               if (r != n) { A: return 1; }
               if (r == 2) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "mutual recursion without bound",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int odd(int n);
               int even(int n) { if (n == 0) return 1; return odd(n - 1); }
               int odd(int n) { if (n == 0) return 0; return even(n - 1); }
               int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0;
               int r = even(n);
               if (r < 0 || r > 1) { A: return 1; }
               if (r == 0) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "recursions in recursions",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int held, bad, deep;
               void g(void); void h(void);
               void f(void) { if (held) bad = 1; if (__VERIFIER_nondet_int()) g(); if (__VERIFIER_nondet_int()) h(); }
               void g(void) { if (__VERIFIER_nondet_int()) f(); held = 1; if (__VERIFIER_nondet_int() && !held) h(); held = 0; }
               void h(void) { if (deep == 1) deep = 2; else deep = 1; if (__VERIFIER_nondet_int()) g(); if (__VERIFIER_nondet_int()) h(); if (held) bad = 1; }
               int main(void) { f();
               if (bad || held || deep > 2) { A: return 1; }
               if (deep == 2) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "a global variable in a recursion",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int locked, bad;
               void nest(int n) { if (locked) bad = 1; locked = 1; locked = 0; if (n > 0 && n < 9) nest(n - 1); }
               int main(void) { int k = __VERIFIER_nondet_int(); int before = k;
               nest(k); nest(k + 1); nest(3);
               if (bad || locked || before != k) { A: return 1; }
               if (k == 4) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "the caller's frame is another one",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int f(int n) { int mine = n; if (n <= 0) return 7; int r = f(n - 1);
                              if (mine != n) return 0; n = 5; return r; }
               int main(void) { int n = __VERIFIER_nondet_int();
               int r = f(n);
               if (r != 7) { A: return 1; }
               if (n == 3) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "a violation inside of a call",
        expected: ["FALSE", "TRUE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int depth;
               void check(int n) { if (n == 77) { A: return; } if (n > 1000) { B: return; } }
               void pass(int n) { depth = depth + 1; check(n); check(n - 1); depth = depth - 1; }
               int main(void) { int n = __VERIFIER_nondet_int(); if (n > 900 || n < 0) return 0;
               pass(n); pass(n); pass(n - 5);
               return 0; }",
    },
];

/// Programs in which loops are blocks: they stand in each other, and are left in every way.
const LOOPED: &[Case] = &[
    Case {
        name: "a lock around an inner loop",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int main(void) { int n = __VERIFIER_nondet_int(); int locked = 0, count = 0;
               for (int i = 0; i < n; i++) { if (locked) { A: return 1; } locked = 1;
                 for (int j = 0; j < i; j++) { if (!locked) { A2: return 1; } if (count < 5) count++; }
                 locked = 0; }
               if (locked) { A3: return 1; }
               if (count == 3) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "break, continue and goto into the loop around",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int main(void) { int state = 0, way = 0;
               while (__VERIFIER_nondet_int()) {
                 state = 1; way = 0;
                 while (__VERIFIER_nondet_int()) {
                   if (__VERIFIER_nondet_int()) { way = 1; break; }
                   if (__VERIFIER_nondet_int()) { way = 2; goto next; }
                   if (__VERIFIER_nondet_int()) continue;
                   if (__VERIFIER_nondet_int()) { way = 3; goto out; } }
                 if (way == 2) { A: return 1; }
                 state = 2;
                 next: if (state == 1 && way != 2) { A2: return 1; }
                 state = 0; }
               out: if (state == 2) { A3: return 1; }
               if (state == 1 && way == 3) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "a loop that returns, in a loop that calls it",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int seen;
               int find(int limit) { int at = 0; while (at < limit) { if (__VERIFIER_nondet_int()) return at; at++; seen = 1; } return -1; }
               int main(void) { int mine = 4;
               while (__VERIFIER_nondet_int()) { int r = find(10); if (r > 9 || r < -1) { A: return 1; }
                 while (r > 0) { r--; int s = find(3); if (s >= 3 || mine != 4) { A2: return 1; } } }
               if (seen == 1) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "a recursion in a loop and a loop in a recursion",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int deep;
               int down(int n) { int own = n; if (n <= 0) return 0;
                 while (__VERIFIER_nondet_int()) { int r = down(n - 1); if (own != n || r != 0) return 1; deep = 1; }
                 return 0; }
               int main(void) { while (__VERIFIER_nondet_int()) { int r = down(__VERIFIER_nondet_int()); if (r) { A: return 1; } }
               if (deep) { B: return 2; }
               return 0; }",
    },
    Case {
        name: "a cycle with two entries around a loop",
        expected: ["TRUE", "FALSE"],
        text: "extern int __VERIFIER_nondet_int(void);
               int main(void) { int x = 0, y = 1; if (__VERIFIER_nondet_int()) goto middle;
               top: x = 1; while (__VERIFIER_nondet_int()) { if (y != 1) { A: return 1; } }
               middle: if (x > 1) { A2: return 1; } if (__VERIFIER_nondet_int()) goto top;
               if (x == 1) { B: return 2; }
               return 0; }",
    },
];

fn options(case: &Case, bam: Bam, refine: Refinement, threads: usize) -> Options {
    // The confirmation of these runs believes every path, also one with ideal integers that the machine does not take.
    let is_exact = CASES.iter().any(|other| other.name == case.name);
    Options {
        ideal_ticks: if is_exact { 0 } else { Options::default().ideal_ticks },
        bam,
        refine,
        threads,
        // The refinement loops are what is tested here.
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        ..Options::default()
    }
}

fn verdicts(outcome: &Outcome) -> Vec<String> {
    let word = |verdict: &provident::engine::Verdict| verdict.text().split(' ').next().unwrap_or_default().to_string();
    outcome.verdicts.iter().map(|(_, verdict)| word(verdict)).collect()
}

#[test]
fn summaries_agree_with_what_is_expected() {
    for case in CASES.iter().chain(SUMMARISED).chain(LOOPED) {
        let program = program(case.name, case.text);
        let is_own = SUMMARISED.iter().chain(LOOPED).any(|other| other.name == case.name);
        // Programs without recursion take the same way under every preset of provident refinement.
        let presets = PRESETS.iter().map(|(preset, _)| *preset);
        for preset in presets.filter(|preset| is_own || matches!(*preset, "single" | "multi")) {
            let refine = Refinement::preset(preset).expect("presets have meanings");
            // Those with functions only, and all together: loops alone stand in tests of their own.
            for bam in [Bam::Recursion, Bam::Functions, Bam::On] {
                let (_, outcome) = run(&program, &options(case, bam, refine, 1));
                assert_eq!(verdicts(&outcome), case.expected, "{}: {preset}, {bam:?}", case.name);
            }
        }
    }
}

/// The loop that follows every call did not run, so it was summaries that decided.
#[test]
fn a_recursion_without_bound_is_proved_by_summaries() {
    for case in SUMMARISED.iter().filter(|case| case.expected[0] == "TRUE") {
        let program = program(case.name, case.text);
        let (_, outcome) = run(&program, &options(case, Bam::Functions, Refinement::default(), 1));
        assert_eq!(outcome.statistics.get(Counter::Iterations), 0, "{}", case.name);
        assert!(outcome.statistics.get(Counter::SummaryIterations) > 0, "{}", case.name);
    }
}

/// Each function may call each other one: a function is not explored anew on each way through the others.
#[test]
fn recursions_in_each_other_are_explored_a_few_times() {
    const FUNCTIONS: usize = 7;
    let mut text = "extern int __VERIFIER_nondet_int(void); int held, bad;\n".to_string();
    for function in 0..FUNCTIONS {
        let _ = writeln!(text, "void f{function}(void);");
    }
    for function in 0..FUNCTIONS {
        let _ = write!(
            text,
            "void f{function}(void) {{ if (held) bad = 1; held = 1; held = 0; switch (__VERIFIER_nondet_int()) {{"
        );
        for other in (0..FUNCTIONS).filter(|&other| other != function) {
            let _ = write!(text, " case {other}: f{other}(); break;");
        }
        text.push_str(" } if (held) bad = 1; }\n");
    }
    text.push_str("int main(void) { f0(); if (bad) { A: return 1; } if (!held) { B: return 2; } return 0; }");
    let program = program("recursions in each other", &text);
    let options = options(&SUMMARISED[0], Bam::Recursion, Refinement::default(), 1);
    let (_, outcome) = run(&program, &options);
    assert_eq!(verdicts(&outcome), ["TRUE", "FALSE"]);
    let states = outcome.statistics.get(Counter::SummaryStates);
    assert!(states < 20_000, "{states} states");
}

/// The loop without blocks did not run, and a loop was found again.
#[test]
fn loops_are_proved_by_summaries() {
    let mut hits = 0;
    for case in LOOPED {
        let program = program(case.name, case.text);
        let (_, outcome) = run(&program, &options(case, Bam::Loops, Refinement::default(), 1));
        assert_eq!(verdicts(&outcome), case.expected, "{}", case.name);
        assert_eq!(outcome.statistics.get(Counter::Iterations), 0, "{}", case.name);
        assert!(outcome.statistics.get(Counter::SummaryStates) > 0, "{}", case.name);
        hits += outcome.statistics.get(Counter::SummaryHits);
    }
    assert!(hits > 0);
}

/// Under `--check` every abstraction, merge and interpolant is asked about again.
#[test]
fn summaries_of_loops_pass_all_checks() {
    for case in LOOPED {
        let program = program(case.name, case.text);
        let options = Options {
            check: true,
            ..options(case, Bam::On, Refinement::default(), 1)
        };
        let (_, outcome) = run(&program, &options);
        assert_eq!(verdicts(&outcome), case.expected, "{}", case.name);
    }
}

/// Verdicts, statistics and precision.
#[test]
fn threads_do_not_matter_for_summaries() {
    for case in CASES.iter().chain(SUMMARISED).chain(LOOPED) {
        let program = program(case.name, case.text);
        for bam in [Bam::Functions, Bam::On] {
            let with = |threads| text(&run(&program, &options(case, bam, Refinement::default(), threads)).1);
            assert_eq!(with(1), with(8), "{}: {bam:?}", case.name);
        }
    }
}

/// Without the option nothing is counted that has to do with it.
#[test]
fn off_is_off() {
    for case in CASES {
        let program = program(case.name, case.text);
        let (_, outcome) = run(&program, &options(case, Bam::Off, Refinement::default(), 1));
        assert!(!text(&outcome).contains("summary"), "{}", case.name);
    }
}

/// A driver with so many callbacks that the stage for proofs, which follows each call, is cut short. The function that all of them call is the same in all of their states.
#[test]
fn a_stage_for_proofs_that_is_cut_short_is_tried_with_summaries() {
    let loops = "while (__VERIFIER_nondet_int()) if (held != 1) reach_error();\n".repeat(24);
    let mut text = format!(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\nextern void *malloc(unsigned long);\n\
         static int held, *level;\nstatic void use(void) {{ held = 1;\n{loops}held = 0; }}\nint main(void) {{\n\
         int which, open0 = 0, open1 = 0, open2 = 0, open3 = 0, open4 = 0, open5 = 0, open6 = 0;\nlevel = malloc(4);\nif (!level) return 0;\n\
         for (*level = __VERIFIER_nondet_int(); *level > 3; *level = __VERIFIER_nondet_int()) {{\n\
         which = __VERIFIER_nondet_int();\n"
    );
    for i in 0..7 {
        text += &format!(
            "if (which == {i}) {{ use(); if (open{i} && open{i} != 1) reach_error(); open{i} = !open{i}; }}\n"
        );
    }
    text += "}\nreturn 0;\n}\n";
    let file = std::env::temp_dir().join(format!("provident-memo-{}.c", std::process::id()));
    std::fs::write(&file, text).unwrap();
    let fixed = ["--ticks", "12000000", "--set", "explicit=off", "--verbose"];
    for (more, verdict) in [("bam=recursion", "TRUE"), ("bam=off", "UNKNOWN")] {
        let arguments = [&["verify", file.to_str().unwrap(), "--set", more], &fixed[..]].concat();
        let output = provident(&arguments).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        let last = said.lines().last().unwrap_or_default();
        assert!(last.starts_with(&format!("VERDICT: {verdict}")), "{more}: {said}");
        let stages = String::from_utf8_lossy(&output.stderr);
        assert_eq!(stages.contains("no-counters: summaries"), verdict == "TRUE", "{stages}");
    }
    std::fs::remove_file(&file).unwrap();
}
