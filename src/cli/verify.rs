//! `provident verify`: from files to a report.

use super::evidence;
use super::finish::Finisher;
use super::progress::Display;
use super::request::{ProgramRequest, VerifyRequest};
use super::stages::{self, Cuts, Found, Stage};
use super::wanted::Claim;
use crate::cfa::weave::Weaver;
use crate::cfa::{EdgeId, LowerOptions, Program, lower_woven};
use crate::engine::budget::cpu_seconds;
use crate::engine::{self, Verdict};
use crate::evidence::{Ledger, Trace};
use crate::frontend::{self, FrontendOptions, preprocess};
use crate::report::{
    Answer, AssumptionReport, Counters, InputReport, InvariantReport, LineReport, PropertyReport, Report, Resources,
    TraceReport, version,
};
use crate::spec::target_edges;
use crate::spec::weaving::{Watched, Woven, weave};
use std::time::Instant;

/// Verifies what is requested and hands the report over. Returns the exit status.
///
/// # Errors
/// Bad input, as a message for the user.
pub(super) fn verify(request: &VerifyRequest, finisher: &Finisher, start: Instant) -> Result<u8, String> {
    let mut report = blank(request);
    finisher.expect(&report);
    let (program, woven) = load_woven(request)?;
    let Aims {
        properties,
        positions,
        limits,
    } = aims(request, &program, &woven, &mut report);
    let mut display = Display::new(finisher);
    let mut options = request.engine.clone();
    options.cancel = Some(finisher.cancel());
    let before = cpu_seconds();
    let whole = Stage::new(program, properties, limits);
    let cuts = Cuts {
        proofs: request.slice,
        // What drives a program to a violation has to know all its inputs.
        violations: request.slice && request.out.is_none() && !request.engine.check,
    };
    let found = stages::run(whole, cuts, &options, &mut display);
    report.resources.analysis_cpu_s = cpu_seconds() - before;
    display.clear();
    fill(&mut report, request, &positions, &found);
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
    }
    Ok(finisher.finish(report, start))
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
fn aims(request: &VerifyRequest, program: &Program, woven: &[Option<Woven>], report: &mut Report) -> Aims {
    let mut aims = Aims {
        properties: Vec::new(),
        positions: Vec::new(),
        limits: Vec::new(),
    };
    for (position, (wanted, woven)) in request.wanted.iter().zip(woven).enumerate() {
        let mut limits = Vec::new();
        let targets = match (&wanted.claim, woven) {
            (Claim::Forbidden(spec), _) => target_edges(program, &spec.forbidden),
            (
                _,
                Some(Woven {
                    failure: Some(error), ..
                }),
            ) => {
                report.properties[position].reason = Some(error.brief());
                continue;
            }
            (_, Some(woven)) => {
                for (label, reason) in &woven.limits {
                    let edges = program.edges_labelled(label);
                    limits.extend(edges.into_iter().map(|edge| (edge, reason.clone())));
                }
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
    let source = preprocess::read(&request.input, request.data_model).map_err(|problems| problems.render(color))?;
    let unit = frontend::parse(source, &options).map_err(|problems| problems.render(color))?;
    let functions = unit.functions.iter().map(|f| f.name.to_string());
    let watched = functions.filter(|name| watches(name)).collect();
    let options = LowerOptions {
        entry: request.entry.clone(),
        malloc_may_fail: request.malloc_may_fail,
        watched,
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
        assumption_summary: None,
        assumptions: Vec::new(),
        resources: Resources::default(),
        checks: Vec::new(),
        attachments: Vec::new(),
    }
}

/// Puts the outcome into the report; the verdict at `i` belongs to the property at `positions[i]`.
fn fill(report: &mut Report, request: &VerifyRequest, positions: &[usize], found: &Found) {
    let Found {
        program,
        outcome,
        confirmed,
    } = found;
    let trusted = confirmed.iter().flat_map(|(_, replay)| &replay.assumptions);
    let ledger = Ledger::new(outcome.assumptions.iter().chain(trusted), &program.sources);
    for (i, (position, (_, verdict))) in positions.iter().zip(&outcome.verdicts).enumerate() {
        let property = &mut report.properties[*position];
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
    for invariant in &outcome.invariants {
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
    TraceReport {
        lines: lines.collect(),
        inputs: inputs.collect(),
    }
}
