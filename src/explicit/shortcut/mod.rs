//! Shortcuts: ways from a node to where a path goes on that are taken at once where they were taken before.
//!
//! A reactive system asks hundreds of questions about its mode in each round, and most rounds ask the same ones. A way that reads and writes numbers in slots alone is a function of
//! these slots, and the answers to its tests say which one. So each node where ways begin has a tree: of tests on the slots as they are there, of choices that inputs make, and of the
//! changes that the ways between them and their ends make. A state goes down the tree and takes a whole way, instead of step after step: trace trees (Gal and Franz, "Incremental dynamic code generation
//! with trace trees", UC Irvine, TR 06-16, 2006), where the answers of tests that follow from others are left out.
//!
//! A way ends before an edge that is looked for, before everything that needs more than numbers in slots and questions about inputs, and at the next head of a loop. A *stretch* has no choices, and leads to one state. Only a
//! [canonical](State::make_canonical) state has ways with choices, and they lead to canonical states: inputs have one value at their ends, or are not read any more. Where that is not so, ways end before the choice.
//!
//! Where a way is recorded, the machine takes it, too, step after step, and has to come to the same state. Builds with debug assertions compare all of them.
//!
//! | module | does |
//! |---|---|
//! | `expression` | values as expressions of slots |
//! | `recorder` | a way that was not taken before |
//! | `values` | numbers on it |
//! | `inputs` | questions about inputs on it |
//! | `answers` | tests on it, and what follows from them |
//! | `tree` | the ways from a node |

mod answers;
mod expression;
mod inputs;
mod recorder;
mod tree;
mod values;

use crate::cfa::NodeId;
use crate::explicit::Value;
use crate::explicit::compiled::code::Slot;
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::state::State;
use crate::explicit::step::machine::{Guide, Halt, Machine};
use expression::{Expressions, content};
use provident_smt::hash::FxHashMap;
use tree::{At, Effect, Found, Tree, Walk, Way};

pub use tree::Goal;

/// Steps below which a stretch is no gain.
const SHORTEST: u64 = 8;
/// Tests, choices, ends and expressions of all trees: some hundred bytes each.
const MOST_POINTS: usize = 1 << 18;
/// Frames of a state in which no way begins.
const DEEP: usize = 50_000;
/// The steps that the ways from one node may cost before they have gained something.
const CREDIT: i64 = 2_000_000;
/// The steps that it costs to record a step.
const RECORDING: u64 = 2;
/// Tests, and values, that cost as much as a step. So does a way with choices.
const TESTS: u64 = 32;
const VALUES: usize = 16;

/// The ways of a state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// The number of ways with choices: the state is where it was. 0 if there was one without choices: the state has taken it.
    pub ways: usize,
    /// The steps of all of them.
    pub length: u64,
    /// The effort to take them, in steps of the machine.
    pub effort: u64,
    /// The effort to record those that are new, in steps of the machine.
    pub recording: u64,
}

/// One of the ways of a state.
pub struct Route<'s> {
    /// How a path goes on at its end.
    pub goal: Goal,
    /// The number of steps.
    pub length: u64,
    /// The choices on it.
    pub choices: &'s [u8],
    /// The nodes where they are made.
    pub choosers: &'s [NodeId],
}

/// The ways from a node, as long as they are worth it.
struct Start {
    tree: Tree,
    /// Steps that were gained, less those that it cost.
    gain: i64,
}

impl Default for Start {
    fn default() -> Start {
        Start {
            tree: Tree::new(),
            gain: CREDIT,
        }
    }
}

/// All ways that are known.
#[derive(Default)]
pub struct Shortcuts {
    expressions: Expressions,
    /// The ways from nodes; those with choices apart from stretches.
    starts: FxHashMap<(NodeId, bool), Start>,
    /// The tests, choices and ends of all trees.
    points: usize,
    /// Where the walk of the last state began, and its ends.
    walk: Walk,
    begin: Option<(NodeId, bool)>,
    /// The values that ways to its ends give to slots, one after the other, and the first of each way.
    values: Vec<Value>,
    firsts: Vec<usize>,
    /// The ends that were recorded for it.
    new: Vec<At>,
    /// The slots that the way which the state has taken changes, as they were.
    before: Vec<(Slot, Value)>,
}

impl Shortcuts {
    /// Takes the stretch that begins at a state; or finds the ways with choices of a canonical state, to be [taken](Shortcuts::enter) one by one. `None` if the state has none that are worth it. `targets` says of each edge whether ways end before it; an edge that once was one may be none later, never the other way round.
    pub fn take(
        &mut self,
        code: &Compiled<'_>,
        targets: &[bool],
        state: &mut State,
        is_canonical: bool,
    ) -> Option<Taken> {
        let begin = (state.node, is_canonical);
        let start = self.starts.entry(begin).or_default();
        if start.gain < 0 || state.below.len() > DEEP {
            return None;
        }
        let (is_known, effort, recording) = self.walk(code, targets, state, begin);
        let taken = if is_known { self.evaluate(state, begin) } else { None };
        let taken = taken.map(|taken| Taken {
            effort: taken.effort + effort,
            recording,
            ..taken
        });
        let start = self.starts.entry(begin).or_default();
        let cost = recording + taken.map_or(effort, |taken| taken.effort);
        start.gain = start.gain.saturating_sub_unsigned(cost);
        let taken = taken?;
        start.gain = start.gain.saturating_add_unsigned(taken.length);
        self.begin = Some(begin);
        if taken.ways == 0 {
            self.enter(code, state, 0);
        }
        Some(taken)
    }

    /// Walks to the ends of all ways of a state, and records those that nobody has taken before. Returns whether all are known, the effort of the walk, and that of recording.
    fn walk(
        &mut self,
        code: &Compiled<'_>,
        targets: &[bool],
        state: &State,
        begin: (NodeId, bool),
    ) -> (bool, u64, u64) {
        let tree = &mut self.starts.entry(begin).or_default().tree;
        let (mut effort, mut recording) = (1, 0);
        self.new.clear();
        loop {
            let found = tree.find(&self.expressions, state, &mut self.walk);
            effort += self.walk.tests / TESTS;
            let is_open = match found {
                Found::Ways => return (true, effort, recording),
                Found::Unanswered => return (false, effort, recording),
                Found::Open => true,
                Found::Many => false,
            };
            if self.points + self.expressions.len() > MOST_POINTS {
                return (false, effort, recording);
            }
            let before = tree.len();
            let may_choose = begin.1 && is_open;
            let choices = may_choose.then_some(self.walk.choices.as_slice());
            let added = match recorder::record(code, targets, &mut self.expressions, state, choices) {
                Ok(recorded) if is_open => {
                    recording += RECORDING * (recorded.way.length + 1);
                    tree.add(recorded)
                }
                unfit => {
                    // From here on no way makes the choices behind this stretch.
                    let length = unfit.map_or_else(|length| length, |recorded| recorded.way.length);
                    let Ok(stretch) = recorder::record(code, targets, &mut self.expressions, state, None) else {
                        unreachable!("a stretch reads no inputs");
                    };
                    recording += RECORDING * (length + stretch.way.length + 1);
                    Some(tree.end(stretch))
                }
            };
            self.points += tree.len() - before;
            match added {
                Some(end) => self.new.push(end),
                None => return (false, effort, recording),
            }
        }
    }

    /// Evaluates the ways to the ends of the walk at a state.
    fn evaluate(&mut self, state: &State, begin: (NodeId, bool)) -> Option<Taken> {
        let tree = &self.starts[&begin].tree;
        let ways = || self.walk.ends.iter().map(|&end| tree.way(end));
        let length = ways().map(|way| way.length).sum();
        let has_choices = ways().any(|way| !way.choices.is_empty());
        if !has_choices && length < SHORTEST {
            return None;
        }
        self.values.clear();
        self.firsts.clear();
        for way in ways() {
            self.firsts.push(self.values.len());
            if !evaluate(&self.expressions, way, state, &mut self.values) {
                return None;
            }
        }
        let ways = if has_choices { self.walk.ends.len() } else { 0 };
        let effort = ways + self.values.len() / VALUES;
        Some(Taken {
            ways,
            length,
            effort: u64::try_from(effort).expect("few ways and slots"),
            recording: 0,
        })
    }

    /// Whether one of the ways that were found for the state leads back to it, and the machine has taken it before.
    pub fn comes_back(&self, state: &State, number: usize) -> bool {
        let (end, begin) = (self.walk.ends[number], self.begin.expect("its ways were found"));
        let way = self.starts[&begin].tree.way(end);
        let values = &self.values[self.firsts[number]..];
        let is_new = self.new.contains(&end);
        let mut changes = way.changes.iter().zip(values);
        let is_there = way.goal == Goal::Lookup && way.end == begin.0 && way.frames.is_empty();
        is_there && !is_new && changes.all(|(&(slot, _), value)| state.slot(slot) == *value)
    }

    /// Takes one of the ways that were found for the state.
    ///
    /// # Panics
    /// If the machine does not come to where the way leads, where this is looked at: the first time, and in builds with debug assertions always.
    pub fn enter(&mut self, code: &Compiled<'_>, state: &mut State, number: usize) -> Route<'_> {
        let (end, begin) = (self.walk.ends[number], self.begin.expect("its ways were found"));
        let way = self.starts[&begin].tree.way(end);
        let before = (cfg!(debug_assertions) || self.new.contains(&end)).then(|| state.clone());
        self.before.clear();
        let mut values = self.values[self.firsts[number]..].iter();
        let mut next = || *values.next().expect("each slot has a value");
        for &(slot, _) in &way.changes {
            self.before.push((slot, state.slot(slot)));
            state.set_slot(slot, next());
        }
        for (func, call, slots) in &way.frames {
            state.push(code, *func, *call);
            for at in 0..slots.len() {
                state.top.slots.set(at, next());
            }
        }
        state.node = way.end;
        if let Some(before) = before {
            check(code, before, way, state);
        }
        Route {
            goal: way.goal,
            length: way.length,
            choices: &way.choices,
            choosers: &way.choosers,
        }
    }

    /// Goes back to where the ways begin.
    pub fn leave(&mut self, code: &Compiled<'_>, state: &mut State, number: usize) {
        let begin = self.begin.expect("its ways were found");
        let way = self.starts[&begin].tree.way(self.walk.ends[number]);
        for _ in &way.frames {
            state.pop(code);
        }
        for &(slot, value) in &self.before {
            state.set_slot(slot, value);
        }
        state.node = begin.0;
    }
}

/// Takes a way step after step.
///
/// # Panics
/// If the machine does not come to the state to which it leads.
fn check(code: &Compiled<'_>, before: State, way: &Way, state: &State) {
    let mut machine = Machine::new(code, before, Guide::Explore(Vec::new()));
    machine.given = way.choices.iter().copied().collect();
    for _ in 0..way.length {
        machine.begin();
        assert!(matches!(machine.step(), Ok(Some(_))), "the machine goes this way");
    }
    if way.goal == Goal::Nowhere && !way.choices.is_empty() {
        machine.begin();
        assert!(
            matches!(machine.step(), Ok(None) | Err(Halt::Blocked)),
            "the path ends here"
        );
    }
    let has_more = matches!(&machine.guide, Guide::Explore(others) if !others.is_empty());
    assert!(machine.given.is_empty() && !has_more, "the way has these choices");
    // A way that calls functions may lead to more frames than are asked for names elsewhere.
    let has_names = !way.choices.is_empty() && !machine.state.lose_names(code);
    assert!(
        way.goal == Goal::Nowhere || !has_names && machine.state.is_at(state),
        "the machine comes to where the way leads"
    );
}

/// The values that a way gives to slots, in their order. False if the state does not say one.
fn evaluate(expressions: &Expressions, way: &Way, state: &State, values: &mut Vec<Value>) -> bool {
    let frames = way.frames.iter().flat_map(|(_, _, slots)| slots);
    for effect in way.changes.iter().map(|(_, effect)| effect).chain(frames) {
        values.push(match effect {
            Effect::Bits(bits) => Value::Bits(*bits),
            Effect::Unknown => Value::Unknown,
            Effect::Expression(id) => match expressions.value(*id, state) {
                Some(bits) => Value::Bits(bits),
                None => return false,
            },
        });
    }
    way.reads.iter().all(|&slot| content(state, slot).is_some())
}
