//! `provident queries`: the dumped queries of runs become a data set without duplicates, in which every script is answered and certified by `provident smt`.

use crate::command;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

fn provident(arguments: &[&str]) -> Output {
    command::provident(arguments).output().unwrap()
}

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-queries-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Runs that leave their queries in folders of these names.
fn runs(out: &Path, programs: &[(&str, &str)]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let property = folder.join("unreach-call.prp").display().to_string();
    for (name, program) in programs {
        let (task, run) = (
            folder.join(program).display().to_string(),
            out.join(name).display().to_string(),
        );
        let mut arguments = vec![
            "verify",
            &task,
            "--property",
            &property,
            "--out",
            &run,
            "--dump-queries",
        ];
        arguments.extend(["--refine", "single", "--set", "refine.plain=on"]);
        arguments.extend(["--set", "explicit=off", "--set", "ideal.ticks=0", "--set", "bam=off"]);
        let output = provident(&arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

/// The rows of a table by its header.
fn table(path: &Path) -> Vec<std::collections::BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    let rows = reader.records().map(|row| row.unwrap());
    rows.map(|row| {
        header
            .iter()
            .map(str::to_string)
            .zip(row.iter().map(str::to_string))
            .collect()
    })
    .collect()
}

#[test]
fn a_data_set_has_each_query_once_and_each_is_certified() {
    let scratch = folder("set");
    let (campaign, out) = (scratch.join("runs"), scratch.join("set"));
    runs(
        &campaign,
        &[
            ("a", "loop_flag_true.c"),
            ("b", "locks_true.c"),
            ("c", "loop_flag_true.c"),
        ],
    );
    let (from, to) = (campaign.display().to_string(), out.display().to_string());
    let made = provident(&["queries", &from, "--out", &to, "--check"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let index = table(&out.join("index.csv"));
    let scripts: BTreeSet<String> = fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".smt2").map(str::to_string))
        .collect();
    let named: BTreeSet<String> = index.iter().map(|row| row["query"].clone()).collect();
    assert!(
        named.len() == index.len() && named == scripts && index.len() > 3,
        "{index:?}"
    );
    for row in &index {
        let number = |column: &str| row[column].parse::<u64>().unwrap();
        // What the first run asked, the third one asked again.
        assert!(row["run"] != "a" || number("occurrences") % 2 == 0, "{row:?}");
        assert!(
            row["run"] != "c" && row["path"].contains('-') && row["logic"].starts_with("QF_"),
            "{row:?}"
        );
        assert!(
            number("partitions") > 1 && number("variants") > 0 && number("terms") > 0,
            "{row:?}"
        );
        assert_eq!(number("certified"), number("different"), "{row:?}");
        let script = out.join(format!("{}.smt2", row["query"])).display().to_string();
        let answer = provident(&["smt", &script, "--check", "--statistics"]);
        assert_eq!(answer.status.code(), Some(0), "{answer:?}");
        let (text, statistics) = (
            String::from_utf8(answer.stdout).unwrap(),
            String::from_utf8(answer.stderr).unwrap(),
        );
        assert!(text.starts_with("unsat\n(") && !text.contains("error"), "{text}");
        let certified = format!(":interpolants-certified {}\n", number("partitions") - 1);
        assert!(
            statistics.contains(&certified) && statistics.contains(":proofs-checked 1\n"),
            "{statistics}"
        );
    }
    let variants = table(&out.join("variants.csv"));
    assert!(variants.len() >= 32 * index.len());
    assert!(
        variants
            .iter()
            .all(|row| named.contains(&row["query"]) && row["certified"] == "true")
    );
    // Nothing depends on the order of the file system, and a filter keeps what differs.
    let other = scratch.join("differing");
    let made = provident(&["queries", &from, "--out", &other.display().to_string(), "--differing"]);
    assert_eq!(made.status.code(), Some(0), "{made:?}");
    let kept: BTreeSet<String> = table(&other.join("index.csv"))
        .iter()
        .map(|row| row["query"].clone())
        .collect();
    let differing = index.iter().filter(|row| row["differing_cuts"] != "0");
    let differing: BTreeSet<String> = differing.map(|row| row["query"].clone()).collect();
    assert_eq!(kept, differing);
    assert!(!kept.is_empty() && kept.len() < index.len(), "{index:?}");
    fs::remove_dir_all(&scratch).unwrap();
}

#[test]
fn what_is_no_query_is_refused_and_limits_are_kept() {
    let scratch = folder("refused");
    let (runs, out) = (scratch.join("runs"), scratch.join("set").display().to_string());
    fs::create_dir_all(runs.join("a/queries")).unwrap();
    let from = runs.display().to_string();
    let satisfiable = "(set-info :status unsat)(declare-const x Int)(assert (! (> x 0) :named A))(assert (! (> x 1) :named B))(check-sat)(get-interpolants A B)";
    fs::write(runs.join("a/queries/1-1.smt2"), satisfiable).unwrap();
    fs::write(runs.join("a/queries/1-2.smt2"), "(check-sat)").unwrap();
    let made = provident(&["queries", &from, "--out", &out]);
    assert_eq!(made.status.code(), Some(3), "{made:?}");
    let said = String::from_utf8(made.stdout).unwrap();
    assert!(
        said.starts_with("2 scripts, 1 of them without interpolants; 1 different queries, 0 kept, 1 refused\n"),
        "{said}"
    );
    assert!(
        String::from_utf8(made.stderr)
            .unwrap()
            .contains("contradicts the status")
    );
    let nowhere = provident(&["queries", &from]);
    assert!(String::from_utf8(nowhere.stderr).unwrap().contains("--out"));
    // Beyond a limit the set has what was there by then.
    let script = runs.join("a/queries/1-1.smt2").display().to_string();
    let slow = hard_script();
    fs::write(runs.join("a/queries/1-1.smt2"), slow).unwrap();
    let made = provident(&["queries", &from, "--out", &out, "--cpu-limit", "0.2"]);
    assert_eq!(made.status.code(), Some(2), "{made:?}");
    assert!(String::from_utf8(made.stdout).unwrap().contains("a limit was reached"));
    let report = provident(&["smt", "--itp-report", &script, &script, "--cpu-limit", "0.2"]);
    assert_eq!(report.status.code(), Some(2), "{report:?}");
    assert!(
        String::from_utf8(report.stdout)
            .unwrap()
            .starts_with("script,command,labelling")
    );
    assert!(
        String::from_utf8(report.stderr)
            .unwrap()
            .contains("1 of 2 scripts were not looked at")
    );
    fs::remove_dir_all(&scratch).unwrap();
}

/// A pigeonhole problem that takes much longer than the limit: each of 12 pigeons sits in one of 11 holes, and no two in the same.
fn hard_script() -> String {
    let mut script = String::new();
    let (pigeons, holes) = (12, 11);
    let mut parts = [Vec::new(), Vec::new()];
    // As bits, so that resolution has no shorter proof: with integers there is one.
    for pigeon in 0..pigeons {
        let somewhere: Vec<String> = (0..holes).map(|hole| format!("p{pigeon}_{hole}")).collect();
        for (hole, here) in somewhere.iter().enumerate() {
            script += &format!("(declare-const {here} Bool)");
            for other in 0..pigeon {
                parts[1].push(format!("(not (and {here} p{other}_{hole}))"));
            }
        }
        parts[0].push(format!("(or {})", somewhere.join(" ")));
    }
    for (part, name) in parts.iter().zip(["A", "B"]) {
        script += &format!("(assert (! (and {}) :named {name}))", part.join(" "));
    }
    script + "(check-sat)(get-interpolants A B)"
}
