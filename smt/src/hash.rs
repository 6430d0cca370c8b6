//! The hash maps and sets of the whole project, and its pseudorandom numbers.
//!
//! `fxhash` is unmaintained since 2025 (RUSTSEC-2025-0057). Everything imports the maps from here, so that a successor is a
//! one-line change. Iteration order of these maps must never reach a result.

/// A hash map with the project's hash function.
pub type FxHashMap<K, V> = fxhash::FxHashMap<K, V>;
/// A hash set with the project's hash function.
pub type FxHashSet<K> = fxhash::FxHashSet<K>;
pub use fxhash::FxHasher;

/// The next number of the generator `SplitMix64` (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014): the same on every machine.
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A lot for a number: it depends on the seed and the number, and on nothing else.
pub fn lot(seed: u64, number: u64) -> u64 {
    split_mix(&mut (split_mix(&mut seed.wrapping_add(1)) ^ number))
}
