//! The learned metric: `provident study train` makes a model of journals, and `explore.metric=learned` chooses by it.

use provident::campaign::definition::{Configuration, Definition, Of};
use provident::campaign::journal::{Header, Journal};
use provident::campaign::plan::Identity;
use provident::campaign::record::{PropertyRecord, Record};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const METRICS: [&str; 4] = ["st", "bb", "lh", "lf"];

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("provident-learned-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn provident(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provident"));
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    command.current_dir(programs).args(arguments).output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// A run of an invented study: task, metric, whether it is solved, ticks, and the edges of the program.
struct Row<'r> {
    task: String,
    metric: &'r str,
    solved: bool,
    ticks: u64,
    edges: u32,
}

/// Forty programs: those with few edges are solved by `bb` alone, those with many by `lf` alone.
fn rows() -> Vec<Row<'static>> {
    let row = |program: u32, metric: &'static str| {
        let solved = metric == if program < 20 { "bb" } else { "lf" };
        Row {
            task: format!("p{program:02}.yml"),
            metric,
            solved,
            ticks: if solved { 50 } else { 100 },
            edges: 10 * program + 1,
        }
    };
    let all = (0..40).flat_map(|program| METRICS.map(|metric| row(program, metric)));
    all.collect()
}

/// Writes a journal of these rows. `more` are options that all runs share.
fn journal(folder: &Path, rows: &[Row<'_>], more: &[(&str, &str)]) {
    let configurations = METRICS.map(|metric| Configuration {
        name: format!("D.{metric}"),
        arguments: vec!["--set".to_string(), format!("explore.metric={metric}")],
        of: Of::Any,
    });
    let identity = Identity {
        version: "provident 1".to_string(),
        definition: Definition {
            arguments: vec!["--threads".to_string(), "1".to_string()],
            configurations: configurations.to_vec(),
            ..Definition::single("invented", Vec::new())
        },
        tasks: rows.len(),
        names: "n".to_string(),
        shard: (1, 1),
        contents: "c".to_string(),
        runs: rows.len(),
    };
    let (mut journal, _) = Journal::open(folder, Header::now(identity, Path::new("root"))).unwrap();
    for row in rows {
        let mut options = BTreeMap::from([("explore.order", "distance"), ("explore.metric", row.metric)]);
        options.extend(more.iter().copied());
        let verdict = if row.solved { "true" } else { "unknown" };
        let property = PropertyRecord {
            name: "p".to_string(),
            verdict: verdict.to_string(),
            expected: Some(true),
            ..PropertyRecord::default()
        };
        let features = [("EDGES", f64::from(row.edges)), ("FUNCS", 1.0)];
        let record = Record {
            task: row.task.clone(),
            configuration: format!("D.{}", row.metric),
            verdict: verdict.to_string(),
            properties: vec![property],
            ticks: row.ticks,
            cpu_s: 0.5,
            features: features.map(|(name, value)| (name.to_string(), value)).into(),
            options: format!("options of {} {more:?}", row.metric),
            files: row.task.clone(),
            version: "provident 1".to_string(),
            started: "2026-01-02T03:04:05Z".to_string(),
            ..Record::default()
        };
        let options = options
            .into_iter()
            .map(|(key, value)| (key.to_string(), value.to_string()));
        journal.book(record, &options.collect()).unwrap();
    }
}

fn train(folders: &[&Path], more: &[&str]) -> Output {
    let folders = folders.iter().map(|folder| folder.to_str().unwrap());
    let arguments: Vec<&str> = ["study", "train"]
        .into_iter()
        .chain(folders)
        .chain(more.iter().copied())
        .collect();
    provident(&arguments)
}

#[test]
fn a_model_is_learned_from_a_journal_and_chooses() {
    let folder = folder("learned");
    journal(&folder, &rows(), &[]);
    let file = folder.join("model.toml");
    let file = file.to_str().unwrap();
    let trained = train(&[&folder], &["--out", file]);
    assert!(trained.status.success(), "{}", stderr(&trained));
    let said = stdout(&trained);
    let expected = "\
40 tasks, 40 of them examples with a difference of at least 5 ticks; best metric: st 0, bb 20, lh 0, lf 20
choice                                        solved           ticks  CPU time (s)
learned, leave-one-out                            39            2050          20.0
learned, without programs of equal features       39            2050          20.0
always st                                          0            4000          20.0
always bb                                         20            3000          20.0
always lh                                          0            4000          20.0
always lf                                         20            3000          20.0
the best metric of each task                      40            2000          20.0
In leave-one-out the learned choice solves more than the best single metric, bb.
The tree, with the examples of each metric at its leaves:
  EDGES < 196
    bb [0, 20, 0, 0]
  EDGES >= 196
    lf [0, 0, 0, 20]
";
    assert!(said.starts_with(expected), "{said}");
    let text = fs::read_to_string(file).unwrap();
    for part in [
        "filter = 5",
        "date = \"2026-01-02T03:04:05Z\"",
        "features = [\"EDGES\"]",
        "\"D.st: --threads 1 --set explore.metric=st\"",
        "\"p39.yml\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // A program of a few edges.
    let model = format!("explore.model={file}");
    let verify = |more: &[&str]| {
        let usual = [
            "verify",
            "goto_labels.yml",
            "--set",
            "explore.order=distance",
            "--set",
            "explore.metric=learned",
            "--set",
            &model,
            "--ticks",
            "10000000",
        ];
        provident(&[&usual[..], more].concat())
    };
    let report: Value = serde_json::from_str(&stdout(&verify(&["--json"]))).unwrap();
    let selection = &report["selection"];
    assert_eq!(
        (
            selection["metric"].as_str(),
            selection["leaf"].as_u64(),
            selection["leaves"].as_u64()
        ),
        (Some("bb"), Some(1), Some(2))
    );
    assert_eq!(selection["conditions"], serde_json::json!(["EDGES < 196"]));
    assert_eq!(
        selection["examples"],
        serde_json::json!({"st": 0, "bb": 20, "lh": 0, "lf": 0})
    );
    assert!(said.contains(selection["model"].as_str().unwrap()), "{said}");
    assert!(report["features"]["EDGES"].as_f64().unwrap() < 196.0);
    assert_eq!(report["configuration"]["explore.metric"], "learned");
    assert_eq!(report["configuration"]["explore.model"], file);
    let text = stdout(&verify(&["--statistics"]));
    assert!(
        text.contains("Metric: bb, by leaf 1 of 2 of the model ")
            && text.contains("\n  EDGES < 196\n  examples there: st 0, bb 20, lh 0, lf 0\n"),
        "{text}"
    );
    fs::remove_dir_all(&folder).unwrap();
}

/// Neither the order of the folders nor the division into shards matters, byte for byte.
#[test]
fn equal_journals_give_equal_models() {
    let folder = folder("equal");
    let (whole, odd, even) = (folder.join("whole"), folder.join("odd"), folder.join("even"));
    journal(&whole, &rows(), &[]);
    let (first, second): (Vec<_>, Vec<_>) = rows().into_iter().partition(|row| row.edges % 20 == 1);
    journal(&odd, &first, &[]);
    journal(&even, &second, &[]);
    let file = folder.join("model.toml");
    let text = |folders: &[&Path]| {
        let trained = train(folders, &["--out", file.to_str().unwrap()]);
        assert!(trained.status.success(), "{}", stderr(&trained));
        (fs::read_to_string(&file).unwrap(), stdout(&trained))
    };
    let expected = text(&[&whole]);
    assert_eq!(text(&[&whole]), expected);
    assert_eq!(text(&[&odd, &even]), expected);
    assert_eq!(text(&[&even, &odd]), expected);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn what_cannot_be_learned_from_is_refused() {
    let folder = folder("refused");
    let refused = |folders: &[&Path], more: &[&str]| {
        let output = train(folders, more);
        assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
        stderr(&output)
    };
    let (plain, single) = (folder.join("plain"), folder.join("single"));
    journal(&plain, &rows(), &[]);
    journal(&single, &rows(), &[("block", "single")]);
    let said = refused(&[&folder], &[]);
    assert!(
        said.contains("cannot read `") && said.contains("journal.jsonl"),
        "{said}"
    );
    let said = refused(&[&plain, &single], &[]);
    assert!(
        said.contains("the runs differ in more than `explore.metric`")
            && said.contains("`D.st,D.bb,D.lh,D.lf` or `D.st,"),
        "{said}"
    );
    let said = refused(&[&plain, &plain], &[]);
    assert!(
        said.contains("the task `p00.yml` was run twice with the metric `st`"),
        "{said}"
    );
    let said = refused(&[&plain], &["--configurations", "D.st"]);
    assert!(said.contains("the runs of at least two metrics are needed"), "{said}");
    let undirected = folder.join("undirected");
    journal(&undirected, &rows(), &[("explore.order", "dfs")]);
    assert!(refused(&[&undirected], &[]).contains("the runs of at least two metrics are needed"));
    let alike = folder.join("alike");
    let rows: Vec<Row<'_>> = rows()
        .into_iter()
        .map(|row| Row {
            solved: true,
            ticks: 9,
            ..row
        })
        .collect();
    journal(&alike, &rows, &[]);
    let said = refused(&[&alike], &["--filter", "1"]);
    assert!(
        said.contains(
            "none of 40 tasks is an example: no metric solves it, or the metrics differ by less than 1 ticks"
        ),
        "{said}"
    );
    let said = refused(&[&plain], &["--jobs", "2"]);
    assert!(said.contains("--jobs"), "{said}");
    assert!(refused(&[], &[]).contains("INPUT"));
    fs::remove_dir_all(&folder).unwrap();
}

/// Two metrics are enough, and tasks that one of them has not run do not count.
#[test]
fn incomplete_tasks_do_not_count() {
    let folder = folder("incomplete");
    let rows: Vec<Row<'_>> = rows()
        .into_iter()
        .filter(|row| row.task != "p00.yml" || row.metric != "bb")
        .collect();
    journal(&folder, &rows, &[]);
    let trained = train(&[&folder], &["--configurations", "D.bb,D.lf"]);
    let said = stdout(&trained);
    assert!(said.starts_with("39 tasks, 39 of them examples"), "{said}");
    assert!(
        said.contains("\n1 more tasks were not run with every metric, or have no features\n"),
        "{said}"
    );
    assert!(said.contains("always lf") && !said.contains("always st"), "{said}");
    fs::remove_dir_all(&folder).unwrap();
}

/// From the runs of a real study to a model: with one task there is nothing to ask, and one leaf.
#[test]
fn a_study_gives_a_model() {
    let folder = folder("study");
    let definition = folder.join("metrics.toml");
    let configurations = METRICS.map(|metric| {
        format!("[[configuration]]\nname = \"{metric}\"\narguments = \"--set explore.metric={metric}\"\n")
    });
    let text = format!(
        "name = \"metrics\"\narguments = \"--threads 1 --refine single --set explicit=off --set explore.order=distance --ticks 10000000\"\n{}",
        configurations.concat()
    );
    fs::write(&definition, text).unwrap();
    let out = folder.join("out");
    let ran = provident(&[
        "study",
        definition.to_str().unwrap(),
        "goto_labels.yml",
        "--out",
        out.to_str().unwrap(),
    ]);
    assert!(ran.status.success(), "{}", stderr(&ran));
    let file = folder.join("model.toml");
    let trained = train(&[&out], &["--filter", "0", "--out", file.to_str().unwrap()]);
    assert!(trained.status.success(), "{}", stderr(&trained));
    assert!(
        stdout(&trained).starts_with("1 tasks, 1 of them examples with a difference of at least 0 ticks"),
        "{}",
        stdout(&trained)
    );
    let model = provident::verify::selector::Model::read(&file).unwrap();
    let solved: Vec<usize> = model.training().result.iter().map(|result| result.solved).collect();
    assert_eq!(solved, [1; 7]);
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_bad_model_is_refused_with_its_place() {
    let folder = folder("bad");
    let file = folder.join("bad.toml");
    fs::write(&file, "format = 1\nhash = 7\n").unwrap();
    let model = format!("explore.model={}", file.display());
    let learned = ["--set", "explore.order=distance", "--set", "explore.metric=learned"];
    let refused = |command: &[&str], more: &[&str]| {
        let output = provident(&[command, more].concat());
        assert_eq!(output.status.code(), Some(3), "{}", stdout(&output));
        stderr(&output)
    };
    let verify = ["verify", "goto_labels.yml"];
    let said = refused(&verify, &[&learned[..], &["--set", &model]].concat());
    assert!(said.starts_with(&format!("{}:2:8: error: ", file.display())), "{said}");
    let said = refused(
        &verify,
        &[&learned[..], &["--set", "explore.model=no/such.toml"]].concat(),
    );
    assert!(said.contains("cannot read `no/such.toml`"), "{said}");
    let said = refused(&verify, &["--set", "explore.order=distance", "--set", &model]);
    assert!(
        said.contains("`explore.model` has no effect beside a metric that is not `explore.metric=learned`"),
        "{said}"
    );
    let said = refused(
        &verify,
        &["--set", "explicit.order=depth", "--set", "explore.metric=learned"],
    );
    assert!(said.contains("`explore.metric` has no effect"), "{said}");
    fs::remove_dir_all(&folder).unwrap();
}

/// `check` looks for the violation of a witness with the options of `verify`, also with a metric that a model selects.
#[test]
fn witnesses_are_checked_with_a_learned_metric() {
    let folder = folder("witness");
    let out = folder.to_str().unwrap();
    let found = provident(&[
        "verify",
        "loop_count_false.c",
        "--property",
        "unreach-call.prp",
        "--out",
        out,
    ]);
    assert_eq!(found.status.code(), Some(1), "{}", stderr(&found));
    let witness = folder.join("witness-unreach-call.yml");
    let check = |more: &[&str]| {
        let usual = [
            "check",
            "loop_count_false.c",
            witness.to_str().unwrap(),
            "--property",
            "unreach-call.prp",
            "--set",
            "explore.order=distance",
            "--set",
            "explore.metric=learned",
        ];
        provident(&[&usual[..], more].concat())
    };
    let answer = check(&[]);
    assert_eq!(stdout(&answer), "WITNESS: CONFIRMED\n", "{}", stderr(&answer));
    let answer = check(&["--set", "explore.model=no/such.toml"]);
    assert!(
        stderr(&answer).contains("cannot read `no/such.toml`"),
        "{}",
        stderr(&answer)
    );
    fs::remove_dir_all(&folder).unwrap();
}

/// The model that Provident brings along, on programs of its tests: the verdicts are those of every metric, and the report is that of the metric that was chosen, for any number of threads.
#[test]
fn the_shipped_model_chooses_and_changes_no_verdict() {
    for name in [
        "goto_labels.yml",
        "loop_count_false.c",
        "locks_true.c",
        "loop_invariant_true.c",
    ] {
        let run = |metric: &str, threads: &str| {
            let metric = format!("explore.metric={metric}");
            let output = provident(&[
                "verify",
                name,
                "--json",
                "--threads",
                threads,
                "--set",
                "explicit=off",
                "--set",
                "explore.order=distance",
                "--set",
                &metric,
                "--ticks",
                "20000000",
            ]);
            serde_json::from_str::<Value>(&stdout(&output))
                .unwrap_or_else(|error| panic!("{name}: {error}: {}", stderr(&output)))
        };
        let learned = run("learned", "1");
        let chosen = learned["selection"]["metric"].as_str().unwrap().to_string();
        let of_chosen = run(&chosen, "1");
        assert!(of_chosen["selection"].is_null(), "nobody asked a model");
        for part in ["verdict", "statistics", "precision", "features"] {
            assert_eq!(learned[part], of_chosen[part], "{name}: {part}");
        }
        let many = run("learned", "8");
        for part in ["verdict", "statistics", "precision", "selection"] {
            assert_eq!(learned[part], many[part], "{name}: {part}");
        }
    }
}
