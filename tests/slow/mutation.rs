//! Mutation check of the product: known faults are planted, one at a time, and the checks have to find each.
//!
//! `cargo test --release --features faults --test slow mutation:: -- --nocapture` runs our own programs with every fault of [`FAULTS`] under `--check`, with everything that a verdict can show
//! for itself. The checks run in the faulty process: nothing but the C compiler of the harness is spared. For each fault
//!
//! * at least one check has to fail on some program, and
//! * no program may get a wrong verdict that all checks agree with.
//!
//! A fault that survives is a gap in the checks, and fails the test. `PROVIDENT_FAULT_ONLY=name,name` picks faults.
//!
//! Faults of choices among refinements, each of which is right, do not show in verdicts either: `tests/dev/mutation.sh` plants them under the tests of the choice.
//!
//! Faults of those who check evidence do not show in runs whose evidence is right. They are planted under the tests that tamper with evidence, which have to fail: `tests/dev/mutation.sh`.
//!
//! With a fault, programs are run until a check has found it; without the fault, no check may find anything in the same program. `PROVIDENT_FAULT_ALL=1`
//! runs all programs with every fault, which takes many times as long: `tests/dev/mutation.sh`.

use provident_smt::fault::FAULTS;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// Programs that take the refinement loop alone many seconds.
const NOT_BY_REFINEMENT: [&str; 1] = ["recursion_frames_true.c"];

/// A program with a property and its verdict.
struct Task {
    program: PathBuf,
    property: PathBuf,
    model: &'static str,
    expected: String,
    /// Further settings of its runs.
    settings: &'static [&'static str],
    /// Whether its proof rests on guesses: it takes as long as many others, and says more than they do only about faults of evidence.
    is_guessed: bool,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// A check found something; which one.
    Caught(&'static str),
    /// The right verdict, or none, with no check failing.
    Harmless,
    /// A wrong verdict that all checks agree with.
    Escaped(String),
}

/// The first words of the messages of the checks, and the names of these checks here.
const CHECKS: &[(&str, &str)] = &[
    ("wrong proof", "proof check"),
    ("wrong interpolant", "interpolant check"),
    ("an interpolant has a symbol of one side", "interpolant check"),
    ("wrong abstraction", "abstraction check"),
    ("wrong product", "abstraction check"),
    ("wrong merge", "merge check"),
    ("wrong encoding", "executions"),
    ("wrong sliced prefix", "prefix check"),
    ("wrong model", "model evaluation"),
    ("the model violates", "model evaluation"),
    ("the obligation", "obligations"),
    ("do not hold", "obligations"),
    ("left it", "replay"),
    ("could not be replayed", "replay"),
    ("does not reach the violation", "harness"),
    ("what was proved has no violation", "two proofs compared"),
    ("internal error", "other assertion"),
    ("panicked", "other assertion"),
];

/// Programs whose proofs rest on guesses from explicit states.
const GUESSED: [&str; 3] = ["array_all_true.c", "answers_true.c", "guess_dropped_true.c"];

fn programs(scratch: &Path) -> Vec<Task> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let guessed = GUESSED.map(|name| folder.join("explicit").join(name));
    let of_values: Vec<PathBuf> = fs::read_dir(folder.join("values"))
        .expect("the programs are there")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    let mut files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the programs are there")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .chain(guessed.iter().cloned())
        .chain(of_values.iter().cloned())
        .collect();
    files.sort();
    let mut tasks = Vec::new();
    for program in files {
        let text = fs::read_to_string(&program).expect("a text");
        let model = match text.contains("//# data-model ILP32") {
            true => "ILP32",
            false => "LP64",
        };
        for line in text.lines().filter_map(|line| line.strip_prefix("//# ")) {
            let Some((kind @ ("call" | "label"), rest)) = line.split_once(' ') else {
                continue;
            };
            let (subject, verdict) = rest.split_once(": ").expect("a subject and a verdict");
            let brackets = if kind == "call" { "()" } else { "" };
            let property = scratch.join(format!("{kind}-{subject}.prp"));
            let formula = format!("CHECK( init(main()), LTL(G ! {kind}({subject}{brackets})) )");
            fs::write(&property, formula).expect("the scratch folder is writable");
            let both: [&[&str]; 2] = [&["explicit=on"], &["explicit=off"]];
            let values: [&[&str]; 2] = [
                &["explicit=off", "analysis=value"],
                &["explicit=off", "analysis=value+predicate", "analysis.threshold=0"],
            ];
            let both = if of_values.contains(&program) { values } else { both };
            let is_guessed = guessed.contains(&program);
            let is_one = is_guessed || NOT_BY_REFINEMENT.iter().any(|name| program.ends_with(name));
            for settings in both.into_iter().take(if is_one { 1 } else { 2 }) {
                tasks.push(Task {
                    program: program.clone(),
                    property: property.clone(),
                    model,
                    expected: verdict.to_string(),
                    settings,
                    is_guessed,
                });
            }
        }
    }
    assert!(tasks.len() > 60, "there are many programs");
    tasks
}

/// Runs the program with a fault, or none. Returns what it prints.
fn provident(fault: &str, arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provident"));
    command.args(arguments);
    match fault {
        "" => command.env_remove("PROVIDENT_FAULT"),
        _ => command.env("PROVIDENT_FAULT", fault),
    };
    let output = command.output().expect("the program runs");
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Verifies a task under a fault. Returns whether the fault was met, and how it ended. Sliced prefixes are looked for only where a preference asks for them.
fn trial((fault, room): (&str, &str), task: &Task, out: &Path) -> (bool, End) {
    let [program, property, out] = [&task.program, &task.property, out].map(|path| path.to_str().expect("a name"));
    let about = ["--property", property, "--data-model", task.model];
    let limits = ["--cpu-limit", "5", "--ticks", "2000000"];
    let verify = ["verify", program, "--check", "--out", out];
    let prefer: &[&str] = match room {
        "refinement" => &["--set", "refine.prefer=good,narrow"],
        _ => &[],
    };
    let settings: Vec<&str> = task.settings.iter().flat_map(|setting| ["--set", setting]).collect();
    let text = provident(fault, &[&verify[..], &about, &limits, prefer, &settings].concat());
    let is_met = text.contains("planted fault");
    if let Some((_, check)) = CHECKS.iter().find(|(message, _)| text.contains(message)) {
        return (is_met, End::Caught(check));
    }
    // Where an obligation cannot be shown there is none, and the report says which.
    let report = fs::read_to_string(Path::new(out).join("report.json")).unwrap_or_default();
    if report.contains("the obligation that ") {
        return (is_met, End::Caught("obligations"));
    }
    let verdict = text
        .lines()
        .find_map(|line| line.strip_prefix("VERDICT: "))
        .unwrap_or("none");
    let word = verdict.split(' ').next().unwrap_or_default();
    if word == task.expected || !matches!(word, "TRUE" | "FALSE") {
        return (is_met, End::Harmless);
    }
    // The witness is validated by the same faulty program.
    let witness = fs::read_dir(out)
        .expect("there are files")
        .map(|entry| entry.expect("an entry").path())
        .find(|path| path.extension().is_some_and(|e| e == "yml"));
    let Some(witness) = witness else {
        return (is_met, End::Escaped(text));
    };
    let check = ["check", program, witness.to_str().expect("a name")];
    let answer = provident(fault, &[&check[..], &about, &limits].concat());
    let end = match answer.contains("WITNESS: CONFIRMED") {
        true => End::Escaped(text),
        false => End::Caught("witness validation"),
    };
    (is_met, end)
}

/// Does some work for each number, on two threads.
fn in_parallel(count: usize, work: &(dyn Fn(usize) + Sync)) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    work(number);
                }
            });
        }
    });
}

#[test]
fn every_planted_fault_is_found() {
    let scratch = std::env::temp_dir().join(format!("provident-mutation-{}", std::process::id()));
    fs::create_dir_all(&scratch).expect("a scratch folder");
    let tasks = programs(&scratch);
    let only: Option<BTreeSet<String>> = std::env::var("PROVIDENT_FAULT_ONLY")
        .ok()
        .map(|names| names.split(',').map(str::to_string).collect());
    let is_wanted = |name: &str| only.as_ref().is_none_or(|only| only.contains(name));
    let is_whole = std::env::var("PROVIDENT_FAULT_ALL").is_ok();
    // Without a fault no check fails, and every verdict is right: otherwise what follows would say nothing.
    let mut sound: BTreeSet<usize> = BTreeSet::new();
    if is_whole {
        let ends = run(("", "evidence"), &tasks, true, &scratch);
        let wrong: Vec<_> = ends.iter().filter(|(_, (_, end))| *end != End::Harmless).collect();
        assert!(wrong.is_empty(), "without a fault: {wrong:?}");
        sound.extend(ends.keys());
    }
    let mut survivors = Vec::new();
    for &(room, fault, what) in FAULTS.iter().filter(|fault| is_wanted(fault.1)) {
        let start = Instant::now();
        let ends = run((fault, room), &tasks, is_whole, &scratch);
        let seconds = start.elapsed().as_secs_f64();
        let caught = ends.iter().filter(|(_, (_, end))| matches!(end, End::Caught(_)));
        for (&number, _) in caught.take(if is_whole { usize::MAX } else { 1 }) {
            if sound.insert(number) {
                let (_, end) = trial(("", room), &tasks[number], &scratch.join("sound"));
                assert_eq!(
                    end,
                    End::Harmless,
                    "without a fault: {}",
                    tasks[number].program.display()
                );
            }
        }
        let met = ends.values().filter(|(is_met, _)| *is_met).count();
        let mut by: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, end) in ends.values() {
            if let End::Caught(check) = end {
                *by.entry(check).or_default() += 1;
            }
        }
        println!("{room:13} {fault:24} met {met:3} caught {by:?}  ({what}; {seconds:.0} s)");
        if by.is_empty() {
            survivors.push(format!("{fault}: no check finds it"));
        }
        for (number, (_, end)) in &ends {
            if let End::Escaped(text) = end {
                let task = &tasks[*number];
                survivors.push(format!(
                    "{fault}: wrong verdict for {} {}: {text}",
                    task.program.display(),
                    task.settings.join(" ")
                ));
            }
        }
    }
    fs::remove_dir_all(&scratch).expect("it is ours");
    assert!(survivors.is_empty(), "survivors:\n{}", survivors.join("\n"));
}

/// Tasks under a fault of a room: all of them, or until a check finds it.
fn run((fault, room): (&str, &str), tasks: &[Task], all: bool, scratch: &Path) -> BTreeMap<usize, (bool, End)> {
    let ends = Mutex::new(BTreeMap::new());
    let is_found = AtomicBool::new(false);
    in_parallel(tasks.len(), &|number| {
        let is_left_out = tasks[number].is_guessed && room != "evidence";
        if is_left_out || !all && is_found.load(Ordering::Relaxed) {
            return;
        }
        let out = scratch.join(format!("{fault}-{number}"));
        let end = trial((fault, room), &tasks[number], &out);
        if matches!(end.1, End::Caught(_)) {
            is_found.store(true, Ordering::Relaxed);
        }
        // Rests of a folder do not matter: all of them go at the end.
        let _ = fs::remove_dir_all(&out);
        ends.lock().expect("nobody panics").insert(number, end);
    });
    ends.into_inner().expect("nobody panics")
}
