//! Declarators: `*name[3](int)`, with or without a name.
//!
//! A declarator is read into its parts, ordered from the name outwards, and then applied to the base type from the other end.
//! Parameter lists have a scope and a frame of their own: parameters get their [`LocalId`]s right there, so that lengths
//! such as `int m[n][n]` can refer to them whether or not a body follows.

use super::ast::*;
use super::attribute::Attributes;
use super::parser::{Frame, Meaning, Parsed, Parser};
use super::specifier::Storage;
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

/// One parameter.
#[derive(Clone, Debug)]
pub struct Param {
    pub name: Option<Symbol>,
    pub local: LocalId,
    pub ty: TypeId,
    pub loc: Loc,
}

/// The parentheses of a function declarator.
#[derive(Clone, Debug, Default)]
pub struct Params {
    pub list: Vec<Param>,
    pub variadic: bool,
    /// Whether there are types (`(void)`, `(int)`), as opposed to `()` and `(a, b)`.
    pub prototyped: bool,
    /// The names of an old-style definition.
    pub names: Vec<(Symbol, Loc)>,
    /// Lengths in the parameters' types.
    pub lengths: Vec<VlaId>,
    pub locals: Vec<Local>,
}

/// Where a declarator stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// In a declaration: it has a name.
    Named,
    /// A parameter or type name: it may lack one.
    Abstract,
    /// A member: it may be an unnamed bit-field.
    Member,
}

enum Part {
    Pointer(Quals),
    Array { len: ArrayLen, loc: Loc },
    Function(Box<Params>, Loc),
}

/// A declarator applied to its base type.
pub struct Declarator {
    pub name: Option<(Symbol, Loc)>,
    pub ty: TypeId,
    pub loc: Loc,
    /// The parameter list, if this declares a function (not a pointer to one).
    pub params: Option<Box<Params>>,
    pub attributes: Attributes,
    /// The name in `asm("name")`.
    pub asm_name: Option<Box<str>>,
    /// The width expression's value of a bit-field.
    pub width: Option<i128>,
}

impl Parser<'_> {
    /// Reads a declarator. Attributes and the assembler name behind it belong to it.
    pub fn declarator(&mut self, base: TypeId, form: Form) -> Parsed<Declarator> {
        let loc = self.loc();
        let abstract_ok = form != Form::Named;
        let mut attributes = Attributes::default();
        let mut parts = Vec::new();
        let lengths = self.pending_vlas.len();
        let name = self.nested(|p| p.declarator_parts(&mut parts, &mut attributes, abstract_ok))?;
        // The last length is evaluated first: gcc builds types from their elements.
        if let Some(own) = self.pending_vlas.get_mut(lengths..) {
            own.reverse();
        }
        let width = if form == Form::Member && self.eat(Tok::Colon) {
            Some(self.constant_expression()?)
        } else {
            None
        };
        let asm_name = self.assembler_name()?;
        self.attributes(&mut attributes)?;
        let base = self.apply_type_attributes(base, &attributes, loc)?;
        let (ty, params) = self.apply_parts(base, parts)?;
        let loc = name.map_or(loc, |(_, loc)| loc);
        Ok(Declarator {
            name,
            ty,
            loc,
            params,
            attributes,
            asm_name,
            width,
        })
    }

    /// `asm("name")` behind a declarator; the name may be in several parts.
    fn assembler_name(&mut self) -> Parsed<Option<Box<str>>> {
        if !self.eat(Tok::Asm) {
            return Ok(None);
        }
        self.expect(Tok::LParen, "'('")?;
        let mut name = String::new();
        let mut part = self.expect(Tok::String, "an assembler name")?;
        loop {
            name.push_str(String::from_utf8_lossy(self.spelling(part)).trim_matches('"'));
            if self.tok() != Tok::String {
                break;
            }
            part = self.bump();
        }
        self.expect(Tok::RParen, "')'")?;
        Ok(Some(name.into()))
    }

    fn declarator_parts(
        &mut self,
        parts: &mut Vec<Part>,
        attributes: &mut Attributes,
        abstract_ok: bool,
    ) -> Parsed<Option<(Symbol, Loc)>> {
        self.attributes(attributes)?;
        let mut pointers = Vec::new();
        while self.eat(Tok::Star) {
            let mut quals = Quals::NONE;
            loop {
                match self.tok() {
                    Tok::Const => quals = quals.with(Quals::CONST),
                    Tok::Volatile => quals = quals.with(Quals::VOLATILE),
                    Tok::Restrict => quals = quals.with(Quals::RESTRICT),
                    Tok::Atomic => quals = quals.with(Quals::ATOMIC),
                    _ if self.at_attributes() => {
                        self.attributes(attributes)?;
                        continue;
                    }
                    _ => break,
                }
                self.bump();
            }
            pointers.push(Part::Pointer(quals));
        }
        let mut name = None;
        match self.tok() {
            Tok::Ident => {
                let token = self.bump();
                name = Some((Symbol(token.data), token.loc));
            }
            Tok::LParen if !(abstract_ok && self.paren_begins_params()) => {
                self.bump();
                name = self.nested(|p| p.declarator_parts(parts, attributes, abstract_ok))?;
                self.expect(Tok::RParen, "')'")?;
            }
            _ if abstract_ok => {}
            _ => return self.unexpected("an identifier or '('"),
        }
        loop {
            match self.tok() {
                Tok::LBracket if self.at_attributes() => self.attributes(attributes)?,
                Tok::LBracket => parts.push(self.array_suffix()?),
                Tok::LParen => {
                    let loc = self.loc();
                    let params = self.nested(Self::parameter_list)?;
                    parts.push(Part::Function(Box::new(params), loc));
                }
                _ => break,
            }
        }
        parts.extend(pointers.into_iter().rev());
        Ok(name)
    }

    /// In an abstract declarator, `(` begins a parameter list if a type, `)` or an attribute list with a type follows.
    fn paren_begins_params(&mut self) -> bool {
        match self.tok_at(1) {
            Tok::RParen => true,
            Tok::Attribute => false,
            _ => {
                self.pos += 1;
                let begins = self.at_declaration();
                self.pos -= 1;
                begins
            }
        }
    }

    fn array_suffix(&mut self) -> Parsed<Part> {
        let loc = self.bump().loc;
        // `static` and qualifiers here say something about the pointer that a parameter becomes, which nothing depends on.
        while matches!(
            self.tok(),
            Tok::Static | Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic
        ) {
            self.bump();
        }
        if self.eat(Tok::RBracket) {
            return Ok(Part::Array {
                len: ArrayLen::Incomplete,
                loc,
            });
        }
        if self.tok() == Tok::Star && self.tok_at(1) == Tok::RBracket {
            self.pos += 2;
            return Ok(Part::Array {
                len: self.new_vla(None),
                loc,
            });
        }
        let size_loc = self.loc();
        let size = self.assignment_expression()?;
        let size = self.rvalue(size)?;
        self.expect(Tok::RBracket, "']'")?;
        if !self.types.is_integral(self.ty(size)) {
            return self.fail(size_loc, "size of array has non-integer type");
        }
        let len = match self.const_int(size) {
            Some(value) => match u64::try_from(value) {
                Ok(value) => ArrayLen::Fixed(value),
                Err(_) => return self.fail(size_loc, "size of array is negative"),
            },
            None if self.frames.is_empty() => {
                return self.fail(size_loc, "size of array at file scope is not an integer constant");
            }
            None => self.new_vla(Some(size)),
        };
        Ok(Part::Array { len, loc })
    }

    /// The length of an array that is known at run time only, to be evaluated with the declaration or expression around it.
    pub(super) fn new_vla(&mut self, size: Option<ExprId>) -> ArrayLen {
        let id = VlaId(u32::try_from(self.vlas.len()).expect("fewer than 2^32 array declarators"));
        self.vlas.push(size);
        if size.is_some() {
            self.pending_vlas.push(id);
        }
        ArrayLen::Variable(id)
    }

    /// `( ... )` behind a declarator.
    fn parameter_list(&mut self) -> Parsed<Params> {
        self.bump();
        let outer_vlas = std::mem::take(&mut self.pending_vlas);
        self.frames.push(Frame::default());
        self.push_scope();
        let result = self.parameters();
        self.pop_scope();
        let frame = self.frames.pop().expect("pushed above");
        let lengths = std::mem::replace(&mut self.pending_vlas, outer_vlas);
        let mut params = result?;
        params.locals = frame.locals;
        params.lengths = lengths;
        Ok(params)
    }

    fn parameters(&mut self) -> Parsed<Params> {
        let mut params = Params::default();
        if self.eat(Tok::RParen) {
            return Ok(params);
        }
        if self.tok() == Tok::Ident && !self.at_type_name() {
            loop {
                params.names.push(self.expect_ident("a parameter name")?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::RParen, "')'")?;
            return Ok(params);
        }
        params.prototyped = true;
        if self.tok() == Tok::Void && self.tok_at(1) == Tok::RParen {
            self.pos += 2;
            return Ok(params);
        }
        loop {
            if self.eat(Tok::Ellipsis) {
                params.variadic = true;
                break;
            }
            let param = self.parameter()?;
            params.list.push(param);
            if self.eat(Tok::Semicolon) {
                // GNU: what came so far are declarations ahead, for lengths to refer to; the parameters follow.
                let ahead = std::mem::take(&mut params.list);
                self.parameters_ahead(&ahead);
                if self.tok() == Tok::RParen {
                    break;
                }
                continue;
            }
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen, "',' or ')'")?;
        if params.list.len() == 1 && params.list[0].name.is_none() && self.types.is_void(params.list[0].ty) {
            // `(const void)` and typedefs of void.
            params.list.clear();
            self.frame().locals.clear();
        }
        if let Some(param) = params.list.iter().find(|p| self.types.is_void(p.ty)) {
            return self.fail(param.loc, "'void' must be the only parameter");
        }
        Ok(params)
    }

    /// Parameters that are declared ahead wait in the frame for their own declarations.
    fn parameters_ahead(&mut self, ahead: &[Param]) {
        for param in ahead {
            if let Some(name) = param.name
                && let Some(Meaning::Local(_, local)) = self.lookup_here(name).map(|b| b.meaning)
            {
                self.frame().ahead.insert(name, local);
            }
        }
    }

    fn parameter(&mut self) -> Parsed<Param> {
        let specs = self.declaration_specifiers(true)?;
        if !matches!(specs.storage, None | Some(Storage::Register)) {
            return self.fail(specs.loc, "storage class specified for a parameter");
        }
        let declarator = self.declarator(specs.ty, Form::Abstract)?;
        let ty = self.adjust_param(declarator.ty);
        if declarator.name.is_some() && self.types.is_void(ty) {
            return self.fail(declarator.loc, "parameter has type void");
        }
        let name = declarator.name.map(|(name, _)| name);
        if let Some(name) = name
            && let Some(local) = self.frame().ahead.remove(&name)
        {
            self.frame().locals[local.index()].ty = ty;
            return Ok(Param {
                name: Some(name),
                local,
                ty,
                loc: declarator.loc,
            });
        }
        let local = self.new_local(Local {
            name: name.map(|n| self.boxed_name(n)),
            ty,
            quals: self.types.quals(ty),
            loc: declarator.loc,
            align: self.demanded_alignment(ty, None),
            is_param: true,
        });
        if let Some(name) = name {
            if self.lookup_here(name).is_some() {
                return self.fail(
                    declarator.loc,
                    format!("redefinition of parameter '{}'", self.name(name)),
                );
            }
            let frame = self.frames.len() - 1;
            self.bind(name, Meaning::Local(frame, local));
        }
        Ok(Param {
            name,
            local,
            ty,
            loc: declarator.loc,
        })
    }

    /// The type of a parameter: arrays and functions become pointers.
    pub fn adjust_param(&mut self, ty: TypeId) -> TypeId {
        match *self.types.get(ty) {
            Type::Array { elem, .. } => self.types.pointer_to(elem),
            Type::Function { .. } => self.types.pointer_to(ty),
            _ => ty,
        }
    }

    fn apply_parts(&mut self, base: TypeId, parts: Vec<Part>) -> Parsed<(TypeId, Option<Box<Params>>)> {
        let mut ty = base;
        let mut params = None;
        for part in parts.into_iter().rev() {
            params = None;
            match part {
                Part::Pointer(quals) => {
                    ty = self.types.pointer_to(ty);
                    ty = self.types.qualified(ty, quals);
                }
                Part::Array { len, loc } => {
                    match self.types.get(ty) {
                        Type::Void => return self.fail(loc, "array of voids"),
                        Type::Function { .. } => return self.fail(loc, "array of functions"),
                        Type::Array {
                            len: ArrayLen::Incomplete,
                            ..
                        } => {
                            return self.fail(loc, "array has incomplete element type");
                        }
                        Type::Record(r) if !self.types.record(*r).complete => {
                            return self.fail(loc, format!("array of incomplete type '{}'", self.show(ty)));
                        }
                        _ => {}
                    }
                    let too_large = match (len, self.types.size_of(ty)) {
                        (ArrayLen::Fixed(n), Some(size)) => {
                            let limit = if self.types.data_model() == DataModel::Lp64 {
                                i64::MAX as u64
                            } else {
                                0x7fff_ffff
                            };
                            n.checked_mul(size).is_none_or(|bytes| bytes > limit)
                        }
                        _ => false,
                    };
                    if too_large {
                        return self.fail(loc, "size of array is too large");
                    }
                    ty = self.types.array_of(ty, len);
                }
                Part::Function(list, loc) => {
                    match self.types.get(ty) {
                        Type::Function { .. } => return self.fail(loc, "function returns a function"),
                        Type::Array { .. } => return self.fail(loc, "function returns an array"),
                        _ => {}
                    }
                    let types = list.list.iter().map(|p| self.types.unqualified(p.ty)).collect();
                    let ret = self.types.unqualified(ty);
                    ty = self.types.intern(Type::Function {
                        ret,
                        params: types,
                        variadic: list.variadic,
                        prototyped: list.prototyped,
                    });
                    params = Some(list);
                }
            }
        }
        Ok((ty, params))
    }

    /// A type name, as in casts and `sizeof`.
    pub fn type_name(&mut self) -> Parsed<TypeId> {
        let specs = self.declaration_specifiers(true)?;
        let declarator = self.declarator(specs.ty, Form::Abstract)?;
        match declarator.name {
            Some((_, loc)) => self.fail(loc, "a type name declares no identifier"),
            None => Ok(declarator.ty),
        }
    }
}
