//! The kinds of integers and floating-point numbers, and the data models that say how wide they are.

use super::float::Format;

/// The sizes of `long` and pointers: 32 bits each (ILP32) or 64 bits each (LP64).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DataModel {
    /// `int`, `long` and pointers of 32 bits; `long long` and `double` in structs have alignment 4.
    Ilp32,
    /// `long` and pointers of 64 bits.
    Lp64,
}

impl DataModel {
    /// Bytes of a pointer.
    pub fn pointer_bytes(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// The type of `sizeof`.
    pub fn size_t(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        }
    }

    /// The type of the difference of two pointers.
    pub fn ptrdiff_t(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }
}

/// The integer types other than `_Bool` and enums. Plain `char` is signed.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum IntKind {
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

impl IntKind {
    /// The width in bits.
    pub fn width(self, model: DataModel) -> u32 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 8,
            Short | UShort => 16,
            Int | UInt => 32,
            Long | ULong => match model {
                DataModel::Ilp32 => 32,
                DataModel::Lp64 => 64,
            },
            LongLong | ULongLong => 64,
            Int128 | UInt128 => 128,
        }
    }

    /// Whether the type is signed.
    pub fn signed(self) -> bool {
        use IntKind::*;
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    /// The conversion rank; the two types of one signedness pair have the same.
    pub fn rank(self) -> u32 {
        use IntKind::*;
        match self {
            Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 3,
            Long | ULong => 4,
            LongLong | ULongLong => 5,
            Int128 | UInt128 => 6,
        }
    }

    /// The unsigned type of the same rank.
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::*;
        match self {
            Char | SChar | UChar => UChar,
            Short | UShort => UShort,
            Int | UInt => UInt,
            Long | ULong => ULong,
            LongLong | ULongLong => ULongLong,
            Int128 | UInt128 => UInt128,
        }
    }

    /// The C name.
    pub fn name(self) -> &'static str {
        use IntKind::*;
        match self {
            Char => "char",
            SChar => "signed char",
            UChar => "unsigned char",
            Short => "short",
            UShort => "unsigned short",
            Int => "int",
            UInt => "unsigned int",
            Long => "long",
            ULong => "unsigned long",
            LongLong => "long long",
            ULongLong => "unsigned long long",
            Int128 => "__int128",
            UInt128 => "unsigned __int128",
        }
    }
}

/// The floating types, by format.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum FloatKind {
    Float16,
    Float,
    Double,
    LongDouble,
    Float32,
    Float64,
    Float32x,
    Float64x,
    Float128,
}

impl FloatKind {
    /// The C name.
    pub fn name(self) -> &'static str {
        match self {
            FloatKind::Float16 => "_Float16",
            FloatKind::Float => "float",
            FloatKind::Double => "double",
            FloatKind::LongDouble => "long double",
            FloatKind::Float32 => "_Float32",
            FloatKind::Float64 => "_Float64",
            FloatKind::Float32x => "_Float32x",
            FloatKind::Float64x => "_Float64x",
            FloatKind::Float128 => "_Float128",
        }
    }

    /// The format of its values.
    pub fn format(self) -> Format {
        match self {
            FloatKind::Float16 => Format::Half,
            FloatKind::Float | FloatKind::Float32 => Format::Single,
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => Format::Double,
            FloatKind::LongDouble | FloatKind::Float64x => Format::Extended,
            FloatKind::Float128 => Format::Quad,
        }
    }
}

/// Width and signedness of a type that is an integer at run time.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct IntInfo {
    /// Value bits including the sign: 1 for `_Bool`, which is stored in 8.
    pub width: u32,
    /// Whether values may be negative.
    pub signed: bool,
}

impl IntInfo {
    /// The value in range that is congruent to `value` modulo 2^width (for 128 unsigned bits: its bit pattern).
    pub fn wrap(self, value: i128) -> i128 {
        if self.width >= 128 {
            return value;
        }
        let shift = 128 - self.width;
        if self.signed {
            (value << shift) >> shift
        } else {
            ((value << shift).cast_unsigned() >> shift).cast_signed()
        }
    }
}
