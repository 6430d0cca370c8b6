//! Control-flow automata as drawings.
//!
//! Automata come in runs: edges without branching between them are one box with a line per operation, as in the Graphviz view.

use super::{BoxView, EdgeView, ErrorPath, FunctionView, PathView, area, line, shorten, size};
use crate::cfa::{EdgeId, FuncId, NodeId, Printer, Program, Step, VarKind};
use crate::report::layout;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Lines of a box are cut at this number of characters, and boxes at the next number of lines.
const LONGEST_LINE: usize = 72;
const MAX_LINES: usize = 40;
/// Boxes of a function that are drawn, and of all functions together: those on error paths come first.
const MAX_BOXES: usize = 1_200;
const MAX_ALL_BOXES: usize = 12_000;
/// Boxes that are kept of a line of a trace.
const MAX_PASSED: usize = 12;

/// Where an edge of the program is drawn.
#[derive(Clone, Copy)]
struct Spot {
    /// The box of its operation, or of the location behind it.
    at: usize,
    /// The drawn edges that it begins and ends, if it does.
    edges: [Option<usize>; 2],
}

/// The automata of the functions that a program defines, in order of their names, and the ways of error paths through them.
pub(super) fn automata(program: &Program, paths: &[ErrorPath<'_>]) -> (Vec<FunctionView>, Vec<PathView>) {
    let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); program.functions.len()];
    for id in program.node_ids() {
        nodes[program.node(id).func.index()].push(id);
    }
    let of = |step: &Step| program.node(program.edge(step.edge()).from).func;
    let on_paths: BTreeSet<FuncId> = paths.iter().flat_map(|path| path.steps).map(of).collect();
    let mut functions: Vec<FuncId> = program
        .function_ids()
        .filter(|&f| program.function(f).defined)
        .collect();
    functions.sort_by(|a, b| program.function(*a).name.cmp(&program.function(*b).name));
    let mut order: Vec<usize> = (0..functions.len()).collect();
    order.sort_by_key(|&at| !on_paths.contains(&functions[at]));
    let mut views: Vec<Option<FunctionView>> = vec![None; functions.len()];
    let mut spots = HashMap::new();
    let mut left = MAX_ALL_BOXES;
    for at in order {
        let id = functions[at];
        let (view, found) = function(program, id, &mut nodes[id.index()], left.min(MAX_BOXES));
        left -= view.boxes.len();
        views[at] = Some(view);
        spots.extend(found.into_iter().map(|(edge, spot)| (edge, (at, spot))));
    }
    let views = views
        .into_iter()
        .map(|view| view.expect("each has been made"))
        .collect();
    (views, paths.iter().map(|path| way(program, path, &spots)).collect())
}

/// The way of an error path.
fn way(program: &Program, path: &ErrorPath<'_>, spots: &HashMap<EdgeId, (usize, Spot)>) -> PathView {
    let ends = path
        .lines
        .iter()
        .skip(1)
        .map(|line| line.step)
        .chain([path.steps.len()]);
    let lines = path.lines.iter().zip(ends).map(|(line, end)| {
        let steps = path.steps.get(line.step..end).unwrap_or_default();
        let mut passed: Vec<(usize, usize)> = Vec::new();
        for &(function, spot) in steps.iter().filter_map(|step| spots.get(&step.edge())) {
            if passed.last() != Some(&(function, spot.at)) {
                passed.push((function, spot.at));
            }
        }
        passed.split_off(passed.len().saturating_sub(MAX_PASSED))
    });
    let passed = path.steps.iter().filter_map(|step| spots.get(&step.edge()));
    let edges: BTreeSet<(usize, usize)> = passed
        .flat_map(|&(function, spot)| spot.edges.into_iter().flatten().map(move |edge| (function, edge)))
        .collect();
    let named: BTreeSet<&str> = path
        .lines
        .iter()
        .flat_map(|line| &line.notes)
        .filter_map(|note| note.text.split([' ', '[', '.', '-']).next())
        .collect();
    let globals = program.vars.iter().filter(|var| var.kind == VarKind::Global);
    let globals: BTreeSet<String> = globals
        .map(|var| &*var.display)
        .filter(|name| named.contains(name))
        .map(str::to_owned)
        .collect();
    PathView {
        property: path.property,
        lines: lines.collect(),
        edges: edges.into_iter().collect(),
        globals: globals.into_iter().collect(),
    }
}

/// Whether a location is only passed through, inside a run.
fn is_inner(program: &Program, id: NodeId) -> bool {
    let (node, function) = (program.node(id), program.function(program.node(id).func));
    let single = node.incoming.len() == 1 && node.outgoing.len() == 1;
    single && !node.loop_head && node.label.is_none() && id != function.entry && id != function.exit
}

/// The name of a location in a drawing.
fn name(program: &Program, id: NodeId) -> String {
    let node = program.node(id);
    let function = program.function(node.func);
    match () {
        () if id == function.entry => "entry".to_string(),
        () if id == function.exit => "exit".to_string(),
        () => match &node.label {
            Some(label) => format!("{} {label}", node.rpo),
            None => node.rpo.to_string(),
        },
    }
}

/// The drawing of a function with at most so many boxes, and where its edges are in it.
fn function(program: &Program, id: FuncId, nodes: &mut [NodeId], most: usize) -> (FunctionView, Vec<(EdgeId, Spot)>) {
    let function = program.function(id);
    nodes.sort_by_key(|&node| program.node(node).rpo);
    let (mut boxes, mut edges, mut spots) = (Vec::new(), Vec::new(), Vec::new());
    let mut runs = Vec::new();
    let mut numbers = BTreeMap::new();
    let line_of = |loc| program.sources.resolve(loc).line;
    for &id in nodes.iter().filter(|&&node| !is_inner(program, node)) {
        let node = program.node(id);
        let from = boxes.len();
        numbers.insert(id, from);
        boxes.push(BoxView {
            lines: vec![name(program, id)],
            kind: if node.loop_head { "head" } else { "" },
            line: if node.loc.is_some() { line_of(node.loc) } else { 0 },
            area: [0; 4],
        });
        for &first in &node.outgoing {
            let (end, lines, run) = run(program, first);
            if lines.is_empty() {
                runs.push((from, end, None, run));
                continue;
            }
            runs.push((from, end, Some(boxes.len()), run));
            boxes.push(BoxView {
                lines,
                kind: "",
                line: line_of(program.edge(first).loc),
                area: [0; 4],
            });
        }
    }
    let omitted = boxes.len().saturating_sub(most);
    boxes.truncate(most);
    for (from, end, operations, run) in runs {
        let to = numbers[&end];
        let chain: Vec<usize> = [Some(from), operations, Some(to)].into_iter().flatten().collect();
        if chain.iter().any(|&at| at >= most) {
            continue;
        }
        let begin = edges.len();
        edges.extend(chain.windows(2).map(|pair| (pair[0], pair[1])));
        let last = edges.len() - 1;
        for (at, &edge) in run.iter().enumerate() {
            let ends = at + 1 == run.len();
            let edges = [(at == 0).then_some(begin), ends.then_some(last)];
            let at = operations.unwrap_or(to);
            spots.push((edge, Spot { at, edges }));
        }
    }
    let sizes: Vec<layout::Size> = boxes.iter().map(|shown| size(&shown.lines)).collect();
    let drawing = layout::draw(&sizes, &edges);
    for (at, shown) in boxes.iter_mut().enumerate() {
        shown.area = area(&drawing, &sizes, at);
    }
    let edges = edges.iter().enumerate().map(|(at, &(from, to))| {
        let (points, kind) = line(&drawing, at);
        EdgeView { from, to, points, kind }
    });
    let view = FunctionView {
        name: function.name.clone(),
        file: program.sources.resolve(function.loc).file.to_string(),
        line: if function.loc.is_some() {
            line_of(function.loc)
        } else {
            0
        },
        boxes,
        edges: edges.collect(),
        size: (drawing.size.width, drawing.size.height),
        omitted,
    };
    (view, spots)
}

/// The end of the run that begins with an edge, its operations as text, and its edges.
fn run(program: &Program, first: EdgeId) -> (NodeId, Vec<String>, Vec<EdgeId>) {
    let printer = Printer::new(program);
    let (mut lines, mut edges) = (Vec::new(), Vec::new());
    let mut omitted = 0;
    let mut edge = first;
    loop {
        let data = program.edge(edge);
        edges.push(edge);
        let op = printer.op(&data.op);
        if !op.is_empty() && lines.len() >= MAX_LINES {
            omitted += 1;
        } else if !op.is_empty() {
            let line = program.sources.resolve(data.loc).line;
            lines.push(shorten(&format!("{line}: {op}"), LONGEST_LINE));
        }
        if !is_inner(program, data.to) {
            if omitted > 0 {
                lines.push(format!("... {omitted} more"));
            }
            return (data.to, lines, edges);
        }
        edge = program.node(data.to).outgoing[0];
    }
}
