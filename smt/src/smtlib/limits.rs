//! Bounds on the size of scripts and of the work on them, in one place.

/// A sort has at most this number of parts, after the expansion of abbreviations: more is a mistake, and doubling abbreviations get there soon.
pub(super) const MAX_PARTS: usize = 1_000;
/// A sort symbol with more arguments than this is a mistake.
pub(super) const MAX_ARITY: usize = 1_000;
/// More assertion levels than this are a mistake, not a need.
pub(super) const MAX_LEVELS: usize = 1_000_000;
/// Definitions may use one another to this depth.
pub(super) const MAX_DEPTH: usize = 500;
/// A longer text is that of an array that shares parts of itself, which a text does not.
pub(super) const MAX_TEXT: usize = 100_000;
/// This number of models that violate products or divisions are excluded before the answer is unknown.
pub(super) const MAX_ROUNDS: usize = 40;
/// A product of two sums with more terms than this is not expanded.
pub(super) const MAX_TERMS: usize = 64;
/// The most pairs of arrays in places of values that are compared.
pub(super) const MAX_ARRAY_PAIRS: usize = 50_000;
/// The most bits of a vector.
pub(super) const MAX_WIDTH: u32 = 4_096;
