//! The memory of an exploration: the states that it has stored, and the choices that it has made.
//!
//! Explorations end where memory does, so both are kept in few bytes: a stored state has those of [its numbers](super::super::state::packed), sixteen that tell where they are, and the place in the index.

use crate::explicit::state::State;
use crate::explicit::state::packed::Parts;
use hashbrown::HashTable;

/// Stored states that are unpacked again at once in builds with debug assertions.
const CHECKED_STATES: u32 = 500;

/// The bytes of states that are allocated at once: so no growth copies them.
const SEGMENT: usize = 1 << 20;

/// Choices of which none is forgotten.
const FEW_CHOICES: usize = 1 << 20;

/// There is no other state with this hash, or no number.
const NONE: u32 = u32::MAX;

/// A stored state.
struct Entry {
    /// A part of its hash, which is as good.
    hash: u32,
    /// The number of the one with the same hash before it, or [`NONE`].
    before: u32,
    /// The segment with its bytes.
    segment: u32,
    /// The first of them there.
    start: u32,
}

/// The stored states, by their hashes. Almost every hash has one state, so states with equal hashes form a list.
#[derive(Default)]
pub(super) struct Stored {
    /// The number of the latest state with a hash.
    latest: HashTable<u32>,
    /// The states by their numbers.
    entries: Vec<Entry>,
    /// The bytes of states, one after the other. A state lies in one segment.
    segments: Vec<Vec<u8>>,
    /// The parts of the states that are stored, or wait.
    pub parts: Parts,
}

impl Stored {
    /// The states with a hash, the latest first. States of other hashes may be among them, but hardly ever are.
    pub(super) fn with_hash(&self, hash: u64) -> impl Iterator<Item = State> {
        let hash = part(hash);
        let is_it = |&number: &u32| self.entries[index(number)].hash == hash;
        let mut next = self.latest.find(spread(hash), is_it).copied();
        std::iter::from_fn(move || {
            let number = next.filter(|&number| number != NONE)?;
            next = Some(self.entries[index(number)].before);
            Some(self.parts.unpack(self.bytes(number)))
        })
    }

    /// The bytes of a state: up to those of the next one in its segment.
    fn bytes(&self, number: u32) -> &[u8] {
        let entry = &self.entries[index(number)];
        let segment = &self.segments[index(entry.segment)];
        let end = match self.entries.get(index(number) + 1) {
            Some(next) if next.segment == entry.segment => index(next.start),
            _ => segment.len(),
        };
        &segment[index(entry.start)..end]
    }

    /// Adds a state.
    pub(super) fn insert(&mut self, hash: u64, state: &State) {
        let number = u32::try_from(self.entries.len()).expect("fewer than 2^32 states fit into memory");
        let packed = self.parts.pack(state);
        if cfg!(debug_assertions) && number < CHECKED_STATES {
            let again = self.parts.unpack(&packed);
            assert_eq!(self.parts.pack(&again), packed, "a state is what was packed");
        }
        let has_room = |segment: &Vec<u8>| segment.len() + packed.len() <= segment.capacity();
        if !self.segments.last().is_some_and(has_room) {
            self.segments.push(Vec::with_capacity(packed.len().max(SEGMENT)));
        }
        let segment = number_of(self.segments.len() - 1);
        let bytes = self.segments.last_mut().expect("there is a segment with room");
        let start = number_of(bytes.len());
        bytes.extend_from_slice(&packed);
        let hash = part(hash);
        let entries = &self.entries;
        let is_it = |&number: &u32| entries[index(number)].hash == hash;
        let latest = self.latest.find_mut(spread(hash), is_it);
        let before = latest.map(|latest| std::mem::replace(latest, number));
        self.entries.push(Entry {
            hash,
            before: before.unwrap_or(NONE),
            segment,
            start,
        });
        if before.is_none() {
            let entries = &self.entries;
            let hash_of = |&number: &u32| spread(entries[index(number)].hash);
            self.latest.insert_unique(spread(hash), number, hash_of);
        }
    }
}

/// The choices of paths, each with the one before it: a tree, with a number for each path through it.
///
/// The choices of paths that have come to their end are not needed any more. They are forgotten when there are twice as many numbers as when it was done before.
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
        let next = number_of(self.before.len());
        self.before.push(trail);
        self.choices.push(choice);
        next
    }

    /// The choices of a path.
    pub(super) fn choices(&self, trail: u32) -> Vec<u8> {
        let mut choices = Vec::new();
        let mut at = trail;
        while at != 0 {
            choices.push(self.choices[index(at)]);
            at = self.before[index(at)];
        }
        choices.reverse();
        choices
    }

    /// Whether there are so many choices that those of ended paths should be [forgotten](Trails::keep).
    pub(super) fn are_many(&self) -> bool {
        self.before.len() > self.room
    }

    /// Forgets the choices that are on no path with one of these numbers. The paths get other numbers: the result has the new number at the place of the old one.
    pub(super) fn keep(&mut self, paths: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut numbers = vec![NONE; self.before.len()];
        numbers[0] = 0;
        for mut at in paths {
            while numbers[index(at)] == NONE {
                numbers[index(at)] = 0;
                at = self.before[index(at)];
            }
        }
        let mut kept = 0;
        // A choice has a greater number than the one before it.
        for at in 0..numbers.len() {
            if numbers[at] != NONE {
                numbers[at] = number_of(kept);
                self.before[kept] = numbers[index(self.before[at])];
                self.choices[kept] = self.choices[at];
                kept += 1;
            }
        }
        self.before.truncate(kept);
        self.choices.truncate(kept);
        self.room = (2 * kept).max(FEW_CHOICES);
        numbers
    }
}

/// Half of a hash, in which each bit of the whole counts.
fn part(hash: u64) -> u32 {
    let [a, b, c, d, e, f, g, h] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d]) ^ u32::from_le_bytes([e, f, g, h])
}

/// The hash of the table: both its high and its low bits depend on all of the half (Fibonacci hashing: Knuth, *The Art of Computer Programming* 3, section 6.4).
fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

fn number_of(len: usize) -> u32 {
    u32::try_from(len).expect("fewer than 2^32 of them fit into memory")
}

pub(super) fn index(id: u32) -> usize {
    usize::try_from(id).expect("a number of 32 bits is a position")
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
            let (at, choices) = paths[index(serial.wrapping_mul(2_654_435_761) >> 8) % paths.len()].clone();
            let choice = serial.to_le_bytes()[0];
            paths.push((trails.push(at, choice), [choices, vec![choice]].concat()));
        }
        paths.retain(|(number, _)| number % 7 == 3);
        let numbers = trails.keep(paths.iter().map(|(number, _)| *number));
        for (number, choices) in &mut paths {
            *number = numbers[index(*number)];
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
