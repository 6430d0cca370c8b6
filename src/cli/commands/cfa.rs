//! `provident cfa`: the control-flow automata of a program, as the analyses see them, the domain types of its variables, and how far locations are from targets.

use crate::cfa::analysis::distances::{Distances, Metric};
use crate::cfa::view::distances::distances;
use crate::cfa::view::dot::dot;
use crate::cfa::{FuncId, Printer, Program};
use crate::cli::display::finish::print;
use crate::cli::error::Error;
use crate::cli::settings::effect::refuse_without_effect;
use crate::cli::settings::knobs::EXPLORE_WEIGHTS;
use crate::cli::settings::options::{Command, Settings};
use crate::cli::settings::request::ProgramSource;
use crate::cli::settings::table::{self, DOT, FUNCTION, TYPES};
use crate::encode::{Arith, Encoder};
use crate::engine::options::weight_of;
use crate::spec::target_edges;
use crate::verify::mentions::{check_weights, default_properties};
use crate::verify::{ProgramFile, Requested, load, read_property};
use std::path::PathBuf;

/// The requested view.
pub(in crate::cli) struct View {
    dot: bool,
    types: bool,
    function: Option<String>,
    distances: Option<Metric>,
    /// The weights of properties.
    weights: Vec<(String, u32)>,
    /// The property files, whose targets distances are about.
    properties: Vec<PathBuf>,
}

impl View {
    /// Reads the settings.
    pub fn new(settings: &Settings) -> View {
        View {
            dot: settings.value(&DOT),
            types: settings.value(&TYPES),
            function: settings.get(&FUNCTION),
            distances: settings.get(&table::DISTANCES),
            weights: settings
                .get(&EXPLORE_WEIGHTS)
                .map_or_else(Vec::new, |weights| weights.0),
            properties: settings.all(&table::PROPERTY),
        }
    }

    fn text(&self, program: &Program, requested: &[Requested]) -> Result<String, Error> {
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
        if let Some(metric) = self.distances {
            let targets = requested.iter().flat_map(|one| {
                let edges = one
                    .claim
                    .forbidden()
                    .map_or_else(Vec::new, |forbidden| target_edges(program, forbidden));
                let weight = weight_of(&self.weights, &one.name);
                edges.into_iter().map(move |edge| (edge, weight))
            });
            let all = Distances::new(program, metric, targets);
            let tables = functions.into_iter().map(|func| distances(program, &all, func));
            return Ok(tables.collect::<Vec<_>>().join("\n"));
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

/// The meaning of the command line: the view, the program, and the properties that the view is about.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn read_settings(
    inputs: &[PathBuf],
    settings: &Settings,
) -> Result<(View, ProgramFile, Vec<Requested>), Error> {
    let source = ProgramSource::new(inputs, settings)?;
    let view = View::new(settings);
    let mut requested = Vec::new();
    if view.distances.is_some() {
        let of_task = source.properties.iter().map(|(file, _)| file.clone());
        let files = match view.properties.is_empty() {
            true => of_task.collect(),
            false => view.properties.clone(),
        };
        for file in files {
            requested.extend(read_property(&file, None)?);
        }
        if requested.is_empty() {
            requested = default_properties(&source.clone().request(settings, None)?)?;
        }
    }
    check_weights(&view.weights, &requested)?;
    let entry = requested.iter().find_map(|one| one.claim.entry());
    let mut program = source.request(settings, entry)?;
    program.forbid(&requested);
    Ok((view, program, requested))
}

/// Prints the automata. Returns the exit status.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn run(inputs: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    refuse_without_effect(Command::Cfa, settings)?;
    let (view, program, requested) = read_settings(inputs, settings)?;
    let printed = print(&view.text(&load(&program)?, &requested)?);
    Ok(if printed { 0 } else { crate::cli::BAD_INPUT })
}
