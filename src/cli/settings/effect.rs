//! Options that have no effect beside others: the table names these conditions, and a command line that meets one is refused.
//!
//! Limits of steps are no choice: nothing is lost by one that is never reached, so they have an effect everywhere.

use super::choices::{MetricChoice, PortfolioChoice, Preset, Ranking, Switch};
use super::error::SettingError;
use super::knobs::{
    ANALYSIS, ASPECTS, BAM, ENGINE, EXPLICIT, EXPLICIT_ORDER, EXPLORE_METRIC, EXPLORE_ORDER, ITP_ABSTRACTION,
    ITP_DIRECTION, ITP_PORTFOLIO, REFINE_PLAIN, REFINE_PREFER, REFINE_RANK, REFINE_SELECT,
};
use super::options::{Command, Settings, options_of};
use super::table::{ARITH, COMPILE_COMMANDS, DISTANCES, JSON, QUIET, REFINE, STATISTICS, TYPES};
use crate::encode::Arith;
use crate::engine::options::{PathOrder, SearchOrder, Templates};
use crate::engine::{Algorithm, AnalysisKind, Bam, Heuristic, SelectKind};
use provident_smt::interpolate::Direction;

/// Other engines than predicate abstraction have no operators of refinement.
pub(super) fn other_engine(settings: &Settings) -> Option<&'static str> {
    match settings.value(&ENGINE) {
        Algorithm::Predicate => None,
        Algorithm::Impact => Some("`engine=impact`, which has interpolants but no operators of refinement"),
        Algorithm::Imc => Some("`engine=imc`, which has interpolants but no operators of refinement"),
        Algorithm::Ismc => Some("`engine=ismc`, which has interpolants but no operators of refinement"),
        Algorithm::Dar => Some("`engine=dar`, which has interpolants but no operators of refinement"),
        Algorithm::KInduction => Some("`engine=kinduction`, which has interpolants but no operators of refinement"),
    }
}

/// `refine=single` has no operators of provident refinement.
pub(super) fn single(settings: &Settings) -> Option<&'static str> {
    let is_single = settings.value(&REFINE) == Preset::Single;
    other_engine(settings).or(is_single.then_some("`refine=single`, which refines one error path at a time"))
}

/// A quiet run prints no stages.
pub(super) fn quiet(settings: &Settings) -> Option<&'static str> {
    settings
        .value(&QUIET)
        .then_some("`--quiet`, which prints verdicts only")
}

/// JSON and statistics are not quiet.
pub(super) fn other_form(settings: &Settings) -> Option<&'static str> {
    match (settings.value(&JSON), settings.value(&STATISTICS)) {
        (true, _) => Some("`--json`, which prints the report and nothing else"),
        (_, true) => Some("`--statistics`, which prints more"),
        _ => None,
    }
}

/// Only a list of files can be chosen from.
pub(super) fn no_commands(settings: &Settings) -> Option<&'static str> {
    settings
        .get(&COMPILE_COMMANDS)
        .is_none()
        .then_some("files that are given by name; `--compile-commands` lists files to choose from")
}

/// Only what is random has a seed.
pub(super) fn not_random(settings: &Settings) -> Option<&'static str> {
    let is_random = |heuristic| matches!(heuristic, Heuristic::Random(_));
    let by_lot = settings.value(&REFINE_PREFER).heuristics().any(is_random);
    let is_ordered = !by_lot && settings.get(&REFINE_RANK) != Some(Ranking::Random);
    other_engine(settings)
        .or(is_ordered.then_some("an order that is not `refine.rank=random` and a preference without `random`"))
}

/// Only orders by distance have a metric.
pub(super) fn no_distance(settings: &Settings) -> Option<&'static str> {
    let measures =
        settings.value(&EXPLORE_ORDER) == SearchOrder::Distance || settings.value(&EXPLICIT_ORDER).measures();
    (!measures).then_some("orders that ask for no distance; `explore.order=distance` reads it")
}

/// Only a choice by a model has one.
pub(super) fn no_model(settings: &Settings) -> Option<&'static str> {
    let is_learned = settings.value(&EXPLORE_METRIC) == MetricChoice::Learned;
    no_distance(settings).or((!is_learned).then_some("a metric that is not `explore.metric=learned`"))
}

/// Only a random order of exploration has a seed of it.
pub(super) fn no_lot(settings: &Settings) -> Option<&'static str> {
    let by_lot =
        settings.value(&EXPLORE_ORDER) == SearchOrder::Random || settings.value(&EXPLICIT_ORDER) == PathOrder::Random;
    (!by_lot).then_some("orders that are not random; `explore.order=random` reads it")
}

/// Without a preference no prefix is looked for.
pub(super) fn no_preference(settings: &Settings) -> Option<&'static str> {
    let is_none = settings.value(&REFINE_PREFER).is_none();
    other_engine(settings).or(is_none.then_some("`refine.prefer=none`"))
}

/// Without a preference, none is preferred among all.
pub(super) fn no_selection(settings: &Settings) -> Option<&'static str> {
    let asks = settings.get(&REFINE_SELECT);
    let asks = asks.is_some_and(|selection| selection.kinds().any(|kind| kind == SelectKind::Preferred));
    single(settings).or_else(|| no_preference(settings).filter(|_| asks))
}

/// A preference looks at each error path alone.
pub(super) fn not_joint(settings: &Settings) -> Option<&'static str> {
    let prefers = no_preference(settings).is_none();
    single(settings).or(prefers.then_some("`refine.prefer`, which looks at each error path alone"))
}

/// All built-in preferences are off.
pub(super) fn plain(settings: &Settings) -> Option<&'static str> {
    (settings.value(&REFINE_PLAIN) == Switch::On)
        .then_some("`refine.plain=on`, which turns all built-in preferences off")
}

/// Everything that only refinement does is either off, or not there.
pub(super) fn plain_or_other_engine(settings: &Settings) -> Option<&'static str> {
    other_engine(settings).or(plain(settings))
}

/// Loop counters are hidden where no other templates are asked for.
pub(super) fn no_counters(settings: &Settings) -> Option<&'static str> {
    let hides_others = settings.value(&ITP_ABSTRACTION) != Templates::Counters;
    plain(settings).or(hides_others.then_some("`itp.abstraction`; only `itp.abstraction=counters` reads it"))
}

/// Only a lattice of templates is searched.
pub(super) fn no_lattice(settings: &Settings) -> Option<&'static str> {
    let asks = settings.value(&ITP_ABSTRACTION).ask_for_types();
    only_values(settings)
        .or((!asks).then_some("`itp.abstraction=none` or `counters`; `differences`, `sums` and `types` have a lattice"))
}

/// Objects are imagined by the exploration with explicit values, which there is for machine integers only.
pub(super) fn no_objects(settings: &Settings) -> Option<&'static str> {
    match settings.value(&EXPLICIT) {
        Switch::Off => Some("`explicit=off`"),
        Switch::On => ideal(settings),
    }
}

/// Ideal integers leave no room for what is about machine integers.
pub(super) fn ideal(settings: &Settings) -> Option<&'static str> {
    (settings.value(&ARITH) == Arith::Ideal).then_some("`arith=ideal`")
}

/// With ideal integers there is nothing that has to come before the loop with ideal integers, and with values nothing comes before the loop.
pub(super) fn ideal_or_values(settings: &Settings) -> Option<&'static str> {
    ideal(settings).or(values(settings))
}

/// Other algorithms than the refinement loop have one abstract domain.
pub(super) fn values(settings: &Settings) -> Option<&'static str> {
    (settings.value(&ANALYSIS) != AnalysisKind::Predicate).then_some("`analysis`; only `analysis=predicate` reads it")
}

/// Coverings belong to one algorithm.
pub(super) fn no_impact(settings: &Settings) -> Option<&'static str> {
    (settings.value(&ENGINE) != Algorithm::Impact).then_some("another engine; `engine=impact` reads it")
}

/// The exploration takes turns with the refinement loop of the predicates.
pub(super) fn turns(settings: &Settings) -> Option<&'static str> {
    let is_off = settings.value(&EXPLICIT) == Switch::Off;
    other_engine(settings).or(is_off.then_some("`explicit=off`"))
}

/// Without block-abstraction memoization there are no summaries.
pub(super) fn no_summaries(settings: &Settings) -> Option<&'static str> {
    let is_off = settings.value(&BAM) == Bam::Off;
    ideal_or_values(settings).or(is_off.then_some("`bam=off`"))
}

/// Domain types are no view of the automata.
pub(super) fn prints_types(settings: &Settings) -> Option<&'static str> {
    settings.value(&TYPES).then_some("`types=true`")
}

/// Neither are distances.
pub(super) fn prints_other_view(settings: &Settings) -> Option<&'static str> {
    let distances = settings.get(&DISTANCES).map(|_| "`distances`");
    prints_types(settings).or(distances)
}

/// With one domain there is no choice.
pub(super) fn one_domain(settings: &Settings) -> Option<&'static str> {
    (settings.value(&ANALYSIS) != AnalysisKind::Both)
        .then_some("one abstract domain; `analysis=value+predicate` reads it")
}

/// Explicit values have interpolants of their own.
pub(super) fn only_values(settings: &Settings) -> Option<&'static str> {
    (settings.value(&ANALYSIS) == AnalysisKind::Value)
        .then_some("`analysis=value`, whose interpolants are values of variables")
}

/// Other engines need interpolants that follow from each other.
pub(super) fn no_sequences(settings: &Settings) -> Option<&'static str> {
    let is_alone = settings.get(&ITP_DIRECTION) == Some(Direction::Alone);
    only_values(settings).or_else(|| other_engine(settings).filter(|_| is_alone))
}

/// Without a portfolio there is nothing to choose among.
pub(super) fn no_portfolio(settings: &Settings) -> Option<&'static str> {
    let is_alone = settings.value(&ITP_PORTFOLIO) == PortfolioChoice::None;
    only_values(settings).or(is_alone.then_some("`itp.portfolio=none`"))
}

/// Multi-aspect verification does not decompose.
pub(super) fn aspects(settings: &Settings) -> Option<&'static str> {
    (settings.value(&ASPECTS) == Switch::On).then_some("`aspects=on`")
}

/// Decomposition has no intervals.
pub(super) fn decomposition(settings: &Settings) -> Option<&'static str> {
    (settings.value(&ASPECTS) == Switch::Off).then_some("the decomposition of specifications; `aspects=on` reads it")
}

/// The names of the stages say whether there are slices.
pub(super) fn stages(settings: &Settings) -> Option<&'static str> {
    settings.is_set("stages").then_some("`stages`")
}

/// Refuses options of a command that have no effect beside others.
///
/// # Errors
/// The first one, with what it stands beside.
pub(in crate::cli) fn refuse_without_effect(command: Command, settings: &Settings) -> Result<(), SettingError> {
    let given = options_of(command).filter(|option| settings.is_set(option.key()));
    for option in given {
        if let Some(beside) = option.without_effect(settings) {
            return Err(SettingError::NoEffect {
                key: option.key(),
                beside,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_without_effect_are_refused() {
        let refused = |given: &[(&str, &str)]| {
            let mut settings = Settings::default();
            for (key, value) in given {
                settings.set(Command::Verify, key, vec![(*value).to_string()]).unwrap();
            }
            refuse_without_effect(Command::Verify, &settings)
                .err()
                .map(|error| error.to_string())
        };
        let message = refused(&[("refine", "single"), ("refine.rank", "first")]).expect("it has no effect");
        assert!(
            message.contains("`refine.rank` has no effect beside `refine=single`"),
            "{message}"
        );
        assert!(refused(&[("refine.seed", "1")]).is_some());
        assert!(refused(&[("aspects.cleaning", "all")]).is_some());
        assert!(refused(&[("analysis", "value"), ("analysis.threshold", "0")]).is_some());
        assert!(refused(&[("analysis", "value"), ("arith", "ideal")]).is_some());
        assert!(refused(&[("analysis", "value"), ("itp.labelling", "dual")]).is_some());
        assert_eq!(refused(&[("analysis", "value+predicate"), ("itp.reduce", "on")]), None);
        for key_value in [("refine.hide-counters", "off"), ("itp.lattice", "9")] {
            assert_eq!(
                refused(&[("itp.abstraction", "sums"), key_value]).is_some(),
                key_value.0 != "itp.lattice"
            );
            assert_eq!(refused(&[key_value]).is_some(), key_value.0 == "itp.lattice");
        }
        assert!(refused(&[("aspects", "on"), ("decompose.ticks", "1")]).is_some());
        assert!(refused(&[("stages", "whole"), ("slice", "on")]).is_some());
        assert!(refused(&[("refine.prefixes", "9")]).is_some());
        assert!(refused(&[("refine.select", "preferred")]).is_some());
        assert!(refused(&[("refine.prefer", "good"), ("refine.joint", "2")]).is_some());
        assert!(refused(&[("refine.plain", "on"), ("refine.guesses", "off")]).is_some());
        assert!(refused(&[("arith", "ideal"), ("explicit.objects", "on")]).is_some());
        assert_eq!(
            refused(&[("refine.rank", "random"), ("refine.seed", "1"), ("explicit.steps", "9")]),
            None
        );
        let prefers = [
            ("refine", "single"),
            ("refine.prefer", "good,random"),
            ("refine.seed", "1"),
            ("refine.prefixes", "9"),
            ("refine.restart", "root"),
            ("refine.minimise", "off"),
        ];
        assert_eq!(refused(&prefers), None);
        refinement_belongs_to_predicates(refused);
        let mut settings = Settings::default();
        for key in ["types", "dot"] {
            settings.set(Command::Cfa, key, vec!["true".to_string()]).unwrap();
        }
        assert!(refuse_without_effect(Command::Cfa, &settings).is_err());
    }

    /// The operators of refinement are refused beside other engines; what concerns interpolants is not.
    fn refinement_belongs_to_predicates(refused: impl Fn(&[(&str, &str)]) -> Option<String>) {
        let values = [
            ("refine", "single"),
            ("refine.rank", "first"),
            ("refine.select", "all"),
            ("refine.restart", "root"),
            ("refine.prefer", "good"),
            ("refine.prefixes", "9"),
            ("refine.guesses", "off"),
            ("refine.patience", "9"),
            ("refine.joint", "2"),
            ("refine.seed", "1"),
            ("refine.scope", "global"),
        ];
        for engine in ["impact", "imc", "ismc", "dar", "kinduction"] {
            for (key, value) in values {
                let message = refused(&[("engine", engine), (key, value)]).expect("it has no effect");
                let expected = format!("`{key}` has no effect beside `engine={engine}`");
                assert!(message.contains(&expected), "{message}");
            }
            let others = [
                ("engine", engine),
                ("refine.minimise", "off"),
                ("refine.suffix-first", "off"),
                ("refine.hide-counters", "off"),
                ("itp.simplify", "on"),
            ];
            assert_eq!(refused(&others), None);
            assert_eq!(refused(&[("engine", engine), ("itp.direction", "middle")]), None);
            assert!(refused(&[("engine", engine), ("itp.direction", "alone")]).is_some());
            assert_eq!(
                refused(&[("engine", engine), ("itp.abstraction", "types"), ("itp.lattice", "9")]),
                None
            );
        }
    }
}
