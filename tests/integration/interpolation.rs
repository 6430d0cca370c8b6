//! The interpolation procedures of refinement: each one gives the expected verdicts, with every interpolant, model and proof checked by an independent query.

use crate::cases::{CASES, program, refining, run, text};
use provident::engine::options::{Equality, Procedure, Templates};
use provident::engine::{BlockMode, Counter, Heuristic, Options, Preference, Refinement};
use provident_smt::interpolate::{ArithmeticLeaf, Direction, Labelling, Members, Merit, Portfolio};

/// The procedures that differ from the default in one choice, and two that differ in more.
fn procedures() -> Vec<Procedure> {
    let default = Procedure::default();
    let mut all = Vec::new();
    all.extend(
        Labelling::ALL
            .iter()
            .map(|&labelling| Procedure { labelling, ..default }),
    );
    all.extend(
        ArithmeticLeaf::ALL
            .iter()
            .map(|&arithmetic| Procedure { arithmetic, ..default }),
    );
    all.extend(
        Direction::ALL
            .iter()
            .map(|&direction| Procedure { direction, ..default }),
    );
    all.extend([Equality::Strong, Equality::Weak].map(|equality| Procedure { equality, ..default }));
    all.push(Procedure {
        reduce: true,
        ..default
    });
    all.push(Procedure {
        labelling: Labelling::Pudlak,
        arithmetic: ArithmeticLeaf::DualDecomposed,
        direction: Direction::Backward,
        reduce: true,
        ..default
    });
    let templates = [
        Templates::None,
        Templates::Differences,
        Templates::Sums,
        Templates::Types,
    ];
    all.extend(templates.map(|abstraction| Procedure { abstraction, ..default }));
    all.extend([Templates::Counters, Templates::Types].map(|abstraction| Procedure {
        abstraction,
        simplify: true,
        ..default
    }));
    let portfolio = |members, merit| Procedure {
        portfolio: Some(Portfolio { members, merit }),
        ..default
    };
    all.extend(
        Members::ALL
            .iter()
            .map(|&members| portfolio(members, Merit::Predicates)),
    );
    all.extend(Merit::ALL.iter().map(|&merit| portfolio(Members::All, merit)));
    all.push(Procedure {
        direction: Direction::Backward,
        equality: Equality::Strong,
        ..portfolio(Members::All, Merit::Steady)
    });
    all.retain(|procedure| *procedure != default);
    all
}

/// Runs the cases with this procedure, all checks on.
fn decides_all(procedure: Procedure, block: BlockMode) {
    for case in CASES {
        let options = Options {
            block,
            ..refining(Refinement {
                interpolation: procedure,
                ..Refinement::default()
            })
        };
        let (verdicts, outcome) = run(&program(case.name, case.text), &options);
        assert_eq!(
            verdicts,
            case.expected,
            "{}: {procedure:?}\n{}",
            case.name,
            text(&outcome)
        );
    }
}

#[test]
fn every_procedure_gives_the_verdicts() {
    for procedure in procedures() {
        decides_all(procedure, BlockMode::Loops);
    }
}

/// The loop counts up to a bound that is not known, by a condition that says nothing of what lies beyond: only the difference of the two is kept by a round.
const UP_TO_A_BOUND: &str = "extern int __VERIFIER_nondet_int(void);
    int main(void) { int n = __VERIFIER_nondet_int(), i = 0;
    if (n < 0 || n > 1000) return 0;
    while (i != n) { i = i + 1; if (i > n) { A: return 1; } }
    if (0) { B: return 2; }
    return 0; }";

/// The options of a procedure, without guesses, which would find what interpolants are to find.
fn by_interpolants_alone(interpolation: Procedure) -> Options {
    let mut options = refining(Refinement {
        interpolation,
        ..Refinement::default()
    });
    options.refine.built_in.guesses = false;
    options
}

#[test]
fn differences_find_the_invariant_of_a_loop() {
    let program = program("up to a bound", UP_TO_A_BOUND);
    let with = |abstraction| {
        let options = by_interpolants_alone(Procedure {
            abstraction,
            ..Procedure::default()
        });
        let (verdicts, outcome) = run(&program, &options);
        assert_eq!(verdicts, ["TRUE", "TRUE"], "{}", text(&outcome));
        let statistics = outcome.statistics;
        assert_eq!(
            statistics.get(Counter::AbstractedInterpolants) > 0,
            abstraction == Templates::Differences
        );
        assert!(statistics.get(Counter::CheckedInterpolants) > 0);
        assert!(statistics.get(Counter::CertifiedInterpolants) > 0);
        assert_eq!(statistics.get(Counter::UncertifiedInterpolants), 0);
        assert!(statistics.get(Counter::InterpolantTicks) > 0 && statistics.get(Counter::InterpolantSteps) > 0);
        (statistics.get(Counter::Refinements), outcome.precision)
    };
    let (rounds, precision) = with(Templates::Differences);
    assert!(rounds <= 2, "{rounds}: {precision:?}");
    assert!(
        precision
            .iter()
            .all(|line| line.contains("main::i") && line.contains("main::n")),
        "{precision:?}"
    );
}

#[test]
fn a_lattice_without_questions_abstracts_nothing() {
    let program = program("up to a bound", UP_TO_A_BOUND);
    let sets = |lattice| {
        let options = by_interpolants_alone(Procedure {
            abstraction: Templates::Differences,
            lattice,
            ..Procedure::default()
        });
        let (_, outcome) = run(&program, &options);
        (
            outcome.statistics.get(Counter::TemplateSets),
            outcome.statistics.get(Counter::AbstractedInterpolants),
        )
    };
    assert_eq!(sets(0), (0, 0));
    let (asked, abstracted) = sets(1);
    assert!(asked > 0 && asked >= abstracted && abstracted > 0);
}

#[test]
fn simplification_drops_parts_of_interpolants() {
    let mut dropped = 0;
    for case in CASES {
        let options = by_interpolants_alone(Procedure {
            simplify: true,
            equality: Equality::Weak,
            ..Procedure::default()
        });
        let (_, outcome) = run(&program(case.name, case.text), &options);
        dropped += outcome.statistics.get(Counter::DroppedParts);
    }
    assert!(dropped > 0);
}

#[test]
fn a_preference_chooses_among_variants_of_prefixes() {
    for case in CASES {
        let options = refining(Refinement {
            interpolation: Procedure {
                portfolio: Some(Portfolio::default()),
                ..Procedure::default()
            },
            prefer: Preference::new(&[Heuristic::Good, Heuristic::Forms]).expect("they are few"),
            ..Refinement::default()
        });
        let (verdicts, outcome) = run(&program(case.name, case.text), &options);
        assert_eq!(verdicts, case.expected, "{}\n{}", case.name, text(&outcome));
    }
}
