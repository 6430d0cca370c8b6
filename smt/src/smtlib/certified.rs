//! Proofs for answers and interpolants, under [`Options::check`](super::Options::check).
//!
//! The main solver of a script is incremental and keeps no proofs unless the script asks for them. So an `unsat` is refuted once more, by a fresh solver with proofs, and the independent checker reads what that one writes; an interpolant
//! gets a [certificate](crate::interpolate::Certificate). An answer that turns out to be wrong is an error; one that is not proved within the limits of the script is counted.

use super::session::Session;
use crate::interpolate::{Certificate, Cost, Guide, StrengthLimits, Uncertified, certify_cut, certify_tree};
use crate::proof::{self, Part};
use crate::solver::Answer;
use crate::term::TermId;

/// The counts of a check.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Checked {
    /// Answers `unsat` with a proof that was accepted.
    pub proofs: u64,
    /// Interpolants with a certificate.
    pub interpolants: u64,
    /// Answers and sequences of interpolants that were not proved within their limits.
    pub undecided: u64,
    /// The queries for interpolants.
    pub interpolation: Cost,
    /// Their certificates.
    pub certificates: Cost,
}

impl Session {
    /// The limits of one question beside the script.
    pub(super) fn side_limits(&self) -> StrengthLimits {
        StrengthLimits {
            ticks: self.tick_limit(),
            interrupt: self.options.interrupt.as_ref().map(|interrupt| interrupt.flag()),
        }
    }

    /// Proves that the assertions have no model under the assumptions, if that is wanted. The error says that they have one, or that the proof is wrong.
    pub(super) fn prove_unsat(&mut self, assumed: &[TermId]) -> Result<(), String> {
        if !self.options.check {
            return Ok(());
        }
        let mut formulas: Vec<TermId> = self.assertions.iter().map(|assertion| assertion.formula).collect();
        formulas.extend(self.axioms.iter().copied());
        formulas.extend(assumed);
        let mut solver = self.side_limits().prover();
        for &formula in &formulas {
            solver.assert(&mut self.pool, formula, Part(0));
        }
        match solver.check(&mut self.pool, &[]) {
            Answer::Sat => return Err("the answer is unsat, and a second check finds a model".to_owned()),
            Answer::Unknown(_) => self.checked.undecided += 1,
            Answer::Unsat => {
                let proof = solver.proof().expect("the solver was configured to record a proof");
                let asserted: Vec<(Part, TermId)> = formulas.into_iter().map(|formula| (Part(0), formula)).collect();
                proof::check(&mut self.pool, &proof, &asserted)
                    .map_err(|error| format!("the proof is wrong: {error}"))?;
                self.checked.proofs += 1;
            }
        }
        Ok(())
    }

    /// Certifies interpolants, if that is wanted; none if it is not, else whether they have a certificate. The error says why they can have none. `cost` is that of finding them.
    pub(super) fn certify(
        &mut self,
        parts: &[TermId],
        parents: &[usize],
        interpolants: &[TermId],
        cost: Cost,
    ) -> Result<Option<bool>, String> {
        self.checked.interpolation.add(&cost);
        if !self.options.check {
            return Ok(None);
        }
        let limits = self.side_limits();
        let guide = self.guide.take();
        let (certificate, cost) = certify_tree(&mut self.pool, parts, parents, interpolants, guide.as_ref(), &limits);
        self.book(certificate, cost, interpolants.len()).map(Some)
    }

    /// Certifies an interpolant between two sets of partitions, as [`Session::certify`] does.
    pub(super) fn certify_cut(
        &mut self,
        sides: [&[TermId]; 2],
        interpolant: TermId,
        guide: Option<&Guide>,
    ) -> Result<Option<bool>, String> {
        if !self.options.check {
            return Ok(None);
        }
        let limits = self.side_limits();
        let (certificate, cost) = certify_cut(&mut self.pool, sides, interpolant, guide, &limits);
        self.book(certificate, cost, 1).map(Some)
    }

    /// Counts a certificate, and says whether there is one. The error says why there can be none.
    fn book(
        &mut self,
        certificate: Result<Certificate, Uncertified>,
        cost: Cost,
        interpolants: usize,
    ) -> Result<bool, String> {
        self.checked.certificates.add(&cost);
        match certificate {
            Ok(_) => {
                self.checked.interpolants += u64::try_from(interpolants).unwrap_or(u64::MAX);
                Ok(true)
            }
            Err(Uncertified::Undecided(_)) => {
                self.checked.undecided += 1;
                Ok(false)
            }
            Err(Uncertified::Wrong(text)) => Err(format!("a wrong interpolant: {text}")),
        }
    }
}
