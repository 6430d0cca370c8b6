//! Orders, cycles and ways: reverse post-order, loop heads, call graph, recursion, and from where targets can be reached.
//!
//! Loop heads are the targets of retreating edges of one depth-first search. In a reducible graph these are exactly the headers
//! of the natural loops; in an irreducible one every cycle still contains such a target, because any cycle has an edge that
//! does not go forward in the reverse post-order. That is the law the abstraction relies on. (Aho, Lam, Sethi, Ullman,
//! *Compilers*, 9.6.) Successors are visited last to first, so that a loop's body comes before its exit in the order.

use crate::cfa::program::path::is_call;
use crate::cfa::program::{EdgeId, FuncId, NodeId, Op, Program};
use std::collections::{BTreeMap, BTreeSet};

/// Appends to `order` the nodes that `root` reaches without passing nodes already `seen`, in reverse post-order, and marks them as seen.
///
/// `successor(v, i)` is the i-th successor of `v`, `None` past the last.
pub fn reverse_post_order_into(
    root: usize,
    successor: impl Fn(usize, usize) -> Option<usize>,
    seen: &mut [bool],
    order: &mut Vec<usize>,
) {
    let begin = order.len();
    let count = |v: usize| (0..).take_while(|&i| successor(v, i).is_some()).count();
    let mut stack = vec![(root, count(root))];
    seen[root] = true;
    while let Some((v, left)) = stack.last_mut() {
        let v = *v;
        if *left == 0 {
            order.push(v);
            stack.pop();
            continue;
        }
        *left -= 1;
        let w = successor(v, *left).expect("positions below the count have a successor");
        if !seen[w] {
            seen[w] = true;
            stack.push((w, count(w)));
        }
    }
    order[begin..].reverse();
}

/// Sets `rpo`, `loop_head`, `call_site` and `return_site` of every node. Nodes that the function's entry does not reach get
/// numbers after the others.
///
/// At a branch, the way that stays in the innermost loop comes before the way out. So whoever explores in this order is done with a
/// loop's body before going on behind the loop.
pub fn annotate_nodes(program: &mut Program) {
    let mut per_function: Vec<Vec<NodeId>> = vec![Vec::new(); program.functions.len()];
    let mut local = vec![0u32; program.nodes.len()];
    for id in program.node_ids() {
        let list = &mut per_function[program.node(id).func.index()];
        local[id.index()] = u32::try_from(list.len()).expect("fewer than 2^32 nodes");
        list.push(id);
    }
    for (f, nodes) in per_function.iter().enumerate() {
        let entry = local[program.functions[f].entry.index()] as usize;
        let successors: Vec<Vec<usize>> = nodes
            .iter()
            .map(|&n| {
                program
                    .node(n)
                    .outgoing
                    .iter()
                    .map(|&e| local[program.edge(e).to.index()] as usize)
                    .collect()
            })
            .collect();
        for (number, v) in loop_order(&successors, entry).into_iter().enumerate() {
            program.nodes[nodes[v].index()].rpo = u32::try_from(number).expect("fewer than 2^32 nodes");
        }
    }
    for node in &mut program.nodes {
        (node.loop_head, node.call_site, node.return_site) = (false, false, false);
    }
    for edge in &program.edges {
        let (from, to) = (edge.from.index(), edge.to.index());
        if program.nodes[to].rpo <= program.nodes[from].rpo {
            program.nodes[to].loop_head = true;
        }
        if matches!(edge.op, Op::Call { .. }) {
            program.nodes[from].call_site = true;
            program.nodes[to].return_site = true;
        }
    }
}

/// All nodes in a reverse post-order in which loops are contiguous where the graph allows it; nodes that `entry` does not reach come last.
fn loop_order(successors: &[Vec<usize>], entry: usize) -> Vec<usize> {
    let n = successors.len();
    let mut order = Vec::with_capacity(n);
    reverse_post_order_into(
        entry,
        |v, i| successors[v].get(i).copied(),
        &mut vec![false; n],
        &mut order,
    );
    let loops = Loops::new(successors, &order);
    let sorted: Vec<Vec<usize>> = (0..n)
        .map(|v| {
            let mut list = successors[v].clone();
            // A stable sort: what stays in the loop first.
            list.sort_by_key(|&w| loops.innermost[v].is_some_and(|l| !loops.contains(l, w)));
            list
        })
        .collect();
    order.clear();
    let mut seen = vec![false; n];
    reverse_post_order_into(entry, |v, i| sorted[v].get(i).copied(), &mut seen, &mut order);
    order.extend((0..n).filter(|&v| !seen[v]));
    order
}

/// The loops of one function: the nodes from which a retreating edge into a head is reached without passing the head.
struct Loops {
    /// The innermost loop that a node is in.
    innermost: Vec<Option<usize>>,
    /// The loop around a loop.
    parent: Vec<Option<usize>>,
}

impl Loops {
    fn new(successors: &[Vec<usize>], order: &[usize]) -> Loops {
        let n = successors.len();
        let mut number = vec![usize::MAX; n];
        for (i, &v) in order.iter().enumerate() {
            number[v] = i;
        }
        let mut predecessors: Vec<Vec<usize>> = vec![Vec::new(); n];
        let mut latches: Vec<Vec<usize>> = vec![Vec::new(); n];
        for &v in order {
            for &w in &successors[v] {
                predecessors[w].push(v);
                if number[w] <= number[v] {
                    latches[w].push(v);
                }
            }
        }
        let mut loops = Loops {
            innermost: vec![None; n],
            parent: Vec::new(),
        };
        let mut visited_by = vec![usize::MAX; n];
        // An inner head has a greater number than the outer one, so inner loops come first.
        for &head in order.iter().rev().filter(|&&v| !latches[v].is_empty()) {
            let this = loops.parent.len();
            loops.parent.push(None);
            visited_by[head] = this;
            let mut work = latches[head].clone();
            work.push(head);
            while let Some(v) = work.pop() {
                if v != head && std::mem::replace(&mut visited_by[v], this) == this {
                    continue;
                }
                match loops.innermost[v] {
                    None => loops.innermost[v] = Some(this),
                    Some(inner) => loops.adopt(inner, this),
                }
                if v != head {
                    work.extend(
                        predecessors[v]
                            .iter()
                            .filter(|&&p| visited_by[p] != this && number[p] >= number[head]),
                    );
                }
            }
        }
        loops
    }

    fn adopt(&mut self, inner: usize, outer: usize) {
        let mut at = inner;
        while at != outer {
            match self.parent[at] {
                Some(parent) => at = parent,
                None => {
                    self.parent[at] = Some(outer);
                    return;
                }
            }
        }
    }

    fn contains(&self, outer: usize, node: usize) -> bool {
        let mut at = self.innermost[node];
        while let Some(l) = at {
            if l == outer {
                return true;
            }
            at = self.parent[l];
        }
        false
    }
}

/// The call graph: for each function the functions that it calls, in order of first call, without duplicates.
pub fn call_graph(program: &Program) -> Vec<Vec<FuncId>> {
    let mut graph: Vec<Vec<FuncId>> = vec![Vec::new(); program.functions.len()];
    let mut last_caller = vec![None; program.functions.len()];
    let mut by_caller: Vec<Vec<FuncId>> = vec![Vec::new(); program.functions.len()];
    for edge in &program.edges {
        if let Op::Call { func, .. } = edge.op {
            by_caller[program.node(edge.from).func.index()].push(func);
        }
    }
    for (caller, callees) in by_caller.into_iter().enumerate() {
        for callee in callees {
            if last_caller[callee.index()] != Some(caller) {
                last_caller[callee.index()] = Some(caller);
                graph[caller].push(callee);
            }
        }
    }
    graph
}

/// Sets `recursive` of every function: whether it lies on a cycle of the call graph.
pub fn annotate_recursion(program: &mut Program) {
    let graph = call_graph(program);
    let component = components(&graph, |func| func.index());
    let mut size = vec![0u32; graph.len()];
    for &c in &component {
        size[c] += 1;
    }
    for (f, callees) in graph.iter().enumerate() {
        program.functions[f].recursive = size[component[f]] > 1 || callees.iter().any(|c| c.index() == f);
    }
}

/// The strongly connected component of each node of a graph of successors (Tarjan 1972, iterative). `position` says which node a successor is.
pub(in crate::cfa) fn components<T>(graph: &[Vec<T>], position: impl Fn(&T) -> usize) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let n = graph.len();
    let (mut index, mut low, mut component) = (vec![NEW; n], vec![0; n], vec![NEW; n]);
    let (mut stack, mut next, mut found) = (Vec::new(), 0, 0);
    for root in 0..n {
        if index[root] != NEW {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some(&mut (v, ref mut i)) = work.last_mut() {
            if *i == 0 {
                index[v] = next;
                low[v] = next;
                next += 1;
                stack.push(v);
            }
            if let Some(w) = graph[v].get(*i).map(&position) {
                *i += 1;
                if index[w] == NEW {
                    work.push((w, 0));
                } else if component[w] == NEW {
                    low[v] = low[v].min(index[w]);
                }
                continue;
            }
            work.pop();
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[v]);
            }
            if low[v] == index[v] {
                loop {
                    let w = stack.pop().expect("the component's root is on the stack");
                    component[w] = found;
                    if w == v {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

/// The locations before which a target lies under some call stack: a call leads into the function and behind it, and the end of a function behind each of its calls.
pub fn before_targets(program: &Program, targets: impl IntoIterator<Item = EdgeId>) -> Vec<bool> {
    let mut found = vec![false; program.nodes.len()];
    let mut open: Vec<NodeId> = targets.into_iter().map(|edge| program.edge(edge).from).collect();
    let mut callers: Vec<Vec<EdgeId>> = vec![Vec::new(); program.functions.len()];
    let mut entered: BTreeMap<NodeId, FuncId> = BTreeMap::new();
    for id in program.edge_ids() {
        if let Some(func) = is_call(program, id) {
            callers[func.index()].push(id);
            entered.insert(program.function(func).entry, func);
        }
    }
    while let Some(node) = open.pop() {
        if std::mem::replace(&mut found[node.index()], true) {
            continue;
        }
        for &edge in &program.node(node).incoming {
            open.push(program.edge(edge).from);
            open.extend(is_call(program, edge).map(|func| program.function(func).exit));
        }
        if let Some(func) = entered.get(&node) {
            open.extend(callers[func.index()].iter().map(|&call| program.edge(call).from));
        }
    }
    found
}

/// The nodes from which the head of a loop is reached without going back before it, with the head.
pub fn loop_body(program: &Program, head: NodeId) -> Vec<NodeId> {
    let rpo = |id: NodeId| program.node(id).rpo;
    let mut body = vec![head];
    let mut inside: BTreeSet<NodeId> = [head].into();
    let mut at = 0;
    while at < body.len() {
        for &e in &program.node(body[at]).incoming {
            let from = program.edge(e).from;
            // Into the head only the edges that lead back count.
            if rpo(from) >= rpo(head) && inside.insert(from) {
                body.push(from);
            }
        }
        at += 1;
    }
    body
}

/// Whether an execution may go through a loop or a recursion any number of times, and then go on. A loop without a way out, as of a label that jumps to itself, is none of these.
pub fn repeats(program: &Program) -> bool {
    let goes_on = |head: NodeId| {
        let body: BTreeSet<NodeId> = loop_body(program, head).into_iter().collect();
        let mut edges = body.iter().flat_map(|&node| &program.node(node).outgoing);
        edges.any(|&edge| !body.contains(&program.edge(edge).to))
    };
    program.functions.iter().any(|function| function.recursive)
        || program
            .node_ids()
            .any(|node| program.node(node).loop_head && goes_on(node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn graph(n: usize) -> impl Strategy<Value = Vec<Vec<usize>>> {
        prop::collection::vec(prop::collection::vec(0..n, 0..3), n)
    }

    proptest! {
        /// Every node appears once, the entry first, and what is reachable comes before what is not.
        #[test]
        fn the_order_is_a_permutation(successors in graph(9)) {
            let order = loop_order(&successors, 0);
            prop_assert_eq!(order[0], 0);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..9).collect::<Vec<_>>());
        }

        /// Without the targets of retreating edges no cycle is left, in irreducible graphs, too.
        #[test]
        fn every_cycle_has_a_head(successors in graph(9)) {
            let order = loop_order(&successors, 0);
            let mut number = [0; 9];
            order.iter().enumerate().for_each(|(i, &v)| number[v] = i);
            let is_head = |w: usize| (0..9).any(|v| successors[v].contains(&w) && number[w] <= number[v]);
            // The remaining walks, followed for as many steps as there are nodes, must have ended.
            let mut alive: Vec<usize> = (0..9).filter(|&v| !is_head(v)).collect();
            for _ in 0..9 {
                let mut next: Vec<usize> = alive.iter().flat_map(|&v| successors[v].clone()).filter(|&w| !is_head(w)).collect();
                next.sort_unstable();
                next.dedup();
                alive = next;
            }
            prop_assert!(alive.is_empty());
        }
    }

    #[test]
    fn a_loop_comes_before_what_follows_it() {
        // 0 -> 1 (outer head) -> exit 5 | 2 (inner head) -> back to 1 via 4 | 3 -> 2
        let successors = vec![vec![1], vec![5, 2], vec![4, 3], vec![2], vec![1], vec![]];
        assert_eq!(loop_order(&successors, 0), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn components_are_cycles() {
        let f = |list: &[u32]| list.iter().map(|&i| FuncId(i)).collect::<Vec<_>>();
        let graph = [f(&[1]), f(&[2, 3]), f(&[1]), f(&[3]), f(&[])];
        let c = components(&graph, |func| func.index());
        assert_eq!(c[1], c[2]);
        assert!(c[0] != c[1] && c[3] != c[1] && c[4] != c[0]);
    }
}
