//! Theories, as the search sees them, and their combination.
//!
//! The search works with anything that is a [`Theory`]: it hands over the trail and gets implied literals, conflicts and explanations back. Each theory does so
//! at two efforts: [`Theory::take_over`] after every propagation of clauses, [`Theory::check`] before every decision.
//!
//! The *final check* of a candidate, where nothing is left to decide, is a third one. It makes atoms, lemmas and terms, so it is no part of the trait but a list
//! of steps, [`FINAL_CHECKS`], in the order of their cost. The first step that does not accept the candidate decides what comes next.
//!
//! **Combination.** What is pure belongs to congruence closure alone (see [`purity`](super::euf::purity)), the rest to arithmetic; equations may be known to
//! both. Both follow one trail, so what one implies, the other one learns. Functions of numbers, and updates, are left to the final check, which
//! adds instances of their axioms where a candidate violates them.

use super::Limits;
use super::sat::search::{Reason, Search};
use crate::proof::Lit;

/// Why a theory stops the search.
pub(super) enum Stop {
    /// A clause whose literals are all false.
    Conflict(Reason),
    /// The effort allowed was spent.
    Exhausted,
}

/// By this a theory finds an explanation that it has promised.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticket(pub u32, pub u32);

/// Those who follow the trail. The search notes for each how short the trail has been since it last looked.
#[derive(Clone, Copy)]
pub(super) enum Follower {
    Arithmetic,
    Equality,
    Justification,
}

impl Follower {
    /// Their number.
    pub const COUNT: usize = 3;
}

/// A theory: it says which literals of the trail contradict each other, and which ones they imply.
///
/// # Law
/// * **Asserting.** The literals of the trail are its assertions. [`Theory::take_over`] first forgets those that the search has taken back since, and then takes
///   over the new ones, in order. Levels need no call of their own: a theory that has taken over a trail answers as one that has taken
///   over nothing else, whatever was taken back in between. State that does not come from literals (values of a vertex, the numbers of nodes) may differ.
/// * **Lemmas.** The literals of each conflict, and of each reason with the implied literal, are a clause that is valid in the theory. Its
///   certificate comes with it: Farkas coefficients, if clauses are [traced](super::events::Events::is_traced), or that equality and congruence are enough
///   ([`LemmaKind::Euf`](crate::proof::LemmaKind::Euf)).
/// * **Falsity.** The literals of a conflict are all false; those of a reason are false but for the implied one, and were assigned before it.
/// * **Explanations.** A reason may be a promise ([`Search::add_unexplained`]) that [`Theory::explain`] keeps for as long as the implied literal is assigned.
///   If clauses are traced, there are no promises.
/// * **Towards the search** a theory assigns open literals with reasons, and adds its effort to the search's ticks. It makes no decision,
///   takes nothing back and makes no clause.
/// * **Completeness.** [`Theory::check`] finds every contradiction of the trail over the rational numbers, and [`Theory::take_over`] every one by congruence. Which
///   literals are implied is up to the theory.
pub(super) trait Theory {
    /// Takes over the trail, at little effort: contradictions that show at once, and literals that follow at once.
    fn take_over(&mut self, search: &mut Search) -> Result<(), Reason>;

    /// Decides whether the literals taken over are consistent, as far as that goes without new atoms. Everything is taken over.
    fn check(&mut self, _search: &mut Search, _limits: &Limits) -> Result<(), Stop> {
        Ok(())
    }

    /// Assigns literals that follow from what is taken over and consistent.
    fn propagate(&mut self, _search: &mut Search) {}

    /// The negations of the literals that imply the literal of a promise. The effort is added to `ticks`.
    fn explain(&mut self, ticks: &mut u64, ticket: Ticket) -> Vec<Lit>;

    /// A final check begins: the state becomes a candidate model. Nothing is taken over until [`Theory::end_candidate`].
    fn begin_candidate(&mut self) {}

    /// The candidate is of no interest any more. May be called without a candidate.
    fn end_candidate(&mut self) {}
}

/// The result of a final check of a candidate model.
pub(super) enum Verdict {
    /// It may be a model.
    Consistent,
    /// It is none; this decision leads elsewhere.
    Decide(Lit),
    /// It is none; lemmas that exclude it were added, or decisions suggested.
    Refined,
    /// It is none, but no allowed lemma excludes it.
    Stuck(&'static str),
}
