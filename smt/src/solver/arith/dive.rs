//! Integer points by a search of its own, on a copy of the tableau.
//!
//! Branches of the search proper are decisions on atoms: they stay in the order of decisions, restarts take them back, and between two of them there is a final check. Where the solutions are many and lie in some direction, as in unbounded systems, such
//! a search may drift away from all of them. A *dive* (the word of mixed integer programming: Berthold, *Primal heuristics for mixed integer programming*, 2006) is plain branch and bound on a copy, depth first, to the nearer side first, with
//! a bound on the number of nodes. An integer vertex that it finds becomes the candidate. It proves nothing where it finds none: nothing of it but that vertex is kept.
//!
//! The first dive comes before the first branch, others when the number of fractional candidates of a check has doubled: then the search begins anew, so that no branch of its own bounds the columns. No order of branching is good for all problems, and a good
//! one ends soon; so a dive has several.
//!
//! If there are reals beside the integers, values may have infinitesimal parts, with which an integer column is no integer. A final check takes the infinitesimal for a small rational; the copy has the infinitesimal again, and a vertex that was found loses it.

use super::simplex::Outcome;
use super::tableau::{Bound, Column, ColumnData};
use crate::num::{Int, Number, Rational};
use crate::proof::Lit;
use crate::solver::Solver;
use crate::solver::limits::{MAX_COLUMNS, MAX_NODES};

/// The second dive comes after this number of fractional candidates.
const AGAIN: u64 = 64;

/// The nodes of the first dive. Each has twice as many as the one before.
const NODES: u64 = 150;

/// The column that a dive branches on, among those with fractions.
#[derive(Clone, Copy)]
enum Order {
    /// The one that became live last: mostly what others define.
    Newest,
    /// The one whose value is nearest to the middle between two integers.
    Open,
    Oldest,
}

impl Order {
    const ALL: [Order; 3] = [Order::Newest, Order::Open, Order::Oldest];
}

/// The distance of a value from the middle between two integers.
fn distance_from_half(value: &Rational) -> Rational {
    let fraction = value - &Rational::from(value.floor());
    (&fraction - &Rational::new(Int::ONE, Int::from(2))).abs()
}

impl ColumnData {
    /// Whether the value is an integer without infinitesimal part.
    fn is_integer(&self) -> bool {
        self.value.is_integer() && self.eps.as_ref().is_none_or(|eps| eps.is_zero())
    }
}

/// A branch that was taken.
struct Branch {
    column: Column,
    /// The bounds before it.
    bounds: [Option<Bound>; 2],
    /// The bounds of the other side, while that was not taken.
    other: Option<[Option<Bound>; 2]>,
}

/// Changes the bounds of a column, and returns those that it had.
fn exchange(data: &mut ColumnData, [lower, upper]: [Option<Bound>; 2]) -> [Option<Bound>; 2] {
    [
        std::mem::replace(&mut data.lower, lower),
        std::mem::replace(&mut data.upper, upper),
    ]
}

impl Solver {
    /// Whether the search is to begin anew for the sake of a dive, because there are many fractional candidates.
    pub(in crate::solver) fn is_dive_due(&mut self) -> bool {
        let fractions = self.last.fractions;
        let is_due =
            fractions >= AGAIN && fractions.is_power_of_two() && self.last.dive_at < fractions && self.can_dive();
        if is_due {
            self.last.dive_at = fractions;
            self.last.is_diving = true;
        }
        is_due
    }

    fn can_dive(&self) -> bool {
        let tableau = &self.theories.arith.tableau;
        tableau.columns.len() <= MAX_COLUMNS
    }

    /// Moves the vertex to one at which all live columns are integers, if it is time for dives and one of them finds it. Returns whether it did.
    pub(in crate::solver) fn dive(&mut self) -> bool {
        let is_due = std::mem::take(&mut self.last.is_diving) || self.last.fractions == 1;
        if !is_due || !self.can_dive() {
            return false;
        }
        let nodes = MAX_NODES.min(NODES << self.last.dives.min(16));
        self.last.dives += 1;
        Order::ALL.into_iter().any(|order| self.dive_in(order, nodes))
    }

    /// A dive with this number of nodes.
    fn dive_in(&mut self, order: Order, nodes: u64) -> bool {
        let mut copy = self.theories.arith.tableau.clone();
        copy.restore();
        let before = copy.ticks;
        let (ticks, deadline) = (self.search.ticks, self.limits.deadline);
        // Nobody asks why a bound of the copy holds.
        let Some(&literal) = self.search.trail.first() else {
            return false;
        };
        let mut branches: Vec<Branch> = Vec::new();
        let mut found = false;
        for _ in 0..nodes {
            copy.ticks += copy.columns.len() as u64;
            let outcome = copy.recheck(&mut |spent| ticks + spent - before <= deadline);
            match outcome {
                Outcome::Exhausted => break,
                Outcome::Feasible => {
                    let mut open = self
                        .live
                        .columns
                        .iter()
                        .filter(|column| !copy.column(**column).is_integer());
                    let next = match order {
                        Order::Newest => open.next_back(),
                        Order::Open => open.min_by_key(|column| distance_from_half(&copy.column(**column).value)),
                        Order::Oldest => open.next(),
                    };
                    let Some(&column) = next else {
                        found = true;
                        break;
                    };
                    let branch = branch_at(&mut copy.columns[column.index()], column, literal);
                    branches.push(branch);
                }
                Outcome::Infeasible(..) => {
                    while let Some(Branch { column, bounds, other }) = branches.pop() {
                        let data = &mut copy.columns[column.index()];
                        exchange(data, bounds.clone());
                        if let Some(other) = other {
                            exchange(data, other);
                            branches.push(Branch {
                                column,
                                bounds,
                                other: None,
                            });
                            break;
                        }
                    }
                    if branches.is_empty() {
                        break;
                    }
                }
            }
        }
        self.search.ticks += copy.ticks - before;
        if found {
            while let Some(branch) = branches.pop() {
                exchange(&mut copy.columns[branch.column.index()], branch.bounds);
            }
            copy.concretise();
            self.theories.arith.tableau = copy;
        }
        found
    }
}

/// Takes a column with a fraction as value to the nearer side.
fn branch_at(data: &mut ColumnData, column: Column, literal: Lit) -> Branch {
    let mut floor = data.value.floor();
    if data.value.is_integer() && data.eps.as_ref().is_some_and(|eps| eps.is_negative()) {
        floor -= Int::ONE;
    }
    let is_nearer_above = &data.value - &Rational::from(floor.clone()) > Rational::new(Int::ONE, Int::from(2));
    let bound = |value: Int| {
        Some(Bound {
            value: Number::from(value),
            literal,
        })
    };
    let below = [data.lower.clone(), bound(floor.clone())];
    let above = [bound(&floor + &Int::ONE), data.upper.clone()];
    let (first, other) = if is_nearer_above {
        (above, below)
    } else {
        (below, above)
    };
    Branch {
        column,
        bounds: exchange(data, first),
        other: Some(other),
    }
}
