//! Names of the program: functions, variables and string literals become entries of the program's tables at their first use.

use super::build::unique;
use super::init;
use super::state::{Lowerer, Slot};
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Quals, Type, TypeId, Types};

impl Lowerer<'_> {
    /// The function that a declaration stands for; it will be lowered.
    pub(super) fn function(&mut self, id: ast::FuncId) -> FuncId {
        if let Some(f) = self.func_map[id.index()] {
            return f;
        }
        let target = self.resolve(id);
        let f = if target != id && self.unit.function(target).body.is_some() {
            self.function(target)
        } else {
            self.enter_function(id)
        };
        self.func_map[id.index()] = Some(f);
        f
    }

    /// The function that a declaration without a definition stands for, even if there is another that stands for it otherwise.
    pub(super) fn function_itself(&mut self, id: ast::FuncId) -> FuncId {
        let target = self.resolve(id);
        if self.unit.function(target).body.is_none() {
            return self.function(id);
        }
        if let Some(&f) = self.undefined.get(&id) {
            return f;
        }
        let declared = self.unit.function(id);
        let f = self.new_function(&declared.name, declared.ty, declared.loc);
        self.functions[f.index()].noreturn = self.is_noreturn(id);
        self.undefined.insert(id, f);
        f
    }

    fn enter_function(&mut self, id: ast::FuncId) -> FuncId {
        let declared = self.unit.function(id);
        let name = match declared.owner {
            Some(owner) => format!("{}::{}", self.unit.function(owner).unique_name(), declared.name),
            None => declared.unique_name().to_string(),
        };
        let f = self.new_function(&name, declared.ty, declared.loc);
        self.func_map[id.index()] = Some(f);
        self.functions[f.index()].library = self.is_library(id);
        self.functions[f.index()].noreturn = self.is_noreturn(id);
        if let Some(body) = &declared.body {
            self.functions[f.index()].defined = true;
            self.note_model(&name, declared.loc);
            self.declare_frame(id, f, body, &name);
            self.pending_functions.push_back(id);
        }
        f
    }

    /// Records the assumption that a model file is right about a function.
    fn note_model(&mut self, name: &str, loc: Loc) {
        if self.unit.source.in_library(loc) {
            return;
        }
        let file = self.unit.source.resolve(loc).file;
        if self.options.models.iter().any(|model| model == file) {
            let text = format!("`{name}` is what the model file `{file}` says");
            self.assume(AssumptionKind::Library, text, loc, false);
        }
    }

    /// Makes the parameters and the return variable of a function that will be lowered.
    fn declare_frame(&mut self, id: ast::FuncId, f: FuncId, body: &ast::Body, name: &str) {
        self.slots[id.index()] = vec![Slot::Unseen; body.locals.len()];
        let ret_ty = match *self.types.get(self.unit.function(id).ty) {
            Type::Function { ret, .. } => ret,
            _ => Types::VOID,
        };
        if !self.types.is_void(ret_ty) && !self.is_opaque(ret_ty) {
            let ret = self.new_var(Variable {
                name: format!("{name}::__return"),
                display: "__return".to_owned(),
                ty: ret_ty,
                kind: VarKind::Return,
                func: Some(f),
                in_memory: false,
                escapes: false,
                align: 1,
                beyond: 0,
                address: None,
                relevant: true,
                loc: self.unit.function(id).loc,
            });
            self.functions[f.index()].ret = Some(ret);
        }
        let mut params = Vec::new();
        for (i, &param) in body.params.iter().enumerate() {
            let local = &body.locals[param.index()];
            let display = local.name.as_deref().map_or_else(|| format!("$p{i}"), str::to_owned);
            let var = self.new_var(Variable {
                name: format!("{name}::{display}"),
                display,
                ty: local.ty,
                kind: VarKind::Param,
                func: Some(f),
                in_memory: false,
                escapes: false,
                align: 1,
                beyond: 0,
                address: None,
                relevant: true,
                loc: local.loc,
            });
            self.slots[id.index()][param.index()] = Slot::Var(var);
            if !self.is_opaque(local.ty) {
                params.push(var);
            }
        }
        self.functions[f.index()].params = params;
        self.declare_hidden(f, body, name, self.unit.function(id).loc);
    }

    pub(super) fn global(&mut self, id: ast::GlobalId) -> VarId {
        if let Some(v) = self.global_map[id.index()] {
            return v;
        }
        let unit = self.unit;
        let global = unit.global(id);
        if let Some(target) = global.alias.as_deref().and_then(|a| unit.global_beside(id, a))
            && target != id
            && unit.global(target).alias.is_none()
        {
            let v = self.global(target);
            self.global_map[id.index()] = Some(v);
            return v;
        }
        if let Some(target) = self.library_variable(id) {
            let v = self.global(target);
            self.global_map[id.index()] = Some(v);
            return v;
        }
        let base = match global.owner {
            Some(owner) => format!("{}::{}", unit.function(owner).unique_name(), global.name),
            None => global.linkage.unique.as_deref().unwrap_or(&global.name).to_string(),
        };
        let name = unique(&mut self.global_names, &base);
        if global.quals.has(Quals::VOLATILE) {
            let text = format!("the volatile variable `{name}` is changed by the program only");
            self.assume(AssumptionKind::Volatile, text, global.loc, false);
        }
        if global.thread_local {
            let text = format!("there is one thread, with one `{name}`");
            self.assume(AssumptionKind::Concurrency, text, global.loc, false);
        }
        let kind = if global.name.is_empty() {
            VarKind::InitImage
        } else {
            VarKind::Global
        };
        let elements = global.init.map_or(0, |init| unit.init(init).flexible);
        let v = self.new_var(Variable {
            name,
            display: global.name.to_string(),
            ty: global.ty,
            kind,
            func: None,
            in_memory: false,
            escapes: false,
            align: global.align,
            beyond: self.types.bytes_beyond(global.ty, elements),
            address: None,
            relevant: true,
            loc: global.loc,
        });
        self.global_map[id.index()] = Some(v);
        self.pending_globals.push_back(id);
        v
    }

    /// The variable of the library that an `extern` declaration of the program stands for: `stdin`.
    fn library_variable(&self, id: ast::GlobalId) -> Option<ast::GlobalId> {
        let (unit, global) = (self.unit, self.unit.global(id));
        if global.defined || global.owner.is_some() || unit.source.in_library(global.loc) {
            return None;
        }
        let library = unit.globals.iter().enumerate().rev();
        library
            .take_while(|(_, g)| unit.source.in_library(g.loc))
            .find(|(_, g)| g.defined && g.owner.is_none() && g.name == global.name && g.ty == global.ty)
            .map(|(i, _)| ast::GlobalId::from_index(i))
    }

    /// The object of a string literal. Equal literals are one object, as with gcc; the language leaves it open.
    pub(super) fn string(&mut self, id: ast::StringId, ty: TypeId, loc: Loc) -> VarId {
        if let Some(v) = self.string_map[id.index()] {
            return v;
        }
        let unit = self.unit;
        let literal = unit.string(id);
        let key = (ty, &*literal.units, literal.function);
        if let Some(&v) = self.string_of.get(&key) {
            self.string_map[id.index()] = Some(v);
            return v;
        }
        let v = self.new_var(Variable {
            name: format!("__string_{}", id.0),
            display: init::quote(self.unit.string(id)),
            ty,
            kind: VarKind::StringLiteral,
            func: None,
            in_memory: true,
            escapes: false,
            align: 1,
            beyond: 0,
            address: None,
            relevant: true,
            loc,
        });
        self.string_map[id.index()] = Some(v);
        self.string_of.insert(key, v);
        self.pending_strings.push_back(id);
        v
    }

    /// The variable of a local of function `owner` (the current one, or an enclosing one).
    pub(super) fn slot(&mut self, owner: ast::FuncId, id: ast::LocalId) -> Slot {
        let slot = self.slots[owner.index()][id.index()];
        if !matches!(slot, Slot::Unseen) {
            return slot;
        }
        let unit = self.unit;
        let body = unit
            .function(owner)
            .body
            .as_ref()
            .expect("a function with locals has a body");
        let local = &body.locals[id.index()];
        let func = self.func_map[owner.index()].expect("a function's locals are named only inside it");
        let display = local.name.as_deref().unwrap_or("$literal").to_owned();
        let base = format!("{}::{display}", self.functions[func.index()].name);
        // Parameters are unique among each other, and named before all locals.
        let taken = body.params.iter().any(|p| body.locals[p.index()].name == local.name);
        if taken && !self.frame.names.contains_key(&base) {
            self.frame.names.insert(base.clone(), 1);
        }
        let name = unique(&mut self.frame.names, &base);
        if local.quals.has(Quals::VOLATILE) {
            let text = format!("the volatile variable `{name}` is changed by the program only");
            self.assume(AssumptionKind::Volatile, text, local.loc, false);
        }
        let variable_length = self.has_variable_length(local.ty) || (owner == self.frame.ast && self.is_scoped(id));
        let ty = if variable_length {
            self.types.pointer_to(local.ty)
        } else {
            local.ty
        };
        let kind = if local.name.is_none() {
            VarKind::InitImage
        } else {
            VarKind::Local
        };
        let var = self.new_var(Variable {
            name,
            display,
            ty,
            kind,
            func: Some(func),
            in_memory: false,
            escapes: false,
            align: if variable_length { 1 } else { local.align },
            beyond: 0,
            address: None,
            relevant: true,
            loc: local.loc,
        });
        let slot = if variable_length {
            Slot::Pointed(var)
        } else {
            Slot::Var(var)
        };
        self.slots[owner.index()][id.index()] = slot;
        slot
    }
}
