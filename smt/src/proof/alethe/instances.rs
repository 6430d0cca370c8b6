//! Instances of the theories' definitions.
//!
//! SMT-LIB defines quotients, remainders, absolute values and arrays by formulas for which the specification of the format has no rules. On demand, the instances of these formulas that a proof needs are steps `hole`, which checkers count and
//! do not check, and everything else follows from them by checked rules. Each instance is one of the following clauses, word for word, so that it can be recognised without any reasoning; `c` is a number other than 0.
//!
//! | argument of `hole` | clause |
//! |---|---|
//! | `"div"` | `(and (<= (* c (div a c)) a) (< a (* c (+ (div a c) 1))))`, with `(- 1)` for a negative `c` |
//! | `"mod"` | `(= (mod a c) (- a (* c (div a c))))` |
//! | `"abs"` | `(= (abs a) (ite (< a 0) (- a) a))` |
//! | `"select"` | `(= (select (store a i v) i) v)` |
//! | `"select-other"` | `(= i j)`, `(= (select (store a i v) j) (select a j))` |
//! | `"select-const"` | `(= (select ((as const S) v) i) v)` |
//! | `"extensionality"` | `(= a b)`, `(not (= (select a k) (select b k)))` with `(choice ((x I)) (or (= a b) (not (= (select a x) (select b x)))))` for `k` |

use super::ast::{AstSort, Literal, NodeId, Op};
use super::steps::StepId;
use super::{Exporter, Unsupported};
use crate::num::Int;
use crate::term::TermId;

/// A definition: the rule as it is printed, and the name for people.
pub(super) type Definition = (&'static str, &'static str);

pub(super) const DIV: Definition = ("hole :args (\"div\")", "quotients");
pub(super) const MOD: Definition = ("hole :args (\"mod\")", "remainders");
pub(super) const ABS: Definition = ("hole :args (\"abs\")", "absolute values");
pub(super) const SELECT: Definition = ("hole :args (\"select\")", "elements of an array where it was written");
pub(super) const OTHER: Definition = (
    "hole :args (\"select-other\")",
    "elements of an array where it was not written",
);
pub(super) const CONSTANT: Definition = ("hole :args (\"select-const\")", "elements of constant arrays");
pub(super) const EXTENSIONAL: Definition = ("hole :args (\"extensionality\")", "extensionality");

const ALL: [Definition; 7] = [DIV, MOD, ABS, SELECT, OTHER, CONSTANT, EXTENSIONAL];

impl Exporter<'_> {
    /// An instance of a definition.
    ///
    /// # Errors
    /// If instances are not asked for.
    pub(super) fn instance(&mut self, definition: Definition, terms: Vec<NodeId>) -> Result<StepId, Unsupported> {
        if !self.takes_definitions {
            return Err(Unsupported::new(&format!(
                "the definition of {} (see :alethe-definitions)",
                definition.1
            )));
        }
        Ok(self.steps.axiom(definition.0, terms, Vec::new()))
    }

    /// The definitions that are taken without proof, as comments; nothing if there are none.
    pub(super) fn taken(&self, needed: &[StepId]) -> String {
        let mut text = String::new();
        for (rule, name) in ALL {
            let of = |id: &&StepId| self.steps.list[id.0 as usize].rule == rule;
            let count = needed.iter().filter(of).count();
            if count > 0 {
                text.push_str(&format!("; taken without proof: {count} of the definition of {name}\n"));
            }
        }
        text
    }

    /// The number that is written as a numeral, with a sign or without.
    fn numeral(&self, node: NodeId) -> Option<Int> {
        let (op, args) = (&self.steps.ast.get(node).op, &self.steps.ast.get(node).args);
        match (op, &**args) {
            (Op::Number(value), _) => Some(value.clone()),
            (Op::Sub, &[inner]) => match &self.steps.ast.get(inner).op {
                Op::Number(value) => Some(-value),
                _ => None,
            },
            _ => None,
        }
    }

    /// The two bounds of a quotient by a number.
    pub(super) fn quotient(&mut self, quotient: NodeId) -> Result<[(Literal, StepId); 2], Unsupported> {
        let &[a, c] = &*self.steps.ast.get(quotient).args.clone() else {
            return Err(Unsupported::new("div with that number of arguments"));
        };
        let Some(divisor) = self.numeral(c).filter(|value| !value.is_zero()) else {
            return Err(Unsupported::new("division by what is no number but 0"));
        };
        let ast = &mut self.steps.ast;
        let step = ast.number(&Int::from(divisor.signum()));
        let next = ast.node(Op::Add, &[quotient, step], AstSort::Int);
        let [low, high] = [quotient, next].map(|factor| ast.node(Op::Mul, &[c, factor], AstSort::Int));
        let bounds = [ast.formula(Op::Le, &[low, a]), ast.formula(Op::Lt, &[a, high])];
        let both = ast.formula(Op::And, &bounds);
        let mut premises = vec![self.instance(DIV, vec![both])?];
        premises.extend(self.definitions(both)?);
        let mut found = Vec::new();
        for bound in bounds {
            let literal = self.steps.ast.literal(bound);
            found.push((literal, self.steps.derive(&premises, &[literal])?));
        }
        Ok([found[0], found[1]])
    }

    /// The lemma that bounds a quotient.
    pub(super) fn quotient_lemma(&mut self, clause: &[Literal], term: TermId) -> Result<StepId, Unsupported> {
        let quotient = self.written(term)?;
        let mut premises = Vec::new();
        for (bound, step) in self.quotient(quotient)? {
            premises.push(step);
            for &literal in clause {
                premises.extend(self.steps.arithmetic(&[literal, !bound]));
            }
        }
        self.steps.derive(&premises, clause)
    }

    /// `(= (div a c) t)` for the normal form `t`: numbers with the same bounds are equal.
    pub(super) fn quotient_equation(&mut self, term: NodeId, normal: NodeId) -> Result<StepId, Unsupported> {
        let mut equations: (Vec<Literal>, Vec<StepId>) = (Vec::new(), Vec::new());
        let mut open = vec![term, normal];
        let mut seen = Vec::new();
        while let Some(node) = open.pop() {
            for leaf in super::linear::Form::of(&self.steps.ast, node).terms.into_keys() {
                if seen.contains(&leaf) {
                    continue;
                }
                seen.push(leaf);
                if leaf != term
                    && let Some((literal, step)) = self.equation(leaf)?
                {
                    equations.0.push(!literal);
                    equations.1.push(step);
                    open.push(self.steps.ast.get(literal.node).args[1]);
                }
                if self.steps.ast.get(leaf).op == Op::Other("div".into()) {
                    for (literal, step) in self.quotient(leaf)? {
                        equations.0.push(!literal);
                        equations.1.push(step);
                    }
                    open.push(self.steps.ast.get(leaf).args[0]);
                }
            }
        }
        let equation = self.steps.ast.formula(Op::Eq, &[term, normal]);
        self.equal_by_order(equation, &[], &equations)
    }

    /// `(= t n)` of a term that is defined by another one, with the normal form `n` of both.
    pub(super) fn defined_equation(&mut self, term: NodeId, normal: NodeId) -> Result<StepId, Unsupported> {
        let node = self.steps.ast.get(term).clone();
        let is_remainder = node.op == Op::Other("mod".into());
        let ast = &mut self.steps.ast;
        let (definition, body) = match *node.args {
            [a, c] if is_remainder => {
                let quotient = ast.node(Op::Other("div".into()), &[a, c], AstSort::Int);
                let product = ast.node(Op::Mul, &[c, quotient], AstSort::Int);
                (MOD, ast.node(Op::Sub, &[a, product], AstSort::Int))
            }
            [a] if !is_remainder && ast.get(a).sort == AstSort::Int => {
                let zero = ast.number(&Int::ZERO);
                let condition = ast.formula(Op::Lt, &[a, zero]);
                let negated = ast.node(Op::Sub, &[a], AstSort::Int);
                (ABS, ast.node(Op::Ite, &[condition, negated, a], AstSort::Int))
            }
            _ => {
                return Err(Unsupported::new(&format!(
                    "{} of such arguments",
                    node.op.text(self.pool)
                )));
            }
        };
        if is_remainder && self.numeral(node.args[1]).is_none_or(|value| value.is_zero()) {
            return Err(Unsupported::new("division by what is no number but 0"));
        }
        let defined = self.steps.ast.formula(Op::Eq, &[term, body]);
        let step = self.instance(definition, vec![defined])?;
        let mut equations = self.leaf_equations(&[body])?;
        equations.0.push(!self.steps.ast.literal(defined));
        equations.1.push(step);
        let equation = self.steps.ast.formula(Op::Eq, &[term, normal]);
        self.equal_by_order(equation, &[], &equations)
    }
}
