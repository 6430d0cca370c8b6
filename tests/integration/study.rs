//! `provident study`: a small study runs to its page, goes on after it was killed, and does not mix with another one.

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

fn study(out: &Path, more: &[&str]) -> Output {
    let task = root().join("tests/programs/goto_labels.yml");
    Command::new(env!("CARGO_BIN_EXE_provident"))
        .args(["study", "provident"])
        .arg(task)
        .arg("--out")
        .arg(out)
        .args(more)
        .output()
        .unwrap()
}

#[test]
fn a_study_writes_its_page_and_goes_on() {
    let out = folder("page");
    let more = ["--configurations", "single,multi", "--per-property"];
    let first = study(&out, &more);
    assert!(first.status.success(), "{first:?}");
    let summary = String::from_utf8(first.stdout).unwrap();
    assert!(summary.starts_with("1 of 1 tasks count"), "{summary}");
    assert_eq!(fs::read_to_string(out.join("summary.txt")).unwrap(), summary);
    let page = fs::read_to_string(out.join("index.html")).unwrap();
    assert!(page.contains("Figure 4.1") && page.contains("Figure 4.8") && page.contains("</html>"));
    // All properties together, and the one property file alone, in two configurations.
    let runs = fs::read_to_string(out.join("runs.csv")).unwrap();
    assert_eq!(runs.lines().count(), 1 + 4);
    assert!(runs.contains("false | true"));
    // What is there is not run again; what is half there is.
    let kept: String = runs.lines().take(2).flat_map(|line| [line, "\n"]).collect();
    fs::write(out.join("runs.csv"), format!("{kept}half a line, without end")).unwrap();
    assert!(study(&out, &more).status.success());
    let again = fs::read_to_string(out.join("runs.csv")).unwrap();
    assert!(again.starts_with(&kept));
    assert_eq!(again.lines().count(), 1 + 4);
    let other = study(&out, &["--configurations", "single"]);
    assert_eq!(other.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&other.stderr).contains("belongs to another study"));
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn what_cannot_be_studied_is_refused() {
    let out = folder("refused");
    for (more, message) in [
        (["--configurations", "T3"], "no configuration `T3`"),
        (["--rule", "1_1"], "no rule `1_1`"),
    ] {
        let refused = study(&out, &more);
        assert_eq!(refused.status.code(), Some(3));
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(said.contains(message), "{said}");
    }
    fs::remove_dir_all(out).unwrap();
}
