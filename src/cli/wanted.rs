//! The properties that a user wants to know about: from files, task definitions and rules.

use super::request::read;
use crate::spec::automaton::Specification;
use crate::spec::rules::{RULES, Rule, rules_named, specification};
use crate::spec::{PropertySpec, parse_properties, parse_specification, property_name};
use std::path::Path;
use std::sync::Arc;

/// A property that the user wants to know about.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    /// The name under which its verdict is printed.
    pub name: String,
    /// What must not happen.
    pub claim: Claim,
    /// What the task definition expects.
    pub expected: Option<bool>,
}

/// What must not happen.
#[derive(Clone, Debug)]
pub(super) enum Claim {
    /// A call, or a label.
    Forbidden(PropertySpec),
    /// The violation of the automaton at a position of a specification.
    Automaton(Arc<Specification>, usize),
}

impl Claim {
    /// The claim as text, for reports.
    pub fn formula(&self) -> String {
        match self {
            Claim::Forbidden(spec) => spec.forbidden.to_string(),
            Claim::Automaton(specification, at) => format!("automaton {}", specification.automata[*at].name),
        }
    }

    /// The function in which the program starts, if the property names one.
    pub fn entry(&self) -> Option<&str> {
        match self {
            Claim::Forbidden(spec) => Some(&spec.entry),
            Claim::Automaton(..) => None,
        }
    }
}

/// The built-in rules of a list of names.
///
/// # Errors
/// There is no rule of a name.
pub(super) fn read_rules(names: &str) -> Result<Vec<Wanted>, String> {
    let rules = rules_named(names).map_err(|name| {
        let known: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
        format!(
            "there is no rule `{name}`; there are {}, and `linux` for all of them",
            known.join(", ")
        )
    })?;
    let wanted = |rule: Rule| Wanted {
        name: rule.0.to_string(),
        claim: Claim::Automaton(Arc::new(specification(rule)), 0),
        expected: None,
    };
    Ok(rules.into_iter().map(wanted).collect())
}

/// The properties of a file, by its extension: specification automata (`.spc`), else formulas.
///
/// # Errors
/// The message for the user, with the place where there is one.
pub(super) fn read_property(file: &Path, expected: Option<bool>) -> Result<Vec<Wanted>, String> {
    if file.extension().is_some_and(|extension| extension == "spc") {
        return read_automata(file, expected);
    }
    let properties = parse_properties(file, &read(file)?).map_err(|error| error.to_string())?;
    let wanted = |property: PropertySpec| Wanted {
        name: property.name.clone(),
        claim: Claim::Forbidden(property),
        expected,
    };
    Ok(properties.into_iter().map(wanted).collect())
}

/// The automata of a file.
///
/// # Errors
/// As [`read_property`].
pub(super) fn read_automata(file: &Path, expected: Option<bool>) -> Result<Vec<Wanted>, String> {
    let specification =
        parse_specification(file, &read(file)?, &|path| read(path)).map_err(|error| error.to_string())?;
    let specification = Arc::new(specification);
    let stem = property_name(file);
    let several = specification.automata.len() > 1;
    // That a file of several is violated does not say which of them.
    let expected = expected.filter(|holds| *holds || !several);
    let wanted = |(position, automaton): (usize, &crate::spec::automaton::Automaton)| Wanted {
        name: if several {
            format!("{stem}/{}", automaton.name)
        } else {
            stem.clone()
        },
        claim: Claim::Automaton(Arc::clone(&specification), position),
        expected,
    };
    Ok(specification.automata.iter().enumerate().map(wanted).collect())
}
