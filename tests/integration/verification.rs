//! Whole verifications through the library: evidence changes no verdict, and no choice of stages makes a wrong one.

use crate::{parallel, sarif, schema};
use provident::cfa::LowerOptions;
use provident::engine::{self, Counter, Progress, Silent};
use provident::evidence::obligations::discharge::Allowed;
use provident::evidence::obligations::{Manifest, manifest};
use provident::frontend::types::DataModel;
use provident::report::{Answer, PropertyReport, Report};
use provident::spec::parse_properties;
use provident::verify::proof::{FOLDER, discharge_folder};
use provident::verify::{
    Claim, Observer, Options, ProgramFile, Requested, Strategy, Task, read_automata, read_rules, verify,
};
use std::fs;
use std::path::{Path, PathBuf};

/// Ticks of a verification: all programs of `tests/programs` need fewer with all stages.
const TICKS: u64 = 60_000_000;

/// Ticks where only the same verdict twice is asked for, be it UNKNOWN.
const FEW_TICKS: u64 = 400_000;

/// The task that a program states in its head, with the expected verdicts, if it states any: `//# call f: TRUE`, `//# label L: FALSE`, `//# verdict: TRUE` of calls of
/// `reach_error`, `//# spec: FILE`, `//# rule: NAME`.
fn task(file: &Path) -> Option<Task> {
    let text = fs::read_to_string(file).unwrap();
    let mut data_model = DataModel::Lp64;
    let mut requested = Vec::new();
    let mut forbid = |formula: &str, subject: &str, verdict: &str| {
        let formula = format!("CHECK( init(main()), LTL(G ! {formula}) )");
        requested.push(Requested {
            name: subject.to_string(),
            claim: Claim::Forbidden(parse_properties(Path::new("stated.prp"), &formula).unwrap().remove(0)),
            expected: match verdict {
                "TRUE" => Some(true),
                "FALSE" => Some(false),
                _ => None,
            },
        });
    };
    let mut automata = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//# ")) {
        let (head, verdict) = line.split_once(": ").unwrap_or((line, ""));
        match head.split_once(' ').unwrap_or((head, "")) {
            ("data-model", model) => {
                data_model = if format!("{model}{verdict}") == "ILP32" {
                    DataModel::Ilp32
                } else {
                    data_model
                }
            }
            ("call", name) => forbid(&format!("call({name}())"), name, verdict),
            ("label", name) => forbid(&format!("label({name})"), name, verdict),
            ("verdict", "") => forbid("call(reach_error())", "reach_error", verdict),
            ("spec", "") => automata.extend(read_automata(&file.with_file_name(verdict), None).unwrap()),
            ("rule", "") => automata.extend(read_rules(verdict).unwrap()),
            _ => {}
        }
    }
    requested.extend(automata);
    let mut program = ProgramFile {
        units: vec![file.to_path_buf().into()],
        data_model,
        lower: LowerOptions::default(),
        models: Vec::new(),
    };
    program.forbid(&requested);
    (!requested.is_empty()).then_some(Task { program, requested })
}

/// The tasks of a folder in `tests`.
fn tasks(folder: &str) -> Vec<Task> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "c"));
    files.sort();
    files.iter().filter_map(|file| task(file)).collect()
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

/// A user who asks for evidence gets the verdict that others get, with its evidence. Automata have an execution instead of a witness.
fn evidence_changes_nothing(folder: &str, ticks: u64) {
    let tasks = tasks(folder);
    assert!(tasks.len() > 3, "the programs of {folder} are there");
    let problems = parallel::problems(&tasks, |task| {
        let mut bare = options();
        bare.engine.limits.ticks = Some(ticks);
        let stem = task.program.units[0]
            .path
            .file_stem()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let out = std::env::temp_dir().join(format!("provident-evidence-{}-{ticks}-{stem}", std::process::id()));
        let with_evidence = Options {
            out: Some(out.clone()),
            ..bare.clone()
        };
        let found = differences(task, &report(task, &bare), &report(task, &with_evidence));
        // A folder that is left behind is in the system's folder for such things.
        let _ = fs::remove_dir_all(&out);
        found
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The differences between a verification without evidence and the one with it, and the evidence that a verdict lacks.
fn differences(task: &Task, bare: &Report, shown: &Report) -> Vec<String> {
    let mut problems = Vec::new();
    let mut hold = |holds: bool, what: &str| {
        if !holds {
            problems.push(format!("{}: {what}", task.program.name()));
        }
    };
    let json: serde_json::Value = serde_json::from_str(&shown.json()).unwrap();
    let format: serde_json::Value = serde_json::from_str(&provident::report::schema::schema(&[])).unwrap();
    let flaws = schema::problems(&format, &json);
    hold(flaws.is_empty(), &format!("its JSON is not by the schema: {flaws:?}"));
    let flaws = sarif::problems(&provident::report::sarif::sarif(shown));
    hold(flaws.is_empty(), &format!("its SARIF is none: {flaws:?}"));
    hold(
        verdicts(bare) == verdicts(shown),
        &format!("{:?}, with evidence {:?}", verdicts(bare), verdicts(shown)),
    );
    for (without, with) in bare.properties.iter().zip(&shown.properties) {
        hold(without.trace == with.trace, "another execution is shown");
    }
    for (requested, property) in task.requested.iter().zip(&shown.properties) {
        let has = |kind: &str| {
            let start = format!("{kind}-{}.", property.name);
            shown.attachments.iter().any(|file| file.name.starts_with(&start))
        };
        let is_event = matches!(requested.claim, Claim::Forbidden(_));
        match property.verdict {
            Answer::True if is_event => hold(has("witness"), "a TRUE lacks its witness"),
            Answer::False if is_event => hold(has("witness") && has("harness"), "a FALSE lacks witness or harness"),
            Answer::False => hold(property.trace.is_some(), "a FALSE lacks its execution"),
            _ => {}
        }
    }
    problems
}

#[test]
fn evidence_changes_no_verdict() {
    evidence_changes_nothing("programs", TICKS);
}

#[test]
fn evidence_changes_no_verdict_of_the_other_programs() {
    for folder in [
        "programs/calls",
        "programs/explicit",
        "programs/floats",
        "programs/guesses",
        "programs/samples",
    ] {
        evidence_changes_nothing(folder, FEW_TICKS);
    }
}

#[test]
fn evidence_changes_no_verdict_on_automata() {
    evidence_changes_nothing("specifications", FEW_TICKS);
}

#[test]
fn no_stage_is_wrong() {
    for names in ["whole", "no-counters,slice", "no-counters,whole", "accelerate,slice"] {
        let strategy = Strategy::named(names).unwrap();
        let problems = parallel::problems(&tasks("programs"), |task| {
            let mut options = Options {
                strategy: strategy.clone(),
                ..options()
            };
            // Programs that are too hard for the stages by themselves have no verdict then.
            options.engine.limits.ticks = Some(TICKS / 10);
            let report = report(task, &options);
            let is_wrong = |property: &&PropertyReport| match property.expected.expect("the head states it") {
                true => property.verdict == Answer::False,
                false => property.verdict == Answer::True,
            };
            let wrong = report.properties.iter().filter(is_wrong);
            wrong
                .map(|property| format!("{} is {:?} by {names}", task.program.name(), property.verdict))
                .collect()
        });
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}

/// The verdicts of the reports that are there if a limit strikes.
#[derive(Default)]
struct OnTheWay(Vec<Vec<(String, Answer)>>);

impl engine::Observer for OnTheWay {
    fn progress(&mut self, _: &Progress) {}
}

impl Observer for OnTheWay {
    fn known(&mut self, report: &Report) {
        self.0.push(verdicts(report));
    }

    fn warning(&mut self, _: &str) {}
}

/// Stages that are not asked about a property any more change nothing of its verdict.
#[test]
fn a_verdict_is_final_on_the_way() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/one_label_of_two.c");
    let task = task(&file).expect("it states its properties");
    for names in [
        "explore,slice",
        "explore,no-counters,whole",
        "explore,guess,sample,slice,whole",
    ] {
        let options = Options {
            strategy: Strategy::named(names).unwrap(),
            ..options()
        };
        let mut seen = OnTheWay::default();
        let last = verdicts(&verify(&task, &options, &mut seen).unwrap().report);
        assert_eq!(last[0].1, Answer::False, "{names}");
        let first = seen.0.iter().position(|known| known[0].1 == Answer::False);
        let first = first.expect("the violation is known as soon as it is found");
        assert!(
            seen.0[..first].iter().all(|known| known[0].1 == Answer::Unknown),
            "{names}"
        );
        assert!(
            seen.0[first..].iter().all(|known| known[0].1 == Answer::False),
            "{names}"
        );
        assert!(seen.0.iter().all(|known| known[1].1 != Answer::False), "{names}");
        assert!(
            seen.0[first..].iter().any(|known| known[1].1 == Answer::Unknown),
            "{names}: the other label is open then"
        );
    }
}

#[test]
fn samples_find_what_lies_behind_long_loops() {
    let tasks = tasks("programs/samples");
    assert!(tasks.len() > 3, "the programs are there");
    for task in tasks {
        let name = task.program.name();
        let report = report(&task, &options());
        let [property] = report.properties.as_slice() else {
            panic!("{name} has one property")
        };
        let expected = match property.expected {
            Some(false) => (Answer::False, 1),
            _ => (Answer::Unknown, 0),
        };
        let found = report.statistics.get(Counter::SampledCounterexamples);
        assert_eq!((property.verdict, found), expected, "{name}");
    }
}

#[test]
fn accelerated_loops_lead_to_what_lies_behind_many_turns() {
    let tasks = tasks("programs/accelerated");
    assert!(tasks.len() > 8, "the programs are there");
    for task in tasks {
        let name = task.program.name();
        let mut options = Options {
            strategy: Strategy::named("accelerate,slice").unwrap(),
            ..options()
        };
        // The other stage does not come so far.
        options.engine.explicit.steps = 10_000;
        options.engine.explicit.turns = 0;
        let report = report(&task, &options);
        let [property] = report.properties.as_slice() else {
            panic!("{name} has one property")
        };
        let expected = match property.expected {
            Some(false) => (Answer::False, 1),
            _ => (Answer::True, 0),
        };
        let found = report.statistics.get(Counter::AcceleratedCounterexamples);
        assert_eq!((property.verdict, found), expected, "{name}: {:?}", property.reason);
        assert!(report.statistics.get(Counter::Lanes) > 0, "{name}");
    }
}

/// The states of an exploration through lanes are at locations that the program does not have.
#[test]
fn what_formulas_find_behind_lanes_has_all_of_its_files() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/accelerated/counter_false.c");
    let task = task(&file).expect("it states a property");
    let out = std::env::temp_dir().join(format!("provident-lanes-{}", std::process::id()));
    let mut shown = Options {
        out: Some(out.clone()),
        strategy: Strategy::named("accelerate,slice").unwrap(),
        ..options()
    };
    shown.engine.explicit.steps = 1;
    shown.engine.explicit.turns = 0;
    let report = report(&task, &shown);
    assert_eq!(
        report.properties[0].verdict,
        Answer::False,
        "{:?}",
        report.properties[0].reason
    );
    assert_eq!(report.statistics.get(Counter::AcceleratedCounterexamples), 1);
    assert!(!report.views.arg.states.is_empty(), "the states are drawn");
    fs::remove_dir_all(&out).expect("the folder is there");
}

/// Verifies the programs of a folder in stages of which `guess` proves what holds. Each proof has obligations that are discharged. `look` gets the program's name, the report, and of a proof the manifest.
fn guessed(folder: &str, stages: &str, look: impl Fn(&str, &Report, Option<&Manifest>)) {
    let tasks = tasks(folder);
    assert!(tasks.len() > 8, "the programs are there");
    for task in tasks {
        let name = task.program.name();
        let out = std::env::temp_dir().join(format!("provident-guessed-{}-{name}", std::process::id()));
        let shown = Options {
            out: Some(out.clone()),
            strategy: Strategy::named(stages).unwrap(),
            ..options()
        };
        let report = report(&task, &shown);
        let [property] = report.properties.as_slice() else {
            panic!("{name} has one property")
        };
        let (expected, count) = match property.expected {
            Some(true) => (Answer::True, 1),
            _ => (Answer::False, 0),
        };
        let proofs = report.statistics.get(Counter::GuessProofs);
        assert_eq!((property.verdict, proofs), (expected, count), "{name}");
        let manifest = (expected == Answer::True).then(|| {
            let proof = report.proof.as_ref().expect("a TRUE has obligations");
            assert!(proof.obligations > 0, "{name}: {:?}", proof.without);
            let folder = out.join(FOLDER);
            let manifest = fs::read_to_string(folder.join(manifest::FILE)).unwrap();
            let manifest: Manifest = serde_json::from_str(&manifest).unwrap();
            let open = discharge_folder(&folder, &manifest, &Allowed::default()).unwrap();
            assert_eq!(open, [], "{name}");
            manifest
        });
        look(&name, &report, manifest.as_ref());
        let _ = fs::remove_dir_all(&out);
    }
}

#[test]
fn guesses_prove_what_holds_for_all_elements() {
    guessed("programs/guesses", "guess,sample,slice", |name, report, manifest| {
        let says = |text: &String| text != "1" && text != "0";
        let has_invariants = report.invariants.iter().any(|i| i.any_of.iter().any(says));
        assert!(
            manifest.is_none() || has_invariants,
            "{name}: loop heads have invariants"
        );
    });
}

#[test]
fn strategies_are_named() {
    for wrong in [
        "",
        "slices",
        "slice,no-counters",
        "whole,whole",
        "execute",
        "no-counters,accelerate",
    ] {
        assert!(Strategy::named(wrong).is_err(), "{wrong}");
    }
    assert_eq!(
        Strategy::named("execute,explore,guess,sample,no-counters,accelerate,slice,whole"),
        Ok(Strategy::sliced())
    );
    assert_eq!(Strategy::named("whole"), Ok(Strategy::whole()));
}

#[test]
fn guessed_contracts_prove_what_recursive_functions_compute() {
    guessed("programs/contracts", "guess,slice", |name, report, manifest| {
        assert!(report.statistics.get(Counter::GuessedContracts) > 0, "{name}");
        let kept = report.statistics.get(Counter::KeptContracts);
        assert_eq!(kept > 0, manifest.is_some(), "{name}");
        assert!(manifest.is_none_or(|manifest| !manifest.contracts.is_empty()), "{name}");
    });
}
