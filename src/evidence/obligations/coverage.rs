//! Check of coverage: the blocks of a manifest leave nothing out of the control flow that the manifest lists.
//!
//! From the point at which it begins, a block has to take every edge of every location that it passes, enter every call, and return from each call to
//! its call site, until it ends at points that have blocks of their own or at points that are proved to be unreachable. So
//! every execution from the program's start is a sequence of blocks. If several scripts split a block by cases, they have to treat all cases of the claim at its
//! beginning. A call that relies on contracts is a block without paths: it begins at the entry of the function of these contracts and ends at its exit, and each case at its beginning is shown to be
//! what one of the contracts requires. A block that is the whole program lists paths: each of its executions follows one of them, to where no violation can be reached any more, or a script shows that it does not leave it. Every value that has to be in range at the end of a block is shown to be, or it is in range at the beginning and the block does not write it.

use super::defect::Gap;
use super::manifest::{
    BlockEntry, ContractEntry, EdgeEntry, FunctionEntry, Kind, Manifest, ObligationEntry, PathEntry, PlaceEntry,
    PointEntry,
};
use super::views::Views;
use provident_smt::fault::planted;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The tables of a manifest by number and name.
struct Tables<'m> {
    edges: BTreeMap<u32, &'m EdgeEntry>,
    outgoing: BTreeMap<u32, Vec<&'m EdgeEntry>>,
    functions: BTreeMap<&'m str, &'m FunctionEntry>,
    /// For each point its place.
    points: BTreeMap<&'m str, &'m PlaceEntry>,
    views: Views<'m>,
    /// For each kind of obligation between two points the cases of the claim before, and the conjuncts of the one behind, that its scripts are about.
    cases: BTreeMap<About<'m>, Vec<Part<'m>>>,
}

/// The subject of an obligation: its kind, the point at which its block begins, and the point at which it ends.
type About<'m> = (Kind, &'m str, Option<&'m str>);

/// Of what a script is about, some cases and some conjuncts, or all of them, and some ranges.
#[derive(Clone, Copy)]
struct Part<'m> {
    cases: Option<[usize; 2]>,
    conjuncts: Option<[usize; 2]>,
    ranges: &'m [String],
}

/// Which of all cases scripts are about.
type Ranges = Vec<Option<[usize; 2]>>;

/// Checks that the blocks of a manifest cover the program.
/// Long, as it asks one question after the other, and each answer names what is missing.
///
/// # Errors
/// Names the first thing that is missing.
pub fn covers(manifest: &Manifest) -> Result<(), Gap> {
    let mut tables = Tables {
        edges: manifest.edges.iter().map(|edge| (edge.id, edge)).collect(),
        outgoing: BTreeMap::new(),
        functions: manifest.functions.iter().map(|f| (f.name.as_str(), f)).collect(),
        points: BTreeMap::new(),
        views: Views::new(manifest),
        cases: BTreeMap::new(),
    };
    for edge in &manifest.edges {
        tables.outgoing.entry(edge.from).or_default().push(edge);
    }
    for point in &manifest.points {
        tables.points.insert(&point.id, &point.place);
    }
    let is_unique = |what: &'static str, all: usize, different: usize| match all == different {
        true => Ok(()),
        false => Err(Gap::SameName(what)),
    };
    is_unique("edges", manifest.edges.len(), tables.edges.len())?;
    is_unique("functions", manifest.functions.len(), tables.functions.len())?;
    is_unique("points", manifest.points.len(), tables.points.len())?;
    let begun: BTreeSet<&str> = manifest.blocks.iter().map(|block| block.from.as_str()).collect();
    is_unique("blocks", manifest.blocks.len(), begun.len())?;
    let contracts: BTreeSet<&str> = manifest.contracts.iter().map(|contract| contract.id.as_str()).collect();
    is_unique("contracts", manifest.contracts.len(), contracts.len())?;
    for contract in &manifest.contracts {
        tables.check_contract(contract)?;
    }
    if let Some(point) = tables.points.keys().find(|point| !begun.contains(*point)) {
        return Err(Gap::NoBlock((*point).to_string()));
    }
    let whole = |o: &&ObligationEntry| o.expected == "unsat" && o.path.is_none();
    for obligation in manifest.obligations.iter().filter(whole) {
        tables.cases.entry(about(obligation)).or_default().push(Part {
            cases: obligation.cases,
            conjuncts: obligation.conjuncts,
            ranges: &obligation.ranges,
        });
    }
    let points = manifest.points.iter().map(|p| (p.id.as_str(), p));
    let points: BTreeMap<&str, &PointEntry> = points.collect();
    for ((kind, from, to), parts) in &tables.cases {
        let all = points.get(from).map_or(0, |point| point.cases.len());
        let wanted = match kind {
            Kind::Precondition => relied(manifest, from, to.unwrap_or_default()),
            _ => vec![[0, all]],
        };
        let conjuncts = to.and_then(|to| points.get(to)).map_or(0..1, |point| conjuncts(point));
        let to = to.unwrap_or("the next points");
        for conjunct in conjuncts {
            let about = |part: &&Part<'_>| {
                part.conjuncts
                    .is_none_or(|[first, end]| (first..end).contains(&conjunct))
            };
            let ranges: Ranges = parts.iter().filter(about).map(|part| part.cases).collect();
            if ranges.is_empty() {
                return Err(Gap::Conjunct {
                    number: conjunct + 1,
                    from: (*from).to_string(),
                    to: to.to_string(),
                    kind: *kind,
                });
            }
            let missing = wanted.iter().find_map(|&wanted| missing_case(&ranges, wanted, all));
            if let Some(number) = missing {
                return Err(Gap::Case {
                    number,
                    from: (*from).to_string(),
                    to: to.to_string(),
                    kind: *kind,
                });
            }
        }
    }
    for block in &manifest.blocks {
        match block.relies_on.is_empty() {
            true => tables.check(block)?,
            false => tables.check_call(block, &points)?,
        }
        let is_said = |kind: Kind, to: Option<&str>| tables.cases.contains_key(&(kind, block.from.as_str(), to));
        if let Some(end) = block.to.iter().find(|end| !is_said(Kind::Consecution, Some(end))) {
            return Err(Gap::Consecution {
                from: block.from.clone(),
                to: end.clone(),
            });
        }
        let missing = match block.relies_on.is_empty() {
            true => tables.missing_range(block, &points),
            false => tables.missing_range_at_call(block, &points),
        };
        if let Some((name, end)) = missing.filter(|_| !planted("coverage-ranges")) {
            return Err(Gap::Range {
                name: name.to_string(),
                from: block.from.clone(),
                to: end.to_string(),
            });
        }
        if !block.unclaimed.is_empty() && !is_said(Kind::Exclusion, None) {
            return Err(Gap::Exclusion(block.from.clone()));
        }
        let mut steps = block.edges.iter().chain(&block.enters);
        if !block.paths.is_empty() {
            tables.check_paths(block, manifest)?;
        } else if steps.any(|edge| manifest.violations.contains(edge)) && !is_said(Kind::Safety, None) {
            return Err(Gap::Safety(block.from.clone()));
        }
    }
    match manifest.points.first() {
        Some(start) if start.place.calls.is_empty() && start.place.contract.is_none() => {
            let is_shown = manifest.obligations.iter().any(|o| {
                o.kind == Kind::Initiation && o.from == start.id && o.expected == "unsat" && o.conjuncts.is_none()
            });
            match is_shown {
                true => Ok(()),
                false => Err(Gap::Initiation),
            }
        }
        _ => Err(Gap::Start),
    }
}

/// The subject of an obligation.
fn about(obligation: &ObligationEntry) -> About<'_> {
    (obligation.kind, obligation.from.as_str(), obligation.to.as_deref())
}

/// The conjuncts of the claim at a point that scripts have to treat: the first is only the disjunction of the cases.
fn conjuncts(point: &PointEntry) -> Range<usize> {
    let count = 1 + point.conjuncts.len() + point.elements.len();
    let count = if planted("coverage-conjuncts") { 1 } else { count };
    let says_nothing = point.cases.iter().any(|case| case == "true");
    usize::from(says_nothing && count > 1)..count
}

/// The cases at a call that rely on contracts which begin at a point.
fn relied(manifest: &Manifest, call: &str, entry: &str) -> Vec<[usize; 2]> {
    let begins = |contract: &str| {
        let mut contracts = manifest.contracts.iter();
        contracts.any(|other| other.id == contract && other.entry == entry)
    };
    let blocks = manifest.blocks.iter().filter(|block| block.from == call);
    let uses = blocks.flat_map(|block| &block.relies_on);
    uses.filter(|relied| begins(&relied.contract))
        .map(|relied| relied.cases)
        .collect()
}

/// The first of the wanted ones of `all` cases, from 1, that no range covers.
fn missing_case(ranges: &[Option<[usize; 2]>], [first, last]: [usize; 2], all: usize) -> Option<usize> {
    if planted("coverage-cases") {
        return None;
    }
    let mut ranges: Vec<[usize; 2]> = ranges.iter().map(|range| range.unwrap_or([0, all])).collect();
    ranges.sort_unstable();
    let mut covered = first;
    for [start, end] in ranges {
        if start <= covered {
            covered = covered.max(end);
        }
    }
    (covered < last).then_some(covered + 1)
}

impl Tables<'_> {
    fn edge(&self, id: u32) -> Result<&EdgeEntry, Gap> {
        self.edges.get(&id).copied().ok_or(Gap::NoEdge(id))
    }

    fn point(&self, name: &str) -> Result<&PlaceEntry, Gap> {
        self.points
            .get(name)
            .copied()
            .ok_or_else(|| Gap::NoPoint(name.to_string()))
    }

    /// A value of which nothing shows that it is in its range at an end of a block.
    fn missing_range<'b>(
        &self,
        block: &'b BlockEntry,
        points: &BTreeMap<&str, &'b PointEntry>,
    ) -> Option<(&'b str, &'b str)> {
        let from = points.get(block.from.as_str())?;
        for end in &block.to {
            let versions = block.versions.get(end);
            let scripts = self.cases.get(&(Kind::Ranges, block.from.as_str(), Some(end)));
            for (name, bounds) in &points.get(end.as_str())?.ranges {
                let is_written = versions.is_some_and(|last| last.get(name).is_some_and(|&version| version > 0));
                let about = |part: &&Part<'_>| part.ranges.contains(name);
                let scripts = scripts.into_iter().flatten().filter(about);
                let cases: Ranges = scripts.map(|part| part.cases).collect();
                let is_shown = match is_written {
                    true => {
                        !cases.is_empty() && missing_case(&cases, [0, from.cases.len()], from.cases.len()).is_none()
                    }
                    false => from.ranges.get(name) == Some(bounds),
                };
                if !is_shown {
                    return Some((name, end));
                }
            }
        }
        None
    }

    /// Whether a contract begins and ends where its function does.
    fn check_contract(&self, contract: &ContractEntry) -> Result<(), Gap> {
        let wrong = || Gap::Contract(contract.id.clone());
        let function = self.functions.get(contract.function.as_str()).ok_or_else(wrong)?;
        for (point, node) in [(&contract.entry, function.entry), (&contract.exit, function.exit)] {
            let place = self.point(point)?;
            let is_there =
                place.node == node && place.calls.is_empty() && place.contract.as_ref() == Some(&contract.id);
            if !is_there {
                return Err(wrong());
            }
        }
        Ok(())
    }

    /// Whether a block that relies on contracts is a call of their function, and each case relies on one of them.
    fn check_call(&self, block: &BlockEntry, points: &BTreeMap<&str, &PointEntry>) -> Result<(), Gap> {
        let wrong = || Gap::Call(block.from.clone());
        let from = self.point(&block.from)?;
        let &call = from.calls.last().ok_or_else(wrong)?;
        let function = self.function(call)?;
        let [end] = block.to.as_slice() else {
            return Err(wrong());
        };
        let to = self.point(end)?;
        let is_whole = (from.node, to.node) == (function.entry, function.exit)
            && (&from.calls, &from.contract) == (&to.calls, &to.contract);
        if !is_whole || !block.unclaimed.is_empty() || !block.edges.is_empty() || !block.enters.is_empty() {
            return Err(wrong());
        }
        for relied in &block.relies_on {
            let contract = self.views.contract(&relied.contract).ok_or_else(wrong)?;
            if self.views.call(from, contract).is_none() || contract.function != function.name {
                return Err(wrong());
            }
            let about = (Kind::Precondition, block.from.as_str(), Some(contract.entry.as_str()));
            if !self.cases.contains_key(&about) && !planted("coverage-precondition") {
                return Err(Gap::Precondition {
                    from: block.from.clone(),
                    contract: relied.contract.clone(),
                });
            }
        }
        let cases = points.get(block.from.as_str()).map_or(0, |point| point.cases.len());
        let ranges: Ranges = block.relies_on.iter().map(|relied| Some(relied.cases)).collect();
        match missing_case(&ranges, [0, cases], cases) {
            Some(_) => Err(wrong()),
            None => Ok(()),
        }
    }

    /// A value of which nothing shows that it is in its range where a contract begins, or behind a call that relies on one.
    fn missing_range_at_call<'b>(
        &self,
        block: &'b BlockEntry,
        points: &BTreeMap<&str, &'b PointEntry>,
    ) -> Option<(&'b str, &'b str)> {
        let from = points.get(block.from.as_str())?;
        let to = points.get(block.to.first()?.as_str())?;
        for relied in &block.relies_on {
            let contract = self.views.contract(&relied.contract)?;
            let call = self.views.call(&from.place, contract)?;
            let (entry, exit) = (
                points.get(contract.entry.as_str())?,
                points.get(contract.exit.as_str())?,
            );
            let listed = |point: &PointEntry, name: Option<String>, bounds: &[String; 2]| {
                name.is_some_and(|name| point.ranges.get(&name) == Some(bounds))
            };
            let mut required = entry.ranges.iter();
            if let Some((name, _)) = required.find(|(name, bounds)| !listed(from, call.outside(name), bounds)) {
                return Some((name, &entry.id));
            }
            for (name, bounds) in &to.ranges {
                let is_shown = match call.loses(name) {
                    true => listed(exit, call.inside(name), bounds),
                    false => listed(from, Some(name.clone()), bounds),
                };
                if !is_shown {
                    return Some((name, &to.id));
                }
            }
        }
        None
    }

    fn function(&self, call: u32) -> Result<&FunctionEntry, Gap> {
        let callee = self.edge(call)?.calls.as_deref();
        let function = callee.and_then(|name| self.functions.get(name));
        function.copied().ok_or(Gap::NoCall(call))
    }

    /// Walks through the block: every edge of every location must be in it, and every path must come to one of its ends.
    fn check(&self, block: &BlockEntry) -> Result<(), Gap> {
        let name = &block.from;
        let PlaceEntry {
            node: start,
            calls,
            contract,
            ..
        } = self.point(name)?;
        let start = *start;
        let mut ends: BTreeSet<(u32, &[u32])> = BTreeSet::new();
        let mut places: Vec<&PlaceEntry> = block.unclaimed.iter().collect();
        for end in &block.to {
            places.push(self.point(end)?);
        }
        for place in places {
            if place.contract != *contract {
                return Err(Gap::OtherContract(name.clone()));
            }
            ends.insert((place.node, place.calls.as_slice()));
        }
        let [edges, enters, leaves] =
            [&block.edges, &block.enters, &block.leaves].map(|list| list.iter().copied().collect::<BTreeSet<u32>>());
        // Recursion ends blocks: a deeper call stack is a mistake.
        let deepest = calls.len() + self.functions.len();
        let exits: BTreeSet<u32> = self.functions.values().map(|function| function.exit).collect();
        let mut seen: BTreeSet<(u32, Vec<u32>)> = BTreeSet::new();
        let mut open = vec![(start, calls.clone())];
        while let Some((node, calls)) = open.pop() {
            let mut go = |next: u32, calls: Vec<u32>| {
                let is_end = ends.contains(&(next, calls.as_slice()));
                if !is_end && seen.insert((next, calls.clone())) {
                    open.push((next, calls));
                }
            };
            if exits.contains(&node) {
                let mut below = calls;
                let Some(call) = below.pop() else {
                    // Where a contract ends, something is claimed; the program just ends.
                    let is_left = contract.is_some() && node != start && !planted("coverage-exit");
                    match is_left {
                        true => return Err(Gap::NoExit(name.clone())),
                        false => continue,
                    }
                };
                if !leaves.contains(&call) {
                    return Err(Gap::NoReturn {
                        block: name.clone(),
                        call,
                    });
                }
                go(self.edge(call)?.to, below);
                continue;
            }
            if calls.len() > deepest {
                return Err(Gap::NoEnd(name.clone()));
            }
            for edge in self.outgoing.get(&node).into_iter().flatten() {
                let taken = if edge.calls.is_some() { &enters } else { &edges };
                if !taken.contains(&edge.id) && !planted("coverage-edges") {
                    return Err(Gap::NotTaken {
                        block: name.clone(),
                        edge: edge.id,
                    });
                }
                match edge.calls {
                    Some(_) => {
                        let inner = calls.iter().copied().chain([edge.id]).collect();
                        go(self.function(edge.id)?.entry, inner);
                    }
                    None => go(edge.to, calls.clone()),
                }
            }
        }
        Ok(())
    }

    /// Follows the listed paths of a block: none of them may take a violation, and scripts have to exclude every edge that leaves all of them before a violation is out of reach.
    fn check_paths(&self, block: &BlockEntry, manifest: &Manifest) -> Result<(), Gap> {
        let start = self.point(&block.from)?;
        if !block.to.is_empty() || !block.unclaimed.is_empty() || !start.calls.is_empty() || start.contract.is_some() {
            return Err(Gap::NoEnd(block.from.clone()));
        }
        let exits: BTreeSet<u32> = self.functions.values().map(|function| function.exit).collect();
        let before = self.before_violations(manifest)?;
        let is_shown = |number: usize| {
            let shows = |o: &ObligationEntry| o.kind == Kind::Safety && o.from == block.from && o.path == Some(number);
            let is_whole = |o: &ObligationEntry| o.cases.is_none() && o.conjuncts.is_none() && o.expected == "unsat";
            manifest.obligations.iter().any(|o| shows(o) && is_whole(o))
        };
        let mut onward: BTreeMap<&[u32], BTreeSet<u32>> = BTreeMap::new();
        for PathEntry { edges, .. } in &block.paths {
            for (at, &edge) in edges.iter().enumerate() {
                onward.entry(&edges[..at]).or_default().insert(edge);
            }
        }
        let mut seen: BTreeSet<&[u32]> = BTreeSet::new();
        for (number, PathEntry { edges: path, left }) in block.paths.iter().enumerate() {
            if !left.is_empty() && !is_shown(number) {
                return Err(Gap::Left(number));
            }
            let (mut node, mut calls, mut taken) = (start.node, Vec::new(), 0);
            while taken < path.len() || before.contains(&node) {
                let next = path.get(taken);
                let is_exit = exits.contains(&node);
                if is_exit && next.is_some() {
                    let call = calls.pop().ok_or(Gap::Path(number))?;
                    node = self.edge(call)?.to;
                    continue;
                }
                let beginning = &path[..taken];
                let outgoing = self.outgoing.get(&node).map_or(&[][..], Vec::as_slice);
                let goes_on = |edge: u32| onward.get(beginning).is_some_and(|edges| edges.contains(&edge));
                if seen.insert(beginning) {
                    let returns = calls.last().copied().filter(|_| is_exit);
                    let beside = outgoing.iter().map(|edge| edge.id).filter(|&edge| !goes_on(edge));
                    let is_said = |edge: u32| left.contains(&[u32::try_from(taken).unwrap_or(u32::MAX), edge]);
                    if !returns.into_iter().chain(beside).all(is_said) && !planted("coverage-paths") {
                        return Err(Gap::Left(number));
                    }
                }
                let Some(&next) = next else { break };
                let edge = outgoing.iter().find(|edge| edge.id == next).ok_or(Gap::Path(number))?;
                if manifest.violations.contains(&next) {
                    return Err(Gap::Path(number));
                }
                taken += 1;
                node = match edge.calls {
                    Some(_) => {
                        calls.push(next);
                        self.function(next)?.entry
                    }
                    None => edge.to,
                };
            }
        }
        Ok(())
    }

    /// The locations from which a violation is reachable in the control flow, where a function may return behind each of its calls.
    fn before_violations(&self, manifest: &Manifest) -> Result<BTreeSet<u32>, Gap> {
        let mut before: BTreeSet<u32> = BTreeSet::new();
        let mut entries: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for edge in manifest
            .edges
            .iter()
            .filter(|edge| manifest.violations.contains(&edge.id))
        {
            before.insert(edge.from);
        }
        for edge in &manifest.edges {
            let callee = match edge.calls {
                Some(_) => Some(self.function(edge.id)?),
                None => None,
            };
            entries.entry(edge.to).or_default().push(edge.from);
            if let Some(function) = callee {
                entries.entry(function.entry).or_default().push(edge.from);
                entries.entry(edge.to).or_default().push(function.exit);
            }
        }
        let mut open: Vec<u32> = before.iter().copied().collect();
        while let Some(node) = open.pop() {
            for &earlier in entries.get(&node).into_iter().flatten() {
                if before.insert(earlier) {
                    open.push(earlier);
                }
            }
        }
        Ok(before)
    }
}
