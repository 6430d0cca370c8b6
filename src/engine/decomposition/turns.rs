//! Explicit values and the refinement loop in turns.
//!
//! The steps of the exploration with explicit values are a guess of what a program needs, and so is every other number. Where they were not enough, the refinement loop may still be the one that never
//! ends: a program with tens of millions of states and a counter that predicates unroll. So neither has the rest of the run alone. When the loop has spent [three ticks](TICKS_FOR_A_STEP) for each step of
//! the last exploration, there is another one with [`FURTHER`] times the steps, then the loop goes on where it was, for [`FURTHER`] times its ticks; and so on. The one that would have decided alone has
//! at least a fixed part of the time, as in the universal search of Levin (1973).
//!
//! A program without loops and recursion cannot be unrolled without end: its refinement loop has a formula for all its paths, while an exploration looks at them one by one. There the loop
//! gets [more of the time](TICKS_WITHOUT_LOOPS).
//!
//! Where something is not modelled, or an unknown pointer is followed, the exploration can only find violations. No order of search finds all of them, so that the turns are for [several orders](crate::engine::phases::explicit)
//! with the same steps before there are more.

use super::RefinementLimit;
use crate::cfa::analysis::graph::repeats;
use crate::cpa::tracking::PropertyId;
use crate::engine::budget::cpu_seconds;
use crate::engine::loops::session::{Allowance, Governor, Session};
use crate::engine::options::{Algorithm, Extent};
use crate::engine::phases::explicit::{explicit, may_go_further, steps_of_turn};

/// Ticks of the loop for each step of an exploration: about the same time.
const TICKS_FOR_A_STEP: u64 = 3;
/// The same for a program without loops.
const TICKS_WITHOUT_LOOPS: u64 = 64;

/// Gives the exploration its turns during the loop of a partition.
#[derive(Debug)]
pub(super) struct Turns {
    /// The budget on refinements.
    limit: RefinementLimit,
    /// The limits of the partition.
    partition: Allowance,
    /// The turns that the exploration has had.
    turn: usize,
    /// The effort at which its next one begins.
    next: Option<u64>,
}

impl Turns {
    /// Turns within a partition that may spend as much, and has a budget on refinements.
    pub(super) fn new(limit: RefinementLimit, partition: Allowance) -> Turns {
        Turns {
            limit,
            partition,
            turn: 0,
            next: None,
        }
    }

    /// Sets what the loop may spend until the next turn of the exploration, if there is one.
    fn go_on(&mut self, session: &mut Session<'_, '_>) {
        let options = session.options.explicit;
        // An allowance of states would begin anew with each turn; and the other algorithms cannot stop in the middle.
        let has_another = u64::try_from(self.turn).is_ok_and(|turn| turn < options.turns)
            && self.partition.states.is_none()
            && session.options.algorithm == Algorithm::Predicate
            && may_go_further(session);
        let price = match repeats(session.program) {
            true => TICKS_FOR_A_STEP,
            false => TICKS_WITHOUT_LOOPS,
        };
        let ticks = steps_of_turn(session, self.turn).saturating_mul(price);
        let next = session.now().ticks.saturating_add(ticks);
        self.next = has_another.then_some(next);
        session.allow(Allowance {
            ticks: self.partition.ticks.into_iter().chain(self.next).min(),
            ..self.partition
        });
    }

    /// Whether it is the turn of the exploration, and not the end of the partition.
    fn is_due(&self, session: &Session<'_, '_>) -> bool {
        let ticks = session.now().ticks;
        self.next.is_some_and(|next| ticks >= next)
            && self.partition.ticks.is_none_or(|end| ticks < end)
            && self.partition.cpu.is_none_or(|end| cpu_seconds() < end)
    }
}

impl Governor for Turns {
    fn begin(&mut self, session: &mut Session<'_, '_>) {
        self.limit.begin(session);
        self.go_on(session);
    }

    fn refining(&mut self, session: &mut Session<'_, '_>) {
        self.limit.refining(session);
    }

    fn refined(&mut self, session: &mut Session<'_, '_>) {
        self.limit.refined(session);
    }

    fn violated(&mut self, session: &mut Session<'_, '_>, property: PropertyId) {
        self.limit.violated(session, property);
    }

    fn spent(&mut self, session: &mut Session<'_, '_>) -> bool {
        if !self.is_due(session) {
            return self.limit.spent(session);
        }
        session.allow(self.partition);
        self.turn += 1;
        explicit(session, Extent::Turn(self.turn));
        if session.checking().is_empty() {
            return false;
        }
        self.go_on(session);
        true
    }
}
