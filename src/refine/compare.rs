//! The interpolants of an error path against those that other variants read off one proof of it, and against the loops of the path.
//!
//! Which interpolant is a good one shows only later; these two questions are those that the literature asks beforehand. *Strength*: D'Silva, Kroening, Purandare, Weissenbacher (*Interpolant strength*, 2010) and Rollini, Sery,
//! Sharygina (*Leveraging interpolant strength in model checking*, 2012) compare variants of one proof. *Inductive*: an interpolant at a loop head that the blocks up to the next visit preserve refutes all further rounds on
//! these blocks (McMillan, *Lazy abstraction with interpolants*, 2006).
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
    /// Whether the blocks up to the next visit of its location preserve it; `None` if the path does not come there again, or if that was not decided.
    pub inductive: Option<bool>,
}

/// Compares the interpolants of an increment for an error path.
pub fn compare(
    predicates: &mut Predicates<'_>,
    path: &ErrorPath,
    increment: &Increment,
    how: Inquiry<'_>,
) -> Vec<Standing> {
    let mut scratch = TermPool::new();
    let interpolants = scratch.import(&increment.interpolants);
    let constants = [scratch.mk_true(), scratch.mk_false()];
    let varying = interpolants.iter().enumerate();
    let varying: Vec<(usize, TermId)> = varying
        .map(|(boundary, &interpolant)| (boundary, interpolant))
        .filter(|(_, interpolant)| !constants.contains(interpolant))
        .take(MAX_COMPARED)
        .collect();
    if varying.is_empty() {
        return Vec::new();
    }
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
        Standing {
            boundary,
            strength,
            inductive: is_inductive(predicates, path, &mut scratch, (boundary, interpolant), &limits),
        }
    };
    varying.into_iter().map(standing).collect()
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

/// See [`Standing::inductive`].
fn is_inductive(
    predicates: &mut Predicates<'_>,
    path: &ErrorPath,
    scratch: &mut TermPool,
    (boundary, interpolant): (usize, TermId),
    limits: &StrengthLimits,
) -> Option<bool> {
    let locations = path.locations(predicates);
    let again = (boundary + 1..locations.len()).find(|&at| locations[at] == locations[boundary])?;
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
