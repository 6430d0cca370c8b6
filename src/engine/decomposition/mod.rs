//! Specification decomposition: Algorithm SDC of Apel, Beyer, Mordan, Mutilin, Stahlbauer (*On-the-fly decomposition of specifications in software model checking*, FSE 2016, section 4).
//!
//! Many properties at once share one abstract model, but a hard property may make the model too big for all. So a partition of the properties is checked under a budget; if the budget does not
//! suffice, a [strategy](strategy) chooses the properties that are checked next, together or alone. Properties that are violated leave the partition, and the analysis goes on behind the violation.
//!
//! Beyond the paper: partitions share blocks and abstractions, and on request the precision (its "future work"); and there is a strategy that cuts the remaining properties into halves of
//! equal cost.
//!
//! A property is *satisfied* only if a fixed point was reached and every state of it tracks the property. Nothing else makes a TRUE here.
//!
//! Of the phases each spends all that it may before the next one begins. In the end, where all have spent what they had, the exploration with explicit values and the loop take [turns](turns) that
//! become longer.
//!
//! | module | does |
//! |---|---|
//! | `limit` | budgets on refinements |
//! | [`strategy`] | which properties are checked next, and at what cost |
//! | `turns` | explicit values and the refinement loop in turns |

mod limit;
mod strategy;
mod turns;

use super::loops::session::{Allowance, Session};
use super::options::{Decomposition, Extent, Part, PartitionBudget};
use super::phases::explicit::explicit;
use super::phases::ideal::ideal;
use super::phases::memo::memo;
use super::{Counter, ReasonCode};
use crate::cpa::algorithm::Reached;
use crate::cpa::tracking::PropertyId;
use crate::refine::Analysis;
use limit::RefinementLimit;
use std::collections::BTreeSet;
use strategy::{Monitor, Share, Strategy};
use turns::Turns;

/// The budget of a partition where there is no limit at all: 15 minutes, as in the paper.
const DEFAULT_CPU: f64 = 900.0;

/// Runs to the verdicts. Returns the last state space if it was explored to the end.
pub(super) fn sdc<'p>(session: &mut Session<'_, 'p>, options: Decomposition) -> Option<Reached<Analysis<'p>>> {
    let mut strategy = Strategy::new(options.strategy);
    let mut remaining: BTreeSet<PropertyId> = session.checking();
    let mut last = None;
    let mut partitions = 0;
    while !remaining.is_empty() && session.limit_reached().is_none() {
        let Some((partition, share)) = strategy.adj_precision(&monitor(session, &remaining)) else {
            break;
        };
        if partitions > 0 {
            session.restart(&partition, options.reuse);
        }
        partitions += 1;
        let allowance = allowance(session, share, options.budget, remaining.len());
        session.allow(allowance);
        let budget = options.budget.refinements.filter(|_| share != Share::Everything);
        let limit = RefinementLimit::new(strategy.limits_refinements(), budget);
        session.govern(Some(Box::new(Turns::new(limit, allowance))));
        last = analyze(session);
        session.govern(None);
        conclude(session, last.as_ref(), &partition, &mut remaining);
        for property in strategy.resigned(&partition) {
            if remaining.remove(&property) {
                resign(session, property);
            }
        }
    }
    session.end_allowances();
    for property in remaining {
        resign(session, property);
    }
    session.current.statistics.set(Counter::Partitions, partitions.max(1));
    last
}

/// Notes what a loop has decided of a partition: these properties do not remain.
fn conclude<'p>(
    session: &mut Session<'_, 'p>,
    last: Option<&Reached<Analysis<'p>>>,
    partition: &BTreeSet<PropertyId>,
    remaining: &mut BTreeSet<PropertyId>,
) {
    // A loop that ended because everything was decided leaves no state space; then nothing of the partition remains.
    remaining.retain(|&p| session.is_undecided(p));
    let satisfied = last.map(|reached| satisfied(session, reached, partition));
    let satisfied = satisfied.unwrap_or_default();
    for &property in &satisfied {
        session.prove(property);
        remaining.remove(&property);
    }
    session.proved_last(satisfied);
}

/// The operator `analyze`: all phases of the engine, for the properties that are switched on.
fn analyze<'p>(session: &mut Session<'_, 'p>) -> Option<Reached<Analysis<'p>>> {
    explicit(session, Extent::Full);
    if session.options.explicit.part != Part::All {
        return None;
    }
    memo(session);
    ideal(session, session.options.ideal_ticks);
    let reached = session.refinement_loop();
    session.charge_pause();
    reached
}

/// The properties of a partition that hold: they were tracked everywhere, and nothing was given up for them.
fn satisfied<'p>(
    session: &Session<'_, 'p>,
    reached: &Reached<Analysis<'p>>,
    partition: &BTreeSet<PropertyId>,
) -> BTreeSet<PropertyId> {
    assert!(reached.is_complete(), "TRUE needs the whole state space");
    let active = session.active(reached);
    let holds = |p: &PropertyId| active.contains(p) && session.is_open(*p) && session.given_up(*p).is_none();
    partition.iter().copied().filter(holds).collect()
}

/// Records that a property remains UNKNOWN, with the reason.
fn resign(session: &mut Session<'_, '_>, property: PropertyId) {
    if let Some(limit) = session.limit_reached() {
        session.leave_open(property, limit);
        return;
    }
    let known = session.given_up(property).cloned();
    let spent = || ReasonCode::BudgetSpent.because("the budget of its partition is spent");
    session.resign(property, known.unwrap_or_else(spent));
}

/// The monitor that strategies may read.
fn monitor(session: &Session<'_, '_>, remaining: &BTreeSet<PropertyId>) -> Monitor {
    let of = |p: &PropertyId| (*p, session.account(*p));
    Monitor {
        remaining: remaining.iter().map(of).collect(),
    }
}

/// The limits of a partition, in absolute terms.
fn allowance(session: &Session<'_, '_>, share: Share, budget: PartitionBudget, remaining: usize) -> Allowance {
    if share == Share::Everything {
        return Allowance::default();
    }
    let now = session.now();
    let limits = session.limits();
    let alone = u64::try_from(remaining.max(1)).unwrap_or(u64::MAX);
    let share_of = |left: u64| match share {
        Share::Everything => left,
        Share::Joint => left / 2,
        Share::Irrelevant => left / 5,
        Share::Alone => left / alone,
    };
    let cpu_share = |left: f64| {
        const FINE: f64 = 1e6;
        // Microseconds are whole numbers of a size that both types hold.
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss
        )]
        let share = share_of((left.max(0.0) * FINE) as u64) as f64;
        share / FINE
    };
    let no_limit = limits.cpu.is_none() && limits.ticks.is_none() && limits.wall.is_none();
    let cpu = match (budget.cpu, limits.cpu) {
        (Some(seconds), _) => Some(now.cpu + seconds),
        (None, Some(limit)) => Some(now.cpu + cpu_share(limit - now.cpu)),
        (None, None) => (no_limit && budget.ticks.is_none()).then_some(now.cpu + DEFAULT_CPU),
    };
    let ticks = match (budget.ticks, limits.ticks) {
        (Some(ticks), _) => Some(now.ticks.saturating_add(ticks)),
        (None, Some(limit)) => Some(now.ticks.saturating_add(share_of(limit.saturating_sub(now.ticks)))),
        (None, None) => None,
    };
    Allowance {
        cpu,
        ticks,
        states: budget.transitions,
    }
}
