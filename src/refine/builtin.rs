//! The preferences among refinements that are built in, and switches that turn them off.
//!
//! An interpolation procedure of a solver takes the first refutation that it finds. Ours does not: several steps of refinement prefer some refutations to others, whatever `refine.prefer` says. Experiments that compare preferences
//! need a baseline without them: *no refinement selection* in the sense of Beyer, Löwe, Wendler (*Refinement selection*, SPIN 2015, section 7) is [`BuiltIn::NONE`].

/// Which built-in preferences are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "four switches of their own")]
pub struct BuiltIn {
    /// A chain is refuted without what is known of loop counters, if it can be ([`LoopCounters::hide`](super::counters::LoopCounters::hide)).
    pub hide_counters: bool,
    /// Predicates are [guessed](super::guess) beside those of interpolants.
    pub guesses: bool,
    /// Conjuncts that a refutation can do without are left out before it is interpolated.
    pub minimise: bool,
    /// A refutation is looked for in the last blocks of a chain first, then in twice as many.
    pub suffix_first: bool,
}

impl BuiltIn {
    /// All of them.
    pub const ALL: BuiltIn = BuiltIn {
        hide_counters: true,
        guesses: true,
        minimise: true,
        suffix_first: true,
    };

    /// None of them: the first refutation of the whole chain, and its interpolants.
    pub const NONE: BuiltIn = BuiltIn {
        hide_counters: false,
        guesses: false,
        minimise: false,
        suffix_first: false,
    };
}

impl Default for BuiltIn {
    fn default() -> Self {
        BuiltIn::ALL
    }
}
