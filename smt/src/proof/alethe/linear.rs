//! Linear arithmetic of proof texts: the coefficients of `la_generic`.
//!
//! A clause of (in)equations is valid if the negations of its literals add up, with the right factors, to a contradiction. Here the
//! factors are found for the clauses that normal forms and lemmas need: any number of equations and one or two inequalities. The
//! equations are eliminated one after the other (Gauss); what is left of the inequalities has to cancel.

use super::ast::{Ast, Literal, NodeId, Op};
use crate::num::Int;
use std::collections::BTreeMap;

/// A linear form over nodes that are no sums.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    pub terms: BTreeMap<NodeId, Int>,
    pub constant: Int,
}

impl Form {
    /// The form that a checker sees in a term: sums, differences, and products of two factors of which one is a number.
    pub fn of(ast: &Ast, root: NodeId) -> Form {
        let mut form = Form::default();
        let mut stack = vec![(root, Int::ONE)];
        while let Some((id, factor)) = stack.pop() {
            let node = ast.get(id);
            match (&node.op, &*node.args) {
                (Op::Add, args) => stack.extend(args.iter().map(|&a| (a, factor.clone()))),
                (Op::Sub, [single]) => stack.push((*single, -&factor)),
                (Op::Sub, [first, rest @ ..]) => {
                    stack.push((*first, factor.clone()));
                    stack.extend(rest.iter().map(|&a| (a, -&factor)));
                }
                (Op::Mul, &[a, b]) => match (number(ast, a), number(ast, b)) {
                    (Some(value), _) => stack.push((b, &factor * &value)),
                    (None, Some(value)) => stack.push((a, &factor * &value)),
                    (None, None) => form.add(id, &factor),
                },
                (Op::Number(value), _) => form.constant.add_mul(&factor, value),
                _ => form.add(id, &factor),
            }
        }
        form
    }

    fn add(&mut self, node: NodeId, factor: &Int) {
        let sum = self.terms.entry(node).or_default();
        *sum += factor;
        if sum.is_zero() {
            self.terms.remove(&node);
        }
    }

    /// Adds a multiple of another form.
    fn add_times(&mut self, other: &Form, factor: &Int) {
        for (&node, coefficient) in &other.terms {
            self.add(node, &(coefficient * factor));
        }
        self.constant.add_mul(factor, &other.constant);
    }

    fn minus(&self, other: &Form) -> Form {
        let mut difference = self.clone();
        difference.add_times(other, &Int::MINUS_ONE);
        difference
    }
}

/// The number that a node is, with sign.
fn number(ast: &Ast, id: NodeId) -> Option<Int> {
    let node = ast.get(id);
    match (&node.op, &*node.args) {
        (Op::Number(value), _) => Some(value.clone()),
        (Op::Sub, &[single]) => match &ast.get(single).op {
            Op::Number(value) => Some(-value),
            _ => None,
        },
        _ => None,
    }
}

/// The negation of a literal: a form that is zero, or at least zero, and how it comes from the literals.
#[derive(Clone)]
struct Row {
    form: Form,
    factors: Vec<Int>,
}

impl Row {
    fn multiply(&mut self, factor: &Int) {
        let old = std::mem::take(&mut self.form);
        self.form.add_times(&old, factor);
        self.factors.iter_mut().for_each(|f| *f = &*f * factor);
    }

    fn add_times(&mut self, other: &Row, factor: &Int) {
        self.form.add_times(&other.form, factor);
        for (mine, theirs) in self.factors.iter_mut().zip(&other.factors) {
            mine.add_mul(factor, theirs);
        }
    }
}

/// The constraint of a literal's negation: the form, and whether it is an equation. Integers: `a > b` is `a - b - 1 >= 0`.
fn negation(ast: &Ast, literal: Literal) -> Option<(Form, bool)> {
    let node = ast.get(literal.node);
    let &[a, b] = &*node.args else { return None };
    let (a, b) = (Form::of(ast, a), Form::of(ast, b));
    let (at_least, strict) = match (&node.op, literal.negative) {
        (Op::Eq, true) => return Some((a.minus(&b), true)),
        (Op::Le, true) => (b.minus(&a), false),
        (Op::Le, false) => (a.minus(&b), true),
        (Op::Lt, true) => (b.minus(&a), true),
        (Op::Lt, false) => (a.minus(&b), false),
        (Op::Ge, true) => (a.minus(&b), false),
        (Op::Ge, false) => (b.minus(&a), true),
        (Op::Gt, true) => (a.minus(&b), true),
        (Op::Gt, false) => (b.minus(&a), false),
        _ => return None,
    };
    let mut form = at_least;
    if strict {
        form.constant += &Int::MINUS_ONE;
    }
    Some((form, false))
}

/// The factors of a clause's literals that show it valid. Those of inequalities are not negative. None if the literals are no constraints of
/// integers, or there are no factors that this elimination finds.
pub(super) fn factors(ast: &Ast, clause: &[Literal]) -> Option<Vec<Int>> {
    let (mut equations, mut inequalities): (Vec<Row>, Vec<Row>) = (Vec::new(), Vec::new());
    for (at, &literal) in clause.iter().enumerate() {
        let (form, equation) = negation(ast, literal)?;
        let mut factors = vec![Int::ZERO; clause.len()];
        factors[at] = Int::ONE;
        let list = if equation { &mut equations } else { &mut inequalities };
        list.push(Row { form, factors });
    }
    let mut left: Vec<Row> = equations;
    while let Some(mut equation) = left.pop() {
        let Some((&pivot, coefficient)) = equation.form.terms.iter().next() else {
            if equation.form.constant.is_zero() {
                continue;
            }
            if equation.form.constant.is_positive() {
                equation.multiply(&Int::MINUS_ONE);
            }
            return Some(equation.factors);
        };
        let coefficient = coefficient.clone();
        for row in left.iter_mut().chain(&mut inequalities) {
            if let Some(other) = row.form.terms.get(&pivot).cloned() {
                // The row's own factor stays positive.
                let sign = Int::from(i64::from(coefficient.signum()));
                row.multiply(&coefficient.abs());
                row.add_times(&equation, &-(&other * &sign));
            }
        }
    }
    let contradiction = |row: &Row| row.form.terms.is_empty() && row.form.constant.is_negative();
    if let Some(row) = inequalities.iter().find(|row| contradiction(row)) {
        return Some(row.factors.clone());
    }
    let [first, second] = &mut inequalities[..] else {
        return None;
    };
    let (&pivot, a) = first.form.terms.iter().next()?;
    let (a, b) = (a.clone(), second.form.terms.get(&pivot)?.clone());
    if a.signum() == b.signum() {
        return None;
    }
    first.multiply(&b.abs());
    first.add_times(second, &a.abs());
    contradiction(first).then(|| first.factors.clone())
}
