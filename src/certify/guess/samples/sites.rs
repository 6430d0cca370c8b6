//! The sites at which something is claimed: where blocks of proof obligations end if recursive functions keep contracts.

use crate::cfa::{EdgeId, Expr, FuncId, Input, NodeId, Op, Place, Program, VarId, is_call};
use crate::cfa::{PlaceBase, program::expr::walk};
use crate::frontend::types::IntInfo;
use std::collections::{BTreeMap, BTreeSet};

/// A program with more places is too long for guesses.
const MAX_PLACES: usize = 2_000;
/// So is one with more sites, of which each has claims of its own.
const MAX_SITES: usize = 60;
/// Wider integers are not computed with.
const MAX_WIDTH: u32 = 64;

/// Why functions are left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftAlone(pub String);

/// A site: a location under the open calls since the entry of a contract's function, or since the program's start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// The position of the contract.
    pub contract: Option<usize>,
    /// The location.
    pub node: NodeId,
    /// The open calls, outermost first.
    pub calls: Vec<EdgeId>,
    /// At the entry of a call: the contract that is relied on.
    pub relies_on: Option<usize>,
}

/// A recursive function that may have a contract.
#[derive(Debug)]
pub struct Callable {
    /// The function.
    pub func: FuncId,
    /// The variables of static storage that it, or a function that it may call, mentions, ascending.
    pub statics: Vec<VarId>,
}

/// The recursive functions of a program and the sites that their contracts need.
#[derive(Debug)]
pub struct Sites {
    /// The functions with contracts.
    pub contracts: Vec<Callable>,
    /// The sites; the first is the program's start.
    pub all: Vec<Site>,
    numbers: BTreeMap<(Option<usize>, NodeId, Vec<EdgeId>), usize>,
}

impl Sites {
    /// The sites of a program.
    ///
    /// # Errors
    /// A recursive function does what contracts are not guessed for, or the program is too long.
    pub fn of(program: &Program) -> Result<Sites, LeftAlone> {
        let mut sites = Sites {
            contracts: Vec::new(),
            all: Vec::new(),
            numbers: BTreeMap::new(),
        };
        let reached = called_from(program, program.start);
        for &func in reached.iter().filter(|&&func| program.function(func).recursive) {
            let statics = statics(program, func)?;
            sites.contracts.push(Callable { func, statics });
        }
        let start = program.function(program.start).entry;
        sites.add(None, start, &[], None);
        let mut places = 0;
        sites.walk(program, None, start, &mut places)?;
        for contract in 0..sites.contracts.len() {
            let function = program.function(sites.contracts[contract].func);
            for node in [function.entry, function.exit] {
                sites.add(Some(contract), node, &[], None);
            }
            sites.walk(program, Some(contract), function.entry, &mut places)?;
        }
        Ok(sites)
    }

    /// The contract of a function.
    pub fn contract_of(&self, func: FuncId) -> Option<usize> {
        self.contracts.iter().position(|contract| contract.func == func)
    }

    /// The number of a site.
    pub fn number(&self, contract: Option<usize>, node: NodeId, calls: &[EdgeId]) -> Option<usize> {
        self.numbers.get(&(contract, node, calls.to_vec())).copied()
    }

    /// The functions of the open frames at a site, oldest first.
    pub fn frames(&self, program: &Program, site: &Site) -> Vec<FuncId> {
        let first = site
            .contract
            .map_or(program.start, |contract| self.contracts[contract].func);
        let called = site.calls.iter().filter_map(|&call| is_call(program, call));
        std::iter::once(first).chain(called).collect()
    }

    fn add(&mut self, contract: Option<usize>, node: NodeId, calls: &[EdgeId], relies_on: Option<usize>) {
        let key = (contract, node, calls.to_vec());
        if self.numbers.contains_key(&key) {
            return;
        }
        self.numbers.insert(key, self.all.len());
        self.all.push(Site {
            contract,
            node,
            calls: calls.to_vec(),
            relies_on,
        });
    }

    /// Adds the sites on all ways from a function's entry, past calls of functions with contracts.
    fn walk(
        &mut self,
        program: &Program,
        contract: Option<usize>,
        entry: NodeId,
        places: &mut usize,
    ) -> Result<(), LeftAlone> {
        let mut seen: BTreeSet<(NodeId, Vec<EdgeId>)> = BTreeSet::new();
        let mut open = vec![(entry, Vec::new())];
        while let Some((node, calls)) = open.pop() {
            if !seen.insert((node, calls.clone())) {
                continue;
            }
            *places += 1;
            if *places > MAX_PLACES || self.all.len() > MAX_SITES {
                return Err(LeftAlone(
                    "the program is too long for guesses of contracts".to_string(),
                ));
            }
            let location = program.node(node);
            if location.loop_head {
                self.add(contract, node, &calls, None);
            }
            if program.function(location.func).exit == node {
                let mut below = calls;
                if let Some(call) = below.pop() {
                    open.push((program.edge(call).to, below));
                }
                continue;
            }
            for &edge in &location.outgoing {
                let Some(callee) = is_call(program, edge) else {
                    open.push((program.edge(edge).to, calls.clone()));
                    continue;
                };
                let inner: Vec<EdgeId> = calls.iter().copied().chain([edge]).collect();
                let function = program.function(callee);
                match self.contract_of(callee) {
                    Some(relied) => {
                        self.add(contract, function.entry, &inner, Some(relied));
                        self.add(contract, function.exit, &inner, None);
                        open.push((function.exit, inner));
                    }
                    None => open.push((function.entry, inner)),
                }
            }
        }
        Ok(())
    }
}

/// A function and those that it may call, directly or not.
fn called_from(program: &Program, func: FuncId) -> BTreeSet<FuncId> {
    let mut calls: BTreeMap<FuncId, BTreeSet<FuncId>> = BTreeMap::new();
    for edge in program.edge_ids() {
        if let Some(callee) = is_call(program, edge) {
            calls
                .entry(program.node(program.edge(edge).from).func)
                .or_default()
                .insert(callee);
        }
    }
    let (mut seen, mut open) = (BTreeSet::from([func]), vec![func]);
    while let Some(caller) = open.pop() {
        let callees = calls.get(&caller).into_iter().flatten();
        open.extend(callees.copied().filter(|&callee| seen.insert(callee)));
    }
    seen
}

/// The type of an integer variable outside of memory, if it is computed with here.
pub fn integer(program: &Program, var: VarId) -> Option<IntInfo> {
    let variable = program.var(var);
    let info = program
        .types
        .integer(variable.ty)
        .filter(|info| info.width <= MAX_WIDTH);
    info.filter(|_| !variable.in_memory)
}

/// The variable of static storage that a recursive function mentions, with those that it may call.
fn statics(program: &Program, func: FuncId) -> Result<Vec<VarId>, LeftAlone> {
    let inside = called_from(program, func);
    let mut statics = BTreeSet::new();
    for edge in program.edge_ids() {
        let edge = program.edge(edge);
        if !inside.contains(&program.node(edge.from).func) {
            continue;
        }
        let mut wrong = None;
        let mut mention = |place: &Place| match place.as_whole_var() {
            Some(var) if integer(program, var).is_some() => {
                if program.var(var).func.is_none() {
                    statics.insert(var);
                }
            }
            _ => wrong = Some("reads or writes memory, or values that are no integers"),
        };
        let (places, values): (Vec<&Place>, Vec<&Expr>) = match &edge.op {
            Op::Nop | Op::Label(_) | Op::Bypass(_) => (Vec::new(), Vec::new()),
            Op::Assume { cond, .. } => (Vec::new(), vec![cond]),
            Op::Assign { lhs, rhs } => (vec![lhs], vec![rhs]),
            Op::Zero { place } => (vec![place], Vec::new()),
            Op::Call { args, ret, .. } => (ret.iter().collect(), args.iter().collect()),
            // A function that does not come back gives no result.
            Op::External { ret: None, .. } if program.node(edge.to).outgoing.is_empty() => (Vec::new(), Vec::new()),
            Op::External { .. } => return Err(left_alone(program, func, "calls a function without a body")),
            // Variables without initialiser, and the result of a function that is left without one.
            Op::Havoc {
                place,
                source: Input::Uninitialised,
            } => (vec![place], Vec::new()),
            Op::Havoc { .. } | Op::Asm { .. } => return Err(left_alone(program, func, "has inputs")),
            _ => return Err(left_alone(program, func, "has objects in memory")),
        };
        places.into_iter().for_each(&mut mention);
        for value in values {
            walk(value, &mut |expr| {
                if let crate::cfa::ExprKind::Load(place) = &expr.kind
                    && matches!(place.base, PlaceBase::Var(_))
                {
                    mention(place);
                }
            });
            walk(value, &mut |expr| {
                if program.types.integer(expr.ty).is_none() {
                    mention(&Place::deref(expr.clone(), expr.ty));
                }
            });
        }
        if let Some(why) = wrong {
            return Err(left_alone(program, func, why));
        }
    }
    Ok(statics.into_iter().collect())
}

fn left_alone(program: &Program, func: FuncId, why: &str) -> LeftAlone {
    LeftAlone(format!(
        "the recursive function `{}` {why}",
        program.function(func).name
    ))
}
