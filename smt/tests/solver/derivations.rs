//! An observer that resolves again whatever a solver claims to have resolved, also where no proof comes of it.

use provident_smt::proof::{ClauseId, Lit};
use provident_smt::solver::{Event, Observer};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// The number of events of each sort that were seen.
#[derive(Default)]
pub struct Counts {
    /// Open scopes.
    pub scopes: usize,
    /// Numbered clauses.
    pub clauses: usize,
    /// Checks that began.
    pub checks: u64,
    /// Decisions.
    pub decisions: u64,
    /// Analysed conflicts.
    pub conflicts: u64,
}

/// The observer.
pub struct Derivations {
    counts: Arc<Mutex<Counts>>,
    /// Which variables are activation variables.
    is_guard: Vec<bool>,
    /// The activation literals of the open scopes.
    scopes: Vec<Lit>,
    /// The clauses by number, without activation literals.
    clauses: Vec<BTreeSet<Lit>>,
}

impl Derivations {
    /// An observer that has seen nothing.
    pub fn new(counts: Arc<Mutex<Counts>>) -> Self {
        Derivations {
            counts,
            is_guard: Vec::new(),
            scopes: Vec::new(),
            clauses: Vec::new(),
        }
    }

    fn without_guards(&self, literals: &[Lit]) -> BTreeSet<Lit> {
        let is_formula = |lit: &&Lit| !self.is_guard[lit.var().index()];
        literals.iter().filter(is_formula).copied().collect()
    }

    fn clause(&self, number: ClauseId) -> &BTreeSet<Lit> {
        self.clauses
            .get(number.index())
            .expect("clauses come before their uses")
    }
}

impl Observer for Derivations {
    fn observe(&mut self, event: &Event<'_>) {
        let mut counts = self.counts.lock().expect("no panic");
        match *event {
            Event::Variable { is_guard, .. } => self.is_guard.push(is_guard),
            Event::ScopeOpened { guard } => {
                assert!(self.is_guard[guard.var().index()], "a scope has an activation literal");
                self.scopes.push(guard);
            }
            Event::ScopeClosed { guard } => {
                assert_eq!(self.scopes.pop(), Some(guard), "the innermost scope is closed");
            }
            Event::Axiom { literals, .. } => {
                let clause = self.without_guards(literals);
                self.clauses.push(clause);
            }
            Event::Resolvent {
                literals,
                antecedents,
                pivots,
            } => {
                assert_eq!(antecedents.len(), pivots.len() + 1, "a pivot between any two clauses");
                let mut resolvent = self.clause(antecedents[0]).clone();
                for (&antecedent, pivot) in antecedents[1..].iter().zip(pivots) {
                    let mut other = self.clause(antecedent).clone();
                    let lit = pivot.positive();
                    let resolves = [(lit, !lit), (!lit, lit)]
                        .into_iter()
                        .any(|(own, negated)| resolvent.remove(&own) && other.remove(&negated));
                    assert!(resolves, "both clauses have the pivot, with different signs");
                    resolvent.append(&mut other);
                }
                let claimed = self.without_guards(literals);
                assert_eq!(resolvent, claimed, "the resolvent is what resolution gives");
                self.clauses.push(resolvent);
            }
            Event::Refuted { clause } => assert!(self.clause(clause).is_empty(), "a refutation is empty"),
            Event::Check => counts.checks += 1,
            Event::Decision => counts.decisions += 1,
            Event::Conflict => counts.conflicts += 1,
            _ => {}
        }
        (counts.scopes, counts.clauses) = (self.scopes.len(), self.clauses.len());
    }
}
