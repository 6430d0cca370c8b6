//! Recursion that is not followed to the end: calls that are left out, and functions that are copied a number of times.
//!
//! The exact way is to follow every call, as deep as the analysis can. This module makes an assumption instead, which is in the ledger: from some depth
//! on, a call of a function inside of itself returns any value and touches nothing. Depth counts the calls among functions that call each other: a
//! strongly connected component of the call graph.
//!
//! The functions of a component are copied once per depth, with their local variables. A copy keeps the places in the source, and its
//! name is the function's with `@` and the depth.

use crate::cfa::analysis::graph::components;
use crate::cfa::program::assumption::{Assumption, AssumptionKind};
use crate::cfa::program::invention::SKIPPED;
use crate::cfa::program::*;
use crate::cfa::raw::{Parts, RawNode};
use provident_smt::hash::FxHashMap;

/// The treatment of recursive calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recursion {
    /// They are followed.
    #[default]
    Exact,
    /// They return any value and touch nothing.
    Skip,
    /// They are followed so deep, and skipped from there on.
    Inline(u32),
}

impl Recursion {
    /// Reads `exact`, `skip`, or `inline` with a number.
    pub fn named(text: &str) -> Option<Recursion> {
        match text {
            "exact" => Some(Recursion::Exact),
            "skip" => Some(Recursion::Skip),
            _ => {
                let depth = text.strip_prefix("inline")?.strip_prefix([' ', ':', '='])?;
                depth.trim().parse().ok().map(Recursion::Inline)
            }
        }
    }
}

/// Removes recursion as demanded.
pub(in crate::cfa) fn bound(parts: &mut Parts, recursion: Recursion) {
    let depth = match recursion {
        Recursion::Exact => return,
        Recursion::Skip => 0,
        Recursion::Inline(depth) => depth,
    };
    for list in components_of(parts) {
        bound_component(parts, &list, depth);
    }
}

/// The functions that call each other, or themselves.
pub(super) fn components_of(parts: &Parts) -> Vec<Vec<FuncId>> {
    let mut callees: Vec<Vec<FuncId>> = vec![Vec::new(); parts.functions.len()];
    for edge in &parts.edges {
        if let Op::Call { func, .. } = edge.op {
            callees[parts.nodes[edge.from.index()].func.index()].push(func);
        }
    }
    let component = components(&callees, |func| func.index());
    let mut members: Vec<Vec<FuncId>> = vec![Vec::new(); component.len()];
    for (f, &c) in component.iter().enumerate() {
        members[c].push(FuncId::new(f));
    }
    let calls_itself = |f: &FuncId| callees[f.index()].contains(f);
    members.retain(|list| list.len() > 1 || list.first().is_some_and(calls_itself));
    members
}

/// Follows the calls among these functions so deep.
fn bound_component(parts: &mut Parts, functions: &[FuncId], depth: u32) {
    // The locals of an enclosing function cannot be copied without its nested functions.
    let depth = if is_closed(parts, functions) { depth } else { 0 };
    let names: Vec<&str> = functions
        .iter()
        .map(|f| parts.functions[f.index()].name.as_str())
        .collect();
    let detail = match depth {
        0 => format!(
            "a call of `{}` inside of itself returns any value and touches nothing",
            names.join("`, `")
        ),
        _ => format!(
            "a call of `{}` inside of itself more than {depth} deep returns any value and touches nothing",
            names.join("`, `")
        ),
    };
    parts.assumptions.push(Assumption {
        kind: AssumptionKind::Recursion,
        detail,
        loc: parts.functions[functions[0].index()].loc,
        sound: false,
    });
    // The nodes and edges of the functions themselves, before there are copies.
    let in_component = |parts: &Parts, node: NodeId| functions.contains(&parts.nodes[node.index()].func);
    let nodes: Vec<NodeId> = (0..parts.nodes.len())
        .map(NodeId::new)
        .filter(|&n| in_component(parts, n))
        .collect();
    let edges: Vec<usize> = (0..parts.edges.len())
        .filter(|&e| in_component(parts, parts.edges[e].from))
        .collect();
    // Their calls are redirected below.
    let originals: Vec<Edge> = edges.iter().map(|&e| parts.edges[e].clone()).collect();
    let mut level = edges;
    for number in 1..=depth {
        let copy = Copy::new(parts, functions, &nodes, &number.to_string());
        let mut next = Vec::with_capacity(originals.len());
        for edge in &originals {
            next.push(parts.edges.len());
            parts.edges.push(copy.edge(edge.clone()));
        }
        redirect(parts, &level, functions, |f| copy.functions.get(&f).copied());
        level = next;
    }
    let skipped = add_skipped(parts, functions);
    redirect(parts, &level, functions, |f| skipped.get(&f).copied());
    for &e in &level {
        let op = &mut parts.edges[e].op;
        if let Op::Call { func, args, ret } = op
            && skipped.values().any(|f| f == func)
        {
            *op = Op::External {
                func: *func,
                args: std::mem::take(args),
                ret: ret.take(),
            };
        }
    }
}

/// Functions without body in place of these.
fn add_skipped(parts: &mut Parts, functions: &[FuncId]) -> FxHashMap<FuncId, FuncId> {
    let mut skipped = FxHashMap::default();
    for &f in functions {
        let id = FuncId::new(parts.functions.len());
        let mut function = parts.functions[f.index()].clone();
        function.name = format!("{}{SKIPPED}", function.name);
        function.address = parts.functions.last().map_or(0x1000, |last| last.address) + 16;
        (function.defined, function.address_taken) = (false, false);
        (function.params, function.ret) = (Vec::new(), None);
        let nodes = [function.entry, function.exit].map(|node| {
            let loc = parts.nodes[node.index()].loc;
            parts.nodes.push(RawNode {
                func: id,
                loc,
                label: None,
                is_loop: false,
            });
            NodeId::new(parts.nodes.len() - 1)
        });
        [function.entry, function.exit] = nodes;
        parts.functions.push(function);
        skipped.insert(f, id);
    }
    skipped
}

/// Makes the calls of the component's functions calls of other functions.
fn redirect(parts: &mut Parts, edges: &[usize], functions: &[FuncId], target: impl Fn(FuncId) -> Option<FuncId>) {
    for &e in edges {
        let op = &mut parts.edges[e].op;
        let Op::Call { func, .. } = op else { continue };
        if !functions.contains(func) {
            continue;
        }
        if let Some(other) = target(*func) {
            *func = other;
        }
    }
}

/// Whether only these functions use their local variables.
pub(super) fn is_closed(parts: &Parts, functions: &[FuncId]) -> bool {
    let own = |v: VarId| parts.vars[v.index()].func.is_some_and(|f| functions.contains(&f));
    let mut closed = true;
    for edge in &parts.edges {
        if functions.contains(&parts.nodes[edge.from.index()].func) {
            continue;
        }
        crate::cfa::program::visit::visit_parts(&edge.op, &mut |part| {
            let mut look = |e: &Expr| {
                if let ExprKind::Load(place) | ExprKind::AddrOf(place) = &e.kind
                    && let PlaceBase::Var(v) = place.base
                {
                    closed &= !own(v);
                }
            };
            match part {
                crate::cfa::program::visit::Part::Value(e) => crate::cfa::program::expr::walk(e, &mut look),
                crate::cfa::program::visit::Part::Written(place) => {
                    crate::cfa::program::expr::walk_place(place, &mut look);
                    if let PlaceBase::Var(v) = place.base {
                        closed &= !own(v);
                    }
                }
            }
        });
    }
    closed
}

/// One copy of some functions.
pub(super) struct Copy {
    pub functions: FxHashMap<FuncId, FuncId>,
    pub vars: FxHashMap<VarId, VarId>,
    nodes: FxHashMap<NodeId, NodeId>,
}

impl Copy {
    pub fn new(parts: &mut Parts, functions: &[FuncId], nodes: &[NodeId], mark: &str) -> Copy {
        let mut copy = Copy {
            functions: FxHashMap::default(),
            vars: FxHashMap::default(),
            nodes: FxHashMap::default(),
        };
        for &f in functions {
            let id = FuncId::new(parts.functions.len());
            let mut function = parts.functions[f.index()].clone();
            function.name = format!("{}@{mark}", function.name);
            function.address = parts.functions.last().map_or(0x1000, |last| last.address) + 16;
            function.address_taken = false;
            parts.functions.push(function);
            copy.functions.insert(f, id);
        }
        for v in 0..parts.vars.len() {
            let variable = &parts.vars[v];
            if let Some(func) = variable.func.and_then(|f| copy.functions.get(&f)) {
                let mut variable = variable.clone();
                variable.func = Some(*func);
                variable.name = match variable.name.rsplit_once("::") {
                    Some((function, name)) => format!("{function}@{mark}::{name}"),
                    None => format!("{}@{mark}", variable.name),
                };
                copy.vars.insert(VarId::new(v), VarId::new(parts.vars.len()));
                parts.vars.push(variable);
            }
        }
        for &n in nodes {
            let node = &parts.nodes[n.index()];
            let node = RawNode {
                func: copy.functions[&node.func],
                loc: node.loc,
                label: node.label.clone(),
                is_loop: node.is_loop,
            };
            copy.nodes.insert(n, NodeId::new(parts.nodes.len()));
            parts.nodes.push(node);
        }
        for id in copy.functions.values().copied().collect::<Vec<FuncId>>() {
            let function = &mut parts.functions[id.index()];
            function.entry = copy.nodes[&function.entry];
            function.exit = copy.nodes[&function.exit];
            function.params.iter_mut().for_each(|v| *v = copy.vars[v]);
            function.ret.iter_mut().for_each(|v| *v = copy.vars[v]);
        }
        copy
    }

    pub fn edge(&self, mut edge: Edge) -> Edge {
        edge.from = self.nodes[&edge.from];
        edge.to = self.nodes[&edge.to];
        self.op(&mut edge.op);
        edge
    }

    fn op(&self, op: &mut Op) {
        match op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => {}
            Op::Assume { cond, .. } => self.expr(cond),
            Op::Assign { lhs, rhs } => {
                self.place(lhs);
                self.expr(rhs);
            }
            Op::Zero { place } | Op::Havoc { place, .. } => self.place(place),
            Op::Call { args, ret, .. } | Op::External { args, ret, .. } => {
                args.iter_mut().for_each(|e| self.expr(e));
                ret.iter_mut().for_each(|p| self.place(p));
            }
            Op::Allocate { lhs, size, .. } => {
                self.place(lhs);
                self.expr(size);
            }
            Op::Inspect { lhs, question } => {
                self.place(lhs);
                question.values_mut().for_each(|e| self.expr(e));
            }
            Op::Free { ptr, .. } => self.expr(ptr),
            Op::MemSet { dst, byte, len } => [dst, byte, len].into_iter().for_each(|e| self.expr(e)),
            Op::MemCopy { dst, src, len } => [dst, src, len].into_iter().for_each(|e| self.expr(e)),
            Op::Mark { ptr, len, written } => [ptr, written].into_iter().chain(len).for_each(|e| self.expr(e)),
            Op::Asm { outputs, .. } => outputs.iter_mut().for_each(|p| self.place(p)),
        }
    }

    fn expr(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Const(_) | ExprKind::Float(_) | ExprKind::FuncAddr(_) => {}
            ExprKind::Load(place) | ExprKind::AddrOf(place) => self.place(place),
            ExprKind::Unary(_, x) | ExprKind::Cast(x) => self.expr(x),
            ExprKind::Binary(_, x, y) => {
                self.expr(x);
                self.expr(y);
            }
            ExprKind::Math(_, operands) => operands.iter_mut().for_each(|x| self.expr(x)),
        }
    }

    fn place(&self, place: &mut Place) {
        match &mut place.base {
            PlaceBase::Var(v) => *v = self.vars.get(v).copied().unwrap_or(*v),
            PlaceBase::Deref(pointer) => self.expr(pointer),
        }
        for step in &mut place.proj {
            if let Proj::Index(index) = step {
                self.expr(index);
            }
        }
    }
}
