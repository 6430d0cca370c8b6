//! Expressions and conditions of the program as terms and formulas.
//!
//! A condition is translated by its structure, so that `if (!(a < b) != 0)` is the atom `a < b`, negated, and no case distinction
//! between 0 and 1. The interval of a term is computed along with it; it decides where results have to be wrapped around.

use super::context::{Context, Value};
use super::floating::code;
use super::ranges::Range;
use crate::cfa::memory_types::constant_offset;
use crate::cfa::program::expr;
use crate::cfa::program::math::FunctionOp;
use crate::cfa::program::scalar::{Class, Scalar};
use crate::cfa::{AssumptionKind, BinOp, Expr, ExprKind, FuncId, Place, PlaceBase, Proj, UnOp};
use crate::frontend::types::TypeId;
use provident_smt::num::Int;
use provident_smt::term::TermId;

impl Context<'_, '_> {
    /// The scalar of a type. A value of another type is moved as an opaque value.
    pub fn scalar(&self, ty: TypeId) -> Scalar {
        let opaque = Scalar {
            class: Class::Opaque,
            width: 8,
            signed: false,
            size: 1,
        };
        Scalar::of(&self.encoder.program.types, ty).unwrap_or(opaque)
    }

    /// The scalar of a place, narrowed for a bit-field.
    pub fn place_scalar(&self, place: &Place) -> Scalar {
        let scalar = self.scalar(place.ty);
        place.bits.map_or(scalar, |bits| scalar.narrowed(bits.width))
    }

    /// The value of a scalar expression, in the range of its type.
    pub fn value(&mut self, e: &Expr) -> Value {
        let scalar = self.scalar(e.ty);
        match &e.kind {
            ExprKind::Const(value) => self.constant(value.clone()),
            ExprKind::Float(bits) => match scalar.format().and_then(|format| code::encode(format, *bits)) {
                Some(code) => self.constant(expr::unsigned(code)),
                None => {
                    let text = "the result of a floating-point operation is any value";
                    self.trust(AssumptionKind::Float, text, true);
                    self.any_scalar(scalar)
                }
            },
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddrOf(place) => {
                let address = self.address(place);
                self.fit(address, scalar)
            }
            ExprKind::FuncAddr(f) => {
                let address = self.encoder.program.function(*f).address;
                self.constant(i128::from(address))
            }
            ExprKind::Unary(UnOp::LogNot, x) => {
                let truth = self.condition(x);
                let not = self.pool.not(truth);
                self.of_truth(not)
            }
            ExprKind::Unary(op, x) => {
                let value = self.value(x);
                self.unary(*op, value, scalar)
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => {
                let truth = self.condition(e);
                self.of_truth(truth)
            }
            ExprKind::Binary(op, x, y) => {
                let left = self.value(x);
                let right = self.right_operand(*op, e, y);
                self.binary(*op, left, right, scalar)
            }
            ExprKind::Cast(x) => {
                let from = self.scalar(x.ty);
                let value = self.value(x);
                self.convert(value, from, scalar)
            }
            ExprKind::Math(op, operands) => {
                let mut values = Vec::with_capacity(operands.len());
                for operand in operands {
                    values.push((self.value(operand), self.scalar(operand.ty)));
                }
                self.function(FunctionOp::Math(*op), &values, scalar)
            }
        }
    }

    /// A constant that is added to an address and lies in the upper half of the unsigned range is a step back.
    fn right_operand(&mut self, op: BinOp, whole: &Expr, y: &Expr) -> Value {
        let additive = matches!(op, BinOp::Add | BinOp::Sub);
        let scalar = self.scalar(whole.ty);
        let word = self.encoder.program.types.data_model().pointer_bytes();
        if additive
            && !scalar.signed
            && scalar.size == word
            && let Some(step) = self.step_back(y)
        {
            return self.constant(step);
        }
        self.value(y)
    }

    fn step_back(&self, e: &Expr) -> Option<i64> {
        e.as_const()?;
        constant_offset(&self.encoder.program.types, e).filter(|&step| step < 0)
    }

    /// The formula that a scalar expression is not 0.
    pub fn condition(&mut self, e: &Expr) -> TermId {
        match &e.kind {
            ExprKind::Unary(UnOp::LogNot, x) => {
                let truth = self.condition(x);
                self.pool.not(truth)
            }
            ExprKind::Binary(op, x, y) if op.is_comparison() => self.comparison(*op, x, y),
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or | BinOp::Xor), x, y)
                if self.is_truth(x) && self.is_truth(y) =>
            {
                let (p, q) = (self.condition(x), self.condition(y));
                match op {
                    BinOp::And => self.pool.and2(p, q),
                    BinOp::Or => self.pool.or2(p, q),
                    _ => {
                        let same = self.pool.iff(p, q);
                        self.pool.not(same)
                    }
                }
            }
            ExprKind::Cast(x) if self.keeps_truth(x, e) => self.condition(x),
            _ => {
                let scalar = self.scalar(e.ty);
                let value = self.value(e);
                match scalar.format() {
                    Some(format) => self.float_truth(&value, format),
                    None if scalar.is_opaque() => self.any_truth(),
                    None => self.truth(&value),
                }
            }
        }
    }

    fn any_truth(&mut self) -> TermId {
        self.trust(
            AssumptionKind::Float,
            "the result of a floating-point operation is any value",
            true,
        );
        let any = self.any(Range::bit());
        self.truth(&any)
    }

    /// Whether an expression is 0 or 1 by its form.
    fn is_truth(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Unary(UnOp::LogNot, _) => true,
            ExprKind::Binary(op, ..) if op.is_comparison() => true,
            ExprKind::Binary(BinOp::And | BinOp::Or | BinOp::Xor, x, y) => self.is_truth(x) && self.is_truth(y),
            ExprKind::Cast(x) => self.scalar(e.ty).class == Class::Bool || self.is_truth(x) && self.is_number(e),
            ExprKind::Load(_) => self.scalar(e.ty).class == Class::Bool,
            _ => false,
        }
    }

    fn is_number(&self, e: &Expr) -> bool {
        !matches!(self.scalar(e.ty).class, Class::Opaque | Class::Float)
    }

    /// Whether the cast `e` of `x` is 0 if and only if `x` is.
    fn keeps_truth(&self, x: &Expr, e: &Expr) -> bool {
        let (from, to) = (self.scalar(x.ty), self.scalar(e.ty));
        if [from, to]
            .iter()
            .any(|s| matches!(s.class, Class::Opaque | Class::Float))
        {
            return false;
        }
        // A sign change without loss of bits keeps 0 as well.
        to.class == Class::Bool || to.width >= from.width || self.is_truth(x)
    }

    fn comparison(&mut self, op: BinOp, x: &Expr, y: &Expr) -> TermId {
        if self.scalar(x.ty).is_opaque() || self.scalar(y.ty).is_opaque() {
            let _ = (self.value(x), self.value(y));
            return self.any_truth();
        }
        if let Some(format) = self.scalar(x.ty).format() {
            let (a, b) = (self.value(x), self.value(y));
            return self.compare_floats(op, &a, &b, format);
        }
        if matches!(op, BinOp::Eq | BinOp::Ne) {
            for (e, constant) in [(x, y), (y, x)] {
                let Some(value) = constant.as_const().and_then(Int::to_i64) else {
                    continue;
                };
                let compared_with_0 = value == 0;
                if compared_with_0 || self.is_truth(e) {
                    // x == 0 and x != 1 are "not x", x != 0 and x == 1 are "x"; a truth is never another number.
                    let truth = match value {
                        0 | 1 => self.condition(e),
                        _ => return self.pool.mk_bool(op == BinOp::Ne),
                    };
                    let positive = (op == BinOp::Ne) == compared_with_0;
                    return if positive { truth } else { self.pool.not(truth) };
                }
            }
        }
        let (a, b) = (self.value(x), self.value(y));
        self.compare(op, &a, &b)
    }

    /// The address of a place in memory, without wrap-around.
    pub fn address(&mut self, place: &Place) -> Value {
        let program = self.encoder.program;
        let (mut address, mut ty) = match &place.base {
            PlaceBase::Var(v) => {
                let moves = self.encoder.moves(*v);
                let fixed = program.address_at(*v, if moves { 0 } else { self.depth });
                assert!(fixed.is_some(), "a variable whose address is used lives in memory");
                let mut address = self.constant(i128::from(fixed.unwrap_or(0)));
                if moves {
                    let offset = self.frame_offset(program.var(*v).func.expect("it has a frame"));
                    address = self.plus(&address, &offset);
                }
                (address, program.var(*v).ty)
            }
            PlaceBase::Deref(pointer) => {
                let ty = program.types.pointee(pointer.ty).unwrap_or(place.ty);
                (self.pointer(pointer), ty)
            }
        };
        for step in &place.proj {
            match step {
                Proj::Field { record, field } => {
                    let fields = &program.types.record(*record).fields;
                    let Some(member) = usize::try_from(*field).ok().and_then(|f| fields.get(f)) else {
                        break;
                    };
                    let offset = self.constant(i128::from(member.offset));
                    address = self.plus(&address, &offset);
                    ty = member.ty;
                }
                Proj::Index(index) => {
                    ty = program.types.element(ty).unwrap_or(place.ty);
                    let size = Int::from(i128::from(program.types.size_of(ty).unwrap_or(1)));
                    let index = self.value(index);
                    let offset = Value::new(self.pool.scale(&size, index.term), index.range.scale(&size));
                    address = self.plus(&address, &offset);
                }
            }
        }
        address
    }

    /// How far the frame of a recursive function is from the first one: nothing for that, for others as far as the frames of recursions are.
    fn frame_offset(&mut self, func: FuncId) -> Value {
        let slot = self
            .encoder
            .slots
            .offset(func, self.depth)
            .expect("the frame has a symbol");
        let index = self.ssa.index(slot);
        let term = self.variable(slot, index);
        let (least, most) = self.encoder.program.frame_offsets();
        let range = Range::new(Int::ZERO, Int::from(i128::from(most)));
        if self.facts.get(slot.0).is_none_or(|fact| fact.index != index) {
            // The first use in this block.
            self.know_range(slot, index, &range);
            let (zero, least) = (self.pool.int(0i64), self.pool.int(i128::from(least)));
            let (first, deeper) = (self.pool.eq(term, zero), self.pool.le(least, term));
            let either = self.pool.or2(first, deeper);
            self.require(either);
        }
        Value::new(term, range)
    }

    /// A sum without wrap-around.
    pub fn plus(&mut self, a: &Value, b: &Value) -> Value {
        Value::new(self.pool.add(a.term, b.term), a.range.add(&b.range))
    }

    /// The value of a pointer that is used as an address at once: what it adds up is not wrapped around.
    pub(super) fn pointer(&mut self, e: &Expr) -> Value {
        let pointer = |cx: &Self, e: &Expr| cx.scalar(e.ty).class == Class::Pointer;
        match &e.kind {
            ExprKind::Cast(x) if pointer(self, x) => self.pointer(x),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), x, y) if pointer(self, e) && pointer(self, x) => {
                let base = self.pointer(x);
                let offset = self.offset(y);
                let offset = if *op == BinOp::Sub {
                    Value::new(self.pool.neg(offset.term), offset.range.scale(&Int::MINUS_ONE))
                } else {
                    offset
                };
                self.plus(&base, &offset)
            }
            ExprKind::AddrOf(place) => self.address(place),
            _ => self.value(e),
        }
    }

    /// A distance in bytes, as any integer that is congruent to it: scaled indices do not wrap around either, and an index that
    /// was converted to the unsigned type of pointer width counts as what it was before.
    fn offset(&mut self, e: &Expr) -> Value {
        let word = self.encoder.program.types.data_model().pointer_bytes();
        match &e.kind {
            ExprKind::Const(_) => match self.step_back(e) {
                Some(step) => self.constant(step),
                None => self.value(e),
            },
            ExprKind::Cast(x) if self.scalar(e.ty).size == word => {
                let from = self.scalar(x.ty);
                match from.class {
                    Class::Opaque | Class::Float => self.value(e),
                    _ if from.size == word => self.offset(x),
                    _ if from.size < word => self.value(x),
                    _ => self.value(e),
                }
            }
            ExprKind::Unary(UnOp::Neg, x) if self.scalar(e.ty).size == word => {
                let value = self.offset(x);
                Value::new(self.pool.neg(value.term), value.range.scale(&Int::MINUS_ONE))
            }
            ExprKind::Binary(BinOp::Mul, x, y) if self.scalar(e.ty).size == word => {
                for (index, factor) in [(x, y), (y, x)] {
                    if let Some(size) = factor.as_const() {
                        let index = self.offset(index);
                        self.note_unsigned_index(e, &index);
                        return Value::new(self.pool.scale(size, index.term), index.range.scale(size));
                    }
                }
                self.value(e)
            }
            _ => self.value(e),
        }
    }

    /// An unsigned index beyond half the address space steps back on the machine; here it steps far ahead.
    fn note_unsigned_index(&mut self, e: &Expr, index: &Value) {
        let half = Int::pow2(self.scalar(e.ty).width - 1);
        if index.range.hi.as_ref().is_none_or(|hi| *hi >= half) {
            let detail = "an index scaled to bytes does not wrap around the address space";
            self.trust(AssumptionKind::FixedAddresses, detail, false);
        }
    }
}
