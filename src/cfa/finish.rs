//! From what lowering leaves to a finished [`Program`].
//!
//! 1. Calls through pointers become chains of tests and calls, now that all functions whose address is taken are known.
//!    Then a specification may weave its operations in.
//! 2. Empty edges are contracted: a node whose only outgoing edge is empty is the same location as that edge's end. What is a
//!    location of its own keeps its edges, and every edge keeps its place in the source, so the way back is never lost.
//! 3. What the function's entry does not reach is dropped. Nodes are numbered in reverse post-order, function after function.
//! 4. Nodes, functions and variables are annotated: loop heads, recursion, memory, addresses, relevance.
//!
//! All steps are linear in the size of the program.

use super::assumption::{Assumption, AssumptionKind};
use super::lower::{IndirectCall, Parts};
use super::program::*;
use super::{addresses, classify, expr, graph, layout, relevance};
use crate::frontend::source::{Loc, SourceMap};
use crate::frontend::types::{Type, TypeId, Types};

/// Finishes a program. An error is a sentence for the user: static data does not fit.
pub(super) fn finish(
    mut parts: Parts,
    sources: SourceMap,
    weave: &mut dyn FnMut(&mut Parts),
) -> Result<Program, Box<(String, SourceMap)>> {
    expand_indirect_calls(&mut parts);
    weave(&mut parts);
    skip_unread_strings(&mut parts);
    let mut program = Program {
        types: parts.types,
        sources,
        vars: parts.vars,
        functions: parts.functions,
        nodes: Vec::new(),
        edges: Vec::new(),
        start: FuncId(0),
        frame_stride: 0,
        frame_base: 0,
        assumptions: parts.assumptions,
        tracked: parts.tracked,
    };
    contract(&mut program, parts.nodes, parts.edges);
    graph::annotate_nodes(&mut program);
    graph::annotate_recursion(&mut program);
    classify::classify(&mut program);
    if let Err(message) = layout::assign_addresses(&mut program) {
        return Err(Box::new((message, program.sources)));
    }
    relevance::annotate(&mut program);
    addresses::note(&mut program);
    Ok(program)
}

// ---- calls through pointers ------------------------------------------------------------------------------------------------

fn expand_indirect_calls(parts: &mut Parts) {
    let calls = std::mem::take(&mut parts.indirect);
    if calls.is_empty() {
        return;
    }
    let targets = Targets::new(parts);
    let void_function = parts.types.intern(Type::Function {
        ret: Types::VOID,
        params: Box::new([]),
        variadic: false,
        prototyped: false,
    });
    let unknown = FuncId::new(parts.functions.len());
    add_unknown_function(parts, unknown, void_function);
    for call in calls {
        expand(parts, call, &targets, unknown);
    }
}

/// The function that stands for every target that is not known.
fn add_unknown_function(parts: &mut Parts, id: FuncId, ty: TypeId) {
    let node = |parts: &mut Parts| {
        parts.nodes.push(super::lower::RawNode {
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
        name: "__provident_unknown_target".to_owned(),
        ty,
        params: Vec::new(),
        ret: None,
        entry,
        exit,
        defined: false,
        recursive: false,
        address,
        address_taken: false,
        loc: Loc::NONE,
    });
}

/// The functions whose address is taken, by how it is used.
struct Targets {
    /// All of them, in order.
    taken: Vec<FuncId>,
    /// Those that the program converts to a pointer to another function type.
    converted: Vec<(FuncId, TypeId)>,
    /// Those that the program converts to a pointer or number that says nothing about their type.
    anything: Vec<FuncId>,
}

impl Targets {
    fn new(parts: &Parts) -> Targets {
        let taken = (0..parts.functions.len())
            .map(FuncId::new)
            .filter(|f| parts.functions[f.index()].address_taken && parts.functions[f.index()].defined)
            .collect();
        let mut targets = Targets {
            taken,
            converted: Vec::new(),
            anything: Vec::new(),
        };
        for edge in &parts.edges {
            super::classify::visit_op(&edge.op, &mut |e| {
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
    fn candidates(&self, parts: &Parts, call: &IndirectCall) -> Vec<FuncId> {
        let as_many = |f: FuncId| {
            let function = &parts.functions[f.index()];
            function.params.len() == call.args.len() && argument_types_fit(parts, function, call)
        };
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
        if list.is_empty() {
            let agree =
                |f: FuncId| as_many(f) && results_agree(&parts.types, parts.functions[f.index()].ty, call.signature);
            list = self.taken.iter().copied().filter(|&f| agree(f)).collect();
        }
        list.retain(|f| parts.functions[f.index()].defined && call_fits(parts, *f, call));
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

/// Whether the arguments that there are convert to the parameters that there are.
fn call_fits(parts: &Parts, f: FuncId, call: &IndirectCall) -> bool {
    argument_types_fit(parts, &parts.functions[f.index()], call)
}

/// Whether every argument converts to its parameter: both scalar, or the same record.
fn argument_types_fit(parts: &Parts, function: &Function, call: &IndirectCall) -> bool {
    let types = &parts.types;
    function.params.iter().zip(&call.args).all(|(&p, arg)| {
        let ty = parts.vars[p.index()].ty;
        ty == arg.ty || (types.is_scalar(ty) && types.is_scalar(arg.ty))
    })
}

fn expand(parts: &mut Parts, call: IndirectCall, targets: &Targets, unknown: FuncId) {
    let func = parts.nodes[call.from.index()].func;
    let loc = call.loc;
    let new_node = |parts: &mut Parts| {
        parts.nodes.push(super::lower::RawNode {
            func,
            loc,
            label: None,
            is_loop: false,
        });
        NodeId::new(parts.nodes.len() - 1)
    };
    let list = targets.candidates(parts, &call);
    let text = match list.len() {
        0 => "a call through a pointer has no candidate: it returns any value and touches nothing".to_owned(),
        n => format!("a call through a pointer reaches one of {n} functions, or touches nothing"),
    };
    parts.assumptions.push(Assumption {
        kind: AssumptionKind::FunctionPointer,
        detail: text,
        loc,
        sound: false,
    });
    let mut from = call.from;
    for target in list {
        let (hit, miss) = (new_node(parts), new_node(parts));
        let address = Expr {
            ty: call.pointer.ty,
            kind: ExprKind::FuncAddr(target),
        };
        let cond = expr::binary(&parts.types, BinOp::Eq, call.pointer.clone(), address, Types::INT);
        parts.edges.push(Edge {
            from,
            to: hit,
            op: Op::Assume {
                cond: cond.clone(),
                truth: true,
            },
            loc,
        });
        parts.edges.push(Edge {
            from,
            to: miss,
            op: Op::Assume { cond, truth: false },
            loc,
        });
        call_candidate(parts, &call, target, hit);
        from = miss;
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
}

/// The call of one candidate from `hit`, with conversions where its type is not exactly the pointer's.
fn call_candidate(parts: &mut Parts, call: &IndirectCall, target: FuncId, hit: NodeId) {
    let loc = call.loc;
    let function = &parts.functions[target.index()];
    let params: Vec<TypeId> = function.params.iter().map(|p| parts.vars[p.index()].ty).collect();
    let ret_ty = function.ret.map(|r| parts.vars[r.index()].ty);
    let mut args: Vec<Expr> = call
        .args
        .iter()
        .zip(&params)
        .map(|(a, &ty)| convert(&parts.types, a.clone(), ty))
        .collect();
    let mut hit = hit;
    // Superfluous arguments (of variadic functions) are gone; a missing one cannot be, since the types or counts agree, except
    // in programs that are undefined anyway.
    for &ty in params.iter().skip(args.len()) {
        let place = new_temp(parts, hit, ty, loc);
        let next = add_node(parts, hit, loc);
        let source = Input::Unmodelled("missing argument".to_owned());
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
                let source = Input::Unmodelled("result of another type".to_owned());
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
            let source = Input::Unmodelled("result of a function that returns none".to_owned());
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
    parts.nodes.push(super::lower::RawNode {
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
    parts.vars.push(Variable {
        name: format!("{}::{display}", parts.functions[func.index()].name),
        display,
        ty,
        kind: VarKind::Temp,
        func: Some(func),
        in_memory: false,
        escapes: false,
        address: None,
        relevant: true,
        loc,
    });
    Place::var(id, ty)
}

/// Turns the initialisation of string literals that only functions without body see into empty edges: format strings of `printf`.
///
/// Nothing in the program reads them; and if a pointer of any value should happen to point into one, it reads any value.
fn skip_unread_strings(parts: &mut Parts) {
    let mut read = vec![false; parts.vars.len()];
    for edge in &parts.edges {
        match &edge.op {
            Op::External { ret, .. } => {
                if let Some(place) = ret {
                    expr::walk_place(place, &mut |e| mark_bases(e, &mut read));
                }
            }
            // A string is written by its own initialisation only; what the indices are is constant.
            op => super::classify::visit_op(op, &mut |e| mark_bases(e, &mut read)),
        }
    }
    for edge in &mut parts.edges {
        if let Op::Assign { lhs: place, .. } | Op::Zero { place } = &edge.op
            && let PlaceBase::Var(v) = place.base
            && parts.vars[v.index()].kind == VarKind::StringLiteral
            && !read[v.index()]
        {
            edge.op = Op::Nop;
        }
    }
}

fn mark_bases(e: &Expr, read: &mut [bool]) {
    if let ExprKind::Load(Place {
        base: PlaceBase::Var(v),
        ..
    })
    | ExprKind::AddrOf(Place {
        base: PlaceBase::Var(v),
        ..
    }) = &e.kind
    {
        read[v.index()] = true;
    }
}

// ---- contraction -----------------------------------------------------------------------------------------------------------

/// Contracts empty edges, drops what is unreachable and numbers nodes and edges anew. Returns the new number of each edge that is left.
///
/// Requires that the program has no nodes and edges yet, and that its functions name their entries and exits among `raw`.
pub(super) fn contract(
    program: &mut Program,
    raw: Vec<super::lower::RawNode>,
    edges: Vec<Edge>,
) -> Vec<Option<EdgeId>> {
    let n = raw.len();
    let mut degree = vec![0u32; n];
    let mut last = vec![usize::MAX; n];
    for (i, edge) in edges.iter().enumerate() {
        degree[edge.from.index()] += 1;
        last[edge.from.index()] = i;
    }
    // A node with a single edge that is empty stands for that edge's end. The entry must not get incoming edges from a loop,
    // and must not be the exit, so it stays.
    let mut is_entry = vec![false; n];
    for function in &program.functions {
        is_entry[function.entry.index()] = true;
    }
    let mut next: Vec<Option<usize>> = (0..n)
        .map(|v| {
            let single = degree[v] == 1 && !is_entry[v];
            single
                .then(|| &edges[last[v]])
                .filter(|e| matches!(e.op, Op::Nop))
                .map(|e| e.to.index())
        })
        .collect();
    let target = resolve_chains(&next);
    // Two assumptions that lead to the same place decide nothing.
    for pair in edges.windows(2) {
        let from = pair[0].from.index();
        let both = matches!((&pair[0].op, &pair[1].op), (Op::Assume { .. }, Op::Assume { .. }));
        let same = target[pair[0].to.index()] == target[pair[1].to.index()];
        if both && same && pair[1].from.index() == from && degree[from] == 2 && !is_entry[from] {
            next[from] = Some(pair[0].to.index());
        }
    }
    let target = resolve_chains(&next);
    let mut loop_loc: Vec<Option<Loc>> = vec![None; n];
    for (v, node) in raw.iter().enumerate() {
        if node.is_loop {
            let t = target[v];
            // The outermost of loops with one head comes first in the text.
            loop_loc[t] = Some(loop_loc[t].map_or(node.loc, |old| old.min(node.loc)));
        }
    }
    // Outgoing edges per representative, in order of creation.
    let mut start = vec![0u32; n + 1];
    // An assumption after which nothing comes is where a path ends, and nobody needs to go there.
    let mut goes_on = vec![false; n];
    for function in &program.functions {
        goes_on[target[function.exit.index()]] = true;
    }
    for edge in &edges {
        goes_on[target[edge.from.index()]] = true;
    }
    let kept = |e: &Edge| {
        let from = e.from.index();
        target[from] == from && (goes_on[target[e.to.index()]] || !matches!(e.op, Op::Assume { .. }))
    };
    let mut reached_by = vec![0u32; n];
    for edge in edges.iter().filter(|e| kept(e)) {
        reached_by[target[edge.to.index()]] += 1;
    }
    for edge in edges.iter().filter(|e| kept(e)) {
        start[edge.from.index() + 1] += 1;
    }
    for v in 0..n {
        start[v + 1] += start[v];
    }
    let mut fill = start.clone();
    let mut outgoing = vec![0u32; start[n] as usize];
    for (i, edge) in edges.iter().enumerate().filter(|(_, e)| kept(e)) {
        let slot = &mut fill[edge.from.index()];
        outgoing[*slot as usize] = u32::try_from(i).expect("fewer than 2^32 edges");
        *slot += 1;
    }
    let successor = |v: usize, i: usize| {
        let at = start[v] as usize + i;
        (at < start[v + 1] as usize).then(|| target[edges[outgoing[at] as usize].to.index()])
    };
    let mut new_id = vec![u32::MAX; n];
    let mut order: Vec<usize> = Vec::new();
    let mut seen = vec![false; n];
    for f in 0..program.functions.len() {
        let (mut entry, exit) = (
            program.functions[f].entry.index(),
            target[program.functions[f].exit.index()],
        );
        // The function begins behind an empty edge if only that leads there.
        if let [only] = outgoing[start[entry] as usize..start[entry + 1] as usize]
            && let Edge { op: Op::Nop, to, .. } = &edges[only as usize]
            && reached_by[target[to.index()]] == 1
            && target[to.index()] != exit
        {
            entry = target[to.index()];
        }
        let begin = order.len();
        graph::reverse_post_order_into(entry, successor, &mut seen, &mut order);
        if !seen[exit] {
            seen[exit] = true;
            order.push(exit);
        }
        for &v in &order[begin..] {
            new_id[v] = u32::try_from(program.nodes.len()).expect("fewer than 2^32 nodes");
            program.nodes.push(Node {
                func: FuncId::new(f),
                incoming: Vec::new(),
                outgoing: Vec::new(),
                loop_head: false,
                label: raw[v].label.clone(),
                loc: loop_loc[v].unwrap_or(raw[v].loc),
                rpo: 0,
                call_site: false,
                return_site: false,
            });
        }
        program.functions[f].entry = NodeId(new_id[entry]);
        program.functions[f].exit = NodeId(new_id[exit]);
    }
    let mut new_ids = vec![None; edges.len()];
    let mut edges: Vec<Option<Edge>> = edges.into_iter().map(Some).collect();
    for &v in &order {
        for &i in &outgoing[start[v] as usize..start[v + 1] as usize] {
            let mut edge = edges[i as usize].take().expect("every edge starts at one node");
            edge.from = NodeId(new_id[v]);
            edge.to = NodeId(new_id[target[edge.to.index()]]);
            let id = EdgeId::new(program.edges.len());
            new_ids[i as usize] = Some(id);
            program.nodes[edge.from.index()].outgoing.push(id);
            program.nodes[edge.to.index()].incoming.push(id);
            program.edges.push(edge);
        }
    }
    new_ids
}

/// Follows `next` from every node to its end. A cycle of empty edges (an endless loop that does nothing) ends at one of its nodes.
fn resolve_chains(next: &[Option<usize>]) -> Vec<usize> {
    const OPEN: usize = usize::MAX;
    const ON_PATH: usize = usize::MAX - 1;
    let mut target = vec![OPEN; next.len()];
    let mut path = Vec::new();
    for start in 0..next.len() {
        let mut v = start;
        while target[v] == OPEN {
            target[v] = ON_PATH;
            path.push(v);
            match next[v] {
                Some(w) => v = w,
                None => break,
            }
        }
        let end = if target[v] == ON_PATH { v } else { target[v] };
        for p in path.drain(..) {
            target[p] = end;
        }
    }
    target
}
