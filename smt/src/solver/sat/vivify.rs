//! Vivification of learned clauses (Piette, Hamadi, Sais, *Vivifying propositional clausal formulae*, 2008; for learned clauses Li, Luo, Xiao, Manya,
//! Lu, *An effective learnt clause minimization approach for CDCL SAT solvers*, 2017).
//!
//! The literals of a clause are assumed false, one after the other, and propagated. If that ends in a conflict, or makes another literal of the
//! clause true, the decisions that it rests on are a shorter clause. It is derived by the reasons on the trail, so that the proof gets a resolution
//! chain like that of any learned clause; theories are not asked.
//!
//! It happens at the level of the open scopes' activation literals, not at level zero: recorded clauses do not have these literals, so no step of a
//! proof may resolve on one. A clause that got shorter only by an activation literal that it did not have stays as it is: it would be lost with the scope.
//!
//! Each clause is tried once, good ones (of small block distance) first, until the ticks allowed are spent. The literals that occur
//! most often are assumed first. Dropped: sorting clauses to reuse decisions, as there are few learned clauses beside what theories cost.

use super::clauses::ClauseRef;
use super::search::{Reason, Search, Value};
use crate::proof::{ClauseId, Lit, Var};
use crate::solver::events::Event;

impl Search {
    /// Shortens learned clauses, at the current level, which no decision but activation literals made. Propagation is complete. Returns at the same level,
    /// or below it where a clause became a unit, or with `contradiction`.
    pub fn vivify(&mut self, ticks: u64) {
        let (base, end) = (self.level(), self.ticks.saturating_add(ticks));
        let mut candidates: Vec<ClauseRef> = self
            .clauses
            .iter()
            .filter(|&c| self.clauses.is_learned(c) && !self.clauses.is_vivified(c))
            .collect();
        candidates.sort_by_key(|&c| (self.clauses.lbd(c), self.clauses.len(c)));
        let mut occurrences = vec![0_u32; self.values.len()];
        for &clause in &candidates {
            for i in 0..self.clauses.len(clause) {
                occurrences[self.clauses.literal(clause, i).index()] += 1;
            }
        }
        // Literals that are assumed here are no advice to the search.
        let phases = self.phases.clone();
        for clause in candidates {
            if self.ticks > end || self.contradiction || self.level() < base {
                break;
            }
            self.clauses.set_vivified(clause);
            if !self.is_reason(clause) {
                self.vivify_clause(clause, base, &occurrences);
            }
        }
        self.phases = phases;
    }

    fn vivify_clause(&mut self, clause: ClauseRef, base: u32, occurrences: &[u32]) {
        let literals: Vec<Lit> = (0..self.clauses.len(clause))
            .map(|i| self.clauses.literal(clause, i))
            .collect();
        if literals.iter().any(|&l| self.is_true(l)) {
            return;
        }
        let mut order = literals.clone();
        order.sort_by_key(|&l| (std::cmp::Reverse(occurrences[l.index()]), l));
        let mut shorter = None;
        for lit in order {
            match self.value(lit) {
                Value::False => {}
                // The clause itself may be among the reasons: then it lost those of its literals that are false by the others.
                Value::True => {
                    let (core, proof) = self.analyze_final(!lit);
                    shorter = Some((core, proof));
                    break;
                }
                Value::Open => {
                    self.new_level();
                    self.assign(!lit, Reason::None);
                    if let Some(conflict) = self.propagate() {
                        shorter = Some(self.decisions_behind(conflict));
                        break;
                    }
                }
            }
        }
        self.backtrack(base);
        let Some((core, proof)) = shorter else { return };
        let shorter: Vec<Lit> = core.into_iter().map(|l| !l).collect();
        if shorter.is_empty() || shorter.len() >= literals.len() || !shorter.iter().all(|l| literals.contains(l)) {
            return;
        }
        if self.can_stand(&shorter) {
            self.replace(clause, shorter, proof);
        }
    }

    /// Whether a clause can be put in the place of another one here: it has two open literals to watch, or is a unit that level zero does not know.
    pub fn can_stand(&self, clause: &[Lit]) -> bool {
        let is_open = |l: Lit| self.value(l) == Value::Open;
        match *clause {
            [unit] => is_open(unit) || self.levels[unit.var().index()] > 0,
            _ => clause.iter().filter(|&&l| is_open(l)).count() >= 2,
        }
    }

    /// Puts a clause in the place of a learned one that it subsumes. It [can stand](Self::can_stand) there.
    pub fn replace(&mut self, clause: ClauseRef, mut shorter: Vec<Lit>, proof: ClauseId) {
        let lbd = self.clauses.lbd(clause).min(shorter.len() as u32 - 1);
        assert!(
            self.can_stand(&shorter),
            "a unit is new, other clauses have two open literals"
        );
        self.events.emit(Event::Strengthened);
        self.delete(clause);
        if let [unit] = shorter[..] {
            self.backtrack(0);
            self.assign(unit, Reason::None);
            self.set_unit(unit, proof);
            if let Some(conflict) = self.propagate() {
                self.refute(conflict);
            }
            return;
        }
        // The watched literals are open.
        shorter.sort_by_key(|&l| self.value(l) != Value::Open);
        let shorter = self.clauses.add(&shorter, true, lbd, proof);
        self.clauses.set_vivified(shorter);
        self.watch(shorter);
    }

    /// The decisions that a conflict rests on, and the recorded clause that says that they do not hold together.
    fn decisions_behind(&mut self, conflict: Reason) -> (Vec<Lit>, ClauseId) {
        let mut core = Vec::new();
        let mut derivation = self.derivation_from(conflict);
        let mut zeros: Vec<Var> = Vec::new();
        let mut reason = conflict;
        let mut at = self.trail.len();
        loop {
            for i in 0..self.reason_len(reason) {
                let other = self.reason_literal(reason, i);
                let var = other.var();
                if self.is_true(other) || self.seen[var.index()] {
                    continue;
                }
                self.seen[var.index()] = true;
                self.to_clear.push(var);
                if self.level_of(other) == 0 {
                    zeros.push(var);
                }
            }
            let start = self.level_starts.first().map_or(at, |level| level.0);
            let next = (start..at).rev().find(|&i| self.seen[self.trail[i].var().index()]);
            let Some(next) = next else { break };
            at = next;
            let lit = self.trail[at];
            reason = self.reasons[lit.var().index()];
            if reason == Reason::None {
                core.push(lit);
            } else {
                self.resolve_reason(&mut derivation, reason, lit);
            }
        }
        for var in self.to_clear.drain(..) {
            self.seen[var.index()] = false;
        }
        for zero in zeros {
            self.resolve_unit(&mut derivation, zero);
        }
        let literals: Vec<Lit> = core.iter().map(|&l| !l).collect();
        let proof = self.conclude(&derivation, &literals);
        (core, proof)
    }
}
