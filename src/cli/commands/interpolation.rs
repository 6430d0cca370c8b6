//! `provident smt --itp-report`: a table of interpolants and their quality, for all variants of interpolation.

use crate::cli::BAD_INPUT;
use crate::cli::error::Error;
use crate::cli::settings::options::Settings;
use crate::cli::settings::table::{ITP_ARITHMETIC, ITP_CONGRUENCE, ITP_LABELLING, ITP_REDUCE_PROOF};
use crate::verify::read;
use provident_smt::interpolate::{InterpolationConfig, Variant};
use provident_smt::smtlib::{InterpolantRow, interpolation_table};
use std::fmt::Display;
use std::path::PathBuf;

const HEADER: [&str; 20] = [
    "script",
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
    "boolean_depth",
    "shape",
    "trivial",
    "formula",
    "implies",
    "undecided",
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
/// answer; the errors go to standard error.
///
/// # Errors
/// A script cannot be read.
pub(in crate::cli) fn report(files: &[PathBuf], settings: &Settings) -> Result<u8, Error> {
    let mut writer = csv::Writer::from_writer(std::io::stdout().lock());
    let mut status = 0;
    // A reader that went away has what it wanted.
    let mut open = writer.write_record(HEADER).is_ok();
    let (options, _) = super::smt::options(settings);
    for file in files {
        let script = read(file)?;
        let (rows, errors) = interpolation_table(&script, &options);
        for error in errors {
            status = BAD_INPUT;
            crate::cli::display::finish::eprintln_quietly(&format!("{}:{error}", file.display()));
        }
        for row in rows {
            open = open && writer.write_record(record(file.display().to_string(), &row)).is_ok();
        }
        open = open && writer.flush().is_ok();
        if !open {
            break;
        }
    }
    Ok(status)
}

fn record(script: String, row: &InterpolantRow) -> Vec<String> {
    let mut fields = vec![
        script,
        row.command.to_string(),
        row.variant.labelling.name().to_owned(),
        row.variant.arithmetic.name().to_owned(),
        row.variant.congruence.name().to_owned(),
        row.partition.to_string(),
    ];
    match &row.result {
        Err(reason) => {
            fields.extend([(*reason).to_owned(), row.ticks.to_string()]);
            fields.resize(HEADER.len(), String::new());
        }
        Ok(rated) => {
            let measures = &rated.measures;
            fields.extend(["ok".to_owned(), row.ticks.to_string()]);
            let numbers: [&dyn Display; 7] = [
                &measures.dag_nodes,
                &measures.tree_nodes,
                &measures.atoms,
                &measures.symbols,
                &rated.shared_symbols,
                &measures.largest_coefficient,
                &measures.boolean_depth,
            ];
            fields.extend(numbers.map(|number| number.to_string()));
            fields.extend([
                measures.shape.name().to_owned(),
                measures.is_trivial().to_string(),
                rated.formula.to_string(),
                list(&rated.implies),
                list(&rated.undecided),
            ]);
        }
    }
    fields
}

fn list(numbers: &[usize]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
