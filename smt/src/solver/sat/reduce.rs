//! Reduction of the learned clauses by literal block distance (Audemard and Simon 2009), and collection of dead clauses.
//!
//! Clauses of small distance stay for ever; of the others the worse half goes. Clauses that are true at level zero, as
//! those of closed scopes are, go too. Input clauses and lemmas stay unless true at level zero.

use super::clauses::{ClauseRef, NO_PROOF};
use super::search::{Reason, Search};
use crate::hash::FxHashMap;
use crate::solver::events::Event;

/// Clauses of at most this distance are kept for ever.
const KEEP: u32 = 2;

impl Search {
    /// Deletes the worse half of the learned clauses that are no reasons.
    pub fn reduce(&mut self) {
        self.events.emit(Event::Reduction);
        let mut candidates: Vec<ClauseRef> = self
            .clauses
            .iter()
            .filter(|&c| self.clauses.is_learned(c) && self.clauses.lbd(c) > KEEP && !self.is_reason(c))
            .collect();
        candidates.sort_by_key(|&c| (self.clauses.lbd(c), self.clauses.len(c)));
        for &clause in &candidates[candidates.len() / 2..] {
            self.delete(clause);
        }
        self.collect();
        self.forget_derivations();
    }

    /// Lets the recorder forget the clauses on which nothing rests that the search still has. No derivation is under way.
    fn forget_derivations(&mut self) {
        let Some(recorder) = self.events.recorder.as_mut().filter(|recorder| recorder.is_crowded()) else {
            return;
        };
        let clauses = self.clauses.iter().map(|clause| self.clauses.proof(clause));
        let lemmas = self.lemmas.iter().map(|lemma| lemma.proof);
        let known = clauses.chain(lemmas).chain(self.units.iter().copied());
        recorder.keep(known.filter(|&clause| clause != NO_PROOF));
    }

    /// Deletes a clause. Its watches go with the next collection.
    pub fn delete(&mut self, clause: ClauseRef) {
        self.events.emit(Event::Deleted {
            clause: self.clauses.proof(clause),
        });
        self.clauses.delete(clause);
    }

    /// Deletes the clauses that are true at level zero. The current level is zero.
    pub fn delete_satisfied(&mut self) {
        debug_assert!(self.level() == 0);
        self.forget_reasons();
        let dead: Vec<ClauseRef> = self
            .clauses
            .iter()
            .filter(|&c| (0..self.clauses.len(c)).any(|i| self.is_true(self.clauses.literal(c, i))))
            .collect();
        for clause in dead {
            self.delete(clause);
        }
        self.collect();
    }

    /// The reasons of level zero are not needed any more: their units are derived.
    fn forget_reasons(&mut self) {
        let end = self.level_starts.first().map_or(self.trail.len(), |level| level.0);
        for i in 0..end {
            let var = self.trail[i].var();
            self.reasons[var.index()] = Reason::None;
        }
    }

    /// Takes the deleted clauses out of the watches.
    pub fn collect_simplified(&mut self) {
        self.forget_reasons();
        self.collect();
    }

    pub fn is_reason(&self, clause: ClauseRef) -> bool {
        (0..2).any(|i| {
            let lit = self.clauses.literal(clause, i);
            self.is_true(lit) && self.reasons[lit.var().index()] == Reason::Clause(clause)
        })
    }

    /// Drops watches of deleted clauses, and compacts the arena if that is worth it.
    fn collect(&mut self) {
        let clauses = &self.clauses;
        for list in &mut self.watches {
            list.retain(|w| !clauses.is_deleted(w.clause()));
        }
        self.ticks += self.watches.len() as u64 / 8;
        if !self.clauses.is_wasteful() {
            return;
        }
        let mut moved: FxHashMap<ClauseRef, ClauseRef> = FxHashMap::default();
        self.clauses.compact(|old, new| {
            moved.insert(old, new);
        });
        for list in &mut self.watches {
            for watch in list {
                watch.rename(moved[&watch.clause()]);
            }
        }
        for &lit in &self.trail {
            if let Reason::Clause(clause) = &mut self.reasons[lit.var().index()] {
                *clause = moved[clause];
            }
        }
    }
}
