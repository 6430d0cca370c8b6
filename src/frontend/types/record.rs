//! Records and enumerations as data.

use super::scalar::IntKind;
use super::ty::{RecordId, TypeId};
use crate::frontend::text::source::Loc;

/// Struct or union.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum RecordKind {
    Struct,
    Union,
}

/// A bit-field's place.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    /// The first bit, counted from the start of the record, little endian.
    pub bit_offset: u64,
    /// The number of bits; zero only for the unnamed separators, which are no fields and never appear here.
    pub width: u32,
}

/// A member of a struct or union.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name, `None` for an anonymous struct or union member. Unnamed bit-fields are padding and no fields.
    pub name: Option<Box<str>>,
    /// The type; of a bit-field, the declared one.
    pub ty: TypeId,
    /// Bytes from the start of the record; of a bit-field, the byte that holds its first bit.
    pub offset: u64,
    /// The place of a bit-field.
    pub bits: Option<BitField>,
    /// Where the member is declared.
    pub loc: Loc,
}

/// Where a record comes from.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Made {
    /// The program declares it.
    Declared,
    /// It is the plain type of a complex number: two fields, the real and the imaginary part.
    Complex,
    /// It is the plain type of a GNU vector: one field, the array of the elements.
    Vector,
    /// It is the plain type of a decimal floating-point number: one field, an array of bytes.
    Decimal,
}

/// A struct or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// The tag.
    pub name: Option<Box<str>>,
    /// Whether the program declares it, or it stands for a type that C has no record for.
    pub made: Made,
    /// Struct or union.
    pub kind: RecordKind,
    /// The members in order.
    pub fields: Vec<Field>,
    /// Size in bytes; 0 as long as incomplete.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Whether the members are known.
    pub complete: bool,
    /// Whether a member is a variable-length array (GNU), so that size and later offsets are known at run time only.
    pub variable: bool,
    /// Of a variable record: the alignment that each member has in it. Empty where a bit-field lies behind a member of variable size.
    pub aligns: Box<[u64]>,
    /// Whether it is a `transparent_union`.
    pub transparent: bool,
    /// Where it is declared first.
    pub loc: Loc,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enum {
    /// The tag.
    pub name: Option<Box<str>>,
    /// The compatible integer type.
    pub int: IntKind,
    /// The constants with their values, in order.
    pub constants: Vec<(Box<str>, i128)>,
    /// Whether the constants are known.
    pub complete: bool,
}

/// The types behind `va_list`.
#[derive(Clone, Copy, Debug)]
pub struct VaList {
    /// `va_list`, plain.
    pub ty: TypeId,
    /// The record that holds one argument; incomplete until calls are lowered.
    pub slot: RecordId,
    /// The pointer to a slot.
    pub pointer: TypeId,
    /// In LP64, the record that `va_list` is an array of.
    pub tag: Option<RecordId>,
}

/// The member of the record that points to the next slot.
pub const NEXT_FIELD: u32 = 2;
