//! Recording of proofs: an observer of the search.
//!
//! The search hands over each clause with its justification; literals of activation variables (which guard the assertions of
//! open scopes) are dropped here, because an open scope's activation literal is true.

use super::sat::clauses::NO_PROOF;
use crate::proof::{ClauseId, Lit, Proof, Step, Var};
use crate::term::TermId;

/// The recorded proof of a solver.
pub(super) struct Recorder {
    proof: Proof,
    /// Which variables are activation literals.
    guard: Vec<bool>,
    /// The unit clause of each literal that is assigned at level zero.
    units: Vec<ClauseId>,
    /// The empty clause, if derived.
    pub empty: Option<ClauseId>,
    buffer: Vec<Lit>,
}

impl Recorder {
    pub fn new() -> Self {
        Recorder {
            proof: Proof::new(Vec::new()),
            guard: Vec::new(),
            units: Vec::new(),
            empty: None,
            buffer: Vec::new(),
        }
    }

    /// The number of recorded clauses.
    pub fn len(&self) -> usize {
        self.proof.len()
    }

    /// A variable was made that stands for `term`.
    pub fn add_var(&mut self, term: TermId, guard: bool) {
        self.proof.atoms.push(term);
        self.guard.push(guard);
        self.units.push(NO_PROOF);
    }

    /// Records a clause.
    pub fn record(&mut self, literals: &[Lit], step: Step) -> ClauseId {
        self.buffer.clear();
        self.buffer
            .extend(literals.iter().copied().filter(|l| !self.guard[l.var().index()]));
        self.proof.push(&self.buffer, step)
    }

    /// Records a resolution chain; a chain of one clause is that clause.
    pub fn chain(&mut self, literals: &[Lit], antecedents: &[ClauseId], pivots: &[Var]) -> ClauseId {
        debug_assert!(antecedents.iter().all(|a| *a != NO_PROOF));
        if let [only] = antecedents {
            return *only;
        }
        self.record(
            literals,
            Step::Chain {
                antecedents: antecedents.into(),
                pivots: pivots.into(),
            },
        )
    }

    /// The unit clause of a variable assigned at level zero.
    pub fn unit(&self, var: Var) -> ClauseId {
        self.units[var.index()]
    }

    /// Notes the unit clause of a variable assigned at level zero.
    pub fn set_unit(&mut self, var: Var, clause: ClauseId) {
        self.units[var.index()] = clause;
    }

    /// The refutation that ends in `empty`.
    pub fn proof(&self, empty: ClauseId) -> Proof {
        let mut proof = self.proof.clone();
        proof.empty = empty;
        proof.trimmed()
    }
}
