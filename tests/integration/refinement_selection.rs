//! Refinement selection: every heuristic gives the expected verdicts, on single blocks and on large ones, and prefers what it is for. All runs are checked: each sliced prefix is refuted once more, and its interpolants are interpolants of it.

use crate::cases::{CASES, program, refining, run, text};
use provident::engine::{
    BlockMode, BuiltIn, Counter, Heuristic, Options, Preference, Refinement, Restart, Scope, SelectKind,
};

const HEURISTICS: &[Heuristic] = &[
    Heuristic::Short,
    Heuristic::Long,
    Heuristic::Good,
    Heuristic::Bad,
    Heuristic::Narrow,
    Heuristic::Wide,
    Heuristic::Shallow,
    Heuristic::Deep,
    Heuristic::Dynamic,
    Heuristic::Forms,
    Heuristic::Random(3),
];

fn prefer(heuristics: &[Heuristic]) -> Preference {
    Preference::new(heuristics).expect("they are few")
}

/// The options for a preference.
type Setup<'a> = &'a dyn Fn(&[Heuristic]) -> Options;

/// The setup of the paper: single blocks, the first target, restart at the root, global scope, and nothing that is built in.
fn paper(heuristics: &[Heuristic]) -> Options {
    Options {
        block: BlockMode::Single,
        ..refining(Refinement {
            scope: Scope::Global,
            restart: Restart::Root,
            prefer: prefer(heuristics),
            built_in: BuiltIn::NONE,
            ..Refinement::preset("single").expect("it is one")
        })
    }
}

/// Programs that single blocks without built-in help decide soon.
fn is_small(name: &str) -> bool {
    !["relation", "recursion"].contains(&name)
}

#[test]
fn every_heuristic_gives_the_verdicts_in_the_setup_of_the_paper() {
    for case in CASES.iter().filter(|case| is_small(case.name)) {
        let program = program(case.name, case.text);
        for &heuristic in HEURISTICS {
            let (verdicts, outcome) = run(&program, &paper(&[heuristic]));
            assert_eq!(
                verdicts,
                case.expected,
                "{}: {heuristic:?}\n{}",
                case.name,
                text(&outcome)
            );
        }
    }
}

#[test]
fn every_heuristic_gives_the_verdicts_on_large_blocks() {
    for case in CASES {
        let program = program(case.name, case.text);
        for &heuristic in HEURISTICS {
            let refine = Refinement {
                prefer: prefer(&[heuristic, Heuristic::Narrow]),
                ..Refinement::default()
            };
            let (verdicts, outcome) = run(&program, &refining(refine));
            assert_eq!(
                verdicts,
                case.expected,
                "{}: {heuristic:?}\n{}",
                case.name,
                text(&outcome)
            );
            let statistics = &outcome.statistics;
            assert!(statistics.get(Counter::CheckedPrefixes) <= statistics.get(Counter::SlicedPrefixes));
        }
    }
}

/// The idea of Figure 1 of the paper: the error path is infeasible because the loop ends too soon, and because the flag is clear.
const FLAG_AND_COUNTER: &str = "extern int __VERIFIER_nondet_int(void);
    int main(void) { int b = 0, i = 0;
    while (i < 8) { i = i + 1; }
    if (b != 0) { A: return 1; }
    if (0) { B: return 2; }
    return 0; }";

#[test]
fn a_flag_is_better_than_a_counter() {
    let program = program("flag and counter", FLAG_AND_COUNTER);
    let provident = |heuristics: &[Heuristic]| {
        refining(Refinement {
            prefer: prefer(heuristics),
            built_in: BuiltIn::NONE,
            ..Refinement::default()
        })
    };
    let setups: [Setup<'_>; 2] = [&paper, &provident];
    for setup in setups {
        let with = |heuristics: &[Heuristic]| {
            let (verdicts, outcome) = run(&program, &setup(heuristics));
            assert_eq!(verdicts, ["TRUE", "TRUE"], "{heuristics:?}");
            let counts_loops = outcome.precision.iter().any(|line| line.contains("main::i"));
            (counts_loops, outcome.statistics)
        };
        for heuristic in [Heuristic::Good, Heuristic::Long, Heuristic::Forms] {
            let (counts_loops, statistics) = with(&[heuristic]);
            assert!(!counts_loops, "{heuristic:?}");
            assert_eq!(statistics.get(Counter::Refinements), 1, "{heuristic:?}");
            assert_eq!(statistics.get(Counter::RefinementSelections), 1, "{heuristic:?}");
            assert!(statistics.get(Counter::SlicedPrefixes) >= 2, "{heuristic:?}");
        }
        for heuristic in [Heuristic::Bad, Heuristic::Short] {
            let (counts_loops, statistics) = with(&[heuristic]);
            assert!(counts_loops, "{heuristic:?}");
            assert!(statistics.get(Counter::Refinements) > 1, "{heuristic:?}");
        }
        // After some values of the counter the flag is cheaper.
        let (_, dynamic) = with(&[Heuristic::Dynamic]);
        let (_, bad) = with(&[Heuristic::Bad]);
        assert!(dynamic.get(Counter::Refinements) < bad.get(Counter::Refinements));
    }
}

/// Two error paths, of which one can be refuted by a flag and both by the counter: what is preferred among all comes first.
#[test]
fn what_is_preferred_among_all_error_paths_is_applied_first() {
    let text = "extern int __VERIFIER_nondet_int(void);
        int main(void) { int b = 0, i = 0;
        while (i < 9) { i = i + 1; }
        if (__VERIFIER_nondet_int()) { if (b != 0) { A: return 1; } }
        else if (i < 9) { B: return 2; }
        return 0; }";
    let program = program("two paths", text);
    let with = |select: SelectKind| {
        let (verdicts, outcome) = run(
            &program,
            &refining(Refinement {
                prefer: prefer(&[Heuristic::Good]),
                select: select.into(),
                ..Refinement::default()
            }),
        );
        assert_eq!(verdicts, ["TRUE", "TRUE"]);
        outcome.statistics.get(Counter::Refinements)
    };
    assert!(with(SelectKind::Preferred) >= with(SelectKind::JoinAll));
}

#[test]
fn threads_and_budgets_do_not_matter() {
    let refinements = [
        prefer(&[Heuristic::Good, Heuristic::Narrow]),
        prefer(&[Heuristic::Random(7)]),
        prefer(&[Heuristic::Dynamic, Heuristic::Forms]),
    ];
    for case in CASES {
        let program = program(case.name, case.text);
        for prefer in refinements {
            for ticks in [None, Some(3_000), Some(20_000)] {
                let with = |threads| {
                    let mut options = refining(Refinement {
                        prefer,
                        ..Refinement::default()
                    });
                    options.threads = threads;
                    options.limits.ticks = ticks;
                    text(&run(&program, &options).1)
                };
                let one = with(1);
                for threads in [2, 8] {
                    assert_eq!(one, with(threads), "{}: {prefer:?}, {ticks:?}", case.name);
                }
            }
        }
    }
}

/// Each built-in preference alone, and all together, turned off: no verdict changes.
#[test]
fn built_in_preferences_decide_no_verdict() {
    let all = BuiltIn::ALL;
    let switched = [
        BuiltIn::NONE,
        BuiltIn {
            hide_counters: false,
            ..all
        },
        BuiltIn { guesses: false, ..all },
        BuiltIn { minimise: false, ..all },
        BuiltIn {
            suffix_first: false,
            ..all
        },
    ];
    for case in CASES.iter().filter(|case| is_small(case.name)) {
        let program = program(case.name, case.text);
        for built_in in switched {
            let refine = Refinement {
                built_in,
                ..Refinement::default()
            };
            let (verdicts, outcome) = run(&program, &refining(refine));
            assert_eq!(
                verdicts,
                case.expected,
                "{}: {built_in:?}\n{}",
                case.name,
                text(&outcome)
            );
        }
    }
}
