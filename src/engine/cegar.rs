//! CEGAR with lazy abstraction (Algorithm 2.2 of Lukasczyk's thesis; lazy abstraction after Henzinger, Jhala, Majumdar, Sutre, POPL 2002).
//!
//! The exploration stops at the first target state. If its error path is infeasible, only the part of the graph below the pivot state is
//! forgotten, and the new predicates count where they were found.

use super::Outcome;
use super::session::Session;
use crate::cpa::algorithm::Reached;
use crate::refine::path::find_abstraction;
use crate::refine::provident::Candidate;
use crate::refine::{Analysis, extract_targets};

/// Runs to the verdicts.
pub(super) fn cegar(mut session: Session<'_, '_>) -> Outcome {
    let mut reached = session.initial();
    loop {
        let status = session.explore(&mut reached, true);
        if !status.complete || session.is_decided() {
            return session.finish(None);
        }
        let Some(target) = extract_targets(&session.cpa, &reached).into_iter().next() else {
            return session.finish(Some(&reached));
        };
        let candidates = session.refine(&[target]);
        let infeasible = session.settle(candidates);
        for candidate in &infeasible {
            refine(&mut session, &mut reached, candidate);
        }
        if session.is_decided() {
            return session.finish(None);
        }
    }
}

/// The operator `refine`: new predicates, and everything below the pivot state is explored again.
fn refine<'p>(session: &mut Session<'_, 'p>, reached: &mut Reached<Analysis<'p>>, candidate: &Candidate) {
    let scope = session.options.refine.scope;
    let new = session.extend_precision(std::slice::from_ref(candidate), scope);
    let Some(increment) = candidate.increment() else { return };
    // Even without new predicates: lazily refined parts of the graph may lag behind the precision, and are computed anew.
    let _ = new;
    let pivot = candidate.path.boundaries[increment.pivot];
    let node = find_abstraction(reached, candidate.target.id, pivot).expect("the error path leads through its abstractions");
    let domain = &session.cpa.domain;
    reached.restart_at(&session.cpa, node, &mut |state| crate::cpa::composite::State {
        control: state.control,
        data: domain.reset(&state.data),
    });
}
