//! Types as data: ids, derived types, qualifiers.

use super::scalar::{FloatKind, IntKind};

/// A type. Equal ids mean the same type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub(super) u32);

/// A struct or union declaration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub u32);

/// An enum declaration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnumId(pub u32);

/// One occurrence of a variable array length; the expression is in the translation unit.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VlaId(pub u32);

/// The length of an array type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArrayLen {
    /// A constant number of elements; zero is allowed (GNU).
    Fixed(u64),
    /// `[]`: not known here (an extern declaration) or a flexible array member.
    Incomplete,
    /// A variable-length array.
    Variable(VlaId),
}

/// A type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Type {
    Void,
    /// `_Bool`: values 0 and 1, stored in one byte.
    Bool,
    Int(IntKind),
    /// `_BitInt(width)`: `width` bits with the sign, no integer promotion.
    BitInt {
        width: u32,
        signed: bool,
    },
    Float(FloatKind),
    /// `_Decimal32`, `_Decimal64` or `_Decimal128`, by its bytes.
    Decimal(u64),
    /// `_Complex` of a floating or (GNU) integer type.
    Complex(TypeId),
    /// A GNU vector of `bytes` bytes in all.
    Vector {
        elem: TypeId,
        bytes: u64,
    },
    Enum(EnumId),
    Pointer(TypeId),
    Array {
        elem: TypeId,
        len: ArrayLen,
    },
    Function {
        ret: TypeId,
        params: Box<[TypeId]>,
        variadic: bool,
        prototyped: bool,
    },
    Record(RecordId),
}

/// Type qualifiers as a set of bits.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Quals(pub u8);

impl Quals {
    /// No qualifier.
    pub const NONE: Quals = Quals(0);
    /// `const`
    pub const CONST: Quals = Quals(1);
    /// `volatile`
    pub const VOLATILE: Quals = Quals(2);
    /// `restrict`
    pub const RESTRICT: Quals = Quals(4);
    /// `_Atomic`
    pub const ATOMIC: Quals = Quals(8);

    /// Whether all of `other` are in the set.
    pub fn has(self, other: Quals) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    pub fn with(self, other: Quals) -> Quals {
        Quals(self.0 | other.0)
    }
}
