//! Value interpolation over constraint sequences (Beyer, Löwe, FASE 2013, Algorithms 2 and 3).
//!
//! For a contradicting sequence of operations, cut in two, a value interpolant is an abstract variable assignment that the first part implies and that contradicts the second one. The interpolants of all
//! cuts are computed from the front to the back, each from the one before it: apply the operation, and drop every cell without which the rest of the sequence still comes to a contradiction.
//! So they are inductive, and none of their cells can be left out.
//!
//! # Cost
//!
//! Each question whether a cell can be dropped walks the rest of the sequence. A question is only asked where an operation changes the interpolant: where it does not, each cell is still needed. A cell that no
//! later operation mentions is dropped without a question. Each step of a walk counts as solver effort.

use crate::cfa::analysis::domain_types::Cells;
use crate::cfa::program::expr;
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::{ExprKind, Op, Place, Program, Step, is_call};
use crate::cpa::value::assignment::Assignment;
use crate::cpa::value::post::Post;
use crate::encode::{Frame, SlotId};
use crate::query::effort::Effort;
use provident_smt::fault::planted;
use provident_smt::hash::FxHashMap;

/// Steps that cost one tick of the solver's.
const STEPS_PER_TICK: u64 = 4;

/// The steps of a path with the operator of strongest postconditions.
pub struct Sequence<'s, 'a, 'p> {
    post: Post<'a, 'p>,
    steps: &'s [(Step, Frame)],
    /// The positions of assumptions that are no-ops, in order.
    dropped: Vec<usize>,
    walked: u64,
}

impl<'s, 'a, 'p> Sequence<'s, 'a, 'p> {
    /// The sequence of the steps.
    pub fn new(post: Post<'a, 'p>, steps: &'s [(Step, Frame)]) -> Self {
        Sequence {
            post,
            steps,
            dropped: Vec::new(),
            walked: 0,
        }
    }

    /// The same with no-ops in the place of the assumptions at these positions, which are in order.
    #[must_use]
    pub fn without(mut self, dropped: &[usize]) -> Self {
        self.dropped = dropped.to_vec();
        self
    }

    /// The positions of assumptions that are no-ops.
    pub fn dropped(&self) -> &[usize] {
        &self.dropped
    }

    /// Makes an assumption a no-op. It stands behind all that are.
    pub fn drop_assumption(&mut self, position: usize) {
        debug_assert!(
            self.dropped.last().is_none_or(|&last| last < position),
            "they are in order"
        );
        self.dropped.push(position);
    }

    /// Applies the step at a position. Returns whether there is a successor.
    fn apply(&self, at: &mut Assignment, position: usize) -> bool {
        let (step, frame) = self.steps[position];
        self.dropped.binary_search(&position).is_ok() || self.post.apply(at, step, frame)
    }

    /// The position of the first step, from `start` on, that has no successor. `None` also where the effort is exhausted.
    pub fn contradiction(&mut self, before: &Assignment, start: usize, effort: &mut Effort) -> Option<usize> {
        self.walk(&mut before.clone(), start, effort)
    }

    /// Applies the steps from `start` on. Returns the position of the first one that has no successor; the assignment is the one before it then.
    pub fn walk(&mut self, at: &mut Assignment, start: usize, effort: &mut Effort) -> Option<usize> {
        for position in start..self.steps.len() {
            self.walked += 1;
            if self.walked.is_multiple_of(STEPS_PER_TICK) {
                effort.spent = effort.spent.saturating_add(1);
                if self.walked.is_multiple_of(1024) && effort.is_exhausted() {
                    return None;
                }
            }
            if !self.apply(at, position) {
                return Some(position);
            }
        }
        None
    }

    /// The interpolant behind each step but the last; the sequence has to be contradicting at its last step. `None` if the effort is exhausted.
    pub fn interpolants(&mut self, effort: &mut Effort) -> Option<Vec<Assignment>> {
        let last = self.last_mentions();
        let mut interpolants: Vec<Assignment> = Vec::with_capacity(self.steps.len());
        let mut before = Assignment::default();
        for position in 0..self.steps.len() - 1 {
            let mut behind = before.clone();
            if !self.apply(&mut behind, position) {
                // Weaker assignments come to contradictions no sooner than the strongest ones.
                return None;
            }
            let is_mentioned = |slot: SlotId| last.get(&slot).is_some_and(|&last| last > position);
            behind.retain(|cell| is_mentioned(cell.slot));
            if behind != before {
                behind = self.minimal(behind, position + 1, effort)?;
            }
            interpolants.push(behind.clone());
            before = behind;
        }
        Some(interpolants)
    }

    /// Drops the cells without which the steps from `start` on are still contradicting.
    fn minimal(&mut self, mut assignment: Assignment, start: usize, effort: &mut Effort) -> Option<Assignment> {
        let cells: Vec<_> = assignment.cells().collect();
        for cell in cells {
            let mut without = assignment.clone();
            without.set(cell, None);
            let is_enough =
                planted("value-interpolant-too-weak") || self.contradiction(&without, start, effort).is_some();
            if effort.is_exhausted() {
                return None;
            }
            if is_enough {
                assignment = without;
            }
        }
        Some(assignment)
    }

    /// For each symbol, the last step whose operation mentions it.
    fn last_mentions(&self) -> FxHashMap<SlotId, usize> {
        let mut last = FxHashMap::default();
        for (position, &(step, frame)) in self.steps.iter().enumerate() {
            if self.dropped.binary_search(&position).is_ok() {
                continue;
            }
            mentioned(self.post, step, frame, &mut |slot| {
                last.insert(slot, position);
            });
        }
        last
    }
}

/// Calls `f` for the symbols that the operation of a step reads.
fn mentioned(post: Post<'_, '_>, step: Step, frame: Frame, f: &mut dyn FnMut(SlotId)) {
    let encoder = post.encoder();
    let program: &Program = encoder.program();
    let op = &program.edge(step.edge()).op;
    let mut place = |place: &Place, depth: u32| match encoder.plain_scalars(place, depth) {
        Some(scalars) => scalars.into_iter().for_each(|(slot, _)| f(slot)),
        None => {
            let mut cells = Vec::new();
            encoder.of_place(place, &mut cells);
            let slots = cells.into_iter().flatten().filter_map(|cell| u32::try_from(cell).ok());
            slots.for_each(|slot| f(SlotId(slot)));
        }
    };
    let mut depths = vec![frame.caller];
    if matches!(op, Op::Call { .. }) {
        depths.push(frame.callee);
    }
    for depth in depths {
        let mut values = |e: &crate::cfa::Expr| {
            if let ExprKind::Load(loaded) = &e.kind {
                place(loaded, depth);
            }
        };
        visit_parts(op, &mut |part| match part {
            Part::Value(e) => expr::walk(e, &mut values),
            Part::Written(written) => expr::walk_place(written, &mut values),
        });
    }
    if let (Step::Leave(call), Some(function)) = (step, is_call(program, step.edge()))
        && let Some(result) = program.function(function).ret
    {
        debug_assert_eq!(call, step.edge(), "a call is left by its edge");
        place(&Place::var(result, program.var(result).ty), frame.callee);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_sequence_has_no_contradiction() {
        let types = crate::frontend::types::DataModel::Lp64;
        let options = crate::frontend::FrontendOptions { data_model: types };
        let source = crate::frontend::text::source::Source::new("t.c", "int main(void) { return 0; }");
        let unit = crate::frontend::parse(source, &options).expect("it is a program");
        let program = crate::cfa::lower(unit, &crate::cfa::LowerOptions::default()).expect("it has a main function");
        let encoder = crate::encode::Encoder::new(&program, crate::encode::Arith::Machine);
        let mut sequence = Sequence::new(Post::new(&encoder), &[]);
        assert_eq!(
            sequence.contradiction(&Assignment::default(), 0, &mut Effort::default()),
            None
        );
    }
}
