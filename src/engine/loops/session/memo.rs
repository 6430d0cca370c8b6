//! The phase with block-abstraction memoization: a refinement loop of its own inside the run.
//!
//! Rejected: for each equation that comes from the loop with ideal integers, also the two in which its sum wraps around once. It was meant for sums that overflow in a recursion, decided none of
//! these, and makes every abstraction dearer.

use super::{Progressing, RefinementLoop, Session, analysis, count};
use crate::cpa::algorithm::Reached;
use crate::cpa::memo::Memo;
use crate::cpa::memo::blocks::ProgramBlocks;
use crate::cpa::predicate::Predicates;
use crate::cpa::tracking::PropertyId;
use crate::encode::Arith;
use crate::engine::loops::memo::memo;
use crate::engine::operators::Operator;
use crate::engine::{Counter, Statistics};
use crate::refine::interpolation::Inquiry;
use crate::refine::provident::Candidate;
use crate::refine::{Analysis, Target};
use std::collections::BTreeSet;

/// The part of the effort that the loop with ideal integers may spend, as a divisor.
const IDEAL_DIVISOR: u64 = 4;

/// A loop with summaries that has run.
struct WithSummaries<'p> {
    found: RefinementLoop<'p>,
    /// The state space of the root, if everything was explored to the end.
    reached: Option<Reached<Analysis<'p>>>,
    /// The properties that hold, for the integers of the loop.
    proved: BTreeSet<PropertyId>,
}

impl<'p> Session<'_, 'p> {
    /// Runs the refinement loop with summaries of these functions and at most `ticks` of effort.
    ///
    /// Violations that the replay confirmed stay, and so do proofs: for these the exploration came to its end. Properties that it gave up are open again, for the loop without summaries. A part of the effort is
    /// for a loop with ideal integers before, whose precision is taken over if it comes to its end (see [`ideal`](crate::engine::phases::ideal)).
    pub(in crate::engine) fn decide_with_summaries(&mut self, blocks: &ProgramBlocks, ticks: u64) {
        let mut seed = None;
        if self.options.ideal_ticks > 0 {
            let ideal = self.loop_with_summaries(blocks, Arith::Ideal, ticks / IDEAL_DIVISOR, None);
            if self.is_decided() {
                self.discard(ideal.found);
                return;
            }
            seed = ideal.reached.is_some().then_some(ideal.found);
            self.discard(ideal.reached);
        }
        let mut machine = self.loop_with_summaries(blocks, Arith::Machine, ticks, seed.as_mut());
        let is_recursive = self
            .program
            .function_ids()
            .any(|func| self.program.function(func).recursive);
        let domain = &mut self.current.cpa.domain;
        if machine.reached.is_some() && !is_recursive {
            // For the certificate. In a recursion the predicates are relative to frames.
            domain.take_precision(self.program, &mut machine.found.cpa.domain);
        }
        domain.encoder.absorb_assumptions(&machine.found.cpa.domain.encoder);
        for &property in &machine.proved {
            self.prove(property);
        }
        let by_bits = machine.found.cpa.domain.counters.by_bits > 0;
        let is_shown = self.options.certificate && !machine.proved.is_empty() && !by_bits;
        self.proof.by_summaries.extend(machine.proved);
        match machine.reached {
            Some(reached) if is_shown => self.proof.with_summaries = Some((machine.found.cpa, reached)),
            reached => self.discard((reached, machine.found)),
        }
    }

    /// Runs the loop once, with the integers of `arith` and the precision of another one. All verdicts but confirmed violations stay as they are.
    fn loop_with_summaries(
        &mut self,
        blocks: &ProgramBlocks,
        arith: Arith,
        ticks: u64,
        seed: Option<&mut RefinementLoop<'p>>,
    ) -> WithSummaries<'p> {
        let effort = self.effort_beside(ticks);
        let mut with_blocks = analysis(
            self.program,
            self.properties,
            self.options,
            self.current.cpa.domain.encoder.anew(arith).move_frames(),
            effort,
        );
        for (block, func) in blocks.iter() {
            with_blocks.context.stacks.add_base(block, func);
        }
        if let Some(seed) = seed {
            with_blocks.domain.take_precision(self.program, &mut seed.cpa.domain);
        }
        with_blocks.domain.explore_blocks(self.program, blocks.clone());
        let mut memory = Memo::new(blocks.clone());
        if self.options.certificate && arith == Arith::Machine {
            memory.keep_explorations();
        }
        with_blocks.memo = Some(memory);
        let mut main = std::mem::replace(&mut self.current, RefinementLoop::new(with_blocks));
        self.ignore_decided();
        self.apply_enabled();
        self.direct();
        // Nobody is charged for this, and it has a limit of its own.
        let governor = self.govern(None);
        self.spending.ticks_before = main.cpa.domain.effort.spent;
        let reached = memo(self);
        let proved: BTreeSet<PropertyId> = match &reached {
            Some(reached) => {
                let holds = |property: &PropertyId| self.is_open(*property) && self.given_up(*property).is_none();
                self.active(reached).into_iter().filter(holds).collect()
            }
            None => BTreeSet::new(),
        };
        self.charge_pause();
        main.graph = std::mem::take(&mut self.current.graph);
        let found = std::mem::replace(&mut self.current, main);
        self.spending.ticks_before = 0;
        self.govern(governor);
        self.board.accounts.retire(&found.cpa.context.tracked);
        self.count_summaries(&found, arith);
        self.current.cpa.domain.set_aside.clear();
        for (verdict, enabled) in self.board.verdicts.iter_mut().zip(&self.board.enabled) {
            if let (Progressing::Open { given_up }, true) = (verdict, enabled) {
                *given_up = None;
            }
        }
        let effort = &mut self.current.cpa.domain.effort;
        effort.add(&found.cpa.domain.effort);
        self.ignore_decided();
        self.apply_enabled();
        WithSummaries { found, reached, proved }
    }

    /// Whether something was given up for each property that is open: then there is nothing to be proved any more.
    pub(in crate::engine) fn has_given_up(&self) -> bool {
        PropertyId::first(self.properties.len())
            .filter(|&property| self.is_open(property))
            .all(|property| self.given_up(property).is_some())
    }

    /// Takes over what the loop counted.
    fn count_summaries(&mut self, found: &RefinementLoop<'p>, arith: Arith) {
        let domain = &found.cpa.domain;
        let statistics: &mut Statistics = &mut self.current.statistics;
        for name in [
            Counter::Replays,
            Counter::RefutedReplays,
            Counter::UndefinedReplays,
            Counter::ExploredStates,
            Counter::CoverageChecks,
        ] {
            statistics.add(name, found.statistics.get(name));
        }
        statistics.add(Counter::SummaryTicks, domain.effort.spent);
        if arith == Arith::Ideal {
            statistics.add(Counter::SummaryIdealTicks, domain.effort.spent);
            return;
        }
        let counters = found.cpa.memo.as_ref().map(|memo| memo.counters).unwrap_or_default();
        for (name, value) in [
            (Counter::SummaryIterations, found.iteration),
            (Counter::SummaryRefinements, found.refinements),
            (Counter::SummaryPredicates, count(domain.precision.len())),
            (Counter::SummaryAbstractions, domain.counters.abstractions),
            (Counter::SummaryCachedAbstractions, domain.counters.cached),
            (Counter::SummaryTrivialAbstractions, domain.counters.trivial),
            (Counter::SummaryStates, counters.expanded),
            (Counter::SummaryHits, counters.hits),
            (Counter::SummaryRecursiveHits, counters.recursive),
            (Counter::SummaryRounds, counters.rounds),
            (Counter::SummaryMissesNew, counters.new_blocks),
            (Counter::SummaryMissesControl, counters.other_control),
            (Counter::SummaryMissesPrecision, counters.other_precision),
            (Counter::SummaryMissesState, counters.other_state),
            (Counter::SummaryMissesNotKept, counters.not_kept),
        ] {
            statistics.add(name, value);
        }
    }

    /// Asks about one error path, as the operator `provident_refine` does.
    pub(in crate::engine) fn ask_nested(
        &mut self,
        target: &Target,
        ask: impl FnOnce(&mut Predicates<'p>, Inquiry<'_>) -> Option<Candidate>,
    ) -> Option<Candidate> {
        self.begin_round(std::slice::from_ref(target));
        let found = self.timed(Operator::ProvidentRefine, |session| {
            let before = session.current.cpa.domain.effort.spent;
            let (domain, inquiry) = session.questions();
            let found = ask(domain, inquiry);
            let ticks = session.current.cpa.domain.effort.spent - before;
            let statistics = &mut session.current.statistics;
            statistics.add(Counter::RefinementTicks, ticks);
            statistics.add(Counter::ProvidentRefinements, 1);
            statistics.add(Counter::Targets, 1);
            found
        });
        let candidates = found.as_slice();
        self.end_round(candidates);
        self.record_candidates(1, candidates);
        found
    }
}
