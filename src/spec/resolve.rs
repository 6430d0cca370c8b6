//! From a property to the edges of a program whose execution violates it.

use super::property::Forbidden;
use crate::cfa::{EdgeId, Op, Program};

/// The edges that a property forbids, in order: calls of the function (with or without a body), passages of the label, or violations of checks.
///
/// An empty list is no error: the function or label may have been unreachable in the call graph and not been lowered at all.
pub fn target_edges(program: &Program, forbidden: &Forbidden) -> Vec<EdgeId> {
    match forbidden {
        Forbidden::Call(name) => program.edges_calling(name),
        Forbidden::Label(name) => program.edges_labelled(name),
        Forbidden::Check(_) | Forbidden::At(_) => {
            let violates = |edge: &EdgeId| match &program.edge(*edge).op {
                Op::Label(label) => forbidden.is_label(label),
                _ => false,
            };
            program.edge_ids().filter(violates).collect()
        }
    }
}
