//! From the raw result of lowering to a finished [`Program`].
//!
//! 1. Calls through pointers become chains of tests and calls ([`calls`](crate::cfa::calls)), now that all functions whose address is taken are known.
//!    Then jumps between functions find their way ([`jumps`]), checks of memory are put in ([`objects`]), a specification may weave its operations in, and recursion is bounded where that is wanted.
//! 2. Empty edges are contracted: a node whose only outgoing edge is empty is the same location as that edge's end. A location that
//!    stays keeps its edges, and every edge keeps its place in the source, so the way back is never lost.
//! 3. Nodes that the function's entry does not reach are dropped. Nodes are numbered in reverse post-order, function after function.
//! 4. Nodes, functions and variables are annotated: loop heads, recursion, memory, addresses, relevance.
//!
//! All steps are linear in the size of the program.

use super::jumps;
use super::options::LowerOptions;
use super::undefined::effects_of_undefined;
use crate::cfa::analysis::{classify, graph, relevance};
use crate::cfa::calls::{expand_pointer_calls, recursion, specialise};
use crate::cfa::program::*;
use crate::cfa::program::{addresses, expr, layout};
use crate::cfa::raw::Parts;
use crate::cfa::raw::contract::contract;
use crate::cfa::raw::objects;
use crate::frontend::text::source::SourceMap;

/// Finishes a program. An error is a sentence for the user: static data does not fit.
pub(in crate::cfa) fn finish(
    mut parts: Parts,
    sources: SourceMap,
    options: &LowerOptions,
    weave: &mut dyn FnMut(&mut Parts),
) -> Result<Program, Box<(String, SourceMap)>> {
    expand_pointer_calls(
        &mut parts,
        options.pointer_calls,
        options.unknown_targets,
        &effects_of_undefined,
    );
    jumps::connect(&mut parts);
    objects::weave(&mut parts, options.checks, &sources);
    weave(&mut parts);
    specialise(&mut parts);
    recursion::bound(&mut parts, options.recursion);
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
    if let Err(error) = layout::assign_addresses(&mut program) {
        return Err(Box::new((error.to_string(), program.sources)));
    }
    relevance::annotate(&mut program);
    addresses::note(&mut program);
    Ok(program)
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
            op => crate::cfa::program::visit::visit_op(op, &mut |e| mark_bases(e, &mut read)),
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
