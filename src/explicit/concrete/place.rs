//! Pointers and places in memory as instructions.
//!
//! A place is an object and an offset, which is a sum: of a register, an index with a factor, and a constant. So an access to an element or a member is one instruction.

use super::Stop;
use super::code::{At, Form, Ins, Reg};
use super::compile::Code;
use super::expression::{UNUSUAL, shift};
use super::layout::Class;
use crate::cfa::{BinOp, Expr, ExprKind, Place, PlaceBase, Proj};
use crate::frontend::types::TypeId;
use crate::frontend::types::float::Format;

impl Code<'_> {
    pub(super) fn address(&mut self, expr: &Expr, want: Option<Reg>) -> Result<Reg, Stop> {
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
                let a = self.low_bits(inner)?;
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
    pub(super) fn sum(&mut self, expr: &Expr) -> Result<At, Stop> {
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
                let index = self.low_bits(index)?;
                self.index(&mut at, index, scale.into())?;
            }
            (BinOp::Add, None) => {
                let index = self.low_bits(b)?;
                self.index(&mut at, index, 1)?;
            }
            _ => {
                let b = self.low_bits(b)?;
                let (a, d) = (self.zero, self.temporary(1));
                self.emit(Ins::SubU { d, a, b, s: 0 });
                self.index(&mut at, d, 1)?;
            }
        }
        Ok(at)
    }

    pub(super) fn at_pointer(&self, p: Reg) -> At {
        At {
            t: p + 1,
            o: p,
            i: self.zero,
            scale: 0,
            add: 0,
        }
    }

    /// A constant distance from a place.
    pub(super) fn further(&mut self, mut at: At, distance: i128) -> Result<At, Stop> {
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
    pub(super) fn index(&mut self, at: &mut At, index: Reg, size: u64) -> Result<(), Stop> {
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
                            let index = self.low_bits(index)?;
                            self.index(&mut at, index, size)?;
                        }
                    }
                    ty = element;
                }
            }
        }
        Ok(at)
    }

    pub(super) fn form(&self, ty: TypeId) -> Result<Form, Stop> {
        let size = self.program.types.size_of(ty);
        Ok(match (self.class(ty), size) {
            (Class::Pointer, _) => Form::Pointer,
            (Class::Float32, Some(4)) => Form::U32,
            (Class::Float64, Some(8)) => Form::W64,
            (Class::Wide(info), Some(16)) if info.width == 128 => Form::W128,
            (Class::Float(Format::Quad), Some(16)) => Form::W128,
            (Class::Float(Format::Half), Some(2)) => Form::Half,
            (Class::Float(Format::Extended), Some(12)) => Form::Extended12,
            (Class::Float(Format::Extended), Some(16)) => Form::Extended16,
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
    pub(super) fn bit_field(&mut self, place: &Place) -> Result<Option<u32>, Stop> {
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
        if let Class::Int(info) = self.class(place.ty)
            && self.has_inputs
        {
            let asked = self.asked(info);
            self.emit(Ins::Settle { at, asked });
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
}
