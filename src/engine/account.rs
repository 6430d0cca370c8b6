//! Accounts: the cost of each property. This is the resource utilization monitor of Apel et al. (FSE 2016, section 4.1), with the time accounts of Mordan and Mutilin.
//!
//! The abstract reachability graph grows for all properties together, so effort has to be attributed. Mordan and Mutilin charge it to the *latest checked* property, the one whose error path was refined last, and call that an
//! approximation: closer to the truth would be a *set* of latest checked properties, as several are checked at a time (section 4.1). Provident refinement looks at error paths of many properties in one round, so here it is a set:
//!
//! * The work of `provident_refine` is charged to the properties of the error paths, to each in proportion to what its own paths took.
//! * The effort after a refinement was applied is charged to the properties of the applied error paths, in proportion to their number.
//!
//! Where one path is refined at a time this is the rule of the paper. Effort before the first error path is charged to no property. Ticks are divided in whole numbers, so that they repeat and none is lost.

use super::budget::cpu_seconds;
use crate::cpa::tracking::PropertyId;
use crate::cpa::tracking::Tracked;
use std::collections::BTreeMap;

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
    /// Work while it was among the latest checked properties: its share.
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
    latest: Shares,
    since: Spent,
}

/// Properties with their weights in what is charged. Each stands once; no weight is 0.
pub(in crate::engine) type Shares = Vec<(PropertyId, u64)>;

/// The part of a weight in all weights, to a millionth.
pub(in crate::engine) fn part(weight: u64, total: u64) -> f64 {
    const FINE: u32 = 1_000_000;
    let parts = u128::from(weight) * u128::from(FINE) / u128::from(total.max(1));
    f64::from(u32::try_from(parts).unwrap_or(FINE)) / f64::from(FINE)
}

/// Adds up weights by property; of those that are all 0, each counts 1.
pub(in crate::engine) fn shares(weights: impl Iterator<Item = (PropertyId, u64)> + Clone) -> Shares {
    let none = weights.clone().all(|(_, weight)| weight == 0);
    let mut sums: BTreeMap<PropertyId, u64> = BTreeMap::new();
    for (property, weight) in weights {
        *sums.entry(property).or_insert(0) += if none { 1 } else { weight };
    }
    sums.into_iter().filter(|(_, weight)| *weight > 0).collect()
}

impl Accounts {
    /// Empty accounts for a number of properties.
    pub(super) fn new(properties: usize) -> Accounts {
        Accounts {
            list: vec![Account::default(); properties],
            latest: Shares::new(),
            since: Spent::now(0),
        }
    }

    /// The account of a property.
    pub(super) fn of(&self, property: PropertyId) -> &Account {
        &self.list[property.index()]
    }

    /// The latest checked properties with their weights.
    pub(super) fn shares(&self) -> &Shares {
        &self.latest
    }

    /// The latest checked property, where it has to be one: that of the greatest weight, of these the first.
    pub(super) fn latest(&self) -> Option<PropertyId> {
        let greatest = |(property, weight): &&(PropertyId, u64)| (*weight, std::cmp::Reverse(*property));
        self.latest.iter().max_by_key(greatest).map(|(property, _)| *property)
    }

    /// Charges the effort since the last change to the latest checked properties, which are others from now on.
    pub(super) fn turn(&mut self, now: Spent, to: Shares) {
        let until_now = std::mem::replace(&mut self.latest, to);
        self.charge(now, &until_now);
    }

    /// Charges the effort since the last change to properties that turned out to have caused it, whichever were the latest ones. These count as the latest from now on.
    pub(super) fn turn_back(&mut self, now: Spent, to: Shares) {
        self.charge(now, &to);
        self.latest = to;
    }

    /// Divides the effort since the last change.
    fn charge(&mut self, now: Spent, shares: &Shares) {
        let spent = now.since(self.since);
        self.since = now;
        let total: u64 = shares.iter().map(|(_, weight)| *weight).sum();
        let whole = |weight: u64| u128::from(spent.ticks) * u128::from(weight) / u128::from(total.max(1));
        let whole = |weight: u64| u64::try_from(whole(weight)).expect("a part is not greater than the whole");
        let divided: u64 = shares.iter().map(|(_, weight)| whole(*weight)).sum();
        // The rest of the division is less than one tick for each property.
        let mut left = spent.ticks - divided;
        for &(property, weight) in shares {
            let more = left.min(1);
            left -= more;
            self.list[property.index()].spent.add(Spent {
                cpu: spent.cpu * part(weight, total),
                ticks: whole(weight) + more,
            });
        }
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

    fn numbered(weights: &[(usize, u64)]) -> impl Iterator<Item = (PropertyId, u64)> + Clone {
        weights
            .iter()
            .map(|&(property, weight)| (PropertyId::new(property), weight))
    }

    #[test]
    fn work_is_charged_to_the_property_that_was_refined_last() {
        let at = |ticks| Spent { cpu: 0.0, ticks };
        let mut accounts = Accounts::new(2);
        accounts.turn(at(10), numbered(&[(1, 1)]).collect());
        accounts.turn(at(25), numbered(&[(0, 1)]).collect());
        accounts.turn(at(30), numbered(&[(1, 1)]).collect());
        accounts.turn(at(37), Shares::new());
        accounts.turn(at(99), Shares::new());
        assert_eq!(accounts.of(PropertyId::new(0)).spent.ticks, 5);
        assert_eq!(accounts.of(PropertyId::new(1)).spent.ticks, 15 + 7);
        assert_eq!(accounts.latest(), None);
    }

    #[test]
    fn a_round_is_charged_in_proportion_and_no_tick_is_lost() {
        let at = |ticks| Spent { cpu: 0.0, ticks };
        let mut accounts = Accounts::new(4);
        // Before the first error path nobody is charged.
        accounts.turn(at(7), shares(numbered(&[(0, 1), (2, 1), (2, 1)])));
        // The round looked at paths of 0 and 2, and the one of 0 took nine times as long.
        accounts.turn_back(at(107), shares(numbered(&[(0, 900), (2, 60), (2, 40)])));
        assert_eq!(
            (
                accounts.of(PropertyId::new(0)).spent.ticks,
                accounts.of(PropertyId::new(2)).spent.ticks
            ),
            (90, 10)
        );
        assert_eq!(
            (accounts.latest(), accounts.of(PropertyId::new(1)).spent.ticks),
            (Some(PropertyId::new(0)), 0)
        );
        // A refinement of 2 and of 3 is applied: what comes is theirs.
        accounts.turn(at(107), shares(numbered(&[(3, 1), (2, 1), (1, 0)])));
        accounts.turn(at(118), Shares::new());
        assert_eq!(
            (
                accounts.of(PropertyId::new(2)).spent.ticks,
                accounts.of(PropertyId::new(3)).spent.ticks
            ),
            (10 + 6, 5)
        );
        let all: u64 = (0usize..4)
            .map(|property| accounts.of(PropertyId::new(property)).spent.ticks)
            .sum();
        assert_eq!(all, 118 - 7);
        // Known answers take no work; then paths count.
        assert_eq!(
            shares(numbered(&[(1, 0), (3, 0), (3, 0)])),
            numbered(&[(1, 1), (3, 2)]).collect::<Shares>()
        );
    }
}
