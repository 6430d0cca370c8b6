//! Proof obligations on the command line: `verify --out` writes them, `provident discharge` solves them.

use super::finish::print;
use super::options::Settings;
use super::request::{ProgramRequest, ProgramSource};
use super::verify::load;
use super::wanted::{Claim, Wanted, read_property};
use crate::cfa::{NodeId, Program};
use crate::encode::Encoder;
use crate::engine::certificate::Origin;
use crate::engine::{self, Certificate, Invariant, Outcome, Property, Reason};
use crate::evidence::obligations::discharge::discharge_all;
use crate::evidence::obligations::origin::belongs;
use crate::evidence::obligations::{Effort, Failure, Manifest, inductive, manifest, obligations};
use crate::report::{Answer, ProofReport, Report, files, version};
use crate::spec::target_edges;
use provident_smt::solver::{Config, Solver};
use provident_smt::term::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

/// The folder of the obligations in that of the report.
const FOLDER: &str = "proof";

/// Ticks that a script may cost its writer, and its reader: some seconds.
const SCRIPT_TICKS: u64 = 100_000_000;

/// How explicit values prove something.
const EXPLICIT: &str = "proved by exhaustive exploration of explicit values";

/// Writes the obligations of what holds, and under `--check` discharges them. The report says what became of it; a TRUE whose obligations
/// turn out not to hold becomes UNKNOWN. `keep` is told how the report is to be if a limit strikes before the end.
///
/// # Errors
/// The files cannot be written or read.
pub(super) fn write(
    report: &mut Report,
    program: &Program,
    properties: &[Property],
    outcome: &Outcome,
    options: &engine::Options,
    folder: &Path,
    keep: &mut dyn FnMut(&Report),
) -> Result<(), String> {
    let evidence = &outcome.evidence;
    let name = |property: &usize| properties[*property].name.clone();
    let without = evidence.without.iter().map(|(p, Reason(why))| (name(p), why.clone()));
    let mut proof = ProofReport {
        folder: None,
        properties: Vec::new(),
        obligations: 0,
        discharged: None,
        without: without.collect(),
    };
    let Some(certificate) = &evidence.certificate else {
        report.proof = (!proof.without.is_empty()).then_some(proof);
        return Ok(());
    };
    let mut solver = |effort: Effort| solver(options, effort);
    let proved: Vec<String> = certificate.properties.iter().map(name).collect();
    let cut = |name: &String| {
        (
            name.clone(),
            "they were being written when a limit was reached".to_string(),
        )
    };
    let unwritten = ProofReport {
        without: proof.without.iter().cloned().chain(proved.iter().map(cut)).collect(),
        ..proof.clone()
    };
    report.proof = Some(unwritten);
    keep(report);
    match obligations(program, properties, certificate, &mut solver) {
        Ok(mut made) => {
            made.manifest.provident = version::line();
            let json = made.manifest.json();
            let scripts = made.scripts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
            std::fs::create_dir_all(folder)
                .and_then(|()| {
                    let all = scripts.chain([(manifest::FILE, json.as_str())]);
                    files::write_folder(folder, FOLDER, manifest::FILE, all)
                })
                .map_err(|error| error.to_string())?;
            proof.obligations = made.scripts.len();
            proof.folder = Some(FOLDER.to_string());
            proof.properties = proved;
            report.proof = Some(proof.clone());
            keep(report);
            if options.check {
                let open = discharge_folder(&folder.join(FOLDER), &made.manifest, Some(SCRIPT_TICKS))?;
                proof.discharged = Some(proof.obligations.saturating_sub(open.len()));
                if let Some((file, why)) = open.first() {
                    withdraw(
                        report,
                        &proof.properties,
                        &format!("the obligation {file} is not discharged: {why}"),
                    );
                }
            }
        }
        Err(Failure::Unknown(why)) => {
            let why = match &certificate.origin {
                Origin::Predicates => why,
                Origin::Guessed => format!("{EXPLICIT}, and what its states have in common does not show it: {why}"),
                Origin::Explicit(lost) => {
                    let left_out: Vec<&str> = lost.iter().copied().collect();
                    let left_out = match left_out.is_empty() {
                        true => String::new(),
                        false => format!(", which leave out {},", left_out.join(", ")),
                    };
                    format!("{EXPLICIT}, whose states{left_out} do not show it: {why}")
                }
            };
            proof.without.extend(proved.into_iter().map(|name| (name, why.clone())));
        }
        Err(Failure::Satisfiable(why)) => withdraw(report, &proved, &why),
    }
    report.proof = Some(proof);
    report.conclude();
    Ok(())
}

/// A solver for scripts.
fn solver(options: &engine::Options, effort: Effort) -> Solver {
    let mut solver = Solver::new(Config {
        proofs: true,
        ..Config::default()
    });
    solver.set_tick_limit(Some(match effort {
        Effort::Least => SCRIPT_TICKS / 100,
        Effort::Little => SCRIPT_TICKS / 20,
        Effort::Full => SCRIPT_TICKS,
    }));
    if let Some(cancel) = &options.cancel {
        solver.set_interrupt(Arc::clone(cancel));
    }
    solver
}

/// Finds out which of the guesses of a run hold together: from then on they are its claims, and what they say at loop heads its invariants.
pub(super) fn settle(program: &Program, properties: &[Property], outcome: &mut Outcome, options: &engine::Options) {
    let Some(certificate) = &mut outcome.evidence.certificate else {
        return;
    };
    if certificate.origin != Origin::Guessed {
        return;
    }
    *certificate = inductive(program, properties, certificate, &mut |effort| solver(options, effort));
    outcome.invariants = invariants(program, certificate);
}

/// What the claims of a certificate say at loop heads, whatever the call stack, without what they say of all elements of arrays.
fn invariants(program: &Program, certificate: &Certificate) -> Vec<Invariant> {
    let mut pool = TermPool::new();
    let formulas = pool.import(&certificate.formulas);
    let encoder = Encoder::new(program, certificate.arith);
    let mut known: BTreeMap<NodeId, Vec<TermId>> = BTreeMap::new();
    for claim in certificate
        .claims
        .iter()
        .filter(|claim| program.node(claim.node).loop_head)
    {
        known.entry(claim.node).or_default().push(formulas[claim.formula]);
    }
    let invariant = |(node, formulas): (NodeId, Vec<TermId>)| {
        let texts: BTreeSet<String> = formulas
            .iter()
            .map(|&formula| encoder.display(&pool, formula))
            .collect();
        Invariant {
            node,
            formulas: pool.export(&formulas),
            disjuncts: texts.into_iter().collect(),
        }
    };
    known.into_iter().map(invariant).collect()
}

/// Takes back what was said to hold.
fn withdraw(report: &mut Report, properties: &[String], reason: &str) {
    for property in &mut report.properties {
        if property.verdict == Answer::True && properties.contains(&property.name) {
            property.verdict = Answer::Unknown;
            property.reason = Some(format!("internal error: {reason}"));
        }
    }
}

fn discharge_folder(folder: &Path, manifest: &Manifest, ticks: Option<u64>) -> Result<Vec<(String, String)>, String> {
    let mut read = |name: &str| {
        let file = folder.join(name);
        std::fs::read_to_string(&file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))
    };
    discharge_all(manifest, ticks, &mut read)
}

/// What `discharge` is asked for, before anything is read.
pub(super) struct Discharge {
    /// The effort that a script may cost.
    ticks: Option<u64>,
    /// The program that the obligations have to be about.
    program: Option<ProgramRequest>,
    properties: Vec<Wanted>,
}

/// Reads the settings and the task definition.
///
/// # Errors
/// The message for the user.
pub(super) fn read_settings(settings: &Settings) -> Result<Discharge, String> {
    let given = settings.path("program");
    let input = given.clone().unwrap_or_default();
    let source = ProgramSource::new(&[input])?;
    let files = settings.paths("property");
    let files = match files.is_empty() {
        true => source.properties.iter().map(|(file, _)| file.clone()).collect(),
        false => files,
    };
    let mut properties = Vec::new();
    for file in files {
        properties.extend(read_property(&file, None)?);
    }
    let entry = properties.first().and_then(|wanted| wanted.claim.entry());
    let mut request = source.request(settings, entry)?;
    request.forbid(&properties);
    if given.is_some() && properties.is_empty() {
        return Err("no property is given; use `--property FILE.prp`, or a task definition that names one".to_string());
    }
    Ok(Discharge {
        ticks: settings.number("ticks"),
        program: given.map(|_| request),
        properties,
    })
}

/// Whether obligations are about the program and all of the properties.
///
/// # Errors
/// The message for the user, if the program cannot be read; inside of that, what differs.
fn about(manifest: &Manifest, request: &ProgramRequest, properties: &[Wanted]) -> Result<Result<(), String>, String> {
    let program = load(request)?;
    let mut violations = BTreeSet::new();
    for Wanted { name, claim, .. } in properties {
        let Claim::Forbidden(spec) = claim else {
            return Err(format!(
                "`{name}` is an automaton, which is woven into programs: only formulas can be compared"
            ));
        };
        if !manifest.properties.contains(name) {
            return Ok(Err(format!("it is not about {name}")));
        }
        violations.extend(target_edges(&program, &spec.forbidden));
    }
    Ok(belongs(manifest, &program, &violations))
}

/// Discharges the obligations of a folder. Returns the exit status: 0 if all are, else 2.
///
/// # Errors
/// The manifest or a script cannot be read.
pub(super) fn discharge(folder: &Path, settings: &Settings) -> Result<u8, String> {
    let request = read_settings(settings)?;
    // The folder of a whole report will do: what is meant is in it.
    let inside = folder.join(FOLDER);
    let is_report = !folder.join(manifest::FILE).exists() && inside.join(manifest::FILE).exists();
    let folder = if is_report { &inside } else { folder };
    let file = folder.join(manifest::FILE);
    let text = std::fs::read_to_string(&file).map_err(|error| format!("cannot read `{}`: {error}", file.display()))?;
    let manifest: Manifest =
        serde_json::from_str(&text).map_err(|error| format!("{}: error: {error}", file.display()))?;
    let mut open = discharge_folder(folder, &manifest, request.ticks)?;
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
