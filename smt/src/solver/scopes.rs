//! Scopes and their assertions.
//!
//! An assertion in a scope is a clause guarded by the scope's activation literal (Een and Sorensson, *Temporal induction by incremental SAT solving*,
//! 2003). To close the scope is never to assume the guard again; the clauses are collected later, many scopes at once, to keep the trail of the outer ones.

use super::Solver;
use super::events::Event;
use super::sat::clauses;
use super::sat::search::{Reason, Value};
use super::theory::Theory;
use crate::hash::FxHashMap;
use crate::proof::{Lit, Part, Step};
use crate::term::{Symbol, Term, TermId, TermPool};

/// The assertions.
#[derive(Default)]
pub(super) struct Assertions {
    /// The open scopes, the outermost first.
    pub scopes: Vec<Scope>,
    /// The activation literals of closed scopes whose clauses are still there.
    pub dead_guards: Vec<Lit>,
    /// The formulas asserted now.
    pub asserted: Vec<TermId>,
    /// For each symbol the first and the last part that it occurs in, when interpolating.
    pub intervals: FxHashMap<Symbol, (u32, u32)>,
    /// The label of clauses that are made now.
    pub part: Part,
}

/// An open scope.
pub(super) struct Scope {
    pub guard: Lit,
    mark: super::live::LiveMark,
    asserted: usize,
}

impl Solver {
    /// Opens a scope.
    pub fn push(&mut self) {
        self.end_check();
        let guard = self.search.new_var(self.formulas.truth, true, true, 0).positive();
        self.formulas.terms.push(self.formulas.truth);
        self.search.events.emit(Event::ScopeOpened { guard });
        let (mark, asserted) = (self.live.mark(), self.assertions.asserted.len());
        self.assertions.scopes.push(Scope { guard, mark, asserted });
    }

    /// Closes the innermost scope: its assertions are gone.
    ///
    /// # Panics
    /// If no scope is open.
    pub fn pop(&mut self) {
        self.end_check();
        let scope = self.assertions.scopes.pop().expect("pop without push");
        self.live.lemma_roots.clear();
        self.deactivate(scope.mark);
        self.assertions.asserted.truncate(scope.asserted);
        self.drop_joins();
        // The guard is never assumed again. Its clauses are collected later, to keep the trail of the outer scopes.
        self.search
            .backtrack(u32::try_from(self.assertions.scopes.len()).expect("few scopes"));
        self.assertions.dead_guards.push(scope.guard);
        self.search.events.emit(Event::ScopeClosed { guard: scope.guard });
    }

    /// The number of open scopes.
    pub fn scopes(&self) -> usize {
        self.assertions.scopes.len()
    }

    /// Asserts a formula in the innermost scope. `part` labels it for interpolation.
    pub fn assert(&mut self, pool: &mut TermPool, formula: TermId, part: Part) {
        self.end_check();
        self.assertions.part = part;
        let formula = self.lift_choices(pool, formula);
        let formula = self.lift_definitions(pool, formula);
        self.assertions.asserted.push(formula);
        if self.config.interpolation {
            for symbol in pool.symbols(formula) {
                let interval = self.assertions.intervals.entry(symbol).or_insert((part.0, part.0));
                *interval = (interval.0.min(part.0), interval.1.max(part.0));
            }
        }
        let guard = self.assertions.scopes.last().map(|s| !s.guard);
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
            let formula = conjunct;
            let proof = self.search.events.axiom(&clause, &Step::Input { part, formula });
            self.search.add_clause(&clause, proof);
            self.find_joins(pool, conjunct);
        }
    }

    /// Asserts in the innermost scope that one of these formulas is false. All of their atoms are [observed](Solver::observe), so that none of the formulas
    /// needs a justification of its own. Cheaper than asserting the disjunction, which gets a name and a definition.
    pub fn exclude(&mut self, pool: &mut TermPool, formulas: &[TermId]) {
        if self.search.events.is_traced() {
            let both = pool.and(formulas);
            let excluded = pool.not(both);
            return self.assert(pool, excluded, Part(0));
        }
        self.end_check();
        let mut clause: Vec<Lit> = self.assertions.scopes.last().map(|s| !s.guard).into_iter().collect();
        for &formula in formulas {
            match pool.term(formula) {
                Term::True => {}
                Term::False => return,
                _ => clause.push(!self.literal(pool, formula)),
            }
        }
        self.search.add_clause(&clause, clauses::NO_PROOF);
    }

    /// Forgets what belongs to the last check only.
    pub(super) fn end_check(&mut self) {
        self.last.answer = None;
        self.theories.end_candidate();
        if let Some(mark) = self.last.mark.take() {
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
        for guard in std::mem::take(&mut self.assertions.dead_guards) {
            if self.search.value(guard) == Value::Open {
                self.search.assign(!guard, Reason::None);
            }
        }
        self.search.delete_satisfied();
        self.forget_rows();
    }

    /// The part in which all symbols of these terms may occur, if there is one. Without interpolation there always is.
    pub(super) fn common_part(&self, pool: &TermPool, terms: &[TermId]) -> Option<Part> {
        if !self.config.interpolation {
            return Some(Part(0));
        }
        let (first, last) = self.interval_of(pool, terms);
        (first <= last).then_some(Part(first))
    }

    /// The first and the last part in which all symbols of these terms may occur; empty if the first is above the last.
    pub(super) fn interval_of(&self, pool: &TermPool, terms: &[TermId]) -> (u32, u32) {
        let (mut first, mut last) = (0, u32::MAX);
        for symbol in pool.symbols_of(terms) {
            if let Some(&(from, to)) = self.assertions.intervals.get(&symbol) {
                first = first.max(from);
                last = last.min(to);
            }
        }
        (first, last)
    }
}
