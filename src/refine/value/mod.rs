//! Refinement of the value analysis: from an abstract error path to the cells that refute it.
//!
//! After Beyer and Löwe, *Explicit-state software model checking based on CEGAR and interpolation*, FASE 2013. An abstract error path is one path of operations (blocks of the other domain do not matter). The strongest
//! postcondition at full precision is applied along it. If that comes to a contradiction, [value interpolants](interpolation) say which constants matter at each location, and their cells are the increment of the precision.
//! If it does not, constants do not refute the path.
//!
//! | module | does |
//! |---|---|
//! | [`interpolation`] | value interpolants of a constraint sequence |
//! | [`check`] | whether they are interpolants, asked of the solver |

pub mod check;
pub mod interpolation;

use super::Analysis;
use crate::cfa::analysis::domain_types::Score;
use crate::cfa::{NodeId, Program, Step};
use crate::cpa::algorithm::Reached;
use crate::cpa::arg::ArgId;
use crate::cpa::value::assignment::{Assignment, Cell, names};
use crate::cpa::value::{Values, post::Post};
use crate::encode::Frame;
use crate::query::effort::Effort;
use interpolation::Sequence;
use std::collections::BTreeSet;

/// The refinement that rules out one path.
#[derive(Debug, Clone)]
pub struct ValueIncrement {
    /// The steps of the path up to the contradiction.
    pub steps: Vec<(Step, Frame)>,
    /// The interpolant behind each step but the last one.
    pub interpolants: Vec<Assignment>,
}

/// The result for a path.
#[derive(Debug, Clone)]
pub enum Refutation {
    /// Constants refute it.
    Refuted(ValueIncrement),
    /// They do not.
    Feasible,
    /// The effort ran out.
    Exhausted,
}

/// One path of the graph from the root to a node.
pub fn path_to<'p>(reached: &Reached<Analysis<'p>>, target: ArgId) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut at = target;
    // The first parent of a node is older than the node, so the way ends at the root.
    while let Some((parent, step)) = reached.arg[at].parents.iter().copied().find(|&(parent, _)| parent < at) {
        steps.push(step);
        at = parent;
    }
    steps.reverse();
    steps
}

/// Asks whether constants refute a path, and by which ones.
pub fn refute(values: &Values<'_>, steps: &[(Step, Frame)], effort: &mut Effort) -> Refutation {
    let mut sequence = Sequence::new(values.post(), steps);
    let Some(end) = sequence.contradiction(&Assignment::default(), 0, effort) else {
        return if effort.is_exhausted() {
            Refutation::Exhausted
        } else {
            Refutation::Feasible
        };
    };
    let steps = &steps[..=end];
    let mut sequence = Sequence::new(values.post(), steps);
    match sequence.interpolants(effort) {
        Some(interpolants) => Refutation::Refuted(ValueIncrement {
            steps: steps.to_vec(),
            interpolants,
        }),
        None => Refutation::Exhausted,
    }
}

impl ValueIncrement {
    /// The cells that the precision needs, with the locations where it needs them.
    pub fn cells<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = (NodeId, Cell)> + 'a {
        let behind = self.steps.iter().zip(&self.interpolants);
        behind.flat_map(|((step, _), interpolant)| interpolant.cells().map(|cell| (step.target(program), cell)))
    }

    /// The domain-type score of the increment.
    pub fn score(&self, values: &Values<'_>) -> Score {
        let cells: BTreeSet<Cell> = self.interpolants.iter().flat_map(Assignment::cells).collect();
        let names = names(cells, values.encoder());
        values.domain_types().score(names.iter().map(String::as_str))
    }

    /// Whether applying each step to the interpolant before it gives the interpolant behind it, and the last one a contradiction.
    pub fn is_inductive(&self, post: Post<'_, '_>) -> bool {
        let mut at = Assignment::default();
        for (&(step, frame), interpolant) in self.steps.iter().zip(&self.interpolants) {
            if !post.apply(&mut at, step, frame) || !at.implies(interpolant) {
                return false;
            }
            at = interpolant.clone();
        }
        let Some(&(step, frame)) = self.steps.last() else {
            return false;
        };
        !post.apply(&mut at, step, frame)
    }
}
