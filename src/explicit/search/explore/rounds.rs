//! Rounds: the ways from one stored state to the next ones, where states have no names.
//!
//! A [canonical](State::make_canonical) state is looked up by its bytes, and most of what a reactive system does in a round leads to a state that was there before. So all paths
//! of a round are followed at once, up to the next place where a state is looked up; only those that come to new states wait, each with the place of its state. Where all ways of a state are
//! [known](crate::explicit::shortcut), each of them is one change of the state, which is taken back after the look.
//!
//! Where cycles are cut, a canonical state is looked up behind each choice, even if a stretch without choices leads there: several states become one by such a stretch. An exception are inexact states, whose paths may be none of the
//! program: of two paths to such a state only the second one may be feasible. Where paths join, states are looked up as long as some of them are known.

use super::{Explorer, Resting, Waiting};
use crate::explicit::shortcut::{Goal, Shortcuts};
#[cfg(doc)]
use crate::explicit::state::State;
use std::rc::Rc;

/// Steps that it costs to look for a canonical state behind single steps.
pub(super) const LOOKUP: u64 = 8;
/// Those behind a way that is taken at once, and how many plain variables make it cost a step more.
const QUICK_LOOKUP: u64 = 2;
const VARIABLES: usize = 16;
/// An exploration is swift if its ways have more than this number of times as many steps as it is charged with.
const SWIFT: u64 = 2;
/// Paths of a round that are followed at once.
pub(super) const WIDEST_ROUND: usize = 64;
/// States that are looked for at a place before it is asked whether it is worth it, and the part of them that has to be known there.
const MANY_MEETINGS: u32 = 1000;
const RARE_MEETINGS: u32 = 16;

/// The way from a [canonical](State::make_canonical) state to the next places where states are looked up. Most of its paths come to states that were stored before, and end there; the others wait when all of the round were
/// followed.
#[derive(Default)]
pub(super) struct Round {
    /// Paths that are still to be followed, the next one last.
    pub open: Vec<Waiting>,
    /// Paths that came to new states.
    pub new: Vec<Waiting>,
}

/// How often a state that came to a place was known there.
#[derive(Clone, Copy, Default)]
pub(super) struct Meetings {
    all: u32,
    known: u32,
}

impl Meetings {
    fn note(&mut self, is_known: bool) {
        self.all = self.all.saturating_add(1);
        self.known = self.known.saturating_add(is_known.into());
    }

    /// Whether it is hardly ever worth it to look.
    fn are_rare(self) -> bool {
        self.all >= MANY_MEETINGS && self.known < self.all / RARE_MEETINGS
    }
}

impl Explorer<'_, '_> {
    /// Takes [ways](crate::explicit::shortcut) at once where they were taken before, and looks up canonical states round by round. The edges that can be taken are the same; states are stored at other
    /// places, and paths come in another order.
    pub fn take_shortcuts(&mut self) {
        self.shortcuts = Some(Shortcuts::default());
    }

    /// Whether most of its way are [shortcuts](crate::explicit::shortcut) that were known: then it comes many times as far as its steps say. To record them is an effort that ends.
    pub fn is_swift(&self) -> bool {
        self.leapt > SWIFT * (self.steps - self.recording)
    }

    /// Whether the current state, a canonical one that is stored, may take all its ways at once: where cycles are cut, and if it is exact, because the states to which they lead are looked up.
    pub(super) fn may_have_ways(&self) -> bool {
        self.machine.code.node(self.machine.state.node).cut && !self.machine.state.inexact
    }

    /// Takes a stretch at once, or all ways with choices. False if there is none.
    pub(super) fn take_shortcut(&mut self, has_ways: bool) -> bool {
        let Some(mut shortcuts) = self.shortcuts.take() else {
            return false;
        };
        let is_plain = self.way.is_empty() && self.precision.is_none() && !self.cuts && !self.apart;
        assert!(is_plain, "who asks what lies on paths wants all of their steps");
        let code = self.machine.code;
        let taken = shortcuts.take(code, &self.targets, &mut self.machine.state, has_ways);
        if let Some(taken) = taken {
            self.steps += taken.effort + taken.recording;
            self.recording += taken.recording;
            if taken.recording == 0 {
                self.leapt += taken.length;
            }
            match taken.ways {
                0 => self.length += taken.length,
                ways => self.part(&mut shortcuts, ways),
            }
        }
        self.shortcuts = Some(shortcuts);
        taken.is_some()
    }

    /// Lets the current path end with all ways of its state: those that come to new states wait for the end of the round, others go on step by step.
    fn part(&mut self, shortcuts: &mut Shortcuts, ways: usize) {
        let code = self.machine.code;
        let (trail, length, standing) = (self.trail, self.length, self.standing);
        let state = &self.machine.state;
        let variables = state.top.slots.len() + state.globals.len();
        let lookup = QUICK_LOOKUP + u64::try_from(variables / VARIABLES).expect("few variables");
        let mut round = self
            .round
            .take()
            .expect("a canonical state that is explored begins a round");
        let opened = round.open.len();
        for number in 0..ways {
            let is_back = shortcuts.comes_back(&self.machine.state, number);
            if is_back && (!cfg!(debug_assertions) || self.is_shifted()) {
                self.steps += lookup;
                self.has_joined |= self.before_targets[self.machine.state.node.index()];
                continue;
            }
            let route = shortcuts.enter(code, &mut self.machine.state, number);
            let state = match route.goal {
                Goal::Nowhere => None,
                Goal::Lookup if !self.is_shifted() => {
                    self.steps += lookup;
                    self.looked_up().map(Resting::Stored)
                }
                Goal::Steps | Goal::Lookup => Some(Resting::Whole(Rc::new(self.machine.state.clone()))),
            };
            assert!(
                !is_back || state.is_none(),
                "the state is stored where its way comes back to it"
            );
            if let Some(state) = state {
                self.length = length + route.length;
                self.standing.decisions += route.choosers.iter().map(|&node| self.weight(node)).sum::<u32>();
                for &choice in route.choices {
                    self.trail = self.trails.push(self.trail, choice);
                }
                if let Resting::Stored(_) = state {
                    if let Some(shifts) = &mut self.shifts {
                        self.steps += shifts.note(code, &self.machine.state);
                    }
                    self.sense();
                    round.new.push(self.resting_path(state));
                } else {
                    let path = Waiting {
                        stored: false,
                        ..self.resting_path(state)
                    };
                    round.open.push(path);
                }
            }
            (self.trail, self.length, self.standing) = (trail, length, standing);
            shortcuts.leave(code, &mut self.machine.state, number);
        }
        round.open[opened..].reverse();
        self.round = Some(round);
        self.ended = true;
        if self.trails.are_many() {
            self.forget_trails();
        }
    }

    /// Looks a canonical state up, and returns its number if it is new.
    fn looked_up(&mut self) -> Option<u32> {
        let (number, is_new) = self.stored.find_or_insert(&self.machine.state);
        match is_new {
            true => (self.states, self.canonical) = (self.states + 1, self.canonical + 1),
            false => self.has_joined |= self.before_targets[self.machine.state.node.index()],
        }
        is_new.then_some(number)
    }

    /// Lets orders know the state that was just stored.
    fn sense(&mut self) {
        if self.senses.kinds.is_some() {
            self.standing = self.senses.stand(self.machine.code, self.standing, &self.machine.state);
        }
    }

    /// Whether a canonical state needs no exploration here, as in [`Explorer::is_covered`].
    pub(super) fn is_known(&mut self) -> bool {
        let code = self.machine.code;
        let node = self.machine.state.node;
        let is_cut = code.node(node).cut;
        let meetings = self.meetings.get(&node).copied().unwrap_or_default();
        // Every cycle is cut at other places, where states are looked up behind such a join.
        if !is_cut && !self.machine.state.inexact && meetings.are_rare() {
            self.machine.open = false;
            self.skipped = true;
            return false;
        }
        self.skipped = false;
        let new = self.looked_up();
        self.meetings.entry(node).or_default().note(new.is_none());
        let Some(number) = new else {
            return true;
        };
        self.chose = !is_cut;
        self.sense();
        let path = self.resting_path(Resting::Stored(number));
        match &mut self.round {
            Some(round) => {
                round.new.push(path);
                true
            }
            None if self.waiting.order().ranks() && self.waiting.goes_before(self.standing) => {
                self.waiting.push(path);
                true
            }
            None => {
                self.round = Some(Round::default());
                self.machine.open = false;
                self.has_ways = self.may_have_ways();
                false
            }
        }
    }
}
