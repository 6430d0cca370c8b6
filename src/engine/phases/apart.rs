//! A second exploration with explicit values in which the solver looks at each path.
//!
//! Conditions that the exploration cannot record leave both ways open, so that it follows paths that no execution takes. Such a path may lead to a violation, or to something that is not
//! modelled; one of these suffices to prove nothing. Where the first exploration has come to the end of all of its paths, they are few enough to ask the solver about each of them, as
//! symbolic execution does (King, "Symbolic execution and program testing", CACM 1976): at every decision behind the first approximation, the path so far is encoded alone, and what is refuted
//! is given up. Paths do not join here: a state that was reached on a refuted path has no path behind it that another one could rely on.
//!
//! The result is that of the first exploration: TRUE for a property to which no path leads, if every path has come to its end or was refuted.

use super::explicit::{Run, SLICE};
use crate::cfa::EdgeId;
use crate::engine::Counter;
use crate::explicit::{Event, Explorer, Path};

/// Steps of a first exploration behind which there may be a second one, and the most that the second one takes.
pub(super) const MOST_STEPS: u64 = 400_000;

/// Solver ticks of the second exploration at most: where it does not come to its end soon, as in a loop without bound, it never does.
const MOST_TICKS: u64 = 15_000_000;

impl Run<'_, '_, '_, '_> {
    /// Explores again.
    pub(super) fn explore_apart(&mut self, targets: &[EdgeId]) {
        self.unproved.clear();
        self.refuted.clear();
        self.refutations = 0;
        self.failures = 0;
        self.failed = None;
        self.solver_ticks = self.solver_ticks.min(MOST_TICKS);
        let mut explorer = Explorer::new(self.code, targets.iter().copied());
        explorer.keep_apart();
        for edge in self.targets().1 {
            explorer.ignore(edge);
        }
        let limit = self.affordable(MOST_STEPS);
        let complete = loop {
            let event = explorer.run(limit.min(explorer.steps + SLICE));
            match event {
                Event::Complete => break !explorer.has_joined,
                Event::Target(edge) => {
                    self.target(&mut explorer, edge);
                    if self.session.is_decided() {
                        break false;
                    }
                }
                Event::Cut if explorer.has_ended() => {}
                Event::Cut | Event::Unmodelled(_) => {
                    let refuted = self.is_spurious(&mut explorer);
                    if refuted {
                        explorer.give_up();
                        self.session.current.statistics.add(Counter::ExplicitRefutations, 1);
                    }
                    if self.solver_ticks == 0 || (!refuted && event != Event::Cut) {
                        break false;
                    }
                }
                Event::Exhausted if explorer.steps >= limit => break false,
                Event::Exhausted => {}
            }
            if self.is_interrupted() {
                break false;
            }
        };
        self.spent += explorer.steps;
        if complete {
            self.prove();
        }
    }

    /// Whether the solver refutes the current path.
    fn is_spurious(&mut self, explorer: &mut Explorer<'_, '_>) -> bool {
        if explorer.is_exact() {
            return false;
        }
        let (choices, length) = explorer.path();
        self.spent += length;
        Path::follow(self.code, &choices, length).is_some_and(|path| self.is_refuted(&path.steps))
    }
}
