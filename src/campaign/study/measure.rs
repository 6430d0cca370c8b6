//! Running a study: all configurations on one subject after the other, so that what disturbs the machine disturbs all of them alike.

use super::journal::Journal;
use super::{Configuration, Run, Subject};
use crate::campaign::runner::child;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// How the children of a study run.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// The configurations that are compared.
    pub configurations: Vec<Configuration>,
    /// Options for every child.
    pub arguments: Vec<String>,
    /// Children at the same time.
    pub jobs: usize,
    /// Seconds after which a child is killed that should have ended by itself. `None`: never.
    pub patience: Option<f64>,
}

/// Runs what the journal does not hold yet, with `program` as the binary. `done` is told how many subjects are finished. Every other subject
/// meets the configurations in the opposite order.
///
/// # Errors
/// Says that the journal cannot be written.
pub fn run(
    program: &Path,
    subjects: &[Subject],
    plan: &Plan,
    journal: &mut Journal,
    done: &(dyn Fn(usize) + Sync),
) -> Result<(), String> {
    let next = AtomicUsize::new(0);
    let finished = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let shared = Mutex::new((journal, Ok(())));
    let with = |act: &mut dyn FnMut(&mut Journal) -> Result<bool, String>| {
        let mut guard = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let (journal, result) = &mut *guard;
        act(journal).unwrap_or_else(|error| {
            *result = Err(error);
            failed.store(true, Ordering::Relaxed);
            false
        })
    };
    std::thread::scope(|scope| {
        for _ in 0..plan.jobs.clamp(1, subjects.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(subject) = subjects.get(position) else { return };
                    let mut configurations: Vec<&Configuration> = plan.configurations.iter().collect();
                    if position % 2 == 1 {
                        configurations.reverse();
                    }
                    for configuration in configurations.into_iter().filter(|c| c.of.fits(subject)) {
                        let task = subject.task.display().to_string();
                        let name = &configuration.name;
                        if failed.load(Ordering::Relaxed)
                            || with(&mut |journal| Ok(journal.holds(&task, &subject.property, name)))
                        {
                            continue;
                        }
                        let parts = [&plan.arguments, &subject.arguments, &configuration.arguments];
                        let arguments: Vec<String> = parts.into_iter().flatten().cloned().collect();
                        let ended = child(program, &subject.task, &arguments, plan.patience);
                        let run = Run::new(subject, configuration, ended);
                        with(&mut |journal| journal.append(run.clone()).map(|()| true));
                    }
                    done(finished.fetch_add(1, Ordering::Relaxed) + 1);
                }
            });
        }
    });
    shared.into_inner().unwrap_or_else(PoisonError::into_inner).1
}
