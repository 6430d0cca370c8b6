//! Bounded model checking: is there a violation within k steps?
//!
//! The question is asked for k = 1, 2, …, with one solver that keeps the steps that it has. A model gives a chain of blocks, which is asked about once more for itself; that also finds the values of operators that
//! the model has wrong.

use super::graph::{BlockGraph, ROOT};
use super::oracle::{Oracle, Sequence};
use super::unroll::Transition;
use super::{Found, Witness};
use provident_smt::proof::Part;
use provident_smt::solver::{Answer, Solver};
use std::collections::BTreeSet;

/// How often wrong values of operators are corrected for one depth.
const MAX_CORRECTIONS: usize = 64;

/// The unrolling from the program's start.
pub(super) struct Bounded<'g> {
    graph: &'g BlockGraph,
    solver: Solver,
    /// The transition relation as the solver has it.
    pub transition: Transition,
    /// How many values of operators it knows. Other questions may have brought more since.
    points: usize,
    steps: u32,
    /// Where an execution can be behind the steps.
    layer: BTreeSet<usize>,
}

impl<'g> Bounded<'g> {
    pub fn new(graph: &'g BlockGraph, oracle: &mut Oracle<'_, '_>) -> Self {
        let points = oracle.domain.blocks.points().all().count();
        let transition = Transition::new(graph, oracle);
        let mut solver = oracle.domain.effort.solver();
        let pool = &mut oracle.domain.pool;
        let start = transition.at(pool, ROOT, Some(0));
        solver.assert(pool, start, Part(0));
        Bounded {
            graph,
            solver,
            transition,
            points,
            steps: 0,
            layer: BTreeSet::from([ROOT]),
        }
    }

    /// Looks for violations within more and more steps. Where there is none, `conclude` is asked whether there is any at all. Ends with the first answer.
    pub fn deepen(
        mut self,
        oracle: &mut Oracle<'_, '_>,
        mut conclude: impl FnMut(&mut Oracle<'_, '_>, &Transition, u32) -> Option<Found>,
    ) -> Found {
        for depth in 1.. {
            oracle.work.depth = u64::from(depth);
            if oracle.is_exhausted() {
                return Found::Exhausted;
            }
            let violation = self.check(oracle, depth);
            if let Some(found) = violation.or_else(|| conclude(oracle, &self.transition, depth)) {
                return found;
            }
        }
        unreachable!("the depth grows without end")
    }

    /// Looks for a violation within this number of steps, which never becomes smaller. `None` if there is none.
    pub fn check(&mut self, oracle: &mut Oracle<'_, '_>, depth: u32) -> Option<Found> {
        for _ in 0..MAX_CORRECTIONS {
            let found = self.check_once(oracle, depth)?;
            if !matches!(found, Found::Unsafe(_)) || oracle.is_exhausted() {
                return Some(found);
            }
            let Found::Unsafe(witness) = &found else {
                return Some(found);
            };
            let truth = oracle.domain.pool.mk_true();
            match oracle.chain(truth, &witness.blocks, None) {
                Sequence::Feasible => return Some(found),
                Sequence::Unknown(_) if oracle.is_exhausted() => return Some(Found::Exhausted),
                Sequence::Unknown(reason) => {
                    return Some(Found::Stuck {
                        target: witness.target,
                        reason,
                    });
                }
                Sequence::Refuted(_) => {}
            }
            if oracle.domain.blocks.points().all().count() == self.points {
                break;
            }
            *self = Bounded::new(self.graph, oracle);
        }
        Some(Found::stuck("a model of the unrolled program belongs to no path"))
    }

    fn check_once(&mut self, oracle: &mut Oracle<'_, '_>, depth: u32) -> Option<Found> {
        let pool = &mut oracle.domain.pool;
        while self.steps < depth {
            let step = self.transition.step(pool, &self.layer, self.steps);
            self.solver.assert(pool, step, Part(0));
            self.layer = self.transition.behind(&self.layer);
            self.steps += 1;
        }
        if !self.layer.contains(&self.transition.violation) {
            return None;
        }
        let violation = self.transition.at(pool, self.transition.violation, Some(depth));
        let before = self.solver.ticks();
        // The solver's budget is for all of its checks.
        let budget = oracle
            .domain
            .effort
            .remaining()
            .map(|ticks| ticks.saturating_add(before));
        self.solver.set_tick_budget(budget);
        let answer = self.solver.check(pool, &pool.conjuncts(violation));
        oracle.domain.effort.charge_ticks(self.solver.ticks() - before);
        match answer {
            Answer::Unsat => None,
            Answer::Sat => {
                let model = self.solver.model(pool);
                let (blocks, target) = self.transition.decode(pool, &model)?;
                Some(Found::Unsafe(Witness { blocks, target }))
            }
            Answer::Unknown(_) if oracle.is_exhausted() => Some(Found::Exhausted),
            Answer::Unknown(reason) => Some(Found::StuckAll(Oracle::undecided(reason))),
        }
    }
}
