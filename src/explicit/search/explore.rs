//! Exploration: all paths, depth first, each one executed in place.
//!
//! A state is stored only where paths may meet again: at loop heads, at joins and at entries of recursive functions, and only if there was a
//! choice since the last stored one. A state that arrives there and is [the same](crate::explicit::state::same) as a stored state has nothing new behind it. On a
//! stretch without choices, where the path is a line even if it reads inputs, a single state is kept for comparison, at distances that double
//! (Brent, "An improved Monte Carlo factorization algorithm", BIT 1980), so that an endless loop is seen to be one.
//!
//! With [`Explorer::take_shortcuts`], ways are taken at once, and states without names are looked up at further places: see `rounds`.
//!
//! # Order
//!
//! Of two ways the first is followed to its end, then the other one: errors tend to be deep, and few states wait. But a path with many choices has
//! to wait for those with fewer, in steps of `PATIENCE` choices: so a loop that an input can keep going does not starve what follows it.
//!
//! This fails if each round of a loop has many paths, as in the program of a reactive system: of a tree with millions of leaves near the root, it sees one
//! corner. From [`Explorer::seek`] on, other [orders](super::waiting) decide which path goes on, such as the novelty of states and the distance to a target.

mod paths;
mod rounds;
mod senses;

use super::landmark::Landmarks;
use super::stored::{Stored, Trails};
use super::waiting::{Order, Resting, Room, Standing, Waiting};
use crate::cfa::analysis::distances::{Distance, Distances};
use crate::cfa::analysis::graph::before_targets;
use crate::cfa::{EdgeId, NodeId, Step};
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::shift::Shifts;
use crate::explicit::shortcut::Shortcuts;
use crate::explicit::state::State;
use crate::explicit::state::assertion::{Owners, Precision, abstracted};
use crate::explicit::state::packed::words::Writer;
use crate::explicit::state::same::{covers, hash, reachable_symbols};
use crate::explicit::step::machine::{Alternative, Guide, Halt, Machine};
use provident_smt::hash::FxHashMap;
use rounds::{LOOKUP, Meetings, Round, WIDEST_ROUND};
use senses::Senses;
use std::rc::Rc;

/// Pairs of remembered results that it costs a step to compare.
const REMEMBERED: usize = 8;
/// Stored states that a new one is compared with at most, the latest first. Not to find the one that covers it costs time, nothing else.
const MAX_COMPARED: usize = 32;
/// States without names need as much memory as one with many symbols.
const CANONICAL: u64 = 8;
/// Facts that are kept before it is asked which of them are still needed.
const MANY_FACTS: usize = 6;
/// States with more facts than this cost memory in proportion while they wait.
const LARGE_STATE: usize = 64;

/// Why the exploration pauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The path has just taken an edge of interest.
    Target(EdgeId),
    /// Every path was followed to its end, or to a state that was explored.
    Complete,
    /// The path does something that is not modelled; it is given up.
    Unmodelled(&'static str),
    /// The steps are used up, or the room for stored states.
    Exhausted,
    /// The path stands where the program is cut into blocks, at a state that no stored one covers. Or, where paths are [kept apart](Explorer::keep_apart), it has ended, or has taken a
    /// decision and has approximated something: it may be none of the program.
    Cut,
}

/// A stretch of a path without choices.
struct Stretch {
    anchor: Option<State>,
    visits: u64,
    next: u64,
}

impl Stretch {
    fn new() -> Stretch {
        Stretch {
            anchor: None,
            visits: 0,
            next: 16,
        }
    }
}

/// The exploration.
pub struct Explorer<'c, 'p> {
    machine: Machine<'c, 'p>,
    targets: Vec<bool>,
    waiting: Room,
    /// The current path, as the orders see it.
    standing: Standing,
    senses: Senses,
    /// The steps of one turn of an order, and the step at which the current turn ends.
    turns: (u64, u64),
    trails: Trails,
    /// How often paths got other numbers.
    numbering: u32,
    stored: Stored,
    trail: u32,
    length: u64,
    stretch: Stretch,
    /// Whether the current state was looked up already.
    resumed: bool,
    /// Whether the current path has ended.
    ended: bool,
    /// Whether states where the program is cut into blocks are of interest.
    cuts: bool,
    /// Whether each path is followed alone to its end.
    apart: bool,
    /// The edges of the paths that are followed; all if there are none.
    way: Vec<bool>,
    /// The part of states that is kept there; everything if there is none.
    precision: Option<(Precision, Owners)>,
    /// The ways that are taken at once, if that is wanted.
    shortcuts: Option<Shortcuts>,
    /// Shifts up to which states count as one, if that is wanted.
    shifts: Option<Shifts>,
    /// The round that the current path is in.
    round: Option<Round>,
    /// Whether there was a choice since the last state was stored where a cycle is cut.
    chose: bool,
    /// Whether the path has passed a join since then where states are not looked up any more.
    skipped: bool,
    /// Whether all ways of the current state may be taken at once.
    has_ways: bool,
    /// How often canonical states were looked for where paths join, and found.
    meetings: FxHashMap<NodeId, Meetings>,
    /// Facts that were left when it was last asked.
    needed_facts: usize,
    /// Steps of the ways that were taken at once, and were known.
    leapt: u64,
    /// The effort to record ways, in steps.
    recording: u64,
    /// Steps taken, with the effort of storing states.
    pub steps: u64,
    /// States stored.
    pub states: u64,
    /// Those of them without names.
    canonical: u64,
    /// Whether a path with a target before it has ended, because a state on it was explored before. Otherwise all paths to targets were explored one by one.
    pub has_joined: bool,
    /// The locations before which a target lies under some call stack.
    before_targets: Vec<bool>,
}

impl<'c, 'p> Explorer<'c, 'p> {
    /// The exploration from the program's start.
    pub fn new(code: &'c Compiled<'p>, targets: impl Iterator<Item = EdgeId>) -> Self {
        let mut interesting = vec![false; code.program.edges.len()];
        for edge in targets {
            interesting[edge.index()] = true;
        }
        let edges = code.program.edge_ids().filter(|edge| interesting[edge.index()]);
        let before_targets = before_targets(code.program, edges);
        Explorer {
            machine: Machine::new(code, State::initial(code), Guide::Explore(Vec::new())),
            targets: interesting,
            waiting: Room::new(&[Order::Depth]),
            standing: Standing {
                decisions: 0,
                rank: 0,
                distance: Distance::INFINITE,
            },
            senses: Senses::default(),
            turns: (u64::MAX, u64::MAX),
            trails: Trails::default(),
            numbering: 0,
            stored: Stored::default(),
            trail: 0,
            length: 0,
            stretch: Stretch::new(),
            resumed: false,
            ended: false,
            cuts: false,
            apart: false,
            way: Vec::new(),
            precision: None,
            shortcuts: None,
            shifts: None,
            round: None,
            chose: true,
            skipped: false,
            has_ways: false,
            meetings: FxHashMap::default(),
            needed_facts: 0,
            leapt: 0,
            recording: 0,
            steps: 0,
            states: 0,
            canonical: 0,
            has_joined: false,
            before_targets,
        }
    }

    /// Pauses with [`Event::Cut`] where the program is cut into blocks.
    pub fn pause_at_cuts(&mut self) {
        self.cuts = true;
    }

    /// Keeps of states only what a precision says, wherever the program is cut into blocks.
    pub fn abstract_at_cuts(&mut self, precision: Precision) {
        self.precision = Some((precision, Owners::new(self.machine.code)));
        self.machine.forgets = true;
    }

    /// Follows each path alone to its end, without regard to states that were there before, and pauses with [`Event::Cut`] there and at its decisions from the first approximation on.
    pub fn keep_apart(&mut self) {
        assert!(!self.cuts, "who looks at the cuts wants stored states");
        assert!(
            self.shifts.is_none(),
            "who wants each path wants its states as they are"
        );
        self.apart = true;
    }

    /// Gives up each path that takes another edge than these.
    pub fn keep_to(&mut self, edges: impl IntoIterator<Item = EdgeId>) {
        self.way = vec![false; self.targets.len()];
        for edge in edges {
            self.way[edge.index()] = true;
        }
    }

    /// Lets states count as one that differ by a [shift](crate::explicit::shift), where a shifted variable has many values.
    pub fn merge_shifts(&mut self) {
        assert!(!self.apart, "who wants each path wants its states as they are");
        self.shifts = Some(Shifts::default());
    }

    /// Whether the current path has come to its end, where paths are [kept apart](Explorer::keep_apart).
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Gives the current path up.
    pub fn give_up(&mut self) {
        self.ended = true;
    }

    /// Follows unknown pointers: each is taken to point to an object of its own, and to go on elsewhere is [not modelled](Event::Unmodelled).
    pub fn imagine_objects(&mut self) {
        self.machine.imagines = true;
    }

    /// Whether an unknown pointer was followed.
    pub fn has_imagined(&self) -> bool {
        self.machine.imagined
    }

    /// From here on, the waiting paths go on in these orders, each for `turn` steps, then the next one. Orders that ask for distances need `distances`.
    pub fn seek(&mut self, orders: &[Order], turn: u64, distances: Option<Distances>) {
        assert!(!self.cuts, "who looks at the cuts wants each of them at once");
        assert!(turn > 0, "each order has its turn");
        assert!(
            distances.is_some() || !orders.iter().any(|order| order.measures()),
            "a distance is measured"
        );
        let code = self.machine.code;
        self.turns = (turn, self.steps.saturating_add(turn));
        let ranks = orders.iter().any(|order| order.ranks());
        self.senses = Senses {
            kinds: ranks.then(|| (Box::new(Landmarks::new(code)), FxHashMap::default())),
            distances,
        };
        self.waiting.reorder(orders, |path| match &path.state {
            Resting::Whole(state) => self.senses.stand(code, path.standing, state),
            Resting::Packed(packed) => {
                let state = self.stored.parts.unpack(packed);
                self.senses.stand(code, path.standing, &state)
            }
            Resting::Stored(number) => self.senses.stand(code, path.standing, &self.stored.get(*number)),
        });
        self.standing = self.senses.stand(code, self.standing, &self.machine.state);
    }

    /// The current state.
    pub fn state(&self) -> &State {
        &self.machine.state
    }

    /// Loses interest in an edge.
    pub fn ignore(&mut self, edge: EdgeId) {
        self.targets[edge.index()] = false;
    }

    /// A number of the choices of the current path: two paths with the same number have the same choices.
    pub fn trail(&self) -> u64 {
        u64::from(self.numbering) << u32::BITS | u64::from(self.trail)
    }

    /// The choices and the number of steps of the current path.
    pub fn path(&self) -> (Vec<u8>, u64) {
        (self.trails.choices(self.trail), self.length)
    }

    /// Whether the memory that so many states may need is used up, or all room for them. 0 stands for any number.
    pub fn is_crowded(&self, most: u64) -> bool {
        let canonical = self.canonical - self.canonical / CANONICAL;
        self.stored.is_full() || most > 0 && self.states - canonical >= most
    }

    /// Whether the current path is determined by its inputs as far as they are known.
    pub fn is_exact(&self) -> bool {
        !self.machine.state.inexact
    }

    /// Explores until there is an event, for at most this number of steps in all.
    pub fn run(&mut self, limit: u64) -> Event {
        loop {
            if self.ended {
                match self.next_path() {
                    true => self.ended = false,
                    false => return Event::Complete,
                }
            }
            if self.steps >= limit || self.stored.is_full() {
                return Event::Exhausted;
            }
            if self.steps >= self.turns.1 {
                self.turns.1 = self.steps.saturating_add(self.turns.0);
                self.waiting.pass();
            }
            let code = self.machine.code;
            let node = code.node(self.machine.state.node);
            if let Some((precision, owners)) = self.precision.as_mut().filter(|_| node.cut && !self.resumed) {
                abstracted(code, owners, &mut self.machine.state, precision);
                forget(code, &mut self.machine.state);
                // Other paths may come to what is left, even if this one was a line.
                self.machine.open = true;
            }
            if node.cut && !self.resumed {
                self.shift();
            }
            if node.stop && !self.resumed && self.is_covered() {
                self.ended = true;
                match self.apart {
                    true => return Event::Cut,
                    false => continue,
                }
            }
            if self.cuts && !self.resumed && node.cut {
                self.resumed = true;
                return Event::Cut;
            }
            self.resumed = false;
            let has_ways = std::mem::take(&mut self.has_ways);
            if node.stop && !self.machine.open && self.take_shortcut(has_ways) {
                continue;
            }
            self.steps += 1;
            self.machine.begin();
            let taken = self.machine.step();
            self.steps += std::mem::take(&mut self.machine.effort);
            if !self.machine.made.is_empty() {
                self.branch();
            }
            assert!(
                self.machine.given.is_empty() || matches!(taken, Err(Halt::Unguided | Halt::Unmodelled(_))),
                "a step that is taken again has the same choices"
            );
            self.machine.given.clear();
            match taken {
                Ok(Some(step)) => {
                    self.length += 1;
                    if self.way.get(step.edge().index()) == Some(&false) {
                        self.ended = true;
                        continue;
                    }
                    if let Step::Edge(edge) | Step::Enter(edge) = step
                        && self.targets[edge.index()]
                    {
                        return Event::Target(edge);
                    }
                    if self.apart && self.machine.state.inexact && !self.machine.made.is_empty() {
                        return Event::Cut;
                    }
                }
                Ok(None) | Err(Halt::Blocked) => {
                    self.ended = true;
                    if self.apart {
                        return Event::Cut;
                    }
                }
                Err(Halt::Unmodelled(what)) => {
                    self.ended = true;
                    return Event::Unmodelled(what);
                }
                Err(Halt::Unguided) => {
                    self.ended = true;
                    return Event::Unmodelled("a choice that was not made");
                }
            }
        }
    }

    /// Whether symbols are put into states where the current state is.
    fn is_shifted(&self) -> bool {
        (self.shifts.as_ref()).is_some_and(|shifts| shifts.act_at(self.machine.state.node))
    }

    /// Puts symbols into the current state, if it is one of many that differ by a shift.
    fn shift(&mut self) {
        let Some(shifts) = &mut self.shifts else { return };
        let (code, state) = (self.machine.code, &mut self.machine.state);
        self.steps += shifts.note(code, state);
        if shifts.shift(code, state) {
            forget(code, state);
            self.steps += u64::try_from(state.weight() / 4).expect("a state fits into memory");
            // Other paths may come to what is left, even if this one was a line.
            self.machine.open = true;
        }
    }

    /// Notes the choices of the last step and what they left.
    fn branch(&mut self) {
        let before = self.trail;
        let Guide::Explore(alternatives) = &mut self.machine.guide else {
            unreachable!("an exploration explores")
        };
        let is_round = self.round.as_ref().is_some_and(|round| round.open.len() < WIDEST_ROUND);
        for Alternative { state, choices } in std::mem::take(alternatives) {
            let standing = match is_round {
                true => self.standing,
                false => Standing {
                    distance: self.senses.distance(self.machine.code.program, &state),
                    ..self.standing
                },
            };
            let path = Waiting {
                state: if is_round {
                    Resting::Whole(state)
                } else {
                    self.resting(state)
                },
                choices: choices.into(),
                stored: true,
                trail: before,
                length: self.length,
                standing,
            };
            match &mut self.round {
                Some(round) if is_round => round.open.push(path),
                _ => self.waiting.push(path),
            }
        }
        self.chose = true;
        for &choice in &self.machine.made {
            self.trail = self.trails.push(self.trail, choice);
        }
        if self.trails.are_many() {
            self.forget_trails();
        }
        self.standing.decisions += self.weight(self.machine.state.node);
        if is_round {
            self.steps += 2;
            return;
        }
        let state = &self.machine.state;
        let touched = state.facts.len() + state.below.len() / 4 + state.top.slots.len() / 4;
        // Large states that wait for their turn cost memory above all.
        let touched = touched / 4 + 4 * state.facts.len().saturating_sub(LARGE_STATE);
        self.steps += 4 + u64::try_from(touched).expect("a state fits into memory");
    }

    /// Whether what comes after the current state needs no exploration here: because it is explored elsewhere, or later. Otherwise the state is
    /// stored, where it has to be.
    fn is_covered(&mut self) -> bool {
        let code = self.machine.code;
        if !self.machine.open {
            let node = code.node(self.machine.state.node);
            if !node.cut {
                return false;
            }
            // Behind a choice, several paths may come to what the last stretch has made of their states. One that may be none of the program stands for itself.
            let may_meet = self.chose && self.shortcuts.is_some() && !self.machine.state.inexact;
            if may_meet && self.machine.state.make_canonical(code) {
                self.steps += LOOKUP;
                return self.is_known();
            }
            if !self.skipped {
                return node.loop_head && self.is_endless();
            }
        }
        self.skipped = false;
        self.standing.distance = self.senses.distance(code.program, &self.machine.state);
        if self.round.is_none() && !self.waiting.order().ranks() && self.postpone(false) {
            return true;
        }
        self.stretch = Stretch::new();
        if self.apart {
            self.machine.open = false;
            return false;
        }
        let state = &mut self.machine.state;
        state.settle_objects();
        let is_related = !state.facts.relations.is_empty() || !state.memo.is_empty();
        if is_related || state.facts.len() > MANY_FACTS.max(2 * self.needed_facts) {
            forget(code, state);
            self.needed_facts = state.facts.len();
        }
        let weight = u64::try_from(state.weight() / 4).expect("a state fits into memory");
        if self.shortcuts.is_some() && state.make_canonical(code) {
            self.steps += LOOKUP + weight / 4;
            return self.is_known();
        }
        self.steps += weight;
        let hash = hash(code, state);
        for stored in self.stored.with_hash(hash).take(MAX_COMPARED) {
            if covers(code, &stored, state) {
                self.has_joined |= self.before_targets[state.node.index()];
                return true;
            }
            let facts = stored.memo.len() * state.memo.len() / REMEMBERED;
            self.steps += weight / 4 + u64::try_from(facts).expect("few facts");
        }
        self.stored.insert(hash, state);
        self.states += 1;
        if self.senses.kinds.is_some() {
            self.standing = self.senses.stand(code, self.standing, &self.machine.state);
        }
        if self.round.is_some() {
            let state = self.resting(Rc::new(self.machine.state.clone()));
            let path = self.resting_path(state);
            self.round.get_or_insert_default().new.push(path);
            return true;
        }
        if self.waiting.order().ranks() && self.postpone(true) {
            return true;
        }
        self.machine.open = false;
        false
    }

    /// Whether a stretch without choices has come back to where it was. The rest of the path takes the edges again that it has taken since, as in `ERROR: goto ERROR;`: it joins no other path.
    fn is_endless(&mut self) -> bool {
        let code = self.machine.code;
        let state = &mut self.machine.state;
        let stretch = &mut self.stretch;
        if let Some(anchor) = &stretch.anchor
            && anchor.node == state.node
            && covers(code, anchor, state)
        {
            return true;
        }
        stretch.visits += 1;
        if stretch.visits == stretch.next {
            stretch.next *= 2;
            if !state.memo.is_empty() {
                forget(code, state);
            }
            stretch.anchor = Some(state.clone());
            self.steps += u64::try_from(state.weight() / 4).expect("a state fits into memory");
        }
        false
    }
}

/// Forgets the facts about symbols that no value mentions any more: they would keep the state from covering others.
fn forget(code: &Compiled<'_>, state: &mut State) {
    let mut needed = reachable_symbols(code, state);
    state.memo.retain(&mut needed);
    state.facts.retain(|id| needed.contains(&id));
}
