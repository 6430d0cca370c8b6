//! Algorithm 2 (`Refine+`) of *Refinement selection* (Beyer, Löwe, Wendler, SPIN 2015) up to the choice: for each infeasible sliced prefix of an error path the precision that refutes it.
//!
//! The refinement of a prefix is the usual one ([`interpolation`](crate::refine::interpolation)), with interpolants that are `false` behind the prefix. Under `--check` they are checked to be interpolants of the prefix.
//!
//! A path without such a prefix is feasible, or not decided; then it is asked about as a whole, and its model may bring exact values of operators. A prefix without interpolants is no alternative.

use super::extract::{SlicedPrefix, extract_sliced_prefixes};
use crate::cpa::predicate::guarded::{GuardedBlock, GuardedPart};
use crate::query::effort::Effort;
use crate::refine::interpolation::{Analysed, Chains, Feasibility, Increment, Inquiry};
use crate::refine::prefer::JudgedPredicates;
use provident_smt::term::{TermId, TermPool};

/// The refinement that an infeasible sliced prefix brings.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// The predicates, for the boundaries of the whole path.
    pub increment: Increment,
    /// The length of the prefix.
    pub length: Length,
}

impl Alternative {
    /// The alternative as heuristics see it.
    pub fn judged(&self) -> JudgedPredicates<'_> {
        JudgedPredicates {
            increment: &self.increment,
            length: self.length,
        }
    }
}

/// The length of a prefix: its blocks, and how many assumptions of the last one it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Length {
    /// The blocks.
    pub blocks: usize,
    /// The assumptions of the last one.
    pub assumptions: usize,
}

impl Length {
    /// The length of the prefix that a refinement refutes, in whole blocks.
    pub fn of(increment: &Increment) -> Length {
        let contradiction = increment.contradictions.iter().position(|is_false| *is_false);
        Length {
            blocks: contradiction.unwrap_or(increment.contradictions.len()) + 1,
            assumptions: usize::MAX,
        }
    }
}

/// The result for an error path.
#[derive(Debug, Clone)]
pub struct Alternatives {
    /// The refinements, that of the shortest prefix first.
    pub refinements: Vec<Alternative>,
    /// How many prefixes there are.
    pub prefixes: usize,
    /// The result for the path as a whole, if there is no refinement.
    pub whole: Option<Analysed>,
}

/// The alternatives for an error path, in a pool of their own. Adds the effort.
pub fn alternatives(path: &[GuardedBlock], most: usize, inquiry: Inquiry<'_>, effort: &mut Effort) -> Alternatives {
    let mut pool = TermPool::new();
    let path: Vec<GuardedPart> = path.iter().map(|block| block.import(&mut pool)).collect();
    // Where there is one block there is no boundary.
    let prefixes = match path.len() {
        0 | 1 => Vec::new(),
        _ => extract_sliced_prefixes(&mut pool, &path, most, effort),
    };
    let refine = |prefix: &SlicedPrefix| refinement(&mut pool, &path, prefix, inquiry, effort);
    let refinements: Vec<Alternative> = prefixes.iter().filter_map(refine).collect();
    let whole = refinements.is_empty().then(|| {
        let all = path.iter().map(|part| {
            let values = part.guards.iter().map(|&guard| (guard, pool.mk_true())).collect();
            pool.substitute(part.formula, &values)
        });
        let all: Vec<TermId> = all.collect();
        let (&last, before) = all.split_last().expect("a path has blocks");
        Chains::new(&pool, before, effort, inquiry).analyse(&mut pool, &[last], effort)
    });
    Alternatives {
        refinements,
        prefixes: prefixes.len(),
        whole,
    }
}

/// The refinement for a prefix; `None` if no interpolants are found.
fn refinement(
    pool: &mut TermPool,
    path: &[GuardedPart],
    prefix: &SlicedPrefix,
    inquiry: Inquiry<'_>,
    effort: &mut Effort,
) -> Option<Alternative> {
    let formulas = prefix.formulas(pool, path);
    let (&last, before) = formulas.split_last()?;
    let behind = path.len() - formulas.len();
    let mut chains = Chains::new(pool, before, effort, inquiry).followed_by(behind);
    match chains.analyse(pool, &[last], effort).feasibility {
        Feasibility::Infeasible(increment) => Some(Alternative {
            increment,
            length: Length {
                blocks: prefix.parts,
                assumptions: prefix.assumptions,
            },
        }),
        Feasibility::Feasible | Feasibility::Unknown(_) => None,
    }
}
