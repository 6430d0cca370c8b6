//! Models, and the evaluation of terms in them.
//!
//! A model gives every variable a value and every function a finite table with a default. Evaluation follows the definition of
//! the term language and shares no code with the search or its theories: it is the check of every satisfiable answer.
//!
//! A [`Term::Update`] speaks about all integers. It is evaluated at every point that the tables of its functions mention, at the
//! first and last cell of its range, and at their neighbours. All other points take default values on every side, so that outside of the
//! range nothing is missed; inside a range longer than two cells, the unmentioned cells are taken to hold what the update says.

use crate::hash::FxHashMap;
use crate::num::{Int, Rational};
use crate::term::{Sort, Symbol, Term, TermId, TermPool, UpdateSource};
use std::collections::{BTreeMap, BTreeSet};

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The value of a formula.
    Bool(bool),
    /// The value of an integer term.
    Int(Int),
    /// The value of a term of the sort `Real`.
    Real(Rational),
}

/// The interpretation of a function: a finite table and a value for everything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    /// The values at the points that the model mentions.
    pub points: BTreeMap<Vec<Int>, Int>,
    /// The value everywhere else.
    pub default: Int,
}

impl Table {
    /// The function's value at a point.
    pub fn at(&self, point: &[Int]) -> &Int {
        self.points.get(point).unwrap_or(&self.default)
    }
}

/// The interpretation of a function of reals, as a [`Table`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RealTable {
    /// The values at the points that the model mentions.
    pub points: BTreeMap<Vec<Rational>, Rational>,
    /// The value everywhere else.
    pub default: Rational,
}

impl RealTable {
    /// The function's value at a point.
    pub fn at(&self, point: &[Rational]) -> &Rational {
        self.points.get(point).unwrap_or(&self.default)
    }
}

/// An operation that a function can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The product of all arguments.
    Product,
    /// SMT-LIB's `div` of integers.
    Div,
    /// SMT-LIB's `mod` of integers.
    Mod,
    /// SMT-LIB's `/` of reals.
    Quotient,
}

impl Operation {
    /// The value at a point; none for a division by zero, which may have any value.
    fn at(self, point: &[Rational]) -> Option<Rational> {
        if self == Operation::Product {
            return Some(point.iter().fold(Rational::ONE, |product, value| product * value));
        }
        let [dividend, divisor] = point else {
            panic!("a division has two arguments")
        };
        if divisor.is_zero() {
            return None;
        }
        let ratio = dividend / divisor;
        let quotient = if divisor.is_positive() {
            ratio.floor()
        } else {
            ratio.ceil()
        };
        Some(match self {
            Operation::Div => quotient.into(),
            Operation::Mod => dividend - &(divisor * &Rational::from(quotient)),
            _ => ratio,
        })
    }
}

/// Values for variables and functions; whatever is not mentioned is 0 or false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    ints: FxHashMap<Symbol, Int>,
    bools: FxHashMap<Symbol, bool>,
    functions: FxHashMap<Symbol, Table>,
    reals: FxHashMap<Symbol, Rational>,
    real_functions: FxHashMap<Symbol, RealTable>,
    /// Functions that stand for operations; their tables only say what a division by zero is.
    operations: FxHashMap<Symbol, Operation>,
}

impl Model {
    /// The model in which everything is 0 or false.
    pub fn new() -> Self {
        Model::default()
    }

    /// Sets an integer variable.
    pub fn set_int(&mut self, variable: Symbol, value: Int) {
        self.ints.insert(variable, value);
    }

    /// Sets a real variable.
    pub fn set_real(&mut self, variable: Symbol, value: Rational) {
        self.reals.insert(variable, value);
    }

    /// Sets the value of a function of reals at one point.
    pub fn set_real_point(&mut self, function: Symbol, point: Vec<Rational>, value: Rational) {
        let table = self.real_functions.entry(function).or_default();
        table.points.insert(point, value);
    }

    /// Lets a function stand for an operation.
    pub fn interpret(&mut self, function: Symbol, operation: Operation) {
        self.operations.insert(function, operation);
    }

    /// Mentions a function of reals, so that the model defines it even where it has no point.
    pub fn mention_real_function(&mut self, function: Symbol) {
        self.real_functions.entry(function).or_default();
    }

    /// Sets a propositional variable.
    pub fn set_bool(&mut self, variable: Symbol, value: bool) {
        self.bools.insert(variable, value);
    }

    /// Sets a function's value at one point.
    pub fn set_point(&mut self, function: Symbol, point: Vec<Int>, value: Int) {
        self.functions.entry(function).or_default().points.insert(point, value);
    }

    /// Sets a function's value at all points that are not set by [`Model::set_point`].
    pub fn set_default(&mut self, function: Symbol, value: Int) {
        self.functions.entry(function).or_default().default = value;
    }

    /// The value of an integer variable, 0 if the model does not mention it.
    pub fn int(&self, variable: Symbol) -> Int {
        self.ints.get(&variable).cloned().unwrap_or_default()
    }

    /// The value of a real variable, 0 if the model does not mention it.
    pub fn real(&self, variable: Symbol) -> Rational {
        self.reals.get(&variable).cloned().unwrap_or_default()
    }

    /// The table of a function of reals, if the model mentions the function.
    pub fn real_function(&self, function: Symbol) -> Option<&RealTable> {
        self.real_functions.get(&function)
    }

    /// The value of a propositional variable, false if the model does not mention it.
    pub fn bool(&self, variable: Symbol) -> bool {
        self.bools.get(&variable).copied().unwrap_or(false)
    }

    /// The value of a function at a point.
    pub fn app(&self, function: Symbol, point: &[Int]) -> Int {
        self.functions
            .get(&function)
            .map_or(Int::ZERO, |table| table.at(point).clone())
    }

    /// The function's table, if the model mentions the function.
    pub fn function(&self, function: Symbol) -> Option<&Table> {
        self.functions.get(&function)
    }

    /// All symbols that the model mentions, sorted by id.
    pub fn symbols(&self) -> Vec<Symbol> {
        let all = self.ints.keys().chain(self.bools.keys()).chain(self.functions.keys());
        let all = all.chain(self.reals.keys()).chain(self.real_functions.keys());
        all.copied().collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// Whether the model mentions the symbol.
    pub fn defines(&self, symbol: Symbol) -> bool {
        self.ints.contains_key(&symbol)
            || self.bools.contains_key(&symbol)
            || self.functions.contains_key(&symbol)
            || self.reals.contains_key(&symbol)
            || self.real_functions.contains_key(&symbol)
    }

    /// The value of the term, if the model mentions all of its symbols.
    pub fn value(&self, pool: &TermPool, term: TermId) -> Option<Value> {
        let defined = pool.symbols(term).into_iter().all(|symbol| self.defines(symbol));
        defined.then(|| self.eval(pool, term))
    }

    /// The value of the term.
    pub fn eval(&self, pool: &TermPool, term: TermId) -> Value {
        self.evaluator(pool).eval(term)
    }

    /// The truth value of a formula.
    ///
    /// # Panics
    /// If the term is a number.
    pub fn eval_bool(&self, pool: &TermPool, formula: TermId) -> bool {
        self.evaluator(pool).eval_bool(formula)
    }

    /// The value of an integer term.
    ///
    /// # Panics
    /// If the term is no integer term.
    pub fn eval_int(&self, pool: &TermPool, term: TermId) -> Int {
        self.evaluator(pool).eval_int(term)
    }

    /// The value of a number of either sort.
    ///
    /// # Panics
    /// If the term is a formula.
    pub fn eval_real(&self, pool: &TermPool, term: TermId) -> Rational {
        self.evaluator(pool).eval_real(term)
    }

    /// An evaluator, which remembers the values of sub-terms from one question to the next.
    pub fn evaluator<'a>(&'a self, pool: &'a TermPool) -> Evaluator<'a> {
        Evaluator {
            model: self,
            pool,
            values: FxHashMap::default(),
        }
    }
}

/// Evaluates terms in one model, each sub-term once.
pub struct Evaluator<'a> {
    model: &'a Model,
    pool: &'a TermPool,
    values: FxHashMap<TermId, Value>,
}

impl Evaluator<'_> {
    /// The value of the term. Takes time linear in the number of sub-terms not seen before.
    pub fn eval(&mut self, root: TermId) -> Value {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.values.contains_key(&term) {
                stack.pop();
                continue;
            }
            let height = stack.len();
            self.pool.term(term).for_each_child(|child| {
                if !self.values.contains_key(&child) {
                    stack.push(child);
                }
            });
            if stack.len() == height {
                stack.pop();
                let value = self.value_over_children(term);
                self.values.insert(term, value);
            }
        }
        self.values[&root].clone()
    }

    /// The truth value of a formula.
    ///
    /// # Panics
    /// If the term is a number.
    pub fn eval_bool(&mut self, formula: TermId) -> bool {
        assert_eq!(self.pool.sort(formula), Sort::Bool, "the truth value of a number");
        self.eval(formula) == Value::Bool(true)
    }

    /// The value of an integer term.
    ///
    /// # Panics
    /// If the term is no integer term.
    pub fn eval_int(&mut self, term: TermId) -> Int {
        match self.eval(term) {
            Value::Int(value) => value,
            Value::Bool(_) | Value::Real(_) => panic!("the integer value of another term"),
        }
    }

    /// The value of a number of either sort.
    ///
    /// # Panics
    /// If the term is a formula.
    pub fn eval_real(&mut self, term: TermId) -> Rational {
        self.eval(term);
        self.rational(term)
    }

    /// The value of an application that stands for an operation.
    fn operated(&self, function: Symbol, arguments: &[TermId]) -> Option<Rational> {
        let operation = self.model.operations.get(&function)?;
        let point: Vec<Rational> = arguments.iter().map(|&a| self.rational(a)).collect();
        operation.at(&point)
    }

    fn truth(&self, formula: TermId) -> bool {
        self.values[&formula] == Value::Bool(true)
    }

    fn number(&self, term: TermId) -> &Int {
        match &self.values[&term] {
            Value::Int(value) => value,
            Value::Bool(_) | Value::Real(_) => panic!("an integer operator over another term"),
        }
    }

    /// The value of a number of any sort.
    fn rational(&self, term: TermId) -> Rational {
        match &self.values[&term] {
            Value::Int(value) => Rational::from(value),
            Value::Real(value) => value.clone(),
            Value::Bool(_) => panic!("a number's operator over a formula"),
        }
    }

    /// -1, 0 or 1: the sign of a number.
    fn sign(&self, term: TermId) -> i32 {
        match &self.values[&term] {
            Value::Int(value) => value.signum(),
            Value::Real(value) => value.signum(),
            Value::Bool(_) => panic!("the sign of a formula"),
        }
    }

    fn value_over_children(&self, id: TermId) -> Value {
        match self.pool.term(id) {
            Term::True => Value::Bool(true),
            Term::False => Value::Bool(false),
            Term::BoolVar(s) => Value::Bool(self.model.bool(*s)),
            Term::Not(a) => Value::Bool(!self.truth(*a)),
            Term::And(list) => Value::Bool(list.iter().all(|&a| self.truth(a))),
            Term::Or(list) => Value::Bool(list.iter().any(|&a| self.truth(a))),
            Term::Iff(a, b) => Value::Bool(self.truth(*a) == self.truth(*b)),
            Term::IteBool(c, a, b) => Value::Bool(self.truth(if self.truth(*c) { *a } else { *b })),
            Term::Le(a) => Value::Bool(self.sign(*a) <= 0),
            Term::Lt(a) => Value::Bool(self.sign(*a) < 0),
            Term::Eq(a) => Value::Bool(self.sign(*a) == 0),
            Term::Update {
                new,
                old,
                lo,
                hi,
                source,
            } => Value::Bool(self.update_holds(*new, *old, self.number(*lo), self.number(*hi), source)),
            Term::IntVar(s) => Value::Int(self.model.int(*s)),
            Term::App(f, arguments) => {
                if let Some(value) = self.operated(*f, arguments) {
                    return Value::Int(value.floor());
                }
                let point: Vec<Int> = arguments.iter().map(|&a| self.number(a).clone()).collect();
                Value::Int(self.model.app(*f, &point))
            }
            Term::RealVar(s) => Value::Real(self.model.real(*s)),
            Term::RealApp(f, arguments) => {
                if let Some(value) = self.operated(*f, arguments) {
                    return Value::Real(value);
                }
                let point: Vec<Rational> = arguments.iter().map(|&a| self.rational(a)).collect();
                let table = self.model.real_function(*f);
                Value::Real(table.map_or(Rational::ZERO, |table| table.at(&point).clone()))
            }
            Term::Ratio(a, divisor) => Value::Real(self.rational(*a) / Rational::from(divisor)),
            Term::Const(value) => Value::Int(value.clone()),
            Term::Sum(monomials, constant) if self.pool.is_real(id) => {
                let mut sum = Rational::from(constant);
                for (coefficient, term) in monomials {
                    sum.add_mul(&Rational::from(coefficient), &self.rational(*term));
                }
                Value::Real(sum)
            }
            Term::Sum(monomials, constant) => {
                let mut sum = constant.clone();
                for (coefficient, term) in monomials {
                    sum.add_mul(coefficient, self.number(*term));
                }
                Value::Int(sum)
            }
            Term::Div(a, divisor) if self.pool.is_real(*a) => {
                Value::Int((self.rational(*a) / Rational::from(divisor)).floor())
            }
            Term::Div(a, divisor) => Value::Int(self.number(*a).div_floor(divisor)),
            Term::Ite(c, a, b) if self.pool.is_real(id) => {
                Value::Real(self.rational(if self.truth(*c) { *a } else { *b }))
            }
            Term::Ite(c, a, b) => self.values[if self.truth(*c) { a } else { b }].clone(),
        }
    }

    fn update_holds(&self, new: Symbol, old: Symbol, lo: &Int, hi: &Int, source: &UpdateSource) -> bool {
        let mut points: BTreeSet<Int> = [lo - Int::ONE, lo.clone(), hi - Int::ONE, hi.clone()].into();
        let mentioned = |f: Symbol| {
            let table = self.model.function(f).into_iter();
            table.flat_map(|table| table.points.keys().filter_map(|point| point.first().cloned()))
        };
        points.extend(mentioned(new));
        points.extend(mentioned(old));
        if let UpdateSource::Copy { from, shift } = source {
            points.extend(mentioned(*from).map(|x| x - self.number(*shift)));
        }
        points.into_iter().all(|x| {
            let after = self.model.app(new, std::slice::from_ref(&x));
            if x < *lo || x >= *hi {
                return after == self.model.app(old, &[x]);
            }
            match source {
                UpdateSource::Const(value) => after == *self.number(*value),
                UpdateSource::Havoc => true,
                UpdateSource::Copy { from, shift } => after == self.model.app(*from, &[x + self.number(*shift)]),
            }
        })
    }
}
