//! Decomposition strategies: the next properties to check, and their budget (the operators `adjPrecision` and `resigned` of the paper's section 4.2).
//!
//! | strategy | partitions |
//! |---|---|
//! | S0 | all |
//! | S1 | all; each alone |
//! | S2 | as S1, with a limit on refinements |
//! | S3 | all; those not relevant so far, again whenever one of them turns out to be relevant; each relevant one alone |
//! | S4 | as S3, with a limit on refinements |
//! | Bisect | all; halves of the remaining ones of equal cost, cheap ones first, down to single ones |
//!
//! The paper does not say how to treat properties that the second phase of S3 neither proved nor found to be relevant. Here they are checked alone, after the relevant ones, so every property
//! is tried. Single properties come in the order of their cost so far, so that cheap verdicts are there when a limit strikes.

use super::super::account::Account;
use super::super::options::StrategyKind;
use crate::cpa::tracking::PropertyId;
use std::collections::{BTreeMap, BTreeSet};

/// The costs of the properties that remain.
#[derive(Debug, Clone, Default)]
pub(super) struct Monitor {
    /// The remaining properties with their accounts.
    pub remaining: BTreeMap<PropertyId, Account>,
}

impl Monitor {
    fn all(&self) -> BTreeSet<PropertyId> {
        self.remaining.keys().copied().collect()
    }

    /// The operator that tells relevant properties: their watcher has seen something.
    fn irrelevant(&self) -> BTreeSet<PropertyId> {
        let unseen = |(p, account): (&PropertyId, &Account)| (account.transitions == 0).then_some(*p);
        self.remaining.iter().filter_map(unseen).collect()
    }

    /// The remaining properties, cheap ones first.
    fn by_cost(&self, wanted: impl Fn(PropertyId) -> bool) -> Vec<PropertyId> {
        let cost = |p: &PropertyId| (self.remaining[p].spent.ticks, self.remaining[p].refinements, *p);
        let mut list: Vec<PropertyId> = self.remaining.keys().copied().filter(|&p| wanted(p)).collect();
        list.sort_by_key(cost);
        list
    }
}

/// The part of the remaining budget that a partition may spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// All of it.
    Everything,
    /// The budget of many properties at once.
    Joint,
    /// The budget for finding irrelevant properties.
    Irrelevant,
    /// The budget of one of the properties that remain.
    Alone,
}

/// A strategy with its state.
#[derive(Debug)]
pub(super) struct Strategy {
    kind: StrategyKind,
    started: bool,
    /// The properties of the last second phase of S3, before which none was relevant.
    irrelevant: Option<BTreeSet<PropertyId>>,
    /// The partitions that wait, the next one last.
    halves: Vec<BTreeSet<PropertyId>>,
    /// The last partition.
    last: BTreeSet<PropertyId>,
}

impl Strategy {
    /// A strategy at its beginning.
    pub(super) fn new(kind: StrategyKind) -> Strategy {
        Strategy {
            kind,
            started: false,
            irrelevant: None,
            halves: Vec::new(),
            last: BTreeSet::new(),
        }
    }

    /// Whether a property with many refinements is switched off.
    pub(super) fn limits_refinements(&self) -> bool {
        matches!(self.kind, StrategyKind::S2 | StrategyKind::S4)
    }

    /// The operator `adjPrecision`: the next partition with its share, `None` to give up.
    ///
    /// The partition is not empty and contains remaining properties only.
    pub(super) fn adj_precision(&mut self, monitor: &Monitor) -> Option<(BTreeSet<PropertyId>, Share)> {
        let (partition, share) = if self.started {
            match self.kind {
                StrategyKind::S0 => return None,
                StrategyKind::S1 | StrategyKind::S2 => alone(&monitor.by_cost(|_| true))?,
                StrategyKind::S3 | StrategyKind::S4 => self.by_relevance(monitor)?,
                StrategyKind::Bisect => self.half(monitor)?,
            }
        } else {
            let share = match (self.kind, monitor.remaining.len()) {
                (StrategyKind::S0, _) => Share::Everything,
                (_, 1) => Share::Everything,
                _ => Share::Joint,
            };
            (monitor.all(), share)
        };
        self.started = true;
        self.last.clone_from(&partition);
        assert!(!partition.is_empty(), "a partition has properties");
        Some((partition, share))
    }

    /// The second and the third phase of S3.
    fn by_relevance(&mut self, monitor: &Monitor) -> Option<(BTreeSet<PropertyId>, Share)> {
        let irrelevant = monitor.irrelevant();
        // The phase is repeated if one of its properties turned out to be relevant, and skipped if nothing is irrelevant.
        let is_new = self.irrelevant.as_ref() != Some(&irrelevant);
        if is_new && !irrelevant.is_empty() {
            self.irrelevant = Some(irrelevant.clone());
            return Some((irrelevant, Share::Irrelevant));
        }
        let mut order = monitor.by_cost(|p| !irrelevant.contains(&p));
        order.extend(irrelevant);
        alone(&order)
    }

    /// The next half.
    fn half(&mut self, monitor: &Monitor) -> Option<(BTreeSet<PropertyId>, Share)> {
        let rest: BTreeSet<PropertyId> = self
            .last
            .iter()
            .copied()
            .filter(|p| monitor.remaining.contains_key(p))
            .collect();
        if rest.len() == 1 && self.last.len() > 1 {
            self.halves.push(rest);
        } else if rest.len() > 1 {
            let (cheap, dear) = bisect(&monitor.by_cost(|p| rest.contains(&p)), monitor);
            self.halves.extend([dear, cheap]);
        }
        while let Some(half) = self.halves.pop() {
            let half: BTreeSet<PropertyId> = half.into_iter().filter(|p| monitor.remaining.contains_key(p)).collect();
            match half.len() {
                0 => {}
                1 => return Some((half, Share::Alone)),
                _ => return Some((half, Share::Joint)),
            }
        }
        None
    }

    /// The operator `resigned`: the properties of a partition that are not tried again.
    pub(super) fn resigned(&self, partition: &BTreeSet<PropertyId>) -> BTreeSet<PropertyId> {
        match self.kind {
            StrategyKind::S0 => partition.clone(),
            // `resigned_One`
            _ if partition.len() == 1 => partition.clone(),
            _ => BTreeSet::new(),
        }
    }
}

/// The first of the properties, alone.
fn alone(order: &[PropertyId]) -> Option<(BTreeSet<PropertyId>, Share)> {
    order.first().map(|&p| (BTreeSet::from([p]), Share::Alone))
}

/// Cuts properties, cheap ones first, where the costs of both sides come nearest to each other; neither side is empty.
fn bisect(order: &[PropertyId], monitor: &Monitor) -> (BTreeSet<PropertyId>, BTreeSet<PropertyId>) {
    // A property without cost so far is not free.
    let cost = |p: &PropertyId| 1 + monitor.remaining[p].spent.ticks;
    let total: u64 = order.iter().map(cost).sum();
    let mut best = (u64::MAX, 1);
    let mut left = 0;
    for (at, p) in order.iter().enumerate().take(order.len() - 1) {
        left += cost(p);
        best = best.min((left.abs_diff(total - left), at + 1));
    }
    let (cheap, dear) = order.split_at(best.1);
    (cheap.iter().copied().collect(), dear.iter().copied().collect())
}

#[cfg(test)]
mod tests {
    use super::super::super::account::Spent;
    use super::*;

    fn monitor(properties: &[(usize, u64, u64)]) -> Monitor {
        let account = |&(p, ticks, transitions): &(usize, u64, u64)| {
            let spent = Spent { cpu: 0.0, ticks };
            let account = Account {
                spent,
                refinements: 0,
                transitions,
            };
            (PropertyId::new(p), account)
        };
        Monitor {
            remaining: properties.iter().map(account).collect(),
        }
    }

    /// The partitions of a strategy, if no partition decides anything; only resignation ends it.
    fn partitions(kind: StrategyKind, properties: &[(usize, u64, u64)]) -> Vec<Vec<usize>> {
        let mut monitor = monitor(properties);
        let mut strategy = Strategy::new(kind);
        let mut found = Vec::new();
        while let Some((partition, _)) = strategy.adj_precision(&monitor) {
            found.push(partition.iter().map(|p| p.index()).collect());
            assert!(found.len() < 50, "the strategy ends");
            for property in strategy.resigned(&partition) {
                monitor.remaining.remove(&property);
            }
            if monitor.remaining.is_empty() {
                break;
            }
        }
        found
    }

    #[test]
    fn partitions_are_those_of_the_paper() {
        let properties = [(0, 50, 1), (1, 3, 0), (2, 9, 2), (3, 0, 0)];
        let all = vec![0, 1, 2, 3];
        assert_eq!(partitions(StrategyKind::S0, &properties), std::slice::from_ref(&all));
        let alone = [all.clone(), vec![3], vec![1], vec![2], vec![0]];
        assert_eq!(partitions(StrategyKind::S1, &properties), alone);
        assert_eq!(partitions(StrategyKind::S2, &properties), alone);
        let phases = [all.clone(), vec![1, 3], vec![2], vec![0], vec![1], vec![3]];
        assert_eq!(partitions(StrategyKind::S3, &properties), phases);
        assert_eq!(partitions(StrategyKind::S4, &properties), phases);
        let relevant = [(0, 5, 1), (1, 3, 7)];
        assert_eq!(partitions(StrategyKind::S3, &relevant), [vec![0, 1], vec![1], vec![0]]);
        let halves = [all, vec![1, 2, 3], vec![1, 3], vec![3], vec![1], vec![2], vec![0]];
        assert_eq!(partitions(StrategyKind::Bisect, &properties), halves);
    }

    #[test]
    fn the_second_phase_is_repeated_when_a_property_turns_out_to_be_relevant() {
        let mut strategy = Strategy::new(StrategyKind::S3);
        let next = |strategy: &mut Strategy, properties: &[(usize, u64, u64)]| {
            strategy
                .adj_precision(&monitor(properties))
                .map(|(partition, _)| partition.into_iter().map(PropertyId::index).collect::<Vec<_>>())
        };
        assert_eq!(
            next(&mut strategy, &[(0, 1, 1), (1, 0, 0), (2, 0, 0)]),
            Some(vec![0, 1, 2])
        );
        assert_eq!(
            next(&mut strategy, &[(0, 1, 1), (1, 0, 0), (2, 0, 0)]),
            Some(vec![1, 2])
        );
        assert_eq!(next(&mut strategy, &[(0, 1, 1), (1, 0, 4), (2, 0, 0)]), Some(vec![2]));
        assert_eq!(next(&mut strategy, &[(0, 1, 1), (1, 0, 4)]), Some(vec![1]));
    }
}
