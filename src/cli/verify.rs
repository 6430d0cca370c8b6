//! `provident verify`: from files to a report.

use super::BAD_INPUT;
use super::evidence;
use super::finish::{Finisher, eprintln_quietly};
use super::progress::Display;
use super::proof;
use super::request::{ProgramRequest, VerifyRequest};
use super::results::{Log, Word};
use super::stages::{self, Cuts, Found, Stage};
use super::wanted::Claim;
use crate::cfa::weave::Weaver;
use crate::cfa::{Assumption, AssumptionKind, EdgeId, LowerOptions, Program, Watcher, lower_woven};
use crate::encode::Arith;
use crate::engine::budget::cpu_seconds;
use crate::engine::log::{Applied, Iteration, QueryScript};
use crate::engine::{self, Account, Invariant, Observer, Progress, Standing, Verdict};
use crate::evidence::{Ledger, Trace, executions};
use crate::frontend::{self, FrontendOptions};
use crate::report::refinement_log::RefinementLog;
use crate::report::views::{Views, views};
use crate::report::{
    Answer, AssumptionReport, Counters, EffortReport, InputReport, InvariantReport, LineReport, PropertyReport, Report,
    Resources, TraceReport, files, version,
};
use crate::spec::target_edges;
use crate::spec::weaving::{Watched, Woven, weave};
use std::cell::RefCell;
use std::path::Path;
use std::time::Instant;

/// Verifies what is requested and hands the report over. Returns the exit status.
///
/// # Errors
/// Bad input, as a message for the user.
pub(super) fn verify(request: &VerifyRequest, finisher: &Finisher, start: Instant) -> Result<u8, String> {
    let log = RefCell::new(Log::open(request)?);
    let mut report = blank(request);
    log.borrow().known(&mut report);
    finisher.expect(&report);
    if log.borrow().results.open().is_empty() {
        report.conclude();
        log.borrow_mut().end("finished");
        return Ok(finisher.finish(report, start));
    }
    let (program, woven) = load_woven(request)?;
    let Aims {
        properties,
        positions,
        limits,
    } = aims(request, &program, &woven, &mut report, &mut log.borrow_mut());
    let refinements = request.out.as_deref().map(RefinementLog::create).transpose();
    let refinements = refinements.unwrap_or_else(|error| {
        // The verdict does not depend on the disk.
        eprintln_quietly(&format!("warning: there is no refinement log: {error}"));
        None
    });
    let mut watch = Watch {
        display: Display::new(finisher).with_log(refinements, request.dump_queries),
        finisher,
        log: &log,
        positions: &positions,
        report: &report.clone(),
    };
    let mut options = request.engine.clone();
    options.cancel = Some(finisher.cancel());
    let before = cpu_seconds();
    // Evidence is about the whole program, and what is woven in depends on all that it watches.
    let evident = request.out.is_some() || request.engine.check;
    let cuts = Cuts::wanted(request.slice && !evident && woven.iter().all(Option::is_none));
    let whole = Stage::new(program, properties, limits, request.invented);
    let mut traced = |property: usize, trace: &Trace| log.borrow_mut().traced(positions[property], trace_report(trace));
    let mut found = stages::run(whole, cuts, &options, &mut watch, &mut traced);
    report.resources.analysis_cpu_s = cpu_seconds() - before;
    report.resources.refinement_wall_s = found.outcome.refinement_wall.as_secs_f64();
    if let Some(failure) = watch.display.log_failure() {
        eprintln_quietly(&format!("warning: the refinement log is not complete: {failure}"));
    }
    watch.display.clear();
    fill(&mut report, request, (&woven, &positions), &found);
    finisher.expect(&report);
    proof::settle(&found.program, &found.properties, &mut found.outcome, &options);
    tell_invariants(&mut report, &found.program, &found.outcome.invariants);
    if request.engine.check {
        check_executions(&mut report, &found, request.engine.arith);
    }
    let mut log = log.into_inner();
    log.conclude(&report, &positions, found.outcome.limit.as_deref());
    if let Some(failure) = log.failure() {
        eprintln_quietly(&format!("warning: the results file is not up to date: {failure}"));
    }
    if request.out.is_some() {
        report.views = views(&found.program, &found.outcome.graph, &found.outcome.rounds);
    }
    if request.out.is_some() || request.engine.check {
        // The verdicts are known: a limit that strikes now takes no more than the evidence.
        finisher.expect(&report);
        evidence::attach(
            &mut report,
            request,
            &found.program,
            &found.outcome,
            &positions,
            &found.confirmed,
        );
        finisher.expect(&report);
    }
    if let Some(folder) = &request.out {
        let Found {
            program,
            properties,
            outcome,
            ..
        } = &found;
        let written = write_automata(program, folder).and_then(|()| {
            let mut keep = |report: &Report| finisher.expect(report);
            proof::write(&mut report, program, properties, outcome, &options, folder, &mut keep)
        });
        if let Err(message) = written {
            // The verdict does not depend on the disk.
            eprintln_quietly(&format!("error: {message}"));
            finisher.finish(report, start);
            return Ok(BAD_INPUT);
        }
    }
    Ok(finisher.finish(report, start))
}

/// Under `--check`: concrete executions are models of the formulas, satisfy the claims, and violate nothing that holds.
///
/// # Panics
/// If one is not. That is a defect of Provident.
fn check_executions(report: &mut Report, found: &Found, arith: Arith) {
    let verdicts = found.properties.iter().zip(&found.outcome.verdicts);
    let safe = verdicts
        .filter(|(_, (_, verdict))| matches!(verdict, Verdict::True))
        .flat_map(|(property, _)| property.targets.iter().copied())
        .collect();
    let certificate = found.outcome.evidence.certificate.as_ref();
    match executions::check(&found.program, arith, certificate, &safe) {
        Ok(account) => {
            if let Some(defect) = &account.defect {
                eprintln_quietly(&format!(
                    "warning: the program leaves an object, or memory is divided wrongly: {defect}"
                ));
            }
            let counts = [
                ("admitted executions", account.admitted),
                ("undecided executions", account.undecided),
                ("claims met by executions", account.points),
                ("bytes compared with their writers", account.bytes),
            ];
            let counts = counts.map(|(name, count)| (name.to_string(), count));
            report.statistics.0.extend(counts);
        }
        Err(defect) => panic!("wrong encoding: {defect}"),
    }
}

/// The automata of the whole program as Graphviz text.
fn write_automata(program: &Program, folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("cannot write `{}`: {error}", folder.display()))?;
    files::write(folder, "cfa.dot", &crate::cfa::dot::dot(program, &[])).map_err(|error| error.to_string())
}

/// Passes on what the engine says while it works: to people, to the results file, and to the finisher, which may have to report without the engine.
struct Watch<'w> {
    display: Display,
    finisher: &'w Finisher,
    log: &'w RefCell<Log>,
    positions: &'w [usize],
    /// The report before anything was found.
    report: &'w Report,
}

impl Observer for Watch<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.display.progress(progress);
    }

    fn wants_log(&self) -> bool {
        self.display.wants_log()
    }

    fn candidates(&mut self, iteration: &Iteration) {
        self.display.candidates(iteration);
    }

    fn applied(&mut self, applied: &Applied) {
        self.display.applied(applied);
    }

    fn wants_queries(&self) -> bool {
        self.display.wants_queries()
    }

    fn query(&mut self, query: &QueryScript) {
        self.display.query(query);
    }

    fn properties(&mut self, standings: &[(Standing, Account)], latest: Option<usize>) {
        let mut log = self.log.borrow_mut();
        if log.standings(self.positions, standings, latest) {
            let mut report = self.report.clone();
            log.known(&mut report);
            self.finisher.expect(&report);
        }
    }
}

/// What the engine is to decide.
struct Aims {
    properties: Vec<engine::Property>,
    /// The positions of the properties among those wanted.
    positions: Vec<usize>,
    /// For each property, the edges behind which it is not tracked exactly, with the reason.
    limits: Vec<Vec<(EdgeId, String)>>,
}

/// The edges that violate what is wanted. What cannot be checked gets its reason in the report.
fn aims(
    request: &VerifyRequest,
    program: &Program,
    woven: &[Option<Woven>],
    report: &mut Report,
    log: &mut Log,
) -> Aims {
    let mut aims = Aims {
        properties: Vec::new(),
        positions: Vec::new(),
        limits: Vec::new(),
    };
    for (position, (wanted, woven)) in request.wanted.iter().zip(woven).enumerate() {
        if log.results.properties[position].verdict != Word::Checking {
            continue;
        }
        log.results.properties[position].places = woven.as_ref().map(|woven| woven.places);
        let mut limits = Vec::new();
        let mut tracking = engine::Tracking::default();
        let targets = match (&wanted.claim, woven) {
            (Claim::Forbidden(spec), _) => target_edges(program, &spec.forbidden),
            (
                _,
                Some(Woven {
                    failure: Some(error), ..
                }),
            ) => {
                report.properties[position].reason = Some(error.brief());
                log.results.give_up(position, &error.brief());
                continue;
            }
            (_, Some(woven)) => {
                for (label, reason) in &woven.limits {
                    let edges = program.edges_labelled(label);
                    limits.extend(edges.into_iter().map(|edge| (edge, reason.clone())));
                }
                tracking.watcher = Some(Watcher::new(position));
                let seen = woven.transitions.iter().chain(&woven.errors);
                tracking.transitions = seen.flat_map(|label| program.edges_labelled(label)).collect();
                let errors = woven.errors.iter().flat_map(|label| program.edges_labelled(label));
                // An edge behind which an automaton is not tracked has to be unreachable, too.
                let mut targets: Vec<EdgeId> = errors.chain(limits.iter().map(|(edge, _)| *edge)).collect();
                targets.sort_unstable();
                targets
            }
            (_, None) => continue,
        };
        aims.properties.push(engine::Property {
            name: wanted.name.clone(),
            targets,
            tracking,
        });
        aims.positions.push(position);
        aims.limits.push(limits);
    }
    aims
}

/// Reads a program and lowers it to automata.
///
/// # Errors
/// The front end's diagnostics as text.
pub(super) fn load(request: &ProgramRequest) -> Result<Program, String> {
    load_with(request, &|_| false, &mut |_| ())
}

/// Reads the program of a request, and weaves the specification automata in. What became of them stands at their positions among the properties.
fn load_woven(request: &VerifyRequest) -> Result<(Program, Vec<Option<Woven>>), String> {
    let mut positions = Vec::new();
    let mut watched = Vec::new();
    for (position, wanted) in request.wanted.iter().enumerate() {
        if let Claim::Automaton(specification, at) = &wanted.claim {
            positions.push(position);
            watched.push(Watched {
                property: &wanted.name,
                watcher: Watcher::new(position),
                specification,
                automaton: &specification.automata[*at],
            });
        }
    }
    let watches = |function: &str| watched.iter().any(|one| one.automaton.watches(function));
    let mut found = Vec::new();
    let program = load_with(&request.program, &watches, &mut |weaver| {
        found = weave(weaver, &watched, request.mode);
    })?;
    let mut woven = vec![None; request.wanted.len()];
    for (position, one) in positions.into_iter().zip(found) {
        woven[position] = Some(one);
    }
    Ok((program, woven))
}

fn load_with(
    request: &ProgramRequest,
    watches: &dyn Fn(&str) -> bool,
    weave: &mut dyn FnMut(&mut Weaver<'_>),
) -> Result<Program, String> {
    let options = FrontendOptions {
        data_model: request.data_model,
    };
    let color = false;
    let unit = frontend::parse(request.read()?, &options).map_err(|problems| problems.render(color))?;
    let functions = unit.functions.iter().map(|f| f.name.to_string());
    let watched = functions.filter(|name| watches(name)).collect();
    let options = LowerOptions {
        watched,
        ..request.lower.clone()
    };
    lower_woven(unit, &options, weave).map_err(|problems| problems.render(color))
}

/// The report before anything is known.
fn blank(request: &VerifyRequest) -> Report {
    let properties = request
        .wanted
        .iter()
        .map(|wanted| PropertyReport {
            name: wanted.name.clone(),
            formula: wanted.claim.formula(),
            verdict: Answer::Unknown,
            reason: None,
            expected: wanted.expected,
            trace: None,
            effort: None,
        })
        .collect();
    Report {
        provident: version::line(),
        options: request.described.clone(),
        inputs: vec![request.program.input.display().to_string()],
        verdict: Answer::Unknown,
        reason: None,
        properties,
        statistics: Counters::default(),
        precision: Vec::new(),
        invariants: Vec::new(),
        proof: None,
        views: Views::default(),
        assumption_summary: None,
        assumptions: Vec::new(),
        resources: Resources::default(),
        checks: Vec::new(),
        attachments: Vec::new(),
    }
}

/// Puts what is known at loop heads into the report.
fn tell_invariants(report: &mut Report, program: &Program, invariants: &[Invariant]) {
    for invariant in invariants {
        let node = program.node(invariant.node);
        let position = program.sources.resolve(node.loc);
        report.invariants.push(InvariantReport {
            file: position.file.to_string(),
            line: position.line,
            column: position.column,
            function: program.function(node.func).name.clone(),
            any_of: invariant.disjuncts.clone(),
        });
    }
}

/// Puts the outcome into the report; the verdict at `i` belongs to the property at `positions[i]`.
fn fill(report: &mut Report, request: &VerifyRequest, (woven, positions): (&[Option<Woven>], &[usize]), found: &Found) {
    let Found {
        program,
        outcome,
        confirmed,
        ..
    } = found;
    let trusted = confirmed.iter().flat_map(|(_, replay)| &replay.assumptions);
    // What the program repeats on the concrete machine rests neither on the slice nor on types.
    let repeated = outcome
        .verdicts
        .iter()
        .all(|(_, verdict)| matches!(verdict, Verdict::False(_)));
    let is_shown =
        |a: &&Assumption| !(repeated && matches!(a.kind, AssumptionKind::Slicing | AssumptionKind::StrictAliasing));
    let ledger = Ledger::new(
        outcome.assumptions.iter().filter(is_shown).chain(trusted),
        &program.sources,
    );
    for (i, (position, (_, verdict))) in positions.iter().zip(&outcome.verdicts).enumerate() {
        let property = &mut report.properties[*position];
        let account = outcome.accounts[i];
        property.effort = Some(EffortReport {
            ticks: account.spent.ticks,
            refinements: account.refinements,
            places: woven[*position].as_ref().map(|woven| woven.places),
            transitions: woven[*position].as_ref().map(|_| account.transitions),
        });
        match verdict {
            Verdict::True => match ledger.unsound().filter(|_| request.strict) {
                None => property.verdict = Answer::True,
                Some(entry) => {
                    let (kind, detail) = (entry.kind.name(), &entry.detail);
                    property.reason = Some(format!("TRUE would rest on an assumption, {kind}: {detail}"));
                }
            },
            Verdict::False(_) => {
                let replay = confirmed.iter().rev().find(|(property, _)| *property == i);
                // The engine is not trusted to have asked: without a replay there is no FALSE.
                let (_, replay) = replay.expect("a FALSE has a confirmed replay");
                property.verdict = Answer::False;
                property.trace = Some(trace_report(&replay.trace));
            }
            Verdict::Unknown(engine::Reason(reason)) => property.reason = Some(reason.clone()),
        }
    }
    report.statistics = Counters(
        outcome
            .statistics
            .iter()
            .map(|(name, value)| (name.to_string(), value))
            .collect(),
    );
    report.precision = outcome.precision.clone();
    report.assumption_summary = ledger.summary();
    report.assumptions = ledger
        .entries
        .into_iter()
        .map(|entry| AssumptionReport {
            kind: entry.kind.name().to_string(),
            detail: entry.detail,
            sound: entry.sound,
            count: entry.count,
            place: entry.place,
        })
        .collect();
    report.conclude();
}

fn trace_report(trace: &Trace) -> TraceReport {
    let lines = trace.lines.iter().map(|line| LineReport {
        file: line.file.clone(),
        line: line.line,
        column: line.column,
        function: line.function.clone(),
        depth: line.depth,
        text: line.text.clone(),
        notes: line.notes.clone(),
    });
    let inputs = trace.inputs.iter().map(|input| InputReport {
        file: input.file.clone(),
        line: input.line,
        column: input.column,
        what: input.what.clone(),
        value: input.value.clone(),
    });
    TraceReport::new(lines.collect(), inputs.collect())
}
