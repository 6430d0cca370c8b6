//! The engine of all experiments: it runs what the journal does not hold yet.
//!
//! A run is a child process of this very binary. A process per run keeps runs apart: memory and processor time are those of the run, and a run that dies takes nothing with it. The engine knows only the command line of a
//! run, its report, and the kernel's account of the process.
//!
//! Each worker takes the next subject and runs its missing configurations one after the other. Workers share the journal behind a lock; nothing else. After a signal the children are asked to end, what they
//! took is booked, and the engine returns: those runs run again next time.

use super::error::Error;
use super::journal::{Journal, Known, host, now};
use super::plan::{Plan, hexadecimal};
use super::process::{self, Stop};
use super::record::Record;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The meaning of a command line: every option with its value. The engine does not know options; its caller gives the meaning.
pub type Meaning<'a> = dyn Fn(&[String]) -> Result<BTreeMap<String, String>, Box<dyn std::error::Error>> + Sync + 'a;

/// How an experiment is run on this machine. Nothing of this changes a result.
#[derive(Clone, Debug)]
pub struct Setting {
    /// The binary.
    pub program: PathBuf,
    /// The folder of the journal.
    pub folder: PathBuf,
    /// Runs at the same time.
    pub jobs: usize,
    /// Options that every run gets here, such as its threads.
    pub local: Vec<String>,
    /// Whether every run leaves its reports in the folder.
    pub reports: bool,
}

/// The work of the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// Runs that ended by themselves now.
    pub now: usize,
    /// Runs that were there already.
    pub before: usize,
    /// Runs that are left.
    pub left: usize,
}

/// The state that workers share.
struct Shared<'a> {
    plan: &'a Plan,
    setting: &'a Setting,
    meaning: &'a Meaning<'a>,
    stop: &'a Stop,
    known: &'a Known,
    journal: Mutex<(Journal, Result<(), Error>)>,
    failed: AtomicBool,
    next: AtomicUsize,
    finished: AtomicUsize,
    host: String,
}

/// Checks what a plan would run, without running it: every command line has to be understood.
///
/// # Errors
/// The first command line that is refused, with the reason.
pub fn check(plan: &Plan, setting: &Setting, meaning: &Meaning<'_>) -> Result<(), Error> {
    for configuration in &plan.definition.configurations {
        let fits = |subject: &&super::plan::Subject| configuration.of.fits(subject.property.is_empty());
        let Some(subject) = plan.subjects.iter().find(fits) else {
            continue;
        };
        let mut words = plan.arguments(subject, configuration);
        words.extend(setting.local.iter().cloned());
        meaning(&words).map_err(|what| {
            Error::Request(format!(
                "the configuration `{}` cannot be run: {}",
                configuration.name,
                what.to_string().trim_end()
            ))
        })?;
    }
    Ok(())
}

/// Runs what is missing. `progress` is told how many runs of this session have ended.
///
/// # Errors
/// Says that the journal cannot be written, or that the program cannot be started.
pub fn run(
    plan: &Plan,
    setting: &Setting,
    (journal, known): (Journal, &Known),
    meaning: &Meaning<'_>,
    stop: &Stop,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Done, Error> {
    let shared = Shared {
        plan,
        setting,
        meaning,
        stop,
        known,
        journal: Mutex::new((journal, Ok(()))),
        failed: AtomicBool::new(false),
        next: AtomicUsize::new(0),
        finished: AtomicUsize::new(0),
        host: host(),
    };
    std::thread::scope(|scope| {
        for _ in 0..setting.jobs.clamp(1, plan.subjects.len().max(1)) {
            scope.spawn(|| shared.work(progress));
        }
    });
    let (_, result) = shared.journal.into_inner().unwrap_or_else(PoisonError::into_inner);
    result?;
    let (before, now) = (known.keys.len(), shared.finished.into_inner());
    Ok(Done {
        now,
        before,
        left: plan.identity.runs.saturating_sub(before + now),
    })
}

impl Shared<'_> {
    /// The loop of one worker, until no subject is left, or the experiment ends.
    fn work(&self, progress: &(dyn Fn(usize) + Sync)) {
        loop {
            let subject = self.next.fetch_add(1, Ordering::Relaxed);
            if subject >= self.plan.subjects.len() {
                return;
            }
            for configuration in self.plan.configurations(subject) {
                if self.failed.load(Ordering::Relaxed) || self.stop.is_set() {
                    return;
                }
                match self.one(subject, configuration) {
                    Ok(true) => progress(self.finished.fetch_add(1, Ordering::Relaxed) + 1),
                    Ok(false) => {}
                    Err(error) => {
                        self.failed.store(true, Ordering::Relaxed);
                        self.journal.lock().unwrap_or_else(PoisonError::into_inner).1 = Err(error);
                        return;
                    }
                }
            }
        }
    }

    /// Runs a configuration on a subject and books it. Returns whether it ran and ended by itself.
    fn one(&self, subject: usize, configuration: usize) -> Result<bool, Error> {
        let (subject, configuration) = (
            &self.plan.subjects[subject],
            &self.plan.definition.configurations[configuration],
        );
        let task = &self.plan.tasks[subject.task];
        let key = (&*task.name, &*subject.property, &*configuration.name);
        if self.known.keys.contains(key) {
            return Ok(false);
        }
        let mut words = self.plan.arguments(subject, configuration);
        words.extend(self.setting.local.iter().cloned());
        let options = (self.meaning)(&words).map_err(|error| Error::Request(error.to_string()))?;
        let mut record = Record {
            task: task.name.clone(),
            property: subject.property.clone(),
            configuration: configuration.name.clone(),
            options: options_hash(&options),
            cpu_limit: subject.cpu.as_ref().and_then(|limit| limit.parse().ok()),
            wall_limit: self.plan.definition.limits.wall,
            memory_limit: self.plan.definition.limits.memory,
            files: self.plan.files[subject.task].clone(),
            version: self.plan.identity.version.clone(),
            host: self.host.clone(),
            started: now(),
            ..Record::default()
        };
        let name = run_name(&record);
        if self.setting.reports {
            let folder = Path::new("reports").join(&name);
            words.extend([
                "--out".to_string(),
                self.setting.folder.join(&folder).display().to_string(),
            ]);
            record.report = format!("{}/report.html", folder.display());
        }
        let scratch = Scratch::new(&self.setting.folder, &name, &mut words)?;
        let mut command = Command::new(&self.setting.program);
        command.arg("verify").arg(&task.path).arg("--json").args(&words);
        let patience = self.plan.patience(subject, configuration);
        let program = || self.setting.program.display().to_string();
        let ended =
            process::run(command, patience, self.stop).map_err(|error| Error::Program(program(), error.to_string()))?;
        drop(scratch);
        record.fill(&ended);
        if !record.report.is_empty() && !self.setting.folder.join(&record.report).exists() {
            record.report.clear();
        }
        let completed = !record.interrupted;
        let mut guard = self.journal.lock().unwrap_or_else(PoisonError::into_inner);
        guard.0.book(record, &options)?;
        Ok(completed)
    }
}

/// A folder of a run's own, if its arguments ask for one.
struct Scratch(Option<PathBuf>);

impl Scratch {
    fn new(folder: &Path, name: &str, words: &mut [String]) -> Result<Scratch, Error> {
        if !words.iter().any(|word| word.contains("{scratch}")) {
            return Ok(Scratch(None));
        }
        let path = folder.join("scratch").join(name);
        // Files of a run that was killed are not the beginning of this one.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).map_err(|error| Error::unwritable(&path, error))?;
        for word in words {
            *word = word.replace("{scratch}", &path.display().to_string());
        }
        Ok(Scratch(Some(path)))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = std::fs::remove_dir_all(path);
            // The folder around it goes with the last run.
            let _ = path.parent().map(std::fs::remove_dir);
        }
    }
}

/// A short name for the folder of a run: readable, and different for different runs.
fn run_name(record: &Record) -> String {
    let (task, property, configuration) = record.key();
    let hash = Sha256::digest(format!("{task}\0{property}\0{configuration}"));
    let stem = Path::new(task).file_stem().unwrap_or_default().to_string_lossy();
    let readable: String = stem
        .chars()
        .filter(|c| c.is_alphanumeric() || "._-".contains(*c))
        .take(40)
        .collect();
    format!("{readable}-{}", hexadecimal(&hash[..8]))
}

fn options_hash(options: &BTreeMap<String, String>) -> String {
    let hash = options.iter().fold(Sha256::new(), |hash, (key, value)| {
        hash.chain_update(key)
            .chain_update([0])
            .chain_update(value)
            .chain_update([0])
    });
    hexadecimal(&hash.finalize()[..8])
}
