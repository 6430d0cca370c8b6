//! Functions: declarations, which are merged, and definitions, old ones included.

use super::ast::*;
use super::declarator::{Declarator, Form, Params};
use super::parser::{Frame, Meaning, Parsed, Parser};
use super::specifier::{Specifiers, Storage};
use crate::frontend::text::source::Loc;
use crate::frontend::text::token::{Symbol, Tok};
use crate::frontend::types::*;

pub(super) fn merge_function_attributes(into: &mut FunctionAttributes, from: &FunctionAttributes) {
    into.noreturn |= from.noreturn;
    into.weak |= from.weak;
    into.constructor = into.constructor.or(from.constructor);
    into.destructor = into.destructor.or(from.destructor);
    into.pure |= from.pure;
    into.malloc |= from.malloc;
    into.gnu_inline |= from.gnu_inline;
    into.aligned = into.aligned.max(from.aligned);
    if into.alias.is_none() {
        into.alias.clone_from(&from.alias);
    }
}

impl Parser<'_> {
    pub(super) fn at_function_body(&mut self, declarator: &Declarator) -> bool {
        let Some(params) = &declarator.params else { return false };
        match self.tok() {
            Tok::LBrace => true,
            Tok::Semicolon | Tok::Comma | Tok::Assign => false,
            _ => !params.names.is_empty() && self.at_declaration(),
        }
    }

    pub(super) fn declare_function(
        &mut self,
        specs: &Specifiers,
        declarator: &Declarator,
        name: Symbol,
        is_definition: bool,
    ) -> Parsed<FuncId> {
        let loc = declarator.loc;
        let ty = declarator.ty;
        let is_nested_definition = is_definition && !self.at_file_scope();
        if let Some(here) = self.lookup_here(name)
            && !matches!(here.meaning, Meaning::Function(_))
        {
            return self.redeclared(name, loc);
        }
        let is_nested = is_nested_definition || specs.storage == Some(Storage::Auto);
        let found = if is_nested {
            self.lookup_here(name).map(|b| b.meaning)
        } else {
            self.linked.get(&name).copied()
        };
        let id = match found {
            Some(Meaning::Function(id)) => {
                self.merge_function(id, specs, declarator, name, is_definition)?;
                id
            }
            Some(_) => return self.redeclared(name, loc),
            None => {
                let owner = if is_nested { self.current_function() } else { None };
                self.functions.push(Function {
                    name: self.boxed_name(name),
                    ty,
                    loc,
                    is_static: specs.storage == Some(Storage::Static),
                    implicit: false,
                    owner,
                    attributes: FunctionAttributes::default(),
                    body: None,
                    inline_only: true,
                    linkage: Linkage {
                        unit: self.unit(),
                        ..Linkage::default()
                    },
                    model: Model::None,
                    read_only: 0,
                });
                let id = FuncId::from_index(self.functions.len() - 1);
                if !is_nested {
                    self.linked.insert(name, Meaning::Function(id));
                }
                id
            }
        };
        let is_external = self.at_file_scope() && (!specs.inline || specs.storage == Some(Storage::Extern));
        let function = &mut self.functions[id.index()];
        if function.body.is_none() || !function.attributes.gnu_inline {
            function.inline_only &= !is_external;
        }
        if declarator.asm_name.is_some() {
            function.linkage.asm_name.clone_from(&declarator.asm_name);
        }
        merge_function_attributes(&mut function.attributes, &declarator.attributes.function);
        if function.attributes.gnu_inline && is_definition {
            // The older rule: only `extern inline` defines nothing for others.
            function.inline_only = specs.inline && specs.storage == Some(Storage::Extern);
        }
        self.bind(name, Meaning::Function(id));
        Ok(id)
    }

    fn merge_function(
        &mut self,
        id: FuncId,
        specs: &Specifiers,
        declarator: &Declarator,
        name: Symbol,
        is_definition: bool,
    ) -> Parsed<()> {
        let (ty, loc) = (declarator.ty, declarator.loc);
        let old = self.functions[id.index()].ty;
        let is_old_style = is_definition
            && declarator
                .params
                .as_ref()
                .is_some_and(|p| !p.prototyped && !p.names.is_empty());
        if is_old_style && self.fits_old_style(old, ty, declarator) {
            // The prototype stays: calls are checked and converted by it.
        } else if self.compatible(old, ty) && !is_old_style {
            let merged = self.composite(old, ty);
            self.functions[id.index()].ty = merged;
        } else if self.may_replace(id, ty, specs, is_definition) {
            self.functions[id.index()].ty = ty;
        } else {
            let message = format!("conflicting types for '{}'", self.name(name));
            let label = format!("'{}' here, '{}' before", self.show(ty), self.show(old));
            return Err(self.report(loc, message, label));
        }
        let function = &self.functions[id.index()];
        let now_static = specs.storage == Some(Storage::Static);
        if now_static && !function.is_static && function.owner.is_none() {
            return self.fail(
                loc,
                format!(
                    "static declaration of '{}' follows non-static declaration",
                    self.name(name)
                ),
            );
        }
        let function = &mut self.functions[id.index()];
        function.is_static |= now_static;
        function.implicit = false;
        if function.body.is_none() {
            function.loc = loc;
        }
        Ok(())
    }

    /// Whether an old-style definition may follow this declaration.
    fn fits_old_style(&self, old: TypeId, new: TypeId, declarator: &Declarator) -> bool {
        let names = declarator.params.as_ref().map_or(0, |p| p.names.len());
        match (self.types.get(old), self.types.get(new)) {
            (
                Type::Function {
                    ret: a,
                    params,
                    variadic,
                    prototyped,
                },
                Type::Function { ret: b, .. },
            ) => self.compatible(*a, *b) && (!prototyped || (!variadic && params.len() == names)),
            _ => false,
        }
    }

    /// gcc lets a `void` function follow its own implicit declaration.
    fn may_replace(&self, id: FuncId, ty: TypeId, specs: &Specifiers, is_definition: bool) -> bool {
        let function = &self.functions[id.index()];
        let ret = |ty: TypeId| match *self.types.get(ty) {
            Type::Function { ret, .. } => ret,
            _ => Types::VOID,
        };
        let (old, new) = (ret(function.ty), ret(ty));
        (function.implicit && function.body.is_none() && old == Types::INT && self.types.is_void(new))
            || (function.implicit && function.body.is_none() && Self::is_library_function(&function.name))
            || (is_definition && specs.implicit_int && self.types.is_void(old) && function.body.is_none())
    }

    pub(super) fn function_definition(&mut self, specs: &Specifiers, declarator: Declarator) -> Parsed<()> {
        let Some((name, loc)) = declarator.name else {
            return self.unexpected("a function name");
        };
        if specs.storage == Some(Storage::Typedef) {
            return self.fail(loc, "function definition declared 'typedef'");
        }
        let mut params = *declarator.params.clone().expect("checked by the caller");
        let outer_vlas = std::mem::take(&mut self.pending_vlas);
        let id = self.declare_function(specs, &declarator, name, true)?;
        if self.functions[id.index()].body.is_some() {
            return self.fail(loc, format!("redefinition of '{}'", self.name(name)));
        }
        let Type::Function { ret, .. } = *self.types.get(declarator.ty) else {
            return self.fail(loc, "a function definition needs a function type");
        };
        if !self.types.is_void(ret) && self.is_incomplete(ret) {
            return self.fail(loc, "return type is an incomplete type");
        }
        self.frames.push(Frame {
            function: Some(id),
            ret: Some(ret),
            locals: std::mem::take(&mut params.locals),
            ..Frame::default()
        });
        self.push_scope();
        let result = self.function_body(&mut params);
        self.pop_scope();
        let frame = self.frames.pop().expect("pushed above");
        self.pending_vlas = outer_vlas;
        let (params_ids, root, close) = result?;
        let function = &mut self.functions[id.index()];
        function.loc = loc;
        function.body = Some(Body {
            params: params_ids,
            lengths: params.lengths.into(),
            locals: frame.locals,
            starts_varargs: frame.starts_varargs,
            labels: frame.labels,
            root,
            end: close,
        });
        Ok(())
    }

    fn function_body(&mut self, params: &mut Params) -> Parsed<(Vec<LocalId>, StmtId, Loc)> {
        let mut ids = Vec::new();
        if params.prototyped {
            for param in &params.list {
                let local = param.local;
                if self.is_incomplete(param.ty) {
                    return self.fail(param.loc, "parameter has incomplete type");
                }
                if let Some(name) = param.name {
                    let frame = self.frames.len() - 1;
                    self.bind(name, Meaning::Local(frame, local));
                }
                ids.push(local);
            }
        } else {
            ids = self.old_style_parameters(params)?;
        }
        if self.tok() != Tok::LBrace {
            return self.unexpected("'{'");
        }
        // The body's outermost block shares the scope of the parameters.
        let root = self.compound_in_scope()?;
        let close = self.tokens[self.pos - 1].loc;
        self.check_labels()?;
        Ok((ids, root, close))
    }

    /// The declarations between the parentheses and the body of an old-style definition.
    fn old_style_parameters(&mut self, params: &Params) -> Parsed<Vec<LocalId>> {
        let mut declared: Vec<(Symbol, TypeId, Loc)> = Vec::new();
        while self.tok() != Tok::LBrace {
            if self.eat(Tok::Semicolon) {
                continue;
            }
            if !self.at_declaration() {
                return self.unexpected("a parameter declaration or '{'");
            }
            let specs = self.declaration_specifiers(true)?;
            if self.eat(Tok::Semicolon) {
                continue;
            }
            loop {
                let declarator = self.declarator(specs.ty, Form::Named)?;
                let Some((name, loc)) = declarator.name else {
                    return self.unexpected("a name");
                };
                if !params.names.iter().any(|&(n, _)| n == name) {
                    return self.fail(
                        loc,
                        format!("declaration for parameter '{}' but no such parameter", self.name(name)),
                    );
                }
                if declared.iter().any(|d| d.0 == name) {
                    return self.fail(loc, format!("redeclaration of parameter '{}'", self.name(name)));
                }
                let ty = self.adjust_param(declarator.ty);
                declared.push((name, ty, loc));
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::Semicolon, "';'")?;
        }
        let mut ids = Vec::new();
        for &(name, loc) in &params.names {
            let (ty, loc) = declared
                .iter()
                .find(|d| d.0 == name)
                .map_or((Types::INT, loc), |d| (d.1, d.2));
            if self.is_incomplete(ty) {
                return self.fail(loc, "parameter has incomplete type");
            }
            let text = self.boxed_name(name);
            let quals = self.types.quals(ty);
            let local = self.new_local(Local {
                name: Some(text),
                ty,
                quals,
                loc,
                align: self.demanded_alignment(ty, None),
                is_param: true,
            });
            let frame = self.frames.len() - 1;
            self.bind(name, Meaning::Local(frame, local));
            ids.push(local);
        }
        Ok(ids)
    }
}
