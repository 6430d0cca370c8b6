//! Checks of scripts with products of unknowns and divisions by unknowns: axioms first, then value lemmas, round by round (see `nonlinear`).

use super::limits::MAX_ROUNDS;
use super::nonlinear::{axioms, interpreted, refine};
use super::session::Session;
use crate::hash::FxHashSet;
use crate::model::Model;
use crate::proof::Part;
use crate::solver::{Answer, UnknownReason};
use crate::term::TermId;

impl Session {
    /// A check in the presence of products or divisions that are not linear. After `Sat`, the model satisfies the
    /// script with the true operations.
    pub(super) fn check_nonlinear(&mut self, assumed: &[TermId]) -> Answer {
        let mut formulas: Vec<TermId> = self.assertions.iter().map(|a| a.formula).collect();
        formulas.extend(self.assumptions.iter().map(|a| a.0));
        let mut known = FxHashSet::default();
        let axioms = axioms(&mut self.pool, &formulas, &mut known);
        self.assert_axioms(&axioms);
        formulas.extend(axioms);
        for _ in 0..MAX_ROUNDS {
            let answer = self.solver.check(&mut self.pool, assumed);
            if answer != Answer::Sat {
                return answer;
            }
            let model = self.solver.model(&self.pool);
            if self.is_true_model(&model) {
                return answer;
            }
            let refinement = refine(&mut self.pool, &formulas, &model);
            self.assert_axioms(&refinement.lemmas);
            // The neighbourhood of the model may have a true one.
            let near = [assumed, &refinement.fixed].concat();
            if self.solver.check(&mut self.pool, &near) == Answer::Sat {
                let model = self.solver.model(&self.pool);
                if self.is_true_model(&model) {
                    return Answer::Sat;
                }
                let refinement = refine(&mut self.pool, &formulas, &model);
                self.assert_axioms(&refinement.lemmas);
            }
        }
        Answer::Unknown(UnknownReason::Incomplete("products or divisions that are not linear"))
    }

    fn is_true_model(&self, model: &Model) -> bool {
        let mut model = interpreted(&self.pool, model.clone());
        self.scope.arrays.complete_constants(&self.pool, &mut model);
        self.violated(&model).is_none()
    }

    /// Asserts tautologies of arithmetic until the innermost level is closed.
    pub(super) fn assert_axioms(&mut self, axioms: &[TermId]) {
        for &axiom in axioms {
            if !self.axioms.contains(&axiom) {
                self.axioms.push(axiom);
                self.solver.assert(&mut self.pool, axiom, Part(0));
            }
        }
    }
}
