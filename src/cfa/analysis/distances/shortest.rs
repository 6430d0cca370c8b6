//! Shortest ways in graphs with calls: Dijkstra's algorithm, and Knuth's generalisation of it for the ways through functions.

use super::Distance;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An edge.
#[derive(Debug, Clone)]
pub(super) struct Way {
    pub from: usize,
    /// Behind a call: where the caller goes on.
    pub to: usize,
    /// The weight of the step; of a call that of the step into the callee.
    pub weight: Distance,
    /// The function that a call calls.
    pub through: Option<usize>,
}

/// Functions as graphs.
#[derive(Debug)]
pub(super) struct Graph {
    ways: Vec<Way>,
    /// For each node the ways that end there.
    incoming: Vec<Vec<usize>>,
    /// For each function its first and its last node.
    ends: Vec<(usize, usize)>,
    /// For each function the ways that call it.
    callers: Vec<Vec<usize>>,
    /// For each node the function that begins there.
    begins: Vec<Option<usize>>,
    /// The weight of a return.
    leave: Distance,
}

/// The nodes with the lengths that are known for them so far, the shortest first.
struct Queue {
    settled: Vec<Distance>,
    waiting: BinaryHeap<Reverse<(Distance, usize)>>,
}

impl Queue {
    fn new(nodes: usize) -> Queue {
        Queue {
            settled: vec![Distance::INFINITE; nodes],
            waiting: BinaryHeap::new(),
        }
    }

    fn offer(&mut self, node: usize, length: Distance) {
        if length < self.settled[node] {
            self.waiting.push(Reverse((length, node)));
        }
    }

    /// The next node whose length is final.
    fn settle(&mut self) -> Option<(usize, Distance)> {
        while let Some(Reverse((length, node))) = self.waiting.pop() {
            if length < self.settled[node] {
                self.settled[node] = length;
                return Some((node, length));
            }
        }
        None
    }
}

impl Graph {
    pub(super) fn new(nodes: usize, ways: Vec<Way>, ends: Vec<(usize, usize)>, leave: Distance) -> Graph {
        let mut graph = Graph {
            incoming: vec![Vec::new(); nodes],
            callers: vec![Vec::new(); ends.len()],
            begins: vec![None; nodes],
            ways,
            ends,
            leave,
        };
        for (i, way) in graph.ways.iter().enumerate() {
            graph.incoming[way.to].push(i);
            if let Some(callee) = way.through {
                graph.callers[callee].push(i);
            }
        }
        for (function, &(entry, _)) in graph.ends.iter().enumerate() {
            graph.begins[entry] = Some(function);
        }
        graph
    }

    /// The length of a step over a way, with the way through the callee for a call.
    fn over(&self, way: &Way, through: impl Fn(usize) -> Distance) -> Distance {
        match way.through {
            Some(callee) => way.weight.then(through(self.ends[callee].0)).then(self.leave),
            None => way.weight,
        }
    }

    /// For each node the length of the shortest way to the exit of its function.
    ///
    /// A call is crossed as soon as both the end of the call and the entry of the callee have their lengths, whichever comes last.
    pub(super) fn exit_distances(&self) -> Vec<Distance> {
        let mut queue = Queue::new(self.incoming.len());
        for &(_, exit) in &self.ends {
            queue.offer(exit, Distance::ZERO);
        }
        while let Some((node, length)) = queue.settle() {
            for way in self.incoming[node].iter().map(|&i| &self.ways[i]) {
                let over = self.over(way, |entry| queue.settled[entry]);
                queue.offer(way.from, over.then(length));
            }
            for &call in self.begins[node].iter().flat_map(|&f| &self.callers[f]) {
                let way = &self.ways[call];
                let behind = queue.settled[way.to];
                queue.offer(way.from, self.over(way, |_| length).then(behind));
            }
        }
        queue.settled
    }

    /// For each node the length of the shortest way to one of the targets, which have weights, that does not leave the function of the node. `exit` has the [`exit_distances`](Self::exit_distances).
    pub(super) fn absolute_distances(
        &self,
        exit: &[Distance],
        targets: impl Iterator<Item = (usize, u32)>,
    ) -> Vec<Distance> {
        let mut queue = Queue::new(self.incoming.len());
        for (node, weight) in targets {
            queue.offer(node, Distance::new(weight));
        }
        while let Some((node, length)) = queue.settle() {
            for way in self.incoming[node].iter().map(|&i| &self.ways[i]) {
                queue.offer(way.from, self.over(way, |entry| exit[entry]).then(length));
            }
            for &call in self.begins[node].iter().flat_map(|&f| &self.callers[f]) {
                let way = &self.ways[call];
                queue.offer(way.from, way.weight.then(length));
            }
        }
        queue.settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const FUNCTIONS: usize = 3;
    const NODES: usize = 4;

    /// Random functions of [`NODES`] nodes each, of which the first is the entry and the last the exit. An exit has no outgoing edges.
    fn graph() -> impl Strategy<Value = Graph> {
        let way = (
            0..FUNCTIONS,
            0..NODES - 1,
            0..NODES,
            0..3u32,
            prop::option::of(0..FUNCTIONS),
        );
        let ways = prop::collection::vec(way, 3..14);
        (ways, 0..2u32).prop_map(|(ways, leave)| {
            let way = |(f, from, to, weight, through): (usize, usize, usize, u32, Option<usize>)| Way {
                from: f * NODES + from,
                to: f * NODES + to,
                weight: Distance::new(weight),
                through,
            };
            let ends = (0..FUNCTIONS).map(|f| (f * NODES, f * NODES + NODES - 1)).collect();
            let ways = ways.into_iter().map(way).collect();
            Graph::new(FUNCTIONS * NODES, ways, ends, Distance::new(leave))
        })
    }

    /// The shortest way from a node under a stack of open calls to a goal, step by step over nodes with whole stacks.
    ///
    /// A shortest way needs each function at most once on its way down, and at most once in each way through: so the stack is at most so much deeper than twice the number of functions.
    fn walk(graph: &Graph, node: usize, stack: &[usize], goal: impl Fn(usize, &[usize]) -> Option<u32>) -> Distance {
        let most = stack.len() + 2 * FUNCTIONS;
        let mut lengths: BTreeMap<(usize, Vec<usize>), u32> = BTreeMap::new();
        let mut queue = BinaryHeap::from([Reverse((0, node, stack.to_vec()))]);
        let mut best = Distance::INFINITE;
        while let Some(Reverse((length, node, stack))) = queue.pop() {
            if Distance::new(length) >= best || lengths.contains_key(&(node, stack.clone())) {
                continue;
            }
            lengths.insert((node, stack.clone()), length);
            if let Some(weight) = goal(node, &stack) {
                best = best.min(Distance::new(length + weight));
            }
            let mut go = |weight: Distance, node: usize, stack: Vec<usize>| {
                queue.push(Reverse((length + weight.length().unwrap(), node, stack)));
            };
            for (i, way) in graph.ways.iter().enumerate().filter(|(_, way)| way.from == node) {
                match way.through {
                    Some(callee) if stack.len() < most => {
                        let deeper = stack.iter().copied().chain([i]).collect();
                        go(way.weight, graph.ends[callee].0, deeper);
                    }
                    Some(_) => {}
                    None => go(way.weight, way.to, stack.clone()),
                }
            }
            if node % NODES == NODES - 1
                && let Some((&call, below)) = stack.split_last()
            {
                go(graph.leave, graph.ways[call].to, below.to_vec());
            }
        }
        best
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn distances_are_the_lengths_of_shortest_ways(
            graph in graph(),
            targets in prop::collection::vec((0..FUNCTIONS * NODES, 0..3u32), 1..3),
            calls in prop::collection::vec(any::<prop::sample::Index>(), 0..3),
        ) {
            let exit = graph.exit_distances();
            let absolute = graph.absolute_distances(&exit, targets.iter().copied());
            let target = |node: usize| targets.iter().filter(|(at, _)| *at == node).map(|(_, weight)| *weight).min();
            for node in 0..FUNCTIONS * NODES {
                let end = node - node % NODES + NODES - 1;
                let out = walk(&graph, node, &[], |at, stack| (at == end && stack.is_empty()).then_some(0));
                prop_assert_eq!(exit[node], out);
                prop_assert_eq!(absolute[node], walk(&graph, node, &[], |at, _| target(at)));
            }
            // A stack of calls, each in the function that the one before it has called.
            let mut stack = Vec::new();
            let mut behind = Distance::INFINITE;
            let mut function = None;
            for index in calls {
                let fits = |way: &Way| way.through.is_some() && function.is_none_or(|f| way.from / NODES == f);
                let fitting: Vec<usize> = (0..graph.ways.len()).filter(|&i| fits(&graph.ways[i])).collect();
                if fitting.is_empty() {
                    break;
                }
                let call = *index.get(&fitting);
                let way = &graph.ways[call];
                behind = graph.leave.then(absolute[way.to].min(exit[way.to].then(behind)));
                function = way.through;
                stack.push(call);
            }
            if let Some(function) = function {
                for node in function * NODES..(function + 1) * NODES {
                    let distance = absolute[node].min(exit[node].then(behind));
                    prop_assert_eq!(distance, walk(&graph, node, &stack, |at, _| target(at)));
                }
            }
        }
    }
}
