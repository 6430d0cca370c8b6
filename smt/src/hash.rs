//! The hash maps and sets of the whole project.
//!
//! `fxhash` is unmaintained since 2025 (RUSTSEC-2025-0057). Everything imports the maps from here, so that a successor is a
//! one-line change. Iteration order of these maps must never reach a result.

/// A hash map with the project's hash function.
pub type FxHashMap<K, V> = fxhash::FxHashMap<K, V>;
/// A hash set with the project's hash function.
pub type FxHashSet<K> = fxhash::FxHashSet<K>;
pub use fxhash::FxHasher;
