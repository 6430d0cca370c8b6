//! Block formulas, interned, with the way back to the steps that they encode.
//!
//! A block begins at an abstraction state with an empty SSA map and ends at the next one. Its formula does not depend on where on a path the
//! block lies, so the same piece of program under the same call stack is encoded once in a run, however often it is explored; and a block's id can be a key of
//! the abstraction cache. Blocks of a path are put behind each other by shifting SSA indices, see [`Blocks::chain`]. Blocks that
//! travel to another pool are exported once and shifted there ([`Blocks::placed_chain`]).
//!
//! Every block remembers how it was made, from the empty block by steps and merges. So the paths of a block can be recovered from its id
//! alone, and a model of its formula picks one of them ([`Blocks::choose_path`]).

use crate::cfa::{EdgeId, Step};
use crate::encode::{Encoder, Frame, PathFormula};
use crate::query::points::{Point, Points};
use provident_smt::hash::FxHashMap;
use provident_smt::model::Model;
use provident_smt::term::{NO_INDEX, Portable, Symbol, SymbolId, Term, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// An interned block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(u32);

impl BlockId {
    fn index(self) -> usize {
        self.0 as usize
    }

    /// Its number, in the order in which blocks were made.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// How a block was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It has no steps.
    Empty,
    /// One step more than another block.
    Step(BlockId, Step, Frame),
    /// The paths of two blocks.
    Merge(BlockId, BlockId),
}

/// All blocks of a run.
#[derive(Debug)]
pub struct Blocks {
    formulas: Vec<PathFormula>,
    origins: Vec<Origin>,
    stepped: FxHashMap<(BlockId, Step, Frame), BlockId>,
    merged: FxHashMap<(BlockId, BlockId), BlockId>,
    bounds: FxHashMap<BlockId, TermId>,
    /// Formulas with bounds that were on their way to other pools, and the names in them.
    exported: FxHashMap<BlockId, (Portable, Vec<SymbolId>)>,
    points: Points,
}

/// One path through consecutive blocks.
#[derive(Debug, Clone)]
pub struct ChosenPath {
    /// Its steps.
    pub steps: Vec<(Step, Frame)>,
    /// The difference to the other paths: the side that it takes at each join, as formulas over the chain's symbols.
    pub choices: Vec<TermId>,
}

impl Blocks {
    /// The block without steps.
    pub const EMPTY: BlockId = BlockId(0);

    /// The arena with the empty block.
    pub fn new(encoder: &Encoder<'_>, pool: &mut TermPool) -> Self {
        let empty = encoder.empty(pool);
        Blocks {
            formulas: vec![empty],
            origins: vec![Origin::Empty],
            stepped: FxHashMap::default(),
            merged: FxHashMap::default(),
            bounds: FxHashMap::default(),
            exported: FxHashMap::default(),
            points: Points::default(),
        }
    }

    /// Learns exact values of non-linear operators; returns how many were new. Formulas that were asked for before may be weaker than those
    /// that are handed out from now on.
    pub fn learn(&mut self, points: impl IntoIterator<Item = Point>) -> usize {
        let new = points
            .into_iter()
            .filter(|point| self.points.add(point.clone()))
            .count();
        if new > 0 {
            self.bounds.clear();
            self.exported.clear();
        }
        new
    }

    /// The points that were [learned](Blocks::learn).
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The known facts about the non-linear operators in a formula.
    pub fn exact(&self, pool: &mut TermPool, formula: TermId) -> TermId {
        let lemmas = self.points.lemmas(pool, formula);
        pool.and(&lemmas)
    }

    fn insert(&mut self, formula: PathFormula, origin: Origin) -> BlockId {
        let id = BlockId(u32::try_from(self.formulas.len()).expect("fewer than 2^32 blocks"));
        self.formulas.push(formula);
        self.origins.push(origin);
        id
    }

    /// The path formula of a block.
    pub fn formula(&self, block: BlockId) -> &PathFormula {
        &self.formulas[block.index()]
    }

    /// How a block was made.
    pub(super) fn origin(&self, block: BlockId) -> Origin {
        self.origins[block.index()]
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.formulas.len()
    }

    /// Always false: the empty block is there.
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty()
    }

    /// The block with one step more.
    pub fn step(
        &mut self,
        encoder: &mut Encoder<'_>,
        pool: &mut TermPool,
        block: BlockId,
        step: Step,
        frame: Frame,
    ) -> BlockId {
        if let Some(&known) = self.stepped.get(&(block, step, frame)) {
            return known;
        }
        let formula = encoder.step(pool, self.formula(block), step, frame);
        let id = self.insert(formula, Origin::Step(block, step, frame));
        self.stepped.insert((block, step, frame), id);
        id
    }

    /// The block with the paths of both.
    pub fn merge(&mut self, encoder: &mut Encoder<'_>, pool: &mut TermPool, a: BlockId, b: BlockId) -> BlockId {
        if a == b || self.merges_in(a, b) {
            return a;
        }
        if let Some(&known) = self.merged.get(&(a, b)) {
            return known;
        }
        let formula = encoder.merge(pool, self.formula(a), self.formula(b));
        let id = self.insert(formula, Origin::Merge(a, b));
        self.merged.insert((a, b), id);
        id
    }

    /// Whether `b` is one of the blocks that `a` was merged from.
    fn merges_in(&self, a: BlockId, b: BlockId) -> bool {
        let mut at = a;
        while let Origin::Merge(first, second) = self.origins[at.index()] {
            if first == b || second == b {
                return true;
            }
            at = first;
        }
        false
    }

    /// The blocks and those that they were made from, the older ones first.
    fn made_from(&self, blocks: &[BlockId]) -> BTreeSet<BlockId> {
        let mut found = BTreeSet::new();
        let mut waiting = blocks.to_vec();
        while let Some(block) = waiting.pop() {
            if found.insert(block) {
                match self.origin(block) {
                    Origin::Empty => {}
                    Origin::Step(before, ..) => waiting.push(before),
                    Origin::Merge(a, b) => waiting.extend([a, b]),
                }
            }
        }
        found
    }

    /// The edges on the paths through blocks.
    pub fn edges(&self, blocks: &[BlockId]) -> BTreeSet<EdgeId> {
        let made_from = self.made_from(blocks).into_iter();
        let edges = made_from.filter_map(|block| match self.origin(block) {
            Origin::Step(_, step, _) => Some(step.edge()),
            Origin::Empty | Origin::Merge(..) => None,
        });
        edges.collect()
    }

    /// The same blocks with the formulas of another encoder of the program: an arena with them, with what they were made from, and with what was [learned](Blocks::learn).
    pub fn encoded_again(
        &self,
        encoder: &mut Encoder<'_>,
        pool: &mut TermPool,
        blocks: &[BlockId],
    ) -> (Blocks, Vec<BlockId>) {
        let needed = self.made_from(blocks);
        let mut again = Blocks::new(encoder, pool);
        again.points = self.points.clone();
        let mut id: FxHashMap<BlockId, BlockId> = FxHashMap::default();
        // A block is older than those that were made from it.
        for block in needed {
            let new = match self.origin(block) {
                Origin::Empty => Blocks::EMPTY,
                Origin::Step(before, step, frame) => again.step(encoder, pool, id[&before], step, frame),
                Origin::Merge(a, b) => again.merge(encoder, pool, id[&a], id[&b]),
            };
            id.insert(block, new);
        }
        let blocks = blocks.iter().map(|block| id[block]).collect();
        (again, blocks)
    }

    /// The ranges, by type, of what the block reads at its beginning, on which the encoder relies without saying so; and what was
    /// [learned](Blocks::learn) of the block's operators.
    pub fn bounds(&mut self, encoder: &Encoder<'_>, pool: &mut TermPool, block: BlockId) -> TermId {
        if let Some(&known) = self.bounds.get(&block) {
            return known;
        }
        let mut conjuncts = Vec::new();
        for term in pool.sub_terms(&[self.formula(block).formula]) {
            let Term::IntVar(symbol) = *pool.term(term) else {
                continue;
            };
            if symbol.index != 0 {
                continue;
            }
            let Some((low, high)) = encoder.symbol_range(pool.name(symbol.name)) else {
                continue;
            };
            let (low, high) = (pool.int(low), pool.int(high));
            conjuncts.push(pool.le(low, term));
            conjuncts.push(pool.le(term, high));
        }
        conjuncts.push(self.exact(pool, self.formula(block).formula));
        let bounds = pool.and(&conjuncts);
        self.bounds.insert(block, bounds);
        bounds
    }

    /// The formulas of consecutive blocks, with the [bounds](Blocks::bounds) of each, with SSA indices such that the end of each is the beginning of the next.
    pub fn chain(&mut self, encoder: &Encoder<'_>, pool: &mut TermPool, blocks: &[BlockId]) -> Vec<TermId> {
        self.chain_with_ends(encoder, pool, blocks).0
    }

    /// The [chain](Blocks::chain) of a prefix, and then alternative last blocks, each as it would stand behind the prefix; on their way to another pool.
    pub fn placed_chain(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        prefix: &[BlockId],
        lasts: &[BlockId],
    ) -> Vec<PlacedBlock> {
        let mut offsets = Offsets::default();
        let mut placed = Vec::with_capacity(prefix.len() + lasts.len());
        for &block in prefix {
            placed.push(self.place(encoder, pool, block, &offsets));
            offsets.advance(encoder, pool, self.formula(block));
        }
        for &last in lasts {
            placed.push(self.place(encoder, pool, last, &offsets));
        }
        placed
    }

    fn place(&mut self, encoder: &Encoder<'_>, pool: &mut TermPool, block: BlockId, offsets: &Offsets) -> PlacedBlock {
        if !self.exported.contains_key(&block) {
            let bounds = self.bounds(encoder, pool, block);
            let whole = pool.and2(bounds, self.formula(block).formula);
            let formula = pool.export(&[whole]);
            let names = formula.names().map(|name| pool.symbol(name)).collect();
            self.exported.insert(block, (formula, names));
        }
        let (formula, names) = &self.exported[&block];
        PlacedBlock {
            formula: formula.clone(),
            shift: names.iter().map(|&name| offsets.of(name)).collect(),
        }
    }

    /// The [chain](Blocks::chain), with the versions of the symbols at the end of each block.
    pub fn chain_with_ends(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        blocks: &[BlockId],
    ) -> (Vec<TermId>, Vec<Offsets>) {
        let mut offsets = Offsets::default();
        let (mut parts, mut ends) = (Vec::new(), Vec::new());
        for &block in blocks {
            let bounds = self.bounds(encoder, pool, block);
            let whole = pool.and2(bounds, self.formula(block).formula);
            parts.push(offsets.shift(pool, whole));
            offsets.advance(encoder, pool, self.formula(block));
            ends.push(offsets.clone());
        }
        (parts, ends)
    }

    /// The symbols of each part of the [chain](Blocks::chain) of consecutive blocks, without the chain.
    pub fn chain_symbols(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        blocks: &[BlockId],
    ) -> Vec<Vec<Symbol>> {
        let mut offsets = Offsets::default();
        let mut parts = Vec::with_capacity(blocks.len());
        for &block in blocks {
            let mut symbols = pool.symbols(self.formula(block).formula);
            let bounds = self.bounds(encoder, pool, block);
            symbols.extend(pool.symbols(bounds));
            parts.push(symbols.into_iter().map(|symbol| offsets.shifted(symbol)).collect());
            offsets.advance(encoder, pool, self.formula(block));
        }
        parts
    }

    /// The versions of the symbols at the end of the [chain](Blocks::chain) of consecutive blocks, by name.
    pub fn versions_behind(&self, encoder: &Encoder<'_>, blocks: &[BlockId]) -> BTreeMap<String, u32> {
        let mut versions = BTreeMap::new();
        for &block in blocks {
            for (slot, index) in self.formula(block).ssa.entries() {
                *versions.entry(encoder.slot_name(slot)).or_insert(0) += index;
            }
        }
        versions
    }

    /// One path through consecutive blocks, chosen by a model of their [chain](Blocks::chain).
    ///
    /// If the model is one of the chain and evaluation is exact, then the path is feasible. Callers check that all the same.
    pub fn choose_path(
        &self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        blocks: &[BlockId],
        model: &Model,
    ) -> ChosenPath {
        let mut offsets = Offsets::default();
        let mut path = Vec::new();
        let mut choices = Vec::new();
        for &block in blocks {
            let start = path.len();
            let mut at = block;
            loop {
                match self.origins[at.index()] {
                    Origin::Empty => break,
                    Origin::Step(before, step, frame) => {
                        path.push((step, frame));
                        at = before;
                    }
                    Origin::Merge(a, b) => {
                        let mut half = |side| {
                            let half = encoder.padded(pool, self.formula(side), self.formula(at));
                            offsets.shift(pool, half)
                        };
                        let (first, second) = (half(a), half(b));
                        let takes_first = model.eval_bool(pool, first);
                        at = if takes_first { a } else { b };
                        choices.push(if takes_first { first } else { second });
                    }
                }
            }
            path[start..].reverse();
            offsets.advance(encoder, pool, self.formula(block));
        }
        ChosenPath { steps: path, choices }
    }

    /// The block with one path only.
    pub fn single(&mut self, encoder: &mut Encoder<'_>, pool: &mut TermPool, steps: &[(Step, Frame)]) -> BlockId {
        let mut single = Blocks::EMPTY;
        for &(step, frame) in steps {
            single = self.step(encoder, pool, single, step, frame);
        }
        single
    }
}

/// The formula of a block at its place in a chain, on its way to another pool.
#[derive(Debug, Clone)]
pub struct PlacedBlock {
    /// The formula at the beginning of a chain: the same for all its places.
    formula: Portable,
    /// How much later the versions of its symbols are, in the order of their names.
    shift: Vec<u32>,
}

impl PlacedBlock {
    /// The formula in another pool.
    pub fn import(&self, pool: &mut TermPool) -> TermId {
        pool.import_at(&self.formula, &self.shift)[0]
    }
}

/// For every symbol the SSA index at which the next block begins.
#[derive(Debug, Default, Clone)]
pub struct Offsets {
    next: FxHashMap<SymbolId, u32>,
}

impl Offsets {
    /// The version of a symbol.
    pub fn version(&self, name: SymbolId) -> u32 {
        self.of(name)
    }

    pub(super) fn of(&self, name: SymbolId) -> u32 {
        self.next.get(&name).copied().unwrap_or(0)
    }

    /// A term over symbols without version, at the versions here.
    pub fn instantiate(&self, pool: &mut TermPool, term: TermId) -> TermId {
        pool.map_symbols(term, &mut |symbol: Symbol| Symbol {
            index: self.of(symbol.name),
            ..symbol
        })
    }

    fn shift(&self, pool: &mut TermPool, formula: TermId) -> TermId {
        if self.next.is_empty() {
            return formula;
        }
        pool.map_symbols(formula, &mut |symbol: Symbol| self.shifted(symbol))
    }

    fn shifted(&self, symbol: Symbol) -> Symbol {
        let offset = self.of(symbol.name);
        match symbol.index {
            NO_INDEX => symbol,
            index => Symbol {
                index: index + offset,
                ..symbol
            },
        }
    }

    pub(super) fn advance(&mut self, encoder: &Encoder<'_>, pool: &mut TermPool, block: &PathFormula) {
        for (slot, index) in block.ssa.entries() {
            let name = pool.symbol(&encoder.slot_name(slot));
            *self.next.entry(name).or_insert(0) += index;
        }
    }
}
