//! The transition relation of the whole program, and its unrollings.
//!
//! Interpolation-based model checking and k-induction are algorithms for transition systems. A program becomes one by the single-loop transformation (Beyer, Lee, Wendler, *Interpolation and SAT-based model
//! checking revisited*, Journal of Automated Reasoning 2024, after the large-block encoding of the program): a variable says at which location of the [graph](super::graph) an execution is, and one step takes any
//! block that begins there. Here that variable is a row of Boolean ones, so that replacing it by a location leaves nothing of it in a formula.
//!
//! Violations have a location of their own, at which an execution stays. So "after exactly k steps there" means "within k steps", and an interpolant that excludes it excludes all shorter ways as well.
//!
//! # Versions
//!
//! One step moves every symbol by the same number of versions, whichever block it takes: the most that one of them needs. Blocks that need fewer are padded as they are where paths merge. So a *cut* between two
//! steps has one version of each symbol.
//!
//! Variables of a function that has no frame at a location do not exist there. Their versions at the cut are any numbers: no interpolant there speaks of them, and no predicate may.
//!
//! # Pruning
//!
//! The locations at which an execution can be after i steps are known. A step has no blocks but those that begin there. So an interpolant says nothing of executions that are elsewhere: to the set of states that it stands for
//! belongs that they are at [one of these locations](Transition::within).

use super::graph::{BlockGraph, Location, ROOT};
use super::oracle::Oracle;
use crate::cfa::FuncId;
use crate::cpa::predicate::Predicates;
use crate::cpa::predicate::blocks::BlockId;
use crate::encode::{PathFormula, SlotId, SsaMap};
use provident_smt::hash::FxHashMap;
use provident_smt::model::Model;
use provident_smt::term::{NO_INDEX, Symbol, SymbolId, TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// Where a block of a transition leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    Location(Location),
    /// To a violation, by its position in [`BlockGraph::targets`].
    Violation(usize),
}

#[derive(Debug, Clone, Copy)]
struct Move {
    from: Location,
    aim: Aim,
    block: BlockId,
    /// From the versions of one cut to those of the next.
    formula: TermId,
}

/// The versions of a symbol in a step.
struct Versions {
    slot: SlotId,
    /// How many there are. It is one more than any block needs if the symbol does not exist at some location: then nothing defines the last one there.
    stride: u32,
    /// The functions whose frames it belongs to.
    frames: Vec<FuncId>,
}

impl Versions {
    /// Whether the symbol exists at a location.
    fn are_at(&self, graph: &BlockGraph, location: Location) -> bool {
        self.frames.iter().all(|frame| graph.frames[location].contains(frame))
    }
}

/// The versions of all symbols that some block changes.
fn versions(graph: &BlockGraph, oracle: &mut Oracle<'_, '_>, blocks: impl Iterator<Item = BlockId>) -> Vec<Versions> {
    let mut last: BTreeMap<SlotId, u32> = BTreeMap::new();
    for block in blocks {
        for (slot, index) in oracle.domain.blocks.formula(block).ssa.entries() {
            let known = last.entry(slot).or_insert(0);
            *known = index.max(*known);
        }
    }
    let Predicates {
        encoder,
        pool,
        precision,
        ..
    } = &mut *oracle.domain;
    let all = last.into_iter().map(|(slot, last)| {
        let name = pool.symbol(&encoder.slot_name(slot));
        let variable = pool.int_var(name, NO_INDEX);
        let mut versions = Versions {
            slot,
            stride: last,
            frames: precision.frames_of(oracle.program, pool, variable),
        };
        let is_everywhere = (0..graph.locations.len()).all(|location| versions.are_at(graph, location));
        versions.stride += u32::from(!is_everywhere);
        versions
    });
    all.collect()
}

/// The transition relation.
pub(super) struct Transition {
    moves: Vec<Move>,
    /// The Boolean variables that say where an execution is.
    place: Vec<SymbolId>,
    /// The place of violations: one more than there are locations.
    pub violation: Location,
    /// By how many versions a step moves each symbol.
    stride: FxHashMap<SymbolId, u32>,
}

impl Transition {
    pub fn new(graph: &BlockGraph, oracle: &mut Oracle<'_, '_>) -> Transition {
        let violation = graph.locations.len();
        let inner = graph
            .edges
            .iter()
            .map(|edge| (edge.from, Aim::Location(edge.to), edge.block));
        let last = graph.targets.iter().enumerate();
        let last = last.map(|(number, edge)| (edge.from, Aim::Violation(number), edge.block));
        let all: Vec<(Location, Aim, BlockId)> = inner.chain(last).collect();
        let versions = versions(graph, oracle, all.iter().map(|&(_, _, block)| block));
        let mut moves = Vec::new();
        for (from, aim, block) in all {
            let Predicates {
                blocks, encoder, pool, ..
            } = &mut *oracle.domain;
            let bounds = blocks.bounds(encoder, pool, block);
            let side: &PathFormula = blocks.formula(block);
            let formula = match aim {
                Aim::Location(to) => {
                    let alive = versions.iter().filter(|versions| versions.are_at(graph, to));
                    let ssa: SsaMap = alive.map(|versions| (versions.slot, versions.stride)).collect();
                    encoder.padded_to(pool, side, &ssa)
                }
                Aim::Violation(_) => side.formula,
            };
            moves.push(Move {
                from,
                aim,
                block,
                formula: pool.and2(bounds, formula),
            });
        }
        let Predicates { encoder, pool, .. } = &mut *oracle.domain;
        let bits = usize::BITS - violation.leading_zeros();
        Transition {
            moves,
            place: (0..bits).map(|bit| pool.symbol(&format!("__place.{bit}"))).collect(),
            violation,
            stride: versions
                .iter()
                .map(|versions| (pool.symbol(&encoder.slot_name(versions.slot)), versions.stride))
                .collect(),
        }
    }

    /// The formula that an execution is at a location, at the cut behind `step` steps; or without version.
    pub fn at(&self, pool: &mut TermPool, location: Location, cut: Option<u32>) -> TermId {
        let mut literals = Vec::new();
        for (bit, &name) in self.place.iter().enumerate() {
            let variable = pool.bool_var(name, cut.unwrap_or(NO_INDEX));
            literals.push(if location >> bit & 1 == 1 {
                variable
            } else {
                pool.not(variable)
            });
        }
        pool.and(&literals)
    }

    /// The formula without version that an execution is at one of these locations.
    pub fn within(&self, pool: &mut TermPool, locations: &BTreeSet<Location>) -> TermId {
        let places: Vec<TermId> = locations
            .iter()
            .map(|&location| self.at(pool, location, None))
            .collect();
        pool.or(&places)
    }

    /// The locations at which an execution can be behind each of the first steps of a start at these.
    pub fn layers(&self, start: &BTreeSet<Location>, steps: u32) -> Vec<BTreeSet<Location>> {
        let mut layers = vec![start.clone()];
        for _ in 0..steps {
            let last = &layers[layers.len() - 1];
            layers.push(self.behind(last));
        }
        layers
    }

    /// What a state formula says of a location.
    pub fn project(&self, pool: &mut TermPool, formula: TermId, location: Location) -> TermId {
        let mut values = FxHashMap::default();
        for (bit, &name) in self.place.iter().enumerate() {
            let variable = pool.bool_var(name, NO_INDEX);
            values.insert(variable, pool.mk_bool(location >> bit & 1 == 1));
        }
        pool.substitute(formula, &values)
    }

    /// A formula over the versions of the first cut, or over those from there to the next, at the cut behind `cut` steps.
    pub fn shift(&self, pool: &mut TermPool, formula: TermId, cut: u32) -> TermId {
        pool.map_symbols(formula, &mut |symbol: Symbol| {
            let stride = match self.place.contains(&symbol.name) {
                true => 1,
                false => self.stride.get(&symbol.name).copied().unwrap_or(0),
            };
            match symbol.index {
                NO_INDEX => symbol,
                index => Symbol {
                    index: index + stride * cut,
                    ..symbol
                },
            }
        })
    }

    /// The step from the cut behind `cut` steps to the next, for executions that are at one of these locations.
    pub fn step(&self, pool: &mut TermPool, from: &BTreeSet<Location>, cut: u32) -> TermId {
        let mut ways = Vec::new();
        for way in self.moves.iter().filter(|way| from.contains(&way.from)) {
            let to = match way.aim {
                Aim::Location(to) => to,
                Aim::Violation(_) => self.violation,
            };
            let parts = [
                self.at(pool, way.from, Some(cut)),
                self.shift(pool, way.formula, cut),
                self.at(pool, to, Some(cut + 1)),
            ];
            ways.push(pool.and(&parts));
        }
        if from.contains(&self.violation) {
            let parts = [cut, cut + 1].map(|cut| self.at(pool, self.violation, Some(cut)));
            ways.push(pool.and(&parts));
        }
        pool.or(&ways)
    }

    /// The locations at which an execution can be one step behind these.
    pub fn behind(&self, from: &BTreeSet<Location>) -> BTreeSet<Location> {
        let mut behind = BTreeSet::new();
        for way in self.moves.iter().filter(|way| from.contains(&way.from)) {
            behind.insert(match way.aim {
                Aim::Location(to) => to,
                Aim::Violation(_) => self.violation,
            });
        }
        if from.contains(&self.violation) {
            behind.insert(self.violation);
        }
        behind
    }

    /// The locations from which an execution can be at these one step later.
    pub fn before(&self, to: &BTreeSet<Location>) -> BTreeSet<Location> {
        let inner = (0..self.violation).filter(|&from| !self.behind(&BTreeSet::from([from])).is_disjoint(to));
        let all = inner.chain(to.contains(&self.violation).then_some(self.violation));
        all.collect()
    }

    /// The steps of an unrolling, from the first cut on.
    pub fn unroll(&self, pool: &mut TermPool, start: &BTreeSet<Location>, steps: u32) -> Vec<TermId> {
        let layers = self.layers(start, steps);
        (0..steps)
            .zip(&layers)
            .map(|(cut, layer)| self.step(pool, layer, cut))
            .collect()
    }

    /// That a violation is within some steps of the program's start: a formula for each step, and one for the violation.
    pub fn refutation(&self, pool: &mut TermPool, steps: u32) -> Vec<TermId> {
        let mut parts = self.unroll(pool, &BTreeSet::from([ROOT]), steps);
        let start = self.at(pool, ROOT, Some(0));
        parts[0] = pool.and2(start, parts[0]);
        parts.push(self.at(pool, self.violation, Some(steps)));
        parts
    }

    /// The blocks of the execution that a model of an unrolling takes from the program's start to a violation, and the violation.
    pub fn decode(&self, pool: &mut TermPool, model: &Model) -> Option<(Vec<BlockId>, usize)> {
        let (mut location, mut chain) = (ROOT, Vec::new());
        for cut in 0.. {
            let ways: Vec<Move> = self.moves.iter().copied().filter(|way| way.from == location).collect();
            let is_next = |pool: &mut TermPool, way: &Move| {
                let to = match way.aim {
                    Aim::Location(to) => to,
                    Aim::Violation(_) => self.violation,
                };
                let to = self.at(pool, to, Some(cut + 1));
                let formula = self.shift(pool, way.formula, cut);
                (model.eval_bool(pool, to), model.eval_bool(pool, formula))
            };
            let mut next: Vec<(bool, Move)> = Vec::new();
            for way in ways {
                let (leads_there, holds) = is_next(pool, &way);
                if leads_there {
                    next.push((holds, way));
                }
            }
            // Evaluation may be inexact where operators are not linear.
            let way = next.iter().find(|(holds, _)| *holds).or(next.first())?.1;
            chain.push(way.block);
            match way.aim {
                Aim::Violation(number) => return Some((chain, number)),
                Aim::Location(to) => location = to,
            }
        }
        None
    }
}
