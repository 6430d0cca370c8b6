//! The page of a report, seen by a real browser: a headless Chromium where one is installed (the tests pass without it where none is).

use crate::command;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int step(int x) { return x + 1; }
int main(void) {
  int x = 0, n = __VERIFIER_nondet_int();
  while (x < n) { x = step(x); if (x > n) reach_error(); }
  if (LAST) reach_error();
  return 0;
}
";

fn browser() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|file| file.is_file())
}

/// Verifies the program with a last condition and returns the folder of the report.
fn report(name: &str, last: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-page-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (program, property) = (folder.join("a.i"), folder.join("p.prp"));
    std::fs::write(&program, PROGRAM.replace("LAST", last)).unwrap();
    std::fs::write(&property, "CHECK( init(main()), LTL(G ! call(reach_error())) )").unwrap();
    let run = command::provident(&["verify", "--set", "explicit=off", "--out"])
        .arg(folder.join("out"))
        .arg("--property")
        .args([&property, &program])
        .output()
        .unwrap();
    assert!(
        matches!(run.status.code(), Some(0 | 1)),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    folder
}

/// The page's elements after its script ran, with the part of the address behind `#`.
fn seen(browser: &Path, folder: &Path, part: &str) -> String {
    let page = folder.join("out").join("report.html");
    let run = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=5000",
            "--dump-dom",
        ])
        .arg(format!("--user-data-dir={}", folder.join("browser").display()))
        .arg(format!("file://{}#{part}", page.display()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    // The text before the data is the elements that the script made.
    text.split("<script").next().unwrap_or_default().to_string()
}

#[test]
fn a_browser_shows_every_part_of_a_violation() {
    let Some(browser) = browser() else { return };
    let folder = report("false", "x == 0");
    let path = seen(&browser, &folder, "error-path");
    for wanted in [
        "class=\"badge FALSE\"",
        "Path to the violation",
        "__VERIFIER_nondet_int",
        "condition",
        "class=\"row hot bad now\"",
        "Values behind this line",
        "Automaton of main",
    ] {
        assert!(path.contains(wanted), "{wanted}: {path}");
    }
    let automata = seen(&browser, &folder, "automata");
    assert!(
        automata.contains("<svg") && automata.contains("__provident_start"),
        "{automata}"
    );
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_browser_shows_every_part_of_a_proof() {
    let Some(browser) = browser() else { return };
    let folder = report("true", "x < 0");
    let parts = [
        ("summary", "obligations in proof/"),
        ("abstract-states", "at abstraction points of"),
        ("source", "holds here"),
        ("refinement", "target states"),
        ("predicates", "Invariants at loop heads"),
        ("statistics-and-options", "processor seconds"),
    ];
    for (part, wanted) in parts {
        let text = seen(&browser, &folder, part);
        assert!(
            text.contains("class=\"badge TRUE\"") && text.contains(wanted),
            "{part}: {text}"
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn every_file_of_a_report_is_there() {
    let folder = report("files", "x < 0");
    let out = folder.join("out");
    for file in [
        "report.json",
        "report.txt",
        "report.html",
        "report.sarif",
        "cfa.dot",
        "arg.dot",
        "proof/manifest.json",
    ] {
        assert!(out.join(file).is_file(), "{file}");
    }
    let names = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
    let hidden: Vec<_> = names.filter(|name| name.to_string_lossy().starts_with('.')).collect();
    assert_eq!(hidden, Vec::<std::ffi::OsString>::new(), "no temporary file stays");
    let run = Command::new(env!("CARGO_BIN_EXE_provident"))
        .arg("discharge")
        .arg(out.join("proof"))
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stdout));
    assert!(String::from_utf8_lossy(&run.stdout).starts_with("DISCHARGED: all "));
    std::fs::remove_dir_all(&folder).unwrap();
}
