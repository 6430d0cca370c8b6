//! Every ranker, selector and way to apply a refinement gives the expected verdicts, for any number of threads and any budget of ticks the same.

use crate::cases::{CASES, program, refining, run, text};
use provident::engine::{Counter, RankKind, Refinement, Restart, SelectKind, Selection};

const RANKERS: &[RankKind] = &[
    RankKind::Identity,
    RankKind::First,
    RankKind::ShallowFirst,
    RankKind::DeepFirst,
    RankKind::FewestBlocks,
    RankKind::PivotDistance,
    RankKind::RoundRobin,
    RankKind::Random(5),
];

fn selections() -> Vec<Selection> {
    let combined: [&[SelectKind]; 8] = [
        &[SelectKind::First],
        &[SelectKind::JoinAll],
        &[SelectKind::JoinAtMost(2)],
        &[SelectKind::DelayCounters],
        &[SelectKind::Smallest],
        &[SelectKind::Cover],
        &[SelectKind::DelayCounters, SelectKind::Cover],
        &[SelectKind::Smallest, SelectKind::First],
    ];
    let combined = combined.into_iter().map(Selection::new);
    combined.map(|selection| selection.expect("they are few")).collect()
}

/// By how much a limit on ticks is exceeded at most: the step of exploration and the conflict at hand.
const OVERSHOOT: u64 = 10_000;

fn check(refine: Refinement) {
    for case in CASES {
        let program = program(case.name, case.text);
        let (verdicts, outcome) = run(&program, &refining(refine));
        assert_eq!(verdicts, case.expected, "{}: {refine:?}\n{}", case.name, text(&outcome));
        assert!(
            outcome.statistics.get(Counter::RecognisedErrorPaths) <= outcome.statistics.get(Counter::Targets),
            "what is recognised is a target"
        );
    }
}

#[test]
fn rankers_and_ways_to_apply() {
    for &rank in RANKERS {
        for restart in [Restart::Root, Restart::Pivots] {
            check(Refinement {
                rank,
                restart,
                ..Refinement::default()
            });
        }
    }
}

#[test]
fn selectors_patience_and_joint_questions() {
    for select in selections() {
        for (patience, joint) in [(u64::MAX, 1), (0, 1), (3, 4)] {
            check(Refinement {
                select,
                patience,
                joint,
                ..Refinement::default()
            });
        }
    }
}

#[test]
fn threads_and_budgets_do_not_matter() {
    let base = Refinement::default();
    let refinements = [
        base,
        Refinement { joint: 4, ..base },
        Refinement {
            restart: Restart::Root,
            select: SelectKind::Cover.into(),
            rank: RankKind::Random(1),
            ..base
        },
    ];
    for case in CASES {
        let program = program(case.name, case.text);
        for refine in refinements {
            for ticks in [None, Some(3_000), Some(20_000)] {
                let with = |threads| {
                    let mut options = refining(refine);
                    options.threads = threads;
                    options.limits.ticks = ticks;
                    let outcome = run(&program, &options).1;
                    let spent = outcome.statistics.get(Counter::SolverTicks);
                    assert!(
                        ticks.is_none_or(|limit| spent < limit + OVERSHOOT),
                        "{}: {spent}",
                        case.name
                    );
                    text(&outcome)
                };
                let one = with(1);
                for threads in [1, 2, 4, 8] {
                    assert_eq!(one, with(threads), "{}: {refine:?}, {ticks:?}", case.name);
                }
            }
        }
    }
}

/// The local of a function that has returned: interpolants do not speak of it, as no state could.
#[test]
fn variables_of_ended_frames_stay_out_of_refinements() {
    let text = "extern int __VERIFIER_nondet_int(void);
        int level, noted, phase, moved, sent, seen;
        void watch(void) {
          int t;
          if (phase == 0) { phase = 1; return; }
          if (phase == 2) {
            t = noted;
            if (level != t + 1 && level != t + 2) { A: return; }
            if (level == t + 2) { B: return; }
          }
          t = level; sent = level; seen = 0; moved = 0; phase = 2; noted = t;
        }
        void rise(void) { if (!seen) { sent = sent + 1; moved = moved + 1; } }
        void settle(void) { level = sent; seen = 1; }
        int main(void) {
          int turn = 0;
          while (1) {
            if (turn == 0) { if (phase != 2 || (moved > 0 && seen)) watch(); turn = 1; }
            else if (turn == 1) {
              if (phase == 2 && moved < 2 && __VERIFIER_nondet_int()) rise();
              if (moved > 0 && __VERIFIER_nondet_int()) turn = 2; else if (phase == 1) turn = 0;
            } else { settle(); turn = 0; }
          } }";
    let program = program("ended frame", text);
    for preset in ["single", "multi"] {
        let refine = Refinement::preset(preset).expect("presets have meanings");
        let (verdicts, outcome) = run(&program, &refining(refine));
        assert_eq!(verdicts, ["TRUE", "FALSE"]);
        assert_eq!(outcome.statistics.get(Counter::RepeatedRefinements), 0);
    }
}

/// Three targets with a reason each: one joined refinement is enough; and if only the first is selected, the delayed ones are recognised.
#[test]
fn what_is_known_is_not_asked_again() {
    let text = "extern int __VERIFIER_nondet_int(void);
        int r0, r1, r2;
        void a(void) { if (r0) { A: r0 = 2; } }
        void b(void) { if (r1) { A: r1 = 2; } }
        void c(void) { if (r2) { A: r2 = 2; } }
        int main(void) {
          while (__VERIFIER_nondet_int()) {
            if (__VERIFIER_nondet_int()) a();
            if (__VERIFIER_nondet_int()) b();
            if (__VERIFIER_nondet_int()) c(); }
          if (0) { B: return 1; }
          return 0; }";
    let program = program("three", text);
    let counts = |refine| {
        let (verdicts, outcome) = run(&program, &refining(refine));
        assert_eq!(verdicts, ["TRUE", "TRUE"]);
        let names = [
            Counter::Refinements,
            Counter::ProvidentRefinements,
            Counter::RecognisedErrorPaths,
        ];
        names.map(|name| outcome.statistics.get(name))
    };
    assert_eq!(counts(Refinement::default()), [1, 3, 0]);
    let single = Refinement::preset("single").expect("presets have meanings");
    assert_eq!(counts(single), [3, 3, 0]);
    let [refinements, provident, recognised] = counts(Refinement {
        select: SelectKind::First.into(),
        ..Refinement::default()
    });
    assert_eq!((refinements, provident), (3, 3));
    assert!(recognised > 0);
}
