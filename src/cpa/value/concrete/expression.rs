//! Expressions and places as instructions.

use super::Stop;
use super::code::{At, FloatOp, Form, Ins, Reg, Test};
use super::compile::Code;
use super::layout::Class;
use crate::cfa::{BinOp, Expr, ExprKind, Place, PlaceBase, Proj, UnOp};
use crate::frontend::types::{IntInfo, TypeId};

const UNUSUAL: Stop = Stop("a value of an unusual type");

/// Bits above an integer's width.
fn shift(width: u32) -> u8 {
    u8::try_from(64 - width.min(64)).expect("at most 64")
}

impl Code<'_> {
    fn class(&self, ty: TypeId) -> Class {
        Class::of(&self.program.types, ty)
    }

    /// The result goes to `want`, or to a new register.
    fn dest(&mut self, want: Option<Reg>, count: usize) -> Reg {
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
                Class::Pointer => self.emit(Ins::MovePair { d, a }),
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
            _ => {}
        }
        match self.class(expr.ty) {
            Class::Int(info) => self.integer(expr, info, want),
            Class::Pointer => self.address(expr, want),
            class @ (Class::Float32 | Class::Float64) => self.float(expr, class, want),
            Class::Other => Err(UNUSUAL),
        }
    }

    fn read(&mut self, place: &Place, want: Option<Reg>) -> Result<Reg, Stop> {
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

    fn integer(&mut self, expr: &Expr, info: IntInfo, want: Option<Reg>) -> Result<Reg, Stop> {
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
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                self.arithmetic(*op, a, b, info, want)
            }
            ExprKind::Cast(inner) => self.conversion(inner, info, want),
            _ => Err(UNUSUAL),
        }
    }

    fn arithmetic(&mut self, op: BinOp, a: Reg, b: Reg, info: IntInfo, want: Option<Reg>) -> Result<Reg, Stop> {
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
    fn conversion(&mut self, inner: &Expr, to: IntInfo, want: Option<Reg>) -> Result<Reg, Stop> {
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
            Class::Other => Err(UNUSUAL),
        }
    }

    // ---- truth --------------------------------------------------------------------------------------------------------------

    fn truth(&mut self, expr: &Expr, want: Option<Reg>) -> Result<Reg, Stop> {
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
            Class::Other => Err(UNUSUAL),
        }
    }

    /// The test of two pointers, as a truth value that is tested.
    fn tested(&mut self, p: Reg, q: Reg, test: Test) -> (Test, Reg, Reg) {
        let d = self.temporary(1);
        self.emit(Ins::TestPointers { d, p, q, test });
        (Test::Ne, d, self.zero)
    }

    fn comparison(&mut self, op: BinOp, a: &Expr, b: &Expr, truth: bool) -> Result<(Test, Reg, Reg), Stop> {
        let zero = self.zero;
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
    fn pointer_or_number(&mut self, expr: &Expr, other: &Expr) -> Result<Option<Reg>, Stop> {
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
    fn as_pointer<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        if self.program.types.is_pointer(expr.ty) {
            return Some(expr);
        }
        let ExprKind::Cast(inner) = &expr.kind else { return None };
        let wide = self.program.types.integer(expr.ty)?.width == self.pointer_bits();
        (wide && self.program.types.is_pointer(inner.ty)).then_some(inner)
    }

    fn pointer_bits(&self) -> u32 {
        match self.program.types.data_model().pointer_bytes() {
            8 => 64,
            _ => 32,
        }
    }

    // ---- pointers -----------------------------------------------------------------------------------------------------------

    fn address(&mut self, expr: &Expr, want: Option<Reg>) -> Result<Reg, Stop> {
        match &expr.kind {
            ExprKind::Const(value) => {
                let value = value.to_i128().and_then(|v| u64::try_from(v).ok()).ok_or(UNUSUAL)?;
                Ok(self.number_as_pointer(value))
            }
            ExprKind::FuncAddr(func) => {
                let value = self.program.function(*func).address;
                Ok(self.number_as_pointer(value))
            }
            ExprKind::AddrOf(place) => {
                let at = self.place(place)?;
                let d = self.dest(want, 2);
                self.emit(Ins::Lea { d, at });
                Ok(d)
            }
            ExprKind::Binary(BinOp::Add | BinOp::Sub, ..) => {
                let at = self.sum(expr)?;
                let d = self.dest(want, 2);
                self.emit(Ins::Lea { d, at });
                Ok(d)
            }
            ExprKind::Cast(inner) => {
                if let Some(pointer) = self.as_pointer(inner) {
                    return self.expression(pointer, want);
                }
                // An integer that is a pointer plus something.
                if let ExprKind::Binary(BinOp::Add | BinOp::Sub, a, _) = &inner.kind
                    && self.as_pointer(a).is_some()
                {
                    let at = self.sum(inner)?;
                    let d = self.dest(want, 2);
                    self.emit(Ins::Lea { d, at });
                    return Ok(d);
                }
                let a = self.value(inner)?;
                let d = self.dest(want, 2);
                let (bits, zero) = (self.pointer_bits(), self.zero);
                self.normalise(d, a, bits, false);
                self.emit(Ins::Move { d: d + 1, a: zero });
                Ok(d)
            }
            _ => Err(UNUSUAL),
        }
    }

    /// `pointer + distance`, in bytes, as a place.
    fn sum(&mut self, expr: &Expr) -> Result<At, Stop> {
        let ExprKind::Binary(op, a, b) = &expr.kind else {
            let pointer = self.as_pointer(expr).ok_or(UNUSUAL)?;
            let p = self.pointer(pointer)?;
            return Ok(self.at_pointer(p));
        };
        let pointer = self.as_pointer(a).ok_or(UNUSUAL)?;
        let mut at = match &pointer.kind {
            ExprKind::AddrOf(place) => self.place(place)?,
            ExprKind::Binary(BinOp::Add | BinOp::Sub, ..) => self.sum(pointer)?,
            _ => {
                let p = self.pointer(pointer)?;
                self.at_pointer(p)
            }
        };
        if let ExprKind::Const(value) = &b.kind {
            let value = value.to_i128().ok_or(UNUSUAL)?;
            let value = if *op == BinOp::Sub { -value } else { value };
            return self.further(at, value);
        }
        let scaled = match &b.kind {
            ExprKind::Binary(BinOp::Mul, index, scale) => {
                let scale = scale.as_const().and_then(|s| s.to_i128());
                scale.and_then(|s| u16::try_from(s).ok()).map(|scale| (index, scale))
            }
            _ => None,
        };
        match (op, scaled) {
            (BinOp::Add, Some((index, scale))) => {
                let index = self.value(index)?;
                self.index(&mut at, index, scale.into())?;
            }
            (BinOp::Add, None) => {
                let index = self.value(b)?;
                self.index(&mut at, index, 1)?;
            }
            _ => {
                let b = self.value(b)?;
                let (a, d) = (self.zero, self.temporary(1));
                self.emit(Ins::SubU { d, a, b, s: 0 });
                self.index(&mut at, d, 1)?;
            }
        }
        Ok(at)
    }

    fn at_pointer(&self, p: Reg) -> At {
        At {
            t: p + 1,
            o: p,
            i: self.zero,
            scale: 0,
            add: 0,
        }
    }

    /// A constant distance from a place.
    fn further(&mut self, mut at: At, distance: i128) -> Result<At, Stop> {
        match i32::try_from(i128::from(at.add) + distance) {
            Ok(add) => at.add = add,
            Err(_) => {
                let wrapped = i64::try_from(distance)
                    .map(i64::cast_unsigned)
                    .or_else(|_| u64::try_from(distance))
                    .map_err(|_| UNUSUAL)?;
                let b = self.constant(wrapped);
                let (d, a) = (self.temporary(1), at.o);
                self.emit(Ins::Mad { d, a, b, k: 1 });
                at.o = d;
            }
        }
        Ok(at)
    }

    /// An element of the array at a place.
    fn index(&mut self, at: &mut At, index: Reg, size: u64) -> Result<(), Stop> {
        if at.i != self.zero {
            let (d, a, b) = (self.temporary(1), at.o, at.i);
            let k = u32::from(at.scale);
            self.emit(Ins::Mad { d, a, b, k });
            at.o = d;
        }
        match u16::try_from(size) {
            Ok(scale) => {
                at.i = index;
                at.scale = scale;
            }
            Err(_) => {
                let k = u32::try_from(size).map_err(|_| Stop("an enormous element"))?;
                let (d, a, b) = (self.temporary(1), at.o, index);
                self.emit(Ins::Mad { d, a, b, k });
                at.o = d;
                at.i = self.zero;
            }
        }
        Ok(())
    }

    // ---- places -------------------------------------------------------------------------------------------------------------

    /// Where a place in memory is. For a bit-field, where its record is.
    pub(super) fn place(&mut self, place: &Place) -> Result<At, Stop> {
        let program = self.program;
        let types = &program.types;
        let (mut at, mut ty) = match &place.base {
            PlaceBase::Var(var) => {
                let variable = program.var(*var);
                if !variable.in_memory {
                    return Err(Stop("a plain variable in memory"));
                }
                let at = At {
                    t: self.tag_of(*var)?,
                    o: self.zero,
                    i: self.zero,
                    scale: 0,
                    add: 0,
                };
                (at, variable.ty)
            }
            PlaceBase::Deref(pointer) => {
                let ty = types.pointee(pointer.ty).unwrap_or(place.ty);
                let at = match &pointer.kind {
                    ExprKind::AddrOf(inner) => self.place(inner)?,
                    ExprKind::Binary(BinOp::Add | BinOp::Sub, ..) => self.sum(pointer)?,
                    _ => {
                        let p = self.pointer(pointer)?;
                        self.at_pointer(p)
                    }
                };
                (at, ty)
            }
        };
        for (i, step) in place.proj.iter().enumerate() {
            match step {
                Proj::Field { record, field } => {
                    let field = &types.record(*record).fields[*field as usize];
                    let last = i + 1 == place.proj.len();
                    if !(last && place.bits.is_some()) {
                        at = self.further(at, i128::from(field.offset))?;
                    }
                    ty = field.ty;
                }
                Proj::Index(index) => {
                    let element = types.element(ty).ok_or(Stop("an index into no array"))?;
                    let size = types.size_of(element).ok_or(Stop("an element of unknown size"))?;
                    match index.as_const().and_then(|c| c.to_i128()) {
                        Some(constant) => {
                            let distance = constant.checked_mul(i128::from(size)).ok_or(UNUSUAL)?;
                            at = self.further(at, distance)?;
                        }
                        None => {
                            let index = self.value(index)?;
                            self.index(&mut at, index, size)?;
                        }
                    }
                    ty = element;
                }
            }
        }
        Ok(at)
    }

    fn form(&self, ty: TypeId) -> Result<Form, Stop> {
        let size = self.program.types.size_of(ty);
        Ok(match (self.class(ty), size) {
            (Class::Pointer, _) => Form::Pointer,
            (Class::Float32, Some(4)) => Form::U32,
            (Class::Float64, Some(8)) => Form::W64,
            (Class::Int(info), Some(1)) if info.width == 1 => Form::Truth,
            (Class::Int(info), Some(size)) if u64::from(info.width) == 8 * size => match (size, info.signed) {
                (1, true) => Form::S8,
                (1, false) => Form::U8,
                (2, true) => Form::S16,
                (2, false) => Form::U16,
                (4, true) => Form::S32,
                (4, false) => Form::U32,
                (8, _) => Form::W64,
                _ => return Err(UNUSUAL),
            },
            _ => return Err(UNUSUAL),
        })
    }

    /// The number of a bit-field among those that are accessed.
    fn bit_field(&mut self, place: &Place) -> Result<Option<u32>, Stop> {
        let Some(bits) = place.bits else { return Ok(None) };
        let Class::Int(info) = self.class(place.ty) else {
            return Err(UNUSUAL);
        };
        let entry = (bits.offset, bits.width, shift(bits.width), info.signed);
        let known = self.bits.iter().position(|other| *other == entry);
        let at = known.unwrap_or_else(|| {
            self.bits.push(entry);
            self.bits.len() - 1
        });
        Ok(Some(u32::try_from(at).expect("few bit-fields")))
    }

    /// Reads the scalar of a place's type.
    pub(super) fn load(&mut self, d: Reg, at: At, place: &Place) -> Result<(), Stop> {
        if let Some(bits) = self.bit_field(place)? {
            let p = self.lea(at);
            self.emit(Ins::LoadBits { d, p, bits });
            return Ok(());
        }
        let form = self.form(place.ty)?;
        self.emit(Ins::Load { d, at, form });
        Ok(())
    }

    /// Writes a scalar of a place's type.
    pub(super) fn store(&mut self, a: Reg, at: At, place: &Place) -> Result<(), Stop> {
        if let Some(bits) = self.bit_field(place)? {
            let p = self.lea(at);
            self.emit(Ins::StoreBits { a, p, bits });
            return Ok(());
        }
        let form = self.form(place.ty)?;
        self.emit(Ins::Store { a, at, form });
        Ok(())
    }

    // ---- floating-point numbers ---------------------------------------------------------------------------------------------

    fn float(&mut self, expr: &Expr, class: Class, want: Option<Reg>) -> Result<Reg, Stop> {
        match &expr.kind {
            ExprKind::Float(text) => {
                let value: f64 = text.parse().map_err(|_| UNUSUAL)?;
                Ok(self.constant(match class {
                    Class::Float32 => u64::from((value as f32).to_bits()),
                    _ => value.to_bits(),
                }))
            }
            ExprKind::Unary(UnOp::Neg, a) => {
                let a = self.expression(a, None)?;
                let b = self.constant(if class == Class::Float32 { 1 << 31 } else { 1 << 63 });
                let d = self.dest(want, 1);
                self.emit(Ins::Xor { d, a, b });
                Ok(d)
            }
            ExprKind::Binary(op, a, b) => {
                let op = match op {
                    BinOp::Add => FloatOp::Add,
                    BinOp::Sub => FloatOp::Sub,
                    BinOp::Mul => FloatOp::Mul,
                    BinOp::Div => FloatOp::Div,
                    _ => return Err(UNUSUAL),
                };
                let (a, b) = (self.expression(a, None)?, self.expression(b, None)?);
                let d = self.dest(want, 1);
                self.emit(float_operation(class, d, a, b, op));
                Ok(d)
            }
            ExprKind::Cast(inner) => {
                let from = self.class(inner.ty);
                if from == class {
                    return self.expression(inner, want);
                }
                let a = match from {
                    Class::Pointer | Class::Other => return Err(UNUSUAL),
                    _ => self.expression(inner, None)?,
                };
                let d = self.dest(want, 1);
                let wide = class == Class::Float64;
                self.emit(match from {
                    Class::Float32 => Ins::Widen { d, a },
                    Class::Float64 => Ins::Narrow { d, a },
                    Class::Int(info) => Ins::FromInt {
                        d,
                        a,
                        signed: info.signed,
                        wide,
                    },
                    Class::Pointer | Class::Other => return Err(UNUSUAL),
                });
                Ok(d)
            }
            _ => Err(UNUSUAL),
        }
    }
}

fn float_operation(class: Class, d: Reg, a: Reg, b: Reg, op: FloatOp) -> Ins {
    match class {
        Class::Float32 => Ins::Float32 { d, a, b, op },
        _ => Ins::Float64 { d, a, b, op },
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
