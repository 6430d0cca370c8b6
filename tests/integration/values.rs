//! The value analysis alone and beside predicates: verdicts, evidence, and the choice which domain is refined.
//!
//! Each program of `tests/programs/values` states its verdicts for the labels `A` and `B` (`//# label`), and those of explicit values alone (`//# value`). Every proof has to be discharged from its text alone.

use crate::cases::{CASES, program, run, run_certified, text};
use crate::discharged::{open, properties};
use provident::cpa::tracking::PropertyId;
use provident::engine::{
    AnalysisKind, BlockMode, Counter, Explicit, Limits, Mode, Options, Refinement, Restart, Scope,
};
use provident::evidence::obligations::{Effort, obligations};
use provident_smt::solver::{Config, Solver};
use std::fs;
use std::path::Path;

fn options(analysis: AnalysisKind) -> Options {
    Options {
        analysis,
        // The refinement loop is what is tested here.
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        limits: Limits {
            ticks: Some(20_000_000),
            ..Limits::default()
        },
        ..Options::default()
    }
}

/// A program with the verdicts that both domains have, and those of values alone.
struct Stated {
    name: String,
    text: String,
    both: [String; 2],
    alone: [String; 2],
}

fn stated() -> Vec<Stated> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/values");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let read = |file: std::path::PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        let verdicts = |kind: &str| {
            ["A", "B"].map(|label| {
                let head = format!("//# {kind} {label}: ");
                let line = text.lines().find_map(|line| line.strip_prefix(&head));
                line.unwrap_or_else(|| panic!("{}: no {head}", file.display()))
                    .to_string()
            })
        };
        Stated {
            name: file.file_name().unwrap().to_string_lossy().into_owned(),
            both: verdicts("label"),
            alone: verdicts("value"),
            text,
        }
    };
    files.into_iter().map(read).collect()
}

/// The first words of verdicts.
fn words(verdicts: &[String]) -> Vec<&str> {
    verdicts
        .iter()
        .map(|v| v.split_whitespace().next().unwrap_or(""))
        .collect()
}

#[test]
fn programs_get_their_stated_verdicts() {
    for stated in stated() {
        let program = program(&stated.name, &stated.text);
        for (analysis, expected) in [(AnalysisKind::Value, &stated.alone), (AnalysisKind::Both, &stated.both)] {
            let (verdicts, outcome) = run(&program, &options(analysis));
            assert_eq!(
                words(&verdicts),
                expected,
                "{}: {analysis:?}\n{}",
                stated.name,
                text(&outcome)
            );
        }
    }
}

/// A proof by values has a certificate, whose obligations are discharged from their text alone.
#[test]
fn proofs_are_discharged() {
    let cases = CASES.iter().map(|case| (case.name.to_string(), case.text.to_string()));
    let files = stated().into_iter().map(|stated| (stated.name, stated.text));
    for (name, source) in cases.chain(files) {
        let program = program(&name, &source);
        for analysis in [AnalysisKind::Value, AnalysisKind::Both] {
            let options = Options {
                certificate: true,
                ..options(analysis)
            };
            let (verdicts, certified) = run_certified(&program, &options);
            let holds: Vec<PropertyId> = PropertyId::first(2).filter(|p| verdicts[p.index()] == "TRUE").collect();
            let Some(certificate) = certified.evidence.certificate else {
                assert!(
                    holds.is_empty(),
                    "{name}: {analysis:?}, {:?}",
                    certified.evidence.without
                );
                continue;
            };
            assert_eq!(certificate.properties, holds, "{name}: {analysis:?}");
            let mut solver = |_: Effort| {
                Solver::new(Config {
                    proofs: true,
                    ..Config::default()
                })
            };
            let made = obligations(&program, &properties(&program), &certificate, &mut solver);
            let made = made.unwrap_or_else(|e| panic!("{name}: {analysis:?}, {e:?}"));
            assert_eq!(open(&made), [], "{name}: {analysis:?}");
        }
    }
}

#[test]
fn no_way_to_refine_gives_another_verdict() {
    let base = Refinement::default();
    let refinements = [
        base,
        Refinement {
            mode: Mode::Lazy,
            ..base
        },
        Refinement {
            scope: Scope::Global,
            restart: Restart::Root,
            ..base
        },
        Refinement {
            patience: u64::MAX,
            scope: Scope::Function,
            ..base
        },
    ];
    for case in CASES {
        let program = program(case.name, case.text);
        for refine in refinements {
            for block in [BlockMode::Loops, BlockMode::LoopsAndCalls, BlockMode::Single] {
                for (analysis, value_threshold) in [
                    (AnalysisKind::Value, 1024),
                    (AnalysisKind::Both, 1024),
                    (AnalysisKind::Both, 0),
                ] {
                    let options = Options {
                        refine,
                        block,
                        value_threshold,
                        ..options(analysis)
                    };
                    let (verdicts, outcome) = run(&program, &options);
                    let words = words(&verdicts);
                    for (word, expected) in words.iter().zip(case.expected) {
                        let is_open = analysis == AnalysisKind::Value && *word == "UNKNOWN";
                        assert!(
                            is_open || *word == expected,
                            "{}: {analysis:?} {refine:?} {block:?}\n{}",
                            case.name,
                            text(&outcome)
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn threads_and_budgets_do_not_matter() {
    let cases = CASES.iter().map(|case| (case.name.to_string(), case.text.to_string()));
    let files = stated().into_iter().map(|stated| (stated.name, stated.text));
    for (name, source) in cases.chain(files) {
        let program = program(&name, &source);
        for analysis in [AnalysisKind::Value, AnalysisKind::Both] {
            for ticks in [3_000, 200_000] {
                let with = |threads| {
                    let mut options = options(analysis);
                    options.threads = threads;
                    options.limits.ticks = Some(ticks);
                    text(&run(&program, &options).1)
                };
                assert_eq!(with(1), with(8), "{name}: {analysis:?}, {ticks}");
            }
        }
    }
}

/// Figure 1 of the paper: values unroll the loop, and the choice by scores takes the predicate over the flag instead.
#[test]
fn a_loop_counter_is_left_to_predicates() {
    let source =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/values/flag_not_counter.c"));
    let program = program("flag_not_counter.c", &source.unwrap());
    let (_, outcome) = run(&program, &options(AnalysisKind::Both));
    let counted = |counter| outcome.statistics.get(counter);
    assert!(counted(Counter::PredicatesPreferred) > 0, "{}", text(&outcome));
    assert!(counted(Counter::ValueRefinements) < 20, "{}", text(&outcome));
}
