//! Configurable program analysis: the operators, the exploration algorithm, and one sub-room per abstract domain.
//!
//! A configurable program analysis (Beyer, Henzinger, Theoduloz, CAV 2007; with dynamic precision adjustment, ASE 2008) is an abstract
//! domain with operators that say how abstract states are made, joined and compared. One [`algorithm`] explores the reachable
//! abstract states for all of them. This room knows nothing of refinement: it explores under a precision that others change.
//!
//! | module | does |
//! |---|---|
//! | [`algorithm`] | CPA++ and its waitlist |
//! | [`arg`] | the abstract reachability graph, which is the reached set as well |
//! | [`links`] | the short lists of its nodes |
//! | [`search`] | directed search and other orders of exploration |
//! | [`location`] | the program counter: successors, and the order of exploration |
//! | [`callstack`] | call stacks, interned |
//! | [`automaton`] | explicit values of what tracks specification automata |
//! | [`tracking`] | which properties are tracked where |
//! | [`composite`] | control (location, call stack, properties, automata), target states, and a data domain in product |
//! | [`product`] | two data domains as one, each with its own precision |
//! | [`memo`] | block-abstraction memoization: functions that are explored once for all their calls |
//! | [`predicate`] | adjustable-block predicate abstraction |
//! | [`value`] | explicit values: constants of variables and memory cells |

pub mod algorithm;
pub mod arg;
pub mod automaton;
pub mod callstack;
pub mod composite;
pub mod links;
pub mod location;
pub mod memo;
pub mod predicate;
pub mod product;
pub mod search;
pub mod tracking;
pub mod value;

use crate::cfa::Step;
use arg::ArgId;
use std::hash::Hash;

/// The result of the operator `prec` for a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Adjusted<S> {
    /// It stays as it is.
    Same,
    /// It is replaced; the new state represents at least the concrete states of the old one.
    Changed(S),
    /// It represents no concrete state at all and is dropped.
    Bottom,
}

/// How far a result can be trusted; joined upwards, so that an interrupted step cannot become a verdict unnoticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// Nothing reachable was left out: the exploration came to its end.
    pub complete: bool,
    /// No step lost precision for another reason than the precision (for example, an effort limit).
    pub precise: bool,
}

impl Status {
    /// The best status, neutral for [`Status::join`].
    pub const GOOD: Status = Status {
        complete: true,
        precise: true,
    };

    /// The status of two steps together.
    #[must_use]
    pub fn join(self, other: Status) -> Status {
        Status {
            complete: self.complete && other.complete,
            precise: self.precise && other.precise,
        }
    }
}

/// The operators of a configurable program analysis.
///
/// `[[s]]` is the set of concrete states that `s` represents. The precision is part of the analysis: operators read it there, and who
/// changes it also says which states have to be computed again.
pub trait Cpa {
    /// An abstract state.
    type State: Clone;
    /// States of different partitions are never merged. `merge` and `prec` leave a state in its partition.
    type Partition: Eq + Hash;
    /// The waitlist hands out smaller states first.
    type Order: Ord;

    /// The operator `⇝`: appends the abstract successors of a state.
    ///
    /// Law: every concrete successor of a member of `[[state]]` is in some `[[s]]` of the result.
    fn transfer(&mut self, state: &Self::State, successors: &mut Vec<(Step, Self::State)>) -> Status;

    /// The operator `merge`: `None` leaves `old` as it is (`merge_sep`).
    ///
    /// Law: for `Some(m)`, `[[m]]` contains `[[new]]` and `[[old]]`.
    fn merge(&mut self, new: &Self::State, old: &Self::State) -> Option<Self::State>;

    /// The operator `stop`, for one candidate: whether `reached` covers `state`.
    ///
    /// Law: if so, `[[state]]` is contained in `[[reached]]`.
    fn stop(&mut self, state: &Self::State, reached: &Self::State) -> bool;

    /// The operator `prec`: adjusts a state to the precision.
    ///
    /// Law: for `Changed(s)`, `[[s]]` contains `[[state]]`; for `Bottom`, `[[state]]` is empty.
    fn prec(&mut self, state: &Self::State) -> (Adjusted<Self::State>, Status);

    /// The operator `fcover`: may find that an already reached state is covered after all and then needs no successors.
    ///
    /// Law: as for `stop`. The default never does.
    fn fcover(&mut self, _id: ArgId, _state: &Self::State) -> bool {
        false
    }

    /// The partition of a state.
    fn partition(&self, state: &Self::State) -> Self::Partition;

    /// The partitions in which there may be a state that covers this one, in the order in which they are searched. The default is its own.
    fn covering_partitions(&self, state: &Self::State) -> Vec<Self::Partition> {
        vec![self.partition(state)]
    }

    /// The place of a reached state in the order of exploration. It depends on the two arguments only for as long as the state waits.
    fn order(&self, id: ArgId, state: &Self::State) -> Self::Order;

    /// Whether the state signals a violation of a property.
    fn is_target(&self, state: &Self::State) -> bool;
}
