//! Operations on `_Float16` with excess precision.
//!
//! A processor without operations on `_Float16` (x86-64 without AVX512-FP16, which is gcc's default) computes in `float` (ISO C TS 18661-3, `FLT_EVAL_METHOD`). The type of `a * b + c` is `_Float16`,
//! but its value is that of the operations in `float`: gcc rounds it where it is assigned, initialises, is passed or returned, or is cast to its own type. Other operations, conversions to
//! other types, comparisons and conditions use it unrounded. A constant is a `float` in the same way. An integer operand becomes a `float` at once: `h + 100000` is finite.
//!
//! So an operation is built in `float`, below a conversion of its own kind ([`CastKind::Excess`]) that others take away. For a single operation it does not matter: the precision of
//! `float` is twice that of `_Float16` and two bits more, so that rounding twice is rounding once (Figueroa, *When is double rounding innocuous?*, 1995).

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::Parser;
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;

impl Parser<'_> {
    fn is_half(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Float(FloatKind::Float16))
    }

    /// The type in which operations on `_Float16` are done.
    pub fn float_type(&mut self) -> TypeId {
        self.types.intern(Type::Float(FloatKind::Float))
    }

    /// `_Float16`, if an operation on these types has it: one has, and the other one has it or is an integer's.
    pub fn half_type(&self, a: TypeId, b: TypeId) -> Option<TypeId> {
        let fits = |ty| self.is_half(ty) || self.types.is_integral(ty);
        let half = [a, b].into_iter().find(|&ty| self.is_half(ty))?;
        (fits(a) && fits(b)).then_some(half)
    }

    /// Whether the value is the result of an operation on `_Float16`.
    pub fn is_excess(&self, e: ExprId) -> bool {
        matches!(self.kind(e), ExprKind::Cast(CastKind::Excess, _)) && self.is_half(self.ty(e))
    }

    /// The result of an operation in `float` as one of type `_Float16`.
    pub fn excess(&mut self, e: ExprId, half: TypeId, loc: Loc) -> ExprId {
        self.expr(half, loc, ExprKind::Cast(CastKind::Excess, e))
    }

    /// The value of a node of type `float` as one of type `_Float16`.
    pub fn excess_of(&mut self, kind: ExprKind, half: TypeId, loc: Loc) -> ExprId {
        let float = self.float_type();
        let result = self.expr(float, loc, kind);
        self.excess(result, half, loc)
    }

    /// `a op b` of `_Float16`, or of one and an integer.
    pub fn half_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, half: TypeId, loc: Loc) -> ExprId {
        let (a, b) = (self.widened(a), self.widened(b));
        if op.is_comparison() {
            return self.binary_node(op, a, b, Types::INT, loc);
        }
        let float = self.float_type();
        let result = self.binary_node(op, a, b, float, loc);
        self.excess(result, half, loc)
    }

    /// The value as another operation uses it: the result of an operation on `_Float16` in `float`.
    pub fn unrounded(&mut self, e: ExprId) -> ExprId {
        match self.kind(e) {
            ExprKind::Cast(CastKind::Excess, inner) if self.is_excess(e) => match self.kind(inner) {
                ExprKind::Float { .. } | ExprKind::Cast(CastKind::Excess, _) => inner,
                _ => {
                    let (loc, float) = (self.expr_loc(e), self.float_type());
                    self.expr(float, loc, ExprKind::Cast(CastKind::Excess, inner))
                }
            },
            _ => e,
        }
    }

    /// The value as objects and functions get it: of the result of an operation on `_Float16`, that of its type.
    pub fn rounded(&mut self, e: ExprId) -> ExprId {
        match self.kind(e) {
            ExprKind::Cast(CastKind::Excess, inner) if self.is_excess(e) => {
                let half = self.ty(e);
                let loc = self.expr_loc(e);
                match self.fold_cast(CastKind::Float, inner, half) {
                    Some(folded) => folded,
                    None => self.expr(half, loc, ExprKind::Cast(CastKind::Float, inner)),
                }
            }
            _ => e,
        }
    }

    /// An operand of an operation on `_Float16`, in `float`.
    pub fn widened(&mut self, e: ExprId) -> ExprId {
        let (e, float) = (self.promote(e), self.float_type());
        self.cast_unchecked(e, float)
    }

    /// Whether a choice between two values is one in `float`: of `_Float16` and an integer, or of results of operations.
    pub fn merges_in_float(&self, a: ExprId, b: ExprId) -> bool {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let differ = !self.is_half(ta) || !self.is_half(tb);
        self.half_type(ta, tb).is_some() && (differ || self.is_excess(a) || self.is_excess(b))
    }
}
