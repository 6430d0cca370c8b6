//! Trials of guesses: the first executions of a program, from its start through a few blocks.
//!
//! Most guesses are wrong, and most of the wrong ones are refuted by an execution that comes to their point soon: a list of two objects, the third round of a loop. Such an
//! execution assumes no guess, so the question for it is small, where one behind a point assumes hundreds of guesses, and those about all elements several times each. So
//! guesses are tried on short ways before they are asked about for good, as in dynamic invariant detection (Ernst, Cockrell, Griswold, Notkin, TSE 2001); the executions are
//! models of the solver, which looks for those that refute something. A guess that a trial refutes is no invariant; the others are proved later, or dropped.

use super::Solvers;
use super::inductive::{Passage, Way};
use super::scripts::Writer;
use super::walk::{Block, End};
use crate::encode::{Encoder, PathFormula};
use provident_smt::hash::FxHashMap;
use provident_smt::term::{NO_INDEX, Symbol, TermPool};
use std::collections::{BTreeSet, VecDeque};

/// Blocks of a way, and ways.
const MAX_BLOCKS: usize = 5;
const MAX_WAYS: usize = 32;

impl Writer<'_> {
    /// Drops guesses that do not hold on short ways from the program's start.
    pub fn try_guesses(
        &mut self,
        encoder: &Encoder<'_>,
        pool: &mut TermPool,
        blocks: &[Block],
        solvers: &mut dyn Solvers,
    ) {
        let start = 0;
        let mut open: VecDeque<(usize, usize, PathFormula)> = VecDeque::from([(start, 0, encoder.empty(pool))]);
        let (mut ways, mut hard) = (0, BTreeSet::new());
        while let Some((at, length, before)) = open.pop_front() {
            for (&end, paths) in &blocks[at].ends {
                let End::Point(to) = end else { continue };
                if ways == MAX_WAYS || solvers.is_exhausted() {
                    return;
                }
                ways += 1;
                let paths = joined(encoder, pool, &before, paths);
                let way = Way {
                    from: start,
                    to,
                    passage: Passage::Paths(&paths),
                    is_trial: true,
                };
                // A solver that gives up on short executions gives up on long ones.
                if !hard.contains(&to) && self.drop_behind(encoder, pool, &way, solvers).1 {
                    hard.insert(to);
                }
                if length + 1 < MAX_BLOCKS {
                    open.push_back((to, length + 1, paths));
                }
            }
        }
    }
}

/// The paths of a block behind others: its versions go on from theirs.
fn joined(encoder: &Encoder<'_>, pool: &mut TermPool, before: &PathFormula, block: &PathFormula) -> PathFormula {
    let mut versions: FxHashMap<Symbol, u32> = FxHashMap::default();
    for symbol in pool.symbols(block.formula) {
        if let Some(slot) = encoder.slot_of(pool.name(symbol.name))
            && symbol.index != NO_INDEX
        {
            versions.insert(symbol, before.ssa.index(slot) + symbol.index);
        }
    }
    let moved = pool.map_symbols(block.formula, &mut |symbol| Symbol {
        index: versions.get(&symbol).copied().unwrap_or(symbol.index),
        ..symbol
    });
    let mut last: Vec<_> = before.ssa.entries();
    last.extend(
        block
            .ssa
            .entries()
            .into_iter()
            .map(|(slot, index)| (slot, before.ssa.index(slot) + index)),
    );
    let mut paths = PathFormula::starting_at(pool, last.into_iter().collect());
    paths.formula = pool.and2(before.formula, moved);
    paths
}
