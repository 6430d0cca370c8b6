//! `provident smt --itp-report`: a table of interpolants and their quality, for all variants of interpolation.

use crate::cli::display::finish::eprintln_quietly;
use crate::cli::error::Error;
use crate::cli::settings::options::Settings;
use crate::cli::settings::table::{ITP_ARITHMETIC, ITP_CONGRUENCE, ITP_LABELLING, ITP_REDUCE_PROOF};
use crate::cli::{BAD_INPUT, UNKNOWN};
use crate::verify::read;
use provident_smt::interpolate::{InterpolationConfig, Variant};
use provident_smt::smtlib::{InterpolantRow, interpolation_table};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::Arc;

/// The columns of an interpolant of a variant.
pub(in crate::cli) const COLUMNS: &[&str] = &[
    "command",
    "labelling",
    "arithmetic",
    "congruence",
    "partition",
    "answer",
    "ticks",
    "dag_nodes",
    "tree_nodes",
    "atoms",
    "symbols",
    "shared_symbols",
    "largest_coefficient",
    "divisions",
    "boolean_depth",
    "disjuncts",
    "shape",
    "trivial",
    "formula",
    "implies",
    "undecided",
    "certified",
];

/// How interpolants are chosen.
pub(in crate::cli) fn config(settings: &Settings) -> InterpolationConfig {
    InterpolationConfig {
        variant: Variant {
            labelling: settings.value(&ITP_LABELLING),
            arithmetic: settings.value(&ITP_ARITHMETIC),
            congruence: settings.value(&ITP_CONGRUENCE),
        },
        reduce_proof: settings.value(&ITP_REDUCE_PROOF),
        ..InterpolationConfig::default()
    }
}

/// Prints the table as CSV, one line for each script, variant and interpolant. Returns the exit status: 0, or 3 if some command got an error as its
/// answer; the errors go to standard error. Beyond a limit variants that are not done have the answer `interrupted`, scripts that were not looked at are counted, and the status is 2.
///
/// # Errors
/// A script cannot be read.
pub(in crate::cli) fn report(files: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let mut writer = csv::Writer::from_writer(std::io::stdout().lock());
    let mut status = 0;
    // A reader that went away has what it wanted.
    let header = std::iter::once("script").chain(COLUMNS.iter().copied());
    let mut open = writer.write_record(header).is_ok();
    let (options, limits) = super::smt::options(settings);
    let interrupt = options.interrupt.clone().unwrap_or_default();
    super::smt::watch(Arc::clone(&interrupt), limits, false);
    for (number, file) in files.iter().enumerate() {
        if interrupt.is_raised() {
            let left = files.len() - number;
            eprintln_quietly(&format!(
                "a limit was reached: {left} of {} scripts were not looked at",
                files.len()
            ));
            break;
        }
        let script = read(file)?;
        let table = interpolation_table(&script, &options);
        for error in table.errors.iter().filter(|_| !interrupt.is_raised()) {
            status = BAD_INPUT;
            eprintln_quietly(&format!("{}:{error}", file.display()));
        }
        for row in table.rows {
            let record = std::iter::once(file.display().to_string()).chain(columns(&row));
            open = open && writer.write_record(record).is_ok();
        }
        open = open && writer.flush().is_ok();
        if !open {
            break;
        }
    }
    Ok(if interrupt.is_raised() { UNKNOWN } else { status })
}

/// The values of an interpolant of a variant under [`COLUMNS`].
pub(in crate::cli) fn columns(row: &InterpolantRow) -> Vec<String> {
    let mut fields = vec![
        row.command.to_string(),
        row.variant.labelling.name().to_owned(),
        row.variant.arithmetic.name().to_owned(),
        row.variant.congruence.name().to_owned(),
        row.partition.to_string(),
    ];
    match &row.result {
        Err(reason) => {
            fields.extend([(*reason).to_owned(), row.ticks.to_string()]);
            fields.resize(COLUMNS.len(), String::new());
        }
        Ok(rated) => {
            let measures = &rated.measures;
            fields.extend(["ok".to_owned(), row.ticks.to_string()]);
            let numbers: [&dyn Display; 9] = [
                &measures.dag_nodes,
                &measures.tree_nodes,
                &measures.atoms,
                &measures.symbols,
                &rated.shared_symbols,
                &measures.largest_coefficient,
                &measures.divisions,
                &measures.boolean_depth,
                &measures.disjuncts,
            ];
            fields.extend(numbers.map(|number| number.to_string()));
            fields.extend([
                measures.shape.name().to_owned(),
                measures.is_trivial().to_string(),
                rated.formula.to_string(),
                list(&rated.implies),
                list(&rated.undecided),
                rated
                    .certified
                    .map(|certified| certified.to_string())
                    .unwrap_or_default(),
            ]);
        }
    }
    fields
}

fn list(numbers: &[usize]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
