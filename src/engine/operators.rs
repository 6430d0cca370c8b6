//! The processor time of the operators of the refinement loops, as chapter 4 of Lukasczyk's thesis measures them.
//!
//! These are clocks: they differ from run to run, no answer depends on them, and they stand among the resources of a report, apart from the statistics, which repeat. The same work in numbers that repeat is counted there:
//! ticks of exploration, of refinement and of application, and target states, which is all that extraction, ranking and selection work on.
//!
//! A clock is read twice for each operator of each round. That costs about a microsecond, where a round takes milliseconds.

use super::budget::cpu_seconds;

/// The operators in the order of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    /// Exploration: transfer, precision adjustment, merge and stop.
    Explore,
    /// The target states of the reached set.
    ExtractTargets,
    /// Their order.
    Rank,
    /// Error paths, their feasibility, interpolants.
    ProvidentRefine,
    /// The refinements that are applied.
    Select,
    /// The new precision, and the state space that is explored with it.
    Apply,
}

/// Processor seconds for each operator, of all threads together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct OperatorTimes([f64; 6]);

impl OperatorTimes {
    /// The seconds of an operator.
    pub fn of(&self, operator: Operator) -> f64 {
        self.0[place(operator)]
    }

    /// Adds to the time of an operator.
    pub(super) fn add(&mut self, operator: Operator, seconds: f64) {
        self.0[place(operator)] += seconds;
    }

    /// The sum of both, operator by operator.
    #[must_use]
    pub fn plus(self, other: OperatorTimes) -> OperatorTimes {
        let mut sum = self;
        for (one, other) in sum.0.iter_mut().zip(other.0) {
            *one += other;
        }
        sum
    }
}

fn place(operator: Operator) -> usize {
    match operator {
        Operator::Explore => 0,
        Operator::ExtractTargets => 1,
        Operator::Rank => 2,
        Operator::ProvidentRefine => 3,
        Operator::Select => 4,
        Operator::Apply => 5,
    }
}

/// A clock that began now.
#[derive(Debug)]
pub(super) struct Stopwatch(f64);

impl Stopwatch {
    /// Begins.
    pub(super) fn start() -> Stopwatch {
        Stopwatch(cpu_seconds())
    }

    /// Processor seconds since the beginning.
    pub(super) fn seconds(&self) -> f64 {
        (cpu_seconds() - self.0).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_operator_has_its_own_time() {
        let mut times = OperatorTimes::default();
        times.add(Operator::Rank, 0.5);
        times.add(Operator::Apply, 2.0);
        times.add(Operator::Rank, 0.25);
        let sum = times.plus(times);
        assert_eq!((times.of(Operator::Rank), times.of(Operator::Select)), (0.75, 0.0));
        assert_eq!((sum.of(Operator::Rank), sum.of(Operator::Apply)), (1.5, 4.0));
        assert!(Stopwatch::start().seconds() >= 0.0);
    }
}
