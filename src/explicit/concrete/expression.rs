//! Integers and conditions as instructions.

use super::Stop;
use super::code::{FloatOp, Ins, Reg, Test};
use super::compile::Code;
use super::floats::float_operation;
use super::layout::Class;
use crate::cfa::{BinOp, Expr, ExprKind, Place, UnOp};
use crate::frontend::types::{IntInfo, TypeId};
use provident_smt::num::Int;

pub(super) const UNUSUAL: Stop = Stop("a value of an unusual type");

/// Bits above an integer's width.
pub(super) fn shift(width: u32) -> u8 {
    u8::try_from(64 - width.min(64)).expect("at most 64")
}

impl Code<'_> {
    pub(super) fn class(&self, ty: TypeId) -> Class {
        Class::of(&self.program.types, ty)
    }

    /// The result goes to `want`, or to a new register.
    pub(super) fn dest(&mut self, want: Option<Reg>, count: usize) -> Reg {
        match want {
            Some(register) => register,
            None => self.temporary(count),
        }
    }

    /// Evaluates a scalar into a register (or pair).
    pub(super) fn expression_into(&mut self, expr: &Expr, d: Reg) -> Result<(), Stop> {
        let a = self.expression(expr, Some(d))?;
        if a != d {
            match self.class(expr.ty) {
                Class::Pointer | Class::Wide(_) | Class::Float(_) => self.emit(Ins::MovePair { d, a }),
                Class::Other => return Err(UNUSUAL),
                _ => self.emit(Ins::Move { d, a }),
            }
        }
        Ok(())
    }

    /// Evaluates an integer.
    pub(super) fn value(&mut self, expr: &Expr) -> Result<Reg, Stop> {
        match self.class(expr.ty) {
            Class::Int(_) => self.expression(expr, None),
            _ => Err(UNUSUAL),
        }
    }

    /// The lowest 64 bits of an integer, which are all that counts in an address.
    pub(super) fn low_bits(&mut self, expr: &Expr) -> Result<Reg, Stop> {
        match self.class(expr.ty) {
            Class::Wide(_) => self.expression(expr, None),
            _ => self.value(expr),
        }
    }

    /// Evaluates a pointer.
    pub(super) fn pointer(&mut self, expr: &Expr) -> Result<Reg, Stop> {
        match self.class(expr.ty) {
            Class::Pointer => self.expression(expr, None),
            _ => Err(UNUSUAL),
        }
    }

    /// Evaluates a scalar: into `want`, which is written last, or to where the value is already.
    pub(super) fn expression(&mut self, expr: &Expr, want: Option<Reg>) -> Result<Reg, Stop> {
        match &expr.kind {
            ExprKind::Load(place) => return self.read(place, want),
            ExprKind::Unary(UnOp::LogNot, _) => return self.truth(expr, want),
            ExprKind::Binary(op, ..) if op.is_comparison() => return self.truth(expr, want),
            ExprKind::Math(op, args) => return self.function(*op, args, self.class(expr.ty), want),
            _ => {}
        }
        match self.class(expr.ty) {
            Class::Int(info) => self.integer(expr, info, want),
            Class::Pointer => self.address(expr, want),
            class @ (Class::Float32 | Class::Float64) => self.float(expr, class, want),
            class @ (Class::Wide(_) | Class::Float(_)) => self.wide(expr, class, want),
            Class::Other => Err(UNUSUAL),
        }
    }

    pub(super) fn read(&mut self, place: &Place, want: Option<Reg>) -> Result<Reg, Stop> {
        if let Some(register) = self.readable(place)? {
            return Ok(register);
        }
        let class = self.class(place.ty);
        let at = self.place(place)?;
        let d = self.dest(want, class.registers());
        self.load(d, at, place)?;
        Ok(d)
    }

    // ---- integers -----------------------------------------------------------------------------------------------------------

    pub(super) fn normalise(&mut self, d: Reg, a: Reg, width: u32, signed: bool) {
        let s = shift(width);
        match (s, signed) {
            (0, _) if d == a => {}
            (0, _) => self.emit(Ins::Move { d, a }),
            (_, true) => self.emit(Ins::NormS { d, a, s }),
            (_, false) => self.emit(Ins::NormU { d, a, s }),
        }
    }

    pub(super) fn integer(&mut self, expr: &Expr, info: IntInfo, want: Option<Reg>) -> Result<Reg, Stop> {
        match &expr.kind {
            ExprKind::Const(value) => {
                let value = value.to_i128().ok_or(UNUSUAL)?;
                let value = i64::try_from(value)
                    .map(i64::cast_unsigned)
                    .or_else(|_| u64::try_from(value))
                    .map_err(|_| UNUSUAL)?;
                Ok(self.constant(value))
            }
            ExprKind::Unary(UnOp::Neg, a) => {
                let a = self.value(a)?;
                let zero = self.zero;
                self.arithmetic(BinOp::Sub, zero, a, info, want)
            }
            ExprKind::Unary(UnOp::BitNot, a) => {
                let a = self.value(a)?;
                let ones = self.constant(if info.signed {
                    u64::MAX
                } else {
                    u64::MAX >> shift(info.width)
                });
                self.arithmetic(BinOp::Xor, a, ones, info, want)
            }
            ExprKind::Binary(BinOp::Sub, a, b) if info.width >= 32 => {
                if let (Some(p), Some(q)) = (self.as_pointer(a), self.as_pointer(b)) {
                    let (p, q) = (self.pointer(p)?, self.pointer(q)?);
                    let d = self.dest(want, 1);
                    let (s, signed) = (shift(info.width), info.signed);
                    self.emit(Ins::Distance { d, p, q, s, signed });
                    return Ok(d);
                }
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.arithmetic(BinOp::Sub, a, b, info, want)
            }
            ExprKind::Binary(op, a, b) if matches!(self.class(b.ty), Class::Wide(_)) => {
                self.wide_binary(*op, a, b, Class::Int(info), want)
            }
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.arithmetic(*op, a, b, info, want)
            }
            ExprKind::Cast(inner) => self.conversion(inner, info, want),
            _ => Err(UNUSUAL),
        }
    }

    /// A scalar in a pair of registers, not loaded.
    pub(super) fn wide(&mut self, expr: &Expr, class: Class, want: Option<Reg>) -> Result<Reg, Stop> {
        match &expr.kind {
            ExprKind::Const(value) => {
                let wrapped = value.to_i128().or_else(|| (value - &Int::pow2(128)).to_i128());
                let bits = wrapped.ok_or(UNUSUAL)?.cast_unsigned();
                let width = class.shape().width();
                Ok(self.wide_constant(bits & u128::MAX >> (128 - width)))
            }
            ExprKind::Float(bits) => Ok(self.wide_constant(*bits)),
            ExprKind::Unary(op, a) => self.wide_operation(*op, a, class, want),
            ExprKind::Binary(op, a, b) => self.wide_binary(*op, a, b, class, want),
            ExprKind::Cast(inner) if self.class(inner.ty) == class => self.expression(inner, want),
            ExprKind::Cast(inner) => self.wide_conversion(inner, class, want),
            _ => Err(UNUSUAL),
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        op: BinOp,
        a: Reg,
        b: Reg,
        info: IntInfo,
        want: Option<Reg>,
    ) -> Result<Reg, Stop> {
        let d = self.dest(want, 1);
        let s = shift(info.width);
        self.emit(match (op, info.signed) {
            (BinOp::Add, true) => Ins::AddS { d, a, b, s },
            (BinOp::Add, false) => Ins::AddU { d, a, b, s },
            (BinOp::Sub, true) => Ins::SubS { d, a, b, s },
            (BinOp::Sub, false) => Ins::SubU { d, a, b, s },
            (BinOp::Mul, true) => Ins::MulS { d, a, b, s },
            (BinOp::Mul, false) => Ins::MulU { d, a, b, s },
            (BinOp::Div, true) => Ins::DivS { d, a, b, s },
            (BinOp::Div, false) => Ins::DivU { d, a, b },
            (BinOp::Rem, true) => Ins::RemS { d, a, b, s },
            (BinOp::Rem, false) => Ins::RemU { d, a, b },
            (BinOp::And, _) => Ins::And { d, a, b },
            (BinOp::Or, _) => Ins::Or { d, a, b },
            (BinOp::Xor, _) => Ins::Xor { d, a, b },
            (BinOp::Shl, true) => Ins::ShlS { d, a, b, s },
            (BinOp::Shl, false) => Ins::ShlU { d, a, b, s },
            (BinOp::Shr, true) => Ins::ShrS { d, a, b, s },
            (BinOp::Shr, false) => Ins::ShrU { d, a, b, s },
            _ => return Err(UNUSUAL),
        });
        Ok(d)
    }

    /// The conversion of a scalar to an integer type.
    pub(super) fn conversion(&mut self, inner: &Expr, to: IntInfo, want: Option<Reg>) -> Result<Reg, Stop> {
        if to.width == 1 {
            let (test, a, b) = self.condition(inner, true)?;
            let d = self.dest(want, 1);
            self.emit(Ins::Set { d, a, b, test });
            return Ok(d);
        }
        match self.class(inner.ty) {
            Class::Int(from) => {
                let fits = match (from.signed, to.signed) {
                    (false, true) => from.width < to.width,
                    (true, false) => false,
                    _ => from.width <= to.width,
                };
                if fits {
                    return self.expression(inner, want);
                }
                let a = self.value(inner)?;
                if to.width == 64 {
                    // The bits are extended as the source says, and that is all.
                    return Ok(a);
                }
                let d = self.dest(want, 1);
                self.normalise(d, a, to.width, to.signed);
                Ok(d)
            }
            Class::Pointer => {
                let p = self.pointer(inner)?;
                let a = self.temporary(1);
                self.emit(Ins::Number { d: a, p });
                let d = self.dest(want, 1);
                self.normalise(d, a, to.width, to.signed);
                Ok(d)
            }
            class @ (Class::Float32 | Class::Float64) => {
                let a = self.expression(inner, None)?;
                let d = self.dest(want, 1);
                let (signed, s, wide) = (to.signed, shift(to.width), class == Class::Float64);
                self.emit(Ins::ToInt { d, a, signed, wide, s });
                Ok(d)
            }
            Class::Wide(_) => {
                let a = self.expression(inner, None)?;
                let d = self.dest(want, 1);
                self.normalise(d, a, to.width, to.signed);
                Ok(d)
            }
            Class::Float(_) => self.wide_conversion(inner, Class::Int(to), want),
            Class::Other => Err(UNUSUAL),
        }
    }

    // ---- truth --------------------------------------------------------------------------------------------------------------

    pub(super) fn truth(&mut self, expr: &Expr, want: Option<Reg>) -> Result<Reg, Stop> {
        let (test, a, b) = self.condition(expr, true)?;
        let d = self.dest(want, 1);
        self.emit(Ins::Set { d, a, b, test });
        Ok(d)
    }

    /// A test that holds if and only if the scalar is not zero (`truth`), or is zero.
    pub(super) fn condition(&mut self, expr: &Expr, truth: bool) -> Result<(Test, Reg, Reg), Stop> {
        let is_zero = |truth: bool| if truth { Test::Ne } else { Test::Eq };
        match &expr.kind {
            ExprKind::Unary(UnOp::LogNot, inner) => return self.condition(inner, !truth),
            ExprKind::Binary(op, a, b) if op.is_comparison() => return self.comparison(*op, a, b, truth),
            // Truth values survive every conversion between integers.
            ExprKind::Cast(inner) if self.program.types.integer(expr.ty).is_some() && is_truth(inner) => {
                return self.condition(inner, truth);
            }
            _ => {}
        }
        let zero = self.zero;
        match self.class(expr.ty) {
            Class::Int(_) => {
                let a = self.expression(expr, None)?;
                Ok((is_zero(truth), a, zero))
            }
            Class::Pointer => {
                let p = self.expression(expr, None)?;
                let null = self.number_as_pointer(0);
                Ok(self.tested(p, null, is_zero(truth)))
            }
            class @ (Class::Float32 | Class::Float64) => {
                let a = self.expression(expr, None)?;
                let d = self.temporary(1);
                let op = FloatOp::Eq;
                self.emit(float_operation(class, d, a, zero, op));
                // It is not zero if the comparison with zero is false.
                Ok((is_zero(!truth), d, zero))
            }
            Class::Wide(_) | Class::Float(_) => self.wide_truth(expr, truth),
            Class::Other => Err(UNUSUAL),
        }
    }

    /// The test of two pointers, as a truth value that is tested.
    pub(super) fn tested(&mut self, p: Reg, q: Reg, test: Test) -> (Test, Reg, Reg) {
        let d = self.temporary(1);
        self.emit(Ins::TestPointers { d, p, q, test });
        (Test::Ne, d, self.zero)
    }

    pub(super) fn comparison(&mut self, op: BinOp, a: &Expr, b: &Expr, truth: bool) -> Result<(Test, Reg, Reg), Stop> {
        let zero = self.zero;
        if matches!(self.class(a.ty), Class::Wide(_) | Class::Float(_)) {
            return self.wide_comparison(op, a, b, truth);
        }
        if let class @ (Class::Float32 | Class::Float64) = self.class(a.ty) {
            // The negation of a comparison is no comparison: there are numbers without order.
            let (a, b) = (self.expression(a, None)?, self.expression(b, None)?);
            let (op, a, b, holds) = match op {
                BinOp::Eq => (FloatOp::Eq, a, b, true),
                BinOp::Ne => (FloatOp::Eq, a, b, false),
                BinOp::Lt => (FloatOp::Lt, a, b, true),
                BinOp::Gt => (FloatOp::Lt, b, a, true),
                BinOp::Le => (FloatOp::Le, a, b, true),
                _ => (FloatOp::Le, b, a, true),
            };
            let d = self.temporary(1);
            self.emit(float_operation(class, d, a, b, op));
            return Ok((if holds == truth { Test::Ne } else { Test::Eq }, d, zero));
        }
        // The comparison that holds, with its operands in order.
        let (op, swapped) = match (op, truth) {
            (BinOp::Eq, true) | (BinOp::Ne, false) => (BinOp::Eq, false),
            (BinOp::Ne, true) | (BinOp::Eq, false) => (BinOp::Ne, false),
            (BinOp::Lt, true) | (BinOp::Ge, false) => (BinOp::Lt, false),
            (BinOp::Gt, true) | (BinOp::Le, false) => (BinOp::Lt, true),
            (BinOp::Le, true) | (BinOp::Gt, false) => (BinOp::Le, false),
            _ => (BinOp::Le, true),
        };
        let test = |signed: bool| match (op, signed) {
            (BinOp::Eq, _) => Test::Eq,
            (BinOp::Ne, _) => Test::Ne,
            (BinOp::Lt, true) => Test::LtS,
            (BinOp::Lt, false) => Test::LtU,
            (_, true) => Test::LeS,
            (_, false) => Test::LeU,
        };
        let signed = self.program.types.integer(a.ty).is_some_and(|info| info.signed);
        if let (Some(p), Some(q)) = (self.pointer_or_number(a, b)?, self.pointer_or_number(b, a)?) {
            let (p, q) = if swapped { (q, p) } else { (p, q) };
            return Ok(self.tested(p, q, test(signed)));
        }
        match self.class(a.ty) {
            Class::Int(_) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                Ok((test(signed), a, b))
            }
            _ => Err(UNUSUAL),
        }
    }

    /// An operand of a comparison as a pointer: if it is one, or if it is a constant and the other one is.
    pub(super) fn pointer_or_number(&mut self, expr: &Expr, other: &Expr) -> Result<Option<Reg>, Stop> {
        if let Some(pointer) = self.as_pointer(expr) {
            return self.pointer(pointer).map(Some);
        }
        let number = expr
            .as_const()
            .and_then(|c| c.to_i128())
            .and_then(|c| u64::try_from(c).ok());
        match number {
            Some(number) if self.as_pointer(other).is_some() => Ok(Some(self.number_as_pointer(number))),
            _ => Ok(None),
        }
    }

    /// The pointer of which an expression is the value: it is one, or an integer of the same width made of one.
    pub(super) fn as_pointer<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        if self.program.types.is_pointer(expr.ty) {
            return Some(expr);
        }
        let ExprKind::Cast(inner) = &expr.kind else { return None };
        let wide = self.program.types.integer(expr.ty)?.width == self.pointer_bits();
        (wide && self.program.types.is_pointer(inner.ty)).then_some(inner)
    }

    pub(super) fn pointer_bits(&self) -> u32 {
        match self.program.types.data_model().pointer_bytes() {
            8 => 64,
            _ => 32,
        }
    }
}

/// Whether an expression is 0 or 1 whatever happens.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Unary(UnOp::LogNot, _) => true,
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::Cast(inner) => is_truth(inner),
        _ => false,
    }
}
