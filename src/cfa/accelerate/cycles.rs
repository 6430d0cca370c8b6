//! The paths of one turn: from the head of an innermost loop back to it.

use crate::cfa::program::*;
use std::collections::BTreeSet;

/// Paths of a loop at most.
const MAX_PATHS: usize = 8;
/// Edges of a path at most.
const LONGEST: usize = 200;
/// Edges that are looked at for a loop.
const MAX_LOOKS: usize = 2_000;

/// The paths from a loop head back to it that pass no other loop head, and no edge that is to be avoided; in a fixed order, and not all if they are many.
pub(super) fn paths(program: &Program, head: NodeId, avoided: &BTreeSet<EdgeId>) -> Vec<Vec<EdgeId>> {
    let inside = around(program, head);
    let mut found = Vec::new();
    let mut path: Vec<EdgeId> = Vec::new();
    let mut open = vec![0];
    let mut at = head;
    for _ in 0..MAX_LOOKS {
        let Some(next) = open.last_mut() else { break };
        let Some(&edge) = program.node(at).outgoing.get(*next) else {
            open.pop();
            if let Some(edge) = path.pop() {
                at = program.edge(edge).from;
            }
            continue;
        };
        *next += 1;
        let to = program.edge(edge).to;
        if avoided.contains(&edge) {
            continue;
        }
        if to == head {
            found.push(path.iter().copied().chain([edge]).collect());
            if found.len() == MAX_PATHS {
                break;
            }
        } else if inside.contains(&to) && !program.node(to).loop_head && path.len() < LONGEST {
            path.push(edge);
            open.push(0);
            at = to;
        }
    }
    found
}

/// The nodes from which control comes back to a loop head on ways that pass no other one.
fn around(program: &Program, head: NodeId) -> BTreeSet<NodeId> {
    let mut inside = BTreeSet::from([head]);
    let mut work = vec![head];
    while let Some(node) = work.pop() {
        for &edge in &program.node(node).incoming {
            let from = program.edge(edge).from;
            let is_later = program.node(from).rpo > program.node(head).rpo;
            if is_later && !program.node(from).loop_head && inside.insert(from) {
                work.push(from);
            }
        }
    }
    inside
}
