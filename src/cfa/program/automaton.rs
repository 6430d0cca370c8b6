//! The program: functions, each a graph of nodes and edges, and their variables.

use super::assumption::Assumption;
use super::ids::{EdgeId, FuncId, NodeId, VarId};
use super::operation::{Input, Inspection, Op};
use crate::cfa::library::standard::is_standard;
use crate::frontend::text::source::{Loc, SourceMap};
use crate::frontend::types::{TypeId, Types};
use provident_smt::hash::FxHashSet;

/// Objects on the heap have addresses from here on.
pub const HEAP_BASE: u64 = 0x4000_0000;
/// How the parameter is displayed in which a function gets the block of its variable arguments.
pub const HIDDEN_PARAMETER: &str = "$varargs";

/// A whole program.
#[derive(Debug, Clone)]
pub struct Program {
    /// All types, with their layout.
    pub types: Types,
    /// The texts that locations refer to.
    pub sources: SourceMap,
    /// All variables; [`VarId`] is the position.
    pub vars: Vec<Variable>,
    /// All functions; [`FuncId`] is the position.
    pub functions: Vec<Function>,
    /// All nodes; [`NodeId`] is the position.
    pub nodes: Vec<Node>,
    /// All edges; [`EdgeId`] is the position.
    pub edges: Vec<Edge>,
    /// The synthetic function `__provident_start`: initialises what is static, calls the entry function, ends.
    pub start: FuncId,
    /// The distance in bytes of two frames of one function in recursion, see [`Program::address_at`].
    pub frame_stride: u64,
    /// Where the variables of frames begin; below it there is only static storage.
    pub frame_base: u64,
    /// The assumptions of lowering.
    pub assumptions: Vec<Assumption>,
    /// Woven integer variables whose values the exploration keeps explicitly.
    pub tracked: Vec<ExplicitVar>,
}

/// A variable whose value the exploration keeps explicitly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExplicitVar {
    /// The variable.
    pub var: VarId,
    /// Values that are farther from zero are forgotten; `None` for a variable that has few values anyway.
    pub most: Option<u32>,
}

/// The kind of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VarKind {
    /// Static storage: file scope, or a `static` local.
    Global,
    /// A local variable of a function.
    Local,
    /// A parameter.
    Param,
    /// Holds the value that a function returns.
    Return,
    /// Made by lowering for an intermediate value.
    Temp,
    /// The array of a string literal.
    StringLiteral,
    /// An object without a name: a compound literal.
    InitImage,
    /// Static storage of a specification that is woven into the program.
    Woven,
}

/// A variable.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Unique in the program: `x` for globals, `f::x`, `f::x$2` for a second `x` in `f`.
    pub name: String,
    /// The name as written in the source.
    pub display: String,
    /// Its type.
    pub ty: TypeId,
    /// Its kind.
    pub kind: VarKind,
    /// The function whose frame it lives in; `None` for static storage.
    pub func: Option<FuncId>,
    /// Its address is taken, or it is (or contains) an array or a union: it lives in byte-addressed memory. Otherwise it is a plain
    /// variable, a record of that kind is a tuple of plain variables.
    pub in_memory: bool,
    /// Its address is taken other than by direct indexing and member access, so that a pointer may point to it. If false, only places
    /// based on the variable reach it.
    pub escapes: bool,
    /// The alignment in bytes that its declaration demands beyond that of its plain type.
    pub align: u64,
    /// The bytes behind those of its type: elements of a flexible array member that its initialiser gives.
    pub beyond: u64,
    /// For an `in_memory` variable: its fixed address, aligned, positive, disjoint from others with gaps. See
    /// [`Program::address_at`] for recursion.
    pub address: Option<u64>,
    /// Whether the variable can influence which assumptions on the way hold at all (see [`relevance`](crate::cfa::analysis::relevance)). True until that analysis has run.
    pub relevant: bool,
    /// Its declaration.
    pub loc: Loc,
}

impl Variable {
    /// Its size in bytes, if that is known.
    pub fn size(&self, types: &Types) -> Option<u64> {
        types.size_of(self.ty)?.checked_add(self.beyond)
    }

    /// A plain variable of a function, for an intermediate value. `owner` is the function's name, and `display` is unique in the function.
    pub fn temporary(func: FuncId, owner: &str, display: String, ty: TypeId, loc: Loc) -> Variable {
        Variable {
            name: format!("{owner}::{display}"),
            display,
            ty,
            kind: VarKind::Temp,
            func: Some(func),
            in_memory: false,
            escapes: false,
            align: 1,
            beyond: 0,
            address: None,
            relevant: true,
            loc,
        }
    }
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name in the program (a nested or renamed function has a unique one; `f@file` is the `static` one of a file, where another file has an `f`, too).
    pub name: String,
    /// Its function type.
    pub ty: TypeId,
    /// Its parameters in order. Empty if not defined.
    pub params: Vec<VarId>,
    /// The variable that holds the returned value, if it returns one and is defined.
    pub ret: Option<VarId>,
    /// The first node. A function without body has an entry and an exit too, but no edges.
    pub entry: NodeId,
    /// The last node: every return leads here.
    pub exit: NodeId,
    /// Whether it has a body that was lowered.
    pub defined: bool,
    /// Whether its body comes from the C library's sources, not from the program.
    pub library: bool,
    /// Whether a call of it never comes back, as far as declarations say.
    pub noreturn: bool,
    /// Whether it lies on a cycle of the call graph.
    pub recursive: bool,
    /// Its address as a value of function pointers.
    pub address: u64,
    /// Whether some reachable code or initialiser takes its address.
    pub address_taken: bool,
    /// Its declarator.
    pub loc: Loc,
}

impl Function {
    /// Its name as the program writes it: without the file that tells it from another one, and without the number of a copy.
    pub fn source_name(&self) -> &str {
        original_name(&self.name)
    }
}

/// A program location.
#[derive(Debug, Clone)]
pub struct Node {
    /// The function that it belongs to.
    pub func: FuncId,
    /// Edges that lead here.
    pub incoming: Vec<EdgeId>,
    /// Edges that start here.
    pub outgoing: Vec<EdgeId>,
    /// Whether it is a loop head. Every cycle inside a function has one.
    pub loop_head: bool,
    /// The C label that stands here.
    pub label: Option<String>,
    /// The place in the source. For the head of a loop statement the loop keyword.
    pub loc: Loc,
    /// Number in the reverse post-order of its function, for a deterministic order of exploration.
    pub rpo: u32,
    /// Whether a call edge starts here.
    pub call_site: bool,
    /// Whether a call edge ends here.
    pub return_site: bool,
}

/// A control-flow edge.
#[derive(Debug, Clone)]
pub struct Edge {
    /// Where it starts.
    pub from: NodeId,
    /// Where it ends, in the same function.
    pub to: NodeId,
    /// Its operation.
    pub op: Op,
    /// The place in the source: of the statement, or of the controlling expression.
    pub loc: Loc,
}

impl Program {
    /// Whether an operation asks which heap objects exist, or what points to them.
    pub fn asks_for_heap(&self) -> bool {
        let asks = |op: &Op| matches!(op, Op::Inspect { question, .. } if question.is_about_heap());
        self.edges.iter().any(|edge| asks(&edge.op))
    }

    /// Whether an operation asks which bytes were written.
    pub fn asks_for_contents(&self) -> bool {
        let asks = |op: &Op| {
            matches!(
                op,
                Op::Inspect {
                    question: Inspection::Written { .. },
                    ..
                }
            )
        };
        self.edges.iter().any(|edge| asks(&edge.op))
    }

    /// The variables that stand for what a slice has left out.
    pub fn stand_ins(&self) -> FxHashSet<VarId> {
        let stands_in = |edge: &Edge| match &edge.op {
            Op::Havoc {
                place,
                source: Input::LeftOut,
            } => place.as_whole_var(),
            _ => None,
        };
        self.edges.iter().filter_map(stands_in).collect()
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Variable {
        &self.vars[id.index()]
    }

    /// A function.
    pub fn function(&self, id: FuncId) -> &Function {
        &self.functions[id.index()]
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// An edge.
    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.index()]
    }

    /// All functions with their ids.
    pub fn function_ids(&self) -> impl Iterator<Item = FuncId> + use<> {
        (0..self.functions.len()).map(FuncId::new)
    }

    /// All edges with their ids.
    pub fn edge_ids(&self) -> impl Iterator<Item = EdgeId> + use<> {
        (0..self.edges.len()).map(EdgeId::new)
    }

    /// All nodes with their ids.
    pub fn node_ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len()).map(NodeId::new)
    }

    /// All variables with their ids.
    pub fn var_ids(&self) -> impl Iterator<Item = VarId> + use<> {
        (0..self.vars.len()).map(VarId::new)
    }

    /// The function of a name.
    pub fn function_by_name(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().position(|f| f.name == name).map(FuncId::new)
    }

    /// The edges that a property `call(name)` is about: every call of the function, with or without body. Which functions of the C library others of
    /// it call is its own affair, unless the program has given their address away.
    pub fn edges_calling(&self, name: &str) -> Vec<EdgeId> {
        let calls = |e: &EdgeId| match &self.edge(*e).op {
            Op::Call { func, .. } | Op::External { func, .. } => {
                let callee = self.function(*func);
                let caller = self.function(self.node(self.edge(*e).from).func);
                let standard = callee.library || !callee.defined && is_standard(&callee.name);
                // In the program `assert` is a macro, so that its call is the program's.
                let inside = caller.library && original_name(&caller.name) != "assert";
                is_called(original_name(&callee.name), name) && !(inside && standard && !callee.address_taken)
            }
            _ => false,
        };
        self.edge_ids().filter(calls).collect()
    }

    /// The edges that a property `label(name)` is about.
    pub fn edges_labelled(&self, name: &str) -> Vec<EdgeId> {
        self.edge_ids()
            .filter(|e| matches!(&self.edge(*e).op, Op::Label(l) if l == name))
            .collect()
    }
}

/// Whether a call of the function `callee` is one of `name`: gcc's `__builtin_abort` is `abort`.
pub(in crate::cfa) fn is_called(callee: &str, name: &str) -> bool {
    callee.strip_prefix("__builtin_").unwrap_or(callee) == name || callee == name
}

/// The name of the function that a function is a copy of, as the program writes it.
pub(in crate::cfa) fn original_name(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}
