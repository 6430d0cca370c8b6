//! The decisions that the formulas still need (the justification heuristic of Barrett and Donham, *Combining SAT methods with non-clausal
//! decision heuristics*, PDPAR 2004).
//!
//! A formula that is assigned true needs, to be true in a model, only some of its parts: one of a disjunction, the chosen
//! branch of a conditional. A block formula is a disjunction of paths, and most of its atoms belong to paths that a model does not take.
//! Assigning these costs decisions, bounds and pivots, and brings conflicts that do not matter. So the roots (assertions,
//! assumptions, observed formulas, parts of lemma instances) are walked top-down, and variables that the walk does not reach are never decided. When nothing is left, each root is
//! true by the assigned values alone, whatever the rest is.
//!
//! The walk is incremental: a formula is *done* if its value is justified by the trail as it stands. Each entry of the log notes
//! the length of the trail that it rests on, and falls when the trail gets shorter. So each formula is visited about once for each time that
//! the trail passes it.
//!
//! Conditions inside integer terms count, too: the condition of a conditional term is needed by every atom with that term.

use super::Answer;
use super::Solver;
use super::sat::search::Value;
use super::theory::Follower;
use crate::hash::{FxHashMap, FxHashSet};
use crate::proof::{Lit, Var};
use crate::term::{Sort, Term, TermId, TermPool};
use std::sync::Arc;

/// A formula on the way from a root to an open part, or an integer term with conditions.
#[derive(Clone, Copy)]
struct Frame {
    /// The term; of a negation, what is negated.
    term: TermId,
    /// The literal of a formula that is no constant.
    literal: Option<Lit>,
    /// The number of parts that it needs and that are done.
    parts: usize,
}

/// Something that is done.
#[derive(Clone, Copy)]
enum Done {
    Formula(Var),
    Root(usize),
}

/// The state of the walk.
#[derive(Default)]
pub(super) struct Justification {
    /// Whether each variable's formula is justified.
    done: Vec<bool>,
    /// Formulas and roots that are done, with the length of the trail that it rests on.
    log: Vec<(Done, usize)>,
    /// The path from the next root down to where the walk stopped.
    stack: Vec<Frame>,
    /// The roots before this one are justified.
    next_root: usize,
    /// The trail's length when the walk last looked.
    seen: usize,
    /// For atoms and integer terms that were looked at: the conditions inside them, if they have some.
    conditions: FxHashMap<TermId, Option<Arc<[TermId]>>>,
    /// For each variable the atom that was found to have no conditions.
    plain: Vec<Option<TermId>>,
}

impl Justification {
    /// Forgets the roots behind the first `count`.
    pub fn drop_roots(&mut self, count: usize) {
        self.next_root = self.next_root.min(count);
        self.stack.clear();
    }

    /// Forgets what rests on more than the first `kept` literals of the trail.
    fn take_back(&mut self, kept: usize) {
        self.stack.clear();
        while let Some((done, _)) = self.log.pop_if(|(_, trail)| *trail > kept) {
            match done {
                Done::Formula(var) => self.done[var.index()] = false,
                Done::Root(at) => self.next_root = self.next_root.min(at),
            }
        }
    }
}

/// The next need of a frame.
enum Need {
    Nothing,
    /// A part, and the number of parts that are done with it.
    Part(TermId, usize),
    Decision(Lit),
}

impl Solver {
    /// A decision that the justification of the roots needs; none if all are justified.
    pub(super) fn unjustified(&mut self, pool: &TermPool) -> Option<Lit> {
        let trail = self.search.trail.len();
        let kept = std::mem::replace(&mut self.search.kept[Follower::Justification as usize], trail);
        self.justification.done.resize(self.formulas.terms.len(), false);
        if kept < std::mem::replace(&mut self.justification.seen, trail) {
            self.justification.take_back(kept);
        }
        loop {
            let Some(&frame) = self.justification.stack.last() else {
                let &term = self.live.roots.get(self.justification.next_root)?;
                let root = self.frame(pool, term);
                self.justification.stack.push(root);
                continue;
            };
            self.search.ticks += 1;
            match self.need(pool, frame) {
                Need::Decision(lit) => return Some(lit),
                Need::Part(term, parts) => {
                    let part = self.frame(pool, term);
                    let stack = &mut self.justification.stack;
                    stack.last_mut().expect("the frame").parts = parts;
                    stack.push(part);
                }
                Need::Nothing => self.finish(frame),
            }
        }
    }

    fn frame(&self, pool: &TermPool, term: TermId) -> Frame {
        let term = match pool.term(term) {
            Term::Not(positive) => *positive,
            _ => term,
        };
        let is_constant = matches!(pool.term(term), Term::True | Term::False);
        Frame {
            term,
            literal: (self.formulas.literals.get(&term).copied()).filter(|_| !is_constant),
            parts: 0,
        }
    }

    /// The number of formulas asserted now.
    pub fn assertions(&self) -> usize {
        self.assertions.asserted.len()
    }

    /// The formulas asserted now.
    pub(crate) fn asserted(&self) -> &[TermId] {
        &self.assertions.asserted
    }

    /// After `Sat`: atoms and propositional variables, with their values in the model, that make the first `count` asserted formulas true
    /// whatever the other atoms are. In order of the formulas.
    ///
    /// # Panics
    /// If the last check was not satisfiable.
    pub fn implicant(&self, pool: &TermPool, count: usize) -> Vec<(TermId, bool)> {
        assert!(self.last.answer == Some(Answer::Sat), "there is a model only after Sat");
        let mut found = Vec::new();
        let mut seen = vec![false; self.formulas.terms.len()];
        let mut stack: Vec<TermId> = Vec::new();
        for &formula in self.assertions.asserted[..count].iter().rev() {
            stack.extend(pool.conjuncts(formula).iter().rev());
        }
        while let Some(term) = stack.pop() {
            let term = match pool.term(term) {
                Term::True | Term::False => continue,
                Term::Not(positive) => *positive,
                _ => term,
            };
            let lit = self.formulas.literals[&term];
            if std::mem::replace(&mut seen[lit.var().index()], true) {
                continue;
            }
            let value = self.search.is_true(lit);
            match pool.term(term) {
                Term::And(parts) if value => stack.extend(parts.iter().rev()),
                Term::Or(parts) if !value => stack.extend(parts.iter().rev()),
                Term::And(parts) | Term::Or(parts) => {
                    let justifies = |part: TermId| {
                        let lit = self.known_literal(pool, part)?;
                        let lit = if value { lit } else { !lit };
                        let is_done = self.search.is_true(lit) && self.justification.done[lit.var().index()];
                        is_done.then_some(seen[lit.var().index()])
                    };
                    let known = parts.iter().find(|&&part| justifies(part) == Some(true));
                    let part = known.or_else(|| parts.iter().find(|&&part| justifies(part).is_some()));
                    stack.push(*part.expect("a justified formula has a justified part"));
                }
                Term::Iff(a, b) => stack.extend([b, a]),
                Term::IteBool(condition, yes, no) => {
                    let holds = self
                        .known_literal(pool, *condition)
                        .is_some_and(|c| self.search.is_true(c));
                    stack.extend([if holds { yes } else { no }, condition]);
                }
                _ => found.push((term, value)),
            }
        }
        found
    }

    /// The frame on top of the stack is done.
    fn finish(&mut self, frame: Frame) {
        let trail = self.search.trail.len();
        let walk = &mut self.justification;
        walk.stack.pop();
        if let Some(lit) = frame.literal
            && !std::mem::replace(&mut walk.done[lit.var().index()], true)
        {
            walk.log.push((Done::Formula(lit.var()), trail));
        }
        if walk.stack.is_empty() {
            walk.log.push((Done::Root(walk.next_root), trail));
            walk.next_root += 1;
        }
    }

    fn need(&mut self, pool: &TermPool, frame: Frame) -> Need {
        let Frame { term, literal, parts } = frame;
        let Some(lit) = literal else {
            return match pool.term(term) {
                Term::True | Term::False => Need::Nothing,
                _ => {
                    assert!(pool.sort(term) != Sort::Bool, "live formulas have literals");
                    self.next_condition(pool, term, parts)
                }
            };
        };
        let value = match self.search.value(lit) {
            Value::Open => return Need::Decision(self.with_phase(lit.var())),
            value => value == Value::True,
        };
        if self.justification.done[lit.var().index()] {
            return Need::Nothing;
        }
        let next = |part: TermId| Need::Part(part, parts + 1);
        match pool.term(term) {
            Term::And(all) if value => self.all_of(pool, all, parts),
            Term::Or(all) if !value => self.all_of(pool, all, parts),
            Term::And(_) | Term::Or(_) if parts > 0 => Need::Nothing,
            Term::And(all) | Term::Or(all) => self.one_of(pool, all, value),
            Term::Iff(a, b) => match parts {
                0 => next(*a),
                1 => next(*b),
                _ => Need::Nothing,
            },
            Term::IteBool(condition, yes, no) => match parts {
                0 => next(*condition),
                1 => {
                    let holds = self
                        .known_literal(pool, *condition)
                        .is_some_and(|c| self.search.is_true(c));
                    next(if holds { *yes } else { *no })
                }
                _ => Need::Nothing,
            },
            _ if self.justification.plain.get(lit.var().index()) == Some(&Some(term)) => Need::Nothing,
            _ => {
                let need = self.next_condition(pool, term, parts);
                if parts == 0 && matches!(need, Need::Nothing) {
                    let plain = &mut self.justification.plain;
                    plain.resize(self.formulas.terms.len(), None);
                    plain[lit.var().index()] = Some(term);
                }
                need
            }
        }
    }

    /// The next part that is not done, of parts that are all needed.
    fn all_of(&mut self, pool: &TermPool, parts: &[TermId], from: usize) -> Need {
        for (at, &part) in parts.iter().enumerate().skip(from) {
            let literal = self.known_literal(pool, part);
            let is_done =
                |lit: Lit| self.justification.done[lit.var().index()] && self.search.value(lit) != Value::Open;
            if !literal.is_some_and(is_done) {
                return Need::Part(part, at + 1);
            }
            // As many as a frame for it would take.
            self.search.ticks += 2;
        }
        Need::Nothing
    }

    /// One part with this value is needed: one that is done, else one that has the value, else an open one, the last chosen first.
    fn one_of(&self, pool: &TermPool, parts: &[TermId], value: bool) -> Need {
        let (mut having, mut open, mut chosen) = (None, None, None);
        for &part in parts {
            let lit = self
                .known_literal(pool, part)
                .expect("parts of live formulas have literals");
            let lit = if value { lit } else { !lit };
            match self.search.value(lit) {
                Value::True if self.justification.done[lit.var().index()] => return Need::Nothing,
                Value::True if having.is_none() => having = Some(part),
                Value::Open if having.is_none() && chosen.is_none() => {
                    open = open.or(Some(lit));
                    chosen = Some(lit).filter(|&lit| self.with_phase(lit.var()) == lit);
                }
                _ => {}
            }
        }
        match (having, chosen.or(open)) {
            (Some(part), _) => Need::Part(part, 1),
            (None, Some(lit)) => Need::Decision(lit),
            (None, None) => unreachable!("propagation would have found a conflict"),
        }
    }

    /// The conditions inside an atom's or an integer term, one after the other.
    fn next_condition(&mut self, pool: &TermPool, term: TermId, done: usize) -> Need {
        let conditions = self
            .justification
            .conditions
            .entry(term)
            .or_insert_with(|| conditions_in(pool, term));
        let next = conditions.as_ref().and_then(|list| list.get(done));
        next.map_or(Need::Nothing, |&part| Need::Part(part, done + 1))
    }
}

/// The conditions of conditional integer terms in a term, without those inside other conditions.
pub(super) fn conditions_in(pool: &TermPool, root: TermId) -> Option<Arc<[TermId]>> {
    let (mut conditions, mut stack) = (Vec::new(), vec![root]);
    let mut seen = FxHashSet::default();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        match pool.term(term) {
            Term::Ite(condition, yes, no) => {
                conditions.push(*condition);
                stack.extend([*no, *yes]);
            }
            other => other.for_each_child(|child| stack.push(child)),
        }
    }
    (!conditions.is_empty()).then(|| conditions.into())
}
