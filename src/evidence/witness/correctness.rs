//! From invariants at loop heads to a correctness witness.
//!
//! Every head of a loop statement gets a `loop_invariant` at its keyword; the head of a loop that jumps make gets a `location_invariant` at its statement, if it is one.

use super::expression::{Names, Translator};
use super::format::{Element, Invariant, Location};
use super::text::Text;
use crate::cfa::memory_types::Cells;
use crate::cfa::{NodeId, Program};
use crate::engine;
use provident_smt::term::TermPool;
use std::collections::BTreeMap;

/// The invariants at loop heads as elements of a witness, in the order of the text. `cells` says what the memory in the formulas of `known` consists of.
pub fn invariants(
    program: &Program,
    text: &Text<'_>,
    cells: BTreeMap<String, Cells>,
    known: &[engine::Invariant],
) -> Vec<Element> {
    let names = Names::new(program, cells);
    let mut by_token: BTreeMap<usize, Option<Vec<String>>> = BTreeMap::new();
    for (node, token) in heads(program, text) {
        let value = known.iter().find(|invariant| invariant.node == node).map(|invariant| {
            let mut pool = TermPool::new();
            let formulas = pool.import(&invariant.formulas);
            let func = program.node(node).func;
            let disjunction = pool.or(&formulas);
            Translator::new(program, text, &names, &pool, func, token).weaken(disjunction, true)
        });
        // A head that was never reached is known to be unreachable only together with the other heads of its place.
        let value = match value {
            Some(value) => value.map(|value| vec![value]),
            None if known.is_empty() => None,
            None => Some(Vec::new()),
        };
        let entry = by_token.entry(token).or_insert_with(|| Some(Vec::new()));
        *entry = match (entry.take(), value) {
            (Some(mut all), Some(more)) => {
                all.extend(more);
                Some(all)
            }
            _ => None,
        };
    }
    by_token
        .into_iter()
        .map(|(token, value)| element(program, text, token, &value_of(value)))
        .collect()
}

fn value_of(value: Option<Vec<String>>) -> String {
    match value {
        None => "1".to_string(),
        Some(all) if all.is_empty() => "0".to_string(),
        Some(all) => all.join(" || "),
    }
}

/// The loop heads that have a place in the text, with their tokens.
fn heads(program: &Program, text: &Text<'_>) -> Vec<(NodeId, usize)> {
    let mut heads = Vec::new();
    for node in program.node_ids().filter(|&node| program.node(node).loop_head) {
        let loc = program.node(node).loc;
        let Some(token) = text.token_at(loc).filter(|_| loc.is_some()) else {
            continue;
        };
        // A witness speaks of the program's own text.
        if program.sources.in_library(loc) {
            continue;
        }
        let is_loop = matches!(text.word(token), "while" | "for" | "do");
        if is_loop || program.node(node).label.is_some() && text.begins_statement(token) {
            heads.push((node, token));
        }
    }
    heads
}

fn element(program: &Program, text: &Text<'_>, token: usize, value: &str) -> Element {
    let is_loop = matches!(text.word(token), "while" | "for" | "do");
    let (line, column) = text.position(token);
    let invariant = Invariant {
        kind: if is_loop {
            "loop_invariant"
        } else {
            "location_invariant"
        }
        .to_string(),
        location: Location {
            file_name: text.file(token).to_string(),
            line,
            column: Some(column),
            function: function_at(program, text, token),
        },
        value: value.to_string(),
        format: "c_expression".to_string(),
    };
    Element {
        segment: None,
        invariant: Some(invariant),
    }
}

fn function_at(program: &Program, text: &Text<'_>, token: usize) -> Option<String> {
    let at = |node: &NodeId| text.token_at(program.node(*node).loc) == Some(token);
    let node = program
        .node_ids()
        .filter(|node| program.node(*node).loop_head)
        .find(at)?;
    Some(program.function(program.node(node).func).source_name().to_owned())
}
