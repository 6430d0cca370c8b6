//! The precision of the value analysis: which cells are kept at which locations.
//!
//! A cell counts globally, in a function, or at one location, as predicates do. Refinement only adds cells; multi-aspect verification also removes those that were found for a property.

use super::assignment::{Assignment, Cell};
use crate::cfa::{NodeId, Program};
use crate::cpa::predicate::precision::PredicateScope;
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The precision.
#[derive(Debug, Clone, Default)]
pub struct Precision {
    scopes: FxHashMap<PredicateScope, FxHashSet<Cell>>,
    entries: BTreeSet<(PredicateScope, Cell)>,
}

impl Precision {
    /// Adds a cell. Returns whether it is new in this scope.
    pub fn add(&mut self, scope: PredicateScope, cell: Cell) -> bool {
        self.scopes.entry(scope).or_default().insert(cell);
        self.entries.insert((scope, cell))
    }

    /// Removes a cell from a scope.
    pub fn remove(&mut self, scope: PredicateScope, cell: Cell) {
        self.entries.remove(&(scope, cell));
        if let Some(cells) = self.scopes.get_mut(&scope) {
            cells.remove(&cell);
        }
    }

    /// Removes all cells.
    pub fn clear(&mut self) {
        self.scopes.clear();
        self.entries.clear();
    }

    /// Whether nothing is kept anywhere.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The entries, in order.
    pub fn iter(&self) -> impl Iterator<Item = (PredicateScope, Cell)> + '_ {
        self.entries.iter().copied()
    }

    /// The abstraction of an assignment at a location: forgets the cells that are not kept there.
    pub fn restrict(&self, program: &Program, node: NodeId, assignment: &mut Assignment) {
        let scopes = [
            PredicateScope::Global,
            PredicateScope::Function(program.node(node).func),
            PredicateScope::Location(node),
        ];
        let sets = scopes.map(|scope| self.scopes.get(&scope));
        assignment.retain(|cell| sets.iter().flatten().any(|set| set.contains(&cell)));
    }
}
