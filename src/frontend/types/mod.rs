//! C types, interned: equal types have equal [`TypeId`]s, so that comparing and copying a type is comparing and copying a
//! `u32`.
//!
//! Sizes, alignments and layouts are those of gcc for x86 (ILP32 is `-m32`, LP64 is `-m64`); computing them is in `layout`.
//!
//! Qualifiers are part of a `TypeId` while a program is being analysed (`const` is checked, `_Generic` distinguishes it), but
//! a finished translation unit holds only *plain* types: no qualifier and no `aligned` attribute at any level (layouts, in which
//! alignments matter, are computed by then). [`Types::get`] looks through qualifiers in any case.
//!
//! Of complex numbers, vectors and decimal floating-point numbers the plain type is a record of their parts ([`Made`]): who reads a
//! finished unit needs no knowledge of them to copy, store and address them, and computes with their parts.
//!
//! A VLA's length is part of its type as a [`VlaId`], as C says that it is evaluated once, where the declaration is reached.
//!
//! | module | does |
//! |---|---|
//! | [`float`] | IEEE 754 arithmetic on bit patterns |
//! | `layout` | sizes, alignments, record layout |
//! | [`varargs`] | the type `va_list` |

pub mod float;
pub(super) mod layout;
pub mod varargs;

use super::text::source::Loc;
use float::Format;
use std::collections::HashMap;
use std::fmt::Write;
use varargs::VaList;

/// A type. Equal ids mean the same type.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(u32);

/// A struct or union declaration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct RecordId(pub u32);

/// An enum declaration.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct EnumId(pub u32);

/// One occurrence of a variable array length; the expression is in the translation unit.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VlaId(pub u32);

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

#[derive(Clone, Debug)]
struct Entry {
    ty: Type,
    quals: Quals,
    /// The same type without its outermost qualifiers.
    unqualified: TypeId,
    /// The same type without qualifiers and alignment at any level.
    plain: TypeId,
    /// An alignment that a typedef or attribute set, if any. 0: none.
    align: u64,
}

/// All types of one translation unit.
#[derive(Clone, Debug)]
pub struct Types {
    model: DataModel,
    entries: Vec<Entry>,
    index: HashMap<(Type, Quals, u64), TypeId>,
    /// The plain types of complex numbers, vectors and decimal numbers.
    made: HashMap<Type, TypeId>,
    records: Vec<Record>,
    enums: Vec<Enum>,
    va_list: VaList,
}

const FIRST_INTS: [IntKind; 13] = [
    IntKind::Char,
    IntKind::SChar,
    IntKind::UChar,
    IntKind::Short,
    IntKind::UShort,
    IntKind::Int,
    IntKind::UInt,
    IntKind::Long,
    IntKind::ULong,
    IntKind::LongLong,
    IntKind::ULongLong,
    IntKind::Int128,
    IntKind::UInt128,
];

impl Types {
    /// `void`
    pub const VOID: TypeId = TypeId(0);
    /// `_Bool`
    pub const BOOL: TypeId = TypeId(1);
    /// `char`
    pub const CHAR: TypeId = TypeId(2);
    /// `int`
    pub const INT: TypeId = TypeId(7);
    /// `unsigned int`
    pub const UINT: TypeId = TypeId(8);
    /// `double`
    pub const DOUBLE: TypeId = TypeId(15);
    /// `void *`
    pub const VOID_PTR: TypeId = TypeId(16);
    /// `char *`
    pub const CHAR_PTR: TypeId = TypeId(17);

    /// The basic types of a data model.
    pub fn new(model: DataModel) -> Types {
        let mut types = Types {
            model,
            entries: Vec::new(),
            index: HashMap::new(),
            made: HashMap::new(),
            records: Vec::new(),
            enums: Vec::new(),
            va_list: VaList::NONE,
        };
        assert_eq!(types.intern(Type::Void), Types::VOID);
        assert_eq!(types.intern(Type::Bool), Types::BOOL);
        for kind in FIRST_INTS {
            assert_eq!(types.intern(Type::Int(kind)), Types::int(kind));
        }
        assert_eq!(types.intern(Type::Float(FloatKind::Double)), Types::DOUBLE);
        assert_eq!(types.pointer_to(Types::VOID), Types::VOID_PTR);
        assert_eq!(types.pointer_to(Types::CHAR), Types::CHAR_PTR);
        types.va_list = VaList::new(&mut types);
        types
    }

    /// The type of an integer kind.
    pub fn int(kind: IntKind) -> TypeId {
        // `FIRST_INTS` lists the kinds in declaration order right after `void` and `_Bool`.
        TypeId(2 + kind as u32)
    }

    /// The data model that sizes are computed for.
    pub fn data_model(&self) -> DataModel {
        self.model
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> TypeId {
        self.intern_with(ty, Quals::NONE, 0)
    }

    fn intern_with(&mut self, ty: Type, quals: Quals, align: u64) -> TypeId {
        if let Some(&id) = self.index.get(&(ty.clone(), quals, align)) {
            return id;
        }
        let plain_ty = match &ty {
            Type::Pointer(to) => Type::Pointer(self.plain(*to)),
            Type::Array { elem, len } => Type::Array {
                elem: self.plain(*elem),
                len: *len,
            },
            Type::Function {
                ret,
                params,
                variadic,
                prototyped,
            } => Type::Function {
                ret: self.plain(*ret),
                params: params.iter().map(|&p| self.plain(p)).collect(),
                variadic: *variadic,
                prototyped: *prototyped,
            },
            Type::Complex(_) | Type::Vector { .. } | Type::Decimal(_) => Type::Record(self.record_of_parts(&ty)),
            other => other.clone(),
        };
        let is_plain = plain_ty == ty && quals == Quals::NONE && align == 0;
        let plain = (!is_plain).then(|| self.intern(plain_ty));
        let unqualified = (quals != Quals::NONE).then(|| self.intern_with(ty.clone(), Quals::NONE, align));
        let id = TypeId(u32::try_from(self.entries.len()).expect("fewer than 2^32 types"));
        self.entries.push(Entry {
            ty: ty.clone(),
            quals,
            unqualified: unqualified.unwrap_or(id),
            plain: plain.unwrap_or(id),
            align,
        });
        self.index.insert((ty, quals, align), id);
        id
    }

    /// The record that the parts of a complex number, vector or decimal number make up.
    fn record_of_parts(&mut self, ty: &Type) -> RecordId {
        let key = match *ty {
            Type::Complex(of) => Type::Complex(self.plain(of)),
            Type::Vector { elem, bytes } => Type::Vector {
                elem: self.plain(elem),
                bytes,
            },
            _ => ty.clone(),
        };
        if let Some(&known) = self.made.get(&key) {
            return self.as_record(known).expect("only records are made");
        }
        let part = |name: &str, ty: TypeId, offset: u64| Field {
            name: Some(name.into()),
            ty,
            offset,
            bits: None,
            loc: Loc::NONE,
        };
        let (made, size, align, fields) = match key {
            Type::Complex(of) => {
                let size = self.size_of(of).unwrap_or(0);
                let fields = vec![part("real", of, 0), part("imag", of, size)];
                (Made::Complex, 2 * size, self.align_of(of).unwrap_or(1), fields)
            }
            Type::Vector { elem, bytes } => {
                let count = bytes / self.size_of(elem).unwrap_or(1).max(1);
                let elements = self.array_of(elem, ArrayLen::Fixed(count));
                (Made::Vector, bytes, bytes.max(1), vec![part("element", elements, 0)])
            }
            Type::Decimal(bytes) => {
                let elements = self.array_of(Types::int(IntKind::UChar), ArrayLen::Fixed(bytes));
                (Made::Decimal, bytes, bytes.max(1), vec![part("byte", elements, 0)])
            }
            _ => unreachable!("the caller matched the kinds"),
        };
        let name = match made {
            Made::Complex => "complex".to_owned(),
            Made::Vector => "vector".to_owned(),
            _ => format!("decimal{}", 8 * size),
        };
        let id = self.new_record(RecordKind::Struct, Some(name.into()), Loc::NONE);
        let record = self.record_mut(id);
        (record.made, record.fields, record.size, record.align) = (made, fields, size, align);
        record.complete = true;
        let ty = self.intern(Type::Record(id));
        self.made.insert(key, ty);
        id
    }

    fn entry(&self, id: TypeId) -> &Entry {
        &self.entries[id.0 as usize]
    }

    /// The type without its qualifiers.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.entry(id).ty
    }

    /// The outermost qualifiers.
    pub fn quals(&self, id: TypeId) -> Quals {
        self.entry(id).quals
    }

    /// The type with more qualifiers; of an array, its elements get them.
    pub fn qualified(&mut self, id: TypeId, quals: Quals) -> TypeId {
        if quals == Quals::NONE {
            return id;
        }
        if let Type::Array { elem, len } = *self.get(id) {
            let elem = self.qualified(elem, quals);
            return self.intern(Type::Array { elem, len });
        }
        let entry = self.entry(id);
        let (ty, all, align) = (entry.ty.clone(), entry.quals.with(quals), entry.align);
        self.intern_with(ty, all, align)
    }

    /// The type without its outermost qualifiers.
    pub fn unqualified(&self, id: TypeId) -> TypeId {
        self.entry(id).unqualified
    }

    /// The type without qualifiers at any level.
    pub fn plain(&self, id: TypeId) -> TypeId {
        self.entry(id).plain
    }

    /// The type with its alignment replaced, as `__attribute__((aligned(n)))` on a typedef does. 0 resets.
    pub fn with_align(&mut self, id: TypeId, align: u64) -> TypeId {
        let entry = self.entry(id);
        let (ty, quals) = (entry.ty.clone(), entry.quals);
        self.intern_with(ty, quals, align)
    }

    /// The alignment that an attribute set on this type.
    pub(super) fn explicit_align(&self, id: TypeId) -> Option<u64> {
        let align = self.entry(id).align;
        (align != 0).then_some(align)
    }

    /// The struct or union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub(super) fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    /// Makes the types of all members plain.
    pub(super) fn make_fields_plain(&mut self) {
        for record in &mut self.records {
            for field in &mut record.fields {
                field.ty = self.entries[field.ty.0 as usize].plain;
            }
        }
    }

    /// All structs and unions in order of declaration.
    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        (0..).map(RecordId).zip(&self.records)
    }

    /// A new struct or union, incomplete.
    pub fn new_record(&mut self, kind: RecordKind, name: Option<Box<str>>, loc: Loc) -> RecordId {
        let id = RecordId(u32::try_from(self.records.len()).expect("fewer than 2^32 records"));
        self.records.push(Record {
            name,
            made: Made::Declared,
            kind,
            fields: Vec::new(),
            size: 0,
            align: 1,
            complete: false,
            variable: false,
            aligns: Box::new([]),
            transparent: false,
            loc,
        });
        id
    }

    /// The enumeration.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    /// The value of an enumeration constant. Constants of one name in different scopes are not distinguished: the last one counts.
    pub fn enum_constant(&self, name: &str) -> Option<i128> {
        let mut constants = self.enums.iter().rev().flat_map(|e| &e.constants);
        constants.find(|(other, _)| **other == *name).map(|(_, value)| *value)
    }

    pub(super) fn enumeration_mut(&mut self, id: EnumId) -> &mut Enum {
        &mut self.enums[id.0 as usize]
    }

    /// A new enumeration, incomplete.
    pub fn new_enum(&mut self, name: Option<Box<str>>) -> EnumId {
        let id = EnumId(u32::try_from(self.enums.len()).expect("fewer than 2^32 enums"));
        self.enums.push(Enum {
            name,
            int: IntKind::UInt,
            constants: Vec::new(),
            complete: false,
        });
        id
    }

    /// The parts of `va_list`.
    pub fn va_list(&self) -> &VaList {
        &self.va_list
    }

    /// The pointer to a type.
    pub fn pointer_to(&mut self, id: TypeId) -> TypeId {
        self.intern(Type::Pointer(id))
    }

    /// The array of a type.
    pub fn array_of(&mut self, elem: TypeId, len: ArrayLen) -> TypeId {
        self.intern(Type::Array { elem, len })
    }

    /// The plain pointer to a type, if the program has it already; for readers of a finished unit.
    pub fn find_pointer_to(&self, id: TypeId) -> Option<TypeId> {
        self.index.get(&(Type::Pointer(id), Quals::NONE, 0)).copied()
    }

    /// Width and signedness of what is an integer at run time: `_Bool`, integers, enums, pointers (unsigned).
    pub fn integer(&self, id: TypeId) -> Option<IntInfo> {
        match *self.get(id) {
            Type::Bool => Some(IntInfo {
                width: 1,
                signed: false,
            }),
            Type::Int(kind) => Some(IntInfo {
                width: kind.width(self.model),
                signed: kind.signed(),
            }),
            Type::BitInt { width, signed } => Some(IntInfo { width, signed }),
            Type::Enum(e) => {
                let kind = self.enumeration(e).int;
                Some(IntInfo {
                    width: kind.width(self.model),
                    signed: kind.signed(),
                })
            }
            Type::Pointer(_) => Some(IntInfo {
                width: if self.model == DataModel::Lp64 { 64 } else { 32 },
                signed: false,
            }),
            _ => None,
        }
    }

    /// Whether it is a pointer.
    pub fn is_pointer(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Pointer(_))
    }

    /// Whether it is `_Bool`, an integer or an enum (not a pointer).
    pub fn is_integral(&self, id: TypeId) -> bool {
        matches!(
            self.get(id),
            Type::Bool | Type::Int(_) | Type::BitInt { .. } | Type::Enum(_)
        )
    }

    /// The format of a (real) floating type.
    pub fn format(&self, id: TypeId) -> Option<Format> {
        match self.get(id) {
            Type::Float(kind) => Some(kind.format()),
            _ => None,
        }
    }

    /// Whether it is a (real) floating type.
    pub fn is_float(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Float(_))
    }

    /// Whether it is an integral, floating or complex type.
    pub fn is_arithmetic(&self, id: TypeId) -> bool {
        matches!(
            self.get(id),
            Type::Bool
                | Type::Int(_)
                | Type::BitInt { .. }
                | Type::Enum(_)
                | Type::Float(_)
                | Type::Decimal(_)
                | Type::Complex(_)
        )
    }

    /// Whether it is an arithmetic type or a pointer.
    pub fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.is_pointer(id)
    }

    /// Whether it is `void`, qualified or not.
    pub fn is_void(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Void)
    }

    /// Whether it is a function type.
    pub fn is_function(&self, id: TypeId) -> bool {
        matches!(self.get(id), Type::Function { .. })
    }

    /// The record, if it is one.
    pub fn as_record(&self, id: TypeId) -> Option<RecordId> {
        match *self.get(id) {
            Type::Record(r) => Some(r),
            _ => None,
        }
    }

    /// The meaning of a record; for other types, `Declared`.
    pub fn made(&self, id: TypeId) -> Made {
        self.as_record(id).map_or(Made::Declared, |r| self.record(r).made)
    }

    /// The type to which a pointer points.
    pub fn pointee(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Pointer(to) => Some(to),
            _ => None,
        }
    }

    /// The element type of an array or vector.
    pub fn element(&self, id: TypeId) -> Option<TypeId> {
        match *self.get(id) {
            Type::Array { elem, .. } | Type::Vector { elem, .. } => Some(elem),
            _ => None,
        }
    }

    /// The type in C-like words, for messages: `const char *`, `struct foo [3]`, `int (*)(void)`.
    pub fn display(&self, id: TypeId) -> String {
        self.declare(id, String::new(), 0)
    }

    /// A declaration of `inner` with this type; types that nest deeper than anybody reads are cut.
    fn declare(&self, id: TypeId, inner: String, depth: u32) -> String {
        if depth > 32 {
            return format!("... {inner}");
        }
        let entry = self.entry(id);
        let mut quals = String::new();
        for (bit, word) in [
            (Quals::CONST, "const "),
            (Quals::VOLATILE, "volatile "),
            (Quals::ATOMIC, "_Atomic "),
        ] {
            if entry.quals.has(bit) {
                quals.push_str(word);
            }
        }
        let space = if inner.is_empty() { "" } else { " " };
        let base = match &entry.ty {
            Type::Void => "void".to_owned(),
            Type::Bool => "_Bool".to_owned(),
            Type::Int(kind) => kind.name().to_owned(),
            Type::BitInt { width, signed: true } => format!("_BitInt({width})"),
            Type::BitInt { width, signed: false } => format!("unsigned _BitInt({width})"),
            Type::Float(kind) => kind.name().to_owned(),
            Type::Decimal(bytes) => format!("_Decimal{}", 8 * bytes),
            Type::Complex(of) => format!("_Complex {}", self.display(*of)),
            Type::Vector { elem, bytes } => {
                format!("__attribute__((vector_size({bytes}))) {}", self.display(*elem))
            }
            Type::Enum(e) => format!("enum {}", self.enumeration(*e).name.as_deref().unwrap_or("<anonymous>")),
            Type::Record(r) => {
                let record = self.record(*r);
                let keyword = if record.kind == RecordKind::Struct {
                    "struct"
                } else {
                    "union"
                };
                format!("{keyword} {}", record.name.as_deref().unwrap_or("<anonymous>"))
            }
            Type::Pointer(to) => {
                let star = format!("*{}{inner}", quals);
                let wrapped = match self.get(*to) {
                    Type::Array { .. } | Type::Function { .. } => format!("({star})"),
                    _ => star,
                };
                return self.declare(*to, wrapped, depth + 1);
            }
            Type::Array { elem, len } => {
                let mut text = inner;
                match len {
                    ArrayLen::Fixed(n) => write!(text, "[{n}]").expect("writing to a string"),
                    ArrayLen::Incomplete => text.push_str("[]"),
                    ArrayLen::Variable(_) => text.push_str("[*]"),
                }
                return self.declare(*elem, text, depth + 1);
            }
            Type::Function {
                ret,
                params,
                variadic,
                prototyped,
            } => {
                let mut list: Vec<String> = params
                    .iter()
                    .map(|&p| self.declare(p, String::new(), depth + 1))
                    .collect();
                if *variadic {
                    list.push("...".to_owned());
                }
                if list.is_empty() && *prototyped {
                    list.push("void".to_owned());
                }
                return self.declare(*ret, format!("{inner}({})", list.join(", ")), depth + 1);
            }
        };
        format!("{quals}{base}{space}{inner}")
    }
}
