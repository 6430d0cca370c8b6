//! Certificates: the invariants that show which properties hold.
//!
//! A run of the engine ends with verdicts. For TRUE, a user may want to see why: an inductive invariant that excludes the violations, which
//! [proof obligations](crate::evidence::obligations) then state as formulas that any solver can refute. Where the refinement loop proved a property, its abstract states are
//! the invariant. Where an exploration with explicit values proved it, `prove` looks for one:
//!
//! 1. It claims the states of that exploration ([`states`]), or the facts that all of them have in common ([`guess`]), with all states as diagrams for the case that these are too weak. Where the claims are few and say
//!    everything that the states say, the search ends here.
//! 2. Otherwise it runs the refinement loop once more, for the properties that are known to hold, within a limit of its own. The limit is small if there
//!    are claims to fall back on.
//! 3. Where all paths of the program are few and come to an end, it lists them (`paths`), for the case that there is nothing to claim or that the claims turn out too weak.
//!
//! All of this ends when half of the time is up that was left: the rest belongs to writing down the evidence. If it does not come to its end, the
//! verdicts stay, and the evidence says why there is no invariant.
//!
//! Where summaries of functions proved everything that holds, their explorations are claimed at once: they are [contracts](Contract) of these functions.
//!
//! | module | does |
//! |---|---|
//! | [`certificate`] | certificates as plain data |
//! | `explorations` | certificates of abstract states, with contracts of functions |
//! | [`states`] | the states of an exploration with explicit values as claims |
//! | `diagram` | many states of one place as one formula |
//! | `words` | states in an order of facts in which their diagram is small |
//! | `paths` | the paths of such an exploration, one by one |
//! | [`guess`] | invariant guessing: the facts that all states have in common |
//! | [`assertion_formula`] | states as formulas of the encoding |
//!
//! This room knows nothing of files and terminals.

pub mod assertion_formula;
pub mod certificate;
mod diagram;
mod explorations;
pub mod guess;
mod paths;
pub mod states;
mod words;

use crate::cpa::tracking::PropertyId;
pub use certificate::{Certificate, Claim, Contract, Evidence, INDEX, NoProof, OLD, Origin};

use crate::cfa::Program;
use crate::engine::{self, Confirm, Decided, Invariant, Observer, Options, Outcome, Property, Verdict};
use explorations::certificate;
use guess::guess_invariants;
use states::{MAX_STATES, SPARE, claims_of_states};

/// The share of the remaining time for all of this: the rest belongs to writing the evidence.
const EVIDENCE_SHARE: f64 = 0.5;
/// Shares of that time for guesses, and for claims of single states.
const GUESSES_SHARE: f64 = 0.3;
const STATES_SHARE: f64 = 0.5;
/// The part of the ticks that the refinement loop may spend where states are claimed already, as a divisor.
const FALLBACK_DIVISOR: u64 = 30;
/// A proof with at most this number of states is as readable as one with predicates.
const FEW_STATES: usize = 200;
/// More states do not become few enough to be claimed: then there are only guesses.
const HOPELESS: usize = 2 * SPARE * MAX_STATES;
/// Steps of an exploration between two looks at the clock.
const EXPLORATION_SLICE: u64 = 1 << 13;

/// An outcome, with the evidence for the properties that hold.
#[derive(Debug, Clone)]
pub struct Certified {
    /// The outcome of the run.
    pub outcome: Outcome,
    /// The evidence for the properties that hold. It is empty unless [`Options::certificate`] requests it.
    pub evidence: Evidence,
}

/// Checks a program against properties, as [`engine::verify`] does, and looks for evidence of those that hold if [`Options::certificate`] asks for it.
pub fn verify(
    program: &Program,
    properties: &[Property],
    options: &Options,
    observer: &mut dyn Observer,
    confirm: &mut Confirm<'_>,
) -> Certified {
    let mut decided = engine::decide(program, properties, options, observer, confirm);
    let (evidence, invariants) = match options.certificate {
        true => prove(&mut decided),
        false => (Evidence::default(), None),
    };
    Certified {
        outcome: decided.finish(invariants),
        evidence,
    }
}

/// The claims of states with explicit values.
#[derive(Default)]
struct Claimed {
    /// The certificate, with the invariants at loop heads that it implies.
    certificate: Option<(Certificate, Vec<Invariant>)>,
    /// Another one, for the case that this one is too weak: all states as diagrams, or the paths, if they are few.
    second: Option<Certificate>,
    /// Why single states are not claimed.
    no_states: Option<NoProof>,
    /// Whether the claims are few and say all that the states say.
    suffices: bool,
}

/// Looks for evidence of what holds. The second part of the result are invariants at loop heads, where they are not those of the last exploration.
fn prove(decided: &mut Decided<'_, '_>) -> (Evidence, Option<Vec<Invariant>>) {
    if let Some(proved) = show_by_contracts(decided) {
        return proved;
    }
    let ticks = decided.options().certify_ticks;
    let mut claimed = Claimed::default();
    let mut is_shown = false;
    if decided.has_bare_proofs() && ticks > 0 {
        decided.within(EVIDENCE_SHARE, |decided| {
            claimed = claim_states(decided);
            if !claimed.suffices {
                let divisor = if claimed.certificate.is_some() {
                    FALLBACK_DIVISOR
                } else {
                    1
                };
                is_shown = decided.prove_again(ticks / divisor);
            }
        });
    }
    if is_shown {
        (claimed.certificate, claimed.second) = (None, None);
    } else if claimed.second.is_none() && decided.has_bare_proofs() && ticks > 0 && !decided.is_at_limit() {
        claimed.second = decided.within(EVIDENCE_SHARE, |decided| {
            match paths::paths(decided, &decided.holding()) {
                Ok(paths) => Some(paths),
                Err(NoProof(why)) => {
                    tracing::debug!(why, "no paths are listed");
                    None
                }
            }
        });
    }
    if claimed.certificate.is_none() {
        claimed.certificate = claimed.second.take().map(|paths| (paths, Vec::new()));
    }
    evidence(decided, claimed)
}

/// The contracts of functions, if they are what shows everything that holds, with what they say at loop heads.
fn show_by_contracts(decided: &mut Decided<'_, '_>) -> Option<(Evidence, Option<Vec<Invariant>>)> {
    let holding = PropertyId::first(decided.properties().len()).zip(decided.holding());
    let holding: Vec<PropertyId> = holding
        .filter(|(_, holds)| *holds)
        .map(|(property, _)| property)
        .collect();
    let program = decided.program();
    let (analysis, reached) = decided.summarised().filter(|_| !holding.is_empty())?;
    let certificate = certificate(analysis, reached, holding);
    let invariants = certificate.invariants(program);
    let evidence = Evidence {
        certificate: Some(certificate),
        ..Evidence::default()
    };
    Some((evidence, Some(invariants)))
}

/// Makes claims of the states of the exploration with explicit values, for all properties that hold.
fn claim_states(decided: &mut Decided<'_, '_>) -> Claimed {
    if decided.is_at_limit() {
        return Claimed::default();
    }
    let holding = decided.holding();
    // One exploration tells how many states there are, and what they have in common.
    let guesses = decided.within(GUESSES_SHARE, |decided| guess_invariants(decided, &holding));
    let (guesses, known, states) = match guesses {
        Ok(guesses) => (Some(guesses.certificate), guesses.found, guesses.states),
        Err(_) => (None, None, 0),
    };
    let claims = match states > HOPELESS {
        true => Err(NoProof(format!("its {states} states are too many"))),
        false => decided.within(STATES_SHARE, |decided| claims_of_states(decided, &holding, known)),
    };
    match (claims, guesses) {
        // A few facts say more to a reader than a diagram, if they are enough.
        (Ok(claims), Some(guesses)) if claims.are_diagrams => Claimed {
            certificate: Some((guesses, Vec::new())),
            second: Some(claims.certificate),
            ..Claimed::default()
        },
        (Ok(claims), _) => {
            let is_whole = matches!(&claims.certificate.origin, Origin::Explicit(lost) if lost.is_empty());
            Claimed {
                suffices: is_whole && claims.states <= FEW_STATES,
                certificate: Some((claims.certificate, claims.invariants)),
                ..Claimed::default()
            }
        }
        (Err(reason), guesses) => {
            tracing::debug!(why = reason.0, "states are not claimed");
            Claimed {
                certificate: guesses.map(|guesses| (guesses, Vec::new())),
                no_states: Some(reason),
                ..Claimed::default()
            }
        }
    }
}

/// The evidence for the properties that hold: claims, or the abstract states of the last exploration.
fn evidence(decided: &mut Decided<'_, '_>, claimed: Claimed) -> (Evidence, Option<Vec<Invariant>>) {
    let mut evidence = Evidence::default();
    let verdicts = decided.verdicts();
    let holds = |property: &PropertyId| matches!(verdicts[property.index()], Verdict::True);
    if let Some((certificate, invariants)) = claimed.certificate {
        assert!(
            PropertyId::first(verdicts.len())
                .filter(holds)
                .all(|p| certificate.properties.contains(&p)),
            "states are claimed for all that holds"
        );
        evidence.certificate = Some(certificate);
        evidence.second = claimed.second;
        return (evidence, Some(invariants));
    }
    let (shown, without): (Vec<PropertyId>, Vec<PropertyId>) = PropertyId::first(verdicts.len())
        .filter(holds)
        .partition(|&property| decided.shows(property));
    let explicit = "proved by exhaustive exploration of explicit values";
    let properties = decided.properties();
    let reason = |property: PropertyId| match (properties[property.index()].targets.is_empty(), &claimed.no_states) {
        (true, _) => "no place of the program violates it, whatever is executed".to_string(),
        _ if decided.is_by_summaries(property) => {
            "proved with summaries of functions; contracts are made only where these prove all that holds".to_string()
        }
        (false, Some(NoProof(why))) => format!("{explicit}: {why}"),
        (false, None) => explicit.to_string(),
    };
    let without = without.into_iter().map(|p| (p, NoProof(reason(p))));
    evidence.without = without.collect();
    if !shown.is_empty()
        && let Some((analysis, reached)) = decided.exploration()
    {
        if analysis.domain.counters.by_bits > 0 {
            let why =
                "the last step to a violation is refuted by the bits of numbers, of which obligations do not speak";
            let by_bits = shown.into_iter().map(|p| (p, NoProof(why.to_string())));
            evidence.without.extend(by_bits);
        } else {
            evidence.certificate = Some(certificate(analysis, reached, shown));
        }
    }
    (evidence, None)
}
