//! Pruning: the points-to analysis removes candidates of calls.
//!
//! The analysis runs on the chains that signatures give, and follows the call of a candidate only as soon as the pointer may point to it (the call graph on
//! the fly). Then tests that cannot succeed go, and the bodies of functions that nothing calls any more.

use super::expand::Site;
use crate::cfa::analysis::classify;
use crate::cfa::memory_types::{Division, MANY_PAIRS};
use crate::cfa::pointers::{ConditionalCall, Object, PointsTo};
use crate::cfa::program::*;
use crate::cfa::raw::{Parts, RawNode};
use crate::frontend::text::source::{Loc, Source, SourceMap};
use crate::frontend::types::Types;
use provident_smt::hash::FxHashMap;

/// Removes candidates. Returns for each site whether what is left is all that its pointer may point to.
///
/// A pointer that may point to anything comes from outside, which keeps functions in the members where the program has put them. That is taken on trust.
pub(super) fn prune(parts: &mut Parts, sites: &mut [Site]) -> Vec<bool> {
    let mut conditional = FxHashMap::default();
    for site in sites.iter() {
        for candidate in &site.candidates {
            let call = ConditionalCall {
                pointer: site.pointer.clone(),
                function: candidate.function,
            };
            conditional.insert(candidate.call, call);
        }
    }
    let found = targets(parts, sites, &conditional);
    let dead = add_dead_node(parts);
    let mut complete = Vec::with_capacity(sites.len());
    for (site, found) in sites.iter_mut().zip(&found) {
        let is_candidate = |f: &FuncId| site.candidates.iter().any(|c| c.function == *f);
        complete.push(found.as_ref().is_some_and(|list| list.iter().all(is_candidate)));
        let is_left = |function: &FuncId| match found {
            Some(found) => found.contains(function),
            None => !site.elsewhere.contains(function),
        };
        for candidate in site.candidates.iter().filter(|c| !is_left(&c.function)) {
            parts.edges[candidate.hit].from = dead;
            parts.edges[candidate.call].op = Op::Nop;
            parts.edges[candidate.miss].op = Op::Nop;
        }
        if found.is_none() {
            let elsewhere = &site.elsewhere;
            site.candidates.retain(|c| !elsewhere.contains(&c.function));
        }
    }
    drop_uncalled(parts);
    complete
}

/// For each site the functions that its pointer may point to; `None` if it may be any.
fn targets(
    parts: &mut Parts,
    sites: &[Site],
    conditional: &FxHashMap<usize, ConditionalCall>,
) -> Vec<Option<Vec<FuncId>>> {
    let model = parts.types.data_model();
    // The analyses are about programs; this one has edges, and no nodes yet.
    let mut program = Program {
        types: std::mem::replace(&mut parts.types, Types::new(model)),
        sources: SourceMap::new(Source::new("", Vec::new())),
        vars: std::mem::take(&mut parts.vars),
        functions: std::mem::take(&mut parts.functions),
        nodes: Vec::new(),
        edges: std::mem::take(&mut parts.edges),
        start: FuncId(0),
        frame_stride: 0,
        frame_base: 0,
        assumptions: Vec::new(),
        tracked: Vec::new(),
    };
    let escapes: Vec<bool> = program.vars.iter().map(|v| v.escapes).collect();
    classify::classify(&mut program);
    let division = Division::new(&program, MANY_PAIRS);
    let function_of = |node: NodeId| parts.nodes[node.index()].func;
    let points_to = PointsTo::new(&program, &division, &function_of, conditional);
    let list = sites.iter().map(|site| {
        let targets = points_to.targets(&program, &division, &site.pointer);
        let function = |&o| match points_to.object(o) {
            Object::Function(f) => Some(f),
            _ => None,
        };
        (!targets.unknown).then(|| targets.objects.iter().filter_map(function).collect())
    });
    let list = list.collect();
    parts.types = program.types;
    parts.vars = program.vars;
    parts.functions = program.functions;
    parts.edges = program.edges;
    for (variable, escapes) in parts.vars.iter_mut().zip(escapes) {
        (variable.escapes, variable.in_memory) = (escapes, variable.kind == VarKind::StringLiteral);
    }
    list
}

fn add_dead_node(parts: &mut Parts) -> NodeId {
    parts.nodes.push(RawNode {
        func: FuncId(0),
        loc: Loc::NONE,
        label: None,
        is_loop: false,
    });
    NodeId::new(parts.nodes.len() - 1)
}

/// Leaves functions that the program's start does not reach without a body.
fn drop_uncalled(parts: &mut Parts) {
    let mut callees: Vec<Vec<FuncId>> = vec![Vec::new(); parts.functions.len()];
    for edge in &parts.edges {
        if let Op::Call { func, .. } = edge.op {
            callees[parts.nodes[edge.from.index()].func.index()].push(func);
        }
    }
    let mut called = vec![false; parts.functions.len()];
    called[0] = true;
    let mut work = vec![FuncId(0)];
    while let Some(f) = work.pop() {
        for &callee in &callees[f.index()] {
            if !std::mem::replace(&mut called[callee.index()], true) {
                work.push(callee);
            }
        }
    }
    let dead = add_dead_node(parts);
    for edge in &mut parts.edges {
        if !called[parts.nodes[edge.from.index()].func.index()] {
            (edge.from, edge.to, edge.op) = (dead, dead, Op::Nop);
        }
    }
    for (function, called) in parts.functions.iter_mut().zip(called) {
        if !called && function.defined {
            function.defined = false;
            function.params.clear();
            function.ret = None;
        }
    }
}
