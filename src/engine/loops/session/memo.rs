//! The phase with block-abstraction memoization: a refinement loop of its own inside the run.

use super::{Progressing, RefinementLoop, Session, analysis, count};
use crate::cpa::memo::Memo;
use crate::cpa::memo::functions::BlockFunctions;
use crate::cpa::predicate::Predicates;
use crate::cpa::tracking::PropertyId;
use crate::engine::loops::memo::memo;
use crate::engine::operators::Operator;
use crate::engine::{Counter, Statistics};
use crate::refine::interpolation::{Inquiry, Strategy};
use std::collections::BTreeSet;

impl<'p> Session<'_, 'p> {
    /// Runs the refinement loop with summaries of these functions and at most `ticks` of effort.
    ///
    /// Violations that the replay confirmed stay, and so do proofs: for these the exploration came to its end. What was given up is open again, for the loop without summaries.
    pub(in crate::engine) fn decide_with_summaries(&mut self, functions: BlockFunctions, ticks: u64) {
        let effort = self.effort_beside(ticks);
        let mut with_blocks = analysis(self.program, self.properties, self.options, self.options.arith, effort);
        for func in functions.iter() {
            with_blocks.context.stacks.add_base(func);
        }
        with_blocks.domain.explore_blocks(self.program, functions.clone());
        with_blocks.memo = Some(Memo::new(functions));
        let mut main = std::mem::replace(
            &mut self.current,
            RefinementLoop::new(with_blocks, &self.options.refine),
        );
        self.ignore_decided();
        self.apply_enabled();
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
        let mut with_blocks = std::mem::replace(&mut self.current, main);
        self.spending.ticks_before = 0;
        self.govern(governor);
        self.board.accounts.retire(&with_blocks.cpa.context.tracked);
        self.count_summaries(&with_blocks);
        for (verdict, enabled) in self.board.verdicts.iter_mut().zip(&self.board.enabled) {
            if let (Progressing::Open { given_up }, true) = (verdict, enabled) {
                *given_up = None;
            }
        }
        let effort = &mut self.current.cpa.domain.effort;
        effort.spent = effort.spent.saturating_add(with_blocks.cpa.domain.effort.spent);
        effort.checks.add(&with_blocks.cpa.domain.effort.checks);
        self.ignore_decided();
        self.apply_enabled();
        let is_recursive = self.program.function_ids().any(|func| self.program.function(func).recursive);
        if reached.is_some() && !is_recursive {
            // For the certificate. In a recursion the predicates are relative to frames.
            self.current
                .cpa
                .domain
                .take_precision(self.program, &mut with_blocks.cpa.domain);
        }
        self.current
            .cpa
            .domain
            .encoder
            .absorb_assumptions(&with_blocks.cpa.domain.encoder);
        for &property in &proved {
            self.prove(property);
        }
        self.proof.by_summaries.extend(proved);
        self.discard((reached, with_blocks));
    }

    /// Takes over what the loop counted.
    fn count_summaries(&mut self, found: &RefinementLoop<'p>) {
        let domain = &found.cpa.domain;
        let statistics: &mut Statistics = &mut self.current.statistics;
        for name in [Counter::Replays, Counter::RefutedReplays, Counter::UndefinedReplays] {
            statistics.add(name, found.statistics.get(name));
        }
        let counters = found.cpa.memo.as_ref().map(|memo| memo.counters).unwrap_or_default();
        for (name, value) in [
            (Counter::SummaryIterations, found.iteration),
            (Counter::SummaryRefinements, found.refinements),
            (Counter::SummaryPredicates, count(domain.precision.len())),
            (Counter::SummaryAbstractions, domain.counters.abstractions),
            (Counter::SummaryTicks, domain.effort.spent),
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
    pub(in crate::engine) fn ask_nested<T>(
        &mut self,
        ask: impl FnOnce(&mut Predicates<'p>, Inquiry<'_>) -> T,
    ) -> T {
        self.timed(Operator::ProvidentRefine, |session| {
            let before = session.current.cpa.domain.effort.spent;
            let inquiry = Inquiry {
                counters: &session.current.counters,
                check: session.options.check,
                strategy: Strategy::default(),
                built_in: session.options.refine.built_in,
            };
            let found = ask(&mut session.current.cpa.domain.second, inquiry);
            let ticks = session.current.cpa.domain.effort.spent - before;
            let statistics = &mut session.current.statistics;
            statistics.add(Counter::RefinementTicks, ticks);
            statistics.add(Counter::ProvidentRefinements, 1);
            found
        })
    }
}
