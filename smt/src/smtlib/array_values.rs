//! Arrays as values: elements and indices of arrays, arguments and results of functions.
//!
//! Elsewhere an array is a function, which is no value. So each sort of arrays numbers its arrays: the *identity* of an array is the integer variable with the symbol of the array's function. An array that a term
//! other than a name, a store or a conditional gives, as `(select m i)` for an array `m` of arrays, gets a function of its own, whose identity is defined to be that term ([`Shape::Named`]).
//! Then congruence and stores see nothing but integers, and the rest is to say of every two arrays of one sort, whose identities occur in what is asserted, that they have one identity if and only if they are equal. These *facts*
//! come with each check, as those about products do (`nonlinear`), and belong to no assertion.
//!
//! A formula has finitely many terms, so that numbering the arrays that they stand for excludes no model. In the other direction, the integers that are identities of nothing that is named become arrays that differ
//! from all others, of which there are enough if the sort is infinite: one whose indices and elements are truth values is no value.
//!
//! Arrays that are written with numbers only, as those of printed models, are compared as they are read. All other pairs are compared at once: it costs the square of the number of arrays in such places, of which scripts have few.

use super::array_definitions::{Arrays, Shape};
use super::elaborate::Ty;
use super::limits::MAX_ARRAY_PAIRS;
use super::scope::{Scope, Typed};
use super::session::Session;
use super::sorts::Sorts;
use crate::fault::planted;
use crate::hash::{FxHashMap, FxHashSet};
use crate::model::{Model, Table};
use crate::num::Int;
use crate::term::{Symbol, Term, TermId, TermPool};
use std::collections::BTreeMap;

/// The arrays that occur as values, and their contents in the last model.
#[derive(Default)]
pub(super) struct ArrayValues {
    /// The numbers of the sorts of all functions that stand for arrays.
    sorts: FxHashMap<Symbol, usize>,
    /// Those whose identities are in the formulas of the last check, in order.
    visible: Vec<Symbol>,
    contents: Contents,
    /// The tables of arrays that are written with numbers only, as those of printed models are.
    constants: FxHashMap<Symbol, Table>,
}

/// The contents of arrays in a model.
#[derive(Default)]
struct Contents {
    /// The normal tables by sort and identity.
    of: BTreeMap<(usize, Int), Table>,
    /// The identities by sort and normal table.
    identities: FxHashMap<(usize, Table), Int>,
    /// Larger than the size of each number in the model.
    bound: Int,
    /// The first identity that is still free.
    free: Int,
}

/// The table in a form that equal arrays have in common.
fn normal(sorts: &Sorts, sort: usize, mut table: Table) -> Table {
    let (index, element) = sorts.array(sort);
    if element == Ty::Bool {
        let truth = |value: &Int| if value.is_positive() { Int::ONE } else { Int::ZERO };
        table.default = truth(&table.default);
        table.points.values_mut().for_each(|value| *value = truth(value));
    }
    if index == Ty::Bool {
        let points = [Int::ZERO, Int::ONE].map(|at| (vec![at.clone()], table.at(&[at]).clone()));
        return Table {
            points: points.into(),
            default: Int::ZERO,
        };
    }
    table.points.retain(|_, value| *value != table.default);
    table
}

impl Contents {
    /// The contents of the visible arrays. None if two of them are equal with different identities, or different with one.
    fn read(sorts: &Sorts, values: &ArrayValues, model: &Model) -> Option<Contents> {
        let mut contents = Contents::default();
        for &symbol in &values.visible {
            let sort = values.sorts[&symbol];
            let (identity, table) = (model.int(symbol), normal(sorts, sort, table_of(model, symbol)));
            let of = contents
                .of
                .entry((sort, identity.clone()))
                .or_insert_with(|| table.clone());
            let known = contents
                .identities
                .entry((sort, table.clone()))
                .or_insert_with(|| identity.clone());
            if *of != table || *known != identity {
                return None;
            }
        }
        contents.bound = model.bound();
        contents.free = contents.bound.clone();
        Some(contents)
    }

    /// The table of an array that no name stands for: it mentions a number that nothing else does.
    fn unnamed(&self, sorts: &Sorts, sort: usize, identity: &Int) -> Table {
        let twice = &identity.abs() + &identity.abs();
        let sign = if identity.is_negative() { Int::ONE } else { Int::ZERO };
        let own = &(&self.bound + &twice) + &sign;
        let (_, element) = sorts.array(sort);
        let mut table = Table::default();
        if planted("unnamed-arrays-zero") {
            table.default = Int::ZERO;
        } else if element == Ty::Bool {
            table.points.insert(vec![own], Int::ONE);
        } else {
            table.default = own;
        }
        normal(sorts, sort, table)
    }

    fn table(&self, sorts: &Sorts, sort: usize, identity: &Int) -> Table {
        let known = self.of.get(&(sort, identity.clone()));
        known.cloned().unwrap_or_else(|| self.unnamed(sorts, sort, identity))
    }

    /// The identity of an array with this table, which is a new one if the model has no such array.
    fn identity(&mut self, sorts: &Sorts, sort: usize, table: Table) -> Int {
        let table = normal(sorts, sort, table);
        if let Some(known) = self.identities.get(&(sort, table.clone())) {
            return known.clone();
        }
        let numbers = table.points.keys().flatten().chain([&table.default]);
        let own = numbers.max().filter(|&number| *number >= self.bound);
        let mut found = None;
        if let Some(own) = own.map(|own| own - &self.bound) {
            let two = Int::from(2);
            let (half, rest) = (own.div_floor(&two), own.mod_floor(&two));
            let candidate = if rest.is_zero() { half } else { -&half };
            let is_unnamed = !self.of.contains_key(&(sort, candidate.clone()));
            if is_unnamed && self.unnamed(sorts, sort, &candidate) == table {
                found = Some(candidate);
            }
        }
        let identity = found.unwrap_or_else(|| {
            let free = self.free.clone();
            self.free = &free + &Int::ONE;
            free
        });
        self.of.insert((sort, identity.clone()), table.clone());
        self.identities.insert((sort, table), identity.clone());
        identity
    }
}

fn table_of(model: &Model, array: Symbol) -> Table {
    model.function(array).unwrap_or_default()
}

impl ArrayValues {
    /// Notes the function of an array.
    pub fn note(&mut self, array: Symbol, sort: usize) {
        self.sorts.insert(array, sort);
    }

    /// The number of the sort of a function that stands for an array.
    pub fn sort_of(&self, symbol: Symbol) -> Option<usize> {
        self.sorts.get(&symbol).copied()
    }

    /// Forgets that a symbol was the function of an array.
    pub fn forget(&mut self, symbol: Symbol) {
        self.sorts.remove(&symbol);
    }

    /// Notes the table of a new array, if numbers alone say what it is.
    pub fn note_constants(&mut self, pool: &TermPool, array: Symbol, shape: Shape) {
        let number = |term: TermId| match pool.term(term) {
            Term::Const(value) => Some(value.clone()),
            _ => None,
        };
        let table = match shape {
            Shape::Constant(value) => number(value).map(|default| Table {
                default,
                ..Table::default()
            }),
            Shape::Store(old, index, value) => {
                let parts = self.constants.get(&old).zip(number(index).zip(number(value)));
                parts.map(|(old, (index, value))| {
                    let mut table = old.clone();
                    table.points.insert(vec![index], value);
                    table
                })
            }
            _ => None,
        };
        self.constants.extend(table.map(|table| (array, table)));
    }

    /// The arrays that are written with numbers only.
    pub fn numbers(&self) -> Vec<Symbol> {
        self.constants.keys().copied().collect()
    }

    /// The element at a number of an array that numbers alone say.
    pub fn constant_element(&self, pool: &TermPool, array: Symbol, index: TermId) -> Option<Int> {
        match pool.term(index) {
            Term::Const(at) => Some(self.constants.get(&array)?.at(std::slice::from_ref(at)).clone()),
            _ => None,
        }
    }

    /// Whether two arrays that numbers alone say are equal.
    pub fn are_equal_constants(&self, sorts: &Sorts, a: Symbol, b: Symbol, sort: usize) -> Option<bool> {
        let (a, b) = self.constants.get(&a).zip(self.constants.get(&b))?;
        Some(normal(sorts, sort, a.clone()) == normal(sorts, sort, b.clone()))
    }

    /// The arrays whose identities are in these formulas, in the order of their making.
    fn identified(&self, pool: &TermPool, formulas: &[TermId]) -> Vec<Symbol> {
        let mut found = Vec::new();
        pool.visit(formulas, |id, term| {
            if let Term::IntVar(symbol) = term
                && self.sorts.contains_key(symbol)
            {
                found.push((id, *symbol));
            }
        });
        found.sort_unstable();
        found.into_iter().map(|(_, symbol)| symbol).collect()
    }
}

impl Scope {
    /// The array that this term is the identity of.
    pub fn named_array(&mut self, pool: &mut TermPool, term: TermId, sort: usize) -> Typed {
        self.array_term(pool, Shape::Named(term), sort, |_, pool, new| {
            let identity = pool.int_var(new.name, new.index);
            pool.eq(identity, term)
        })
    }

    /// Whether the values of a model for the arrays of the last check are arrays.
    pub fn arrays_are_values(&self, model: &Model) -> bool {
        Contents::read(&self.sorts, &self.arrays.values, model).is_some()
    }

    /// Takes over the contents of arrays from a model that was checked.
    pub fn read_contents(&mut self, model: &Model) {
        let contents = Contents::read(&self.sorts, &self.arrays.values, model);
        self.arrays.values.contents = contents.expect("the model was checked");
    }

    /// The content of the array of an identity in the last model.
    pub fn content(&self, sort: usize, identity: &Int) -> Table {
        self.arrays.values.contents.table(&self.sorts, sort, identity)
    }

    /// Gives symbols of arrays in terms, which the last model does not know, the values that their definitions say.
    pub fn complete_arrays(&mut self, pool: &TermPool, terms: &[TermId], model: &mut Model) {
        let has_values = self.sorts.have_array_values;
        if has_values {
            let formulas = self.arrays.formulas_of(pool, terms);
            for array in self.arrays.values.identified(pool, &[&formulas[..], terms].concat()) {
                if !self.arrays.is_defined(array) {
                    self.identify(model, array);
                }
            }
        }
        for at in self.arrays.needed(pool, terms) {
            let (symbol, shape, sort) = self.arrays.definition(at);
            let is_stale = matches!(shape, Shape::Named(_)) && !self.arrays.values.visible.contains(&symbol);
            if is_stale || !model.defines(symbol) {
                let table = match shape {
                    Shape::Named(term) => {
                        let identity = model.eval_int(pool, term);
                        model.set_int(symbol, identity.clone());
                        self.content(sort, &identity)
                    }
                    Shape::Equality(left, right) => {
                        let [left, right] =
                            [left, right].map(|array| normal(&self.sorts, sort, table_of(model, array)));
                        model.set_bool(symbol, left == right);
                        continue;
                    }
                    _ => self.arrays.table(pool, shape, model),
                };
                model.set_default(symbol, table.default);
                for (point, value) in table.points {
                    model.set_point(symbol, point, value);
                }
            }
            if has_values && !matches!(shape, Shape::Named(_) | Shape::Equality(..)) {
                self.identify(model, symbol);
            }
        }
    }

    /// Gives an array an identity by its content, unless the formulas of the last check mention that.
    fn identify(&mut self, model: &mut Model, array: Symbol) {
        let ArrayValues {
            sorts,
            visible,
            contents,
            ..
        } = &mut self.arrays.values;
        if !visible.contains(&array) {
            let identity = contents.identity(&self.sorts, sorts[&array], table_of(model, array));
            model.set_int(array, identity);
        }
    }
}

impl Session {
    /// Facts about the arrays that are values in these formulas: that each two of one sort are equal if and only if their identities are. None if there are too many.
    pub(super) fn identity_facts(&mut self, formulas: &[TermId]) -> Option<Vec<TermId>> {
        if !self.scope.sorts.have_array_values {
            return Some(Vec::new());
        }
        let visible = self.scope.arrays.values.identified(&self.pool, formulas);
        let mut pairs = Vec::new();
        for (at, &left) in visible.iter().enumerate() {
            let sort_of = |array: Symbol| self.scope.arrays.values.sorts[&array];
            let of_one_sort = visible[..at].iter().filter(|&&right| sort_of(left) == sort_of(right));
            pairs.extend(of_one_sort.map(|&right| (left, right, sort_of(left))));
            if planted("arrays-no-facts") {
                pairs.clear();
            }
            if pairs.len() > MAX_ARRAY_PAIRS {
                return None;
            }
        }
        self.scope.arrays.values.visible = visible;
        let mut facts = Vec::new();
        for (left, right, sort) in pairs {
            let equal = self.scope.array_equality(&mut self.pool, left, right, sort);
            let [a, b] = [left, right].map(|array| self.pool.int_var(array.name, array.index));
            let same = self.pool.eq(a, b);
            facts.push(if planted("arrays-one-identity") {
                same
            } else {
                self.pool.iff(same, equal)
            });
            let definitions = self.scope.arrays.definitions_of(&mut self.pool, equal);
            facts.extend(self.pool.conjuncts(definitions));
        }
        let mut seen = FxHashSet::default();
        facts.retain(|&fact| seen.insert(fact));
        Some(facts)
    }
}

impl Arrays {
    /// Whether a symbol has a definition.
    fn is_defined(&self, symbol: Symbol) -> bool {
        self.of_symbol.contains_key(&symbol)
    }
}
