//! Scopes and what is asserted in them.
//!
//! An assertion in a scope is a clause guarded by the scope's activation literal (Een and Sorensson, *Temporal induction by incremental SAT solving*,
//! 2003). To close the scope is never to assume the guard again; the clauses are collected later, many scopes at once, to keep the trail of the outer ones.

use super::Solver;
use super::clauses;
use super::search::{Reason, Value};
use crate::proof::{Lit, Part, Step};
use crate::term::{Term, TermId, TermPool};

/// After so many closed scopes their clauses are collected.
pub(super) const DEAD_SCOPES: usize = 64;
/// Lengths of the logs of liveness.
#[derive(Clone, Copy)]
pub(super) struct LiveMark {
    pub log: usize,
    pub columns: usize,
    pub apps: usize,
    pub real_apps: usize,
    pub updates: usize,
    pub roots: usize,
}

/// An open scope.
pub(super) struct Scope {
    pub guard: Lit,
    mark: LiveMark,
    asserted: usize,
}

impl Solver {
    /// Opens a scope.
    pub fn push(&mut self) {
        self.end_check();
        let guard = self.search.new_var(self.truth, true, true, 0).positive();
        self.terms.push(self.truth);
        let (mark, asserted) = (self.mark(), self.asserted.len());
        self.scopes.push(Scope { guard, mark, asserted });
    }

    /// Closes the innermost scope: its assertions are gone.
    ///
    /// # Panics
    /// If no scope is open.
    pub fn pop(&mut self) {
        self.end_check();
        let scope = self.scopes.pop().expect("pop without push");
        self.lemma_roots.clear();
        self.deactivate(scope.mark);
        self.asserted.truncate(scope.asserted);
        // The guard is never assumed again. Its clauses are collected later, to keep the trail of the outer scopes.
        self.search
            .backtrack(u32::try_from(self.scopes.len()).expect("few scopes"));
        self.dead_guards.push(scope.guard);
    }

    /// The number of open scopes.
    pub fn scopes(&self) -> usize {
        self.scopes.len()
    }

    /// Asserts a formula in the innermost scope. `part` labels it for interpolation.
    pub fn assert(&mut self, pool: &mut TermPool, formula: TermId, part: Part) {
        self.end_check();
        self.part = part;
        let formula = self.lift_definitions(pool, formula);
        self.asserted.push(formula);
        if self.config.interpolation {
            for symbol in pool.symbols(formula) {
                let interval = self.intervals.entry(symbol).or_insert((part.0, part.0));
                *interval = (interval.0.min(part.0), interval.1.max(part.0));
            }
        }
        let guard = self.scopes.last().map(|s| !s.guard);
        for conjunct in pool.conjuncts(formula) {
            let mut clause: Vec<Lit> = guard.into_iter().collect();
            match pool.term(conjunct) {
                Term::True => continue,
                Term::False => {}
                _ => {
                    self.activate_root(pool, conjunct);
                    clause.insert(0, self.literal(pool, conjunct));
                }
            }
            let proof = self.search.record_leaf(
                &clause,
                Step::Input {
                    part,
                    formula: conjunct,
                },
            );
            self.search.add_clause(&clause, proof);
        }
    }

    /// Asserts in the innermost scope that one of these formulas is false. All of their atoms are [observed](Solver::observe), so that none of the formulas
    /// needs a justification of its own. Cheaper than asserting the disjunction, which gets a name and a definition.
    pub fn exclude(&mut self, pool: &mut TermPool, formulas: &[TermId]) {
        if self.search.recorder.is_some() {
            let both = pool.and(formulas);
            let excluded = pool.not(both);
            return self.assert(pool, excluded, Part(0));
        }
        self.end_check();
        let mut clause: Vec<Lit> = self.scopes.last().map(|s| !s.guard).into_iter().collect();
        for &formula in formulas {
            match pool.term(formula) {
                Term::True => {}
                Term::False => return,
                _ => clause.push(!self.literal(pool, formula)),
            }
        }
        self.search.add_clause(&clause, clauses::NO_PROOF);
    }

    pub(super) fn mark(&self) -> LiveMark {
        LiveMark {
            log: self.live_log.len(),
            columns: self.live_columns.len(),
            apps: self.live_apps.len(),
            real_apps: self.live_real_apps.len(),
            updates: self.live_updates.len(),
            roots: self.roots.len(),
        }
    }

    /// Forgets what belongs to the last check only.
    pub(super) fn end_check(&mut self) {
        self.answer = None;
        self.arith.tableau.restore();
        if let Some(mark) = self.check_mark.take() {
            self.deactivate(mark);
        }
    }

    /// Deletes the clauses of closed scopes.
    pub(super) fn collect_scopes(&mut self) {
        self.search.backtrack(0);
        if self.search.contradiction || self.search.propagate().is_some() {
            // The conflict is found again by the check that follows.
            self.search.head = 0;
            return;
        }
        for guard in std::mem::take(&mut self.dead_guards) {
            if self.search.value(guard) == Value::Open {
                self.search.assign(!guard, Reason::None);
            }
        }
        self.search.delete_satisfied();
    }
}
