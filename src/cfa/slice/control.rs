//! Control dependence: which branches decide whether a location is passed.
//!
//! A location depends on a branch if it comes on all ways behind one side of it and not behind another; by post-dominators, as in
//! Ferrante, Ottenstein and Warren, *The program dependence graph and its use in optimization*, TOPLAS 1987. Post-dominators are
//! those of Cooper, Harvey and Kennedy, *A simple, fast dominance algorithm*, 2001.
//!
//! A path need not come to the end of its function: it may halt. Every location where it may has an edge more, to a virtual end behind
//! the function's exit. So what comes behind a halt depends on it. Paths may halt
//!
//! * where nothing follows, or an assumption has no counterpart;
//! * at the heads of loops that nothing leaves, and of loops that change nothing that decides about leaving them;
//! * in calls of functions that may halt, and in recursion.

use super::data::{Cells, written_by_functions};
use crate::cfa::analysis::graph::{call_graph, loop_body, reverse_post_order_into};
use crate::cfa::program::*;
use bitvec::prelude::BitVec;
use std::collections::BTreeSet;

/// More control dependences than this are not worth their memory.
const MAX_DEPENDENCES: usize = 30_000_000;

const NONE: u32 = u32::MAX;

/// The control dependences of a program.
pub(super) struct Control {
    /// For each node, the nodes that decide whether it is passed.
    dependences: Vec<Vec<NodeId>>,
    /// For each node its immediate post-dominator, `NONE` for the virtual end.
    post_dominator: Vec<u32>,
    /// Nodes at which a path may halt, calls apart.
    halts: BitVec,
    /// Functions in which a path may halt.
    halting: BitVec,
    /// Nodes from which the function's exit can be reached.
    to_exit: BitVec,
}

impl Control {
    /// Analyses a program. `None` if there are too many dependences.
    pub fn analyse(cells: &Cells<'_>) -> Option<Control> {
        let program = cells.program;
        let mut control = Control {
            dependences: vec![Vec::new(); program.nodes.len()],
            post_dominator: vec![NONE; program.nodes.len()],
            halts: BitVec::repeat(false, program.nodes.len()),
            halting: BitVec::repeat(false, program.functions.len()),
            to_exit: reaching(program, |node, function| node == function.exit),
        };
        control.find_halts(cells);
        control.find_halting_functions(program);
        let mut nodes: Vec<Vec<NodeId>> = vec![Vec::new(); program.functions.len()];
        let mut local = vec![0usize; program.nodes.len()];
        for id in program.node_ids() {
            let list = &mut nodes[program.node(id).func.index()];
            local[id.index()] = list.len();
            list.push(id);
        }
        let mut left = MAX_DEPENDENCES;
        for nodes in nodes.iter().filter(|nodes| nodes.len() > 1) {
            control.function(program, nodes, &local, &mut left)?;
        }
        Some(control)
    }

    /// The nodes that decide whether a node is passed.
    pub fn dependences(&self, node: NodeId) -> &[NodeId] {
        &self.dependences[node.index()]
    }

    /// Where all ways from a node meet first.
    pub fn post_dominator(&self, node: NodeId) -> Option<NodeId> {
        Some(self.post_dominator[node.index()])
            .filter(|&n| n != NONE)
            .map(NodeId)
    }

    /// Whether a path may halt at a node itself.
    pub fn halts(&self, node: NodeId) -> bool {
        self.halts[node.index()]
    }

    /// Whether a path may halt in a function.
    pub fn is_halting(&self, func: FuncId) -> bool {
        self.halting[func.index()]
    }

    /// Whether the function's exit can be reached from a node.
    pub fn reaches_exit(&self, node: NodeId) -> bool {
        self.to_exit[node.index()]
    }

    fn find_halts(&mut self, cells: &Cells<'_>) {
        let program = cells.program;
        let ends = reaching(program, |node, _| program.node(node).outgoing.is_empty());
        let written = written_by_functions(cells);
        for id in program.node_ids() {
            let node = program.node(id);
            let is_exit = program.function(node.func).exit == id;
            let halts = node.outgoing.is_empty() && !is_exit
                || !is_total(program, id)
                || node.loop_head && (!ends[id.index()] || is_stuck(cells, &written, id));
            self.halts.set(id.index(), halts);
        }
    }

    fn find_halting_functions(&mut self, program: &Program) {
        for id in program.node_ids().filter(|id| self.halts[id.index()]) {
            self.halting.set(program.node(id).func.index(), true);
        }
        for f in program.function_ids().filter(|&f| program.function(f).recursive) {
            self.halting.set(f.index(), true);
        }
        let graph = call_graph(program);
        let mut changed = true;
        while changed {
            changed = false;
            for (f, callees) in graph.iter().enumerate() {
                if !self.halting[f] && callees.iter().any(|c| self.halting[c.index()]) {
                    self.halting.set(f, true);
                    changed = true;
                }
            }
        }
    }

    /// Whether a path may halt at a node or in a call that starts there.
    fn may_end(&self, program: &Program, node: NodeId) -> bool {
        let calls_halting = |&e: &EdgeId| match program.edge(e).op {
            Op::Call { func, .. } => self.halting[func.index()],
            _ => false,
        };
        self.halts[node.index()] || program.node(node).outgoing.iter().any(calls_halting)
    }

    /// The dependences of one function, whose nodes have the positions in `local`.
    fn function(&mut self, program: &Program, nodes: &[NodeId], local: &[usize], left: &mut usize) -> Option<()> {
        let end = nodes.len();
        let mut successors: Vec<Vec<usize>> = Vec::with_capacity(end + 1);
        for &id in nodes {
            let targets = program.node(id).outgoing.iter().map(|&e| program.edge(e).to);
            let mut list: Vec<usize> = targets.map(|to| local[to.index()]).collect();
            if list.is_empty() || self.may_end(program, id) {
                list.push(end);
            }
            successors.push(list);
        }
        successors.push(Vec::new());
        let post = post_dominators(&successors, end);
        for (v, &id) in nodes.iter().enumerate() {
            if post[v] != end {
                self.post_dominator[id.index()] = nodes[post[v]].0;
            }
            if successors[v].len() < 2 {
                continue;
            }
            for &side in &successors[v] {
                let mut at = side;
                while at != post[v] {
                    let list = &mut self.dependences[nodes[at].index()];
                    if list.last() != Some(&id) {
                        list.push(id);
                        *left = left.checked_sub(1)?;
                    }
                    at = post[at];
                }
            }
        }
        Some(())
    }
}

/// The immediate post-dominator of each node; `end` must be reached from all.
fn post_dominators(successors: &[Vec<usize>], end: usize) -> Vec<usize> {
    let n = successors.len();
    let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (v, list) in successors.iter().enumerate() {
        list.iter().for_each(|&w| predecessors[w].push(v));
    }
    let mut order = Vec::with_capacity(n);
    let mut seen = vec![false; n];
    reverse_post_order_into(end, |v, i| predecessors[v].get(i).copied(), &mut seen, &mut order);
    assert!(order.len() == n, "every path ends or halts");
    let mut number = vec![0usize; n];
    for (i, &v) in order.iter().enumerate() {
        number[v] = i;
    }
    const OPEN: usize = usize::MAX;
    let mut post = vec![OPEN; n];
    post[end] = end;
    let mut changed = true;
    while changed {
        changed = false;
        for &v in &order[1..] {
            let mut meet = OPEN;
            for &w in successors[v].iter().filter(|&&w| post[w] != OPEN) {
                meet = if meet == OPEN {
                    w
                } else {
                    intersect(&post, &number, meet, w)
                };
            }
            if post[v] != meet {
                post[v] = meet;
                changed = true;
            }
        }
    }
    post
}

fn intersect(post: &[usize], number: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while number[a] > number[b] {
            a = post[a];
        }
        while number[b] > number[a] {
            b = post[b];
        }
    }
    a
}

/// The nodes from which one that `wanted` accepts is reached within the function.
fn reaching(program: &Program, wanted: impl Fn(NodeId, &Function) -> bool) -> BitVec {
    let mut found: BitVec = BitVec::repeat(false, program.nodes.len());
    let mut work: Vec<NodeId> = program
        .node_ids()
        .filter(|&id| wanted(id, program.function(program.node(id).func)))
        .collect();
    work.iter().for_each(|id| found.set(id.index(), true));
    while let Some(id) = work.pop() {
        for &e in &program.node(id).incoming {
            let from = program.edge(e).from;
            if !found.replace(from.index(), true) {
                work.push(from);
            }
        }
    }
    found
}

/// Whether one of the edges that start at a node can always be taken.
fn is_total(program: &Program, id: NodeId) -> bool {
    let ops: Vec<&Op> = program.node(id).outgoing.iter().map(|&e| &program.edge(e).op).collect();
    let assumes = |op: &&Op| matches!(op, Op::Assume { .. });
    if !ops.iter().any(assumes) || !ops.iter().all(assumes) {
        return true;
    }
    let complementary = |a: &Op, b: &Op| match (a, b) {
        (Op::Assume { cond: x, truth: s }, Op::Assume { cond: y, truth: t }) => s != t && x == y,
        _ => false,
    };
    ops.iter().any(|a| ops.iter().any(|b| complementary(a, b)))
}

/// Whether nothing in a loop changes what decides about leaving it.
fn is_stuck(cells: &Cells<'_>, written: &[BitVec], head: NodeId) -> bool {
    let program = cells.program;
    let body = loop_body(program, head);
    let inside: BTreeSet<NodeId> = body.iter().copied().collect();
    let mut deciding = Vec::new();
    let mut changed: BitVec = BitVec::repeat(false, cells.count());
    for &id in &body {
        let outgoing = &program.node(id).outgoing;
        let leaves = outgoing.iter().any(|&e| !inside.contains(&program.edge(e).to));
        for &e in outgoing {
            let edge = program.edge(e);
            match &edge.op {
                Op::Assume { cond, .. } if leaves => cells.reads_of(cond, &mut deciding),
                Op::Call { func, .. } => changed |= &written[func.index()],
                _ => {}
            }
            if inside.contains(&edge.to) {
                cells.writes(&edge.op).into_iter().for_each(|c| changed.set(c, true));
            }
        }
    }
    !deciding.iter().any(|&c| changed[c])
}
