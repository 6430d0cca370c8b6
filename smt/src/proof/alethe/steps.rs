//! The steps of a proof text, and the search for resolutions.
//!
//! Clauses are lists of literals without pairs of negations. Where a rule yields a double negation, a resolution with `not_not` removes it at once.
//!
//! [`Steps::derive`] finds the resolution by which a few clauses yield another one: unit propagation from the clause's negation, and
//! case splits where that is not enough. The clauses are definitions of connectives and the like, so that splits are few.

use super::Unsupported;
use super::ast::{Ast, Literal, NodeId, Op};
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;

/// The number of a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct StepId(pub u32);

/// A step of the proof text.
pub(super) struct TextStep {
    pub rule: &'static str,
    /// The clause as it is written.
    pub terms: Vec<NodeId>,
    /// The clause as it is used.
    pub clause: Vec<Literal>,
    pub premises: Vec<StepId>,
    pub args: Vec<Int>,
}

/// The steps so far, with the terms.
pub(super) struct Steps {
    pub ast: Ast,
    pub list: Vec<TextStep>,
    known: FxHashMap<(&'static str, Vec<NodeId>), StepId>,
}

/// Case splits in the search for one resolution before giving up.
const SPLITS: usize = 1_000;

impl Steps {
    /// No steps yet.
    pub fn new(ast: Ast) -> Self {
        Steps {
            ast,
            list: Vec::new(),
            known: FxHashMap::default(),
        }
    }

    pub fn clause(&self, id: StepId) -> &[Literal] {
        &self.list[id.0 as usize].clause
    }

    fn push(&mut self, rule: &'static str, terms: Vec<NodeId>, premises: Vec<StepId>, args: Vec<Int>) -> StepId {
        let mut clause: Vec<Literal> = Vec::with_capacity(terms.len());
        for &term in &terms {
            clause.push(self.ast.literal(term));
        }
        let id = StepId(u32::try_from(self.list.len()).expect("fewer than 2^32 steps"));
        self.list.push(TextStep {
            rule,
            terms,
            clause,
            premises,
            args,
        });
        id
    }

    /// A step without premises. The same step is made once.
    pub fn axiom(&mut self, rule: &'static str, terms: Vec<NodeId>, args: Vec<Int>) -> StepId {
        // The argument of `and_pos` and `or_neg` is determined by the clause, and factors by the literals.
        let key = (rule, terms);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let raw = self.push(rule, key.1.clone(), Vec::new(), args);
        let id = self.without_double_negations(raw);
        self.known.insert(key, id);
        id
    }

    /// A step with premises.
    pub fn step(&mut self, rule: &'static str, terms: Vec<NodeId>, premises: Vec<StepId>) -> StepId {
        let raw = self.push(rule, terms, premises, Vec::new());
        self.without_double_negations(raw)
    }

    fn without_double_negations(&mut self, raw: StepId) -> StepId {
        let mut premises = vec![raw];
        let mut terms = self.list[raw.0 as usize].terms.clone();
        terms.sort_unstable();
        terms.dedup();
        for mut term in terms {
            while let Some(inner) = self.twice_negated(term) {
                let negated = self.ast.formula(Op::Not, &[term]);
                premises.push(self.push("not_not", vec![negated, inner], Vec::new(), Vec::new()));
                term = inner;
            }
        }
        if premises.len() == 1 {
            return raw;
        }
        let literals = self.list[raw.0 as usize].clause.clone();
        self.resolution(&literals, premises)
    }

    fn twice_negated(&self, term: NodeId) -> Option<NodeId> {
        let inner = |id: NodeId| match (&self.ast.get(id).op, &*self.ast.get(id).args) {
            (Op::Not, &[inner]) => Some(inner),
            _ => None,
        };
        inner(inner(term)?)
    }

    /// A resolution whose result is known to be this clause.
    pub fn resolution(&mut self, clause: &[Literal], premises: Vec<StepId>) -> StepId {
        if let [only] = premises[..] {
            return only;
        }
        let mut terms: Vec<NodeId> = Vec::with_capacity(clause.len());
        for &literal in clause {
            let term = self.ast.of_literal(literal);
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        self.push("resolution", terms, premises, Vec::new())
    }

    /// The valid clause of linear arithmetic, if it is one that [`super::linear::factors`] can show.
    pub fn arithmetic(&mut self, clause: &[Literal]) -> Option<StepId> {
        let factors = super::linear::factors(&self.ast, clause)?;
        // Literals that are not needed stay out: the clause without them is valid as well.
        let (mut terms, mut used) = (Vec::new(), Vec::new());
        for (&literal, factor) in clause.iter().zip(factors) {
            if !factor.is_zero() {
                terms.push(self.ast.of_literal(literal));
                used.push(factor);
            }
        }
        Some(self.axiom("la_generic", terms, used))
    }

    /// A clause that is part of `target`, by resolution from the premises.
    pub fn derive(&mut self, premises: &[StepId], target: &[Literal]) -> Result<StepId, Unsupported> {
        let mut search = Resolver::default();
        for &premise in premises {
            let clause = self.clause(premise).to_vec();
            search.add(premise, clause);
        }
        for &literal in target {
            if search.value(literal) == Some(true) {
                return Err(Unsupported::new("internal: a clause with complementary literals"));
            }
            if search.value(literal).is_none() {
                search.assign(!literal, None);
            }
        }
        let mut splits = 0;
        search
            .run(self, &mut splits)
            .map(|at| search.clauses[at].0)
            .ok_or_else(|| Unsupported::new("internal: no resolution was found"))
    }
}

/// The search of [`Steps::derive`].
#[derive(Default)]
struct Resolver {
    clauses: Vec<(StepId, Vec<Literal>)>,
    occurrences: FxHashMap<Literal, Vec<usize>>,
    values: FxHashMap<NodeId, bool>,
    /// Literals made true, in order, with the clause that implied them.
    trail: Vec<(Literal, Option<usize>)>,
    /// How much of the trail was propagated.
    head: usize,
    /// Clauses that have not been looked at by themselves.
    fresh: usize,
}

impl Resolver {
    fn add(&mut self, step: StepId, clause: Vec<Literal>) -> usize {
        let at = self.clauses.len();
        for &literal in &clause {
            self.occurrences.entry(literal).or_default().push(at);
        }
        self.clauses.push((step, clause));
        at
    }

    fn value(&self, literal: Literal) -> Option<bool> {
        self.values.get(&literal.node).map(|value| *value != literal.negative)
    }

    fn assign(&mut self, literal: Literal, reason: Option<usize>) {
        self.values.insert(literal.node, !literal.negative);
        self.trail.push((literal, reason));
    }

    /// A clause that is false, after unit propagation.
    fn propagate(&mut self) -> Option<usize> {
        loop {
            while self.fresh < self.clauses.len() {
                self.fresh += 1;
                if let Err(conflict) = self.look_at(self.fresh - 1) {
                    return Some(conflict);
                }
            }
            let &(literal, _) = self.trail.get(self.head)?;
            self.head += 1;
            for at in self.occurrences.get(&!literal).cloned().unwrap_or_default() {
                if let Err(conflict) = self.look_at(at) {
                    return Some(conflict);
                }
            }
        }
    }

    fn look_at(&mut self, at: usize) -> Result<(), usize> {
        let mut open = None;
        for &literal in &self.clauses[at].1 {
            match self.value(literal) {
                Some(true) => return Ok(()),
                Some(false) => {}
                None if open.is_some_and(|other| other != literal) => return Ok(()),
                None => open = Some(literal),
            }
        }
        let literal = open.ok_or(at)?;
        self.assign(literal, Some(at));
        Ok(())
    }

    /// A clause over the negations of what was assumed. None if there is none.
    fn run(&mut self, steps: &mut Steps, splits: &mut usize) -> Option<usize> {
        loop {
            if let Some(conflict) = self.propagate() {
                return Some(self.explain(steps, conflict));
            }
            *splits += 1;
            let open = |literal: &&Literal| self.value(**literal).is_none();
            let unsatisfied = self
                .clauses
                .iter()
                .filter(|(_, clause)| clause.iter().all(|&l| self.value(l) != Some(true)));
            let decision = *unsatisfied.flat_map(|(_, clause)| clause).find(open)?;
            if *splits > SPLITS {
                return None;
            }
            let (length, head) = (self.trail.len(), self.head);
            self.assign(decision, None);
            let found = self.run(steps, splits)?;
            for (literal, _) in self.trail.drain(length..) {
                self.values.remove(&literal.node);
            }
            self.head = head;
            if !self.clauses[found].1.contains(&!decision) {
                return Some(found);
            }
            // The other case follows from what was found.
            self.fresh = self.fresh.min(found);
        }
    }

    /// Resolves a false clause with the reasons of its literals.
    fn explain(&mut self, steps: &mut Steps, conflict: usize) -> usize {
        let mut open: FxHashSet<Literal> = self.clauses[conflict].1.iter().copied().collect();
        let mut premises = vec![self.clauses[conflict].0];
        for &(literal, reason) in self.trail.iter().rev() {
            let (Some(reason), true) = (reason, open.contains(&!literal)) else {
                continue;
            };
            open.remove(&!literal);
            open.extend(self.clauses[reason].1.iter().filter(|&&l| l != literal));
            premises.push(self.clauses[reason].0);
        }
        if premises.len() == 1 {
            return conflict;
        }
        let mut clause: Vec<Literal> = open.into_iter().collect();
        clause.sort_unstable();
        let step = steps.resolution(&clause, premises);
        self.add(step, clause)
    }
}
