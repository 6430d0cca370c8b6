//! Validation of witnesses, ours and others'.
//!
//! The claims of a witness become part of the program's text: waypoints as conditions on a segment counter, invariants as assertions. The front end reads the result, so that the expressions of a
//! witness are resolved in the scope of their place by the same rules as the program; the engine explores it; the replay confirms what it finds. So a validation rests on the verifier, but not
//! on the run that made the witness.
//!
//! | module | does |
//! |---|---|
//! | [`expression`] | whether a text is one expression without side effects |
//! | [`violation`] | segments and waypoints |
//! | [`correctness`] | invariants |
//! | [`sample`] | invariants on states of executions |
//!
//! # What an answer says
//!
//! * *Confirmed*: for a violation witness, an execution passes its segments in order and violates the property at the target, and the replay took every step of it. For a correctness witness,
//!   the program is correct and all invariants hold. To assume their conjunction behind each of them is no circle: each is checked on the way to the others.
//! * *Refuted*: no execution fits a violation witness; or an execution violates an invariant, or the property, of a correctness witness.
//! * *Unknown*: neither was shown, or the witness says something that is not interpreted.

pub mod correctness;
pub mod expression;
pub mod sample;
pub mod violation;

use super::replay::{Judgement, replay};
use super::witness::edits::WayBack;
use super::witness::format::{Entry, File};
use crate::cfa::lower::weave::Weaver;
use crate::cfa::{ExplicitVar, LowerOptions, Program, VarKind, lower_woven};
use crate::engine::{self, Confirmation, CounterexampleCandidate, Silent, Verdict};
use crate::frontend::text::diagnostics::Diagnostics;
use crate::frontend::text::source::Source;
use crate::frontend::types::DataModel;
use crate::frontend::{self, FrontendOptions};
use crate::spec::property::Forbidden;
use std::fmt;

/// The program and the property for which a witness is validated.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The program's text.
    pub source: Source,
    /// Sizes of types.
    pub data_model: DataModel,
    /// Where the program starts, and how it is lowered.
    pub lower: LowerOptions,
    /// The event that must not happen.
    pub forbidden: Forbidden,
    /// How the engine works, and its limits.
    pub options: engine::Options,
}

/// The answer of a validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The witness is right.
    Confirmed,
    /// It is wrong, with the reason.
    Refuted(String),
    /// Neither is known, with the reason.
    Unknown(String),
}

/// Validates all entries of a witness: several violation sequences are alternatives, several sets of invariants belong together.
pub fn validate(subject: &Subject, witness: &File) -> Answer {
    let of = |kind: &str| -> Vec<&Entry> { witness.iter().filter(|entry| entry.entry_type == kind).collect() };
    let (sequences, sets) = (of("violation_sequence"), of("invariant_set"));
    if let Some(other) = witness
        .iter()
        .find(|entry| !matches!(entry.entry_type.as_str(), "violation_sequence" | "invariant_set"))
    {
        return Answer::Unknown(format!("entries of type `{}` are not interpreted", other.entry_type));
    }
    match (sequences.is_empty(), sets.is_empty()) {
        (false, true) => {
            let mut last = Answer::Refuted("the witness has no segment".to_string());
            let mut unknown = None;
            for sequence in sequences {
                last = violation::validate(subject, &sequence.content);
                match &last {
                    Answer::Confirmed => return Answer::Confirmed,
                    Answer::Unknown(_) => unknown = Some(last.clone()),
                    Answer::Refuted(_) => {}
                }
            }
            unknown.unwrap_or(last)
        }
        (true, false) => {
            let invariants = sets.iter().flat_map(|set| &set.content).cloned().collect::<Vec<_>>();
            correctness::validate(subject, &invariants)
        }
        _ => Answer::Unknown("the file holds violation sequences and invariants at once".to_string()),
    }
}

/// The name of the variable that counts passed segments.
const SEGMENT: &str = "__provident_segment";

/// Decides properties of a text that was made from the subject's.
///
/// # Errors
/// The front end's first message, if the text is not a program.
fn decide(
    subject: &Subject,
    (source, back): (Source, WayBack),
    weave: &mut dyn FnMut(&mut Weaver<'_>),
    properties: &dyn Fn(&Program, &WayBack) -> Vec<engine::Property>,
) -> Result<Vec<(String, Verdict)>, NoProgram> {
    let mut program = parsed(subject, source, weave)?;
    track(&mut program);
    let properties = properties(&program, &back);
    let mut confirm = |candidate: &CounterexampleCandidate| {
        let replay = replay(&program, &candidate.steps, &candidate.inputs);
        let last = candidate.steps.last().map(|step| step.edge());
        let violates = last.is_some_and(|edge| properties[candidate.property.index()].targets.contains(&edge));
        match replay.judgement {
            Judgement::Confirmed if !violates => {
                Confirmation::Refuted("the path does not end in a violation".to_string())
            }
            judgement => judgement.into(),
        }
    };
    let outcome = engine::verify(&program, &properties, &subject.options, &mut Silent, &mut confirm);
    Ok(outcome.verdicts)
}

/// The program of a text that was made from the subject's.
///
/// # Errors
/// The front end's first message.
fn parsed(subject: &Subject, source: Source, weave: &mut dyn FnMut(&mut Weaver<'_>)) -> Result<Program, NoProgram> {
    let options = FrontendOptions {
        data_model: subject.data_model,
    };
    let unit = frontend::parse(source, &options).map_err(NoProgram)?;
    let lower = LowerOptions {
        checks: subject.forbidden.check().into_iter().collect(),
        ..subject.lower.clone()
    };
    lower_woven(unit, &lower, weave).map_err(NoProgram)
}

/// Lets the exploration keep the segment counter explicitly, as it keeps the state of a specification automaton.
fn track(program: &mut Program) {
    let found = program
        .var_ids()
        .find(|&var| program.var(var).name == SEGMENT && !program.var(var).in_memory);
    if let Some(var) = found {
        program.vars[var.index()].kind = VarKind::Woven;
        program.tracked.push(ExplicitVar { var, most: None });
    }
}

/// The text that was made from the subject's with what the witness says is no program.
#[derive(Debug)]
pub struct NoProgram(Diagnostics);

impl fmt::Display for NoProgram {
    /// The first message of the front end.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.0.render(false);
        f.write_str(text.lines().next().unwrap_or("the text is no program"))
    }
}

impl std::error::Error for NoProgram {}

/// Why a verdict is open.
fn open(verdict: &Verdict) -> Option<&str> {
    match verdict {
        Verdict::Unknown(reason) => Some(&reason.text),
        _ => None,
    }
}
