//! From a property to the edges of a program whose execution violates it.

use super::property::Forbidden;
use crate::cfa::{EdgeId, Program};

/// The edges that a property forbids, in order: calls of the function (with or without a body), or passages of the label.
///
/// An empty list is no error: the function or label may have been unreachable in the call graph and not been lowered at all.
pub fn target_edges(program: &Program, forbidden: &Forbidden) -> Vec<EdgeId> {
    match forbidden {
        Forbidden::Call(name) => program.edges_calling(name),
        Forbidden::Label(name) => program.edges_labelled(name),
    }
}
