//! Typing of operators.

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

impl Parser<'_> {
    /// `op e`
    pub fn unary(&mut self, tok: Tok, e: ExprId, loc: Loc) -> Parsed<ExprId> {
        if matches!(tok, Tok::Real | Tok::Imag) {
            return self.complex_part(e, tok == Tok::Imag, loc);
        }
        let e = self.rvalue(e)?;
        let ty = self.ty(e);
        let vector = matches!(self.types.get(ty), Type::Vector { .. });
        let arithmetic = self.types.is_arithmetic(ty);
        let (op, fits) = match tok {
            Tok::Not => (UnaryOp::LogicalNot, self.types.is_scalar(ty)),
            Tok::Tilde => {
                let complex = matches!(self.types.get(ty), Type::Complex(_));
                (UnaryOp::BitNot, self.types.is_integral(ty) || complex || vector)
            }
            _ => (UnaryOp::Neg, arithmetic || vector),
        };
        if !fits {
            return self.fail(
                loc,
                format!("wrong type argument '{}' to unary operator", self.show(ty)),
            );
        }
        if op == UnaryOp::LogicalNot {
            let e = self.unrounded(e);
            if matches!(self.types.get(ty), Type::Complex(_) | Type::Decimal(_)) {
                let zero = self.int_expr(Types::INT, loc, 0);
                return self.binary(BinaryOp::Eq, e, zero, loc);
            }
            return Ok(self.unary_node(op, e, Types::INT, loc));
        }
        let e = self.promote(e);
        if tok == Tok::Plus {
            return Ok(e);
        }
        let ty = self.ty(e);
        if !self.is_excess(e) {
            return Ok(self.unary_node(op, e, ty, loc));
        }
        let (wide, float) = (self.unrounded(e), self.float_type());
        let result = self.unary_node(op, wide, float, loc);
        Ok(self.excess(result, ty, loc))
    }

    fn unary_node(&mut self, op: UnaryOp, e: ExprId, ty: TypeId, loc: Loc) -> ExprId {
        match self.fold_unary(op, e, ty) {
            Some(folded) => folded,
            None => self.expr(ty, loc, ExprKind::Unary(op, e)),
        }
    }

    /// `a op b` other than `&&` and `||`.
    pub fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, loc: Loc) -> Parsed<ExprId> {
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        let (ta, tb) = (self.ty(a), self.ty(b));
        let vector = |types: &Types, ty| matches!(types.get(ty), Type::Vector { .. });
        if vector(&self.types, ta) || vector(&self.types, tb) {
            return self.vector_binary(op, a, b, loc);
        }
        let (pa, pb) = (self.types.is_pointer(ta), self.types.is_pointer(tb));
        if pa || pb {
            return self.pointer_binary(op, a, b, loc);
        }
        let integers_only = matches!(
            op,
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor
        ) || op.is_shift();
        let fits = |types: &Types, ty| {
            if integers_only {
                types.is_integral(ty)
            } else {
                types.is_arithmetic(ty)
            }
        };
        let ordered = matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge);
        let complex = |types: &Types, ty| matches!(types.get(ty), Type::Complex(_));
        let unordered = ordered && (complex(&self.types, ta) || complex(&self.types, tb));
        if !fits(&self.types, ta) || !fits(&self.types, tb) || unordered {
            return self.invalid_operands(op, ta, tb, loc);
        }
        let (a, b) = if op.is_shift() {
            (self.promote(a), self.promote(b))
        } else {
            if let Some(half) = self.half_type(ta, tb) {
                return Ok(self.half_binary(op, a, b, half, loc));
            }
            self.usual_conversions(a, b)
        };
        let ty = if op.is_comparison() { Types::INT } else { self.ty(a) };
        Ok(self.binary_node(op, a, b, ty, loc))
    }

    pub fn invalid_operands<T>(&mut self, op: BinaryOp, a: TypeId, b: TypeId, loc: Loc) -> Parsed<T> {
        let label = format!("have '{}' and '{}'", self.show(a), self.show(b));
        Err(self.report(loc, format!("invalid operands to binary {}", op.symbol()), label))
    }

    pub fn binary_node(&mut self, op: BinaryOp, a: ExprId, b: ExprId, ty: TypeId, loc: Loc) -> ExprId {
        match self.fold_binary(op, a, b, ty) {
            Some(folded) => folded,
            None => self.expr(ty, loc, ExprKind::Binary(op, a, b)),
        }
    }

    fn pointer_binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, loc: Loc) -> Parsed<ExprId> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let (pa, pb) = (self.types.is_pointer(ta), self.types.is_pointer(tb));
        match op {
            BinaryOp::Add if pa && self.types.is_integral(tb) => self.pointer_add(a, b, false, loc),
            BinaryOp::Add if pb && self.types.is_integral(ta) => self.pointer_add(b, a, false, loc),
            BinaryOp::Sub if pa && self.types.is_integral(tb) => self.pointer_add(a, b, true, loc),
            BinaryOp::Sub if pa && pb => {
                let (to_a, to_b) = (self.types.pointee(ta), self.types.pointee(tb));
                let (to_a, to_b) = (to_a.expect("is a pointer"), to_b.expect("is a pointer"));
                if !self.compatible(self.types.unqualified(to_a), self.types.unqualified(to_b)) {
                    return self.invalid_operands(op, ta, tb, loc);
                }
                self.check_arithmetic_pointer(ta, loc)?;
                let ty = Types::int(self.types.data_model().ptrdiff_t());
                if let (ExprKind::Int(x), ExprKind::Int(y)) = (self.kind(a), self.kind(b)) {
                    let size = self.step_size(ta);
                    return Ok(self.int_expr(ty, loc, (x - y) / size.max(1)));
                }
                Ok(self.expr(ty, loc, ExprKind::PointerDiff(a, b)))
            }
            _ if op.is_comparison() => {
                let fits = |types: &Types, ty| types.is_pointer(ty) || types.is_integral(ty);
                if !fits(&self.types, ta) || !fits(&self.types, tb) {
                    return self.invalid_operands(op, ta, tb, loc);
                }
                let a = if pa { a } else { self.cast_unchecked(a, tb) };
                let b = if pb { b } else { self.cast_unchecked(b, ta) };
                Ok(self.binary_node(op, a, b, Types::INT, loc))
            }
            _ => self.invalid_operands(op, ta, tb, loc),
        }
    }

    fn check_arithmetic_pointer(&mut self, ty: TypeId, loc: Loc) -> Parsed<()> {
        let to = self.types.pointee(ty).expect("is a pointer");
        match self.types.get(to) {
            Type::Void | Type::Function { .. } => Ok(()),
            _ if self.is_incomplete(to) => self.fail(
                loc,
                format!("arithmetic on a pointer to incomplete type '{}'", self.show(to)),
            ),
            _ => Ok(()),
        }
    }

    /// Bytes per step of a pointer; 1 for `void` and functions, 0 for variable sizes.
    fn step_size(&self, pointer: TypeId) -> i128 {
        let to = self.types.pointee(pointer).expect("is a pointer");
        match self.types.get(to) {
            Type::Void | Type::Function { .. } => 1,
            _ => i128::from(self.types.size_of(to).unwrap_or(0)),
        }
    }

    fn pointer_add(&mut self, pointer: ExprId, index: ExprId, subtract: bool, loc: Loc) -> Parsed<ExprId> {
        let ty = self.ty(pointer);
        self.check_arithmetic_pointer(ty, loc)?;
        if let (ExprKind::Int(base), ExprKind::Int(n)) = (self.kind(pointer), self.kind(index)) {
            let size = self.step_size(ty);
            let offset = n.wrapping_mul(size);
            return Ok(self.int_expr(
                ty,
                loc,
                if subtract {
                    base.wrapping_sub(offset)
                } else {
                    base.wrapping_add(offset)
                },
            ));
        }
        Ok(self.expr(
            ty,
            loc,
            ExprKind::PointerAdd {
                pointer,
                index,
                subtract,
            },
        ))
    }

    /// `a && b`, `a || b`
    pub fn logical(&mut self, and: bool, a: ExprId, b: ExprId, loc: Loc) -> Parsed<ExprId> {
        let (a, b) = (self.scalar_condition(a)?, self.scalar_condition(b)?);
        if let (ExprKind::Int(x), ExprKind::Int(y)) = (self.kind(a), self.kind(b)) {
            let value = if and { x != 0 && y != 0 } else { x != 0 || y != 0 };
            return Ok(self.int_expr(Types::INT, loc, i128::from(value)));
        }
        let kind = if and {
            ExprKind::LogicalAnd(a, b)
        } else {
            ExprKind::LogicalOr(a, b)
        };
        Ok(self.expr(Types::INT, loc, kind))
    }

    /// `c ? a : b`
    pub fn conditional(&mut self, c: ExprId, a: ExprId, b: ExprId, loc: Loc) -> Parsed<ExprId> {
        let c = self.scalar_condition(c)?;
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        let ty = self.merged_type(a, b, loc)?;
        if self.merges_in_float(a, b) {
            let merged = ExprKind::Conditional(c, self.widened(a), self.widened(b));
            return Ok(self.excess_of(merged, ty, loc));
        }
        let (a, b) = (self.branch_value(a, ty), self.branch_value(b, ty));
        if let (ExprKind::Int(c), ExprKind::Int(_), ExprKind::Int(_)) = (self.kind(c), self.kind(a), self.kind(b)) {
            return Ok(if c != 0 { a } else { b });
        }
        Ok(self.expr(ty, loc, ExprKind::Conditional(c, a, b)))
    }

    /// `a ?: b`
    pub fn elvis(&mut self, value: ExprId, b: ExprId, loc: Loc) -> Parsed<ExprId> {
        if matches!(self.types.get(self.ty(value)), Type::Complex(_) | Type::Decimal(_)) {
            return self.fail(
                loc,
                "'?:' of a complex or decimal number without a middle operand is not supported",
            );
        }
        let first = self.rvalue(value)?;
        let (value, b) = (self.scalar_condition(first)?, self.rvalue(b)?);
        let ty = self.merged_type(first, b, loc)?;
        if self.merges_in_float(first, b) {
            let (value, otherwise) = (self.widened(value), self.widened(b));
            return Ok(self.excess_of(ExprKind::Elvis { value, otherwise }, ty, loc));
        }
        let otherwise = self.branch_value(b, ty);
        if let ExprKind::Int(v) = self.kind(value)
            && !self.types.is_void(ty)
        {
            return Ok(if v != 0 {
                self.branch_value(value, ty)
            } else {
                otherwise
            });
        }
        Ok(self.expr(ty, loc, ExprKind::Elvis { value, otherwise }))
    }

    fn branch_value(&mut self, e: ExprId, ty: TypeId) -> ExprId {
        let from = self.ty(e);
        if self.types.as_record(from).is_some() && self.types.as_record(ty).is_some() {
            return e;
        }
        self.cast_unchecked(e, ty)
    }

    fn is_null_constant(&self, e: ExprId) -> bool {
        let ty = self.ty(e);
        let void_pointer = self.types.pointee(ty).is_some_and(|to| to == Types::VOID);
        matches!(self.kind(e), ExprKind::Int(0)) && (self.types.is_integral(ty) || void_pointer)
    }

    /// The type of a conditional expression.
    fn merged_type(&mut self, a: ExprId, b: ExprId, loc: Loc) -> Parsed<TypeId> {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let t = &self.types;
        if t.is_arithmetic(ta) && t.is_arithmetic(tb) {
            let (pa, pb) = (self.promote(a), self.promote(b));
            return Ok(self.common_type(self.ty(pa), self.ty(pb)));
        }
        if t.is_void(ta) || t.is_void(tb) {
            return Ok(Types::VOID);
        }
        match (t.is_pointer(ta), t.is_pointer(tb)) {
            (true, true) => return Ok(self.merged_pointer(a, b)),
            (true, false) if t.is_integral(tb) => return Ok(ta),
            (false, true) if t.is_integral(ta) => return Ok(tb),
            _ => {}
        }
        if ta == tb || self.compatible(ta, tb) {
            return Ok(ta);
        }
        let label = format!("have '{}' and '{}'", self.show(ta), self.show(tb));
        Err(self.report(loc, "type mismatch in conditional expression", label))
    }

    fn merged_pointer(&mut self, a: ExprId, b: ExprId) -> TypeId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        if self.is_null_constant(a) {
            return tb;
        }
        if self.is_null_constant(b) {
            return ta;
        }
        let (to_a, to_b) = (
            self.types.pointee(ta).expect("pointer"),
            self.types.pointee(tb).expect("pointer"),
        );
        let quals = self.types.quals(to_a).with(self.types.quals(to_b));
        let (plain_a, plain_b) = (self.types.unqualified(to_a), self.types.unqualified(to_b));
        let target = if self.compatible(plain_a, plain_b) {
            self.composite(plain_a, plain_b)
        } else {
            Types::VOID
        };
        let target = self.types.qualified(target, quals);
        self.types.pointer_to(target)
    }

    /// Fails unless the lvalue may be assigned to.
    fn check_assignable(&mut self, e: ExprId, loc: Loc) -> Parsed<()> {
        let ty = self.ty(e);
        if !self.is_lvalue(e) {
            return self.fail(loc, "lvalue required as left operand of assignment");
        }
        match self.types.get(ty) {
            Type::Array { .. } => return self.fail(loc, "assignment to expression with array type"),
            Type::Void => return self.fail(loc, "assignment to a void object"),
            _ => {}
        }
        self.check_not_const(e)
    }

    /// Fails if the lvalue is `const` or has a `const` part.
    pub fn check_not_const(&mut self, e: ExprId) -> Parsed<()> {
        let loc = self.expr_loc(e);
        if self.has_const(self.ty(e), 0) {
            return self.fail(loc, "assignment of read-only object");
        }
        Ok(())
    }

    fn has_const(&self, ty: TypeId, depth: u32) -> bool {
        if self.types.quals(ty).has(Quals::CONST) {
            return true;
        }
        match *self.types.get(ty) {
            Type::Array { elem, .. } => self.has_const(elem, depth),
            Type::Record(r) if depth < 64 => self
                .types
                .record(r)
                .fields
                .iter()
                .any(|f| self.has_const(f.ty, depth + 1)),
            _ => false,
        }
    }

    /// `lhs = rhs`
    pub fn assign(&mut self, lhs: ExprId, rhs: ExprId, loc: Loc) -> Parsed<ExprId> {
        self.check_assignable(lhs, loc)?;
        let rhs = self.rvalue(rhs)?;
        let rhs = self.convert_for_assignment(rhs, self.ty(lhs), loc, "assignment")?;
        if self.is_incomplete(self.ty(lhs)) {
            return self.fail(loc, "assignment to an object of incomplete type");
        }
        let ty = self.value_type(self.ty(lhs));
        Ok(self.expr(ty, loc, ExprKind::Assign { lhs, rhs }))
    }

    /// `lhs op= rhs`
    pub fn compound_assign(&mut self, op: BinaryOp, lhs: ExprId, rhs: ExprId, loc: Loc) -> Parsed<ExprId> {
        self.check_assignable(lhs, loc)?;
        let rhs = self.rvalue(rhs)?;
        let ty = self.value_type(self.ty(lhs));
        let right = self.ty(rhs);
        if self.types.is_pointer(ty) {
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !self.types.is_integral(right) {
                return self.invalid_operands(op, ty, right, loc);
            }
            self.check_arithmetic_pointer(ty, loc)?;
            return Ok(self.expr(
                ty,
                loc,
                ExprKind::CompoundAssign {
                    op,
                    lhs,
                    rhs,
                    computation: ty,
                },
            ));
        }
        // The operation as such is typed as if written out; only its types are kept.
        let value = self.load(lhs);
        let result = self.binary(op, value, rhs, loc)?;
        let is_vector = matches!(self.types.get(ty), Type::Vector { .. });
        let computation = match self.types.get(ty) {
            Type::Vector { .. } => ty,
            _ if op.is_shift() => self.promoted_lhs(value),
            _ if self.half_type(ty, right).is_some() => self.float_type(),
            _ => self.ty(result),
        };
        let rhs = if is_vector {
            self.as_vector(rhs, ty)
        } else if op.is_shift() {
            self.promote(rhs)
        } else {
            self.cast_unchecked(rhs, computation)
        };
        if self.types.is_pointer(right) {
            return self.invalid_operands(op, ty, right, loc);
        }
        Ok(self.expr(
            ty,
            loc,
            ExprKind::CompoundAssign {
                op,
                lhs,
                rhs,
                computation,
            },
        ))
    }

    fn promoted_lhs(&mut self, value: ExprId) -> TypeId {
        let promoted = self.promote(value);
        self.ty(promoted)
    }

    /// `++` and `--`
    pub fn inc_dec(&mut self, lhs: ExprId, decrement: bool, prefix: bool, loc: Loc) -> Parsed<ExprId> {
        self.check_assignable(lhs, loc)?;
        let ty = self.value_type(self.ty(lhs));
        if self.types.is_pointer(ty) {
            self.check_arithmetic_pointer(ty, loc)?;
        } else if !self.types.is_arithmetic(ty) && !matches!(self.types.get(ty), Type::Vector { .. }) {
            return self.fail(loc, format!("wrong type argument '{}' to increment", self.show(ty)));
        }
        let computation = if self.types.is_integral(ty) {
            let value = self.load(lhs);
            self.promoted_lhs(value)
        } else {
            ty
        };
        Ok(self.expr(
            ty,
            loc,
            ExprKind::IncDec {
                lhs,
                decrement,
                prefix,
                computation,
            },
        ))
    }

    /// `&e`
    pub fn address_of(&mut self, e: ExprId, loc: Loc) -> Parsed<ExprId> {
        let ty = self.ty(e);
        if let (ExprKind::Deref(pointer), true) = (self.kind(e), self.types.is_function(ty)) {
            return Ok(pointer);
        }
        let is_function = matches!(self.kind(e), ExprKind::Function(_));
        if !is_function && !self.is_lvalue(e) {
            return self.fail(loc, "lvalue required as unary '&' operand");
        }
        if self.is_register(e) {
            return self.fail(loc, "address of register variable requested");
        }
        if self.is_bit_field(e) {
            return self.fail(loc, "cannot take address of bit-field");
        }
        let pointer_type = self.types.pointer_to(ty);
        if let Some(address) = self.const_address(e) {
            return Ok(self.int_expr(pointer_type, loc, address));
        }
        if let ExprKind::Deref(pointer) = self.kind(e) {
            // `&*p` is `p`.
            return Ok(self.cast_unchecked(pointer, pointer_type));
        }
        Ok(self.expr(pointer_type, loc, ExprKind::AddressOf(e)))
    }

    fn is_register(&self, e: ExprId) -> bool {
        match self.kind(e) {
            ExprKind::Local(local) => self.frames.last().is_some_and(|f| f.registers.contains(&local)),
            ExprKind::Member { base, .. } => self.is_register(base),
            _ => false,
        }
    }

    /// `*e`
    pub fn dereference(&mut self, e: ExprId, loc: Loc) -> Parsed<ExprId> {
        let e = self.rvalue(e)?;
        match self.types.pointee(self.ty(e)) {
            Some(to) => {
                if let (ExprKind::Cast(CastKind::FunctionToPointer, function), true) =
                    (self.kind(e), self.types.is_function(to))
                {
                    return Ok(function);
                }
                Ok(self.expr(to, loc, ExprKind::Deref(e)))
            }
            None => self.fail(
                loc,
                format!("cannot dereference a value of type '{}'", self.show(self.ty(e))),
            ),
        }
    }

    /// `a[i]`
    pub fn subscript(&mut self, a: ExprId, i: ExprId, loc: Loc) -> Parsed<ExprId> {
        for (base, index) in [(a, i), (i, a)] {
            let ty = self.ty(base);
            let elem = match *self.types.get(ty) {
                Type::Array { elem, .. } => elem,
                Type::Vector { elem, .. } => self.types.qualified(elem, self.types.quals(ty)),
                _ => continue,
            };
            let index = self.rvalue(index)?;
            if !self.types.is_integral(self.ty(index)) {
                return self.fail(loc, "array subscript is not an integer");
            }
            if self.is_incomplete(elem) {
                return self.fail(loc, "subscript of an array of incomplete type");
            }
            return Ok(self.expr(elem, loc, ExprKind::Index { base, index }));
        }
        let (a, i) = (self.rvalue(a)?, self.rvalue(i)?);
        let (pointer, index) = if self.types.is_pointer(self.ty(a)) {
            (a, i)
        } else {
            (i, a)
        };
        if !self.types.is_pointer(self.ty(pointer)) {
            return self.fail(loc, "subscripted value is neither array nor pointer nor vector");
        }
        if !self.types.is_integral(self.ty(index)) {
            return self.fail(loc, "array subscript is not an integer");
        }
        if self
            .types
            .pointee(self.ty(pointer))
            .is_some_and(|to| self.types.is_function(to))
        {
            return self.fail(loc, "subscripted value is pointer to function");
        }
        let sum = self.pointer_add(pointer, index, false, loc)?;
        self.dereference(sum, loc)
    }

    /// The way to a member by field indices, through anonymous members.
    pub fn find_field(&self, record: RecordId, name: &str) -> Option<Vec<u32>> {
        let fields = &self.types.record(record).fields;
        for (i, field) in (0u32..).zip(fields) {
            match &field.name {
                Some(n) if **n == *name => return Some(vec![i]),
                Some(_) => {}
                None => {
                    if let Some(inner) = self.types.as_record(field.ty)
                        && let Some(mut path) = self.find_field(inner, name)
                    {
                        path.insert(0, i);
                        return Some(path);
                    }
                }
            }
        }
        None
    }

    /// `e.name`
    pub fn member(&mut self, e: ExprId, name: Symbol, loc: Loc) -> Parsed<ExprId> {
        let ty = self.ty(e);
        let Some(record) = self.types.as_record(ty) else {
            let message = format!(
                "request for member '{}' in something not a structure or union",
                self.name(name)
            );
            return Err(self.report(loc, message, format!("this has type '{}'", self.show(ty))));
        };
        if !self.types.record(record).complete {
            return self.fail(loc, format!("member of incomplete type '{}'", self.show(ty)));
        }
        let text = std::str::from_utf8(self.names.bytes(name)).unwrap_or("");
        let Some(path) = self.find_field(record, text) else {
            return self.fail(loc, format!("'{}' has no member named '{text}'", self.show(ty)));
        };
        let mut place = e;
        for field in path {
            let base = self.ty(place);
            let record = self.types.as_record(base).expect("the path leads through records");
            let field_ty = self.types.record(record).fields[field as usize].ty;
            let quals = self.types.quals(base);
            let ty = self.types.qualified(field_ty, quals);
            place = self.expr(ty, loc, ExprKind::Member { base: place, field });
        }
        Ok(place)
    }
}
