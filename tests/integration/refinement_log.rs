//! `--out` holds the refinement log, and with `--dump-queries` the queries, which `provident smt` answers the same way.

use crate::command;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::atomic::{AtomicUsize, Ordering};

fn provident(arguments: &[&str]) -> Output {
    command::provident(arguments).output().unwrap()
}

fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-refinement-log-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

#[test]
fn the_log_tells_what_was_refined_and_why() {
    let task = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/lock_true.c");
    let property = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/unreach-label.prp");
    let out = folder();
    let (task, property, out_text) = (
        task.display().to_string(),
        property.display().to_string(),
        out.display().to_string(),
    );
    let verify = |refine: &str| {
        provident(&[
            "verify",
            &task,
            "--property",
            &property,
            "--set",
            "explicit=off",
            "--set",
            "ideal.ticks=0",
            "--refine",
            refine,
            "--out",
            &out_text,
            "--dump-queries",
        ])
    };
    for refine in ["multi", "single"] {
        let output = verify(refine);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let log = fs::read_to_string(out.join("refinement.jsonl")).unwrap();
        let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert!(lines.len() >= 2, "{log}");
        assert_eq!(lines[0]["event"], "candidates");
        assert_eq!(lines[1]["event"], "applied");
        let first = &lines[0]["candidates"][0];
        assert_eq!(first["rank"], 1);
        assert_eq!(first["result"], "infeasible");
        assert!(first["pivot"].as_str().unwrap().contains("lock_true.c:"), "{first}");
        assert!(!first["increment"].as_array().unwrap().is_empty(), "{first}");
        assert!(lines[1]["selected"].as_array().unwrap().contains(&first["state"]));
        assert!(lines[1]["new_predicates"].as_u64().unwrap() > 0);
        let query = out.join(format!("queries/1-{}.smt2", first["state"]));
        let text = fs::read_to_string(&query).unwrap();
        assert!(
            text.contains("(set-info :status unsat)") && text.contains("(get-interpolants"),
            "{text}"
        );
        let answer = provident(&["smt", &query.display().to_string()]);
        assert_eq!(answer.status.code(), Some(0), "{answer:?}");
        let answer = String::from_utf8(answer.stdout).unwrap();
        assert!(answer.starts_with("unsat\n") && !answer.contains("error"), "{answer}");
        fs::remove_dir_all(&out).unwrap();
    }
}

/// The log of a run with provident refinement over many error paths, with this number of threads.
fn log_of(program: &str, threads: &str) -> String {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let out = std::env::temp_dir().join(format!("provident-measures-{}-{threads}", std::process::id()));
    let (task, property) = (programs.join(program), programs.join("unreach-call.prp"));
    let output = provident(&[
        "verify",
        &task.display().to_string(),
        "--property",
        &property.display().to_string(),
        "--set",
        "explicit=off",
        "--set",
        "ideal.ticks=0",
        "--set",
        "stages=no-counters,slice,whole",
        "--threads",
        threads,
        "--out",
        &out.display().to_string(),
    ]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let log = fs::read_to_string(out.join("refinement.jsonl")).unwrap();
    fs::remove_dir_all(&out).unwrap();
    log
}

#[test]
fn the_log_measures_every_interpolant() {
    for program in ["locks_true.c", "loop_invariant_true.c", "recursion_true.c"] {
        let log = log_of(program, "1");
        assert_eq!(log, log_of(program, "2"), "{program}: the log depends on the threads");
        let lines = log
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let lines: Vec<serde_json::Value> = lines.filter(|line| line["event"] == "candidates").collect();
        let candidates = lines.iter().flat_map(|line| line["candidates"].as_array().unwrap());
        let mut measured = 0;
        for candidate in candidates.filter(|candidate| candidate["result"] == "infeasible") {
            let number = |field: &serde_json::Value| field.as_u64().unwrap();
            let interpolants = &candidate["interpolants"];
            let others = interpolants["others"].as_array().unwrap();
            let all = number(&interpolants["truths"]) + number(&interpolants["falsities"]);
            assert_eq!(
                all + u64::try_from(others.len()).unwrap(),
                number(&candidate["blocks"]) - 1,
                "one for each cut: {candidate}"
            );
            for interpolant in others {
                measured += 1;
                assert!(
                    number(&interpolant["atoms"]) >= number(&interpolant["new_predicates"]),
                    "{interpolant}"
                );
                // Only nested interpolants have no sides.
                let shared = interpolant["shared_variables"].as_u64();
                assert!(shared.is_some() || program == "recursion_true.c", "{interpolant}");
                assert!(
                    shared.is_none_or(|shared| number(&interpolant["variables"]) <= shared),
                    "{interpolant}"
                );
                assert!(
                    number(&interpolant["dag_size"]) <= number(&interpolant["tree_size"]),
                    "{interpolant}"
                );
                assert!(number(&interpolant["disjuncts"]) >= 1, "{interpolant}");
                let is_literal = interpolant["class"] == "literal";
                assert!(!is_literal || interpolant["boolean_depth"] == 0, "{interpolant}");
            }
            assert!(candidate["ticks"].is_u64(), "{candidate}");
        }
        assert!(measured > 0, "{program}: {log}");
    }
}

/// The log and the output of a run on the loop with a flag, with these options beside one refinement at a time without built-in preferences.
fn measured(more: &[&str]) -> (Vec<serde_json::Value>, String) {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    let out = std::env::temp_dir().join(format!("provident-standing-{}-{run}", std::process::id()));
    let (task, property) = (programs.join("loop_flag_true.c"), programs.join("unreach-call.prp"));
    let (task, property, folder) = (
        task.display().to_string(),
        property.display().to_string(),
        out.display().to_string(),
    );
    let mut arguments = vec![
        "verify",
        &task,
        "--property",
        &property,
        "--out",
        &folder,
        "--statistics",
    ];
    arguments.extend(["--refine", "single", "--set", "refine.plain=on"]);
    arguments.extend(["--set", "explicit=off", "--set", "ideal.ticks=0"]);
    arguments.extend(more);
    let output = provident(&arguments);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let log = fs::read_to_string(out.join("refinement.jsonl")).unwrap();
    fs::remove_dir_all(&out).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (lines, String::from_utf8(output.stdout).unwrap())
}

/// A counter of the statistics.
fn counter(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.trim_start().starts_with(name))?;
    line.split_whitespace().next_back()?.parse().ok()
}

#[test]
fn measures_say_how_interpolants_stand_and_what_became_of_predicates() {
    let (lines, text) = measured(&["--set", "itp.measure=on"]);
    let candidates = lines.iter().filter(|line| line["event"] == "candidates");
    let candidates = candidates.flat_map(|line| line["candidates"].as_array().unwrap());
    let others: Vec<&serde_json::Value> = candidates
        .flat_map(|candidate| candidate["interpolants"]["others"].as_array().unwrap())
        .collect();
    assert_eq!(
        counter(&text, "measured interpolants"),
        u64::try_from(others.len()).ok()
    );
    let sum = |field: &str| {
        let values = others.iter().map(|other| other["strength"][field].as_u64().unwrap());
        values.sum::<u64>()
    };
    // McMillan's interpolants are the strongest ones of a proof.
    assert!(
        sum("stronger") > 0 && sum("weaker") == 0 && sum("incomparable") == 0,
        "{others:?}"
    );
    let inductive = |value: bool| others.iter().filter(|other| other["inductive"] == value).count();
    assert!(inductive(true) > 0 && inductive(false) > 0, "{others:?}");
    assert_eq!(
        counter(&text, "inductive interpolants"),
        u64::try_from(inductive(true)).ok()
    );
    let suffixes: Vec<u64> = lines
        .iter()
        .flat_map(|line| line["candidates"].as_array().cloned().unwrap_or_default())
        .filter_map(|candidate| candidate["interpolants"]["inductive_suffix"].as_u64())
        .collect();
    assert!(!suffixes.is_empty(), "some path comes to a place again");
    assert_eq!(counter(&text, "inductive suffixes"), Some(suffixes.iter().sum()));
    let last = lines.last().unwrap();
    assert_eq!(last["event"], "predicates");
    let predicates = last["predicates"].as_array().unwrap();
    let flag = predicates
        .iter()
        .find(|record| record["predicate"] == "main::flag == 0");
    let flag = flag.unwrap_or_else(|| panic!("the invariant needs the flag: {last}"));
    assert!(
        flag["in_invariant"] == true && flag["abstractions"].as_u64().unwrap() > 0,
        "{flag}"
    );
}

#[test]
fn measures_change_nothing_and_variants_do() {
    let (lines, with) = measured(&["--set", "itp.measure=on"]);
    let (_, without) = measured(&[]);
    for name in ["solver ticks", "refinements", "predicates"] {
        assert_eq!(counter(&with, name), counter(&without, name), "{name}");
    }
    assert!(counter(&without, "measured interpolants").is_none());
    let (dual, _) = measured(&["--set", "itp.labelling=dual"]);
    let applied = |lines: &[serde_json::Value]| lines.iter().filter(|line| line["event"] == "applied").count();
    assert!(
        applied(&dual) < applied(&lines),
        "the weakest interpolants converge sooner here"
    );
    let (_, portfolio) = measured(&["--set", "itp.portfolio=all", "--set", "itp.choose=steady"]);
    assert!(counter(&portfolio, "interpolant choices").is_some_and(|choices| choices > 0));
}

#[test]
fn queries_need_a_folder() {
    let refused = provident(&["verify", "a.c", "--rule", "32_1a", "--dump-queries"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--out"));
}
