//! The independent checker of proofs.
//!
//! Definition of correctness: a proof is a sequence of clauses over literals, each literal naming a term or its negation. It is
//! correct if each clause follows, in integer and real arithmetic with functions and updates, from the asserted formulas and the
//! clauses before it, *by its own step alone*, and the last one that counts is empty. The checker decides each step from
//! the terms that the literals name; it shares no code with the search and trusts none of the solver's normal forms.
//!
//! | step | accepted iff |
//! |---|---|
//! | Input | the formula is asserted under that label, or a conjunct of one that is; the clause contains its literal |
//! | Define | no assignment to the sub-formula and its direct arguments, consistent with the definition, makes the clause false |
//! | Lemma | the negated literals imply the premises of the named axiom, and the axiom's instance then contradicts them |
//! | Farkas | the weighted sum of the negated literals is a positive constant, or zero if one of them is strict |
//! | Chain | resolving in the given order, on the given pivots, gives a subset of the clause |
//!
//! Premises and instances of axioms are compared in one dimension only: the literals that bound one and the same linear form
//! (up to a factor) bound its value; that is an interval of integers or reals without finitely many points. All lemmas
//! that the solver makes can be decided like that, and a lemma that cannot is rejected.
//!
//! | module | does |
//! |---|---|
//! | `line` | linear forms, and constraints that bound one form |
//! | `equality` | contradictions by equality and congruence alone |
//! | `pigeonhole` | more different integers than values |

use super::{ClauseId, LemmaKind, Lit, Part, Proof, Step};
use crate::hash::FxHashSet;
use crate::num::Int;
use crate::term::{Term, TermId, TermPool, UpdateSource};
use std::fmt;

mod equality;
mod line;
mod pigeonhole;

use line::{Constraint, Line, Relation, contradictory};

/// Why a step of a proof is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The formula of an input clause is not asserted with this label.
    NotAsserted,
    /// The clause does not contain the literal that the input formula is.
    InputLiteralMissing,
    /// The clause does not follow from the definition.
    NotADefinition,
    /// The clause is no instance of the axiom that the step names.
    NotALemma(&'static str),
    /// A Farkas step has a coefficient that is not positive, or not one for each literal.
    FarkasCoefficients,
    /// A Farkas step has a literal that is no inequality.
    FarkasLiteral(Lit),
    /// The sum of a Farkas step is not a positive constant.
    FarkasSum,
    /// A resolution step uses a clause that does not come before it.
    ForwardReference(ClauseId),
    /// A resolution step has not exactly one pivot between two antecedents.
    ChainShape,
    /// A pivot does not occur with opposite signs in the two clauses that are resolved; the position in the chain.
    Pivot(usize),
    /// The resolvent has a literal that the clause has not.
    Resolvent(Lit),
    /// A literal's variable has no term.
    UnknownVariable(Lit),
    /// The clause that should be empty is not, or is not there.
    NotEmpty,
}

/// The first step of a proof that is not correct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProofError {
    /// The step.
    pub step: ClauseId,
    /// The mistake in it.
    pub reason: Reason,
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {} of the proof: ", self.step.0)?;
        match &self.reason {
            Reason::NotAsserted => write!(f, "the input formula is not asserted in this part"),
            Reason::InputLiteralMissing => write!(f, "the clause does not contain the literal of the input formula"),
            Reason::NotADefinition => write!(f, "the clause does not follow from the definition"),
            Reason::NotALemma(kind) => write!(f, "the clause is no instance of the {kind} axiom"),
            Reason::FarkasCoefficients => write!(f, "there has to be one positive coefficient for each literal"),
            Reason::FarkasLiteral(lit) => write!(f, "literal {lit} is no inequality"),
            Reason::FarkasSum => write!(f, "the weighted sum is not a positive constant"),
            Reason::ForwardReference(id) => write!(f, "uses clause {}, which does not come before it", id.0),
            Reason::ChainShape => write!(f, "a chain has one antecedent more than pivots"),
            Reason::Pivot(at) => write!(f, "pivot {at} does not occur with opposite signs in what is resolved"),
            Reason::Resolvent(lit) => write!(f, "the resolvent has literal {lit}, the clause has not"),
            Reason::UnknownVariable(lit) => write!(f, "literal {lit} has no term"),
            Reason::NotEmpty => write!(f, "this clause should be the empty one"),
        }
    }
}

impl std::error::Error for ProofError {}

/// Checks that `proof` refutes the conjunction of the `asserted` formulas.
///
/// The pool is only extended by the terms of the axioms' instances. The cost is linear in the proof, except for
/// the arithmetic of Farkas steps, which sorts their terms.
pub fn check(pool: &mut TermPool, proof: &Proof, asserted: &[(Part, TermId)]) -> Result<(), ProofError> {
    let mut checker = Checker {
        inputs: conjuncts(pool, asserted),
        present: vec![false; 2 * proof.atoms.len()],
        resolvent: Vec::new(),
        pool,
        proof,
    };
    for index in 0..proof.len() {
        let id = ClauseId(u32::try_from(index).expect("clause numbers are 32 bits"));
        checker.step(id).map_err(|reason| ProofError { step: id, reason })?;
    }
    if proof.empty.index() >= proof.len() || !proof.clause(proof.empty).is_empty() {
        return Err(ProofError {
            step: proof.empty,
            reason: Reason::NotEmpty,
        });
    }
    Ok(())
}

/// The asserted formulas and, through nested conjunctions, their conjuncts.
fn conjuncts(pool: &TermPool, asserted: &[(Part, TermId)]) -> FxHashSet<(Part, TermId)> {
    let mut known = FxHashSet::default();
    let mut open: Vec<(Part, TermId)> = asserted.to_vec();
    while let Some((part, formula)) = open.pop() {
        if known.insert((part, formula))
            && let Term::And(arguments) = pool.term(formula)
        {
            open.extend(arguments.iter().map(|&argument| (part, argument)));
        }
    }
    known
}

/// A Boolean term without outer negations, and the value that it is to have.
fn strip(pool: &TermPool, mut term: TermId, mut value: bool) -> (TermId, bool) {
    while let Term::Not(inner) = pool.term(term) {
        term = *inner;
        value = !value;
    }
    (term, value)
}

/// A clause's negation: the terms of its literals with the values that make the clause false.
type Hypotheses = Vec<(TermId, bool)>;

struct Checker<'a> {
    pool: &'a mut TermPool,
    proof: &'a Proof,
    inputs: FxHashSet<(Part, TermId)>,
    /// Which literals the current resolvent has; all false between steps.
    present: Vec<bool>,
    /// The literals that may be present.
    resolvent: Vec<Lit>,
}

impl Checker<'_> {
    fn step(&mut self, id: ClauseId) -> Result<(), Reason> {
        let proof = self.proof;
        let clause = proof.clause(id);
        if let Some(&unknown) = clause.iter().find(|lit| lit.var().index() >= proof.atoms.len()) {
            return Err(Reason::UnknownVariable(unknown));
        }
        match &proof.steps[id.index()] {
            Step::Input { part, formula } => self.input(clause, *part, *formula),
            Step::Define { of, .. } => {
                let defined = *proof
                    .atoms
                    .get(of.index())
                    .ok_or(Reason::UnknownVariable(of.positive()))?;
                self.define(clause, defined)
            }
            Step::Lemma { kind, .. } => self.lemma(clause, *kind),
            Step::Farkas { coeffs } => self.farkas(clause, coeffs),
            Step::Chain { antecedents, pivots } => {
                if antecedents.len() != pivots.len() + 1 {
                    return Err(Reason::ChainShape);
                }
                if let Some(&forward) = antecedents.iter().find(|&&antecedent| antecedent >= id) {
                    return Err(Reason::ForwardReference(forward));
                }
                let result = self.resolve(antecedents, pivots).and_then(|()| self.covers(clause));
                for lit in self.resolvent.drain(..) {
                    self.present[lit.index()] = false;
                }
                result
            }
        }
    }

    fn hypotheses(&self, clause: &[Lit]) -> Hypotheses {
        let value = |lit: &Lit| strip(self.pool, self.proof.atoms[lit.var().index()], lit.is_negative());
        clause.iter().map(value).collect()
    }

    fn input(&self, clause: &[Lit], part: Part, formula: TermId) -> Result<(), Reason> {
        if !self.inputs.contains(&(part, formula)) {
            return Err(Reason::NotAsserted);
        }
        // The clause's negation must make the formula false, by itself or because the formula is the constant false.
        let (core, value) = strip(self.pool, formula, false);
        let trivial = match self.pool.term(core) {
            Term::True => value,
            Term::False => !value,
            _ => false,
        };
        if trivial || self.hypotheses(clause).contains(&(core, value)) {
            Ok(())
        } else {
            Err(Reason::InputLiteralMissing)
        }
    }

    fn define(&self, clause: &[Lit], defined: TermId) -> Result<(), Reason> {
        let assignment = self.hypotheses(clause);
        let value = |term: TermId| -> Option<bool> {
            let (core, positive) = strip(self.pool, term, true);
            let found = match self.pool.term(core) {
                Term::True => Some(true),
                Term::False => Some(false),
                _ => assignment
                    .iter()
                    .find(|(known, _)| *known == core)
                    .map(|&(_, value)| value),
            };
            found.map(|value| value == positive)
        };
        let (core, _) = strip(self.pool, defined, true);
        // Which values the definition leaves to the sub-formula, given the values of its arguments.
        let (can_be_true, can_be_false) = match self.pool.term(core) {
            Term::True => (true, false),
            Term::False => (false, true),
            Term::And(arguments) => (
                arguments.iter().all(|&a| value(a) != Some(false)),
                arguments.iter().any(|&a| value(a) != Some(true)),
            ),
            Term::Or(arguments) => (
                arguments.iter().any(|&a| value(a) != Some(false)),
                arguments.iter().all(|&a| value(a) != Some(true)),
            ),
            Term::Iff(a, b) => match (value(*a), value(*b)) {
                (Some(a), Some(b)) => (a == b, a != b),
                _ => (true, true),
            },
            Term::IteBool(c, t, e) => {
                let branches = [
                    (value(*c) != Some(false), value(*t)),
                    (value(*c) != Some(true), value(*e)),
                ];
                let can_be = |wanted: bool| branches.iter().any(|&(open, v)| open && v != Some(!wanted));
                (can_be(true), can_be(false))
            }
            _ => (true, true),
        };
        let refuted = match assignment.iter().find(|(known, _)| *known == core) {
            Some((_, true)) => !can_be_true,
            Some((_, false)) => !can_be_false,
            // Some value of the sub-formula always agrees with the definition.
            None => false,
        };
        if refuted { Ok(()) } else { Err(Reason::NotADefinition) }
    }

    fn lemma(&mut self, clause: &[Lit], kind: LemmaKind) -> Result<(), Reason> {
        let hypotheses = self.hypotheses(clause);
        let (name, holds) = match kind {
            LemmaKind::Trichotomy { .. } => ("trichotomy", contradictory(&self.constraints(&hypotheses))),
            LemmaKind::Branch => ("branch", contradictory(&self.constraints(&hypotheses))),
            LemmaKind::Pigeonhole => ("pigeonhole", pigeonhole::contradictory(self.pool, &hypotheses)),
            LemmaKind::Euf => ("equality", equality::contradictory(self.pool, &hypotheses)),
            LemmaKind::Congruence { left, right } => ("congruence", self.congruence(&hypotheses, left, right)),
            LemmaKind::Update { atom, at } => ("update", self.update(&hypotheses, atom, at)),
            LemmaKind::Ite { term } => ("ite", self.conditional(&hypotheses, term)),
            LemmaKind::Div { term } => ("div", self.division(&hypotheses, term)),
        };
        if holds { Ok(()) } else { Err(Reason::NotALemma(name)) }
    }

    /// The constraints of the hypotheses on numbers.
    fn constraints(&self, hypotheses: &Hypotheses) -> Vec<Constraint> {
        hypotheses
            .iter()
            .filter_map(|&(term, value)| self.constraint(term, value))
            .collect()
    }

    fn constraint(&self, atom: TermId, value: bool) -> Option<Constraint> {
        match *self.pool.term(atom) {
            Term::Le(_) | Term::Lt(_) => {
                let (line, strict) = self.inequality(atom, value)?;
                let relation = if strict {
                    Relation::BelowZero
                } else {
                    Relation::AtMostZero
                };
                Some(Constraint::new(line, relation))
            }
            Term::Eq(t) if value => Some(Constraint::new(Line::of(self.pool, t), Relation::Zero)),
            Term::Eq(t) => Some(Constraint::new(Line::of(self.pool, t), Relation::NotZero)),
            _ => None,
        }
    }

    /// The linear form that an inequality or its negation bounds by zero, and whether the bound is strict.
    fn inequality(&self, atom: TermId, value: bool) -> Option<(Line, bool)> {
        let (line, strict) = match *self.pool.term(atom) {
            Term::Le(t) => (Line::of(self.pool, t), false),
            Term::Lt(t) => (Line::of(self.pool, t), true),
            _ => return None,
        };
        Some(if value { (line, strict) } else { line.complement(strict) })
    }

    /// Whether the hypotheses imply that `a - b + offset <= 0`.
    fn at_most(&self, hypotheses: &Hypotheses, a: TermId, b: TermId, offset: i64) -> bool {
        let line = self.difference(a, b).plus_constant(&Int::from(offset));
        let mut constraints = self.constraints(hypotheses);
        let (line, strict) = line.complement(false);
        let relation = if strict {
            Relation::BelowZero
        } else {
            Relation::AtMostZero
        };
        constraints.push(Constraint::new(line, relation));
        contradictory(&constraints)
    }

    /// A positive multiple of `a - b` without denominators.
    fn difference(&self, a: TermId, b: TermId) -> Line {
        let split = |term: TermId| match self.pool.term(term) {
            Term::Ratio(sum, divisor) => (Line::of(self.pool, *sum), divisor.clone()),
            _ => (Line::of(self.pool, term), Int::from(1)),
        };
        let ((a, below_a), (b, below_b)) = (split(a), split(b));
        a.times(&below_b).minus(&b.times(&below_a))
    }

    /// Whether the hypotheses contradict `a = b`.
    fn contradicts_equality(&self, hypotheses: &Hypotheses, a: TermId, b: TermId) -> bool {
        let mut constraints = self.constraints(hypotheses);
        constraints.push(Constraint::new(self.difference(a, b), Relation::Zero));
        contradictory(&constraints)
    }

    fn congruence(&self, hypotheses: &Hypotheses, left: TermId, right: TermId) -> bool {
        let ((Term::App(f, xs), Term::App(g, ys)) | (Term::RealApp(f, xs), Term::RealApp(g, ys))) =
            (self.pool.term(left), self.pool.term(right))
        else {
            return false;
        };
        f == g
            && xs.len() == ys.len()
            && xs
                .iter()
                .zip(ys)
                .all(|(&x, &y)| self.at_most(hypotheses, x, y, 0) && self.at_most(hypotheses, y, x, 0))
            && self.contradicts_equality(hypotheses, left, right)
    }

    fn update(&mut self, hypotheses: &Hypotheses, atom: TermId, at: TermId) -> bool {
        let Term::Update {
            new,
            old,
            lo,
            hi,
            source,
        } = *self.pool.term(atom)
        else {
            return false;
        };
        if !hypotheses.contains(&(atom, true)) {
            return false;
        }
        let after = self.pool.app(new.name, new.index, &[at]);
        let below = self.at_most(hypotheses, at, lo, 1);
        let above = self.at_most(hypotheses, hi, at, 0);
        if below || above || lo == hi || self.is_elsewhere(hypotheses, at, (lo, hi)) {
            let before = self.pool.app(old.name, old.index, &[at]);
            return self.contradicts_equality(hypotheses, after, before);
        }
        let inside = self.at_most(hypotheses, lo, at, 0) && self.at_most(hypotheses, at, hi, 1);
        let written = match source {
            _ if !inside => return false,
            UpdateSource::Havoc => return false,
            UpdateSource::Const(value) => value,
            UpdateSource::Copy { from, shift } => {
                let index = self.pool.add(at, shift);
                self.pool.app(from.name, from.index, &[index])
            }
        };
        self.contradicts_equality(hypotheses, after, written)
    }

    /// Whether the range is one point, and a hypothesis says that the index is not there.
    fn is_elsewhere(&mut self, hypotheses: &Hypotheses, at: TermId, (lo, hi): (TermId, TermId)) -> bool {
        let one = self.pool.int(Int::ONE);
        if self.pool.add(lo, one) != hi {
            return false;
        }
        let here = self.pool.eq(at, lo);
        hypotheses.contains(&(here, false))
    }

    fn conditional(&self, hypotheses: &Hypotheses, term: TermId) -> bool {
        let Term::Ite(condition, then, otherwise) = *self.pool.term(term) else {
            return false;
        };
        let (core, positive) = strip(self.pool, condition, true);
        (hypotheses.contains(&(core, positive)) && self.contradicts_equality(hypotheses, term, then))
            || (hypotheses.contains(&(core, !positive)) && self.contradicts_equality(hypotheses, term, otherwise))
    }

    /// `0 <= t - c*d < c` for `d = Div(t, c)`.
    fn division(&self, hypotheses: &Hypotheses, term: TermId) -> bool {
        let Term::Div(dividend, divisor) = self.pool.term(term) else {
            return false;
        };
        if !divisor.is_positive() {
            return false;
        }
        let rest = Line::of(self.pool, *dividend).minus(&Line::of(self.pool, term).times(divisor));
        let upper = rest.clone().plus_constant(&-divisor);
        let mut constraints = self.constraints(hypotheses);
        constraints.push(Constraint::new(rest.negated(), Relation::AtMostZero));
        constraints.push(Constraint::new(upper, Relation::BelowZero));
        contradictory(&constraints)
    }

    fn farkas(&self, clause: &[Lit], coeffs: &[Int]) -> Result<(), Reason> {
        if coeffs.len() != clause.len() || !coeffs.iter().all(Int::is_positive) {
            return Err(Reason::FarkasCoefficients);
        }
        let (mut sum, mut any_strict) = (Line::default(), false);
        for (&lit, coeff) in clause.iter().zip(coeffs) {
            let (atom, value) = strip(self.pool, self.proof.atoms[lit.var().index()], lit.is_negative());
            let (line, strict) = self.inequality(atom, value).ok_or(Reason::FarkasLiteral(lit))?;
            sum.add_times(&line, coeff);
            any_strict |= strict;
        }
        match sum.constant() {
            Some(constant) if constant.is_positive() || (any_strict && constant.is_zero()) => Ok(()),
            _ => Err(Reason::FarkasSum),
        }
    }

    /// Leaves the resolvent of the chain in `present` and `resolvent`.
    fn resolve(&mut self, antecedents: &[ClauseId], pivots: &[super::Var]) -> Result<(), Reason> {
        let proof = self.proof;
        self.add_all(proof.clause(antecedents[0]), None);
        for (at, (&antecedent, pivot)) in antecedents[1..].iter().zip(pivots).enumerate() {
            let clause = proof.clause(antecedent);
            let is_present = |lit: Lit| self.present.get(lit.index()).copied().unwrap_or(false);
            let here = match (is_present(pivot.positive()), is_present(pivot.negative())) {
                (true, _) if clause.contains(&pivot.negative()) => pivot.positive(),
                (_, true) if clause.contains(&pivot.positive()) => pivot.negative(),
                _ => return Err(Reason::Pivot(at)),
            };
            self.present[here.index()] = false;
            self.add_all(clause, Some(!here));
        }
        Ok(())
    }

    fn add_all(&mut self, clause: &[Lit], except: Option<Lit>) {
        for &lit in clause.iter().filter(|&&lit| Some(lit) != except) {
            self.present[lit.index()] = true;
            self.resolvent.push(lit);
        }
    }

    /// Whether every literal of the resolvent is one of the clause.
    fn covers(&self, clause: &[Lit]) -> Result<(), Reason> {
        let extra = self
            .resolvent
            .iter()
            .find(|&&lit| self.present[lit.index()] && !clause.contains(&lit));
        extra.map_or(Ok(()), |&lit| Err(Reason::Resolvent(lit)))
    }
}
