//! Restarts after the sequence of Luby, Sinclair and Zuckerman (1993): 1 1 2 1 1 2 4 ..., times a constant.

/// Conflicts of the shortest run.
const UNIT: u64 = 64;

/// When to restart.
pub(super) struct Restart {
    run: u64,
    left: u64,
}

impl Restart {
    pub fn new() -> Self {
        Restart { run: 1, left: UNIT }
    }

    /// Counts a conflict.
    pub fn conflict(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Whether the current run is over; starts the next one then.
    pub fn restarting(&mut self) -> bool {
        if self.left > 0 {
            return false;
        }
        self.run += 1;
        self.left = UNIT * luby(self.run);
        true
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
    #[test]
    fn luby_sequence() {
        let first: Vec<u64> = (1..=15).map(super::luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
