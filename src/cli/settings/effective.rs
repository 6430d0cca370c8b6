//! The options with the values that a verification uses.
//!
//! The given values and fixed defaults come from the table. Some defaults depend on the task, the machine or other options: these values are taken from what the
//! request became. An option that has no effect beside the others has no value.

use super::choices::Ranking;
use super::options::{Command, Settings, options_of};
use super::value::{AmountLimit, Value};
use crate::engine::{self, Amount, Multi};
use crate::report::configuration::{Configuration, OptionValue};
use crate::verify::{ProgramFile, Strategy};

/// The effective configuration of a verification.
pub(super) fn configuration(
    settings: &Settings,
    program: &ProgramFile,
    engine: &engine::Options,
    strategy: &Strategy,
) -> Configuration {
    let used = |key: &str| derived(key, program, engine, strategy);
    let value = |option: &dyn super::options::Entry| {
        let key = option.key();
        if option.without_effect(settings).is_some() {
            return OptionValue::Unset;
        }
        match settings.given(key) {
            None => used(key).unwrap_or_else(|| option.report(None)),
            given => option.report(given),
        }
    };
    Configuration(
        options_of(Command::Verify)
            .map(|option| (option.key(), value(option)))
            .collect(),
    )
}

/// The value of a default that depends on something else. The table marks such defaults by words.
fn derived(key: &str, program: &ProgramFile, engine: &engine::Options, strategy: &Strategy) -> Option<OptionValue> {
    let number = |number: usize| OptionValue::Number(u64::try_from(number).unwrap_or(u64::MAX));
    let limit = |limit: Option<Amount>| AmountLimit(limit).report();
    Some(match (key, &engine.multi) {
        ("entry", _) => program.lower.entry.report(),
        ("data-model", _) => program.data_model.report(),
        ("threads", _) => number(engine.threads),
        ("refine.rank", _) => Ranking::from(engine.refine.rank).report(),
        ("refine.select", _) => engine.refine.select.report(),
        ("refine.scope", _) => engine.refine.scope.report(),
        ("explicit.steps", _) => engine.explicit.steps.report(),
        ("explicit.states", _) => engine.explicit.states.report(),
        ("concrete.steps", _) => engine.explicit.concrete.report(),
        ("concrete.replay", _) => engine.explicit.replay.report(),
        ("stages", _) => strategy.report(),
        ("aspects.property-limit", Multi::Aspects(aspects)) => limit(aspects.aspect),
        ("aspects.idle-limit", Multi::Aspects(aspects)) => limit(aspects.idle),
        ("aspects.interval-limit", Multi::Aspects(aspects)) => limit(aspects.basic),
        _ => return None,
    })
}
