//! Names in a program's text: the properties of a program for which none is given, and properties about names that the program does not have.
//!
//! A property about a function or label that the program does not mention holds, but most often its user meant another name. So the answer comes with
//! a warning, and under `--strict` it is UNKNOWN.

use super::Error;
use super::task::{Claim, ProgramFile, Requested};
use crate::cfa::Program;
use crate::frontend::text::names::Names;
use crate::spec::{Forbidden, PropertySpec, target_edges};

/// The errors of verification tasks and of C programs: a call of one of three functions (`assert` calls `__assert_fail`), or a label.
fn usual_errors() -> [Forbidden; 4] {
    let call = |name: &str| Forbidden::Call(name.to_string());
    [
        call("reach_error"),
        call("__VERIFIER_error"),
        call("__assert_fail"),
        Forbidden::Label("ERROR".to_string()),
    ]
}

/// The properties for a program when the user gives none: none of the usual errors that its text mentions is reached. If it mentions none of
/// them: all of them.
///
/// # Errors
/// The program cannot be read.
pub fn default_properties(program: &ProgramFile) -> Result<Vec<Requested>, Error> {
    let mentions = names(program)?;
    let mut errors: Vec<Forbidden> = usual_errors().into();
    if errors.iter().any(|error| mention(&mentions, error.word())) {
        errors.retain(|error| mention(&mentions, error.word()));
    }
    let requested = |forbidden: Forbidden| Requested {
        name: forbidden.word().to_string(),
        claim: Claim::Forbidden(PropertySpec {
            name: forbidden.word().to_string(),
            entry: program.lower.entry.clone(),
            forbidden,
        }),
        expected: None,
    };
    Ok(errors.into_iter().map(requested).collect())
}

/// Whether a text mentions a function or label: `__assert_fail` also as `assert`, where the header is not included.
fn mention(names: &Names, name: &str) -> bool {
    names.contain(name)
        || names.contain(&format!("__builtin_{name}"))
        || name == "__assert_fail" && names.contain("assert")
}

/// For each property, a warning if the program's text does not mention the function or label that it is about.
///
/// # Errors
/// The program cannot be read.
pub(super) fn unmentioned(
    file: &ProgramFile,
    program: &Program,
    requested: &[Requested],
) -> Result<Vec<Option<String>>, Error> {
    let mut mentions = None;
    let mut warnings = Vec::new();
    for one in requested {
        let subject = match &one.claim {
            Claim::Forbidden(spec) => spec.forbidden.subject().map(|name| (name, &spec.forbidden)),
            Claim::Automaton(..) | Claim::Unsupported(_) => None,
        };
        warnings.push(match subject {
            // The text is read once more only where the property has no place in the program.
            Some((name, forbidden)) if target_edges(program, forbidden).is_empty() => {
                let mentions = match &mut mentions {
                    Some(mentions) => mentions,
                    none => none.insert(names(file)?),
                };
                (!mention(mentions, name)).then(|| {
                    let file = file.name();
                    format!(
                        "{file}: nothing in the program mentions `{name}`, so `{}` holds",
                        one.name
                    )
                })
            }
            _ => None,
        });
    }
    Ok(warnings)
}

/// The identifiers of a program's text, with those of model files.
///
/// # Errors
/// The program cannot be read.
fn names(program: &ProgramFile) -> Result<Names, Error> {
    Ok(Names::of(&program.read()?.text))
}

/// Checks that weights are those of requested properties.
///
/// # Errors
/// A weight has the name of another one.
pub fn check_weights(weights: &[(String, u32)], requested: &[Requested]) -> Result<(), Error> {
    let is_requested = |name: &str| requested.iter().any(|one| one.name == name);
    match weights.iter().find(|(name, _)| !is_requested(name)) {
        None => Ok(()),
        Some((name, _)) => {
            let names: Vec<&str> = requested.iter().map(|one| one.name.as_str()).collect();
            let names = names.join("`, `");
            Err(Error::Request(format!(
                "`explore.weights` names the property `{name}`; the properties are `{names}`"
            )))
        }
    }
}
