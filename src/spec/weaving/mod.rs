//! Weaving: an automaton becomes operations on new variables in the program that it observes.
//!
//! After weaving, tracking the automaton is what the program does anyway: its state is an integer variable, its sets are slots that hold values, and a violation is an edge that carries
//! a label of its own. So every analysis, the replay and the reports see a specification as they see code, and aliases are seen because values are compared. (Apel et al., *On-the-fly
//! decomposition of specifications in software model checking*, FSE 2016, section 3.)
//!
//! The woven operations follow the meaning in [`automaton`](super::automaton). In a state with `USEALL`, violations come first, since the program goes on behind one anyway. Then the
//! other transitions that are enabled are alternatives: where two of them may be enabled at once, an input of the program decides. Conditions that exclude each other by their form need no such
//! choice. Woven operations never restrict the program, except for `STOP` and for the assumption about uninitialised pointers that the ledger lists.
//!
//! Every step that can fail comes before the first change of an edge, so an automaton that cannot be woven leaves the program unchanged.
//!
//! | module | does |
//! |---|---|
//! | `events` | which transitions are considered at an edge, and what their holes stand for |
//! | `pattern` | statement patterns against operations |
//! | `value` | C expressions with holes as expressions of the program |
//! | `plan` | transitions with their conditions and values resolved |
//! | `emit` | the woven edges |
//! | `sets` | sets in slots |

mod emit;
mod events;
mod pattern;
mod plan;
mod sets;
#[cfg(test)]
mod tests;
mod value;

use super::automaton::Specification;
use super::automaton::syntax::{Automaton, Target, VariableKind};
use super::property::SpecError;
use crate::cfa::AssumptionKind;
use crate::cfa::lower::weave::Weaver;
use crate::cfa::{BinOp, Expr, Op, Place, VarId, Watcher};
use crate::frontend::types::Types;
use std::collections::BTreeSet;

/// Counters are followed explicitly up to this number, and down to its negative.
const MAX_COUNTED: u32 = 3;

/// How the exploration with predicates follows a woven automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// By explicit values of the state, the variables, and which slots of sets are in use.
    Automaton,
    /// By predicates, as it follows the program.
    Weaving,
    /// By the explicit state, and predicates for the rest.
    Hybrid,
    /// By explicit values, but counters only as long as they are small; larger values are left to predicates.
    Auto,
}

impl Mode {
    /// The mode of a name.
    pub fn named(name: &str) -> Option<Mode> {
        Some(match name {
            "automaton" => Mode::Automaton,
            "weaving" => Mode::Weaving,
            "hybrid" => Mode::Hybrid,
            "auto" => Mode::Auto,
            _ => return None,
        })
    }
}

/// An automaton that is to be woven.
#[derive(Clone, Copy, Debug)]
pub struct Watched<'s> {
    /// The property's name.
    pub property: &'s str,
    /// The mark of its woven edges.
    pub watcher: Watcher,
    /// The file that the automaton is from.
    pub specification: &'s Specification,
    /// The automaton.
    pub automaton: &'s Automaton,
}

/// The result of weaving an automaton.
#[derive(Clone, Debug)]
pub struct Woven {
    /// The labels that are violations.
    pub errors: Vec<String>,
    /// Labels behind which the automaton is not tracked exactly, with the reason.
    pub limits: Vec<(String, String)>,
    /// The labels of what the automaton does when it sees something: a change of its state, or an action.
    pub transitions: Vec<String>,
    /// The number of places in the program where the automaton looks.
    pub places: usize,
    /// Why the automaton could not be woven.
    pub failure: Option<SpecError>,
}

/// Weaves automata into a program, in order.
pub fn weave(weaver: &mut Weaver<'_>, watched: &[Watched<'_>], mode: Mode) -> Vec<Woven> {
    let mut pointers = BTreeSet::new();
    let woven = watched
        .iter()
        .map(|one| weave_one(weaver, one, mode, &mut pointers))
        .collect();
    separate(weaver, &pointers);
    woven
}

fn weave_one(weaver: &mut Weaver<'_>, watched: &Watched<'_>, mode: Mode, pointers: &mut BTreeSet<VarId>) -> Woven {
    let mut tracker = Tracker::new(weaver, watched);
    let mut woven = Woven {
        errors: Vec::new(),
        limits: Vec::new(),
        transitions: Vec::new(),
        places: 0,
        failure: None,
    };
    match plan::plan(weaver, watched, &mut tracker) {
        Err(failure) => woven.failure = Some(failure),
        Ok(plan) => {
            woven.places = plan.places.len();
            pointers.extend(plan.pointers.iter().copied());
            emit::emit(weaver, watched, &tracker, &plan, &mut woven);
            tracker.track(weaver, mode);
        }
    }
    for labels in [&mut woven.errors, &mut woven.transitions] {
        labels.sort_unstable();
        labels.dedup();
    }
    woven
}

/// The woven variables of an automaton.
struct Tracker {
    /// The state; `None` for an automaton whose state never changes.
    state: Option<Place>,
    /// The input that decides between transitions that are enabled at once.
    choice: Place,
    /// Variables and woven variables by name, with their first value.
    variables: Vec<(String, Place, Expr)>,
    /// Sets by name.
    sets: Vec<(String, sets::Slots)>,
}

impl Tracker {
    fn new(weaver: &mut Weaver<'_>, watched: &Watched<'_>) -> Tracker {
        let automaton = watched.automaton;
        let property = watched.property;
        let mut transitions = automaton.states.iter().flat_map(|state| &state.transitions);
        let changes = automaton.states.len() > 1 || transitions.any(|t| t.target == Target::Inactive);
        let state = changes.then(|| weaver.new_var(&format!("{property}.state"), Types::INT));
        let choice = weaver.new_var(&format!("{property}.choice"), Types::INT);
        let mut tracker = Tracker {
            state,
            choice,
            variables: Vec::new(),
            sets: Vec::new(),
        };
        for variable in &automaton.variables {
            let name = format!("{property}.{}", variable.name);
            match variable.kind {
                VariableKind::Int(value) => {
                    let place = weaver.new_var(&name, Types::INT);
                    let first = value::int(weaver, value, Types::INT);
                    tracker.variables.push((variable.name.clone(), place, first));
                }
                VariableKind::Set => {
                    let slots = sets::Slots::new(weaver, &name);
                    tracker.sets.push((variable.name.clone(), slots));
                }
            }
        }
        tracker
    }

    /// Asks for explicit values as the mode says.
    fn track(&self, weaver: &mut Weaver<'_>, mode: Mode) {
        let most = match mode {
            Mode::Weaving => return,
            Mode::Auto => Some(MAX_COUNTED),
            Mode::Automaton | Mode::Hybrid => None,
        };
        self.state.iter().for_each(|state| weaver.track(state, None));
        if mode == Mode::Hybrid {
            return;
        }
        for (_, place, _) in &self.variables {
            if weaver.types().integer(place.ty).is_some() {
                weaver.track(place, most);
            }
        }
        let flags = self.sets.iter().flat_map(|(_, slots)| slots.flags());
        flags.for_each(|flag| weaver.track(flag, None));
    }

    fn variable(&self, name: &str) -> Option<&Place> {
        let found = self.variables.iter().find(|(other, ..)| other == name);
        found.map(|(_, place, _)| place)
    }

    fn set(&self, name: &str) -> Option<usize> {
        self.sets.iter().position(|(other, _)| other == name)
    }
}

/// Takes it on trust that pointers that were never initialised are different, if automata ask which object they point to. To read such a pointer is undefined; the author of a rule's
/// test, and of the driver whose environment forgot it, means some object.
fn separate(weaver: &mut Weaver<'_>, pointers: &BTreeSet<VarId>) {
    let mut before: Vec<(usize, Place)> = Vec::new();
    for (edge, place) in weaver.uninitialised_pointers() {
        if !place.as_whole_var().is_some_and(|var| pointers.contains(&var)) {
            continue;
        }
        let loc = weaver.loc(edge);
        for (other, earlier) in &before {
            if weaver.function_of(*other) != weaver.function_of(edge) || *earlier == place {
                continue;
            }
            let (a, b) = (Expr::load(place.clone()), Expr::load(earlier.clone()));
            let detail = format!(
                "`{}` and `{}` are not initialised: they point to different objects",
                name(weaver, earlier),
                name(weaver, &place)
            );
            let a = value::cast(weaver, a, Types::VOID_PTR);
            let b = value::cast(weaver, b, Types::VOID_PTR);
            let cond = crate::cfa::program::expr::binary(weaver.types(), BinOp::Ne, a, b, Types::INT);
            let gap = weaver.gap_after(edge);
            weaver.edge(gap.from, gap.to, Op::Assume { cond, truth: true }, loc);
            weaver.assume(AssumptionKind::Memory, detail, loc, false);
        }
        before.push((edge, place));
    }
}

fn name(weaver: &Weaver<'_>, place: &Place) -> String {
    let var = place
        .as_whole_var()
        .expect("a pointer variable is looked at as a whole");
    weaver.var(var).display.clone()
}
