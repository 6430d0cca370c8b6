//! Invariant guessing: the facts that all states of an exploration with explicit values have in common.
//!
//! Some proofs have too many states to claim each: a loop of a hundred thousand rounds that fills an array, or ten inputs whose parities are
//! tested. Often a short invariant explains them: all elements up to `i` are 42, or a sum is the sum of the signs of the elements. So the states of each place
//! are compared (Ernst, Cockrell, Griswold, Notkin, *Dynamically discovering likely program invariants*, TSE 2001), and the facts that hold in all of them become guesses:
//!
//! * `scalars`: bounds, conjuncts that all states share, linear equations, also between numbers and answers to questions, and those that hold for one value of a
//!   counter;
//! * `elements`: statements about *all* elements of an array between two bounds, which are linear in a variable.
//!
//! A guess is not a claim. [`crate::evidence::obligations::inductive`] finds the guesses that are inductive together (Flanagan and Leino, *Houdini, an annotation
//! assistant for ESC/Java*, FME 2001), and only discharged obligations make a proof of them.
//!
//! | module | does |
//! |---|---|
//! | `scalars` | guesses about scalars |
//! | `affine` | linear equations that a set of points obeys |
//! | `elements` | guesses about all elements of an array |
//! | `samples` | executions with chosen inputs, and facts that hold in all their states |
//! | `contracts` | contracts of recursive functions, from executions |
//! | `loops` | equations and bounds at loop heads, from executions |
//! | `text` | guesses that the program's conditions and assignments suggest, without any exploration |

mod affine;
mod contracts;
mod elements;
mod loops;
mod samples;
mod scalars;
mod text;

pub use contracts::guess_contracts;
pub use samples::sites::LeftAlone;
pub use text::{Suggested, guess_from_invariants, guess_from_text};

use super::EXPLORATION_SLICE;
use super::assertion_formula::Writer;
use super::certificate::{Certificate, Claim, NoProof, Origin};
use super::states::{OpenCalls, States, watched};
use crate::cfa::{EdgeId, NodeId};
use crate::cpa::tracking::PropertyId;
use crate::engine::Decided;
use crate::explicit::state::assertion::{Assertion, Owners, assertion, calls};
use crate::explicit::state::segments::{Row, rows};
use crate::explicit::{Compiled, Event, Explorer};
use crate::query::points::Points;
use provident_smt::term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// The number of different states of a place that are all looked at. Of the later ones, every one whose number is a power of two is, and the last.
const MAX_SAMPLES: usize = 1 << 14;
/// The arrays are compared at this number of first visits of a place, and at later ones as above.
const FIRST_ROWS: u64 = 6;
/// More conjuncts are not looked at in all.
const MAX_LITERALS: usize = 4_000_000;
/// Guesses at a place.
const MAX_GUESSES: usize = 400;
/// Cuts between two looks at the interrupt flag.
const CUTS: u64 = 1 << 8;

/// A location under a call stack.
type Spot = (NodeId, Vec<EdgeId>);

/// The samples of a place.
#[derive(Default)]
struct Visits {
    count: u64,
    states: usize,
    assertions: BTreeSet<Assertion>,
    /// Conjunctions and arrays of the same state.
    rows: Vec<(Assertion, Vec<Row>)>,
    /// Of the last state, which is where loops end.
    last: Assertion,
}

/// The guesses at a place: formulas, and formulas that hold for every value of [`INDEX`](super::certificate::INDEX).
#[derive(Default)]
struct Guesses {
    plain: Vec<TermId>,
    each: Vec<TermId>,
}

/// The facts that all states have in common.
pub(super) struct Guessed {
    /// The guesses, one claim for each place.
    pub certificate: Certificate,
    /// The number of states that were distinguished, or were not compared closely.
    pub states: usize,
    /// The states, if all were looked at.
    pub found: Option<States>,
}

/// Guesses for all points at which blocks end, for the properties that hold.
///
/// # Errors
/// The exploration does not come to its end, or does not prove these properties.
pub(super) fn guess_invariants(decided: &Decided<'_, '_>, holding: &[bool]) -> Result<Guessed, NoProof> {
    let (targets, untracked) = watched(decided, holding);
    let code = Compiled::without(decided.program(), untracked);
    let mut explorer = Explorer::new(&code, targets.into_iter());
    explorer.pause_at_cuts();
    let mut lost = BTreeSet::new();
    let places = visit(decided, &code, &mut explorer, &mut lost)?;
    let mut writer = Writer::new(decided.encoder());
    let (mut claims, mut formulas) = (Vec::new(), Vec::new());
    let mut claim =
        |spot: Spot, plain: TermId, each: &[TermId]| claims.push(guessed_at(spot, plain, each, &mut formulas));
    // Before the first step everything is possible.
    let start = decided.program().function(decided.program().start).entry;
    claim((start, Vec::new()), writer.pool.mk_true(), &[]);
    for (spot, visits) in &places {
        let mut guesses = Guesses::default();
        scalars::guess(
            &mut writer,
            decided.program().node(spot.0).func,
            &visits.assertions,
            &mut guesses,
        );
        elements::guess(&mut writer, &visits.rows, &mut guesses);
        guesses.plain.truncate(MAX_GUESSES);
        guesses.each.truncate(MAX_GUESSES);
        let plain = writer.pool.and(&guesses.plain);
        if spot.0 != start || !spot.1.is_empty() {
            claim(spot.clone(), plain, &guesses.each);
        }
    }
    let certificate = Certificate {
        properties: PropertyId::first(holding.len())
            .filter(|p| holding[p.index()])
            .collect(),
        arith: decided.options().arith,
        claims,
        contracts: Vec::new(),
        formulas: writer.pool.export(&formulas),
        points: Points::default(),
        origin: Origin::Guessed,
        paths: Vec::new(),
    };
    let states = places.values().map(|visits| visits.states).sum();
    let is_whole = places.values().all(|visits| visits.states == visits.assertions.len());
    let found = is_whole.then(|| {
        let mut all = BTreeMap::from([((start, Vec::new()), BTreeSet::from([Assertion::default()]))]);
        all.extend(places.into_iter().map(|(spot, visits)| (spot, visits.assertions)));
        States::new(all, lost, explorer.steps)
    });
    Ok(Guessed {
        certificate,
        states,
        found,
    })
}

/// The claim of guesses at a place, whose formulas are put behind the others: one, and those about all elements.
fn guessed_at((node, calls): Spot, plain: TermId, each: &[TermId], formulas: &mut Vec<TermId>) -> Claim {
    let first = formulas.len();
    formulas.push(plain);
    formulas.extend(each);
    Claim {
        node,
        calls,
        known: Vec::new(),
        formula: first,
        each: (first + 1..formulas.len()).collect(),
        contract: None,
        relies_on: None,
    }
}

/// Explores everything, and looks at states where blocks end.
fn visit(
    decided: &Decided<'_, '_>,
    code: &Compiled<'_>,
    explorer: &mut Explorer<'_, '_>,
    lost: &mut BTreeSet<&'static str>,
) -> Result<BTreeMap<Spot, Visits>, NoProof> {
    let limit = decided.exploration_steps();
    let mut owners = Owners::new(code);
    let mut places: BTreeMap<Spot, Visits> = BTreeMap::new();
    let (mut cuts, mut literals, mut open) = (0u64, 0, OpenCalls::default());
    loop {
        let is_limit = explorer.steps >= limit || literals > MAX_LITERALS;
        match explorer.run(limit.min(explorer.steps + EXPLORATION_SLICE)) {
            Event::Cut => {
                let state = explorer.state();
                let spot = (state.node, calls(state));
                if !places.contains_key(&spot) {
                    open.add(&spot.1)?;
                }
                let visits = places.entry(spot).or_default();
                visits.count += 1;
                let is_rare = visits.count.is_power_of_two();
                let (assertion, left_out) = assertion(code, &mut owners, state);
                lost.extend(left_out);
                if visits.count <= FIRST_ROWS || is_rare {
                    let rows = rows(code, &mut owners, state);
                    if !rows.is_empty() {
                        visits.rows.push((assertion.clone(), rows));
                    }
                }
                if visits.assertions.len() < MAX_SAMPLES || is_rare {
                    let size = assertion.literals.len();
                    if visits.assertions.insert(assertion) {
                        visits.states += 1;
                        literals += size;
                    }
                } else {
                    visits.states += 1;
                    visits.last = assertion;
                }
                cuts += 1;
                if cuts % CUTS == 0 && decided.time_is_up() {
                    return Err(NoProof("the time for guesses was up".to_string()));
                }
            }
            Event::Complete => break,
            Event::Target(_) => return Err(NoProof("a path of the exploration takes a violating edge".to_string())),
            Event::Unmodelled(what) => return Err(NoProof(format!("the exploration does not model {what}"))),
            Event::Exhausted if is_limit => return Err(NoProof("the steps for guesses were used up".to_string())),
            Event::Exhausted if decided.time_is_up() => {
                return Err(NoProof("the time for guesses was up".to_string()));
            }
            Event::Exhausted => {}
        }
        if literals > MAX_LITERALS {
            return Err(NoProof("there are too many states to guess from".to_string()));
        }
    }
    for visits in places.values_mut() {
        if !visits.last.literals.is_empty() {
            visits.assertions.insert(std::mem::take(&mut visits.last));
        }
    }
    Ok(places)
}
