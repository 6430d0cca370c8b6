//! The operators `provident_refine` and `apply` on the state of a run: candidates for target states, and their predicates into the precision.

use super::{RefinementLoop, Session, count};
use crate::cpa::algorithm::Reached;
use crate::cpa::arg::ArgId;
use crate::cpa::composite::State;
use crate::cpa::predicate::{AbsId, Phase, Predicates};
use crate::cpa::product::Product;
use crate::cpa::value::Values;
use crate::engine::operators::Operator;
use crate::engine::{Activity, Counter, Options, Refinement, Restart};
use crate::refine::counters::LoopCounters;
use crate::refine::interpolation::{Increment, Inquiry};
use crate::refine::path::ErrorPath;
use crate::refine::prefer::{Constants, Heuristic, Judge};
use crate::refine::prefix::alternatives::Bounds;
use crate::refine::provident::{Candidate, Provident, provident_refine};
use crate::refine::refuted::Refuted;
use crate::refine::{Analysis, DataState, Scope, Target, guess, samples};
use provident_smt::term::{TermId, TermPool};
use std::collections::BTreeSet;
use std::time::Instant;

/// The predicates of an increment, boundary by boundary.
type PredicatesOf = fn(&Increment, &mut TermPool) -> Vec<Vec<TermId>>;

/// Predicates are guessed at a location when an error path visits it so often, once for each number. Not sooner: interpolants come first,
/// as every guess makes the abstraction dearer.
const GUESSES_AT: [usize; 2] = [6, 14];

/// Ticks that the search for sliced prefixes may always take. It may take more as long as all refinements together take no more than the explorations between them.
const PREFIX_TICKS: u64 = 100_000;

/// How chains are asked about.
pub(super) fn inquiry<'c>(options: &Options, counters: &'c LoopCounters, values: &'c Values<'_>) -> Inquiry<'c> {
    let procedure = options.refine.interpolation;
    let asks_for_types = procedure.abstraction.ask_for_types();
    Inquiry {
        counters,
        types: asks_for_types.then(|| values.domain_types()),
        check: options.check,
        procedure,
        built_in: options.refine.built_in,
    }
}

impl<'p> Session<'_, 'p> {
    /// The operator `provident_refine` on ranked targets.
    pub(in crate::engine) fn refine(&mut self, targets: &[Target], refuted: &mut Refuted) -> Vec<Candidate> {
        self.report(Activity::Refine, 0, targets.len());
        self.begin_round(targets);
        let before = self.current.cpa.domain.effort.spent;
        let start = Instant::now();
        let candidates = self.timed(Operator::ProvidentRefine, |session| {
            session.provident_refine(targets, refuted)
        });
        self.refinement_wall += start.elapsed();
        self.end_round(&candidates);
        let recognised = candidates.iter().filter(|candidate| candidate.recognised).count();
        self.current.statistics.add(Counter::Targets, count(targets.len()));
        self.current
            .statistics
            .add(Counter::ProvidentRefinements, count(candidates.len() - recognised));
        self.current
            .statistics
            .add(Counter::RecognisedErrorPaths, count(recognised));
        self.current
            .statistics
            .add(Counter::RefinementTicks, self.current.cpa.domain.effort.spent - before);
        if !self.options.refine.prefer.is_none() {
            let prefixes: usize = candidates.iter().map(|candidate| candidate.prefixes).sum();
            let selections = candidates.iter().filter(|candidate| candidate.prefixes > 1).count();
            let statistics = &mut self.current.statistics;
            statistics.add(Counter::SlicedPrefixes, count(prefixes));
            statistics.add(Counter::RefinementSelections, count(selections));
        }
        self.record_candidates(targets.len(), &candidates);
        candidates
    }

    fn provident_refine(&mut self, targets: &[Target], refuted: &mut Refuted) -> Vec<Candidate> {
        let refine = &self.options.refine;
        let asks_for_constants = refine
            .prefer
            .heuristics()
            .any(|heuristic| heuristic == Heuristic::Dynamic);
        let constants = match asks_for_constants {
            true => self.constants(),
            false => Constants::default(),
        };
        // The exploration has taken what the refinements have not.
        let refinements = self.current.statistics.get(Counter::RefinementTicks);
        let exploration = self.current.cpa.domain.effort.spent.saturating_sub(refinements);
        let prefix_ticks = exploration.saturating_sub(refinements).max(PREFIX_TICKS);
        let refused = self.current.refused.iter();
        let undecided = refused.map(|(blocks, reason)| (blocks.clone(), reason.text.clone()));
        let undecided = undecided.collect();
        let Product { first, second } = &mut self.current.cpa.domain;
        let judge = || Judge {
            preference: refine.prefer,
            types: first.domain_types(),
            counters: &self.current.counters,
            constants: &constants,
        };
        let how = Provident {
            workers: &self.workers,
            inquiry: inquiry(self.options, &self.current.counters, first),
            joint: refine.joint,
            judge: (!refine.prefer.is_none()).then(judge),
            prefixes: Bounds {
                prefixes: usize::try_from(refine.prefixes.max(1)).unwrap_or(usize::MAX),
                ticks: prefix_ticks,
            },
        };
        provident_refine(second, targets, refuted, undecided, how)
    }

    /// The predicate analysis, and how other algorithms than the refinement loops ask about chains of its blocks.
    pub(in crate::engine) fn questions(&mut self) -> (&mut Predicates<'p>, Inquiry<'_>) {
        let RefinementLoop { cpa, counters, .. } = &mut self.current;
        let Product { first, second } = &mut cpa.domain;
        (second, inquiry(self.options, counters, first))
    }

    /// The constants in the predicates of the precision.
    fn constants(&self) -> Constants {
        let Predicates { precision, pool, .. } = &self.current.cpa.domain.second;
        Constants::of(pool, precision.iter().map(|(_, predicate)| precision.term(predicate)))
    }

    /// The operator `apply`: the predicates of the selected refinements, and a state space that is explored with them.
    ///
    /// Progress is guaranteed: an error path that was refined comes back at most once, where it leads through parts of the graph that lag
    /// behind the precision. So if all selected ones were refined before, the graph is explored anew from its root; and if they were still found there, other
    /// predicates are sought, or their targets are given up.
    pub(in crate::engine) fn apply(&mut self, reached: &mut Reached<Analysis<'p>>, selected: Vec<Candidate>) {
        self.timed(Operator::Apply, |session| session.apply_all(reached, selected));
    }

    fn apply_all(&mut self, reached: &mut Reached<Analysis<'p>>, selected: Vec<Candidate>) {
        let Refinement { scope, restart, .. } = self.options.refine;
        let new = self.extend_precision(&selected, scope);
        let mut repeats = usize::MAX;
        for candidate in &selected {
            let refined = self.current.refined.entry(candidate.path.blocks.clone()).or_insert(0);
            repeats = repeats.min(*refined);
            *refined += 1;
        }
        let is_empty = new == 0 && selected.iter().all(|candidate| candidate.increment().is_none());
        let no_progress = match restart {
            Restart::Root => repeats > 0 || new == 0,
            Restart::Pivots => repeats > 1 || is_empty,
        };
        if no_progress && self.extend_otherwise(&selected) == 0 {
            // A solver without ticks finds nothing, and says nothing of the targets.
            if !self.current.cpa.domain.effort.is_exhausted() {
                self.abandon(&selected);
            }
            self.record_applied(&selected, 0, "gave up", reached.arg.len());
            return;
        }
        let action = if restart == Restart::Root || repeats > 0 {
            self.current.statistics.add(Counter::Restarts, 1);
            *reached = self.initial();
            "restart"
        } else {
            self.cut(reached, &selected);
            "cut"
        };
        self.record_applied(&selected, new, action, reached.arg.len());
    }

    /// Forgets everything below the pivots of the selected candidates.
    fn cut(&self, reached: &mut Reached<Analysis<'p>>, selected: &[Candidate]) {
        let pivots: BTreeSet<AbsId> = selected
            .iter()
            .filter_map(|candidate| Some(candidate.path.boundaries[candidate.increment()?.pivot]))
            .collect();
        let holds =
            |node: &State<DataState>| node.data.1.phase == Phase::Abstracted && pivots.contains(&node.data.1.abs);
        let nodes: Vec<ArgId> = reached
            .arg
            .iter()
            .filter(|(_, node)| holds(&node.state))
            .map(|(id, _)| id)
            .collect();
        let domain = &self.current.cpa.domain;
        let mut reset = |state: &State<DataState>| State {
            control: state.control,
            data: (state.data.0, domain.reset(&state.data.1)),
        };
        for node in nodes {
            // A pivot may lie below another one.
            if reached.arg.is_alive(node) {
                reached.restart_at(&self.current.cpa, node, &mut reset);
            }
        }
    }

    /// Adds the predicates of selected candidates to the precision (the first half of the operator `apply`). Returns how many were new; an
    /// exact value of an operator counts as one.
    pub(in crate::engine) fn extend_precision(&mut self, selected: &[Candidate], scope: Scope) -> usize {
        self.current.statistics.add(Counter::Refinements, 1);
        self.current.refinements += 1;
        let points: usize = selected.iter().map(|candidate| candidate.new_points).sum();
        let predicates = self.add_increments(selected, scope, Increment::by_atoms);
        let guesses = self.guess(selected, scope);
        self.charge(selected);
        points + predicates + guesses
    }

    /// Adds guesses where error paths visit a loop head again and again. Returns how many were new.
    fn guess(&mut self, selected: &[Candidate], scope: Scope) -> usize {
        let mut new = 0;
        if !self.options.refine.built_in.guesses {
            return new;
        }
        for candidate in selected.iter().filter(|candidate| candidate.increment().is_some()) {
            for (node, visits) in samples::visits(&self.current.cpa.domain, &candidate.path) {
                if !self.program.node(node).loop_head {
                    continue;
                }
                let done = self.current.guessed.entry(node).or_insert(0);
                let Some(&due) = GUESSES_AT.get(*done).filter(|&&due| visits.len() >= due) else {
                    continue;
                };
                *done += 1 + usize::from(visits.len() > 2 * due);
                let domain: &mut Predicates<'p> = &mut self.current.cpa.domain;
                let variables = samples::variables(domain, &candidate.path, &visits);
                let rows = samples::rows(domain, &candidate.path, &visits, &variables);
                let mut predicates = guess::from_rows(&mut domain.pool, &variables, &rows);
                let comparisons = samples::comparisons(domain, &candidate.path, &visits);
                predicates.extend(guess::near_guards(&mut domain.pool, &comparisons));
                let scope = scope.of(self.program, node);
                for predicate in predicates {
                    new += usize::from(domain.precision.add(self.program, &domain.pool, scope, predicate));
                }
            }
            self.attribute_facts(&candidate.target.properties);
        }
        self.current.statistics.add(Counter::GuessedPredicates, count(new));
        new
    }

    /// When refinements bring no new predicate although their targets are still reached: looks for other ones, from near to far. Returns how
    /// many were new. In order:
    ///
    /// 1. the same predicates in a wider scope: the knowledge between the places where they were found was lost;
    /// 2. the interpolants as wholes.
    pub(in crate::engine) fn extend_otherwise(&mut self, selected: &[Candidate]) -> usize {
        let before = self.current.cpa.domain.effort.spent;
        let new = self.extend_by_others(selected);
        let ticks = self.current.cpa.domain.effort.spent - before;
        self.current.statistics.add(Counter::ApplicationTicks, ticks);
        new
    }

    fn extend_by_others(&mut self, selected: &[Candidate]) -> usize {
        self.current.statistics.add(Counter::RepeatedRefinements, 1);
        for scope in [Scope::Function, Scope::Global] {
            let new = self.add_increments(selected, scope, Increment::by_atoms);
            if new > 0 {
                return new;
            }
        }
        for scope in [Scope::Location, Scope::Global] {
            let new = self.add_increments(selected, scope, Increment::as_wholes);
            if new > 0 {
                return new;
            }
        }
        0
    }

    fn add_increments(&mut self, candidates: &[Candidate], scope: Scope, predicates: PredicatesOf) -> usize {
        let mut new = 0;
        for candidate in candidates {
            if let Some(increment) = candidate.increment() {
                let predicates = predicates(increment, &mut self.current.cpa.domain.pool);
                new += self.add_contradictions(&candidate.path, increment, scope);
                new += self.add_increment(&candidate.path, predicates, scope);
            }
            self.attribute_facts(&candidate.target.properties);
        }
        new
    }

    /// Adds the predicate `false` where a chain becomes infeasible.
    fn add_contradictions(&mut self, path: &ErrorPath, increment: &Increment, scope: Scope) -> usize {
        let locations = path.locations(&self.current.cpa.domain);
        let at = locations.into_iter().zip(&increment.contradictions);
        let scopes = at
            .filter(|(_, is_false)| **is_false)
            .map(|(node, _)| scope.of(self.program, node));
        scopes
            .filter(|&scope| self.current.cpa.domain.precision.add_contradiction(scope))
            .count()
    }

    fn add_increment(&mut self, path: &ErrorPath, predicates: Vec<Vec<TermId>>, scope: Scope) -> usize {
        let domain: &mut Predicates<'p> = &mut self.current.cpa.domain.second;
        let locations = path.locations(domain);
        let mut new = 0;
        for ((location, here), &boundary) in locations.into_iter().zip(predicates).zip(&path.boundaries) {
            for predicate in here {
                let predicate = domain.relative_predicate(&self.current.cpa.context.stacks, boundary, predicate);
                let Some(predicate) = predicate else { continue };
                let scope = scope.of(self.program, location);
                let is_new = domain.precision.add(self.program, &domain.pool, scope, predicate);
                new += usize::from(is_new);
                for congruence in domain.encoder.congruences(&mut domain.pool, &[predicate]) {
                    new += usize::from(domain.precision.add(self.program, &domain.pool, scope, congruence));
                }
                if is_new && self.options.refine.built_in.guesses {
                    let known = domain.precision.in_scope(scope);
                    for predicate in guess::progression(&mut domain.pool, &known, predicate) {
                        new += usize::from(domain.precision.add(self.program, &domain.pool, scope, predicate));
                    }
                }
            }
        }
        new
    }
}
