//! The leaves of a proof that are more than clauses of one part: conflicts of theories, and mixed lemmas.
//!
//! Here the literals of a leaf are sorted by side; the interpolants are computed in [`farkas`], [`equality`](super::equality) and
//! [`congruence`](super::congruence).

use super::congruence::{Congruence, Holder, sign};
use super::equality::{Colour, Conflict, End, Owner};
use super::farkas::{self, Sum, Summand};
use super::purify::{Mixed, local_part};
use super::walk::{Label, Walk, side};
use super::{ArithmeticLeaf, CongruenceLeaf};
use crate::fault::planted;
use crate::num::Int;
use crate::proof::{LemmaKind, Lit};
use crate::term::{Term, TermId, TermPool};

/// Two different terms, the end that they are, and the sign and auxiliary variable of A's half if it is split.
type Different = (TermId, TermId, End, Option<(Int, TermId)>);

/// The literals that a conflict of equality assumes.
#[derive(Default)]
struct EqualityLiterals {
    /// Two equal terms, and the side that says so.
    equations: Vec<(TermId, TermId, Colour)>,
    /// Two different terms, and the side that says so; of a mixed disequation the sign and the auxiliary variable of A's half.
    different: Option<Different>,
    /// Bounds, each with its leaf.
    bounds: Vec<(Lit, TermId)>,
}

impl Walk<'_> {
    /// The partial interpolant of a lemma that is mixed at the cut.
    pub(super) fn mixed_lemma(&mut self, clause: &[Lit], kind: LemmaKind, cut: u32) -> Result<TermId, Mixed> {
        let (left, right) = match kind {
            LemmaKind::Congruence { left, right } => (left, right),
            LemmaKind::Trichotomy { atom } => return self.trichotomy(clause, atom, cut),
            _ => return Err(Mixed),
        };
        let labels: Vec<(Lit, Label)> = clause.iter().map(|&lit| (!lit, self.label(lit.var(), cut))).collect();
        let holder = |lit: Lit| match labels.iter().find(|known| known.0 == lit) {
            Some((_, Label::A)) => Holder::A,
            Some((_, Label::B | Label::Both)) => Holder::B,
            Some((_, Label::Mixed)) | None => Holder::Mixed,
        };
        let lemma = Congruence {
            proof: self.proof,
            clause,
            spans: self.known,
            cut,
            holder: &holder,
            left,
            right,
        };
        lemma.interpolant(self.pool, &mut self.purifier)
    }

    /// For a mixed equation, with the auxiliary variable `u`, and inequalities that bound its local part `a`: A knows `v <= a` or `a <= v` for the
    /// auxiliary variable `v` of each.
    fn trichotomy(&mut self, clause: &[Lit], atom: TermId, cut: u32) -> Result<TermId, Mixed> {
        let Term::Eq(sum) = *self.pool.term(atom) else {
            unreachable!("trichotomy is about an equation")
        };
        let leading = local_part(self.pool, self.known, cut, sum, true)?;
        let leading = leading.first().ok_or(Mixed)?.clone();
        let mut equation = None;
        // Terms for A's lower and upper bounds of `a`, as auxiliary variables with a sign.
        let (mut low, mut high) = (None, None);
        for &lit in clause {
            if self.label(lit.var(), cut) != Label::Mixed {
                return Err(Mixed);
            }
            let auxiliary = self.purifier.auxiliary(self.pool, lit.var());
            match *self.pool.term(self.proof.atoms[lit.var().index()]) {
                Term::Eq(_) => equation = Some((lit, auxiliary)),
                Term::Le(bound) | Term::Lt(bound) => {
                    let local = local_part(self.pool, self.known, cut, bound, true)?;
                    let first = local.first().filter(|first| first.1 == leading.1).ok_or(Mixed)?;
                    let opposite = first.0.is_negative() != leading.0.is_negative();
                    let value = if opposite { self.pool.neg(auxiliary) } else { auxiliary };
                    // An assumed atom bounds its local part from above.
                    if lit.is_negative() != opposite {
                        high = Some(value);
                    } else {
                        low = Some(value);
                    }
                }
                _ => return Err(Mixed),
            }
        }
        let (equation, value) = equation.ok_or(Mixed)?;
        if equation.is_negative() {
            // The equation is assumed, and one bound that contradicts it.
            let (low, high) = (low.unwrap_or(value), high.unwrap_or(value));
            let difference = self.pool.sub(low, high);
            return Ok(self.purifier.at_most_zero(self.pool, difference, false));
        }
        let (low, high) = low.zip(high).ok_or(Mixed)?;
        let exactly = self.purifier.equation(self.pool, value, high);
        let (ordered, strictly) = (self.pool.le(low, high), self.pool.lt(low, high));
        let rest = self.pool.or2(strictly, exactly);
        let body = self.pool.and2(ordered, rest);
        let difference = self.pool.sub(low, high);
        Ok(self.purifier.node(self.pool, difference, Int::from(1), body))
    }

    /// The literals that a conflict of equality assumes, sorted by what they say.
    fn equality_literals(&mut self, clause: &[Lit], cut: u32) -> Result<EqualityLiterals, Mixed> {
        let mut found = EqualityLiterals::default();
        for &lit in clause {
            let (assumed, label) = (!lit, self.label(lit.var(), cut));
            let colour = if label == Label::A { Colour::A } else { Colour::B };
            match *self.pool.term(self.proof.atoms[lit.var().index()]) {
                Term::Le(sum) => {
                    let mut leaf = None;
                    self.pool.for_each_monomial(sum, |_, term| leaf = Some(term));
                    found.bounds.push((assumed, leaf.ok_or(Mixed)?));
                }
                Term::Eq(sum) => {
                    let sides = self.sides(sum)?;
                    if label == Label::Mixed {
                        let in_a = local_part(self.pool, self.known, cut, sum, true)?;
                        let (sign, local) = in_a.first().ok_or(Mixed)?.clone();
                        let other = if local == sides.0 { sides.1 } else { sides.0 };
                        let auxiliary = self.purifier.auxiliary(self.pool, lit.var());
                        let value = self.pool.scale(&sign, auxiliary);
                        if assumed.is_negative() {
                            found.different = Some((local, other, End::Split, Some((sign, auxiliary))));
                        } else {
                            found.equations.push((local, value, Colour::A));
                            found.equations.push((value, other, Colour::B));
                        }
                    } else if assumed.is_negative() {
                        found.different = Some((sides.0, sides.1, End::Of(colour), None));
                    } else {
                        found.equations.push((sides.0, sides.1, colour));
                    }
                }
                _ => return Err(Mixed),
            }
        }
        Ok(found)
    }

    /// The partial interpolant of a conflict of equality and congruence.
    pub(super) fn equality(&mut self, clause: &[Lit], cut: u32) -> Result<TermId, Mixed> {
        let EqualityLiterals {
            equations,
            different,
            bounds,
        } = self.equality_literals(clause, cut)?;
        let (known, proof, auxiliary_name) = (self.known, self.proof, self.purifier.auxiliary_name());
        let mut half_bound = None;
        let (ends, end, split) = match (different, bounds.as_slice()) {
            (Some((x, y, end, split)), _) => (Some((x, y)), end, split),
            (None, &[(p, x), (q, y)]) => {
                let in_a = [p, q].map(|lit| self.label(lit.var(), cut) == Label::A);
                match in_a {
                    [true, true] => (Some((x, y)), End::Of(Colour::A), None),
                    [false, false] => (Some((x, y)), End::Of(Colour::B), None),
                    [true, false] => {
                        half_bound = Some((p, x));
                        (Some((x, y)), End::Split, None)
                    }
                    [false, true] => {
                        half_bound = Some((q, y));
                        (Some((y, x)), End::Split, None)
                    }
                }
            }
            (None, _) => {
                let side = match self.variant.congruence {
                    CongruenceLeaf::Strong => Colour::B,
                    CongruenceLeaf::Weak => Colour::A,
                };
                (None, End::Of(side), None)
            }
        };
        let owner = |pool: &TermPool, term: TermId| {
            let mut symbols = pool.symbols(term);
            symbols.retain(|symbol| symbol.name != auxiliary_name);
            match side(known.of_all(&symbols), cut) {
                Some(Label::Mixed) => Err(Mixed),
                Some(Label::A) => Ok(Owner::A),
                Some(_) => Ok(Owner::B),
                None => Ok(Owner::Shared),
            }
        };
        let conflict = Conflict {
            equations: &equations,
            ends,
            end,
            owner: &owner,
            colouring: self.variant.congruence,
        };
        let purifier = &mut self.purifier;
        conflict.interpolant(self.pool, &mut |pool, shared| match (&split, half_bound) {
            (Some((sign, auxiliary)), _) => {
                let value = pool.scale(sign, shared);
                purifier.equation(pool, *auxiliary, value)
            }
            (None, Some((lit, leaf))) => {
                let replacement = std::iter::once((leaf, shared)).collect();
                let atom = pool.substitute(proof.atoms[lit.var().index()], &replacement);
                if lit.is_negative() { pool.not(atom) } else { atom }
            }
            (None, None) => unreachable!("a split end is a mixed equation or two bounds"),
        })
    }

    /// The two sides of an equation of leaves, or of a leaf and a constant.
    fn sides(&mut self, sum: TermId) -> Result<(TermId, TermId), Mixed> {
        let mut monomials = Vec::new();
        let constant = self
            .pool
            .for_each_monomial(sum, |coeff, term| monomials.push((coeff.clone(), term)));
        match monomials.as_slice() {
            [(k, a)] if k.is_one() => Ok((*a, self.pool.int(-constant))),
            [(k, a), (l, b)] if k.is_one() && (-l).is_one() && constant.is_zero() => Ok((*a, *b)),
            _ => Err(Mixed),
        }
    }

    /// The partial interpolant of inequalities that sum up to a contradiction.
    pub(super) fn farkas(&mut self, clause: &[Lit], coeffs: &[Int], cut: u32) -> Result<TermId, Mixed> {
        let leaf = self.variant.arithmetic;
        let of_a = matches!(leaf, ArithmeticLeaf::Farkas | ArithmeticLeaf::Decomposed);
        let mut side = Vec::new();
        for (&lit, coeff) in clause.iter().zip(coeffs) {
            side.extend(self.summand(!lit, coeff, cut, of_a)?);
        }
        if planted("farkas-sign")
            && let Some(last) = side.last_mut()
        {
            last.weight = -&last.weight;
        }
        let sums = if matches!(leaf, ArithmeticLeaf::Decomposed | ArithmeticLeaf::DualDecomposed) {
            farkas::decomposition(&side)
        } else {
            vec![farkas::sum(&side)]
        };
        let mut formulas = Vec::with_capacity(sums.len());
        for Sum {
            monomials,
            constant,
            strict,
        } in sums
        {
            let sum = self.pool.linear(&monomials, constant);
            formulas.push(if of_a {
                self.purifier.at_most_zero(self.pool, sum, strict)
            } else {
                // The negation of `b <= 0` is `-b < 0`.
                let negated = self.pool.neg(sum);
                self.purifier.at_most_zero(self.pool, negated, !strict)
            });
        }
        Ok(if of_a {
            self.pool.and(&formulas)
        } else {
            self.pool.or(&formulas)
        })
    }

    /// The part of an assumed inequality that A, or else B, has; none if it belongs to the other side.
    fn summand(&mut self, assumed: Lit, weight: &Int, cut: u32, of_a: bool) -> Result<Option<Summand>, Mixed> {
        let label = self.label(assumed.var(), cut);
        if label != Label::Mixed && (label == Label::A) != of_a && !planted("farkas-side") {
            return Ok(None);
        }
        let (bound, strict) = match *self.pool.term(self.proof.atoms[assumed.var().index()]) {
            Term::Le(bound) => (bound, false),
            Term::Lt(bound) => (bound, true),
            _ => unreachable!("the literals of a Farkas step are inequalities"),
        };
        // `bound <= 0`, or `-bound + 1 <= 0`; over the reals `bound < 0`, or `-bound < 0`, and `-bound <= 0` if the atom is strict.
        let is_real = self.pool.is_real(bound);
        let mut strict = is_real && strict != assumed.is_negative();
        let factor = Int::from(sign(assumed));
        let scaled = |part: Vec<(Int, TermId)>| {
            part.into_iter()
                .map(|(c, leaf)| (&c * &factor, leaf))
                .collect::<Vec<_>>()
        };
        let needs_local = label == Label::Mixed
            || matches!(
                self.variant.arithmetic,
                ArithmeticLeaf::Decomposed | ArithmeticLeaf::DualDecomposed
            );
        let local = if needs_local {
            scaled(local_part(self.pool, self.known, cut, bound, of_a)?)
        } else {
            Vec::new()
        };
        let mut monomials = vec![(factor.clone(), bound)];
        let mut constant = Int::from(i64::from(assumed.is_negative() && !is_real));
        if label == Label::Mixed {
            // A knows `a - u <= 0`, or `u - a <= 0`; B has the difference to the whole.
            let auxiliary = self.purifier.auxiliary(self.pool, assumed.var());
            if of_a {
                monomials = local.clone();
                monomials.push((-&factor, auxiliary));
                (constant, strict) = (Int::from(0), false);
            } else {
                let of_other = scaled(local_part(self.pool, self.known, cut, bound, true)?);
                monomials.extend(of_other.into_iter().map(|(c, leaf)| (-c, leaf)));
                monomials.push((factor, auxiliary));
            }
        }
        Ok(Some(Summand {
            weight: weight.clone(),
            monomials,
            constant,
            strict,
            local,
        }))
    }
}
