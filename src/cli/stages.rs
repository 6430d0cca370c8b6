//! The stages of a verification: what is asked is asked of slices of the program first of all.
//!
//! 1. The slice without counters of loops and without the memory that pointers reach. Only TRUE counts: its first feasible violation of a property
//!    ends the stage for it.
//! 2. The same with counters.
//! 3. The slice with everything that the properties depend on, for what is still open. Its violations are replayed, on the slice and then on the
//!    whole program. A slice that takes types on trust may have lost writes, so from it only those count that the whole program repeats.
//!
//! All are made of the same program. What an earlier stage has proved is no target of the later ones, and what hides nothing is left out.

use crate::cfa::constants::{Propagated, propagate};
use crate::cfa::slice::{Slice, View, slice};
use crate::cfa::{Assumption, AssumptionKind, EdgeId, Op, Program, Step};
use crate::encode::Partition;
use crate::engine::budget::cpu_seconds;
use crate::engine::{
    self, Confirmation, CounterexampleCandidate, Observer, Options, Outcome, Progress, Property, Verdict,
};
use crate::evidence::replay::{Replay, SlicedExecution, replay_whole};
use crate::evidence::{Judgement, Trace, replay};
use std::rc::Rc;
use std::time::Instant;

/// Solver ticks of the first stage at most.
const MOST_ROUGH_TICKS: u64 = 60_000_000;
/// Steps with explicit values of the first stage at most.
const MOST_ROUGH_STEPS: u64 = 100_000;

/// A program with the edges of interest in it.
pub(super) struct Stage {
    pub program: Program,
    pub properties: Vec<Property>,
    /// For each property, the edges behind which it is not tracked exactly, with the reason.
    pub limits: Vec<Vec<(EdgeId, String)>>,
    /// Reads that were replaced by any values.
    hidden: usize,
    /// What this is a slice of, if something was left out.
    whole: Option<Whole>,
}

/// The program that a slice was made of.
struct Whole {
    program: Rc<Program>,
    /// For each edge what became of it in the slice.
    edges: Vec<Option<EdgeId>>,
}

impl Stage {
    /// The whole program.
    pub fn new(program: Program, properties: Vec<Property>, limits: Vec<Vec<(EdgeId, String)>>) -> Stage {
        Stage {
            program,
            properties,
            limits,
            hidden: 0,
            whole: None,
        }
    }
}

/// A program of which slices are made: what all of them begin with.
struct Sliceable {
    whole: Rc<Program>,
    properties: Vec<Property>,
    limits: Vec<Vec<(EdgeId, String)>>,
    /// The program with its constants, and how its memory is divided.
    propagated: Program,
    memory: Partition,
    /// For each edge of the whole program what became of it in the one with constants.
    kept: Vec<Option<EdgeId>>,
}

impl Sliceable {
    fn new(whole: Stage) -> Sliceable {
        let targets = targets(&whole.properties);
        let Propagated { program, edges, .. } = propagate(whole.program.clone(), &targets);
        Sliceable {
            whole: Rc::new(whole.program),
            properties: whole.properties,
            limits: whole.limits,
            memory: Partition::new(&program),
            propagated: program,
            kept: edges,
        }
    }

    /// What the properties depend on.
    fn slice(&self, view: View) -> Stage {
        let targets = targets(&self.properties).into_iter();
        let targets: Vec<EdgeId> = targets.filter_map(|target| self.kept[target.index()]).collect();
        let Slice {
            mut program,
            edges,
            removed,
            hidden,
        } = slice(self.propagated.clone(), &targets, &self.memory, view);
        if removed > 0 {
            program.assumptions.extend(self.memory.assumptions());
        }
        let new_id = |edge: EdgeId| edges[self.kept[edge.index()]?.index()];
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
        let whole = (removed > 0).then(|| Whole {
            program: Rc::clone(&self.whole),
            edges: self.whole.edge_ids().map(new_id).collect(),
        });
        Stage {
            properties: properties.collect(),
            limits: limits.collect(),
            program,
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
    /// Whether one of them could be replayed on the slice only: that what was left out comes to its end and is defined is then taken on trust.
    pub unrepeated: bool,
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
    let mut rest = Sliceable::new(whole);
    let mut options = options.clone();
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
    let mut found = rest.slice(View::Full).decide(&options, observer, traced);
    if let Some(first) = first {
        found.outcome = joined(first, found.outcome);
        found.outcome.statistics.set("ticks of rough stages", spent);
    }
    found
}

fn is_open((_, verdict): &(String, Verdict)) -> bool {
    !matches!(verdict, Verdict::True)
}

/// What a later stage found out, with the proofs of an earlier one.
fn joined(earlier: Outcome, mut later: Outcome) -> Outcome {
    for (verdict, proof) in later.verdicts.iter_mut().zip(earlier.verdicts) {
        if !is_open(&proof) {
            *verdict = proof;
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
        let mut unrepeated = false;
        let outcome = {
            let mut confirm = |candidate: &CounterexampleCandidate| {
                let (confirmation, replay) = self.replay(candidate);
                if confirmation != Confirmation::Confirmed {
                    return confirmation;
                }
                if let Some(reason) = self.differs_from_whole(candidate, &replay) {
                    if self.trusts_types() {
                        let reason = format!(
                            "a violation of the slice, which takes types on trust, could not be repeated on the program: {reason}"
                        );
                        return Confirmation::Undefined(reason);
                    }
                    unrepeated = true;
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
            unrepeated,
        }
    }

    /// Why the program that this is a slice of does not do what the slice's execution did; `None` if it does.
    fn differs_from_whole(&self, candidate: &CounterexampleCandidate, replay: &Replay) -> Option<String> {
        let whole = self.whole.as_ref()?;
        let sliced = SlicedExecution {
            program: &self.program,
            edges: &whole.edges,
            steps: &candidate.steps,
            replay,
        };
        match replay_whole(&whole.program, sliced) {
            Judgement::Confirmed => None,
            Judgement::Refuted { reason, .. } | Judgement::Undefined { reason, .. } => Some(reason),
        }
    }

    /// Whether what was left out may matter if the program accesses objects through other types than theirs.
    fn trusts_types(&self) -> bool {
        let trusts = |a: &Assumption| a.kind == AssumptionKind::StrictAliasing && !a.sound;
        self.program.assumptions.iter().any(trusts)
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
            unrepeated: false,
        }
    }

    fn replay(&self, candidate: &CounterexampleCandidate) -> (Confirmation, Replay) {
        let result = replay(&self.program, &candidate.steps, &candidate.inputs);
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
