//! The theory of arrays, by functions and their updates.
//!
//! An array is a function of one argument, and `(select a i)` its application. The solver knows updates (see
//! [`Term::Update`](crate::term::Term::Update)): the function `b` is `a` but for the value at one point. So each other array term gets a function of its own, once,
//! and a *definition*, which is asserted together with whatever mentions the function:
//!
//! * `b` for `(store a i v)`: `b` is `a` but for `v` at `i`;
//! * `b` for `(ite c a1 a2)`: `b` is `a1` if `c` holds, and `a2` if not;
//! * a proposition for `(= a1 a2)`: if it is true, `a1` is `a2`; and if it is false, they differ at an index `k`, which is fresh (extensionality).
//!
//! A definition says nothing of what it does not define, so it neither adds nor loses a model. Read-over-write then is the instance of an update at an index: a
//! lemma that proofs contain, and that their checker knows.
//!
//! Constant arrays are the affair of [`constant_arrays`](super::constant_arrays).
//!
//! Arrays as indices, elements and arguments of functions are the affair of [`array_values`](super::array_values).
//!
//! Indices and elements are integers, truth values, of declared sorts, or arrays. Arrays of reals and of bit-vectors are not supported.

use super::answer::value_text;
use super::array_definitions::{Arrays, Definition, Shape};
use super::elaborate::Ty;
use super::limits::MAX_TEXT;
use super::scope::{Declaration, Meaning, Scope, Typed};
use super::sexpr::{Error, Expr};
use crate::hash::FxHashMap;
use crate::model::{Table, Value};
use crate::num::Int;
use crate::term::{NO_INDEX, Symbol, Term, TermId, TermPool, UpdateSource};

/// The function of an array term. Such terms are variables, which no formula contains.
pub(super) fn function_of(pool: &TermPool, array: TermId) -> Symbol {
    match pool.term(array) {
        Term::IntVar(symbol) => *symbol,
        other => unreachable!("not an array: {other:?}"),
    }
}

/// The integer that stands for a value.
pub(super) fn as_integer(pool: &mut TermPool, value: Typed) -> TermId {
    if value.ty != Ty::Bool {
        return value.term;
    }
    let (zero, one) = (pool.int(0), pool.int(1));
    pool.ite(value.term, one, zero)
}

/// The text of an operator with its arguments, if they have one.
pub(super) fn text(operator: &str, arguments: [Option<String>; 3]) -> Option<String> {
    let mut text = format!("({operator}");
    for argument in arguments {
        let argument = argument?;
        if !argument.is_empty() {
            text.push(' ');
            text.push_str(&argument);
        }
    }
    text.push(')');
    (text.len() <= MAX_TEXT).then_some(text)
}

impl Scope {
    /// Applies an operator to arrays. None if it is no operator on arrays.
    pub fn array_operator(
        &mut self,
        pool: &mut TermPool,
        expr: &Expr<'_>,
        node: usize,
        name: &str,
        values: &[Typed],
    ) -> Option<Result<Typed, Error>> {
        let is_array = |value: &Typed| matches!(value.ty, Ty::Array(_));
        let relevant = match name {
            "select" | "store" => true,
            "=" | "distinct" => values.first().is_some_and(is_array),
            "ite" => values.get(1).is_some_and(is_array),
            _ => false,
        };
        relevant.then(|| match name {
            "select" => self.select(pool, expr, node, values),
            "store" => self.store(pool, expr, node, values),
            "ite" => self.choose(pool, expr, node, values),
            _ => self.equate(pool, expr, node, name == "distinct", values),
        })
    }

    /// The arguments of an operator, which have to be an array and further values. Returns the array's function, the number of its sort, and the values.
    fn array_arguments(
        &self,
        pool: &TermPool,
        expr: &Expr<'_>,
        node: usize,
        values: &[Typed],
        count: usize,
    ) -> Result<(Symbol, usize), Error> {
        if values.len() != count {
            let found = values.len();
            return Err(expr.error(node, format!("expected {count} arguments, found {found}")));
        }
        let Ty::Array(sort) = values[0].ty else {
            let found = self.sort_text(values[0].ty);
            return Err(expr.error(
                node,
                format!("the first argument has sort {found}, but an array is needed"),
            ));
        };
        let (index, element) = self.sorts.array(sort);
        for (&value, wanted) in values[1..].iter().zip([index, element]) {
            self.expect(expr, node, value, wanted)?;
        }
        Ok((function_of(pool, values[0].term), sort))
    }

    fn select(&mut self, pool: &mut TermPool, expr: &Expr<'_>, node: usize, values: &[Typed]) -> Result<Typed, Error> {
        let (array, sort) = self.array_arguments(pool, expr, node, values, 2)?;
        self.note_array(array, sort);
        let (_, element) = self.sorts.array(sort);
        let index = as_integer(pool, values[1]);
        let known = self.arrays.values.constant_element(pool, array, index);
        let term = match known {
            Some(value) => typed_number(pool, value, element),
            None => read(pool, array, index, element),
        };
        Ok(match element {
            Ty::Array(sort) => self.named_array(pool, term, sort),
            ty => Typed { term, ty },
        })
    }

    fn store(&mut self, pool: &mut TermPool, expr: &Expr<'_>, node: usize, values: &[Typed]) -> Result<Typed, Error> {
        let (array, sort) = self.array_arguments(pool, expr, node, values, 3)?;
        self.note_array(array, sort);
        let [index, value] = [1, 2].map(|at| as_integer(pool, values[at]));
        Ok(self.stored(pool, array, index, value, sort))
    }

    /// The array that is another one but for its value at an index.
    pub fn stored(&mut self, pool: &mut TermPool, array: Symbol, index: TermId, value: TermId, sort: usize) -> Typed {
        self.array_term(pool, Shape::Store(array, index, value), sort, |_, pool, new| {
            pool.point_update(new, array, index, value)
        })
    }

    fn choose(&mut self, pool: &mut TermPool, expr: &Expr<'_>, node: usize, values: &[Typed]) -> Result<Typed, Error> {
        let (&[condition, yes, no], Ty::Array(sort)) = (values, values[1].ty) else {
            return Err(expr.error(node, format!("expected 3 arguments, found {}", values.len())));
        };
        let condition = self.expect(expr, node, condition, Ty::Bool)?;
        self.expect(expr, node, no, yes.ty)?;
        match pool.term(condition) {
            Term::True => return Ok(yes),
            Term::False => return Ok(no),
            _ if yes.term == no.term => return Ok(yes),
            _ => {}
        }
        let [yes, no] = [yes, no].map(|array| function_of(pool, array.term));
        for array in [yes, no] {
            self.note_array(array, sort);
        }
        let shape = Shape::Choice(condition, yes, no);
        Ok(self.array_term(pool, shape, sort, |_, pool, new| {
            let (yes, no) = (copy(pool, new, yes), copy(pool, new, no));
            let otherwise = pool.not(condition);
            let cases = [pool.and2(condition, yes), pool.and2(otherwise, no)];
            pool.or(&cases)
        }))
    }

    fn equate(
        &mut self,
        pool: &mut TermPool,
        expr: &Expr<'_>,
        node: usize,
        distinct: bool,
        values: &[Typed],
    ) -> Result<Typed, Error> {
        let mut functions = Vec::with_capacity(values.len());
        for &value in values {
            let term = self.expect(expr, node, value, values[0].ty)?;
            functions.push(function_of(pool, term));
        }
        let Ty::Array(sort) = values[0].ty else {
            unreachable!("only called for arrays")
        };
        let mut parts = Vec::new();
        for (at, &left) in functions.iter().enumerate() {
            let later = &functions[at + 1..];
            let compared = if distinct { later.len() } else { later.len().min(1) };
            for &right in &later[..compared] {
                let equal = self.array_equality(pool, left, right, sort);
                parts.push(if distinct { pool.not(equal) } else { equal });
            }
        }
        Ok(Typed {
            term: pool.and(&parts),
            ty: Ty::Bool,
        })
    }

    /// The proposition that two arrays are equal.
    pub fn array_equality(&mut self, pool: &mut TermPool, a: Symbol, b: Symbol, sort: usize) -> TermId {
        match self.arrays.values.are_equal_constants(&self.sorts, a, b, sort) {
            _ if a == b => return pool.mk_true(),
            Some(true) => return pool.mk_true(),
            Some(false) => return pool.mk_false(),
            None => {}
        }
        let (left, right) = if pool.compare_symbols(a, b).is_le() {
            (a, b)
        } else {
            (b, a)
        };
        let shape = Shape::Equality(left, right);
        if let Some(&known) = self.arrays.of_shape.get(&(shape, sort)) {
            let symbol = self.arrays.definitions[known].symbol;
            return pool.bool_var(symbol.name, symbol.index);
        }
        let (symbol, witness) = (self.fresh_symbol(pool, "equal"), self.fresh_symbol(pool, "differ"));
        let name = pool.bool_var(symbol.name, symbol.index);
        for array in [left, right] {
            self.note_array(array, sort);
        }
        let (index, element) = self.sorts.array(sort);
        let at = pool.int_var(witness.name, witness.index);
        let [one, other] = [left, right].map(|array| read(pool, array, at, element));
        let differ = pool.ne(one, other);
        let same = copy(pool, left, right);
        let not_name = pool.not(name);
        let mut conjuncts = vec![pool.or2(not_name, same), pool.or2(name, differ)];
        if index == Ty::Bool {
            // Only two points of the function are indices.
            let (zero, one) = (pool.int(0), pool.int(1));
            conjuncts.extend([pool.le(zero, at), pool.le(at, one)]);
        }
        let formula = pool.and(&conjuncts);
        self.define_array(symbol, shape, sort, formula);
        name
    }

    /// The array term of this shape.
    pub fn array_term(
        &mut self,
        pool: &mut TermPool,
        shape: Shape,
        sort: usize,
        define: impl FnOnce(&mut Arrays, &mut TermPool, Symbol) -> TermId,
    ) -> Typed {
        let symbol = match self.arrays.of_shape.get(&(shape, sort)) {
            Some(&known) => self.arrays.definitions[known].symbol,
            None => {
                let symbol = self.fresh_symbol(pool, "array");
                self.note_array(symbol, sort);
                self.arrays.values.note_constants(pool, symbol, shape);
                let formula = define(&mut self.arrays, pool, symbol);
                self.define_array(symbol, shape, sort, formula);
                symbol
            }
        };
        Typed {
            term: pool.int_var(symbol.name, symbol.index),
            ty: Ty::Array(sort),
        }
    }

    /// Notes the function of an array, also for constant arrays, to whose indices those of all arrays belong.
    pub fn note_array(&mut self, array: Symbol, sort: usize) {
        self.arrays.values.note(array, sort);
        if self.sorts.is_infinite(self.sorts.array(sort).0) {
            self.arrays.constants.note(array);
        }
    }

    fn define_array(&mut self, symbol: Symbol, shape: Shape, sort: usize, formula: TermId) {
        let at = self.arrays.definitions.len();
        self.arrays.of_shape.insert((shape, sort), at);
        self.arrays.of_symbol.insert(symbol, at);
        self.arrays.definitions.push(Definition {
            symbol,
            shape,
            sort,
            formula,
        });
    }

    /// The updates of formulas with what they mean in the script's language, which has none: one that defines a store says nothing, and a copy is an equation.
    pub fn meanings_of_updates(&mut self, pool: &mut TermPool, formulas: &[TermId]) -> FxHashMap<TermId, TermId> {
        let mut updates = Vec::new();
        pool.visit(formulas, |id, term| {
            if let Term::Update { new, old, lo, hi, .. } = term {
                updates.push((id, *new, *old, lo == hi));
            }
        });
        let mut meanings = FxHashMap::default();
        for (id, new, old, is_copy) in updates {
            let sort = [new, old]
                .iter()
                .find_map(|s| self.arrays.of_symbol.get(s))
                .map(|&at| self.arrays.definitions[at].sort);
            let meaning = match sort.or_else(|| self.declared_array(new)) {
                Some(sort) if is_copy => self.array_equality(pool, new, old, sort),
                _ => pool.mk_true(),
            };
            meanings.insert(id, meaning);
        }
        meanings
    }

    /// The formula without updates.
    pub fn without_updates(&mut self, pool: &mut TermPool, formula: TermId) -> TermId {
        let meanings = self.meanings_of_updates(pool, &[formula]);
        pool.substitute(formula, &meanings)
    }

    /// The number of the sort of a declared array.
    fn declared_array(&self, symbol: Symbol) -> Option<usize> {
        self.trail.iter().find_map(|declaration| match declaration {
            Declaration::Function(name) => match self.meaning(name)? {
                Meaning::Declared {
                    symbol: known,
                    result: Ty::Array(sort),
                    ..
                } if *known == symbol => Some(*sort),
                _ => None,
            },
            _ => None,
        })
    }

    /// The value of an array as a term of the script's language.
    pub fn array_text(&self, sort: usize, table: &Table) -> String {
        let (index, element) = self.sorts.array(sort);
        let of = |ty: Ty, value: &Int| value_text(self, ty, &Value::Int(value.clone()));
        let sort = self.sort_text(Ty::Array(sort));
        let mut text = format!("((as const {sort}) {})", of(element, &table.default));
        for (point, value) in &table.points {
            if let ([at], true) = (&point[..], *value != table.default) {
                text = format!("(store {text} {} {})", of(index, at), of(element, value));
            }
        }
        text
    }

    /// The function of an array term.
    pub fn array_function(&self, pool: &TermPool, array: TermId) -> Symbol {
        function_of(pool, array)
    }
}

/// The element that a number stands for.
fn typed_number(pool: &mut TermPool, number: Int, element: Ty) -> TermId {
    match element {
        Ty::Bool if number.is_positive() => pool.mk_true(),
        Ty::Bool => pool.mk_false(),
        _ => pool.int(number),
    }
}

/// The element of an array at an index.
fn read(pool: &mut TermPool, array: Symbol, index: TermId, element: Ty) -> TermId {
    let application = pool.app(array.name, array.index, &[index]);
    if element == Ty::Bool {
        let one = pool.int(1);
        return pool.ge(application, one);
    }
    application
}

/// The formula that a function is another one.
fn copy(pool: &mut TermPool, new: Symbol, old: Symbol) -> TermId {
    let zero = pool.int(0);
    pool.update(new, old, zero, zero, UpdateSource::Havoc)
}

/// Whether a symbol belongs to the definition of an equality of arrays: its name, or the index at which they differ.
pub(super) fn is_internal_to_equality(pool: &TermPool, symbol: Symbol) -> bool {
    is_witness(pool, symbol) || (symbol.index == NO_INDEX && pool.name(symbol.name).starts_with(".equal|"))
}

/// Whether no script can write this symbol, and it is no array term either: the index at which two arrays differ.
pub(super) fn is_witness(pool: &TermPool, symbol: Symbol) -> bool {
    symbol.index == NO_INDEX && pool.name(symbol.name).starts_with(".differ|")
}
