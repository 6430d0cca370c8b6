//! `provident cfa`: the control-flow automata of a program, as the analyses see them, and the domain types of its variables.

use crate::cfa::view::dot::dot;
use crate::cfa::{FuncId, Printer, Program};
use crate::cli::display::finish::print;
use crate::cli::error::Error;
use crate::cli::settings::effect::refuse_without_effect;
use crate::cli::settings::options::{Command, Settings};
use crate::cli::settings::request::program_request;
use crate::cli::settings::table::{DOT, FUNCTION, TYPES};
use crate::encode::{Arith, Encoder};
use crate::verify::load;
use std::path::Path;

/// The requested view.
pub(in crate::cli) struct View {
    dot: bool,
    types: bool,
    function: Option<String>,
}

impl View {
    /// Reads the settings.
    pub fn new(settings: &Settings) -> View {
        View {
            dot: settings.value(&DOT),
            types: settings.value(&TYPES),
            function: settings.get(&FUNCTION),
        }
    }

    fn text(&self, program: &Program) -> Result<String, Error> {
        if self.types {
            return Ok(types(program));
        }
        let function = match &self.function {
            Some(name) => {
                let found = program.function_by_name(name);
                Some(found.ok_or_else(|| Error::NoFunction(name.clone()))?)
            }
            None => None,
        };
        let functions: Vec<FuncId> = match function {
            Some(function) => vec![function],
            None => program
                .function_ids()
                .filter(|f| program.function(*f).defined)
                .collect(),
        };
        if self.dot {
            return Ok(dot(program, &functions));
        }
        let printer = Printer::new(program);
        Ok(functions
            .into_iter()
            .map(|function| printer.function(function))
            .collect::<Vec<_>>()
            .join("\n"))
    }
}

/// The domain types of the cells, one per line, in columns.
fn types(program: &Program) -> String {
    let types = Encoder::new(program, Arith::Machine).domain_types();
    let width = types.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    types
        .iter()
        .map(|(name, ty)| format!("{name:width$}  {ty}\n"))
        .collect()
}

/// Prints the automata. Returns the exit status.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn run(input: &Path, settings: &Settings) -> Result<u8, Error> {
    refuse_without_effect(Command::Cfa, settings)?;
    let request = program_request(input, settings)?;
    let view = View::new(settings);
    let printed = print(&view.text(&load(&request)?)?);
    Ok(if printed { 0 } else { crate::cli::BAD_INPUT })
}
