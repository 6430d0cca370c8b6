//! A refinement loop inside the run: with ideal integers, for the sake of its precision (see [`ideal`](crate::engine::phases::ideal)).

use super::{Progressing, RefinementLoop, Session, analysis, count};
use crate::encode::Arith;
use crate::engine::Counter;

impl<'p> Session<'_, 'p> {
    /// Runs the refinement loop with ideal integers and at most `ticks` of effort, then takes over its precision if it came to its end.
    ///
    /// Violations that the replay confirmed stay; everything else that the loop concluded holds for ideal integers only and is forgotten.
    pub(in crate::engine) fn seed_precision(&mut self, ticks: u64) {
        let effort = self.effort_beside(ticks);
        let ideal = analysis(self.program, self.properties, self.options, Arith::Ideal, effort);
        let mut main = std::mem::replace(&mut self.current, RefinementLoop::new(ideal));
        self.ignore_decided();
        self.apply_enabled();
        // Nobody is charged for this, and it has a limit of its own.
        let governor = self.govern(None);
        self.spending.ticks_before = main.cpa.domain.effort.spent;
        let reached = self.refinement_loop();
        self.charge_pause();
        main.graph = std::mem::take(&mut self.current.graph);
        let mut ideal = std::mem::replace(&mut self.current, main);
        self.spending.ticks_before = 0;
        self.govern(governor);
        self.board.accounts.retire(&ideal.cpa.context.tracked);
        let replays = [Counter::Replays, Counter::RefutedReplays, Counter::UndefinedReplays];
        for name in replays {
            self.current.statistics.add(name, ideal.statistics.get(name));
        }
        for name in Counter::OF_ENGINES {
            let count = ideal.statistics.get(name);
            if count > 0 {
                self.current.statistics.add(name, count);
            }
        }
        for (name, value) in [
            (Counter::IdealIterations, ideal.iteration),
            (Counter::IdealRefinements, ideal.refinements),
            (Counter::IdealPredicates, count(ideal.cpa.domain.precision.len())),
            (Counter::IdealTicks, ideal.cpa.domain.effort.spent),
        ] {
            self.current.statistics.add(name, value);
        }
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
        let effort = &mut self.current.cpa.domain.effort;
        effort.add(&ideal.cpa.domain.effort);
        self.ignore_decided();
        self.apply_enabled();
        if reached.is_some() {
            self.current
                .cpa
                .domain
                .take_precision(self.program, &mut ideal.cpa.domain);
        }
        self.discard((reached, ideal));
    }
}
