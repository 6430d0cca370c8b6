//! Shortcuts: stretches of paths without choices that are taken at once where they were taken before.
//!
//! A reactive system asks hundreds of questions about its mode in each round, and most rounds ask the same ones. A stretch that reads and writes numbers in slots alone is a function of
//! these slots, and the answers to its tests say which one. So each node where stretches begin has a tree: of tests on the slots as they are there, and of the
//! changes that the stretch between them and its end makes. A state goes down the tree and takes the whole stretch, instead of step after step: trace trees (Gal and Franz, "Incremental dynamic code generation
//! with trace trees", UC Irvine, TR 06-16, 2006), where the answers of tests that follow from others are left out.
//!
//! A stretch ends before a choice, before an edge that is looked for, before everything that needs more than numbers in slots, and at the next head of a loop. Where it is recorded, the
//! machine takes it, too, step after step, and has to come to the same state. Builds with debug assertions compare all of them.
//!
//! | module | does |
//! |---|---|
//! | `expression` | values as expressions of slots |
//! | `recorder` | a stretch that was not taken before |
//! | `tree` | the stretches from a node |

mod expression;
mod recorder;
mod tree;

use crate::cfa::NodeId;
use crate::explicit::Value;
use crate::explicit::compiled::compile::Compiled;
use crate::explicit::state::State;
use crate::explicit::step::machine::{Guide, Machine};
use expression::{Expressions, content};
use provident_smt::hash::FxHashMap;
use tree::{Effect, Found, Stretch, Tree};

/// Steps below which a stretch is no gain.
const SHORTEST: u64 = 8;
/// Tests, ends and expressions of all trees: some hundred bytes each.
const MOST_POINTS: usize = 1 << 18;
/// Frames of a state in which no stretch begins.
const DEEP: usize = 50_000;
/// The steps that the stretches from one node may cost before they have gained something.
const CREDIT: i64 = 2_000_000;
/// The steps that it costs to record a step.
const RECORDING: u64 = 2;

/// A stretch that a state has taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Taken {
    /// Its number of steps.
    pub length: u64,
    /// The effort, in steps of the machine.
    pub effort: u64,
}

/// The stretches from a node, as long as they are worth it.
struct Start {
    tree: Tree,
    /// Steps that were gained, less those that it cost.
    gain: i64,
}

/// All stretches that are known.
#[derive(Default)]
pub struct Shortcuts {
    expressions: Expressions,
    starts: FxHashMap<NodeId, Start>,
    /// The tests and ends of all trees.
    points: usize,
    /// The values that the last stretch gave to slots.
    values: Vec<Value>,
}

impl Shortcuts {
    /// Takes the stretch that begins at a state, if it is worth it. `targets` says of each edge whether stretches end before it; an edge that once was one may be none later, never the other way round.
    pub fn take(&mut self, code: &Compiled<'_>, targets: &[bool], state: &mut State) -> Option<Taken> {
        let expressions = &mut self.expressions;
        let start = self.starts.entry(state.node).or_insert_with(|| Start {
            tree: Tree::new(),
            gain: CREDIT,
        });
        if start.gain < 0 || state.below.len() > DEEP {
            return None;
        }
        let (found, tests) = start.tree.find(expressions, state);
        let mut effort = 2 + tests / 8;
        start.gain -= i64::try_from(effort).expect("few tests");
        let mut is_new = false;
        let stretch = match found? {
            Found::Stretch(stretch) => stretch,
            Found::Open => {
                if self.points + expressions.len() > MOST_POINTS {
                    return None;
                }
                let recorded = recorder::record(code, targets, expressions, state);
                let cost = RECORDING * (recorded.stretch.length + 1);
                start.gain = start.gain.saturating_sub_unsigned(cost);
                effort += cost;
                is_new = true;
                let before = start.tree.len();
                let is_added = start.tree.add(recorded);
                self.points += start.tree.len() - before;
                if !is_added {
                    return None;
                }
                match start.tree.find(expressions, state) {
                    (Some(Found::Stretch(stretch)), _) => stretch,
                    _ => unreachable!("a state takes the stretch that was recorded for it"),
                }
            }
        };
        if stretch.length < SHORTEST || !evaluate(expressions, stretch, state, &mut self.values) {
            return None;
        }
        effort += u64::try_from(self.values.len() / 4).expect("few slots");
        let (length, gain) = (stretch.length, stretch.length.saturating_sub(effort));
        let before = (is_new || cfg!(debug_assertions)).then(|| state.clone());
        change(code, stretch, state, &self.values);
        if let Some(before) = before {
            check(code, before, length, state);
        }
        start.gain = start.gain.saturating_add_unsigned(gain);
        Some(Taken { length, effort })
    }
}

/// Takes a stretch step after step.
///
/// # Panics
/// If the machine does not come to the state to which the shortcut leads.
fn check(code: &Compiled<'_>, before: State, length: u64, state: &State) {
    let mut machine = Machine::new(code, before, Guide::Explore(Vec::new()));
    for _ in 0..length {
        machine.begin();
        let step = machine.step();
        assert!(matches!(step, Ok(Some(_))) && !machine.open, "a stretch has no choices");
    }
    assert!(
        machine.state.is_at(state),
        "the machine comes to where the shortcut leads"
    );
}

/// The values that a stretch gives to slots, in their order. False if the state does not say one.
fn evaluate(expressions: &Expressions, stretch: &Stretch, state: &State, values: &mut Vec<Value>) -> bool {
    values.clear();
    let frames = stretch.frames.iter().flat_map(|(_, _, slots)| slots);
    for effect in stretch.changes.iter().map(|(_, effect)| effect).chain(frames) {
        values.push(match effect {
            Effect::Bits(bits) => Value::Bits(*bits),
            Effect::Unknown => Value::Unknown,
            Effect::Expression(id) => match expressions.value(*id, state) {
                Some(bits) => Value::Bits(bits),
                None => return false,
            },
        });
    }
    stretch.reads.iter().all(|&slot| content(state, slot).is_some())
}

/// Changes a state as a stretch does.
fn change(code: &Compiled<'_>, stretch: &Stretch, state: &mut State, values: &[Value]) {
    let mut values = values.iter();
    let mut next = || *values.next().expect("each slot has a value");
    for &(slot, _) in &stretch.changes {
        state.set_slot(slot, next());
    }
    for (func, call, slots) in &stretch.frames {
        state.push(code, *func, *call);
        for at in 0..slots.len() {
            state.top.slots.set(at, next());
        }
    }
    state.node = stretch.end;
}
