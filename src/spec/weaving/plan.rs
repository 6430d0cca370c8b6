//! Where an automaton looks, and what each transition means there: conditions and values resolved, nothing changed yet.

use super::super::automaton::syntax::{Action, Encoded, Target, Transition};
use super::super::property::SpecError;
use super::events::{self, Alternative, Happening};
use super::value::{Cond, Scope};
use super::{Tracker, Watched, value};
use crate::cfa::lower::weave::Weaver;
use crate::cfa::{Expr, Place, VarId};
use std::collections::BTreeSet;

/// Where an automaton looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Where {
    /// Before the edge.
    Before(usize),
    /// Behind the edge.
    After(usize),
}

/// A place where an automaton looks.
#[derive(Debug)]
pub(super) struct Spot {
    pub at: Where,
    /// Values that have to be kept before the edge.
    pub saved: Vec<(Expr, Place)>,
    /// The states in which something is considered here, by position, with the transitions in order.
    pub states: Vec<(usize, Vec<Resolved>)>,
}

/// A transition that is considered at a place.
#[derive(Debug)]
pub(super) struct Resolved {
    /// The condition that the trigger leaves to check at run time.
    pub trigger: Cond,
    /// The assertions: they must not be false.
    pub assertions: Cond,
    /// The assumption: the transition is enabled only if it holds.
    pub assumption: Cond,
    /// Its changes, in order.
    pub effects: Vec<Effect>,
    /// Its messages.
    pub prints: Vec<String>,
    pub target: Target,
}

/// A change of the automaton's variables.
#[derive(Debug)]
pub(super) enum Effect {
    Assign(Place, Expr),
    Member { set: usize, element: Expr, put: bool },
}

/// All places.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub places: Vec<Spot>,
    /// Variables whose values are asked for in sets.
    pub pointers: BTreeSet<VarId>,
}

/// Resolves an automaton in a program.
pub(super) fn plan(weaver: &mut Weaver<'_>, watched: &Watched<'_>, tracker: &mut Tracker) -> Result<Plan, SpecError> {
    declare(weaver, watched, tracker)?;
    let mut plan = Plan::default();
    let entry = weaver.entry_call();
    let mut look = |weaver: &mut Weaver<'_>, at: Where, happening: &Happening| {
        let spot = spot(weaver, watched, tracker, at, happening, &mut plan.pointers)?;
        plan.places.extend(spot);
        Ok::<(), SpecError>(())
    };
    look(weaver, Where::Before(entry), &Happening::Entry)?;
    for edge in weaver.edges() {
        let (before, after) = events::happenings(weaver, edge);
        if let Some(happening) = before {
            look(weaver, Where::Before(edge), &happening)?;
        }
        if let Some(happening) = after {
            look(weaver, Where::After(edge), &happening)?;
        }
    }
    look(weaver, Where::After(entry), &Happening::Exit)?;
    Ok(plan)
}

/// Makes the variables that `ENCODE` declares.
fn declare(weaver: &mut Weaver<'_>, watched: &Watched<'_>, tracker: &mut Tracker) -> Result<(), SpecError> {
    let text = &watched.specification.text;
    let transitions = watched.automaton.states.iter().flat_map(|state| &state.transitions);
    for encoded in transitions.flat_map(|transition| &transition.encode) {
        let Encoded::Declare { at, name, ty, .. } = encoded else {
            continue;
        };
        let ty = scope(weaver, watched, tracker, &Vec::new(), None, 0).type_named(ty)?;
        if !weaver.types().is_scalar(ty) {
            return Err(text.error(*at, "a woven variable is a number or a pointer"));
        }
        let known = tracker.variable(name).map(|place| place.ty);
        if tracker.set(name).is_some() || known.is_some_and(|known| known != ty) {
            return Err(text.error(*at, format!("`{name}` is declared in another way before")));
        }
        if known.is_none() {
            let place = weaver.new_var(&format!("{}.{name}", watched.property), ty);
            let zero = crate::cfa::program::expr::zero(weaver.types(), ty);
            tracker.variables.push((name.clone(), place, zero));
        }
    }
    Ok(())
}

fn scope<'s, 'w, 'a>(
    weaver: &'w mut Weaver<'a>,
    watched: &Watched<'s>,
    tracker: &'s Tracker,
    bindings: &'s super::pattern::Bindings,
    saved: Option<&'s mut Vec<(Expr, Place)>>,
    edge: usize,
) -> Scope<'s, 'w, 'a> {
    Scope {
        weaver,
        text: &watched.specification.text,
        tracker,
        bindings,
        saved,
        edge,
        values: Vec::new(),
        changes: Vec::new(),
        pointers: Vec::new(),
    }
}

/// The transitions that are considered at a place; `None` if there are none.
fn spot(
    weaver: &mut Weaver<'_>,
    watched: &Watched<'_>,
    tracker: &Tracker,
    at: Where,
    happening: &Happening,
    pointers: &mut BTreeSet<VarId>,
) -> Result<Option<Spot>, SpecError> {
    let mut spot = Spot {
        at,
        saved: Vec::new(),
        states: Vec::new(),
    };
    for (position, state) in watched.automaton.states.iter().enumerate() {
        let mut considered = Vec::new();
        for transition in &state.transitions {
            let alternatives = events::alternatives(weaver, &transition.trigger, happening)
                .map_err(|(at, message)| watched.specification.text.error(at, message))?;
            for alternative in &alternatives {
                let resolved = resolve(weaver, watched, tracker, transition, alternative, &mut spot, pointers)?;
                if resolved.trigger != Cond::Const(false) {
                    considered.push(resolved);
                }
            }
        }
        let idle = |one: &Resolved| {
            one.effects.is_empty() && one.assertions == Cond::Const(true) && one.target == Target::State(position)
        };
        if !considered.iter().all(idle) {
            spot.states.push((position, considered));
        }
    }
    Ok((!spot.states.is_empty()).then_some(spot))
}

fn resolve(
    weaver: &mut Weaver<'_>,
    watched: &Watched<'_>,
    tracker: &Tracker,
    transition: &Transition,
    alternative: &Alternative,
    spot: &mut Spot,
    pointers: &mut BTreeSet<VarId>,
) -> Result<Resolved, SpecError> {
    if let Some((at, message)) = &transition.unsupported {
        return Err(watched.specification.text.error(*at, message.clone()));
    }
    let (edge, saved) = match spot.at {
        Where::Before(edge) => (edge, None),
        Where::After(edge) => (edge, Some(&mut spot.saved)),
    };
    let mut scope = scope(weaver, watched, tracker, &alternative.bindings, saved, edge);
    let mut conditions = Vec::new();
    for (condition, truth) in &alternative.conditions {
        let condition = scope.condition(condition)?;
        conditions.push(if *truth { condition } else { condition.not() });
    }
    let trigger = Cond::all(conditions);
    let mut assertions = Vec::new();
    for assertion in &transition.assertions {
        assertions.push(scope.condition(assertion)?);
    }
    let mut effects = Vec::new();
    for action in &transition.actions {
        effects.push(act(&mut scope, action)?);
    }
    let mut assumptions = Vec::new();
    for assumption in &transition.assumptions {
        assumptions.push(scope.condition(assumption)?);
    }
    // Woven statements are executed one after the other, so they see the variables themselves.
    scope.values.clear();
    for encoded in &transition.encode {
        effects.extend(encode(&mut scope, encoded)?);
    }
    pointers.extend(scope.pointers.iter().copied());
    Ok(Resolved {
        trigger,
        assertions: Cond::all(assertions),
        assumption: Cond::all(assumptions),
        effects,
        prints: transition.prints.clone(),
        target: match transition.target {
            Target::State(to) if watched.automaton.states[to].target => Target::Error(None),
            ref target => target.clone(),
        },
    })
}

/// An action: the executed expression, which sees the variables at that time, and the expression that conditions behind it see.
fn act(scope: &mut Scope<'_, '_, '_>, action: &Action) -> Result<Effect, SpecError> {
    match action {
        Action::Assign { at, variable, value } => {
            let Some(place) = scope.tracker.variable(variable).cloned() else {
                return scope.error(*at, format!("the automaton has no variable `{variable}`"));
            };
            let seen = scope.value(value)?;
            let seen = value::cast(scope.weaver, seen, place.ty);
            let values = std::mem::take(&mut scope.values);
            let executed = scope.value(value)?;
            let executed = value::cast(scope.weaver, executed, place.ty);
            scope.values = values;
            scope.values.push((variable.clone(), seen));
            Ok(Effect::Assign(place, executed))
        }
        Action::Member { at, set, element, put } => {
            let Some(position) = scope.tracker.set(set) else {
                return scope.error(*at, format!("the automaton has no set `{set}`"));
            };
            let seen = scope.element(element)?;
            let values = std::mem::take(&mut scope.values);
            let executed = scope.element(element)?;
            scope.values = values;
            scope.changes.push((position, seen, *put));
            Ok(Effect::Member {
                set: position,
                element: executed,
                put: *put,
            })
        }
    }
}

fn encode(scope: &mut Scope<'_, '_, '_>, encoded: &Encoded) -> Result<Option<Effect>, SpecError> {
    let (at, name, value) = match encoded {
        Encoded::Declare { value: None, .. } => return Ok(None),
        Encoded::Declare {
            at,
            name,
            value: Some(value),
            ..
        }
        | Encoded::Assign { at, name, value } => (at, name, value),
    };
    let Some(place) = scope.tracker.variable(name).cloned() else {
        return scope.error(
            *at,
            format!("`{name}` is no variable of the automaton; woven statements do not change the program"),
        );
    };
    let value = scope.value(value)?;
    let value = value::cast(scope.weaver, value, place.ty);
    Ok(Some(Effect::Assign(place, value)))
}
