//! Runs SMT-LIB scripts: `smt2 [smt] FILE`; the word `smt` is accepted for the sake of tools that call `provident smt FILE`.

use provident_smt::smtlib::{ExitStatus, Options, run};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(file) = std::env::args().skip(1).find(|argument| argument != "smt") else {
        eprintln!("usage: smt2 FILE.smt2");
        return ExitCode::from(3);
    };
    let text = match std::fs::read(&file) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(3);
        }
    };
    match run(&text, &mut std::io::stdout().lock(), &Options::default()) {
        Ok(ExitStatus::Success) => ExitCode::SUCCESS,
        Ok(ExitStatus::Errors) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("cannot write: {error}");
            ExitCode::from(4)
        }
    }
}
