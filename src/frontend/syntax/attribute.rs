//! `__attribute__((...))`, `_Alignas` and assembler names. Attributes that change types, layout or control flow are kept; the rest is
//! read and forgotten, as gcc does under `-w` with attributes that it does not know.

use super::ast::FunctionAttributes;
use super::parser::{Parsed, Parser};
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

/// Attributes collected at one place.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    /// `packed`
    pub packed: bool,
    /// `aligned(n)` or `_Alignas(n)`, in bytes.
    pub aligned: Option<u64>,
    /// `mode(DI)` and the like.
    pub mode: Option<Box<str>>,
    /// `vector_size(n)`
    pub vector_size: Option<u64>,
    /// `transparent_union`
    pub transparent_union: bool,
    /// The function of `cleanup(f)`.
    pub cleanup: Option<Symbol>,
    /// The attributes of functions.
    pub function: FunctionAttributes,
}

/// The alignment of `aligned` without a number: the largest useful one on x86.
const BIGGEST_ALIGNMENT: u64 = 16;

/// The priority of constructors and destructors without one.
const LAST_PRIORITY: u64 = 65535;

impl Parser<'_> {
    /// Reads any number of attribute lists.
    pub fn attributes(&mut self, into: &mut Attributes) -> Parsed<()> {
        loop {
            if self.at_standard_attributes() {
                self.standard_attributes(into)?;
                continue;
            }
            if !self.eat(Tok::Attribute) {
                break;
            }
            self.expect(Tok::LParen, "'(('")?;
            self.expect(Tok::LParen, "'(('")?;
            while self.tok() != Tok::RParen {
                if self.eat(Tok::Comma) {
                    continue;
                }
                self.attribute(into)?;
                if !matches!(self.tok(), Tok::Comma | Tok::RParen) {
                    return self.unexpected("',' or '))'");
                }
            }
            self.expect(Tok::RParen, "'))'")?;
            self.expect(Tok::RParen, "'))'")?;
        }
        Ok(())
    }

    /// Whether an attribute list of either kind is next.
    pub fn at_attributes(&self) -> bool {
        self.tok() == Tok::Attribute || self.at_standard_attributes()
    }

    /// Whether `[[` is next: nothing else in C begins so.
    fn at_standard_attributes(&self) -> bool {
        self.tok() == Tok::LBracket && self.tok_at(1) == Tok::LBracket
    }

    /// `[[name, prefix::name(...)]]`. An attribute that is not gcc's has the meaning of gcc's attribute of that name.
    fn standard_attributes(&mut self, into: &mut Attributes) -> Parsed<()> {
        self.pos += 2;
        while self.tok() != Tok::RBracket {
            if self.eat(Tok::Comma) {
                continue;
            }
            if self.tok_at(1) == Tok::Colon && self.tok_at(2) == Tok::Colon {
                let prefix = self.spelling(self.token());
                self.pos += 3;
                if !matches!(prefix, b"gnu" | b"__gnu__") {
                    self.bump();
                    if self.tok() == Tok::LParen {
                        self.skip_parens()?;
                    }
                    continue;
                }
            }
            self.attribute(into)?;
            if !matches!(self.tok(), Tok::Comma | Tok::RBracket) {
                return self.unexpected("',' or ']]'");
            }
        }
        self.expect(Tok::RBracket, "']]'")?;
        self.expect(Tok::RBracket, "']]'").map(drop)
    }

    fn attribute(&mut self, into: &mut Attributes) -> Parsed<()> {
        let token = self.bump();
        let spelling = self.spelling(token);
        if !spelling.first().is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_') {
            self.pos -= 1;
            return self.unexpected("an attribute");
        }
        let name = spelling
            .strip_prefix(b"__")
            .and_then(|n| n.strip_suffix(b"__"))
            .unwrap_or(spelling);
        let has_arguments = self.tok() == Tok::LParen;
        match name {
            b"packed" => into.packed = true,
            b"transparent_union" => into.transparent_union = true,
            b"noreturn" => into.function.noreturn = true,
            b"weak" => into.function.weak = true,
            b"gnu_inline" => into.function.gnu_inline = true,
            b"constructor" | b"destructor" => {
                let priority = if has_arguments {
                    self.attribute_number()?
                } else {
                    LAST_PRIORITY
                };
                let function = &mut into.function;
                let which = if name == b"constructor" {
                    &mut function.constructor
                } else {
                    &mut function.destructor
                };
                *which = Some(priority);
                return Ok(());
            }
            b"cleanup" if has_arguments && self.tok_at(1) == Tok::Ident => {
                into.cleanup = Some(Symbol(self.tokens[self.pos + 1].data));
            }
            b"const" | b"pure" => into.function.pure = true,
            b"malloc" => into.function.malloc = true,
            b"aligned" => {
                let value = if has_arguments {
                    self.attribute_number()?
                } else {
                    BIGGEST_ALIGNMENT
                };
                return self.set_alignment(into, value, token.loc);
            }
            b"vector_size" if has_arguments => {
                into.vector_size = Some(self.attribute_number()?);
                return Ok(());
            }
            b"mode" if has_arguments && self.tok_at(1) == Tok::Ident => {
                let mode = self.name(Symbol(self.tokens[self.pos + 1].data));
                into.mode = Some(mode.trim_matches('_').into());
            }
            // Every byte of a verdict on such a record would be wrong.
            b"scalar_storage_order"
                if has_arguments
                    && self.tok_at(1) == Tok::String
                    && self.spelling(self.tokens[self.pos + 1]) != b"\"little-endian\"" =>
            {
                return self.fail(
                    token.loc,
                    "records with the order of bytes of other machines are not supported",
                );
            }
            b"ms_struct" => {
                return self.fail(
                    token.loc,
                    "records with the layout of another compiler are not supported",
                );
            }
            b"ifunc" if has_arguments => {
                return self.fail(
                    token.loc,
                    "functions that are chosen when the program is loaded are not supported",
                );
            }
            b"alias" if has_arguments && self.tok_at(1) == Tok::String => {
                let text = String::from_utf8_lossy(self.spelling(self.tokens[self.pos + 1])).into_owned();
                into.function.alias = Some(text.trim_matches('"').into());
            }
            _ => {}
        }
        if has_arguments { self.skip_parens() } else { Ok(()) }
    }

    fn attribute_number(&mut self) -> Parsed<u64> {
        self.expect(Tok::LParen, "'('")?;
        let loc = self.loc();
        let value = self.constant_expression()?;
        self.expect(Tok::RParen, "')'")?;
        match u64::try_from(value) {
            Ok(value) => Ok(value),
            Err(_) => self.fail(loc, "attribute argument is negative"),
        }
    }

    fn set_alignment(
        &mut self,
        into: &mut Attributes,
        value: u64,
        loc: crate::frontend::text::source::Loc,
    ) -> Parsed<()> {
        if value == 0 {
            return Ok(());
        }
        if !value.is_power_of_two() || value > 1 << 28 {
            return self.fail(loc, "requested alignment is not a positive power of 2");
        }
        into.aligned = into.aligned.max(Some(value));
        into.function.aligned = into.aligned;
        Ok(())
    }

    /// `_Alignas(type)` or `_Alignas(n)`; the keyword is next.
    pub fn alignas(&mut self, into: &mut Attributes) -> Parsed<()> {
        let loc = self.bump().loc;
        self.expect(Tok::LParen, "'('")?;
        let value = if self.at_type_name() {
            let ty = self.type_name()?;
            match self.types.align_of(ty) {
                Some(align) => align,
                None => return self.fail(loc, "_Alignas of an incomplete type"),
            }
        } else {
            u64::try_from(self.constant_expression()?).unwrap_or(3)
        };
        self.expect(Tok::RParen, "')'")?;
        self.set_alignment(into, value, loc)
    }

    /// The base type of a declaration after `mode` and `vector_size`.
    pub fn apply_type_attributes(
        &mut self,
        base: TypeId,
        attributes: &Attributes,
        loc: crate::frontend::text::source::Loc,
    ) -> Parsed<TypeId> {
        let mut ty = base;
        if let Some(mode) = &attributes.mode {
            ty = self.apply_mode(ty, mode, loc)?;
        }
        if let Some(bytes) = attributes.vector_size {
            let size = self.types.size_of(ty).unwrap_or(0);
            if !(self.types.is_integral(ty) || self.types.is_float(ty)) || size == 0 {
                return self.fail(loc, "invalid vector type for attribute 'vector_size'");
            }
            if bytes == 0 || bytes % size != 0 || !(bytes / size).is_power_of_two() {
                return self.fail(loc, "number of vector components is not a power of two");
            }
            ty = self.types.intern(Type::Vector {
                elem: self.types.unqualified(ty),
                bytes,
            });
        }
        Ok(ty)
    }

    fn apply_mode(&mut self, ty: TypeId, mode: &str, loc: crate::frontend::text::source::Loc) -> Parsed<TypeId> {
        let lp64 = self.types.data_model() == DataModel::Lp64;
        let quals = self.types.quals(ty);
        let signed = self.types.integer(ty).is_none_or(|i| i.signed);
        let kind = match mode {
            "QI" | "byte" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" if lp64 => IntKind::Long,
            "DI" => IntKind::LongLong,
            "TI" if lp64 => IntKind::Int128,
            "word" | "pointer" | "unwind_word" => IntKind::Long,
            "SF" | "DF" | "XF" | "TF" => {
                let kind = match mode {
                    "SF" => FloatKind::Float,
                    "DF" => FloatKind::Double,
                    "XF" => FloatKind::LongDouble,
                    _ => FloatKind::Float128,
                };
                let ty = self.types.intern(Type::Float(kind));
                return Ok(self.types.qualified(ty, quals));
            }
            _ => return self.fail(loc, format!("unknown machine mode '{mode}'")),
        };
        if !self.types.is_integral(ty) {
            // gcc applies float modes of complex types and vector modes here, which no program in sight uses.
            return Ok(ty);
        }
        let kind = if signed { kind } else { kind.to_unsigned() };
        Ok(self.types.qualified(Types::int(kind), quals))
    }
}
