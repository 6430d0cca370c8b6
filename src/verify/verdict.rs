//! The verdict policy: the one place that decides on verdicts, and on taking them back.
//!
//! | verdict | needs |
//! |---|---|
//! | TRUE | a proof by some [stage](super::strategy); under `--strict` no assumption in the ledger that it does not hold without |
//! | FALSE | an execution that the concrete machine repeats on the whole program, and that rests on no invented value |
//! | UNKNOWN | anything else, with the reason |
//!
//! A later stage does not change what an earlier one has decided ([`joined`]). Evidence that turns out wrong takes a verdict back ([`withdraw`]): a TRUE
//! whose obligations do not hold, a FALSE that the compiled program does not repeat.

use super::stage::is_open;
use crate::engine::{Outcome, Reason, ReasonCode, Verdict};
use crate::evidence::Ledger;
use crate::evidence::replay::Replay;
use crate::report::{Answer, PropertyReport, Report};

/// The findings of a later stage, with the verdicts of an earlier one on properties that this one has decided, or that the later stage was not asked about.
pub(super) fn joined(earlier: Outcome, mut later: Outcome, asked: &[bool]) -> Outcome {
    for ((verdict, earlier), &asked) in later.verdicts.iter_mut().zip(earlier.verdicts).zip(asked) {
        if !asked || !is_open(&earlier) {
            *verdict = earlier;
        }
    }
    for assumption in earlier.assumptions {
        if !later.assumptions.contains(&assumption) {
            later.assumptions.push(assumption);
        }
    }
    later.refinement_wall += earlier.refinement_wall;
    later.operators = later.operators.plus(earlier.operators);
    later
}

/// Puts the verdict of the stages into the report of a property. `replay` is that of a confirmed violation.
///
/// # Panics
/// If a property is violated and there is no replay: the engine is not trusted to have asked.
pub(super) fn settle(
    property: &mut PropertyReport,
    verdict: &Verdict,
    ledger: &Ledger,
    strict: bool,
    replay: Option<&Replay>,
) {
    match verdict {
        Verdict::True if strict && property.warning.is_some() => {
            property.reason = property
                .warning
                .clone()
                .map(|text| ReasonCode::Unmentioned.because(text));
        }
        Verdict::True => match ledger.unsound().filter(|_| strict) {
            None => property.verdict = Answer::True,
            Some(entry) => {
                let (kind, detail) = (entry.kind.name(), &entry.detail);
                let text = format!("TRUE would rest on an assumption, {kind}: {detail}");
                property.reason = Some(ReasonCode::Assumption.because(text));
            }
        },
        Verdict::False(_) => {
            let replay = replay.expect("a FALSE has a confirmed replay");
            property.verdict = Answer::False;
            property.trace = Some(super::summary::trace_report(&replay.trace));
        }
        Verdict::Unknown(reason) => property.reason = Some(reason.clone()),
    }
}

/// Takes the verdict of properties back, for a reason: they are UNKNOWN from then on.
pub(super) fn withdraw(
    report: &mut Report,
    verdict: Answer,
    concerns: impl Fn(&PropertyReport) -> bool,
    reason: &Reason,
) {
    for property in &mut report.properties {
        if property.verdict == verdict && concerns(property) {
            property.verdict = Answer::Unknown;
            property.reason = Some(reason.clone());
            property.trace = None;
        }
    }
    report.conclude();
}
