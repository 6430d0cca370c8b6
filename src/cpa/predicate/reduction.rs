//! Regions at the entry of a block of block-abstraction memoization, and behind it.
//!
//! # Names
//!
//! A block is the body of a function, or a loop in it, that is explored for itself: the frame of the function is the only one on the call stack, so its variables have the names of a first frame. A call in it of the same function has
//! a second frame (`f::x#1`). There are no more: that call is the entry of a block. So predicates are *relative* to the block in which they count, and the same at every depth of a recursion. At the
//! entry of a call two frames are seen, that of the caller and that of the callee, and predicates there may relate them.
//!
//! # `reduce`
//!
//! The block sees what has static storage, memory, and the frame of its function. Predicates with other symbols are taken out of the region (they are quantified: the region becomes weaker), and the
//! names of a second frame become those of a first one. A loop sees the frame of its function, which is a first one in every block: nothing has to be renamed.
//!
//! Outside of recursions, what the block leaves alone (see `effects`) is dropped too, also of its frame and of what has static storage. For that the state at its entry is divided into cases before: in each of them what
//! is dropped and what is kept have no relation, so nothing is lost.
//!
//! # `expand`
//!
//! The region behind the block is the conjunction of two: that of its exit, with the names of the caller's view again; and that of its entry, without the predicates that the block may have changed.
//! Which these are is the question of `effects`.

use super::blocks::{BlockId, Blocks};
use super::effects::Used;
use super::precision::{PredSetId, PredicateScope};
use super::region::{Decision, PredId, RegionId, Regions};
use super::{AbsId, AbsRecord, Phase, PredState, Predicates};
use crate::cfa::{FuncId, NodeId, Program, Step, is_call};
use crate::cpa::callstack::{Block, StackId, Stacks};
use crate::cpa::composite::{Context, Control};
use crate::cpa::memo::blocks::ProgramBlocks;
use provident_smt::fault::planted;
use provident_smt::hash::FxHashMap;
use provident_smt::term::{Symbol, SymbolId, TermId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A frame: the function, and how many older frames of it there are.
pub(super) type FrameName = (FuncId, u32);

/// The knowledge about functions that are explored for themselves.
pub(super) struct Relative {
    pub(super) blocks: ProgramBlocks,
    /// The functions of local variables outside of memory, and of the symbols that say where frames are, by their names.
    locals: FxHashMap<String, FuncId>,
    /// Predicates in other frames.
    views: FxHashMap<(PredId, View), Option<PredId>>,
    /// Whether a block, entered in a frame of this depth, may change a predicate's value.
    pub(super) changes: FxHashMap<(PredId, Block, u32), bool>,
    /// The predicates that count in a block and that it does not leave alone, for a generation of the precision.
    pub(super) relevant: FxHashMap<Block, (u64, Arc<BTreeSet<PredId>>)>,
    /// The symbols that the edges of a block, or of a function that it runs, use.
    pub(super) used: FxHashMap<Block, Arc<Used>>,
    /// The predicates at a location, for a generation of the precision.
    at: FxHashMap<(NodeId, StackId), (u64, PredSetId)>,
    /// Reduced precisions: what counts in some functions.
    precisions: FxHashMap<Vec<u64>, u64>,
    /// The reduced precision of a block, for a generation of the precision and of the operators' values.
    of_block: FxHashMap<Block, ((u64, u64), u64)>,
    /// The abstractions that stand for a way through a block.
    pub(super) crossings: FxHashMap<AbsId, Crossing>,
    /// The abstractions on flat error paths, with the call stack of the block to which their predicates are relative.
    pub(super) flat: FxHashMap<AbsId, StackId>,
    /// Blocks in other frames.
    pub(super) moved: FxHashMap<(BlockId, StackId), BlockId>,
}

/// A way through a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Crossing {
    /// The last abstraction on the way inside.
    pub inner: AbsId,
    /// The steps behind it; none if it is the exit.
    pub rest: BlockId,
}

/// A change between the view of a block and that of its caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum View {
    /// From the caller's to that of the block, which is called in this frame.
    Reduced(FrameName),
    /// Back.
    Expanded(FrameName),
}

impl View {
    /// The depth of a frame in the new view, if it is seen there.
    fn depth(self, frame: FrameName) -> Option<u32> {
        match self {
            View::Reduced((func, _)) if planted("reduce-confuses-frames") => (frame.0 == func).then_some(0),
            View::Reduced(called) => (frame == called).then_some(0),
            View::Expanded((func, depth)) => (frame == (func, 0)).then_some(depth),
        }
    }
}

impl Relative {
    /// Nothing is known yet.
    pub fn new(program: &Program, blocks: ProgramBlocks) -> Relative {
        let plain = program.vars.iter().filter(|variable| !variable.in_memory);
        let locals = plain.filter_map(|variable| Some((variable.name.clone(), variable.func?)));
        Relative {
            blocks,
            locals: locals.collect(),
            views: FxHashMap::default(),
            changes: FxHashMap::default(),
            relevant: FxHashMap::default(),
            used: FxHashMap::default(),
            at: FxHashMap::default(),
            precisions: FxHashMap::default(),
            of_block: FxHashMap::default(),
            crossings: FxHashMap::default(),
            flat: FxHashMap::default(),
            moved: FxHashMap::default(),
        }
    }

    /// Whether an abstraction is needed behind a step, because a block begins or ends there.
    pub fn bounds(&self, program: &Program, node: NodeId, step: Step) -> bool {
        let func = program.node(node).func;
        let ends = self.blocks.contains(func) && program.function(func).exit == node;
        let enters = matches!(step, Step::Enter(_));
        let begins = enters && is_call(program, step.edge()).is_some_and(|callee| self.blocks.contains(callee));
        let leaves = !enters && self.blocks.leaves_loop(step.edge());
        ends || begins || leaves
    }

    /// The frame of a symbol, and its name in a first frame; `None` for symbols of no frame.
    pub fn frame<'n>(&self, name: &'n str) -> Option<(FrameName, &'n str)> {
        let (whole, depth) = match name.rsplit_once('#') {
            Some((whole, depth)) => (whole, depth.parse().ok()?),
            None => (name, 0),
        };
        let mut variable = whole;
        loop {
            if let Some(&func) = self.locals.get(variable) {
                return Some(((func, depth), whole));
            }
            // A member of a variable.
            variable = variable.rsplit_once('.')?.0;
        }
    }
}

/// The name of a symbol in a frame, from that in a first one.
pub(super) fn at_depth(name: &str, depth: u32) -> String {
    match depth {
        0 => name.to_string(),
        _ => format!("{name}#{depth}"),
    }
}

impl Predicates<'_> {
    /// From now on blocks are explored for themselves.
    pub fn explore_blocks(&mut self, program: &Program, blocks: ProgramBlocks) {
        assert!(
            self.encoder.frame_offsets().next().is_none() || self.encoder.moves_frames(),
            "a block holds for all frames of its function"
        );
        let mut relative = Relative::new(program, blocks);
        let offsets = self
            .encoder
            .frame_offsets()
            .map(|(func, name)| (name.to_string(), func));
        relative.locals.extend(offsets);
        self.relative = Some(relative);
    }

    pub(super) fn relative(&mut self) -> &mut Relative {
        self.relative
            .as_mut()
            .expect("there are blocks only if somebody wants them")
    }

    pub(super) fn add_record(&mut self, record: AbsRecord) -> AbsId {
        let abs = AbsId(u32::try_from(self.records.len()).expect("fewer than 2^32 abstractions"));
        self.records.push(record);
        abs
    }

    /// The names in a term, each once.
    pub(super) fn names(&self, term: TermId) -> Vec<SymbolId> {
        let mut names: Vec<SymbolId> = self.pool.symbols(term).iter().map(|symbol| symbol.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// A term with the symbols of frames in other frames; `None` if some frame has no counterpart.
    fn reframed(&mut self, term: TermId, to: &dyn Fn(FrameName) -> Option<u32>) -> Option<TermId> {
        let mut renamed: FxHashMap<SymbolId, SymbolId> = FxHashMap::default();
        for name in self.names(term) {
            let text = self.pool.name(name).to_string();
            let relative = self
                .relative
                .as_ref()
                .expect("there are blocks only if somebody wants them");
            let Some((frame, first)) = relative.frame(&text) else {
                continue;
            };
            let new = at_depth(first, to(frame)?);
            if new != text {
                renamed.insert(name, self.pool.symbol(&new));
            }
        }
        if renamed.is_empty() {
            return Some(term);
        }
        Some(self.pool.map_symbols(term, &mut |symbol: Symbol| Symbol {
            name: renamed.get(&symbol.name).copied().unwrap_or(symbol.name),
            ..symbol
        }))
    }

    /// The predicates that count at a state.
    pub(super) fn predicates_at(&mut self, context: &Context<'_>, control: Control) -> PredSetId {
        let Control { node, stack, .. } = control;
        let Some(relative) = &self.relative else {
            return self.precision.at(context.program, &context.stacks, node, stack);
        };
        let generation = self.precision.generation();
        if let Some(&(known, set)) = relative.at.get(&(node, stack))
            && known == generation
        {
            return set;
        }
        let (top, depth) = (context.stacks.function(stack), context.stacks.depth(stack));
        let mut preds = BTreeSet::new();
        let explored = context.stacks.explored_below(stack);
        let relevant = explored.and_then(|block| self.relevant(context.program, block));
        for pred in self.precision.in_scope_at(context.program, node) {
            if relevant.as_ref().is_some_and(|relevant| !relevant.contains(&pred)) {
                continue;
            }
            let term = self.precision.term(pred);
            if self.is_seen(&context.stacks, stack, term) {
                preds.insert(pred);
            }
            if depth == 0 {
                continue;
            }
            // A predicate that was found in a first frame counts for the frame of the call too.
            let to_call = |(func, at): FrameName| match func == top && at == 0 {
                true => Some(depth),
                false => None,
            };
            if let Some(moved) = self.reframed(term, &to_call)
                && let Some(pred) = self.precision.number(context.program, &self.pool, moved)
            {
                preds.insert(pred);
            }
        }
        let preds: Vec<PredId> = preds.into_iter().collect();
        let set = self.precision.intern(&preds);
        self.relative().at.insert((node, stack), (generation, set));
        set
    }

    /// Whether all frames of a term are on a call stack.
    fn is_seen(&self, stacks: &Stacks, stack: StackId, term: TermId) -> bool {
        let relative = self
            .relative
            .as_ref()
            .expect("there are blocks only if somebody wants them");
        self.names(term).into_iter().all(|name| {
            let frame = relative.frame(self.pool.name(name));
            frame.is_none_or(|((func, depth), _)| depth < stacks.count(stack, func))
        })
    }

    /// The operator `reduce`.
    pub(super) fn reduced(
        &mut self,
        context: &Context<'_>,
        block: Block,
        entry: Control,
        state: &PredState,
    ) -> PredState {
        assert!(
            state.phase == Phase::Abstracted,
            "a block begins where the region is known"
        );
        let func = context.stacks.function(entry.stack);
        let depth = context.stacks.depth(entry.stack);
        assert!(
            depth == 0 || matches!(block, Block::Function(func) if context.program.function(func).recursive),
            "the functions of a recursion are blocks, with one frame each"
        );
        let region = self.record(state.abs).region;
        let aside = self.untouched_by(context.program, block, region);
        let region = self.regions.exists(region, &aside);
        let region = self.viewed(context.program, region, View::Reduced((func, depth)));
        let base = context.stacks.base(block).expect("every block has its stack");
        let next = AbsId(u32::try_from(self.records.len()).expect("fewer than 2^32 abstractions"));
        let abs = self.add_record(AbsRecord {
            before: next,
            block: Blocks::EMPTY,
            region,
            control: Control { stack: base, ..entry },
        });
        PredState {
            abs,
            block: Blocks::EMPTY,
            phase: Phase::Abstracted,
        }
    }

    /// The region behind a block, or in a loop that is one, from the regions at its entry and at a place that the exploration of the block came to.
    pub fn expanded_region(
        &mut self,
        context: &Context<'_>,
        block: Block,
        outer: StackId,
        (before, after): (RegionId, RegionId),
    ) -> RegionId {
        let func = context.stacks.function(outer);
        let depth = context.stacks.depth(outer);
        let mut changed = self.regions.support(before).to_vec();
        changed.retain(|&pred| self.is_changed(context.program, block, depth, pred));
        if planted("expand-keeps-changed") {
            changed.clear();
        }
        let kept = self.regions.exists(before, &changed);
        let after = match block {
            Block::Function(_) => self.viewed(context.program, after, View::Expanded((func, depth))),
            // All its frames have the numbers that they have outside.
            Block::Loop(_) => after,
        };
        self.regions.and(kept, after)
    }

    /// The operator `expand`.
    pub(super) fn expanded(
        &mut self,
        context: &Context<'_>,
        block: Block,
        entry: &PredState,
        (control, exit): (Control, &PredState),
    ) -> PredState {
        assert!(
            exit.phase == Phase::Abstracted,
            "a block ends where the region is known"
        );
        let AbsRecord {
            region: before,
            control: outer,
            ..
        } = *self.record(entry.abs);
        let after = self.record(exit.abs).region;
        let region = self.expanded_region(context, block, outer.stack, (before, after));
        let abs = self.add_record(AbsRecord {
            before: entry.abs,
            block: Blocks::EMPTY,
            region,
            control: Control {
                stack: outer.stack,
                ..control
            },
        });
        let crossing = Crossing {
            inner: exit.abs,
            rest: Blocks::EMPTY,
        };
        self.relative().crossings.insert(abs, crossing);
        PredState {
            abs,
            block: Blocks::EMPTY,
            phase: Phase::Abstracted,
        }
    }

    /// The target state at the entry of a block that stands for one inside.
    pub(super) fn carried(&mut self, entry: &PredState, (control, target): (Control, &PredState)) -> PredState {
        let AbsRecord { control: outer, .. } = *self.record(entry.abs);
        let abs = self.add_record(AbsRecord {
            before: entry.abs,
            block: Blocks::EMPTY,
            region: self.regions.top(),
            control: Control {
                stack: outer.stack,
                ..control
            },
        });
        let crossing = Crossing {
            inner: target.abs,
            rest: target.block,
        };
        self.relative().crossings.insert(abs, crossing);
        PredState {
            abs,
            block: Blocks::EMPTY,
            phase: target.phase,
        }
    }

    /// A predicate in another view; `None` if it has symbols that are not seen there.
    fn predicate_in(&mut self, program: &Program, pred: PredId, view: View) -> Option<PredId> {
        if let Some(&known) = self.relative().views.get(&(pred, view)) {
            return known;
        }
        let term = self.reframed(self.precision.term(pred), &|frame| view.depth(frame));
        let new = term.and_then(|term| self.precision.number(program, &self.pool, term));
        self.relative().views.insert((pred, view), new);
        new
    }

    /// A region in another view; predicates that are not seen there are quantified.
    fn viewed(&mut self, program: &Program, region: RegionId, view: View) -> RegionId {
        let mut lost = Vec::new();
        let mut names: BTreeMap<PredId, PredId> = BTreeMap::new();
        for pred in self.regions.support(region).to_vec() {
            match self.predicate_in(program, pred, view) {
                Some(new) => drop(names.insert(pred, new)),
                None => lost.push(pred),
            }
        }
        let region = self.regions.exists(region, &lost);
        if names.iter().all(|(old, new)| old == new) {
            return region;
        }
        let mut built: Vec<RegionId> = Vec::new();
        for decision in self.regions.decisions(region) {
            let new = match decision {
                Decision::False => self.regions.bottom(),
                Decision::True => self.regions.top(),
                Decision::Branch(pred, low, high) => {
                    let mut literal = |value| self.regions.union_of_cubes(&[vec![(names[&pred], value)]]);
                    let (yes, no) = (literal(true), literal(false));
                    let (high, low) = (built[high], built[low]);
                    let (with, without) = (self.regions.and(yes, high), self.regions.and(no, low));
                    self.regions.or(with, without)
                }
            };
            built.push(new);
        }
        *built.last().expect("a decision diagram has a root")
    }

    /// The reduced precision of a block as a number: what counts where its exploration comes to, its exits among these places.
    pub(super) fn reduced_precision(&mut self, program: &Program, block: Block) -> u64 {
        let now = (self.precision.generation(), self.lessons);
        if let Some(&(then, known)) = self.relative().of_block.get(&block)
            && then == now
        {
            return known;
        }
        let relevant = self.relevant(program, block);
        let is_relevant = |pred: PredId| relevant.as_ref().is_none_or(|relevant| relevant.contains(&pred));
        let mut parts = self
            .precision
            .parts(|scope| self.counts_in(program, block, scope), is_relevant);
        parts.push(self.lessons);
        let relative = self.relative();
        let fresh = u64::try_from(relative.precisions.len()).expect("fewer than 2^64 precisions");
        let number = *relative.precisions.entry(parts).or_insert(fresh);
        relative.of_block.insert(block, (now, number));
        number
    }

    /// Whether predicates of a scope count somewhere in the exploration of a block.
    pub(super) fn counts_in(&self, program: &Program, block: Block, scope: &PredicateScope) -> bool {
        let relative = self
            .relative
            .as_ref()
            .expect("there are blocks only if somebody wants them");
        match *scope {
            PredicateScope::Global => true,
            PredicateScope::Function(func) => relative.blocks.is_about(block, func),
            PredicateScope::Location(node) => {
                let is_overlooked = |head| planted("loop-exit-precision") && !relative.blocks.is_in_loop(head, node);
                relative.blocks.reaches(program, block, node)
                    && !matches!(block, Block::Loop(head) if is_overlooked(head))
            }
        }
    }
}
