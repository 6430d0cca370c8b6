//! Models from the state after a satisfiable check.
//!
//! Variables have the values of their columns, functions their cells (see the sibling `cells`), and everything else 0 or
//! false. In debug builds every model is put to the independent evaluator.

use super::Solver;
use super::cells::Tables;
use crate::fault::planted;
use crate::model::Model;
use crate::num::Int;
use crate::term::{Symbol, Term, TermId, TermPool};

impl Tables for Model {
    fn inherit(&mut self, function: Symbol, from: Symbol) {
        self.set_base(function, from);
    }

    fn define(&mut self, function: Symbol, point: &Int, value: Int) {
        self.set_point(function, vec![point.clone()], value);
    }
}

impl Solver {
    /// The model of the last check, which was satisfiable.
    pub(super) fn extract(&mut self, pool: &TermPool) -> Model {
        let mut model = Model::new();
        for &term in &self.live.log {
            match pool.term(term) {
                Term::IntVar(symbol) => {
                    let column = self.columns.of[&term];
                    let value = self.theories.arith.tableau.column(column).value.floor();
                    let error = i64::from(planted("model-off-by-one"));
                    model.set_int(*symbol, value + crate::num::Int::from(error));
                }
                Term::RealVar(symbol) => {
                    let column = self.columns.of[&term];
                    model.set_real(*symbol, self.theories.arith.tableau.column(column).value.clone());
                }
                Term::BoolVar(symbol) => model.set_bool(*symbol, self.search.is_true(self.formulas.literals[&term])),
                Term::App(symbol, _) => self.define_function(&mut model, *symbol),
                Term::RealApp(symbol, _) => model.mention_real_function(*symbol),
                Term::Update { new, old, .. } => {
                    self.define_function(&mut model, *new);
                    self.define_function(&mut model, *old);
                }
                _ => {}
            }
        }
        for ((function, point), (_, value)) in &self.theories.euf.points {
            model.set_point(*function, point.clone(), value.clone());
        }
        for ((function, point), (_, value)) in &self.theories.euf.real_points {
            model.set_real_point(*function, point.clone(), value.clone());
        }
        self.theories.cells.model.tables(&mut model);
        model
    }

    /// Mentions a function, so that the model defines it even where it has no point.
    fn define_function(&self, model: &mut Model, function: crate::term::Symbol) {
        if !model.defines(function) {
            model.set_default(function, crate::num::Int::from(0));
        }
    }

    /// Asserts that the model satisfies every assertion and assumption.
    pub(super) fn validate(&mut self, pool: &TermPool, assumptions: &[TermId]) {
        let model = self.extract(pool);
        let mut evaluator = model.evaluator(pool);
        for &formula in self.assertions.asserted.iter().chain(assumptions) {
            assert!(
                evaluator.eval_bool(formula),
                "the model violates {}",
                pool.to_smtlib(formula)
            );
        }
    }
}
