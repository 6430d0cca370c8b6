//! Where variables are: in registers, or in objects whose tags are in registers.

use super::code::Reg;
use crate::cfa::program::math::Shape as Meaning;
use crate::cfa::{BitRange, FuncId, Place, PlaceBase, Program, Proj, VarId};
use crate::frontend::types::float::Format;
use crate::frontend::types::{ArrayLen, IntInfo, RecordKind, Type, TypeId, Types};

/// The class of a scalar type for the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// An integer of up to 64 bits.
    Int(IntInfo),
    /// A pointer, in two registers.
    Pointer,
    /// IEEE 754 binary32 and binary64.
    Float32,
    /// The latter.
    Float64,
    /// An integer of up to 128 bits, in two registers: its bit pattern.
    Wide(IntInfo),
    /// A floating-point number of another format, in two registers.
    Float(Format),
    /// Something that the machine has no operations for.
    Other,
}

impl Class {
    /// The class of a scalar type.
    pub fn of(types: &Types, ty: TypeId) -> Class {
        if types.is_pointer(ty) {
            return Class::Pointer;
        }
        match types.get(ty) {
            Type::Float(kind) => match kind.format() {
                Format::Single => Class::Float32,
                Format::Double => Class::Float64,
                format => Class::Float(format),
            },
            _ => match types.integer(ty) {
                Some(info) if info.width <= 64 => Class::Int(info),
                Some(info) if info.width <= 128 => Class::Wide(info),
                _ => Class::Other,
            },
        }
    }

    /// The meaning of the bits of a register, or of a pair of them. Pointers, and types without operations, have none.
    pub fn shape(self) -> Meaning {
        match self {
            Class::Int(info) | Class::Wide(info) => Meaning::Int(info),
            Class::Float32 => Meaning::Float(Format::Single),
            Class::Float64 => Meaning::Float(Format::Double),
            Class::Float(format) => Meaning::Float(format),
            Class::Pointer | Class::Other => unreachable!("no number: {self:?}"),
        }
    }

    /// The number of registers.
    pub fn registers(self) -> usize {
        match self {
            Class::Pointer | Class::Wide(_) | Class::Float(_) | Class::Other => 2,
            _ => 1,
        }
    }
}

/// A scalar of a record.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    /// Bytes from the record's start; of a bit-field, to the record that it is in.
    pub offset: u64,
    /// Registers from the record's first.
    pub register: usize,
    /// Its type.
    pub ty: TypeId,
    /// For a bit-field, its bits.
    pub bits: Option<BitRange>,
}

/// The scalars of a plain variable's type, in order. `None` for types that plain variables do not have.
pub fn leaves(types: &Types, ty: TypeId) -> Option<Vec<Leaf>> {
    let mut found = Vec::new();
    let mut register = 0;
    collect(types, ty, 0, &mut register, &mut found)?;
    Some(found)
}

fn collect(types: &Types, ty: TypeId, offset: u64, register: &mut usize, found: &mut Vec<Leaf>) -> Option<()> {
    match *types.get(ty) {
        Type::Record(id) => {
            let record = types.record(id);
            if record.kind == RecordKind::Union {
                return None;
            }
            for field in &record.fields {
                match field.bits {
                    Some(bits) => {
                        let bits = BitRange {
                            offset: bits.bit_offset,
                            width: bits.width,
                        };
                        found.push(Leaf {
                            offset,
                            register: *register,
                            ty: field.ty,
                            bits: Some(bits),
                        });
                        *register += Class::of(types, field.ty).registers();
                    }
                    None => collect(types, field.ty, offset + field.offset, register, found)?,
                }
            }
            Some(())
        }
        Type::Array {
            len: ArrayLen::Fixed(0),
            ..
        } => Some(()),
        Type::Array { .. } => None,
        _ => {
            found.push(Leaf {
                offset,
                register: *register,
                ty,
                bits: None,
            });
            *register += Class::of(types, ty).registers();
            Some(())
        }
    }
}

/// The number of registers of a plain variable's type.
fn registers(types: &Types, ty: TypeId) -> usize {
    match *types.get(ty) {
        Type::Record(id) => types.record(id).fields.iter().map(|f| registers(types, f.ty)).sum(),
        Type::Array {
            len: ArrayLen::Fixed(0),
            ..
        } => 0,
        _ => Class::of(types, ty).registers(),
    }
}

/// Where the variables of one owner are, counted from its first register.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    /// Registers of plain variables.
    pub plain: usize,
    /// Variables in memory, whose tags are in the registers behind the plain ones, in this order.
    pub objects: Vec<VarId>,
}

/// Where all variables are.
#[derive(Debug)]
pub struct Layout {
    /// For each variable its first register, or its number among the objects.
    homes: Vec<usize>,
    statics: Shape,
    frames: Vec<Shape>,
}

impl Layout {
    /// Lays out the variables of a program.
    pub fn new(program: &Program) -> Layout {
        let mut layout = Layout {
            homes: Vec::with_capacity(program.vars.len()),
            statics: Shape::default(),
            frames: vec![Shape::default(); program.functions.len()],
        };
        for id in program.var_ids() {
            let var = program.var(id);
            let shape = match var.func {
                Some(func) => &mut layout.frames[func.index()],
                None => &mut layout.statics,
            };
            layout.homes.push(match var.in_memory {
                true => {
                    shape.objects.push(id);
                    shape.objects.len() - 1
                }
                false => {
                    let first = shape.plain;
                    shape.plain += registers(&program.types, var.ty);
                    first
                }
            });
        }
        layout
    }

    /// Static storage.
    pub fn statics(&self) -> &Shape {
        &self.statics
    }

    /// A function's frame.
    pub fn frame(&self, func: FuncId) -> &Shape {
        &self.frames[func.index()]
    }

    /// The first register of a plain variable among those of its owner, or the number of its object.
    pub fn home(&self, var: VarId) -> usize {
        self.homes[var.index()]
    }

    /// The number of registers of a function's plain variables.
    pub fn plain_registers(&self, func: FuncId) -> usize {
        self.frame(func).plain
    }

    /// The registers, among those of its variable's owner, of a place in a plain variable; `None` if it is in memory, or there is no such place.
    pub fn registers_of(&self, program: &Program, place: &Place) -> Option<(Reg, usize)> {
        let PlaceBase::Var(var) = place.base else { return None };
        if program.var(var).in_memory {
            return None;
        }
        let types = &program.types;
        let mut at = self.home(var);
        for step in &place.proj {
            let Proj::Field { record, field } = step else {
                return None;
            };
            let before = types.record(*record).fields.iter().zip(0..*field);
            at += before.map(|(f, _)| registers(types, f.ty)).sum::<usize>();
        }
        Some((Reg::try_from(at).ok()?, registers(types, place.ty)))
    }

    /// The same for a plain variable of a function, from first to end.
    pub fn plain_range(&self, program: &Program, func: FuncId, place: &Place) -> Option<(usize, usize)> {
        let PlaceBase::Var(var) = place.base else { return None };
        if program.var(var).func != Some(func) {
            return None;
        }
        let (first, count) = self.registers_of(program, place)?;
        Some((first as usize, first as usize + count))
    }
}
