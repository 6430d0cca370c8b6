//! The facts about states that orders ask for.

use super::super::landmark::Landmarks;
use super::super::waiting::Standing;
use crate::cfa::Program;
use crate::cfa::analysis::distances::{Distance, Distances};
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::state::State;
use provident_smt::hash::FxHashMap;

/// The facts about states that orders ask for.
#[derive(Default)]
pub(super) struct Senses {
    /// The landmarks that tell kinds of states apart, and how many states of each kind were stored or wait.
    pub kinds: Option<(Box<Landmarks>, FxHashMap<u64, u32>)>,
    /// How far the targets are.
    pub distances: Option<Distances>,
}

impl Senses {
    /// The standing of a path that had one before, now that it has come to a state.
    pub fn stand(&mut self, code: &Compiled<'_>, before: Standing, state: &State) -> Standing {
        Standing {
            decisions: before.decisions,
            rank: match &mut self.kinds {
                Some((landmarks, seen)) => rank(seen, landmarks.kind(code, state)),
                None => before.rank,
            },
            distance: self.distance(code.program, state),
        }
    }

    /// How far a state is from a target; infinite if nobody asks for it.
    pub fn distance(&self, program: &Program, state: &State) -> Distance {
        let Some(distances) = &self.distances else {
            return Distance::INFINITE;
        };
        let frames = state.below.iter().map(|frame| &**frame).chain([&state.top]);
        let behind = frames
            .filter_map(|frame| frame.call)
            .fold(Distance::INFINITE, |below, call| distances.behind(program, call, below));
        distances.distance(state.node, behind)
    }
}

/// How many states of a kind there were before this one.
fn rank(seen: &mut FxHashMap<u64, u32>, kind: u64) -> u32 {
    let count = seen.entry(kind).or_default();
    let rank = *count;
    *count = count.saturating_add(1);
    rank
}
