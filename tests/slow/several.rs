//! Several properties at once, from the command line: every way to check them gives the verdicts of each property alone, however small the budgets and whenever the process is killed.

use crate::command;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Ways to check several properties, all with limits that repeat exactly.
const WAYS: &[&[&str]] = &[
    &["decompose.strategy=S0"],
    &[
        "decompose.strategy=S1",
        "decompose.ticks=3000",
        "decompose.reuse=nothing",
    ],
    &[
        "decompose.strategy=S2",
        "decompose.ticks=40000",
        "decompose.reuse=precision",
    ],
    &["decompose.strategy=S3", "decompose.ticks=3000"],
    &["decompose.strategy=S4", "decompose.refinements=1"],
    &["decompose.strategy=S4", "decompose.transitions=40"],
    &["decompose.strategy=bisect", "decompose.ticks=3000"],
    &["aspects=on", "aspects.interval-limit=3000t", "aspects.idle-limit=3000t"],
    &[
        "aspects=on",
        "aspects.property-limit=20000t",
        "aspects.cleaning=arg-subtract",
        "refine=single",
    ],
    &["aspects=on", "aspects.interval-limit=20000t", "aspects.cleaning=all"],
    &[
        "aspects=on",
        "aspects.interval-limit=3000t",
        "aspects.cleaning=wl-clear",
        "refine=single",
    ],
    &["aspects=on", "aspects.first-limit=60000t", "aspects.cleaning=none"],
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/specifications")
}

fn provident(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = command::provident(&["verify"]);
    command
        .current_dir(folder)
        .args(arguments)
        .args(["--threads", "1", "--cpu-limit", "120"]);
    command
}

/// The verdicts by property; one alone is called by the name given.
fn verdicts(output: &str, alone: &str) -> BTreeMap<String, String> {
    let word = |line: &str| line.split(' ').next().unwrap_or_default().to_string();
    let lines = output.lines().filter_map(|line| line.strip_prefix("PROPERTY "));
    let mut found: BTreeMap<String, String> = lines
        .filter_map(|line| line.split_once(": "))
        .map(|(name, verdict)| (name.to_string(), word(verdict)))
        .collect();
    if found.is_empty() {
        let verdict = output.lines().find_map(|line| line.strip_prefix("VERDICT: "));
        found.extend(verdict.map(|verdict| (alone.to_string(), word(verdict))));
    }
    found
}

fn run(folder: &Path, arguments: &[&str], alone: &str) -> BTreeMap<String, String> {
    let output = provident(folder, arguments).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let found = verdicts(&text, alone);
    assert!(
        !found.is_empty(),
        "{arguments:?}: {text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    found
}

/// Holds that definite verdicts are those of the properties alone.
fn compare(
    what: &str,
    together: &BTreeMap<String, String>,
    alone: &BTreeMap<String, String>,
    problems: &mut Vec<String>,
) {
    for (name, expected) in alone {
        match together.get(name) {
            None => problems.push(format!("{what}: nothing is said of {name}")),
            Some(found) if found == expected || found == "UNKNOWN" || expected == "UNKNOWN" => {}
            Some(found) => problems.push(format!("{what}: {name} is {found}, alone {expected}")),
        }
    }
}

const SPECS: [&str; 3] = ["lock", "count", "families"];

/// Programs of ours that several of our automata speak about.
const PROGRAMS: [&str; 4] = [
    "lock_alias_false.c",
    "count_false.c",
    "several_rules.c",
    "rule_43_1a_false.c",
];

#[test]
fn every_way_gives_the_verdicts_of_each_property_alone() {
    let folder = folder();
    let mut problems = Vec::new();
    let mut definite = 0;
    for program in PROGRAMS {
        let mut alone = BTreeMap::new();
        let mut all = vec![program];
        let names: Vec<String> = SPECS.iter().map(|name| format!("{name}.spc")).collect();
        for (name, file) in SPECS.iter().zip(&names).filter(|(_, file)| folder.join(file).exists()) {
            alone.extend(run(&folder, &[program, "--spec", file], name));
            all.extend(["--spec", file]);
        }
        for rule in ["32_1a", "43_1a", "77_1a"] {
            alone.extend(run(&folder, &[program, "--rule", rule], rule));
        }
        all.extend(["--rule", "32_1a,43_1a,77_1a"]);
        for way in WAYS {
            for explicit in ["explicit=on", "explicit=off"] {
                let settings = way.iter().flat_map(|setting| ["--set", setting]);
                let settings: Vec<&str> = all.iter().copied().chain(settings).chain(["--set", explicit]).collect();
                let together = run(&folder, &settings, "");
                definite += together.values().filter(|verdict| *verdict != "UNKNOWN").count();
                compare(
                    &format!("{program} {way:?} {explicit}"),
                    &together,
                    &alone,
                    &mut problems,
                );
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(
        definite > 200,
        "only {definite} definite verdicts: nothing was compared"
    );
}

#[test]
fn without_small_budgets_nothing_is_lost() {
    let folder = folder();
    for way in [
        "decompose.strategy=S0",
        "decompose.strategy=S4",
        "decompose.strategy=bisect",
        "aspects=on",
    ] {
        let arguments = [
            "several_rules.c",
            "--rule",
            "linux",
            "--set",
            way,
            "--set",
            "explicit=off",
        ];
        let found = run(&folder, &arguments, "");
        assert_eq!(found.len(), 14, "{way}");
        for (name, verdict) in &found {
            let expected = if matches!(name.as_str(), "32_1a" | "43_1a") {
                "FALSE"
            } else {
                "TRUE"
            };
            assert_eq!(verdict, expected, "{way}: {name}");
        }
    }
}

/// A fixed sequence of moments: the generator of Knuth, MMIX.
struct Moments(u64);

impl Moments {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Kills the process again and again, and then lets it come to its end: from the results file it has to say what it says undisturbed.
fn killed(times: u64, way: &str, seed: u64) {
    let folder = folder();
    let results = std::env::temp_dir().join(format!("provident-kills-{}-{seed}.json", std::process::id()));
    let _ = fs::remove_file(&results);
    let base = [
        "several_rules.c",
        "--rule",
        "linux",
        "--set",
        way,
        "--set",
        "explicit=off",
    ];
    let expected = run(&folder, &base, "");
    let name = results.display().to_string();
    let with: Vec<&str> = base.into_iter().chain(["--results", &name]).collect();
    let mut moments = Moments(seed);
    let mut interrupted = 0;
    for kill in 0..times {
        if kill % 4 == 0 {
            // From time to time the work begins anew, else there would be nothing left to kill.
            let _ = fs::remove_file(&results);
        }
        let mut child = provident(&folder, &with)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(5 + moments.next(150)));
        interrupted += u64::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        child.wait().unwrap();
        if let Ok(text) = fs::read_to_string(&results) {
            let value: serde_json::Value = serde_json::from_str(&text).expect("the file is whole at any moment");
            assert_eq!(value["properties"].as_array().map(Vec::len), Some(14));
        }
    }
    println!("{interrupted} of {times} kills met the process at work");
    assert_eq!(run(&folder, &with, ""), expected, "{way}");
    // Nothing is left to do, and the same is said again, with the traces.
    let again = provident(&folder, &with).output().unwrap();
    let text = String::from_utf8_lossy(&again.stdout);
    assert_eq!(verdicts(&text, ""), expected);
    assert!(text.contains("Violation of 32_1a"), "{text}");
    fs::remove_file(&results).unwrap();
}

#[test]
fn a_killed_process_goes_on_from_its_results() {
    killed(3, "decompose.strategy=S4", 1);
    killed(3, "aspects=on", 2);
}

#[test]
fn fifty_kills_change_nothing() {
    killed(25, "decompose.strategy=S1", 3);
    killed(25, "aspects=on", 4);
}

#[test]
fn a_supervisor_relaunches_until_every_property_has_a_verdict() {
    let folder = folder();
    let results = std::env::temp_dir().join(format!("provident-relaunch-{}.json", std::process::id()));
    let _ = fs::remove_file(&results);
    let name = results.display().to_string();
    let arguments = [
        "several_rules.c",
        "--rule",
        "linux",
        "--set",
        "aspects=on",
        "--set",
        "explicit=off",
        "--set",
        "ideal.ticks=0",
        "--results",
        &name,
        "--relaunch",
        "--ticks",
        "2000",
    ];
    // So little effort suffices for nothing: every launch ends at its limit, gives up what it was checking, and leaves less to the next.
    let found = run(&folder, &arguments, "");
    assert_eq!(found.len(), 14);
    let text = fs::read_to_string(&results).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let properties = value["properties"].as_array().unwrap();
    assert!(properties.iter().all(|p| p["verdict"] != "CHECKING"), "{text}");
    let launches = value["launches"].as_u64().unwrap();
    assert!((2..=16).contains(&launches), "{launches} launches");
    fs::remove_file(&results).unwrap();
}

/// A launch that dies takes one verdict with it. With this effort the first launches come to no verdict, and nobody knows which property is to blame; then each property is checked alone, and only a few
/// need more.
#[test]
fn a_launch_that_reaches_its_limit_takes_one_verdict_with_it() {
    let results = std::env::temp_dir().join(format!("provident-isolation-{}.json", std::process::id()));
    let _ = fs::remove_file(&results);
    let name = results.display().to_string();
    let mut arguments = vec!["several_rules.c", "--rule", "linux", "--set", "aspects=on", "--json"];
    arguments.extend(["--set", "explicit=off", "--set", "ideal.ticks=0"]);
    arguments.extend(["--results", &name, "--relaunch", "--ticks", "20000"]);
    let output = provident(&folder(), &arguments).output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let number = |value: &serde_json::Value| value.as_u64().unwrap_or(0);
    let statistics = &report["statistics"];
    let (launches, cut) = (
        number(&statistics["launches"]),
        number(&statistics["launches cut short"]),
    );
    let properties = report["properties"].as_array().unwrap();
    let given_up = properties.iter().filter(|p| p["reason_code"] == "tick-limit").count();
    let answers = properties.iter().filter(|p| p["verdict"] != "UNKNOWN").count();
    assert!(answers >= 11 && given_up >= 1, "{report}");
    let before = report["launches"].as_array().unwrap();
    assert_eq!(u64::try_from(before.len()).unwrap() + 1, launches, "{report}");
    let short: Vec<_> = before.iter().filter(|l| l["reason_code"] == "tick-limit").collect();
    assert_eq!(u64::try_from(short.len()).unwrap(), cut);
    let blamed: Vec<_> = before.iter().filter(|launch| launch["blamed"].is_string()).collect();
    assert_eq!(blamed.len(), given_up, "{report}");
    // Each is booked with what the kernel says, and the whole run with all of them.
    let cpu = |value: &serde_json::Value| value["cpu_s"].as_f64().unwrap();
    assert!(
        before
            .iter()
            .all(|launch| cpu(launch) > 0.0 && number(&launch["memory_mb"]) > 0)
    );
    assert!(cpu(&report["resources"]) > before.iter().map(cpu).sum());
    fs::remove_file(&results).unwrap();
}

#[test]
fn results_of_another_question_are_refused() {
    let folder = folder();
    let results = std::env::temp_dir().join(format!("provident-question-{}.json", std::process::id()));
    let _ = fs::remove_file(&results);
    let name = results.display().to_string();
    run(
        &folder,
        &["count_false.c", "--spec", "count.spc", "--results", &name],
        "count",
    );
    let other = provident(&folder, &["count_true.c", "--spec", "count.spc", "--results", &name])
        .output()
        .unwrap();
    assert_eq!(other.status.code(), Some(3));
    let errors = String::from_utf8_lossy(&other.stderr);
    assert!(errors.contains("results of another question"), "{errors}");
    fs::write(&results, "{}").unwrap();
    let broken = provident(&folder, &["count_true.c", "--spec", "count.spc", "--results", &name])
        .output()
        .unwrap();
    assert_eq!(broken.status.code(), Some(3));
    fs::remove_file(&results).unwrap();
}

/// The task definitions in folders of the shared tasks, in order of their names; none where there are no shared tasks.
fn shared_tasks(folders: [&str; 2]) -> Vec<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/tasks");
    let entries = folders
        .iter()
        .filter_map(|folder| fs::read_dir(shared.join(folder)).ok());
    let mut tasks: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yml"))
        .collect();
    tasks.sort();
    tasks
}

/// The multi-property programs that stand beside the project, if they do: each property alone says what all say together, where both are definite.
#[test]
fn shared_programs_say_the_same_together_and_alone() {
    let tasks = shared_tasks(["multi/mpv", "multi/eca"]);
    let mut problems = Vec::new();
    for task in &tasks {
        let text = fs::read_to_string(task).unwrap();
        let files = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("- property_file: "));
        let folder = task.parent().unwrap();
        let file = task.file_name().unwrap().to_str().unwrap();
        let small = [
            "--ticks",
            "3000000",
            "--set",
            "explicit.steps=200000",
            "--set",
            "ideal.ticks=100000",
        ];
        let whole: Vec<&str> = [file].into_iter().chain(small).collect();
        let together = run(folder, &whole, "");
        for property in files {
            let option = if property.ends_with(".spc") {
                "--spec"
            } else {
                "--property"
            };
            let name = Path::new(property).file_stem().unwrap().to_str().unwrap();
            let one: Vec<&str> = [file, option, property].into_iter().chain(small).collect();
            let alone = run(folder, &one, name);
            compare(file, &together, &alone, &mut problems);
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// The rule of ours that a driver's name says it was recorded for: `32_1` and `32_1a` are one.
fn recorded_rule(name: &str) -> Option<&'static str> {
    const RULES: [&str; 14] = [
        "08_1a", "10_1a", "32_1a", "43_1a", "68_1a", "68_1b", "77_1a", "101_1a", "106_1a", "118_1a", "129_1a",
        "132_1a", "134_1a", "147_1a",
    ];
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let parts = name.split(|c: char| !is_part(c));
    let rule = |part: &str| {
        let words: Vec<&str> = part.split('_').collect();
        let joined = words.get(..2)?.join("_");
        RULES
            .into_iter()
            .find(|rule| *rule == joined || *rule == format!("{joined}a"))
    };
    parts
        .filter(|part| part.starts_with(|c: char| c.is_ascii_digit()))
        .find_map(rule)
}

#[test]
fn names_of_drivers_say_their_rule() {
    assert_eq!(
        recorded_rule("32_1_cilled_true_ok_nondet_linux-3.4-32_1-drivers--atm--adummy.ko"),
        Some("32_1a")
    );
    assert_eq!(recorded_rule("drivers--a--b.ko_003.450c622.32_7a.cil_true.yml"), None);
    assert_eq!(
        recorded_rule("drivers--a--b.ko_005.5a0e3ad.08_1a.cil_true.yml"),
        Some("08_1a")
    );
    assert_eq!(recorded_rule("43_1a_cilled_true_ok.yml"), Some("43_1a"));
}

/// Every driver that stands beside the project runs under all rules, and says nothing against the verdict that is recorded for its own rule. `DRIVERS=I/N` takes a part of them, `DRIVERS_CPU`
/// sets the processor seconds of each.
#[test]
#[ignore = "takes an hour: hundreds of drivers"]
fn every_driver_runs_under_all_rules() {
    let part = std::env::var("DRIVERS").unwrap_or_else(|_| "1/1".to_string());
    let (index, count) = part.split_once('/').expect("DRIVERS=I/N");
    let (index, count): (usize, usize) = (index.parse().unwrap(), count.parse().unwrap());
    let limit = std::env::var("DRIVERS_CPU").unwrap_or_else(|_| "5".to_string());
    let tasks = shared_tasks(["regression", "ldv-linux-3.4-simple"]);
    let (mut problems, mut definite, mut compared) = (Vec::new(), 0, 0);
    for task in tasks.iter().skip(index - 1).step_by(count) {
        let name = task.file_name().unwrap().to_str().unwrap();
        let expected = fs::read_to_string(task).unwrap().contains("expected_verdict: true");
        let output = Command::new(env!("CARGO_BIN_EXE_provident"))
            .args([
                "verify",
                task.to_str().unwrap(),
                "--rule",
                "linux",
                "--threads",
                "1",
                "--cpu-limit",
                &limit,
            ])
            .output()
            .unwrap();
        let found = verdicts(&String::from_utf8_lossy(&output.stdout), "");
        if output.status.code().is_none_or(|code| code > 2) || found.len() != 14 {
            problems.push(format!(
                "{name}: {}: {}",
                output.status,
                String::from_utf8_lossy(&output.stderr)
            ));
            continue;
        }
        definite += found.values().filter(|verdict| *verdict != "UNKNOWN").count();
        if let Some(rule) = recorded_rule(name) {
            let verdict = found[rule].as_str();
            compared += usize::from(verdict != "UNKNOWN");
            if verdict != "UNKNOWN" && (verdict == "TRUE") != expected {
                problems.push(format!("{name}: {rule} is {verdict}"));
            }
        }
    }
    println!("{definite} definite verdicts, {compared} compared with what is recorded");
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
