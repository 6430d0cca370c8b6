//! The tree of the tests that stretches from one node make (Gal and Franz, "Incremental dynamic code generation with trace trees", UC Irvine, TR 06-16, 2006).

use super::expression::{Expressions, Id, content};
use super::recorder::Recorded;
use crate::cfa::{EdgeId, FuncId, NodeId};
use crate::explicit::compiled::code::Slot;
use crate::explicit::state::State;

/// A test of the slots that a stretch begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Test {
    /// Whether the content of a slot is this bit pattern.
    Is(Slot, u64),
    /// Whether the content of a slot is at most this one, both after these bits were flipped: it turns the order of integers with a sign into that of bit patterns.
    AtMost(Slot, u64, u64),
    /// Whether an expression is not zero.
    Holds(Id),
}

impl Test {
    /// The answer at a state; `None` if the state does not say.
    fn answer(self, expressions: &Expressions, state: &State) -> Option<bool> {
        match self {
            Test::Is(slot, bits) => Some(content(state, slot)? == bits),
            Test::AtMost(slot, flip, most) => Some(content(state, slot)? ^ flip <= most),
            Test::Holds(id) => Some(expressions.value(id, state)? != 0),
        }
    }
}

/// The value that a slot has at the end of a stretch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// This one.
    Bits(u64),
    /// The value of an expression at the beginning.
    Expression(Id),
    /// Any.
    Unknown,
}

/// A stretch: the change that it makes.
#[derive(Debug)]
pub(super) struct Stretch {
    /// Where it ends.
    pub end: NodeId,
    /// Its number of steps.
    pub length: u64,
    /// The slots that it reads without a test or a change that depends on them.
    pub reads: Vec<Slot>,
    /// The slots that change in the frame where it begins, and of static storage.
    pub changes: Vec<(Slot, Effect)>,
    /// The frames that it opens and does not close, outermost first: function, call, slots.
    pub frames: Vec<(FuncId, EdgeId, Vec<Effect>)>,
}

enum Point {
    /// No stretch has come here.
    Open,
    Test(Test, [usize; 2]),
    End(Box<Stretch>),
}

/// The stretches from a node.
pub(super) struct Tree {
    points: Vec<Point>,
}

impl Tree {
    /// A tree without stretches.
    pub fn new() -> Tree {
        Tree {
            points: vec![Point::Open],
        }
    }

    /// The number of tests and ends.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The stretch that a state takes, if it is known and the state says so; and the number of tests.
    pub fn find(&self, expressions: &Expressions, state: &State) -> (Option<Found<'_>>, u64) {
        let (mut at, mut tests) = (0, 0);
        loop {
            match &self.points[at] {
                Point::Open => return (Some(Found::Open), tests),
                Point::End(stretch) => return (Some(Found::Stretch(stretch)), tests),
                Point::Test(test, ways) => {
                    tests += 1;
                    match test.answer(expressions, state) {
                        Some(answer) => at = ways[usize::from(answer)],
                        None => return (None, tests),
                    }
                }
            }
        }
    }

    /// Adds a stretch. False if it cannot be told from others by its tests: where a slot has no number, it ends earlier than they do.
    pub fn add(&mut self, recorded: Recorded) -> bool {
        let mut at = 0;
        for (test, answer) in recorded.tests {
            if matches!(self.points[at], Point::Open) {
                let first = self.points.len();
                self.points.extend([Point::Open, Point::Open]);
                self.points[at] = Point::Test(test, [first, first + 1]);
            }
            let Point::Test(known, ways) = &self.points[at] else {
                unreachable!("a stretch ends where it has made all of its tests")
            };
            assert_eq!(*known, test, "the tests so far decide which one is next");
            at = ways[usize::from(answer)];
        }
        let is_new = matches!(self.points[at], Point::Open);
        if is_new {
            self.points[at] = Point::End(Box::new(recorded.stretch));
        }
        is_new
    }
}

/// The knowledge about the way that a state takes.
pub(super) enum Found<'t> {
    /// Nobody has come there yet.
    Open,
    /// It is this stretch.
    Stretch(&'t Stretch),
}
