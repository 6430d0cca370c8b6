//! The paths of an exploration: which one goes on, and what is kept of those that wait.

use super::rounds::Round;
use super::{Explorer, Resting, State, Stretch, Waiting, Writer};
use crate::cfa::NodeId;
use std::rc::Rc;

/// A choice in the C library counts as this number of choices.
const LIBRARY_CHOICE: u32 = 16;
/// Paths that wait with their states as they are; the states of more than these are packed.
const FEW_WAITING: usize = 1024;

impl Explorer<'_, '_> {
    /// Goes to the next path, which may be the current one.
    pub(super) fn next_path(&mut self) -> bool {
        let open = self.round.as_mut().and_then(|round| round.open.pop());
        let Some(waiting) = open.or_else(|| self.next_waiting()) else {
            return false;
        };
        self.machine.open = !matches!(waiting.state, Resting::Stored(_));
        self.machine.state = match waiting.state {
            Resting::Whole(state) => Rc::try_unwrap(state).unwrap_or_else(|shared| State::clone(&shared)),
            Resting::Packed(packed) => self.stored.parts.unpack(&packed),
            Resting::Stored(number) => {
                self.round = Some(Round::default());
                self.stored.get(number)
            }
        };
        self.has_ways = !self.machine.open && self.may_have_ways();
        self.chose = self.machine.open || !self.machine.code.node(self.machine.state.node).cut;
        self.resumed = waiting.stored;
        self.machine.given = waiting.choices.into_vec().into();
        self.trail = waiting.trail;
        self.standing = waiting.standing;
        self.length = waiting.length;
        self.stretch = Stretch::new();
        true
    }

    /// The state of a path that is about to wait.
    pub(super) fn resting(&mut self, state: Rc<State>) -> Resting {
        match self.waiting.len() < FEW_WAITING {
            true => Resting::Whole(state),
            false => {
                let mut words = Writer::empty();
                self.stored.parts.pack(&state, &mut words);
                Resting::Packed(words.into())
            }
        }
    }

    /// Lets the current path wait if another one that waits goes first.
    pub(super) fn postpone(&mut self, stored: bool) -> bool {
        if !self.waiting.goes_before(self.standing) {
            return false;
        }
        let state = self.resting(Rc::new(self.machine.state.clone()));
        self.waiting.push(Waiting {
            state,
            choices: Box::default(),
            stored,
            trail: self.trail,
            length: self.length,
            standing: self.standing,
        });
        true
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
    /// The weight of a choice at a node. One in a function of the C library is about the length of a text or where two of them differ: of the many ways that it
    /// has through contents that nothing is known of, the short ones come first.
    pub(super) fn weight(&self, node: NodeId) -> u32 {
        let program = self.machine.code.program;
        let function = program.node(node).func;
        if program.function(function).library {
            LIBRARY_CHOICE
        } else {
            1
        }
    }

    /// Forgets the choices of paths that have ended.
    pub(super) fn forget_trails(&mut self) {
        let numbers = {
            let round = self.round.iter().flat_map(|round| round.open.iter().chain(&round.new));
            let paths = self.waiting.trails().map(|trail| *trail).chain([self.trail]);
            self.trails.keep(paths.chain(round.map(|path| path.trail)))
        };
        let round = self
            .round
            .iter_mut()
            .flat_map(|round| round.open.iter_mut().chain(&mut round.new));
        let trails = self.waiting.trails().chain([&mut self.trail]);
        for trail in trails.chain(round.map(|path| &mut path.trail)) {
            *trail = numbers.of(*trail);
        }
        self.numbering += 1;
    }
}
