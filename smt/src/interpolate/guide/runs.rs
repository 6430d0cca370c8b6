//! The lemma of a chain, run by run.
//!
//! Propagation through a whole chain needs the formulas between its resolutions. Where arguments of a connective contradict each other, that connective is a constant, and nothing is left to propagate through; and a pivot that
//! counts to both sides makes two cases. So each run of resolutions with one connective gets a lemma of its own.

use super::super::walk::Label;
use super::{Reach, Replay, Value};
use crate::proof::{ClauseId, Lit, Var};
use crate::term::TermId;

/// The clause, partial interpolant and lemma behind some resolutions of a chain.
struct State {
    clause: Vec<Lit>,
    partial: TermId,
    /// None if the lemma is trivial.
    lemma: Option<ClauseId>,
}

impl Replay<'_> {
    /// The lemma of a chain with these antecedents, and the partial interpolant of which it speaks. That one is built here once more, and may differ in its form from the walk's.
    pub(super) fn by_runs(&mut self, antecedents: &[ClauseId], pivots: &[Var]) -> Option<(ClauseId, TermId)> {
        let mut state = self.antecedent(antecedents[0]);
        let mut start = 0;
        while start < pivots.len() {
            let label = self.guide.labels[pivots[start].index()];
            let same = pivots[start..]
                .iter()
                .take_while(|pivot| self.guide.labels[pivot.index()] == label);
            let length = if label == Label::Both { 1 } else { same.count() };
            let run = start..start + length;
            let others: Vec<State> = antecedents[1..][run.clone()]
                .iter()
                .map(|&id| self.antecedent(id))
                .collect();
            state = match label {
                Label::Both => self.select(state, others, pivots[start])?,
                _ => self.join(state, others, &pivots[run], label)?,
            };
            start += length;
        }
        Some((state.lemma?, state.partial))
    }

    fn antecedent(&self, id: ClauseId) -> State {
        State {
            clause: self.guide.proof.clause(id).to_vec(),
            partial: self.guide.partial[id.index()],
            lemma: self.lemmas[id.index()],
        }
    }

    /// Resolves with others on pivots of one side.
    fn join(&mut self, first: State, others: Vec<State>, pivots: &[Var], label: Label) -> Option<State> {
        let mut clause = first.clause;
        let (mut parts, mut lemmas) = (vec![first.partial], Vec::from_iter(first.lemma));
        for (other, &pivot) in others.into_iter().zip(pivots) {
            clause = resolve(clause, &other.clause, pivot);
            parts.push(other.partial);
            lemmas.extend(other.lemma);
        }
        let partial = match label {
            Label::A => self.pool.or(&parts),
            _ => self.pool.and(&parts),
        };
        self.conclude(clause, partial, &parts, &lemmas)
    }

    /// Resolves with another on a pivot of both sides: `(p | I1) & (!p | I2)` with a lemma for each conjunct.
    fn select(&mut self, first: State, others: Vec<State>, pivot: Var) -> Option<State> {
        let clauses = others.iter().map(|other| &other.clause);
        let clause = clauses.fold(first.clause.clone(), |clause, other| resolve(clause, other, pivot));
        let (mut parts, mut lemmas) = (Vec::new(), Vec::new());
        for state in std::iter::once(first).chain(others) {
            let lit = state.clause.iter().copied().find(|lit| lit.var() == pivot)?;
            let formula = self.formula(lit);
            let part = self.pool.or(&[formula, state.partial]);
            let mut rest = state.clause;
            // The disjunction says the pivot for A, and allows it for B.
            if matches!(self.side, super::Side::A) {
                rest.retain(|&other| other != lit);
            }
            let concluded = self.conclude(rest, part, &[state.partial], &Vec::from_iter(state.lemma))?;
            lemmas.extend(concluded.lemma);
            parts.push(part);
        }
        let partial = self.pool.and(&parts);
        self.conclude(clause, partial, &parts, &lemmas)
    }

    /// Derives the lemma of a clause with its partial interpolant from those that it was made of.
    fn conclude(&mut self, clause: Vec<Lit>, partial: TermId, parts: &[TermId], lemmas: &[ClauseId]) -> Option<State> {
        let mut target: Vec<Lit> = clause.iter().copied().filter(|lit| self.belongs(lit.var())).collect();
        let is_trivial = match self.own(partial) {
            Value::Constant(value) => value,
            Value::Literal(lit) => {
                target.push(lit);
                target.iter().any(|&lit| target.contains(&!lit))
            }
        };
        let lemma = if is_trivial {
            None
        } else {
            let nodes = self.nodes(partial, parts, Reach::New);
            Some(self.derive(&target, lemmas, &nodes)?)
        };
        Some(State { clause, partial, lemma })
    }
}

/// The resolvent of two clauses.
fn resolve(mut clause: Vec<Lit>, other: &[Lit], pivot: Var) -> Vec<Lit> {
    clause.extend(other);
    clause.retain(|lit| lit.var() != pivot);
    clause.sort_unstable();
    clause.dedup();
    clause
}
