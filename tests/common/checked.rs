//! The command line with every answer checked: models, proofs, interpolants, abstractions, executions, harnesses.
//!
//! A check that fails is a panic of the program, which no test expects. `PROVIDENT_TEST_CHECK=off` runs the tests without, which tells what checks cost.

use std::process::Command;

/// Whether answers are checked.
pub fn enabled() -> bool {
    std::env::var("PROVIDENT_TEST_CHECK").as_deref() != Ok("off")
}

/// The program with these arguments; under `verify` with `--check`.
#[allow(dead_code, reason = "some tests call the engine")]
pub fn provident(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provident"));
    if let ["verify", rest @ ..] = arguments
        && !rest.contains(&"--check")
        && enabled()
    {
        command.args(["verify", "--check"]).args(rest);
    } else {
        command.args(arguments);
    }
    command
}
