//! Byte strings that come and go, in little memory.
//!
//! Strings of about the same length lie on one shelf, each at a place of its own, and a place that becomes free is taken by the next string (segregated free lists: Wilson, Johnstone, Neely, Boles, "Dynamic storage
//! allocation: a survey and critical review", IWMM 1995). A shelf has boards, so that no string moves when there are more of them. A string has four bytes that say where it is, and no more of an allocator.

use super::table::{number, position};
use super::words::{Reader, Writer};

/// The difference of lengths of one shelf and the next one.
const STEP: usize = 8;

/// Shelves with that difference. Each one behind them is for twice the length of the one before.
const EVEN: usize = 32;

/// The most places on a board.
const PLACES: usize = 1 << 11;

/// The bytes of a board, where they are enough for one place.
const BOARD: usize = STEP * PLACES;

/// The place of a string: its number on its board, with the number of the board, times [`PLACES`], added to it.
#[derive(Clone, Copy, Debug)]
pub struct Place(u32);

#[derive(Debug)]
struct Board {
    shelf: usize,
    bytes: Box<[u8]>,
}

/// Byte strings that come and go.
#[derive(Debug, Default)]
pub struct Shelves {
    boards: Vec<Board>,
    /// The free places of each shelf.
    free: Vec<Vec<Place>>,
}

impl Shelves {
    /// Puts a string somewhere.
    pub fn put(&mut self, string: &[u8]) -> Place {
        let mut len = Writer::empty();
        len.push(u64::try_from(string.len()).expect("memory has 64 bits"));
        let whole = len.written().len() + string.len();
        let shelf = shelf_for(whole);
        if self.free.len() <= shelf {
            self.free.resize_with(shelf + 1, Vec::new);
        }
        if self.free[shelf].is_empty() {
            self.add_board(shelf);
        }
        let place = self.free[shelf].pop().expect("a board has places");
        let (board, at) = self.find(place);
        let (before, behind) = self.boards[board].bytes[at..][..whole].split_at_mut(len.written().len());
        before.copy_from_slice(len.written());
        behind.copy_from_slice(string);
        place
    }

    /// Takes a string away: what it says is read, and its place is free for another one.
    pub fn take<T>(&mut self, place: Place, read: impl FnOnce(&[u8]) -> T) -> T {
        let (board, at) = self.find(place);
        let Board { shelf, bytes } = &self.boards[board];
        let mut words = Reader(&bytes[at..]);
        let len = words.size();
        let result = read(&words.0[..len]);
        self.free[*shelf].push(place);
        result
    }

    /// Adds a board with free places, of which the first one is taken first.
    fn add_board(&mut self, shelf: usize) {
        let first = self.boards.len() * PLACES;
        let places = first..first + places(shelf);
        self.free[shelf].extend(places.rev().map(|at| Place(number(at))));
        let bytes = vec![0; BOARD.max(width(shelf))].into();
        self.boards.push(Board { shelf, bytes });
    }

    /// The board of a place, and the position of its first byte there.
    fn find(&self, Place(place): Place) -> (usize, usize) {
        let place = position(place);
        let board = place / PLACES;
        (board, place % PLACES * width(self.boards[board].shelf))
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

/// The places on a board of a shelf.
fn places(shelf: usize) -> usize {
    (BOARD / width(shelf)).max(1)
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
        let places: usize = shelves.boards.iter().map(|board| places(board.shelf)).sum();
        let free: usize = shelves.free.iter().map(Vec::len).sum();
        assert_eq!(places - free, there.len(), "each string has one place");
    }
}
