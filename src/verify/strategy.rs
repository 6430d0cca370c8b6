//! The strategy of a verification: its stages, in their order.
//!
//! | stage | looks at | for |
//! |---|---|---|
//! | `execute` | the program itself, if it seems to read no input | the one execution that it has; a long one goes on behind `guess` |
//! | `explore` | the slice with everything that the properties depend on, if they are several | a short exploration with explicit values: one serves all of them |
//! | `guess` | the slice with everything that the properties depend on | proofs, by facts at loop heads that its text and its executions suggest, also about all elements of arrays, or by contracts of recursive functions |
//! | `sample` | the program itself, if it has long executions | violations that executions with chosen inputs meet |
//! | `no-counters` | the slice without counters of loops and without the memory that pointers reach | proofs |
//! | `accelerate` | the same, with loops that take many turns at once | violations behind loops with long executions |
//! | `slice` | the slice with everything that the properties depend on | proofs and violations |
//! | `whole` | the program itself, for properties of which it contradicted a violation of a slice; for all where no stage looked at slices | proofs, first by guesses as in `guess`, and violations |
//!
//! A stage for proofs that is cut short is tried again for a short while with summaries of functions and loops.
//!
//! All stages are made of the same program. A property that one has decided is no target of the later ones. A stage whose slice hides nothing is
//! left out: it would be the next one. Where an execution with chosen inputs meets a violation soon, `sample` comes before `guess`, and so does a short exploration where guesses are about numbers only. A violation of a slice counts only if the whole program repeats it, and none counts that rests on an
//! invented value ([`crate::evidence::replay::Rule`]).

use super::slices::Sliceable;
use super::stage::{Found, ProgressOnly, Stage, Traced, is_open};
pub use super::stages::{StageKind, Strategy, StrategyError};
use super::verdict::joined;
use crate::certify::Evidence;
use crate::certify::guess::Suggested;
use crate::cfa::slice::View;
use crate::cpa::memo::blocks::{Bam, ProgramBlocks};
use crate::engine::budget::cpu_seconds;
use crate::engine::options::Part;
use crate::engine::{Counter, Observer, Options, ReasonCode, Standing, Verdict};
use crate::report::{StageReport, text};
use std::time::Instant;

/// Solver ticks of a stage for proofs at most.
const MAX_ROUGH_TICKS: u64 = 60_000_000;
/// Those with summaries of functions and loops, if the stage took too many without.
const MAX_SUMMARY_TICKS: u64 = 20_000_000;
/// Steps with explicit values of a stage for proofs at most.
const MAX_ROUGH_STEPS: u64 = 100_000;
/// Steps of the stage that explores for several properties.
const SHORT_EXPLORATION: u64 = 100_000;
/// Steps of an exploration before guesses about numbers, which take longer than most programs with few states.
const FIRST_EXPLORATION: u64 = 20_000;
/// How many times as many they may be where most of the way are shortcuts.
const SWIFTER: u64 = 100;
/// Steps of the one execution before guesses.
const SHORT_EXECUTION: u64 = 50_000_000;
/// Steps that the execution of a slice may take if that of the whole program did not come to its end.
const MAX_CONCRETE_STEPS_AGAIN: u64 = 20_000_000;

/// The counters that one stage counts and no other.
const OF_ONE_STAGE: [Counter; 10] = [
    Counter::Guesses,
    Counter::InductiveGuesses,
    Counter::GuessProofs,
    Counter::GuessedContracts,
    Counter::KeptContracts,
    Counter::SampledSteps,
    Counter::SamplesStopped,
    Counter::SampledCounterexamples,
    Counter::Lanes,
    Counter::AcceleratedCounterexamples,
];

/// Runs the stages of a strategy until everything is decided.
pub(super) fn run(
    strategy: &Strategy,
    whole: Stage,
    options: &Options,
    observer: &mut dyn Observer,
    traced: &mut Traced<'_>,
) -> (Found, Vec<StageReport>) {
    if whole.properties.is_empty() {
        return (whole.decide(options, observer, traced), Vec::new());
    }
    let mut course = Course {
        whole,
        slices: None,
        execution: Some(options.explicit.concrete),
        is_sampled: false,
        options: options.clone(),
        observer,
        traced,
        found: None,
        rough: Rough::default(),
        stages: Vec::new(),
    };
    let has = |stage: StageKind| strategy.stages().contains(&stage);
    for (at, &stage) in strategy.stages().iter().enumerate() {
        course.observer.begins(stage.name());
        match stage {
            StageKind::Execute => {
                let first = if has(StageKind::Guess) {
                    SHORT_EXECUTION
                } else {
                    u64::MAX
                };
                if course.execute(first) {
                    break;
                }
            }
            StageKind::Sample => course.sample(),
            StageKind::Explore => course.explore(),
            StageKind::Guess => {
                if has(StageKind::Sample) && course.whole.meets_violation(&course.options) {
                    course.sample();
                }
                course.guess(has(StageKind::Explore));
                if !course.is_decided() && has(StageKind::Execute) && course.execute(u64::MAX) {
                    break;
                }
            }
            StageKind::Prove => course.prove(),
            StageKind::Accelerate => course.accelerate(),
            StageKind::Slice => course.slice(),
            StageKind::Whole => course.whole(
                !strategy.stages()[..at].contains(&StageKind::Slice),
                has(StageKind::Guess),
            ),
        }
        if course.is_decided() {
            break;
        }
    }
    let Course { found, stages, .. } = course;
    (found.expect("a strategy has a stage for violations"), stages)
}

/// How far the stages have come.
struct Course<'c, 't> {
    /// The program, with the properties that are open.
    whole: Stage,
    /// The source of slices, with the same.
    slices: Option<Sliceable>,
    /// The steps of the one execution; `None` once it is over.
    execution: Option<u64>,
    /// Whether samples were taken.
    is_sampled: bool,
    /// The options, with the remaining limits.
    options: Options,
    observer: &'c mut dyn Observer,
    traced: &'c mut Traced<'t>,
    /// The findings of the stages so far together.
    found: Option<Found>,
    rough: Rough,
    /// The stages that have worked.
    stages: Vec<StageReport>,
}

/// The account of the stages for proofs.
#[derive(Default)]
struct Rough {
    stages: usize,
    ticks: u64,
}

impl Course<'_, '_> {
    fn is_decided(&self) -> bool {
        self.found
            .as_ref()
            .is_some_and(|found| !found.outcome.verdicts.iter().any(is_open))
    }

    /// There is one execution, and it is decisive for the program as it is; this takes so many steps of it at most, and another call goes farther if it did not come to its end. Returns whether nothing is left to do.
    fn execute(&mut self, most: u64) -> bool {
        let Some(limit) = self.execution else { return false };
        if !self.whole.seems_closed(&self.options) {
            self.execution = None;
            return false;
        }
        let start = Instant::now();
        let mut options = self.options.clone();
        options.explicit.concrete = limit.min(most);
        let found = self.whole.execute(&options, self.observer);
        let is_longer = options.explicit.concrete < limit;
        if is_longer && found.outcome.statistics.get(Counter::ConcreteSteps) >= options.explicit.concrete {
            self.pass(start);
            return false;
        }
        self.execution = None;
        let steps = &mut self.options.explicit.concrete;
        *steps = (*steps).min(MAX_CONCRETE_STEPS_AGAIN);
        let open = found.outcome.verdicts.iter().filter(|verdict| is_open(verdict)).count();
        if open == found.outcome.verdicts.len() && found.outcome.statistics.get(Counter::ConcreteTooLong) == 0 {
            return false;
        }
        self.close(&found);
        self.ended(StageKind::Execute, &found);
        for (property, violation) in &found.confirmed {
            (self.traced)(*property, &violation.replay.trace);
        }
        // A violation that no replay can repeat is not found by other means either.
        let is_settled = u64::try_from(open) == Ok(found.outcome.statistics.get(Counter::ConcreteTooLong));
        self.spend(&found, start);
        self.join(found);
        is_settled
    }

    /// Only FALSE counts.
    fn sample(&mut self) {
        if std::mem::replace(&mut self.is_sampled, true) || !self.whole.has_long_samples(&self.options) {
            return;
        }
        let start = Instant::now();
        let found = self.whole.sample(&self.options, self.observer, self.traced);
        self.close(&found);
        self.ended(StageKind::Sample, &found);
        self.spend(&found, start);
        self.join(found);
    }

    /// The source of slices.
    fn slices(&mut self) -> &mut Sliceable {
        let whole = &self.whole;
        self.slices.get_or_insert_with(|| Sliceable::new(whole.clone()))
    }

    /// Ends the search for the properties that are decided.
    fn close(&mut self, found: &Found) {
        self.whole.close(found);
        if let Some(slices) = &mut self.slices {
            slices.close(found);
        }
    }

    /// Each property has its own proofs, and an exploration serves all: where it comes to its end soon, nothing else is needed.
    fn explore(&mut self) {
        if !self.options.explicit.enabled {
            return;
        }
        let open = self.slices().properties.iter();
        if open.filter(|property| !property.targets.is_empty()).count() < 2 {
            return;
        }
        self.look(SHORT_EXPLORATION);
    }

    /// Explores so many steps with explicit values.
    fn look(&mut self, steps: u64) {
        let slice = self.slices().slice(View::Full);
        let start = Instant::now();
        let mut short = self.options.clone();
        let explicit = &mut short.explicit;
        explicit.part = Part::Exploration;
        explicit.swifter = (explicit.steps / steps).clamp(1, SWIFTER);
        explicit.steps = explicit.steps.min(steps);
        let found = slice.decide(&short, &mut ProgressOnly(self.observer), self.traced);
        self.ended(StageKind::Explore, &found);
        self.spend(&found, start);
        self.close(&found);
        self.join(found);
    }

    /// Only TRUE counts: guesses prove or say nothing.
    fn guess(&mut self, may_look: bool) {
        let slice = self.slices().slice(View::Full);
        let start = Instant::now();
        let Some(suggested) = slice.suggested(&self.options) else {
            return;
        };
        self.pass(start);
        if suggested.is_about_numbers && may_look {
            self.look(FIRST_EXPLORATION);
            if self.is_decided() {
                return;
            }
        }
        let mut slice = self.slices().slice(View::Full);
        self.guess_on(&mut slice, &suggested);
    }

    /// Tries what a stage's text suggests. What is proved is no target of the stage any more.
    fn guess_on(&mut self, stage: &mut Stage, suggested: &Suggested) {
        let start = Instant::now();
        let mut found = stage.clone().guess(suggested, &self.options);
        // Evidence is about the whole program.
        found.evidence = Evidence::default();
        self.ended(StageKind::Guess, &found);
        self.spend(&found, start);
        self.close(&found);
        stage.close(&found);
        self.join(found);
    }

    /// Only TRUE counts: the first feasible violation of a property ends the stage for it. Properties that ask about all heap objects are left out: without memory there is no answer.
    fn prove(&mut self) {
        let slices = self.slices();
        let heap = slices.take_heap();
        let is_idle = slices.properties.iter().all(|property| property.targets.is_empty());
        let rough = (!is_idle).then(|| slices.slice(View::NoCounters));
        // Where nothing is hidden the slice is the full one.
        let rough = rough.filter(|rough| rough.hidden > 0);
        let positions: Vec<usize> = heap.iter().map(|(at, _)| *at).collect();
        for (at, targets) in heap {
            slices.properties[at].targets = targets;
        }
        let Some(mut rough) = rough else { return };
        let mut options = rough_options(&self.options);
        loop {
            let start = Instant::now();
            let mut found = rough.clone().prove(&options, &mut ProgressOnly(self.observer));
            for &at in &positions {
                let reason =
                    ReasonCode::NotTracked.because("this slice has no answer to questions about all heap objects");
                found.outcome.verdicts[at].1 = Verdict::Unknown(reason);
            }
            self.spend(&found, start);
            self.ended(StageKind::Prove, &found);
            self.rough.stages += 1;
            self.rough.ticks += found.spent;
            self.close(&found);
            rough.close(&found);
            let is_cut_short = found.outcome.limit.is_some() && options.bam != Bam::On;
            self.join(found);
            match is_cut_short.then(|| summary_options(&self.options, &rough)).flatten() {
                Some(summaries) => options = summaries,
                None => return,
            }
        }
    }

    /// Only FALSE counts.
    fn accelerate(&mut self) {
        let slice = self.slices().slice(View::Full);
        let start = Instant::now();
        let Some(accelerated) = slice.accelerated(&self.options) else {
            return;
        };
        let found = slice.accelerate(
            &self.whole,
            accelerated,
            &self.options,
            &mut ProgressOnly(self.observer),
            self.traced,
        );
        self.ended(StageKind::Accelerate, &found);
        self.spend(&found, start);
        self.close(&found);
        self.join(found);
    }

    /// Proofs and violations; the whole program repeats these.
    fn slice(&mut self) {
        let slice = self.slices().slice(View::Full);
        let start = Instant::now();
        let found = slice.decide(&self.options, self.observer, self.traced);
        self.ended(StageKind::Slice, &found);
        self.spend(&found, start);
        self.join(found);
    }

    /// The whole program, for properties of which it contradicted a violation; for all open ones if there was no stage for violations before.
    fn whole(&mut self, is_first: bool, may_guess: bool) {
        let stage = match (&self.slices, &self.found) {
            (Some(slices), Some(found)) if !is_first => match found.outcome.limit {
                None => slices.contradicted(found),
                Some(_) => None,
            },
            (Some(slices), _) => Some(slices.unsliced()),
            (None, _) => Some(self.whole.clone()),
        };
        let Some(mut stage) = stage else { return };
        if !is_first && may_guess {
            // A slice has no loops of which nothing depends but whether the program ends. What holds in them may exclude the violation.
            let start = Instant::now();
            let suggested = stage.suggested(&self.options);
            self.pass(start);
            if let Some(suggested) = suggested {
                self.guess_on(&mut stage, &suggested);
                if self.is_decided() {
                    return;
                }
            }
        }
        let found = stage.decide(&self.options, self.observer, self.traced);
        self.ended(StageKind::Whole, &found);
        self.join(found);
    }

    /// Notes what a stage has done.
    fn ended(&mut self, stage: StageKind, found: &Found) {
        let statistics = &found.outcome.statistics;
        let open = found.outcome.verdicts.iter().filter(|verdict| is_open(verdict)).count();
        self.observer.ended(stage.name(), statistics, open);
        self.stages.push(StageReport {
            stage: stage.name(),
            work: text::course(&statistics.iter().collect()).unwrap_or_default(),
            ticks: found.spent,
            open,
        });
    }

    /// Takes what a stage has spent from the limits.
    fn spend(&mut self, found: &Found, start: Instant) {
        self.pass(start);
        let limits = &mut self.options.limits;
        limits.ticks = limits.ticks.map(|limit| limit.saturating_sub(found.spent));
    }

    /// Takes the time since then from what is left.
    fn pass(&mut self, start: Instant) {
        let wall = start.elapsed().as_secs_f64();
        let left = &mut self.options.limits.wall;
        *left = left.map(|left| (left - wall).max(0.0));
    }

    /// Puts what a stage found out to that of the stages before, and tells which properties are decided: the next stages have no targets for them.
    fn join(&mut self, mut found: Found) {
        if let Some(earlier) = self.found.take() {
            found.confirmed.splice(0..0, earlier.confirmed);
            found.spent += earlier.spent;
            let counted = OF_ONE_STAGE.map(|counter| earlier.outcome.statistics.get(counter));
            found.outcome = joined(earlier.outcome, found.outcome, &found.asked);
            for (counter, count) in OF_ONE_STAGE.into_iter().zip(counted) {
                found.outcome.statistics.add(counter, count);
            }
            if self.rough.stages > 0 {
                found.outcome.statistics.set(Counter::RoughTicks, self.rough.ticks);
            }
        }
        let verdicts = found.outcome.verdicts.iter().zip(&found.outcome.accounts);
        let standings = verdicts.map(|((_, verdict), &account)| {
            let standing = match verdict {
                Verdict::True => Standing::True,
                Verdict::False(_) => Standing::False,
                Verdict::Unknown(_) => Standing::Checking,
            };
            (standing, account)
        });
        self.observer.properties(&standings.collect::<Vec<_>>(), None);
        self.found = Some(found);
    }
}

/// The options of a stage for proofs. It takes at most half of the remaining time and a quarter of the remaining ticks, because later stages need the rest.
fn rough_options(options: &Options) -> Options {
    let mut rough = options.clone();
    rough.ideal_ticks = 0;
    rough.followed = true;
    rough.explicit.steps = rough.explicit.steps.min(MAX_ROUGH_STEPS);
    rough.explicit.turns = 0;
    rough.explicit.concrete = rough.explicit.concrete.min(MAX_CONCRETE_STEPS_AGAIN);
    // It gives no violations.
    rough.explicit.objects = false;
    let limits = &mut rough.limits;
    let ticks = limits.ticks.map_or(MAX_ROUGH_TICKS, |left| left / 4);
    limits.ticks = Some(ticks.min(MAX_ROUGH_TICKS));
    let now = cpu_seconds();
    limits.cpu = limits.cpu.map(|limit| now + (limit - now).max(0.0) / 2.0);
    limits.wall = limits.wall.map(|left| left / 2.0);
    rough
}

/// The options of a stage for proofs that took too long where each call is followed: functions and loops are explored once for all ways to them.
fn summary_options(options: &Options, stage: &Stage) -> Option<Options> {
    let has_blocks = || ProgramBlocks::new(&stage.program, Bam::On).is_ok();
    if options.bam != Bam::default() || !options.has_summaries() || !has_blocks() {
        return None;
    }
    let mut rough = rough_options(options);
    let ticks = &mut rough.limits.ticks;
    *ticks = ticks.map(|ticks| ticks.min(MAX_SUMMARY_TICKS));
    rough.bam_ticks = ticks.unwrap_or(MAX_SUMMARY_TICKS);
    rough.explicit.enabled = false;
    rough.bam = Bam::On;
    Some(rough)
}
