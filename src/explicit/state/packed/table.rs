//! Things that are kept once, with numbers.

use super::roll::Roll;
use hashbrown::HashTable;
use provident_smt::hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A string: half of its hash, and its place.
#[derive(Debug)]
pub struct Entry {
    /// The half.
    pub hash: u32,
    /// The place.
    pub place: u32,
}

/// Byte strings with numbers, equal ones once. The number of a string is its place.
#[derive(Debug, Default)]
pub struct Texts {
    roll: Roll,
    index: HashTable<Entry>,
}

impl Texts {
    /// The number of a string.
    pub fn number(&mut self, string: &[u8]) -> u32 {
        let hash = half(hash_of(&string));
        let is_it = |entry: &Entry| entry.hash == hash && self.roll.get(entry.place) == string;
        if let Some(known) = self.index.find(spread(hash), is_it) {
            return known.place;
        }
        let place = self.roll.push(string, &[]);
        self.index
            .insert_unique(spread(hash), Entry { hash, place }, |entry| spread(entry.hash));
        place
    }

    /// The string with a number.
    pub fn get(&self, number: u32) -> &[u8] {
        self.roll.get(number)
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
        assert_eq!(texts.roll.count(), strings.len());
    }
}
