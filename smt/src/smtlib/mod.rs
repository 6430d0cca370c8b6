//! The SMT-LIB 2.6 front end: scripts in, answers out.
//!
//! Supported are quantifier-free formulas over linear integer and real arithmetic with uninterpreted functions, whatever the name of
//! the logic: `QF_LIA`, `QF_IDL`, `QF_LRA`, `QF_RDL`, `QF_LIRA`, `QF_UF`, these with `UF`, arrays (`QF_AX`, `QF_ALIA`, `QF_AUFLIA`), bit-vectors (`QF_BV`, `QF_UFBV`), and `ALL`. Anything else gets an
//! `(error "line:column: ...")` that says what is not supported, or
//! `unsupported` where the standard has that word. Errors do not end the script (`:error-behavior` is `continued-execution`), but after an
//! error in a command that changes what is asserted, every check answers `unknown`: an answer about half a script would be wrong.
//!
//! | module | does |
//! |---|---|
//! | `sexpr` | splits a stream into commands, parses a command |
//! | `sorts`, `elaborate`, `operators` | sorts and terms of the script to terms of the pool |
//! | `expansions` | defined functions with array terms over their parameters |
//! | `scope` | names and their meanings |
//! | `session` | the state, assertions and scopes, the dispatch of commands |
//! | `nonlinear`, `nonlinear_check` | products and divisions of unknowns, by lemmas at models of the rest |
//! | `symbols` | symbols for operators that the solver does not know |
//! | `declarations`, `checks`, `info`, `options` | the commands |
//! | `interpolants` | `get-interpolants` |
//! | `orders` | interpolants without orders among elements of declared sorts |
//! | `table` | the table of all variants |
//! | `certified` | proofs for answers and interpolants |
//! | `all_models` | `check-allsat` |
//! | `answer`, `proof_text` | models, formulas and proofs as text |
//! | `arrays`, `array_definitions` | arrays, by functions and their updates |
//! | `array_values` | arrays as elements, indices and arguments |
//! | `shared_arrays` | equations between arrays of several partitions, for interpolants |
//! | `constant_arrays` | constant arrays, by instances |
//! | `bitvectors` | bit-vectors, by numbers that wrap around |
//! | `interrupt` | ends a check from outside |
//! | `limits` | bounds on the size of scripts |
//! | `source` | the script's own terms, for proofs |
//!
//! The script is read command by command, and each command is answered before the next one is read: it may come through a pipe, from
//! someone who waits for the answer, and may be longer than the memory.
//!
//! Where we differ from the standard: a script may start without `set-logic`, which is then `ALL`; nothing is printed for commands
//! without an answer unless `:print-success` is set; models, assignments and unsatisfiable assumptions need no option; assumptions of
//! `check-sat-assuming` may be any formulas.
//!
//! Beyond the standard, `(get-interpolants A B ...)` prints the sequence interpolants of named assertions or conjunctions of them, after an
//! `unsat`; lists among the arguments make it a tree. The options `:interpolation-labelling` (`mcmillan`, `pudlak`, `dual`, `smallest`),
//! `:interpolation-arithmetic` (`decomposed`, `farkas`, `dual-farkas`, `dual-decomposed`), `:interpolation-congruence` (`strong`, `weak`),
//! `:interpolation-reduce-proof`, `:interpolation-simplify` and `:interpolation-minimise` choose among interpolants
//! ([`interpolate`](crate::interpolate)). With `:produce-proofs`, `(get-proof)` prints the refutation after the independent checker has accepted it: in the
//! [Alethe](crate::proof::alethe) format, or with `(set-option :proof-format native)` as the solver has it. With `(set-option :alethe-definitions true)` a text in the former takes definitions of quotients, remainders, `abs` and arrays without proof
//! where it needs them, as steps `hole`; comments at its head count them.
//!
//! `(set-option :finite-after TICKS)` says after how many ticks of a check the search may turn to small domains ([`Config::finite_after`](crate::solver::Config::finite_after)).
//!
//! `(check-allsat (p q ...))` prints all values that these formulas can have together, as disjoint cubes.
//!
//! With [`Options::check`] answers `unsat` and interpolants have proofs, which the independent checker accepts.
//!
//! Models are checked: a `sat` is only printed if every assertion evaluates to true in the model. If `(set-info :status s)` says what the
//! next check is to answer, another answer is an error.

mod all_models;
mod answer;
mod array_definitions;
mod array_values;
mod arrays;
mod bitvectors;
mod certified;
mod checks;
mod constant_arrays;
mod declarations;
mod elaborate;
mod expansions;
mod info;
mod interpolants;
mod interrupt;
mod limits;
mod nonlinear;
mod nonlinear_check;
mod operators;
mod options;
mod orders;
mod proof_text;
mod scope;
mod session;
mod sexpr;
mod shared_arrays;
mod sorts;
mod source;
mod symbols;
mod table;

pub use interrupt::{Cause, Interrupt};
pub use table::{InterpolantRow, InterpolationTable, RatedInterpolant, interpolation_table};

use crate::interpolate::InterpolationConfig;
use session::{Channel, Reply, Session};
use sexpr::Splitter;
use std::io::{self, BufRead, Write};
use std::sync::Arc;

/// Where answers or diagnostics go.
pub type Output = Box<dyn Write>;

/// Opens a channel by its name.
pub type Opener = fn(&str) -> io::Result<Output>;

/// The way in which a script is run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The deterministic effort that each check may spend. The script's `:reproducible-resource-limit` can only lower it.
    pub ticks: Option<u64>,
    /// Ends the running check with `unknown`.
    pub interrupt: Option<Arc<Interrupt>>,
    /// Perturbs the search; `None` is the default order. The script's `:random-seed` overrules it.
    pub seed: Option<u64>,
    /// Opens what the options `:regular-output-channel` and `:diagnostic-output-channel` name: `stdout`, `stderr` or a file to append to.
    /// Without it these options are unsupported, and diagnostics go nowhere.
    pub open: Option<Opener>,
    /// The way in which `get-interpolants` interpolates; its limits are those above. The script's options overrule it.
    pub interpolation: InterpolationConfig,
    /// Whether to write the statistics as a diagnostic when the script ends.
    pub statistics: bool,
    /// Whether each `unsat` is proved once more, with a proof that the checker accepts, and each interpolant is certified. What turns out to be wrong is an internal error;
    /// what is not decided is counted.
    pub check: bool,
}

/// The end of a run of a script.
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
///
/// ```
/// use provident_smt::smtlib::{ExitStatus, Options, run};
///
/// let mut answers = Vec::new();
/// let script = "(declare-const x Int) (assert (= (* 2 x) 6)) (check-sat) (get-value (x))";
/// assert_eq!(run(script, &mut answers, &Options::default()).unwrap(), ExitStatus::Success);
/// assert_eq!(answers, b"sat\n((x 3))\n");
/// ```
pub fn run(input: &str, out: &mut dyn Write, options: &Options) -> io::Result<ExitStatus> {
    run_stream(input.as_bytes(), out, options)
}

/// Runs a script that comes as a stream. No more is read than needed for the next command, and each answer is flushed.
///
/// # Errors
/// Only if reading or writing fails.
pub fn run_stream(input: impl BufRead, out: &mut dyn Write, options: &Options) -> io::Result<ExitStatus> {
    let mut splitter = Splitter::new(input);
    let mut session = Session::new(options);
    let (mut regular, mut diagnostic): (Option<Output>, Option<Output>) = (None, None);
    let mut status = ExitStatus::Success;
    loop {
        let waiting = |waits| options.interrupt.iter().for_each(|i| i.set_waiting(waits));
        waiting(true);
        let next = splitter.next();
        waiting(false);
        let Some((bytes, start)) = next? else { break };
        let text = String::from_utf8_lossy(bytes);
        let (mut answer, mut exit) = (None, false);
        let mut error = None;
        match session.read_and_execute(&text) {
            Ok(Reply::Silent) => {}
            Ok(Reply::Text(text)) => answer = Some(text),
            Ok(Reply::Exit) => {
                answer = session.success();
                exit = true;
            }
            Ok(Reply::Contradiction(text, message)) => {
                answer = Some(text);
                error = Some(format!("{start}: {message}"));
            }
            Ok(Reply::Reset) => {
                (regular, diagnostic) = (None, None);
                answer = session.success();
            }
            Ok(Reply::Open(channel, name)) => match options.open.map(|open| open(&name)) {
                None => answer = Some("unsupported".to_owned()),
                Some(Err(reason)) => error = Some(format!("{start}: cannot open {name}: {reason}")),
                Some(Ok(opened)) => {
                    match channel {
                        Channel::Regular => regular = Some(opened).filter(|_| name != "stdout"),
                        Channel::Diagnostic => diagnostic = Some(opened),
                    }
                    answer = session.success();
                }
            },
            Err(wrong) => error = Some(format!("{}: {}", start.of(text.as_bytes(), wrong.at), wrong.message)),
        }
        let diagnosis = session.diagnosis(exit && options.statistics);
        diagnose(&diagnosis, &mut diagnostic, options)?;
        let out: &mut dyn Write = match &mut regular {
            Some(file) => file,
            None => out,
        };
        if let Some(text) = answer {
            writeln!(out, "{text}")?;
        }
        if let Some(message) = error {
            status = ExitStatus::Errors;
            writeln!(out, "(error {})", sexpr::quoted(&message))?;
        }
        out.flush()?;
        if exit {
            return Ok(status);
        }
    }
    diagnose(&session.diagnosis(options.statistics), &mut diagnostic, options)?;
    out.flush()?;
    Ok(status)
}

/// Writes diagnostics to their channel, which is opened when it is first needed.
fn diagnose(text: &str, channel: &mut Option<Output>, options: &Options) -> io::Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    if let (None, Some(open)) = (&channel, options.open) {
        *channel = Some(open("stderr")?);
    }
    match channel {
        Some(channel) => channel.write_all(text.as_bytes()).and_then(|()| channel.flush()),
        None => Ok(()),
    }
}
