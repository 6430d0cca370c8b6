//! The tree of the tests and of the choices that ways from one node make (Gal and Franz, "Incremental dynamic code generation with trace trees", UC Irvine, TR 06-16, 2006).

use super::expression::{Expressions, Id, content};
use super::recorder::Recorded;
use crate::cfa::{EdgeId, FuncId, NodeId};
use crate::explicit::compiled::code::Slot;
use crate::explicit::state::State;

/// Ways that a state may have. A state with more is for the machine.
const MOST_WAYS: usize = 32;

/// A test of the slots that a way begins with.
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

/// A place on a way where several ways part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Parting {
    /// The state says how to go on.
    Test(Test, bool),
    /// An input does: one of so many alternatives was taken.
    Choice(u8, u8),
}

/// The value that a slot has at the end of a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effect {
    /// This one.
    Bits(u64),
    /// The value of an expression at the beginning.
    Expression(Id),
    /// Any.
    Unknown,
}

/// How a path goes on behind a way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Step after step.
    Steps,
    /// A state is looked up there first.
    Lookup,
    /// Not at all.
    Nowhere,
}

/// A way: the change that it makes.
#[derive(Debug)]
pub(super) struct Way {
    /// Where it ends.
    pub end: NodeId,
    /// How the path goes on there.
    pub goal: Goal,
    /// Its number of steps.
    pub length: u64,
    /// The choices on it.
    pub choices: Box<[u8]>,
    /// The nodes where they are taken.
    pub choosers: Box<[NodeId]>,
    /// The slots that it reads without a test or a change that depends on them.
    pub reads: Vec<Slot>,
    /// The slots that change in the frame where it begins, and of static storage.
    pub changes: Vec<(Slot, Effect)>,
    /// The frames that it opens and does not close, outermost first: function, call, slots.
    pub frames: Vec<(FuncId, EdgeId, Vec<Effect>)>,
}

/// The position of a point in its tree.
pub(super) type At = usize;

enum Point {
    /// No way has come here.
    Open,
    Test(Test, [At; 2]),
    Choice(Box<[At]>),
    End(Box<Way>),
}

/// The ways from a node.
pub(super) struct Tree {
    points: Vec<Point>,
}

/// The way through a tree, to all ends that a state comes to.
#[derive(Default)]
pub(super) struct Walk {
    /// The ends, in the order of the choices before them.
    pub ends: Vec<At>,
    /// The number of tests.
    pub tests: u64,
    /// The choices on the way to the current point.
    pub choices: Vec<u8>,
    /// Alternatives of choices on it: the number of choices before, the alternative, and where it leads.
    waiting: Vec<(usize, u8, At)>,
}

/// The ways that a state has.
pub(super) enum Found {
    /// All of them are known: those to the ends of the walk.
    Ways,
    /// Nobody has made the choices of the walk before.
    Open,
    /// A slot has no number, so that a test has no answer.
    Unanswered,
    /// Too many.
    Many,
}

impl Tree {
    /// A tree without ways.
    pub fn new() -> Tree {
        Tree {
            points: vec![Point::Open],
        }
    }

    /// The number of tests, choices and ends.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Walks to the ends of all ways that a state has.
    pub fn find(&self, expressions: &Expressions, state: &State, walk: &mut Walk) -> Found {
        walk.ends.clear();
        walk.choices.clear();
        walk.waiting.clear();
        walk.tests = 0;
        let mut at = 0;
        loop {
            match &self.points[at] {
                Point::Open => return Found::Open,
                Point::Test(test, next) => {
                    walk.tests += 1;
                    let Some(answer) = test.answer(expressions, state) else {
                        return Found::Unanswered;
                    };
                    at = next[usize::from(answer)];
                    continue;
                }
                Point::Choice(next) => {
                    let depth = walk.choices.len();
                    let before = walk.waiting.len();
                    let next = (0..).zip(next);
                    walk.waiting.extend(next.map(|(choice, &at)| (depth, choice, at)));
                    walk.waiting[before..].reverse();
                }
                Point::End(_) if walk.ends.len() == MOST_WAYS => return Found::Many,
                Point::End(_) => walk.ends.push(at),
            }
            let Some((depth, choice, next)) = walk.waiting.pop() else {
                return Found::Ways;
            };
            walk.choices.truncate(depth);
            walk.choices.push(choice);
            at = next;
        }
    }

    /// The way that ends at a point.
    pub fn way(&self, end: At) -> &Way {
        match &self.points[end] {
            Point::End(way) => way,
            _ => unreachable!("a way has an end"),
        }
    }

    /// Adds a way and returns its end. `None` if it cannot be told from others by its tests: where a slot has no number, it ends earlier than they do.
    pub fn add(&mut self, recorded: Recorded) -> Option<At> {
        let at = self.descend(&recorded.partings);
        let is_new = matches!(self.points[at], Point::Open);
        is_new.then(|| {
            self.points[at] = Point::End(Box::new(recorded.way));
            at
        })
    }

    /// Ends all ways that come to the end of this one there, and returns it. All that was known behind it is forgotten.
    pub fn end(&mut self, recorded: Recorded) -> At {
        let at = self.descend(&recorded.partings);
        self.points[at] = Point::End(Box::new(recorded.way));
        at
    }

    /// The point behind some partings.
    fn descend(&mut self, partings: &[Parting]) -> At {
        let mut at = 0;
        for parting in partings {
            if matches!(self.points[at], Point::Open) {
                let first = self.points.len();
                let mut open = |count: usize| {
                    self.points.extend(std::iter::repeat_with(|| Point::Open).take(count));
                    first..first + count
                };
                self.points[at] = match *parting {
                    Parting::Test(test, _) => {
                        open(2);
                        Point::Test(test, [first, first + 1])
                    }
                    Parting::Choice(count, _) => Point::Choice(open(count.into()).collect()),
                };
            }
            at = match (&self.points[at], *parting) {
                (Point::Test(known, next), Parting::Test(test, answer)) if *known == test => next[usize::from(answer)],
                (Point::Choice(next), Parting::Choice(count, choice)) if next.len() == usize::from(count) => {
                    next[usize::from(choice)]
                }
                _ => unreachable!("the way so far decides what parts the ways next"),
            };
        }
        at
    }
}
