//! The region after a block: from the caches, by parts that the block does not touch, or from the solver; and the checks of all these.

use super::abstraction::{Abstraction, abstract_formula};
use super::blocks::BlockId;
use super::frame::{touched_names, untouched};
use super::precision::PredSetId;
use super::region::{PredId, PredProduct, RegionId, Regions};
use super::{AbsId, PredState, Predicates};
use crate::cfa::{NodeId, Program};
use crate::cpa::Status;
use crate::query::bits::{self, Decision};
use crate::query::{checks, points};
use provident_smt::fault::planted;
use provident_smt::products::Product;
use provident_smt::proof::Part;
use provident_smt::solver::Answer;
use provident_smt::term::{SymbolId, Term, TermId};
use std::sync::Arc;

/// The most parts into which a region is split by the predicates that a block does not touch.
const MAX_PARTS: usize = 64;

/// Sides of merges that are checked in a run.
const MAX_CHECKED_MERGES: u64 = 400;

/// How often the operators in one target block are corrected.
const MAX_CORRECTIONS: usize = 24;

/// The most known images that are tried for a part of a region, and the most nodes that the rest's diagram may have more than the region's.
const MAX_KNOWN: usize = 16;
const MAX_MORE_NODES: usize = 64;

/// Guards over predicates that keep their values, each with the rest of the region there.
pub(super) type Parts = Arc<[(RegionId, RegionId)]>;

/// The division of the predicates for the abstraction of a block.
#[derive(Debug)]
pub(super) struct Division {
    /// Those that keep their values and are wanted behind the block, sorted.
    kept: Vec<PredId>,
    kept_set: PredSetId,
    /// Those that keep their values and are not wanted, sorted.
    dropped: Vec<PredId>,
    /// Those that the solver has to be asked for.
    asked: PredSetId,
}

impl Predicates<'_> {
    /// The formula of a block that begins in a region.
    pub(super) fn block_formula(&mut self, region: RegionId, block: BlockId) -> TermId {
        let before = self.region_at_start(region);
        let bounds = self.blocks.bounds(&self.encoder, &mut self.pool, block);
        let formula = self.blocks.formula(block).formula;
        self.pool.and(&[before, bounds, formula])
    }

    /// The region after a block; `None` if it is empty.
    ///
    /// If no predicate is tracked, not even `false`, everything counts as reachable.
    pub(super) fn abstraction(
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
        if let Some(&known) = self.weak.get(&key) {
            self.counters.cached += 1;
            return known;
        }
        let (region, status) = self.strongest(before, block, set);
        self.check_abstraction(before, block, region);
        if status.precise {
            self.cache.insert(key, region);
        } else if !self.effort.is_exhausted() {
            // The solver gave up, and would not know more the next time.
            self.weak.insert(key, (region, status));
        }
        (region, status)
    }

    /// The strongest region over the predicates after a block that begins in a region; `None` if it is empty. Splits off what the block does
    /// not [touch](self::frame).
    fn strongest(&mut self, before: RegionId, block: BlockId, set: PredSetId) -> (Option<RegionId>, Status) {
        let division = self.division(before, block, set);
        let before = self.regions.exists(before, &division.dropped);
        let is_split = !self.settings.cartesian && division.kept.len() + division.dropped.len() > 0;
        let parts = match is_split {
            true => self.split(before, &division),
            false => None,
        };
        let Some(parts) = parts else {
            return self.image(before, block, set);
        };
        let (mut union, mut status) = (self.regions.bottom(), Status::GOOD);
        for &(guard, rest) in parts.iter() {
            let key = (rest, block, division.asked);
            let (region, part_status) = match self.cache.get(&key) {
                Some(&known) => (known, Status::GOOD),
                None => self.image(rest, block, division.asked),
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

    /// The [parts](Regions::split) of a region by the predicates that keep their values.
    fn split(&mut self, before: RegionId, division: &Division) -> Option<Parts> {
        let parts = self.splits.entry((before, division.kept_set)).or_insert_with(|| {
            let parts = self.regions.split(before, &division.kept, MAX_PARTS)?;
            Some(parts.into())
        });
        parts.clone()
    }

    /// The division of predicates for an abstraction: those on which the region depends and whose values the block neither uses nor changes, and those that are left to
    /// ask for.
    fn division(&mut self, before: RegionId, block: BlockId, set: PredSetId) -> Arc<Division> {
        let known = self.precision.intern(self.regions.support(before));
        if let Some(division) = self.divisions.get(&(known, block, set)) {
            return Arc::clone(division);
        }
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
        let preds = self.precision.set(set).to_vec();
        let of_region: Vec<_> = self.precision.set(known).iter().map(term).collect();
        let wanted: Vec<_> = preds.iter().map(term).collect();
        let untouched = untouched(&self.pool, &names, &of_region, &wanted);
        let asked: Vec<PredId> = preds
            .iter()
            .copied()
            .filter(|p| untouched.binary_search(p).is_err())
            .collect();
        let (kept, dropped): (Vec<PredId>, _) = untouched.into_iter().partition(|p| preds.contains(p));
        let division = Arc::new(Division {
            kept_set: self.precision.intern(&kept),
            asked: self.precision.intern(&asked),
            kept,
            dropped,
        });
        self.divisions.insert((known, block, set), Arc::clone(&division));
        division
    }

    /// The strongest region over the predicates after a block; `None` if it is empty.
    ///
    /// The image of a union is the union of the images. Along a loop a region mostly contains the one before it, whose image is known: the solver is asked for the rest only, as the
    /// symbolic traversal of state machines does with its frontier (Coudert, Berthet, Madre, *Verification of synchronous sequential machines based on symbolic execution*, 1989).
    fn image(&mut self, before: RegionId, block: BlockId, set: PredSetId) -> (Option<RegionId>, Status) {
        let bottom = self.regions.bottom();
        let (mut known, mut union) = (bottom, bottom);
        let images = self.images.get(&(block, set)).map_or(&[][..], Vec::as_slice);
        for &(part, image) in images.iter().rev().take(MAX_KNOWN) {
            if self.regions.implies(part, before) && !self.regions.implies(part, known) {
                known = self.regions.or(known, part);
                union = self.regions.or(union, image);
            }
        }
        let mut rest = self.regions.without(before, known);
        if self.regions.decisions(rest).len() > self.regions.decisions(before).len() + MAX_MORE_NODES {
            rest = before;
        }
        let mut status = Status::GOOD;
        if rest != bottom {
            let (region, rest_status) = self.enumerate(rest, block, set);
            status = rest_status;
            union = self.regions.or(union, region.unwrap_or(bottom));
        }
        if status.precise {
            self.images.entry((block, set)).or_default().push((before, union));
        }
        ((union != bottom).then_some(union), status)
    }

    /// The strongest region over the predicates after a block, all asked of the solver.
    fn enumerate(&mut self, before: RegionId, block: BlockId, set: PredSetId) -> (Option<RegionId>, Status) {
        let preds = &self.precision.set(set).to_vec();
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
    pub(super) fn check_merge(&mut self, merged: BlockId, sides: [BlockId; 2]) {
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
            let (side, merged) = (self.blocks.formula(side), self.blocks.formula(merged));
            let padded = self.encoder.padded(&mut self.pool, side, merged);
            let decided = checks::refuted(&mut self.pool, &mut self.effort, &[padded, outside], "merge");
            self.effort.checks.merges += u64::from(decided);
        }
    }

    /// Whether the block of a target state can reach it: whether its abstraction to no predicates is not empty.
    pub(super) fn is_reachable(&mut self, state: &PredState) -> (bool, Status) {
        if self.trusts_targets {
            return (true, Status::GOOD);
        }
        let nothing = self.precision.intern(&[]);
        let key = (self.record(state.abs).region, state.block, nothing);
        if let Some(known) = self.cache.get(&key) {
            return (known.is_some(), Status::GOOD);
        }
        let (mut region, mut status) = self.strongest(key.0, key.1, nothing);
        // No refinement divides a single block: what its models get wrong has to be known here.
        let mut is_refuted = false;
        for round in 0..MAX_CORRECTIONS {
            if region.is_none() || state.abs != AbsId::ROOT || !self.correct(key.0, key.1) {
                break;
            }
            // A proof by bits has no obligations, so it is the last resort.
            if round + 1 == MAX_CORRECTIONS {
                let formula = self.block_formula(key.0, key.1);
                let decision = bits::decide(&mut self.pool, &mut self.effort, &[formula], self.encoder.arith());
                is_refuted = matches!(decision, Decision::Refuted);
                if is_refuted {
                    self.counters.by_bits += 1;
                    region = None;
                    break;
                }
            }
            (region, status) = self.strongest(key.0, key.1, nothing);
        }
        // The checks know no more of the operators than the formula says.
        if !is_refuted {
            self.check_abstraction(key.0, key.1, region);
        }
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
        self.effort.charge(&solver);
        if answer != Answer::Sat {
            return false;
        }
        let model = solver.model(&self.pool);
        let wrong = points::violated(&self.pool, &model, &[formula]);
        self.learn(&wrong) > 0
    }
}
