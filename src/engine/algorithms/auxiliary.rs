//! Auxiliary invariants: the largest set of candidates that is inductive (Flanagan, Leino, *Houdini, an annotation assistant for ESC/Java*, FME 2001), on the graph of large blocks.
//!
//! k-induction alone starts from states that no execution reaches. Invariants that need no cleverness, such as the bounds of a counter, exclude most of these. Candidates are bounds near the comparisons that blocks make
//! of the values at their beginning, and the atoms of interpolants, each with its negation.

use super::graph::{BlockGraph, Edge, Location, ROOT};
use super::oracle::Oracle;
use crate::cpa::predicate::Predicates;
use crate::refine::guess::near_guards;
use provident_smt::hash::FxHashMap;
use provident_smt::proof::Part;
use provident_smt::solver::Answer;
use provident_smt::term::{TermId, TermPool};
use std::collections::BTreeSet;

/// The candidates of a location at most.
const MAX_CANDIDATES: usize = 200;

/// Candidates for each location, and those that are invariants.
pub(super) struct Auxiliary<'g> {
    graph: &'g BlockGraph,
    /// The formulas that were candidates before.
    seen: Vec<BTreeSet<TermId>>,
    /// Inductive together.
    pub invariants: Vec<Vec<TermId>>,
}

impl<'g> Auxiliary<'g> {
    /// The invariants among bounds near the comparisons of the program.
    pub fn new(graph: &'g BlockGraph, oracle: &mut Oracle<'_, '_>) -> Self {
        let mut auxiliary = Auxiliary {
            graph,
            seen: vec![BTreeSet::new(); graph.locations.len()],
            invariants: vec![Vec::new(); graph.locations.len()],
        };
        let mut candidates = vec![Vec::new(); graph.locations.len()];
        let inner = graph.edges.iter().map(|edge| (edge.from, edge.block));
        for (from, block) in inner.chain(graph.targets.iter().map(|edge| (edge.from, edge.block))) {
            let Predicates {
                blocks, encoder, pool, ..
            } = &mut *oracle.domain;
            let formula = blocks.formula(block).formula;
            let mut atoms = pool.atoms(formula);
            atoms.retain(|&atom| pool.symbols(atom).iter().all(|symbol| symbol.index == 0));
            let atoms: Vec<TermId> = atoms
                .into_iter()
                .map(|atom| encoder.uninstantiate(pool, atom))
                .collect();
            candidates[from].extend(near_guards(pool, &atoms));
        }
        auxiliary.add(oracle, candidates);
        auxiliary
    }

    /// Adds candidates for the locations, and keeps what is inductive.
    pub fn add(&mut self, oracle: &mut Oracle<'_, '_>, candidates: Vec<Vec<TermId>>) {
        let mut is_new = false;
        for (location, candidates) in candidates.into_iter().enumerate().skip(ROOT + 1) {
            let pool = &mut oracle.domain.pool;
            for candidate in candidates {
                for literal in [candidate, pool.not(candidate)] {
                    if self.seen[location].len() < MAX_CANDIDATES && self.seen[location].insert(literal) {
                        self.invariants[location].push(literal);
                        is_new = true;
                    }
                }
            }
        }
        if is_new {
            self.drop_others(oracle);
        }
    }

    /// Drops candidates until the others are inductive together.
    fn drop_others(&mut self, oracle: &mut Oracle<'_, '_>) {
        let graph = self.graph;
        let mut open: BTreeSet<usize> = (0..graph.edges.len()).collect();
        while let Some(next) = open.pop_first() {
            let edge = graph.edges[next];
            if self.drop_behind(oracle, edge) {
                open.extend((0..graph.edges.len()).filter(|&other| graph.edges[other].from == edge.to));
            }
        }
    }

    /// Drops the candidates behind a block that do not follow from those before it. Whether there are any.
    fn drop_behind(&mut self, oracle: &mut Oracle<'_, '_>, edge: Edge) -> bool {
        let mut dropped = false;
        let before = oracle.domain.pool.and(&self.invariants[edge.from]);
        let before = oracle.at_start(before);
        let Predicates {
            blocks,
            encoder,
            pool,
            effort,
            ..
        } = &mut *oracle.domain;
        let (parts, ends) = blocks.chain_with_ends(encoder, pool, &[edge.block]);
        let mut here: Vec<(TermId, TermId)> = Vec::new();
        for &candidate in &self.invariants[edge.to] {
            here.push((candidate, ends[0].instantiate(pool, candidate)));
        }
        let mut solver = effort.solver();
        solver.assert(pool, before, Part(0));
        solver.assert(pool, parts[0], Part(0));
        while !here.is_empty() {
            let all: Vec<TermId> = here.iter().map(|(_, formula)| *formula).collect();
            let all = pool.and(&all);
            let violated = pool.not(all);
            let answer = match violated == pool.mk_false() {
                true => Answer::Unsat,
                false => solver.check(pool, &[violated]),
            };
            let length = here.len();
            match answer {
                Answer::Unsat => break,
                Answer::Sat => {
                    let model = solver.model(pool);
                    here.retain(|(_, formula)| model.eval_bool(pool, *formula));
                }
                Answer::Unknown(_) => here.clear(),
            }
            dropped = true;
            if here.len() == length {
                // The model is no witness against any of them: evaluation is inexact where operators are not linear.
                here.clear();
            }
        }
        effort.charge(&solver);
        self.invariants[edge.to] = here.into_iter().map(|(candidate, _)| candidate).collect();
        dropped
    }

    /// The atoms of a formula as candidates for every location: `project` says what the formula says there.
    pub fn atoms_of(
        &self,
        pool: &mut TermPool,
        formula: TermId,
        project: &mut dyn FnMut(&mut TermPool, TermId, Location) -> TermId,
    ) -> Vec<Vec<TermId>> {
        let locations = 0..self.graph.locations.len();
        let mut known: FxHashMap<TermId, Vec<TermId>> = FxHashMap::default();
        let atoms = locations.map(|location| {
            let here = project(pool, formula, location);
            known.entry(here).or_insert_with(|| pool.atoms(here)).clone()
        });
        atoms.collect()
    }
}
