//! A task: a program, and the properties that are requested of it, from files, task definitions and rules.

use super::Error;
use crate::cfa::{LibraryUse, LowerOptions, library};
use crate::frontend::text::preprocess::{self, UnitFile};
use crate::frontend::text::source::Source;
use crate::frontend::types::DataModel;
use crate::spec::automaton::Specification;
use crate::spec::rules::{RULES, Rule, rules_named, specification};
use crate::spec::{Forbidden, PropertySpec, parse_properties, parse_specification, property_name};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A program and the properties that are requested of it.
#[derive(Clone, Debug)]
pub struct Task {
    /// The program.
    pub program: ProgramFile,
    /// The properties, with different names.
    pub requested: Vec<Requested>,
}

/// A program and how it is to be read.
#[derive(Clone, Debug)]
pub struct ProgramFile {
    /// Its files: one translation unit each.
    pub units: Vec<UnitFile>,
    /// The sizes of `long` and pointers.
    pub data_model: DataModel,
    /// How it is lowered; where it starts, too.
    pub lower: LowerOptions,
    /// Files with functions that the program only declares.
    pub models: Vec<PathBuf>,
}

impl ProgramFile {
    /// Reads the program with its model files, and the library that it may use.
    ///
    /// The model files go on with the program's file; beside several files they are a unit of their own.
    ///
    /// # Errors
    /// A file cannot be read, or the preprocessor refuses it.
    pub fn read(&self) -> Result<Source, Error> {
        let read = |file: &UnitFile| {
            preprocess::read(file, self.data_model).map_err(|problems| Error::Input(problems.render(false)))
        };
        let Some((first, others)) = self.units.split_first() else {
            return Err(Error::Request("no file of a program is given".to_owned()));
        };
        let mut source = read(first)?;
        for file in others {
            source.append_unit(&read(file)?);
        }
        for (i, file) in self.models.iter().enumerate() {
            let model = read(&UnitFile::from(file.clone()))?;
            match i == 0 && source.is_linked() {
                true => source.append_unit(&model),
                false => source.append(&model),
            }
        }
        source.library = (self.lower.library == LibraryUse::Model).then(library::c_library);
        Ok(source)
    }

    /// The names of its files, for messages.
    pub fn name(&self) -> String {
        let names: Vec<String> = self.units.iter().map(UnitFile::name).collect();
        names.join(", ")
    }
}

impl ProgramFile {
    /// Makes visible what the properties forbid: every call of such a function, and every violation of such a check.
    pub fn forbid(&mut self, requested: &[Requested]) {
        let forbidden = || requested.iter().filter_map(|requested| requested.claim.forbidden());
        let called = forbidden().filter_map(Forbidden::function);
        self.lower.forbidden = called.map(str::to_owned).collect();
        self.lower.checks = forbidden().filter_map(Forbidden::check).collect();
    }
}

/// A property that is requested.
#[derive(Clone, Debug)]
pub struct Requested {
    /// The name under which its verdict is printed.
    pub name: String,
    /// The event that must not happen.
    pub claim: Claim,
    /// The verdict that the task definition expects.
    pub expected: Option<bool>,
}

/// The event that must not happen.
#[derive(Clone, Debug)]
pub enum Claim {
    /// A call, a label, or the violation of a check.
    Forbidden(PropertySpec),
    /// The violation of the automaton at a position of a specification.
    Automaton(Arc<Specification>, usize),
    /// A property that cannot be checked, with the reason.
    Unsupported(String),
}

impl Claim {
    /// The claim as text, for reports.
    pub fn formula(&self) -> String {
        match self {
            Claim::Forbidden(spec) => spec.forbidden.to_string(),
            Claim::Automaton(specification, at) => format!("automaton {}", specification.automata[*at].name),
            Claim::Unsupported(why) => why.clone(),
        }
    }

    /// The event that must not happen, if the property is about one.
    pub fn forbidden(&self) -> Option<&Forbidden> {
        match self {
            Claim::Forbidden(spec) => Some(&spec.forbidden),
            Claim::Automaton(..) | Claim::Unsupported(_) => None,
        }
    }

    /// The function in which the program starts, if the property names one.
    pub fn entry(&self) -> Option<&str> {
        match self {
            Claim::Forbidden(spec) => Some(&spec.entry),
            Claim::Automaton(..) | Claim::Unsupported(_) => None,
        }
    }
}

/// The built-in rules of a list of names.
///
/// # Errors
/// There is no rule of a name.
pub fn read_rules(names: &str) -> Result<Vec<Requested>, Error> {
    let rules = rules_named(names).map_err(|name| {
        let known: Vec<&str> = RULES.iter().map(|(name, _)| *name).collect();
        Error::Request(format!(
            "there is no rule `{name}`; there are {}, and `linux` for all of them",
            known.join(", ")
        ))
    })?;
    let requested = |rule: Rule| Requested {
        name: rule.0.to_string(),
        claim: Claim::Automaton(Arc::new(specification(rule)), 0),
        expected: None,
    };
    Ok(rules.into_iter().map(requested).collect())
}

/// The properties of a file, by its extension: specification automata (`.spc`), else formulas. A file with a formula that cannot be checked is one property without an answer.
///
/// # Errors
/// The message for the user, with the place where there is one.
pub fn read_property(file: &Path, expected: Option<bool>) -> Result<Vec<Requested>, Error> {
    if file.extension().is_some_and(|extension| extension == "spc") {
        return read_automata(file, expected);
    }
    let properties = match parse_properties(file, &read(file)?) {
        Ok(properties) => properties,
        Err(error) if error.unsupported => {
            return Ok(vec![Requested {
                name: property_name(file),
                claim: Claim::Unsupported(error.brief()),
                expected,
            }]);
        }
        Err(error) => return Err(Error::Input(error.to_string())),
    };
    let requested = |property: PropertySpec| Requested {
        name: property.name.clone(),
        claim: Claim::Forbidden(property),
        expected,
    };
    Ok(properties.into_iter().map(requested).collect())
}

/// The automata of a file.
///
/// # Errors
/// As [`read_property`].
pub fn read_automata(file: &Path, expected: Option<bool>) -> Result<Vec<Requested>, Error> {
    let specification = parse_specification(file, &read(file)?, &|path| read(path).map_err(Into::into))
        .map_err(|error| Error::Input(error.to_string()))?;
    let specification = Arc::new(specification);
    let stem = property_name(file);
    let several = specification.automata.len() > 1;
    // A violation of a file of several does not say which of them is violated.
    let expected = expected.filter(|holds| *holds || !several);
    let requested = |(position, automaton): (usize, &crate::spec::automaton::Automaton)| Requested {
        name: if several {
            format!("{stem}/{}", automaton.name)
        } else {
            stem.clone()
        },
        claim: Claim::Automaton(Arc::clone(&specification), position),
        expected,
    };
    Ok(specification.automata.iter().enumerate().map(requested).collect())
}

/// Reads a text file.
///
/// # Errors
/// It cannot be read, or is no text.
pub fn read(file: &Path) -> Result<String, Error> {
    let bytes = std::fs::read(file).map_err(|error| Error::unreadable(file, &error))?;
    String::from_utf8(bytes).map_err(|_| Error::Request(format!("`{}` is not a text file", file.display())))
}
