//! The leaves of the solver's proof that are theory, in the rules of the format.

use super::ast::{AstSort, Literal, NodeId, Op};
use super::steps::StepId;
use super::{Exporter, Unsupported};
use crate::num::Int;
use crate::proof::{ClauseId, LemmaKind, Step};
use crate::term::{Term, TermId};

impl Exporter<'_> {
    /// A Farkas step, with the factors that the solver found.
    pub(super) fn farkas(&mut self, id: ClauseId, clause: &[Literal]) -> Result<StepId, Unsupported> {
        let Step::Farkas { coeffs } = &self.proof.steps[id.index()] else {
            unreachable!("the caller looked at the step");
        };
        let factors: Vec<Int> = coeffs.to_vec();
        let terms = clause.iter().map(|&l| self.steps.ast.of_literal(l)).collect();
        Ok(self.steps.axiom("la_generic", terms, factors))
    }

    /// A lemma of the solver.
    pub(super) fn lemma(&mut self, clause: &[Literal], kind: LemmaKind) -> Result<StepId, Unsupported> {
        match kind {
            LemmaKind::Trichotomy { atom } => self.trichotomy(clause, atom),
            LemmaKind::Branch => self
                .steps
                .arithmetic(clause)
                .ok_or_else(|| Unsupported::new("internal: a branch without factors")),
            LemmaKind::Ite { term } => self.conditional(clause, term),
            LemmaKind::Congruence { left, right } => self.congruence(clause, left, right),
            LemmaKind::Euf => self.equality(clause),
            LemmaKind::Div { term } => self.quotient_lemma(clause, term),
            LemmaKind::Pigeonhole => self.pigeonhole(clause),
            LemmaKind::Update { atom, at } => self.update(clause, atom, at),
        }
    }

    fn trichotomy(&mut self, clause: &[Literal], atom: TermId) -> Result<StepId, Unsupported> {
        if let Some(step) = self.steps.arithmetic(clause) {
            return Ok(step);
        }
        // The equation follows from its two bounds, which the clause has in other words.
        let equation = self.written(atom)?;
        let (a, b) = (
            self.steps.ast.get(equation).args[0],
            self.steps.ast.get(equation).args[1],
        );
        let mut premises = vec![self.disequality(equation)];
        for (left, right) in [(a, b), (b, a)] {
            let order = self.steps.ast.formula(Op::Le, &[left, right]);
            premises.extend(self.implied_by_one(clause, self.steps.ast.literal(order)));
        }
        self.steps.derive(&premises, clause)
    }

    /// For each literal of the clause: that its negation implies the goal, where arithmetic shows it; or the goal alone.
    pub(super) fn implied_by_one(&mut self, clause: &[Literal], goal: Literal) -> Vec<StepId> {
        if let Some(step) = self.steps.arithmetic(&[goal]) {
            return vec![step];
        }
        let mut found = Vec::new();
        for &literal in clause.iter().filter(|&&l| l != goal && l != !goal) {
            found.extend(self.steps.arithmetic(&[literal, goal]));
        }
        found
    }

    /// The condition of a conditional term gives its value.
    fn conditional(&mut self, clause: &[Literal], term: TermId) -> Result<StepId, Unsupported> {
        let choice = self.written(term)?;
        let mut premises = self.choices(choice)?;
        if !self.steps.ast.get(choice).sort.is_number() {
            // The clause may have the sides exchanged.
            for literal in clause {
                let node = self.steps.ast.get(literal.node).clone();
                if let (Op::Eq, &[a, b]) = (&node.op, &*node.args)
                    && b == choice
                {
                    let exchanged = self.steps.ast.formula(Op::Eq, &[b, a]);
                    premises.extend(self.exchange(exchanged, literal.node)?);
                }
            }
            return self.steps.derive(&premises, clause);
        }
        premises.extend(self.choice_values(choice, &[]));
        let values = self.steps.ast.get(choice).args[1..].to_vec();
        for &literal in clause {
            premises.extend(self.choice_values(choice, &[literal]));
            for &value in &values {
                let equation = self.steps.ast.formula(Op::Eq, &[choice, value]);
                let equal = !self.steps.ast.literal(equation);
                premises.extend(self.equation_by_order(literal, &[equal]));
            }
        }
        self.steps.derive(&premises, clause)
    }

    /// Equal arguments give equal values: `f(x) <= f(y)`.
    fn congruence(&mut self, clause: &[Literal], left: TermId, right: TermId) -> Result<StepId, Unsupported> {
        let (Term::App(f, xs) | Term::RealApp(f, xs), Term::App(_, ys) | Term::RealApp(_, ys)) =
            (self.pool.term(left).clone(), self.pool.term(right).clone())
        else {
            return Err(Unsupported::new("internal: no applications"));
        };
        let signature = self.signature(f)?;
        let (left, right) = (self.written(left)?, self.written(right)?);
        let predicate = signature.result == AstSort::Bool;
        let application = |this: &Self, node: NodeId| match predicate {
            true => this.steps.ast.get(node).args[0],
            false => node,
        };
        let (fx, fy) = (application(self, left), application(self, right));
        let mut premises = Vec::new();
        let mut terms = Vec::new();
        let arguments: Vec<(NodeId, NodeId)> = {
            let (x, y) = (self.steps.ast.get(fx), self.steps.ast.get(fy));
            x.args.iter().copied().zip(y.args.iter().copied()).collect()
        };
        for (at, &(x, y)) in arguments.iter().enumerate() {
            let equation = self.steps.ast.formula(Op::Eq, &[x, y]);
            terms.push(self.steps.ast.formula(Op::Not, &[equation]));
            if x == y {
                premises.push(self.steps.axiom("eq_reflexive", vec![equation], Vec::new()));
                continue;
            }
            match signature.parameters[at] {
                AstSort::Int | AstSort::Real => {
                    premises.push(self.disequality(equation));
                    for (a, b) in [(x, y), (y, x)] {
                        let order = self.steps.ast.formula(Op::Le, &[a, b]);
                        premises.extend(self.implied_by_one(clause, self.steps.ast.literal(order)));
                    }
                }
                AstSort::Bool => {
                    premises.extend(self.definitions(equation)?);
                    // An array is no argument of its function.
                    let at = at + xs.len() - arguments.len();
                    let pair = (self.written(xs[at])?, self.written(ys[at])?);
                    premises.extend(self.truth_values(clause, &[pair.0, pair.1])?);
                    for constant in [Op::True, Op::False] {
                        let constant = self.steps.ast.formula(constant, &[]);
                        premises.extend(self.definitions(constant)?);
                    }
                }
                AstSort::Declared(_) | AstSort::Array(_) => {
                    // The clause may have the sides exchanged.
                    let exchanged = self.steps.ast.formula(Op::Eq, &[y, x]);
                    if exchanged != equation && clause.iter().any(|l| l.node == exchanged) {
                        premises.extend(self.exchange(equation, exchanged)?);
                    }
                }
            }
        }
        let equation = self.steps.ast.formula(Op::Eq, &[fx, fy]);
        terms.push(equation);
        premises.push(self.steps.axiom("eq_congruent", terms, Vec::new()));
        if predicate {
            premises.extend(self.definitions(equation)?);
            premises.extend(self.truth_values(clause, &[left, right])?);
        } else {
            let equal = !self.steps.ast.literal(equation);
            for &literal in clause.iter().filter(|l| l.node != equation) {
                premises.extend(self.steps.arithmetic(&[equal, literal]));
                premises.extend(self.equation_by_order(literal, &[equal]));
            }
        }
        self.steps.derive(&premises, clause)
    }

    /// If the literal is an equation of numbers that arithmetic concludes from the negations of the others: the steps to it, by its two orders.
    pub(super) fn equation_by_order(&mut self, literal: Literal, others: &[Literal]) -> Vec<StepId> {
        let (op, sides) = (
            self.steps.ast.get(literal.node).op.clone(),
            self.steps.ast.get(literal.node).args.clone(),
        );
        let (Op::Eq, &[a, b], false) = (op, &*sides, literal.negative) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if !self.steps.ast.get(a).sort.is_number() {
            return found;
        }
        for (left, right) in [(a, b), (b, a)] {
            let order = self.steps.ast.formula(Op::Le, &[left, right]);
            let mut clause = others.to_vec();
            clause.push(self.steps.ast.literal(order));
            found.extend(self.steps.arithmetic(&clause));
        }
        if found.len() == 2 {
            found.push(self.disequality(literal.node));
        }
        found
    }

    /// For integers that stand for truth values, `(ite b 1 0)` or a number: their cases, and which of these contradict a literal of the clause.
    pub(super) fn truth_values(&mut self, clause: &[Literal], terms: &[NodeId; 2]) -> Result<Vec<StepId>, Unsupported> {
        let mut premises = Vec::new();
        let mut cases: Vec<Vec<Literal>> = vec![Vec::new()];
        for &term in terms {
            if self.steps.ast.get(term).op != Op::Ite {
                continue;
            }
            premises.extend(self.choices(term)?);
            let values = self.steps.ast.get(term).args[1..].to_vec();
            let mut longer = Vec::new();
            for value in values {
                let equation = self.steps.ast.formula(Op::Eq, &[term, value]);
                for case in &cases {
                    let mut case = case.clone();
                    case.push(!self.steps.ast.literal(equation));
                    longer.push(case);
                }
            }
            cases = longer;
        }
        for case in cases {
            for &literal in clause {
                let mut literals = case.clone();
                premises.extend(self.equation_by_order(literal, &literals));
                literals.push(literal);
                premises.extend(self.steps.arithmetic(&literals));
            }
        }
        Ok(premises)
    }
}
