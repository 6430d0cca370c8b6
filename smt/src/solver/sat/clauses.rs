//! The clause arena: all clauses in one array of words.
//!
//! A clause is a header of [`HEADER`] words followed by its literals. Keeping clauses in one array, and naming them by their
//! offset, makes propagation touch as few cache lines as possible (Minisat, Een and Sorensson 2003). Deleted clauses
//! leave holes; [`ClauseArena::compact`] closes them and tells the new names.

use crate::proof::{ClauseId, Lit};

/// The offset of a clause in the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(in crate::solver) struct ClauseRef(u32);

/// Words before the literals: length, flags, literal block distance, proof clause.
const HEADER: usize = 4;
const LEARNED: u32 = 1;
const DELETED: u32 = 2;
const VIVIFIED: u32 = 4;

/// The name of the proof clause where none is recorded.
pub(in crate::solver) const NO_PROOF: ClauseId = ClauseId(u32::MAX);

/// The bit of a watch that tells clauses of two literals.
const BINARY: u32 = 1 << 31;

/// A watch: the clause is looked at when the watched literal gets false, unless the blocker is true. Of a clause of two literals the blocker is the other one, so
/// that the clause itself need not be looked at.
#[derive(Clone, Copy)]
pub(in crate::solver) struct Watch {
    /// The clause, and whether it has two literals.
    clause: u32,
    /// Another literal of the clause.
    pub blocker: Lit,
}

impl Watch {
    pub fn new(clause: ClauseRef, blocker: Lit, is_binary: bool) -> Watch {
        let clause = clause.0 | if is_binary { BINARY } else { 0 };
        Watch { clause, blocker }
    }

    #[inline]
    pub fn clause(self) -> ClauseRef {
        ClauseRef(self.clause & !BINARY)
    }

    #[inline]
    pub fn is_binary(self) -> bool {
        self.clause & BINARY != 0
    }

    /// The clause has another name now.
    pub fn rename(&mut self, clause: ClauseRef) {
        self.clause = clause.0 | self.clause & BINARY;
    }
}

#[derive(Default)]
pub(in crate::solver) struct ClauseArena {
    words: Vec<u32>,
    wasted: usize,
    learned: usize,
}

impl ClauseArena {
    /// Stores a clause of at least two literals.
    pub fn add(&mut self, literals: &[Lit], learned: bool, lbd: u32, proof: ClauseId) -> ClauseRef {
        debug_assert!(literals.len() >= 2);
        let at = u32::try_from(self.words.len()).ok().filter(|at| at & BINARY == 0);
        let at = ClauseRef(at.expect("the clause arena has fewer than 2^31 words"));
        let len = u32::try_from(literals.len()).expect("a clause has fewer than 2^32 literals");
        self.words
            .extend_from_slice(&[len, if learned { LEARNED } else { 0 }, lbd, proof.0]);
        self.words.extend(literals.iter().map(|l| l.0));
        self.learned += usize::from(learned);
        at
    }

    #[inline]
    pub fn len(&self, clause: ClauseRef) -> usize {
        self.words[clause.0 as usize] as usize
    }

    #[inline]
    pub fn literal(&self, clause: ClauseRef, i: usize) -> Lit {
        Lit(self.words[clause.0 as usize + HEADER + i])
    }

    /// The literals' words of a clause.
    #[inline]
    pub fn words_mut(&mut self, clause: ClauseRef) -> &mut [u32] {
        let at = clause.0 as usize;
        let end = at + HEADER + self.words[at] as usize;
        &mut self.words[at + HEADER..end]
    }

    #[inline]
    pub fn is_learned(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize + 1] & LEARNED != 0
    }

    #[inline]
    pub fn is_deleted(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize + 1] & DELETED != 0
    }

    /// Whether vivification was tried.
    pub fn is_vivified(&self, clause: ClauseRef) -> bool {
        self.words[clause.0 as usize + 1] & VIVIFIED != 0
    }

    pub fn set_vivified(&mut self, clause: ClauseRef) {
        self.words[clause.0 as usize + 1] |= VIVIFIED;
    }

    #[inline]
    pub fn lbd(&self, clause: ClauseRef) -> u32 {
        self.words[clause.0 as usize + 2]
    }

    #[inline]
    pub fn set_lbd(&mut self, clause: ClauseRef, lbd: u32) {
        self.words[clause.0 as usize + 2] = lbd;
    }

    #[inline]
    pub fn proof(&self, clause: ClauseRef) -> ClauseId {
        ClauseId(self.words[clause.0 as usize + 3])
    }

    /// Marks a clause as deleted. Watches of it have to be dropped before the next compaction.
    pub fn delete(&mut self, clause: ClauseRef) {
        debug_assert!(!self.is_deleted(clause));
        self.wasted += HEADER + self.len(clause);
        self.learned -= usize::from(self.is_learned(clause));
        self.words[clause.0 as usize + 1] |= DELETED;
    }

    /// The number of learned clauses that are not deleted.
    pub fn learned(&self) -> usize {
        self.learned
    }

    /// Whether a quarter of the arena is holes.
    pub fn is_wasteful(&self) -> bool {
        self.wasted * 4 > self.words.len()
    }

    /// All clauses that are not deleted, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = ClauseRef> + '_ {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < self.words.len() {
                let clause = ClauseRef(at as u32);
                at += HEADER + self.len(clause);
                if !self.is_deleted(clause) {
                    return Some(clause);
                }
            }
            None
        })
    }

    /// Closes the holes. `moved(old, new)` is called for each clause that stays, oldest first.
    pub fn compact(&mut self, mut moved: impl FnMut(ClauseRef, ClauseRef)) {
        let (mut from, mut to) = (0, 0);
        while from < self.words.len() {
            let size = HEADER + self.words[from] as usize;
            if self.words[from + 1] & DELETED == 0 {
                self.words.copy_within(from..from + size, to);
                moved(ClauseRef(from as u32), ClauseRef(to as u32));
                to += size;
            }
            from += size;
        }
        self.words.truncate(to);
        self.wasted = 0;
    }
}
