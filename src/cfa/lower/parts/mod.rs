//! Operations on numbers that have parts: complex numbers, GNU vectors, decimal floating-point numbers.
//!
//! The front end hands them over as records ([`Made`]), so they are copied, stored, passed and addressed like records.
//! Here the operators and conversions become operations on the parts, one by one, into a new temporary; engines, encodings and
//! replay know only scalars. Decimal numbers are not computed with: every operation's result is invented.
//!
//! | module | does |
//! |---|---|
//! | `complex` | complex numbers |
//! | `vector` | vectors |

mod complex;
mod vector;

use super::Lowerer;
use crate::cfa::program::expr;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::{BinaryOp, CastKind, ExprId, ExprKind as Ast, UnaryOp};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{ArrayLen, Made, Type, TypeId, Types};

impl Lowerer<'_> {
    /// Whether operations on values of the type are those of this module.
    pub(super) fn has_parts(&self, ty: TypeId) -> bool {
        self.types.made(ty) != Made::Declared
    }

    /// The type and the number of the parts of a complex number or vector; a scalar is its only part.
    pub(super) fn shape(&self, ty: TypeId) -> (TypeId, u64) {
        let Some(record) = self.types.as_record(ty) else {
            return (ty, 1);
        };
        let fields = &self.types.record(record).fields;
        match *self.types.get(fields[0].ty) {
            Type::Array {
                elem,
                len: ArrayLen::Fixed(count),
            } => (elem, count),
            _ => (fields[0].ty, 2),
        }
    }

    /// Part `index` of the number in a place.
    fn part(&self, place: &Place, index: u64) -> Place {
        let Some(record) = self.types.as_record(place.ty) else {
            return place.clone();
        };
        let fields = &self.types.record(record).fields;
        let mut part = place.clone();
        match self.types.made(place.ty) {
            Made::Complex => {
                let field = u32::from(index > 0);
                part.ty = fields[field as usize].ty;
                part.proj.push(Proj::Field { record, field });
            }
            _ => {
                let index = Expr::int(i64::try_from(index).expect("vectors are small"), self.intptr);
                part.ty = self.shape(place.ty).0;
                part.proj.push(Proj::Field { record, field: 0 });
                part.proj.push(Proj::Index(Box::new(index)));
            }
        }
        part
    }

    /// All parts of a value, to be read.
    fn parts(&mut self, value: Expr, loc: Loc) -> Vec<Expr> {
        if !self.has_parts(value.ty) {
            return vec![value];
        }
        let place = self.place_of(value, loc);
        let (_, count) = self.shape(place.ty);
        (0..count).map(|i| Expr::load(self.part(&place, i))).collect()
    }

    /// The value of a type that consists of these parts.
    fn compose(&mut self, parts: Vec<Expr>, ty: TypeId, loc: Loc) -> Expr {
        let whole = Place::var(self.temp(ty, loc), ty);
        for (i, rhs) in (0..).zip(parts) {
            let lhs = self.part(&whole, i);
            let rhs = expr::cast(&self.types, rhs, lhs.ty);
            self.emit(Op::Assign { lhs, rhs }, loc);
        }
        Expr::load(whole)
    }

    fn decimal(&self, types: &[TypeId]) -> bool {
        types.iter().any(|&ty| self.types.made(ty) == Made::Decimal)
    }

    fn invented_decimal(&mut self, ty: TypeId, loc: Loc) -> Expr {
        self.invent(
            ty,
            Invention::Float,
            "the result of a decimal floating-point operation",
            loc,
        )
    }

    /// A conversion from or to a type of this module.
    pub(super) fn cast_parts(&mut self, kind: CastKind, inner: ExprId, ty: TypeId, loc: Loc) -> Expr {
        let value = self.rvalue(inner);
        match kind {
            CastKind::Complex => self.convert_complex(value, ty, loc),
            CastKind::Splat => {
                let (_, count) = self.shape(ty);
                let value = self.save(value, loc);
                let parts = (0..count).map(|_| value.clone()).collect();
                self.compose(parts, ty, loc)
            }
            CastKind::Elements => {
                let parts = self.parts(value, loc);
                self.compose(parts, ty, loc)
            }
            _ => self.reinterpret(value, ty, loc),
        }
    }

    /// An operand of an operator; of a real number that is converted to a complex one, the real number: gcc does not compute with the
    /// imaginary part that is none.
    fn part_operand(&mut self, e: ExprId) -> Expr {
        let node = self.unit.expr(e);
        match node.kind {
            Ast::Cast(CastKind::Complex, inner)
                if self.types.made(node.ty) == Made::Complex && !self.has_parts(self.unit.expr(inner).ty) =>
            {
                let value = self.rvalue(inner);
                let (elem, _) = self.shape(node.ty);
                expr::cast(&self.types, value, elem)
            }
            _ => self.rvalue(e),
        }
    }

    /// A binary operator on operands of these types.
    pub(super) fn binary_parts(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: TypeId, loc: Loc) -> Expr {
        let left = self.part_operand(a);
        let left = self.keep(left, b, loc);
        let right = self.part_operand(b);
        self.operate(op, left, right, ty, loc)
    }

    /// `left op right`, of which one at least has parts.
    fn operate(&mut self, op: BinaryOp, left: Expr, right: Expr, ty: TypeId, loc: Loc) -> Expr {
        if self.decimal(&[left.ty, right.ty, ty]) {
            return self.invented_decimal(ty, loc);
        }
        let complex = [left.ty, right.ty]
            .iter()
            .any(|&ty| self.types.made(ty) == Made::Complex);
        if complex {
            self.operate_complex(op, left, right, ty, loc)
        } else {
            self.operate_vector(op, left, right, ty, loc)
        }
    }

    /// `lhs op= rhs` and `++`: the new value of the place, computed in another type.
    pub(super) fn update_parts(
        &mut self,
        op: BinaryOp,
        old: Expr,
        right: Expr,
        computation: TypeId,
        ty: TypeId,
        loc: Loc,
    ) -> Expr {
        if self.decimal(&[old.ty, right.ty, computation, ty]) {
            return self.invented_decimal(ty, loc);
        }
        let left = if self.types.made(computation) == Made::Complex && !self.has_parts(old.ty) {
            let (elem, _) = self.shape(computation);
            expr::cast(&self.types, old, elem)
        } else if self.types.made(computation) == Made::Complex {
            self.convert_complex(old, computation, loc)
        } else {
            old
        };
        let new = self.operate(op, left, right, computation, loc);
        if self.types.made(computation) == Made::Complex {
            self.convert_complex(new, ty, loc)
        } else {
            new
        }
    }

    /// The right operand of `lhs op= rhs`.
    pub(super) fn update_operand(&mut self, rhs: ExprId) -> Expr {
        self.part_operand(rhs)
    }

    /// A unary operator.
    pub(super) fn unary_parts(&mut self, op: UnaryOp, a: ExprId, ty: TypeId, loc: Loc) -> Expr {
        let value = self.rvalue(a);
        if self.decimal(&[value.ty, ty]) {
            return self.invented_decimal(ty, loc);
        }
        let complex = self.types.made(value.ty) == Made::Complex;
        let parts = self.parts(value, loc);
        let parts = (0..).zip(parts).map(|(i, part)| match op {
            UnaryOp::BitNot if complex && i == 0 => part,
            UnaryOp::BitNot if complex => expr::unary(&self.types, UnOp::Neg, part),
            UnaryOp::LogicalNot => {
                let zero = expr::zero(&self.types, part.ty);
                let is_zero = expr::binary(&self.types, BinOp::Eq, part, zero, Types::INT);
                expr::unary(&self.types, UnOp::Neg, is_zero)
            }
            UnaryOp::Neg => expr::unary(&self.types, UnOp::Neg, part),
            UnaryOp::BitNot => expr::unary(&self.types, UnOp::BitNot, part),
        });
        let parts = parts.collect();
        self.compose(parts, ty, loc)
    }
}
