//! Terms of real numbers: variables, applications, rational constants and exact quotients.

use super::intern::Key;
use super::{Sort, Symbol, SymbolId, Term, TermId, TermPool};
use crate::num::{Int, Rational};

impl TermPool {
    /// A real variable in version `index`.
    pub fn real_var(&mut self, name: SymbolId, index: u32) -> TermId {
        self.intern(Term::RealVar(Symbol { name, index }))
    }

    /// The application of version `index` of a function with real values to numbers; without arguments, a real variable.
    pub fn real_app(&mut self, name: SymbolId, index: u32, arguments: &[TermId]) -> TermId {
        debug_assert!(
            arguments.iter().all(|&a| self.sort(a) != Sort::Bool),
            "arguments are numbers"
        );
        if arguments.is_empty() {
            return self.real_var(name, index);
        }
        self.intern_key(&Key::RealApp(Symbol { name, index }, arguments))
    }

    /// A rational constant.
    pub fn rational(&mut self, value: &Rational) -> TermId {
        let numerator = self.int(value.numer().clone());
        self.ratio(numerator, value.denom())
    }

    /// The exact quotient of `a` by a constant.
    ///
    /// # Panics
    /// If the divisor is 0.
    pub fn ratio(&mut self, a: TermId, divisor: &Int) -> TermId {
        assert!(!divisor.is_zero(), "division of a term by zero");
        if divisor.is_one() {
            return a;
        }
        let mut linear = self.begin_linear();
        linear.add(self, &Int::ONE, a);
        linear.divide(divisor);
        self.finish_linear(linear)
    }

    /// `factor * a`.
    pub fn scale_rational(&mut self, factor: &Rational, a: TermId) -> TermId {
        let mut linear = self.begin_linear();
        linear.add(self, factor.numer(), a);
        linear.divide(factor.denom());
        self.finish_linear(linear)
    }

    /// The largest integer that is not above `a`.
    pub fn floor(&mut self, a: TermId) -> TermId {
        self.div_floor(a, &Int::ONE)
    }

    /// The value of a rational constant.
    pub fn as_rational(&self, term: TermId) -> Option<Rational> {
        match self.term(term) {
            Term::Const(value) => Some(Rational::from(value)),
            Term::Ratio(inner, divisor) => Some(Rational::new(self.as_const(*inner)?.clone(), divisor.clone())),
            _ => None,
        }
    }

    /// The sum below a number's denominator, and the denominator, which is 1 for everything but a [`Term::Ratio`].
    pub fn over_denominator(&self, term: TermId) -> (TermId, Int) {
        match self.term(term) {
            Term::Ratio(inner, divisor) => (*inner, divisor.clone()),
            _ => (term, Int::ONE),
        }
    }

    /// Whether a term that is about to be interned is a real number; its parts are interned.
    pub(super) fn builds_real(&self, term: &Term) -> bool {
        match term {
            Term::RealVar(_) | Term::RealApp(..) | Term::Ratio(..) => true,
            Term::Sum(monomials, _) => self.has_reals() && monomials.iter().any(|m| self.is_real(m.1)),
            Term::Ite(_, yes, no) => self.is_real(*yes) || self.is_real(*no),
            _ => false,
        }
    }
}
