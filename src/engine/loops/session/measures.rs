//! Measures of interpolants and predicates on request: for the statistics, and for a log beyond the form of interpolants.

use super::{Session, count};
use crate::cpa::algorithm::Reached;
use crate::cpa::predicate::Phase;
use crate::cpa::predicate::precision::PredicateScope;
use crate::cpa::predicate::region::{PredId, Regions};
use crate::engine::Counter;
use crate::engine::log::{CandidateRecord, InterpolantRecord, PredicateRecord, Strength};
use crate::refine::Analysis;
use crate::refine::compare::{Comparison, compare};
use crate::refine::interpolation::{Increment, Inquiry};
use crate::refine::provident::Candidate;
use std::collections::{BTreeMap, BTreeSet};

/// The numbers of the cases, which stand in the order of [`Relation::ALL`](provident_smt::interpolate::Relation::ALL).
pub(super) fn strength([equivalent, stronger, weaker, incomparable, undecided]: [u64; 5]) -> Strength {
    Strength {
        equivalent,
        stronger,
        weaker,
        incomparable,
        undecided,
    }
}

impl<'p> Session<'_, 'p> {
    /// How the interpolants of a candidate stand to others, if that is wanted. What was known without the solver has been compared where it was found.
    pub(super) fn comparison(&mut self, candidate: &Candidate, increment: &Increment) -> Comparison {
        if !self.options.refine.measure || candidate.recognised {
            return Comparison::default();
        }
        let (domain, inquiry) = self.questions();
        let inquiry = Inquiry {
            check: false,
            ..inquiry
        };
        compare(domain, &candidate.path, increment, inquiry)
    }

    /// Counts the measures of candidates, if that is wanted.
    pub(super) fn count_measures(&mut self, candidates: &[CandidateRecord]) {
        if !self.options.refine.measure {
            return;
        }
        let found = candidates.iter().filter(|candidate| !candidate.recognised);
        for interpolants in found.filter_map(|candidate| candidate.interpolants.as_ref()) {
            let statistics = &mut self.current.statistics;
            if let Some(suffix) = interpolants.inductive_suffix {
                statistics.add(Counter::RepeatedSequences, 1);
                statistics.add(Counter::InductiveSuffixes, suffix);
            }
            for (counter, value) in interpolants.others.iter().flat_map(measures) {
                statistics.add(counter, value);
            }
        }
    }

    /// Records what became of the predicates, if that is wanted. `reached` is given if the state space was explored to its end.
    pub(super) fn record_predicates(&mut self, reached: Option<&Reached<Analysis<'p>>>) {
        if !self.options.refine.measure {
            return;
        }
        let domain = &self.current.cpa.domain.second;
        let in_invariants = reached.map(|reached| self.in_invariants(reached));
        let mut records = Vec::new();
        let mut dependent: BTreeMap<_, BTreeMap<PredId, u64>> = BTreeMap::new();
        for record in domain.records() {
            let here = dependent.entry(record.control.node).or_default();
            for &pred in domain.regions.support(record.region) {
                *here.entry(pred).or_default() += 1;
            }
        }
        for (scope, pred) in domain.precision.iter() {
            let inside = dependent.iter().filter(|(node, _)| self.is_inside(scope, **node));
            let abstractions = inside.filter_map(|(_, here)| here.get(&pred)).sum();
            let holds = |known: &BTreeSet<_>| known.iter().any(|&(node, p)| p == pred && self.is_inside(scope, node));
            records.push(PredicateRecord {
                place: match scope {
                    PredicateScope::Global => "*".to_string(),
                    PredicateScope::Function(func) => self.program.function(func).name.clone(),
                    PredicateScope::Location(node) => self.place(node),
                },
                predicate: domain.encoder.display(&domain.pool, domain.precision.term(pred)),
                abstractions,
                in_invariant: in_invariants.as_ref().map(holds),
            });
        }
        let used = records.iter().filter(|record| record.abstractions > 0).count();
        let kept = records
            .iter()
            .filter(|record| record.in_invariant == Some(true))
            .count();
        self.current
            .statistics
            .set(Counter::MeasuredPredicates, count(records.len()));
        self.current.statistics.set(Counter::UsedPredicates, count(used));
        self.current.statistics.set(Counter::InvariantPredicates, count(kept));
        if self.observer.wants_log() {
            self.observer.predicates(&records);
        }
    }

    /// Whether what counts in a scope counts at a location.
    fn is_inside(&self, scope: PredicateScope, node: crate::cfa::NodeId) -> bool {
        match scope {
            PredicateScope::Global => true,
            PredicateScope::Function(func) => self.program.node(node).func == func,
            PredicateScope::Location(at) => at == node,
        }
    }

    /// The predicates on which the abstract states at loop heads depend, with their places.
    fn in_invariants(&self, reached: &Reached<Analysis<'p>>) -> BTreeSet<(crate::cfa::NodeId, PredId)> {
        let domain = &self.current.cpa.domain.second;
        let mut found = BTreeSet::new();
        for (_, node) in reached.arg.iter() {
            let (at, data) = (node.state.control.node, node.state.data.1);
            if data.phase == Phase::Abstracted && self.program.node(at).loop_head {
                let region = domain.record(data.abs).region;
                found.extend(domain.regions.support(region).iter().map(|&pred| (at, pred)));
            }
        }
        found
    }
}

/// The counters of an interpolant.
fn measures(interpolant: &InterpolantRecord) -> Vec<(Counter, u64)> {
    let mut counts = vec![
        (Counter::MeasuredInterpolants, 1),
        (Counter::InterpolantAtoms, interpolant.atoms),
        (Counter::InterpolantTerms, interpolant.dag_size),
        (Counter::InterpolantDisjuncts, interpolant.disjuncts),
        (
            Counter::InterpolantCoefficients,
            u64::try_from(interpolant.largest_coefficient).unwrap_or(u64::MAX),
        ),
    ];
    if let Some(strength) = interpolant.strength {
        counts.extend([
            (Counter::EquivalentVariants, strength.equivalent),
            (Counter::WeakerVariants, strength.stronger),
            (Counter::StrongerVariants, strength.weaker),
            (Counter::IncomparableVariants, strength.incomparable),
        ]);
    }
    if let Some(inductive) = interpolant.inductive {
        counts.extend([
            (Counter::RepeatedInterpolants, 1),
            (Counter::InductiveInterpolants, u64::from(inductive)),
        ]);
    }
    counts
}
