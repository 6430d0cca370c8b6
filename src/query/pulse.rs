//! How far a run is, for a thread that shows it.
//!
//! An observer hears of a run when it comes to another activity, which may take minutes. A [`Pulse`] is looked at from outside at any time: the run writes numbers into it now and then,
//! and reads none, so no result depends on it. The numbers are about different moments, which is good enough for eyes.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The numbers of a run that go up while it works. A copy is the same pulse.
#[derive(Debug, Clone, Default)]
pub struct Pulse {
    numbers: Arc<Numbers>,
}

#[derive(Debug, Default)]
struct Numbers {
    steps: AtomicU64,
    states: AtomicU64,
    paths: AtomicU64,
    ticks: AtomicU64,
}

/// A look at a [`Pulse`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beat {
    /// Steps of the current execution or exploration with explicit values.
    pub steps: u64,
    /// Abstract states that the current exploration has expanded, or states of explicit values.
    pub states: u64,
    /// Error paths of the current batch whose refinement is known.
    pub paths: u64,
    /// Ticks of solver effort of the whole run.
    pub ticks: u64,
}

impl Pulse {
    /// Notes the steps of the current activity.
    pub fn steps(&self, steps: u64) {
        self.numbers.steps.store(steps, Ordering::Relaxed);
    }

    /// Notes the states of the current exploration.
    pub fn states(&self, states: u64) {
        self.numbers.states.store(states, Ordering::Relaxed);
    }

    /// Notes the error paths of the current batch that are done with.
    pub fn paths(&self, paths: usize) {
        let paths = u64::try_from(paths).unwrap_or(u64::MAX);
        self.numbers.paths.store(paths, Ordering::Relaxed);
    }

    /// Adds ticks.
    pub fn spend(&self, ticks: u64) {
        self.numbers.ticks.fetch_add(ticks, Ordering::Relaxed);
    }

    /// The numbers now.
    pub fn beat(&self) -> Beat {
        let Numbers {
            steps,
            states,
            paths,
            ticks,
        } = &*self.numbers;
        let [steps, states, paths, ticks] = [steps, states, paths, ticks].map(|number| number.load(Ordering::Relaxed));
        Beat {
            steps,
            states,
            paths,
            ticks,
        }
    }
}
