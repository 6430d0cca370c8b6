//! The execution of a program without inputs on the machine of [`crate::explicit::concrete`], before all other phases.
//!
//! # Results
//!
//! * TRUE for every property of which no edge was taken, if the execution came to its end. It is followed without an answer to the questions whether heap objects are lost: since such a check
//!   only observes, the other steps are the same whatever the answer is. Then it is followed again up to the last question, and if anything is lost there, once more with an answer to each.
//! * FALSE, where the replay confirms the path.
//! * UNKNOWN, if the path is too long for the replay: there is no other execution, so no other search can help.
//!
//! A path that the replay leaves ends the phase without further proofs: there is one execution, and one of the two machines is wrong about it.
//!
//! If the machine stops at an input, only a few steps are lost: inputs are mostly read early. If it stops for another reason, and no other phase decides the property, the verdict names that reason. Its steps have their own budget, because a step costs a hundredth of a step of the exploration.

use crate::cfa::program::check::Check;
use crate::cfa::{EdgeId, Op, Program, Step, Watcher};
use crate::cpa::tracking::PropertyId;
use crate::engine::loops::session::Session;
use crate::engine::{CandidateInput, Confirmation, Counter, CounterexampleCandidate, ReasonCode};
use crate::explicit::concrete::{Chosen, Event, Execution, Questions, Stop};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Steps between two looks at the interrupt flag.
const SLICE: u64 = 1 << 23;
/// Steps per tick of solver effort.
const STEPS_PER_TICK: u64 = 1 << 10;

/// Runs the phase. `off` are the watchers that are not tracked.
pub(in crate::engine) fn concrete(session: &mut Session<'_, '_>, off: &BTreeSet<Watcher>) {
    let effort = &session.current.cpa.domain.effort;
    let left = effort.limit.map(|limit| limit.saturating_sub(effort.spent));
    let affordable = left.map_or(u64::MAX, |ticks| ticks.saturating_mul(STEPS_PER_TICK));
    let limit = session.options.explicit.concrete.min(affordable);
    // With other automata the execution is about as long.
    if limit == 0 || session.current.statistics.get(Counter::ConcreteExhausted) > 0 {
        return;
    }
    let (steps, stop) = run(session, off, limit);
    session.current.statistics.add(Counter::ConcreteSteps, steps);
    if let Some(Stop(why)) = stop {
        tracing::debug!(steps, why, "the concrete execution stops");
        if !stop.is_some_and(Stop::is_choice) {
            session.proof.shortfall = Some(format!("the execution was followed for {steps} steps, up to {why}"));
        }
    }
    if session.current.statistics.get(Counter::ConcreteExhausted) > 0 {
        session.proof.shortfall = Some(format!(
            "the execution was followed for {steps} steps, which is not to its end"
        ));
    }
    let effort = &mut session.current.cpa.domain.effort;
    effort.charge_ticks(steps / STEPS_PER_TICK);
}

/// The steps taken, and why the machine stopped, if it did.
fn run(session: &mut Session<'_, '_>, off: &BTreeSet<Watcher>, limit: u64) -> (u64, Option<Stop>) {
    let program = session.program;
    let mut wanted = vec![false; program.edges.len()];
    for edge in session.properties.iter().flat_map(|property| &property.targets) {
        wanted[edge.index()] = !session.current.cpa.violated(*edge).is_empty();
    }
    let mut run = Run {
        session,
        off,
        wanted: &|edge: EdgeId| wanted[edge.index()],
        limit,
        steps: 0,
        asked: 0,
        kept: 0,
        is_repeated: false,
        tried: BTreeSet::new(),
        unproved: BTreeSet::new(),
    };
    let result = run.all();
    (run.steps, result.err().flatten())
}

/// The execution, as often as it takes to answer all questions.
struct Run<'r, 's, 'p> {
    session: &'r mut Session<'s, 'p>,
    off: &'r BTreeSet<Watcher>,
    wanted: &'r dyn Fn(EdgeId) -> bool,
    limit: u64,
    /// Steps taken, of all repetitions.
    steps: u64,
    /// The questions of one repetition whether heap objects are lost.
    asked: u64,
    /// The number of questions at which nothing is lost.
    kept: u64,
    /// Whether there is more to do where each question is answered.
    is_repeated: bool,
    /// Edges of interest that were offered to the replay, and the properties that they violate.
    tried: BTreeSet<EdgeId>,
    unproved: BTreeSet<PropertyId>,
}

impl Run<'_, '_, '_> {
    /// Follows the execution to its end, and takes what is not violated for proved.
    ///
    /// # Errors
    /// It did not come to the end; with the reason of the machine, if it has one.
    fn all(&mut self) -> Result<(), Option<Stop>> {
        let first = self.follow(Questions::Unanswered);
        if first.is_ok() {
            self.prove(|op| !Check::is_about_heap(op));
            self.is_repeated |= !self.loses_nothing(self.asked);
        }
        if self.is_repeated {
            self.follow(Questions::Each)?;
        }
        first?;
        self.prove(|_| true);
        Ok(())
    }

    /// Whether no heap object is lost at so many questions.
    fn loses_nothing(&mut self, asked: u64) -> bool {
        if asked > self.kept && self.follow(Questions::Only(asked)) == Ok(true) {
            self.kept = asked;
        }
        asked <= self.kept
    }

    /// Proves the properties that are not violated, as far as all their targets are of a sort.
    fn prove(&mut self, sort: impl Fn(&Op) -> bool) {
        let program = self.session.program;
        for property in PropertyId::first(self.session.properties.len()) {
            let targets = &self.session.properties[property.index()].targets;
            let is_due = targets.iter().all(|&edge| sort(&program.edge(edge).op));
            if is_due && self.session.is_open(property) && !self.unproved.contains(&property) {
                self.session.prove(property);
                self.session.current.statistics.add(Counter::ConcreteProofs, 1);
            }
        }
    }

    /// Follows the execution to its end, or to the question that is asked for. Returns the answer of that one.
    fn follow(&mut self, questions: Questions) -> Result<bool, Option<Stop>> {
        let mut counted = 0;
        let mut execution = Execution::new(self.session.program, self.off.clone(), self.wanted, false).map_err(Some)?;
        execution.questions = questions;
        loop {
            let event = execution.run(self.limit.min(execution.steps.saturating_add(SLICE)));
            self.steps += execution.steps - counted;
            counted = execution.steps;
            match event {
                Event::Target(edge) => {
                    if matches!(questions, Questions::Only(_)) || self.tried.contains(&edge) {
                        continue;
                    }
                    self.unproved.extend(self.session.current.cpa.violated(edge));
                    // Behind the loss of an object the right answer is another one, and so is the path.
                    if questions == Questions::Unanswered && !self.loses_nothing(execution.asked) {
                        self.is_repeated = true;
                        continue;
                    }
                    self.tried.insert(edge);
                    let refuted = |run: &Self| run.session.current.statistics.get(Counter::RefutedReplays);
                    let before = refuted(self);
                    confirm(self.session, self.off, self.wanted, (edge, execution.steps), questions);
                    if refuted(self) > before {
                        return Err(Some(Stop("a step that the replay does not take")));
                    }
                    if self.session.is_decided() {
                        return Err(None);
                    }
                }
                Event::Complete => {
                    assert!(
                        !matches!(questions, Questions::Only(_)),
                        "the execution is the same as before"
                    );
                    self.asked = execution.asked;
                    return Ok(true);
                }
                Event::Answer(answer) => return Ok(answer),
                Event::Stopped(stop) => return Err(Some(stop)),
                Event::Exhausted => {
                    let effort = &self.session.current.cpa.domain.effort;
                    let interrupted = effort.interrupt.load(Ordering::Relaxed);
                    effort.pulse.steps(self.steps);
                    if execution.steps >= self.limit || interrupted {
                        self.session.current.statistics.set(Counter::ConcreteExhausted, 1);
                        return Err(None);
                    }
                }
            }
        }
    }
}

/// Repeats the execution up to an edge that it takes after the given number of steps, and replays the path.
fn confirm(
    session: &mut Session<'_, '_>,
    off: &BTreeSet<Watcher>,
    wanted: &dyn Fn(EdgeId) -> bool,
    (edge, steps): (EdgeId, u64),
    questions: Questions,
) {
    let longest = session.options.explicit.replay;
    if steps > longest {
        let reason = format!("a violation after {steps} steps, of which the replay repeats no more than {longest}");
        for property in session.current.cpa.violated(edge).to_vec() {
            session.abandon_property(property, ReasonCode::ReplayLimit.because(&reason));
            session.current.statistics.add(Counter::ConcreteTooLong, 1);
        }
        return;
    }
    if let Some(found) = execution_to(session.program, off, wanted, (edge, steps), None, questions) {
        offer(session, &found, edge, Counter::ConcreteCounterexamples);
    }
}

/// Offers an execution to the replay, for each open property that its last edge violates. `counter` counts those that it confirms.
pub(super) fn offer(session: &mut Session<'_, '_>, found: &Found, edge: EdgeId, counter: Counter) {
    for property in session.current.cpa.violated(edge).to_vec() {
        let candidate = CounterexampleCandidate {
            steps: Arc::clone(&found.path),
            inputs: found.inputs.clone(),
            property,
        };
        if session.ask(candidate) == Confirmation::Confirmed {
            session.current.statistics.add(counter, 1);
        }
    }
}

/// The path of an execution to an edge of interest.
pub(super) struct Found {
    /// Its steps; the last one takes the edge.
    pub path: Arc<[Step]>,
    /// The chosen inputs.
    pub inputs: Vec<CandidateInput>,
}

/// Repeats an execution up to an edge that it takes after the given number of steps, which [`Explicit::replay`](crate::engine::Explicit::replay) bounds. `None` if the program is not for the machine.
pub(super) fn execution_to(
    program: &Program,
    off: &BTreeSet<Watcher>,
    wanted: &dyn Fn(EdgeId) -> bool,
    (edge, steps): (EdgeId, u64),
    chosen: Option<Chosen>,
    questions: Questions,
) -> Option<Found> {
    let mut execution = Execution::with(program, off.clone(), wanted, true, chosen).ok()?;
    execution.questions = questions;
    execution.expect_steps(usize::try_from(steps).expect("few enough"));
    // Targets of other properties may lie on the way.
    while execution.steps < steps && matches!(execution.run(steps + 1), Event::Target(_)) {}
    assert!(
        execution.steps == steps && execution.path().last().map(|step| step.edge()) == Some(edge),
        "the second execution is the first"
    );
    Some(Found {
        inputs: execution.inputs().iter().copied().map(Into::into).collect(),
        path: execution.into_path().into(),
    })
}
