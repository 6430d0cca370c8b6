//! A refinement loop after the run: abstract states for what was proved without them (see [`certificate`](crate::engine::certificate)).

use super::{Progressing, RefinementLoop, Session, analysis};
use crate::cpa::algorithm::Reached;
use crate::engine::budget::{Budget, cpu_seconds};
use crate::engine::certificate::{Evidence, NoProof, Origin, certificate};
use crate::engine::conjecture::conjectures;
use crate::engine::states::{MAX_STATES, claims_of_states};
use crate::engine::{Invariant, Limits, Verdict};
use crate::query::effort::Effort;
use crate::refine::Analysis;
use std::collections::BTreeSet;

/// So few states say no less to a reader than predicates.
const FEW_STATES: usize = 200;

/// Shares of the time that is left for guesses, and for claims of single states.
const GUESSES_SHARE: f64 = 0.3;
const STATES_SHARE: f64 = 0.5;

/// So many states do not become few enough to be claimed: then there are only guesses.
const HOPELESS: usize = 4 * MAX_STATES;

impl<'p> Session<'_, 'p> {
    /// Notes which properties the last exploration proved: for them there are abstract states.
    pub(in crate::engine) fn proved_last(&mut self, properties: BTreeSet<usize>) {
        self.proof.proved_last = properties;
    }

    /// Whether a property holds for which there are no abstract states.
    pub(in crate::engine) fn has_bare_proofs(&self) -> bool {
        let is_bare =
            |(p, v): (usize, &Progressing)| matches!(v, Progressing::Proved) && !self.proof.proved_last.contains(&p);
        self.proof.shown.is_none() && self.board.verdicts.iter().enumerate().any(is_bare)
    }

    /// The properties that hold, given the last exploration.
    pub(in crate::engine) fn holding(&self, reached: Option<&Reached<Analysis<'p>>>) -> Vec<bool> {
        // What was not tracked to the end of the exploration does not hold by it.
        let active = reached.map(|reached| self.active(reached));
        let holds = |(property, verdict): (usize, &Progressing)| match verdict {
            Progressing::Violated(_) | Progressing::Abandoned(_) | Progressing::Open { given_up: Some(_) } => false,
            Progressing::Open { given_up: None } => active.as_ref().is_some_and(|active| active.contains(&property)),
            Progressing::Proved => true,
        };
        self.board.verdicts.iter().enumerate().map(holds).collect()
    }

    /// Does something within a share of the time that the limits leave at this moment.
    pub(in crate::engine) fn within<T>(&mut self, share: f64, work: impl FnOnce(&mut Self) -> T) -> T {
        let limits = self.options.limits.with_reserve();
        let part = |limit: f64, now: f64| now + (limit - now).max(0.0) * share;
        let limits = Limits {
            cpu: limits.cpu.map(|limit| part(limit, cpu_seconds())),
            wall: limits.wall.map(|limit| {
                part(limit, self.spending.start.elapsed().as_secs_f64()) - self.spending.start.elapsed().as_secs_f64()
            }),
            ..limits
        };
        let whole = std::mem::replace(
            &mut self.spending.budget,
            Budget::start(limits, self.options.cancel.clone()),
        );
        let result = work(self);
        self.spending.budget = whole;
        result
    }

    /// Makes claims of the states of the exploration with explicit values. Whether there are any for all properties that hold, and they are as good as
    /// predicates: few, and nothing of the states is left out.
    pub(in crate::engine) fn claim_states(&mut self, reached: Option<&Reached<Analysis<'p>>>) -> bool {
        if self.limit_reached().is_some() {
            return false;
        }
        let holding = self.holding(reached);
        // One exploration tells how many states there are, and what they have in common.
        let guesses = self.within(GUESSES_SHARE, |session| conjectures(session, &holding));
        let (guesses, known, states) = match guesses {
            Ok(guesses) => (Some(guesses.certificate), guesses.found, guesses.states),
            Err(_) => (None, None, 0),
        };
        let claims = match states > HOPELESS {
            true => Err(NoProof(format!("its {states} states are too many"))),
            false => self.within(STATES_SHARE, |session| claims_of_states(session, &holding, known)),
        };
        match claims {
            Ok(claims) => {
                let is_whole = matches!(&claims.certificate.origin, Origin::Explicit(lost) if lost.is_empty());
                self.proof.states = Some((claims.certificate, claims.invariants));
                is_whole && claims.states <= FEW_STATES
            }
            Err(reason) => {
                self.proof.no_states = Some(reason);
                self.proof.states = guesses.map(|guesses| (guesses, Vec::new()));
                false
            }
        }
    }

    /// What the claimed states say at loop heads, if they are all that there is to show.
    pub(super) fn claimed_invariants(&self) -> Option<Vec<Invariant>> {
        let shown = self.proof.states.as_ref().filter(|_| self.proof.shown.is_none());
        shown.map(|(_, invariants)| invariants.clone())
    }

    /// Whether the states of an exploration with explicit values are claimed.
    pub(in crate::engine) fn has_states(&self) -> bool {
        self.proof.states.is_some()
    }

    /// Runs the refinement loop for all properties that hold, with the precision that there is, an effort of its own, and all verdicts as they
    /// are: what comes of it is the exploration, or the one before if it does not come to its end. `ticks` limits its effort.
    pub(in crate::engine) fn prove_again(
        &mut self,
        reached: Option<Reached<Analysis<'p>>>,
        ticks: u64,
    ) -> Option<Reached<Analysis<'p>>> {
        if self.time_is_up() {
            return reached;
        }
        let wanted = self.holding(reached.as_ref());
        let effort = Effort {
            limit: Some(ticks),
            spent: 0,
            interrupt: self.spending.budget.interrupt(),
            checks: self.current.cpa.domain.effort.checks.fresh(),
        };
        let mut again = analysis(self.program, self.properties, self.options, self.options.arith, effort);
        again.domain.take_precision(self.program, &mut self.current.cpa.domain);
        let main = std::mem::replace(&mut self.current, RefinementLoop::new(again));
        let verdicts = self.board.verdicts.clone();
        for verdict in &mut self.board.verdicts {
            if matches!(verdict, Progressing::Proved) {
                *verdict = Progressing::Open { given_up: None };
            }
        }
        self.current.cpa.ignore(|_, property| !wanted[property]);
        // What has its verdict is switched off; here it is looked at once more.
        let enabled = std::mem::replace(&mut self.board.enabled, wanted.clone());
        self.apply_enabled();
        // Nobody is charged for it.
        let governor = self.govern(None);
        let found = self.refinement_loop();
        self.book_pause();
        for (property, (now, wanted)) in self.board.verdicts.iter().zip(&wanted).enumerate() {
            assert!(
                !wanted || !matches!(now, Progressing::Violated(_)),
                "what was proved has no violation: {}",
                self.properties[property].name
            );
        }
        let is_stuck = |(verdict, &wanted): (&Progressing, &bool)| {
            wanted && !matches!(verdict, Progressing::Open { given_up: None } | Progressing::Proved)
        };
        let stuck = self.board.verdicts.iter().zip(&wanted).any(is_stuck);
        // It shows a property only if it tracked it everywhere.
        let shows_all = |found: &Reached<Analysis<'p>>| {
            let active = self.active(found);
            (0..wanted.len()).all(|property| !wanted[property] || active.contains(&property))
        };
        let found = found.filter(|found| !stuck && shows_all(found));
        self.board.verdicts = verdicts;
        self.board.enabled = enabled;
        self.govern(governor);
        let again = std::mem::replace(&mut self.current, main);
        let statistics = &mut self.current.statistics;
        statistics.set("proof iterations", again.iteration);
        statistics.set("proof ticks", again.cpa.domain.effort.spent);
        statistics.set("proof complete", u64::from(found.is_some()));
        if found.is_none() {
            self.board.accounts.retire(&again.cpa.context.tracked);
            self.discard(again);
            return reached;
        }
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
        now.effort.spent = now.effort.spent.saturating_add(effort.spent);
        now.effort.checks.add(&effort.checks);
        now.encoder.absorb_assumptions(&main.domain.encoder);
        self.discard((main, reached));
        found
    }

    /// What proves the properties that hold, if that is wanted.
    pub(super) fn evidence(&mut self, reached: Option<&Reached<Analysis<'p>>>, verdicts: &[Verdict]) -> Evidence {
        let mut evidence = Evidence::default();
        if !self.options.certificate {
            return evidence;
        }
        let holds = |property: &usize| matches!(verdicts[*property], Verdict::True);
        if let Some((certificate, _)) = self.proof.states.take().filter(|_| self.proof.shown.is_none()) {
            assert!(
                (0..verdicts.len())
                    .filter(holds)
                    .all(|p| certificate.properties.contains(&p)),
                "states are claimed for all that holds"
            );
            evidence.certificate = Some(certificate);
            return evidence;
        }
        let (shown, without): (Vec<usize>, Vec<usize>) =
            (0..verdicts.len())
                .filter(holds)
                .partition(|&property| match &self.proof.shown {
                    Some(shown) => shown[property],
                    None => reached.is_some() && (self.is_open(property) || self.proof.proved_last.contains(&property)),
                });
        let explicit = "proved by exhaustive exploration of explicit values";
        let reason = |property: usize| match (self.properties[property].targets.is_empty(), &self.proof.no_states) {
            (true, _) => "no place of the program violates it, whatever is executed".to_string(),
            (false, Some(NoProof(why))) => format!("{explicit}: {why}"),
            (false, None) => explicit.to_string(),
        };
        let without = without.into_iter().map(|p| (p, NoProof(reason(p))));
        evidence.without = without.collect();
        if let Some(reached) = reached.filter(|_| !shown.is_empty()) {
            evidence.certificate = Some(certificate(&mut self.current.cpa, reached, shown));
        }
        evidence
    }
}
