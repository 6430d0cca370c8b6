//! Runs SMT-LIB scripts: `smt2 [smt] FILE`, or `-` for standard input; the word `smt` is accepted for the sake of tools that call
//! `provident smt FILE`.

use provident_smt::smtlib::{ExitStatus, Options, run_stream};
use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(file) = std::env::args().skip(1).find(|argument| argument != "smt") else {
        eprintln!("usage: smt2 FILE.smt2");
        return ExitCode::from(3);
    };
    let (options, mut out) = (Options::default(), BufWriter::new(io::stdout().lock()));
    let result = match file.as_str() {
        "-" => run_stream(io::stdin().lock(), &mut out, &options),
        path => File::open(path).and_then(|opened| run_stream(BufReader::new(opened), &mut out, &options)),
    };
    match result {
        Ok(ExitStatus::Success) => ExitCode::SUCCESS,
        Ok(ExitStatus::Errors) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{file}: {error}");
            ExitCode::from(4)
        }
    }
}
