//! The meaning of the integers of the program.

/// The meaning of the integers of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Arith {
    /// Exactly what the machine has: fixed widths, wrap-around.
    #[default]
    Machine,
    /// Unbounded integers. Unsound; for comparison with the papers' tools.
    Ideal,
}
