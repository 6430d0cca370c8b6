//! Equations that both congruence closure and arithmetic know.
//!
//! Everything that is not pure (see [`purity`](super::purity)) is decided by arithmetic, and functions of it by congruence lemmas at candidate models. Where
//! much of a problem is functions and only some of their arguments are counted, that finds out by decisions and final checks what congruence closure would
//! propagate. So equations between leaves that arithmetic decides are given to the closure, too: the literal of an equation is the same on both sides, and
//! trichotomy connects it with the bounds. The equation of a conditional term with one of its branches is one of them. This is no complete combination
//! (equalities that no atom names are not shared), nor need it be: the final check stays.
//!
//! Without proofs only: interpolation wants each congruence lemma to belong to a part. Nothing is shared before the first function is seen.

use super::purity::{Sides, sides};
use crate::proof::Var;
use crate::solver::Solver;
use crate::term::{Term, TermId, TermPool};

impl Solver {
    /// Whether equations of arithmetic are given to congruence closure.
    pub(in crate::solver) fn is_sharing(&self) -> bool {
        self.theories.euf.shares && !self.config.proofs && !self.config.arithmetic_only
    }

    /// Gives congruence closure an equation that arithmetic has.
    pub(in crate::solver) fn share_equation(&mut self, pool: &TermPool, var: Var, equation: TermId) {
        let Term::Eq(sum) = *pool.term(equation) else {
            unreachable!("only equations are shared")
        };
        if !self.is_sharing() || pool.is_real(sum) || self.theories.euf.egraph.knows(var) {
            return;
        }
        let (left, right) = match sides(pool, sum) {
            Some(Sides::Leaves(a, b)) => (self.node(pool, a), self.node(pool, b)),
            Some(Sides::Constant(leaf, k)) => (self.node(pool, leaf), self.theories.euf.egraph.constant(&k)),
            None => return,
        };
        self.theories.euf.egraph.equation(var, left, right);
    }

    /// There is a function from now on: equations that arithmetic knows already are shared.
    pub(in crate::solver) fn begin_sharing(&mut self, pool: &TermPool) {
        if std::mem::replace(&mut self.theories.euf.shares, true) || !self.is_sharing() {
            return;
        }
        let mut known: Vec<Var> = self.columns.equations.keys().copied().collect();
        known.sort_unstable();
        for var in known {
            self.share_equation(pool, var, self.formulas.terms[var.index()]);
        }
    }
}
