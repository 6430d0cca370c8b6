//! Values of a list of literals, as bits.

use bitvec::prelude::{BitVec, Msb0};
use std::cmp::Ordering;

/// The values of the columns, in their order. Valuations are ordered as the walk comes by: false before true, the first column first.
///
/// As the first column is the most significant bit, whole words are compared, and up to 64 columns at once.
#[derive(Clone, Eq, Debug)]
pub(super) struct Valuation(BitVec<usize, Msb0>);

impl Valuation {
    /// The first `known` values, and false for all others up to `count`.
    pub fn new(count: usize, known: impl IntoIterator<Item = bool>) -> Self {
        let mut words = vec![0; count.div_ceil(usize::BITS as usize)];
        for (at, value) in known.into_iter().enumerate() {
            let bit = usize::BITS as usize - 1 - at % usize::BITS as usize;
            words[at / usize::BITS as usize] |= usize::from(value) << bit;
        }
        let mut bits = BitVec::from_vec(words);
        bits.truncate(count);
        Valuation(bits)
    }

    /// The number of columns.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The value of a column.
    pub fn value(&self, column: usize) -> bool {
        self.0[column]
    }

    /// The values from a column on.
    pub fn from(&self, column: usize) -> impl Iterator<Item = bool> {
        self.0[column..].iter().by_vals()
    }

    /// Whether the values of the first columns are the same.
    pub fn agrees(&self, other: &Self, count: usize) -> bool {
        self.from(0).zip(other.from(0)).take(count).all(|(a, b)| a == b)
    }
}

// All valuations that meet are over the same columns, and the bits behind the last column are zero: so the words can be compared.

impl PartialEq for Valuation {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_raw_slice() == other.0.as_raw_slice()
    }
}

impl Ord for Valuation {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.as_raw_slice().cmp(other.0.as_raw_slice())
    }
}

impl PartialOrd for Valuation {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::Valuation;

    #[test]
    fn valuations_are_ordered_as_their_values() {
        let of = |seed: usize| -> Vec<bool> { (0..70).map(|at| ((seed * 37) >> (at % 9)) & 1 == 1).collect() };
        let all: Vec<Vec<bool>> = (0..40).map(of).collect();
        for a in &all {
            let valuation = Valuation::new(a.len(), a.iter().copied());
            assert!(valuation.from(0).eq(a.iter().copied()));
            for b in &all {
                let other = Valuation::new(b.len(), b.iter().copied());
                assert_eq!(valuation.cmp(&other), a.cmp(b));
                assert_eq!(valuation == other, a == b);
            }
        }
    }
}
