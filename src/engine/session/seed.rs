//! A refinement loop inside the run: with ideal integers, for the sake of its precision (see [`ideal`](crate::engine::ideal)).

use super::{Progressing, Session, analysis, count};
use crate::encode::Arith;

impl<'p> Session<'_, 'p> {
    /// Runs the refinement loop with ideal integers and at most `ticks` of effort, then takes over its precision if it came to its end.
    ///
    /// Violations that the replay confirmed stay; everything else that the loop concluded holds for ideal integers only and is forgotten.
    pub(in crate::engine) fn seed_precision(&mut self, ticks: u64) {
        let effort = self.effort_beside(ticks);
        let ideal = analysis(self.program, self.properties, self.options, Arith::Ideal, effort);
        let main = std::mem::replace(&mut self.cpa, ideal);
        self.ignore_decided();
        self.apply_enabled();
        // Nobody is charged for this, and it has a limit of its own.
        let governor = self.govern(None);
        self.ticks_before = main.domain.effort.spent;
        let statistics = std::mem::take(&mut self.statistics);
        let reached = self.refinement_loop();
        self.book_pause();
        let mut ideal = std::mem::replace(&mut self.cpa, main);
        self.ticks_before = 0;
        self.govern(governor);
        self.accounts.retire(&ideal.context.tracked);
        let replays = std::mem::replace(&mut self.statistics, statistics);
        for name in ["replays", "refuted replays", "undefined replays"] {
            self.statistics.add(name, replays.get(name));
        }
        for (name, value) in [
            ("ideal iterations", self.iteration),
            ("ideal refinements", self.refinements),
            ("ideal predicates", count(ideal.domain.precision.len())),
            ("ideal ticks", ideal.domain.effort.spent),
        ] {
            self.statistics.add(name, value);
        }
        (self.iteration, self.refinements) = (0, 0);
        self.rounds.clear();
        self.guessed.clear();
        self.refined.clear();
        self.given_up.clear();
        for (verdict, _) in self
            .verdicts
            .iter_mut()
            .zip(&self.enabled)
            .filter(|(_, enabled)| **enabled)
        {
            if let Progressing::Open { given_up } = verdict {
                *given_up = None;
            }
        }
        let effort = &mut self.cpa.domain.effort;
        effort.spent = effort.spent.saturating_add(ideal.domain.effort.spent);
        effort.checks.add(&ideal.domain.effort.checks);
        self.ignore_decided();
        self.apply_enabled();
        if reached.is_some() {
            self.cpa.domain.take_precision(self.program, &mut ideal.domain);
        }
        self.discard((reached, ideal));
    }
}
