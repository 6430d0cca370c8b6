//! The options of how several properties are checked.

use super::choices::Switch;
use super::knobs;
use super::options::Settings;
use super::table::{CPU_LIMIT, TICKS, WALL_LIMIT};
use super::value::AmountLimit;
use crate::engine::{Amount, Aspects, Decomposition, Multi, PartitionBudget};

/// The limits of the paper on multi-aspect verification, in seconds, with a limit of 1200 for the whole.
const WHOLE: f64 = 1200.0;

/// The options for a number of properties.
pub(in crate::cli) fn options(settings: &Settings, properties: usize) -> Multi {
    let decomposition = Decomposition {
        strategy: settings.value(&knobs::DECOMPOSE_STRATEGY),
        reuse: settings.value(&knobs::DECOMPOSE_REUSE),
        budget: PartitionBudget {
            cpu: settings.get(&knobs::DECOMPOSE_CPU).map(|seconds| seconds.0),
            ticks: settings.get(&knobs::DECOMPOSE_TICKS).map(u64::from),
            refinements: settings.get(&knobs::DECOMPOSE_REFINEMENTS).map(u64::from),
            transitions: settings.get(&knobs::DECOMPOSE_TRANSITIONS).map(u64::from),
        },
    };
    let aspects = aspects(settings, properties);
    match settings.value(&knobs::ASPECTS) {
        Switch::On => Multi::Aspects(aspects),
        Switch::Off => Multi::Decomposition(decomposition),
    }
}

fn aspects(settings: &Settings, properties: usize) -> Aspects {
    let whole = settings.get(&CPU_LIMIT).or(settings.get(&WALL_LIMIT));
    // Without a limit on time, a limit on ticks is divided.
    let ticks = settings.get(&TICKS);
    let share = |part: f64, seconds: f64| match (whole, ticks) {
        (Some(whole), _) => Some(Amount::Seconds(whole.0 * part)),
        (None, Some(ticks)) => Some(Amount::Ticks(part_of(ticks.get(), part))),
        (None, None) => Some(Amount::Seconds(seconds)),
    };
    let of = |option, default| settings.get(option).map_or(default, |AmountLimit(limit)| limit);
    #[expect(clippy::cast_precision_loss)]
    let each = 1.0 / properties.max(1) as f64;
    Aspects {
        aspect: of(&knobs::ASPECTS_PROPERTY_LIMIT, share(each, 900.0)),
        idle: of(&knobs::ASPECTS_IDLE_LIMIT, share(20.0 / WHOLE, 20.0)),
        basic: of(&knobs::ASPECTS_INTERVAL_LIMIT, share(100.0 / WHOLE, 100.0)),
        first: settings.value(&knobs::ASPECTS_FIRST_LIMIT).0,
        cleaning: settings.value(&knobs::ASPECTS_CLEANING),
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss
)]
fn part_of(ticks: u64, part: f64) -> u64 {
    (ticks as f64 * part) as u64
}
