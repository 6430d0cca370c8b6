//! Derivations by resolution, for observers that trace clauses.
//!
//! While the search learns, it resolves; a [`Derivation`] writes the resolutions down. Where clauses are not traced it stays empty, and its functions do nothing.

use super::clauses::NO_PROOF;
use super::search::{Because, Reason, Search};
use crate::hash::FxHashMap;
use crate::num::Int;
use crate::proof::{ClauseId, LemmaKind, Lit, Part, Step, Var};
use crate::solver::events::Event;

/// A derivation under way: clauses that are resolved with one another, from left to right.
pub(in crate::solver) struct Derivation {
    is_traced: bool,
    antecedents: Vec<ClauseId>,
    pivots: Vec<Var>,
}

impl Derivation {
    /// Resolves with a clause on a variable. The first clause is only taken.
    #[inline]
    pub fn resolve(&mut self, clause: ClauseId, pivot: Var) {
        if !self.is_traced {
            return;
        }
        if !self.antecedents.is_empty() {
            self.pivots.push(pivot);
        }
        self.antecedents.push(clause);
    }

    /// Whether the derivation is written down.
    #[inline]
    pub fn is_traced(&self) -> bool {
        self.is_traced
    }

    /// The number of clauses so far.
    pub fn len(&self) -> usize {
        self.antecedents.len()
    }
}

/// The coefficients of a Farkas step from those of the columns: each divided by its atom's scale, all made integers again.
fn over_scales(scales: &FxHashMap<Var, Int>, literals: &[Lit], mut coeffs: Vec<Int>) -> Box<[Int]> {
    if !scales.is_empty() {
        let scale = |lit: &Lit| scales.get(&lit.var()).cloned().unwrap_or(Int::ONE);
        let common = literals.iter().fold(Int::ONE, |common, lit| common.lcm(&scale(lit)));
        for (coeff, lit) in coeffs.iter_mut().zip(literals) {
            *coeff *= &common.div_exact(&scale(lit));
        }
    }
    coeffs.into()
}

impl Search {
    /// A derivation without clauses.
    #[inline]
    pub fn derivation(&self) -> Derivation {
        Derivation {
            is_traced: self.events.is_traced(),
            antecedents: Vec::new(),
            pivots: Vec::new(),
        }
    }

    /// A derivation that begins with a conflict.
    pub fn derivation_from(&mut self, conflict: Reason) -> Derivation {
        let mut derivation = self.derivation();
        if derivation.is_traced {
            derivation.antecedents.push(self.clause_of(conflict, None));
        }
        derivation
    }

    /// Resolves with the reason of a literal.
    #[inline]
    pub fn resolve_reason(&mut self, derivation: &mut Derivation, reason: Reason, lit: Lit) {
        if derivation.is_traced {
            derivation.resolve(self.clause_of(reason, Some(lit)), lit.var());
        }
    }

    /// Resolves with the unit clause of a variable that is assigned at level zero.
    #[inline]
    pub fn resolve_unit(&self, derivation: &mut Derivation, var: Var) {
        if derivation.is_traced {
            derivation.resolve(self.units[var.index()], var);
        }
    }

    /// Ends a derivation, whose last resolvent has these literals; returns its number. A derivation of one clause is that clause.
    pub fn conclude(&mut self, derivation: &Derivation, literals: &[Lit]) -> ClauseId {
        debug_assert!(derivation.antecedents.iter().all(|a| *a != NO_PROOF));
        match derivation.antecedents[..] {
            [] => NO_PROOF,
            [only] => only,
            _ => self
                .events
                .resolvent(literals, &derivation.antecedents, &derivation.pivots),
        }
    }

    /// Notes the unit clause of a literal that is assigned at level zero.
    pub fn set_unit(&mut self, lit: Lit, clause: ClauseId) {
        if self.events.is_traced() {
            self.units[lit.var().index()] = clause;
        }
    }

    /// Derives the unit clause of a literal that was implied at level zero.
    pub fn derive_unit(&mut self, lit: Lit, reason: Reason) {
        let mut derivation = self.derivation();
        self.resolve_reason(&mut derivation, reason, lit);
        for i in 0..self.reason_len(reason) {
            let other = self.reason_literal(reason, i);
            if other != lit {
                debug_assert!(self.is_false(other));
                self.resolve_unit(&mut derivation, other.var());
            }
        }
        let unit = self.conclude(&derivation, &[lit]);
        self.set_unit(lit, unit);
    }

    /// Derives the empty clause from a conflict whose literals are all false at level zero.
    pub fn refute(&mut self, conflict: Reason) {
        let mut derivation = self.derivation_from(conflict);
        if derivation.is_traced {
            for i in 0..self.reason_len(conflict) {
                let var = self.reason_literal(conflict, i).var();
                self.resolve_unit(&mut derivation, var);
            }
        }
        let clause = self.conclude(&derivation, &[]);
        self.set_contradiction(clause);
    }

    /// The clauses are contradictory, as this clause says.
    pub fn set_contradiction(&mut self, clause: ClauseId) {
        self.contradiction = true;
        self.events.emit(Event::Refuted { clause });
    }

    /// The number of the clause of a reason that implied `lit` (or of a conflict). A theory lemma becomes an axiom here. Clauses are traced.
    fn clause_of(&mut self, reason: Reason, lit: Option<Lit>) -> ClauseId {
        match reason {
            Reason::None => self.units[lit.expect("a unit has a literal").var().index()],
            Reason::Clause(clause) => self.clauses.proof(clause),
            Reason::Bound(by) => {
                let literals = [lit.expect("a bound implies a literal"), !by];
                let coeffs = over_scales(&self.scales, &literals, vec![Int::ONE; 2]);
                self.events.axiom(&literals, &Step::Farkas { coeffs })
            }
            Reason::Lemma(i) => {
                let lemma = &mut self.lemmas[i as usize];
                if lemma.proof == NO_PROOF {
                    let step = match &lemma.because {
                        Because::Farkas(coeffs) => {
                            assert_eq!(
                                lemma.literals.len(),
                                coeffs.len(),
                                "a traced lemma has its coefficients"
                            );
                            Step::Farkas {
                                coeffs: over_scales(&self.scales, &lemma.literals, coeffs.clone()),
                            }
                        }
                        Because::Euf => Step::Lemma {
                            part: Part(0),
                            kind: LemmaKind::Euf,
                        },
                        Because::Pigeonhole(part) => Step::Lemma {
                            part: *part,
                            kind: LemmaKind::Pigeonhole,
                        },
                        Because::Unexplained(..) => {
                            unreachable!("if clauses are traced, explanations are made at once")
                        }
                    };
                    lemma.proof = self.events.axiom(&lemma.literals, &step);
                }
                lemma.proof
            }
        }
    }
}
