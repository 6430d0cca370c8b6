//! Provident refinement: what would refining each of the ranked target states bring?
//!
//! Nothing here changes the reached set. The chains are independent, so they are analysed in parallel: each worker imports portable formulas into a term
//! pool of its own and hands back portable predicates. Results come back in rank order. Work is done in batches of a fixed size, and no
//! further batch is begun after one with a feasible chain (the thesis's early exit); so neither results nor effort depend on the number of threads.

use super::Target;
use super::interpolation::{Analysed, Feasibility, Increment, Strategy, analyse};
use super::path::ErrorPath;
use crate::cpa::effort::Effort;
use crate::cpa::predicate::Predicates;
use provident_smt::term::{Portable, TermPool};
use rayon::prelude::*;

/// Chains that are analysed before the results are looked at.
const BATCH: usize = 16;

/// A target state with what refining it would bring.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The target state.
    pub target: Target,
    /// Its error path.
    pub path: ErrorPath,
    /// The result.
    pub feasibility: Feasibility,
    /// How many exact values of operators it brought.
    pub new_points: usize,
}

/// The operator `provident_refine`, for all ranked targets.
///
/// Each chain may spend what is left of the effort at the beginning of its batch. The returned candidates are a prefix of `targets`: all of them, unless one
/// is feasible or the effort is exhausted.
pub fn provident_refine(
    predicates: &mut Predicates<'_>,
    targets: &[Target],
    workers: &rayon::ThreadPool,
    check: bool,
    strategy: Strategy,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for batch in targets.chunks(BATCH) {
        let paths: Vec<ErrorPath> = batch.iter().map(|target| ErrorPath::new(predicates, target)).collect();
        let portables: Vec<Portable> = paths.iter().map(|path| export(predicates, path)).collect();
        let start = predicates.effort.clone();
        let work = |portable: &Portable| {
            let mut pool = TermPool::new();
            let parts = pool.import(portable);
            let mut effort = Effort {
                spent: 0,
                limit: start.remaining(),
                checks: start.checks.fresh(),
                ..start.clone()
            };
            (analyse(&mut pool, &parts, &mut effort, check, strategy), effort)
        };
        let results: Vec<(Analysed, Effort)> = workers.install(|| portables.par_iter().map(work).collect());
        for ((target, path), (analysed, spent)) in batch.iter().zip(paths).zip(results) {
            predicates.effort.spent = predicates.effort.spent.saturating_add(spent.spent);
            predicates.effort.checks.add(&spent.checks);
            let mut new_points = predicates.learn(&analysed.points);
            let feasibility = match analysed.feasibility {
                Feasibility::Unknown(reason) => match single_path(predicates, &path, check, strategy) {
                    Some(single) => {
                        new_points += predicates.learn(&single.points);
                        single.feasibility
                    }
                    None => Feasibility::Unknown(reason),
                },
                other => other,
            };
            candidates.push(Candidate {
                target: target.clone(),
                path,
                feasibility,
                new_points,
            });
        }
        let is_feasible = |c: &Candidate| matches!(c.feasibility, Feasibility::Feasible);
        if candidates.iter().any(is_feasible) || predicates.effort.is_exhausted() {
            break;
        }
    }
    candidates
}

fn export(predicates: &mut Predicates<'_>, path: &ErrorPath) -> Portable {
    let parts = predicates
        .blocks
        .chain(&predicates.encoder, &mut predicates.pool, &path.blocks);
    predicates.pool.export(&parts)
}

/// When the merged blocks cannot be decided: one single path through them, which is much simpler, among those that the abstraction
/// allows. `None` if that does not help either.
fn single_path(predicates: &mut Predicates<'_>, path: &ErrorPath, check: bool, strategy: Strategy) -> Option<Analysed> {
    if predicates.effort.is_exhausted() {
        return None;
    }
    let singles = predicates.abstract_paths(&path.blocks, &path.boundaries)?;
    let Predicates {
        blocks,
        encoder,
        pool,
        effort,
        ..
    } = predicates;
    let parts = blocks.chain(encoder, pool, &singles);
    let analysed = analyse(pool, &parts, effort, check, strategy);
    match analysed.feasibility {
        Feasibility::Unknown(_) => None,
        _ => Some(analysed),
    }
}

impl Candidate {
    /// The refinement, if the chain is infeasible.
    pub fn increment(&self) -> Option<&Increment> {
        match &self.feasibility {
            Feasibility::Infeasible(increment) => Some(increment),
            _ => None,
        }
    }
}
