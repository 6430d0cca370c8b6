//! Live variables: which plain variables of a function's frame may still be read.
//!
//! The usual backward analysis on one function (Aho, Lam, Sethi, Ullman, *Compilers*, 9.2.5), solved in post-order. Only variables of the function
//! itself that are not in memory are considered; everything else is always live. A nested function may read its outer function's
//! variables at any call, so functions whose variables are used elsewhere have all of them live.

use crate::cfa::program::expr::{walk, walk_place};
use crate::cfa::program::visit::{Part, visit_parts};
use crate::cfa::program::*;
use bitvec::prelude::BitVec;
use provident_smt::hash::FxHashMap;

/// The live variables at each node of one function.
pub struct Live {
    nodes: FxHashMap<NodeId, BitVec>,
    dense: FxHashMap<VarId, usize>,
}

impl Live {
    /// Whether the variable's value at the node may be read later. True for everything the analysis does not consider.
    pub fn is_live(&self, node: NodeId, var: VarId) -> bool {
        match (self.nodes.get(&node), self.dense.get(&var)) {
            (Some(bits), Some(&i)) => bits[i],
            _ => true,
        }
    }

    /// Analyses one function. The cost is its edges times its variables over the word size, times the depth of its loops.
    pub fn analyse(program: &Program, func: FuncId) -> Live {
        let function = program.function(func);
        let mut dense = FxHashMap::default();
        for id in program.var_ids() {
            let variable = program.var(id);
            if variable.func == Some(func) && !variable.in_memory {
                dense.insert(id, dense.len());
            }
        }
        for edge in program.edges.iter().filter(|e| program.node(e.from).func != func) {
            // Used by a nested function, which may run at any call.
            visit_reads(program, &edge.op, &mut |v| {
                dense.remove(&v);
            });
        }
        let width = program.vars.len().min(dense.values().max().map_or(0, |m| m + 1));
        let mut order: Vec<NodeId> = program.node_ids().filter(|&n| program.node(n).func == func).collect();
        order.sort_by_key(|&n| std::cmp::Reverse(program.node(n).rpo));
        let mut live = Live {
            nodes: FxHashMap::default(),
            dense,
        };
        for &n in &order {
            live.nodes.insert(n, BitVec::repeat(false, width));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &n in &order {
                let mut bits: BitVec = BitVec::repeat(false, width);
                // The caller reads the result.
                if let Some(&result) = function.ret.as_ref().and_then(|ret| live.dense.get(ret))
                    && n == function.exit
                {
                    bits.set(result, true);
                }
                for &e in &program.node(n).outgoing {
                    let edge = program.edge(e);
                    bits |= live.before(program, &edge.op, &live.nodes[&edge.to]);
                }
                if bits != live.nodes[&n] {
                    live.nodes.insert(n, bits);
                    changed = true;
                }
            }
        }
        live
    }

    fn before(&self, program: &Program, op: &Op, after: &BitVec) -> BitVec {
        let mut bits = after.clone();
        visit_parts(op, &mut |part| {
            if let Part::Written(place) = part
                && let Some(v) = place.as_whole_var()
                && let Some(&i) = self.dense.get(&v)
            {
                bits.set(i, false);
            }
        });
        visit_reads(program, op, &mut |v| {
            if let Some(&i) = self.dense.get(&v) {
                bits.set(i, true);
            }
        });
        bits
    }
}

/// Calls `f` for every variable that an operation reads, or writes only in part.
fn visit_reads(_program: &Program, op: &Op, f: &mut dyn FnMut(VarId)) {
    let load = |e: &Expr, f: &mut dyn FnMut(VarId)| {
        if let ExprKind::Load(Place {
            base: PlaceBase::Var(v),
            ..
        })
        | ExprKind::AddrOf(Place {
            base: PlaceBase::Var(v),
            ..
        }) = &e.kind
        {
            f(*v);
        }
    };
    visit_parts(op, &mut |part| match part {
        Part::Value(e) => walk(e, &mut |e| load(e, f)),
        Part::Written(place) => {
            walk_place(place, &mut |e| load(e, f));
            if let (PlaceBase::Var(v), false) = (&place.base, place.proj.is_empty()) {
                f(*v);
            }
        }
    });
}
