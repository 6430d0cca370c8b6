//! The properties that a loop checks and its budget: the hooks of [decomposition](crate::engine::decomposition) and [multi-aspect
//! verification](crate::engine::aspects).
//!
//! A refinement loop runs for a set of properties under an *allowance*, which is a part of the remaining limits of the run. When it is spent, a [`Governor`] decides whether the loop goes on.

use super::{Progressing, Session, analysis};
use crate::cfa::AssumptionKind;
use crate::cpa::algorithm::Reached;
use crate::cpa::tracking::PropertyId;
use crate::engine::account::{Account, Shares, Spent, shares};
use crate::engine::budget::{Budget, cpu_seconds};
use crate::engine::options::Reuse;
use crate::engine::{Limits, Reason, ReasonCode, Standing};
use crate::query::effort::Effort;
use crate::refine::provident::Candidate;
use crate::refine::{Analysis, Target};
use std::collections::BTreeSet;

/// Decides during a refinement loop what becomes of the properties.
pub(in crate::engine) trait Governor {
    /// A refinement loop begins.
    fn begin(&mut self, session: &mut Session<'_, '_>);
    /// Error paths are about to be refined; the accounts say whose.
    fn refining(&mut self, session: &mut Session<'_, '_>);
    /// Refinements were applied; the accounts say whose.
    fn refined(&mut self, session: &mut Session<'_, '_>);
    /// A property is violated.
    fn violated(&mut self, session: &mut Session<'_, '_>, property: PropertyId);
    /// The allowance is spent, but not the limits of the run. Returns whether the loop goes on; then there is a new allowance.
    fn spent(&mut self, session: &mut Session<'_, '_>) -> bool;
}

/// The limits of a loop, in absolute terms of the process and the run. `None` leaves the limits of the run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(in crate::engine) struct Allowance {
    /// Processor seconds of the process at which it ends.
    pub cpu: Option<f64>,
    /// Effort of the run at which it ends.
    pub ticks: Option<u64>,
    /// Abstract states that may be expanded, over all properties.
    pub states: Option<u64>,
}

impl<'p> Session<'_, 'p> {
    /// The clocks now.
    pub(in crate::engine) fn now(&self) -> Spent {
        Spent::now(
            self.spending
                .ticks_before
                .saturating_add(self.current.cpa.domain.effort.spent),
        )
    }

    /// The limits at which the engine ends the run.
    pub(in crate::engine) fn limits(&self) -> Limits {
        self.options.limits.with_reserve()
    }

    /// Sets what may be spent from now on.
    pub(in crate::engine) fn allow(&mut self, allowance: Allowance) {
        let limits = self.limits();
        let least = |a: Option<f64>, b: Option<f64>| a.into_iter().chain(b).reduce(f64::min);
        let budget = Budget::start(
            Limits {
                cpu: least(limits.cpu, allowance.cpu),
                wall: limits
                    .wall
                    .map(|wall| (wall - self.spending.start.elapsed().as_secs_f64()).max(0.0)),
                ..limits
            },
            self.options.cancel.clone(),
        );
        let effort = &mut self.current.cpa.domain.effort;
        effort.limit = limits.ticks.into_iter().chain(allowance.ticks).min();
        effort.interrupt = budget.interrupt();
        self.spending.budget = budget;
        self.spending.states_left = allowance.states;
    }

    /// Ends all allowances. A limit that is reached now remains the end of the run.
    pub(in crate::engine) fn end_allowances(&mut self) {
        self.spending.ended = self.limit_reached();
        self.allow(Allowance::default());
    }

    /// Ends the allowance at once.
    pub(in crate::engine) fn end_allowance(&mut self) {
        let effort = &mut self.current.cpa.domain.effort;
        effort.limit = Some(effort.spent);
    }

    /// Whether the run as a whole is at its end, with the reason.
    pub(in crate::engine) fn limit_reached(&self) -> Option<Reason> {
        if self.spending.ended.is_some() {
            return self.spending.ended.clone();
        }
        let limits = self.limits();
        if limits
            .ticks
            .is_some_and(|limit| self.current.cpa.domain.effort.spent >= limit)
        {
            return Some(ReasonCode::TickLimit.because("tick limit reached"));
        }
        if self.spending.crowded {
            let text = format!("more than {} abstract states", self.options.states);
            return Some(ReasonCode::StateLimit.because(text));
        }
        let exceeded = self.spending.budget.exceeded()?;
        let is_allowance =
            exceeded.code == ReasonCode::CpuLimit && limits.cpu.is_none_or(|limit| cpu_seconds() < limit);
        (!is_allowance).then_some(exceeded)
    }

    /// Whether the time for the current work is up, be it that of the run or a part of it.
    pub(in crate::engine) fn time_is_up(&self) -> bool {
        self.spending.budget.exceeded().is_some()
    }

    /// Tells the governor that a loop begins.
    pub(super) fn begin_loop(&mut self) {
        self.governed(|governor, session| governor.begin(session));
    }

    /// Asks that the current exploration begins anew.
    pub(in crate::engine) fn explore_afresh(&mut self) {
        self.current.afresh = true;
    }

    /// Asks the governor whether the loop goes on although something is spent.
    pub(super) fn goes_on(&mut self) -> bool {
        if self.limit_reached().is_some() {
            return false;
        }
        self.governed(|governor, session| governor.spent(session))
            .unwrap_or(false)
    }

    /// Calls the governor, if there is one.
    fn governed<T>(&mut self, call: impl FnOnce(&mut dyn Governor, &mut Self) -> T) -> Option<T> {
        let mut governor = self.governor.take()?;
        let result = call(governor.as_mut(), self);
        self.governor = Some(governor);
        Some(result)
    }

    /// Hands a loop over to a governor; returns the one before.
    pub(in crate::engine) fn govern(&mut self, governor: Option<Box<dyn Governor>>) -> Option<Box<dyn Governor>> {
        std::mem::replace(&mut self.governor, governor)
    }

    /// Begins anew with some properties: only these are tracked, and no target of them is given up. `reuse` chooses the results for other properties that are kept.
    pub(in crate::engine) fn restart(&mut self, properties: &BTreeSet<PropertyId>, reuse: Reuse) {
        match reuse {
            Reuse::Precision => {}
            Reuse::Caches => self.current.cpa.domain.precision.clear(),
            Reuse::Nothing => {
                let effort = std::mem::take(&mut self.current.cpa.domain.effort);
                let fresh = analysis(
                    self.program,
                    self.properties,
                    self.options,
                    self.current.cpa.domain.encoder.anew(self.options.arith),
                    effort,
                );
                let old = std::mem::replace(&mut self.current.cpa, fresh);
                self.board.accounts.retire(&old.context.tracked);
                self.explored.clear();
            }
        }
        if reuse != Reuse::Precision {
            self.board.facts.fill(BTreeSet::new());
        }
        if reuse != Reuse::Precision {
            self.current.guessed.clear();
        }
        for (property, enabled) in PropertyId::first(self.properties.len()).zip(&mut self.board.enabled) {
            *enabled = properties.contains(&property);
        }
        for &property in properties {
            if let Progressing::Open { given_up } = &mut self.board.verdicts[property.index()] {
                *given_up = None;
            }
            self.current
                .cpa
                .domain
                .set_aside
                .retain(|(_, _, aside)| *aside != property);
            self.current
                .cpa
                .watch(property, &self.properties[property.index()].targets);
        }
        self.current.refined.clear();
        self.current.iterations += self.current.iteration;
        self.current.iteration = 0;
        self.apply_enabled();
    }

    /// Stops tracking a property from here on.
    pub(in crate::engine) fn switch_off(&mut self, property: PropertyId) {
        self.board.enabled[property.index()] = false;
        self.apply_enabled();
    }

    /// Whether a property is tracked.
    pub(in crate::engine) fn is_enabled(&self, property: PropertyId) -> bool {
        self.board.enabled[property.index()]
    }

    /// The properties that are tracked and still to be decided.
    pub(in crate::engine) fn checking(&self) -> BTreeSet<PropertyId> {
        PropertyId::first(self.properties.len())
            .filter(|&p| self.is_open(p))
            .collect()
    }

    /// Tells the analysis which properties are tracked.
    pub(super) fn apply_enabled(&mut self) {
        let enabled = &self.board.enabled;
        self.current
            .cpa
            .context
            .tracked
            .enable(|property| enabled[property.index()]);
    }

    /// Properties that no edge of the program violates hold, and need not be tracked.
    pub(in crate::engine) fn prove_irrelevant(&mut self) {
        for property in PropertyId::first(self.properties.len()) {
            if self.properties[property.index()].targets.is_empty() {
                self.prove(property);
            }
        }
    }

    /// The operator `active`: the properties that every reached state tracks.
    pub(in crate::engine) fn active(&self, reached: &Reached<Analysis<'p>>) -> BTreeSet<PropertyId> {
        let sets: BTreeSet<_> = reached.arg.iter().map(|(_, node)| node.state.control.tracked).collect();
        let tracked = &self.current.cpa.context.tracked;
        let everywhere = |p: &PropertyId| sets.iter().all(|&set| tracked.tracks(set, *p));
        PropertyId::first(self.properties.len()).filter(everywhere).collect()
    }

    /// The account of a property.
    pub(in crate::engine) fn account(&self, property: PropertyId) -> Account {
        let mut account = *self.board.accounts.of(property);
        account.transitions += self.current.cpa.context.tracked.seen(property);
        account
    }

    /// Records that nothing is known of a property in the end.
    pub(in crate::engine) fn resign(&mut self, property: PropertyId, reason: Reason) {
        self.board.resigned[property.index()] = true;
        self.leave_open(property, reason);
    }

    /// Records why a property has no verdict when a limit of the run is reached; another run may decide it.
    pub(in crate::engine) fn leave_open(&mut self, property: PropertyId, reason: Reason) {
        if let Progressing::Open { given_up } = &mut self.board.verdicts[property.index()] {
            *given_up = Some(reason);
        }
        self.switch_off(property);
        self.report_standings();
    }

    /// Tells the observer where the properties stand.
    pub(super) fn report_standings(&mut self) {
        let mut trusted = self.program.assumptions.iter();
        if trusted.any(|assumption| assumption.kind == AssumptionKind::Unsupported) {
            // Verdicts of the model will not become verdicts of the program.
            return;
        }
        let standing = |property: PropertyId| match &self.board.verdicts[property.index()] {
            Progressing::Violated(_) => Standing::False,
            Progressing::Proved => Standing::True,
            Progressing::Open { given_up: Some(reason) } if self.board.resigned[property.index()] => {
                Standing::Unknown(reason.clone())
            }
            Progressing::Abandoned(reason) => Standing::Unknown(reason.clone()),
            Progressing::Open { .. } => Standing::Checking,
        };
        let all = PropertyId::first(self.properties.len());
        let standings: Vec<_> = all.map(|p| (standing(p), self.account(p))).collect();
        let latest = self.latest();
        self.observer.properties(&standings, latest);
    }

    /// Why parts of the state space were not looked at for a property.
    pub(in crate::engine) fn given_up(&self, property: PropertyId) -> Option<&Reason> {
        match &self.board.verdicts[property.index()] {
            Progressing::Open { given_up } => given_up.as_ref(),
            _ => None,
        }
    }

    /// Notes the beginning of a round of provident refinement: the properties of its targets are the ones that are checked.
    pub(super) fn begin_round(&mut self, targets: &[Target]) {
        let of = targets.iter().flat_map(|target| &target.properties);
        let now = self.now();
        self.board.accounts.turn(now, shares(of.map(|&property| (property, 1))));
        self.report_standings();
        self.governed(|governor, session| governor.refining(session));
    }

    /// Notes its end: each property is charged with the work on its own error paths.
    pub(super) fn end_round(&mut self, candidates: &[Candidate]) {
        let mut weights = Vec::new();
        for candidate in candidates {
            let properties = &candidate.target.properties;
            let ticks = candidate.ticks / u64::try_from(properties.len()).unwrap_or(u64::MAX).max(1);
            weights.extend(properties.iter().map(|&property| (property, ticks)));
        }
        if !weights.is_empty() {
            let now = self.now();
            self.board.accounts.turn_back(now, shares(weights.into_iter()));
        }
    }

    /// Notes refined error paths: the work that follows is charged to their properties.
    pub(super) fn charge(&mut self, selected: &[Candidate]) {
        let of = || selected.iter().flat_map(|candidate| &candidate.target.properties);
        of().for_each(|&property| self.board.accounts.refined(property));
        let now = self.now();
        self.board
            .accounts
            .turn(now, shares(of().map(|&property| (property, 1))));
        self.report_standings();
        self.governed(|governor, session| governor.refined(session));
    }

    /// Notes on whose behalf predicates were added since the last call.
    pub(super) fn attribute_facts(&mut self, properties: &[PropertyId]) {
        let journal = self.current.cpa.domain.precision.take_journal();
        for &property in properties {
            self.board.facts[property.index()].extend(journal.iter().copied());
        }
    }

    /// Removes from the precision the predicates and the cells of values that were found for a property, and for no other one that is still tracked.
    pub(in crate::engine) fn subtract_precision(&mut self, property: PropertyId) {
        let facts = std::mem::take(&mut self.board.facts[property.index()]);
        for (scope, pred) in facts {
            let needed =
                |p: PropertyId| self.board.enabled[p.index()] && self.board.facts[p.index()].contains(&(scope, pred));
            if !PropertyId::first(self.board.facts.len()).any(needed) {
                self.current.cpa.domain.precision.remove(scope, pred);
            }
        }
        let cells = std::mem::take(&mut self.board.cells[property.index()]);
        for (scope, cell) in cells {
            let needed =
                |p: PropertyId| self.board.enabled[p.index()] && self.board.cells[p.index()].contains(&(scope, cell));
            if !PropertyId::first(self.board.cells.len()).any(needed) {
                self.current.cpa.domain.first.precision.remove(scope, cell);
            }
        }
    }

    /// Removes all predicates and all cells of values from the precision.
    pub(in crate::engine) fn clear_precision(&mut self) {
        self.current.cpa.domain.precision.clear();
        self.current.cpa.domain.first.precision.clear();
        self.board.cells.fill(BTreeSet::new());
        self.current.guessed.clear();
        self.board.facts.fill(BTreeSet::new());
    }

    /// Charges the end of work to the latest checked properties.
    pub(in crate::engine) fn charge_pause(&mut self) {
        let now = self.now();
        self.board.accounts.turn(now, Shares::new());
    }

    /// The latest checked property, where it has to be one.
    pub(in crate::engine) fn latest(&self) -> Option<PropertyId> {
        self.board.accounts.latest()
    }

    /// The latest checked properties with their weights.
    pub(in crate::engine) fn shares(&self) -> Shares {
        self.board.accounts.shares().clone()
    }

    /// Reacts to a violation: the property is not tracked any more.
    pub(super) fn on_violation(&mut self, property: PropertyId) {
        self.switch_off(property);
        self.report_standings();
        self.governed(|governor, session| governor.violated(session, property));
    }

    /// An account of effort like that of the run, for work beside it.
    pub(super) fn effort_beside(&self, ticks: u64) -> Effort {
        let main = &self.current.cpa.domain.effort;
        main.share(Some(main.remaining().map_or(ticks, |left| left.min(ticks))))
    }
}
