//! Path formulas and versions as data.

use super::ranges::Range;
use super::slots::SlotId;
use super::trie::Trie;
use provident_smt::term::{NO_INDEX, Symbol, TermId, TermPool};
use std::sync::Arc;

/// The current version of each symbol. A symbol that is absent has version 0. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct SsaMap {
    pub(super) indices: Trie<u32>,
}

impl SsaMap {
    /// The current version.
    pub fn index(&self, slot: SlotId) -> u32 {
        self.indices.get(slot.0).copied().unwrap_or(0)
    }

    pub(super) fn set(&mut self, slot: SlotId, index: u32) {
        self.indices.insert(slot.0, index);
    }

    /// Makes a new version and returns it.
    pub(super) fn bump(&mut self, slot: SlotId) -> u32 {
        let next = self.index(slot) + 1;
        assert!(next < NO_INDEX, "a path has fewer than 2^32 - 1 assignments");
        self.set(slot, next);
        next
    }

    /// All versions other than 0, in the order of the slots.
    pub fn entries(&self) -> Vec<(SlotId, u32)> {
        let mut all = Vec::new();
        self.indices
            .for_each(&mut |slot, &index| all.push((SlotId(slot), index)));
        all.retain(|&(_, index)| index != 0);
        all
    }
}

impl FromIterator<(SlotId, u32)> for SsaMap {
    /// The versions of these slots; the last one counts.
    fn from_iter<I: IntoIterator<Item = (SlotId, u32)>>(versions: I) -> SsaMap {
        let mut ssa = SsaMap::default();
        for (slot, index) in versions {
            ssa.set(slot, index);
        }
        ssa
    }
}

impl PartialEq for SsaMap {
    fn eq(&self, other: &Self) -> bool {
        let mut equal = true;
        self.indices.diff(&other.indices, &mut |_, a, b| {
            equal &= a.copied().unwrap_or(0) == b.copied().unwrap_or(0);
        });
        equal
    }
}

impl Eq for SsaMap {}

/// A fact that the formula of a block implies about the current version of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fact {
    pub(super) index: u32,
    pub(super) range: Range,
    /// So many of its lowest bits are 0.
    pub(super) zeros: u32,
    /// A formula that is equivalent to "the variable is not 0"; then the range is within 0 and 1.
    pub(super) truth: Option<TermId>,
}

/// The facts by slot. They are shared, because there are millions of maps with the same facts, and each copy of a leaf holds up to sixteen of them.
pub(super) type Facts = Trie<Arc<Fact>>;

/// The frames of functions that the paths of a block enter or leave, by the [number](super::slots::Slots::frame) of the frame.
pub(super) type Frames = Trie<FrameState>;

/// The last thing that a block does with a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FrameState {
    /// It enters it.
    Begun,
    /// It leaves it: the variables of the frame are read no more.
    Ended,
}

/// The conjuncts of a block in reverse, shared with the other paths that begin alike, so that a merge can leave the common
/// beginning outside of the disjunction.
#[derive(Debug)]
pub(super) struct Conjunct {
    pub(super) formula: TermId,
    /// This conjunct and all before it.
    pub(super) all: TermId,
    pub(super) before: Option<Arc<Conjunct>>,
    pub(super) length: u32,
}

impl Drop for Conjunct {
    /// Takes the list apart in a loop: the compiler's own way recurses, and a block may be long.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(node) = next {
            match Arc::try_unwrap(node) {
                Ok(mut inner) => next = inner.before.take(),
                Err(_) => break,
            }
        }
    }
}

/// The meaning of a path, or of several merged ones, since the beginning of its block.
#[derive(Clone, Debug)]
pub struct PathFormula {
    /// The formula of the block.
    pub formula: TermId,
    /// The versions after the path.
    pub ssa: SsaMap,
    /// Steps in the block, of the longest path if merged.
    pub length: u32,
    pub(super) facts: Facts,
    pub(super) frames: Frames,
    pub(super) conjuncts: Option<Arc<Conjunct>>,
}

impl PathFormula {
    /// The beginning of a new block behind this path: the formula is true, the versions run on.
    pub fn next_block(&self, pool: &TermPool) -> PathFormula {
        PathFormula::starting_at(pool, self.ssa.clone())
    }

    /// The beginning of a block at given versions.
    pub fn starting_at(pool: &TermPool, ssa: SsaMap) -> PathFormula {
        PathFormula {
            formula: pool.mk_true(),
            ssa,
            length: 0,
            facts: Trie::default(),
            frames: Trie::default(),
            conjuncts: None,
        }
    }

    /// This path, which goes on from `before`, with a guard: the demands of the steps behind `before` hold where the guard does.
    ///
    /// Later steps rely on these demands in any case, in that they use the ranges that follow from them. So a formula in which the guard is false is implied by the one in which it is
    /// true, but it may be stronger than that of the path without these steps.
    #[must_use]
    pub fn guarded(&self, pool: &mut TermPool, before: &PathFormula, guard: TermId) -> PathFormula {
        let length = before.conjuncts.as_ref().map_or(0, |conjunct| conjunct.length);
        let mut demands = Vec::new();
        let mut at = self.conjuncts.as_ref();
        while let Some(conjunct) = at.filter(|conjunct| conjunct.length > length) {
            demands.push(conjunct.formula);
            at = conjunct.before.as_ref();
        }
        demands.reverse();
        let demand = pool.and(&demands);
        let demand = pool.implies(guard, demand);
        let mut guarded = PathFormula {
            formula: before.formula,
            conjuncts: before.conjuncts.clone(),
            ..self.clone()
        };
        guarded.conjoin(pool, demand);
        guarded
    }

    pub(super) fn conjoin(&mut self, pool: &mut TermPool, formula: TermId) {
        if formula == pool.mk_true() {
            return;
        }
        self.formula = pool.and2(self.formula, formula);
        let before = self.conjuncts.take();
        let length = before.as_ref().map_or(0, |c| c.length) + 1;
        self.conjuncts = Some(Arc::new(Conjunct {
            formula,
            all: self.formula,
            before,
            length,
        }));
    }
}

/// In which frames a step is taken: the number of older frames of the same function, 0 unless it is recursive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Frame {
    /// Of the function to which the edge belongs.
    pub caller: u32,
    /// Of the function that is entered or left; not used by steps along an edge.
    pub callee: u32,
}

/// A value on a path that the program does not determine, so that a concrete execution has to be told it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputValue {
    /// The position in the sequence of steps.
    pub step: usize,
    /// The place that takes the value.
    pub kind: InputKind,
    /// Its value.
    pub value: TermId,
}

/// The place whose value an [`InputValue`] is. The values of one step stand in the order in which an execution requests them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InputKind {
    /// A scalar that a `Havoc`, an external call or assembly writes to a plain variable; the name is the symbol's.
    Variable {
        /// The symbol's name.
        name: String,
    },
    /// A scalar that is written to memory.
    Memory {
        /// The region's name.
        region: String,
        /// The address of the scalar.
        address: TermId,
        /// Its size in bytes.
        size: u64,
    },
    /// A scalar that is read from memory. Matters only if the execution has not written there before.
    Read {
        /// The region's name.
        region: String,
        /// The address of the scalar.
        address: TermId,
        /// Its size in bytes.
        size: u64,
    },
    /// Cells that are copied without being read. Each matters only if the execution has not written there before. The value is the address of the first one.
    Copied {
        /// The region's name.
        region: String,
        /// The function that has what the cells hold.
        held: Symbol,
        /// The size of each in bytes.
        size: u64,
        /// The address behind the last one.
        end: TermId,
    },
    /// The result of an allocation: 0 if it fails.
    Allocation,
}
