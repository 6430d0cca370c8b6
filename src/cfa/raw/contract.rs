//! From an unfinished graph to the graph of a program.
//!
//! Empty edges are contracted: a node whose only outgoing edge is empty is the same location as that edge's end. Nodes that no entry of a function reaches are dropped. Nodes
//! are numbered in reverse post-order, function after function. The cost is linear in the size of the graph.

use super::RawNode;
use crate::cfa::analysis::graph;
use crate::cfa::program::*;
use crate::frontend::text::source::Loc;

/// Contracts empty edges, drops what is unreachable and numbers nodes and edges anew. Returns the new number of each edge that is left.
/// Long, as it is a sequence of passes over arrays by node and by edge that all of them share.
///
/// Requires that the program has no nodes and edges yet, and that its functions name their entries and exits among `raw`.
pub(in crate::cfa) fn contract(program: &mut Program, raw: Vec<RawNode>, edges: Vec<Edge>) -> Vec<Option<EdgeId>> {
    let n = raw.len();
    let mut degree = vec![0u32; n];
    let mut last = vec![usize::MAX; n];
    for (i, edge) in edges.iter().enumerate() {
        degree[edge.from.index()] += 1;
        last[edge.from.index()] = i;
    }
    // A node with a single edge that is empty stands for that edge's end. The entry must not get incoming edges from a loop,
    // and must not be the exit, so it stays.
    let mut is_entry = vec![false; n];
    for function in &program.functions {
        is_entry[function.entry.index()] = true;
    }
    let mut next: Vec<Option<usize>> = (0..n)
        .map(|v| {
            let single = degree[v] == 1 && !is_entry[v];
            single
                .then(|| &edges[last[v]])
                .filter(|e| matches!(e.op, Op::Nop))
                .map(|e| e.to.index())
        })
        .collect();
    let target = resolve_chains(&next);
    // Two assumptions that lead to the same place decide nothing.
    for pair in edges.windows(2) {
        let from = pair[0].from.index();
        let both = matches!((&pair[0].op, &pair[1].op), (Op::Assume { .. }, Op::Assume { .. }));
        let same = target[pair[0].to.index()] == target[pair[1].to.index()];
        if both && same && pair[1].from.index() == from && degree[from] == 2 && !is_entry[from] {
            next[from] = Some(pair[0].to.index());
        }
    }
    let target = resolve_chains(&next);
    let mut loop_loc: Vec<Option<Loc>> = vec![None; n];
    for (v, node) in raw.iter().enumerate() {
        if node.is_loop {
            let t = target[v];
            // The outermost of loops with one head comes first in the text.
            loop_loc[t] = Some(loop_loc[t].map_or(node.loc, |old| old.min(node.loc)));
        }
    }
    // Outgoing edges per representative, in order of creation.
    let mut start = vec![0u32; n + 1];
    // An assumption after which nothing comes is where a path ends, and nobody needs to go there.
    let mut goes_on = vec![false; n];
    for function in &program.functions {
        goes_on[target[function.exit.index()]] = true;
    }
    for edge in &edges {
        goes_on[target[edge.from.index()]] = true;
    }
    let kept = |e: &Edge| {
        let from = e.from.index();
        target[from] == from && (goes_on[target[e.to.index()]] || !matches!(e.op, Op::Assume { .. }))
    };
    let mut reached_by = vec![0u32; n];
    for edge in edges.iter().filter(|e| kept(e)) {
        reached_by[target[edge.to.index()]] += 1;
    }
    for edge in edges.iter().filter(|e| kept(e)) {
        start[edge.from.index() + 1] += 1;
    }
    for v in 0..n {
        start[v + 1] += start[v];
    }
    let mut fill = start.clone();
    let mut outgoing = vec![0u32; start[n] as usize];
    for (i, edge) in edges.iter().enumerate().filter(|(_, e)| kept(e)) {
        let slot = &mut fill[edge.from.index()];
        outgoing[*slot as usize] = u32::try_from(i).expect("fewer than 2^32 edges");
        *slot += 1;
    }
    let successor = |v: usize, i: usize| {
        let at = start[v] as usize + i;
        (at < start[v + 1] as usize).then(|| target[edges[outgoing[at] as usize].to.index()])
    };
    let mut new_id = vec![u32::MAX; n];
    let mut order: Vec<usize> = Vec::new();
    let mut seen = vec![false; n];
    for f in 0..program.functions.len() {
        let (mut entry, exit) = (
            program.functions[f].entry.index(),
            target[program.functions[f].exit.index()],
        );
        // The function begins behind an empty edge if only that leads there.
        if let [only] = outgoing[start[entry] as usize..start[entry + 1] as usize]
            && let Edge { op: Op::Nop, to, .. } = &edges[only as usize]
            && reached_by[target[to.index()]] == 1
            && target[to.index()] != exit
        {
            entry = target[to.index()];
        }
        let begin = order.len();
        graph::reverse_post_order_into(entry, successor, &mut seen, &mut order);
        if !seen[exit] {
            seen[exit] = true;
            order.push(exit);
        }
        for &v in &order[begin..] {
            assert_eq!(raw[v].func, FuncId::new(f), "a node of another function is reached");
            new_id[v] = u32::try_from(program.nodes.len()).expect("fewer than 2^32 nodes");
            program.nodes.push(Node {
                func: FuncId::new(f),
                incoming: Vec::new(),
                outgoing: Vec::new(),
                loop_head: false,
                label: raw[v].label.clone(),
                loc: loop_loc[v].unwrap_or(raw[v].loc),
                rpo: 0,
                call_site: false,
                return_site: false,
            });
        }
        program.functions[f].entry = NodeId(new_id[entry]);
        program.functions[f].exit = NodeId(new_id[exit]);
    }
    let mut new_ids = vec![None; edges.len()];
    let mut edges: Vec<Option<Edge>> = edges.into_iter().map(Some).collect();
    for &v in &order {
        for &i in &outgoing[start[v] as usize..start[v + 1] as usize] {
            let mut edge = edges[i as usize].take().expect("every edge starts at one node");
            edge.from = NodeId(new_id[v]);
            edge.to = NodeId(new_id[target[edge.to.index()]]);
            let id = EdgeId::new(program.edges.len());
            new_ids[i as usize] = Some(id);
            program.nodes[edge.from.index()].outgoing.push(id);
            program.nodes[edge.to.index()].incoming.push(id);
            program.edges.push(edge);
        }
    }
    new_ids
}

/// Follows `next` from every node to its end. A cycle of empty edges (an endless loop that does nothing) ends at one of its nodes.
fn resolve_chains(next: &[Option<usize>]) -> Vec<usize> {
    const OPEN: usize = usize::MAX;
    const ON_PATH: usize = usize::MAX - 1;
    let mut target = vec![OPEN; next.len()];
    let mut path = Vec::new();
    for start in 0..next.len() {
        let mut v = start;
        while target[v] == OPEN {
            target[v] = ON_PATH;
            path.push(v);
            match next[v] {
                Some(w) => v = w,
                None => break,
            }
        }
        let end = if target[v] == ON_PATH { v } else { target[v] };
        for p in path.drain(..) {
            target[p] = end;
        }
    }
    target
}
