//! The scalars that objects consist of: widths, ranges and the way from a record to its scalar members.

use crate::frontend::types::float::Format;
use crate::frontend::types::{ArrayLen, RecordId, RecordKind, Type, TypeId, Types};
use provident_smt::num::Int;

/// The kind of a scalar, as far as aliasing rules and arithmetic tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// `_Bool`.
    Bool,
    /// An integer or enumeration.
    Int,
    /// A pointer: an unsigned integer.
    Pointer,
    /// A floating-point value: its bit pattern as an unsigned integer, of x87's format without the leading bit of the significand, which the exponent determines.
    Float,
    /// A decimal floating-point value, vector or other thing that is moved but not computed with: any value.
    Opaque,
}

/// A scalar type as the machine sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scalar {
    /// Its class.
    pub class: Class,
    /// Value bits including the sign.
    pub width: u32,
    /// Whether values may be negative.
    pub signed: bool,
    /// Bytes in memory; of a bit-field, of its declared type.
    pub size: u64,
}

impl Scalar {
    /// The scalar of a type; `None` for records, arrays, functions and `void`.
    pub fn of(types: &Types, ty: TypeId) -> Option<Scalar> {
        let model = types.data_model();
        let int = |width: u32, signed: bool| Scalar {
            class: Class::Int,
            width,
            signed,
            size: u64::from(width / 8),
        };
        Some(match *types.get(ty) {
            Type::Bool => Scalar {
                class: Class::Bool,
                width: 1,
                signed: false,
                size: 1,
            },
            Type::Int(kind) => int(kind.width(model), kind.signed()),
            Type::BitInt { width, signed } => Scalar {
                size: types.size_of(ty)?,
                ..int(width, signed)
            },
            Type::Enum(e) => {
                let kind = types.enumeration(e).int;
                int(kind.width(model), kind.signed())
            }
            Type::Pointer(_) => {
                let size = model.pointer_bytes();
                Scalar {
                    class: Class::Pointer,
                    width: bits(size),
                    signed: false,
                    size,
                }
            }
            Type::Float(kind) => Scalar {
                class: Class::Float,
                width: match kind.format() {
                    Format::Extended => 79,
                    format => format.width(),
                },
                signed: false,
                size: types.size_of(ty)?,
            },
            Type::Decimal(_) | Type::Complex(_) | Type::Vector { .. } => {
                let size = types.size_of(ty)?;
                Scalar {
                    class: Class::Opaque,
                    width: bits(size),
                    signed: false,
                    size,
                }
            }
            Type::Void | Type::Array { .. } | Type::Function { .. } | Type::Record(_) => return None,
        })
    }

    /// The scalar of a bit-field of this declared type.
    pub fn narrowed(self, width: u32) -> Scalar {
        Scalar {
            width: width.min(self.width),
            ..self
        }
    }

    /// Whether values are any values.
    pub fn is_opaque(self) -> bool {
        self.class == Class::Opaque
    }

    /// The format of a floating-point value.
    pub fn format(self) -> Option<Format> {
        match (self.class, self.width) {
            (Class::Float, 16) => Some(Format::Half),
            (Class::Float, 32) => Some(Format::Single),
            (Class::Float, 64) => Some(Format::Double),
            (Class::Float, 79) => Some(Format::Extended),
            (Class::Float, 128) => Some(Format::Quad),
            _ => None,
        }
    }

    /// 2^width.
    pub fn period(self) -> Int {
        Int::pow2(self.width)
    }

    /// A short name for operators and regions: `i32`, `u8`, `p64`.
    pub fn name(self) -> String {
        let letter = match self.class {
            Class::Bool => "b",
            Class::Int if self.signed => "i",
            Class::Int => "u",
            Class::Pointer => "p",
            Class::Float => "f",
            Class::Opaque => "o",
        };
        format!("{letter}{}", self.width)
    }

    /// The unsigned integer with the same bits.
    pub fn unsigned(self) -> Scalar {
        Scalar {
            class: Class::Int,
            signed: false,
            ..self
        }
    }
}

fn bits(bytes: u64) -> u32 {
    u32::try_from(bytes.saturating_mul(8)).unwrap_or(u32::MAX)
}

/// The bits of a bit-field inside its record.
pub type Bits = crate::cfa::BitRange;

/// A scalar member of an object, however deep. Arrays count as one leaf with an extent.
#[derive(Debug, Clone)]
pub struct Leaf {
    /// Bytes from the start of the object.
    pub offset: u64,
    /// Bytes from the first byte of the first to behind the last byte of the last element.
    pub extent: u64,
    /// Whether elements of an array are meant, not one scalar.
    pub array: bool,
    /// For elements of an array: a number that divides the distances between any two of them. Else 0.
    pub step: u64,
    /// The type of the scalar.
    pub ty: TypeId,
    /// The same as a scalar.
    pub scalar: Scalar,
    /// The place of a bit-field, relative to the start of the object.
    pub bits: Option<Bits>,
    /// The innermost record and field; `None` if there is no record.
    pub field: Option<(RecordId, u32)>,
    /// The fields from the outside to the inside.
    pub path: Vec<u32>,
    /// The number of leading fields of the path that lie outside of any union; `None` if there is no union on the way.
    pub union_at: Option<usize>,
}

/// The extent given to a flexible array member, whose length no type says.
const OPEN: u64 = 1 << 32;

/// The leaves of a type in order of declaration.
pub fn leaves(types: &Types, ty: TypeId) -> Vec<Leaf> {
    let mut walk = Walk::new(types);
    walk.visit(ty, At::START);
    walk.found
}

/// The leaves of a record.
pub fn record_leaves(types: &Types, record: RecordId) -> Vec<Leaf> {
    let mut walk = Walk::new(types);
    walk.record(record, At::START);
    walk.found
}

/// The leaves behind the end of a type: of an array of length 0 that its last member is, or the last member of that, and so on.
///
/// A flexible array member is among the leaves already.
pub fn tail_leaves(types: &Types, ty: TypeId) -> Vec<Leaf> {
    let mut walk = Walk::new(types);
    let (mut ty, mut at) = (ty, At::START);
    while let Type::Record(record) = *types.get(ty) {
        let declaration = types.record(record);
        let last = (0u32..).zip(&declaration.fields).last();
        let Some((i, field)) = last.filter(|_| declaration.kind == RecordKind::Struct) else {
            break;
        };
        walk.path.push(i);
        at.offset += field.offset;
        at.field = Some((record, i));
        ty = field.ty;
        if let Type::Array {
            elem,
            len: ArrayLen::Fixed(0),
        } = *types.get(ty)
        {
            let step = types.size_of(elem).unwrap_or(0);
            let (array, repeated) = (true, OPEN);
            walk.visit(
                elem,
                At {
                    array,
                    step,
                    repeated,
                    ..at
                },
            );
        }
    }
    walk.found
}

/// The greatest common divisor; 0 is divided by all numbers.
fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

struct Walk<'a> {
    types: &'a Types,
    found: Vec<Leaf>,
    path: Vec<u32>,
}

#[derive(Clone, Copy)]
struct At {
    offset: u64,
    /// Bytes between the first and the last instance.
    repeated: u64,
    array: bool,
    step: u64,
    field: Option<(RecordId, u32)>,
    union_at: Option<usize>,
}

impl At {
    /// The start of what is walked over.
    const START: At = At {
        offset: 0,
        repeated: 0,
        array: false,
        step: 0,
        field: None,
        union_at: None,
    };
}

impl<'a> Walk<'a> {
    fn new(types: &'a Types) -> Walk<'a> {
        Walk {
            types,
            found: Vec::new(),
            path: Vec::new(),
        }
    }

    fn visit(&mut self, ty: TypeId, at: At) {
        match *self.types.get(ty) {
            Type::Array { elem, len } => {
                let size = self.types.size_of(elem).unwrap_or(0);
                let distance = match len {
                    ArrayLen::Fixed(0) => return,
                    ArrayLen::Fixed(n) => size.saturating_mul(n - 1),
                    ArrayLen::Incomplete | ArrayLen::Variable(_) => OPEN,
                };
                self.visit(
                    elem,
                    At {
                        repeated: at.repeated.saturating_add(distance),
                        array: true,
                        step: common_divisor(at.step, size),
                        ..at
                    },
                );
            }
            Type::Record(record) => self.record(record, at),
            _ => {
                if let Some(scalar) = Scalar::of(self.types, ty) {
                    self.push(ty, scalar, at, None);
                }
            }
        }
    }

    fn record(&mut self, record: RecordId, at: At) {
        let declaration = self.types.record(record);
        let union_at = match declaration.kind {
            RecordKind::Union => at.union_at.or(Some(self.path.len())),
            RecordKind::Struct => at.union_at,
        };
        for (i, field) in (0u32..).zip(&declaration.fields) {
            self.path.push(i);
            let inner = At {
                offset: at.offset + field.offset,
                field: Some((record, i)),
                union_at,
                ..at
            };
            match field.bits {
                None => self.visit(field.ty, inner),
                Some(b) => {
                    let bits = Bits {
                        offset: at.offset * 8 + b.bit_offset,
                        width: b.width,
                    };
                    self.bit_field(field.ty, inner, bits);
                }
            }
            self.path.pop();
        }
    }

    fn bit_field(&mut self, ty: TypeId, at: At, bits: Bits) {
        if let Some(scalar) = Scalar::of(self.types, ty) {
            self.push(ty, scalar.narrowed(bits.width), at, Some(bits));
        }
    }

    fn push(&mut self, ty: TypeId, scalar: Scalar, at: At, bits: Option<Bits>) {
        let size = match bits {
            Some(b) => (b.offset % 8 + u64::from(b.width)).div_ceil(8),
            None => scalar.size,
        };
        let offset = bits.map_or(at.offset, |b| b.offset / 8);
        self.found.push(Leaf {
            offset,
            extent: at.repeated.saturating_add(size),
            array: at.array,
            step: at.step,
            ty,
            scalar,
            bits,
            field: at.field,
            path: self.path.clone(),
            union_at: at.union_at,
        });
    }
}
