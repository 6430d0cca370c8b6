//! The programs of `tests/programs`, each with its expected verdicts in its head, through the library in every configuration.
//!
//! A head line `//# call f: TRUE` or `//# label L: FALSE` states a property and its verdict, `//# data-model ILP32` the sizes. Each
//! program is verified with the presets `single` and `multi`, each with one and with eight threads; verdict, precision and
//! statistics may not depend on the number of threads.

use crate::parallel;
use provident::cfa::{LowerOptions, Program, lower};
use provident::engine::{self, Property, Refinement, Silent, Verdict};
use provident::evidence::replay;
use provident::frontend::text::preprocess;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use provident::spec::{Forbidden, target_edges};
use std::fs;
use std::path::{Path, PathBuf};

/// A program with what is expected of it.
struct Example {
    name: String,
    program: Program,
    properties: Vec<(Forbidden, String)>,
}

fn load(file: &Path) -> Example {
    let name = file.file_name().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(file).unwrap();
    let mut data_model = DataModel::Lp64;
    let mut properties = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//# ")) {
        match line.split_once(' ').unwrap_or((line, "")) {
            ("data-model", "ILP32") => data_model = DataModel::Ilp32,
            (kind @ ("call" | "label"), rest) => {
                let (subject, verdict) = rest.split_once(": ").unwrap_or_else(|| panic!("{name}: `{line}`"));
                assert!(matches!(verdict, "TRUE" | "FALSE"), "{name}: `{line}`");
                let subject = subject.to_string();
                let forbidden = if kind == "call" {
                    Forbidden::Call(subject)
                } else {
                    Forbidden::Label(subject)
                };
                properties.push((forbidden, verdict.to_string()));
            }
            _ => panic!("{name}: `{line}` is no expectation"),
        }
    }
    assert!(!properties.is_empty(), "{name} states no expectation");
    let source =
        preprocess::read(&file.to_path_buf().into(), data_model).unwrap_or_else(|e| panic!("{}", e.render(false)));
    let unit = parse(source, &FrontendOptions { data_model }).unwrap_or_else(|e| panic!("{}", e.render(false)));
    let program = lower(unit, &LowerOptions::default()).unwrap_or_else(|e| panic!("{}", e.render(false)));
    Example {
        name,
        program,
        properties,
    }
}

/// Everything about a run that may not depend on the number of threads, as text; the verdicts are checked.
fn check(example: &Example, preset: &str, threads: usize, problems: &mut Vec<String>) -> String {
    let program = &example.program;
    let properties: Vec<Property> = example
        .properties
        .iter()
        .map(|(forbidden, _)| Property {
            name: forbidden.word().to_string(),
            targets: target_edges(program, forbidden),
            ..Property::default()
        })
        .collect();
    let options = engine::Options {
        refine: Refinement::preset(preset).unwrap(),
        threads,
        check: true,
        // Programs that explicit values decide are not refined; `tests/integration/explicit.rs` has them on.
        explicit: engine::Explicit {
            enabled: false,
            ..engine::Explicit::default()
        },
        ..engine::Options::default()
    };
    let mut confirm = |candidate: &engine::CounterexampleCandidate| {
        replay(program, &candidate.steps, &candidate.inputs).judgement.into()
    };
    let outcome = engine::verify(program, &properties, &options, &mut Silent, &mut confirm);
    let mut seen = format!("{}\n{}", outcome.statistics, outcome.precision.join("\n"));
    for ((forbidden, expected), (name, verdict)) in example.properties.iter().zip(&outcome.verdicts) {
        assert_eq!(forbidden.word(), name, "verdicts come in the order of the properties");
        let text = verdict.text();
        if text != *expected {
            problems.push(format!(
                "{} {preset} {threads}: {forbidden} is {text}, expected {expected}",
                example.name
            ));
        }
        seen.push_str(&format!("\n{name}: {text}"));
        if let Verdict::False(counterexample) = verdict {
            seen.push_str(&format!(" by {:?}", counterexample.candidate.steps));
        }
    }
    seen
}

/// Programs for which the refinement loop alone takes minutes; `tests/integration/explicit.rs` has them with explicit values.
const NOT_BY_REFINEMENT: [&str; 2] = ["disputed_char_counter_false.c", "recursion_frames_true.c"];

#[test]
fn every_program_gets_its_verdict_in_every_configuration() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "c"));
    files.retain(|file| !NOT_BY_REFINEMENT.iter().any(|name| file.ends_with(name)));
    files.sort();
    assert!(files.len() >= 25, "the programs are missing");
    let problems = parallel::problems(&files, |file| {
        let mut problems = Vec::new();
        let example = load(file);
        for preset in ["single", "multi"] {
            let one = check(&example, preset, 1, &mut problems);
            let eight = check(&example, preset, 8, &mut Vec::new());
            assert_eq!(
                one, eight,
                "{} {preset}: the result depends on the number of threads",
                example.name
            );
        }
        problems
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
