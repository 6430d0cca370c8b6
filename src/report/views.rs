//! The views of the page: automata and abstract states as boxes and edges, in types made for being written.
//!
//! Automata come in runs: edges without branching between them are one box with a line per operation, as in the Graphviz view.

use crate::cfa::{EdgeId, FuncId, NodeId, Printer, Program};
use crate::engine::{Graph, Round};
use serde::Serialize;
use std::fmt::Write;

/// Lines of a box are cut at this number of characters, and boxes at the next number of lines.
const LONGEST_LINE: usize = 90;
const MAX_LINES: usize = 60;

/// Everything that a report shows besides its text.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Views {
    /// The functions of the program, in order of their names.
    pub functions: Vec<FunctionView>,
    /// The abstract reachability graph.
    pub arg: ArgView,
    /// The explorations of the refinement loop.
    pub rounds: Vec<RoundView>,
}

/// The automaton of a function.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FunctionView {
    /// Its name.
    pub name: String,
    /// Locations and runs of operations, in reverse post-order.
    pub boxes: Vec<BoxView>,
    /// How they follow each other.
    pub edges: Vec<EdgeView>,
}

/// A location, or a run of operations.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoxView {
    /// Its number in this view.
    pub id: usize,
    /// Its text.
    pub lines: Vec<String>,
    /// `head` for a loop head.
    pub kind: &'static str,
}

/// An edge between boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EdgeView {
    /// Where it starts.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// Abstract states.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ArgView {
    /// Those at abstraction points, and targets.
    pub states: Vec<StateView>,
    /// Which leads to which.
    pub edges: Vec<(usize, usize)>,
    /// All states, also those inside blocks.
    pub total: usize,
    /// States that are left out.
    pub omitted: usize,
    /// Whether it is the whole state space.
    pub complete: bool,
}

/// An abstract state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateView {
    /// The function.
    pub function: String,
    /// The line.
    pub line: u32,
    /// The open calls, as names of the functions called.
    pub stack: Vec<String>,
    /// The abstraction formula as text.
    pub region: String,
    /// Whether it is at a loop head.
    pub head: bool,
    /// Whether it violates a property.
    pub target: bool,
    /// The state that covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<usize>,
}

/// An exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RoundView {
    /// Its number.
    pub round: u64,
    /// Abstract states reached.
    pub states: u64,
    /// Target states among them.
    pub targets: u64,
    /// Predicates of the precision.
    pub predicates: u64,
}

/// The views of a program and of what a run explored.
pub fn views(program: &Program, graph: &Graph, rounds: &[Round]) -> Views {
    let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); program.functions.len()];
    for id in program.node_ids() {
        nodes[program.node(id).func.index()].push(id);
    }
    let defined = program.function_ids().filter(|&f| program.function(f).defined);
    let mut functions: Vec<FunctionView> = defined.map(|f| function(program, f, &mut nodes[f.index()])).collect();
    functions.sort_by(|a, b| a.name.cmp(&b.name));
    let rounds = rounds.iter().map(|round| RoundView {
        round: round.round,
        states: round.states,
        targets: round.targets,
        predicates: round.predicates,
    });
    Views {
        functions,
        arg: arg(program, graph),
        rounds: rounds.collect(),
    }
}

fn arg(program: &Program, graph: &Graph) -> ArgView {
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
        }
    });
    ArgView {
        states: states.collect(),
        edges: graph.edges.clone(),
        total: graph.total,
        omitted: graph.omitted,
        complete: graph.complete,
    }
}

/// Whether a location is only passed through, inside a run.
fn is_inner(program: &Program, id: NodeId) -> bool {
    let (node, function) = (program.node(id), program.function(program.node(id).func));
    let single = node.incoming.len() == 1 && node.outgoing.len() == 1;
    single && !node.loop_head && node.label.is_none() && id != function.entry && id != function.exit
}

fn function(program: &Program, id: FuncId, nodes: &mut [NodeId]) -> FunctionView {
    let function = program.function(id);
    let mut view = FunctionView {
        name: function.name.clone(),
        boxes: Vec::new(),
        edges: Vec::new(),
    };
    nodes.sort_by_key(|&node| program.node(node).rpo);
    let mut runs = Vec::new();
    let mut numbers = std::collections::BTreeMap::new();
    for &id in nodes.iter().filter(|&&node| !is_inner(program, node)) {
        let node = program.node(id);
        let name = match () {
            () if id == function.entry => "entry".to_string(),
            () if id == function.exit => "exit".to_string(),
            () => match &node.label {
                Some(label) => format!("{} {label}", node.rpo),
                None => node.rpo.to_string(),
            },
        };
        numbers.insert(id, view.boxes.len());
        let kind = if node.loop_head { "head" } else { "" };
        view.boxes.push(BoxView {
            id: view.boxes.len(),
            lines: vec![name],
            kind,
        });
        for &first in &node.outgoing {
            let (end, lines) = run(program, first);
            let number = view.boxes.len();
            let from = numbers[&id];
            if lines.is_empty() {
                runs.push((from, end));
                continue;
            }
            view.boxes.push(BoxView {
                id: number,
                lines,
                kind: "",
            });
            view.edges.push(EdgeView { from, to: number });
            runs.push((number, end));
        }
    }
    for (from, end) in runs {
        view.edges.push(EdgeView {
            from,
            to: numbers[&end],
        });
    }
    view
}

/// The end of the run that begins with an edge, and its operations.
fn run(program: &Program, first: EdgeId) -> (NodeId, Vec<String>) {
    let printer = Printer::new(program);
    let mut lines = Vec::new();
    let mut omitted = 0;
    let mut edge = first;
    loop {
        let data = program.edge(edge);
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
            return (data.to, lines);
        }
        edge = program.node(data.to).outgoing[0];
    }
}

fn shorten(line: &str, longest: usize) -> String {
    let line: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match line.char_indices().nth(longest) {
        Some((end, _)) => format!("{} ...", &line[..end]),
        None => line,
    }
}

/// The abstract reachability graph as Graphviz text: boxes are states at abstraction points, dashed edges say what covers what.
pub fn arg_dot(arg: &ArgView) -> String {
    let mut text = String::from("digraph arg {\n  node [shape=box, fontname=\"monospace\"];\n");
    for (number, state) in arg.states.iter().enumerate() {
        let region = shorten(&state.region, LONGEST_LINE);
        let label = format!("{number}: {}:{}\n{region}", state.function, state.line);
        let label = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let colour = if state.target { ", color=red" } else { "" };
        writeln!(text, "  s{number} [label=\"{label}\"{colour}];").expect("writing to a string");
        if let Some(by) = state.covered_by {
            writeln!(text, "  s{number} -> s{by} [style=dashed, constraint=false];").expect("writing to a string");
        }
    }
    for (from, to) in &arg.edges {
        writeln!(text, "  s{from} -> s{to};").expect("writing to a string");
    }
    text.push_str("}\n");
    text
}
