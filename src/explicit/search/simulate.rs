//! Simulation: single paths with concrete inputs.
//!
//! The same machine, but every input has a value at once, from a fixed pattern. Nothing is stored and nothing is proved: a path that reaches a
//! target is a candidate for the replay, and that is all.

use super::trace::Path;
use crate::cfa::{EdgeId, Step};
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::pattern::Pattern;
use crate::explicit::state::State;
use crate::explicit::step::machine::{Guide, Machine};
use crate::explicit::step::record::Recorder;

/// How a simulation went.
pub struct Simulation {
    /// The path to a wanted edge, if there was one.
    pub path: Option<Path>,
    /// The number of steps.
    pub steps: u64,
    /// Whether no input was read: then every simulation is this one.
    pub closed: bool,
}

/// Runs the program with inputs of a pattern for at most this number of steps, until it takes an edge that `wanted` accepts.
pub fn simulate(code: &Compiled<'_>, pattern: Pattern, limit: u64, wanted: &dyn Fn(EdgeId) -> bool) -> Simulation {
    let guide = Guide::Simulate(Recorder::default(), pattern);
    let mut machine = Machine::new(code, State::initial(code), guide);
    let mut steps = 0;
    let mut hit = false;
    while steps < limit && !hit {
        steps += 1;
        machine.begin();
        let taken = machine.step();
        steps += std::mem::take(&mut machine.effort);
        match taken {
            Ok(Some(Step::Edge(edge) | Step::Enter(edge))) => hit = wanted(edge),
            Ok(Some(Step::Leave(_))) => {}
            Ok(None) | Err(_) => break,
        }
    }
    let closed = !machine.inputs && !machine.open;
    let path = if hit { Path::of(machine) } else { None };
    Simulation { path, steps, closed }
}
