//! Predicate abstraction with adjustable-block encoding (Beyer, Keremoglu, Wendler, FMCAD 2010).
//!
//! Between abstraction points a state carries the formula of the *block* since the last abstraction; paths of one block that meet are merged
//! into a disjunction. At an abstraction point the block is abstracted to a region over the predicates of the
//! [`precision`] there. Where a block is unsatisfiable after the region at its beginning, the state is dropped.
//!
//! # Costs
//!
//! * Blocks are [interned](self::blocks): exploring the same code again, after a refinement or from another region, encodes nothing.
//! * Predicates that a block does not [touch](self::frame) are carried over without the solver.
//! * Abstractions are cached by region, block and set of predicates. A refinement that adds predicates elsewhere changes nothing here.
//! * Under an empty precision, the solver only decides whether target states are reachable by their last block.
//! * A state at an abstraction point waits until all paths of its block have arrived (see [`location`](super::location)): one
//!   abstraction per block and location.
//!
//! # Ranges
//!
//! The encoder relies on it that every object is in the range of its type. No formula states this at the beginning of a block. Therefore a block's formula is
//! strengthened by the ranges of the symbols that it reads at its beginning. These ranges are an invariant of all states.
//!
//! | module | does |
//! |---|---|
//! | [`blocks`] | interned block formulas with the way back to the steps |
//! | [`guarded`] | blocks whose assumptions can be switched off |
//! | [`region`] | sets of predicate valuations: BDDs |
//! | [`precision`] | which predicates count where |
//! | [`abstraction`] | Boolean predicate abstraction of a block |
//! | `domain` | the operators of the domain |
//! | [`frame`] | the frame of a block: predicates that it carries over unchanged |

pub mod abstraction;
pub mod blocks;
mod domain;
pub mod frame;
pub mod guarded;
pub mod precision;
pub mod region;

use super::automaton::ValuesId;
use super::callstack::Stacks;
use super::composite::{Context, Control, Domain};
use super::tracking::TrackedId;
use super::{Adjusted, Status};
use crate::cfa::{NodeId, Program, Step, is_call};
use crate::encode::{Encoder, Frame, SsaMap};
use crate::query::checks;
use crate::query::effort::Effort;
use crate::query::points;
use crate::query::points::Point;
use abstraction::{Abstraction, abstract_formula};
use blocks::{BlockId, Blocks};
use frame::{touched_names, untouched};
use guarded::GuardedBlocks;
use precision::{Precision, PredSetId};
use provident_smt::fault::planted;
use provident_smt::hash::FxHashMap;
use provident_smt::products::Product;
use provident_smt::proof::Part;
use provident_smt::solver::Answer;
use provident_smt::term::{SymbolId, Term, TermId, TermPool};
use region::{BddRegions, Decision, PredId, PredProduct, RegionId, Regions};
use std::sync::Arc;

/// The most parts into which a region is split by the predicates that a block does not touch.
const MAX_PARTS: usize = 64;

/// Sides of merges that are checked in a run.
const MAX_CHECKED_MERGES: u64 = 400;

/// How often the operators in one target block are corrected.
const MAX_CORRECTIONS: usize = 24;

/// Which locations are abstraction points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BlockMode {
    /// Loop heads (and entries of recursive functions, without which a block would never end).
    #[default]
    Loops,
    /// Also entries of functions and the locations behind calls.
    LoopsAndCalls,
    /// Every location.
    Single,
}

/// An abstraction that was computed on some path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbsId(u32);

impl AbsId {
    /// The abstraction at the program's start: everything.
    pub const ROOT: AbsId = AbsId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// An abstraction with the block and the region that it abstracts.
#[derive(Debug, Clone, Copy)]
pub struct AbsRecord {
    /// The abstraction at the beginning of the block (of the root: the root).
    pub before: AbsId,
    /// The block between.
    pub block: BlockId,
    /// The result.
    pub region: RegionId,
    /// Where it was computed.
    pub control: Control,
}

/// The data part of an abstract state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredState {
    /// The last abstraction.
    pub abs: AbsId,
    /// The block since then.
    pub block: BlockId,
    /// The state of the operator `prec`: still to do, or done.
    pub phase: Phase,
}

/// The relation of a state to abstraction points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Inside a block.
    Inside,
    /// At an abstraction point, not yet abstracted.
    Waiting,
    /// At an abstraction point, abstracted: the block is empty, `abs` is the state's own abstraction.
    Abstracted,
    /// A target state, not yet checked.
    Target,
    /// A target state that its last block can reach.
    ReachedTarget,
}

/// How the predicate analysis works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// Where blocks end.
    pub block: BlockMode,
    /// Cartesian instead of Boolean abstraction.
    pub cartesian: bool,
}

/// Counters of the predicate analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counters {
    /// Abstractions asked for.
    pub abstractions: u64,
    /// Abstractions answered from the cache.
    pub cached: u64,
    /// Abstractions that needed no solver because nothing is tracked.
    pub trivial: u64,
    /// Target states that the last block could not reach.
    pub refuted_targets: u64,
    /// States dropped because their block is unsatisfiable.
    pub dropped: u64,
}

/// The predicate analysis.
pub struct Predicates<'p> {
    /// Makes path formulas.
    pub encoder: Encoder<'p>,
    /// The terms of all formulas here.
    pub pool: TermPool,
    /// The blocks.
    pub blocks: Blocks,
    /// The blocks with guards.
    pub guarded: GuardedBlocks,
    /// The regions.
    pub regions: BddRegions,
    /// The precision.
    pub precision: Precision,
    /// The account of solver effort.
    pub effort: Effort,
    /// The counters.
    pub counters: Counters,
    settings: Settings,
    records: Vec<AbsRecord>,
    cache: FxHashMap<(RegionId, BlockId, PredSetId), Option<RegionId>>,
    /// Regions as formulas over symbols at the beginning of a block.
    region_terms: FxHashMap<RegionId, TermId>,
    /// The names in the formula of a block.
    touched: FxHashMap<BlockId, Arc<[SymbolId]>>,
}

impl<'p> Predicates<'p> {
    /// The analysis with empty precision.
    pub fn new(program: &'p Program, encoder: Encoder<'p>, settings: Settings, effort: Effort) -> Self {
        let mut pool = TermPool::new();
        let regions = BddRegions::new();
        let blocks = Blocks::new(&encoder, &mut pool);
        let start = Control {
            node: program.function(program.start).entry,
            stack: Stacks::new(program).bottom(),
            tracked: TrackedId::ALL,
            values: ValuesId::UNKNOWN,
            target: None,
        };
        let root = AbsRecord {
            before: AbsId::ROOT,
            block: Blocks::EMPTY,
            region: regions.top(),
            control: start,
        };
        Predicates {
            precision: Precision::new(program, regions.capacity()),
            encoder,
            pool,
            blocks,
            guarded: GuardedBlocks::default(),
            regions,
            effort,
            counters: Counters::default(),
            settings,
            records: vec![root],
            cache: FxHashMap::default(),
            region_terms: FxHashMap::default(),
            touched: FxHashMap::default(),
        }
    }

    /// The state at the program's start.
    pub fn initial(&self) -> PredState {
        PredState {
            abs: AbsId::ROOT,
            block: Blocks::EMPTY,
            phase: Phase::Abstracted,
        }
    }

    /// An abstraction.
    pub fn record(&self, abs: AbsId) -> &AbsRecord {
        &self.records[abs.index()]
    }

    /// The state as it was before `prec` saw it.
    pub fn reset(&self, state: &PredState) -> PredState {
        match state.phase {
            Phase::Abstracted if state.abs != AbsId::ROOT => {
                let record = self.record(state.abs);
                PredState {
                    abs: record.before,
                    block: record.block,
                    phase: Phase::Waiting,
                }
            }
            Phase::ReachedTarget => PredState {
                phase: Phase::Target,
                ..*state
            },
            _ => *state,
        }
    }

    /// The abstractions on the way to one, from the root to it.
    pub fn ancestors(&self, abs: AbsId) -> Vec<AbsId> {
        let mut chain = vec![abs];
        let mut at = abs;
        while at != AbsId::ROOT {
            at = self.record(at).before;
            chain.push(at);
        }
        chain.reverse();
        chain
    }

    fn is_abstraction_point(&self, program: &Program, node: NodeId, step: Step) -> bool {
        let enters = matches!(step, Step::Enter(_));
        let always = program.node(node).loop_head
            || enters && is_call(program, step.edge()).is_some_and(|f| program.function(f).recursive);
        match self.settings.block {
            BlockMode::Loops => always,
            BlockMode::LoopsAndCalls => always || enters || matches!(step, Step::Leave(_)),
            BlockMode::Single => true,
        }
    }

    /// A region as a formula over symbols without version.
    pub fn region_formula(&mut self, region: RegionId) -> TermId {
        let mut terms: Vec<TermId> = Vec::new();
        for decision in self.regions.decisions(region) {
            let pool = &mut self.pool;
            let term = match decision {
                Decision::False => pool.mk_false(),
                Decision::True => pool.mk_true(),
                Decision::Branch(pred, low, high) => {
                    let p = self.precision.term(pred);
                    let not_p = pool.not(p);
                    match (terms[low] == pool.mk_false(), terms[high] == pool.mk_false()) {
                        (true, _) => pool.and2(p, terms[high]),
                        (_, true) => pool.and2(not_p, terms[low]),
                        _ => {
                            let with = pool.and2(p, terms[high]);
                            let without = pool.and2(not_p, terms[low]);
                            pool.or2(with, without)
                        }
                    }
                }
            };
            terms.push(term);
        }
        *terms.last().expect("a decision diagram has a root")
    }

    fn region_at_start(&mut self, region: RegionId) -> TermId {
        if let Some(&term) = self.region_terms.get(&region) {
            return term;
        }
        let formula = self.region_formula(region);
        let term = self.encoder.instantiate(&mut self.pool, formula, &SsaMap::default());
        self.region_terms.insert(region, term);
        term
    }

    /// Adds the precision of another analysis of the same program.
    pub fn take_precision(&mut self, program: &Program, other: &mut Predicates<'_>) {
        let terms: Vec<TermId> = other
            .precision
            .iter()
            .map(|(_, pred)| other.precision.term(pred))
            .collect();
        let scopes: Vec<_> = other.precision.iter().map(|(scope, _)| scope).collect();
        let terms = self.pool.import(&other.pool.export(&terms));
        for (scope, term) in scopes.into_iter().zip(terms) {
            self.precision.add(program, &self.pool, scope, term);
        }
        for scope in other.precision.contradictions() {
            self.precision.add_contradiction(scope);
        }
    }

    /// Learns exact values of non-linear operators. Returns how many were new.
    pub fn learn(&mut self, points: &[Point]) -> usize {
        let new = self.blocks.learn(points.iter().cloned());
        if new > 0 {
            self.guarded.learn();
            self.cache.clear();
            self.touched.clear();
        }
        new
    }

    /// One path through each block of a chain that the abstraction does not rule out: it leads from a state in the region before the
    /// block into the region behind it. `None` where the solver finds none.
    pub fn abstract_paths(&mut self, blocks: &[BlockId], boundaries: &[AbsId]) -> Option<Vec<BlockId>> {
        let befores = [AbsId::ROOT].into_iter().chain(boundaries.iter().copied());
        let afters = boundaries
            .iter()
            .map(|&abs| Some(self.record(abs).region))
            .chain([None])
            .collect::<Vec<_>>();
        let mut singles = Vec::new();
        for ((&block, before), after) in blocks.iter().zip(befores).zip(afters) {
            let start = self.record(before).region;
            let formula = self.block_formula(start, block);
            let after = match after {
                Some(region) => {
                    let region = self.region_formula(region);
                    self.encoder
                        .instantiate(&mut self.pool, region, &self.blocks.formula(block).ssa)
                }
                None => self.pool.mk_true(),
            };
            let mut solver = self.effort.solver();
            solver.assert(&mut self.pool, formula, Part(0));
            solver.assert(&mut self.pool, after, Part(0));
            let answer = solver.check(&mut self.pool, &[]);
            self.effort.book(&solver);
            if answer != Answer::Sat {
                return None;
            }
            let model = solver.model(&self.pool);
            let chosen = self.blocks.choose_path(&self.encoder, &mut self.pool, &[block], &model);
            singles.push(self.blocks.single(&mut self.encoder, &mut self.pool, &chosen.steps));
        }
        Some(singles)
    }

    /// The formula of a block that begins in a region.
    fn block_formula(&mut self, region: RegionId, block: BlockId) -> TermId {
        let before = self.region_at_start(region);
        let bounds = self.blocks.bounds(&self.encoder, &mut self.pool, block);
        let formula = self.blocks.formula(block).formula;
        self.pool.and(&[before, bounds, formula])
    }

    /// The region after a block; `None` if it is empty.
    ///
    /// If no predicate is tracked, not even `false`, everything counts as reachable.
    fn abstraction(
        &mut self,
        program: &Program,
        node: NodeId,
        (abs, block): (AbsId, BlockId),
        set: PredSetId,
    ) -> (Option<RegionId>, Status) {
        self.counters.abstractions += 1;
        let is_tracked = !self.precision.set(set).is_empty() || self.precision.asks_for_contradiction(program, node);
        if !is_tracked && self.blocks.formula(block).formula != self.pool.mk_false() {
            self.counters.trivial += 1;
            return (Some(self.regions.top()), Status::GOOD);
        }
        let before = self.record(abs).region;
        let start = if planted("stale-cache") {
            self.regions.top()
        } else {
            before
        };
        let key = (start, block, set);
        if let Some(&known) = self.cache.get(&key) {
            self.counters.cached += 1;
            return (known, Status::GOOD);
        }
        let preds = self.precision.set(set).to_vec();
        let (region, status) = self.strongest(before, block, &preds);
        self.check_abstraction(before, block, region);
        if status.precise {
            self.cache.insert(key, region);
        }
        (region, status)
    }

    /// The strongest region over the predicates after a block that begins in a region; `None` if it is empty. Splits off what the block does
    /// not [touch](self::frame).
    fn strongest(&mut self, before: RegionId, block: BlockId, preds: &[PredId]) -> (Option<RegionId>, Status) {
        let kept = self.untouched(before, block, preds);
        if kept.is_empty() {
            return self.enumerate(before, block, preds);
        }
        let asked: Vec<PredId> = preds
            .iter()
            .copied()
            .filter(|p| kept.binary_search(p).is_err())
            .collect();
        let dropped: Vec<PredId> = kept.iter().copied().filter(|p| !preds.contains(p)).collect();
        let kept: Vec<PredId> = kept.into_iter().filter(|p| preds.contains(p)).collect();
        let before = self.regions.exists(before, &dropped);
        let parts = match self.settings.cartesian {
            true => None,
            false => self.regions.split(before, &kept, MAX_PARTS),
        };
        let Some(parts) = parts else {
            return self.enumerate(before, block, preds);
        };
        let (mut union, mut status) = (self.regions.bottom(), Status::GOOD);
        for (guard, rest) in parts {
            let key = (rest, block, self.precision.intern(&asked));
            let (region, part_status) = match self.cache.get(&key) {
                Some(&known) => (known, Status::GOOD),
                None => self.enumerate(rest, block, &asked),
            };
            if part_status.precise {
                self.cache.insert(key, region);
            }
            status = status.join(part_status);
            if let Some(region) = region {
                let part = self.regions.and(guard, region);
                union = match union != self.regions.bottom() && planted("group-conjunction") {
                    true => self.regions.and(union, part),
                    false => self.regions.or(union, part),
                };
            }
        }
        ((union != self.regions.bottom()).then_some(union), status)
    }

    /// The predicates, of those on which a region depends, whose values a block neither uses nor changes.
    fn untouched(&mut self, before: RegionId, block: BlockId, preds: &[PredId]) -> Vec<PredId> {
        let names = match self.touched.get(&block) {
            Some(names) => Arc::clone(names),
            None => {
                let bounds = self.blocks.bounds(&self.encoder, &mut self.pool, block);
                let formula = self.blocks.formula(block);
                let names = touched_names(&self.encoder, &mut self.pool, formula, bounds);
                let names: Arc<[SymbolId]> = names.into();
                self.touched.insert(block, Arc::clone(&names));
                names
            }
        };
        let term = |&p: &PredId| (p, self.precision.term(p));
        let known: Vec<_> = self.regions.support(before).iter().map(term).collect();
        let wanted: Vec<_> = preds.iter().map(term).collect();
        untouched(&self.pool, &names, &known, &wanted)
    }

    /// The strongest region over the predicates after a block, all asked of the solver.
    fn enumerate(&mut self, before: RegionId, block: BlockId, preds: &[PredId]) -> (Option<RegionId>, Status) {
        let formula = self.block_formula(before, block);
        let ssa = self.blocks.formula(block).ssa.clone();
        let instantiate = |&p: &PredId| self.encoder.instantiate(&mut self.pool, self.precision.term(p), &ssa);
        let literals: Vec<TermId> = preds.iter().map(instantiate).collect();
        let (abstraction, status) = abstract_formula(
            &mut self.pool,
            &mut self.effort,
            formula,
            &literals,
            self.settings.cartesian,
        );
        let region = match abstraction {
            Abstraction::Unsat => None,
            Abstraction::Groups(groups) => Some(self.conjunction(preds, &groups)),
        };
        (region, status)
    }

    fn conjunction(&mut self, preds: &[PredId], groups: &[Vec<Product>]) -> RegionId {
        let mut region = self.regions.top();
        let name = |cube: &Vec<(usize, bool)>| {
            let value = |value| value || planted("dropped-negation");
            cube.iter().map(|&(i, v)| (preds[i], value(v))).collect()
        };
        for products in groups {
            let kept = products.len() - usize::from(planted("dropped-product") && products.len() > 1);
            let products = &products[..kept];
            let named: Vec<PredProduct> = products
                .iter()
                .map(|product| product.iter().map(|factor| factor.iter().map(name).collect()).collect())
                .collect();
            let group = self.regions.union_of_products(&named);
            region = self.regions.and(region, group);
        }
        region
    }

    /// Under `--check`: that every state behind the block is in the region. This holds the enumeration, what was carried over around it, and the decision diagrams to
    /// the definition.
    fn check_abstraction(&mut self, before: RegionId, block: BlockId, region: Option<RegionId>) {
        if !self.effort.checks.enabled || region == Some(self.regions.top()) {
            return;
        }
        let formula = self.block_formula(before, block);
        let ssa = self.blocks.formula(block).ssa.clone();
        let after = match region {
            Some(region) => {
                let region = self.region_formula(region);
                self.encoder.instantiate(&mut self.pool, region, &ssa)
            }
            None => self.pool.mk_false(),
        };
        let outside = self.pool.not(after);
        let decided = checks::refuted(&mut self.pool, &mut self.effort, &[formula, outside], "abstraction");
        self.effort.checks.abstractions += u64::from(decided);
    }

    /// Under `--check`, for the first merges of a run: that each side, with its padding, implies the merged formula. Where a formula speaks of whole regions of memory it has no
    /// negation, and nothing is asked.
    fn check_merge(&mut self, merged: BlockId, sides: [BlockId; 2]) {
        if !self.effort.checks.enabled || self.effort.checks.merges >= MAX_CHECKED_MERGES || sides.contains(&merged) {
            return;
        }
        let whole = self.blocks.formula(merged).formula;
        let atoms = self.pool.atoms(whole);
        if atoms
            .iter()
            .any(|&atom| matches!(self.pool.term(atom), Term::Update { .. }))
        {
            return;
        }
        let outside = self.pool.not(whole);
        for side in sides {
            let (side, merged) = (self.blocks.formula(side), &self.blocks.formula(merged).ssa);
            let padded = self.encoder.padded(&mut self.pool, side, merged);
            let decided = checks::refuted(&mut self.pool, &mut self.effort, &[padded, outside], "merge");
            self.effort.checks.merges += u64::from(decided);
        }
    }

    /// Whether the block of a target state can reach it: whether its abstraction to no predicates is not empty.
    fn is_reachable(&mut self, state: &PredState) -> (bool, Status) {
        let key = (self.record(state.abs).region, state.block, self.precision.intern(&[]));
        if let Some(known) = self.cache.get(&key) {
            return (known.is_some(), Status::GOOD);
        }
        let (mut region, mut status) = self.strongest(key.0, key.1, &[]);
        // No refinement divides a single block: what its models get wrong has to be known here.
        for _ in 0..MAX_CORRECTIONS {
            if region.is_none() || state.abs != AbsId::ROOT || !self.correct(key.0, key.1) {
                break;
            }
            (region, status) = self.strongest(key.0, key.1, &[]);
        }
        self.check_abstraction(key.0, key.1, region);
        if status.precise {
            self.cache.insert(key, region);
        }
        (region.is_some(), status)
    }

    /// Learns what non-linear operators are where a model of the block gets them wrong. Whether there was something to learn.
    fn correct(&mut self, before: RegionId, block: BlockId) -> bool {
        let formula = self.block_formula(before, block);
        if !points::has_operators(&self.pool, formula) {
            return false;
        }
        let mut solver = self.effort.solver();
        solver.assert(&mut self.pool, formula, Part(0));
        let answer = solver.check(&mut self.pool, &[]);
        self.effort.book(&solver);
        if answer != Answer::Sat {
            return false;
        }
        let model = solver.model(&self.pool);
        let wrong = points::violated(&self.pool, &model, &[formula]);
        self.learn(&wrong) > 0
    }
}
