//! The search: conflict-driven clause learning modulo theories.
//!
//! Propagation to a fixpoint of clauses and theories, analysis of conflicts, assumptions, decisions; and where nothing is left to decide, the
//! final checks: integers, disequalities, functions. A final check either accepts the candidate model, or asks for a decision, or adds lemmas.

use super::restart::Restart;
use super::search::{Reason, Value};
use crate::proof::Lit;
use crate::solver::euf::functions::Verdict;
use crate::solver::euf::real_functions::RealVerdict;
use crate::solver::events::Event;
use crate::solver::{Answer, REDUCE, Solver, UnknownReason};
use crate::term::{Term, TermId, TermPool};
use std::sync::atomic::Ordering;

/// Why propagation stopped early.
pub(in crate::solver) enum Stop {
    Conflict(Reason),
    Exhausted,
}

/// Integer branches in one check before giving up.
const BRANCHES: u64 = 20_000;
impl Solver {
    pub(in crate::solver) fn stopped(&self) -> Option<UnknownReason> {
        if self.search.ticks > self.limits.deadline {
            return Some(UnknownReason::Ticks);
        }
        let interrupted = self
            .limits
            .interrupt
            .as_ref()
            .is_some_and(|flag| flag.load(Ordering::Relaxed));
        interrupted.then_some(UnknownReason::Interrupted)
    }

    /// The search. `assumed` are the guards of the scopes and the assumptions' literals.
    pub(in crate::solver) fn solve(&mut self, pool: &mut TermPool, assumed: &[Lit], assumptions: &[TermId]) -> Answer {
        let mut restart = Restart::default();
        let mut side: Option<Lit> = None;
        self.last.suggested.clear();
        self.last.fractions = 0;
        let branches = self.search.events.statistics.branches + BRANCHES;
        loop {
            self.theories.arith.tableau.restore();
            if self.search.contradiction {
                return Answer::Unsat;
            }
            match self.propagate(assumed.len()) {
                Err(Stop::Exhausted) => return Answer::Unknown(self.stopped().unwrap_or(UnknownReason::Ticks)),
                Err(Stop::Conflict(conflict)) => {
                    self.last.suggested.clear();
                    match self.resolve_conflict(conflict) {
                        Some(distance) => restart.learned(distance),
                        None => return Answer::Unsat,
                    }
                    if let Some(reason) = self.stopped() {
                        return Answer::Unknown(reason);
                    }
                    continue;
                }
                Ok(()) => {}
            }
            if (self.search.level() as usize) < assumed.len() {
                let next = assumed[self.search.level() as usize];
                match self.search.value(next) {
                    Value::False => {
                        self.fail(next, assumed, assumptions, pool);
                        return Answer::Unsat;
                    }
                    value => {
                        self.search.new_level();
                        if value == Value::Open {
                            self.search.events.emit(Event::Decision);
                            self.search.assign(next, Reason::None);
                        }
                    }
                }
                continue;
            }
            if let Some(reason) = self.stopped() {
                return Answer::Unknown(reason);
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
                self.search.events.emit(Event::Decision);
                self.search.new_level();
                self.search.assign(decision, Reason::None);
                continue;
            }
            self.search.events.emit(Event::FinalCheck);
            self.theories.arith.tableau.concretise();
            side = self.branch(pool).or_else(|| self.split_disequality());
            if side.is_some() {
                restart.branched();
                if self.search.events.statistics.branches > branches {
                    return Answer::Unknown(UnknownReason::Incomplete("too many integer branches"));
                }
                continue;
            }
            self.assign_pure();
            let before = (self.live.log.len(), self.search.events.statistics.lemmas);
            let verdict = match self.check_real_functions(pool) {
                RealVerdict::Consistent => self.check_functions(pool),
                RealVerdict::Refined => Verdict::Refined,
                RealVerdict::Stuck => Verdict::Stuck("mixed lemma"),
            };
            match verdict {
                Verdict::Consistent(cells, points) => {
                    (self.theories.cells.model, self.theories.euf.points) = (cells, points);
                    return Answer::Sat;
                }
                Verdict::Stuck(reason) => return Answer::Unknown(UnknownReason::Incomplete(reason)),
                Verdict::Refined => {
                    self.add_eager_instances(pool);
                    let stuck = self
                        .last
                        .suggested
                        .iter()
                        .all(|v| self.search.value(v.positive()) != Value::Open);
                    if stuck && before == (self.live.log.len(), self.search.events.statistics.lemmas) {
                        return Answer::Unknown(UnknownReason::Incomplete("no progress of lemmas"));
                    }
                }
            }
        }
    }

    /// Propagates clauses and bounds to a fixpoint. The tableau is checked only when all assumptions stand.
    pub(in crate::solver) fn propagate(&mut self, assumed: usize) -> Result<(), Stop> {
        loop {
            if let Some(conflict) = self.search.propagate() {
                return Err(Stop::Conflict(conflict));
            }
            if let Some(conflict) = self.theories.arith.take_over(&mut self.search) {
                self.search.events.emit(Event::TheoryConflict);
                return Err(Stop::Conflict(conflict));
            }
            if let Some(conflict) = self.theories.euf.egraph.take_over(&mut self.search) {
                self.search.events.emit(Event::TheoryConflict);
                return Err(Stop::Conflict(conflict));
            }
            if self.search.head < self.search.trail.len() {
                continue;
            }
            if (self.search.level() as usize) < assumed {
                return Ok(());
            }
            let (deadline, interrupt) = (self.limits.deadline, self.limits.interrupt.clone());
            let mut may_go_on =
                |ticks| ticks <= deadline && !interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed));
            match self.theories.arith.check(&mut self.search, &mut may_go_on) {
                Ok(()) => {}
                Err(None) => return Err(Stop::Exhausted),
                Err(Some(conflict)) => {
                    self.search.events.emit(Event::TheoryConflict);
                    return Err(Stop::Conflict(conflict));
                }
            }
            self.theories.arith.propagate_rows(&mut self.search);
            if self.search.head == self.search.trail.len() {
                return Ok(());
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
        let lesson = self.search.analyze(conflict, &mut self.theories.euf.egraph);
        self.search.backtrack(lesson.level);
        self.search.learn(&lesson);
        self.search.order.decay();
        Some(lesson.lbd)
    }

    /// The core, and where it is empty the refutation, of an assumption that is false.
    pub(in crate::solver) fn fail(&mut self, failed: Lit, assumed: &[Lit], assumptions: &[TermId], pool: &TermPool) {
        self.search.explain_reasons(&mut self.theories.euf.egraph);
        let (core, proof) = self.search.analyze_final(failed);
        let scopes = self.assertions.scopes.len();
        let real = assumptions.iter().filter(|&&a| *pool.term(a) != Term::True);
        for (&lit, &term) in assumed[scopes..].iter().zip(real) {
            if core.contains(&lit) && !self.last.core.contains(&term) {
                self.last.core.push(term);
            }
        }
        if self.last.core.is_empty() && self.search.events.is_traced() {
            self.last.refutation = Some(proof);
        }
    }
}
