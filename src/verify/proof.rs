//! Proof obligations of the properties that hold: they are written into the folder of the report, and discharged under `--check`.

use super::certificate::Certificate as Shown;
use super::stage::Stage;
use super::verdict::withdraw;
use super::{Error, Verified};
use crate::certify::{Evidence, NoProof, Origin};
use crate::cpa::tracking::PropertyId;
use crate::engine::{self, ReasonCode};
use crate::evidence::obligations::discharge::{Allowed, discharge_all};
use crate::evidence::obligations::{Effort, Failure, Manifest, Obligations, Solvers, inductive, manifest, obligations};
use crate::report::{Answer, ProofReport, Report, files, version};
use provident_smt::solver::{Config, Solver};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The folder of the obligations in that of the report.
pub const FOLDER: &str = "proof";

/// Ticks that a script may cost its writer, and its reader: some seconds.
pub(super) const SCRIPT_TICKS: u64 = 100_000_000;

/// A property without obligations, and why it has none.
type Without = (PropertyId, String);
/// Obligations, and the properties that they show.
type Shows = (Obligations, Vec<PropertyId>);

/// The reason before that.
const UNBEGUN: &str = "a limit was reached while facts about the whole program were looked for";
/// The reason while they are made.
const CUT: &str = "they were being written when a limit was reached";
/// How explicit values prove something.
const EXPLICIT: &str = "proved by exhaustive exploration of explicit values";

/// Says of the properties that hold why they have no obligations, in case that a limit strikes before there are some.
pub(super) fn expect(report: &mut Report) {
    let held = report
        .properties
        .iter()
        .filter(|property| property.verdict == Answer::True);
    let without: Vec<_> = held
        .map(|property| (property.name.clone(), UNBEGUN.to_string()))
        .collect();
    report.proof = (!without.is_empty()).then(|| no_proof(without));
}

/// No obligations, and why.
fn no_proof(without: Vec<(String, String)>) -> ProofReport {
    ProofReport {
        folder: None,
        properties: Vec::new(),
        obligations: 0,
        discharged: None,
        without,
    }
}

/// Writes the obligations of what holds, and under `--check` discharges them. The report says what became of it; a TRUE whose obligations
/// turn out not to hold becomes UNKNOWN. `keep` gets the report for the case that a limit strikes before the end.
///
/// # Errors
/// The files cannot be written or read.
pub(super) fn write(
    report: &mut Report,
    verified: &mut Verified,
    options: &engine::Options,
    folder: &Path,
    keep: &mut dyn FnMut(&Report),
) -> Result<(), Error> {
    let made = verified.certificate.made.take();
    let evidence = &verified.certificate.evidence;
    let properties = &verified.whole.properties;
    let name = |property: &PropertyId| properties[property.index()].name.clone();
    let named = |without: &[Without]| {
        without
            .iter()
            .map(|(property, why)| (name(property), why.clone()))
            .collect()
    };
    let mut bare = bare(evidence);
    let claimed: &[PropertyId] = evidence.certificate.as_ref().map_or(&[], |found| &found.properties);
    bare.extend(claimed.iter().map(|&property| (property, CUT.to_string())));
    report.proof = None;
    if bare.is_empty() {
        return Ok(());
    }
    let mut proof = no_proof(named(&bare));
    report.proof = Some(proof.clone());
    keep(report);
    match make(verified, made, options) {
        Ok((made, without)) => {
            proof.without = named(&without);
            if let Some((mut made, shown)) = made {
                made.manifest.provident = version::line();
                let json = made.manifest.json();
                let scripts = made.scripts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
                std::fs::create_dir_all(folder)
                    .and_then(|()| {
                        let all = scripts.chain([(manifest::FILE, json.as_str())]);
                        files::write_folder(folder, FOLDER, manifest::FILE, all)
                    })
                    .map_err(|error| Error::unwritable(&folder.join(FOLDER), &error))?;
                proof.obligations = made.scripts.len();
                proof.folder = Some(FOLDER.to_string());
                proof.properties = shown.iter().map(name).collect();
                report.proof = Some(proof.clone());
                keep(report);
                if options.check {
                    discharge_now(report, &mut proof, &folder.join(FOLDER), &made.manifest)?;
                }
            }
        }
        Err(why) => {
            proof.without = named(&self::bare(evidence));
            let claimed: Vec<String> = claimed.iter().map(name).collect();
            let reason = ReasonCode::InternalError.because(why);
            withdraw(
                report,
                Answer::True,
                |property| claimed.contains(&property.name),
                &reason,
            );
        }
    }
    report.proof = Some(proof);
    report.conclude();
    Ok(())
}

/// The properties without certificate.
fn bare(evidence: &Evidence) -> Vec<Without> {
    let without = evidence.without.iter();
    without
        .map(|(property, NoProof(why))| (*property, why.clone()))
        .collect()
}

/// The obligations of the first certificate that has some, with the properties that it shows; and the properties without. The last certificate is of guesses: facts that the text suggests may show what no
/// exploration can claim. Those of the first certificate may be made already.
///
/// # Errors
/// An obligation does not hold.
fn make(
    verified: &Verified,
    made: Option<Obligations>,
    options: &engine::Options,
) -> Result<(Option<Shows>, Vec<Without>), String> {
    let evidence = &verified.certificate.evidence;
    let (program, properties) = (&verified.whole.program, &verified.whole.properties);
    let (mut without, mut weak) = (bare(evidence), None);
    if let (Some(made), Some(certificate)) = (made, &evidence.certificate) {
        return Ok((Some((made, certificate.properties.clone())), without));
    }
    let mut solvers = ScriptSolvers::new(options, None);
    for certificate in evidence.certificate.iter().chain(&evidence.second) {
        match obligations(program, properties, certificate, &mut solvers) {
            Ok(made) => return Ok((Some((made, certificate.properties.clone())), without)),
            Err(Failure::Satisfiable(why)) => return Err(why),
            Err(Failure::Unknown(why)) => {
                let why = shortfall(&certificate.origin, why);
                if weak.is_some() {
                    tracing::debug!(why, "the second certificate is too weak");
                    continue;
                }
                weak = Some(
                    certificate
                        .properties
                        .iter()
                        .map(move |&property| (property, why.clone())),
                );
            }
        }
    }
    without.extend(weak.into_iter().flatten());
    let open = without.iter().map(|(property, _)| *property).collect();
    let known = &verified.certificate.invariants;
    let guessed = verified.whole.clone().certificate_of_guesses(&open, known, options);
    let made = guessed.and_then(|guessed| {
        let made = obligations(program, properties, &guessed, &mut solvers).ok()?;
        without.retain(|(property, _)| !guessed.properties.contains(property));
        Some((made, guessed.properties))
    });
    Ok((made, without))
}

/// Discharges the obligations in a folder, and takes answers back if one stays open.
fn discharge_now(
    report: &mut Report,
    proof: &mut ProofReport,
    folder: &Path,
    manifest: &Manifest,
) -> Result<(), Error> {
    let open = discharge_folder(folder, manifest, &Allowed::ticks(SCRIPT_TICKS))?;
    proof.discharged = Some(proof.obligations.saturating_sub(open.len()));
    if let Some((file, why)) = open.first() {
        let reason = ReasonCode::InternalError.because(format!("the obligation {file} is not discharged: {why}"));
        withdraw(
            report,
            Answer::True,
            |property| proof.properties.contains(&property.name),
            &reason,
        );
    }
    Ok(())
}

/// Why claims of an origin do not show the properties.
fn shortfall(origin: &Origin, why: String) -> String {
    match origin {
        Origin::Predicates | Origin::Thin => why,
        Origin::Paths => format!("{EXPLICIT}, and its paths alone do not show it: {why}"),
        Origin::Guessed => format!("{EXPLICIT}, and the facts that its states have in common do not show it: {why}"),
        Origin::Explicit(lost) => {
            let left_out: Vec<&str> = lost.iter().copied().collect();
            let left_out = match left_out.is_empty() {
                true => String::new(),
                false => format!(", which leave out {},", left_out.join(", ")),
            };
            format!("{EXPLICIT}, whose states{left_out} do not show it: {why}")
        }
    }
}

/// Solvers for scripts.
pub(super) struct ScriptSolvers {
    /// Ends what they do.
    cancel: Option<Arc<AtomicBool>>,
    /// The ticks that all of them may spend.
    limit: Option<u64>,
    /// Those that they have spent.
    pub spent: u64,
}

impl ScriptSolvers {
    /// Solvers that end with a run, or when all of them together have spent a number of ticks.
    pub fn new(options: &engine::Options, limit: Option<u64>) -> ScriptSolvers {
        ScriptSolvers {
            cancel: options.cancel.clone(),
            limit,
            spent: 0,
        }
    }

    fn left(&self) -> u64 {
        self.limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.spent))
    }
}

impl Solvers for ScriptSolvers {
    fn solver(&mut self, effort: Effort) -> Solver {
        let mut solver = Solver::new(Config {
            proofs: true,
            ..Config::default()
        });
        let ticks = match effort {
            Effort::Least => SCRIPT_TICKS / 100,
            Effort::Little => SCRIPT_TICKS / 20,
            Effort::Full => SCRIPT_TICKS,
        };
        solver.set_tick_limit(Some(ticks.min(self.left())));
        if let Some(cancel) = &self.cancel {
            solver.set_interrupt(Arc::clone(cancel));
        }
        solver
    }

    fn charge(&mut self, solver: &Solver) {
        self.charge_ticks(solver.ticks());
    }

    fn charge_ticks(&mut self, ticks: u64) {
        self.spent = self.spent.saturating_add(ticks);
    }

    fn is_exhausted(&self) -> bool {
        let is_cancelled = self
            .cancel
            .as_ref()
            .is_some_and(|cancel| cancel.load(Ordering::Relaxed));
        is_cancelled || self.left() == 0
    }
}

/// Finds the guesses of a run that hold together. From then on they are its claims, and at loop heads its invariants.
pub(super) fn settle(whole: &Stage, shown: &mut Shown, options: &engine::Options) {
    let Some(certificate) = &mut shown.evidence.certificate else {
        return;
    };
    if certificate.origin != Origin::Guessed {
        return;
    }
    let (program, properties) = (&whole.program, &whole.properties);
    let mut solvers = ScriptSolvers::new(options, None);
    *certificate = inductive(program, properties, certificate, &mut solvers);
    shown.invariants = certificate.invariants(program);
    shown.program = Rc::clone(program);
}

/// Discharges the obligations in a folder, within what is allowed. Returns those that are open, by file and reason.
///
/// # Errors
/// A script cannot be read.
pub fn discharge_folder(folder: &Path, manifest: &Manifest, allowed: &Allowed) -> Result<Vec<(String, String)>, Error> {
    let mut read = |name: &str| {
        let file = folder.join(name);
        std::fs::read_to_string(&file).map_err(|error| Error::unreadable(&file, &error))
    };
    discharge_all(manifest, allowed, &mut read)
}
