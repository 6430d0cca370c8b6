//! Orders and cycles: reverse post-order, loop heads, call graph, recursion.
//!
//! Loop heads are the targets of retreating edges of one depth-first search. In a reducible graph these are exactly the headers
//! of the natural loops; in an irreducible one every cycle still contains such a target, because any cycle has an edge that
//! does not go forward in the reverse post-order. That is the law the abstraction relies on. (Aho, Lam, Sethi, Ullman,
//! *Compilers*, 9.6.) Successors are visited last to first, so that a loop's body comes before its exit in the order.

use super::program::{FuncId, NodeId, Op, Program};

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
pub fn annotate_nodes(program: &mut Program) {
    let n = program.nodes.len();
    for node in &mut program.nodes {
        node.rpo = u32::MAX;
        node.loop_head = false;
        node.call_site = false;
        node.return_site = false;
    }
    let mut local = vec![u32::MAX; n];
    let mut per_function: Vec<Vec<NodeId>> = vec![Vec::new(); program.functions.len()];
    for id in program.node_ids() {
        let list = &mut per_function[program.node(id).func.index()];
        local[id.index()] = u32::try_from(list.len()).expect("fewer than 2^32 nodes");
        list.push(id);
    }
    for (f, nodes) in per_function.iter().enumerate() {
        let entry = program.functions[f].entry;
        let mut order = Vec::with_capacity(nodes.len());
        let successor = |v: usize, i: usize| {
            let edge = program.node(nodes[v]).outgoing.get(i)?;
            Some(local[program.edge(*edge).to.index()] as usize)
        };
        reverse_post_order_into(local[entry.index()] as usize, successor, &mut vec![false; nodes.len()], &mut order);
        let mut next = 0;
        for &v in &order {
            program.nodes[nodes[v].index()].rpo = next;
            next += 1;
        }
        for id in nodes {
            let node = &mut program.nodes[id.index()];
            if node.rpo == u32::MAX {
                node.rpo = next;
                next += 1;
            }
        }
    }
    for i in 0..program.edges.len() {
        let (from, to) = (program.edges[i].from, program.edges[i].to);
        if program.node(to).rpo <= program.node(from).rpo {
            program.nodes[to.index()].loop_head = true;
        }
        if matches!(program.edges[i].op, Op::Call { .. }) {
            program.nodes[from.index()].call_site = true;
            program.nodes[to.index()].return_site = true;
        }
    }
}

/// Who calls whom: for each function the functions it calls, in order of first call, without duplicates.
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
    let component = components(&graph);
    let mut size = vec![0u32; graph.len()];
    for &c in &component {
        size[c] += 1;
    }
    for (f, callees) in graph.iter().enumerate() {
        program.functions[f].recursive = size[component[f]] > 1 || callees.iter().any(|c| c.index() == f);
    }
}

/// The strongly connected component of each function (Tarjan 1972, iterative).
fn components(graph: &[Vec<FuncId>]) -> Vec<usize> {
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
            if let Some(w) = graph[v].get(*i).map(|w| w.index()) {
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
