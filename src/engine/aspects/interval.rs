//! Intervals of the latest checked aspect, and their limits.
//!
//! The limits are checked while an interval lasts: each interval is an allowance of the session, which ends explorations and solver calls from outside when it is spent.

use super::super::options::{Amount, Aspects};
use super::cleaning::clean;
use crate::cpa::tracking::PropertyId;
use crate::engine::loops::session::{Allowance, Governor, Session};
use crate::engine::{Counter, ReasonCode};
use std::cell::Cell;
use std::rc::Rc;

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
    /// The latest checked aspect.
    latest: Option<PropertyId>,
    /// Whether no aspect was checked so far.
    is_first: bool,
    end: Rc<Cell<Option<End>>>,
}

impl Intervals {
    /// The intervals of an iteration that has not begun.
    pub(super) fn new(options: Aspects, end: Rc<Cell<Option<End>>>) -> Intervals {
        Intervals {
            options,
            latest: None,
            is_first: true,
            end,
        }
    }

    /// Begins the first interval.
    pub(super) fn first(&mut self, session: &mut Session<'_, '_>) {
        limit(session, &[self.options.first]);
    }

    /// The step *Change LCA*.
    fn change(&mut self, session: &mut Session<'_, '_>, latest: Option<PropertyId>) {
        self.latest = latest;
        self.is_first = false;
        match latest {
            Some(aspect) => {
                let spent = session.account(aspect).spent;
                let left = self.options.aspect.map(|amount| match amount {
                    Amount::Seconds(seconds) => Amount::Seconds((seconds - spent.cpu).max(0.0)),
                    Amount::Ticks(ticks) => Amount::Ticks(ticks.saturating_sub(spent.ticks)),
                });
                limit(session, &[self.options.basic, left]);
            }
            None => limit(session, &[self.options.idle]),
        }
    }

    /// The rest of the step *Disable LCA*, after the aspect is switched off.
    fn disabled(&mut self, session: &mut Session<'_, '_>, aspect: PropertyId) {
        session.book_pause();
        clean(session, aspect, self.options.cleaning);
        self.change(session, None);
    }
}

impl Governor for Intervals {
    fn begin(&mut self, _: &mut Session<'_, '_>) {}

    fn refined(&mut self, session: &mut Session<'_, '_>) {
        let latest = session.latest();
        self.change(session, latest);
    }

    fn violated(&mut self, session: &mut Session<'_, '_>, property: PropertyId) {
        self.disabled(session, property);
    }

    fn spent(&mut self, session: &mut Session<'_, '_>) -> bool {
        let Some(aspect) = self.latest else {
            let end = if self.is_first { End::First } else { End::Idle };
            self.end.set(Some(end));
            return false;
        };
        session.book_pause();
        let spent = session.account(aspect).spent;
        let is_over = self.options.aspect.is_some_and(|amount| match amount {
            Amount::Seconds(seconds) => spent.cpu >= seconds,
            Amount::Ticks(ticks) => spent.ticks >= ticks,
        });
        let reason = match is_over {
            true => "the limit of the property (ATL) is reached",
            false => "the limit of an interval of the property (BITL) is reached",
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
