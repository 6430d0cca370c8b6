//! Variable arguments, exactly.
//!
//! A call of a function that starts a `va_list` writes its extra arguments into a *block* in the caller's frame and passes the block's address in a hidden last
//! parameter, from which `va_start` begins. A block is an array of *slots*, one for each argument and one more that nothing is passed in. A slot is a record
//! with one member for each type that some `va_arg` of the program reads: all integer types of one size share a member, as do all pointers. So arguments of different types
//! lie in different members, memory stays divided by types, and a `va_list` is a pointer that steps over records.
//!
//! Every member that a call does not write is invented by it, so that a `va_arg` of another type than that of the argument, or behind the last argument, reads an invented
//! value: both are undefined behaviour, and nothing is concluded from them. A function without `va_start` has no hidden parameter, and calls of it write nothing.
//!
//! The machine's own way (registers first, an area that the callee saves them to) is not kept: a program could see it by the members of `struct __va_list_tag` only.

use super::Lowerer;
use crate::cfa::program::expr;
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::ExprId;
use crate::frontend::text::source::Loc;
use crate::frontend::types::varargs::NEXT_FIELD;
use crate::frontend::types::{Type, TypeId};

impl Lowerer<'_> {
    /// Gives a function that starts a `va_list` its hidden parameter.
    pub(super) fn declare_hidden(&mut self, f: FuncId, body: &ast::Body, name: &str, loc: Loc) {
        let variadic = matches!(
            self.types.get(self.functions[f.index()].ty),
            Type::Function { variadic: true, .. }
        );
        if !variadic || !body.starts_varargs || !self.varargs.in_use() {
            return;
        }
        let var = self.new_var(Variable {
            name: format!("{name}::$varargs"),
            display: HIDDEN_PARAMETER.to_owned(),
            ty: self.types.va_list().pointer,
            kind: VarKind::Param,
            func: Some(f),
            in_memory: false,
            escapes: false,
            align: 1,
            beyond: 0,
            address: None,
            relevant: true,
            loc,
        });
        self.functions[f.index()].params.push(var);
        self.varargs.hidden.insert(f, var);
    }

    /// Emits what passes extra arguments, and returns the value of the hidden parameter.
    pub(super) fn pass_varargs(&mut self, extra: Option<&[Expr]>, loc: Loc) -> Expr {
        let func = self.frame.func;
        let caller = self.functions[func.index()].name.clone();
        let (ops, address) = self
            .varargs
            .pass(&mut self.types, &mut self.vars, (func, &caller), extra, loc);
        for op in ops {
            self.emit(op, loc);
        }
        address
    }

    /// The hidden argument of the entry function: nothing is known of what it points to.
    pub(super) fn entry_varargs(&mut self, func: FuncId, loc: Loc) -> Option<Expr> {
        self.varargs.takes_block(func).then(|| {
            let ty = self.types.va_list().pointer;
            self.invent(
                ty,
                Invention::VarArgs,
                "the variable arguments of the entry function",
                loc,
            )
        })
    }

    /// The pointer to the next slot in the list that an operand of `va_arg` and its kin denotes.
    fn next_slot(&mut self, list: ExprId, loc: Loc) -> Place {
        match self.types.va_list().tag {
            None => self.place(list),
            Some(tag) => {
                let pointer = self.rvalue(list);
                let record = self.types.intern(Type::Record(tag));
                let place = self.pointed(pointer, record);
                self.member(place, tag, NEXT_FIELD, loc)
            }
        }
    }

    /// `va_start(list, ...)`
    pub(super) fn va_start(&mut self, list: ExprId, loc: Loc) {
        match self.varargs.hidden.get(&self.frame.func) {
            Some(&hidden) => {
                let next = self.next_slot(list, loc);
                let value = Expr::load(Place::var(hidden, next.ty));
                self.store_value(next, value, loc);
            }
            // Nothing in the program takes an argument from a list.
            None => self.effect(list),
        }
    }

    /// `va_copy(to, from)`
    pub(super) fn va_copy(&mut self, to: ExprId, from: ExprId, loc: Loc) {
        let target = self.next_slot(to, loc);
        let target = self.keep_place(target, from, loc);
        let source = self.next_slot(from, loc);
        self.store_value(target, Expr::load(source), loc);
    }

    /// `va_arg(list, ty)`
    pub(super) fn va_arg(&mut self, list: ExprId, ty: TypeId, loc: Loc) -> Expr {
        let next = self.next_slot(list, loc);
        let slot = self.save(Expr::load(next.clone()), loc);
        let moved = self.pointer_add(slot.clone(), Expr::int(1, self.intptr), false);
        self.store_value(next, moved, loc);
        let Some(field) = self.varargs.member(&self.types, ty) else {
            let what = format!("a variable argument of type `{}`", self.types.display(ty));
            return self.invent(ty, Invention::VarArgs, &what, loc);
        };
        let record = self.varargs.record;
        let slot_ty = self.types.intern(Type::Record(record));
        let place = self.member(Place::deref(slot, slot_ty), record, field, loc);
        let value = Expr::load(place);
        if self.types.is_scalar(ty) {
            expr::cast(&self.types, value, ty)
        } else {
            value
        }
    }
}
