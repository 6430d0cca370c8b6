//! The table of all types: interning, and what types are.

use super::float::Format;
use super::record::VaList;
use super::record::{Enum, Field, Made, Record, RecordKind};
use super::scalar::{DataModel, FloatKind, IntInfo, IntKind};
use super::ty::{ArrayLen, EnumId, Quals, RecordId, Type, TypeId};
use crate::frontend::text::source::Loc;
use std::collections::HashMap;
use std::fmt::Write;

#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) ty: Type,
    pub(super) quals: Quals,
    /// The same type without its outermost qualifiers.
    pub(super) unqualified: TypeId,
    /// The same type without qualifiers and alignment at any level.
    pub(super) plain: TypeId,
    /// An alignment that a typedef or attribute set, if any. 0: none.
    pub(super) align: u64,
}

/// All types of one translation unit.
#[derive(Clone, Debug)]
pub struct Types {
    pub(super) model: DataModel,
    pub(super) entries: Vec<Entry>,
    pub(super) index: HashMap<(Type, Quals, u64), TypeId>,
    /// The plain types of complex numbers, vectors and decimal numbers.
    pub(super) made: HashMap<Type, TypeId>,
    pub(super) records: Vec<Record>,
    pub(super) enums: Vec<Enum>,
    pub(super) va_list: VaList,
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
    pub const fn int(kind: IntKind) -> TypeId {
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

    /// The same type with the plain types of its parts, if it has parts.
    fn of_plain_parts(&self, ty: &Type) -> Option<Type> {
        Some(match ty {
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
            _ => return None,
        })
    }

    /// Whether the default argument promotions change a type (C11 6.5.2.2 §6). `_Float16` stays what it is.
    pub fn is_promoted(&self, ty: TypeId) -> bool {
        match self.get(ty) {
            Type::Float(FloatKind::Float) | Type::Bool => true,
            Type::Int(kind) => kind.rank() < IntKind::Int.rank(),
            Type::Enum(e) => self.enumeration(*e).int.rank() < IntKind::Int.rank(),
            _ => false,
        }
    }

    /// Whether a prototype is compatible with `()`: the default promotions change none of its parameters.
    pub fn fits_no_prototype(&self, params: &[TypeId], variadic: bool) -> bool {
        !variadic && params.iter().all(|&param| !self.is_promoted(param))
    }

    pub(super) fn intern_with(&mut self, ty: Type, quals: Quals, align: u64) -> TypeId {
        if let Some(&id) = self.index.get(&(ty.clone(), quals, align)) {
            return id;
        }
        let plain_ty = match &ty {
            Type::Complex(_) | Type::Vector { .. } | Type::Decimal(_) => Type::Record(self.record_of_parts(&ty)),
            other => self.of_plain_parts(other).unwrap_or_else(|| other.clone()),
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
    pub(super) fn record_of_parts(&mut self, ty: &Type) -> RecordId {
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

    pub(super) fn entry(&self, id: TypeId) -> &Entry {
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
            let align = self.entry(id).align;
            return self.intern_with(Type::Array { elem, len }, Quals::NONE, align);
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
    pub(in crate::frontend) fn explicit_align(&self, id: TypeId) -> Option<u64> {
        let align = self.entry(id).align;
        (align != 0).then_some(align)
    }

    /// The struct or union.
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    pub(in crate::frontend) fn record_mut(&mut self, id: RecordId) -> &mut Record {
        &mut self.records[id.0 as usize]
    }

    /// Makes the types of all members plain.
    pub(in crate::frontend) fn make_fields_plain(&mut self) {
        for record in &mut self.records {
            for field in &mut record.fields {
                field.ty = self.entries[field.ty.0 as usize].plain;
            }
        }
    }

    /// Lets the plain type of each record and enumeration be that of another one, the one with its number in the list. Plain types say so from now on.
    pub(in crate::frontend) fn join(&mut self, records: &[RecordId], enums: &[EnumId]) {
        // The parts of a type have smaller numbers than the type.
        for i in 0..self.entries.len() {
            let plain = match &self.entries[i].ty {
                Type::Record(r) => Some(Type::Record(records.get(r.0 as usize).copied().unwrap_or(*r))),
                Type::Enum(e) => Some(Type::Enum(enums.get(e.0 as usize).copied().unwrap_or(*e))),
                other => self.of_plain_parts(other),
            };
            if let Some(plain) = plain {
                self.entries[i].plain = self.intern(plain);
            }
        }
    }

    /// Takes away what nothing refers to any more: records and enumerations for which others stand.
    pub(in crate::frontend) fn forget_joined(&mut self, records: &[RecordId], enums: &[EnumId]) {
        for (i, &stands) in records.iter().enumerate() {
            if stands.0 as usize != i {
                let record = &mut self.records[i];
                (record.name, record.complete, record.size) = (None, false, 0);
                record.fields.clear();
            }
        }
        for (i, &stands) in enums.iter().enumerate() {
            if stands.0 as usize != i {
                self.enums[i].name = None;
            }
        }
    }

    /// All structs and unions in order of declaration.
    pub fn records(&self) -> impl Iterator<Item = (RecordId, &Record)> {
        (0..).map(RecordId).zip(&self.records)
    }

    /// All enumerations in order of declaration.
    pub fn enums(&self) -> impl Iterator<Item = (EnumId, &Enum)> {
        (0..).map(EnumId).zip(&self.enums)
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

    /// The values of the enumeration constants of a name, in different scopes and files.
    pub fn enum_constants(&self, name: &str) -> impl Iterator<Item = i128> {
        let constants = self.enums.iter().flat_map(|e| &e.constants);
        constants
            .filter(move |(other, _)| **other == *name)
            .map(|(_, value)| *value)
    }

    /// The value of an enumeration constant; `None` if there are several of the name with different values.
    pub fn enum_constant(&self, name: &str) -> Option<i128> {
        let mut values = self.enum_constants(name);
        let first = values.next()?;
        values.all(|value| value == first).then_some(first)
    }

    pub(in crate::frontend) fn enumeration_mut(&mut self, id: EnumId) -> &mut Enum {
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
    pub(super) fn declare(&self, id: TypeId, inner: String, depth: u32) -> String {
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
