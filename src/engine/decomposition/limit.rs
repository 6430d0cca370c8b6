//! The budget on refinements: of a property relative to the others (strategy S2), and of a partition as a whole.
//!
//! Many refinements mean a high precision, and a high precision makes an abstract model expensive. So a property that needs at least ten refinements, and at least twice as many as any other
//! property of its partition, is switched off while the loop goes on for the others. Counts begin anew with each partition.

use crate::cpa::tracking::PropertyId;
use crate::engine::Counter;
use crate::engine::loops::session::{Governor, Session};

/// Fewer refinements are never too many.
const LEAST: u64 = 10;

/// Watches over the refinements of a partition.
#[derive(Debug)]
pub(super) struct RefinementLimit {
    /// Whether properties are compared with each other.
    relative: bool,
    /// The most for the partition.
    most: Option<u64>,
    /// The refinements of each property before the partition.
    before: Option<Vec<u64>>,
}

impl RefinementLimit {
    /// The budget of a partition that begins now.
    pub(super) fn new(relative: bool, most: Option<u64>) -> RefinementLimit {
        RefinementLimit {
            relative,
            most,
            before: None,
        }
    }
}

impl Governor for RefinementLimit {
    fn begin(&mut self, session: &mut Session<'_, '_>) {
        let all = PropertyId::first(session.properties.len());
        self.before = Some(all.map(|p| session.account(p).refinements).collect());
    }

    fn refined(&mut self, session: &mut Session<'_, '_>) {
        let before = self.before.as_ref().expect("the loop has begun");
        let counts: Vec<u64> = PropertyId::first(before.len())
            .map(|p| session.account(p).refinements - before[p.index()])
            .collect();
        if self.most.is_some_and(|most| counts.iter().sum::<u64>() >= most) {
            session.end_allowance();
            return;
        }
        if !self.relative {
            return;
        }
        let checking: Vec<PropertyId> = session.checking().into_iter().collect();
        for property in exceeding(&counts, &checking) {
            session.switch_off(property);
            session.current.statistics.add(Counter::SwitchedOff, 1);
        }
    }

    fn violated(&mut self, _: &mut Session<'_, '_>, _: PropertyId) {}

    fn refining(&mut self, _: &mut Session<'_, '_>) {}

    fn spent(&mut self, _: &mut Session<'_, '_>) -> bool {
        false
    }
}

/// The operator `exceeds`, for the properties of a partition: those with at least ten refinements and at least twice as many as any other.
fn exceeding(counts: &[u64], partition: &[PropertyId]) -> Vec<PropertyId> {
    let others = |p: PropertyId| {
        partition
            .iter()
            .filter(move |&&q| q != p)
            .map(|&q| counts[q.index()])
            .max()
    };
    let exceeds =
        |&p: &PropertyId| counts[p.index()] >= LEAST && others(p).is_some_and(|most| counts[p.index()] >= 2 * most);
    partition.iter().copied().filter(exceeds).collect()
}

#[cfg(test)]
mod tests {
    use super::PropertyId;

    fn exceeding(counts: &[u64], partition: &[usize]) -> Vec<usize> {
        let partition: Vec<PropertyId> = partition.iter().map(|&p| PropertyId::new(p)).collect();
        let found = super::exceeding(counts, &partition);
        found.into_iter().map(PropertyId::index).collect()
    }

    #[test]
    fn at_least_ten_and_twice_as_many_as_any_other() {
        assert_eq!(exceeding(&[9, 0, 0], &[0, 1, 2]), Vec::<usize>::new());
        assert_eq!(exceeding(&[10, 0, 5], &[0, 1, 2]), [0]);
        assert_eq!(exceeding(&[10, 0, 6], &[0, 1, 2]), Vec::<usize>::new());
        assert_eq!(
            exceeding(&[12, 30, 6], &[0, 2]),
            [0],
            "others are those of the partition"
        );
        assert_eq!(
            exceeding(&[100], &[0]),
            Vec::<usize>::new(),
            "alone there is nothing to compare with"
        );
    }
}
