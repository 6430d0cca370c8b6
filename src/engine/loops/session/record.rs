//! Reports of refinements to the observer, on request.

use super::measures::strength;
use super::{Session, count};
use crate::cfa::NodeId;
use crate::cpa::arg::ArgId;
use crate::cpa::value::assignment::Cell;
use crate::engine::log::{Applied, CandidateRecord, InterpolantRecord, InterpolantsRecord, Iteration, QueryScript};
use crate::refine::Target;
use crate::refine::compare::Comparison;
use crate::refine::interpolation::{Feasibility, Increment};
use crate::refine::measure::{Measured, measure};
use crate::refine::provident::Candidate;
use crate::refine::query::script;
use crate::refine::value::ValueIncrement;
use provident_smt::num::Int;

impl Session<'_, '_> {
    /// Records the candidates of this iteration, and the questions that led to them.
    pub(in crate::engine) fn record_candidates(&mut self, targets: usize, candidates: &[Candidate]) {
        if self.observer.wants_queries() {
            for candidate in candidates.iter().filter(|candidate| !candidate.recognised) {
                if let Some(text) = script(&mut self.current.cpa.domain, candidate) {
                    let (iteration, state) = (self.current.iteration, count(candidate.target.id.index()));
                    self.observer.query(&QueryScript { iteration, state, text });
                }
            }
        }
        let is_logged = self.observer.wants_log();
        if is_logged || self.options.refine.measure {
            let candidates = candidates.iter().map(|candidate| self.candidate_record(candidate));
            let candidates: Vec<CandidateRecord> = candidates.collect();
            self.count_measures(&candidates);
            if !is_logged {
                return;
            }
            self.observer.candidates(&Iteration {
                iteration: self.current.iteration,
                targets: count(targets),
                candidates,
            });
        }
    }

    fn candidate_record(&mut self, candidate: &Candidate) -> CandidateRecord {
        let interpolants = candidate.increment().map(|found| self.interpolants(candidate, found));
        let locations = candidate.path.locations(&self.current.cpa.domain);
        let mut increment = Vec::new();
        if let Some(found) = candidate.increment() {
            let domain = &mut self.current.cpa.domain;
            for (at, predicates) in found.by_atoms(&mut domain.pool).into_iter().enumerate() {
                let display = |&predicate: &_| domain.encoder.display(&domain.pool, predicate);
                let texts: Vec<String> = predicates.iter().map(display).collect();
                if !texts.is_empty() {
                    increment.push((at, texts));
                }
            }
        }
        let place = |at: usize| self.place(locations[at]);
        let (result, reason) = match &candidate.feasibility {
            Feasibility::Infeasible(_) => ("infeasible", None),
            Feasibility::Feasible => ("feasible", None),
            Feasibility::Unknown(reason) => ("unknown", Some(reason.clone())),
        };
        CandidateRecord {
            state: count(candidate.target.id.index()),
            properties: self.names(&candidate.target),
            domain: "predicates",
            level: candidate.target.level,
            blocks: count(candidate.path.blocks.len()),
            result,
            reason,
            recognised: candidate.recognised,
            prefixes: count(candidate.prefixes),
            pivot: candidate.increment().map(|found| place(found.pivot)),
            increment: increment.into_iter().map(|(at, texts)| (place(at), texts)).collect(),
            interpolants,
            ticks: Some(candidate.ticks),
        }
    }

    /// The quality of the interpolants of a candidate.
    fn interpolants(&mut self, candidate: &Candidate, increment: &Increment) -> InterpolantsRecord {
        let Comparison { standings, suffix } = self.comparison(candidate, increment);
        let path = &candidate.path;
        let domain = &mut self.current.cpa.domain.second;
        let sequence = measure(domain, path, increment);
        let locations = path.locations(domain);
        let predicates = increment.by_atoms(&mut domain.pool);
        let mut others = Vec::with_capacity(sequence.interpolants.len());
        for Measured {
            boundary,
            measures,
            shared,
        } in sequence.interpolants
        {
            let (node, abs) = (locations[boundary], path.boundaries[boundary]);
            let scope = self.options.refine.scope.of(self.program, node);
            let domain = &mut self.current.cpa.domain.second;
            let mut new = 0;
            for &predicate in &predicates[boundary] {
                let predicate = domain.relative_predicate(&self.current.cpa.context.stacks, abs, predicate);
                new += usize::from(predicate.is_some_and(|predicate| !domain.precision.has(scope, predicate)));
            }
            let standing = standings.iter().find(|standing| standing.boundary == boundary);
            others.push(InterpolantRecord {
                place: self.place(node),
                cut: count(boundary + 1),
                dag_size: count(measures.dag_nodes),
                tree_size: measures.tree_nodes,
                atoms: count(measures.atoms),
                variables: count(measures.symbols),
                shared_variables: shared.map(count),
                largest_coefficient: magnitude(&measures.largest_coefficient),
                divisions: count(measures.divisions),
                boolean_depth: count(measures.boolean_depth),
                disjuncts: count(measures.disjuncts),
                class: measures.shape.name(),
                new_predicates: count(new),
                strength: standing.map(|standing| strength(standing.strength)),
                inductive: standing.and_then(|standing| standing.inductive),
            });
        }
        InterpolantsRecord {
            truths: count(sequence.truths),
            falsities: count(sequence.falsities),
            inductive_suffix: suffix.map(count),
            others,
        }
    }

    /// The refinement of values that is offered for a target.
    pub(super) fn value_record(&self, target: &Target, increment: &ValueIncrement, prefixes: usize) -> CandidateRecord {
        let encoder = self.current.cpa.domain.first.encoder();
        let mut places: Vec<(NodeId, Vec<String>)> = Vec::new();
        for ((step, _), interpolant) in increment.steps.iter().zip(&increment.interpolants) {
            let text = |(cell, value): (Cell, &Int)| format!("{} = {value}", cell.display(encoder));
            let texts: Vec<String> = interpolant.iter().map(text).collect();
            let node = step.target(self.program);
            // The interpolant stays until an operation changes it.
            if !texts.is_empty() && places.last().is_none_or(|(_, last)| *last != texts) {
                places.push((node, texts));
            }
        }
        let places: Vec<(String, Vec<String>)> = places
            .into_iter()
            .map(|(node, texts)| (self.place(node), texts))
            .collect();
        CandidateRecord {
            state: count(target.id.index()),
            properties: self.names(target),
            domain: "values",
            level: target.level,
            blocks: count(increment.steps.len()),
            result: "infeasible",
            reason: None,
            recognised: false,
            prefixes: match self.options.refine.prefer.is_none() {
                true => 0,
                false => count(prefixes),
            },
            pivot: places.first().map(|(place, _)| place.clone()),
            increment: places,
            interpolants: None,
            ticks: None,
        }
    }

    /// Records the candidates of the value analysis in this iteration.
    pub(super) fn record_value_candidates(&mut self, targets: usize, candidates: Vec<CandidateRecord>) {
        if !candidates.is_empty() {
            self.observer.candidates(&Iteration {
                iteration: self.current.iteration,
                targets: count(targets),
                candidates,
            });
        }
    }

    /// Records what became of the selected candidates.
    pub(in crate::engine) fn record_applied(
        &mut self,
        selected: &[Candidate],
        new: usize,
        action: &'static str,
        states: usize,
    ) {
        self.record_applied_at(
            selected.iter().map(|candidate| candidate.target.id),
            new,
            action,
            states,
        );
    }

    /// Records what became of the candidates for the targets with these states.
    pub(super) fn record_applied_at(
        &mut self,
        selected: impl Iterator<Item = ArgId>,
        new: usize,
        action: &'static str,
        states: usize,
    ) {
        if self.observer.wants_log() {
            self.observer.applied(&Applied {
                iteration: self.current.iteration,
                selected: selected.map(|id| count(id.index())).collect(),
                new_predicates: count(new),
                action,
                states: count(states),
            });
        }
    }

    /// The names of the properties that a target violates.
    fn names(&self, target: &Target) -> Vec<String> {
        let properties = target.properties.iter();
        properties.map(|&p| self.properties[p.index()].name.clone()).collect()
    }

    /// A location as `file:line:column function`.
    pub(super) fn place(&self, node: NodeId) -> String {
        let at = self.program.node(node);
        let position = self.program.sources.resolve(at.loc);
        let function = &self.program.function(at.func).name;
        format!("{}:{}:{} {function}", position.file, position.line, position.column)
    }
}

/// A number that is not negative; the largest one of the type for larger ones.
fn magnitude(number: &Int) -> u128 {
    number
        .to_i128()
        .and_then(|number| u128::try_from(number).ok())
        .unwrap_or(u128::MAX)
}
