//! The interpolation procedures of refinement: each one gives the expected verdicts, with every interpolant, model and proof checked by an independent query.

use crate::cases::{CASES, program, refining, run, text};
use provident::engine::options::{Equality, Procedure};
use provident::engine::{BlockMode, Options, Refinement};
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
