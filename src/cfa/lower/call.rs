//! Calls: of defined functions, through pointers, of functions without body.

use super::Lowerer;
use super::place::is_static;
use crate::cfa::program::assumption::AssumptionKind;
use crate::cfa::program::expr;
use crate::cfa::program::invention::Invention;
use crate::cfa::program::*;
use crate::cfa::raw::{IndirectCall, Mark};
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{Callee, CastKind, ExprId, ExprKind as Ast, Model};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, Types};

/// Functions without body that do not return, whatever their declaration says.
const NORETURN: [&str; 16] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "__assert_fail",
    "__assert",
    "__assert_rtn",
    "__assert_func",
    "__builtin_unreachable",
    "__builtin_trap",
    "__builtin_abort",
    "__builtin_exit",
    "__builtin_longjmp",
    "longjmp",
    "siglongjmp",
];

impl Lowerer<'_> {
    /// Lowers a call. `into`: a fixed place of the call's type that wants the result. `wanted`: whether the result is used.
    /// Returns the value if it is wanted and there is one (a load of `into`, if the result went there).
    pub(super) fn call(
        &mut self,
        e: ExprId,
        callee: Callee,
        args: &[ExprId],
        into: Option<Place>,
        wanted: bool,
    ) -> Option<Expr> {
        let node = self.unit.expr(e);
        let (ty, loc) = (node.ty, node.loc);
        match callee {
            Callee::Direct(f) => {
                let target = self.resolve(f);
                let by_library = self.is_library(target);
                if self.unit.function(target).body.is_some() && !by_library {
                    return self.call_defined(f, args, ty, into, wanted, loc);
                }
                if self.is_forbidden(f, loc) {
                    return self.forbidden_call(f, args, ty, into, wanted, loc);
                }
                self.call_modelled(f, args, ty, into, wanted, loc)
            }
            Callee::Pointer(pointer) => {
                // A pointer that is a function's name after all.
                if let Some(f) = self.constant_target(pointer) {
                    return self.call(e, Callee::Direct(f), args, into, wanted);
                }
                self.call_pointer(pointer, args, ty, into, wanted, loc)
            }
        }
    }

    /// A call of a function that the program does not define.
    fn call_modelled(
        &mut self,
        f: ast::FuncId,
        args: &[ExprId],
        ty: TypeId,
        into: Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Expr> {
        let target = self.resolve(f);
        let by_library = self.is_library(target);
        // Operations that lowering knows come before the library's sources: these only stand for pointers to such functions.
        if self.is_watched(f) {
            if let Some(result) = self.marked_library_call(f, args, ty, &into, wanted, loc) {
                return result;
            }
        } else if let Some(result) = self.library_call(f, args, ty, &into, wanted, loc) {
            return result;
        } else if by_library && let Some(result) = self.formatted_call(target, args, ty, wanted, loc) {
            return result;
        } else if by_library && let Some(result) = self.text_call(target, args, ty, wanted, loc) {
            return result;
        }
        if by_library && self.gives_enough(target, args) && self.reads_format(target, args, loc) {
            return self.call_defined(f, args, ty, into, wanted, loc);
        }
        self.call_external(f, args, ty, into, wanted, loc)
    }

    /// Whether a specification matches calls of a function.
    fn is_watched(&self, f: ast::FuncId) -> bool {
        let name = &self.unit.function(f).name;
        self.options.watched.iter().any(|watched| **watched == **name)
    }

    /// Whether a property forbids the program to call a function. Calls by the library are its own affair.
    fn is_forbidden(&self, f: ast::FuncId, loc: Loc) -> bool {
        let name = &*self.unit.function(f).name;
        let may_be_modelled = || {
            self.is_library(self.resolve(f))
                || name.starts_with("__VERIFIER_")
                || Invention::of_function(name).is_some()
                || super::undefined::effects_of_undefined(name).is_some()
        };
        self.options
            .forbidden
            .iter()
            .any(|forbidden| is_called(name, forbidden))
            && !self.unit.source.in_library(loc)
            && may_be_modelled()
    }

    /// A call that a property forbids: a model of the function may leave nothing of it, so there is an edge for the call itself. It stands before what the function
    /// does; behind that if the arguments have side effects, which happen once.
    fn forbidden_call(
        &mut self,
        f: ast::FuncId,
        args: &[ExprId],
        ty: TypeId,
        into: Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Expr> {
        let is_modelled = |this: &Self, from: usize, func| {
            let is_call = |op: &Op| matches!(op, Op::External { func: to, .. } if *to == func);
            !this.edges[from..].iter().any(|edge| is_call(&edge.op))
        };
        let func = self.function_itself(f);
        let behind = args.iter().any(|&arg| self.has_effects(arg));
        let before = self.edges.len();
        if behind {
            let value = self.call_modelled(f, args, ty, into, wanted, loc);
            if is_modelled(self, before, func) {
                self.emit(
                    Op::External {
                        func,
                        args: Vec::new(),
                        ret: None,
                    },
                    loc,
                );
            }
            return value;
        }
        let values = self.arguments(args, loc);
        let mark = self.edges.len();
        self.emit(
            Op::External {
                func,
                args: values,
                ret: None,
            },
            loc,
        );
        let value = self.call_modelled(f, args, ty, into, wanted, loc);
        if !is_modelled(self, mark + 1, func) {
            // The function has no model, and its call an edge.
            self.edges[mark].op = Op::Nop;
        }
        value
    }

    /// As [`Self::library_call`], with marks before and after the model. A call whose arguments have side effects is not
    /// modelled, since the marks need the values too: its result is any value.
    fn marked_library_call(
        &mut self,
        f: ast::FuncId,
        args: &[ExprId],
        ty: TypeId,
        into: &Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Option<Expr>> {
        if args.iter().any(|&arg| self.has_effects(arg)) {
            return None;
        }
        let function = self.unit.function(f).name.to_string();
        let start = self.cur;
        let before = self.edges.len();
        let values = self.arguments(args, loc);
        let mut saved = Vec::with_capacity(values.len());
        for value in values {
            let keep = matches!(value.kind, ExprKind::Const(_) | ExprKind::FuncAddr(_));
            saved.push(if keep { value } else { self.save(value, loc) });
        }
        self.mark(&function, &saved, None, false, loc);
        let has_value = !self.types.is_void(ty) && !self.is_opaque(ty);
        let Some(result) = self.library_call(f, args, ty, into, wanted || has_value, loc) else {
            self.cur = start;
            self.edges.truncate(before);
            self.marks.pop();
            return None;
        };
        self.mark(&function, &saved, result.clone(), true, loc);
        Some(result.filter(|_| wanted))
    }

    fn mark(&mut self, function: &str, args: &[Expr], result: Option<Expr>, after: bool, loc: Loc) {
        self.marks.push(Mark {
            edge: self.edges.len(),
            function: function.to_owned(),
            args: args.to_vec(),
            result,
            after,
        });
        self.emit(Op::Nop, loc);
    }

    /// The function behind an alias, or the one of the library that stands for it.
    pub(super) fn resolve(&self, f: ast::FuncId) -> ast::FuncId {
        let function = self.unit.function(f);
        if let Model::Function(model) = function.model {
            return model;
        }
        match &function.attributes.alias {
            Some(target) if function.body.is_none() => self.unit.function_beside(f, target).unwrap_or(f),
            _ => f,
        }
    }

    /// Whether a function's definition is one of the library.
    pub(super) fn is_library(&self, f: ast::FuncId) -> bool {
        let function = self.unit.function(f);
        function.body.is_some() && self.unit.source.in_library(function.loc)
    }

    /// Whether a function without a body ends the program.
    pub(super) fn is_noreturn(&self, f: ast::FuncId) -> bool {
        let function = self.unit.function(f);
        function.body.is_none() && (function.attributes.noreturn || NORETURN.contains(&&*function.name))
    }

    /// Whether there are as many arguments as the definition has parameters: a call without a prototype may lack some.
    fn gives_enough(&self, definition: ast::FuncId, args: &[ExprId]) -> bool {
        let body = self.unit.function(definition).body.as_ref();
        body.is_some_and(|body| body.params.len() <= args.len())
    }

    fn constant_target(&self, mut e: ExprId) -> Option<ast::FuncId> {
        loop {
            match self.unit.expr(e).kind {
                Ast::Function(f) => return Some(f),
                Ast::Cast(CastKind::FunctionToPointer, inner) | Ast::AddressOf(inner) => e = inner,
                // `*f` of a designator that has decayed.
                Ast::Deref(inner) if self.types.is_function(self.unit.expr(e).ty) => e = inner,
                _ => return None,
            }
        }
    }

    /// Whether the call may change something that the caller can read.
    pub(super) fn call_has_effects(&self, callee: Callee) -> bool {
        match callee {
            Callee::Pointer(_) => true,
            Callee::Direct(f) => {
                let f = self.unit.function(self.resolve(f));
                if f.body.is_some() {
                    return !f.attributes.pure;
                }
                super::undefined::has_effects(&f.name)
            }
        }
    }

    /// Argument values, evaluated from the last to the first. Arguments of opaque types are evaluated and left out.
    pub(super) fn arguments(&mut self, args: &[ExprId], loc: Loc) -> Vec<Expr> {
        self.note_order(args, loc);
        let mut values = Vec::with_capacity(args.len());
        // Whether an argument before argument i, which is evaluated after it, has side effects.
        let mut later = vec![false; args.len() + 1];
        for (i, &arg) in args.iter().enumerate() {
            later[i + 1] = later[i] || self.has_effects(arg);
        }
        for (i, &arg) in args.iter().enumerate().rev() {
            if self.is_opaque(self.unit.expr(arg).ty) || self.types.is_void(self.unit.expr(arg).ty) {
                self.effect(arg);
                continue;
            }
            let value = self.rvalue(arg);
            let keep = later[i] && !self.is_stable(&value);
            let value = if keep { self.save(value, loc) } else { value };
            values.push(value);
        }
        values.reverse();
        values
    }

    /// Where the result of a call goes, and the value that it then has.
    fn result_place(
        &mut self,
        ty: TypeId,
        into: Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> (Option<Place>, Option<Expr>) {
        if self.types.is_void(ty) || !wanted {
            return (None, None);
        }
        let place = match into {
            Some(place) if place.ty == ty && is_static(&place) && place.bits.is_none() => place,
            _ => Place::var(self.temp(ty, loc), ty),
        };
        if self.is_opaque(ty) {
            let source = self.opaque_value(ty);
            self.emit(
                Op::Havoc {
                    place: place.clone(),
                    source,
                },
                loc,
            );
            return (None, Some(Expr::load(place)));
        }
        (Some(place.clone()), Some(Expr::load(place)))
    }

    fn call_defined(
        &mut self,
        f: ast::FuncId,
        args: &[ExprId],
        ty: TypeId,
        into: Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Expr> {
        let incomplete = self.leaves_out(args);
        let values = self.arguments(args, loc);
        let func = self.function(f);
        let args = self.fit_arguments(func, values, incomplete, loc);
        let declared = self.functions[func.index()].ret.map(|r| self.vars[r.index()].ty);
        let (ret, value) = match declared {
            Some(declared) if wanted && declared != ty && !self.types.is_void(ty) => {
                // An implicit declaration promised another type than the definition has.
                let (ret, value) = self.result_place(declared, None, wanted, loc);
                let value = value.map(|v| self.convert(v, ty, loc));
                (ret, value)
            }
            Some(_) => self.result_place(ty, into, wanted, loc),
            None if wanted && !self.types.is_void(ty) => {
                self.emit(Op::Call { func, args, ret: None }, loc);
                return Some(self.invent(
                    ty,
                    Invention::Language,
                    "the result of a function that returns none",
                    loc,
                ));
            }
            None => (None, None),
        };
        self.emit(Op::Call { func, args, ret }, loc);
        value
    }

    fn convert(&mut self, value: Expr, ty: TypeId, loc: Loc) -> Expr {
        if self.types.is_scalar(value.ty)
            && self.types.is_scalar(ty)
            && !self.is_opaque(ty)
            && !self.is_opaque(value.ty)
        {
            expr::cast(&self.types, value, ty)
        } else {
            self.invent(ty, Invention::Language, "a result of an incompatible type", loc)
        }
    }

    /// Whether arguments are left out because of their types.
    fn leaves_out(&self, args: &[ExprId]) -> bool {
        args.iter()
            .any(|&arg| self.is_opaque(self.unit.expr(arg).ty) || self.types.is_void(self.unit.expr(arg).ty))
    }

    /// Makes the arguments fit the parameters of a defined function: superfluous ones are passed as variable arguments or dropped, missing ones are any value.
    pub(super) fn fit_arguments(&mut self, func: FuncId, values: Vec<Expr>, incomplete: bool, loc: Loc) -> Vec<Expr> {
        let function = &self.functions[func.index()];
        let visible = self.varargs.visible(func, function);
        let params: Vec<TypeId> = function.params[..visible]
            .iter()
            .map(|p| self.vars[p.index()].ty)
            .collect();
        let extra = values.get(visible..).unwrap_or(&[]).to_vec();
        let mut values = values.into_iter();
        let mut args = Vec::with_capacity(params.len());
        for ty in params {
            let arg = match values.next() {
                Some(value) if value.ty == ty => value,
                Some(value) => self.convert(value, ty, loc),
                None => self.invent(ty, Invention::Language, "a missing argument", loc),
            };
            args.push(arg);
        }
        if self.varargs.takes_block(func) {
            let extra = (!incomplete).then_some(&extra[..]);
            args.push(self.pass_varargs(extra, loc));
        }
        args
    }

    fn call_pointer(
        &mut self,
        pointer: ExprId,
        args: &[ExprId],
        ty: TypeId,
        into: Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Expr> {
        let value = self.rvalue(pointer);
        let any_effects = args.iter().any(|&a| self.has_effects(a));
        let value = if any_effects { self.save(value, loc) } else { value };
        let signature = self.types.pointee(value.ty).unwrap_or(Types::VOID);
        let incomplete = self.leaves_out(args);
        let values = self.arguments(args, loc);
        let (ret, result) = self.result_place(ty, into, wanted, loc);
        let (from, to) = (self.cur, self.new_node(loc));
        self.indirect.push(IndirectCall {
            from,
            to,
            pointer: value,
            args: values,
            incomplete,
            ret,
            signature,
            loc,
        });
        self.cur = to;
        result
    }

    /// A call of a function without body and without model.
    pub(super) fn call_external(
        &mut self,
        f: ast::FuncId,
        args: &[ExprId],
        ty: TypeId,
        into: Option<Place>,
        wanted: bool,
        loc: Loc,
    ) -> Option<Expr> {
        let values = self.arguments(args, loc);
        let function = self.unit.function(f);
        let noreturn = self.is_noreturn(f);
        let name = function.name.to_string();
        let func = self.function_itself(f);
        let target = self.resolve(f);
        if function.model == Model::Misfit || self.is_library(target) && !self.gives_enough(target, args) {
            let text = format!("`{name}` is called with another type than it has in the C library: it is not modelled");
            self.assume(AssumptionKind::Library, text, loc, false);
        }
        if function.implicit && name.starts_with("__builtin_") && !name.starts_with("__builtin_ia32_") {
            let text = format!("the type of the builtin `{name}` is not known");
            self.assume(AssumptionKind::Unsupported, text, loc, false);
        }
        let in_sight = self.write_through(f, &values, loc);
        if noreturn {
            if name.contains("longjmp") {
                let text = format!("`{name}` ends the path instead of jumping");
                self.assume(AssumptionKind::NonLocalJump, text, loc, false);
            }
            if matches!(&*name, "exit" | "__builtin_exit") {
                self.run_exit_functions(loc);
            }
            self.emit(
                Op::External {
                    func,
                    args: values,
                    ret: None,
                },
                loc,
            );
            self.cur = self.new_node(loc);
            return if wanted && !self.types.is_void(ty) {
                let temp = self.temp(ty, loc);
                Some(Expr::load(Place::var(temp, ty)))
            } else {
                None
            };
        }
        let typed = wanted && self.types.is_pointer(ty);
        self.note_unchecked_accesses(&name, &values, loc);
        self.note_external(&name, function.attributes.pure, in_sight, typed, loc);
        let (ret, value) = self.result_place(ty, into, wanted, loc);
        self.emit(
            Op::External {
                func,
                args: values,
                ret,
            },
            loc,
        );
        value
    }
}
