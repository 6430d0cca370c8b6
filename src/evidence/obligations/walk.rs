//! Blocks, found from the program alone: everything that can be executed between one point and the next.
//!
//! A *point* is a control state (a location under a call stack) at which a claim is made, or at which a block has to end all the same so
//! that every block is finite: a loop head, or the entry of a recursive function. From a point the walk takes every edge of every location, enters every
//! call of a defined function, and returns to the call site. A call whose claim relies on a contract is not followed (see `contracts`). The steps that it passes form a graph without cycles, which is encoded in topological
//! order; paths that meet are merged. Where a certificate lists the paths of the program there is one block, with loops, and its formulas are those of the ways to leave these paths. Ways around woven edges (for properties that are not tracked), and woven edges of other properties, are not part of the program here.

use super::manifest::PathEntry;
use crate::certify::{Certificate, Claim};
use crate::cfa::analysis::graph::before_targets;
use crate::cfa::{EdgeId, FuncId, NodeId, Program, Step, is_call};
use crate::encode::{Encoder, Frame, PathFormula};
use provident_smt::fault::planted;
use provident_smt::hash::FxHashMap;
use provident_smt::term::TermPool;
use std::collections::{BTreeMap, BTreeSet};

/// A call stack, by its number in order of discovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stack(u32);

/// A location under a call stack.
pub type Place = (NodeId, Stack);

/// Where paths of a block end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum End {
    /// At the point with this number.
    Point(usize),
    /// At points without claim, which no execution reaches.
    Unclaimed,
    /// Behind an edge that violates a property.
    Violation,
    /// Beside the listed path with this number, where none of the others goes on.
    Exit(usize),
}

/// A block: the steps that can be executed from one point to the next.
#[derive(Debug)]
pub struct Block {
    /// The steps on its paths.
    pub steps: BTreeSet<Step>,
    /// The formulas of the paths to each end.
    pub ends: BTreeMap<End, PathFormula>,
    /// The points without claim at which paths end.
    pub unclaimed: BTreeSet<Place>,
    /// The listed paths, if the block is the whole program.
    pub paths: Vec<PathEntry>,
}

/// The way through a program.
pub struct Walk<'a> {
    program: &'a Program,
    violations: &'a BTreeSet<EdgeId>,
    /// Edges that are not taken.
    closed: &'a BTreeSet<EdgeId>,
    /// For each stack but the bottom the one below and the open call.
    stacks: Vec<Option<(Stack, EdgeId)>>,
    pushed: FxHashMap<(Stack, EdgeId), Stack>,
    /// The points with claims, in order.
    points: Vec<Place>,
    numbers: FxHashMap<Place, usize>,
    /// The functions of the first frames: of the program's start, and of the contracts. Their call stacks are the first ones.
    bases: Vec<FuncId>,
    /// The entries of calls that are not followed.
    summarised: BTreeSet<Place>,
    /// The paths that are listed.
    paths: Vec<Vec<EdgeId>>,
}

impl<'a> Walk<'a> {
    /// The walk from the points of a certificate. The start is always one.
    pub fn new(
        program: &'a Program,
        certificate: &Certificate,
        violations: &'a BTreeSet<EdgeId>,
        closed: &'a BTreeSet<EdgeId>,
    ) -> Self {
        let mut walk = Walk {
            program,
            violations,
            closed,
            stacks: vec![None],
            pushed: FxHashMap::default(),
            points: Vec::new(),
            numbers: FxHashMap::default(),
            bases: vec![program.start],
            summarised: BTreeSet::new(),
            paths: certificate.paths.clone(),
        };
        for contract in &certificate.contracts {
            walk.stacks.push(None);
            walk.bases.push(contract.func);
        }
        walk.add_point((program.function(program.start).entry, Stack(0)));
        for claim in &certificate.claims {
            let place = walk.place(claim);
            walk.add_point(place);
            if claim.relies_on.is_some() {
                walk.summarised.insert(place);
            }
        }
        walk
    }

    /// The place of a claim.
    fn place(&mut self, claim: &Claim) -> Place {
        let first = claim.contract.map_or(0, |contract| contract + 1);
        let base = Stack(u32::try_from(first).expect("fewer than 2^32 contracts"));
        let stack = claim.calls.iter().fold(base, |stack, &call| self.push(stack, call));
        (claim.node, stack)
    }

    fn add_point(&mut self, place: Place) {
        if !self.numbers.contains_key(&place) {
            self.numbers.insert(place, self.points.len());
            self.points.push(place);
        }
    }

    /// The points with claims; the first is the program's start.
    pub fn points(&self) -> &[Place] {
        &self.points
    }

    /// The number of the point of a claim.
    pub fn number(&mut self, claim: &Claim) -> usize {
        let place = self.place(claim);
        self.numbers[&place]
    }

    /// The contract under which a call stack is seen, if it is one.
    pub fn contract(&self, stack: Stack) -> Option<usize> {
        let mut at = stack;
        while let Some((below, _)) = self.stacks[at.0 as usize] {
            at = below;
        }
        (at.0 as usize).checked_sub(1)
    }

    /// The points at the entry and at the exit of the function of a contract.
    pub fn ends_of(&self, contract: usize) -> (usize, usize) {
        let function = self.program.function(self.bases[contract + 1]);
        let stack = Stack(u32::try_from(contract + 1).expect("fewer than 2^32 contracts"));
        (
            self.numbers[&(function.entry, stack)],
            self.numbers[&(function.exit, stack)],
        )
    }

    /// If a point is the entry of a call that is not followed: the point behind the execution of the function, before the return from it.
    pub fn behind(&self, point: usize) -> Option<usize> {
        let (node, stack) = self.points[point];
        let exit = self.program.function(self.program.node(node).func).exit;
        self.summarised
            .contains(&(node, stack))
            .then(|| self.numbers[&(exit, stack)])
    }

    /// The functions of the frames of a call stack, oldest first.
    pub fn frames(&self, stack: Stack) -> Vec<FuncId> {
        let callee = |call| is_call(self.program, call).expect("only calls are entered");
        let base = self.bases[self.contract(stack).map_or(0, |contract| contract + 1)];
        let mut functions: Vec<FuncId> = vec![base];
        functions.extend(self.calls(stack).into_iter().map(callee));
        functions
    }

    /// The open calls, outermost first.
    pub fn calls(&self, stack: Stack) -> Vec<EdgeId> {
        let mut calls = Vec::new();
        let mut at = stack;
        while let Some((below, call)) = self.stacks[at.0 as usize] {
            calls.push(call);
            at = below;
        }
        calls.reverse();
        calls
    }

    fn push(&mut self, stack: Stack, call: EdgeId) -> Stack {
        let fresh = Stack(u32::try_from(self.stacks.len()).expect("fewer than 2^32 call stacks"));
        let known = *self.pushed.entry((stack, call)).or_insert(fresh);
        if known == fresh {
            self.stacks.push(Some((stack, call)));
        }
        known
    }

    /// The number of frames of a function below the top frame of a stack.
    pub fn depth(&self, stack: Stack) -> u32 {
        let mut functions = self.frames(stack);
        let top = functions.pop();
        let same = functions.iter().filter(|&&f| Some(f) == top).count();
        u32::try_from(same).expect("fewer than 2^32 frames")
    }

    /// The possible next steps: the step, its frames, and its target.
    fn steps(&mut self, (node, stack): Place) -> Vec<(Step, Frame, Place)> {
        if self.summarised.contains(&(node, stack)) {
            return Vec::new();
        }
        let location = self.program.node(node);
        if self.program.function(location.func).exit == node {
            let Some((below, call)) = self.stacks[stack.0 as usize] else {
                return Vec::new();
            };
            let frame = Frame {
                caller: self.depth(below),
                callee: self.depth(stack),
            };
            return vec![(Step::Leave(call), frame, (self.program.edge(call).to, below))];
        }
        let mut steps = Vec::new();
        let left_out = usize::from(planted("edge-left-out") && location.outgoing.len() > 1);
        let outgoing = location.outgoing.iter().skip(left_out);
        for &edge in outgoing.filter(|edge| !self.closed.contains(edge)) {
            let caller = self.depth(stack);
            steps.push(match is_call(self.program, edge) {
                Some(callee) => {
                    let inner = self.push(stack, edge);
                    let frame = Frame {
                        caller,
                        callee: self.depth(inner),
                    };
                    (Step::Enter(edge), frame, (self.program.function(callee).entry, inner))
                }
                None => {
                    let frame = Frame { caller, callee: 0 };
                    (Step::Edge(edge), frame, (self.program.edge(edge).to, stack))
                }
            });
        }
        steps
    }

    /// Whether blocks end at a place, whatever leads there.
    fn ends_at(&self, place: Place, step: Step) -> bool {
        let node = self.program.node(place.0);
        let enters_recursion = matches!(step, Step::Enter(_)) && self.program.function(node.func).recursive;
        // The execution under a contract ends there, and not that of the program.
        let is_last = self.program.function(node.func).exit == place.0
            && place.1 != Stack(0)
            && self.stacks[place.1.0 as usize].is_none();
        node.loop_head || enters_recursion || is_last || self.numbers.contains_key(&place)
    }

    /// The block that begins at a point.
    pub fn block(&mut self, encoder: &mut Encoder<'_>, pool: &mut TermPool, point: usize) -> Block {
        let start = self.points[point];
        let mut block = Block {
            steps: BTreeSet::new(),
            ends: BTreeMap::new(),
            unclaimed: BTreeSet::new(),
            paths: Vec::new(),
        };
        if !self.paths.is_empty() {
            self.whole(encoder, pool, &mut block);
            return block;
        }
        let order = self.order(start);
        let mut formulas: FxHashMap<Place, PathFormula> = FxHashMap::default();
        formulas.insert(start, encoder.empty(pool));
        for place in order {
            let Some(before) = formulas.remove(&place) else {
                continue;
            };
            for (step, frame, to) in self.steps(place) {
                block.steps.insert(step);
                let after = encoder.step(pool, &before, step, frame);
                let violates = !matches!(step, Step::Leave(_)) && self.violations.contains(&step.edge());
                if violates {
                    join(encoder, pool, &mut block.ends, End::Violation, after.clone());
                }
                if !self.ends_at(to, step) {
                    let met = match formulas.remove(&to) {
                        Some(other) => encoder.merge(pool, &other, &after),
                        None => after,
                    };
                    formulas.insert(to, met);
                    continue;
                }
                let end = match self.numbers.get(&to) {
                    Some(&number) => End::Point(number),
                    None => {
                        block.unclaimed.insert(to);
                        End::Unclaimed
                    }
                };
                join(encoder, pool, &mut block.ends, end, after);
            }
        }
        assert!(
            formulas.is_empty(),
            "every place of a block is passed in topological order"
        );
        block
    }

    /// The whole program as a block, with the ways to leave the listed paths.
    fn whole(&mut self, encoder: &mut Encoder<'_>, pool: &mut TermPool, block: &mut Block) {
        let start = self.points[0];
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(place) = open.pop() {
            for (step, _, to) in self.steps(place) {
                block.steps.insert(step);
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        let before = before_targets(self.program, self.violations.iter().copied());
        let mut paths: BTreeSet<Vec<EdgeId>> = BTreeSet::new();
        for path in std::mem::take(&mut self.paths) {
            let length = self.length(start, &path, &before);
            paths.insert(path[..length].to_vec());
        }
        let mut paths: Vec<Vec<EdgeId>> = paths.into_iter().collect();
        // In this order a path comes right before those that begin with it.
        let begins_next: Vec<bool> = paths.windows(2).map(|pair| pair[1].starts_with(&pair[0])).collect();
        let mut begins_next = begins_next.into_iter();
        paths.retain(|_| !begins_next.next().unwrap_or(false));
        let onward = onward(&paths);
        let mut beginnings: BTreeSet<&[EdgeId]> = BTreeSet::new();
        for (number, path) in paths.iter().enumerate() {
            let (mut place, mut formula, mut taken) = (start, encoder.empty(pool), 0);
            let (mut exits, mut left) = (Vec::new(), Vec::new());
            while taken < path.len() || before[place.0.index()] {
                let (beginning, next) = (&path[..taken], path.get(taken));
                let steps = self.steps(place);
                if let [(step @ Step::Leave(_), frame, to)] = steps[..]
                    && next.is_some()
                {
                    formula = encoder.step(pool, &formula, step, frame);
                    place = to;
                    continue;
                }
                let is_first = beginnings.insert(beginning);
                let mut chosen = None;
                for (step, frame, to) in steps {
                    let edge = step.edge();
                    if next == Some(&edge) {
                        chosen = Some((encoder.step(pool, &formula, step, frame), to));
                    } else if is_first && !onward.get(beginning).is_some_and(|edges| edges.contains(&edge)) {
                        exits.push(encoder.step(pool, &formula, step, frame));
                        left.push([u32::try_from(taken).expect("a path fits into memory"), edge.0]);
                    }
                }
                let Some((after, to)) = chosen else { break };
                (formula, place, taken) = (after, to, taken + 1);
            }
            // The last ones first: what they have in common with those before them is written once.
            let merged = exits
                .into_iter()
                .rev()
                .reduce(|all, exit| encoder.merge(pool, &all, &exit));
            if let Some(exits) = merged {
                block.ends.insert(End::Exit(number), exits);
            }
            block.paths.push(PathEntry {
                edges: path.iter().map(|edge| edge.0).collect(),
                left,
            });
        }
    }

    /// The length of the part of a path before its first violation, and up to where no violation can be reached.
    fn length(&mut self, start: Place, path: &[EdgeId], before: &[bool]) -> usize {
        let (mut place, mut taken) = (start, 0);
        while taken < path.len() && before[place.0.index()] {
            let mut steps = self.steps(place).into_iter();
            let next = steps.find(|(step, ..)| matches!(step, Step::Leave(_)) || step.edge() == path[taken]);
            match next {
                Some((Step::Leave(_), _, to)) => place = to,
                Some((step, _, to)) if !self.violations.contains(&step.edge()) => (place, taken) = (to, taken + 1),
                _ => break,
            }
        }
        taken
    }

    /// The places of a block in topological order, the start first.
    fn order(&mut self, start: Place) -> Vec<Place> {
        let mut seen: FxHashMap<Place, ()> = FxHashMap::default();
        let mut finished = Vec::new();
        let first = self.inner_successors(start);
        seen.insert(start, ());
        let mut open = vec![(start, first)];
        while let Some((place, successors)) = open.last_mut() {
            match successors.pop() {
                Some(next) => {
                    if seen.insert(next, ()).is_none() {
                        let successors = self.inner_successors(next);
                        open.push((next, successors));
                    }
                }
                None => {
                    finished.push(*place);
                    open.pop();
                }
            }
        }
        finished.reverse();
        finished
    }

    fn inner_successors(&mut self, place: Place) -> Vec<Place> {
        let steps = self.steps(place);
        let inner = steps.into_iter().filter(|&(step, _, to)| !self.ends_at(to, step));
        inner.map(|(_, _, to)| to).collect()
    }
}

/// Adds paths to an end.
fn join(
    encoder: &mut Encoder<'_>,
    pool: &mut TermPool,
    ends: &mut BTreeMap<End, PathFormula>,
    end: End,
    paths: PathFormula,
) {
    let joined = match ends.remove(&end) {
        Some(others) => encoder.merge(pool, &others, &paths),
        None => paths,
    };
    ends.insert(end, joined);
}

/// The edges by which paths go on, by their beginnings.
fn onward(paths: &[Vec<EdgeId>]) -> BTreeMap<&[EdgeId], BTreeSet<EdgeId>> {
    let mut onward: BTreeMap<&[EdgeId], BTreeSet<EdgeId>> = BTreeMap::new();
    for path in paths {
        for (at, &edge) in path.iter().enumerate() {
            onward.entry(&path[..at]).or_default().insert(edge);
        }
    }
    onward
}
