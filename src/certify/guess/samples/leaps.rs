//! Leaps: executions that skip the turns of a loop in which nothing new happens.
//!
//! A loop that counts to ten million behaves alike for most of its turns. Where two turns in a row have added the same numbers to all variables, a run goes on with the state that as many such turns later
//! something may be different in: shortly before a variable comes to a number of the program, or to another variable. So a short run comes through all phases of a loop (after the acceleration of loops; Bardin, Finkel,
//! Leroux and Petrucci, *FAST: fast acceleration of symbolic transition systems*, CAV 2003), and what its states have in common is not only true of the first phase.
//!
//! Nothing rests on the states behind a leap being states of the program; what is wrong here is a wrong guess.

use std::collections::{BTreeMap, BTreeSet};

/// Visits of a loop head between two leaps.
const PATIENCE: u32 = 8;
/// Turns that go on as usual before something may be different.
const BEFORE: i128 = 3;
/// Turns that are worth a leap.
const LEAST: i128 = 8;

/// The last visits of a loop head.
#[derive(Debug)]
pub struct Pace<K> {
    last: BTreeMap<K, i128>,
    /// The numbers that the last turn added.
    step: Option<BTreeMap<K, i128>>,
    /// Turns since the last leap.
    turns: u32,
}

impl<K> Default for Pace<K> {
    fn default() -> Self {
        Pace {
            last: BTreeMap::new(),
            step: None,
            turns: 0,
        }
    }
}

impl<K: Copy + Ord> Pace<K> {
    /// Notes a visit with the values of the variables. Returns the values to go on with, if the run leaps.
    pub fn visit(&mut self, now: &BTreeMap<K, i128>, constants: &BTreeSet<i128>) -> Option<BTreeMap<K, i128>> {
        let step: Option<BTreeMap<K, i128>> = match now.keys().eq(self.last.keys()) {
            true => now
                .iter()
                .map(|(&var, &value)| Some((var, value.checked_sub(self.last[&var])?)))
                .collect(),
            false => None,
        };
        let is_steady = step.is_some() && step == self.step;
        self.step = step;
        self.last.clone_from(now);
        self.turns = self.turns.saturating_add(1);
        let step = self.step.as_ref().filter(|_| is_steady && self.turns >= PATIENCE)?;
        let turns = turns_to_event(now, step, constants)? - BEFORE;
        if turns < LEAST {
            return None;
        }
        let later = |(&var, &value): (&K, &i128)| Some((var, step[&var].checked_mul(turns)?.checked_add(value)?));
        let later: BTreeMap<K, i128> = now.iter().map(later).collect::<Option<_>>()?;
        *self = Pace::default();
        Some(later)
    }
}

/// The turns until a variable comes to a number of the program, or to a variable that stays as it is.
fn turns_to_event<K: Copy + Ord>(
    now: &BTreeMap<K, i128>,
    step: &BTreeMap<K, i128>,
    constants: &BTreeSet<i128>,
) -> Option<i128> {
    let steady = now.iter().filter(|(var, _)| step[*var] == 0).map(|(_, &value)| value);
    let marks: BTreeSet<i128> = constants.iter().copied().chain(steady).collect();
    let turns = |(var, &value): (&K, &i128)| {
        let ahead = match step[var] {
            0 => return None,
            1.. => marks.range(value + step[var]..).next()?,
            _ => marks.range(..=value + step[var]).next_back()?,
        };
        Some((ahead - value) / step[var])
    };
    now.iter().filter_map(turns).min()
}

#[cfg(test)]
mod tests {
    use super::Pace;
    use std::collections::{BTreeMap, BTreeSet};

    /// `while (x < 10000000) { if (x >= 5000000) z++; x++; }` has its two phases in a few dozen turns.
    #[test]
    fn a_run_comes_through_all_phases_of_a_loop() {
        let constants = BTreeSet::from([0, 1, 5_000_000, 10_000_000]);
        let mut state = BTreeMap::from([("x", 0), ("y", 10_000_000), ("z", 5_000_000)]);
        let mut pace = Pace::default();
        let (mut turns, mut met) = (0, BTreeSet::new());
        while state["x"] < state["y"] {
            if let Some(later) = pace.visit(&state, &constants) {
                state = later;
            }
            met.insert(state["x"]);
            if state["x"] >= 5_000_000 {
                *state.get_mut("z").expect("it is there") += 1;
            }
            *state.get_mut("x").expect("it is there") += 1;
            turns += 1;
            assert!(turns < 60, "no leap takes it on: {state:?}");
        }
        assert_eq!(state["z"], 10_000_000);
        assert!(met.contains(&4_999_999) && met.contains(&5_000_001));
    }

    /// A loop whose steps grow is followed turn by turn.
    #[test]
    fn a_loop_without_a_steady_pace_is_not_skipped() {
        let mut pace = Pace::default();
        for turn in 0..100 {
            let state = BTreeMap::from([("x", turn), ("sum", turn * turn)]);
            assert_eq!(pace.visit(&state, &BTreeSet::from([1_000])), None);
        }
    }
}
