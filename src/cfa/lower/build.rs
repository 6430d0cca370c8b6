//! Building the graph: nodes, edges, functions and variables.

use super::state::{CODE_BASE, Lowerer};
use crate::cfa::program::assumption::{Assumption, AssumptionKind};
use crate::cfa::program::*;
use crate::cfa::raw::RawNode;
use crate::frontend::text::source::Loc;
use crate::frontend::types::{IntInfo, Type, TypeId};
use provident_smt::hash::FxHashMap;

impl<'u> Lowerer<'u> {
    pub(super) fn new_node(&mut self, loc: Loc) -> NodeId {
        self.nodes.push(RawNode {
            func: self.frame.func,
            loc,
            label: None,
            is_loop: false,
        });
        NodeId::new(self.nodes.len() - 1)
    }

    pub(super) fn new_function(&mut self, name: &str, ty: TypeId, loc: Loc) -> FuncId {
        let func = FuncId::new(self.functions.len());
        let outer = std::mem::replace(&mut self.frame.func, func);
        let (entry, exit) = (self.new_node(loc), self.new_node(loc));
        self.frame.func = outer;
        let name = unique(&mut self.global_names, name);
        self.functions.push(Function {
            name,
            ty,
            params: Vec::new(),
            ret: None,
            entry,
            exit,
            defined: false,
            library: false,
            noreturn: false,
            recursive: false,
            address: CODE_BASE + 16 * u64::from(func.0),
            address_taken: false,
            loc,
        });
        func
    }

    /// Adds an edge from the current node to a new one, which becomes the current one.
    pub(super) fn emit(&mut self, op: Op, loc: Loc) {
        let to = self.new_node(loc);
        self.edges.push(Edge {
            from: self.cur,
            to,
            op,
            loc,
        });
        self.cur = to;
    }

    pub(super) fn edge(&mut self, from: NodeId, to: NodeId, op: Op, loc: Loc) {
        self.edges.push(Edge { from, to, op, loc });
    }

    pub(super) fn connect(&mut self, from: NodeId, to: NodeId, loc: Loc) {
        self.edge(from, to, Op::Nop, loc);
    }

    /// Goes to `to`; what follows is unreachable unless something else leads to it.
    pub(super) fn jump(&mut self, to: NodeId, loc: Loc) {
        self.connect(self.cur, to, loc);
        self.cur = self.new_node(loc);
    }

    pub(super) fn assume(&mut self, kind: AssumptionKind, detail: String, loc: Loc, sound: bool) {
        self.assumptions.push(Assumption {
            kind,
            detail,
            loc,
            sound,
        });
    }

    /// A new temporary of the current function.
    pub(super) fn temp(&mut self, ty: TypeId, loc: Loc) -> VarId {
        self.frame.temps += 1;
        let display = format!("${}", self.frame.temps);
        let func = self.frame.func;
        let owner = &self.functions[func.index()].name;
        self.new_var(Variable::temporary(func, owner, display, ty, loc))
    }

    pub(super) fn new_var(&mut self, variable: Variable) -> VarId {
        self.vars.push(variable);
        VarId::new(self.vars.len() - 1)
    }

    pub(super) fn has_variable_length(&self, ty: TypeId) -> bool {
        use crate::frontend::types::ArrayLen;
        match *self.types.get(ty) {
            Type::Array {
                len: ArrayLen::Variable(_),
                ..
            } => true,
            Type::Array { elem, .. } => self.has_variable_length(elem),
            Type::Record(record) => self.types.record(record).variable,
            _ => false,
        }
    }

    /// Types whose values no analysis looks into: they are objects that hold anything, and never operands.
    pub(super) fn is_opaque(&self, ty: TypeId) -> bool {
        matches!(self.types.get(ty), Type::Complex(_) | Type::Vector { .. })
    }

    pub(super) fn int_info(&self, ty: TypeId) -> Option<IntInfo> {
        self.types.integer(ty)
    }
}

/// `base` the first time, then `base$2`, `base$3`, ...
pub(super) fn unique(names: &mut FxHashMap<String, u32>, base: &str) -> String {
    match names.get_mut(base) {
        None => {
            names.insert(base.to_owned(), 1);
            base.to_owned()
        }
        Some(n) => {
            *n += 1;
            format!("{base}${n}")
        }
    }
}
