//! The refinement loop over block-abstraction memoization (see [`memo`](crate::cpa::memo)).
//!
//! After a refinement the exploration begins at the root again, and the summaries are kept: those of blocks whose reduced precision did not change are found again, so only what depends on the new
//! predicates is explored. All targets in all blocks have their error paths through the program. In provident refinement they are all refined, and what is selected of that is applied at once; lazy
//! abstraction takes the first.

use super::session::Session;
use crate::cpa::algorithm::Reached;
use crate::engine::operators::Operator;
use crate::engine::{Mode, ReasonCode};
use crate::refine::nested::nested_refinement;
use crate::refine::provident::Candidate;
use crate::refine::rank::Rank;
use crate::refine::refuted::Refuted;
use crate::refine::select::Select;
use crate::refine::{Analysis, Target, extract_targets};
use std::collections::BTreeSet;

/// The most paths with calls that return that are refined in one round.
const MAX_NESTED: usize = 16;

/// The most targets that are looked at in one round. Others are found again, if the refinement of these leaves them.
const MAX_TARGETS: usize = 64;

/// A target with its error path through the program.
struct FlatTarget {
    target: Target,
    /// The formula block that each one hangs on.
    parents: Vec<usize>,
}

impl FlatTarget {
    /// Whether calls return on its path.
    fn has_returns(&self) -> bool {
        self.parents.iter().zip(1..).any(|(&parent, next)| parent != next)
    }
}

/// Runs to the verdicts. Returns the root's state space if everything was explored to the end.
pub(in crate::engine) fn memo<'p>(session: &mut Session<'_, 'p>) -> Option<Reached<Analysis<'p>>> {
    let refinement = session.options.refine;
    let is_lazy = refinement.mode == Mode::Lazy;
    let mut refuted = Refuted::default();
    let mut seen = BTreeSet::new();
    loop {
        let mut reached = session.initial();
        if let Some(memory) = &mut session.current.cpa.memo {
            memory.begin();
        }
        let status = session.explore(&mut reached, (!is_lazy).then_some(refinement.patience));
        if !status.complete || session.is_decided() {
            session.abandon_exploration(reached);
            return None;
        }
        let mut targets = session.timed(Operator::ExtractTargets, |s| extract_targets(&s.current.cpa, &reached));
        if targets.is_empty() {
            return Some(reached);
        }
        if is_lazy {
            targets.truncate(1);
        } else {
            targets = session.timed(Operator::Rank, |_| refinement.rank.rank(targets));
        }
        let targets = flatten(session, targets);
        if session.has_given_up() {
            return None;
        }
        let candidates = refine(session, targets, &mut refuted);
        let infeasible = session.settle(candidates);
        if session.is_decided() {
            return None;
        }
        if infeasible.is_empty() {
            continue;
        }
        let selected = match is_lazy {
            true => infeasible,
            false => session.timed(Operator::Select, |_| refinement.select.select(infeasible)),
        };
        session.timed(Operator::Apply, |session| apply(session, &selected, &mut seen));
        if session.current.cpa.domain.effort.is_exhausted() || session.has_given_up() {
            return None;
        }
    }
}

/// The targets with their paths through the program, those with short paths first: they say the same with less. If all paths are too long, their targets are given up.
fn flatten(session: &mut Session<'_, '_>, targets: Vec<Target>) -> Vec<FlatTarget> {
    let mut flat: Vec<(usize, FlatTarget)> = Vec::new();
    let mut paths = BTreeSet::new();
    let mut too_long = Vec::new();
    for target in targets {
        if flat.len() >= MAX_TARGETS {
            break;
        }
        let program = session.program;
        let analysis = &mut session.current.cpa;
        let domain = &mut analysis.domain.second;
        let Some(path) = domain.flat_path(program, &mut analysis.context.stacks, &target.state) else {
            too_long.push(target);
            continue;
        };
        let blocks = domain.blocks_of(&path.state);
        let length = blocks.len();
        if paths.insert(blocks) {
            let target = Target {
                state: path.state,
                ..target
            };
            let parents = path.parents;
            flat.push((length, FlatTarget { target, parents }));
        }
    }
    if flat.is_empty() {
        let reason = ReasonCode::NoProgress.because("an error path through summaries of functions is too long");
        for target in &too_long {
            session.give_up_target(target, &reason);
        }
    }
    flat.sort_by_key(|(length, _)| *length);
    flat.into_iter().map(|(_, flat)| flat).collect()
}

/// The operator `provident_refine`: nested interpolants for paths with calls that return, the others as always.
fn refine(session: &mut Session<'_, '_>, targets: Vec<FlatTarget>, refuted: &mut Refuted) -> Vec<Candidate> {
    let (nested, plain): (Vec<_>, Vec<_>) = targets.into_iter().partition(FlatTarget::has_returns);
    let plain: Vec<Target> = plain.into_iter().map(|flat| flat.target).collect();
    let mut candidates = match plain.is_empty() {
        true => Vec::new(),
        false => session.refine(&plain, refuted),
    };
    for flat in nested.into_iter().take(MAX_NESTED) {
        let is_feasible = |candidate: &Candidate| {
            matches!(
                candidate.feasibility,
                crate::refine::interpolation::Feasibility::Feasible
            )
        };
        if candidates.last().is_some_and(is_feasible) || session.current.cpa.domain.effort.is_exhausted() {
            break;
        }
        let found = session.ask_nested(&flat.target, |domain, inquiry| {
            nested_refinement(domain, &flat.target, &flat.parents, inquiry)
        });
        match found {
            Some(candidate) => candidates.push(candidate),
            None => candidates.extend(session.refine(&[flat.target], refuted)),
        }
    }
    candidates
}

/// The operator `apply`: the predicates of the selected refinements. Where they bring nothing new and the paths were refined under the same precision before, others are sought, or the targets are
/// given up.
fn apply(
    session: &mut Session<'_, '_>,
    selected: &[Candidate],
    seen: &mut BTreeSet<(Vec<crate::cpa::predicate::blocks::BlockId>, usize)>,
) {
    let scope = session.options.refine.scope;
    let new = session.extend_precision(selected, scope);
    let entries = session.current.cpa.domain.precision.entries();
    let mut again = new == 0;
    for candidate in selected {
        again &= !seen.insert((candidate.path.blocks.clone(), entries)) || candidate.increment().is_none();
    }
    let is_stuck = again && session.extend_otherwise(selected) == 0;
    if is_stuck && !session.current.cpa.domain.effort.is_exhausted() {
        session.abandon(selected);
    }
    session.record_applied(selected, new, if is_stuck { "gave up" } else { "restart" }, 0);
}
