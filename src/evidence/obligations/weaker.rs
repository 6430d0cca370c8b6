//! Guesses that wait: as long as a stronger one holds, there is nothing to ask about a weaker one.
//!
//! Many guesses are others with one more disjunct: a fact of all objects, the same but for one object, the same or a pointer is null. If the strongest of them
//! holds, the others follow. They are neither assumed nor asked about until it is dropped; the greatest inductive set is the same.

use provident_smt::hash::FxHashMap;
use provident_smt::term::{Term, TermId, TermPool};
use std::collections::BTreeSet;

/// The guesses at each point that wait for the end of stronger ones.
#[derive(Default, Debug)]
pub struct Waiting {
    points: Vec<Vec<TermId>>,
    /// The disjuncts of guesses.
    parts: FxHashMap<TermId, BTreeSet<TermId>>,
}

impl Waiting {
    /// Those at a point.
    pub fn at(&self, point: usize) -> &[TermId] {
        self.points.get(point).map_or(&[], Vec::as_slice)
    }

    /// Takes all guesses at a point. Those that no other one implies by its disjuncts are returned, in their order; the others wait from now on.
    pub fn strongest(&mut self, pool: &mut TermPool, point: usize, guesses: Vec<TermId>) -> Vec<TermId> {
        for &guess in &guesses {
            self.parts.entry(guess).or_insert_with(|| disjuncts(pool, guess));
        }
        let parts: Vec<&BTreeSet<TermId>> = guesses.iter().map(|guess| &self.parts[guess]).collect();
        let is_weaker = |at: usize| {
            parts.iter().enumerate().any(|(other, fewer)| {
                // Of two that say the same, the first one stays.
                let may_be = other < at || fewer.len() < parts[at].len();
                may_be && at != other && fewer.len() <= parts[at].len() && fewer.is_subset(parts[at])
            })
        };
        let weaker: Vec<bool> = (0..guesses.len()).map(is_weaker).collect();
        let of = |is_weaker: bool| {
            let marked = guesses
                .iter()
                .zip(&weaker)
                .filter(move |(_, weaker)| **weaker == is_weaker);
            marked.map(|(&guess, _)| guess).collect()
        };
        if self.points.len() <= point {
            self.points.resize(point + 1, Vec::new());
        }
        self.points[point] = of(true);
        of(false)
    }
}

/// The disjuncts of a formula.
fn disjuncts(pool: &mut TermPool, formula: TermId) -> BTreeSet<TermId> {
    let (mut disjuncts, mut open) = (BTreeSet::new(), vec![formula]);
    while let Some(part) = open.pop() {
        match pool.term(part).clone() {
            Term::Or(parts) => open.extend(parts),
            Term::Not(inner) => match pool.term(inner).clone() {
                Term::And(parts) => open.extend(parts.iter().map(|&part| pool.not(part))),
                _ => drop(disjuncts.insert(part)),
            },
            _ => drop(disjuncts.insert(part)),
        }
    }
    disjuncts
}
