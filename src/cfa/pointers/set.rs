//! Sets of objects: sparse bit sets with an element that stands for everything.

/// A set of objects. A set with the unknown object has no other members, because that one covers all others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Set {
    unknown: bool,
    /// Words of 64 bits that are not 0, by position, ascending.
    words: Vec<(u32, u64)>,
}

impl Set {
    pub fn is_empty(&self) -> bool {
        !self.unknown && self.words.is_empty()
    }

    pub fn has_unknown(&self) -> bool {
        self.unknown
    }

    /// Adds everything. Returns whether that is new.
    pub fn add_unknown(&mut self) -> bool {
        self.words.clear();
        !std::mem::replace(&mut self.unknown, true)
    }

    /// Adds an object. Returns whether it is new.
    pub fn add(&mut self, object: u32) -> bool {
        if self.unknown {
            return false;
        }
        let (word, bit) = (object / 64, 1u64 << (object % 64));
        match self.words.binary_search_by_key(&word, |w| w.0) {
            Ok(at) => {
                let new = self.words[at].1 & bit == 0;
                self.words[at].1 |= bit;
                new
            }
            Err(at) => {
                self.words.insert(at, (word, bit));
                true
            }
        }
    }

    /// Adds all of another set. Returns whether something was new.
    pub fn union(&mut self, other: &Set) -> bool {
        if self.unknown || other.is_empty() {
            return false;
        }
        if other.unknown {
            return self.add_unknown();
        }
        if self.words.is_empty() {
            self.words.clone_from(&other.words);
            return true;
        }
        let (mut merged, mut changed) = (Vec::with_capacity(self.words.len() + other.words.len()), false);
        let (mut i, mut j) = (0, 0);
        while i < self.words.len() || j < other.words.len() {
            let a = self.words.get(i).copied();
            let b = other.words.get(j).copied();
            match (a, b) {
                (Some(a), Some(b)) if a.0 == b.0 => {
                    changed |= b.1 & !a.1 != 0;
                    merged.push((a.0, a.1 | b.1));
                    (i, j) = (i + 1, j + 1);
                }
                (Some(a), b) if b.is_none_or(|b| a.0 < b.0) => {
                    merged.push(a);
                    i += 1;
                }
                (_, Some(b)) => {
                    changed = true;
                    merged.push(b);
                    j += 1;
                }
                _ => unreachable!("one of the two has a word"),
            }
        }
        if changed {
            self.words = merged;
        }
        changed
    }

    /// The members of this set that are not in `old`, which is a subset.
    pub fn without(&self, old: &Set) -> Set {
        if self.unknown {
            return if old.unknown { Set::default() } else { self.clone() };
        }
        let mut left = Vec::new();
        let mut j = 0;
        for &(word, bits) in &self.words {
            while old.words.get(j).is_some_and(|w| w.0 < word) {
                j += 1;
            }
            let known = old.words.get(j).filter(|w| w.0 == word).map_or(0, |w| w.1);
            if bits & !known != 0 {
                left.push((word, bits & !known));
            }
        }
        Set {
            unknown: false,
            words: left,
        }
    }

    /// The objects, ascending; none for the set of everything.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.words.iter().flat_map(|&(word, bits)| {
            (0..64u32)
                .filter(move |bit| bits >> bit & 1 == 1)
                .map(move |bit| word * 64 + bit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Set;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn set(list: &[u32]) -> Set {
        let mut set = Set::default();
        list.iter().for_each(|&o| {
            set.add(o);
        });
        set
    }

    proptest! {
        #[test]
        fn sets_are_sets(a in prop::collection::vec(0u32..400, 0..30), b in prop::collection::vec(0u32..400, 0..30)) {
            let (x, y): (BTreeSet<u32>, BTreeSet<u32>) = (a.iter().copied().collect(), b.iter().copied().collect());
            let mut both = set(&a);
            prop_assert_eq!(both.union(&set(&b)), !y.is_subset(&x));
            prop_assert_eq!(both.iter().collect::<Vec<_>>(), x.union(&y).copied().collect::<Vec<_>>());
            let left = both.without(&set(&a));
            prop_assert_eq!(left.iter().collect::<Vec<_>>(), y.difference(&x).copied().collect::<Vec<_>>());
        }
    }

    #[test]
    fn everything_covers_all() {
        let mut all = set(&[3, 70]);
        assert!(all.add_unknown() && !all.add_unknown() && !all.add(5) && !all.union(&set(&[9])));
        let mut some = set(&[1]);
        assert!(some.union(&all) && some == all && all.without(&some).is_empty());
    }
}
