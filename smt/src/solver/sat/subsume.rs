//! Subsumption and self-subsuming resolution among learned clauses (Een and Biere, *Effective preprocessing in SAT through variable and clause
//! elimination*, SAT 2005; Zhang, *On subsumption removal and on-the-fly CNF simplification*, 2005, for the one-watch scheme).
//!
//! A learned clause that contains another clause goes. If it would contain one but for the sign of a single literal, that literal goes: the resolvent of the two
//! is the rest, and this step is the proof of it.
//!
//! Shorter clauses come first. Each clause is known by that one of its variables that is least in use, so that a clause only meets clauses
//! that share a variable with it. Clauses of the input, definitions and lemmas take part as the shorter ones but are never changed. Like
//! vivification this works at the level of the activation literals; activation literals all have one sign, so none is resolved on.

use super::clauses::ClauseRef;
use super::search::Search;
use crate::proof::Lit;
use crate::solver::events::Event;
use crate::solver::limits::MAX_SUBSUMED;

/// The effect of another clause on a clause.
enum Effect {
    None,
    Subsumed,
    /// This literal of the clause goes.
    Strengthened(Lit),
}

impl Search {
    /// Deletes and shortens learned clauses, as [`Search::vivify`] does, within as many ticks.
    pub fn subsume(&mut self, ticks: u64) {
        let (base, end) = (self.level(), self.ticks.saturating_add(ticks));
        let mut clauses: Vec<ClauseRef> = self
            .clauses
            .iter()
            .filter(|&c| self.clauses.len(c) <= MAX_SUBSUMED)
            .collect();
        // Of two equal clauses the learned one is to go.
        clauses.sort_by_key(|&c| (self.clauses.len(c), self.clauses.is_learned(c)));
        let mut known: Vec<Vec<ClauseRef>> = vec![Vec::new(); self.levels.len()];
        let mut is_in = vec![false; self.values.len()];
        for clause in clauses {
            if self.ticks > end || self.contradiction || self.level() < base {
                return;
            }
            let literals: Vec<Lit> = (0..self.clauses.len(clause))
                .map(|i| self.clauses.literal(clause, i))
                .collect();
            self.ticks += 1;
            if self.clauses.is_learned(clause) && !self.is_reason(clause) {
                literals.iter().for_each(|l| is_in[l.index()] = true);
                let found = self.effect_on(&literals, &known, &is_in);
                literals.iter().for_each(|l| is_in[l.index()] = false);
                if let Some((by, effect)) = found
                    && self.apply(clause, &literals, by, effect)
                {
                    continue;
                }
            }
            let rarest = literals.iter().min_by_key(|l| (known[l.var().index()].len(), **l));
            known[rarest.expect("clauses have literals").var().index()].push(clause);
        }
    }

    /// The first known clause that has an effect on this one, whose literals are marked.
    fn effect_on(&mut self, literals: &[Lit], known: &[Vec<ClauseRef>], is_in: &[bool]) -> Option<(ClauseRef, Effect)> {
        for lit in literals {
            for &other in &known[lit.var().index()] {
                self.ticks += 1;
                match self.effect_of(other, is_in) {
                    Effect::None => {}
                    effect => return Some((other, effect)),
                }
            }
        }
        None
    }

    fn effect_of(&self, other: ClauseRef, is_in: &[bool]) -> Effect {
        let mut flipped = None;
        for i in 0..self.clauses.len(other) {
            let lit = self.clauses.literal(other, i);
            if is_in[lit.index()] {
                continue;
            }
            if flipped.is_some() || !is_in[(!lit).index()] {
                return Effect::None;
            }
            flipped = Some(!lit);
        }
        flipped.map_or(Effect::Subsumed, Effect::Strengthened)
    }

    /// Changes a clause by another one. False if it stays as it is.
    fn apply(&mut self, clause: ClauseRef, literals: &[Lit], by: ClauseRef, effect: Effect) -> bool {
        match effect {
            Effect::None => false,
            Effect::Subsumed => {
                // The shorter one stays as long as the better of the two would have.
                if self.clauses.is_learned(by) {
                    let lbd = self.clauses.lbd(clause).min(self.clauses.lbd(by));
                    self.clauses.set_lbd(by, lbd);
                }
                self.events.emit(Event::Subsumed);
                self.delete(clause);
                true
            }
            Effect::Strengthened(lit) => {
                let shorter: Vec<Lit> = literals.iter().copied().filter(|&l| l != lit).collect();
                if !self.can_stand(&shorter) {
                    return false;
                }
                let mut derivation = self.derivation();
                derivation.resolve(self.clauses.proof(clause), lit.var());
                derivation.resolve(self.clauses.proof(by), lit.var());
                let proof = self.conclude(&derivation, &shorter);
                self.replace(clause, shorter, proof);
                true
            }
        }
    }
}
