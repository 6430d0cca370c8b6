//! Dual approximated reachability (Vizel, Grumberg, Shoham, *Intertwined forward-backward reachability analysis using interpolants*, TACAS 2013) for software (Beyer, Chien, Jankola, Lee, *A transferability study of
//! interpolation-based hardware model checking for software verification*, FSE 2024).
//!
//! Two sequences of state sets are kept. The i-th *forward* set holds of all states i steps behind the start, the j-th *backward* set of all states from which a violation is j steps away. After n rounds both have
//! n + 1 sets; forward sets have no violation, and backward sets not the start. Violations within one more step are looked for between the sequences, so mostly without an unrolling:
//!
//! * If there is an i such that one step does not lead from the i-th forward set to the (n - i)-th backward set, the sets are strengthened *locally*: the interpolant of that pair makes the next forward set disjoint
//!   from its backward set, which refutes the next pair, and so on to both ends.
//! * Otherwise the sets are strengthened *globally*: a prefix of the unrolling is followed by a backward set, and becomes longer until it has no model. Its sequence of interpolants strengthens forward sets, and then there is such a
//!   pair. Only if no prefix does, the whole unrolling is asked for a violation.
//!
//! The algorithm ends if a set of one sequence implies the disjunction of those before it. Then that disjunction is an invariant, or, if the sequence is the backward one, its negation is.

use super::Found;
use super::bounded::Bounded;
use super::graph::{BlockGraph, Location, ROOT};
use super::imc::by_location;
use super::ismc::fixed_point;
use super::oracle::{Oracle, Sequence};
use super::unroll::Transition;
use provident_smt::term::TermId;
use std::collections::BTreeSet;

/// State sets that a sequence has, and the locations of each.
struct Sets {
    formulas: Vec<TermId>,
    locations: Vec<BTreeSet<Location>>,
}

impl Sets {
    fn new(oracle: &mut Oracle<'_, '_>, transition: &Transition, location: Location) -> Sets {
        Sets {
            formulas: vec![transition.at(&mut oracle.domain.pool, location, None)],
            locations: vec![BTreeSet::from([location])],
        }
    }

    /// Begins a set with all states of the locations that are a step away from those of the last one.
    fn push(
        &mut self,
        oracle: &mut Oracle<'_, '_>,
        transition: &Transition,
        next: fn(&Transition, &BTreeSet<Location>) -> BTreeSet<Location>,
    ) {
        let locations = next(transition, &self.locations[self.locations.len() - 1]);
        self.formulas
            .push(transition.within(&mut oracle.domain.pool, &locations));
        self.locations.push(locations);
    }

    fn strengthen(&mut self, oracle: &mut Oracle<'_, '_>, number: usize, by: TermId) {
        self.formulas[number] = oracle.domain.pool.and2(self.formulas[number], by);
    }

    /// The disjunction of the first sets, if the next one implies it.
    fn fixed_point(&self, oracle: &mut Oracle<'_, '_>) -> Option<TermId> {
        fixed_point(oracle, &self.formulas[1..], self.formulas[0])
    }
}

struct Dar<'g> {
    bounded: Bounded<'g>,
    forward: Sets,
    backward: Sets,
}

/// Runs the algorithm.
pub(super) fn dar(graph: &BlockGraph, oracle: &mut Oracle<'_, '_>) -> Found {
    let bounded = Bounded::new(graph, oracle);
    let violation = bounded.transition.violation;
    let mut sets = Dar {
        forward: Sets::new(oracle, &bounded.transition, ROOT),
        backward: Sets::new(oracle, &bounded.transition, violation),
        bounded,
    };
    loop {
        if oracle.is_exhausted() {
            return Found::Exhausted;
        }
        if let Err(found) = sets.extend(oracle) {
            return found;
        }
        let mut invariant = sets.forward.fixed_point(oracle);
        if invariant.is_none() {
            invariant = sets.backward.fixed_point(oracle);
            invariant = invariant.map(|union| oracle.domain.pool.not(union));
        }
        if let Some(invariant) = invariant {
            let mut invariants = by_location(graph, oracle, &sets.bounded.transition, invariant);
            // The backward sets do not have the start, but that has taken a proof.
            invariants[ROOT] = oracle.domain.pool.mk_true();
            return Found::Safe(invariants);
        }
    }
}

/// The interpolants of a sequence that has no model.
fn refuted(oracle: &Oracle<'_, '_>, answer: Sequence) -> Result<Vec<TermId>, Found> {
    match answer {
        Sequence::Refuted(interpolants) => Ok(interpolants),
        // Wrong values of operators make a model of what was refuted before.
        Sequence::Feasible => Err(Found::stuck(
            "a step between sets that are disjoint is impossible and possible",
        )),
        Sequence::Unknown(_) if oracle.is_exhausted() => Err(Found::Exhausted),
        Sequence::Unknown(reason) => Err(Found::StuckAll(reason)),
    }
}

impl Dar<'_> {
    /// Adds a set to each sequence. An error is the end of the algorithm.
    fn extend(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<(), Found> {
        let transition = &self.bounded.transition;
        self.forward.push(oracle, transition, Transition::behind);
        self.backward.push(oracle, transition, Transition::before);
        let first = match self.local(oracle)? {
            Some(pair) => pair,
            None => self.global(oracle)?,
        };
        for pair in first + 1..self.pairs() {
            let answer = self.ahead(oracle, pair);
            let interpolants = refuted(oracle, answer)?;
            self.forward.strengthen(oracle, pair + 1, interpolants[0]);
        }
        for pair in (0..=first).rev() {
            let answer = self.back(oracle, pair);
            let interpolants = refuted(oracle, answer)?;
            let outside = oracle.domain.pool.not(interpolants[0]);
            self.backward.strengthen(oracle, self.pairs() - pair, outside);
        }
        Ok(())
    }

    /// The number of pairs of a forward and a backward set between which one step may lead.
    fn pairs(&self) -> usize {
        self.forward.formulas.len() - 1
    }

    /// The backward set of a pair, behind this number of steps.
    fn goal(&self, oracle: &mut Oracle<'_, '_>, pair: usize, cut: u32) -> TermId {
        let goal = oracle.at_start(self.backward.formulas[self.pairs() - 1 - pair]);
        self.bounded.transition.shift(&mut oracle.domain.pool, goal, cut)
    }

    /// Whether one step leads from the forward set of a pair to its backward set. The interpolant says what is true behind the step.
    fn ahead(&self, oracle: &mut Oracle<'_, '_>, pair: usize) -> Sequence {
        let from = oracle.at_start(self.forward.formulas[pair]);
        let goal = self.goal(oracle, pair, 1);
        let pool = &mut oracle.domain.pool;
        let step = self.bounded.transition.step(pool, &self.forward.locations[pair], 0);
        let prefix = pool.and2(from, step);
        oracle.sequence(&[prefix, goal])
    }

    /// The same with an interpolant that says what is true before the step.
    fn back(&self, oracle: &mut Oracle<'_, '_>, pair: usize) -> Sequence {
        let from = oracle.at_start(self.forward.formulas[pair]);
        let goal = self.goal(oracle, pair, 1);
        let pool = &mut oracle.domain.pool;
        let locations = &self.backward.locations[self.pairs() - pair];
        let step = self.bounded.transition.step(pool, locations, 0);
        let suffix = pool.and2(step, goal);
        oracle.sequence(&[from, suffix])
    }

    /// Looks for a pair between which no step leads, the last one first, and strengthens the forward set behind it.
    fn local(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<Option<usize>, Found> {
        for pair in (0..self.pairs()).rev() {
            if let Sequence::Refuted(interpolants) = self.ahead(oracle, pair) {
                oracle.work.local += 1;
                self.forward.strengthen(oracle, pair + 1, interpolants[0]);
                return Ok(Some(pair));
            }
            if oracle.is_exhausted() {
                return Err(Found::Exhausted);
            }
        }
        Ok(None)
    }

    /// Looks for the shortest unrolling that does not lead to the backward set behind it, and strengthens the forward sets. Returns the last pair, between which no step leads then.
    fn global(&mut self, oracle: &mut Oracle<'_, '_>) -> Result<usize, Found> {
        oracle.work.global += 1;
        for pair in 0..self.pairs() {
            let depth = u32::try_from(pair + 1).expect("an unrolling is short");
            oracle.work.depth = oracle.work.depth.max(u64::from(depth));
            let is_whole = pair + 1 == self.pairs();
            if is_whole && let Some(found) = self.bounded.check(oracle, depth) {
                return Err(found);
            }
            let goal = self.goal(oracle, pair, depth);
            let mut parts = self.bounded.transition.refutation(&mut oracle.domain.pool, depth);
            *parts.last_mut().expect("there is a goal") = goal;
            let answer = oracle.sequence(&parts);
            if is_whole || matches!(answer, Sequence::Refuted(_)) || oracle.is_exhausted() {
                for (number, interpolant) in (1..).zip(refuted(oracle, answer)?) {
                    self.forward.strengthen(oracle, number, interpolant);
                }
                return Ok(pair);
            }
        }
        unreachable!("the last unrolling is the whole one")
    }
}
