//! The order of exploration of states that wait, and directed search (Lee, thesis on TOUR, 2022).
//!
//! Only the states that wait for their abstraction are ordered by it: within a block the order stays as it is (see [`location`](super::location)), so that all paths of a block
//! have arrived when its abstraction is computed. Less recursion comes before more, too: no order starves what unbounded recursion hides.
//!
//! | order | first |
//! |---|---|
//! | [`SearchOrder::Topological`] | inner loops, then what follows them |
//! | [`SearchOrder::Distance`] | the state with the shortest way to a target, by the [distance](crate::cfa::analysis::distances) under its call stack |
//! | [`SearchOrder::Depth`] | the state that was found last |
//! | [`SearchOrder::Breadth`] | the state that was found first |
//! | [`SearchOrder::Random`] | by lot, with a seed |
//!
//! Equals are ordered topologically. An order is about *when* a state is expanded, never about whether.

use super::arg::ArgId;
use super::callstack::{StackId, Stacks};
use crate::cfa::analysis::distances::{Distance, Distances};
use crate::cfa::{NodeId, Program};
use provident_smt::hash::lot;

/// An order of exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SearchOrder {
    /// A weak topological order of the program.
    #[default]
    Topological,
    /// Near states first.
    Distance,
    /// The latest first.
    Depth,
    /// The earliest first.
    Breadth,
    /// By lot.
    Random,
}

/// An order with the facts that it asks for.
#[derive(Debug, Default)]
pub struct Search {
    order: SearchOrder,
    /// Of the lots.
    seed: u64,
    distances: Option<Distances>,
    /// For each call stack, what is [behind](Distances::behind) its top frame.
    behind: Vec<Distance>,
}

impl Search {
    /// The search in an order, whose lots have this seed; by distance there have to be distances.
    pub fn new(
        program: &Program,
        stacks: &Stacks,
        (order, seed): (SearchOrder, u64),
        distances: Option<Distances>,
    ) -> Search {
        assert!(
            distances.is_some() || order != SearchOrder::Distance,
            "a distance is measured"
        );
        let mut search = Search {
            order,
            seed,
            distances,
            behind: Vec::new(),
        };
        search.notice(program, stacks);
        search
    }

    /// Computes what is behind the stacks that are new. Has to be called before a state with a new stack is ordered.
    pub fn notice(&mut self, program: &Program, stacks: &Stacks) {
        let Some(distances) = &self.distances else {
            return;
        };
        // A stack comes after the one below it.
        for stack in stacks.ids().skip(self.behind.len()) {
            let behind = match stacks.pop(stack) {
                Some((below, call)) => distances.behind(program, call, self.behind[below.index()]),
                None => Distance::INFINITE,
            };
            self.behind.push(behind);
        }
    }

    /// How far a state is from a target; infinite if nobody asks for it.
    pub fn distance(&self, node: NodeId, stack: StackId) -> Distance {
        match &self.distances {
            Some(distances) => distances.distance(node, self.behind[stack.index()]),
            None => Distance::INFINITE,
        }
    }

    /// The place of a waiting state; smaller is earlier.
    pub fn place(&self, node: NodeId, stack: StackId, id: ArgId) -> u64 {
        let number = u64::try_from(id.index()).expect("fewer than 2^64 states");
        match self.order {
            SearchOrder::Topological => 0,
            SearchOrder::Distance => self.distance(node, stack).length().map_or(u64::MAX, u64::from),
            SearchOrder::Depth => u64::MAX - number,
            SearchOrder::Breadth => number,
            SearchOrder::Random => lot(self.seed, number),
        }
    }
}
