//! Assignments, and what else gives values to places or takes them away.

use super::Stop;
use super::code::{Asked, At, Ins, Reg};
use super::compile::Code;
use super::layout::{Class, Leaf, leaves};
use crate::cfa::{Expr, ExprKind, Input, Place, PlaceBase, VarId};
use crate::frontend::types::{IntInfo, Type};

impl Code<'_> {
    /// An input of an integer type, for the edge that is being compiled.
    pub(super) fn asked(&self, info: IntInfo) -> Asked {
        Asked {
            width: u8::try_from(info.width).expect("at most 64 bits"),
            signed: info.signed,
            is_ahead: self.is_ahead,
        }
    }

    /// The first register of a place in a plain variable, with its number of registers, and whether it is of static storage.
    pub(super) fn registers(&mut self, place: &Place) -> Result<Option<(Reg, usize, bool)>, Stop> {
        let PlaceBase::Var(var) = place.base else {
            return Ok(None);
        };
        let owner = self.program.var(var).func;
        if owner.is_some_and(|func| func != self.here) {
            return Err(Stop("a variable of an enclosing function"));
        }
        let Some((first, count)) = self.layout.registers_of(self.program, place) else {
            return match self.program.var(var).in_memory {
                true => Ok(None),
                false => Err(Stop("a part of a plain variable")),
            };
        };
        let here = self.here;
        let base = match owner {
            Some(_) => self.unit(here).base,
            None => self.statics,
        };
        Ok(Some((base + first, count, owner.is_none())))
    }

    pub(super) fn flag(&mut self, register: Reg) -> Option<Reg> {
        let here = self.here;
        let unit = self.unit(here);
        let at = register.checked_sub(unit.base)? as usize;
        unit.flag_of.get(at).copied().flatten()
    }

    pub(super) fn set_flags(&mut self, first: Reg, count: usize, has_value: bool) {
        let statics = self.statics..self.statics + Reg::try_from(self.begun.len()).expect("a number of registers");
        if statics.contains(&first) {
            // Up to its first call or branch the start function goes straight ahead.
            if !self.has_begun {
                let home = (first - self.statics) as usize;
                self.begun[home..home + count].fill(has_value);
            }
            return;
        }
        let value = if has_value { self.one } else { self.zero };
        for register in (first..).take(count) {
            if let Some(flag) = self.flag(register) {
                self.emit(Ins::Move { d: flag, a: value });
            }
        }
    }

    /// The registers of a place that is read: they have values.
    pub(super) fn readable(&mut self, place: &Place) -> Result<Option<Reg>, Stop> {
        let Some((first, count, is_static)) = self.registers(place)? else {
            return Ok(None);
        };
        if is_static {
            let home = (first - self.statics) as usize;
            if !self.begun[home..home + count].all() {
                return Err(Stop::NO_VALUE);
            }
        } else {
            for register in (first..).take(count) {
                if let Some(a) = self.flag(register) {
                    self.emit(Ins::Known { a });
                }
            }
        }
        Ok(Some(first))
    }

    /// The register of the tag of an object that is a variable.
    pub(super) fn tag_of(&mut self, var: VarId) -> Result<Reg, Stop> {
        let at = Reg::try_from(self.layout.home(var)).expect("fewer than 2^32 objects");
        match self.program.var(var).func {
            None => Ok(self.static_tags + at),
            Some(func) if func == self.here => Ok(self.unit(func).objects[at as usize].0),
            Some(_) => Err(Stop("a variable of an enclosing function")),
        }
    }

    pub(super) fn is_composite(&self, place: &Place) -> bool {
        matches!(self.program.types.get(place.ty), Type::Record(_) | Type::Array { .. })
    }

    pub(super) fn assign(&mut self, lhs: &Place, rhs: &Expr) -> Result<(), Stop> {
        if self.is_composite(lhs) {
            let ExprKind::Load(source) = &rhs.kind else {
                return Err(Stop("a composite value that is no load"));
            };
            return self.copy(lhs, source);
        }
        if let Some((d, count, _)) = self.registers(lhs)?
            && lhs.bits.is_none()
        {
            self.expression_into(rhs, d)?;
            self.set_flags(d, count, true);
            return Ok(());
        }
        let a = self.expression(rhs, None)?;
        self.write(lhs, a)
    }

    /// Writes a scalar to a place.
    pub(super) fn write(&mut self, place: &Place, a: Reg) -> Result<(), Stop> {
        let class = Class::of(&self.program.types, place.ty);
        if let Some((d, count, _)) = self.registers(place)? {
            match (class, place.bits) {
                (Class::Int(info), Some(bits)) => self.normalise(d, a, bits.width, info.signed),
                (Class::Other, _) => return Err(Stop("a value of an unusual type")),
                (Class::Wide(_), Some(_)) => return Err(Stop("a wide bit-field")),
                (Class::Pointer | Class::Wide(_) | Class::Float(_), _) => self.emit(Ins::MovePair { d, a }),
                _ => self.emit(Ins::Move { d, a }),
            }
            self.set_flags(d, count, true);
            return Ok(());
        }
        let at = self.place(place)?;
        self.store(a, at, place)
    }

    pub(super) fn clear(&mut self, place: &Place) -> Result<(), Stop> {
        if let Some((first, count, _)) = self.registers(place)? {
            for d in (first..).take(count) {
                let a = self.zero;
                self.emit(Ins::Move { d, a });
            }
            self.set_flags(first, count, true);
            return Ok(());
        }
        if place.bits.is_some() {
            let zero = self.zero;
            return self.write(place, zero);
        }
        let (p, count) = self.range(place)?;
        let byte = self.zero;
        self.emit(Ins::Fill { p, byte, count });
        Ok(())
    }

    /// A place gets a value that the program does not determine: a chosen one if it is an integer that is not invented, else an unknown one.
    pub(super) fn input(&mut self, place: &Place, source: &Input) -> Result<(), Stop> {
        let is_given = !matches!(source, Input::Invented { .. });
        match Class::of(&self.program.types, place.ty) {
            Class::Int(info) if self.has_inputs && is_given => {
                let d = self.temporary(1);
                let asked = self.asked(info);
                self.emit(Ins::Input { d, asked });
                self.write(place, d)
            }
            _ if is_given => self.forget(place),
            _ => self.invent(place),
        }
    }

    /// A place gets a value that the model invents. No chosen one stands for it: an execution with chosen inputs ends where a plain variable with it is read, and here if it is in memory.
    pub(super) fn invent(&mut self, place: &Place) -> Result<(), Stop> {
        if self.has_inputs && self.registers(place)?.is_none() {
            return Err(Stop("an invented value in memory"));
        }
        self.forget(place)
    }

    /// A place gets an unknown value.
    pub(super) fn forget(&mut self, place: &Place) -> Result<(), Stop> {
        if let Some((first, count, is_static)) = self.registers(place)? {
            if is_static {
                return Err(Stop::INPUT);
            }
            // A variable without a flag is never read before it gets a value.
            self.set_flags(first, count, false);
            return Ok(());
        }
        if place.bits.is_some() {
            return Err(Stop::INPUT);
        }
        let (p, count) = self.range(place)?;
        self.emit(Ins::Forget { p, count });
        Ok(())
    }

    /// A pointer to a place in memory, and its size.
    pub(super) fn range(&mut self, place: &Place) -> Result<(Reg, Reg), Stop> {
        let size = self
            .program
            .types
            .size_of(place.ty)
            .ok_or(Stop("a place of unknown size"))?;
        let at = self.place(place)?;
        let p = self.lea(at);
        Ok((p, self.constant(size)))
    }

    pub(super) fn lea(&mut self, at: At) -> Reg {
        if at.i == self.zero && at.add == 0 && at.t == at.o + 1 {
            return at.o;
        }
        let d = self.temporary(2);
        self.emit(Ins::Lea { d, at });
        d
    }

    /// Copies a record or array.
    pub(super) fn copy(&mut self, to: &Place, from: &Place) -> Result<(), Stop> {
        let (target, source) = (self.registers(to)?, self.registers(from)?);
        let types = &self.program.types;
        match (target, source) {
            (None, None) => {
                let size = types.size_of(to.ty).ok_or(Stop("a record of unknown size"))?;
                let (p, q) = (self.place(to)?, self.place(from)?);
                let (p, q) = (self.lea(p), self.lea(q));
                let count = self.constant(size);
                self.emit(Ins::Copy { p, q, count });
            }
            (Some((d, count, false)), Some((a, _, false))) => {
                // Unknown bytes may be copied.
                let one = self.one;
                for i in (0..).take(count) {
                    self.emit(Ins::Move { d: d + i, a: a + i });
                    if let Some(flag) = self.flag(d + i) {
                        let a = self.flag(a + i).unwrap_or(one);
                        self.emit(Ins::Move { d: flag, a });
                    }
                }
            }
            (Some((d, count, _)), Some(_)) => {
                let a = self.readable(from)?.expect("it is in registers");
                for i in (0..).take(count) {
                    self.emit(Ins::Move { d: d + i, a: a + i });
                }
                self.set_flags(d, count, true);
            }
            (Some((d, count, _)), None) => {
                let at = self.place(from)?;
                let p = self.lea(at);
                self.load_leaves(d, p, from)?;
                self.set_flags(d, count, true);
            }
            (None, Some(_)) => {
                let a = self.readable(from)?.expect("it is in registers");
                let (p, count) = self.range(to)?;
                self.emit(Ins::Forget { p, count });
                self.store_leaves(a, p, from)?;
            }
        }
        Ok(())
    }

    pub(super) fn load_leaves(&mut self, d: Reg, p: Reg, place: &Place) -> Result<(), Stop> {
        for (leaf, at) in self.leaves_at(p, place)? {
            self.load(d + leaf.0, at, &leaf.1)?;
        }
        Ok(())
    }

    pub(super) fn store_leaves(&mut self, a: Reg, p: Reg, place: &Place) -> Result<(), Stop> {
        for (leaf, at) in self.leaves_at(p, place)? {
            self.store(a + leaf.0, at, &leaf.1)?;
        }
        Ok(())
    }

    /// The scalars of a record behind a pointer: the register's distance and the place, which is only looked at for its type and bits.
    #[allow(clippy::type_complexity, reason = "the parts are named where they are used")]
    pub(super) fn leaves_at(&self, p: Reg, place: &Place) -> Result<Vec<((Reg, Place), At)>, Stop> {
        let leaves = leaves(&self.program.types, place.ty).ok_or(Stop("a record with arrays in registers"))?;
        let at = |leaf: Leaf| {
            let at = At {
                t: p + 1,
                o: p,
                i: self.zero,
                scale: 0,
                add: i32::try_from(leaf.offset).map_err(|_| Stop("a big record"))?,
            };
            let kind = Place {
                bits: leaf.bits,
                ..Place::var(VarId(0), leaf.ty)
            };
            Ok(((leaf.register as Reg, kind), at))
        };
        leaves.into_iter().map(at).collect()
    }
}
