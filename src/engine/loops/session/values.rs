//! Refinements of the value analysis, and the choice which domain is refined for an error path.
//!
//! The choice is that of Beyer, Löwe and Wendler, *Refinement selection*, SPIN 2015, section 6: both domains offer a refinement for the path, and the one with the lower domain-type score is taken. With a
//! threshold, as their tool has it, a value refinement with a low score is taken at once, which saves the solver. Of equal scores the predicates' one is taken.

use super::{Session, count};
use crate::cfa::Step;
use crate::cfa::analysis::domain_types::Score;
use crate::cpa::algorithm::Reached;
use crate::cpa::arg::ArgId;
use crate::cpa::product::Product;
use crate::encode::{Arith, Frame};
use crate::engine::operators::Operator;
use crate::engine::{AnalysisKind, Counter, ReasonCode};
use crate::refine::prefer::{Judge, Judged};
use crate::refine::provident::Candidate;
use crate::refine::value::{JudgedValues, Refutation, ValueIncrement, check, path_id, path_to, refute_all};
use crate::refine::{Analysis, Target};
use provident_smt::term::TermPool;
use std::collections::{BTreeMap, BTreeSet};

/// The refinements that the value analysis offers in one round.
#[derive(Default)]
pub(in crate::engine) struct Offers {
    /// Those that are taken.
    taken: Vec<(Target, ValueIncrement)>,
    /// Those for whose targets the predicate analysis may have a better one, with their scores.
    contested: BTreeMap<ArgId, (Score, Target, ValueIncrement)>,
}

impl<'p> Session<'_, 'p> {
    /// Whether the refinement loop that runs now has values.
    fn has_values(&self) -> bool {
        self.options.analysis != AnalysisKind::Predicate && self.current.cpa.domain.encoder.arith() == Arith::Machine
    }

    /// Asks the value analysis about the error paths of targets, in parallel. Returns what it offers, and the targets about which the predicate analysis is to be asked, in their order.
    ///
    /// Where a path has several infeasible sliced prefixes, the refinement that is preferred is the one that is offered.
    pub(in crate::engine) fn offer_values(
        &mut self,
        reached: &Reached<Analysis<'p>>,
        targets: Vec<Target>,
    ) -> (Offers, Vec<Target>) {
        let mut offers = Offers::default();
        if !self.has_values() {
            return (offers, targets);
        }
        let paths = targets.iter().map(|target| path_to(reached, target.id));
        let paths: Vec<Vec<(Step, Frame)>> = paths
            .map(|steps| self.current.cpa.domain.encoder.frames(&steps))
            .collect();
        let results = self.timed(Operator::ProvidentRefine, |session| session.refute_by_values(&paths));
        let mut records = Vec::new();
        let mut others = Vec::new();
        let number = targets.len();
        for ((target, steps), (refutation, ticks)) in targets.into_iter().zip(&paths).zip(results) {
            self.current.statistics.add(Counter::RefinementTicks, ticks);
            let increments = match refutation {
                Refutation::Exhausted => break,
                Refutation::Feasible => {
                    others.push(target);
                    continue;
                }
                Refutation::Refuted(increments) => increments,
            };
            self.current.statistics.add(Counter::ValueRefutations, 1);
            let prefixes = increments.len();
            let increment = self.prefer_values(steps, increments);
            let domain = &mut self.current.cpa.domain;
            if self.options.check {
                check::check(&domain.first, &increment, &mut domain.second.effort);
            }
            if self.observer.wants_log() {
                records.push(self.value_record(&target, &increment, prefixes));
            }
            let score = increment.score(&self.current.cpa.domain.first);
            let is_contested =
                self.options.analysis == AnalysisKind::Both && score > Score(self.options.value_threshold);
            if is_contested {
                others.push(target.clone());
                offers.contested.insert(target.id, (score, target, increment));
            } else {
                offers.taken.push((target, increment));
            }
        }
        self.record_value_candidates(number, records);
        (offers, others)
    }

    fn refute_by_values(&mut self, paths: &[Vec<(Step, Frame)>]) -> Vec<(Refutation, u64)> {
        let refine = &self.options.refine;
        let limit = match refine.prefer.is_none() {
            true => 1,
            false => usize::try_from(refine.prefixes.max(1)).unwrap_or(usize::MAX),
        };
        let Product { first, second } = &mut self.current.cpa.domain;
        refute_all(first, paths, limit, &self.workers, &mut second.effort)
    }

    /// The refinement that is preferred among those of the prefixes of an error path; that of the shortest one without a preference.
    fn prefer_values(&mut self, steps: &[(Step, Frame)], mut increments: Vec<ValueIncrement>) -> ValueIncrement {
        let preference = self.options.refine.prefer;
        if !preference.is_none() {
            let statistics = &mut self.current.statistics;
            statistics.add(Counter::SlicedPrefixes, count(increments.len()));
            statistics.add(Counter::RefinementSelections, u64::from(increments.len() > 1));
        }
        let analysis = &self.current.cpa.domain.first;
        let judge = Judge {
            preference,
            types: analysis.domain_types(),
            counters: &self.current.counters,
            constants: &self.current.constants,
        };
        let judged = |increment| JudgedValues { increment, analysis };
        let judged: Vec<JudgedValues<'_, '_>> = increments.iter().map(judged).collect();
        let chosen = judge.choose(path_id(steps), &judged);
        increments.swap_remove(chosen)
    }

    /// Chooses between both domains where both have a refinement. Returns the candidates of the predicate analysis that remain.
    ///
    /// Without predicates, the targets of infeasible paths that constants do not refute are given up.
    pub(in crate::engine) fn choose_domain(
        &mut self,
        offers: &mut Offers,
        candidates: Vec<Candidate>,
    ) -> Vec<Candidate> {
        if !self.has_values() {
            return candidates;
        }
        let mut remaining = Vec::new();
        for candidate in candidates {
            if let Some((score, target, increment)) = offers.contested.remove(&candidate.target.id) {
                if self.predicate_score(&candidate).is_none_or(|other| other > score) {
                    offers.taken.push((target, increment));
                    continue;
                }
                self.current.statistics.add(Counter::PredicatesPreferred, 1);
            }
            remaining.push(candidate);
        }
        // Where the predicate analysis was not asked in the end, the values' offer is the only one.
        let unanswered = std::mem::take(&mut offers.contested);
        offers.taken.extend(
            unanswered
                .into_values()
                .map(|(_, target, increment)| (target, increment)),
        );
        if self.options.analysis == AnalysisKind::Value {
            for candidate in remaining.drain(..) {
                self.give_up_unrefuted(candidate);
            }
        }
        remaining
    }

    /// Gives up the target of a path that constants do not refute, where there are no predicates that could.
    fn give_up_unrefuted(&mut self, candidate: Candidate) {
        let constants = "constants of variables and memory cells do not show it (`analysis=value`)";
        let reason = match (candidate.increment(), candidate.path.boundaries.is_empty()) {
            (Some(_), _) => format!("an error path is infeasible, and {constants}"),
            // No interpolant divides a single block, so the answer is that there is no refinement.
            (None, true) => format!("an error path in a single block is infeasible, or undecided, and {constants}"),
            (None, false) => return self.abandon(&[candidate]),
        };
        self.give_up_target(&candidate.target, &ReasonCode::NoProgress.because(reason));
    }

    /// The domain-type score of a candidate's predicates; `None` if it has none.
    fn predicate_score(&self, candidate: &Candidate) -> Option<Score> {
        let increment = candidate.increment()?;
        let mut pool = TermPool::new();
        let domain = &self.current.cpa.domain;
        let predicates = pool.import(&increment.predicates);
        let names: BTreeSet<String> = predicates
            .iter()
            .flat_map(|&predicate| domain.encoder.predicate_variables(&pool, predicate))
            .collect();
        Some(domain.first.domain_types().score(names.iter().map(String::as_str)))
    }

    /// The first half of the operator `apply` for values: adds the cells of the offers that were taken to the precision. Where that is so, everything is explored again. Returns whether it is.
    pub(in crate::engine) fn apply_values(&mut self, reached: &mut Reached<Analysis<'p>>, offers: Offers) -> bool {
        if offers.taken.is_empty() {
            return false;
        }
        let scope = self.options.refine.scope;
        let mut new = 0;
        for (target, increment) in &offers.taken {
            self.current.refinements += 1;
            for (node, cell) in increment.cells(self.program) {
                let scope = scope.of(self.program, node);
                new += usize::from(self.current.cpa.domain.first.precision.add(scope, cell));
                for property in &target.properties {
                    self.board.cells[property.index()].insert((scope, cell));
                }
            }
            let judged = JudgedValues {
                increment,
                analysis: &self.current.cpa.domain.first,
            };
            self.current.constants.extend(judged.constants());
        }
        let selected = offers.taken.iter().map(|(target, _)| target.id);
        let selected: Vec<ArgId> = selected.collect();
        if new == 0 {
            // With the cells of its interpolants in the precision no exploration finds a path again.
            let reason = ReasonCode::NoProgress.because("the refinement of values made no progress");
            for (target, _) in &offers.taken {
                self.give_up_target(target, &reason);
            }
            self.record_applied_at(selected.into_iter(), 0, "gave up", reached.arg.len());
            return false;
        }
        let statistics = &mut self.current.statistics;
        statistics.add(Counter::ValueRefinements, count(offers.taken.len()));
        statistics.add(Counter::Restarts, 1);
        let entries = count(self.current.cpa.domain.first.precision.len());
        self.current.statistics.set(Counter::ValueCells, entries);
        *reached = self.initial();
        self.record_applied_at(selected.into_iter(), new, "restart", reached.arg.len());
        true
    }
}
