//! Tests on a way, and what follows from their answers: of the hundreds of conditions that a reactive system asks about its mode, few are left.

use super::expression::{Expression, Id};
use super::recorder::Recorder;
use super::tree::{Parting, Test};
use super::values::Number;
use crate::cfa::BinOp;
use crate::explicit::step::question::mirrored;
use crate::explicit::value::arith::{bounds, number, pattern};
use crate::frontend::types::IntInfo;
use provident_smt::hash::FxHashSet;

/// The numbers that an expression may still be, as numbers of a type.
pub(super) struct Range {
    lo: i128,
    hi: i128,
    others: FxHashSet<i128>,
}

impl Recorder<'_, '_> {
    /// Notes that a number is, or is not, zero.
    pub(super) fn test(&mut self, truth: Number) {
        let (id, holds) = self.stripped(truth);
        let (left, constant, info, op) = match self.expressions.get(id) {
            Expression::Bits(_) => return,
            Expression::Binary(op, a, b, info, _) if is_comparison(op) => {
                match (self.expressions.get(a), self.expressions.get(b)) {
                    (_, Expression::Bits(bits)) => (a, bits, info, op),
                    (Expression::Bits(bits), _) => (b, bits, info, mirrored(op)),
                    _ => return self.ask(id, holds),
                }
            }
            _ => return self.ask(id, holds),
        };
        // Equal, or at most; or its opposite.
        let value = number(constant, info);
        let (is_equation, limit, positive) = match op {
            BinOp::Eq => (true, value, true),
            BinOp::Ne => (true, value, false),
            BinOp::Le => (false, value, true),
            BinOp::Lt => (false, value - 1, true),
            BinOp::Gt => (false, value, false),
            _ => (false, value - 1, false),
        };
        let answer = holds == positive;
        let range = self.known.entry((left, info)).or_insert_with(|| {
            let (lo, hi) = bounds(info);
            let others = FxHashSet::default();
            Range { lo, hi, others }
        });
        let follows = match is_equation {
            true if limit < range.lo || limit > range.hi || range.others.contains(&limit) => true,
            true => range.lo == range.hi,
            false => range.hi <= limit || limit < range.lo,
        };
        if follows {
            return;
        }
        match (is_equation, answer) {
            (true, true) => (range.lo, range.hi) = (limit, limit),
            (true, false) => {
                range.others.insert(limit);
            }
            (false, true) => range.hi = limit,
            (false, false) => range.lo = limit + 1,
        }
        while range.others.contains(&range.lo) {
            range.lo += 1;
        }
        while range.others.contains(&range.hi) {
            range.hi -= 1;
        }
        let test = match self.expressions.get(left) {
            Expression::Slot(slot) if is_equation => Test::Is(slot, constant),
            Expression::Slot(slot) => {
                let flip = if info.signed { 1 << (info.width - 1) } else { 0 };
                Test::AtMost(slot, flip, pattern(limit, info) ^ flip)
            }
            _ => {
                let bits = self.expressions.of(Expression::Bits(pattern(limit, info)));
                let op = if is_equation { BinOp::Eq } else { BinOp::Le };
                Test::Holds(self.expressions.of(Expression::Binary(op, left, bits, info, info)))
            }
        };
        self.partings.push(Parting::Test(test, answer));
    }

    /// A truth value without negations and conversions, and whether it holds.
    fn stripped(&self, truth: Number) -> (Id, bool) {
        let (mut id, mut holds) = (truth.id, truth.bits != 0);
        loop {
            match self.expressions.get(id) {
                Expression::IsZero(inner) => (id, holds) = (inner, !holds),
                Expression::Convert(inner, from, to) if to.width == 1 || to.width >= from.width => id = inner,
                Expression::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b, ..)
                    if self.expressions.get(b) == Expression::Bits(0) && self.is_truth(a) =>
                {
                    (id, holds) = (a, holds != (op == BinOp::Eq));
                }
                _ => return (id, holds),
            }
        }
    }

    fn is_truth(&self, id: Id) -> bool {
        match self.expressions.get(id) {
            Expression::IsZero(_) => true,
            Expression::Binary(op, ..) => is_comparison(op),
            Expression::Convert(inner, _, to) => to.width == 1 || self.is_truth(inner),
            _ => false,
        }
    }

    /// Records a test that says nothing about others than itself.
    fn ask(&mut self, id: Id, holds: bool) {
        let truth = IntInfo {
            width: 1,
            signed: false,
        };
        let range = self.known.entry((id, truth)).or_insert_with(|| Range {
            lo: 0,
            hi: 1,
            others: FxHashSet::default(),
        });
        if range.lo == range.hi {
            return;
        }
        (range.lo, range.hi) = (holds.into(), holds.into());
        self.partings.push(Parting::Test(Test::Holds(id), holds));
    }
}

fn is_comparison(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Eq | BinOp::Ne
    )
}
