//! Declarations and function definitions.
//!
//! Names with linkage are one entity however often they are declared, in whichever scope: the table `linked` finds it again, the types are checked for
//! compatibility and merged into the composite type. A local `extern` binds the same entity in a block.

use super::ast::*;
use super::attribute::Attributes;
use super::declarator::{Declarator, Form};
use super::function::merge_function_attributes;
use super::parser::{Meaning, Parsed, Parser};
use super::specifier::{Specifiers, Storage};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

impl Parser<'_> {
    /// Reads the whole unit. Problems are in `diagnostics` afterwards.
    pub fn translation_unit(&mut self) {
        while self.tok() != Tok::Eof && !self.too_many_errors() {
            let start = self.pos;
            if self.external_declaration().is_err() {
                self.pending_vlas.clear();
                self.recover();
                if self.pos == start || (self.tok() == Tok::RBrace) {
                    self.bump();
                }
            }
        }
        self.weaken();
        if self.diagnostics.is_empty() {
            let _ = self.check_tentative_definitions();
        }
    }

    /// Does what `#pragma weak` says, wherever it stands.
    fn weaken(&mut self) {
        for (name, target) in std::mem::take(&mut self.weak) {
            let target = target.map(|target| self.boxed_name(target));
            match self.linked.get(&name) {
                Some(&Meaning::Global(id)) => {
                    let global = &mut self.globals[id.index()];
                    global.weak = true;
                    if !global.defined && target.is_some() {
                        global.alias = target;
                    }
                }
                Some(&Meaning::Function(id)) => {
                    let function = &mut self.functions[id.index()];
                    function.attributes.weak = true;
                    if function.body.is_none() && target.is_some() {
                        function.attributes.alias = target;
                    }
                }
                _ => {}
            }
        }
    }

    fn external_declaration(&mut self) -> Parsed<()> {
        match self.tok() {
            Tok::LBracket if self.at_attributes() && self.attribute_statement() => {
                self.attributes(&mut Attributes::default())?;
                self.expect(Tok::Semicolon, "';'").map(drop)
            }
            Tok::Semicolon => {
                self.bump();
                Ok(())
            }
            Tok::Extension => {
                self.bump();
                self.external_declaration()
            }
            Tok::Asm => {
                let loc = self.bump().loc;
                if self.tok() != Tok::LParen {
                    return self.unexpected("'('");
                }
                self.skip_parens()?;
                self.toplevel_asm.push(loc);
                self.expect(Tok::Semicolon, "';'").map(drop)
            }
            Tok::StaticAssert => self.static_assert(),
            Tok::Pragma => self.pragma_operator(),
            _ if self.at_declaration() || matches!(self.tok(), Tok::Ident | Tok::Star | Tok::LParen) => {
                self.declaration(&mut Vec::new())
            }
            _ => self.unexpected("a declaration"),
        }
    }

    /// `_Pragma("...")`
    pub fn pragma_operator(&mut self) -> Parsed<()> {
        self.bump();
        if self.tok() != Tok::LParen {
            return self.unexpected("'('");
        }
        self.skip_parens()
    }

    /// `_Static_assert(e, "...");`
    pub fn static_assert(&mut self) -> Parsed<()> {
        let loc = self.bump().loc;
        self.expect(Tok::LParen, "'('")?;
        let value = self.constant_expression()?;
        if self.eat(Tok::Comma) {
            self.expect(Tok::String, "a string")?;
            while self.eat(Tok::String) {}
        }
        self.expect(Tok::RParen, "')'")?;
        self.expect(Tok::Semicolon, "';'")?;
        if value == 0 {
            self.fail(loc, "static assertion failed")
        } else {
            Ok(())
        }
    }

    /// A declaration or (at file scope and for nested functions) a function definition. Statements for what happens at run
    /// time are appended to `out`.
    pub fn declaration(&mut self, out: &mut Vec<StmtId>) -> Parsed<()> {
        let specs = self.declaration_specifiers(false)?;
        if self.tok() == Tok::Semicolon {
            self.bump();
            return self.flush_lengths(specs.loc, out);
        }
        let mut first = true;
        loop {
            let mut leading = Attributes::default();
            self.attributes(&mut leading)?;
            let base = self.apply_type_attributes(specs.ty, &leading, specs.loc)?;
            let mut declarator = self.declarator(base, Form::Named)?;
            merge_attributes(&mut declarator.attributes, &leading);
            merge_attributes(&mut declarator.attributes, &specs.attributes);
            if first && self.at_function_body(&declarator) {
                // GNU: the lengths in what a nested function returns.
                self.flush_lengths(specs.loc, out)?;
                return self.function_definition(&specs, declarator);
            }
            first = false;
            self.init_declarator(&specs, declarator, out)?;
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Semicolon, "',' or ';'").map(drop)
    }

    fn flush_lengths(&mut self, loc: Loc, out: &mut Vec<StmtId>) -> Parsed<()> {
        let lengths = std::mem::take(&mut self.pending_vlas);
        if !lengths.is_empty() {
            let stmt = self.stmt(loc, StmtKind::EvaluateLengths(lengths.into()));
            out.push(stmt);
        }
        Ok(())
    }

    fn init_declarator(&mut self, specs: &Specifiers, declarator: Declarator, out: &mut Vec<StmtId>) -> Parsed<()> {
        let Some((name, loc)) = declarator.name else {
            return self.unexpected("a name");
        };
        // C23: `auto x = value;`
        let infers = specs.storage == Some(Storage::Auto) && specs.implicit_int && self.tok() == Tok::Assign;
        if specs.auto_type || infers {
            return self.auto_declaration(specs, name, loc, out);
        }
        if specs.storage == Some(Storage::Typedef) {
            return self.typedef_declaration(name, &declarator, out);
        }
        if self.types.is_function(declarator.ty) {
            self.declare_function(specs, &declarator, name, false)?;
            if self.tok() == Tok::Assign {
                return self.fail(
                    loc,
                    format!("function '{}' is initialized like a variable", self.name(name)),
                );
            }
            self.pending_vlas.clear();
            return Ok(());
        }
        if self.types.is_void(declarator.ty) && !self.at_file_scope() && specs.storage != Some(Storage::Extern) {
            return self.fail(loc, format!("variable '{}' declared void", self.name(name)));
        }
        // A `constexpr` object is as good as a static one: it is never written.
        let is_static =
            self.at_file_scope() || specs.constexpr || matches!(specs.storage, Some(Storage::Static | Storage::Extern));
        if is_static {
            self.static_variable(specs, &declarator, name, out)
        } else {
            self.local_variable(specs, &declarator, name, out)
        }
    }

    fn typedef_declaration(&mut self, name: Symbol, declarator: &Declarator, out: &mut Vec<StmtId>) -> Parsed<()> {
        let mut ty = declarator.ty;
        let loc = declarator.loc;
        if let Some(align) = declarator.attributes.aligned {
            ty = self.types.with_align(ty, align);
        }
        if declarator.attributes.transparent_union
            && let Some(r) = self.types.as_record(ty)
        {
            self.types.record_mut(r).transparent = true;
        }
        if self.tok() == Tok::Assign {
            return self.fail(loc, "typedef is initialized");
        }
        if let Some(old) = self.lookup_here(name) {
            match old.meaning {
                Meaning::Typedef(old) if self.compatible(old, ty) => {}
                Meaning::Typedef(_) => {
                    return self.fail(loc, format!("conflicting types for '{}'", self.name(name)));
                }
                _ => return self.redeclared(name, loc),
            }
        }
        self.bind(name, Meaning::Typedef(ty));
        self.flush_lengths(loc, out)
    }

    pub fn redeclared<T>(&mut self, name: Symbol, loc: Loc) -> Parsed<T> {
        self.fail(
            loc,
            format!("'{}' redeclared as different kind of symbol", self.name(name)),
        )
    }

    /// `__auto_type name = value`
    fn auto_declaration(&mut self, specs: &Specifiers, name: Symbol, loc: Loc, out: &mut Vec<StmtId>) -> Parsed<()> {
        self.expect(Tok::Assign, "an initialiser for '__auto_type'")?;
        let value = self.assignment_expression()?;
        let value = self.rvalue(value)?;
        let quals = self.types.quals(specs.ty);
        let plain = self.ty(value);
        if self.types.is_void(plain) {
            return self.fail(loc, format!("variable '{}' declared void", self.name(name)));
        }
        let ty = self.types.qualified(plain, quals);
        let init = Init {
            entries: vec![InitEntry {
                path: Box::new([]),
                value,
            }],
            zero_fill: false,
            flexible: 0,
        };
        if self.at_file_scope() || specs.storage == Some(Storage::Static) {
            self.check_constant_initialiser(&init)?;
            let id = match self.at_file_scope() {
                true => self.linked_variable(specs, name, ty, loc)?,
                false => self.new_global(name, ty, loc, specs),
            };
            self.globals[id.index()].init = Some(self.new_init(init));
            self.globals[id.index()].defined = true;
            return Ok(());
        }
        let local = self.bind_local(name, ty, loc)?;
        let init = self.new_init(init);
        let stmt = self.stmt(
            loc,
            StmtKind::Declare {
                local,
                lengths: Box::new([]),
                init: Some(init),
            },
        );
        out.push(stmt);
        Ok(())
    }

    fn bind_local(&mut self, name: Symbol, ty: TypeId, loc: Loc) -> Parsed<LocalId> {
        if self.lookup_here(name).is_some() {
            return self.fail(loc, format!("redeclaration of '{}'", self.name(name)));
        }
        let quals = self.types.quals(ty);
        let text = self.boxed_name(name);
        let local = self.new_local(Local {
            name: Some(text),
            ty,
            quals,
            loc,
            align: self.demanded_alignment(ty, None),
            is_param: false,
        });
        let frame = self.frames.len() - 1;
        self.bind(name, Meaning::Local(frame, local));
        Ok(local)
    }

    fn local_variable(
        &mut self,
        specs: &Specifiers,
        declarator: &Declarator,
        name: Symbol,
        out: &mut Vec<StmtId>,
    ) -> Parsed<()> {
        let loc = declarator.loc;
        if specs.thread_local {
            return self.fail(loc, "thread-local variable is automatic");
        }
        if let Type::Array {
            len: ArrayLen::Variable(vla),
            ..
        } = *self.types.get(declarator.ty)
            && self.vlas[vla.0 as usize].is_none()
        {
            return self.fail(loc, "'[*]' not allowed in other than function prototype scope");
        }
        let local = self.bind_local(name, declarator.ty, loc)?;
        let demanded = specs.attributes.aligned.max(declarator.attributes.aligned);
        let align = &mut self.frame().locals[local.index()].align;
        *align = demanded.unwrap_or(1).max(*align);
        if specs.storage == Some(Storage::Register) {
            self.frame().registers.insert(local);
        }
        let lengths: Box<[VlaId]> = std::mem::take(&mut self.pending_vlas).into();
        let mut ty = declarator.ty;
        let mut init = None;
        if self.eat(Tok::Assign) {
            let (completed, list) = self.initialiser(ty, false)?;
            ty = completed;
            self.frame().locals[local.index()].ty = ty;
            init = Some(self.new_init(list));
        }
        if self.is_incomplete(ty) {
            return self.fail(loc, format!("storage size of '{}' isn't known", self.name(name)));
        }
        let stmt = self.stmt(loc, StmtKind::Declare { local, lengths, init });
        out.push(stmt);
        if let Some(function) = declarator.attributes.cleanup {
            let call = self.cleanup_call(function, local, loc)?;
            out.push(self.stmt(loc, StmtKind::Cleanup(call)));
        }
        Ok(())
    }

    /// `function(&local)`
    fn cleanup_call(&mut self, function: Symbol, local: LocalId, loc: Loc) -> Parsed<ExprId> {
        let Some(Meaning::Function(id)) = self.lookup(function).map(|b| b.meaning) else {
            return self.fail(loc, "cleanup argument is not a function");
        };
        let (function, ty) = (self.functions[id.index()].ty, self.frame().locals[local.index()].ty);
        let callee = self.expr(function, loc, ExprKind::Function(id));
        let variable = self.expr(ty, loc, ExprKind::Local(local));
        let address = self.address_of(variable, loc)?;
        self.call(callee, vec![address], loc)
    }

    /// Whether objects of the type cannot be defined.
    pub fn is_incomplete(&self, ty: TypeId) -> bool {
        match *self.types.get(ty) {
            Type::Array {
                len: ArrayLen::Variable(_),
                elem,
            } => self.is_incomplete(elem),
            Type::Array {
                len: ArrayLen::Incomplete,
                ..
            }
            | Type::Void
            | Type::Function { .. } => true,
            Type::Array { elem, .. } => self.is_incomplete(elem),
            Type::Record(r) => !self.types.record(r).complete,
            Type::Enum(e) => !self.types.enumeration(e).complete,
            _ => false,
        }
    }

    fn new_global(&mut self, name: Symbol, ty: TypeId, loc: Loc, specs: &Specifiers) -> GlobalId {
        let owner = if specs.storage == Some(Storage::Extern) {
            None
        } else {
            self.current_function()
        };
        self.globals.push(Global {
            name: self.boxed_name(name),
            ty,
            quals: self.types.quals(ty),
            loc,
            defined: false,
            // A constant without `static` belongs to its unit all the same (C23 6.2.2).
            is_static: specs.storage == Some(Storage::Static) || specs.constexpr,
            thread_local: specs.thread_local,
            init: None,
            owner,
            align: self.demanded_alignment(ty, specs.attributes.aligned),
            weak: specs.attributes.function.weak,
            alias: None,
            linkage: Linkage {
                unit: self.unit(),
                ..Linkage::default()
            },
        });
        let id = GlobalId::from_index(self.globals.len() - 1);
        self.bind(name, Meaning::Global(id));
        id
    }

    /// The alignment in bytes of an object of this type with this attribute.
    pub(super) fn demanded_alignment(&self, ty: TypeId, attribute: Option<u64>) -> u64 {
        let natural = self.types.align_of(ty).unwrap_or(1);
        natural.max(attribute.unwrap_or(1))
    }

    /// The innermost function being defined.
    pub fn current_function(&self) -> Option<FuncId> {
        self.frames.iter().rev().find_map(|f| f.function)
    }

    fn static_variable(
        &mut self,
        specs: &Specifiers,
        declarator: &Declarator,
        name: Symbol,
        out: &mut Vec<StmtId>,
    ) -> Parsed<()> {
        let loc = declarator.loc;
        let ty = declarator.ty;
        let has_linkage = self.at_file_scope() || specs.storage == Some(Storage::Extern);
        if self.is_variably_modified(ty) && has_linkage {
            return self.fail(loc, "object with variably modified type must have no linkage");
        }
        if !has_linkage
            && matches!(
                self.types.get(ty),
                Type::Array {
                    len: ArrayLen::Variable(_),
                    ..
                }
            )
        {
            return self.fail(loc, format!("storage size of '{}' isn't constant", self.name(name)));
        }
        if self.at_file_scope() {
            let names_register = specs.storage == Some(Storage::Register) && declarator.asm_name.is_some();
            if matches!(specs.storage, Some(Storage::Auto | Storage::Register)) && !names_register {
                return self.fail(
                    loc,
                    format!("file-scope declaration of '{}' is automatic", self.name(name)),
                );
            }
        }
        let id = if has_linkage {
            self.linked_variable(specs, name, ty, loc)?
        } else {
            if self.lookup_here(name).is_some() {
                return self.fail(loc, format!("redeclaration of '{}'", self.name(name)));
            }
            self.new_global(name, ty, loc, specs)
        };
        self.flush_lengths(loc, out)?;
        let global = &mut self.globals[id.index()];
        if declarator.asm_name.is_some() {
            global.linkage.asm_name.clone_from(&declarator.asm_name);
        }
        global.align = global.align.max(declarator.attributes.aligned.unwrap_or(1));
        global.weak |= declarator.attributes.function.weak;
        if declarator.attributes.function.alias.is_some() {
            global.alias.clone_from(&declarator.attributes.function.alias);
        }
        if self.tok() != Tok::Assign {
            if specs.storage != Some(Storage::Extern) && !self.types.is_void(ty) {
                self.globals[id.index()].defined = true;
                if !self.at_file_scope() && self.is_incomplete(ty) {
                    return self.fail(loc, format!("storage size of '{}' isn't known", self.name(name)));
                }
            }
            return Ok(());
        }
        self.bump();
        self.initialise_static(specs, id, name, loc)
    }

    /// Reads the initialiser of a variable with static storage.
    fn initialise_static(&mut self, specs: &Specifiers, id: GlobalId, name: Symbol, loc: Loc) -> Parsed<()> {
        if specs.storage == Some(Storage::Extern) && !self.at_file_scope() {
            return self.fail(loc, format!("'{}' has both 'extern' and initializer", self.name(name)));
        }
        if self.globals[id.index()].init.is_some() {
            return self.fail(loc, format!("redefinition of '{}'", self.name(name)));
        }
        // While the initialiser is read, the name is in scope and counts as defined, so that a second initialiser is noticed.
        let placeholder = self.new_init(Init::default());
        self.globals[id.index()].init = Some(placeholder);
        let declared = self.globals[id.index()].ty;
        let (completed, init) = self.initialiser(declared, true)?;
        if self.is_incomplete(completed) {
            return self.fail(
                loc,
                format!("variable '{}' has initializer but incomplete type", self.name(name)),
            );
        }
        let whole = init.entries.first().filter(|e| e.path.is_empty()).map(|e| e.value);
        self.inits[placeholder.index()] = init;
        if specs.constexpr
            && let Some(value) = whole.and_then(|value| self.const_int(value))
        {
            self.constants.insert(id, value);
        }
        let global = &mut self.globals[id.index()];
        global.ty = completed;
        global.defined = true;
        global.loc = loc;
        Ok(())
    }

    pub(super) fn is_variably_modified(&self, ty: TypeId) -> bool {
        match *self.types.get(ty) {
            Type::Array {
                len: ArrayLen::Variable(_),
                ..
            } => true,
            Type::Array { elem, .. } => self.is_variably_modified(elem),
            Type::Pointer(to) => self.is_variably_modified(to),
            _ => false,
        }
    }

    fn linked_variable(&mut self, specs: &Specifiers, name: Symbol, ty: TypeId, loc: Loc) -> Parsed<GlobalId> {
        if let Some(here) = self.lookup_here(name)
            && !matches!(here.meaning, Meaning::Global(g) if self.globals[g.index()].owner.is_none())
        {
            return self.redeclared(name, loc);
        }
        let id = match self.linked.get(&name).copied() {
            None => {
                let id = self.new_global(name, ty, loc, specs);
                self.linked.insert(name, Meaning::Global(id));
                return Ok(id);
            }
            Some(Meaning::Global(id)) => id,
            Some(_) => return self.redeclared(name, loc),
        };
        let old = self.globals[id.index()].ty;
        if !self.compatible(old, ty) {
            let message = format!("conflicting types for '{}'", self.name(name));
            let label = format!("'{}' here, '{}' before", self.show(ty), self.show(old));
            return Err(self.report(loc, message, label));
        }
        let was_static = self.globals[id.index()].is_static;
        let now_static = specs.storage == Some(Storage::Static);
        if now_static && !was_static {
            return self.fail(
                loc,
                format!(
                    "static declaration of '{}' follows non-static declaration",
                    self.name(name)
                ),
            );
        }
        if was_static && specs.storage.is_none() {
            return self.fail(
                loc,
                format!(
                    "non-static declaration of '{}' follows static declaration",
                    self.name(name)
                ),
            );
        }
        if self.globals[id.index()].thread_local != specs.thread_local {
            return self.fail(
                loc,
                format!(
                    "thread-local declaration of '{}' follows a different one",
                    self.name(name)
                ),
            );
        }
        self.globals[id.index()].ty = self.composite(old, ty);
        let align = self.demanded_alignment(ty, specs.attributes.aligned);
        self.globals[id.index()].align = self.globals[id.index()].align.max(align);
        if specs.storage != Some(Storage::Extern) && self.globals[id.index()].init.is_none() {
            self.globals[id.index()].loc = loc;
        }
        self.bind(name, Meaning::Global(id));
        Ok(id)
    }

    /// At the end of the unit, `int a[];` becomes an array of one element, and incomplete types are errors.
    fn check_tentative_definitions(&mut self) -> Parsed<()> {
        for i in 0..self.globals.len() {
            let global = &self.globals[i];
            if !global.defined || global.alias.is_some() {
                continue;
            }
            let (ty, loc, name) = (global.ty, global.loc, global.name.clone());
            if let Type::Array {
                elem,
                len: ArrayLen::Incomplete,
            } = *self.types.get(ty)
            {
                self.globals[i].ty = self.types.array_of(elem, ArrayLen::Fixed(1));
            } else if self.is_incomplete(ty) {
                return self.fail(loc, format!("storage size of '{name}' isn't known"));
            }
        }
        Ok(())
    }
}

fn merge_attributes(into: &mut Attributes, from: &Attributes) {
    into.packed |= from.packed;
    into.aligned = into.aligned.max(from.aligned);
    into.transparent_union |= from.transparent_union;
    into.cleanup = into.cleanup.or(from.cleanup);
    merge_function_attributes(&mut into.function, &from.function);
}
