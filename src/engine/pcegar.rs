//! PCEGAR: provident counterexample-guided abstraction refinement (Algorithm 3.1 of Lukasczyk's thesis).
//!
//! The exploration goes on to its end. Then *all* target states are ranked, a provident refinement is computed for each, and one refinement
//! is selected or joined from them. It is applied to the root, which is a restart: cheap, because blocks and abstractions of unchanged
//! parts come from caches.

use super::session::Session;
use crate::cpa::algorithm::Reached;
use crate::refine::rank::Rank;
use crate::refine::select::Select;
use crate::refine::{Analysis, extract_targets};

/// Runs to the verdicts. Returns the whole state space if it was explored to the end.
pub(super) fn pcegar<'p>(session: &mut Session<'_, 'p>) -> Option<Reached<Analysis<'p>>> {
    let refinement = session.options.refine;
    loop {
        let mut reached = session.initial();
        let status = session.explore(&mut reached, false);
        if !status.complete {
            session.abandon_exploration(reached);
            return None;
        }
        let targets = extract_targets(&session.cpa, &reached);
        if targets.is_empty() {
            return Some(reached);
        }
        let targets = refinement.rank.rank(targets);
        let candidates = session.refine(&targets);
        let infeasible = session.settle(candidates);
        if session.is_decided() {
            return None;
        }
        if !infeasible.is_empty() {
            let selected = refinement.select.select(infeasible);
            // Without a new predicate the same targets would be found again.
            let new = session.extend_precision(&selected, refinement.scope);
            if new == 0 && session.extend_otherwise(&selected) == 0 && !session.cpa.domain.effort.is_exhausted() {
                session.abandon(&selected);
            }
        }
    }
}
