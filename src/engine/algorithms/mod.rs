//! Other algorithms than predicate abstraction, on the same blocks, the same solver and the same evidence.
//!
//! Interpolants are judged by what becomes of them, and that differs from algorithm to algorithm. All of these take a [graph of large blocks](graph) and end with an *invariant* for each of its locations, or with a chain of
//! blocks to a violation.
//!
//! # What a verdict rests on
//!
//! * TRUE: the invariants become the precision of the predicate analysis, which explores the program once more under it. Only if that exploration comes to its end without a violation, the property holds. So no verdict
//!   rests on an algorithm of this room, and all of them have the abstract states that certificates, obligations and witnesses are made of. With Cartesian abstraction the exploration asks the solver once for each block.
//! * FALSE: the chain goes to the search for inputs and to the concrete replay, as every other error path does.
//!
//! | module | does |
//! |---|---|
//! | [`graph`] | the program as a graph of large blocks |
//! | [`oracle`] | the questions to the solver |
//! | [`unroll`] | the program as one transition relation, and its unrollings |
//! | [`bounded`] | violations within a number of steps |
//! | [`impact`] | lazy abstraction with interpolants |
//! | [`imc`] | interpolation-based model checking |
//! | [`ismc`] | the same with interpolation sequences |
//! | [`dar`] | dual approximated reachability: sequences from the start and from the violations |
//! | [`kinduction`] | k-induction |
//! | [`auxiliary`] | its auxiliary invariants |

mod auxiliary;
mod bounded;
mod dar;
mod graph;
mod imc;
mod impact;
mod ismc;
mod kinduction;
mod oracle;
#[cfg(test)]
mod tests;
mod unroll;

use super::loops::session::Session;
use super::options::Algorithm;
use super::{Counter, Reason, ReasonCode};
use crate::cpa::algorithm::Reached;
use crate::cpa::predicate::blocks::BlockId;
use crate::cpa::predicate::precision::PredicateScope;
use crate::engine::Statistics;
use crate::refine::Analysis;
use crate::refine::path::ErrorPath;
use graph::BlockGraph;
use oracle::Oracle;
use provident_smt::term::TermId;

/// A chain of blocks to a violation, which has a model.
#[derive(Debug, Clone)]
struct Witness {
    blocks: Vec<BlockId>,
    /// The violation, by its position in the graph.
    target: usize,
}

/// The end of an algorithm.
#[derive(Debug, Clone)]
enum Found {
    /// No violation is reachable; these are invariants of the locations.
    Safe(Vec<TermId>),
    /// A violation is reachable, as far as the solver knows.
    Unsafe(Witness),
    /// A violation is neither reachable nor unreachable as far as the solver knows.
    Stuck { target: usize, reason: Reason },
    /// The same, and nothing is known of all others.
    StuckAll(Reason),
    /// A limit is reached.
    Exhausted,
}

impl Found {
    /// The solver contradicts itself or leaves something open.
    fn stuck(text: &str) -> Found {
        Found::StuckAll(ReasonCode::SolverIncomplete.because(text))
    }
}

/// The counters of an algorithm.
#[derive(Debug, Clone, Copy, Default)]
struct Work {
    entailments: u64,
    sequences: u64,
    vertices: u64,
    coverings: u64,
    forced_questions: u64,
    forced: u64,
    strengthened: u64,
    depth: u64,
    images: u64,
    inductive: u64,
    local: u64,
    global: u64,
}

impl Work {
    fn note(&self, statistics: &mut Statistics) {
        let counted = [
            (Counter::SequenceQueries, self.sequences),
            (Counter::EntailmentQueries, self.entailments),
            (Counter::UnwindingVertices, self.vertices),
            (Counter::StrengthenedLabels, self.strengthened),
            (Counter::Coverings, self.coverings),
            (Counter::ForcedCoveringQueries, self.forced_questions),
            (Counter::ForcedCoverings, self.forced),
            (Counter::Images, self.images),
            (Counter::InductiveDepths, self.inductive),
            (Counter::LocalStrengthenings, self.local),
            (Counter::GlobalStrengthenings, self.global),
        ];
        for (counter, value) in counted.into_iter().filter(|(_, value)| *value > 0) {
            statistics.add(counter, value);
        }
        if self.depth > 0 {
            statistics.set(
                Counter::UnrolledSteps,
                statistics.get(Counter::UnrolledSteps).max(self.depth),
            );
        }
    }
}

/// Runs an algorithm to the verdicts. Returns the whole state space if it was explored to the end.
pub(in crate::engine) fn run<'p>(session: &mut Session<'_, 'p>, algorithm: Algorithm) -> Option<Reached<Analysis<'p>>> {
    if session.program.functions.iter().any(|function| function.recursive) {
        let text = "a recursion has no finite graph of blocks, which this engine needs";
        session.give_up_everything(&ReasonCode::Unsupported.because(text));
        return None;
    }
    while !session.is_decided() {
        let reached = explore(session)?;
        let graph = BlockGraph::new(&session.current.cpa, &reached);
        if graph.targets.is_empty() {
            return Some(reached);
        }
        let (found, work) = search(session, &graph, algorithm);
        work.note(&mut session.current.statistics);
        match found {
            Found::Safe(invariants) => {
                let confirmed = explore_under(session, &graph, &invariants)?;
                let missed = BlockGraph::new(&session.current.cpa, &confirmed).targets;
                if missed.is_empty() {
                    return Some(confirmed);
                }
                let text = "an exploration does not confirm the invariants that were found";
                for edge in missed {
                    session.give_up_target(&edge.target, &ReasonCode::NoProgress.because(text));
                }
            }
            Found::Unsafe(witness) => {
                let path = ErrorPath {
                    blocks: witness.blocks,
                    boundaries: Vec::new(),
                };
                session.confirm(&graph.targets[witness.target].target, &path);
                if session.current.cpa.domain.effort.is_exhausted() {
                    session.abandon_exploration(reached);
                    return None;
                }
            }
            Found::Stuck { target, reason } => session.give_up_target(&graph.targets[target].target, &reason),
            Found::StuckAll(reason) => {
                for edge in &graph.targets {
                    session.give_up_target(&edge.target, &reason);
                }
            }
            Found::Exhausted => {
                session.abandon_exploration(reached);
                return None;
            }
        }
    }
    None
}

/// Explores everything under the precision that there is. `None` if a limit ends it.
fn explore<'p>(session: &mut Session<'_, 'p>) -> Option<Reached<Analysis<'p>>> {
    let mut reached = session.initial();
    let status = session.explore(&mut reached, Some(u64::MAX));
    if status.complete && !session.is_decided() {
        return Some(reached);
    }
    session.abandon_exploration(reached);
    None
}

fn search(session: &mut Session<'_, '_>, graph: &BlockGraph, algorithm: Algorithm) -> (Found, Work) {
    let forces = session.options.forced_covering;
    let program = session.program;
    let (domain, inquiry) = session.questions();
    let mut oracle = Oracle::new(program, domain, inquiry);
    let found = match algorithm {
        Algorithm::Impact => impact::impact(graph, &mut oracle, forces),
        Algorithm::Imc => imc::imc(graph, &mut oracle),
        Algorithm::Ismc => ismc::ismc(graph, &mut oracle),
        Algorithm::Dar => dar::dar(graph, &mut oracle),
        Algorithm::KInduction => kinduction::k_induction(graph, &mut oracle),
        Algorithm::Predicate => unreachable!("predicate abstraction has a loop of its own"),
    };
    (found, oracle.work)
}

/// Explores under the invariants.
fn explore_under<'p>(
    session: &mut Session<'_, 'p>,
    graph: &BlockGraph,
    invariants: &[TermId],
) -> Option<Reached<Analysis<'p>>> {
    let program = session.program;
    let domain = &mut session.current.cpa.domain.second;
    let truth = domain.pool.mk_true();
    for (control, &invariant) in graph.locations.iter().zip(invariants).skip(1) {
        let scope = PredicateScope::Location(control.node);
        if invariant == domain.pool.mk_false() {
            domain.precision.add_contradiction(scope);
        } else if invariant != truth {
            domain.precision.add(program, &domain.pool, scope, invariant);
        }
    }
    let cartesian = domain.abstract_cartesian(true);
    let reached = explore(session);
    session.current.cpa.domain.second.abstract_cartesian(cartesian);
    reached
}
