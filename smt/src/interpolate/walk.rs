//! The walk over a proof that computes the interpolants of all cuts.
//!
//! For one cut, the partial interpolant `I` of a clause `C` satisfies `A => I | C|a` and `B & I => C|b`, where `C|a` are the literals
//! of `C` labelled `a` or `ab`, and `C|b` those labelled `b` or `ab`. For the empty clause this is the interpolant.
//!
//! | step | partial interpolant |
//! |---|---|
//! | leaf of A | the disjunction of the literals labelled `b` |
//! | leaf of B | the conjunction of the negations of the literals labelled `a` |
//! | Farkas | see [`farkas`](super::farkas) |
//! | equality and congruence | see [`equality`](super::equality) |
//! | a congruence lemma between applications of A and of B | see [`congruence`](super::congruence) |
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

use super::guide::Guide;
use super::purify::{Mixed, Purifier, local_part};
use super::span::{Span, Spans};
use super::{Labelling, Variant};
use crate::fault::planted;
use crate::hash::FxHashSet;
use crate::proof::{ClauseId, LemmaKind, Lit, Proof, Step, Var};
use crate::term::{Term, TermId, TermPool};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The side of a cut to which a literal counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    A,
    B,
    Both,
    Mixed,
}

/// Why no interpolants were read off a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unread {
    Mixed,
    Interrupted,
}

impl From<Mixed> for Unread {
    fn from(Mixed: Mixed) -> Unread {
        Unread::Mixed
    }
}

impl Unread {
    pub fn reason(self) -> &'static str {
        match self {
            Unread::Mixed => "mixed literals in the proof",
            Unread::Interrupted => "interrupted",
        }
    }
}

/// Steps of a proof between two looks at the interrupt flag.
const STEPS_AT_ONCE: usize = 1 << 12;

/// The interpolants of the cuts after part `0 .. parts - 2`, in order; with a guide if there are two parts and no literal is mixed. All steps of the proof should be needed: see [`Proof::trimmed`].
pub(super) fn interpolants(
    pool: &mut TermPool,
    proof: &Arc<Proof>,
    spans: &Spans,
    parts: usize,
    variant: Variant,
    (guide, interrupt): (Option<&mut Option<Guide>>, Option<&AtomicBool>),
) -> Result<Vec<TermId>, Unread> {
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
            walk.interpolant(cut, interrupt)?
        });
    }
    if let Some(guide) = guide
        && walk.partial.len() == proof.len()
    {
        let labels: Vec<Label> = (0..)
            .map(Var)
            .take(proof.atoms.len())
            .map(|var| walk.label(var, 0))
            .collect();
        let is_mixed = |index| {
            proof
                .clause(ClauseId(index))
                .iter()
                .any(|lit| labels[lit.var().index()] == Label::Mixed)
        };
        if !(0..).take(proof.len()).any(is_mixed) {
            *guide = Some(Guide {
                proof: Arc::clone(proof),
                partial: walk.partial,
                labels,
            });
        }
    }
    Ok(result)
}

pub(super) struct Walk<'a> {
    pub(super) pool: &'a mut TermPool,
    pub(super) proof: &'a Proof,
    pub(super) known: &'a Spans,
    pub(super) variant: Variant,
    /// The span of each variable of the proof; of those that do not occur, everywhere.
    spans: Vec<Span>,
    /// The parts of each leaf: one, or none and the cuts between which it is mixed. Unused for Farkas steps and chains.
    leaves: Vec<Span>,
    /// The partial interpolants of the current cut.
    partial: Vec<TermId>,
    pub(super) purifier: Purifier,
    /// For [`Labelling::Smallest`], the parts of the leaves that have each variable, sorted.
    occurrences: Vec<Vec<u32>>,
}

impl<'a> Walk<'a> {
    fn new(pool: &'a mut TermPool, proof: &'a Proof, known: &'a Spans, variant: Variant) -> Self {
        let mut spans = vec![None; proof.atoms.len()];
        let mut leaves = Vec::with_capacity(proof.len());
        for (index, step) in (0u32..).zip(&proof.steps) {
            let mut meet = Span::EVERYWHERE;
            let clause = proof.clause(ClauseId(index));
            for lit in clause {
                let var = lit.var().index();
                let span = *spans[var].get_or_insert_with(|| known.of(pool, proof.atoms[var]));
                meet = meet.meet(span);
            }
            let part = |part| Span {
                first: part,
                last: part,
            };
            if meet.is_empty() && matches!(step, Step::Define { .. } | Step::Lemma { .. }) {
                // An equation of one part may be about symbols of more. The part that has all of them can have the clause.
                let by_symbols = clause.iter().fold(Span::EVERYWHERE, |meet, lit| {
                    meet.meet(known.of_symbols(pool, proof.atoms[lit.var().index()]))
                });
                meet = if by_symbols.is_empty() { meet } else { by_symbols };
            }
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

    fn interpolant(&mut self, cut: u32, interrupt: Option<&AtomicBool>) -> Result<TermId, Unread> {
        let proof = self.proof;
        self.partial.clear();
        if self.pool.has_reals() {
            let reals = self.real_auxiliaries(cut)?;
            self.purifier.set_reals(reals);
        }
        for (index, step) in (0u32..).zip(&proof.steps) {
            let is_time = self.partial.len().is_multiple_of(STEPS_AT_ONCE);
            if is_time && interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(Unread::Interrupted);
            }
            let id = ClauseId(index);
            let partial = match step {
                Step::Chain { antecedents, pivots } => self.chain(antecedents, pivots, cut)?,
                Step::Farkas { coeffs } => self.farkas(proof.clause(id), coeffs, cut)?,
                Step::Lemma {
                    kind: LemmaKind::Euf, ..
                } => self.equality(proof.clause(id), cut)?,
                Step::Lemma { kind, .. } if self.leaf_label(id, cut) == Label::Mixed => {
                    self.mixed_lemma(proof.clause(id), *kind, cut)?
                }
                _ => self.leaf(proof.clause(id), self.leaf_label(id, cut) == Label::A, cut),
            };
            self.partial.push(partial);
        }
        Ok(self.purifier.expand(self.pool, self.partial[proof.empty.index()]))
    }

    /// The mixed literals whose part local to A is a real number.
    fn real_auxiliaries(&self, cut: u32) -> Result<FxHashSet<Var>, Mixed> {
        let mut reals = FxHashSet::default();
        for (number, span) in (0u32..).zip(&self.spans) {
            if side(*span, cut) == Some(Label::Mixed)
                && let Term::Le(sum) | Term::Lt(sum) | Term::Eq(sum) =
                    *self.pool.term(self.proof.atoms[number as usize])
            {
                let local = local_part(self.pool, self.known, cut, sum, true)?;
                if local.iter().any(|monomial| self.pool.is_real(monomial.1)) {
                    reals.insert(Var(number));
                }
            }
        }
        Ok(reals)
    }

    pub(super) fn label(&self, var: Var, cut: u32) -> Label {
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
        let dropped = usize::from(planted("leaf-literal-dropped"));
        let arguments: Vec<TermId> = arguments.into_iter().skip(dropped).map(|lit| self.term(lit)).collect();
        if in_a {
            self.pool.or(&arguments)
        } else {
            self.pool.and(&arguments)
        }
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
                _ if matches!(self.pool.term(self.proof.atoms[pivot.index()]), Term::Eq(_)) => {
                    let (with_literal, with_negation) = if right_has_negation {
                        (result, next)
                    } else {
                        (next, result)
                    };
                    self.purifier
                        .resolve_equation(self.pool, with_literal, with_negation, pivot)
                }
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
            Some(Label::A) if !planted("resolution-connective") => self.pool.or(run),
            Some(Label::A | Label::B) => self.pool.and(run),
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
pub(super) fn side(span: Span, cut: u32) -> Option<Label> {
    let cut = cut + u32::from(planted("cut-off-by-one"));
    match (span.last <= cut, span.first > cut) {
        (true, true) => Some(Label::Mixed),
        (true, false) | (false, true) => Some(match span.last <= cut && !planted("colours-swapped") {
            true => Label::A,
            false => Label::B,
        }),
        (false, false) => None,
    }
}
