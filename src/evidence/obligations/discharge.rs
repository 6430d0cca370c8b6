//! Discharging proof obligations: each script is read as text, solved by a solver that has seen nothing else, and its proof is checked. Before, it is held against
//! what the manifest claims.
//!
//! Nothing of the run that wrote the scripts is used, not even its terms: the way leads through the SMT-LIB front end. The proof checker shares no code
//! with the solver either (see [`provident_smt::proof::check`](mod@provident_smt::proof::check)), so what is trusted is the reading of the script and the checker.

use super::audit::Auditor;
use super::manifest::Manifest;
use provident_smt::fault::planted;
use provident_smt::smtlib::{ExitStatus, Interrupt, Options, run};
use std::sync::Arc;

/// The result for an obligation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Discharged {
    /// It is unsatisfiable, and the proof of that was checked.
    Yes,
    /// It is not, or that is not known: why.
    No(String),
}

/// What discharging may take. Scripts that are not solved within it stay open.
#[derive(Clone, Debug, Default)]
pub struct Allowed {
    /// The ticks of each script.
    pub ticks: Option<u64>,
    /// Ends the script that is being solved, and beyond a limit of time or memory all that follow.
    pub interrupt: Option<Arc<Interrupt>>,
}

impl Allowed {
    /// So many ticks for each script.
    pub fn ticks(ticks: u64) -> Allowed {
        Allowed {
            ticks: Some(ticks),
            interrupt: None,
        }
    }
}

/// Solves a script.
pub fn discharge(script: &str, allowed: &Allowed) -> Discharged {
    let whole = format!("(set-option :produce-proofs true)\n(set-option :proof-format native)\n{script}(get-proof)\n");
    let options = Options {
        ticks: allowed.ticks,
        interrupt: allowed.interrupt.clone(),
        ..Options::default()
    };
    let mut out = Vec::new();
    let status = match run(&whole, &mut out, &options) {
        Ok(status) => status,
        Err(error) => return Discharged::No(error.to_string()),
    };
    let text = String::from_utf8_lossy(&out);
    let answer = text.lines().next().unwrap_or("no answer");
    let error = text.lines().find(|line| line.starts_with("(error "));
    match (answer, status, error) {
        ("unsat", ExitStatus::Success, None) => Discharged::Yes,
        _ if planted("discharge-anything") => Discharged::Yes,
        ("unsat", _, Some(error)) => Discharged::No(format!("its proof was not accepted: {error}")),
        (_, _, Some(error)) => Discharged::No(error.to_string()),
        _ => Discharged::No(format!("the answer is {answer}")),
    }
}

/// Discharges all scripts of a manifest, which `read` hands over by name, and has them say what the manifest says (`audit`). Gives each file for which that fails with
/// the reason; the coverage of the program counts as one.
///
/// # Errors
/// A script cannot be read: the error of `read`.
pub fn discharge_all<E>(
    manifest: &Manifest,
    allowed: &Allowed,
    read: &mut dyn FnMut(&str) -> Result<String, E>,
) -> Result<Vec<(String, String)>, E> {
    let mut open = Vec::new();
    if let Err(missing) = super::coverage::covers(manifest) {
        open.push((super::manifest::FILE.to_string(), missing.to_string()));
    }
    let auditor = match Auditor::new(manifest) {
        Ok(auditor) => auditor,
        Err(wrong) => {
            open.push((super::manifest::FILE.to_string(), wrong.to_string()));
            return Ok(open);
        }
    };
    for obligation in &manifest.obligations {
        let script = read(&obligation.file)?;
        let audited = auditor.check(obligation, &script, &mut |script| discharge(script, allowed));
        let discharged = match audited {
            Ok(()) => discharge(&script, allowed),
            Err(wrong) => Discharged::No(wrong.to_string()),
        };
        if let Discharged::No(reason) = discharged {
            open.push((obligation.file.clone(), reason));
        }
    }
    Ok(open)
}
