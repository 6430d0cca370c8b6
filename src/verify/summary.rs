//! The report of a verification: the blank report at its beginning, and the results of the stages.

use super::certificate::Certificate;
use super::stage::Found;
use super::task::Task;
use super::{Options, verdict};
use crate::cfa::{Assumption, AssumptionKind};
use crate::engine::Verdict;
use crate::engine::operators::{Operator, OperatorTimes};
use crate::evidence::{Ledger, Trace};
use crate::report::simplify::simplified;
use crate::report::views::Views;
use crate::report::{
    Answer, AssumptionReport, CheckReport, Counters, EffortReport, InputReport, InvariantReport, LineReport,
    OperatorSeconds, PropertyReport, Report, Resources, TraceReport, version,
};
use crate::spec::Forbidden;
use crate::spec::weaving::Woven;

/// The times of the operators, for the report.
pub(super) fn operators(times: &OperatorTimes) -> OperatorSeconds {
    OperatorSeconds {
        explore: times.of(Operator::Explore),
        extract_targets: times.of(Operator::ExtractTargets),
        rank: times.of(Operator::Rank),
        provident_refine: times.of(Operator::ProvidentRefine),
        select: times.of(Operator::Select),
        apply: times.of(Operator::Apply),
    }
}

/// The report before anything is known.
pub(super) fn blank(task: &Task, options: &Options) -> Report {
    let properties = task
        .requested
        .iter()
        .map(|requested| PropertyReport {
            name: requested.name.clone(),
            formula: requested.claim.formula(),
            check: requested.claim.forbidden().and_then(check_report),
            verdict: Answer::Unknown,
            reason: None,
            expected: requested.expected,
            warning: None,
            trace: None,
            effort: None,
        })
        .collect();
    Report {
        provident: version::line(),
        options: options.described.clone(),
        configuration: options.configuration.clone(),
        inputs: task.program.units.iter().map(|unit| unit.name()).collect(),
        verdict: Answer::Unknown,
        reason: None,
        properties,
        stages: Vec::new(),
        statistics: Counters::default(),
        precision: Vec::new(),
        invariants: Vec::new(),
        features: Vec::new(),
        selection: None,
        proof: None,
        views: Views::default(),
        assumption_summary: None,
        assumptions: Vec::new(),
        launches: Vec::new(),
        resources: Resources::default(),
        checks: Vec::new(),
        attachments: Vec::new(),
    }
}

/// The place that a property checks.
fn check_report(forbidden: &Forbidden) -> Option<CheckReport> {
    let Forbidden::At(place) = forbidden else { return None };
    Some(CheckReport {
        sort: place.check.kind.word().to_string(),
        violation: place.check.kind.violation().to_string(),
        file: place.file.clone(),
        line: place.line,
        column: place.column,
    })
}

/// Puts the invariants at loop heads into the report.
pub(super) fn add_invariants(report: &mut Report, certificate: &Certificate) {
    let program = &certificate.program;
    for invariant in &certificate.invariants {
        let node = program.node(invariant.node);
        let position = program.sources.resolve(node.loc);
        report.invariants.push(InvariantReport {
            file: position.file.to_string(),
            line: position.line,
            column: position.column,
            function: program.function(node.func).name.clone(),
            any_of: simplified(&invariant.disjuncts),
        });
    }
}

/// Puts the outcome into the report; the verdict at `i` belongs to the property at `positions[i]`.
pub(super) fn fill(report: &mut Report, strict: bool, (woven, positions): (&[Option<Woven>], &[usize]), found: &Found) {
    let Found {
        program,
        outcome,
        confirmed,
        ..
    } = found;
    let trusted = confirmed
        .iter()
        .flat_map(|(_, violation)| &violation.replay.assumptions);
    // A violation that the program repeats on the concrete machine rests neither on the slice nor on types.
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
        let replay = confirmed.iter().rev().find(|(property, _)| property.index() == i);
        verdict::settle(
            property,
            verdict,
            &ledger,
            strict,
            replay.map(|(_, violation)| &violation.replay),
        );
    }
    report.statistics = outcome.statistics.iter().collect();
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

/// An execution as plain data.
pub(super) fn trace_report(trace: &Trace) -> TraceReport {
    let lines = trace.lines.iter().map(|line| LineReport {
        file: line.file.clone(),
        line: line.line,
        column: line.column,
        function: line.function.clone(),
        depth: line.depth,
        text: line.text.clone(),
        notes: line.notes.iter().map(|note| note.text.clone()).collect(),
    });
    let inputs = trace.inputs.iter().map(|input| InputReport {
        number: 0,
        file: input.file.clone(),
        line: input.line,
        column: input.column,
        what: input.what.clone(),
        value: input.value.clone(),
        decisive: input.decisive,
    });
    TraceReport::new(lines.collect(), inputs.collect())
}
