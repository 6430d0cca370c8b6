//! The command line with every answer checked.

use crate::checks;
use std::process::Command;

/// The program with these arguments; under `verify` with `--check`.
pub fn provident(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_provident"));
    if let ["verify", rest @ ..] = arguments
        && !rest.contains(&"--check")
        && checks::enabled()
    {
        command.args(["verify", "--check"]).args(rest);
    } else {
        command.args(arguments);
    }
    command
}
