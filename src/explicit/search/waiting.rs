//! The paths that wait, and which of them goes on.
//!
//! A *room* holds the paths once, and has them in several *queues*, each with an order of its own. The queues take turns of equal numbers of steps: what one of them starves, another one reaches (open lists in alternation: Röger, Helmert,
//! *The more, the merrier: combining heuristic estimators for satisficing planning*, ICAPS 2010). No order ever drops a path, so that an exploration that comes to its end has seen all of them, in whichever order.
//!
//! | order | first |
//! |---|---|
//! | [`Order::Depth`] | the path with the fewest choices, in steps of `PATIENCE`; of these the latest |
//! | [`Order::Novelty`] | the path whose last stored state was one of the first of its [kind](super::landmark) |
//! | [`Order::Distance`] | the path that is nearest to a target, by the [distance](crate::cfa::analysis::distances) under its call stack |
//! | [`Order::NovelDistance`] | by novelty, and among equals by distance |
//! | [`Order::Bands`] | the path with the fewest choices and the least distance, in steps of `PATIENCE` choices and of `BAND` units of distance; of these the latest: iterative deepening over bands of distance |
//! | [`Order::Breadth`] | the path that waits longest |
//! | [`Order::Random`] | by lot |

use crate::cfa::analysis::distances::Distance;
use crate::explicit::state::State;
use crate::explicit::state::packed::Packed;
use provident_smt::hash::lot;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Choices on a path before others are looked at.
const PATIENCE: u32 = 48;
/// A difference of distances that counts as much as [`PATIENCE`] choices.
const BAND: u32 = 8;

/// An order of paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Few choices first, in big steps.
    Depth,
    /// New kinds of states first.
    Novelty,
    /// Near states first.
    Distance,
    /// New kinds of states first, and among equals near states.
    NovelDistance,
    /// Few choices and near states first, in big steps.
    Bands,
    /// Those that wait longest first.
    Breadth,
    /// By lot, with a seed.
    Random(u64),
}

impl Order {
    /// Whether the order asks for the novelty of states.
    pub(super) fn ranks(self) -> bool {
        matches!(self, Order::Novelty | Order::NovelDistance)
    }

    /// Whether the order asks for distances.
    pub(super) fn measures(self) -> bool {
        matches!(self, Order::Distance | Order::NovelDistance | Order::Bands)
    }

    /// The place of a path; smaller is earlier. Among equals the latest goes first.
    fn key(self, standing: Standing, serial: u64) -> Key {
        let length = standing.distance.length().unwrap_or(u32::MAX);
        match self {
            Order::Depth => (standing.decisions / PATIENCE, 0),
            Order::Novelty => (standing.rank, 0),
            Order::Distance => (length, 0),
            Order::NovelDistance => (standing.rank, length),
            Order::Bands => ((standing.decisions / PATIENCE).saturating_add(length / BAND), 0),
            Order::Breadth => {
                let serial = serial.to_be_bytes();
                let half = |at: usize| u32::from_be_bytes([serial[at], serial[at + 1], serial[at + 2], serial[at + 3]]);
                (half(0), half(4))
            }
            Order::Random(seed) => {
                let lot = lot(seed, serial).to_be_bytes();
                (u32::from_be_bytes([lot[0], lot[1], lot[2], lot[3]]), 0)
            }
        }
    }
}

/// The place of a path in a queue; smaller is earlier.
type Key = (u32, u32);

/// The facts about a path that orders ask for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    /// The choices on it, weighed.
    pub decisions: u32,
    /// How many states of the kind of its last stored one came before that.
    pub rank: u32,
    /// From its state to a target.
    pub distance: Distance,
}

/// The state of a path that waits.
pub(super) enum Resting {
    /// As it is; alternatives of one step share it.
    Whole(Rc<State>),
    /// Packed, because many paths wait.
    Packed(Packed),
}

/// A path that waits.
pub(super) struct Waiting {
    pub state: Resting,
    /// The choices in its first step.
    pub choices: Box<[u8]>,
    /// Whether the state has been stored already.
    pub stored: bool,
    pub trail: u32,
    pub length: u64,
    pub standing: Standing,
}

/// A queue: the paths in one order. The third part of an entry is the path's number, the latest first.
struct Queue {
    order: Order,
    entries: BTreeSet<(Key, std::cmp::Reverse<u64>, usize)>,
}

/// All waiting paths.
pub(super) struct Room {
    paths: Vec<Option<(u64, Waiting)>>,
    free: Vec<usize>,
    queues: Vec<Queue>,
    /// The queue whose turn it is.
    turn: usize,
    /// The number of paths that have come so far.
    serial: u64,
}

impl Room {
    /// The empty room with a queue for each order.
    pub(super) fn new(orders: &[Order]) -> Room {
        assert!(!orders.is_empty(), "paths wait in some order");
        let queue = |&order| Queue {
            order,
            entries: BTreeSet::new(),
        };
        Room {
            paths: Vec::new(),
            free: Vec::new(),
            queues: orders.iter().map(queue).collect(),
            turn: 0,
            serial: 0,
        }
    }

    /// The number of paths that wait.
    pub(super) fn len(&self) -> usize {
        self.paths.len() - self.free.len()
    }

    /// The numbers of the choices on the paths that wait.
    pub(super) fn trails(&mut self) -> impl Iterator<Item = &mut u32> {
        self.paths.iter_mut().flatten().map(|(_, path)| &mut path.trail)
    }

    /// The order of the queue whose turn it is.
    pub(super) fn order(&self) -> Order {
        self.queues[self.turn].order
    }

    /// Whether some queue asks for the novelty of states.
    pub(super) fn ranks(&self) -> bool {
        self.queues.iter().any(|queue| queue.order.ranks())
    }

    /// Gives the turn to the next queue.
    pub(super) fn pass(&mut self) {
        self.turn = (self.turn + 1) % self.queues.len();
    }

    /// Lets a path wait.
    pub(super) fn push(&mut self, path: Waiting) {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.paths.push(None);
            self.paths.len() - 1
        });
        for queue in &mut self.queues {
            let key = queue.order.key(path.standing, self.serial);
            queue.entries.insert((key, std::cmp::Reverse(self.serial), slot));
        }
        self.paths[slot] = Some((self.serial, path));
        self.serial += 1;
    }

    /// Takes the path that goes on.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let (_, _, slot) = *self.queues[self.turn].entries.first()?;
        let (serial, path) = self.paths[slot].take().expect("a queue names paths that wait");
        for queue in &mut self.queues {
            let key = queue.order.key(path.standing, serial);
            let was_there = queue.entries.remove(&(key, std::cmp::Reverse(serial), slot));
            assert!(was_there, "every queue has every path");
        }
        self.free.push(slot);
        Some(path)
    }

    /// Whether a path with this standing, if it waited too, would come after another one.
    pub(super) fn goes_before(&self, standing: Standing) -> bool {
        let queue = &self.queues[self.turn];
        let Some((first, ..)) = queue.entries.first() else {
            return false;
        };
        match queue.order {
            // Once on its way, a path goes on to its next choice.
            Order::Breadth | Order::Random(_) => false,
            order => *first < order.key(standing, self.serial),
        }
    }

    /// Takes all paths out: by their places in the queue whose turn it is, of equal ones the latest last.
    pub(super) fn drain(&mut self) -> Vec<Waiting> {
        let mut places: Vec<(Key, u64, usize)> = self.queues[self.turn]
            .entries
            .iter()
            .map(|&(key, std::cmp::Reverse(serial), slot)| (key, serial, slot))
            .collect();
        places.sort_unstable();
        for queue in &mut self.queues {
            queue.entries.clear();
        }
        let mut taken = std::mem::take(&mut self.paths);
        self.free.clear();
        let take = |(_, _, slot): (Key, u64, usize)| taken[slot].take().expect("a queue names paths that wait").1;
        places.into_iter().map(take).collect()
    }
}
