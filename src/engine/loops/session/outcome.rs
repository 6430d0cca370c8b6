//! The outcome of a run: verdicts, counters, the final precision and the invariants of the explored state space.

use super::{Progressing, Session, count, discard};
use crate::cfa::AssumptionKind;
use crate::cpa::algorithm::Reached;
use crate::cpa::composite::State;
use crate::cpa::predicate::Phase;
use crate::cpa::predicate::precision::PredicateScope;
use crate::cpa::tracking::PropertyId;
use crate::cpa::value::assignment::Cell;
use crate::engine::{Counter, Invariant, Outcome, ReasonCode, Verdict};
use crate::refine::{Analysis, state_formula};
use std::collections::{BTreeMap, BTreeSet};

impl<'p> Session<'_, 'p> {
    /// The outcome. `reached` is given iff the state space was explored to the end without a target state of interest; `claimed` are invariants that the
    /// caller knows instead of those of this exploration.
    pub(in crate::engine) fn finish(
        mut self,
        reached: Option<&Reached<Analysis<'p>>>,
        claimed: Option<Vec<Invariant>>,
    ) -> Outcome {
        self.charge_pause();
        let stopped = self.limit_reached();
        let verdicts = self.verdicts(reached);
        let names = self.properties.iter().map(|p| p.name.clone());
        let explored = || reached.map(|reached| self.invariants(reached)).unwrap_or_default();
        let invariants = claimed.unwrap_or_else(explored);
        if let Some(reached) = reached {
            self.keep_graph(reached);
        }
        self.count_work();
        self.record_predicates(reached);
        let accounts = PropertyId::first(self.properties.len())
            .map(|p| self.account(p))
            .collect();
        let assumptions = self
            .program
            .assumptions
            .iter()
            .chain(self.current.cpa.domain.encoder.assumptions())
            .cloned()
            .collect();
        let outcome = Outcome {
            verdicts: names.zip(verdicts).collect(),
            graph: std::mem::take(&mut self.current.graph),
            rounds: std::mem::take(&mut self.current.rounds),
            precision: self.precision(),
            statistics: std::mem::take(&mut self.current.statistics),
            invariants,
            assumptions,
            accounts,
            limit: stopped.clone(),
            refinement_wall: self.refinement_wall,
            operators: self.times,
        };
        discard(stopped.is_some() && !self.options.followed, self.current.cpa);
        outcome
    }

    /// The verdicts, one per property. `reached` is as for [`finish`](Session::finish).
    pub(in crate::engine) fn verdicts(&self, reached: Option<&Reached<Analysis<'p>>>) -> Vec<Verdict> {
        assert!(
            reached.is_none_or(Reached::is_complete),
            "TRUE needs the whole state space"
        );
        let mut trusted = self.program.assumptions.iter();
        if let Some(assumption) = trusted.find(|a| a.kind == AssumptionKind::Unsupported) {
            // Neither an invariant nor an execution of the model says anything of the program.
            let unsupported = Verdict::Unknown(ReasonCode::Unsupported.because(&assumption.detail));
            return vec![unsupported; self.properties.len()];
        }
        let stopped = self.limit_reached();
        let active = reached.map(|reached| self.active(reached));
        let verdict = |(property, progressing): (PropertyId, &Progressing)| match progressing {
            Progressing::Violated(counterexample) => Verdict::False(counterexample.clone()),
            Progressing::Proved => Verdict::True,
            Progressing::Abandoned(reason) => Verdict::Unknown(reason.clone()),
            Progressing::Open { given_up: Some(reason) } => Verdict::Unknown(reason.clone()),
            Progressing::Open { given_up: None } => match active.as_ref() {
                Some(active) if self.proof.shown.is_none() && active.contains(&property) => {
                    let mut aside = self.current.cpa.domain.set_aside.iter();
                    assert!(
                        aside.all(|(_, _, other)| *other != property),
                        "what holds has no way to its violation that was set aside"
                    );
                    Verdict::True
                }
                Some(_) => Verdict::Unknown(ReasonCode::NotTracked.because("not tracked to the end")),
                None => {
                    let mut reason = stopped.clone();
                    let reason = reason.get_or_insert_with(|| ReasonCode::Interrupted.because("not finished"));
                    if let Some(shortfall) = &self.proof.shortfall {
                        reason.text = format!("{}; {shortfall}", reason.text);
                    }
                    Verdict::Unknown(reason.clone())
                }
            },
        };
        self.board.numbered().map(verdict).collect()
    }

    fn count_work(&mut self) {
        let domain = &self.current.cpa.domain;
        let counters = domain.counters;
        let entries = [
            (Counter::Iterations, self.current.iterations + self.current.iteration),
            (Counter::Predicates, count(domain.precision.len())),
            (Counter::Blocks, count(domain.blocks.len())),
            (Counter::Abstractions, counters.abstractions),
            (Counter::CachedAbstractions, counters.cached),
            (Counter::TrivialAbstractions, counters.trivial),
            (Counter::DroppedStates, counters.dropped),
            (Counter::RefutedTargets, counters.refuted_targets),
            (Counter::SolverTicks, domain.effort.spent),
        ];
        for (name, value) in entries {
            self.current.statistics.set(name, value);
        }
        let read = domain.effort.interpolation;
        let reduced = self.options.refine.interpolation.reduce;
        let proofs = [
            (Counter::InterpolationProofs, read.proofs),
            (Counter::InterpolationSteps, read.steps),
            (Counter::ReducedSteps, if reduced { read.reduced_steps } else { 0 }),
            (Counter::InterpolantChoices, read.choices),
            (Counter::OtherInterpolants, read.others),
            (Counter::AbstractedInterpolants, read.abstracted),
            (Counter::TemplateSets, read.elements),
            (Counter::DroppedParts, read.dropped),
        ];
        for (name, value) in proofs.into_iter().filter(|(_, value)| *value > 0) {
            self.current.statistics.set(name, value);
        }
        let checks = &domain.effort.checks;
        let checked = [
            (Counter::CheckedAbstractions, checks.abstractions),
            (Counter::CheckedProducts, checks.products),
            (Counter::CheckedMerges, checks.merges),
            (Counter::CheckedModels, checks.models),
            (Counter::CheckedInterpolants, checks.interpolants),
            (Counter::CertifiedInterpolants, read.certified),
            (Counter::UncertifiedInterpolants, read.uncertified),
            (Counter::InterpolantTicks, read.certificate_ticks),
            (Counter::InterpolantSteps, read.certificate_steps),
            (Counter::CheckedProofs, checks.proofs),
            (Counter::CheckedPrefixes, checks.prefixes),
            (Counter::UndecidedChecks, checks.undecided),
        ];
        for (name, value) in checked.into_iter().filter(|_| checks.enabled) {
            self.current.statistics.set(name, value);
        }
    }

    fn precision(&self) -> Vec<String> {
        let domain = &self.current.cpa.domain;
        let place = |scope| match scope {
            PredicateScope::Global => "*".to_string(),
            PredicateScope::Function(func) => self.program.function(func).name.clone(),
            PredicateScope::Location(node) => {
                format!(
                    "{} N{}",
                    self.program.function(self.program.node(node).func).name,
                    node.index()
                )
            }
        };
        let predicate = |(scope, pred)| {
            let predicate = domain.encoder.display(&domain.pool, domain.precision.term(pred));
            format!("{}: {predicate}", place(scope))
        };
        let value = |(scope, cell): (_, Cell)| format!("{}: value of {}", place(scope), cell.display(&domain.encoder));
        let predicates = domain.precision.iter().map(predicate);
        let mut lines: Vec<String> = predicates.chain(domain.first.precision.iter().map(value)).collect();
        lines.sort_unstable();
        lines
    }

    fn invariants(&mut self, reached: &Reached<Analysis<'p>>) -> Vec<Invariant> {
        let mut regions = BTreeMap::new();
        for (_, node) in reached.arg.iter() {
            let State { control, data } = &node.state;
            if data.1.phase == Phase::Abstracted && self.program.node(control.node).loop_head {
                let region = self.current.cpa.domain.record(data.1.abs).region;
                regions
                    .entry(control.node)
                    .or_insert_with(BTreeSet::new)
                    .insert((region, data.0));
            }
        }
        let domain = &mut self.current.cpa.domain;
        let mut invariant = |(node, states): (_, BTreeSet<_>)| {
            let formulas: Vec<_> = states
                .into_iter()
                .map(|(region, values)| state_formula(domain, region, values))
                .collect();
            let texts = formulas
                .iter()
                .map(|&formula| domain.encoder.display(&domain.pool, formula));
            let disjuncts: BTreeSet<String> = texts.collect();
            Invariant {
                node,
                formulas: domain.pool.export(&formulas),
                disjuncts: disjuncts.into_iter().collect(),
            }
        };
        regions.into_iter().map(&mut invariant).collect()
    }
}
