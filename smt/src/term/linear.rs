//! Linear terms and the atoms over them: flattening, sorting, and the normal forms of inequalities and equations.
//!
//! All arithmetic builders collect monomials in one scratch vector and intern only the final sum, so that a comparison of two long
//! terms leaves no intermediate term behind.

use super::intern::Key;
use super::{FALSE, TRUE, Term, TermId, TermPool};
use crate::num::Int;

/// A linear term under construction: monomials and a constant over a positive denominator.
#[derive(Clone)]
pub(super) struct Linear {
    monomials: Vec<(Int, TermId)>,
    constant: Int,
    denominator: Int,
}

impl Default for Linear {
    fn default() -> Self {
        Linear {
            monomials: Vec::new(),
            constant: Int::ZERO,
            denominator: Int::ONE,
        }
    }
}

impl Linear {
    /// Adds `coefficient * term`, flattening sums, constants and ratios.
    pub(super) fn add(&mut self, pool: &TermPool, coefficient: &Int, term: TermId) {
        match pool.term(term) {
            Term::Ratio(inner, divisor) => {
                let missing = divisor.div_exact(&self.denominator.gcd(divisor));
                self.multiply(&missing);
                self.denominator *= &missing;
                let factor = coefficient * &self.denominator.div_exact(divisor);
                self.add_over(pool, &factor, *inner);
            }
            _ if self.denominator.is_one() => self.add_over(pool, coefficient, term),
            _ => {
                let factor = coefficient * &self.denominator;
                self.add_over(pool, &factor, term);
            }
        }
    }

    /// Adds `coefficient * term`, which is no ratio, to what stands over the denominator.
    fn add_over(&mut self, pool: &TermPool, coefficient: &Int, term: TermId) {
        match pool.term(term) {
            Term::Const(value) => self.constant.add_mul(coefficient, value),
            Term::Sum(monomials, constant) => {
                self.constant.add_mul(coefficient, constant);
                if coefficient.is_one() {
                    self.monomials.extend_from_slice(monomials);
                } else {
                    self.monomials
                        .extend(monomials.iter().map(|(c, t)| (c * coefficient, *t)));
                }
            }
            _ => self.monomials.push((coefficient.clone(), term)),
        }
    }

    /// Adds a constant.
    pub(super) fn add_constant(&mut self, constant: &Int) {
        self.constant.add_mul(constant, &self.denominator);
    }

    /// Divides by a constant that is not 0.
    pub(super) fn divide(&mut self, divisor: &Int) {
        if divisor.is_negative() {
            self.negate();
        }
        self.denominator *= &divisor.abs();
    }

    /// Multiplies what stands over the denominator.
    fn multiply(&mut self, factor: &Int) {
        if !factor.is_one() {
            for (coefficient, _) in &mut self.monomials {
                *coefficient *= factor;
            }
            self.constant *= factor;
        }
    }

    /// Cancels what the coefficients, the constant and the denominator have in common.
    fn cancel(&mut self) {
        if !self.denominator.is_one() {
            let gcd = self.gcd().gcd(&self.constant).gcd(&self.denominator);
            self.divide_coefficients(&gcd);
            self.constant = self.constant.div_exact(&gcd);
            self.denominator = self.denominator.div_exact(&gcd);
        }
    }

    /// Sorts by id, merges equal terms and drops zeros.
    fn normalise(&mut self) {
        if !self.monomials.is_sorted_by(|a, b| a.1 < b.1) {
            self.monomials.sort_unstable_by_key(|m| m.1);
            self.monomials.dedup_by(|next, kept| {
                let same = next.1 == kept.1;
                if same {
                    kept.0 += &next.0;
                }
                same
            });
        }
        self.monomials.retain(|m| !m.0.is_zero());
    }

    /// The gcd of the coefficients; 0 if there are none.
    fn gcd(&self) -> Int {
        let mut gcd = Int::ZERO;
        for (coefficient, _) in &self.monomials {
            gcd = gcd.gcd(coefficient);
            if gcd.is_one() {
                break;
            }
        }
        gcd
    }

    fn divide_coefficients(&mut self, divisor: &Int) {
        if !divisor.is_one() {
            for (coefficient, _) in &mut self.monomials {
                *coefficient = coefficient.div_exact(divisor);
            }
        }
    }

    fn negate(&mut self) {
        for (coefficient, _) in &mut self.monomials {
            *coefficient = -&*coefficient;
        }
        self.constant = -&self.constant;
    }

    fn leads_negative(&self) -> bool {
        self.monomials.first().is_some_and(|m| m.0.is_negative())
    }
}

impl TermPool {
    /// An empty linear term that reuses the pool's buffer.
    pub(super) fn begin_linear(&mut self) -> Linear {
        let mut linear = std::mem::take(&mut self.linear_scratch);
        linear.monomials.clear();
        linear.constant = Int::ZERO;
        linear.denominator = Int::ONE;
        linear
    }

    /// Whether the normalised linear term is a real number, not known to be an integer but for its denominator.
    fn has_real_leaf(&self, linear: &Linear) -> bool {
        self.has_reals() && linear.monomials.iter().any(|m| self.is_real(m.1))
    }

    fn intern_linear(&mut self, linear: &Linear) -> TermId {
        match &linear.monomials[..] {
            [] => self.intern(Term::Const(linear.constant.clone())),
            [(coefficient, term)] if coefficient.is_one() && linear.constant.is_zero() => *term,
            monomials => self.intern_key(&Key::Sum(monomials, &linear.constant)),
        }
    }

    /// The term that `linear` denotes.
    pub(super) fn finish_linear(&mut self, mut linear: Linear) -> TermId {
        linear.normalise();
        linear.cancel();
        let mut term = self.intern_linear(&linear);
        if !linear.denominator.is_one() {
            term = self.intern(Term::Ratio(term, linear.denominator.clone()));
        }
        self.linear_scratch = linear;
        term
    }

    /// The formula `linear < 0` if `strict`, else `linear <= 0`.
    pub(super) fn finish_inequality(&mut self, mut linear: Linear, strict: bool) -> TermId {
        linear.normalise();
        if !self.has_real_leaf(&linear) {
            if strict {
                linear.constant += Int::ONE;
            }
            return self.finish_le(linear);
        }
        let gcd = linear.gcd().gcd(&linear.constant);
        linear.divide_coefficients(&gcd);
        linear.constant = linear.constant.div_exact(&gcd);
        // t <= 0 is not (-t < 0), and t < 0 is not (-t <= 0).
        let negated = linear.leads_negative();
        if negated {
            linear.negate();
        }
        let sum = self.intern_linear(&linear);
        let atom = self.intern(if strict == negated {
            Term::Le(sum)
        } else {
            Term::Lt(sum)
        });
        self.linear_scratch = linear;
        if negated { self.not(atom) } else { atom }
    }

    /// The formula `linear <= 0` for a normalised linear term over integers, whose denominator does not matter.
    fn finish_le(&mut self, mut linear: Linear) -> TermId {
        let formula = if linear.monomials.is_empty() {
            self.mk_bool(!linear.constant.is_positive())
        } else {
            let gcd = linear.gcd();
            linear.divide_coefficients(&gcd);
            if !gcd.is_one() {
                linear.constant = linear.constant.div_ceil(&gcd);
            }
            let negated = linear.leads_negative();
            if negated {
                // t <= 0 is not (t >= 1), and t >= 1 is -t + 1 <= 0.
                linear.negate();
                linear.constant += Int::ONE;
            }
            let sum = self.intern_linear(&linear);
            let atom = self.intern(Term::Le(sum));
            if negated { self.not(atom) } else { atom }
        };
        self.linear_scratch = linear;
        formula
    }

    /// The formula `linear = 0`.
    pub(super) fn finish_eq(&mut self, mut linear: Linear) -> TermId {
        linear.normalise();
        let gcd = linear.gcd();
        let is_real = self.has_real_leaf(&linear);
        let gcd = if is_real { gcd.gcd(&linear.constant) } else { gcd };
        let formula = if linear.monomials.is_empty() {
            self.mk_bool(linear.constant.is_zero())
        } else if !linear.constant.is_multiple_of(&gcd) {
            FALSE
        } else {
            linear.divide_coefficients(&gcd);
            linear.constant = linear.constant.div_exact(&gcd);
            if linear.leads_negative() {
                linear.negate();
            }
            let sum = self.intern_linear(&linear);
            self.intern(Term::Eq(sum))
        };
        self.linear_scratch = linear;
        formula
    }

    /// An integer constant.
    pub fn int(&mut self, value: impl Into<Int>) -> TermId {
        self.intern(Term::Const(value.into()))
    }

    /// `a + b`.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.sum(&[a, b])
    }

    /// `a - b`.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        let linear = self.difference(a, b);
        self.finish_linear(linear)
    }

    /// `-a`.
    pub fn neg(&mut self, a: TermId) -> TermId {
        self.scale(&Int::MINUS_ONE, a)
    }

    /// `factor * a`.
    pub fn scale(&mut self, factor: &Int, a: TermId) -> TermId {
        let mut linear = self.begin_linear();
        linear.add(self, factor, a);
        self.finish_linear(linear)
    }

    /// The sum of the terms, 0 if there are none.
    pub fn sum(&mut self, terms: &[TermId]) -> TermId {
        let mut linear = self.begin_linear();
        for &term in terms {
            linear.add(self, &Int::ONE, term);
        }
        self.finish_linear(linear)
    }

    /// The sum of the monomials `coefficient * term` and the constant. The terms may be any integer terms, in any order.
    pub fn linear(&mut self, monomials: &[(Int, TermId)], constant: Int) -> TermId {
        let mut linear = self.begin_linear();
        linear.constant = constant;
        for (coefficient, term) in monomials {
            linear.add(self, coefficient, *term);
        }
        self.finish_linear(linear)
    }

    fn difference(&mut self, a: TermId, b: TermId) -> Linear {
        let mut linear = self.begin_linear();
        linear.add(self, &Int::ONE, a);
        linear.add(self, &Int::MINUS_ONE, b);
        linear
    }

    /// `a <= b`.
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        let linear = self.difference(a, b);
        self.finish_inequality(linear, false)
    }

    /// `a < b`.
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        let linear = self.difference(a, b);
        self.finish_inequality(linear, true)
    }

    /// `a >= b`.
    pub fn ge(&mut self, a: TermId, b: TermId) -> TermId {
        self.le(b, a)
    }

    /// `a > b`.
    pub fn gt(&mut self, a: TermId, b: TermId) -> TermId {
        self.lt(b, a)
    }

    /// `a <= 0`.
    pub fn le_zero(&mut self, a: TermId) -> TermId {
        let mut linear = self.begin_linear();
        linear.add(self, &Int::ONE, a);
        self.finish_inequality(linear, false)
    }

    /// `a < 0`.
    pub fn lt_zero(&mut self, a: TermId) -> TermId {
        let mut linear = self.begin_linear();
        linear.add(self, &Int::ONE, a);
        self.finish_inequality(linear, true)
    }

    /// `a = 0`.
    pub fn eq_zero(&mut self, a: TermId) -> TermId {
        let mut linear = self.begin_linear();
        linear.add(self, &Int::ONE, a);
        self.finish_eq(linear)
    }

    /// The equation of two numbers.
    pub(super) fn eq_number(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return TRUE;
        }
        let linear = self.difference(a, b);
        self.finish_eq(linear)
    }

    /// The quotient of `a` and a constant, rounded towards minus infinity.
    ///
    /// # Panics
    /// If the divisor is 0.
    pub fn div_floor(&mut self, a: TermId, divisor: &Int) -> TermId {
        assert!(!divisor.is_zero(), "division of a term by zero");
        if divisor.is_negative() {
            let negated = self.neg(a);
            return self.div_floor(negated, &-divisor);
        }
        if divisor.is_one() && !self.is_real(a) {
            return a;
        }
        let mut all = self.begin_linear();
        all.add(self, &Int::ONE, a);
        all.normalise();
        let divisor = &(divisor * &all.denominator);
        let is_real = self.has_real_leaf(&all);
        // The part that the divisor divides leaves the quotient; the rest shares a gcd with the divisor that can be cancelled.
        let mut outside = Linear {
            constant: all.constant.div_floor(divisor),
            ..Linear::default()
        };
        let mut inside = Linear {
            constant: all.constant.mod_floor(divisor),
            ..Linear::default()
        };
        for (coefficient, term) in all.monomials.drain(..) {
            if coefficient.is_multiple_of(divisor) && !self.is_real(term) {
                outside.monomials.push((coefficient.div_exact(divisor), term));
            } else {
                inside.monomials.push((coefficient, term));
            }
        }
        self.linear_scratch = all;
        if !inside.monomials.is_empty() {
            let mut gcd = inside.gcd().gcd(divisor);
            if is_real {
                // Half an integer may remain of the constant over the reals.
                gcd = gcd.gcd(&inside.constant);
            }
            inside.divide_coefficients(&gcd);
            inside.constant = inside.constant.div_floor(&gcd);
            let rest = self.intern_linear(&inside);
            let quotient = self.div_of_rest(rest, &divisor.div_exact(&gcd));
            outside.monomials.push((Int::ONE, quotient));
        }
        self.finish_linear(outside)
    }

    /// `floor(rest / divisor)` for a positive divisor, nothing to move out; nested divisions are joined.
    fn div_of_rest(&mut self, rest: TermId, divisor: &Int) -> TermId {
        match self.term(rest) {
            _ if divisor.is_one() && !self.is_real(rest) => rest,
            Term::Div(inner, first) => {
                let (inner, product) = (*inner, first * divisor);
                self.div_floor(inner, &product)
            }
            _ => self.intern(Term::Div(rest, divisor.clone())),
        }
    }

    /// `a - divisor * div_floor(a, divisor)`: for a positive divisor, the Euclidean remainder.
    ///
    /// # Panics
    /// If the divisor is 0.
    pub fn mod_floor(&mut self, a: TermId, divisor: &Int) -> TermId {
        let quotient = self.div_floor(a, divisor);
        let mut linear = self.begin_linear();
        linear.add(self, &Int::ONE, a);
        linear.add(self, &-divisor, quotient);
        self.finish_linear(linear)
    }

    /// The value of a constant term.
    pub fn as_const(&self, term: TermId) -> Option<&Int> {
        match self.term(term) {
            Term::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The monomials of an integer term, calling `each(coefficient, term)`; returns the constant.
    pub fn for_each_monomial(&self, term: TermId, mut each: impl FnMut(&Int, TermId)) -> Int {
        match self.term(term) {
            Term::Const(value) => value.clone(),
            Term::Sum(monomials, constant) => {
                for (coefficient, monomial) in monomials {
                    each(coefficient, *monomial);
                }
                constant.clone()
            }
            _ => {
                each(&Int::ONE, term);
                Int::ZERO
            }
        }
    }
}
