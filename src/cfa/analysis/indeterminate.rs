//! Local variables that may be read before anything is assigned to them.
//!
//! Their declaration gives them any value. If a variable is always assigned first, no operation reads that value, and an analysis that ignores the order of
//! operations must not take it for one that pointers have.

use crate::cfa::program::expr::{walk, walk_place};
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;

/// For each variable that an operation reads or writes in part, and for what it writes as a whole.
#[derive(Default, Clone)]
struct Uses {
    reads: Vec<VarId>,
    writes: Option<VarId>,
}

/// The graph of edges with the uses of plain variables.
pub(in crate::cfa) struct Indeterminate<'a> {
    program: &'a Program,
    uses: Vec<Uses>,
    /// The edges that start at each node.
    outgoing: Vec<Vec<usize>>,
    /// Whether a variable is used in another function than its own.
    shared: Vec<bool>,
    /// The search that has passed an edge last.
    passed: Vec<u32>,
    searches: u32,
}

impl<'a> Indeterminate<'a> {
    pub fn new(program: &'a Program, function_of: &dyn Fn(NodeId) -> FuncId) -> Self {
        let nodes = program.edges.iter().map(|e| e.from.index().max(e.to.index()) + 1).max();
        let mut graph = Indeterminate {
            program,
            uses: Vec::with_capacity(program.edges.len()),
            outgoing: vec![Vec::new(); nodes.unwrap_or(0)],
            shared: vec![false; program.vars.len()],
            passed: vec![0; program.edges.len()],
            searches: 0,
        };
        for (i, edge) in program.edges.iter().enumerate() {
            graph.outgoing[edge.from.index()].push(i);
            let uses = graph.uses_of(&edge.op);
            let func = function_of(edge.from);
            for &var in uses.reads.iter().chain(&uses.writes) {
                graph.shared[var.index()] |= program.var(var).func != Some(func);
            }
            graph.uses.push(uses);
        }
        graph
    }

    fn uses_of(&self, op: &Op) -> Uses {
        let mut uses = Uses::default();
        let local = |v: VarId| self.program.var(v).func.is_some() && !self.program.var(v).in_memory;
        let note = |e: &Expr, reads: &mut Vec<VarId>| {
            if let ExprKind::Load(place) = &e.kind
                && let PlaceBase::Var(v) = place.base
                && local(v)
            {
                reads.push(v);
            }
        };
        visit_parts(op, &mut |part| match part {
            Part::Value(e) => walk(e, &mut |e| note(e, &mut uses.reads)),
            Part::Written(place) => {
                walk_place(place, &mut |e| note(e, &mut uses.reads));
                match (place.as_whole_var(), &place.base) {
                    (Some(v), _) => uses.writes = Some(v).filter(|&v| local(v)),
                    (None, PlaceBase::Var(v)) if local(*v) => uses.reads.push(*v),
                    _ => {}
                }
            }
        });
        if let Op::Call { func, .. } = op
            && let Some(result) = self.program.function(*func).ret
        {
            // Read by the caller, but it is the callee that must have assigned it.
            uses.reads.retain(|&v| v != result);
        }
        uses
    }

    /// Whether the value that the operation of an edge gives a plain variable may be read.
    pub fn is_read(&mut self, edge: usize, var: VarId) -> bool {
        if self.shared[var.index()] || self.program.function(self.func(var)).ret == Some(var) {
            return true;
        }
        self.is_read_from(self.program.edges[edge].to, var)
    }

    /// Whether a path from a node reads a variable before it is assigned.
    pub fn is_read_from(&mut self, node: NodeId, var: VarId) -> bool {
        self.searches += 1;
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let Some(outgoing) = self.outgoing.get(node.index()) else {
                continue;
            };
            for &next in outgoing {
                if std::mem::replace(&mut self.passed[next], self.searches) == self.searches {
                    continue;
                }
                if self.uses[next].reads.contains(&var) {
                    return true;
                }
                if self.uses[next].writes != Some(var) {
                    open.push(self.program.edges[next].to);
                }
            }
        }
        false
    }

    fn func(&self, var: VarId) -> FuncId {
        self.program.var(var).func.expect("a local variable has a function")
    }
}
