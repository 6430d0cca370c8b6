//! The certificate of the properties that hold: an invariant of the whole program, from one more run over it.
//!
//! The verdicts come from slices. A reader of the evidence need not trust the slicing, so proof obligations are about the whole
//! program. If evidence is requested, the engine therefore looks at the whole program within the remaining limits, for the properties that hold:
//!
//! 1. The guesses that prove a slice may prove the whole program.
//! 2. The proof of a slice is found again on the [thin program](crate::cfa::slice::thin), which has the slice's operations at the whole program's locations. Its invariant counts if the obligations of the whole program
//!    hold for it.
//! 3. The whole program is explored.
//!
//! This changes no verdict: if nothing of this comes to its end, the verdicts stay and the report says why there are no obligations.

use super::stage::{Found, ProgressOnly, Stage};
use super::thin::{self, Shown};
use super::verdict::withdraw;
use crate::certify::{Evidence, NoProof};
use crate::cfa::Program;
use crate::cpa::tracking::PropertyId;
use crate::engine::budget::cpu_seconds;
use crate::engine::{Counter, Invariant, Observer, Options, ReasonCode, Verdict};
use crate::evidence::obligations::Obligations;
use crate::report::{Answer, Report};
use std::rc::Rc;
use std::time::Instant;

/// The share of the remaining time for the exploration of the whole program.
const WHOLE_SHARE: f64 = 0.6;

/// The evidence for the properties that hold.
pub(super) struct Certificate {
    /// Their proof.
    pub evidence: Evidence,
    /// Invariants at loop heads of the program.
    pub invariants: Vec<Invariant>,
    /// The program of the invariants: the whole one, or a slice of it where the whole one could not be explored to its end.
    pub program: Rc<Program>,
    /// The obligations of the evidence, where they had to be made to see that it is one.
    pub made: Option<Obligations>,
    /// Ticks that the exploration of the whole program took, if there was one.
    ticks: Option<u64>,
    /// The names of the properties that the whole program violates although they hold for a slice: a defect of Provident.
    refuted: Vec<String>,
}

impl Certificate {
    /// The evidence of the stages themselves.
    pub fn of_stages(found: &mut Found) -> Certificate {
        Certificate {
            evidence: std::mem::take(&mut found.evidence),
            invariants: std::mem::take(&mut found.outcome.invariants),
            program: Rc::clone(&found.program),
            made: None,
            ticks: None,
            refuted: Vec::new(),
        }
    }

    /// Puts the effort of the exploration of the whole program into the report, and takes back the verdicts that it refutes.
    pub fn settle(&self, report: &mut Report) {
        if let Some(ticks) = self.ticks {
            report.statistics.push(Counter::CertificateTicks, ticks);
        }
        let reason = ReasonCode::InternalError.because("the program violates what holds for its slice");
        withdraw(
            report,
            Answer::True,
            |property| self.refuted.contains(&property.name),
            &reason,
        );
    }

    /// Guesses that prove all properties that hold on the whole program, as they did on a slice of it.
    fn guessed(whole: Stage, held: &[bool], options: &Options) -> Option<Certificate> {
        let program = Rc::clone(&whole.program);
        let suggested = whole.suggested(options)?;
        let Found { outcome, evidence, .. } = whole.guess(&suggested, options);
        let mut verdicts = outcome.verdicts.iter().zip(held);
        verdicts
            .all(|((_, verdict), held)| !held || matches!(verdict, Verdict::True))
            .then(|| Certificate {
                evidence,
                // They are read off the claims when these are settled.
                invariants: Vec::new(),
                program,
                made: None,
                ticks: Some(outcome.statistics.get(Counter::SolverTicks)),
                refuted: Vec::new(),
            })
    }

    /// The evidence of the whole program for the properties that the stages found to hold on slices of it.
    pub fn of_whole(
        mut whole: Stage,
        found: &mut Found,
        start: Instant,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Certificate {
        let slices = Certificate::of_stages(found);
        let holds = |verdict: &Verdict| matches!(verdict, Verdict::True);
        let held: Vec<bool> = found
            .outcome
            .verdicts
            .iter()
            .map(|(_, verdict)| holds(verdict))
            .collect();
        if !held.contains(&true) {
            return slices;
        }
        for (property, _) in whole.properties.iter_mut().zip(&held).filter(|(_, held)| !**held) {
            property.targets.clear();
        }
        let mut options = options.clone();
        options.certificate = true;
        let limits = &mut options.limits;
        // The invariants of a slice may show the same if the exploration does not come to its end.
        let share = if slices.invariants.is_empty() { 1.0 } else { WHOLE_SHARE };
        let part = |limit: f64, now: f64| (limit - now).max(0.0) * share;
        limits.cpu = limits.cpu.map(|limit| cpu_seconds() + part(limit, cpu_seconds()));
        limits.wall = limits.wall.map(|limit| part(limit, start.elapsed().as_secs_f64()));
        let spent = found.spent;
        limits.ticks = limits.ticks.map(|limit| limit.saturating_sub(spent));
        let program = Rc::clone(&whole.program);
        if found.outcome.statistics.get(Counter::GuessProofs) > 0
            && let Some(guessed) = Certificate::guessed(whole.clone(), &held, &options)
        {
            return guessed;
        }
        let holding: Vec<PropertyId> = PropertyId::first(held.len()).filter(|p| held[p.index()]).collect();
        let began = Instant::now();
        let thin = thin::prove(&whole, (&*found, holding), &options, observer);
        if let Some(Shown { certificate, made }) = thin.shown {
            return Certificate {
                invariants: certificate.invariants(&program),
                evidence: Evidence {
                    certificate: Some(certificate),
                    ..Evidence::default()
                },
                program,
                made: Some(made),
                ticks: Some(thin.ticks),
                refuted: Vec::new(),
            };
        }
        let limits = &mut options.limits;
        limits.ticks = limits.ticks.map(|limit| limit.saturating_sub(thin.ticks));
        limits.wall = limits.wall.map(|left| (left - began.elapsed().as_secs_f64()).max(0.0));
        let Found {
            outcome: certified,
            mut evidence,
            ..
        } = whole.decide(&options, &mut ProgressOnly(observer), &mut |_, _| ());
        evidence.without.retain(|(property, _)| held[property.index()]);
        if let Some(certificate) = &mut evidence.certificate {
            certificate.properties.retain(|property| held[property.index()]);
        }
        if let Some(second) = &mut evidence.second {
            second.properties.retain(|property| held[property.index()]);
        }
        let mut refuted = Vec::new();
        let verdicts = certified.verdicts.into_iter().enumerate();
        for (property, (name, verdict)) in verdicts.filter(|(property, _)| held[*property]) {
            match verdict {
                Verdict::True => {}
                Verdict::Unknown(reason) => {
                    let why = format!("the whole program could not be explored to its end: {}", reason.text);
                    evidence.without.push((PropertyId::new(property), NoProof(why)));
                }
                Verdict::False(_) => refuted.push(name),
            }
        }
        let (program, invariants) = match certified.invariants.is_empty() {
            true => (slices.program, slices.invariants),
            false => (program, certified.invariants),
        };
        Certificate {
            evidence,
            invariants,
            program,
            made: None,
            ticks: Some(thin.ticks + certified.statistics.get(Counter::SolverTicks)),
            refuted,
        }
    }
}
