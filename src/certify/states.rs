//! The states of an exploration with explicit values, as claims.
//!
//! The exploration is repeated, and the states at the ends of blocks are recorded: at loop heads and at entries of recursive functions. The claim at
//! such a place is the disjunction of its states; each state is a conjunction over the program's variables ([`assertion`]). Paths of the
//! exploration end at states that were there before, so the disjunction is inductive, unless the conjunctions leave out a fact that is needed.
//! The obligations check that without the exploration.
//!
//! # As few states as possible
//!
//! Most facts of a state are irrelevant for the proof, and irrelevant facts multiply the number of states. So explorations with less and less [`Precision`] are tried,
//! as long as they prove the same: without symbols; then without this or that half of the variables, without quarters, and so on to single ones (Zeller and Hildebrandt,
//! *Simplifying and isolating failure-inducing input*, TSE 2002). An exploration that meets a violation, or does not
//! know how to go on, has lost too much. Each of them is cheap, and all together have a limit.
//!
//! A loop of a hundred thousand rounds whose counter matters still has a hundred thousand states at its head, too many for a solver. So the number of claimed states has a limit. Some more of them are claimed as
//! [diagrams](super::diagram), if these are small.

use super::EXPLORATION_SLICE;
use super::assertion_formula::Writer;
use super::certificate::{Certificate, Claim, NoProof, Origin};
use super::diagram::Diagrams;
use crate::cfa::{EdgeId, NodeId, VarId, Watcher};
use crate::cpa::tracking::PropertyId;
use crate::encode::Arith;
use crate::engine::{Counter, Decided, Invariant};
use crate::explicit::state::assertion::{Assertion, Literal, Owners, Precision, assertion, calls};
use crate::explicit::{Compiled, Event, Explorer};
use crate::query::points::Points;
use provident_smt::term::TermId;
use std::collections::{BTreeMap, BTreeSet};

/// More states are not claimed.
pub(super) const MAX_STATES: usize = 5_000;
/// Nor more conjuncts in all of them.
const MAX_LITERALS: usize = 200_000;
/// Nor more conjuncts as diagrams: some hundred megabytes.
const MOST_LITERALS: usize = 4_000_000;
/// Nor states of places under more open calls in all: the steps of each block are encoded under those of its place.
const MAX_CALLS: usize = 20_000;
/// With less precision there may be fewer: an exploration goes on up to this multiple of them. Nor are more states claimed as diagrams.
pub(super) const SPARE: usize = 10;
/// Edges of diagrams, of all places together. Where states have little in common there are more, and a formula of that size is no easier than a claim for each state.
const MAX_EDGES: usize = 10_000;
/// Steps of all explorations with less precision: a second or two.
const MAX_STEPS: u64 = 20_000_000;
/// Once there are few enough states to claim them, this multiple of the steps of their exploration is spent on having fewer, and [`ROUND_STEPS`] besides.
const MAX_REPETITIONS: u64 = 3;
/// Steps that are always spent on having fewer states.
const ROUND_STEPS: u64 = 1_000_000;
/// Cuts between two looks at the interrupt flag.
const CUTS: u64 = 1 << 5;
/// Nobody reads an invariant of more disjuncts.
const MAX_DISJUNCTS: usize = 48;
/// So few states need not be fewer.
const FEW_STATES: usize = 8;

/// The states of each place: a location under a call stack.
pub(super) type Places = BTreeMap<(NodeId, Vec<EdgeId>), BTreeSet<Assertion>>;

/// Counts the open calls of the places that an exploration meets.
#[derive(Default)]
pub(super) struct OpenCalls(usize);

impl OpenCalls {
    /// Adds those of a new place.
    ///
    /// # Errors
    /// They are too many for claims.
    pub fn add(&mut self, calls: &[EdgeId]) -> Result<(), NoProof> {
        self.0 += calls.len();
        match self.0 > MAX_CALLS {
            true => Err(NoProof(format!(
                "its places stand under more than {MAX_CALLS} open calls in all"
            ))),
            false => Ok(()),
        }
    }
}

/// The result of an exploration.
#[derive(Default)]
pub(super) struct States {
    places: Places,
    /// The kinds of facts that its conjunctions leave out.
    lost: BTreeSet<&'static str>,
    states: usize,
    literals: usize,
    steps: u64,
}

impl States {
    /// All states of an exploration with its number of steps; their conjunctions leave out the facts that are `lost`.
    pub fn new(places: Places, lost: BTreeSet<&'static str>, steps: u64) -> States {
        let sizes = places.values().flatten().map(|assertion| assertion.literals.len());
        let (states, literals) = sizes.fold((0, 0), |(states, literals), size| (states + 1, literals + size));
        States {
            places,
            lost,
            states,
            literals,
            steps,
        }
    }

    /// Whether each of them can have a claim of its own.
    fn are_few(&self) -> bool {
        self.states <= MAX_STATES && self.literals <= MAX_LITERALS
    }

    /// The variables with facts.
    fn variables(&self) -> Vec<VarId> {
        let literals = self.places.values().flatten().flat_map(|assertion| &assertion.literals);
        let variables: BTreeSet<VarId> = literals.flat_map(Literal::vars).collect();
        variables.into_iter().collect()
    }
}

/// The part of a precision that is reduced.
#[derive(Clone, Copy)]
enum Keep {
    Numbers,
    Symbols,
}

impl Precision {
    fn kept(&mut self, kind: Keep) -> &mut BTreeSet<VarId> {
        match kind {
            Keep::Numbers => &mut self.variables,
            Keep::Symbols => &mut self.symbolic,
        }
    }
}

/// The claims of the states of an exploration.
pub(super) struct Claims {
    pub certificate: Certificate,
    /// Invariants at loop heads, for any call stack.
    pub invariants: Vec<Invariant>,
    /// The number of states.
    pub states: usize,
    /// Whether there are too many for claims of their own.
    pub are_diagrams: bool,
}

/// The claims of the states for the properties that hold. `known` are all of them, if that was found out.
///
/// # Errors
/// There are too many states, or the exploration does not prove all of these properties.
pub(super) fn claims_of_states(
    decided: &mut Decided<'_, '_>,
    holding: &[bool],
    known: Option<States>,
) -> Result<Claims, NoProof> {
    if decided.options().arith != Arith::Machine {
        return Err(NoProof(
            "the run is about other integers than those of the machine".to_string(),
        ));
    }
    let (targets, untracked) = watched(decided, holding);
    let code = Compiled::without(decided.program(), untracked);
    let search = Search {
        decided,
        code: &code,
        targets,
    };
    let found = search.fewest(known)?;
    let states = found.states;
    decided.count(Counter::ClaimedStates, states);
    let properties = PropertyId::first(holding.len())
        .filter(|p| holding[p.index()])
        .collect();
    let invariants = invariants(decided, &found);
    Ok(Claims {
        are_diagrams: !found.are_few(),
        certificate: certificate(decided, properties, found)?,
        invariants,
        states,
    })
}

/// The edges that violate what holds, and the watchers of what does not.
pub(super) fn watched(decided: &Decided<'_, '_>, holding: &[bool]) -> (BTreeSet<EdgeId>, BTreeSet<Watcher>) {
    let (mut targets, mut untracked) = (BTreeSet::new(), BTreeSet::new());
    for (property, &holds) in decided.properties().iter().zip(holding) {
        match holds {
            true => targets.extend(&property.targets),
            false => untracked.extend(property.tracking.watcher),
        }
    }
    (targets, untracked)
}

/// Explorations of one program.
struct Search<'s, 'a, 'p, 'c> {
    decided: &'s Decided<'a, 'p>,
    code: &'c Compiled<'p>,
    targets: BTreeSet<EdgeId>,
}

impl Search<'_, '_, '_, '_> {
    /// The states of an exploration with little precision.
    fn fewest(&self, known: Option<States>) -> Result<States, NoProof> {
        let claimable = States::are_few;
        let all: BTreeSet<VarId> = self.decided.program().var_ids().collect();
        let (most, mut left) = (SPARE * MAX_STATES, MAX_STEPS);
        let numbers = Precision {
            variables: all.clone(),
            symbolic: BTreeSet::new(),
        };
        let (mut precision, mut found) = match self.attempt(&numbers, (most, MAX_STEPS), &mut left) {
            Some(found) => (numbers, found),
            None => {
                let steps = self.decided.exploration_steps();
                let everything = Precision {
                    variables: all.clone(),
                    symbolic: all,
                };
                let found = match known {
                    Some(known) => known,
                    None => self.explore(&everything, (most, steps)).map_err(|(reason, _)| reason)?,
                };
                (everything, found)
            }
        };
        let cheap = |found: &States| MAX_REPETITIONS * found.steps + ROUND_STEPS;
        if claimable(&found) {
            left = left.min(cheap(&found));
        }
        // Variables without facts are not needed. Symbols go first: facts about them multiply most.
        let said = found.variables();
        for kind in [Keep::Symbols, Keep::Numbers] {
            let kept = precision.kept(kind).clone();
            let mut needed: Vec<VarId> = said.iter().copied().filter(|var| kept.contains(var)).collect();
            let mut size = needed.len().div_ceil(2);
            while size > 0 && found.states > FEW_STATES {
                let mut at = 0;
                while at < needed.len() {
                    let end = needed.len().min(at + size);
                    let rest: Vec<VarId> = needed[..at].iter().chain(&needed[end..]).copied().collect();
                    let mut less = precision.clone();
                    *less.kept(kind) = rest.iter().copied().collect();
                    match self.attempt(&less, (found.states, found.steps), &mut left) {
                        Some(fewer) => {
                            if claimable(&fewer) && !claimable(&found) {
                                left = left.min(cheap(&fewer));
                            }
                            (found, precision, needed) = (fewer, less, rest);
                        }
                        None => at = end,
                    }
                }
                size = if size == 1 { 0 } else { size.div_ceil(2) };
            }
        }
        Ok(found)
    }

    /// Explores with a precision, for at most these numbers of states and steps, within the remaining steps.
    fn attempt(&self, precision: &Precision, (states, steps): (usize, u64), left: &mut u64) -> Option<States> {
        if *left == 0 {
            return None;
        }
        let result = self.explore(precision, (states, steps.min(*left)));
        *left = left.saturating_sub(result.as_ref().map_or_else(|(_, steps)| *steps, |found| found.steps));
        result.ok()
    }

    /// Explores with a precision, for at most these numbers of states and steps.
    ///
    /// # Errors
    /// Why nothing is proved, with the number of steps.
    fn explore(&self, precision: &Precision, (states, limit): (usize, u64)) -> Result<States, (NoProof, u64)> {
        let program = self.decided.program();
        let mut explorer = Explorer::new(self.code, self.targets.iter().copied());
        explorer.pause_at_cuts();
        if self.decided.options().explicit.shifts {
            explorer.merge_shifts();
        }
        explorer.abstract_at_cuts(precision.clone());
        let mut found = States::default();
        let mut owners = Owners::new(self.code);
        // Before the first step everything is possible.
        let start = program.function(program.start).entry;
        found
            .places
            .insert((start, Vec::new()), BTreeSet::from([Assertion::default()]));
        let (mut cuts, mut open) = (0, OpenCalls::default());
        let reason = loop {
            match explorer.run(limit.min(explorer.steps + EXPLORATION_SLICE)) {
                Event::Cut => {
                    let state = explorer.state();
                    let (assertion, lost) = assertion(self.code, &mut owners, state);
                    found.lost.extend(lost);
                    let size = assertion.literals.len();
                    let place = (state.node, calls(state));
                    if !found.places.contains_key(&place)
                        && let Err(NoProof(why)) = open.add(&place.1)
                    {
                        break why;
                    }
                    if found.places.entry(place).or_default().insert(assertion) {
                        found.states += 1;
                        found.literals += size;
                    }
                    if found.states > states || found.literals > MOST_LITERALS {
                        let position = program.sources.resolve(program.node(state.node).loc);
                        break format!("there are too many states, the last were met at {position}");
                    }
                    cuts += 1;
                    if cuts % CUTS == 0 && self.decided.time_is_up() {
                        break "the time for its states was up".to_string();
                    }
                    if explorer.steps >= limit {
                        break "the steps were used up".to_string();
                    }
                }
                Event::Complete => {
                    found.steps = explorer.steps;
                    return Ok(found);
                }
                Event::Target(_) => break "a path of the exploration takes a violating edge".to_string(),
                Event::Unmodelled(what) => break format!("the exploration does not model {what}"),
                Event::Exhausted if explorer.steps >= limit => break "the steps were used up".to_string(),
                Event::Exhausted if self.decided.time_is_up() => break "the time for its states was up".to_string(),
                Event::Exhausted => {}
            }
        };
        Err((NoProof(reason), explorer.steps))
    }
}

/// The disjunction of the states at each loop head; there is none if they are many.
fn invariants(decided: &Decided<'_, '_>, found: &States) -> Vec<Invariant> {
    let mut writer = Writer::new(decided.encoder());
    let mut known: BTreeMap<NodeId, BTreeSet<&Assertion>> = BTreeMap::new();
    for ((node, _), assertions) in &found.places {
        if decided.program().node(*node).loop_head {
            known.entry(*node).or_default().extend(assertions);
        }
    }
    let mut invariant = |(node, assertions): (NodeId, BTreeSet<&Assertion>)| {
        let formulas: Vec<TermId> = match assertions.len() > MAX_DISJUNCTS {
            true => vec![writer.pool.mk_true()],
            false => assertions
                .into_iter()
                .map(|assertion| writer.conjunction(assertion))
                .collect(),
        };
        let texts = formulas
            .iter()
            .map(|&formula| writer.encoder.display(&writer.pool, formula));
        let disjuncts: BTreeSet<String> = texts.collect();
        Invariant {
            node,
            formulas: writer.pool.export(&formulas),
            disjuncts: disjuncts.into_iter().collect(),
        }
    };
    known.into_iter().map(&mut invariant).collect()
}

/// The claims: one for each state, or a diagram for each place where there are many.
fn certificate(decided: &Decided<'_, '_>, properties: Vec<PropertyId>, found: States) -> Result<Certificate, NoProof> {
    let mut writer = Writer::new(decided.encoder());
    let (mut claims, mut formulas) = (Vec::new(), Vec::new());
    let mut claim = |(node, calls): (NodeId, Vec<EdgeId>), formula: TermId| {
        claims.push(Claim {
            node,
            calls,
            known: Vec::new(),
            formula: formulas.len(),
            each: Vec::new(),
            contract: None,
            relies_on: None,
        });
        formulas.push(formula);
    };
    if found.are_few() {
        for (place, assertions) in found.places {
            for assertion in assertions {
                claim(place.clone(), writer.conjunction(&assertion));
            }
        }
    } else {
        let mut diagrams = Diagrams::new(&mut writer);
        for (place, assertions) in found.places {
            claim(place, diagrams.disjunction(&assertions));
        }
        let edges = diagrams.edges;
        tracing::debug!(
            states = found.states,
            literals = found.literals,
            edges,
            "states are claimed as diagrams"
        );
        if edges > MAX_EDGES {
            return Err(NoProof(format!(
                "its {} states with {} conjuncts are more than {MAX_STATES} or {MAX_LITERALS}, and diagrams of them have {edges} edges, which are more than {MAX_EDGES}",
                found.states, found.literals
            )));
        }
    }
    let mut lost = found.lost;
    if writer.is_lost {
        lost.insert("the content of memory");
    }
    Ok(Certificate {
        properties,
        arith: Arith::Machine,
        claims,
        contracts: Vec::new(),
        formulas: writer.pool.export(&formulas),
        points: Points::default(),
        origin: Origin::Explicit(lost),
        paths: Vec::new(),
    })
}
