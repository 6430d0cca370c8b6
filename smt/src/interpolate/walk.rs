//! The walk over a proof that computes the interpolants of all cuts.
//!
//! For one cut, the partial interpolant `I` of a clause `C` satisfies `A => I | C|a` and `B & I => C|b`, where `C|a` are the literals
//! of `C` labelled `a` or `ab`, and `C|b` those labelled `b` or `ab`. For the empty clause this is the interpolant.
//!
//! | step | partial interpolant |
//! |---|---|
//! | leaf of A | the disjunction of the literals labelled `b` |
//! | leaf of B | the conjunction of the negations of the literals labelled `a` |
//! | Farkas | see [`farkas`] |
//! | congruence between applications of A and of B | see [`congruence`](super::congruence) |
//! | resolution on `p` labelled `a` | `I1 \| I2` |
//! | ... labelled `b` | `I1 & I2` |
//! | ... labelled `ab` | `(p \| I1) & (!p \| I2)`, with `p` in the first clause |
//! | ... mixed | see [`purify`](super::purify) |
//!
//! (D'Silva, Kroening, Purandare, Weissenbacher 2010.)
//!
//! Definitions and lemmas are tautologies, and are given to one part of the intersection of their literals' spans, the
//! same for all cuts. Labels depend on the variable only. A lemma without such a part is one more clause of B at the cuts before the first of its
//! symbols ends, of A at those after the last of its symbols began, and mixed between. Cost: cuts times proof size, in steps that build one term each.

use super::congruence::{Congruence, Holder, sign};
use super::farkas::{self, Sum, Summand};
use super::purify::{Mixed, Purifier, local_part};
use super::span::{Span, Spans};
use super::{ArithmeticLeaf, Labelling, Variant};
use crate::num::Int;
use crate::proof::{ClauseId, LemmaKind, Lit, Proof, Step, Var};
use crate::term::{Term, TermId, TermPool};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Label {
    A,
    B,
    Both,
    Mixed,
}

/// The interpolants of the cuts after part `0 .. parts - 2`, in order. All steps of the proof should be needed: see [`Proof::trimmed`].
pub(super) fn interpolants(
    pool: &mut TermPool,
    proof: &Proof,
    spans: &Spans,
    parts: usize,
    variant: Variant,
) -> Result<Vec<TermId>, Mixed> {
    let mut walk = Walk::new(pool, proof, spans, variant);
    let (first, last) = walk.input_range();
    let mut result = Vec::new();
    for cut in 0..parts.saturating_sub(1) {
        let cut = u32::try_from(cut).expect("parts are numbered with 32 bits");
        // All inputs are on one side of most cuts of a long path with a local contradiction.
        result.push(if cut < first {
            walk.pool.mk_true()
        } else if cut >= last {
            walk.pool.mk_false()
        } else {
            walk.interpolant(cut)?
        });
    }
    Ok(result)
}

struct Walk<'a> {
    pool: &'a mut TermPool,
    proof: &'a Proof,
    known: &'a Spans,
    variant: Variant,
    /// The span of each variable of the proof; of those that do not occur, everywhere.
    spans: Vec<Span>,
    /// The parts of each leaf: one, or none and the cuts between which it is mixed. Unused for Farkas steps and chains.
    leaves: Vec<Span>,
    /// The partial interpolants of the current cut.
    partial: Vec<TermId>,
    purifier: Purifier,
    /// For [`Labelling::Smallest`], the parts of the leaves that have each variable, sorted.
    occurrences: Vec<Vec<u32>>,
}

impl<'a> Walk<'a> {
    fn new(pool: &'a mut TermPool, proof: &'a Proof, known: &'a Spans, variant: Variant) -> Self {
        let mut spans = vec![None; proof.atoms.len()];
        let mut leaves = Vec::with_capacity(proof.len());
        for (index, step) in (0u32..).zip(&proof.steps) {
            let mut meet = Span::EVERYWHERE;
            for lit in proof.clause(ClauseId(index)) {
                let var = lit.var().index();
                let span = *spans[var].get_or_insert_with(|| known.of(pool, proof.atoms[var]));
                meet = meet.meet(span);
            }
            let part = |part| Span {
                first: part,
                last: part,
            };
            leaves.push(match step {
                Step::Input { part: of, .. } => part(of.0),
                Step::Define { .. } | Step::Lemma { .. } if meet.is_empty() => meet,
                Step::Define { .. } | Step::Lemma { .. } if variant.labelling == Labelling::DualMcMillan => {
                    part(meet.first)
                }
                Step::Define { .. } | Step::Lemma { .. } => part(meet.last),
                Step::Farkas { .. } | Step::Chain { .. } => Span::EVERYWHERE,
            });
        }
        let spans = spans.into_iter().map(|span| span.unwrap_or(Span::EVERYWHERE)).collect();
        Walk {
            purifier: Purifier::new(pool),
            pool,
            proof,
            known,
            variant,
            spans,
            occurrences: if variant.labelling == Labelling::Smallest {
                occurrences(proof, &leaves)
            } else {
                Vec::new()
            },
            leaves,
            partial: Vec::with_capacity(proof.len()),
        }
    }

    /// The first and the last part of an input clause.
    fn input_range(&self) -> (u32, u32) {
        let mut range = (u32::MAX, 0);
        for step in &self.proof.steps {
            if let Step::Input { part, .. } = step {
                range = (range.0.min(part.0), range.1.max(part.0));
            }
        }
        range
    }

    fn interpolant(&mut self, cut: u32) -> Result<TermId, Mixed> {
        let proof = self.proof;
        self.partial.clear();
        for (index, step) in (0u32..).zip(&proof.steps) {
            let id = ClauseId(index);
            let partial = match step {
                Step::Chain { antecedents, pivots } => self.chain(antecedents, pivots, cut)?,
                Step::Farkas { coeffs } => self.farkas(proof.clause(id), coeffs, cut)?,
                Step::Lemma { kind, .. } if self.leaf_label(id, cut) == Label::Mixed => {
                    self.mixed_lemma(proof.clause(id), *kind, cut)?
                }
                _ => self.leaf(proof.clause(id), self.leaf_label(id, cut) == Label::A, cut),
            };
            self.partial.push(partial);
        }
        Ok(self.purifier.expand(self.pool, self.partial[proof.empty.index()]))
    }

    fn label(&self, var: Var, cut: u32) -> Label {
        side(self.spans[var.index()], cut).unwrap_or_else(|| match self.variant.labelling {
            Labelling::McMillan => Label::B,
            Labelling::Pudlak => Label::Both,
            Labelling::DualMcMillan => Label::A,
            Labelling::Smallest => {
                // In A more often than in B: this changes once, from B to A, as the cut moves on.
                let parts = &self.occurrences[var.index()];
                let in_a = parts.partition_point(|&part| part <= cut);
                if 2 * in_a > parts.len() { Label::A } else { Label::B }
            }
        })
    }

    /// Whether a leaf clause belongs to A, to B, or has symbols local to each.
    fn leaf_label(&self, id: ClauseId, cut: u32) -> Label {
        side(self.leaves[id.index()], cut).expect("a leaf has one part, or is mixed")
    }

    fn term(&mut self, lit: Lit) -> TermId {
        let atom = self.proof.atoms[lit.var().index()];
        if lit.is_negative() { self.pool.not(atom) } else { atom }
    }

    fn leaf(&mut self, clause: &[Lit], in_a: bool, cut: u32) -> TermId {
        let wanted = if in_a { Label::B } else { Label::A };
        let mut arguments = Vec::new();
        for &lit in clause.iter().filter(|lit| self.label(lit.var(), cut) == wanted) {
            arguments.push(if in_a { lit } else { !lit });
        }
        let arguments: Vec<TermId> = arguments.into_iter().map(|lit| self.term(lit)).collect();
        if in_a {
            self.pool.or(&arguments)
        } else {
            self.pool.and(&arguments)
        }
    }

    fn mixed_lemma(&mut self, clause: &[Lit], kind: LemmaKind, cut: u32) -> Result<TermId, Mixed> {
        let LemmaKind::Congruence { left, right } = kind else {
            return Err(Mixed);
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

    fn farkas(&mut self, clause: &[Lit], coeffs: &[Int], cut: u32) -> Result<TermId, Mixed> {
        let leaf = self.variant.arithmetic;
        let of_a = matches!(leaf, ArithmeticLeaf::Farkas | ArithmeticLeaf::Decomposed);
        let (mut side, mut any_real) = (Vec::new(), false);
        for (&lit, coeff) in clause.iter().zip(coeffs) {
            any_real |= match *self.pool.term(self.proof.atoms[lit.var().index()]) {
                Term::Le(bound) | Term::Lt(bound) => self.pool.is_real(bound),
                _ => false,
            };
            side.extend(self.summand(!lit, coeff, cut, of_a)?);
        }
        let sums = if matches!(leaf, ArithmeticLeaf::Decomposed | ArithmeticLeaf::DualDecomposed) {
            farkas::decomposition(&side)
        } else {
            vec![farkas::sum(&side)]
        };
        let mut formulas = Vec::with_capacity(sums.len());
        for Sum {
            mut monomials,
            mut constant,
            mut strict,
            ..
        } in sums
        {
            if !of_a {
                // The negation of `b <= 0` is `-b + 1 <= 0`, over the reals `-b < 0`.
                monomials.iter_mut().for_each(|monomial| monomial.0 = -&monomial.0);
                if any_real {
                    (constant, strict) = (-constant, !strict);
                } else {
                    constant = Int::from(1) - constant;
                }
            }
            let sum = self.pool.linear(&monomials, constant);
            formulas.push(self.purifier.at_most_zero(self.pool, sum, strict));
        }
        Ok(if of_a {
            self.pool.and(&formulas)
        } else {
            self.pool.or(&formulas)
        })
    }

    /// What A, or else B, has of an assumed inequality; none if it belongs to the other side.
    fn summand(&mut self, assumed: Lit, weight: &Int, cut: u32, of_a: bool) -> Result<Option<Summand>, Mixed> {
        let label = self.label(assumed.var(), cut);
        if label != Label::Mixed && (label == Label::A) != of_a {
            return Ok(None);
        }
        let (bound, is_less) = match *self.pool.term(self.proof.atoms[assumed.var().index()]) {
            Term::Le(bound) => (bound, false),
            Term::Lt(bound) => (bound, true),
            _ => unreachable!("the literals of a Farkas step are inequalities"),
        };
        let is_real = self.pool.is_real(bound);
        if is_real && label == Label::Mixed {
            return Err(Mixed);
        }
        // `bound <= 0`, or `-bound + 1 <= 0`; over the reals `bound < 0`, or `-bound < 0`, and `-bound <= 0` if the atom is strict itself.
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
            // What A knows is `a - u <= 0`, or `u - a <= 0`; B has the difference to the whole.
            let auxiliary = self.purifier.auxiliary(self.pool, assumed.var());
            if of_a {
                monomials = local.clone();
                monomials.push((-&factor, auxiliary));
                constant = Int::from(0);
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
            strict: is_real && is_less != assumed.is_negative(),
            local,
        }))
    }

    fn chain(&mut self, antecedents: &[ClauseId], pivots: &[Var], cut: u32) -> Result<TermId, Mixed> {
        let mut result = self.partial[antecedents[0].index()];
        // Runs of resolutions with one connective are built as one term.
        let mut run = vec![result];
        let mut run_label = None;
        for (&antecedent, &pivot) in antecedents[1..].iter().zip(pivots) {
            let label = self.label(pivot, cut);
            let joins = matches!(label, Label::A | Label::B);
            if run_label.is_some_and(|current| current != label) || !joins {
                result = self.close(&mut run, run_label);
            }
            run_label = joins.then_some(label);
            let next = self.partial[antecedent.index()];
            if joins {
                run.push(next);
                continue;
            }
            let right_has_negation = self.proof.clause(antecedent).contains(&pivot.negative());
            result = match (label, right_has_negation) {
                (Label::Both, _) => self.select(result, next, right_has_negation, pivot),
                (_, true) => self.purifier.resolve(self.pool, result, next, pivot)?,
                (_, false) => self.purifier.resolve(self.pool, next, result, pivot)?,
            };
            run = vec![result];
        }
        Ok(self.close(&mut run, run_label))
    }

    /// Joins a run of partial interpolants, and starts the next run with the result.
    fn close(&mut self, run: &mut Vec<TermId>, label: Option<Label>) -> TermId {
        let result = match label {
            Some(Label::A) => self.pool.or(run),
            Some(Label::B) => self.pool.and(run),
            _ => run[0],
        };
        *run = vec![result];
        result
    }

    /// `(p | left) & (!p | right)` where the right clause has `!p`, or with exchanged signs.
    fn select(&mut self, left: TermId, right: TermId, right_has_negation: bool, pivot: Var) -> TermId {
        if left == right {
            return left;
        }
        let (p, not_p) = (self.term(pivot.positive()), self.term(pivot.negative()));
        let (in_left, in_right) = if right_has_negation { (p, not_p) } else { (not_p, p) };
        let left = self.pool.or(&[in_left, left]);
        let right = self.pool.or(&[in_right, right]);
        self.pool.and(&[left, right])
    }
}

/// For each variable the parts of the leaves that have it, sorted.
fn occurrences(proof: &Proof, leaves: &[Span]) -> Vec<Vec<u32>> {
    let mut occurrences = vec![Vec::new(); proof.atoms.len()];
    for (index, leaf) in (0u32..).zip(leaves) {
        // Farkas steps and mixed lemmas have no part.
        if leaf.first == leaf.last {
            for lit in proof.clause(ClauseId(index)) {
                occurrences[lit.var().index()].push(leaf.first);
            }
        }
    }
    for parts in &mut occurrences {
        parts.sort_unstable();
    }
    occurrences
}

/// On which side of a cut a span lies; none if it goes across.
fn side(span: Span, cut: u32) -> Option<Label> {
    match (span.last <= cut, span.first > cut) {
        (true, true) => Some(Label::Mixed),
        (true, false) => Some(Label::A),
        (false, true) => Some(Label::B),
        (false, false) => None,
    }
}
