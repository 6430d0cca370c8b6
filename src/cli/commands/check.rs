//! `provident check`: the validation of a witness.

use crate::cfa::analysis::features::Features;
use crate::cli::display::finish::print;
use crate::cli::error::Error;
use crate::cli::settings::options::Settings;
use crate::cli::settings::request::{ProgramSource, engine_options, selector};
use crate::cli::settings::table::PROPERTY;
use crate::engine;
use crate::evidence::validate::{Answer, Subject, validate};
use crate::evidence::witness::format;
use crate::evidence::witness::text::base_name;
use crate::frontend::text::preprocess::UnitFile;
use crate::spec::property::PropertySpec;
use crate::spec::{parse_properties, property_name};
use crate::verify::selector::Model;
use crate::verify::{load, read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The meaning of the settings, before the program and the witness are read.
pub(in crate::cli) struct Check {
    source: ProgramSource,
    properties: Vec<PathBuf>,
    engine: engine::Options,
    selector: Option<Arc<Model>>,
}

/// Reads the settings and the task definition.
///
/// # Errors
/// The message for the user.
pub(in crate::cli) fn read_settings(program: &[PathBuf], settings: &Settings) -> Result<Check, Error> {
    let source = ProgramSource::new(program, settings)?;
    // The program is requested again when the witness is known, which may name the entry and the data model.
    source.clone().request(settings, None)?;
    let given = settings.all(&PROPERTY);
    let properties = match given.is_empty() {
        true => source.properties.iter().map(|(file, _)| file.clone()).collect(),
        false => given,
    };
    Ok(Check {
        source,
        properties,
        engine: engine_options(settings),
        selector: selector(settings)?,
    })
}

/// Validates a witness and prints the answer. Returns the exit status: 0 confirmed, 1 refuted, 2 unknown.
///
/// # Errors
/// Bad input, as a message for the user.
pub(in crate::cli) fn run(program: &[PathBuf], witness: &Path, settings: &Settings) -> Result<u8, Error> {
    let Check {
        mut source,
        properties,
        mut engine,
        selector,
    } = read_settings(program, settings)?;
    let file = format::read(&read(witness)?).map_err(|error| Error::Witness(witness.to_path_buf(), error))?;
    let task = &file[0].metadata.task;
    if source.data_model.is_none() && !task.data_model.is_empty() {
        source.data_model = Some(task.data_model.clone());
    }
    let property = choose(&properties, &task.specification, witness)?;
    let mut request = source.request(settings, Some(&property.entry))?;
    request
        .lower
        .forbidden
        .extend(property.forbidden.function().map(str::to_owned));
    let mut reason = other_files(&request.units, &task.input_files);
    for unit in &request.units {
        let content = unit
            .content()
            .map_err(|error| Error::Unreadable(unit.path.clone(), error))?;
        reason = reason.or_else(|| other_program(&unit.path, &content, &task.input_file_hashes));
    }
    let answer = match reason {
        Some(reason) => Answer::Unknown(reason),
        None => {
            if let Some(model) = selector {
                engine.metric = model.choose(&Features::of(&load(&request)?)).metric;
            }
            let subject = Subject {
                source: request.read()?,
                data_model: request.data_model,
                lower: request.lower,
                forbidden: property.forbidden,
                options: engine,
            };
            validate(&subject, &file)
        }
    };
    let (line, status) = match answer {
        Answer::Confirmed => ("CONFIRMED".to_string(), 0),
        Answer::Refuted(reason) => (format!("REFUTED ({reason})"), 1),
        Answer::Unknown(reason) => (format!("UNKNOWN ({reason})"), crate::cli::UNKNOWN),
    };
    print(&format!("WITNESS: {line}\n"));
    Ok(status)
}

/// The property that the witness is about: the only one that is given, or the one among several that it names; if none is given, what it names.
fn choose(files: &[PathBuf], named: &str, witness: &Path) -> Result<PropertySpec, Error> {
    let of_witness = || parse_properties(witness, named);
    let mut given = Vec::new();
    for file in files {
        if file.extension().is_some_and(|extension| extension == "spc") {
            return Err(Error::WitnessOfAutomaton(property_name(file)));
        }
        given.extend(parse_properties(file, &read(file)?)?);
    }
    match given.len() {
        0 if named.is_empty() => Err(Error::NoPropertyInWitness),
        0 => Ok(of_witness()?.remove(0)),
        1 => Ok(given.remove(0)),
        _ => {
            let wanted = of_witness()?.remove(0);
            let found = given
                .into_iter()
                .find(|p| p.forbidden == wanted.forbidden && p.entry == wanted.entry);
            found.ok_or_else(|| Error::OtherProperty(wanted.forbidden.to_string()))
        }
    }
}

/// Why the witness cannot be for a program of these files. A witness of one file may call it by any name.
fn other_files(units: &[UnitFile], named: &[String]) -> Option<String> {
    if named.is_empty() || units.len() == named.len() {
        return None;
    }
    let names = |list: Vec<String>| list.join(", ");
    Some(format!(
        "the witness is for a program of other files ({}) than the given ones ({})",
        names(named.iter().map(|name| base_name(name).to_owned()).collect()),
        names(units.iter().map(|unit| base_name(&unit.name()).to_owned()).collect()),
    ))
}

/// Why the witness cannot be for this program.
fn other_program(file: &Path, content: &[u8], hashes: &std::collections::BTreeMap<String, String>) -> Option<String> {
    let name = file.display().to_string();
    let whole = hashes.get(&name);
    let expected = whole.or_else(|| Some(hashes.iter().find(|(other, _)| base_name(other) == base_name(&name))?.1))?;
    let differs = !expected.eq_ignore_ascii_case(&format::sha256(content));
    differs.then(|| {
        format!(
            "the witness is for another version of `{}`: its hash is not that of the file",
            base_name(&name)
        )
    })
}
