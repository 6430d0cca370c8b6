//! The symbols that a block reads and those that it may change.
//!
//! They are asked of the encoder: a block reads what occurs in the formulas of its edges, and changes the symbols of which these make new versions; and so do the functions that it may run. Variables of frames
//! below are changed by their own functions only, so that they keep their values, unless another function writes them (a nested one may).
//!
//! A block *leaves alone* the symbols that it neither reads nor changes, directly or through predicates that count in it. Its exploration does not depend on them, so one is enough for all their values, and it goes on
//! being enough when predicates are found that are about nothing else.

use super::frame::untouched;
use super::reduction::at_depth;
use super::region::{PredId, RegionId, Regions};
use super::{AbsRecord, PredState, Predicates};
use crate::cfa::{EdgeId, FuncId, Program, Step, is_call};
use crate::cpa::callstack::Block;
use crate::encode::Frame;
use provident_smt::fault::planted;
use provident_smt::term::{SymbolId, TermId, TermPool};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most cases of a state at the entry of a block. Beyond them, what the block leaves alone loses its relation with what it does not.
const MAX_CASES: usize = 64;

/// The names of the symbols that some edges use, of first frames.
#[derive(Debug, Default)]
pub(super) struct Used {
    /// Written by the edges themselves, and by returns to them.
    here: BTreeSet<String>,
    /// Written by their calls, without variables of the callee's new frame.
    calls: BTreeSet<String>,
    /// Read.
    read: BTreeSet<String>,
}

impl Used {
    fn all(&self) -> impl Iterator<Item = &String> {
        self.here.iter().chain(&self.calls).chain(&self.read)
    }
}

impl Predicates<'_> {
    /// Whether a block, entered in a frame of this depth, may change the value of a predicate.
    pub(super) fn is_changed(&mut self, program: &Program, block: Block, depth: u32, pred: PredId) -> bool {
        let key = (pred, block, depth);
        if let Some(&known) = self.relative().changes.get(&key) {
            return known;
        }
        let names = self.names(self.precision.term(pred));
        let is_changed = names
            .into_iter()
            .any(|name| self.may_change(program, block, depth, name));
        self.relative().changes.insert(key, is_changed);
        is_changed
    }

    /// Whether a block, entered in a frame of this depth, may change a symbol.
    fn may_change(&mut self, program: &Program, block: Block, depth: u32, name: SymbolId) -> bool {
        let text = self.pool.name(name).to_string();
        let frame = self
            .relative()
            .frame(&text)
            .map(|(frame, first)| (frame, first.to_string()));
        let own = match block {
            Block::Function(func) => func,
            Block::Loop(head) => program.node(head).func,
        };
        let writes = |used: &Used, func: FuncId, is_own: bool| match &frame {
            None => used.here.contains(&text) || used.calls.contains(&text),
            // Deeper frames of its own function have other variables.
            Some((owner, first)) if owner.0 == func => is_own && *owner == (own, depth) && used.here.contains(first),
            Some((_, first)) => used.here.contains(first),
        };
        let used = self.used(program, block);
        if writes(&used, own, true) {
            return true;
        }
        self.called(block).into_iter().any(|func| {
            let used = self.used(program, Block::Function(func));
            writes(&used, func, false)
        })
    }

    /// The functions that a block may run besides its own edges.
    fn called(&mut self, block: Block) -> Vec<FuncId> {
        let within = self.relative().blocks.within(block);
        match block {
            Block::Function(_) => within[1..].to_vec(),
            Block::Loop(_) => within.to_vec(),
        }
    }

    /// The symbols that the edges of a function or a loop use.
    fn used(&mut self, program: &Program, block: Block) -> Arc<Used> {
        if let Some(known) = self.relative().used.get(&block) {
            return Arc::clone(known);
        }
        let edges: Vec<EdgeId> = match block {
            Block::Function(func) => {
                let is_own = |edge: &EdgeId| program.node(program.edge(*edge).from).func == func;
                program.edge_ids().filter(is_own).collect()
            }
            Block::Loop(head) => {
                let known = self.relative().blocks.loop_at(head).expect("it is a block");
                known.edges().collect()
            }
        };
        // Nothing of this is part of a path: its formulas and assumptions are forgotten.
        let mut pool = TermPool::new();
        let mut encoder = self.encoder.clone();
        let empty = encoder.empty(&pool);
        let mut used = Used::default();
        let frame = Frame { caller: 0, callee: 0 };
        let relative = self
            .relative
            .as_ref()
            .expect("there are blocks only if somebody wants them");
        for edge in edges {
            let steps = match is_call(program, edge) {
                Some(_) => vec![Step::Enter(edge), Step::Leave(edge)],
                None => vec![Step::Edge(edge)],
            };
            for step in steps {
                let after = encoder.step(&mut pool, &empty, step, frame);
                let symbols = pool.symbols(after.formula);
                used.read
                    .extend(symbols.iter().map(|symbol| pool.name(symbol.name).to_string()));
                for (slot, _) in after.ssa.entries() {
                    let name = encoder.slot_name(slot);
                    match step {
                        Step::Enter(_) if relative.frame(&name).is_some() => {}
                        Step::Enter(_) => drop(used.calls.insert(name)),
                        _ if planted("loop-write-overlooked") && matches!(block, Block::Loop(_)) => {}
                        _ => drop(used.here.insert(name)),
                    }
                }
            }
        }
        let used = Arc::new(used);
        self.relative().used.insert(block, Arc::clone(&used));
        used
    }

    /// The names of the symbols that a block, with all that it may run, reads or changes; sorted.
    fn names_used(&mut self, program: &Program, block: Block) -> Vec<SymbolId> {
        let mut names: BTreeSet<SymbolId> = BTreeSet::new();
        let functions = self.called(block).into_iter().map(Block::Function);
        for part in [block].into_iter().chain(functions) {
            let used = self.used(program, part);
            for name in used.all() {
                names.insert(self.pool.symbol(name));
                // A recursive call has a second frame.
                let frame = self.relative().frame(name).map(|(frame, _)| frame);
                if frame.is_some_and(|(func, _)| program.function(func).recursive) {
                    names.insert(self.pool.symbol(&at_depth(name, 1)));
                }
            }
        }
        names.into_iter().collect()
    }

    /// Whether facts that a block leaves alone are set aside at its entry. In a recursion they have other names there than inside.
    fn sets_aside(program: &Program, block: Block) -> bool {
        match block {
            Block::Function(func) => !program.function(func).recursive,
            Block::Loop(_) => true,
        }
    }

    /// The predicates that count in a block and that it does not leave alone, for the present precision; `None` if nothing is set aside.
    ///
    /// The exploration says nothing about the others: they have no symbol in common with the block, nor, directly or not, with predicates that have one.
    pub(super) fn relevant(&mut self, program: &Program, block: Block) -> Option<Arc<BTreeSet<PredId>>> {
        if !Self::sets_aside(program, block) {
            return None;
        }
        let generation = self.precision.generation();
        if let Some((then, known)) = self.relative().relevant.get(&block)
            && *then == generation
        {
            return Some(Arc::clone(known));
        }
        let counting: BTreeSet<PredId> = self
            .precision
            .iter()
            .filter(|(scope, _)| self.counts_in(program, block, scope))
            .map(|(_, pred)| pred)
            .collect();
        let names = self.names_used(program, block);
        let known: Vec<(PredId, TermId)> = counting.iter().map(|&pred| (pred, self.precision.term(pred))).collect();
        let untouched = untouched(&self.pool, &names, &known, &[]);
        let relevant = counting
            .into_iter()
            .filter(|pred| untouched.binary_search(pred).is_err());
        let relevant: Arc<BTreeSet<PredId>> = Arc::new(relevant.collect());
        self.relative()
            .relevant
            .insert(block, (generation, Arc::clone(&relevant)));
        Some(relevant)
    }

    /// The predicates, of those on which a region at the entry of a block depends, that are set aside there.
    pub(super) fn untouched_by(&mut self, program: &Program, block: Block, region: RegionId) -> Vec<PredId> {
        let Some(relevant) = self.relevant(program, block) else {
            return Vec::new();
        };
        let names = self.names_used(program, block);
        let term = |&pred: &PredId| (pred, self.precision.term(pred));
        let known: Vec<(PredId, TermId)> = self.regions.support(region).iter().map(term).collect();
        let wanted: Vec<(PredId, TermId)> = relevant.iter().map(term).collect();
        untouched(&self.pool, &names, &known, &wanted)
    }

    /// See [`Domain::cases`](crate::cpa::composite::Domain::cases).
    pub(super) fn cases_of(&mut self, program: &Program, block: Block, state: &PredState) -> Vec<PredState> {
        let record = *self.record(state.abs);
        let untouched = self.untouched_by(program, block, record.region);
        debug_assert!(
            !untouched.iter().any(|&pred| self.is_changed(program, block, 0, pred)) || planted("untouched-writes"),
            "a block does not change what it leaves alone"
        );
        let parts = self.regions.split(record.region, &untouched, MAX_CASES);
        let parts = parts.filter(|parts| parts.len() > 1).unwrap_or_default();
        if parts.is_empty() {
            return vec![*state];
        }
        let mut cases = Vec::new();
        for (guard, rest) in parts {
            let region = self.regions.and(guard, rest);
            let abs = self.add_record(AbsRecord { region, ..record });
            cases.push(PredState { abs, ..*state });
        }
        cases
    }
}
