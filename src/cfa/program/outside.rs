//! Addresses of the objects that pointers from outside of the program are taken to point to.
//!
//! Such an object has an area of its own, because nobody knows its size: drivers have private data with buffers of 70,000 bytes. A pointer goes to a
//! place behind the start of the area, because programs also go to smaller addresses from there (`container_of`). The areas lie in three [banks](Bank),
//! so that objects that different parts of a verification make never meet. All who deal with such objects ask here: the replay, the exploration with
//! explicit values, and the harness, which gives the compiled program the same memory.

use std::ops::Range;

/// The bytes of an area.
pub const AREA: u64 = 0x4_0000;
/// The bytes of an area before what the pointer points to.
pub const BEFORE: u64 = 0x8000;

/// The first area: above the heap and, with pointers of 32 bits, above the frames of a recursion.
const FIRST: u64 = 0xa000_0000;
/// The bytes of a bank.
const BANK: u64 = 0x400_0000;

/// Addresses behind all banks, where nothing is: a model may have objects there.
pub const FREE: Range<u64> = FIRST + 3 * BANK..0xc000_0000;

/// Who makes the objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bank {
    /// The replay, which repairs pointers of a model.
    Replay,
    /// The replay of the whole program, for what a slice leaves out.
    Rest,
    /// The exploration with explicit values.
    Explicit,
}

impl Bank {
    /// The most objects of a bank.
    pub const CAPACITY: u64 = BANK / AREA;

    /// Where the area of an object begins.
    ///
    /// # Panics
    /// If the bank has no such object.
    pub fn area(self, number: u64) -> u64 {
        assert!(number < Self::CAPACITY, "a bank has {} objects", Self::CAPACITY);
        self.first() + number * AREA
    }

    /// The value of a pointer to an object.
    ///
    /// # Panics
    /// If the bank has no such object.
    pub fn pointer(self, number: u64) -> u64 {
        self.area(number) + BEFORE
    }

    /// The number of the object that has an address in its area, and the offset there.
    pub fn at(self, address: u64) -> Option<(u64, u64)> {
        let distance = address.checked_sub(self.first())?;
        (distance < BANK).then_some((distance / AREA, distance % AREA))
    }

    fn first(self) -> u64 {
        let number = match self {
            Bank::Replay => 0,
            Bank::Rest => 1,
            Bank::Explicit => 2,
        };
        FIRST + number * BANK
    }
}

/// The area that an address lies in, if it lies in one.
pub fn area_at(address: u64) -> Option<Range<u64>> {
    [Bank::Replay, Bank::Rest, Bank::Explicit].into_iter().find_map(|bank| {
        let (number, _) = bank.at(address)?;
        Some(bank.area(number)..bank.area(number) + AREA)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_all_banks_are_apart_and_contain_their_pointers() {
        let banks = [Bank::Replay, Bank::Rest, Bank::Explicit];
        let mut last = 0;
        for bank in banks {
            for number in [0, 1, Bank::CAPACITY - 1] {
                let (area, pointer) = (bank.area(number), bank.pointer(number));
                assert!(area >= last);
                last = area + AREA;
                assert_eq!(area_at(pointer), Some(area..last));
                assert_eq!(bank.at(pointer), Some((number, BEFORE)));
                assert!(banks.iter().filter(|other| other.at(area).is_some()).count() == 1);
            }
        }
        assert_eq!(area_at(FIRST - 1), None);
        assert_eq!(area_at(last), None);
    }
}
