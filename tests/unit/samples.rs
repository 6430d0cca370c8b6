//! Executions with chosen inputs, held against the replay machine, with which the fast machine shares no code: the replay takes every path with the inputs that are on record.

use provident::cfa::{EdgeId, LowerOptions, Program, Step, lower};
use provident::engine::CandidateInput;
use provident::evidence::Judgement;
use provident::evidence::replay::replay;
use provident::explicit::concrete::{Chosen, Event, Execution};
use provident::explicit::pattern::PATTERNS;
use provident::frontend::text::source::Source;
use provident::frontend::types::DataModel;
use provident::frontend::{FrontendOptions, parse};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Steps of an execution at most.
const MAX_STEPS: u64 = 20_000;

fn program(text: &str) -> Option<Program> {
    let data_model = match text.contains("//# data-model ILP32") {
        true => DataModel::Ilp32,
        false => DataModel::Lp64,
    };
    let unit = parse(Source::new("test.c", text), &FrontendOptions { data_model }).ok()?;
    lower(unit, &LowerOptions::default()).ok()
}

/// Replays what an execution with inputs of each pattern does. Returns the numbers of paths and of inputs.
fn samples(name: &str, program: &Program) -> (usize, usize) {
    let nothing = |_: EdgeId| false;
    let (mut paths, mut inputs) = (0, 0);
    for pattern in PATTERNS {
        let Ok(mut execution) =
            Execution::with(program, BTreeSet::new(), &nothing, true, Some(Chosen::Pattern(pattern)))
        else {
            continue;
        };
        let event = execution.run(MAX_STEPS);
        let mut path = execution.path().to_vec();
        // The last step is the one that it could not do.
        if matches!(event, Event::Stopped(_)) {
            path.pop();
        }
        // A path ends with an edge.
        while matches!(path.last(), Some(Step::Leave(_) | Step::Enter(_))) {
            path.pop();
        }
        let taken: Vec<CandidateInput> = execution.inputs().iter().copied().map(Into::into).collect();
        let replayed = replay(program, &path, &taken);
        assert_eq!(
            replayed.judgement,
            Judgement::Confirmed,
            "{name}: {pattern:?} with {taken:?}"
        );
        paths += 1;
        inputs += taken.len();
    }
    (paths, inputs)
}

#[test]
fn the_replay_takes_the_path_of_every_sample() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let (mut paths, mut inputs) = (0, 0);
    for folder in [root.clone(), root.join("explicit"), root.join("calls")] {
        let mut files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        files.sort();
        for file in files.iter().filter(|file| file.extension().is_some_and(|e| e == "c")) {
            let Some(program) = program(&fs::read_to_string(file).unwrap()) else {
                continue;
            };
            let (more, read) = samples(&file.display().to_string(), &program);
            paths += more;
            inputs += read;
        }
    }
    assert!(paths > 500 && inputs > 5_000, "{paths} paths, {inputs} inputs");
}

#[test]
fn contents_without_a_value_are_inputs() {
    let text = "extern void abort(void);\n\
                struct pair { short first; unsigned char second; };\n\
                int main(void) {\n\
                  int cells[40]; struct pair pairs[3]; unsigned long word; unsigned long *where = &word; _Bool truth;\n\
                  int sum = 0;\n\
                  for (int i = 1; i < 40; i++) if (cells[i] > cells[i - 1]) { int t = cells[i]; cells[i] = cells[i - 1]; cells[i - 1] = t; sum++; }\n\
                  if (pairs[1].first < pairs[2].second) sum += 2;\n\
                  if (*where > 7) sum += 4;\n\
                  if (truth) sum += 8;\n\
                  while (sum > 0) sum--;\n\
                  return 0;\n\
                }\n";
    let program = program(text).expect("a program");
    let (paths, inputs) = samples("contents", &program);
    assert_eq!(paths, PATTERNS.len());
    assert_eq!(inputs, PATTERNS.len() * (40 + 2 + 1 + 1));
}
