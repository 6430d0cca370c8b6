//! Distances to the targets as a table for each function.

use crate::cfa::analysis::distances::{Distance, Distances};
use crate::cfa::program::*;
use std::fmt::Write;

/// One line for each location of a function that some edge begins at or ends at: its number, its `exit-dist`, `exit-dist'` and `abs-dist`, and its line in the source.
/// Locations are numbered as in [`Printer::function`](super::display::Printer::function).
pub fn distances(program: &Program, distances: &Distances, func: FuncId) -> String {
    let function = program.function(func);
    let mut nodes: Vec<NodeId> = program.node_ids().filter(|&n| program.node(n).func == func).collect();
    nodes.sort_by_key(|&n| program.node(n).rpo);
    let mut text = format!("{}\n  location  exit-dist  exit-dist'  abs-dist  line\n", function.name);
    for id in nodes {
        let node = program.node(id);
        let relative = distances.relative_exit(program, id);
        let name = match id == function.exit {
            true => "exit".to_owned(),
            false => format!("{}{}", node.rpo, if node.loop_head { "*" } else { "" }),
        };
        writeln!(
            text,
            "  {name:<8}  {:>9}  {:>10}  {:>8}  {:>4}",
            distances.exit(id),
            relative.map_or_else(|| Distance::INFINITE.to_string(), |r| r.to_string()),
            distances.absolute(id),
            program.sources.resolve(node.loc).line
        )
        .expect("writing to a string");
    }
    text
}
