//! The stage of accelerated loops: violations behind more turns than an exploration can take.
//!
//! The program with [lanes](crate::cfa::accelerate) is explored for a short while. A path to a violation says which inputs the program has to read, and how often each loop turns. The fast machine runs the program itself
//! with these inputs; if it meets the violation, its path is replayed as any other. So nothing rests on the lanes. Where the whole program reads the inputs of its slice, it is the one that runs: the replay of many
//! turns is what takes most of the time.

use super::judge::{Judge, Objection};
use super::stage::{Found, Stage, Traced, Violation, targets};
use crate::certify::{self, Certified, Evidence};
use crate::cfa::EdgeId;
use crate::cfa::accelerate::{Accelerated, accelerate};
use crate::cpa::tracking::PropertyId;
use crate::encode::Arith;
use crate::engine::{Confirmation, Counter, CounterexampleCandidate, Observer, Options, Reason, ReasonCode, Verdict};
use crate::evidence::Judgement;
use crate::evidence::replay::{Rule, replay_under};
use crate::explicit::concrete::{Chosen, Event, Execution};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Solver ticks of the stage at most.
const MAX_TICKS: u64 = 10_000_000;
/// Steps with explicit values at most.
const MAX_STEPS: u64 = 20_000;
/// Inputs of an execution at most: each one costs some hundred bytes in a replay.
const MAX_INPUTS: usize = 1_000_000;
/// Violations of the accelerated program that the program does not repeat, after which its search ends.
const MAX_UNREPEATED: usize = 4;

impl Stage {
    /// The program with lanes; `None` if no loop has one.
    pub fn accelerated(&self, options: &Options) -> Option<Accelerated> {
        if !options.explicit.enabled || options.arith != Arith::Machine {
            return None;
        }
        let targets = targets(&self.properties);
        let longest = options.explicit.replay;
        (!targets.is_empty())
            .then(|| accelerate(&self.program, &targets, longest))
            .flatten()
    }

    /// Searches for violations through lanes. Proves nothing. `whole` is the program that this is a slice of.
    pub fn accelerate(
        self,
        whole: &Stage,
        accelerated: Accelerated,
        options: &Options,
        observer: &mut dyn Observer,
        traced: &mut Traced<'_>,
    ) -> Found {
        let mut confirmed = Vec::new();
        let mut unrepeated = vec![0; self.properties.len()];
        let mut judge = Judge::default();
        let longest = options.explicit.replay;
        let options = short(options);
        let Certified { mut outcome, .. } = {
            let mut confirm = |candidate: &CounterexampleCandidate| {
                let inputs = match self.inputs_of(&accelerated, candidate) {
                    Ok(inputs) => inputs,
                    Err(refused) => return refused,
                };
                let objection = match self.behind_lanes(whole, (candidate.property, inputs, longest), &mut judge) {
                    Ok(violation) => {
                        traced(candidate.property, &violation.replay.trace);
                        confirmed.push((candidate.property, violation));
                        return Confirmation::Confirmed;
                    }
                    Err(Objection::Invented(reason)) => return Confirmation::Invented(reason),
                    Err(Objection::Contradicted(reason)) => reason,
                };
                tracing::debug!(objection, "a violation behind accelerated loops does not count");
                let count = &mut unrepeated[candidate.property.index()];
                *count += 1;
                match *count < MAX_UNREPEATED {
                    true => Confirmation::Undefined(objection),
                    false => Confirmation::Abandoned(ReasonCode::SliceContradicted.because(objection)),
                }
            };
            certify::verify(&accelerated.program, &self.properties, &options, observer, &mut confirm)
        };
        for (property, verdict) in &mut outcome.verdicts {
            match verdict {
                Verdict::True => *verdict = Verdict::Unknown(no_proof()),
                Verdict::Unknown(reason) => tracing::debug!(property, %reason, "accelerated loops do not decide"),
                Verdict::False(_) => {}
            }
        }
        let lanes = u64::try_from(accelerated.lanes()).expect("few lanes");
        outcome.statistics.set(Counter::Lanes, lanes);
        let found = u64::try_from(confirmed.len()).expect("one for each property at most");
        outcome.statistics.set(Counter::AcceleratedCounterexamples, found);
        // They would be those of a proof.
        outcome.invariants.clear();
        Found {
            // Its states are at locations of lanes, too.
            program: Rc::new(accelerated.program),
            contradicted: vec![0; self.properties.len()],
            asked: self.asked,
            hidden: self.hidden,
            spent: outcome.statistics.get(Counter::SolverTicks),
            outcome,
            evidence: Evidence::default(),
            confirmed,
        }
    }

    /// The inputs with which the program takes the turns of a path through lanes; `None` if they are too many, or no integers.
    ///
    /// # Errors
    /// The judgement of the replay, if the accelerated program does not take the path.
    fn inputs_of(
        &self,
        accelerated: &Accelerated,
        candidate: &CounterexampleCandidate,
    ) -> Result<Option<Vec<i128>>, Confirmation> {
        let rule = Rule {
            inputs: self.inputs,
            matters: None,
        };
        let replay = replay_under(&accelerated.program, &candidate.steps, &candidate.inputs, rule);
        if replay.judgement != Judgement::Confirmed {
            return Err(replay.judgement.into());
        }
        let asked = replay.asked.iter();
        let asked = asked.map(|asked| Some((asked.step, asked.number().to_i128()?)));
        let asked: Option<Vec<(usize, i128)>> = asked.collect();
        Ok(asked.and_then(|asked| accelerated.inputs(&candidate.steps, &asked, MAX_INPUTS)))
    }

    /// The violation of a property that some inputs lead to within `longest` steps, by an execution of the whole program, or if that reads others, of this slice.
    ///
    /// # Errors
    /// The objection to it.
    fn behind_lanes(
        &self,
        whole: &Stage,
        (property, inputs, longest): (PropertyId, Option<Vec<i128>>, u64),
        judge: &mut Judge,
    ) -> Result<Violation, Objection> {
        let repeated = [whole, self].into_iter().find_map(|stage| {
            let repeated = stage.repeat(property, inputs.as_ref()?, longest)?;
            Some((stage, repeated))
        });
        let Some((stage, repeated)) = repeated else {
            let reason = "the program does not repeat the turns".to_owned();
            return Err(Objection::Contradicted(reason));
        };
        let (confirmation, replay) = stage.replay(&repeated);
        match confirmation {
            Confirmation::Confirmed => judge.judge(stage, &repeated, replay),
            Confirmation::Invented(reason) => Err(Objection::Invented(reason)),
            Confirmation::Refuted(reason) | Confirmation::Undefined(reason) => Err(Objection::Contradicted(reason)),
            Confirmation::Abandoned(reason) => Err(Objection::Contradicted(reason.to_string())),
        }
    }

    /// The execution with some inputs up to a violation of a property; `None` if it meets none within so many steps.
    fn repeat(&self, property: PropertyId, inputs: &[i128], longest: u64) -> Option<CounterexampleCandidate> {
        let targets = &self.properties[property.index()].targets;
        let wanted = |edge: EdgeId| targets.contains(&edge);
        let begin = |traced| {
            let chosen = Some(Chosen::Given(inputs.iter().copied().collect()));
            Execution::with(&self.program, BTreeSet::new(), &wanted, traced, chosen).ok()
        };
        let mut first = begin(false)?;
        let met = first.run(longest);
        tracing::debug!(?met, steps = first.steps, "the turns are repeated");
        let Event::Target(_) = met else { return None };
        let mut second = begin(true)?;
        second.expect_steps(usize::try_from(first.steps).ok()?);
        assert_eq!(second.run(longest), met, "the second execution is the first");
        Some(CounterexampleCandidate {
            inputs: second.inputs().iter().copied().map(Into::into).collect(),
            steps: second.into_path().into(),
            property,
        })
    }
}

fn no_proof() -> Reason {
    ReasonCode::NotTracked.because("accelerated loops are explored for violations only")
}

/// The options of the exploration.
fn short(options: &Options) -> Options {
    let mut short = options.clone();
    short.ideal_ticks = 0;
    let explicit = &mut short.explicit;
    explicit.steps = explicit.steps.min(MAX_STEPS);
    explicit.sample = 0;
    explicit.concrete = 0;
    explicit.turns = 0;
    let ticks = &mut short.limits.ticks;
    *ticks = Some(ticks.map_or(MAX_TICKS, |left| (left / 4).min(MAX_TICKS)));
    short
}
