//! The runs of several configurations over the subjects that all of them have, so that their numbers can be compared.

use crate::campaign::results::Run;
use std::collections::{BTreeMap, BTreeSet};

/// A task with its property.
pub(super) type Subject<'r> = (&'r str, &'r str);

/// The runs of each configuration by their subjects.
pub(super) type ByConfiguration<'r> = BTreeMap<&'r str, BTreeMap<Subject<'r>, &'r Run>>;

/// Whether a run has every verdict, and none against the expectation.
pub(super) fn is_solved(run: &Run) -> bool {
    run.is_decided() && run.wrong() == 0
}

/// The runs by configuration, without the subjects that some configuration has not run.
pub(super) fn over_common_subjects<'r>(runs: impl Iterator<Item = &'r Run>) -> ByConfiguration<'r> {
    let mut by_configuration = ByConfiguration::new();
    for run in runs {
        let subject = (run.task.as_str(), run.property.as_str());
        let own = by_configuration.entry(run.configuration.as_str()).or_default();
        own.insert(subject, run);
    }
    let mut common: Option<BTreeSet<Subject<'r>>> = None;
    for own in by_configuration.values() {
        let own: BTreeSet<Subject<'r>> = own.keys().copied().collect();
        common = Some(match common {
            None => own,
            Some(common) => common.intersection(&own).copied().collect(),
        });
    }
    let common = common.unwrap_or_default();
    for own in by_configuration.values_mut() {
        own.retain(|subject, _| common.contains(subject));
    }
    by_configuration
}
