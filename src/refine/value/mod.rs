//! Refinement of the value analysis: from an abstract error path to the cells that refute it.
//!
//! After Beyer and Löwe, *Explicit-state software model checking based on CEGAR and interpolation*, FASE 2013. An abstract error path is one path of operations (blocks of the other domain do not matter). The strongest
//! postcondition at full precision is applied along it. If that comes to a contradiction, [value interpolants](interpolation) say which constants matter at each location, and their cells are the increment of the precision.
//! If it does not, constants do not refute the path. A path may have several contradictions: each of its [sliced prefixes](prefix) brings a refinement of its own, and a preference chooses.
//!
//! | module | does |
//! |---|---|
//! | [`interpolation`] | value interpolants of a constraint sequence |
//! | [`prefix`] | infeasible sliced prefixes of a path |
//! | [`check`] | whether they are interpolants, asked of the solver |

pub mod check;
pub mod interpolation;
pub mod prefix;

use super::Analysis;
use super::counters::LoopCounters;
use super::prefer::{Comparison, Constants, Judged, PathId};
use super::prefix::alternatives::Length;
use super::provident::in_parallel;
use crate::cfa::analysis::domain_types::Score;
use crate::cfa::{NodeId, Program, Step};
use crate::cpa::algorithm::Reached;
use crate::cpa::arg::ArgId;
use crate::cpa::value::assignment::{Assignment, Cell, names};
use crate::cpa::value::{Values, post::Post};
use crate::encode::Frame;
use crate::query::effort::Effort;
use interpolation::Sequence;
use prefix::{SlicedPrefix, extract_sliced_prefixes};
use provident_smt::num::Int;
use std::collections::BTreeSet;

/// The refinement that an infeasible sliced prefix of a path brings. It rules out the path.
#[derive(Debug, Clone)]
pub struct ValueIncrement {
    /// The steps of the path up to the contradiction.
    pub steps: Vec<(Step, Frame)>,
    /// The positions of the assumptions that are no-ops, in order.
    pub dropped: Vec<usize>,
    /// The interpolant behind each step but the last one.
    pub interpolants: Vec<Assignment>,
}

/// The result for a path.
#[derive(Debug, Clone)]
pub enum Refutation {
    /// Constants refute it: the refinement for each prefix, that for the shortest first. There is at least one.
    Refuted(Vec<ValueIncrement>),
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

/// Asks about several paths, in parallel. The results are in the order of the paths. Adds the effort.
pub fn refute_all(
    values: &Values<'_>,
    paths: &[Vec<(Step, Frame)>],
    limit: usize,
    workers: &rayon::ThreadPool,
    effort: &mut Effort,
) -> Vec<(Refutation, u64)> {
    let start = effort.clone();
    let work = |steps: &Vec<(Step, Frame)>, effort: &mut Effort| refute(values, steps, limit, effort);
    let mut results = Vec::with_capacity(paths.len());
    for (refutation, spent) in in_parallel(workers, &start, paths, work) {
        effort.spent = effort.spent.saturating_add(spent.spent);
        results.push((refutation, spent.spent));
    }
    results
}

/// Asks whether constants refute a path, and by which ones: for each of its infeasible sliced prefixes, at most `limit` of them.
pub fn refute(values: &Values<'_>, steps: &[(Step, Frame)], limit: usize, effort: &mut Effort) -> Refutation {
    let prefixes = extract_sliced_prefixes(Sequence::new(values.post(), steps), limit, effort);
    if prefixes.is_empty() {
        return if effort.is_exhausted() {
            Refutation::Exhausted
        } else {
            Refutation::Feasible
        };
    }
    let mut increments = Vec::with_capacity(prefixes.len());
    for SlicedPrefix { end, dropped } in prefixes {
        let steps = &steps[..=end];
        let mut sequence = Sequence::new(values.post(), steps).without(&dropped);
        let Some(interpolants) = sequence.interpolants(effort) else {
            break;
        };
        increments.push(ValueIncrement {
            steps: steps.to_vec(),
            dropped,
            interpolants,
        });
    }
    match increments.is_empty() {
        true => Refutation::Exhausted,
        false => Refutation::Refuted(increments),
    }
}

/// The number of a path, for lots.
pub fn path_id(steps: &[(Step, Frame)]) -> PathId {
    PathId::of(steps.iter().map(|(step, _)| u64::from(step.edge().0)))
}

impl ValueIncrement {
    /// The cells that the precision needs, with the locations where it needs them.
    pub fn cells<'a>(&'a self, program: &'a Program) -> impl Iterator<Item = (NodeId, Cell)> + 'a {
        let behind = self.steps.iter().zip(&self.interpolants);
        behind.flat_map(|((step, _), interpolant)| interpolant.cells().map(|cell| (step.target(program), cell)))
    }

    /// The domain-type score of the increment.
    pub fn score(&self, values: &Values<'_>) -> Score {
        let judged = JudgedValues {
            increment: self,
            analysis: values,
        };
        values.domain_types().score(judged.names().iter().map(String::as_str))
    }

    /// Whether applying each step to the interpolant before it gives the interpolant behind it, and the last one a contradiction.
    pub fn is_inductive(&self, post: Post<'_, '_>) -> bool {
        let mut at = Assignment::default();
        for (position, (&(step, frame), interpolant)) in self.steps.iter().zip(&self.interpolants).enumerate() {
            let has_successor = self.dropped.contains(&position) || post.apply(&mut at, step, frame);
            if !has_successor || !at.implies(interpolant) {
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

/// A refinement of the value analysis as heuristics see it: each step is a block, and each cell of an interpolant is an equation.
#[derive(Clone, Copy)]
pub struct JudgedValues<'a, 'p> {
    /// The refinement.
    pub increment: &'a ValueIncrement,
    /// The analysis.
    pub analysis: &'a Values<'p>,
}

impl JudgedValues<'_, '_> {
    fn names(&self) -> Vec<String> {
        let cells: BTreeSet<Cell> = self.increment.interpolants.iter().flat_map(Assignment::cells).collect();
        names(cells, self.analysis.encoder())
    }
}

impl Judged for JudgedValues<'_, '_> {
    fn variables(&self) -> Vec<String> {
        self.names()
    }

    fn extent(&self) -> (usize, usize) {
        let has_cells = |assignment: &Assignment| !assignment.is_empty();
        let first = self.increment.interpolants.iter().position(has_cells).unwrap_or(0);
        let last = self.increment.interpolants.iter().rposition(has_cells).unwrap_or(first);
        (first, last)
    }

    fn length(&self) -> Length {
        Length {
            blocks: self.increment.steps.len(),
            assumptions: 1,
        }
    }

    fn constants(&self) -> Constants {
        let mut constants = Constants::default();
        let all: BTreeSet<(Cell, &Int)> = self.increment.interpolants.iter().flat_map(Assignment::iter).collect();
        for (cell, value) in all {
            constants.add(self.analysis.encoder().slot_name(cell.slot), value.clone());
        }
        constants
    }

    /// Every cell of every value is an equation.
    fn comparisons(&self, counters: &LoopCounters) -> Vec<Comparison> {
        let all: BTreeSet<(Cell, &Int)> = self.increment.interpolants.iter().flat_map(Assignment::iter).collect();
        let comparison = |(cell, _): (Cell, &Int)| Comparison {
            is_equation: true,
            has_counter: counters.contains(&self.analysis.encoder().slot_name(cell.slot)),
        };
        all.into_iter().map(comparison).collect()
    }
}
