//! The search: conflict-driven clause learning modulo theories.
//!
//! Propagation to a fixpoint of clauses and theories, analysis of conflicts, assumptions, decisions; and where nothing is left to decide, the
//! final checks. They accept the candidate model, ask for a decision, or add lemmas.

use super::restart::Restart;
use super::search::{Reason, Search, Value};
use crate::proof::Lit;
use crate::solver::events::Event;
use crate::solver::limits::MAX_BRANCHES;
use crate::solver::theory::{Stop, Theory, Verdict};
use crate::solver::{Answer, Limits, REDUCE, Solver, UnknownReason};
use crate::term::{Term, TermId, TermPool};

impl Search {
    /// Opens a level with a literal that is not false: as its decision, if the literal is open.
    fn assume(&mut self, lit: Lit) {
        self.new_level();
        if self.value(lit) == Value::Open {
            self.events.emit(Event::Decision);
            self.assign(lit, Reason::None);
        }
    }

    /// Propagates clauses and theories to a fixpoint. The theories are checked in full only when all assumptions stand.
    fn propagate_all(&mut self, theory: &mut impl Theory, limits: &Limits, assumed: usize) -> Result<(), Stop> {
        loop {
            if let Some(conflict) = self.propagate() {
                return Err(Stop::Conflict(conflict));
            }
            if let Err(conflict) = theory.take_over(self) {
                self.events.emit(Event::TheoryConflict);
                return Err(Stop::Conflict(conflict));
            }
            if self.head < self.trail.len() {
                continue;
            }
            if (self.level() as usize) < assumed {
                return Ok(());
            }
            if let Err(stop) = theory.check(self, limits) {
                if matches!(stop, Stop::Conflict(_)) {
                    self.events.emit(Event::TheoryConflict);
                }
                return Err(stop);
            }
            theory.propagate(self);
            if self.head == self.trail.len() {
                return Ok(());
            }
        }
    }
}

impl Solver {
    /// The search. `assumed` are the guards of the scopes and the assumptions' literals.
    pub(in crate::solver) fn solve(&mut self, pool: &mut TermPool, assumed: &[Lit], assumptions: &[TermId]) -> Answer {
        let mut restart = Restart::default();
        let mut side: Option<Lit> = None;
        self.last.suggested.clear();
        self.last.fractions = 0;
        (self.last.dives, self.last.dive_at, self.last.is_diving) = (0, 0, false);
        let branches = self.search.events.statistics.branches + MAX_BRANCHES;
        loop {
            self.theories.end_candidate();
            if self.search.contradiction {
                return Answer::Unsat;
            }
            match self
                .search
                .propagate_all(&mut self.theories, &self.limits, assumed.len())
                .and_then(|()| self.propagate_cliques().map_err(Stop::Conflict))
            {
                Err(Stop::Exhausted) => {
                    return Answer::Unknown(self.limits.exceeded(self.search.ticks).unwrap_or(UnknownReason::Ticks));
                }
                Err(Stop::Conflict(conflict)) => {
                    self.last.suggested.clear();
                    match self.resolve_conflict(conflict) {
                        Some(distance) => restart.learned(distance),
                        None => return Answer::Unsat,
                    }
                    if let Some(reason) = self.limits.exceeded(self.search.ticks) {
                        return Answer::Unknown(reason);
                    }
                    continue;
                }
                Ok(true) => continue,
                Ok(false) => {}
            }
            if let Some(&next) = assumed.get(self.search.level() as usize) {
                if self.search.is_false(next) {
                    self.fail(next, assumed, assumptions, pool);
                    return Answer::Unsat;
                }
                self.search.assume(next);
                continue;
            }
            if let Some(reason) = self.limits.exceeded(self.search.ticks) {
                return Answer::Unknown(reason);
            }
            let is_root = self.search.level() as usize == assumed.len();
            if self.finite.is_due(self.search.ticks, is_root) {
                self.search.backtrack(assumed.len() as u32);
                self.change_engine(pool);
                continue;
            }
            if is_root && self.prepare_finite(pool) {
                continue;
            }
            if restart.restarting() && self.search.level() as usize > assumed.len() {
                self.search.events.emit(Event::Restart);
                self.search.backtrack(assumed.len() as u32);
                if self.inprocessing() {
                    self.inprocess();
                }
                continue;
            }
            if self.search.clauses.learned() > self.schedule.reduce_at {
                self.schedule.reduce_at += REDUCE / 4;
                self.search.reduce();
            }
            if let Some(decision) = side
                .take()
                .filter(|&l| self.search.value(l) == Value::Open)
                .or_else(|| self.decide(pool))
            {
                self.search.assume(decision);
                continue;
            }
            if self.theories.arith.resting.is_some() {
                // The simplex has the last word.
                match self.theories.arith.settle(&mut self.search, &self.limits) {
                    Ok(()) => {}
                    Err(Stop::Exhausted) => {
                        return Answer::Unknown(
                            self.limits.exceeded(self.search.ticks).unwrap_or(UnknownReason::Ticks),
                        );
                    }
                    Err(Stop::Conflict(conflict)) => {
                        self.search.events.emit(Event::TheoryConflict);
                        match self.resolve_conflict(conflict) {
                            Some(distance) => restart.learned(distance),
                            None => return Answer::Unsat,
                        }
                        continue;
                    }
                }
            }
            self.search.events.emit(Event::FinalCheck);
            let verdict = self.final_check(pool);
            self.define_rows(pool);
            match verdict {
                Verdict::Consistent => return Answer::Sat,
                Verdict::Stuck(reason) => return Answer::Unknown(UnknownReason::Incomplete(reason)),
                Verdict::Refined => {}
                Verdict::Decide(decision) => {
                    side = Some(decision);
                    restart.branched();
                    if self.is_dive_due() {
                        side = None;
                        self.theories.end_candidate();
                        self.search.backtrack(assumed.len() as u32);
                    }
                    if self.search.events.statistics.branches > branches {
                        return Answer::Unknown(UnknownReason::Incomplete("too many integer branches"));
                    }
                }
            }
        }
    }

    /// Learns from a conflict and goes back. Returns the distance of what was learned, or none if the clauses are contradictory.
    pub(in crate::solver) fn resolve_conflict(&mut self, conflict: Reason) -> Option<u32> {
        self.search.events.emit(Event::Conflict);
        let level = self.search.conflict_level(conflict);
        if level == 0 {
            self.search.refute(conflict);
            return None;
        }
        let conflict = self.search.backtrack_with(level, conflict);
        let lesson = self.search.analyze(conflict, &mut self.theories);
        self.search.backtrack(lesson.level);
        self.search.learn(&lesson);
        self.search.order.decay();
        Some(lesson.lbd)
    }

    /// The core, and where it is empty the refutation, of an assumption that is false.
    pub(in crate::solver) fn fail(&mut self, failed: Lit, assumed: &[Lit], assumptions: &[TermId], pool: &TermPool) {
        self.search.explain_reasons(&mut self.theories);
        let (core, proof) = self.search.analyze_final(failed);
        let scopes = self.assertions.scopes.len();
        let real = assumptions.iter().filter(|&&a| *pool.term(a) != Term::True);
        for (&lit, &term) in assumed[scopes..].iter().zip(real) {
            if core.contains(&lit) && !self.last.core.contains(&term) {
                self.last.core.push(term);
            }
        }
        self.last.failed = self.search.events.is_traced().then_some(proof);
        if self.last.core.is_empty() && self.search.events.is_traced() {
            self.last.refutation = Some(proof);
        }
    }
}
