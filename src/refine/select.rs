//! The operator `select`: which candidate refinements make up the one that is applied (thesis, section 4.2.2).
//!
//! What is not selected is delayed: if it is still needed after the next exploration, its target state is found again.

/// The selectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SelectKind {
    /// The first candidate (`S_F`).
    First,
    /// All candidates joined (`S_∪`).
    #[default]
    JoinAll,
    /// The first `k` candidates joined (`S_≤k`); a `k` of 0 counts as 1.
    JoinAtMost(usize),
}

/// A selection operator.
///
/// Law: for a non-empty input the output is a non-empty list of members of the input in the same order. The refinement that is applied is their join.
pub trait Select {
    /// Chooses among candidates in rank order.
    fn select<C>(&self, candidates: Vec<C>) -> Vec<C>;
}

impl Select for SelectKind {
    fn select<C>(&self, mut candidates: Vec<C>) -> Vec<C> {
        match self {
            SelectKind::First => candidates.truncate(1),
            SelectKind::JoinAll => {}
            SelectKind::JoinAtMost(k) => candidates.truncate((*k).max(1)),
        }
        candidates
    }
}
