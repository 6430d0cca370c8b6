//! Certificates of interpolants: for each part a proof that it and the interpolants before it imply the one after it.
//!
//! The interpolant `I_k` of a sequence has two implications: the one into it, `I_{k-1} & P_k => I_k`, and the one out of it, `I_k & P_{k+1} => I_{k+1}`. Those of all interpolants are the steps from `true` to `false`, one
//! for each part; in a tree a part has the interpolants of all its children before it. A certificate has a resolution proof for each step, made by a solver that knows nothing of the interpolation. Its check
//! asks no solver: it looks at the vocabulary, and gives each proof with the formulas of its step to the proof checker. So a certificate can be kept and checked later, by somebody who does not trust the solver.
//!
//! Most proofs of steps are small, because each is about one part. Where the proof was long from which an interpolant between two parts was read, its pieces lead to theirs: see [`guide`](super::guide).

use super::guide::{Guide, Side, replay};
use super::tree::chain;
use super::verify::{Defect, obligation, vocabulary};
use super::{Cost, InterpolationConfig, StrengthLimits};
use crate::fault::planted;
use crate::proof::{self, Part, Proof};
use crate::solver::Answer;
use crate::term::{Symbol, TermId, TermPool};

/// Proofs of the steps of a sequence or tree, in the order of its parts.
#[derive(Clone, Debug)]
pub struct Certificate {
    proofs: Vec<Proof>,
}

/// Why there is no certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Uncertified {
    /// The formulas are no interpolants, or a proof is wrong: a sentence says what.
    Wrong(String),
    /// A step was not proved within its limits.
    Undecided(String),
}

impl From<Defect> for Uncertified {
    fn from(defect: Defect) -> Uncertified {
        let text = defect.to_string();
        match defect {
            Defect::Undecided { .. } => Uncertified::Undecided(text),
            _ => Uncertified::Wrong(text),
        }
    }
}

impl Certificate {
    /// Checks that the formulas are interpolants of the parts, whose [parents](super::tree()) are given.
    ///
    /// # Errors
    /// They are not, or the proofs do not show it.
    pub fn check(
        &self,
        pool: &mut TermPool,
        parts: &[TermId],
        parents: &[usize],
        interpolants: &[TermId],
    ) -> Result<(), Uncertified> {
        well_formed(pool, parts, parents, interpolants)?;
        let steps = steps(pool, parts, parents, interpolants);
        self.check_steps(pool, steps)
    }

    /// Checks that a formula is an interpolant between two sets of parts.
    ///
    /// # Errors
    /// It is not, or the proofs do not show it.
    pub fn check_cut(
        &self,
        pool: &mut TermPool,
        sides: [&[TermId]; 2],
        interpolant: TermId,
    ) -> Result<(), Uncertified> {
        shared(pool, sides, interpolant)?;
        let steps = both_steps(pool, sides, interpolant);
        self.check_steps(pool, steps)
    }

    /// Checks that there is a refutation of each set of formulas.
    fn check_steps(&self, pool: &mut TermPool, steps: Vec<Vec<TermId>>) -> Result<(), Uncertified> {
        if self.proofs.len() != steps.len() {
            let text = format!("{} proofs for {} steps", self.proofs.len(), steps.len());
            return Err(Uncertified::Wrong(text));
        }
        let skipped = usize::from(planted("certificate-first-step"));
        for (part, (proof, step)) in self.proofs.iter().zip(steps).enumerate().skip(skipped) {
            let asserted: Vec<(Part, TermId)> = step.into_iter().map(|formula| (Part(0), formula)).collect();
            proof::check(pool, proof, &asserted).map_err(|error| {
                Uncertified::Wrong(format!("the proof of the step at part {part} is wrong: {error}"))
            })?;
        }
        Ok(())
    }

    /// The proofs, one for each part.
    pub fn proofs(&self) -> &[Proof] {
        &self.proofs
    }

    /// The steps of all proofs together.
    pub fn steps(&self) -> u64 {
        let steps = self
            .proofs
            .iter()
            .map(|proof| u64::try_from(proof.len()).unwrap_or(u64::MAX));
        steps.sum()
    }
}

/// Proves that the formulas are interpolants of a sequence of parts, and checks the proofs. Also with what it cost.
///
/// # Errors
/// They are not, or it was not decided; `limits` are those of one step.
pub fn certify_sequence(
    pool: &mut TermPool,
    parts: &[TermId],
    interpolants: &[TermId],
    limits: &StrengthLimits,
) -> (Result<Certificate, Uncertified>, Cost) {
    certify_tree(pool, parts, &chain(parts.len()), interpolants, None, limits)
}

/// As [`certify_sequence`] for the interpolants of a [tree](super::tree()) of parts with these parents. A [guide](Guide) of the query that found them helps.
///
/// # Errors
/// They are not, or it was not decided; `limits` are those of one step.
pub fn certify_tree(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    interpolants: &[TermId],
    guide: Option<&Guide>,
    limits: &StrengthLimits,
) -> (Result<Certificate, Uncertified>, Cost) {
    let mut cost = Cost::default();
    let found = well_formed(pool, parts, parents, interpolants).and_then(|()| {
        let steps = steps(pool, parts, parents, interpolants);
        let certificate = prove(pool, steps, interpolants, guide, limits, &mut cost)?;
        certificate.check(pool, parts, parents, interpolants)?;
        Ok(certificate)
    });
    (found, cost)
}

/// Proves that a formula is an interpolant between two sets of parts, and checks the proofs: of the formula from the first set, and of its contradiction to the second. Also with what it cost. A [guide](Guide) of the query that found it helps.
///
/// # Errors
/// It is not, or it was not decided; `limits` are those of one implication.
pub fn certify_cut(
    pool: &mut TermPool,
    sides: [&[TermId]; 2],
    interpolant: TermId,
    guide: Option<&Guide>,
    limits: &StrengthLimits,
) -> (Result<Certificate, Uncertified>, Cost) {
    let mut cost = Cost::default();
    let found = shared(pool, sides, interpolant).and_then(|()| {
        let steps = both_steps(pool, sides, interpolant);
        let certificate = prove(pool, steps, &[interpolant], guide, limits, &mut cost)?;
        certificate.check_cut(pool, sides, interpolant)?;
        Ok(certificate)
    });
    (found, cost)
}

/// Certifies what a query has found, within its limits for each step, and counts that.
///
/// # Panics
/// If the interpolants are wrong, which is a defect of this crate.
pub(super) fn certify_found(
    pool: &mut TermPool,
    parts: &[TermId],
    parents: &[usize],
    interpolants: &[TermId],
    guide: Option<&Guide>,
    config: &InterpolationConfig,
    cost: &mut Cost,
) {
    let limits = StrengthLimits {
        ticks: config.ticks,
        interrupt: config.interrupt.clone(),
    };
    let (found, spent) = certify_tree(pool, parts, parents, interpolants, guide, &limits);
    let number = u64::try_from(interpolants.len()).unwrap_or(u64::MAX);
    cost.certificate_ticks = cost.certificate_ticks.saturating_add(spent.ticks);
    cost.certificate_steps += spent.steps;
    match found {
        Ok(_) => cost.certified += number,
        Err(Uncertified::Undecided(_)) => cost.uncertified += number,
        Err(Uncertified::Wrong(text)) => panic!("wrong interpolant: {text}"),
    }
}

/// The formulas that each step refutes.
fn steps(pool: &mut TermPool, parts: &[TermId], parents: &[usize], interpolants: &[TermId]) -> Vec<Vec<TermId>> {
    let step = |part| obligation(pool, parts, parents, interpolants, part);
    (0..parts.len()).map(step).collect()
}

/// The same for the two implications of one interpolant.
fn both_steps(pool: &mut TermPool, [inside, outside]: [&[TermId]; 2], interpolant: TermId) -> Vec<Vec<TermId>> {
    let negated = pool.not(interpolant);
    let with = |side: &[TermId], formula| side.iter().copied().chain([formula]).collect();
    vec![with(inside, negated), with(outside, interpolant)]
}

/// Whether a formula has only symbols of both sides.
fn shared(pool: &TermPool, [inside, outside]: [&[TermId]; 2], interpolant: TermId) -> Result<(), Uncertified> {
    let (inside, outside) = (pool.symbols_of(inside), pool.symbols_of(outside));
    let is_shared = |symbol: &Symbol| inside.binary_search(symbol).is_ok() && outside.binary_search(symbol).is_ok();
    match pool.symbols(interpolant).into_iter().find(|symbol| !is_shared(symbol)) {
        Some(symbol) if !planted("certificate-vocabulary") => Err(Uncertified::from(Defect::Vocabulary {
            part: 0,
            symbol: pool.symbol_text(symbol),
        })),
        _ => Ok(()),
    }
}

fn well_formed(
    pool: &TermPool,
    parts: &[TermId],
    parents: &[usize],
    interpolants: &[TermId],
) -> Result<(), Uncertified> {
    if interpolants.len() + 1 != parts.len().max(1) || parents.len() != interpolants.len() {
        return Err(Uncertified::from(Defect::Length {
            parts: parts.len(),
            interpolants: interpolants.len(),
        }));
    }
    if planted("certificate-vocabulary") {
        return Ok(());
    }
    Ok(vocabulary(pool, parts, parents, interpolants)?)
}

/// A refutation of each set of formulas, which are the steps of these interpolants.
fn prove(
    pool: &mut TermPool,
    steps: Vec<Vec<TermId>>,
    interpolants: &[TermId],
    guide: Option<&Guide>,
    limits: &StrengthLimits,
    cost: &mut Cost,
) -> Result<Certificate, Uncertified> {
    let mut proofs = Vec::with_capacity(steps.len());
    for (part, step) in steps.into_iter().enumerate() {
        if let (Some(guide), &[interpolant]) = (guide, interpolants) {
            let (side, end) = match part {
                0 => (Side::A, pool.not(interpolant)),
                _ => (Side::B, interpolant),
            };
            if let Some(proof) = replay(pool, guide, side, end, limits) {
                let steps = u64::try_from(proof.len()).unwrap_or(u64::MAX);
                cost.proofs += 1;
                cost.steps += steps;
                cost.ticks = cost.ticks.saturating_add(steps);
                proofs.push(proof);
                continue;
            }
        }
        let mut solver = limits.prover();
        for formula in step {
            solver.assert(pool, formula, Part(0));
        }
        let answer = solver.check(pool, &[]);
        cost.ticks = cost.ticks.saturating_add(solver.ticks());
        match answer {
            Answer::Unsat => {
                let proof = solver.proof().expect("the solver was configured to record a proof");
                cost.proofs += 1;
                cost.steps += u64::try_from(proof.len()).unwrap_or(u64::MAX);
                proofs.push(proof);
            }
            Answer::Sat => return Err(Uncertified::from(Defect::Implication { part })),
            Answer::Unknown(reason) => return Err(Uncertified::from(Defect::Undecided { part, reason })),
        }
    }
    Ok(Certificate { proofs })
}
