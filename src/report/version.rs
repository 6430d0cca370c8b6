//! Which binary this is: version, commit, and a hash of the solver's sources, in one line that every result carries.

/// For example `provident 0.1.0 (commit 1a2b3c4d5e6f, solver 0123456789abcdef)`.
pub fn line() -> String {
    format!("provident {}", numbers())
}

/// The line without the program's name.
pub fn numbers() -> String {
    format!(
        "{} (commit {}, solver {})",
        env!("CARGO_PKG_VERSION"),
        env!("PROVIDENT_COMMIT"),
        env!("PROVIDENT_SOLVER")
    )
}
