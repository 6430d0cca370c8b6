//! The manifest of the proof obligations: what each file claims, and how the files together cover the program.
//!
//! A reader needs nothing but this file and the scripts. That the blocks leave nothing out can be seen in it: `edges` are all edges of the
//! program; each block lists those that it passes; and every location that a path of a block passes has all its edges in that block.

use serde::{Deserialize, Serialize};

/// The file of the manifest.
pub const FILE: &str = "manifest.json";

/// What the scripts prove, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The line of `provident --version`.
    pub provident: String,
    /// The program's file.
    pub program: String,
    /// The names of the properties that hold if every script is unsatisfiable.
    pub properties: Vec<String>,
    /// What the scripts together say, in a sentence.
    pub claim: String,
    /// How integers are read: `machine` or `ideal`.
    pub arith: String,
    /// The edges that violate a property.
    pub violations: Vec<u32>,
    /// The points at which something is claimed; the first is the program's start.
    pub points: Vec<PointEntry>,
    /// The blocks, one for each point: all paths from it to the next points.
    pub blocks: Vec<BlockEntry>,
    /// One entry for each script.
    pub obligations: Vec<ObligationEntry>,
    /// All edges of functions that blocks enter.
    pub edges: Vec<EdgeEntry>,
}

/// A point of the program with its claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointEntry {
    /// Its name in this manifest.
    pub id: String,
    /// The location.
    #[serde(flatten)]
    pub place: PlaceEntry,
    /// What holds whenever control is there, as SMT-LIB over the names of variables.
    pub claim: String,
    /// The same in the syntax of C, as far as that has words for it.
    pub text: String,
}

/// A location under a call stack.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlaceEntry {
    /// The location's number.
    pub node: u32,
    /// The function.
    pub function: String,
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The open calls, outermost first, as edges.
    pub calls: Vec<u32>,
}

/// All paths from one point to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockEntry {
    /// The point at which they begin.
    pub from: String,
    /// The points at which they end.
    pub to: Vec<String>,
    /// Points without claim at which paths end; they are proved to be out of reach.
    pub unclaimed: Vec<PlaceEntry>,
    /// The edges that they pass.
    pub edges: Vec<u32>,
}

/// The kinds of obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The claim at the start holds of every state.
    Initiation,
    /// The claim at the end of a block holds if the claim at its beginning does.
    Consecution,
    /// No path leads to a point without claim.
    Exclusion,
    /// No path takes an edge that violates a property.
    Safety,
    /// What a block writes is in the ranges of types.
    Ranges,
}

/// A script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObligationEntry {
    /// Its file.
    pub file: String,
    /// What kind of condition it is.
    pub kind: Kind,
    /// The point at which its block begins.
    pub from: String,
    /// The point at which it ends, if that is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// What follows if the script is unsatisfiable.
    pub claim: String,
    /// Instances of updates of memory in it.
    pub instances: usize,
    /// What a solver has to answer.
    pub expected: String,
}

/// An edge of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EdgeEntry {
    /// Its number.
    pub id: u32,
    /// Where it starts.
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// The function entered, for a call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<String>,
    /// The line.
    pub line: u32,
    /// What it does.
    pub operation: String,
}

impl Manifest {
    /// The manifest as JSON, with a line end.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest has only string keys");
        text.push('\n');
        text
    }

    /// Whether the blocks leave nothing out, as far as the manifest says: every block ends at points that have a block of their own, and every
    /// location that it passes has all its edges in it. The first violation, if there is one.
    ///
    /// # Errors
    /// What is missing.
    pub fn covers(&self) -> Result<(), String> {
        use std::collections::{BTreeMap, BTreeSet};
        let mut outgoing: BTreeMap<u32, Vec<&EdgeEntry>> = BTreeMap::new();
        let edges: BTreeMap<u32, &EdgeEntry> = self.edges.iter().map(|edge| (edge.id, edge)).collect();
        for edge in &self.edges {
            outgoing.entry(edge.from).or_default().push(edge);
        }
        let points: BTreeMap<&str, &PointEntry> = self.points.iter().map(|point| (point.id.as_str(), point)).collect();
        let begun: BTreeSet<&str> = self.blocks.iter().map(|block| block.from.as_str()).collect();
        for block in &self.blocks {
            let name = &block.from;
            let start = points.get(name.as_str()).ok_or(format!("block {name} begins nowhere"))?;
            if let Some(end) = block.to.iter().find(|end| !begun.contains(end.as_str())) {
                return Err(format!("block {name} ends at {end}, where no block begins"));
            }
            let inside: BTreeSet<u32> = block.edges.iter().copied().collect();
            // The locations whose edges must be here: the start and every location that an edge leads to and that no end of the block is.
            let ends: BTreeSet<u32> = block.to.iter().map(|end| points[end.as_str()].place.node).collect();
            let ends: BTreeSet<u32> = ends.into_iter().chain(block.unclaimed.iter().map(|p| p.node)).collect();
            let mut passed = BTreeSet::from([start.place.node]);
            for edge in &block.edges {
                let edge = edges.get(edge).ok_or(format!("block {name} has the unknown edge {edge}"))?;
                if edge.calls.is_none() && !ends.contains(&edge.to) {
                    passed.insert(edge.to);
                }
            }
            for edge in passed.iter().filter_map(|node| outgoing.get(node)).flatten() {
                if !inside.contains(&edge.id) {
                    return Err(format!("block {name} leaves out edge {}", edge.id));
                }
            }
        }
        let started = self.points.first().is_some_and(|start| begun.contains(start.id.as_str()));
        let all = points.keys().all(|point| begun.contains(point));
        if started && all { Ok(()) } else { Err("a point has no block".to_string()) }
    }
}
