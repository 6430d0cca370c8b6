//! `--out` holds the refinement log, and with `--dump-queries` the queries, which `provident smt` answers the same way.

use crate::command;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

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

#[test]
fn queries_need_a_folder() {
    let refused = provident(&["verify", "a.c", "--rule", "32_1a", "--dump-queries"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--out"));
}
