//! The unfinished program: the graph before its nodes know their edges.
//!
//! Lowering builds it, calls through pointers are expanded in it, specifications weave their operations into it, recursion is bounded in it. Then
//! [`contract`](contract::contract) makes the graph of a [`Program`](super::Program) from it. Passes that make a new program from an old one, such as slices, use the last step alone.
//!
//! This room knows nothing of syntax trees except which `va_arg` they have, and nothing of how calls are expanded.
//!
//! | module | does |
//! |---|---|
//! | `accesses` | the tests that accesses need |
//! | `bytes` | bytes of memory that nothing has written |
//! | `contents` | shadows of variables that are declared without a value |
//! | `contract` | empty edges are contracted, unreachable nodes go |
//! | `objects` | checks of memory |
//! | `varargs` | how a program passes variable arguments |

mod accesses;
mod bytes;
mod contents;
pub(in crate::cfa) mod contract;
pub(in crate::cfa) mod objects;
pub(in crate::cfa) mod varargs;

use super::program::assumption::Assumption;
use super::program::*;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{TypeId, Types};
use varargs::VarArgs;

/// The start function: it initialises what is static and calls the entry function.
pub(in crate::cfa) const START: FuncId = FuncId(0);

/// A call through a pointer that waits for the candidates to be known.
pub(in crate::cfa) struct IndirectCall {
    pub from: NodeId,
    pub to: NodeId,
    pub pointer: Expr,
    pub args: Vec<Expr>,
    /// Whether arguments were left out because of their types.
    pub incomplete: bool,
    pub ret: Option<Place>,
    /// The function type that the pointer points to.
    pub signature: TypeId,
    pub loc: Loc,
}

/// The unfinished program.
pub(in crate::cfa) struct Parts {
    pub types: Types,
    pub vars: Vec<Variable>,
    pub functions: Vec<Function>,
    pub nodes: Vec<RawNode>,
    pub edges: Vec<Edge>,
    pub assumptions: Vec<Assumption>,
    pub indirect: Vec<IndirectCall>,
    pub marks: Vec<Mark>,
    pub tracked: Vec<ExplicitVar>,
    pub varargs: VarArgs,
    pub jumps: Option<Jumps>,
}

impl Parts {
    /// A new plain variable of a function, for an intermediate value.
    pub fn add_temporary(&mut self, func: FuncId, display: String, ty: TypeId, loc: Loc) -> VarId {
        let owner = &self.functions[func.index()].name;
        self.vars.push(Variable::temporary(func, owner, display, ty, loc));
        VarId::new(self.vars.len() - 1)
    }

    /// A new node of a function.
    pub fn add_node(&mut self, func: FuncId, loc: Loc) -> NodeId {
        self.nodes.push(RawNode {
            func,
            loc,
            label: None,
            is_loop: false,
        });
        NodeId::new(self.nodes.len() - 1)
    }
}

/// A node before the edges are attached to it.
pub(in crate::cfa) struct RawNode {
    pub func: FuncId,
    pub loc: Loc,
    pub label: Option<String>,
    /// Whether it is the head of a loop statement, whose position it keeps.
    pub is_loop: bool,
}

/// The place of a call that has no edge of its own, because the function has a model.
#[derive(Debug, Clone)]
pub(in crate::cfa) struct Mark {
    /// An empty edge.
    pub edge: usize,
    /// The function.
    pub function: String,
    /// The values of the arguments.
    pub args: Vec<Expr>,
    /// The value of the call, behind it.
    pub result: Option<Expr>,
    /// Whether the edge is behind the call.
    pub after: bool,
}

/// A call of `setjmp`.
pub(in crate::cfa) struct Landing {
    /// Behind it.
    pub node: NodeId,
    /// The variable of the frame that holds the ticket.
    pub ticket: Place,
    /// Where the result of `setjmp` is.
    pub result: Place,
}

/// The jumps of a program.
pub(in crate::cfa) struct Jumps {
    /// The last ticket given out.
    pub tickets: Place,
    /// The ticket of the jump that is under way, or 0.
    pub under_way: Place,
    /// The value that it brings.
    pub value: Place,
    pub landings: Vec<Landing>,
    /// Where jumps begin; nothing leads on from there yet.
    pub starts: Vec<(NodeId, Loc)>,
}
