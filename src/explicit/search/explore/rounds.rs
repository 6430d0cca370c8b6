//! Rounds: the ways from one stored state to the next ones, where states have no names.
//!
//! A [canonical](State::make_canonical) state is looked up by its bytes, and most of what a reactive system does in a round leads to a state that was there before. So all paths
//! of a round are followed at once, up to the next place where a state is looked up; only those that come to new states wait, each with the number of its state.
//!
//! Where cycles are cut, a canonical state is looked up behind each choice, even if a stretch without choices leads there: several states become one by such a stretch. An exception are inexact states, whose paths may be none of the
//! program: of two paths to such a state only the second one may be feasible. Where paths join, states are looked up as long as some of them are known.

use super::{Explorer, Resting, Waiting};
use crate::explicit::shortcut::Shortcuts;
#[cfg(doc)]
use crate::explicit::state::State;

/// Steps that it costs to look for a canonical state.
pub(super) const LOOKUP: u64 = 8;
/// An exploration is swift if its stretches have more than this number of times as many steps as it is charged with.
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
    /// Takes [stretches](crate::explicit::shortcut) without choices at once where they were taken before, and looks up canonical states round by round. The edges that can be taken are the same; states are stored at other
    /// places, and paths come in another order.
    pub fn take_shortcuts(&mut self) {
        self.shortcuts = Some(Shortcuts::default());
    }

    /// Whether most of its way are [shortcuts](crate::explicit::shortcut): then it comes many times as far as its steps say.
    pub fn is_swift(&self) -> bool {
        self.leapt > SWIFT * self.steps
    }

    /// Takes a stretch at once. False if there is none.
    pub(super) fn take_shortcut(&mut self) -> bool {
        let Some(shortcuts) = &mut self.shortcuts else {
            return false;
        };
        let is_plain = self.way.is_empty() && self.precision.is_none() && !self.cuts && !self.apart;
        assert!(is_plain, "who asks what lies on paths wants all of their steps");
        let Some(taken) = shortcuts.take(self.machine.code, &self.targets, &mut self.machine.state) else {
            return false;
        };
        self.steps += taken.effort;
        self.length += taken.length;
        self.leapt += taken.length;
        true
    }

    /// Whether a canonical state needs no exploration here, as in [`Explorer::is_covered`].
    pub(super) fn is_known(&mut self) -> bool {
        let code = self.machine.code;
        let node = self.machine.state.node;
        let is_cut = code.node(node).cut;
        let meetings = self.meetings.entry(node).or_default();
        // Every cycle is cut at other places, where states are looked up behind such a join.
        if !is_cut && !self.machine.state.inexact && meetings.are_rare() {
            self.machine.open = false;
            self.skipped = true;
            return false;
        }
        self.skipped = false;
        let (number, is_new) = self.stored.find_or_insert(&self.machine.state);
        meetings.note(!is_new);
        if !is_new {
            self.has_joined |= self.before_targets[node.index()];
            return true;
        }
        self.states += 1;
        self.chose = !is_cut;
        if self.senses.kinds.is_some() {
            self.standing = self.senses.stand(code, self.standing, &self.machine.state);
        }
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
                false
            }
        }
    }

    /// The current path, now that its state is stored, as one that waits.
    pub(super) fn resting_path(&self, state: Resting) -> Waiting {
        Waiting {
            state,
            choices: Box::default(),
            stored: true,
            trail: self.trail,
            length: self.length,
            standing: self.standing,
        }
    }

    /// The path that goes on now that a round has ended: those of the round that came to new states wait, too.
    pub(super) fn next_waiting(&mut self) -> Option<Waiting> {
        if let Some(round) = self.round.take() {
            // The first of them goes first.
            for path in round.new.into_iter().rev() {
                self.waiting.push(path);
            }
        }
        self.waiting.pop()
    }
}
