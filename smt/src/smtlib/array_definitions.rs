//! The internal symbols of array terms with their definitions (see `arrays`).

use super::array_values::ArrayValues;
use super::constant_arrays::Constants;
use crate::hash::{FxHashMap, FxHashSet};
use crate::model::{Model, Table};
use crate::term::{Symbol, TermId, TermPool};

/// The meaning of an internal symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Shape {
    /// `(store array index value)`
    Store(Symbol, TermId, TermId),
    /// `(ite condition yes no)`
    Choice(TermId, Symbol, Symbol),
    /// The proposition `(= left right)`.
    Equality(Symbol, Symbol),
    /// `((as const SORT) value)`
    Constant(TermId),
    /// The array whose identity a term is (see `array_values`).
    Named(TermId),
}

/// An internal symbol.
pub(super) struct Definition {
    pub symbol: Symbol,
    pub shape: Shape,
    /// The sort of the arrays.
    pub sort: usize,
    pub formula: TermId,
}

/// All array terms that were ever read.
#[derive(Default)]
pub(super) struct Arrays {
    /// In the order in which they were made: a definition mentions earlier symbols only.
    pub definitions: Vec<Definition>,
    /// Positions in that list.
    pub of_shape: FxHashMap<(Shape, usize), usize>,
    pub of_symbol: FxHashMap<Symbol, usize>,
    /// The facts that constant arrays need.
    pub constants: Constants,
    /// Arrays in places of values.
    pub values: ArrayValues,
}

impl Arrays {
    /// The formula with the definitions of everything in it.
    pub fn with_definitions(&mut self, pool: &mut TermPool, formula: TermId) -> TermId {
        if self.definitions.is_empty() && self.constants.is_empty() {
            return formula;
        }
        let definitions = self.definitions_of(pool, formula);
        pool.and2(formula, definitions)
    }

    /// The definitions of everything in a formula that is about to be asserted, and the instances of constant arrays at its indices.
    pub fn definitions_of(&mut self, pool: &mut TermPool, formula: TermId) -> TermId {
        let mut formulas = self.formulas_of(pool, &[formula]);
        formulas.push(formula);
        let instances = self.constants.instances(pool, &formulas);
        formulas.pop();
        formulas.extend(instances);
        pool.and(&formulas)
    }

    /// Whether a term has internal symbols.
    pub fn is_in(&self, pool: &TermPool, term: TermId) -> bool {
        !self.definitions.is_empty() && !self.needed(pool, &[term]).is_empty()
    }

    /// The conjuncts of all definitions.
    pub fn conjuncts(&self, pool: &TermPool) -> FxHashSet<TermId> {
        let formulas = self.definitions.iter().flat_map(|d| pool.conjuncts(d.formula));
        formulas.collect()
    }

    /// The definitions that formulas need, in their order.
    pub fn needed(&self, pool: &TermPool, formulas: &[TermId]) -> Vec<usize> {
        let mut open = formulas.to_vec();
        let mut needed = Vec::new();
        while !open.is_empty() {
            let symbols = pool.symbols_of(&open);
            open.clear();
            for symbol in symbols {
                if let Some(&at) = self.of_symbol.get(&symbol)
                    && !needed.contains(&at)
                {
                    needed.push(at);
                    open.push(self.definitions[at].formula);
                }
            }
        }
        needed.sort_unstable();
        needed
    }

    /// Whether a term depends on one of these symbols by way of a definition.
    pub fn hides(&self, pool: &TermPool, term: TermId, symbols: &[Symbol]) -> bool {
        let formulas = self.formulas_of(pool, &[term]);
        pool.symbols_of(&formulas).iter().any(|symbol| symbols.contains(symbol))
    }

    /// The definitions that terms need.
    pub fn formulas_of(&self, pool: &TermPool, terms: &[TermId]) -> Vec<TermId> {
        let needed = self.needed(pool, terms);
        needed.into_iter().map(|at| self.definitions[at].formula).collect()
    }

    /// The symbol of a definition, what it stands for, and the sort of the arrays.
    pub fn definition(&self, at: usize) -> (Symbol, Shape, usize) {
        let definition = &self.definitions[at];
        (definition.symbol, definition.shape, definition.sort)
    }

    /// The table of an array in a model by its definition.
    pub fn table(&self, pool: &TermPool, shape: Shape, model: &Model) -> Table {
        let table = |symbol: Symbol| model.function(symbol).unwrap_or_default();
        match shape {
            Shape::Constant(value) => Table {
                default: model.eval_int(pool, value),
                ..Table::default()
            },
            Shape::Store(array, index, value) => {
                let mut evaluator = model.evaluator(pool);
                let (index, value) = (evaluator.eval_int(index), evaluator.eval_int(value));
                let mut table = table(array);
                table.points.insert(vec![index], value);
                table
            }
            Shape::Choice(condition, yes, no) => {
                let holds = model.eval_bool(pool, condition);
                table(if holds { yes } else { no })
            }
            Shape::Equality(..) | Shape::Named(_) => unreachable!("not defined by another table"),
        }
    }

    /// All internal symbols with what they stand for and the sort of the arrays, in their order.
    pub fn all(&self) -> impl Iterator<Item = (Symbol, Shape, usize)> + '_ {
        self.definitions.iter().map(|d| (d.symbol, d.shape, d.sort))
    }
}
