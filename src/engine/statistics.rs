//! Counters of a run, under stable names and in the order in which they were first counted.
//!
//! All of them count work, none counts time: a run with the same input and options has the same statistics on every machine.
//!
//! [`Counter`] is the one table: a counter that is not in it does not compile. The table names each counter for reports; code names it by its variant.

use std::fmt;

macro_rules! counters {
    ($($variant:ident = $name:literal: $about:literal,)*) => {
        /// The counters.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Counter {
            $(#[doc = $about] $variant,)*
        }

        impl Counter {
            /// All counters.
            pub const ALL: &'static [Counter] = &[$(Counter::$variant,)*];

            /// The stable name in reports. It never changes its meaning.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Counter::$variant => $name,)*
                }
            }

            /// The meaning of the counter, in a sentence.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Counter::$variant => $about,)*
                }
            }
        }
    };
}

counters! {
    Iterations = "iterations": "Explorations of the refinement loop, over all partitions.",
    Predicates = "predicates": "Predicates of the precision at the end.",
    Blocks = "blocks": "Blocks whose path formulas were built.",
    Abstractions = "abstractions": "Abstractions that were computed.",
    CachedAbstractions = "cached abstractions": "Abstractions that were found among those computed before.",
    TrivialAbstractions = "trivial abstractions": "Abstractions that needed no solver.",
    DroppedStates = "dropped states": "Abstract states that were found to be unreachable.",
    RefutedTargets = "refuted targets": "Target states that were found to be unreachable.",
    SolverTicks = "solver ticks": "Effort of the whole run.",
    CheckedAbstractions = "checked abstractions": "Abstractions that `check` computed again.",
    CheckedProducts = "checked products": "Products of regions that `check` looked at.",
    CheckedMerges = "checked merges": "Merges that `check` looked at.",
    CheckedModels = "checked models": "Models that `check` evaluated.",
    CheckedInterpolants = "checked interpolants": "Interpolants that `check` verified.",
    CertifiedInterpolants = "certified interpolants": "Interpolants for which `check` found a certificate: a proof of each implication, which the proof checker accepted.",
    UncertifiedInterpolants = "uncertified interpolants": "Interpolants whose certificate `check` did not find within the effort that was left.",
    InterpolantTicks = "interpolant certificate ticks": "Effort of the proofs in certificates of interpolants, which is not part of the effort of the run.",
    InterpolantSteps = "interpolant certificate steps": "Steps of these proofs.",
    CheckedProofs = "checked proofs": "Proofs that `check` verified.",
    CheckedPrefixes = "checked prefixes": "Sliced prefixes that `check` refuted once more.",
    UndecidedChecks = "undecided checks": "Checks that came to no answer within their effort.",
    AbstractStates = "abstract states": "Abstract states of the last exploration.",
    ExploredStates = "explored states": "Abstract states that were expanded.",
    CoverageChecks = "coverage checks": "Questions whether an abstract state is covered by another one.",
    Merges = "merges": "Abstract states that were merged.",
    Targets = "targets": "Target states that were handed to the refinement.",
    SummaryIterations = "summary iterations": "Explorations of the refinement loop with summaries of functions and loops.",
    SummaryRefinements = "summary refinements": "Refinements of the refinement loop with summaries.",
    SummaryPredicates = "summary predicates": "Predicates of the refinement loop with summaries.",
    SummaryAbstractions = "summary abstractions": "Abstractions that the refinement loop with summaries asked for.",
    SummaryCachedAbstractions = "summary cached abstractions": "Those of them that were known.",
    SummaryTrivialAbstractions = "summary trivial abstractions": "Those of them where nothing is tracked.",
    SummaryTicks = "summary ticks": "Effort of the refinement loop with summaries.",
    SummaryIdealTicks = "summary ideal ticks": "The part of this effort with ideal integers.",
    SummaryStates = "summary states": "Abstract states in functions and loops with summaries that were expanded.",
    SummaryHits = "summary hits": "Calls of functions, and entries of loops, whose summary was there.",
    SummaryRecursiveHits = "summary recursive hits": "Entries in a recursion whose summary was being made.",
    SummaryRounds = "summary rounds": "Further explorations of recursive functions, with the exits found so far.",
    SummaryMissesNew = "summary misses new block": "Entries without summary: of functions and loops that had none yet.",
    SummaryMissesControl = "summary misses control": "Entries without summary: under other tracked properties or values of automata.",
    SummaryMissesPrecision = "summary misses precision": "Entries without summary: the reduced precision of the function or loop has changed.",
    SummaryMissesState = "summary misses state": "Entries without summary: from another reduced state.",
    SummaryMissesNotKept = "summary misses not kept": "Entries without summary: it was interrupted, or rested on a recursion that was not finished.",
    ProvidentRefinements = "provident refinements": "Refinements that were computed, whether they were applied or not.",
    RecognisedErrorPaths = "recognised error paths": "Error paths that were refuted by what was known of others.",
    SlicedPrefixes = "sliced prefixes": "Infeasible sliced prefixes of error paths.",
    RefinementSelections = "refinement selections": "Error paths with more than one such prefix.",
    RefinementTicks = "refinement ticks": "Effort of refinements.",
    InterpolationProofs = "interpolation proofs": "Proofs from which the interpolants of error paths were read.",
    InterpolationSteps = "interpolation proof steps": "Steps of these proofs as they were found.",
    ReducedSteps = "reduced proof steps": "Steps of these proofs after `itp.reduce` made them smaller.",
    InterpolantChoices = "interpolant choices": "Proofs whose variants gave different interpolants to choose among, with `itp.portfolio`.",
    OtherInterpolants = "interpolants of other variants": "Choices of another variant than the one that is read off without a portfolio.",
    AbstractedInterpolants = "abstracted interpolations": "Error paths and prefixes that were interpolated in the terms of templates, with `itp.abstraction`.",
    TemplateSets = "template sets": "Sets of templates that were asked about for that.",
    DroppedParts = "dropped interpolant parts": "Conjuncts and disjuncts of interpolants that `itp.simplify` dropped.",
    MeasuredInterpolants = "measured interpolants": "Interpolants of error paths that are not constant, with `itp.measure`.",
    InterpolantAtoms = "interpolant atoms": "Different atoms, summed up over the measured interpolants.",
    InterpolantTerms = "interpolant sub-terms": "Different sub-terms, summed up over the measured interpolants.",
    InterpolantDisjuncts = "interpolant disjuncts": "The most disjuncts of a disjunction, summed up over the measured interpolants.",
    InterpolantCoefficients = "interpolant coefficients": "The largest coefficients, summed up over the measured interpolants.",
    EquivalentVariants = "equivalent variants": "Interpolants of other variants that are equivalent to a measured one and have another form.",
    WeakerVariants = "weaker variants": "Interpolants of other variants that a measured one implies.",
    StrongerVariants = "stronger variants": "Interpolants of other variants that imply a measured one.",
    IncomparableVariants = "incomparable variants": "Interpolants of other variants that neither imply a measured one nor follow from it.",
    RepeatedInterpolants = "interpolants at repeated places": "Measured interpolants to whose place the error path comes again, if it was decided whether it preserves them.",
    InductiveInterpolants = "inductive interpolants": "Those of them that are preserved.",
    RepeatedSequences = "interpolations at repeated places": "Refutations with such interpolants, or with some that were not decided.",
    InductiveSuffixes = "inductive suffixes": "The last of these interpolants up to one that is not preserved, summed up over these refutations.",
    MeasuredPredicates = "measured predicates": "Entries of the last precision, with `itp.measure`.",
    UsedPredicates = "used predicates": "Those of them on which some abstraction depends.",
    InvariantPredicates = "predicates in invariants": "Those of them on which the invariant of a loop head depends.",
    ExplorationTicks = "exploration ticks": "Effort of explorations of abstract states.",
    ApplicationTicks = "application ticks": "Effort of applying refinements: of looking for other predicates where those of the refinement are known.",
    Refinements = "refinements": "Refinements that were applied.",
    Restarts = "restarts": "Explorations that began at the root again.",
    GuessedPredicates = "guessed predicates": "Predicates that were guessed from samples.",
    RepeatedRefinements = "repeated refinements": "Refinements that brought nothing new.",
    UndecidedErrorPaths = "undecided error paths": "Error paths that are neither feasible nor infeasible as far as the solver knows.",
    ValueRefutations = "value refutations": "Error paths that constants refuted.",
    ValueRefinements = "value refinements": "Refinements of the value analysis that were applied.",
    ValueCells = "value cells": "Variables and memory cells in the precision of the value analysis, place by place.",
    PredicatesPreferred = "predicates preferred": "Error paths that both domains refuted, and for which predicates had the better score.",
    SequenceQueries = "sequence queries": "Questions for interpolants that another engine than `predicate` asked.",
    EntailmentQueries = "entailment queries": "Questions whether a formula over states implies another one.",
    UnwindingVertices = "unwinding vertices": "Vertices of the trees of IMPACT.",
    StrengthenedLabels = "strengthened labels": "Labels of IMPACT that an interpolant made stronger.",
    Coverings = "coverings": "Vertices of IMPACT that were covered, each time.",
    ForcedCoveringQueries = "forced covering queries": "Questions whether a vertex of IMPACT can be forced to be covered.",
    ForcedCoverings = "forced coverings": "Those of them that brought interpolants.",
    UnrolledSteps = "unrolled steps": "The depth of the longest unrolling of an engine that works on one transition relation.",
    Images = "images": "Interpolants of IMC that stand for images.",
    InductiveDepths = "inductive depths": "Depths at which the step case of k-induction held.",
    LocalStrengthenings = "local strengthenings": "Rounds of DAR in which one step from a forward set to a backward set had no model.",
    GlobalStrengthenings = "global strengthenings": "Rounds of DAR that asked about unrollings.",
    Replays = "replays": "Paths that were replayed.",
    RefutedReplays = "refuted replays": "Replays that left their path.",
    UndefinedReplays = "undefined replays": "Replays that came to undefined behaviour, or to something that the machine cannot do.",
    InventedViolations = "violations on invented values": "Violations that depend on values that are not modelled.",
    ProofIterations = "proof iterations": "Explorations of the loop that repeats a proof for its certificate.",
    ProofTicks = "proof ticks": "Effort of that loop.",
    ProofComplete = "proof complete": "1 if that loop came to its end.",
    IdealIterations = "ideal iterations": "Explorations with ideal integers.",
    IdealRefinements = "ideal refinements": "Refinements with ideal integers.",
    IdealPredicates = "ideal predicates": "Predicates found with ideal integers.",
    IdealTicks = "ideal ticks": "Effort of the loop with ideal integers.",
    DefinedIterations = "defined iterations": "Explorations in search of violations without undefined accesses, after one with.",
    DefinedRefinements = "defined refinements": "Refinements in that search.",
    DefinedTicks = "defined ticks": "Effort of that search.",
    Partitions = "partitions": "Sets of properties that were checked one after the other.",
    SwitchedOff = "properties switched off": "Properties that were switched off because of their refinements.",
    CmavIterations = "iterations of CMAV": "Runs of multi-aspect verification.",
    AspectsDisabled = "aspects disabled": "Properties that multi-aspect verification gave up for a while.",
    Blamed = "blamed": "1 if a property was blamed for the end of a run.",
    SampledSteps = "sampled steps": "Steps of executions with chosen inputs.",
    SamplesStopped = "samples stopped": "Executions with chosen inputs that the fast machine could not follow to their ends.",
    SampledCounterexamples = "sampled counterexamples": "Violations that executions with chosen inputs met.",
    Lanes = "lanes": "Ways to take many turns of a loop at once.",
    AcceleratedCounterexamples = "accelerated counterexamples": "Violations behind such turns.",
    Guesses = "guesses": "Facts that the text of the program suggests, or executions of its recursive functions, place by place.",
    InductiveGuesses = "inductive guesses": "Those of them in proofs.",
    GuessProofs = "guess proofs": "Properties that they prove.",
    GuessedContracts = "guessed contracts": "Contracts of recursive functions that were guessed.",
    KeptContracts = "kept contracts": "Those of them that ensure something in proofs.",
    ExplicitStates = "explicit states": "States that the exploration with explicit values stored.",
    ExplicitSteps = "explicit steps": "Steps with explicit values.",
    ExplicitProofs = "explicit proofs": "Properties that explicit values proved.",
    ExplicitRefutations = "explicit refutations": "Paths of the explorations with explicit values that the solver refuted.",
    ExplicitCounterexamples = "explicit counterexamples": "Violations that explicit values found.",
    ExplicitComplete = "explicit complete": "1 if the exploration with explicit values visited all states.",
    ExplicitDecided = "explicit decided": "1 if it ended because every property was decided.",
    ExplicitExhausted = "explicit exhausted": "1 if it ran out of steps or had too many states.",
    ExplicitInterrupted = "explicit interrupted": "1 if it was interrupted.",
    ExplicitUnconfirmed = "explicit unconfirmed": "1 if it ended after too many paths that the replay did not confirm.",
    ExplicitUnmodelled = "explicit unmodelled": "1 if something on the way is not modelled.",
    ConcreteSteps = "concrete steps": "Steps of the execution of a program that asks for nothing.",
    ConcreteProofs = "concrete proofs": "Properties that this execution proved.",
    ConcreteCounterexamples = "concrete counterexamples": "Violations that this execution found.",
    ConcreteExhausted = "concrete exhausted": "1 if this execution ran out of steps.",
    ConcreteTooLong = "concrete violations too long": "Violations of this execution that are too long for the replay.",
    ClaimedStates = "claimed states": "States of which the certificate claims something.",
    RoughTicks = "ticks of rough stages": "Effort of the stages that only look for proofs.",
    Launches = "launches": "Processes that have worked on the results file.",
    LaunchesCut = "launches cut short": "Those that died or reached a limit, so that another one followed.",
    LaunchesMemory = "launches out of memory": "Those that reached the limit on memory, or were killed for their memory.",
    LaunchesBlamed = "properties given up for a launch": "Properties that became UNKNOWN because a process died or reached a limit while it checked them.",
    CertificateTicks = "certificate ticks": "Effort of the exploration of the whole program that a certificate took.",
    AdmittedExecutions = "admitted executions": "Concrete executions that `check` found to be models of the formulas.",
    UndecidedExecutions = "undecided executions": "Concrete executions of which the solver did not know it.",
    ClaimsMet = "claims met by executions": "Points of executions at which a claim was evaluated.",
    BytesCompared = "bytes compared with their writers": "Bytes of executions whose regions were compared with those of their writers.",
    States = "states": "Abstract states at the moment at which a run was cut off.",
}

impl Counter {
    /// The work of other engines than the refinement loop.
    pub const OF_ENGINES: [Counter; 12] = [
        Counter::SequenceQueries,
        Counter::EntailmentQueries,
        Counter::UnwindingVertices,
        Counter::StrengthenedLabels,
        Counter::Coverings,
        Counter::ForcedCoveringQueries,
        Counter::ForcedCoverings,
        Counter::UnrolledSteps,
        Counter::Images,
        Counter::InductiveDepths,
        Counter::LocalStrengthenings,
        Counter::GlobalStrengthenings,
    ];
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The counters of a run. A counter that was never touched is 0 and is not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    entries: Vec<(Counter, u64)>,
}

impl Statistics {
    /// Sets a counter.
    pub fn set(&mut self, counter: Counter, value: u64) {
        match self.entries.iter_mut().find(|(c, _)| *c == counter) {
            Some((_, v)) => *v = value,
            None => self.entries.push((counter, value)),
        }
    }

    /// Adds to a counter.
    pub fn add(&mut self, counter: Counter, value: u64) {
        let old = self.get(counter);
        self.set(counter, old.saturating_add(value));
    }

    /// The value of a counter.
    pub fn get(&self, counter: Counter) -> u64 {
        self.entries.iter().find(|(c, _)| *c == counter).map_or(0, |(_, v)| *v)
    }

    /// All counters that were touched, in the order in which they were first.
    pub fn iter(&self) -> impl Iterator<Item = (Counter, u64)> + '_ {
        self.entries.iter().copied()
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.entries.iter().map(|(c, _)| c.name().len()).max().unwrap_or(0);
        for (counter, value) in &self.entries {
            writeln!(f, "{counter:width$}  {value}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique() {
        let names: BTreeSet<&str> = Counter::ALL.iter().map(|counter| counter.name()).collect();
        assert_eq!(names.len(), Counter::ALL.len());
    }
}
