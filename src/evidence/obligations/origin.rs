//! Check of origin: the obligations are about a given program and a given property.
//!
//! A manifest lists the program's functions and edges, and the edges that violate a property. These tables are compared with a program that
//! was read anew: all edges of all functions that blocks pass have to be in it, with their ends, callees and operations, and no others; blocks have to begin where the program
//! does; a call of a function with a contract may change nothing beyond what is listed; and all places of the property that are in these functions have to be listed. With [`coverage`](super::coverage) that says that nothing the program can do is left out.
//!
//! This shares no code with the writer of manifests, but both get the control flow from the same front end, and both ask the encoder which names an edge writes.

use super::defect::Foreign;
use super::manifest::{ContractEntry, Manifest};
use crate::cfa::{EdgeId, Printer, Program, Step, is_call};
use crate::encode::{Arith, Encoder, Frame};
use provident_smt::term::TermPool;
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
        None if manifest.contracts.is_empty() => Ok(()),
        None => changes(manifest, program),
    }
}

/// Whether the manifest lists what calls of functions with contracts may change.
fn changes(manifest: &Manifest, program: &Program) -> Result<(), Foreign> {
    let mut owners: BTreeMap<&str, &str> = BTreeMap::new();
    for variable in program.vars.iter().filter(|variable| !variable.in_memory) {
        if let Some(func) = variable.func {
            owners.insert(&variable.name, &program.function(func).name);
        }
    }
    let mut listed: BTreeMap<&str, &str> = BTreeMap::new();
    for (function, names) in &manifest.locals {
        listed.extend(names.iter().map(|name| (name.as_str(), function.as_str())));
    }
    if let Some((_, function)) = owners.iter().find(|(name, owner)| listed.get(*name) != Some(*owner)) {
        return Err(Foreign::Locals((*function).to_string()));
    }
    if let Some((_, function)) = listed.iter().find(|(name, owner)| owners.get(*name) != Some(*owner)) {
        return Err(Foreign::Locals((*function).to_string()));
    }
    let arith = if manifest.arith == "ideal" {
        Arith::Ideal
    } else {
        Arith::Machine
    };
    let mut encoder = Encoder::new(program, arith);
    let mut written: Vec<(String, String)> = Vec::new();
    for edge in program.edge_ids() {
        let function = &program.function(program.node(program.edge(edge).from).func).name;
        let steps = match is_call(program, edge) {
            Some(_) => vec![Step::Enter(edge), Step::Leave(edge)],
            None => vec![Step::Edge(edge)],
        };
        for step in steps {
            let mut pool = TermPool::new();
            let nothing = encoder.empty(&pool);
            let after = encoder.step(&mut pool, &nothing, step, Frame { caller: 0, callee: 0 });
            for (slot, _) in after.ssa.entries() {
                let name = encoder.slot_name(slot);
                let is_argument = matches!(step, Step::Enter(_)) && owner(&owners, &name).is_some();
                if !is_argument {
                    written.push((function.clone(), name));
                }
            }
        }
    }
    let is_listed = |contract: &ContractEntry, inside: &str, name: &String| match owner(&owners, name) {
        None => contract.writes.contains(name),
        Some(owner) if owner != inside => contract.nested.contains(name),
        Some(owner) => owner != contract.function || contract.writes.contains(name),
    };
    for contract in &manifest.contracts {
        let inside = called_from(program, &contract.function);
        let mut all = written
            .iter()
            .filter(|(function, _)| inside.contains(function.as_str()));
        if let Some((_, name)) = all.find(|(function, name)| !is_listed(contract, function, name)) {
            return Err(Foreign::Writes {
                function: contract.function.clone(),
                name: name.clone(),
            });
        }
    }
    Ok(())
}

/// The function of the variable of which a name is a part.
fn owner<'p>(owners: &BTreeMap<&'p str, &'p str>, name: &str) -> Option<&'p str> {
    let variable = name.split('#').next().unwrap_or(name);
    let ends = variable.match_indices('.').map(|(at, _)| at).chain([variable.len()]);
    ends.filter_map(|end| owners.get(&variable[..end]).copied()).next_back()
}

/// A function, and all that it may call, directly or not.
fn called_from<'p>(program: &'p Program, function: &str) -> BTreeSet<&'p str> {
    let mut calls: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for edge in program.edge_ids() {
        if let Some(callee) = is_call(program, edge) {
            let caller = &program.function(program.node(program.edge(edge).from).func).name;
            calls.entry(caller).or_default().insert(&program.function(callee).name);
        }
    }
    let first = program.functions.iter().map(|own| own.name.as_str());
    let mut open: Vec<&str> = first.filter(|name| *name == function).collect();
    let mut seen: BTreeSet<&str> = open.iter().copied().collect();
    while let Some(caller) = open.pop() {
        let callees = calls.get(caller).into_iter().flatten();
        open.extend(callees.filter(|callee| seen.insert(callee)));
    }
    seen
}
