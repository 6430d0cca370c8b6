//! Chains of tests and calls.

use super::candidates::{Members, Targets, parameter_types};
use super::policy::{Effects, PointerCalls, UnknownTargets};

use crate::cfa::program::assumption::{Assumption, AssumptionKind};
use crate::cfa::program::expr;
use crate::cfa::program::invention::UNKNOWN_TARGET;
use crate::cfa::program::*;
use crate::cfa::raw::{IndirectCall, Parts, RawNode};
use crate::frontend::text::source::Loc;
use crate::frontend::types::{Type, TypeId, Types};

/// One test of a pointer, and the call behind it.
pub(super) struct Candidate {
    pub function: FuncId,
    /// The edges for the outcomes of the test, and that of the call.
    pub hit: usize,
    pub miss: usize,
    pub call: usize,
}

/// The result of expanding a call through a pointer.
pub(super) struct Site {
    pub pointer: Expr,
    pub candidates: Vec<Candidate>,
    /// The candidates that the program puts into other members only than the one that the pointer is read from.
    pub elsewhere: Vec<FuncId>,
    pub loc: Loc,
}

/// Expands all calls, by signature or by member.
pub(super) fn expand_all(
    parts: &mut Parts,
    calls: Vec<IndirectCall>,
    by: PointerCalls,
    policy: UnknownTargets,
) -> Vec<Site> {
    let targets = Targets::new(parts);
    let members = (by != PointerCalls::Signature).then(|| Members::new(parts, &calls));
    let void_function = parts.types.intern(Type::Function {
        ret: Types::VOID,
        params: Box::new([]),
        variadic: false,
        prototyped: false,
    });
    let unknown = add_function(parts, UNKNOWN_TARGET, void_function);
    let effects = (policy == UnknownTargets::Havoc).then(|| add_effects(parts, void_function));
    let mut sites = Vec::with_capacity(calls.len());
    for call in calls {
        let mut list = targets.by_signature(parts, &call);
        let mut elsewhere = Vec::new();
        match (&members, by) {
            (Some(members), PointerCalls::Field) => {
                if let Some(assigned) = members.candidates(&call.pointer) {
                    list.retain(|f| assigned.contains(f));
                }
            }
            (Some(members), _) => elsewhere = members.elsewhere(&call.pointer, &list),
            (None, _) => {}
        }
        let site = expand(parts, call, list, unknown, effects);
        sites.push(Site { elsewhere, ..site });
    }
    sites
}

fn add_function(parts: &mut Parts, name: &str, ty: TypeId) -> FuncId {
    let id = FuncId::new(parts.functions.len());
    let node = |parts: &mut Parts| {
        parts.nodes.push(RawNode {
            func: id,
            loc: Loc::NONE,
            label: None,
            is_loop: false,
        });
        NodeId::new(parts.nodes.len() - 1)
    };
    let (entry, exit) = (node(parts), node(parts));
    let address = parts.functions.last().map_or(0x1000, |f| f.address) + 16;
    parts.functions.push(Function {
        name: name.to_owned(),
        ty,
        params: Vec::new(),
        ret: None,
        entry,
        exit,
        defined: false,
        library: false,
        noreturn: false,
        recursive: false,
        address,
        address_taken: false,
        loc: Loc::NONE,
    });
    id
}

/// The function that gives all global variables any values.
fn add_effects(parts: &mut Parts, ty: TypeId) -> FuncId {
    let id = add_function(parts, "__provident_unknown_effects", ty);
    parts.functions[id.index()].defined = true;
    let (mut from, exit) = (parts.functions[id.index()].entry, parts.functions[id.index()].exit);
    let globals: Vec<(VarId, TypeId, Loc)> = parts
        .vars
        .iter()
        .enumerate()
        .filter(|(_, v)| v.kind == VarKind::Global && parts.types.size_of(v.ty).is_some_and(|size| size > 0))
        .map(|(i, v)| (VarId::new(i), v.ty, v.loc))
        .collect();
    for (var, ty, loc) in globals {
        let to = add_node(parts, from, loc);
        let source = Input::invented(Invention::Target, "what a function that is not known writes");
        let place = Place::var(var, ty);
        parts.edges.push(Edge {
            from,
            to,
            op: Op::Havoc { place, source },
            loc,
        });
        from = to;
    }
    parts.edges.push(Edge {
        from,
        to: exit,
        op: Op::Nop,
        loc: Loc::NONE,
    });
    id
}

fn expand(parts: &mut Parts, call: IndirectCall, list: Vec<FuncId>, unknown: FuncId, effects: Option<FuncId>) -> Site {
    let loc = call.loc;
    let mut candidates = Vec::with_capacity(list.len());
    let mut from = call.from;
    for target in list {
        let (hit, miss) = (add_node(parts, from, loc), add_node(parts, from, loc));
        let address = Expr {
            ty: call.pointer.ty,
            kind: ExprKind::FuncAddr(target),
        };
        let cond = expr::binary(&parts.types, BinOp::Eq, call.pointer.clone(), address, Types::INT);
        for (to, truth) in [(hit, true), (miss, false)] {
            let cond = cond.clone();
            let op = Op::Assume { cond, truth };
            parts.edges.push(Edge { from, to, op, loc });
        }
        let at = parts.edges.len();
        let call = if parts.functions[target.index()].defined {
            call_candidate(parts, &call, target, hit)
        } else {
            call_undefined(parts, &call, target, hit)
        };
        candidates.push(Candidate {
            function: target,
            hit: at - 2,
            miss: at - 1,
            call,
        });
        from = miss;
    }
    // A call through a null pointer is undefined: the execution ends there.
    let not_null = add_node(parts, from, loc);
    let null = expr::zero(&parts.types, call.pointer.ty);
    let cond = expr::binary(&parts.types, BinOp::Ne, call.pointer.clone(), null, Types::INT);
    parts.edges.push(Edge {
        from,
        to: not_null,
        op: Op::Assume { cond, truth: true },
        loc,
    });
    from = not_null;
    if let Some(func) = effects {
        let to = add_node(parts, from, loc);
        let (args, ret) = (Vec::new(), None);
        parts.edges.push(Edge {
            from,
            to,
            op: Op::Call { func, args, ret },
            loc,
        });
        from = to;
    }
    let op = Op::External {
        func: unknown,
        args: call.args,
        ret: call.ret,
    };
    parts.edges.push(Edge {
        from,
        to: call.to,
        op,
        loc,
    });
    Site {
        pointer: call.pointer,
        candidates,
        elsewhere: Vec::new(),
        loc,
    }
}

/// Says in the ledger what the calls rest on. `complete`: whether the candidates of a site are all that its pointer may point to.
pub(super) fn note(
    parts: &mut Parts,
    sites: &[Site],
    complete: &[bool],
    (by, policy): (PointerCalls, UnknownTargets),
    effects_of_undefined: Effects<'_>,
) {
    let otherwise = match policy {
        UnknownTargets::Ignore => "touches nothing",
        UnknownTargets::Havoc => "changes global variables only",
        UnknownTargets::Error => "",
    };
    for (site, &complete) in sites.iter().zip(complete) {
        note_undefined(parts, site, effects_of_undefined);
        let n = site.candidates.len();
        let which = match by {
            PointerCalls::Field => " that are assigned to the member",
            PointerCalls::PointsTo if !site.elsewhere.is_empty() => ", none of which is put into other members only",
            _ => "",
        };
        let (kind, detail) = match (complete, n) {
            (true, _) => (
                AssumptionKind::FunctionPointer,
                format!("a call through a pointer reaches one of {n} functions, which are all that it may point to"),
            ),
            (false, _) if policy == UnknownTargets::Error => (
                AssumptionKind::Unsupported,
                "a call through a pointer may reach a function that is not known".to_owned(),
            ),
            (false, 0) => (
                AssumptionKind::FunctionPointer,
                format!("a call through a pointer has no candidate{which}: it returns any value and {otherwise}"),
            ),
            (false, _) => (
                AssumptionKind::FunctionPointer,
                format!("a call through a pointer reaches one of {n} functions{which}, or {otherwise}"),
            ),
        };
        parts.assumptions.push(Assumption {
            kind,
            detail,
            loc: site.loc,
            sound: complete,
        });
    }
}

/// The call of a candidate without a body from `hit`: as a call by its name. Returns the edge of the call.
fn call_undefined(parts: &mut Parts, call: &IndirectCall, target: FuncId, hit: NodeId) -> usize {
    let params = parameter_types(parts, target);
    let convert_to = |(i, arg): (usize, &Expr)| match params.get(i) {
        Some(&ty) if parts.types.is_scalar(ty) => convert(&parts.types, arg.clone(), ty),
        _ => arg.clone(),
    };
    let args = call.args.iter().enumerate().map(convert_to).collect();
    let noreturn = parts.functions[target.index()].noreturn;
    // Behind a function that does not return there is nothing.
    let (to, ret) = match noreturn {
        true => (add_node(parts, hit, call.loc), None),
        false => (call.to, call.ret.clone()),
    };
    let op = Op::External {
        func: target,
        args,
        ret,
    };
    parts.edges.push(Edge {
        from: hit,
        to,
        op,
        loc: call.loc,
    });
    parts.edges.len() - 1
}

/// Says which candidates do what the call of a function without body does not show.
fn note_undefined(parts: &mut Parts, site: &Site, effects_of_undefined: Effects<'_>) {
    for candidate in &site.candidates {
        let Op::External { func, .. } = parts.edges[candidate.call].op else {
            continue;
        };
        if let Some(detail) = effects_of_undefined(&parts.functions[func.index()].name) {
            parts.assumptions.push(Assumption {
                kind: AssumptionKind::Unsupported,
                detail,
                loc: site.loc,
                sound: false,
            });
        }
    }
}

/// The call of one candidate with a body from `hit`, with conversions where its type is not exactly the pointer's. Returns the edge of the call.
fn call_candidate(parts: &mut Parts, call: &IndirectCall, target: FuncId, hit: NodeId) -> usize {
    let loc = call.loc;
    let function = &parts.functions[target.index()];
    let visible = parts.varargs.visible(target, function);
    let params: Vec<TypeId> = function.params[..visible]
        .iter()
        .map(|p| parts.vars[p.index()].ty)
        .collect();
    let ret_ty = function.ret.map(|r| parts.vars[r.index()].ty);
    let mut args: Vec<Expr> = call
        .args
        .iter()
        .zip(&params)
        .map(|(a, &ty)| convert(&parts.types, a.clone(), ty))
        .collect();
    let mut hit = hit;
    // Superfluous arguments are variable ones or gone; a missing one cannot be, since the types or counts agree, except
    // in programs that are undefined anyway.
    for &ty in params.iter().skip(args.len()) {
        let place = new_temp(parts, hit, ty, loc);
        let next = add_node(parts, hit, loc);
        let source = Input::invented(Invention::Language, "a missing argument");
        parts.edges.push(Edge {
            from: hit,
            to: next,
            op: Op::Havoc {
                place: place.clone(),
                source,
            },
            loc,
        });
        args.push(Expr::load(place));
        hit = next;
    }
    if parts.varargs.takes_block(target) {
        let extra = call.args.get(visible..).unwrap_or(&[]);
        let extra = (!call.incomplete).then_some(extra);
        let (next, block) = pass_in(parts, hit, extra, loc);
        args.push(block);
        hit = next;
    }
    let at = parts.edges.len();
    call_with_result(parts, call, target, (hit, args), ret_ty);
    at
}

/// The call itself, and what makes its result one of the type that the caller expects. Long, as it has a case for each way in which the types differ.
fn call_with_result(
    parts: &mut Parts,
    call: &IndirectCall,
    target: FuncId,
    (hit, args): (NodeId, Vec<Expr>),
    ret_ty: Option<TypeId>,
) {
    let loc = call.loc;
    match (&call.ret, ret_ty) {
        (Some(place), Some(ty)) if place.ty != ty => {
            let temp = new_temp(parts, hit, ty, loc);
            let back = add_node(parts, hit, loc);
            let op = Op::Call {
                func: target,
                args,
                ret: Some(temp.clone()),
            };
            parts.edges.push(Edge {
                from: hit,
                to: back,
                op,
                loc,
            });
            let scalar = parts.types.is_scalar(ty) && parts.types.is_scalar(place.ty);
            let op = if scalar {
                let rhs = expr::cast(&parts.types, Expr::load(temp), place.ty);
                Op::Assign {
                    lhs: place.clone(),
                    rhs,
                }
            } else {
                let source = Input::invented(Invention::Language, "a result of another type");
                Op::Havoc {
                    place: place.clone(),
                    source,
                }
            };
            parts.edges.push(Edge {
                from: back,
                to: call.to,
                op,
                loc,
            });
        }
        (Some(place), None) => {
            let back = add_node(parts, hit, loc);
            parts.edges.push(Edge {
                from: hit,
                to: back,
                op: Op::Call {
                    func: target,
                    args,
                    ret: None,
                },
                loc,
            });
            let source = Input::invented(Invention::Language, "the result of a function that returns none");
            parts.edges.push(Edge {
                from: back,
                to: call.to,
                op: Op::Havoc {
                    place: place.clone(),
                    source,
                },
                loc,
            });
        }
        (ret, _) => {
            let op = Op::Call {
                func: target,
                args,
                ret: ret.clone(),
            };
            parts.edges.push(Edge {
                from: hit,
                to: call.to,
                op,
                loc,
            });
        }
    }
}

fn convert(types: &Types, value: Expr, ty: TypeId) -> Expr {
    if value.ty == ty {
        value
    } else {
        expr::cast(types, value, ty)
    }
}

fn add_node(parts: &mut Parts, like: NodeId, loc: Loc) -> NodeId {
    let func = parts.nodes[like.index()].func;
    parts.nodes.push(RawNode {
        func,
        loc,
        label: None,
        is_loop: false,
    });
    NodeId::new(parts.nodes.len() - 1)
}

fn new_temp(parts: &mut Parts, at: NodeId, ty: TypeId, loc: Loc) -> Place {
    let func = parts.nodes[at.index()].func;
    let id = VarId::new(parts.vars.len());
    let display = format!("$call{}", id.0);
    Place::var(parts.add_temporary(func, display, ty, loc), ty)
}

/// Appends the operations that pass variable arguments to an edge chain of unfinished parts. Returns where it ends, and the address.
fn pass_in(parts: &mut Parts, from: NodeId, extra: Option<&[Expr]>, loc: Loc) -> (NodeId, Expr) {
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
