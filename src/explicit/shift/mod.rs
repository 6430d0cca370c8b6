//! Shifts: symmetries of the program that add numbers to variables.
//!
//! A program that copies its data, adds constants to it and compares one datum with another, but never with a constant, behaves alike whatever the data are, as long as their differences are the same.
//! So states that differ by a *shift*, a multiple of a vector of numbers that is added to the variables, are equivalent, in the manner of symmetry reduction (Ip and Dill, *Better verification through
//! symmetry*, FMSD 1996) and of data independence (Wolper, *Expressing interesting properties of programs in propositional temporal logic*, POPL 1986). A counter that takes millions of values may then have as many
//! states as it has distances to others.
//!
//! At each place that cuts the program into blocks, the shifts are the solutions of linear [equations] about all that may be executed from there on, modulo powers of two as on the machine. A state has them all at once if a new *symbol* stands for the multiple of each vector:
//! variables become sums of symbols and constants, and two states are the same if these constants are.
//!
//! # Soundness
//!
//! The state with symbols includes the state that it was made from, so an exploration that ends has met all edges that can be taken, whatever the equations say. They say that it meets no more than these. No verdict rests on that: each violation is replayed from the start.
//!
//! # When
//!
//! Symbols cost more than numbers. So nothing happens at a place before it has been visited often, and there only vectors count whose variable has had many values.
//!
//! | module | does |
//! |---|---|
//! | `equations` | the equations of all that may be executed from a place on |
//! | `group` | their solutions |

mod equations;
mod group;

use super::Value;
use super::compiled::code::Scalar;
use super::compiled::compile::Compiled;
use super::state::State;
use super::state::same::frames;
use super::value::memo::{Known, Operation};
use super::value::sum::Sum;
use super::value::symbol::SymbolId;
use crate::cfa::{BinOp, FuncId, NodeId};
use crate::frontend::types::IntInfo;
use group::{Form, Group};
use provident_smt::hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Visits of a place before its equations are solved.
const MANY_VISITS: u32 = 128;
/// Steps that it costs to solve the equations behind a place, for each node of the program.
const EFFORT: usize = 2;
/// Values of a variable at a place from which on it is shifted there.
const MANY_VALUES: usize = 16;

/// A variable: its slot of static storage, or of the frames of a function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Variable {
    func: Option<FuncId>,
    slot: usize,
}

/// A variable of a state: of static storage, or of the frame at a depth, where 0 is the innermost one.
#[derive(Clone, Copy)]
struct Instance {
    variable: Variable,
    depth: Option<usize>,
    info: IntInfo,
}

/// The knowledge about a place.
#[derive(Default)]
struct Place {
    visits: u32,
    group: Option<Rc<Group>>,
    /// The values of variables that vectors are named after, until there are many.
    values: FxHashMap<Variable, FxHashSet<u64>>,
    /// Those that have had many.
    varied: FxHashSet<Variable>,
}

/// The shifts of all places that an exploration comes to.
#[derive(Default)]
pub struct Shifts {
    places: FxHashMap<NodeId, Place>,
}

impl Shifts {
    /// Whether states at a place may become others there.
    pub fn act_at(&self, node: NodeId) -> bool {
        self.places.get(&node).is_some_and(|place| !place.varied.is_empty())
    }

    /// Notes a state where the program is cut into blocks. Returns the effort, in steps.
    pub fn note(&mut self, code: &Compiled<'_>, state: &State) -> u64 {
        let place = self.places.entry(state.node).or_default();
        place.visits = place.visits.saturating_add(1);
        if place.visits < MANY_VISITS {
            return 0;
        }
        let effort = if place.group.is_none() {
            EFFORT * code.program.nodes.len()
        } else {
            0
        };
        let group = place
            .group
            .get_or_insert_with(|| Rc::new(Group::behind(code, state.node)));
        let effort = u64::try_from(effort).expect("a program fits into memory");
        if group.is_trivial() {
            return effort;
        }
        let group = Rc::clone(group);
        let instances = instances(code, state, &group);
        for (instance, form) in &instances {
            let variable = instance.variable;
            if form.as_single() != Some(variable) || place.varied.contains(&variable) {
                continue;
            }
            let Value::Bits(bits) = state.settled(value(state, instance), instance.info.width) else {
                continue;
            };
            let values = place.values.entry(variable).or_default();
            values.insert(bits);
            if values.len() >= MANY_VALUES {
                place.varied.insert(variable);
                place.values.remove(&variable);
            }
        }
        effort
    }

    /// Puts symbols into a state where shifts [act](Shifts::act_at). Returns whether it did.
    pub fn shift(&self, code: &Compiled<'_>, state: &mut State) -> bool {
        let Some(place) = self.places.get(&state.node).filter(|place| !place.varied.is_empty()) else {
            return false;
        };
        let group = place.group.as_deref().expect("variables vary in a group");
        let instances = instances(code, state, group);
        shifted(state, &instances, &place.varied).is_some()
    }
}

/// The variables of a state that may be shifted.
fn instances<'g>(code: &Compiled<'_>, state: &State, group: &'g Group) -> Vec<(Instance, &'g Form)> {
    let mut found = Vec::new();
    let mut note = |func: Option<FuncId>, depth: Option<usize>, (slot, form): (usize, &'g Form), scalar: Scalar| {
        if let Scalar::Int(info) = scalar {
            let variable = Variable { func, slot };
            found.push((Instance { variable, depth, info }, form));
        }
    };
    for (slot, form) in group.forms(None) {
        note(None, None, (slot, form), code.statics.scalars[slot]);
    }
    for (depth, (frame, node)) in frames(code, state).enumerate() {
        let (live, scalars) = (code.live_slots(node), &code.frame(frame.func).scalars);
        for (slot, form) in group.forms(Some(frame.func)) {
            if live.binary_search(&slot).is_ok() {
                note(Some(frame.func), Some(depth), (slot, form), scalars[slot]);
            }
        }
    }
    found
}

fn value(state: &State, instance: &Instance) -> Value {
    let slot = instance.variable.slot;
    match instance.depth {
        None => state.globals[slot],
        Some(0) => state.top.slots[slot],
        Some(depth) => state.below[state.below.len() - depth].slots[slot],
    }
}

fn set(state: &mut State, instance: &Instance, value: Value) {
    let slot = instance.variable.slot;
    match instance.depth {
        None => state.globals.set(slot, value),
        Some(0) => state.top.slots.set(slot, value),
        Some(depth) => {
            let at = state.below.len() - depth;
            Rc::make_mut(&mut state.below[at]).slots.set(slot, value);
        }
    }
}

/// Puts a symbol in the place of each of the `varied` variables, and lets the others be sums of these symbols and of what is left. `None`, and no variable changes, if what is left of one of them is no number, if the state
/// is as it should be, or if there are too many symbols.
fn shifted(state: &mut State, instances: &[(Instance, &Form)], varied: &FxHashSet<Variable>) -> Option<()> {
    let sum = |instance: &Instance| {
        let value = state.settled(value(state, instance), instance.info.width);
        state.memo.sum(value, instance.info)
    };
    // The first of a recursive function's frames speaks for its variable.
    let mut pivots: FxHashMap<Variable, (Instance, Sum)> = FxHashMap::default();
    for (instance, form) in instances {
        let variable = instance.variable;
        if form.as_single() == Some(variable) && varied.contains(&variable) && !pivots.contains_key(&variable) {
            pivots.insert(variable, (*instance, sum(instance)?));
        }
    }
    let mut moved = Vec::new();
    for (instance, form) in instances {
        let terms: Vec<(Variable, u64)> = form.terms().filter(|(to, _)| pivots.contains_key(to)).collect();
        if terms.is_empty() || value(state, instance) == Value::Unknown {
            continue;
        }
        let mut rest = sum(instance)?;
        for &(to, factor) in &terms {
            let (_, pivot) = &pivots[&to];
            rest = rest.combined(BinOp::Sub, &pivot.times(factor)?)?;
        }
        let Value::Bits(rest) = rest.simple()? else {
            return None;
        };
        moved.push((*instance, terms, rest));
    }
    let is_free = |(instance, _): &(Instance, Sum)| match state.settled(value(state, instance), instance.info.width) {
        Value::Symbol { id, plus: 0 } => id.info() == instance.info && state.facts.is_free(id),
        _ => false,
    };
    if pivots.values().all(is_free) {
        return None;
    }
    let mut names: Vec<Variable> = pivots.keys().copied().collect();
    names.sort_unstable();
    let mut symbols: FxHashMap<Variable, SymbolId> = FxHashMap::default();
    let mut fresh = Fresh { state };
    for variable in names {
        let (instance, _) = &pivots[&variable];
        symbols.insert(variable, fresh.symbol(instance.info)?);
    }
    let mut values = Vec::with_capacity(moved.len());
    for (instance, terms, rest) in moved {
        let terms: Vec<(SymbolId, u64)> = terms.iter().map(|&(to, factor)| (symbols[&to], factor)).collect();
        values.push((instance, fresh.sum(&terms, rest, instance.info)?));
    }
    for (instance, value) in values {
        set(state, &instance, value);
    }
    Some(())
}

/// Makes symbols of a state.
struct Fresh<'s> {
    state: &'s mut State,
}

impl Fresh<'_> {
    fn symbol(&mut self, info: IntInfo) -> Option<SymbolId> {
        let id = SymbolId::new(self.state.symbols, info)?;
        self.state.symbols += 1;
        Some(id)
    }

    /// The value of a sum of symbols with factors and a number. The sum is remembered as the machine remembers what it adds.
    fn sum(&mut self, terms: &[(SymbolId, u64)], plus: u64, info: IntInfo) -> Option<Value> {
        let mut sum = Sum::of(Value::Bits(0), info)?;
        for &(id, factor) in terms {
            let term = Sum::of(Value::Symbol { id, plus: 0 }, info)?.times(factor)?;
            sum = sum.combined(BinOp::Add, &term)?;
        }
        if let Some(value) = sum.plus(plus).simple() {
            return Some(value);
        }
        let known = match *terms {
            [(a, 1), (b, 1)] => {
                let [a, b] = [a, b].map(|id| Value::Symbol { id, plus: 0 });
                Known::Result(Operation::new(BinOp::Add, a, b, info, info)?)
            }
            _ => Known::Sum(sum),
        };
        let id = match self.state.memo.result(&known) {
            Some(id) => id,
            None => {
                let id = self.symbol(info)?;
                self.state.memo.add(known, id);
                id
            }
        };
        Some(Value::Symbol { id, plus })
    }
}
