//! PCEGAR: provident counterexample-guided abstraction refinement (Algorithm 3.1 of Lukasczyk's thesis).
//!
//! The exploration goes on to its end, or until it has found no new location for a while. Then *all* target states are ranked, a provident
//! refinement is computed for each, and one refinement is selected or joined from them. It is applied to the graph: at the root, which is a restart,
//! or at the pivots of the error paths that it rules out.

use super::session::Session;
use crate::cpa::algorithm::Reached;
use crate::engine::operators::Operator;
use crate::refine::rank::Rank;
use crate::refine::refuted::Refuted;
use crate::refine::select::Select;
use crate::refine::{Analysis, extract_targets};

/// Runs to the verdicts. Returns the whole state space if it was explored to the end.
pub(in crate::engine) fn pcegar<'p>(session: &mut Session<'_, 'p>) -> Option<Reached<Analysis<'p>>> {
    let refinement = session.options.refine;
    let mut reached = session.initial();
    let mut refuted = Refuted::default();
    loop {
        let status = session.explore(&mut reached, Some(refinement.patience));
        if !status.complete {
            session.abandon_exploration(reached);
            return None;
        }
        let targets = session.timed(Operator::ExtractTargets, |s| extract_targets(&s.current.cpa, &reached));
        if targets.is_empty() {
            return Some(reached);
        }
        let targets = session.timed(Operator::Rank, |_| refinement.rank.rank(targets));
        let (mut offers, targets) = session.offer_values(&reached, targets);
        let candidates = session.refine(&targets, &mut refuted);
        let infeasible = session.settle(candidates);
        if session.is_decided() {
            session.keep_graph(&reached);
            return None;
        }
        let infeasible = session.choose_domain(&mut offers, infeasible);
        if !infeasible.is_empty() {
            let selected = session.timed(Operator::Select, |_| refinement.select.select(infeasible));
            session.apply(&mut reached, selected);
        }
        session.apply_values(&mut reached, offers);
    }
}
