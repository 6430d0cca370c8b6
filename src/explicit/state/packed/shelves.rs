//! Byte strings that come and go, in little memory.
//!
//! Strings of about the same length lie on one shelf, each at a place of its own, and a place that becomes free is taken by the next string (segregated free lists: Wilson, Johnstone, Neely, Boles, "Dynamic storage
//! allocation: a survey and critical review", IWMM 1995). A string has five bytes that say where it is, and no more of an allocator.

use super::table::{number, position};
use super::words::{Reader, Writer};

/// The difference of lengths of one shelf and the next one.
const STEP: usize = 8;

/// Shelves with that difference. Each one behind them is for twice the length of the one before.
const EVEN: usize = 32;

/// The place of a string.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    shelf: u8,
    at: u32,
}

#[derive(Debug, Default)]
struct Shelf {
    bytes: Vec<u8>,
    free: Vec<u32>,
}

/// Byte strings that come and go.
#[derive(Debug, Default)]
pub struct Shelves(Vec<Shelf>);

impl Shelves {
    /// Puts a string somewhere.
    pub fn put(&mut self, string: &[u8]) -> Place {
        let mut len = Writer::empty();
        len.push(u64::try_from(string.len()).expect("memory has 64 bits"));
        let whole = len.written().len() + string.len();
        let shelf = shelf_for(whole);
        if self.0.len() <= shelf {
            self.0.resize_with(shelf + 1, Shelf::default);
        }
        let Shelf { bytes, free } = &mut self.0[shelf];
        let width = width(shelf);
        let at = free.pop().unwrap_or_else(|| {
            let at = bytes.len() / width;
            bytes.resize(bytes.len() + width, 0);
            number(at)
        });
        let place = &mut bytes[position(at) * width..][..whole];
        let (before, behind) = place.split_at_mut(len.written().len());
        before.copy_from_slice(len.written());
        behind.copy_from_slice(string);
        let shelf = u8::try_from(shelf).expect("few powers of two are lengths");
        Place { shelf, at }
    }

    /// Takes a string away: what it says is read, and its place is free for another one.
    pub fn take<T>(&mut self, place: Place, read: impl FnOnce(&[u8]) -> T) -> T {
        let shelf = usize::from(place.shelf);
        let Shelf { bytes, free } = &mut self.0[shelf];
        let mut words = Reader(&bytes[position(place.at) * width(shelf)..]);
        let len = words.size();
        let result = read(&words.0[..len]);
        free.push(place.at);
        result
    }
}

/// The shelf of strings with a length, that of the string itself with it.
fn shelf_for(len: usize) -> usize {
    match len.div_ceil(STEP) {
        even @ 0..=EVEN => even,
        longer => {
            let doubled = longer.div_ceil(EVEN).next_power_of_two().trailing_zeros();
            EVEN + usize::try_from(doubled).expect("few bits")
        }
    }
}

/// The bytes of a place on a shelf.
fn width(shelf: usize) -> usize {
    match shelf {
        0..=EVEN => STEP * shelf,
        _ => (STEP * EVEN) << (shelf - EVEN),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use provident_smt::hash::lot;

    /// Strings of many lengths come and go at random: each is what it was, and free places are taken.
    #[test]
    fn strings_are_what_they_were() {
        let mut shelves = Shelves::default();
        let mut there: Vec<(Place, Vec<u8>)> = Vec::new();
        for round in 0..20_000 {
            let [len, long, value, which, go, ..] = lot(5, round).to_le_bytes();
            if go < 128 && there.len() < 200 {
                let len = usize::from(len) << (long % 8);
                let string = vec![value; len];
                there.push((shelves.put(&string), string));
            } else if !there.is_empty() {
                let (place, string) = there.swap_remove(usize::from(which) % there.len());
                assert!(shelves.take(place, |found| found == string));
            }
        }
        let places: usize = shelves
            .0
            .iter()
            .enumerate()
            .map(|(at, shelf)| shelf.bytes.len() / width(at).max(1))
            .sum();
        let free: usize = shelves.0.iter().map(|shelf| shelf.free.len()).sum();
        assert_eq!(places - free, there.len(), "each string has one place");
    }
}
