//! The results file: where each property stands, at any moment of a run.
//!
//! It is one JSON object with an entry for each property. At every change, the whole file is written under another name and renamed (see [`files::write`]). So a reader
//! always finds a file that was true at some moment, even after the process was killed. A verdict is written when it is found, not at the end.
//!
//! A run that finds a results file of the *same question* goes on from it: properties with a verdict there are not checked again. The question is the text of the program and everything that may
//! change the meaning of a verdict, and the version that answered; a file of another question is refused. A conditional relaunch passes its knowledge on in this format
//! (Mordan and Mutilin, *Checking several requirements at once by CEGAR*, section 4.2).

use super::task::{Claim, Task};
use super::{Error, Options};
use crate::cpa::tracking::PropertyId;
use crate::engine::statistics::Counter;
use crate::engine::{Account, Reason, Standing};
use crate::report::{Answer, EffortReport, LaunchReport, Report, TraceReport, files, version};
use provident_smt::hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::hash::Hasher;
use std::path::{Path, PathBuf};

/// The contents of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The line of `--version`.
    pub provident: String,
    /// A hash of the question.
    pub question: String,
    /// How many processes have worked on it.
    pub launches: u64,
    /// Those that were followed by another one, in order: a supervisor books them.
    #[serde(default)]
    pub cut: Vec<LaunchReport>,
    /// Whether a process checks the first property without verdict alone: one before has ended, and nobody knows for which property.
    #[serde(default)]
    pub alone: bool,
    /// Whether the last process has read the program. If it has not, its end has nothing to do with a property.
    #[serde(default)]
    pub begun: bool,
    /// The name of the property that is being checked.
    pub latest: Option<String>,
    /// The greatest resident memory of the last process so far, in MiB.
    pub memory_mb: u64,
    /// How the last process ended; nothing while it runs, or if it was killed.
    pub ended: Option<Ended>,
    /// The properties, in the order in which they were given.
    pub properties: Vec<Entry>,
}

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ended {
    /// It did all that it was asked.
    Finished,
    /// It reached a limit.
    Limit(Reason),
}

/// Where a property stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Its verdict.
    pub verdict: Word,
    /// Why it is UNKNOWN, or why the last process did not decide it.
    #[serde(flatten)]
    pub reason: Option<Reason>,
    /// Processor seconds while it was the property that was checked.
    pub cpu_s: f64,
    /// Effort in ticks, likewise.
    pub ticks: u64,
    /// Error paths of it that were refined.
    pub refinements: u64,
    /// The static relevance of an automaton: places in the program where it looks.
    pub places: Option<usize>,
    /// Its dynamic relevance: how often it has seen something.
    pub transitions: u64,
    /// For FALSE: the replayed execution.
    pub trace: Option<TraceReport>,
}

impl Entry {
    /// Whether there is no verdict yet.
    pub fn is_open(&self) -> bool {
        self.verdict == Word::Checking
    }
}

/// A verdict, or that there is none yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Word {
    /// None yet.
    Checking,
    /// It holds.
    True,
    /// It is violated.
    False,
    /// It will not be decided.
    Unknown,
}

impl Results {
    /// Reads the file, if there is one.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn read(file: &Path) -> Result<Option<Results>, Error> {
        match std::fs::read_to_string(file) {
            Ok(text) => serde_json::from_str(&text)
                .map(Some)
                .map_err(|error| Error::Request(format!("`{}` is no results file: {error}", file.display()))),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::unreadable(file, &error)),
        }
    }

    /// Writes the file: as a whole or not at all.
    ///
    /// # Errors
    /// The file system does not let us.
    pub fn write(&self, file: &Path) -> Result<(), Error> {
        let name = file
            .file_name()
            .ok_or_else(|| Error::Request(format!("`{}` is no name of a file", file.display())))?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut text = serde_json::to_string_pretty(self).expect("results have only string keys and finite numbers");
        text.push('\n');
        files::write(folder.unwrap_or(Path::new(".")), &name.to_string_lossy(), &text)
            .map_err(|error| Error::unwritable(file, &error))
    }

    /// The positions of the properties without verdict.
    pub fn open(&self) -> Vec<usize> {
        let open = |(i, entry): (usize, &Entry)| entry.is_open().then_some(i);
        self.properties.iter().enumerate().filter_map(open).collect()
    }

    /// How many properties have a verdict.
    pub fn decided(&self) -> usize {
        self.properties.len() - self.open().len()
    }

    /// Gives a property without verdict up.
    pub fn give_up(&mut self, position: usize, reason: &Reason) {
        let entry = &mut self.properties[position];
        if entry.verdict == Word::Checking {
            entry.verdict = Word::Unknown;
            entry.reason = Some(reason.clone());
        }
    }
}

/// The results of a run, with their file if there is one.
#[derive(Debug)]
pub(super) struct Log {
    pub results: Results,
    file: Option<PathBuf>,
    strict: bool,
    /// The first failure to write the file.
    failure: Option<Error>,
}

impl Log {
    /// Says in the statistics how many processes have worked on the results, if they are kept in a file, and how many of them had to be followed by another one.
    pub(super) fn count(&self, report: &mut Report) {
        if self.file.is_none() {
            return;
        }
        report.statistics.push(Counter::Launches, self.results.launches);
        let cut = &self.results.cut;
        let count = |test: fn(&LaunchReport) -> bool| {
            u64::try_from(cut.iter().filter(|launch| test(launch)).count()).unwrap_or(u64::MAX)
        };
        if !cut.is_empty() {
            let entries = [
                (Counter::LaunchesCut, count(LaunchReport::is_cut_short)),
                (Counter::LaunchesMemory, count(LaunchReport::is_out_of_memory)),
                (Counter::LaunchesBlamed, count(|launch| launch.blamed.is_some())),
            ];
            for (counter, value) in entries {
                report.statistics.push(counter, value);
            }
        }
    }

    /// The results at the beginning of a run: those of the file, if there is one.
    ///
    /// # Errors
    /// The file is of another question, or none of ours.
    pub fn open(task: &Task, options: &Options) -> Result<Log, Error> {
        let question = question(task, options)?;
        let known = match &options.results {
            Some(file) => Results::read(file)?,
            None => None,
        };
        let mut results = match known {
            Some(known) if known.question != question || known.provident != version::line() => {
                return Err(Error::OtherQuestion(options.results.clone().unwrap_or_default()));
            }
            Some(known) => known,
            None => Results {
                provident: version::line(),
                question,
                launches: 0,
                cut: Vec::new(),
                alone: false,
                begun: false,
                latest: None,
                memory_mb: 0,
                ended: None,
                properties: task.requested.iter().map(|requested| blank(&requested.name)).collect(),
            },
        };
        // A process that only says what is known is no launch.
        if !results.open().is_empty() || results.launches == 0 {
            results.launches += 1;
        }
        results.latest = None;
        results.begun = false;
        results.ended = None;
        let mut log = Log {
            results,
            file: options.results.clone(),
            strict: options.strict,
            failure: None,
        };
        log.save();
        match log.failure {
            Some(failure) => Err(failure),
            None => Ok(log),
        }
    }

    /// Notes that the program is read.
    pub fn begin(&mut self) {
        self.results.begun = true;
        self.save();
    }

    /// Notes the trace of a violation, which becomes a verdict when the engine says so.
    pub fn traced(&mut self, position: usize, trace: TraceReport) {
        self.results.properties[position].trace = Some(trace);
    }

    /// Puts the known results into a report.
    pub fn known(&self, report: &mut Report) {
        report.launches.clone_from(&self.results.cut);
        for (property, entry) in report.properties.iter_mut().zip(&self.results.properties) {
            let answer = match entry.verdict {
                Word::Checking => continue,
                Word::True => Answer::True,
                Word::False => Answer::False,
                Word::Unknown => Answer::Unknown,
            };
            property.verdict = answer;
            property.reason = entry.reason.clone().filter(|_| answer == Answer::Unknown);
            property.trace = entry.trace.clone().filter(|_| answer == Answer::False);
            property.effort = Some(EffortReport {
                ticks: entry.ticks,
                refinements: entry.refinements,
                places: entry.places,
                transitions: entry.places.map(|_| entry.transitions),
            });
        }
    }

    /// Notes where properties stand; the standing at `i` is that of the property at `positions[i]`. Returns whether there is a new verdict.
    pub fn standings(
        &mut self,
        positions: &[usize],
        standings: &[(Standing, Account)],
        latest: Option<PropertyId>,
    ) -> bool {
        let before = self.results.decided();
        for (&position, (standing, account)) in positions.iter().zip(standings) {
            let entry = &mut self.results.properties[position];
            // Later stages have no targets for what an earlier one has decided, so it holds for them, whatever it was.
            if matches!(entry.verdict, Word::True | Word::False) {
                continue;
            }
            entry.cpu_s = account.spent.cpu;
            entry.ticks = account.spent.ticks;
            entry.refinements = account.refinements;
            entry.transitions = account.transitions;
            match standing {
                Standing::Checking => {}
                // A strict user's TRUE is known only when the run is over.
                Standing::True if self.strict => {}
                Standing::True => entry.verdict = Word::True,
                // Without a trace that the replay confirmed there is no FALSE.
                Standing::False if entry.trace.is_none() => {}
                Standing::False => entry.verdict = Word::False,
                Standing::Unknown(reason) => {
                    entry.verdict = Word::Unknown;
                    entry.reason = Some(reason.clone());
                }
            }
        }
        self.results.latest = latest.map(|i| self.results.properties[positions[i.index()]].name.clone());
        self.results.memory_mb = self.results.memory_mb.max(crate::engine::budget::resident_mb());
        self.save();
        self.results.decided() > before
    }

    /// Notes the verdicts of a run that is over, and how it ended: whether a limit was reached.
    pub fn conclude(&mut self, report: &Report, positions: &[usize], limit: Option<&Reason>) {
        for &position in positions {
            let (property, entry) = (&report.properties[position], &mut self.results.properties[position]);
            entry.reason.clone_from(&property.reason);
            match property.verdict {
                Answer::True => entry.verdict = Word::True,
                Answer::False => {
                    entry.verdict = Word::False;
                    entry.trace.clone_from(&property.trace);
                }
                Answer::Unknown if entry.verdict == Word::Unknown || limit.is_none() => entry.verdict = Word::Unknown,
                // Another run may decide it.
                Answer::Unknown => entry.verdict = Word::Checking,
            }
        }
        self.end(limit.map_or(Ended::Finished, |reason| Ended::Limit(reason.clone())));
    }

    /// Notes the end of the process.
    pub fn end(&mut self, how: Ended) {
        self.results.ended = Some(how);
        self.save();
    }

    /// Writes the file. A failure does not stop the verification.
    pub fn save(&mut self) {
        if let Some(file) = &self.file
            && let Err(error) = self.results.write(file)
        {
            self.failure.get_or_insert(error);
        }
    }

    /// The error of the last write, if it failed.
    pub fn failure(&self) -> Option<&Error> {
        self.failure.as_ref()
    }
}

fn blank(name: &str) -> Entry {
    Entry {
        name: name.to_string(),
        verdict: Word::Checking,
        reason: None,
        cpu_s: 0.0,
        ticks: 0,
        refinements: 0,
        places: None,
        transitions: 0,
        trace: None,
    }
}

/// A hash of the program and of everything that may change what a verdict means.
fn question(task: &Task, options: &Options) -> Result<String, Error> {
    let read = |file: &Path| std::fs::read(file).map_err(|error| Error::unreadable(file, &error));
    let mut hasher = FxHasher::default();
    for unit in &task.program.units {
        hasher.write(&unit.content().map_err(|error| Error::unreadable(&unit.path, &error))?);
        hasher.write(format!("{:?}", unit.preprocessing.arguments).as_bytes());
    }
    for model in &task.program.models {
        hasher.write(&read(model)?);
    }
    let options = format!(
        "{:?} {:?} {:?} {} {:?}",
        task.program.data_model, task.program.lower, options.engine.arith, options.strict, options.mode
    );
    hasher.write(options.as_bytes());
    for requested in &task.requested {
        hasher.write(requested.name.as_bytes());
        match &requested.claim {
            Claim::Forbidden(spec) => hasher.write(format!("{:?}", spec.forbidden).as_bytes()),
            Claim::Unsupported(why) => hasher.write(why.as_bytes()),
            Claim::Automaton(specification, at) => {
                hasher.write(specification.text.flat().as_bytes());
                hasher.write_usize(*at);
            }
        }
    }
    Ok(format!("{:016x}", hasher.finish()))
}
