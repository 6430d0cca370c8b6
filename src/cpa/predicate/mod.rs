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
//! | [`abstraction`] | Boolean predicate abstraction of a formula |
//! | `block_abstraction` | the region after a block |
//! | `domain` | the operators of the domain |
//! | `effects` | the symbols that such a block reads and changes |
//! | [`reduction`] | reduced and expanded regions, for blocks that are explored for themselves |
//! | [`flat`] | error paths through such blocks as paths of the program |
//! | [`frame`] | the frame of a block: predicates that it carries over unchanged |

pub mod abstraction;
mod block_abstraction;
pub mod blocks;
mod domain;
mod effects;
pub mod flat;
pub mod frame;
pub mod guarded;
pub mod precision;
pub mod reduction;
pub mod region;

use super::automaton::ValuesId;
use super::callstack::Stacks;
use super::composite::{Context, Control, Domain};
use super::tracking::{PropertyId, TrackedId};
use super::{Adjusted, Status};
use crate::cfa::{NodeId, Program, Step, is_call};
use crate::encode::{Encoder, Frame, SsaMap};
use crate::query::effort::Effort;
use crate::query::points::Point;
use block_abstraction::{Division, Parts};
use blocks::{BlockId, Blocks};
use guarded::GuardedBlocks;
use precision::{Precision, PredSetId};
use provident_smt::fault::planted;
use provident_smt::hash::{FxHashMap, FxHashSet};
use provident_smt::proof::Part;
use provident_smt::solver::Answer;
use provident_smt::term::{SymbolId, TermId, TermPool};
use reduction::Relative;
use region::{BddRegions, Decision, RegionId, Regions};
use std::sync::Arc;

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
    /// Target states whose block the bits of its numbers refute.
    pub by_bits: u64,
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
    /// The ways to target states that nobody looks at any more, although the properties are still looked at.
    pub set_aside: FxHashSet<(AbsId, BlockId, PropertyId)>,
    settings: Settings,
    /// Whether target states count as reachable without a look at their last blocks.
    trusts_targets: bool,
    records: Vec<AbsRecord>,
    cache: FxHashMap<(RegionId, BlockId, PredSetId), Option<RegionId>>,
    /// Those for which the solver did not know everything.
    weak: FxHashMap<(RegionId, BlockId, PredSetId), (Option<RegionId>, Status)>,
    /// For a block and the predicates behind it, the regions before it whose images are known, the newest ones last.
    images: FxHashMap<(BlockId, PredSetId), Vec<(RegionId, RegionId)>>,
    /// Regions as formulas over symbols at the beginning of a block.
    region_terms: FxHashMap<RegionId, TermId>,
    /// The names in the formula of a block.
    touched: FxHashMap<BlockId, Arc<[SymbolId]>>,
    /// The division of predicates around a block, by the predicates on which the region before it depends and those behind it.
    divisions: FxHashMap<(PredSetId, BlockId, PredSetId), Arc<Division>>,
    /// The parts of regions, by the predicates of their guards.
    splits: FxHashMap<(RegionId, PredSetId), Option<Parts>>,
    /// The knowledge about functions that are explored for themselves, if any are.
    relative: Option<Relative>,
    /// How often exact values of operators were learned.
    lessons: u64,
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
            trusts_targets: false,
            records: vec![root],
            cache: FxHashMap::default(),
            weak: FxHashMap::default(),
            images: FxHashMap::default(),
            region_terms: FxHashMap::default(),
            touched: FxHashMap::default(),
            divisions: FxHashMap::default(),
            splits: FxHashMap::default(),
            relative: None,
            lessons: 0,
            set_aside: FxHashSet::default(),
        }
    }

    /// From now on target states count as reachable without a look at their last blocks: this analysis only keeps the path formulas for another one.
    pub fn trust_targets(&mut self) {
        self.trusts_targets = true;
    }

    /// From now on abstractions are Cartesian, or Boolean. Returns what they were.
    pub fn abstract_cartesian(&mut self, cartesian: bool) -> bool {
        std::mem::replace(&mut self.settings.cartesian, cartesian)
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

    /// All abstractions that were computed, the one at the program's start first.
    pub fn records(&self) -> &[AbsRecord] {
        &self.records
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
        // Where an exploration begins, the abstraction before is itself.
        while self.record(at).before != at {
            at = self.record(at).before;
            chain.push(at);
        }
        chain.reverse();
        chain
    }

    fn is_abstraction_point(&self, program: &Program, node: NodeId, step: Step) -> bool {
        if self
            .relative
            .as_ref()
            .is_some_and(|relative| relative.bounds(program, node, step))
        {
            return true;
        }
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

    /// Adds the precision of another analysis of the same program, and what its equations say modulo the words of this one.
    pub fn take_precision(&mut self, program: &Program, other: &mut Predicates<'_>) {
        let terms: Vec<TermId> = other
            .precision
            .iter()
            .map(|(_, pred)| other.precision.term(pred))
            .collect();
        let scopes: Vec<_> = other.precision.iter().map(|(scope, _)| scope).collect();
        let terms = self.pool.import(&other.pool.export(&terms));
        for (&scope, &term) in scopes.iter().zip(&terms) {
            self.precision.add(program, &self.pool, scope, term);
        }
        // The entries are in the order of their scopes.
        let mut begin = 0;
        for part in scopes.chunk_by(PartialEq::eq) {
            let here = &terms[begin..begin + part.len()];
            begin += part.len();
            for congruence in self.encoder.congruences(&mut self.pool, here) {
                self.precision.add(program, &self.pool, part[0], congruence);
            }
        }
        for scope in other.precision.contradictions() {
            self.precision.add_contradiction(scope);
        }
    }

    /// Learns exact values of non-linear operators. Returns how many were new.
    pub fn learn(&mut self, points: &[Point]) -> usize {
        let new = self.blocks.learn(points.iter().cloned());
        if new > 0 {
            self.lessons += 1;
            self.guarded.learn();
            self.cache.clear();
            self.weak.clear();
            self.images.clear();
            self.touched.clear();
            self.divisions.clear();
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
            self.effort.charge(&solver);
            if answer != Answer::Sat {
                return None;
            }
            let model = solver.model(&self.pool);
            let chosen = self.blocks.choose_path(&self.encoder, &mut self.pool, &[block], &model);
            singles.push(self.blocks.single(&mut self.encoder, &mut self.pool, &chosen.steps));
        }
        Some(singles)
    }
}
