//! Conflict analysis: the first unique implication point, minimised, with the resolution chain.
//!
//! Marques-Silva and Sakallah 1996; Zhang et al. 2001 (first UIP); Sorensson and Biere 2009 (minimisation: a literal whose
//! reason is covered by the rest of the clause can go, recursively). The chain for the proof is written
//! independently of how minimisation went about it: resolved are all dropped literals, the latest on the trail first, so that no
//! variable comes back after its resolution; then literals of level zero against their unit clauses.

use super::clauses::NO_PROOF;
use super::derive::Derivation;
use super::search::{Reason, Search};
use crate::fault::planted;
use crate::proof::{ClauseId, Lit, Var};
use crate::solver::theory::Theory;
use std::collections::BinaryHeap;

/// The result of analysis (the clause itself is in [`Search::learned`], the asserted literal first).
pub(in crate::solver) struct Lesson {
    /// The level to go back to, where the first literal is implied.
    pub level: u32,
    /// The number of different levels in the clause.
    pub lbd: u32,
    /// The recorded clause.
    pub proof: ClauseId,
}

impl Search {
    /// The highest level among the literals of a conflict.
    pub fn conflict_level(&self, conflict: Reason) -> u32 {
        (0..self.reason_len(conflict))
            .map(|i| self.level_of(self.reason_literal(conflict, i)))
            .max()
            .unwrap_or(0)
    }

    /// Analyses a conflict whose highest level is the current one, and that is not zero.
    pub fn analyze(&mut self, conflict: Reason, theory: &mut impl Theory) -> Lesson {
        let level = self.level();
        self.learned.clear();
        self.learned.push(Lit(0));
        let mut derivation = self.derivation_from(conflict);
        let mut zeros: Vec<Var> = Vec::new();
        let (mut open, mut at, mut reason) = (0_u32, self.trail.len(), conflict);
        let uip = loop {
            self.explain_reason(reason, theory);
            for i in 0..self.reason_len(reason) {
                let lit = self.reason_literal(reason, i);
                let var = lit.var();
                if self.seen[var.index()] || self.is_true(lit) {
                    continue;
                }
                self.seen[var.index()] = true;
                self.to_clear.push(var);
                match self.levels[var.index()] {
                    0 => zeros.push(var),
                    l => {
                        self.order.bump(var);
                        if l == level {
                            open += 1;
                        } else {
                            self.learned.push(lit);
                        }
                    }
                }
            }
            self.ticks += 1;
            let lit = loop {
                at -= 1;
                if self.seen[self.trail[at].var().index()] && self.level_of(self.trail[at]) == level {
                    break self.trail[at];
                }
            };
            open -= 1;
            if open == 0 {
                break lit;
            }
            reason = self.reasons[lit.var().index()];
            debug_assert!(reason != Reason::None);
            if !(planted("dropped-resolution") && derivation.len() == 1) {
                self.resolve_reason(&mut derivation, reason, lit);
            }
            if let Reason::Clause(clause) = reason
                && self.clauses.is_learned(clause)
            {
                let lbd = self.count_levels_of(clause);
                self.clauses.set_lbd(clause, lbd.min(self.clauses.lbd(clause)));
            }
        };
        self.learned[0] = !uip;
        if planted("dropped-literal") && self.learned.len() > 1 {
            self.learned.pop();
        }
        let dropped = self.minimise(theory);
        let proof = self.finish_derivation(derivation, dropped, zeros);
        for var in self.to_clear.drain(..) {
            self.seen[var.index()] = false;
        }
        let back = self.learned[1..].iter().map(|&l| self.level_of(l)).max().unwrap_or(0);
        let lbd = self.count_levels();
        Lesson {
            level: back,
            lbd,
            proof,
        }
    }

    /// Drops the redundant literals of `learned`; returns the variables of the dropped ones. Seen are exactly the
    /// literals that analysis met; literals found redundant are marked too.
    fn minimise(&mut self, theory: &mut impl Theory) -> Vec<Var> {
        let mut dropped = Vec::new();
        self.count_levels();
        let mut kept = 1;
        for i in 1..self.learned.len() {
            let lit = self.learned[i];
            if self.is_redundant(lit, theory) {
                dropped.push(lit.var());
            } else {
                self.learned[kept] = lit;
                kept += 1;
            }
        }
        self.learned.truncate(kept);
        dropped
    }

    /// Whether the reasons behind a false literal end in literals of the clause or of level zero. The levels of the clause have the current stamp.
    ///
    /// No literal is, of whose level the clause has none (Een and Sorensson 2003), and none that an earlier attempt ended at, which has the stamp, too.
    fn is_redundant(&mut self, lit: Lit, theory: &mut impl Theory) -> bool {
        let mark = self.to_clear.len();
        let mut stack = vec![lit];
        while let Some(lit) = stack.pop() {
            let reason = self.reasons[lit.var().index()];
            let mut fails = reason == Reason::None;
            if !fails {
                self.ticks += 1;
                self.explain_reason(reason, theory);
                for i in 0..self.reason_len(reason) {
                    let other = self.reason_literal(reason, i);
                    let var = other.var();
                    let level = self.levels[var.index()];
                    if self.is_true(other) || self.seen[var.index()] || level == 0 {
                        continue;
                    }
                    fails = self.level_stamps.get(level as usize) != Some(&self.stamp)
                        || self.stamps[var.index()] == self.stamp;
                    if fails {
                        break;
                    }
                    self.seen[var.index()] = true;
                    self.to_clear.push(var);
                    stack.push(other);
                }
            }
            if fails {
                self.stamps[lit.var().index()] = self.stamp;
                // Marks of this attempt may not stay: they were not shown redundant.
                for var in self.to_clear.drain(mark..) {
                    self.seen[var.index()] = false;
                }
                return false;
            }
        }
        true
    }

    /// Resolves away the dropped literals and those of level zero, which gives the clause in `learned`. Does nothing if clauses are not traced.
    fn finish_derivation(&mut self, mut derivation: Derivation, dropped: Vec<Var>, mut zeros: Vec<Var>) -> ClauseId {
        if !derivation.is_traced() {
            return NO_PROOF;
        }
        self.stamp += 1;
        let stamp = self.stamp;
        for i in 0..self.learned.len() {
            let var = self.learned[i].var();
            self.stamps[var.index()] = stamp;
        }
        for &var in &zeros {
            self.stamps[var.index()] = stamp;
        }
        let mut heap: BinaryHeap<(u32, Var)> = BinaryHeap::new();
        for var in dropped {
            self.stamps[var.index()] = stamp;
            heap.push((self.positions[var.index()], var));
        }
        while let Some((position, var)) = heap.pop() {
            let lit = self.trail[position as usize];
            let reason = self.reasons[var.index()];
            self.resolve_reason(&mut derivation, reason, lit);
            for i in 0..self.reason_len(reason) {
                let other = self.reason_literal(reason, i);
                let var = other.var();
                if other == lit || self.stamps[var.index()] == stamp {
                    continue;
                }
                self.stamps[var.index()] = stamp;
                if self.levels[var.index()] == 0 {
                    zeros.push(var);
                } else {
                    heap.push((self.positions[var.index()], var));
                }
            }
        }
        for var in zeros {
            self.resolve_unit(&mut derivation, var);
        }
        let learned = std::mem::take(&mut self.learned);
        let id = self.conclude(&derivation, &learned);
        self.learned = learned;
        id
    }

    fn count_levels(&mut self) -> u32 {
        self.stamp += 1;
        let mut count = 0;
        for i in 0..self.learned.len() {
            count += self.count_level(self.learned[i]);
        }
        count
    }

    fn count_levels_of(&mut self, clause: super::clauses::ClauseRef) -> u32 {
        self.stamp += 1;
        (0..self.clauses.len(clause))
            .map(|i| self.count_level(self.clauses.literal(clause, i)))
            .sum()
    }

    /// One if the literal's level was not counted under the current stamp.
    fn count_level(&mut self, lit: Lit) -> u32 {
        let level = self.level_of(lit) as usize;
        if self.level_stamps.len() <= level {
            self.level_stamps.resize(level + 1, 0);
        }
        let fresh = self.level_stamps[level] != self.stamp;
        self.level_stamps[level] = self.stamp;
        u32::from(fresh)
    }

    /// Installs the learned clause after the backtrack to the lesson's level and assigns its first literal.
    pub fn learn(&mut self, lesson: &Lesson) {
        let learned = std::mem::take(&mut self.learned);
        if let [unit] = learned[..] {
            self.assign(unit, Reason::None);
            self.set_unit(unit, lesson.proof);
        } else {
            let mut literals = learned.clone();
            // The second watch has to be a literal of the level gone back to.
            let second = (1..literals.len())
                .find(|&i| self.level_of(literals[i]) == lesson.level)
                .expect("a literal of that level");
            literals.swap(1, second);
            let clause = self.clauses.add(&literals, true, lesson.lbd, lesson.proof);
            self.watch(clause);
            self.assign(literals[0], Reason::Clause(clause));
        }
        self.learned = learned;
    }

    /// With `failed` a false assumption: the assumptions (decisions) that imply its negation, `failed` included, and the
    /// recorded clause that says so. All reasons are explained.
    pub fn analyze_final(&mut self, failed: Lit) -> (Vec<Lit>, ClauseId) {
        let mut core = vec![failed];
        let mut derivation = self.derivation();
        let mut zeros = Vec::new();
        let var = failed.var();
        self.seen[var.index()] = true;
        if self.level_of(failed) == 0 {
            zeros.push(var);
        } else {
            for at in (self.level_starts[0].0..=self.positions[var.index()] as usize).rev() {
                let lit = self.trail[at];
                if !std::mem::take(&mut self.seen[lit.var().index()]) {
                    continue;
                }
                let reason = self.reasons[lit.var().index()];
                if reason == Reason::None {
                    core.push(lit);
                    continue;
                }
                self.resolve_reason(&mut derivation, reason, lit);
                for i in 0..self.reason_len(reason) {
                    let other = self.reason_literal(reason, i);
                    if other == lit || self.seen[other.var().index()] {
                        continue;
                    }
                    self.seen[other.var().index()] = true;
                    if self.level_of(other) == 0 {
                        zeros.push(other.var());
                    }
                }
            }
        }
        let mut proof = NO_PROOF;
        if derivation.is_traced() {
            for &zero in &zeros {
                self.resolve_unit(&mut derivation, zero);
            }
            let literals: Vec<Lit> = core.iter().map(|&l| !l).collect();
            proof = self.conclude(&derivation, &literals);
        }
        for zero in zeros {
            self.seen[zero.index()] = false;
        }
        self.seen[var.index()] = false;
        (core, proof)
    }
}
