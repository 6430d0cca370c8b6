//! Hash-consing: the table that makes each distinct term unique.
//!
//! Open addressing over `u32` ids with linear probing, at most half full. The terms themselves stay in the pool's vector, so that
//! a term is stored once; each slot's hash is kept beside it, so that growing never hashes a term again. Terms with children in
//! a slice are looked up by that slice and boxed only when they are new.

use super::{Symbol, Term, TermId, TermPool};
use crate::hash::FxHasher;
use crate::num::Int;
use std::hash::{Hash, Hasher};

/// A slot: the upper half of the term's hash and its id, or [`EMPTY`].
type Slot = (u32, u32);
const EMPTY: u32 = u32::MAX;

/// The index from terms to ids.
#[derive(Clone, Default)]
pub(super) struct Table {
    slots: Vec<Slot>,
    used: usize,
}

/// A term with a slice of children, borrowed.
#[derive(Hash)]
pub(super) enum Key<'a> {
    And(&'a [TermId]),
    Or(&'a [TermId]),
    App(Symbol, &'a [TermId]),
    RealApp(Symbol, &'a [TermId]),
    Sum(&'a [(Int, TermId)], &'a Int),
}

impl Key<'_> {
    fn is(&self, term: &Term) -> bool {
        match (self, term) {
            (Key::And(a), Term::And(b)) | (Key::Or(a), Term::Or(b)) => **a == **b,
            (Key::App(f, a), Term::App(g, b)) | (Key::RealApp(f, a), Term::RealApp(g, b)) => f == g && **a == **b,
            (Key::Sum(a, k), Term::Sum(b, l)) => *k == l && **a == **b,
            _ => false,
        }
    }

    fn to_term(&self) -> Term {
        match *self {
            Key::And(children) => Term::And(children.into()),
            Key::Or(children) => Term::Or(children.into()),
            Key::App(function, arguments) => Term::App(function, arguments.into()),
            Key::RealApp(function, arguments) => Term::RealApp(function, arguments.into()),
            Key::Sum(monomials, constant) => Term::Sum(monomials.into(), constant.clone()),
        }
    }
}

/// The upper half of the hash: multiplication leaves the best bits there.
fn hash_of(value: &impl Hash) -> u32 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    let hash = hasher.finish();
    u32::try_from((hash ^ (hash << 29)) >> 32).expect("the upper half of 64 bits")
}

impl Table {
    /// The id among `terms` for which `is` holds, or the free slot where it belongs.
    fn find(&self, hash: u32, is: impl Fn(usize) -> bool) -> Result<TermId, usize> {
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let (slot_hash, id) = self.slots[at];
            if id == EMPTY {
                return Err(at);
            }
            if slot_hash == hash && is(id as usize) {
                return Ok(TermId(id));
            }
            at = (at + 1) & mask;
        }
    }

    /// Makes room for one more term.
    fn reserve(&mut self) {
        if (self.used + 1) * 2 <= self.slots.len() {
            return;
        }
        let size = (self.slots.len() * 2).max(1024);
        let old = std::mem::replace(&mut self.slots, vec![(0, EMPTY); size]);
        for (hash, id) in old.into_iter().filter(|slot| slot.1 != EMPTY) {
            let mut at = hash as usize & (size - 1);
            while self.slots[at].1 != EMPTY {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = (hash, id);
        }
    }
}

impl TermPool {
    /// The id of a term without a slice of children.
    pub(super) fn intern(&mut self, term: Term) -> TermId {
        debug_assert!(!matches!(
            term,
            Term::And(_) | Term::Or(_) | Term::App(..) | Term::RealApp(..) | Term::Sum(..)
        ));
        self.table.reserve();
        let hash = hash_of(&term);
        match self.table.find(hash, |i| self.terms[i] == term) {
            Ok(id) => id,
            Err(slot) => self.insert(hash, slot, term),
        }
    }

    /// The id of a term with a slice of children.
    pub(super) fn intern_key(&mut self, key: &Key<'_>) -> TermId {
        self.table.reserve();
        let hash = hash_of(key);
        match self.table.find(hash, |i| key.is(&self.terms[i])) {
            Ok(id) => id,
            Err(slot) => self.insert(hash, slot, key.to_term()),
        }
    }

    fn insert(&mut self, hash: u32, slot: usize, term: Term) -> TermId {
        let id = u32::try_from(self.terms.len())
            .ok()
            .filter(|&id| id != EMPTY)
            .expect("fewer than 2^32 - 1 terms");
        self.table.slots[slot] = (hash, id);
        self.table.used += 1;
        let is_real = self.builds_real(&term);
        self.terms.push(term);
        if is_real {
            self.real.resize(self.terms.len(), false);
            self.real[id as usize] = true;
        }
        TermId(id)
    }
}
