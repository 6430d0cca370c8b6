//! Which binary this is: version, commit, and a hash of the solver's sources, in one line that every result carries.

/// For example `0.1.0 (commit 1a2b3c4d5e6f, solver 0123456789abcdef)`.
pub const NUMBERS: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " (commit ",
    env!("PROVIDENT_COMMIT"),
    ", solver ",
    env!("PROVIDENT_SOLVER"),
    ")"
);

/// The line that `--version` prints.
pub fn line() -> String {
    format!("provident {NUMBERS}")
}
