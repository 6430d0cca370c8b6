//! The operators of predicate abstraction as a [`Domain`].

use super::*;
use crate::cpa::callstack::Block;

impl Domain for Predicates<'_> {
    type State = PredState;
    type Key = ();

    fn key(&self, _: &PredState) {}

    fn transfer(
        &mut self,
        context: &Context<'_>,
        from: Control,
        to: Control,
        state: &PredState,
        step: Step,
    ) -> Option<PredState> {
        let stacks = &context.stacks;
        let frame = match step {
            Step::Edge(_) => Frame {
                caller: stacks.depth(from.stack),
                callee: 0,
            },
            Step::Enter(_) => Frame {
                caller: stacks.depth(from.stack),
                callee: stacks.depth(to.stack),
            },
            Step::Leave(_) => Frame {
                caller: stacks.depth(to.stack),
                callee: stacks.depth(from.stack),
            },
        };
        let block = self
            .blocks
            .step(&mut self.encoder, &mut self.pool, state.block, step, frame);
        if self.blocks.formula(block).formula == self.pool.mk_false() {
            return None;
        }
        let phase = if to.target.is_some() {
            Phase::Target
        } else if self.is_abstraction_point(context.program, to.node, step) {
            Phase::Waiting
        } else {
            Phase::Inside
        };
        Some(PredState {
            abs: state.abs,
            block,
            phase,
        })
    }

    fn merge(&mut self, new: &PredState, old: &PredState) -> Option<PredState> {
        let same_block = new.abs == old.abs && new.phase == old.phase;
        if !same_block || matches!(old.phase, Phase::Abstracted | Phase::ReachedTarget) {
            return None;
        }
        if planted("merge-loses-path") {
            return Some(*old);
        }
        let block = self
            .blocks
            .merge(&mut self.encoder, &mut self.pool, old.block, new.block);
        self.check_merge(block, [old.block, new.block]);
        Some(PredState { block, ..*old })
    }

    fn stop(&mut self, state: &PredState, reached: &PredState) -> bool {
        if state.phase != Phase::Abstracted || reached.phase != Phase::Abstracted {
            return false;
        }
        let (small, big) = (self.record(state.abs).region, self.record(reached.abs).region);
        if planted("cover-by-any") {
            return true;
        }
        if planted("cover-by-subset") {
            return self.regions.implies(big, small);
        }
        self.regions.implies(small, big)
    }

    fn prec(&mut self, context: &Context<'_>, control: Control, state: &PredState) -> (Adjusted<PredState>, Status) {
        match state.phase {
            Phase::Inside | Phase::Abstracted | Phase::ReachedTarget => (Adjusted::Same, Status::GOOD),
            Phase::Target => match self.is_reachable(state) {
                (true, status) => (
                    Adjusted::Changed(PredState {
                        phase: Phase::ReachedTarget,
                        ..*state
                    }),
                    status,
                ),
                (false, status) => {
                    self.counters.refuted_targets += 1;
                    (Adjusted::Bottom, status)
                }
            },
            Phase::Waiting => {
                let set = self.predicates_at(context, control);
                let (region, status) = self.abstraction(context.program, control.node, (state.abs, state.block), set);
                let Some(region) = region else {
                    self.counters.dropped += 1;
                    return (Adjusted::Bottom, status);
                };
                let abs = self.add_record(AbsRecord {
                    before: state.abs,
                    block: state.block,
                    region,
                    control,
                });
                (
                    Adjusted::Changed(PredState {
                        abs,
                        block: Blocks::EMPTY,
                        phase: Phase::Abstracted,
                    }),
                    status,
                )
            }
        }
    }

    fn waits(&self, state: &PredState) -> bool {
        state.phase == Phase::Waiting
    }

    fn cases(&mut self, context: &Context<'_>, block: Block, state: &PredState) -> Vec<PredState> {
        self.cases_of(context.program, block, state)
    }

    fn reduce(&mut self, context: &Context<'_>, block: Block, entry: Control, state: &PredState) -> PredState {
        self.reduced(context, block, entry, state)
    }

    fn expand(
        &mut self,
        context: &Context<'_>,
        block: Block,
        entry: &PredState,
        exit: (Control, &PredState),
    ) -> PredState {
        self.expanded(context, block, entry, exit)
    }

    fn carry(&mut self, _: &Context<'_>, entry: &PredState, target: (Control, &PredState)) -> PredState {
        self.carried(entry, target)
    }

    fn precision_in(&mut self, context: &Context<'_>, block: Block) -> u64 {
        self.reduced_precision(context.program, block)
    }
}
