//! The state of one run that both refinement loops share: the analysis, the verdicts so far, the account of work.

use super::budget::Budget;
use super::cegar::cegar;
use super::certificate::{Evidence, certificate};
use super::options::{Mode, Options, Scope};
use super::pcegar::pcegar;
use super::{
    Confirm, Confirmation, Counterexample, CounterexampleCandidate, Invariant, Observer, Outcome, Progress, Property,
};
use super::{Reason, Statistics, Verdict};
use crate::cfa::{AssumptionKind, EdgeId, NodeId, Program};
use crate::cpa::algorithm::{Reached, cpa_plus_plus};
use crate::cpa::composite::{Composite, State};
use crate::cpa::effort::Effort;
use crate::cpa::precision::PredicateScope;
use crate::cpa::predicate::{Phase, Predicates, Settings};
use crate::cpa::{Cpa, Status};
use crate::encode::{Arith, Encoder};
use crate::refine::concrete::{ConcretePath, Concretisation};
use crate::refine::interpolation::{Feasibility, Increment, Strategy};
use crate::refine::path::ErrorPath;
use crate::refine::provident::{Candidate, provident_refine};
use crate::refine::{Analysis, Target, guess, samples};
use provident_smt::term::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The predicates of an increment, boundary by boundary.
type PredicatesOf = fn(&Increment, &mut TermPool) -> Vec<Vec<TermId>>;

/// What is known about a property so far.
#[derive(Debug, Clone)]
enum Progressing {
    /// Still to be decided. If edges were given up, at best UNKNOWN remains.
    Open { given_up: Option<Reason> },
    /// Violated.
    Violated(Box<Counterexample>),
    /// Holds: the exploration with explicit values came to its end and did not meet a violation.
    Proved,
}

/// Predicates are guessed at a location when an error path visits it so often, once for each number. Not sooner: interpolants come first,
/// as every guess makes the abstraction dearer.
const GUESSES_AT: [usize; 2] = [6, 14];

/// What the expansion of an abstract state counts for, in solver ticks: about the same time.
const TICKS_PER_STATE: u64 = 64;

/// Paths of one feasible chain that are replayed at most, before its target is given up.
const MOST_REPLAYS: usize = 4;

/// One run.
pub(super) struct Session<'a, 'p> {
    pub(super) program: &'p Program,
    pub(super) properties: &'a [Property],
    pub(super) options: &'a Options,
    observer: &'a mut dyn Observer,
    confirm: &'a mut Confirm<'a>,
    pub(super) cpa: Analysis<'p>,
    pub(super) budget: Budget,
    workers: rayon::ThreadPool,
    verdicts: Vec<Progressing>,
    given_up: BTreeSet<(EdgeId, usize)>,
    /// How often predicates were guessed at each location.
    guessed: BTreeMap<NodeId, usize>,
    pub(super) statistics: Statistics,
    /// After [`Session::prove_again`]: the properties that its exploration was about. It decides no verdict.
    shown: Option<Vec<bool>>,
    iteration: u64,
    refinements: u64,
}

impl<'a, 'p> Session<'a, 'p> {
    pub(super) fn new(
        program: &'p Program,
        properties: &'a [Property],
        options: &'a Options,
        observer: &'a mut dyn Observer,
        confirm: &'a mut Confirm<'a>,
    ) -> Self {
        let budget = Budget::start(options.limits.with_reserve(), options.cancel.clone());
        let effort = Effort {
            limit: options.limits.ticks,
            spent: 0,
            interrupt: budget.interrupt(),
        };
        let cpa = analysis(program, properties, options, options.arith, effort);
        let workers = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads.max(1))
            .stack_size(16 << 20)
            .build();
        Session {
            program,
            properties,
            options,
            observer,
            confirm,
            cpa,
            budget,
            workers: workers.expect("the system has room for the worker threads"),
            verdicts: vec![Progressing::Open { given_up: None }; properties.len()],
            given_up: BTreeSet::new(),
            guessed: BTreeMap::new(),
            statistics: Statistics::default(),
            shown: None,
            iteration: 0,
            refinements: 0,
        }
    }

    /// Runs the refinement loop that the options ask for, if anything is left to decide. Returns the whole state space if it was explored to
    /// the end.
    pub(super) fn refinement_loop(&mut self) -> Option<Reached<Analysis<'p>>> {
        if self.is_decided() {
            return None;
        }
        match self.options.refine.mode {
            Mode::Lazy => cegar(self),
            Mode::Provident => pcegar(self),
        }
    }

    /// Runs the refinement loop with ideal integers and at most `ticks` of effort, then takes over its precision if it came to its end.
    ///
    /// Violations that the replay confirmed stay; everything else that the loop concluded holds for ideal integers only and is forgotten.
    pub(super) fn seed_precision(&mut self, ticks: u64) {
        let main = &self.cpa.domain.effort;
        let limit = main.remaining().map_or(ticks, |left| left.min(ticks));
        let effort = Effort {
            limit: Some(limit),
            spent: 0,
            interrupt: Arc::clone(&main.interrupt),
        };
        let ideal = analysis(self.program, self.properties, self.options, Arith::Ideal, effort);
        let main = std::mem::replace(&mut self.cpa, ideal);
        self.ignore_decided();
        let statistics = std::mem::take(&mut self.statistics);
        let reached = self.refinement_loop();
        let mut ideal = std::mem::replace(&mut self.cpa, main);
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
            self.statistics.set(name, value);
        }
        (self.iteration, self.refinements) = (0, 0);
        self.guessed.clear();
        self.given_up.clear();
        for verdict in &mut self.verdicts {
            if let Progressing::Open { given_up } = verdict {
                *given_up = None;
            }
        }
        let effort = &mut self.cpa.domain.effort;
        effort.spent = effort.spent.saturating_add(ideal.domain.effort.spent);
        self.ignore_decided();
        if reached.is_some() {
            self.cpa.domain.take_precision(self.program, &mut ideal.domain);
        }
        discard(&self.budget, (reached, ideal));
    }

    /// Whether a property holds for which there are no abstract states.
    pub(super) fn has_bare_proofs(&self) -> bool {
        self.verdicts.iter().any(|v| matches!(v, Progressing::Proved))
    }

    /// Runs the refinement loop for all properties that hold, with the precision that there is, an effort of its own, and all verdicts as they
    /// are: what comes of it is the exploration, or the one before if it does not come to its end.
    pub(super) fn prove_again(&mut self, reached: Option<Reached<Analysis<'p>>>) -> Option<Reached<Analysis<'p>>> {
        if self.budget.exceeded().is_some() {
            return reached;
        }
        let main = &self.cpa.domain.effort;
        let effort = Effort {
            limit: Some(self.options.certify_ticks),
            spent: 0,
            interrupt: Arc::clone(&main.interrupt),
        };
        let mut again = analysis(self.program, self.properties, self.options, self.options.arith, effort);
        again.domain.take_precision(self.program, &mut self.cpa.domain);
        let main = std::mem::replace(&mut self.cpa, again);
        let verdicts = self.verdicts.clone();
        for verdict in &mut self.verdicts {
            if matches!(verdict, Progressing::Proved) {
                *verdict = Progressing::Open { given_up: None };
            }
        }
        let holds = |verdict: &Progressing| match verdict {
            Progressing::Violated(_) | Progressing::Open { given_up: Some(_) } => false,
            Progressing::Open { given_up: None } => reached.is_some(),
            Progressing::Proved => true,
        };
        let wanted: Vec<bool> = verdicts.iter().map(holds).collect();
        self.cpa.ignore(|_, property| !wanted[property]);
        let statistics = std::mem::take(&mut self.statistics);
        let before = (std::mem::take(&mut self.iteration), std::mem::take(&mut self.refinements));
        self.guessed.clear();
        let given_up = std::mem::take(&mut self.given_up);
        let found = self.refinement_loop();
        for (property, (now, wanted)) in self.verdicts.iter().zip(&wanted).enumerate() {
            assert!(
                !wanted || !matches!(now, Progressing::Violated(_)),
                "what was proved has no violation: {}",
                self.properties[property].name
            );
        }
        let stuck = self.verdicts.iter().any(|v| matches!(v, Progressing::Open { given_up: Some(_) }));
        let found = found.filter(|_| !stuck);
        let (iterations, ticks) = (self.iteration, self.cpa.domain.effort.spent);
        self.verdicts = verdicts;
        self.statistics = statistics;
        (self.iteration, self.refinements) = before;
        self.given_up = given_up;
        self.statistics.set("proof iterations", iterations);
        self.statistics.set("proof ticks", ticks);
        self.statistics.set("proof complete", u64::from(found.is_some()));
        if found.is_none() {
            let again = std::mem::replace(&mut self.cpa, main);
            discard(&self.budget, again);
            return reached;
        }
        // The exploration at hand is about what holds only, so what follows from the one before is settled now.
        for (verdict, &wanted) in self.verdicts.iter_mut().zip(&wanted) {
            if wanted {
                *verdict = Progressing::Proved;
            }
        }
        self.shown = Some(wanted);
        let effort = std::mem::replace(&mut self.cpa.domain.effort, main.domain.effort.clone());
        self.cpa.domain.effort.spent = self.cpa.domain.effort.spent.saturating_add(effort.spent);
        self.cpa.domain.encoder.absorb_assumptions(&main.domain.encoder);
        discard(&self.budget, (main, reached));
        found
    }

    /// Gives up an exploration.
    pub(super) fn abandon_exploration(&self, reached: Reached<Analysis<'p>>) {
        discard(&self.budget, reached);
    }

    /// Stops looking for violations of properties that have their verdict.
    fn ignore_decided(&mut self) {
        let decided: Vec<bool> = (0..self.verdicts.len()).map(|p| !self.is_open(p)).collect();
        self.cpa.ignore(|_, property| decided[property]);
    }

    /// The reached set and waitlist with the initial state.
    pub(super) fn initial(&self) -> Reached<Analysis<'p>> {
        let initial = State {
            control: self.cpa.start(),
            data: self.cpa.domain.initial(),
        };
        Reached::new(&self.cpa, initial)
    }

    /// Explores; stops early at a target state if `lazy`. Returns whether nothing was left out for lack of resources.
    pub(super) fn explore(&mut self, reached: &mut Reached<Analysis<'p>>, lazy: bool) -> Status {
        self.iteration += 1;
        self.report("explore", reached.arg.len(), 0);
        let before = reached.counts();
        let effort = self.cpa.domain.effort.clone();
        let affordable = effort
            .remaining()
            .map_or(u64::MAX, |ticks| before.0 + ticks / TICKS_PER_STATE);
        let mut interrupted =
            move |expanded: u64| expanded > affordable || effort.interrupt.load(std::sync::atomic::Ordering::Relaxed);
        // Unbounded recursion is explored a bit deeper in each iteration, once there is a target state to refine at all.
        let depth_limit = self.iteration;
        let mut targets = false;
        let mut abort = |analysis: &Analysis<'p>, state: &State<_>| {
            targets |= analysis.is_target(state);
            targets && (lazy || u64::from(analysis.context.stacks.recursion(state.control.stack)) > depth_limit)
        };
        let mut status = cpa_plus_plus(&mut self.cpa, reached, &mut abort, &mut interrupted);
        // A solver that ran out of effort in the middle of the exploration has only lost precision; but nothing more can follow.
        status.complete &= !self.cpa.domain.effort.is_exhausted();
        let after = reached.counts();
        let effort = &mut self.cpa.domain.effort;
        effort.spent = effort.spent.saturating_add((after.0 - before.0) * TICKS_PER_STATE);
        self.statistics.add("explored states", after.0 - before.0);
        self.statistics.add("merges", after.1 - before.1);
        self.statistics.set("abstract states", count(reached.arg.len()));
        status
    }

    /// The operator `provident_refine` on ranked targets.
    pub(super) fn refine(&mut self, targets: &[Target]) -> Vec<Candidate> {
        self.report("refine", 0, targets.len());
        let candidates = self.provident_refine(targets, Strategy::default());
        self.statistics.add("targets", count(targets.len()));
        self.statistics.add("provident refinements", count(candidates.len()));
        candidates
    }

    fn provident_refine(&mut self, targets: &[Target], strategy: Strategy) -> Vec<Candidate> {
        let options = self.options;
        provident_refine(&mut self.cpa.domain, targets, &self.workers, options.check, strategy)
    }

    /// Settles what needs no refinement: feasible chains become verdicts. Returns the others, undecided ones last: another refinement may make
    /// their target states unreachable, and only if there is none are they given up.
    pub(super) fn settle(&mut self, candidates: Vec<Candidate>) -> Vec<Candidate> {
        let mut infeasible = Vec::new();
        let mut undecided = Vec::new();
        for candidate in candidates {
            match &candidate.feasibility {
                Feasibility::Infeasible(_) => infeasible.push(candidate),
                Feasibility::Feasible => self.confirm(&candidate.target, &candidate.path),
                Feasibility::Unknown(_) if self.cpa.domain.effort.is_exhausted() => {}
                Feasibility::Unknown(_) => {
                    self.statistics.add("undecided error paths", 1);
                    undecided.push(candidate);
                }
            }
        }
        infeasible.extend(undecided);
        infeasible
    }

    /// Asks the injected replay about the paths of a feasible chain, until one is confirmed for each property that its target violates.
    fn confirm(&mut self, target: &Target, path: &ErrorPath) {
        self.report("confirm", 0, 1);
        let mut search = Concretisation::new(path);
        let mut first_reason = None;
        for _ in 0..MOST_REPLAYS {
            match search.next(&mut self.cpa.domain) {
                Ok(concrete) => match self.replay(target, &concrete) {
                    Some(reason) => first_reason.get_or_insert(reason),
                    None => return,
                },
                // The limit is the reason then, not this path.
                Err(_) if self.cpa.domain.effort.is_exhausted() => return,
                Err(reason) => {
                    first_reason.get_or_insert(reason);
                    break;
                }
            };
        }
        let reason = first_reason.unwrap_or_default();
        for &property in &target.properties {
            if self.is_open(property) {
                self.give_up(target.edge, property, &reason);
            }
        }
    }

    /// Replays a path for each property that its target violates. Returns why it is not confirmed for all of them.
    fn replay(&mut self, target: &Target, concrete: &ConcretePath) -> Option<String> {
        let mut failure = None;
        for &property in &target.properties {
            if !self.is_open(property) {
                continue;
            }
            let candidate = CounterexampleCandidate {
                steps: concrete.steps.clone(),
                inputs: concrete.inputs.clone(),
                property,
            };
            match self.ask(candidate) {
                Confirmation::Confirmed => {}
                Confirmation::Refuted(reason) => {
                    failure.get_or_insert(format!("the replay of a feasible path left it: {reason}"));
                }
                Confirmation::Undefined(reason) => {
                    failure.get_or_insert(format!("a feasible path could not be replayed: {reason}"));
                }
            }
        }
        failure
    }

    /// Asks the injected replay about a candidate; if it confirms, that is the property's verdict.
    pub(super) fn ask(&mut self, candidate: CounterexampleCandidate) -> Confirmation {
        let property = candidate.property;
        self.statistics.add("replays", 1);
        let confirmation = (self.confirm)(&candidate);
        match &confirmation {
            Confirmation::Confirmed => {
                self.verdicts[property] = Progressing::Violated(Box::new(Counterexample { candidate }));
                self.cpa.ignore(|_, p| p == property);
            }
            Confirmation::Refuted(_) => self.statistics.add("refuted replays", 1),
            Confirmation::Undefined(_) => self.statistics.add("undefined replays", 1),
        }
        confirmation
    }

    /// Whether a property is still to be decided.
    pub(super) fn is_open(&self, property: usize) -> bool {
        matches!(self.verdicts[property], Progressing::Open { .. })
    }

    /// Records that a property holds. The caller has explored everything.
    pub(super) fn prove(&mut self, property: usize) {
        assert!(self.is_open(property), "a verdict is final");
        self.verdicts[property] = Progressing::Proved;
        self.cpa.ignore(|_, p| p == property);
    }

    /// Stops looking at an edge for a property: the property cannot become TRUE any more, but FALSE through another edge.
    fn give_up(&mut self, edge: EdgeId, property: usize, reason: &str) {
        if let Progressing::Open { given_up } = &mut self.verdicts[property] {
            given_up.get_or_insert_with(|| Reason(reason.to_string()));
        }
        self.given_up.insert((edge, property));
        self.cpa.ignore(|e, p| e == edge && p == property);
    }

    /// Adds the predicates of selected candidates to the precision (the first half of the operator `apply`). Returns how many were new; an
    /// exact value of an operator counts as one.
    pub(super) fn extend_precision(&mut self, selected: &[Candidate], scope: Scope) -> usize {
        self.statistics.add("refinements", 1);
        self.refinements += 1;
        let points: usize = selected.iter().map(|candidate| candidate.new_points).sum();
        let predicates = self.add_increments(selected, scope, Increment::by_atoms);
        let guesses = self.guess(selected, scope);
        points + predicates + guesses
    }

    /// Adds guesses where error paths visit a loop head again and again. Returns how many were new.
    fn guess(&mut self, selected: &[Candidate], scope: Scope) -> usize {
        let mut new = 0;
        for candidate in selected.iter().filter(|candidate| candidate.increment().is_some()) {
            for (node, visits) in samples::visits(&self.cpa.domain, &candidate.path) {
                if !self.program.node(node).loop_head {
                    continue;
                }
                let done = self.guessed.entry(node).or_insert(0);
                let Some(&due) = GUESSES_AT.get(*done).filter(|&&due| visits.len() >= due) else {
                    continue;
                };
                *done += 1 + usize::from(visits.len() > 2 * due);
                let domain = &mut self.cpa.domain;
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
        }
        self.statistics.add("guessed predicates", count(new));
        new
    }

    /// When refinements bring no new predicate although their targets are still reached: looks for other ones, from near to far. Returns how
    /// many were new. In order:
    ///
    /// 1. the same predicates in a wider scope: what is known between the places where they were found was lost;
    /// 2. the interpolants as wholes;
    /// 3. the predicates of other interpolants.
    pub(super) fn extend_otherwise(&mut self, selected: &[Candidate]) -> usize {
        self.statistics.add("repeated refinements", 1);
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
        let targets: Vec<Target> = selected.iter().map(|candidate| candidate.target.clone()).collect();
        for strategy in Strategy::ALTERNATIVES {
            let others = self.provident_refine(&targets, strategy);
            let new = self.add_increments(&others, Scope::Function, Increment::by_atoms);
            if new > 0 || self.cpa.domain.effort.is_exhausted() {
                return new;
            }
        }
        0
    }

    fn add_increments(&mut self, candidates: &[Candidate], scope: Scope, predicates: PredicatesOf) -> usize {
        let mut new = 0;
        for candidate in candidates {
            if let Some(increment) = candidate.increment() {
                let predicates = predicates(increment, &mut self.cpa.domain.pool);
                new += self.add_contradictions(&candidate.path, increment, scope);
                new += self.add_increment(&candidate.path, predicates, scope);
            }
        }
        new
    }

    /// Gives up the targets of candidates that would be found again and again.
    pub(super) fn abandon(&mut self, candidates: &[Candidate]) {
        for Candidate {
            target, feasibility, ..
        } in candidates
        {
            let reason = match feasibility {
                Feasibility::Unknown(reason) => reason.as_str(),
                _ => "refinement made no progress",
            };
            for &property in &target.properties {
                self.give_up(target.edge, property, reason);
            }
        }
    }

    /// Adds the predicate `false` where a chain becomes infeasible.
    fn add_contradictions(&mut self, path: &ErrorPath, increment: &Increment, scope: Scope) -> usize {
        let locations = path.locations(&self.cpa.domain);
        let at = locations.into_iter().zip(&increment.contradictions);
        let scopes = at
            .filter(|(_, is_false)| **is_false)
            .map(|(node, _)| scope.of(self.program, node));
        scopes
            .filter(|&scope| self.cpa.domain.precision.add_contradiction(scope))
            .count()
    }

    fn add_increment(&mut self, path: &ErrorPath, predicates: Vec<Vec<TermId>>, scope: Scope) -> usize {
        let domain = &mut self.cpa.domain;
        let locations = path.locations(domain);
        let mut new = 0;
        for (location, here) in locations.into_iter().zip(predicates) {
            for predicate in here {
                let scope = scope.of(self.program, location);
                let is_new = domain.precision.add(self.program, &domain.pool, scope, predicate);
                new += usize::from(is_new);
                if is_new {
                    let known = domain.precision.in_scope(scope);
                    for predicate in guess::progression(&mut domain.pool, &known, predicate) {
                        new += usize::from(domain.precision.add(self.program, &domain.pool, scope, predicate));
                    }
                }
            }
        }
        new
    }

    /// Whether every property has its verdict already.
    pub(super) fn is_decided(&self) -> bool {
        (0..self.verdicts.len()).all(|property| !self.is_open(property))
    }

    pub(super) fn report(&mut self, phase: &'static str, states: usize, targets: usize) {
        let progress = Progress {
            phase,
            iteration: self.iteration,
            states: count(states),
            targets: count(targets),
            refinements: self.refinements,
        };
        self.observer.progress(&progress);
    }

    /// The outcome. `reached` is given iff the state space was explored to the end without a target state of interest.
    pub(super) fn finish(mut self, reached: Option<&Reached<Analysis<'p>>>) -> Outcome {
        assert!(
            reached.is_none_or(Reached::is_complete),
            "TRUE needs the whole state space"
        );
        let exceeded = self.budget.exceeded().map(str::to_string);
        let effort = &self.cpa.domain.effort;
        let stopped = exceeded.or_else(|| effort.is_exhausted().then(|| "tick limit reached".to_string()));
        let verdicts = self.verdicts.iter().map(|v| match v {
            Progressing::Violated(counterexample) => Verdict::False(counterexample.clone()),
            Progressing::Proved => Verdict::True,
            Progressing::Open { given_up: Some(reason) } => Verdict::Unknown(reason.clone()),
            Progressing::Open { given_up: None } => match reached.filter(|_| self.shown.is_none()) {
                Some(_) => Verdict::True,
                None => Verdict::Unknown(Reason(stopped.clone().unwrap_or_else(|| "not finished".to_string()))),
            },
        });
        let mut verdicts: Vec<Verdict> = verdicts.collect();
        let mut trusted = self.program.assumptions.iter();
        if let Some(assumption) = trusted.find(|a| a.kind == AssumptionKind::Unsupported) {
            // Neither an invariant nor an execution of the model says anything of the program.
            verdicts.fill_with(|| Verdict::Unknown(Reason(assumption.detail.clone())));
        }
        let invariants = reached.map(|reached| self.invariants(reached)).unwrap_or_default();
        let evidence = self.evidence(reached, &verdicts);
        self.count_work();
        let assumptions = self
            .program
            .assumptions
            .iter()
            .chain(self.cpa.domain.encoder.assumptions())
            .cloned()
            .collect();
        let names = self.properties.iter().map(|p| p.name.clone());
        let outcome = Outcome {
            verdicts: names.zip(verdicts).collect(),
            evidence,
            precision: self.precision(),
            statistics: std::mem::take(&mut self.statistics),
            invariants,
            assumptions,
        };
        discard(&self.budget, self.cpa);
        outcome
    }

    /// What proves the properties that hold, if that is wanted.
    fn evidence(&mut self, reached: Option<&Reached<Analysis<'p>>>, verdicts: &[Verdict]) -> Evidence {
        let mut evidence = Evidence::default();
        if !self.options.certificate {
            return evidence;
        }
        let holds = |property: &usize| matches!(verdicts[*property], Verdict::True);
        let (shown, without): (Vec<usize>, Vec<usize>) = (0..verdicts.len())
            .filter(holds)
            .partition(|&property| match &self.shown {
                Some(shown) => shown[property],
                None => reached.is_some() && self.is_open(property),
            });
        let reason = "proved by exhaustive exploration of explicit values";
        evidence.without = without.into_iter().map(|p| (p, Reason(reason.to_string()))).collect();
        if let Some(reached) = reached.filter(|_| !shown.is_empty()) {
            evidence.certificate = Some(certificate(&mut self.cpa, reached, shown));
        }
        evidence
    }

    fn count_work(&mut self) {
        let domain = &self.cpa.domain;
        let counters = domain.counters;
        let entries = [
            ("iterations", self.iteration),
            ("predicates", count(domain.precision.len())),
            ("blocks", count(domain.blocks.len())),
            ("abstractions", counters.abstractions),
            ("cached abstractions", counters.cached),
            ("trivial abstractions", counters.trivial),
            ("dropped states", counters.dropped),
            ("refuted targets", counters.refuted_targets),
            ("solver ticks", domain.effort.spent),
        ];
        for (name, value) in entries {
            self.statistics.set(name, value);
        }
    }

    fn precision(&self) -> Vec<String> {
        let domain = &self.cpa.domain;
        let line = |(scope, pred)| {
            let place = match scope {
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
            format!(
                "{place}: {}",
                domain.encoder.display(&domain.pool, domain.precision.term(pred))
            )
        };
        let mut lines: Vec<String> = domain.precision.iter().map(line).collect();
        lines.sort();
        lines
    }

    fn invariants(&mut self, reached: &Reached<Analysis<'p>>) -> Vec<Invariant> {
        let mut regions = BTreeMap::new();
        for (_, node) in reached.arg.iter() {
            let State { control, data } = &node.state;
            if data.phase == Phase::Abstracted && self.program.node(control.node).loop_head {
                let region = self.cpa.domain.record(data.abs).region;
                regions.entry(control.node).or_insert_with(BTreeSet::new).insert(region);
            }
        }
        let domain = &mut self.cpa.domain;
        let mut invariant = |(node, regions): (_, BTreeSet<_>)| {
            let texts = regions.into_iter().map(|region| {
                let formula = domain.region_formula(region);
                domain.encoder.display(&domain.pool, formula)
            });
            let disjuncts: BTreeSet<String> = texts.collect();
            Invariant {
                node,
                disjuncts: disjuncts.into_iter().collect(),
            }
        };
        regions.into_iter().map(&mut invariant).collect()
    }
}

/// Drops what may be big. When a limit was reached it is leaked instead: the run is about to end, and to take gigabytes apart node by
/// node would take longer than the time that is left.
fn discard<T>(budget: &Budget, big: T) {
    if budget.exceeded().is_some() {
        std::mem::forget(big);
    }
}

/// The predicate analysis of a program, with empty precision.
fn analysis<'p>(
    program: &'p Program,
    properties: &[Property],
    options: &Options,
    arith: Arith,
    effort: Effort,
) -> Analysis<'p> {
    let settings = Settings {
        block: options.block,
        cartesian: options.cartesian,
    };
    let predicates = Predicates::new(program, Encoder::new(program, arith), settings, effort);
    Composite::new(program, predicates, properties.iter().map(|p| p.targets.as_slice()))
}

/// A count as a number of the statistics.
fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
