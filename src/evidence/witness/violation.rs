//! From a replayed execution to a violation witness.
//!
//! The witness says which inputs the execution takes, in its order, and where it ends:
//!
//! * the result of a call without body is a waypoint `function_return` with the constraint `\result == value`;
//! * the value of a local variable that is read before anything is written to it is an `assumption` before the statement behind its declaration;
//! * a loop, `if` or `switch` needs no waypoint: with these inputs the program takes only one way;
//! * where inputs are many, those on which the path does not depend are left out. An input at the same place as the next one in the witness has to stay
//!   in it, because a reader would mistake one for the other;
//! * where there are more inputs than anybody can read, the witness has only the end: the first inputs alone would not help a validator.
//!
//! Addresses mean nothing to another tool, so the witness says at most whether a pointer is null. Values without a place in the program's text (memory that a function without body
//! wrote, inline assembly) are left out; a validator has to find them again.

use super::format::{Constraint, Element, Location, Step, Waypoint};
use super::text::{Text, is_name};
use crate::cfa::program::expr::{walk, walk_place};
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::{EdgeId, Expr, ExprKind, Input, Op, Place, PlaceBase, Program, Step as PathStep, VarId, is_call};
use crate::evidence::replay::{Asked, Request};
use crate::frontend::text::source::Loc;
use provident_smt::hash::FxHashMap;
use std::collections::BTreeMap;

/// Up to this number of inputs, the witness has all of them.
pub const FEW_INPUTS: usize = 64;

/// With more inputs than this, the witness has only the end of the execution.
const MAX_SEGMENTS: usize = 20_000;

/// The segments of an execution that ends with the violation. If `decisive` is given, it says for each input whether the path depends on it.
pub fn segments(
    program: &Program,
    text: &Text<'_>,
    steps: &[PathStep],
    asked: &[Asked],
    decisive: Option<&[bool]>,
) -> Vec<Element> {
    let read = uninitialised_reads(program, steps);
    let calls = library_calls(program, steps);
    let mut writer = Writer { program, text };
    let mut inputs: Vec<(Waypoint, bool)> = Vec::new();
    for (position, input) in asked.iter().enumerate() {
        let Some(step) = steps.get(input.step) else { continue };
        let waypoint = match &program.edge(step.edge()).op {
            Op::Havoc {
                place,
                source: Input::Nondet { function },
            } if program.sources.in_library(input.loc) => match calls.get(&input.step) {
                // An input of a function of the library that bears its name is what the program's call returns.
                Some((called, loc)) if called == function => writer.returned(
                    place,
                    &Asked {
                        loc: *loc,
                        ..input.clone()
                    },
                ),
                _ => None,
            },
            Op::Havoc {
                place,
                source: Input::Nondet { .. },
            }
            | Op::External { ret: Some(place), .. } => writer.returned(place, input),
            Op::Havoc {
                place,
                source: Input::Uninitialised,
            } if read[input.step] => writer.local(place, input),
            Op::Havoc {
                source: Input::EntryParam,
                ..
            } => None,
            _ => None,
        };
        let is_decisive = decisive.is_none_or(|decisive| decisive[position]);
        inputs.extend(waypoint.map(|waypoint| (waypoint, is_decisive)));
    }
    let mut said: Vec<Waypoint> = Vec::new();
    for (waypoint, is_decisive) in inputs.into_iter().rev() {
        let is_next = |next: &Waypoint| next.kind == waypoint.kind && next.location == waypoint.location;
        if is_decisive || said.last().is_some_and(is_next) {
            said.push(waypoint);
        }
    }
    if said.len() > MAX_SEGMENTS {
        said.clear();
    }
    let mut elements: Vec<Element> = said.into_iter().rev().map(segment).collect();
    let target = steps.last().and_then(|step| writer.target(step.edge()));
    elements.extend(target.map(segment));
    elements
}

/// For each input of a library function: the function that the program has called, and the place. A witness is about the program's own text.
fn library_calls<'p>(program: &'p Program, steps: &[PathStep]) -> BTreeMap<usize, (&'p str, Loc)> {
    let mut open: Vec<(&str, Loc)> = Vec::new();
    let mut calls = BTreeMap::new();
    for (i, step) in steps.iter().enumerate() {
        let edge = program.edge(step.edge());
        match step {
            PathStep::Enter(call) => {
                let called = is_call(program, *call).expect("calls are entered");
                open.push((&program.function(called).name, edge.loc));
            }
            PathStep::Leave(_) => drop(open.pop()),
            PathStep::Edge(_) if program.sources.in_library(edge.loc) => {
                let own = open.iter().rev().find(|(_, loc)| !program.sources.in_library(*loc));
                calls.extend(own.map(|&call| (i, call)));
            }
            PathStep::Edge(_) => {}
        }
    }
    calls
}

fn segment(waypoint: Waypoint) -> Element {
    Element {
        segment: Some(vec![Step { waypoint }]),
        invariant: None,
    }
}

struct Writer<'p, 't> {
    program: &'p Program,
    text: &'t Text<'t>,
}

impl Writer<'_, '_> {
    fn location(&self, token: usize) -> Location {
        let at = Loc(u32::try_from(self.text.start(token)).expect("a program text is below 4 GiB"));
        let position = self.program.sources.resolve(at);
        Location {
            file_name: position.file.to_string(),
            line: position.line,
            column: Some(position.column),
            function: None,
        }
    }

    fn waypoint(&self, kind: &str, token: usize, edge: Option<EdgeId>, constraint: Option<(String, &str)>) -> Waypoint {
        let mut location = self.location(token);
        location.function = edge.map(|edge| {
            let func = self.program.node(self.program.edge(edge).from).func;
            self.program.function(func).source_name().to_owned()
        });
        Waypoint {
            kind: kind.to_string(),
            action: "follow".to_string(),
            constraint: constraint.map(|(value, format)| Constraint {
                value,
                format: Some(format.to_string()),
            }),
            location,
        }
    }

    /// The result of a call.
    fn returned(&mut self, place: &Place, input: &Asked) -> Option<Waypoint> {
        let Request::Written { offset: 0, .. } = input.request else {
            return None;
        };
        let constraint = self.equation("\\result", place, input)?;
        let end = self.text.call_end(self.text.token_at(input.loc)?)?;
        Some(self.waypoint("function_return", end, None, Some((constraint, "acsl_expression"))))
    }

    /// The value of a local variable.
    fn local(&mut self, place: &Place, input: &Asked) -> Option<Waypoint> {
        let Request::Written { offset: 0, .. } = input.request else {
            return None;
        };
        let var = self.program.var(place.as_whole_var()?);
        let declaration = self.text.token_at(var.loc).filter(|_| var.loc.is_some())?;
        if self.text.word(declaration) != var.display {
            return None;
        }
        let constraint = self.equation(&var.display, place, input)?;
        let next = self.text.statement_end(declaration) + 1;
        if next >= self.text.len() || !self.text.begins_statement(next) {
            return None;
        }
        Some(self.waypoint("assumption", next, None, Some((constraint, "c_expression"))))
    }

    /// `what == value` for an integer; for a pointer, whether it is null.
    fn equation(&self, what: &str, place: &Place, input: &Asked) -> Option<String> {
        let types = &self.program.types;
        if types.is_pointer(place.ty) {
            return Some(format!("{what} {} 0", if input.bits == 0 { "==" } else { "!=" }));
        }
        types.integer(place.ty).filter(|info| info.width <= 64)?;
        Some(format!("{what} == {}", literal(&input.value)?))
    }

    fn target(&self, edge: EdgeId) -> Option<Waypoint> {
        let loc = self.program.edge(edge).loc;
        let mut token = self.text.token_at(loc).filter(|_| loc.is_some())?;
        while token > 0 && !self.text.begins_statement(token) {
            token -= 1;
            if matches!(self.text.word(token), ")" | "]" | "}") {
                token = self.text.partner(token)?;
            }
        }
        // A function that specifies the violation by its call stands behind no label of its own.
        while is_name(self.text.word(token)) && self.text.word(token + 1) == ":" && self.text.start(token) < offset(loc)
        {
            token += 2;
        }
        Some(self.waypoint("target", token, Some(edge), None))
    }
}

fn offset(loc: Loc) -> usize {
    usize::try_from(loc.0).expect("a u32 fits in usize on every supported host")
}

/// A decimal number as a C constant of its value.
pub fn literal(value: &str) -> Option<String> {
    let number: i128 = value.parse().ok()?;
    if number == i128::from(i64::MIN) {
        return Some("(-9223372036854775807LL - 1)".to_string());
    }
    let suffix = match number {
        n if n > i128::from(i64::MAX) => "ULL",
        n if n > i128::from(i32::MAX) || n < -i128::from(i32::MAX) => "LL",
        _ => "",
    };
    Some(format!("{number}{suffix}"))
}

/// For each step that makes a plain local variable unknown, whether its value is read before it is overwritten. Objects in memory count as read.
///
/// One walk backwards over the path; a variable belongs to the frame of its function, numbered by depth.
pub fn uninitialised_reads(program: &Program, steps: &[PathStep]) -> Vec<bool> {
    let mut depth = 0usize;
    let depths: Vec<usize> = steps
        .iter()
        .map(|step| {
            match step {
                PathStep::Enter(_) => depth += 1,
                PathStep::Leave(_) => depth = depth.saturating_sub(1),
                PathStep::Edge(_) => {}
            }
            depth
        })
        .collect();
    let mut next: FxHashMap<(usize, VarId), bool> = FxHashMap::default();
    let mut result = vec![false; steps.len()];
    let reads = |e: &Expr, depth: usize, next: &mut FxHashMap<(usize, VarId), bool>| {
        walk(e, &mut |e| {
            if let ExprKind::Load(place) | ExprKind::AddrOf(place) = &e.kind
                && let PlaceBase::Var(var) = place.base
            {
                next.insert((depth, var), true);
            }
        });
    };
    for (i, step) in steps.iter().enumerate().rev() {
        let op = &program.edge(step.edge()).op;
        let here = depths[i];
        match (step, op) {
            (PathStep::Leave(_), Op::Call { func, ret, .. }) => {
                if let Some(var) = ret.as_ref().and_then(Place::as_whole_var) {
                    next.insert((here, var), false);
                }
                if let (Some(_), Some(var)) = (ret, program.function(*func).ret) {
                    next.insert((here + 1, var), true);
                }
            }
            (PathStep::Enter(_), Op::Call { func, args, .. }) => {
                for &param in &program.function(*func).params {
                    next.insert((here, param), false);
                }
                args.iter()
                    .for_each(|arg| reads(arg, here.saturating_sub(1), &mut next));
            }
            (_, Op::Havoc { place, .. }) if place.as_whole_var().is_some() => {
                let var = place.as_whole_var().expect("just looked");
                let in_memory = program.var(var).in_memory;
                result[i] = in_memory || next.get(&(here, var)).copied().unwrap_or(false);
                next.insert((here, var), false);
            }
            _ => {
                visit_parts(op, &mut |part| {
                    if let Part::Written(place) = part
                        && let Some(var) = place.as_whole_var()
                    {
                        next.insert((here, var), false);
                    }
                });
                visit_parts(op, &mut |part| match part {
                    Part::Value(e) => reads(e, here, &mut next),
                    Part::Written(place) => walk_place(place, &mut |e| {
                        if let ExprKind::Load(place) = &e.kind
                            && let PlaceBase::Var(var) = place.base
                        {
                            next.insert((here, var), true);
                        }
                    }),
                });
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_the_value_that_they_show() {
        assert_eq!(literal("-5").unwrap(), "-5");
        assert_eq!(literal("-2147483648").unwrap(), "-2147483648LL");
        assert_eq!(literal("18446744073709551615").unwrap(), "18446744073709551615ULL");
        assert_eq!(literal("-9223372036854775808").unwrap(), "(-9223372036854775807LL - 1)");
        assert_eq!(literal("1.5"), None);
    }
}
