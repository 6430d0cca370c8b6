//! All refinement loops in all block modes have to give the expected verdicts on small programs, for two properties at once.

use crate::cases::{CASES, program, refining, run};
use provident::engine::options::{Aspects, Multi};
use provident::engine::{BlockMode, Counter, Explicit, Options, PRESETS, Refinement, Scope};

const ALL_SCOPES: &[Scope] = &[Scope::Global, Scope::Function, Scope::Location];

fn check(block: BlockMode, scopes: &[Scope]) {
    for case in CASES {
        let program = program(case.name, case.text);
        for (preset, _) in PRESETS {
            for &scope in scopes {
                let refine = Refinement {
                    scope,
                    ..Refinement::preset(preset).expect("presets have meanings")
                };
                let options = Options {
                    refine,
                    block,
                    check: true,
                    // The refinement loop is what is tested here.
                    explicit: Explicit {
                        enabled: false,
                        ..Explicit::default()
                    },
                    // Ideal integers find violations that only a replay refutes; here every path counts as confirmed.
                    ideal_ticks: 0,
                    ..Options::default()
                };
                let (verdicts, outcome) = run(&program, &options);
                let place = format!(
                    "{}: {options:?}\n{}{:#?}",
                    case.name, outcome.statistics, outcome.precision
                );
                assert_eq!(verdicts, case.expected, "{place}");
            }
        }
    }
}

#[test]
fn blocks_between_loop_heads() {
    check(BlockMode::Loops, ALL_SCOPES);
}

#[test]
fn blocks_between_loop_heads_and_calls() {
    check(BlockMode::LoopsAndCalls, ALL_SCOPES);
}

#[test]
fn single_edge_blocks() {
    // Global predicates at every location are slow.
    check(BlockMode::Single, &[Scope::Location]);
}

/// The equations of ideal integers hold modulo the words of the machine, so that nothing is left to refine behind them.
#[test]
fn equations_of_ideal_integers_become_congruences() {
    let text = include_str!("../programs/wrap_stages_true.c").replace("reach_error();\n", "A: reach_error();\n");
    let program = program("wrap_stages_true.c", &text);
    let options = Options {
        ideal_ticks: Options::default().ideal_ticks,
        ..refining(Refinement::default())
    };
    let (verdicts, outcome) = run(&program, &options);
    assert_eq!(verdicts[0], "TRUE");
    let count = |counter| outcome.statistics.get(counter);
    assert!(count(Counter::IdealRefinements) > 0);
    assert_eq!(count(Counter::Refinements), 0, "{}", outcome.statistics);
}

#[test]
fn limits_end_in_unknown() {
    let case = CASES.iter().find(|c| c.name == "counter").expect("the case is there");
    let program = program(case.name, case.text);
    let mut options = Options::default();
    options.limits.ticks = Some(1);
    options.explicit.enabled = false;
    let (verdicts, _) = run(&program, &options);
    assert_eq!(verdicts[0], "UNKNOWN (tick-limit) tick limit reached");
    let options = Options {
        states: 3,
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        ..Options::default()
    };
    let (verdicts, _) = run(&program, &options);
    assert_eq!(verdicts[0], "UNKNOWN (state-limit) more than 3 abstract states");
}

/// One label is dear to prove, the other one cheap, and both are found in the same rounds: each pays for its own error paths, in ticks that repeat for any number of threads.
#[test]
fn each_property_pays_for_its_own_error_paths() {
    let program = program(
        "shares",
        "extern int __VERIFIER_nondet_int(void);
        int main(void) {
            int n = __VERIFIER_nondet_int(), flag = __VERIFIER_nondet_int(), x = 0, y = 0;
            if (n < 0 || n > 100 || flag < 7) return 0;
            while (x < n) { x = x + 1; y = y + 2; }
            if (flag < 5) { A: return 1; }
            if (y != 2 * n) { B: return 2; }
            return 0; }",
    );
    let accounts = |threads: usize, aspects: bool| {
        let mut options = Options {
            ideal_ticks: 0,
            threads,
            ..Options::default()
        };
        options.explicit.enabled = false;
        if aspects {
            options.multi = Multi::Aspects(Aspects::default());
        }
        let (verdicts, outcome) = run(&program, &options);
        assert_eq!(verdicts, ["TRUE", "TRUE"]);
        let ticks: Vec<u64> = outcome.accounts.iter().map(|account| account.spent.ticks).collect();
        let all = outcome.statistics.get(Counter::SolverTicks);
        assert!(ticks.iter().sum::<u64>() <= all, "{ticks:?} of {all}");
        ticks
    };
    for aspects in [false, true] {
        let ticks = accounts(1, aspects);
        assert!(0 < ticks[0] && 4 * ticks[0] < ticks[1], "{ticks:?}");
        assert_eq!(ticks, accounts(3, aspects));
    }
}
