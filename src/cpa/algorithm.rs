//! CPA++: the exploration of the reachable abstract states (Algorithm 2.1 of Lukasczyk's thesis, after Beyer, Dangl, Wendler, JAR 2018).
//!
//! Two operators are applied later than in the paper: `prec` and `stop` see a state when it is *taken from* the waitlist, not when it is put
//! in. Until then it can still be merged with others that arrive at the same location, so an abstraction is computed once
//! for all paths of a block and not once for each last edge. Because both are applied before any successor is computed, the result has the
//! same laws: every reached state is expanded or covered by a reached state.

use super::arg::{Arg, ArgId};
use super::{Adjusted, Cpa, Status};
use hashbrown::HashTable;
use provident_smt::fault::planted;
use provident_smt::hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

/// The reached set with its index by partition, and the waitlist.
#[derive(Debug)]
pub struct Reached<C: Cpa> {
    /// The reached states.
    pub arg: Arg<C::State>,
    waitlist: BTreeSet<(C::Order, ArgId)>,
    index: Index,
    merges: u64,
    expansions: u64,
}

impl<C: Cpa> Reached<C> {
    /// The reached set and waitlist that hold the initial state only.
    pub fn new(cpa: &C, initial: C::State) -> Self {
        let mut reached = Reached {
            arg: Arg::new(),
            waitlist: BTreeSet::new(),
            index: Index::default(),
            merges: 0,
            expansions: 0,
        };
        let root = reached.arg.add_root(initial);
        reached.insert(cpa, root);
        reached
    }

    /// Puts a reached state on the waitlist (again).
    pub fn enqueue(&mut self, cpa: &C, id: ArgId) {
        self.waitlist.insert((cpa.order(id, &self.arg[id].state), id));
    }

    /// Whether every reached state has been processed.
    pub fn is_complete(&self) -> bool {
        self.waitlist.is_empty()
    }

    /// The number of states whose successors were computed, and the number of merges.
    pub fn counts(&self) -> (u64, u64) {
        (self.expansions, self.merges)
    }

    /// Forgets everything below `id`, replaces the state of `id` and has it computed again, with all states that depended on removed ones.
    ///
    /// `reset` maps the state of a survivor to the one to start again from, in the same partition.
    pub fn restart_at(&mut self, cpa: &C, id: ArgId, reset: &mut dyn FnMut(&C::State) -> C::State) {
        let again = self.arg.remove_subtree(id);
        for n in again.into_iter().chain([id]) {
            let state = reset(&self.arg[n].state);
            self.replace(cpa, n, state);
            self.arg.uncover(n);
            self.enqueue(cpa, n);
        }
    }

    fn insert(&mut self, cpa: &C, id: ArgId) {
        self.index.insert(cpa, &self.arg, id);
        self.enqueue(cpa, id);
    }

    fn replace(&mut self, cpa: &C, id: ArgId, state: C::State) {
        debug_assert!(
            cpa.partition(&state) == cpa.partition(&self.arg[id].state),
            "a state stays in its partition"
        );
        self.arg[id].state = state;
    }

    /// Merges a successor into a reached state of its partition, if the analysis wants that.
    fn merge(&mut self, cpa: &mut C, parent: ArgId, step: crate::cfa::Step, new: &C::State) -> bool {
        for id in self.index.peers(cpa, &self.arg, &cpa.partition(new)) {
            let Some(merged) = cpa.merge(new, &self.arg[id].state) else {
                continue;
            };
            self.merges += 1;
            if self.arg[id].expanded {
                for n in self.arg.remove_subtree(id) {
                    self.enqueue(cpa, n);
                }
            } else {
                self.waitlist.remove(&(cpa.order(id, &self.arg[id].state), id));
            }
            self.replace(cpa, id, merged);
            self.arg.add_parent(id, parent, step);
            self.enqueue(cpa, id);
            return true;
        }
        false
    }

    fn covering(&mut self, cpa: &mut C, id: ArgId) -> Option<ArgId> {
        let partitions = cpa.covering_partitions(&self.arg[id].state);
        partitions.iter().find_map(|partition| {
            let peers = self.index.peers(cpa, &self.arg, partition);
            peers.into_iter().find(|&by| {
                let candidate = &self.arg[by];
                by != id
                    && candidate.expanded
                    && candidate.covered_by.is_none()
                    && cpa.stop(&self.arg[id].state, &candidate.state)
            })
        })
    }
}

/// The reached states by partition: for each partition its latest state, for each state the one before it. The partition itself is looked up in the
/// state, so that an entry is no bigger than a number.
#[derive(Debug, Default)]
struct Index {
    latest: HashTable<ArgId>,
    /// By state.
    before: Vec<Option<ArgId>>,
}

impl Index {
    /// Adds a state. States come in the order of computation.
    fn insert<C: Cpa>(&mut self, cpa: &C, arg: &Arg<C::State>, id: ArgId) {
        let partition = cpa.partition(&arg[id].state);
        let same = |&other: &ArgId| cpa.partition(&arg[other].state) == partition;
        let rehash = |&other: &ArgId| hash_of(&cpa.partition(&arg[other].state));
        assert_eq!(self.before.len(), id.index(), "each state is added once");
        self.before.push(None);
        let mut entry = self.latest.entry(hash_of(&partition), same, rehash);
        if let hashbrown::hash_table::Entry::Occupied(latest) = &mut entry {
            self.before[id.index()] = Some(std::mem::replace(latest.get_mut(), id));
        } else {
            entry.insert(id);
        }
    }

    /// The reached states of a partition, in order of computation. Forgets those that are reached no more.
    fn peers<C: Cpa>(&mut self, cpa: &C, arg: &Arg<C::State>, partition: &C::Partition) -> Vec<ArgId> {
        let same = |&other: &ArgId| cpa.partition(&arg[other].state) == *partition;
        let Ok(mut latest) = self.latest.find_entry(hash_of(partition), same) else {
            return Vec::new();
        };
        let mut next = Some(*latest.get());
        let mut peers: Vec<ArgId> = Vec::new();
        while let Some(id) = next {
            next = self.before[id.index()];
            if !arg.is_alive(id) {
                continue;
            }
            match peers.last() {
                Some(after) => self.before[after.index()] = Some(id),
                None => *latest.get_mut() = id,
            }
            peers.push(id);
        }
        match peers.last() {
            Some(first) => self.before[first.index()] = None,
            None => drop(latest.remove()),
        }
        peers.reverse();
        peers
    }
}

fn hash_of(partition: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    partition.hash(&mut hasher);
    hasher.finish()
}

/// Explores until the waitlist is empty, `abort` says so for an adjusted state that is to be expanded, or `interrupted` (which is told
/// how many states were expanded so far).
///
/// The state for which `abort` said yes stays reached and counts as expanded. The status is incomplete iff it was interrupted.
pub fn cpa_plus_plus<C: Cpa>(
    cpa: &mut C,
    reached: &mut Reached<C>,
    abort: &mut dyn FnMut(&C, &C::State) -> bool,
    interrupted: &mut dyn FnMut(u64) -> bool,
) -> Status {
    let mut status = Status::GOOD;
    let mut successors = Vec::new();
    while let Some((order, id)) = reached.waitlist.pop_first() {
        if !reached.arg.is_alive(id) || reached.arg[id].covered_by.is_some() {
            continue;
        }
        if interrupted(reached.expansions) {
            reached.waitlist.insert((order, id));
            return Status {
                complete: false,
                ..status
            };
        }
        let (adjusted, adjust_status) = cpa.prec(&reached.arg[id].state);
        status = status.join(adjust_status);
        match adjusted {
            Adjusted::Same => {}
            Adjusted::Changed(state) => reached.replace(cpa, id, state),
            Adjusted::Bottom => {
                reached.arg.remove_leaf(id);
                continue;
            }
        }
        if let Some(by) = reached.covering(cpa, id) {
            reached.arg.cover(id, by);
            continue;
        }
        if cpa.fcover(id, &reached.arg[id].state) {
            continue;
        }
        reached.arg[id].expanded = true;
        reached.expansions += 1;
        let state = reached.arg[id].state.clone();
        status = status.join(cpa.transfer(&state, &mut successors));
        if planted("lost-successor") {
            successors.truncate(1);
        }
        for (step, successor) in successors.drain(..) {
            if !reached.merge(cpa, id, step, &successor) {
                let child = reached.arg.add_child(id, step, successor);
                reached.insert(cpa, child);
            }
        }
        if abort(cpa, &state) {
            return status;
        }
    }
    status
}
