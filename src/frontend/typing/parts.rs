//! Typing of numbers that have parts: complex numbers and GNU vectors (gcc manual, sections "Complex Data Types" and "Using Vector
//! Instructions through Built-in Functions").
//!
//! The real and the imaginary part of a complex number are members, so they are lvalues where the number is one. In an operation
//! of a vector and a scalar, the scalar is converted to the element's type and stands for a vector of it. Comparisons of vectors
//! give vectors of signed integers.

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;

impl Parser<'_> {
    /// `__real__ e` and `__imag__ e`.
    pub fn complex_part(&mut self, e: ExprId, imaginary: bool, loc: Loc) -> Parsed<ExprId> {
        let ty = self.ty(e);
        match *self.types.get(ty) {
            Type::Complex(of) => {
                let of = self.types.qualified(of, self.types.quals(ty));
                let field = u32::from(imaginary);
                Ok(self.expr(of, loc, ExprKind::Member { base: e, field }))
            }
            _ if !self.types.is_arithmetic(ty) => self.fail(
                loc,
                format!("wrong type argument '{}' to '__real__' or '__imag__'", self.show(ty)),
            ),
            _ if imaginary => {
                let first = self.discard(e)?;
                let ty = self.value_type(ty);
                let zero = self.int_expr(Types::INT, loc, 0);
                let zero = self.cast_unchecked(zero, ty);
                Ok(self.expr(ty, loc, ExprKind::Comma(first, zero)))
            }
            _ => Ok(e),
        }
    }

    /// `__builtin_complex(a, b)`
    pub fn complex_call(&mut self, args: &[ExprId], loc: Loc) -> Parsed<ExprId> {
        let &[a, b] = args else {
            return self.fail(loc, "wrong number of arguments to '__builtin_complex'");
        };
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        let of = self.ty(a);
        if of != self.ty(b) || !self.types.is_float(of) {
            return self.fail(loc, "'__builtin_complex' operands are not of one real floating type");
        }
        let ty = self.types.intern(Type::Complex(of));
        Ok(self.expr(ty, loc, ExprKind::Complex(a, b)))
    }

    /// Element type and number of elements.
    pub fn vector_shape(&self, ty: TypeId) -> Option<(TypeId, u64)> {
        match *self.types.get(ty) {
            Type::Vector { elem, bytes } => Some((elem, bytes / self.types.size_of(elem).unwrap_or(1).max(1))),
            _ => None,
        }
    }

    /// The vector of signed integers that a comparison of such vectors gives.
    pub fn truth_vector(&mut self, ty: TypeId) -> TypeId {
        let Some((elem, _)) = self.vector_shape(ty) else {
            return Types::INT;
        };
        let size = self.types.size_of(elem).unwrap_or(4);
        let lp64 = self.types.data_model() == DataModel::Lp64;
        let kind = match size {
            1 => IntKind::SChar,
            2 => IntKind::Short,
            4 => IntKind::Int,
            8 if lp64 => IntKind::Long,
            8 => IntKind::LongLong,
            _ => IntKind::Int128,
        };
        let bytes = self.types.size_of(ty).unwrap_or(size);
        self.types.intern(Type::Vector {
            elem: Types::int(kind),
            bytes,
        })
    }

    /// An operand of a vector operation as a vector of this type.
    pub fn as_vector(&mut self, e: ExprId, ty: TypeId) -> ExprId {
        match self.vector_shape(ty) {
            Some((elem, _)) if self.vector_shape(self.ty(e)).is_none() => {
                let loc = self.expr_loc(e);
                let value = self.cast_unchecked(e, elem);
                self.expr(ty, loc, ExprKind::Cast(CastKind::Splat, value))
            }
            _ => self.cast_unchecked(e, ty),
        }
    }

    /// A binary operator on vectors, or on a vector and a scalar.
    pub fn vector_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, loc: Loc) -> Parsed<ExprId> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let (ty, other) = match self.vector_shape(ta) {
            Some(_) => (ta, tb),
            None => (tb, ta),
        };
        let (elem, count) = self.vector_shape(ty).expect("the caller saw a vector");
        let fits = match self.vector_shape(other) {
            Some((other_elem, other_count)) => {
                let floats = [elem, other_elem].map(|ty| self.types.is_float(ty));
                other_count == count
                    && self.types.size_of(elem) == self.types.size_of(other_elem)
                    && floats[0] == floats[1]
            }
            None => {
                let narrows = self.types.is_float(other) && self.types.is_integral(elem);
                (self.types.is_integral(other) || self.types.is_float(other)) && !narrows
            }
        };
        let integers_only = matches!(
            op,
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
        ) || op.is_shift();
        if !fits || (integers_only && !self.types.is_integral(elem)) {
            return self.invalid_operands(op, ta, tb, loc);
        }
        let (a, b) = (self.as_vector(a, ty), self.as_vector(b, ty));
        let result = if op.is_comparison() { self.truth_vector(ty) } else { ty };
        Ok(self.expr(result, loc, ExprKind::Binary(op, a, b)))
    }

    /// `__builtin_shuffle(a, mask)` and `__builtin_shuffle(a, b, mask)`.
    pub fn shuffle_call(&mut self, args: &[ExprId], loc: Loc) -> Parsed<ExprId> {
        let mut values = Vec::with_capacity(3);
        for &arg in args {
            values.push(self.rvalue(arg)?);
        }
        let (first, second, mask) = match values[..] {
            [first, mask] => (first, None, mask),
            [first, second, mask] => (first, Some(second), mask),
            _ => return self.fail(loc, "wrong number of arguments to '__builtin_shuffle'"),
        };
        let ty = self.ty(first);
        let fits = match (self.vector_shape(ty), self.vector_shape(self.ty(mask))) {
            (Some((elem, count)), Some((index, indices))) => {
                count == indices
                    && self.types.is_integral(index)
                    && self.types.size_of(index) == self.types.size_of(elem)
                    && second.is_none_or(|second| self.ty(second) == ty)
            }
            _ => false,
        };
        if !fits {
            return self.fail(loc, "wrong arguments to '__builtin_shuffle'");
        }
        Ok(self.expr(ty, loc, ExprKind::Shuffle { first, second, mask }))
    }

    /// `__builtin_shufflevector(a, b, i, j, ...)`
    pub fn select_call(&mut self, args: &[ExprId], loc: Loc) -> Parsed<ExprId> {
        let [first, second, which @ ..] = args else {
            return self.fail(loc, "too few arguments to '__builtin_shufflevector'");
        };
        let (first, second) = (self.rvalue(*first)?, self.rvalue(*second)?);
        let shapes = (self.vector_shape(self.ty(first)), self.vector_shape(self.ty(second)));
        let (Some((elem, m)), Some((other, n))) = shapes else {
            return self.fail(loc, "'__builtin_shufflevector' arguments are not vectors");
        };
        let mut indices = Vec::with_capacity(which.len());
        for &index in which {
            let index = self.rvalue(index)?;
            let in_range = |i: i128| (-1..i128::from(m) + i128::from(n)).contains(&i);
            if !self.const_int(index).is_some_and(in_range) {
                return self.fail(loc, "invalid element index to '__builtin_shufflevector'");
            }
            indices.push(index);
        }
        if elem != other || !indices.len().is_power_of_two() {
            return self.fail(loc, "wrong arguments to '__builtin_shufflevector'");
        }
        let bytes = self.types.size_of(elem).unwrap_or(1) * indices.len() as u64;
        let ty = self.types.intern(Type::Vector { elem, bytes });
        let start = u32::try_from(self.lists.len()).expect("fewer than 2^32 arguments");
        let len = u32::try_from(indices.len()).expect("fewer than 2^32 arguments");
        self.lists.extend_from_slice(&indices);
        let which = ExprList { start, len };
        Ok(self.expr(ty, loc, ExprKind::Select { first, second, which }))
    }

    /// `__builtin_convertvector(e, type)`; the name is read.
    pub fn convert_vector(&mut self, loc: Loc) -> Parsed<ExprId> {
        use crate::frontend::text::token::Tok;
        self.expect(Tok::LParen, "'('")?;
        let e = self.assignment_expression()?;
        let e = self.rvalue(e)?;
        self.expect(Tok::Comma, "','")?;
        let ty = self.type_name()?;
        let ty = self.value_type(ty);
        self.expect(Tok::RParen, "')'")?;
        match (self.vector_shape(self.ty(e)), self.vector_shape(ty)) {
            (Some((_, m)), Some((_, n))) if m == n => Ok(self.expr(ty, loc, ExprKind::Cast(CastKind::Elements, e))),
            _ => self.fail(loc, "wrong arguments to '__builtin_convertvector'"),
        }
    }
}
