//! The interpolants of an error path against those that other variants read off one proof of it, and against the loops of the path.
//!
//! Which interpolant is a good one shows only later; these two questions are those that the literature asks beforehand. *Strength*: D'Silva, Kroening, Purandare, Weissenbacher (*Interpolant strength*, 2010) and Rollini, Sery,
//! Sharygina (*Leveraging interpolant strength in model checking*, 2012) compare variants of one proof. *Inductive*: an interpolant at a loop head that the blocks up to the next visit preserve refutes all further rounds on
//! these blocks (McMillan, *Lazy abstraction with interpolants*, 2006). A sequence that is inductive at its end has found what its loops keep, from some round on: its *inductive suffix*.
//!
//! Compared are formulas without the versions of their variables: what the precision gets. The error path is refuted once more for that, with limits of its own; nothing is charged to the run, and terms are made in another
//! pool, so that a run with comparisons takes the same steps as one without.

use super::interpolation::{Increment, Inquiry, config};
use super::path::ErrorPath;
use crate::cpa::predicate::Predicates;
use crate::cpa::predicate::blocks::BlockId;
use crate::query::effort::Effort;
use provident_smt::interpolate::{
    InterpolationConfig, Readings, Relation, StrengthLimits, implies, readings, relation, without_versions,
};
use provident_smt::term::{Symbol, TermId, TermPool};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Interpolants of one path that are compared: the first ones that are not constant.
const MAX_COMPARED: usize = 32;

/// Ticks for the proof of which the variants are read.
const PROOF_TICKS: u64 = 2_000_000;

/// Ticks for one implication.
const IMPLICATION_TICKS: u64 = 200_000;

/// How an interpolant stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// Its boundary on the error path, from 0.
    pub boundary: usize,
    /// How it stands to the different interpolants of the other variants there: how often each [`Relation`] occurs, in the order of [`Relation::ALL`].
    pub strength: [u64; 5],
    /// Whether the path comes to its location again.
    pub repeats: bool,
    /// Whether the blocks up to the next visit of its location preserve it; `None` if the path does not come there again, or if that was not decided.
    pub inductive: Option<bool>,
}

/// The interpolants of a path against others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Comparison {
    /// Those that are not constant, in the order of their boundaries; the first ones if there are many.
    pub standings: Vec<Standing>,
    /// See [`inductive_suffix`]; `None` if the path has more interpolants than are compared.
    pub suffix: Option<usize>,
}

/// The longest inductive suffix of a sequence: of the interpolants to whose location the path comes again, how many are preserved up to their next visit, from the last one back to the first that is not, or that is
/// undecided. `None` if there is no such interpolant.
fn inductive_suffix(standings: &[Standing]) -> Option<usize> {
    let repeated: Vec<&Standing> = standings.iter().filter(|standing| standing.repeats).collect();
    let preserved = repeated
        .iter()
        .rev()
        .take_while(|standing| standing.inductive == Some(true));
    (!repeated.is_empty()).then(|| preserved.count())
}

/// Compares the interpolants of an increment for an error path.
pub fn compare(
    predicates: &mut Predicates<'_>,
    path: &ErrorPath,
    increment: &Increment,
    how: Inquiry<'_>,
) -> Comparison {
    let mut scratch = TermPool::new();
    let interpolants = scratch.import(&increment.interpolants);
    let constants = [scratch.mk_true(), scratch.mk_false()];
    let varying = interpolants.iter().enumerate();
    let varying: Vec<(usize, TermId)> = varying
        .map(|(boundary, &interpolant)| (boundary, interpolant))
        .filter(|(_, interpolant)| !constants.contains(interpolant))
        .collect();
    if varying.is_empty() {
        return Comparison::default();
    }
    let is_complete = varying.len() <= MAX_COMPARED;
    let others = of_other_variants(predicates, path, &mut scratch, how);
    let limits = StrengthLimits {
        ticks: Some(IMPLICATION_TICKS),
        interrupt: Some(Arc::clone(&predicates.effort.interrupt)),
    };
    let standing = |(boundary, interpolant): (usize, TermId)| {
        let mut strength = [0; 5];
        let there = others.get(boundary).map_or(&[][..], Vec::as_slice);
        for &other in there.iter().filter(|&&other| other != interpolant) {
            let found = relation(&mut scratch, interpolant, other, &limits);
            let at = Relation::ALL.iter().position(|&case| case == found);
            strength[at.expect("all cases are listed")] += 1;
        }
        let again = next_visit(predicates, path, boundary);
        let inductive = again
            .and_then(|again| is_inductive(predicates, path, &mut scratch, (boundary, interpolant), again, &limits));
        Standing {
            boundary,
            strength,
            repeats: again.is_some(),
            inductive,
        }
    };
    let standings: Vec<Standing> = varying.into_iter().take(MAX_COMPARED).map(standing).collect();
    Comparison {
        suffix: is_complete.then(|| inductive_suffix(&standings)).flatten(),
        standings,
    }
}

/// For each boundary the different interpolants that the variants read off one proof; empty if there is none within the limits.
fn of_other_variants(
    predicates: &mut Predicates<'_>,
    path: &ErrorPath,
    scratch: &mut TermPool,
    how: Inquiry<'_>,
) -> Vec<Vec<TermId>> {
    let parts = import(predicates, &path.blocks, scratch);
    let effort = Effort {
        limit: Some(PROOF_TICKS),
        interrupt: Arc::clone(&predicates.effort.interrupt),
        ..Effort::default()
    };
    let config = InterpolationConfig {
        check: false,
        ..config(&effort, how)
    };
    let mut others = vec![Vec::new(); path.boundaries.len()];
    if let (Readings::Read(found), _) = readings(scratch, &parts, &config) {
        for interpolants in found.into_iter().filter_map(|reading| reading.interpolants.ok()) {
            for (here, interpolant) in others.iter_mut().zip(interpolants) {
                let interpolant = without_versions(scratch, interpolant);
                if !here.contains(&interpolant) {
                    here.push(interpolant);
                }
            }
        }
    }
    others
}

/// The boundary at which a path comes to the location of another one again.
fn next_visit(predicates: &Predicates<'_>, path: &ErrorPath, boundary: usize) -> Option<usize> {
    let locations = path.locations(predicates);
    (boundary + 1..locations.len()).find(|&at| locations[at] == locations[boundary])
}

/// See [`Standing::inductive`]; the next visit is at the boundary `again`.
fn is_inductive(
    predicates: &mut Predicates<'_>,
    path: &ErrorPath,
    scratch: &mut TermPool,
    (boundary, interpolant): (usize, TermId),
    again: usize,
    limits: &StrengthLimits,
) -> Option<bool> {
    // A boundary stands behind the block of the same number.
    let round = &path.blocks[boundary + 1..=again];
    let mut facts = import(predicates, round, scratch);
    let ends = predicates.blocks.versions_behind(&predicates.encoder, round);
    facts.push(at_versions(scratch, interpolant, &BTreeMap::new()));
    let after = at_versions(scratch, interpolant, &ends);
    implies(scratch, &facts, after, limits)
}

/// The formulas of consecutive blocks, in another pool.
fn import(predicates: &mut Predicates<'_>, blocks: &[BlockId], scratch: &mut TermPool) -> Vec<TermId> {
    let Predicates {
        blocks: all,
        encoder,
        pool,
        ..
    } = predicates;
    let (last, prefix) = blocks.split_last().expect("a path has blocks");
    let placed = all.placed_chain(encoder, pool, prefix, &[*last]);
    placed.iter().map(|block| block.import(scratch)).collect()
}

/// A formula without versions at these versions of its variables; 0 for those that are not named.
fn at_versions(pool: &mut TermPool, formula: TermId, versions: &BTreeMap<String, u32>) -> TermId {
    let symbols = pool.symbols(formula);
    let known: BTreeMap<_, u32> = symbols
        .into_iter()
        .map(|symbol| (symbol.name, versions.get(pool.name(symbol.name)).copied().unwrap_or(0)))
        .collect();
    pool.map_symbols(formula, &mut |symbol| Symbol {
        index: known[&symbol.name],
        ..symbol
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suffix_ends_at_the_first_gap_from_behind() {
        let suffix = |cases: &[Option<Option<bool>>]| {
            let standing = |(boundary, case): (usize, &Option<Option<bool>>)| Standing {
                boundary,
                strength: [0; 5],
                repeats: case.is_some(),
                inductive: case.flatten(),
            };
            inductive_suffix(&cases.iter().enumerate().map(standing).collect::<Vec<_>>())
        };
        let (kept, lost, open, once) = (Some(Some(true)), Some(Some(false)), Some(None), None);
        assert_eq!(suffix(&[once, once]), None);
        assert_eq!(suffix(&[kept, lost, kept, once, kept, once]), Some(2));
        assert_eq!(suffix(&[kept, kept]), Some(2));
        assert_eq!(suffix(&[kept, open, kept]), Some(1));
        assert_eq!(suffix(&[kept, lost]), Some(0));
    }
}
