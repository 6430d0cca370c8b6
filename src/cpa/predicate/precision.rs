//! The precision: the predicates that the abstraction tracks, by place.
//!
//! A predicate is a term over symbols without SSA index. Predicates are numbered in order of discovery, and that is the order in BDDs and in all
//! output. Refinement only adds predicates. A run that goes on with other properties may remove the predicates of the properties before.

use super::region::PredId;
use crate::cfa::{FuncId, NodeId, Program};
use crate::cpa::callstack::{StackId, Stacks};
use provident_smt::hash::FxHashMap;
use provident_smt::term::{TermId, TermPool};
use std::collections::{BTreeMap, BTreeSet};

/// An interned set of predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PredSetId(u32);

/// Where a predicate counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PredicateScope {
    /// At every abstraction point.
    Global,
    /// At every abstraction point of a function.
    Function(FuncId),
    /// At one location.
    Location(NodeId),
}

/// The program precision of the predicate analysis.
#[derive(Debug)]
pub struct Precision {
    terms: Vec<TermId>,
    /// For each predicate: the functions whose frames hold its variables.
    frames: Vec<Vec<FuncId>>,
    numbers: FxHashMap<TermId, PredId>,
    scopes: BTreeMap<PredicateScope, BTreeSet<PredId>>,
    /// Where the predicate `false` counts.
    contradictions: BTreeSet<PredicateScope>,
    sets: Vec<Vec<PredId>>,
    set_numbers: FxHashMap<Vec<PredId>, PredSetId>,
    at: FxHashMap<(NodeId, StackId), PredSetId>,
    local_names: FxHashMap<String, FuncId>,
    capacity: usize,
    /// The predicates that were requested, so that a caller can attribute them to a property.
    journal: Vec<(PredicateScope, PredId)>,
    /// Grows with every change of what counts somewhere.
    generation: u64,
}

impl Precision {
    /// The empty precision, for at most `capacity` predicates.
    pub fn new(program: &Program, capacity: usize) -> Self {
        let local = |f: FuncId| (program.function(f).name.clone(), f);
        Precision {
            terms: Vec::new(),
            frames: Vec::new(),
            numbers: FxHashMap::default(),
            scopes: BTreeMap::new(),
            contradictions: BTreeSet::new(),
            sets: vec![Vec::new()],
            set_numbers: FxHashMap::from_iter([(Vec::new(), PredSetId(0))]),
            at: FxHashMap::default(),
            local_names: program.function_ids().map(local).collect(),
            capacity,
            journal: Vec::new(),
            generation: 0,
        }
    }

    /// Adds a predicate under a scope. False if it was there already, or if there is no room for another predicate.
    pub fn add(&mut self, program: &Program, pool: &TermPool, scope: PredicateScope, predicate: TermId) -> bool {
        let Some(pred) = self.number(program, pool, predicate) else {
            return false;
        };
        self.journal.push((scope, pred));
        let new = self.scopes.entry(scope).or_default().insert(pred);
        if new {
            self.changed();
        }
        new
    }

    /// The number of a predicate, which need not count anywhere; `None` if there is no room for another one.
    pub(super) fn number(&mut self, program: &Program, pool: &TermPool, predicate: TermId) -> Option<PredId> {
        if let Some(&known) = self.numbers.get(&predicate) {
            return Some(known);
        }
        if self.terms.len() >= self.capacity {
            return None;
        }
        let pred = PredId(u32::try_from(self.terms.len()).expect("the capacity is small"));
        self.frames.push(self.frames_of(program, pool, predicate));
        self.terms.push(predicate);
        self.numbers.insert(predicate, pred);
        Some(pred)
    }

    fn changed(&mut self) {
        self.at.clear();
        self.generation += 1;
    }

    /// A number that is another one after every change of what counts somewhere.
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    /// Removes a predicate from a scope; it keeps its number.
    pub fn remove(&mut self, scope: PredicateScope, pred: PredId) {
        if let Some(preds) = self.scopes.get_mut(&scope) {
            preds.remove(&pred);
        }
        self.changed();
    }

    /// Forgets which predicates count where; they keep their numbers.
    pub fn clear(&mut self) {
        self.scopes.clear();
        self.contradictions.clear();
        self.changed();
    }

    /// The predicates that were requested since the last call, new or not, in order.
    pub fn take_journal(&mut self) -> Vec<(PredicateScope, PredId)> {
        std::mem::take(&mut self.journal)
    }

    /// Adds the predicate `false` under a scope: there it matters whether a block has any execution at all, even if nothing else does.
    /// False if it was there already.
    pub fn add_contradiction(&mut self, scope: PredicateScope) -> bool {
        let new = self.contradictions.insert(scope);
        self.generation += u64::from(new);
        new
    }

    /// The scopes of the predicate `false`.
    pub fn contradictions(&self) -> impl Iterator<Item = PredicateScope> + '_ {
        self.contradictions.iter().copied()
    }

    /// Whether it matters at a location whether its block has any execution.
    pub fn asks_for_contradiction(&self, program: &Program, node: NodeId) -> bool {
        let scopes = Self::scopes_of(program, node);
        scopes.iter().any(|scope| self.contradictions.contains(scope))
    }

    /// The relevant predicates that count in some scopes, as numbers: equal lists have equal predicates at equal places.
    pub(super) fn parts(
        &self,
        is_inside: impl Fn(&PredicateScope) -> bool,
        is_relevant: impl Fn(PredId) -> bool,
    ) -> Vec<u64> {
        let place = |scope: &PredicateScope| match scope {
            PredicateScope::Global => [0, 0],
            PredicateScope::Function(func) => [1, number(func.index())],
            PredicateScope::Location(node) => [2, number(node.index())],
        };
        let number_of = |pred: &PredId| u64::from(pred.0);
        let mut parts = Vec::new();
        for (scope, preds) in self.scopes.iter().filter(|(scope, _)| is_inside(scope)) {
            let preds: Vec<u64> = preds.iter().filter(|&&pred| is_relevant(pred)).map(number_of).collect();
            if !preds.is_empty() {
                parts.extend(place(scope));
                parts.push(number(preds.len()));
                parts.extend(preds);
            }
        }
        parts.push(u64::MAX);
        for scope in self.contradictions.iter().filter(|scope| is_inside(scope)) {
            parts.extend(place(scope));
        }
        parts.push(u64::MAX);
        parts
    }

    /// The predicates in scope at a location, ascending.
    pub(super) fn in_scope_at(&self, program: &Program, node: NodeId) -> BTreeSet<PredId> {
        let scopes = Self::scopes_of(program, node);
        scopes
            .iter()
            .filter_map(|s| self.scopes.get(s))
            .flatten()
            .copied()
            .collect()
    }

    fn scopes_of(program: &Program, node: NodeId) -> [PredicateScope; 3] {
        [
            PredicateScope::Global,
            PredicateScope::Function(program.node(node).func),
            PredicateScope::Location(node),
        ]
    }

    /// The functions whose locals the predicate contains, by the encoder's naming: `f::x` lives in a frame of `f`, unless the variable of that
    /// name has static storage.
    pub fn frames_of(&self, program: &Program, pool: &TermPool, predicate: TermId) -> Vec<FuncId> {
        let mut frames = BTreeSet::new();
        for symbol in pool.symbols(predicate) {
            let name = pool.name(symbol.name);
            let Some((func, rest)) = name.split_once("::") else {
                continue;
            };
            let Some(&func) = self.local_names.get(func) else {
                continue;
            };
            let base = rest.split(['.', '#']).next().unwrap_or(rest);
            let whole = &name[..name.len() - rest.len() + base.len()];
            let is_local = |v: &crate::cfa::Variable| v.name == whole && v.func == Some(func);
            if program.vars.iter().any(is_local) {
                frames.insert(func);
            }
        }
        frames.into_iter().collect()
    }

    /// The term of a predicate.
    pub fn term(&self, pred: PredId) -> TermId {
        self.terms[pred.index()]
    }

    /// The number of predicates.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// The number of entries: a predicate counts once per scope.
    pub fn entries(&self) -> usize {
        self.scopes.values().map(BTreeSet::len).sum()
    }

    /// Whether there is no predicate.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The predicates of a set, ascending.
    pub fn set(&self, set: PredSetId) -> &[PredId] {
        &self.sets[set.0 as usize]
    }

    /// The predicates that count at a location in a calling context: those in scope there, without those about locals of functions that are not
    /// active (nothing can read these any more before they get a new value).
    pub fn at(&mut self, program: &Program, stacks: &Stacks, node: NodeId, stack: StackId) -> PredSetId {
        if let Some(&set) = self.at.get(&(node, stack)) {
            return set;
        }
        let scopes = Self::scopes_of(program, node);
        let in_scope = scopes.iter().filter_map(|s| self.scopes.get(s)).flatten().copied();
        let is_alive = |p: &PredId| self.frames[p.index()].iter().all(|&f| stacks.contains(stack, f));
        let preds: BTreeSet<PredId> = in_scope.filter(is_alive).collect();
        let preds: Vec<PredId> = preds.into_iter().collect();
        let set = self.intern(&preds);
        self.at.insert((node, stack), set);
        set
    }

    /// Whether a predicate counts in a scope.
    pub fn has(&self, scope: PredicateScope, predicate: TermId) -> bool {
        let number = self.numbers.get(&predicate);
        let here = self.scopes.get(&scope);
        number.zip(here).is_some_and(|(number, here)| here.contains(number))
    }

    /// The terms of the predicates of a scope, in order of discovery.
    pub fn in_scope(&self, scope: PredicateScope) -> Vec<TermId> {
        let preds = self.scopes.get(&scope).into_iter().flatten();
        preds.map(|&pred| self.term(pred)).collect()
    }

    /// The id of a set of predicates, given in ascending order.
    pub fn intern(&mut self, preds: &[PredId]) -> PredSetId {
        if let Some(&known) = self.set_numbers.get(preds) {
            return known;
        }
        let set = PredSetId(u32::try_from(self.sets.len()).expect("fewer than 2^32 predicate sets"));
        self.sets.push(preds.to_vec());
        self.set_numbers.insert(preds.to_vec(), set);
        set
    }

    /// All entries, by scope and then in order of discovery.
    pub fn iter(&self) -> impl Iterator<Item = (PredicateScope, PredId)> + '_ {
        self.scopes
            .iter()
            .flat_map(|(&scope, preds)| preds.iter().map(move |&p| (scope, p)))
    }
}

/// A position as a part of a precision.
fn number(n: usize) -> u64 {
    u64::try_from(n).expect("positions have 64 bits")
}
