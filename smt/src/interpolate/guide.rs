//! Certificates from the proof that was interpolated.
//!
//! A certificate of an interpolant between two parts needs refutations of `A & !I` and of `I & B`. A solver that knows nothing else may take much longer for them than for `A & B`, since `I` is one more large formula. But each
//! clause `C` of the interpolated proof with its partial interpolant `I_C` says a lemma on either side, `A => I_C | C|a` and `B & I_C => C|b` (see [`walk`](super::walk)), and each lemma follows from those of
//! the clause's antecedents. So the refutation is written down step by step:
//!
//! - The lemma of a chain of resolutions follows from those of its antecedents and the definitions of the connectives of the partial interpolants, by unit propagation, which is written as a resolution chain; at once, or [run by run](runs).
//! - So does that of a clause of a part or of a definition, from the clause itself.
//! - Where that is not enough, as for the leaves of theories, a small solver finds a proof of the lemma.
//! - The last lemma is the interpolant as it was read off. If it was simplified then, a solver compares the two.
//!
//! As long as propagation is enough, the cost is linear in the proof. Nothing is taken on trust: this is one more way to find a proof, which the proof checker checks as any other. Where a lemma does not follow as described, the search takes over.

use super::StrengthLimits;
use super::walk::Label;
use crate::hash::{FxHashMap, FxHashSet};
use crate::proof::{ClauseId, Lit, Part, Proof, Step, Var};
use crate::solver::Answer;
use crate::term::{Term, TermId, TermPool};
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Proofs with fewer steps need no guide: their certificates are found fast.
pub(super) const MIN_STEPS: usize = 10_000;

/// Interpolants of proofs with at least as many steps are not simplified: the certificate of what was read off follows the proof, and to compare two large formulas may take longer than the proof.
pub(super) const LONG: usize = 100_000;

/// How far the connectives of a partial interpolant are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// Those that are not parts of the antecedents' partial interpolants.
    New,
    /// The outer ones.
    Near,
}

/// The most connectives that are looked at.
const MOST_NODES: usize = 2_000;

/// The effort of the search for one lemma, in ticks.
const MAX_TICKS: u64 = 1_000_000;

/// A proof that was interpolated, with all that the walk over it found out, for a certificate of the interpolant between its two parts.
#[derive(Clone, Debug)]
pub struct Guide {
    pub(super) proof: Arc<Proof>,
    /// The partial interpolants of the clauses.
    pub(super) partial: Vec<TermId>,
    /// The labels of the variables.
    pub(super) labels: Vec<Label>,
}

/// The side of a cut.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    A,
    B,
}

/// A formula as a literal, or a constant.
enum Value {
    Constant(bool),
    Literal(Lit),
}

/// The clause from which a literal follows.
#[derive(Clone, Copy)]
enum Reason {
    /// None: the clause to be derived says its negation.
    Assumed,
    /// An earlier clause.
    Clause(ClauseId),
    /// The definition of a connective: of its relation to one argument, or to all.
    Definition(Var, Option<Lit>),
}

/// The refutation of one side with the interpolant, under construction.
struct Replay<'a> {
    pool: &'a mut TermPool,
    guide: &'a Guide,
    limits: &'a StrengthLimits,
    side: Side,
    proof: Proof,
    variables: FxHashMap<TermId, Var>,
    definitions: FxHashMap<(Var, Option<Lit>), ClauseId>,
    /// For each clause of the guide's proof its lemma; none if that is trivial.
    lemmas: Vec<Option<ClauseId>>,
    /// Propagation: the literals that hold, in order, and why.
    trail: Vec<Lit>,
    values: Vec<Option<bool>>,
    reasons: Vec<Reason>,
}

/// The refutation of a side with what the interpolant says there, which is `end`; none if the proof cannot be replayed.
pub(super) fn replay(
    pool: &mut TermPool,
    guide: &Guide,
    side: Side,
    end: TermId,
    limits: &StrengthLimits,
) -> Option<Proof> {
    let mut replay = Replay::new(pool, guide, side, limits);
    let interrupt = limits.interrupt.as_ref();
    for index in 0..guide.proof.len() {
        if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            return None;
        }
        let lemma = replay.lemma(ClauseId(
            u32::try_from(index).expect("clauses are numbered with 32 bits"),
        ))?;
        replay.lemmas.push(lemma);
    }
    replay.end(end)
}

impl<'a> Replay<'a> {
    fn new(pool: &'a mut TermPool, guide: &'a Guide, side: Side, limits: &'a StrengthLimits) -> Self {
        let mut variables = FxHashMap::default();
        for (number, &atom) in (0..).zip(&guide.proof.atoms) {
            variables.entry(atom).or_insert(Var(number));
        }
        let count = guide.proof.atoms.len();
        Replay {
            pool,
            guide,
            limits,
            side,
            proof: Proof::new(guide.proof.atoms.clone()),
            variables,
            definitions: FxHashMap::default(),
            lemmas: Vec::with_capacity(guide.proof.len()),
            trail: Vec::new(),
            values: vec![None; count],
            reasons: vec![Reason::Assumed; count],
        }
    }

    /// The lemma of a clause; the outer option is empty if it does not follow as expected.
    fn lemma(&mut self, id: ClauseId) -> Option<Option<ClauseId>> {
        let guide = self.guide;
        let (clause, partial) = (guide.proof.clause(id), guide.partial[id.index()]);
        let mut target: Vec<Lit> = clause.iter().copied().filter(|lit| self.belongs(lit.var())).collect();
        match self.own(partial) {
            Value::Constant(true) => return Some(None),
            Value::Constant(false) => {}
            Value::Literal(lit) => target.push(lit),
        }
        if target.iter().any(|&lit| target.contains(&!lit)) {
            return Some(None);
        }
        let step = &guide.proof.steps[id.index()];
        let (mut antecedents, mut parts) = (Vec::new(), Vec::new());
        match step {
            Step::Chain { antecedents: ids, .. } => {
                antecedents.extend(ids.iter().filter_map(|id| self.lemmas[id.index()]));
                parts.extend(ids.iter().map(|id| guide.partial[id.index()]));
            }
            Step::Input { part, formula } if (part.0 == 0) == (self.side == Side::A) => {
                let step = Step::Input {
                    part: Part(0),
                    formula: *formula,
                };
                antecedents.push(self.proof.push(clause, step));
            }
            Step::Input { .. } => {}
            Step::Define { of, .. } => {
                antecedents.push(self.proof.push(clause, Step::Define { part: Part(0), of: *of }))
            }
            Step::Lemma { kind, .. } => {
                let step = Step::Lemma {
                    part: Part(0),
                    kind: *kind,
                };
                antecedents.push(self.proof.push(clause, step));
            }
            Step::Farkas { .. } => antecedents.push(self.proof.push(clause, step.clone())),
        }
        let nodes = self.nodes(partial, &parts, Reach::New);
        if let Some(lemma) = self.derive(&target, &antecedents, &nodes) {
            return Some(Some(lemma));
        }
        if let Step::Chain {
            antecedents: ids,
            pivots,
        } = step
            && let Some((lemma, other)) = self.by_runs(ids, pivots)
        {
            parts.push(other);
            let nodes = self.nodes(partial, &parts, Reach::Near);
            if let Some(lemma) = self.derive(&target, &[lemma], &nodes) {
                return Some(Some(lemma));
            }
        }
        self.search(&target, &antecedents).map(Some)
    }

    /// Ends the refutation: the interpolant as it was read off contradicts `end`.
    fn end(mut self, end: TermId) -> Option<Proof> {
        let last = self.guide.proof.empty;
        let lemma = self.lemmas[last.index()]?;
        if self.proof.clause(lemma).is_empty() {
            self.proof.empty = lemma;
            return Some(self.proof.trimmed());
        }
        let raw = self.guide.partial[last.index()];
        let raw = match self.side {
            Side::A => raw,
            Side::B => self.pool.not(raw),
        };
        if end == self.pool.not(raw) {
            let input = Step::Input {
                part: Part(0),
                formula: end,
            };
            let negated: Vec<Lit> = self.proof.clause(lemma).iter().map(|&lit| !lit).collect();
            let input = self.proof.push(&negated, input);
            return Some(self.finish(lemma, input));
        }
        let mut solver = self.limits.prover();
        solver.assert(self.pool, end, Part(0));
        if solver.check(self.pool, &[raw]) != Answer::Unsat {
            return None;
        }
        let found = self.splice(&solver.core_proof()?);
        match self.proof.clause(found).len() {
            0 => {
                self.proof.empty = found;
                Some(self.proof.trimmed())
            }
            1 => Some(self.finish(lemma, found)),
            _ => None,
        }
    }

    /// Ends the refutation with two unit clauses that contradict each other.
    fn finish(mut self, one: ClauseId, other: ClauseId) -> Proof {
        let pivot = self.proof.clause(one)[0].var();
        let step = Step::Chain {
            antecedents: [one, other].into(),
            pivots: [pivot].into(),
        };
        self.proof.empty = self.proof.push(&[], step);
        self.proof.trimmed()
    }

    /// Whether the literals of a variable of the guide's proof belong to the side.
    fn belongs(&self, var: Var) -> bool {
        match self.guide.labels[var.index()] {
            Label::A => self.side == Side::A,
            Label::B => self.side == Side::B,
            Label::Both => true,
            Label::Mixed => false,
        }
    }

    /// A partial interpolant as it stands in a lemma of the side.
    fn own(&mut self, partial: TermId) -> Value {
        match (self.value(partial), self.side) {
            (value, Side::A) => value,
            (Value::Constant(value), Side::B) => Value::Constant(!value),
            (Value::Literal(lit), Side::B) => Value::Literal(!lit),
        }
    }

    fn value(&mut self, mut formula: TermId) -> Value {
        let mut positive = true;
        while let Term::Not(inner) = self.pool.term(formula) {
            (formula, positive) = (*inner, !positive);
        }
        match self.pool.term(formula) {
            Term::True => Value::Constant(positive),
            Term::False => Value::Constant(!positive),
            _ => {
                let fresh = Var(u32::try_from(self.proof.atoms.len()).expect("variables are numbered with 32 bits"));
                let var = *self.variables.entry(formula).or_insert(fresh);
                if var == fresh {
                    self.proof.atoms.push(formula);
                    self.values.push(None);
                    self.reasons.push(Reason::Assumed);
                }
                Value::Literal(var.literal(positive))
            }
        }
    }

    /// The formula of a conjunction or disjunction under negations, if it is one.
    fn connective(&self, mut formula: TermId) -> Option<TermId> {
        while let Term::Not(inner) = self.pool.term(formula) {
            formula = *inner;
        }
        matches!(self.pool.term(formula), Term::And(_) | Term::Or(_)).then_some(formula)
    }

    /// The connectives through which a partial interpolant hangs together with those of the antecedents, from the outside to the inside.
    fn nodes(&self, partial: TermId, parts: &[TermId], reach: Reach) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut nodes: Vec<TermId> = parts.iter().filter_map(|&part| self.connective(part)).collect();
        nodes.retain(|&node| seen.insert(node));
        let mut known = seen.clone();
        for &node in &nodes {
            known.extend(
                self.arguments(node)
                    .iter()
                    .filter_map(|&argument| self.connective(argument)),
            );
        }
        let mut open: VecDeque<TermId> = self.connective(partial).into_iter().collect();
        while let Some(node) = open.pop_front() {
            if nodes.len() == MOST_NODES {
                break;
            }
            if !seen.insert(node) {
                continue;
            }
            nodes.push(node);
            let inside = self
                .arguments(node)
                .iter()
                .filter_map(|&argument| self.connective(argument));
            open.extend(inside.filter(|argument| reach != Reach::New || !known.contains(argument)));
        }
        nodes
    }

    fn arguments(&self, node: TermId) -> &[TermId] {
        match self.pool.term(node) {
            Term::And(arguments) | Term::Or(arguments) => arguments,
            _ => &[],
        }
    }

    /// Derives a clause, or a part of it, by propagation of its negation through these clauses and connectives.
    fn derive(&mut self, target: &[Lit], clauses: &[ClauseId], nodes: &[TermId]) -> Option<ClauseId> {
        let definitions: Vec<(Lit, Vec<Lit>)> = nodes.iter().filter_map(|&node| self.definition(node)).collect();
        for &lit in target {
            if self.values[lit.var().index()].is_none() {
                self.assign(!lit, Reason::Assumed);
            }
        }
        let conflict = self.propagate(clauses, &definitions);
        let derived = conflict.map(|conflict| self.analyze(conflict, &definitions));
        for lit in self.trail.drain(..) {
            self.values[lit.var().index()] = None;
        }
        derived
    }

    /// A connective as a disjunction: the literal that is equivalent to the disjunction of the others.
    fn definition(&mut self, node: TermId) -> Option<(Lit, Vec<Lit>)> {
        let is_and = matches!(self.pool.term(node), Term::And(_));
        let mut literals = Vec::new();
        for argument in self.arguments(node).to_vec() {
            match self.value(argument) {
                Value::Literal(lit) => literals.push(if is_and { !lit } else { lit }),
                Value::Constant(_) => return None,
            }
        }
        match self.value(node) {
            Value::Literal(lit) => Some((if is_and { !lit } else { lit }, literals)),
            Value::Constant(_) => None,
        }
    }

    fn assign(&mut self, lit: Lit, reason: Reason) {
        self.values[lit.var().index()] = Some(!lit.is_negative());
        self.reasons[lit.var().index()] = reason;
        self.trail.push(lit);
    }

    fn holds(&self, lit: Lit) -> Option<bool> {
        self.values[lit.var().index()].map(|value| value != lit.is_negative())
    }

    /// Propagates to the first conflict; later clauses first, as a chain is undone from its end.
    fn propagate(&mut self, clauses: &[ClauseId], definitions: &[(Lit, Vec<Lit>)]) -> Option<Reason> {
        loop {
            let before = self.trail.len();
            for &clause in clauses.iter().rev() {
                match self.last_open(self.proof.clause(clause)) {
                    Some(Some(lit)) => self.assign(lit, Reason::Clause(clause)),
                    Some(None) => return Some(Reason::Clause(clause)),
                    None => {}
                }
            }
            for (whole, arguments) in definitions {
                let whole = *whole;
                match self.holds(whole) {
                    Some(false) => {
                        for &argument in arguments {
                            let reason = Reason::Definition(whole.var(), Some(argument));
                            match self.holds(argument) {
                                Some(true) => return Some(reason),
                                Some(false) => {}
                                None => self.assign(!argument, reason),
                            }
                        }
                    }
                    Some(true) => match self.last_open(arguments) {
                        Some(Some(argument)) => self.assign(argument, Reason::Definition(whole.var(), None)),
                        Some(None) => return Some(Reason::Definition(whole.var(), None)),
                        None => {}
                    },
                    None => {
                        if let Some(&argument) = arguments.iter().find(|&&lit| self.holds(lit) == Some(true)) {
                            self.assign(whole, Reason::Definition(whole.var(), Some(argument)));
                        } else if arguments.iter().all(|&lit| self.holds(lit) == Some(false)) {
                            self.assign(!whole, Reason::Definition(whole.var(), None));
                        }
                    }
                }
            }
            if self.trail.len() == before {
                return None;
            }
        }
    }

    /// The only literal of a clause that is not false, if it is open; `Some(None)` if all are false.
    fn last_open(&self, clause: &[Lit]) -> Option<Option<Lit>> {
        let mut open = None;
        for &lit in clause {
            match self.holds(lit) {
                Some(true) => return None,
                Some(false) => {}
                None if open.is_some() => return None,
                None => open = Some(lit),
            }
        }
        Some(open)
    }

    /// The number of the clause of a reason.
    fn clause_of(&mut self, reason: Reason, definitions: &[(Lit, Vec<Lit>)]) -> ClauseId {
        let (var, argument) = match reason {
            Reason::Clause(clause) => return clause,
            Reason::Definition(var, argument) => (var, argument),
            Reason::Assumed => unreachable!("an assumption has no clause"),
        };
        if let Some(&known) = self.definitions.get(&(var, argument)) {
            return known;
        }
        let (whole, arguments) = definitions
            .iter()
            .find(|definition| definition.0.var() == var)
            .expect("reasons are definitions at hand");
        let literals: Vec<Lit> = match argument {
            Some(argument) => vec![*whole, !argument],
            None => arguments.iter().copied().chain([!*whole]).collect(),
        };
        let step = Step::Define { part: Part(0), of: var };
        let clause = self.proof.push(&literals, step);
        self.definitions.insert((var, argument), clause);
        clause
    }

    /// The resolution of a conflict to assumptions.
    fn analyze(&mut self, conflict: Reason, definitions: &[(Lit, Vec<Lit>)]) -> ClauseId {
        let first = self.clause_of(conflict, definitions);
        let (mut antecedents, mut pivots) = (vec![first], Vec::new());
        let mut seen: FxHashSet<Var> = self.proof.clause(first).iter().map(|lit| lit.var()).collect();
        let mut literals = Vec::new();
        for at in (0..self.trail.len()).rev() {
            let lit = self.trail[at];
            if !seen.contains(&lit.var()) {
                continue;
            }
            match self.reasons[lit.var().index()] {
                Reason::Assumed => literals.push(!lit),
                reason => {
                    let clause = self.clause_of(reason, definitions);
                    seen.extend(self.proof.clause(clause).iter().map(|lit| lit.var()));
                    antecedents.push(clause);
                    pivots.push(lit.var());
                }
            }
        }
        if pivots.is_empty() {
            return first;
        }
        let step = Step::Chain {
            antecedents: antecedents.into(),
            pivots: pivots.into(),
        };
        self.proof.push(&literals, step)
    }

    /// Proves that a clause follows from these in the theories.
    fn search(&mut self, target: &[Lit], clauses: &[ClauseId]) -> Option<ClauseId> {
        let mut assumed = Vec::with_capacity(target.len() + clauses.len());
        let mut units = Vec::with_capacity(clauses.len() + 1);
        for &clause in clauses {
            let literals: Vec<Lit> = self.proof.clause(clause).to_vec();
            let formulas: Vec<TermId> = literals.into_iter().map(|lit| self.formula(lit)).collect();
            let whole = self.pool.or(&formulas);
            if let Value::Literal(lit) = self.value(whole) {
                let nodes = self.nodes(whole, &formulas, Reach::New);
                units.push(self.derive(&[lit], &[clause], &nodes)?);
                assumed.push(whole);
            }
        }
        for &lit in target {
            assumed.push(self.formula(!lit));
        }
        let limits = StrengthLimits {
            ticks: Some(MAX_TICKS),
            interrupt: self.limits.interrupt.clone(),
        };
        let mut solver = limits.prover();
        if solver.check(self.pool, &assumed) != Answer::Unsat {
            return None;
        }
        let found = self.splice(&solver.core_proof()?);
        units.push(found);
        self.derive(target, &units, &[])
    }

    /// A literal of the proof as a formula.
    fn formula(&mut self, lit: Lit) -> TermId {
        let atom = self.proof.atoms[lit.var().index()];
        if lit.is_negative() { self.pool.not(atom) } else { atom }
    }

    /// Appends another proof; the number of its last clause.
    fn splice(&mut self, other: &Proof) -> ClauseId {
        let mut renamed: Vec<ClauseId> = Vec::with_capacity(other.len());
        let mut literals = Vec::new();
        for (index, step) in (0..).zip(&other.steps) {
            literals.clear();
            for lit in other.clause(ClauseId(index)) {
                let var = self.variable(other.atoms[lit.var().index()]);
                literals.push(var.literal(!lit.is_negative()));
            }
            let step = match step {
                Step::Chain { antecedents, pivots } => Step::Chain {
                    antecedents: antecedents.iter().map(|id| renamed[id.index()]).collect(),
                    pivots: pivots
                        .iter()
                        .map(|pivot| self.variable(other.atoms[pivot.index()]))
                        .collect(),
                },
                Step::Define { of, .. } => Step::Define {
                    part: Part(0),
                    of: self.variable(other.atoms[of.index()]),
                },
                other => other.clone(),
            };
            renamed.push(self.proof.push(&literals, step));
        }
        renamed[other.empty.index()]
    }

    /// The variable of an atom or defined formula, which is no negation.
    fn variable(&mut self, atom: TermId) -> Var {
        match self.value(atom) {
            Value::Literal(lit) => lit.var(),
            Value::Constant(_) => unreachable!("constants have no variables"),
        }
    }
}

mod runs;

#[cfg(test)]
mod tests;
