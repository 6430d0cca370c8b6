//! The line on a terminal that shows how far a verification is.
//!
//! It has a thread of its own, which looks at the clock, the process and the [`Pulse`] of the run at a steady rate: the verification itself may be busy for minutes in one call of the solver, and a
//! line that stands still looks like a program that does. Nothing of the verification waits for it.

use super::finish::eprintln_quietly;
use crate::engine::budget::{cpu_seconds, resident_mb};
use crate::engine::{Activity, Limits, Progress};
use crate::query::pulse::{Beat, Pulse};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two pictures.
const PERIOD: Duration = Duration::from_millis(125);

/// The line. A copy is the same line.
#[derive(Clone)]
pub(in crate::cli) struct LiveLine {
    shared: Arc<Shared>,
}

struct Shared {
    bar: ProgressBar,
    limits: Limits,
    pulse: Pulse,
    start: Instant,
    now: Mutex<Now>,
}

/// The activity of the verification.
#[derive(Clone, Copy)]
struct Now {
    /// The stage, or the part around the stages.
    part: &'static str,
    /// The activity of the engine in it, if the engine is at work.
    progress: Option<Progress>,
    is_over: bool,
}

impl LiveLine {
    /// Shows the line of a verification that began at `start`, until it is closed.
    pub fn start(limits: Limits, pulse: Pulse, start: Instant) -> LiveLine {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        // The message is cut at the width of the terminal.
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        let line = LiveLine {
            shared: Arc::new(Shared {
                bar,
                limits,
                pulse,
                start,
                now: Mutex::new(Now {
                    part: "begin",
                    progress: None,
                    is_over: false,
                }),
            }),
        };
        let painter = line.clone();
        std::thread::spawn(move || {
            while painter.paint() {
                std::thread::sleep(PERIOD);
            }
        });
        line
    }

    /// A lock whose content stays usable after a panic elsewhere: it is only ever replaced as a whole.
    fn now(&self) -> MutexGuard<'_, Now> {
        self.shared.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what the engine does.
    pub fn progress(&self, progress: Progress) {
        self.now().progress = Some(progress);
        self.shared.pulse.paths(0);
    }

    /// Notes that a stage or another part begins.
    pub fn begins(&self, part: &'static str) {
        let mut now = self.now();
        (now.part, now.progress) = (part, None);
    }

    /// Prints a line above this one.
    pub fn say(&self, text: &str) {
        self.shared.bar.suspend(|| eprintln_quietly(text));
    }

    /// Takes the line away.
    pub fn close(&self) {
        self.now().is_over = true;
        self.shared.bar.finish_and_clear();
    }

    /// Paints the line if it is not closed.
    fn paint(&self) -> bool {
        let used = Used {
            wall: self.shared.start.elapsed().as_secs_f64(),
            cpu: cpu_seconds(),
            memory_mb: resident_mb(),
        };
        // Under the lock: behind `close` nothing is painted.
        let now = self.now();
        if !now.is_over {
            let text = text(*now, self.shared.pulse.beat(), used, &self.shared.limits);
            self.shared.bar.set_message(text);
            self.shared.bar.tick();
        }
        !now.is_over
    }
}

/// The use of resources so far.
#[derive(Clone, Copy)]
struct Used {
    wall: f64,
    cpu: f64,
    memory_mb: u64,
}

/// The text of the line: elapsed time, what is used of each limit that is set, activity with its work, and other resources: a narrow terminal cuts the end.
fn text(now: Now, beat: Beat, used: Used, limits: &Limits) -> String {
    let (memory, ticks) = (used.memory_mb, short(beat.ticks));
    let limited = [
        limits.cpu.map(|limit| format!("CPU {:.1}/{limit} s", used.cpu)),
        limits.wall.map(|limit| format!("time {:.1}/{limit} s", used.wall)),
        limits.memory_mb.map(|limit| format!("{memory}/{limit} MiB")),
        limits.ticks.map(|limit| format!("{ticks}/{} ticks", short(limit))),
    ];
    let others = [
        limits.cpu.is_none().then(|| format!("CPU {:.1} s", used.cpu)),
        limits.memory_mb.is_none().then(|| format!("{memory} MiB")),
        limits.ticks.is_none().then(|| format!("{ticks} ticks")),
    ];
    let list = |parts: Vec<Option<String>>| parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let mut text = format!("{:.1} s  ", used.wall);
    let limited = list(limited.into());
    if !limited.is_empty() {
        write!(text, "[{limited}]  ").expect("writing to a string");
    }
    text.push_str(now.part);
    if let Some(progress) = now.progress {
        let Progress {
            activity,
            iteration,
            targets,
            refinements,
            ..
        } = progress;
        let (steps, states) = (short(beat.steps), short(beat.states));
        let work = match activity {
            Activity::Execute | Activity::Sample => format!("{steps} steps"),
            Activity::Explicit => format!("{steps} steps, {states} states"),
            Activity::Explore => format!("round {iteration}, {states} states, {refinements} refinements"),
            Activity::Refine => format!(
                "round {iteration}, {} of {targets} paths, {refinements} refinements",
                beat.paths
            ),
            Activity::Confirm => format!("round {iteration}, {refinements} refinements"),
        };
        write!(text, ", {activity}: {work}").expect("writing to a string");
    }
    let others = list(others.into());
    if !others.is_empty() {
        write!(text, "  [{others}]").expect("writing to a string");
    }
    text
}

/// A number in three or four digits.
fn short(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..1_000_000 => format!("{} k", number / 1_000),
        1_000_000..1_000_000_000 => format!("{}.{} M", number / 1_000_000, number / 100_000 % 10),
        _ => format!("{}.{} G", number / 1_000_000_000, number / 100_000_000 % 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn the_line_has_activity_work_and_limits() {
        let used = Used {
            wall: 12.34,
            cpu: 23.96,
            memory_mb: 312,
        };
        let beat = Beat {
            steps: 12_345_678,
            states: 54_321,
            paths: 3,
            ticks: 1_900_000_000,
        };
        let limits = Limits {
            cpu: Some(60.0),
            wall: Some(100.0),
            memory_mb: Some(4000),
            ticks: Some(5_000_000_000),
        };
        let line = |part, activity: Option<Activity>, limits: &Limits| {
            let progress = activity.map(|activity| Progress {
                activity,
                iteration: 4,
                states: 0,
                targets: 9,
                refinements: 14,
            });
            let now = Now {
                part,
                progress,
                is_over: false,
            };
            text(now, beat, used, limits) + "\n"
        };
        let mut lines = "lines:\n".to_string();
        lines += &line("read", None, &Limits::default());
        for activity in [
            Activity::Execute,
            Activity::Explicit,
            Activity::Explore,
            Activity::Refine,
        ] {
            lines += &line("slice", Some(activity), &Limits::default());
        }
        lines += &line("whole", Some(Activity::Confirm), &limits);
        expect![[r#"
            lines:
            12.3 s  read  [CPU 24.0 s, 312 MiB, 1.9 G ticks]
            12.3 s  slice, execute: 12.3 M steps  [CPU 24.0 s, 312 MiB, 1.9 G ticks]
            12.3 s  slice, explicit: 12.3 M steps, 54 k states  [CPU 24.0 s, 312 MiB, 1.9 G ticks]
            12.3 s  slice, explore: round 4, 54 k states, 14 refinements  [CPU 24.0 s, 312 MiB, 1.9 G ticks]
            12.3 s  slice, refine: round 4, 3 of 9 paths, 14 refinements  [CPU 24.0 s, 312 MiB, 1.9 G ticks]
            12.3 s  [CPU 24.0/60 s, time 12.3/100 s, 312/4000 MiB, 1.9 G/5.0 G ticks]  whole, confirm: round 4, 14 refinements
        "#]]
        .assert_eq(&lines);
    }
}
