//! Linear arithmetic of proof texts: the coefficients of `la_generic`.
//!
//! A clause of (in)equations is valid if the negations of its literals add up, with the right factors, to a contradiction. Here the
//! factors are found for the clauses that normal forms and lemmas need: any number of equations and a few inequalities. The
//! equations are eliminated one after the other (Gauss), then the terms of the inequalities (Fourier, Motzkin). Strict bounds of integers are moved by one; those of reals
//! stay strict.

use super::ast::{Ast, AstSort, Literal, NodeId, Op};
use crate::num::{Int, Rational};
use std::collections::BTreeMap;

/// Inequalities in an elimination before giving up.
const MAX_ROWS: usize = 200;

/// A linear form over nodes that are no sums.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    pub terms: BTreeMap<NodeId, Rational>,
    pub constant: Rational,
}

impl Form {
    /// The form that a checker sees in a term: sums, differences, products of two factors of which one is a number, and quotients by numbers.
    pub fn of(ast: &Ast, root: NodeId) -> Form {
        let mut form = Form::default();
        let mut stack = vec![(root, Rational::ONE)];
        while let Some((id, factor)) = stack.pop() {
            if let Some(value) = number(ast, id) {
                form.constant.add_mul(&factor, &value);
                continue;
            }
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
                (Op::Divide, &[a, b]) => match number(ast, b).filter(|value| !value.is_zero()) {
                    Some(value) => stack.push((a, &factor / &value)),
                    None => form.add(id, &factor),
                },
                _ => form.add(id, &factor),
            }
        }
        form
    }

    fn add(&mut self, node: NodeId, factor: &Rational) {
        let sum = self.terms.entry(node).or_default();
        *sum += factor;
        if sum.is_zero() {
            self.terms.remove(&node);
        }
    }

    /// Adds a multiple of another form.
    fn add_times(&mut self, other: &Form, factor: &Rational) {
        for (&node, coefficient) in &other.terms {
            self.add(node, &(coefficient * factor));
        }
        self.constant.add_mul(factor, &other.constant);
    }

    fn minus(&self, other: &Form) -> Form {
        let mut difference = self.clone();
        difference.add_times(other, &Rational::from(Int::MINUS_ONE));
        difference
    }
}

/// The number that a node is, with sign.
pub(super) fn number(ast: &Ast, id: NodeId) -> Option<Rational> {
    let (is_negative, inner) = unsigned(ast, id);
    let value = match (&ast.get(inner).op, &*ast.get(inner).args) {
        (Op::Divide, &[a, b]) => &plain(ast, a)? / &plain(ast, b).filter(|b| !b.is_zero())?,
        _ => plain(ast, inner)?,
    };
    Some(if is_negative { -value } else { value })
}

/// A term without minus signs, and whether they were an odd number.
fn unsigned(ast: &Ast, mut id: NodeId) -> (bool, NodeId) {
    let mut is_negative = false;
    while let (Op::Sub, &[inner]) = (&ast.get(id).op, &*ast.get(id).args) {
        (is_negative, id) = (!is_negative, inner);
    }
    (is_negative, id)
}

/// The number that a node is, with sign, if it is no fraction.
fn plain(ast: &Ast, id: NodeId) -> Option<Rational> {
    let (is_negative, inner) = unsigned(ast, id);
    let value = ast.get(inner).op.number()?;
    Some(if is_negative { -value } else { value })
}

/// The negation of a literal: a form that is zero, or at least zero (above, if strict), and how it comes from the literals.
#[derive(Clone)]
struct Row {
    form: Form,
    is_strict: bool,
    factors: Vec<Rational>,
}

impl Row {
    fn add_times(&mut self, other: &Row, factor: &Rational) {
        self.form.add_times(&other.form, factor);
        self.is_strict |= other.is_strict;
        for (mine, theirs) in self.factors.iter_mut().zip(&other.factors) {
            mine.add_mul(factor, theirs);
        }
    }

    /// Whether it is no constraint that anything satisfies, as one of at least zero.
    fn is_contradiction(&self) -> bool {
        let constant = &self.form.constant;
        self.form.terms.is_empty() && (constant.is_negative() || (self.is_strict && constant.is_zero()))
    }

    /// The factors, without denominators.
    fn whole_factors(&self) -> Vec<Int> {
        let scale = self.factors.iter().fold(Int::ONE, |scale, factor| {
            let missing = factor.denom().div_exact(&scale.gcd(factor.denom()));
            &scale * &missing
        });
        let whole = |factor: &Rational| factor.numer() * &scale.div_exact(factor.denom());
        self.factors.iter().map(whole).collect()
    }
}

/// Whether a node is a real number: numerals stand for reals where others do.
fn is_real(ast: &Ast, form: &Form, sides: [NodeId; 2]) -> bool {
    let is_real = |id: &NodeId| ast.get(*id).sort == AstSort::Real;
    sides.iter().any(is_real) || form.terms.keys().any(is_real)
}

/// The constraint of a literal's negation: the form, whether it is strict, and whether it is an equation. Integers: `a > b` is `a - b - 1 >= 0`.
pub(super) fn negation(ast: &Ast, literal: Literal) -> Option<(Form, bool, bool)> {
    let node = ast.get(literal.node);
    let &[left, right] = &*node.args else { return None };
    let (a, b) = (Form::of(ast, left), Form::of(ast, right));
    let (mut form, strict) = match (&node.op, literal.negative) {
        (Op::Eq, true) => return Some((a.minus(&b), false, true)),
        (Op::Le, true) | (Op::Gt, false) => (b.minus(&a), false),
        (Op::Le, false) | (Op::Gt, true) => (a.minus(&b), true),
        (Op::Lt, true) | (Op::Ge, false) => (b.minus(&a), true),
        (Op::Lt, false) | (Op::Ge, true) => (a.minus(&b), false),
        _ => return None,
    };
    if !strict || is_real(ast, &form, [left, right]) {
        return Some((form, strict, false));
    }
    form.constant += &Rational::from(Int::MINUS_ONE);
    Some((form, false, false))
}

/// The factors of a clause's literals that show it valid. Those of inequalities are not negative. None if the literals are no constraints of
/// numbers, or there are no factors that this elimination finds.
pub(super) fn factors(ast: &Ast, clause: &[Literal]) -> Option<Vec<Int>> {
    let (mut equations, mut inequalities): (Vec<Row>, Vec<Row>) = (Vec::new(), Vec::new());
    for (at, &literal) in clause.iter().enumerate() {
        let (form, is_strict, equation) = negation(ast, literal)?;
        let mut factors = vec![Rational::ZERO; clause.len()];
        factors[at] = Rational::ONE;
        let list = if equation { &mut equations } else { &mut inequalities };
        list.push(Row {
            form,
            is_strict,
            factors,
        });
    }
    let mut left: Vec<Row> = equations;
    while let Some(equation) = left.pop() {
        let Some((&pivot, coefficient)) = equation.form.terms.iter().next() else {
            if equation.form.constant.is_zero() {
                continue;
            }
            let mut factors = equation.whole_factors();
            if equation.form.constant.is_positive() {
                factors.iter_mut().for_each(|factor| *factor = -&*factor);
            }
            return Some(factors);
        };
        for row in left.iter_mut().chain(&mut inequalities) {
            if let Some(other) = row.form.terms.get(&pivot).cloned() {
                row.add_times(&equation, &-(&other / coefficient));
            }
        }
    }
    eliminate(inequalities)
}

/// The factors by which inequalities add up to a contradiction (Fourier, Motzkin). None if there are none, or too many rows on the way.
fn eliminate(mut rows: Vec<Row>) -> Option<Vec<Int>> {
    loop {
        if let Some(row) = rows.iter().find(|row| row.is_contradiction()) {
            return Some(row.whole_factors());
        }
        let mut nodes: Vec<NodeId> = rows.iter().flat_map(|row| row.form.terms.keys().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        let products = |node: &NodeId| {
            let factors = rows.iter().filter_map(|row| row.form.terms.get(node));
            let (mut positive, mut all) = (0, 0);
            for factor in factors {
                positive += usize::from(factor.is_positive());
                all += 1;
            }
            positive * (all - positive)
        };
        let pivot = nodes.into_iter().min_by_key(products)?;
        let coefficient = |row: &Row| row.form.terms.get(&pivot).cloned();
        let (with, mut without): (Vec<Row>, Vec<Row>) = rows.into_iter().partition(|row| coefficient(row).is_some());
        for first in with
            .iter()
            .filter(|row| coefficient(row).is_some_and(|a| a.is_positive()))
        {
            for second in &with {
                let (Some(a), Some(b)) = (coefficient(first), coefficient(second)) else {
                    continue;
                };
                if b.is_negative() {
                    let mut sum = first.clone();
                    sum.add_times(second, &(&a / &b).abs());
                    without.push(sum);
                }
            }
        }
        rows = without;
        if rows.len() > MAX_ROWS {
            return None;
        }
    }
}
