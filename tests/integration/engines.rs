//! The engines `impact`, `imc`, `ismc`, `dar` and `kinduction`: verdicts, evidence, what they count, and that threads do not matter.

use crate::cases::{CASES, program, run, run_certified, text};
use crate::discharged::{open, properties};
use crate::parallel::problems;
use provident::cpa::tracking::PropertyId;
use provident::engine::{Algorithm, Counter, Explicit, Limits, Options, Outcome};
use provident::evidence::obligations::{Effort, obligations};
use provident_smt::solver::{Config, Solver};
use std::path::Path;
use std::process::Command;

const ENGINES: [(&str, Algorithm); 5] = [
    ("impact", Algorithm::Impact),
    ("imc", Algorithm::Imc),
    ("ismc", Algorithm::Ismc),
    ("dar", Algorithm::Dar),
    ("kinduction", Algorithm::KInduction),
];

/// Programs with verdicts for the labels `A` and `B` that every engine finds.
const PROGRAMS: &[(&str, [&str; 2], &str)] = &[
    (
        "two loops one after the other",
        ["TRUE", "FALSE"],
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int x = 0, y = 0;
         while (__VERIFIER_nondet_int()) { x = 1 - x; y = 1 - y; }
         while (__VERIFIER_nondet_int()) { if (x != y) { A: return 1; } y = 1 - y; x = 1 - x; }
         if (x == y) { B: return 2; } return 0; }",
    ),
    (
        "the variables of a function that has returned",
        ["TRUE", "TRUE"],
        "extern int __VERIFIER_nondet_int(void);
         int check(int condition) { int result; result = !condition; return result; }
         int main(void) { int x = 0, m = 0, n = __VERIFIER_nondet_int();
         while (x < n) { if (__VERIFIER_nondet_int()) m = x; x = x + 1; }
         if (check(m >= 0 || n <= 0)) { A: return 1; }
         if (check(m < n || n <= 0)) { B: return 2; } return 0; }",
    ),
    (
        "loops inside of each other",
        ["TRUE", "TRUE"],
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int locked = 0, n = 0;
         while (__VERIFIER_nondet_int()) { locked = 1; n = 0;
           while (__VERIFIER_nondet_int()) { if (!locked) { A: return 1; } n = 1; }
           locked = 0; }
         if (locked) { B: return 2; } return 0; }",
    ),
    (
        "three states in turn",
        ["TRUE", "FALSE"],
        "extern int __VERIFIER_nondet_int(void);
         int main(void) { int a = 1, b = 0, c = 0;
         while (__VERIFIER_nondet_int()) { int t = c; c = b; b = a; a = t; if (a + b + c != 1) { A: return 1; } }
         if (c == 1) { B: return 2; } return 0; }",
    ),
];

fn options(algorithm: Algorithm) -> Options {
    Options {
        algorithm,
        explicit: Explicit {
            enabled: false,
            ..Explicit::default()
        },
        certificate: true,
        limits: Limits {
            ticks: Some(30_000_000),
            ..Limits::default()
        },
        ..Options::default()
    }
}

fn runs<T: Copy>(all: &[T]) -> Vec<((&'static str, Algorithm), T)> {
    let pairs = ENGINES
        .iter()
        .flat_map(|&engine| all.iter().map(move |&item| (engine, item)));
    pairs.collect()
}

/// What is wrong with the verdicts, and with the evidence for what holds: its obligations have to be discharged from their text alone.
fn problems_of(name: &str, source: &str, options: &Options, is_right: impl Fn(usize, &str) -> bool) -> Vec<String> {
    let algorithm = options.algorithm;
    let program = program(name, source);
    let (verdicts, certified) = run_certified(&program, options);
    let wrong = verdicts
        .iter()
        .enumerate()
        .filter(|(at, verdict)| !is_right(*at, verdict));
    let mut found: Vec<String> = wrong
        .map(|(at, verdict)| format!("{name}: {algorithm:?} says {verdict} of {at}"))
        .collect();
    let holds: Vec<PropertyId> = PropertyId::first(2).filter(|p| verdicts[p.index()] == "TRUE").collect();
    if holds.is_empty() {
        return found;
    }
    let Some(certificate) = certified.evidence.certificate else {
        found.push(format!(
            "{name}: {algorithm:?} shows nothing: {:?}",
            certified.evidence.without
        ));
        return found;
    };
    let mut solver = |_: Effort| {
        Solver::new(Config {
            proofs: true,
            ..Config::default()
        })
    };
    match obligations(&program, &properties(&program), &certificate, &mut solver) {
        Ok(made) if certificate.properties == holds => {
            found.extend(
                open(&made)
                    .iter()
                    .map(|file| format!("{name}: {algorithm:?} leaves {file:?} open")),
            );
        }
        Ok(_) => found.push(format!("{name}: {algorithm:?} shows {:?}", certificate.properties)),
        Err(failure) => found.push(format!("{name}: {algorithm:?} makes no obligations: {failure:?}")),
    }
    found
}

#[test]
fn programs_get_their_verdicts_and_proofs() {
    let programs: Vec<usize> = (0..PROGRAMS.len()).collect();
    let found = problems(&runs(&programs), |&((_, algorithm), at)| {
        let (name, expected, source) = PROGRAMS[at];
        problems_of(name, source, &options(algorithm), |property, verdict| {
            verdict == expected[property]
        })
    });
    assert_eq!(found, [""; 0]);
}

#[test]
fn no_engine_contradicts_the_expected_verdicts() {
    let cases: Vec<usize> = (0..CASES.len()).collect();
    let found = problems(&runs(&cases), |&((_, algorithm), at)| {
        let case = &CASES[at];
        let is_recursive = case.name == "recursion";
        // Every path counts as confirmed here, also one of ideal integers.
        let options = Options {
            ideal_ticks: 0,
            ..options(algorithm)
        };
        problems_of(case.name, case.text, &options, |property, verdict| match is_recursive {
            true => verdict.starts_with("UNKNOWN (unsupported) a recursion"),
            false => verdict == case.expected[property],
        })
    });
    assert_eq!(found, [""; 0]);
}

/// The programs of `tests/programs`, of which many are about memory and the ranges of types.
#[test]
fn no_engine_contradicts_predicate_abstraction() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    let found = problems(&files, |file| {
        let answer = |engine: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_provident"));
            command.args(["verify", "-q", "--set", "explicit=off", "--ticks", "4000000", "--set"]);
            let output = command.arg(format!("engine={engine}")).arg(file).output().unwrap();
            let output = String::from_utf8(output.stdout).unwrap();
            let verdict = output.lines().last().and_then(|line| line.strip_prefix("VERDICT: "));
            verdict
                .unwrap_or_else(|| panic!("{}: {output}", file.display()))
                .to_string()
        };
        let expected = answer("predicate");
        let is_contrary = |other: &str| matches!((expected.as_str(), other), ("TRUE", "FALSE") | ("FALSE", "TRUE"));
        let answers = ENGINES.map(|(engine, _)| (engine, answer(engine)));
        let contrary = answers.iter().filter(|(_, verdict)| is_contrary(verdict));
        contrary
            .map(|(engine, verdict)| format!("{}: {engine} says {verdict}", file.display()))
            .collect()
    });
    assert_eq!(found, [""; 0]);
}

fn outcome_of(source: &str, options: &Options) -> Outcome {
    run(&program("program.c", source), options).1
}

#[test]
fn threads_do_not_matter() {
    let programs: Vec<usize> = (0..PROGRAMS.len()).collect();
    let found = problems(&runs(&programs), |&((_, algorithm), at)| {
        let (name, _, source) = PROGRAMS[at];
        let with = |threads| {
            text(&outcome_of(
                source,
                &Options {
                    threads,
                    ..options(algorithm)
                },
            ))
        };
        let is_same = with(1) == with(8);
        (!is_same)
            .then(|| format!("{name}: {algorithm:?}"))
            .into_iter()
            .collect()
    });
    assert_eq!(found, [""; 0]);
}

/// The loop swaps two variables: `x != y` follows from itself after one round, but what is asserted only after two.
const SWAPPED: &str = "extern int __VERIFIER_nondet_int(void);
    int main(void) { int a = 1, b = 2, c = 3;
    while (__VERIFIER_nondet_int()) { if (a == b) { A: return 1; } int t = a; a = b; b = c; c = t; }
    return 0; B: return 2; }";

#[test]
fn k_induction_counts_its_depth() {
    let outcome = outcome_of(SWAPPED, &options(Algorithm::KInduction));
    assert_eq!(outcome.verdicts[0].1.text(), "TRUE");
    let statistics = &outcome.statistics;
    assert_eq!(statistics.get(Counter::InductiveDepths), 1, "{statistics}");
    assert!(
        (3..=5).contains(&statistics.get(Counter::UnrolledSteps)),
        "{statistics}"
    );
    assert!(statistics.get(Counter::Images) > 0, "{statistics}");
}

#[test]
fn dar_unrolls_where_single_steps_do_not_refute() {
    let outcome = outcome_of(SWAPPED, &options(Algorithm::Dar));
    assert_eq!(outcome.verdicts[0].1.text(), "TRUE");
    let statistics = &outcome.statistics;
    let [local, global] =
        [Counter::LocalStrengthenings, Counter::GlobalStrengthenings].map(|counter| statistics.get(counter));
    assert!(local > 0 && global > 0, "{statistics}");
    // An unrolling is no longer than the sequences of sets, to which each round adds one.
    assert!(statistics.get(Counter::UnrolledSteps) <= local + global, "{statistics}");
}

#[test]
fn coverings_are_forced_on_demand() {
    let (_, _, source) = PROGRAMS[0];
    let with = |forced_covering| {
        let options = Options {
            forced_covering,
            ..options(Algorithm::Impact)
        };
        outcome_of(source, &options).statistics
    };
    let (forced, lazy) = (with(true), with(false));
    assert!(forced.get(Counter::ForcedCoverings) > 0, "{forced}");
    assert_eq!(lazy.get(Counter::ForcedCoveringQueries), 0, "{lazy}");
    for statistics in [forced, lazy] {
        assert!(statistics.get(Counter::Coverings) > 0, "{statistics}");
        assert!(statistics.get(Counter::StrengthenedLabels) > 0, "{statistics}");
    }
}

#[test]
fn limits_of_effort_are_kept() {
    for (name, algorithm) in ENGINES {
        let limits = Limits {
            ticks: Some(20_000),
            ..Limits::default()
        };
        let options = Options {
            limits,
            ..options(algorithm)
        };
        let outcome = outcome_of(PROGRAMS[1].2, &options);
        let verdict = outcome.verdicts[0].1.text();
        assert!(verdict.starts_with("UNKNOWN (tick-limit)"), "{name}: {verdict}");
        let spent = outcome.statistics.get(Counter::SolverTicks);
        assert!(spent < 60_000, "{name}: {spent}");
    }
}
