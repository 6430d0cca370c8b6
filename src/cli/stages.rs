//! The stages of a verification: what is asked is asked of slices of the program first of all.
//!
//! 1. The slice without counters of loops and without the memory that pointers reach. Only TRUE counts: its first feasible violation of a property
//!    ends the stage for it.
//! 2. The same with counters.
//! 3. The slice with everything that the properties depend on, for what is still open. Its violations are replayed, on the slice and then on the
//!    whole program: only those count that it repeats.
//! 4. The whole program, for what is open because it contradicted a violation of the slice.
//!
//! A violation counts only if it rests on no invented value ([`crate::evidence::replay::Rule`]).
//!
//! All are made of the same program. What an earlier stage has proved is no target of the later ones, and what hides nothing is left out.

use crate::cfa::constants::{Propagated, propagate};
use crate::cfa::invention::Inventions;
use crate::cfa::slice::{Slice, View, relevant, slice};
use crate::cfa::{EdgeId, Op, Program, Step};
use crate::cpa::value::concrete::{Event, Execution};
use crate::encode::{Arith, Partition};
use crate::engine::budget::cpu_seconds;
use crate::engine::{
    self, Confirmation, CounterexampleCandidate, Observer, Options, Outcome, Progress, Property, Verdict,
};
use crate::evidence::replay::{Dependence, Replay, Rule, SlicedExecution, replay_under, replay_whole};
use crate::evidence::{Judgement, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

/// Solver ticks of the first stage at most.
const MOST_ROUGH_TICKS: u64 = 60_000_000;
/// Steps with explicit values of the first stage at most.
const MOST_ROUGH_STEPS: u64 = 100_000;

/// So many violations of a slice that the whole program contradicts end the search for more in the slice.
const MOST_CONTRADICTED: usize = 8;
/// Steps after which a program that has read no input is run for itself, before it is sliced.
const PROBE: u64 = 1_000_000;
/// Steps that the execution of a slice may take if that of the whole program did not come to its end.
const MOST_CONCRETE_STEPS_AGAIN: u64 = 20_000_000;

/// A program with the edges of interest in it.
#[derive(Clone)]
pub(super) struct Stage {
    pub program: Program,
    pub properties: Vec<Property>,
    /// For each property, the edges behind which it is not tracked exactly, with the reason.
    pub limits: Vec<Vec<(EdgeId, String)>>,
    /// The sorts of invented values that count as inputs.
    inputs: Inventions,
    /// Reads that were replaced by any values.
    hidden: usize,
    /// What this is a slice of, if something was left out.
    whole: Option<Whole>,
}

/// The program that a slice was made of.
#[derive(Clone)]
struct Whole {
    program: Rc<Program>,
    /// For each edge what became of it in the slice.
    edges: Vec<Option<EdgeId>>,
    /// For each edge of the slice which edge of the program it was.
    origins: Vec<Option<EdgeId>>,
    foundation: Rc<Foundation>,
}

impl Stage {
    /// The whole program.
    pub fn new(
        program: Program,
        properties: Vec<Property>,
        limits: Vec<Vec<(EdgeId, String)>>,
        inputs: Inventions,
    ) -> Stage {
        Stage {
            program,
            properties,
            limits,
            inputs,
            hidden: 0,
            whole: None,
        }
    }
}

/// What all slices of a program begin with.
struct Foundation {
    /// The program with its constants, and how its memory is divided.
    propagated: Program,
    memory: Partition,
    /// For each edge of the whole program what became of it in the one with constants.
    kept: Vec<Option<EdgeId>>,
}

impl Foundation {
    fn new(program: Program, targets: &[EdgeId]) -> Foundation {
        let Propagated { program, edges, .. } = propagate(program, targets);
        Foundation {
            memory: Partition::new(&program),
            propagated: program,
            kept: edges,
        }
    }

    /// For each edge of the whole program whether a violation by the target may depend on it.
    fn relevant(&self, target: EdgeId) -> Vec<bool> {
        let Some(target) = self.kept[target.index()] else {
            return vec![true; self.kept.len()];
        };
        let relevant = relevant(&self.propagated, target, &self.memory);
        let is_relevant = |edge: &Option<EdgeId>| edge.is_some_and(|edge| relevant[edge.index()]);
        self.kept.iter().map(is_relevant).collect()
    }
}

/// A program of which slices are made.
struct Sliceable {
    whole: Rc<Program>,
    properties: Vec<Property>,
    limits: Vec<Vec<(EdgeId, String)>>,
    inputs: Inventions,
    foundation: Rc<Foundation>,
}

impl Sliceable {
    fn new(whole: Stage) -> Sliceable {
        let foundation = Foundation::new(whole.program.clone(), &targets(&whole.properties));
        Sliceable {
            whole: Rc::new(whole.program),
            properties: whole.properties,
            limits: whole.limits,
            inputs: whole.inputs,
            foundation: Rc::new(foundation),
        }
    }

    /// The whole program, to be looked at without slices.
    fn unsliced(&self) -> Stage {
        let (properties, limits) = (self.properties.clone(), self.limits.clone());
        Stage::new(Program::clone(&self.whole), properties, limits, self.inputs)
    }

    /// The whole program with the properties of which it contradicted violations, if there are any.
    fn contradicted(&self, found: &Found) -> Option<Stage> {
        let mut stage = self.unsliced();
        let open = found.outcome.verdicts.iter().map(is_open);
        for ((property, open), &count) in stage.properties.iter_mut().zip(open).zip(&found.contradicted) {
            if !open || count == 0 {
                property.targets.clear();
            }
        }
        let any = stage.properties.iter().any(|property| !property.targets.is_empty());
        any.then_some(stage)
    }

    /// What the properties depend on.
    fn slice(&self, view: View) -> Stage {
        let targets = targets(&self.properties).into_iter();
        let Foundation {
            propagated,
            memory,
            kept,
        } = &*self.foundation;
        let targets: Vec<EdgeId> = targets.filter_map(|target| kept[target.index()]).collect();
        let Slice {
            mut program,
            edges,
            removed,
            hidden,
        } = slice(propagated.clone(), &targets, memory, view);
        if removed > 0 {
            program.assumptions.extend(memory.assumptions());
        }
        let new_id = |edge: EdgeId| edges[kept[edge.index()]?.index()];
        let properties = self.properties.iter().map(|property| {
            assert!(property.tracking.watcher.is_none(), "what is woven in is not sliced");
            Property {
                name: property.name.clone(),
                targets: property.targets.iter().copied().filter_map(new_id).collect(),
                tracking: property.tracking.clone(),
            }
        });
        let limits = self.limits.iter().map(|limits| {
            let kept = limits.iter();
            kept.filter_map(|(edge, reason)| Some((new_id(*edge)?, reason.clone())))
                .collect()
        });
        let whole = (removed > 0).then(|| {
            let edges: Vec<Option<EdgeId>> = self.whole.edge_ids().map(new_id).collect();
            let mut origins = vec![None; program.edges.len()];
            for (edge, image) in self.whole.edge_ids().zip(&edges) {
                if let Some(image) = image {
                    origins[image.index()] = Some(edge);
                }
            }
            Whole {
                program: Rc::clone(&self.whole),
                edges,
                origins,
                foundation: Rc::clone(&self.foundation),
            }
        });
        Stage {
            properties: properties.collect(),
            limits: limits.collect(),
            program,
            inputs: self.inputs,
            hidden,
            whole,
        }
    }
}

/// The edges that violate a property.
fn targets(properties: &[Property]) -> Vec<EdgeId> {
    let mut targets: Vec<EdgeId> = properties.iter().flat_map(|p| &p.targets).copied().collect();
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// What the stages found out.
pub(super) struct Found {
    /// The program of the last stage.
    pub program: Program,
    /// What the last stage was asked.
    pub properties: Vec<Property>,
    pub outcome: Outcome,
    /// The replays of confirmed violations, with the property's position.
    pub confirmed: Vec<(usize, Replay)>,
    /// For each property how often the whole program contradicted a violation of the slice.
    contradicted: Vec<usize>,
}

/// Whether the stages work on slices.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cuts {
    /// There is one stage, on the whole program.
    None,
    /// There are slices for proofs first, then one for violations.
    Slices,
}

impl Cuts {
    /// Slices if they are wanted.
    pub fn wanted(wanted: bool) -> Cuts {
        if wanted { Cuts::Slices } else { Cuts::None }
    }
}

/// Who is told of the trace of a confirmed violation, with the property's position.
pub(super) type Traced<'a> = dyn FnMut(usize, &Trace) + 'a;

/// Of a stage that only proves, progress is all that is passed on: what it could not decide is not given up.
struct ProgressOnly<'o>(&'o mut dyn Observer);

impl Observer for ProgressOnly<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.0.progress(progress);
    }
}

/// Runs the stages.
pub(super) fn run(
    whole: Stage,
    cuts: Cuts,
    options: &Options,
    observer: &mut dyn Observer,
    traced: &mut Traced<'_>,
) -> Found {
    if cuts == Cuts::None || whole.properties.is_empty() {
        return whole.decide(options, observer, traced);
    }
    let mut options = options.clone();
    if whole.seems_closed(&options) {
        // There is one execution, and it is decisive for the program as it is.
        if let Some(found) = whole.execute(&options, observer, traced) {
            return found;
        }
        options.explicit.concrete = options.explicit.concrete.min(MOST_CONCRETE_STEPS_AGAIN);
    }
    let mut rest = Sliceable::new(whole);
    let mut first: Option<Outcome> = None;
    let mut views = [View::NoCounters, View::NoMemory].into_iter().peekable();
    let mut spent = 0;
    while let Some(view) = views.next() {
        let rough = rest.slice(view);
        if rough.hidden == 0 {
            // Then this slice is the full one.
            break;
        }
        if views
            .peek()
            .is_some_and(|&next| rest.slice(next).hidden == rough.hidden)
        {
            continue;
        }
        let start = Instant::now();
        let found = rough.prove(&rough_options(&options), &mut ProgressOnly(observer));
        let wall = start.elapsed().as_secs_f64();
        options.limits.wall = options.limits.wall.map(|left| (left - wall).max(0.0));
        let ticks = found.outcome.statistics.get("solver ticks");
        options.limits.ticks = options.limits.ticks.map(|limit| limit.saturating_sub(ticks));
        spent += ticks;
        if !found.outcome.verdicts.iter().any(is_open) && first.is_none() {
            return found;
        }
        for (property, verdict) in rest.properties.iter_mut().zip(&found.outcome.verdicts) {
            if !is_open(verdict) {
                property.targets.clear();
            }
        }
        first = Some(match first {
            None => found.outcome,
            Some(first) => joined(first, found.outcome),
        });
        if rest.properties.iter().all(|property| property.targets.is_empty()) {
            break;
        }
    }
    let start = Instant::now();
    let mut found = rest.slice(View::Full).decide(&options, observer, traced);
    if let Some(again) = rest.contradicted(&found)
        && found.outcome.limit.is_none()
    {
        let limits = &mut options.limits;
        limits.wall = limits.wall.map(|left| (left - start.elapsed().as_secs_f64()).max(0.0));
        let ticks = found.outcome.statistics.get("solver ticks");
        limits.ticks = limits.ticks.map(|limit| limit.saturating_sub(ticks));
        let mut unsliced = again.decide(&options, observer, traced);
        unsliced.confirmed.splice(0..0, found.confirmed);
        unsliced.outcome = joined(found.outcome, unsliced.outcome);
        found = unsliced;
    }
    if let Some(first) = first {
        found.outcome = joined(first, found.outcome);
        found.outcome.statistics.set("ticks of rough stages", spent);
    }
    found
}

fn is_open((_, verdict): &(String, Verdict)) -> bool {
    matches!(verdict, Verdict::Unknown(_))
}

/// What a later stage found out, with the verdicts of an earlier one.
fn joined(earlier: Outcome, mut later: Outcome) -> Outcome {
    for (verdict, earlier) in later.verdicts.iter_mut().zip(earlier.verdicts) {
        if !is_open(&earlier) {
            *verdict = earlier;
        }
    }
    for assumption in earlier.assumptions {
        if !later.assumptions.contains(&assumption) {
            later.assumptions.push(assumption);
        }
    }
    later.refinement_wall += earlier.refinement_wall;
    later
}

/// The options of a rough stage, which must not take the time that the last one needs: half of what is left is the most.
fn rough_options(options: &Options) -> Options {
    let mut rough = options.clone();
    rough.ideal_ticks = 0;
    rough.followed = true;
    rough.explicit.steps = rough.explicit.steps.min(MOST_ROUGH_STEPS);
    rough.explicit.concrete = rough.explicit.concrete.min(MOST_CONCRETE_STEPS_AGAIN);
    // It gives no violations.
    rough.explicit.objects = false;
    let limits = &mut rough.limits;
    let ticks = limits.ticks.map_or(MOST_ROUGH_TICKS, |left| left / 2);
    limits.ticks = Some(ticks.min(MOST_ROUGH_TICKS));
    let now = cpu_seconds();
    limits.cpu = limits.cpu.map(|limit| now + (limit - now).max(0.0) / 2.0);
    limits.wall = limits.wall.map(|left| left / 2.0);
    rough
}

impl Stage {
    /// Decides the properties; violations are replayed.
    fn decide(self, options: &Options, observer: &mut dyn Observer, traced: &mut Traced<'_>) -> Found {
        let mut confirmed = Vec::new();
        let mut contradicted = vec![0; self.properties.len()];
        let mut judge = Judge::default();
        let outcome = {
            let mut confirm = |candidate: &CounterexampleCandidate| {
                let (confirmation, replay) = self.replay(candidate);
                if confirmation != Confirmation::Confirmed {
                    return confirmation;
                }
                match judge.judge(&self, candidate, &replay) {
                    Objection::None => {}
                    Objection::Invented(reason) => return Confirmation::Invented(reason),
                    Objection::Contradicted(reason) => {
                        let reason = format!("a violation of the slice could not be repeated on the program: {reason}");
                        let count = &mut contradicted[candidate.property];
                        *count += 1;
                        return if *count < MOST_CONTRADICTED {
                            Confirmation::Undefined(reason)
                        } else {
                            Confirmation::Abandoned(reason)
                        };
                    }
                }
                traced(candidate.property, &replay.trace);
                confirmed.push((candidate.property, replay));
                confirmation
            };
            engine::verify(&self.program, &self.properties, options, observer, &mut confirm)
        };
        Found {
            program: self.program,
            properties: self.properties,
            outcome,
            confirmed,
            contradicted,
        }
    }

    /// Whether an execution of the program reads no input for a while.
    fn seems_closed(&self, options: &Options) -> bool {
        if !options.explicit.enabled || options.explicit.concrete == 0 || options.arith != Arith::Machine {
            return false;
        }
        let targets = targets(&self.properties);
        let wanted = |edge: EdgeId| targets.binary_search(&edge).is_ok();
        let execution = Execution::new(&self.program, BTreeSet::new(), &wanted, false);
        execution.is_ok_and(|mut execution| !matches!(execution.run(PROBE), Event::Stopped(_)))
    }

    /// Lets the program run. `None` if that does not decide everything.
    fn execute(&self, options: &Options, observer: &mut dyn Observer, traced: &mut Traced<'_>) -> Option<Found> {
        let mut alone = options.clone();
        alone.explicit.alone = true;
        let found = self.clone().decide(&alone, &mut ProgressOnly(observer), &mut |_, _| ());
        let open = found.outcome.verdicts.iter().filter(|verdict| is_open(verdict)).count();
        // A violation that no replay can repeat is not found by other means either.
        let settled = found.outcome.statistics.get(engine::TOO_LONG);
        (u64::try_from(open) == Ok(settled)).then(|| {
            for (property, replay) in &found.confirmed {
                traced(*property, &replay.trace);
            }
            found
        })
    }

    /// Decides only which properties hold: a violation ends the search for its property.
    fn prove(self, options: &Options, observer: &mut dyn Observer) -> Found {
        let outcome = {
            let mut confirm = |candidate: &CounterexampleCandidate| match self.replay(candidate).0 {
                Confirmation::Confirmed => Confirmation::Abandoned("memory is left out".to_string()),
                other => other,
            };
            engine::verify(&self.program, &self.properties, options, observer, &mut confirm)
        };
        Found {
            program: self.program,
            properties: self.properties,
            outcome,
            confirmed: Vec::new(),
            contradicted: Vec::new(),
        }
    }

    fn replay(&self, candidate: &CounterexampleCandidate) -> (Confirmation, Replay) {
        let rule = Rule {
            inputs: self.inputs,
            matters: None,
        };
        let result = replay_under(&self.program, &candidate.steps, &candidate.inputs, rule);
        let targets = &self.properties[candidate.property].targets;
        let violates = candidate.steps.last().is_some_and(|s| targets.contains(&s.edge()));
        let passed = |(edge, _): &&(EdgeId, String)| candidate.steps.iter().any(|step| step.edge() == *edge);
        // The engine is not trusted to have tracked the property all the way.
        let watcher = self.properties[candidate.property].tracking.watcher;
        let bypasses = |step: &Step| match self.program.edge(step.edge()).op {
            Op::Bypass(around) => watcher == Some(around),
            _ => false,
        };
        if candidate.steps.iter().any(bypasses) {
            let reason = "the path does not track the property".to_string();
            return (Confirmation::Refuted(reason), result);
        }
        let confirmation = match (self.limits[candidate.property].iter().find(passed), &result.judgement) {
            (Some((_, reason)), _) => Confirmation::Undefined(reason.clone()),
            (None, Judgement::Confirmed) if !violates => {
                Confirmation::Refuted("the path does not end in a violation".to_string())
            }
            (None, judgement) => judgement.clone().into(),
        };
        (confirmation, result)
    }
}

/// What speaks against a violation that was replayed.
enum Objection {
    None,
    /// The whole program does not do what the slice does.
    Contradicted(String),
    /// The violation depends on an invented value.
    Invented(String),
}

/// Judges violations that were replayed on the program of a stage. Keeps what it found out on the way.
#[derive(Default)]
struct Judge {
    foundation: Option<Rc<Foundation>>,
    /// For each target what violations by it may depend on.
    relevant: BTreeMap<EdgeId, Vec<bool>>,
}

impl Judge {
    fn judge(&mut self, stage: &Stage, candidate: &CounterexampleCandidate, replay: &Replay) -> Objection {
        let rule = Rule {
            inputs: stage.inputs,
            matters: None,
        };
        let dependence = match stage.repeat(candidate, replay, rule) {
            Err(reason) => return Objection::Contradicted(reason),
            Ok(dependence) => dependence,
        };
        if dependence.is_none() {
            return Objection::None;
        }
        // Something on the way depends on an invented value. That need not be anything that the violation depends on.
        let matters = self.matters(stage, candidate);
        let rule = Rule {
            matters: Some(matters),
            ..rule
        };
        match stage.repeat(candidate, replay, rule) {
            Err(reason) => Objection::Contradicted(reason),
            Ok(None) => Objection::None,
            Ok(Some(on)) => {
                let program = stage.whole.as_ref().map_or(&stage.program, |whole| &whole.program);
                let Dependence { kind, what, loc } = on;
                let place = program.sources.resolve(loc);
                Objection::Invented(format!(
                    "a violation depends on {what} ({kind}, not modelled) at {place}"
                ))
            }
        }
    }

    /// For each edge of the whole program whether the candidate may depend on it.
    fn matters(&mut self, stage: &Stage, candidate: &CounterexampleCandidate) -> &[bool] {
        let last = candidate.steps.last().expect("a violation has a last step").edge();
        let target = match &stage.whole {
            Some(whole) => whole.origins[last.index()].expect("a target of the slice is one of the program"),
            None => last,
        };
        let foundation = self.foundation.get_or_insert_with(|| match &stage.whole {
            Some(whole) => Rc::clone(&whole.foundation),
            None => Rc::new(Foundation::new(stage.program.clone(), &targets(&stage.properties))),
        });
        let relevant = self.relevant.entry(target);
        relevant.or_insert_with(|| foundation.relevant(target))
    }
}

impl Stage {
    /// Repeats a violation on the whole program. Returns the invented value that it depends on, if there is one.
    ///
    /// # Errors
    /// The whole program does not do what the slice does.
    fn repeat(
        &self,
        candidate: &CounterexampleCandidate,
        replay: &Replay,
        rule: Rule<'_>,
    ) -> Result<Option<Dependence>, String> {
        let Some(whole) = &self.whole else {
            if rule.matters.is_none() {
                return Ok(replay.dependence.clone());
            }
            return Ok(replay_under(&self.program, &candidate.steps, &candidate.inputs, rule).dependence);
        };
        let sliced = SlicedExecution {
            program: &self.program,
            edges: &whole.edges,
            steps: &candidate.steps,
            replay,
        };
        let repeated = replay_whole(&whole.program, sliced, rule);
        match repeated.judgement {
            Judgement::Confirmed => Ok(repeated.dependence),
            Judgement::Refuted { reason, .. } | Judgement::Undefined { reason, .. } => Err(reason),
        }
    }
}
