//! The cost of queries for interpolants, and how many readings of their proofs there were.

/// The account of one query, or of several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Ticks of all solvers.
    pub ticks: u64,
    /// Proofs from which interpolants were read.
    pub proofs: u64,
    /// The steps of these proofs as they were found, without what they do not need.
    pub steps: u64,
    /// The same after reduction.
    pub reduced_steps: u64,
    /// Proofs whose variants differed, so that a [portfolio](super::Portfolio) had a choice.
    pub choices: u64,
    /// Choices of another variant than the one that would be read off without a portfolio.
    pub others: u64,
    /// Sequences that were interpolated under an [abstraction](super::abstracted()).
    pub abstracted: u64,
    /// Sets of templates that were asked about for that.
    pub elements: u64,
    /// Parts of interpolants that were dropped as redundant.
    pub dropped: u64,
    /// Interpolants with a [certificate](super::Certificate).
    pub certified: u64,
    /// Interpolants whose certificate was not found within the limits.
    pub uncertified: u64,
    /// The ticks of the solvers that proved the implications, which are not among the others.
    pub certificate_ticks: u64,
    /// The steps of these proofs, which the checker accepted.
    pub certificate_steps: u64,
}

impl Cost {
    /// Adds the account of other queries.
    pub fn add(&mut self, other: &Cost) {
        self.ticks = self.ticks.saturating_add(other.ticks);
        self.proofs += other.proofs;
        self.steps += other.steps;
        self.reduced_steps += other.reduced_steps;
        self.choices += other.choices;
        self.others += other.others;
        self.abstracted += other.abstracted;
        self.elements += other.elements;
        self.dropped += other.dropped;
        self.certified += other.certified;
        self.uncertified += other.uncertified;
        self.certificate_ticks = self.certificate_ticks.saturating_add(other.certificate_ticks);
        self.certificate_steps += other.certificate_steps;
    }
}
