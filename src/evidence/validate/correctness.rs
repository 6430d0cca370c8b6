//! Correctness witnesses: every invariant becomes an assertion at its place, and may be assumed behind it.
//!
//! A loop invariant is checked whenever control comes to the head of its loop: before each evaluation of the condition of `while` and `for`, before each round of `do`. An execution that violates
//! an invariant ends there. So all invariants can be assumed on the way to the others and to the property, and if none of them is ever violated, no execution was left out.

use super::expression::NoExpression;
use super::violation::{condition, prefix};
use super::{Answer, Subject, decide, expression, open};
use crate::cfa::Program;
use crate::engine::{Property, Verdict};
use crate::evidence::witness::edits::{Edits, WayBack};
use crate::evidence::witness::format::{Element, Invariant};
use crate::evidence::witness::text::Text;
use crate::frontend::text::source::SourceMap;
use crate::spec::target_edges;
use std::fmt;

/// Validates a set of invariants together with the property.
pub(super) fn validate(subject: &Subject, content: &[Element]) -> Answer {
    match violated(subject, content) {
        Ok(number) => {
            let Some(Invariant { value, location, .. }) = &content[number].invariant else {
                unreachable!("what is violated is an invariant")
            };
            Answer::Refuted(format!(
                "an execution violates the invariant `{value}` in line {}",
                location.line
            ))
        }
        Err(answer) => answer,
    }
}

/// The position of an invariant that an execution violates.
///
/// # Errors
/// The answer, if there is no such invariant.
pub fn violated(subject: &Subject, content: &[Element]) -> Result<usize, Answer> {
    let sources = SourceMap::new(subject.source.clone());
    let text = Text::new(&sources);
    let mut edits = Edits::default();
    let mut invariants = Vec::new();
    for element in content {
        let Some(invariant) = &element.invariant else {
            return Err(Answer::Refuted(
                "the witness is not well-formed: a set of invariants consists of invariants".to_string(),
            ));
        };
        let code = format!(
            "if (!({})) {{ {}: __builtin_trap(); }}",
            invariant.value,
            label(invariants.len())
        );
        if let Err(what) = insert(&text, &mut edits, invariant, &code) {
            return Err(Answer::Unknown(format!(
                "invariant in line {}: {what}",
                invariant.location.line
            )));
        }
        invariants.push(invariant);
    }
    let properties = |program: &Program, _: &WayBack| {
        let property = Property {
            name: String::new(),
            targets: target_edges(program, &subject.forbidden),
            ..Property::default()
        };
        let of_invariant = |number: usize| Property {
            name: number.to_string(),
            targets: program.edges_labelled(&label(number)),
            ..Property::default()
        };
        std::iter::once(property)
            .chain((0..invariants.len()).map(of_invariant))
            .collect()
    };
    let edited = edits.apply_to(&subject.source, "");
    let verdicts = match decide(subject, edited, &mut |_| (), &properties) {
        Ok(verdicts) => verdicts,
        Err(message) => return Err(Answer::Unknown(format!("an invariant is not understood: {message}"))),
    };
    let violated = verdicts
        .iter()
        .position(|(_, verdict)| matches!(verdict, Verdict::False(_)));
    match violated {
        Some(0) => return Err(Answer::Refuted("an execution violates the property".to_string())),
        Some(number) => return Ok(number - 1),
        None => {}
    }
    Err(match verdicts.iter().find_map(|(_, verdict)| open(verdict)) {
        Some(reason) => Answer::Unknown(reason.to_string()),
        None => Answer::Confirmed,
    })
}

/// The label of what happens where an invariant is violated.
pub(super) fn label(number: usize) -> String {
    format!("__provident_violated_{number}")
}

/// Why an invariant cannot be put into the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Misplaced {
    /// It is in a language that is not read.
    Format(String),
    /// It is no expression without side effects.
    Expression(NoExpression),
    /// It is of a sort that is not known.
    Type(String),
    /// Its position is none for an invariant of its sort.
    NoPlace(String),
    /// It belongs to a loop without a condition.
    NoCondition,
}

impl fmt::Display for Misplaced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misplaced::Format(name) => write!(f, "the format `{name}` is not interpreted"),
            Misplaced::Expression(error) => error.fmt(f),
            Misplaced::Type(name) => write!(f, "the type `{name}` is not interpreted"),
            Misplaced::NoPlace(name) => write!(f, "there is no place for an invariant of type `{name}`"),
            Misplaced::NoCondition => f.write_str("the loop has no condition"),
        }
    }
}

/// Puts a statement to the place of an invariant.
///
/// # Errors
/// Why there is no such place, or the mistake in the invariant.
pub(super) fn insert(text: &Text<'_>, edits: &mut Edits, invariant: &Invariant, code: &str) -> Result<(), Misplaced> {
    if !matches!(invariant.format.as_str(), "c_expression" | "C") {
        return Err(Misplaced::Format(invariant.format.clone()));
    }
    expression::check(&invariant.value).map_err(Misplaced::Expression)?;
    let is_loop = match invariant.kind.as_str() {
        "loop_invariant" => true,
        "location_invariant" => false,
        other => return Err(Misplaced::Type(other.to_string())),
    };
    let suits = |token: usize| match is_loop {
        true => matches!(text.word(token), "while" | "for" | "do"),
        false => text.begins_statement(token),
    };
    let location = &invariant.location;
    let exact = text.find(&location.file_name, location.line, location.column);
    let any = text.find(&location.file_name, location.line, None);
    let token = exact.into_iter().chain(any).find(|&token| suits(token));
    let token = token.ok_or_else(|| Misplaced::NoPlace(invariant.kind.clone()))?;
    match text.word(token) {
        "do" if is_loop => edits.before(text.start(token + 1), prefix(text, token + 1, code)),
        _ if is_loop => {
            let range = condition(text, token).ok_or(Misplaced::NoCondition)?;
            let (before, after) = match text.slice(range.clone()).trim().is_empty() {
                true => (format!("({{ {code} 1; }})"), String::new()),
                false => (format!("({{ {code} 1; }}) && ("), ")".to_string()),
            };
            edits.wrap(range, before, after);
        }
        _ => edits.before(text.start(token), prefix(text, token, code)),
    }
    Ok(())
}
