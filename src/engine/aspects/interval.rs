//! Intervals of the latest checked aspect, and their limits.
//!
//! The limits are checked while an interval lasts: each interval is an allowance of the session, which ends explorations and solver calls from outside when it is spent.

use super::super::options::{Amount, Aspects};
use super::cleaning::clean;
use crate::cpa::tracking::PropertyId;
use crate::engine::account::{Shares, part};
use crate::engine::loops::session::{Allowance, Governor, Session};
use crate::engine::{Counter, ReasonCode};
use std::cell::Cell;
use std::rc::Rc;

/// Processor seconds that make no difference: shares are known to a millionth.
const RESOLUTION: f64 = 1e-3;

/// Why an iteration ended before its verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// FITL was reached.
    First,
    /// IITL was reached.
    Idle,
}

/// The intervals of one iteration.
#[derive(Debug)]
pub(super) struct Intervals {
    options: Aspects,
    /// Whether no aspect was checked so far.
    is_first: bool,
    end: Rc<Cell<Option<End>>>,
}

impl Intervals {
    /// The intervals of an iteration that has not begun.
    pub(super) fn new(options: Aspects, end: Rc<Cell<Option<End>>>) -> Intervals {
        Intervals {
            options,
            is_first: true,
            end,
        }
    }

    /// Begins the first interval.
    pub(super) fn first(&mut self, session: &mut Session<'_, '_>) {
        limit(session, &[self.options.first]);
    }

    /// The step *Change LCA*.
    ///
    /// The aspects of a set of latest checked ones are charged in proportion, so that the interval lasts until the first of them has used up what its ATL leaves.
    fn change(&mut self, session: &mut Session<'_, '_>, latest: &Shares) {
        self.is_first = false;
        if latest.is_empty() {
            limit(session, &[self.options.idle]);
            return;
        }
        let total: u64 = latest.iter().map(|(_, weight)| *weight).sum();
        let lasts = |(aspect, weight): &(PropertyId, u64)| match self.left(session, *aspect)? {
            Amount::Seconds(seconds) => Some(Amount::Seconds(seconds / part(*weight, total).max(1e-6))),
            Amount::Ticks(ticks) => {
                let all = (u128::from(ticks) * u128::from(total)).div_ceil(u128::from(*weight));
                Some(Amount::Ticks(u64::try_from(all).unwrap_or(u64::MAX)))
            }
        };
        let mut amounts: Vec<Option<Amount>> = latest.iter().map(lasts).collect();
        amounts.push(self.options.basic);
        if self.over(session).is_some() {
            // Work of a round went beyond what it had.
            amounts.push(Some(Amount::Ticks(0)));
        }
        limit(session, &amounts);
    }

    /// The amount that its ATL leaves to an aspect.
    fn left(&self, session: &Session<'_, '_>, aspect: PropertyId) -> Option<Amount> {
        let spent = session.account(aspect).spent;
        self.options.aspect.map(|amount| match amount {
            Amount::Seconds(seconds) => Amount::Seconds((seconds - spent.cpu).max(0.0)),
            Amount::Ticks(ticks) => Amount::Ticks(ticks.saturating_sub(spent.ticks)),
        })
    }

    /// The first aspect that has used up its ATL and is still checked.
    fn over(&self, session: &Session<'_, '_>) -> Option<PropertyId> {
        let is_over = |aspect: &PropertyId| match self.left(session, *aspect) {
            Some(Amount::Seconds(seconds)) => seconds <= RESOLUTION,
            Some(Amount::Ticks(ticks)) => ticks == 0,
            None => false,
        };
        session.checking().into_iter().find(is_over)
    }

    /// The rest of the step *Disable LCA*, after the aspect is switched off.
    fn disabled(&mut self, session: &mut Session<'_, '_>, aspect: PropertyId) {
        session.charge_pause();
        clean(session, aspect, self.options.cleaning);
        self.change(session, &Shares::new());
    }
}

impl Governor for Intervals {
    fn begin(&mut self, _: &mut Session<'_, '_>) {}

    /// A round may take as much as the limits of all its aspects leave together: how much of it each takes is known at its end.
    fn refining(&mut self, session: &mut Session<'_, '_>) {
        self.is_first = false;
        let latest = session.shares();
        let basic = latest.iter().filter_map(|_| self.options.basic).reduce(Amount::plus);
        let left = latest
            .iter()
            .filter_map(|(aspect, _)| self.left(session, *aspect))
            .reduce(Amount::plus);
        limit(session, &[basic, left]);
    }

    fn refined(&mut self, session: &mut Session<'_, '_>) {
        let latest = session.shares();
        self.change(session, &latest);
    }

    fn violated(&mut self, session: &mut Session<'_, '_>, property: PropertyId) {
        self.disabled(session, property);
    }

    fn spent(&mut self, session: &mut Session<'_, '_>) -> bool {
        let Some(latest) = session.latest() else {
            let end = if self.is_first { End::First } else { End::Idle };
            self.end.set(Some(end));
            return false;
        };
        session.charge_pause();
        let (aspect, reason) = match self.over(session) {
            Some(over) => (over, "the limit of the property (ATL) is reached"),
            None => (latest, "the limit of an interval of the property (BITL) is reached"),
        };
        session.resign(aspect, ReasonCode::BudgetSpent.because(reason));
        session.current.statistics.add(Counter::AspectsDisabled, 1);
        self.disabled(session, aspect);
        !session.checking().is_empty()
    }
}

/// Makes an interval that ends with the first of some amounts.
fn limit(session: &mut Session<'_, '_>, amounts: &[Option<Amount>]) {
    let now = session.now();
    let mut allowance = Allowance::default();
    for amount in amounts.iter().flatten() {
        match *amount {
            Amount::Seconds(seconds) => {
                let end = now.cpu + seconds;
                allowance.cpu = Some(allowance.cpu.map_or(end, |other| other.min(end)));
            }
            Amount::Ticks(ticks) => {
                let end = now.ticks.saturating_add(ticks);
                allowance.ticks = Some(allowance.ticks.map_or(end, |other| other.min(end)));
            }
        }
    }
    session.allow(allowance);
}
