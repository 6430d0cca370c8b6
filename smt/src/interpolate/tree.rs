//! Interpolants of trees of formulas, one binary query after the other.
//!
//! For parts that are the nodes of a tree, *tree interpolants* `I_v` satisfy: `P_v` and the `I_c` of all children `c` imply `I_v`, and `I_v` has only symbols that
//! occur both in the subtree of `v` and outside of it; the root has `false` (McMillan, Rybalchenko, *Solving constrained Horn clauses using
//! interpolation*, 2013). A sequence is the tree in which each part is the child of the next one.
//!
//! From the leaves to the root, `I_v` is the interpolant between `P_v` with its children's interpolants, and everything outside the subtree: the
//! parts that are still to come, and the interpolants of subtrees that are done. That needs a query for each node, but the property
//! holds by construction for every way to interpolate two formulas.

use super::query::Query;
use super::{CommonPrefix, Cost, Guide, InterpolationConfig, SequenceResult, finish};
use crate::model::Model;
use crate::term::{TermId, TermPool};

/// Interpolates a tree of `parts`: `parents` has the parent of each part but the last one, which is the root, and a part comes before its parent.
///
/// # Panics
/// If `parents` is not such a list.
pub fn tree(pool: &mut TermPool, parts: &[TermId], parents: &[usize], config: &InterpolationConfig) -> SequenceResult {
    tree_with_cost(pool, parts, parents, config).0
}

/// As [`tree`], with what it cost. A check of the result is not counted. A tree that is a sequence is interpolated as one.
pub fn tree_with_cost(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    config: &InterpolationConfig,
) -> (SequenceResult, Cost) {
    let (result, cost, _) = guided_tree(pool, parts, parents, config);
    (result, cost)
}

/// As [`tree_with_cost`], with the guide that the configuration asks for.
pub fn guided_tree(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    config: &InterpolationConfig,
) -> (SequenceResult, Cost, Option<Guide>) {
    if parents == chain(parts.len()) {
        let Some((&last, prefix)) = parts.split_last() else {
            return (SequenceResult::Sat(Model::new()), Cost::default(), None);
        };
        let mut common = CommonPrefix::new(pool, prefix, config);
        let (result, cost) = common.sequence_with_cost(pool, last, config);
        return (result, cost, common.take_guide());
    }
    let (mut result, mut cost) = node_by_node(pool, parts, parents, config);
    if let SequenceResult::Unsat(interpolants) = &mut result {
        finish(pool, parts, parents, interpolants, None, config, &mut cost);
    }
    (result, cost, None)
}

/// As [`tree_with_cost`], without a check.
pub(super) fn node_by_node(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    config: &InterpolationConfig,
) -> (SequenceResult, Cost) {
    assert!(
        parents.len() + 1 == parts.len().max(1),
        "every part but the root has a parent"
    );
    let is_later = |(child, &parent): (usize, &usize)| child < parent && parent < parts.len();
    assert!(
        parents.iter().enumerate().all(is_later),
        "a part comes before its parent"
    );
    let mut cost = Cost::default();
    if parents.is_empty() {
        let mut query = Query::new(config);
        let result = query.run_alone(pool, parts);
        return (result, query.cost());
    }
    let mut interpolants: Vec<TermId> = Vec::with_capacity(parents.len());
    for node in 0..parents.len() {
        let mut inside = vec![parts[node]];
        inside.extend(
            (0..node)
                .filter(|&child| parents[child] == node)
                .map(|child| interpolants[child]),
        );
        let outside: Vec<TermId> = (0..parts.len())
            .filter(|&other| other > node || (other < node && parents[other] > node))
            .map(|other| {
                if other < node {
                    interpolants[other]
                } else {
                    parts[other]
                }
            })
            .collect();
        match Query::between(pool, &inside, &outside, config, &mut cost) {
            SequenceResult::Unsat(found) => interpolants.extend(found),
            SequenceResult::Sat(model) => {
                // An interpolant contradicts what it was computed against; so the first query decides.
                assert!(node == 0, "the parts contradict each other");
                return (SequenceResult::Sat(model), cost);
            }
            unknown @ SequenceResult::Unknown(_) => return (unknown, cost),
        }
    }
    (SequenceResult::Unsat(interpolants), cost)
}

/// Whether a part is in the subtree of another one, by the parents of all parts but the root.
pub fn is_below(mut part: usize, root: usize, parents: &[usize]) -> bool {
    while part < root {
        part = parents[part];
    }
    part == root
}

/// The parents of a sequence.
pub fn chain(parts: usize) -> Vec<usize> {
    (1..parts).collect()
}
