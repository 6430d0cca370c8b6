//! The recorder of proofs: an observer of the solver's [events](super::events).
//!
//! Literals of activation variables (which guard the assertions of open scopes) are dropped here, because an open scope's
//! activation literal is true.

use super::events::{Event, Observer};
use crate::proof::{ClauseId, Lit, Proof, Step};

/// The recorded proof of a solver.
pub(super) struct Recorder {
    /// All clauses, each at its number.
    proof: Proof,
    /// For each variable, whether it is an activation literal.
    is_guard: Vec<bool>,
    /// The clause that shows that the clauses are contradictory, if there is one.
    pub empty: Option<ClauseId>,
    buffer: Vec<Lit>,
}

impl Recorder {
    pub fn new() -> Self {
        Recorder {
            proof: Proof::new(Vec::new()),
            is_guard: Vec::new(),
            empty: None,
            buffer: Vec::new(),
        }
    }

    /// The number of recorded clauses.
    pub fn len(&self) -> usize {
        self.proof.len()
    }

    /// The refutation that ends in `empty`.
    pub fn proof(&self, empty: ClauseId) -> Proof {
        let mut proof = self.proof.clone();
        proof.empty = empty;
        proof.trimmed()
    }

    fn record(&mut self, literals: &[Lit], step: Step) {
        self.buffer.clear();
        self.buffer
            .extend(literals.iter().copied().filter(|l| !self.is_guard[l.var().index()]));
        self.proof.push(&self.buffer, step);
    }
}

impl Observer for Recorder {
    #[inline(always)]
    fn observe(&mut self, event: &Event<'_>) {
        match *event {
            Event::Variable { term, is_guard } => {
                self.proof.atoms.push(term);
                self.is_guard.push(is_guard);
            }
            Event::Axiom { literals, step } => self.record(literals, step.clone()),
            Event::Resolvent {
                literals,
                antecedents,
                pivots,
            } => self.record(
                literals,
                Step::Chain {
                    antecedents: antecedents.into(),
                    pivots: pivots.into(),
                },
            ),
            Event::Refuted { clause } => self.empty = Some(clause),
            _ => {}
        }
    }
}
