//! The verdicts of a run: feasible error paths go to the replay, and targets that cannot be decided are given up.
//!
//! # Other ways to the same violation
//!
//! The replay may refuse an error path, and the solver may not know whether there is one, while another way to the same target is an execution: a callback that runs before the driver has set up what it needs
//! comes to the violation sooner than the one behind the set-up. So not the target is given up, but this way to it: its state is set aside, and the exploration goes on. The property has at best FALSE from
//! then on, as it has when its target is given up, so it matters nothing that states behind are covered by those of a way that was set aside.
//! Before that, an execution is looked for on the edges of this way, without its formula: [`along`].
//! A loop sets few ways aside, since each may take several replays; and none if it only proves, as a rough stage does.

use super::{Progressing, Session};
use crate::cfa::EdgeId;
use crate::cpa::tracking::PropertyId;
use crate::encode::Arith;
use crate::engine::options::{Algorithm, SearchOrder};
use crate::engine::phases::along::along;
use crate::engine::{Activity, Confirmation, Counter, Counterexample, CounterexampleCandidate, Reason, ReasonCode};
use crate::refine::Target;
use crate::refine::concrete::{ConcretePath, Concretisation};
use crate::refine::interpolation::Feasibility;
use crate::refine::path::ErrorPath;
use crate::refine::provident::Candidate;

/// Paths of one feasible chain that are replayed at most, before its target is given up.
const MAX_REPLAYS: usize = 4;

/// Error paths that one loop sets aside at most, before it gives up their targets.
const MAX_REFUSED: usize = 8;

impl Session<'_, '_> {
    /// Settles what needs no refinement: feasible chains become verdicts. Returns the others, undecided ones last: another refinement may make
    /// their target states unreachable, and only if there is none are they given up.
    pub(in crate::engine) fn settle(&mut self, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let mut infeasible = Vec::new();
        let mut undecided = Vec::new();
        for candidate in candidates {
            match &candidate.feasibility {
                Feasibility::Infeasible(_) => infeasible.push(candidate),
                Feasibility::Feasible => self.confirm(&candidate.target, &candidate.path),
                Feasibility::Unknown(_) if self.current.cpa.domain.effort.is_exhausted() => {}
                Feasibility::Unknown(_) => {
                    self.current.statistics.add(Counter::UndecidedErrorPaths, 1);
                    self.look_for_execution(&candidate.target, &candidate.path);
                    if self.is_any_open(&candidate.target) {
                        undecided.push(candidate);
                    }
                }
            }
        }
        self.look_for_defined();
        infeasible.extend(undecided);
        infeasible
    }

    /// Asks the injected replay about the paths of a feasible chain, until one is confirmed for each property that its target violates.
    pub(in crate::engine) fn confirm(&mut self, target: &Target, path: &ErrorPath) {
        if let Some(reason) = self.current.refused.get(&path.blocks).cloned() {
            return self.set_aside(target, path, &reason);
        }
        self.report(Activity::Confirm, 0, 1);
        let mut search = Concretisation::new(path);
        let mut first_reason = None;
        let mut left = MAX_REPLAYS;
        while left > 0 {
            left -= 1;
            match search.next(&mut self.current.cpa.domain) {
                Ok(concrete) => match self.replay(target, &concrete) {
                    Some(reason) => {
                        let is_undefined = reason.code == ReasonCode::ReplayUndefined;
                        first_reason.get_or_insert(reason);
                        // Another path, or the same one with other values, may be defined.
                        if is_undefined && search.suppose_objects(&mut self.current.cpa.domain) {
                            left = MAX_REPLAYS;
                        }
                    }
                    None => return,
                },
                // The limit is the reason then, not this path.
                Err(_) if self.current.cpa.domain.effort.is_exhausted() => return,
                Err(reason) => {
                    first_reason.get_or_insert(ReasonCode::SolverIncomplete.because(reason.to_string()));
                    break;
                }
            };
        }
        let reason = first_reason
            .unwrap_or_else(|| ReasonCode::SolverIncomplete.because("no inputs were found for a feasible path"));
        self.look_for_execution(target, path);
        self.set_aside(target, path, &reason);
    }

    /// Looks for an execution with the edges of an error path about which the exact formulas have not said enough: with explicit values, and by inputs for integers that do not wrap around.
    fn look_for_execution(&mut self, target: &Target, path: &ErrorPath) {
        let may_look = !self.options.followed
            && self.current.cpa.domain.encoder.arith() == Arith::Machine
            && self.current.sought.len() < MAX_REFUSED
            && self.current.sought.insert(path.blocks.clone());
        if !may_look {
            return;
        }
        along(self, &path.blocks, target.edge);
        let effort = &mut self.current.cpa.domain.effort;
        let limit = effort.limit.replace(effort.spent + effort.for_one_question());
        let mut search = Concretisation::with_ideal_integers(path, &mut self.current.cpa.domain);
        for _ in 0..MAX_REPLAYS {
            if !self.is_any_open(target) {
                break;
            }
            match search.next(&mut self.current.cpa.domain) {
                Ok(concrete) => self.replay(target, &concrete),
                Err(_) => break,
            };
        }
        self.current.cpa.domain.effort.limit = limit;
    }

    /// Whether a target violates a property that is open.
    fn is_any_open(&self, target: &Target) -> bool {
        target.properties.iter().any(|&property| self.is_open(property))
    }

    /// Replays a path for each property that its target violates. Returns why it is not confirmed for all of them.
    fn replay(&mut self, target: &Target, concrete: &ConcretePath) -> Option<Reason> {
        let mut failure = None;
        for &property in &target.properties {
            if !self.is_open(property) {
                continue;
            }
            let candidate = CounterexampleCandidate {
                steps: concrete.steps.as_slice().into(),
                inputs: concrete.inputs.clone(),
                property,
            };
            match self.ask(candidate) {
                Confirmation::Confirmed | Confirmation::Abandoned(_) => {}
                Confirmation::Refuted(reason) => {
                    let text = format!("the replay of a feasible path left it: {reason}");
                    failure.get_or_insert(ReasonCode::ReplayLeftPath.because(text));
                }
                Confirmation::Undefined(reason) => {
                    let text = format!("a feasible path could not be replayed: {reason}");
                    failure.get_or_insert(ReasonCode::ReplayUndefined.because(text));
                }
                Confirmation::Invented(reason) => {
                    failure.get_or_insert(ReasonCode::Invented.because(reason));
                }
            }
        }
        failure
    }

    /// Asks the injected replay about a candidate; if it confirms, that is the property's verdict.
    pub(in crate::engine) fn ask(&mut self, candidate: CounterexampleCandidate) -> Confirmation {
        let property = candidate.property;
        self.current.statistics.add(Counter::Replays, 1);
        let confirmation = (self.confirm)(&candidate);
        match &confirmation {
            Confirmation::Confirmed => {
                self.board.verdicts[property.index()] = Progressing::Violated(Box::new(Counterexample { candidate }));
                self.current.cpa.ignore(|_, p| p == property);
                self.on_violation(property);
            }
            Confirmation::Abandoned(reason) => {
                self.board.verdicts[property.index()] = Progressing::Abandoned(reason.clone());
                self.current.cpa.ignore(|_, p| p == property);
            }
            Confirmation::Refuted(_) => self.current.statistics.add(Counter::RefutedReplays, 1),
            Confirmation::Undefined(_) => self.current.statistics.add(Counter::UndefinedReplays, 1),
            Confirmation::Invented(_) => self.current.statistics.add(Counter::InventedViolations, 1),
        }
        confirmation
    }

    /// Whether a property is looked at and still to be decided.
    pub(in crate::engine) fn is_open(&self, property: PropertyId) -> bool {
        self.is_enabled(property) && self.is_undecided(property)
    }

    /// Whether a property has no verdict yet.
    pub(in crate::engine) fn is_undecided(&self, property: PropertyId) -> bool {
        matches!(self.board.verdicts[property.index()], Progressing::Open { .. })
    }

    /// Records that a property holds. The caller has explored everything.
    pub(in crate::engine) fn prove(&mut self, property: PropertyId) {
        assert!(self.is_open(property), "a verdict is final");
        self.board.verdicts[property.index()] = Progressing::Proved;
        self.current.cpa.ignore(|_, p| p == property);
        self.switch_off(property);
        self.report_standings();
    }

    /// Stops looking at an edge for a property: the property cannot become TRUE any more, but FALSE through another edge.
    fn give_up(&mut self, edge: EdgeId, property: PropertyId, reason: &Reason) {
        self.mark(property, reason);
        self.current.cpa.ignore(|e, p| e == edge && p == property);
    }

    /// Gives up one way to a target, for all properties that it violates and that are open; the target itself where the loop has set aside enough, or knows no ways.
    fn set_aside(&mut self, target: &Target, path: &ErrorPath, reason: &Reason) {
        let goes_on = self.options.algorithm == Algorithm::Predicate
            && !self.options.followed
            && self.current.cpa.memo.is_none()
            && (self.current.refused.len() < MAX_REFUSED || self.current.refused.contains_key(&path.blocks));
        for &property in &target.properties {
            if !self.is_open(property) {
                continue;
            }
            let way = (target.state.abs, target.state.block, property);
            if goes_on && self.current.cpa.domain.set_aside.insert(way) {
                self.mark(property, reason);
                let known = self.current.refused.insert(path.blocks.clone(), reason.clone());
                if known.is_none() && self.options.order == SearchOrder::Distance {
                    // The ways that are as near lead through the same places.
                    self.direct();
                    self.current.afresh = true;
                }
            } else {
                self.give_up(target.edge, property, reason);
            }
        }
    }

    /// Records that a property cannot become TRUE any more.
    fn mark(&mut self, property: PropertyId, reason: &Reason) {
        if let Progressing::Open { given_up } = &mut self.board.verdicts[property.index()] {
            given_up.get_or_insert_with(|| reason.clone());
        }
    }

    /// Gives up a target, for all properties that it violates.
    pub(in crate::engine) fn give_up_target(&mut self, target: &Target, reason: &Reason) {
        for &property in &target.properties {
            self.give_up(target.edge, property, reason);
        }
    }

    /// Gives up all violations of the properties that are looked at.
    pub(in crate::engine) fn give_up_everything(&mut self, reason: &Reason) {
        for property in self.checking() {
            for &edge in &self.properties[property.index()].targets {
                self.give_up(edge, property, reason);
            }
        }
    }

    /// Gives up a property that is open.
    pub(in crate::engine) fn abandon_property(&mut self, property: PropertyId, reason: Reason) {
        if self.is_open(property) {
            self.board.verdicts[property.index()] = Progressing::Abandoned(reason);
            self.current.cpa.ignore(|_, p| p == property);
        }
    }

    /// Gives up the targets of candidates that would be found again and again.
    pub(in crate::engine) fn abandon(&mut self, candidates: &[Candidate]) {
        for candidate in candidates {
            let reason = match (self.current.refused.get(&candidate.path.blocks), &candidate.feasibility) {
                (Some(known), _) => known.clone(),
                (None, Feasibility::Unknown(reason)) => ReasonCode::SolverIncomplete.because(reason),
                (None, _) => ReasonCode::NoProgress.because("refinement made no progress"),
            };
            self.set_aside(&candidate.target, &candidate.path, &reason);
        }
    }

    /// Whether every property that is looked at has its verdict already.
    pub(in crate::engine) fn is_decided(&self) -> bool {
        PropertyId::first(self.board.verdicts.len()).all(|property| !self.is_open(property))
    }

    /// Stops looking for violations of properties that have their verdict.
    pub(super) fn ignore_decided(&mut self) {
        let decided: Vec<bool> = PropertyId::first(self.board.verdicts.len())
            .map(|p| !self.is_undecided(p))
            .collect();
        self.current.cpa.ignore(|_, property| decided[property.index()]);
    }
}
