//! Faults of the machine: a full disk, a folder that cannot be written, a killed worker, a pipe without reader. Each gives a clear message; the
//! verdict is not lost, and no file looks whole that is not.
#![cfg(unix)]

use crate::command;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROVIDENT: &str = env!("CARGO_BIN_EXE_provident");

/// A folder with a program that holds, its property, and a task definition; removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("provident-faults-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        file("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )");
        file(
            "a.i",
            "void reach_error(void); int nondet(void);
             int main(void) { int i = 0, n = nondet(); while (i < n) { i++; if (i > n) reach_error(); } return 0; }",
        );
        file(
            "a.yml",
            "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\n",
        );
        // Takes for ever: two numbers without bounds, multiplied.
        file(
            "long.i",
            "void reach_error(void); unsigned long nondet(void);
             int main(void) { unsigned long a = nondet(), b = nondet(), c = 0, i = 0;
             while (i < a * b) { i = i * i + a; c = c * b + i; if (c * c == 3 * i + 2 && a * c == b) reach_error(); } return 0; }",
        );
        file(
            "long.yml",
            "format_version: '2.0'\ninput_files: 'long.i'\nproperties:\n  - property_file: p.prp\n    expected_verdict: true\n",
        );
        Folder(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn verify(&self) -> Command {
        let mut command = command::provident(&["verify"]);
        command.arg(self.path("a.i")).arg("--property").arg(self.path("p.prp"));
        command.args(["--set", "explicit=off"]).env("RUST_BACKTRACE", "0");
        command
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn a_full_device_under_standard_output_is_said() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return;
    };
    let folder = Folder::new("full");
    let output = folder.verify().stdout(full).output().unwrap();
    let (_, errors) = texts(&output);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(
        errors.starts_with("error: cannot write to standard output: "),
        "{errors}"
    );
}

#[test]
fn a_full_device_under_standard_error_loses_nothing() {
    let Ok(full) = File::options().write(true).open("/dev/full") else {
        return;
    };
    let folder = Folder::new("stderr");
    let output = folder.verify().stderr(full).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(texts(&output).0.ends_with("VERDICT: TRUE\n"));
}

#[test]
fn a_closed_pipe_leaves_the_exit_status() {
    let folder = Folder::new("pipe");
    let mut child = folder
        .verify()
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), texts(&output).1.as_str()), (Some(0), ""));
}

#[test]
fn a_folder_that_cannot_be_made_is_said_and_the_verdict_stays() {
    let folder = Folder::new("folder");
    fs::write(folder.path("file"), "").unwrap();
    for out in [
        folder.path("file"),
        folder.path("file").join("below"),
        PathBuf::from("/proc/provident/out"),
    ] {
        let output = folder.verify().arg("--out").arg(&out).output().unwrap();
        let (text, errors) = texts(&output);
        assert_eq!(output.status.code(), Some(3), "{errors}");
        assert!(text.ends_with("VERDICT: TRUE\n"), "{text}");
        assert!(errors.contains("error: cannot write `"), "{errors}");
        assert!(!errors.contains("panicked"), "{errors}");
    }
}

#[test]
fn what_does_not_fit_on_the_disk_leaves_no_half_file() {
    let folder = Folder::new("limit");
    // A limit on the size of files is what a full disk looks like to a process that ignores the signal.
    for kilobytes in [0, 1, 4, 16] {
        let out = folder.path(&format!("out{kilobytes}"));
        let script = format!("trap '' XFSZ; ulimit -f {kilobytes}; exec \"$@\"");
        let output = Command::new("bash")
            .args([
                "-c",
                &script,
                "bash",
                PROVIDENT,
                "verify",
                "--set",
                "explicit=off",
                "--property",
            ])
            .args([folder.path("p.prp"), folder.path("a.i")])
            .arg("--out")
            .arg(&out)
            .env("RUST_BACKTRACE", "0")
            .output();
        let Ok(output) = output else { return };
        let (text, errors) = texts(&output);
        assert!(text.ends_with("VERDICT: TRUE\n"), "{kilobytes}: {text} {errors}");
        assert_eq!(output.status.code(), Some(3), "{kilobytes}: {errors}");
        assert!(errors.contains("error: cannot write `"), "{kilobytes}: {errors}");
        let left = names(&out);
        assert!(left.iter().all(|name| !name.starts_with('.')), "{kilobytes}: {left:?}");
        if left.iter().any(|name| name == "report.json") {
            let text = fs::read_to_string(out.join("report.json")).unwrap();
            serde_json::from_str::<serde_json::Value>(&text).expect("a file that is there is whole");
        }
        if let Ok(page) = fs::read_to_string(out.join("report.html")) {
            assert!(page.trim_end().ends_with("</html>"));
        }
        let proof = out.join("proof");
        assert!(
            !proof.exists() || proof.join("manifest.json").exists(),
            "{kilobytes}: obligations without manifest"
        );
    }
}

#[test]
fn a_folder_of_someone_else_is_not_replaced() {
    let folder = Folder::new("else");
    let out = folder.path("out");
    fs::create_dir_all(out.join("proof")).unwrap();
    fs::write(out.join("proof").join("thesis.tex"), "years of work").unwrap();
    let output = folder.verify().arg("--out").arg(&out).output().unwrap();
    let (text, errors) = texts(&output);
    assert!(
        text.ends_with("VERDICT: TRUE\n") && errors.contains("it is there and has no manifest.json"),
        "{errors}"
    );
    assert_eq!(
        fs::read_to_string(out.join("proof").join("thesis.tex")).unwrap(),
        "years of work"
    );
}

#[test]
fn a_killed_worker_is_a_row_and_the_others_go_on() {
    let folder = Folder::new("worker");
    let mut campaign = Command::new(PROVIDENT)
        .arg("campaign")
        .args([folder.path("long.yml"), folder.path("a.yml")])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The first worker is killed as the kernel does it to one that takes too much memory.
    let pid = campaign.id();
    let worker = (0..2000).find_map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        let tasks = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
        tasks.flatten().find_map(|task| {
            let list = fs::read_to_string(task.path().join("children")).ok()?;
            list.split_whitespace().next().map(str::to_string)
        })
    });
    let Some(worker) = worker else {
        // A system without such files.
        let _ = campaign.kill();
        let _ = campaign.wait();
        return;
    };
    let killed = Command::new("kill").args(["-9", &worker]).status().unwrap();
    assert!(killed.success());
    let output = campaign.wait_with_output().unwrap();
    let (table, errors) = texts(&output);
    assert!(
        table.contains("signal") && table.contains("long.yml"),
        "{table} {errors}"
    );
    let row = table.lines().find(|line| line.contains("a.yml")).unwrap_or_default();
    assert!(row.contains("true"), "{table}");
}
