//! Short lists inside of the nodes of a graph.
//!
//! A graph may have tens of millions of nodes, and nearly all lists in it have a handful of entries. A list takes 16 bytes with up to three entries of four bytes each, or one of
//! twelve; only a longer one is an allocation of its own. `SmallVec` was there before: it keeps length and capacity as machine words, so that it takes 24 bytes.

use std::ops::Deref;

/// A list of which `N` entries need no allocation.
#[derive(Debug, Clone)]
pub struct Links<T, const N: usize>(Repr<T, N>);

#[derive(Debug, Clone)]
enum Repr<T, const N: usize> {
    Empty,
    /// The first `len` entries, at least one; copies of one of them behind.
    Few {
        len: u8,
        entries: [T; N],
    },
    /// More, or what was once more. The box keeps a node small.
    #[expect(clippy::box_collection, reason = "a vector itself would take 24 bytes in every node")]
    Many(Box<Vec<T>>),
}

impl<T, const N: usize> Default for Links<T, N> {
    fn default() -> Self {
        Links(Repr::Empty)
    }
}

impl<T, const N: usize> Deref for Links<T, N> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Repr::Empty => &[],
            Repr::Few { len, entries } => &entries[..usize::from(*len)],
            Repr::Many(entries) => entries,
        }
    }
}

impl<T: Copy, const N: usize> Links<T, N> {
    /// The list with one entry.
    pub fn one(entry: T) -> Self {
        Links(Repr::Few {
            len: 1,
            entries: [entry; N],
        })
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, entry: T) {
        match &mut self.0 {
            Repr::Empty => *self = Links::one(entry),
            Repr::Few { len, entries } if usize::from(*len) < N => {
                entries[usize::from(*len)] = entry;
                *len += 1;
            }
            Repr::Few { entries, .. } => {
                let all = entries.iter().copied().chain([entry]).collect();
                self.0 = Repr::Many(Box::new(all));
            }
            Repr::Many(entries) => entries.push(entry),
        }
    }

    /// Keeps the entries for which `keep` says so, in their order.
    pub fn retain(&mut self, mut keep: impl FnMut(&T) -> bool) {
        if let Repr::Many(entries) = &mut self.0 {
            entries.retain(keep);
            return;
        }
        let mut kept = Links::default();
        for &entry in self.iter().filter(|entry| keep(entry)) {
            kept.push(entry);
        }
        *self = kept;
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        *self = Links::default();
    }
}

#[cfg(test)]
mod tests {
    use super::Links;
    use proptest::prelude::*;

    proptest! {
        /// A list does what a vector does, whatever its length was before. Numbers below 200 are added, with 200 and more the entries of one remainder by three are removed.
        #[test]
        fn behaves_like_a_vector(actions in prop::collection::vec(any::<u8>(), 0..24)) {
            let (mut links, mut vector) = (Links::<u32, 3>::default(), Vec::new());
            for action in actions.into_iter().map(u32::from) {
                if action < 200 {
                    links.push(action);
                    vector.push(action);
                } else {
                    links.retain(|entry| entry % 3 != action % 3);
                    vector.retain(|entry| entry % 3 != action % 3);
                }
                prop_assert_eq!(&*links, vector.as_slice());
            }
            links.clear();
            prop_assert!(links.is_empty());
        }
    }
}
