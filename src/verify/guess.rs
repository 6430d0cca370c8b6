//! The stage of guesses: facts about all elements of arrays that the program's text suggests, or contracts of recursive functions that executions suggest. Those that are inductive together prove properties.
//!
//! It explores nothing, so that the number of rounds of a loop, or of calls inside each other, does not matter. A property holds only if all proof obligations of the guesses are discharged, by what knows nothing of the guesses
//! ([`crate::evidence::obligations::discharge`](mod@crate::evidence::obligations::discharge)).

use super::proof::{SCRIPT_TICKS, ScriptSolvers};
use super::stage::{Found, Stage};
use crate::certify::guess::{LeftAlone, Suggested, guess_contracts, guess_from_invariants, guess_from_text};
use crate::certify::{Certificate, Claim, Evidence};
use crate::cfa::{AssumptionKind, EdgeId, Program};
use crate::cpa::tracking::PropertyId;
use crate::engine::{Counter, Invariant, Options, Outcome, ReasonCode, Verdict};
use crate::evidence::obligations::discharge::{Allowed, discharge_all};
use crate::evidence::obligations::{excluded, inductive, needed, obligations};
use provident_smt::term::TermPool;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::rc::Rc;

/// Ticks of one attempt at most: about a quarter of a second.
const MAX_TICKS: u64 = 8_000_000;
/// For contracts, which have more cases, and for objects of the heap.
const MAX_COSTLY_TICKS: u64 = 80_000_000;

impl Stage {
    /// The guesses; `None` if the program suggests none.
    pub fn suggested(&self, options: &Options) -> Option<Suggested> {
        let is_unsupported = |kind: AssumptionKind| kind == AssumptionKind::Unsupported;
        if self
            .program
            .assumptions
            .iter()
            .any(|assumption| is_unsupported(assumption.kind))
        {
            return None;
        }
        let open = PropertyId::first(self.properties.len()).filter(|p| !self.properties[p.index()].targets.is_empty());
        let open: Vec<PropertyId> = open.collect();
        let targets = open
            .iter()
            .flat_map(|p| self.properties[p.index()].targets.iter().copied());
        let targets: BTreeSet<EdgeId> = targets.collect();
        let contracts = guess_contracts(&self.program, open.clone(), options.arith);
        if let Some(Err(LeftAlone(why))) = &contracts {
            tracing::debug!(why, "no contracts are guessed");
        }
        match contracts {
            Some(Ok(contracts)) => Some(contracts),
            // Facts about elements may prove the rest of a program whose recursion is left alone. Facts about numbers are read off executions.
            Some(Err(_)) | None => guess_from_text(&self.program, (open, &targets), options.arith)
                .filter(|suggested| !suggested.is_about_numbers || options.explicit.enabled),
        }
    }

    /// Decides only which properties hold.
    pub fn guess(self, suggested: &Suggested, options: &Options) -> Found {
        let Suggested {
            certificates,
            assumptions,
            is_costly,
            ..
        } = suggested;
        let most = if *is_costly { MAX_COSTLY_TICKS } else { MAX_TICKS };
        let shares = 2 * count(certificates.len()).max(1);
        let limit = options.limits.ticks.map_or(most, |left| (left / shares).min(most));
        let (mut proved, mut spent, mut guesses, mut contracts) = (None, 0, 0, 0);
        for certificate in certificates {
            let mut solvers = ScriptSolvers::new(options, Some(limit));
            proved = self.inductive(certificate, &mut solvers);
            spent += solvers.spent;
            guesses += said(certificate);
            contracts += count(certificate.contracts.len());
            if proved.is_some() {
                break;
            }
        }
        let mut outcome = Outcome::of_verdicts(self.verdicts(proved.as_ref()));
        outcome.assumptions.clone_from(&self.program.assumptions);
        outcome.assumptions.extend(assumptions.iter().cloned());
        let kept = proved.as_ref();
        let counters = [
            (Counter::SolverTicks, spent),
            (Counter::Guesses, guesses),
            (Counter::InductiveGuesses, kept.map_or(0, said)),
            (
                Counter::GuessProofs,
                count(kept.map_or(0, |proof| proof.properties.len())),
            ),
            (Counter::GuessedContracts, contracts),
            (
                Counter::KeptContracts,
                kept.map_or(0, |proof| contracts_of(&self.program, proof)),
            ),
        ];
        for (counter, value) in counters {
            outcome.statistics.set(counter, value);
        }
        Found {
            program: Rc::clone(&self.program),
            contradicted: vec![0; self.properties.len()],
            asked: self.asked,
            hidden: self.hidden,
            spent,
            outcome,
            evidence: Evidence {
                certificate: proved,
                ..Evidence::default()
            },
            confirmed: Vec::new(),
        }
    }

    /// Guesses that prove properties of which something else found out that they hold; `None` if they prove none.
    /// `known` are invariants of a part of the program, or of all of it.
    pub fn certificate_of_guesses(
        mut self,
        open: &BTreeSet<PropertyId>,
        known: &[Invariant],
        options: &Options,
    ) -> Option<Certificate> {
        for property in PropertyId::first(self.properties.len()).filter(|property| !open.contains(property)) {
            self.properties[property.index()].targets.clear();
        }
        let asked = PropertyId::first(self.properties.len()).filter(|p| !self.properties[p.index()].targets.is_empty());
        let carried = guess_from_invariants(&self.program, asked.collect(), options.arith, known);
        let suggested = std::iter::once_with(|| self.suggested(options));
        let mut guesses = std::iter::once(carried)
            .chain(suggested)
            .flatten()
            .flat_map(|found| found.certificates);
        guesses.find_map(|guesses| self.inductive(&guesses, &mut ScriptSolvers::new(options, Some(MAX_COSTLY_TICKS))))
    }

    /// The guesses that hold together, with the properties that they prove; `None` if they prove none.
    fn inductive(&self, guesses: &Certificate, solvers: &mut ScriptSolvers) -> Option<Certificate> {
        let keep = match guesses.contracts.is_empty() {
            true => needed,
            false => inductive,
        };
        let mut proof = keep(&self.program, &self.properties, guesses, solvers);
        proof.properties = excluded(&self.program, &self.properties, &proof, solvers);
        if proof.properties.is_empty() {
            return None;
        }
        let made = obligations(&self.program, &self.properties, &proof, solvers).ok()?;
        let scripts: BTreeMap<String, String> = made.scripts.into_iter().collect();
        let mut read = |name: &str| Ok::<String, Infallible>(scripts[name].clone());
        let open = discharge_all(&made.manifest, &Allowed::ticks(SCRIPT_TICKS), &mut read);
        open.is_ok_and(|open| open.is_empty()).then_some(proof)
    }

    /// The verdicts with a proof.
    fn verdicts(&self, proof: Option<&Certificate>) -> Vec<(String, Verdict)> {
        let holds = |property: PropertyId| proof.is_some_and(|proof| proof.properties.contains(&property));
        let verdict = |property: PropertyId| {
            let of = &self.properties[property.index()];
            // A property without targets was decided before, or nothing violates it.
            match holds(property) || of.targets.is_empty() {
                true => Verdict::True,
                false => Verdict::Unknown(ReasonCode::NoProgress.because("no guess proves it")),
            }
        };
        let names = self.properties.iter().map(|property| property.name.clone());
        names
            .zip(PropertyId::first(self.properties.len()).map(verdict))
            .collect()
    }
}

/// The number of the statements of all claims.
fn said(certificate: &Certificate) -> u64 {
    let mut pool = TermPool::new();
    let formulas = pool.import(&certificate.formulas);
    let said = |claim: &Claim| pool.conjuncts(formulas[claim.formula]).len() + claim.each.len();
    count(certificate.claims.iter().map(said).sum())
}

/// The number of contracts that ensure something.
fn contracts_of(program: &Program, certificate: &Certificate) -> u64 {
    let mut pool = TermPool::new();
    let formulas = pool.import(&certificate.formulas);
    let ensures = |claim: &&Claim| {
        let is_exit = program.function(program.node(claim.node).func).exit == claim.node;
        is_exit && claim.calls.is_empty() && claim.contract.is_some() && formulas[claim.formula] != pool.mk_true()
    };
    count(certificate.claims.iter().filter(ensures).count())
}

fn count(number: usize) -> u64 {
    u64::try_from(number).expect("fewer than 2^64 of anything")
}
