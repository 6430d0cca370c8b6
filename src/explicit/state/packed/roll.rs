//! Byte strings that stay, one behind the other.
//!
//! A place says where a string is, without a list of places: to find a string costs one access to memory that is far away, where there are many. So a place is a number of [`STEP`] bytes.

use super::table::{number, position};
use super::words::{Reader, Writer};

/// Strings begin at multiples of this number of bytes.
const STEP: usize = 4;

/// The steps of a page; a page with a single string may be longer.
const STEPS: usize = 1 << 14;

/// The most pages.
const PAGES: usize = 1 << 18;

/// Byte strings that stay.
#[derive(Debug, Default)]
pub struct Roll {
    pages: Vec<Box<[u8]>>,
    /// The last page, as long as it is not full.
    open: Vec<u8>,
    count: usize,
}

impl Roll {
    /// The number of strings.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether there is no place for more.
    pub fn is_full(&self) -> bool {
        self.pages.len() + 1 >= PAGES
    }

    /// Adds the string that consists of two parts, and returns its place.
    ///
    /// # Panics
    /// If the roll [is full](Roll::is_full), that is at some 16 GiB.
    pub fn push(&mut self, first: &[u8], second: &[u8]) -> u32 {
        let mut len = Writer::empty();
        len.push(u64::try_from(first.len() + second.len()).expect("memory has 64 bits"));
        let all = len.written().len() + first.len() + second.len();
        if !self.open.is_empty() && self.open.len() + all > STEP * STEPS {
            assert!(!self.is_full(), "who adds strings looks whether there is room");
            self.pages.push(std::mem::take(&mut self.open).into());
        }
        let at = self.open.len();
        for part in [len.written(), first, second] {
            self.open.extend_from_slice(part);
        }
        self.open.resize(self.open.len().next_multiple_of(STEP), 0);
        self.count += 1;
        number(self.pages.len() * STEPS + at / STEP)
    }

    /// The string at a place.
    pub fn get(&self, place: u32) -> &[u8] {
        let place = position(place);
        let page = self.pages.get(place / STEPS).map_or(&*self.open, |page| page);
        let mut words = Reader(&page[place % STEPS * STEP..]);
        let len = words.size();
        &words.0[..len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Strings of all lengths, some of them longer than a page.
    #[test]
    fn a_string_is_at_its_place() {
        let mut roll = Roll::default();
        let strings: Vec<Vec<u8>> = (0..2000usize)
            .map(|serial| {
                let len = if serial % 500 == 7 {
                    STEP * STEPS + serial
                } else {
                    serial * 37 % 300
                };
                vec![serial.to_le_bytes()[0]; len]
            })
            .collect();
        let push = |string: &Vec<u8>| {
            let (first, second) = string.split_at(string.len() / 3);
            roll.push(first, second)
        };
        let places: Vec<u32> = strings.iter().map(push).collect();
        for (string, place) in strings.iter().zip(places) {
            assert_eq!(roll.get(place), string);
        }
        assert_eq!(roll.count(), strings.len());
        assert!(roll.pages.len() > 4 && !roll.is_full());
    }
}
