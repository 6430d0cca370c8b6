//! Unit propagation with two watched literals and blockers (Moskewicz et al. 2001; Een and Sorensson 2003).
//!
//! Invariant when the queue is empty: of each clause's first two literals none is false, or the other one is true and was
//! assigned at a level not above the false one's.

use super::clauses::Watch;
use super::search::{Reason, Search, Value};
use crate::proof::Lit;

impl Search {
    /// Propagates all queued literals; returns a false clause if there is one.
    pub fn propagate(&mut self) -> Option<Reason> {
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            let mut watches = std::mem::take(&mut self.watches[falsified.index()]);
            self.ticks += 1 + watches.len() as u64 / 4;
            let (mut kept, mut conflict) = (0, None);
            let mut i = 0;
            while i < watches.len() {
                let watch = watches[i];
                i += 1;
                if self.is_true(watch.blocker) {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                self.ticks += 1;
                let clause = watch.clause();
                if watch.is_binary() {
                    watches[kept] = watch;
                    kept += 1;
                    if self.is_false(watch.blocker) {
                        conflict = Some(Reason::Clause(clause));
                        break;
                    }
                    self.assign(watch.blocker, Reason::Clause(clause));
                    continue;
                }
                let words = self.clauses.words_mut(clause);
                // The other watched literal comes first.
                let first = Lit(words[0] ^ words[1] ^ falsified.0);
                (words[0], words[1]) = (first.0, falsified.0);
                if first != watch.blocker && self.values[first.index()] == Value::True {
                    watches[kept] = Watch::new(clause, first, false);
                    kept += 1;
                    continue;
                }
                let values = &self.values;
                let is_candidate = |&word: &u32| values[Lit(word).index()] != Value::False;
                if let Some(k) = words[2..].iter().position(is_candidate) {
                    words.swap(1, k + 2);
                    let lit = Lit(words[1]);
                    self.watches[lit.index()].push(Watch::new(clause, first, false));
                    continue;
                }
                watches[kept] = Watch::new(clause, first, false);
                kept += 1;
                match self.value(first) {
                    Value::False => {
                        conflict = Some(Reason::Clause(clause));
                        break;
                    }
                    _ => self.assign(first, Reason::Clause(clause)),
                }
            }
            while i < watches.len() {
                watches[kept] = watches[i];
                kept += 1;
                i += 1;
            }
            watches.truncate(kept);
            self.watches[falsified.index()] = watches;
            if conflict.is_some() {
                self.head = self.trail.len();
                return conflict;
            }
        }
        None
    }
}
