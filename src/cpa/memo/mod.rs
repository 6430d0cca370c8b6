//! Block-abstraction memoization: functions and loops that are explored once for all the ways to them that are alike.
//!
//! Wonisch and Wehrheim, *Predicate analysis with block-abstraction memoization*, ICFEM 2012; for any domain and with recursion Beyer and Friedberger, *Domain-independent interprocedural
//! program analysis using block-abstraction memoization*, ESEC/FSE 2020.
//!
//! A *block* is the body of a function, or a loop. At its entry the operator `reduce` of the data domain drops what the block cannot see, and the block is explored for itself, with nothing below it on the
//! call stack. Its exit states are the *summary*: the operator `expand` brings back behind the block what `reduce` dropped. The summary is kept under everything that it depends on
//! ([`Key`] and the reduced state), and is found again by every call that is the same in all of it: in another calling context, in another round of a loop around it, in a later exploration after a refinement elsewhere, or in
//! the recursion.
//!
//! The block of a call is left at the function's exit. That of a [loop](loops) has several exits, one for each location outside to which an edge leads. Its exploration ends there, and each of its states
//! there is an exit. Loops in loops, in functions, and in loops of functions that a loop calls are blocks inside of blocks.
//!
//! # Recursion
//!
//! A call whose block is being explored with the same reduced state has, at first, the exits that were found so far: none. When the exploration of the block ends and has used them, and there
//! are exits that none of the used ones covers, the block is explored again with these too, until there is nothing new. Then the used exits are inductive: an execution of the block with n nested
//! calls ends in one of them if those with fewer do. A block inside that used exits of an outer one that is not finished is valid only until these become more; it is remembered for that long.
//!
//! Targets inside of a recursive call need no such rounds. The entry of the block is the same, so the block has the target itself.
//!
//! Each frame of a recursion has its variables in memory at other addresses. In a block, these are relative to a symbol that stands for the place of the frame, so a summary holds for all
//! frames ([`Encoder::move_frames`](crate::encode::Encoder::move_frames)).
//!
//! # What is not kept
//!
//! A block whose exploration was interrupted, or in which the solver did not know, is not kept: the next call explores it again. After [`Memo::forget`] nothing is.
//!
//! | module | does |
//! |---|---|
//! | [`blocks`] | which parts of a program are blocks |
//! | [`loops`] | which loops are |
//! | `pass` | the way through a block |

pub mod blocks;
pub mod loops;
mod pass;

use super::automaton::ValuesId;
use super::callstack::Block;
use super::tracking::TrackedId;
use blocks::ProgramBlocks;
use provident_smt::hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Everything that a summary depends on, besides the reduced state and the program: all by which two explorations of a block may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    /// The block.
    block: Block,
    /// The properties that its entry tracks.
    tracked: TrackedId,
    /// The properties that are switched on.
    enabled: TrackedId,
    /// The values of what tracks specification automata, at its entry.
    values: ValuesId,
    /// The reduced precision.
    precision: u64,
}

/// A block that was explored, or is being explored, from one reduced state.
#[derive(Debug)]
struct Entry<S> {
    /// The reduced state.
    state: S,
    /// The exits: all of them, or those found so far.
    exits: Vec<S>,
    /// The target states in it, also in blocks that it calls.
    targets: Vec<S>,
    validity: Validity,
    /// The states and calls of its last exploration, if they are kept.
    shown: Shown<S>,
}

/// The states and calls of an exploration.
#[derive(Debug)]
struct Shown<S> {
    /// The states that it reached, its first one and its exits among them, without those that others cover.
    states: Vec<S>,
    /// The states at the entries of blocks that it called, with the positions of the summaries that were used there.
    calls: Vec<(S, usize)>,
}

impl<S> Default for Shown<S> {
    fn default() -> Self {
        Shown {
            states: Vec::new(),
            calls: Vec::new(),
        }
    }
}

/// A summary with the exploration that shows it.
#[derive(Debug)]
pub struct Summary<'m, S> {
    /// The reduced state at the entry.
    pub entry: &'m S,
    /// The states that were reached, without those that others cover.
    pub states: &'m [S],
    /// The states at the entries of blocks inside, with the positions of the summaries that were used there.
    pub calls: &'m [(S, usize)],
}

/// How long a summary holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Validity {
    /// For ever.
    Complete,
    /// The block is being explored; its place among the open ones.
    Open(usize),
    /// As long as the exits of open blocks stay the same: the epoch, and the places of the open blocks that it depends on, as bits.
    Until(u64, u64),
    /// Not at all.
    Never,
}

/// A block that is being explored.
#[derive(Debug)]
struct Open {
    entry: usize,
    /// The places of the open blocks whose exits were used, as bits.
    rests_on: u64,
    /// The epoch since which its exits are the same.
    since: u64,
    /// Whether the exits found so far were used by a call inside.
    is_used: bool,
}

/// How often blocks were entered, by calls or at heads of loops, and why they were explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MemoCounters {
    /// Entries whose summary was there.
    pub hits: u64,
    /// Entries in a recursion whose summary is being made.
    pub recursive: u64,
    /// Entries of blocks that were never entered before.
    pub new_blocks: u64,
    /// Entries of blocks that were entered before with other values of automata or other tracked properties only.
    pub other_control: u64,
    /// Entries of blocks whose reduced precision has changed since.
    pub other_precision: u64,
    /// Entries of blocks that were entered before, under the same precision, from other reduced states only.
    pub other_state: u64,
    /// Entries of blocks whose summary was not kept: it was interrupted, or rested on a recursion that was not finished.
    pub not_kept: u64,
    /// Rounds of recursive blocks after the first one.
    pub rounds: u64,
    /// Abstract states in blocks that were expanded.
    pub expanded: u64,
}

/// The limits of explorations of blocks.
#[derive(Debug, Clone, Default)]
struct Limits {
    interrupt: Option<Arc<AtomicBool>>,
    /// The most states that may be expanded.
    states: u64,
    /// How many were.
    expanded: Arc<AtomicU64>,
}

/// The most blocks that are open at the same time: an exploration is a frame on the machine's stack. Each has its bit in [`Open::rests_on`].
const MAX_OPEN: usize = 64;

/// The memory of block abstractions.
#[derive(Debug)]
pub struct Memo<S> {
    /// Which parts of the program are blocks.
    pub blocks: ProgramBlocks,
    /// The counters.
    pub counters: MemoCounters,
    entries: Vec<Entry<S>>,
    known: FxHashMap<Key, Vec<usize>>,
    open: Vec<Open>,
    /// Grows whenever the exits of an open block become more, or one is opened.
    epoch: u64,
    limits: Limits,
    /// Whether calls were nested too deep.
    is_too_deep: bool,
    /// Whether explorations of blocks are kept, for a certificate.
    is_keeping: bool,
    /// The states at the entries of blocks that the exploration from the program's start called, with the positions of the summaries.
    outer_calls: Vec<(S, usize)>,
}

impl<S> Memo<S> {
    /// The empty memory.
    pub fn new(blocks: ProgramBlocks) -> Self {
        Memo {
            blocks,
            counters: MemoCounters::default(),
            entries: Vec::new(),
            known: FxHashMap::default(),
            open: Vec::new(),
            epoch: 0,
            limits: Limits::default(),
            is_too_deep: false,
            is_keeping: false,
            outer_calls: Vec::new(),
        }
    }

    /// From now on the explorations of blocks are kept, see [`Memo::summary`].
    pub fn keep_explorations(&mut self) {
        self.is_keeping = true;
    }

    /// Notes that an exploration from the program's start begins.
    pub fn begin(&mut self) {
        self.outer_calls.clear();
    }

    /// The states at the entries of blocks that the last exploration from the program's start called, with the positions of the summaries that were used there; none unless they are kept.
    pub fn outer_calls(&self) -> &[(S, usize)] {
        &self.outer_calls
    }

    /// The summary at a position with its exploration, which is empty unless it is kept.
    pub fn summary(&self, at: usize) -> Summary<'_, S> {
        let Entry { state, shown, .. } = &self.entries[at];
        Summary {
            entry: state,
            states: &shown.states,
            calls: &shown.calls,
        }
    }

    /// Notes which summary a call was given.
    fn note_call(&mut self, state: &S, summary: usize)
    where
        S: Clone,
    {
        if !self.is_keeping {
            return;
        }
        let calls = match self.open.last() {
            Some(open) => &mut self.entries[open.entry].shown.calls,
            None => &mut self.outer_calls,
        };
        calls.push((state.clone(), summary));
    }

    /// Forgets all summaries: for changes that no [`Key`] tells, such as new interest in a violation.
    pub fn forget(&mut self) {
        assert!(self.open.is_empty(), "nothing is forgotten inside of an exploration");
        self.entries.clear();
        self.known.clear();
    }

    /// Sets the limits for what follows: the most states in blocks that may be expanded from now on, and the flag that ends everything.
    pub fn limit(&mut self, states: u64, interrupt: Arc<AtomicBool>) {
        let expanded = self.limits.expanded.load(Ordering::Relaxed);
        self.limits.states = expanded.saturating_add(states);
        self.limits.interrupt = Some(interrupt);
    }

    /// How many states in blocks were expanded so far.
    pub fn expanded(&self) -> u64 {
        self.limits.expanded.load(Ordering::Relaxed)
    }

    /// Whether calls were nested so deep that the exploration gave up.
    pub fn is_too_deep(&self) -> bool {
        self.is_too_deep
    }

    /// Notes that the open block at a place was used.
    fn depend_on(&mut self, place: usize) {
        self.open[place].is_used = true;
        self.rest_on(1 << place);
    }

    /// Notes that what is being explored rests on the open blocks at these places.
    fn rest_on(&mut self, places: u64) {
        if let Some(current) = self.open.last_mut() {
            current.rests_on |= places;
        }
    }

    /// A block is finished: its exits are final as long as those of the open blocks at the places `outer` stay the same. So what was found with these exits rests on those blocks instead.
    ///
    /// Otherwise each function of a recursion would be explored anew on every way through the others.
    fn finish(&mut self, open: &Open, place: usize, outer: u64) {
        let inside = open.entry + 1;
        for Entry { validity, .. } in &mut self.entries[inside..] {
            let Validity::Until(epoch, places) = *validity else {
                continue;
            };
            if epoch < open.since || places >> place & 1 == 0 {
                continue;
            }
            let places = places & !(1 << place) | outer;
            *validity = match places {
                0 => Validity::Complete,
                _ => Validity::Until(epoch, places),
            };
        }
    }

    /// Whether the open blocks at these places are those that were open in an epoch, with the same exits.
    fn are_unchanged(&self, epoch: u64, places: u64) -> bool {
        (0..MAX_OPEN)
            .filter(|place| places >> place & 1 == 1)
            .all(|place| self.open.get(place).is_some_and(|open| open.since <= epoch))
    }
}
