//! Constant arrays: `((as const (Array Int E)) v)`.
//!
//! A constant array is a function `c` of its own, about which nothing but instances of `c(x) = v` can be said without quantifiers. Which instances matter is known as in Stump, Barrett, Dill, Levitt (*A decision procedure for an extensional theory of
//! arrays*, LICS 2001): those at the indices that formulas have, and at one *other* index that is none of them. The latter stands for all the rest of an infinite sort: if `c` and `d` are equal but for finitely many stores, then they are equal there,
//! and so are their values. So
//!
//! * the definition of `c` says `c(o) = v` for the other index `o`, and the same for each index that was asserted before;
//! * each formula comes with `o > i` and `c(i) = v` for its own indices `i` and all constant arrays that there are.
//!
//! The later one of an index and a constant array carries the instance, so both may be in scopes that are closed in any order. `o` is fresh, and the indices are finitely many, so that `o > i` excludes no model of the script. Array terms that
//! updates connect agree at `o`, so a model gets its tables' defaults there; then all formulas and the constant arrays are checked once more.
//!
//! Indices are integers, truth values or arrays of which there are infinitely many. A declared sort may be finite, and has no other index then: such arrays are not supported.
//!
//! A constant array may be in nothing that is asserted any more. Then formulas still have instances of it, and `o` may be an index. A model has to do with the constant arrays alone that have their definitions in what is asserted.

use super::array_definitions::{Arrays, Shape};
use super::elaborate::Ty;
use super::scope::{Scope, Typed};
use super::sexpr::{Error, Expr};
use crate::hash::FxHashSet;
use crate::model::Model;
use crate::num::Int;
use crate::term::{Symbol, Term, TermId, TermPool};

/// The knowledge about constant arrays over integers, and over arrays.
#[derive(Default)]
pub(super) struct Constants {
    /// The functions with their values.
    known: Vec<(Symbol, TermId)>,
    /// The other index, once there is a constant array.
    other: Option<Symbol>,
    /// All indices of formulas that were asserted, in their order.
    indices: Vec<TermId>,
    seen: FxHashSet<TermId>,
    /// The functions of arrays whose indices are of infinite sorts.
    arrays: FxHashSet<Symbol>,
    /// The constant arrays whose definitions are in the formulas of the last check.
    defined: FxHashSet<Symbol>,
}

impl Constants {
    /// Notes a function that stands for an array whose indices are of an infinite sort.
    pub fn note(&mut self, array: Symbol) {
        self.arrays.insert(array);
    }

    /// Whether there is no such array.
    pub fn is_empty(&self) -> bool {
        self.arrays.is_empty()
    }

    /// The index that is none of the script's, if there is one.
    pub fn other(&self) -> Option<Symbol> {
        self.other
    }

    /// Whether the formulas of the last check have constant arrays.
    pub fn are_defined(&self) -> bool {
        !self.defined.is_empty()
    }

    /// The instances of all constant arrays at the indices of formulas.
    pub fn instances(&mut self, pool: &mut TermPool, formulas: &[TermId]) -> Vec<TermId> {
        let mut here = Vec::new();
        let other = self.other.map(|other| pool.int_var(other.name, other.index));
        // The instances mention the values of constant arrays, with the indices in these.
        let mut roots = formulas.to_vec();
        roots.extend(self.known.iter().map(|&(_, value)| value));
        pool.visit(&roots, |_, term| match term {
            Term::App(symbol, arguments) if self.arrays.contains(symbol) => here.push(arguments[0]),
            Term::Update { new, lo, hi, .. } if lo != hi && self.arrays.contains(new) => here.push(*lo),
            _ => {}
        });
        here.retain(|&index| Some(index) != other);
        here.sort_unstable();
        here.dedup();
        let mut instances = Vec::new();
        for index in here {
            if self.seen.insert(index) {
                self.indices.push(index);
            }
            instances.extend(other.map(|other| pool.gt(other, index)));
            for &(array, value) in &self.known {
                instances.push(constant_at(pool, array, index, value));
            }
        }
        instances
    }

    /// The definition of a new constant array.
    fn define(&mut self, pool: &mut TermPool, array: Symbol, value: TermId, other: Symbol) -> TermId {
        self.note(array);
        self.known.push((array, value));
        self.other = Some(other);
        let other = pool.int_var(other.name, other.index);
        let mut conjuncts = vec![constant_at(pool, array, other, value)];
        for &index in &self.indices {
            conjuncts.extend([pool.gt(other, index), constant_at(pool, array, index, value)]);
        }
        pool.and(&conjuncts)
    }

    /// Finds out which constant arrays have their definitions in formulas that are about to be checked: no instance mentions the other index.
    fn find_defined(&mut self, pool: &TermPool, formulas: &[TermId]) {
        self.defined.clear();
        let Some(other) = self.other else {
            return;
        };
        let is_other = |term: TermId| matches!(pool.term(term), Term::IntVar(symbol) if *symbol == other);
        let (known, defined) = (&self.known, &mut self.defined);
        let known: FxHashSet<Symbol> = known.iter().map(|&(array, _)| array).collect();
        pool.visit(formulas, |_, term| match term {
            Term::App(symbol, arguments) if is_other(arguments[0]) && known.contains(symbol) => {
                defined.insert(*symbol);
            }
            _ => {}
        });
    }

    /// Gives the tables of a model the values that they have at the other index as their defaults.
    pub fn complete(&self, pool: &TermPool, model: &mut Model) {
        let Some(other) = self.other.filter(|_| !self.defined.is_empty()) else {
            return;
        };
        let other = model.int(other);
        for &array in &self.arrays {
            model.spread(array, &other);
        }
        for &(array, value) in &self.known {
            if !self.defined.contains(&array) {
                continue;
            }
            if model
                .function(array)
                .is_some_and(|table| !table.points.contains_key(&vec![other.clone()]))
            {
                // Only other formulas' indices mention it.
                let value = model.evaluator(pool).eval_int(value);
                model.set_default(array, value);
            }
        }
    }

    /// Whether the constant arrays that a model mentions are constant.
    pub fn hold(&self, pool: &TermPool, model: &Model) -> bool {
        self.known.iter().all(|&(array, value)| {
            let Some(table) = model.function(array).filter(|_| self.defined.contains(&array)) else {
                return true;
            };
            let value = model.evaluator(pool).eval_int(value);
            table.default == value && table.points.values().all(|at| *at == value)
        })
    }
}

/// A function's value at an index.
fn constant_at(pool: &mut TermPool, array: Symbol, index: TermId, value: TermId) -> TermId {
    let there = pool.app(array.name, array.index, &[index]);
    pool.eq(there, value)
}

impl Scope {
    /// The constant array of a sort, for the node of that sort and a value.
    pub fn constant_array(
        &mut self,
        pool: &mut TermPool,
        expr: &Expr<'_>,
        node: usize,
        sort: usize,
        values: &[Typed],
    ) -> Result<Typed, Error> {
        let ty = self.sort(expr, sort)?;
        let Ty::Array(number) = ty else {
            let found = self.sort_text(ty);
            return Err(expr.error(sort, format!("a constant array has a sort of arrays, not {found}")));
        };
        let (index, element) = self.sorts.array(number);
        let &[value] = values else {
            let found = values.len();
            return Err(expr.error(node, format!("expected 1 argument, found {found}")));
        };
        self.expect(expr, node, value, element)?;
        let value = super::arrays::as_integer(pool, value);
        let shape = Shape::Constant(value);
        match index {
            index if self.sorts.is_infinite(index) => {
                let known = self.arrays.constants.other;
                let other = known.unwrap_or_else(|| self.fresh_symbol(pool, "differ"));
                Ok(self.array_term(pool, shape, number, |arrays, pool, new| {
                    arrays.constants.define(pool, new, value, other)
                }))
            }
            Ty::Bool => Ok(self.array_term(pool, shape, number, |_, pool, new| {
                let points = [Int::ZERO, Int::ONE].map(|point| {
                    let point = pool.int(point);
                    constant_at(pool, new, point, value)
                });
                pool.and(&points)
            })),
            other => {
                let other = self.sort_text(other);
                Err(expr.error(
                    node,
                    format!("constant arrays with indices of sort {other} are not supported"),
                ))
            }
        }
    }
}

impl Arrays {
    /// Notes the constant arrays in formulas that are about to be checked.
    pub fn find_constants(&mut self, pool: &TermPool, formulas: &[TermId]) {
        self.constants.find_defined(pool, formulas);
    }

    /// Completes a model where there are constant arrays.
    pub fn complete_constants(&self, pool: &TermPool, model: &mut Model) {
        self.constants.complete(pool, model);
    }

    /// Whether constant arrays are constant in a model.
    pub fn constants_hold(&self, pool: &TermPool, model: &Model) -> bool {
        self.constants.hold(pool, model)
    }
}
