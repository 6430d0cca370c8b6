//! The progress line: one line on standard error that is updated in place, and only on a terminal.

use super::finish::Finisher;
use crate::engine::{Observer, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

/// Shows progress to people, and tells the finisher, which may have to report without the engine.
pub(super) struct Display {
    finisher: Finisher,
    line: Option<ProgressBar>,
}

impl Display {
    /// A progress line if standard error is a terminal.
    pub fn new(finisher: &Finisher) -> Display {
        let line = std::io::stderr().is_terminal().then(|| {
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
            let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}");
            line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
            line
        });
        Display {
            finisher: finisher.clone(),
            line,
        }
    }

    /// Removes the line.
    pub fn clear(&self) {
        if let Some(line) = &self.line {
            line.finish_and_clear();
        }
    }
}

impl Observer for Display {
    fn progress(&mut self, progress: &Progress) {
        self.finisher.note(*progress);
        if let Some(line) = &self.line {
            let Progress {
                phase,
                iteration,
                states,
                targets,
                refinements,
            } = progress;
            line.set_message(format!(
                "{phase}: iteration {iteration}, {states} states, {targets} targets, {refinements} refinements"
            ));
            line.tick();
        }
    }
}
