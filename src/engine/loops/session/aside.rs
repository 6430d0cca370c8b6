//! Refinement loops aside of the one that runs: with an analysis, and a limit, of their own.
//!
//! # Defined executions only
//!
//! A feasible error path may have no execution that means anything: on it, a null pointer is followed. The formulas have a value for every access, so the model of
//! the path may choose such an execution although others come to the same violation, or the path may have no others, while a longer one has: a driver whose global pointer is set by one
//! of its callbacks, and followed by another one. The replay refuses the execution, and nothing can be proved any more about this violation. So a loop looks for others, with
//! an [encoder for which accesses are defined](crate::encode::Encoder::suppose_accesses): it demands of each pointer that is followed that it leads to where objects can be. Its refinements rule out
//! what the replay would refuse. It proves nothing; a violation that it finds is replayed as every other one.

use super::{Progressing, RefinementLoop, Session, analysis, count};
use crate::cpa::algorithm::Reached;
use crate::cpa::tracking::PropertyId;
use crate::encode::Arith;
use crate::engine::options::{Algorithm, AnalysisKind};
use crate::engine::{Counter, ReasonCode};
use crate::refine::Analysis;

/// The effort of one search for defined executions, in solver ticks: some seconds.
const TICKS: u64 = 100_000_000;

impl<'p> Session<'_, 'p> {
    /// Looks for other violations of what was given up because the replay of a feasible path was undefined, if nothing that is checked can be proved any more.
    pub(super) fn look_for_defined(&mut self) {
        let options = self.options;
        let has_formulas = options.algorithm == Algorithm::Predicate && options.analysis != AnalysisKind::Value;
        let is_main = self.current.cpa.domain.encoder.arith() == Arith::Machine && !self.is_aside;
        if !has_formulas || !is_main || self.current.cpa.domain.effort.is_exhausted() {
            return;
        }
        let open = self.checking();
        let given_up = |property: &PropertyId| match &self.board.verdicts[property.index()] {
            Progressing::Open { given_up } => given_up.as_ref().map(|reason| reason.code),
            _ => None,
        };
        let undefined = |property: &PropertyId| given_up(property) == Some(ReasonCode::ReplayUndefined);
        let is_new = open
            .iter()
            .any(|p| undefined(p) && !self.looked_for_defined.contains(p));
        if !is_new || !open.iter().all(|property| given_up(property).is_some()) {
            return;
        }
        let before = self.board.verdicts.clone();
        let encoder = self.current.cpa.domain.encoder.anew(Arith::Machine).suppose_accesses();
        let effort = self.effort_beside(TICKS);
        let has_room = effort.remaining().is_none_or(|left| left >= TICKS);
        let (reached, run) = self.run_aside(analysis(self.program, self.properties, options, encoder, effort));
        // With less effort than it may have, another try may come farther.
        if has_room || reached.is_some() {
            self.looked_for_defined.extend(open);
        }
        for (name, value) in [
            (Counter::DefinedIterations, run.iteration),
            (Counter::DefinedRefinements, run.refinements),
            (Counter::DefinedTicks, run.cpa.domain.effort.spent),
        ] {
            self.current.statistics.add(name, value);
        }
        for (now, before) in self.board.verdicts.iter_mut().zip(before) {
            if matches!(now, Progressing::Open { .. }) {
                *now = before;
            }
        }
        self.discard((reached, run));
    }

    /// Runs the refinement loop with another analysis for a while. Returns what it has explored, if it came to its end, and how far it came.
    ///
    /// Violations that the replay confirmed stay. The loop may have given up others: who calls this decides what that means.
    pub(super) fn run_aside(&mut self, other: Analysis<'p>) -> (Option<Reached<Analysis<'p>>>, RefinementLoop<'p>) {
        let mut main = std::mem::replace(&mut self.current, RefinementLoop::new(other));
        self.ignore_decided();
        self.apply_enabled();
        // Nobody is charged for this, and it has a limit of its own.
        let governor = self.govern(None);
        let ticks_before = self.spending.ticks_before;
        self.spending.ticks_before = ticks_before + main.cpa.domain.effort.spent;
        let was_aside = std::mem::replace(&mut self.is_aside, true);
        let reached = self.refinement_loop();
        self.is_aside = was_aside;
        self.charge_pause();
        main.graph = std::mem::take(&mut self.current.graph);
        let other = std::mem::replace(&mut self.current, main);
        self.spending.ticks_before = ticks_before;
        self.govern(governor);
        self.board.accounts.retire(&other.cpa.context.tracked);
        let replays = [Counter::Replays, Counter::RefutedReplays, Counter::UndefinedReplays];
        for name in replays {
            self.current.statistics.add(name, other.statistics.get(name));
        }
        for name in Counter::OF_ENGINES {
            let count = other.statistics.get(name);
            if count > 0 {
                self.current.statistics.add(name, count);
            }
        }
        self.current.cpa.domain.effort.add(&other.cpa.domain.effort);
        self.ignore_decided();
        self.apply_enabled();
        (reached, other)
    }

    /// Runs the refinement loop with ideal integers and at most `ticks` of effort, then takes over its precision if it came to its end (see [`ideal`](crate::engine::phases::ideal)).
    ///
    /// Violations that the replay confirmed stay; everything else that the loop concluded holds for ideal integers only and is forgotten.
    pub(in crate::engine) fn seed_precision(&mut self, ticks: u64) {
        let effort = self.effort_beside(ticks);
        let encoder = self.current.cpa.domain.encoder.anew(Arith::Ideal);
        let ideal = analysis(self.program, self.properties, self.options, encoder, effort);
        let (reached, mut ideal) = self.run_aside(ideal);
        for (name, value) in [
            (Counter::IdealIterations, ideal.iteration),
            (Counter::IdealRefinements, ideal.refinements),
            (Counter::IdealPredicates, count(ideal.cpa.domain.precision.len())),
            (Counter::IdealTicks, ideal.cpa.domain.effort.spent),
        ] {
            self.current.statistics.add(name, value);
        }
        self.current.cpa.domain.set_aside.clear();
        let enabled = &self.board.enabled;
        for (verdict, _) in self
            .board
            .verdicts
            .iter_mut()
            .zip(enabled)
            .filter(|(_, enabled)| **enabled)
        {
            if let Progressing::Open { given_up } = verdict {
                *given_up = None;
            }
        }
        if reached.is_some() {
            self.current
                .cpa
                .domain
                .take_precision(self.program, &mut ideal.cpa.domain);
        }
        self.discard((reached, ideal));
    }
}
