//! Experiments lose nothing: not by `kill -9`, not by SIGTERM, not by a child that dies; and shards make one result.

use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A folder that goes with its test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("provident-experiments-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Writes a program with its task definition.
    fn task(&self, name: &str, program: &str, expected: bool) {
        let definition = format!(
            "format_version: '2.0'\ninput_files: '{name}.c'\nproperties:\n  - property_file: p.prp\n    expected_verdict: {expected}\noptions:\n  language: C\n  data_model: LP64\n"
        );
        let property = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";
        for (file, text) in [
            (format!("{name}.c"), program),
            (format!("{name}.yml"), definition.as_str()),
            ("p.prp".to_string(), property),
        ] {
            fs::write(self.0.join(file), text).unwrap();
        }
    }

    /// Small tasks, every third with a violation, and a study of two configurations.
    fn small(&self, count: usize) {
        for number in 0..count {
            let program = format!(
                "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\nint main(void) {{ int x = __VERIFIER_nondet_int(); if (x == {number} && {}) reach_error(); return 0; }}\n",
                u8::from(number % 3 == 0)
            );
            self.task(&format!("t{number:03}"), &program, number % 3 != 0);
        }
        fs::write(self.0.join("all.set"), "t*.yml\n").unwrap();
        self.study("[limits]\ncpu = 60\n");
    }

    fn study(&self, more: &str) {
        let text = format!(
            "name = \"small\"\narguments = \"--threads 1\"\n{more}[[configuration]]\nname = \"a\"\n[[configuration]]\nname = \"b\"\narguments = \"--refine single\"\n"
        );
        fs::write(self.0.join("e.toml"), text).unwrap();
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_provident"));
        command.args(words).current_dir(&self.0).stdin(Stdio::null());
        command
            .env_remove("SLURM_ARRAY_TASK_ID")
            .env_remove("SLURM_CPUS_PER_TASK");
        command
    }

    fn output(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn start(&self, words: &[&str]) -> Child {
        self.command(words)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap()
    }

    /// The runs in a journal.
    fn runs(&self, journal: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.0.join(journal)).unwrap();
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        lines.filter_map(|line| line.get("run").cloned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Waits until something is there. Nothing depends on how long that takes; without it the test fails for want of an end.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(120), "no {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn children(id: u32) -> Vec<u32> {
    let threads = fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|id| id.parse().ok())
                .collect::<Vec<u32>>()
        })
        .collect()
}

/// The command line of a process; empty for one that has ended.
fn words(id: u32) -> String {
    fs::read_to_string(format!("/proc/{id}/cmdline"))
        .unwrap_or_default()
        .replace('\0', " ")
}

/// The child of a process that verifies something.
fn verifying(id: u32) -> Option<u32> {
    children(id)
        .into_iter()
        .find(|child| words(*child).contains(" verify "))
}

fn kill(signal: &str, id: u32) {
    // It may have ended a moment ago.
    let _ = Command::new("kill")
        .args([signal, &id.to_string()])
        .stderr(Stdio::null())
        .status();
}

/// A program that nobody decides soon.
const LONG: &str = "extern void reach_error(void);\nint main(void) { unsigned long i = 0, s = 1; while (i < 1000000000000UL) { i++; s = s * 3 + i; } if (s == 7) reach_error(); return 0; }\n";

#[test]
fn killed_fifty_times_nothing_is_lost_and_nothing_runs_twice() {
    let folder = Folder::new("kills");
    folder.small(60);
    let words = ["study", "e.toml", "all.set", "--out", "out", "--jobs", "2"];
    // Moments between the start and the end of a few runs, the same in every test.
    let (mut seed, mut kills) = (7u64, 0);
    while kills < 50 {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let mut process = folder.start(&words);
        std::thread::sleep(Duration::from_millis(10 + (seed >> 33) % 90));
        let there = process.try_wait().unwrap().is_none();
        let _ = process.kill();
        process.wait().unwrap();
        kills += 1;
        if !there {
            // All is done; what is left of the kills begins with fewer runs.
            let journal = folder.0.join("out/journal.jsonl");
            let text = fs::read_to_string(&journal).unwrap();
            fs::write(&journal, &text[..text.len() / 2]).unwrap();
        }
    }
    let last = folder.output(&words);
    assert!(last.status.success(), "{last:?}");
    let runs = folder.runs("out/journal.jsonl");
    let keys: BTreeSet<String> = runs
        .iter()
        .map(|run| format!("{} {}", run["task"], run["configuration"]))
        .collect();
    assert_eq!((runs.len(), keys.len()), (120, 120));
    for run in &runs {
        let number: usize = run["task"].as_str().unwrap()[1..4].parse().unwrap();
        assert_eq!(
            run["verdict"],
            if number.is_multiple_of(3) { "false" } else { "true" },
            "{run}"
        );
    }
    let csv = fs::read_to_string(folder.0.join("out/runs.csv")).unwrap();
    assert_eq!(csv.lines().count(), 121);
}

#[test]
fn children_die_with_their_parent() {
    let folder = Folder::new("orphans");
    folder.task("long", LONG, true);
    folder.study("");
    let mut process = folder.start(&["study", "e.toml", "long.yml", "--out", "out"]);
    let child = wait_for("child", || verifying(process.id()));
    process.kill().unwrap();
    process.wait().unwrap();
    wait_for("end of the child", || {
        (!words(child).contains(" verify ")).then_some(())
    });
}

#[test]
fn sigterm_books_what_was_going_on() {
    let folder = Folder::new("term");
    folder.task("long", LONG, true);
    folder.study("");
    let mut process = folder.start(&["study", "e.toml", "long.yml", "--out", "out"]);
    let child = wait_for("child", || verifying(process.id()));
    std::thread::sleep(Duration::from_millis(200));
    kill("-TERM", process.id());
    assert_eq!(process.wait().unwrap().code(), Some(2));
    assert!(!words(child).contains(" verify "));
    let runs = folder.runs("out/journal.jsonl");
    assert_eq!(runs.len(), 1);
    assert_eq!(
        (&runs[0]["interrupted"], &runs[0]["reason_code"]),
        (&Value::Bool(true), &Value::from("interrupted"))
    );
    assert!(runs[0]["cpu_s"].as_f64().unwrap() > 0.0, "{}", runs[0]);
}

#[test]
fn a_child_that_is_killed_is_booked_with_what_it_took() {
    let folder = Folder::new("dead");
    folder.task("long", LONG, true);
    folder.study("");
    let mut process = folder.start(&["study", "e.toml", "long.yml", "--out", "out", "--configurations", "a"]);
    let child = wait_for("child", || verifying(process.id()));
    std::thread::sleep(Duration::from_millis(200));
    kill("-KILL", child);
    assert!(process.wait().unwrap().success());
    let run = folder.runs("out/journal.jsonl").remove(0);
    assert_eq!(
        (&run["verdict"], &run["reason_code"], &run["ended"]),
        (&"none".into(), &"process-died".into(), &"signal 9".into())
    );
    assert!(
        run["cpu_s"].as_f64().unwrap() > 0.0 && run["memory_mb"].as_f64().unwrap() > 0.0,
        "{run}"
    );
}

#[test]
fn shards_make_one_result_and_a_missing_one_is_named() {
    let folder = Folder::new("shards");
    folder.small(10);
    for shard in ["1/3", "3/3"] {
        let out = format!("shards/{}", &shard[..1]);
        let done = folder.output(&["study", "e.toml", "all.set", "--out", &out, "--shard", shard]);
        assert!(done.status.success(), "{done:?}");
    }
    let joined = folder.output(&["join", "shards", "--out", "all"]);
    let said = String::from_utf8_lossy(&joined.stderr).into_owned();
    assert_eq!(joined.status.code(), Some(3));
    assert!(
        said.contains("shard 2/3 is missing") && !folder.0.join("all/journal.jsonl").exists(),
        "{said}"
    );
    let partial = folder.output(&["join", "shards", "--out", "all", "--partial"]);
    assert!(
        partial.status.success() && String::from_utf8_lossy(&partial.stderr).contains("shard 2/3 is missing"),
        "{partial:?}"
    );
    // The array of a cluster tells the shard, from wherever it is started.
    let inner = folder.0.join("elsewhere");
    fs::create_dir(&inner).unwrap();
    let array = [
        "SLURM_ARRAY_TASK_ID=2",
        "SLURM_ARRAY_TASK_MIN=1",
        "SLURM_ARRAY_TASK_MAX=3",
        "SLURM_ARRAY_TASK_COUNT=3",
    ];
    let mut command = folder.command(&["study", "../e.toml", "../all.set", "--out", "../shards"]);
    command
        .current_dir(&inner)
        .envs(array.iter().map(|pair| pair.split_once('=').unwrap()));
    assert!(command.status().unwrap().success());
    let joined = folder.output(&["join", "shards", "--out", "all"]);
    assert!(joined.status.success(), "{joined:?}");
    assert_eq!(folder.runs("all/journal.jsonl").len(), 20);
    // The result is that of one experiment without shards.
    assert!(
        folder
            .output(&["study", "e.toml", "all.set", "--out", "whole"])
            .status
            .success()
    );
    let answers = |journal: &str| -> BTreeSet<String> {
        let runs = folder.runs(journal);
        runs.iter()
            .map(|run| {
                format!(
                    "{} {} {} {}",
                    run["task"], run["configuration"], run["verdict"], run["ticks"]
                )
            })
            .collect()
    };
    assert_eq!(answers("all/journal.jsonl"), answers("whole/journal.jsonl"));
    // Folders that do not belong there are refused.
    folder.study("[limits]\ncpu = 61\n");
    assert!(
        folder
            .output(&["study", "e.toml", "all.set", "--out", "other", "--shard", "1/3"])
            .status
            .success()
    );
    let mixed = folder.output(&["join", "other", "shards/3", "--out", "mixed"]);
    let said = String::from_utf8_lossy(&mixed.stderr).into_owned();
    assert!(
        said.contains("do not belong together") && said.contains("cpu = 6"),
        "{said}"
    );
}

/// The scripts are what a cluster reads; whether a real one takes them, `tests/dev/slurm.sh` shows.
#[test]
fn jobs_for_slurm_are_written() {
    let folder = Folder::new("slurm");
    folder.small(12);
    let words = [
        "slurm",
        "e.toml",
        "all.set",
        "--out",
        "job",
        "--shards",
        "4",
        "--cpus",
        "2",
        "--memory-limit",
        "500",
        "--sbatch",
        "--account=me",
    ];
    let done = folder.output(&words);
    assert!(done.status.success(), "{done:?}");
    let script = fs::read_to_string(folder.0.join("job/array.sh")).unwrap();
    for line in [
        "#SBATCH --array=1-4\n",
        "#SBATCH --cpus-per-task=2\n",
        "#SBATCH --mem=1200M\n",
        "#SBATCH --account=me\n",
        "#SBATCH --requeue\n",
        "#SBATCH --signal=B:TERM@120\n",
    ] {
        assert!(script.contains(line), "no {line} in {script}");
    }
    assert!(
        Command::new("bash")
            .arg("-n")
            .arg(folder.0.join("job/array.sh"))
            .status()
            .unwrap()
            .success()
    );
    // The work of the array by hand: each task in its place, then the job that joins.
    for task in ["1", "2", "3", "4"] {
        let status = Command::new("bash")
            .arg(folder.0.join("job/array.sh"))
            .env("SLURM_ARRAY_TASK_ID", task)
            .stdout(Stdio::null())
            .status();
        assert!(status.unwrap().success());
    }
    assert!(
        Command::new("bash")
            .arg(folder.0.join("job/join.sh"))
            .stdout(Stdio::null())
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(folder.runs("job/journal.jsonl").len(), 24);
    let other = folder.output(&["slurm", "e.toml", "all.set", "--out", "job", "--cpu-limit", "5"]);
    assert!(
        String::from_utf8_lossy(&other.stderr).contains("holds results of another experiment"),
        "{other:?}"
    );
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs")
}

#[test]
fn a_campaign_keeps_its_journal_beside_its_table() {
    let folder = Folder::new("campaign");
    let task = programs().join("goto_labels.yml").display().to_string();
    for note in ["", "1 of 1 runs were in the journal already"] {
        let done = folder.output(&["campaign", &task, "--table", "t.csv"]);
        assert!(
            done.status.success() && String::from_utf8_lossy(&done.stderr).contains(note),
            "{done:?}"
        );
    }
    assert_eq!(folder.runs("t.csv.journal/journal.jsonl").len(), 1);
    assert_eq!(fs::read_to_string(folder.0.join("t.csv")).unwrap().lines().count(), 3);
}
