//! One step of a path: what each operation means.

use super::contents::Flag;
use super::context::Context;
use super::formula::FrameState;
use super::{Encoder, Frame, InputKind, PathFormula};
use crate::cfa::program::scalar::Scalar;
use crate::cfa::{AssumptionKind, Expr, ExprKind, FuncId, Op, Place, Step, VarId};
use provident_smt::fault::planted;
use provident_smt::term::{TermId, TermPool};

/// The path formula behind a step, and the inputs that the step asks for.
pub fn step(
    encoder: &mut Encoder<'_>,
    pool: &mut TermPool,
    before: &PathFormula,
    step: Step,
    frame: Frame,
) -> (PathFormula, Vec<(InputKind, TermId)>) {
    let program = encoder.program;
    let edge = program.edge(step.edge());
    let mut cx = Context::new(encoder, pool, before, edge.loc);
    cx.depth = frame.caller;
    cx.func = program.node(edge.from).func;
    let is_first = edge.from == program.function(program.start).entry && program.node(edge.from).incoming.is_empty();
    if is_first && cx.encoder.manner.says_where_heap_begins {
        cx.begin_heap();
    }
    match (&edge.op, step) {
        (Op::Call { func, args, .. }, Step::Enter(_)) => cx.enter(*func, args, frame),
        (Op::Call { func, ret, .. }, Step::Leave(_)) => {
            if let (Some(ret), Some(result)) = (ret, program.function(*func).ret) {
                cx.leave(ret, result, frame);
            }
        }
        (Op::Call { ret, .. }, Step::Edge(_)) => {
            cx.trust(
                AssumptionKind::Recursion,
                "a call that is not followed returns any value and touches nothing",
                false,
            );
            if let Some(place) = ret {
                cx.note_place(place, Flag::Set);
                cx.havoc(place);
            }
        }
        (op, _) => cx.operation(op),
    }
    let (mut after, inputs) = cx.finish(before);
    if let Op::Call { func, .. } = &edge.op {
        let state = match step {
            Step::Enter(_) => FrameState::Begun,
            Step::Leave(_) => FrameState::Ended,
            Step::Edge(_) => return (after, inputs),
        };
        after.frames.insert(encoder.slots.frame(*func, frame.callee), state);
    }
    (after, inputs)
}

impl Context<'_, '_> {
    fn operation(&mut self, op: &Op) {
        self.follow_contents(op);
        match op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) | Op::Call { .. } | Op::Mark { .. } => {}
            Op::Free { ptr, kind } => self.free(ptr, *kind),
            Op::Assume { cond, truth } => {
                let holds = self.condition(cond);
                let inverted = planted("condition-inverted") && self.loc.0.is_multiple_of(10);
                let formula = if *truth != inverted {
                    holds
                } else {
                    self.pool.not(holds)
                };
                self.require(formula);
                self.learn(formula);
            }
            Op::Assign { lhs, rhs } => self.assign(lhs, rhs),
            Op::Zero { place } => self.zero(place),
            Op::Havoc { place, .. } => self.havoc(place),
            Op::External { ret, .. } => ret.iter().for_each(|place| self.havoc(place)),
            Op::Allocate {
                lhs,
                size,
                zero,
                may_fail,
                kind,
            } => self.allocate(lhs, size, *kind, (*zero, *may_fail)),
            Op::Inspect { lhs, question } => self.inspect(lhs, question),
            Op::MemSet { dst, byte, len } => self.mem_set(dst, byte, len),
            Op::MemCopy { dst, src, len } => self.mem_copy(dst, src, len),
            Op::Asm { outputs, .. } => outputs.iter().for_each(|place| self.havoc(place)),
        }
    }

    pub(super) fn is_scalar(&self, place: &Place) -> bool {
        Scalar::of(&self.encoder.program.types, place.ty).is_some()
    }

    fn assign(&mut self, lhs: &Place, rhs: &Expr) {
        if self.is_scalar(lhs) {
            let value = self.value(rhs);
            let value = self.narrow(lhs, value);
            self.store(lhs, &value);
            return;
        }
        match &rhs.kind {
            ExprKind::Load(place) => self.copy_record(lhs, place),
            // Nothing else has a record type.
            _ => self.havoc(lhs),
        }
    }

    /// A bit-field keeps the low bits of what is assigned.
    fn narrow(&mut self, lhs: &Place, value: super::context::Value) -> super::context::Value {
        let (full, narrow) = (self.scalar(lhs.ty), self.place_scalar(lhs));
        if full == narrow {
            value
        } else {
            self.convert(value, full, narrow)
        }
    }

    fn enter(&mut self, func: FuncId, args: &[Expr], frame: Frame) {
        let program = self.encoder.program;
        let params = &program.function(func).params;
        if self.encoder.manner.moves_frames
            && let Some(slot) = self.encoder.slots.offset(func, frame.callee)
        {
            self.ssa.bump(slot);
        }
        // All arguments are evaluated before a parameter changes: in a recursive call they may be the same variables.
        let mut scalars = Vec::new();
        for (&param, arg) in params.iter().zip(args) {
            let place = Place::var(param, program.var(param).ty);
            if self.is_scalar(&place) {
                scalars.push((place, self.value(arg)));
            } else if let ExprKind::Load(source) = &arg.kind {
                self.depth = frame.callee;
                self.note_assigned(&place, arg);
                self.copy_between(&place, source, frame.callee, frame.caller);
                self.depth = frame.caller;
            }
        }
        self.depth = match planted("frame-mixed-up") {
            true => frame.caller,
            false => frame.callee,
        };
        for (place, value) in scalars {
            self.note_place(&place, Flag::Set);
            self.store(&place, &value);
        }
    }

    fn leave(&mut self, ret: &Place, result: VarId, frame: Frame) {
        let source = Place::var(result, self.encoder.program.var(result).ty);
        self.note_assigned(ret, &Expr::load(source.clone()));
        if !self.is_scalar(ret) {
            return self.copy_between(ret, &source, frame.caller, frame.callee);
        }
        self.depth = frame.callee;
        let value = self.load(&source);
        let from = self.scalar(source.ty);
        self.depth = frame.caller;
        // The result type of the function is converted to the type of what it is assigned to.
        let to = self.scalar(ret.ty);
        let value = if from == to {
            value
        } else {
            self.convert(value, from, to)
        };
        let value = self.narrow(ret, value);
        self.store(ret, &value);
    }
}
