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

use super::{Lowerer, Parts};
use crate::cfa::program::expr;
use crate::cfa::program::scalar::{Class, Scalar};
use crate::cfa::program::*;
use crate::frontend::syntax::ast;
use crate::frontend::syntax::ast::{ExprId, ExprKind as Ast, TranslationUnit};
use crate::frontend::text::source::Loc;
use crate::frontend::types::varargs::NEXT_FIELD;
use crate::frontend::types::{ArrayLen, RecordId, Type, TypeId, Types};
use provident_smt::hash::FxHashMap;

/// How a program passes variable arguments.
pub(in crate::cfa) struct VarArgs {
    /// The types of the members of a slot.
    members: Vec<TypeId>,
    record: RecordId,
    /// The hidden parameter of each function that has one.
    hidden: FxHashMap<FuncId, VarId>,
}

impl VarArgs {
    /// Gives slots a member for each type that some `va_arg` reads.
    pub fn new(unit: &TranslationUnit, types: &mut Types) -> VarArgs {
        let mut members: Vec<TypeId> = Vec::new();
        for e in unit.expressions() {
            let passable = types.size_of(e.ty).is_some_and(|size| size > 0)
                && (types.is_scalar(e.ty) || types.as_record(e.ty).is_some())
                && !is_opaque(types, e.ty);
            if matches!(e.kind, Ast::VaArg(_)) && passable && !members.iter().any(|&m| shared(types, m, e.ty)) {
                members.push(if types.is_pointer(e.ty) { Types::VOID_PTR } else { e.ty });
            }
        }
        if !members.is_empty() {
            let named: Vec<(String, TypeId)> = members.iter().map(|&m| (types.display(m), m)).collect();
            types.complete_va_slot(&named);
        }
        VarArgs {
            members,
            record: types.va_list().slot,
            hidden: FxHashMap::default(),
        }
    }

    /// Whether any `va_arg` reads anything.
    fn in_use(&self) -> bool {
        !self.members.is_empty()
    }

    /// The member for arguments of a type.
    fn member(&self, types: &Types, ty: TypeId) -> Option<u32> {
        let at = self.members.iter().position(|&m| shared(types, m, ty))?;
        Some(u32::try_from(at).expect("a program has few types"))
    }

    /// The number of parameters that callers know.
    pub fn visible(&self, f: FuncId, function: &Function) -> usize {
        function.params.len() - usize::from(self.hidden.contains_key(&f))
    }

    /// Whether callers have to pass a block.
    pub fn takes_block(&self, f: FuncId) -> bool {
        self.hidden.contains_key(&f)
    }

    /// The operations that write extra arguments (`None`: of which something is not known) into a block, a new variable of the function `caller`,
    /// and the block's address.
    pub fn pass(
        &self,
        types: &mut Types,
        vars: &mut Vec<Variable>,
        caller: (FuncId, &str),
        extra: Option<&[Expr]>,
        loc: Loc,
    ) -> (Vec<Op>, Expr) {
        let list = *types.va_list();
        let slot = types.intern(Type::Record(self.record));
        let extra = extra.unwrap_or(&[]);
        let count = extra.len() as u64 + 1;
        let array = types.array_of(slot, ArrayLen::Fixed(count));
        let block = VarId::new(vars.len());
        let display = format!("$args{}", block.0);
        vars.push(Variable {
            name: format!("{}::{display}", caller.1),
            display,
            ty: array,
            kind: VarKind::InitImage,
            func: Some(caller.0),
            in_memory: false,
            escapes: false,
            address: None,
            relevant: true,
            loc,
        });
        let index = Types::int(types.data_model().ptrdiff_t());
        let slot_at = |i: usize| {
            let i = i64::try_from(i).expect("a call has few arguments");
            let mut place = Place::var(block, array);
            place.proj.push(Proj::Index(Box::new(Expr::int(i, index))));
            place.ty = slot;
            place
        };
        let source = Input::invented(Invention::VarArgs, "a variable argument that was not passed");
        let place = Place::var(block, array);
        let mut ops = vec![Op::Havoc { place, source }];
        for (i, value) in extra.iter().enumerate() {
            let Some(field) = self.member(types, value.ty) else {
                continue;
            };
            let ty = self.members[field as usize];
            let mut lhs = slot_at(i);
            lhs.proj.push(Proj::Field {
                record: self.record,
                field,
            });
            lhs.ty = ty;
            let rhs = if types.is_scalar(ty) {
                expr::cast(types, value.clone(), ty)
            } else {
                value.clone()
            };
            ops.push(Op::Assign { lhs, rhs });
        }
        let address = Expr {
            ty: list.pointer,
            kind: ExprKind::AddrOf(slot_at(0)),
        };
        (ops, address)
    }
}

/// Whether an argument of one type may be taken as one of the other.
fn shared(types: &Types, a: TypeId, b: TypeId) -> bool {
    match (Scalar::of(types, a), Scalar::of(types, b)) {
        _ if a == b => true,
        (Some(x), Some(y)) => x.class == y.class && x.size == y.size && matches!(x.class, Class::Int | Class::Pointer),
        _ => false,
    }
}

fn is_opaque(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Complex(_) | Type::Vector { .. })
}

/// Appends the operations that pass variable arguments to an edge chain of unfinished parts. Returns where it ends, and the address.
pub(in crate::cfa) fn pass_in(parts: &mut Parts, from: NodeId, extra: Option<&[Expr]>, loc: Loc) -> (NodeId, Expr) {
    let func = parts.nodes[from.index()].func;
    let caller = parts.functions[func.index()].name.clone();
    let (ops, address) = parts
        .varargs
        .pass(&mut parts.types, &mut parts.vars, (func, &caller), extra, loc);
    let mut from = from;
    for op in ops {
        let to = parts.add_node(func, loc);
        parts.edges.push(Edge { from, to, op, loc });
        from = to;
    }
    (from, address)
}

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
            display: "$varargs".to_owned(),
            ty: self.types.va_list().pointer,
            kind: VarKind::Param,
            func: Some(f),
            in_memory: false,
            escapes: false,
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
