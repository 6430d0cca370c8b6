//! The memory of an exploration: the states that it has stored, and the choices that it has made.
//!
//! Explorations end where memory does, so both are kept in few bytes: a stored state has those of [its numbers](super::super::state::packed), a half of its hash, and its place.

use crate::explicit::state::State;
use crate::explicit::state::packed::Parts;
use crate::explicit::state::packed::roll::Roll;
use crate::explicit::state::packed::table::{Entry, half, hash_of, number, position, spread};
use crate::explicit::state::packed::words::{Reader, Writer};
use hashbrown::HashTable;

/// Stored states that are unpacked again at once in builds with debug assertions.
const CHECKED_STATES: usize = 500;

/// Choices of which none is forgotten.
const FEW_CHOICES: usize = 1 << 20;

/// The stored states, by their hashes. Almost every hash has one state, so states with equal hashes form a list.
#[derive(Default)]
pub(super) struct Stored {
    /// The latest state with each hash.
    latest: HashTable<Entry>,
    /// The states, each behind the place of the one with the same hash before it, counted from one.
    states: Roll,
    /// The parts of the states that are stored, or wait.
    pub parts: Parts,
    /// The state that was looked for last.
    packed: Writer,
}

impl Stored {
    /// Whether there is no room for more.
    pub(super) fn is_full(&self) -> bool {
        self.states.is_full()
    }

    /// The states with a hash, the latest first. States of other hashes may be among them, but hardly ever are.
    pub(super) fn with_hash(&self, hash: u64) -> impl Iterator<Item = State> {
        let mut next = self.latest(half(hash));
        std::iter::from_fn(move || {
            let mut words = Reader(self.states.get(next?));
            next = words.word().checked_sub(1);
            Some(self.parts.unpack(words.0))
        })
    }

    /// The place of the latest state with a hash.
    fn latest(&self, hash: u32) -> Option<u32> {
        let entry = self.latest.find(spread(hash), |entry| entry.hash == hash);
        entry.map(|entry| entry.place)
    }

    /// The state at a place.
    pub(super) fn get(&self, place: u32) -> State {
        let mut words = Reader(self.states.get(place));
        words.word();
        self.parts.unpack(words.0)
    }

    /// Adds a [canonical](State::make_canonical) state, if it was not stored. Returns its place, and whether it is new.
    pub(super) fn find_or_insert(&mut self, state: &State) -> (u32, bool) {
        let mut packed = std::mem::take(&mut self.packed);
        packed.clear();
        self.parts.pack(state, &mut packed);
        let hash = hash_of(&packed.written());
        let mut next = self.latest(half(hash));
        let known = loop {
            let Some(place) = next else { break None };
            let mut words = Reader(self.states.get(place));
            next = words.word().checked_sub(1);
            if words.0 == packed.written() {
                break Some(place);
            }
        };
        let place = known.unwrap_or_else(|| self.add(hash, packed.written()));
        self.packed = packed;
        (place, known.is_none())
    }

    /// Adds a state. Returns its place.
    pub(super) fn insert(&mut self, hash: u64, state: &State) -> u32 {
        let mut packed = Writer::empty();
        self.parts.pack(state, &mut packed);
        self.add(hash, packed.written())
    }

    fn add(&mut self, hash: u64, packed: &[u8]) -> u32 {
        let hash = half(hash);
        let latest = self.latest.find_mut(spread(hash), |entry| entry.hash == hash);
        let mut before = Writer::empty();
        before.push(latest.as_ref().map_or(0, |entry| u64::from(entry.place) + 1));
        let place = self.states.push(before.written(), packed);
        match latest {
            Some(entry) => entry.place = place,
            None => {
                self.latest
                    .insert_unique(spread(hash), Entry { hash, place }, |entry| spread(entry.hash));
            }
        }
        if cfg!(debug_assertions) && self.states.count() <= CHECKED_STATES {
            let mut again = Writer::empty();
            self.parts.pack(&self.get(place), &mut again);
            assert_eq!(packed, again.written(), "a state is what was packed");
        }
        place
    }
}

/// The choices of paths, each with the one before it: a tree, with a number for each path through it.
///
/// The choices of paths that have come to their end are not needed any more. They are forgotten when there are half as many numbers more than when it was done before.
pub(super) struct Trails {
    before: Vec<u32>,
    choices: Vec<u8>,
    /// The most choices before some are forgotten.
    room: usize,
}

impl Default for Trails {
    /// Only the path without choices, which has the number 0.
    fn default() -> Trails {
        Trails {
            before: vec![0],
            choices: vec![0],
            room: FEW_CHOICES,
        }
    }
}

impl Trails {
    /// The number of a path with one more choice.
    pub(super) fn push(&mut self, trail: u32, choice: u8) -> u32 {
        let next = number(self.before.len());
        self.before.push(trail);
        self.choices.push(choice);
        next
    }

    /// The choices of a path.
    pub(super) fn choices(&self, trail: u32) -> Vec<u8> {
        let mut choices = Vec::new();
        let mut at = trail;
        while at != 0 {
            choices.push(self.choices[position(at)]);
            at = self.before[position(at)];
        }
        choices.reverse();
        choices
    }

    /// Whether there are so many choices that those of ended paths should be [forgotten](Trails::keep).
    pub(super) fn are_many(&self) -> bool {
        self.before.len() > self.room
    }

    /// Forgets the choices that are on no path with one of these numbers, and gives the paths other numbers.
    pub(super) fn keep(&mut self, paths: impl Iterator<Item = u32>) -> Renumbering {
        let mut kept = Marks(vec![0; self.before.len().div_ceil(Marks::BITS)]);
        kept.set(0);
        for mut at in paths {
            while kept.set(at) {
                at = self.before[position(at)];
            }
        }
        let numbers = Renumbering::new(kept);
        let mut count = 0;
        // A choice has a greater number than the one before it.
        for at in 0..self.before.len() {
            if numbers.kept.has(number(at)) {
                self.before[count] = numbers.of(self.before[at]);
                self.choices[count] = self.choices[at];
                count += 1;
            }
        }
        self.before.truncate(count);
        self.choices.truncate(count);
        self.room = (count + count / 2).max(FEW_CHOICES);
        numbers
    }
}

/// A set of numbers, with a bit for each.
struct Marks(Vec<u64>);

impl Marks {
    /// The bits of a word.
    const BITS: usize = 64;

    fn has(&self, number: u32) -> bool {
        let at = position(number);
        self.0[at / Self::BITS] >> (at % Self::BITS) & 1 == 1
    }

    /// Adds a number. False if it was there.
    fn set(&mut self, number: u32) -> bool {
        let is_new = !self.has(number);
        let at = position(number);
        self.0[at / Self::BITS] |= 1 << (at % Self::BITS);
        is_new
    }
}

/// The new numbers of the paths that are kept: their ranks, in a bit and a half for each old number.
pub(super) struct Renumbering {
    kept: Marks,
    /// The kept numbers before each word of marks.
    before: Vec<u32>,
}

impl Renumbering {
    fn new(kept: Marks) -> Renumbering {
        let mut count = 0;
        let before = kept.0.iter().map(|word| {
            let before = count;
            count += word.count_ones();
            before
        });
        Renumbering {
            before: before.collect(),
            kept,
        }
    }

    /// The new number of a path that had this one.
    pub(super) fn of(&self, path: u32) -> u32 {
        assert!(self.kept.has(path), "a path that waits is kept");
        let at = position(path);
        let lower = self.kept.0[at / Marks::BITS] & ((1 << (at % Marks::BITS)) - 1);
        self.before[at / Marks::BITS] + lower.count_ones()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Some of random paths are kept: they have the choices that they had, and nothing else is left.
    #[test]
    fn kept_paths_have_their_choices() {
        let mut trails = Trails::default();
        let mut paths = vec![(0, Vec::new())];
        for serial in 0..500u32 {
            let (at, choices) = paths[position(serial.wrapping_mul(2_654_435_761) >> 8) % paths.len()].clone();
            let choice = serial.to_le_bytes()[0];
            paths.push((trails.push(at, choice), [choices, vec![choice]].concat()));
        }
        paths.retain(|(number, _)| number % 7 == 3);
        let numbers = trails.keep(paths.iter().map(|(number, _)| *number));
        for (number, choices) in &mut paths {
            *number = numbers.of(*number);
            assert_eq!(trails.choices(*number), *choices);
        }
        let mut prefixes: Vec<&[u8]> = paths
            .iter()
            .flat_map(|(_, choices)| (0..=choices.len()).map(|n| &choices[..n]))
            .collect();
        prefixes.sort_unstable();
        prefixes.dedup();
        assert_eq!(trails.before.len(), prefixes.len(), "no choice of another path is left");
    }
}
