//! Declaration specifiers: storage class, type, qualifiers, attributes, in any order.

use super::ast::ExprKind;
use super::attribute::Attributes;
use super::parser::{Meaning, Parsed, Parser};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

/// The storage class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

/// The specifiers before the declarators.
#[derive(Clone, Debug)]
pub struct Specifiers {
    pub ty: TypeId,
    pub storage: Option<Storage>,
    pub inline: bool,
    pub thread_local: bool,
    /// C23 `constexpr`
    pub constexpr: bool,
    /// `__auto_type`
    pub auto_type: bool,
    /// No type was given: `int` by the old rule.
    pub implicit_int: bool,
    pub attributes: Attributes,
    pub loc: Loc,
}

/// The type words seen so far.
#[derive(Default)]
struct Words {
    /// `char`, `int`, `float`, ... at most one.
    base: Option<Tok>,
    long: u32,
    short: bool,
    signed: bool,
    unsigned: bool,
    complex: bool,
    /// The number of bits of `_BitInt(n)`.
    bits: Option<u32>,
    /// A complete type: typedef name, struct, `typeof`.
    ty: Option<TypeId>,
}

impl Words {
    fn is_empty(&self) -> bool {
        self.base.is_none()
            && self.ty.is_none()
            && self.long == 0
            && !(self.short || self.signed || self.unsigned || self.complex)
    }
}

impl Parser<'_> {
    /// Whether the next token begins a declaration.
    pub fn at_declaration(&self) -> bool {
        use Tok::*;
        match self.tok() {
            Typedef | Extern | Static | Auto | Register | ThreadLocal | Inline | Noreturn | Alignas | Attribute
            | StaticAssert | Constexpr => true,
            LBracket => self.at_attributes(),
            _ => self.at_type_name(),
        }
    }

    /// Whether the next token begins a type name.
    pub fn at_type_name(&self) -> bool {
        use Tok::*;
        match self.tok() {
            Const | Volatile | Restrict | Atomic | Void | Bool | CharType | Short | Int | Long | Signed | Unsigned
            | Int128 | Int128Type | UInt128Type | Float | Double | Complex | Float16 | Float32 | Float64 | Float128
            | Float32x | Float64x | Float80 | Decimal32 | Decimal64 | Decimal128 | BitInt | Struct | Union | Enum
            | Typeof | TypeofUnqual | AutoType | VaList => true,
            Extension => {
                self.tok_at(1) != Extension && {
                    // `__extension__` may stand before a declaration and before an expression.
                    matches!(
                        self.tok_at(1),
                        Typedef
                            | Extern
                            | Static
                            | Struct
                            | Union
                            | Enum
                            | Const
                            | Volatile
                            | Void
                            | CharType
                            | Short
                            | Int
                            | Long
                            | Signed
                            | Unsigned
                            | Float
                            | Double
                            | Typeof
                            | Inline
                            | Bool
                            | Attribute
                            | Complex
                            | Int128
                            | BitInt
                            | Decimal32
                            | Decimal64
                            | Decimal128
                    ) || self.typedef_at(1)
                }
            }
            Ident => self.typedef_at(0),
            _ => false,
        }
    }

    fn typedef_at(&self, ahead: usize) -> bool {
        let Some(token) = self.tokens.get(self.pos + ahead) else {
            return false;
        };
        token.tok == Tok::Ident
            && matches!(
                self.lookup(Symbol(token.data)).map(|b| b.meaning),
                Some(Meaning::Typedef(_))
            )
    }

    /// Reads specifiers. With `need_type`, a missing type is an error, otherwise it is `int`. Long, as it has a case for each keyword.
    pub fn declaration_specifiers(&mut self, need_type: bool) -> Parsed<Specifiers> {
        let loc = self.loc();
        let mut specs = Specifiers {
            ty: Types::INT,
            storage: None,
            inline: false,
            thread_local: false,
            constexpr: false,
            auto_type: false,
            implicit_int: false,
            attributes: Attributes::default(),
            loc,
        };
        let mut words = Words::default();
        let mut quals = Quals::NONE;
        loop {
            let storage = match self.tok() {
                Tok::Typedef => Some(Storage::Typedef),
                Tok::Extern => Some(Storage::Extern),
                Tok::Static => Some(Storage::Static),
                Tok::Auto => Some(Storage::Auto),
                Tok::Register => Some(Storage::Register),
                _ => None,
            };
            if let Some(storage) = storage {
                let at = self.bump().loc;
                if specs.storage.is_some() {
                    return self.fail(at, "multiple storage classes in declaration specifiers");
                }
                specs.storage = Some(storage);
                continue;
            }
            match self.tok() {
                Tok::Const => quals = quals.with(Quals::CONST),
                Tok::Volatile => quals = quals.with(Quals::VOLATILE),
                Tok::Restrict => quals = quals.with(Quals::RESTRICT),
                Tok::Inline => specs.inline = true,
                Tok::Noreturn => specs.attributes.function.noreturn = true,
                Tok::ThreadLocal => specs.thread_local = true,
                Tok::Extension => {}
                Tok::Constexpr => {
                    specs.constexpr = true;
                    quals = quals.with(Quals::CONST);
                }
                Tok::Attribute => {
                    self.attributes(&mut specs.attributes)?;
                    continue;
                }
                Tok::LBracket if self.at_attributes() => {
                    self.attributes(&mut specs.attributes)?;
                    continue;
                }
                Tok::Alignas => {
                    self.alignas(&mut specs.attributes)?;
                    continue;
                }
                Tok::Atomic if self.tok_at(1) == Tok::LParen && words.is_empty() => {
                    self.pos += 2;
                    words.ty = Some(self.type_name()?);
                    quals = quals.with(Quals::ATOMIC);
                    self.expect(Tok::RParen, "')'")?;
                    continue;
                }
                Tok::Atomic => quals = quals.with(Quals::ATOMIC),
                _ => {
                    if !self.type_word(&mut words, &mut specs)? {
                        break;
                    }
                    continue;
                }
            }
            self.bump();
        }
        if words.is_empty() {
            if need_type && specs.storage.is_none() && quals == Quals::NONE && !specs.inline {
                return self.unexpected("a type");
            }
            specs.implicit_int = true;
        }
        let ty = self.type_of_words(&words, loc)?;
        let ty = self.apply_type_attributes(ty, &specs.attributes, loc)?;
        specs.ty = self.types.qualified(ty, quals);
        Ok(specs)
    }

    /// Takes one token or construct that belongs to the type; `false` if the next does not. Long, as it has a case for each keyword.
    fn type_word(&mut self, words: &mut Words, specs: &mut Specifiers) -> Parsed<bool> {
        let token = self.token();
        let complete = match token.tok {
            Tok::Ident if words.is_empty() => match self.lookup(Symbol(token.data)).map(|b| b.meaning) {
                Some(Meaning::Typedef(ty)) => {
                    self.bump();
                    Some(ty)
                }
                _ => return Ok(false),
            },
            Tok::Struct | Tok::Union => Some(self.record_specifier()?),
            Tok::Enum => Some(self.enum_specifier()?),
            Tok::Typeof => Some(self.typeof_specifier()?),
            Tok::TypeofUnqual => {
                let ty = self.typeof_specifier()?;
                Some(self.types.unqualified(ty))
            }
            Tok::AutoType => {
                self.bump();
                specs.auto_type = true;
                Some(Types::INT)
            }
            Tok::VaList => {
                self.bump();
                Some(self.types.va_list().ty)
            }
            Tok::Int128Type | Tok::UInt128Type => {
                self.bump();
                self.need_int128(token.loc)?;
                let kind = if token.tok == Tok::Int128Type {
                    IntKind::Int128
                } else {
                    IntKind::UInt128
                };
                Some(Types::int(kind))
            }
            _ => None,
        };
        if let Some(ty) = complete {
            if !words.is_empty() {
                return self.fail(token.loc, "two or more data types in declaration specifiers");
            }
            words.ty = Some(ty);
            return Ok(true);
        }
        let repeated = match token.tok {
            Tok::Long => {
                words.long += 1;
                words.long > 2 || words.short
            }
            Tok::Short => std::mem::replace(&mut words.short, true) || words.long > 0,
            Tok::Signed => std::mem::replace(&mut words.signed, true) || words.unsigned,
            Tok::Unsigned => std::mem::replace(&mut words.unsigned, true) || words.signed,
            Tok::Complex => std::mem::replace(&mut words.complex, true),
            Tok::Void
            | Tok::Bool
            | Tok::CharType
            | Tok::Int
            | Tok::Int128
            | Tok::Float
            | Tok::Double
            | Tok::Float16
            | Tok::Float32
            | Tok::Float64
            | Tok::Float80
            | Tok::Float128
            | Tok::Float32x
            | Tok::Float64x
            | Tok::Decimal32
            | Tok::Decimal64
            | Tok::Decimal128
            | Tok::BitInt => words.base.replace(token.tok).is_some(),
            _ => return Ok(false),
        };
        if repeated || words.ty.is_some() {
            return self.fail(token.loc, "invalid combination of type specifiers");
        }
        self.bump();
        if token.tok == Tok::BitInt {
            self.expect(Tok::LParen, "'('")?;
            let loc = self.loc();
            let bits = self.constant_expression()?;
            self.expect(Tok::RParen, "')'")?;
            match u32::try_from(bits) {
                Ok(bits @ 1..) => words.bits = Some(bits),
                _ => return self.fail(loc, "'_BitInt' argument is not a positive number of bits"),
            }
        }
        Ok(true)
    }

    /// `_BitInt(bits)`. Up to 128 bits: wider numbers are refused by name.
    pub fn bit_precise_type(&mut self, bits: u32, signed: bool, loc: Loc) -> Parsed<TypeId> {
        if signed && bits < 2 {
            return self.fail(loc, "'signed _BitInt' argument must be at least 2");
        }
        if bits == 1 {
            // Everything behind the front end takes an integer of one bit for a truth value, to which conversions work otherwise.
            return self.fail(loc, "'unsigned _BitInt(1)' is not supported");
        }
        if bits > 128 {
            return self.fail(
                loc,
                format!("'_BitInt({bits})' has more than 128 bits, which is not supported"),
            );
        }
        Ok(self.types.intern(Type::BitInt { width: bits, signed }))
    }

    fn need_int128(&mut self, loc: Loc) -> Parsed<()> {
        match self.types.data_model() {
            DataModel::Lp64 => Ok(()),
            DataModel::Ilp32 => self.fail(loc, "__int128 is not supported on this target"),
        }
    }

    fn type_of_words(&mut self, words: &Words, loc: Loc) -> Parsed<TypeId> {
        if let Some(ty) = words.ty {
            return Ok(ty);
        }
        let sized = words.short || words.long > 0;
        let marked = words.signed || words.unsigned;
        let int = |signed: IntKind| if words.unsigned { signed.to_unsigned() } else { signed };
        let float = |kind| Type::Float(kind);
        let bad = "invalid combination of type specifiers";
        let ty = match words.base {
            None | Some(Tok::Int) => {
                if words.complex && !sized && !marked && words.base.is_none() {
                    float(FloatKind::Double)
                } else {
                    Type::Int(int(match (words.short, words.long) {
                        (true, _) => IntKind::Short,
                        (_, 0) => IntKind::Int,
                        (_, 1) => IntKind::Long,
                        _ => IntKind::LongLong,
                    }))
                }
            }
            Some(Tok::Double) if words.long == 1 && !marked => float(FloatKind::LongDouble),
            _ if sized => return self.fail(loc, bad),
            Some(Tok::BitInt) => {
                let bits = words.bits.unwrap_or(0);
                let ty = self.bit_precise_type(bits, !words.unsigned, loc)?;
                self.types.get(ty).clone()
            }
            Some(Tok::CharType) if words.signed => Type::Int(IntKind::SChar),
            Some(Tok::CharType) => Type::Int(int(IntKind::Char)),
            Some(Tok::Int128) => {
                self.need_int128(loc)?;
                Type::Int(int(IntKind::Int128))
            }
            _ if marked => return self.fail(loc, bad),
            Some(Tok::Void) => Type::Void,
            Some(Tok::Bool) => Type::Bool,
            Some(Tok::Float) => float(FloatKind::Float),
            Some(Tok::Double) => float(FloatKind::Double),
            Some(Tok::Float16) => float(FloatKind::Float16),
            Some(Tok::Float32) => float(FloatKind::Float32),
            Some(Tok::Float64) => float(FloatKind::Float64),
            Some(Tok::Float80) => float(FloatKind::LongDouble),
            Some(Tok::Float128) => float(FloatKind::Float128),
            Some(Tok::Float32x) => float(FloatKind::Float32x),
            Some(Tok::Float64x) => float(FloatKind::Float64x),
            Some(Tok::Decimal32) => Type::Decimal(4),
            Some(Tok::Decimal64) => Type::Decimal(8),
            Some(Tok::Decimal128) => Type::Decimal(16),
            Some(_) => return self.fail(loc, bad),
        };
        if words.complex && matches!(ty, Type::Void | Type::Bool | Type::Decimal(_) | Type::BitInt { .. }) {
            return self.fail(loc, bad);
        }
        let ty = self.types.intern(ty);
        Ok(if words.complex {
            self.types.intern(Type::Complex(ty))
        } else {
            ty
        })
    }

    fn typeof_specifier(&mut self) -> Parsed<TypeId> {
        self.bump();
        self.expect(Tok::LParen, "'('")?;
        let ty = if self.at_type_name() {
            self.type_name()?
        } else {
            let e = self.expression()?;
            if self.is_bit_field(e) {
                let loc = self.expr_loc(e);
                return self.fail(loc, "'typeof' applied to a bit-field");
            }
            let ty = self.ty(e);
            if self.is_variably_modified(ty) && !matches!(self.kind(e), ExprKind::Local(_) | ExprKind::Global(_)) {
                // The operand is evaluated, as the lengths in a type are: with an element more that nothing refers to.
                let loc = self.expr_loc(e);
                let operand = self.void_cast(e);
                let one = self.int_expr(Types::INT, loc, 1);
                let length = self.expr(Types::INT, loc, ExprKind::Comma(operand, one));
                self.new_vla(Some(length));
            }
            ty
        };
        self.expect(Tok::RParen, "')'")?;
        Ok(ty)
    }
}
