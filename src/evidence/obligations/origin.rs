//! Check of origin: the obligations are about a given program and a given property.
//!
//! A manifest lists the program's functions and edges, and the edges that violate a property. These tables are compared with a program that
//! was read anew: all edges of all functions that blocks pass have to be in it, with their ends, callees and operations, and no others; blocks have to begin where the program
//! does; and all places of the property that are in these functions have to be listed. With [`coverage`](super::coverage) that says that nothing the program can do is left out.
//!
//! This shares no code with the writer of manifests, but both get the control flow from the same front end.

use super::defect::Foreign;
use super::manifest::Manifest;
use crate::cfa::{EdgeId, Printer, Program, is_call};
use std::collections::{BTreeMap, BTreeSet};

/// Checks that a manifest is about a program, and about the edges that violate a property.
///
/// # Errors
/// Names the first difference.
pub fn belongs(manifest: &Manifest, program: &Program, violations: &BTreeSet<EdgeId>) -> Result<(), Foreign> {
    let start = program.function(program.start);
    let first = manifest.points.first().ok_or(Foreign::NoPoints)?;
    if first.place.node != start.entry.0 || !first.place.calls.is_empty() {
        return Err(Foreign::Start {
            point: first.id.clone(),
            function: start.name.clone(),
        });
    }
    let mut inside = BTreeSet::new();
    for function in program.function_ids() {
        let own = program.function(function);
        let Some(listed) = manifest.functions.iter().find(|listed| listed.name == own.name) else {
            continue;
        };
        if (listed.entry, listed.exit) != (own.entry.0, own.exit.0) {
            return Err(Foreign::Function(own.name.clone()));
        }
        inside.insert(function);
    }
    if inside.len() != manifest.functions.len() {
        return Err(Foreign::Functions);
    }
    let printer = Printer::qualified(program);
    let mut listed: BTreeMap<u32, _> = manifest.edges.iter().map(|edge| (edge.id, edge)).collect();
    for (position, edge) in program.edges.iter().enumerate() {
        let id = EdgeId::new(position);
        if !inside.contains(&program.node(edge.from).func) {
            continue;
        }
        let line = program.sources.resolve(edge.loc).line;
        let entry = listed
            .remove(&id.0)
            .ok_or(Foreign::MissingEdge { edge: position, line })?;
        let callee = is_call(program, id).map(|function| program.function(function).name.as_str());
        let is_same = (entry.from, entry.to, entry.line) == (edge.from.0, edge.to.0, line)
            && entry.calls.as_deref() == callee
            && entry.operation == printer.op(&edge.op);
        if !is_same {
            return Err(Foreign::OtherEdge { edge: position, line });
        }
        if violations.contains(&id) && !manifest.violations.contains(&id.0) {
            return Err(Foreign::Violation { edge: position, line });
        }
    }
    match listed.keys().next() {
        Some(&id) => Err(Foreign::NoEdge(id)),
        None => Ok(()),
    }
}
