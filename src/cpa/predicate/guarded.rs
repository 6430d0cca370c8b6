//! Blocks whose assumptions can be switched off.
//!
//! Every assumption of a block gets a *guard*: a Boolean variable without which it demands nothing. So one formula stands for all slices of a block, in which some assumptions are no-ops:
//! that is how sliced prefixes (Beyer, Löwe, Wendler, *Refinement selection*, SPIN 2015, section 3) are asked about on blocks that merge many paths, where no assumption is a conjunct of its own. The authors name larger blocks
//! as future work.
//!
//! # Exactness
//!
//! The guarded formula is made as the block was, by steps and merges in the same order, from the same [origins](super::blocks). With all guards true it says what the block's formula
//! says. With fewer it says less: guards occur in it only in positive premises of demands. A demand may rely on a range that a switched-off assumption implies; then it says more than the path
//! without the assumption would, but never more than the block. So whatever refutes a slice refutes the block.
//!
//! # Rejected
//!
//! Guards at the conjuncts of finished formulas: the assumptions of merged paths stand deep inside of disjunctions, shared with their negations of the other branch.

use super::blocks::{BlockId, Blocks, Offsets, Origin};
use crate::cfa::Op;
use crate::encode::{Encoder, PathFormula};
use provident_smt::hash::FxHashMap;
use provident_smt::term::{Portable, SymbolId, TermId, TermPool};
use std::collections::BTreeSet;

/// The guarded blocks of a run.
#[derive(Debug, Default)]
pub struct GuardedBlocks {
    formulas: FxHashMap<BlockId, PathFormula>,
    exported: FxHashMap<BlockId, Exported>,
}

/// A guarded formula, and behind it its guards, on their way to other pools.
#[derive(Debug, Clone)]
struct Exported {
    formulas: Portable,
    /// Its names, and for each whether it is that of a guard.
    names: Vec<(SymbolId, bool)>,
}

/// A guarded block at its place in a chain, on its way to another pool.
#[derive(Debug, Clone)]
pub struct GuardedBlock {
    formulas: Portable,
    /// How much later the versions of its symbols are, in the order of their names.
    shift: Vec<u32>,
}

/// A guarded formula with its guards.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardedPart {
    /// The formula.
    pub formula: TermId,
    /// The guards of its assumptions: along every path in the order of the path.
    pub guards: Vec<TermId>,
}

impl GuardedBlock {
    /// The formula and its guards in another pool.
    pub fn import(&self, pool: &mut TermPool) -> GuardedPart {
        let mut terms = pool.import_at(&self.formulas, &self.shift).into_iter();
        let formula = terms.next().expect("the formula comes first");
        GuardedPart {
            formula,
            guards: terms.collect(),
        }
    }
}

impl GuardedBlocks {
    /// To be called when exact values of operators were learned: formulas that are handed out from now on say more.
    pub fn learn(&mut self) {
        self.exported.clear();
    }

    /// The guarded formulas of consecutive blocks, placed as those of [`Blocks::chain`]. Each place has guards of its own.
    pub fn placed_chain(
        &mut self,
        blocks: &mut Blocks,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        chain: &[BlockId],
    ) -> Vec<GuardedBlock> {
        let mut offsets = Offsets::default();
        let mut placed = Vec::with_capacity(chain.len());
        for (place, &block) in (0u32..).zip(chain) {
            let Exported { formulas, names } = self.export(blocks, encoder, pool, block);
            let shift = |&(name, is_guard): &(SymbolId, bool)| if is_guard { place } else { offsets.of(name) };
            placed.push(GuardedBlock {
                formulas: formulas.clone(),
                shift: names.iter().map(shift).collect(),
            });
            offsets.advance(encoder, pool, blocks.formula(block));
        }
        placed
    }

    fn export(&mut self, blocks: &mut Blocks, encoder: &Encoder<'_>, pool: &mut TermPool, block: BlockId) -> &Exported {
        if !self.exported.contains_key(&block) {
            let assumptions = self.build(blocks, encoder, pool, block);
            let bounds = blocks.bounds(encoder, pool, block);
            let whole = pool.and2(bounds, self.formulas[&block].formula);
            let guards: Vec<TermId> = assumptions.iter().map(|&assumption| guard(pool, assumption)).collect();
            let guard_names: BTreeSet<SymbolId> =
                guards.iter().flat_map(|&g| pool.symbols(g)).map(|s| s.name).collect();
            let roots: Vec<TermId> = [whole].into_iter().chain(guards).collect();
            let formulas = pool.export(&roots);
            let names = formulas.names().map(|name| pool.symbol(name));
            let names = names.map(|name| (name, guard_names.contains(&name))).collect();
            self.exported.insert(block, Exported { formulas, names });
        }
        &self.exported[&block]
    }

    /// Builds the guarded formula of a block. Returns the blocks that end with one of its assumptions, in the order in which they were made: along every path in the order of the path.
    fn build(&mut self, blocks: &Blocks, encoder: &Encoder<'_>, pool: &mut TermPool, block: BlockId) -> Vec<BlockId> {
        let mut parts = BTreeSet::from([block]);
        let mut open = vec![block];
        while let Some(at) = open.pop() {
            let before = match blocks.origin(at) {
                Origin::Empty => [None, None],
                Origin::Step(before, ..) => [Some(before), None],
                Origin::Merge(a, b) => [Some(a), Some(b)],
            };
            open.extend(before.into_iter().flatten().filter(|&part| parts.insert(part)));
        }
        // A clone has a ledger of its own: what is taken on trust was counted when the block was made.
        let mut encoder = encoder.clone();
        let mut assumptions = Vec::new();
        for part in parts {
            let origin = blocks.origin(part);
            let is_assumption = match origin {
                Origin::Step(_, step, _) => matches!(encoder.program().edge(step.edge()).op, Op::Assume { .. }),
                _ => false,
            };
            if is_assumption {
                assumptions.push(part);
            }
            if self.formulas.contains_key(&part) {
                continue;
            }
            let formula = match origin {
                Origin::Empty => encoder.empty(pool),
                Origin::Step(before, step, frame) => {
                    let before = &self.formulas[&before];
                    let after = encoder.step(pool, before, step, frame);
                    match is_assumption {
                        true => {
                            let guard = guard(pool, part);
                            after.guarded(pool, before, guard)
                        }
                        false => after,
                    }
                }
                Origin::Merge(a, b) => encoder.merge(pool, &self.formulas[&a], &self.formulas[&b]),
            };
            assert!(
                formula.ssa == blocks.formula(part).ssa,
                "a guarded block has the versions of the block"
            );
            self.formulas.insert(part, formula);
        }
        assumptions
    }
}

/// The guard of the assumption with which a block ends.
fn guard(pool: &mut TermPool, block: BlockId) -> TermId {
    let name = pool.symbol(&format!("guard of block {}", block.number()));
    pool.bool_var(name, 0)
}
