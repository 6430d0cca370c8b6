//! Predicates that a block neither reads nor writes keep their values.
//!
//! An abstraction of a block costs a solver call for each valuation of the predicates. Predicates about variables that do not
//! occur in the block, nor in a predicate that is connected with the block, only multiply these valuations. They are
//! split off: the region at the block's beginning is the union of `guard & rest` with guards over the untouched predicates and
//! different rests over the others. The block's formula `B` is about the others only, so the abstraction of `region & B` is the
//! union of `guard & abstraction(rest & B)`, exactly.
//!
//! A predicate that is new at the block's end (the region does not know it) has to be asked for, so everything connected with
//! it counts as touched.

use super::region::PredId;
use crate::encode::{Encoder, PathFormula};
use provident_smt::fault::planted;
use provident_smt::hash::{FxHashMap, FxHashSet};
use provident_smt::term::{SymbolId, TermId, TermPool};

/// The names that a block reads or writes, sorted.
pub fn touched_names(encoder: &Encoder<'_>, pool: &mut TermPool, block: &PathFormula, bounds: TermId) -> Vec<SymbolId> {
    let mut names: Vec<SymbolId> = pool
        .symbols_of(&[block.formula, bounds])
        .iter()
        .map(|s| s.name)
        .collect();
    if planted("untouched-writes") {
        names.clear();
    }
    for (slot, _) in block.ssa.entries().into_iter().filter(|_| !planted("untouched-writes")) {
        names.push(pool.symbol(&encoder.slot_name(slot)));
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// The predicates of `known` (those on which the region at the beginning depends) that a block with these names leaves alone.
///
/// `wanted` are the predicates at the block's end. Both lists are sorted, and so is the result.
pub fn untouched(
    pool: &TermPool,
    names: &[SymbolId],
    known: &[(PredId, TermId)],
    wanted: &[(PredId, TermId)],
) -> Vec<PredId> {
    let knows: FxHashSet<PredId> = known.iter().map(|k| k.0).collect();
    let mut touched: FxHashSet<SymbolId> = names.iter().copied().collect();
    // For each name the predicates that have it; for each predicate its names.
    let mut users: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
    let mut open: Vec<SymbolId> = names.to_vec();
    let all: Vec<(PredId, Vec<SymbolId>)> = known
        .iter()
        .chain(wanted.iter().filter(|w| !knows.contains(&w.0)))
        .map(|&(pred, term)| (pred, pool.symbols(term).iter().map(|s| s.name).collect()))
        .collect();
    for (i, (pred, names)) in all.iter().enumerate() {
        for &name in names {
            users.entry(name).or_default().push(i);
            if !knows.contains(pred) && touched.insert(name) {
                open.push(name);
            }
        }
    }
    let mut is_touched = vec![false; all.len()];
    while let Some(name) = open.pop() {
        for &i in users.get(&name).into_iter().flatten() {
            if !std::mem::replace(&mut is_touched[i], true) {
                open.extend(all[i].1.iter().filter(|&&n| touched.insert(n)));
            }
        }
    }
    let mut result: Vec<PredId> = (0..known.len()).filter(|&i| !is_touched[i]).map(|i| all[i].0).collect();
    result.sort_unstable();
    result
}
