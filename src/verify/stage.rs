//! A stage: a program with the edges of interest in it, for which the engine is run once. Every violation is replayed before it counts.

use super::judge::{Judge, Objection};
use super::slices::Whole;
use crate::certify::{self, Certified, Evidence};
use crate::cfa::program::invention::Inventions;
use crate::cfa::{EdgeId, Op, Program, Step};
use crate::cpa::tracking::PropertyId;
use crate::encode::Arith;
use crate::engine::log::{Applied, Iteration, PredicateRecord, QueryScript};
use crate::engine::options::Part;
use crate::engine::{
    Account, Confirmation, Counter, CounterexampleCandidate, Observer, Options, Outcome, Progress, Property,
    ReasonCode, Standing, Statistics, Verdict,
};
use crate::evidence::replay::{Replay, Rule, replay_under};
use crate::evidence::{Judgement, Trace};
use crate::explicit::concrete::{Chosen, Event, Execution};
use crate::explicit::pattern::PATTERNS;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// The number of violations of a slice, all contradicted by the whole program, after which the slice is searched no more.
const MAX_CONTRADICTED: usize = 8;
/// Steps after which a program that has read no input is run for itself, before it is sliced.
const PROBE: u64 = 1_000_000;
/// Steps of an execution that is long for an exploration with explicit values.
const LONG_SAMPLE: u64 = 100_000;

/// A program with the edges of interest in it.
#[derive(Clone)]
pub(super) struct Stage {
    pub program: Rc<Program>,
    pub properties: Vec<Property>,
    /// For each property whether this stage is asked about it. One that it is not asked about has no targets, which says nothing of the program.
    pub asked: Vec<bool>,
    /// For each property, the edges behind which it is not tracked exactly, with the reason.
    pub limits: Vec<Vec<(EdgeId, String)>>,
    /// The sorts of invented values that count as inputs.
    pub inputs: Inventions,
    /// Reads that were replaced by any values.
    pub hidden: usize,
    /// The program that this is a slice of, if something was left out.
    pub whole: Option<Whole>,
}

impl Stage {
    /// The whole program.
    pub fn new(
        program: Rc<Program>,
        properties: Vec<Property>,
        limits: Vec<Vec<(EdgeId, String)>>,
        inputs: Inventions,
    ) -> Stage {
        Stage {
            program,
            asked: vec![true; properties.len()],
            properties,
            limits,
            inputs,
            hidden: 0,
            whole: None,
        }
    }
}

/// The edges that violate a property.
pub(super) fn targets(properties: &[Property]) -> Vec<EdgeId> {
    let mut targets: Vec<EdgeId> = properties.iter().flat_map(|p| &p.targets).copied().collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// The findings of the stages.
pub(super) struct Found {
    /// The program of the last stage.
    pub program: Rc<Program>,
    pub outcome: Outcome,
    /// For each property whether the last stage was asked about it.
    pub asked: Vec<bool>,
    /// The reads in it that were replaced by any values.
    pub hidden: usize,
    /// The evidence for the properties that hold.
    pub evidence: Evidence,
    /// Solver ticks of all stages so far.
    pub spent: u64,
    /// The confirmed violations, with the property's position.
    pub confirmed: Vec<(PropertyId, Violation)>,
    /// For each property how often the whole program contradicted a violation of the slice.
    pub contradicted: Vec<usize>,
}

/// An execution of the whole program that violates a property.
pub(super) struct Violation {
    /// Its steps. The last one is the violation.
    pub steps: Arc<[Step]>,
    /// Its confirmed replay.
    pub replay: Replay,
}

/// The listener for the trace of a confirmed violation; it gets the property's position too.
pub(super) type Traced<'a> = dyn FnMut(PropertyId, &Trace) + 'a;

/// A stage that only proves passes nothing on but progress, because properties that it could not decide are not given up.
pub(super) struct ProgressOnly<'o>(pub &'o mut dyn Observer);

impl Observer for ProgressOnly<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.0.progress(progress);
    }

    fn begins(&mut self, part: &'static str) {
        self.0.begins(part);
    }
}

/// Passes everything on, but says nothing of where properties stand that a stage is not asked about: without targets they hold for it, whatever the program does.
struct OfAsked<'o> {
    observer: &'o mut dyn Observer,
    asked: &'o [bool],
}

impl Observer for OfAsked<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.observer.progress(progress);
    }

    fn begins(&mut self, part: &'static str) {
        self.observer.begins(part);
    }

    fn ended(&mut self, stage: &'static str, statistics: &Statistics, open: usize) {
        self.observer.ended(stage, statistics, open);
    }

    fn wants_log(&self) -> bool {
        self.observer.wants_log()
    }

    fn candidates(&mut self, iteration: &Iteration) {
        self.observer.candidates(iteration);
    }

    fn applied(&mut self, applied: &Applied) {
        self.observer.applied(applied);
    }

    fn predicates(&mut self, records: &[PredicateRecord]) {
        self.observer.predicates(records);
    }

    fn wants_queries(&self) -> bool {
        self.observer.wants_queries()
    }

    fn query(&mut self, query: &QueryScript) {
        self.observer.query(query);
    }

    fn properties(&mut self, standings: &[(Standing, Account)], latest: Option<PropertyId>) {
        let mut standings = standings.to_vec();
        for ((standing, _), _) in standings.iter_mut().zip(self.asked).filter(|(_, asked)| !**asked) {
            *standing = Standing::Checking;
        }
        self.observer.properties(&standings, latest);
    }
}

/// Whether a property has neither been proved nor violated.
pub(super) fn is_open((_, verdict): &(String, Verdict)) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

/// Takes the targets of the properties that are decided.
pub(super) fn close(properties: &mut [Property], found: &Found) {
    for (property, verdict) in properties.iter_mut().zip(&found.outcome.verdicts) {
        if !is_open(verdict) {
            property.targets.clear();
        }
    }
}

impl Stage {
    /// Decides the properties; violations are replayed.
    pub fn decide(self, options: &Options, observer: &mut dyn Observer, traced: &mut Traced<'_>) -> Found {
        let mut confirmed = Vec::new();
        let mut contradicted = vec![0; self.properties.len()];
        let mut judge = Judge::default();
        let Certified { outcome, evidence } = {
            let mut confirm = |candidate: &CounterexampleCandidate| {
                let (confirmation, replay) = self.replay(candidate);
                if confirmation != Confirmation::Confirmed {
                    return confirmation;
                }
                let violation = match judge.judge(&self, candidate, replay) {
                    Ok(violation) => violation,
                    Err(Objection::Invented(reason)) => return Confirmation::Invented(reason),
                    Err(Objection::Contradicted(reason)) => {
                        let reason = format!("a violation of the slice could not be repeated on the program: {reason}");
                        let count = &mut contradicted[candidate.property.index()];
                        *count += 1;
                        return if *count < MAX_CONTRADICTED {
                            Confirmation::Undefined(reason)
                        } else {
                            Confirmation::Abandoned(ReasonCode::SliceContradicted.because(reason))
                        };
                    }
                };
                traced(candidate.property, &violation.replay.trace);
                confirmed.push((candidate.property, violation));
                confirmation
            };
            let asked = &self.asked;
            let mut of_asked = OfAsked { observer, asked };
            certify::verify(&self.program, &self.properties, options, &mut of_asked, &mut confirm)
        };
        Found {
            program: self.program,
            asked: self.asked,
            hidden: self.hidden,
            spent: outcome.statistics.get(Counter::SolverTicks),
            outcome,
            evidence,
            confirmed,
            contradicted,
        }
    }

    /// Whether an execution of the program reads no input for a while.
    pub fn seems_closed(&self, options: &Options) -> bool {
        if !options.explicit.enabled || options.explicit.concrete == 0 || options.arith != Arith::Machine {
            return false;
        }
        let targets = targets(&self.properties);
        let wanted = |edge: EdgeId| targets.binary_search(&edge).is_ok();
        let execution = Execution::new(&self.program, BTreeSet::new(), &wanted, false);
        execution.is_ok_and(|mut execution| !matches!(execution.run(PROBE), Event::Stopped(_)))
    }

    /// Lets the program run.
    pub fn execute(&self, options: &Options, observer: &mut dyn Observer) -> Found {
        let mut alone = options.clone();
        alone.explicit.part = Part::Execution;
        self.clone().decide(&alone, &mut ProgressOnly(observer), &mut |_, _| ())
    }

    /// Whether an execution with chosen inputs takes long, or meets a violation. The search looks at shorter ones anyway.
    pub fn has_long_samples(&self, options: &Options) -> bool {
        let explicit = &options.explicit;
        if !explicit.enabled || explicit.sample <= LONG_SAMPLE || options.arith != Arith::Machine {
            return false;
        }
        self.some_sample(&|event| matches!(event, Event::Exhausted | Event::Target(_)))
    }

    /// Whether an execution with chosen inputs meets a violation soon.
    pub fn meets_violation(&self, options: &Options) -> bool {
        let is_met = |event: Event| matches!(event, Event::Target(_));
        options.explicit.enabled && options.arith == Arith::Machine && self.some_sample(&is_met)
    }

    /// Whether one of the executions with chosen inputs begins in a certain way.
    fn some_sample(&self, is_wanted: &dyn Fn(Event) -> bool) -> bool {
        let targets = targets(&self.properties);
        let wanted = |edge: EdgeId| targets.binary_search(&edge).is_ok();
        PATTERNS.iter().any(|&pattern| {
            let execution = Execution::with(
                &self.program,
                BTreeSet::new(),
                &wanted,
                false,
                Some(Chosen::Pattern(pattern)),
            );
            execution.is_ok_and(|mut execution| is_wanted(execution.run(LONG_SAMPLE)))
        })
    }

    /// Lets the program run with chosen inputs.
    pub fn sample(&self, options: &Options, observer: &mut dyn Observer, traced: &mut Traced<'_>) -> Found {
        let mut samples = options.clone();
        samples.explicit.part = Part::Samples;
        self.clone().decide(&samples, observer, traced)
    }

    /// Ends the search for the properties that are decided.
    pub fn close(&mut self, found: &Found) {
        close(&mut self.properties, found);
    }

    /// Decides only which properties hold: a violation ends the search for its property.
    pub fn prove(self, options: &Options, observer: &mut dyn Observer) -> Found {
        let Certified { outcome, evidence } = {
            let mut confirm = |candidate: &CounterexampleCandidate| match self.replay(candidate).0 {
                Confirmation::Confirmed => {
                    Confirmation::Abandoned(ReasonCode::SliceContradicted.because("memory is left out"))
                }
                other => other,
            };
            certify::verify(&self.program, &self.properties, options, observer, &mut confirm)
        };
        Found {
            program: self.program,
            asked: self.asked,
            hidden: self.hidden,
            spent: outcome.statistics.get(Counter::SolverTicks),
            outcome,
            evidence,
            confirmed: Vec::new(),
            contradicted: Vec::new(),
        }
    }

    /// Replays a path to a violation.
    pub fn replay(&self, candidate: &CounterexampleCandidate) -> (Confirmation, Replay) {
        let rule = Rule {
            inputs: self.inputs,
            matters: None,
        };
        let result = replay_under(&self.program, &candidate.steps, &candidate.inputs, rule);
        let targets = &self.properties[candidate.property.index()].targets;
        let violates = candidate.steps.last().is_some_and(|s| targets.contains(&s.edge()));
        let passed = |(edge, _): &&(EdgeId, String)| candidate.steps.iter().any(|step| step.edge() == *edge);
        // The engine is not trusted to have tracked the property all the way.
        let watcher = self.properties[candidate.property.index()].tracking.watcher;
        let bypasses = |step: &Step| match self.program.edge(step.edge()).op {
            Op::Bypass(around) => watcher == Some(around),
            _ => false,
        };
        if candidate.steps.iter().any(bypasses) {
            let reason = "the path does not track the property".to_string();
            return (Confirmation::Refuted(reason), result);
        }
        let confirmation = match (
            self.limits[candidate.property.index()].iter().find(passed),
            &result.judgement,
        ) {
            (Some((_, reason)), _) => Confirmation::Undefined(reason.clone()),
            (None, Judgement::Confirmed) if !violates => {
                Confirmation::Refuted("the path does not end in a violation".to_string())
            }
            (None, judgement) => judgement.clone().into(),
        };
        (confirmation, result)
    }
}
