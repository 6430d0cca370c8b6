//! `provident discharge`: solves the proof obligations that `verify --out` has written.

use super::smt::{Limits, watch};
use crate::cli::display::finish::print;
use crate::cli::error::Error;
use crate::cli::settings::options::Settings;
use crate::cli::settings::request::{ProgramSource, checked};
use crate::cli::settings::table::{CHECKS, PROGRAM, PROPERTY, TICKS};
use crate::evidence::obligations::defect::Foreign;
use crate::evidence::obligations::discharge::Allowed;
use crate::evidence::obligations::origin::belongs;
use crate::evidence::obligations::{Manifest, manifest};
use crate::spec::target_edges;
use crate::verify::mentions::default_properties;
use crate::verify::proof::{FOLDER, discharge_folder};
use crate::verify::{ProgramFile, Requested, load, read_property};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// The request of `discharge`, before anything is read.
pub(in crate::cli) struct Discharge {
    /// The effort that a script may cost.
    allowed: Allowed,
    /// The limits of the process.
    limits: Limits,
    /// The program that the obligations have to be about.
    program: Option<ProgramFile>,
    properties: Vec<Requested>,
}

/// Reads the settings and the task definition.
///
/// # Errors
/// The message for the user.
pub(in crate::cli) fn read_settings(settings: &Settings) -> Result<Discharge, Error> {
    let given = settings.all(&PROGRAM);
    let source = ProgramSource::new_or_none(&given, settings)?;
    let is_given = !source.units.is_empty();
    let files = settings.all(&PROPERTY);
    let files = match files.is_empty() && settings.get(&CHECKS).is_none() {
        true => source.properties.iter().map(|(file, _)| file.clone()).collect(),
        false => files,
    };
    let mut properties = Vec::new();
    for file in files {
        properties.extend(read_property(&file, None)?);
    }
    if is_given {
        properties.extend(checked(&source, &properties, settings)?);
    }
    if is_given && properties.is_empty() {
        properties = default_properties(&source.clone().request(settings, None)?)?;
    }
    let entry = properties.first().and_then(|requested| requested.claim.entry());
    let mut request = source.request(settings, entry)?;
    request.forbid(&properties);
    Ok(Discharge {
        allowed: Allowed {
            ticks: settings.get(&TICKS).map(u64::from),
            interrupt: Some(Arc::default()),
        },
        limits: Limits::new(settings),
        program: is_given.then_some(request),
        properties,
    })
}

/// Whether obligations are about the program and all of the properties.
///
/// # Errors
/// The message for the user, if the program cannot be read; inside of that, what differs.
fn about(manifest: &Manifest, request: &ProgramFile, properties: &[Requested]) -> Result<Result<(), Foreign>, Error> {
    let program = load(request)?;
    let mut violations = BTreeSet::new();
    for Requested { name, claim, .. } in properties {
        let Some(forbidden) = claim.forbidden() else {
            return Err(Error::Automaton(name.clone()));
        };
        if !manifest.properties.contains(name) {
            return Ok(Err(Foreign::Property(name.clone())));
        }
        violations.extend(target_edges(&program, forbidden));
    }
    Ok(belongs(manifest, &program, &violations))
}

/// Discharges the obligations of a folder. Returns the exit status: 0 if all are, else 2.
///
/// # Errors
/// The manifest or a script cannot be read.
pub(in crate::cli) fn discharge(folder: &Path, settings: &Settings) -> Result<u8, Error> {
    let request = read_settings(settings)?;
    // The folder of a whole report will do: what is meant is in it.
    let inside = folder.join(FOLDER);
    let is_report = !folder.join(manifest::FILE).exists() && inside.join(manifest::FILE).exists();
    let folder = if is_report { &inside } else { folder };
    let file = folder.join(manifest::FILE);
    let text = std::fs::read_to_string(&file).map_err(|error| Error::Unreadable(file.clone(), error))?;
    let manifest: Manifest = serde_json::from_str(&text).map_err(|error| Error::Manifest(file.clone(), error))?;
    if let Some(interrupt) = &request.allowed.interrupt {
        watch(Arc::clone(interrupt), request.limits, false);
    }
    let mut open = discharge_folder(folder, &manifest, &request.allowed)?;
    if let Some(program) = &request.program
        && let Err(why) = about(&manifest, program, &request.properties)?
    {
        open.push((manifest::FILE.to_string(), format!("it is about something else: {why}")));
    }
    for (file, why) in &open {
        print(&format!("{file}: {why}\n"));
    }
    let total = manifest.obligations.len();
    if open.is_empty() {
        print(&format!(
            "DISCHARGED: all {total} obligations, with their proofs checked\n{}\n",
            manifest.claim
        ));
        return Ok(0);
    }
    print(&format!("OPEN: {} of {total} obligations and coverage\n", open.len()));
    Ok(2)
}
