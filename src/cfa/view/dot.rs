//! Control-flow automata as Graphviz text.
//!
//! Each function is a cluster, so that a big program can be looked at function by function; runs of edges without branching are one
//! box with a line per operation. Loop heads are doubled, labels of long operations are cut.

use super::display::Printer;
use crate::cfa::program::*;
use std::fmt::Write;

const MAX_LINE: usize = 80;

/// The given functions (all defined ones if empty) as one graph.
pub fn dot(program: &Program, functions: &[FuncId]) -> String {
    let all: Vec<FuncId> = if functions.is_empty() {
        program
            .function_ids()
            .filter(|&f| program.function(f).defined)
            .collect()
    } else {
        functions.to_vec()
    };
    let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); program.functions.len()];
    for id in program.node_ids() {
        nodes[program.node(id).func.index()].push(id);
    }
    let mut text = String::from(
        "digraph cfa {\n  node [shape=circle, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n",
    );
    for func in all {
        function_cluster(program, func, &nodes[func.index()], &mut text);
    }
    text.push_str("}\n");
    text
}

fn function_cluster(program: &Program, func: FuncId, nodes: &[NodeId], text: &mut String) {
    let function = program.function(func);
    let mut line = |s: String| {
        text.push_str(&s);
        text.push('\n');
    };
    line(format!(
        "  subgraph cluster_{} {{\n    label={};",
        func.0,
        quote(&function.name)
    ));
    for &id in nodes.iter().filter(|&&n| !is_inner(program, n)) {
        let node = program.node(id);
        let shape = if node.loop_head { ", shape=doublecircle" } else { "" };
        let name = match () {
            () if id == function.entry => "entry".to_owned(),
            () if id == function.exit => "exit".to_owned(),
            () => match &node.label {
                Some(label) => format!("{} {label}", node.rpo),
                None => node.rpo.to_string(),
            },
        };
        line(format!("    n{} [label={}{shape}];", id.0, quote(&name)));
    }
    for &id in nodes.iter().filter(|&&n| !is_inner(program, n)) {
        for &first in &program.node(id).outgoing {
            let (end, label) = run(program, first);
            line(format!("    n{} -> n{} [label={}];", id.0, end.0, quote(&label)));
        }
    }
    line("  }".to_owned());
}

/// Whether a node is only passed through, inside a run of edges.
fn is_inner(program: &Program, id: NodeId) -> bool {
    let node = program.node(id);
    let function = program.function(node.func);
    node.incoming.len() == 1
        && node.outgoing.len() == 1
        && !node.loop_head
        && node.label.is_none()
        && id != function.entry
        && id != function.exit
}

/// The end of the run that begins with an edge, and its operations, one per line.
fn run(program: &Program, first: EdgeId) -> (NodeId, String) {
    let printer = Printer::new(program);
    let mut label = String::new();
    let mut edge = first;
    loop {
        let data = program.edge(edge);
        let mut op: String = printer.op(&data.op);
        if op.chars().count() > MAX_LINE {
            op = op.chars().take(MAX_LINE).collect::<String>() + "...";
        }
        if !op.is_empty() {
            if !label.is_empty() {
                label.push('\n');
            }
            write!(label, "{}: {op}", program.sources.resolve(data.loc).line).expect("writing to a string");
        }
        if !is_inner(program, data.to) {
            return (data.to, label);
        }
        edge = program.node(data.to).outgoing[0];
    }
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            '\n' => quoted.push_str("\\l"),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
