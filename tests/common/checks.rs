//! Whether the answers of the tests' runs are checked: models, proofs, interpolants, abstractions, executions, harnesses.
//!
//! A check that fails is a panic of the program, which no test expects. `PROVIDENT_TEST_CHECK=off` runs the tests without, which tells what checks cost.

/// Whether answers are checked.
pub fn enabled() -> bool {
    std::env::var("PROVIDENT_TEST_CHECK").as_deref() != Ok("off")
}
