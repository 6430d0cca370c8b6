//! Events of a program, and the transitions that are considered at each.
//!
//! A trigger is decided as far as the program's text decides it. The result is a list of alternatives: conditions on values that have to hold, with the bindings of the holes. Negations
//! are pushed down to conditions and events, and a negated event binds nothing.

use super::super::automaton::syntax::{At, Callee, Event, Expr as Syntax, ExprKind, Pattern, Trigger, When};
use super::pattern::{Bindings, Bound, Matcher};
use crate::cfa::lower::weave::{Site, Weaver};
use crate::cfa::{Expr, Op};

/// Something that happens.
#[derive(Clone, Debug)]
pub(super) enum Happening {
    /// The entry function is about to be called.
    Entry,
    /// The entry function has returned.
    Exit,
    /// A call is about to happen.
    Call {
        /// The function in which the call stands.
        caller: String,
        function: String,
        args: Vec<Expr>,
    },
    /// A call has happened. The arguments are values before it, unless they are `kept`.
    Return {
        edge: usize,
        caller: String,
        function: String,
        args: Vec<Expr>,
        result: CallResult,
        kept: bool,
    },
    /// Another operation has happened.
    Operation(Op),
}

/// The result of a call.
#[derive(Clone, Debug)]
pub(super) enum CallResult {
    /// The result of the call on the edge.
    OfEdge,
    /// Known already.
    Known(Option<Expr>),
}

/// The way on which a transition is considered.
#[derive(Clone, Debug, Default)]
pub(super) struct Alternative {
    /// The bindings of the holes.
    pub bindings: Bindings,
    /// Conditions that have to be true, or false.
    pub conditions: Vec<(Syntax, bool)>,
    /// Whether something that happens was matched.
    matched: bool,
}

/// A part of a trigger that cannot be decided here, with its place.
pub(super) type Question = (At, String);

/// The events before and behind an edge.
pub(super) fn happenings(weaver: &Weaver<'_>, edge: usize) -> (Option<Happening>, Option<Happening>) {
    let caller = weaver.function_name(weaver.function_of(edge)).to_owned();
    match weaver.site(edge) {
        None => (None, None),
        Some(Site::Call { function, args, whole }) => {
            let after = whole.then(|| Happening::Return {
                edge,
                caller: caller.clone(),
                function: function.clone(),
                args: args.clone(),
                result: CallResult::OfEdge,
                kept: false,
            });
            let before = Happening::Call { caller, function, args };
            (Some(before), after)
        }
        Some(Site::Return { function, args, result }) => {
            let after = Happening::Return {
                edge,
                caller,
                function,
                args,
                result: CallResult::Known(result),
                kept: true,
            };
            (None, Some(after))
        }
        Some(Site::Other(op)) => (None, Some(Happening::Operation(op))),
    }
}

/// The ways on which a trigger holds when something happens. Conditions that match nothing that happens are asked once per operation, behind it.
pub(super) fn alternatives(
    weaver: &mut Weaver<'_>,
    trigger: &Trigger,
    happening: &Happening,
) -> Result<Vec<Alternative>, Question> {
    let mut found = decide(weaver, trigger, happening, true)?;
    if !matches!(happening, Happening::Return { .. } | Happening::Operation(_)) {
        found.retain(|alternative| alternative.matched);
    }
    Ok(found)
}

fn decide(
    weaver: &mut Weaver<'_>,
    trigger: &Trigger,
    happening: &Happening,
    wanted: bool,
) -> Result<Vec<Alternative>, Question> {
    let constant = |holds: bool| {
        if holds {
            vec![Alternative::default()]
        } else {
            Vec::new()
        }
    };
    Ok(match trigger {
        Trigger::Constant(value) => constant(*value == wanted),
        Trigger::Not(inner) => decide(weaver, inner, happening, !wanted)?,
        Trigger::Condition(condition) => vec![Alternative {
            conditions: vec![(condition.clone(), wanted)],
            ..Alternative::default()
        }],
        Trigger::Query { at, analysis, query } => {
            let what = format!(
                "`CHECK` asks the analysis `{analysis}` whether \"{query}\"; only the program itself can be asked here"
            );
            return Err((*at, what));
        }
        Trigger::Event(at, event) => match (matched(weaver, *at, event, happening)?, wanted) {
            (Some(bindings), true) => vec![Alternative {
                bindings,
                conditions: Vec::new(),
                matched: true,
            }],
            (found, _) => constant(found.is_none() && !wanted),
        },
        Trigger::And(a, b) | Trigger::Or(a, b) => {
            let both = matches!(trigger, Trigger::And(..)) == wanted;
            let left = decide(weaver, a, happening, wanted)?;
            if both && left.is_empty() {
                // The other side may ask what cannot be answered, but not here.
                return Ok(left);
            }
            let right = decide(weaver, b, happening, wanted)?;
            if both {
                let pairs = left.iter().flat_map(|l| right.iter().filter_map(|r| l.and(r)));
                pairs.collect()
            } else {
                left.into_iter().chain(right).collect()
            }
        }
    })
}

impl Alternative {
    /// Both; `None` if a hole would have to stand for two things.
    fn and(&self, other: &Alternative) -> Option<Alternative> {
        let mut both = self.clone();
        for (hole, bound) in &other.bindings {
            match both.bindings.iter().find(|(known, _)| known == hole) {
                Some((_, known)) if known == bound => {}
                Some(_) => return None,
                None => both.bindings.push((*hole, bound.clone())),
            }
        }
        both.conditions.extend(other.conditions.iter().cloned());
        both.matched |= other.matched;
        Some(both)
    }
}

/// The bindings of the holes if an event is the trigger; `None` if it is not.
fn matched(
    weaver: &mut Weaver<'_>,
    at: At,
    event: &Event,
    happening: &Happening,
) -> Result<Option<Bindings>, Question> {
    let plainly = |holds: bool| Ok(holds.then(Bindings::new));
    match (event, happening) {
        (Event::Text(_), _) => Err((
            at,
            "matching the raw text of statements is not supported; match a statement in `{ }`".to_string(),
        )),
        (Event::Entry, _) => plainly(matches!(happening, Happening::Entry)),
        (Event::Exit, _) => plainly(matches!(happening, Happening::Exit)),
        (Event::Assume, _) => plainly(matches!(happening, Happening::Operation(Op::Assume { .. }))),
        (Event::Label(regex), Happening::Operation(Op::Label(label))) => plainly(regex.matches(label)),
        (Event::FunctionCall(name), Happening::Call { function, .. }) => plainly(name == function),
        (Event::Statement(when, pattern), _) => Ok(statement(weaver, *when, pattern, happening)),
        _ => Ok(None),
    }
}

/// Whether a pattern contains the result of the call.
fn names_result(result: &Option<Syntax>) -> bool {
    result.as_ref().is_some_and(|place| place.kind != ExprKind::Any)
}

/// Whether a call of a function matches a pattern. Calls in the body of a member of a family are part of that member.
fn met(pattern: &Callee, called: &str, caller: &str) -> bool {
    pattern.matches(called) && (matches!(pattern, Callee::Name(_)) || !pattern.matches(caller))
}

fn statement(weaver: &mut Weaver<'_>, when: When, pattern: &Pattern, happening: &Happening) -> Option<Bindings> {
    match (pattern, happening) {
        (
            Pattern::Call { result, function, args },
            Happening::Call {
                caller,
                function: called,
                args: values,
            },
        ) if met(function, called, caller) => {
            if when == When::Return || (when == When::Either && names_result(result)) {
                return None;
            }
            let mut matcher = Matcher::new(weaver);
            matcher
                .arguments(args, values, Bound::After)
                .then_some(matcher.bindings)
        }
        (
            Pattern::Call {
                result: wanted,
                function,
                args,
            },
            Happening::Return {
                edge,
                caller,
                function: called,
                args: values,
                result,
                kept,
            },
        ) if met(function, called, caller) => {
            if when == When::Call || (when == When::Either && !names_result(wanted)) {
                return None;
            }
            let bound = if *kept { Bound::After } else { Bound::Before };
            let mut matcher = Matcher::new(weaver);
            if !matcher.arguments(args, values, bound) {
                return None;
            }
            let mut bindings = matcher.bindings;
            if let Some(wanted) = wanted.as_ref().filter(|place| place.kind != ExprKind::Any) {
                let value = match result {
                    CallResult::OfEdge => weaver.call_result(*edge),
                    CallResult::Known(value) => value.clone(),
                }?;
                let mut matcher = Matcher::with(weaver, bindings);
                if !matcher.expression(wanted, &value, Bound::After) {
                    return None;
                }
                bindings = matcher.bindings;
            }
            Some(bindings)
        }
        (Pattern::Assign { lhs, rhs }, Happening::Operation(Op::Assign { lhs: place, rhs: value })) => {
            let mut matcher = Matcher::new(weaver);
            let fits = matcher.expression(rhs, value, Bound::Before) && matcher.place(lhs, place, Bound::After);
            fits.then_some(matcher.bindings)
        }
        (Pattern::Assign { lhs, rhs }, _) => result_assigned(weaver, (lhs, rhs), happening),
        _ => None,
    }
}

/// An assignment that the result of a call, or an input, makes by going right into the place.
fn result_assigned(weaver: &mut Weaver<'_>, (lhs, rhs): (&Syntax, &Syntax), happening: &Happening) -> Option<Bindings> {
    let (place, value) = match happening {
        Happening::Operation(Op::Havoc { place, .. } | Op::Allocate { lhs: place, .. }) => {
            (place.clone(), Expr::load(place.clone()))
        }
        Happening::Return {
            edge,
            result: CallResult::OfEdge,
            ..
        } => (weaver.result_place(*edge)?, weaver.call_result(*edge)?),
        _ => return None,
    };
    if !matches!(rhs.kind, ExprKind::Hole(_) | ExprKind::Any) {
        return None;
    }
    let mut matcher = Matcher::new(weaver);
    let fits = matcher.expression(rhs, &value, Bound::After) && matcher.place(lhs, &place, Bound::After);
    fits.then_some(matcher.bindings)
}
