//! `provident study`: presets and files run to their page, go on after they were killed, and do not mix with other experiments.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-study-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn study(name: &str, out: &Path, more: &[&str]) -> Output {
    let task = root().join("tests/programs/goto_labels.yml");
    Command::new(env!("CARGO_BIN_EXE_provident"))
        .args(["study", name])
        .arg(task)
        .arg("--out")
        .arg(out)
        .args(more)
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The runs in the journal.
fn runs(out: &Path) -> usize {
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    journal.lines().filter(|line| line.starts_with("{\"run\":")).count()
}

#[test]
fn every_preset_runs() {
    for name in provident::campaign::definition::presets() {
        let out = folder(name);
        let output = study(name, &out, &["--cpu-limit", "10"]);
        assert!(output.status.success(), "{name}: {output:?}");
        let definition = provident::campaign::definition::Definition::load(name).unwrap();
        assert!(runs(&out) >= definition.configurations.len(), "{name}");
        if name == "tour" {
            let page = fs::read_to_string(out.join("index.html")).unwrap();
            // The complexity of the program comes from the runs that are directed.
            assert!(page.contains("Table 5.3") && page.contains("class 4, up to"), "{page}");
            assert!(
                page.contains("Tables 5.11 and 5.13") && page.contains("always lf"),
                "{page}"
            );
        }
        fs::remove_dir_all(&out).unwrap();
    }
}

#[test]
fn a_study_writes_its_page_and_goes_on() {
    let out = folder("page");
    let more = ["--configurations", "single,multi", "--per-property"];
    let first = study("provident", &out, &more);
    assert!(first.status.success(), "{first:?}");
    let summary = String::from_utf8(first.stdout).unwrap();
    assert!(summary.starts_with("1 of 1 tasks count"), "{summary}");
    assert_eq!(fs::read_to_string(out.join("summary.txt")).unwrap(), summary);
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("Figure 4.1") && page.contains("Figure 4.8") && page.contains("</html>"));
    // All properties together, and the one property file alone, in two configurations.
    assert_eq!(runs(&out), 4);
    // Two properties each.
    assert_eq!(fs::read_to_string(out.join("runs.csv")).unwrap().lines().count(), 1 + 8);
    let json: serde_json::Value = serde_json::from_str(&fs::read_to_string(out.join("results.json")).unwrap()).unwrap();
    assert_eq!(json["configurations"][1]["configuration"], "multi");
    assert_eq!(json["comparisons"][0]["subjects"], 2);
    // A complete run is not repeated; an incomplete one is.
    let journal = fs::read_to_string(out.join("journal.jsonl")).unwrap();
    fs::write(out.join("journal.jsonl"), &journal[..journal.len() - 7]).unwrap();
    let second = study("provident", &out, &more);
    assert!(second.status.success(), "{second:?}");
    assert!(
        said(&second).contains("the last line of the journal was not complete"),
        "{second:?}"
    );
    assert!(
        said(&second).contains("3 of 4 runs were in the journal already"),
        "{second:?}"
    );
    assert_eq!(runs(&out), 4);
    let other = study("provident", &out, &["--configurations", "single"]);
    assert_eq!(other.status.code(), Some(3));
    assert!(
        said(&other).contains("holds results of another experiment"),
        "{other:?}"
    );
    let beside = study("provident", &out, &["--configurations", "single", "--beside"]);
    assert!(beside.status.success(), "{beside:?}");
    let name = format!("{}-2", out.file_name().unwrap().to_string_lossy());
    assert_eq!(runs(&out.with_file_name(&name)), 1);
    fs::remove_dir_all(out.with_file_name(name)).unwrap();
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn a_file_names_any_configurations() {
    let out = folder("file");
    let file = out.join("e.toml");
    let text = "name = \"mine\"\ntitle = \"Blocks <small>\"\narguments = \"--set explicit=off\"\ncounters = [\"refinements\"]\n\
        [[configuration]]\nname = \"large\"\n[[configuration]]\nname = \"single\"\narguments = [\"--set\", \"block=single\"]\n";
    fs::write(&file, text).unwrap();
    let done = study(
        &file.display().to_string(),
        &out.join("out"),
        &["--reports", "--arguments", "--ticks 1000000"],
    );
    assert!(done.status.success(), "{done:?}");
    let page = fs::read_to_string(out.join("out/index.html")).unwrap();
    assert!(page.contains("<title>Blocks &lt;small&gt;</title>"));
    // The effective options stand before the first run that has them, also those that nobody gave.
    let journal = fs::read_to_string(out.join("out/journal.jsonl")).unwrap();
    let lines: Vec<serde_json::Value> = journal
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines[1]["options"]["values"]["explicit"], "off");
    assert_eq!(lines[1]["options"]["values"]["arith"], "machine");
    assert_eq!(lines[1]["options"]["values"]["ticks"], "1000000");
    assert_eq!(lines[1]["options"]["hash"], lines[2]["run"]["options"]);
    let run = &lines[2]["run"];
    for key in [
        "cpu_s",
        "wall_s",
        "memory_mb",
        "ticks",
        "statistics",
        "version",
        "host",
        "started",
        "files",
    ] {
        assert!(!run[key].is_null(), "{key} in {run}");
    }
    assert!(out.join("out").join(run["report"].as_str().unwrap()).exists(), "{run}");
    fs::write(&file, text.replace("explicit=off", "explicit=offf")).unwrap();
    let refused = study(&file.display().to_string(), &out.join("other"), &[]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(
        said(&refused).contains("the configuration `large` cannot be run: `offf` is no value for `explicit`"),
        "{refused:?}"
    );
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn what_cannot_be_studied_is_refused() {
    let out = folder("refused");
    for (more, message) in [
        (["--configurations", "T3"], "no configuration `T3`"),
        (["--rule", "1_1"], "no rule `1_1`"),
    ] {
        let refused = study("provident", &out, &more);
        assert_eq!(refused.status.code(), Some(3));
        assert!(said(&refused).contains(message), "{refused:?}");
    }
    let unknown = study("alchemy", &out, &[]);
    assert!(
        said(&unknown).contains("there is no study `alchemy`; there are provident, decomposition, mav"),
        "{unknown:?}"
    );
    fs::remove_dir_all(out).unwrap();
}
