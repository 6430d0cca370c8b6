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
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
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

/// A function in a model: values at some points, and everywhere else those of another function, or a default.
///
/// A path that writes to memory ten thousand times has as many functions, each of which differs from the one before it at a few points.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Definition {
    points: BTreeMap<Vec<Int>, Int>,
    base: Option<Symbol>,
    default: Int,
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

/// Values for variables and functions; all that is not mentioned is 0 or false.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Model {
    ints: FxHashMap<Symbol, Int>,
    bools: FxHashMap<Symbol, bool>,
    functions: FxHashMap<Symbol, Definition>,
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

    /// Lets a function stand for an operation: its value is the operation's result where that is defined, else that of its points.
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

    /// Sets a function's value at one point: one number for each argument, in order.
    pub fn set_point(&mut self, function: Symbol, point: Vec<Int>, value: Int) {
        self.functions.entry(function).or_default().points.insert(point, value);
    }

    /// Lets a function have the values of another one at all points that are not set by [`Model::set_point`]. The other one must not get its own values from this one.
    pub fn set_base(&mut self, function: Symbol, base: Symbol) {
        self.functions.entry(function).or_default().base = Some(base);
    }

    /// Sets the value of a function that has no base at all points that are not set by [`Model::set_point`].
    pub fn set_default(&mut self, function: Symbol, value: Int) {
        self.functions.entry(function).or_default().default = value;
    }

    /// Gives a function of one argument that has no base the value that it has at a point at all points that are not set, if that point is.
    pub fn spread(&mut self, function: Symbol, point: &Int) {
        if let Some(definition) = self.functions.get_mut(&function)
            && definition.base.is_none()
            && let Some(value) = definition.points.get(std::slice::from_ref(point))
        {
            definition.default = value.clone();
        }
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

    /// The value of a function at a point, which has one number for each argument; 0 if the model says nothing of it.
    pub fn app(&self, function: Symbol, point: &[Int]) -> Int {
        let mut last = Int::ZERO;
        for definition in self.definitions(function) {
            if let Some(value) = definition.points.get(point) {
                return value.clone();
            }
            last = definition.default.clone();
        }
        last
    }

    /// The function's table, if the model mentions the function. It is put together from those of other functions if need be.
    pub fn function(&self, function: Symbol) -> Option<Table> {
        self.functions.get(&function)?;
        let mut table = Table::default();
        for definition in self.definitions(function) {
            for (point, value) in &definition.points {
                table.points.entry(point.clone()).or_insert_with(|| value.clone());
            }
            table.default = definition.default.clone();
        }
        Some(table)
    }

    /// Whether a point of its own, or one of a base, gives the function's value there: not only a default.
    pub fn mentions_point(&self, function: Symbol, point: &[Int]) -> bool {
        self.definitions(function)
            .any(|definition| definition.points.contains_key(point))
    }

    /// The points from a number up to another one that the model mentions of a function of one argument, with its values there.
    pub fn points_between(&self, function: Symbol, first: &Int, end: &Int) -> Vec<(Int, Int)> {
        let points = self.definitions(function).flat_map(|definition| {
            let points = definition.points.range(vec![first.clone()]..);
            points
                .map_while(|(point, _)| point.first())
                .take_while(|point| *point < end)
        });
        let points: BTreeSet<&Int> = points.collect();
        let value = |point: &Int| self.app(function, std::slice::from_ref(point));
        points.into_iter().map(|point| (point.clone(), value(point))).collect()
    }

    /// The definition of a function and those of the functions below it.
    fn definitions(&self, function: Symbol) -> impl Iterator<Item = &Definition> {
        let base = |definition: &&Definition| self.functions.get(&definition.base?);
        std::iter::successors(self.functions.get(&function), base)
    }

    /// All symbols that the model mentions, sorted by id.
    pub fn symbols(&self) -> Vec<Symbol> {
        let all = self.ints.keys().chain(self.bools.keys()).chain(self.functions.keys());
        let all = all.chain(self.reals.keys()).chain(self.real_functions.keys());
        all.copied().collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// A number that is larger than the size of each integer that the model mentions.
    pub fn bound(&self) -> Int {
        let functions = self.functions.values().flat_map(|function| {
            let points = function
                .points
                .iter()
                .flat_map(|(point, value)| point.iter().chain([value]));
            points.chain([&function.default])
        });
        let largest = self.ints.values().chain(functions).map(Int::abs).max();
        let reals = self.real_functions.values().flat_map(|function| {
            let points = function
                .points
                .iter()
                .flat_map(|(point, value)| point.iter().chain([value]));
            points.chain([&function.default])
        });
        let largest_real = reals.map(|number| number.floor().abs()).max();
        &largest.max(largest_real).unwrap_or_default() + &Int::from(2)
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
        let model = self.model;
        let mut points: BTreeSet<Int> = [lo - Int::ONE, lo.clone(), hi - Int::ONE, hi.clone()].into();
        let first = |point: &Vec<Int>| point.first().cloned();
        let own = |f: Symbol| {
            let definitions = model.functions.get(&f).into_iter();
            definitions.flat_map(|definition| definition.points.keys().filter_map(first))
        };
        let mentioned = |f: Symbol| {
            let definitions = model.definitions(f);
            definitions.flat_map(|definition| definition.points.keys().filter_map(first))
        };
        points.extend(own(new));
        // Where a function is made from the other one, they are the same at all points but its own. A range of two cells is looked at in any case.
        let is_based = model.functions.get(&new).is_some_and(|f| f.base == Some(old));
        let is_short = hi - lo <= Int::from(2);
        if !is_based || !is_short {
            points.extend(mentioned(new));
            points.extend(mentioned(old));
            if let UpdateSource::Copy { from, shift } = source {
                points.extend(mentioned(*from).map(|x| x - self.number(*shift)));
            }
        }
        points.into_iter().all(|x| {
            if x < *lo || x >= *hi {
                let point = std::slice::from_ref(&x);
                let is_same = is_based && !model.functions[&new].points.contains_key(point);
                return is_same || model.app(new, point) == model.app(old, point);
            }
            let after = model.app(new, std::slice::from_ref(&x));
            match source {
                UpdateSource::Const(value) => after == *self.number(*value),
                UpdateSource::Havoc => true,
                UpdateSource::Copy { from, shift } => after == model.app(*from, &[x + self.number(*shift)]),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::NO_INDEX;

    fn symbol(pool: &mut TermPool, name: &str) -> Symbol {
        Symbol {
            name: pool.symbol(name),
            index: NO_INDEX,
        }
    }

    #[test]
    fn a_function_has_what_its_base_has_but_at_its_own_points() {
        let mut pool = TermPool::new();
        let [old, new, free] = ["old", "new", "free"].map(|name| symbol(&mut pool, name));
        let int = |n: i64| Int::from(n);
        let mut model = Model::new();
        model.set_point(old, vec![int(1)], int(10));
        model.set_point(old, vec![int(2)], int(20));
        model.set_base(new, old);
        model.set_point(new, vec![int(2)], int(7));
        let at = |model: &Model, f: Symbol| (0..4).map(|x| model.app(f, &[int(x)])).collect::<Vec<_>>();
        assert_eq!(at(&model, old), [0, 10, 20, 0].map(int));
        assert_eq!(at(&model, new), [0, 10, 7, 0].map(int));
        assert_eq!(at(&model, free), [0; 4].map(int));
        let table = model.function(new).unwrap();
        assert_eq!(table.points.len(), 2);
        assert!((0..4).all(|x| *table.at(&[int(x)]) == model.app(new, &[int(x)])));
        assert!(model.mentions_point(new, &[int(1)]) && !model.mentions_point(new, &[int(3)]));
        assert_eq!(model.function(free), None);
    }

    #[test]
    fn an_update_holds_where_a_base_says_so_and_fails_where_it_does_not() {
        let mut pool = TermPool::new();
        let [old, new] = ["old", "new"].map(|name| symbol(&mut pool, name));
        let mut holds = |own: &[(i64, i64)], (lo, hi): (i64, i64)| {
            let mut model = Model::new();
            for x in 0..6 {
                model.set_point(old, vec![Int::from(x)], Int::from(x));
            }
            model.set_base(new, old);
            for &(x, value) in own {
                model.set_point(new, vec![Int::from(x)], Int::from(value));
            }
            let (lo, hi, nine) = (pool.int(lo), pool.int(hi), pool.int(9));
            let update = pool.update(new, old, lo, hi, UpdateSource::Const(nine));
            model.eval_bool(&pool, update)
        };
        assert!(holds(&[(2, 9)], (2, 3)));
        assert!(!holds(&[], (2, 3)), "the cell was not written");
        assert!(!holds(&[(2, 9), (4, 9)], (2, 3)), "another cell was");
        assert!(holds(&[(1, 9), (2, 9), (3, 9), (4, 9)], (1, 5)));
        assert!(
            !holds(&[(1, 9), (2, 9), (4, 9)], (1, 5)),
            "in the middle of a range the old value is left"
        );
        assert!(
            holds(&[(4, 4)], (3, 3)),
            "an empty range, and what the old one has anyway"
        );
    }
}
