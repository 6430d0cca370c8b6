//! The functions that a call through a pointer may reach by the types of the program: all whose address is taken, with and without a body.

use crate::cfa::program::expr::{walk, walk_place};
use crate::cfa::program::visit::visit_op;
use crate::cfa::program::*;
use crate::cfa::raw::{IndirectCall, Parts};
use crate::frontend::types::{RecordId, Type, TypeId, Types};
use provident_smt::hash::{FxHashMap, FxHashSet};

/// The functions whose address is taken, by how it is used.
pub(super) struct Targets {
    /// All of them, in order.
    taken: Vec<FuncId>,
    /// Those that the program converts to a pointer to another function type.
    converted: Vec<(FuncId, TypeId)>,
    /// Those that the program converts to a pointer or number that says nothing about their type.
    anything: Vec<FuncId>,
}

impl Targets {
    pub fn new(parts: &Parts) -> Targets {
        let taken = (0..parts.functions.len())
            .map(FuncId::new)
            .filter(|f| parts.functions[f.index()].address_taken)
            .collect();
        let mut targets = Targets {
            taken,
            converted: Vec::new(),
            anything: Vec::new(),
        };
        for edge in &parts.edges {
            visit_op(&edge.op, &mut |e| {
                if let ExprKind::Cast(inner) = &e.kind
                    && let ExprKind::FuncAddr(f) = inner.kind
                {
                    match parts.types.pointee(e.ty) {
                        Some(to) if parts.types.is_function(to) => targets.converted.push((f, to)),
                        _ => targets.anything.push(f),
                    }
                }
            });
        }
        targets
    }

    /// The functions that a call with this signature may reach: those of a compatible type, by themselves or after a conversion; if there
    /// is none, those with as many parameters that agree on whether there is a result and on its size. A call through a type that does
    /// not even agree on that is undefined, and no compiler emits code for it that could work.
    pub fn by_signature(&self, parts: &Parts, call: &IndirectCall) -> Vec<FuncId> {
        let as_many = |f: FuncId| takes_as_many(parts, f, call) && call_fits(parts, f, call);
        let signature = parts.types.get(call.signature);
        let compatible = |ty: TypeId, f: FuncId| {
            ty == call.signature
                || match (signature, parts.types.get(ty)) {
                    (
                        Type::Function {
                            ret: r1,
                            prototyped: p1,
                            ..
                        },
                        Type::Function {
                            ret: r2,
                            prototyped: p2,
                            ..
                        },
                    ) => r1 == r2 && !(*p1 && *p2) && as_many(f),
                    _ => false,
                }
        };
        let mut list: Vec<FuncId> = self
            .taken
            .iter()
            .copied()
            .filter(|&f| compatible(parts.functions[f.index()].ty, f))
            .collect();
        list.extend(
            self.converted
                .iter()
                .filter(|&&(f, to)| compatible(to, f))
                .map(|&(f, _)| f),
        );
        list.extend(self.anything.iter().copied().filter(|&f| as_many(f)));
        // A function without body is selected by its type, too, but a call of a function with a body has to find it.
        if !list.iter().any(|f| parts.functions[f.index()].defined) {
            let agree =
                |f: FuncId| as_many(f) && results_agree(&parts.types, parts.functions[f.index()].ty, call.signature);
            list.extend(self.taken.iter().copied().filter(|&f| agree(f)));
        }
        list.retain(|f| call_fits(parts, *f, call));
        list.sort_unstable();
        list.dedup();
        list
    }
}

/// Whether two function types return nothing, or scalars of one size, or the same type.
fn results_agree(types: &Types, a: TypeId, b: TypeId) -> bool {
    let (&Type::Function { ret: a, .. }, &Type::Function { ret: b, .. }) = (types.get(a), types.get(b)) else {
        // A call through something that is no function type says nothing of its result.
        return true;
    };
    let scalars = types.is_scalar(a) && types.is_scalar(b);
    a == b || types.is_void(a) && types.is_void(b) || scalars && types.size_of(a) == types.size_of(b)
}

/// The types of a function's parameters: those of its body, or those that its declaration says.
pub(super) fn parameter_types(parts: &Parts, f: FuncId) -> Vec<TypeId> {
    let function = &parts.functions[f.index()];
    if function.defined {
        let visible = parts.varargs.visible(f, function);
        let own = function.params[..visible].iter();
        return own.map(|p| parts.vars[p.index()].ty).collect();
    }
    match parts.types.get(function.ty) {
        Type::Function { params, .. } => params.to_vec(),
        _ => Vec::new(),
    }
}

/// Whether the function takes as many arguments as there are.
fn takes_as_many(parts: &Parts, f: FuncId, call: &IndirectCall) -> bool {
    let (params, args) = (parameter_types(parts, f).len(), call.args.len());
    match *parts.types.get(parts.functions[f.index()].ty) {
        Type::Function { variadic: true, .. } => params <= args,
        Type::Function { prototyped: false, .. } if !parts.functions[f.index()].defined => true,
        _ => params == args,
    }
}

/// Whether every argument that there is converts to its parameter: both scalar, or the same record.
fn call_fits(parts: &Parts, f: FuncId, call: &IndirectCall) -> bool {
    let types = &parts.types;
    parameter_types(parts, f)
        .into_iter()
        .zip(&call.args)
        .all(|(ty, arg)| ty == arg.ty || (types.is_scalar(ty) && types.is_scalar(arg.ty)))
}

/// A member of a record.
type Member = (RecordId, u32);

/// Which functions are assigned to which members, which variables hold what was read from one member, and what goes other ways.
#[derive(Default)]
pub(super) struct Members {
    assigned: FxHashMap<Member, Vec<FuncId>>,
    /// `None` where other values are assigned as well.
    held: FxHashMap<VarId, Option<Member>>,
    /// The functions whose address goes elsewhere than straight into a member.
    loose: FxHashSet<FuncId>,
    /// The members that are read for more than a test, a call, or a variable that holds the value for these, or whose address is taken.
    passed: FxHashSet<Member>,
}

impl Members {
    /// Looks at the operations, and at calls that are none of them yet.
    pub fn new(parts: &Parts, calls: &[IndirectCall]) -> Members {
        let mut members = Members::default();
        let mut used = FxHashSet::default();
        for edge in &parts.edges {
            match &edge.op {
                // A test of a pointer takes it nowhere.
                Op::Assume { .. } => {}
                Op::Assign { lhs, rhs } => members.assign(parts, lhs, rhs, &mut used),
                op => visit_op(op, &mut |e| members.leave(e, &mut used)),
            }
        }
        for arg in calls.iter().flat_map(|call| &call.args) {
            walk(arg, &mut |e| members.leave(e, &mut used));
        }
        let read = used.iter().filter_map(|var| members.held.get(var).copied().flatten());
        members.passed.extend(read);
        members
    }

    fn assign(&mut self, parts: &Parts, lhs: &Place, rhs: &Expr, used: &mut FxHashSet<VarId>) {
        let (to, function, read) = (last_member(lhs), function_of(rhs), read_member(rhs));
        let var = lhs.as_whole_var();
        if let Some(var) = var {
            // Others may read the result of a function, and a variable behind a pointer.
            let variable = &parts.vars[var.index()];
            let read = read.filter(|_| !variable.escapes && variable.kind != VarKind::Return);
            let held = self.held.entry(var).or_insert(read);
            if *held != read {
                // Its old value goes where the variable goes.
                self.passed.extend(held.take().into_iter().chain(read));
            }
        }
        walk_place(lhs, &mut |e| self.leave(e, used));
        match (to, function) {
            (Some(member), Some(function)) => self.assigned.entry(member).or_default().push(function),
            _ if read.is_some() && to == read => {}
            _ if var.is_some_and(|var| read.is_some() && self.held[&var] == read) => {}
            _ => walk(rhs, &mut |e| self.leave(e, used)),
        }
    }

    /// A part of an expression whose value may go anywhere.
    fn leave(&mut self, e: &Expr, used: &mut FxHashSet<VarId>) {
        match &e.kind {
            ExprKind::FuncAddr(function) => {
                self.loose.insert(*function);
            }
            ExprKind::Load(place) => {
                used.extend(place.as_whole_var());
                self.passed.extend(last_member(place));
            }
            // Through a pointer to the member its value may go anywhere.
            ExprKind::AddrOf(place) => self.passed.extend(last_member(place)),
            _ => {}
        }
    }

    /// The member that a pointer was read from, if that is known.
    fn source(&self, pointer: &Expr) -> Option<Member> {
        let variable = match &strip(pointer).kind {
            ExprKind::Load(place) => place.as_whole_var(),
            _ => None,
        };
        match variable {
            Some(var) => self.held.get(&var).copied().flatten(),
            None => read_member(pointer),
        }
    }

    /// The functions that are assigned to the member that the pointer was read from; `None` if that is not known, or nothing is.
    pub fn candidates(&self, pointer: &Expr) -> Option<&[FuncId]> {
        self.assigned.get(&self.source(pointer)?).map(Vec::as_slice)
    }

    /// Of some functions those that the program puts into members only, none of which is the one that the pointer was read from.
    pub fn elsewhere(&self, pointer: &Expr, functions: &[FuncId]) -> Vec<FuncId> {
        let Some(member) = self.source(pointer) else {
            return Vec::new();
        };
        let may_hold = |function: &FuncId| {
            let puts = |(at, list): (&Member, &Vec<FuncId>)| {
                list.contains(function) && (*at == member || self.passed.contains(at))
            };
            self.loose.contains(function) || self.assigned.iter().any(puts)
        };
        functions
            .iter()
            .copied()
            .filter(|function| !may_hold(function))
            .collect()
    }
}

fn strip(mut e: &Expr) -> &Expr {
    while let ExprKind::Cast(inner) = &e.kind {
        e = inner;
    }
    e
}

fn function_of(e: &Expr) -> Option<FuncId> {
    match strip(e).kind {
        ExprKind::FuncAddr(f) => Some(f),
        _ => None,
    }
}

fn read_member(e: &Expr) -> Option<Member> {
    match &strip(e).kind {
        ExprKind::Load(place) => last_member(place),
        _ => None,
    }
}

fn last_member(place: &Place) -> Option<Member> {
    place.proj.iter().rev().find_map(|step| match step {
        Proj::Field { record, field } => Some((*record, *field)),
        Proj::Index(_) => None,
    })
}
