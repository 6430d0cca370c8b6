//! Accounts: the cost of each property. This is the resource utilization monitor of Apel et al. (FSE 2016, section 4.1), with the time accounts of Mordan and Mutilin.
//!
//! The abstract reachability graph grows for all properties together, so effort has to be attributed. After a refinement, the following effort is due to the property whose error path was
//! refined: it is the *latest checked* one, and everything is charged to it until another error path is refined. Effort before the first refinement is charged to no aspect.

use super::budget::cpu_seconds;
use crate::cpa::tracking::PropertyId;
use crate::cpa::tracking::Tracked;

/// An amount of work.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spent {
    /// Processor seconds of the process.
    pub cpu: f64,
    /// Deterministic effort.
    pub ticks: u64,
}

impl Spent {
    /// The clocks now; `ticks` is the effort so far.
    pub fn now(ticks: u64) -> Spent {
        Spent {
            cpu: cpu_seconds(),
            ticks,
        }
    }

    /// The difference to an earlier moment.
    #[must_use]
    pub fn since(self, earlier: Spent) -> Spent {
        Spent {
            cpu: (self.cpu - earlier.cpu).max(0.0),
            ticks: self.ticks.saturating_sub(earlier.ticks),
        }
    }

    /// Adds another amount.
    pub fn add(&mut self, more: Spent) {
        self.cpu += more.cpu;
        self.ticks = self.ticks.saturating_add(more.ticks);
    }
}

/// The cost of a property.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Account {
    /// Work while it was the latest checked property.
    pub spent: Spent,
    /// Error paths of it that were refined.
    pub refinements: u64,
    /// How often its watcher has seen something in an exploration: the dynamic relevance.
    pub transitions: u64,
}

/// The accounts of all properties.
#[derive(Debug)]
pub(super) struct Accounts {
    list: Vec<Account>,
    /// The property whose error path was refined last.
    latest: Option<PropertyId>,
    since: Spent,
}

impl Accounts {
    /// Empty accounts for a number of properties.
    pub(super) fn new(properties: usize) -> Accounts {
        Accounts {
            list: vec![Account::default(); properties],
            latest: None,
            since: Spent::now(0),
        }
    }

    /// The account of a property.
    pub(super) fn of(&self, property: PropertyId) -> &Account {
        &self.list[property.index()]
    }

    /// The latest checked property.
    pub(super) fn latest(&self) -> Option<PropertyId> {
        self.latest
    }

    /// Charges the effort since the last change to the latest checked property, which is another one from now on.
    pub(super) fn turn(&mut self, now: Spent, to: Option<PropertyId>) {
        if let Some(latest) = self.latest {
            self.list[latest.index()].spent.add(now.since(self.since));
        }
        self.latest = to;
        self.since = now;
    }

    /// Notes an error path of a property that was refined.
    pub(super) fn refined(&mut self, property: PropertyId) {
        self.list[property.index()].refinements += 1;
    }

    /// Takes over what an analysis has seen that is not used any more.
    pub(super) fn retire(&mut self, tracked: &Tracked) {
        for (property, account) in PropertyId::first(self.list.len()).zip(&mut self.list) {
            account.transitions += tracked.seen(property);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_charged_to_the_property_that_was_refined_last() {
        let at = |ticks| Spent { cpu: 0.0, ticks };
        let mut accounts = Accounts::new(2);
        accounts.turn(at(10), Some(PropertyId::new(1)));
        accounts.turn(at(25), Some(PropertyId::new(0)));
        accounts.turn(at(30), Some(PropertyId::new(1)));
        accounts.turn(at(37), None);
        accounts.turn(at(99), None);
        assert_eq!(accounts.of(PropertyId::new(0)).spent.ticks, 5);
        assert_eq!(accounts.of(PropertyId::new(1)).spent.ticks, 15 + 7);
        assert_eq!(accounts.latest(), None);
    }
}
