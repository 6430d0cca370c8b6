//! Runs the tasks of a campaign as child processes.

use super::table::Row;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// How the children run.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Options of `verify` for every child.
    pub arguments: Vec<String>,
    /// Children at the same time.
    pub jobs: usize,
    /// Seconds after which a child is killed that should have ended by itself. `None`: never.
    pub patience: Option<f64>,
}

/// What a child's JSON report says that tables and studies need.
#[derive(Clone, Debug, Deserialize)]
pub struct ChildReport {
    /// The answers.
    pub properties: Vec<ChildProperty>,
    /// The counters by name.
    #[serde(default)]
    pub statistics: BTreeMap<String, u64>,
    /// What it took.
    pub resources: ChildResources,
}

/// The answer for one property.
#[derive(Clone, Debug, Deserialize)]
pub struct ChildProperty {
    /// Its name.
    pub name: String,
    /// `TRUE`, `FALSE` or `UNKNOWN`.
    pub verdict: String,
    /// Why there is no answer.
    #[serde(default)]
    pub reason: Option<String>,
    /// What the task definition expects.
    #[serde(default)]
    pub expected: Option<bool>,
}

/// Time and memory of a child.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct ChildResources {
    /// Processor seconds.
    pub cpu_s: f64,
    /// Processor seconds without reading the program and writing the report.
    #[serde(default)]
    pub analysis_cpu_s: f64,
    /// Seconds of provident refinement alone.
    #[serde(default)]
    pub refinement_wall_s: f64,
    /// Seconds.
    pub wall_s: f64,
    /// The greatest resident memory in MiB.
    pub memory_mb: u64,
}

/// Runs all tasks with `program` as the binary and returns the rows in the order of the tasks. `done` is called after each task, in the
/// order in which they end.
pub fn run(program: &Path, tasks: &[PathBuf], plan: &Plan, done: &(dyn Fn(usize) + Sync)) -> Vec<Row> {
    let next = AtomicUsize::new(0);
    let finished = AtomicUsize::new(0);
    let results: Mutex<Vec<Vec<Row>>> = Mutex::new(vec![Vec::new(); tasks.len()]);
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.clamp(1, tasks.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(task) = tasks.get(position) else { return };
                    let rows = run_one(program, task, plan);
                    results.lock().expect("no worker panics while it holds the lock")[position] = rows;
                    done(finished.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    results
        .into_inner()
        .expect("no worker panics while it holds the lock")
        .into_iter()
        .flatten()
        .collect()
}

fn run_one(program: &Path, task: &Path, plan: &Plan) -> Vec<Row> {
    let start = Instant::now();
    match child(program, task, &plan.arguments, plan.patience) {
        Ok(report) => rows(task, &report),
        Err(reason) => vec![Row::failed(task, start.elapsed().as_secs_f64(), reason)],
    }
}

/// Verifies one task in a child process and returns its report.
///
/// # Errors
/// Says how a child without report ended, and what it said.
pub fn child(program: &Path, task: &Path, arguments: &[String], patience: Option<f64>) -> Result<ChildReport, String> {
    let spawned = Command::new(program)
        .arg("verify")
        .arg(task)
        .arg("--json")
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = spawned.map_err(|error| format!("cannot start `{}`: {error}", program.display()))?;
    let output = drain(child.stdout.take());
    let errors = drain(child.stderr.take());
    let ended = wait(&mut child, patience.map(Duration::from_secs_f64));
    let output = output.join().unwrap_or_default();
    let errors = errors.join().unwrap_or_default();
    let text = String::from_utf8_lossy(&output);
    serde_json::from_str(&text).map_err(|_| {
        // A child without report still says what was wrong: in its last verdict line, or in its first error line.
        let errors = String::from_utf8_lossy(&errors);
        let said = text
            .lines()
            .rev()
            .find_map(|line| line.strip_prefix("VERDICT: UNKNOWN "));
        let said = said.or_else(|| errors.lines().find(|line| !line.trim().is_empty()));
        format!("{ended}: {}", said.unwrap_or("no output"))
    })
}

fn rows(task: &Path, report: &ChildReport) -> Vec<Row> {
    let share = f64::from(u32::try_from(report.properties.len().max(1)).unwrap_or(u32::MAX));
    let row = |property: &ChildProperty| Row {
        task: task.display().to_string(),
        property: property.name.clone(),
        expected: property.expected,
        verdict: property.verdict.to_lowercase(),
        cpu_s: report.resources.cpu_s / share,
        wall_s: report.resources.wall_s / share,
        memory_mb: report.resources.memory_mb,
        refinements: report.statistics.get("refinements").copied(),
        reason: property.reason.clone().unwrap_or_default(),
    };
    report.properties.iter().map(row).collect()
}

/// Reads a pipe to its end in a thread, so that the child never waits for us.
fn drain<R: Read + Send + 'static>(pipe: Option<R>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            // What could be read is what there is.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// Waits for a child, kills it when patience is over, and says how it ended.
fn wait(child: &mut Child, patience: Option<Duration>) -> String {
    let start = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return status.to_string(),
            Ok(None) if patience.is_some_and(|patience| start.elapsed() > patience) => {
                // It may have ended in between, which is just as well.
                let _ = child.kill();
                let _ = child.wait();
                return "killed after its time".to_string();
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(5)),
            Err(error) => return format!("cannot wait for it: {error}"),
        }
    }
}
