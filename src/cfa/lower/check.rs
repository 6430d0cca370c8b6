//! Checks: tests before operations that C gives no meaning for all operands.
//!
//! A [check](crate::cfa::program::check) is a choice of cases, each a conjunction of comparisons. They say with the machine's own integers of the operands' width whether the exact result
//! is out of range, so that an exploration with explicit values follows them as it follows the program. No case is made where the ranges of the operands rule it out:
//! `c++` of a character never overflows.

use super::Lowerer;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::check::{Check, CheckKind};
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::{BinaryOp, ExprId, ExprKind as Ast};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{ArrayLen, IntKind, Type, TypeId, Types};
use provident_smt::num::Int;

/// The ways to violate a check: in one of the cases, all of its comparisons hold.
type Cases = Vec<Vec<Expr>>;

impl Lowerer<'_> {
    /// Whether operations of a sort are checked at a place. The library's text is taken on trust.
    fn checks(&self, kind: CheckKind, loc: Loc) -> bool {
        self.options.checks.contains(kind) && loc.is_some() && !self.unit.source.in_library(loc)
    }

    /// Checks an operation on two integers; `right` has the type of `left` unless it is the number of bits to shift by.
    pub(super) fn check_binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr, loc: Loc) {
        let (Some(info), Some(_)) = (self.int_info(left.ty), self.int_info(right.ty)) else {
            return;
        };
        match op {
            BinaryOp::Div | BinaryOp::Rem if self.checks(CheckKind::Division, loc) => {
                let cases = self.holds(BinOp::Eq, right, Int::from(0)).map(|case| vec![case]);
                self.check(CheckKind::Division, cases.into_iter().collect(), loc);
            }
            BinaryOp::Shl | BinaryOp::Shr if self.checks(CheckKind::Shift, loc) => {
                let below = self.holds(BinOp::Lt, right, Int::from(0));
                let above = self.holds(BinOp::Ge, right, Int::from(i64::from(info.width)));
                let cases = [below, above].into_iter().flatten().map(|case| vec![case]);
                self.check(CheckKind::Shift, cases.collect(), loc);
            }
            _ => {}
        }
        if !info.signed || !self.checks(CheckKind::Overflow, loc) {
            return;
        }
        let (low, high) = expr::range(info);
        let cases = match op {
            BinaryOp::Add | BinaryOp::Sub => self.sum_leaves(op, left, right, &low, &high),
            BinaryOp::Mul if info.width <= 32 => self.product_leaves(left, right, &low, &high),
            BinaryOp::Mul if info.width <= 64 => self.long_product_leaves(left, right, &low, &high),
            BinaryOp::Mul => {
                let text = "no product of integers of 128 bits overflows".to_owned();
                return self.assume(AssumptionKind::Language, text, loc, false);
            }
            BinaryOp::Div | BinaryOp::Rem => self.all([
                self.holds(BinOp::Eq, right, Int::from(-1)),
                self.holds(BinOp::Eq, left, low),
            ]),
            BinaryOp::Shl => self.shifted_leaves(left, right, info.width, &low, &high),
            _ => return,
        };
        self.check(CheckKind::Overflow, cases, loc);
    }

    /// Checks `-value`.
    pub(super) fn check_negation(&mut self, value: &Expr, loc: Loc) {
        let Some(info) = self.int_info(value.ty).filter(|info| info.signed) else {
            return;
        };
        if self.checks(CheckKind::Overflow, loc) {
            let (low, _) = expr::range(info);
            let cases = self.all([self.holds(BinOp::Eq, value, low)]);
            self.check(CheckKind::Overflow, cases, loc);
        }
    }

    /// Checks the index into an array of `len` elements.
    pub(super) fn check_index(&mut self, index: &Expr, len: u64, loc: Loc) {
        if self.checks(CheckKind::Bounds, loc) && self.int_info(index.ty).is_some() {
            let below = self.holds(BinOp::Lt, index, Int::from(0));
            let above = self.holds(BinOp::Ge, index, Int::from(len));
            let cases = [below, above].into_iter().flatten().map(|case| vec![case]);
            self.check(CheckKind::Bounds, cases.collect(), loc);
        }
    }

    /// Checks the pointer through which an object is accessed.
    pub(super) fn check_pointer(&mut self, pointer: &Expr, loc: Loc) {
        let in_sight = matches!(pointer.kind, ExprKind::AddrOf(_) | ExprKind::FuncAddr(_));
        if self.checks(CheckKind::Null, loc) && self.types.is_pointer(pointer.ty) && !in_sight {
            let null = expr::zero(&self.types, pointer.ty);
            let is_null = expr::binary(&self.types, BinOp::Eq, pointer.clone(), null, Types::INT);
            self.check(CheckKind::Null, vec![vec![is_null]], loc);
        }
    }

    /// The length of an array that is in sight. A last member with at most one element counts as an array of any length, as old programs mean it.
    pub(super) fn length_in_sight(&self, place: &Place) -> Option<u64> {
        let Type::Array {
            len: ArrayLen::Fixed(len),
            ..
        } = *self.types.get(place.ty)
        else {
            return None;
        };
        if let (Some(Proj::Field { record, field }), true) = (place.proj.last(), len <= 1) {
            let last = self.types.record(*record).fields.len().checked_sub(1);
            return (last != Some(*field as usize)).then_some(len);
        }
        Some(len)
    }

    /// Whether evaluating an expression only for its effects has to compute its value too, because that may violate a check.
    pub(super) fn is_checked_value(&self, e: ExprId) -> bool {
        let node = self.unit.expr(e);
        let computes = matches!(
            node.kind,
            Ast::Binary(..)
                | Ast::Unary(..)
                | Ast::Cast(..)
                | Ast::Deref(_)
                | Ast::Index { .. }
                | Ast::Member { .. }
                | Ast::PointerAdd { .. }
                | Ast::PointerDiff(..)
        );
        computes && !self.options.checks.is_empty() && self.types.is_scalar(node.ty) && !self.is_opaque(node.ty)
    }

    /// Leads executions that violate a check past its label.
    fn check(&mut self, kind: CheckKind, cases: Cases, loc: Loc) {
        if cases.is_empty() {
            return;
        }
        let violated = self.new_node(loc);
        for case in cases {
            let otherwise = self.new_node(loc);
            for comparison in case {
                let holds = self.new_node(loc);
                self.test(comparison, holds, otherwise, loc);
                self.cur = holds;
            }
            self.connect(self.cur, violated, loc);
            self.cur = otherwise;
        }
        let label = Check { at: loc, kind }.label();
        self.edge(violated, self.cur, Op::Label(label), loc);
    }

    // ---- cases ---------------------------------------------------------------------------------------------------------

    /// The comparison of a value with a number; `None` if it never holds.
    fn holds(&self, op: BinOp, value: &Expr, bound: Int) -> Option<Expr> {
        let (least, greatest) = self.span(value);
        let never = match op {
            BinOp::Lt => least >= bound,
            BinOp::Le => least > bound,
            BinOp::Gt => greatest <= bound,
            BinOp::Ge => greatest < bound,
            _ => bound < least || bound > greatest,
        };
        if never {
            return None;
        }
        let bound = Expr::int(bound, value.ty);
        Some(expr::binary(&self.types, op, value.clone(), bound, Types::INT))
    }

    /// One case in which all comparisons hold; no case if one of them never does.
    fn all<const N: usize>(&self, comparisons: [Option<Expr>; N]) -> Cases {
        let case: Option<Vec<Expr>> = comparisons.into_iter().collect();
        case.into_iter().collect()
    }

    /// `left + right`, or `left - right`, beyond a type's range.
    fn sum_leaves(&self, op: BinaryOp, left: &Expr, right: &Expr, low: &Int, high: &Int) -> Cases {
        let (a, b) = (self.span(left), self.span(right));
        let subtract = op == BinaryOp::Sub;
        let (least, greatest) = match subtract {
            true => (&a.0 - &b.1, &a.1 - &b.0),
            false => (&a.0 + &b.0, &a.1 + &b.1),
        };
        let binop = if subtract { BinOp::Sub } else { BinOp::Add };
        let mut cases = Cases::new();
        for (possible, compare, end) in [(least < *low, BinOp::Lt, low), (greatest > *high, BinOp::Gt, high)] {
            if !possible {
                continue;
            }
            // The sum leaves the range below only if the right operand makes it smaller; then `end - right` is in range.
            let shrinks = (compare == BinOp::Lt) != subtract;
            let moves = if shrinks { BinOp::Lt } else { BinOp::Gt };
            if let Some(right) = right.as_const() {
                let bound = if subtract { end + right } else { end - right };
                cases.extend(self.all([self.holds(compare, left, bound)]));
            } else if let Some(left) = left.as_const() {
                // low > left + right; low > left - right, which is right > left - low.
                let bound = if subtract { left - end } else { end - left };
                let compare = if subtract { opposite(compare) } else { compare };
                cases.extend(self.all([self.holds(compare, right, bound)]));
            } else if self.int_info(left.ty).is_some_and(|info| info.width <= 32) {
                let exact = self.widened(binop, left, right);
                cases.extend(self.all([self.holds(compare, &exact, end.clone())]));
            } else {
                let back = if subtract { BinOp::Add } else { BinOp::Sub };
                let end = Expr::int(end.clone(), left.ty);
                let bound = expr::binary(&self.types, back, end, right.clone(), left.ty);
                let leaves = expr::binary(&self.types, compare, left.clone(), bound, Types::INT);
                cases.extend(self.all([self.holds(moves, right, Int::from(0)), Some(leaves)]));
            }
        }
        cases
    }

    /// `left * right` of at most 32 bits beyond a type's range.
    fn product_leaves(&self, left: &Expr, right: &Expr, low: &Int, high: &Int) -> Cases {
        let (least, greatest) = self.product_span(left, right);
        let exact = self.widened(BinOp::Mul, left, right);
        let below = (least < *low).then(|| self.all([self.holds(BinOp::Lt, &exact, low.clone())]));
        let above = (greatest > *high).then(|| self.all([self.holds(BinOp::Gt, &exact, high.clone())]));
        [below, above].into_iter().flatten().flatten().collect()
    }

    /// `left * right` of 64 bits beyond a type's range, with quotients instead of a product that no machine integer holds.
    fn long_product_leaves(&self, left: &Expr, right: &Expr, low: &Int, high: &Int) -> Cases {
        let (least, greatest) = self.product_span(left, right);
        if least >= *low && greatest <= *high {
            return Cases::new();
        }
        // A constant factor makes the quotients constant.
        let (left, right) = match left.as_const() {
            Some(_) => (right, left),
            None => (left, right),
        };
        let quotient = |end: &Int| {
            let end = Expr::int(end.clone(), left.ty);
            expr::binary(&self.types, BinOp::Div, end, right.clone(), left.ty)
        };
        let compare = |op, end: &Int| Some(expr::binary(&self.types, op, left.clone(), quotient(end), Types::INT));
        let is_positive = || self.holds(BinOp::Gt, right, Int::from(0));
        // `low / -1` is the one quotient that is out of range itself.
        let is_below = || self.holds(BinOp::Lt, right, Int::from(-1));
        let minus_one = self.holds(BinOp::Eq, right, Int::from(-1));
        let mut cases = self.all([minus_one, self.holds(BinOp::Eq, left, low.clone())]);
        if is_positive().is_some() {
            cases.extend(self.all([is_positive(), compare(BinOp::Gt, high)]));
            cases.extend(self.all([is_positive(), compare(BinOp::Lt, low)]));
        }
        if is_below().is_some() {
            cases.extend(self.all([is_below(), compare(BinOp::Lt, high)]));
            cases.extend(self.all([is_below(), compare(BinOp::Gt, low)]));
        }
        cases
    }

    /// `left * 2^right` beyond the range of a type of `width` bits, where the shift itself is in range.
    fn shifted_leaves(&self, left: &Expr, right: &Expr, width: u32, low: &Int, high: &Int) -> Cases {
        let not_negative = self.holds(BinOp::Ge, right, Int::from(0));
        let in_width = self.holds(BinOp::Lt, right, Int::from(i64::from(width)));
        if let Some(value) = left.as_const() {
            let fits = |bits: &u32| {
                let shifted = value * &Int::pow2(*bits);
                shifted >= *low && shifted <= *high
            };
            // Larger shifts leave the range if one does.
            let Some(first) = (0..width).find(|bits| !fits(bits)) else {
                return Cases::new();
            };
            let beyond = self.holds(BinOp::Ge, right, Int::from(i64::from(first)));
            return self.all([beyond, in_width]);
        }
        let quotient = |end: &Int| {
            let end = Expr::int(end.clone(), left.ty);
            expr::binary(&self.types, BinOp::Shr, end, right.clone(), left.ty)
        };
        let compare = |op, end: &Int| Some(expr::binary(&self.types, op, left.clone(), quotient(end), Types::INT));
        let mut cases = self.all([not_negative.clone(), in_width.clone(), compare(BinOp::Gt, high)]);
        if self.span(left).0 < Int::from(0) {
            cases.extend(self.all([not_negative, in_width, compare(BinOp::Lt, low)]));
        }
        cases
    }

    /// An operation on two numbers of at most 32 bits, done with 64 bits.
    fn widened(&self, op: BinOp, left: &Expr, right: &Expr) -> Expr {
        let wide = Types::int(IntKind::LongLong);
        let [left, right] = [left, right].map(|value| expr::cast(&self.types, value.clone(), wide));
        expr::binary(&self.types, op, left, right, wide)
    }

    fn product_span(&self, left: &Expr, right: &Expr) -> (Int, Int) {
        let (a, b) = (self.span(left), self.span(right));
        let corners = [&a.0 * &b.0, &a.0 * &b.1, &a.1 * &b.0, &a.1 * &b.1];
        let least = corners.iter().min().expect("four corners").clone();
        let greatest = corners.iter().max().expect("four corners").clone();
        (least, greatest)
    }

    /// The least and the greatest value that an integer expression may have, as far as constants, conversions and masks say.
    fn span(&self, value: &Expr) -> (Int, Int) {
        let of_type = |ty: TypeId| self.int_info(ty).map(expr::range);
        let (low, high) = of_type(value.ty).expect("an integer");
        match &value.kind {
            ExprKind::Const(value) => (value.clone(), value.clone()),
            ExprKind::Cast(inner) if of_type(inner.ty).is_some() => {
                let (least, greatest) = self.span(inner);
                match least >= low && greatest <= high {
                    true => (least, greatest),
                    false => (low, high),
                }
            }
            ExprKind::Binary(BinOp::And, a, b) => {
                let mask = [a, b]
                    .into_iter()
                    .filter_map(|e| e.as_const())
                    .find(|mask| **mask >= Int::from(0));
                mask.map_or((low, high), |mask| (Int::from(0), mask.clone()))
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => (Int::from(0), Int::from(1)),
            ExprKind::Load(Place { bits: Some(bits), .. }) => match low < Int::from(0) {
                true => {
                    let half = Int::pow2(bits.width - 1);
                    (-&half, &half - &Int::from(1))
                }
                false => (Int::from(0), &Int::pow2(bits.width) - &Int::from(1)),
            },
            _ => (low, high),
        }
    }
}

/// `>` for `<`, and the other way round.
fn opposite(compare: BinOp) -> BinOp {
    if compare == BinOp::Lt { BinOp::Gt } else { BinOp::Lt }
}
