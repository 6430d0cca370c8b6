//! Sequences of choices: what a program is made of, so that a program shrinks when choices are removed.

/// Choices of one program at most.
const MOST: u64 = 420;

/// A sequence of choices. When it is used up, all further ones are the first, which has to be the simplest everywhere.
pub struct Choices<'c> {
    left: std::slice::Iter<'c, u16>,
}

impl<'c> Choices<'c> {
    pub fn new(choices: &'c [u16]) -> Self {
        Choices { left: choices.iter() }
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::from(*self.left.next().unwrap_or(&0)) % limit
    }

    /// One of a few.
    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }

    /// True `percent` times of a hundred; false when the choices are used up.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) + percent >= 100
    }

    /// Whether all further choices are the first.
    pub fn is_done(&self) -> bool {
        self.left.len() == 0
    }
}

/// The mixing function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
fn mix(number: u64) -> u64 {
    let z = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The choices that belong to a seed.
pub fn random(seed: u64) -> Vec<u16> {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    // Mixed, and not a multiple of the step: else the choices of a seed would be those of the seed before without the first.
    let mut state = mix(seed.wrapping_add(STEP));
    let mut next = || {
        state = state.wrapping_add(STEP);
        mix(state)
    };
    // Many programs are short: they are decided by formulas too.
    let most = if next() % 3 == 0 { MOST } else { MOST / 4 };
    let count = 20 + next() % most;
    (0..count).map(|_| (next() >> 48) as u16).collect()
}
