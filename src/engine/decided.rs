//! A run whose search has ended: the verdicts are known, and everything that an outcome or a certificate is made of is still there.

use super::loops::session::Session;
use super::{Counter, Invariant, Options, Outcome, Property, Verdict};
use crate::cfa::Program;
use crate::cpa::algorithm::Reached;
use crate::cpa::tracking::PropertyId;
use crate::encode::Encoder;
use crate::refine::Analysis;

/// A run whose search has ended.
///
/// [`finish`](Decided::finish) makes the outcome of it. Before that, its caller may look for more evidence of what holds: no verdict changes by that.
pub struct Decided<'a, 'p> {
    session: Session<'a, 'p>,
    /// The last exploration, if it came to its end.
    reached: Option<Reached<Analysis<'p>>>,
}

impl<'a, 'p> Decided<'a, 'p> {
    pub(super) fn new(session: Session<'a, 'p>, reached: Option<Reached<Analysis<'p>>>) -> Self {
        Decided { session, reached }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.session.program
    }

    /// The properties.
    pub fn properties(&self) -> &'a [Property] {
        self.session.properties
    }

    /// The options of the run.
    pub fn options(&self) -> &'a Options {
        self.session.options
    }

    /// The encoder of the run, for the names that its formulas use.
    pub fn encoder(&self) -> &Encoder<'p> {
        &self.session.current.cpa.domain.encoder
    }

    /// For each property whether it holds.
    pub fn holding(&self) -> Vec<bool> {
        self.session.holding(self.reached.as_ref())
    }

    /// Whether a property holds for which there are no abstract states.
    pub fn has_bare_proofs(&self) -> bool {
        self.session.has_bare_proofs()
    }

    /// Whether the last exploration has abstract states for a property that holds.
    pub fn shows(&self, property: PropertyId) -> bool {
        self.session.shows(property, self.reached.as_ref())
    }

    /// Whether summaries of functions proved a property.
    pub fn is_by_summaries(&self, property: PropertyId) -> bool {
        self.session.proof.by_summaries.contains(&property)
    }

    /// The analysis with summaries of functions and its exploration, if that is all that is needed to show what holds.
    pub fn summarised(&mut self) -> Option<(&mut Analysis<'p>, &Reached<Analysis<'p>>)> {
        let holding = PropertyId::first(self.properties().len()).zip(self.holding());
        let is_all = holding
            .filter(|(_, holds)| *holds)
            .all(|(property, _)| self.is_by_summaries(property));
        let (analysis, reached) = self.session.proof.with_summaries.as_mut().filter(|_| is_all)?;
        Some((analysis, reached))
    }

    /// The steps that an exploration of all states may take: a proof may have needed more than one exploration has at first.
    pub fn exploration_steps(&self) -> u64 {
        let spent = self.session.current.statistics.get(Counter::ExplicitSteps);
        self.options().explicit.steps.max(spent)
    }

    /// Whether a limit of the run is reached.
    pub fn is_at_limit(&self) -> bool {
        self.session.limit_reached().is_some()
    }

    /// Whether a limit of time or memory is reached.
    pub fn time_is_up(&self) -> bool {
        self.session.time_is_up()
    }

    /// Does something within a share of the time that the limits leave at this moment.
    pub fn within<T>(&mut self, share: f64, work: impl FnOnce(&mut Self) -> T) -> T {
        let whole = self.session.begin_share(share);
        let result = work(self);
        self.session.end_share(whole);
        result
    }

    /// Runs the refinement loop once more for all properties that hold, with at most this effort. Whether it came to its end: then its abstract states show
    /// these properties, else the last exploration stays unchanged.
    pub fn prove_again(&mut self, ticks: u64) -> bool {
        let (reached, is_shown) = self.session.prove_again(self.reached.take(), ticks);
        self.reached = reached;
        is_shown
    }

    /// Counts something in the statistics of the run.
    pub fn count(&mut self, counter: Counter, number: usize) {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        self.session.current.statistics.set(counter, number);
    }

    /// The verdicts, one per property.
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.session.verdicts(self.reached.as_ref())
    }

    /// The analysis and its last exploration, if that came to its end.
    pub fn exploration(&mut self) -> Option<(&mut Analysis<'p>, &Reached<Analysis<'p>>)> {
        let reached = self.reached.as_ref()?;
        Some((&mut self.session.current.cpa, reached))
    }

    /// The outcome. Invariants are those of the last exploration, unless the caller has others.
    pub fn finish(self, invariants: Option<Vec<Invariant>>) -> Outcome {
        self.session.finish(self.reached.as_ref(), invariants)
    }
}
