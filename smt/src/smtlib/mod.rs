//! The SMT-LIB 2.6 front end: scripts in, answers out.
//!
//! Supported are quantifier-free formulas over linear integer and real arithmetic with uninterpreted functions, whatever the name of
//! the logic: `QF_LIA`, `QF_IDL`, `QF_LRA`, `QF_RDL`, `QF_LIRA`, `QF_UF`, these with `UF`, and `ALL`. Anything else gets an `(error "line:column: ...")` that says what is not supported.
//! Errors do not end the script (`:error-behavior` is `continued-execution`), but after an error in a command that changes what is
//! asserted, every check answers `unknown`: an answer about half a script would be wrong.
//!
//! Beyond the standard, `(get-interpolants A B ...)` prints the sequence interpolants of named assertions or conjunctions of them, after an
//! `unsat`; lists among the arguments make it a tree. The options `:interpolation-labelling` (`mcmillan`, `pudlak`, `dual`, `smallest`),
//! `:interpolation-arithmetic` (`decomposed`, `farkas`, `dual-farkas`, `dual-decomposed`), `:interpolation-congruence` (`strong`, `weak`),
//! `:interpolation-reduce-proof`, `:interpolation-simplify` and `:interpolation-minimise` choose among interpolants ([`interpolate`](crate::interpolate)). With `:produce-proofs`, `(get-proof)` prints the refutation after the independent checker has accepted it.
//!
//! Models are checked: a `sat` is only printed if every assertion evaluates to true in the model.

mod answer;
mod elaborate;
mod interpolants;
mod nonlinear;
mod operators;
mod proof_text;
mod session;
mod sexpr;

pub use interpolants::{InterpolantRow, RatedInterpolant, interpolation_table};

use crate::interpolate::InterpolationConfig;
use session::{Reply, Session};
use sexpr::{Position, Reader};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How a script is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The deterministic effort that each check may spend.
    pub ticks: Option<u64>,
    /// A flag that ends the running check with `unknown`.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Perturbs the search; `None` is the default order.
    pub seed: Option<u64>,
    /// How `get-interpolants` interpolates; its limits are those above. The script's options overrule it.
    pub interpolation: InterpolationConfig,
}

/// How running a script ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// Every command was carried out.
    Success,
    /// At least one command got an error as its answer.
    Errors,
}

/// Runs a script and writes the answers as they come.
///
/// # Errors
/// Only if writing fails.
pub fn run(input: &str, out: &mut dyn Write, options: &Options) -> io::Result<ExitStatus> {
    let mut reader = Reader::new(input);
    let mut session = Session::new(options);
    let mut status = ExitStatus::Success;
    while let Some(read) = reader.next() {
        let readable = read.is_ok();
        match read.and_then(|command| session.execute(&command)) {
            Ok(Reply::Silent) => continue,
            Ok(Reply::Text(text)) => writeln!(out, "{text}")?,
            Ok(Reply::Exit) => break,
            Err(error) => {
                status = ExitStatus::Errors;
                let message = format!("{}: {}", Position::of(input, error.at), error.message);
                writeln!(out, "(error {})", answer::quoted(&message))?;
            }
        }
        out.flush()?;
        if !readable {
            break;
        }
    }
    out.flush()?;
    Ok(status)
}
