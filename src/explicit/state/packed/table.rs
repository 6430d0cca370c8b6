//! Things that are kept once, with numbers.

use super::words::{Reader, Writer};
use hashbrown::HashTable;
use provident_smt::hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Strings in one allocation.
const GROUP: usize = 8;

/// Byte strings with numbers, one after the other in little memory: groups of a few have an allocation in common, and one of them is found from the first of its group on.
#[derive(Debug, Default)]
pub struct Strings {
    /// The groups, each string behind its length.
    groups: Vec<Box<[u8]>>,
    /// The last group, as long as it is not full.
    open: Vec<u8>,
    count: usize,
}

impl Strings {
    /// The number of strings.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Adds a string; it has the number that was their count.
    pub fn push(&mut self, string: &[u8]) {
        let mut len = Writer::empty();
        len.push(u64::try_from(string.len()).expect("memory has 64 bits"));
        self.open.extend_from_slice(len.written());
        self.open.extend_from_slice(string);
        self.count += 1;
        if self.count.is_multiple_of(GROUP) {
            self.groups.push(self.open.as_slice().into());
            self.open.clear();
        }
    }

    /// The string with a number.
    pub fn get(&self, number: usize) -> &[u8] {
        let group = self
            .groups
            .get(number / GROUP)
            .map_or(self.open.as_slice(), |group| group);
        let mut rest = Reader(group);
        for _ in 0..number % GROUP {
            let len = rest.size();
            rest.0 = &rest.0[len..];
        }
        let len = rest.size();
        &rest.0[..len]
    }
}

/// Byte strings with numbers, equal ones once.
#[derive(Debug, Default)]
pub struct Texts {
    strings: Strings,
    /// Parts of their hashes.
    hashes: Vec<u32>,
    index: HashTable<u32>,
}

impl Texts {
    /// The number of a string.
    pub fn number(&mut self, string: &[u8]) -> u32 {
        let hash = half(hash_of(&string));
        let is_it = |&at: &u32| self.hashes[position(at)] == hash && self.strings.get(position(at)) == string;
        if let Some(&known) = self.index.find(spread(hash), is_it) {
            return known;
        }
        let new = number(self.hashes.len());
        self.strings.push(string);
        self.hashes.push(hash);
        let hashes = &self.hashes;
        self.index
            .insert_unique(spread(hash), new, |&at| spread(hashes[position(at)]));
        new
    }

    /// The string with a number.
    pub fn get(&self, number: u32) -> &[u8] {
        self.strings.get(position(number))
    }
}

/// Things with numbers, equal ones once.
#[derive(Debug)]
pub struct Table<T> {
    items: Vec<(u64, T)>,
    index: HashTable<u32>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table {
            items: Vec::new(),
            index: HashTable::new(),
        }
    }
}

impl<T> Table<T> {
    /// The thing with a number.
    pub fn get(&self, number: u32) -> &T {
        &self.items[position(number)].1
    }

    /// The number of a thing with this hash that is the same, or of a new one.
    pub fn number(&mut self, hash: u64, same: impl Fn(&T) -> bool, make: impl FnOnce() -> T) -> u32 {
        let items = &mut self.items;
        let known = self.index.find(hash, |&at| {
            let (other, item) = &items[position(at)];
            *other == hash && same(item)
        });
        if let Some(&known) = known {
            return known;
        }
        let new = number(items.len());
        items.push((hash, make()));
        self.index.insert_unique(hash, new, |&at| items[position(at)].0);
        new
    }
}

impl<T: Clone + Eq> Table<T> {
    /// The number of a thing.
    pub fn of(&mut self, item: &T, hash: u64) -> u32 {
        self.number(hash, |other| other == item, || item.clone())
    }
}

/// The hash of a thing.
pub fn hash_of(item: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    item.hash(&mut hasher);
    hasher.finish()
}

/// Half of a hash, in which each bit of the whole counts.
pub fn half(hash: u64) -> u32 {
    let [a, b, c, d, e, f, g, h] = hash.to_le_bytes();
    u32::from_le_bytes([a, b, c, d]) ^ u32::from_le_bytes([e, f, g, h])
}

/// The hash for a table of a half: both its high and its low bits depend on all of the half (Fibonacci hashing: Knuth, *The Art of Computer Programming* 3, section 6.4).
pub fn spread(hash: u32) -> u64 {
    u64::from(hash).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A position as a number of 32 bits.
pub fn number(position: usize) -> u32 {
    u32::try_from(position).expect("fewer than 2^32 of them fit into memory")
}

/// A number of 32 bits as a position.
pub fn position(number: u32) -> usize {
    usize::try_from(number).expect("a number of 32 bits is a position")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strings of all lengths, some of them longer than a byte can say: each has the number at which it is found, and equal ones have one.
    #[test]
    fn a_text_is_found_by_its_number() {
        let strings: Vec<Vec<u8>> = (0..300).map(|len| vec![number(len).to_le_bytes()[0]; len]).collect();
        let mut texts = Texts::default();
        let numbers: Vec<u32> = strings.iter().map(|string| texts.number(string)).collect();
        for (string, &number) in strings.iter().zip(&numbers) {
            assert_eq!(texts.get(number), string);
            assert_eq!(texts.number(string), number);
        }
        assert_eq!(texts.strings.count(), strings.len());
    }
}
