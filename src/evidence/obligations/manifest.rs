//! The manifest of the proof obligations: the claim of each file, and how the files together cover the program.
//!
//! A reader needs nothing but this file and the scripts. It shows that the blocks leave nothing out: `edges` are all edges of the
//! program; each block lists those that it passes; and every location that a path of a block passes has all its edges in that block ([`coverage`](super::coverage)).
//! It also shows that the scripts have the assertions which it lists: every assertion except those about paths follows from the claims of the manifest (`audit`).

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The file of the manifest.
pub const FILE: &str = "manifest.json";

/// The manifest of a folder of scripts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The line of `provident --version`.
    pub provident: String,
    /// The program's file.
    pub program: String,
    /// The names of the properties that hold if every script is unsatisfiable.
    pub properties: Vec<String>,
    /// The claim of all scripts together, in a sentence.
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
    /// The values of non-linear operators of which scripts make use.
    #[serde(default)]
    pub operators: Vec<OperatorEntry>,
    /// All functions that blocks pass or enter.
    pub functions: Vec<FunctionEntry>,
    /// All edges of these functions. The ways around automata that track the properties are no edges of the program, nor is what tracks others.
    pub edges: Vec<EdgeEntry>,
    /// The contracts of functions on which calls rely.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub contracts: Vec<ContractEntry>,
    /// If there are contracts: the local variables outside of memory, by function.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub locals: BTreeMap<String, Vec<String>>,
}

/// A contract: whenever its function is executed from where the claim at its entry holds, and the execution ends, then the claim at its exit holds. In both, the function's frame has the names of a
/// first one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContractEntry {
    /// Its name in this manifest.
    pub id: String,
    /// The function.
    pub function: String,
    /// The point at the entry.
    pub entry: String,
    /// The point at the exit.
    pub exit: String,
    /// The names that an execution may write: static storage, memory, and variables of the function's own frame.
    pub writes: Vec<String>,
    /// The variables of frames of other functions that it may write, as nested functions do.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub nested: Vec<String>,
}

/// The cases of the claim at a call that rely on a contract.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UseEntry {
    /// The contract.
    pub contract: String,
    /// From the first case to before the second one.
    pub cases: [usize; 2],
}

/// A point of the program with its claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointEntry {
    /// Its name in this manifest.
    pub id: String,
    /// The location.
    #[serde(flatten)]
    pub place: PlaceEntry,
    /// One of these holds whenever control is there. As SMT-LIB over the names of variables.
    #[serde(default)]
    pub cases: Vec<String>,
    /// All of these hold besides.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub conjuncts: Vec<String>,
    /// Claims about all elements of arrays, as SMT-LIB with quantifiers. Scripts have instances of them.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub elements: Vec<String>,
    /// The variables that have values in the ranges of their types there: names, least and greatest values. At the program's start every object holds a value of its type.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub ranges: BTreeMap<String, [String; 2]>,
    /// The claim in the syntax of C, as far as that has words for it.
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
    /// The contract under which something is claimed there; then these calls are those since the entry of its function, and the frames are numbered from there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub contract: Option<String>,
}

/// All paths from one point to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BlockEntry {
    /// The point at which they begin.
    pub from: String,
    /// The points at which they end.
    pub to: Vec<String>,
    /// For each of these, which version of each name that is claimed about there is the last one; the others have version 0, which is the one at the beginning.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub versions: BTreeMap<String, BTreeMap<String, u32>>,
    /// Points without claim at which paths end; they are proved to be out of reach.
    pub unclaimed: Vec<PlaceEntry>,
    /// The edges that they pass, without calls.
    pub edges: Vec<u32>,
    /// The calls that they enter, as edges.
    pub enters: Vec<u32>,
    /// The calls from which they return, as edges.
    pub leaves: Vec<u32>,
    /// If the point is the entry of a call that is not followed: the contracts on which the cases of its claim rely instead. The block ends before the return from the call.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub relies_on: Vec<UseEntry>,
    /// If the block is the whole program, with its loops: paths from its beginning.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub paths: Vec<PathEntry>,
}

/// A path of the program. No execution leaves it where none of the others goes on, or it leaves it where no violation can be reached any more.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PathEntry {
    /// Its edges, without returns from calls.
    pub edges: Vec<u32>,
    /// The ways to leave it, each after a number of these edges by one edge, which is a call if that is returned from. A script shows that no execution takes one of them. What several paths have in common belongs to the first of
    /// them.
    pub left: Vec<[u32; 2]>,
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
    /// The values that a block writes are in the ranges of types.
    Ranges,
    /// The claim at a call implies the claim where the contract begins on which it relies.
    Precondition,
}

/// The role of an assertion of a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The claim before the block.
    Claim,
    /// Instances of the claims about all elements before the block.
    Elements,
    /// The ranges of the values that are read.
    Ranges,
    /// Values of non-linear operators.
    Operators,
    /// The effect of the paths of the block.
    Paths,
    /// The claim that holds behind a call by its contract.
    Contract,
    /// The negation of the goal behind them.
    Goal,
    /// An instance of an update of memory.
    Instance,
}

impl Role {
    /// The comment above such an assertion.
    pub fn text(self) -> &'static str {
        match self {
            Role::Claim => "what is claimed before",
            Role::Elements => "what is claimed of all elements before, for some of them",
            Role::Ranges => "the ranges of what is read",
            Role::Operators => "values of operators that are not linear",
            Role::Paths => "the paths of the block",
            Role::Contract => "what the contract ensures",
            Role::Goal => "not what is to hold behind them",
            Role::Instance => "what an update of memory says at an address",
        }
    }
}

/// An update of memory: the function `new` is `old` except at addresses from `low` to before `high`. Terms are SMT-LIB, names of functions too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UpdateEntry {
    /// The function behind it.
    pub new: String,
    /// The function before.
    pub old: String,
    /// The first address written.
    pub low: String,
    /// The address behind the last one written.
    pub high: String,
    /// The source of the written value.
    pub source: SourceEntry,
}

/// The source of the value that an update of memory writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceEntry {
    /// The same value everywhere.
    Value(String),
    /// Anything.
    Any,
    /// The content of a function at a distance.
    Copy {
        /// The function.
        from: String,
        /// The distance.
        shift: String,
    },
}

/// An update of memory at an address.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct InstanceEntry {
    /// The Boolean that stands for the update in the script.
    pub update: String,
    /// The address, as SMT-LIB.
    pub at: String,
}

/// The value of a non-linear operator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OperatorEntry {
    /// The operator with the type of its result, as in `__mul:i32`.
    pub operator: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its value.
    pub value: String,
}

/// A fact about products: a sum is congruent to 0 modulo 2 to the power of `bits` if all `zero` are 0, and so it is 0 if it is less than this away from 0. Terms are SMT-LIB, and the values of `__mul` with at least so many bits are products.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct IdentityEntry {
    /// The exponent, at most 64.
    pub bits: u32,
    /// Terms to be replaced in all that follows, one after the other.
    pub definitions: Vec<DefinitionEntry>,
    /// Multiples that then add up to the sum.
    pub multiples: Vec<MultipleEntry>,
    /// The sum.
    pub sum: String,
}

/// A term that is defined by a sum that is 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DefinitionEntry {
    /// The sum.
    pub zero: String,
    /// The term, which has the factor 1 or -1 in it and occurs nowhere else.
    pub term: String,
}

/// A multiple of a sum that is 0.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MultipleEntry {
    /// The sum.
    pub zero: String,
    /// The factor, in which `*` multiplies any terms.
    pub factor: String,
}

/// A script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObligationEntry {
    /// Its file.
    pub file: String,
    /// The kind of condition.
    pub kind: Kind,
    /// The point at which its block begins.
    pub from: String,
    /// The point at which it ends, if that is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The disjuncts of the claim at `from` that the script is about, from the first to before the second; all of them if there is none.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cases: Option<[usize; 2]>,
    /// The conjuncts of the claim at `to` that the script treats, likewise: the first is the disjunction of its cases, then come those in `conjuncts` and in `elements`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub conjuncts: Option<[usize; 2]>,
    /// The number, from 0, of the listed path of the block that the script is about: no execution leaves it by an edge by which none of the others goes on. Each such edge belongs to the first path that comes there.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub path: Option<usize>,
    /// The consequence of an unsatisfiable script.
    pub claim: String,
    /// The roles of its assertions, one after the other.
    #[serde(default)]
    pub parts: Vec<Role>,
    /// The variables whose ranges behind the block it shows.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub ranges: Vec<String>,
    /// The updates of memory for which Booleans stand in it.
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    pub updates: BTreeMap<String, UpdateEntry>,
    /// Instances of them, one for each such assertion.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub instances: Vec<InstanceEntry>,
    /// The numbers for which it assumes what is claimed of all elements at `from`, as SMT-LIB. The first stands for any: what is claimed of all elements
    /// at `to` is shown for it.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub elements: Vec<String>,
    /// The identities of polynomials that it uses.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub identities: Vec<IdentityEntry>,
    /// The expected answer of a solver.
    pub expected: String,
}

/// A function of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FunctionEntry {
    /// Its name.
    pub name: String,
    /// Its first location.
    pub entry: u32,
    /// Its last location.
    pub exit: u32,
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
    /// The operation as text.
    pub operation: String,
}

impl Manifest {
    /// The manifest as JSON, with a line end.
    pub fn json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest has only string keys");
        text.push('\n');
        text
    }
}
