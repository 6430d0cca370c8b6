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
use crate::explicit::state::packed::shelves::{Place, Shelves};
use crate::explicit::state::packed::table::{number, position};
use crate::explicit::state::packed::words::{Reader, Writer};
use provident_smt::hash::lot;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Choices on a path before others are looked at.
const PATIENCE: u32 = 48;
/// A difference of distances that counts as much as [`PATIENCE`] choices.
const BAND: u32 = 8;

/// Chairs of paths that are gone before they are cleared.
const FEW_CHAIRS: usize = 1024;

/// No chair.
const END: u32 = u32::MAX;

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
    /// [Packed](crate::explicit::state::packed), because many paths wait.
    Packed(Box<[u8]>),
    /// The stored state with this number.
    Stored(u32),
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

/// A chair in the room, which one path after the other has.
struct Chair {
    /// The number of the choices of its path.
    trail: u32,
    path: Kept,
}

/// The path on a chair.
#[derive(Clone, Copy)]
enum Kept {
    /// None, or one that is gone.
    None,
    /// The place of one whose state is as it is.
    Whole(u32),
    /// The place of another one, all of it in bytes: its length, [how its state is kept](Keeping), its standing, its choices, and the state.
    Packed(Place),
}

/// How a state is kept, as a number: packed, and stored or not; or by its number among the stored ones.
struct Keeping;

impl Keeping {
    const NEW: u32 = 0;
    const STORED: u32 = 1;
    const NUMBER: u32 = 2;
}

/// Writes a path, but for the number of its choices. `None` if its state is as it is.
fn packed(path: &Waiting) -> Option<Writer> {
    let mut words = Writer::empty();
    words.push(path.length);
    words.push(match path.state {
        Resting::Whole(_) => return None,
        Resting::Packed(_) if path.stored => Keeping::STORED,
        Resting::Packed(_) => Keeping::NEW,
        Resting::Stored(_) => Keeping::NUMBER,
    });
    words.push(path.standing.decisions);
    words.push(path.standing.rank);
    words.push(
        path.standing
            .distance
            .length()
            .map_or(0, |length| u64::from(length) + 1),
    );
    words.push(number(path.choices.len()));
    words.bytes(&path.choices);
    match &path.state {
        Resting::Packed(state) => words.bytes(state),
        Resting::Stored(number) => words.push(*number),
        Resting::Whole(_) => unreachable!("it is no path in bytes"),
    }
    Some(words)
}

/// The path that was packed.
fn unpacked(packed: &[u8], trail: u32) -> Waiting {
    let mut words = Reader(packed);
    let length = words.long();
    let keeping = words.word();
    let standing = Standing {
        decisions: words.word(),
        rank: words.word(),
        distance: match words.long().checked_sub(1) {
            Some(length) => Distance::new(u32::try_from(length).expect("a distance was written")),
            None => Distance::INFINITE,
        },
    };
    let choices = words.size();
    let (choices, state) = words.0.split_at(choices);
    Waiting {
        state: match keeping {
            Keeping::NUMBER => Resting::Stored(Reader(state).word()),
            _ => Resting::Packed(state.into()),
        },
        choices: choices.into(),
        stored: keeping != Keeping::NEW,
        trail,
        length,
        standing,
    }
}

/// A queue: the paths in one order, of equal ones the latest first. The chairs of paths that are gone stay in line until they are met, or [cleared](Room::clear).
struct Queue {
    order: Order,
    /// The first chairs of each place.
    first: BTreeMap<Key, u32>,
    /// The chair behind each chair at the same place, or [`END`].
    behind: Vec<u32>,
}

impl Queue {
    fn new(order: Order) -> Queue {
        Queue {
            order,
            first: BTreeMap::new(),
            behind: Vec::new(),
        }
    }

    /// Puts a chair into line, before equal ones.
    fn push(&mut self, key: Key, chair: u32) {
        let behind = self.first.insert(key, chair).unwrap_or(END);
        if self.behind.len() <= position(chair) {
            self.behind.resize(position(chair) + 1, END);
        }
        self.behind[position(chair)] = behind;
    }

    /// The first path that still waits, and its key.
    fn first(&mut self, chairs: &[Chair]) -> Option<(Key, u32)> {
        loop {
            let first = self.first.first_entry()?;
            let (key, chair) = (*first.key(), *first.get());
            if is_taken(chairs, chair) {
                return Some((key, chair));
            }
            self.pop();
        }
    }

    /// Takes the first chair out of line.
    fn pop(&mut self) -> Option<u32> {
        let mut first = self.first.first_entry()?;
        let chair = *first.get();
        match self.behind[position(chair)] {
            END => {
                first.remove();
            }
            behind => *first.get_mut() = behind,
        }
        Some(chair)
    }

    /// Takes the chairs of paths that are gone out of line.
    fn clear(&mut self, chairs: &[Chair]) {
        let behind = &mut self.behind;
        self.first.retain(|_, first| {
            *first = first_taken(chairs, behind, *first);
            let mut at = *first;
            while at != END {
                behind[position(at)] = first_taken(chairs, behind, behind[position(at)]);
                at = behind[position(at)];
            }
            *first != END
        });
    }
}

/// Of a chair and those behind it, the first one whose path waits, or [`END`].
fn first_taken(chairs: &[Chair], behind: &[u32], mut at: u32) -> u32 {
    while at != END && !is_taken(chairs, at) {
        at = behind[position(at)];
    }
    at
}

/// Whether the path of a chair waits.
fn is_taken(chairs: &[Chair], chair: u32) -> bool {
    !matches!(chairs[position(chair)].path, Kept::None)
}

/// All waiting paths.
pub(super) struct Room {
    chairs: Vec<Chair>,
    /// The chairs that are in no queue.
    free: Vec<u32>,
    /// The number of chairs of paths that are gone which are in a queue.
    gone: usize,
    /// The paths whose states are as they are, at their places.
    whole: Vec<Option<Waiting>>,
    free_whole: Vec<u32>,
    /// All other paths.
    packed: Shelves,
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
        Room {
            chairs: Vec::new(),
            free: Vec::new(),
            gone: 0,
            whole: Vec::new(),
            free_whole: Vec::new(),
            packed: Shelves::default(),
            queues: orders.iter().copied().map(Queue::new).collect(),
            turn: 0,
            serial: 0,
        }
    }

    /// The number of paths that wait.
    pub(super) fn len(&self) -> usize {
        self.chairs.len() - self.free.len() - self.gone
    }

    /// The numbers of the choices on the paths that wait.
    pub(super) fn trails(&mut self) -> impl Iterator<Item = &mut u32> {
        let waiting = self.chairs.iter_mut().filter(|chair| !matches!(chair.path, Kept::None));
        waiting.map(|chair| &mut chair.trail)
    }

    /// The order of the queue whose turn it is.
    pub(super) fn order(&self) -> Order {
        self.queues[self.turn].order
    }

    /// Gives the turn to the next queue.
    pub(super) fn pass(&mut self) {
        self.turn = (self.turn + 1) % self.queues.len();
    }

    /// Lets a path wait.
    pub(super) fn push(&mut self, path: Waiting) {
        if self.gone > self.len().max(FEW_CHAIRS) {
            self.clear();
        }
        let chair = self.free.pop().unwrap_or_else(|| {
            self.chairs.push(Chair {
                trail: 0,
                path: Kept::None,
            });
            number(self.chairs.len() - 1)
        });
        for queue in &mut self.queues {
            queue.push(queue.order.key(path.standing, self.serial), chair);
        }
        self.serial += 1;
        let trail = path.trail;
        let path = match packed(&path) {
            Some(bytes) => Kept::Packed(self.packed.put(bytes.written())),
            None => {
                let at = self.free_whole.pop().unwrap_or_else(|| {
                    self.whole.push(None);
                    number(self.whole.len() - 1)
                });
                self.whole[position(at)] = Some(path);
                Kept::Whole(at)
            }
        };
        self.chairs[position(chair)] = Chair { trail, path };
    }

    /// Takes the chairs of all paths that are gone out of line.
    fn clear(&mut self) {
        for queue in &mut self.queues {
            queue.clear(&self.chairs);
        }
        let chairs = (0..self.chairs.len()).map(number);
        self.free = chairs.filter(|&chair| !is_taken(&self.chairs, chair)).collect();
        self.gone = 0;
    }

    /// Takes the path that goes on.
    pub(super) fn pop(&mut self) -> Option<Waiting> {
        let queue = &mut self.queues[self.turn];
        let (_, chair) = queue.first(&self.chairs)?;
        queue.pop();
        match self.queues.len() {
            1 => self.free.push(chair),
            _ => self.gone += 1,
        }
        Some(self.take(chair))
    }

    fn take(&mut self, chair: u32) -> Waiting {
        let chair = &mut self.chairs[position(chair)];
        let trail = chair.trail;
        match std::mem::replace(&mut chair.path, Kept::None) {
            Kept::Packed(place) => self.packed.take(place, |bytes| unpacked(bytes, trail)),
            Kept::Whole(at) => {
                self.free_whole.push(at);
                let path = self.whole[position(at)].take();
                Waiting {
                    trail,
                    ..path.expect("a whole path is at its place")
                }
            }
            Kept::None => unreachable!("a chair that is taken has a path"),
        }
    }

    /// Whether a path with this standing, if it waited too, would come after another one.
    pub(super) fn goes_before(&mut self, standing: Standing) -> bool {
        let queue = &mut self.queues[self.turn];
        let Some((first, _)) = queue.first(&self.chairs) else {
            return false;
        };
        match queue.order {
            // Once on its way, a path goes on to its next choice.
            Order::Breadth | Order::Random(_) => false,
            order => first < order.key(standing, self.serial),
        }
    }

    /// Lets all paths wait in other orders, each with a new standing. They come one by one, in the order whose turn it was, of equal ones the latest last, so that hardly more memory is needed than they have.
    pub(super) fn reorder(&mut self, orders: &[Order], mut stand: impl FnMut(&Waiting) -> Standing) {
        assert!(!orders.is_empty(), "paths wait in some order");
        let mut line = Vec::with_capacity(self.len());
        let Queue { first, behind, .. } = &self.queues[self.turn];
        for &first in first.values() {
            let equals = line.len();
            let next = |&chair: &u32| Some(behind[position(chair)]).filter(|&chair| chair != END);
            let chairs = std::iter::successors(Some(first), next);
            line.extend(chairs.filter(|&chair| is_taken(&self.chairs, chair)));
            line[equals..].reverse();
        }
        self.queues = orders.iter().copied().map(Queue::new).collect();
        self.clear();
        self.turn = 0;
        self.serial = 0;
        for chair in line {
            let path = self.take(chair);
            self.free.push(chair);
            let standing = stand(&path);
            self.push(Waiting { standing, ..path });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path whose state tells its number.
    fn path(serial: u64, standing: Standing) -> Waiting {
        let bytes: Box<[u8]> = serial.to_le_bytes().into();
        Waiting {
            state: Resting::Packed(bytes.clone()),
            choices: bytes[..2].into(),
            stored: serial.is_multiple_of(3),
            trail: 7,
            length: serial << 40,
            standing,
        }
    }

    fn serial(path: &Waiting) -> u64 {
        let Resting::Packed(state) = &path.state else {
            panic!("the state was packed")
        };
        u64::from_le_bytes((**state).try_into().expect("the bytes of a number"))
    }

    /// Paths come and go at random: each that goes is the first one in the order whose turn it is, and is as it came.
    #[test]
    fn the_first_path_of_an_order_goes() {
        let orders = [Order::Depth, Order::Novelty, Order::NovelDistance, Order::Breadth];
        let mut room = Room::new(&orders);
        let mut waiting: Vec<(u64, Standing)> = Vec::new();
        let mut count = 0;
        let mut gone = 0;
        for round in 0..40_000 {
            let [kind, decisions, rank, distance, ..] = lot(1, round).to_le_bytes();
            let order = orders[room.turn];
            match kind {
                0..8 => room.pass(),
                // More come at first, and more go later.
                8.. if u64::from(kind) > round / 200 => {
                    let standing = Standing {
                        decisions: u32::from(decisions) * 8,
                        rank: u32::from(rank % 8),
                        distance: match distance {
                            0..16 => Distance::INFINITE,
                            _ => Distance::new(distance.into()),
                        },
                    };
                    room.push(path(count, standing));
                    assert!(
                        room.gone <= room.len().max(FEW_CHAIRS),
                        "paths that are gone leave the queues"
                    );
                    waiting.push((count, standing));
                    count += 1;
                }
                8.. => {
                    let first = waiting
                        .iter()
                        .map(|&(serial, standing)| (order.key(standing, serial), std::cmp::Reverse(serial)));
                    let first = first.min().map(|(_, std::cmp::Reverse(serial))| serial);
                    let popped = room.pop();
                    assert_eq!(popped.as_ref().map(serial), first);
                    let Some(popped) = popped else { continue };
                    let at = waiting.iter().position(|(serial, _)| Some(*serial) == first);
                    let (serial, standing) = waiting.swap_remove(at.expect("it waits"));
                    let came = path(serial, standing);
                    assert_eq!(
                        (popped.choices, popped.stored, popped.trail),
                        (came.choices, came.stored, came.trail)
                    );
                    assert_eq!(
                        (popped.length, popped.standing.distance),
                        (came.length, standing.distance)
                    );
                    gone += 1;
                }
            }
            assert_eq!(room.len(), waiting.len());
        }
        assert!(gone > 4000, "{gone} paths went");
        let (old, new) = (orders[room.turn], Order::Distance);
        waiting.sort_by_key(|&(serial, standing)| (old.key(standing, serial), serial));
        waiting.reverse();
        let infinite = Standing {
            distance: Distance::INFINITE,
            ..waiting[0].1
        };
        let stand = |path: &Waiting| {
            if serial(path).is_multiple_of(2) {
                infinite
            } else {
                path.standing
            }
        };
        room.reorder(&[new], stand);
        waiting.sort_by_key(|&(serial, standing)| match serial % 2 {
            0 => new.key(infinite, 0),
            _ => new.key(standing, 0),
        });
        let gone = std::iter::from_fn(|| room.pop());
        assert!(
            gone.map(|path| serial(&path))
                .eq(waiting.iter().map(|(serial, _)| *serial)),
            "all others were there, and have their new places"
        );
    }
}
