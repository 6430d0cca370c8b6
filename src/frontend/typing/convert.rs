//! Conversions: of lvalues to values, promotions, usual arithmetic conversions, assignment; compatible and composite types.
//!
//! Conversions about which gcc only warns (integers as pointers, unrelated pointers, discarded qualifiers) are silent, because our criterion is gcc under `-w`.

use crate::frontend::syntax::ast::*;
use crate::frontend::syntax::parser::{Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::types::*;

/// Floating types in the order of the usual arithmetic conversions.
const FLOAT_ORDER: [FloatKind; 9] = [
    FloatKind::Float16,
    FloatKind::Float,
    FloatKind::Float32,
    FloatKind::Double,
    FloatKind::Float64,
    FloatKind::Float32x,
    FloatKind::LongDouble,
    FloatKind::Float64x,
    FloatKind::Float128,
];

impl Parser<'_> {
    /// The type of a value of an object of this type: no qualifiers, no special alignment.
    pub fn value_type(&mut self, ty: TypeId) -> TypeId {
        let ty = self.types.unqualified(ty);
        if self.types.explicit_align(ty).is_some() {
            self.types.with_align(ty, 0)
        } else {
            ty
        }
    }

    /// Whether the expression denotes an object.
    pub fn is_lvalue(&self, e: ExprId) -> bool {
        let mut e = e;
        loop {
            match self.kind(e) {
                ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => e = base,
                kind => return kind.is_lvalue() && !self.types.is_function(self.ty(e)),
            }
        }
    }

    /// The width of a bit-field lvalue.
    pub fn bit_field_width(&self, e: ExprId) -> Option<u32> {
        let ExprKind::Member { base, field } = self.kind(e) else {
            return None;
        };
        let record = self.types.as_record(self.ty(base))?;
        self.types
            .record(record)
            .fields
            .get(field as usize)?
            .bits
            .map(|b| b.width)
    }

    /// The width of the bit-field that a value was read from or written to: until it is promoted or cast, it has that type.
    pub fn value_bit_field_width(&self, e: ExprId) -> Option<u32> {
        match self.kind(e) {
            ExprKind::Cast(CastKind::LvalueToRvalue, of) => self.bit_field_width(of),
            ExprKind::Assign { lhs, .. } | ExprKind::CompoundAssign { lhs, .. } | ExprKind::IncDec { lhs, .. } => {
                self.bit_field_width(lhs)
            }
            ExprKind::Comma(_, last) => self.value_bit_field_width(last),
            _ => None,
        }
    }

    /// Whether the expression is a bit-field.
    pub fn is_bit_field(&self, e: ExprId) -> bool {
        self.bit_field_width(e).is_some()
    }

    /// Reads an lvalue; other expressions stay.
    pub fn load(&mut self, e: ExprId) -> ExprId {
        if !self.is_lvalue(e) {
            return e;
        }
        let loc = self.expr_loc(e);
        let ty = self.value_type(self.ty(e));
        if self.types.is_void(ty) {
            return self.expr(Types::VOID, loc, ExprKind::Cast(CastKind::ToVoid, e));
        }
        self.expr(ty, loc, ExprKind::Cast(CastKind::LvalueToRvalue, e))
    }

    /// The value of an expression: arrays and functions decay, lvalues are read.
    pub fn rvalue(&mut self, e: ExprId) -> Parsed<ExprId> {
        let loc = self.expr_loc(e);
        match *self.types.get(self.ty(e)) {
            Type::Array { elem, .. } => {
                let ty = self.types.pointer_to(elem);
                if let Some(address) = self.const_address(e) {
                    return Ok(self.int_expr(ty, loc, address));
                }
                Ok(self.expr(ty, loc, ExprKind::Cast(CastKind::ArrayToPointer, e)))
            }
            Type::Function { .. } => {
                if let ExprKind::Deref(pointer) = self.kind(e) {
                    return Ok(pointer);
                }
                let ty = self.types.pointer_to(self.ty(e));
                Ok(self.expr(ty, loc, ExprKind::Cast(CastKind::FunctionToPointer, e)))
            }
            Type::Record(r) if !self.types.record(r).complete && self.is_lvalue(e) => {
                self.fail(loc, format!("value of incomplete type '{}'", self.show(self.ty(e))))
            }
            _ => Ok(self.load(e)),
        }
    }

    /// An expression whose value is not used.
    pub fn discard(&mut self, e: ExprId) -> Parsed<ExprId> {
        match self.types.get(self.ty(e)) {
            Type::Record(_) if self.is_incomplete(self.ty(e)) => self.rvalue(e),
            Type::Void | Type::Record(_) | Type::Array { .. } => {
                Ok(if self.is_lvalue(e) { self.void_cast(e) } else { e })
            }
            _ => self.rvalue(e),
        }
    }

    pub fn void_cast(&mut self, e: ExprId) -> ExprId {
        let loc = self.expr_loc(e);
        self.expr(Types::VOID, loc, ExprKind::Cast(CastKind::ToVoid, e))
    }

    /// A scalar value to be tested against zero.
    pub fn scalar_condition(&mut self, e: ExprId) -> Parsed<ExprId> {
        let e = self.rvalue(e)?;
        let loc = self.expr_loc(e);
        if matches!(self.types.get(self.ty(e)), Type::Complex(_) | Type::Decimal(_)) {
            // Whether a number of several parts is zero is a comparison of its own.
            let ty = self.ty(e);
            let zero = self.int_expr(Types::INT, loc, 0);
            let zero = self.cast_unchecked(zero, ty);
            return Ok(self.expr(Types::INT, loc, ExprKind::Binary(BinaryOp::Ne, e, zero)));
        }
        if self.types.is_scalar(self.ty(e)) {
            return Ok(self.unrounded(e));
        }
        self.fail(
            loc,
            format!("used '{}' where a scalar is required", self.show(self.ty(e))),
        )
    }

    /// The promoted type of an integral type; other types stay.
    pub fn promoted_type(&self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            Type::Bool => Types::INT,
            Type::Enum(e) => {
                let kind = self.types.enumeration(e).int;
                if kind.rank() < IntKind::Int.rank() {
                    Types::INT
                } else {
                    Types::int(kind)
                }
            }
            Type::Int(kind) if kind.rank() < IntKind::Int.rank() => Types::INT,
            Type::Int(kind) => Types::int(kind),
            _ => ty,
        }
    }

    /// Integer promotion of a value. A bit-field narrower than `int` becomes `int` whatever its declared type.
    pub fn promote(&mut self, e: ExprId) -> ExprId {
        let mut ty = self.promoted_type(self.ty(e));
        if let Some(width) = self.value_bit_field_width(e)
            && !matches!(self.types.get(self.ty(e)), Type::BitInt { .. })
            && let Some(declared) = self.types.integer(self.ty(e))
        {
            if width < 32 || (width == 32 && declared.signed) {
                ty = Types::INT;
            } else if width == 32 {
                ty = Types::UINT;
            } else if width < declared.width {
                // gcc computes in a type of the bit-field's width, which is like `_BitInt` of that width.
                ty = self.types.intern(Type::BitInt {
                    width,
                    signed: declared.signed,
                });
            }
        }
        self.cast_unchecked(e, ty)
    }

    /// Default argument promotion, as for `...`.
    pub fn promote_argument(&mut self, e: ExprId) -> ExprId {
        match self.types.get(self.ty(e)) {
            Type::Float(FloatKind::Float) => self.cast_unchecked(e, Types::DOUBLE),
            Type::Float(FloatKind::Float16) => self.rounded(e),
            _ => self.promote(e),
        }
    }

    /// The common type of two arithmetic types.
    pub fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let element = |types: &Types, ty| match *types.get(ty) {
            Type::Complex(of) => (of, true),
            _ => (ty, false),
        };
        let ((a, a_complex), (b, b_complex)) = (element(&self.types, a), element(&self.types, b));
        let common = self.common_real_type(a, b);
        if a_complex || b_complex {
            self.types.intern(Type::Complex(common))
        } else {
            common
        }
    }

    fn common_real_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let decimal = |types: &Types, ty| match *types.get(ty) {
            Type::Decimal(bytes) => bytes,
            _ => 0,
        };
        let decimal = decimal(&self.types, a).max(decimal(&self.types, b));
        if decimal > 0 {
            return self.types.intern(Type::Decimal(decimal));
        }
        let order = |types: &Types, ty| match *types.get(ty) {
            Type::Float(kind) => FLOAT_ORDER.iter().position(|&k| k == kind),
            _ => None,
        };
        match (order(&self.types, a), order(&self.types, b)) {
            (None, None) => self.common_integer_type(a, b),
            (x, y) => self.types.intern(Type::Float(FLOAT_ORDER[x.max(y).unwrap_or(0)])),
        }
    }

    /// Ranks grow with the width; of two types of one width, the standard one has the higher rank.
    fn common_bit_precise_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let rank = |types: &Types, ty| {
            let info = types.integer(ty).expect("operands are integers");
            (info.width, !matches!(types.get(ty), Type::BitInt { .. }), info.signed)
        };
        let (x, y) = (rank(&self.types, a), rank(&self.types, b));
        if x.2 == y.2 {
            return if (x.0, x.1) >= (y.0, y.1) { a } else { b };
        }
        let ((signed, s), (unsigned, u)) = if x.2 { ((a, x), (b, y)) } else { ((b, y), (a, x)) };
        if (u.0, u.1) >= (s.0, s.1) {
            return unsigned;
        }
        if s.0 > u.0 {
            return signed;
        }
        // A standard type and an unsigned one of its width.
        match *self.types.get(signed) {
            Type::Int(kind) => Types::int(kind.to_unsigned()),
            _ => self.types.intern(Type::BitInt {
                width: s.0,
                signed: false,
            }),
        }
    }

    fn common_integer_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let (a, b) = (self.promoted_type(a), self.promoted_type(b));
        if [a, b]
            .iter()
            .any(|&ty| matches!(self.types.get(ty), Type::BitInt { .. }))
        {
            return self.common_bit_precise_type(a, b);
        }
        let kind = |ty| match *self.types.get(self.promoted_type(ty)) {
            Type::Int(kind) => kind,
            _ => IntKind::Int,
        };
        let (a, b) = (kind(a), kind(b));
        if a.signed() == b.signed() {
            return Types::int(if a.rank() >= b.rank() { a } else { b });
        }
        let (signed, unsigned) = if a.signed() { (a, b) } else { (b, a) };
        let model = self.types.data_model();
        Types::int(if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.width(model) > unsigned.width(model) {
            signed
        } else {
            signed.to_unsigned()
        })
    }

    /// Both operands in their common type.
    pub fn usual_conversions(&mut self, a: ExprId, b: ExprId) -> (ExprId, ExprId) {
        let (a, b) = (self.promote(a), self.promote(b));
        let ty = self.common_type(self.ty(a), self.ty(b));
        (self.cast_unchecked(a, ty), self.cast_unchecked(b, ty))
    }

    /// A conversion that is known to exist, folded for constants.
    pub fn cast_unchecked(&mut self, e: ExprId, ty: TypeId) -> ExprId {
        if self.ty(e) == ty {
            return e;
        }
        let e = self.unrounded(e);
        let from = self.ty(e);
        if from == ty {
            return e;
        }
        let loc = self.expr_loc(e);
        let kind = self.cast_kind(from, ty);
        if let Some(folded) = self.fold_cast(kind, e, ty) {
            return folded;
        }
        self.expr(ty, loc, ExprKind::Cast(kind, e))
    }

    fn cast_kind(&self, from: TypeId, to: TypeId) -> CastKind {
        let t = &self.types;
        if t.is_void(to) {
            CastKind::ToVoid
        } else if matches!(t.get(to), Type::Vector { .. }) || matches!(t.get(from), Type::Vector { .. }) {
            CastKind::Vector
        } else if [from, to]
            .iter()
            .any(|&ty| matches!(t.get(ty), Type::Complex(_) | Type::Decimal(_)))
        {
            CastKind::Complex
        } else if matches!(t.get(to), Type::Bool) {
            if matches!(t.get(from), Type::Bool) {
                CastKind::NoOp
            } else {
                CastKind::ToBool
            }
        } else {
            match (
                (t.is_integral(from), t.is_pointer(from), t.is_float(from)),
                (t.is_integral(to), t.is_pointer(to)),
            ) {
                ((true, ..), (true, _)) => CastKind::Integral,
                ((true, ..), (_, true)) => CastKind::IntToPointer,
                ((_, true, _), (true, _)) => CastKind::PointerToInt,
                ((_, true, _), (_, true)) => CastKind::Pointer,
                ((true, ..), _) => CastKind::IntToFloat,
                ((.., true), (true, _)) => CastKind::FloatToInt,
                ((.., true), (false, false)) if t.is_float(to) => CastKind::Float,
                _ => CastKind::NoOp,
            }
        }
    }

    /// The processor's own builtins, of which gcc has thousands, have the type that their result is converted to: the headers that call them
    /// do so wherever it matters.
    fn type_machine_builtin(&mut self, e: ExprId, to: TypeId) {
        if let ExprKind::Call {
            callee: Callee::Direct(f),
            ..
        } = self.kind(e)
            && self.functions[f.index()].implicit
            && self.functions[f.index()].name.starts_with("__builtin_ia32_")
        {
            self.exprs[e.index()].ty = to;
        }
    }

    /// An explicit cast of a value.
    pub fn cast_value(&mut self, e: ExprId, ty: TypeId, loc: Loc) -> Parsed<ExprId> {
        let to = self.value_type(ty);
        self.type_machine_builtin(e, to);
        let from = self.ty(e);
        if self.types.is_void(to) {
            return Ok(self.void_cast(e));
        }
        if let Type::Record(r) = *self.types.get(to) {
            if self.compatible(from, to) {
                return Ok(e);
            }
            let record = self.types.record(r);
            let member = record.kind == RecordKind::Union
                && record
                    .fields
                    .iter()
                    .any(|f| self.compatible(self.types.unqualified(f.ty), from));
            if member {
                return Ok(self.expr(to, loc, ExprKind::Cast(CastKind::ToUnion, e)));
            }
            return self.fail(
                loc,
                format!("conversion to non-scalar type '{}' requested", self.show(to)),
            );
        }
        let same_bytes = self.types.size_of(from) == self.types.size_of(to);
        let is_vector = |types: &Types, ty| matches!(types.get(ty), Type::Vector { .. });
        let possible = match (self.types.get(from), self.types.get(to)) {
            (Type::Void, _) => return self.fail(loc, "void value not ignored as it ought to be"),
            (Type::Record(_), _) => {
                return self.fail(loc, format!("'{}' used where a scalar is required", self.show(from)));
            }
            (_, Type::Array { .. }) => return self.fail(loc, "cast specifies array type"),
            (_, Type::Function { .. }) => return self.fail(loc, "cast specifies function type"),
            _ if is_vector(&self.types, from) || is_vector(&self.types, to) => same_bytes,
            (Type::Float(_) | Type::Complex(_) | Type::Decimal(_), Type::Pointer(_))
            | (Type::Pointer(_), Type::Float(_) | Type::Complex(_) | Type::Decimal(_)) => false,
            _ => true,
        };
        if !possible {
            return self.fail(
                loc,
                format!("cannot convert '{}' to '{}'", self.show(from), self.show(to)),
            );
        }
        if self.is_incomplete(to) {
            return self.fail(loc, format!("conversion to incomplete type '{}'", self.show(to)));
        }
        if from == to && self.value_bit_field_width(e).is_some() {
            // The value of a cast has the type that is written, and is not promoted as the bit-field would be.
            return Ok(self.expr(to, loc, ExprKind::Cast(CastKind::NoOp, e)));
        }
        let e = if from == to { self.rounded(e) } else { e };
        Ok(self.cast_unchecked(e, to))
    }

    /// The value as assignment, argument passing, initialisation and `return` convert it.
    pub fn convert_for_assignment(&mut self, e: ExprId, ty: TypeId, loc: Loc, context: &str) -> Parsed<ExprId> {
        let to = self.value_type(ty);
        self.type_machine_builtin(e, to);
        let from = self.ty(e);
        if from == to && !self.types.is_void(to) {
            return Ok(self.rounded(e));
        }
        let t = &self.types;
        let scalar = |ty| t.is_arithmetic(ty) || t.is_pointer(ty);
        let mixes_float =
            |p, f| t.is_pointer(p) && (t.is_float(f) || matches!(t.get(f), Type::Complex(_) | Type::Decimal(_)));
        let to_bool = matches!(t.get(to), Type::Bool);
        if scalar(from) && scalar(to) && (to_bool || !(mixes_float(from, to) || mixes_float(to, from))) {
            return Ok(self.cast_unchecked(e, to));
        }
        if t.is_void(from) {
            return self.fail(loc, "void value not ignored as it ought to be");
        }
        match (t.get(from), t.get(to)) {
            (Type::Record(_), Type::Record(_)) if self.compatible(from, to) => return Ok(e),
            (_, Type::Record(r)) if t.record(*r).transparent => {
                return Ok(self.expr(to, loc, ExprKind::Cast(CastKind::ToUnion, e)));
            }
            // The result of a comparison, whose elements are signed, goes into any vector of its size. gcc takes others with `-flax-vector-conversions`.
            (
                &Type::Vector { elem, bytes },
                &Type::Vector {
                    elem: wanted,
                    bytes: size,
                },
            ) if bytes == size && t.is_integral(elem) && t.is_integral(wanted) => {
                return Ok(self.cast_unchecked(e, to));
            }
            _ => {}
        }
        let (from, to) = (self.show(from), self.show(to));
        let message = format!("incompatible types in {context}");
        Err(self.report(loc, message, format!("expected '{to}', found '{from}'")))
    }

    /// Whether two types are compatible (C11 6.2.7), qualifiers included.
    pub fn compatible(&self, a: TypeId, b: TypeId) -> bool {
        let (mut a, mut b) = (a, b);
        loop {
            if a == b {
                return true;
            }
            let t = &self.types;
            if t.quals(a).0 & !Quals::RESTRICT.0 != t.quals(b).0 & !Quals::RESTRICT.0 {
                return false;
            }
            match (t.get(a), t.get(b)) {
                (&Type::Pointer(x), &Type::Pointer(y)) => (a, b) = (x, y),
                (&Type::Array { elem: x, len: m }, &Type::Array { elem: y, len: n }) => {
                    if let (ArrayLen::Fixed(m), ArrayLen::Fixed(n)) = (m, n)
                        && m != n
                    {
                        return false;
                    }
                    (a, b) = (x, y);
                }
                (Type::Function { .. }, Type::Function { .. }) => return self.compatible_functions(a, b),
                (&Type::Enum(e), &Type::Int(kind)) | (&Type::Int(kind), &Type::Enum(e)) => {
                    return t.enumeration(e).int == kind;
                }
                (&Type::Complex(x), &Type::Complex(y)) => (a, b) = (x, y),
                // Different alignments of one type.
                (x, y) => return x == y,
            }
        }
    }

    fn compatible_functions(&self, a: TypeId, b: TypeId) -> bool {
        let (
            Type::Function {
                ret: ra,
                params: pa,
                variadic: va,
                prototyped: ta,
            },
            Type::Function {
                ret: rb,
                params: pb,
                variadic: vb,
                prototyped: tb,
            },
        ) = (self.types.get(a), self.types.get(b))
        else {
            return false;
        };
        if !self.compatible(*ra, *rb) {
            return false;
        }
        match (ta, tb) {
            (true, true) => {
                va == vb && pa.len() == pb.len() && pa.iter().zip(pb).all(|(&x, &y)| self.compatible_parameters(x, y))
            }
            (true, false) => self.types.fits_no_prototype(pa, *va),
            (false, true) => self.types.fits_no_prototype(pb, *vb),
            (false, false) => true,
        }
    }

    fn compatible_parameters(&self, a: TypeId, b: TypeId) -> bool {
        if self.compatible(a, b) {
            return true;
        }
        // A transparent union stands for any of its members.
        let stands_for = |union: TypeId, other: TypeId| {
            self.types.as_record(union).is_some_and(|r| {
                let record = self.types.record(r);
                record.transparent && record.fields.iter().any(|f| self.compatible(f.ty, other))
            })
        };
        stands_for(a, b) || stands_for(b, a)
    }

    /// The composite of two compatible types: what either of them knows.
    pub fn composite(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let (ta, tb) = (self.types.get(a).clone(), self.types.get(b).clone());
        match (ta, tb) {
            (
                Type::Array {
                    len: ArrayLen::Incomplete,
                    ..
                },
                Type::Array { .. },
            ) => b,
            (Type::Function { prototyped: false, .. }, Type::Function { prototyped: true, .. }) => b,
            (
                Type::Function {
                    ret,
                    params: pa,
                    variadic,
                    prototyped: true,
                },
                Type::Function {
                    params: pb,
                    prototyped: true,
                    ..
                },
            ) => {
                let params = pa
                    .iter()
                    .zip(&pb)
                    .map(|(&x, &y)| {
                        if matches!(self.types.get(x), Type::Pointer(_)) {
                            self.composite_pointer(x, y)
                        } else {
                            x
                        }
                    })
                    .collect();
                self.types.intern(Type::Function {
                    ret,
                    params,
                    variadic,
                    prototyped: true,
                })
            }
            _ => a,
        }
    }

    /// Of two compatible pointers, the one to a prototyped function or complete array.
    fn composite_pointer(&self, a: TypeId, b: TypeId) -> TypeId {
        let known = |ty: TypeId| match self.types.pointee(ty).map(|p| self.types.get(p)) {
            Some(Type::Function { prototyped, .. }) => *prototyped,
            Some(Type::Array { len, .. }) => *len != ArrayLen::Incomplete,
            _ => true,
        };
        if known(a) { a } else { b }
    }
}
