//! CEGAR with lazy abstraction (Algorithm 2.2 of Lukasczyk's thesis; lazy abstraction after Henzinger, Jhala, Majumdar, Sutre, POPL 2002).
//!
//! The exploration stops at the first target state. If its error path is infeasible, only the part of the graph below the pivot state is
//! forgotten, and the new predicates count where they were found. On demand everything is explored again from the root: so experiments compare precisions alone, and not how much of the graph is forgotten with each of them (Beyer,
//! Löwe, Wendler, *Refinement selection*, SPIN 2015, section 7).

use super::session::Session;
use crate::cpa::algorithm::Reached;
use crate::cpa::composite::State;
use crate::cpa::predicate::blocks::BlockId;
use crate::engine::operators::Operator;
use crate::engine::{Counter, Restart};
use crate::refine::path::find_abstraction;
use crate::refine::provident::Candidate;
use crate::refine::refuted::Refuted;
use crate::refine::{Analysis, DataState, extract_targets};
use std::collections::BTreeSet;

/// Runs to the verdicts. Returns the whole state space if it was explored to the end.
pub(in crate::engine) fn cegar<'p>(session: &mut Session<'_, 'p>) -> Option<Reached<Analysis<'p>>> {
    let mut reached = session.initial();
    let mut refuted = BTreeSet::new();
    loop {
        let status = session.explore(&mut reached, None);
        if !status.complete || session.is_decided() {
            session.abandon_exploration(reached);
            return None;
        }
        let targets = session.timed(Operator::ExtractTargets, |s| extract_targets(&s.current.cpa, &reached));
        let Some(target) = targets.into_iter().next() else {
            return Some(reached);
        };
        // Each refinement is on its own here: that is what provident refinement is compared with.
        let (mut offers, targets) = session.offer_values(&reached, vec![target]);
        let candidates = session.refine(&targets, &mut Refuted::default());
        let infeasible = session.settle(candidates);
        let infeasible = session.choose_domain(&mut offers, infeasible);
        for candidate in &infeasible {
            session.timed(Operator::Apply, |session| {
                refine(session, &mut reached, &mut refuted, candidate);
            });
        }
        session.apply_values(&mut reached, offers);
        if session.is_decided() {
            session.keep_graph(&reached);
            return None;
        }
    }
}

/// The operator `refine`: new predicates, and everything below the pivot state, or all, is explored again.
///
/// The same path may come back once without new predicates, because lazily refined parts of the graph lag behind the precision. If it does
/// so again, there is no progress.
fn refine<'p>(
    session: &mut Session<'_, 'p>,
    reached: &mut Reached<Analysis<'p>>,
    refuted: &mut BTreeSet<(Vec<BlockId>, usize)>,
    candidate: &Candidate,
) {
    let scope = session.options.refine.scope;
    let this = std::slice::from_ref(candidate);
    let new = session.extend_precision(this, scope);
    let again = !refuted.insert((
        candidate.path.blocks.clone(),
        session.current.cpa.domain.precision.entries(),
    ));
    let stuck = again && session.extend_otherwise(this) == 0;
    if session.current.cpa.domain.effort.is_exhausted() {
        return;
    }
    let Some(increment) = candidate.increment().filter(|_| !stuck) else {
        session.abandon(this);
        session.record_applied(this, new, "gave up", reached.arg.len());
        return;
    };
    if session.options.refine.restart == Restart::Root {
        session.current.statistics.add(Counter::Restarts, 1);
        *reached = session.initial();
        session.record_applied(this, new, "restart", reached.arg.len());
        return;
    }
    let pivot = candidate.path.boundaries[increment.pivot];
    let node =
        find_abstraction(reached, candidate.target.id, pivot).expect("the error path leads through its abstractions");
    let domain = &session.current.cpa.domain;
    let mut reset = |state: &State<DataState>| State {
        control: state.control,
        data: (state.data.0, domain.reset(&state.data.1)),
    };
    reached.restart_at(&session.current.cpa, node, &mut reset);
    session.record_applied(this, new, "cut", reached.arg.len());
}
