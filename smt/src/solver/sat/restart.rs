//! Restarts where the clauses learned lately are worse than those before (Audemard and Simon, *Refining restarts strategies for SAT and UNSAT*, CP 2012),
//! measured by exponential moving averages of their literal block distances (Biere and Froehlich, *Evaluating CDCL restart schemes*, POS 2015).
//!
//! Branches over integers narrow a box down, step by step, to which a restart would have to find back. So a run with branches goes on for as long as the sequence of
//! Luby, Sinclair and Zuckerman (1993) says: 1 1 2 1 1 2 4 ..., times a constant. It ends other runs, too.
//!
//! The averages are integers with a fraction, so that they are the same everywhere.

/// Conflicts of the shortest run of Luby's sequence.
const UNIT: u64 = 64;
/// Conflicts of any run, at least.
const LEAST: u64 = 20;
/// The weight of a new value is 2 to the power of minus this: the average is over about 2 to the power of this conflicts.
const FAST: u32 = 5;
const SLOW: u32 = 13;
/// Bits of the fraction.
const FRACTION: u32 = 32;

/// A moving average.
#[derive(Default)]
struct Average {
    value: i64,
    count: u64,
}

impl Average {
    /// At first the average is over all values, later over the last ones.
    fn update(&mut self, new: u32, shift: u32) {
        self.count += 1;
        let weight = shift.min(self.count.ilog2());
        self.value += ((i64::from(new) << FRACTION) - self.value) >> weight;
    }
}

/// When to restart.
#[derive(Default)]
pub(in crate::solver) struct Restart {
    fast: Average,
    slow: Average,
    /// The number of this run, from 0.
    run: u64,
    /// The conflicts in it.
    since: u64,
    /// Whether there was a branch in it.
    branched: bool,
}

impl Restart {
    /// Counts a conflict, after which a clause of this distance was learned.
    pub fn learned(&mut self, distance: u32) {
        // Larger ones than these do not differ in how bad they are.
        let distance = distance.min(1 << 16);
        self.since += 1;
        self.fast.update(distance, FAST);
        self.slow.update(distance, SLOW);
    }

    /// Notes that there was a branch over the integers.
    pub fn branched(&mut self) {
        self.branched = true;
    }

    /// Whether it is time for a restart; the next run begins then.
    pub fn restarting(&mut self) -> bool {
        // A tenth above the average.
        let is_worse = self.fast.value / 11 > self.slow.value / 10;
        let due = self.since >= LEAST && is_worse && !self.branched || self.since >= UNIT * luby(self.run + 1);
        if due {
            (self.since, self.branched) = (0, false);
            self.run += 1;
        }
        due
    }
}

/// The `i`-th number of the sequence, from 1.
fn luby(mut i: u64) -> u64 {
    loop {
        let bits = u64::BITS - i.leading_zeros();
        if i + 1 == 1 << bits {
            return 1 << (bits - 1);
        }
        i -= (1 << (bits - 1)) - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::{LEAST, Restart, UNIT};

    #[test]
    fn luby_sequence() {
        let first: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }

    /// The conflicts after which a sequence of distances restarts.
    fn restarts(distances: impl IntoIterator<Item = u32>) -> Vec<usize> {
        let mut restart = Restart::default();
        let due = distances.into_iter().enumerate().filter_map(|(at, distance)| {
            restart.learned(distance);
            restart.restarting().then_some(at)
        });
        due.collect()
    }

    #[test]
    fn restarts_when_distances_grow() {
        let unit = usize::try_from(UNIT).expect("small");
        assert_eq!(restarts([5; 400]), [1, 2, 4, 5, 6].map(|runs| runs * unit - 1));
        let growing = restarts(std::iter::repeat_n(5, 200).chain(std::iter::repeat_n(20, 100)));
        assert!(growing.iter().any(|at| (200..220).contains(at)), "{growing:?}");
        let least = usize::try_from(LEAST).expect("small");
        assert!(growing.windows(2).all(|pair| pair[1] - pair[0] >= least), "{growing:?}");
    }
}
