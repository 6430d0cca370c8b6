//! A refinement loop after the run, for the room `certify`: it finds abstract states for properties that were proved without them.

use super::{Progressing, RefinementLoop, Session, analysis};
use crate::cpa::algorithm::Reached;
use crate::cpa::tracking::PropertyId;
use crate::engine::budget::{Budget, cpu_seconds};
use crate::engine::{Algorithm, Counter, Limits};
use crate::query::effort::Effort;
use crate::refine::Analysis;
use std::collections::BTreeSet;

impl<'p> Session<'_, 'p> {
    /// Notes which properties the last exploration proved: for them there are abstract states.
    pub(in crate::engine) fn proved_last(&mut self, properties: BTreeSet<PropertyId>) {
        self.proof.proved_last = properties;
    }

    /// Whether a property holds for which there are no abstract states.
    pub(in crate::engine) fn has_bare_proofs(&self) -> bool {
        let is_bare = |(p, v): (PropertyId, &Progressing)| {
            matches!(v, Progressing::Proved) && !self.proof.proved_last.contains(&p)
        };
        self.proof.shown.is_none() && self.board.numbered().any(is_bare)
    }

    /// The properties that hold, given the last exploration.
    pub(in crate::engine) fn holding(&self, reached: Option<&Reached<Analysis<'p>>>) -> Vec<bool> {
        // The exploration proves only properties that were tracked to its end.
        let active = reached.map(|reached| self.active(reached));
        let holds = |(property, verdict): (PropertyId, &Progressing)| match verdict {
            Progressing::Violated(_) | Progressing::Abandoned(_) | Progressing::Open { given_up: Some(_) } => false,
            Progressing::Open { given_up: None } => active.as_ref().is_some_and(|active| active.contains(&property)),
            Progressing::Proved => true,
        };
        self.board.numbered().map(holds).collect()
    }

    /// Begins a part of the run that may take a share of the time that the limits leave at this moment. The result is the budget of the whole run, for
    /// [`end_share`](Session::end_share).
    pub(in crate::engine) fn begin_share(&mut self, share: f64) -> Budget {
        let limits = self.options.limits.with_reserve();
        let part = |limit: f64, now: f64| now + (limit - now).max(0.0) * share;
        let limits = Limits {
            cpu: limits.cpu.map(|limit| part(limit, cpu_seconds())),
            wall: limits.wall.map(|limit| {
                part(limit, self.spending.start.elapsed().as_secs_f64()) - self.spending.start.elapsed().as_secs_f64()
            }),
            ..limits
        };
        let share = Budget::start(limits, self.options.cancel.clone());
        std::mem::replace(&mut self.spending.budget, share)
    }

    /// Ends what [`begin_share`](Session::begin_share) began.
    pub(in crate::engine) fn end_share(&mut self, whole: Budget) {
        self.spending.budget = whole;
    }

    /// Whether the last exploration shows a property: its abstract states are an invariant that excludes the violations.
    pub(in crate::engine) fn shows(&self, property: PropertyId, reached: Option<&Reached<Analysis<'p>>>) -> bool {
        match &self.proof.shown {
            Some(shown) => shown[property.index()],
            None => reached.is_some() && (self.is_open(property) || self.proof.proved_last.contains(&property)),
        }
    }

    /// Runs the refinement loop for all properties that hold, with the precision that there is, an effort of its own, and all verdicts as they
    /// are. `ticks` limits its effort. The result is its exploration and `true`, or the exploration before it and `false` if it does not come to its end.
    pub(in crate::engine) fn prove_again(
        &mut self,
        reached: Option<Reached<Analysis<'p>>>,
        ticks: u64,
    ) -> (Option<Reached<Analysis<'p>>>, bool) {
        if self.time_is_up() {
            return (reached, false);
        }
        let wanted = self.holding(reached.as_ref());
        let (again, found) = self.loop_beside(&wanted, ticks);
        let statistics = &mut self.current.statistics;
        statistics.set(Counter::ProofIterations, again.iteration);
        statistics.set(Counter::ProofTicks, again.cpa.domain.effort.spent);
        statistics.set(Counter::ProofComplete, u64::from(found.is_some()));
        if found.is_none() {
            self.board.accounts.retire(&again.cpa.context.tracked);
            self.discard(again);
            return (reached, false);
        }
        let main = self.adopt(again, wanted);
        self.discard((main, reached));
        (found, true)
    }

    /// Runs a refinement loop for the wanted properties beside the main one: with its precision, but with an effort, a graph and verdicts of its own. Its
    /// exploration is returned if it shows that they all hold.
    fn loop_beside(&mut self, wanted: &[bool], ticks: u64) -> (RefinementLoop<'p>, Option<Reached<Analysis<'p>>>) {
        let effort = Effort {
            interrupt: self.spending.budget.interrupt(),
            ..self.current.cpa.domain.effort.share(Some(ticks))
        };
        let mut again = analysis(
            self.program,
            self.properties,
            self.options,
            self.current.cpa.domain.encoder.anew(self.options.arith),
            effort,
        );
        again.domain.take_precision(self.program, &mut self.current.cpa.domain);
        let main = std::mem::replace(&mut self.current, RefinementLoop::new(again));
        let verdicts = self.board.verdicts.clone();
        for verdict in &mut self.board.verdicts {
            if matches!(verdict, Progressing::Proved) {
                *verdict = Progressing::Open { given_up: None };
            }
        }
        self.current.cpa.ignore(|_, property| !wanted[property.index()]);
        // Properties with a verdict are switched off; here they are tracked once more.
        let enabled = std::mem::replace(&mut self.board.enabled, wanted.to_vec());
        self.apply_enabled();
        // Nobody is charged for it.
        let governor = self.govern(None);
        let found = self.run(Algorithm::Predicate);
        self.charge_pause();
        for ((property, now), wanted) in self.board.numbered().zip(wanted) {
            assert!(
                !wanted || !matches!(now, Progressing::Violated(_)),
                "what was proved has no violation: {}",
                self.properties[property.index()].name
            );
        }
        let is_stuck = |(verdict, &wanted): (&Progressing, &bool)| {
            wanted && !matches!(verdict, Progressing::Open { given_up: None } | Progressing::Proved)
        };
        let stuck = self.board.verdicts.iter().zip(wanted).any(is_stuck);
        // It shows a property only if it tracked it everywhere.
        let shows_all = |found: &Reached<Analysis<'p>>| {
            let active = self.active(found);
            PropertyId::first(wanted.len()).all(|property| !wanted[property.index()] || active.contains(&property))
        };
        let found = found.filter(|found| !stuck && shows_all(found));
        self.board.verdicts = verdicts;
        self.board.enabled = enabled;
        self.govern(governor);
        (std::mem::replace(&mut self.current, main), found)
    }

    /// Takes over a loop beside the main one, which has shown that the wanted properties hold. Returns the main loop's analysis.
    fn adopt(&mut self, again: RefinementLoop<'p>, wanted: Vec<bool>) -> Analysis<'p> {
        // The exploration is about what holds only, so what follows from the one before is settled now.
        for (verdict, &wanted) in self.board.verdicts.iter_mut().zip(&wanted) {
            if wanted {
                *verdict = Progressing::Proved;
            }
        }
        self.proof.shown = Some(wanted);
        let main = std::mem::replace(&mut self.current.cpa, again.cpa);
        self.current.graph = again.graph;
        self.current.rounds.extend(again.rounds);
        self.board.accounts.retire(&main.context.tracked);
        let effort = std::mem::replace(&mut self.current.cpa.domain.effort, main.domain.effort.clone());
        let now = &mut self.current.cpa.domain;
        now.effort.add(&effort);
        now.encoder.absorb_assumptions(&main.domain.encoder);
        main
    }
}
