//! Whole verifications through the library: evidence changes no verdict, and no choice of stages makes a wrong one.

use provident::cfa::LowerOptions;
use provident::engine::Silent;
use provident::frontend::types::DataModel;
use provident::report::{Answer, Report};
use provident::spec::parse_properties;
use provident::verify::{Claim, Options, ProgramFile, Requested, Strategy, Task, verify};
use std::fs;
use std::path::{Path, PathBuf};

/// Ticks of a verification: all programs here need fewer with all stages.
const TICKS: u64 = 60_000_000;

/// The task that a program states in its head, as in `tests/slow/examples.rs`, with the expected verdicts.
fn task(file: &Path) -> Task {
    let text = fs::read_to_string(file).unwrap();
    let mut data_model = DataModel::Lp64;
    let mut requested = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//# ")) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("data-model", "ILP32") => data_model = DataModel::Ilp32,
            (kind @ ("call" | "label"), rest) => {
                let (subject, verdict) = rest.split_once(": ").expect("a verdict stands behind the property");
                let call = if kind == "call" { "()" } else { "" };
                let formula = format!("CHECK( init(main()), LTL(G ! {kind}({subject}{call})) )");
                let property = parse_properties(Path::new("stated.prp"), &formula).unwrap().remove(0);
                requested.push(Requested {
                    name: subject.to_string(),
                    claim: Claim::Forbidden(property),
                    expected: Some(verdict == "TRUE"),
                });
            }
            _ => panic!("{}: `{line}`", file.display()),
        }
    }
    Task {
        program: ProgramFile {
            input: file.to_path_buf(),
            data_model,
            lower: LowerOptions::default(),
            models: Vec::new(),
        },
        requested,
    }
}

fn tasks() -> Vec<Task> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    let tasks: Vec<Task> = files
        .iter()
        .map(|file| task(file))
        .filter(|task| !task.requested.is_empty())
        .collect();
    assert!(tasks.len() > 40, "the programs are there");
    tasks
}

fn options() -> Options {
    let mut options = Options::default();
    options.engine.limits.ticks = Some(TICKS);
    options
}

fn report(task: &Task, options: &Options) -> Report {
    let outcome = verify(task, options, &mut Silent).unwrap_or_else(|error| panic!("{error}"));
    assert!(outcome.unwritten.is_none(), "{:?}", outcome.unwritten);
    outcome.report
}

fn verdicts(report: &Report) -> Vec<(String, Answer)> {
    report
        .properties
        .iter()
        .map(|property| (property.name.clone(), property.verdict))
        .collect()
}

/// A user who asks for evidence gets the verdict that others get, with its evidence.
#[test]
fn evidence_changes_no_verdict() {
    let folder = std::env::temp_dir().join(format!("provident-evidence-{}", std::process::id()));
    for task in tasks() {
        let name = task.program.input.display().to_string();
        let bare = report(&task, &options());
        let with_evidence = Options {
            out: Some(folder.clone()),
            ..options()
        };
        let shown = report(&task, &with_evidence);
        assert_eq!(verdicts(&bare), verdicts(&shown), "{name}");
        for (without, with) in bare.properties.iter().zip(&shown.properties) {
            assert_eq!(without.trace, with.trace, "{name}: the execution that is shown");
        }
        for property in &shown.properties {
            let has = |kind: &str| {
                let start = format!("{kind}-{}.", property.name);
                shown
                    .attachments
                    .iter()
                    .any(|attachment| attachment.name.starts_with(&start))
            };
            match property.verdict {
                Answer::True => assert!(has("witness"), "{name}: a TRUE has its witness"),
                Answer::False => assert!(
                    has("witness") && has("harness"),
                    "{name}: a FALSE has witness and harness"
                ),
                Answer::Unknown => {}
            }
        }
    }
    // A folder that is left behind is in the system's folder for such things.
    let _ = fs::remove_dir_all(&folder);
}

#[test]
fn no_stage_is_wrong() {
    for names in ["whole", "no-counters,slice", "no-memory,whole"] {
        let strategy = Strategy::named(names).unwrap();
        for task in tasks() {
            let mut options = Options {
                strategy: strategy.clone(),
                ..options()
            };
            // Programs that are too hard for the stages by themselves have no verdict then.
            options.engine.limits.ticks = Some(TICKS / 10);
            let report = report(&task, &options);
            for property in &report.properties {
                let wrong = match property.expected.expect("the head states it") {
                    true => Answer::False,
                    false => Answer::True,
                };
                assert_ne!(property.verdict, wrong, "{} by {names}", task.program.input.display());
            }
        }
    }
}

#[test]
fn strategies_are_named() {
    for wrong in [
        "",
        "slices",
        "slice,no-memory",
        "whole,whole",
        "execute",
        "no-counters,no-memory",
    ] {
        assert!(Strategy::named(wrong).is_err(), "{wrong}");
    }
    assert_eq!(
        Strategy::named("execute,no-counters,no-memory,slice,whole"),
        Ok(Strategy::sliced())
    );
    assert_eq!(Strategy::named("whole"), Ok(Strategy::whole()));
}
