//! The abstract reachability graph: its states, and a drawing of the first ones.

use super::{ArgView, EdgeView, StateView, area, line, shorten, size};
use crate::cfa::{EdgeId, Program};
use crate::engine::Graph;
use crate::report::layout;
use std::fmt::Write;

/// States that are drawn.
const MAX_DRAWN: usize = 1_000;
/// Characters of a line of a box, and lines of a formula in it.
const LONGEST_LINE: usize = 44;
const MAX_LINES: usize = 4;
/// Characters of a formula in Graphviz text.
const LONGEST_LABEL: usize = 90;

/// The view of a graph, which is about the program.
pub(super) fn arg(program: &Program, graph: &Graph) -> ArgView {
    let callee = |&call: &EdgeId| {
        let callee = crate::cfa::is_call(program, call);
        callee.map_or_else(String::new, |f| program.function(f).name.clone())
    };
    let states = graph.states.iter().map(|state| {
        let node = program.node(state.node);
        StateView {
            function: program.function(node.func).name.clone(),
            line: program.sources.resolve(node.loc).line,
            stack: state.calls.iter().map(callee).collect(),
            region: state.region.clone(),
            head: node.loop_head,
            target: state.target,
            covered_by: state.covered_by,
            drawn: None,
        }
    });
    let mut view = ArgView {
        states: states.collect(),
        links: graph.edges.clone(),
        total: graph.total,
        omitted: graph.omitted,
        complete: graph.complete,
        ..ArgView::default()
    };
    draw(&mut view);
    view
}

fn draw(view: &mut ArgView) {
    let count = view.states.len().min(MAX_DRAWN);
    let is_drawn = |&(from, to): &(usize, usize)| from < count && to < count;
    let mut edges: Vec<(usize, usize)> = view.links.iter().copied().filter(is_drawn).collect();
    let leading = edges.len();
    let covers = view.states.iter().enumerate();
    let covers = covers.filter_map(|(at, state)| Some((at, state.covered_by?)));
    edges.extend(covers.filter(is_drawn));
    let texts: Vec<Vec<String>> = view.states[..count]
        .iter()
        .enumerate()
        .map(|(at, state)| text(at, state))
        .collect();
    let sizes: Vec<layout::Size> = texts.iter().map(|lines| size(lines)).collect();
    let drawing = layout::draw(&sizes, &edges);
    for (at, text) in texts.into_iter().enumerate() {
        view.states[at].drawn = Some((text, area(&drawing, &sizes, at)));
    }
    for (at, &(from, to)) in edges.iter().enumerate() {
        let (points, kind) = line(&drawing, at);
        view.edges.push(EdgeView {
            from,
            to,
            points,
            kind: if at < leading { kind } else { "cover" },
        });
    }
    view.size = (drawing.size.width, drawing.size.height);
}

/// The text in the box of a state.
fn text(at: usize, state: &StateView) -> Vec<String> {
    let mark = if state.target { "  VIOLATION" } else { "" };
    let mut lines = vec![format!("{at}: {}:{}{mark}", state.function, state.line)];
    if state.target || state.region == "1" {
        return lines;
    }
    let mut line = String::new();
    for word in state
        .region
        .split_inclusive("&& ")
        .flat_map(|part| part.split_inclusive("|| "))
    {
        if line.chars().count() + word.trim_end().chars().count() > LONGEST_LINE && !line.is_empty() {
            lines.push(shorten(line.trim_end(), LONGEST_LINE));
            line.clear();
        }
        if lines.len() > MAX_LINES {
            lines.push("...".to_string());
            return lines;
        }
        line.push_str(word);
    }
    lines.push(shorten(line.trim_end(), LONGEST_LINE));
    lines
}

/// The abstract reachability graph as Graphviz text: boxes are states at abstraction points, dashed edges say what covers what.
pub fn arg_dot(arg: &ArgView) -> String {
    let mut text = String::from("digraph arg {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (number, state) in arg.states.iter().enumerate() {
        let region = shorten(&state.region, LONGEST_LABEL);
        let label = format!("{number}: {}:{}\n{region}", state.function, state.line);
        let label = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let colour = if state.target { ", color=red" } else { "" };
        writeln!(text, "  s{number} [label=\"{label}\"{colour}];").expect("writing to a string");
        if let Some(by) = state.covered_by {
            writeln!(text, "  s{number} -> s{by} [style=dashed, constraint=false];").expect("writing to a string");
        }
    }
    for (from, to) in &arg.links {
        writeln!(text, "  s{from} -> s{to};").expect("writing to a string");
    }
    text.push_str("}\n");
    text
}
