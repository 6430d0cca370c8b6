//! `struct`, `union` and `enum` specifiers.

use super::attribute::Attributes;
use super::declarator::Form;
use super::parser::{Meaning, Parsed, Parser, Tag};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::layout::Member;
use crate::frontend::types::*;
use provident_smt::hash::FxHashSet;

impl Parser<'_> {
    /// `struct ...` or `union ...`; the keyword is next.
    pub fn record_specifier(&mut self) -> Parsed<TypeId> {
        let keyword = self.bump();
        let kind = if keyword.tok == Tok::Struct {
            RecordKind::Struct
        } else {
            RecordKind::Union
        };
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = if self.tok() == Tok::Ident {
            Some(self.expect_ident("a tag")?)
        } else {
            None
        };
        let loc = tag.map_or(keyword.loc, |(_, loc)| loc);
        let is_definition = self.tok() == Tok::LBrace;
        if tag.is_none() && !is_definition {
            return self.unexpected("a tag or '{'");
        }
        // `struct s;` declares a new tag in this scope, too.
        let is_declaration = is_definition || self.tok() == Tok::Semicolon;
        let id = self.record_tag(kind, tag.map(|(name, _)| name), loc, is_declaration)?;
        if is_definition {
            if self.types.record(id).complete || self.open_records.contains(&id) {
                let shown = self.display_record(id);
                return self.fail(loc, format!("redefinition of '{shown}'"));
            }
            self.open_records.push(id);
            let result = self.nested(|p| p.record_body(id, &mut attributes));
            self.open_records.pop();
            result?;
        }
        Ok(self.types.intern(Type::Record(id)))
    }

    fn display_record(&mut self, id: RecordId) -> String {
        let ty = self.types.intern(Type::Record(id));
        self.show(ty)
    }

    fn record_tag(
        &mut self,
        kind: RecordKind,
        tag: Option<Symbol>,
        loc: Loc,
        is_declaration: bool,
    ) -> Parsed<RecordId> {
        let Some(tag) = tag else {
            return Ok(self.types.new_record(kind, None, loc));
        };
        if let Some(found) = self.lookup_tag(tag)
            && (!is_declaration || found.depth == self.depth())
        {
            return match found.meaning {
                Tag::Record(id) if self.types.record(id).kind == kind => Ok(id),
                _ => self.fail(loc, format!("'{}' defined as wrong kind of tag", self.name(tag))),
            };
        }
        let name = self.boxed_name(tag);
        let id = self.types.new_record(kind, Some(name), loc);
        self.bind_tag(tag, Tag::Record(id));
        Ok(id)
    }

    fn record_body(&mut self, id: RecordId, attributes: &mut Attributes) -> Parsed<()> {
        self.expect(Tok::LBrace, "'{'")?;
        let mut members = Vec::new();
        self.members(&mut members)?;
        let end = self.pos;
        self.expect(Tok::RBrace, "a member or '}'")?;
        self.attributes(attributes)?;
        self.check_member_names(&members)?;
        let is_union = self.types.record(id).kind == RecordKind::Union;
        let last = members.len().saturating_sub(1);
        for (i, member) in members.iter().enumerate() {
            let flexible = matches!(
                self.types.get(member.field.ty),
                Type::Array {
                    len: ArrayLen::Incomplete,
                    ..
                }
            );
            if flexible && (is_union || i != last) {
                let loc = member.field.loc;
                let place = if is_union { "in union" } else { "not at end of struct" };
                return self.fail(loc, format!("flexible array member {place}"));
            }
            if flexible
                && members
                    .iter()
                    .all(|m| m.field.name.is_none() && m.width.is_some() || m.field.loc == member.field.loc)
            {
                let loc = member.field.loc;
                return self.fail(loc, "flexible array member in a struct with no named members");
            }
        }
        for member in &mut members {
            member.packed |= attributes.packed;
        }
        let pack = match self.packs.partition_point(|&(at, _)| at <= end).checked_sub(1) {
            Some(i) => self.packs[i].1,
            None => 0,
        };
        self.types.lay_out(id, members, pack, attributes.aligned);
        self.types.record_mut(id).transparent = attributes.transparent_union && is_union;
        Ok(())
    }

    fn members(&mut self, members: &mut Vec<Member>) -> Parsed<()> {
        while !matches!(self.tok(), Tok::RBrace | Tok::Eof) {
            if self.eat(Tok::Semicolon) {
                continue;
            }
            if self.tok() == Tok::StaticAssert {
                self.static_assert()?;
                continue;
            }
            if self.eat(Tok::Extension) {
                continue;
            }
            if !self.at_declaration() {
                return self.unexpected("a member declaration or '}'");
            }
            self.member_declaration(members)?;
        }
        Ok(())
    }

    fn member_declaration(&mut self, members: &mut Vec<Member>) -> Parsed<()> {
        let start = self.loc();
        let specs = self.declaration_specifiers(true)?;
        if self.tok() == Tok::Semicolon || self.tok() == Tok::RBrace {
            self.eat(Tok::Semicolon);
            // An anonymous struct or union is a member; `struct tag;` and the like declare nothing.
            if let Some(r) = self.types.as_record(specs.ty)
                && self.types.record(r).name.is_none()
            {
                let field = Field {
                    name: None,
                    ty: specs.ty,
                    offset: 0,
                    bits: None,
                    loc: start,
                };
                let (packed, aligned) = (specs.attributes.packed, specs.attributes.aligned);
                members.push(Member {
                    field,
                    width: None,
                    aligned,
                    packed,
                });
            }
            return Ok(());
        }
        loop {
            let declarator = self.declarator(specs.ty, Form::Member)?;
            let loc = declarator.loc;
            let name = declarator.name.map(|(name, _)| self.boxed_name(name));
            let ty = declarator.ty;
            let width = match declarator.width {
                Some(width) => Some(self.check_bit_field(ty, width, name.is_some(), loc)?),
                None => None,
            };
            if name.is_none() && width.is_none() {
                return self.unexpected("a member name");
            }
            if width.is_none() {
                self.check_member_type(ty, loc)?;
            }
            let field = Field {
                name,
                ty,
                offset: 0,
                bits: None,
                loc,
            };
            let packed = specs.attributes.packed || declarator.attributes.packed;
            let aligned = specs.attributes.aligned.max(declarator.attributes.aligned);
            members.push(Member {
                field,
                width,
                aligned,
                packed,
            });
            let mut ignored = Attributes::default();
            if self.eat(Tok::Comma) {
                self.attributes(&mut ignored)?;
                continue;
            }
            if self.tok() != Tok::RBrace {
                self.expect(Tok::Semicolon, "';'")?;
            }
            return Ok(());
        }
    }

    fn check_member_type(&mut self, ty: TypeId, loc: Loc) -> Parsed<()> {
        match self.types.get(ty) {
            Type::Function { .. } => self.fail(loc, "member declared as a function"),
            Type::Void => self.fail(loc, "member declared void"),
            Type::Array {
                len: ArrayLen::Incomplete,
                ..
            } => Ok(()),
            _ if self.is_incomplete(ty) => self.fail(loc, format!("member has incomplete type '{}'", self.show(ty))),
            _ => Ok(()),
        }
    }

    fn check_bit_field(&mut self, ty: TypeId, width: i128, named: bool, loc: Loc) -> Parsed<u32> {
        if !self.types.is_integral(ty) {
            return self.fail(loc, "bit-field has invalid type");
        }
        let most = match self.types.get(ty) {
            Type::Bool => 1,
            _ => self.types.integer(ty).map_or(0, |i| i.width),
        };
        match u32::try_from(width) {
            Err(_) => self.fail(loc, "negative width in bit-field"),
            Ok(width) if width > most => self.fail(loc, "width of bit-field exceeds its type"),
            Ok(0) if named => self.fail(loc, "zero width for a named bit-field"),
            Ok(width) => Ok(width),
        }
    }

    fn check_member_names(&mut self, members: &[Member]) -> Parsed<()> {
        let mut names: FxHashSet<Box<str>> = FxHashSet::default();
        for member in members {
            let mut found = Vec::new();
            self.collect_names(&member.field, &mut found);
            for name in found {
                if !names.insert(name.clone()) {
                    return self.fail(member.field.loc, format!("duplicate member '{name}'"));
                }
            }
        }
        Ok(())
    }

    /// The names that a member adds to its record: its own, or those of an anonymous record.
    fn collect_names(&self, field: &Field, into: &mut Vec<Box<str>>) {
        match (&field.name, self.types.as_record(field.ty)) {
            (Some(name), _) => into.push(name.clone()),
            (None, Some(r)) => {
                for inner in &self.types.record(r).fields {
                    self.collect_names(inner, into);
                }
            }
            (None, None) => {}
        }
    }

    /// `enum ...`; the keyword is next.
    pub fn enum_specifier(&mut self) -> Parsed<TypeId> {
        let keyword = self.bump().loc;
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = if self.tok() == Tok::Ident {
            Some(self.expect_ident("a tag")?)
        } else {
            None
        };
        let loc = tag.map_or(keyword, |(_, loc)| loc);
        let underlying = self.underlying_type()?;
        let is_definition = self.tok() == Tok::LBrace;
        let id = match tag {
            None if !is_definition => return self.unexpected("a tag or '{'"),
            None => self.types.new_enum(None),
            Some((tag, loc)) => self.enum_tag(tag, loc, is_definition)?,
        };
        if is_definition {
            if self.types.enumeration(id).complete {
                return self.fail(loc, "redefinition of an enum");
            }
            self.enum_body(id, &mut attributes)?;
        }
        if let Some(kind) = underlying {
            let declared = self.types.enumeration_mut(id);
            declared.int = kind;
            declared.complete = true;
        }
        Ok(self.types.intern(Type::Enum(id)))
    }

    /// C23: the type behind `enum tag :`. A colon without a type is that of a bit-field.
    fn underlying_type(&mut self) -> Parsed<Option<IntKind>> {
        if self.tok() != Tok::Colon {
            return Ok(None);
        }
        self.pos += 1;
        let has_type = self.at_type_name();
        self.pos -= 1;
        if !has_type {
            return Ok(None);
        }
        let loc = self.bump().loc;
        let ty = self.declaration_specifiers(true)?.ty;
        match *self.types.get(ty) {
            Type::Int(kind) => Ok(Some(kind)),
            _ => self.fail(loc, "invalid underlying type of an enumeration"),
        }
    }

    fn enum_tag(&mut self, tag: Symbol, loc: Loc, is_definition: bool) -> Parsed<EnumId> {
        if let Some(found) = self.lookup_tag(tag)
            && (!is_definition || found.depth == self.depth())
        {
            return match found.meaning {
                Tag::Enum(id) => Ok(id),
                Tag::Record(_) => self.fail(loc, format!("'{}' defined as wrong kind of tag", self.name(tag))),
            };
        }
        let name = self.boxed_name(tag);
        let id = self.types.new_enum(Some(name));
        self.bind_tag(tag, Tag::Enum(id));
        Ok(id)
    }

    fn enum_body(&mut self, id: EnumId, attributes: &mut Attributes) -> Parsed<()> {
        self.expect(Tok::LBrace, "'{'")?;
        if self.tok() == Tok::RBrace {
            return self.unexpected("an enumerator");
        }
        let mut constants: Vec<(Symbol, i128)> = Vec::new();
        let mut next = Some((0i128, Types::INT));
        while self.tok() != Tok::RBrace {
            let (name, loc) = self.expect_ident("an enumerator")?;
            self.attributes(&mut Attributes::default())?;
            let (value, ty) = if self.eat(Tok::Assign) {
                let loc = self.loc();
                let e = self.conditional_expression()?;
                let e = self.rvalue(e)?;
                match self.const_int(e) {
                    Some(value) if self.types.is_integral(self.ty(e)) => (value, self.ty(e)),
                    _ => return self.fail(loc, "enumerator value is not an integer constant"),
                }
            } else {
                match next {
                    Some(next) => next,
                    None => return self.fail(loc, "overflow in enumeration values"),
                }
            };
            let ty = if i32::try_from(value).is_ok() { Types::INT } else { ty };
            let info = self.types.integer(ty).expect("enumerators are integers");
            let successor = value.checked_add(1).map(|v| info.wrap(v));
            next = successor.filter(|&v| v > value).map(|v| (v, ty));
            if self.lookup_here(name).is_some() {
                return self.fail(loc, format!("redeclaration of '{}'", self.name(name)));
            }
            self.bind(name, Meaning::EnumConstant(value, ty));
            constants.push((name, value));
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "',' or '}'")?;
        self.attributes(attributes)?;
        self.finish_enum(id, constants, attributes.packed);
        Ok(())
    }

    /// Chooses the compatible integer type and gives the constants their final types.
    fn finish_enum(&mut self, id: EnumId, constants: Vec<(Symbol, i128)>, packed: bool) {
        let least = constants.iter().map(|c| c.1).min().unwrap_or(0);
        let most = constants.iter().map(|c| c.1).max().unwrap_or(0);
        let model = self.types.data_model();
        let holds = |kind: IntKind| {
            let width = kind.width(model);
            if kind.signed() {
                least >= -(1i128 << (width - 1)) && most < 1i128 << (width - 1)
            } else {
                least >= 0 && (width >= 127 || most < 1i128 << width)
            }
        };
        let small = [IntKind::UChar, IntKind::SChar, IntKind::UShort, IntKind::Short];
        let large = [
            IntKind::UInt,
            IntKind::Int,
            IntKind::ULong,
            IntKind::Long,
            IntKind::ULongLong,
            IntKind::LongLong,
            IntKind::Int128,
        ];
        let candidates = if packed { &small[..] } else { &[] };
        let int = candidates
            .iter()
            .chain(&large)
            .copied()
            .find(|&kind| holds(kind))
            .unwrap_or(IntKind::LongLong);
        let named = constants
            .iter()
            .map(|&(name, value)| (self.boxed_name(name), value))
            .collect();
        for (name, value) in constants {
            if i32::try_from(value).is_err() {
                self.bind(name, Meaning::EnumConstant(value, Types::int(int)));
            }
        }
        let enumeration = self.types.enumeration_mut(id);
        enumeration.int = int;
        enumeration.constants = named;
        enumeration.complete = true;
    }
}
