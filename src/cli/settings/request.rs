//! The meaning of a command line: the settings of the user, the task definition and the property files together.

use super::multi;
use super::options::Settings;
use crate::cfa::calls::recursion::Recursion;
use crate::cfa::calls::{PointerCalls, UnknownTargets};
use crate::cfa::program::invention::{Invention, Inventions};
use crate::cfa::{LibraryUse, LowerOptions};
use crate::encode::Arith;
use crate::engine::options::MAX_SELECTORS;
use crate::engine::{self, BlockMode, Explicit, Limits, RankKind, Refinement, Restart, Scope, SelectKind, Selection};
use crate::frontend::types::DataModel;
use crate::spec::parse_task;
use crate::spec::weaving::Mode;
use crate::verify::{self, ProgramFile, Requested, Strategy, Task, read, read_automata, read_property, read_rules};
use std::path::{Path, PathBuf};

/// Everything that `verify` is asked for.
#[derive(Debug)]
pub(in crate::cli) struct VerifyRequest {
    pub task: Task,
    pub options: verify::Options,
    pub json: bool,
    /// Whether another process begins where one has died.
    pub relaunch: bool,
    pub statistics: bool,
    /// Whether to write the interpolation queries.
    pub dump_queries: bool,
}

impl VerifyRequest {
    /// Reads the settings, the task definition and the property files.
    ///
    /// # Errors
    /// The message for the user, with the place where there is one.
    pub fn new(inputs: &[PathBuf], settings: &Settings) -> Result<VerifyRequest, String> {
        let source = ProgramSource::new(inputs)?;
        let mut requested = Vec::new();
        let files = settings.paths("property");
        for file in &files {
            requested.extend(read_property(file, None)?);
        }
        for file in settings.paths("spec") {
            requested.extend(read_automata(&file, None)?);
        }
        if let Some(names) = settings.text("rule") {
            requested.extend(read_rules(names)?);
        }
        if requested.is_empty() {
            for (file, expected) in &source.properties {
                requested.extend(read_property(file, *expected)?);
            }
        }
        if requested.is_empty() {
            return Err(
                "no property is given; use `--property FILE.prp`, or a task definition that names one".to_string(),
            );
        }
        let named_twice = |(i, w): (usize, &Requested)| {
            requested[..i]
                .iter()
                .any(|other| other.name == w.name)
                .then(|| w.name.clone())
        };
        if let Some(name) = requested.iter().enumerate().find_map(named_twice) {
            return Err(format!("two properties are called `{name}`; rename one of the files"));
        }
        let entries: Vec<&str> = requested.iter().filter_map(|w| w.claim.entry()).collect();
        if settings.text("entry").is_none()
            && let Some(other) = entries.iter().find(|entry| **entry != entries[0])
        {
            return Err(format!(
                "the properties start in different functions, `{}` and `{other}`; check them one by one, or give `--entry`",
                entries[0]
            ));
        }
        let program = source.request(settings, entries.first().copied())?;
        refuse_without_effect(settings)?;
        let dump_queries = settings.flag("dump-queries");
        if dump_queries && !settings.is_set("out") {
            return Err("`--dump-queries` writes into the folder of `--out`; give one".to_string());
        }
        let engine = engine::Options {
            multi: multi::options(settings, requested.len())?,
            certificate: settings.path("out").is_some(),
            certify_ticks: settings
                .number("certify.ticks")
                .unwrap_or(engine::options::DEFAULT_CERTIFY_TICKS),
            ..engine_options(settings)?
        };
        Ok(VerifyRequest {
            task: Task { program, requested },
            options: verify::Options {
                engine,
                strategy: strategy(settings)?,
                mode: settings.text("spec.mode").and_then(Mode::named).unwrap_or(Mode::Auto),
                strict: settings.flag("strict"),
                invented: inventions(settings),
                out: settings.path("out"),
                results: settings.path("results"),
                described: settings.describe(),
            },
            json: settings.flag("json"),
            relaunch: settings.flag("relaunch"),
            statistics: settings.flag("statistics"),
            dump_queries,
        })
    }
}

/// Refuses options that have no effect beside others.
///
/// # Errors
/// The message for the user, with both options.
pub(in crate::cli) fn refuse_without_effect(settings: &Settings) -> Result<(), String> {
    let is = |key, value| settings.text(key) == Some(value);
    let cases: [(bool, &str, &[&str]); 7] = [
        (
            is("refine", "single"),
            "`refine=single`, which refines one error path at a time",
            &[
                "refine.rank",
                "refine.select",
                "refine.restart",
                "refine.patience",
                "refine.joint",
            ],
        ),
        (
            !is("refine.rank", "random"),
            "an order that is not `refine.rank=random`",
            &["refine.seed"],
        ),
        // Limits of steps are no choice: nothing is lost by one that is never reached.
        (is("explicit", "off"), "`explicit=off`", &["explicit.objects"]),
        (
            is("arith", "ideal"),
            "`arith=ideal`",
            &["explicit.objects", "ideal.ticks"],
        ),
        (
            is("aspects", "on"),
            "`aspects=on`",
            &[
                "decompose.strategy",
                "decompose.reuse",
                "decompose.cpu",
                "decompose.ticks",
                "decompose.refinements",
                "decompose.transitions",
            ],
        ),
        (
            !is("aspects", "on"),
            "the decomposition of specifications; `aspects=on` reads it",
            &[
                "aspects.property-limit",
                "aspects.idle-limit",
                "aspects.interval-limit",
                "aspects.first-limit",
                "aspects.cleaning",
            ],
        ),
        (settings.is_set("stages"), "`stages`", &["slice"]),
    ];
    for (applies, beside, keys) in cases {
        if let Some(key) = keys.iter().find(|key| applies && settings.is_set(key)) {
            return Err(format!("`{key}` has no effect beside {beside}; leave one of them out"));
        }
    }
    Ok(())
}

/// The stages: all of them, or those that are named; without slices only the whole program.
fn strategy(settings: &Settings) -> Result<Strategy, String> {
    let sliced = settings.text("slice") != Some("off");
    match settings.text("stages") {
        Some(names) => Strategy::named(names).map_err(|error| format!("`stages`: {error}")),
        None if sliced => Ok(Strategy::sliced()),
        None => Ok(Strategy::whole()),
    }
}

/// The program of a command that checks no properties.
///
/// # Errors
/// The message for the user.
pub(in crate::cli) fn program_request(input: &Path, settings: &Settings) -> Result<ProgramFile, String> {
    ProgramSource::new(&[input.to_path_buf()])?.request(settings, None)
}

/// The inputs of a command after a task definition among them has been read.
#[derive(Clone)]
pub(in crate::cli) struct ProgramSource {
    pub input: PathBuf,
    pub data_model: Option<String>,
    pub properties: Vec<(PathBuf, Option<bool>)>,
}

impl ProgramSource {
    pub fn new(inputs: &[PathBuf]) -> Result<ProgramSource, String> {
        let [input] = inputs else {
            return Err(format!(
                "{} input files are given; a program is one file for now",
                inputs.len()
            ));
        };
        if !matches!(input.extension().and_then(|e| e.to_str()), Some("yml" | "yaml")) {
            return Ok(ProgramSource {
                input: input.clone(),
                data_model: None,
                properties: Vec::new(),
            });
        }
        let task = parse_task(input, &read(input)?).map_err(|error| error.to_string())?;
        let [file] = task.inputs.as_slice() else {
            let (count, name) = (task.inputs.len(), input.display());
            return Err(format!(
                "{name}: the task has {count} input files; a program is one file for now"
            ));
        };
        Ok(ProgramSource {
            input: file.clone(),
            data_model: task.data_model,
            properties: task.properties.into_iter().map(|p| (p.file, p.expected)).collect(),
        })
    }

    pub fn request(self, settings: &Settings, entry: Option<&str>) -> Result<ProgramFile, String> {
        let data_model = match settings.text("data-model").or(self.data_model.as_deref()) {
            Some("ILP32") => DataModel::Ilp32,
            Some("LP64") | None => DataModel::Lp64,
            Some(other) => return Err(format!("unknown data model `{other}`; supported are ILP32 and LP64")),
        };
        let models = settings.paths("models");
        Ok(ProgramFile {
            input: self.input,
            data_model,
            lower: LowerOptions {
                entry: settings.text("entry").or(entry).unwrap_or("main").to_string(),
                malloc_may_fail: [
                    settings.flag("malloc-may-fail"),
                    settings.text("malloc") == Some("may-fail"),
                ]
                .contains(&true),
                library: match settings.text("library") {
                    Some("any") => LibraryUse::Any,
                    Some("none") => LibraryUse::None,
                    _ => LibraryUse::Model,
                },
                watched: Vec::new(),
                forbidden: Vec::new(),
                pointer_calls: match settings.text("calls.pointers") {
                    Some("signature") => PointerCalls::Signature,
                    Some("field") => PointerCalls::Field,
                    _ => PointerCalls::PointsTo,
                },
                unknown_targets: match settings.text("calls.unknown") {
                    Some("havoc") => UnknownTargets::Havoc,
                    Some("error") => UnknownTargets::Error,
                    _ => UnknownTargets::Ignore,
                },
                recursion: match settings.text("recursion") {
                    None => Recursion::Exact,
                    Some(text) => Recursion::named(text).ok_or_else(|| {
                        format!("`--recursion {text}`: it is `exact`, `skip`, or `inline:N` with a number of calls")
                    })?,
                },
                models: models.iter().map(|file| file.display().to_string()).collect(),
            },
            models,
        })
    }
}

/// The sorts of invented values that count as inputs.
fn inventions(settings: &Settings) -> Inventions {
    let is_input = |option| settings.text(option) == Some("input");
    let all = is_input("invented.all");
    let kinds = Invention::ALL.into_iter().filter(|kind| is_input(kind.option()) || all);
    kinds.fold(Inventions::default(), Inventions::with)
}

/// The options of the engine.
pub(in crate::cli) fn engine_options(settings: &Settings) -> Result<engine::Options, String> {
    let preset = settings.text("refine").unwrap_or("multi");
    let mut refine = Refinement::preset(preset).ok_or_else(|| format!("there is no preset `{preset}`"))?;
    let seed = settings.number("refine.seed").unwrap_or(0);
    if let Some(name) = settings.text("refine.rank") {
        refine.rank = ranker(name, seed);
    }
    if let Some(names) = settings.text("refine.select") {
        refine.select = selection(names)?;
    }
    match settings.text("refine.restart") {
        Some("root") => refine.restart = Restart::Root,
        Some("pivots") => refine.restart = Restart::Pivots,
        _ => {}
    }
    if let Some(joint) = settings.number("refine.joint") {
        refine.joint = usize::try_from(joint).unwrap_or(usize::MAX);
    }
    if let Some(patience) = settings.number("refine.patience") {
        refine.patience = if patience == 0 { u64::MAX } else { patience };
    }
    match settings.text("refine.scope") {
        Some("global") => refine.scope = Scope::Global,
        Some("function") => refine.scope = Scope::Function,
        Some("location") => refine.scope = Scope::Location,
        _ => {}
    }
    let threads = settings.number("threads").and_then(|n| usize::try_from(n).ok());
    let explicit = Explicit::default();
    Ok(engine::Options {
        arith: if settings.text("arith") == Some("ideal") {
            Arith::Ideal
        } else {
            Arith::Machine
        },
        block: match settings.text("block") {
            Some("loops-and-calls") => BlockMode::LoopsAndCalls,
            Some("single") => BlockMode::Single,
            _ => BlockMode::Loops,
        },
        refine,
        threads: threads.unwrap_or_else(default_threads).min(processors()),
        limits: Limits {
            cpu: settings.seconds("cpu-limit"),
            wall: settings.seconds("wall-limit"),
            memory_mb: settings.number("memory-limit"),
            ticks: settings.number("ticks"),
        },
        states: settings
            .number("explore.states")
            .unwrap_or(engine::options::DEFAULT_STATES),
        check: settings.flag("check"),
        cartesian: settings.text("abstraction") == Some("cartesian"),
        ideal_ticks: settings
            .number("ideal.ticks")
            .unwrap_or(engine::options::DEFAULT_IDEAL_TICKS),
        explicit: Explicit {
            enabled: settings.text("explicit") != Some("off"),
            steps: settings
                .number("explicit.steps")
                .unwrap_or_else(|| Explicit::steps_within(settings.seconds("cpu-limit"))),
            simulation: settings.number("simulation.steps").unwrap_or(explicit.simulation),
            concrete: settings
                .number("concrete.steps")
                .unwrap_or_else(|| Explicit::concrete_within(settings.seconds("cpu-limit"))),
            alone: false,
            objects: settings.text("explicit.objects") != Some("off"),
        },
        ..engine::Options::default()
    })
}

/// The ranker of a name in the table of options.
fn ranker(name: &str, seed: u64) -> RankKind {
    match name {
        "first" => RankKind::First,
        "shallow-first" => RankKind::ShallowFirst,
        "deep-first" => RankKind::DeepFirst,
        "fewest-blocks" => RankKind::FewestBlocks,
        "pivot-distance" => RankKind::PivotDistance,
        "round-robin" => RankKind::RoundRobin,
        "random" => RankKind::Random(seed),
        _ => RankKind::Identity,
    }
}

/// Selectors with commas in between.
fn selection(names: &str) -> Result<Selection, String> {
    let mut kinds = Vec::new();
    for name in names.split(',').map(str::trim) {
        kinds.push(match name {
            "first" => SelectKind::First,
            "all" => SelectKind::JoinAll,
            "delay-counters" => SelectKind::DelayCounters,
            "smallest" => SelectKind::Smallest,
            "cover" => SelectKind::Cover,
            number => {
                let most = number.parse().ok().filter(|n| *n > 0).ok_or_else(|| {
                    format!(
                        "`{number}` is no value for `refine.select`; expected first, all, delay-counters, smallest, cover or a number above 0, or several with commas in between"
                    )
                })?;
                SelectKind::JoinAtMost(most)
            }
        });
    }
    Selection::new(&kinds).ok_or_else(|| format!("`{names}` has too many selectors; expected at most {MAX_SELECTORS}"))
}

/// The number of threads that the scheduler gave: Slurm's number, else the processors on which this process may run.
fn default_threads() -> usize {
    let slurm = std::env::var("SLURM_CPUS_PER_TASK")
        .ok()
        .and_then(|text| text.parse().ok());
    slurm.filter(|n| *n > 0).unwrap_or_else(processors)
}

/// The processors that this process may run on. More threads than these would only wait for each other.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::settings::options::{Command, OPTIONS};
    use crate::engine::PRESETS;

    /// An option that the table offers to a command and the command does not read would be a promise that nobody keeps.
    #[test]
    fn every_option_is_read_by_its_commands() {
        let folder = std::env::temp_dir().join(format!("provident-request-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let property = folder.join("p.prp");
        std::fs::write(&property, "CHECK( init(main()), LTL(G ! call(f())) )").unwrap();
        let verify = Settings::default();
        let mut given = Settings::default();
        given
            .set(Command::Verify, "property", vec![property.display().to_string()])
            .unwrap();
        VerifyRequest::new(&[PathBuf::from("a.c")], &given).unwrap();
        assert!(
            VerifyRequest::new(&[PathBuf::from("a.c")], &verify)
                .unwrap_err()
                .contains("no property")
        );
        selection("first,cover, 3").unwrap();
        assert!(selection("best").unwrap_err().contains("`best` is no value"));
        assert!(selection("0").is_err() && selection("1,2,3,4,5").is_err());
        let cfa = Settings::default();
        program_request(Path::new("a.c"), &cfa).unwrap();
        crate::cli::commands::cfa::View::new(&cfa);
        let check = Settings::default();
        crate::cli::commands::check::read_settings(Path::new("a.c"), &check).unwrap();
        let smt = Settings::default();
        crate::cli::commands::smt::options(&smt);
        let campaign = Settings::default();
        crate::cli::commands::campaign::plan(&campaign);
        let discharge = Settings::default();
        crate::cli::commands::discharge::read_settings(&discharge).unwrap();
        let study = Settings::default();
        crate::cli::commands::study::plan("provident", &study).unwrap();
        let join = Settings::default();
        crate::cli::commands::join::plan(&join);
        let benchexec = Settings::default();
        crate::cli::commands::exchange::folder(&benchexec).unwrap_err();
        let slurm = Settings::default();
        crate::cli::commands::slurm::plan("provident", &slurm).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        let all = [
            (Command::Verify, &given),
            (Command::Cfa, &cfa),
            (Command::Smt, &smt),
            (Command::Campaign, &campaign),
            (Command::Discharge, &discharge),
            (Command::Check, &check),
            (Command::Study, &study),
            (Command::Join, &join),
            (Command::Slurm, &slurm),
            (Command::Benchexec, &benchexec),
        ];
        for (command, settings) in all {
            let read = settings.keys_read();
            for spec in OPTIONS.iter().filter(|spec| spec.serves(command)) {
                assert!(
                    read.contains(&spec.key),
                    "{command:?} offers `{}` and does not read it",
                    spec.key
                );
            }
            for key in read {
                assert!(
                    crate::cli::settings::options::find(key).unwrap().serves(command),
                    "{command:?} reads `{key}`"
                );
            }
        }
    }

    #[test]
    fn options_without_effect_are_refused() {
        let refused = |given: &[(&str, &str)]| {
            let mut settings = Settings::default();
            for (key, value) in given {
                settings.set(Command::Verify, key, vec![(*value).to_string()]).unwrap();
            }
            refuse_without_effect(&settings).err()
        };
        let message = refused(&[("refine", "single"), ("refine.rank", "first")]).expect("it has no effect");
        assert!(
            message.contains("`refine.rank` has no effect beside `refine=single`"),
            "{message}"
        );
        assert!(refused(&[("refine.seed", "1")]).is_some());
        assert!(refused(&[("aspects.cleaning", "all")]).is_some());
        assert!(refused(&[("aspects", "on"), ("decompose.ticks", "1")]).is_some());
        assert!(refused(&[("stages", "whole"), ("slice", "on")]).is_some());
        assert_eq!(
            refused(&[("refine.rank", "random"), ("refine.seed", "1"), ("explicit.steps", "9")]),
            None
        );
    }

    #[test]
    fn the_table_and_the_engine_know_the_same_presets() {
        let crate::cli::settings::options::Kind::Choice(words) =
            crate::cli::settings::options::find("refine").unwrap().kind
        else {
            panic!("a preset is a choice");
        };
        let known: Vec<&str> = PRESETS.iter().map(|(name, _)| *name).collect();
        assert_eq!(words, known);
        assert!(words.iter().all(|word| Refinement::preset(word).is_some()));
    }
}
