//! Executions with chosen inputs on the machine of [`crate::explicit::concrete`].
//!
//! An execution is a sample: it proves nothing, but a violation that it meets is one. A step costs a hundredth of a step of the exploration, so that samples come to violations behind
//! loops over big arrays, which no search meets that looks at more than one path. The replay confirms what they find.

use super::concrete::{execution_to, offer};
use crate::cfa::{EdgeId, Watcher};
use crate::engine::Counter;
use crate::engine::loops::session::Session;
use crate::explicit::concrete::{Chosen, Event, Execution, Questions};
use crate::explicit::pattern::{PATTERNS, Pattern};
use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

/// Steps between two looks at the interrupt flag.
const SLICE: u64 = 1 << 22;
/// Steps per tick of solver effort.
const STEPS_PER_TICK: u64 = 1 << 10;
/// Inputs of a path that is replayed: each one costs some hundred bytes.
const MAX_INPUTS: usize = 1_000_000;

/// How far a sample was followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sampled {
    /// To its end, or to the limit.
    Followed,
    /// To its end, and it asked for no input: all samples are this one.
    Closed,
    /// To a step that the machine does not have.
    Stopped,
}

/// Runs the program with inputs of one pattern after the other. `off` are the watchers that are not tracked.
pub(super) fn sample(session: &mut Session<'_, '_>, off: &BTreeSet<Watcher>) {
    for pattern in PATTERNS {
        match follow(session, off, pattern, session.options.explicit.sample) {
            Sampled::Followed => {}
            Sampled::Closed => return,
            Sampled::Stopped => session.current.statistics.add(Counter::SamplesStopped, 1),
        }
        let is_interrupted = session.current.cpa.domain.effort.interrupt.load(Ordering::Relaxed);
        if is_interrupted || session.is_decided() {
            return;
        }
    }
}

/// Runs the program with inputs of a pattern for at most `limit` steps.
fn follow(session: &mut Session<'_, '_>, off: &BTreeSet<Watcher>, pattern: Pattern, limit: u64) -> Sampled {
    let effort = &session.current.cpa.domain.effort;
    let left = effort.limit.map(|limit| limit.saturating_sub(effort.spent));
    let limit = limit.min(left.map_or(u64::MAX, |ticks| ticks.saturating_mul(STEPS_PER_TICK)));
    let program = session.program;
    let mut wanted = vec![false; program.edges.len()];
    for edge in session.properties.iter().flat_map(|property| &property.targets) {
        wanted[edge.index()] = !session.current.cpa.violated(*edge).is_empty();
    }
    let is_wanted = |edge: EdgeId| wanted[edge.index()];
    let Ok(mut execution) = Execution::with(program, off.clone(), &is_wanted, false, Some(Chosen::Pattern(pattern)))
    else {
        return Sampled::Stopped;
    };
    let mut tried = BTreeSet::new();
    let sampled = loop {
        match execution.run(limit.min(execution.steps.saturating_add(SLICE))) {
            Event::Target(edge) => {
                if tried.insert(edge) {
                    confirm(session, off, &is_wanted, edge, execution.steps, pattern);
                    if session.is_decided() {
                        break Sampled::Followed;
                    }
                }
            }
            Event::Complete if execution.has_asked() => break Sampled::Followed,
            Event::Complete => break Sampled::Closed,
            Event::Stopped(why) => {
                tracing::debug!(steps = execution.steps, why = why.0, "a sample stops");
                break Sampled::Stopped;
            }
            Event::Answer(_) => unreachable!("a sample answers no question"),
            Event::Exhausted => {
                let effort = &session.current.cpa.domain.effort;
                effort.pulse.steps(execution.steps);
                let interrupted = effort.interrupt.load(Ordering::Relaxed);
                if execution.steps >= limit || interrupted {
                    break Sampled::Followed;
                }
            }
        }
    };
    session.current.statistics.add(Counter::SampledSteps, execution.steps);
    let effort = &mut session.current.cpa.domain.effort;
    effort.charge_ticks(execution.steps / STEPS_PER_TICK);
    sampled
}

/// Repeats a sample up to an edge that it takes after the given number of steps, and replays the path.
fn confirm(
    session: &mut Session<'_, '_>,
    off: &BTreeSet<Watcher>,
    wanted: &dyn Fn(EdgeId) -> bool,
    edge: EdgeId,
    steps: u64,
    pattern: Pattern,
) {
    if steps > session.options.explicit.replay {
        return;
    }
    let Some(found) = execution_to(
        session.program,
        off,
        wanted,
        (edge, steps),
        Some(Chosen::Pattern(pattern)),
        Questions::Unanswered,
    ) else {
        return;
    };
    if found.inputs.len() > MAX_INPUTS {
        return;
    }
    offer(session, &found, edge, Counter::SampledCounterexamples);
}
