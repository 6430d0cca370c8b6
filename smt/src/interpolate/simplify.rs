//! Equivalence-preserving simplification of interpolants.
//!
//! A partial interpolant collects the same inequalities again and again along the proof, and its conjunctions mention bounds that
//! others imply. Predicates should be few, so for each conjunction (and, by duality, each disjunction), from the inside out:
//!
//! * the bounds of one linear form are merged: only the strongest lower and upper one stay, they become an equation if they
//!   meet (`t <= 0 & -t <= 0` is `t = 0`), and false if they cross;
//! * a clause with a literal that the other conjuncts imply is dropped, and a literal that they contradict is dropped from its clause;
//! * a clause with a part of it among the conjuncts is absorbed.
//!
//! The pass over a formula's DAG is iterative and visits each shared formula once.

use crate::fault::planted;
use crate::hash::{FxHashMap, FxHashSet};
use crate::num::Int;
use crate::term::{Term, TermId, TermPool};

/// Absorption compares pairs of clauses; beyond this many it would cost more than it brings.
const MAX_ABSORBED: usize = 64;

/// The most times that a conjunction is gone through again because it changed.
const MAX_ROUNDS: usize = 4;

/// An equivalent formula over a subset of the atoms' linear forms, usually smaller.
pub fn simplify(pool: &mut TermPool, formula: TermId) -> TermId {
    let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut open = vec![formula];
    while let Some(&term) = open.last() {
        if done.contains_key(&term) {
            open.pop();
            continue;
        }
        let before = open.len();
        if is_connective(pool, term) {
            pool.term(term).for_each_child(|child| {
                if !done.contains_key(&child) {
                    open.push(child);
                }
            });
        }
        if open.len() == before {
            let result = rebuild(pool, term, &done);
            done.insert(term, result);
            open.pop();
        }
    }
    done[&formula]
}

fn is_connective(pool: &TermPool, term: TermId) -> bool {
    matches!(
        pool.term(term),
        Term::Not(_) | Term::And(_) | Term::Or(_) | Term::Iff(..) | Term::IteBool(..)
    )
}

fn rebuild(pool: &mut TermPool, term: TermId, done: &FxHashMap<TermId, TermId>) -> TermId {
    match pool.term(term).clone() {
        Term::Not(a) => negate(pool, done[&a]),
        Term::And(arguments) => {
            let arguments: Vec<TermId> = arguments.iter().map(|a| done[a]).collect();
            conjunction(pool, &arguments)
        }
        Term::Or(arguments) => {
            let negated: Vec<TermId> = arguments.iter().map(|a| negate(pool, done[a])).collect();
            let result = conjunction(pool, &negated);
            negate(pool, result)
        }
        Term::Iff(a, b) => pool.iff(done[&a], done[&b]),
        Term::IteBool(c, t, e) => pool.ite(done[&c], done[&t], done[&e]),
        _ => term,
    }
}

/// The negation, moved inside one level of conjunction or disjunction.
fn negate(pool: &mut TermPool, term: TermId) -> TermId {
    match pool.term(term).clone() {
        Term::And(arguments) => {
            let negated: Vec<TermId> = arguments.iter().map(|&a| pool.not(a)).collect();
            pool.or(&negated)
        }
        Term::Or(arguments) => {
            let negated: Vec<TermId> = arguments.iter().map(|&a| pool.not(a)).collect();
            pool.and(&negated)
        }
        _ => pool.not(term),
    }
}

/// The disjuncts of a disjunction, also if it is written as a negated conjunction.
fn disjuncts(pool: &mut TermPool, term: TermId) -> Option<Vec<TermId>> {
    match pool.term(term).clone() {
        Term::Or(arguments) => Some(arguments.to_vec()),
        Term::Not(inner) => match pool.term(inner).clone() {
            Term::And(arguments) => Some(arguments.iter().map(|&a| pool.not(a)).collect()),
            _ => None,
        },
        _ => None,
    }
}

fn conjunction(pool: &mut TermPool, arguments: &[TermId]) -> TermId {
    let mut current = pool.and(arguments);
    for _ in 0..MAX_ROUNDS {
        let Term::And(arguments) = pool.term(current).clone() else {
            break;
        };
        let Some(facts) = Facts::new(pool, &arguments) else {
            return pool.mk_false();
        };
        let mut result = facts.merged(pool);
        if planted("simplified-away") {
            result.pop();
        }
        let mut clauses: Vec<Vec<TermId>> = Vec::new();
        for &argument in &arguments {
            if let Some(disjuncts) = disjuncts(pool, argument) {
                clauses.extend(facts.reduce(pool, disjuncts));
            } else if bound(pool, argument).is_none() {
                result.push(argument);
            }
        }
        absorb(&mut clauses);
        for clause in clauses {
            result.push(pool.or(&clause));
        }
        let next = pool.and(&result);
        if next == current {
            break;
        }
        current = next;
    }
    current
}

/// Drops each clause that contains another one.
fn absorb(clauses: &mut Vec<Vec<TermId>>) {
    if clauses.len() > MAX_ABSORBED {
        return;
    }
    clauses.sort_by_key(Vec::len);
    let mut kept: Vec<Vec<TermId>> = Vec::new();
    for clause in clauses.drain(..) {
        let known: FxHashSet<TermId> = clause.iter().copied().collect();
        if !kept
            .iter()
            .any(|smaller| smaller.iter().all(|literal| known.contains(literal)))
        {
            kept.push(clause);
        }
    }
    *clauses = kept;
}

/// A literal as bounds of a linear form without constant.
struct Bound {
    form: TermId,
    lower: Option<Int>,
    upper: Option<Int>,
}

/// The bounds that a literal says: inequalities, their negations, and equations.
fn bound(pool: &mut TermPool, literal: TermId) -> Option<Bound> {
    let (atom, positive) = match pool.term(literal) {
        Term::Not(atom) => (*atom, false),
        _ => (literal, true),
    };
    let (sum, is_equation) = match *pool.term(atom) {
        Term::Le(sum) => (sum, false),
        Term::Eq(sum) if positive => (sum, true),
        _ => return None,
    };
    if pool.is_real(sum) {
        // Bounds of reals may be strict or fractions; they stay as they are.
        return None;
    }
    let (form, limit) = split_constant(pool, sum);
    Some(match (is_equation, positive) {
        (true, _) => Bound {
            form,
            lower: Some(limit.clone()),
            upper: Some(limit),
        },
        (false, true) => Bound {
            form,
            lower: None,
            upper: Some(limit),
        },
        (false, false) => Bound {
            form,
            lower: Some(limit + Int::from(1)),
            upper: None,
        },
    })
}

/// `sum <= 0` as `form <= limit`, where the form has no constant.
fn split_constant(pool: &mut TermPool, sum: TermId) -> (TermId, Int) {
    let Term::Sum(monomials, constant) = pool.term(sum).clone() else {
        return (sum, Int::from(0));
    };
    (pool.linear(&monomials, Int::from(0)), -constant)
}

/// The literals among the arguments of a conjunction.
struct Facts {
    literals: FxHashSet<TermId>,
    /// Forms in the order of their first literal.
    forms: Vec<TermId>,
    bounds: FxHashMap<TermId, (Option<Int>, Option<Int>)>,
}

impl Facts {
    /// `None` if the bounds contradict each other.
    fn new(pool: &mut TermPool, arguments: &[TermId]) -> Option<Facts> {
        let mut facts = Facts {
            literals: arguments.iter().copied().collect(),
            forms: Vec::new(),
            bounds: FxHashMap::default(),
        };
        for &argument in arguments {
            let Some(bound) = bound(pool, argument) else { continue };
            if !facts.bounds.contains_key(&bound.form) {
                facts.forms.push(bound.form);
            }
            let known = facts.bounds.entry(bound.form).or_default();
            if let Some(lower) = bound.lower {
                known.0 = Some(known.0.take().map_or(lower.clone(), |old| old.max(lower)));
            }
            if let Some(upper) = bound.upper {
                known.1 = Some(known.1.take().map_or(upper.clone(), |old| old.min(upper)));
            }
            if let (Some(lower), Some(upper)) = &known
                && lower > upper
            {
                return None;
            }
        }
        Some(facts)
    }

    /// The merged bounds as literals.
    fn merged(&self, pool: &mut TermPool) -> Vec<TermId> {
        let mut result = Vec::new();
        for &form in &self.forms {
            let (lower, upper) = &self.bounds[&form];
            let lower = lower.as_ref().map(|value| pool.int(value.clone()));
            let upper = upper.as_ref().map(|value| pool.int(value.clone()));
            match (lower, upper) {
                (Some(lower), Some(upper)) if lower == upper => result.push(pool.eq(form, lower)),
                (lower, upper) => {
                    result.extend(lower.map(|value| pool.ge(form, value)));
                    result.extend(upper.map(|value| pool.le(form, value)));
                }
            }
        }
        result
    }

    /// The clause without the literals that the facts contradict; nothing if they imply one of them.
    fn reduce(&self, pool: &mut TermPool, clause: Vec<TermId>) -> Option<Vec<TermId>> {
        let mut rest = Vec::new();
        for literal in clause {
            match self.value(pool, literal) {
                Some(true) => return None,
                Some(false) => {}
                None => rest.push(literal),
            }
        }
        Some(rest)
    }

    fn value(&self, pool: &mut TermPool, literal: TermId) -> Option<bool> {
        if self.literals.contains(&literal) {
            return Some(true);
        }
        let negation = pool.not(literal);
        if self.literals.contains(&negation) {
            return Some(false);
        }
        // The negation of an equation says nothing as a bound; its value is that of the equation, reversed.
        let (literal, positive) = if bound(pool, literal).is_none() {
            (negation, false)
        } else {
            (literal, true)
        };
        let bound = bound(pool, literal)?;
        let (lower, upper) = self.bounds.get(&bound.form)?;
        let at_least = |low: &Option<Int>, limit: &Int| low.as_ref().is_some_and(|low| low >= limit);
        let at_most = |high: &Option<Int>, limit: &Int| high.as_ref().is_some_and(|high| high <= limit);
        let implied = bound.lower.as_ref().is_none_or(|limit| at_least(lower, limit))
            && bound.upper.as_ref().is_none_or(|limit| at_most(upper, limit));
        let refuted = bound
            .lower
            .as_ref()
            .is_some_and(|limit| upper.as_ref().is_some_and(|high| high < limit))
            || bound
                .upper
                .as_ref()
                .is_some_and(|limit| lower.as_ref().is_some_and(|low| low > limit));
        match (implied, refuted) {
            (true, _) => Some(positive),
            (_, true) => Some(!positive),
            _ => None,
        }
    }
}
