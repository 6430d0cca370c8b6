//! A verification, from the task to the verdicts: [`verify`] is its owner and the whole boundary.
//!
//! The walk of a task:
//!
//! 1. [`load`](mod@load) makes automata of the text, with the specification automata woven in.
//! 2. `targets` finds the edges that violate the requested properties.
//! 3. The stages of the [`Strategy`](strategy) decide the properties, each on the program or a slice of it.
//! 4. The verdict policy (`verdict`) makes answers of what they found, with the ledger of assumptions.
//! 5. Evidence is settled and written: invariants, proof obligations, witnesses, harnesses. It may take a verdict back.
//!
//! An [`Observer`] hears of every event; it always has the report as it would be if the verification ended now.
//!
//! | module | does |
//! |---|---|
//! | [`task`] | the program and the requested properties |
//! | [`options`] | how a task is verified |
//! | [`error`] | why a task cannot be verified at all |
//! | [`load`](mod@load) | from text to automata |
//! | `targets` | from properties to edges |
//! | [`checks`] | the places of a program that are checked, each a property |
//! | [`mentions`] | the properties when none is given, and warnings about names that a program does not have |
//! | [`strategy`] | the stages in their order |
//! | `stages` | the names of stages, and lists of them |
//! | `stage` | one run of the engine, with the replay of its violations |
//! | [`selector`] | the selection of a metric of distances |
//! | `guess` | proofs by facts that the program's text suggests |
//! | `accelerate` | violations behind many turns of loops |
//! | `slices` | slices, and the way back to the program |
//! | `judge` | whether the whole program repeats a violation, and without invented values |
//! | `verdict` | the verdict policy |
//! | [`results`] | the results file, which another process can go on from |
//! | `summary` | the report |
//! | `certificate` | the whole program once more, for an invariant that shows what holds |
//! | `thin` | such an invariant from the proof of a slice |
//! | `executions` | concrete executions against formulas and claims, under `--check` |
//! | `exhibits` | witnesses and harnesses |
//! | [`proof`] | proof obligations |
//!
//! This room knows nothing of the command line and of terminals.

mod accelerate;
mod certificate;
pub mod checks;
pub mod error;
mod executions;
mod exhibits;
mod guess;
mod judge;
pub mod load;
pub mod mentions;
pub mod options;
pub mod proof;
pub mod results;
pub mod selector;
mod slices;
mod stage;
mod stages;
pub mod strategy;
mod summary;
mod targets;
pub mod task;
mod thin;
mod verdict;

use crate::cpa::tracking::PropertyId;
pub use error::Error;
pub use load::load;
pub use options::Options;
pub use strategy::{StageKind, Strategy, StrategyError};
pub use task::{Claim, ProgramFile, Requested, Task, read, read_automata, read_property, read_rules};

use crate::cfa::Program;
use crate::cfa::analysis::features::Features;
use crate::engine::budget::cpu_seconds;
use crate::engine::log::{Applied, Iteration, PredicateRecord, QueryScript};
use crate::engine::options::SearchOrder;
use crate::engine::{self, Account, Progress, Standing, Statistics};
use crate::evidence::Trace;
use crate::report::views::{ErrorPath, Explored, views};
use crate::report::{Report, files};
use certificate::Certificate;
use results::{Ended, Log};
use selector::Choice;
use stage::{Found, Stage};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;
use std::time::Instant;
use targets::Targets;

/// The listener of a verification.
pub trait Observer: engine::Observer {
    /// Called whenever more is known: the report is that of a verification that ends now.
    fn known(&mut self, report: &Report);

    /// Called when something went wrong on which no verdict depends.
    fn warning(&mut self, text: &str);

    /// Called when the stages have come to their end; what follows is evidence.
    fn decided(&mut self) {}
}

/// The observer that does not care.
impl Observer for engine::Silent {
    fn known(&mut self, _: &Report) {}

    fn warning(&mut self, _: &str) {}
}

/// Verifies a task. The result has an answer for each requested property, and all files of the report but those that
/// [`files::write_all`] makes of it are written. Long, as it is the list of all that happens, in order, to one task.
///
/// Deterministic in task and options, except that limits of time and memory may turn answers into UNKNOWN.
///
/// # Errors
/// The task cannot be verified at all: its text is wrong, or a file cannot be read.
pub fn verify(task: &Task, options: &Options, observer: &mut dyn Observer) -> Result<Outcome, Error> {
    let log = RefCell::new(Log::open(task, options)?);
    mentions::check_weights(&options.engine.weights, &task.requested)?;
    if !options.engine.weights.is_empty() && !options.engine.asks_for_distances() {
        let message = "`explore.weights` has no effect: no order asks for distances, as `explore.order=distance` does";
        return Err(Error::Request(message.to_string()));
    }
    let mut report = summary::blank(task, options);
    log.borrow().known(&mut report);
    observer.known(&report);
    if log.borrow().results.open().is_empty() {
        report.conclude();
        log.borrow_mut().end(Ended::Finished);
        log.borrow().count(&mut report);
        return Ok(Outcome {
            report,
            unwritten: None,
        });
    }
    observer.begins("read");
    let (program, woven) = load::load_woven(task, options.mode)?;
    let Targets {
        properties,
        positions,
        limits,
    } = Targets::of(task, &program, &woven, &mut report, &mut log.borrow_mut());
    log.borrow_mut().begin();
    for (property, warning) in
        report
            .properties
            .iter_mut()
            .zip(mentions::unmentioned(&task.program, &program, &task.requested)?)
    {
        warning.iter().for_each(|text| observer.warning(text));
        property.warning = warning;
    }
    let (start, before) = (Instant::now(), cpu_seconds());
    let choice = choice(&program, options, &mut report);
    // A woven automaton depends on all that it watches.
    let is_woven = woven.iter().any(Option::is_some);
    let strategy = if is_woven {
        Strategy::whole()
    } else {
        options.strategy.clone()
    };
    let whole = Stage::new(Rc::new(program), properties, limits, options.invented);
    let wants_evidence = options.out.is_some();
    let engine = engine::Options {
        metric: choice.map_or(options.engine.metric, |choice| choice.metric),
        graph: wants_evidence,
        certificate: wants_evidence && !strategy.has_slices(),
        ..options.engine.clone()
    };
    let mut relay = Relay {
        observer,
        log: &log,
        positions: &positions,
        report: &report,
    };
    let mut traced = |property: PropertyId, trace: &Trace| {
        log.borrow_mut()
            .traced(positions[property.index()], summary::trace_report(trace));
    };
    let (mut found, stages) = strategy::run(&strategy, whole.clone(), &engine, &mut relay, &mut traced);
    report.resources.analysis_cpu_s = cpu_seconds() - before;
    report.resources.refinement_wall_s = found.outcome.refinement_wall.as_secs_f64();
    report.resources.operators_cpu_s = summary::operators(&found.outcome.operators);
    observer.decided();
    report.stages = stages;
    summary::fill(&mut report, options.strict, (&woven, &positions), &found);
    // The verdicts are known: a limit that strikes now takes no more than the evidence.
    observer.known(&report);
    if wants_evidence {
        let explored = Explored {
            program: &found.program,
            graph: &found.outcome.graph,
            rounds: &found.outcome.rounds,
        };
        report.views = views(&whole.program, &explored, &error_paths(&found, &positions));
        proof::expect(&mut report);
        observer.known(&report);
    }
    observer.begins("certificate");
    let mut certificate = match wants_evidence && strategy.has_slices() {
        true => Certificate::of_whole(whole.clone(), &mut found, start, &engine, observer),
        false => Certificate::of_stages(&mut found),
    };
    certificate.settle(&mut report);
    proof::settle(&whole, &mut certificate, &engine);
    summary::add_invariants(&mut report, &certificate);
    let mut verified = Verified {
        whole,
        found,
        certificate,
    };
    if options.engine.check {
        observer.begins("check");
        executions::check(&mut report, &verified, options.engine.arith, observer);
    }
    observer.begins("evidence");
    let mut log = log.into_inner();
    let limit = verified.found.outcome.limit.clone();
    log.conclude(&report, &positions, limit.as_ref());
    let unwritten = evidence(&mut report, task, options, &mut verified, &positions, observer).err();
    log.conclude(&report, &positions, limit.as_ref());
    log.count(&mut report);
    if let Some(failure) = log.failure() {
        observer.warning(&format!("the results file is not up to date: {failure}"));
    }
    Ok(Outcome { report, unwritten })
}

/// Puts the features of the program into the report if a metric is asked for, and what the model chooses, if one is to choose.
fn choice(program: &Program, options: &Options, report: &mut Report) -> Option<Choice> {
    if options.engine.order != SearchOrder::Distance && options.selector.is_none() {
        return None;
    }
    let features = Features::of(program);
    report.features = features.iter().collect();
    let choice = options.selector.as_ref()?.choose(&features);
    report.selection = Some(choice.report.clone());
    Some(choice)
}

/// The knowledge of a verification when the verdicts are there.
struct Verified {
    /// The program as it is, with the edges that violate the properties.
    whole: Stage,
    found: Found,
    certificate: Certificate,
}

/// The end of a verification.
#[derive(Debug)]
pub struct Outcome {
    /// The answers, and all there is to say of them.
    pub report: Report,
    /// Why files of evidence could not be written. No answer depends on the disk.
    pub unwritten: Option<Error>,
}

/// Makes the evidence for the answers: witnesses, harnesses, proof obligations. Takes answers
/// back that it does not bear out.
///
/// # Errors
/// A file cannot be written.
fn evidence(
    report: &mut Report,
    task: &Task,
    options: &Options,
    verified: &mut Verified,
    positions: &[usize],
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    if options.out.is_some() || options.engine.check {
        exhibits::attach(report, task, options, verified, positions);
        observer.known(report);
    }
    let Some(folder) = &options.out else { return Ok(()) };
    write_automata(&verified.whole.program, folder)?;
    observer.begins(if options.engine.check { "discharge" } else { "proof" });
    let mut keep = |report: &Report| observer.known(report);
    proof::write(report, verified, &options.engine, folder, &mut keep)
}

/// The confirmed violations, one for each property.
fn error_paths<'f>(found: &'f Found, positions: &[usize]) -> Vec<ErrorPath<'f>> {
    let mut paths: BTreeMap<usize, ErrorPath<'_>> = BTreeMap::new();
    for (property, violation) in &found.confirmed {
        let property = positions[property.index()];
        // The last one is that of the report.
        let path = ErrorPath {
            property,
            steps: &violation.steps,
            lines: &violation.replay.trace.lines,
        };
        paths.insert(property, path);
    }
    paths.into_values().collect()
}

/// Writes the automata of the whole program as Graphviz text.
fn write_automata(program: &Program, folder: &Path) -> Result<(), Error> {
    std::fs::create_dir_all(folder)
        .and_then(|()| files::write(folder, "cfa.dot", &crate::cfa::view::dot::dot(program, &[])))
        .map_err(|error| Error::unwritable(&folder.join("cfa.dot"), &error))
}

/// Passes the messages of the engine on to the observer, and to the results file, which makes reports of them.
struct Relay<'r> {
    observer: &'r mut dyn Observer,
    log: &'r RefCell<Log>,
    positions: &'r [usize],
    /// The report before anything was found.
    report: &'r Report,
}

impl engine::Observer for Relay<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.observer.progress(progress);
    }

    fn begins(&mut self, part: &'static str) {
        self.observer.begins(part);
    }

    fn ended(&mut self, stage: &'static str, statistics: &Statistics, open: usize) {
        self.observer.ended(stage, statistics, open);
    }

    fn wants_log(&self) -> bool {
        self.observer.wants_log()
    }

    fn candidates(&mut self, iteration: &Iteration) {
        self.observer.candidates(iteration);
    }

    fn applied(&mut self, applied: &Applied) {
        self.observer.applied(applied);
    }

    fn predicates(&mut self, records: &[PredicateRecord]) {
        self.observer.predicates(records);
    }

    fn wants_queries(&self) -> bool {
        self.observer.wants_queries()
    }

    fn query(&mut self, query: &QueryScript) {
        self.observer.query(query);
    }

    fn properties(&mut self, standings: &[(Standing, Account)], latest: Option<PropertyId>) {
        let mut log = self.log.borrow_mut();
        if log.standings(self.positions, standings, latest) {
            let mut report = self.report.clone();
            log.known(&mut report);
            self.observer.known(&report);
        }
    }
}
