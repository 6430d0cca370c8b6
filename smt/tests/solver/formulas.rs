//! Random formulas for the tests: plain data that proptest can shrink, and their translation into terms.

use proptest::prelude::*;
use provident_smt::num::Int;
use provident_smt::term::{TermId, TermPool};

/// A random integer expression. Variables and functions are positions in a [`Vocabulary`], modulo its size.
#[derive(Clone, Debug)]
pub enum Expr {
    Var(usize),
    Const(i64),
    /// `factor * inner`
    Scaled(i64, Box<Expr>),
    Plus(Box<Expr>, Box<Expr>),
    Apply(usize, Box<Expr>),
    /// Floor division by a positive number.
    Div(Box<Expr>, i64),
    Ite(Box<Formula>, Box<Expr>, Box<Expr>),
}

/// A random formula.
#[derive(Clone, Debug)]
pub enum Formula {
    AtMost(Expr, Expr),
    Equal(Expr, Expr),
    Proposition(usize),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
    Iff(Box<Formula>, Box<Formula>),
}

/// Which kinds of expressions may occur.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    pub functions: bool,
    pub division: bool,
    pub conditionals: bool,
}

/// The symbols that a formula may use.
#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    pub integers: Vec<TermId>,
    pub propositions: Vec<TermId>,
    /// Functions of one argument, by name and index.
    pub functions: Vec<(&'static str, u32)>,
}

fn expressions(features: Features) -> BoxedStrategy<Expr> {
    let leaf = prop_oneof![4 => (0..8usize).prop_map(Expr::Var), 1 => (-3..4i64).prop_map(Expr::Const)].boxed();
    let mut expr = leaf.clone();
    for _ in 0..2 {
        let (a, b) = (expr.clone(), expr.clone());
        let mut choices = vec![
            leaf.clone(),
            (a.clone(), b.clone())
                .prop_map(|(a, b)| Expr::Plus(Box::new(a), Box::new(b)))
                .boxed(),
            (-2..3i64, a.clone())
                .prop_map(|(c, a)| Expr::Scaled(c, Box::new(a)))
                .boxed(),
        ];
        if features.functions {
            choices.push(
                (0..2usize, a.clone())
                    .prop_map(|(f, a)| Expr::Apply(f, Box::new(a)))
                    .boxed(),
            );
        }
        if features.division {
            choices.push(
                (a.clone(), 2..4i64)
                    .prop_map(|(a, c)| Expr::Div(Box::new(a), c))
                    .boxed(),
            );
        }
        if features.conditionals {
            let condition = (leaf.clone(), leaf.clone()).prop_map(|(a, b)| Formula::AtMost(a, b));
            choices.push(
                (condition, a, b)
                    .prop_map(|(c, a, b)| Expr::Ite(Box::new(c), Box::new(a), Box::new(b)))
                    .boxed(),
            );
        }
        expr = prop::strategy::Union::new(choices).boxed();
    }
    expr
}

/// Random formulas with the given features, of connective depth at most `depth`.
pub fn formulas(features: Features, depth: u32) -> BoxedStrategy<Formula> {
    let expr = expressions(features);
    let leaf = prop_oneof![
        4 => (expr.clone(), expr.clone()).prop_map(|(a, b)| Formula::AtMost(a, b)),
        2 => (expr.clone(), expr).prop_map(|(a, b)| Formula::Equal(a, b)),
        1 => (0..2usize).prop_map(Formula::Proposition),
    ];
    leaf.prop_recursive(depth, 24, 4, |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|f| Formula::Not(Box::new(f))),
            3 => prop::collection::vec(inner.clone(), 2..5).prop_map(Formula::And),
            3 => prop::collection::vec(inner.clone(), 2..5).prop_map(Formula::Or),
            1 => (inner.clone(), inner).prop_map(|(a, b)| Formula::Iff(Box::new(a), Box::new(b))),
        ]
    })
    .boxed()
}

impl Vocabulary {
    /// The term of an expression.
    pub fn expr(&self, pool: &mut TermPool, expr: &Expr) -> TermId {
        match expr {
            Expr::Var(i) => self.integers[i % self.integers.len()],
            Expr::Const(value) => pool.int(*value),
            Expr::Scaled(factor, a) => {
                let a = self.expr(pool, a);
                pool.scale(&Int::from(*factor), a)
            }
            Expr::Plus(a, b) => {
                let (a, b) = (self.expr(pool, a), self.expr(pool, b));
                pool.add(a, b)
            }
            Expr::Apply(f, a) => {
                let (name, index) = self.functions[f % self.functions.len()];
                let (name, a) = (pool.symbol(name), self.expr(pool, a));
                pool.app(name, index, &[a])
            }
            Expr::Div(a, divisor) => {
                let a = self.expr(pool, a);
                pool.div_floor(a, &Int::from(*divisor))
            }
            Expr::Ite(c, a, b) => {
                let (c, a, b) = (self.formula(pool, c), self.expr(pool, a), self.expr(pool, b));
                pool.ite(c, a, b)
            }
        }
    }

    /// The term of a formula.
    pub fn formula(&self, pool: &mut TermPool, formula: &Formula) -> TermId {
        match formula {
            Formula::AtMost(a, b) => {
                let (a, b) = (self.expr(pool, a), self.expr(pool, b));
                pool.le(a, b)
            }
            Formula::Equal(a, b) => {
                let (a, b) = (self.expr(pool, a), self.expr(pool, b));
                pool.eq(a, b)
            }
            Formula::Proposition(i) => self.propositions[i % self.propositions.len()],
            Formula::Not(a) => {
                let a = self.formula(pool, a);
                pool.not(a)
            }
            Formula::And(arguments) => {
                let arguments: Vec<TermId> = arguments.iter().map(|a| self.formula(pool, a)).collect();
                pool.and(&arguments)
            }
            Formula::Or(arguments) => {
                let arguments: Vec<TermId> = arguments.iter().map(|a| self.formula(pool, a)).collect();
                pool.or(&arguments)
            }
            Formula::Iff(a, b) => {
                let (a, b) = (self.formula(pool, a), self.formula(pool, b));
                pool.iff(a, b)
            }
        }
    }
}
