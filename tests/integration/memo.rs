//! Block-abstraction memoization in the engine: the verdicts of programs with functions, with summaries alone to decide them where that is possible, and statistics that do not depend on threads.

use crate::cases::{CASES, Case, program, run, text};
use provident::engine::{Bam, Counter, Explicit, Options, Outcome, PRESETS, Refinement};

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
    for case in CASES.iter().chain(SUMMARISED) {
        let program = program(case.name, case.text);
        let is_own = SUMMARISED.iter().any(|other| other.name == case.name);
        // Programs without recursion take the same way under every preset of provident refinement.
        let presets = PRESETS.iter().map(|(preset, _)| *preset);
        for preset in presets.filter(|preset| is_own || matches!(*preset, "single" | "multi")) {
            let refine = Refinement::preset(preset).expect("presets have meanings");
            for bam in [Bam::Recursion, Bam::Functions] {
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

/// Verdicts, statistics and precision.
#[test]
fn threads_do_not_matter_for_summaries() {
    for case in CASES.iter().chain(SUMMARISED) {
        let program = program(case.name, case.text);
        let with = |threads| text(&run(&program, &options(case, Bam::Functions, Refinement::default(), threads)).1);
        assert_eq!(with(1), with(8), "{}", case.name);
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
