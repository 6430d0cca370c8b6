//! The internal symbols of array terms with their definitions (see `arrays`).

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
        let needed = self.needed(pool, &[formula]);
        let mut formulas: Vec<TermId> = needed.into_iter().map(|at| self.definitions[at].formula).collect();
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
    fn needed(&self, pool: &TermPool, formulas: &[TermId]) -> Vec<usize> {
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
        let needed = self.needed(pool, &[term]);
        let formulas: Vec<TermId> = needed.into_iter().map(|at| self.definitions[at].formula).collect();
        pool.symbols_of(&formulas).iter().any(|symbol| symbols.contains(symbol))
    }

    /// Gives internal symbols in a term that the model does not know the values that their definitions say.
    pub fn complete(&self, pool: &TermPool, term: TermId, model: &mut Model) {
        for at in self.needed(pool, &[term]) {
            let definition = &self.definitions[at];
            if model.defines(definition.symbol) {
                continue;
            }
            let table = |symbol: Symbol| model.function(symbol).unwrap_or_default();
            let found = match definition.shape {
                Shape::Constant(value) => Table {
                    default: model.evaluator(pool).eval_int(value),
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
                Shape::Equality(left, right) => {
                    let (left, right) = (table(left), table(right));
                    let mut points = left.points.keys().chain(right.points.keys());
                    let same = left.default == right.default && points.all(|p| left.at(p) == right.at(p));
                    model.set_bool(definition.symbol, same);
                    continue;
                }
            };
            model.set_default(definition.symbol, found.default);
            for (point, value) in found.points {
                model.set_point(definition.symbol, point, value);
            }
        }
    }

    /// All internal symbols with what they stand for and the sort of the arrays, in their order.
    pub fn all(&self) -> impl Iterator<Item = (Symbol, Shape, usize)> + '_ {
        self.definitions.iter().map(|d| (d.symbol, d.shape, d.sort))
    }
}
