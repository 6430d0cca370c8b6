//! The recorder of proofs: an observer of the solver's [events](super::events).
//!
//! Clauses that were deleted are forgotten from time to time, but for those on which others rest. That is done whenever the proof has doubled, so it costs no more than the recording itself.
//!
//! Literals of activation variables (which guard the assertions of open scopes) are dropped here, because an open scope's
//! activation literal is true.

use super::events::{Event, Observer};
use crate::proof::{ClauseId, Lit, Proof, Step};

/// Proofs with fewer clauses are kept as they are.
const CROWDED: usize = 10_000;

/// The recorded proof of a solver.
pub(super) struct Recorder {
    /// The clauses that are not forgotten.
    proof: Proof,
    /// The place of each clause in the proof, by its number; `None` if it is forgotten.
    places: Vec<Option<ClauseId>>,
    /// The number of clauses in the proof at which it is worth while to look for such as can be forgotten.
    crowded: usize,
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
            places: Vec::new(),
            crowded: CROWDED,
            is_guard: Vec::new(),
            empty: None,
            buffer: Vec::new(),
        }
    }

    /// The number of clauses that were recorded.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The number of these that are not forgotten.
    pub fn remembered(&self) -> usize {
        self.proof.len()
    }

    /// Whether there may be many clauses that can be forgotten.
    pub fn is_crowded(&self) -> bool {
        self.proof.len() >= self.crowded
    }

    /// Forgets the clauses on which none of those of these numbers rests.
    pub fn keep(&mut self, clauses: impl Iterator<Item = ClauseId>) {
        let mut live: Vec<ClauseId> = clauses.chain(self.empty).map(|clause| self.place(clause)).collect();
        live.sort_unstable();
        live.dedup();
        let renamed = self.proof.keep(&live);
        for place in &mut self.places {
            *place = place.and_then(|place| renamed[place.index()]);
        }
        self.crowded = CROWDED.max(2 * self.proof.len());
    }

    /// The refutation that ends in `empty`.
    pub fn proof(&self, empty: ClauseId) -> Proof {
        self.proof.behind(self.place(empty))
    }

    fn place(&self, clause: ClauseId) -> ClauseId {
        self.places[clause.index()].expect("what is needed later is not forgotten")
    }

    fn record(&mut self, literals: &[Lit], step: Step) {
        self.buffer.clear();
        self.buffer
            .extend(literals.iter().copied().filter(|l| !self.is_guard[l.var().index()]));
        let place = self.proof.push(&self.buffer, step);
        self.places.push(Some(place));
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
                    antecedents: antecedents.iter().map(|&clause| self.place(clause)).collect(),
                    pivots: pivots.into(),
                },
            ),
            Event::Refuted { clause } => self.empty = Some(clause),
            _ => {}
        }
    }
}
