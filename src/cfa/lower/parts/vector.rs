//! GNU vectors, element by element.
//!
//! Elements are not promoted: the operation's result is cut to the element's type. It is done in `int` where that is wider, which makes no
//! difference to the bits that are kept. A comparison gives 0 or -1. A cast keeps the bits; between integers it is done by shifts, which
//! formulas take better than bytes in memory.

use crate::cfa::lower::Lowerer;
use crate::cfa::lower::expr::operator;
use crate::cfa::program::expr;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::frontend::syntax::ast::{BinaryOp, ExprId};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{ArrayLen, IntKind, TypeId, Types};

impl Lowerer<'_> {
    pub(super) fn operate_vector(&mut self, op: BinaryOp, left: Expr, right: Expr, ty: TypeId, loc: Loc) -> Expr {
        let (elem, _) = self.shape(if self.has_parts(left.ty) { left.ty } else { right.ty });
        let narrow = self.int_info(elem).is_some_and(|info| info.width < 32);
        let computed = if narrow { Types::INT } else { elem };
        let (_, count) = self.shape(ty);
        let mut operands = Vec::with_capacity(2);
        for value in [left, right] {
            let whole = self.has_parts(value.ty);
            let value = if whole { value } else { self.save(value, loc) };
            let parts = self.parts(value, loc);
            operands.push(if whole {
                parts
            } else {
                vec![parts[0].clone(); usize::try_from(count).expect("vectors are small")]
            });
        }
        let right = operands.pop().expect("two operands");
        let left = operands.pop().expect("two operands");
        let result = if op.is_comparison() { Types::INT } else { computed };
        let parts = left.into_iter().zip(right).map(|(x, y)| {
            let (x, y) = (
                expr::cast(&self.types, x, computed),
                expr::cast(&self.types, y, computed),
            );
            let value = expr::binary(&self.types, operator(op), x, y, result);
            if op.is_comparison() {
                expr::unary(&self.types, UnOp::Neg, value)
            } else {
                value
            }
        });
        let parts = parts.collect();
        self.compose(parts, ty, loc)
    }

    /// The same bits as a value of another type of the same size; one of them is a vector.
    pub(super) fn reinterpret(&mut self, value: Expr, ty: TypeId, loc: Loc) -> Expr {
        if value.ty == ty {
            return value;
        }
        let ((from, _), (to, count)) = (self.shape(value.ty), self.shape(ty));
        let integers = self.int_info(from).is_some() && self.int_info(to).is_some();
        let sizes = self.types.size_of(from).zip(self.types.size_of(to));
        if let (true, Some((from_size, to_size))) = (integers, sizes)
            && let (Some(narrow), Some(wide)) = (self.unsigned(from_size), self.unsigned(to_size))
        {
            let saved = self.save(value, loc);
            let parts = self.parts(saved, loc);
            let shift = |op, x: Expr, bytes: u64| {
                let bits = Expr::int(i64::try_from(8 * bytes).expect("vectors are small"), Types::INT);
                let ty = x.ty;
                expr::binary(&self.types, op, x, bits, ty)
            };
            let at = |i: u64| parts[usize::try_from(i).expect("vectors are small")].clone();
            let cast = |x: Expr, ty| expr::cast(&self.types, x, ty);
            let joined = (0..count).map(|i| {
                if to_size >= from_size {
                    let pieces = to_size / from_size;
                    let moved = (0..pieces).map(|j| {
                        let piece = cast(cast(at(i * pieces + j), narrow), wide);
                        shift(BinOp::Shl, piece, j * from_size)
                    });
                    let sum = moved.reduce(|a, b| expr::binary(&self.types, BinOp::Add, a, b, wide));
                    cast(sum.expect("at least one piece"), to)
                } else {
                    let pieces = from_size / to_size;
                    let piece = shift(BinOp::Shr, cast(at(i / pieces), narrow), (i % pieces) * to_size);
                    cast(cast(piece, wide), to)
                }
            });
            let joined: Vec<Expr> = joined.collect();
            return match self.has_parts(ty) {
                true => self.compose(joined, ty, loc),
                false => joined.into_iter().next().expect("a scalar has one part"),
            };
        }
        let Some(size) = self.types.size_of(ty) else {
            return self.invent(ty, Invention::Vector, "a conversion of a vector", loc);
        };
        let source = self.save(value, loc);
        let source = self.place_of(source, loc);
        let target = Place::var(self.temp(ty, loc), ty);
        let [dst, src] = [target.clone(), source].map(|place| {
            let address = self.address(place);
            expr::cast(&self.types, address, Types::VOID_PTR)
        });
        let len = Expr::int(i64::try_from(size).expect("vectors are small"), self.size_t);
        self.emit(Op::MemCopy { dst, src, len }, loc);
        Expr::load(target)
    }

    /// The unsigned integer type of a size.
    fn unsigned(&self, bytes: u64) -> Option<TypeId> {
        let kinds = [
            IntKind::UChar,
            IntKind::UShort,
            IntKind::UInt,
            IntKind::ULongLong,
            IntKind::UInt128,
        ];
        let model = self.types.data_model();
        let kind = kinds.into_iter().find(|k| u64::from(k.width(model)) == 8 * bytes)?;
        Some(Types::int(kind))
    }

    /// `__builtin_shuffle`
    pub(in crate::cfa::lower) fn shuffle(
        &mut self,
        first: ExprId,
        second: Option<ExprId>,
        mask: ExprId,
        ty: TypeId,
        loc: Loc,
    ) -> Expr {
        let mut list = vec![first];
        list.extend(second);
        list.push(mask);
        let mut values = self.arguments(&list, loc);
        let mask = values.pop().expect("the list ends with the mask");
        let (elem, count) = self.shape(ty);
        let sources: Vec<Expr> = values.into_iter().flat_map(|v| self.parts(v, loc)).collect();
        let indices = self.parts(mask, loc);
        // The sources as one array, from which the mask picks.
        let length = sources.len() as u64;
        let array_type = self.types.array_of(elem, ArrayLen::Fixed(length));
        let array = Place::var(self.temp(array_type, loc), array_type);
        let element = |index: Expr| {
            let mut place = array.clone();
            place.ty = elem;
            place.proj.push(Proj::Index(Box::new(index)));
            place
        };
        for (i, rhs) in (0..).zip(sources) {
            let lhs = element(Expr::int(i, self.intptr));
            self.emit(Op::Assign { lhs, rhs }, loc);
        }
        debug_assert!(length.is_multiple_of(count));
        let wide = Types::int(IntKind::ULongLong);
        let parts = indices.into_iter().map(|index| {
            let index = expr::cast(&self.types, index, wide);
            let last = Expr::int(i64::try_from(length - 1).expect("vectors are small"), wide);
            let index = expr::binary(&self.types, BinOp::And, index, last, wide);
            Expr::load(element(expr::cast(&self.types, index, self.intptr)))
        });
        let parts = parts.collect();
        self.compose(parts, ty, loc)
    }

    /// `__builtin_shufflevector`
    pub(in crate::cfa::lower) fn select(
        &mut self,
        first: ExprId,
        second: ExprId,
        which: &[ExprId],
        ty: TypeId,
        loc: Loc,
    ) -> Expr {
        let values = self.arguments(&[first, second], loc);
        let sources: Vec<Expr> = values.into_iter().flat_map(|v| self.parts(v, loc)).collect();
        let (elem, _) = self.shape(ty);
        let mut parts = Vec::with_capacity(which.len());
        for &index in which {
            let index = self.rvalue(index);
            let index = index
                .as_const()
                .and_then(|i| i.to_i64())
                .and_then(|i| usize::try_from(i).ok());
            parts.push(match index.and_then(|i| sources.get(i)) {
                Some(source) => source.clone(),
                None => self.invent(
                    elem,
                    Invention::Vector,
                    "an element that `__builtin_shufflevector` leaves open",
                    loc,
                ),
            });
        }
        self.compose(parts, ty, loc)
    }
}
